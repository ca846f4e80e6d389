"""Lookups in the published tables for the page: what belongs to each record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from defectors_data.documents.page import published_text, timeline
from defectors_data.rows import citation_formats, labels
from defectors_data.rows.cell_provenance import OF_COLUMN
from defectors_data.rows.labels import Row, Rows, by_key

_VERDICTS = (
    "conflicts",
    "differs_undated",
    "agrees_rounded",
    "compatible",
    "entails",
    "same",
    "not_comparable",
)
"""The verdicts in the order of the page: those that matter most to readers come first."""

_PROTECTED = {"kind", "anonymity", "rank_class", "branch", "gender", "request"}
"""Columns that the page omits for a protected person; it shows the role and a pseudonym."""


class _Provenance(NamedTuple):
    """The provenance of a cell, as the page shows it."""

    basis: str
    detail: str | None
    spans: tuple[str, ...]
    """The ids of spans."""


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
        """Index the rows of all tables, by table name, of a version of the dataset."""
        self.rows, self.version = rows, version
        self.speakers = by_key(rows["speakers"], "speaker_id")
        self.sources = by_key(rows["sources"], "source_id")
        self._labels: dict[str, dict[str, str]] = {}
        measures = list[Row]()
        for row in rows["measures"]:
            measures.append({**row, "term": row["measure"], "used": row["figures"]})
        self.terms = defaultdict(list, _grouped(rows["terms"], "kind"))
        self.terms["measure"] = measures
        """The terms of the vocabularies, by kind, and the measures."""
        for kind, terms in self.terms.items():
            self._labels[kind] = _column(terms, "term", "label")
        self._units = _column(self.terms["unit"], "term", "definition")
        self.figures = by_key(rows["figures"], "figure_id")
        self.mentioned = _column(rows["mentions"], "mention_id", "speaker_id")
        self.introduced = _column(rows["mentions"], "mention_id", "text")
        self.texts = published_text.published(rows)
        self._spans = by_key(rows["spans"], "span_id")
        self._spans_of_field = _grouped(rows["spans"], "record_id", "field")
        evidence = [span for span in rows["spans"] if span["field"] == "evidence"]
        self.evidence = _grouped(evidence, "record_id")
        self.statuses: dict[str, Counter[str]] = defaultdict(Counter)
        for entry in rows["ledger"]:
            self.statuses[entry["source_id"]][entry["status"]] += 1
        # Testimonies, attributed figures and mentions by speaker.
        self.testimonies_of = _grouped(rows["testimonies"], "speaker_id")
        self.figures_of = _grouped(rows["figures"], "attributed_to")
        self.mentions_of = _grouped(rows["mentions"], "speaker_id")
        # Figures by testimony and by measure; those denied or promised are not compared.
        self.figures_in = _grouped(rows["figures"], "testimony_id")
        measured = [figure for figure in rows["figures"] if figure["measure"]]
        affirmed = [figure for figure in measured if figure["polarity"] == "affirmed"]
        not_affirmed = [figure for figure in measured if figure["polarity"] != "affirmed"]
        self.measured = _grouped(affirmed, "measure")
        self.denied = _grouped(not_affirmed, "measure")
        # Sorted once: the groups below keep this order.
        pairs = sorted(rows["comparisons"], key=lambda pair: _VERDICTS.index(pair["verdict"]))
        self.pairs = _grouped(pairs, "measure")
        self.compared: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
        """The comparisons of each figure, each with the other figure."""
        for pair in pairs:
            a, b = pair["figure_a"], pair["figure_b"]
            self.compared[a].append((pair, self.figures[b]))
            self.compared[b].append((pair, self.figures[a]))
        said = by_key(rows["testimonies"], "testimony_id")
        self.related: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
        """The relations of each testimony to others, each with the other testimony."""
        for pair in rows["statement_relations"]:
            first, second = pair["first"], pair["second"]
            self.related[first].append((pair, said[second]))
            self.related[second].append((pair, said[first]))
        self._provenance = _grouped(rows["provenance"], "table_name", "column_name", "record_id")

    def segments(self, record_id: str) -> list[published_text.Segment]:
        """Return the evidence of a record in its published context."""
        parts = self.evidence[record_id]
        text = self.texts[parts[0]["source_id"]]
        return published_text.segments(
            text, [(part["start_offset"], part["end_offset"]) for part in parts]
        )

    def speaker(self, speaker_id: str) -> str:
        """Return the label of a speaker: the name, or only the role if no name is published."""
        return labels.speaker_label(self.speakers[speaker_id], self._labels["role"])

    def reported_by(self, figure: Row) -> str:
        """Return the label of the speaker to whom a figure is attributed, or `the writer`."""
        return labels.reported_by(figure, self.speakers, self._labels["role"])

    def described(self, table: str, row: Row, key: str) -> str:
        """Return the description of a record that its citation contains."""
        speaker = self.speakers.get(citation_formats.speaker_of(row) or "")
        who = labels.speaker_label(speaker, self._labels["role"]) if speaker else ""
        source = self.sources.get(row["source_id"])
        return citation_formats.described(f"{table}/{row[key]}", row, source, who, self.version)

    def sources_of(self, speaker_id: str) -> list[str]:
        """Return the ids of the sources that mention a speaker."""
        return sorted({mention["source_id"] for mention in self.mentions_of[speaker_id]})

    def label(self, kind: str, term: str) -> str:
        """Return the label of a term of a vocabulary, or of a measure."""
        return self._labels[kind][term]

    def article(self, source_id: str) -> str:
        """Return the label of an article."""
        return labels.article_label(self.sources[source_id])

    def quotations(self) -> list[Row]:
        """Return a short testimony in direct speech for each of the most quoted roles.

        Each is the one with the most themes.
        """
        quoted, short = Counter[str](), defaultdict[str, list[Row]](list)
        for row in self.rows["testimonies"]:
            if row["mode"] == "direct" and row["parts"] == 1:
                quoted[row["speaker_role"]] += 1
                if len(row["text"]) in _SHORT:
                    short[row["speaker_role"]].append(row)
        roles = [role for role, _ in quoted.most_common() if role in short]
        return [max(short[role], key=_themes_and_length) for role in roles[:QUOTATIONS]]

    def events(self, *, without_year: bool) -> list[timeline.Event]:
        """Return the entries of the timeline with or without a year, in order of their dates."""
        found = timeline.events(self.rows, self.texts)
        return [event for event in found if event.date.startswith("XX") == without_year]

    def unit(self, unit: str) -> str:
        """Return the definition of a unit, such as `US dollars a month`."""
        return self._units[unit]

    def roles(self) -> dict[str, str]:
        """Return the roles that speakers have, with their labels."""
        found = {row["role"] for row in self.rows["speakers"]}
        return {role: label for role, label in self._labels["role"].items() if role in found}

    def measures(self) -> list[Row]:
        """Return the measures that have figures.

        Those with conflicts come first, and those that are not compared last.
        """
        used = [row for row in self.rows["measures"] if row["figures"]]
        return sorted(used, key=_conflicts_first)

    def covering_record(self, entry: Row) -> str | None:
        """Return the anchor of the record that covers or waives an entry of the ledger."""
        table, record_id = entry["record_table"], entry["record_id"]
        if table == "mentions":  # shown with their speaker
            table, record_id = "speakers", self.mentioned.get(record_id)
        return f"{table}/{record_id}" if table and record_id else None

    def provenance(self, table: str, row: Row, key: str) -> list[ProvenanceLine]:
        """Return the provenance of the filled cells of a record, grouped by provenance."""
        hidden = _PROTECTED if row.get("protected") else ()
        columns_of = defaultdict[_Provenance, list[str]](list)
        for column, cell in row.items():
            if cell is not None and column not in hidden:
                columns_of[self._provenance_of(table, column, row[key])].append(column)
        lines = []
        for found, columns in columns_of.items():
            spans = tuple(self._spans[span] for span in found.spans)
            lines.append(ProvenanceLine(tuple(columns), found.basis, found.detail, spans))
        return lines

    def _provenance_of(self, table: str, column: str, record_id: str) -> _Provenance:
        """Return the provenance of a cell, which is that of its column or differs from it."""
        spans = list[str]()
        # For a shared speaker, there is a row for each source.
        of_cell = self._provenance.get((table, column, record_id), [])
        if of_cell:
            row = of_cell[0]
            for each in of_cell:
                if each["spans"]:
                    spans += each["spans"].split(";")
        else:
            [row] = self._provenance[table, column, OF_COLUMN]
            spans = self._first_spans(record_id, row["spans"] or "")
        detail = row["note"]
        if row["function"]:
            detail = f"by {row['function']} from {row['inputs']}"
        return _Provenance(row["basis"], detail, tuple(spans))

    def _first_spans(self, record_id: str, fields: str) -> list[str]:
        """Return the spans of the first field, of several joined by `;`, that a record has."""
        for field in fields.split(";"):
            found = self._spans_of_field[record_id, field]
            if found:
                return [row["span_id"] for row in found]
        return []


def _themes_and_length(testimony: Row) -> tuple[int, int]:
    return testimony["themes"].count(";"), len(testimony["text"])


def _conflicts_first(summary: Row) -> tuple[bool, bool]:
    verdicts = summary["verdicts"]
    return "conflicts" not in (verdicts or ""), verdicts is None


def _column(rows: Iterable[Row], key: str, column: str) -> dict[str, str]:
    """Return the values of a column by those of another one."""
    return {row[key]: row[column] for row in rows}


def _grouped(rows: Iterable[Row], *columns: str) -> Mapping[Any, list[Row]]:
    """Return rows grouped by the value of a column, or by the values of several columns."""
    found = defaultdict(list)
    key = itemgetter(*columns)
    for row in rows:
        found[key(row)].append(row)
    return found
