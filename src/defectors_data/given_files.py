"""Readers of the files that users name.

Only regular files are opened, and no size that an archive declares is trusted. A pipe or a device
could keep a command waiting forever, and a small archive could expand to more than fits into
memory.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

MOST_BYTES = 200 * 1024 * 1024
"""Maximum size in bytes of a file, or of all files in an archive after decompression."""
IRREGULAR = "it is not a regular file"
_MOST_FILES = 10_000
"""Maximum number of files in an archive."""

ARCHIVE_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
)
"""What `zipfile` raises for an archive that is damaged, encrypted or of an unknown method."""


class GivenFileError(ValueError):
    """A file that a user named cannot be read; the message gives the place and the reason."""

    def __init__(
        self,
        problem: str,
        file: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        """Compose the message; `line` and `column` count from 1."""
        place = file
        for number in (line, column):
            if number is not None:
                place += f":{number}"
        super().__init__(f"{place}: {problem}.")


def opened(path: Path) -> io.BufferedReader:
    """Open a regular file for reading.

    Raises:
        OSError: the file cannot be opened, or it is something else, such as a pipe or a folder.
    """
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, IRREGULAR, str(path))
    return file


def read(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        GivenFileError: it is not a regular file, or is too large.
        OSError: the file could not be read.
    """
    if not path.is_file():
        raise GivenFileError(IRREGULAR, path.name)
    with opened(path) as file:
        data = file.read(MOST_BYTES + 1)  # one byte too many shows that the limit is exceeded
    if len(data) > MOST_BYTES:
        raise GivenFileError(f"it has more than {MOST_BYTES:,} bytes", path.name)
    return data


def is_archive(data: bytes) -> bool:
    """Return whether data is a zip archive, which may be damaged."""
    return data.startswith(b"PK\x03\x04") or zipfile.is_zipfile(io.BytesIO(data))


def unzipped(
    data: bytes,
    name: str,
    is_wanted: Callable[[str], bool] = lambda _: True,
) -> dict[str, bytes]:
    """Return the bytes of the files in a zip archive that are wanted, by their path in the archive.

    Args:
        data: the archive.
        name: its file name, for messages.
        is_wanted: whether the file at a path is to be read.

    Raises:
        GivenFileError: the archive is damaged, too large, or contains a path that leads out of it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read_entries(archive, name, is_wanted)
    except GivenFileError:
        raise
    except ARCHIVE_ERRORS:
        problem = "the archive is damaged, encrypted or of an unknown kind"
        raise GivenFileError(problem, name) from None


def _read_entries(
    archive: zipfile.ZipFile,
    name: str,
    is_wanted: Callable[[str], bool],
) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > _MOST_FILES:
        raise GivenFileError(f"the archive has more than {_MOST_FILES:,} files", name)
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        path = entry.filename
        if path.startswith(("/", "\\")) or ".." in path.replace("\\", "/").split("/"):
            raise GivenFileError("the archive contains a path that leads out of it", name)
        if entry.is_dir() or not is_wanted(path):
            continue
        with archive.open(entry) as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise GivenFileError(f"the archive has more than {MOST_BYTES:,} bytes", name)
        found[path] = content
    return found
