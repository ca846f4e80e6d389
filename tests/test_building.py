"""A release is the same however its corpus is laid out and whatever does the work; and what a large one leaves out."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frictionless
import pytest

import generator
from calling import Ran, process, run
from conftest import INVENTED, checked, content, found_in, in_parts, rows, spread
from defectors_data import executors
from defectors_data.build import BuildResult, build
from defectors_data.corpus import reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.distributed import dask_executor
from defectors_data.executors import Executor, serial
from defectors_data.package import validation
from defectors_data.pipeline import Options
from defectors_data.publishers import shard_writer

SOURCES = 8
FOR_PEOPLE = {"README.md", "datasheet.md", "verify.py", "index.html", "datapackage.json"}
FOR_CATALOGUES = {"croissant.json", "ro-crate-metadata.json", "CITATION.cff", "LICENSE", "CHANGELOG.md", "SHA256SUMS"}


def built(root: Path, out: Path, executor: Executor = serial, *without: str) -> BuildResult:
    return build(CorpusReader(FileTree(root)), out, Options(without=frozenset(without)), executor=executor)


def published(root: Path, out: Path, executor: Executor = serial, *without: str) -> dict[str, bytes]:
    """Publish a corpus that has no fault, and return the files of the package."""
    done = built(root, out, executor, *without)
    assert (done.outcome, done.warnings, done.checked.findings) == ("published", [], [])
    return content(out)


def untold(_documents: int, _share: float) -> None:
    """Receive progress."""


@pytest.fixture(scope="module")
def layouts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One corpus in YAML and in shards of one document, of five and of all."""
    folder = tmp_path_factory.mktemp("layouts")
    generator.generate(folder / "YAML", 10 * SOURCES, small=True)
    shards = {f"shards of {size}": in_parts(folder / "YAML", folder / f"{size}", size=size) for size in (1, 5, SOURCES)}
    return {"YAML": folder / "YAML", **shards}


@pytest.fixture(scope="module")
def expected(layouts: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The package that one process makes of the YAML."""
    return published(layouts["YAML"], tmp_path_factory.mktemp("expected") / "dist")


# ---- the same bytes ------------------------------------------------------------------------------------------


def test_a_package_has_its_documents_metadata_and_charts(expected: dict[str, bytes]) -> None:
    assert expected.keys() > FOR_PEOPLE | FOR_CATALOGUES - {"CHANGELOG.md"}
    assert [name for name in expected if re.fullmatch(r"charts/.+\.svg", name)]
    described = json.loads(expected["datapackage.json"])
    assert {resource["path"] for resource in described["resources"]} == expected.keys() - {
        "datapackage.json",
        "SHA256SUMS",
    }


@pytest.mark.parametrize("layout", spread(["shards of 5", "shards of 1", f"shards of {SOURCES}"], 3, pytest.mark.deep))
def test_a_release_is_the_same_in_every_layout(
    layout: str, layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path
) -> None:
    assert published(layouts[layout], tmp_path / "dist") == expected


def test_a_release_of_the_invented_corpus_is_the_same_in_shards(
    invented_parts: Path, package: Path, tmp_path: Path
) -> None:
    assert published(invented_parts, tmp_path / "dist") == content(package)


@pytest.mark.deep
def test_a_release_of_two_processes_is_that_of_one(
    layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path
) -> None:
    two = executors.pool(2)
    assert published(layouts["YAML"], tmp_path / "dist", two) == expected
    assert built(layouts["YAML"], tmp_path / "dist", two).outcome == "unchanged"


@pytest.mark.parametrize("size", spread([3, 1], 2, pytest.mark.deep))
def test_a_release_is_the_same_in_batches_of_any_size(
    size: int, layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = CorpusReader.batches

    def small(corpus: CorpusReader, _size: int = 0) -> Iterator[reader.Batch]:
        return batches(corpus, size)

    monkeypatch.setattr(CorpusReader, "batches", small)
    assert published(layouts[f"shards of {SOURCES}"], tmp_path / "dist") == expected


@pytest.mark.deep
def test_a_release_is_the_same_where_the_bytes_of_a_batch_are_few(
    layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = CorpusReader(FileTree(layouts[f"shards of {SOURCES}"]))
    [whole] = corpus.batches()
    monkeypatch.setattr(reader, "BATCH_BYTES", sum(len(raw.data) + len(raw.text) for raw in whole.documents[:3]))
    first, *rest = corpus.batches()
    assert first.documents == whole.documents[:3]
    assert [raw for batch in rest for raw in batch.documents] == list(whole.documents[3:])
    assert published(corpus.tree.root, tmp_path / "dist") == expected


@pytest.mark.sweep
@pytest.mark.filterwarnings("default")  # those of Dask are not ours
def test_a_release_of_a_cluster_is_that_of_one_process(
    layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path
) -> None:
    with dask_executor.cluster(dask_executor.HERE, 2) as executor:
        for layout, root in layouts.items():
            assert published(root, tmp_path / layout, executor) == expected


# ---- what a release leaves out -------------------------------------------------------------------------------


def tables_of(package: dict[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in package.items() if name.startswith("data/")}


@pytest.mark.deep
def test_tables_that_are_left_out_change_no_other(
    layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path
) -> None:
    without = ("ledger", "provenance")
    made = published(layouts["shards of 5"], tmp_path / "dist", serial, *without)
    gone = {f"data/{name}.{ending}" for name in without for ending in ("csv", "parquet")}
    assert tables_of(made).keys() == tables_of(expected).keys() - gone
    same = {name for name in tables_of(made) if made[name] == expected[name]}
    assert tables_of(made).keys() - same <= {"data/provenance.csv", "data/provenance.parquet"}
    described = json.loads(made["datapackage.json"])
    said = [f"Left out on request: {' and '.join(f'`{name}`' for name in without)}." for _ in "12"]
    assert [said[0] in described["description"], said[1] in " ".join(made["README.md"].decode().split())] == [True] * 2
    assert validation.validate(tmp_path / "dist").faults == []
    assert published(layouts["YAML"], tmp_path / "other", executors.pool(2), *without) == made


@pytest.fixture
def compares_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no more than three sources be compared."""
    for module in ("pipeline", "evidence.comparisons", "documents.readme"):
        monkeypatch.setattr(f"defectors_data.{module}.SOURCES_COMPARED", 3)


@pytest.mark.usefixtures("compares_few")
@pytest.mark.parametrize("layout", [pytest.param("YAML", marks=pytest.mark.deep), "shards of 5"])
def test_many_sources_are_not_compared_and_the_page_says_so(
    layout: str, layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path
) -> None:
    done = built(layouts[layout], tmp_path / "dist")
    made = content(tmp_path / "dist")
    skipped = {rule.rule for rule in done.checked.rules if rule.findings is None}
    assert (done.outcome, done.checked.pairs, skipped) == (
        "published",
        None,
        {"conflict-without-note", "note-without-conflict"},
    )
    assert expected.keys() - made.keys() == {
        "data/comparisons.csv",
        "data/comparisons.parquet",
        "index.html",
        "charts/reported-numbers.svg",
        "charts/reported-numbers-narrow.svg",
    }
    assert made.keys() < expected.keys()
    sentences = (
        "`comparisons` is left out because there are more than 3 sources or 200,000 pairs",
        "`index.html` and `charts/` are left out because there are more than 3 sources.",
    )
    for text in (json.loads(made["datapackage.json"])["description"], " ".join(made["README.md"].decode().split())):
        assert [sentence for sentence in sentences if sentence not in text] == []
    assert validation.validate(tmp_path / "dist").faults == []


@pytest.mark.deep
@pytest.mark.usefixtures("compares_few")
def test_a_few_sources_are_compared(package: Path, tmp_path: Path) -> None:
    assert published(INVENTED, tmp_path / "dist") == content(package)


@pytest.mark.deep
def test_a_release_without_a_table_is_valid_for_frictionless(invented_parts: Path, tmp_path: Path) -> None:
    published(invented_parts, tmp_path / "dist", serial, "ledger")
    report = frictionless.Package.from_descriptor(str(tmp_path / "dist/datapackage.json")).validate()
    assert report.valid, report.flatten(["type", "message"])


# ---- findings ------------------------------------------------------------------------------------------------


def misquote(shard: Path) -> None:
    """Put words that are nowhere into the first testimony of a shard."""
    first, *others = shard.read_text(encoding="utf-8").splitlines(keepends=True)
    typed = json.loads(first)
    typed["testimonies"][0]["evidence"] = "Nobody ever said these words in any article."
    shard.write_text("".join([json.dumps(typed) + "\n", *others]), encoding="utf-8")


@pytest.mark.parametrize("jobs", spread([1, 2], 2, pytest.mark.deep))
def test_with_a_finding_no_package_is_published(jobs: int, parts: Path, tmp_path: Path) -> None:
    before = published(parts, tmp_path / "dist")
    misquote(parts / "annotations/part-00001.jsonl")
    done = built(parts, tmp_path / "dist", executors.pool(jobs))
    assert done.checked.findings[0].code == "evidence-not-found"
    assert done.checked.findings == found_in(parts)
    assert done.outcome is None
    assert content(tmp_path / "dist") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dist", "parts"]


def test_a_finding_of_the_last_document_is_found_after_tables_were_begun(
    layouts: dict[str, Path], tmp_path: Path
) -> None:
    root = Path(shutil.copytree(layouts["shards of 1"], tmp_path / "project"))
    last = max((root / "annotations").glob("part-*.jsonl"))
    misquote(last)
    done = built(root, tmp_path / "dist")
    assert done.outcome is None
    assert {finding.place.file for finding in done.checked.findings} == {f"annotations/{last.name}"}
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


# ---- the command line ----------------------------------------------------------------------------------------


@pytest.mark.deep
def test_a_corpus_is_written_as_shards_checked_published_and_verified(tmp_path: Path, package: Path) -> None:
    def ran(*arguments: str) -> Ran:
        return run(*arguments, where=tmp_path)

    assert ran("shard", "--root", str(INVENTED), "--out", "shards").stdout == "shards: 2 sources in 1 shard\n"
    assert ran("shard", "--root", str(INVENTED), "--out", "shards").returncode == 2
    assert ran("check", "--root", "shards").stdout == ran("check", "--no-cache", "--root", str(INVENTED)).stdout
    out = ran("build", "--root", "shards", "--jobs", "1", "--without", "ledger")
    assert (out.returncode, out.stdout.partition(" (")[0]) == (0, "shards/dist: published"), out.stderr
    assert not list((tmp_path / "shards/dist/data").glob("ledger.*"))
    assert ran("verify", "--fast", "shards/dist").returncode == 0
    assert ran("build", "--root", str(INVENTED), "--out", "small").returncode == 0
    assert content(tmp_path / "small") == content(package)


@pytest.mark.deep
def test_a_build_of_several_processes_by_the_command_line_is_that_of_one(
    layouts: dict[str, Path], expected: dict[str, bytes], tmp_path: Path
) -> None:
    ran = process("build", "--root", layouts["shards of 5"], "--out", tmp_path / "dist", "--jobs", "2")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert content(tmp_path / "dist") == expected


# ---- commands on shards and on large packages ------------------------------------------------------------------


@pytest.mark.parametrize("source", ["example", "900_example", "seeds/900_example.txt", "second"])
def test_words_are_located_in_shards_as_in_files(source: str, invented_parts: Path) -> None:
    words = "The lamps are dark" if source != "second" else "keepers"
    name = {"example": "900_example", "second": "901_second"}.get(source, source)
    yaml, shard = run("locate", name, words, where=INVENTED), run("locate", source, words, where=invented_parts)
    assert (yaml.returncode, shard.returncode) == (0, 0), shard.stderr
    assert re.sub(r"\S*/(\d+_\w+\.txt)", r"\1", shard.stdout) == re.sub(r"\S*/(\d+_\w+\.txt)", r"\1", yaml.stdout)


def test_todo_is_the_same_for_shards_and_files(copied: Path, tmp_path: Path) -> None:
    content = (copied / "annotations/900_example.yaml").read_text(encoding="utf-8")
    (copied / "annotations/900_example.yaml").write_text(content.partition("\nwaivers:")[0] + "\n", encoding="utf-8")
    shards = in_parts(copied, tmp_path / "shards")
    items: list[list[dict[str, Any]]] = []
    for root in (copied, shards):
        ran = run("todo", "--format", "json", where=root)
        assert ran.returncode == 0, ran.stderr
        items.append([{**item, "file": Path(item["file"]).name} for item in json.loads(ran.stdout)])
    assert items[0] == items[1] != []
    assert run("todo", "example", where=shards).stdout.endswith("left in 900_example.txt\n")
    assert run("todo", "nobody", where=shards).returncode == 2


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published corpus of thirty sources."""
    folder = tmp_path_factory.mktemp("large")
    generator.generate(folder / "project", 300)
    done = built(folder / "project", folder / "project/dist", serial, "provenance")
    assert done.outcome == "published", done.checked.findings[:3]
    return folder / "project"


@pytest.mark.deep
def test_a_cell_of_a_large_package_is_explained_from_its_own_rows(large: Path) -> None:
    figure = run("why", f"figures/{record_of(large, 'figures')}/value", "--format", "json", where=large)
    assert figure.returncode == 0, figure.stderr
    [cell] = json.loads(figure.stdout)
    assert cell["provenance"]["basis"] == "evidence"
    [words] = cell["words"]
    assert words["exact"]
    speaker = run("why", f"speakers/{shared_speaker(large)}/role", "--format", "json", where=large)
    [cell] = json.loads(speaker.stdout)
    assert len({words["source"] for words in cell["words"]}) > 1
    assert run("why", "figures/nobody/value", where=large).returncode == 1


def record_of(root: Path, table: str) -> str:
    """Return the id of a record in the middle of a table."""
    found = rows(root / "dist", table)
    return str(next(iter(found[len(found) // 2].values())))


def shared_speaker(root: Path) -> str:
    """Return the id of a speaker whom several sources mention."""
    mentioned: dict[str, set[str]] = {}
    for mention in rows(root / "dist", "mentions"):
        mentioned.setdefault(mention["speaker_id"], set()).add(mention["source_id"])
    return max(mentioned, key=lambda name: (len(mentioned[name]), name))


@pytest.mark.deep
def test_only_the_rows_that_a_cell_rests_on_are_read(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from defectors_data.readers import dataset  # noqa: PLC0415

    read, read_rows = dict[str, int](), dataset.read_rows

    def counted(package: Path, table: str, *key: Any) -> list[dict[str, Any]]:
        found = read_rows(package, table, *key)
        read[table] = max(read.get(table, 0), len(found))
        return found

    monkeypatch.setattr(dataset, "read_rows", counted)
    assert dataset.trace(large / "dist", f"figures/{record_of(large, 'figures')}/value")
    assert read["sources"] == read["figures"] == 1
    assert read["spans"] < 100 < len(rows(large / "dist", "spans"))


@pytest.mark.deep
def test_a_large_package_is_verified_in_both_ways(large: Path) -> None:
    fast = run("verify", "--fast", large / "dist", where=large)
    assert (fast.returncode, fast.stderr) == (0, "")
    assert re.fullmatch(
        r"Checked with DuckDB: [0-9,]+ rows in [0-9]+ tables; not in this package: [a-z_, ]+\.\n"
        r"Not checked with --fast: .*\n",
        fast.stdout,
    )
    whole = run("verify", "dist", where=large)
    assert (whole.returncode, whole.stderr) == (0, ""), whole.stdout
    assert " provenance " not in whole.stdout.splitlines()[0]  # it is left out of large packages
    figures = large / "dist/data/figures.csv"
    content = figures.read_bytes()
    figures.write_bytes(content.replace(b",exact,", b",about,", 1))
    try:
        assert run("verify", "--fast", "dist", where=large).returncode == 1
        assert run("verify", "dist", where=large).returncode == 1
    finally:
        figures.write_bytes(content)


# ---- shards --------------------------------------------------------------------------------------------------


def test_files_of_single_sources_are_written_as_one_shard(tmp_path: Path) -> None:
    done = shard_writer.write_shards(INVENTED, tmp_path / "shards", size=2_000, on_progress=untold)
    assert (done.sources, done.shards) == (2, 1)
    assert checked(tmp_path / "shards").rules == checked(INVENTED).rules


def test_a_corpus_without_any_source_is_not_written_as_shards(parts: Path, tmp_path: Path) -> None:
    for number in (0, 1):
        (parts / f"annotations/part-0000{number}.jsonl").write_bytes(b"")
        (parts / f"seeds/part-0000{number}.parquet").unlink()
    done = shard_writer.write_shards(parts, tmp_path / "out", size=9, on_progress=untold)
    assert [finding.code for finding in done.findings] == ["no-annotations"]
    assert not (tmp_path / "out").exists()
