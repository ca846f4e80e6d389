"""File operations that change the disk, one step each.

Only downloads and temporary files bypass this module.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import filelock


class NoTemporarySpaceError(OSError):
    """There is not enough memory, or not enough disk space for temporary files."""


def make_folder(path: Path) -> None:
    """Create a folder with mode 755, regardless of the umask; its parent must exist."""
    path.mkdir()
    path.chmod(0o755)  # unlike the mode of `mkdir`, not subject to the umask


def make_folders(path: Path) -> None:
    """Create a folder and its missing parents."""
    path.mkdir(parents=True, exist_ok=True)


def write(path: Path, data: bytes, *, like: Path | None = None) -> None:
    """Write a file, and flush it to the disk.

    The mode is that of the file `like` if it exists, otherwise 644, regardless of the umask.
    """
    # Permissions only: a new file does not inherit the right to run as another user.
    mode = 0o644
    if like and like.exists():
        mode = stat.S_IMODE(like.stat().st_mode) & 0o777
    with _flushed(path, mode) as file:
        file.write(data)


def copy(source: Path, target: Path) -> None:
    """Copy the content of a file in blocks to a file of mode 644, and flush it to the disk."""
    with _flushed(target, 0o644) as file, source.open("rb") as original:
        shutil.copyfileobj(original, file)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Add the name of an open file to errors that lack it, such as the error for a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def _flushed(path: Path, mode: int) -> Iterator[BinaryIO]:
    # O_NOFOLLOW refuses a symbolic link, which could point to any file.
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    opened = os.open(path, flags, mode)
    with _naming(path), os.fdopen(opened, "wb") as file:
        os.fchmod(opened, mode)
        yield file
        file.flush()
        os.fsync(opened)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a regular file in lower-case hexadecimal."""
    from defectors_data import given_files  # noqa: PLC0415  # keeps the chain of imports short

    with given_files.opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_BUFFER = 128 * 1024
"""Bytes buffered for each file: a release has many files open at the same time."""


class NewFile:
    """A new file of mode 644, written in blocks; size and hash are computed on the way."""

    def __init__(self, path: Path) -> None:
        """Create the file, which must not exist."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        opened = os.open(path, flags, 0o644)
        os.fchmod(opened, 0o644)  # the umask applies only to the mode that is given to `open`
        self._file = os.fdopen(opened, "wb", buffering=_BUFFER)
        self._path = path
        self._digest = hashlib.sha256()
        self.size = 0
        """Bytes written."""
        self.closed = False

    def add(self, data: bytes | memoryview) -> int:
        """Append bytes, and return their number."""
        self._digest.update(data)
        size = memoryview(data).nbytes
        self.size += size
        with _naming(self._path):
            self._file.write(data)
        return size

    write = add

    def flush(self) -> None:
        """Do nothing: pyarrow calls this often, and `close` flushes the file."""

    def close(self) -> None:
        """Flush the file to the disk and close it; a second call does nothing."""
        if not self.closed:
            self.closed = True
            with _naming(self._path), self._file:
                self._file.flush()
                os.fsync(self._file.fileno())

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes written, in lower-case hexadecimal."""
        return self._digest.hexdigest()


def sync_folder(path: Path) -> None:
    """Flush the directory entries of a folder to the disk."""
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with _naming(path):
            os.fsync(opened)
    finally:
        os.close(opened)


def move(source: Path, target: Path) -> None:
    """Rename a file or folder atomically within a file system; a file replaces an existing one."""
    source.replace(target)


def exchange(first: Path, second: Path) -> None:
    """Exchange two folders atomically, by renameat2(2) with RENAME_EXCHANGE (Linux only).

    Raises:
        OSError: ENOSYS if the system has no such call, EINVAL if the file system does not support
            it.
    """
    import ctypes  # noqa: PLC0415  # slow to import

    # Python has no function for this system call.
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    if call(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(first), None, str(second))


# The values are those of linux/fcntl.h and linux/fs.h.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def remove_file(path: Path) -> None:
    """Remove a file."""
    path.unlink()


def remove_folder(path: Path) -> None:
    """Remove an empty folder."""
    path.rmdir()


def lock(path: Path) -> filelock.BaseFileLock:
    """Lock a file, write the process id to it, and return the lock.

    The system releases it when the process ends.

    Raises:
        BlockingIOError: another process has the lock.
    """
    import filelock  # noqa: PLC0415  # the library only reads, and does not require it

    # A soft lock is only a file, which would remain after its process was killed.
    taken = filelock.FileLock(
        path, mode=0o644, thread_local=False, fallback_to_soft=False, on_acquired=_sign
    )
    try:
        taken.acquire(blocking=False)
    except filelock.Timeout as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path)) from error
    return taken


def _sign(opened: int) -> None:
    with suppress(OSError):  # the process id is only for information
        os.ftruncate(opened, 0)
        os.write(opened, f"{os.getpid()}\n".encode())
