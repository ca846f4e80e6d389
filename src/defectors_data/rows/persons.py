"""Rows of the table `persons`: what the documents say of each person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

import pyarrow as pa

from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.annotation import Testimony
from defectors_data.models.closed_vocabularies import MotiveDirection
from defectors_data.models.tables import WITHHELD
from defectors_data.package.cells import cells_of, edtf_cell, joined
from defectors_data.package.tables_writer import arrow
from defectors_data.rows.spans import Row


def person_rows(document: Document) -> Iterator[Row]:
    """Yield a row for each person in a document, with what this document says of them.

    `persons_table` combines the rows of a person who is shared between sources.
    """
    ages, years = defaultdict[str, list[Any]](list), defaultdict[str, list[Any]](list)
    for path, mention in document.mentions:
        person = document.entry_of(path).id
        ages[person].append(getattr(mention, "age", None))
        years[person].append(getattr(mention, "years_of_service", None))
    said = defaultdict[str, list[Testimony]](list)
    for _, testimony in document.testimonies:
        said[testimony.speaker].append(testimony)
    for name, speaker in document.speakers_by_id.items():
        if speaker.kind != "person":
            continue
        row = {
            "person_id": name,
            "source_id": document.source.id,
            "sources": document.source.id,
            **cells_of(speaker, "role", "rank_class", "branch"),
            "protected": speaker.protected,
            **cells_of(speaker, "name"),
            "ages": _distinct(ages[name]),
            "years_of_service": _distinct(years[name]),
            **_own_motives(said[name]),
            "departed": _distinct(_departures(said[name])),
            "testimonies": len(said[name]),
        }
        # A row with all that is said of a protected person would describe this person.
        if speaker.protected:
            row.update(dict.fromkeys(WITHHELD["persons"]))
        yield row


def _own_motives(said: Iterable[Testimony]) -> Row:
    """Return the factors of a speaker's own motives to leave, by direction."""
    factors = defaultdict[str, list[str]](list)
    for testimony in said:
        for motive in testimony.motives:
            if motive.of == "speaker" and motive.decision == "leave":
                factors[motive.direction].append(motive.factor)
    return {direction: _distinct(factors[direction]) for direction in get_args(MotiveDirection)}


def _departures(said: Iterable[Testimony]) -> Iterator[str | None]:
    for testimony in said:
        if testimony.happened and testimony.happened.of == "departure":
            yield edtf_cell(testimony.happened.date)


def _distinct(values: Iterable[Any]) -> str | None:
    """Return the values that are filled, each once and in order, joined by `;`."""
    return joined(dict.fromkeys(str(value) for value in values if value is not None))


def persons_table(context: Context, found: Sequence[pa.Table]) -> pa.Table:
    """Return the table `persons` from those of batches: one row for each shared person, too."""
    shared = defaultdict[str, list[Row]](list)
    own = list[pa.Table]()
    for table in found:
        names = table["person_id"].to_pylist()
        is_shared = [name in context.shared for name in names]
        is_own = [not each for each in is_shared]
        own.append(table.filter(pa.array(is_own, pa.bool_())))
        for row in table.filter(pa.array(is_shared, pa.bool_())).to_pylist():
            shared[row["person_id"]].append(row)
    rows = [_combined(parts) for _, parts in sorted(shared.items())]
    return pa.concat_tables([arrow("persons", rows), *own]).combine_chunks()


_JOINED = ("sources", "ages", "years_of_service", *get_args(MotiveDirection), "departed")
"""The columns of `persons` with several values."""


def _combined(parts: Sequence[Row]) -> Row:
    """Return the row of a shared person from the rows of each source."""
    row = {**parts[0], "source_id": None}
    for column in _JOINED:
        values = ";".join(part[column] for part in parts if part[column])
        row[column] = _distinct(values.split(";")) if values else None
    row["testimonies"] = sum(part["testimonies"] for part in parts)
    return row
