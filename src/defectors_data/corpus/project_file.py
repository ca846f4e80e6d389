"""A file that people wrote: its content as a model, and where in it each value was typed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from defectors_data.corpus.findings import Place

Path: TypeAlias = tuple[str | int, ...]
"""Where in a file something was typed: keys, and positions from 0 in lists."""

Content = TypeVar("Content", bound=BaseModel)


class ProjectFile(Generic[Content]):
    """One file, or one line of a shard: its content, and where each value in it was typed."""

    def __init__(
        self,
        file: str,
        content: Content,
        places: Mapping[Path, Place] | Callable[[], Mapping[Path, Place]],
        *,
        typed: str = "",
        line: int = 1,
    ) -> None:
        """Take the content; where `places` is a function, it is called when a place is first asked for.

        `typed` is the text of the file, or of the line; `line` is the number of the line of a shard, from 1.
        """
        self.file, self.content, self.typed, self.line, self._places = file, content, typed, line, places

    @property
    def is_line(self) -> bool:
        """Whether this is a line of a shard."""
        return self.file.endswith(".jsonl")

    @cached_property
    def places(self) -> Mapping[Path, Place]:
        """The place of each value, by its path."""
        return self._places() if callable(self._places) else self._places

    def place(self, *path: str | int) -> Place:
        """Return the place of a path, or of the nearest value around it."""
        while not (found := self.places.get(path)) and path:
            path = path[:-1]
        return found or Place(self.file, self.line)

    def texts(self, keys: Collection[str] | None = None) -> list[tuple[Path, str]]:
        """Return every text of the file, or those under some keys, each with its path."""
        found: list[tuple[Path, str]] = []
        _collect(self.content, (), keys, found)
        return found


def _collect(value: Any, path: Path, keys: Collection[str] | None, found: list[tuple[Path, str]]) -> None:
    """Add the texts in a model or in a tuple to those that were found: every other value contains no text."""
    for key, item in enumerate(value) if type(value) is tuple else vars(value).items():
        if type(item) is str:
            if keys is None or key in keys:
                found.append(((*path, key), item))
        elif item and (type(item) is tuple or hasattr(item, "__dict__")):
            _collect(item, (*path, key), keys, found)
