"""Conversion of documents to Arrow tables: one flat table for each row model.

A row is a dictionary in the order of its model's fields; `models/tables.py` is the contract, and a
test validates every row against it. `tables_of` builds the tables of a batch of documents. Their
rows are ordered by source first, so that the tables of batches can be concatenated in the order of
the source ids. Rows that belong to no source precede the first batch (`tables_of_context`) or have
separate tables (`tables_across`).
"""

from __future__ import annotations

import calendar
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa

from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence import comparisons, relation_arithmetic
from defectors_data.evidence.annotated_document import Document, act_id, motive_id, per_document
from defectors_data.evidence.comparisons import ComparableFigure, FigurePair, SourceTies
from defectors_data.evidence.completeness_ledger import LedgerEntry, accounted_words, ledger_of
from defectors_data.evidence.record_fingerprints import (
    first_released,
    identities,
    identity_of_speaker,
    released,
    withdrawn_entry,
)
from defectors_data.evidence.relation_arithmetic import ComparedFigure
from defectors_data.models import tables
from defectors_data.models.annotation import (
    INFERABLE,
    Attribution,
    Correction,
    Happened,
    Mention,
    ProtectedMention,
    PseudonymousPerson,
    Source,
    Speaker,
    Testimony,
    Waiver,
)
from defectors_data.models.closed_vocabularies import OVERRIDDEN
from defectors_data.models.fields import DateBounds, edtf_bounds
from defectors_data.models.project import ReleasedId
from defectors_data.models.tables import ROW_OF
from defectors_data.package.cells import cells_of, edtf_cell, joined
from defectors_data.package.tables_writer import arrow, ordered
from defectors_data.rows import cell_provenance, disclosure_check
from defectors_data.rows.labels import with_edition
from defectors_data.rows.persons import person_rows
from defectors_data.rows.spans import Row, _is_secret, _spans, revealed
from defectors_data.rows.vocabularies import measures_table, terms_table, used_terms
from defectors_data.text.intervals import Interval

CHUNK = 8 * 1024
"""Number of rows that are converted together outside of batches."""

Rows: TypeAlias = dict[str, list[Row]]
"""The rows of each table, by its name; each row has its columns in the declared order."""


class BatchTables(NamedTuple):
    """The tables of a batch of documents."""

    tables: dict[str, pa.Table]
    used: Counter[tuple[str, str]]
    """How often the documents use each term, by kind and term."""
    faults: list[str]
    """Cells that no words support or that reveal too much about a protected person: bugs."""


def tables_of(documents: Sequence[Document], left_out: Collection[str] = ()) -> BatchTables:
    """Return the tables of documents in the order of their source ids and without findings."""
    records = records_of(documents, left_out)
    faults = disclosure_check.leaks(records)
    if "provenance" not in left_out:
        index = cell_provenance.ProvenanceIndex(_for_provenance(documents, records))
        cells = list(index.exceptions())
        records["provenance"] = ordered("provenance", _cell_provenance(documents, cells))
        faults += _unsupported(documents, cells)
    made = {name: arrow(name, found) for name, found in records.items()}
    return BatchTables(made, used_terms(documents), faults)


def records_of(documents: Sequence[Document], left_out: Collection[str] = ()) -> Rows:
    """Return the ordered rows of each table without `provenance` and the tables in `left_out`."""
    records: Rows = {}
    for name, make in ROWS_BY_TABLE.items():
        if name not in left_out:
            found = list[Row]()
            for document in documents:
                found += make(document)
            records[name] = ordered(name, found)
    return records


def tables_of_context(
    context: Context, left_out: Collection[str] = ()
) -> Iterator[tuple[str, pa.Table]]:
    """Yield the tables of rows that belong to no source, each with its name."""
    yield from _in_chunks("speakers", _shared_speakers(context))
    yield "tombstones", arrow("tombstones", ordered("tombstones", _tombstones(context)))
    yield from _in_chunks("history", _history_of_context(context))
    if "provenance" not in left_out:
        yield "provenance", arrow("provenance", ordered("provenance", _column_provenance()))


def _in_chunks(name: str, rows: Iterator[Row]) -> Iterator[tuple[str, pa.Table]]:
    """Yield a table in chunks, each with the name, since there may be millions of rows."""
    while chunk := list(islice(rows, CHUNK)):
        yield name, arrow(name, chunk)


def _shared_speakers(context: Context) -> Iterator[Row]:
    for name in sorted(context.shared):
        yield _speaker(None, context.shared[name])


def _tombstones(context: Context) -> Iterator[Row]:
    for stone in context.tombstones:
        yield {
            "record_table": stone.table,
            "record_id": stone.id,
            "date": stone.date,
            "reason_class": stone.reason,
        }


def _statement_relations(context: Context) -> Iterator[Row]:
    """Yield the rows of the pairs of statements that the annotators declare."""
    for pair in context.statements:
        name = {"statement_relation_id": f"{pair.first}.{pair.second}"}
        yield name | cells_of(pair, "first", "second", "kind", "reason")


def tables_across(
    context: Context,
    used: Mapping[tuple[str, str], int],
    figures: Iterable[ComparedFigure],
    ties: Iterable[SourceTies],
    pairs: Sequence[FigurePair] | None,
) -> dict[str, pa.Table]:
    """Return the tables of all sources: terms, measures, relations and, if compared, comparisons.

    `used` is the number of uses of each term by documents, by kind and term. `pairs` are those of
    `figure_pairs`; None if the figures are not compared.
    """
    statements = ordered("statement_relations", _statement_relations(context))
    made = {
        "terms": terms_table(context, used),
        "statement_relations": arrow("statement_relations", statements),
    }
    if pairs is None:
        numbers = {}
        for measure in context.vocabulary.content.measures:
            numbers[measure.term] = {"figures": used.get(("measure", measure.term), 0)}
        return {**made, "measures": measures_table(context, numbers)}
    links = comparisons.links(list(ties))
    reasons = {link.sources: link.explanation for link in links}
    rows = [_comparison(pair, comparisons.dependence(pair, reasons)) for pair in pairs]
    declared = relation_arithmetic.conventions(context)
    summaries = comparisons.measure_summaries(figures, pairs, links, declared)
    return {
        **made,
        "measures": measures_table(context, dict(summaries)),
        "comparisons": arrow("comparisons", ordered("comparisons", rows)),
    }


def _note(*notes: str | None) -> str | None:
    return " ".join(note for note in notes if note) or None


# ---- provenance ----------------------------------------------------------------------------


def _for_provenance(documents: Sequence[Document], records: Rows) -> Rows:
    """Return the rows, with a row of each shared speaker for each source of the speaker."""
    shared = []
    for document in documents:
        shared += [_speaker_rows(document)[use.id] for _, use in document.uses]
    tombstones = list[Row]()
    if documents and len(documents[0].context.tombstones):
        # Only whether there are tombstones matters, so one empty row is enough.
        tombstones.append({})
    return {
        "relations": [],
        **records,
        "speakers": [*records["speakers"], *shared],
        "tombstones": tombstones,
    }


def _unsupported(documents: Sequence[Document], cells: Iterable[cell_provenance.Cell]) -> list[str]:
    """Return the cells that no words support.

    Those of shared speakers are left out, because another source may have the words.
    """
    shared = _shared(documents)
    faults = []
    for cell in cells:
        is_shared = cell.table == "speakers" and cell.record_id in shared
        if cell.provenance is None and not is_shared:
            faults.append(f"no words for {cell.name}")
    return faults


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
        "table_name": table,
        "column_name": column,
        "record_id": record_id or cell_provenance.OF_COLUMN,
        "basis": rule.basis,
        "spans": joined(spans) if record_id else rule.field,
        "function": rule.function,
        "inputs": rule.inputs,
        "joined_on": rule.join,
        "note": rule.note,
    }


# ---- one function for each table -----------------------------------------------------------


@per_document
def _source(document: Document) -> Row:
    source, text = document.source, document.text
    shown = [end - start for start, end in revealed(_spans(document))]
    earlier = [each.sha256 for each in document.content.earlier]
    entries = ledger_of(document).entries
    reasons = Counter(entry.reason for entry in entries)
    statuses = Counter(entry.status for entry in entries)
    return {
        "source_id": source.id,
        "seed_file": source.seed,
        "sha256": source.sha256,
        "earlier_sha256": joined(earlier),
        "chars": len(text),
        "words": len(text.split()),
        "chars_revealed": sum(shown),
        "protected_numbers": reasons["protected_attribute"],
        "withdrawn_entries": statuses["withdrawn"] or None,
        "label": short_label(source, document.words(("source", "title"))),
        "title": document.words(("source", "title")),
        "subtitle": document.words(("source", "subtitle")),
        **_facts(source),
        "genre": source.genre,
        "language": source.language,
        "completeness": source.completeness,
        "dateline": document.words(("source", "dateline")),
        "url": source.url.value if source.url else None,
        **{f"obtained_{key}": getattr(source.obtained, key, None) for key in _OBTAINED},
        "cited_outlets": "; ".join(source.cited_outlets) or None,
        "rights": source.rights,
        **_bases(source),
        "note": _note(source.note, *_notes_of_facts(source)),
    }


_OBTAINED = ("date", "address", "by", "sha256")


def _facts(source: Source) -> Row:
    """Return the columns of the authors, the outlet and the date of publication."""
    cells: Row = dict.fromkeys(("authors", "outlet", "published"))
    bounds = DateBounds(None, None)
    if source.authors:
        cells["authors"] = "; ".join(source.authors.value)
    if source.outlet:
        cells["outlet"] = source.outlet.value
    if source.published:
        cells["published"] = edtf_cell(source.published.value)
        bounds = edtf_bounds(source.published.value)
    return {**cells, "published_from": bounds.first, "published_to": bounds.last}


_FACT_BASES = ("outlet_basis", "authors_basis", "published_basis", "url_basis")


def short_label(source: Source, title: str | None) -> str:
    """Return a short name of an article: its outlet and month, or else its title or its id."""
    if source.outlet is None:
        return title or source.id
    month = _month(source.published.value) if source.published else ""
    outlet = with_edition(source.outlet.value, source.outlet.basis)
    return f"{outlet}, {month}" if month else outlet


def _month(published: str) -> str:
    """Return the month and year of a date in EDTF, or its year if it is not within one month."""
    first, last = edtf_bounds(published)
    if not first or not last or first.year != last.year:
        return ""
    if first.month != last.month:
        return str(first.year)
    return f"{calendar.month_name[first.month]} {first.year}"


def _bases(source: Source) -> Row:
    """Return the columns of the basis of each fact; null for a fact that is not known."""
    bases: Row = dict.fromkeys(_FACT_BASES)
    for name, fact in source.facts().items():
        bases[f"{name}_basis"] = fact.basis
    return bases


def _notes_of_facts(source: Source) -> Iterator[str]:
    for name, fact in source.facts().items():
        if fact.note:
            seen = getattr(fact, "seen", None)
            note = f"{name}: {fact.note}"
            if seen:
                note += f" Seen on {seen}."
            yield note


def _speaker(source_id: str | None, speaker: Speaker) -> Row:
    return {
        "speaker_id": speaker.id,
        "source_id": source_id,
        **cells_of(speaker, *_SPEAKER),
        "protected": speaker.protected,
        "pseudonym_possible": isinstance(speaker, PseudonymousPerson),
        **{f"{key}_inferred": getattr(speaker.inferred, key, None) for key in INFERABLE},
    }


_SPEAKER = tuple(tables.SpeakerRow.model_fields)[2:]
"""The columns of `speakers` after the two ids; `_speaker` replaces flags and inferences."""


@per_document
def _speaker_rows(document: Document) -> dict[str, Row]:
    """Return the rows of all speakers in a source, by id, with the id of this source."""
    source_id, speakers = document.source.id, document.speakers_by_id
    return {name: _speaker(source_id, speaker) for name, speaker in speakers.items()}


def _speakers(document: Document) -> Iterator[Row]:
    return (_speaker_rows(document)[speaker.id] for _, speaker in document.speakers)


@per_document
def _mentions(document: Document) -> list[Row]:
    rows = [_mention(document, path, mention) for path, mention in document.mentions]
    return ordered("mentions", rows)


def _mention(document: Document, path: Path, mention: Mention | ProtectedMention) -> Row:
    spans = document.evidence_of(path)
    return {
        "mention_id": mention.id,
        "speaker_id": document.entry_of(path).id,
        "source_id": document.source.id,
        **cells_of(mention, "rank", "age", "years_of_service", "affiliation"),
        "text": document.words((*path, "evidence")),
        "start_offset": spans[0].start,
        "end_offset": spans[-1].end,
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
        **_attribution(document, path, testimony.attribution),
        **cells_of(testimony, "mode", "access"),
        "stance": testimony.stance or _if_coded(testimony, default="asserts"),
        **cells_of(testimony, "outlet_kind", "outlet"),
        "text": document.words((*path, "evidence")),
        "parts": len(spans),
        "start_offset": spans[0].start,
        "end_offset": spans[-1].end,
        "themes": ";".join(testimony.themes),
        **_happened(testimony.happened),
        "place_id": testimony.where.place if testimony.where else None,
        "departure": testimony.departure or _if_coded(testimony, default=False),
        **cells_of(testimony, "departure_means", "relatives"),
        "note": _note(testimony.note, *_unbalanced(testimony)),
    }


def _if_coded(testimony: Testimony, *, default: Any) -> Any:
    """Return the default of a code that is not typed, or None for a testimony without codes."""
    return None if testimony.access is None else default


def _happened(happened: Happened | None) -> Row:
    """Return the columns of when the content of a testimony happened."""
    names = ("", "_from", "_to", "_basis", "_how", "_of")
    if happened is None:
        return {f"happened{name}": None for name in names}
    bounds = edtf_bounds(happened.date)
    return {
        "happened": edtf_cell(happened.date),
        "happened_from": bounds.first,
        "happened_to": bounds.last,
        "happened_basis": happened.basis,
        "happened_how": happened.how,
        "happened_of": happened.of,
    }


@per_document
def _motives(document: Document) -> list[Row]:
    return list(_motive_rows(document))


def _motive_rows(document: Document) -> Iterator[Row]:
    for path, testimony in document.testimonies:
        for i, motive in enumerate(testimony.motives):
            yield {
                "motive_id": motive_id(testimony, i),
                "source_id": document.source.id,
                "testimony_id": testimony.id,
                "speaker_id": testimony.speaker,
                **cells_of(motive, "direction", "factor", "decision"),
                "reason_of": motive.of,
                "link": motive.link,
                "text": document.words((*path, "motives", i, "words")),
            }


def _persons(document: Document) -> Iterator[Row]:
    speakers = _speaker_rows(document).values()
    return person_rows(speakers, _mentions(document), _testimonies(document), _motives(document))


def _acts(document: Document) -> Iterator[Row]:
    for path, testimony in document.testimonies:
        for i, act in enumerate(testimony.acts):
            at = (*path, "acts", i)
            yield {
                "act_id": act_id(testimony, i),
                "source_id": document.source.id,
                "testimony_id": testimony.id,
                "speaker_id": testimony.speaker,
                **cells_of(act, "act", "status"),
                "against": document.words((*at, "against")) if act.against else None,
                "done_by": document.words((*at, "by")) if act.by else None,
                "text": document.words((*at, "words")),
            }


def _attribution(document: Document, path: Path, attribution: Attribution | None) -> Row:
    """Return the columns of the words that say who speaks; null if they were removed."""
    cells: Row = dict.fromkeys(("attribution", "attribution_text", "attribution_id"))
    if attribution:
        cells["attribution"] = attribution.kind
        cells["attribution_text"] = document.words((*path, "attribution", "words"))
        cells["attribution_id"] = attribution.leads_to
    return cells


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


def _figures(document: Document) -> Iterator[Row]:
    declared = relation_arithmetic.conventions(document.context)
    for path, figure in document.figures:
        compared = None
        if figure.polarity == "affirmed":
            compared = comparisons.comparable(figure, declared)
        dates = edtf_bounds(figure.as_of) if figure.as_of else DateBounds(None, None)
        spans = document.evidence_of(path)
        override = None
        if figure.override:
            override = f"{OVERRIDDEN}{figure.override}"
        yield {
            "figure_id": figure.id,
            "source_id": document.source.id,
            "testimony_id": figure.testimony,
            **cells_of(figure, "attributed_to", "measure", "population", "counted"),
            "text": document.words((*path, "evidence")),
            **cells_of(figure, "value", "low", "high", "hedge", "polarity", "unit"),
            **_numbers(compared),
            "as_of": edtf_cell(figure.as_of),
            "as_of_from": dates.first,
            "as_of_to": dates.last,
            "place_id": figure.place,
            "start_offset": spans[0].start,
            "end_offset": spans[-1].end,
            "note": _note(figure.note, override),
        }


def _numbers(compared: ComparableFigure | None) -> Row:
    """Return the columns of the interval that a figure allows, and of its rounded reading.

    A quantity that is not affirmed sets no bound.
    """
    interval, rounded = Interval(-math.inf, math.inf, low_open=True, high_open=True), None
    if compared:
        interval, rounded = compared.interval, compared.rounded
    return {
        "interval_low": _finite(interval.low),
        "interval_high": _finite(interval.high),
        "low_open": interval.low_open,
        "high_open": interval.high_open,
        "rounded_low": getattr(rounded, "low", None),
        "rounded_high": getattr(rounded, "high", None),
    }


def _finite(number: float) -> float | None:
    return None if math.isinf(number) else number


def _readings(document: Document) -> Iterator[Row]:
    source = document.source.id
    for number, reading in enumerate(document.content.readings, 1):
        fields = cells_of(reading, "reader", "kind", "date", "purpose", "version")
        yield {"reading_id": f"{source}.{number}", "source_id": source, "number": number, **fields}


def _history(document: Document) -> Iterator[Row]:
    """Yield the history of the source and its records, as far as it goes beyond the first release.

    No hashes are computed if nothing was released.
    """
    context, source = document.context, document.source
    before, version = released(context), context.dataset.content.version
    secret = {waiver.id for _, waiver in document.waivers if _is_secret(waiver)}
    if before:
        for each in identities(document):
            entry = each.entry(before.get(each.id), version)
            if each.id not in secret and entry.changed != first_released(context):
                yield _history_row(source.id, entry, each.corrected)


def _history_of_context(context: Context) -> Iterator[Row]:
    """Yield the history of shared speakers and withdrawn records, in the order of their ids."""
    before, version = released(context), context.dataset.content.version
    if not before:
        return
    tombstones = {stone.id: stone for stone in context.tombstones}
    for name in sorted({*context.shared, *tombstones}):
        if stone := tombstones.get(name):
            yield _history_row(None, withdrawn_entry(stone, before.get(name), version))
            continue
        speaker = identity_of_speaker(context.shared[name])
        entry = speaker.entry(before.get(name), version)
        if entry.changed != first_released(context):
            yield _history_row(None, entry, speaker.corrected)


def _history_row(
    source_id: str | None, entry: ReleasedId, corrected: Correction | None = None
) -> Row:
    first: str | None = entry.first
    withdrawn = None
    if entry.change == "withdrawn":
        first, withdrawn = None, entry.changed
    return {
        "record_id": entry.id,
        "record_table": entry.table,
        "source_id": source_id,
        "first_version": first,
        "last_changed_version": entry.changed,
        "change": entry.change,
        "corrected_version": corrected.version if corrected else None,
        "corrected_reason": corrected.reason if corrected else None,
        "withdrawn_version": withdrawn,
    }


def _errata(document: Document) -> Iterator[Row]:
    for path, erratum in document.errata:
        spans = document.evidence_of(path)
        yield {
            "erratum_id": erratum.id,
            "source_id": document.source.id,
            "text": document.words((*path, "evidence")),
            "start_offset": spans[0].start,
            "end_offset": spans[-1].end,
            **cells_of(erratum, "wrong", "known", "reported", "status"),
        }


def _ledger(document: Document) -> Iterator[Row]:
    waivers = {waiver.id: waiver for _, waiver in document.waivers}
    for entry in ledger_of(document).entries:
        if entry.reason == "protected_attribute":
            continue  # `sources.protected_numbers` counts these
        if entry.status == "withdrawn":
            continue  # `sources.withdrawn_entries` counts these: a row would show their place
        kind, (start, end) = entry.detection.kind, accounted_words(document, entry)
        yield {
            "ledger_id": f"{document.source.id}.{start}.{kind}",
            "source_id": document.source.id,
            "start_offset": start,
            "end_offset": end,
            "text": document.text[start:end],
            "kind": kind,
            "status": entry.status,
            **_accounting(document, entry, waivers),
        }


def _accounting(document: Document, entry: LedgerEntry, waivers: Mapping[str, Waiver]) -> Row:
    """Return the columns of the record or the waiver that accounts for an entry of the ledger."""
    table, record_id = entry.record_table, entry.record_id
    waiver_id = note = None
    if entry.status == "waived" and record_id:
        waiver = waivers[record_id]
        waiver_id, note, record_id = waiver.id, waiver.note, waiver.repeats
        table = document.tables[record_id] if record_id else None
    return {
        "record_table": table,
        "record_id": record_id,
        "waiver_id": waiver_id,
        "reason": entry.reason,
        "note": note,
    }


def relations_table(document: Document) -> pa.Table:
    """Return the table `relations` of a document."""
    return arrow("relations", relation_rows(document))


def relation_rows(document: Document) -> list[Row]:
    """Return the rows of the relations whose figures are all known, in the order of the table.

    A relation with a figure from another document has a row only after that figure was loaded into
    `borrowed`.
    """
    declared = relation_arithmetic.conventions(document.context)
    rows = []
    for _, relation in document.relations_to_evaluate:
        figures = document.figures_by_id
        result = relation_arithmetic.evaluate_relation(relation, figures, declared)
        if result:
            row = {
                "relation_id": relation.id,
                "source_id": document.source.id,
                "kind": relation.kind,
                "result": relation.result,
                "operands": ";".join(relation.operands),
                "outcome": result.outcome,
                "computation": result.computation,
                "note": relation.note,
            }
            rows.append(row)
    return ordered("relations", rows)


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
    "persons": _persons,
    "mentions": _mentions,
    "testimonies": _testimonies,
    "motives": _motives,
    "acts": _acts,
    "testimony_themes": _testimony_themes,
    "figures": _figures,
    "spans": _spans,
    "ledger": _ledger,
    "relations": relation_rows,
    "readings": _readings,
    "history": _history,
    "errata": _errata,
}
"""Functions that return the rows of a document, by table, without the table `provenance`."""
