"""Agreement between readings: measures as published, records matched by evidence, and planted differences."""

from __future__ import annotations

import json
import shutil
from itertools import permutations
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from calling import run
from conftest import PROJECT, edit
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.documents import agreement_table
from defectors_data.models.annotation import Figure, Testimony
from defectors_data.publishers import shard_writer
from defectors_data.rows import agreement, readings, reliability
from defectors_data.rows.readings import CodedRecord
from defectors_data.rows.reliability import Overlap
from takedowns import take_out

# ---- measures ----------------------------------------------------------------------------------------------------

TERMS = st.frozensets(st.sampled_from("abc"), max_size=2)
VALUES = st.lists(st.tuples(TERMS, TERMS), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("one", "other", "alpha"), [("0100000010", "1110010000", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)]
)
def test_alpha_is_that_of_the_paper(one: str, other: str, alpha: float) -> None:
    assert reliability.alpha(list(zip(one, other, strict=True))) == pytest.approx(alpha, abs=0.001)


@given(VALUES)
def test_alpha_is_one_minus_observed_by_expected_disagreement(pairs: list[tuple[frozenset[str], ...]]) -> None:
    """Disagreement as it is defined: of the values of each record, and of every two values of any records."""
    both = [(one, other) for one, other in pairs]
    values = [value for pair in both for value in pair]
    expected = [reliability.distance(a, b) for a, b in permutations(values, 2)]
    observed = [reliability.distance(a, b) for a, b in both]
    found = reliability.alpha(both)
    if not any(expected):
        assert found is None
    else:
        share = (sum(observed) / len(observed)) / (sum(expected) / len(expected))
        assert found == pytest.approx(1 - share)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("ab", "ab", 0), ("", "", 0), ("abc", "ab", 1 - 2 / 3 * 2 / 3), ("ab", "bc", 1 - 1 / 3 * 1 / 3), ("a", "b", 1)],
)
def test_sets_differ_by_masi(one: str, other: str, distance: float) -> None:
    assert reliability.distance(frozenset(one), frozenset(other)) == pytest.approx(distance)


def test_alpha_that_needs_too_much_memory_is_not_computed() -> None:
    pairs = [(str(i), str(i + 1)) for i in range(300)]
    assert reliability.alpha(pairs) is None
    assert reliability.has_too_many_values(pairs)
    assert not reliability.has_too_many_values(pairs[:200])


@pytest.mark.parametrize(
    ("number", "of", "low", "high"), [(81, 263, 0.2553, 0.3662), (0, 20, 0, 0.1611), (15, 148, 0.0624, 0.1605)]
)
def test_the_interval_of_a_share_is_that_of_newcombe(number: int, of: int, low: float, high: float) -> None:
    """R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3."""
    assert reliability.wilson(number, of) == pytest.approx((low, high), abs=0.0001)


def mean(items: Any) -> float:
    return float(sum(items) / len(items))


def test_the_jackknife_of_a_mean_is_its_textbook_interval() -> None:
    items = [0.1 * (i % 7) for i in range(20)]
    half = 2.093 * stdev(items) / 20**0.5
    found = reliability.jackknife(items, mean, least=0)
    assert found == pytest.approx((mean(items) - half, mean(items) + half))


def test_no_interval_is_made_of_too_little() -> None:
    for items, said in (([0.1] * 19, "fewer than 20"), ([0.5] * 40, "the same, whichever")):
        found = reliability.jackknife(items, mean, least=0)
        assert isinstance(found, str)
        assert said in found
    one_differs = [("a", "a")] * 39 + [("b", "b")]
    assert reliability.jackknife(one_differs, reliability.alpha, least=-1) == (
        "No interval: all variation is in a few neighbouring records."
    )


def test_f1_is_twice_what_both_have_by_what_each_has() -> None:
    assert reliability.f1([Overlap(3, 5, 3), Overlap(0, 0, 4)]) == 0.5
    assert reliability.f1([]) is None
    assert reliability.jackknife([], reliability.f1, least=0) == "Neither reading has any."


# ---- records -----------------------------------------------------------------------------------------------------


def coded(*places: range, name: str | None = None) -> list[CodedRecord]:
    return [CodedRecord(frozenset(place), {}, name) for place in places]


def test_records_are_matched_by_the_most_characters_in_common() -> None:
    pairs = agreement.matched(coded(range(10), range(20, 30)), coded(range(5, 25), range(1, 11), range(90, 95)))
    assert pairs == [(0, 1), (1, 0), (None, 2)]


def test_speakers_without_common_words_are_matched_by_name() -> None:
    one = [*coded(range(5), name="Ada"), *coded(range(0), name="writer")]
    other = [*coded(range(0), name="writer"), *coded(range(9, 12), name="Ada"), *coded(range(0))]
    assert sorted(agreement.matched(one, other), key=str) == [(0, 1), (1, 0), (None, 2)]


TEXT = "Ada Quill said so. One keeper said no. Ben Lamp asked one keeper."


def reading_of(typed: str) -> readings.CodedReading:
    found = readings.read(typed, "a.yaml", "seeds/a.txt", TEXT, {"ben-lamp": {"role": "other"}})
    assert found.findings == []
    return found


def test_speakers_of_two_readings_are_the_same_if_their_mentions_overlap() -> None:
    one = reading_of("""
        source: {id: x}
        speakers:
        - {id: x-speaker-1, mentions: [{evidence: Ada Quill}]}
        - {id: x-speaker-2, mentions: [{evidence: One keeper}]}
        - {use: ben-lamp, mentions: []}
        testimonies:
        - {speaker: speaker-1, evidence: said so}
        - {speaker: x-speaker-2, evidence: said no}
        - {speaker: ben-lamp, evidence: asked one keeper}
        """)
    other = reading_of("""
        speakers:
        - {label: s1, mentions: [{evidence: keeper said}]}
        - {label: s2, mentions: [{evidence: Quill said so}]}
        - {label: s3, mentions: [{evidence: one keeper}]}
        - {use: ben-lamp, role: analyst, mentions: [{evidence: Ben Lamp}]}
        testimonies:
        - {speaker: s2, evidence: Quill said so}
        - {speaker: s3, evidence: said no}
        - {speaker: ben-lamp, evidence: asked one}
        """)
    found = agreement.Comparison(("one", "other"))
    found.add("a", TEXT, one, other)
    of_speakers = [each for each in found.disagreements["a"] if each.code in ("speaker", "role", "record")]
    assert [(each.kind, each.code, each.values) for each in of_speakers] == [
        ("speakers", "record", ("no", "yes")),
        ("speakers", "role", ("other", "analyst")),
        ("testimonies", "speaker", ("one speaker", "another")),
    ]


CODED = """
testimonies:
- evidence: ' said so '
  attribution: {words: {text: Ada said, prefix: x}, antecedent: m1}
  themes: [pay, work]
  motives: [{factor: fear, direction: push, words: x}, {factor: fear, direction: push, words: y}]
  acts: {act: threat, status: feared}
  happened: {date: 2019-02, of: event}
  where: {place: Port, kind: city}
  departure: true
- {evidence: said no, attribution: {none: writer}, stance: asserts}
- {evidence: asked, attribution: [Ben Lamp, asked]}
figures:
- {evidence: one keeper, value: 10.0, low: '10', hedge: exact}
"""


def test_a_code_is_a_value_by_name() -> None:
    found: Any = reading_of(CODED).records
    first, second, third = found["testimonies"]
    assert first.codes == {
        **dict.fromkeys(readings.CODES["testimonies"]),
        "attribution": "antecedent",
        "themes": {"pay", "work"},
        "motives": {"fear push"},
        "acts": {"threat feared"},
        "happened": "2019-02",
        "where": "Port",
        "departure": "true",
        "stance": "asserts",
    }
    assert second.codes["attribution"] == "none: writer"
    left_out = {code: second.codes[code] for code in ("stance", "departure", "motives")}
    assert left_out == {"stance": "asserts", "departure": "false", "motives": set()}
    assert third.codes["attribution"] == "named"
    assert third.words == {"ben", "lamp", "asked"}
    assert first.places == set(range(TEXT.index("said so"), TEXT.index("said so") + 7)), "without white space"
    [figure] = found["figures"]
    assert (figure.codes["value"], figure.codes["low"], figure.codes["polarity"]) == (10, 10, "affirmed")


def test_the_kind_of_a_reader_is_that_of_the_annotation_file() -> None:
    typed = "source: {id: a}\nreadings:\n- {reader: reader-1, kind: person}\n- {reader: reader-2}\n"
    assert readings.source_and_kinds(typed, "a.yaml") == ("a", {"reader-1": "person"})


# ---- readings of a corpus ----------------------------------------------------------------------------------------


@pytest.fixture
def twice_read(copied: Path) -> Path:
    """The invented corpus with a reading that is equal to its records, and one that differs in five ways."""
    (copied / "annotations/readings").mkdir()
    for stem in ("900_example", "901_second"):
        for name in ("reader-1", "reader-2"):
            shutil.copy(copied / f"annotations/{stem}.yaml", copied / f"annotations/readings/{stem}.{name}.yaml")
    path = copied / "annotations/readings/901_second.reader-2.yaml"
    typed: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    del typed["testimonies"][0]
    typed["testimonies"][0]["mode"] = "narrated"
    typed["testimonies"][1]["themes"] = ["will_to_return"]
    typed["testimonies"][4]["speaker"] = "second-speaker-8"
    typed["figures"][0]["hedge"] = "up_to"
    path.write_text(yaml.safe_dump(typed), encoding="utf-8")
    return copied


PLANTED = [
    ("figures", "hedge"),
    ("testimonies", "mode"),
    ("testimonies", "record"),
    ("testimonies", "speaker"),
    ("testimonies", "themes"),
]


def test_planted_differences_are_listed_and_no_others(twice_read: Path) -> None:
    assert sum(map(len, agreement.report(twice_read, "records", "reader-1").disagreements.values())) == 0
    found = agreement.report(twice_read, "records", "reader-2")
    assert (found.articles, found.disagreements["900_example"]) == (["example", "second"], [])
    differ = found.disagreements["901_second"]
    assert sorted((each.kind, each.code) for each in differ) == PLANTED
    assert all(each.line > 1 for each in differ)
    data = found.as_data()
    [testimonies] = [each for each in data["passages"] if (each["records"], each["of"]) == ("testimonies", "records")]
    assert testimonies["first"] - 1 == testimonies["second"] == testimonies["both"]
    for each in data["codes"]:
        differences = PLANTED.count((each["records"], each["code"]))
        assert each["records_in_both"] - each["equal"] == differences


def test_nothing_degenerate_is_printed_as_a_number(twice_read: Path) -> None:
    data = agreement.report(twice_read, "records", "reader-1").as_data()
    for each in data["codes"]:
        assert each["alpha"] in (None, 1)
        assert each["alpha_interval"] is None
        assert each["note"].startswith("No")
    assert "nan" not in agreement_table.table(data)
    assert not [each for each in data["passages"] if each["f1_interval"]]
    assert ".." not in " ".join(agreement_table.sentences({"pairs": [data]}))


def test_a_code_that_no_record_has_is_left_out(twice_read: Path) -> None:
    data = agreement.report(twice_read, "records", "reader-1").as_data()
    listed = {(each["records"], each["code"]) for each in data["codes"]}
    assert ("testimonies", "mode") in listed
    assert ("figures", "polarity") not in listed
    assert all(each["with_value"] for each in data["codes"])


def test_all_values_of_a_record_are_compared_or_named_as_not_compared() -> None:
    own = {"draft", "corrected", "id", "evidence", "note", "override"}
    for kind, model in (("testimonies", Testimony), ("figures", Figure)):
        compared = {*readings.CODES[kind], *readings.NOT_COMPARED[kind]}
        assert compared == model.model_fields.keys() - own


def test_an_institution_has_the_same_anonymity_by_use_and_with_its_own_entry() -> None:
    shared = {"kind": "institution", "anonymity": "not_applicable"}
    typed = "speakers:\n- {use: board}\n- {id: other, kind: institution}\n"
    one, other = readings.read(typed, "one.yaml", "seeds/one.txt", "", {"board": shared}).records["speakers"]
    assert one.codes["anonymity"] == other.codes["anonymity"] == "not_applicable"


def test_equal_readings_are_called_a_possible_copy(twice_read: Path) -> None:
    for name, is_equal in (("reader-1", True), ("reader-2", False)):
        data = {"pairs": [agreement.report(twice_read, "records", name).as_data()], "method": {}, "decisions": []}
        stated = [agreement_table.section(data), *agreement_table.sentences(data)]
        assert ["may be a copy" in each for each in stated] == [is_equal] * 2


def test_the_command_prints_and_lists_them(twice_read: Path) -> None:
    ran = run("agreement", "records", "reader-2", "--list", where=twice_read)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "testimonies.record: yes / no" in ran.stdout
    assert "| figures: hedge |" in ran.stdout
    data = json.loads(run("agreement", "records", "reader-2", "--format", "json", where=twice_read).stdout)
    assert data["articles"] == ["example", "second"]
    ran = run("agreement", "records", "2026-01-31/nobody", where=twice_read)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "expected annotations/readings/2026-01-31/SEED.nobody.yaml" in ran.stderr


def published(root: Path) -> tuple[Any, list[str]]:
    found, findings = agreement.published(CorpusReader(FileTree(root)))
    return found, [finding.place.file for finding in findings]


def test_readings_of_the_same_folder_are_compared_with_each_other_and_not_with_the_records(twice_read: Path) -> None:
    edit(twice_read, "annotations/901_second.yaml", "kind: person, date", "date")
    folder = twice_read / "annotations/readings/2026-01-31"
    folder.mkdir()
    shutil.copy(twice_read / "annotations/900_example.yaml", folder / "900_example.reader-3.yaml")
    (folder / "900_example.decisions.md").write_text("- Line 1\n", encoding="utf-8")
    edit(twice_read, "dataset.yaml", "annotation: ", "agreement: The readers talked.\nannotation: ")
    found, findings = published(twice_read)
    assert findings == []
    assert found["limits"] == "The readers talked."
    stated = agreement_table.section(found), agreement_table.summary(found), *agreement_table.sentences(found)
    assert [each for each in stated if "The readers talked." in each] == [stated[0], stated[1], stated[-1]]
    [pair] = found["pairs"]
    assert pair["readings"] == [{"name": "reader-1", "kind": "language_model"}, {"name": "reader-2", "kind": None}]
    assert pair["articles"] == ["example", "second"]
    assert found["decisions"] == ["annotations/readings/2026-01-31/900_example.decisions.md"]
    assert "reader-2 (not recorded whether a person or a language model)" in agreement_table.section(found)


def test_only_files_with_the_name_of_a_reading_are_readings(twice_read: Path) -> None:
    folder = twice_read / "annotations/readings"
    others = ("notes.md", "900_example.yaml", "900_example.A B.yaml", "900_example.records.yaml")
    for name in (*others, "900_example.adjudicated.yaml", "900_example.decisions.md"):
        shutil.copy(folder / "900_example.reader-1.yaml", folder / name)
    found = readings.files_of_readings(CorpusReader(FileTree(twice_read)))
    assert {name: len(files) for name, files in found.items()} == {"reader-1": 2, "reader-2": 2}


def test_a_corpus_without_readings_publishes_no_agreement(copied: Path) -> None:
    assert published(copied) == (None, [])
    assert agreement_table.section(None).startswith("No two readings")
    assert agreement_table.summary(None).startswith("No two readings")


def test_shards_have_the_same_agreement_and_a_takedown_removes_the_same_readings(
    twice_read: Path, tmp_path: Path
) -> None:
    out = tmp_path / "shards"
    assert shard_writer.write_shards(twice_read, out, size=10, on_progress=lambda _documents, _share: None).shards == 1
    assert published(out) == published(twice_read)
    assert published(out)[0] is not None
    left = []
    for root in (out, twice_read):
        folder = root / "annotations/readings"
        names = sorted(path.name for path in folder.iterdir())
        take_out(root, "example-f8")
        assert sorted(path.name for path in folder.iterdir()) == names
        left.append([(folder / name).read_text(encoding="utf-8") for name in names])
    assert left[0] == left[1]


def test_an_empty_reading_is_written_and_read(copied: Path) -> None:
    ran = run("second-reading", "900_example", where=copied)
    assert (ran.returncode, ran.stderr) == (0, "")
    path = copied / "annotations/readings/900_example.reader-2.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert content.keys() == {"source", "speakers", "testimonies", "figures"}
    assert content["source"].keys() == {"id", "seed", "sha256", "title", "language", "rights", "draft"}
    assert not any(content[key] for key in ("speakers", "testimonies", "figures"))
    draft = agreement.report(copied, "records", "reader-2")
    assert (draft.articles, [finding.code for finding in draft.findings]) == ([], ["draft-record"])
    edit(copied, "annotations/readings/900_example.reader-2.yaml", "  draft: true\n", "")
    done = agreement.report(copied, "records", "reader-2")
    assert (done.articles, done.findings) == (["example"], [])
    assert {each["note"] for each in done.as_data()["codes"]} == {"No record is in both readings."}
    assert run("check", where=copied).returncode == 0
    assert run("second-reading", "900_example", where=copied).returncode == 1, "a file is never overwritten"
    assert run("second-reading", "900_example", "--name", "records", where=copied).returncode == 2


@pytest.mark.parametrize(
    ("old", "new", "said", "in_check"),
    [
        ("evidence: two inns", "evidence: three inns", "evidence-not-found", False),
        ("evidence: two inns", "words: two inns", "Expected `evidence`", False),
        ("evidence: two inns", "evidence: [two inns", "yaml-syntax", True),
        ("evidence: two inns\n", "evidence: two # inns\n", "`# inns` is a comment.", True),
        ("\nfigures:\n", "\nfigurs:\n", "Unknown key `figurs`.", True),
        ("\nwaivers:\n", "\nearlier: none\nwaivers:\n", "This must be a list", True),
    ],
)
def test_a_reading_with_a_fault_is_a_finding_with_its_place(
    twice_read: Path, old: str, new: str, said: str, in_check: bool
) -> None:
    edit(twice_read, "annotations/readings/900_example.reader-1.yaml", old, new)
    checked = run("check", where=twice_read)
    assert (checked.returncode, checked.stdout.count(said)) == ((1, 1) if in_check else (0, 0))
    ran = run("agreement", "records", "reader-1", where=twice_read)
    assert ran.returncode == 1
    assert ran.stdout.count(said) == 1
    assert "annotations/readings/900_example.reader-1.yaml:" in ran.stdout
    found, files = published(twice_read)
    assert set(files) == {"annotations/readings/900_example.reader-1.yaml"}
    assert found["pairs"][0]["articles"] == ["second"]


def test_the_readings_of_the_articles_are_compared_in_full() -> None:
    found, findings = published(PROJECT)
    assert findings == []
    [pair] = found["pairs"]
    names = {reading["name"] for reading in pair["readings"]}
    assert names == {"2026-11-26/reader-5", "2026-11-26/reader-6"}
    assert len(pair["articles"]) == len(found["decisions"]) == len([*(PROJECT / "annotations").glob("[0-9]*.yaml")])
    assert {each["note"] for each in pair["codes"]}.isdisjoint({"No record is in both readings."})
