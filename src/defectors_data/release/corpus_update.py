"""Takedowns change files of a corpus: all of them, in steps that the next takedown completes where one is killed.

1. The new files are written next to the old ones, as `.NAME.takedown-new`. A process killed before the next step has
   changed nothing; the next command removes what it left.
2. `annotations/.takedown.json` lists every file with the SHA-256 of its old and its new bytes. From now on the update
   can only be completed; while the list exists, the corpus is neither checked nor published (`files.is_half_done`).
3. Each file is replaced or removed, tombstones first: a corpus with its tombstones and still its records has findings.
4. The list is removed.

A file whose bytes are neither the old nor the new ones was edited by someone and is never overwritten.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data.corpus.files import TAKEDOWN as _LIST
from defectors_data.corpus.files import is_half_done
from defectors_data.package import filesystem, signals
from defectors_data.package.folders import exists
from defectors_data.package.publication import AnotherBuild

_LOCK = "annotations/.takedown-lock"


class Change(NamedTuple):
    """A file of the corpus with other bytes."""

    file: str
    """Its path, directly below `annotations/` or `seeds/`."""
    data: bytes | None
    """Its new bytes; None where it is removed."""
    expected: str | None
    """The SHA-256 that it had when it was read; None where it was missing."""


class Linked(Exception):
    """The bytes of a file would be kept under another name; the message says which file."""


class Edited(Exception):
    """A file was edited since it was read; the message says which."""


class Interrupted(Exception):
    """An update could not be completed yet; the message says why."""


class _Entry(NamedTuple):
    """A file of the list, and the SHA-256 of its old and new bytes; None where there is no file."""

    file: str
    old: str | None
    new: str | None


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Let no other process update the corpus, from before it is read; remove what a killed one left unchanged.

    Raises:
        AnotherBuild: another process updates the corpus now.
        OSError: the file system refused.
    """
    if root / "annotations" not in _folders(root):
        yield  # there is nothing to update
        return
    try:
        held = filesystem.lock(root / _LOCK)
    except BlockingIOError:
        raise AnotherBuild("Another takedown is running") from None
    try:
        if not is_half_done(root):
            _clear(root)
        yield
    finally:
        with suppress(OSError):
            filesystem.remove_file(root / _LOCK)  # before it is freed: no process then holds a lock without a name
        held.release()


def recover(root: Path) -> None:
    """Remove what a takedown left that was killed before it changed anything; where there is nothing, touch nothing.

    Raises:
        AnotherBuild: another process updates the corpus now.
        OSError: the file system refused.
    """
    if root / "annotations" in _folders(root) and any(map(exists, (root / _LOCK, *_left(root)))):
        with locked(root):
            pass


def update(root: Path, changes: Iterable[Change]) -> None:
    """Change files below `root`; only to be used inside `locked`. The changes are taken one at a time.

    Raises:
        Linked: a file is a link, or has a hard link; nothing was changed.
        Edited: a file does not have its expected bytes; nothing was changed.
        Interrupted: some files are changed; `complete` changes the others.
        OSError: the file system refused; nothing was changed.
    """
    try:
        entries = [_staged(root, change) for change in changes]
        entries.sort(key=lambda entry: not entry.file.startswith("annotations/tombstones."))
        with signals.kept():
            for entry in entries:
                if _sha256(root / entry.file) != entry.old:
                    raise Edited(f"{entry.file} was edited meanwhile: run the takedown again")  # noqa: TRY301
            _sync(root)
            filesystem.write(_new(root / _LIST), json.dumps(entries).encode())
            filesystem.move(_new(root / _LIST), root / _LIST)
            complete(root)
    except BaseException as error:
        if not is_half_done(root):
            with suppress(OSError):
                _clear(root)
        elif isinstance(error, OSError):
            raise Interrupted(str(error)) from error
        raise


def complete(root: Path) -> list[str]:
    """Complete an update that was interrupted, and return the files of its list; none where there is none.

    Only to be used inside `locked`; doing it twice does no harm.

    Raises:
        Interrupted: a file was edited meanwhile, the list is damaged, or the file system refused.
    """
    if not is_half_done(root):
        return []
    with signals.kept():
        try:
            entries = _read(root)
            _sync(root)
            for entry in entries:
                _replace(root, entry)
            _sync(root)
            filesystem.remove_file(root / _LIST)
        except OSError as error:
            if is_half_done(root):
                raise Interrupted(str(error)) from error
        with suppress(OSError):
            _clear(root)
    return [entry.file for entry in entries]


def _staged(root: Path, change: Change) -> _Entry:
    """Write a new file next to the old one, with its permissions."""
    path = root / change.file
    if path.is_symlink():
        raise Linked(f"{change.file} is a link, and its target would stay as it is: replace it by the file itself")
    if exists(path) and path.stat().st_nlink > 1:
        raise Linked(f"{change.file} has another name (a hard link), which would stay as it is: replace it by a copy")
    if change.data is None:
        return _Entry(change.file, change.expected, None)
    filesystem.write(_new(path), change.data, like=path)
    return _Entry(change.file, change.expected, filesystem.sha256(_new(path)))


def _replace(root: Path, entry: _Entry) -> None:
    """Replace or remove a file, unless that is done already."""
    path = root / entry.file
    found = _sha256(path)
    if found == entry.new:
        return
    if found not in (entry.old, None):
        raise Interrupted(f"{entry.file} was edited meanwhile: move it to another place, and add the edits afterwards")
    if entry.new is None:
        filesystem.remove_file(path)
    elif _sha256(_new(path)) == entry.new:
        filesystem.move(_new(path), path)
    else:
        raise Interrupted(f"{_new(path).relative_to(root)} is missing or was edited: restore annotations/ and seeds/")


def _read(root: Path) -> list[_Entry]:
    """Return the list of an update. It may come with the corpus of a stranger: it names no file elsewhere."""
    if len(_folders(root)) < len(_FOLDERS):
        raise Interrupted("annotations/ or seeds/ is missing, or is a link that leads out of the project")
    try:
        found = json.loads((root / _LIST).read_bytes())
        entries = [_Entry(*entry) for entry in found]
    except (ValueError, TypeError, RecursionError):
        entries = [_Entry("", None, None)]
    if not all(map(_is_entry, entries)):
        raise Interrupted(f"{_LIST} is damaged: remove it, and restore annotations/ and seeds/")
    return entries


def _is_entry(entry: _Entry) -> bool:
    sums: list[Any] = [digest for digest in (entry.old, entry.new) if digest is not None]
    return (
        isinstance(entry.file, str)
        and re.fullmatch(r"(?:annotations|seeds)/(?!\.)[^/\0]+", entry.file) is not None
        and all(isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest) for digest in sums)
    )


def _sha256(path: Path) -> str | None:
    """Return the SHA-256 of a file; None where it is missing, nothing that is equal where it is no regular file."""
    if not exists(path):
        return None
    return filesystem.sha256(path) if stat.S_ISREG(path.lstat().st_mode) else ""


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.takedown-new")


_FOLDERS = ("annotations", "seeds")


def _folders(root: Path) -> list[Path]:
    """Return the folders in which files may change, unless they are links that lead out of the project."""
    folders = (root / name for name in _FOLDERS)
    return [path for path in folders if path.is_dir() and path.resolve().is_relative_to(root.resolve())]


def _left(root: Path) -> list[Path]:
    """Return the new files next to the old ones."""
    return [path for folder in _folders(root) for path in folder.glob(".*.takedown-new")]


def _clear(root: Path) -> None:
    for path in _left(root):
        filesystem.remove_file(path)
    _sync(root)


def _sync(root: Path) -> None:
    for folder in _folders(root):
        filesystem.sync_folder(folder)
