"""Publication of a folder: a finished folder replaces the published one, or nothing changes.

The files are written to a staging folder next to the target, flushed to the disk, read again and
inspected. Then the two folders are exchanged in one step. Where that is not possible, the files of
the target are replaced one by one; a journal then identifies the new release, so that the next run
can complete an interrupted replacement. Recovery relies only on what is on the disk. A folder that
this project did not publish is never replaced.

While a build is running, these may exist next to `dist/`: `.dist.lock`, `.dist.new` (the new
release or, after an exchange, the old one), `.dist.old` (a copy of the old release) and
`.dist.journal`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from defectors_data.package import filesystem, published_folder, signals
from defectors_data.package.published_folder import DESCRIPTOR, SUMS, exists

PublicationOutcome: TypeAlias = Literal["published", "unchanged"]
Make: TypeAlias = Callable[[Path], Mapping[str, str] | None]

_NO_EXCHANGE = {
    errno.ENOSYS,
    errno.EINVAL,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.EXDEV,
    errno.EBUSY,
    errno.EPERM,
}
"""Error codes with which a system, mount point or sandbox refuses to exchange two folders."""


class ForeignTargetError(OSError):
    """The target has files that this project did not publish, or is no folder to be replaced."""


class UnwritableTargetError(ForeignTargetError):
    """The file system does not allow the target to be replaced."""


class ConcurrentBuildError(Exception):
    """Another process is publishing to the same target or editing the same corpus.

    The message may state its id.
    """


class PublishTarget:
    """A target to publish to, locked by this process."""

    def __init__(self, target: Path) -> None:
        """Set the paths of the files next to the target; to publish, use `locked`."""
        # `resolve` would follow a link, which is refused.
        self.target = Path(os.path.abspath(target))  # noqa: PTH100
        self.lock = self._near("lock")
        self.staged = self._near("new")
        self.old = self._near("old")
        self.journal = self._near("journal")
        self.warnings: list[str] = []
        """Messages for the user about steps that failed after the release was published."""

    def _near(self, name: str) -> Path:
        return self.target.parent / f".{self.target.name}.{name}"

    @classmethod
    @contextmanager
    def locked(cls, target: Path) -> Iterator[PublishTarget]:
        """Lock the target, complete or undo an interrupted run, and refuse a foreign target.

        On exit, the lock file and any newly created parent folders that are still empty are
        removed.

        Raises:
            ConcurrentBuildError: another process is publishing to the target.
            ForeignTargetError: the target is a file, a link, a mount point, or read-only, or
                contains foreign files.
            OSError: a file operation failed.
        """
        site = cls(target)
        if not site.target.name:
            raise ForeignTargetError(f"{site.target} cannot be the target of a publication")
        with signals.deferred(), ExitStack() as undo:
            # Entered first and so left last: a parent folder is not empty until the lock file is
            # removed.
            undo.enter_context(parents(site.target))
            site._take_lock(undo)
            # Recovery removes these two folders, so they must be ours.
            site._refuse_foreign(site.staged, site.old)
            site._recover()
            # Checked only now, because recovery may have completed the target.
            site._refuse_foreign(site.target)
            with signals.allowed():
                yield site

    def publish(self, make: Make, *, inspect: Callable[[Path], None]) -> PublicationOutcome | None:
        """Publish the files that `make` writes to a staging folder, and return the outcome.

        `make` returns the SHA-256 of each file by path, or None if there is nothing to publish; the
        outcome is then None, too. `inspect` is called with the complete staging folder before it
        replaces the target. If either raises an error, or if the target already contains exactly
        these files, the target is not changed.

        Raises:
            OSError: a file operation failed; the target is unchanged, or the next run completes it.
        """
        try:
            published_folder.begin(self.staged)
            sums = make(self.staged)
            if sums is None or published_folder.matches(self.target, sums):
                published_folder.clear(self.staged)
                return None if sums is None else "unchanged"
            with signals.deferred() as stop_if_one_came:
                published_folder.finish(self.staged, sums)
                with signals.allowed():
                    inspect(self.staged)
                stop_if_one_came()  # the last moment at which nothing has changed
                # Checked again, because files may have been added during the inspection.
                self._refuse_foreign(self.staged, self.target)
                signals.ignore()
                self._swap(sums)
        except BaseException:
            self._give_up()
            raise
        self._settle()
        return "published"

    # ---- before ----------------------------------------------------------------------------------

    def _take_lock(self, undo: ExitStack) -> None:
        before = exists(self.lock)
        try:
            lock = filesystem.lock(self.lock)
        except BlockingIOError:
            raise ConcurrentBuildError(
                f"Another build{_holder(self.lock)} is publishing to {self.target.name}"
            ) from None
        except OSError:
            # If the lock file was there before, another process may use it.
            if exists(self.lock) and not before:
                with suppress(OSError):
                    filesystem.remove_file(self.lock)
            raise
        # Called in reverse order: the file is removed first, so that no other process locks a
        # removed file.
        undo.callback(self._or_warn, "The lock could not be released", lock.release)
        undo.callback(
            self._or_warn, "The lock could not be removed", filesystem.remove_file, self.lock
        )

    def _refuse_foreign(self, *paths: Path) -> None:
        """Refuse each path that exists, unless it is a folder of ours that can be removed."""
        for folder in filter(exists, paths):
            _refuse_no_folder(folder)
            if folder.lstat().st_dev != folder.parent.stat().st_dev:
                raise UnwritableTargetError(
                    f"{folder} is on a different file system from its parent folder"
                )
            # An unfinished folder has no complete list of its files; only its mark shows that it is
            # ours.
            if folder == self.target or not published_folder.is_unfinished(folder):
                _refuse_other_files(folder, published_folder.foreign(folder))
            for name in (".", *published_folder.inner_folders(folder)):
                if not os.access(folder / name, os.R_OK | os.W_OK | os.X_OK):
                    raise UnwritableTargetError(f"{folder / name} is read-only")

    # ---- the swap --------------------------------------------------------------------------------

    def _swap(self, sums: Mapping[str, str]) -> None:
        """Replace the target with the staged folder; an error after success is ignored."""
        try:
            if not exists(self.target):
                filesystem.move(self.staged, self.target)
            elif not self._exchange():
                self._replace_files()
        except OSError:
            # The swap may have succeeded although its last step reported an error.
            if not published_folder.matches(self.target, sums):
                raise

    def _exchange(self) -> bool:
        """Exchange the staged folder and the target; return False if they cannot be exchanged."""
        try:
            filesystem.exchange(self.staged, self.target)
        except OSError as error:
            if error.errno not in _NO_EXCHANGE:
                raise
            return False
        return True

    def _replace_files(self) -> None:
        """Replace the files of the target one by one; on an error, restore the old ones."""
        self._refuse_a_full_disk()
        published_folder.copy(self.target, self.old)
        # Written after the copy: from now on, the next run completes the new release.
        filesystem.write(self.journal, _promise(self.staged))
        filesystem.sync_folder(self.journal.parent)
        try:
            published_folder.fill(
                self.target, self.staged, instead_of=published_folder.listed(self.old)
            )
        except OSError:
            if not published_folder.matches(self.target, published_folder.listed(self.staged)):
                published_folder.fill(
                    self.target, self.old, instead_of=published_folder.listed(self.staged)
                )
            raise

    def _refuse_a_full_disk(self) -> None:
        """Refuse to begin if the disk has no room for the new files and a copy of the old ones."""
        disk = os.statvfs(self.target)
        needed = 0
        for folder in (self.target, self.staged):
            for name in published_folder.entries(folder):
                # A file may occupy up to one block more than its size.
                needed += (folder / name).stat().st_size + disk.f_frsize
        # Some file systems do not report their size.
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < needed:
            raise OSError(
                errno.ENOSPC,
                f"{os.strerror(errno.ENOSPC)} ({needed:,} bytes are needed)",
                str(self.target),
            )

    # ---- afterwards ------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Flush the swap to the disk, and remove what is left; errors become warnings."""
        self._or_warn(
            "A power failure may undo the publication", filesystem.sync_folder, self.target.parent
        )
        self._or_warn("The journal could not be removed", self._close_journal)
        for folder in (self.staged, self.old):
            self._or_warn("The old release could not be removed", published_folder.clear, folder)

    def _give_up(self) -> None:
        """Remove the staged files, unless the next run needs them to complete the target."""
        with suppress(OSError):
            if exists(self.journal) and not published_folder.is_whole(self.target):
                return
            self._close_journal()
            published_folder.clear(self.staged)
            published_folder.clear(self.old)

    def _recover(self) -> None:
        """Complete or undo an interrupted run; a second call has no effect."""
        if exists(self.journal):
            ours = (
                published_folder.is_whole(self.staged)
                and published_folder.foreign(self.staged) is None
            )
            if ours and self.journal.read_bytes() == _promise(self.staged):
                self._complete()
            filesystem.sync_folder(self.journal.parent)
            self._close_journal()
        published_folder.clear(self.staged)
        published_folder.clear(self.old)

    def _complete(self) -> None:
        """Replace the remaining files of a target in which only some have been replaced."""
        if exists(self.target):
            _refuse_no_folder(self.target)
        else:
            filesystem.make_folder(self.target)
        ours = {SUMS}
        for folder in (self.target, self.staged, self.old):
            ours |= published_folder.listed(folder).keys()
        # The interrupted run may also have left files with temporary names.
        known = ours | {published_folder.part_of(name) for name in ours}
        others = published_folder.entries(self.target).keys() - known
        _refuse_other_files(self.target, min(others, default=None))
        published_folder.fill(self.target, self.staged, instead_of=ours - {SUMS})

    def _close_journal(self) -> None:
        if exists(self.journal):
            filesystem.remove_file(self.journal)

    def _or_warn(self, sentence: str, act: Callable[..., object], *arguments: Path) -> None:
        try:
            act(*arguments)
        except OSError as error:
            self.warnings.append(f"{sentence}: {error}")


def recover(target: Path) -> None:
    """Complete or undo an interrupted build; do nothing if there is none, or if a build is running.

    Raises:
        OSError: a file operation failed, or this project did not publish the files that would be
            removed.
    """
    site = PublishTarget(target)
    if any(map(exists, (site.lock, site.staged, site.old, site.journal))):
        with suppress(ConcurrentBuildError), PublishTarget.locked(target):
            pass


def save(path: Path, data: bytes) -> None:
    """Write a file atomically, and create its missing parent folders.

    Raises:
        OSError: a file operation failed; the file is unchanged.
    """
    # A signal between the two steps would leave the temporary file behind.
    with signals.deferred(), parents(path):
        replace(path, data)


def replace(path: Path, data: bytes) -> None:
    """Write a file atomically, in any thread.

    Unlike `save`, which defers signals, this does not need the main thread.

    Raises:
        OSError: a file operation failed; the file is unchanged.
    """
    # The new file is in the same folder, because a rename is atomic only within a file system.
    new = path.with_name(f".{path.name}.new")
    try:
        filesystem.write(new, data, like=path)
        filesystem.move(new, path)
    except BaseException:
        with suppress(OSError):
            filesystem.remove_file(new)
        raise


@contextmanager
def parents(path: Path) -> Iterator[None]:
    """Create the missing parent folders of a path; on exit, remove those that are still empty."""
    with ExitStack() as undo:
        for folder in reversed([folder for folder in path.parents if not exists(folder)]):
            undo.callback(_remove_if_empty, folder)
            filesystem.make_folder(folder)
            filesystem.sync_folder(folder.parent)
        yield


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        if not any(folder.iterdir()):
            filesystem.remove_folder(folder)


def _refuse_no_folder(path: Path) -> None:
    if path.is_symlink():
        raise ForeignTargetError(
            f"{path} is a symbolic link: remove it, or publish to the folder that it points to"
        )
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise ForeignTargetError(f"{path} is not a folder")


def _refuse_other_files(folder: Path, name: str | None) -> None:
    if name:
        raise ForeignTargetError(
            f"It is not certain that this project published every file in {folder}, such as "
            f"{name}: publish to another folder, or, if {SUMS} or {DESCRIPTOR} was changed, "
            "restore it, for instance with git"
        )


def _promise(folder: Path) -> bytes:
    """Return the content of a journal: the SHA-256 of the new folder's `SHA256SUMS`."""
    return f"{filesystem.sha256(folder / SUMS)}\n".encode()


def _holder(lock: Path) -> str:
    """Return the process that has the lock as " (process 123)", or "" if it cannot be read."""
    try:
        number = lock.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return f" (process {number})" if number.isdigit() else ""
