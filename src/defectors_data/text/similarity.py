"""The most similar words of a text to those that were typed, and the differences: for messages, never for a match."""

from __future__ import annotations

import re
import unicodedata

from defectors_data.text.offsets import LAST_OF_TWO_BYTES, Span, on_word_boundaries

NEEDLE = 240
"""Code points of a quotation that are searched for: enough to find it, few enough to be fast."""

NEAR_ENOUGH = 60.0
"""Similarity (0 to 100) below which no words are suggested."""


def nearest(words: str, text: str) -> Span | None:
    """Return the span of the text that is most similar to the words, on word boundaries, or None if none is similar.

    Similarity is the normalised indel similarity of the best alignment (rapidfuzz), ignoring case and the styles of
    marks, dashes and spaces. The first `NEEDLE` code points of the words decide on the place. The span is on one line.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415  # only where words are missing

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
    return on_word_boundaries(text, first + start, first + end)


def _matched(needle: str, line: str) -> tuple[int, int]:
    """Return the run of a line to which the needle is aligned: from the first run that both share to the last one."""
    from rapidfuzz import fuzz  # noqa: PLC0415
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

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
"""Code points in a row that are evidence of an alignment."""


def _folded(words: str) -> str:
    """Return words in lower case with one style of marks, dashes and spaces, at the same length."""
    lower = words.lower()
    if len(lower) != len(words):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in words)
    return lower.translate(_FOLDS)


_CLASSES = (
    ("quotation mark or apostrophe", "'\"`´‘’‚‛“”„‟‹›«»′″"),
    ("dash or hyphen", "-‐‑‒–—―−\u00ad"),
    ("space", " \t\n\u00a0\u2002\u2003\u2009\u200a\u202f\u200b"),
)


_FOLDS = {ord(member): members[0] for _, members in _CLASSES for member in members if member != "\n"}


_PIECE = re.compile(r"\w[\w\u0300-\u036f]*|\W")
_MOST_NAMED = 3
"""Number of differences that are named; further ones are counted."""


def difference(typed: str, seed: str, *, discreet: bool = False) -> str:
    """Return sentences that name the differences between what was typed and the seed.

    If `discreet`, what was typed is shown only if it is a character of the same class as the seed's.
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    mine, theirs = _PIECE.findall(typed), _PIECE.findall(seed)
    steps = [step for step in Levenshtein.opcodes(mine, theirs) if step.tag != "equal"]
    named = [
        _step("".join(mine[s.src_start : s.src_end]), "".join(theirs[s.dest_start : s.dest_end]), at, discreet)
        for s in steps[:_MOST_NAMED]
        for at in [len("".join(mine[: s.src_start])) + 1]
    ]
    more = len(steps) - _MOST_NAMED
    return " ".join([*named, *([f"Further differences: {more}."] if more > 0 else [])])


def _step(typed: str, seed: str, at: int, discreet: bool) -> str:  # noqa: FBT001  # called in one place
    """Return a sentence on one difference, at a character of what was typed, counted from 1."""
    if len(typed) == len(seed) == 1 and any(typed in members and seed in members for _, members in _CLASSES):
        return f"Yours has {_named(typed)}, the seed {_named(seed)}, at character {at}."
    if typed and typed.casefold() == seed.casefold():
        return f"Yours has {typed}, the seed {seed}, at character {at}: the case differs."
    if unicodedata.normalize("NFC", typed) == unicodedata.normalize("NFC", seed):
        return f"Yours encodes a letter by other code points than the seed at character {at}."
    if discreet:
        return f"The words differ at character {at}."
    if not typed:
        return f"Yours lacks {_shown_run(seed)} at character {at}."
    if not seed:
        return f"Yours has an extra {_shown_run(typed)} at character {at}."
    return f"Yours has {_shown_run(typed)}, the seed {_shown_run(seed)}, at character {at}."


def _shown_run(words: str) -> str:
    """Return a run of characters in quotation marks, or the name of a single invisible one."""
    return _named(words) if len(words) == 1 and (words.isspace() or not words.isprintable()) else f"“{words[:40]}”"


def _named(character: str) -> str:
    shown = character if character.isprintable() and not character.isspace() else ""
    return f"U+{ord(character):04X} {shown or unicodedata.name(character, 'control character').lower()}"


def in_yaml(words: str) -> str:
    """Return words as a double-quoted YAML string."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{"".join(map(_escaped, escaped))}"'


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) <= LAST_OF_TWO_BYTES else f"\\U{ord(character):08x}"
