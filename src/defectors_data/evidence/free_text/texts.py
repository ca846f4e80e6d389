"""The free texts of hand-written files, with the kinds that their fields declare in the models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from typing_extensions import TypeAliasType

from defectors_data.corpus.findings import PartlyRead, Path, ProjectFile, UnreadError
from defectors_data.models.closed_vocabularies import MEANINGS
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
            pattern = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
            found.setdefault(entry.field, []).append(pattern)
    return found


def without_exceptions(free: FreeText, context: Context) -> str:
    """Return a text without the words that dataset.yaml permits in its field."""
    text = free.text
    exceptions = _exceptions(context)
    for pattern in exceptions.get(free.field, ()) if exceptions else ():
        text = pattern.sub(" ", text)
    return text


# ---- files that belong to no single source -------------------------------------------------------

_VERSION = re.compile(
    r"## +\[?[0-9]+(?:\.[0-9]+){2}\]?(?:(?: -)? \(?[0-9]{4}-[0-9]{2}-[0-9]{2}\)?)?\s*"
)
_COUNTS = re.compile(r"`([a-z_]+)` [0-9]+(?=[,.])")
_VALUES = re.compile(
    r" +- `([a-z_]+)\.([a-z_]+)`: from (none|`[^`]+`) to (none|`[^`]+`), [0-9]+ records?\."
)
"""Texts that `defectors-data release` writes into the changelog: version headings, names of tables
with counts, and old and new values of a column."""


def _without_count(found: re.Match[str]) -> str:
    # Slow to import, and few lines have counts.
    from defectors_data.models.tables import ROW_OF  # noqa: PLC0415

    return " " if found[1] in ROW_OF else found[0]


def _without_values(line: str, context: Context) -> str:
    """Return a line of the changelog without the values of a column that are numbers or terms."""
    found = _VALUES.fullmatch(line.rstrip())
    if not found:
        return line
    from defectors_data.models.tables import ROW_OF, is_code_or_number  # noqa: PLC0415  # as above

    table, column, *values = found.groups()
    if table not in ROW_OF or not is_code_or_number(table, column):
        return line
    known = {"none"}.union(*MEANINGS.values(), *context.terms.values())
    parts = ";".join(values).replace("`", "").split(";")
    others = [part for part in parts if part not in known and not _NUMBER.fullmatch(part)]
    return " ".join(others)


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


@lru_cache(maxsize=1)
def shared_texts(context: Context) -> list[tuple[ProjectFile[Any], FreeText]]:
    """Return the free texts of the files that belong to no single source, each with its file."""
    files: list[ProjectFile[Any]] = [context.dataset, context.vocabulary]
    files += [file for file, _ in context.shared.listed.files()]
    found = [(file, free) for file in files for free in free_texts(file)]
    for i, line in context.changelog.content.published():
        text = _COUNTS.sub(_without_count, _without_values(line, context))
        if text.strip() and not _VERSION.fullmatch(text):
            found.append((context.changelog, FreeText(("lines", i), text, TextKind.NOTE)))
    return found
