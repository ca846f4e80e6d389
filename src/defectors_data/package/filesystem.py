"""The few file operations that write, each one step: the only place in the project that changes a disk."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock

Lock = filelock.BaseFileLock


def make_folder(path: Path) -> None:
    """Make a folder that everybody may read, whatever the umask; the folder above it is there."""
    path.mkdir()
    path.chmod(0o755)


def make_folders(path: Path) -> None:
    """Make a folder and those above it, as far as they are missing."""
    path.mkdir(parents=True, exist_ok=True)


def write(path: Path, data: bytes, *, like: Path | None = None) -> None:
    """Write a file that everybody may read, whatever the umask, and have the disk hold its bytes before returning.

    Where there is a file that it is to be `like`, those may read and write it who may that one.
    """
    mode = stat.S_IMODE(like.stat().st_mode) & 0o777 if like and like.exists() else 0o644
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(opened, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def copy(source: Path, target: Path) -> None:
    """Copy a file bit by bit; everyone may read the copy, and the disk holds its bytes before returning."""
    opened = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    with os.fdopen(opened, "wb") as file, source.open("rb") as original:
        os.fchmod(file.fileno(), 0o644)
        shutil.copyfileobj(original, file)
        file.flush()
        os.fsync(file.fileno())


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in lower-case hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_BUFFER = 128 * 1024
"""Bytes of a file that are held until they are written: a release has many files open at once."""


class NewFile:
    """A file that is being written bit by bit, with its hash; everybody may read it, whatever the umask."""

    def __init__(self, path: Path) -> None:
        """Make the file, which is not there yet."""
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        os.fchmod(opened, 0o644)
        self._file = os.fdopen(opened, "wb", buffering=_BUFFER)
        self._digest = hashlib.sha256()
        self.size = 0
        """Bytes that were written."""
        self.closed = False

    def add(self, data: bytes | memoryview) -> int:
        """Write bytes behind those that were written, and return how many."""
        self._digest.update(data)
        size = memoryview(data).nbytes
        self.size += size
        self._file.write(data)
        return size

    write = add

    def flush(self) -> None:
        """Do nothing: closing does."""

    def close(self) -> None:
        """Have the disk hold the bytes; doing it twice does no harm."""
        if not self.closed:
            self.closed = True
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was written, in lower-case hexadecimal."""
        return self._digest.hexdigest()


class Scratch:
    """A file without a name, for what is too much to hold; it is gone with the process. TMPDIR says where it lies."""

    def __init__(self) -> None:
        """Make the file."""
        with _for_scratch():
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # kept open
        weakref.finalize(self, self._file.close)
        self._size = 0

    def add(self, data: memoryview) -> int:
        """Write bytes behind those that were written, and return where they begin."""
        begin, left = self._size, data.cast("B")
        with _for_scratch():
            while left:
                left = left[self._file.write(left) :]
        self._size += data.nbytes
        return begin

    def at(self, offset: int, size: int) -> bytes:
        """Return bytes from an offset on."""
        with _for_scratch():
            found = os.pread(self._file.fileno(), size, offset)
            if len(found) != size:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
        return found


class NoScratch(OSError):
    """There is no room for scratch files."""


@contextmanager
def _for_scratch() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        folder = os.environ.get("TMPDIR") or tempfile.gettempdir()
        raise NoScratch(
            error.errno, f"{error.strerror} (for scratch files; TMPDIR may name another folder)", folder
        ) from error


def reserve(path: Path, size: int) -> None:
    """Make a file of a size that holds nothing yet."""
    with path.open("xb") as file:
        file.truncate(size)


def append(path: Path, data: bytes) -> None:
    """Add bytes to a file, which is made where it is missing; the disk may hold them later."""
    with path.open("ab") as file:
        file.write(data)


def sync_folder(path: Path) -> None:
    """Have the disk hold the names in a folder before returning."""
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def move(source: Path, target: Path) -> None:
    """Give a file or a folder another name on the same file system, in one step; a file takes another one's place."""
    source.replace(target)


def exchange(first: Path, second: Path) -> None:
    """Let two folders change places in one step: there is no moment at which either name is missing.

    Linux, renameat2(2) with RENAME_EXCHANGE.

    Raises:
        OSError: with ENOSYS where the system has no such call, with EINVAL where the file system does not know it.
    """
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    if call(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(first), None, str(second))


_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE


def remove_file(path: Path) -> None:
    """Remove a file."""
    path.unlink()


def remove_folder(path: Path) -> None:
    """Remove an empty folder."""
    path.rmdir()


def lock(path: Path) -> Lock:
    """Take a lock that the system frees when this process ends, however it ends; the file names the process.

    Raises:
        BlockingIOError: another process holds the lock.
    """
    held = filelock.FileLock(path, mode=0o644, thread_local=False, fallback_to_soft=False, on_acquired=_sign)
    try:
        held.acquire(blocking=False)
    except filelock.Timeout as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path)) from error
    return held


def _sign(opened: int) -> None:
    with suppress(OSError):  # a lock that nobody signed holds all the same
        os.ftruncate(opened, 0)
        os.write(opened, f"{os.getpid()}\n".encode())
