"""Projects of other people and dialects of other programs: useful drafts with a map, a clear sentence without."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest
import yaml

from calling import run
from conftest import INVENTED, documents_of, edit
from defectors_data.annotators.imports.formats.foreign_offsets import (
    CODE_POINTS,
    UTF16,
    Selection,
    Selections,
    convention,
)
from defectors_data.package.published_folder import zipped
from export_readers import qda_files

EXAMPLE = "annotations/900_example.yaml"
TEXT = (INVENTED / "seeds/900_example.txt").read_text(encoding="utf-8")
Q = "{urn:QDA-XML:project:1.0}"


def at(words: str) -> tuple[int, int]:
    return TEXT.index(words), TEXT.index(words) + len(words)


def typed(root: Path, file: str = EXAMPLE) -> dict[str, Any]:
    content = yaml.safe_load((root / file).read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


# ---- dialects of REFI-QDA --------------------------------------------------------------------------------------------


class Dialect(NamedTuple):
    """How a program writes a project: its texts, the offset of a code point, and the name of a selection."""

    folder: str
    encoded: Callable[[str], bytes]
    offset: Callable[[str, int], int]
    name: Callable[[str], str]
    last: int = 0
    """1 if the end is the last character."""


def utf16_of_crlf(text: str, at: int) -> int:
    return len(text[:at].replace("\n", "\r\n").encode("utf-16-le")) // 2


def windows(text: str) -> bytes:
    return ("\ufeff" + text.replace("\n", "\r\n")).encode()


DIALECTS = {
    "NVivo": (
        Dialect("Sources", windows, utf16_of_crlf, lambda _: ""),
        r"UTF-16 code units, CR LF as line end, the last offset excluded: (\d+) of \1 selections begin and end",
    ),
    "MAXQDA": (
        Dialect("sources", windows, utf16_of_crlf, lambda _: "0,0"),
        r"UTF-16 code units, CR LF as line end, the last offset excluded: (\d+) of \1 selections begin and end",
    ),
    "ATLAS.ti": (
        Dialect("sources", windows, utf16_of_crlf, lambda words: f"{words[:9]}..."),
        r"UTF-16 code units, CR LF as line end, the last offset excluded: (\d+) of \1 selections begin with",
    ),
    "the letter of the standard": (
        Dialect("sources", str.encode, lambda _, at: at, lambda words: words, last=1),
        r"code points, LF as line end, the last offset included: (\d+) of \1 selections have",
    ),
    "QualCoder for MAXQDA": (
        Dialect("sources", windows, lambda _, at: at, lambda words: words),
        r"code points, LF as line end, the last offset excluded: (\d+) of \1 selections have",
    ),
    "as exported from here": (Dialect("sources", str.encode, lambda _, at: at, lambda words: words), ""),
}
"""Dialects, with what an import says of them."""


def rewritten(files: dict[str, bytes], dialect: Dialect, out: Path) -> None:
    """Write a project of ours as another program would."""
    root = ET.fromstring(files["project.qde"])  # noqa: S314  # written here
    written = {}
    for source in root.iter(f"{Q}TextSource"):
        name = source.attrib["plainTextPath"].removeprefix("internal://")
        text = files[f"sources/{name}"].decode()
        written[f"{dialect.folder}/{name}"] = dialect.encoded(text)
        for selection in source.iter(f"{Q}PlainTextSelection"):
            start, end = int(selection.attrib["startPosition"]), int(selection.attrib["endPosition"])
            selection.set("name", dialect.name(text[start:end]))
            selection.set("startPosition", str(dialect.offset(text, start)))
            selection.set("endPosition", str(dialect.offset(text, end) - dialect.last))
    out.write_bytes(zipped({"project.qde": ET.tostring(root), **written}))


@pytest.mark.parametrize("program", DIALECTS)
def test_a_project_in_a_dialect_comes_back_whole(package: Path, copied: Path, tmp_path: Path, program: str) -> None:
    dialect, said = DIALECTS[program]
    rewritten(qda_files(package, tmp_path / "out"), dialect, tmp_path / "other.qdpx")
    ran = run("import", "refi-qda", tmp_path / "other.qdpx", where=copied)
    assert (ran.returncode, "Nothing was written." in ran.stdout) == (0, True), ran
    assert len(re.findall(r" unchanged, 0 new, 0 changed, 0 not imported", ran.stdout)) == len(documents_of(INVENTED))
    assert bool(re.search(f"offsets were read as {said}", ran.stdout)) == bool(said)


# ---- labels of others ------------------------------------------------------------------------------------------------

CONTENT, SOURCE, CUE = "We had no oil", "Bruno Salt", "said"
NEST = [("Content", CONTENT), ("Source", SOURCE), ("Cue", CUE)]
MAP = """
labels:
  content: testimony
  Source: speaker
  Cue: cue
  attribution: join
  Weather talk: {theme: weather}
  Mood: note
  Token: ignore
"""


def brat(root: Path, *lines: str) -> Path:
    """Write annotations of the first article by someone else, and return their file."""
    (root / "other.txt").write_text(TEXT, encoding="utf-8")
    bound = []
    for number, (kind, words) in enumerate(NEST, start=1):
        start, end = at(words)
        bound.append(f"T{number}\t{kind} {start} {end}\t{words}")
    (root / "other.ann").write_text("\n".join([*bound, *lines, ""]), encoding="utf-8")
    return root / "other.ann"


RELATIONS = ("R1\tattribution Arg1:T3 Arg2:T1", "R2\tattribution Arg1:T3 Arg2:T2")


def with_map(root: Path, content: str = MAP) -> str:
    (root / "map.yaml").write_text(content, encoding="utf-8")
    return str(root / "map.yaml")


def new(root: Path) -> dict[str, Any]:
    """Return the last testimony, which must be a draft."""
    found: dict[str, Any] = typed(root)["testimonies"][-1]
    assert found.pop("draft") is True
    return found


def test_without_a_map_unknown_labels_are_listed_and_nothing_is_written(copied: Path) -> None:
    before = (copied / EXAMPLE).read_bytes()
    ran = run("import", "brat", brat(copied, *RELATIONS), where=copied)
    assert (ran.returncode, (copied / EXAMPLE).read_bytes()) == (1, before)
    assert "  Content: ignore  # 1 time, such as “We had no oil”" in ran.stdout
    assert "  attribution: ignore  # 2 times, such as " in ran.stdout
    assert ran.stderr.endswith("add --map FILE. Nothing was written.\n")
    # What is listed is a map.
    listed = ran.stdout[ran.stdout.index("labels:\n") :]
    ran = run("import", "brat", copied / "other.ann", "--map", with_map(copied, listed), where=copied)
    assert (ran.returncode, "Nothing was written." in ran.stdout) == (0, True)
    assert "Left out by the map: Content (1), Source (1), Cue (1)." in ran.stdout


@pytest.mark.parametrize(
    "lines", [RELATIONS, ["E1\tCue:T3 Content:T1 Source:T2"], ["*\tattribution T1 T3", "*\tattribution T2 T3"]]
)
def test_relations_join_source_cue_and_content_into_one_record(copied: Path, lines: list[str]) -> None:
    ran = run("import", "brat", brat(copied, *lines), "--map", with_map(copied), where=copied)
    assert (ran.returncode, "1 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran
    found = new(copied)
    assert (found["speaker"], found["evidence"], found["attribution"]) == ("bruno-salt", CONTENT, "said Bruno Salt")


def test_a_source_within_a_record_is_its_source_without_a_relation(copied: Path) -> None:
    words = "said Bruno Salt, 36, a sergeant of the Coast Watch who served eight years"
    start, end = at(words)
    file = brat(copied, f"T4\tcontent {start} {end}\t{words}")
    ran = run("import", "brat", file, "--map", with_map(copied, MAP.replace("content", "x", 1)), where=copied)
    assert "x (" not in ran.stdout
    ran = run("import", "brat", file, "--map", with_map(copied), where=copied)
    assert (ran.returncode, "2 new" in ran.stdout) == (0, True), ran
    assert [each["speaker"] for each in typed(copied)["testimonies"][-2:]] == ["bruno-salt", "bruno-salt"]


def test_what_is_joined_to_no_record_is_said(copied: Path) -> None:
    ran = run("import", "brat", brat(copied), "--map", with_map(copied), where=copied)
    assert "Speakers and cues that belong to no record, left out: 2, such as “Bruno Salt”, “said”." in ran.stdout


def test_an_unknown_source_is_not_replaced_with_the_nearest_speaker(copied: Path) -> None:
    file = brat(
        copied,
        "R1\tattribution Arg1:T4 Arg2:T1",
        "T4\tSource {} {}\tThe Example Gazette".format(*at("The Example Gazette")),
    )
    ran = run("import", "brat", file, "--map", with_map(copied), where=copied)
    assert (ran.returncode, new(copied)["speaker"]) == (0, "who"), ran


def test_a_label_may_become_a_theme_or_part_of_the_note(copied: Path) -> None:
    file = brat(copied, *RELATIONS, "A1\tWeather_talk T1", "A2\tMood T1")
    ran = run("import", "brat", file, "--map", with_map(copied), where=copied)
    assert (ran.returncode, "left out" in ran.stdout) == (0, False), ran
    assert {**new(copied), "id": ""} == {
        "id": "",
        "speaker": "bruno-salt",
        "attribution": "said Bruno Salt",
        "mode": "direct",
        "themes": ["weather"],
        "note": "Labels: Mood.",
        "evidence": CONTENT,
    }
    again = run("import", "brat", file, "--map", with_map(copied), where=copied)
    assert (again.returncode, "1 unchanged, 0 new, 0 changed, 0 not imported" in again.stdout) == (0, True), again


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("labels:\n  a: person\n", "map.yaml:2:6: a: expected testimony, figure, speaker, cue, join, note, ignore, or"),
        ("labels:\n  a: {theme: rain}\n", "map.yaml:2:6: rain is not in annotations/vocabulary.yaml."),
        ("label: {}\n", "map.yaml: expected a mapping `labels`, and no other key."),
        ("labels: [\n", "map.yaml:"),
    ],
)
def test_a_map_with_a_mistake_is_refused(copied: Path, content: str, said: str) -> None:
    ran = run("import", "brat", brat(copied), "--map", with_map(copied, content), where=copied)
    assert (ran.returncode, ran.stdout, said in ran.stderr) == (1, "", True), ran


# ---- other formats of others -----------------------------------------------------------------------------------------


def test_words_that_are_extended_are_shown(copied: Path) -> None:
    start, end = at("amps are dar")
    file = brat(copied, f"T4\tcontent {start} {end}\tamps are dar")
    ran = run("import", "brat", file, "--map", with_map(copied), where=copied)
    assert "Extended to whole words: “amps are dar” to “lamps are dark”." in ran.stdout
    assert re.search(r"New: example-t10 \(line \d+\), example-t11 \(line \d+\)\.", ran.stdout)


def task(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 1, "data": {"article": TEXT, "link": "x"}, "annotations": [{"id": 1, "result": [*results]}], **more}


def region(name: str, label: str, words: str) -> dict[str, Any]:
    start, end = at(words)
    value = {"start": start, "end": end, "text": words, "labels": [label]}
    return {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value}


def test_a_project_of_others_in_label_studio_with_relations(copied: Path) -> None:
    results = [region(str(i), kind, words) for i, (kind, words) in enumerate(NEST)]
    results += [
        {"type": "relation", "from_id": "2", "to_id": "0", "direction": "right", "labels": ["attribution"]},
        {"type": "relation", "from_id": "2", "to_id": "1", "direction": "right", "labels": "attribution"},
        {"id": "9", "from_name": "stars", "to_name": "text", "type": "rating", "value": {"rating": 3}},
    ]
    (copied / "tasks.json").write_text(json.dumps([task(*results, predictions=[])]), encoding="utf-8")
    ran = run("import", "label-studio", copied / "tasks.json", "--map", with_map(copied), where=copied)
    assert (ran.returncode, "1 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran
    found = new(copied)
    assert (found["speaker"], found["attribution"]) == ("bruno-salt", "said Bruno Salt")


def test_json_min_of_label_studio(copied: Path) -> None:
    regions = [region("", kind, words)["value"] for kind, words in NEST[:1]]
    minimal = {
        "article": TEXT,
        "id": 1,
        "label": regions,
        "mood": {"choices": ["calm"]},
        "annotator": 1,
        "lead_time": 2.5,
    }
    (copied / "min.json").write_text(json.dumps([minimal]), encoding="utf-8")
    ran = run("import", "label-studio", copied / "min.json", "--map", with_map(copied), where=copied)
    assert (ran.returncode, "1 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran
    assert new(copied)["evidence"] == CONTENT


def test_the_words_that_a_file_quotes_must_be_at_their_place(copied: Path) -> None:
    wrong = region("1", "Content", CONTENT)
    wrong["value"]["text"] = "It was quiet,"
    (copied / "tasks.json").write_text(json.dumps([task(wrong)]), encoding="utf-8")
    ran = run("import", "label-studio", copied / "tasks.json", "--map", with_map(copied), where=copied)
    assert "0 new, 0 changed, 1 not imported" in ran.stdout
    assert "its place is outside the text, or has other words than the file quotes." in ran.stdout


XMI = """<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///webanno/custom.ecore">
<cas:NULL xmi:id="0"/>
{layers}
<c:SourceLink xmi:id="31" role="source" target="32"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>
<cas:View sofa="1" members="30 32 33 34"/>
</xmi:XMI>"""


def cas() -> bytes:
    """Return a document of INCEpTION: a content with a link to its source, a cue, and a relation between the two."""
    layers = ['<c:Content xmi:id="30" sofa="1" begin="{}" end="{}" attribution="31"/>'.format(*at(CONTENT))]
    layers.append('<c:Source xmi:id="32" sofa="1" begin="{}" end="{}" sure="true"/>'.format(*at(SOURCE)))
    layers.append('<c:Cue xmi:id="33" sofa="1" begin="{}" end="{}"/>'.format(*at(CUE)))
    layers.append('<c:Rel xmi:id="34" sofa="1" begin="{}" end="{}" Governor="33" Dependent="30"/>'.format(*at(CONTENT)))
    text = TEXT.replace("&", "&amp;").replace('"', "&quot;").replace("\n", "&#10;")
    return XMI.format(layers="\n".join(layers), text=text).encode()


def test_a_project_of_inception_has_an_archive_for_each_annotator(copied: Path) -> None:
    empty = re.sub(rb"<c:.*/>\n", b"", cas())
    project = {"exportedproject.json": b'{"name": "x"}', "source/example.txt": b"x"}
    for folder, annotator, content in (
        ("annotation", "INITIAL_CAS", empty),
        ("annotation", "ann", empty),
        ("curation", "CURATION_USER", cas()),
    ):
        project[f"{folder}/example.txt/{annotator}.zip"] = zipped(
            {f"{annotator}.xmi": content, "TypeSystem.xml": b"<x/>"}
        )
    (copied / "project.zip").write_bytes(zipped(project))
    mapped = with_map(copied, f"{MAP}  Rel: join\n  sure: ignore\n")
    ran = run("import", "uima-cas", copied / "project.zip", "--map", mapped, where=copied)
    assert (ran.returncode, "1 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran
    assert "example.txt: the annotations of ann were not read." in ran.stdout
    found = new(copied)
    assert (found["speaker"], found["attribution"]) == ("bruno-salt", "said Bruno Salt")


def test_json_lines_of_langextract_are_verified(copied: Path) -> None:
    def extraction(words: str, place: dict[str, int] | None) -> dict[str, Any]:
        described = {"extraction_class": "content", "extraction_text": words, "char_interval": place}
        return {
            **described,
            "alignment_status": place and "match_exact",
            "attributes": {"mood": "Mood"},
            "description": None,
        }

    start, end = at(CONTENT)
    found = [
        extraction(CONTENT, {"start_pos": start, "end_pos": end}),
        extraction("The lamps are off", {"start_pos": start, "end_pos": end}),
        extraction("We had no oil", None),
    ]
    line = json.dumps({"document_id": "doc_1", "text": TEXT, "extractions": found})
    (copied / "found.jsonl").write_text(f"{line}\n", encoding="utf-8")
    ran = run("import", "langextract", copied / "found.jsonl", "--map", with_map(copied), where=copied)
    assert (ran.returncode, "1 new, 0 changed, 2 not imported" in ran.stdout) == (0, True), ran
    assert "Not imported: a record: langextract did not find its words in the text." in ran.stdout
    assert (new(copied)["evidence"], new(copied)["note"]) == (CONTENT, "Labels: Mood.")


# ---- annotations of web pages ----------------------------------------------------------------------------------------

ADDRESS = "https://example.org/keepers"


def with_address(root: Path) -> None:
    edit(root, EXAMPLE, "  rights:", f"  obtained:\n    address: {ADDRESS}\n  rights:")


def on_page(words: str, address: str, **more: Any) -> dict[str, Any]:
    """Return an annotation as the API of Hypothesis returns it."""
    start, _ = at(words)
    quote = {
        "type": "TextQuoteSelector",
        "exact": words,
        "prefix": "of the page ",
        "suffix": TEXT[start + len(words) :][:9],
    }
    places = [
        {"type": "RangeSelector", "startContainer": "/p[1]"},
        {"type": "TextPositionSelector", "start": 1, "end": 9},
    ]
    target = {"source": address, "selector": [*places, quote]}
    return {"id": "x", "uri": address, "target": [target], "tags": ["content"], "text": "", **more}


@pytest.mark.parametrize("address", [f"{ADDRESS}/#top", "https://example.org/other"])
def test_annotations_of_hypothesis_are_found_by_address_or_by_words(copied: Path, address: str) -> None:
    if address.startswith(ADDRESS):
        with_address(copied)
    rows = {"total": 1, "rows": [on_page(CONTENT, address)]}
    (copied / "found.json").write_text(json.dumps(rows), encoding="utf-8")
    ran = run("import", "hypothesis", copied / "found.json", "--map", with_map(copied), where=copied)
    assert (ran.returncode, "1 new, 0 changed, 0 not imported" in ran.stdout) == (0, True), ran
    assert new(copied)["evidence"] == CONTENT


def test_an_annotation_without_words_identifies_no_article(copied: Path) -> None:
    item = {"type": "Annotation", "target": {"source": "https://example.org/other"}, "body": {"value": "x"}}
    (copied / "found.jsonld").write_text(json.dumps({"items": [item]}), encoding="utf-8")
    ran = run("import", "w3c", copied / "found.jsonld", "--map", with_map(copied), where=copied)
    assert (ran.returncode, "no single article has the quoted words" in ran.stdout) == (1, True), ran
    assert "No article of the file is in this project" in ran.stderr


def test_an_export_to_hypothesis_comes_back(copied: Path, tmp_path: Path) -> None:
    with_address(copied)
    assert run("build", where=copied).returncode == 0
    assert run("export", "hypothesis", "--out", tmp_path / "out", where=copied).returncode == 0
    before = (copied / EXAMPLE).read_bytes()
    ran = run("import", "hypothesis", tmp_path / "out/annotations.json", where=copied)
    assert (ran.returncode, "0 new, 0 changed, 0 not imported" in ran.stdout, "left out" in ran.stdout) == (
        0,
        True,
        False,
    ), ran
    assert (copied / EXAMPLE).read_bytes() == before


def test_a_seed_that_cannot_be_annotated_is_named_and_not_the_file(copied: Path) -> None:
    text = "The third lamp went out.\nSo said two crews.\n"
    (copied / "seeds/902_third.txt").write_bytes(text.replace("\n", "\r\n").encode())
    sofa = text.replace("\n", "&#13;&#10;")
    layer = '<c:Content xmi:id="30" sofa="1" begin="0" end="24"/>'
    (copied / "third.xmi").write_text(XMI.format(layers=layer, text=sofa), encoding="utf-8")
    ran = run("import", "uima-cas", copied / "third.xmi", "--map", with_map(copied), where=copied)
    assert (ran.returncode, ran.stderr.startswith("902_third.txt:1:25: This seed has CRLF line endings")) == (
        1,
        True,
    ), ran


def test_a_source_without_its_text_is_named_and_the_others_are_read(
    package: Path, copied: Path, tmp_path: Path
) -> None:
    files = qda_files(package, tmp_path / "out")
    # qualitative-coding leaves out the scheme; other programs leave out texts.
    files["project.qde"] = files["project.qde"].replace(b"internal://", b"")
    del files[next(name for name, data in files.items() if "🙂".encode() in data and name.endswith(".txt"))]
    (tmp_path / "other.qdpx").write_bytes(zipped(files))
    ran = run("import", "refi-qda", tmp_path / "other.qdpx", where=copied)
    assert (ran.returncode, ran.stdout.count("unchanged, 0 new, 0 changed, 0 not imported")) == (0, 1), ran
    assert "901_second: an article was left out, because its text is not in the archive." in ran.stdout


def test_offsets_that_fit_no_way_of_counting_are_refused(package: Path, copied: Path, tmp_path: Path) -> None:
    lines = Dialect("sources", str.encode, lambda text, at: text.count("\n", 0, at) + at // 99, lambda _: "")
    rewritten(qda_files(package, tmp_path / "out"), lines, tmp_path / "other.qdpx")
    ran = run("import", "refi-qda", tmp_path / "other.qdpx", where=copied)
    assert (ran.returncode, ran.stdout) == (1, ""), ran
    assert ran.stderr.startswith("other.qdpx: its offsets fit no way of counting: at best, ")


@pytest.mark.parametrize(("quoted", "is_utf16"), [(Selection(0, 1, "a"), False), (Selection(9, 10, "d"), True)])
def test_quoted_words_decide_how_a_file_counts_before_whole_words_do(quoted: Selection, is_utf16: bool) -> None:
    """Counted in UTF-16 units, the pieces without words would be "b" and "c"."""
    given = Selections("a 𝒳 b c d", [quoted, Selection(5, 6), Selection(7, 8)])
    way, note = convention([given], CODE_POINTS)
    assert (way == UTF16, bool(note)) == (is_utf16, is_utf16)
