"""A finished set of files takes the place of the old one, or nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from defectors_data import fs
from defectors_data.publishing import SUMS, NotOurs, checksums, publish

OLD = {"datapackage.json": b"{}", "data/a.csv": b"a\n1\n"}
NEW = {"datapackage.json": b"{ }", "data/b.csv": b"b\n2\n"}


def looks_fine(_: Path) -> None:
    """Find nothing wrong."""


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def litter(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name != "dist"]


def test_a_folder_holds_exactly_the_files_and_their_checksums(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    assert publish(OLD, target, inspect=looks_fine) == "published"
    assert publish(NEW, target, inspect=looks_fine) == "published"
    assert content(target) == {**NEW, SUMS: checksums(NEW)}
    assert litter(tmp_path) == []


def test_the_same_files_again_touch_nothing(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    publish(OLD, target, inspect=looks_fine)
    before = (target / SUMS).stat()
    assert publish(OLD, target, inspect=looks_fine) == "unchanged"
    assert (target / SUMS).stat() == before


def test_the_complete_folder_is_inspected_before_it_takes_the_place(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    publish(OLD, target, inspect=looks_fine)

    def refuse(folder: Path) -> None:
        assert content(folder) == {**NEW, SUMS: checksums(NEW)}
        raise RuntimeError("not good enough")

    with pytest.raises(RuntimeError, match="not good enough"):
        publish(NEW, target, inspect=refuse)
    assert content(target) == {**OLD, SUMS: checksums(OLD)}
    assert litter(tmp_path) == []


@pytest.mark.parametrize("name", ["make_folder", "write", "move"])
@pytest.mark.parametrize("call", range(4))
def test_a_refused_write_leaves_the_old_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: int
) -> None:
    target = tmp_path / "dist"
    publish(OLD, target, inspect=looks_fine)
    real, calls = getattr(fs, name), iter(range(100))

    def fail_once(*arguments: object) -> None:
        if next(calls) == call:
            raise OSError(28, "No space left on device")
        real(*arguments)

    monkeypatch.setattr(fs, name, fail_once)
    try:
        publish(NEW, target, inspect=looks_fine)
    except OSError:
        assert content(target) == {**OLD, SUMS: checksums(OLD)}
    else:
        assert content(target) == {**NEW, SUMS: checksums(NEW)}
    assert litter(tmp_path) == []


def test_what_was_not_published_from_here_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"x")
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "photos")
    for name in ("photos", "file", "link"):
        with pytest.raises(NotOurs):
            publish(NEW, tmp_path / name, inspect=looks_fine)
    assert content(tmp_path / "photos") == {"cat.jpg": b"x"}


def test_a_checksum_file_does_not_make_a_folder_ours(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    publish(OLD, target, inspect=looks_fine)
    (target / "thesis.txt").write_bytes(b"x")
    with pytest.raises(NotOurs, match=r"thesis\.txt"):
        publish(NEW, target, inspect=looks_fine)
    assert content(target) == {**OLD, SUMS: checksums(OLD), "thesis.txt": b"x"}


def test_a_run_cut_off_inside_the_swap_is_mended_by_the_next_one(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    publish(OLD, target, inspect=looks_fine)
    target.rename(tmp_path / ".dist.old")

    def refuse(_: Path) -> None:
        raise RuntimeError("not good enough")

    with pytest.raises(RuntimeError):
        publish(NEW, target, inspect=refuse)
    assert content(target) == {**OLD, SUMS: checksums(OLD)}
    assert litter(tmp_path) == []


def test_what_a_cut_off_run_left_beside_the_folder_is_cleared(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    (tmp_path / ".dist.new").mkdir()
    (tmp_path / ".dist.new" / SUMS).write_bytes(checksums(NEW))
    (tmp_path / ".dist.new" / "datapackage.json").write_bytes(b"{")
    assert publish(NEW, target, inspect=looks_fine) == "published"
    assert litter(tmp_path) == []


def test_an_empty_folder_and_a_missing_one_are_taken(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    assert publish(NEW, tmp_path / "dist", inspect=looks_fine) == "published"
    assert publish(NEW, tmp_path / "deep" / "dist", inspect=looks_fine) == "published"


def test_checksums_are_those_of_sha256sum() -> None:
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert checksums({"b": b"hello", "a": b"hello"}) == f"{digest}  a\n{digest}  b\n".encode()
