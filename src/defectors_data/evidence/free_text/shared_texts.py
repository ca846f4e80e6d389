"""The free texts of the files that belong to no single source, such as the changelog."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from defectors_data.corpus.findings import ProjectFile
from defectors_data.evidence.free_text.texts import FreeText, free_texts
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.fields import TextKind

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context

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
