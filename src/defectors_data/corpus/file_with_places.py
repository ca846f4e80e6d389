"""A project file: its content as a model, and the place of each value in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from defectors_data.corpus.findings import Path, Place

Content = TypeVar("Content", bound=BaseModel)


class FieldText(NamedTuple):
    """A text in a file, with its path, and the field of the model that contains it, directly or in a list."""

    path: Path
    text: str
    model: type[BaseModel]
    field: str


class ProjectFile(Generic[Content]):
    """A file, or a line of a shard: its content, and the place of each value."""

    def __init__(
        self,
        file: str,
        content: Content,
        places: Mapping[Path, Place] | Callable[[], Mapping[Path, Place]],
        *,
        typed: str = "",
        line: int = 1,
    ) -> None:
        """Store the content and the places of its values.

        Args:
            file: path below the project's folder.
            content: the model of the file, or of the line.
            places: the places of all values, or a function that computes them when a place is first needed.
            typed: the text of the file, or of the line.
            line: the number of the line in its shard, from 1; 1 for a whole file.
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
        """Return the place of a value, or of the nearest value that contains it."""
        while not (found := self.places.get(path)) and path:
            path = path[:-1]
        return found or Place(self.file, self.line)

    def texts(self, keys: Collection[str] | None = None) -> list[tuple[Path, str]]:
        """Return every text in the file, or only the values of the given keys, each with its path."""
        return [(path, text) for path, text, _, _ in self.fields if keys is None or path[-1] in keys]

    @cached_property
    def fields(self) -> list[FieldText]:
        """Every text in the file, with its path and its field."""
        found: list[FieldText] = []
        _collect(self.content, (), type(self.content), "", found)
        return found


def _collect(value: Any, path: Path, model: type[BaseModel], field: str, found: list[FieldText]) -> None:
    """Add the texts in a model or a tuple to `found`; no other value contains text."""
    # Every value of a corpus passes through here, and `type(x) is` is faster than `isinstance`.
    in_list = type(value) is tuple
    for key, item in enumerate(value) if in_list else vars(value).items():
        name = field if in_list else str(key)
        if type(item) is str:
            found.append(FieldText((*path, key), item, model, name))
        elif type(item) is tuple:
            if item:
                _collect(item, (*path, key), model, name, found)
        # Models have a `__dict__`; numbers and booleans have none.
        elif item is not None and hasattr(item, "__dict__"):
            _collect(item, (*path, key), type(item), "", found)
