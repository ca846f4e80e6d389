"""Many files of a project have other bytes, or are gone, or all are as they were: what is inside decides.

The new files are written beside the old ones. A journal then says which change places, until it is removed in one
step; whoever comes after a run that was cut off puts the old files back. One file at a time is held.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypedDict

from defectors_data import fs, signals
from defectors_data.files import TAKEDOWN as _JOURNAL
from defectors_data.folders import there
from defectors_data.publishing import AnotherBuild

_LOCK = "annotations/.takedown-lock"


class Linked(Exception):
    """What a file holds would be kept under another name; the message says which file."""


class Edited(Exception):
    """Files were edited while they had changed places; the message says where what was typed is now."""


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Let nobody else replace files below `root`, from before it is read what to replace until all is done.

    What a run that was cut off had replaced is put back first.

    Raises:
        AnotherBuild: another process does this now.
        OSError: the file system refused.
    """
    with _locked(root):
        _put_back(root)
        yield


@contextmanager
def replaced(root: Path, files: Iterable[tuple[str, bytes | None]]) -> Iterator[list[str]]:
    """Let files below `root` have these bytes, None for those that go; when what is inside raises, nothing changed.

    Only to be used inside `alone`. They change in the order in which they are given, once all have been given. Gives a
    list for what goes wrong when all is done, in words.

    Raises:
        Linked: one of them is a link, or its bytes have another name; all files are as they were.
        Edited: files were put back that had been edited inside; what was typed lies beside them.
        OSError: the file system refused; all files are as they were.
    """
    warnings = list[str]()
    try:
        names = list(_staged(root, files))
        with signals.kept():
            _exchange(root, names)
        yield warnings
    except BaseException as error:
        with signals.kept():
            _, edited = _put_back(root)
        if edited:
            raise Edited(_worded(edited)) from error
        raise
    with signals.kept():
        _settle(root, warnings)


def _settle(root: Path, warnings: list[str]) -> None:
    """Let the new files stand, and take the old ones away, or warn."""
    try:
        fs.remove_file(root / _JOURNAL)
        _sync(root)  # a journal that came back would name old files that are gone
        _clear(root)
    except OSError as error:
        warnings.append(f"What was taken out is still on the disk: {error}")


def recover(root: Path) -> list[str]:
    """Put back what a run that was cut off had replaced; where nothing is left of one, nothing is touched.

    Returns what is to be said of it, in sentences; nothing where no run was taken back. What it was to take out is
    still there.

    Raises:
        AnotherBuild: another process replaces files now.
        OSError: the file system refused.
    """
    if root / "annotations" not in _folders(root):
        return []
    if not any(map(there, (root / _JOURNAL, root / _LOCK, *_left(root)))):
        return []
    with _locked(root):
        was_undone, edited = _put_back(root)
    said = [f"{_worded(edited)}."] if edited else []
    return ["A takedown that was cut off was taken back: run it again.", *said] if was_undone else said


def _worded(edited: Mapping[str, str]) -> str:
    beside = ", ".join(f"{name} was edited meanwhile, and what was typed is in {kept}" for name, kept in edited.items())
    return f"{beside}: put it in by hand"


def _aside(root: Path, name: str) -> str:
    """Return a free name under which a file is kept that was edited; nothing that is called so is read."""
    kept = f"{name}~"
    while there(root / kept):
        kept += "~"
    return kept


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    if root / "annotations" not in _folders(root):
        yield  # there is nothing that could be replaced
        return
    try:
        held = fs.lock(root / _LOCK)
    except BlockingIOError:
        raise AnotherBuild("Another takedown is at work") from None
    try:
        yield
    finally:
        with suppress(OSError):
            fs.remove_file(root / _LOCK)  # before it is freed: nobody then holds a lock without a name
        held.release()


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.takedown-new")


def _old(path: Path) -> Path:
    return path.with_name(f".{path.name}.takedown-old")


def _left(root: Path) -> list[Path]:
    """Return what lies beside files that were to change places."""
    return [path for folder in _folders(root) for path in folder.glob(".*.takedown-???")]


def _folders(root: Path) -> list[Path]:
    """Return the folders in which files may change places, unless they are links that lead out of the project."""
    folders = (root / name for name in ("annotations", "seeds"))
    return [path for path in folders if path.is_dir() and path.resolve().is_relative_to(root.resolve())]


def _staged(root: Path, files: Iterable[tuple[str, bytes | None]]) -> Iterator[str]:
    """Write the new files beside the old ones, with their permissions; gives the name of each."""
    for file, data in files:
        _refuse_links(root, file)
        if data is not None:
            fs.write(_new(root / file), data, like=root / file)
        yield file


def _refuse_links(root: Path, file: str) -> None:
    """Refuse a file that is not the only one to hold what it holds: what goes would stay in the other."""
    path = root / file
    if path.is_symlink():
        raise Linked(f"{file} is a link, and what it leads to would stay as it is: put the file itself in its place")
    if there(path) and path.stat().st_nlink > 1:
        raise Linked(f"{file} has another name (a hard link), which would keep what goes: put a copy in its place")


def _exchange(root: Path, names: list[str]) -> None:
    """Say in the journal which files change places, whether there was one before, and what is new; then let them."""
    changes = {name: {"was": there(root / name), "new": _digest(_new(root / name))} for name in names}
    fs.write(_new(root / _JOURNAL), json.dumps(changes).encode())
    fs.move(_new(root / _JOURNAL), root / _JOURNAL)
    _sync(root)
    for name in names:
        path = root / name
        if there(path):
            fs.move(path, _old(path))
        if there(_new(path)):
            fs.move(_new(path), path)
    _sync(root)


def _put_back(root: Path) -> tuple[bool, dict[str, str]]:
    """Let the old files have their places again, as the journal says; doing it twice does no harm.

    Returns whether there was anything that is undone now: files in new places, or new files beside the old ones; and
    of files that were edited in their new places the names, and those under which they are kept now.

    Raises:
        OSError: the file system refused, or an old file is not where the journal says; none is lost.
    """
    journal, edited = root / _JOURNAL, dict[str, str]()
    undone = there(journal) or any(path.name.endswith("-new") for path in _left(root))
    if there(journal):
        for name, change in _read(journal).items():
            path = root / name
            moved = there(_old(path)) or not change["was"]
            if moved and there(path):
                if _digest(path) != change["new"]:
                    edited[name] = _aside(root, name)
                    fs.move(path, root / edited[name])
                else:
                    fs.remove_file(path)
            if there(_old(path)):
                fs.move(_old(path), path)
            if there(path) != change["was"]:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        _refuse_old_ones(root)
        _sync(root)
        fs.remove_file(journal)
        _sync(root)
    _clear(root)
    return undone, edited


class _Change(TypedDict):
    """What a journal says of a file: whether there was one before, and the SHA-256 of what is new, if anything is."""

    was: bool
    new: str | None


def _digest(path: Path) -> str | None:
    """Return the SHA-256 of a file; None where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if there(path) else None


def _read(journal: Path) -> dict[str, _Change]:
    """Return what a journal says of each file that changes places."""
    try:
        found = json.loads(journal.read_bytes())
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(map(_is_change, found, found.values())):
        raise OSError(errno.EIO, "This is no journal of a takedown", str(journal))
    return found


def _is_change(name: str, change: Any) -> bool:
    """Tell whether a journal may say this of a file: it may be a stranger's, and names files of the project alone."""
    keys = isinstance(change, dict) and change.keys() == {"was", "new"}
    return keys and re.fullmatch(r"(?:annotations|seeds)/(?!\.)[^/\0]+", name) is not None


def _refuse_old_ones(root: Path) -> None:
    """Refuse to go on where an old file was not put back: it would be taken for one that is not needed any more."""
    if kept := [path for path in _left(root) if path.name.endswith("-old")]:
        raise FileExistsError(errno.EEXIST, "The journal of a takedown does not name it", str(kept[0]))


def _clear(root: Path) -> None:
    for path in _left(root):
        fs.remove_file(path)
    _sync(root)


def _sync(root: Path) -> None:
    for folder in _folders(root):
        fs.sync_folder(folder)
