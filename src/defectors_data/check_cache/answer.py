"""The answer of `check` for a project without findings.

It is used again if the program and every file that `check` reads are the same. Then nothing is
parsed, and almost nothing is imported.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic_core import from_json, to_json

from defectors_data.check_cache import FOLDER, content, digest, paths_below, prepared, program
from defectors_data.corpus.file_tree import FileTree, bytes_of
from defectors_data.corpus.findings import Finding, RuleReport
from defectors_data.package import filesystem

_FILE = f"{FOLDER}/answer.json"
_READ = ("CHANGELOG.md", "annotations", "dataset.yaml", "dist/data", "seeds")
"""All that `check` reads of a project."""


class Answer(NamedTuple):
    """What `check` says about a project."""

    rules: list[RuleReport]
    not_compared: str
    """Why the ids were not compared with those of the published package; empty if they were."""
    findings: list[Finding]
    is_read: bool
    """Whether everything could be read."""


class State(NamedTuple):
    """The program and the files of a project at one time."""

    checksum: bytes
    changes: list[int]
    """The time of the last change of each file, which is new if an edit was undone."""


def state(root: Path) -> State | None:
    """Return the state of a project, or None if it contains a link or cannot be read."""
    parts, changes = list[bytes](), list[int]()
    try:
        parts.append(program())
        for path in _paths(root):
            status = path.lstat()
            name = path.relative_to(root).as_posix()
            parts.append(name.encode(errors="surrogateescape"))  # a file name may be any bytes
            changes.append(status.st_ctime_ns)
            if stat.S_ISREG(status.st_mode):
                parts.append(content(path))
            elif not stat.S_ISDIR(status.st_mode):
                return None
    except OSError:
        return None
    return State(digest(parts), changes)


def _paths(root: Path) -> Iterator[Path]:
    for name in _READ:
        path = root / name
        if os.path.lexists(path):
            yield path
        if path.is_dir():
            yield from paths_below(path)


def stored(root: Path, now: State) -> Answer | None:
    """Return the answer that is stored for a state, or None."""
    data, _ = bytes_of(FileTree(root), _FILE)
    # Anyone can edit the file, and a write can be interrupted.
    with suppress(ValueError, TypeError, KeyError):
        found = from_json(data or b"")
        if found["checksum"] == _checksum(now, found["answer"]):
            rules = [RuleReport(*rule) for rule in found["answer"]["rules"]]
            return Answer(rules, found["answer"]["not_compared"], findings=[], is_read=True)
    return None


def store(root: Path, before: State, answer: Answer) -> None:
    """Store an answer, unless it has findings or a file has changed during the check."""
    if answer.findings or not answer.is_read or state(root) != before:
        return
    said = {"rules": answer.rules, "not_compared": answer.not_compared}
    entry = {"checksum": _checksum(before, said), "answer": said}
    with suppress(OSError):
        if path := prepared(root, _FILE):
            filesystem.write(path, to_json(entry))


def _checksum(of: State, said: object) -> str:
    """Return a checksum of an answer and of the state that it is about."""
    return digest([of.checksum, to_json(said)]).hex()
