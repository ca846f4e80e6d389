
// Views, filters, search, sorting, copying, and opening and closing records. The page can be read without this script.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const views = all(".view");
  const nav = byId("views");
  const search = byId("search");
  const found = byId("found");
  const title = document.title;
  document.documentElement.classList.add("js");

  // Folds case, accents and kinds of quotation marks, without changing the length of the text.
  const PLAIN = { "’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "\u00a0": " " };
  const fold = (text) => text.replace(/[^\0-\x7f]/g, (c) => PLAIN[c] ?? c.normalize("NFD")[0]).toLowerCase();

  const lists = all("[data-counted]").map((box) => ({
    box,
    counted: box.dataset.counted,
    view: box.closest(".view").id,
    form: document.querySelector(`.filters[data-for="${box.id}"]`),
    info: document.querySelector(`.info[data-for="${box.id}"]`),
    items: all(box.dataset.items || "tbody > tr", box).map((item) => ({ item, text: fold(item.textContent) })),
  }));

  // ---- the address: #view?filter=value&q=words, or #table/id ----

  function address() {
    const [name, query] = location.hash.slice(1).split("?");
    return { name: decodeURIComponent(name), params: new URLSearchParams(query) };
  }

  function hash(view, params) {
    const kept = [...params].filter(([, value]) => value);
    return `#${view}${kept.length ? `?${new URLSearchParams(kept)}` : ""}`;
  }

  function replace(view, params) {
    history.replaceState(null, "", hash(view, params));
    show();
  }

  const current = () => views.find((view) => !view.hidden).id;

  function chosen(view) {
    const forms = lists.filter((list) => list.view === view && list.form).map(({ form }) => new FormData(form));
    return new URLSearchParams([...forms.flatMap((form) => [...form]), ["q", search.value]]);
  }

  // ---- filters and search ----

  const wordsOf = (text) => fold(text).split(/\s+/).filter(Boolean);
  const matches = (text, words) => words.every((word) => text.includes(word));

  function filter(view, params) {
    const words = wordsOf(params.get("q") ?? "");
    search.value = params.get("q") ?? "";
    for (const list of lists) {
      const selects = list.form ? all("select", list.form) : [];
      for (const select of selects) select.value = (list.view === view && params.get(select.name)) || "";
      let shown = 0;
      for (const { item, text } of list.items) {
        const wanted = selects.every((s) => !s.value || item.dataset[s.name].split(" ").includes(s.value));
        item.hidden = !(wanted && matches(text, words));
        shown += !item.hidden;
      }
      if (list.info) list.info.textContent = `${shown} of ${list.items.length} ${list.counted}`;
    }
    for (const box of all("[data-until-search]")) box.hidden = words.length > 0;
    const hits = lists.map((list) => ({ ...list, number: list.items.filter(({ text }) => matches(text, words)).length }));
    const links = hits.filter(({ number }) => words.length && number).map(({ counted, view, number }) => {
      const link = document.createElement("a");
      link.href = hash(view, new URLSearchParams({ q: search.value }));
      link.textContent = `${counted} (${number})`;
      return link;
    });
    found.replaceChildren(...(words.length && !links.length ? ["nothing"] : links.flatMap((link) => [link, " "])));
    mark(view, words);
  }

  // Highlights the words of a search: as one phrase in an item that contains the phrase, otherwise word by word.
  function mark(view, words) {
    if (!CSS.highlights) return;
    const ranges = [];
    for (const { item, text } of lists.filter((list) => list.view === view).flatMap(({ items }) => items)) {
      if (!words.length || item.hidden) continue;
      const phrase = words.join(" ");
      const nodes = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
      while (nodes.nextNode()) {
        const plain = fold(nodes.currentNode.data);
        for (const word of text.includes(phrase) ? [phrase] : words) {
          for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(nodes.currentNode, at);
            range.setEnd(nodes.currentNode, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("hit", new Highlight(...ranges));
  }

  search.addEventListener("input", () => {
    const words = wordsOf(search.value);
    const hits = lists.filter(({ items }) => items.some(({ text }) => matches(text, words)));
    const view = lists.some((list) => list.view === current()) || !hits.length ? current() : hits[0].view;
    replace(view, chosen(view));
  });
  byId("searching").addEventListener("submit", (event) => event.preventDefault());
  for (const { form, view } of lists) {
    form?.addEventListener("change", () => replace(view, chosen(view)));
    form?.addEventListener("reset", () => replace(view, new URLSearchParams()));
  }

  // ---- tables: sorting, and rows as CSV ----

  for (const { box, items } of lists.filter(({ box }) => box.tHead)) {
    all("thead th", box).forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => {
        const sign = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of all("th", box)) other.removeAttribute("aria-sort");
        header.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        const key = ({ item }) => item.cells[column].dataset.order ?? item.cells[column].textContent.trim();
        const order = new Intl.Collator("en", { numeric: true });
        const number = (text) => (text !== "" && isFinite(text) ? Number(text) : NaN);
        const sorted = [...items].sort((a, b) => sign * (number(key(a)) - number(key(b)) || order.compare(key(a), key(b))));
        box.tBodies[0].append(...sorted.map(({ item }) => item));
      });
    });
  }

  function csv(box) {
    const rows = [...box.tBodies[0].rows].filter((row) => !row.hidden);
    const words = (cell) => cell.textContent.trim().replace(/\s+/g, " ");
    const cells = [[...all("thead th", box).map(words), "record"], ...rows.map((row) => [...[...row.cells].map(words), row.dataset.id])];
    return cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n") + "\r\n";
  }

  function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // ---- buttons ----

  async function copy(button, text) {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied: the browser does not allow it";
    }
    setTimeout(() => (button.textContent = label), 2000);
  }

  function recordCitation(form, citing) {
    if (form === "text") return citing.querySelector(".citation").textContent.trim();
    const record = citing.querySelector(".citation span").textContent;
    const escaped = {
      bibtex: (text) => text.replace(/[&%$#_{}]/g, "\\$&"),
      ris: (text) => text,
      csl: (text) => JSON.stringify(text).slice(1, -1),
    };
    return byId(`${form}-record`).textContent.replace("RECORD", () => escaped[form](record));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.record) copy(button, recordCitation(button.dataset.record, button.closest(".citing")));
    if (button?.dataset.copy) copy(button, byId(button.dataset.copy).textContent.trim());
    if (button?.dataset.link !== undefined) {
      const base = document.body.dataset.home || location.href.split("#")[0];
      copy(button, base + location.hash);
    }
    if (button?.dataset.csv) download(`${button.dataset.csv}.csv`, csv(byId(button.dataset.csv)));
  });

  // ---- views and records ----

  const lastOf = {}; // by view, the address with its filters
  let opener = null; // the link that opened a record, and where the page was scrolled to: closing restores both
  let place = 0;

  function show() {
    const { name, params } = address();
    const target = byId(name || "overview");
    const record = target?.closest(".record");
    const view = record ? record.dataset.view : target ? target.closest(".view")?.id : "missing";
    if (!view) return; // the link that skips to the content
    if (view === "missing") byId("missing-name").textContent = name;
    const opened = view !== views.find((each) => !each.hidden)?.id;
    for (const section of views) section.hidden = section.id !== view;
    if (!record || opened) filter(view, params);
    if (!record) lastOf[view] = location.hash;
    for (const link of all("a", nav)) {
      if (link.hash !== `#${view}`) link.removeAttribute("aria-current");
      else {
        link.setAttribute("aria-current", "page");
        nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
      }
    }
    const heading = (record ?? byId(view)).querySelector("h1, h2").textContent.trim().replace(/\s+/g, " ");
    document.title = view === "overview" && !record ? title : `${heading} – ${title}`;
    document.body.classList.toggle("reading", Boolean(record));
    if (record) {
      byId("citing").hidden = false;
      record.querySelector(".citing")?.append(byId("citing"));
      record.querySelector(".close").href = lastOf[view] || `#${view}`;
      scrollTo(0, place);
      record.scrollTop = 0;
      record.querySelector("h2").focus({ preventScroll: true });
    } else if (target?.matches(".view")) {
      if (opened || opener) scrollTo(0, opener ? place : 0);
      if (opener?.isConnected) opener.focus({ preventScroll: true });
      opener = null;
    } else target?.scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && !document.body.classList.contains("reading")) {
      opener = link.closest(".view") ? link : null;
      place = scrollY;
    }
    const row = event.target.closest("tr[data-id]");
    if (row && !event.target.closest("a, button") && !String(getSelection())) row.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const open = document.querySelector(".record:target");
    if (event.key === "Escape" && open) open.querySelector(".close").click();
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", show);
  show();
})();
