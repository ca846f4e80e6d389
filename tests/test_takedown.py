"""What is taken out is gone from everything that is published, and nothing else breaks."""

from __future__ import annotations

import csv
import json
import re
import shutil
import unicodedata
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path

import pytest

from calling import run
from conftest import INVENTED, PROJECT, edit, found_in, in_parts, repin
from defectors_data import checks, folders, proving, runs, tabling, withdrawing, yamlediting, yamltext
from defectors_data.build import build
from defectors_data.corpus import Corpus, Shard
from defectors_data.proving import Proof
from defectors_data.reading import read, text_of
from defectors_data.takedown import take_down

DAY = date(2026, 1, 31)


def proved(root: Path) -> tuple[Proof, dict[str, str]]:
    corpus, findings = read(root)
    assert corpus is not None, findings
    documents = [corpus.shared.file, corpus.vocabulary.file, corpus.comparisons.file]
    documents += [shard.file for shard in corpus.shards]
    return proving.prove(corpus), {file: text_of(root, file)[0] or "" for file in documents}


def ids(corpus: Corpus) -> Iterator[str]:
    yield from (speaker.id for speaker in corpus.shared.content.speakers)
    for shard in corpus.shards:
        yield shard.content.source.id
        yield from (speaker.id for _, speaker in shard.speakers())
        yield from (mention.id for _, _, mention in shard.mentions())
        for records in (shard.testimonies(), shard.figures(), shard.waivers()):
            yield from (record.id for _, record in records)
        yield from (relation.id for _, relation in shard.relations())


EVERYTHING = sorted(ids(proved(INVENTED)[0].corpus))
SPEAKERS = sorted(
    {
        speaker.id
        for shard in proved(PROJECT)[0].corpus.shards
        for speaker in proved(PROJECT)[0].corpus.heard(shard).values()
    }
)


def afterwards(root: Path, proof: Proof, texts: dict[str, str], record_id: str) -> tuple[Proof, withdrawing.Taken]:
    """Return the corpus without a record, proved and without findings."""
    taken = withdrawing.take_down(proof, record_id, texts, reason="person", day=DAY)
    corpus, findings = read(root, changed=taken.files)
    assert corpus is not None, findings
    left = proving.prove(corpus)
    assert checks.run(left) == []
    return left, taken


def nothing_is_left(before: Proof, left: Proof, record_id: str) -> None:
    """Hold that no published cell touches what was taken out."""
    tables = {name: table.to_pylist() for name, table in tabling.tables(left).items()}
    withdrawn = {shard.content.source.id: shard.content.withdrawn for shard in left.corpus.shards}
    gone = {shard.content.source.id for shard in before.corpus.shards} - withdrawn.keys()
    for span in tables["spans"]:
        shown = (span["start"] - len(span["prefix"] or ""), span["end"] + len(span["suffix"] or ""))
        assert not any(run.start < shown[1] and shown[0] < run.end for run in withdrawn[span["source_id"]]), span[
            "span_id"
        ]
    for entry in tables["ledger"]:
        touched = any(r.start < entry["end"] and entry["start"] < r.end for r in withdrawn[entry["source_id"]])
        assert touched == (entry["status"] == "withdrawn"), entry["ledger_id"]
        assert not touched or (entry["text"], entry["record_table"], entry["record_id"]) == (None, None, None)
    for shard in before.corpus.shards:
        for cited in shard.cited():
            if cited.record_id == record_id and cited.field == "evidence" and shard.content.source.id not in gone:
                for start, end in before.at(shard, cited.path):
                    covered = (run.start <= start and end <= run.end for run in withdrawn[shard.content.source.id])
                    assert any(covered), "the words of the record are withdrawn in full"
    tombs = {row["record_id"] for row in tables.pop("tombstones")}
    cells = [str(cell) for rows in tables.values() for row in rows for cell in row.values()]
    named = {name for cell in cells for name in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", cell)}
    assert not named & tombs
    assert record_id not in cells
    assert "-" not in record_id or record_id not in named


@pytest.fixture(scope="module")
def invented() -> tuple[Proof, dict[str, str]]:
    return proved(INVENTED)


@pytest.fixture(scope="module")
def real() -> tuple[Proof, dict[str, str]]:
    return proved(PROJECT)


@pytest.mark.parametrize("record_id", EVERYTHING)
def test_every_record_of_the_invented_corpus_can_be_taken_out(
    invented: tuple[Proof, dict[str, str]], record_id: str
) -> None:
    left, _ = afterwards(INVENTED, *invented, record_id)
    nothing_is_left(invented[0], left, record_id)


@pytest.mark.deep
@pytest.mark.parametrize("speaker_id", SPEAKERS)
def test_every_speaker_of_the_real_corpus_can_be_taken_out(real: tuple[Proof, dict[str, str]], speaker_id: str) -> None:
    vocabulary = real[0].corpus.vocabulary.content
    terms = [each.term for each in (*vocabulary.themes, *vocabulary.measures, *vocabulary.populations)]
    if any(
        runs.occurrences(term, name) for term in terms for name in withdrawing.surnames_of(real[0].corpus, speaker_id)
    ):
        with pytest.raises(withdrawing.InTheWay, match=r"^annotations/vocabulary\.yaml, line \d+, holds the name"):
            afterwards(PROJECT, *real, speaker_id)
        return
    left, _ = afterwards(PROJECT, *real, speaker_id)
    nothing_is_left(real[0], left, speaker_id)


def test_a_person_is_gone_everywhere(copied: Path) -> None:
    out = copied / "dist"
    edit(copied, "annotations/900_example.yaml", "note: The text tells of", "note: Bruno Salt tells of")
    edit(
        copied,
        "annotations/vocabulary.yaml",
        "Pay of a keeper for a month.",
        "Pay of a keeper such as Salt for a month.",
    )
    build(copied, out)
    done = take_down(copied, out, "bruno-salt", reason="person", day=DAY, created=None)
    assert done.built
    assert done.built.outcome == "published"
    published = b"".join(folders.contents(out).values()).decode("utf-8", errors="replace")
    assert "Salt" not in published
    assert "bruno-salt" not in published
    annotated = "".join(path.read_text(encoding="utf-8") for path in (copied / "annotations").iterdir())
    assert "Salt" not in annotated
    assert "bruno-salt" not in annotated
    with (out / "data/tombstones.csv").open(encoding="utf-8", newline="") as rows:
        stones = list(csv.DictReader(rows))
    assert stones[0].keys() == {"record_table", "record_id", "date", "reason_class"}
    assert [row for row in stones if row["record_table"] == "speakers"] == [
        {"record_table": "speakers", "record_id": "withdrawn-speaker-1", "date": "2026-01-31", "reason_class": "person"}
    ]


def test_a_source_goes_with_its_file_and_its_seed_stays(copied: Path) -> None:
    done = take_down(copied, copied / "dist", "second", reason="rights", day=DAY, created=None)
    assert done.built
    assert not (copied / "annotations/901_second.yaml").exists()
    assert (copied / "seeds/901_second.txt").exists()
    assert found_in(copied) == []
    with (copied / "dist/data/sources.csv").open(encoding="utf-8", newline="") as rows:
        assert [row["source_id"] for row in csv.DictReader(rows)] == ["example"]


def test_one_takedown_after_another(copied: Path) -> None:
    for record_id in ("example-t2", "mira-fenn", "bruno-salt"):
        assert take_down(copied, copied / "dist", record_id, reason="error", day=DAY, created=None).built
    stones = (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8")
    assert stones.count("withdrawn-speaker-") == 2
    assert found_in(copied) == []


def test_what_was_taken_out_cannot_come_back(copied: Path) -> None:
    old = (copied / "annotations/900_example.yaml").read_text(encoding="utf-8")
    take_down(copied, copied / "dist", "example-t9", reason="person", day=DAY, created=None)
    taken_out = (copied / "annotations/900_example.yaml").read_text(encoding="utf-8").partition("\nwithdrawn:")[2]
    (copied / "annotations/900_example.yaml").write_text(f"{old}\nwithdrawn:{taken_out}", encoding="utf-8")
    assert {finding.code for finding in found_in(copied)} >= {"withdrawn-id", "withdrawn-words"}


def test_comments_and_everything_else_stay_as_typed(copied: Path) -> None:
    path = copied / "annotations/900_example.yaml"
    before = path.read_text(encoding="utf-8")
    take_down(copied, copied / "dist", "example-t8", reason="error", day=DAY, created=None)
    after = path.read_text(encoding="utf-8").partition("\nwithdrawn:")[0]
    lines = iter(before.splitlines())
    assert all(line in lines for line in after.splitlines()), "what stays, stays in its order"
    assert 0 < len(before.splitlines()) - len(after.splitlines()) < 10


def test_a_takedown_that_cannot_publish_changes_nothing(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folders.contents(copied)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("defectors_data.takedown.build", refuse)
    with pytest.raises(OSError, match="No space"):
        take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY, created=None)
    assert folders.contents(copied) == before


def test_with_findings_nothing_is_taken_out(copied: Path) -> None:
    edit(copied, "annotations/900_example.yaml", "evidence: two inns", "evidence: two ins")
    before = folders.contents(copied)
    done = take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY, created=None)
    assert ([finding.code for finding in done.findings], done.built) == (["quote-not-found"], None)
    assert folders.contents(copied) == before


def test_an_unknown_id_and_a_name_in_the_summary_are_refused(copied: Path) -> None:
    with pytest.raises(withdrawing.NoRecord):
        take_down(copied, copied / "dist", "nobody", reason="person", day=DAY, created=None)
    path = copied / "dataset.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: ", "title: Bruno Salt and ", 1), encoding="utf-8")
    with pytest.raises(withdrawing.InTheWay, match=r"dataset\.yaml, line 3, holds the name"):
        take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY, created=None)


def test_an_id_made_of_a_name_and_a_number_is_not_left_either(copied: Path) -> None:
    for path in (copied / "annotations").iterdir():
        path.write_text(
            path.read_text(encoding="utf-8").replace("bruno-salt", "bruno-salt-speaker-1"), encoding="utf-8"
        )
    done = take_down(copied, copied / "dist", "bruno-salt-speaker-1", reason="person", day=DAY, created=None)
    assert [stone.id for stone in done.tombstones if stone.table == "speakers"] == ["withdrawn-speaker-1"]
    assert "bruno" not in (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8")


def test_a_number_of_the_nameless_is_never_used_again(copied: Path) -> None:
    stone = "{table: speakers, id: withdrawn-speaker-7, date: 2026-01-01, reason: person}"
    (copied / "annotations/tombstones.yaml").write_text(f"tombstones:\n  - {stone}\n", encoding="utf-8")
    done = take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY, created=None)
    assert [stone.id for stone in done.tombstones if stone.table == "speakers"] == ["withdrawn-speaker-8"]


@pytest.mark.parametrize("called", ["bruno-salt-speaks", "on-salt"])
def test_a_source_that_is_called_after_a_person_is_in_the_way(copied: Path, called: str) -> None:
    path = copied / "annotations/901_second.yaml"
    path.write_text(re.sub(r"\bsecond\b(?=[\n-])", called, path.read_text(encoding="utf-8")), encoding="utf-8")
    assert found_in(copied) == []
    with pytest.raises(withdrawing.InTheWay, match=r"901_second\.yaml, line 3, holds the name"):
        take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY, created=None)
    assert take_down(copied, copied / "dist", "mira-fenn", reason="person", day=DAY, created=None).built


def test_every_tombstone_that_a_takedown_writes_has_the_form_that_is_held(copied: Path) -> None:
    for record_id in ("example-speaker-1", "mira-fenn", "harbour-office", "example"):
        assert take_down(copied, copied / "dist", record_id, reason="person", day=DAY, created=None).built
    tables = {stone.table for stone in read(copied).corpus.tombstones.content.tombstones}  # type: ignore[union-attr]
    assert tables >= {"sources", "speakers", "mentions", "testimonies", "figures", "waivers"}
    assert found_in(copied) == []


def test_as_much_can_have_been_taken_out_as_an_archive_holds(copied: Path) -> None:
    stone = "  - {{table: {}, id: {}, date: 2026-01-01, reason: person}}\n"
    stones = [stone.format("sources", "gone"), *(stone.format("testimonies", f"gone-t{i}") for i in range(1, 3_000))]
    (copied / "annotations/tombstones.yaml").write_text(f"tombstones:\n{''.join(stones)}", encoding="utf-8")
    assert 10 * len(stones) > yamltext.MOST
    assert found_in(copied) == []
    done = take_down(copied, copied / "dist", "example-t8", reason="person", day=DAY, created=None)
    assert done.built
    assert (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8").count("gone-t") == 2_999


def test_a_repeat_of_the_words_goes_with_them(copied: Path) -> None:
    taken = take_down(copied, copied / "dist", "example-t5", reason="safety", day=DAY, created=None)
    assert {stone.id for stone in taken.tombstones} >= {"example-t5", "example-w4"}
    text = (copied / "seeds/900_example.txt").read_text(encoding="utf-8")
    shard = shard_of(copied)
    assert all(shard.withdrawn(hit.start(), hit.end()) for hit in re.finditer("The lamps are dark", text))


def test_a_waiver_of_a_repeat_can_be_taken_out(copied: Path) -> None:
    seed, file = copied / "seeds/901_second.txt", "annotations/901_second.yaml"
    *before, annotated, poster = seed.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    seed.write_text("\n\n".join([*before, poster, annotated]) + "\n", encoding="utf-8")
    edit(copied, file, "serve an island, occurrence: 1", "serve an island, occurrence: 2")
    waived = 'evidence: {text: "“Two keepers cannot serve an island,”", occurrence: 2}'
    edit(copied, file, waived, "evidence: “Two keepers cannot serve an island,” reads a poster on the wall.")
    repin(copied, "901_second")
    assert found_in(copied) == []
    done = take_down(copied, copied / "dist", "second-w1", reason="rights", day=DAY, created=None)
    assert (done.findings, [stone.id for stone in done.tombstones]) == ([], ["second-w1"])


def test_the_list_of_tombstones_names_its_schema_as_every_file_does(copied: Path) -> None:
    assert take_down(copied, copied / "dist", "example-t8", reason="error", day=DAY, created=None).built
    first = (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../../schema/tombstones.schema.json"


def test_pages_that_name_what_went_are_listed_with_the_command_that_generates_them(copied: Path) -> None:
    (copied / "docs").mkdir()
    for page in ("README.md", "docs/grade.md", "docs/other.md"):
        (copied / page).write_text("See `testimonies/example-t8` and example-t10.\n", encoding="utf-8")
    (copied / "docs/other.md").write_text("See example-t10.\n", encoding="utf-8")
    ran = run("takedown", "example-t1", "--reason", "error", where=copied)
    assert "make docs" not in ran.stdout
    ran = run("takedown", "example-t8", "--reason", "error", where=copied)
    assert ran.stdout.endswith(
        "README.md, docs/grade.md: names what was taken out. Run `make docs`.\n"
        "docs/grade.md is generated by `make grade`.\n"
    )


# ---- surnames that stay ----------------------------------------------------------------------------------------------


def with_surname(root: Path) -> Path:
    """Let a source print the surname of a person whom it does not hear, with another accent, and speak of it."""
    file, words = "annotations/901_second.yaml", "Iven said the wind was cold and Fénn rowed."
    with (root / "seeds/901_second.txt").open("a", encoding="utf-8") as seed:
        seed.write(f"\n{words}\n")
    record = (
        f"id: second-t7\n    speaker: second-iven\n    mode: indirect\n    evidence: {words}\n    themes: [weather]"
    )
    edit(root, file, "\nfigures:", f"\n  - {record}\n\nfigures:")
    edit(
        root, file, "counted: towers that stand empty", "counted: towers that stand empty\n    note: Fenn counted them."
    )
    edit(root, file, "  language: en", "  note: Of a Fenn.\n  language: en")
    edit(root, file, "waivers:", "waivers:  # and Fenn")
    repin(root, "901_second")
    assert found_in(root) == []
    return root


STILL_PRINTED = """\
The surname is still printed in:
  {0}, line 7: sources/second
  {0}, line 80: testimonies/second-t7
  {0}, line 99: figures/second-f2
  {0}, line 112
Run takedown for these records to remove them: second-t7 second-f2
Lines of sources and of other files without a record are changed by hand.
"""


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_a_surname_that_stays_is_reported_with_its_records(copied: Path, options: list[str]) -> None:
    ran = run("takedown", "mira-fenn", "--reason", "person", *options, where=with_surname(copied))
    assert (ran.returncode, ran.stderr) == (0, STILL_PRINTED.format("annotations/901_second.yaml"))
    typed = (copied / "annotations/901_second.yaml").read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(typed, 1) if re.search("F[eé]nn", line)] == [7, 80, 99, 112]
    for record_id in () if options else ("second-t7", "second-f2"):
        again = run("takedown", record_id, "--reason", "person", where=copied)
        assert (again.returncode, again.stderr) == (0, "")


def test_a_surname_that_stays_in_a_part_is_reported_with_its_records(copied: Path, tmp_path: Path) -> None:
    sharded = in_parts(with_surname(copied), tmp_path / "sharded")
    ran = run("takedown", "mira-fenn", "--reason", "person", "--jobs", "1", where=sharded)
    assert ran.returncode == 0
    assert "annotations/part-1.jsonl, line 1: testimonies/second-t7\n" in ran.stderr
    assert "remove them: second-f2 second-t7\n" in ran.stderr


def test_of_a_surname_that_goes_nothing_is_reported(copied: Path) -> None:
    for record_id in ("mira-fenn", "example-t1", "harbour-office"):
        ran = run("takedown", record_id, "--reason", "person", "--dry-run", where=copied)
        assert (ran.returncode, ran.stderr) == (0, "")


# ---- names, however they are spelled -------------------------------------------------------------------------

SPELLED = ["MIRA FENN", "Mira\u00a0Fenn", "Mira  Fenn", "Mira\nFenn", "Mira-Fenn", "mira_fenn", "_Mira Fenn_"]


def also_said(root: Path, name: str) -> None:
    """Let another source print the name, and what is annotated about it quote and note it."""
    words = f"{name} was there at dawn and said the wind was cold."
    seed = root / "seeds/901_second.txt"
    seed.write_text(f"{seed.read_text(encoding='utf-8')}\n{words}\n", encoding="utf-8")
    added = f"""
  - id: second-t7
    speaker: harbour-office
    mode: indirect
    evidence: {json.dumps(words.rpartition(chr(10))[2])}
    themes: [weather]
    note: {json.dumps(f"This is what {name} told.")}
"""
    edit(root, "annotations/901_second.yaml", "\nfigures:", f"{added}\nfigures:")
    edit(root, "annotations/901_second.yaml", "  language: en", f"  language: en\n  note: {json.dumps(f'Of {name}.')}")
    repin(root, "901_second")


@pytest.mark.parametrize("name", SPELLED)
def test_a_name_goes_however_it_is_spelled(copied: Path, name: str) -> None:
    also_said(copied, name)
    done = take_down(copied, copied / "dist", "mira-fenn", reason="person", day=DAY, created=None)
    assert done.built, done.findings
    assert "second-t7" in {stone.id for stone in done.tombstones}
    files = folders.contents(copied / "dist")
    del files["codebook.md"]  # its examples are of another Mira Fenn
    published = b"".join(files.values()).decode("utf-8", errors="replace")
    annotated = "".join(path.read_text(encoding="utf-8") for path in (copied / "annotations").iterdir())
    assert not re.search(r"mira[\W_]+fenn", published + annotated, re.IGNORECASE)


def in_both_forms(words: str) -> tuple[str, str]:
    return unicodedata.normalize("NFC", words), unicodedata.normalize("NFD", words)


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        *(("Mira Fenn", spelled) for spelled in SPELLED),
        ("José Ñandú", "JOSÉ ÑANDÚ"),
        ("Ệ Vương", "ệ vương"),
        ("Al-Rashid", "al rashid"),
        ("O'Brien", "O’BRIEN"),
        ("Strauss", "Strauß"),
        ("Strauß", "STRAUSS"),
        ("İpek Yıldız", "İPEK YILDIZ"),
        ("İbrahim", "IBRAHIM"),
        ("Κώστας", "ΚΏΣΤΑΣ"),
        ("Пётр", "ПЁТР"),
        ('Ana "Lu" Paz', 'ana "lu"\u2009paz'),
    ],
)
def test_no_spelling_is_missed_and_places_are_those_of_the_text(name: str, spelled: str) -> None:
    for sought, printed in product(in_both_forms(name), in_both_forms(spelled)):
        text = f"🙂 é, “{printed}”, é"
        found = {text[start:end] for start, end in runs.occurrences(text, sought)}
        assert found == {printed.strip("_")}
        assert runs.may_hold(json.dumps(text, ensure_ascii=False).encode(), sought)


@pytest.mark.parametrize("words", ["Ivenless", "driven", "Ivené", "Íven", "éIven", "Iven7"])
def test_whole_words_alone_are_names(words: str) -> None:
    for written in in_both_forms(words):
        assert runs.occurrences(f"an {written} b", "Iven") == set()


def test_what_stands_for_a_letter_is_never_passed_over() -> None:
    letters = [chr(i) for i in (*range(0x30, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2200))]
    everything = " ".join(letters)
    for letter in filter(str.isalpha, letters):
        if unicodedata.normalize("NFC", letter) != letter:
            continue
        found = {everything[start:end] for start, end in runs.occurrences(everything, letter)}
        assert letter in found
        assert all(runs.may_hold(other.encode(), letter) for other in found)
        whole = re.finditer(rf"(?<!\S){re.escape(letter)}(?!\S)", everything, re.IGNORECASE)
        assert {hit[0] for hit in whole} <= found


def test_of_words_without_a_letter_nothing_is_found() -> None:
    assert runs.occurrences("a - b — c", "- —") == set()
    assert not runs.may_hold(b"- ", "- ")


# ---- what only a keeper can change ---------------------------------------------------------------------------

VOCABULARY = "annotations/vocabulary.yaml"
IN_THE_WAY = {
    "a keyword": ("dataset.yaml", "keywords: [lighthouses]", "keywords: [lighthouses, mira-fenn]", 7),
    "a keyword in capitals": ("dataset.yaml", "keywords: [lighthouses]", "keywords: [MIRA_FENN]", 7),
    "a trigger": (VOCABULARY, "[wind, fog, quiet tonight]", "[wind, fog, Mira Fenn said, quiet tonight]", 16),
    "a term": (VOCABULARY, "term: inns\n", "term: fenn_inns\n", 27),
    "a comment": ("dataset.yaml", "version: 1.2.3", "# Ask Mira\n  #  Fenn.\nversion: 1.2.3", 5),
    "a comment on terms": (VOCABULARY, "definition: Anything else.", "definition: Anything else. # of mira-fenn", 13),
    "a comment on speakers": (
        "annotations/speakers.yaml",
        "    kind: institution",
        "    kind: institution  # FENN",
        12,
    ),
    "a comment on notes": ("annotations/comparisons.yaml", "    note: Want", "    # not Fenn's\n    note: Want", 4),
    "a comment on another source": (
        "annotations/901_second.yaml",
        "  - id: second-t6\n",
        "  # said beside Mira Fenn\n  - id: second-t6\n",
        70,
    ),
    "a comment on what goes": (
        "annotations/900_example.yaml",
        "  - id: mira-fenn\n",
        "  # the clerk, Mira Fenn\n  - id: mira-fenn\n",
        59,
    ),
}


@pytest.mark.parametrize("where", IN_THE_WAY)
def test_where_only_a_keeper_can_change_it_nothing_changes(copied: Path, where: str) -> None:
    file, old, new, line = IN_THE_WAY[where]
    edit(copied, file, old, new)
    if "term: " in new:
        for path in (copied / "annotations").glob("90*.yaml"):
            path.write_text(path.read_text(encoding="utf-8").replace("measure: inns", "measure: fenn_inns"), "utf-8")
    assert found_in(copied) == []
    before = folders.contents(copied)
    with pytest.raises(
        withdrawing.InTheWay, match=rf"^{re.escape(file)}, line {line}, holds the name.* by hand first$"
    ):
        take_down(copied, copied / "dist", "mira-fenn", reason="person", day=DAY, created=None)
    assert folders.contents(copied) == before
    assert take_down(copied, copied / "dist", "example-t1", reason="person", day=DAY, created=None).built


def test_an_id_that_is_made_of_a_name_is_in_the_way_where_the_name_is_not(copied: Path) -> None:
    edit(copied, "dataset.yaml", "uses: [Testing.]", "uses: [Of second-iven.]")
    assert found_in(copied) == []
    for record_id in ("second-iven", "second"):
        with pytest.raises(withdrawing.InTheWay, match=r"dataset\.yaml, line 23, holds the name"):
            take_down(copied, copied / "dist", record_id, reason="person", day=DAY, created=None)
    assert take_down(copied, copied / "dist", "example-t8", reason="person", day=DAY, created=None).built


def test_an_institutions_id_is_in_nobodys_way(copied: Path) -> None:
    edit(copied, "dataset.yaml", "keywords: [lighthouses]", "keywords: [lighthouses, harbour-office]")
    assert take_down(copied, copied / "dist", "harbour-office", reason="person", day=DAY, created=None).built


def test_a_comment_that_goes_is_not_in_the_way(copied: Path) -> None:
    edit(
        copied, "annotations/900_example.yaml", "    name: Mira Fenn\n", "    name: Mira Fenn  # once Mira Fenn-Salt\n"
    )
    edit(
        copied,
        "annotations/900_example.yaml",
        "    note: The text",
        "    note: |-  # Mira\n      #Mira Fenn\n      The text",
    )
    done = take_down(copied, copied / "dist", "mira-fenn", reason="person", day=DAY, created=None)
    assert done.built
    assert "Fenn" not in (copied / "annotations/900_example.yaml").read_text(encoding="utf-8")


def shard_of(root: Path) -> Shard:
    corpus, _ = read(root)
    assert corpus
    return corpus.shards[0]


# ---- taking entries out of YAML ------------------------------------------------------------------------------


BLOCK = """\
# first
a:
  - id: x   # of x
    words: |
      one
      # no comment
  # about y
  - id: y
    list: [1, {b: 2}, 3]

  -
    id: z
c: d
"""


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        ([("a", 0)], {"a": [{"id": "y", "list": ["1", {"b": "2"}, "3"]}, {"id": "z"}], "c": "d"}),
        ([("a", 1)], {"a": [{"id": "x", "words": "one\n# no comment"}, {"id": "z"}], "c": "d"}),
        (
            [("a", 2)],
            {"a": [{"id": "x", "words": "one\n# no comment"}, {"id": "y", "list": ["1", {"b": "2"}, "3"]}], "c": "d"},
        ),
        ([("a", 0), ("a", 1), ("a", 2)], {"c": "d"}),
        ([("a", 1, "list", 1), ("a", 1, "list", 2)], None),
        ([("a", 1, "list", 0)], None),
        ([("a", 1, "id"), ("c",)], None),
        ([("a", 0, "words"), ("a", 1, "list")], None),
        ([], None),
    ],
)
def test_entries_go_and_the_rest_stays(paths: list[tuple[str | int, ...]], wanted: object) -> None:
    edited = yamlediting.without(BLOCK, paths)
    assert edited.startswith("# first\n")
    assert wanted is None or json.loads(json.dumps(yamltext.parse(edited, file="").value)) == wanted
    assert edited == BLOCK or len(edited) < len(BLOCK)


def test_a_copy_with_every_list_in_brackets_is_edited_too(copied: Path) -> None:
    corpus, _ = read(copied)
    assert corpus
    path = copied / "annotations/901_second.yaml"
    shard = next(shard for shard in corpus.shards if shard.file.endswith("901_second.yaml"))
    content = shard.content.model_dump(mode="json", exclude_none=True, exclude_defaults=False)
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    assert found_in(copied) == []
    assert take_down(copied, copied / "dist", "second-t3", reason="error", day=DAY, created=None).built
    assert found_in(copied) == []
    shutil.rmtree(copied / "dist")
