"""The published tables as somebody walks through them: from a record to its words, its speaker and its neighbours."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

from defectors_data.documents import labels
from defectors_data.documents.labels import Row, Rows
from defectors_data.documents.page import source_text

_VERDICTS = ("conflicts", "compatible", "entails", "same", "not_comparable")

_NOT_TOLD = {"kind", "anonymity", "rank_class", "branch", "gender", "request"}
"""What the page leaves out of a protected person: it shows the role alone."""


class Browser:
    """Answers what the page asks of the tables."""

    def __init__(self, rows: Rows) -> None:
        """Take the tables as rows, by name."""
        self.rows = rows
        self.speakers = {row["speaker_id"]: row for row in rows["speakers"]}
        self.figures = {row["figure_id"]: row for row in rows["figures"]}
        self.introduced = {row["mention_id"]: row["speaker_id"] for row in rows["mentions"]}
        self.texts = source_text.published(rows["spans"])
        self.certificates = Certificates(rows)
        self.evidence = _grouped((span for span in rows["spans"] if span["field"] == "evidence"), "record_id")
        # By speaker: what they say, the figures that are attributed to them, and their mentions.
        self.spoken = _grouped(rows["testimonies"], "speaker_id")
        self.stated = _grouped(rows["figures"], "attributed_to")
        self.mentioned = _grouped(rows["mentions"], "speaker_id")
        # The figures of each testimony and of each measure, and the comparisons of each measure, conflicts first.
        self.within = _grouped(rows["figures"], "testimony_id")
        self.measured = _grouped(rows["figures"], "measure")
        self.pairs = _grouped(sorted(rows["comparisons"], key=_urgency), "measure")

    # ---- words -------------------------------------------------------------------------------------------------

    def parts(self, record_id: str) -> list[Row]:
        """Return the spans of a record's evidence, in order."""
        return self.evidence[record_id]

    def around(self, record_id: str) -> list[source_text.Run]:
        """Return the words of a record in their published context."""
        parts = self.parts(record_id)
        return source_text.around(self.texts[parts[0]["source_id"]], [(part["start"], part["end"]) for part in parts])

    def certificate(self, table: str, row: Row, key: str) -> list[Certificate]:
        """Return why the cells of a record hold what they hold."""
        without = _NOT_TOLD if row.get("protected") else ()
        return self.certificates.of(table, row[key], row, without=without)

    # ---- people and figures --------------------------------------------------------------------------------------

    said = staticmethod(labels.said)

    def person(self, speaker_id: str) -> str:
        """Name a speaker; of a protected person, the role alone."""
        return labels.speaker(self.speakers[speaker_id])

    def whose(self, figure: Row) -> str:
        """Say who states a figure."""
        return labels.whose(figure, self.speakers)

    def heard_in(self, speaker_id: str) -> list[str]:
        """Return the sources that mention a speaker."""
        return sorted({mention["source_id"] for mention in self.mentioned[speaker_id]})

    @cached_property
    def roles(self) -> list[tuple[str, str]]:
        """The roles that speakers have, each with its label."""
        there = {row["role"] for row in self.rows["speakers"]}
        return [(role, label) for role, label in labels.ROLES.items() if role in there]

    def compared(self, figure_id: str) -> list[tuple[Row, Row]]:
        """Return the comparisons of a figure, each with the other figure."""
        others = [
            (pair, self.figures[other])
            for pair in self.rows["comparisons"]
            for own, other in permutations((pair["figure_a"], pair["figure_b"]))
            if own == figure_id
        ]
        return sorted(others, key=lambda item: _urgency(item[0]))

    @cached_property
    def measures(self) -> list[dict[str, Any]]:
        """The measures with what the sources give for them; those with a conflict first, single figures last."""
        definitions = {row["term"]: row["definition"] for row in self.rows["measures"]}
        found = [{**row, "definition": definitions[row["measure"]]} for row in self.rows["measure_summary"]]
        return sorted(found, key=lambda row: ("conflicts" not in (row["verdicts"] or ""), row["figures"] == 1))

    @staticmethod
    def beside(found: Sequence[Row], number: int) -> tuple[Row | None, Row | None]:
        """Return the records before and after one of a table, in the same source."""
        source = found[number]["source_id"]
        near = [found[number - 1] if number else None, found[number + 1] if number + 1 < len(found) else None]
        before, after = [row if row and row["source_id"] == source else None for row in near]
        return before, after

    # ---- the ledger --------------------------------------------------------------------------------------------

    def statuses(self, source_id: str) -> Counter[str]:
        """Count the entries of a source's ledger by status."""
        return Counter(row["status"] for row in self.rows["ledger"] if row["source_id"] == source_id)

    @cached_property
    def all_statuses(self) -> list[str]:
        """The statuses that some entry of the ledger has."""
        return sorted({row["status"] for row in self.rows["ledger"]})

    def accounts(self, row: Row) -> str | None:
        """Return the place on the page of the record that accounts for an entry of the ledger."""
        table, name = row["record_table"], row["record_id"]
        if table == "mentions":
            table, name = "speakers", self.introduced.get(name)
        return f"{table}/{name}" if name and table else None


def _urgency(pair: Row) -> int:
    """Return the place of a comparison's verdict in the order in which people look for verdicts."""
    return _VERDICTS.index(pair["verdict"])


def _grouped(rows: Iterable[Row], column: str) -> Mapping[str, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        if row[column]:
            found[row[column]].append(row)
    return found


class Certificate(NamedTuple):
    """What some columns of a record rest on."""

    columns: tuple[str, ...]
    basis: str
    told: str | None
    """How they were made, or what there is to know."""
    spans: tuple[Row, ...]
    """The words they rest on."""


class Certificates:
    """Gives the certificates of any record."""

    def __init__(self, rows: Rows) -> None:
        """Take the tables as rows; `provenance` and `spans` are looked up."""
        self.of_cell: dict[tuple[str, str, str | None], list[Row]] = defaultdict(list)
        for row in rows["provenance"]:  # of a shared speaker, a row for each source
            self.of_cell[row["table"], row["column"], row["record_id"]].append(row)
        self.spans = {row["span_id"]: row for row in rows["spans"]}
        self.of_field: dict[tuple[str, str], list[str]] = defaultdict(list)
        for span in rows["spans"]:
            self.of_field[span["record_id"], span["field"]].append(span["span_id"])

    def of(self, table: str, record_id: str, row: Row, *, without: Collection[str] = ()) -> list[Certificate]:
        """Return the certificates of a record's cells that are not empty, those of the same words together."""
        grouped: dict[tuple[str, str | None, tuple[str, ...]], list[str]] = defaultdict(list)
        for column, cell in row.items():
            if cell is not None and column not in without:
                grouped[self._cell(table, record_id, column)].append(column)
        return [
            Certificate(tuple(columns), basis, told, tuple(self.spans[name] for name in names))
            for (basis, told, names), columns in grouped.items()
        ]

    def _cell(self, table: str, record_id: str, column: str) -> tuple[str, str | None, tuple[str, ...]]:
        [whole] = self.of_cell[table, column, None]
        own = self.of_cell.get((table, column, record_id), [])
        made = own[0] if own else whole
        told = f"by {made['function']} from {made['inputs']}" if made["function"] else made["note"]
        if own:
            return made["basis"], told, tuple(name for row in own for name in (row["spans"] or "").split(";") if name)
        return whole["basis"], told, tuple(self.of_field[record_id, whole["span_field"] or ""])
