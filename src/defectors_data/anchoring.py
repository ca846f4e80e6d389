"""From quoted words to the place where they stand: strings in, spans or findings out; no files.

A quotation matches where the text holds exactly its code points, nowhere else: no normalisation, no folding of
case, no fuzzy match. Offsets are zero-based code points, end-exclusive (as in STAM and the W3C's Web Annotation
text position selector); prefix, suffix and occurrence tell equal words apart (as in its text quote selector).
Nearness only words the error.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from defectors_data.findings import Finding, Place

NEEDLE = 240
"""Code points of a quotation by which the nearest words are looked for: enough to find them, few enough to be fast."""

NEAR_ENOUGH = 60.0
"""Likeness (0 to 100) below which no words of the text are called near."""


class Quote(NamedTuple):
    """Words to be found in a text, what tells them apart from equal ones, and where they were typed."""

    text: str
    place: Place
    prefix: str = ""
    suffix: str = ""
    occurrence: int | None = None


class Span(NamedTuple):
    """A run of code points of a text: zero-based start, exclusive end."""

    start: int
    end: int


class Surroundings(NamedTuple):
    """The text that is searched: its file, its words, and whether what was typed must stay unsaid."""

    file: str
    text: str
    discreet: bool = False


def spans(quotes: Sequence[Quote], within: Surroundings) -> tuple[tuple[Span, ...], list[Finding]]:
    """Find each quotation once, in order and without overlap.

    Returns a span for each quotation and no finding, or no span and every fault.
    """
    found: list[Span] = []
    findings: list[Finding] = []
    for quote in quotes:
        span, faults = span_of(quote, within)
        findings += faults
        if span:
            found.append(span)
    if not findings:
        findings = [
            evidence_out_of_order(quote.place, overlap=before.start < span.end)
            for (before, span), quote in zip(pairwise(found), quotes[1:], strict=True)
            if span.start < before.end
        ]
    return ((), findings) if findings else (tuple(found), [])


def span_of(quote: Quote, within: Surroundings) -> tuple[Span | None, list[Finding]]:
    """Find a quotation that must stand once, told apart where it stands more often."""
    starts = _starts(quote, within.text)
    if not starts:
        return None, [quote_not_found(quote, within)]
    if quote.occurrence is None and len(starts) > 1:
        return None, [quote_ambiguous(quote, within, starts)]
    if quote.occurrence is not None and quote.occurrence > len(starts):
        return None, [occurrence_missing(quote, len(starts))]
    start = starts[(quote.occurrence or 1) - 1]
    return _whole(quote, within, start)


def every_span(quote: Quote, within: Surroundings) -> tuple[tuple[Span, ...], list[Finding]]:
    """Find every occurrence of a quotation; none at all is a fault."""
    starts = _starts(quote, within.text)
    if not starts:
        return (), [quote_not_found(quote, within)]
    spans_ = [Span(start, start + len(quote.text)) for start in starts]
    whole = tuple(span for span in spans_ if not _cuts(within.text, span))
    return (whole, []) if whole else ((), [word_cut(quote, within, spans_[0])])


MOST = 1000
"""Occurrences of a quotation that are looked at, unless a later one is asked for."""


def _starts(quote: Quote, text: str) -> list[int]:
    """Return where the words stand between their prefix and suffix; occurrences may overlap."""
    needle = quote.prefix + quote.text + quote.suffix
    most = max(MOST, quote.occurrence or 0)
    starts: list[int] = []
    at = text.find(needle)
    while at >= 0 and len(starts) < most:
        starts.append(at + len(quote.prefix))
        at = text.find(needle, at + 1)
    return starts


def occurrences(words: str, text: str) -> list[int]:
    """Return where words stand in a text, as `occurrence` counts them."""
    return _starts(Quote(words, Place("")), text)


def _whole(quote: Quote, within: Surroundings, start: int) -> tuple[Span | None, list[Finding]]:
    span = Span(start, start + len(quote.text))
    return (None, [word_cut(quote, within, span)]) if _cuts(within.text, span) else (span, [])


def _cuts(text: str, span: Span) -> bool:
    """Tell whether a span begins or ends inside a word."""
    return any(_inside_word(text, at) for at in span)


_APOSTROPHES = "'’"
_CONTRACTED = re.compile(r"(?!s\b)\w")
"""What goes on a word behind an apostrophe; a possessive may be left out."""


def _of_word(character: str) -> bool:
    """Tell whether a character goes on a word: letters, digits, combining marks, joiners and soft hyphens."""
    return character.isalnum() or character in "\u00ad\u200c\u200d\u2060" or unicodedata.combining(character) > 0


def _inside_word(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _of_word(before) and _of_word(after):
        return True
    if before in _APOSTROPHES and text[at - 2 : at - 1].isalnum() and after.isalnum():
        return True
    if before.isalnum() and after in _APOSTROPHES and _CONTRACTED.match(text, at + 1):
        return True
    in_number = before in ".," and text[at - 2 : at - 1].isdigit() and after.isdigit()
    return in_number or (before.isdigit() and after in ".," and text[at + 1 : at + 2].isdigit())


def holds(text: str, words: str) -> bool:
    """Tell whether a text holds words whole: not only inside longer ones."""
    starts = occurrences(words, text)
    return any(not _cuts(text, Span(start, start + len(words))) for start in starts)


# ---- where something stands --------------------------------------------------------------------------------


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of an offset, both from 1, the column in code points."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def sentence_around(text: str, span: Span, *, width: int = 60) -> str:
    """Return the words around a span on its line, at most `width` code points each side, the span in [brackets]."""
    start = max(text.rfind("\n", 0, span.start) + 1, span.start - width)
    end = text.find("\n", span.end)
    end = min(len(text) if end < 0 else end, span.end + width)
    return f"{text[start : span.start]}[{text[span.start : span.end]}]{text[span.end : end]}"


_LAST_OF_TWO_BYTES = 0xFFFF


class Offsets:
    """Offsets of one text in other units than code points."""

    def __init__(self, text: str) -> None:
        """Count once for all offsets of the text; memory is two integers for each code point."""
        self._utf16 = list(accumulate((2 if ord(c) > _LAST_OF_TWO_BYTES else 1 for c in text), initial=0))
        self._utf8 = list(accumulate((len(c.encode()) for c in text), initial=0))

    def utf16(self, offset: int) -> int:
        """Return the number of UTF-16 code units before a code point."""
        return self._utf16[offset]

    def utf8(self, offset: int) -> int:
        """Return the number of bytes of UTF-8 before a code point."""
        return self._utf8[offset]


# ---- the nearest words -------------------------------------------------------------------------------------


def nearest(words: str, text: str) -> Span | None:
    """Return the run of the text that is most like the words, on word boundaries, or None where nothing is near.

    Likeness is the normalised indel similarity of the best alignment (rapidfuzz), case and the styles of marks, dashes
    and spaces aside. Of long words the first `NEEDLE` code points decide where; the run stays within one line.
    """
    folded = _folded(text)
    needle = _folded(unicodedata.normalize("NFC", words))
    found = fuzz.partial_ratio_alignment(needle[:NEEDLE], folded, score_cutoff=NEAR_ENOUGH)
    if not found or not text or len(needle) > len(text):
        return None
    middle = (found.dest_start + found.dest_end) // 2
    first = folded.rfind("\n", 0, middle) + 1
    last = folded.find("\n", middle)
    line = folded[first : len(folded) if last < 0 else last]
    start, end = _matched(needle, line)
    return _on_word_boundaries(text, first + start, first + end)


def _matched(needle: str, line: str) -> tuple[int, int]:
    """Return the run of a line that the needle is aligned to: from the first run that both share to the last one."""
    if len(needle) >= len(line):
        return 0, len(line)
    found = fuzz.partial_ratio_alignment(needle, line)
    slack = 8 + len(needle) // 8
    start = max(0, (found.dest_start if found else 0) - slack)
    end = min(len(line), (found.dest_end if found else len(line)) + slack)
    same = [step for step in Levenshtein.opcodes(needle, line[start:end]) if step.tag == "equal"]
    same = [step for step in same if step.src_end - step.src_start >= _RUN] or same
    if not same:
        return start, end
    first = start + same[0].dest_start - same[0].src_start
    last = start + same[-1].dest_end + len(needle) - same[-1].src_end
    return max(0, first), min(len(line), max(last, first + 1))


_RUN = 4
"""Code points in a row that two runs share before they are taken to be aligned there."""


def _folded(words: str) -> str:
    """Return words of the same length without regard to case and to the styles of marks, dashes and spaces."""
    lower = words.lower()
    if len(lower) != len(words):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in words)
    return lower.translate(_FOLDS)


def _on_word_boundaries(text: str, start: int, end: int) -> Span:
    while _inside_word(text, start):
        start -= 1
    while _inside_word(text, end):
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


_CLASSES = (
    ("quotation mark or apostrophe", "'\"`´‘’‚‛“”„‟‹›«»′″"),
    ("dash or hyphen", "-‐‑‒–—―−\u00ad"),
    ("space", " \t\n\u00a0\u2002\u2003\u2009\u200a\u202f\u200b"),
)


_FOLDS = {ord(member): members[0] for _, members in _CLASSES for member in members if member != "\n"}


_PIECE = re.compile(r"\w[\w\u0300-\u036f]*|\W")
_TOLD = 3
"""Differences that are named one by one; more are counted."""


def difference(typed: str, seed: str, *, discreet: bool = False) -> str:
    """Name what differs between what was typed and what the seed has, one difference after the other.

    Where discreet, what was typed is shown only where it differs by a class of character.
    """
    mine, theirs = _PIECE.findall(typed), _PIECE.findall(seed)
    steps = [step for step in Levenshtein.opcodes(mine, theirs) if step.tag != "equal"]
    told = [
        _step("".join(mine[s.src_start : s.src_end]), "".join(theirs[s.dest_start : s.dest_end]), at, discreet)
        for s in steps[:_TOLD]
        for at in [len("".join(mine[: s.src_start])) + 1]
    ]
    more = len(steps) - _TOLD
    return " ".join([*told, *([f"{more} more differences follow."] if more > 0 else [])])


def _step(typed: str, seed: str, at: int, discreet: bool) -> str:  # noqa: FBT001  # called in one place
    """Word one difference: at a character of what was typed, counted from 1."""
    if len(typed) == len(seed) == 1 and any(typed in members and seed in members for _, members in _CLASSES):
        return f"Yours has {_named(typed)}, the seed {_named(seed)}, at character {at}."
    if typed and typed.casefold() == seed.casefold():
        return f"Yours has {typed}, the seed {seed}, at character {at}: another case."
    if unicodedata.normalize("NFC", typed) == unicodedata.normalize("NFC", seed):
        return f"Yours spells a letter with other code points than the seed at character {at}."
    if discreet:
        return f"The words differ at character {at}."
    if not typed:
        return f"Yours lacks {_shown_run(seed)} at character {at}."
    if not seed:
        return f"Yours has {_shown_run(typed)} too much at character {at}."
    return f"Yours has {_shown_run(typed)}, the seed {_shown_run(seed)}, at character {at}."


def _shown_run(words: str) -> str:
    """Return a run of characters in quotation marks; one that cannot be seen alone is named."""
    return _named(words) if len(words) == 1 and (words.isspace() or not words.isprintable()) else f"“{words[:40]}”"


def _named(character: str) -> str:
    shown = character if character.isprintable() and not character.isspace() else ""
    return f"U+{ord(character):04X} {shown or unicodedata.name(character, 'control character').lower()}"


# ---- faults ------------------------------------------------------------------------------------------------


def quote_not_found(quote: Quote, within: Surroundings) -> Finding:
    """Evidence must stand in the seed, character for character, between its prefix and suffix if it has them."""
    message = f"These words are not in {within.file}."
    bare = quote._replace(prefix="", suffix="")
    if (quote.prefix or quote.suffix) and (starts := _starts(bare, within.text)):
        line, _ = line_and_column(within.text, starts[0])
        hint = f"The words stand in line {line}, but not between this prefix and suffix."
        return Finding(quote.place, "quote-not-found", message, (hint,))
    span = nearest(quote.text, within.text)
    if not span:
        return Finding(quote.place, "quote-not-found", message, ("Nothing in the seed is near to them.",))
    seed = within.text[span.start : span.end]
    line, _ = line_and_column(within.text, span.start)
    help_lines = (
        f"Nearest, in line {line}: {_shown(seed)}",
        difference(quote.text, seed, discreet=within.discreet),
        f"To paste: {in_yaml(seed)}",
    )
    return Finding(quote.place, "quote-not-found", message, help_lines)


def quote_ambiguous(quote: Quote, within: Surroundings, starts: Sequence[int]) -> Finding:
    """Evidence that stands more than once in the seed must be told apart."""
    lines = sorted({line_and_column(within.text, start)[0] for start in starts[:8]})
    where = ", ".join(map(str, lines)) + (", ..." if len(starts) > 8 else "")  # noqa: PLR2004
    times = f"{len(starts)} times" if len(starts) < MOST else f"{MOST} times or more"
    message = f"These words stand {times} in {within.file} (lines {where})."
    hint = "Say which with `prefix`, `suffix`, or `occurrence: 1`."
    return Finding(quote.place, "quote-ambiguous", message, (hint,))


def occurrence_missing(quote: Quote, count: int) -> Finding:
    """An `occurrence` must not be higher than the number of occurrences."""
    message = f"Occurrence {quote.occurrence} is asked for, but the words stand {count} time(s)."
    return Finding(quote.place, "occurrence-missing", message)


def word_cut(quote: Quote, within: Surroundings, span: Span) -> Finding:
    """Evidence must not begin or end inside a word or a number."""
    whole = _on_word_boundaries(within.text, *span)
    line, _ = line_and_column(within.text, span.start)
    message = f"These words begin or end inside a word of line {line} of {within.file}."
    hint = f"To paste: {in_yaml(within.text[whole.start : whole.end])}"
    return Finding(quote.place, "word-cut", message, (hint,))


def evidence_out_of_order(place: Place, *, overlap: bool) -> Finding:
    """The parts of one evidence stand in the order of the seed and do not overlap."""
    what = "overlaps the part before it" if overlap else "stands before the part that is listed before it"
    return Finding(place, "evidence-out-of-order", f"This part {what}.", ("List parts in the seed's order.",))


FAULTS = (quote_not_found, quote_ambiguous, occurrence_missing, word_cut, evidence_out_of_order)


def in_yaml(words: str) -> str:
    """Return words as a YAML string that can be pasted: in double quotation marks, escaped where needed."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{"".join(map(_escaped, escaped))}"'


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) <= _LAST_OF_TWO_BYTES else f"\\U{ord(character):08x}"


def _shown(words: str) -> str:
    return words.replace("\n", " / ")
