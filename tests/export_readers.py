"""A small reader for each format of an export, written from its standard and not from the module that writes it."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import openpyxl
from pandas.api.typing import StataReader

from conftest import INVENTED
from defectors_data.readers import exports
from defectors_data.readers.exports.exported_records import COLUMNS

Span = tuple[int, int]
Cells = dict[str, Any]
"""Cells that are not empty: texts, or values in a format that has types."""
Tables = dict[str, list[Cells]]
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def qda_files(package: Path, out: Path) -> dict[str, bytes]:
    """Export a package as a REFI-QDA project, and return the files in the project."""
    exports.export(package, "refi-qda", out, seeds=INVENTED / "seeds")
    [project] = out.glob("*.qdpx")
    with zipfile.ZipFile(project) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Found(NamedTuple):
    """A record as a format gives it back."""

    table: str
    cells: Cells
    spans: list[Span]
    words: list[str]
    """The words of the parts; empty if the format has none but those of the text."""
    context: list[tuple[str | None, str | None]] = []


class Read(NamedTuple):
    """What a format gives back of one article."""

    text: str | None
    records: list[Found]
    speakers: dict[str, Cells] = {}
    terms: dict[tuple[str, str], str] = {}
    """The definition of each term, by its kind and its name."""
    tables: frozenset[str] = frozenset()
    """The names of the tables."""


Files = dict[str, bytes]
_COLUMN_OF_KIND = {"theme": "themes", "measure": "measure", "population": "population"}


def sqlite(files: Files, _stem: str) -> Read:
    [data] = [data for name, data in files.items() if name.endswith(".db")]
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        database.row_factory = sqlite3.Row
        names = [row[0] for row in database.execute("select name from sqlite_master where type = 'table'")]
        rows = {name: database.execute(f"select * from {name}").fetchall() for name in names}  # noqa: S608
    return _of_tables({name: [dict(row) for row in found] for name, found in rows.items()})


def xlsx(files: Files, _stem: str) -> Read:
    [data] = files.values()
    tables = {}
    for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets:
        header, *rows = sheet.iter_rows(values_only=True)
        tables[sheet.title] = [dict(zip(map(str, header), row, strict=True)) for row in rows]
    return _of_tables(tables)


def stata(files: Files, _stem: str) -> Read:
    listed = list(csv.DictReader(io.StringIO(files["variables.csv"].decode())))
    tables = {}
    for name in dict.fromkeys(row["table"] for row in listed):
        columns = {row["variable"]: row["column"] for row in listed if row["table"] == name}
        with StataReader(io.BytesIO(files[f"{name}.dta"])) as reader:
            frame = reader.read().astype(object)  # type: ignore[attr-defined]  # the stubs lack it
        rows = frame.where(frame.notna(), None).rename(columns=columns).to_dict("records")
        tables[name] = [{str(column): cell for column, cell in row.items()} for row in rows]
    return _of_tables(tables)


def _of_tables(tables: Tables) -> Read:
    """Return the records of the published tables, of a single source."""
    tables = {
        name: [{column: cell for column, cell in row.items() if cell not in (None, "")} for row in rows]
        for name, rows in tables.items()
    }
    found, spans = [], defaultdict(list)
    for part in tables["spans"]:
        spans[part["record_table"], part["record_id"]].append(part)
    for name, wanted in COLUMNS.items():
        for row in tables[name] if name != "speakers" else ():
            parts = spans[name, row[wanted[0].name]]
            found.append(
                Found(
                    name,
                    {column.name: row[column.name] for column in wanted if column.name in row},
                    [(part["start_offset"], part["end_offset"]) for part in parts],
                    [part["exact"] for part in parts],
                    [(part.get("prefix"), part.get("suffix")) for part in parts],
                )
            )
    speakers = {row["speaker_id"]: row for row in tables["speakers"]}
    terms = {("measure", row["measure"]): row["definition"] for row in tables["measures"]}
    terms |= {(row["kind"], row["term"]): row["definition"] for row in tables["terms"]}
    return Read(None, found, speakers, terms, frozenset(tables))


def w3c(files: Files, stem: str) -> Read:
    items = json.loads(files[f"{stem}.jsonld"])["items"]
    found = []
    for item in items:
        bodies = [body for body in item["body"] if body["purpose"] != "identifying"]
        found.append(_annotation(item["target"], bodies[-1]["value"], bodies[:-1]))
        # The words that say who speaks, with their places.
        named = [body["selector"][0]["exact"] for body in item["body"] if body["purpose"] == "identifying"]
        assert not named or " […] ".join(named) == found[-1].cells["attribution_text"]
    return Read(None, found)


def hypothesis(files: Files, _stem: str) -> Read:
    found = []
    for item in json.loads(files["annotations.json"])["annotations"]:
        assert {target["source"] for target in item["target"]} == {item["uri"]}
        found.append(_annotation(item["target"], item["text"], [{"value": tag} for tag in item["tags"][1:]]))
    return Read(None, found)


def _annotation(target: Any, described: str, tags: list[Any]) -> Found:
    targets = target if isinstance(target, list) else [target]
    quotes = [target["selector"][0] for target in targets]
    places = [target["selector"][1] for target in targets]
    assert {place["type"] for place in places} == {"TextPositionSelector"}
    cells = json.loads(described)
    for tag in tags:
        kind, _, term = tag["value"].partition("/")
        column = _COLUMN_OF_KIND[kind]
        cells[column] = f"{cells[column]};{term}" if column in cells else term
    return Found(
        _table(cells),
        cells,
        [(place["start"], place["end"]) for place in places],
        [quote["exact"] for quote in quotes],
        [(quote.get("prefix"), quote.get("suffix")) for quote in quotes],
    )


def brat(files: Files, stem: str) -> Read:
    text = files[f"{stem}.txt"].decode()
    types: dict[str, str] = {}
    spans: dict[str, list[Span]] = {}
    cells: dict[str, Cells] = defaultdict(dict)
    for line in files[f"{stem}.ann"].decode().split("\n")[:-1]:
        name, rest, *last = line.split("\t", 2)
        if name[0] == "T":
            types[name], _, places = rest.partition(" ")
            spans[name] = [(int(start), int(end)) for start, end in (piece.split() for piece in places.split(";"))]
            assert last[0] == " ".join(text[start:end] for start, end in spans[name])
        elif name[0] == "A":
            attribute, of, *value = rest.split(" ")
            if value:
                cells[of][attribute.removeprefix(f"{types[of]}_")] = value[0]
            else:
                themes = [cells[of]["themes"]] if "themes" in cells[of] else []
                cells[of]["themes"] = ";".join([*themes, attribute.removeprefix("theme_")])
        else:
            cells[rest.split()[1]] |= json.loads(last[0])
    return Read(text, [Found(types[t], cells[t], spans[t], []) for t in types])


def tei(files: Files, stem: str) -> Read:
    root = ET.fromstring(files[f"{stem}.xml"])  # noqa: S314  # written here
    t = {"t": "http://www.tei-c.org/ns/1.0"}
    features: dict[str, Cells] = {}
    for fs in root.iterfind("t:standOff/t:fs", t):
        features[fs.attrib[XML_ID]] = {
            f.attrib["name"]: ";".join(
                str(e.text or e.get("value")) for e in f.iter() if e.tag[-6:] in ("string", "symbol")
            )
            for f in fs.iterfind("t:f", t)
        }
    found = []
    for group in root.iterfind("t:standOff/t:spanGrp", t):
        if group.attrib["type"] == "attributions":
            assert all("attribution_text" in features[span.attrib["ana"][1:]] for span in group)
            continue
        for span in group:
            numbers = [int(n) for n in re.findall(r"(?<=,)\d+", span.attrib["target"])]
            spans = [(start, start + length) for start, length in zip(numbers[::2], numbers[1::2], strict=True)]
            found.append(Found(group.attrib["type"], features[span.attrib["ana"][1:]], spans, []))
    speakers = {}
    for person in root.iterfind("t:standOff/t:listPerson/*", t):
        name = person.attrib[XML_ID].removeprefix("speakers.")
        cells = {note.attrib["type"]: note.text or "" for note in person.iterfind("t:note", t)}
        named = [e.text or "" for e in person if e.tag.endswith("Name")]
        speakers[name] = {
            "speaker_id": name,
            "role": person.attrib["role"],
            **cells,
            **dict(zip(["name"], named, strict=False)),
        }
    terms = {}
    for category in root.iterfind(".//t:category", t):
        table, _, term = category.attrib[XML_ID].partition(".")
        terms[table, term] = (category.findtext("t:catDesc", "", t)).partition(": ")[2]
    return Read(root.findtext("t:text/t:body/t:ab", "", t), found, speakers, terms)


def label_studio(files: Files, stem: str) -> Read:
    [task] = [task for task in json.loads(files["tasks.json"]) if task["data"]["seed_file"] == f"{stem}.txt"]
    text = task["data"]["text"]
    units = text.encode("utf-16-le")
    results = task["annotations"][0]["result"]
    regions = {each["id"]: each["value"] for each in results if each["type"] == "labels"}
    following = {each["from_id"]: each["to_id"] for each in results if each["type"] == "relation"}
    found = []
    for first in regions.keys() - following.values():
        chain = [first]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        values = [regions[name] for name in chain]
        cells = {}
        for each in results:
            if each.get("id") == first and each["type"] in ("choices", "textarea"):
                given = each["value"].get("choices") or each["value"]["text"]
                cells[each["from_name"].partition(".")[2]] = ";".join(given)
        spans = [_code_points(units, value["start"], value["end"]) for value in values]
        found.append(Found(values[0]["labels"][0], cells, spans, [value["text"] for value in values]))
    return Read(text, found)


def refi_qda(files: Files, stem: str) -> Read:
    [packed] = [data for name, data in files.items() if name.endswith(".qdpx")]
    with zipfile.ZipFile(io.BytesIO(packed)) as project:
        root = ET.fromstring(project.read("project.qde"))  # noqa: S314  # written here
        q = {"q": "urn:QDA-XML:project:1.0"}
        [source] = root.iterfind(f"q:Sources/q:TextSource[@name='{stem}']", q)
        text = project.read(source.attrib["plainTextPath"].replace("internal://", "sources/")).decode()
    codes = {code.attrib["guid"]: code.attrib["name"] for code in root.iterfind(".//q:Code", q)}
    grouped: dict[str, Found] = {}
    for selection in source.iterfind("q:PlainTextSelection", q):
        description = selection.findtext("q:Description", "", q)
        lines = re.findall(r"(?m)^(\w+): ((?:.|\n  )*)", description)
        place = (int(selection.attrib["startPosition"]), int(selection.attrib["endPosition"]))
        assert selection.attrib["name"] == text[slice(*place)]
        table = codes[next(ref.attrib["targetGUID"] for ref in selection.iterfind("q:Coding/q:CodeRef", q))]
        cells = {column: cell.replace("\n  ", "\n") for column, cell in lines}
        one = grouped.setdefault(description, Found(table, cells, [], []))
        one.spans.append(place)
    variables = {each.attrib["guid"]: each.attrib["name"] for each in root.iterfind("q:Variables/q:Variable", q)}
    speakers = {}
    for case in root.iterfind("q:Cases/q:Case", q):
        cells = {
            variables[value[0].attrib["targetGUID"]]: value[1].text or ""
            for value in case.iterfind("q:VariableValue", q)
        }
        speakers[cells["speaker_id"]] = cells
    terms = {
        (above.attrib["name"], code.attrib["name"].casefold().replace(" ", "_")): code.findtext("q:Description", "", q)
        for above in root.iterfind("q:CodeBook/q:Codes/q:Code", q)
        for code in above.iterfind("q:Code", q)
    }
    return Read(text, list(grouped.values()), speakers, terms)


def uima_cas(files: Files, stem: str) -> Read:
    root = ET.fromstring(files[f"{stem}.xmi"])  # noqa: S314  # written here
    sofa = next(each for each in root if each.tag.endswith("}Sofa"))
    units = sofa.attrib["sofaString"].encode("utf-16-le")
    declared = ET.fromstring(files["TypeSystem.xml"])  # noqa: S314  # written here
    assert {e.text for e in declared.iter() if e.tag.endswith("}supertypeName")} == {"uima.tcas.Annotation"}
    grouped: dict[str, Found] = {}
    for each in root:
        if "webanno" not in each.tag:
            continue
        cells = {key: value for key, value in each.attrib.items() if key not in ("sofa", "begin", "end", "part")}
        cells = {key: value for key, value in cells.items() if not key.startswith("{")}
        table = {"Mention": "mentions", "Testimony": "testimonies", "Figure": "figures"}[each.tag.rpartition("}")[2]]
        one = grouped.setdefault(repr(sorted(cells.items())), Found(table, cells, [], []))
        assert each.attrib["part"] == str(len(one.spans) + 1)
        one.spans.append(_code_points(units, int(each.attrib["begin"]), int(each.attrib["end"])))
    assert _json_cas(json.loads(files[f"{stem}.json"])) == [
        {
            "%TYPE": each.tag.rpartition("}")[2],
            **{k: v for k, v in each.attrib.items() if not k.startswith(("{", "sofa"))},
        }
        for each in root
        if "webanno" in each.tag
    ]
    return Read(sofa.attrib["sofaString"], list(grouped.values()))


def _json_cas(cas: dict[str, Any]) -> list[dict[str, str]]:
    """Return the annotations of layers in a JSON CAS 0.4 as texts, after a check of ids, types and features."""
    structures, types = cas["%FEATURE_STRUCTURES"], cas["%TYPES"]
    assert [structure["%ID"] for structure in structures] == list(range(1, len(structures) + 1))
    assert cas["%VIEWS"]["_InitialView"] == {"%SOFA": 1, "%MEMBERS": list(range(2, len(structures) + 1))}
    found = [structure for structure in structures if structure["%TYPE"] in types]
    assert all(set(each) - {"%ID", "%TYPE", "@sofa", "begin", "end"} <= set(types[each["%TYPE"]]) for each in found)
    return [
        {"%TYPE": each["%TYPE"].rpartition(".")[2]}
        | {key: str(value) for key, value in each.items() if key[0] not in "%@"}
        for each in found
    ]


READERS: dict[str, Any] = {
    "sqlite": sqlite,
    "xlsx": xlsx,
    "stata": stata,
    "w3c": w3c,
    "hypothesis": hypothesis,
    "brat": brat,
    "tei": tei,
    "label-studio": label_studio,
    "refi-qda": refi_qda,
    "uima-cas": uima_cas,
}


def _table(cells: Cells) -> str:
    keys = {"mention_id": "mentions", "testimony_id": "testimonies", "figure_id": "figures"}
    return keys[next(iter(cells))]


def _code_points(units: bytes, start: int, end: int) -> Span:
    before = len(units[: 2 * start].decode("utf-16-le"))
    return before, before + len(units[2 * start : 2 * end].decode("utf-16-le"))
