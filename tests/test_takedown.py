"""What is taken out is gone from everything that is published, and nothing else breaks; in files as in shards."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from calling import run
from conftest import INVENTED, PROJECT, edit, found_in, in_parts, repin, spread
from defectors_data import pipeline
from defectors_data.build import build
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.edits import atomic_update
from defectors_data.evidence.record_ids import ids_in
from defectors_data.executors import pool
from defectors_data.package import published_folder
from defectors_data.package.atomic_publication import ConcurrentBuildError, ForeignTargetError
from defectors_data.pipeline import BatchResult, Options
from defectors_data.publishers import removal, removed_texts, takedown
from defectors_data.rows import records
from defectors_data.text import occurrences
from takedowns import DAY, LAYOUTS, annotated, corpus_of, ids_in_columns, laid_out, left_by, planned, rows_in, take_out

FIRST, SECOND = "annotations/900_example.yaml", "annotations/901_second.yaml"


def ids(root: Path) -> list[str]:
    corpus = corpus_of(FileTree(root))
    return sorted({*corpus.context.shared, *(name for each in corpus.documents.values() for name in each.tables)})


EVERYTHING = ids(INVENTED)
SPEAKERS = sorted(
    {name for document in corpus_of(FileTree(PROJECT)).documents.values() for name in document.speakers_by_id}
)


@pytest.fixture(scope="module", params=LAYOUTS)
def untouched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented corpus in a layout; a test leaves it as it was."""
    copy = shutil.copytree(INVENTED, tmp_path_factory.mktemp("untouched") / "project")
    return laid_out(Path(copy), request.param)


@pytest.fixture(params=LAYOUTS)
def project(request: pytest.FixtureRequest, copied: Path) -> Path:
    """A copy of the invented corpus in a layout, that a test may damage."""
    return laid_out(copied, request.param)


def published(root: Path, out: Path | None = None) -> dict[str, bytes]:
    built = build(CorpusReader(FileTree(root)), out or root / "dist")
    assert (built.checked.findings, built.outcome) == ([], "published")
    return dict(published_folder.contents(out or root / "dist"))


# ---- what goes with a record -----------------------------------------------------------------------------------


def nothing_is_left(root: Path, record_id: str) -> None:
    """Hold that no cell that would be published touches what is taken out."""
    before = corpus_of(FileTree(root)).documents
    with planned(root, record_id) as plan:
        assert plan.findings == []
        tree = FileTree(root, plan.changed)
        after, rows = corpus_of(tree), rows_of(tree)
    withdrawn = {name: document.content.withdrawn for name, document in after.documents.items()}
    for span in rows["spans"]:
        shown = (span["start_offset"] - len(span["prefix"] or ""), span["end_offset"] + len(span["suffix"] or ""))
        taken = withdrawn[span["source_id"]]
        assert not any(run.start < shown[1] and shown[0] < run.end for run in taken), span["span_id"]
        if taken:  # a context that is cut would show where words were removed
            assert not any(map(str.isalnum, f"{span['prefix']}{span['suffix']}".replace("None", ""))), span["span_id"]
    for entry in rows["ledger"]:
        taken = withdrawn[entry["source_id"]]
        touched = any(run.start < entry["end_offset"] and entry["start_offset"] < run.end for run in taken)
        assert not touched, entry["ledger_id"]
    for name, document in before.items():
        for cited in document.cited if name in after.documents else ():
            if (cited.record_id, cited.field) == (record_id, "evidence"):
                for start, end in document.at(cited.path):
                    covered = (run.start <= start and end <= run.end for run in withdrawn[name])
                    assert any(covered), "the words of the record are withdrawn in full"
    removed = {record_id, *(row["record_id"] for row in rows.pop("tombstones"))}
    assert not removed & set(ids_in_columns(rows))
    cells = [str(cell) for table in rows.values() for row in table for cell in row.values()]
    assert not any(removed & ids_in(cell) for cell in cells)


def rows_of(tree: FileTree) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables, by table."""
    results = list[BatchResult]()
    checked = pipeline.run(CorpusReader(tree), Options(), take=results.append)
    assert checked.context, checked.findings
    tables = [*records.tables_of_context(checked.context), *checked.relations.items()]
    tables += records.tables_across(checked.context, checked.used, checked.figures, checked.ties, checked.pairs).items()
    for result in results:
        tables += result.tables.items()
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, table in tables:
        rows[name] += table.to_pylist()
    return rows


@pytest.mark.parametrize("record_id", spread(EVERYTHING, 12))
def test_every_record_can_be_taken_out(untouched: Path, record_id: str) -> None:
    before = published_folder.contents(untouched)
    nothing_is_left(untouched, record_id)
    assert published_folder.contents(untouched) == before


@pytest.mark.parametrize("record_id", spread(EVERYTHING, 24))
def test_of_shards_the_same_is_taken_out_as_of_files(untouched: Path, record_id: str) -> None:
    assert left_by(untouched, record_id) == left_by(INVENTED, record_id)


@pytest.mark.deep
@pytest.mark.parametrize("speaker_id", spread(SPEAKERS, 40))
def test_every_speaker_of_the_real_corpus_can_be_taken_out(speaker_id: str) -> None:
    vocabulary = corpus_of(FileTree(PROJECT)).context.vocabulary
    surnames = takedown.removal_of(CorpusReader(FileTree(PROJECT)), speaker_id).surnames
    if any(occurrences.occurrences(text, name) for _, text in vocabulary.texts() for name in surnames):
        with (
            pytest.raises(
                removal.TakedownBlockedError, match=r"^annotations/vocabulary\.yaml, line \d+, contains the name"
            ),
            planned(PROJECT, speaker_id),
        ):
            pass
        return
    nothing_is_left(PROJECT, speaker_id)


@pytest.mark.parametrize("layout", spread(LAYOUTS, 2, pytest.mark.deep))
def test_a_removed_person_is_in_no_file(copied: Path, layout: str) -> None:
    edit(copied, FIRST, "note: The text tells of", "note: Bruno Salt tells of")
    root = laid_out(copied, layout)
    published(root)
    plan, built = takedown.take_down(root, root / "dist", "bruno-salt", reason="person", day=DAY)
    assert (plan.findings, built and built.outcome) == ([], "published")
    everything = b"".join(published_folder.contents(root / "dist").values()).decode(
        "utf-8", errors="replace"
    ) + annotated(root)
    assert "Salt" not in everything
    assert "bruno-salt" not in everything
    stones = rows_in(root / "dist/data/tombstones.csv")
    assert stones[0].keys() == {"record_table", "record_id", "date", "reason_class"}
    assert [row for row in stones if row["record_table"] == "speakers"] == [
        {"record_table": "speakers", "record_id": "withdrawn-speaker-1", "date": "2026-01-31", "reason_class": "person"}
    ]


@pytest.mark.deep
@pytest.mark.parametrize(
    "record_id", spread(["second", "mira-fenn", "example", "bruno-salt", "example-speaker-1", "example-t5"], 3)
)
def test_it_is_the_same_to_take_out_and_shard_and_to_shard_and_take_out(
    copied: Path, tmp_path: Path, parts: Path, record_id: str
) -> None:
    first, then = take_out(copied, record_id), take_out(parts, record_id)
    assert [stone.model_copy(update={"seed": None}) for stone in first.tombstones] == then.tombstones
    sharded = in_parts(copied, tmp_path / "sharded")
    assert published(parts, tmp_path / "one") == published(sharded, tmp_path / "two")


def test_removing_a_source_deletes_its_file_and_keeps_its_seed(copied: Path) -> None:
    assert take_out(copied, "second").findings == []
    assert not (copied / SECOND).exists()
    assert (copied / "seeds/901_second.txt").exists()
    assert found_in(copied) == []
    published(copied)
    assert [row["source_id"] for row in rows_in(copied / "dist/data/sources.csv")] == ["example"]


def test_takedowns_can_follow_each_other(project: Path) -> None:
    for record_id in ("example-t2", "mira-fenn", "bruno-salt"):
        assert take_out(project, record_id).findings == []
    assert annotated(project).count("withdrawn-speaker-") == 2
    assert found_in(project) == []
    stones = [path.suffix for path in (project / "annotations").glob("tombstones.*")]
    assert stones == [(project / "annotations").glob("speakers.*").__next__().suffix], "in the layout of the lists"


@pytest.mark.parametrize(
    ("record_id", "left"),
    [
        ("example-t4", ["second-t6"]),  # the example
        ("example-t6", ["second-t6"]),  # the counter-example
        ("second-m5", ["example-t4"]),  # words of the code
        ("example-t9", ["example-t4", "second-t6"]),
        ("example", ["second-t6"]),
    ],
)
def test_an_example_of_a_code_goes_with_its_testimonies_and_its_words(
    copied: Path, record_id: str, left: list[str]
) -> None:
    added = "- {code: where, value: the_pier, example: second-t6}"
    old = "- {code: access, value: own_experience, example: example-t4}"
    edit(copied, "annotations/vocabulary.yaml", old, added)
    assert take_out(copied, record_id).findings == []
    assert found_in(copied) == []
    examples = corpus_of(FileTree(copied)).context.vocabulary.content.examples
    assert [each.example for each in examples] == left


def test_with_the_last_example_of_a_code_the_list_goes(copied: Path) -> None:
    assert take_out(copied, "example-t4").findings == []
    assert "examples:" not in (copied / "annotations/vocabulary.yaml").read_text(encoding="utf-8")
    assert found_in(copied) == []


def test_after_a_takedown_ids_are_still_compared_with_the_package(copied: Path) -> None:
    assert run("takedown", "second-t3", "--reason", "error", where=copied).returncode == 0
    checked = run("check", where=copied)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_every_record_can_be_removed(project: Path) -> None:
    for record_id in ("example", "second"):
        assert take_out(project, record_id).findings == []
    assert corpus_of(FileTree(project)).documents == {}
    assert b"testimonies,second-t1," in published(project)["data/tombstones.csv"]


def test_removed_words_cannot_be_added_again(copied: Path) -> None:
    old = (copied / FIRST).read_text(encoding="utf-8")
    take_out(copied, "example-t9")
    taken_out = (copied / FIRST).read_text(encoding="utf-8").partition("\nwithdrawn:")[2]
    (copied / FIRST).write_text(f"{old}\nwithdrawn:{taken_out}", encoding="utf-8")
    assert {finding.code for finding in found_in(copied)} >= {"withdrawn-id", "withdrawn-words"}


def test_comments_and_everything_else_stay_as_typed(copied: Path) -> None:
    before = (copied / FIRST).read_text(encoding="utf-8")
    take_out(copied, "example-t8")
    after = (copied / FIRST).read_text(encoding="utf-8").partition("\nwithdrawn:")[0]
    lines = iter(before.splitlines())
    assert all(line in lines for line in after.splitlines()), "what stays, stays in its order"
    assert 0 < len(before.splitlines()) - len(after.splitlines()) < 10


def test_a_copy_with_every_list_in_brackets_is_edited_too(copied: Path) -> None:
    content = corpus_of(FileTree(copied)).documents["second"].content.model_dump(mode="json", exclude_none=True)
    (copied / SECOND).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    assert found_in(copied) == []
    assert take_out(copied, "second-t3").findings == []
    assert found_in(copied) == []


def test_every_tombstone_that_a_takedown_writes_has_the_form_that_is_required(project: Path) -> None:
    for record_id in ("example-speaker-1", "mira-fenn", "harbour-office", "example"):
        assert take_out(project, record_id).findings == []
    tables = {stone.table for stone in corpus_of(FileTree(project)).context.tombstones}
    assert tables >= {"sources", "speakers", "mentions", "testimonies", "figures", "waivers"}
    assert found_in(project) == []


def test_an_archive_of_maximum_size_is_read(copied: Path) -> None:
    stone = "  - {{table: {}, id: {}, date: 2026-01-01, reason: person}}\n"
    stones = [stone.format("sources", "gone"), *(stone.format("testimonies", f"gone-t{i}") for i in range(1, 3_000))]
    (copied / "annotations/tombstones.yaml").write_text(f"tombstones:\n{''.join(stones)}", encoding="utf-8")
    assert 10 * len(stones) > yaml_reader.MOST
    assert found_in(copied) == []
    assert take_out(copied, "example-t8").findings == []
    assert (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8").count("gone-t") == 2_999


def test_a_repeat_is_removed_with_its_record(project: Path) -> None:
    assert {stone.id for stone in take_out(project, "example-t5").tombstones} >= {"example-t5", "example-w4"}
    document = corpus_of(FileTree(project)).documents["example"]
    hits = list(re.finditer("The lamps are dark", document.text))
    assert hits
    assert all(document.is_withdrawn(hit.start(), hit.end()) for hit in hits)


def test_a_waiver_of_a_repeat_can_be_taken_out(copied: Path) -> None:
    seed, file = copied / "seeds/901_second.txt", "annotations/901_second.yaml"
    *before, annotated, poster = seed.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    seed.write_text("\n\n".join([*before, poster, annotated]) + "\n", encoding="utf-8")
    waived = 'evidence: {text: "“Two keepers cannot serve an island,”", suffix: " reads a poster"}'
    edit(copied, file, waived, "evidence: “Two keepers cannot serve an island,” reads a poster on the wall.")
    repin(copied, "901_second")
    assert found_in(copied) == []
    done = take_out(copied, "second-w1")
    assert (done.findings, [stone.id for stone in done.tombstones]) == ([], ["second-w1"])


def test_the_list_of_tombstones_names_its_schema_as_every_file_does(copied: Path) -> None:
    take_out(copied, "example-t8")
    first = (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../../schema/tombstones.schema.json"


def test_lines_of_other_files_that_name_removed_records_are_listed(copied: Path) -> None:
    """An id that is an example in the docs, such as that of a tombstone, is not one that went."""
    for page in ("README.md", "docs/more/page.md", ".github/x.md", "annotations/todo.txt", ".venv/x.md", "build/x.md"):
        (copied / page).parent.mkdir(parents=True, exist_ok=True)
        text = "A line.\nBruno\nSalt, `testimonies/example-t8` and example-t10.\n"
        (copied / page).write_text(text, encoding="utf-8")
    (copied / "docs/more/other.md").write_text("Not withdrawn-speaker-1 or example-t10, salty.\n", encoding="utf-8")
    (copied / "docs/more/image.png").write_bytes(b"\0 example-t8")
    (copied / ".venv/pyvenv.cfg").touch()
    lines = [
        "The surname, a removed id or removed words are still found in:",
        "  README.md, line 3",
        "  .github/x.md, line 3",
        "  annotations/todo.txt, line 3",
        "  docs/more/page.md, line 3",
        "Edit by hand the lines that belong to a source or to no record.",
        "In this project's repository, `make docs` generates parts of README.md and docs/.",
    ]
    for record_id in ("bruno-salt", "example-t8"):
        ran = run("takedown", record_id, "--reason", "error", "--dry-run", where=copied)
        assert (ran.returncode, ran.stderr.splitlines()[: len(lines)]) == (0, lines)


# ---- or nothing changes ----------------------------------------------------------------------------------------


def test_a_takedown_is_refused_if_the_package_cannot_be_published(project: Path) -> None:
    (project / "dist").mkdir()
    (project / "dist/thesis.txt").write_bytes(b"x")
    before = published_folder.contents(project)
    with pytest.raises(ForeignTargetError, match=r"thesis\.txt"):
        takedown.take_down(project, project / "dist", "bruno-salt", reason="person", day=DAY)
    assert published_folder.contents(project) == before


@pytest.mark.deep
def test_the_build_after_a_failed_one_publishes(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("defectors_data.build.build", refuse)
        ran = run("takedown", "bruno-salt", "--reason", "person", "--root", project)
    assert (ran.returncode, "speakers/withdrawn-speaker-1: removed" in ran.stdout) == (3, True)
    assert ran.stderr == (
        "A file could not be read or written, and nothing was published (the annotations are changed: "
        "`defectors-data build` publishes them): No space left on device.\n"
    )
    again = run("takedown", "bruno-salt", "--reason", "person", "--root", project)
    assert (again.returncode, "`defectors-data build` publishes the rest" in again.stderr) == (1, True)
    assert run("build", "--root", project).returncode == 0
    assert b"bruno-salt" not in (project / "dist/data/speakers.csv").read_bytes()


@pytest.mark.deep
def test_where_a_takedown_is_killed_in_its_build_the_next_build_publishes(project: Path) -> None:
    code = (
        "import os, sys\n"
        "from defectors_data import build\nfrom defectors_data.publishers import takedown\n"
        "from datetime import date\n"
        "from pathlib import Path\n"
        "build.build = lambda *a, **k: os.kill(os.getpid(), 9)\n"
        "root = Path(sys.argv[1])\n"
        "takedown.take_down(root, root / 'dist', 'second', reason='person', day=date(2026, 1, 31))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(project)], check=False, capture_output=True)
    assert ran.returncode == -9, ran.stderr
    assert list(corpus_of(FileTree(project)).documents) == ["example"]
    with pytest.raises(removal.RecordNotFoundError):
        take_out(project, "second")
    assert run("build", "--root", project).returncode == 0
    assert not [*(project / "annotations").glob(".*"), *(project / "seeds").glob(".*"), *project.glob(".dist*")]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("record_id", ["bruno-salt", "example-f3", "second-t1", "nobody"])
def test_with_a_finding_a_takedown_is_refused(copied: Path, layout: str, record_id: str) -> None:
    root = laid_out(copied, layout)
    path = next(path for path in (root / "annotations").iterdir() if "two inns" in path.read_text(encoding="utf-8"))
    path.write_text(path.read_text(encoding="utf-8").replace("two inns", "two ins"), encoding="utf-8")
    (root / "dist").mkdir()
    before = published_folder.contents(root)
    plan, built = takedown.take_down(root, root / "dist", record_id, reason="person", day=DAY)
    assert ([finding.code for finding in plan.findings], built) == (["evidence-not-found"], None)
    assert published_folder.contents(root) == before


@pytest.mark.deep
@pytest.mark.parametrize("layout", LAYOUTS)
def test_findings_in_articles_that_were_not_published_prevent_no_takedown(copied: Path, layout: str) -> None:
    root = laid_out(copied, layout)
    published(root)
    (root / "seeds/903_third.txt").write_text("A third\n\n“Hi,” said Mira Fenn.\n", encoding="utf-8")
    (root / "seeds/904_fourth.txt").write_text("A fourth\n", encoding="utf-8")
    (root / "annotations/904_fourth.yaml").write_text("source: # Mira Fenn\n", encoding="utf-8")
    edit(root, "dataset.yaml", "summary: Two", "summary: Both")
    new = ["annotations/904_fourth.yaml", "seeds/903_third.txt", "seeds/904_fourth.txt"]
    before = [(root / file).read_bytes() for file in new]
    ran = run("takedown", "mira-fenn", "--reason", "person", "--jobs", "1", where=root)
    assert (ran.returncode, "\ndist: published (version 1.2.3)." in ran.stdout) == (0, True), ran.stderr
    assert f"so takedown neither changes nor publishes them: {', '.join(new)}\n" in ran.stderr
    assert "  annotations/904_fourth.yaml, line 1\n" in ran.stderr
    assert [(root / file).read_bytes() for file in new] == before
    assert b"Fenn" not in (root / "dist/data/speakers.csv").read_bytes()
    again = run("takedown", "example-t1", "--reason", "person", "--out", "elsewhere", "--dry-run", where=root)
    assert again.returncode == 0, "to a folder without a package, everything is new"
    if layout == "files":  # an article that was published
        edit(root, FIRST, "two inns", "two ins")
    else:
        (root / "dist/data/sources.csv").write_bytes(b"source_id\n")
    again = run("takedown", "example-t1", "--reason", "person", "--dry-run", where=root)
    assert (again.returncode, "Nothing was changed. Fix these findings" in again.stderr) == (1, True)


def test_a_version_that_is_too_low_prevents_no_takedown(copied: Path) -> None:
    assert run("release", "--first-release", where=copied).returncode == 0
    edit(copied, FIRST, "    themes: [weather]\n", "    themes: [weather]\n    note: Said at night.\n")
    assert "version-too-low" in {finding.code for finding in found_in(copied)}
    assert take_out(copied, "example-t1").findings == []
    assert found_in(copied) == []


def test_a_result_with_findings_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removed_texts, "_unattributed", lambda *_: iter([("source", "language")]))
    before = published_folder.contents(project)
    plan, built = takedown.take_down(project, project / "dist", "example-t8", reason="person", day=DAY)
    assert ([finding.code for finding in plan.findings], built) == (["missing-key"], None)
    assert published_folder.contents(project) == before


def test_an_unknown_id_and_a_name_in_the_summary_are_refused(project: Path) -> None:
    with pytest.raises(removal.RecordNotFoundError):
        take_out(project, "nobody")
    path = project / "dataset.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("of lighthouse", "of Bruno Salt and lighthouse", 1), encoding="utf-8"
    )
    with pytest.raises(removal.TakedownBlockedError, match=r"dataset\.yaml, line 3, contains the name"):
        take_out(project, "bruno-salt")


def test_a_takedown_does_not_undo_another_that_runs_meanwhile(project: Path) -> None:
    with atomic_update.locked(project), pytest.raises(ConcurrentBuildError), atomic_update.locked(project):
        pass


@pytest.mark.parametrize("kind", ["files", "shards"])
def test_a_plan_made_before_another_takedown_is_refused(copied: Path, kind: str) -> None:
    root = laid_out(copied, kind)
    with takedown.plan(root, "example-t8", reason="person", day=DAY) as stale:
        take_out(root, "mira-fenn")
        before = published_folder.contents(root)
        with (
            pytest.raises(atomic_update.EditedFileError, match="was edited in the meantime"),
            atomic_update.locked(root),
        ):
            atomic_update.update(root, stale.changes())
    assert published_folder.contents(root) == before


# ---- the command line ------------------------------------------------------------------------------------------


@pytest.mark.sweep
def test_the_command_says_the_same_for_shards_and_for_files(copied: Path, parts: Path) -> None:
    command = ["takedown", "bruno-salt", "--reason", "law", "--date", "2026-01-31"]
    said = [run(*command, where=root) for root in (copied, parts)]
    of_parts = re.sub(r"part-\d+\.parquet/", "", said[1].stdout).replace("part-00000.jsonl", "900_example.yaml")
    assert said[0].stdout == of_parts.replace("part-00001.jsonl", "901_second.yaml")
    assert [(ran.returncode, ran.stderr) for ran in said] == [(0, ""), (0, "")]
    commit = 'Next: git add annotations seeds dist dataset.yaml && git commit -m "Take down records"'
    assert said[0].stdout.splitlines()[-1] == commit
    for root in (copied, parts):
        ran = run("takedown", "example-t8", "--reason", "error", "--jobs", "1", "--without", "ledger", where=root)
        assert ran.returncode == 0, ran.stderr
        assert not (root / "dist/data/ledger.csv").exists()


@pytest.mark.deep
def test_several_processes_take_out_the_same(untouched: Path) -> None:
    with planned(untouched, "bruno-salt") as one:
        files = {file: path and path.read_bytes() for file, path in one.changed.items()}
    with takedown.plan(untouched, "bruno-salt", reason="person", day=DAY, executor=pool(2)) as two:
        assert {file: path and path.read_bytes() for file, path in two.changed.items()} == files
        assert two[:2] == one[:2]
