"""What the docs count, quote and promise in words of their own is what the code says: none of it can drift."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

from conftest import INVENTED, PROJECT
from defectors_data.cli import arguments
from defectors_data.corpus import file_tree, reader, seed_limits, shards, yaml_reader
from defectors_data.documents.charts import svg
from defectors_data.documents.page import LARGEST
from defectors_data.models import closed_vocabularies
from defectors_data.release import takedown
from defectors_data.rows import comparisons, records
from defectors_data.text import quantities

COUNT = "no one two three four five six seven eight nine ten".split()
SCALE = {50: "fifty", 100: "a hundred"}


def doc(name: str) -> str:
    """Return a page with its lines joined, so that words are found over the end of a line."""
    return " ".join((PROJECT / name).read_text(encoding="utf-8").split())


READ = re.compile(r"(?:\| |; |, )([^|;→,]*(?:,\d[^|;→,]*)?) → ([\d.]+)")
PHRASES = READ.findall((PROJECT / "docs/annotators/quantities.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("phrase", "number"), PHRASES)
def test_a_phrase_in_the_docs_is_read_as_they_say(phrase: str, number: str) -> None:
    said = quantities.read_quantity(phrase if phrase.endswith(("s", "ten")) else f"{phrase} crews")
    assert said
    assert (said.low if said.value is None else said.value) == float(number)


def test_the_page_on_quantities_shows_readings_and_names_every_hedge_and_unit() -> None:
    assert len(PHRASES) > 10
    for name in ("Hedge", "Unit"):
        assert [
            v for v in closed_vocabularies.MEANINGS[name] if f"`{v}`" not in doc("docs/annotators/quantities.md")
        ] == []


NEGATIONS = re.findall(
    r'"([^"]*\bnot [^"]+)"', doc("docs/annotators/quantities.md").partition("A negation before")[2].partition("## ")[0]
)


@pytest.mark.parametrize("phrase", NEGATIONS)
def test_a_negation_in_the_docs_is_less_than_one(phrase: str) -> None:
    said = quantities.read_quantity(phrase)
    assert said
    assert (said.hedge, said.value) == ("less_than", 1)


def test_the_page_on_comparing_names_what_is_compared() -> None:
    text = doc("docs/readers/comparing.md")
    units = {"person": "persons", "country": "countries", "item": "items", "event": "events"}
    assert set(units) == closed_vocabularies.WHOLE_UNITS
    assert f"{', '.join(units.values()).capitalize()}, and the units of the vocabulary with" in text
    assert f"share {COUNT[comparisons.SHARED_WORDS]} words in a row" in text
    for table, name in (("verdict", "Verdict"), ("kind", "RelationKind")):
        [rows] = re.findall(rf"\| {table} \|.*?\| -*[-| ]*(\| `.*?) (?=[A-Z])", text)
        values = [v for row in re.findall(r"\| (`[^|]+`) \|", rows) for v in re.findall(r"`(\w+)`", row)]
        assert [v for v in closed_vocabularies.MEANINGS[name] if v not in values] == []


def test_the_page_on_the_page_promises_the_bounds_that_are_kept() -> None:
    text = doc("docs/readers/page.md")
    assert f"less than {LARGEST // 1_000_000} MB" in text
    assert f"for figures and mentions, the {records.CONTEXT} characters on either side" in text
    assert f"more than {SCALE[svg.MOST]} rows is not drawn" in text
    [width] = re.findall(r"a phone screen (\d+) pixels wide", text)
    assert f"width={width}" in (PROJECT / "tests/test_browser.py").read_text(encoding="utf-8")


def test_the_docs_name_the_limits_of_what_a_large_corpus_gets() -> None:
    sources = f"{seed_limits.SOURCES_COMPARED:,} sources"
    pairs = f"{seed_limits.MOST_PAIRS:,} pairs of figures"
    assert f"more than {sources}, or more than {pairs} of one measure" in doc("docs/publishers/shards.md")
    assert f"With more than {sources} or {pairs}, figures are not compared" in doc("docs/publishers/publication.md")
    bound = f"With more than {sources} or {seed_limits.MOST_PAIRS:,} pairs"
    assert f"{bound}, figures are not compared" in doc("docs/readers/comparing.md")
    assert f"With more than {sources} there is no page" in doc("docs/readers/page.md")
    assert f"up to {arguments.SMALL} documents" in doc("docs/publishers/shards.md")
    assert f"At most {takedown.MOST:,} sources can be changed at once" in doc("docs/publishers/shards.md")
    for page in ("docs/publishers/shards.md", "docs/publishers/scale.md"):
        assert re.search(rf"batches of (at most )?{shards.BLOCK} ", doc(page))
    assert f"{reader.BATCH_BYTES // 1024} KiB of annotations" in doc("docs/publishers/scale.md")


def test_the_limits_in_findings_are_those_of_the_code() -> None:
    mebibytes = f"{seed_limits.LARGEST // 2**20} MiB"
    words = f"{seed_limits.MOST_WORDS:,} words"
    for said in (
        f"at most {file_tree.LARGEST // 2**20} MiB and contain at most {yaml_reader.MOST:,} keys and values",
        f"at most {mebibytes} and contain at most {words}, and at most {seed_limits.LONGEST_LINE:,} characters in",
    ):
        assert said in doc("docs/annotators/findings.md")
    assert f"nested at most {SCALE[yaml_reader.DEEPEST]} levels deep" in doc("docs/annotators/findings.md")


def test_the_readme_counts_the_articles_and_names_the_pythons() -> None:
    text = doc("README.md")
    articles = COUNT[len(list((PROJECT / "seeds").glob("*.txt")))]
    assert f"{articles.capitalize()} news articles of 2019" in text
    python = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert f"Python {python.removeprefix('>=')} or newer and make" in text


def test_exit_codes_are_told_alike() -> None:
    command_line = " ".join((PROJECT / "src/defectors_data/cli/__init__.py").read_text(encoding="utf-8").split())
    table = doc("docs/publishers/publication.md").partition("| code | meaning | |---|---| ")[2].partition(" ## ")[0]
    assert (
        "| 3 | a file could not be read or written | | 4 | another build or update of the corpus is running |" in table
    )
    head = (
        "0 success; 1 findings; 2 usage error; 3 a file could not be read or written; 4 another build or update of the "
        "corpus is running; 70 a bug, or too little memory; for a signal, 128 plus its number, such as 130 for SIGINT"
    )
    assert head in command_line
    assert re.findall(r"\d+", table) == re.findall(r"\d+", head)


def test_the_record_that_explains_because_stands_in_the_invented_corpus() -> None:
    page = (PROJECT / "docs/annotators/claims.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    written = yaml.safe_load((INVENTED / "annotations/901_second.yaml").read_text(encoding="utf-8"))
    assert [record for record in yaml.safe_load(shown) if record not in written["testimonies"]] == []
