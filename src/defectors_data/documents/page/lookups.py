"""Lookups in the published tables for the page: labels, and what belongs to each record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from defectors_data.documents.page import published_text
from defectors_data.rows import citation_formats, labels
from defectors_data.rows.cell_provenance import OF_COLUMN
from defectors_data.rows.labels import Row, Rows, articles_by_id, by_key

_KINDS = ("theme", "population", "role", "place", "factor", "act", "unit")
"""The kinds of terms that the page shows, besides measures."""


_BASES = {
    "evidence": "The article says so.",
    "assigned": "Chosen by judgement.",
    "default": "No other value was written.",
    "inferred": "Inferred.",
    "external": "Found outside the article.",
    "other_edition": "That of another edition.",
    "computed": "Computed from the words.",
}
"""The bases of provenance in words."""


class Why(NamedTuple):
    """Why a cell has its value."""

    basis: str
    note: str | None
    spans: tuple[Row, ...]
    """The spans in which the value can be read."""

    @property
    def meaning(self) -> str:
        """The basis in words, unless the note says it."""
        if self.note and self.note.startswith("Inferred"):
            return ""
        return _BASES[self.basis]


class Lookups:
    """Lookups in the published tables, for the templates of the page."""

    def __init__(self, rows: Rows, version: str) -> None:
        """Index the rows of all tables, by table name, of a version of the dataset."""
        self.rows, self.version = rows, version
        self.sources = articles_by_id(rows["sources"])
        self.speakers = by_key(rows["speakers"], "speaker_id")
        self.testimonies = by_key(rows["testimonies"], "testimony_id")
        self.figures = by_key(rows["figures"], "figure_id")
        self.terms = _terms(rows)
        """The terms of each vocabulary and the measures, by kind, ordered by label."""
        self._labels: dict[str, dict[str, str]] = {}
        for kind, found in self.terms.items():
            self._labels[kind] = {row["term"]: row["label"] for row in found}
        self.definitions = {row["term"]: row["definition"] for row in self.terms["measure"]}
        self.texts = published_text.published(rows)
        self._spans = by_key(rows["spans"], "span_id")
        self._spans_of_field = _grouped(rows["spans"], "record_id", "field")
        evidence = [span for span in rows["spans"] if span["field"] == "evidence"]
        self.evidence = _grouped(evidence, "record_id")
        self.statuses: dict[str, Counter[str]] = defaultdict(Counter)
        waivers = dict[str, str]()
        for entry in rows["ledger"]:
            self.statuses[entry["source_id"]][entry["status"]] += 1
            if entry["waiver_id"]:
                waivers.setdefault(entry["waiver_id"], entry["ledger_id"])
        self.waiver_at = {entry: waiver for waiver, entry in waivers.items()}
        """The waivers by the first entry of the ledger that each accounts for."""
        self.testimonies_in = _grouped(rows["testimonies"], "source_id")
        self.figures_in = _grouped(rows["figures"], "source_id")
        self.testimonies_of = _grouped(rows["testimonies"], "speaker_id")
        self.figures_of = _grouped(rows["figures"], "attributed_to")
        self.figures_within = _grouped(rows["figures"], "testimony_id")
        self.mentions_of = _grouped(rows["mentions"], "speaker_id")
        self.motives_of = _grouped(rows["motives"], "testimony_id")
        self.acts_of = _grouped(rows["acts"], "testimony_id")
        self.pairs_of: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
        """The comparisons of each figure, each with the other figure."""
        for pair in rows["comparisons"]:
            a, b = pair["figure_a"], pair["figure_b"]
            self.pairs_of[a].append((pair, self.figures[b]))
            self.pairs_of[b].append((pair, self.figures[a]))
        self.related: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
        """The relations of each testimony to others, each with the other testimony."""
        for relation in rows["statement_relations"]:
            first, second = relation["first"], relation["second"]
            self.related[first].append((relation, self.testimonies[second]))
            self.related[second].append((relation, self.testimonies[first]))
        self.mentions = by_key(rows["mentions"], "mention_id")
        self.changes = by_key(rows["history"], "record_id")
        """The last change of each record that changed after the first release."""
        self._provenance = _grouped(rows["provenance"], "table_name", "column_name", "record_id")

    # ---- labels --------------------------------------------------------------------------------

    def label(self, kind: str, term: str) -> str:
        """Return the label of a term of a vocabulary."""
        return self._labels[kind][term]

    def used(self, kind: str, rows: Iterable[Row], column: str) -> list[tuple[str, str]]:
        """Return the terms in a column with their labels: any other would leave no row."""
        found = {row[column] for row in rows}
        terms = [row for row in self.terms[kind] if row["term"] in found]
        return [(row["term"], row["label"]) for row in terms]

    def unit(self, term: str) -> str:
        """Return the label of a unit; empty if it says only that something is counted."""
        if term in ("item", "other"):
            return ""
        return self.label("unit", term)

    def article(self, source_id: str) -> str:
        """Return the short name of an article."""
        name: str = self.sources[source_id]["label"]
        return name

    def role(self, speaker_id: str) -> str:
        """Return the label of a speaker's role."""
        return self.label("role", self.speakers[speaker_id]["role"])

    def who(self, speaker_id: str) -> str:
        """Return the label of a speaker: the name, the article's words for a group, or the role."""
        speaker = self.speakers[speaker_id]
        mentions = self.mentions_of[speaker_id]
        has_label = speaker["name"] or speaker["protected"] or speaker["kind"] == "writer"
        if has_label or not mentions:
            return labels.speaker_label(speaker, self._labels["role"])
        return f"“{mentions[0]['text']}”"

    def is_inferred_writer(self, speaker_id: str) -> bool:
        """Return whether a reader inferred that a named writer wrote the article."""
        speaker = self.speakers[speaker_id]
        if speaker["kind"] != "writer" or not speaker["name"]:
            return False
        return bool(self.sources[speaker["source_id"]]["authors_basis"] == "inferred")

    def says_role(self, speaker_id: str) -> bool:
        """Return whether the label of a speaker says the role, so that it is not repeated."""
        speaker = self.speakers[speaker_id]
        unnamed = speaker["protected"] and not speaker["pseudonym_possible"]
        return bool(unnamed or speaker["kind"] == "writer")

    def in_short(self, speaker_id: str) -> str:
        """Return the label of a speaker without any name of a protected person."""
        speaker = self.speakers[speaker_id]
        if not speaker["protected"]:
            return f"{self.who(speaker_id)}, {self.role(speaker_id)}"
        return labels.unnamed_label(speaker, self._labels["role"])

    def said_by(self, speaker_id: str) -> list[Row]:
        """Return the testimonies with what a speaker said."""
        return [row for row in self.testimonies_of[speaker_id] if not labels.is_about(row)]

    def narrated_about(self, speaker_id: str) -> list[Row]:
        """Return the testimonies with what the article narrates about a speaker."""
        return [row for row in self.testimonies_of[speaker_id] if labels.is_about(row)]

    def is_about(self, figure: Row) -> bool:
        """Return whether a figure is in the article's words about those to whom it is attributed."""
        return labels.is_about_source(figure, self.testimonies)

    def date_basis(self, figure: Row) -> str:
        """Return how the date of a figure is known: "stated" unless its testimony has the same one."""
        testimony = self.testimonies.get(figure["testimony_id"] or "")
        if testimony is None or testimony["happened"] != figure["as_of"]:
            return "stated"
        return str(testimony["happened_basis"])

    def described(self, table: str, row: Row, key: str) -> str:
        """Return the description of a record that its citation contains."""
        speaker = self.speakers.get(citation_formats.speaker_of(row) or "")
        who = ""
        if speaker:
            who = labels.speaker_label(speaker, self._labels["role"])
        source = self.sources.get(row["source_id"])
        return citation_formats.described(f"{table}/{row[key]}", row, source, who, self.version)

    # ---- records -------------------------------------------------------------------------------

    def segments(self, record_id: str) -> list[published_text.Segment]:
        """Return the evidence of a record in its published context."""
        parts = self.evidence[record_id]
        text = self.texts[parts[0]["source_id"]]
        return published_text.segments(text, parts)

    def label_instead_of_words(self, record_id: str, row: Row) -> str:
        """Return the label of the speaker of a record next to another, if it may not be quoted there.

        It may not if its evidence is in a paragraph about a protected person.
        """
        speaker_id = citation_formats.speaker_of(row)
        for part in self.evidence[record_id]:
            span = published_text.place(part)
            protected = self.texts[part["source_id"]].protected
            if not protected.isdisjoint(range(span.start, span.end)):
                if not speaker_id:
                    return "the article"
                return self.in_short(speaker_id)
        return ""

    def nearby(self, table: str, row: Row, key: str) -> list[Row]:
        """Return a record of an article with the one before and the one after it."""
        in_source = self.figures_in
        if table == "testimonies":
            in_source = self.testimonies_in
        records = in_source[row["source_id"]]
        at = [record[key] for record in records].index(row[key])
        return records[max(0, at - _NEARBY) : at + _NEARBY + 1]

    def introduced(self, speaker_id: str) -> list[tuple[str, int]]:
        """Return the sources that mention a speaker, each with the line of the first mention."""
        lines = dict[str, int]()
        for mention in self.mentions_of[speaker_id]:
            [span, *_] = self.evidence[mention["mention_id"]]
            lines.setdefault(mention["source_id"], span["line"])
        return sorted(lines.items())

    def reasons(self, testimony_id: str) -> list[str]:
        """Return the values of a testimony for the filter by reason."""
        return [self.reason(motive) for motive in self.motives_of[testimony_id]]

    def reason(self, motive: Row) -> str:
        """Return a reason as a value of the filter, such as `leave.push.hunger_pay`."""
        return f"{motive['decision']}.{motive['direction']}.{motive['factor']}"

    def covering_record(self, entry: Row) -> str | None:
        """Return the anchor of the record that an entry of the ledger is in or repeats."""
        table, record_id = entry["record_table"], entry["record_id"]
        if table == "mentions":  # shown with their speaker
            table, record_id = "speakers", self.mentions[record_id]["speaker_id"]
        if table not in ("testimonies", "figures", "speakers", "sources"):
            return None
        return f"{table}/{record_id}"

    # ---- provenance ----------------------------------------------------------------------------

    def why(self, table: str, column: str, record_id: str) -> Why | None:
        """Return why a cell has its value; None if the package has no provenance."""
        of_cell = self._provenance.get((table, column, record_id), [])
        if of_cell:
            # For a shared speaker, there is a row for each source.
            names = list[str]()
            for row in of_cell:
                if row["spans"]:
                    names += row["spans"].split(";")
            spans = tuple(self._spans[name] for name in names)
            return Why(of_cell[0]["basis"], of_cell[0]["note"], spans)
        of_column = self._provenance.get((table, column, OF_COLUMN), [])
        if not of_column:
            return None
        fields = (of_column[0]["spans"] or "").split(";")
        return Why(of_column[0]["basis"], None, self._first_spans(record_id, fields))

    def _first_spans(self, record_id: str, fields: Iterable[str]) -> tuple[Row, ...]:
        """Return the spans of the first field that a record has."""
        for field in fields:
            found = self._spans_of_field[record_id, field]
            if found:
                return tuple(found)
        return ()


def _terms(rows: Rows) -> dict[str, list[Row]]:
    of_kind = _grouped(rows["terms"], "kind")
    found = {kind: of_kind[kind] for kind in _KINDS}
    found["measure"] = []
    # The column `figures` of `measures` leaves out figures that are denied or supposed.
    used = Counter(row["measure"] for row in rows["figures"])
    for row in rows["measures"]:
        found["measure"].append({**row, "term": row["measure"], "used": used[row["measure"]]})
    for terms in found.values():
        terms.sort(key=itemgetter("label"))
    return found


_NEARBY = 1
"""Number of records that are listed before and after a record."""


def _grouped(rows: Iterable[Row], *columns: str) -> Mapping[Any, list[Row]]:
    """Return rows grouped by the value of a column, or by the values of several columns."""
    found = defaultdict(list)
    key = itemgetter(*columns)
    for row in rows:
        found[key(row)].append(row)
    return found
