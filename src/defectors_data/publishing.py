"""A finished set of files takes the place of the published folder, or nothing changes.

The files are staged beside the folder, flushed to the disk, read back and inspected there; then staged folder and
published folder change places in one step. Where the file system cannot exchange folders, a journal says what is to
stand, and whoever comes next carries it through. Whether a release has taken its place is never remembered: the disk
is looked at. A folder that this project did not publish is never replaced.

Beside `dist/` there are, while a build runs, `.dist.lock`, `.dist.new` (after the exchange it holds the old release),
and in the second way `.dist.old` and `.dist.journal`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from defectors_data import folders, fs, signals
from defectors_data.folders import SUMS, there

Outcome: TypeAlias = Literal["published", "unchanged"]

_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV, errno.EBUSY, errno.EPERM}
"""What a system, a file system, a mount point or a sandbox answers that cannot exchange two folders."""

_NO_MOVE = {errno.EXDEV, errno.EBUSY}
"""What a mount point answers, or the lower layer of an overlay, when the folder itself is to be moved."""

_SPARE = 1024 * 1024
"""Bytes that have to be free beyond those of the files, for names and folders."""


class NotOurs(OSError):
    """The place to publish to holds something that this project did not publish, or cannot be published to."""


class AnotherBuild(Exception):
    """Another process is publishing to the same place; the message names it."""


class Site:
    """A place to publish to, held by this process alone."""

    def __init__(self, target: Path) -> None:
        """Name what may lie beside a target; `hold` is the way in."""
        self.target = Path(os.path.abspath(target))  # noqa: PTH100  # a link is to be seen as one, not resolved
        beside = (self.target.parent / f".{self.target.name}.{name}" for name in ("lock", "new", "old", "journal"))
        self.lock, self.staged, self.old, self.journal = beside
        self.warnings: list[str] = []
        """What went wrong when it no longer mattered, in words for the user."""

    @classmethod
    @contextmanager
    def hold(cls, target: Path) -> Iterator[Site]:
        """Hold a place: locked, mended where an earlier run was cut off, and known to be ours.

        On leaving, nothing is left beside the target, and folders that were made above it for nothing are gone.

        Raises:
            AnotherBuild: another process holds the place.
            NotOurs: the target is a file, a link, a mount point, read-only, or a folder not published from here.
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

    def publish(self, files: Mapping[str, bytes], *, inspect: Callable[[Path], None]) -> Outcome:
        """Make the target hold exactly these files, by path relative to it, and their checksums.

        `inspect` is called with the complete folder before it takes the old one's place; when it raises, nothing has
        changed. Where the target holds these files already, nothing is touched.

        Raises:
            OSError: the file system refused; the target is as it was.
        """
        complete = {**files, SUMS: folders.checksums(files)}
        if folders.holds(self.target, complete):
            return "unchanged"
        with signals.kept() as stop_if_asked:
            try:
                self._refuse_a_full_disk(complete)
                for _ in folders.stage(complete, self.staged):
                    stop_if_asked()
                with signals.heard():
                    inspect(self.staged)
                stop_if_asked()
                signals.ignore()
                self._swap(complete)
            except BaseException:
                with suppress(OSError):
                    folders.clear(self.staged)
                raise
            self._settle()
        return "published"

    def publish_written(
        self,
        names: Collection[str],
        make: Callable[[Path], Mapping[str, str] | None],
        *,
        inspect: Callable[[Path], None],
    ) -> Outcome | None:
        """Make the target hold what `make` puts into the folder that it is given: files too large to be held.

        `names` are the files, by path, that there will be at most; `make` returns their SHA-256 sums, by path, or None
        when nothing is to be published. Where folders cannot change places in one step, only a new target will do.

        Raises:
            OSError: the file system refused; the target is as it was.
        """
        try:
            folders.begin(self.staged, names)
            sums = make(self.staged)
            if sums is None or folders.holds_sums(self.target, sums):
                folders.clear(self.staged)
                return None if sums is None else "unchanged"
            with signals.kept() as stop_if_asked:
                folders.finish(self.staged, sums)
                with signals.heard():
                    inspect(self.staged)
                stop_if_asked()
                signals.ignore()
                self._swap_written(sums)
        except BaseException:
            with suppress(OSError):
                folders.clear(self.staged)
            raise
        self._settle()
        return "published"

    def _swap_written(self, sums: Mapping[str, str]) -> None:
        """Put the staged folder into the place of the target; an error that came when it was done is none."""
        try:
            if not there(self.target):
                fs.move(self.staged, self.target)
            elif not self._exchanged():
                raise OSError(errno.ENOTSUP, "folders cannot change places here: publish to a new one")  # noqa: TRY301
        except OSError:
            if not folders.holds_sums(self.target, sums):
                raise

    # ---- before ------------------------------------------------------------------------------------------------

    def _open(self, undo: ExitStack) -> None:
        """Make the folders above the target and take the lock; what was made is unmade on leaving."""
        if not self.target.name:
            raise NotOurs(f"{self.target} cannot be published to")
        for folder in reversed([folder for folder in self.target.parents if not there(folder)]):
            undo.callback(_remove_if_empty, folder)
            fs.make_folder(folder)
            fs.sync_folder(folder.parent)
        before = there(self.lock)
        try:
            held = fs.lock(self.lock)
        except BlockingIOError:
            raise AnotherBuild(f"Another build{_holder(self.lock)} publishes to {self.target.name}") from None
        except OSError:
            if there(self.lock) and not before:
                with suppress(OSError):
                    fs.remove_file(self.lock)
            raise
        undo.callback(self._or_warn, "The lock could not be freed", held.release)
        undo.callback(self._or_warn, "The lock could not be removed", fs.remove_file, self.lock)

    def _refuse_what_is_not_ours(self, *paths: Path) -> None:
        """Refuse all but a real folder of ours that can be moved and cleared; what is absent is fine."""
        for folder in filter(there, paths):
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode):
                raise NotOurs(f"{folder} is not a folder")
            if found.st_dev != folder.parent.stat().st_dev:
                raise NotOurs(f"{folder} is on another file system than the folder it lies in")
            ours = folders.listed(folder)
            foreign = [name for name, regular in folders.entries(folder).items() if name not in ours or not regular]
            if foreign:
                raise NotOurs(f"{folder} holds what was not published from here, such as {min(foreign)}")
            for inside in (folder, *(folder / name for name in folders.inner(folder))):
                if not os.access(inside, os.R_OK | os.W_OK | os.X_OK):
                    raise NotOurs(f"{inside} is read-only")

    def _refuse_a_full_disk(self, files: Mapping[str, bytes]) -> None:
        disk = os.statvfs(self.target.parent)
        needed = sum(map(len, files.values())) + disk.f_frsize * len(files) + _SPARE
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < needed:
            raise OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)} ({needed:,} bytes are needed)")

    # ---- the swap ----------------------------------------------------------------------------------------------

    def _swap(self, files: Mapping[str, bytes]) -> None:
        """Put the staged folder into the place of the target; an error that came when it was done is none."""
        try:
            if not there(self.target):
                fs.move(self.staged, self.target)
            elif not self._exchanged():
                self._swap_with_journal(files)
        except OSError:
            if not folders.holds(self.target, files):
                raise

    def _exchanged(self) -> bool:
        """Let target and staged folder change places; false where there is no such thing."""
        try:
            fs.exchange(self.staged, self.target)
        except OSError as error:
            if error.errno not in _NO_EXCHANGE:
                raise
            return False
        return True

    def _swap_with_journal(self, files: Mapping[str, bytes]) -> None:
        """Write down what is to stand, then make it stand; when that fails, it is taken back."""
        before = folders.contents(self.target)
        folders.clear(self.old)
        try:
            fs.write(self.journal, _promise(files))
            fs.sync_folder(self.journal.parent)
            self._carry_through(files)
        except BaseException:
            with suppress(OSError):
                self._take_back(before, files)
            with suppress(OSError):
                self._close_journal()
            raise

    def _carry_through(self, files: Mapping[str, bytes]) -> None:
        """Make the target hold what is staged, from wherever it was cut off."""
        if there(self.target):
            try:
                fs.move(self.target, self.old)
            except OSError as error:
                if error.errno not in _NO_MOVE:
                    raise
                folders.fill(self.target, files, instead_of=folders.listed(self.target))
                return
        fs.move(self.staged, self.target)

    def _take_back(self, before: Mapping[str, bytes], files: Mapping[str, bytes]) -> None:
        """Make the target hold what it held before, unless it holds the release in full."""
        if not there(self.target):
            fs.move(self.old, self.target)
        elif not folders.holds(self.target, before) and not folders.holds(self.target, files):
            folders.fill(self.target, before, instead_of=files)

    def _settle(self) -> None:
        """After the swap nothing can fail: have the disk keep it, and clear what is left over, or warn."""
        self._or_warn("A power cut may undo what was published", fs.sync_folder, self.target.parent)
        self._or_warn("The journal could not be removed", self._close_journal)
        for folder in (self.staged, self.old):
            self._or_warn("The old release could not be cleared", folders.clear, folder)

    def _close_journal(self) -> None:
        if there(self.journal):
            fs.remove_file(self.journal)

    def _or_warn(self, sentence: str, act: Callable[..., object], *arguments: Path) -> None:
        try:
            act(*arguments)
        except OSError as error:
            self.warnings.append(f"{sentence}: {error}")

    # ---- after a run that was cut off ----------------------------------------------------------------------------

    def _recover(self) -> None:
        """Carry through what a journal promises, and clear what else was left; doing it twice does no harm."""
        if there(self.journal):
            self._keep_the_promise()
            fs.sync_folder(self.journal.parent)
            self._close_journal()
        if not there(self.target) and there(self.old):
            fs.move(self.old, self.target)
        folders.clear(self.staged)
        folders.clear(self.old)

    def _keep_the_promise(self) -> None:
        """Publish what is staged, if it is whole and just what the journal names; else there is nothing to do."""
        staged = folders.contents(self.staged)
        if not folders.is_whole(staged) or self.journal.read_bytes() != _promise(staged):
            return
        if there(self.target):
            folders.clear(self.old)
            if not folders.is_whole(folders.contents(self.target)):
                folders.fill(self.target, staged, instead_of=folders.listed(self.target))
                return  # it was being filled: what it held was of two releases
        try:
            self._carry_through(staged)
        except OSError:
            if not there(self.target):
                fs.move(self.old, self.target)
            raise


def recover(target: Path) -> None:
    """Mend what a build left that was cut off; where nothing is left, or a build is at work, nothing is touched.

    Raises:
        OSError: the file system refused, or what is left there is not ours.
    """
    site = Site(target)
    if any(map(there, (site.lock, site.staged, site.old, site.journal))):
        with suppress(AnotherBuild), Site.hold(target):
            pass


def save(path: Path, data: bytes) -> None:
    """Make one file hold these bytes, or leave it as it was; the folder it lies in is made where it is missing.

    Raises:
        OSError: the file system refused; the file is as it was.
    """
    beside = path.with_name(f".{path.name}.new")
    with signals.kept(), ExitStack() as undo:
        for folder in reversed([folder for folder in path.parents if not there(folder)]):
            undo.callback(_remove_if_empty, folder)
            fs.make_folder(folder)
        try:
            fs.write(beside, data)
            fs.move(beside, path)
        except BaseException:
            with suppress(OSError):
                fs.remove_file(beside)
            raise


def _promise(files: Mapping[str, bytes]) -> bytes:
    """Return what a journal says: the SHA-256 of the checksums of what is to stand."""
    return f"{hashlib.sha256(files[SUMS]).hexdigest()}\n".encode()


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        if not any(folder.iterdir()):
            fs.remove_folder(folder)


def _holder(lock: Path) -> str:
    """Return the process that signed a lock, worded; nothing where it cannot be read."""
    try:
        number = lock.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return f" (process {number})" if number.isdigit() else ""
