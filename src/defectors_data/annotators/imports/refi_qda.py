"""Reader of REFI-QDA projects (`.qdpx`), written by this project or by any other program.

In selections that this project writes, the description contains the record's cells. Other programs
keep that description, or write one selection for each code. So selections of the same record are
joined, and codes and cases take precedence over the description. Selections without such a
description are one record if they have the same span.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from defectors_data.annotators.imports.foreign_files import (
    ForeignArticle,
    ForeignRecord,
    KnownCodes,
    children,
    files_of,
    span_in,
    table_of,
    xml_of,
)
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.exported_records import COLUMNS, VOCABULARIES

_LINE = re.compile(r"(?m)^([a-z_]+): ((?:.|\n  )*)$")
"""A cell in a description: its column and its text, whose lines after the first are indented."""


class _QdaProject(NamedTuple):
    codes: KnownCodes
    names: Mapping[str, tuple[str, str]]
    """The name of each code and the vocabulary that contains it, by guid."""
    speakers: Mapping[str, str]
    """The ids of speakers, by the guid of each selection to which their case refers."""


def read(path: Path, codes: KnownCodes) -> Iterator[ForeignArticle]:
    """Yield the plain-text sources of a project."""
    if path.is_dir() and len(archives := list(path.glob("*.qdpx"))) == 1:
        [path] = archives  # the folder of an export
    files = files_of(path, ".qde", ".txt")
    projects = [name for name in files if name.endswith(".qde")]
    if len(projects) != 1:
        raise GivenFileError("expected one project.qde in the archive", path.name)
    root = xml_of(files[projects[0]], projects[0])
    project = _QdaProject(codes, _names(root), _speakers(root, codes))
    # Programs differ in the name of the folder, `Sources` or `sources`.
    texts = {name.rpartition("/")[2]: data for name, data in files.items() if name.endswith(".txt")}
    for source in root.iter("TextSource"):
        kind, _, name = source.get("plainTextPath", "").partition("://")
        content = source.find("PlainTextContent")
        data = texts.get(name) if kind == "internal" else None
        if data is None and content is not None:
            data = (content.text or "").encode()
        if data is None:
            raise GivenFileError("a text source has no text inside the archive", path.name)
        # Some programs add a byte order mark; seeds have none.
        digest = hashlib.sha256(data.removeprefix(b"\xef\xbb\xbf")).hexdigest()
        yield ForeignArticle(path.name, digest, partial(_records, source, project))


def _names(root: Element) -> dict[str, tuple[str, str]]:
    found = {each.attrib["guid"]: (each.attrib["name"], "") for each in root.iter("Code")}
    for above in root.iter("Code"):
        if above.attrib["name"] in VOCABULARIES.values():
            for each in above.iter("Code"):
                if each is not above:
                    found[each.attrib["guid"]] = (each.attrib["name"], above.attrib["name"])
    return found


def _speakers(root: Element, codes: KnownCodes) -> dict[str, str]:
    found: dict[str, str] = {}
    for case in root.iter("Case"):
        names = [case.get("name", "")]
        names += [value.findtext("TextValue", "") for value in children(case, "VariableValue")]
        speaker = None
        for name in names:
            # A later name is preferred: exports have the id of the speaker in a variable.
            speaker = codes.speaker(name) or speaker
        if speaker:
            found |= {each.attrib["targetGUID"]: speaker for each in children(case, "SelectionRef")}
    return found


def _records(source: Element, project: _QdaProject, text: str) -> list[ForeignRecord]:
    found: dict[object, ForeignRecord] = {}
    # Codes are collected separately, because they take precedence over the description.
    coded: dict[object, ForeignRecord] = {}
    for selection in children(source, "PlainTextSelection"):
        description = selection.findtext("Description", "")
        cells = {key: cell.replace("\n  ", "\n") for key, cell in _LINE.findall(description)}
        table = table_of(cells)
        span = span_in(text, selection.get("startPosition"), selection.get("endPosition"))
        if table:
            key: object = (table, cells[COLUMNS[table][0].name])
        else:
            # Selections outside the text have no span, so their ids distinguish them.
            key = span or selection.get("guid")
            cells = {"note": description} if description else {}
        record = found.setdefault(key, ForeignRecord(table, cells))
        codes = coded.setdefault(key, ForeignRecord(table))
        if span not in record.spans:
            record.spans.append(span)
        for coding in children(selection, "Coding"):
            for reference in children(coding, "CodeRef"):
                code = project.names.get(reference.attrib["targetGUID"], ("a nameless code", ""))
                project.codes.apply(codes, *code)
        if speaker := project.speakers.get(selection.get("guid", "")):
            codes.cells["speaker_id"] = speaker
    for key, record in found.items():
        record.table = record.table or coded[key].table
        given = dict(coded[key].cells)
        if record.table == "figures" and "speaker_id" in given:
            given["attributed_to"] = given.pop("speaker_id")
        record.cells |= given
    return list(found.values())
