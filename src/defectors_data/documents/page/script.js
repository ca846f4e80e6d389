// Views, filters, search, sorting, copying, and opening records. The page can be read without this script.
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
  // Open on a wide screen, where the filters take one line.
  for (const details of all(".filters details")) details.open = matchMedia("(min-width: 980px)").matches;

  // Folds case, accents and kinds of quotation marks, without changing the length of the text.
  const PLAIN = { "’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "\u00a0": " " };
  const fold = (text) => text.replace(/[^\0-\x7f]/g, (c) => PLAIN[c] ?? c.normalize("NFD")[0]).toLowerCase();

  // A row is found by its words, not by the name of its article, which all rows of the article share.
  function wordsIn(item) {
    const nodes = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
    const words = [];
    while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest("[data-unsearched], a[href^='#sources/']")) words.push(nodes.currentNode.data);
    return fold(words.join(""));
  }

  const lists = all("[data-counted]").map((box) => ({
    box,
    counted: box.dataset.counted,
    view: box.closest(".view").id,
    form: document.querySelector(`.filters[data-for="${box.id}"]`),
    info: document.querySelector(`.info[data-for="${box.id}"]`),
    items: all(box.dataset.items || "tbody > tr", box).map((item) => ({ item, text: wordsIn(item) })),
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
      if (list.info) list.info.textContent = shown === list.items.length ? `${shown} ${list.counted}` : `${shown} of ${list.items.length} ${list.counted}`;
      // A matching row inside a closed part is shown.
      if (words.length) for (const { item } of list.items) if (!item.hidden && item.closest("details")) item.closest("details").open = true;
    }
    for (const group of all(".of-article, .group")) group.hidden = !all("[data-id], .pair", group).some((item) => !item.hidden);
    const links = lists.flatMap(({ counted, view: where, items }) => {
      const number = items.filter(({ text }) => matches(text, words)).length;
      if (!words.length || !number) return [];
      const link = document.createElement("a");
      link.href = hash(where, new URLSearchParams({ q: search.value }));
      link.textContent = `${counted} (${number})`;
      return [link, " "];
    });
    found.replaceChildren(...(words.length && !links.length ? ["nothing"] : links));
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
    const view = hits.some((list) => list.view === current()) || !hits.length ? current() : hits[0].view;
    replace(view, chosen(view));
  });
  byId("searching").addEventListener("submit", (event) => event.preventDefault());
  for (const { form, view } of lists) {
    form?.addEventListener("change", () => replace(view, chosen(view)));
    form?.addEventListener("reset", () => replace(view, new URLSearchParams()));
  }

  // ---- sorting, and rows as CSV ----

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

  // The ids and terms of the rows that are shown, and what they show; with a byte order mark, as spreadsheets need.
  function csv({ items }) {
    const rows = items.filter(({ item }) => !item.hidden).map(({ item }) => {
      const cells = all("[data-column]", item).map((cell) => [cell.dataset.column, cell.textContent.trim().replace(/\s+/g, " ")]);
      return { ...item.dataset, ...Object.fromEntries(cells) };
    });
    const columns = [...new Set(rows.flatMap(Object.keys))];
    const cells = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))];
    return `\ufeff${cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n")}\r\n`;
  }

  function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // ---- buttons ----

  async function copy(button, write) {
    const label = button.textContent;
    try {
      await write();
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied: the browser does not allow it";
    }
    setTimeout(() => (button.textContent = label), 2000);
  }

  const copyText = (button, text) => copy(button, () => navigator.clipboard.writeText(text));

  // The drawing as PNG at double size, in the colours and fonts that it has on the screen.
  async function picture(drawing) {
    const drawn = drawing.cloneNode(true);
    const styled = "fill stroke stroke-width stop-color font paint-order stroke-linejoin text-anchor".split(" ");
    const shapes = all("*", drawing);
    all("*", drawn).forEach((shape, i) => {
      const style = getComputedStyle(shapes[i]);
      for (const name of styled) shape.style.setProperty(name, style.getPropertyValue(name));
    });
    const { width, height } = drawing.viewBox.baseVal;
    drawn.setAttribute("width", 2 * width);
    drawn.setAttribute("height", 2 * height);
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
    await image.decode();
    const canvas = new OffscreenCanvas(2 * width, 2 * height);
    const context = canvas.getContext("2d");
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0);
    return canvas.convertToBlob({ type: "image/png" });
  }

  function copyPicture(button) {
    const drawing = all("svg", button.closest("figure")).find((each) => each.checkVisibility());
    const item = () => new ClipboardItem({ "image/png": picture(drawing) });
    copy(button, () => navigator.clipboard.write([item()]));
  }

  function recordCitation(form, citing) {
    const citation = citing.querySelector(".citation");
    if (form === "text") return citation.innerText.trim();
    const [, id] = citing.closest(".record").id.split("/");
    const escaped = {
      bibtex: (text) => text.replace(/[&%$#_{}]/g, "\\$&"),
      ris: (text) => text,
      csl: (text) => JSON.stringify(text).slice(1, -1),
    };
    const described = escaped[form](citation.querySelector("span").textContent);
    return byId(`${form}-record`).textContent.replace("TABLE/RECORD-ID", () => described).replace("RECORD-ID", id);
  }

  // The words of the record in quotation marks, with who says so and the article.
  function quotation(record) {
    const words = all("mark", record).map((mark) => mark.textContent).join(" […] ");
    const [heading, source] = ["h1", ".source"].map((each) => record.querySelector(each));
    const stated = source ? source.textContent + heading.querySelector(".quiet").textContent : heading.textContent;
    return `“${words}” (${stated.trim()})`;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.record) copyText(button, recordCitation(button.dataset.record, button.closest(".citing")));
    if (button?.dataset.quotation !== undefined) copyText(button, quotation(button.closest(".record")));
    if (button?.dataset.copy) copyText(button, byId(button.dataset.copy).textContent.trim());
    if (button?.dataset.picture !== undefined) copyPicture(button);
    if (button?.dataset.link !== undefined) {
      const base = document.body.dataset.home || location.href.split("#")[0];
      copyText(button, base + location.hash);
    }
    if (button?.dataset.csv) download(`${current()}.csv`, csv(lists.find(({ box }) => box.id === button.dataset.csv)));
  });

  // ---- views and records ----

  const left = {}; // by view, its address with filters, how far it was scrolled, and the link that opened a record
  let last = ""; // the view that was shown last, to which a record returns

  function show() {
    const { name, params } = address();
    const target = byId(name || "overview") ?? byId(name.replace(/^persons\//, "speakers/"));
    const record = target?.closest(".record");
    const view = record ? record.dataset.view : target ? target.closest(".view")?.id : "missing";
    if (!view) return; // the link that skips to the content
    if (view === "missing") byId("missing-name").textContent = name;
    const returns = document.body.classList.contains("reading") && !record && target?.matches(".view");
    const opened = view !== views.find((each) => !each.hidden)?.id;
    for (const section of views) section.hidden = section.id !== view;
    if (!record || opened) filter(view, params);
    if (!record) left[(last = view)] = { ...left[view], address: location.hash };
    for (const link of all("a", nav)) {
      if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const heading = (record ?? byId(view)).querySelector("h1").textContent.trim().replace(/\s+/g, " ");
    document.title = view === "overview" && !record ? title : `${heading} – ${title}`;
    document.body.classList.toggle("reading", Boolean(record));
    for (const open of all(".record.open")) open.classList.remove("open");
    record?.classList.add("open");
    if (record) {
      byId("citing").hidden = false;
      record.querySelector(".citing")?.append(byId("citing"));
      record.querySelector(".close").href = left[last]?.address || `#${view}`;
      scrollTo(0, 0);
      record.querySelector("h1").focus({ preventScroll: true });
    } else if (returns) {
      scrollTo(0, left[view]?.scrolled ?? 0);
      if (left[view]?.opener?.isConnected) left[view].opener.focus({ preventScroll: true });
    } else if (target?.matches(".view")) {
      if (opened) scrollTo(0, 0);
    } else {
      const closed = target?.closest("details:not([open])") ?? target?.querySelector("details.long");
      if (closed) closed.open = true;
      target?.scrollIntoView();
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const view = link?.closest(".view")?.id;
    if (view) left[view] = { ...left[view], scrolled: scrollY, opener: link };
    const row = event.target.closest("[data-id]");
    if (row && !event.target.closest("a, button, summary") && !String(getSelection())) row.querySelector("a.open")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const open = document.querySelector(".record.open");
    if (event.key === "Escape" && open) open.querySelector(".close").click();
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", show);
  show();
})();
