"""Interpretations of the numbers in a text, as dictionaries and as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import UnreadError
from defectors_data.corpus.reader import read_context
from defectors_data.evidence.completeness_ledger import detections
from defectors_data.text.detection import Detection, detect


def numbers_in(words: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """Return a dictionary for each number in `words`, with its words and its kind.

    That of a quantity also has its fields and guesses. If the vocabulary of the project in `folder`
    can be read, its nouns are recognised as well.
    """
    found: Sequence[Detection] = detect(words)
    if folder:
        with suppress(UnreadError):
            found = detections(words, read_context(FileTree(folder))[0])
    numbers = []
    for each in found:
        if each.kind != "quotation":
            number = {"words": words[each.start : each.end], "kind": each.kind}
            if each.quantity:
                number |= each.quantity._asdict()
            numbers.append(number)
    return numbers


def worded(number: Mapping[str, Any]) -> str:
    """Return a number from `numbers_in` as text.

    Examples are `3.4 million: value 3400000, hedge about, unit person` and
    `May 3: date, not a quantity`.
    """
    if number["kind"] != "quantity":
        return f"{number['words']}: {number['kind'].replace('_', ' ')}, not a quantity"
    scale, other_hedge = number["other_scale"], number["other_hedge"]
    shown = []
    for key in ("value", "low", "high"):
        if (bound := number[key]) is not None:
            guess = f" (a guess: or {bound * scale:.12g})" if scale else ""
            shown.append(f"{key} {bound:.12g}{guess}")
    guess = f" (a guess: or {other_hedge})" if other_hedge else ""
    shown.append(f"hedge {number['hedge']}{guess}")
    if number["polarity"] != "affirmed":
        shown.append(f"polarity {number['polarity']}")
    if number["unit"]:
        guess = ""
        if number["other_unit"]:
            guess = f" (a guess: or {number['other_unit']})"
        shown.append(f"unit {number['unit']}{guess}")
    elif number["likely_unit"]:
        shown.append(f"unit {number['likely_unit']} (a guess)")
    else:
        shown.append("unit not stated")
    return f"{number['words']}: {', '.join(shown)}"
