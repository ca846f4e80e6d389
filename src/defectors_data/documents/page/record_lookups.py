"""Lookups in the published tables for the page: the evidence, speaker and related records of each record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from defectors_data.documents.charts.themes import MOTIVE
from defectors_data.documents.page import published_text, timeline
from defectors_data.rows import citation_formats, labels
from defectors_data.rows.cell_provenance import OF_COLUMN
from defectors_data.rows.labels import Row, Rows

_VERDICTS = (
    "conflicts",
    "differs_undated",
    "agrees_rounded",
    "compatible",
    "entails",
    "same",
    "not_comparable",
)
"""The verdicts in the order in which the page shows them: those that matter most to readers come first."""

_PROTECTED = {"kind", "anonymity", "rank_class", "branch", "gender", "request"}
"""Columns that the page omits for a protected person, of whom it shows only the role and a possible pseudonym."""


class ProvenanceLine(NamedTuple):
    """Why some columns of a record have their values."""

    columns: tuple[str, ...]
    basis: str
    detail: str | None
    """The function that computed the values, or a note."""
    spans: tuple[Row, ...]
    """The spans in which the values can be read."""


QUOTATIONS = 3
"""Number of quotations at the top of the page, each by a speaker with a different role."""
_SHORT = range(30, 161)
"""Permitted lengths of a quotation at the top of the page, in characters."""


class Browser:
    """Lookups in the published tables, for the template of the page."""

    def __init__(self, rows: Rows, version: str) -> None:
        """Index the rows of all tables, given by table name; `version` is the version of the dataset."""
        self.rows, self.version = rows, version
        self.speakers = {row["speaker_id"]: row for row in rows["speakers"]}
        self.sources = {row["source_id"]: row for row in rows["sources"]}
        self._labels: dict[str, dict[str, str]] = {
            table: {row["term"]: row["label"] for row in rows[table]}
            for table in ("themes", "measures", "populations", "roles")
        }
        self._units: dict[str, str] = {row["term"]: row["definition"] for row in rows["units"]}
        self.figures = {row["figure_id"]: row for row in rows["figures"]}
        self.mentioned = {row["mention_id"]: row["speaker_id"] for row in rows["mentions"]}
        self.texts = published_text.published(rows)
        self.evidence = _grouped(
            (span for span in rows["spans"] if span["field"] == "evidence"), "record_id"
        )
        self.statuses: dict[str, Counter[str]] = defaultdict(Counter)
        for entry in rows["ledger"]:
            self.statuses[entry["source_id"]][entry["status"]] += 1
        # Testimonies, attributed figures and mentions by speaker.
        self.testimonies_of = _grouped(rows["testimonies"], "speaker_id")
        self.figures_of = _grouped(rows["figures"], "attributed_to")
        self.mentions_of = _grouped(rows["mentions"], "speaker_id")
        # Figures by testimony and by measure; comparisons by measure and by figure, each with the other figure.
        self.figures_in = _grouped(rows["figures"], "testimony_id")
        self.measured = _grouped(rows["figures"], "measure")
        # Sorted once: the groups below keep this order.
        pairs = sorted(rows["comparisons"], key=lambda pair: _VERDICTS.index(pair["verdict"]))
        self.pairs = _grouped(pairs, "measure")
        self.compared = defaultdict(list)
        for pair in pairs:
            a, b = pair["figure_a"], pair["figure_b"]
            self.compared[a].append((pair, self.figures[b]))
            self.compared[b].append((pair, self.figures[a]))
        self._spans = {row["span_id"]: row for row in rows["spans"]}
        self._spans_of_field = _grouped(rows["spans"], "record_id", "field")
        self._provenance = _grouped(rows["provenance"], "table", "column", "record_id")

    def segments(self, record_id: str) -> list[published_text.Segment]:
        """Return the evidence of a record in its published context."""
        parts = self.evidence[record_id]
        text = self.texts[parts[0]["source_id"]]
        return published_text.segments(text, [(part["start"], part["end"]) for part in parts])

    def speaker(self, speaker_id: str) -> str:
        """Return the label of a speaker: the name, or only the role if no name is published."""
        return labels.speaker_label(self.speakers[speaker_id], self._labels["roles"])

    def reported_by(self, figure: Row) -> str:
        """Return the label of the speaker to whom a figure is attributed, or `the writer`."""
        return labels.reported_by(figure, self.speakers, self._labels["roles"])

    def described(self, table: str, row: Row, key: str) -> str:
        """Return the description of a record that its citation contains."""
        speaker, source = (
            self.speakers.get(citation_formats.speaker_of(row)),
            self.sources.get(row["source_id"]),
        )
        who = labels.speaker_label(speaker, self._labels["roles"]) if speaker else ""
        return citation_formats.described(f"{table}/{row[key]}", row, source, who, self.version)

    def sources_of(self, speaker_id: str) -> list[str]:
        """Return the ids of the sources that mention a speaker."""
        return sorted({mention["source_id"] for mention in self.mentions_of[speaker_id]})

    def label(self, table: str, term: str) -> str:
        """Return the label of a term of a vocabulary."""
        return self._labels[table][term]

    def article(self, source_id: str) -> str:
        """Return the label of an article."""
        return labels.source_label(self.sources[source_id])

    def quotations(self) -> list[Row]:
        """Return a short testimony in direct speech for each of the most quoted roles: the one with the most themes."""
        said = [
            row for row in self.rows["testimonies"] if row["mode"] == "direct" and row["parts"] == 1
        ]
        by_role = _grouped((row for row in said if len(row["text"]) in _SHORT), "speaker_role")
        most = Counter(
            row["speaker_role"] for row in said if row["speaker_role"] in by_role
        ).most_common(QUOTATIONS)
        return [
            max(by_role[role], key=lambda row: (row["themes"].count(";"), len(row["text"])))
            for role, _ in most
        ]

    def motives(self) -> tuple[int, str, int] | None:
        """Return how many testimonies give a motive to leave, and their most frequent other theme with its count.

        Returns None if no testimony with a motive to leave has another theme.
        """
        themes = [row["themes"].split(";") for row in self.rows["testimonies"]]
        found = [names for names in themes if MOTIVE in names]
        # Sorted, because among equally frequent themes `most_common` returns the one counted first.
        others = Counter(name for names in found for name in sorted(names) if name != MOTIVE)
        return (len(found), *others.most_common(1)[0]) if others else None

    def events(self, *, without_year: bool) -> list[timeline.Event]:
        """Return the entries of the timeline that have a year, or those that have none, in order of their dates."""
        return [
            event
            for event in timeline.events(self.rows, self.texts)
            if event.date.startswith("XX") == without_year
        ]

    @staticmethod
    def least(figures: Iterable[Row]) -> Row:
        """Return the figure whose interval has the lowest lower limit."""
        return min(figures, key=lambda row: (row["interval_low"] or 0, row["value"] or 0))

    @staticmethod
    def most(figures: Iterable[Row]) -> Row:
        """Return the figure whose interval has the highest lower limit."""
        return max(figures, key=lambda row: (row["interval_low"] or 0, row["value"] or 0))

    def unit(self, unit: str) -> str:
        """Return the definition of a unit, such as `US dollars a month`."""
        return self._units[unit]

    def roles(self) -> dict[str, str]:
        """Return the roles that speakers have, with their labels."""
        found = {row["role"] for row in self.rows["speakers"]}
        return {role: label for role, label in self._labels["roles"].items() if role in found}

    def measures(self) -> list[dict[str, Any]]:
        """Return the summaries and definitions of the measures: those with conflicts first, those not compared last."""
        definitions = {row["term"]: row["definition"] for row in self.rows["measures"]}
        found = [
            {**row, "definition": definitions[row["measure"]]}
            for row in self.rows["measure_summary"]
        ]
        return sorted(
            found,
            key=lambda row: ("conflicts" not in (row["verdicts"] or ""), row["verdicts"] is None),
        )

    def covering_record(self, entry: Row) -> str | None:
        """Return the anchor of the record that covers or waives an entry of the ledger; None if there is no record."""
        table, record_id = entry["record_table"], entry["record_id"]
        if table == "mentions":  # shown with their speaker
            table, record_id = "speakers", self.mentioned.get(record_id)
        return f"{table}/{record_id}" if table and record_id else None

    def provenance(self, table: str, row: Row, key: str) -> list[ProvenanceLine]:
        """Return the provenance of the non-null cells of a record; cells with the same provenance are grouped."""
        hidden = _PROTECTED if row.get("protected") else ()
        lines = defaultdict(list)
        for column, cell in row.items():
            if cell is not None and column not in hidden:
                lines[self._provenance_of(table, column, row[key])].append(column)
        return [
            ProvenanceLine(
                tuple(columns), basis, detail, tuple(self._spans[span] for span in spans)
            )
            for (basis, detail, spans), columns in lines.items()
        ]

    def _provenance_of(
        self, table: str, column: str, record_id: str
    ) -> tuple[str, str | None, tuple[str, ...]]:
        [of_column] = self._provenance[table, column, OF_COLUMN]
        of_cell = self._provenance.get(
            (table, column, record_id), []
        )  # for a shared speaker, a row for each source
        first = of_cell[0] if of_cell else of_column
        detail = (
            f"by {first['function']} from {first['inputs']}" if first["function"] else first["note"]
        )
        if of_cell:
            spans = [span for row in of_cell for span in (row["spans"] or "").split(";") if span]
        else:
            fields = (
                self._spans_of_field[record_id, field]
                for field in (of_column["spans"] or "").split(";")
            )
            spans = [row["span_id"] for row in next(filter(None, fields), [])]
        return first["basis"], detail, tuple(spans)


def _grouped(rows: Iterable[Row], *columns: str) -> Mapping[Any, list[Row]]:
    """Return rows grouped by the value of a column, or by a tuple of the values of several columns."""
    found = defaultdict(list)
    key = itemgetter(*columns)
    for row in rows:
        found[key(row)].append(row)
    return found
