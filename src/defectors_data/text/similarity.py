"""The nearest words to those that were typed, and what differs between them: for messages, never for a match.

Strings only.
"""

from __future__ import annotations

import re
import unicodedata

from defectors_data.text.offsets import LAST_OF_TWO_BYTES, Span, on_word_boundaries

NEEDLE = 240
"""Code points of a quotation by which the nearest words are looked for: enough to find them, few enough to be fast."""

NEAR_ENOUGH = 60.0
"""Likeness (0 to 100) below which no words of the text are called near."""


def nearest(words: str, text: str) -> Span | None:
    """Return the run of the text that is most like the words, on word boundaries, or None where nothing is near.

    Likeness is the normalised indel similarity of the best alignment (rapidfuzz), case and the styles of marks, dashes
    and spaces aside. Of long words the first `NEEDLE` code points decide where; the run stays within one line.
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
    """Return the run of a line that the needle is aligned to: from the first run that both share to the last one."""
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
"""Code points in a row that two runs share before they are taken to be aligned there."""


def _folded(words: str) -> str:
    """Return words of the same length without regard to case and to the styles of marks, dashes and spaces."""
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
_TOLD = 3
"""Differences that are named one by one; more are counted."""


def difference(typed: str, seed: str, *, discreet: bool = False) -> str:
    """Name what differs between what was typed and what the seed has, one difference after the other.

    Where discreet, what was typed is shown only where it differs by a class of character.
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

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


def in_yaml(words: str) -> str:
    """Return words as a YAML string that can be pasted: in double quotation marks, escaped where needed."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{"".join(map(_escaped, escaped))}"'


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) <= LAST_OF_TWO_BYTES else f"\\U{ord(character):08x}"
