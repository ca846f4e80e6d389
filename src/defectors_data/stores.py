"""A folder somewhere: on a disk, or at an address of an object store that fsspec reaches, such as `s3://bucket/corpus`.

Only what many machines need who share such a place: whole files are read and written, each in one step, so that doing
it twice does no harm. What is published on one machine alone is for `publishing`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from defectors_data import fs

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


class Store(NamedTuple):
    """A folder, by its address or its absolute path; it can be sent to another machine."""

    place: str

    @property
    def on_disk(self) -> bool:
        """Whether it is a folder on a disk, which all who use it have to see."""
        return not is_address(self.place)

    def opened(self, file: str) -> BinaryIO:
        """Open a file for reading; one at an address is fetched whole.

        Raises:
            OSError: it cannot be read.
        """
        if not self.on_disk:
            return BytesIO(self.read(file))
        return os.fdopen(os.open(Path(self.place, file), os.O_RDONLY | os.O_CLOEXEC), "rb")

    def read(self, file: str) -> bytes:
        """Return what a file holds.

        Raises:
            OSError: it cannot be read.
        """
        if self.on_disk:
            return Path(self.place, file).read_bytes()
        with _worded(self.place) as found:
            return bytes(found.cat_file(f"{_inner(self.place)}/{file}"))

    def put(self, file: str, data: bytes) -> None:
        """Make a file hold these bytes, whatever it held; on a disk the folder that it lies in is there.

        Raises:
            OSError: it cannot be written.
        """
        if self.on_disk:
            fs.write(Path(self.place, file), data)
            return
        with _worded(self.place) as found:
            found.pipe_file(f"{_inner(self.place)}/{file}", data)

    def sizes(self) -> Mapping[str, int]:
        """Return all files below an address, by path, with their bytes; of a place that is not there, none.

        Raises:
            NotReached: there is no such bucket, or no way to the store.
        """
        inner, listed = _inner(self.place), dict[str, Any]()
        with _worded(self.place) as found:
            with suppress(FileNotFoundError):
                listed = found.find(inner, detail=True)
            if not listed:
                _refuse_missing_bucket(found, self.place)
        return {name.removeprefix(inner).lstrip("/"): int(told["size"]) for name, told in sorted(listed.items())}

    def remove(self, files: Iterable[str]) -> None:
        """Remove files at an address, those that are there."""
        with _worded(self.place) as found:
            for file in files:
                with suppress(FileNotFoundError):
                    found.rm_file(f"{_inner(self.place)}/{file}")


def store(place: str) -> Store:
    """Return the folder that a path or an address names.

    Raises:
        NotReached: nothing that is installed knows such an address.
    """
    if not is_address(place):
        return Store(str(folder_of(place)))
    with _worded(place):
        return Store(place.rstrip("/"))


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
