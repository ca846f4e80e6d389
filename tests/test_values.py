"""Words of single values and the regions of a page are found where they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import INVENTED
from defectors_data.corpus.file_tree import FileTree
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.value_spans import printed_values
from defectors_data.rows.records import records_of
from takedowns import corpus_of

FILE = "annotations/900_example.yaml"


def document(folder: Path, *changes: tuple[str, str]) -> Document:
    """Return the first invented document with changes to its annotations."""
    text = (INVENTED / FILE).read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    changed = folder / "changed.yaml"
    changed.write_text(text, encoding="utf-8")
    return corpus_of(FileTree(INVENTED, {FILE: changed})).documents["example"]


def words_of(document: Document) -> dict[str, list[str]]:
    """Return the words of values, by record and field."""
    found = printed_values(document)
    return {f"{v.record_id}.{v.field}": [document.text[span.start : span.end] for span in v.spans] for v in found}


def test_words_of_values_are_no_longer_than_the_values(tmp_path: Path) -> None:
    found = words_of(document(tmp_path))
    assert found["example.cited_outlets"] == ["Example Wire"]
    assert found["example.authors"] == ["Ada Example", "Ben Example"]
    assert found["example.outlet"] == ["The Example Gazette"]
    assert found["example-t3.outlet"] == ["Example Wire"]
    assert found["example-f1.quantity"] == ["40"]
    assert found["example-f1.place"] == ["the Northern Isles"], "the words of its testimony"
    attributes = ("name", "rank", "age", "years_of_service", "affiliation")
    assert [found[f"example-m2.{key}"] for key in attributes] == [
        ["Bruno Salt"],
        ["sergeant"],
        ["36"],
        ["eight"],
        ["Coast Watch"],
    ]


def test_no_words_of_a_value_are_named_for_protected_persons(tmp_path: Path) -> None:
    assert [name for name in words_of(document(tmp_path)) if name.startswith("example-m3.")] == []


@pytest.mark.parametrize(
    ("as_of", "words"),
    [
        ("XXXX-03-03", ["March 3rd"]),
        ("XXXX-03", ["March 3rd"]),
        ("2019-03-03", ["March 3rd"]),
        ("2019-03/..", ["March 3rd"]),
        ("2019", None),
        ("XXXX-03-04", None),
        ("XXXX-02", None),
        ("2018", None),
    ],
)
def test_the_words_of_a_date_are_the_best_match_in_the_paragraph_without_differences(
    tmp_path: Path, as_of: str, words: list[str] | None
) -> None:
    found = words_of(document(tmp_path, ("as_of: 2019-03-03", f"as_of: {as_of}")))
    assert found.get("example-f12.as_of") == words
    assert "example-f11.as_of" not in found, "March 3rd is printed in another paragraph"


HAPPENED = """    happened:
      {date: XXXX-02, basis: stated, of: departure, words: since February}
    where: {place: northern_isles"""


@pytest.mark.parametrize(("as_of", "words"), [("XXXX-02", ["since February"]), ("XXXX-03", None)])
def test_a_figure_has_the_words_of_the_date_of_its_testimony_if_the_dates_are_equal(
    tmp_path: Path, as_of: str, words: list[str] | None
) -> None:
    changes = [("    where: {place: northern_isles", HAPPENED)]
    changes += [("    place: northern_isles", f"    as_of: {as_of}\n    place: northern_isles")]
    assert words_of(document(tmp_path, *changes)).get("example-f1.as_of") == words


@pytest.mark.parametrize(("place", "words"), [("northern_isles", None), ("the_pier", ["the pier"])])
def test_a_place_is_not_searched_for_outside_the_paragraph(tmp_path: Path, place: str, words: list[str] | None) -> None:
    before = "    as_of: 2019-03-03"
    found = words_of(document(tmp_path, (before, f"{before}\n    place: {place}")))
    assert found.get("example-f12.place") == words


def test_every_span_has_the_region_of_the_page_in_which_it_starts(tmp_path: Path) -> None:
    lists = "  captions: PORT EXAMPLE — Nearly 40 lighthouse keepers\n  pull_quotes: “The lamps are dark.”"
    rows = records_of([document(tmp_path, ("  rights: Nobody", f"  rights: Nobody\n{lists}"))])["spans"]
    regions = {row["span_id"]: row["region"] for row in rows}
    assert regions["example.title.1"] == "headline"
    assert regions["example.subtitle.1"] == "subtitle"
    assert regions["example.boilerplate.1"] == regions["example.outlet.1"] == "boilerplate"
    assert regions["example-f1.evidence.1"] == regions["example.dateline.1"] == "caption"
    assert {row["region"] for row in rows if row["exact"] == "“The lamps are dark.”"} == {"pull_quote"}
    assert regions["example-t2.evidence.1"] == "body"


def test_a_passage_of_the_page_with_an_attribute_of_a_protected_person_is_not_published(tmp_path: Path) -> None:
    of_keeper = "The keeper, who is 27, walked to the pier with three cases."
    changed = document(tmp_path, ("  rights: Nobody", f"  rights: Nobody\n  pull_quotes: {of_keeper}"))
    rows = records_of([changed])["spans"]
    assert not [row for row in rows if "27" in row["exact"]]


def test_a_typed_stance_or_departure_is_published_of_a_testimony_without_access_and_no_default(tmp_path: Path) -> None:
    coded = "    access: own_experience\n    outlet_kind: not_stated\n    departure: true\n    departure_means: boat\n"
    for typed, expected in (("    stance: doubts\n    departure: true\n", ("doubts", True)), ("", (None, None))):
        rows = records_of([document(tmp_path, (coded, typed))])["testimonies"]
        [row] = [row for row in rows if row["testimony_id"] == "example-t4"]
        assert (row["stance"], row["departure"]) == expected
