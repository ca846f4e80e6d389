"use strict";
// The page for editing one article, or for reading all of them. Every word has its offsets in code points (data-s,
// data-e), so that nothing here counts characters: JavaScript would count UTF-16 code units.

const one = (wanted, inside = document) => inside.querySelector(wanted);
const all = (wanted, inside = document) => [...inside.querySelectorAll(wanted)];
const editable = document.documentElement.classList.contains("editable");
const starts = (piece) => Number(piece.dataset.s);
const ends = (piece) => Number(piece.dataset.e);

// ---- filters ------------------------------------------------------------------------------------------------

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
if (!editable) {
  // The event comes before the values are reset.
  one("#filters").addEventListener("reset", () => setTimeout(filter));
  document.addEventListener("click", (event) => mark(idsOf(event.target.closest(".words [data-r]"))));
  filter();
}

// ---- the selection: words from an anchor to a head ---------------------------------------------------------

let words = [];
let anchor = 0;
let head = 0;
// A screen reader also announces the record at the cursor, which everybody else sees above the sentence.
const say = (sentence, spoken = "") => {
  one("#said").replaceChildren(sentence, element("span", { className: "spoken" }, spoken && ` ${spoken}`));
};
const clamped = (at) => Math.max(0, Math.min(words.length - 1, at));
const chosen = () => [Math.min(anchor, head), Math.max(anchor, head)];
const textBetween = (first, last) => {
  const texts = all(".words span").filter(
    (piece) => starts(piece) >= starts(words[first]) && ends(piece) <= ends(words[last]),
  );
  const isNext = (i) => i > 0 && texts[i].closest(".words") !== texts[i - 1].closest(".words");
  return texts.map((piece, i) => (isNext(i) ? ` ${piece.textContent}` : piece.textContent)).join("");
};

// The record at the cursor that keys apply to, as the id of its element.
let current = null;
let centred = false;

function recordsAt(at) {
  const [first] = chosen();
  const begin = starts(words[first]);
  // Speakers and the source have no words of their own; they are shown beside the first ones that introduce them.
  const beside = all('.row .record[data-spans="[]"]').filter((card) => Number(card.dataset.begin) === begin);
  return [...new Set([...beside.map((card) => card.id), ...idsOf(words[first]), ...idsOf(words[at])])];
}

// A copy of its card stays in view, with its findings. `isMove` says that the cursor only passes it.
function show_now(id, isMove = false) {
  current = id || null;
  mark(current ? [current] : []);
  const card = current && document.getElementById(current);
  if (card?.dataset.state) unfinished = current;
  if (isOpen(current) && !(isMove && isOpen(sought))) sought = current;
  one("#now").replaceChildren();
  if (card) {
    const copy = card.cloneNode(true);
    for (const name of ["id", "tabindex", "data-id"]) copy.removeAttribute(name);
    copy.setAttribute("aria-hidden", "true");
    for (const button of all("button", copy)) button.remove();
    one("#now").append(copy);
  }
  const hint = moving ? "" : hintFor(card);
  if (hint) one("#now").append(element("p", { className: "hint" }, hint));
  one("#now").hidden = !card && !hint;
}

// What keys do with the words at the cursor: a possible statement, or for a draft without a speaker.
function hintFor(card) {
  const draft = openDraft();
  if (!card && possibleHere()) return "A possible statement: t records it, x passes it over.";
  if (!draft) return "";
  const isAttributed = draft === card?.dataset.id && "introduces" in card.dataset;
  const introducing = isGiven(draft) ? isAttributed && "the words of the attribution" : anchor !== head && "the selected words";
  return introducing ? `m: ${introducing} introduce the speaker of ${short(draft)}.` : "";
}

// Whether the words at the cursor are those of a record, or of the one with an id, and not selected by hand.
function isGiven(id) {
  const spans = all(".row .record").flatMap((each) => (id && each.dataset.id !== id ? [] : spansOf(each.dataset.id)));
  return spans.some((span) => String(span) === String(spanHere()));
}

function nextRecord(step) {
  const here = recordsAt(head);
  if (!here.length) return say("There is no record at the cursor.");
  show_now(here.at((here.indexOf(current) + step) % here.length));
  const card = document.getElementById(current);
  say(card.getAttribute("aria-label"), described(card));
}

function described(card) {
  const facts = all("dl div", card).map((row) => `${one("dt", row).textContent}: ${one("dd", row).textContent}`);
  const findings = all(".bad", card).map((each) => each.textContent.replace(/\s+/g, " ").trim());
  const keys = all(".codes span", card).map((each) => `${one("kbd", each).textContent} ${one("b", each).textContent}`);
  const codes = keys.length ? [`Keys: ${keys.join(", ")}.`] : [];
  return [`${card.getAttribute("aria-label")}.`, ...findings, `${facts.join("; ")}.`, ...codes].join(" ");
}

function select(to, extend = false, moved = true) {
  choose(extend ? anchor : clamped(to), clamped(to), moved);
}

function choose(from, to, moved = true) {
  [anchor, head] = [from, to];
  const [first, last] = chosen();
  const [start, end] = [starts(words[first]), ends(words[last])];
  for (const piece of all(".words span")) {
    const inside = starts(piece) >= start && ends(piece) <= end;
    piece.classList.toggle("chosen", inside && first !== last);
    piece.classList.toggle("at", piece === words[head]);
  }
  const here = recordsAt(head);
  const waits = first !== last && openDraft();
  const stays = waits && isInRow(`record-${waits}`);
  // While the words of a record are chosen, its card stays, and so does that of a draft that waits for its speaker.
  const shown = here.includes(current) ? current : possibleHere() ? null : here.at(-1);
  if (!moving) show_now(stays ? `record-${waits}` : shown, true);
  if (!moved) return;
  words[head].scrollIntoView({ block: centred ? "center" : "nearest" });
  const unaccounted = words[head].classList.contains("open") ? ", unaccounted for" : "";
  say(`${textBetween(first, last)}${unaccounted}`);
}

function selectSpan(start, end) {
  const inside = words.flatMap((word, i) => (starts(word) >= start && ends(word) <= end ? [i] : []));
  if (!inside.length) return;
  anchor = inside[0];
  select(inside[inside.length - 1], true);
}

const paragraphOf = (i) => words[i].closest(".words");
const endsSentence = (i) =>
  i + 1 >= words.length || paragraphOf(i) !== paragraphOf(i + 1) || words[i].classList.contains("stop");

function sentenceStart(i) {
  while (i > 0 && !endsSentence(i - 1)) i -= 1;
  return i;
}
function sentenceEnd(i) {
  while (!endsSentence(i)) i += 1;
  return i;
}

// What the arrow keys select as one word, from its first piece to its last: all that is written together, such as
// "second-quarter" or "U.S.", without quotation marks, commas and the full stop of a sentence at its ends.
let steps = [];
const isMark = (i) => /^[^\p{L}\p{N}\p{Sc}%&#@°.]$/u.test(words[i].textContent);

function findSteps() {
  steps = [];
  for (let first = 0, next; first < words.length; first = next) {
    next = first + 1;
    while (next < words.length && starts(words[next]) === ends(words[next - 1]) && words[next - 1].textContent !== "—") next += 1;
    let [begin, last] = [first, next - 1];
    while (begin < last && isMark(begin)) begin += 1;
    for (let stops = false; last > begin; last -= 1) {
      stops ||= endsSentence(last);
      const isStop = words[last].textContent === "." && stops && !/\.\p{L}\.$/u.test(textBetween(begin, last));
      if (!isMark(last) && !isStop) break;
    }
    if (!isMark(begin)) steps.push([begin, last]);
  }
}

// The step at a word, or else the one before it.
const stepAt = (i) => Math.max(0, steps.findLastIndex(([first]) => first <= i));

// Selected from the start of a sentence, its last word has the full stop.
function withStop(first, last) {
  const end = sentenceEnd(last);
  const isWhole = sentenceStart(first) === first && stepAt(end) === stepAt(last);
  return isWhole ? end : last;
}

// Before a closing quotation mark, the last word has the punctuation; with the opening mark, it has the closing one, too.
function withClosing(first, last) {
  const isClose = (i) => /^[”"’»]$/.test(words[i]?.textContent) && starts(words[i]) === ends(words[i - 1]);
  let end = last;
  while (/^[,.!?…]$/.test(words[end + 1]?.textContent) && starts(words[end + 1]) === ends(words[end])) end += 1;
  if (!isClose(end + 1)) return last;
  const marks = textBetween(first, end).match(/[“”"«»]/g) || [];
  return marks.length % 2 ? end + 1 : end;
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

// Words that may be a statement, and that nobody passed over in this tab: of that, nothing is written.
const passedOver = new Set(editable ? JSON.parse(sessionStorage.getItem(location.pathname)) : []);
const possible = () => JSON.parse(one(".article").dataset.possible).filter((span) => !passedOver.has(String(span)));
const possibleHere = () => possible().find((span) => String(span) === String(spanHere()));

function showPossible() {
  const left = possible();
  const isLeft = (piece) => left.some(([start, end]) => starts(piece) >= start && ends(piece) <= end);
  for (const piece of all("[data-possible] .words span")) if (!isLeft(piece)) piece.classList.remove("possible");
  const counted = left.length === 1 ? "1 possible statement" : `${left.length} possible statements`;
  one("#possible")?.replaceChildren(left.length ? `${counted} left.` : "");
}

function passOver(span, isBack = false) {
  if (isBack) passedOver.delete(String(span));
  else passedOver.add(String(span));
  sessionStorage.setItem(location.pathname, JSON.stringify([...passedOver]));
}

// The records with something to do that begin at an offset: drafts first.
function toDo(at) {
  const found = all(".row .record").filter((each) => each.dataset.state && Number(each.dataset.begin) === at);
  const isDraft = (each) => Number(each.classList.contains("draft"));
  return found.sort((some, others) => isDraft(others) - isDraft(some));
}

// The places that were left with `n` or `p`: what was passed over on purpose.
const passed = new Set();

// Who goes on to another record no longer seeks a speaker.
function lead(id) {
  show_now(id);
  sought = isOpen(id) ? id : null;
}

function go(step, changed = null) {
  const [first] = chosen();
  const here = words.length ? starts(words[first]) : 0;
  // Possible statements come last.
  const found = targets().length ? targets() : possible();
  // Of several records that begin here, `n` and `p` lead to each.
  const alike = toDo(here);
  const another = step && alike[alike.indexOf(card()) + step];
  if (another && alike.includes(card())) return (lead(another.id), say(summary(), described(another)));
  // Step 0, after a record was saved, selects what is open in the paragraph before the cursor or at it, unless it was
  // passed over, or else the next one.
  const begin = words.length ? starts(one(".w", paragraphOf(first))) : 0;
  const isNext = ([start]) => start >= here + step || (!step && start >= begin && !passed.has(start));
  const next = step < 0 ? found.findLast(([start]) => start < here) : found.find(isNext);
  if (step < 0 && !next && found.length) return say(`No place with something to do is before the cursor. ${summary()}`);
  if (step) passed.add(here);
  const again = step && !next ? "Again from the beginning. " : "";
  const [start, end] = next || found[0] || [];
  if (start === undefined) {
    if (document.getElementById(changed)) lead(changed);
    return say(summary());
  }
  centred = true;
  selectSpan(start, end);
  centred = false;
  const cards = toDo(start);
  if (!cards.length) {
    sought = null;
    return say(`${again}${one("#said").textContent} ${summary()}`, one("#now .hint")?.textContent);
  }
  // What was just saved may have a finding.
  const saved = step === 0 && cards.find((card) => card.id === changed);
  const shown = saved || (step < 0 ? cards.at(-1) : cards[0]);
  lead(shown.id);
  showDrafts(shown.closest(".row"));
  say(again + summary(), described(shown));
}

// Where the cards of all drafts of a paragraph fit on the page, they are in view together, and so are the chosen words.
function showDrafts(row) {
  const drafts = all(".record.draft:not([hidden])", row);
  if (drafts.every(isInView)) return;
  drafts[0]?.scrollIntoView({ block: "start" });
  words[head].scrollIntoView({ block: "nearest" });
}

// ---- requests ------------------------------------------------------------------------------------------------

// Where the cursor was at each change, to which an undone change returns it. The changes of one press are one change.
const page = Math.random();
let presses = 0;
const edits = new Set(["add", "change", "move", "accept", "accept-all", "delete", "redo"]);
const places = [];
// While other words of a record are saved, the place is at its words before.
let movedFrom = null;

const stem = () => location.pathname.split("/").pop();
const sha256 = () => one(".article").dataset.sha256;

async function ask(action, body) {
  const press = `${page} ${presses}`;
  const answer = await fetch(`../${action}/${stem()}`, { method: "POST", body: JSON.stringify({ press, ...body }) });
  const content = await answer.json();
  if (answer.ok) {
    if (edits.has(action) && places.at(-1)?.[2] !== press) places.push([movedFrom || spanHere(), current, press]);
    return content;
  }
  if (answer.status === 409) {
    one("#form").close();
    await refresh();
  }
  throw Object.assign(new Error(content.message), { status: answer.status, fields: content.fields });
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
  const opened = ["findings", "corpus"].filter((name) => one(`.${name}`)?.open);
  const listed = one(".corpus-filter")?.value;
  one("#part").innerHTML = part;
  for (const name of opened) if (one(`.${name}`)) one(`.${name}`).open = true;
  if (listed) filterCorpus(listed);
  filter();
  showPossible();
  words = all(".words .w");
  findSteps();
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
let controls = [];

const element = (name, values = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), values);
  made.append(...inside);
  return made;
};
const titled = (key) => key.replaceAll("_", " ");

// The name of a field, in which the letter that leads to the field with Alt is underlined.
function labelled({ key, mnemonic }, more = "") {
  const [name, at] = [titled(key), mnemonic ? key.indexOf(mnemonic) : key.length];
  const letter = mnemonic ? [element("u", {}, mnemonic)] : [];
  return element("span", {}, name.slice(0, at), ...letter, name.slice(at + 1) + more);
}

// Leads to the field with a letter, of a group to its first one. If several have the letter, those next to the field
// with the focus come first, and the letter leads from each to the next.
function toField(letter) {
  const underlined = all("#form u").filter((each) => each.textContent === letter);
  const found = underlined.flatMap((each) => one("[name]:enabled, button", each.closest("label, fieldset")) || []);
  const usable = [...new Set(found)].filter((each) => !each.closest("[hidden]"));
  const group = document.activeElement.closest("#form fieldset");
  const isNear = (each) => Boolean(group?.contains(each));
  usable.sort((some, others) => isNear(others) - isNear(some));
  const next = usable[(usable.indexOf(document.activeElement) + 1) % usable.length];
  if (!next) return;
  for (const box of all("#form details")) if (box.contains(next)) box.open = true;
  next.focus();
  next.select?.();
}

function mnemonic(event) {
  if (!event.altKey || event.ctrlKey || event.metaKey) return;
  // On some keyboards, Alt and a letter make another character.
  const letter = /^[a-z]$/i.test(event.key) ? event.key : event.code.match(/^Key(.)$/)?.[1];
  if (!letter) return;
  event.preventDefault();
  toField(letter.toLowerCase());
}

// Each control is an element with a function that returns its value.
function control(field, top = true) {
  if (field.type === "group") return group(field);
  if (field.type === "rows") return rows(field);
  return line(field, top);
}

function line(field, top) {
  const { key, type, value, choices, closed, required, guess, description, separator, terms, by_speaker: bySpeaker } = field;
  const isLong = typeof value === "string" && value.includes("\n");
  const input = element(closed ? "select" : isLong ? "textarea" : "input", { name: key, title: description });
  input.required = required && top;
  if (field.mnemonic) input.setAttribute("aria-keyshortcuts", `Alt+${field.mnemonic.toUpperCase()}`);
  if (field.hedges.length) input.dataset.hedges = field.hedges.join(" ");
  if (Object.keys(bySpeaker).length) input.dataset.bySpeaker = JSON.stringify(bySpeaker);
  const meaning = element("span", { className: "quiet" });
  const defined = element("span", { className: "defined" });
  if (closed) {
    for (const choice of choices) input.add(new Option(choice.label, choice.value));
  } else if (choices.length) {
    const list = element("datalist", { id: `options-${key}-${Math.random().toString(36).slice(2)}` });
    input.setAttribute("list", list.id);
    meaning.after(list);
    defined.append(list);
  }
  const known = new Map(choices.map((choice) => [choice.value, choice.meaning]));
  const items = () => (type === "list" ? input.value.split(/[,;\s]+/) : [input.value.trim()]).filter(Boolean);
  const explain = () => {
    const list = one("datalist", defined);
    if (list) {
      // In a list, each suggestion repeats the items before the last comma.
      const before = type === "list" ? input.value.replace(/[^,]*$/, "").trim() : "";
      list.replaceChildren(...choices.map(({ value, label }) => new Option(label, before ? `${before} ${value}` : value)));
    }
    const found = items();
    meaning.textContent = found.map((item) => known.get(item)).filter(Boolean).join("; ");
    const unknown = terms ? found.filter((item) => !known.has(item)) : [];
    const texts = Object.fromEntries(all("input", defined).map((each) => [each.name, each.value]));
    // The focus may have moved to one of the definitions, so they are kept if the terms are the same.
    if (Object.keys(texts).join() === unknown.map((term) => `${terms}/${term}`).join()) return;
    for (const old of all("label", defined)) old.remove();
    for (const term of unknown) {
      const name = `${terms}/${term}`;
      const asked = element("input", { name, value: texts[name] || "", required: terms !== "measures" });
      defined.append(element("label", {}, `Definition of the new term ${term}`, asked));
    }
  };
  input.value = key === "date" && top && !value ? new Date().toISOString().slice(0, 10) : value;
  explain();
  input.addEventListener("change", explain);
  input.addEventListener("input", explain);
  const several = separator ? ` (${type === "words" ? "several parts" : "several"}: A${separator}B)` : "";
  const label = element("label", {}, labelled(field, several + (guess ? ` (a guess: ${guess})` : "")), input);
  const box = element("div", { className: "line" }, label, defined);
  if (known.size) label.append(meaning);
  const definitions = () => Object.fromEntries(all("input", defined).map((each) => [each.name, each.value]));
  return { key, element: box, read: () => input.value, definitions };
}

function merged(inner) {
  return Object.assign({}, ...inner.map((each) => each.definitions()));
}

function group(field) {
  const inner = field.fields.map((each) => control(each, false));
  const box = element("fieldset", { title: field.description }, element("legend", {}, labelled(field)));
  box.dataset.key = field.key;
  const folded = inner.filter((_, i) => !field.fields[i].shown && !field.fields[i].required);
  box.append(...inner.filter((each) => !folded.includes(each)).map((each) => each.element));
  if (folded.length)
    box.append(element("details", {}, element("summary", {}, "More"), ...folded.map((each) => each.element)));
  const read = () => Object.fromEntries(inner.map((each) => [each.key, each.read()]));
  return { key: field.key, element: box, read, definitions: () => merged(inner) };
}

function rows(field) {
  const made = [];
  const box = element("fieldset", { title: field.description }, element("legend", {}, labelled(field)));
  const more = element("button", { type: "button" }, `Add to ${titled(field.key)}`);
  const add = (values) => {
    const fields = field.fields.map((each) => ({ ...each, value: values?.[each.key] ?? each.value }));
    const row = group({ ...field, key: `${field.key} ${made.length + 1}`, fields });
    const gone = element("button", { type: "button" }, "Remove");
    gone.addEventListener("click", () => {
      made.splice(made.indexOf(row), 1);
      row.element.remove();
      more.focus();
    });
    row.element.append(gone);
    made.push(row);
    more.before(row.element);
    return row;
  };
  more.addEventListener("click", () => one("input, select", add().element).focus());
  box.append(more);
  for (const values of field.value || []) add(values);
  return { key: field.key, element: box, read: () => made.map((each) => each.read()), definitions: () => merged(made) };
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

const values = () => {
  const read = Object.fromEntries(controls.map((each) => [each.key, each.read()]));
  return { ...read, definitions: merged(controls) };
};

// A field is hidden while the value of another one makes it meaningless.
function hideOthers() {
  const read = values();
  read.shape = read.kind === "person" ? read.anonymity : read.kind;
  for (const { element: box, applies } of controls) {
    box.hidden = !Object.entries(applies).every(([key, fitting]) => fitting.includes(read[key] ?? ""));
    for (const input of all("input, select", box)) input.disabled = box.hidden;
  }
}

// Only persons are more or less anonymous.
function followKind() {
  const [kind, anonymity, name] = ["kind", "anonymity", "name"].map((key) => one(`#form [name=${key}]`));
  if (!anonymity) return;
  if (kind.value !== "person") anonymity.value = "not_applicable";
  if (kind.value !== "person" || !["", "not_applicable"].includes(anonymity.value)) return;
  const printed = name?.value.trim() ?? "";
  anonymity.value = printed.includes(" ") ? "named" : printed ? "partial" : "unnamed";
}

// The words of an attribution, and the record to which they lead, follow the speaker who is chosen.
function followSpeaker({ name, value }) {
  if (name !== "speaker") return;
  for (const field of all("#form [data-by-speaker]")) {
    const found = JSON.parse(field.dataset.bySpeaker);
    field.value = found[value] ?? found[""] ?? "";
  }
}

// A hedge implies some numbers of a figure, which are the same; the others are empty.
function followHedge({ name, value }) {
  if (name !== "hedge") return;
  const fields = all("#form [data-hedges]");
  const numbers = new Set(fields.map((each) => each.value.trim()).filter(Boolean));
  const [number] = numbers.size === 1 ? numbers : [];
  for (const each of fields) {
    const isImplied = each.dataset.hedges.split(" ").includes(value);
    if (!isImplied) each.value = "";
    else if (!each.value && value !== "range") each.value = number ?? "";
  }
}

// The field with the focus is in view, and the last line says what it is for.
function describeField({ target }) {
  if (!target.matches("[name]")) return one("#about").replaceChildren();
  target.closest(".line")?.scrollIntoView({ block: "nearest" });
  const within = target.closest("fieldset fieldset, #fields fieldset, #others fieldset");
  const group = within ? `${one("legend", within).textContent}, ` : "";
  const about = target.title || (within?.title ?? "");
  const name = target.closest("label").firstChild.textContent;
  one("#about").replaceChildren(element("b", {}, group + name), about && `: ${about}`);
}

// Typing in a list chooses the value with this name, or else the first that begins with it, or has a word that does:
// "t1" rather than "t10". If nothing does, what was chosen before remains.
let typed = { at: 0, words: "", before: 0, list: null };
function typeahead(event) {
  const isTyped = !saving && event.target.matches("select") && event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
  const isSame = typed.list === event.target && event.timeStamp - typed.at < 1500;
  const before = isSame ? typed.words : "";
  if (!isTyped || (event.key === " " && !before)) return;
  event.preventDefault();
  const first = before ? typed.before : event.target.selectedIndex;
  typed = { at: event.timeStamp, words: before + event.key.toLowerCase(), before: first, list: event.target };
  const labels = [...event.target.options].map((option) => option.label.toLowerCase());
  const isWhole = (label, at) => at >= 0 && !/[\p{L}\p{N}]/u.test(label[at + typed.words.length] || "");
  const isFirst = (label) => label.startsWith(typed.words);
  const inside = (label) => label.indexOf(` ${typed.words}`);
  const fits = [
    (label) => label === typed.words,
    (label) => isFirst(label) && isWhole(label, 0),
    isFirst,
    (label) => inside(label) >= 0 && isWhole(label, inside(label) + 1),
    (label) => inside(label) >= 0,
  ];
  const at = fits.map((fit) => labels.findIndex(fit)).find((found) => found >= 0) ?? first;
  if (at === event.target.selectedIndex) return;
  event.target.selectedIndex = at;
  event.target.dispatchEvent(new Event("change", { bubbles: true }));
}

// `named` are the fields that findings of the record name, and guesses: they are shown, and the first has the focus.
function show(title, parts, fields, act, named = []) {
  one("#form-title").textContent = title;
  one("#parts").replaceChildren(...parts.map(part));
  controls = fields.map((field) => ({ ...control(field), applies: field.applies }));
  const folded = controls.filter((each, i) => !fields[i].shown && !named.includes(each.key));
  one("#fields").replaceChildren(...controls.filter((each) => !folded.includes(each)).map((each) => each.element));
  one("#others").replaceChildren(...folded.map((each) => each.element));
  one("#more").hidden = !folded.length;
  one("#more").open = false;
  one("#refused").textContent = "";
  hideOthers();
  submit = act;
  one("#form").showModal();
  const empty = all("#fields [required]").find((each) => !each.value && !each.disabled);
  const ofFindings = [...named.map((key) => `#fields [name=${key}]`), ...named.map((key) => `#fields [data-key=${key}] [name]`)];
  const asked = ofFindings.map((each) => one(each)).find(Boolean);
  asked?.closest("details")?.setAttribute("open", "");
  const first = empty || asked || one("#fields input, #fields select") || one("#form [type=submit]");
  first.focus();
  first.select?.();
}

const spanHere = () => {
  const [first, last] = chosen();
  return [starts(words[first]), ends(words[last])];
};

async function open(kind, atOnce = false) {
  // Taken when the form opens: if the file changes before the form is saved, the server refuses the request (409).
  const base = sha256();
  const id = kind === "mention" ? openDraft() : "";
  const known = isOpen(`record-${id}`) && !isGiven(id) && mentionHere();
  if (known) return giveSpeaker(id, known);
  // The words of a number or a mention are no statement: its sentence may be one.
  const isOther = kind === "testimony" && card()?.matches(".waiver, .figure, .mention, .speaker") && isGiven();
  if (isOther) select(chosen()[0]);
  const proposed = await ask("propose", { kind, id: id && isGiven(id) ? id : "", spans: [spanHere()] });
  if (atOnce && proposed.fields.every((field) => !field.required || field.value)) {
    const given = Object.fromEntries(proposed.fields.map((field) => [field.key, field.value]));
    const spans = proposed.parts.map((each) => each.span);
    const made = await ask("add", { sha256: base, kind, spans, values: given });
    return finished(`Saved ${made}.`, null, made);
  }
  const next = kind === "mention" && nearestStatement(proposed.parts[0].span);
  const act = async () => {
    const spans = all("#parts input:checked").map((box) => JSON.parse(box.value));
    const made = await ask("add", { sha256: base, kind, id, spans, values: values() });
    // The statement of a new speaker is probably in the same sentence.
    returnTo = id ? `record-${id}` : next || (kind === "mention" ? spans[0] : null);
    edited = made;
    return `Saved ${made}.`;
  };
  show(`New ${kind}`, proposed.parts, proposed.fields, act);
}

// The record at which the cursor was last, and the draft without a speaker to which keys led: its speaker may be
// introduced in another paragraph.
let unfinished = null;
let sought = null;
let returnTo = null;
let edited = "";
const isOpen = (id) => Boolean(id && document.getElementById(id)?.matches(".testimony[data-state~=open]"));
const isInRow = (id) => document.getElementById(id).closest(".row").contains(words[head]);

// The testimony that the selected words complete: in their paragraph, one without a speaker or with words that do not
// name the speaker, or else the draft whose speaker is sought.
function openDraft() {
  const isUnnamed = unfinished && document.getElementById(unfinished)?.matches(".testimony[data-introduces]");
  const isHere = (isOpen(unfinished) || isUnnamed) && isInRow(unfinished);
  const draft = isHere ? unfinished : isOpen(sought) && sought;
  return draft ? document.getElementById(draft).dataset.id : "";
}

// The mention of which the selected words are a part.
function mentionHere() {
  const [start, end] = spanHere();
  const isAround = (each) => JSON.parse(each.dataset.spans).some(([from, to]) => from <= start && end <= to);
  return all(".row .record.mention").find(isAround);
}

async function giveSpeaker(id, mention) {
  const { speaker } = mention.dataset;
  const also = await ask("change", { sha256: sha256(), id, values: { speaker, draft: "true" } });
  returnTo = `record-${id}`;
  await finished(`Changed ${short(id)}: speaker ${one("dd", mention).textContent}${also}.`, returnTo, id);
  returnTo = null;
}

// The testimony nearest to some words of which a draft is in their paragraph: a new mention is probably its speaker.
function nearestStatement([start, end]) {
  const drafts = all(".record.draft.testimony", words[head].closest(".row"));
  const gap = (each) => {
    const gaps = JSON.parse(each.dataset.spans).map(([from, to]) => Math.max(from - end, start - to, 0));
    return Math.min(...gaps);
  };
  return drafts.sort((some, others) => gap(some) - gap(others))[0]?.id;
}

const card = () => current && document.getElementById(current);
const recordHere = () => card()?.dataset.id;
const spansOf = (id) => JSON.parse(document.getElementById(`record-${id}`)?.dataset.spans || "[]");
function textOf([start, end]) {
  const inside = words.filter((word) => starts(word) >= start && starts(word) < end);
  const range = document.createRange();
  if (inside.length) range.setStartBefore(inside[0]);
  if (inside.length) range.setEndAfter(inside.at(-1));
  return range.toString();
}
const short = (id) => document.getElementById(`record-${id}`)?.dataset.number || id;

// With the error that says what a draft lacks, only these fields are shown; `given` are values that replace those of the
// record.
async function edit(id, incomplete = null, given = {}) {
  if (!id) return say("There is no record at the cursor.");
  const base = sha256();
  let fields = (await ask("current", { id })).map((field) => ({ ...field, value: given[field.key] ?? field.value }));
  const asked = incomplete?.fields || [];
  const isAsked = (field) => [field, ...field.fields].some((each) => asked.includes(each.key));
  const lacks = (field) => isAsked(field) || (field.required && (!field.value || field.value === "who"));
  const lacksCodesOnly = incomplete && !fields.some((field) => field.key === "speaker" && lacks(field));
  if (lacksCodesOnly) fields = fields.map((field) => ({ ...field, shown: lacks(field) }));
  // Any field of a group may be the answer.
  const isWhole = (field) => field.fields.some((each) => asked.includes(each.key));
  for (const field of fields.filter(isWhole)) field.fields = field.fields.map((each) => ({ ...each, shown: true }));
  const findings = all(".bad", document.getElementById(`record-${id}`) || document.createElement("p"));
  const named = [...asked, ...findings.flatMap((each) => each.dataset.field || [])];
  named.push(...findings.flatMap((each) => each.textContent.match(/(?<=`)[a-z_]+(?=`)/g) || []));
  named.push(...fields.filter((field) => field.guess).map((field) => field.key));
  const act = async () => {
    const also = await ask("change", { sha256: base, id, values: values() });
    edited = id;
    return `Changed ${short(id)}${also}.`;
  };
  show(`Edit ${short(id)}`, [], fields, act, named);
  if (given.speaker) followSpeaker({ name: "speaker", value: given.speaker });
  one("#parts").textContent = spansOf(id).map(textOf).join(" ... ");
  one("#refused").textContent = incomplete?.message || "";
}

// ---- actions of one key ----------------------------------------------------------------------------------------

async function finished(sentence, stay = null, id = "") {
  await refresh();
  id = all(".row .record").find(({ dataset }) => dataset.number === id)?.dataset.id || id;
  const kept = stay && document.getElementById(stay);
  if (kept && returnTo) selectSpan(...JSON.parse(kept.dataset.spans)[0]);
  if (Array.isArray(stay)) {
    // At the first word of a new mention, t takes its sentence.
    selectSpan(...stay);
    select(chosen()[0]);
  } else if (kept) show_now(stay);
  else go(0, `record-${id}`);
  const isFaulty = document.getElementById(`record-${id}`)?.dataset.state?.includes("finding");
  const still = isFaulty ? " It has a finding, which is to be corrected." : "";
  say(`${sentence}${still} ${summary()}`, card() ? described(card()) : "");
}

const isDraft = (id) => id && document.getElementById(`record-${id}`)?.classList.contains("draft");

// If the draft lacks a value, its form opens, and nothing is returned; else what changes with it.
async function accepted(id, action, given) {
  try {
    return (await ask(action, { sha256: sha256(), id, values: given })) || "";
  } catch (error) {
    if (error.status !== 422) throw error;
    await edit(id, error, given);
    say(error.message);
  }
}

async function accept(id = recordHere(), also = "") {
  if (!isDraft(id)) return open(await ask("suggest", { spans: [spanHere()] }), true);
  const changes = await accepted(id, "accept", {});
  if (changes !== undefined) await finished(`Accepted ${short(id)}${also && `; ${also}`}${changes}.`, null, id);
}

// Whether a card is between the bar at the top and the dock, and thus can be read.
function isInView(each) {
  const { top, bottom, height } = each.getBoundingClientRect();
  return height > 0 && top >= one("header").getBoundingClientRect().bottom && bottom <= one("#dock").getBoundingClientRect().top;
}

// The start of the paragraph in which the chosen words begin; a title may have several.
const paragraphHere = () => starts(paragraphOf(chosen()[0]).firstElementChild);

// Accepts the drafts of the paragraph that are in view and leave nothing to decide. If some are out of view, it first
// shows them, so that no record is accepted whose card nobody could read.
async function acceptAll(paragraph, also = "") {
  const row = words[chosen()[0]].closest(".row");
  // Pressed while a change was saved, the key means the paragraph whose cards were then shown.
  if (paragraphHere() !== paragraph)
    return say("The cursor is now in the next paragraph. Read its cards, then press A again.");
  const drafts = all(".record.draft:not([hidden])", row);
  if (!drafts.length) return say("There is no draft in this paragraph.");
  const ready = drafts.filter((each) => "ready" in each.dataset);
  if (!ready.every(isInView)) {
    const before = scrollY;
    ready[0].scrollIntoView({ block: "start" });
    if (scrollY !== before) return say("Some drafts of the paragraph were out of view. Read them, then press A again.");
  }
  const read = ready.filter(isInView);
  const listed = (title, some) => (some.length ? ` ${title}: ${some.map((each) => each.dataset.number).join(", ")}.` : "");
  const undecided = drafts.filter((each) => !ready.includes(each));
  const unseen = ready.filter((each) => !read.includes(each));
  const why = undecided.map((each) => `${each.dataset.number} (${each.dataset.undecided})`).join(", ");
  const remain = (why && ` To decide one by one: ${why}.`) + listed("Out of view", unseen);
  if (!read.length) return say(`${also}Nothing was accepted.${remain}`);
  // A refresh while this is saved replaces the paragraph, but no words.
  const begin = words.indexOf(one(".w", row));
  await ask("accept-all", { sha256: sha256(), id: read.map((each) => each.dataset.id).join(" ") });
  select(begin, false, false);
  return finished(`${also}${listed(`Accepted ${read.length}`, read).trim()}${remain}`);
}

async function code(number) {
  const id = recordHere();
  const chosen = all(".codes span", card() || document.createElement("p"))[number - 1];
  if (!chosen) return say(`Nothing at the cursor has a code with the number ${number}.`);
  const { field, value, stays } = chosen.dataset;
  const stay = isDraft(id) && stays === undefined ? null : current;
  const given = { [field]: value, ...(stays === undefined ? {} : { draft: "true" }) };
  const also = await accepted(id, "change", given);
  if (also === undefined) return;
  const set = field === "speaker" ? one("b", chosen).textContent : titled(value) || "removed";
  await finished(`${stay ? "Changed" : "Accepted"} ${short(id)}: ${titled(field)} ${set}${also}.`, stay, id);
}

// The words that a rejection left open, and for which the last line offers a reason to waive them.
let offered = "";

// Of a record that is no draft, the key means words that are unaccounted for, if the cursor is at any; the button does not.
async function reject(id = recordHere(), isLeft = words[head].classList.contains("open")) {
  const [at] = spanHere();
  const passedNow = !id && !isLeft && possible().find(([start, end]) => start <= at && at < end);
  if (passedNow) {
    places.push([passedNow, null, presses, true]);
    passOver(passedNow);
    await refresh();
    go(0);
    return say(`Passed over in this tab; nothing is written, and u brings it back. ${summary()}`);
  }
  if (!isDraft(id) && (isLeft || !id)) {
    await ask("suggest", { spans: [spanHere()] });
    return open("waiver", offered === String(spanHere()));
  }
  const spans = spansOf(id);
  const isAccepted = !isDraft(id);
  const gone = await ask("delete", { sha256: sha256(), id });
  if (isAccepted) return finished(`Deleted ${gone}; u undoes this.`);
  await refresh();
  // Another draft inside the words is not what they leave open.
  const isOpen = ([start]) => words.find((word) => starts(word) === start)?.classList.contains("open");
  const isInside = (place) => spans.some(([start, end]) => place[0] >= start && place[1] <= end);
  const left = targets().find((place) => isInside(place) && isOpen(place));
  if (!left) return finished(`Rejected ${gone}.`);
  selectSpan(...left);
  const { fields } = await ask("propose", { kind: "waiver", spans: [spanHere()] });
  const { value, choices } = fields.find((field) => field.key === "reason");
  const unaccounted = `Rejected ${gone}. “${textBetween(...chosen())}” is now unaccounted for:`;
  if (!value) return say(`${unaccounted} press t or f to record it, or w to say why it is no record.`);
  offered = String(spanHere());
  const meaning = choices.find((choice) => choice.value === value)?.meaning || "";
  say(`${unaccounted} x waives it as ${titled(value)} (${meaning}), w asks for another reason.`);
}

async function undo(action = "undo") {
  if (action === "undo" && places.at(-1)?.[3]) {
    const [span] = places.pop();
    passOver(span, true);
    await refresh();
    selectSpan(...span);
    return say(`Underlined again. ${summary()}`);
  }
  const sentence = await ask(action, {});
  await refresh();
  const [span, id] = (action === "undo" && places.pop()) || [];
  if (span) selectSpan(...span);
  if (id && document.getElementById(id)) show_now(id);
  say(`${sentence} ${summary()}`);
}

let moving = null;

// How far some words are from the cursor; of those at the cursor, the shortest are the nearest.
const farness = ([start, end]) => {
  const at = starts(words[head]);
  return [Math.max(0, start - at, at - end + 1), end - start];
};
const nearer = (some, others) => farness(some)[0] - farness(others)[0] || farness(some)[1] - farness(others)[1];

function hinted(hint) {
  one("#now .hint")?.remove();
  one("#now").append(element("p", { className: "hint" }, hint));
  say(`The words of ${short(moving.id)}: ${hint}`);
}

function change() {
  // A speaker has the words of the first mention.
  const mention = card()?.classList.contains("speaker") && one(`.row .mention[data-speaker="${recordHere()}"]`);
  const changed = mention || card();
  const spans = JSON.parse(changed?.dataset.spans || "[]");
  if (!spans.length || changed.classList.contains("boilerplate")) return say("There is no record with words at the cursor.");
  const [part] = [...spans].sort(nearer);
  const others = spans.filter((span) => span !== part);
  moving = { id: changed.dataset.id, card: current, part, others, isNew: false, base: sha256(), before: String(spans) };
  one("#text").classList.add("moving");
  selectSpan(...part);
  hinted("← → move the end, Shift with ← → the start; with Ctrl to the next punctuation or quotation mark. s selects the sentence. Enter saves, a, A or a number saves and accepts, e saves and opens the form, + begins a further part, Esc cancels.");
}

function stopMoving() {
  moving = null;
  one("#text").classList.remove("moving");
}

// The parts so far, without overlap: until other words are selected for a new part, it is inside the part before.
function partsHere() {
  const sorted = [...moving.others, spanHere()].sort((some, others) => some[0] - others[0]);
  const parts = [];
  for (const [start, end] of sorted) {
    const last = parts.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else parts.push([start, end]);
  }
  return parts;
}

function furtherPart() {
  const kept = textBetween(...chosen());
  Object.assign(moving, { others: partsHere(), isNew: true });
  select(chosen()[1]);
  hinted(`“${kept}” is kept. Select the words of the further part with ← → and Shift, or s for a sentence. Enter saves, a, A or a number saves and accepts, + begins another, Esc cancels.`);
}

async function moved() {
  const { card: stay, before } = moving;
  const [changed, spans] = [moving, partsHere()];
  stopMoving();
  if (String(spans) !== before) return withWords(changed, spans);
  show_now(stay);
  say("The words are the same.");
}

// Saves other words of a record, and returns what changes with them.
async function withWords({ id, card: stay, base, part }, spans) {
  current = stay;
  movedFrom = part;
  const also = await ask("move", { sha256: base, id, spans }).finally(() => (movedFrom = null));
  await finished(`Changed the words of ${short(id)}${also}.`, stay);
  return also.replace(/^[,;] /, "");
}

// The draft whose words are now a whole sentence, and the state of the file: pressed again, `s` restores them.
let whole = "";

async function wholeDraft() {
  const [id, spans] = [recordHere(), spansOf(recordHere())];
  if (whole === `${id} ${sha256()}`) return undo();
  const at = (offset) => clamped(words.findLastIndex((word) => starts(word) <= offset));
  const [first, last] = [sentenceStart(at(spans[0][0])), sentenceEnd(at(spans.at(-1)[1] - 1))];
  const sentence = [starts(words[first]), ends(words[last])];
  if (String(spans) === String(sentence)) return say(`The words of ${short(id)} are the whole sentence.`);
  choose(first, last, false);
  const changed = { id, card: `record-${id}`, base: sha256(), part: spans[0] };
  await withWords(changed, [sentence]);
  whole = `${id} ${sha256()}`;
}

// ---- search and list of articles ----------------------------------------------------------------------------

function openSearch() {
  one("#search").showModal();
  one("#sought").select();
}

async function search(event) {
  event.preventDefault();
  const hits = await ask("search", { values: { words: one("#sought").value } });
  one("#hit-count").textContent = `${hits.length} found${hits.length === 100 ? ", and perhaps more" : ""}`;
  const shown = hits.map((hit) => {
    const button = element("button", { type: "button" }, `${hit.stem}: ${hit.sentence}`);
    button.addEventListener("click", () => visit(hit));
    return element("li", {}, button);
  });
  one("#hits").replaceChildren(...shown);
  one("#hits button")?.focus();
}

function visit({ stem: where, start, end }) {
  one("#search").close();
  if (where !== stem()) return location.assign(`${where}#${start}-${end}`);
  centred = true;
  selectSpan(start, end);
  centred = false;
}

function filterCorpus(text) {
  one(".corpus-filter").value = text;
  for (const item of all(".corpus li")) item.hidden = !item.dataset.text.includes(text.toLowerCase());
}

function save(event, isSeries = false) {
  event.preventDefault();
  if (saving || !one("#form form").reportValidity()) return;
  saving = true;
  inTurn(() => saved(isSeries));
}

async function saved(isSeries) {
  try {
    const sentence = await submit();
    one("#form").close();
    await finished(sentence, returnTo, edited);
    returnTo = null;
    edited = "";
    if (isSeries && isDraft(recordHere())) await edit(recordHere());
  } catch (error) {
    if (!one("#form").open) return say(error.message);
    one("#refused").textContent = error.message;
    one("#refused").scrollIntoView({ block: "nearest" });
  } finally {
    saving = false;
  }
}

// ---- keys and mouse ----------------------------------------------------------------------------------------

let waiting = Promise.resolve();
const letters = {
  t: "testimony", f: "figure", m: "mention", w: "waiver", i: "erratum", b: "boilerplate", r: "reading",
};
// Each move from a word leads to some words, from the first to the last. With Ctrl or Alt, the cursor goes to the next
// place at a mark, or where no space is between two words. The words of a record end at no mark inside "9/11" or "J. K.".
const isClosing = (i) => i < words.length && /^["“”’»)\]]$/.test(words[i].textContent);
function isBetween(i) {
  if (words[i].textContent === ".") return !endsSentence(i) && !isClosing(i + 1);
  const isJoined = (before, after) => Boolean(words[before] && words[after]) && starts(words[after]) === ends(words[before]);
  const isInside = isJoined(i - 1, i) && isJoined(i, i + 1) && !isMark(i - 1) && !isMark(i + 1);
  return isInside && !/^["“”«»—]$/.test(words[i].textContent);
}
const isStop = (i) => Boolean(words[i]) && (isMark(i) || words[i].textContent === ".") && !isBetween(i);
// Whether words that start or end at a piece have all of what is written together but its outer marks: not "(D-S.C".
function isWholeWord(i, isStart) {
  const step = isStart ? -1 : 1;
  const isNext = (at) => words[at + step] && words[at].textContent !== "—" && words[at + step].textContent !== "—";
  const isJoined = (at) => isNext(at) && starts(words[Math.max(at, at + step)]) === ends(words[Math.min(at, at + step)]);
  for (let at = i; isJoined(at); at += step)
    if (!isMark(at + step) && words[at + step].textContent !== ".") return false;
  let begin = i;
  while (begin > 0 && starts(words[begin]) === ends(words[begin - 1])) begin -= 1;
  const brackets = isStart ? [] : textBetween(begin, i).match(/[()]/g) || [];
  return brackets.filter((each) => each === "(").length <= brackets.filter((each) => each === ")").length;
}
const touches = (i) => isMark(clamped(i)) || starts(words[clamped(i + 1)]) === ends(words[clamped(i)]);
function atMark(from, step, isStart, extend) {
  const isApart = (i) => isMark(i) || (isStart ? touches(i - 1) : touches(i) || isMark(clamped(i + 1)));
  const isInDash = (i) => words[i].textContent === "-" && words[i + (isStart ? -1 : 1)]?.textContent === "-"; // "--"
  const ending = (i) => (isStop(i) || isStop(isStart ? i - 1 : i + 1)) && isWholeWord(i, isStart);
  // The cursor alone is once at marks that follow each other, and not at the word before them.
  const once = (i) => isStop(i) ? !(isStop(i - 1) && starts(words[i]) === ends(words[i - 1])) : isApart(i) && !isStop(i + 1);
  const selecting = (i) => !isInDash(i) && (moving ? ending(i) : isApart(i));
  const stops = moving || extend ? selecting : once;
  let at = clamped(from + step);
  while (at > 0 && at < words.length - 1 && !stops(at)) at += step;
  return [at, at];
}
function neighbour(from, step, extend, each, isStart) {
  if (each) return atMark(from, step, isStart, extend);
  const at = stepAt(from);
  // Words that begin or end inside a step first get the rest of it; their start may also be at a mark after it.
  const isInside = step < 0 ? isStart && from > steps[at][0] : !isStart && from < steps[at][1];
  return steps[Math.max(0, Math.min(steps.length - 1, isInside ? at : at + step))];
}
const word = (i) => [clamped(i), clamped(i)];
// The first word of the next or previous paragraph.
function paragraphWord(from, step) {
  const paragraphs = all(".words").filter((each) => one(".w", each));
  const at = paragraphs.indexOf(paragraphOf(from)) + step;
  return one(".w", paragraphs[Math.max(0, Math.min(paragraphs.length - 1, at))]);
}
const moves = {
  ArrowRight: (from, extend, each, isStart) => neighbour(from, 1, extend, each, isStart),
  ArrowLeft: (from, extend, each, isStart) => neighbour(from, -1, extend, each, isStart),
  ArrowDown: (from, extend, paragraph) =>
    paragraph ? word(words.indexOf(paragraphWord(from, 1))) : word(extend ? sentenceEnd(clamped(endsSentence(from) ? from + 1 : from)) : sentenceEnd(from) + 1),
  ArrowUp: (from, _, paragraph) => paragraph ? word(words.indexOf(paragraphWord(from, -1))) : word(sentenceStart(from) === from ? sentenceStart(clamped(from - 1)) : sentenceStart(from)),
  Home: (from, _, outermost) => word(outermost ? 0 : words.indexOf(one(".w", paragraphOf(from)))),
  End: (from, _, outermost) => word(outermost ? words.length - 1 : words.indexOf(all(".w", paragraphOf(from)).at(-1))),
};

function move(event) {
  const [each, extend] = [event.ctrlKey || event.altKey, event.shiftKey];
  const [begin, end] = chosen();
  if (moving && !moving.isNew) {
    // The arrow keys move the end of the words, and with Shift the start.
    const [first, last] = moves[event.key](extend ? begin : end, !extend, each, extend);
    if (extend) return choose(Math.min(first, end), end);
    const to = Math.max(begin, last);
    return choose(begin, each ? to : withClosing(begin, withStop(begin, to)));
  }
  // As in any text, ← leads to the start of what is selected.
  if (event.key === "ArrowLeft" && !extend && begin !== end) return select(begin);
  const [first, last] = moves[event.key](head, extend, each, head < anchor);
  if (!extend) return choose(first, last);
  const [from, to] = steps[stepAt(anchor)] || [anchor, anchor];
  const isOutside = anchor < from || anchor > to;
  if (first < (isOutside ? anchor : from)) return choose(isOutside ? anchor : to, first);
  const start = isOutside ? anchor : from;
  return choose(start, each ? last : withStop(start, last));
}

// The words that `s` selected last: pressed again, it adds the sentence before.
let sentences = "";

function wholeSentence() {
  const [first, last] = chosen();
  const isDraftHere = !moving && isDraft(recordHere()) && card().matches(".testimony");
  if (isDraftHere && (first === last || isGiven())) return wholeDraft();
  const again = sentences === String(chosen());
  anchor = again && first > 0 ? sentenceStart(first - 1) : sentenceStart(first);
  select(sentenceEnd(last), true);
  sentences = String(chosen());
}

// After Esc, Tab leaves the article; otherwise, it chooses a record at the cursor.
let leaving = false;

// What a key does now; `paragraph` is where the cursor was when it was pressed.
function actOf(event, paragraph) {
  const { key } = event;
  if (key in moves) return () => move(event);
  const isCode = /^[1-9]$/.test(key);
  if (moving) return {
    Enter: moved,
    // A key that accepts also saves the words, and so does the one that opens the form.
    a: () => moved().then((also) => accept(recordHere(), also)),
    A: () => moved().then((also) => acceptAll(paragraph, also && `${also[0].toUpperCase()}${also.slice(1)}. `)),
    e: () => moved().then(() => edit(recordHere())),
    [isCode && key]: () => moved().then(() => code(Number(key))),
    "+": furtherPart,
    s: wholeSentence,
    Escape: () => { const { part, card: stay } = moving; stopMoving(); selectSpan(...part); show_now(stay); },
  }[key];
  const kind = letters[key];
  if (kind) return () => open(kind, kind === "boilerplate");
  return {
    n: () => go(1),
    p: () => go(-1),
    s: wholeSentence,
    a: () => accept(),
    A: () => acceptAll(paragraph),
    x: () => reject(),
    u: () => undo(),
    U: () => undo("redo"),
    c: change,
    e: () => edit(recordHere()),
    S: () => edit(one(".article").dataset.source),
    "/": openSearch,
    Escape: () => { sought = null; select(head); say("Tab now leaves the article."); },
    "?": () => one("#help").showModal(),
    [isCode && key]: () => code(Number(key)),
  }[key];
}

function pressed(event) {
  // While a form is saved, keys are no longer meant for it.
  const isTyping = !saving && (event.target.closest("input, select, textarea, dialog") || one("dialog[open]"));
  const isInText = event.target === one("#text");
  const isMove = event.key in moves;
  const isModified = event.metaKey || ((event.ctrlKey || event.altKey) && !isMove);
  if (isModified || isTyping || !words.length) return;
  if (saving && event.key.length === 1) event.preventDefault();
  if (saving && ["Tab", "Enter", "Escape"].includes(event.key)) return;
  // Elsewhere on the page, only letters are keys of the article.
  if (!isInText && !saving && event.key.length > 1 && event.target !== document.body) return;
  if (event.key === "Tab") {
    if (leaving) return;
    event.preventDefault();
    return nextRecord(event.shiftKey ? -1 : 1);
  }
  if (event.key !== "Shift") leaving = event.key === "Escape" && !moving;
  const paragraph = paragraphHere();
  // After a `c` that is waiting, these two have a meaning, too.
  const isLater = queued && ["Enter", "+"].includes(event.key);
  if (!isLater && !actOf(event, paragraph)) return;
  event.preventDefault();
  // A key that is held down accepts nothing further.
  if (event.repeat && !isMove) return;
  if (isMove && !queued) return move(event);
  // Keys that are pressed while a change is saved wait for it, and then apply to the next record.
  queue(() => actOf(event, paragraph)?.(), event.key);
}

// While a change is saved, the card is dimmed.
let queued = 0;
function inTurn(act) {
  queued += 1;
  one("#now").classList.add("busy");
  const done = () => {
    queued -= 1;
    if (!queued) one("#now").classList.remove("busy");
  };
  const next = () => {
    presses += 1;
    return act();
  };
  waiting = waiting.then(next).catch((error) => say(error.message)).then(done);
}

// Keys that were pressed before a form was open are neither for the article nor for the form.
function queue(next, key = "") {
  inTurn(() => {
    if (!one("dialog[open]")) return next();
    const lost = `The key ${key} did nothing, because this form was open by then.`;
    if (key && one("#form").open) one("#refused").textContent = `${one("#refused").textContent} ${lost}`.trim();
  });
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
  findSteps();
  document.addEventListener("keydown", pressed);
  one("#text").addEventListener("mousedown", dragged);
  one("#text").addEventListener("mouseover", dragged);
  one("#text").addEventListener("click", (event) => {
    const id = event.target.closest(".record")?.dataset.id;
    if (id) show_now(`record-${id}`);
    const acts = { edit, accept, delete: (each) => reject(each, false) };
    const act = acts[event.target.className];
    if (act) queue(() => act(id));
  });
  one("#form form").addEventListener("submit", save);
  one("#form").addEventListener("change", (event) => { followSpeaker(event.target); followHedge(event.target); followKind(); hideOthers(); });
  one("#form").addEventListener("focusin", describeField);
  one("#form").addEventListener("keydown", typeahead);
  one("#form").addEventListener("keydown", mnemonic);
  one("#form").addEventListener("keydown", (event) => {
    // In a text field, Enter submits the form in every browser, but not in these.
    if (event.key !== "Enter" || event.target.matches("button, summary, textarea")) return;
    if (event.shiftKey) save(event, true);
    else if (event.target.matches("select, [type=checkbox]")) {
      event.preventDefault(); // a list would open, and take the next key
      one("#form form").requestSubmit();
    }
  });
  one("#form").addEventListener("close", () => one("#text").focus());
  one("#series").addEventListener("click", (event) => save(event, true));
  one("#cancel").addEventListener("click", () => one("#form").close());
  one("#helped").addEventListener("click", () => one("#help").showModal());
  one("#articles").addEventListener("change", (event) => location.assign(event.target.value));
  one("#searched").addEventListener("click", openSearch);
  one("#search form").addEventListener("submit", (event) => search(event).catch((error) => say(error.message)));
  one("#search").addEventListener("close", () => one("#text").focus());
  one("#close-search").addEventListener("click", () => one("#search").close());
  one("#part").addEventListener("input", (event) => {
    if (event.target.matches(".corpus-filter")) filterCorpus(event.target.value);
  });
  // The bar at the top must not cover the words at the cursor.
  document.documentElement.style.scrollPaddingTop = `${one("header").offsetHeight + 16}px`;
  filter();
  showPossible();
  new EventSource("../changes").addEventListener("message", () => refresh());
  if (words.length) select(0, false, false);
  const [, from, to] = /^#(\d+)-(\d+)$/.exec(location.hash) || [];
  if (to) selectSpan(Number(from), Number(to));
  else if (targets().length) go(0);
  one("#text").focus();
}
