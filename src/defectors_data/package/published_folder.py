"""Published folders: checksums, ownership, and how a folder is written, copied and removed.

A published folder contains `SHA256SUMS` and a descriptor that lists its files. While a folder is
being written or removed, the file of checksums is called `SHA256SUMS.unfinished`; a folder that a
killed process left behind is recognised by this name. Files are identified by their path relative
to the folder, with `/` as separator.
"""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from defectors_data import given_files
from defectors_data.package import filesystem

SUMS = "SHA256SUMS"
DESCRIPTOR = "datapackage.json"
PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
EXPORT = "exportedAs"
"""The key that marks a descriptor as that of an export to another format."""
_UNFINISHED = f"{SUMS}.unfinished"


def listing(sums: Mapping[str, str]) -> bytes:
    """Return a list of SHA-256 sums, ordered by path, in the format of `sha256sum`."""
    lines = [f"{sums[name]}  {name}\n" for name in sorted(sums)]
    return "".join(lines).encode()


# ---- reading -------------------------------------------------------------------------------------


def exists(path: Path) -> bool:
    """Return whether a path exists; a broken symbolic link counts as existing."""
    return os.path.lexists(path)


def entries(folder: Path) -> dict[str, bool]:
    """Return the paths of all entries below a folder but folders; True marks a regular file."""
    found = {}
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if not stat.S_ISDIR(mode):
            found[path.relative_to(folder).as_posix()] = stat.S_ISREG(mode)
    return found


def inner_folders(folder: Path) -> list[str]:
    """Return the paths of the subfolders of a folder, parents first."""
    found = [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]
    return sorted(path.relative_to(folder).as_posix() for path in found)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the regular files of a folder by path; empty if the folder is missing."""
    found = {}
    for name, regular in entries(folder).items():
        if regular:
            found[name] = (folder / name).read_bytes()
    return found


def listed(folder: Path) -> dict[str, str]:
    """Return the sums that the `SHA256SUMS` of a folder lists, by path; {} if it is missing."""
    sums = {}
    for line in _bytes(folder / SUMS).decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if name:
            sums[name] = digest
    return sums


def matches(folder: Path, sums: Mapping[str, str]) -> bool:
    """Return whether a folder contains exactly the files with these sums, and their list."""
    found = entries(folder)
    if found.keys() != {*sums, SUMS} or not all(found.values()):
        return False
    if set(inner_folders(folder)) != set(_above(sums)):
        return False
    if (folder / SUMS).read_bytes() != listing(sums):
        return False
    # The comparison that reads every file comes last.
    return all(filesystem.sha256(folder / name) == digest for name, digest in sums.items())


def differing(folder: Path, other: Path) -> list[str]:
    """Return the paths of the files that differ between two folders, which may be missing."""
    ours, theirs = entries(folder), entries(other)
    same = set()
    for name in ours.keys() & theirs.keys():
        is_regular = ours[name] and theirs[name]
        if is_regular and filesystem.sha256(folder / name) == filesystem.sha256(other / name):
            same.add(name)
    return sorted((ours.keys() | theirs.keys()) - same)


def is_whole(folder: Path) -> bool:
    """Return whether a folder contains exactly the files that its `SHA256SUMS` lists, unchanged."""
    return matches(folder, listed(folder))


def foreign(folder: Path) -> str | None:
    """Return the path of a file that this project did not publish, or None.

    A file is ours if both the checksums and the descriptor of the folder list it.
    """
    files, sums = _files(described(folder)), listed(folder)
    ours = {SUMS, *(sums.keys() & {DESCRIPTOR, *files})} if files else set()
    others = [name for name, regular in entries(folder).items() if name not in ours or not regular]
    # Names that can occur in any package come last, because another one is more helpful to users.
    anywhere = (SUMS, _UNFINISHED, DESCRIPTOR)
    return min(others, key=lambda name: (name in anywhere, name), default=None)


def is_unfinished(folder: Path) -> bool:
    """Return whether a folder is marked as unfinished, as while it is written or removed."""
    return exists(folder / _UNFINISHED)


def described(folder: Path) -> Mapping[str, Any]:
    """Return the descriptor of a folder if it is ours, otherwise an empty dictionary.

    It is ours if it describes a package of Data Package 2.0 with a table `sources`, or an export to
    another format.
    """
    try:
        descriptor: dict[str, Any] = json.loads(_bytes(folder / DESCRIPTOR))
        names = {resource["name"] for resource in descriptor["resources"]}
        ours = descriptor["$schema"] == PROFILE and ("sources" in names or EXPORT in descriptor)
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}
    return descriptor if ours else {}


def _files(descriptor: Mapping[str, Any]) -> set[str]:
    """Return the paths of the files that a descriptor lists; none if a resource has no path."""
    found = set()
    try:
        for resource in descriptor.get("resources", ()):
            paths = resource["path"]
            if isinstance(paths, str):
                paths = [paths]
            found.update(paths)
    except (TypeError, KeyError):
        return set()
    return found


def _hashes(descriptor: Mapping[str, Any]) -> dict[str, str]:
    """Return the SHA-256 sums in a descriptor by path, except for resources with several files."""
    found = {}
    for resource in descriptor.get("resources", ()):
        if isinstance(resource["path"], str):
            found[resource["path"]] = str(resource.get("hash")).removeprefix("sha256:")
    return found


def _bytes(path: Path) -> bytes:
    """Return the bytes of a file; b"" if it is missing or is, for example, a pipe."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        return path.read_bytes()
    except OSError:
        return b""


def _above(files: Iterable[str]) -> list[str]:
    """Return the folders that contain these files, parents first, without the top folder."""
    found = set()
    for name in files:
        found |= {above.as_posix() for above in Path(name).parents}
    return sorted(found - {"."})


# ---- reading a package ---------------------------------------------------------------------------


class PackageNotFoundError(ValueError):
    """A path is not a published package, or is one that cannot be read; the message says why."""

    def __init__(self, path: Path, problem: str) -> None:
        """Store the path, and the rest of a sentence that begins with it, without a full stop."""
        super().__init__(f"{path} {problem}")
        self.path, self.problem = path, problem


class DamagedPackageError(PackageNotFoundError):
    """A file of a published package is missing, or differs from the checksums of the package."""


_DAMAGED = f"is damaged: it differs from {SUMS}"


class ChangedFileWarning(UserWarning):
    """A file of a published package that was read is not the one that was published.

    The message says why.
    """

    def __init__(self, path: Path, problem: str) -> None:
        """Store the path, and the rest of a sentence that begins with it, without a full stop."""
        super().__init__(f"{path} {problem}")
        self.path, self.problem = path, problem


@contextmanager
def opened(package: Path, name: str) -> Iterator[BinaryIO]:
    """Open a file of a published package, and compare it with the checksums of the package.

    The warning comes last: a changed file that cannot be read is an error only.

    Raises:
        DamagedPackageError: the file is missing, or could not be read in this context because it
            was changed.

    Warns:
        ChangedFileWarning: the file differs from its checksum, or has none.
    """
    path, is_refused, problem = package / name, False, ""
    try:
        problem = _difference(package, name)
        # pyarrow cannot open a path with characters that the locale cannot encode, but reads an
        # open file.
        with given_files.opened(path) as file:
            yield file
    except FileNotFoundError as error:
        is_refused = True
        raise DamagedPackageError(path, "is missing") from error
    except Exception as error:
        is_refused = True
        # Each library has its own errors for a damaged file; the checksum shows whether the file
        # was changed.
        if (isinstance(error, OSError) and error.errno) or is_unfinished(package) or not problem:
            raise
        stated = [listing for listing, sums in _checksums(package).items() if name in sums]
        why = f"cannot be read, and {SUMS} does not list it"
        if stated:
            why = f"is damaged: it differs from {stated[0]}"
        raise DamagedPackageError(path, why) from error
    finally:
        # Also when a reader stops in the middle of a file.
        if not is_refused and problem:
            warnings.warn(ChangedFileWarning(path, problem), stacklevel=1)


def is_changed(package: Path, name: str) -> bool:
    """Return whether a file of a published package differs from its checksum, or has none."""
    return bool(_difference(package, name))


def _difference(package: Path, name: str) -> str:
    """Return how a file differs from its checksums, as the rest of a sentence; "" if it does not.

    A folder that is not published yet has no differences.
    """
    lists = _checksums(package)
    if is_unfinished(package) or not any(lists.values()):
        return ""
    stated = {sums[name] for sums in lists.values() if name in sums}
    if not stated:
        return f"cannot be compared with the published file: {SUMS} does not list it"
    state = (package / name).stat()
    found = _sha256(package / name, state.st_ino, state.st_size, state.st_mtime_ns)
    if stated == {found}:
        return ""
    return "was changed after it was published"


@lru_cache(maxsize=1024)
def _sha256(path: Path, *_state: int) -> str:
    """Return the SHA-256 of a file; it is computed once while the state of the file is the same."""
    return filesystem.sha256(path)


def _checksums(package: Path) -> dict[str, dict[str, str]]:
    """Return the SHA-256 sums that `SHA256SUMS` and the descriptor list, each by path."""
    states = []
    for path in (package / SUMS, package / DESCRIPTOR):
        if path.is_file():
            state = path.stat()
            states.append((state.st_ino, state.st_size, state.st_mtime_ns))
    return _checksums_in(package, *states)


@lru_cache(maxsize=8)
def _checksums_in(package: Path, *_states: tuple[int, int, int]) -> dict[str, dict[str, str]]:
    return {SUMS: listed(package), DESCRIPTOR: _hashes(described(package))}


def refuse_damage(package: Path) -> None:
    """Reject a package that does not contain exactly the files of its checksums, unchanged.

    Raises:
        DamagedPackageError: the message names the first file that is missing or was changed.
    """
    for name, digest in sorted(listed(package).items()):
        if not (package / name).is_file():
            raise DamagedPackageError(package / name, "is missing")
        if filesystem.sha256(package / name) != digest:
            raise DamagedPackageError(package / name, _DAMAGED)
    if not is_whole(package):
        raise DamagedPackageError(package / SUMS, "does not list exactly the files of this folder")


def package_descriptor(package: Path) -> dict[str, Any]:
    """Return the descriptor of a published package.

    Raises:
        PackageNotFoundError: the folder has no descriptor, or is an export to another format.
        DamagedPackageError: the descriptor cannot be read.
    """
    if not (package / DESCRIPTOR).is_file() and DESCRIPTOR not in listed(package):
        raise PackageNotFoundError(package, f"is not a published package: it has no {DESCRIPTOR}")
    with opened(package, DESCRIPTOR) as file:
        found: dict[str, Any] = json.load(file)
        names = table_names(found)
    refuse_export(package, found)
    if "sources" not in names:
        raise PackageNotFoundError(package, "is not a published package: it has no table `sources`")
    return found


def refuse_export(folder: Path, descriptor: Mapping[str, Any]) -> None:
    """Reject the descriptor of an export to another format.

    Raises:
        PackageNotFoundError: it is an export; for a standoff edition, the message says how to
            restore the package.
    """
    if EXPORT in descriptor:
        problem = f"is an export to {descriptor[EXPORT]['format']}, not a published package"
        if descriptor[EXPORT]["format"] == "standoff":
            problem = (
                "is a standoff edition, not a published package: "
                "restore the package with `defectors-data rehydrate`"
            )
        raise PackageNotFoundError(folder, problem)


def table_names(descriptor: Mapping[str, Any]) -> list[str]:
    """Return the names of the tables that a descriptor lists."""
    tables = [each for each in descriptor["resources"] if each.get("type") == "table"]
    return [table["name"] for table in tables]


# ---- writing -------------------------------------------------------------------------------------


def begin(folder: Path) -> None:
    """Create a folder, and mark it as unfinished before it contains any other file."""
    filesystem.make_folder(folder)
    filesystem.write(folder / _UNFINISHED, b"")


def finish(folder: Path, sums: Mapping[str, str]) -> None:
    """Write the checksums of a folder, flush it to the disk, and read all its files again.

    Raises:
        OSError: a file operation failed, or the bytes read differ from those written.
    """
    filesystem.write(folder / _UNFINISHED, listing(sums))
    # Renaming comes last: until then, the folder counts as unfinished.
    filesystem.move(folder / _UNFINISHED, folder / SUMS)
    _sync(folder, sums)
    filesystem.sync_folder(folder.parent)
    if not matches(folder, sums):
        raise OSError(errno.EIO, "the bytes read back differ from those written", str(folder))


def copy(source: Path, folder: Path) -> None:
    """Copy a published folder to a new one."""
    begin(folder)
    sums = listed(source)
    _make_inner(folder, sums)
    for name in sorted(sums):
        filesystem.copy(source / name, folder / name)
    finish(folder, sums)


def fill(folder: Path, source: Path, *, instead_of: Iterable[str]) -> None:
    """Replace the files of a folder with those of `source`, one by one.

    `SHA256SUMS` is replaced last. Files listed in `instead_of` but not in `source` are removed; any
    other file is not ours and is kept.
    """
    sums = listed(source)
    ours = {*sums, *instead_of}
    _make_inner(folder, sums)
    for name in sorted(sums):
        if not exists(folder / name) or filesystem.sha256(folder / name) != sums[name]:
            _replace(folder / name, source / name)
    # A process that was killed may have left files with temporary names.
    leaving = {*ours, *map(part_of, {*ours, SUMS})} - {*sums, SUMS}
    for name in sorted(entries(folder).keys() & leaving):
        filesystem.remove_file(folder / name)
    # In reverse order, a folder comes after its subfolders, so that it may be empty by then.
    for name in sorted(set(inner_folders(folder)) - set(_above(sums)), reverse=True):
        if not any((folder / name).iterdir()):
            filesystem.remove_folder(folder / name)
    _sync(folder, sums)
    _replace(folder / SUMS, source / SUMS)
    filesystem.sync_folder(folder)


def part_of(name: str) -> str:
    """Return the temporary name under which `fill` writes a file before it replaces the old one."""
    return f"{name}.part"


def clear(folder: Path) -> None:
    """Remove a folder that is unfinished or ours.

    If the process is killed, the rest is marked as unfinished.

    Raises:
        OSError: a file operation failed, or the folder is not ours.
    """
    if not exists(folder):
        return
    if not is_unfinished(folder):
        if name := foreign(folder):
            raise OSError(
                errno.EEXIST, "this file was not published by this project", str(folder / name)
            )
        if exists(folder / SUMS):
            filesystem.move(folder / SUMS, folder / _UNFINISHED)
    for name in sorted(entries(folder).keys() - {_UNFINISHED}):
        filesystem.remove_file(folder / name)
    for name in reversed(inner_folders(folder)):
        filesystem.remove_folder(folder / name)
    if is_unfinished(folder):
        filesystem.remove_file(folder / _UNFINISHED)
    filesystem.remove_folder(folder)


def _make_inner(folder: Path, files: Iterable[str]) -> None:
    for name in sorted(set(_above(files)) - set(inner_folders(folder))):
        filesystem.make_folder(folder / name)


def _replace(path: Path, source: Path) -> None:
    part = path.with_name(part_of(path.name))
    filesystem.copy(source, part)
    filesystem.move(part, path)


def _sync(folder: Path, files: Iterable[str]) -> None:
    for name in reversed([".", *_above(files)]):
        filesystem.sync_folder(folder / name)


# ---- zip -----------------------------------------------------------------------------------------


_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that the format can represent."""


def archive(folder: Path) -> tuple[str, bytes]:
    """Return the file name of the zip of a release, with its version, and the bytes of the zip.

    Entries are not compressed and have fixed times and modes. `datapackage.json` comes first, at
    the root of the zip, where frictionless expects it.

    Raises:
        PackageNotFoundError: the folder is not a published package.
        DamagedPackageError: the folder was changed after publication.
    """
    descriptor = package_descriptor(folder)
    refuse_damage(folder)
    files = contents(folder)
    first = {DESCRIPTOR: files.pop(DESCRIPTOR)}
    packed = zipped(first | dict(sorted(files.items())))
    return f"{descriptor['name']}-{descriptor['version']}.zip", packed


def zipped(files: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return the bytes of a zip of files, in the given order.

    Fixed times and modes make the bytes reproducible.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.create_system = 3  # Unix
            entry.external_attr = 0o100644 << 16  # a regular file of mode 644
            packed.writestr(entry, data, compression)
    return out.getvalue()
