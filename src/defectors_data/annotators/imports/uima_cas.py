"""Reader of UIMA CAS as XMI or JSON, as INCEpTION and dkpro-cassis write it.

Layers are recognised by name, and have string features.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from defectors_data.annotators.imports.foreign_files import (
    ForeignArticle,
    ForeignRecord,
    KnownCodes,
    files_of,
    json_of,
    utf16_spans,
    xml_of,
)
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.exported_records import COLUMNS, RECORDS
from defectors_data.readers.exports.uima_cas import PART, TYPES
from defectors_data.text.offsets import Span

_TABLES = {kind: table for table, kind in TYPES.items()}
_PLACE = ("id", "sofa", "begin", "end", PART)
_BUILT_IN = frozenset(
    "NULL Sofa View DocumentAnnotation DocumentMetaData TagsetDescription Token Sentence".split()
)
"""The names of elements that are not annotations made by a person."""


def read(path: Path, codes: KnownCodes) -> Iterator[ForeignArticle]:
    """Yield the article of an `.xmi` or `.json` file, or of each such file in a folder or zip."""
    files = files_of(path, ".xmi", ".json")
    for name, data in files.items():
        if name.endswith(".json") and f"{name.removesuffix('.json')}.xmi" in files:
            continue  # the same article: an export has both
        root = _structures(json_of(data, name)) if name.endswith(".json") else xml_of(data, name)
        sofas = [each for each in root if each.tag == "Sofa" and "sofaString" in each.attrib]
        if not sofas:
            raise GivenFileError("it has no text: expected a Sofa with a sofaString", name)
        # A CAS may have several views; people annotate the initial one.
        initial = next((each for each in sofas if each.get("sofaID") == "_InitialView"), sofas[0])
        text = initial.attrib["sofaString"]
        made = [each for each in root if each.tag not in _BUILT_IN]
        of_sofa = [each for each in made if each.get("sofa") == initial.get("id")]
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        yield ForeignArticle(name, sha256, partial(_records, of_sofa, codes))


def _structures(cas: Any) -> list[Element]:
    """Convert the feature structures of a JSON CAS to the elements that represent them in XMI."""
    found = []
    for structure in cas["%FEATURE_STRUCTURES"]:
        cells = {}
        for key, value in structure.items():
            name = _KEYS.get(key, key)
            if isinstance(value, str | int) and name[0] not in "%@^#":
                cells[name] = str(value)
        found.append(Element(structure["%TYPE"].rpartition(".")[2], cells))
    return found


_KEYS = {"%ID": "id", "@sofa": "sofa"}
"""The XMI names of two JSON keys; others that begin with `%`, `@`, `^` or `#` are ignored."""


def _records(elements: list[Element], codes: KnownCodes, text: str) -> list[ForeignRecord]:
    to_span = utf16_spans(text)
    found: dict[str, ForeignRecord] = {}
    parts: dict[str, list[tuple[int, Span | None]]] = {}
    for element in elements:
        features = {k: v for k, v in element.attrib.items() if k not in _PLACE and v}
        one = ForeignRecord(_TABLES.get(element.tag), features)
        # The name or the values of another project's layer may be codes of this project.
        if one.table is None:
            codes.apply(one, element.tag)
            if one.table is None:
                # A copy, because a term is added to the features.
                for value in list(features.values()):
                    codes.apply(one, value)
            one.cells = {key: value for key, value in one.cells.items() if key in _COLUMNS}
        key = one.id or element.attrib["id"]
        found.setdefault(key, one)
        typed = element.get(PART, "")
        number = int(typed) if typed.isdecimal() else 0
        span = to_span(element.get("begin"), element.get("end"))
        parts.setdefault(key, []).append((number, span))
    for key, record in found.items():
        ordered = sorted(parts[key], key=lambda part: part[0])
        record.spans = [span for _, span in ordered]
    return list(found.values())


_COLUMNS = {column.name for table in RECORDS for column in COLUMNS[table]}
