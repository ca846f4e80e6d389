"""What the tests share: the invented corpus, copies of it to damage, and its published package."""

from __future__ import annotations

import gc
import hashlib
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, settings

from defectors_data import cli, pipeline
from defectors_data.build import BuildResult, build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import CorpusReader
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.document_batches import documents_in
from defectors_data.models.project import Dataset
from defectors_data.pipeline import Options, RunResult
from defectors_data.publishers import shard_writer
from defectors_data.readers import exports

PROJECT = Path(__file__).parents[1]
INVENTED = PROJECT / "tests" / "invented"
pytest_plugins = ["pages", "tampering"]

# How long an example takes shows nothing. Every run tries the same few examples, so that no run fails
# by chance; the sweep draws many new ones.
IGNORED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("fixed", deadline=None, suppress_health_check=IGNORED, derandomize=True, max_examples=25)
settings.register_profile("drawn", settings.get_profile("fixed"), derandomize=False, max_examples=2_000)
settings.load_profile("fixed")

# Collecting garbage as often as Python does takes a tenth of the time, because so many modules are loaded.
gc.set_threshold(100_000)
gc.freeze()

# Waiting for the disk takes a quarter of the time of a build. Which files are flushed is tested in test_publishing;
# builds in processes of their own flush them.
os.fsync = os.fstat  # type: ignore[assignment]

# Thousands of small files are written and removed: in memory, that takes a tenth of the time, where there is room.
MEMORY = Path("/dev/shm")  # noqa: S108  # each run has a folder of its own
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
    room = os.statvfs(MEMORY)
    if room.f_bavail * room.f_frsize > 4_000_000_000 and not room.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# A shell starts what runs in its background with this signal ignored, and the tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden files; review them as a diff")


def spread(cases: Iterable[Any], every: int, rest: pytest.MarkDecorator = pytest.mark.sweep) -> list[Any]:
    """Return all cases as parameters: every so-manyth runs by default, the others with the tests that are marked."""
    as_tuples = [case if type(case) is tuple else (case,) for case in cases]
    return [pytest.param(*case, marks=[] if i % every == 0 else [rest]) for i, case in enumerate(as_tuples)]


def vocabulary_without_examples() -> str:
    """Return the vocabulary of the invented corpus for other records than its own, which the examples name."""
    return (INVENTED / "annotations/vocabulary.yaml").read_text(encoding="utf-8").partition("\nexamples:\n")[0] + "\n"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--golden"))


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the invented corpus that a test may damage."""
    return Path(shutil.copytree(INVENTED, tmp_path / "project", ignore=shutil.ignore_patterns("build")))


@pytest.fixture(scope="session")
def invented_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented corpus, released as version 1.2.3; a test leaves it as it was."""
    root = tmp_path_factory.mktemp("released") / "project"
    shutil.copytree(INVENTED, root, ignore=shutil.ignore_patterns("build"))
    with pytest.MonkeyPatch.context() as patch, chdir(root):
        patch.setattr(sys, "argv", ["defectors-data", "release", "--first-release"])
        assert cli.main() == 0
    return root


@pytest.fixture
def released(invented_release: Path, tmp_path: Path) -> Path:
    """A copy of the released corpus that a test may damage."""
    return Path(shutil.copytree(invented_release, tmp_path / "project"))


@pytest.fixture(scope="session")
def invented_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented corpus in parts of one source; a test leaves it as it was."""
    return in_parts(INVENTED, tmp_path_factory.mktemp("parts") / "project")


@pytest.fixture
def parts(invented_parts: Path, tmp_path: Path) -> Path:
    """A copy of the invented corpus in parts, that a test may damage."""
    return Path(shutil.copytree(invented_parts, tmp_path / "parts"))


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published package of the invented corpus."""
    folder = tmp_path_factory.mktemp("published") / "dist"
    assert built(INVENTED, folder).outcome == "published"
    return folder


@pytest.fixture(scope="module", params=["published", "invented"])
def folder(request: pytest.FixtureRequest, package: Path) -> Path:
    """The package that is published, and that of the invented corpus."""
    return PROJECT / "dist" if request.param == "published" else package


@pytest.fixture(scope="session")
def edition(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The standoff edition of the invented corpus; a test leaves it as it was."""
    out = tmp_path_factory.mktemp("editions") / "standoff"
    assert exports.export(package, "standoff", out, seeds=INVENTED / "seeds") == "published"
    return out


def in_parts(root: Path, target: Path, *, size: int = 1) -> Path:
    """Write a corpus as shards of a few documents."""
    written = shard_writer.write_shards(root, target, size=size, on_progress=lambda _documents, _share: None)
    assert written.findings == []
    return target


def built(root: Path, out: Path) -> BuildResult:
    """Build a corpus."""
    return build(CorpusReader(FileTree(root)), out)


def dataset_of(root: Path) -> Dataset:
    """Return the facts about the dataset of a corpus."""
    context, findings = CorpusReader(FileTree(root)).context
    assert context, findings
    return context.dataset.content


def checked(root: Path) -> RunResult:
    """Check a corpus, without making tables."""
    return pipeline.run(CorpusReader(FileTree(root)), Options(tables=False))


def found_in(root: Path) -> list[Finding]:
    """Return all findings of a corpus, in order."""
    return checked(root).findings


def documents_of(root: Path) -> list[Document]:
    """Return the documents of a corpus that can be read."""
    corpus = CorpusReader(FileTree(root))
    context, findings = corpus.context
    assert context, findings
    found = [each for batch in corpus.batches() for each in documents_in(batch, context)]
    assert not any(faults for _, faults in found), found
    return [document for document, _ in found if document]


def content(folder: Path) -> dict[str, bytes]:
    """Return the bytes of each file below a folder, by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table of a package."""
    found: list[dict[str, Any]] = pq.read_table(folder / f"data/{table}.parquet").to_pylist()
    return found


def edit(root: Path, file: str, old: str, new: str) -> None:
    """Replace words that stand once in a file."""
    path = root / file
    text = path.read_bytes().decode()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    path.write_bytes(text.replace(old, new).encode())


def repin(root: Path, stem: str) -> None:
    """Pin the bytes that a seed has now, as a keeper would after reading it again."""
    digest = hashlib.sha256((root / f"seeds/{stem}.txt").read_bytes()).hexdigest()
    path = root / f"annotations/{stem}.yaml"
    path.write_text(
        re.sub(r"sha256: \w+", f"sha256: {digest}", path.read_text(encoding="utf-8"), count=1), encoding="utf-8"
    )


@pytest.fixture(scope="session")
def published(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented corpus with its published dist/."""
    root = Path(
        shutil.copytree(INVENTED, tmp_path_factory.mktemp("sound") / "project", ignore=shutil.ignore_patterns("build"))
    )
    shutil.copytree(package, root / "dist")
    return root
