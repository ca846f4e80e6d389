"""Reader of brat's standoff format: `.ann` files, each with a `.txt` file of the same name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from defectors_data.annotators.imports.formats.foreign_files import decoded, files_of
from defectors_data.annotators.imports.formats.foreign_offsets import (
    Convention,
    Selection,
    Selections,
    convention,
    spans_of,
)
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    ForeignLabel,
    ForeignRecord,
    Link,
    add_comment,
    folded,
)
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.brat import THEME
from defectors_data.readers.exports.exported_records import RECORDS

_STANDARD = Convention(returns=True)
"""Code points of the file, the end exclusive."""
_KINDS = "TERAMN#*"
"""The characters with which a line of the format may begin."""
_PLACES = re.compile(r"\d+ \d+(?:;\d+ \d+)*")
"""The start and end of each part of an annotation."""


def read(path: Path) -> Iterator[ForeignArticle]:
    """Yield the article of an `.ann` file, or of each such file in a folder or zip."""
    files = files_of(path, ".ann", ".txt")
    if path.suffix == ".ann":
        beside = path.with_suffix(".txt")
        if beside.is_file():
            files |= files_of(beside)
    annotated = {name: data for name, data in files.items() if name.endswith(".ann")}
    if not annotated:
        problem = "it is neither an .ann file nor a folder or zip archive of such files"
        raise GivenFileError(problem, path.name)
    for name, data in annotated.items():
        text_file = f"{name.removesuffix('.ann')}.txt"
        if text_file not in files:
            raise GivenFileError("there is no .txt file with the same name", name)
        text = decoded(files[text_file], text_file)
        yield _article(name, folded(decoded(data, name)).split("\n"), text)


def _article(file: str, lines: Sequence[str], text: str) -> ForeignArticle:
    records, selections = dict[str, ForeignRecord](), dict[str, list[Selection]]()
    for number, line in enumerate(lines, start=1):
        if line.strip() and line[0] not in _KINDS:
            problem = f"expected a line that begins with one of {' '.join(_KINDS)}"
            raise GivenFileError(problem, file, number)
        if line.startswith("T"):
            key, kind, places, words = _text_bound(line, file, number)
            table = kind if kind in RECORDS else None
            records[key] = ForeignRecord(table, key=key, labels=[ForeignLabel(kind)])
            found = [Selection(*piece.split(" ")) for piece in places.split(";")]
            # The words of several pieces are joined by spaces.
            selections[key] = [found[0]._replace(words=words)] if len(found) == 1 else found
    # In a second pass, because an attribute or a note may precede the annotation that it describes.
    for line in lines:
        _describe(records, line)
    every = [(key, selection) for key, found in selections.items() for selection in found]
    given = Selections(text, [selection for _, selection in every])
    way, note = convention([given], _STANDARD)
    for (key, _), span in zip(every, spans_of(given, way), strict=True):
        records[key].spans.append(span)
    return ForeignArticle(file, list(records.values()), folded(text), note=note)


def _text_bound(line: str, file: str, number: int) -> tuple[str, str, str, str]:
    """Return the id, the type, the offsets and the words of an annotation."""
    key, _, rest = line.partition("\t")
    described, _, words = rest.partition("\t")
    kind, _, places = described.partition(" ")
    if not _PLACES.fullmatch(places):
        problem = "expected a name, a type with offsets, and the words, separated by tabs"
        raise GivenFileError(problem, file, number)
    return key, kind, places, words


def _describe(records: Mapping[str, ForeignRecord], line: str) -> None:
    """Add an attribute, a comment or a relation to the annotation that it describes."""
    fields = line.split("\t", 2)
    if len(fields) < 2:  # noqa: PLR2004  # a blank line
        return
    name, *ends = fields[1].split(" ")
    if line[0] in "RE*":
        _link(records, name, ends)
        return
    record = records.get(ends[0]) if ends else None
    if record and line[0] in "AM":  # older versions of brat wrote attributes with an M
        _attribute(record, name, " ".join(ends[1:]))
    elif record and line[0] == "#" and name == "AnnotatorNotes":
        add_comment(record, "".join(fields[2:]))


def _link(records: Mapping[str, ForeignRecord], name: str, ends: Sequence[str]) -> None:
    """Add the links of a relation or an event; the trigger of an event is linked to its arguments."""
    roles = [end.rpartition(":") for end in ends]
    trigger = name.partition(":")[2]
    if trigger:
        for role, _, key in roles:
            if trigger in records:
                records[trigger].links.append(Link(role.rstrip("0123456789"), key))
    elif roles and roles[0][2] in records:
        for _, _, key in roles[1:]:
            records[roles[0][2]].links.append(Link(name, key))


def _attribute(record: ForeignRecord, name: str, value: str) -> None:
    # The attributes of an export are named TABLE_COLUMN; any other one is a label.
    column = name.removeprefix(f"{record.table}_")
    if name.startswith(THEME):
        record.labels.append(ForeignLabel(name.removeprefix(THEME), "theme"))
    elif column != name and value:
        record.cells[column] = value
    else:
        record.labels.append(ForeignLabel(value or name))
