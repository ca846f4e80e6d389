"""Changes between two packages as text and as a page, with the words before and after."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from defectors_data.models.changes import CLASSES, CellChange, Change, Changes, Value
from defectors_data.release.changes import least_version
from defectors_data.rows.labels import visible
from defectors_data.text.similarity import word_changes

_MARKS = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
"""Words before and after, as `git diff --word-diff` marks them."""


def lines(changes: Changes) -> Iterator[str]:
    """Yield the changes as lines of text."""
    yield summary(changes)
    for kind, group in groupby(changes.changes, key=lambda change: change.kind):
        yield f"{kind}: {CLASSES[kind]}"
        for change in group:
            yield f"  {name(change)}"
            for cell in change.cells:
                words = "".join(_MARKS[sign].format(part) for sign, part in marked(cell)).replace("\n", " ")
                yield f"    {cell.column}: {words}"
            if change.derived:
                yield f"    derived rows: {', '.join(f'{each.table} {each.rows}' for each in change.derived)}"


def summary(changes: Changes) -> str:
    """Return a sentence with the number of changes and the lowest version allowed."""
    count = len(changes.changes)
    if not count:
        versions = dict.fromkeys((changes.old, changes.new))
        return f"The two packages have the same data (version {' and '.join(versions)})."
    number = f"{count} change{'' if count == 1 else 's'}"
    return f"From {changes.old} to {changes.new}: {number}. The new version must be at least {least_version(changes)}."


def name(change: Change) -> str:
    """Return the name of a changed record, or of a table whose columns changed."""
    if change.id is not None:
        return f"{change.table}/{change.id}"
    return f"{change.table}, {'columns' if change.cells else 'a record whose id is withheld'}"


def marked(cell: CellChange) -> list[tuple[str, str]]:
    """Return a cell as runs of words: in both (`=`), only before (`-`), only after (`+`)."""
    if isinstance(cell.before, str) and isinstance(cell.after, str) and cell.column in _PROSE:
        return list(word_changes(cell.before, cell.after))
    before = "withheld" if cell.withheld else cell.before
    values = [(sign, _text(value)) for sign, value in (("-", before), ("+", cell.after)) if value is not None]
    return [*values[:1], *(("=", " ") for _ in values[1:]), *values[1:]]


_PROSE = frozenset({"text", "note", "override", "definition", "counted", "title", "subtitle", "rights", "label"})
"""Columns that are compared word by word, not as single values."""


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def page(changes: Changes) -> str:
    """Return the changes as a self-contained HTML page."""
    from jinja2 import Environment, FileSystemLoader  # noqa: PLC0415  # for a page only

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    groups = [(kind, list(group)) for kind, group in groupby(changes.changes, key=lambda change: change.kind)]
    template = environment.get_template("changes.html")
    return template.render(
        changes=changes, summary=summary(changes), groups=groups, classes=CLASSES, marked=marked, name=name
    )
