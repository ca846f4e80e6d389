"""Publishing: a finished folder replaces the published one, or nothing changes.

The files are written into a staging folder next to the published one, flushed to the disk, read back and inspected
there; then the two folders are exchanged in one step. Where the file system cannot exchange folders, the published one
is moved aside and the staged one takes its name. Where it cannot be moved either (a mount point), its files are
replaced one by one: a journal then names what is to be there, and the next run completes it. What happened is never
remembered: the disk is looked at. A folder that this project did not publish is never replaced.

While a build runs, the files next to `dist/` are `.dist.lock`, `.dist.new` (after an exchange it holds the old
release), `.dist.old` and `.dist.journal`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from defectors_data.package import filesystem, folders, signals
from defectors_data.package.folders import SUMS, exists

Outcome: TypeAlias = Literal["published", "unchanged"]
Make: TypeAlias = Callable[[Path], Mapping[str, str] | None]

_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV, errno.EBUSY, errno.EPERM}
"""Errors of a system, a file system, a mount point or a sandbox that cannot exchange two folders."""

_NO_MOVE = {errno.EXDEV, errno.EBUSY}
"""Errors of a mount point, or of the lower layer of an overlay, when the folder itself is to be moved."""


class NotOurs(OSError):
    """The target holds something that this project did not publish, or cannot be published to."""


class AnotherBuild(Exception):
    """Another process is publishing to the same target; the message names it."""


class Site:
    """A target to publish to, locked by this process."""

    def __init__(self, target: Path) -> None:
        """Name the files next to a target; use `hold` to publish."""
        self.target = Path(os.path.abspath(target))  # noqa: PTH100  # a link must be seen as one, not resolved
        near = (self.target.parent / f".{self.target.name}.{name}" for name in ("lock", "new", "old", "journal"))
        self.lock, self.staged, self.old, self.journal = near
        self.warnings: list[str] = []
        """What went wrong after the release was published, in words for the user."""

    @classmethod
    @contextmanager
    def hold(cls, target: Path) -> Iterator[Site]:
        """Lock a target, complete or undo what an earlier run left, and make sure that the target is ours.

        On leaving, nothing is left next to the target, and folders that were made above it for nothing are gone.

        Raises:
            AnotherBuild: another process publishes to the target.
            NotOurs: the target is a file, a link, another file system, read-only, or a folder not published from here.
            OSError: the file system refused.
        """
        site = cls(target)
        with signals.kept(), ExitStack() as undo:
            site._open(undo)
            site._refuse_what_is_not_ours(site.staged, site.old)
            site._recover()
            site._refuse_what_is_not_ours(site.target)
            with signals.heard():
                yield site

    def publish(self, make: Make, *, inspect: Callable[[Path], None]) -> Outcome | None:
        """Publish the files that `make` writes into the folder that it is given.

        `make` returns the SHA-256 of each file by path, or None where there is nothing to publish. `inspect` gets the
        complete folder before it replaces the old one; where either raises, nothing has changed. Where the target
        holds exactly these files already, it is not touched.

        Raises:
            OSError: the file system refused; the target is as it was.
        """
        try:
            folders.begin(self.staged)
            sums = make(self.staged)
            if sums is None or folders.holds(self.target, sums):
                folders.clear(self.staged)
                return None if sums is None else "unchanged"
            with signals.kept() as stop_if_asked:
                folders.finish(self.staged, sums)
                with signals.heard():
                    inspect(self.staged)
                stop_if_asked()
                self._refuse_what_is_not_ours(self.staged, self.target)
                signals.ignore()
                self._swap(sums)
        except BaseException:
            self._give_up()
            raise
        self._settle()
        return "published"

    # ---- before ------------------------------------------------------------------------------------------------

    def _open(self, undo: ExitStack) -> None:
        """Make the folders above the target and take the lock; what was made is unmade on leaving."""
        if not self.target.name:
            raise NotOurs(f"{self.target} cannot be published to")
        for folder in reversed([folder for folder in self.target.parents if not exists(folder)]):
            undo.callback(_remove_if_empty, folder)
            filesystem.make_folder(folder)
            filesystem.sync_folder(folder.parent)
        before = exists(self.lock)
        try:
            held = filesystem.lock(self.lock)
        except BlockingIOError:
            raise AnotherBuild(f"Another build{_holder(self.lock)} publishes to {self.target.name}") from None
        except OSError:
            if exists(self.lock) and not before:
                with suppress(OSError):
                    filesystem.remove_file(self.lock)
            raise
        undo.callback(self._or_warn, "The lock could not be freed", held.release)
        undo.callback(self._or_warn, "The lock could not be removed", filesystem.remove_file, self.lock)

    def _refuse_what_is_not_ours(self, *paths: Path) -> None:
        """Refuse anything but a folder of ours that can be moved and removed; a missing one is fine."""
        for folder in filter(exists, paths):
            _refuse_what_is_no_folder(folder)
            if folder.lstat().st_dev != folder.parent.stat().st_dev:
                raise NotOurs(f"{folder} is on another file system than the folder that contains it")
            name = None if folder != self.target and folders.is_unfinished(folder) else folders.foreign(folder)
            if name:
                raise NotOurs(
                    f"{folder} contains what was not published from here, such as {name}: publish to another folder"
                )
            for inside in (folder, *(folder / name for name in folders.inner_folders(folder))):
                if not os.access(inside, os.R_OK | os.W_OK | os.X_OK):
                    raise NotOurs(f"{inside} is read-only")

    # ---- the swap ----------------------------------------------------------------------------------------------

    def _swap(self, sums: Mapping[str, str]) -> None:
        """Put the staged folder in the place of the target; an error that came after that is ignored."""
        try:
            if not exists(self.target):
                filesystem.move(self.staged, self.target)
            elif not _can(filesystem.exchange, self.staged, self.target, unless=_NO_EXCHANGE):
                self._swap_in_two_steps()
        except OSError:
            if not folders.holds(self.target, sums):
                raise

    def _swap_in_two_steps(self) -> None:
        try:
            if _can(filesystem.move, self.target, self.old, unless=_NO_MOVE):
                filesystem.move(self.staged, self.target)
                return
        except OSError:
            self._move_back()
            raise
        self._replace_files()

    def _move_back(self) -> None:
        """Give the old release its name again where nothing else has it."""
        if not exists(self.target) and exists(self.old) and not folders.is_unfinished(self.old):
            filesystem.move(self.old, self.target)

    def _replace_files(self) -> None:
        """Replace the files of the target one by one; where that fails, put the old ones back."""
        self._refuse_a_full_disk()
        folders.copy(self.target, self.old)
        filesystem.write(self.journal, _promise(self.staged))
        filesystem.sync_folder(self.journal.parent)
        try:
            folders.fill(self.target, self.staged, instead_of=folders.listed(self.old))
        except OSError:
            if not folders.holds(self.target, folders.listed(self.staged)):
                folders.fill(self.target, self.old, instead_of=folders.listed(self.staged))
            raise

    def _refuse_a_full_disk(self) -> None:
        """Refuse to begin where there may be no room to end, or to put the old files back."""
        disk = os.statvfs(self.target)
        needed = sum(
            (folder / name).stat().st_size + disk.f_frsize
            for folder in (self.target, self.staged)
            for name in folders.entries(folder)
        )
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < needed:
            raise OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)} ({needed:,} bytes are needed)")

    # ---- afterwards --------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Flush the swap to the disk and remove what is left over; what fails now is a warning."""
        self._or_warn("A power cut may undo what was published", filesystem.sync_folder, self.target.parent)
        self._or_warn("The journal could not be removed", self._close_journal)
        for folder in (self.staged, self.old):
            self._or_warn("The old release could not be cleared", folders.clear, folder)

    def _give_up(self) -> None:
        """Remove what was staged, unless the target is incomplete without it: then the next run completes it."""
        with suppress(OSError):
            if exists(self.journal) and not folders.is_whole(self.target):
                return
            self._close_journal()
            folders.clear(self.staged)
            if exists(self.target):
                folders.clear(self.old)

    def _recover(self) -> None:
        """Complete or undo what an earlier run left; doing it twice does no harm."""
        if exists(self.journal):
            if folders.is_whole(self.staged) and folders.foreign(self.staged) is None and self._is_promised():
                self._complete()
            filesystem.sync_folder(self.journal.parent)
            self._close_journal()
        self._move_back()
        folders.clear(self.staged)
        folders.clear(self.old)

    def _is_promised(self) -> bool:
        return self.journal.read_bytes() == _promise(self.staged)

    def _complete(self) -> None:
        """Replace the rest of the files in a target in which some were replaced."""
        if exists(self.target):
            _refuse_what_is_no_folder(self.target)
        else:
            filesystem.make_folder(self.target)
        ours = {name for folder in (self.target, self.staged, self.old) for name in (*folders.listed(folder), SUMS)}
        if others := folders.entries(self.target).keys() - ours - set(map(folders.part_of, ours)):
            raise NotOurs(f"{self.target} contains what was not published from here, such as {min(others)}")
        folders.fill(self.target, self.staged, instead_of=ours - {SUMS})

    def _close_journal(self) -> None:
        if exists(self.journal):
            filesystem.remove_file(self.journal)

    def _or_warn(self, sentence: str, act: Callable[..., object], *arguments: Path) -> None:
        try:
            act(*arguments)
        except OSError as error:
            self.warnings.append(f"{sentence}: {error}")


def recover(target: Path) -> None:
    """Complete or undo what a killed build left; where nothing is left, or a build is running, touch nothing.

    Raises:
        OSError: the file system refused, or what is left is not ours.
    """
    site = Site(target)
    if any(map(exists, (site.lock, site.staged, site.old, site.journal))):
        with suppress(AnotherBuild), Site.locked(target):
            pass


def save(path: Path, data: bytes) -> None:
    """Make one file hold these bytes, or leave it as it was; missing folders above it are made.

    Raises:
        OSError: the file system refused; the file is as it was.
    """
    new = path.with_name(f".{path.name}.new")
    with signals.kept(), ExitStack() as undo:
        for folder in reversed([folder for folder in path.parents if not exists(folder)]):
            undo.callback(_remove_if_empty, folder)
            filesystem.make_folder(folder)
        try:
            filesystem.write(new, data)
            filesystem.move(new, path)
        except BaseException:
            with suppress(OSError):
                filesystem.remove_file(new)
            raise


def _can(act: Callable[[Path, Path], None], first: Path, second: Path, *, unless: set[int]) -> bool:
    """Do something with two folders; return whether the file system can do it at all."""
    try:
        act(first, second)
    except OSError as error:
        if error.errno not in unless:
            raise
        return False
    return True


def _refuse_what_is_no_folder(path: Path) -> None:
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise NotOurs(f"{path} is not a folder")


def _promise(folder: Path) -> bytes:
    """Return what a journal says: the SHA-256 of the checksums of the folder that is to be published."""
    return f"{filesystem.sha256(folder / SUMS)}\n".encode()


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        if not any(folder.iterdir()):
            filesystem.remove_folder(folder)


def _holder(lock: Path) -> str:
    """Return the process that signed a lock, worded; nothing where it cannot be read."""
    try:
        number = lock.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return f" (process {number})" if number.isdigit() else ""
