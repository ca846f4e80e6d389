"""A cache of the results of `check`, in `build/check-cache/` of the project, which a takedown clears.

Only what is without findings is stored: the answer for the whole project (`answer`), and the result
of each document (`articles`). Both are used again only if the program and all files from which they
come are the same, byte for byte. Without a usable cache, for example in a read-only folder,
everything is processed.

This module imports nothing that is slow, because an answer that is stored should be fast.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from defectors_data import given_files
from defectors_data.corpus.file_tree import FileTree
from defectors_data.package import filesystem

FOLDER = "build/check-cache"


def clear(root: Path) -> None:
    """Remove the cache of a project.

    Raises:
        OSError: it cannot be removed.
    """
    folder = root / FOLDER
    if FileTree(root).inside(FOLDER) and folder.is_dir():
        for path in folder.iterdir():
            filesystem.remove_file(path)
        filesystem.remove_folder(folder)


def prepared(root: Path, file: str) -> Path | None:
    """Return the path of a file of the cache, whose folder then exists.

    The result is None if the file would not be a regular file below the root.

    Raises:
        OSError: the folder cannot be created.
    """
    tree, ignore = FileTree(root), root / FOLDER / ".gitignore"
    if not tree.inside(file) or (tree.exists(file) and tree.reason(file)):
        return None
    if not ignore.exists():
        filesystem.make_folders(ignore.parent)
        filesystem.write(ignore, b"*\n")
    return root / file


def digest(parts: Iterable[bytes]) -> bytes:
    """Return the SHA-256 of the SHA-256 of each part."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def paths_below(folder: Path) -> Iterator[Path]:
    """Yield everything below a folder in a fixed order, except compiled modules.

    Raises:
        OSError: a folder cannot be read.
    """
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name != "__pycache__":
            yield Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                yield from paths_below(Path(entry.path))


def content(path: Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it cannot be read.
    """
    with given_files.opened(path) as file:
        return file.read()


@cache
def program() -> bytes:
    """Return a checksum of the program's files, not of their times, which a copy may keep.

    Raises:
        OSError: a file cannot be read, for example while the program is installed again.
    """
    versions = [sys.version, *map(metadata.version, ("pydantic", "pyyaml"))]
    parts = [version.encode() for version in versions]
    folder = Path(__file__).parents[1]
    for path in paths_below(folder):
        if path.is_file():
            parts += [path.relative_to(folder).as_posix().encode(), content(path)]
    return digest(parts)
