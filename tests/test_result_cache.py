"""`build --cache` processes only what changed, and publishes what a build without it does."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from calling import run
from conftest import INVENTED, edit
from defectors_data import pipeline
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import Batch, CorpusReader
from defectors_data.executors import Executor, serial
from defectors_data.pipeline import BatchResult
from defectors_data.result_cache import remembering

EXAMPLE, SECOND = "annotations/900_example.yaml", "annotations/901_second.yaml"


class Building:
    """Processes a project in batches of one document, and remembers which documents were processed."""

    def __init__(self, project: Path, cache: Path) -> None:
        self.project, self.cache = project, cache
        self.processed: list[str] = []

    def _counting(self, function: Callable[..., Any], batches: Iterable[Any], *shared: Any) -> Iterator[Any]:
        def counted(batch: Batch, *shared: Any) -> Any:
            self.processed += (document.file for document in batch.documents)
            return function(batch, *shared)

        return remembering(serial, self.cache)(counted, batches, *shared)

    def results(self, executor: Executor | None = None) -> tuple[object, ...]:
        """Return findings, reports of rules, and all that is published of each document."""
        self.processed, taken = [], list[BatchResult]()
        corpus = CorpusReader(FileTree(self.project))
        checked = pipeline.run(
            corpus, pipeline.Options(), executor=executor or self._counting, size=1, take=taken.append
        )
        tables = [{name: table.to_pylist() for name, table in result.tables.items()} for result in taken]
        return checked.findings, checked.rules, checked.used, checked.figures, checked.ties, tables

    def after(self, change: Callable[[], object]) -> list[str]:
        """Return which documents are processed after a change; the results are those of a build without a cache."""
        assert self.results() == self.results(serial)
        change()
        found, processed = self.results(), self.processed
        assert found == self.results(serial)
        return processed


@pytest.fixture
def building(project: Path, tmp_path: Path) -> Building:
    return Building(project, tmp_path / "cache")


def test_only_documents_that_changed_are_processed(building: Building) -> None:
    assert building.after(lambda: None) == []
    assert building.after(lambda: edit(building.project, EXAMPLE, "language: en", "language: en-GB")) == [EXAMPLE]
    assert len(list(building.cache.iterdir())) == 2, "results that are not needed any more are removed"


def test_shared_files_concern_every_document(building: Building) -> None:
    vocabulary = "annotations/vocabulary.yaml"
    assert building.after(lambda: edit(building.project, vocabulary, "Food, oil and pay.", "Oil, food and pay.")) == [
        EXAMPLE,
        SECOND,
    ]


def test_a_text_that_changed_is_read_again(building: Building) -> None:
    seed = building.project / "seeds" / "901_second.txt"
    assert building.after(lambda: seed.write_bytes(seed.read_bytes() + b"More.\n")) == [SECOND]
    assert building.after(seed.unlink) == [SECOND]


def test_damaged_and_foreign_results_are_ignored(building: Building) -> None:
    def damage() -> None:
        first, second = sorted(building.cache.iterdir())
        shutil.copy(first, second)
        first.write_bytes(first.read_bytes()[:-1])

    assert building.after(damage) == [EXAMPLE, SECOND]
    (building.cache / "notes.txt").write_bytes(b"")
    assert building.after(lambda: None) == []
    assert (building.cache / "notes.txt").exists()


def test_others_have_no_access_to_the_folder(building: Building) -> None:
    building.results()
    assert building.cache.stat().st_mode & 0o777 == 0o700
    building.cache.chmod(0o755)
    with pytest.raises(PermissionError, match="mode 700"):
        building.results()


def test_a_folder_of_the_corpus_is_no_cache(tmp_path: Path) -> None:
    refused = run("build", "--out", str(tmp_path / "out"), "--cache", "results", where=INVENTED)
    assert refused.returncode == 1
    assert "part of the project" in refused.stderr
    refused = run("build", "--scheduler", "local", "--cache", str(tmp_path), where=INVENTED)
    assert refused.returncode == 2
