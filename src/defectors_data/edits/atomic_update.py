"""Atomic updates of several files of a corpus; the next command completes an interrupted one.

1. The new files are written next to the old ones, as `.NAME.takedown-new`. If the process is killed
   before the next step, nothing has changed; the next build or update removes these files.
2. `annotations/.takedown.json` lists every file with the SHA-256 of its old and new bytes. Once it
   is written, the update can only be completed. While it exists, the corpus is neither checked nor
   published (see `file_tree.is_half_done`).
3. Each file is replaced or removed. The tombstones come first: a corpus that still contains a
   record with a tombstone has findings.
4. The list is removed.

A file with neither the old nor the new bytes was edited by a person, and is never overwritten.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from defectors_data.corpus.file_tree import TAKEDOWN as _LIST
from defectors_data.corpus.file_tree import is_half_done
from defectors_data.package import filesystem, signals
from defectors_data.package.atomic_publication import ConcurrentBuildError
from defectors_data.package.published_folder import exists

_LOCK = "annotations/.takedown-lock"
_FOLDERS = ("annotations", "seeds")
_READINGS = "annotations/readings"


class FileChange(NamedTuple):
    """A change of one file of the corpus."""

    file: str
    """Its path: `dataset.yaml`, or a file directly below `annotations/` or `seeds/`, or anywhere
    below `annotations/readings/`.
    """
    data: bytes | None
    """Its new bytes; None if it is removed."""
    expected: str | None
    """The SHA-256 of its bytes when it was read; None if it did not exist."""


class LinkedFileError(Exception):
    """A file is a link or has a hard link, so its old bytes would remain; the message names it."""


class EditedFileError(Exception):
    """A file was edited after it was read; the message names it."""


class IncompleteUpdateError(Exception):
    """An update could not be completed yet; the message says why."""


class _JournalEntry(NamedTuple):
    """A file in the list, with the SHA-256 of its old and new bytes; None without such a file."""

    file: str
    old: str | None
    new: str | None


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Lock the corpus against updates, and remove the files of one that was killed before step 2.

    Raises:
        ConcurrentBuildError: another process is updating the corpus.
        OSError: a file could not be read or written.
    """
    if root / "annotations" not in _folders(root):
        yield  # there is nothing to update
        return
    try:
        lock = filesystem.lock(root / _LOCK)
    except BlockingIOError:
        raise ConcurrentBuildError("Another command that edits the corpus is running") from None
    try:
        if not is_half_done(root):
            _clear(root)
        yield
    finally:
        # Before the release, so that no other process locks a removed file.
        with suppress(OSError):
            filesystem.remove_file(root / _LOCK)
        lock.release()


def recover(root: Path) -> None:
    """Remove the files of an update that was killed before step 2, if there are any.

    Raises:
        ConcurrentBuildError: another process is updating the corpus.
        OSError: a file could not be read or written.
    """
    if root / "annotations" in _folders(root) and any(map(exists, (root / _LOCK, *_left(root)))):
        with locked(root):
            pass


def update(root: Path, changes: Iterable[FileChange]) -> None:
    """Change files below `root`; call it inside `locked`. The changes are consumed one at a time.

    Raises:
        LinkedFileError: a file is a symbolic link or has a hard link; nothing was changed.
        EditedFileError: a file does not have its expected bytes; nothing was changed.
        IncompleteUpdateError: some files were changed; `complete` changes the others.
        OSError: a file could not be read or written; nothing was changed.
    """
    try:
        entries = [_staged(root, change) for change in changes]
        entries.sort(key=lambda entry: not entry.file.startswith("annotations/tombstones."))
        with signals.deferred():
            # A person may have saved a file while the new files were written.
            for entry in entries:
                if _sha256(root / entry.file) != entry.old:
                    problem = f"{entry.file} was edited in the meantime: run the command again"
                    raise EditedFileError(problem)  # noqa: TRY301
            _sync(root)
            filesystem.write(_new(root / _LIST), json.dumps(entries).encode())
            filesystem.move(_new(root / _LIST), root / _LIST)
            complete(root)
    except BaseException as error:
        if not is_half_done(root):
            with suppress(OSError):
                _clear(root)
        elif isinstance(error, OSError):
            raise IncompleteUpdateError(str(error)) from error
        raise


def complete(root: Path) -> list[str]:
    """Complete an interrupted update, if there is one, and return the paths of its files.

    Call it inside `locked`.

    Raises:
        IncompleteUpdateError: a file was edited since, the list is damaged, or a file could not be
            read or written.
    """
    if not is_half_done(root):
        return []
    with signals.deferred():
        try:
            entries = _read(root)
            _sync(root)
            for entry in entries:
                _replace(root, entry)
            _sync(root)
            filesystem.remove_file(root / _LIST)
        except OSError as error:
            # Without the list, all files were replaced before the error.
            if is_half_done(root):
                raise IncompleteUpdateError(str(error)) from error
        with suppress(OSError):
            _clear(root)
    return [entry.file for entry in entries]


def _staged(root: Path, change: FileChange) -> _JournalEntry:
    path = root / change.file
    if path.is_symlink():
        raise LinkedFileError(
            f"{change.file} is a link, and its target would not change: replace the link with the file itself"
        )
    if exists(path) and path.stat().st_nlink > 1:
        raise LinkedFileError(
            f"{change.file} has a hard link, which would keep the old content: replace the file with a copy"
        )
    if change.data is None:
        return _JournalEntry(change.file, change.expected, None)
    filesystem.write(_new(path), change.data, like=path)
    return _JournalEntry(change.file, change.expected, filesystem.sha256(_new(path)))


def _replace(root: Path, entry: _JournalEntry) -> None:
    path = root / entry.file
    found = _sha256(path)
    if found == entry.new:
        return
    # A missing file contains no edits that could be lost: its editor may have moved it, as the
    # message asks.
    if found not in (entry.old, None):
        raise IncompleteUpdateError(
            f"{entry.file} was edited in the meantime: move your version elsewhere, "
            "and redo your edits after the command has completed"
        )
    if entry.new is None:
        filesystem.remove_file(path)
    elif _sha256(_new(path)) == entry.new:
        filesystem.move(_new(path), path)
    else:
        raise IncompleteUpdateError(
            f"{_new(path).relative_to(root)} is missing or was edited: restore annotations/ and seeds/"
        )


def _read(root: Path) -> list[_JournalEntry]:
    """Return the entries in the list of an update.

    Raises:
        IncompleteUpdateError: the list is damaged, or annotations/ or seeds/ is missing or links
            out of the project.
    """
    if not {root / name for name in _FOLDERS} <= set(_folders(root)):
        raise IncompleteUpdateError(
            "annotations/ or seeds/ is missing, or is a link out of the project"
        )
    try:
        entries = [_JournalEntry(*entry) for entry in json.loads((root / _LIST).read_bytes())]
        is_sound = all(map(_is_entry, entries))
    except (ValueError, TypeError, RecursionError):
        is_sound = False
    if not is_sound:
        raise IncompleteUpdateError(
            f"{_LIST} is damaged: remove it, and restore annotations/ and seeds/"
        )
    return entries


def _is_entry(entry: _JournalEntry) -> bool:
    """Return whether an entry has valid SHA-256 sums and names a file that may change.

    Raises:
        TypeError: a sum or the name is not a string.
    """
    sums = (digest for digest in (entry.old, entry.new) if digest is not None)
    visible = r"/(?!\.)[^/\0]+"
    named = re.fullmatch(
        rf"dataset\.yaml|seeds{visible}|annotations{visible}|{_READINGS}(?:{visible})+", entry.file
    )
    return bool(named) and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in sums)


def _sha256(path: Path) -> str | None:
    """Return the SHA-256 of a file; None if it is missing, "" if it is no regular file."""
    if not exists(path):
        return None
    if not stat.S_ISREG(path.lstat().st_mode):
        return ""
    return filesystem.sha256(path)


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.takedown-new")


def _folders(root: Path) -> list[Path]:
    """Return the folders in which files may change, without links out of the project."""
    below_readings = sorted((root / _READINGS).glob("**/"))
    folders = [*(root / name for name in ("", *_FOLDERS)), *below_readings]
    return [
        path for path in folders if path.is_dir() and path.resolve().is_relative_to(root.resolve())
    ]


def _left(root: Path) -> list[Path]:
    return [path for folder in _folders(root) for path in folder.glob(".*.takedown-new")]


def _clear(root: Path) -> None:
    for path in _left(root):
        filesystem.remove_file(path)
    _sync(root)


def _sync(root: Path) -> None:
    for folder in _folders(root):
        filesystem.sync_folder(folder)
