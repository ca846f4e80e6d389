"use strict";
// The cursor, the words from an anchor to a head, and the way to what is left to do.

let words = [];
let anchor = 0;
let head = 0;
// Whether the words were selected word by word, and not by a key that leads to a record.
let isByHand = false;
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
  // The button has the key only while the key does the same.
  const button = card && one(".delete", card);
  if (button) button.textContent = button.textContent.replace(/( \(x\))?$/, isLeftHere(card) ? "" : " (x)");
  const hint = moving ? "" : hintFor(card);
  if (hint) one("#now").append(element("p", { className: "hint" }, hint));
  one("#now").hidden = !card && !hint;
  showReady();
}

// Whether `x` means words at the cursor that are unaccounted for, rather than the record there: not a draft, nor a record
// of a number, which may be the wrong one for them.
function isLeftHere(card) {
  const isOffered = offered === String(spanHere());
  return words[head].classList.contains("open") && (isOffered || !card?.matches(".draft, .figure, .waiver"));
}

// What keys do with the words at the cursor: a possible statement, or for a draft without a speaker.
function hintFor(card) {
  const draft = openDraft();
  if (!card && possibleHere()) return "A possible statement: t records it, x passes it over; r needs neither.";
  if (!draft) return "";
  const isAttributed = draft === card?.dataset.id && "introduces" in card.dataset;
  const introducing = isGiven(draft) ? isAttributed && "the words of the attribution" : anchor !== head && "the selected words";
  const accepting = isOpen(`record-${draft}`) ? " This accepts it if nothing else is open." : "";
  return introducing ? `m: ${introducing} introduce the speaker of ${short(draft)}.${accepting}` : "";
}

// Whether the words at the cursor are those of a record, or in those of the one with an id, and not selected by hand.
function isGiven(id) {
  if (isByHand && anchor !== head) return false;
  const [start, end] = spanHere();
  const spans = all(".row .record").flatMap((each) => (id && each.dataset.id !== id ? [] : spansOf(each.dataset.id)));
  const isOneWord = id && anchor === head;
  return spans.some(([from, to]) => (isOneWord ? from <= start && end <= to : from === start && end === to));
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
  const stays = waits && isInRow(`record-${waits}`) && !possibleHere();
  // While the words of a record are chosen, its card stays, and so does that of a draft that waits for its speaker.
  const shown = here.includes(current) ? current : possibleHere() ? null : here.at(-1);
  if (!moving) show_now(stays ? `record-${waits}` : shown, true);
  if (!moved) return;
  words[head].scrollIntoView({ block: centred ? "center" : "nearest" });
  const unaccounted = words[head].classList.contains("open") ? ", unaccounted for" : "";
  say(`${saidOf(first, last)}${unaccounted}`);
}

// Some words, and for a single one, which may be printed often, also those around it in the paragraph.
function saidOf(first, last) {
  const k = stepAt(first);
  if (!steps[k] || first < steps[k][0] || last > steps[k][1]) return textBetween(first, last);
  const isNear = ([begin]) => paragraphOf(begin) === paragraphOf(first);
  const near = steps.slice(Math.max(0, k - WORDS_AROUND), k + WORDS_AROUND + 1).filter(isNear);
  const [begin, end] = [near[0][0], near.at(-1)[1]];
  const before = begin < first ? `… ${textBetween(begin, first - 1)} ` : "";
  const after = last < end ? ` ${textBetween(last + 1, end)} …` : "";
  const said = textBetween(first, last);
  return before || after ? `${before}›${said}‹${after}` : said;
}
const WORDS_AROUND = 2;

// Of “Orr’s”, of which a search found “Orr”, the whole word is selected.
const wordsIn = ([start, end]) => words.flatMap((word, i) => (starts(word) < end && ends(word) > start ? [i] : []));

function selectSpan(start, end) {
  const inside = wordsIn([start, end]);
  if (!inside.length) return;
  isByHand = false;
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

// Whether some words have only one of two quotation marks or brackets.
function isUnbalanced(first, last, isBracket) {
  const marks = textBetween(first, last).match(isBracket ? /[()[\]]/g : /[“”"«»]|''|``/g) || [];
  return marks.length % 2 === 1;
}

// A closing mark after words, as its last piece: `''` has two; else 0.
function closingAt(i) {
  const isNext = (at) => words[at] && starts(words[at]) === ends(words[at - 1]);
  if (!isNext(i)) return 0;
  if (/^[”"’»)\]]$/.test(words[i].textContent)) return i;
  return isNext(i + 1) && words[i].textContent + words[i + 1].textContent === "''" ? i + 1 : 0;
}

// Before a closing quotation mark, the last word has the punctuation; with the opening mark, it has the closing one, too,
// and so with brackets.
function withPunctuation(last) {
  let end = last;
  while (/^[,.!?…]$/.test(words[end + 1]?.textContent) && starts(words[end + 1]) === ends(words[end])) end += 1;
  return end;
}
const closingAfter = (last) => closingAt(withPunctuation(last) + 1);
function withClosing(first, last) {
  const [end, close] = [withPunctuation(last), closingAfter(last)];
  const isBracket = close && /[)\]]/.test(words[close].textContent);
  if (!close) return last;
  if (isUnbalanced(first, end, isBracket)) return close;
  return isBracket ? last : end;
}

// An opening mark directly before words, as its first piece.
function openingBefore(first) {
  for (let begin = first - 1; begin >= 0 && begin >= first - 2; begin -= 1) {
    if (starts(words[begin + 1]) !== ends(words[begin])) return null;
    if (/^(?:[“"«‘([]|''|``)$/.test(textBetween(begin, first - 1))) return begin;
  }
  return null;
}

// With a closing quotation mark or bracket, words have the opening one before them, too.
function withOpening(first, last) {
  const begin = openingBefore(first);
  if (begin === null) return first;
  return isUnbalanced(first, last, /[([]/.test(words[begin].textContent)) ? begin : first;
}

// The end of words that begin elsewhere now: it has a closing quotation mark if they have the opening one.
function balanced(first, last) {
  if (!isUnbalanced(first, last, false)) return last;
  const length = [1, 2].find((count) => /^(?:[”"»]|'')$/.test(textBetween(last - count + 1, last)));
  return length && last - length >= first ? last - length : withClosing(first, last);
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
const passedOver = new Set(JSON.parse(sessionStorage.getItem(location.pathname)));
const possible = () => JSON.parse(one(".article").dataset.possible).filter((span) => !passedOver.has(String(span)));
const possibleHere = () => possible().find((span) => String(span) === String(spanHere()));

// For the last line, the words at the cursor if they may be a statement.
const saidOfPossible = () => (possibleHere() ? `Possible statement: “${textBetween(...chosen())}” ` : "");

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

// Spans as places in reading order: a possible statement comes after a record that begins where it does.
const placed = (spans, isPossible) => spans.map(([start, end]) => ({ start, end, isPossible, at: start + (isPossible ? 0.5 : 0) }));

// Who goes on to another record no longer seeks a speaker.
function lead(id) {
  show_now(id);
  sought = isOpen(id) ? id : null;
}

// After the record `added` was saved, the cursor stays there rather than lead back.
function go(step, changed = null, from = null, added = null) {
  const [first] = chosen();
  const start = words.length ? starts(words[first]) : 0;
  const here = start + (words.length && !card() && possibleHere() ? 0.5 : 0);
  const [toDecide, perhaps] = [placed(targets(), false), placed(possible(), true)];
  const found = [...toDecide, ...perhaps].sort((some, others) => some.at - others.at);
  // Of several records that begin here, `n` and `p` lead to each.
  const alike = toDo(start);
  const another = step && alike[alike.indexOf(card()) + step];
  if (another && alike.includes(card())) return (lead(another.id), say(summary(), described(another)));
  // Step 0, after a record was saved, selects what is open in the paragraph before the cursor or at it, or `from` an
  // offset, unless it was passed over, or else the next one: a possible statement last, and a finding that was passed
  // over never, as no form may correct it.
  const begin = from ?? (words.length ? starts(one(".w", paragraphOf(first))) : 0);
  const isNear = ({ at }) => at >= here || (at >= begin && !passed.has(at));
  const isLeft = ({ at }) => !passed.has(at) || toDo(at).some((each) => each.matches(".draft") || each.id === changed);
  const left = toDecide.filter(isLeft);
  let next = null;
  if (step > 0) next = found.find(({ at }) => at > here);
  else if (step < 0) next = found.findLast(({ at }) => at < here);
  else next = left.find(isNear) || left[0] || perhaps.find(isNear) || perhaps[0];
  if (step < 0 && !next && found.length) return say(`No place with something to do is before the cursor. ${summary()}`);
  if (step) passed.add(here);
  if (added && !(next?.at >= Number(added.dataset.begin))) return stayAt(added);
  const again = step && !next ? "Again from the beginning. " : "";
  if (step && !next) [next] = found;
  if (!next) {
    if (document.getElementById(changed)) lead(changed);
    return say(summary());
  }
  const cards = next.isPossible ? [] : toDo(next.start);
  if (next.isPossible) current = null;
  centred = !cards.length;
  selectSpan(next.start, next.end);
  centred = false;
  if (!cards.length) {
    sought = null;
    const reached = saidOfPossible() || `${one("#said").textContent} `;
    return say(`${again}${reached}${summary()}`, one("#now .hint")?.textContent);
  }
  // What was just saved may have a finding.
  const saved = step === 0 && cards.find((card) => card.id === changed);
  const shown = saved || (step < 0 ? cards.at(-1) : cards[0]);
  lead(shown.id);
  showDrafts(shown);
  say(again + summary(), described(shown));
}

// The first draft of the paragraph comes to the top, so that `A` accepts as many of those that follow as can be in view,
// unless the card that is shown, or the chosen words, then are not.
function showDrafts(shown) {
  const [first] = all(".record.draft:not([hidden])", shown.closest(".row"));
  (first || shown).scrollIntoView({ block: "start" });
  if (!isInView(shown)) shown.scrollIntoView({ block: "start" });
  words[head].scrollIntoView({ block: "nearest" });
}
