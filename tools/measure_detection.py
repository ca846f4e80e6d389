"""Measure how many numbers and quotations of annotated public text are detected.

`python tools/measure_detection.py PATH...` reads CoNLL-U files (`*.conllu`) and brat files (`*.ann` with their
`*.txt`) below each path, and prints what it found as counts. Nothing of the text is stored.

Numbers: each token of CoNLL-U that is tagged `NUM` (UPOS) or `CD` (XPOS) and that has a digit or is a number word of
the parser. "One" is left out, because it is a quantity only if it is hedged or measures something, and so are Roman
numerals. A number is found if a detection that is not a quotation overlaps it.

Digits: each run of digits in any text, found in the same way.

Quotations: each stretch between double quotation marks inside a `Content` span of brat. It is covered if each of its
letters and digits is inside a detected quotation.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from defectors_data.text.detection import Detection, detect
from defectors_data.text.numerals import WORDS
from defectors_data.text.offsets import Span

_DIGITS = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"(?:“|(?<![^\s(\[—–])\")([^“”\"\n]+)[”\"]")
"""A stretch between double quotation marks of one or two kinds; a straight one opens after a space."""
_CONTENT = re.compile(r"T[0-9]+\tContent ([0-9 ;]+)\t")
_NEW_DOCUMENT, _NEW_PARAGRAPH, _TEXT = "# newdoc id = ", "# newpar", "# text = "
_IDENTIFIER, _FORM, _UPOS, _XPOS = 0, 1, 3, 4
"""Columns of CoNLL-U."""


class AnnotatedText(NamedTuple):
    """A text with the spans of the numbers and quotations that are annotated in it."""

    name: str
    text: str
    numbers: list[Span]
    quotations: list[Span]


def is_number(form: str, upos: str, xpos: str) -> bool:
    """Return whether a token of CoNLL-U is a number that must be found."""
    if upos != "NUM" and xpos != "CD":
        return False
    words = [word.casefold() for word in _LETTERS.findall(form)]
    return bool(_DIGITS.search(form)) or any(word in WORDS and word != "one" for word in words)


def conllu(path: Path) -> Iterator[AnnotatedText]:
    """Yield the documents of a CoNLL-U file; paragraphs are separated by an empty line, sentences by a space."""
    name, text, numbers = path.stem, "", list[Span]()
    separator, at = "", 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(_NEW_DOCUMENT):
            if text:
                yield AnnotatedText(name, text, numbers, [])
            name, text, numbers, separator = line.removeprefix(_NEW_DOCUMENT), "", [], ""
        elif line.startswith(_NEW_PARAGRAPH):
            separator = "\n\n" if text else ""
        elif line.startswith(_TEXT):
            at = len(text) + len(separator)
            text = f"{text}{separator}{line.removeprefix(_TEXT)}"
            separator = " "
        elif line and not line.startswith("#"):
            cells = line.split("\t")
            start = text.find(cells[_FORM], at)
            # The words of a contraction are not in the text; the contraction itself is, under a range of numbers.
            if start < 0 or not cells[_IDENTIFIER].isdigit():
                continue
            at = start + len(cells[_FORM])
            if is_number(cells[_FORM], cells[_UPOS], cells[_XPOS]):
                numbers.append(Span(start, at))
    if text:
        yield AnnotatedText(name, text, numbers, [])


def text_of(path: Path) -> Path | None:
    """Return the text that a brat file annotates: next to it, or in `text/` without the initials of the annotator."""
    names = (path.stem, path.stem.rpartition("_")[0])
    places = [path.with_name(f"{name}.txt") for name in names]
    places += [path.parent.parent / "text" / f"{name}.txt" for name in names]
    return next((place for place in places if place.is_file()), None)


def brat(text_path: Path, annotation_paths: Iterable[Path]) -> AnnotatedText:
    """Return a text with the quotations inside the `Content` spans of all its brat files."""
    # Line ends stay as they are, because the offsets count them.
    text = text_path.read_bytes().decode("utf-8")
    found: set[Span] = set()
    for path in annotation_paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if content := _CONTENT.match(line):
                offsets = [int(offset) for offset in _DIGITS.findall(content[1])]
                found.update(_quoted(text, offsets[0], offsets[-1]))
    return AnnotatedText(text_path.stem, text, [], sorted(found))


def _quoted(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the stretches between double quotation marks inside a span that may leave out the marks at its ends."""
    for hit in _QUOTED.finditer(text, max(0, start - 1), end + 1):
        yield Span(*hit.span(1))


def annotated_texts(path: Path) -> Iterator[AnnotatedText]:
    """Yield the annotated texts below a path, or of one file."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        if file.suffix == ".conllu":
            yield from conllu(file)
    pairs = [(text, file) for file in files if file.suffix == ".ann" and (text := text_of(file))]
    for text_path, group in groupby(sorted(pairs), key=lambda pair: pair[0]):
        yield brat(text_path, [file for _, file in group])


def missed_numbers(text: AnnotatedText, found: list[Detection]) -> list[Span]:
    """Return the annotated numbers that no detection overlaps."""
    return _outside(text.numbers, found)


def missed_digits(text: AnnotatedText, found: list[Detection]) -> list[Span]:
    """Return the runs of digits that no detection overlaps."""
    return _outside([Span(*hit.span()) for hit in _DIGITS.finditer(text.text)], found)


def missed_quotations(text: AnnotatedText, found: list[Detection]) -> list[Span]:
    """Return the annotated quotations that detected ones do not cover."""
    covered = _covered(item for item in found if item.kind == "quotation")
    missed = []
    for span in text.quotations:
        letters = {i for i in range(*span) if text.text[i].isalnum()}
        if not letters <= covered:
            missed.append(span)
    return missed


def _outside(spans: list[Span], found: list[Detection]) -> list[Span]:
    covered = _covered(item for item in found if item.kind != "quotation")
    return [span for span in spans if covered.isdisjoint(range(*span))]


def _covered(found: Iterable[Detection]) -> set[int]:
    return {i for item in found for i in range(item.start, item.end)}


def measure(path: Path, *, list_missed: bool) -> None:
    """Print the counts of a path, and each thing that was missed if `list_missed`."""
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for text in annotated_texts(path):
        found = detect(text.text)
        missed = {
            "numbers": missed_numbers(text, found),
            "digits": missed_digits(text, found),
            "quotations": missed_quotations(text, found),
        }
        counts["texts"] += 1
        counts["words"] += len(text.text.split())
        counts["numbers"] += len(text.numbers)
        counts["digits"] += len(_DIGITS.findall(text.text))
        counts["quotations"] += len(text.quotations)
        kinds.update(item.kind for item in found)
        for what, spans in missed.items():
            counts[f"{what} missed"] += len(spans)
            for start, end in spans if list_missed else []:
                around = text.text[max(0, start - 40) : end + 40].replace("\n", " ")
                print(f"{text.name}: {what}: {text.text[start:end]!r} in {around!r}")
    print(f"{path}: {counts['texts']} texts, {counts['words']} words")
    for what in ("numbers", "digits", "quotations"):
        if counts[what]:
            print(f"  {what}: {counts[what] - counts[f'{what} missed']} of {counts[what]}")
    print(f"  detected: {', '.join(f'{kind} {kinds[kind]}' for kind in sorted(kinds))}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    for argument in arguments:
        if argument != "--missed":
            measure(Path(argument), list_missed="--missed" in arguments)
