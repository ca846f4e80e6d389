"""Reader of REFI-QDA projects (`.qdpx`), written by this project or by any other program.

In selections that this project writes, the description contains the record's cells. Other programs
keep that description, or write one selection for each code. So selections of the same record are
joined, and codes and cases take precedence over the description. Selections without such a
description are one record if they have the same offsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from defectors_data.annotators.imports.formats.foreign_files import (
    attribute,
    children,
    decoded,
    files_of,
    xml_of,
)
from defectors_data.annotators.imports.formats.foreign_offsets import (
    Convention,
    OffsetsError,
    Selection,
    Selections,
    convention,
    converter,
)
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    ForeignLabel,
    ForeignRecord,
    folded,
    table_of,
)
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.exported_records import COLUMNS, VOCABULARIES
from defectors_data.text.offsets import Span

_STANDARD = Convention(returns=True)
"""Code points of the file, as section 10.2 of the standard has it; the end as NVivo writes it."""
_LINE = re.compile(r"(?m)^([a-z_]+): ((?:.|\n  )*)$")
"""A cell in a description: its column and its text, whose lines after the first are indented."""


class _TextSource(NamedTuple):
    """A plain-text source with its selections."""

    name: str
    text: str
    elements: list[Element]
    selections: Selections


def read(path: Path) -> Iterator[ForeignArticle]:
    """Yield the plain-text sources of a project."""
    if path.is_dir() and len(archives := list(path.glob("*.qdpx"))) == 1:
        [path] = archives  # the folder of an export
    files = files_of(path, ".qde", ".txt", ".QDE", ".TXT")
    projects = [name for name in files if name.lower().endswith(".qde")]
    if len(projects) != 1:
        raise GivenFileError("expected one project.qde in the archive", path.name)
    root = xml_of(files[projects[0]], projects[0])
    # The standard names the folder `sources`, and some programs `Sources`.
    texts = {name.rpartition("/")[2].lower(): data for name, data in files.items()}
    sources, without = list[_TextSource](), list[str]()
    for each in root.iter("TextSource"):
        text = _text(each, texts)
        if text is None:
            without.append(_name(each))
        else:
            sources.append(_source(each, text, path.name))
    try:
        selections = [source.selections for source in sources]
        way, note = convention(selections, _STANDARD, by_whole_words=True)
    except OffsetsError as error:
        raise GivenFileError(str(error), path.name) from None
    labels, speakers = _labels(root, path.name), _speakers(root, path.name)
    for source in sources:
        to_span = converter(source.text, way)
        spans = [to_span(selection) for selection in source.selections.found]
        records = _records(source, spans, labels, speakers, path.name)
        yield ForeignArticle(source.name, records, folded(source.text), note=note)
    for name in without:
        yield ForeignArticle(name, [], problem="its text is not in the archive")


def _name(source: Element) -> str:
    return source.get("name") or source.get("plainTextPath") or "a source"


def _text(source: Element, texts: Mapping[str, bytes]) -> str | None:
    """Return the text of a source, or None if the archive does not contain it."""
    content = source.find("PlainTextContent")
    if content is not None and content.text:
        return content.text
    # Some programs leave out the scheme `internal://`.
    name = source.get("plainTextPath", "").rpartition("/")[2].lower()
    return decoded(texts[name], name) if name in texts else None


def _source(source: Element, text: str, file: str) -> _TextSource:
    elements = list(children(source, "PlainTextSelection"))
    found = []
    for each in elements:
        start, end = (attribute(each, key, file) for key in ("startPosition", "endPosition"))
        found.append(Selection(start, end, each.get("name", "")))
    return _TextSource(_name(source), text, elements, Selections(text, found))


def _labels(root: Element, file: str) -> dict[str, ForeignLabel]:
    """Return the codes by their guid."""
    found = {}
    for each in root.iter("Code"):
        found[attribute(each, "guid", file)] = ForeignLabel(attribute(each, "name", file))
    for above in root.iter("Code"):
        vocabulary = above.attrib["name"]
        if vocabulary in VOCABULARIES.values():
            for each in above.iter("Code"):
                if each is not above:
                    found[each.attrib["guid"]] = ForeignLabel(each.attrib["name"], vocabulary)
    return found


def _speakers(root: Element, file: str) -> dict[str, list[str]]:
    """Return the names of a case, by the guid of each selection to which the case refers."""
    found: dict[str, list[str]] = {}
    for case in root.iter("Case"):
        names = [case.get("name", "")]
        # A later name is preferred: exports have the id of the speaker in a variable.
        names += [value.findtext("TextValue", "") for value in children(case, "VariableValue")]
        for each in children(case, "SelectionRef"):
            found[attribute(each, "targetGUID", file)] = names
    return found


def _records(
    source: _TextSource,
    spans: list[Span | None],
    labels: Mapping[str, ForeignLabel],
    speakers: Mapping[str, list[str]],
    file: str,
) -> list[ForeignRecord]:
    found: dict[object, ForeignRecord] = {}
    for selection, span in zip(source.elements, spans, strict=True):
        description = selection.findtext("Description", "")
        cells = {key: cell.replace("\n  ", "\n") for key, cell in _LINE.findall(description)}
        table = table_of(cells)
        if table:
            key: object = (table, cells[COLUMNS[table][0].name])
        else:
            # Selections outside the text have no span, so their ids distinguish them.
            key = span or selection.get("guid")
            cells = {"note": description} if description else {}
        record = found.setdefault(key, ForeignRecord(table, cells))
        if span not in record.spans:
            record.spans.append(span)
        for coding in children(selection, "Coding"):
            for reference in children(coding, "CodeRef"):
                label = labels.get(attribute(reference, "targetGUID", file))
                if label and label not in record.labels:
                    record.labels.append(label)
        record.speakers = speakers.get(selection.get("guid", ""), record.speakers)
    return list(found.values())
