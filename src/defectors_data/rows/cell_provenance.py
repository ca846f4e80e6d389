"""Provenance: why each cell has its value.

Each column has a rule, which states the basis of its values:

- `evidence`: the value can be read in the words of the article.
- `assigned`: an annotator chose the value, based on words of the article where there are any.
- `inferred`: an annotator inferred the value; a note says from what.
- `default`: the value that a record has unless an annotator writes another.
- `computed`: a function computed the value from other cells.

A cell of a record is supported by spans; it has no provenance if the spans that should support it
do not exist. A cell of a table that is derived from records is based on the rows that its rule
joins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from defectors_data.models.closed_vocabularies import (
    ADDED_TO_NOTES,
    MEANINGS,
    OVERRIDDEN,
    ProvenanceBasis,
)

if TYPE_CHECKING:
    from defectors_data.package.tables_reader import PackageTables

Rows: TypeAlias = Mapping[str, list[dict[str, Any]]]


class ProvenanceRule(NamedTuple):
    """The provenance of the cells of a column."""

    basis: ProvenanceBasis
    field: str | None = None
    """The `field` of the spans that support a cell; None if no words support it.

    If several are joined by `;`, the first one for which the record has spans is used.
    """
    function: str | None = None
    """The name of the function or class that computes the value, without its module."""
    inputs: str | None = None
    note: str | None = None
    join: str | None = None
    """How to find the rows on which a cell is based.

    Each join is `table.column = column of this table`; several are joined by `; `.
    """

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields whose spans support a cell, in order of preference."""
        return tuple(self.field.split(";")) if self.field else ()

    @property
    def joins(self) -> list[Join]:
        """The joins to other tables, in the order in which `join` names them."""
        found = []
        joins = self.join.split("; ") if self.join else []
        for each in joins:
            equal, *conditions = each.split(" and ")
            other, own = equal.split(" = ")
            table, _, column = other.partition(".")
            found.append(Join(table, column, own, tuple(conditions)))
        return found


class Join(NamedTuple):
    """The rows of another table on which a cell is based."""

    table: str
    column: str
    own: str
    """The column of the cell's table with the same value as `column`."""
    conditions: tuple[str, ...]
    """What else is true of the rows: `COLUMN = VALUE` or `COLUMN is not null`."""

    def includes(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row of the other table fulfils the conditions."""
        for condition in self.conditions:
            column, _, value = condition.partition(" = ")
            if value and row[column] != value:
                return False
            if not value and row[condition.removesuffix(" is not null")] is None:
                return False
        return True


class CellProvenance(NamedTuple):
    """The provenance of a cell."""

    rule: ProvenanceRule
    spans: tuple[str, ...]
    listed: bool
    """Whether the rule or the spans of the cell may differ from those of its column."""


def _read(field: str = "evidence") -> ProvenanceRule:
    return ProvenanceRule("evidence", field)


def _chosen(
    field: str | None = None, note: str | None = None, join: str | None = None
) -> ProvenanceRule:
    return ProvenanceRule("assigned", field, note=note, join=join)


def _unless_written(value: str) -> ProvenanceRule:
    return ProvenanceRule("default", note=f"`{value}` where no annotator wrote another value.")


def _made(
    function: str, inputs: str, field: str | None = None, join: str | None = None
) -> ProvenanceRule:
    return ProvenanceRule("computed", field, function=function, inputs=inputs, join=join)


def _id(field: str | None = None, join: str | None = None) -> ProvenanceRule:
    return _chosen(field, "An identifier, assigned once and never reused.", join)


def _source(field: str | None = None, join: str | None = None) -> ProvenanceRule:
    return _made("tables_of", "the annotation file that contains the record", field, join)


def _all(rule: ProvenanceRule, *columns: str) -> dict[str, ProvenanceRule]:
    """Return the same rule for several columns."""
    return dict.fromkeys(columns, rule)


_NOTE = _chosen("evidence", "The annotators' own words.")
_INTRODUCED = "a mention of the speaker"
_INFERRED = {key: f"{key}_inferred" for key in ("role", "rank_class", "branch")}
"""The columns of `speakers` with the reasons for inferences, by attribute."""
_OF_SPEAKER = "mentions.speaker_id = speaker_id"
_OFFSETS = ("start_offset", "end_offset")
_PLACE = _all(_made("find_spans", "spans.start_offset; spans.end_offset", "evidence"), *_OFFSETS)
_QUANTITY = "quantity;evidence"
# The hedge is outside the words of the number.
_BOUNDS = _made("read_quantity", "figures.text", "evidence")
_STATED = "figures.value; figures.low; figures.high; figures.hedge; figures.polarity; figures.unit"
_INTERVAL = _made("allowed_interval", f"{_STATED}; terms.percent; terms.whole", "evidence")
_ROUNDED = _made("rounded", f"{_STATED}; terms.percent; terms.whole", "evidence")
_AS_OF = _made("edtf_bounds", "figures.as_of", "as_of")
_OF_TESTIMONY = "testimonies.testimony_id = testimony_id"
_ATTRIBUTED = _chosen(
    "attribution;evidence",
    join="mentions.mention_id = attribution_id; testimonies.testimony_id = attribution_id",
)._replace(inputs="testimonies.attribution_text")
_OF_CODED = _made(
    "tables_of", "testimonies.testimony_id; testimonies.speaker_id", "evidence", _OF_TESTIMONY
)
_HAPPENED = _made("edtf_bounds", "testimonies.happened", "happened")
_OF_RELATION = "figures.figure_id = result; figures.figure_id = operands"
_DECLARED = _chosen(note="Declared by the annotators.", join=_OF_RELATION)
_WORKED_OUT = _made("evaluate_relation", _STATED, join=_OF_RELATION)
_OBTAINED = _chosen(note="Stated by the person who obtained the article.")
_BASIS = _chosen(note="Whether the text states the value.")
_SEED = _made("tables_of", "the text of the seed")
_PUBLISHED = _made("edtf_bounds", "sources.published")
_FACTS = ("authors", "outlet", "published", "url")
_AROUND_FIGURES = ("as_of", "as_of_from", "as_of_to", "place_id")
"""Columns of `figures` whose words may be missing: they can be printed elsewhere in the article."""
_NO_WORDS = "Neither the testimony nor the paragraph of the figure prints this."
_NUMBERS = ("value", "low", "high", "hedge", "unit")
_USES = (
    "acts.act",
    "figures.place_id",
    "figures.population",
    "figures.unit",
    "motives.factor",
    "speakers.branch",
    "speakers.rank_class",
    "speakers.role",
    "testimonies.place_id",
    "testimony_themes.theme",
)
"""The columns that use the terms of vocabularies."""
_IN_VOCABULARY = "From the annotators' vocabulary."
_OF_MEASURE = "figures.measure = measure"

RULES: dict[str, dict[str, ProvenanceRule]] = {
    "sources": {
        "source_id": _id(),
        "seed_file": _chosen(note="The name of the file that was annotated."),
        "sha256": _made("verified_text", "the bytes of the seed"),
        "earlier_sha256": _chosen(note="The checksums of the seed before it was replaced."),
        **_all(_SEED, "chars", "words"),
        "protected_numbers": _made("ledger_of", "the text of the seed; the waivers"),
        "withdrawn_entries": _made("ledger_of", "the text of the seed; the removed words"),
        "chars_revealed": _made(
            "tables_of", "spans.start_offset; spans.end_offset; spans.prefix; spans.suffix"
        ),
        "title": _read("title"),
        "subtitle": _read("subtitle"),
        "authors": _read("authors"),
        "outlet": _read("outlet"),
        "published": _read("published"),
        **_all(_PUBLISHED, "published_from", "published_to"),
        "language": _chosen(note="The language of the whole text."),
        "completeness": _unless_written("full"),
        "dateline": _read("dateline"),
        "genre": _chosen(note="Chosen by the annotators."),
        "label": _made("short_label", "sources.outlet; sources.published; sources.title"),
        "url": _read("url"),
        **_all(_OBTAINED, "obtained_date", "obtained_address", "obtained_by", "obtained_sha256"),
        "cited_outlets": _read("cited_outlets"),
        "rights": _chosen(note="Who owns the rights if the article prints no licence."),
        **_all(_BASIS, "outlet_basis", "authors_basis", "published_basis", "url_basis"),
        "note": _chosen(note=_NOTE.note),
    },
    "speakers": {
        "speaker_id": _id(join=_OF_SPEAKER),
        "source_id": _source(join=_OF_SPEAKER),
        **_all(_chosen(_INTRODUCED), "kind", "role", "anonymity"),
        # The flag is a class attribute of the models of protected persons, such as `UnnamedPerson`.
        "protected": _made(
            "UnnamedPerson", "speakers.anonymity; speakers.pseudonym_possible", _INTRODUCED
        ),
        "pseudonym_possible": _chosen(_INTRODUCED),
        "name": _read(_INTRODUCED),
        **_all(_chosen(_INTRODUCED), "rank_class", "branch", "gender", "request", "part_of"),
        **_all(_chosen(join=_OF_SPEAKER), *_INFERRED.values()),
        "note": _chosen(note=_NOTE.note, join=_OF_SPEAKER),
    },
    "mentions": {
        "mention_id": _id("evidence"),
        "speaker_id": _chosen("evidence"),
        "source_id": _source("evidence"),
        "rank": _read("rank;evidence"),
        "age": _read("age;evidence"),
        "years_of_service": _read("years_of_service;evidence"),
        "affiliation": _read("affiliation;evidence"),
        "text": _read(),
        **_PLACE,
    },
    "testimonies": {
        "testimony_id": _id("evidence"),
        "source_id": _source("evidence"),
        **_all(_ATTRIBUTED, "speaker_id", "attribution", "attribution_id"),
        "attribution_text": _read("attribution"),
        "speaker_role": _made(
            "tables_of", "speakers.role", join="speakers.speaker_id = speaker_id"
        ),
        **_all(_chosen("evidence"), "mode", "access"),
        "stance": _unless_written("asserts"),
        "outlet_kind": _chosen("outlet;evidence"),
        "outlet": _read("outlet"),
        "text": _read(),
        "parts": _made("find_spans", "spans.part", "evidence"),
        **_PLACE,
        "themes": _chosen("evidence"),
        **_all(_chosen("happened"), "happened", "happened_basis", "happened_how", "happened_of"),
        **_all(_HAPPENED, "happened_from", "happened_to"),
        "place_id": _chosen("where"),
        "departure": _unless_written("false"),
        **_all(_chosen("evidence"), "departure_means", "relatives"),
        "note": _NOTE,
    },
    "motives": {
        "motive_id": _id("evidence"),
        "source_id": _source("evidence"),
        **_all(_OF_CODED, "testimony_id", "speaker_id"),
        **_all(_chosen("evidence"), "direction", "factor", "decision", "link"),
        "reason_of": _unless_written("speaker"),
        "text": _read(),
    },
    "acts": {
        "act_id": _id("evidence"),
        "source_id": _source("evidence"),
        **_all(_OF_CODED, "testimony_id", "speaker_id"),
        **_all(_chosen("evidence"), "act", "status"),
        "against": _read("against"),
        "done_by": _read("done_by"),
        "text": _read(),
    },
    "testimony_themes": {
        "testimony_theme_id": _made(
            "tables_of",
            "testimonies.testimony_id; testimonies.themes",
            join=_OF_TESTIMONY,
        ),
        "source_id": _source(join=_OF_TESTIMONY),
        "testimony_id": _made("tables_of", "testimonies.testimony_id", join=_OF_TESTIMONY),
        "theme": _chosen("evidence"),
    },
    "figures": {
        "figure_id": _id("evidence"),
        "source_id": _source("evidence"),
        **_all(_chosen("evidence"), "testimony_id", "measure", "population", "counted"),
        "attributed_to": _chosen("attribution;evidence", join=_OF_TESTIMONY)._replace(
            inputs="testimonies.speaker_id"
        ),
        "text": _read(),
        "value": _read(_QUANTITY),
        **_all(_BOUNDS, "low", "high"),
        **_all(_chosen("evidence"), "hedge", "unit"),
        "polarity": _unless_written("affirmed"),
        "as_of": _chosen("as_of"),
        **_all(_INTERVAL, "interval_low", "interval_high", "low_open", "high_open"),
        **_all(_ROUNDED, "rounded_low", "rounded_high"),
        **_all(_AS_OF, "as_of_from", "as_of_to"),
        "place_id": _chosen("place"),
        **_PLACE,
        "note": _NOTE,
    },
    "relations": {
        "relation_id": _id(join=_OF_RELATION),
        "source_id": _source(join=_OF_RELATION),
        **_all(_DECLARED, "kind", "result", "operands"),
        **_all(_WORKED_OUT, "outcome", "computation"),
        "note": _chosen(note=_NOTE.note, join=_OF_RELATION),
    },
    "errata": {
        "erratum_id": _id("evidence"),
        "source_id": _source("evidence"),
        "text": _read(),
        **_PLACE,
        **_all(_NOTE, "wrong", "known"),
        **_all(_chosen(note="Stated by the annotators."), "reported", "status"),
    },
}
"""The rules of the tables of records, by table and column."""


_DEFAULTS: dict[str, dict[str, object]] = {
    "sources": {"completeness": "full"},
    "testimonies": {"stance": "asserts", "departure": False},
    "motives": {"reason_of": "speaker"},
    "figures": {"polarity": "affirmed"},
}
"""The values of the columns with a default, by table; an annotator chose any other."""


KEYS = {table: next(iter(columns)) for table, columns in RULES.items()}
"""The primary keys of the tables of records: their first columns."""

_FIGURES_COMPARED = (
    "figures.interval_low; figures.interval_high; figures.rounded_low; figures.rounded_high; "
    "figures.unit; figures.polarity; figures.population; figures.as_of; figures.attributed_to; "
    "measures.comparable; measures.constant"
)
_FIGURES_SUMMARISED = (
    "figures.interval_low; figures.interval_high; figures.unit; figures.polarity; figures.as_of; "
    "figures.attributed_to; comparisons.verdict; sources.cited_outlets; the texts of the seeds"
)
_OF_STATEMENTS = "testimonies.testimony_id = first; testimonies.testimony_id = second"
_OF_PAIR = "figures.figure_id = figure_a; figures.figure_id = figure_b"

COPIED = ("role", "rank_class", "branch", "protected", "name")
"""The columns of `persons` that are those of `speakers`."""


def _of_person(table: str, column: str, *conditions: str) -> ProvenanceRule:
    """Return the rule of a column of `persons`, computed from a column of the person's rows."""
    join = " and ".join([f"{table}.speaker_id = person_id", *conditions])
    return _made("persons_table", f"{table}.{column}", join=join)


DERIVED: dict[str, ProvenanceRule] = {
    "spans": _made("tables_of", "the evidence as annotated; the text of the seed"),
    "terms": _chosen(note=_IN_VOCABULARY, join="; ".join(f"{used} = term" for used in _USES)),
    "measures": _chosen(note=_IN_VOCABULARY, join=_OF_MEASURE),
    "ledger": _made(
        "ledger_of", "the text of the seed; testimonies; figures; mentions; waivers; sources"
    ),
    "comparisons": _made("figure_pairs", _FIGURES_COMPARED, join=_OF_PAIR),
    "persons": _of_person("speakers", "name"),
    "statement_relations": _chosen(
        note="Chosen by the annotators; no row says which of the two is right.", join=_OF_STATEMENTS
    ),
    "readings": _chosen(note="Stated by the annotators."),
    "history": _made(
        "RecordFingerprint",
        "the annotations, and the ids of earlier releases",
        join="spans.record_id = record_id",
    ),
    "tombstones": _made("take_down", "the removed record"),
    "provenance": _made("ProvenanceIndex", "all other tables", join="spans.span_id = spans"),
}
"""The rules of tables derived from others, for the columns without a rule in `_OF_DERIVED`."""


_COPIED_TO_PERSONS = {column: _of_person("speakers", column) for column in COPIED}
_MOTIVES_OF_PERSONS = {
    direction: _of_person(
        "motives",
        "text",
        f"direction = {direction}",
        "decision = leave",
        "reason_of = speaker",
    )
    for direction in MEANINGS["MotiveDirection"]
}

_OF_DERIVED: dict[str, dict[str, ProvenanceRule]] = {
    "spans": {
        **_all(ProvenanceRule("evidence"), "exact", "prefix", "suffix"),
        "region": _made("region_of", "spans.start_offset; captions and other fields of the source"),
    },
    "terms": {
        "used": _made("used_terms", "; ".join(_USES)),
        **_all(_made("tables_across", "the tolerances of the vocabulary"), "percent", "least"),
    },
    "measures": {
        **_all(
            _made("measure_summaries", _FIGURES_SUMMARISED, join=_OF_MEASURE),
            "figures",
            "sources",
            "compared_figures",
            "independent_sources",
            "lowest",
            "highest",
            "earliest",
            "latest",
            "verdicts",
        ),
        "comparable": _chosen(note=f"{_IN_VOCABULARY} It is true where this says nothing."),
        "constant": _chosen(note=f"{_IN_VOCABULARY} It is false where this says nothing."),
    },
    "ledger": {
        "text": ProvenanceRule("evidence"),
        **_all(_chosen(note="Chosen by the annotators."), "waiver_id", "reason"),
        "note": _chosen(note=_NOTE.note),
    },
    "persons": {
        **_COPIED_TO_PERSONS,
        "sources": _of_person("mentions", "text"),
        "ages": _of_person("mentions", "age", "age is not null"),
        "years_of_service": _of_person(
            "mentions", "years_of_service", "years_of_service is not null"
        ),
        **_MOTIVES_OF_PERSONS,
        "departed": _of_person("testimonies", "happened", "happened_of = departure"),
        "testimonies": _of_person("testimonies", "text"),
    },
    "comparisons": {"note": _chosen(note=_NOTE.note, join=_OF_PAIR)},
    "history": _all(
        _chosen(note="Stated by the annotators."), "corrected_version", "corrected_reason"
    ),
    "tombstones": _all(
        _chosen(note="Stated by the publisher who removed the record."), "date", "reason_class"
    ),
}
"""The rules of individual columns of derived tables."""


def rule_of(table: str, column: str) -> ProvenanceRule:
    """Return the provenance rule of a column."""
    if table in RULES:
        return RULES[table][column]
    return _OF_DERIVED.get(table, {}).get(column, DERIVED[table])


_OF_SPEAKERS = [column for column, rule in RULES["speakers"].items() if rule.field]
"""The columns of speakers that words of an article support."""

_LISTED = {
    "sources": _FACTS,
    "speakers": _OF_SPEAKERS,
    "testimonies": ("happened",),
    "figures": _NUMBERS,
    "testimony_themes": ("theme",),
}
"""Columns with cells whose provenance may differ from the column's rule, by table."""

OF_COLUMN = "*"
"""The record and the source of a row of `provenance` that describes a column.

A null would make these columns almost empty at the beginning of the table, so that tools would not
take them for text.
"""


def override_of(note: str | None) -> str | None:
    """Return the annotator's `override` from the note of a figure, or None if there is none."""
    return (note or "").partition(OVERRIDDEN)[2] or None


_NO_YEAR = "Inferred from the date or the text of the article: these words print no year."
_OF_WRITER = "The writer, whom no words introduce."
_WHY = MEANINGS["InferenceReason"]


class Cell(NamedTuple):
    """A filled cell, with its provenance."""

    table: str
    record_id: str
    column: str
    source_id: str | None
    provenance: CellProvenance | None
    """The provenance, or None if the words that should support the value do not exist."""

    @property
    def name(self) -> str:
        """Table, record and column, in the form that `dataset.why` takes."""
        return f"{self.table}/{self.record_id}/{self.column}"


class ProvenanceIndex:
    """An index of the provenance of each cell in the tables of records."""

    def __init__(self, rows: Rows) -> None:
        """Index the spans and mentions of tables given as rows.

        If the row of a shared speaker names a source, only the mentions in that source support the
        row.
        """
        self.rows = rows
        self._spans: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self._dates: dict[str, str] = defaultdict(str)
        for span in rows["spans"]:
            self._spans[span["field"]].setdefault(span["record_id"], []).append(span["span_id"])
            if span["field"] == "happened":
                self._dates[span["record_id"]] += span["exact"]
        self.introduced: dict[tuple[str, str | None], list[str]] = defaultdict(list)
        for mention in rows["mentions"]:
            # None is for the row of a shared speaker, which mentions in all sources support.
            for source_id in (mention["source_id"], None):
                self.introduced[mention["speaker_id"], source_id].append(mention["mention_id"])
        self._with_spans: dict[tuple[str, ...], set[str]] = {}
        self.has_removed = bool(rows["tombstones"])
        self.unread = {row["source_id"] for row in rows["sources"] if row["completeness"] == "none"}

    def exceptions(self) -> Iterator[Cell]:
        """Yield the cells whose provenance differs from their column's rule or does not exist."""
        for table, key in KEYS.items():
            for column, rule in RULES[table].items():
                is_listed = column in _LISTED.get(table, ()) or rule.basis == "default"
                if not is_listed and not rule.fields:
                    continue
                # With a set of the supported records, the spans of most cells need no search.
                supported = set[str]() if is_listed else self._supported(rule.fields)
                for row in self.rows[table]:
                    if row[column] is None or row[key] in supported:
                        continue
                    found = self.of(table, row, column)
                    if found is None or found.listed:
                        yield Cell(table, row[key], column, row["source_id"], found)

    def of(self, table: str, row: Mapping[str, Any], column: str) -> CellProvenance | None:
        """Return the provenance of a cell, or None if its supporting words do not exist."""
        rule = RULES[table][column]
        is_chosen = rule.basis == "default" and row[column] != _DEFAULTS[table][column]
        if is_chosen:
            evidence = None if table == "sources" else "evidence"
            rule = _chosen(evidence)
        if table == "sources" and column in _FACTS and row[f"{column}_basis"] != "stated":
            return self._inferred(row, column)
        if rule.field is None:
            return CellProvenance(rule, (), is_chosen)
        if table == "speakers" and (reason := row.get(_INFERRED.get(column, ""))):
            rule = ProvenanceRule("inferred", rule.field, note=f"Inferred, because {_WHY[reason]}.")
            return CellProvenance(rule, self._introducing(row, column), listed=True)
        is_listed = is_chosen or table in ("speakers", "testimony_themes")
        if table == "figures" and column in _NUMBERS:
            reason = self._note_of_number(row)
            if reason:
                rule, is_listed = _chosen("evidence", note=reason), True
        if table == "testimonies" and column == "happened" and self._lacks_year(row):
            rule, is_listed = ProvenanceRule("inferred", rule.field, note=_NO_YEAR), True
        spans = self._supporting(table, row, column, rule)
        if spans:
            return CellProvenance(rule, spans, is_listed)
        if table == "speakers" and row["kind"] == "writer":
            byline = self._ids(row["source_id"], "authors")
            rule = rule if byline else _chosen(note=_OF_WRITER)
            return CellProvenance(rule, byline, listed=True)
        if table == "figures" and column in _AROUND_FIGURES:
            return CellProvenance(rule._replace(field=None, note=_NO_WORDS), (), listed=True)
        if self.has_removed:
            return CellProvenance(_chosen(note="The words were removed."), (), listed=True)
        return None

    def _inferred(self, source: Mapping[str, Any], column: str) -> CellProvenance | None:
        """Return the provenance of an inferred fact, or None if no note says from what."""
        if not source["note"]:
            return None
        basis = source[f"{column}_basis"]
        rule = ProvenanceRule(basis, column, note=source["note"])
        return CellProvenance(rule, self._ids(source["source_id"], column), listed=True)

    def _lacks_year(self, row: Mapping[str, Any]) -> bool:
        """Return whether the words for a date that is not relative print another or no year."""
        words = self._dates.get(row["testimony_id"])
        if not words or row["happened_basis"] == "resolved":
            return False
        days = (row["happened_from"], row["happened_to"])
        # Readers of CSV files give days as ISO strings.
        return any(str(day)[:4] not in words for day in days if day)

    def _note_of_number(self, row: Mapping[str, Any]) -> str | None:
        """Return why a person read the numbers of a figure, or None if the program read them."""
        if row["source_id"] in self.unread:
            return "Read by the annotators: the completeness of the source is `none`."
        return override_of(row["note"])

    def _supporting(
        self, table: str, row: Mapping[str, Any], column: str, rule: ProvenanceRule
    ) -> tuple[str, ...]:
        """Return the spans that support a cell."""
        if table == "speakers":
            return self._introducing(row, column)
        if table == "testimony_themes":
            return self._first(row["testimony_id"], rule.fields)
        return self._first(row[KEYS[table]], rule.fields)

    def _supported(self, fields: tuple[str, ...]) -> set[str]:
        """Return the ids of the records that have spans of any of these fields."""
        if fields not in self._with_spans:
            found = set[str]()
            for field in fields:
                found.update(self._spans.get(field, ()))
            self._with_spans[fields] = found
        return self._with_spans[fields]

    def _first(self, record_id: str, fields: tuple[str, ...]) -> tuple[str, ...]:
        """Return the spans of the first of these fields for which the record has any."""
        for field in fields:
            ids = self._ids(record_id, field)
            if ids:
                return ids
        return ()

    def _ids(self, record_id: str, field: str) -> tuple[str, ...]:
        return tuple(self._spans.get(field, {}).get(record_id, ()))

    def _introducing(self, row: Mapping[str, Any], column: str) -> tuple[str, ...]:
        """Return the spans that show an attribute of a speaker.

        These are the words that attest the attribute or else, for most attributes, the mentions.
        """
        mentions = self.introduced[row["speaker_id"], row["source_id"]]
        attesting = tuple(span for name in mentions for span in self._ids(name, column))
        # A mention need not show these.
        if attesting or column in ("name", "gender", "request"):
            return attesting
        return tuple(span for name in mentions for span in self._ids(name, "evidence"))


def without_words(tables: PackageTables) -> list[str]:
    """Return the cells of shared speakers that no words in any source support.

    The cells are given as table/id/column; each is a bug. `rows.records.tables_of` checks all other
    cells, within their source.
    """
    needed = set[tuple[str, str]]()
    for row in tables.rows("speakers", ["speaker_id", "source_id", *_OF_SPEAKERS]):
        if row["source_id"] is None:
            needed.update((col, row["speaker_id"]) for col in _OF_SPEAKERS if row[col] is not None)
    if needed:
        for row in tables.rows("provenance", ["table_name", "column_name", "record_id"]):
            if row["table_name"] == "speakers":
                needed.discard((row["column_name"], row["record_id"]))
    return sorted(f"speakers/{speaker}/{column}" for column, speaker in needed)


def typed_note(note: str) -> str:
    """Return the note of a testimony or figure without what the build adds, which comes last."""
    added = ADDED_TO_NOTES.search(note)
    return note[: added.start()].rstrip() if added else note
