"""Clusters for real: worker processes, one of them killed, and a server that answers as an object store does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import frictionless
import fsspec
import pandas as pd
import pyarrow.parquet as pq
import pytest

import generator
from conftest import PROJECT
from defectors_data import bulk, clusters, distributing, portions, publishing, releasing, stores, validation
from defectors_data.distributing import Engine
from defectors_data.judging import Asked
from defectors_data.stores import NotReached

pytestmark = [
    pytest.mark.deep,
    pytest.mark.filterwarnings("default"),  # those of Dask and of the clients of object stores are not ours
]

MOTO = PROJECT / "build/objects/bin/moto_server"
HERE = Engine("local", 2)
AT_HOME: dict[str, Any] = {
    "host": "127.0.0.1",
    "dashboard_address": clusters.NOBODY,
    "worker_dashboard_address": clusters.NOBODY,
    "silence_logs": 50,
}
DAMAGED = "annotations/part-00003.jsonl"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented corpus of six parts, 25 sources in each."""
    root = tmp_path_factory.mktemp("corpus") / "project"
    generator.generate(root, 1_500, sources_per_part=25)
    return root


@pytest.fixture(scope="module")
def at_once(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the corpus that one process publishes."""
    out = tmp_path_factory.mktemp("local") / "dist"
    assert releasing.release(corpus, out, Asked()).outcome == "published"
    return out


@pytest.fixture
def damaged(corpus: Path, tmp_path: Path) -> Path:
    """The corpus with faults in a part: words that are nowhere, and an id that a source of another part has."""
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


def resources(folder: Path) -> dict[str, dict[str, Any]]:
    descriptor = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    return {resource["name"]: resource for resource in descriptor["resources"]}


def files(folder: Path, resource: dict[str, Any]) -> list[Path]:
    paths = resource["path"] if isinstance(resource["path"], list) else [resource["path"]]
    return [folder / path for path in paths]


def is_the_same(package: Path, other: Path) -> None:
    """Hold two packages against each other cell by cell, and the first against what checks packages."""
    mine, theirs = resources(package), resources(other)
    assert mine.keys() == theirs.keys()
    tables = [name for name, resource in mine.items() if resource.get("type") == "table"]
    for name in tables:
        assert {key: mine[name][key] for key in ("bytes", "hash")} == {
            key: theirs[name][key] for key in ("bytes", "hash")
        }
        csv, expected = (
            pd.concat([pd.read_csv(file, dtype=str, keep_default_na=False) for file in files(folder, stated[name])])
            for folder, stated in ((package, mine), (other, theirs))
        )
        pd.testing.assert_frame_equal(csv.reset_index(drop=True), expected.reset_index(drop=True))
        read = pq.read_table(package / f"data/{name}.parquet")  # a file or a folder of them: by one name
        assert read.equals(pq.read_table(other / f"data/{name}.parquet"))
    assert any(len(files(package, mine[name])) > 1 for name in tables)
    report = frictionless.Package.from_descriptor(str(package / "datapackage.json")).validate()
    assert report.valid, report.flatten(["name", "type", "note"])[:5]
    assert validation.validate(package).faults == []
    sums = subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=package, check=False)
    assert sums.returncode == 0


def test_the_package_of_a_cluster_is_that_of_one_process(corpus: Path, at_once: Path, tmp_path: Path) -> None:
    heard: list[int] = []
    out = tmp_path / "dist"
    done = distributing.release(str(corpus), str(out), Asked(), HERE, told=lambda sources, _: heard.append(sources))
    assert (done.outcome, done.warnings, done.seen.examined.findings) == ("published", [], [])
    assert heard == [25, 50, 75, 100, 125, 150]
    assert "folder of that name" in (out / "README.md").read_text(encoding="utf-8")
    assert "folder of that name" not in (at_once / "README.md").read_text(encoding="utf-8")
    is_the_same(out, at_once)
    assert done.seen.examined.rules == bulk.examine(corpus, Asked()).examined.rules
    again = distributing.release(f"file://{corpus}", f"file://{out}", Asked(), HERE)
    assert again.outcome == "unchanged"


def test_a_worker_that_is_killed_changes_nothing(corpus: Path, at_once: Path, tmp_path: Path) -> None:
    import distributed  # noqa: PLC0415

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **AT_HOME) as at_work:
        process = at_work.workers[0].pid
        kill = [lambda: os.kill(process, signal.SIGKILL)]
        engine = Engine(at_work.scheduler_address, 1)
        done = distributing.release(
            str(corpus), str(tmp_path / "dist"), Asked(), engine, told=lambda *_: kill.pop()() if kill else None
        )
    assert kill == []
    assert done.outcome == "published"
    is_the_same(tmp_path / "dist", at_once)


def test_findings_are_those_of_one_process_and_nothing_is_published(damaged: Path, tmp_path: Path) -> None:
    done = distributing.release(str(damaged), str(tmp_path / "dist"), Asked(), HERE)
    assert done.outcome is None
    assert done.seen.examined.findings == bulk.examine(damaged, Asked()).examined.findings
    assert {finding.code for finding in done.seen.examined.findings} > {"quote-not-found"}
    assert [path.name for path in tmp_path.iterdir()] == ["damaged"]


def test_an_object_store_gets_what_a_folder_would(corpus: Path, at_once: Path, store: Any, tmp_path: Path) -> None:
    store.put(f"{corpus}/", "corpora/whole", recursive=True)
    arguments = ["build", "--root", "s3://corpora/whole", "--out", "s3://dists/a/first", "--scheduler", "local"]
    command = [sys.executable, "-m", "defectors_data", *arguments, "--jobs", "2"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("s3://dists/a/first: published\n")
    store.get("dists/a/first/", f"{tmp_path}/got/", recursive=True)
    is_the_same(tmp_path / "got", at_once)
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 3
    assert ran.stderr.startswith("Writing was refused, and nothing was published: s3://dists/a/first is not empty")


def test_what_an_object_store_got_before_a_finding_is_gone(damaged: Path, store: Any, tmp_path: Path) -> None:
    store.put(f"{damaged}/", "corpora/damaged", recursive=True)
    command = [sys.executable, "-m", "defectors_data", "build", "--scheduler", "local", "--jobs", "2"]
    outs = ["s3://dists/second", str(tmp_path / "dist")]
    ran = [
        subprocess.run([*command, "--root", root, "--out", out], capture_output=True, text=True, check=False)
        for root, out in zip(["s3://corpora/damaged", str(damaged)], outs, strict=True)
    ]
    assert [each.returncode for each in ran] == [1, 1]
    beside = os.path.relpath(damaged)
    assert ran[0].stdout.replace("s3://corpora/damaged/", f"{beside}/") == ran[1].stdout
    assert f"{beside}/{DAMAGED}:2:" in ran[1].stdout
    assert not store.exists("dists/second")
    assert not Path(outs[1]).exists()


def test_of_a_task_that_fails_nothing_is_left(corpus: Path, store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "versions", lambda: ("another",))  # here, and not in the workers
    with pytest.raises(portions.NotAlike, match="a worker has defectors-data"):
        distributing.release(str(corpus), "s3://dists/third", Asked(), HERE)
    assert not store.exists("dists/third")


def test_of_a_build_that_is_stopped_nothing_is_left_nor_written_later(corpus: Path, store: Any) -> None:
    import distributed  # noqa: PLC0415

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **AT_HOME) as at_work:
        with pytest.raises(KeyboardInterrupt):
            distributing.release(
                str(corpus), "s3://dists/fourth", Asked(), Engine(at_work.scheduler_address, 1), told=stop
            )
        with distributed.Client(at_work, set_as_default=False) as client:
            assert not any(client.processing().values())
            assert not any(client.run(lambda dask_worker: len(dask_worker.state.executing)).values())
        assert not store.exists("dists/fourth")


def unreachable(corpus: Path, out: Path) -> list[tuple[Callable[[], object], str]]:
    asked = Asked()
    nobody = Engine("tcp://127.0.0.1:1", 1)
    return [
        (lambda: distributing.release(str(corpus), str(out), asked, nobody), "No scheduler of Dask answers at tcp://"),
        (lambda: distributing.release("s3://nowhere/corpus", str(out), asked, HERE), "There is no bucket nowhere"),
        (lambda: distributing.release(str(corpus), "s3://nowhere/out", asked, HERE), "There is no bucket nowhere"),
        (lambda: distributing.release("s3://corpora/empty", str(out), asked, HERE), "There is no corpus at s3://corp"),
    ]


@pytest.mark.usefixtures("store")
def test_what_cannot_be_reached_is_told_in_words(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", 1)
    for act, sentence in unreachable(corpus, tmp_path / "dist"):
        with pytest.raises(NotReached, match=f"^{sentence}"):
            act()
    assert not (tmp_path / "dist").exists()


@pytest.mark.usefixtures("store")
def test_a_store_that_stops_answering_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    try:
        with pytest.raises(OSError, match="s3://"):
            stores.store("s3://corpora/x").sizes()
    finally:
        fsspec.get_filesystem_class("s3").clear_instance_cache()


def test_two_builds_to_one_folder_are_refused(corpus: Path, tmp_path: Path) -> None:
    with publishing.Site.hold(tmp_path / "dist"), pytest.raises(publishing.AnotherBuild):
        distributing.release(str(corpus), str(tmp_path / "dist"), Asked(), HERE)
