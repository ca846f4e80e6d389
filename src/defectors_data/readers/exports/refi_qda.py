"""REFI-QDA 1.0: a project `.qdpx` and its codebook `.qdc`, for NVivo, MAXQDA and ATLAS.ti.

Each article is a plain-text source. Each part of a record's evidence is a selection, in Unicode
code points from 0, the end exclusive. Its name is the selected words, from which other programs infer
whether an end is exclusive; its description is the record's cells. The codes are the tables of
records, and the themes, measures and populations with their definitions. Each speaker is a case
with variables, and refers to the selections of the speaker's records.
"""

from __future__ import annotations

from collections.abc import Mapping

from defectors_data.package import published_folder
from defectors_data.readers.exports.exported_records import (
    RECORDS,
    VOCABULARIES,
    ExportedArticle,
    ExportedCorpus,
    ExportedRecord,
    Files,
    values,
)
from defectors_data.readers.exports.xml_writer import Element, add, document

_PROJECT, _CODEBOOK = "urn:QDA-XML:project:1.0", "urn:QDA-XML:codebook:1.0"


def files(corpus: ExportedCorpus) -> Files:
    """Yield the codebook and the project."""
    root = Element("CodeBook", {"xmlns": _CODEBOOK, "origin": "defectors-data"})
    _codes(corpus, root)
    yield f"{corpus.name}.qdc", document(root)
    sources, texts = Element("Sources"), dict[str, bytes]()
    selections: dict[str, list[str]] = {}
    for article in corpus.articles:
        _source(corpus, sources, article, selections)
        texts[f"sources/{corpus.guid('source', article.stem)}.txt"] = article.text.encode()
    project = document(_project(corpus, sources, selections))
    yield f"{corpus.name}.qdpx", published_folder.zipped({**texts, "project.qde": project})


def _project(
    corpus: ExportedCorpus, sources: Element, selections: Mapping[str, list[str]]
) -> Element:
    root = Element("Project", {"xmlns": _PROJECT, "name": corpus.title, "origin": "defectors-data"})
    _codes(corpus, add(root, "CodeBook"))
    # The schema does not allow empty `Variables`, `Cases` or `Sources`.
    if corpus.speakers:
        variables, cases = add(root, "Variables"), add(root, "Cases")
        for described in corpus.columns("speakers"):
            name = described.name
            variable = {
                "guid": corpus.guid("variable", name),
                "name": name,
                "typeOfVariable": "Text",
            }
            add(add(variables, "Variable", variable), "Description", text=described.description)
        for name, cells in corpus.speakers.items():
            attributes = {"guid": corpus.guid("speakers", name), "name": cells.get("name", name)}
            case = add(cases, "Case", attributes)
            for column, cell in cells.items():
                value = add(case, "VariableValue")
                add(value, "VariableRef", {"targetGUID": corpus.guid("variable", column)})
                add(value, "TextValue", text=cell)
            for selection in selections.get(name, ()):
                add(case, "SelectionRef", {"targetGUID": selection})
    if len(sources):
        root.append(sources)
    return root


def _codes(corpus: ExportedCorpus, codebook: Element) -> None:
    codes = add(codebook, "Codes")
    for table in RECORDS:
        add(codes, "Code", {"guid": corpus.guid("code", table), "name": table, "isCodable": "true"})
    for kind, terms in corpus.terms.items():
        # The kind is a code only to group its terms, so nothing can be coded with it.
        group = {"guid": corpus.guid("code", kind), "name": kind, "isCodable": "false"}
        above = add(codes, "Code", group) if terms else codes
        for term in terms:
            code = {
                "guid": corpus.guid("code", kind, term["term"]),
                "name": term["label"],
                "isCodable": "true",
            }
            add(add(above, "Code", code), "Description", text=term["definition"])


def _source(
    corpus: ExportedCorpus,
    sources: Element,
    article: ExportedArticle,
    selections: dict[str, list[str]],
) -> None:
    guid = corpus.guid("source", article.stem)
    attributes = {"guid": guid, "name": article.stem, "plainTextPath": f"internal://{guid}.txt"}
    source = add(sources, "TextSource", attributes)
    for record in article.records:
        speaker = record.cells.get("speaker_id") or record.cells.get("attributed_to")
        codes = [("code", record.table), *_terms(record)]
        for number, part in enumerate(record.parts, start=1):
            selection = corpus.guid("selection", record.table, record.id, str(number))
            place = {"startPosition": str(part.start_offset), "endPosition": str(part.end_offset)}
            attributes = {"guid": selection, "name": part.exact, **place}
            found = add(source, "PlainTextSelection", attributes)
            add(found, "Description", text=_description(record))
            for code in codes:
                coding = add(found, "Coding", {"guid": corpus.guid("coding", selection, *code)})
                add(coding, "CodeRef", {"targetGUID": corpus.guid(*code)})
            if speaker:
                selections.setdefault(speaker, []).append(selection)


def _terms(record: ExportedRecord) -> list[tuple[str, str, str]]:
    cells = {column: cell for column, cell in record.cells.items() if column in VOCABULARIES}
    return [
        ("code", VOCABULARIES[column], term)
        for column, cell in cells.items()
        for term in values(column, cell)
    ]


def _description(record: ExportedRecord) -> str:
    """Return the cells of a record, one per line; continuation lines of a cell are indented."""
    cells = ((column, cell.replace("\n", "\n  ")) for column, cell in record.cells.items())
    return "\n".join(f"{column}: {cell}" for column, cell in cells)
