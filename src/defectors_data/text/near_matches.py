"""The most similar words of a text to those that were typed, and the differences: for messages, never for a match."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from defectors_data.text.offsets import LAST_OF_TWO_BYTES, Span, on_word_boundaries

NEEDLE = 240
"""Number of code points of a quotation that are searched for: enough to find it, few enough to be fast."""

_STOPS = ".,;:!?\u037e"
"""Marks that end words. One may be typed in place of another: "morning!" for "morning."."""
NEAR_ENOUGH = 60.0
"""Similarity (0 to 100) below which no words are suggested."""


def nearest(words: str, text: str) -> Span | None:
    """Return the span of the text that is most similar to the words, on word boundaries, or None if none is similar.

    Similarity is the normalised indel similarity of the best alignment (rapidfuzz), ignoring case and the styles of
    marks, dashes and spaces. The first `NEEDLE` code points of the words determine the place. The span is on one line.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415  # only where words are missing

    plain = fold(text)
    needle = UNSEEN.sub("", fold(unicodedata.normalize("NFC", words)))
    found = fuzz.partial_ratio_alignment(needle[:NEEDLE], plain, score_cutoff=NEAR_ENOUGH)
    # rapidfuzz exchanges a longer needle with the text, so its offsets would be those of the needle.
    if not found or not text or len(needle) > len(text):
        return None
    # The middle determines the line, because an alignment may begin or end in a neighbouring one.
    middle = (found.dest_start + found.dest_end) // 2
    first = plain.rfind("\n", 0, middle) + 1
    last = plain.find("\n", middle)
    line = plain[first : len(plain) if last < 0 else last]
    start, end = _matched(needle, line)
    whole = on_word_boundaries(text, first + start, first + end)
    stopped = text[whole.end - 1 : whole.end].isalnum() and text[whole.end : whole.end + 1] in {*_STOPS}
    return whole._replace(end=whole.end + 1) if stopped and words[-1] in _STOPS else whole


OMISSION = re.compile(r"\[\s*(?:…|\.\s?\.\s?\.)\s*\]|\(\s*(?:…|\.\s?\.\s?\.)\s*\)|…|\.\s?\.\s?\.")
"""The mark of an omission; a text has the words before and after it in separate places."""


def around_omissions(words: str, text: str) -> list[Span]:
    """Return the spans of the words around marks of omission, in order; none without a mark, or if one is not found."""
    spans = list[Span]()
    for piece in filter(None, map(str.strip, OMISSION.split(words))):
        start = text.find(piece, spans[-1].end if spans else 0)
        span = Span(start, start + len(piece))
        if start < 0 or on_word_boundaries(text, *span) != span:
            return []
        spans.append(span)
    return spans if len(spans) > 1 else []


_HEAD = 24
"""Number of code points at the start or end of a line by which words that continue there are recognised."""
_SHORTEST = 8
"""Minimum number of code points by which such words are recognised."""


def continuation(words: str, text: str, span: Span) -> list[Span]:
    """Return the spans of words that were joined from two paragraphs, or none; `span` is the nearest in one line."""
    needle = re.sub(r"\s+", " ", fold(unicodedata.normalize("NFC", words)))
    lines = [Span(*found.span()) for found in re.finditer(r"[^\n]+", text) if found[0].strip()]
    at = next((i for i, line in enumerate(lines) if line.start <= span.start < line.end), 0)
    for first, second in pairwise(lines[max(0, at - 1) : at + 2]):
        start = _first_word(text, second)
        tail, head = fold(text[slice(*first)]), fold(text[start : second.end])
        size = next((n for n in range(min(_HEAD, len(head)), _SHORTEST - 1, -1) if head[:n] in needle), 0)
        # Marks between the paragraphs are left out: they are often what was lost when the paragraphs were joined.
        left = _without_marks(needle[: needle.find(head[:size])]) if size else ""
        ends = len(_without_marks(tail))
        if left and tail[:ends].endswith(left[-_SHORTEST:]):
            right = len(needle) - needle.find(head[:size])
            parts = (first.start + max(0, ends - len(left)), first.end), (start, min(second.end, start + right))
            return [on_word_boundaries(text, *part) for part in parts]
    return []


def _first_word(text: str, line: Span) -> int:
    found = _WORD.search(text, *line)
    return found.start() if found else line.end


def _without_marks(words: str) -> str:
    """Return words up to their last letter or digit."""
    found = _WORD.search(words[::-1])
    return words[: len(words) - found.start()] if found else ""


_WORD = re.compile(r"\w")


def _matched(needle: str, line: str) -> tuple[int, int]:
    """Return the run of words of a line that shares most letters with the needle, in order, and has few others."""
    from rapidfuzz import fuzz  # noqa: PLC0415
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    def cost(start: int, end: int) -> tuple[int, int]:
        # Typed letters that the line lacks count twice: words may be left out of a quotation, but are rarely added.
        in_common = LCSseq.similarity(needle, line[start:end])
        return 2 * (len(needle) - in_common) + end - start - in_common, end - start

    found = fuzz.partial_ratio_alignment(needle, line) if len(needle) < len(line) else None
    start, end = (found.dest_start, found.dest_end) if found else (0, len(line))
    slack = 8 + min(len(needle) // 2, NEEDLE if len(needle) < _LONG else 0)
    starts = [at.start() for at in _TOKEN.finditer(line, max(0, start - slack), start + slack)]
    ends = [at.end() for at in _TOKEN.finditer(line, max(0, end - slack), min(len(line), end + slack))]
    # Twice, because the best start depends on the end.
    for _ in range(2):
        end = min((at for at in ends if at > start), key=lambda at: cost(start, at), default=end)
        start = min((at for at in starts if at < end), key=lambda at: cost(at, end), default=start)
    return start, end


_LONG = 2000
"""Length in code points from which the ends of words are searched for only near their expected places."""


def fold(words: str) -> str:
    """Return words in lower case with one style of marks, dashes and spaces, at the same length."""
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
"""One style of marks, dashes and spaces, for `str.translate`; the length stays the same."""


_TOKEN = re.compile(rf"[^\Wʼ](?:[^\Wʼ]|[\u0300-\u036f{_INVISIBLE}])*|\W|ʼ")
UNSEEN = re.compile(f"[{_INVISIBLE}]")
"""An invisible character inside a word."""
_MOST_NAMED = 3
"""Number of differences that are named; further ones are counted."""


def difference(typed: str, seed: str, *, discreet: bool = False, name: str = "seed") -> str:
    """Return sentences that name the differences between what was typed and the seed, which they call `name`.

    If `discreet`, what was typed is shown only if it is a character of the same class as the seed's.
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    mine, theirs = _TOKEN.findall(typed), _TOKEN.findall(seed)
    steps: list[tuple[int, int, int, int]] = []
    edited = False
    for step in Levenshtein.opcodes([*map(_alike, mine)], [*map(_alike, theirs)]):
        if step.tag != "equal":
            i, j = steps.pop()[::2] if edited else (step.src_start, step.dest_start)  # adjacent edits are one
            steps.append((i, step.src_end, j, step.dest_end))
        edited = step.tag != "equal"
        if not edited:
            pairs = zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)
            # Pieces that look alike are equal to the aligner, but may still differ in code points.
            steps += [(i, i + 1, j, j + 1) for i, j in pairs if mine[i] != theirs[j]]
    my_words, their_words = ([*filter(str.isalnum, map(_alike, pieces))] for pieces in (mine, theirs))
    if my_words != their_words and sorted(my_words) == sorted(their_words):
        return f"Yours has the words of the {name} in another order."
    named = [
        _step("".join(mine[i:i_end]), "".join(theirs[j:j_end]), len("".join(mine[:i])) + 1, discreet, name)
        for i, i_end, j, j_end in steps[:_MOST_NAMED]
    ]
    more = len(steps) - _MOST_NAMED
    return " ".join([*named, *([f"Further differences: {more}."] if more > 0 else [])])


def word_changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the words of two texts in order, each run after `=` (in both), `-` (only before) or `+` (only after)."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    for step in Levenshtein.opcodes(old, new):
        mine, theirs = old[step.src_start : step.src_end], new[step.dest_start : step.dest_end]
        runs = [("=", mine)] if step.tag == "equal" else [("-", mine), ("+", theirs)]
        yield from ((sign, "".join(words)) for sign, words in runs if words)


def _alike(piece: str) -> str:
    """Return a piece so that pieces that look alike are equal."""
    return fold(unicodedata.normalize("NFKC", UNSEEN.sub("", piece)))


def _step(typed: str, seed: str, at: int, discreet: bool, name: str) -> str:  # noqa: FBT001  # called in one place
    """Return a sentence that describes one difference; `at` is its character in the typed words, counted from 1."""
    # From the most specific sentence to the least: the order of these tests matters.
    if len(typed) == len(seed) == 1 and any(typed in members and seed in members for _, members in _CLASSES):
        return f"Yours has {_named(typed)}, the {name} {_named(seed)}, at character {at}."
    pairs = [i for i in range(len(typed)) if typed[i] != seed[i]] if len(typed) == len(seed) else []
    if pairs and not discreet and all(typed[i].isascii() != seed[i].isascii() for i in pairs):
        i = pairs[0]
        return f"Yours has {_named(typed[i])}, the {name} {_named(seed[i])}, at character {at + i}."
    if typed and typed.lower() == seed.lower() and typed.isascii() == seed.isascii():
        return f"Yours has {typed}, the {name} {seed}, at character {at}: the case differs."
    if typed and seed and UNSEEN.sub("", typed) == UNSEEN.sub("", seed):
        return _unseen(typed, seed, at)
    if unicodedata.normalize("NFC", typed) == unicodedata.normalize("NFC", seed):
        return f"Yours encodes a letter by other code points than the {name} at character {at}."
    if unicodedata.normalize("NFKC", typed) == unicodedata.normalize("NFKC", seed):
        mine, theirs = (_named(c) if c else "plain letters" for c in (_compatible(typed), _compatible(seed)))
        return f"Yours has {mine}, the {name} {theirs}, in the word at character {at}."
    if discreet:
        return f"The words differ at character {at}."
    if not typed:
        return f"Yours lacks {_shown_run(seed)} at character {at}."
    if not seed:
        return f"Yours has an extra {_shown_run(typed)} at character {at}."
    return f"Yours has {_shown_run(typed)}, the {name} {_shown_run(seed)}, at character {at}."


def _unseen(typed: str, seed: str, at: int) -> str:
    """Return a sentence on invisible characters inside a word that only one side has."""
    extra, lacking = UNSEEN.search(typed), UNSEEN.search(seed)
    if extra:
        return f"Yours has an extra {_named(extra[0])} at character {at + extra.start()}."
    return f"Yours lacks {_named(lacking[0])} at character {at + lacking.start()}." if lacking else ""


def _compatible(words: str) -> str:
    """Return the first character of words that has a compatible form, such as a ligature."""
    return next((c for c in words if unicodedata.normalize("NFKC", c) != c), "")


def _shown_run(words: str) -> str:
    """Return a run of characters in quotation marks, or the name of a single one that is not a letter or digit."""
    return _named(words) if len(words) == 1 and not words.isalnum() else f"“{words[:40]}”"


def _named(character: str) -> str:
    shown = "" if fold(character) == " " or not character.isprintable() or UNSEEN.match(character) else character
    unnamed = _UNNAMED.get(unicodedata.category(character), "control character")
    return f"U+{ord(character):04X} {shown or unicodedata.name(character, unnamed).lower()}"


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

    Return None if they differ in more, if the difference is next to a digit, or if the text has the words in several
    forms.
    """
    typed = "".join(words)
    for name, table in _KINDS.items():
        plain = "".join(table.get(c, c) for c in text)
        needle = "".join(table.get(c, c) for c in typed)
        if not needle or needle not in plain:
            continue
        ends = [*accumulate(len(table.get(c, c)) for c in text)]
        found = set[tuple[str, ...]]()
        for hit in re.finditer(f"(?={re.escape(needle)})", plain):
            sizes = accumulate((len("".join(table.get(c, c) for c in each)) for each in words), initial=hit.start())
            cuts = [bisect_right(ends, at) if at == hit.start() else bisect_left(ends, at) + 1 for at in sizes]
            found.add(tuple(text[start:end] for start, end in pairwise(cuts)))
        seed = "".join(next(iter(found)))
        is_number = _NUMBER.findall(typed) != _NUMBER.findall(seed)
        is_same = "".join(table.get(c, c) for c in seed) == needle  # else a ligature is cut
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
