"""The few file operations that write: the only place in the project that changes a disk."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_folder(path: Path) -> None:
    """Make a folder and the folders above it; one that is there already is kept."""
    path.mkdir(parents=True, exist_ok=True)


def write(path: Path, data: bytes) -> None:
    """Write a file and have the disk hold its bytes before returning."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def move(source: Path, target: Path) -> None:
    """Give a file or folder another name on the same file system, in one step."""
    source.rename(target)


def remove_folder(path: Path) -> None:
    """Remove a folder and all that is in it."""
    shutil.rmtree(path)


def remove_file(path: Path) -> None:
    """Remove a file."""
    path.unlink()
