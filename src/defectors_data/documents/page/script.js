
// Views, filters, search, and opening and closing records. The page can be read without this script.
"use strict";
(() => {
  const views = [...document.querySelectorAll(".view")];
  const links = [...document.querySelectorAll("#views a")];
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const tables = [];

  for (const table of document.querySelectorAll("table.data:not(.plain)")) {
    const counted = table.dataset.counted;
    const view = table.closest(".view").id;
    const drawn = new DataTable(table, {
      paging: false,
      autoWidth: false,
      order: [],
      layout: { topStart: "info", topEnd: null, bottomStart: null, bottomEnd: null },
      language: {
        info: `_TOTAL_ of _MAX_ ${counted}`,
        infoEmpty: `0 of _MAX_ ${counted}`,
        infoFiltered: "",
        zeroRecords: "Nothing matches. Clear the filters or the search.",
      },
    });
    tables.push({ drawn, counted, view, id: table.id });
  }

  for (const form of document.querySelectorAll(".filters")) {
    const { drawn } = tables.find((table) => table.id === form.dataset.table);
    form.hidden = false;
    for (const select of form.querySelectorAll("select")) {
      drawn.search.fixed(select.name, (words, data, index) => {
        const row = drawn.row(index).node();
        return !select.value || row.dataset[select.name].split(" ").includes(select.value);
      });
    }
    form.addEventListener("change", () => drawn.draw());
    form.addEventListener("reset", () => setTimeout(() => drawn.draw())); // after the fields are reset
  }

  document.getElementById("searching").hidden = !tables.length;
  document.getElementById("searching").addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", () => {
    for (const { drawn } of tables) drawn.search(search.value).draw();
    found.replaceChildren();
    if (!search.value) return;
    let first = null;
    for (const { drawn, counted, view } of tables) {
      const number = drawn.rows({ search: "applied" }).count();
      const link = document.createElement("a");
      link.href = `#${view}`;
      link.textContent = `${counted} (${number})`;
      found.append(link, " ");
      if (number && !first) first = view;
    }
    if (first && !tables.some(({ view }) => view === current())) location.hash = `#${first}`;
  });

  const current = () => (views.find((view) => !view.hidden) || views[0]).id;
  // The link that opened a record, and where the page was scrolled to: closing the record restores both.
  let opener = null;
  let place = 0;

  function element() {
    const name = decodeURIComponent(location.hash.slice(1));
    let target = document.getElementById(name);
    if (!target && name.includes("/")) {
      clear(); // a filter or the search has removed the row
      target = document.getElementById(name);
    }
    return target;
  }

  function clear() {
    search.value = "";
    found.replaceChildren();
    for (const form of document.querySelectorAll(".filters")) form.reset();
    for (const { drawn } of tables) drawn.search("").draw();
  }

  function show() {
    const target = element();
    const record = target && target.closest(".record");
    const view = record ? record.dataset.view : target && target.closest(".view") ? target.closest(".view").id : "overview";
    for (const section of views) section.hidden = section.id !== view;
    for (const link of links) {
      if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.body.classList.toggle("reading", Boolean(record));
    if (record) {
      scrollTo(0, place);
      record.scrollTop = 0;
      record.querySelector("h2").focus({ preventScroll: true });
    } else if (target && target.classList.contains("view")) {
      scrollTo(0, opener ? place : 0);
      if (opener && opener.isConnected) opener.focus({ preventScroll: true });
      opener = null;
    } else if (target && target !== document.body) {
      target.scrollIntoView();
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && !document.body.classList.contains("reading")) {
      opener = link.closest(".view") ? link : null;
      place = scrollY;
    }
    const row = event.target.closest("tbody tr");
    const id = row && !link && row.querySelector("a.id");
    if (id && !String(getSelection())) id.click();
  });
  document.addEventListener("keydown", (event) => {
    const open = document.querySelector(".record:target");
    if (event.key === "Escape" && open) location.hash = open.querySelector(".close").hash;
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", show);
  show();
})();
