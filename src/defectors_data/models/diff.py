"""The models of `defectors-data diff --format json`: the differences of two packages."""

# `from __future__ import annotations` is omitted for the reason stated in `annotation`.
from typing import Literal, TypeAlias

from defectors_data.models.closed_vocabularies import MEANINGS, RecordChange
from defectors_data.models.fields import Record

ChangeClass: TypeAlias = Literal["schema-break", "id-removed-without-tombstone", RecordChange]

CLASSES: dict[str, str] = {
    "schema-break": "a table or column was removed, or a column has another type",
    "id-removed-without-tombstone": "a record was removed without a tombstone",
    **MEANINGS["RecordChange"],
}
"""The meaning of each class; the classes that break a citation or a program come first."""

BREAKING: tuple[ChangeClass, ...] = ("id-removed-without-tombstone", "id-reassigned")
"""The classes of changes that are not permitted under any version number."""

Value: TypeAlias = str | int | float | bool | None
"""The value of a cell; dates are in ISO 8601."""


class CellChange(Record):
    """The value of a cell, or the type of a column, before and after the change."""

    column: str
    """The name of the column."""
    before: Value
    """The value in the old package; null if there is none, or if it is withheld."""
    after: Value
    """The value in the new package; null if there is none."""
    withheld: bool = False
    """True if `before` is not shown: the value was removed, or is text that may be about a
    withdrawn record."""


class DerivedRows(Record):
    """Rows of a derived table that differ because of a change."""

    table: str
    """The name of the derived table, such as `spans`."""
    rows: int
    """The number of its rows that were added, removed or changed."""


class Change(Record):
    """A difference in a record or in a table's columns, with the derived rows that differ."""

    kind: ChangeClass
    """The class of the change."""
    table: str
    """The name of the table that contains the record or column, or that was added or removed."""
    id: str | None
    """The key of the record; null for a table or a column, and for a withdrawn record whose id is
    withheld."""
    cells: tuple[CellChange, ...]
    """The cells that differ; empty if only words that support a value differ, and for removed
    records."""
    derived: tuple[DerivedRows, ...]
    """The rows of derived tables that differ because of the change, by table."""
    protected: bool = False
    """True if the record is of a person who is protected in one of the packages."""


class Changes(Record):
    """What changed between two packages."""

    old: str
    """Version of the old package."""
    new: str
    """Version of the new package."""
    changes: tuple[Change, ...]
    """The changes; those that break a citation or a program come first."""
