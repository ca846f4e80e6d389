"""Relations between documents, and lists that belong to no source, in both layouts."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import INVENTED, checked, edit, found_in, vocabulary_without_examples
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from finding_cases import corpus, lay, sections
from test_layouts import A, B, as_json, assert_same, checked_in_batches, written_as_shards

# ---- relations whose figures are in other documents --------------------------------------------------------------

TWO, FORTY = "second-f3", "example-f1"
"""A figure of two persons, and one of about forty."""

BETWEEN: dict[str, tuple[str, str, str, list[str]]] = {
    "holds": (TWO, FORTY, "", []),
    "fails": (FORTY, TWO, "", ["relation-fails"]),
    "fails, with a note": (FORTY, TWO, "The operands may not include all parts.", []),
    "a figure that does not exist": (TWO, "example-f99", "", ["unresolved-relation"]),
    "figures of other units": (TWO, "example-f3", "", ["relation-unit-mismatch"]),
}


@pytest.mark.parametrize("shards", [False, True], ids=["YAML", "shards"])
@pytest.mark.parametrize("name", BETWEEN)
def test_a_relation_between_documents_is_checked(name: str, shards: bool, copied: Path, tmp_path: Path) -> None:
    result, of, note, codes = BETWEEN[name]
    relation = (
        f"  - {{id: second-r1, kind: part_of, result: {result}, operands: [{of}]{f', note: {note}' if note else ''}}}\n"
    )
    edit(copied, B, "\nwaivers:\n", f"\nrelations:\n{relation}\nwaivers:\n")
    root = written_as_shards(copied, tmp_path / "shards", size=2) if shards else copied
    line = 2 if shards else (copied / B).read_text(encoding="utf-8").splitlines().index(relation.rstrip("\n")) + 1
    for size in (1, 2):
        ran = checked_in_batches(root, size)
        assert [(finding.code, finding.place.line) for finding in ran.findings] == [(code, line) for code in codes]
        [report] = [each for each in ran.rules if each.rule == "unresolved-relation"]
        assert report.seen == 2


def test_relations_within_and_between_documents_have_one_row_each(copied: Path, tmp_path: Path) -> None:
    between = f"  - {{id: example-r2, kind: part_of, result: {TWO}, operands: [{FORTY}]}}\n"
    edit(copied, A, "\nwaivers:\n", f"{between}\nwaivers:\n")
    built = build(CorpusReader(FileTree(copied)), tmp_path / "dist")
    [report] = [each for each in built.checked.rules if each.rule == "unresolved-relation"]
    rows = pq.read_table(tmp_path / "dist/data/relations.parquet").to_pylist()
    assert [row["relation_id"] for row in rows] == ["example-r1", "example-r2"]
    assert report.seen == 2


# ---- the order of documents --------------------------------------------------------------------------------------

ONE_NAME = """
-- seed.txt --
Mira Fenn lost an oar.
-- annotation.yaml --
speakers:
  - id: mira-fenn
    kind: person
    role: other
    anonymity: named
    name: Mira Fenn
    mentions: [{id: example-m1, evidence: Mira Fenn}]
testimonies:
  - id: example-t1
    speaker: mira-fenn
    attribution: {words: Mira Fenn lost, about: true}
    mode: narrated
    evidence: lost an oar.
    themes: [other]
-- second.txt --
Mira Fenn drifted away.
-- second.yaml --
speakers:
  - id: fenn
    kind: person
    role: other
    anonymity: named
    name: Mira Fenn
    mentions: [{id: second-m1, evidence: Mira Fenn}]
testimonies:
  - id: second-t1
    speaker: fenn
    attribution: {words: Mira Fenn drifted, about: true}
    mode: narrated
    evidence: drifted away.
    themes: [other]
"""
"""Two documents whose ids are not their first: `source` is the last key, and the ids of speakers are in other order."""


def test_documents_are_in_the_order_of_their_ids_wherever_the_key_source_is(tmp_path: Path) -> None:
    in_yaml = lay(corpus(sections(ONE_NAME)), tmp_path / "yaml")
    in_shards = written_as_shards(in_yaml, tmp_path / "shards")
    [finding] = assert_same(in_yaml, in_shards)
    assert (finding.code, finding.place.file) == ("speaker-not-shared", "annotations/second.yaml")

    for folder, name in (("annotations", "part-00000.jsonl"), ("seeds", "part-00000.parquet")):
        (in_shards / folder / name).unlink()
    for name in ("annotations/example.yaml", "seeds/example.txt"):
        shutil.copy(in_yaml / name, in_shards / name)
    [finding] = found_in(in_shards)
    assert (finding.code, finding.place.file) == ("speaker-not-shared", "annotations/part-00001.jsonl")


# ---- lists as shards ---------------------------------------------------------------------------------------------


def test_lists_as_shards_are_counted_as_in_yaml(copied: Path, tmp_path: Path) -> None:
    stone = "{table: testimonies, id: example-t10, date: 2026-01-31, reason: person}"
    (copied / "annotations/tombstones.yaml").write_text(f"tombstones:\n  - {stone}\n", encoding="utf-8")
    in_yaml = written_as_shards(copied, tmp_path / "yaml")
    in_shards = written_as_shards(copied, tmp_path / "shards", lists=True)
    assert sorted(path.stem for path in (in_shards / "annotations").glob("*.jsonl")) == [
        "comparisons",
        *("part-00000", "part-00001"),
        *("speakers", "statements", "tombstones"),
    ]
    one, other = checked(in_yaml), checked(in_shards)
    assert one.findings == other.findings == []
    assert one.rules == other.rules


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ('"name":"Bruno Salt"', '"name":12', "invalid-value", "12"),
        ('"name":"Bruno Salt"', '"nmae":"Bruno Salt"', "unknown-key", '"nmae"'),
        ('"name":"Bruno Salt"', '"name":"Bruno Salt","name":"x"', "duplicate-key", '"name":"x"'),
        ('"name":"Bruno Salt"', '"name":"Bruno Salt",', "json-syntax", ""),
        ('"id":"harbour-office"', '"id":"bruno-salt"', "duplicate-id", '"bruno-salt"'),
    ],
)
def test_a_fault_in_a_list_has_its_line_and_column(
    old: str, new: str, code: str, words: str, copied: Path, tmp_path: Path
) -> None:
    root = written_as_shards(copied, tmp_path / "shards", lists=True)
    edit(root, "annotations/speakers.jsonl", old, new)
    lines = (root / "annotations/speakers.jsonl").read_text(encoding="utf-8").splitlines()
    number = max(i for i, line in enumerate(lines) if new in line)
    found = {finding.code: finding.place for finding in found_in(root)}
    assert found[code][:2] == ("annotations/speakers.jsonl", number + 1)
    assert not words or found[code].column == lines[number].rindex(words) + 1


def test_a_list_is_there_once(copied: Path, tmp_path: Path) -> None:
    root = written_as_shards(copied, tmp_path / "shards", lists=True)
    shutil.copy(copied / "annotations/speakers.yaml", root / "annotations")
    [finding] = found_in(root)
    assert (finding.code, finding.place.file) == ("shard-out-of-order", "annotations/speakers.jsonl")


def word(number: int) -> str:
    """Return a word that no number is read in, another one for each number."""
    letters = ""
    for _ in range(5):
        number, rest = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[rest] + "a"
    return letters.capitalize()


def write_with_shared_speakers(root: Path, sources: int, of_each: int) -> Path:
    """Write a corpus in shards in which each source uses other shared speakers."""
    for folder in ("annotations", "seeds"):
        (root / folder).mkdir(parents=True)
    for file in ("dataset.yaml", "annotations/vocabulary.yaml"):
        shutil.copy(INVENTED / file, root / file)
    (root / "annotations/vocabulary.yaml").write_text(vocabulary_without_examples(), encoding="utf-8")
    speakers, lines, rows = [], [], []
    for source in range(sources):
        names = [f"{word(number)} Keeper" for number in range(source * of_each, (source + 1) * of_each)]
        text = f"News of {word(source)}\n\n" + "\n\n".join(f"{name} said that it rained." for name in names) + "\n"
        ids = [name.casefold().replace(" ", "-") for name in names]
        person = {"kind": "person", "role": "other", "anonymity": "named"}
        speakers += [{"id": i, **person, "name": name} for i, name in zip(ids, names, strict=True)]
        name = f"news-{source:05d}"
        typed_source = {"id": name, "seed": f"{name}.txt", "sha256": hashlib.sha256(text.encode()).hexdigest()}
        typed_source |= {"title": f"News of {word(source)}", "language": "en", "rights": "Nobody"}
        said = {"mode": "indirect", "themes": ["other"]}
        lines.append(
            {
                "source": typed_source,
                "speakers": [
                    {"use": i, "mentions": [{"id": f"{name}-m{n}", "evidence": who}]}
                    for n, (i, who) in enumerate(zip(ids, names, strict=True), start=1)
                ],
                "testimonies": [
                    {
                        "id": f"{name}-t{n}",
                        "speaker": i,
                        "attribution": f"{who} said",
                        **said,
                        "evidence": f"{who} said that it rained.",
                    }
                    for n, (i, who) in enumerate(zip(ids, names, strict=True), start=1)
                ],
            }
        )
        rows.append({"source_id": name, "text": text})
    for file, entries in (("speakers", speakers), ("part-00000", lines)):
        (root / f"annotations/{file}.jsonl").write_text("".join(as_json(e) + "\n" for e in entries), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows), root / "seeds/part-00000.parquet")
    return root


@pytest.mark.deep
def test_a_corpus_may_have_more_shared_speakers_than_a_yaml_file_can_list(tmp_path: Path) -> None:
    root = write_with_shared_speakers(tmp_path / "project", 10, 30)
    ran = checked_in_batches(root, 3)
    assert ran.findings == []
    assert {report.seen for report in ran.rules if report.looked_at == "named speakers"} == {300}
    edit(root, "annotations/speakers.jsonl", f'"name":"{word(123)} Keeper"', '"name":"Somebody Else"')
    [finding] = checked_in_batches(root, 3).findings
    assert (finding.code, finding.place[:2]) == ("name-not-in-mention", ("annotations/part-00000.jsonl", 5))
