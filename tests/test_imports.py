"""Records of another tool are drafts in the annotation files; what is unchanged stays as it was typed."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import example, given, settings

from calling import run
from conftest import INVENTED, documents_of, edit, found_in, spread
from defectors_data import given_files
from defectors_data.annotators import imports
from defectors_data.annotators.imports import record_matches
from defectors_data.annotators.imports.article_search import set_spans
from defectors_data.annotators.imports.formats.foreign_records import ForeignRecord
from defectors_data.annotators.imports.label_map import KnownLabels
from defectors_data.annotators.imports.labelled_records import LabelReader
from defectors_data.given_files import GivenFileError
from defectors_data.package.published_folder import table_names
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import exports as export_formats
from defectors_data.readers.exports import exported_records
from defectors_data.readers.exports.exported_records import (
    COLUMNS,
    ExportedArticle,
    ExportedCorpus,
    ExportedPart,
    ExportedRecord,
)
from defectors_data.text.offsets import OffsetConverter
from losses import Losses
from test_exports import SPEAKERS, TERMS, articles, difficult

EXAMPLE = "annotations/900_example.yaml"
RETURNED = sorted(imports.READERS.keys() & export_formats.FORMATS)
"""The formats that are exported and imported."""
FORMATS = [name for name in RETURNED if name != "hypothesis"]
"""Those in which the invented articles, which have no address, are exported."""


# ---- any record ------------------------------------------------------------------------------------------------------


def read(name: str, article: ExportedArticle, folder: Path) -> list[ForeignRecord]:
    """Return the records of an article that was exported and is read again; the JSON of a CAS has those of its XMI."""
    digest = hashlib.sha256(article.text.encode()).hexdigest()
    article = article._replace(cells={**article.cells, "sha256": digest})
    corpus = ExportedCorpus("invented", "Invented", "1.0.0", TERMS, SPEAKERS, [article], PackageTables(Path(), ()))
    for path, content in export_formats.FORMATS[name].files(corpus):
        (folder / path).write_bytes(content)
    [file] = [path for path in folder.iterdir() if path.name.endswith((".qdpx", "tasks.json"))] or [folder]
    terms = {table: {row["term"]: row["label"] for row in rows} for table, rows in TERMS.items()}
    known = KnownLabels(terms, {one: cells.get("name", one) for one, cells in SPEAKERS.items()}, ignored=(corpus.name,))
    records = read_again(name, file, article, known)
    if name == "uima-cas":
        assert read_again(name, folder / f"{article.stem}.json", article, known) == records
    return records


def read_again(name: str, file: Path, article: ExportedArticle, known: KnownLabels) -> list[ForeignRecord]:
    """Return the records of the article in a file, all of whose labels must be known."""
    labels, records = LabelReader(known), list[ForeignRecord]()
    for found in imports.READERS[name](file):
        assert article.cells["sha256"] == found.sha256 or article.text == found.text or found.address
        set_spans(found, article.text)
        records += labels.read(found.records, article.text)
    assert (labels.unknown, labels.unlabelled, labels.ignored, labels.apart) == ([], 0, {}, [])
    return records


def facets(article: ExportedArticle, found: list[ForeignRecord]) -> dict[str, bool]:
    """Return which of these come back, by the name that the table of losses has for them."""
    ours = {(record.table, record.id): record for record in article.records}
    theirs = {(each.table, each.id): each for each in found}
    pairs = [(ours[key], theirs[key]) for key in ours.keys() & theirs.keys()]
    places = {key: [(part.start_offset, part.end_offset) for part in ours[key].parts] for key in ours}
    across = {key for key in ours if any("\n" in part.exact for part in ours[key].parts)}
    return {
        "records with their ids": ours.keys() == theirs.keys() and len(found) == len(ours),
        "cells": all(record.cells == each.cells for record, each in pairs),
        "parts in order": all(places[key] == theirs[key].spans for key in ours.keys() - across),
        "a part across lines": all(places[key] == theirs[key].spans for key in across),
        ", ".join(f"`{key}`" for key in not_imported()): False,
    }


def not_imported() -> list[str]:
    """Return the keys of testimonies and figures that no import sets."""
    keys = [
        key
        for table, model in record_matches.MODELS.items()
        for key in model.model_fields
        if key not in (*record_matches.FIELDS[table].values(), "draft", "evidence")
    ]
    return list(dict.fromkeys(keys))


@pytest.mark.parametrize(("examples", "records"), [(10, 10), pytest.param(5_000, 10_000, marks=pytest.mark.sweep)])
def test_an_import_loses_exactly_what_the_table_of_losses_says(
    tmp_path: Path, examples: int, records: int, golden: bool
) -> None:
    losses, tried = Losses("imports", golden=golden), list[ExportedRecord]()

    @settings(max_examples=examples)
    @example(article=difficult())
    @given(article=articles())
    def any_article(article: ExportedArticle) -> None:
        tried.extend(article.records)
        for name in RETURNED:
            shutil.rmtree(tmp_path / name, ignore_errors=True)
            (tmp_path / name).mkdir()
            losses.add(name, facets(article, read(name, article, tmp_path / name)))

    any_article()
    losses.check()
    assert len(tried) >= records


# ---- the annotation files --------------------------------------------------------------------------------------------


class Exported(NamedTuple):
    """The file that an import reads, and the folder of the export."""

    file: Path
    folder: Path


@pytest.fixture(scope="session")
def exports(package: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Exported]:
    """The package of the invented corpus in every format that can be imported."""
    found = {}
    for name in FORMATS:
        folder = tmp_path_factory.mktemp("exports") / name
        export_formats.export(package, name, folder, seeds=INVENTED / "seeds")
        files = [path for path in folder.iterdir() if path.name.endswith((".qdpx", "tasks.json"))]
        found[name] = Exported(files[0] if files else folder, folder)
    return found


def files(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / "annotations").iterdir()}


def codes_of(root: Path) -> set[str]:
    return {finding.code for finding in found_in(root)}


@pytest.mark.parametrize("name", spread(FORMATS, 3))
def test_unchanged_values_are_kept_as_typed(copied: Path, exports: dict[str, Exported], name: str) -> None:
    before = files(copied)
    ran = run("import", name, exports[name].file, where=copied)
    assert (ran.returncode, ran.stderr, files(copied)) == (0, "", before)
    assert re.findall(r"(\d+) unchanged, 0 new, 0 changed, 0 not imported", ran.stdout)
    assert "Nothing was written." in ran.stdout


@pytest.mark.parametrize("name", spread(FORMATS, 3))
def test_records_of_a_file_without_any_come_back_as_drafts(
    copied: Path, exports: dict[str, Exported], name: str
) -> None:
    [document, _] = documents_of(copied)
    path = copied / EXAMPLE
    typed = path.read_text(encoding="utf-8")
    start, end = typed.index("testimonies:\n"), typed.index("readings:\n")
    path.write_text(f"# kept\n{typed[:start]}testimonies: []  # none yet\n\n{typed[end:]}", encoding="utf-8")
    ran = run("import", name, exports[name].file, where=copied)
    assert (ran.returncode, "21 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran.stdout
    assert path.read_text(encoding="utf-8").startswith("# kept\n")
    [back, _] = documents_of(copied)
    assert back.content.speakers == document.content.speakers
    ids = {old.id: new.id for (_, old), (_, new) in zip(sorted_by_words(document), sorted_by_words(back), strict=True)}
    for (before, old), (after, new) in zip(sorted_by_words(document), sorted_by_words(back), strict=True):
        assert new.draft
        assert document.evidence_of(before) == back.evidence_of(after)
        given = old.model_dump(exclude={"id", "draft", "evidence", *not_imported()})
        if given.get("testimony"):
            given["testimony"] = ids[given["testimony"]]
        is_protected = old.id in document.of_protected
        free = {"note", "counted", "place", "override", "outlet"} if is_protected else set()
        assert {k: v for k, v in given.items() if k not in free} == new.model_dump(include=given.keys() - free)


def sorted_by_words(document: Any) -> list[Any]:
    records = [*document.testimonies, *document.figures]
    return sorted(records, key=lambda each: (each[0][0], document.evidence_of(each[0])))


def test_a_changed_record_is_a_draft_and_all_else_stays(copied: Path, exports: dict[str, Exported]) -> None:
    tasks = json.loads(exports["label-studio"].file.read_text(encoding="utf-8"))
    edit(copied, EXAMPLE, "  - id: example-t9\n", "  # ask Mira\n  - id: example-t9  # twice\n")
    before = (copied / EXAMPLE).read_text(encoding="utf-8")
    for task in tasks:
        for result in task["annotations"][0]["result"]:
            if result.get("id") == "example-t9.1" and result["from_name"] == "testimonies.themes":
                result["value"]["choices"] = ["escape", "weather"]
            if result.get("id") == "example-f2.1" and "labels" in result["value"]:
                result["value"]["end"] -= len(" sleep")
                result["value"]["text"] = result["value"]["text"].removesuffix(" sleep")
    file = copied / "changed.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    ran = run("import", "label-studio", file, where=copied)
    assert (ran.returncode, "0 new, 2 changed, 0 not imported" in ran.stdout) == (0, True)
    after = (copied / EXAMPLE).read_text(encoding="utf-8")
    wanted = before.replace("example-t9  # twice\n", "example-t9  # twice\n    draft: true\n")
    wanted = wanted.replace("  - id: example-f2\n", "  - id: example-f2\n    draft: true\n")
    wanted = wanted.replace("    evidence: about 12 of them sleep\n", '    evidence: "about 12 of them"\n')
    start = wanted.index("id: example-t9")
    wanted = wanted[:start] + wanted[start:].replace("themes: [other]", "themes: [escape, weather]", 1)
    assert after == wanted
    assert "draft-record" in codes_of(copied)
    ran = run("build", where=copied)
    assert (ran.returncode, (copied / "dist").exists()) == (1, False)


WORDS_OF_OTHERS = {
    "example-t5": {"note": "Her name is Ann.", "outlet": "The Ann Post"},
    "example-m3": {"age": "41", "years_of_service": "20", "affiliation": "Ann Watch", "rank": "captain"},
    "example-f5": {"counted": "Ann and her crew", "note": "Ann."},
    "example-t6": {"speaker_id": "mira-fenn", "note": "Ann walked."},
    "example-t8": {"speaker_id": "example-speaker-1", "note": "Ann says so."},
    "example-t9": {"speaker_id": "nobody", "note": "Ann says so."},
    "example-f9": {"attributed_to": "example-speaker-1", "counted": "boats of Ann"},
}
"""Cells that would name a protected person, of whom nothing but codes may be imported; also through another speaker."""
LUGGAGE = {"measure": "luggage", "hedge": "vague", "unit": "item"}
NEW = (
    ("testimonies", "who is 27", {"note": "Ann is 27.", "mode": "narrated", "themes": "other"}),
    ("testimonies", "I will not go back", {"speaker_id": "mira-fenn", "note": "said Ann", "themes": "other"}),
    ("figures", "three cases", {"counted": "cases of Ann", "measure": "luggage", "hedge": "exact", "unit": "item"}),
    ("figures", "March 3rd", {"testimony_id": "example-t5", "measure": "luggage", "hedge": "vague", "note": "Ann"}),
    # A figure of a testimony that is not imported would belong to the next one that gets its id.
    ("testimonies", "Hundreds came", {"speaker_id": "mira-fenn", "mode": "no mode", "themes": "other"}),
    ("figures", "came to the pier", {"testimony_id": "new-4", "counted": "Ann", "low": "2", **LUGGAGE}),
)


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_about_a_protected_person_is_set(package: Path, copied: Path, name: str) -> None:
    text = (copied / "seeds/900_example.txt").read_text(encoding="utf-8")
    offsets = OffsetConverter(text)

    def part(words: str) -> ExportedPart:
        start, end = text.index(words), text.index(words) + len(words)
        return ExportedPart(start, end, offsets.utf16(start), offsets.utf16(end), words)

    descriptor = json.loads((package / "datapackage.json").read_text())
    tables = PackageTables(package, table_names(descriptor))
    read = exported_records.corpus(tables, descriptor, INVENTED / "seeds")
    article = next(iter(read.articles))
    records = [r._replace(cells={**r.cells, **WORDS_OF_OTHERS.get(r.id, {})}) for r in article.records]
    # The words of a record without a speaker are moved to those of a protected person.
    records = [r._replace(parts=(part("The lamps are dark"),)) if r.id == "example-f2" else r for r in records]
    for i, (table, words, cells) in enumerate(NEW):
        records.append(ExportedRecord(table, (part(words),), {COLUMNS[table][0].name: f"new-{i}", **cells}))
    for path, content in export_formats.FORMATS[name].files(
        read._replace(articles=[article._replace(records=tuple(records))])
    ):
        (copied / path).write_bytes(content)
    file = next(path for ending in ("qdpx", "tasks.json", "ann", "jsonld", "xmi") for path in copied.glob(f"*{ending}"))
    for _ in range(2):  # what one import sets, the next must not complete
        ran = run("import", name, file, where=copied)
        assert (ran.returncode, ran.stderr) == (0, "")
        typed = (copied / EXAMPLE).read_text(encoding="utf-8")
        assert "Ann" not in typed + ran.stdout
        [document, _] = documents_of(copied)
        drafts = {t.id for _, t in document.testimonies if t.draft} | {f.id for _, f in document.figures if f.draft}
        assert not drafts & {record.id for record in records}
    assert "reassigning it from or to a protected or unknown speaker" in ran.stdout


# ---- files that another program wrote --------------------------------------------------------------------------------


def test_a_project_of_another_program_needs_no_ids(copied: Path) -> None:
    """One selection for each code, without descriptions, with other guids: what QualCoder writes, and by hand."""
    text = (copied / "seeds/900_example.txt").read_text(encoding="utf-8")
    t4 = "In the fog he lost an oar and drifted until morning."
    new = "Nobody wrote to us."
    at = [(text.index(words), text.index(words) + len(words)) for words in (t4, new)]
    coded = [(at[0], "Escape"), (at[0], "weather"), (at[1], "Weather"), (at[1], "testimony"), (at[1], "Mine")]
    names = sorted({name for _, name in coded})
    selections = "".join(
        f'<PlainTextSelection guid="s{i}" startPosition="{start}" endPosition="{end}" name="x">'
        f'<Coding guid="c{i}"><CodeRef targetGUID="{names.index(name)}"/></Coding></PlainTextSelection>'
        for i, ((start, end), name) in enumerate(coded)
    )
    codes = "".join(f'<Code guid="{i}" name="{name}" isCodable="true"/>' for i, name in enumerate(names))
    case = '<Case guid="a" name="Mira Fenn"><SelectionRef targetGUID="s2"/></Case>'
    project = (
        f'<Project xmlns="urn:QDA-XML:project:1.0"><CodeBook><Codes>{codes}</Codes></CodeBook><Cases>{case}</Cases>'
        f'<Sources><TextSource guid="t" plainTextPath="internal://t.txt">{selections}</TextSource></Sources></Project>'
    )
    file = copied / "other.qdpx"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("project.qde", project)
        archive.writestr("sources/t.txt", b"\xef\xbb\xbf" + text.encode())
    ran = run("import", "refi-qda", file, "--out", copied / "drafts", where=copied)
    assert (ran.returncode, "1 unchanged, 1 new, 0 changed" in ran.stdout) == (0, True), ran
    assert "Labels that are neither known nor in a map, left out: Mine (1)." in ran.stdout
    [made] = (copied / "drafts").iterdir()
    assert yaml.safe_load(made.read_text(encoding="utf-8"))["testimonies"][-1] == {
        "id": "example-t10",
        "draft": True,
        "speaker": "mira-fenn",
        "mode": "direct",
        "themes": ["weather"],
        "evidence": new,
    }
    assert run("import", "refi-qda", file, "--out", copied / "drafts", where=copied).returncode == 1
    assert run("import", "refi-qda", file.parent, "--out", copied / "other", where=copied).returncode == 0


def test_a_seed_without_annotations_gets_a_file(copied: Path) -> None:
    (copied / "seeds/902_third.txt").write_text("The third lamp went out.\nSo said two crews of Port Example.\n")
    (copied / "902.txt").write_bytes((copied / "seeds/902_third.txt").read_bytes())
    (copied / "902.ann").write_text("T1\ttestimonies 0 23\tThe third lamp went out\nA1\ttheme_weather T1\n")
    ran = run("import", "brat", copied / "902.ann", where=copied)
    assert (ran.returncode, "1 new" in ran.stdout) == (0, True), ran
    assert 'evidence: "The third lamp went out"' in (copied / "annotations/902_third.yaml").read_text()


def test_a_layer_of_another_project_may_have_themes_as_features(copied: Path) -> None:
    text = (copied / "seeds/900_example.txt").read_text(encoding="utf-8")
    start = text.index("Nobody wrote to us.")
    escaped = text.replace("\n", "&#10;").replace('"', "&quot;")
    layer = f'<c:Mine xmi:id="2" sofa="1" begin="{start}" end="{start + 19}" topic="weather" sure="yes"/>'
    xmi = XMI.replace('sofaString="x"', f'sofaString="{escaped}"')
    (copied / "other.xmi").write_text(f"{xmi}{layer}</xmi:XMI>", encoding="utf-8")
    ran = run("import", "uima-cas", "other.xmi", where=copied)
    assert (ran.returncode, "1 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran
    assert "themes: [weather]" in (copied / EXAMPLE).read_text(encoding="utf-8").partition("example-t10")[2]


XMI = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:c="u"><c:Sofa xmi:id="1" sofaString="x"/>'
BAD: dict[str, tuple[str, str, bytes, str]] = {
    "a document type": (
        "uima-cas",
        "a.xmi",
        b'<!DOCTYPE x [<!ENTITY a "b">]>\n<x>&a;</x>',
        "a.xmi:1:",
    ),
    "cut off": ("uima-cas", "a.xmi", XMI.encode(), f"a.xmi:1:{len(XMI) + 1}: it is not valid XML: no element found."),
    "too deep": ("uima-cas", "a.xmi", b"<a>" * 300, "a.xmi:1:601: it is nested too deeply."),
    "no text": ("uima-cas", "a.xmi", b"<a/>", "a.xmi: it has no text"),
    "half of JSON": ("label-studio", "a.json", b'[{"data":\n', "a.json:2:1: it is not valid JSON: expecting value."),
    "other JSON": ("label-studio", "a.json", b'{"data": 1}', "a.json: it does not have the structure of the format"),
    "deep JSON": ("w3c", "a.json", b"[" * 100_000, "a.json: it is nested too deeply."),
    "NaN": ("w3c", "a.json", b"[NaN]", "a.json: NaN is not valid JSON."),
    "half a pair": ("w3c", "a.json", b'["\\ud800"]', "a.json: it contains half of a surrogate pair."),
    "a number": ("w3c", "a.json", b"[" + b"1" * 5_000 + b"]", "a.json: it contains a number with too many digits."),
    "no UTF-8": ("w3c", "a.json", b"[\n\xff]", "a.json:2: byte 0xFF is not valid UTF-8."),
    "no text next to it": ("brat", "a.ann", b"T1\tx 0 1\tA\n", "a.ann: there is no .txt file with the same name."),
    "no annotations": (
        "brat",
        "README.md",
        b"# Read me\n",
        "README.md: it is neither an .ann file nor a folder or zip",
    ),
    "half a zip": ("brat", "a.zip", b"PK\x03\x04\x14", "a.zip: the archive is damaged"),
    "half a zip of another format": ("uima-cas", "a.zip", b"PK\x03\x04garbage", "a.zip: the archive is damaged"),
    "nothing": ("langextract", "a.jsonl", b"\n", "a.jsonl: it is empty."),
    "no project": ("refi-qda", "a.qdpx", b"<a/>", "a.qdpx: expected one project.qde in the archive."),
}


@pytest.mark.parametrize("case", BAD)
def test_a_damaged_file_is_refused(tmp_path: Path, case: str) -> None:
    name, file, content, message = BAD[case]
    (tmp_path / file).write_bytes(content)
    context = documents_of(INVENTED)[0].context
    with pytest.raises(GivenFileError, match=re.escape(message)) as raised:
        imports.plan([], context, name, tmp_path / file, seeds=tmp_path)
    assert str(raised.value).endswith(".")


def _names(archive: zipfile.ZipFile) -> None:
    archive.writestr("../../annotations/900_example.txt", b"x")


def _bomb(archive: zipfile.ZipFile) -> None:
    archive.writestr("a.ann", b"0" * 5_000)


@pytest.mark.parametrize(("make", "message"), [(_names, "leads out of it"), (_bomb, "has more than 4,000 bytes")])
def test_an_archive_is_not_trusted(
    copied: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[zipfile.ZipFile], None], message: str
) -> None:
    monkeypatch.setattr(given_files, "MOST_BYTES", 4_000)
    with zipfile.ZipFile(copied / "a.zip", "w", compression=zipfile.ZIP_DEFLATED) as archive:
        make(archive)
    before = files(copied)
    ran = run("import", "brat", "a.zip", where=copied)
    assert (ran.returncode, ran.stdout, files(copied)) == (1, "", before)
    assert message in ran.stderr
    assert ran.stderr.endswith(" Nothing was written.\n")


def test_offsets_outside_of_the_text_are_not_taken_over(copied: Path) -> None:
    (copied / "a.txt").write_bytes((copied / "seeds/900_example.txt").read_bytes())
    start = (copied / "a.txt").read_text(encoding="utf-8").index("Keepers Leave")
    figure = f"T3\tfigures {start} {start + 7}\tKeepers\n"  # words without a number
    (copied / "a.ann").write_text(f"T1\ttestimonies 5 99999\tx\nT2\ttestimonies 9 9\tx\n{figure}", encoding="utf-8")
    ran = run("import", "brat", "a.ann", where=copied)
    assert (ran.returncode, "0 new, 0 changed, 3 not imported" in ran.stdout) == (0, True), ran.stdout
    assert "Not imported: a record, a record: its place is outside the text, or has other words" in ran.stdout
    assert (
        run("import", "word", "a.ann", where=copied).returncode
        == run("import", "brat", "b.ann", where=copied).returncode
        == 2
    )
