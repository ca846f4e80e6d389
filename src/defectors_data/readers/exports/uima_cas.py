"""UIMA CAS as XMI 2.0 (Apache UIMA, OASIS UIMA 1.0) and as JSON CAS 0.4, for each article.

The type system is in `TypeSystem.xml`, and in each JSON file.

Offsets are UTF-16 code units, as in Java. The types are custom layers of INCEpTION with a string
feature for each column. Each part of a record's evidence is an annotation with all features of the
record, and with the number of the part.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from defectors_data.models.schemas import encoded
from defectors_data.readers.exports.exported_records import (
    COLUMNS,
    RECORDS,
    ExportedArticle,
    ExportedCorpus,
    Files,
)
from defectors_data.readers.exports.xml_writer import Element, add, document

TYPES = {"mentions": "Mention", "testimonies": "Testimony", "figures": "Figure"}
"""The name of the type for each table."""
NAMESPACE = "webanno.custom"
"""The namespace of custom layers in INCEpTION."""
PART = "part"
VIEW = "_InitialView"


def files(corpus: ExportedCorpus) -> Files:
    """Yield the type system, and the annotations of each article in both serialisations."""
    yield "TypeSystem.xml", document(_type_system())
    for article in corpus.articles:
        yield f"{article.stem}.xmi", document(_xmi(article))
        yield f"{article.stem}.json", encoded(_json(article))


class _Feature(NamedTuple):
    """A feature of a type: its range and its description."""

    range: str
    description: str


def _features(table: str) -> dict[str, _Feature]:
    """Return the features of a table's type, by name."""
    named = {}
    for column in COLUMNS[table]:
        named[column.name] = _Feature("uima.cas.String", column.description)
    described = "Number of the part of the evidence, counted from 1."
    named[PART] = _Feature("uima.cas.Integer", described)
    return named


def _annotations(
    article: ExportedArticle,
) -> Iterator[tuple[int, str, dict[str, int], dict[str, str], int]]:
    """Yield the id, type, place, cells and number of each part.

    Ids 1 and 2 belong to the text and the document.
    """
    ids = count(3)
    for record in article.records:
        for number, part in enumerate(record.parts, start=1):
            place = {"begin": part.start_utf16, "end": part.end_utf16}
            yield next(ids), TYPES[record.table], place, dict(record.cells), number


def _length(article: ExportedArticle) -> int:
    return len(article.text.encode("utf-16-le")) // 2


def _json(article: ExportedArticle) -> dict[str, Any]:
    """Return a JSON CAS (UIMA JSON CAS 0.4) with its type system."""
    types = {f"{NAMESPACE}.{TYPES[table]}": _json_type(table) for table in RECORDS}
    text = {"sofaNum": 1, "sofaID": VIEW, "mimeType": "text", "sofaString": article.text}
    whole = {"begin": 0, "end": _length(article), "language": article.cells["language"]}
    structures: list[dict[str, Any]] = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", **text},
        {"%ID": 2, "%TYPE": "uima.tcas.DocumentAnnotation", "@sofa": 1, **whole},
    ]
    for i, kind, place, cells, number in _annotations(article):
        structure = {"%ID": i, "%TYPE": f"{NAMESPACE}.{kind}", "@sofa": 1}
        structures.append({**structure, **place, **cells, PART: number})
    members = [structure["%ID"] for structure in structures[1:]]
    views = {VIEW: {"%SOFA": 1, "%MEMBERS": members}}
    return {"%TYPES": types, "%FEATURE_STRUCTURES": structures, "%VIEWS": views}


def _json_type(table: str) -> dict[str, Any]:
    described: dict[str, Any] = {
        "%NAME": f"{NAMESPACE}.{TYPES[table]}",
        "%SUPER_TYPE": "uima.tcas.Annotation",
        "%DESCRIPTION": f"A row of the table {table}.",
    }
    for name, (kind, description) in _features(table).items():
        described[name] = {"%NAME": name, "%RANGE": kind, "%DESCRIPTION": description}
    return described


def _type_system() -> Element:
    root = Element("typeSystemDescription", {"xmlns": "http://uima.apache.org/resourceSpecifier"})
    types = add(root, "types")
    for table in RECORDS:
        described = add(types, "typeDescription")
        add(described, "name", text=f"{NAMESPACE}.{TYPES[table]}")
        add(described, "description", text=f"A row of the table {table}.")
        add(described, "supertypeName", text="uima.tcas.Annotation")
        features = add(described, "features")
        for name, (kind, description) in _features(table).items():
            feature = add(features, "featureDescription")
            add(feature, "name", text=name)
            add(feature, "description", text=description)
            add(feature, "rangeTypeName", text=kind)
    return root


def _xmi(article: ExportedArticle) -> Element:
    namespaces = {
        "xmlns:xmi": "http://www.omg.org/XMI",
        "xmlns:cas": "http:///uima/cas.ecore",
        "xmlns:tcas": "http:///uima/tcas.ecore",
        "xmlns:custom": f"http:///{NAMESPACE.replace('.', '/')}.ecore",
    }
    root = Element("xmi:XMI", {**namespaces, "xmi:version": "2.0"})
    add(root, "cas:NULL", {"xmi:id": "0"})  # as UIMA itself writes it
    members = ["2"]
    place = {"sofa": "1", "begin": "0", "end": str(_length(article))}
    whole = {"xmi:id": "2", **place, "language": article.cells["language"]}
    add(root, "tcas:DocumentAnnotation", whole)
    for i, kind, span, cells, number in _annotations(article):
        members.append(str(i))
        place = {"sofa": "1", "begin": str(span["begin"]), "end": str(span["end"])}
        add(root, f"custom:{kind}", {"xmi:id": str(i), **place, **cells, PART: str(number)})
    view = {
        "xmi:id": "1",
        "sofaNum": "1",
        "sofaID": VIEW,
        "mimeType": "text",
        "sofaString": article.text,
    }
    add(root, "cas:Sofa", view)
    add(root, "cas:View", {"sofa": "1", "members": " ".join(members)})
    return root
