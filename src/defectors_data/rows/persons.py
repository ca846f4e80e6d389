"""Rows of the table `persons`: what other tables say of each person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

import pyarrow as pa

from defectors_data.corpus.shared_context import Context
from defectors_data.models.closed_vocabularies import MotiveDirection
from defectors_data.models.tables import WITHHELD
from defectors_data.package.cells import joined
from defectors_data.package.tables_writer import arrow
from defectors_data.rows.cell_provenance import COPIED
from defectors_data.rows.spans import Row


def person_rows(
    speakers: Iterable[Row],
    mentions: Iterable[Row],
    testimonies: Iterable[Row],
    motives: Iterable[Row],
) -> Iterator[Row]:
    """Yield a row for each person among speakers, with what the rows of the other tables say.

    In a build, the rows are those of one document, and `persons_table` combines the rows of a
    person who is shared between sources.
    """
    mentioned, said, reasons = map(_by_speaker, (mentions, testimonies, motives))
    for speaker in speakers:
        name = speaker["speaker_id"]
        if speaker["kind"] != "person":
            continue
        sources = set(_column([speaker, *mentioned[name], *said[name]], "source_id")) - {None}
        row = {
            "person_id": name,
            "source_id": speaker["source_id"],
            "sources": joined(sorted(sources)),
            # A package lacks columns that it does not use.
            **{key: speaker.get(key) for key in COPIED},
            "ages": _distinct(_column(mentioned[name], "age")),
            "years_of_service": _distinct(_column(mentioned[name], "years_of_service")),
            **_own_motives(reasons[name]),
            "departed": _distinct(_departures(said[name])),
            "testimonies": len(said[name]),
        }
        # A row with all that is said of a protected person would describe this person.
        if speaker["protected"]:
            row.update(dict.fromkeys(WITHHELD["persons"]))
        yield row


def _column(rows: Iterable[Row], name: str) -> list[Any]:
    return [row.get(name) for row in rows]


def _by_speaker(rows: Iterable[Row]) -> defaultdict[str, list[Row]]:
    found = defaultdict[str, list[Row]](list)
    for row in rows:
        found[row["speaker_id"]].append(row)
    return found


def _own_motives(motives: Iterable[Row]) -> Row:
    """Return the factors of a speaker's own motives to leave, by direction."""
    factors = defaultdict[str, list[str]](list)
    for motive in motives:
        if motive["reason_of"] == "speaker" and motive["decision"] == "leave":
            factors[motive["direction"]].append(motive["factor"])
    return {direction: _distinct(factors[direction]) for direction in get_args(MotiveDirection)}


def _departures(said: Iterable[Row]) -> Iterator[str | None]:
    for testimony in said:
        if testimony["happened_of"] == "departure":
            yield testimony["happened"]


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
