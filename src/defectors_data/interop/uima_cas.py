"""UIMA CAS as XMI 2.0 (Apache UIMA, OASIS UIMA 1.0), an `.xmi` for each article, and the type system.

Offsets are UTF-16 code units, as in Java. The types are custom layers of INCEpTION with a string feature for each
column. Each part of a record's evidence is an annotation with all features of the record, and with the number of the
part.
"""

from __future__ import annotations

from defectors_data.interop.records import COLUMNS, RECORDS, Article, Corpus, Files
from defectors_data.interop.xml_writer import Element, add, document

TYPES = {"mentions": "Mention", "testimonies": "Testimony", "figures": "Figure"}
"""The name of the type for each table."""
NAMESPACE = "webanno.custom"
"""The namespace of custom layers in INCEpTION."""
PART = "part"


def files(corpus: Corpus) -> Files:
    """Yield the type system, and the annotations of each article."""
    yield "TypeSystem.xml", document(_type_system())
    for article in corpus.articles:
        yield f"{article.stem}.xmi", document(_cas(article))


def _type_system() -> Element:
    root = Element("typeSystemDescription", {"xmlns": "http://uima.apache.org/resourceSpecifier"})
    types = add(root, "types")
    for table in RECORDS:
        described = add(types, "typeDescription")
        add(described, "name", text=f"{NAMESPACE}.{TYPES[table]}")
        add(described, "description", text=f"A row of the table {table}.")
        add(described, "supertypeName", text="uima.tcas.Annotation")
        features = add(described, "features")
        named = {column.name: ("uima.cas.String", column.description) for column in COLUMNS[table]}
        named[PART] = ("uima.cas.Integer", "Number of the part of the evidence, counted from 1.")
        for name, (kind, description) in named.items():
            feature = add(features, "featureDescription")
            add(feature, "name", text=name)
            add(feature, "description", text=description)
            add(feature, "rangeTypeName", text=kind)
    return root


def _cas(article: Article) -> Element:
    namespaces = {
        "xmlns:xmi": "http://www.omg.org/XMI",
        "xmlns:cas": "http:///uima/cas.ecore",
        "xmlns:tcas": "http:///uima/tcas.ecore",
        "xmlns:custom": f"http:///{NAMESPACE.replace('.', '/')}.ecore",
    }
    root = Element("xmi:XMI", {**namespaces, "xmi:version": "2.0"})
    add(root, "cas:NULL", {"xmi:id": "0"})
    members = ["2"]
    length = len(article.text.encode("utf-16-le")) // 2
    place = {"sofa": "1", "begin": "0", "end": str(length)}
    add(root, "tcas:DocumentAnnotation", {"xmi:id": "2", **place, "language": article.cells["language"]})
    for record in article.records:
        for number, part in enumerate(record.parts, start=1):
            members.append(str(len(members) + 2))
            place = {"sofa": "1", "begin": str(part.start_utf16), "end": str(part.end_utf16)}
            attributes = {"xmi:id": members[-1], **place, **record.cells, PART: str(number)}
            add(root, f"custom:{TYPES[record.table]}", attributes)
    view = {"xmi:id": "1", "sofaNum": "1", "sofaID": "_InitialView", "mimeType": "text", "sofaString": article.text}
    add(root, "cas:Sofa", view)
    add(root, "cas:View", {"sofa": "1", "members": " ".join(members)})
    return root
