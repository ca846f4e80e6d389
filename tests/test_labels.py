"""Every number that labels something is printed by an article, or is a count of rows that this test repeats.

It looks at the page with its charts, at the README and at the datasheet. Elsewhere numbers may be computed: the places
are `ELSEWHERE` and `FACTS`.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from conftest import PROJECT, dataset_of, rows

DIST = PROJECT / "dist"
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
PRINTED = frozenset(NUMBER.findall(" ".join(path.read_text("utf-8") for path in PROJECT.glob("seeds/*"))))

ELSEWHERE = {"citing", "citation", "facts", "why", "context", "tables", "readings", "ledger", "terms", "cite"}
"""The classes and ids of the parts of the page that show ids, dates, offsets, lines or cells of the tables."""
FACTS = {"256", "47", "8", "16", "95%", "3.11", "4.0"}
"""Numbers in names: SHA-256, BCP 47, UTF-8, UTF-16, Python 3.11, CC BY 4.0; and the level of intervals of agreement."""
VOID = {"meta", "link", "input", "br", "img", "wbr"}


class Labels(HTMLParser):
    """The texts of a page outside `ELSEWHERE`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        named = {*(found.get("class") or "").split(), found.get("id") or ""}
        inside = bool(self.open) and self.open[-1][1]
        if tag not in VOID:
            left_out = tag in ("script", "style", "code", "pre") or not ELSEWHERE.isdisjoint(named)
            self.open.append((tag, inside or left_out))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Ignore shapes of drawings."""

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and not self.open[-1][1]:
            self.texts.append(data)


@pytest.fixture(scope="module")
def counts() -> set[str]:
    """Return the counts of rows that labels may state."""
    found = {pq.read_metadata(path).num_rows for path in DIST.glob("data/*.parquet")}
    for table, column in (
        ("testimonies", "source_id"),
        ("testimonies", "speaker_id"),
        ("figures", "source_id"),
        ("figures", "attributed_to"),
        ("statement_relations", "kind"),
        ("comparisons", "verdict"),
    ):
        number = Counter(row[column] for row in rows(DIST, table))
        found |= set(number.values())
        found |= {number_of - 3 for number_of in number.values()}  # three are shown, and "N more" are closed
    source_of = {row["testimony_id"]: row["source_id"] for row in rows(DIST, "testimonies")}
    pairs = Counter[tuple[str, bool]]()
    for row in rows(DIST, "statement_relations"):
        pairs[row["kind"], source_of[row["first"]] == source_of[row["second"]]] += 1
    for within in (True, False):
        kinds = [number_of for (_, inside), number_of in pairs.items() if inside == within]
        found |= {*kinds, sum(kinds)}
    across = Counter(row["verdict"] for row in rows(DIST, "comparisons") if not row["same_source"])
    found |= {across.total(), *across.values()}
    narrated = [row["mode"] == "narrated" for row in rows(DIST, "testimonies")]
    found |= {narrated.count(True), narrated.count(False)}
    roles = Counter(row["role"] for row in rows(DIST, "speakers") if row["kind"] == "person")
    found |= set(roles.values())
    # No table locates the ages and years of work of protected persons, which are found, too.
    found.add(len(rows(DIST, "ledger")) + sum(row["protected_numbers"] for row in rows(DIST, "sources")))
    return {f"{number:,}" for number in found} | {str(number) for number in found}


@pytest.fixture(scope="module")
def facts() -> set[str]:
    """Return the version, and the parts of the dates of the release and of the readings."""
    dataset = dataset_of(PROJECT)
    dates = {dataset.released, *(row["date"] for row in rows(DIST, "readings"))}
    parts = {part for date in dates for part in date.isoformat().split("-")}
    return {*FACTS, dataset.version, *parts}


def others(text: str, allowed: set[str]) -> list[str]:
    without_places = re.sub(r"\bline \d+", "", text)
    return [number for number in NUMBER.findall(without_places) if number not in PRINTED and number not in allowed]


def test_no_label_of_the_page_has_a_number_that_no_article_prints(counts: set[str], facts: set[str]) -> None:
    texts = Labels((DIST / "index.html").read_text(encoding="utf-8")).texts
    assert len(texts) > 1000
    found = [(text, others(text, counts | facts)) for text in texts]
    assert [each for each in found if each[1]] == []


@pytest.mark.parametrize("path", ["README.md", "dist/README.md", "dist/datasheet.md"])
def test_no_sentence_of_a_document_has_one_either(path: str, counts: set[str], facts: set[str]) -> None:
    text = re.sub(r"```.*?```|`[^`]*`|https?://\S+", "", (PROJECT / path).read_text(encoding="utf-8"), flags=re.DOTALL)
    # Rows of tables and entries of lists state cells and facts, such as the size of a file.
    sentences = [line for line in text.splitlines() if not line.lstrip().startswith(("|", "- ", "license:"))]
    found = [(line, others(line, counts | facts)) for line in sentences]
    assert [each for each in found if each[1]] == []


def test_the_label_of_a_figure_has_only_numbers_of_its_words() -> None:
    text = (DIST / "index.html").read_text(encoding="utf-8")
    cells = dict(re.findall(r'<a href="#figures/([^"]+)"><b>([^<]*)</b>', text))
    figures = rows(DIST, "figures")
    assert len(cells) == len(figures)
    for row in figures:
        assert set(NUMBER.findall(html.unescape(cells[row["figure_id"]]))) <= set(NUMBER.findall(row["text"]))


def test_a_bound_by_convention_would_be_found(counts: set[str], facts: set[str]) -> None:
    unseen = next(str(n) for n in range(24, 1000) if str(n) not in counts | facts | PRINTED)
    assert others(f"{unseen} or more", counts | facts) == [unseen]
    assert others("nearly 1,000", counts | facts) == []


def test_charts_state_no_other_numbers(counts: set[str], facts: set[str]) -> None:
    drawings = sorted(Path(DIST / "charts").glob("*.svg"))
    assert drawings
    for drawing in drawings:
        found = [(text, others(text, counts | facts)) for text in Labels(drawing.read_text(encoding="utf-8")).texts]
        assert [each for each in found if each[1]] == []
