"use strict";
// Keys and mouse; last, because it begins the work of the page.

let waiting = Promise.resolve();
const letters = {
  t: "testimony", f: "figure", m: "mention", w: "waiver", i: "erratum", b: "boilerplate", r: "reading",
};
// Each move from a word leads to some words, from the first to the last. With Ctrl or Alt, it leads to the next place with
// a mark: words end before it, and start after it. A mark is also the end of a sentence, but no hyphen as in "coal- and
// gas-fired" and no apostrophe as in "the keepers' lamps".
const isSentenceEnd = (k) => {
  const [[, last], [next]] = [steps[k], steps[k + 1] || [words.length]];
  return words.slice(last, next).some((_, i) => endsSentence(last + i));
};
function isMarked(k) {
  const [[, last], [next]] = [steps[k], steps[k + 1] || [words.length]];
  const between = words.slice(last + 1, next);
  const isPart = between.length === 1 && /^[-'’]$/.test(between[0].textContent) && starts(between[0]) === ends(words[last]);
  return isSentenceEnd(k) || (between.length > 0 && !isPart);
}

// The step before the next mark in a direction, or, for the start of words, after it; none if there is none. Marks next to
// the words are no place to go to.
const stepFrom = (i) => steps.findIndex(([, last]) => last >= i);
function marked(from, step, isStart) {
  const here = isStart ? stepFrom(from) : stepAt(from);
  const isInside = !isStart && from < steps[here][1];
  let k = here + (isInside && step > 0 ? 0 : step);
  while (steps[k] && !(isStart ? k === 0 || isMarked(k - 1) : isMarked(k))) k += step;
  return steps[k];
}
function neighbour(from, step, extend, each, isStart) {
  if (each) return marked(from, step, isStart) || [from, from];
  const at = stepAt(from);
  // Words that begin or end inside a step first get the rest of it; their start may also be at a mark after it.
  const isInside = step < 0 ? isStart && from > steps[at][0] : !isStart && from < steps[at][1];
  return steps[Math.max(0, Math.min(steps.length - 1, isInside ? at : at + step))];
}
const word = (i) => [clamped(i), clamped(i)];
// The step of which a piece is a part, so that the cursor is at no half of "two-year".
const wholeWord = (i) => steps.find(([first, last]) => first <= i && i <= last) || [i, i];
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
  const [begin, last] = chosen();
  isByHand = extend && !moving;
  if (moving) return moveWords(event.key, extend, each);
  // As in any text, ← leads to the start of what is selected, if that is more than a word.
  const isBack = event.key === "ArrowLeft";
  if (isBack && !extend && String(steps[stepAt(begin)]) !== String([begin, last]) && begin !== last) return choose(...wholeWord(begin));
  const isStart = !extend || head < anchor || (head === anchor && isBack);
  const [first, final] = moves[event.key](isBack && !extend ? begin : head, extend, each, isStart);
  if (!extend) return choose(...(first === final ? wholeWord(first) : [first, final]));
  const [from, to] = steps[stepAt(anchor)] || [anchor, anchor];
  const isOutside = anchor < from || anchor > to;
  const end = isOutside ? anchor : to;
  if (first < (isOutside ? anchor : from)) return choose(end, each ? withOpening(first, end) : first);
  const start = isOutside ? anchor : from;
  return choose(start, withClosing(start, withStop(start, final)));
}

// ---- the words of a record, whose end the arrow keys move, and with Shift their start -----------------------------

function moveWords(key, isStart, each) {
  let [begin, last] = chosen();
  const { isNew, others } = moving;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  // A further part begins next to the words that are kept.
  const kept = isNew && others.find(([start, end]) => start <= starts(words[begin]) && ends(words[last]) <= end);
  const edge = kept && edgeOf(wordsIn(kept), /Left|Up|Home/.test(key));
  if (kept) begin = last = edge;
  let place = [];
  if (!step) place = moves[key](isStart ? begin : last, !isStart, each);
  else if (each) place = jump(begin, last, step, isStart);
  else place = (isStart ? starting : ending)(begin, last, step);
  const [from, to] = place;
  if (from === undefined) return say("There is no mark and no conjunction in these words.");
  if (isStart && (isNew || from <= last)) begin = from;
  if (!isStart && (isNew || to >= begin)) last = to;
  if (begin > last) [begin, last] = place;
  if (paragraphOf(begin) !== paragraphOf(last)) return say("The words end with their paragraph: + begins a further part.");
  if (kept && begin === edge && last > edge) [begin] = steps[stepAt(edge) + 1];
  if (kept && last === edge && begin < edge) [, last] = steps[stepFrom(edge) - 1];
  if (!isStart) return choose(begin, withClosing(begin, withStop(begin, last)));
  if (each) begin = withOpening(begin, last);
  choose(begin, balanced(begin, last));
}

// The first or the last of some words, with the mark next to it.
function edgeOf(inside, isStart) {
  return isStart ? openingBefore(inside[0]) ?? inside[0] : closingAfter(inside.at(-1)) || inside.at(-1);
}

const saidAt = (k) => (steps[k] ? textBetween(...steps[k]).toLowerCase() : "");

// Whether a conjunction is inside of one term: "between 22 and 24", "5 or 6", "two- or three-year".
const MOST_BETWEEN = 6;
function isInTerm(k) {
  if (!["and", "or"].includes(saidAt(k)) || !k) return false;
  if (words[steps[k - 1][1] + 1].textContent === "-") return true;
  if ([k - 1, k + 1].every((at) => /^\p{Sc}?\d/u.test(saidAt(at)))) return true;
  let at = k - 1;
  while (steps[at] && at > k - MOST_BETWEEN && !isMarked(at) && !["and", "between"].includes(saidAt(at))) at -= 1;
  return saidAt(k) === "and" && saidAt(at) === "between";
}

// With Ctrl, the next place in the sentence: at a mark, or else at a conjunction, or else where the sentence ends. Where
// such a move began is a place, too, so that the opposite key takes it back. A record keeps at least a word.
const conjunctions = /^(?:after|although|and|as|because|before|but|if|or|since|that|though|unless|until|when|where|which|while|who)$/i;
function jump(begin, last, step, isStart) {
  const here = isStart ? stepFrom(begin) : stepAt(last);
  const begun = moving.begun[isStart ? "start" : "end"];
  // The places are after the step before, or after the step itself.
  const after = isStart ? 1 : 0;
  const isOutermost = (k) => k < after || isSentenceEnd(k - after);
  const isConjunction = (k) => conjunctions.test(saidAt(k + 1 - after)) && !isInTerm(k + 1 - after);
  const reached = [];
  for (let k = here + (!isStart && last < steps[here][1] && step > 0 ? 0 : step); steps[k]; k += step) {
    if (!moving.isNew && (isStart ? steps[k][0] > last : steps[k][1] < begin)) break;
    reached.push(k);
    if (isOutermost(k)) break;
  }
  const isPlace = (k) => begun.has(k) || (!isOutermost(k) && isMarked(k - after));
  const found = [isPlace, isConjunction, isOutermost].map((each) => reached.find(each)).find((k) => k !== undefined);
  if (found === undefined) return [];
  begun.add(here);
  return steps[found];
}

// Without Ctrl, the next word, or the quotation mark or bracket that is next to a word.
function ending(begin, last, step) {
  const places = [];
  for (const [, end] of steps) {
    places.push(end);
    const close = closingAfter(end);
    if (close && words[close].textContent !== "’") places.push(close);
  }
  // What follows from the end of the words, such as a full stop, does not keep the end where it is.
  const isOnlyStop = (end) => /^[.,;:!?…]*$/.test(textBetween(end + 1, last));
  const isBefore = (end) => end < last && !isOnlyStop(end) && withClosing(begin, withStop(begin, end)) < last;
  const to = (step > 0 ? places.find((end) => end > last) : places.findLast(isBefore)) ?? last;
  return [steps[stepAt(to)][0], to];
}

function starting(begin, _, step) {
  const places = steps.flatMap(([first]) => [openingBefore(first) ?? first, first]);
  const from = (step > 0 ? places.find((first) => first > begin) : places.findLast((first) => first < begin)) ?? begin;
  return [from, steps[stepFrom(from)][1]];
}

// The words that `s` selected last: pressed again, it adds the sentence before.
let sentences = "";

const isKept = (i) => moving.others.some(([start, end]) => start <= starts(words[i]) && ends(words[i]) <= end);

function wholeSentence() {
  let [first, last] = chosen();
  // Words that were selected by hand are to be more, whatever record they are in.
  const isOfRecord = !moving && card()?.matches(".testimony") && (first === last || !isByHand);
  if (isOfRecord) return wholeTestimony();
  const again = sentences === String(chosen());
  isByHand = !moving;
  // A further part begins after the words that are kept.
  const [next] = steps[stepAt(last) + 1] || [];
  if (moving?.isNew && next && isKept(last)) [anchor, last] = [next, next];
  else anchor = again && first > 0 ? sentenceStart(first - 1) : sentenceStart(first);
  select(sentenceEnd(last), true);
  sentences = String(chosen());
}

// After Esc, Tab leaves the article; otherwise, it chooses a record at the cursor.
let leaving = false;

// What a key does now; `shown` are the drafts that were in view when it was pressed.
function actOf(event, shown) {
  const { key } = event;
  // Any other letter may be a mistyped one.
  if (lettered && /^[a-z]$/.test(key)) return () => followLetter(key);
  if (lettered) followLetter("");
  if (key in moves) return () => move(event);
  const isCode = /^[1-9]$/.test(key);
  if (moving) return {
    Enter: moved,
    // A key that accepts also saves the words, and so does the one that opens the form.
    a: () => moved().then((also) => accept(recordHere(), also)),
    A: () => {
      const { id } = document.getElementById(moving.card).dataset;
      return moved().then((also) => acceptAll([...shown, id], also && `${also[0].toUpperCase()}${also.slice(1)}. `));
    },
    e: () => moved().then(() => edit(recordHere())),
    // The words may change what the numbers mean: the one that is shown now counts.
    [isCode && key]: () => {
      const chosen = offeredAt(key);
      return moved().then((also) => code(key, also, chosen));
    },
    "+": furtherPart,
    s: wholeSentence,
    "/": openSearch,
    Escape: () => { const { part, card: stay } = moving; stopMoving(); selectSpan(...part); show_now(stay); },
  }[key];
  const kind = letters[key];
  if (kind) return () => open(kind, kind === "boilerplate");
  return {
    n: () => go(1),
    p: () => go(-1),
    s: wholeSentence,
    a: () => accept(),
    A: () => acceptAll(shown),
    x: () => reject(),
    u: () => undo(),
    c: change,
    e: () => edit(recordHere()),
    v: () => nextMode(),
    g: showLetters,
    S: () => edit(one(".article").dataset.source),
    N: () => toArticle(1),
    P: () => toArticle(-1),
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
  const isPrinted = event.key.length === 1;
  // With AltGr, keys print further characters.
  const isModified = !event.getModifierState("AltGraph") && (event.metaKey || ((event.ctrlKey || event.altKey) && !isMove));
  const isOfForm = queued && !saving && event.altKey && !event.ctrlKey && isPrinted;
  if ((isModified && !isOfForm) || isTyping || !words.length) return;
  if (saving && isPrinted) event.preventDefault();
  if (saving && ["Tab", "Enter", "Escape"].includes(event.key)) return;
  // Elsewhere on the page, only letters are keys of the article.
  if (!isInText && !saving && !isPrinted && event.target !== document.body) return;
  const isTab = event.key === "Tab";
  if (isTab && leaving) return;
  if (event.key !== "Shift" && !isTab) leaving = event.key === "Escape" && !moving && !queued;
  const shown = readyIds();
  const act = () => {
    if (isTab) return nextRecord(event.shiftKey ? -1 : 1);
    return isModified ? null : actOf(event, shown)?.();
  };
  // After a key that is waiting, these may have a meaning, or are for the form that it opens.
  const isLater = queued && (isPrinted || isTab || ["Enter", "Escape", "Backspace"].includes(event.key));
  if (!isLater && !isTab && !actOf(event, shown)) return;
  event.preventDefault();
  // A key that is held down accepts nothing further.
  if (event.repeat && !isMove && !isTab) return;
  if ((isMove || isTab) && !queued) return isTab ? act() : move(event);
  // Keys that are pressed while a change is saved wait for it, and then apply to the next record.
  queue(act, event);
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

// Keys that were pressed before a form was open are typed in it, up to the first one that it cannot take, such as Enter,
// which would save what nobody has seen. Those that were pressed while a form was saved are not for this form.
let missed = 0;
function queue(next, event = null) {
  const before = opened;
  inTurn(() => {
    const dialog = one("dialog[open]");
    if (!dialog) return next();
    if (!event || [before, missed].includes(opened)) return;
    if (dialog.id === "search" && event.key === "Enter") return searched();
    if (isTypedIn(dialog, event)) return;
    missed = opened;
    const key = event.key === " " ? "Space" : event.key;
    const said = `${key} was pressed before this form was open, and has no effect in it, nor has what followed.`;
    const line = one("#refused, #hit-count", dialog);
    line?.replaceChildren(`${line.textContent} ${said}`.trim());
  });
}

// Presses a key in the field that has the focus; returns whether it is one that a form can take.
function isTypedIn(dialog, { key, code, altKey, shiftKey }) {
  const field = document.activeElement;
  if (key === "Escape") dialog.close();
  else if (key === "Tab") {
    const fields = all("input, select, textarea, button, summary", dialog).filter((each) => !each.disabled && each.getClientRects().length);
    const next = fields[fields.indexOf(field) + (shiftKey ? -1 : 1)];
    next?.focus();
    next?.select?.();
    return Boolean(next);
  } else if (key === "Backspace") document.execCommand("delete");
  else if (key.length > 1) return false;
  // A list takes a letter, and Alt with a letter leads to a field; else, the letter is text.
  else if (field.dispatchEvent(new KeyboardEvent("keydown", { key, code, altKey, bubbles: true, cancelable: true })))
    return !altKey && field.matches("input:not([type=checkbox]), textarea") && document.execCommand("insertText", false, key);
  return true;
}

const searched = () => search().catch(({ message }) => { one("#hit-count").textContent = message; });

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
  isByHand = true;
  select(at, !begun || event.shiftKey);
}

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
one("#accept-all").addEventListener("click", () => {
  const shown = readyIds();
  queue(() => acceptAll(shown));
});
document.addEventListener("scroll", showReady, { passive: true });
new ResizeObserver(showReady).observe(one("#dock"));
one("#form form").addEventListener("submit", save);
one("#form form").addEventListener("invalid", refuse, true);
for (const chosen of ["change", "focusout"]) one("#form").addEventListener(chosen, ({ target }) => target.setCustomValidity?.(""));
one("#form").addEventListener("change", (event) => { followSpeaker(event.target); emptyOthers(event.target); followHedge(event.target); followKind(event.target); hideOthers(); });
one("#form").addEventListener("focusin", describeField);
one("#form").addEventListener("keydown", typeahead);
one("#form").addEventListener("keydown", mnemonic);
one("#form").addEventListener("keydown", (event) => {
  // In a text field, Enter submits the form in every browser, but not in these.
  if (event.key !== "Enter" || event.target.matches("button, summary, textarea")) return;
  if (event.shiftKey) {
    event.target.blur(); // what was typed first changes the fields that follow it, as with Enter
    save(event, true);
  } else if (event.target.matches("select, [type=checkbox]")) {
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
one("#search form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (moving) inTurn(searched);
  else searched();
});
one("#hits").addEventListener("keydown", throughHits);
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
if (to) reach(Number(from), Number(to));
else if (targets().length) go(0);
one("#text").focus();
