"""The bytes of a resource: one file, or part files one after the other of which the first alone keeps its header."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

KNOWN_HASHES = ("md5", "sha256")
"""What frictionless checks, too."""


class Parts(io.RawIOBase):
    """A stream over the part files of a table."""

    def __init__(self, paths: Sequence[Path], *, headed: bool) -> None:
        """Open all of them, so that one that is missing is known before anything is read.

        Raises:
            OSError: a file cannot be opened.
        """
        self._held = ExitStack()
        self._left: list[io.BufferedReader[Any]] = []
        try:
            for number, path in enumerate(paths):
                file = self._held.enter_context(io.BufferedReader(io.FileIO(path)))
                self._left.append(file)
                if headed and number:
                    file.readline()
        except OSError:
            self._held.close()
            raise

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer from the first part that has something left."""
        while self._left:
            if number := self._left[0].readinto(buffer):
                return int(number)
            self._left.pop(0).close()
        return 0

    def close(self) -> None:
        """Close every part."""
        self._held.close()
        super().close()


def proof(paths: Sequence[Path], algorithm: str, *, headed: bool) -> tuple[int, str]:
    """Return how many bytes a resource has and their digest, in lower-case hex."""
    size, digest = 0, hashlib.new(algorithm, usedforsecurity=False)
    with Parts(paths, headed=headed) as stream:
        buffer = memoryview(bytearray(1 << 18))
        while number := stream.readinto(buffer):
            size += number
            digest.update(buffer[:number])
    return size, digest.hexdigest()


def headers(paths: Sequence[Path]) -> list[bytes]:
    """Return the first line of each part."""
    lines = []
    for path in paths:
        with io.BufferedReader(io.FileIO(path)) as file:
            lines.append(file.readline())
    return lines
