"use strict";
// Forms: their controls, and what follows when a value changes.

let submit = async () => {};
let saving = false;
let controls = [];
// How many forms, and searches, were opened so far.
let opened = 0;

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
// with the focus come first, then those outside of groups, and the letter leads from each to the next.
function toField(letter) {
  const underlined = all("#form u").filter((each) => each.textContent === letter);
  const found = underlined.flatMap((each) => one("[name]:enabled, button", each.closest("label, fieldset")) || []);
  const usable = [...new Set(found)].filter((each) => !each.closest("[hidden]"));
  const group = document.activeElement.closest("#form fieldset");
  const isNear = (each) => Boolean(group?.contains(each));
  const isAlone = (each) => !each.closest("#fields fieldset, #others fieldset");
  usable.sort((some, others) => isNear(others) - isNear(some) || isAlone(others) - isAlone(some));
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
  input.dataset.excludes = field.excludes.map((each) => `[name=${each}]`).join();
  const meaning = element("span", { className: "quiet" });
  const defined = element("span", { className: "defined" });
  if (closed) {
    for (const { label, value: each, meaning: title } of choices) input.add(Object.assign(new Option(label, each), { title }));
  } else if (choices.length) {
    const list = element("datalist", { id: `options-${key}-${Math.random().toString(36).slice(2)}` });
    input.setAttribute("list", list.id);
    meaning.after(list);
    defined.append(list);
  }
  const known = new Map(choices.map((choice) => [choice.value, choice.meaning]));
  // Who types what a value means, such as "another unit", means the value.
  const isCalled = (item) => (each) => [each.meaning, each.label].some((words) => words && words.toLowerCase() === item.toLowerCase());
  const meant = (item) => (known.has(item) ? item : choices.find(isCalled(item.trim()))?.value ?? item);
  const items = () => (type === "list" ? input.value.split(/[,;\s]+/) : [meant(input.value.trim())]).filter(Boolean);
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
      const asked = element("input", { name, value: texts[name] || "", required: true });
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
  return { key, element: box, read: () => (type === "list" ? input.value : meant(input.value)), definitions };
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

function part({ span, text }, _, parts) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  box.value = JSON.stringify(span);
  box.disabled = parts.length === 1;
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

// Fills in a field; the meaning of its value is shown, as if it were typed.
function fill(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input"));
}

// An institution has the selected words as its name, until it is taken for another kind.
function followWithName(kind, name) {
  if (kind.value === "institution" && !name.value) {
    fill(name, one("#parts").textContent.trim().replace(/^(?:an?|the) /i, ""));
    name.dataset.filled = name.value;
  } else if (kind.value !== "institution" && name.value && name.value === name.dataset.filled) fill(name, "");
}

// Only persons are more or less anonymous. What follows from the name follows it until something else is chosen, and does
// not change while its list is passed through.
function followKind(changed) {
  const [kind, anonymity, name] = ["kind", "anonymity", "name"].map((key) => one(`#form [name=${key}]`));
  if (!anonymity || changed === anonymity) return;
  if (changed === kind && name) followWithName(kind, name);
  if (kind.value !== "person") fill(anonymity, "not_applicable");
  if (kind.value !== "person" || !["", "not_applicable", anonymity.dataset.filled].includes(anonymity.value)) return;
  const printed = name?.value.trim() ?? "";
  fill(anonymity, printed.includes(" ") ? "named" : printed ? "partial" : "unnamed");
  anonymity.dataset.filled = anonymity.value;
}

// The words of an attribution, and the record to which they lead, follow the speaker who is chosen, whose records come
// first in the list.
function followSpeaker({ name, value }) {
  if (name !== "speaker") return;
  const who = one("#form [name=speaker]").selectedOptions[0].label;
  for (const list of all("#form [name=antecedent], #form [name=continues]")) {
    list.options[0].after(...[...list.options].filter(({ label }) => label.startsWith(`${who}, `)));
  }
  for (const field of all("#form [data-by-speaker]")) {
    const found = JSON.parse(field.dataset.bySpeaker);
    fill(field, found[value] ?? found[""] ?? "");
  }
}

// Only one of some fields can have a value: the one that was filled in last.
function emptyOthers(field) {
  if (!field.value || !field.dataset.excludes) return;
  for (const each of all(field.dataset.excludes, field.closest("fieldset"))) fill(each, "");
}

// A hedge implies some numbers of a figure, which are the same; the others are empty.
function followHedge({ name, value }) {
  if (name !== "hedge") return;
  const fields = all("#form [data-hedges]");
  const numbers = new Set(fields.map((each) => each.value.trim()).filter(Boolean));
  const [number] = numbers.size === 1 ? numbers : [];
  for (const each of fields) {
    const isImplied = each.dataset.hedges.split(" ").includes(value);
    if (!isImplied) fill(each, "");
    else if (!each.value && value !== "range") fill(each, number ?? "");
  }
}

// The field with the focus is in view, and the last line says what it is for.
function describeField({ target }) {
  // Before a button, the text stays: without it, the button would move from under the pointer.
  if (!target.matches("[name]")) return;
  target.closest(".line")?.scrollIntoView({ block: "nearest" });
  const within = target.closest("fieldset fieldset, #fields fieldset, #others fieldset");
  const group = within ? `${one("legend", within).textContent}, ` : "";
  const about = target.title || (within?.title ?? "");
  const name = target.closest("label").firstChild.textContent;
  one("#about").replaceChildren(element("b", {}, group + name), about && `: ${about}`);
}

// Typing in a list chooses the value with this name, or else the first that begins with it, or has a word that does:
// "t1" rather than "t10"; or else in its meaning, which the form shows. If nothing does, the form is not saved until a
// value is chosen or the list is left.
let typed = { at: 0, words: "", before: 0, list: null };
function typeahead(event) {
  const isTyped = !saving && event.target.matches("select") && event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
  const isSame = typed.list === event.target && event.timeStamp - typed.at < 1500;
  const before = isSame ? typed.words : "";
  if (!isTyped || (event.key === " " && !before)) return;
  event.preventDefault();
  const first = before ? typed.before : event.target.selectedIndex;
  // The lists show `more_than` as "more than".
  const letter = event.key.toLowerCase().replace("_", " ");
  typed = { at: event.timeStamp, words: before + letter, before: first, list: event.target };
  const said = [typed.words, typed.words.replace(/^(?:an?|the) /, "")];
  const texts = ["label", "title"].map((key) => [...event.target.options].map((option) => option[key].toLowerCase()));
  const found = texts.flatMap((each) => said.map((words) => fitting(each, words))).find((at) => at >= 0);
  const isKnown = found !== undefined;
  event.target.setCustomValidity(isKnown ? "" : `Nothing in this list has the words “${typed.words}”.`);
  const at = found ?? first;
  const isChanged = at !== event.target.selectedIndex;
  event.target.selectedIndex = at;
  one("#refused").textContent = event.target.validationMessage;
  if (isChanged) event.target.dispatchEvent(new Event("change", { bubbles: true }));
}

// The place of the value with some words, or -1.
function fitting(labels, said) {
  const isWhole = (label, at) => at >= 0 && !/[\p{L}\p{N}]/u.test(label[at + said.length] || "");
  const inside = (label) => label.indexOf(` ${said}`);
  const fits = [
    (label) => label === said,
    (label) => label.startsWith(said) && isWhole(label, 0),
    (label) => label.startsWith(said),
    (label) => inside(label) >= 0 && isWhole(label, inside(label) + 1),
    (label) => inside(label) >= 0,
  ];
  return fits.map((fit) => labels.findIndex(fit)).find((found) => found >= 0) ?? -1;
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
  one("#about").replaceChildren();
  one("#refused").textContent = "";
  hideOthers();
  submit = act;
  opened += 1;
  one("#form").showModal();
  const empty = all("#fields [required]").find((each) => !each.value && !each.disabled);
  const ofFindings = [...named.map((key) => `#fields [name=${key}]`), ...named.map((key) => `#fields [data-key=${key}] [name]`)];
  const asked = ofFindings.map((each) => one(each)).find(Boolean);
  asked?.closest("details")?.setAttribute("open", "");
  const first = empty || asked || one("#fields input, #fields select") || one("#form [type=submit]");
  first.focus();
  first.select?.();
}

function save(event, isSeries = false) {
  event.preventDefault();
  if (saving || !one("#form form").reportValidity()) return;
  saving = true;
  inTurn(() => saved(isSeries));
}

// What the form lacks is also said in words, as not everybody sees the bubble of the browser.
function refuse({ target }) {
  if (target !== one("#form :invalid:not(form, fieldset)")) return;
  target.closest("details")?.setAttribute("open", "");
  const remedy = one("[value=new]", target) ? " If the words of the attribution introduce somebody who is not in the list, choose a new speaker." : "";
  one("#refused").textContent = `${target.name.split("/").at(-1)}: ${target.validationMessage}${remedy}`;
}

async function saved(isSeries) {
  try {
    const sentence = await submit();
    one("#form").close();
    const from = isSeries ? spansOf(edited)[0]?.[0] : null;
    await finished(sentence, returnTo, edited, isAdded && !isSeries, from);
    returnTo = null;
    const isNext = recordHere() !== edited && card()?.matches(".draft, :has(.bad)");
    [edited, isAdded] = ["", false];
    if (isSeries && isNext) await edit(recordHere());
  } catch (error) {
    if (!one("#form").open) return say(error.message);
    one("#refused").textContent = error.message;
    one("#refused").scrollIntoView({ block: "nearest" });
  } finally {
    saving = false;
  }
}
