"""In which order files change, and what they were like when they were read: nothing edited since is overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from defectors_data import lines
from defectors_data.files import Tree
from defectors_data.withdrawing import InTheWay

Mark: TypeAlias = tuple[int, int, int, int]
"""By what it is told that a file was changed: which one it is, its size, and the times at which it changed."""

Marks: TypeAlias = dict[str, Mark | None]
"""By file; None where there is none."""


def marks(root: Path) -> Marks:
    """Return the marks of all annotations, and of the texts that are packed beside them."""
    if not (root / "annotations").is_dir():
        return {}
    tree = Tree(root)
    packed = (lines.packed_beside(tree, file) for file in lines.names(tree))
    annotations = (f"annotations/{name}" for name in tree.visible("annotations"))
    return {file: _mark(root / file) for file in (*annotations, *filter(None, packed))}


def _mark(path: Path) -> Mark | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def in_turn(files: Mapping[str, bytes | None]) -> Iterator[tuple[str, bytes | None]]:
    """Give files that change in the order in which they do, tombstones before all.

    A corpus that has tombstones already and its records still is one that is never published.
    """
    return iter(sorted(files.items(), key=lambda item: (not item[0].endswith("tombstones.yaml"), item[0])))


def unless_edited(
    root: Path, files: Iterable[tuple[str, bytes | None]], before: Marks
) -> Iterator[tuple[str, bytes | None]]:
    """Give the files that change, and make sure at the end that all are still as they were before.

    Raises:
        InTheWay: a file was edited meanwhile.
    """
    yield from files
    if edited := {*before.items()} ^ {*marks(root).items()}:
        raise InTheWay(f"{min(file for file, _ in edited)} was edited meanwhile: take it out once more")
