"""Search for the words of a text that are most similar to typed words.

The results are used in messages and proposed corrections, never to anchor evidence.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from defectors_data.text.numerals import numerals, tokens
from defectors_data.text.offsets import Span, on_word_boundaries
from defectors_data.text.wording_differences import OMISSION, QUOTATION_MARKS, STOPS, WORD, key

# ---- the most similar words ----------------------------------------------------------------------

_CLAUSE = re.compile(r".+?(?:[.,;:!?/]+(?=\s|\Z)|\n+|\Z)", re.DOTALL)
_IN_NUMBER = re.compile(r"(?<=\d),(?=\d{3})")

_ENOUGH, _SURE = 65, 90
"""Similarities (0 to 100): from the first on, words are similar; from the second on, surely."""
_END = 3
"""What the same first word, or the same last one, adds to a similarity."""
_REACH = 3
"""Number of words by which each end of a passage may be moved at a time."""
_MOST_PIECES = 12
"""Maximum number of pieces of the typed words that are searched for separately."""
_LONG = 400
"""Number of code points above which only the two ends of the typed words are searched for."""


class _Words(NamedTuple):
    """The words of a text in the form in which they are compared."""

    joined: str
    starts: list[int]
    """The offset of each word in `joined`."""
    spans: list[Span]
    """The span of each word in the text."""

    def between(self, first: int, last: int) -> str:
        """Return the words from one position up to, but not including, another."""
        end = self.starts[last] - 1 if last < len(self.starts) else len(self.joined)
        return self.joined[self.starts[first] : end]

    def inside(self, span: Span) -> _Words:
        """Return the words inside a span of the text."""
        first = bisect_left(self.spans, (span.start, 0))
        last = bisect_left(self.spans, (span.end, 0))
        if first == last:
            return _Words("", [], [])
        starts = [start - self.starts[first] for start in self.starts[first:last]]
        return _Words(self.between(first, last), starts, self.spans[first:last])


class _Passage(NamedTuple):
    span: Span
    similarity: float
    """From 0 to 100."""


def nearest(words: str, text: str, *, prefix: str = "", suffix: str = "") -> list[Span]:
    """Return the spans of the words of a text that are most similar to typed words.

    There is a span for each passage, in the order of the text: the words before and after a mark of
    omission or the end of a line are separate passages, and so are clauses that are apart in the
    text. Case, marks, spaces and invisible characters are ignored. `prefix` and `suffix` only help
    to find the place.
    """
    if len(words) > len(text):
        return []
    seed = _words_of(text)
    around = None
    if prefix or suffix:
        around = _passage(prefix + words + suffix, seed)
    if around:
        seed = seed.inside(around.span)
    found = list[Span]()
    for piece in OMISSION.split(words, maxsplit=_MOST_PIECES):
        # A piece after a mark of omission is searched for after the piece before it, if possible.
        rest = seed
        if found:
            rest = seed.inside(Span(found[-1].end, len(text)))
        passages = _passages(piece, rest, text) or _passages(piece, seed, text)
        if len(passages) == 1:
            passages = [_with_typed_marks(passages[0], piece, seed, text)]
        found += [_with_marks(span, piece, text) for span in passages]
    if found:
        found[-1] = _with_marks(found[-1], words, text)
    typed = _distinct(words)
    lines = _by_line(found, text)
    # At the end of a passage, a line may have none of the words that were typed.
    return [line for line in lines if typed & _distinct(text[slice(*line)])] or lines


def _distinct(text: str) -> set[str]:
    return set(_words(text).joined.split())


@lru_cache(maxsize=4)  # each entry contains a whole text
def _words_of(text: str) -> _Words:
    """Return the words of a text, which is folded once for all searches in it."""
    return _words(text)


def _words(text: str) -> _Words:
    hits = list(WORD.finditer(text))
    # The words of a long text recur, and each is folded once.
    distinct = {hit[0] for hit in hits}
    folded = {word: _IN_NUMBER.sub("", key(word)) for word in distinct}
    keys = [folded[hit[0]] for hit in hits]
    *starts, _ = accumulate([len(word) + 1 for word in keys], initial=0)
    return _Words(" ".join(keys), starts, [Span(*hit.span()) for hit in hits])


def _passages(words: str, seed: _Words, text: str) -> list[Span]:
    """Return the passage that is similar to words or, if their clauses are apart, that of each."""
    whole = _passage(words, seed)
    if whole and whole.similarity >= _SURE:
        return [whole.span]
    clauses = [clause for clause in _CLAUSE.findall(words) if WORD.search(clause)]
    if not 1 < len(clauses) <= _MOST_PIECES:
        return [whole.span] if whole else []
    found = [_passage(clause, seed) for clause in clauses]
    sure = [each.span for each in found if each and each.similarity >= _SURE]
    if len(sure) == len(clauses):
        marked = zip(sure, clauses, strict=True)
        return _adjacent([_with_marks(span, clause, text) for span, clause in marked], text)
    return [whole.span] if whole else []


def _passage(words: str, seed: _Words) -> _Passage | None:
    """Return the run of words that is most similar to words, or None if none is similar enough."""
    if len(words) > _LONG:
        return _passage_of_ends(words, seed)
    from rapidfuzz.fuzz import partial_ratio_alignment  # noqa: PLC0415  # slow to import

    typed = _words(_with_digits(words, seed)).joined
    if not typed or len(typed) > len(seed.joined) + _REACH:
        return None
    place = partial_ratio_alignment(typed, seed.joined, score_cutoff=_ENOUGH)
    if place is None:
        return None
    first = max(bisect_right(seed.starts, place.dest_start) - 1, 0)
    last = bisect_left(seed.starts, place.dest_end)
    return _fitted(typed, seed, first, last)


def _fitted(typed: str, seed: _Words, first: int, last: int) -> _Passage | None:
    """Return the passage near a run of words, from `first` to `last`, that is most similar."""
    from rapidfuzz.fuzz import ratio, token_sort_ratio  # noqa: PLC0415  # slow to import

    start, end = typed.split(maxsplit=1)[0], typed.rsplit(maxsplit=1)[-1]

    def similarity(run: tuple[int, int]) -> float:
        words = seed.between(*run)
        # The same words in another order are similar, too, but less so than in the same order.
        return max(ratio(typed, words), token_sort_ratio(typed, words) - 2)

    def fit(run: tuple[int, int]) -> float:
        words = seed.between(*run)
        # A first or last word that was typed is not dropped for a word that is missing next to it.
        return similarity(run) + _END * (words.startswith(start) + words.endswith(end))

    best = (first, last)
    while True:
        starts = range(max(best[0] - _REACH, 0), best[0] + _REACH + 1)
        ends = range(best[1] - _REACH, min(best[1] + _REACH, len(seed.spans)) + 1)
        better = max(((one, other) for one in starts for other in ends if one < other), key=fit)
        if fit(better) <= fit(best):
            break
        best = better
    if similarity(best) < _ENOUGH:
        return None
    span = Span(seed.spans[best[0]].start, seed.spans[best[1] - 1].end)
    return _Passage(span, similarity(best))


def _with_typed_marks(span: Span, typed: str, seed: _Words, text: str) -> Span:
    """Return the span, of those with the same words, whose marks are most like those typed."""
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415  # slow to import

    words = seed.inside(span).joined
    alike = [span]
    for hit in re.finditer(rf"(?<!\S){re.escape(words)}(?!\S)", seed.joined):
        first = bisect_left(seed.starts, hit.start())
        last = bisect_left(seed.starts, hit.end()) - 1
        alike.append(Span(seed.spans[first].start, seed.spans[last].end))

    def likeness(each: Span) -> float:
        return ratio(typed, text[slice(*_with_marks(each, typed, text))])

    return max(alike, key=likeness)


def _passage_of_ends(words: str, seed: _Words) -> _Passage | None:
    """Return the passage from the first of many words to the last; those between are ignored."""
    head, tail = _passage(words[: _LONG // 2], seed), _passage(words[-_LONG // 2 :], seed)
    if not head or not tail or head.span.start >= tail.span.end:
        return head or tail
    span = Span(head.span.start, tail.span.end)
    return _Passage(span, min(head.similarity, tail.similarity))


def _with_digits(words: str, seed: _Words) -> str:
    """Return words with a number such as "six hundred" in digits if the text has it in digits."""
    joined = f" {seed.joined} "
    for number in reversed(numerals(tokens(words))):
        digits, typed = f"{number.value:.0f}", _words(words[number.start : number.end]).joined
        if f" {digits} " in joined and f" {typed} " not in joined:
            words = words[: number.start] + digits + words[number.end :]
    return words


def _adjacent(spans: Sequence[Span], text: str) -> list[Span]:
    """Return spans with those joined between which the text has no words."""
    found = list[Span]()
    for start, end in sorted(spans):
        if found and not WORD.search(text, found[-1].end, start):
            found[-1] = Span(found[-1].start, max(found[-1].end, end))
        else:
            found.append(Span(start, end))
    return found


def _by_line(spans: Sequence[Span], text: str) -> list[Span]:
    """Return spans split at the ends of lines, as whole words, in order."""
    found = list[Span]()
    for start, end in _adjacent(spans, text):
        lines = re.compile(r"[^\n]+").finditer(text, start, end)
        found += [on_word_boundaries(text, *line.span()) for line in lines if line[0].strip()]
    return found


def _with_marks(span: Span, words: str, text: str) -> Span:
    """Return a span with the mark after it if one was typed, or if it ends a quotation.

    A span that opens or closes a quotation is extended by its other quotation mark.
    """
    start, end = on_word_boundaries(text, *span)
    omission = OMISSION.match(text, end)
    typed = words.rstrip().rstrip(QUOTATION_MARKS)[-1:]
    around = text[start - 1 : start], text[end + 1 : end + 2]
    is_quotation = all(mark and mark in QUOTATION_MARKS for mark in around)
    if omission and (typed in STOPS or OMISSION.search(words, len(words) - 5)):
        end = omission.end()
    elif text[end : end + 1] in STOPS:
        # If the words were typed in another order, the mark at their end is among them.
        is_moved = OMISSION.sub("", words).count(text[end]) > text.count(text[end], start, end)
        end += typed in STOPS or is_quotation or is_moved
    opened, closed = text.count("“", start, end), text.count("”", start, end)
    if opened > closed and text[end : end + 1] == "”":
        end += 1
    if closed > opened and text[start - 1 : start] == "“":
        start -= 1
    return Span(start, end)


# ---- names ---------------------------------------------------------------------------------------

_AFTER_NAMES = frozenset("jr sr ii iii iv".split())


def may_be_one_person(one: str, other: str) -> bool:
    """Return whether two full names can be those of one person: first name, last name and "Jr."
    are the same, and no initial between them differs.
    """
    outer, between = _parts_of_name(one)
    other_outer, other_between = _parts_of_name(other)
    if outer != other_outer or len(outer) == 1:
        return False
    pairs = zip(between, other_between, strict=False)
    return all(a.startswith(b) or b.startswith(a) for a, b in pairs)


@lru_cache(maxsize=1 << 12)
def surname_of(name: str) -> str:
    """Return the last word of a full name that is not "Jr." or the like; "" for a name of one word."""
    words = [word for word in name.split() if word.casefold().strip(".,") not in _AFTER_NAMES]
    return words[-1].rstrip(",") if words[1:] else ""


def has_surname(name: str, words: str) -> bool:
    """Return whether words end a full name, also at a start of a sentence: "Van der Elm"."""
    full, end = name.casefold(), words.casefold()
    return surname_of(full) == end or full.endswith(f" {end}")


_SHORTEST_MISSPELT = 5
_ALIKE = 80
"""Similarity (0 to 100) from which on a word may be a surname with a wrong letter."""


def may_be_misspelt(word: str, surname: str) -> bool:
    """Return whether a word may be a surname in which a letter is wrong: "Pelltham" for "Peltham"."""
    if min(len(word), len(surname)) < _SHORTEST_MISSPELT or word == surname:
        return False
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415  # slow to import

    return word[0] == surname[0] and ratio(word, surname) >= _ALIKE


@lru_cache(maxsize=1 << 12)
def _parts_of_name(name: str) -> tuple[list[str], list[str]]:
    """Return the first word of a name, its last one and "Jr.", and apart the words between them."""
    words = re.findall(r"[^\s.,]+", name.casefold())
    last = -2 if words and words[-1] in _AFTER_NAMES else -1
    if len(words) <= -last:
        return [name], []
    return [words[0], *words[last:]], words[1:last]


NEAR_ENOUGH = 70
"""Similarity (0 to 100) below which no name is suggested."""


def nearest_name(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to what was typed, or None if none is similar enough.

    Among similar names, one of similar length is preferred: for `hihg`, `high` rather than
    `high_open`.
    """
    # Slow to import, and needed only for a wrong name.
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    # A set has no fixed order, so equally similar names are sorted; the limit bounds the time for
    # very long input.
    near = process.extract(typed[:80], sorted(set(names)), score_cutoff=NEAR_ENOUGH)
    return max(
        near, key=lambda found: found[1] + fuzz.ratio(typed[:80], found[0]), default=(None,)
    )[0]


def did_you_mean(
    typed: str, names: Iterable[str], *, hidden: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return a line of help with the name most similar to what was typed, or no line.

    The hint is also omitted if the most similar name is in `hidden`, such as the id of a protected
    speaker.
    """
    shown = set(names)
    best = nearest_name(typed, shown | set(hidden))
    if best in shown:
        return (f"Did you mean `{best}`?",)
    return ()
