"""Corpora and packages at addresses, and what a build on a cluster refuses; clusters: test_deep_distributing.py."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from calling import Ran, run
from conftest import INVENTED, content, edit
from defectors_data.distributed import dask_executor, object_store
from defectors_data.distributed.object_store import UnreachableError
from defectors_data.executors import serial

ADDRESS = "memory://out/here"


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    """An object store in memory, which is empty."""
    found = fsspec.filesystem("memory")
    found.store.clear()
    yield found
    found.store.clear()


def command(*arguments: str, before: str = "") -> Ran:
    """Run the command line in a process."""
    code = (
        f"import sys; sys.argv[0] = 'defectors-data'; {before}\nfrom defectors_data.cli import main\nsys.exit(main())"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def made(folder: Path, **files: str) -> Path:
    """Write files, each under its name with a dot for the last underscore."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


# ---- places --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "is_address"),
    [
        ("/data/corpus", False),
        ("corpus", False),
        ("file:///data/corpus", False),
        ("memory://corpus/", True),
        ("s3://bucket/corpus", True),
    ],
)
def test_a_place_is_a_folder_or_an_address(place: str, is_address: bool) -> None:
    assert object_store.is_address(place) == is_address
    if not is_address:
        assert object_store.folder_of(place) in {Path("/data/corpus"), Path.cwd() / "corpus"}


def test_an_unknown_address_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match="nonsense:// cannot be used"):
        object_store.download("nonsense://bucket/corpus", tmp_path)


def test_a_package_is_uploaded_with_its_descriptor_last(
    memory: fsspec.AbstractFileSystem, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, uploaded = type(memory).put_file, list[str]()

    def noted(store: fsspec.AbstractFileSystem, source: str, target: str) -> None:
        uploaded.append(target)
        put(store, source, target)

    monkeypatch.setattr(type(memory), "put_file", noted)
    object_store.upload(package, ADDRESS)
    files = content(package)
    assert object_store.listed(ADDRESS) == sorted(files)
    assert uploaded[-1] == "/out/here/datapackage.json"
    assert {name: memory.cat(f"/out/here/{name}") for name in files} == files


def test_a_failed_upload_leaves_no_files(
    memory: fsspec.AbstractFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = type(memory).put_file

    def refused(store: fsspec.AbstractFileSystem, source: str, target: str) -> None:
        if target.endswith("datapackage.json"):
            raise PermissionError(13, "Permission denied")
        put(store, source, target)

    monkeypatch.setattr(type(memory), "put_file", refused)
    with pytest.raises(PermissionError):
        object_store.upload(made(tmp_path / "dist", datapackage_json="{}", one_csv="a\n"), ADDRESS)
    assert object_store.listed(ADDRESS) == []


def test_a_place_with_files_is_refused_and_left_as_it_is(memory: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    memory.pipe("/out/here/of/another", b"kept")
    with pytest.raises(FileExistsError, match=r"memory://out/here already contains of/another: publish to"):
        object_store.upload(made(tmp_path / "dist", one_csv="a\n"), ADDRESS)
    assert object_store.listed(ADDRESS) == ["of/another"]


def test_only_files_of_the_corpus_are_downloaded(
    memory: fsspec.AbstractFileSystem, invented_parts: Path, tmp_path: Path
) -> None:
    memory.put(f"{invented_parts}/", "/out/here", recursive=True)
    memory.pipe("/out/here/dist/datapackage.json", b"{}")
    memory.pipe("/out/here/annotations-of-another/a.yaml", b"")
    object_store.download(ADDRESS, tmp_path)
    assert content(tmp_path) == content(invented_parts)


@pytest.mark.usefixtures("memory")
def test_an_address_without_a_corpus_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match=r"There is no corpus at memory://out/here\."):
        object_store.download(ADDRESS, tmp_path)
    assert not list(tmp_path.iterdir())


# ---- a task --------------------------------------------------------------------------------------------------


def test_a_worker_of_another_version_does_nothing() -> None:
    done = list[int]()
    with pytest.raises(
        dask_executor.VersionMismatchError,
        match=r"a worker has defectors-data .+, but the client has defectors-data 0\.0\.1",
    ):
        dask_executor.run_task(1, (done.append, (), ("defectors-data 0.0.1",)))
    assert done == []
    assert dask_executor.run_task(1, (lambda *given: given, (2, 3), dask_executor.versions())) == (1, 2, 3)


# ---- the command ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--root", "s3://bucket/corpus"], "An address requires --scheduler; otherwise, give a folder."),
        (["--root", str(INVENTED), "--out", "s3://bucket/dist"], "An address requires --scheduler; otherwise, give"),
        (
            ["--root", "s3://bucket/corpus", "--scheduler", "tcp://127.0.0.1:8786", "--jobs", "2"],
            "--jobs requires `--scheduler local`: a running cluster has its own workers.",
        ),
        (
            ["--root", "nonsense://bucket/corpus", "--out", "dist", "--scheduler", "local"],
            "nonsense:// cannot be used",
        ),
    ],
)
def test_contradictory_options_are_refused(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    ran = run("build", *arguments, where=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(sentence)
    assert not list(tmp_path.iterdir())


def test_an_address_inside_the_corpus_is_refused() -> None:
    ran = run("build", "--root", "memory://c", "--out", "memory://c/seeds/dist", "--scheduler", "local")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("memory://c/seeds/dist is inside memory://c/seeds, which is part of the project")


def test_without_dask_the_command_says_what_to_install(invented_parts: Path, tmp_path: Path) -> None:
    arguments = ["--root", str(invented_parts), "--out", str(tmp_path / "dist"), "--scheduler", "local"]
    ran = command("build", *arguments, before="sys.modules['distributed'] = None")
    assert ran.returncode == 2
    assert ran.stderr == (
        "--scheduler needs Dask, which is not installed: install defectors-data with the extra `distributed`. "
        "Nothing was published.\n"
    )
    assert not (tmp_path / "dist").exists()


def test_a_package_is_the_same_at_an_address_and_in_a_folder(
    memory: fsspec.AbstractFileSystem, invented_parts: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.put(f"{invented_parts}/", "/corpora/invented", recursive=True)
    monkeypatch.setattr("defectors_data.cli.corpus_commands._executor", lambda *_: serial)
    ran = run("build", "--root", "memory://corpora/invented", "--out", ADDRESS, "--scheduler", "local")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("memory://out/here: published (")
    assert {name: memory.cat(f"/out/here/{name}") for name in object_store.listed(ADDRESS)} == content(package)
    again = run("build", "--root", "memory://corpora/invented", "--out", ADDRESS, "--scheduler", "local")
    assert again.returncode == 3
    assert again.stderr.startswith("A file could not be read or written, and nothing was published: ")
    assert "memory://out/here already contains" in again.stderr


def test_with_a_finding_no_package_is_uploaded(
    memory: fsspec.AbstractFileSystem, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(copied, "annotations/900_example.yaml", "evidence: two inns", "evidence: two ins")
    memory.put(f"{copied}/", "/corpora/damaged", recursive=True)
    monkeypatch.setattr("defectors_data.cli.corpus_commands._executor", lambda *_: serial)
    ran = run("build", "--root", "memory://corpora/damaged", "--out", ADDRESS, "--scheduler", "local")
    assert ran.returncode == 1
    assert ran.stdout.startswith("memory://corpora/damaged/annotations/900_example.yaml:180:15: evidence-not-found: ")
    assert object_store.listed(ADDRESS) == []
