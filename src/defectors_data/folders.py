"""Folders that are known by their checksums: what they hold, and how one is written, filled and cleared.

Contents are bytes by path relative to the folder, with `/` between names.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from defectors_data import fs

SUMS = "SHA256SUMS"
"""The file that lists the others of a published folder; by it a folder is known to be one."""


def checksums(files: Mapping[str, bytes]) -> bytes:
    """Return the SHA-256 of each file, as `sha256sum` writes and checks them."""
    return listing({name: hashlib.sha256(data).hexdigest() for name, data in files.items()})


def listing(sums: Mapping[str, str]) -> bytes:
    """Return SHA-256 sums, by path, as `sha256sum` writes and checks them."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


# ---- what is on the disk -------------------------------------------------------------------------------------


def there(path: Path) -> bool:
    """Tell whether a path names anything, a broken link included."""
    return os.path.lexists(path)


def entries(folder: Path) -> dict[str, bool]:
    """Return all that lies in a folder and is no folder, by path, and whether it is a regular file."""
    found = {}
    for above, folders, files in os.walk(folder):
        for path in (Path(above, name) for name in (*folders, *files)):
            mode = path.lstat().st_mode
            if not stat.S_ISDIR(mode):
                found[path.relative_to(folder).as_posix()] = stat.S_ISREG(mode)
    return found


def inner(folder: Path) -> list[str]:
    """Return the folders inside a folder, outer ones first."""
    found = [Path(above, name) for above, folders, _ in os.walk(folder) for name in folders]
    return sorted(path.relative_to(folder).as_posix() for path in found if not path.is_symlink())


def listed(folder: Path) -> set[str]:
    """Return the files that the checksums of a folder list, and the checksums themselves."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    return {line.partition("  ")[2] for line in lines} | {SUMS}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the regular files of a folder; of a folder that is not there, none."""
    return {name: (folder / name).read_bytes() for name, regular in entries(folder).items() if regular}


def holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    """Tell whether a folder holds these files and nothing else."""
    found = entries(folder)
    return (
        found.keys() == files.keys()
        and all(found.values())
        and set(inner(folder)) == set(_above(files))
        and all((folder / name).read_bytes() == data for name, data in files.items())
    )


def holds_sums(folder: Path, sums: Mapping[str, str]) -> bool:
    """Tell whether a folder holds the files of these sums, their list, and nothing else; files are read bit by bit."""
    found = entries(folder)
    if found.keys() != {*sums, SUMS} or not all(found.values()) or set(inner(folder)) != set(_above(sums)):
        return False
    same = (folder / SUMS).read_bytes() == listing(sums)
    return same and all(sum_of(folder / name) == sums[name] for name in sums)


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_whole(files: Mapping[str, bytes]) -> bool:
    """Tell whether contents are just what the checksums among them list."""
    return files.get(SUMS) == checksums({name: data for name, data in files.items() if name != SUMS})


def _above(files: Iterable[str]) -> list[str]:
    """Return the folders that files lie in, outer ones first, without the one that holds all."""
    return sorted({above.as_posix() for name in files for above in Path(name).parents} - {"."})


# ---- what is written -----------------------------------------------------------------------------------------


def stage(files: Mapping[str, bytes], folder: Path) -> Iterator[str]:
    """Write files into a new folder and read them back; gives each file's path when it is written.

    The checksums come first, so that what a cut-off run leaves behind is known to be ours.

    Raises:
        OSError: the file system refused, or gave back other bytes than it was given.
    """
    fs.make_folder(folder)
    for name in _above(files):
        fs.make_folder(folder / name)
    for name in sorted(files, key=lambda name: (name != SUMS, name)):
        fs.write(folder / name, files[name])
        yield name
    _sync(folder, files)
    fs.sync_folder(folder.parent)
    if not holds(folder, files):
        raise OSError(errno.EIO, "the disk gave back other bytes than were written")


def begin(folder: Path, names: Iterable[str]) -> None:
    """Make a new folder that is known to be ours before any of the files is in it that will be."""
    names = list(names)
    fs.make_folder(folder)
    for name in _above(names):
        fs.make_folder(folder / name)
    fs.write(folder / SUMS, listing(dict.fromkeys(names, "0" * 64)))


def finish(folder: Path, sums: Mapping[str, str]) -> None:
    """Have the disk hold the files of a folder that was begun, and their sums; they are read back.

    Raises:
        OSError: the file system refused, or gave back other bytes than it was given.
    """
    fs.write(folder / SUMS, listing(sums))
    _sync(folder, sums)
    fs.sync_folder(folder.parent)
    if not holds_sums(folder, sums):
        raise OSError(errno.EIO, "the disk gave back other bytes than were written")


def fill(folder: Path, files: Mapping[str, bytes], *, instead_of: Iterable[str]) -> None:
    """Make a folder that cannot be moved hold these files instead of others, one by one, its checksums last.

    What is neither here nor there stays: it is not ours.
    """
    ours = {*files, *instead_of}
    leaving = (ours | {f"{name}.part" for name in ours}) - files.keys()
    for name in sorted(set(_above(files)) - set(inner(folder))):
        fs.make_folder(folder / name)
    for name in sorted(files.keys() - {SUMS}):
        _replace(folder / name, files[name])
    for name in sorted(entries(folder).keys() & leaving):
        fs.remove_file(folder / name)
    for name in sorted(set(inner(folder)) - set(_above(files)), reverse=True):
        if not any((folder / name).iterdir()):
            fs.remove_folder(folder / name)
    _sync(folder, files)
    _replace(folder / SUMS, files[SUMS])
    fs.sync_folder(folder)


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    fs.write(part, data)
    fs.move(part, path)


def clear(folder: Path) -> None:
    """Remove a folder of ours: what its checksums list, and the checksums last, so that a rest of it is still ours.

    Raises:
        OSError: the file system refused, or the folder holds what is not ours.
    """
    if not there(folder):
        return
    found = entries(folder).keys()
    for name in sorted(found & listed(folder) - {SUMS}):
        fs.remove_file(folder / name)
    for name in reversed(inner(folder)):
        fs.remove_folder(folder / name)
    if SUMS in found:
        fs.remove_file(folder / SUMS)
    fs.remove_folder(folder)


def _sync(folder: Path, files: Iterable[str]) -> None:
    for name in reversed([".", *_above(files)]):
        fs.sync_folder(folder / name)
