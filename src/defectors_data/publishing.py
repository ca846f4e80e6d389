"""A finished set of files takes the place of the published folder, or nothing changes.

The files are written beside the folder, looked at there, and swapped in by renaming. A folder that this project did
not publish is never replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from defectors_data import fs

SUMS = "SHA256SUMS"
"""The file that lists the others of a published folder; by it a folder is known to be one."""

Outcome: TypeAlias = Literal["published", "unchanged"]


class NotOurs(OSError):
    """The place to publish to holds something that this project did not publish."""


def publish(files: Mapping[str, bytes], target: Path, *, inspect: Callable[[Path], None]) -> Outcome:
    """Make a folder hold exactly these files, by path relative to it, and their checksums.

    `inspect` is called with the complete folder before it takes the old one's place; when it raises, nothing has
    changed. Where the folder holds these files already, nothing is touched.

    Raises:
        NotOurs: the target is a file, a link, or a folder that was not published from here.
        OSError: the file system refused; the target is as it was.
    """
    _refuse_what_is_not_ours(target)
    complete = {**files, SUMS: checksums(files)}
    if _holds(target, complete):
        return "unchanged"
    staged, old = target.with_name(f".{target.name}.new"), target.with_name(f".{target.name}.old")
    _clear(staged, old)
    try:
        _stage(complete, staged)
        inspect(staged)
        _swap(staged, target, old)
    finally:
        _clear(staged, old)
    return "published"


def checksums(files: Mapping[str, bytes]) -> bytes:
    """Return the SHA-256 of each file, as `sha256sum` writes and checks them."""
    rows = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return "".join(rows).encode()


def _refuse_what_is_not_ours(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise NotOurs(f"{target} is not a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / SUMS).is_file():
        raise NotOurs(f"{target} holds files that were not published from here (it has no {SUMS})")


def _holds(target: Path, files: Mapping[str, bytes]) -> bool:
    """Tell whether a folder holds these files and nothing else."""
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}
    return there == files.keys() and all((target / name).read_bytes() == data for name, data in files.items())


def _stage(files: Mapping[str, bytes], folder: Path) -> None:
    for name, data in files.items():
        path = folder / name
        fs.make_folder(path.parent)
        fs.write(path, data)


def _swap(staged: Path, target: Path, old: Path) -> None:
    if not target.exists():
        fs.move(staged, target)
        return
    fs.move(target, old)
    try:
        fs.move(staged, target)
    except BaseException:
        fs.move(old, target)
        raise


def _clear(*folders: Path) -> None:
    for folder in folders:
        if folder.exists():
            fs.remove_folder(folder)
