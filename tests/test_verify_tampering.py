"""The verifier finds damage of every kind, with sums as they were or made anew; what it misses is listed and true."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from conftest import PROJECT, spread
from consistent_tampering import UNSEEN, both, escapes, on
from defectors_data.package import verify
from defectors_data.readers.exports.dehydrated_edition import WORDS
from tampering import SEEDS, Damage, Files, after, blunt, edit, faults, lay, remove, run, table_of, with_verifier


def test_sixty_blunt_faults_of_sixty_are_caught(whole: Files, tmp_path: Path) -> None:
    random_ = random.Random(1)  # noqa: S311  # the same faults in every run
    escaped = []
    for _ in range(60):
        folder = lay(whole, tmp_path / "dist")
        kind = blunt(folder, whole, random_)
        code, output = run(folder)
        if (code, bool(faults(output))) != (1, True):
            escaped.append(kind)
    assert escaped == []


def test_an_empty_folder_and_a_linked_folder_are_faults(whole: Files, tmp_path: Path) -> None:
    folder = lay(whole, tmp_path / "dist")
    (folder / "data" / "empty").mkdir()
    assert faults(run(folder)[1])[0].startswith("data/empty: ")
    (folder / "data" / "empty").rmdir()
    assert run(folder)[0] == 0
    (folder / "data").rename(tmp_path / "data")
    (folder / "data").symlink_to(tmp_path / "data")
    assert faults(run(folder)[1])[0].startswith("data: ")


@pytest.mark.deep
def test_with_the_seeds_faults_are_caught_though_the_sums_are_made_anew(whole: Files, tmp_path: Path) -> None:
    """A forty-eighth of all faults; `make test-deep` tries a tenth, and `make test-sweep` every one."""
    escaped, number = escapes(whole, tmp_path / "dist", *SEEDS, every=48)
    assert number > 30
    assert escaped <= UNSEEN


@pytest.mark.sweep
def test_with_the_seeds_many_faults_are_caught_though_the_sums_are_made_anew(whole: Files, tmp_path: Path) -> None:
    escaped, number = escapes(whole, tmp_path / "dist", *SEEDS, every=10)
    assert number > 160
    assert escaped <= UNSEEN


@pytest.mark.sweep
def test_with_the_seeds_every_fault_is_caught_though_the_sums_are_made_anew(whole: Files, tmp_path: Path) -> None:
    escaped, number = escapes(whole, tmp_path / "dist", *SEEDS, every=1)
    assert number > 1500
    assert escaped <= UNSEEN


@pytest.mark.sweep
def test_without_the_seeds_few_more_faults_pass(whole: Files, tmp_path: Path) -> None:
    escaped, number = escapes(whole, tmp_path / "dist", every=16)
    assert number > 100
    assert {escape.partition(": ")[2].partition(".")[0] for escape in escaped - UNSEEN} <= {
        "sources",
        "spans",
    }


# ---- single cells, changed with all that repeats them and with sums made anew ---------------------------------------


def moved(files: Files) -> None:
    """Move a mention of a protected person, with its spans, to the other article."""
    edit("mentions", "example-m3", source_id="second")(files)
    edit("spans", "example-m3", by="record_id", source_id="second")(files)
    for table in ("mentions", "spans"):
        sorted_again(table)(files)


def in_order(header: list[str]) -> Callable[[list[str]], tuple[object, ...]]:
    names = ["source_id", "start_offset", "end_offset", "record_table", "record_id", "field", "part", "speaker_id"]
    columns = [header.index(name) for name in names if name in header]
    return lambda row: tuple(int(row[c]) if row[c].isdigit() else row[c] for c in columns)


def sorted_again(table: str) -> Damage:
    return on(table, lambda rows: rows.__setitem__(slice(1, None), sorted(rows[1:], key=in_order(rows[0]))))


FIGURES, SUMMARY = "figures", "measures"
FOLLOWS = "must follow from the numbers, the hedge, the unit and the tolerances"
SEEN: dict[str, tuple[Damage, str]] = {
    **{
        f"{column} of a protected person": (edit("speakers", "example-speaker-1", **{column: value}), column)
        for column, value in {"name": "Ada Salt", "gender": "male"}.items()
    },
    **{
        f"{column} of a protected person": (edit("mentions", "example-m3", **{column: value}), column)
        for column, value in {
            "rank": "keeper",
            "age": "27",
            "years_of_service": "8",
            "affiliation": "Coast Watch",
        }.items()
    },
    "context of a protected person": (
        edit("spans", "example-m3", by="record_id", prefix="said "),
        "context must show no words of the paragraph of a protected person",
    ),
    "a role that differs from its speaker": (
        edit("testimonies", "example-t2", speaker_role="analyst"),
        "speaker_role must be the role of its speaker",
    ),
    "a protected mention in another article": (moved, "speaker_id must be the key of a row of speakers"),
    "a protected speaker of another article": (
        both(edit("speakers", "example-speaker-1", source_id="second"), sorted_again("speakers")),
        "speaker_id must be the key of a row of speakers",
    ),
    "a protected person in a note of another article": (
        edit(FIGURES, "second-f2", note="Like example-speaker-1."),
        "must not refer to a protected person of another source",
    ),
    "14 for 13 in digits": (
        both(edit(FIGURES, "example-f4", value="14"), edit(SUMMARY, "monthly_pay", lowest="14", highest="14")),
        "text must state its numbers",
    ),
    "three for two in words": (
        both(edit(FIGURES, "example-f3", value="3"), edit(SUMMARY, "inns", lowest="3", highest="3")),
        "text must state its numbers",
    ),
    "another end of a range": (edit(FIGURES, "example-f6", high="8"), "text must state its numbers"),
    "another age": (
        edit("mentions", "example-m2", age="37"),
        "age must be in its words",
    ),
    "other years of service": (edit("mentions", "second-m3", years_of_service="11"), "must be in its words"),
    "a hedge with other bounds": (edit(FIGURES, "example-f4", hedge="up_to"), "as its hedge requires"),
    "a bound too many": (edit(FIGURES, "example-f4", high="13"), "as its hedge requires"),
    "a bound that is not the value": (edit(FIGURES, "example-f9", low="19"), "must be the same number"),
    "a count of figures": (edit(SUMMARY, "inns", figures="2"), "figures must count the figures"),
    "a count of sources": (edit(SUMMARY, "inns", sources="2"), "sources must follow from the figures"),
    "a lowest number": (edit(SUMMARY, "inns", lowest="1"), "lowest must follow from the figures"),
    "a first day": (
        edit(SUMMARY, "people_at_the_pier", earliest="2019-03-01"),
        "earliest must follow from the figures",
    ),
    "a count of verdicts": (edit(SUMMARY, "lanterns_lost", verdicts="conflicts 2"), "verdicts must follow"),
    "a measure without summary": (remove(SUMMARY, "inns"), "measure must be the key of a row of measures"),
    "a verdict without summary": (
        edit("comparisons", "example-f10.example-f11", verdict="same"),
        "verdict must follow from the two figures",
    ),
    "another source of a pair": (
        edit("comparisons", "example-f10.example-f11", same_source="false"),
        "same_source must follow from the two figures",
    ),
    "a date of a pair": (
        edit("comparisons", "example-f10.example-f11", times="equal"),
        "times must follow from the two figures",
    ),
    "an interval of an exact number": (edit(FIGURES, "example-f4", interval_low="12"), FOLLOWS),
    "an interval of a hedged number": (edit(FIGURES, "example-f2", interval_low="9"), FOLLOWS),
    "a hedge with the same bounds": (edit(FIGURES, "example-f4", hedge="about"), FOLLOWS),
    "a number read as rounded": (edit(FIGURES, "example-f2", rounded_low="1"), FOLLOWS),
    "an interval on which a verdict rests": (
        edit(FIGURES, "example-f10", interval_high="4"),
        "verdict must follow from the two figures",
    ),
    "a range of figures that are not compared": (edit(SUMMARY, "keepers_in_inns", lowest="10"), "lowest must follow"),
    "independent sources of no figures": (
        edit(SUMMARY, "keepers_in_inns", independent_sources="1"),
        "must not exceed the number of compared sources",
    ),
    "a comparison of another measure": (
        edit("comparisons", "example-f10.example-f11", measure="inns"),
        "must compare two affirmed figures of its measure",
    ),
    "a comparison left out": (remove("comparisons", "example-f10.example-f11"), "comparisons must have a row for each"),
    "another day": (
        edit(FIGURES, "2019-03-03/2019-03-03", by="as_of", as_of_from="2019-03-02"),
        "must be the first and the last day of as_of",
    ),
    "a term used less": (edit("terms", "theme.escape", used="1"), "used must count"),
    "a unit that its measure does not have": (
        edit(FIGURES, "example-f3", unit="item"),
        "must be one of the units",
    ),
    "a name that no mention has": (
        both(edit("speakers", "bruno-salt", name="Bruno Sold"), edit("persons", "bruno-salt", name="Bruno Sold")),
        "a mention in its source must have the name of its speaker",
    ),
    "an age that is another number of its words": (
        both(edit("mentions", "example-m2", age="8"), edit("persons", "bruno-salt", ages="8")),
        "age must be in its words",
    ),
    "a quantity that is another number of its words": (
        edit(FIGURES, "example-f7", value="1600", high="1600", interval_high="1600"),
        "text must state its numbers",
    ),
    **{
        f"{column} of a person": (
            edit("persons", "bruno-salt", **{column: value}),
            f"{column} must follow from the rows",
        )
        for column, value in {
            "sources": "example",
            "role": "other",
            "branch": "",
            "ages": "37",
            "years_of_service": "8;9",
            "testimonies": "6",
        }.items()
    },
    "a person without row": (remove("persons", "mira-fenn"), "a person must have a row in persons"),
    "an interval of a comparison": (
        edit("comparisons", "example-f10.example-f11", interval_b="(5, no upper end)"),
        "interval_a and interval_b must be those of the two figures",
    ),
    "a last day of publication": (
        edit("sources", "example", published_to="2019-04-01"),
        "published_from and published_to must be the first and the last day of published",
    ),
    "a day of no date": (edit(FIGURES, "example-f4", as_of_to="2019-04-01"), "must be the first and the last day"),
    "a place without words": (edit("testimonies", "example-t2", place_id="northern_isles"), "place_id must be filled"),
    "words for a place that is not stated": (edit("testimonies", "example-t1", place_id=""), "place_id must be filled"),
    "words of no attribution": (edit("testimonies", "example-t1", attribution="none"), "attribution must be none or"),
    "a mention of another speaker": (
        edit("testimonies", "example-t4", attribution_id="example-m3"),
        "attribution_id must be a mention or a testimony of the same speaker",
    ),
    **{
        f"{column} that the article does not state": (
            edit("sources", "example", **{column: "Harbour Post"}),
            f"{column} must be in its words if it is stated",
        )
        for column in ("outlet", "authors", "cited_outlets")
    },
    "a figure of no testimony that holds it": (
        edit(FIGURES, "example-f3", testimony_id="example-t1"),
        "must be part of its testimony",
    ),
}


@pytest.mark.parametrize("change", spread(SEEN, 3))
def test_a_consistent_change_is_found_without_the_articles(whole: Files, tmp_path: Path, change: str) -> None:
    damage, sentence = SEEN[change]
    found = after(damage, whole, tmp_path / "dist")
    assert any(sentence in fault for fault in found), found
    assert not any("cannot be checked" in fault for fault in found)


def test_every_column_of_printed_words_must_have_the_words_of_its_spans(tmp_path: Path) -> None:
    """The columns are those that an edition without the words of the articles leaves out."""
    assert verify.PRINTED.keys() >= WORDS - {"exact", "prefix", "suffix"}
    files = with_verifier(PROJECT / "dist")
    for table in ("sources", "testimonies", "acts", "motives"):
        header, *rows = table_of(files, table)
        columns = [column for column in header if column in verify.PRINTED]
        changes = []
        for column in columns:
            key = next(row[0] for row in rows if row[header.index(column)])
            changes.append(edit(table, key, **{column: "Never said"}))
        found = after(both(*changes), files, tmp_path / "dist")
        for column in columns:
            assert any(f"{table}.csv" in fault and f" {column} must be the words" in fault for fault in found), column


def test_a_motive_or_an_act_must_have_the_speaker_of_its_testimony(tmp_path: Path) -> None:
    files = with_verifier(PROJECT / "dist")
    for table in ("acts", "motives"):
        header, *rows = table_of(files, table)
        place = header.index("speaker_id")
        key, source, speaker = rows[0][0], rows[0][1], rows[0][place]
        other = next(row[place] for row in rows if row[1] == source and row[place] != speaker)
        found = after(edit(table, key, speaker_id=other), files, tmp_path / "dist")
        assert any("speaker_id must be the speaker of its testimony" in fault for fault in found), found


def test_a_date_must_have_words_and_its_days(tmp_path: Path) -> None:
    files = with_verifier(PROJECT / "dist")
    header, *rows = table_of(files, "testimonies")
    dates = {row[header.index("happened")]: row[0] for row in rows}
    undated, (date_, dated) = dates.pop(""), dates.popitem()
    day = {"happened": "2019/2019", "happened_from": "2019-01-01", "happened_to": "2019-12-31"}
    departure = next(row for row in table_of(files, "persons")[1:] if date_ not in row and "false" in row)[0]
    for change, sentence in {
        edit("testimonies", undated, **day): "happened must be filled if and only if there are words for it",
        edit("testimonies", dated, happened_to="2031-01-01"): "must be the first and the last day of happened",
        edit("persons", departure, departed=date_): "departed must follow from the rows of other tables",
    }.items():
        found = after(change, files, tmp_path / "dist")
        assert any(sentence in fault for fault in found), found


def test_an_outlet_with_spans_must_have_their_words(whole: Files, tmp_path: Path) -> None:
    header, *rows = table_of(whole, "testimonies")
    (key, *_) = [row[0] for row in rows if row[header.index("outlet")]]
    found = after(edit("testimonies", key, outlet="Invented Herald"), whole, tmp_path / "dist")
    assert any("outlet must be the words of its spans" in fault for fault in found), found


def test_a_number_or_quotation_that_the_ledger_leaves_out_is_found_in_the_article(whole: Files, tmp_path: Path) -> None:
    ledger = [dict(zip(table_of(whole, "ledger")[0], row, strict=True)) for row in table_of(whole, "ledger")[1:]]
    named = {row["text"]: row["ledger_id"] for row in ledger}
    # One number of this article is not listed, because it is the age of a protected person.
    numbers = both(remove("ledger", named["40"]), remove("ledger", named["12"]))
    for change in (numbers, remove("ledger", named["We had no oil left,"])):
        (found,) = after(change, whole, tmp_path / "dist", *SEEDS)
        assert found.endswith("the ledger must have its quotations, and its numbers between spaces: 1 missing")
        assert after(change, whole, tmp_path / "dist") == []


def test_only_missing_numbers_that_can_be_ages_may_be_of_protected_persons() -> None:
    source = verify.Row()
    source.id = "example"
    text = "She is 36 of 121 keepers, he 7.\nAbout 1,600 boats “came back” in 120 days"
    assert verify.missing_in_ledger(verify.Package(Path(), None), source, text) == (2, 3)


MISSED: dict[str, Damage] = {
    "gender": edit("speakers", "bruno-salt", gender="female"),
    "a stance": edit("testimonies", "example-t2", stance="denies"),
    "a date": edit("sources", "example", published="2018-03~", published_from="2018-03-01", published_to="2018-03-31"),
    "a label": edit("sources", "example", label="Harbour Post, March 2019"),
    "the region of a span": edit("spans", "example-t2.evidence.1", region="caption"),
    "the reason of a waiver": edit("ledger", "term", by="reason", reason="idiom"),
    "an outcome": edit("relations", "example-r1", outcome="fails"),
    "an explanation": edit("comparisons", "example-f10.example-f11", explanation="They agree."),
    "a kind of reader": edit("readings", "example.1", kind="person"),
    "a number with an override": edit(
        FIGURES,
        "example-f4",
        value="14",
        interval_low="14",
        interval_high="14",
        note="The program reads the words otherwise: A slip of the pen.",
    ),
    "a vague number": edit(FIGURES, "example-f12", low="300", interval_low="300"),
    "a protected person in a note of the same article": edit(FIGURES, "example-f2", note="Like example-speaker-1."),
    "a note": edit("ledger", "A pull quote.", by="note", note="A pull-quote."),
    "a mode": edit("testimonies", "example-t4", mode="indirect"),
    "what is counted": edit(FIGURES, "example-f3", counted="inns"),
    "a definition": edit("terms", "theme.escape", definition="Another."),
    "how many attributes of protected persons are waived": edit("sources", "example", protected_numbers="2"),
}


@pytest.mark.parametrize("change", MISSED.values(), ids=MISSED)
def test_advice_that_a_value_would_pass_is_true(whole: Files, tmp_path: Path, change: Damage) -> None:
    assert after(change, whole, tmp_path / "dist", *SEEDS) == []


def test_a_shared_speaker_may_be_mentioned_in_two_articles(whole: Files) -> None:
    header, *rows = table_of(whole, "mentions")
    heard = {(row[header.index("speaker_id")], row[header.index("source_id")]) for row in rows}
    assert {("bruno-salt", "example"), ("bruno-salt", "second")} <= heard


def dated(identifier: str, *days: str) -> verify.Row:
    first, last = (date.fromisoformat(day) if day else None for day in days)
    return verify.Row(figure_id=identifier, as_of="/".join(days), as_of_from=first, as_of_to=last)


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [
        (("2019-03-01", "2019-03-01"), ("2019-03-01", "2019-03-01"), "equal"),
        (("2019-03-01", "2019-03-01"), ("2019-03-01", "2019-03-31"), "a_within_b"),
        (("2019-01-01", "2019-12-31"), ("2019-03-01", "2019-03-31"), "b_within_a"),
        (("2019-01-01", ""), ("2018-03-01", "2019-03-31"), "overlap"),
        (("2019-05-01", "2019-05-01"), ("2019-03-01", "2019-03-31"), "apart"),
        (("2019-05-01", ""), ("", "2019-03-31"), "apart"),
    ],
)
def test_how_times_relate_follows_from_their_days(one: tuple[str, str], other: tuple[str, str], times: str) -> None:
    assert verify.times_of(dated("a", *one), dated("b", *other)) == times
