"""Clusters for real: worker processes, one of them killed, and a server that answers as an object store does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import fsspec
import pytest

import generator
from calling import Ran, process
from conftest import PROJECT, content, found_in
from defectors_data import pipeline
from defectors_data.build import BuildResult, build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.distributed import dask_executor, object_store
from defectors_data.distributed.object_store import UnreachableError
from defectors_data.package import atomic_publication, validation
from defectors_data.pipeline import OnProgress

pytestmark = [
    pytest.mark.deep,
    pytest.mark.filterwarnings("default"),  # those of Dask and of the clients of object stores are not ours
]

MOTO = PROJECT / "build/objects/bin/moto_server"
AT_HOME: dict[str, Any] = {
    "host": "127.0.0.1",
    "dashboard_address": dask_executor.NOBODY,
    "worker_dashboard_address": dask_executor.NOBODY,
    "silence_logs": 50,
}
DAMAGED = "annotations/part-00003.jsonl"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented corpus of six shards, seven sources in each."""
    root = tmp_path_factory.mktemp("corpus") / "project"
    generator.generate(root, 420, sources_per_part=7)
    return root


@pytest.fixture(scope="module")
def at_once(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the corpus that one process publishes."""
    out = tmp_path_factory.mktemp("local") / "dist"
    assert build(CorpusReader(FileTree(corpus)), out).outcome == "published"
    return out


@pytest.fixture
def damaged(corpus: Path, tmp_path: Path) -> Path:
    """The corpus with faults in a shard: words that are nowhere, and an id that a source of another shard has."""
    root = Path(shutil.copytree(corpus, tmp_path / "damaged"))
    lines = (root / DAMAGED).read_text(encoding="utf-8").splitlines()
    second = json.loads(lines[1])
    second["testimonies"][0]["evidence"] = "Nobody ever said these words in any article."
    third = json.loads(lines[2])
    first = json.loads((root / "annotations/part-00000.jsonl").read_text(encoding="utf-8").splitlines()[0])
    third["testimonies"][0]["id"] = first["testimonies"][0]["id"]
    lines[1:3] = [json.dumps(second), json.dumps(third)]
    (root / DAMAGED).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The file system of an object store on this machine, with the buckets `corpora` and `dists`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("moto") / "log"
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        command = [str(MOTO), "-H", "127.0.0.1", "-p", str(port)]
        server = subprocess.Popen(command, stdout=stack.enter_context(log.open("w")), stderr=subprocess.STDOUT)
        stack.callback(server.wait)
        stack.callback(server.terminate)
        reached(port, server)
        found = fsspec.filesystem("s3", use_listings_cache=False)
        found.mkdir("corpora")
        found.mkdir("dists")
        yield found


def reached(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return when somebody listens."""
    while server.poll() is None:
        with socket.socket() as asking:
            asking.settimeout(1)
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
    pytest.fail("the object store did not start")


def built(root: Path, out: Path, scheduler: str = "local", *, on_progress: OnProgress | None = None) -> BuildResult:
    """Build a corpus on a cluster, in batches of five documents."""
    with dask_executor.cluster(scheduler, 2) as executor:
        return build(CorpusReader(FileTree(root)), out, executor=executor, on_progress=on_progress)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pipeline.run.__kwdefaults__ or {}, "size", 5)


def test_the_package_of_a_cluster_is_that_of_one_process(corpus: Path, at_once: Path, tmp_path: Path) -> None:
    heard: list[int] = []
    done = built(corpus, tmp_path / "dist", on_progress=lambda sources, _: heard.append(sources))
    assert (done.outcome, done.warnings, done.checked.findings) == ("published", [], [])
    assert heard == [*range(5, 42, 5), 42, 42]
    assert content(tmp_path / "dist") == content(at_once)
    assert validation.validate(tmp_path / "dist").faults == []
    serially = pipeline.run(CorpusReader(FileTree(corpus)), pipeline.Options(tables=False))
    assert done.checked.rules == serially.rules
    assert built(corpus, tmp_path / "dist").outcome == "unchanged"


def test_a_worker_that_is_killed_changes_nothing(corpus: Path, at_once: Path, tmp_path: Path) -> None:
    import distributed  # noqa: PLC0415

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **AT_HOME) as at_work:
        process = at_work.workers[0].pid
        kill = [lambda: os.kill(process, signal.SIGKILL)]
        done = built(
            corpus,
            tmp_path / "dist",
            at_work.scheduler_address,
            on_progress=lambda *_: kill.pop()() if kill else None,
        )
    assert kill == []
    assert done.outcome == "published"
    assert content(tmp_path / "dist") == content(at_once)


def test_findings_are_those_of_one_process_and_nothing_is_published(damaged: Path, tmp_path: Path) -> None:
    done = built(damaged, tmp_path / "dist")
    assert done.outcome is None
    assert done.checked.findings == found_in(damaged)
    assert {finding.code for finding in done.checked.findings} >= {"evidence-not-found", "duplicate-id"}
    assert [path.name for path in tmp_path.iterdir()] == ["damaged"]


def command(root: str | Path, out: str | Path) -> Ran:
    """Build by the command line, on a cluster of this machine."""
    return process("build", "--root", root, "--out", out, "--scheduler", "local", "--jobs", "2")


def test_an_object_store_gets_the_same_files_as_a_folder(
    corpus: Path, at_once: Path, store: Any, tmp_path: Path
) -> None:
    store.put(f"{corpus}/", "corpora/whole", recursive=True)
    ran = command("s3://corpora/whole", "s3://dists/a/first")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("s3://dists/a/first: published (")
    store.get("dists/a/first/", f"{tmp_path}/got/", recursive=True)
    assert content(tmp_path / "got") == content(at_once)
    ran = command("s3://corpora/whole", "s3://dists/a/first")
    assert ran.returncode == 3
    assert "s3://dists/a/first already contains" in ran.stderr


@pytest.mark.sweep
def test_a_corpus_with_a_finding_is_not_published(damaged: Path, store: Any, tmp_path: Path) -> None:
    store.put(f"{damaged}/", "corpora/damaged", recursive=True)
    at_address = command("s3://corpora/damaged", "s3://dists/second")
    in_folder = command(damaged, tmp_path / "dist")
    assert (at_address.returncode, in_folder.returncode) == (1, 1)
    here = os.path.relpath(damaged)
    assert at_address.stdout.replace("s3://corpora/damaged/", f"{here}/") == in_folder.stdout
    assert f"{here}/{DAMAGED}:2:" in in_folder.stdout
    assert not store.exists("dists/second")
    assert not (tmp_path / "dist").exists()


def test_a_failed_task_leaves_no_files(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "versions", lambda: ("another",))  # here, and not in the workers
    with pytest.raises(dask_executor.ClusterError, match="a worker has defectors-data"):
        built(corpus, tmp_path / "dist")
    assert not list(tmp_path.iterdir())


def test_a_stopped_build_leaves_no_files_or_processes(corpus: Path, tmp_path: Path) -> None:
    import distributed  # noqa: PLC0415

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **AT_HOME) as at_work:
        with pytest.raises(KeyboardInterrupt):
            built(corpus, tmp_path / "dist", at_work.scheduler_address, on_progress=stop)
        with distributed.Client(at_work, set_as_default=False) as client:
            assert not any(client.processing().values())
            assert not any(client.run(lambda dask_worker: len(dask_worker.state.executing)).values())
    assert not list(tmp_path.iterdir())


def test_of_a_build_that_gets_a_signal_no_file_is_left(corpus: Path, store: Any, tmp_path: Path) -> None:
    store.put(f"{corpus}/", "corpora/signalled", recursive=True)
    (tmp_path / "temporary").mkdir()
    code = (
        "import os, sys\n"
        "from defectors_data import pipeline\n"
        "add = pipeline._Run.add\n"
        "pipeline._Run.add = lambda *given: (add(*given), os.kill(os.getpid(), 15))\n"
        "sys.argv = ['defectors-data', 'build', '--root', 's3://corpora/signalled', '--out', 's3://dists/third',\n"
        "    '--scheduler', 'local', '--jobs', '1']\n"
        "if __name__ == '__main__':\n"
        "    from defectors_data.__main__ import main\n"
        "    main()\n"
    )
    (tmp_path / "stopped.py").write_text(code, encoding="utf-8")
    surroundings = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), "TMPDIR": str(tmp_path / "temporary")}
    ran = subprocess.run(
        [sys.executable, tmp_path / "stopped.py"], env=surroundings, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (143, ""), ran.stderr
    assert not store.exists("dists/third")
    assert not [path for path in (tmp_path / "temporary").iterdir() if path.name.startswith("defectors-data-")]


def test_an_unreachable_address_is_reported_in_a_sentence(
    corpus: Path, store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not store.exists("nowhere")
    monkeypatch.setattr(dask_executor, "PATIENCE", 1)
    with pytest.raises(UnreachableError, match=r"^No Dask scheduler answers at tcp://"):
        built(corpus, tmp_path / "dist", "tcp://127.0.0.1:1")
    with pytest.raises(UnreachableError, match=r"^The bucket nowhere does not exist"):
        object_store.download("s3://nowhere/corpus", tmp_path)
    with pytest.raises(UnreachableError, match=r"^The bucket nowhere does not exist"):
        object_store.upload(corpus, "s3://nowhere/out")
    with pytest.raises(UnreachableError, match=r"^There is no corpus at s3://corpora/empty"):
        object_store.download("s3://corpora/empty", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("store")
def test_a_store_that_stops_answering_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    try:
        with pytest.raises(OSError, match="s3://"):
            object_store.listed("s3://corpora/x")
    finally:
        fsspec.get_filesystem_class("s3").clear_instance_cache()


def test_two_builds_to_one_folder_are_refused(corpus: Path, tmp_path: Path) -> None:
    with (
        atomic_publication.PublishTarget.locked(tmp_path / "dist"),
        pytest.raises(atomic_publication.ConcurrentBuildError),
    ):
        built(corpus, tmp_path / "dist")
