"""Agreement between annotators: alpha as published, records matched by their evidence, and errors that were planted."""

from __future__ import annotations

import json
import shutil
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from calling import run
from conftest import PROJECT, edit
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.yaml_reader import parse
from defectors_data.models.tables import AgreementRow
from defectors_data.publishers import shard_writer
from defectors_data.rows import agreement
from defectors_data.rows.agreement import CodedRecord
from defectors_data.rows.matched_speakers import coded_speakers, labels_of
from takedowns import take_out

VALUES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=30)


@pytest.mark.parametrize(
    ("one", "other", "alpha"), [("0100000010", "1110010000", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)]
)
def test_alpha_is_that_of_the_paper(one: str, other: str, alpha: float) -> None:
    assert agreement.alpha(zip(one, other, strict=True)) == pytest.approx(alpha, abs=0.001)


@given(VALUES)
def test_alpha_is_one_minus_observed_by_expected_disagreement(pairs: list[tuple[str, str]]) -> None:
    """Disagreement as it is defined: of the values of each unit, and of every two values whatever their unit."""
    values = [value for pair in pairs for value in pair]
    expected = [a != b for a, b in permutations(values, 2)]
    observed = [a != b for a, b in pairs]
    found = agreement.alpha(pairs)
    if not any(expected):
        assert found is None
    else:
        assert found == pytest.approx(1 - (sum(observed) / len(observed)) / (sum(expected) / len(expected)))


def coded(*places: range) -> list[CodedRecord]:
    return [CodedRecord(frozenset(place), {}) for place in places]


def test_records_are_matched_by_the_most_characters_in_common() -> None:
    pairs = agreement.matched(coded(range(10), range(20, 30)), coded(range(5, 25), range(1, 11), range(90, 95)))
    assert [(a and min(a.places), b and min(b.places)) for a, b in pairs] == [(0, 1), (20, 5), (None, 90)]
    assert agreement.found("figures", agreement.counted(pairs))[1:4] == (2, 3, 2)


def test_a_space_at_the_end_of_evidence_makes_no_difference() -> None:
    text = "We had no oil left. Nobody wrote."
    readings = [
        agreement.coded(parse(f"testimonies: [{{evidence: '{words}'}}]", file=""), "testimonies", "x", text)[0]
        for words in ("no oil left.", " no oil left. ", "oil left. ")
    ]
    assert readings[0][0].places == readings[1][0].places != readings[2][0].places
    pairs = agreement.matched(readings[0], readings[2])
    found = agreement.found("testimonies", agreement.counted(pairs))
    assert (found.f1, found.exact_f1) == (1.0, 0.0)


def test_the_estimate_of_missed_passages_is_chapmans() -> None:
    """The worked example of textbooks: 10 and 15 found, 5 of them by both."""
    [one] = coded(range(10))
    narrated, direct = (one._replace(codes={"mode": mode}) for mode in ("narrated", "direct"))
    pairs = [*[(narrated, direct)] * 5, *[(narrated, None)] * 5, *[(None, narrated)] * 10, *[(direct, direct)] * 9]
    found = agreement.recall(agreement.unmarked(pairs))
    assert found[:3] == (10, 15, 5)
    assert found.estimate == pytest.approx(11 * 16 / 6 - 1)
    half = 1.96 * (11 * 16 * 5 * 10 / (6 * 6 * 7)) ** 0.5
    assert (found.low, found.high) == pytest.approx((max(20, found.estimate - half), found.estimate + half))
    assert agreement.recall(agreement.unmarked([])).found == 1.0


def test_speakers_of_two_readings_are_the_same_if_their_mentions_overlap() -> None:
    text = "Ada Quill said so. One keeper said no. Ben Lamp asked one keeper."
    readings = [
        """
        - {id: x-speaker-1, mentions: [{evidence: Ada Quill}]}
        - {id: x-speaker-2, mentions: [{evidence: One keeper}]}
        - {use: ben-lamp, mentions: []}
        """,
        """
        - {label: s1, mentions: [{evidence: keeper said}]}
        - {label: s2, mentions: [{evidence: Quill said so}]}
        - {label: s3, mentions: [{evidence: one keeper}]}
        - {use: ben-lamp, mentions: [{evidence: Ben Lamp}]}
        """,
    ]
    typed = [parse(f"source: {{id: x}}\nspeakers:{speakers}", file="") for speakers in readings]
    first, second = labels_of(*[coded_speakers(each, text) for each in typed])
    assert first["speaker-1"] == first["x-speaker-1"] == second["s2"] == "mentioned at 1:1"
    assert first["speaker-2"] == second["s1"] == "mentioned at 1:20"
    assert first["ben-lamp"] == second["ben-lamp"]
    assert second["s3"] == "mentioned at 1:55 in the other reading only"


def test_a_record_of_another_speaker_is_a_disagreement(copied: Path) -> None:
    (copied / "annotations/readings").mkdir()
    reading = copied / "annotations/readings/900_example.other.yaml"
    shutil.copy(copied / "annotations/900_example.yaml", reading)
    edit(copied, "annotations/readings/900_example.other.yaml", "speaker: example-speaker-2", "speaker: mira-fenn")
    found = {code.code: code for code in agreement.report(copied, "records", "other").codes}
    assert (found["speaker"].equal, found["speaker"].compared) == (8, 9)
    assert found["speaker"].alpha == pytest.approx(0.859, abs=0.02)
    assert found["attributed_to"].equal == found["attributed_to"].compared


@pytest.fixture
def twice_read(copied: Path) -> Path:
    """The invented corpus with a reading that is equal to its records, and one that differs in four ways."""
    (copied / "annotations/readings").mkdir()
    for stem in ("900_example", "901_second"):
        for name in ("same", "other"):
            shutil.copy(copied / f"annotations/{stem}.yaml", copied / f"annotations/readings/{stem}.{name}.yaml")
    path = copied / "annotations/readings/901_second.other.yaml"
    typed: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    del typed["testimonies"][0]
    typed["testimonies"][0]["mode"] = "narrated" if typed["testimonies"][0]["mode"] != "narrated" else "direct"
    typed["testimonies"][1]["themes"] = ["will_to_return"]
    typed["figures"][0]["hedge"] = "up_to"
    path.write_text(yaml.safe_dump(typed), encoding="utf-8")
    return copied


def test_planted_differences_are_listed_and_no_others(twice_read: Path) -> None:
    assert sum(map(len, agreement.report(twice_read, "records", "same").disagreements.values())) == 0
    found = agreement.report(twice_read, "records", "other")
    assert (found.articles, found.disagreements["900_example"]) == (2, [])
    listed = [(each.kind, each.code) for each in found.disagreements["901_second"]]
    assert sorted(listed) == [
        ("figures", "hedge"),
        ("testimonies", "mode"),
        ("testimonies", "record"),
        ("testimonies", "themes"),
    ]
    assert all(each.line > 1 for each in found.disagreements["901_second"])
    records = {each.kind: (each.first - each.second, each.both - each.second) for each in found.found}
    assert records == {"testimonies": (1, 0), "figures": (0, 0)}


def test_the_command_prints_and_lists_them(twice_read: Path) -> None:
    ran = run("agreement", "records", "other", "--list", where=twice_read)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "testimonies.record: yes / no" in ran.stdout
    data = json.loads(run("agreement", "records", "other", "--format", "json", where=twice_read).stdout)
    assert data["articles"] == 2
    ran = run("agreement", "records", "nobody", where=twice_read)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("No article has both readings: expected SEED.nobody.yaml")


def test_the_rows_of_the_table_are_what_the_command_prints(twice_read: Path) -> None:
    rows, findings = agreement.agreement_rows(CorpusReader(FileTree(twice_read)))
    assert findings == []
    found = agreement.report(twice_read, "records", "other")
    assert [[*row] for row in rows] == [[*AgreementRow.model_validate(row).model_dump()] for row in rows]
    of = {row["agreement_id"].removeprefix("records.other."): row for row in rows if row["reading_b"] == "other"}
    for code in found.codes:
        row = of[f"{code.kind}.{code.code}.alpha"]
        assert (row["compared"], row["equal"], row["codebook_rule"]) == (code.compared, code.equal, code.rule)
        assert row["value"] == (None if code.alpha is None else pytest.approx(code.alpha, abs=0.0005))
    assert of["testimonies.evidence.f1_records"]["value"] == round(found.found[0].f1, 3) < 1
    assert of["testimonies.evidence.estimate_unmarked"]["interval_low"] == round(found.recall.low, 3)
    assert {row["value"] for row in rows if row["agreement_id"].startswith("records.same.") and row["equal"]} <= {
        1,
        None,
    }


def test_shards_have_the_same_rows_and_a_takedown_removes_the_same_readings(twice_read: Path, tmp_path: Path) -> None:
    out = tmp_path / "shards"
    assert shard_writer.write_shards(twice_read, out, size=10, on_progress=lambda _documents, _share: None).shards == 1
    assert agreement.agreement_rows(CorpusReader(FileTree(out))) == agreement.agreement_rows(
        CorpusReader(FileTree(twice_read))
    )
    assert agreement.agreement_rows(CorpusReader(FileTree(out)))[0] != []
    left = []
    for root in (out, twice_read):
        folder = root / "annotations/readings"
        names = sorted(path.name for path in folder.iterdir())
        take_out(root, "example-f8")
        assert sorted(path.name for path in folder.iterdir()) == names
        left.append([(folder / name).read_text(encoding="utf-8") for name in names])
    assert left[0] == left[1]


def test_only_files_with_the_name_of_a_reading_are_readings(twice_read: Path) -> None:
    folder = twice_read / "annotations/readings"
    for name in ("notes.md", "900_example.yaml", "900_example.Second Reader.yaml", "900_example.records.yaml"):
        shutil.copy(folder / "900_example.same.yaml", folder / name)
    found = agreement.readings(CorpusReader(FileTree(twice_read)))
    assert {name: len(files) for name, files in found.items()} == {"same": 2, "other": 2}


def test_a_corpus_without_readings_has_no_rows(copied: Path) -> None:
    assert agreement.agreement_rows(CorpusReader(FileTree(copied))) == ([], [])


def test_an_empty_reading_is_written_and_read(copied: Path) -> None:
    ran = run("second-reading", "900_example", where=copied)
    assert (ran.returncode, ran.stderr) == (0, "")
    path = copied / "annotations/readings/900_example.second.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert content.keys() == {"source", "speakers", "testimonies", "figures"}
    assert content["source"].keys() == {"seed", "sha256", "title", "language", "draft"}
    assert not any(content[key] for key in ("speakers", "testimonies", "figures"))
    draft = agreement.report(copied, "records", "second")
    assert (draft.articles, [finding.code for finding in draft.findings]) == (0, ["draft-record"])
    edit(copied, "annotations/readings/900_example.second.yaml", "  draft: true\n", "")
    done = agreement.report(copied, "records", "second")
    assert (done.articles, done.findings, done.recall.both) == (1, [], 0)
    assert run("check", where=copied).returncode == 0
    assert run("second-reading", "900_example", where=copied).returncode == 1, "a file is never overwritten"
    assert run("second-reading", "900_example", "--name", "records", where=copied).returncode == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("evidence: two inns", "evidence: three inns", "evidence-not-found"),
        ("evidence: two inns", "words: two inns", "Expected `evidence`"),
        ("evidence: two inns", "evidence: [two inns", "yaml-syntax"),
    ],
)
def test_a_reading_with_a_fault_is_a_finding_with_its_place(twice_read: Path, old: str, new: str, said: str) -> None:
    edit(twice_read, "annotations/readings/900_example.same.yaml", old, new)
    ran = run("agreement", "records", "same", where=twice_read)
    assert ran.returncode == 1
    assert ran.stdout.count(said) == 1
    assert "annotations/readings/900_example.same.yaml:" in ran.stdout
    rows, findings = agreement.agreement_rows(CorpusReader(FileTree(twice_read)))
    assert {finding.place.file for finding in findings} == {"annotations/readings/900_example.same.yaml"}
    articles = {(row["reading_a"], row["reading_b"]): row["articles"] for row in rows}
    assert articles == {("records", "other"): 2, ("records", "same"): 1, ("other", "same"): 1}


def test_the_readings_of_the_articles_agree_as_the_adjudication_says() -> None:
    if any((PROJECT / "annotations").glob("tombstones.*")):
        pytest.skip("Records of the readings were removed after the adjudication.")
    found = agreement.report(PROJECT, "first", "second")
    equal = {(each.kind, each.code): (each.equal, each.compared) for each in found.codes}
    page = (PROJECT / "annotations/readings/adjudication.md").read_text(encoding="utf-8")
    testimonies, figures = found.found
    row = f"| first and second reading | {testimonies.both} of {testimonies.first} and {testimonies.second} "
    row += f"| {equal['testimonies', 'mode'][0]} | {equal['testimonies', 'themes'][0]} "
    assert f"{row}| {figures.both} of {figures.first} and {figures.second} " in page


def test_a_comment_that_cuts_evidence_of_a_reading_is_a_finding(twice_read: Path) -> None:
    path = twice_read / "annotations/readings/900_example.same.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("evidence: two inns\n", "evidence: two # inns\n"), encoding="utf-8")
    [found] = agreement.report(twice_read, "records", "same").findings
    assert found.message == "Only `two` is read here: `# inns` is a comment."
