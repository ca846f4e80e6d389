"""TEI P5 (4.0 or later, because of `standOff`): a document for each article.

The whole text, unchanged, is one `ab` element. In `standOff`, each record is a `span` whose
`target` is a `string-range()` of that text, in Unicode code points from 0 (TEI XPointer scheme),
and a feature structure with its cells; so are the words that say who
speaks. The speakers of the article are in a `listPerson`. The header has a `taxonomy` of terms for
each vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from defectors_data.package.cells import single_date
from defectors_data.readers.exports.exported_records import (
    VOCABULARIES,
    ExportedArticle,
    ExportedCorpus,
    ExportedPart,
    ExportedRecord,
    Files,
    values,
)
from defectors_data.readers.exports.xml_writer import Element, add, document

NAMESPACE = "http://www.tei-c.org/ns/1.0"
TEXT = "text"
"""The id of the element with the text."""
_PERSONS = {"person": "person", "group": "personGrp", "writer": "person"}
"""The element for each kind of speaker; any other kind is an `org`."""


def files(corpus: ExportedCorpus) -> Files:
    """Yield a document for each article."""
    for article in corpus.articles:
        root = Element("TEI", {"xmlns": NAMESPACE, "xml:lang": article.cells["language"]})
        _header(add(root, "teiHeader"), corpus, article)
        _annotations(add(root, "standOff"), corpus, article)
        body = add(add(root, "text"), "body")
        # Normalising white space would shift the offsets.
        add(body, "ab", {"xml:id": TEXT, "xml:space": "preserve"}, article.text)
        yield f"{article.stem}.xml", document(root)


def _header(header: Element, corpus: ExportedCorpus, article: ExportedArticle) -> None:
    described = add(header, "fileDesc")
    title = article.cells.get("title", article.cells["source_id"])
    add(add(described, "titleStmt"), "title", text=title)
    release = f"Annotations: {corpus.title}, version {corpus.version}."
    add(add(described, "publicationStmt"), "p", text=release)
    source = add(add(described, "sourceDesc"), "bibl")
    named = {
        "title": "title",
        "authors": "author",
        "outlet": "publisher",
        "published": "date",
        "url": "ref",
    }
    for column, name in named.items():
        if column in article.cells:
            text = article.cells[column]
            if column == "published":
                text = single_date(text)
            add(source, name, text=text)
    add(source, "note", text=article.cells["rights"])
    classes = add(add(header, "encodingDesc"), "classDecl")
    for kind, terms in corpus.terms.items():
        if terms:
            taxonomy = add(classes, "taxonomy", {"xml:id": kind})
            for term in terms:
                category = add(taxonomy, "category", {"xml:id": f"{kind}.{term['term']}"})
                add(category, "catDesc", text=f"{term['label']}: {term['definition']}")


def _annotations(stand_off: Element, corpus: ExportedCorpus, article: ExportedArticle) -> None:
    named = set()
    for record in article.records:
        if speaker := record.cells.get("speaker_id") or record.cells.get("attributed_to"):
            named.add(speaker)
    if named:
        persons = add(stand_off, "listPerson")
        for speaker in sorted(named):
            _speaker(persons, corpus.speakers[speaker])
    groups: dict[str, list[tuple[ExportedRecord, Sequence[ExportedPart]]]] = {}
    for record in article.records:
        groups.setdefault(record.table, []).append((record, record.parts))
    for record in article.records:
        if record.attribution:
            groups.setdefault("attributions", []).append((record, record.attribution))
    for name, found in groups.items():
        group = add(stand_off, "spanGrp", {"type": name})
        for record, parts in found:
            # `string-range()` takes pairs of an offset and a length.
            ranges = ",".join(
                f"{part.start_offset},{part.end_offset - part.start_offset}" for part in parts
            )
            attributes = {"target": f"#string-range({TEXT},{ranges})", "ana": f"#{_id(record)}"}
            add(group, "span", attributes)
    for record in article.records:
        features = add(stand_off, "fs", {"xml:id": _id(record), "type": record.table})
        for column, cell in record.cells.items():
            _feature(features, column, values(column, cell))


def _feature(features: Element, column: str, cell: list[str]) -> None:
    """Add a feature: a term is a symbol, themes are a set of them, any other value is a string."""
    feature = add(features, "f", {"name": column})
    if column not in VOCABULARIES:
        add(feature, "string", text=";".join(cell))
        return
    parent = feature
    if column == "themes":
        parent = add(feature, "vColl", {"org": "set"})
    for term in cell:
        add(parent, "symbol", {"value": term})


def _speaker(persons: Element, cells: Mapping[str, str]) -> None:
    kind = _PERSONS.get(cells["kind"], "org")
    attributes = {"xml:id": f"speakers.{cells['speaker_id']}", "role": cells["role"]}
    person = add(persons, kind, attributes)
    if "name" in cells:
        element = "orgName" if kind == "org" else "persName"
        add(person, element, text=cells["name"])
    for column, cell in cells.items():
        if column not in ("speaker_id", "role", "name"):
            add(person, "note", {"type": column}, cell)


def _id(record: ExportedRecord) -> str:
    return f"{record.table}.{record.id}"
