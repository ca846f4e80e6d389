"use strict";
// What is asked of the program: records are made, changed, accepted and rejected, and words are searched.

// ---- requests ------------------------------------------------------------------------------------------------

// Where the cursor was at each change, to which an undone change returns it. The changes of one press are one change.
const page = Math.random();
let presses = 0;
const edits = new Set(["add", "change", "move", "accept", "accept-all", "delete"]);
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
  const isBack = head < anchor;
  const opened = ["findings", "corpus"].filter((name) => one(`.${name}`)?.open);
  const listed = one(".corpus-filter")?.value;
  one("#part").innerHTML = part;
  if (lettered) markLetters(); // the cards are new
  for (const name of opened) if (one(`.${name}`)) one(`.${name}`).open = true;
  if (listed) filterCorpus(listed);
  filter();
  showPossible();
  words = all(".words .w");
  findSteps();
  anchor = head = 0;
  if (span) {
    const inside = wordsIn(span);
    const edges = [clamped(inside[0] ?? 0), clamped(inside.at(-1) ?? 0)];
    choose(...(isBack ? edges.reverse() : edges), false);
  }
}

// ---- new and changed records ---------------------------------------------------------------------------------

const spanHere = () => {
  const [first, last] = chosen();
  return [starts(words[first]), ends(words[last])];
};

async function open(kind, atOnce = false) {
  // Taken when the form opens: if the file changes before the form is saved, the server refuses the request (409).
  const base = sha256();
  const whole = kind === "mention" ? testimonyHere() : "";
  const id = whole || (kind === "mention" ? openDraft() : "");
  const known = isOpen(`record-${id}`) && (anchor === head || !isGiven(id)) && mentionHere();
  if (known) return giveSpeaker(id, known);
  // The words of a number or a mention are no statement: its sentence may be one.
  const isOther = kind === "testimony" && typedWords !== String(spanHere()) && card()?.matches(".waiver, .figure, .mention, .speaker") && isGiven();
  if (isOther) select(chosen()[0]);
  const proposed = await ask("propose", { kind, id: id && isGiven(id) ? id : "", spans: [spanHere()] });
  // If nothing says that its speaker is mentioned here, the words introduce another one.
  const isOtherSpeaker = whole && !isOpen(`record-${id}`) && !("introduces" in card().dataset);
  for (const field of proposed.fields) if (isOtherSpeaker && field.key === "speaker") field.value = "";
  if (kind === "waiver" && atOnce) proposed.fields.find((field) => field.key === "reason").value ||= lastReason;
  if (atOnce && proposed.fields.every((field) => !field.required || field.value)) {
    const given = Object.fromEntries(proposed.fields.map((field) => [field.key, field.value]));
    const spans = proposed.parts.map((each) => each.span);
    const made = await ask("add", { sha256: base, kind, spans, values: given });
    return finished(`Saved ${made}.`, null, made);
  }
  const act = async () => {
    const spans = all("#parts input:checked").map((box) => JSON.parse(box.value));
    const made = await ask("add", { sha256: base, kind, id, spans, values: values() });
    if (kind === "waiver" && values().reason !== "repeat") lastReason = values().reason;
    returnTo = id ? `record-${id}` : kind === "mention" ? spans[0] : null;
    [edited, isAdded] = [id || made, !id];
    return `Saved ${made}.`;
  };
  const ofDraft = id ? `, which introduces the speaker of ${short(id)}` : "";
  show(`New ${kind}${ofDraft}`, proposed.parts, proposed.fields, act);
}

// The record at which the cursor was last, and the draft without a speaker to which keys led: its speaker may be
// introduced in another paragraph.
let unfinished = null;
let sought = null;
let returnTo = null;
let edited = "";
let isAdded = false;
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

// The testimony whose words are selected as a whole: these introduce nobody, but its attribution may.
function testimonyHere() {
  const isWhole = !isByHand && spansOf(recordHere()).some((span) => String(span) === String(spanHere()));
  return isWhole && card().matches(".testimony") ? recordHere() : "";
}

// The mention of which the selected words are a part.
function mentionHere() {
  const [start, end] = spanHere();
  const isAround = (each) => JSON.parse(each.dataset.spans).some(([from, to]) => from <= start && end <= to);
  return all(".row .record.mention").find(isAround);
}

async function giveSpeaker(id, mention) {
  const { speaker } = mention.dataset;
  const isLast = document.getElementById(`record-${id}`).dataset.undecided === "the speaker";
  const also = await accepted(id, "change", isLast ? { speaker } : { speaker, draft: "true" });
  if (also === undefined) return;
  returnTo = `record-${id}`;
  const done = isLast ? "Accepted" : "Changed";
  await finished(`${done} ${short(id)}: speaker ${one("dd", mention).textContent}${also}.`, returnTo, id);
  returnTo = null;
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
  let base = sha256();
  let fields = (await ask("current", { id })).map((field) => ({ ...field, value: given[field.key] ?? field.value }));
  const asked = incomplete?.fields || [];
  const isAsked = (field) => asked.includes(field.key);
  const lacks = (field) => isAsked(field) || (field.required && (!field.value || field.value === "who"));
  const lacksCodesOnly = incomplete && !fields.some((field) => field.key === "speaker" && lacks(field));
  if (lacksCodesOnly) fields = fields.map((field) => ({ ...field, shown: lacks(field) || field.key in given }));
  // Any field of a group may be the answer.
  for (const field of fields.filter(isAsked)) field.fields = field.fields.map((each) => ({ ...each, shown: true }));
  const findings = all(".bad", document.getElementById(`record-${id}`) || document.createElement("p"));
  const firstOf = (key) => fields.find((each) => each.key === key)?.fields[0]?.key || key;
  const named = [...asked.map(firstOf), ...findings.flatMap((each) => each.dataset.field || [])];
  named.push(...findings.flatMap((each) => each.textContent.match(/(?<=`)[a-z_]+(?=`)/g) || []));
  // What a figure counts is corrected more often than a guess, which the numbers of the card also choose.
  if (fields.some((field) => field.key === "counted")) named.push("counted");
  named.push(...fields.filter((field) => field.guess).map((field) => field.key));
  const spans = spansOf(id);
  const parts = spans.length > 1 ? spans.map((span) => ({ span, text: textOf(span) })) : [];
  const act = async () => {
    const kept = all("#parts input:checked").map((box) => JSON.parse(box.value));
    let also = "";
    if (parts.length && String(kept) !== String(spansOf(id))) {
      also += await ask("move", { sha256: base, id, spans: kept });
      await refresh();
      base = sha256();
    }
    also += await ask("change", { sha256: base, id, values: values() });
    edited = id;
    return `Changed ${short(id)}${also}.`;
  };
  show(`Edit ${short(id)}`, parts, fields, act, named);
  if (given.speaker) followSpeaker({ name: "speaker", value: given.speaker });
  if (!parts.length) one("#parts").textContent = spans.map(textOf).join("");
  one("#refused").textContent = incomplete?.message || "";
  // What the form fills in is what Enter confirms.
  const filled = asked.flatMap((key) => all(`#form [data-key=${key}] [name]`)).find((each) => each.value);
  if (!filled || one("#form form:invalid")) return;
  filled.focus();
  one("#refused").textContent += ` Enter saves \`${filled.name}: ${filled.selectedOptions?.[0].label ?? filled.value}\`.`;
}

// ---- actions of one key ----------------------------------------------------------------------------------------

// The cards with the findings of a record: a speaker is saved together with the first mention.
const mentionOf = (id) => one(`.row .mention[data-speaker="${id}"]`);
function faultsOf(id) {
  const saved = document.getElementById(`record-${id}`);
  const cards = [saved, saved?.matches(".speaker") && mentionOf(id)].filter(Boolean);
  const codes = cards.flatMap((each) => all(".bad > code", each)).map((each) => each.textContent);
  // A new speaker has no statement yet, which probably comes next.
  return codes.filter((each) => each !== "unused-speaker");
}

function stayAt(record) {
  const begin = Number(record.dataset.begin);
  const [span] = [record, mentionOf(record.dataset.id)].flatMap((each) => spansOf(each?.dataset.id));
  selectSpan(...(span || [begin, begin + 1]));
  lead(record.id);
}

// `id` may be the short one, with what else changed.
// Of a series of forms, the next is sought `from` the words of the last.
async function finished(sentence, stay = null, id = "", isNew = false, from = null) {
  await refresh();
  const name = id.replace(/(?:;|, (?:a repeat of|age:|years of service:) ).*/s, "");
  id = all(".row .record").find(({ dataset }) => dataset.number === name)?.dataset.id || id;
  const kept = stay && document.getElementById(stay);
  const added = isNew && document.getElementById(`record-${id}`);
  const faults = faultsOf(id);
  if (kept && returnTo) selectSpan(...JSON.parse(kept.dataset.spans)[0]);
  if (added && faults.length) stayAt(added);
  else if (Array.isArray(stay)) {
    // The statement of a new speaker is probably in the sentence of the mention: what is open there comes next. At the
    // first word of the mention, t takes the sentence.
    selectSpan(...stay);
    select(chosen()[0]);
    if (added) show_now(added.id);
    const [begin, end] = [starts(words[sentenceStart(head)]), ends(words[sentenceEnd(head)])];
    if (targets().some(([start]) => start >= begin && start < end && !passed.has(start))) go(0, `record-${id}`, begin);
  } else if (kept && !(returnTo && !isDraft(kept.dataset.id))) show_now(stay);
  else go(0, `record-${id}`, from, added);
  const still = faults.length ? ` It has a finding, which is to be corrected: ${faults.join(", ")}.` : "";
  say(`${sentence}${still} ${saidOfPossible()}${summary()}`, card() ? described(card()) : one("#now .hint")?.textContent);
}

const isDraft = (id) => id && document.getElementById(`record-${id}`)?.classList.contains("draft");

// If the draft lacks a value, its form opens, and nothing is returned; else what changes with it.
async function accepted(id, action, given) {
  try {
    return (await ask(action, { sha256: sha256(), id, values: given })) || "";
  } catch (error) {
    if (error.status !== 422) throw error;
    await edit(id, error, given);
    say(`The form of ${short(id)} is open: ${error.message}`);
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

const isReady = (draft) => "ready" in draft.dataset;
const numbersOf = (drafts) => drafts.map((each) => each.dataset.number).join(", ");
const drafts = () => all(".row .record.draft:not([hidden])");

// The drafts that `A` accepts: nothing is left to decide in them, and their cards can be read.
const readyInView = () => (words.length ? drafts().filter((each) => isReady(each) && isInView(each)) : []);
const readyIds = () => readyInView().map((each) => each.dataset.id);

function showReady() {
  const ready = readyInView();
  one("#accept-all").hidden = ready.length < 2;
  one("#accept-all").textContent = `Accept ${numbersOf(ready)} (A)`;
}

// Accepts the drafts `shown`: those in view when `A` was pressed, and the one whose words were changed before it. If none is in
// view, it first shows the next, so that no record is accepted whose card nobody could read.
async function acceptAll(shown, also = "") {
  const ready = drafts().filter(isReady);
  const read = ready.filter((each) => shown.includes(each.dataset.id));
  const isAfter = (each) => Number(each.dataset.begin) >= starts(words[chosen()[0]]);
  const next = ready.find(isAfter) || ready[0];
  if (!read.length && next) {
    next.scrollIntoView({ block: "start" });
    return say(`${also}The next drafts were out of view. Read them, then press A again.`);
  }
  const undecided = drafts().filter((each) => !isReady(each) && isInView(each));
  const why = undecided.map((each) => `${each.dataset.number} (${each.dataset.undecided})`).join(", ");
  const remain = why && ` To decide one by one: ${why}.`;
  if (!read.length) return say(`${also}Nothing was accepted.${remain}`);
  // A refresh while this is saved replaces the paragraph, but no words.
  const begin = words.indexOf(one(".w", words[chosen()[0]].closest(".row")));
  await ask("accept-all", { sha256: sha256(), id: read.map((each) => each.dataset.id).join(" ") });
  select(begin, false, false);
  return finished(`${also}Accepted ${read.length}: ${numbersOf(read)}.${remain}`);
}

// ---- letters on the cards in view, each of which leads to its card --------------------------------------------

let lettered = null;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function showLetters() {
  const cards = all(".row .record:not([hidden])").filter(isInView).slice(0, LETTERS.length);
  if (!cards.length) return say("No card is in view.");
  lettered = new Map(cards.map((each, i) => [LETTERS[i], each.id]));
  markLetters();
  const led = cards.map((each, i) => `${LETTERS[i]} ${each.dataset.number}`);
  say(`The letter on a card leads to it: ${led.join(", ")}.`);
}

function markLetters() {
  for (const [letter, id] of lettered) {
    document.getElementById(id)?.querySelector(".id").prepend(element("kbd", { className: "letter" }, letter), " ");
  }
}

function followLetter(letter) {
  const [found, names] = [document.getElementById(lettered.get(letter)), all(".letter")];
  lettered = null;
  for (const each of names) each.remove();
  if (!found) return say(summary());
  const top = scrollY;
  stayAt(found);
  scrollTo({ top }); // the card is in view
  // What comes next is after it: `A` accepts the drafts before it.
  const isDraftBefore = ([start]) => start < starts(words[chosen()[0]]) && toDo(start).some((each) => isDraft(each.dataset.id));
  for (const [start] of targets().filter(isDraftBefore)) passed.add(start);
  say(described(found));
}

// What a number means on the card that is shown.
function offeredAt(number) {
  const offered = all(".codes span", card() || document.createElement("p"));
  return offered.find((each) => one("kbd", each).textContent === String(number)) || null;
}

async function code(number, before = "", chosen = offeredAt(number)) {
  const id = recordHere();
  if (!chosen) return say(`Nothing at the cursor has a code with the number ${number}.`);
  const { field, value, stays } = chosen.dataset;
  const stay = isDraft(id) && stays === undefined ? null : current;
  const given = { [field]: value, ...(stays === undefined ? {} : { draft: "true" }) };
  const also = await accepted(id, "change", given);
  if (also === undefined) return;
  const set = /speaker/.test(field) ? one("b", chosen).textContent : titled(value) || "removed";
  await finished(`${stay ? "Changed" : "Accepted"} ${short(id)}: ${titled(field)} ${set}${before && `; ${before}`}${also}.`, stay, id);
}

// Whether words have a quotation mark, which may be typed as two signs, or are directly next to one.
function isQuoted(id) {
  const pieces = all(".words span");
  const text = (from, to) => pieces.filter((each) => starts(each) >= from && ends(each) <= to).map((each) => each.textContent).join("");
  const mark = /[“”"«»‘]|''|``/.source;
  const isAround = ([start, end]) =>
    new RegExp(`(?:${mark})$`).test(text(start - 2, start)) || new RegExp(`^(?:${mark})`).test(text(end, end + 2));
  return spansOf(id).some((span) => isAround(span) || new RegExp(mark).test(text(...span)));
}

// The testimony that `v` cut to its quotation, and the state of the file: pressed again, `v` restores its words.
let cut = "";
const isUnchanged = (id, state) => state === `${id} ${sha256()}` && !places.at(-1)?.[3];

// Gives a testimony the next of the modes, which is direct only for words in or with quotation marks: these are then its
// words, without those around them.
async function nextMode(id = recordHere()) {
  if (card()?.matches(".figure")) return nextPolarity(id);
  if (!card()?.matches(".testimony")) return say("There is no testimony or figure at the cursor.");
  const isCut = isUnchanged(id, cut);
  if (isCut) await undo();
  const { value, choices } = (await ask("current", { id })).find((field) => field.key === "mode");
  const modes = choices.map((choice) => choice.value).filter((each) => each && (each !== "direct" || isQuoted(id)));
  const mode = modes[(modes.indexOf(isCut ? "direct" : value) + 1) % modes.length];
  const spans = mode === "direct" ? await ask("quoted", { id }) : [];
  let also = "";
  if (spans.length) {
    also = `, and its words are only the quoted ones${await ask("move", { sha256: sha256(), id, spans })}`;
    await refresh();
    selectSpan(...spans[0]); // where the cursor was may be outside of them
  }
  const given = { mode, ...(isDraft(id) ? { draft: "true" } : {}) };
  also += (await ask("change", { sha256: sha256(), id, values: given })) || "";
  await finished(`Changed ${short(id)}: now ${mode}${also}.`, `record-${id}`);
  cut = spans.length ? `${id} ${sha256()}` : "";
}

// Gives a figure the next polarity; after `affirmed`, the likeliest comes first, which is the last in the list.
async function nextPolarity(id) {
  const { value, choices } = (await ask("current", { id })).find((field) => field.key === "polarity");
  const listed = choices.map((choice) => choice.value).filter(Boolean).reverse();
  const polarity = listed[(listed.indexOf(value || "affirmed") + 1) % listed.length];
  const given = { polarity, ...(isDraft(id) ? { draft: "true" } : {}) };
  const also = (await ask("change", { sha256: sha256(), id, values: given })) || "";
  await finished(`Changed ${short(id)}: now ${polarity}${also}.`, `record-${id}`);
}

// The words that a rejection left open, for which `x` asks, and whether the last line names a reason to waive them.
let [offered, isReasonKnown] = ["", false];
// The reason that was chosen last in a form, which is offered where nothing suggests another.
let lastReason = "";

async function reject(id = recordHere(), isLeft = isLeftHere(card())) {
  const [at] = spanHere();
  const passedNow = (!id || card().matches(".source")) && !isLeft && possible().find(([start, end]) => start <= at && at < end);
  if (passedNow) {
    places.push([passedNow, null, presses, true]);
    passOver(passedNow);
    await refresh();
    go(0);
    return say(`Passed over in this tab; nothing is written, and u brings it back. ${saidOfPossible()}${summary()}`);
  }
  if (isLeft || !id) {
    await ask("suggest", { spans: [spanHere()] });
    return open("waiver", offered === String(spanHere()) && isReasonKnown);
  }
  const isAccepted = !isDraft(id);
  // Another draft inside the words is not what they leave open.
  const isOpen = ([start]) => words.find((word) => starts(word) === start)?.classList.contains("open");
  const openBefore = targets().filter(isOpen).map(String);
  const gone = await ask("delete", { sha256: sha256(), id });
  if (isAccepted) return finished(`Deleted ${gone}; u undoes this.`);
  await refresh();
  // With a speaker, its drafts go, too.
  const left = targets().find((place) => isOpen(place) && !openBefore.includes(String(place)));
  if (!left) return finished(`Rejected ${gone}.`);
  selectSpan(...left);
  const { fields } = await ask("propose", { kind: "waiver", spans: [spanHere()] });
  const { value: suggested, choices } = fields.find((field) => field.key === "reason");
  const value = suggested || lastReason;
  const repeats = fields.find((field) => field.key === "repeats");
  const repeated = repeats.choices.find((choice) => value === "repeat" && choice.value === repeats.value)?.label;
  const unaccounted = `Rejected ${gone}. “${textBetween(...chosen())}” is now unaccounted for:`;
  [offered, isReasonKnown] = [String(spanHere()), Boolean(value)];
  if (!value) return say(`${unaccounted} x asks why it is no record, and t or f records it.`);
  const meaning = choices.find((choice) => choice.value === value)?.meaning || "";
  const reason = titled(value) + (repeated ? ` of ${repeated}` : "");
  say(`${unaccounted} x waives it as ${reason} (${meaning}), w asks for another reason.`);
}

async function undo() {
  if (places.at(-1)?.[3]) {
    const [span] = places.pop();
    passOver(span, true);
    await refresh();
    selectSpan(...span);
    return say(`Underlined again. ${summary()}`);
  }
  const sentence = await ask("undo", {});
  await refresh();
  const [span, id] = places.pop() || [];
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
  const mention = card()?.classList.contains("speaker") && mentionOf(recordHere());
  const changed = mention || card();
  const spans = JSON.parse(changed?.dataset.spans || "[]");
  if (!spans.length || changed.classList.contains("boilerplate")) return say("There is no record with words at the cursor.");
  const [part] = [...spans].sort(nearer);
  const others = spans.filter((span) => span !== part);
  moving = { id: changed.dataset.id, card: current, part, others, isNew: false, base: sha256(), before: String(spans) };
  one("#text").classList.add("moving");
  selectSpan(...part);
  moving.begun = { start: new Set([stepFrom(chosen()[0])]), end: new Set([stepAt(chosen()[1])]) };
  hinted("/ asks for the words. ← → move the end, Shift with ← → the start; with Ctrl to the next punctuation mark, else conjunction. s selects the sentence. Enter saves, a, A or a number saves and accepts, e saves and opens the form, + begins a further part, Esc cancels.");
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
  const kept = `“${textBetween(...chosen())}” ${moving.others.length ? "and the other parts are" : "is"} kept`;
  Object.assign(moving, { others: partsHere(), isNew: true, begun: { start: new Set(), end: new Set() } });
  select(chosen()[1]);
  hinted(`${kept}. The same keys now take the words of a further part, next to them or, with /, anywhere. Enter saves, a, A or a number saves and accepts, + begins another, Esc cancels.`);
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

// The testimony whose words are now a whole sentence, and the state of the file: pressed again, `s` restores them.
let whole = "";

async function wholeTestimony() {
  const [id, spans] = [recordHere(), spansOf(recordHere())];
  if (isUnchanged(id, whole)) return undo();
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
  const asked = "type them, or “first words ... last words” for all from the first to the last";
  one("#search-title").textContent = moving ? `The words of ${short(moving.id)}: ${asked}` : "Search all articles";
  if (moving) for (const each of all("#hit-count, #hits")) each.replaceChildren();
  opened += 1;
  one("#search").showModal();
  one("#sought").select();
}

// While the words of a record are changed, those that were typed are selected where they are nearest. They are all its
// words, unless they are to be a further part.
async function extend() {
  const span = await ask("extent", { spans: [moving.isNew ? moving.part : spanHere()], values: { words: one("#sought").value } });
  const [first, last] = [wordsIn(span)[0], wordsIn(span).at(-1)];
  choose(first, withClosing(first, withStop(first, last)));
  if (moving.isNew || !moving.others.length) return;
  moving.others = [];
  hinted("what was typed replaces all parts. + begins a further part, Enter saves, a, A or a number saves and accepts, Esc cancels.");
}

async function search() {
  if (moving) {
    one("#search").close();
    return extend().catch((error) => say(error.message));
  }
  one("#hits").replaceChildren();
  const values = { words: one("#sought").value };
  const hits = await ask("search", { values });
  if (!hits.length) await ask("extent", { spans: [[0, 1]], values }); // the error says which words are lacking
  if (hits.length === 1) return visit(hits[0]);
  hits.sort((some, others) => (others.stem === stem()) - (some.stem === stem()));
  one("#hit-count").textContent = `${hits.length} found${hits.length === 100 ? ", and perhaps more" : ""}`;
  const shown = hits.map((hit) => {
    const button = element("button", { type: "button" }, `${hit.stem}: ${hit.sentence}`);
    button.addEventListener("click", () => visit(hit));
    return element("li", {}, button);
  });
  one("#hits").replaceChildren(...shown);
  one("#hits button").focus();
}

// The arrow keys lead through what was found.
function throughHits(event) {
  const found = all("#hits button");
  const at = found.indexOf(document.activeElement) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] || found.length);
  if (!found[at] || !found.includes(document.activeElement)) return;
  event.preventDefault();
  found[at].focus();
}

function visit({ stem: where, start, end }) {
  one("#search").close();
  if (where !== stem()) return location.assign(`${where}#${start}-${end}`);
  reach(start, end);
}

// The words that were searched for by their first and last: these are a statement, also if they are those of a number.
let typedWords = "";

// Selects words that were found. Keys then apply to the record with the fewest words around them, and not to the one before.
function reach(start, end) {
  typedWords = /\.{3}|…/.test(one("#sought").value) ? String([start, end]) : "";
  current = null;
  centred = true;
  selectSpan(start, end);
  centred = false;
  const around = [];
  for (const id of recordsAt(head))
    for (const [from, to] of JSON.parse(document.getElementById(id).dataset.spans))
      if (from <= start && end <= to) around.push([to - from, id]);
  around.sort(([some], [others]) => some - others);
  if (around.length) show_now(around[0][1]);
}

function toArticle(step) {
  const { options, selectedIndex } = one("#articles");
  const next = options[selectedIndex + step];
  if (!next) return say(`There is no article ${step > 0 ? "after" : "before"} this one.`);
  location.assign(next.value);
}

function filterCorpus(text) {
  one(".corpus-filter").value = text;
  for (const item of all(".corpus li")) item.hidden = !item.dataset.text.includes(text.toLowerCase());
}
