"""Reader of brat's standoff format: `.ann` files, each with a `.txt` file of the same name."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from defectors_data.annotators.imports.foreign_files import (
    ForeignArticle,
    ForeignRecord,
    KnownCodes,
    decoded,
    files_of,
    span_in,
)
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.brat import THEME

_KINDS = "TERAMN#*"
"""The characters with which a line of the format may begin."""
_PLACES = re.compile(r"\d+ \d+(?:;\d+ \d+)*")
"""The start and end of each part of an annotation."""


def read(path: Path, codes: KnownCodes) -> Iterator[ForeignArticle]:
    """Yield the article of an `.ann` file, or of each such file in a folder or zip."""
    files = files_of(path, ".ann", ".txt")
    if path.suffix == ".ann":
        beside = path.with_suffix(".txt")
        files |= files_of(beside) if beside.is_file() else {}
    annotated = {name: data for name, data in files.items() if name.endswith(".ann")}
    if not annotated:
        problem = "it is neither an .ann file nor a folder or zip archive of such files"
        raise GivenFileError(problem, path.name)
    for name, data in annotated.items():
        text = files.get(f"{name.removesuffix('.ann')}.txt")
        if text is None:
            raise GivenFileError("there is no .txt file with the same name", name)
        lines = decoded(data, name).split("\n")
        sha256 = hashlib.sha256(text).hexdigest()
        yield ForeignArticle(name, sha256, partial(_records, name, lines, codes))


def _records(file: str, lines: list[str], codes: KnownCodes, text: str) -> list[ForeignRecord]:
    found: dict[str, ForeignRecord] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and line[0] not in _KINDS:
            problem = f"expected a line that begins with one of {' '.join(_KINDS)}"
            raise GivenFileError(problem, file, number)
        if line.startswith("T"):
            name, _, rest = line.partition("\t")
            kind, _, places = rest.partition("\t")[0].partition(" ")
            if not _PLACES.fullmatch(places):
                problem = "expected a name, a type with offsets, and the words, separated by tabs"
                raise GivenFileError(problem, file, number)
            pieces = [piece.split(" ") for piece in places.split(";")]
            found[name] = ForeignRecord(spans=[span_in(text, *piece) for piece in pieces])
            codes.apply(found[name], kind)
    # In a second pass, because an attribute or a note may precede the annotation that it describes.
    for line in lines:
        fields = line.split("\t", 2)
        of = fields[1].split(" ") if len(fields) > 1 else []
        record = found.get(of[1]) if len(of) > 1 else None
        if record and line[0] in "AM":  # older versions of brat wrote attributes with an M
            _attribute(record, of[0], " ".join(of[2:]), codes)
        elif record and line[0] == "#" and of[0] == "AnnotatorNotes":
            _note(record, "".join(fields[2:]))
    return list(found.values())


def _attribute(record: ForeignRecord, name: str, value: str, codes: KnownCodes) -> None:
    # The attributes of an export are named TABLE_COLUMN; any other one is looked up as a code.
    column = name.removeprefix(f"{record.table}_")
    if name.startswith(THEME):
        codes.apply(record, name.removeprefix(THEME), "themes")
    elif column != name and value:
        record.cells[column] = value
    else:
        codes.apply(record, value or name)


def _note(record: ForeignRecord, words: str) -> None:
    """Add to a record the cells of a comment; one that is not a JSON object becomes its note."""
    try:
        cells = json.loads(words)
    except (ValueError, RecursionError):
        cells = None
    if isinstance(cells, dict):
        record.cells |= {str(key): str(value) for key, value in cells.items()}
    else:
        record.cells["note"] = words
