"""Comparison of a cited record with a release."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from defectors_data.models.closed_vocabularies import RecordTable
from defectors_data.models.tables import ROWS
from defectors_data.publishers.changes import PublishedPackage
from defectors_data.rows.citation_formats import RecordReference, reference

State = Literal["unchanged", "changed", "withdrawn", "unknown"]


class CitedRecordState(NamedTuple):
    """The state of a cited record in a release."""

    state: State
    sentence: str


def verify(cited: RecordReference, package: PublishedPackage) -> CitedRecordState:
    """Compare a cited record with a release, and return its state there."""
    import pyarrow.compute as pc  # noqa: PLC0415  # slow to import

    for row in ROWS:
        table = row.TABLE
        if (
            table.name not in {*get_args(RecordTable), "tombstones"}
            or table.name not in package.tables
        ):
            continue
        for found in package.tables[table.name].filter(pc.field(table.key) == cited.id).to_pylist():
            if table.name == "tombstones":
                reason = f"{found['date']}, reason: {found['reason_class']}"
                return CitedRecordState(
                    "withdrawn", f"The record was taken down ({reason}) and is no longer published."
                )
            where = f"Version {package.version} contains {table.name}/{cited.id}"
            if reference(cited.id, found, cited.version).cites(cited):
                return CitedRecordState(
                    "unchanged", f"{where} with the cited words at the cited place."
                )
            return CitedRecordState(
                "changed", f"{where}, but its words or their place differ from the citation."
            )
    return CitedRecordState(
        "unknown",
        f"Version {package.version} contains neither a record nor a tombstone with this id.",
    )
