"""Search for the words of a text that are most similar to typed words, and descriptions of the differences.

The results are used in messages and proposed corrections, never to anchor evidence.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from defectors_data.text.numerals import NUMBERS, SCALES, numerals, tokens
from defectors_data.text.offsets import LAST_OF_TWO_BYTES, Span, on_word_boundaries

# ---- words that look alike -------------------------------------------------------------------------------------


def fold(words: str) -> str:
    """Return words in lower case with one style of quotation marks, dashes and spaces; the length stays the same."""
    lower = words.lower()
    # A few letters become two in lower case, such as İ, which would shift all offsets after them.
    if len(lower) != len(words):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in words)
    return lower.translate(FOLDS)


_CLASSES = (
    ("quotation mark or apostrophe", "'\"`´‘’‚‛“”„‟‹›«»′″ʹʻʼʽˈ＇＂"),
    ("dash or hyphen", "-‐‑‒–—―−－"),
    (
        "space",
        " \t\n\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u2800\u3000",
    ),
)
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0000-\U000e0fff\u0334-\u0338"
)
"""Characters that are invisible inside a word: Unicode's Default_Ignorable_Code_Point, and combining strokes."""


FOLDS = {ord(member): members[0] for _, members in _CLASSES for member in members if member != "\n"}
"""Table for `str.translate` that gives quotation marks, dashes and spaces one style each; the length stays the same."""

UNSEEN = re.compile(f"[{_INVISIBLE}]")
"""An invisible character inside a word."""


# ---- the nearest words -----------------------------------------------------------------------------------------

OMISSION = re.compile(
    r"\[\s*(?:…|\.\s?\.(?:\s?\.)?)\s*\]|[(<]\s*(?:…|\.\s?\.\s?\.)\s*[)>]"
    r"|…|\.\s?\.\s?\.(?!\.)|\*\s?\*\s?\*"
)
"""A mark of omission, such as an ellipsis; in the text, the words before and after it are in separate places."""
_PIECE = re.compile(
    rf"(?P<omission>{OMISSION.pattern})"
    r"|(?P<word>\[\w\]\w+|\d+(?: ?\d[/⁄]\d(?!\w)|(?:[.,:]\d+)+)"  # [T]he; 2 1/2, 1,400, 10:30
    rf"|[^\Wʼ](?:[^\Wʼ]|[\u0300-\u036f{_INVISIBLE}])*)"
    rf"|(?P<line>\n+)|(?P<mark>[^\s{_INVISIBLE}])"
)
_QUOTATION_MARKS = _CLASSES[0][1]
_STOPS = frozenset(".,;:!?\u037e")
"""Punctuation after words. One of these marks may be typed in place of another: "morning!" for "morning."."""


class _Token(NamedTuple):
    """A piece of a text: a word, a mark, a mark of omission or the end of a line."""

    kind: str
    start: int
    end: int
    key: str
    """The form in which pieces are compared."""
    weight: float
    """How much the piece counts: a long word says more about the place than a short one."""


def _pieces(text: str) -> Iterator[_Token]:
    for hit in _PIECE.finditer(text):
        kind, key = hit.lastgroup or "", _alike(hit[0])
        if kind == "word":
            key = _IN_NUMBER.sub("", _ORDINAL.sub(r"\1", key.translate(_BRACKETS)))
        yield _Token(kind, *hit.span(), key, 0.3 + min(len(key), 9) / 10 if kind == "word" else 0.2)


_BRACKETS = dict.fromkeys(map(ord, "[]"))
_IN_NUMBER = re.compile(r"(?<=\d)(?:,(?=\d{3})| (?=\d)|[/⁄])")
"""Signs in numbers that are ignored in a comparison: 1,400 equals 1 400, and 2 1/2 equals 21⁄2 and 2½."""
_ORDINAL = re.compile(r"\A(\d+)(?:st|nd|rd|th)\Z")


class _TokenPair(NamedTuple):
    """A typed piece and the piece of the text in its place, by their positions."""

    mine: int
    theirs: int
    unlike: float = 0.0
    """From 0 for equal pieces to 1 for words that are not similar."""


_MIN_ALIKE, _MIN_ALIKE_PASSAGE, _MIN_SURE = 0.4, 0.5, 0.9
"""Minimum shares of similar words: among all words, in each of several passages, and for a certain match."""
_ENDS = 150
"""Number of pieces at each end by which a very long passage is found."""
_LONG, _NEEDLE, _AROUND = 20_000, 240, 2000
"""Numbers of code points: the length above which a text is long, the length of the words by which a place in it is
found, and the distance that is searched on each side of that place."""


def nearest(words: str, text: str, *, prefix: str = "", suffix: str = "") -> list[Span]:
    """Return the spans of the words of a text that are most similar to the typed words, or an empty list.

    Typed words may be altered, replaced, added, left out or in another order; case, the styles of marks, spaces and
    invisible characters are ignored. There is a span for each passage, in order: the words before and after a mark of
    omission, or the end of a line, are separate passages. `prefix` and `suffix` only help to find the place.
    """
    if len(words) > len(text):
        return []
    first, last = len(prefix), len(prefix) + len(words)
    typed = [piece for piece in _pieces(prefix + words + suffix) if piece.kind != "line"]
    # The time of an alignment grows with the product of both lengths, so only the ends of a long passage are aligned.
    if len(typed) > 2 * _ENDS:
        return _nearest_of_ends(words, text, Span(typed[_ENDS].start - first, typed[-_ENDS].start - first))
    offset = _place(prefix + words + suffix, text) if len(text) > _LONG else 0
    seed = _pieces_of(text[offset : offset + len(words) + 2 * _AROUND] if len(text) > _LONG else text)
    typed = _in_digits(typed, prefix + words + suffix, {piece.key for piece in seed})
    pairs = _WordAlignment(typed, seed).pairs() if typed and seed else []
    alike = _alike_weight(typed, pairs) / (sum(piece.weight for piece in typed if piece.kind == "word") or 1)
    asked = {i for i, piece in enumerate(typed) if first <= piece.start and piece.end <= last}
    inner = [pair for pair in pairs if pair.mine in asked]
    passages = _passages(inner, asked, typed, seed) if inner and alike >= _MIN_ALIKE else []
    if (len(passages) != 1 or alike < _MIN_SURE) and not prefix and not suffix:
        # An uncertain alignment is worse than the same words with other spaces, in another order or as whole sentences.
        same = _spaced(typed, seed) or _reordered(typed, seed)
        passages = [same] if same else _exact_sentences(typed, seed) or passages
    passages = _with_swapped(passages, [piece.key for i, piece in enumerate(typed) if i in asked], seed)
    spans = [on_word_boundaries(text, offset + seed[a].start, offset + seed[b].end) for a, b in passages]
    return [_with_marks(span, words if i == len(spans) else "", text) for i, span in enumerate(spans, 1)]


def _with_swapped(
    passages: Sequence[tuple[int, int]], typed: Sequence[str], seed: Sequence[_Token]
) -> list[tuple[int, int]]:
    """Return the passages, extended by the first or last word of the text if it was swapped with its neighbour."""
    words, found = [key for key in typed if key.isalnum()], [*passages]
    if len(words) > 1 and found:
        (start, end), (last_start, last) = found[0], found[-1]
        if start and [seed[start].key, seed[start - 1].key] == words[:2]:
            found[0] = (start - 1, end)
            last_start -= len(found) == 1
        if last + 1 < len(seed) and [seed[last + 1].key, seed[last].key] == words[-2:]:
            found[-1] = (last_start, last + 1)
    return found


def _with_marks(span: Span, words: str, text: str) -> Span:
    """Return a span with the punctuation after it, if `words` end in punctuation or a quotation mark follows it."""
    start, end = span
    omission, typed = OMISSION.match(text, end), words.rstrip().rstrip(_QUOTATION_MARKS)
    if omission and (typed[-1:] in _STOPS or OMISSION.search(typed, max(0, len(typed) - 5))):
        end = omission.end()
        return Span(start, end + (typed != words.rstrip() and text[end : end + 1] in _QUOTATION_MARKS))
    is_quotation = text[start - 1 : start] in _QUOTATION_MARKS and text[end + 1 : end + 2] in _QUOTATION_MARKS
    is_stopped = words.rstrip()[-1:] in _STOPS or (start > 0 and end + 1 < len(text) and is_quotation)
    end += is_stopped and text[end - 1].isalnum() and text[end : end + 1] in _STOPS
    left_open = text.count("“", start, end) > text.count("”", start, end)  # no evidence contains half a quotation
    if left_open and text[start] == "“":
        return Span(start + 1, end)
    return Span(start, end + (left_open and text[end : end + 1] == "”"))


def _in_digits(typed: list[_Token], words: str, keys: Collection[str]) -> list[_Token]:
    """Return the typed pieces, with a number such as "six hundred" replaced by digits if the text has it in digits."""
    for number in reversed(numerals(tokens(words))):
        inside = [i for i, piece in enumerate(typed) if number.start <= piece.start and piece.end <= number.end]
        if len(inside) > 1 and (key := f"{number.value:.0f}") in keys:
            typed[inside[0] : inside[-1] + 1] = [_Token("word", number.start, number.end, key, 0.3 + len(key) / 10)]
    return typed


@lru_cache(maxsize=2)
def _pieces_of(text: str) -> tuple[_Token, ...]:
    return tuple(_pieces(text))


def _nearest_of_ends(words: str, text: str, ends: Span) -> list[Span]:
    """Return the lines of the text from the first words to the last ones; the words between are not compared."""
    head, tail = nearest(words[: ends.start], text), nearest(words[ends.end :], text)
    if not head or not tail or head[0].start >= tail[-1].end:
        return head or tail
    lines = re.compile(r"[^\n]+").finditer(text, head[0].start, tail[-1].end)
    return [on_word_boundaries(text, *line.span()) for line in lines if line[0].strip()]


def _spaced(typed: Sequence[_Token], seed: Sequence[_Token]) -> tuple[int, int] | None:
    """Return the positions of the first and last word of the passage that differs only in spaces and marks, or None."""
    theirs = _word_positions(seed)
    letters, text = ("".join(pieces[i].key for i in _word_positions(pieces)) for pieces in (typed, seed))
    offsets = [*accumulate((len(seed[i].key) for i in theirs), initial=0)]
    at = text.find(letters)
    if not letters or at < 0 or at not in offsets or at + len(letters) not in offsets:
        return None
    return _in_one_line(theirs[offsets.index(at)], theirs[offsets.index(at + len(letters)) - 1], seed)


def _exact_sentences(typed: Sequence[_Token], seed: Sequence[_Token]) -> list[tuple[int, int]] | None:
    """Return the first and the last piece of each of several sentences, or None if the text lacks one of them."""
    ends = [i + 1 for i, piece in enumerate(typed) if piece.kind == "mark" and piece.key in ".!?"]
    theirs, found = _word_positions(seed), list[tuple[int, int]]()
    text = f" {' '.join(seed[i].key for i in theirs)} "
    for start, end in pairwise([0, *ends, len(typed)]):
        words = [piece.key for piece in typed[start:end] if piece.kind == "word"]
        if not words:
            continue  # after the last stop
        at = text.find(f" {' '.join(words)} ")
        if at < 0 or len(words) == 1:
            return None
        first = theirs[text.count(" ", 0, at)]
        last = theirs[text.count(" ", 0, at) + len(words) - 1]
        marks = [piece.key for piece in typed[start:end] if piece.kind == "mark"]
        last += bool(marks) and last + 1 < len(seed) and seed[last + 1].key == marks[-1]
        found.append((first, last))
    return found if len(found) > 1 else None


def _reordered(typed: Sequence[_Token], seed: Sequence[_Token]) -> tuple[int, int] | None:
    """Return the first and the last piece of the passage with the same words in another order, or None."""
    theirs, size = _word_positions(seed), len(_word_positions(typed))
    left = Counter(piece.key for piece in typed)
    words = {typed[i].key for i in _word_positions(typed)}
    unequal = len(words)  # number of words whose frequency differs from that among the last words of the text
    for n, i in enumerate(theirs):
        before = [(seed[theirs[n - size]].key, 1)] if n >= size else []
        for key, change in ((seed[i].key, -1), *before):
            unequal += (left[key] == 0) - (left[key] + change == 0)
            left[key] += change
        if not unequal and n + 1 >= size > 0:
            first = theirs[n + 1 - size]
            marks = Counter(piece.key for piece in seed[first:i] if piece.kind == "mark")
            if any(marks[stop] > left[stop] for stop in ".!?"):
                continue  # the words of two sentences
            stopped = (
                i + 1 < len(seed) and seed[i + 1].key in {*".!?"} and left[seed[i + 1].key] > marks[seed[i + 1].key]
            )
            return _in_one_line(first, i + stopped, seed)
    return None


def _word_positions(pieces: Sequence[_Token]) -> list[int]:
    return [i for i, piece in enumerate(pieces) if piece.kind == "word"]


def _in_one_line(first: int, last: int, seed: Sequence[_Token]) -> tuple[int, int] | None:
    return (first, last) if all(piece.kind != "line" for piece in seed[first:last]) else None


def _place(words: str, text: str) -> int:
    """Return the offset from which similar words are searched for in a long text."""
    from rapidfuzz import fuzz  # noqa: PLC0415  # slow to import, and needed only for words not found

    found = fuzz.partial_ratio_alignment(fold(words)[:_NEEDLE], fold(text))
    return max(0, found.dest_start - _AROUND) if found else 0


def _alike_weight(typed: Sequence[_Token], pairs: Iterable[_TokenPair]) -> float:
    """Return the weight of the typed words that are similar to words of the text."""
    return sum(typed[i].weight * (1 - unlike) for i, _, unlike in pairs if typed[i].kind == "word")


def _passages(
    pairs: Sequence[_TokenPair], asked: set[int], typed: Sequence[_Token], seed: Sequence[_Token]
) -> list[tuple[int, int]]:
    """Return the positions, in the text, of the first and the last piece of each passage.

    `asked` has the positions of the typed pieces to be found.
    """
    found = list[list[_TokenPair]]([[]])
    for pair in pairs:
        last = next((each for each in reversed(found[-1]) if seed[each.theirs].kind == "word"), None)
        limits = _ends_of_passage(last, pair, typed, seed) if last and seed[pair.theirs].kind == "word" else None
        if limits:
            before = [each for each in found[-1] if each.mine < limits[0] and each.theirs < limits[1]]
            found[-1:] = [before, found[-1][len(before) :]]
        found[-1].append(pair)
    kept = list[list[_TokenPair]]()
    ends = [passage[0].mine for passage in found[1:]]
    for passage, start, end in zip(found, [0, *ends], [*ends, len(typed)], strict=True):
        whole = sum(typed[i].weight for i in asked if start <= i < end and typed[i].kind == "word")
        # An attribution in brackets is not evidence, although its words may be in the text: "We left." (Ada)
        bracketed = len(found) > 1 and not {i for i in range(start, end) if typed[i].kind == "word"} - _in_brackets(
            typed
        )
        if _alike_weight(typed, passage) >= _MIN_ALIKE_PASSAGE * whole and not bracketed:
            kept.append(passage)
    kept = kept or [max(found, key=lambda passage: _alike_weight(typed, passage))]
    trimmed = (_trimmed(passage, typed, seed) for passage in kept)
    return [(passage[0].theirs, passage[-1].theirs) for passage in trimmed if passage]


def _in_brackets(typed: Sequence[_Token]) -> set[int]:
    """Return the positions of the pieces in round brackets, including the brackets."""
    opened, found = None, set[int]()
    for i, piece in enumerate(typed):
        if piece.key == "(":
            opened = i
        elif piece.key == ")" and opened is not None:
            found.update(range(opened, i + 1))
            opened = None
    return found


def _ends_of_passage(
    one: _TokenPair, other: _TokenPair, typed: Sequence[_Token], seed: Sequence[_Token]
) -> tuple[int, int] | None:
    """Return where, among the typed pieces and in the text, a passage ends between two pairs, or None if it continues.

    It ends where a line ends, where a mark of omission replaces words, or where an attribution interrupts a quotation.
    """
    between = range(one.theirs + 1, other.theirs)
    closing = next((k for k in between if _is_quotation_mark(seed, k, before=True)), None)
    if closing is not None and any(_is_quotation_mark(seed, k, before=False) for k in between if k > closing):
        return other.mine, closing  # "We left," she said. "It rained."
    omission = next((i for i in range(one.mine + 1, other.mine) if typed[i].kind == "omission"), None)
    if omission is not None and any(seed[k].kind == "word" for k in between):
        return omission, other.theirs
    line = next((k for k in between if seed[k].kind == "line"), None)
    return None if line is None else (other.mine, line)


def _is_quotation_mark(pieces: Sequence[_Token], k: int, *, before: bool) -> bool:
    """Return whether a piece is a quotation mark that touches only the piece before it, or only the one after it."""
    touches = [one.end == other.start for one, other in pairwise(pieces[k - 1 : k + 2])]
    return pieces[k].key == "'" and touches == [before, not before]


def _trimmed(pairs: Sequence[_TokenPair], typed: Sequence[_Token], seed: Sequence[_Token]) -> Sequence[_TokenPair]:
    """Return the pairs of a passage without those at its ends that pair unrelated words.

    Dissimilar words are dropped beyond a mark that is not in both texts and, if there are more than two of them, also
    beyond a mark that is. A mark at an end is kept if it was typed there; a final stop is also kept if another mark was
    typed in its place.
    """

    def reach(k: int, step: int) -> int:
        """Return the position of the outermost pair to be kept, in steps of 1 or -1 from a pair of similar words."""
        outermost, beyond, passed = k, list[int](), False
        while 0 <= k + step < len(pairs):
            one, other = sorted((pairs[k], pairs[k + step]))
            k += step
            mine, theirs = typed[pairs[k].mine], seed[pairs[k].theirs]
            apart = _are_separated(typed, one.mine, other.mine) or _are_separated(seed, one.theirs, other.theirs)
            if apart or (theirs.kind != "word" and mine.key != theirs.key):
                break
            passed |= theirs.kind != "word"
            if passed:
                beyond += [k] * (theirs.kind == "word")
            else:
                outermost = k
        return beyond[-1] if 0 < len(beyond) <= _FEW else outermost

    def similar(pair: _TokenPair) -> bool:
        mine, theirs = typed[pair.mine], seed[pair.theirs]
        return theirs.kind == "word" and (pair.unlike < 1 or (_is_number(mine.key) and _is_number(theirs.key)))

    words = [k for k, pair in enumerate(pairs) if similar(pair)]
    if not words:
        return []
    start, end = reach(words[0], -1), reach(words[-1], 1)
    marks = {piece.key for piece in typed[pairs[end].mine + 1 :] if piece.kind == "mark"}
    while start and _is_mark(seed[pairs[start - 1].theirs], {typed[pairs[start - 1].mine].key} - _STOPS):
        start -= 1
    while end + 1 < len(pairs):
        mine, theirs = typed[pairs[end + 1].mine], seed[pairs[end + 1].theirs]
        if not _is_mark(theirs, marks if mine.key in _OPENERS else marks | _STOPS):
            break
        end += 1
    return pairs[start : end + 1]


def _is_mark(piece: _Token, marks: Collection[str]) -> bool:
    return piece.kind == "mark" and piece.key in marks


def _are_separated(pieces: Sequence[_Token], first: int, last: int) -> bool:
    """Return whether a mark separates two pieces; a hyphen or an apostrophe inside a word does not."""
    return any(
        piece.kind != "word" and not (piece.key in "-'" and before.end == piece.start and piece.end == after.start)
        for (before, piece), (_, after) in pairwise(pairwise(pieces[first : last + 1]))
    )


_OPENERS = frozenset("([{<")
_FEW = 2
"""Maximum number of dissimilar words that are kept beyond a mark at an end of a passage."""


_EXTRA, _MISSING, _REPLACED, _MIN_SIMILARITY = 1.5, 0.8, 1.3, 0.6
"""Costs, per weight, of an extra, a missing and a replaced word, and the minimum similarity of similar words."""
_OMITTED, _NEXT_LINE, _ELSEWHERE, _OTHER_MARK, _SPACING = 0.25, 0.8, 2.0, 0.15, 0.1
"""Costs of leaving out words at a mark of omission, of leaving out whole lines, of leaving out other words, of a
different mark, and of different spacing. A word that is typed twice costs as much, per weight, as different spacing."""


def _is_number(key: str) -> bool:
    return key in NUMBERS or key in SCALES or _is_in_digits(key)


def _is_in_digits(key: str) -> bool:
    return key[0].isdigit() and key[-1].isdigit()


class _WordAlignment:
    """The cheapest alignment of what was typed with a part of a text (Sellers 1980), with costs for words."""

    def __init__(self, typed: Sequence[_Token], seed: Sequence[_Token]) -> None:
        from rapidfuzz.fuzz import ratio  # noqa: PLC0415  # slow to import, and needed only for words not found

        self._typed, self._seed, self._ratio = typed, seed, ratio
        self._costs: dict[tuple[str, str], list[float]] = {}
        self._missing = [0.4 if piece.kind == "line" else _MISSING * piece.weight for piece in seed]
        self._different = {(piece.kind, piece.key): piece for piece in seed}
        self._keys = {piece.key for piece in seed}
        self._joined = {one.key + other.key for one, other in pairwise(seed) if one.kind == other.kind == "word"}
        self._joined |= {
            one.key + other.key for (one, hyphen), (_, other) in pairwise(pairwise(seed)) if hyphen.key == "-"
        }
        self._rows = [[0.0] * (len(seed) + 1)]
        """The cost of the best alignment of the first typed pieces that ends before each piece of the text."""
        self._steps: list[list[tuple[int, int, bool]]] = [[]]
        """The cell before each cell, and whether the pieces between them are pairs."""
        for i in range(len(typed)):
            self._add(i)

    def _add(self, i: int) -> None:
        piece, before, costs, missing = self._typed[i], self._rows[-1], self._costs_of(self._typed[i]), self._missing
        twice = i > 0 and piece.key == self._typed[i - 1].key  # such as "the the"
        extra = (_SPACING if twice else _EXTRA) * piece.weight
        split = self._typed[i - 1].key + piece.key if i and piece.kind == self._typed[i - 1].kind == "word" else ""
        spaced = piece.key in self._joined or split in self._keys
        row, steps = [last := before[0] + extra], [(i, 0, False)]
        # The cheapest cells so far from which words are left out: with a mark, without one, and up to a line's end.
        omitted, elsewhere, line = math.inf, math.inf, math.inf
        omitted_at, elsewhere_at, line_at = 0, 0, 0
        for j, seed in enumerate(self._seed):
            best, step = before[j] + costs[j], (i, j, True)
            if before[j + 1] + extra < best:
                best, step = before[j + 1] + extra, (i, j + 1, False)
            if last + missing[j] < best:
                best, step = last + missing[j], (i + 1, j, False)
            # This cost and the two below grow with the distance, so that the nearest continuation is preferred.
            elsewhere += 0.01
            if last + _ELSEWHERE < elsewhere:
                elsewhere, elsewhere_at = last + _ELSEWHERE, j
            if elsewhere < best:
                best, step = elsewhere, (i + 1, elsewhere_at, False)
            if piece.kind == "omission":
                omitted += 0.002
                if before[j] + _OMITTED < omitted:
                    omitted, omitted_at = before[j] + _OMITTED, j
                if omitted < best:
                    best, step = omitted, (i, omitted_at, False)
            if seed.kind == "line":
                if line < best:
                    best, step = line, (i + 1, line_at, False)
                line += 0.05
                if best + _NEXT_LINE < line:
                    line, line_at = best + _NEXT_LINE, j + 1
            if spaced and j and self._seed[j - 1].key + seed.key == piece.key and before[j - 1] + _SPACING < best:
                best, step = before[j - 1] + _SPACING, (i, j - 1, True)
            if spaced and j > 1 and self._seed[j - 1].key == "-" and self._seed[j - 2].key + seed.key == piece.key:
                best, step = before[j - 2] + _SPACING, (i, j - 2, True)
            if spaced and split == seed.key and self._rows[-2][j] + _SPACING < best:
                best, step = self._rows[-2][j] + _SPACING, (i - 1, j, True)
            row.append(last := best)
            steps.append(step)
        self._rows.append(row)
        self._steps.append(steps)

    def _costs_of(self, piece: _Token) -> list[float]:
        """Return the cost of pairing a typed piece with each piece of the text."""
        if (piece.kind, piece.key) not in self._costs:
            different = {key: self._cost(piece, each) for key, each in self._different.items()}
            self._costs[piece.kind, piece.key] = [different[each.kind, each.key] for each in self._seed]
        return self._costs[piece.kind, piece.key]

    def _cost(self, mine: _Token, theirs: _Token) -> float:
        if mine.key == theirs.key:
            return 0.0
        if mine.kind != "word" != theirs.kind != "line":
            return _OTHER_MARK
        if mine.kind != "word" or theirs.kind != "word":
            return math.inf
        number = float(mine.key) if mine.key.isdecimal() else NUMBERS.get(mine.key)
        if number is not None and number == (float(theirs.key) if theirs.key.isdecimal() else NUMBERS.get(theirs.key)):
            return _SPACING
        initial = len(mine.key) == 1 and theirs.key.startswith(mine.key)
        alike = 0.7 if initial else self._ratio(mine.key, theirs.key, score_cutoff=100 * _MIN_SIMILARITY) / 100
        digits = _is_in_digits(mine.key) or _is_in_digits(theirs.key)
        if digits and not (_is_number(mine.key) and _is_number(theirs.key)):
            return 2 * _EXTRA * mine.weight  # a number in place of a word
        return _REPLACED * mine.weight * (1 - alike) + 0.02 * theirs.weight

    def pairs(self) -> list[_TokenPair]:
        """Return the pairs of typed pieces and pieces of the text, in order."""
        i, found = len(self._typed), list[_TokenPair]()
        j = min(range(len(self._seed) + 1), key=self._rows[-1].__getitem__)
        while i:
            i_before, j_before, paired = self._steps[i][j]
            if paired and (i - i_before, j - j_before) != (1, 1):  # typed with or without a space
                found += [
                    _TokenPair(a, b) for a in range(i - 1, i_before - 1, -1) for b in range(j - 1, j_before - 1, -1)
                ]
            elif paired:
                piece = self._typed[i - 1]
                unlike = self._costs_of(piece)[j - 1] / piece.weight / _REPLACED if piece.kind == "word" else 0.0
                found.append(_TokenPair(i - 1, j - 1, min(1.0, unlike)))
            i, j = i_before, j_before
        return found[::-1]


# ---- differences -----------------------------------------------------------------------------------------------

_TOKEN = re.compile(rf"\d+(?:[.,:]\d+)+|[^\Wʼ](?:[^\Wʼ]|[\u0300-\u036f{_INVISIBLE}])*|\W|ʼ")
_MOST_NAMED = 3
"""Maximum number of kinds of differences that are described; further differences are only counted."""


class _WordDifference(NamedTuple):
    """A difference, as the positions of its pieces among those that were typed and those of the seed."""

    i: int
    i_end: int
    j: int
    j_end: int


class _Sentence(NamedTuple):
    """A sentence about a difference at a character of the typed words, counted from 1; each kind is described once."""

    kind: str
    at: int
    sentence: str


def difference(typed: str, seed: str, *, discreet: bool = False, name: str = "seed") -> str:
    """Return sentences that name the differences between what was typed and the seed, which they call `name`.

    If `discreet`, typed words are shown only if they differ from the seed's in nothing but case, encoding, invisible
    characters, or characters that look alike.
    """
    mine, theirs = _TOKEN.findall(typed), _TOKEN.findall(seed)
    found = dict[str, list[_Sentence]]()
    for i, i_end, j, j_end in _steps(mine, theirs):
        runs = "".join(mine[i:i_end]), "".join(theirs[j:j_end])
        for said in _sentences(*runs, len("".join(mine[:i])) + 1, discreet=discreet, name=name):
            found.setdefault(said.kind, []).append(said)
    kinds = [*found.values()]
    more = sum(map(len, kinds[_MOST_NAMED:]))
    return " ".join([*map(_once, kinds[:_MOST_NAMED]), *([f"Further differences: {more}."] if more else [])])


def _once(said: Sequence[_Sentence]) -> str:
    """Return the first of several sentences of one kind, and where the others are."""
    others = [str(each.at) for each in said[1:]]
    if not others:
        return said[0].sentence
    places = f"character{'s' if len(others) > 1 else ''} {' and '.join(others)}"
    also = "The case also differs at" if said[0].kind == "case" else "The same at"
    return f"{said[0].sentence} {also} {places if len(others) < _MOST_NAMED else f'{len(others)} more places'}."


def _steps(mine: Sequence[str], theirs: Sequence[str]) -> list[_WordDifference]:
    """Return the differences in order; several inside one word, or in adjacent marks and spaces, count as one."""
    steps = [*_edits(mine, theirs)]
    my_words, their_words = ([*filter(str.isalnum, map(_alike, pieces))] for pieces in (mine, theirs))
    # If only the order of words differs, everything between the outermost moved words is one difference.
    if my_words != their_words and sorted(my_words) == sorted(their_words):
        moved = [k for k, step in enumerate(steps) if _has_word(step, mine, theirs)]
        first, last = moved[0], moved[-1]
        steps[first : last + 1] = [_joined(steps[first], steps[last])]
    found = list[_WordDifference]()
    for step in _with_spaces(steps, mine, theirs):
        if found and _is_one(found[-1], step, mine, theirs):
            i, i_end, j, j_end = _joined(found.pop(), step)
            has_word = _has_word(_WordDifference(i, i_end, j, j_end), mine, theirs)
            while has_word and i and j and mine[i - 1] == theirs[j - 1] and not mine[i - 1].isspace():
                i, j = i - 1, j - 1
            while has_word and mine[i_end : i_end + 1] == theirs[j_end : j_end + 1] != [] and mine[i_end].isalnum():
                i_end, j_end = i_end + 1, j_end + 1
            step = _WordDifference(i, i_end, j, j_end)  # noqa: PLW2901  # extended
        found.append(step)
    return found


def _edits(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[_WordDifference]:
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    edited: _WordDifference | None = None
    for each in Levenshtein.opcodes([*map(_alike, mine)], [*map(_alike, theirs)]):
        i, i_end, j, j_end = each.src_start, each.src_end, each.dest_start, each.dest_end
        if each.tag != "equal":
            edited = _joined(
                edited or _WordDifference(i, i_end, j, j_end), _WordDifference(i, i_end, j, j_end)
            )  # adjacent edits are one
            continue
        if edited:
            yield edited
        edited = None
        # Pieces that look alike are equal to the aligner, but may still differ in code points.
        pairs = zip(range(i, i_end), range(j, j_end), strict=True)
        yield from (_WordDifference(a, a + 1, b, b + 1) for a, b in pairs if mine[a] != theirs[b])
    if edited:
        yield edited


def _with_spaces(steps: Iterable[_WordDifference], mine: Sequence[str], theirs: Sequence[str]) -> list[_WordDifference]:
    """Join two differences that a space separates, if the words between their ends differ only in their spaces."""

    def letters(pieces: Sequence[str]) -> str:
        return "".join(map(_alike, pieces)).replace(" ", "")

    found = list[_WordDifference]()
    for step in steps:
        if found and step.i - found[-1].i_end == 1 == step.j - found[-1].j_end and mine[step.i - 1] == " ":
            i, i_end, j, j_end = _joined(found[-1], step)
            if i_end - i != j_end - j and letters(mine[i:i_end]) == letters(theirs[j:j_end]):
                spaced = mine[i_end - 1] == theirs[j_end - 1] == " "
                found[-1] = _WordDifference(i, i_end - spaced, j, j_end - spaced)
                continue
        found.append(step)
    return found


def _joined(one: _WordDifference, other: _WordDifference) -> _WordDifference:
    return _WordDifference(one.i, other.i_end, one.j, other.j_end)


def _has_word(step: _WordDifference, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    return any(piece[0].isalnum() for piece in (*mine[step.i : step.i_end], *theirs[step.j : step.j_end]))


def _is_one(one: _WordDifference, other: _WordDifference, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether two differences that follow each other are named as one."""
    words = [_has_word(step, mine, theirs) for step in (one, other)]
    if not any(words):
        return (one.i_end, one.j_end) == (other.i, other.j)
    if any(piece.isspace() for piece in mine[one.i : other.i_end]):
        return False
    # A mark at the end of a word, such as a quotation mark, is a separate difference.
    return all(has or _is_inside_word(step, mine) for step, has in zip((one, other), words, strict=True))


def _is_inside_word(step: _WordDifference, mine: Sequence[str]) -> bool:
    around = (mine[step.i - 1], mine[step.i_end]) if step.i > 0 and step.i_end < len(mine) else (" ",)
    return all(piece[0].isalnum() for piece in around)


def word_changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield each run of words in two texts, in order, with `=` (in both), `-` (only `before`) or `+` (only `after`)."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    for step in Levenshtein.opcodes(old, new):
        mine, theirs = old[step.src_start : step.src_end], new[step.dest_start : step.dest_end]
        runs = [("=", mine)] if step.tag == "equal" else [("-", mine), ("+", theirs)]
        yield from ((sign, "".join(words)) for sign, words in runs if words)


def _alike(piece: str) -> str:
    """Return a form of a piece that is equal for pieces that look alike."""
    return fold(unicodedata.normalize("NFKC", UNSEEN.sub("", piece)))


def _sentences(typed: str, seed: str, at: int, *, discreet: bool, name: str) -> Iterator[_Sentence]:
    """Yield sentences that describe one difference; `at` is its character in the typed words, counted from 1."""

    def said(sentence: str, i: int = 0, kind: str = "") -> _Sentence:
        return _Sentence(kind or sentence, at + i, f"{sentence} at character {at + i}.")

    def replaced(mine: str, theirs: str, i: int = 0) -> _Sentence:
        return said(f"Yours has {mine}, the {name} {theirs},", i)

    # From the most specific sentence to the least: the order of these tests matters.
    pairs = [i for i in range(len(typed)) if typed[i] != seed[i]] if len(typed) == len(seed) else []
    foreign = bool(pairs) and not discreet and all(typed[i].isascii() != seed[i].isascii() for i in pairs)
    if len(typed) == len(seed) == 1 and any(typed in members and seed in members for _, members in _CLASSES):
        yield replaced(_named(typed), _named(seed))
    elif foreign and len(pairs) <= _MOST_NAMED:
        yield from (replaced(_named(typed[i]), _named(seed[i]), i) for i in pairs)
    elif typed and typed.lower() == seed.lower() and typed.isascii() == seed.isascii():
        sentence = f"Yours has “{typed}”, the {name} “{seed}”, at character {at}: the case differs."
        yield _Sentence("case", at, sentence)
    elif typed and seed and UNSEEN.sub("", typed) == UNSEEN.sub("", seed):
        yield from (said(f"Yours has an extra {_named(hit[0])}", hit.start()) for hit in UNSEEN.finditer(typed))
        yield from (said(f"Yours lacks {_named(hit[0])}", hit.start()) for hit in UNSEEN.finditer(seed))
    elif unicodedata.normalize("NFC", typed) == unicodedata.normalize("NFC", seed):
        i = next(i for i in range(len(typed)) if typed[i] != seed[i : i + 1])
        letter = unicodedata.normalize("NFC", typed[i : i + 2])[:1]
        yield said(f"Yours encodes {letter} with different code points from the {name}", i)
    elif unicodedata.normalize("NFKC", typed) == unicodedata.normalize("NFKC", seed) and not {*typed} & {*_STOPS}:
        yours, its = (_named(c) if c else "plain letters" for c in (_compatible(typed), _compatible(seed)))
        yield _Sentence(yours + its, at, f"Yours has {yours}, the {name} {its}, in the word at character {at}.")
    elif not typed:
        yield said(f"Yours lacks {_shown_run(seed)}")
    elif typed and seed and sorted(my := _words(typed)) == sorted(theirs := _words(seed)) and my != theirs:
        has = "" if discreet else f"Yours has {_shown_run(typed)}, the {name} {_shown_run(seed)}, "
        sentence = f"{has}at character {at}: the order differs." if has else f"The order differs at character {at}."
        yield _Sentence(sentence, at, sentence)
    elif discreet and not seed:
        yield _Sentence("extra", at, f"Yours has extra {_kind_of(typed)} at character {at}.")
    elif discreet:
        yield _Sentence(f"{at}", at, f"The words differ at character {at}; the {name} has {_shown_run(seed)}.")
    elif not seed:
        yield said(f"Yours has an extra {_shown_run(typed)}")
    else:
        yield replaced(_shown_run(typed), _shown_run(seed))


def _kind_of(run: str) -> str:
    return "words" if any(map(str.isalnum, run)) else "spaces" if run.isspace() else "marks"


def _words(run: str) -> list[str]:
    return [*filter(str.isalnum, map(_alike, _TOKEN.findall(run)))]


def _compatible(words: str) -> str:
    """Return the first character of words that NFKC changes, such as a ligature; empty if there is none."""
    return next((c for c in words if unicodedata.normalize("NFKC", c) != c), "")


_MOST_SHOWN = 60
"""Maximum number of code points of a run that are shown."""


def _shown_run(words: str) -> str:
    """Return a run of characters in quotation marks, or the names of those that are invisible or look like others."""
    unseen = all(c.isspace() or not c.isprintable() or UNSEEN.match(c) for c in words)
    if (unseen and len(words) <= _MOST_NAMED) or (len(words) == 1 and (ord(words) in FOLDS or not words.isascii())):
        return " and ".join(_named(c) for c in words) if unseen or not words.isalnum() else f"“{words}”"
    shown = f"{words[:_MOST_SHOWN]}{'…' if len(words) > _MOST_SHOWN else ''}"
    # Words that contain quotation marks are put in backticks, which show where they end.
    return f"`{shown}`" if {*"“”"} & {*shown} and "`" not in shown else f"“{shown}”"


def _named(character: str) -> str:
    shown = "" if fold(character) == " " or not character.isprintable() or UNSEEN.match(character) else character
    unnamed = _CONTROLS.get(character) or _UNNAMED.get(unicodedata.category(character), "control character")
    return f"U+{ord(character):04X} {shown or unicodedata.name(character, unnamed).lower()}"


_CONTROLS = {"\t": "tab", "\n": "line feed", "\v": "line tabulation", "\f": "form feed", "\r": "carriage return"}
_UNNAMED = {"Co": "private-use character", "Cn": "unassigned character"}


# ---- differences that are not seen ---------------------------------------------------------------------------

_KINDS: Mapping[str, Mapping[str, str]] = {
    "quotation mark or apostrophe": dict.fromkeys("‘’", "'") | dict.fromkeys("“”", '"'),
    "no-break space": dict.fromkeys("\u00a0\u202f\u2007", " "),
    "soft hyphen": {"\u00ad": ""},
    "zero-width character": dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    "ligature": {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)},
    "length of a dash": dict.fromkeys("‐‑‒–—", "-"),
}
"""Characters that are easily mistaken for others, and their usual reading, by the name of the difference."""
_NUMBER = re.compile(r"\W{0,9}\d\W{0,9}")  # a digit and the marks next to it


def unseen_difference(words: Sequence[str], text: str) -> tuple[str, list[str]] | None:
    """Return the one kind of character in which adjacent words differ from a text, and the words as the text has them.

    Return None if they differ in any other way, if the difference is next to a digit, or if the text has the words in
    several forms.
    """
    typed = "".join(words)
    for name, table in _KINDS.items():
        plain = "".join(table.get(c, c) for c in text)
        needle = "".join(table.get(c, c) for c in typed)
        if not needle or needle not in plain:
            continue
        ends = [*accumulate(len(table.get(c, c)) for c in text)]
        found = set[tuple[str, ...]]()
        # The lookahead also finds occurrences that overlap.
        for hit in re.finditer(f"(?={re.escape(needle)})", plain):
            sizes = accumulate((len("".join(table.get(c, c) for c in each)) for each in words), initial=hit.start())
            cuts = [bisect_right(ends, at) if at == hit.start() else bisect_left(ends, at) + 1 for at in sizes]
            found.add(tuple(text[start:end] for start, end in pairwise(cuts)))
        seed = "".join(next(iter(found)))
        is_number = _NUMBER.findall(typed) != _NUMBER.findall(seed)
        is_same = "".join(table.get(c, c) for c in seed) == needle  # false if the words end inside a ligature
        return (name, list(found.pop())) if len(found) == 1 and is_same and not is_number else None
    return None


def in_yaml(words: str) -> str:
    """Return words as a double-quoted YAML string."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{"".join(map(_escaped, escaped))}"'


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) <= LAST_OF_TWO_BYTES else f"\\U{ord(character):08x}"
