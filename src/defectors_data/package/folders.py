"""Published folders: their checksums, which folders are ours, and how one is written, copied and removed.

A published folder holds `SHA256SUMS` and a descriptor that lists its files. While a folder is being written or removed,
its checksums are called `SHA256SUMS.unfinished`, so that what a killed process leaves is recognised. Files are named by
their path relative to the folder, with `/` between names.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import stat
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from defectors_data.package import filesystem

SUMS = "SHA256SUMS"
DESCRIPTOR = "datapackage.json"
PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_UNFINISHED = f"{SUMS}.unfinished"


def listing(sums: Mapping[str, str]) -> bytes:
    """Return SHA-256 sums, by path, as `sha256sum` writes and checks them."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


# ---- what is on the disk -----------------------------------------------------------------------------------------


def exists(path: Path) -> bool:
    """Return whether a path names anything, a broken link included."""
    return os.path.lexists(path)


def entries(folder: Path) -> dict[str, bool]:
    """Return everything in a folder except folders, by path, and whether it is a regular file."""
    found = {}
    for above, folders, files in os.walk(folder):
        for path in (Path(above, name) for name in (*folders, *files)):
            mode = path.lstat().st_mode
            if not stat.S_ISDIR(mode):
                found[path.relative_to(folder).as_posix()] = stat.S_ISREG(mode)
    return found


def inner_folders(folder: Path) -> list[str]:
    """Return the folders inside a folder, outer ones first."""
    found = [Path(above, name) for above, folders, _ in os.walk(folder) for name in folders]
    return sorted(path.relative_to(folder).as_posix() for path in found if not path.is_symlink())


def contents(folder: Path) -> dict[str, bytes]:
    """Return the regular files of a folder; of a missing folder, none."""
    return {name: (folder / name).read_bytes() for name, regular in entries(folder).items() if regular}


def listed(folder: Path) -> dict[str, str]:
    """Return the SHA-256 sums that a folder states, by path; none where it states none."""
    lines = _bytes(folder / SUMS).decode(errors="replace").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def holds(folder: Path, sums: Mapping[str, str]) -> bool:
    """Return whether a folder holds exactly the files with these sums, and their list."""
    found = entries(folder)
    return (
        found.keys() == {*sums, SUMS}
        and all(found.values())
        and set(inner_folders(folder)) == set(_above(sums))
        and (folder / SUMS).read_bytes() == listing(sums)
        and all(filesystem.sha256(folder / name) == digest for name, digest in sums.items())
    )


def is_whole(folder: Path) -> bool:
    """Return whether a folder holds exactly the files that its own checksums list."""
    return holds(folder, listed(folder))


def foreign(folder: Path) -> str | None:
    """Return a file for which a folder is not ours, or None.

    A folder is ours where it is empty, or where both its checksums and its descriptor list every file.
    """
    found = entries(folder)
    described = _described(folder)
    ours = {SUMS, *(listed(folder).keys() & {DESCRIPTOR, *described})} if described else set()
    others = [name for name, regular in found.items() if name not in ours or not regular]
    return min(others, key=lambda name: (name in (SUMS, _UNFINISHED, DESCRIPTOR), name), default=None)


def is_unfinished(folder: Path) -> bool:
    """Return whether a folder was being written or removed by a process that did not end its work."""
    return exists(folder / _UNFINISHED)


def _described(folder: Path) -> set[str]:
    """Return the files that the descriptor of one of our packages lists; none where it is of another kind.

    A package of ours is a Data Package, version 2, with a table `sources`.
    """
    try:
        descriptor = json.loads(_bytes(folder / DESCRIPTOR))
        resources: dict[str, Any] = {resource["name"]: resource["path"] for resource in descriptor["resources"]}
        if descriptor["$schema"] != PROFILE or "sources" not in resources:
            return set()
        return {path for paths in resources.values() for path in ([paths] if isinstance(paths, str) else paths)}
    except (ValueError, TypeError, KeyError, RecursionError):
        return set()


def _bytes(path: Path) -> bytes:
    """Return the bytes of a regular file; none where it is missing or anything else, such as a pipe."""
    try:
        return path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b""
    except OSError:
        return b""


def _above(files: Iterable[str]) -> list[str]:
    """Return the folders that contain files, outer ones first, without the outermost."""
    return sorted({above.as_posix() for name in files for above in Path(name).parents} - {"."})


# ---- what is written ---------------------------------------------------------------------------------------------


def begin(folder: Path) -> None:
    """Make a new folder that is recognised as ours before any file is in it."""
    filesystem.make_folder(folder)
    filesystem.write(folder / _UNFINISHED, b"")


def make_inner(folder: Path, files: Iterable[str]) -> None:
    """Make the folders for files inside a folder, those that are missing."""
    for name in sorted(set(_above(files)) - set(inner_folders(folder))):
        filesystem.make_folder(folder / name)


def put(folder: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Write files into a folder that was begun, and return their SHA-256 sums."""
    make_inner(folder, files)
    for name in sorted(files):
        filesystem.write(folder / name, files[name])
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def finish(folder: Path, sums: Mapping[str, str]) -> None:
    """Write the checksums of a folder that was begun, flush it to the disk, and read all files back.

    Raises:
        OSError: the file system refused, or returned other bytes than were written.
    """
    filesystem.write(folder / _UNFINISHED, listing(sums))
    filesystem.move(folder / _UNFINISHED, folder / SUMS)
    _sync(folder, sums)
    filesystem.sync_folder(folder.parent)
    if not holds(folder, sums):
        raise OSError(errno.EIO, "the disk returned other bytes than were written")


def copy(source: Path, folder: Path) -> None:
    """Make a new folder that holds the files of a whole one."""
    begin(folder)
    sums = listed(source)
    make_inner(folder, sums)
    for name in sorted(sums):
        filesystem.copy(source / name, folder / name)
    finish(folder, sums)


def fill(folder: Path, source: Path, *, instead_of: Iterable[str]) -> None:
    """Make a folder that cannot be moved hold the files of another one, one by one, its checksums last.

    Files that neither `source` nor `instead_of` lists stay: they are not ours.
    """
    sums = listed(source)
    ours = {*sums, *instead_of}
    make_inner(folder, sums)
    for name in sorted(sums):
        if not exists(folder / name) or filesystem.sha256(folder / name) != sums[name]:
            _replace(folder / name, source / name)
    leaving = {*ours, *map(part_of, {*ours, SUMS})} - {*sums, SUMS}
    for name in sorted(entries(folder).keys() & leaving):
        filesystem.remove_file(folder / name)
    for name in sorted(set(inner_folders(folder)) - set(_above(sums)), reverse=True):
        if not any((folder / name).iterdir()):
            filesystem.remove_folder(folder / name)
    _sync(folder, sums)
    _replace(folder / SUMS, source / SUMS)
    filesystem.sync_folder(folder)


def part_of(name: str) -> str:
    """Return the name under which `fill` writes a file before it replaces the old one."""
    return f"{name}.part"


def _replace(path: Path, source: Path) -> None:
    part = path.with_name(part_of(path.name))
    filesystem.copy(source, part)
    filesystem.move(part, path)


def clear(folder: Path) -> None:
    """Remove a folder that is unfinished or ours; what a killed process leaves of it is unfinished.

    Raises:
        OSError: the file system refused, or the folder is not ours.
    """
    if not exists(folder):
        return
    if not is_unfinished(folder):
        if name := foreign(folder):
            raise OSError(errno.EEXIST, "this was not published from here", str(folder / name))
        if exists(folder / SUMS):
            filesystem.move(folder / SUMS, folder / _UNFINISHED)
    for name in sorted(entries(folder).keys() - {_UNFINISHED}):
        filesystem.remove_file(folder / name)
    for name in reversed(inner_folders(folder)):
        filesystem.remove_folder(folder / name)
    if is_unfinished(folder):
        filesystem.remove_file(folder / _UNFINISHED)
    filesystem.remove_folder(folder)


def _sync(folder: Path, files: Iterable[str]) -> None:
    for name in reversed([".", *_above(files)]):
        filesystem.sync_folder(folder / name)


# ---- zip ---------------------------------------------------------------------------------------------------------


_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can state."""
_UNIX = 3
_MODE = 0o100644 << 16


class NotWhole(ValueError):
    """A folder is not just what its checksums list."""


def archive(folder: Path) -> tuple[str, bytes]:
    """Return a file name with the release's version, and the zip: stored, fixed times and modes.

    `datapackage.json` is the first entry, at the root, where frictionless looks for it.

    Raises:
        NotWhole: the folder is not a release, or it was changed after it was published.
    """
    if not is_whole(folder) or not (folder / DESCRIPTOR).exists():
        raise NotWhole(f"{folder} is not just what its {SUMS} lists")
    files = contents(folder)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_STORED) as packed:
        for name in sorted(files, key=lambda name: (name != DESCRIPTOR, name)):
            entry = zipfile.ZipInfo(name, date_time=_TIME)
            entry.create_system, entry.external_attr = _UNIX, _MODE
            packed.writestr(entry, files[name])
    descriptor = json.loads(files[DESCRIPTOR])
    return f"{descriptor['name']}-{descriptor['version']}.zip", out.getvalue()
