"""The datasheet answers what is asked of one, in numbers that are counted and words that dataset.yaml says."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from conftest import PROJECT, edit
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.documents import agreement_table

SHEET = (PROJECT / "dist/datasheet.md").read_text(encoding="utf-8")
FACTS = yaml.safe_load((PROJECT / "dataset.yaml").read_text(encoding="utf-8"))
VALUE = re.compile(r"^\| `(\w+)` \|.*\| (\d+) \|$", re.MULTILINE)
ASKED = """Motivation|Composition|Sensitive content|Types of sources|Collection|Inclusion and exclusion
Definitions|Evaluation of sources|Corroboration|Annotation and quality control|Uses
What it must not be used for|Limitations|Biases|Protection of people at risk|Distribution and rights
Maintenance, errors and removal"""


def section(heading: str, sheet: str = SHEET) -> str:
    found = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", sheet, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1].strip()


@pytest.mark.parametrize("heading", re.split(r"[|\n]", ASKED))
def test_every_question_has_an_answer(heading: str) -> None:
    assert len(section(heading)) > 80


def test_the_datasheet_counts_all_quotations_and_numbers_alike() -> None:
    [found] = re.findall(r"Quotations and numbers found: ([0-9]+)", SHEET)
    assert int(found) == sum(map(int, re.findall(r"\| (?:numbers|quotations): ([0-9]+) \|", SHEET)))


@pytest.mark.parametrize("fact", "purpose collection annotation sensitive protection maintenance rights".split())
def test_the_datasheet_has_the_statements_of_dataset_yaml(fact: str) -> None:
    assert FACTS[fact].strip() in SHEET


@pytest.mark.parametrize("fact", "uses not_for limitations biases".split())
def test_every_use_and_every_limit_is_there(fact: str) -> None:
    assert [item for item in FACTS[fact] if f"- {item.strip()}\n" not in SHEET] == []


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("testimonies", "mode"),
        ("figures", "hedge"),
        ("speakers", "anonymity"),
        ("speakers", "role"),
        ("ledger", "status"),
        ("ledger", "reason"),
        ("comparisons", "verdict"),
        ("provenance", "basis"),
    ],
)
def test_the_numbers_are_those_of_the_tables(table: str, column: str) -> None:
    count = Counter(row[column] for row in pq.read_table(PROJECT / f"dist/data/{table}.parquet").to_pylist())
    del count[None]
    [shown] = re.findall(rf"^\| {column} \| means \| .+\n\| --- .+\n((?:\|.+\n)+)", SHEET, re.MULTILINE)
    assert {value: int(number) for value, number in re.findall(VALUE, shown)} == count


def test_the_bases_of_outlets_authors_dates_and_addresses_are_those_of_the_table() -> None:
    count = Counter[str]()
    for row in pq.read_table(PROJECT / "dist/data/sources.parquet").to_pylist():
        count.update(row[f"{fact}_basis"] for fact in ("outlet", "authors", "published", "url"))
    [said] = re.findall(r"is null, or has the basis (.+?)\.", " ".join(section("Composition").split()))
    shown = {basis: int(number) for basis, number in re.findall(r"`(\w+)` \(([0-9]+)\)", said)}
    assert shown == {basis: number for basis, number in count.items() if basis not in ("stated", None)}


def test_a_changed_record_changes_the_numbers(copied: Path, package: Path, tmp_path: Path) -> None:
    speaker = "    role: other\n"
    edit(copied, "annotations/900_example.yaml", speaker, speaker.replace("other", "analyst"))
    assert build(CorpusReader(FileTree(copied)), tmp_path / "dist").outcome == "published"
    before, after = ((folder / "datasheet.md").read_text(encoding="utf-8") for folder in (package, tmp_path / "dist"))
    assert "| `analyst` |" not in before
    assert re.search(r"^\| `analyst` \| .+ \| 1 \|$", after, re.MULTILINE)


def test_a_changed_fact_changes_the_words(copied: Path, package: Path, tmp_path: Path) -> None:
    edit(copied, "dataset.yaml", "Nobody said any of it.", "Anybody said some of it.")
    build(CorpusReader(FileTree(copied)), tmp_path / "dist")
    before, after = ((folder / "datasheet.md").read_text(encoding="utf-8") for folder in (package, tmp_path / "dist"))
    assert before.replace("Nobody said any of it.", "Anybody said some of it.") == after != before


def test_the_agreement_of_readings_is_that_of_the_file_in_datasheet_and_croissant() -> None:
    agreement = json.loads((PROJECT / "dist/agreement.json").read_text(encoding="utf-8"))
    assert agreement_table.section(agreement) in section("Annotation and quality control")
    croissant = json.loads((PROJECT / "dist/croissant.json").read_text(encoding="utf-8"))
    assert croissant["rai:dataAnnotationAnalysis"] == agreement_table.sentences(agreement)
    articles = max(len(pair["articles"]) for pair in agreement["pairs"])
    said = f"1, in the records; 2 more, in the readings of up to {articles} articles"
    assert croissant["rai:annotationsPerItem"] == said


def test_the_readme_of_the_package_names_only_polarities_that_figures_have(package: Path) -> None:
    for folder in (PROJECT / "dist", package):
        used = {row["polarity"] for row in pq.read_table(folder / "data/figures.parquet").to_pylist()} - {"affirmed"}
        [*said] = re.findall(
            r"^- Filter `figures` .+: the others are (.+)\.$",
            (folder / "README.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        assert set(re.findall(r"\w+", "".join(said))) - {"or"} == used


def test_the_file_of_agreement_is_described_like_others() -> None:
    descriptor = json.loads((PROJECT / "dist/datapackage.json").read_text(encoding="utf-8"))
    [described] = [each for each in descriptor["resources"] if each["path"] == "agreement.json"]
    assert described["mediatype"] == "application/json"
    for file in ("README.md", "ro-crate-metadata.json", "SHA256SUMS"):
        assert "agreement.json" in (PROJECT / "dist" / file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        (
            {"reader-2, kind: person": "reader-3, kind: language_model"},
            "No reading by a person is recorded of 1 of the 2 articles, only by",
        ),
        (
            {"readings:": "errata: []", "  - {reader": "# "},
            "No reading by a person is recorded of 1 of the 2 articles.",
        ),
    ],
)
def test_articles_that_no_person_read_are_counted(
    copied: Path, tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    path = copied / "annotations/901_second.yaml"
    text = path.read_text(encoding="utf-8")
    for old, new in changed.items():
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    assert build(CorpusReader(FileTree(copied)), tmp_path / "dist").outcome == "published"
    for name in ("README.md", "datasheet.md", "index.html", "croissant.json"):
        text = " ".join((tmp_path / "dist" / name).read_text(encoding="utf-8").split())
        assert ("by a person is recorded of" in text) == bool(said), name
        assert said in text
    spanish = (tmp_path / "dist/es.html").read_text(encoding="utf-8")
    in_part = "No consta que una persona haya leído 1 de los 2 artículos para estos datos"
    assert (in_part in spanish) == bool(said)
    assert ("solo se registraron lecturas de modelos" in spanish) == ("language_model" in str(changed))


def test_no_text_on_the_real_articles_claims_a_reading_by_a_person() -> None:
    readings = pq.read_table(PROJECT / "dist/data/readings.parquet").to_pylist()
    assert {row["kind"] for row in readings} == {"language_model"}
    for path in (
        "README.md",
        "dist/README.md",
        "dist/datasheet.md",
        "dist/index.html",
        "dist/croissant.json",
        "dist/datapackage.json",
    ):
        text = " ".join((PROJECT / path).read_text(encoding="utf-8").split())
        assert "The articles were annotated by language models that read them. No reading by a" in text, path
        assert "by reading" not in text
