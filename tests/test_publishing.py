"""A finished set of files takes the place of the old one, or nothing changes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from itertools import count, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from breaking import FAILURES, KILLS, LASTING, STOPS, WAYS, Fault, broken, ended, put
from conftest import content, spread
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import atomic_publication, filesystem, published_folder
from defectors_data.package.atomic_publication import (
    ConcurrentBuildError,
    ForeignTargetError,
    PublicationOutcome,
    PublishTarget,
)
from defectors_data.package.published_folder import DESCRIPTOR, SUMS


def described(files: dict[str, bytes], **other: Any) -> dict[str, bytes]:
    """Add a descriptor of the project's kind, other than that as `other` says."""
    resources = [{"name": name if i else "sources", "path": name} for i, name in enumerate(files)]
    return {
        **files,
        DESCRIPTOR: json.dumps({"$schema": published_folder.PROFILE, "resources": resources} | other).encode(),
    }


UNFINISHED = f"{SUMS}.unfinished"
OLD = described({"data/a.csv": b"a\n1\n", "README.md": b"old"})
NEW = described({"data/b.csv": b"b\n2\n", "README.md": b"new"})


def looks_fine(_: Path) -> None:
    """Find nothing wrong."""


def publish(
    files: dict[str, bytes], target: Path, *, inspect: Callable[[Path], None] = looks_fine
) -> PublicationOutcome:
    with PublishTarget.locked(target) as site:
        outcome = site.publish(lambda folder: put(folder, files), inspect=inspect)
    assert outcome
    return outcome


def checksums(files: dict[str, bytes]) -> bytes:
    return published_folder.listing({name: hashlib.sha256(data).hexdigest() for name, data in files.items()})


def complete(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, SUMS: checksums(files)}


def litter(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name != "dist"]


def test_a_folder_contains_exactly_the_files_and_their_checksums(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    assert publish(OLD, target) == "published"
    assert publish(NEW, target) == "published"
    assert content(target) == complete(NEW)
    assert litter(tmp_path) == []


def test_unchanged_files_are_not_written_again(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    publish(OLD, target)
    before = (target / SUMS).stat()
    assert publish(OLD, target) == "unchanged"
    assert (target / SUMS).stat() == before


def test_the_complete_folder_is_inspected_before_it_takes_the_place(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    publish(OLD, target)

    def refuse(folder: Path) -> None:
        assert content(folder) == complete(NEW)
        raise RuntimeError("not good enough")

    with pytest.raises(RuntimeError, match="not good enough"):
        publish(NEW, target, inspect=refuse)
    assert content(target) == complete(OLD)
    assert litter(tmp_path) == []


# ---- a run that is killed, refused or stopped at any of its steps -------------------------------------------


def steps(way: str, target: Path) -> list[str]:
    with broken(way, None, 0) as calls:
        assert publish(NEW, target) == "published"
    return calls


def place(folder: Path, *, published: bool) -> Path:
    """Return a target in a folder of its own, with the old release or without."""
    folder.mkdir()
    if published:
        publish(OLD, folder / "dist")
    return folder / "dist"


def attempt(way: str, fault: Fault, at: int, target: Path) -> int | None:
    with broken(way, fault, at):
        return ended(lambda: publish(NEW, target))


@pytest.fixture(params=[True, False], ids=["replacing", "first"])
def published(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def sweep(tmp_path: Path, way: str, *, published: bool) -> range:
    return range(1, len(steps(way, place(tmp_path / "counted", published=published))) + 1)


@pytest.mark.parametrize(("fault", "way"), spread(product(KILLS, WAYS), 2, pytest.mark.deep), ids=str)
def test_killed_at_any_step_the_next_run_publishes(tmp_path: Path, way: str, fault: Fault, published: bool) -> None:
    old = complete(OLD) if published else {}
    for at in sweep(tmp_path, way, published=published):
        target = place(tmp_path / str(at), published=published)
        assert attempt(way, fault, at, target) is None
        if way == "exchange":
            assert content(target) in (old, complete(NEW)), at
        recovered = Path(shutil.copytree(target.parent, tmp_path / f"{at} recovered", symlinks=True)) / "dist"
        atomic_publication.recover(recovered)
        assert content(recovered) in (old, complete(NEW)), at
        assert litter(recovered.parent) == [], at
        publish(NEW, target)
        assert content(target) == complete(NEW), at
        assert litter(target.parent) == [], at


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", spread(FAILURES + STOPS, 12), ids=str)
def test_the_exit_code_says_whether_the_package_was_published(
    tmp_path: Path, way: str, fault: Fault, published: bool
) -> None:
    old = complete(OLD) if published else {}
    codes = {0, 3 if fault.kind == "fail" else 128 + fault.number}
    for at in sweep(tmp_path, way, published=published):
        target = place(tmp_path / str(at), published=published)
        code = attempt(way, fault, at, target)
        assert code in codes, at
        assert content(target) == (old if code else complete(NEW)), at
        if fault.kind == "stop" or code:
            assert litter(target.parent) == [], (at, code)
        publish(NEW, target)
        assert (content(target), litter(target.parent)) == (complete(NEW), []), at


TORN = {"exchange": 0, "in place": 10}
"""Steps from which on a file system that refuses everything leaves no whole release, until the next run mends it."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", spread(LASTING, 3), ids=str)
def test_after_a_permanent_refusal_the_next_run_repairs(
    tmp_path: Path, way: str, fault: Fault, published: bool
) -> None:
    old = complete(OLD) if published else {}
    torn = []
    for at in sweep(tmp_path, way, published=published):
        target = place(tmp_path / str(at), published=published)
        code = attempt(way, fault, at, target)
        if content(target) != (old if code else complete(NEW)):
            torn.append(at)
        publish(NEW, target)
        assert (content(target), litter(target.parent)) == (complete(NEW), []), at
    assert len(torn) == (TORN[way] if published else 0)


@pytest.mark.deep
@pytest.mark.parametrize(("way", "fault"), spread(product(WAYS, [KILLS[0], FAILURES[0], LASTING[0]]), 4), ids=str)
def test_a_repair_that_is_interrupted_is_completed(tmp_path: Path, way: str, fault: Fault) -> None:
    for first in sweep(tmp_path, way, published=True):
        torn = place(tmp_path / str(first), published=True)
        assert attempt(way, KILLS[0], first, torn) is None
        for second in count(1):
            target = Path(shutil.copytree(torn.parent, tmp_path / f"{first}-{second}", symlinks=True)) / "dist"
            with broken(way, fault, second) as calls:
                ended(lambda target=target: atomic_publication.recover(target))  # type: ignore[misc]
            if way == "exchange":
                assert content(target) in (complete(OLD), complete(NEW)), (first, second)
            atomic_publication.recover(target)
            assert content(target) in (complete(OLD), complete(NEW)), (first, second)
            assert litter(target.parent) == [], (first, second)
            shutil.rmtree(target.parent)
            if len(calls) < second:
                break


def test_after_the_swap_a_refusal_is_a_warning(tmp_path: Path) -> None:
    target = place(tmp_path / "a", published=True)
    at = steps("exchange", place(tmp_path / "b", published=True)).index("exchange .dist.new") + 2
    with broken("exchange", LASTING[0], at), PublishTarget.locked(target) as site:
        outcome = site.publish(lambda folder: put(folder, NEW), inspect=looks_fine)
    assert outcome == "published"
    assert content(target) == complete(NEW)
    assert [warning.partition(":")[0] for warning in site.warnings] == [
        "A power failure may undo the publication",
        "The old release could not be removed",
        "The lock could not be removed",
    ]


def test_all_is_on_the_disk_before_the_swap_and_the_swap_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = place(tmp_path / "a", published=True)
    kept: list[str] = []
    real_exchange = filesystem.exchange

    def sync(opened: int) -> None:
        kept.append(os.path.relpath(Path(f"/proc/self/fd/{opened}").readlink(), target.parent))

    def exchange(first: Path, second: Path) -> None:
        kept.append("exchange")
        real_exchange(first, second)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(filesystem, "exchange", exchange)
    publish(NEW, target)
    names = (UNFINISHED, "README.md", "data/b.csv", DESCRIPTOR, UNFINISHED)
    files = [f".dist.new/{name}" for name in names]
    assert kept == [*files, ".dist.new/data", ".dist.new", ".", "exchange", "."]


def test_bytes_that_come_back_changed_are_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = place(tmp_path / "a", published=True)
    real = filesystem.write
    monkeypatch.setattr(filesystem, "write", lambda path, data: real(path, data.replace(b"b\n2", b"b\n3")))
    with pytest.raises(OSError, match="read back differ"):
        publish(NEW, target)
    assert (content(target), litter(target.parent)) == (complete(OLD), [])


@pytest.mark.deep
@pytest.mark.parametrize("way", WAYS)
def test_a_corpus_in_parts_is_published_in_every_way(parts: Path, way: str) -> None:
    target = parts / "dist"
    for title, outcome in (("One", "published"), ("Two", "published"), ("Two", "unchanged")):
        path = parts / "dataset.yaml"
        path.write_text(re.sub("(?m)^title: .*", f"title: {title}", path.read_text(encoding="utf-8")), encoding="utf-8")
        with broken(way, None, 0):
            assert build(CorpusReader(FileTree(parts)), target).outcome == outcome
        assert published_folder.is_whole(target)
        assert json.loads((target / DESCRIPTOR).read_bytes())["title"] == title
        assert not list(parts.glob(".dist*"))


# ---- the lock ------------------------------------------------------------------------------------------------


def test_a_second_build_names_the_process_that_locks_the_folder(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    with PublishTarget.locked(target):
        with (
            pytest.raises(ConcurrentBuildError, match=rf"\(process {os.getpid()}\) is publishing"),
            PublishTarget.locked(target),
        ):
            pass
        assert litter(tmp_path) == [".dist.lock"]
        atomic_publication.recover(target)
        assert litter(tmp_path) == [".dist.lock"]
    assert litter(tmp_path) == []


def test_a_lock_whose_owner_died_is_free(tmp_path: Path) -> None:
    (tmp_path / ".dist.lock").write_bytes(b"1\n")
    assert publish(NEW, tmp_path / "dist") == "published"
    assert litter(tmp_path) == []


# ---- what is refused before anything is written ---------------------------------------------------------------


def test_a_package_of_another_project_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"x")
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "photos")
    for name, problem in (("photos", "such as cat"), ("file", "is not a folder"), ("link", "is a symbolic link: rem")):
        with pytest.raises(ForeignTargetError, match=problem):
            publish(NEW, tmp_path / name)
    assert content(tmp_path / "photos") == {"cat.jpg": b"x"}


THESIS = {"thesis.txt": b"x"}
FOREIGN = {
    "not listed at all": complete(OLD) | THESIS,
    "listed by the checksums alone": complete(OLD | THESIS),
    "listed by the descriptor alone": complete(described(THESIS)) | {SUMS: b""},
    "without a descriptor": complete(THESIS),
    "beside a descriptor that cannot be read": complete(THESIS | {DESCRIPTOR: b"[" * 100_000}),
    "beside a descriptor that is a list": complete(THESIS | {DESCRIPTOR: b"[]"}),
    "of another profile": complete(described(THESIS, **{"$schema": "https://example.org/profile.json"})),
    "of a package without sources": complete(described(THESIS, resources=[{"name": "t", "path": "thesis.txt"}])),
    "of a package without resources": complete(described(THESIS, resources=[])),
    "of a folder that was not finished": THESIS | {UNFINISHED: b""},
}


@pytest.mark.parametrize("files", FOREIGN.values(), ids=FOREIGN)
def test_checksums_alone_do_not_make_a_folder_a_package(tmp_path: Path, files: dict[str, bytes]) -> None:
    target = tmp_path / "dist"
    target.mkdir()
    for name, data in files.items():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_bytes(data)
    with pytest.raises(ForeignTargetError, match=r"thesis\.txt"):
        publish(NEW, target)
    assert (content(target), litter(tmp_path)) == (files, [])


def test_a_folder_with_files_in_parts_is_recognised_as_a_package(tmp_path: Path) -> None:
    resources = [{"name": "sources", "path": ["data/a.csv", "data/c.csv"]}, {"name": "readme", "path": "README.md"}]
    files = described({**OLD, "data/c.csv": b"1\n"}, resources=resources)
    publish(files, tmp_path / "dist")
    assert publish(NEW, tmp_path / "dist") == "published"


def test_a_file_that_appears_in_the_folder_while_a_build_runs_is_kept(tmp_path: Path) -> None:
    target = place(tmp_path / "a", published=True)

    def write(_: Path) -> None:
        (target / "thesis.txt").write_bytes(b"x")

    with pytest.raises(ForeignTargetError, match=r"thesis\.txt"):
        publish(NEW, target, inspect=write)
    assert (content(target), litter(target.parent)) == (complete(OLD) | THESIS, [])


def test_foreign_files_next_to_the_package_are_not_deleted(tmp_path: Path) -> None:
    for name in (".dist.new", ".dist.old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.txt").write_bytes(b"x")
        with pytest.raises(ForeignTargetError, match=r"thesis\.txt"):
            publish(NEW, tmp_path / "dist")
        assert content(tmp_path) == {f"{name}/thesis.txt": b"x"}
        shutil.rmtree(tmp_path / name)


@pytest.mark.parametrize("name", [DESCRIPTOR, SUMS, "README.md", "data/a.csv"])
def test_a_folder_with_a_symbolic_link_is_not_recognised_as_a_package(tmp_path: Path, name: str) -> None:
    target = place(tmp_path / "a", published=True)
    (target / name).rename(tmp_path / "elsewhere")
    (target / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ForeignTargetError, match="not certain that this project published"):
        publish(NEW, target)
    assert (target / name).is_symlink()
    assert content(target) == complete(OLD)


def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = place(tmp_path / "a", published=True)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "data")
    with pytest.raises(ForeignTargetError, match=r"data is read-only"):
        publish(NEW, target)
    assert (content(target), litter(target.parent)) == (complete(OLD), [])


@pytest.mark.parametrize("way", WAYS)
def test_files_are_replaced_only_if_there_is_space_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    target = place(tmp_path / "a", published=True)
    full = SimpleNamespace(f_blocks=100, f_bavail=1, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    with broken(way, None, 0):
        if way == "in place":
            with pytest.raises(OSError, match="No space left on device"):
                publish(NEW, target)
        else:
            publish(NEW, target)
    assert (content(target), litter(target.parent)) == (complete(OLD if way == "in place" else NEW), [])


def test_files_of_an_interrupted_run_are_cleared(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    (tmp_path / ".dist.new").mkdir()
    (tmp_path / ".dist.new" / UNFINISHED).write_bytes(b"")
    (tmp_path / ".dist.new" / "datapackage.json").write_bytes(b"{")
    assert publish(NEW, target) == "published"
    assert litter(tmp_path) == []


def test_an_empty_or_missing_folder_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    assert publish(NEW, tmp_path / "dist") == "published"
    assert publish(NEW, tmp_path / "deep" / "dist") == "published"


def test_checksums_are_those_of_sha256sum() -> None:
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert checksums({"b": b"hello", "a": b"hello"}) == f"{digest}  a\n{digest}  b\n".encode()


def test_without_sources_no_file_changes(tmp_path: Path) -> None:
    target = place(tmp_path / "a", published=True)
    with PublishTarget.locked(target) as site:
        assert site.publish(lambda _: None, inspect=looks_fine) is None
    assert (content(target), litter(target.parent)) == (complete(OLD), [])


def test_a_journal_replaces_no_file_outside_the_project(tmp_path: Path) -> None:
    made = steps("in place", place(tmp_path / "counted", published=True))
    target = place(tmp_path / "a", published=True)
    attempt("in place", KILLS[0], made.index("move README.md.part") + 1, target)
    assert (target.parent / ".dist.journal").exists()
    shutil.rmtree(target)
    target.mkdir()
    (target / "thesis.txt").write_bytes(b"x")
    with pytest.raises(ForeignTargetError, match=r"thesis\.txt"):
        publish(NEW, target)
    assert content(target) == THESIS
