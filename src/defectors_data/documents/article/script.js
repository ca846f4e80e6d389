"use strict";
// The page for editing one article, or for reading all of them. Every word has its offsets in code points (data-s,
// data-e), so that nothing here counts characters: JavaScript would count UTF-16 code units.

const one = (wanted, inside = document) => inside.querySelector(wanted);
const all = (wanted, inside = document) => [...inside.querySelectorAll(wanted)];
const editable = document.documentElement.classList.contains("editable");
const starts = (piece) => Number(piece.dataset.s);
const ends = (piece) => Number(piece.dataset.e);

// ---- filters of the articles page --------------------------------------------------------------------------

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
  one("#shown").textContent = `${shown.size} of ${all(".record").length} records`;
}

function mark(ids) {
  for (const piece of all(".about")) piece.classList.remove("about");
  for (const record of all(".record")) record.classList.toggle("current", ids.includes(record.id));
  if (ids.length === 1)
    for (const piece of all("[data-r]"))
      piece.classList.toggle("about", piece.dataset.r.split(" ").includes(ids[0]));
}

const idsOf = (piece) => (piece?.dataset.r || "").trim().split(" ").filter(Boolean);

document.addEventListener("mouseover", (event) => {
  const record = event.target.closest?.(".record");
  if (record) mark([record.id]);
});

if (!editable) {
  one("#filters").addEventListener("change", filter);
  // The event comes before the values are reset.
  one("#filters").addEventListener("reset", () => setTimeout(filter));
  document.addEventListener("click", (event) => mark(idsOf(event.target.closest(".words [data-r]"))));
  filter();
}

// ---- the selection: words from an anchor to a head ---------------------------------------------------------

let words = [];
let anchor = 0;
let head = 0;
const say = (sentence) => { one("#said").textContent = sentence; };
const clamped = (at) => Math.max(0, Math.min(words.length - 1, at));
const chosen = () => [Math.min(anchor, head), Math.max(anchor, head)];
const textBetween = (first, last) => {
  const texts = all(".words span").filter(
    (piece) => starts(piece) >= starts(words[first]) && ends(piece) <= ends(words[last]),
  );
  return texts.map((piece) => piece.textContent).join("");
};

function select(to, extend = false, moved = true) {
  head = clamped(to);
  if (!extend) anchor = head;
  const [first, last] = chosen();
  const [start, end] = [starts(words[first]), ends(words[last])];
  for (const piece of all(".words span")) {
    const inside = starts(piece) >= start && ends(piece) <= end;
    piece.classList.toggle("chosen", inside && first !== last);
    piece.classList.toggle("at", piece === words[head]);
  }
  mark(idsOf(words[head]));
  if (!moved) return;
  words[head].scrollIntoView({ block: "nearest" });
  const open = words[head].classList.contains("open") ? ", unaccounted for" : "";
  say(`${textBetween(first, last)}${open}`);
}

function selectSpan(start, end) {
  const inside = words.flatMap((word, i) => (starts(word) >= start && ends(word) <= end ? [i] : []));
  if (!inside.length) return;
  anchor = inside[0];
  select(inside[inside.length - 1], true);
}

const paragraphOf = (i) => words[i].closest(".words");
// A closing quotation mark after the full stop belongs to the sentence.
const endsSentence = (i) =>
  i + 1 >= words.length ||
  paragraphOf(i) !== paragraphOf(i + 1) ||
  (/^[.!?…]$/.test(words[i].textContent) && !/^[.!?…"”’»]$/.test(words[i + 1].textContent)) ||
  (/^["”’»]$/.test(words[i].textContent) && i > 0 && /^[.!?…]$/.test(words[i - 1].textContent));

function sentenceStart(i) {
  while (i > 0 && !endsSentence(i - 1)) i -= 1;
  return i;
}
function sentenceEnd(i) {
  while (!endsSentence(i)) i += 1;
  return i;
}

// Until everything is read, the summary is the red bar.
const summary = () => one("#left").textContent.replace(/\s+/g, " ").trim();

function notRead(message) {
  const bar = document.createElement("div");
  bar.id = "left";
  bar.className = "unread";
  bar.setAttribute("role", "alert");
  bar.textContent = `${message} This page may not show the current content.`;
  one("#left").replaceWith(bar);
  say(bar.textContent);
}

function targets() {
  return JSON.parse(one(".article").dataset.targets);
}

function go(step) {
  const [first] = chosen();
  const here = words.length ? starts(words[first]) : 0;
  const found = targets();
  // Step 0, after a record was saved, selects the current target if it is still open, or else the next one.
  const next = step < 0 ? found.findLast(([start]) => start < here) : found.find(([start]) => start >= here + step);
  const [start, end] = next || found.at(step < 0 ? -1 : 0) || [];
  if (start === undefined) return say(summary());
  selectSpan(start, end);
}

// ---- requests ------------------------------------------------------------------------------------------------

const stem = () => location.pathname.split("/").pop();
const sha256 = () => one(".article").dataset.sha256;

async function ask(action, body) {
  const answer = await fetch(`../${action}/${stem()}`, { method: "POST", body: JSON.stringify(body) });
  const content = await answer.json();
  if (answer.ok) return content;
  if (answer.status === 409) {
    one("#form").close();
    await refresh();
  }
  throw new Error(content.message);
}

let refreshed = Promise.resolve();
const refresh = () => (refreshed = refreshed.then(load, load)); // one after another, so that the latest state remains

async function load() {
  const answer = await fetch(`../part/${stem()}`).catch(() => null);
  if (!answer) return notRead("The program does not answer.");
  if (!answer.ok) return notRead("The article could not be read.");
  const part = await answer.text();
  const [first, last] = words.length ? chosen() : [0, 0];
  const span = words.length ? [starts(words[first]), ends(words[last])] : null;
  const opened = Boolean(one(".findings")?.open);
  one("#part").innerHTML = part;
  if (one(".findings")) one(".findings").open = opened;
  words = all(".words .w");
  anchor = head = 0;
  if (span) {
    const inside = words.flatMap((word, i) => (starts(word) >= span[0] && ends(word) <= span[1] ? [i] : []));
    anchor = clamped(inside[0] ?? 0);
    select(inside[inside.length - 1] ?? 0, true, false);
  }
}

// ---- forms -----------------------------------------------------------------------------------------------------

let submit = async () => {};
let saving = false;

function field({ key, value, options = [], choices = [], required = false, guess = "" }) {
  const label = document.createElement("label");
  label.append(key.replaceAll("_", " ") + (guess && ` (a guess: ${guess})`));
  const input = document.createElement(choices.length ? "select" : "input");
  input.name = key;
  input.required = required;
  for (const choice of choices) input.add(new Option(choice, choice));
  if (options.length && !choices.length) {
    const list = document.createElement("datalist");
    list.id = `options-${key.replaceAll(" ", "-")}`;
    for (const option of options) list.append(new Option(option, option));
    input.setAttribute("list", list.id);
    label.append(list);
  }
  input.value = key === "date" && !value ? new Date().toISOString().slice(0, 10) : value;
  label.append(input);
  return label;
}

function part({ span, text }, i) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  box.value = JSON.stringify(span);
  box.disabled = i === 0;
  label.append(box, ` ${text}`);
  return label;
}

const values = () => Object.fromEntries(all("#fields input, #fields select").map((each) => [each.name, each.value]));

function show(title, parts, fields, act) {
  one("#form-title").textContent = title;
  one("#parts").replaceChildren(...parts.map(part));
  one("#fields").replaceChildren(...fields.map(field));
  one("#refused").textContent = "";
  submit = act;
  one("#form").showModal();
  const empty = all("#fields [required]").find((each) => !each.value);
  const first = empty || one("#fields input, #fields select") || one("#form [type=submit]");
  first.focus();
  first.select?.();
}

async function open(kind) {
  const [first, last] = chosen();
  // Taken when the form opens: if the file changes before the form is saved, the server refuses the request (409).
  const base = sha256();
  const span = [starts(words[first]), ends(words[last])];
  const proposed = await ask("propose", { kind, spans: [span] });
  const act = async () => {
    const spans = all("#parts input:checked").map((box) => JSON.parse(box.value));
    const made = await ask("add", { sha256: base, kind, spans, values: values() });
    return `Saved ${made}.`;
  };
  show(`New ${kind}`, proposed.parts, proposed.fields, act);
}

const recordHere = () => one(".record.current")?.dataset.id || idsOf(words[head]).at(-1)?.replace(/^record-/, "");

async function edit(id) {
  if (!id) return say("There is no record at the cursor.");
  const base = sha256();
  const typed = await ask("typed", { id });
  const keys = Object.entries(typed).map(([key, value]) => ({ key, value }));
  show(`Edit ${id}`, [], [...keys, { key: "new key", value: "" }, { key: "its value", value: "" }], async () => {
    const { "new key": key, "its value": value, ...given } = values();
    await ask("change", { sha256: base, id, values: key ? { ...given, [key]: value } : given });
    return `Changed ${id}.`;
  });
}

function remove(id) {
  if (!id) return say("There is no record at the cursor.");
  const base = sha256();
  show(`Delete ${id}?`, [], [], async () => {
    await ask("delete", { sha256: base, id });
    return `Deleted ${id}.`;
  });
}

async function save(event) {
  event.preventDefault();
  if (saving || !one("#form form").reportValidity()) return;
  saving = true;
  try {
    const sentence = await submit();
    await refresh();
    one("#form").close();
    go(0);
    const said = one("#said").textContent;
    say(`${sentence} ${said === summary() ? "" : summary()} ${said}`);
  } catch (error) {
    if (one("#form").open) one("#refused").textContent = error.message;
    else say(error.message);
  } finally {
    saving = false;
  }
}

// ---- keys and mouse ----------------------------------------------------------------------------------------

const letters = { t: "testimony", f: "figure", m: "mention", w: "waiver", b: "boilerplate", r: "reading" };
const moves = {
  ArrowRight: () => head + 1,
  ArrowLeft: () => head - 1,
  ArrowDown: (extend) => (extend ? sentenceEnd(clamped(endsSentence(head) ? head + 1 : head)) : sentenceEnd(head) + 1),
  ArrowUp: () => (sentenceStart(head) === head ? sentenceStart(clamped(head - 1)) : sentenceStart(head)),
  Home: () => words.indexOf(one(".w", paragraphOf(head))),
  End: () => words.indexOf(all(".w", paragraphOf(head)).at(-1)),
};

function wholeSentence() {
  const [first, last] = chosen();
  const again = sentenceStart(first) === first && sentenceEnd(last) === last;
  anchor = again && first > 0 ? sentenceStart(first - 1) : sentenceStart(first);
  select(sentenceEnd(last), true);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !words.length || event.target.closest(".record, details")) return;
  const move = moves[event.key];
  const kind = letters[event.key];
  const act = {
    n: () => go(1),
    p: () => go(-1),
    s: wholeSentence,
    e: () => edit(recordHere()),
    Delete: () => remove(recordHere()),
    Escape: () => select(head),
    "?": () => one("#help").showModal(),
  }[event.key];
  if (!move && !kind && !act) return;
  event.preventDefault();
  const done = move ? select(move(event.shiftKey), event.shiftKey) : kind ? open(kind) : act();
  Promise.resolve(done).catch((error) => say(error.message));
}

function wordAt(node) {
  const piece = node.closest?.(".words span");
  return piece ? clamped(words.findIndex((word) => starts(word) >= starts(piece))) : -1;
}

function dragged(event) {
  const at = wordAt(event.target);
  const begun = event.type === "mousedown";
  if (at < 0 || event.buttons !== 1 || !words.length) return;
  event.preventDefault(); // whole words are selected, as with the keyboard
  if (begun) one("#text").focus({ preventScroll: true });
  select(at, !begun || event.shiftKey);
}

if (editable) {
  words = all(".words .w");
  one("#text").addEventListener("keydown", pressed);
  one("#text").addEventListener("mousedown", dragged);
  one("#text").addEventListener("mouseover", dragged);
  one("#text").addEventListener("click", (event) => {
    const id = event.target.closest(".record")?.dataset.id;
    const act = event.target.matches(".edit") ? edit : event.target.matches(".delete") ? remove : null;
    if (act) Promise.resolve(act(id)).catch((error) => say(error.message));
  });
  one("#form form").addEventListener("submit", save);
  one("#form").addEventListener("keydown", (event) => {
    // In a text field, Enter submits the form in every browser, but not in these.
    if (event.key === "Enter" && event.target.matches("select, [type=checkbox]")) one("#form form").requestSubmit();
  });
  one("#form").addEventListener("close", () => one("#text").focus());
  one("#cancel").addEventListener("click", () => one("#form").close());
  one("#helped").addEventListener("click", () => one("#help").showModal());
  one("#articles").addEventListener("change", (event) => location.assign(event.target.value));
  new EventSource("../changes").addEventListener("message", () => refresh());
  if (words.length) select(0, false, false);
  one("#text").focus();
}
