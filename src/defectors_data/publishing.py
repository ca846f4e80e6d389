"""A finished set of files takes the place of the published folder, or nothing changes.

The files are written beside the folder, looked at there, and swapped in by renaming. A folder that this project did
not publish is never replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
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
    staged, old = (target.with_name(f".{target.name}.{name}") for name in ("new", "old"))
    for folder in (target, staged, old):
        _refuse_what_is_not_ours(folder)
    if old.exists() and not target.exists():
        fs.move(old, target)  # an earlier run was cut off between the two steps of the swap
    complete = {**files, SUMS: checksums(files)}
    if _holds(target, complete):
        return "unchanged"
    _clear(staged)
    try:
        _stage(complete, staged)
        inspect(staged)
        _swap(staged, target, old)
    except BaseException:
        _clear(staged)
        raise
    return "published"


def checksums(files: Mapping[str, bytes]) -> bytes:
    """Return the SHA-256 of each file, as `sha256sum` writes and checks them."""
    rows = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return "".join(rows).encode()


def _refuse_what_is_not_ours(folder: Path) -> None:
    """Refuse a file, a link, and a folder that holds anything which its own checksums do not list."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotOurs(f"{folder} is not a folder")
    foreign = sorted(_files(folder) - _listed(folder) - {SUMS})
    if foreign:
        raise NotOurs(f"{folder} holds what was not published from here, such as {foreign[0]}")


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


def _listed(folder: Path) -> set[str]:
    """Return the files that the checksums of a folder list; a folder that is still being written has none yet."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return set()
    return {line.partition("  ")[2] for line in lines}


def _holds(target: Path, files: Mapping[str, bytes]) -> bool:
    """Tell whether a folder holds these files and nothing else."""
    return _files(target) == files.keys() and all((target / name).read_bytes() == data for name, data in files.items())


def _stage(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files; the checksums first, so that what a cut-off run leaves behind is known to be ours."""
    for name in sorted(files, key=lambda name: name != SUMS):
        path = folder / name
        fs.make_folder(path.parent)
        fs.write(path, files[name])


def _swap(staged: Path, target: Path, old: Path) -> None:
    """Put the staged folder into the place of the target; from then on nothing can fail."""
    if target.exists():
        _clear(old)
        fs.move(target, old)
    try:
        fs.move(staged, target)
    except BaseException:
        if old.exists():
            fs.move(old, target)
        raise
    with suppress(OSError):  # the new folder is in place; the next run clears what is left of the old one
        _clear(old)


def _clear(folder: Path) -> None:
    if folder.exists():
        fs.remove_folder(folder)
