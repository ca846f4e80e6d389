"use strict";
// For reading articles and for editing one. Every word has its offsets in code points (data-s, data-e), so that nothing
// here counts characters: JavaScript would count UTF-16 code units.

const one = (wanted, inside = document) => inside.querySelector(wanted);
const all = (wanted, inside = document) => [...inside.querySelectorAll(wanted)];
const starts = (piece) => Number(piece.dataset.s);
const ends = (piece) => Number(piece.dataset.e);

function filter() {
  const wanted = [...new FormData(one("#filters"))].filter(([, value]) => value);
  const fits = (record) =>
    wanted.every(([name, value]) => (record.dataset[name] || "").split(" ").includes(value));
  const shown = new Set();
  for (const record of all(".record")) {
    record.hidden = !fits(record);
    if (!record.hidden) shown.add(record.id);
  }
  for (const piece of all("[data-r]")) {
    const theirs = piece.dataset.r.trim().split(" ");
    piece.classList.toggle("faded", wanted.length > 0 && !theirs.some((id) => shown.has(id)));
  }
  one("#shown").textContent = wanted.length ? `${shown.size} of ${all(".record").length} cards` : "";
}

function mark(ids) {
  for (const piece of all(".about")) piece.classList.remove("about");
  for (const record of all(".row .record")) record.classList.toggle("current", ids.includes(record.id));
  if (ids.length === 1)
    for (const piece of all("[data-r]"))
      piece.classList.toggle("about", piece.dataset.r.split(" ").includes(ids[0]));
}

const idsOf = (piece) => (piece?.dataset.r || "").trim().split(" ").filter(Boolean);

document.addEventListener("mouseover", (event) => {
  const record = event.target.closest?.(".record");
  if (record) mark([record.id]);
});

one("#filters").addEventListener("change", filter);
if (!document.documentElement.classList.contains("editable")) {
  // The event comes before the values are reset.
  one("#filters").addEventListener("reset", () => setTimeout(filter));
  document.addEventListener("click", (event) => mark(idsOf(event.target.closest(".words [data-r]"))));
  filter();
}
