"""`check --watch` checks again after each save, and processes only the documents that changed."""

from __future__ import annotations

import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from calling import COMMAND, run
from conftest import INVENTED, edit
from defectors_data import pipeline
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import Batch, CorpusReader
from defectors_data.executors import CachingExecutor, serial
from test_terminal import PLAIN

EXAMPLE = "annotations/900_example.yaml"


@pytest.fixture
def watching(copied: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `check --watch` on a copy of the invented corpus until the test ends."""
    command = [*COMMAND, "check", "--watch"]
    with subprocess.Popen(
        command, cwd=copied, env=PLAIN, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        yield process
        process.kill()


def until(process: subprocess.Popen[str], words: str) -> list[str]:
    """Return what a process writes, up to a line with some words."""
    assert process.stdout
    written = []
    for line in process.stdout:
        written.append(line.rstrip())
        if words in line:
            return written
    raise AssertionError(written)


def test_each_save_is_checked_until_the_command_is_interrupted(watching: subprocess.Popen[str], copied: Path) -> None:
    assert "Watching ." in until(watching, "No findings")[0]
    edit(copied, EXAMPLE, "as_of: 2019-03-03", "as_of: soon")
    found = until(watching, "invalid-value")
    assert f"Changed: {EXAMPLE}" in found
    edit(copied, EXAMPLE, "as_of: soon", "as_of: 2019-03-03")
    until(watching, "No findings")
    edit(copied, "annotations/vocabulary.yaml", "term: weather", "term: wether")
    until(watching, "unknown-term")
    watching.send_signal(signal.SIGINT)
    assert watching.wait() == 130


def test_only_changed_documents_are_processed_again(copied: Path) -> None:
    remembering, processed = CachingExecutor(attrgetter("documents")), Counter[str]()

    def counting(function: Callable[..., Any], batches: Iterable[Batch], *shared: Any) -> Iterator[Any]:
        def counted(batch: Batch, *shared: Any) -> Any:
            processed.update(document.file for document in batch.documents)
            return function(batch, *shared)

        return remembering(counted, batches, *shared)

    def check(executor: Any) -> tuple[Any, ...]:
        corpus = CorpusReader(FileTree(copied))
        checked = pipeline.run(corpus, pipeline.Options(tables=False), executor=executor, size=1)
        return checked.findings, checked.rules, checked.records

    assert check(counting) == check(counting) == check(serial)
    assert processed == {EXAMPLE: 1, "annotations/901_second.yaml": 1}
    processed.clear()
    edit(copied, EXAMPLE, "as_of: 2019-03-03", "as_of: 2018-03-03")
    assert check(counting) == check(serial)
    assert processed == {EXAMPLE: 1}


def test_only_text_can_be_watched() -> None:
    refused = run("check", "--watch", "--format", "json", where=INVENTED)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "leave out --format" in refused.stderr
