"""Corpora and packages at addresses of object stores that fsspec reaches, such as `s3://bucket/corpus`."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from defectors_data.package import filesystem

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem


class NotReached(Exception):
    """A place cannot be had at all; the message says why, and what to do."""


def is_address(place: str) -> bool:
    """Tell whether a place is given by an address; `file://` is a folder on a disk, as a path is."""
    return "://" in place and not place.startswith("file://")


def folder_of(place: str) -> Path:
    """Return the folder on a disk that a path or a `file://` address names, without a relative step in it."""
    return Path(place.removeprefix("file://")).absolute()


def download(place: str, folder: Path) -> None:
    """Copy the files of a corpus at an address into an empty folder.

    Raises:
        NotReached: there is no corpus at the address, no such bucket, or no way to the store.
        OSError: the store refused, or a file cannot be written.
    """
    files = [file for file in listed(place) if file == "dataset.yaml" or file.partition("/")[0] in _CORPUS]
    if not files:
        raise NotReached(f"There is no corpus at {place}.")
    with _worded(place) as found:
        for file in files:
            filesystem.make_folders((folder / file).parent)
            found.get_file(f"{_inner(place)}/{file}", str(folder / file))


_CORPUS = {"annotations", "seeds"}


def upload(folder: Path, place: str) -> None:
    """Copy a package to an empty address, its descriptor last; where that fails, the address is empty again.

    Raises:
        NotReached: there is no such bucket, or no way to the store.
        OSError: the address is not empty, or the store refused.
    """
    refuse_full(place)
    paths = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]
    files = sorted(paths, key=lambda file: file == "datapackage.json")
    try:
        with _worded(place) as found:
            for file in files:
                found.put_file(str(folder / file), f"{_inner(place)}/{file}")
    except BaseException:
        with suppress(OSError), _worded(place) as found:
            for file in files:
                with suppress(FileNotFoundError):
                    found.rm_file(f"{_inner(place)}/{file}")
        raise


def refuse_full(place: str) -> None:
    """Refuse an address where there is anything.

    Raises:
        NotReached: there is no such bucket, or no way to the store.
        OSError: there is.
    """
    if there := next(iter(listed(place)), None):
        raise FileExistsError(errno.EEXIST, f"{place} is not empty, it holds {there}: publish to an empty place")


def listed(place: str) -> list[str]:
    """Return all files below an address, by path; of a place that does not exist, none.

    Raises:
        NotReached: there is no such bucket, or no way to the store.
    """
    inner, found_files = _inner(place), list[str]()
    with _worded(place) as found:
        with suppress(FileNotFoundError):
            found_files = found.find(inner)
        if not found_files:
            _refuse_missing_bucket(found, place)
    return sorted(name.removeprefix(inner).lstrip("/") for name in found_files)


def _inner(place: str) -> str:
    """Return a place as its file system calls it."""
    return place.rstrip("/").partition("://")[2] if not place.startswith("memory://") else place.rstrip("/")[8:]


def _refuse_missing_bucket(found: AbstractFileSystem, place: str) -> None:
    bucket = _inner(place).partition("/")[0]
    if not place.startswith("memory://") and not found.exists(bucket):
        raise NotReached(f"There is no bucket {bucket}, or it may not be read: make it first.")


@contextmanager
def _worded(place: str) -> Iterator[AbstractFileSystem]:
    """Give the file system of an address; what it cannot do is told in words, whatever library is behind it.

    Raises:
        NotReached: nothing that is installed knows such an address, or its store does not answer.
        OSError: the store refused.
    """
    scheme = place.partition("://")[0]
    try:
        import fsspec  # noqa: PLC0415  # of an extra

        found = fsspec.filesystem(scheme, use_listings_cache=False)
    except ModuleNotFoundError as error:
        if error.name == "fsspec":
            raise NotReached(f"{scheme}:// needs fsspec: {INSTALL}.") from None
        raise NotReached(f"{scheme}:// needs what is not installed here: {error}.") from None
    except (ImportError, ValueError) as error:
        raise NotReached(f"{scheme}:// needs what is not installed here: {error}.") from None
    try:
        yield found
    except (OSError, NotReached):
        raise
    except Exception as error:  # noqa: BLE001  # each store has faults of its own, and no network is no OSError to some
        words = " ".join(str(error).split())[:200]
        raise OSError(
            errno.EIO, f"{scheme}:// does not answer as it should ({type(error).__name__}: {words})"
        ) from None


INSTALL = '`pip install "defectors-data[distributed]"`'
