"""Changes between two packages as text and as an HTML page, with the words before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import get_args

from defectors_data.models.closed_vocabularies import RecordTable
from defectors_data.models.counts import counted
from defectors_data.models.diff import CLASSES, CellChange, Change, Changes, Value
from defectors_data.models.tables import is_code_or_number
from defectors_data.models.versions import number
from defectors_data.publishers.changes import least_version
from defectors_data.text.wording_differences import word_changes

_MARKS = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
"""The markers around unchanged, removed and added words, as in `git diff --word-diff`."""


def lines(changes: Changes) -> Iterator[str]:
    """Yield the changes as lines of text."""
    yield summary(changes)
    for kind, group in groupby(changes.changes, key=lambda change: change.kind):
        yield f"{kind}: {CLASSES[kind]}"
        for change in group:
            yield f"  {name(change)}"
            for cell in change.cells:
                words = "".join(_MARKS[sign].format(part) for sign, part in marked(cell))
                in_one_line = words.replace("\n", " ")
                yield f"    {cell.column}: {in_one_line}"
            if change.derived:
                derived = ", ".join(f"{each.table} {each.rows}" for each in change.derived)
                yield f"    derived rows: {derived}"


def summary(changes: Changes) -> str:
    """Return a sentence with the number of changes and, if the new version is too low for them, the
    lowest that they permit.
    """
    count = len(changes.changes)
    if not count:
        versions = f"version {changes.old}"
        if changes.old != changes.new:
            versions = f"versions {changes.old} and {changes.new}"
        return f"The data of the two packages are the same ({versions})."
    said = f"From {changes.old} to {changes.new}: {counted(count, 'change')}."
    least = least_version(changes)
    if number(changes.new) < number(least):
        said += f" The new version must be at least {least}."
    return said


def name(change: Change) -> str:
    """Return the table and id of a changed record, or the table whose columns changed."""
    if change.id is not None:
        return f"{change.table}/{change.id}"
    if change.cells:
        return f"{change.table}, columns"
    return f"{change.table}, a record whose id is withheld"


def marked(cell: CellChange) -> list[tuple[str, str]]:
    """Return a changed cell as runs of words: in both (`=`), old (`-`) or new (`+`)."""
    if (
        isinstance(cell.before, str)
        and isinstance(cell.after, str)
        and " " in cell.before + cell.after
    ):
        return list(word_changes(cell.before, cell.after))
    before = "withheld" if cell.withheld else cell.before
    values = [
        (sign, _text(value))
        for sign, value in (("-", before), ("+", cell.after))
        if value is not None
    ]
    return [*values[:1], *(("=", " ") for _ in values[1:]), *values[1:]]


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- the changelog -------------------------------------------------------------------------------


def changelog(text: str, changes: Changes) -> str:
    """Return `CHANGELOG.md` with the changed codes and numbers under the new version's "Data".

    All its lines are kept. No record is named, because a changelog remains after a takedown.
    """
    if not changes.changes:
        return text
    lines = text.splitlines()
    # The version must end there: `1.2.1` is also the beginning of `1.2.10`.
    start = next(
        (
            i
            for i, line in enumerate(lines)
            if re.match(rf"## {re.escape(changes.new)}(?![\w.])", line)
        ),
        None,
    )
    if start is None:
        # A new version comes before the older ones.
        start = _next(lines, 0, "## ")
        heading = f"## {changes.new}"
        if start < len(lines):
            lines[start:start] = [heading, ""]
        else:
            lines += ["", heading]
            start += 1
    end = _next(lines, start + 1, "## ")
    data = next(
        (i for i in range(start, end) if re.fullmatch("### Data *", lines[i], re.IGNORECASE)), None
    )
    if data is None:
        lines[start + 1 : start + 1] = ["", "### Data"]
        data = start + 2
    end = _next(lines, data + 1, "## ", "### ")
    while not lines[end - 1].strip():
        end -= 1
    added = ["", *_counts(changes)]
    if end < len(lines) and lines[end]:
        added.append("")
    lines[end:end] = added
    return "\n".join(lines) + "\n"


def _next(lines: list[str], start: int, *beginnings: str) -> int:
    return next(
        (i for i in range(start, len(lines)) if lines[i].startswith(beginnings)), len(lines)
    )


def _counts(changes: Changes) -> Iterator[str]:
    """Yield a line for each class of changes, and below it the old and new values.

    The last line says where records are named, if any changed.
    """
    for kind, group in groupby(changes.changes, key=lambda change: change.kind):
        changed = list(group)
        numbers = Counter(change.table for change in changed)
        by_table = ", ".join(f"`{name}` {count}" for name, count in numbers.items())
        yield f"- {CLASSES[kind].capitalize()}: {by_table}."
        if kind in ("meaning", "id-reassigned"):
            yield from _values(changed)
    if any(change.table in get_args(RecordTable) for change in changes.changes):
        yield "- The table `history` names the records."


def _values(changed: Iterable[Change]) -> Iterator[str]:
    """Yield a line for each code or number that was replaced, with the number of records.

    Records of protected persons are left out, because the old value may be what protects them.
    """
    counts = Counter[tuple[str, str, str]]()
    for change in changed:
        if change.protected or not change.id:
            continue
        for cell in change.cells:
            if not cell.withheld and is_code_or_number(change.table, cell.column):
                column = f"`{change.table}.{cell.column}`"
                counts[column, _code(cell.before), _code(cell.after)] += 1
    for (column, before, after), records in counts.items():
        yield f"  - {column}: from {before} to {after}, {counted(records, 'record')}."


def _code(value: Value) -> str:
    return "none" if value is None else f"`{_text(value)}`"


def page(changes: Changes) -> str:
    """Return the changes as a self-contained HTML page."""
    # Only a page needs jinja2.
    from defectors_data.documents.html_templates import environment  # noqa: PLC0415

    groups = [
        (kind, list(group))
        for kind, group in groupby(changes.changes, key=lambda change: change.kind)
    ]
    template = environment(Path(__file__).parent).get_template("changes.html")
    return template.render(
        changes=changes,
        summary=summary(changes),
        groups=groups,
        classes=CLASSES,
        marked=marked,
        name=name,
    )
