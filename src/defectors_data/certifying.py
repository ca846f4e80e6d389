"""Why each cell holds what it holds: one certificate under every cell that is not empty.

A column has a rule. `evidence`: the cell can be read in words of the article; `assigned`: an annotator chose it, from
words of the article where there are any; `inferred`: a note says from what; `computed`: a function made it from other
cells. In the tables of records each cell is certified with the spans it rests on; in tables that the build makes from
them, each column. What rests on no span that is there has no certificate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from defectors_data.vocabularies import CertificateBasis

Rows: TypeAlias = Mapping[str, list[dict[str, Any]]]


class Rule(NamedTuple):
    """What certifies the cells of a column."""

    basis: CertificateBasis
    field: str | None = None
    """The field of the record whose spans a cell rests on; None where it rests on no words of its own."""
    function: str | None = None
    inputs: str | None = None
    note: str | None = None


class Certificate(NamedTuple):
    """Why one cell holds what it holds."""

    table: str
    record_id: str
    column: str
    rule: Rule
    spans: tuple[str, ...]
    listed: bool
    """Whether the spans are not simply those of the rule's field of the same record."""


def _read(field: str = "evidence") -> Rule:
    return Rule("evidence", field)


def _chosen(field: str | None = None, note: str | None = None) -> Rule:
    return Rule("assigned", field, note=note)


def _made(function: str, inputs: str, field: str | None = None) -> Rule:
    return Rule("computed", field, function=function, inputs=inputs)


_ID = _chosen(note="An id, given once and never used again.")
_NOTE = _chosen(note="The annotators' own words.")
_FROM_SPANS = "spans.start; spans.end"
_SOURCE = _made("tabling.tables", "the annotation file that the record stands in")
_INTRODUCED = "a mention of the speaker"

RULES: dict[str, dict[str, Rule]] = {
    "sources": {
        "source_id": _ID,
        "seed_file": _chosen(note="The name of the file that was annotated."),
        "sha256": _made("reading.read", "the bytes of the seed"),
        "chars": _made("tabling.tables", "the text of the seed"),
        "words": _made("tabling.tables", "the text of the seed"),
        "chars_revealed": _made("tabling.tables", "spans.start; spans.end; spans.prefix; spans.suffix"),
        "title": _read("title"),
        "subtitle": _read("subtitle"),
        "authors": _read("authors"),
        "outlet": _read("outlet"),
        "published": _read("published"),
        "published_from": _made("values.edtf_bounds", "sources.published"),
        "published_to": _made("values.edtf_bounds", "sources.published"),
        "language": _chosen(note="The language of the whole text."),
        "dateline": _read("dateline"),
        "url": _read("url"),
        "cited_outlets": _read("cited_outlets"),
        "rights": _chosen(note="Who holds the rights in an article that prints no licence."),
        "outlet_basis": _chosen(note="Whether the text states it."),
        "authors_basis": _chosen(note="Whether the text states it."),
        "published_basis": _chosen(note="Whether the text states it."),
        "note": _NOTE,
    },
    "speakers": {
        "speaker_id": _ID,
        "source_id": _SOURCE,
        "kind": _chosen(_INTRODUCED),
        "role": _chosen(_INTRODUCED),
        "anonymity": _chosen(_INTRODUCED),
        "protected": _made("models.UnnamedPerson", "speakers.anonymity"),
        "name": _read(_INTRODUCED),
        "rank_class": _chosen(_INTRODUCED),
        "branch": _chosen(_INTRODUCED),
        "gender": _chosen(_INTRODUCED),
        "request": _chosen(_INTRODUCED),
        "note": _NOTE,
    },
    "mentions": {
        "mention_id": _ID,
        "speaker_id": _chosen("evidence"),
        "source_id": _SOURCE,
        **dict.fromkeys(("rank", "age", "years_of_service", "affiliation", "text"), _read()),
        "start": _made("anchoring.spans", _FROM_SPANS, "evidence"),
        "end": _made("anchoring.spans", _FROM_SPANS, "evidence"),
    },
    "testimonies": {
        "testimony_id": _ID,
        "source_id": _SOURCE,
        "speaker_id": _chosen("evidence"),
        "speaker_role": _made("tabling.tables", "speakers.role"),
        "mode": _chosen("evidence"),
        "outlet": _read("cited_outlets"),
        "text": _read(),
        "parts": _made("anchoring.spans", "spans.part", "evidence"),
        "start": _made("anchoring.spans", _FROM_SPANS, "evidence"),
        "end": _made("anchoring.spans", _FROM_SPANS, "evidence"),
        "themes": _chosen("evidence"),
        "about_speaker_id": _chosen("evidence"),
        "note": _NOTE,
    },
    "testimony_themes": {
        "testimony_theme_id": _made("tabling.tables", "testimonies.testimony_id; testimonies.themes"),
        "testimony_id": _made("tabling.tables", "testimonies.testimony_id"),
        "theme": _chosen("evidence"),
    },
    "figures": {
        "figure_id": _ID,
        "source_id": _SOURCE,
        "testimony_id": _chosen("evidence"),
        "attributed_to": _chosen("evidence"),
        "measure": _chosen("evidence"),
        "population": _chosen("evidence"),
        "counted": _chosen("evidence"),
        "text": _read(),
        "value": _read(),
        "low": _made("quantities.read", "figures.text", "evidence"),
        "high": _made("quantities.read", "figures.text", "evidence"),
        "hedge": _chosen("evidence"),
        "unit": _chosen("evidence"),
        "as_of": _chosen("evidence"),
        "as_of_from": _made("values.edtf_bounds", "figures.as_of", "evidence"),
        "as_of_to": _made("values.edtf_bounds", "figures.as_of", "evidence"),
        "place": _read("place"),
        "start": _made("anchoring.spans", _FROM_SPANS, "evidence"),
        "end": _made("anchoring.spans", _FROM_SPANS, "evidence"),
        "override": _NOTE,
        "note": _NOTE,
    },
    "relations": {
        "relation_id": _ID,
        "source_id": _SOURCE,
        "kind": _chosen(note="Declared by the annotators."),
        "result": _chosen(note="Declared by the annotators."),
        "of": _chosen(note="Declared by the annotators."),
        "outcome": _made("comparing.evaluated", "figures.value; figures.low; figures.high; figures.hedge"),
        "computation": _made("comparing.evaluated", "figures.value; figures.low; figures.high; figures.hedge"),
        "note": _NOTE,
    },
}
"""The rule of each column of the tables of records."""

DERIVED: dict[str, Rule] = {
    "spans": _made("anchoring.spans", "the evidence as annotated; the text of the seed"),
    "testimonies_joined": _made("tabling.tables", "testimonies; speakers; mentions; sources"),
    "measures": _chosen(note="The vocabulary of the annotators; `used` is counted."),
    "populations": _chosen(note="The vocabulary of the annotators; `used` is counted."),
    "themes": _chosen(note="The vocabulary of the annotators; `used` is counted."),
    "waivers": _chosen("evidence", note="A waiver, as annotated."),
    "ledger": _made("accounting.account", "the text of the seed; testimonies; figures; mentions; waivers; sources"),
    "comparisons": _made("comparing.pairs", "figures; the tolerances of the vocabulary; the annotators' notes"),
    "measure_summary": _made("comparing.summaries", "figures; sources.cited_outlets; the texts of the seeds"),
    "tombstones": _made("withdrawing.take_down", "the record that was taken out"),
    "provenance": _made("certifying.Certifier", "all other tables"),
}
"""The rule of all columns of each table that is made of others."""

KEYS = {
    "sources": "source_id",
    "speakers": "speaker_id",
    "mentions": "mention_id",
    "testimonies": "testimony_id",
    "testimony_themes": "testimony_theme_id",
    "figures": "figure_id",
    "relations": "relation_id",
}

_STATED = ("authors", "outlet", "published")


def uncertified(rows: Rows) -> list[str]:
    """Return the cells that rest on words that are nowhere, as table/id/column."""
    return ["/".join(cell) for cell, certificate in Certifier(rows).all() if certificate is None]


class Certifier:
    """Gives the certificate of every cell of the tables of records."""

    def __init__(self, rows: Rows) -> None:
        """Take the tables as rows; `spans`, `mentions` and `sources` are looked up."""
        self.rows = rows
        self.spans: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for span in rows["spans"]:
            self.spans[span["record_id"], span["field"]].append(span)
        self.ids = {of: tuple(span["span_id"] for span in spans) for of, spans in self.spans.items()}
        self.introduced: dict[str, list[str]] = defaultdict(list)
        for mention in rows["mentions"]:
            self.introduced[mention["speaker_id"]].append(mention["mention_id"])
        self.names = {row["speaker_id"]: row["name"] for row in rows["speakers"]}
        self.taken_out = bool(rows["tombstones"])

    def all(self) -> Iterator[tuple[tuple[str, str, str], Certificate | None]]:
        """Give every cell that is not empty, by table, id and column, with its certificate or None."""
        for table, key in KEYS.items():
            for row in self.rows[table]:
                for column in RULES[table]:
                    if row[column] is not None:
                        yield (table, row[key], column), self.of(table, row, column)

    def of(self, table: str, row: Mapping[str, Any], column: str) -> Certificate | None:
        """Return the certificate of a cell, or None where it rests on words that are nowhere."""
        rule, name = RULES[table][column], str(row[KEYS[table]])
        if table == "sources" and column in _STATED and row[f"{column}_basis"] == "inferred":
            note = row["note"] and str(row["note"])
            inferred = Rule("inferred", column, note=note)
            return Certificate(table, name, column, inferred, self._ids(name, column), listed=True) if note else None
        if rule.field is None:
            return Certificate(table, name, column, rule, (), listed=False)
        spans, listed = self._resting_on(table, row, column, rule.field)
        if not spans and self.taken_out:
            return Certificate(table, name, column, _chosen(note="The words were taken out."), (), listed=True)
        return Certificate(table, name, column, rule, spans, listed) if spans else None

    def _resting_on(self, table: str, row: Mapping[str, Any], column: str, field: str) -> tuple[tuple[str, ...], bool]:
        """Return the spans that a cell rests on, and whether they are of another record."""
        if table == "speakers":
            return self._introducing(row["speaker_id"], column), True
        if table == "testimony_themes":
            return self._ids(row["testimony_id"], row["theme"]) or self._ids(row["testimony_id"], field), True
        if table == "testimonies" and column == "mode" and (named := self._ids(row["testimony_id"], column)):
            return named, True
        if table == "testimonies" and column == "outlet":
            cited = self.spans[row["source_id"], field]
            return tuple(span["span_id"] for span in cited if span["exact"] == row["outlet"]), True
        return self._ids(row[KEYS[table]], field), False

    def _ids(self, record_id: str, field: str) -> tuple[str, ...]:
        return self.ids.get((record_id, field), ())

    def _introducing(self, speaker_id: str, column: str) -> tuple[str, ...]:
        """Return the words that license an attribute of a speaker: those named for it, or those that introduce them."""
        mentions = self.introduced[speaker_id]
        licensing = [span for name in mentions for span in self._ids(name, column)]
        introducing = [span for name in mentions for span in self.spans[name, "evidence"]]
        if column == "name":
            named = [span["span_id"] for span in introducing if str(self.names[speaker_id]) in span["exact"]]
            return tuple(named)
        if column in ("gender", "request"):  # no introduction tells these: words are named for them
            return tuple(licensing)
        return tuple(licensing or [span["span_id"] for span in introducing])
