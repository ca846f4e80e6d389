"""Provenance: why each cell has its value.

Each column has a rule. `evidence`: the value can be read in words of the article; `assigned`: an annotator chose it,
based on words of the article where there are any; `inferred`: a note says from what; `computed`: a function computed it
from other cells. In the tables of records, each cell has the spans that support it; in tables derived from them, only
columns have provenance. A cell has none if the spans that should support it do not exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from defectors_data.models.tables import ROWS
from defectors_data.models.vocabularies import ProvenanceBasis

if TYPE_CHECKING:
    from defectors_data.package.tables_reader import Tables

Rows: TypeAlias = Mapping[str, list[dict[str, Any]]]


class ProvenanceRule(NamedTuple):
    """The provenance of the cells of a column."""

    basis: ProvenanceBasis
    field: str | None = None
    """The field of the record whose spans support a cell; None if no words do."""
    function: str | None = None
    inputs: str | None = None
    note: str | None = None


class CellProvenance(NamedTuple):
    """The provenance of a cell."""

    rule: ProvenanceRule
    spans: tuple[str, ...]
    listed: bool
    """Whether the spans are others than those of the rule's field of the same record."""


def _read(field: str = "evidence") -> ProvenanceRule:
    return ProvenanceRule("evidence", field)


def _chosen(field: str | None = None, note: str | None = None) -> ProvenanceRule:
    return ProvenanceRule("assigned", field, note=note)


def _made(function: str, inputs: str, field: str | None = None) -> ProvenanceRule:
    return ProvenanceRule("computed", field, function=function, inputs=inputs)


_ID = _chosen(note="An identifier, assigned once and never reused.")
_NOTE = _chosen(note="The annotators' own words.")
_SOURCE = _made("rows.records.tables_of", "the annotation file that contains the record")
_INTRODUCED = "a mention of the speaker"
_PLACE = dict.fromkeys(("start", "end"), _made("evidence.anchoring.spans", "spans.start; spans.end", "evidence"))
_BOUNDS = _made("text.quantities.read", "figures.text", "evidence")
_NUMBERS = "figures.value; figures.low; figures.high; figures.hedge; figures.unit; tolerances"
_INTERVAL = dict.fromkeys(
    ("interval_low", "interval_high", "low_open", "high_open"), _made("evidence.relations.allowed", _NUMBERS)
)
_ROUNDED = dict.fromkeys(("rounded_low", "rounded_high"), _made("text.intervals.rounded", _NUMBERS))
_AS_OF = _made("models.fields.edtf_bounds", "figures.as_of", "evidence")
_DECLARED = _chosen(note="Declared by the annotators.")
_WORKED_OUT = _made("evidence.relations.evaluate_relation", "figures.value; figures.low; figures.high; figures.hedge")
_VOCABULARY = _chosen(note="From the annotators' vocabulary; `used` is counted.")
_FACTS = ("authors", "outlet", "published")

RULES: dict[str, dict[str, ProvenanceRule]] = {
    "sources": {
        "source_id": _ID,
        "seed_file": _chosen(note="The name of the file that was annotated."),
        "sha256": _made("corpus.files.verified_text", "the bytes of the seed"),
        **dict.fromkeys(("chars", "words"), _made("rows.records.tables_of", "the text of the seed")),
        "chars_revealed": _made("rows.records.tables_of", "spans.start; spans.end; spans.prefix; spans.suffix"),
        "title": _read("title"),
        "subtitle": _read("subtitle"),
        "authors": _read("authors"),
        "outlet": _read("outlet"),
        "published": _read("published"),
        **dict.fromkeys(("published_from", "published_to"), _made("models.fields.edtf_bounds", "sources.published")),
        "language": _chosen(note="The language of the whole text."),
        "dateline": _read("dateline"),
        "url": _read("url"),
        "cited_outlets": _read("cited_outlets"),
        "rights": _chosen(note="Who has the rights in an article that prints no licence."),
        **dict.fromkeys((f"{name}_basis" for name in _FACTS), _chosen(note="Whether the text states it.")),
        "note": _NOTE,
    },
    "speakers": {
        "speaker_id": _ID,
        "source_id": _SOURCE,
        **dict.fromkeys(("kind", "role", "anonymity"), _chosen(_INTRODUCED)),
        "protected": _made("models.annotation.UnnamedPerson", "speakers.anonymity"),
        "name": _read(_INTRODUCED),
        **dict.fromkeys(("rank_class", "branch", "gender", "request"), _chosen(_INTRODUCED)),
        "note": _NOTE,
    },
    "mentions": {
        "mention_id": _ID,
        "speaker_id": _chosen("evidence"),
        "source_id": _SOURCE,
        **dict.fromkeys(("rank", "age", "years_of_service", "affiliation", "text"), _read()),
        **_PLACE,
    },
    "testimonies": {
        "testimony_id": _ID,
        "source_id": _SOURCE,
        "speaker_id": _chosen("evidence"),
        "speaker_role": _made("rows.records.tables_of", "speakers.role"),
        "mode": _chosen("evidence"),
        "outlet": _read("cited_outlets"),
        "text": _read(),
        "parts": _made("evidence.anchoring.spans", "spans.part", "evidence"),
        **_PLACE,
        "themes": _chosen("evidence"),
        "about_speaker_id": _chosen("evidence"),
        "note": _NOTE,
    },
    "testimony_themes": {
        "testimony_theme_id": _made("rows.records.tables_of", "testimonies.testimony_id; testimonies.themes"),
        "source_id": _SOURCE,
        "testimony_id": _made("rows.records.tables_of", "testimonies.testimony_id"),
        "theme": _chosen("evidence"),
    },
    "figures": {
        "figure_id": _ID,
        "source_id": _SOURCE,
        **dict.fromkeys(("testimony_id", "attributed_to", "measure", "population", "counted"), _chosen("evidence")),
        **dict.fromkeys(("text", "value"), _read()),
        **dict.fromkeys(("low", "high"), _BOUNDS),
        **dict.fromkeys(("hedge", "unit", "as_of"), _chosen("evidence")),
        **_INTERVAL,
        **_ROUNDED,
        **dict.fromkeys(("as_of_from", "as_of_to"), _AS_OF),
        "place": _read("place"),
        **_PLACE,
        "override": _NOTE,
        "note": _NOTE,
    },
    "relations": {
        "relation_id": _ID,
        "source_id": _SOURCE,
        **dict.fromkeys(("kind", "result", "operands"), _DECLARED),
        **dict.fromkeys(("outcome", "computation"), _WORKED_OUT),
        "note": _NOTE,
    },
}
"""The rules of the tables of records, by column."""

DERIVED: dict[str, ProvenanceRule] = {
    "spans": _made("evidence.anchoring.spans", "the evidence as annotated; the text of the seed"),
    "testimonies_joined": _made("rows.records.tables_of", "testimonies; speakers; mentions; sources"),
    **dict.fromkeys(("measures", "populations", "themes"), _VOCABULARY),
    "waivers": _chosen("evidence", note="A waiver, as annotated."),
    "ledger": _made(
        "evidence.ledger.ledger_of", "the text of the seed; testimonies; figures; mentions; waivers; sources"
    ),
    "tolerances": _made("rows.records.vocabulary_tables", "the tolerances of the vocabulary"),
    "comparisons": _made("rows.comparisons.pairs", "figures; measures; speakers; the annotators' notes"),
    "measure_summary": _made(
        "rows.comparisons.summaries", "figures; comparisons; sources.cited_outlets; the texts of the seeds"
    ),
    "tombstones": _made("release.takedown.take_down", "the removed record"),
    "provenance": _made("rows.provenance.ProvenanceIndex", "all other tables"),
}
"""The rules of derived tables, each for all columns."""

_LISTED = {
    *(("sources", column) for column in _FACTS),
    *(("speakers", column) for column, rule in RULES["speakers"].items() if rule.field),
    *(("testimonies", "mode"), ("testimonies", "outlet"), ("testimony_themes", "theme")),
}
"""Columns whose cells may rest on spans of another record or field."""

KEYS = {row.TABLE.name: row.TABLE.key for row in ROWS if row.TABLE.name in RULES}
"""The primary keys of the tables of records."""


class Cell(NamedTuple):
    """A filled cell, with its provenance."""

    table: str
    record_id: str
    column: str
    source_id: str | None
    provenance: CellProvenance | None
    """None if the words that should support the value do not exist."""

    @property
    def name(self) -> str:
        """Table, record and column, in the form for `dataset.why`."""
        return f"{self.table}/{self.record_id}/{self.column}"


class ProvenanceIndex:
    """Finder of the provenance of cells in the tables of records."""

    def __init__(self, rows: Rows) -> None:
        """Index the spans and mentions of tables given as rows.

        The row of a shared speaker that names a source is supported only by the mentions in that source.
        """
        self.rows = rows
        self.spans: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for span in rows["spans"]:
            self.spans[span["record_id"], span["field"]].append(span)
        self.introduced: dict[tuple[str, str | None], list[str]] = defaultdict(list)
        for mention in rows["mentions"]:
            for source_id in (mention["source_id"], None):
                self.introduced[mention["speaker_id"], source_id].append(mention["mention_id"])
        self.has_removed = bool(rows["tombstones"])

    def exceptions(self) -> Iterator[Cell]:
        """Yield the cells that do not rest on the spans of their column's rule, or whose spans do not exist."""
        for table, key in KEYS.items():
            for column, rule in RULES[table].items():
                listed = (table, column) in _LISTED
                for row in self.rows[table] if listed or rule.field else ():
                    if row[column] is not None and (listed or (row[key], rule.field) not in self.spans):
                        found = self.of(table, row, column)
                        if found is None or found.listed:
                            yield Cell(table, row[key], column, row["source_id"], found)

    def of(self, table: str, row: Mapping[str, Any], column: str) -> CellProvenance | None:
        """Return the provenance of a cell, or None if the words that should support it do not exist."""
        rule = RULES[table][column]
        if table == "sources" and column in _FACTS and row[f"{column}_basis"] == "inferred":
            inferred = ProvenanceRule("inferred", column, note=row["note"])
            return CellProvenance(inferred, self._ids(row["source_id"], column), listed=True) if row["note"] else None
        if rule.field is None:
            return CellProvenance(rule, (), listed=False)
        spans, listed = self._supporting(table, row, column, rule.field)
        if not spans and self.has_removed:
            return CellProvenance(_chosen(note="The words were removed."), (), listed=True)
        return CellProvenance(rule, spans, listed) if spans else None

    def _supporting(self, table: str, row: Mapping[str, Any], column: str, field: str) -> tuple[tuple[str, ...], bool]:
        """Return the spans that support a cell, and whether they are others than those of its rule."""
        if table == "speakers":
            return self._introducing(row, column), True
        if table == "testimony_themes":
            return self._ids(row["testimony_id"], row["theme"]) or self._ids(row["testimony_id"], field), True
        if table == "testimonies" and column == "mode" and (named := self._ids(row["testimony_id"], column)):
            return named, True
        if table == "testimonies" and column == "outlet":
            cited = self.spans[row["source_id"], field]
            return tuple(span["span_id"] for span in cited if span["exact"] == row["outlet"]), True
        return self._ids(row[KEYS[table]], field), False

    def _ids(self, record_id: str, field: str) -> tuple[str, ...]:
        return tuple(span["span_id"] for span in self.spans.get((record_id, field), ()))

    def _introducing(self, row: Mapping[str, Any], column: str) -> tuple[str, ...]:
        """Return the spans that show an attribute of a speaker: those attested for it, or else the mentions."""
        mentions = self.introduced[row["speaker_id"], row["source_id"]]
        introducing = [span for name in mentions for span in self.spans.get((name, "evidence"), ())]
        if column == "name":
            return tuple(span["span_id"] for span in introducing if str(row["name"]) in span["exact"])
        named = tuple(span for name in mentions for span in self._ids(name, column))
        if named or column in ("gender", "request"):  # mentions do not show these
            return named
        return tuple(span["span_id"] for span in introducing)


def without_words(tables: Tables) -> list[str]:
    """Return the cells of shared speakers that no source has words for, as table/id/column: a bug.

    `rows.records.tables_of` checks all other cells, within their source.
    """
    named = [column for column, rule in RULES["speakers"].items() if rule.field]
    needed: dict[str, set[str]] = {column: set() for column in named}
    for row in tables.rows("speakers", ["speaker_id", "source_id", *named]):
        for column in named if row["source_id"] is None else ():
            if row[column] is not None:
                needed[column].add(row["speaker_id"])
    if any(needed.values()):
        for row in tables.rows("provenance", ["table", "column", "record_id"]):
            if row["table"] == "speakers" and row["column"] in needed:
                needed[row["column"]].discard(row["record_id"])
    return sorted(f"speakers/{speaker}/{column}" for column, speakers in needed.items() for speaker in speakers)
