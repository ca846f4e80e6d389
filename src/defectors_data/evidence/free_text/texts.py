"""The free texts of hand-written files, with the kinds that their fields declare in the models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from typing_extensions import TypeAliasType

from defectors_data.corpus.findings import PartlyRead, Path, ProjectFile, UnreadError
from defectors_data.models.fields import Record, TextKind, kind_of

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context

FREE = (TextKind.NOTE, TextKind.GENERAL, TextKind.ID, TextKind.SOURCE_ID)
"""The kinds of texts that maintainers write in their own words."""


class FreeText(NamedTuple):
    """A text of a maintainer, with its path in the file and its kind."""

    path: Path
    text: str
    kind: TextKind

    @property
    def field(self) -> str:
        """The field as exceptions in dataset.yaml name it, such as `testimonies.note`."""
        steps = [step for step in self.path if isinstance(step, str)]
        return "CHANGELOG.md" if steps == ["lines"] else ".".join(steps)


def free_texts(file: ProjectFile[Any]) -> Iterator[FreeText]:
    """Yield each free text of a file.

    Raises:
        UnreadError: a value of the file could not be read.
    """
    if isinstance(file.content, PartlyRead):
        raise UnreadError(file.file)
    yield from _of_record(file.content, ())


def _of_record(record: Record, path: Path) -> Iterator[FreeText]:
    values = vars(record)
    for name, kind in _plan(type(record)):
        yield from _of_value(values[name], (*path, name), kind)


def _of_value(value: Any, path: Path, kind: TextKind | None) -> Iterator[FreeText]:
    """Yield the free texts in a value; the kind is None if only records in it have free text."""
    # Every record of a corpus passes through here, and `type(x) is` is faster than `isinstance`.
    if type(value) is str:
        if kind:
            yield FreeText(path, value, kind)
    elif type(value) is tuple:
        for i, item in enumerate(value):
            yield from _of_value(item, (*path, i), kind)
    # Models have a `__dict__`; numbers and booleans have none.
    elif value is not None and hasattr(value, "__dict__"):
        yield from _of_record(value, path)


@cache
def _plan(model: type[Record]) -> tuple[tuple[str, TextKind | None], ...]:
    """Return the fields of a model that contain free text or records with free text."""
    found: list[tuple[str, TextKind | None]] = []
    for name, field in model.model_fields.items():
        kind = kind_of(model, name)
        if kind in FREE:
            found.append((name, kind))
        elif _has_records_with_text(field.annotation):
            found.append((name, None))
    return tuple(found)


def _has_records_with_text(annotation: Any) -> bool:
    if isinstance(annotation, TypeAliasType):
        return _has_records_with_text(annotation.__value__)
    if isinstance(annotation, type):
        return issubclass(annotation, Record) and bool(_plan(annotation))
    # The values of a closed vocabulary are no types.
    return get_origin(annotation) is not Literal and any(
        _has_records_with_text(each) for each in get_args(annotation)
    )


# ---- exceptions ----------------------------------------------------------------------------------


@lru_cache(maxsize=1)  # only one context is in use at a time
def _exceptions(context: Context) -> dict[str, list[re.Pattern[str]]]:
    """Return patterns of the words that dataset.yaml permits, by field."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for entry in context.dataset.content.names:
        for words in entry.words:
            # In the name of a file, words are between underscores.
            alone = rf"(?<![^\W_]){re.escape(words)}(?![^\W_])"
            pattern = re.compile(alone, re.IGNORECASE)
            found.setdefault(entry.field, []).append(pattern)
    return found


def without_exceptions(free: FreeText, context: Context) -> str:
    """Return a text without the words that dataset.yaml permits in its field."""
    text = free.text
    exceptions = _exceptions(context)
    if exceptions:
        for pattern in exceptions.get(free.field, ()):
            text = pattern.sub(" ", text)
    return text
