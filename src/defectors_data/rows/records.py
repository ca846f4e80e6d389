"""Conversion of documents to Arrow tables: one flat table for each row model, in the declared order.

A row is a dictionary in the order of its model's fields; `models/tables.py` is the contract, and a test validates every
row against it. `tables_of` builds the tables of a batch of documents. Their rows are ordered by source first, so that
the tables of batches can be concatenated in the order of the source ids. Rows that belong to no source precede the
first batch (`tables_of_context`) or have separate tables (`vocabulary_tables`, `tables_across`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

import pyarrow as pa

from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence import comparisons, relation_arithmetic
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.comparisons import SourceTies
from defectors_data.evidence.completeness_ledger import accounted_words, ledger_of
from defectors_data.evidence.record_fingerprints import (
    identities,
    identity_of_speaker,
    released,
    withdrawn_entry,
)
from defectors_data.evidence.relation_arithmetic import ComparedFigure
from defectors_data.models import tables
from defectors_data.models.annotation import (
    Correction,
    Mention,
    ProtectedMention,
    PseudonymousPerson,
    Speaker,
    Testimony,
)
from defectors_data.models.closed_vocabularies import MEANINGS, WHOLE_UNITS
from defectors_data.models.fields import DateBounds, edtf_bounds
from defectors_data.models.project import ReleasedId
from defectors_data.models.tables import ROW_OF
from defectors_data.package.cells import edtf_cell
from defectors_data.rows import cell_provenance, disclosure_check
from defectors_data.rows.spans import Row, _is_secret, _revealed, _spans
from defectors_data.text.number_comparison import LEAST

CHUNK = 8 * 1024
"""Number of rows that are converted together outside of batches."""

Rows: TypeAlias = dict[str, list[Row]]
"""The rows of each table, by its name; each row has its columns in the declared order."""


class BatchTables(NamedTuple):
    """The tables of a batch of documents."""

    tables: dict[str, pa.Table]
    used: Counter[tuple[str, str]]
    """How often the documents use each term, by table and term."""
    faults: list[str]
    """Cells that no words support, and cells that reveal too much about a protected person: bugs in this program."""


def tables_of(documents: Sequence[Document], left_out: Collection[str] = ()) -> BatchTables:
    """Return the tables of documents, which must be in the order of their source ids and have no findings."""
    records = records_of(documents, left_out)
    faults = disclosure_check.leaks(records)
    if "provenance" not in left_out:
        cells = list(
            cell_provenance.ProvenanceIndex(_for_provenance(documents, records)).exceptions()
        )
        records["provenance"] = _ordered("provenance", _cell_provenance(documents, cells))
        faults += _unsupported(documents, cells)
    return BatchTables(
        {name: arrow(name, found) for name, found in records.items()}, used_terms(documents), faults
    )


def records_of(documents: Sequence[Document], left_out: Collection[str] = ()) -> Rows:
    """Return the rows of each table, in the declared order, without `provenance` and the tables in `left_out`."""
    makers = {name: make for name, make in ROWS_BY_TABLE.items() if name not in left_out}
    return {
        name: _ordered(name, (row for d in documents for row in make(d)))
        for name, make in makers.items()
    }


def used_terms(documents: Iterable[Document]) -> Counter[tuple[str, str]]:
    """Return how often the documents use each term, by table and term."""
    found: Counter[tuple[str, str]] = Counter()
    for document in documents:
        found.update(
            ("themes", theme) for _, testimony in document.testimonies for theme in testimony.themes
        )
        found.update(("measures", figure.measure) for _, figure in document.figures)
        found.update(
            ("populations", figure.population)
            for _, figure in document.figures
            if figure.population
        )
        found.update(("units", figure.unit) for _, figure in document.figures)
        found.update(_attributes(speaker for _, speaker in document.speakers))
    return found


def _attributes(speakers: Iterable[Speaker]) -> Iterator[tuple[str, str]]:
    """Yield the role, rank class and branch of speakers, each with its table."""
    for speaker in speakers:
        yield "roles", speaker.role
        yield from [("rank_classes", speaker.rank_class)] if speaker.rank_class else []
        yield from [("branches", speaker.branch)] if speaker.branch else []


def tables_of_context(
    context: Context, left_out: Collection[str] = ()
) -> Iterator[tuple[str, pa.Table]]:
    """Yield the tables of rows that belong to no source, each with its name; the rows precede those of the batches."""
    shared = (_speaker(None, context.shared[name]) for name in sorted(context.shared))
    # In chunks, since there may be millions of shared speakers.
    while chunk := list(islice(shared, CHUNK)):
        yield "speakers", arrow("speakers", chunk)
    tombstones = (
        {"record_table": s.table, "record_id": s.id, "date": s.date, "reason_class": s.reason}
        for s in context.tombstones
    )
    yield "tombstones", arrow("tombstones", _ordered("tombstones", tombstones))
    rows = _history_of_context(context)
    while chunk := list(islice(rows, CHUNK)):
        yield "history", arrow("history", chunk)
    if "provenance" not in left_out:
        yield "provenance", arrow("provenance", _ordered("provenance", _column_provenance()))


def vocabulary_tables(context: Context, used: Mapping[tuple[str, str], int]) -> dict[str, pa.Table]:
    """Return the tables of terms; `used` says how often documents use each term, by table and term."""
    vocabulary = context.vocabulary.content
    used = Counter(used) + Counter(_attributes(context.shared.listed))
    found: dict[str, list[Row]] = {
        "measures": [
            {
                **_fields(term, *_TERM),
                "units": _list(term.units),
                **_fields(term, "comparable", "constant"),
            }
            for term in vocabulary.measures
        ],
        "populations": [_fields(term, *_TERM) for term in vocabulary.populations],
        "themes": [
            {**_fields(term, *_TERM), "triggers": _list(term.triggers)}
            for term in vocabulary.themes
        ],
        "roles": [
            {
                **_fields(term, *_TERM, "pseudonym_possible", "body"),
                "triggers": _list(term.triggers),
            }
            for term in vocabulary.roles
        ],
        **{
            name: [{**_fields(term, *_TERM), "triggers": _list(term.triggers)} for term in terms]
            for name, terms in (
                ("rank_classes", vocabulary.rank_classes),
                ("branches", vocabulary.branches),
            )
        },
        "units": [
            *(_unit(unit, meaning) for unit, meaning in MEANINGS["Unit"].items()),
            *(
                {**_fields(term, *_TERM), "nouns": _list(term.nouns), "whole": term.whole}
                for term in vocabulary.units
            ),
        ],
    }
    for name, rows in found.items():
        for row in rows:
            row["label"] = row["label"] or row["term"].replace("_", " ").capitalize()
            # `used` is the last column, so the keys are in the order of the columns, as `arrow` requires.
            row["used"] = used[name, row["term"]]
    reach = relation_arithmetic.conventions(context).tolerances
    found["tolerances"] = [
        {"hedge": hedge, "percent": reach[hedge], "least": least, "definition": definition}
        for hedge, (least, definition) in _TOLERANCES.items()
    ]
    return {name: arrow(name, _ordered(name, rows)) for name, rows in found.items()}


def _unit(unit: str, meaning: str) -> Row:
    label = f"{meaning[0].upper()}{meaning[1:]}".partition(":")[0]
    cells = {"term": unit, "label": label, "definition": meaning, "nouns": None}
    return {**cells, "whole": unit in WHOLE_UNITS}


_TERM = ("term", "label", "definition")

_TOLERANCES: dict[str, tuple[int, str]] = {
    "about": (LEAST, "From this distance below the number to this distance above it."),
    "exact": (
        0,
        "For round numbers only: half a unit of the last non-zero digit to either side, but at most this distance.",
    ),
    "nearly": (
        LEAST,
        "From this distance below the number up to the number, which is included only if it is read as rounded.",
    ),
}
"""For each hedge, the lower limit of the distance in counted units, and how the distance is used."""


def tables_across(
    figures: Iterable[ComparedFigure], ties: Iterable[SourceTies], context: Context
) -> dict[str, pa.Table]:
    """Return the tables that compare the figures of all sources: `comparisons` and `measure_summary`."""
    figures = list(figures)
    declared, pairs = (
        relation_arithmetic.conventions(context),
        comparisons.figure_pairs(figures, context),
    )
    links = comparisons.links(list(ties))
    reasons = {link.sources: link.explanation for link in links}
    found: dict[str, Iterable[Row]] = {
        "comparisons": (_comparison(pair, comparisons.dependence(pair, reasons)) for pair in pairs),
        "measure_summary": comparisons.measure_summaries(figures, pairs, links, declared),
    }
    return {name: arrow(name, _ordered(name, made)) for name, made in found.items()}


def arrow(name: str, rows: Sequence[Row]) -> pa.Table:
    """Return rows as the Arrow table of the given name; cells are matched with columns by name.

    Raises:
        ValueError: a row has other keys than the columns of its model.
    """
    schema = arrow_schema(ROW_OF[name])
    try:
        columns = [pa.array([row[field.name] for row in rows], field.type) for field in schema]
        is_complete = True
    except KeyError:
        is_complete = False
    # Every column is in every row, so a row with another key is longer.
    if not is_complete or any(len(row) != len(schema) for row in rows):
        raise ValueError(f"a row of {name} has other keys than its model")
    return pa.Table.from_arrays(columns, schema=schema)


def merged(name: str, tables: Sequence[pa.Table]) -> pa.Table:
    """Return several tables of the same name as one, with the rows in the declared order."""
    order: list[tuple[str, Literal["ascending", "descending"]]]
    order = [(column, "ascending") for column in ROW_OF[name].TABLE.order]
    # One chunk, so that the bytes of a file do not depend on the batches.
    return pa.concat_tables([arrow(name, []), *tables]).sort_by(order).combine_chunks()


_ARROW_TYPES = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    date: pa.date32(),
}


@lru_cache
def arrow_schema(row: type[tables.RowModel]) -> pa.Schema:
    """Return the Arrow schema of a row model: types, nullability, and each column's description and unit."""
    return pa.schema(
        [
            pa.field(
                column.name,
                _ARROW_TYPES[column.type],
                nullable=column.nullable,
                metadata={
                    "description": column.description,
                    **({"unit": column.unit} if column.unit else {}),
                },
            )
            for column in tables.columns(row)
        ]
    )


def _ordered(name: str, found: Iterable[Row]) -> list[Row]:
    """Return rows in the declared order of their table; rows without `source_id` come first."""
    order = ROW_OF[name].TABLE.order
    of_order = itemgetter(*order)
    # In this table, `source_id` may be null, and None cannot be compared with text.
    if name == "speakers":
        return sorted(found, key=lambda row: tuple(cell or "" for cell in of_order(row)))
    return sorted(found, key=of_order)


def _fields(record: object, *names: str) -> Row:
    """Return columns that repeat fields of a record; a column is null if the record's model has no such field."""
    values = vars(record)  # much faster than `getattr` with a default
    return {name: values.get(name) for name in names}


def _list(items: Iterable[str]) -> str | None:
    return ";".join(items) or None


def _note(*notes: str | None) -> str | None:
    return " ".join(note for note in notes if note) or None


# An override comes last and may have several lines, so everything from its first words is removed.
_GENERATED = re.compile(
    r" ?(?:The \w+ quotation mark of part [0-9]+ is missing in the source\.|"
    rf"{cell_provenance.OVERRIDDEN}.*)",
    re.DOTALL,
)


def typed_note(note: str) -> str:
    """Return the note of a testimony or figure as the annotator wrote it, without the sentences that the build adds."""
    return _GENERATED.sub("", note)


# ---- provenance ------------------------------------------------------------------------------------------------


def _for_provenance(documents: Sequence[Document], records: Rows) -> Rows:
    """Return the rows, and an additional row of each shared speaker for each source in which the speaker appears."""
    shared = [_speaker_rows(document)[use.id] for document in documents for _, use in document.uses]
    # Only whether there are tombstones matters, so one empty row is enough.
    tombstones: list[Row] = [{}] if documents and len(documents[0].context.tombstones) else []
    return {
        "relations": [],
        **records,
        "speakers": [*records["speakers"], *shared],
        "tombstones": tombstones,
    }


def _unsupported(documents: Sequence[Document], cells: Iterable[cell_provenance.Cell]) -> list[str]:
    """Return the cells that no words support, except those of shared speakers: another source may have the words."""
    shared = _shared(documents)
    return [
        f"no words for {cell.name}"
        for cell in cells
        if cell.provenance is None and not (cell.table == "speakers" and cell.record_id in shared)
    ]


def _shared(documents: Sequence[Document]) -> set[str]:
    return {use.id for document in documents for _, use in document.uses}


def _column_provenance() -> Iterator[Row]:
    """Yield a row of provenance for each column."""
    for table, row in ROW_OF.items():
        for column in row.model_fields:
            yield _provenance(table, column, cell_provenance.rule_of(table, column))


def _cell_provenance(
    documents: Sequence[Document], cells: Iterable[cell_provenance.Cell]
) -> Iterator[Row]:
    """Yield a row of provenance for each cell whose provenance differs from that of its column."""
    shared = _shared(documents)
    for table, record_id, column, source_id, found in cells:
        if found:
            row = _provenance(table, column, found.rule, record_id, source_id, found.spans)
            if table == "speakers" and record_id in shared:
                # A shared speaker has this row once for each source.
                row["provenance_id"] += f".{source_id}"
            yield row


def _provenance(
    table: str,
    column: str,
    rule: cell_provenance.ProvenanceRule,
    record_id: str | None = None,
    source_id: str | None = None,
    spans: Sequence[str] = (),
) -> Row:
    return {
        "provenance_id": ".".join(filter(None, (table, column, record_id))),
        "source_id": source_id or cell_provenance.OF_COLUMN,
        "table": table,
        "column": column,
        "record_id": record_id or cell_provenance.OF_COLUMN,
        "basis": rule.basis,
        "spans": _list(spans) if record_id else rule.field,
        "function": rule.function,
        "inputs": rule.inputs,
        "join": rule.join,
        "note": rule.note,
    }


# ---- one function for each table -------------------------------------------------------------------------------


@per_document
def _source(document: Document) -> Row:
    source, facts, text = document.source, document.source.facts(), document.text
    published = edtf_bounds(source.published.value) if source.published else DateBounds(None, None)
    return {
        "source_id": source.id,
        "seed_file": source.seed,
        "sha256": source.sha256,
        "earlier_sha256": ";".join(each.sha256 for each in document.content.earlier) or None,
        "chars": len(text),
        "words": len(text.split()),
        "chars_revealed": sum(end - start for start, end in _revealed(document)),
        **{name: document.words(("source", name)) for name in ("title", "subtitle")},
        "authors": "; ".join(source.authors.value) if source.authors else None,
        "outlet": source.outlet.value if source.outlet else None,
        "published": edtf_cell(source.published.value) if source.published else None,
        "published_from": published.first,
        "published_to": published.last,
        "language": source.language,
        "completeness": source.completeness,
        **{name: document.words(("source", name)) for name in ("dateline", "url")},
        **{
            f"obtained_{key}": getattr(source.obtained, key, None)
            for key in ("date", "address", "by", "sha256")
        },
        "cited_outlets": "; ".join(source.cited_outlets) or None,
        "rights": source.rights,
        **{
            f"{name}_basis": facts[name].basis if name in facts else None
            for name in ("outlet", "authors", "published")
        },
        "note": _note(
            source.note, *(f"{name}: {fact.note}" for name, fact in facts.items() if fact.note)
        ),
    }


def _speaker(source_id: str | None, speaker: Speaker) -> Row:
    pseudonym = isinstance(speaker, PseudonymousPerson)
    found = {"speaker_id": speaker.id, "source_id": source_id, **_fields(speaker, *_SPEAKER)}
    return found | {"protected": speaker.protected, "pseudonym_possible": pseudonym}


_SPEAKER = tuple(tables.SpeakerRow.model_fields)[2:]
"""The columns of `speakers` after the two ids: fields of the models, and flags that `_speaker` sets."""


@per_document
def _speaker_rows(document: Document) -> dict[str, Row]:
    """Return the rows of all speakers in a source, by id; the rows of shared speakers have this source, too."""
    return {
        name: _speaker(document.source.id, speaker)
        for name, speaker in document.speakers_by_id.items()
    }


def _speakers(document: Document) -> Iterator[Row]:
    return (_speaker_rows(document)[speaker.id] for _, speaker in document.speakers)


@per_document
def _mentions(document: Document) -> list[Row]:
    return _ordered(
        "mentions", (_mention(document, path, mention) for path, mention in document.mentions)
    )


def _mention(document: Document, path: Path, mention: Mention | ProtectedMention) -> Row:
    spans = document.evidence_of(path)
    return {
        "mention_id": mention.id,
        "speaker_id": document.entry_of(path).id,
        "source_id": document.source.id,
        **_fields(mention, "rank", "age", "years_of_service", "affiliation"),
        "text": document.words((*path, "evidence")),
        "start": spans[0].start,
        "end": spans[-1].end,
    }


@per_document
def _testimonies(document: Document) -> list[Row]:
    return [_testimony(document, path, testimony) for path, testimony in document.testimonies]


def _testimony(document: Document, path: Path, testimony: Testimony) -> Row:
    spans = document.evidence_of(path)
    return {
        "testimony_id": testimony.id,
        "source_id": document.source.id,
        "speaker_id": testimony.speaker,
        "speaker_role": document.speakers_by_id[testimony.speaker].role,
        **_fields(testimony, "mode", "outlet"),
        "text": document.words((*path, "evidence")),
        "parts": len(spans),
        "start": spans[0].start,
        "end": spans[-1].end,
        "themes": ";".join(testimony.themes),
        "note": _note(testimony.note, *_unbalanced(testimony)),
    }


def _unbalanced(testimony: Testimony) -> Iterator[str]:
    for number, part in enumerate(testimony.evidence, start=1):
        if part.unbalanced:
            yield f"The {part.unbalanced} quotation mark of part {number} is missing in the source."


def _testimony_themes(document: Document) -> Iterator[Row]:
    for _, testimony in document.testimonies:
        for theme in testimony.themes:
            yield {
                "testimony_theme_id": f"{testimony.id}.{theme}",
                "source_id": document.source.id,
                "testimony_id": testimony.id,
                "theme": theme,
            }


def _testimonies_joined(document: Document) -> Iterator[Row]:
    """Yield each testimony with its speaker, the speaker's first mention in the source, and the source."""
    first: dict[str, Row] = {}
    # The mentions are in the order of the text, so the first one of each speaker is kept.
    for mention in _mentions(document):
        first.setdefault(mention["speaker_id"], mention)
    for testimony in _testimonies(document):
        joined = {
            "testimonies": testimony,
            "speakers": _speaker_rows(document)[testimony["speaker_id"]],
            "mentions": first.get(testimony["speaker_id"], {}),
            "sources": _source(document),
        }
        yield {column: joined[table].get(name) for column, (table, name) in _JOINED.items()}


_JOINED = {
    column: cell_provenance.origin(column) for column in tables.TestimonyJoinedRow.model_fields
}


def _figures(document: Document) -> Iterator[Row]:
    declared = relation_arithmetic.conventions(document.context)
    for path, figure in document.figures:
        compared = comparisons.comparable(figure, declared)
        numbers, read = compared.interval, compared.rounded
        spans = document.evidence_of(path)
        yield {
            "figure_id": figure.id,
            "source_id": document.source.id,
            "testimony_id": figure.testimony,
            **_fields(figure, "attributed_to", "measure", "population", "counted"),
            "text": document.words((*path, "evidence")),
            **_fields(figure, "value", "low", "high", "hedge", "unit"),
            "interval_low": None if math.isinf(numbers.low) else numbers.low,
            "interval_high": None if math.isinf(numbers.high) else numbers.high,
            "low_open": numbers.low_open,
            "high_open": numbers.high_open,
            "rounded_low": read and read.low,
            "rounded_high": read and read.high,
            "as_of": edtf_cell(figure.as_of),
            "as_of_from": compared.first,
            "as_of_to": compared.last,
            "place": figure.place,
            "start": spans[0].start,
            "end": spans[-1].end,
            "note": _note(
                figure.note, figure.override and f"{cell_provenance.OVERRIDDEN}{figure.override}"
            ),
        }


def _waivers(document: Document) -> Iterator[Row]:
    for path, waiver in document.waivers:
        spans = document.evidence_of(path)
        secret = _is_secret(waiver)
        # All occurrences have the same words, so the first is enough.
        waived = (
            document.text[slice(*spans[0])]
            if waiver.every_occurrence
            else document.words((*path, "evidence"))
        )
        yield {
            "waiver_id": waiver.id,
            "source_id": document.source.id,
            "reason": waiver.reason,
            "repeats_table": document.tables[waiver.repeats] if waiver.repeats else None,
            "repeats_id": waiver.repeats,
            "text": None if secret else waived,
            "occurrences": len(spans) if waiver.every_occurrence else 1,
            "start": spans[0].start,
            "end": spans[-1].end,
            "note": waiver.note,
        }


def _readings(document: Document) -> Iterator[Row]:
    source = document.source.id
    for number, reading in enumerate(document.content.readings, 1):
        fields = _fields(reading, "reader", "date", "purpose", "version")
        yield {"reading_id": f"{source}.{number}", "source_id": source, "number": number, **fields}


def _history(document: Document) -> Iterator[Row]:
    """Yield the history of the source and its records; no hashes are computed if nothing was released."""
    context, source = document.context, document.source
    before, version = released(context), context.dataset.content.version
    if before:
        for each in identities(document):
            yield _history_row(source.id, each.entry(before.get(each.id), version), each.corrected)
        return
    new = _history_row(
        source.id, ReleasedId(table="sources", id=source.id, first=version, changed=version)
    )
    yield from (
        new,
        *({**new, "record_id": name, "record_table": table} for _, table, name in document.records),
    )


def _history_of_context(context: Context) -> Iterator[Row]:
    """Yield the history of shared speakers and withdrawn records, in the order of their ids."""
    before, version = released(context), context.dataset.content.version
    tombstones = {stone.id: stone for stone in context.tombstones}
    for name in sorted({*context.shared, *tombstones}):
        if stone := tombstones.get(name):
            yield _history_row(None, withdrawn_entry(stone, before.get(name), version))
        else:
            speaker = identity_of_speaker(context.shared[name])
            yield _history_row(None, speaker.entry(before.get(name), version), speaker.corrected)


def _history_row(
    source_id: str | None, entry: ReleasedId, corrected: Correction | None = None
) -> Row:
    withdrawn = entry.change == "withdrawn"
    return {
        "record_id": entry.id,
        "record_table": entry.table,
        "source_id": source_id,
        "first_version": None if withdrawn else entry.first,
        "last_changed_version": entry.changed,
        "change": entry.change,
        "corrected_reason": corrected.reason
        if corrected and corrected.version == entry.changed
        else None,
        "withdrawn_version": entry.changed if withdrawn else None,
    }


def _errata(document: Document) -> Iterator[Row]:
    for path, erratum in document.errata:
        spans = document.evidence_of(path)
        yield {
            "erratum_id": erratum.id,
            "source_id": document.source.id,
            "text": document.words((*path, "evidence")),
            "start": spans[0].start,
            "end": spans[-1].end,
            **_fields(erratum, "wrong", "known", "reported", "status"),
        }


def _ledger(document: Document) -> Iterator[Row]:
    for entry in ledger_of(document).entries:
        kind, (start, end) = entry.detection.kind, accounted_words(document, entry)
        secret = entry.status == "withdrawn" or entry.reason == "protected_attribute"
        yield {
            "ledger_id": f"{document.source.id}.{start}.{kind}",
            "source_id": document.source.id,
            "start": start,
            "end": end,
            "text": None if secret else document.text[start:end],
            "kind": kind,
            "status": entry.status,
            "record_table": entry.record_table,
            "record_id": entry.record_id,
            "reason": entry.reason,
        }


def relation_rows(document: Document) -> list[Row]:
    """Return the rows of the relations whose figures are all known, in the order of the table.

    A relation with a figure from another document has a row only after that figure was loaded into `borrowed`.
    """
    declared = relation_arithmetic.conventions(document.context)
    evaluated = [
        (
            relation,
            relation_arithmetic.evaluate_relation(relation, document.figures_by_id, declared),
        )
        for _, relation in document.relations_to_evaluate
    ]
    found = [
        {
            "relation_id": relation.id,
            "source_id": document.source.id,
            **_fields(relation, "kind", "result"),
            "operands": ";".join(relation.operands),
            "outcome": result.outcome,
            "computation": result.computation,
            "note": relation.note,
        }
        for relation, result in evaluated
        if result
    ]
    return _ordered("relations", found)


def _comparison(pair: comparisons.FigurePair, dependence: str | None) -> Row:
    return {
        "comparison_id": ".".join(pair.figures),
        "measure": pair.measure,
        "figure_a": pair.figures[0],
        "figure_b": pair.figures[1],
        "same_source": pair.same_source,
        "dependence": dependence,
        "interval_a": str(pair.intervals[0]),
        "interval_b": str(pair.intervals[1]),
        "times": pair.compared.times,
        "verdict": pair.compared.verdict,
        "explanation": pair.compared.explanation,
        "note": pair.note,
    }


ROWS_BY_TABLE: dict[str, Callable[[Document], Iterable[Row]]] = {
    "sources": lambda document: [_source(document)],
    "speakers": _speakers,
    "mentions": _mentions,
    "testimonies": _testimonies,
    "testimony_themes": _testimony_themes,
    "testimonies_joined": _testimonies_joined,
    "figures": _figures,
    "spans": _spans,
    "waivers": _waivers,
    "ledger": _ledger,
    "relations": relation_rows,
    "readings": _readings,
    "history": _history,
    "errata": _errata,
}
"""Functions that return the rows of a document, by table; the table `provenance` is computed from these rows."""
