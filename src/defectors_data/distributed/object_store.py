"""Corpora and packages in object stores, at fsspec addresses such as `s3://bucket/corpus`."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from defectors_data.package import filesystem

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

INSTALL = "install defectors-data with the extra `distributed`"


class UnreachableError(Exception):
    """A store or cluster cannot be reached; the message says why and what to do."""


def is_address(place: str) -> bool:
    """Return whether `place` is the address of an object store, not a path or `file://` address."""
    return "://" in place and not place.startswith("file://")


def folder_of(place: str) -> Path:
    """Return the absolute path of a folder, given as a path or as a `file://` address."""
    return Path(place.removeprefix("file://")).absolute()


def download(place: str, folder: Path) -> None:
    """Copy the files of the corpus at the address `place` to the empty folder `folder`.

    Raises:
        UnreachableError: there is no corpus or bucket at the address, or the library for its scheme
            is not installed.
        OSError: the store rejected a request or did not answer, or a file could not be written.
    """
    wanted = ("dataset.yaml", "CHANGELOG.md", "annotations/", "seeds/")
    files = [file for file in listed(place) if file.startswith(wanted)]
    if not files:
        raise UnreachableError(f"There is no corpus at {place}.")
    with _store(place) as store:
        for file in files:
            filesystem.make_folders((folder / file).parent)
            store.get_file(f"{_inner(place)}/{file}", str(folder / file))


def upload(folder: Path, place: str) -> None:
    """Copy a package to an empty address, the descriptor last; after an error, remove the copies.

    Raises:
        UnreachableError: there is no such bucket, or the library for the scheme is not installed.
        OSError: the address is not empty, or the store rejected a request or did not answer.
    """
    refuse_full(place)
    paths = [
        path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()
    ]
    # The descriptor comes last, so that a reader who finds it finds all files.
    files = sorted(paths, key=lambda file: file == "datapackage.json")
    try:
        with _store(place) as store:
            for file in files:
                store.put_file(str(folder / file), f"{_inner(place)}/{file}")
    except BaseException:  # a signal must not leave half a package behind either
        with suppress(OSError), _store(place) as store:
            for file in files:
                with suppress(FileNotFoundError):
                    store.rm_file(f"{_inner(place)}/{file}")
        raise


def refuse_full(place: str) -> None:
    """Raise an error if the address `place` is not empty.

    Raises:
        UnreachableError: there is no such bucket, or the library for the scheme is not installed.
        OSError: the address is not empty, or the store rejected a request or did not answer.
    """
    if file := next(iter(listed(place)), None):
        raise FileExistsError(
            errno.EEXIST, f"{place} already contains {file}: publish to an empty address"
        )


def listed(place: str) -> list[str]:
    """Return the sorted paths of the files below an address; none if it does not exist.

    Raises:
        UnreachableError: there is no such bucket, or the library for the scheme is not installed.
        OSError: the store rejected a request or did not answer.
    """
    inner, files = _inner(place), list[str]()
    with _store(place) as store:
        with suppress(FileNotFoundError):
            files = store.find(inner)
        # A listing does not distinguish a missing bucket from an empty one.
        bucket = inner.partition("/")[0]  # empty for `memory://`, which has no buckets
        if not files and bucket and not store.exists(bucket):
            raise UnreachableError(
                f"The bucket {bucket} does not exist, or you have no permission to read it."
            )
    return sorted(name.removeprefix(inner).lstrip("/") for name in files)


def _inner(place: str) -> str:
    """Return the path part of an address; paths in `memory://` begin with a slash."""
    scheme, _, path = place.rstrip("/").partition("://")
    return f"/{path}" if scheme == "memory" else path


@contextmanager
def _store(place: str) -> Iterator[AbstractFileSystem]:
    """Yield the file system of an address, and convert the exceptions of its library.

    Raises:
        UnreachableError: the library for this scheme is not installed.
        OSError: the store rejected a request or did not answer.
    """
    scheme = place.partition("://")[0]
    try:
        import fsspec  # noqa: PLC0415  # installed by an extra

        # fsspec shares file systems within a process, and a cached listing would hide new files.
        store = fsspec.filesystem(scheme, use_listings_cache=False)
    except (ImportError, ValueError) as error:
        raise UnreachableError(
            f"{scheme}:// cannot be used ({error}). To read such addresses, {INSTALL}."
        ) from None
    try:
        yield store
    except (OSError, UnreachableError):
        raise
    except Exception as error:  # noqa: BLE001  # each store has its own exceptions, and not all are OSErrors
        words = " ".join(str(error).split())[:200]
        raise OSError(errno.EIO, f"{scheme}:// failed ({type(error).__name__}: {words})") from None
