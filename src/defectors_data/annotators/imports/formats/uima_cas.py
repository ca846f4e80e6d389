"""Reader of UIMA CAS as XMI or JSON, and of the project archives of INCEpTION that contain them.

Layers are recognised by name. A feature that refers to another annotation is a relation; the value
of any other feature is a label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from defectors_data import given_files
from defectors_data.annotators.imports.formats.foreign_files import (
    attribute,
    files_of,
    json_of,
    shaped,
    xml_of,
)
from defectors_data.annotators.imports.formats.foreign_offsets import (
    Convention,
    Selection,
    converter,
)
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    ForeignLabel,
    ForeignRecord,
    Link,
    folded,
)
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.exported_records import COLUMNS, RECORDS
from defectors_data.readers.exports.uima_cas import PART, TYPES

_STANDARD = Convention(utf16=True, returns=True)
"""UTF-16 code units of the text as it is, the end exclusive."""
_TABLES = {kind: table for table, kind in TYPES.items()}
_PLACE = ("id", "sofa", "begin", "end", PART)
_BUILT_IN = frozenset(
    "NULL Sofa View DocumentAnnotation DocumentMetaData TagsetDescription TagDescription "
    "LayerDefinition FeatureDefinition Token Sentence CASMetadata".split()
)
"""The names of elements that are not annotations made by a person."""
_FROM, _TO = "Governor", "Dependent"
"""The features of a relation layer of INCEpTION."""
_COLUMNS = {column.name for table in RECORDS for column in COLUMNS[table]}
_JSON_KEYS = {"%ID": "id", "%ELEMENTS": "elements"}
"""The XMI names of JSON keys; other keys that begin with `%`, `^` or `#` are ignored."""


class _Structure(BaseModel):
    """A feature structure of a JSON CAS."""

    model_config = ConfigDict(extra="allow")
    type: str = Field(alias="%TYPE")


class _Cas(BaseModel):
    """A JSON CAS (0.4)."""

    structures: list[_Structure] = Field(alias="%FEATURE_STRUCTURES")


_CAS = TypeAdapter(_Cas)


def read(path: Path) -> Iterator[ForeignArticle]:
    """Yield the article of an `.xmi` or `.json` file, or of each such file in a folder or zip."""
    files = files_of(path, ".xmi", ".json", ".zip")
    if any(name.endswith(".zip") for name in files):
        yield from _project(files)
        return
    for name, data in files.items():
        if name.endswith(".json") and f"{name.removesuffix('.json')}.xmi" in files:
            continue  # the same article: an export has both
        yield _article(name, data)


def _project(files: Mapping[str, bytes]) -> Iterator[ForeignArticle]:
    """Yield the documents of a project of INCEpTION.

    It has an archive for each annotator of a document, in a folder of the document's name.
    """
    annotators: dict[str, dict[str, bytes]] = {}
    for name, data in files.items():
        path = PurePosixPath(name)
        folder, document = [*path.parts[-3:-1], "", ""][:2]
        if path.suffix == ".zip" and folder in _FOLDERS and path.stem != "INITIAL_CAS":
            annotators.setdefault(document, {})[name] = data
    for document, archives in annotators.items():
        # Sorted, `curation` comes after `annotation`; it is what the annotators agreed on.
        *others, chosen = sorted(archives)
        content = given_files.unzipped(archives[chosen], chosen, lambda name: name.endswith(_CASES))
        for data in content.values():
            article = _article(chosen, data)
            if others:
                left = ", ".join(PurePosixPath(name).stem for name in others)
                article.note += f"{document}: the annotations of {left} were not read. "
            yield article


_FOLDERS, _CASES = ("annotation", "curation"), (".xmi", ".json")


def _article(name: str, data: bytes) -> ForeignArticle:
    is_xmi = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    root = xml_of(data, name) if is_xmi else _elements(json_of(data, name), name)
    sofas = [each for each in root if each.tag == "Sofa" and "sofaString" in each.attrib]
    if not sofas:
        raise GivenFileError("it has no text: expected a Sofa with a sofaString", name)
    # A CAS may have several views; people annotate the initial one.
    initial = next((each for each in sofas if each.get("sofaID") == "_InitialView"), sofas[0])
    text = initial.attrib["sofaString"]
    made = [each for each in root if each.tag not in _BUILT_IN and "begin" in each.attrib]
    of_sofa = [each for each in made if each.get("sofa") == initial.get("id")]
    places = [Selection(each.get("begin"), each.get("end")) for each in of_sofa]
    to_span = converter(text, _STANDARD)
    by_id = {
        attribute(each, "id", name): each
        for each in root
        if each.tag != "View" and "id" in each.attrib
    }
    records, order = dict[str, ForeignRecord](), dict[str, list[int]]()
    for element, place in zip(of_sofa, places, strict=True):
        record = _record(element, by_id)
        key = record.id or record.key
        first = records.setdefault(key, record)
        number = element.get(PART, "")
        if not number.isdecimal():
            number = "0"
        order.setdefault(key, []).append(int(number))
        first.spans.append(to_span(place))
    for key, record in records.items():
        by_part = sorted(zip(order[key], record.spans, strict=True), key=lambda part: part[0])
        record.spans = [span for _, span in by_part]
    return ForeignArticle(name, _without_relations(records.values()), folded(text))


def _elements(value: object, file: str) -> list[Element]:
    """Convert the feature structures of a JSON CAS to the elements that represent them in XMI."""
    found = []
    for structure in shaped(_CAS, value, file).structures:
        cells = {}
        for key, given in (structure.model_extra or {}).items():
            name = _JSON_KEYS.get(key, key.removeprefix("@"))
            items = given if isinstance(given, list) else [given]
            if name[:1] not in ("%", "^", "#") and all(isinstance(one, str | int) for one in items):
                cells[name] = " ".join(map(str, items))
        found.append(Element(structure.type.rpartition(".")[2], cells))
    return found


def _record(element: Element, by_id: Mapping[str, Element]) -> ForeignRecord:
    """Return the record of an annotation, without its spans."""
    features = {k: v for k, v in element.attrib.items() if k not in _PLACE and v}
    table = _TABLES.get(element.tag)
    if table:
        cells = {key: value for key, value in features.items() if key in _COLUMNS}
        return ForeignRecord(table, cells, key=element.attrib["id"])
    record = ForeignRecord(key=element.attrib["id"], labels=[ForeignLabel(element.tag)])
    for name, value in features.items():
        targets = [target for one in value.split() for target in _targets(one, by_id)]
        record.links += [Link(name, target) for target in targets]
        if value == "true":
            record.labels.append(ForeignLabel(name))
        elif not targets and value != "false":
            record.labels.append(ForeignLabel(value))
    return record


def _targets(name: str, by_id: Mapping[str, Element], depth: int = 3) -> Iterator[str]:
    """Yield the ids of the annotations to which a value of a feature refers, also through links."""
    element = by_id.get(name)
    if element is None or not depth:
        return
    if "begin" in element.attrib:
        yield name
    for one in f"{element.get('target', '')} {element.get('elements', '')}".split():
        yield from _targets(one, by_id, depth - 1)


def _without_relations(records: Iterable[ForeignRecord]) -> list[ForeignRecord]:
    """Return the records, with those of relation layers as links between the others."""
    by_key = {record.key: record for record in records}
    found = []
    for record in by_key.values():
        ends = {link.name: link.to for link in record.links}
        if {_FROM, _TO} <= ends.keys():
            if ends[_FROM] in by_key:
                by_key[ends[_FROM]].links.append(Link(record.labels[0].name, ends[_TO]))
        else:
            found.append(record)
    return found
