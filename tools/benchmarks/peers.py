"""Measure other programs on the same texts and quotations: `peers.py TEXTS`, in an environment of `peers.lock`.

The result is printed as JSON: for each program, bytes of text or quotations for each second of CPU time, or the name of
the error with which it failed. Each measures until its time is used up, after a first text that loads its data.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SECONDS = 10.0
"""CPU time of each measurement."""

Text = Sequence[str]
"""A text, or a quotation and its text."""


def quantulum3() -> Callable[[Text], object]:
    """Return a reader of quantities with their units."""
    from quantulum3 import parser  # noqa: PLC0415

    return lambda text: parser.parse(text[0])


def recognizers_text() -> Callable[[Text], object]:
    """Return a reader of numbers."""
    from recognizers_number import Culture, recognize_number  # noqa: PLC0415

    return lambda text: recognize_number(text[0], Culture.English)


def text2num() -> Callable[[Text], object]:
    """Return a reader of numbers, as a text with digits."""
    from text_to_num import alpha2digit  # noqa: PLC0415

    return lambda text: alpha2digit(text[0], "en")


def linkml_reference_validator() -> Callable[[Text], object]:
    """Return a function that finds a quotation in its article."""
    from linkml_reference_validator import models  # noqa: PLC0415
    from linkml_reference_validator.validation import supporting_text_validator  # noqa: PLC0415

    validator = supporting_text_validator.SupportingTextValidator(models.ReferenceValidationConfig())

    def find(quotation: Text) -> object:
        words, text = quotation
        reference = models.ReferenceContent(reference_id="file:article", content=text)
        return validator.find_text_in_reference(words, reference)

    return find


def main() -> None:
    """Measure each program."""
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    texts: list[Text] = [(text,) for text in given["texts"]]
    found: dict[str, Any] = {}
    for program in (quantulum3, recognizers_text, text2num):
        found[program.__name__] = per_second(program, texts, lambda text: len(text[0].encode()))
    finder = linkml_reference_validator
    found[finder.__name__] = per_second(finder, given["quotations"], lambda _: 1)
    print(json.dumps(found))


def per_second(
    program: Callable[[], Callable[[Text], object]], texts: Sequence[Text], size: Callable[[Text], int]
) -> float | str:
    """Return the size of what a program reads in a second, or the name of its error."""
    try:
        read = program()
        read(texts[0])
        before, total = time.process_time(), 0
        for text in texts:
            read(text)
            total += size(text)
            if time.process_time() - before > SECONDS:
                break
    except Exception as error:  # noqa: BLE001  # a program of others may raise anything
        return type(error).__name__
    return total / (time.process_time() - before)


if __name__ == "__main__":
    main()
