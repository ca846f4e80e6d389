"""Interpretations of the numbers in a text, as dictionaries and as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import read_context
from defectors_data.evidence.completeness_ledger import detections
from defectors_data.text.detection import detect


def numbers_in(words: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """Return a dictionary for each number in `words`, with its words, kind and, for a quantity, fields and guesses.

    If the vocabulary of the project in `folder` can be read, its nouns are recognised as well.
    """
    context = read_context(FileTree(folder))[0] if folder else None
    found = detections(words, context) if context else detect(words)
    return [
        {
            "words": words[each.start : each.end],
            "kind": each.kind,
            **(each.quantity._asdict() if each.quantity else {}),
        }
        for each in found
        if each.kind != "quotation"
    ]


def worded(number: Mapping[str, Any]) -> str:
    """Return a number from `numbers_in` as text.

    Examples are `3.4 million: value 3400000, hedge about, unit person` and `May 3: date, not a quantity`.
    """
    if number["kind"] != "quantity":
        return f"{number['words']}: {number['kind'].replace('_', ' ')}, not a quantity"
    numbers = [(key, number[key]) for key in ("value", "low", "high") if number[key] is not None]
    scale = number["other_scale"]
    bounds = [
        f"{key} {each:.12g}" + (f" (a guess: or {each * scale:.12g})" if scale else "")
        for key, each in numbers
    ]
    hedge = f"hedge {number['hedge']}" + (
        f" (a guess: or {number['other_hedge']})" if number["other_hedge"] else ""
    )
    unit = number["unit"] or (
        f"{number['likely_unit']} (a guess)" if number["likely_unit"] else "not stated"
    )
    return f"{number['words']}: {', '.join([*bounds, hedge, f'unit {unit}'])}"
