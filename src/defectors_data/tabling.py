"""The corpus as Arrow tables: one flat table for each row model, in a declared order.

Each table is a function from the corpus and its spans to rows. Nothing is looked up twice: the spans are those that
the checks found. What a protected person's attribute is waived with is left out of the text that is published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa

from defectors_data import certifying, comparing, rows
from defectors_data.anchoring import whole_occurrences
from defectors_data.corpus import Corpus, Path, Shard
from defectors_data.models import Mention, Source, Speaker, Testimony
from defectors_data.proving import Proof
from defectors_data.spans import Offsets, Span, line_and_column
from defectors_data.values import Bounds, edtf_bounds
from defectors_data.vocabularies import RecordTable

CONTEXT = 32
"""Code points of context that are published on each side of figures and mentions."""


def tables(proof: Proof) -> dict[str, pa.Table]:
    """Return every published table by name, in the order in which tables are listed.

    The proof has no findings: all its evidence stands somewhere, and all that is referred to exists.
    """
    records = _records(proof, frozenset())
    records[_PROVENANCE] = _dumped(_ordered(rows.ProvenanceRow, [*_columns(), *_cells(records)]))
    return {row.TABLE.name: _arrow(row, records[row.TABLE.name]) for row in rows.ROWS}


class OfSources(NamedTuple):
    """The tables of some sources, how often they use each term, and the cells that rest on words that are nowhere."""

    tables: dict[str, pa.Table]
    used: dict[tuple[str, str], int]
    """By table and term."""
    bare: list[str]
    """As table/id/column; empty where no certificates were asked for."""


Records: TypeAlias = dict[str, list[dict[str, Any]]]
"""Rows by the names of their tables, each a dictionary with its columns in order."""


def records_of_sources(proof: Proof, left_out: Collection[str]) -> Records:
    """Return the rows of some sources, without provenance and the tables that are left out, in order.

    The proof has no findings. Rows that are of no source, such as shared speakers, are left out, too.
    """
    records = _records(proof, left_out)
    records["speakers"] = [row for row in records["speakers"] if row["source_id"]]
    return records


def of_sources(proof: Proof, left_out: Collection[str]) -> OfSources:
    """Return the tables of some sources, as `records_of_sources` does, with provenance where it is not left out."""
    records = records_of_sources(proof, left_out)
    bare: list[str] = []
    if _PROVENANCE not in left_out:
        held = {**records, "tombstones": _dumped(_tombstones(proof.corpus, []))}
        records[_PROVENANCE] = _dumped(_ordered(rows.ProvenanceRow, _cells(held)))
        bare = certifying.uncertified(held)
    made = {row.TABLE.name: _arrow(row, records[row.TABLE.name]) for row in rows.ROWS if row.TABLE.name in records}
    return OfSources(made, used(proof.corpus.shards), bare)


def of_all(corpus: Corpus, counts: Mapping[tuple[str, str], int], left_out: Collection[str]) -> dict[str, pa.Table]:
    """Return the tables, and rows of tables, that are of no source; `counts` says by table and term how often."""
    found: dict[type[rows.Row], list[rows.Row]] = {
        rows.SpeakerRow: [_speaker(None, speaker) for speaker in corpus.shared.content.speakers],
        rows.TombstoneRow: list(_tombstones(corpus, [])),
        rows.ProvenanceRow: list(_columns()),
    }
    for row, make in ((rows.MeasureRow, _measures), (rows.PopulationRow, _populations), (rows.ThemeRow, _themes)):
        terms = make(corpus, [])
        found[row] = [term.model_copy(update={"used": counts.get((row.TABLE.name, term.term), 0)}) for term in terms]
    made = {row: _ordered(row, items) for row, items in found.items() if row.TABLE.name not in left_out}
    return {row.TABLE.name: _arrow(row, _dumped(made[row])) for row in rows.ROWS if row in made}


def used(shards: Iterable[Shard]) -> dict[tuple[str, str], int]:
    """Return how often sources use each term, by table and term."""
    found: Counter[tuple[str, str]] = Counter()
    for shard in shards:
        found.update(("themes", theme) for _, item in shard.testimonies() for theme in item.themes)
        found.update(("measures", figure.measure) for _, figure in shard.figures())
        found.update(("populations", figure.population) for _, figure in shard.figures() if figure.population)
    return found


_PROVENANCE = rows.ProvenanceRow.TABLE.name


def _records(proof: Proof, left_out: Collection[str]) -> Records:
    """Return the rows of the tables but provenance, in order, by the names of the tables."""
    articles = [_Article(shard, proof.corpus.heard(shard), proof) for shard in proof.corpus.shards]
    makers = {row: make for row, make in _TABLES.items() if row.TABLE.name not in left_out}
    records = {row.TABLE.name: _dumped(_ordered(row, make(proof.corpus, articles))) for row, make in makers.items()}
    if rows.TestimonyJoinedRow.TABLE.name in left_out:
        return records
    joined = _ordered(rows.TestimonyJoinedRow, _joined_testimonies(records))
    return records | {rows.TestimonyJoinedRow.TABLE.name: _dumped(joined)}


def _dumped(items: Iterable[rows.Row]) -> list[dict[str, Any]]:
    return [dict(vars(item)) for item in items]


def _joined_testimonies(records: certifying.Rows) -> Iterator[rows.TestimonyJoinedRow]:
    """Put each testimony beside its speaker, the speaker's first mention in the source, and the source."""
    speakers = {row["speaker_id"]: row for row in records["speakers"]}
    sources = {row["source_id"]: row for row in records["sources"]}
    first: dict[tuple[str, str], dict[str, object]] = {}
    for mention in records["mentions"]:  # ordered by their place
        first.setdefault((mention["speaker_id"], mention["source_id"]), mention)
    for testimony in records["testimonies"]:
        beside = {
            "speaker": speakers[testimony["speaker_id"]],
            "mention": first.get((testimony["speaker_id"], testimony["source_id"]), {}),
            "source": sources[testimony["source_id"]],
        }
        joined = {f"{table}_{name}": cell for table, row in beside.items() for name, cell in row.items()}
        joined |= {"mention_id": beside["mention"].get("mention_id")} | testimony
        columns = rows.TestimonyJoinedRow.model_fields
        yield rows.TestimonyJoinedRow.model_validate({name: joined.get(name) for name in columns})


def _columns() -> Iterator[rows.ProvenanceRow]:
    """Give a row of provenance for each column."""
    for row in rows.ROWS:
        table = row.TABLE.name
        for column in row.model_fields:
            rule = certifying.RULES.get(table, {}).get(column) or certifying.DERIVED[table]
            yield _certificate(table, column, rule)


def _cells(records: certifying.Rows) -> Iterator[rows.ProvenanceRow]:
    """Give a row of provenance for each cell whose certificate is not simply that of its column."""
    for (table, record_id, column), certificate in certifying.Certifier(records).all():
        if certificate and certificate.listed:
            yield _certificate(table, column, certificate.rule, record_id, certificate.spans)


def _certificate(
    table: str, column: str, rule: certifying.Rule, record_id: str | None = None, spans: Sequence[str] = ()
) -> rows.ProvenanceRow:
    return rows.ProvenanceRow(
        provenance_id=".".join(filter(None, (table, column, record_id))),
        table=table,
        column=column,
        record_id=record_id,
        basis=rule.basis,
        spans=";".join(spans) or None,
        span_field=None if record_id else rule.field,
        function=rule.function,
        inputs=rule.inputs,
        note=rule.note,
    )


def _ordered(row: type[rows.Row], found: Iterable[rows.Row]) -> list[rows.Row]:
    """Return rows in the order that their table declares; none of the columns it names is ever null."""
    return sorted(found, key=attrgetter(*row.TABLE.order))


@dataclass(frozen=True)
class _Article:
    """A source with its speakers and its proved evidence."""

    shard: Shard
    speakers: Mapping[str, Speaker]
    proof: Proof

    @property
    def source(self) -> Source:
        return self.shard.content.source

    def at(self, path: Path) -> tuple[Span, ...]:
        return self.proof.at(self.shard, path)

    def words(self, path: Path) -> str:
        """Return the words of a record's evidence, its parts joined."""
        return self.proof.text(self.shard, (*path, "evidence")) or ""

    def printed(self, name: str) -> str | None:
        """Return the words of a field of the source that is itself evidence."""
        return self.proof.text(self.shard, ("source", name))

    @cached_property
    def spans(self) -> list[rows.SpanRow]:
        """The published spans of the source; a protected person's waived attribute has none."""
        secret = {waiver.id for _, waiver in self.shard.waivers() if waiver.reason == "protected_attribute"}
        offsets = Offsets(self.shard.text)
        cited = (cited for cited in self.shard.cited() if cited.record_id not in secret)
        found = [(item.table, item.record_id, item.field, self.at(item.path)) for item in cited]
        return [row for item in [*found, *self.printed_elsewhere()] for row in _span_rows(self, *item, offsets)]

    def printed_elsewhere(self) -> Iterator[tuple[RecordTable, str, str, Sequence[Span]]]:
        """Give what is said to be printed and is not evidence: outlets where they stand first, places where nearest."""
        outlets = [self._nearest(outlet, 0) for outlet in self.source.cited_outlets]
        yield "sources", self.source.id, "cited_outlets", sorted(span for span in outlets if span)
        for path, figure in self.shard.figures():
            if figure.place and (place := self._nearest(figure.place, self.at((*path, "evidence"))[0].start)):
                yield "figures", figure.id, "place", [place]

    def _nearest(self, words: str, to: int) -> Span | None:
        """Return the occurrence of words that stands nearest to a place and was not taken out."""
        found = [span for span in whole_occurrences(words, self.shard.text) if not self.shard.withdrawn(*span)]
        return min(found, key=lambda span: abs(span.start - to), default=None)

    @cached_property
    def revealed(self) -> int:
        """How many code points of the seed the published spans and their contexts show."""
        total = reach = 0
        shown = [(r.start - len(r.prefix or ""), r.end + len(r.suffix or "")) for r in self.spans]
        for start, end in sorted(shown):
            total += max(0, end - max(start, reach))
            reach = max(reach, end)
        return total


def _span_rows(
    article: _Article, table: RecordTable, record_id: str, field: str, spans: Sequence[Span], offsets: Offsets
) -> Iterator[rows.SpanRow]:
    text = article.shard.text
    with_context = table in ("figures", "mentions")
    taken_out = article.shard.content.withdrawn
    for part, (start, end) in enumerate(spans, start=1):
        line, column = line_and_column(text, start)
        before, after = start, end
        if with_context:
            before = max([start - CONTEXT, 0, *(run.end for run in taken_out if run.end <= start)])
            after = min([end + CONTEXT, len(text), *(run.start for run in taken_out if run.start >= end)])
        yield rows.SpanRow(
            span_id=f"{record_id}.{field}.{part}",
            record_table=table,
            record_id=record_id,
            field=field,
            part=part,
            source_id=article.source.id,
            start=start,
            end=end,
            start_utf16=offsets.utf16(start),
            end_utf16=offsets.utf16(end),
            start_byte=offsets.utf8(start),
            end_byte=offsets.utf8(end),
            line=line,
            column=column,
            exact=text[start:end],
            prefix=text[before:start] or None,
            suffix=text[end:after] or None,
        )


# ---- one function for each table ---------------------------------------------------------------------------


def _sources(_: Corpus, articles: list[_Article]) -> Iterator[rows.SourceRow]:
    for article in articles:
        source, facts, text = article.source, article.source.facts(), article.shard.text
        published = edtf_bounds(source.published.value) if source.published else Bounds(None, None)
        yield rows.SourceRow(
            source_id=source.id,
            seed_file=source.seed,
            sha256=source.sha256,
            chars=len(text),
            words=len(text.split()),
            chars_revealed=article.revealed,
            title=article.printed("title"),
            subtitle=article.printed("subtitle"),
            authors="; ".join(source.authors.value) if source.authors else None,
            outlet=source.outlet.value if source.outlet else None,
            published=source.published.value if source.published else None,
            published_from=published.first,
            published_to=published.last,
            language=source.language,
            dateline=article.printed("dateline"),
            url=article.printed("url"),
            cited_outlets="; ".join(source.cited_outlets) or None,
            rights=source.rights,
            outlet_basis=source.outlet.basis if source.outlet else None,
            authors_basis=source.authors.basis if source.authors else None,
            published_basis=source.published.basis if source.published else None,
            note=_joined(source.note, *(f"{name}: {fact.note}" for name, fact in facts.items() if fact.note)),
        )


def _speakers(corpus: Corpus, articles: list[_Article]) -> list[rows.SpeakerRow]:
    local = [(article.source.id, speaker) for article in articles for _, speaker in article.shard.speakers()]
    shared = [(None, speaker) for speaker in corpus.shared.content.speakers]
    return [_speaker(source_id, speaker) for source_id, speaker in [*local, *shared]]


def _speaker(source_id: str | None, speaker: Speaker) -> rows.SpeakerRow:
    """Return a speaker's row; what the speaker's model has no field for is null."""
    optional = ("name", "rank_class", "branch", "gender", "request", "note")
    return rows.SpeakerRow(
        speaker_id=speaker.id,
        source_id=source_id,
        kind=speaker.kind,
        role=speaker.role,
        anonymity=speaker.anonymity,
        protected=speaker.protected,
        **{name: getattr(speaker, name, None) for name in optional},
    )


def _mentions(_: Corpus, articles: list[_Article]) -> Iterator[rows.MentionRow]:
    for article in articles:
        for path, speaker_id, mention in article.shard.mentions():
            spans = article.at((*path, "evidence"))
            public = mention if isinstance(mention, Mention) else None
            yield rows.MentionRow(
                mention_id=mention.id,
                speaker_id=speaker_id,
                source_id=article.source.id,
                rank=public.rank if public else None,
                age=public.age if public else None,
                years_of_service=public.years_of_service if public else None,
                affiliation=public.affiliation if public else None,
                text=article.words(path),
                start=spans[0].start,
                end=spans[-1].end,
            )


def _testimonies(_: Corpus, articles: list[_Article]) -> Iterator[rows.TestimonyRow]:
    for article in articles:
        for path, testimony in article.shard.testimonies():
            spans = article.at((*path, "evidence"))
            yield rows.TestimonyRow(
                testimony_id=testimony.id,
                source_id=article.source.id,
                speaker_id=testimony.speaker,
                speaker_role=article.speakers[testimony.speaker].role,
                mode=testimony.mode,
                outlet=testimony.outlet,
                text=article.words(path),
                parts=len(spans),
                start=spans[0].start,
                end=spans[-1].end,
                themes=";".join(testimony.themes),
                about_speaker_id=testimony.about,
                note=_joined(testimony.note, *_unbalanced(testimony)),
            )


def _unbalanced(testimony: Testimony) -> Iterator[str]:
    for number, part in enumerate(testimony.evidence, start=1):
        if part.unbalanced:
            yield f"The {part.unbalanced} quotation mark of part {number} is missing in the source."


def _testimony_themes(_: Corpus, articles: list[_Article]) -> Iterator[rows.TestimonyThemeRow]:
    for article in articles:
        for _path, testimony in article.shard.testimonies():
            for theme in testimony.themes:
                name = f"{testimony.id}.{theme}"
                yield rows.TestimonyThemeRow(testimony_theme_id=name, testimony_id=testimony.id, theme=theme)


def _figures(_: Corpus, articles: list[_Article]) -> Iterator[rows.FigureRow]:
    for article in articles:
        for path, figure in article.shard.figures():
            spans = article.at((*path, "evidence"))
            as_of = edtf_bounds(figure.as_of) if figure.as_of else Bounds(None, None)
            yield rows.FigureRow(
                figure_id=figure.id,
                source_id=article.source.id,
                testimony_id=figure.testimony,
                **figure.model_dump(exclude={"id", "evidence", "testimony", "note"}),
                note=_joined(figure.note, figure.override and f"Not what the words say: {figure.override}"),
                text=article.words(path),
                as_of_from=as_of.first,
                as_of_to=as_of.last,
                start=spans[0].start,
                end=spans[-1].end,
            )


def _spans(_: Corpus, articles: list[_Article]) -> Iterator[rows.SpanRow]:
    for article in articles:
        yield from article.spans


def _measures(corpus: Corpus, articles: list[_Article]) -> list[rows.MeasureRow]:
    used = Counter(figure.measure for article in articles for _, figure in article.shard.figures())
    terms = corpus.vocabulary.content.measures
    units = {term.term: ";".join(term.units) or None for term in terms}
    return [
        rows.MeasureRow(term=t.term, definition=t.definition, units=units[t.term], used=used[t.term]) for t in terms
    ]


def _relations(corpus: Corpus, articles: list[_Article]) -> Iterator[rows.RelationRow]:
    for article in articles:
        for _, relation in article.shard.relations():
            if result := comparing.evaluated(corpus, relation):
                yield rows.RelationRow(
                    relation_id=relation.id,
                    source_id=article.source.id,
                    kind=relation.kind,
                    result=relation.result,
                    of=";".join(relation.of),
                    outcome=result.outcome,
                    computation=result.computation,
                    note=relation.note,
                )


def _comparisons(corpus: Corpus, _: list[_Article]) -> Iterator[rows.ComparisonRow]:
    for pair in comparing.pairs(corpus):
        yield rows.ComparisonRow(
            comparison_id=".".join(pair.figures),
            measure=pair.measure,
            figure_a=pair.figures[0],
            figure_b=pair.figures[1],
            verdict=pair.compared.verdict,
            because=pair.compared.because,
            note=pair.note,
        )


def _measure_summary(corpus: Corpus, _: list[_Article]) -> Iterator[rows.MeasureSummaryRow]:
    for summary in comparing.summaries(corpus):
        bounds = [edtf_bounds(figure.as_of) for figure in summary.figures if figure.as_of]
        yield rows.MeasureSummaryRow(
            measure=summary.measure,
            figures=len(summary.figures),
            sources=len(summary.sources),
            independent_sources=summary.independent,
            lowest=summary.lowest,
            highest=summary.highest,
            earliest=min((bound.first for bound in bounds if bound.first), default=None),
            latest=max((bound.last for bound in bounds if bound.last), default=None),
            verdicts=";".join(f"{verdict} {number}" for verdict, number in sorted(summary.verdicts.items())) or None,
        )


def _populations(corpus: Corpus, articles: list[_Article]) -> list[rows.PopulationRow]:
    used = Counter(figure.population for article in articles for _, figure in article.shard.figures())
    terms = corpus.vocabulary.content.populations
    return [rows.PopulationRow(term=t.term, definition=t.definition, used=used[t.term]) for t in terms]


def _tombstones(corpus: Corpus, _: list[_Article]) -> list[rows.TombstoneRow]:
    return [
        rows.TombstoneRow(record_table=stone.table, record_id=stone.id, date=stone.date, reason_class=stone.reason)
        for stone in corpus.tombstones.content.tombstones
    ]


def _themes(corpus: Corpus, articles: list[_Article]) -> list[rows.ThemeRow]:
    used = Counter(theme for article in articles for _, item in article.shard.testimonies() for theme in item.themes)
    terms = corpus.vocabulary.content.themes
    return [
        rows.ThemeRow(term=t.term, definition=t.definition, triggers=";".join(t.triggers) or None, used=used[t.term])
        for t in terms
    ]


def _waivers(_: Corpus, articles: list[_Article]) -> Iterator[rows.WaiverRow]:
    for article in articles:
        tables = _tables_of_records(article.shard)
        for path, waiver in article.shard.waivers():
            spans = article.at((*path, "evidence"))
            secret = waiver.reason == "protected_attribute"
            waived = article.shard.text[slice(*spans[0])] if waiver.all else article.words(path)
            yield rows.WaiverRow(
                waiver_id=waiver.id,
                source_id=article.source.id,
                reason=waiver.reason,
                of_table=tables[waiver.of] if waiver.of else None,
                of_id=waiver.of,
                text=None if secret else waived,
                occurrences=len(spans) if waiver.all else 1,
                start=spans[0].start,
                end=spans[-1].end,
                note=waiver.note,
            )


def _ledger(_: Corpus, articles: list[_Article]) -> Iterator[rows.LedgerRow]:
    for article in articles:
        for entry in article.proof.ledgers[article.shard.file].entries:
            found = entry.detection
            secret = entry.status == "withdrawn" or entry.reason == "protected_attribute"
            yield rows.LedgerRow(
                ledger_id=f"{article.source.id}.{found.start}.{found.kind}",
                source_id=article.source.id,
                start=found.start,
                end=found.end,
                text=None if secret else article.shard.text[found.start : found.end],
                kind=found.kind,
                status=entry.status,
                record_table=entry.record_table,
                record_id=entry.record_id,
                reason=entry.reason,
            )


def _tables_of_records(shard: Shard) -> dict[str, RecordTable]:
    """Return the table in which each record of a shard is published, by the record's id."""
    tables: dict[str, RecordTable] = {shard.content.source.id: "sources"}
    tables |= {cited.record_id: cited.table for cited in shard.cited()}
    for _, entry in shard.entries():
        tables[entry.id] = "speakers"
    return tables


def _joined(*notes: str | None) -> str | None:
    return " ".join(note for note in notes if note) or None


_TABLES: dict[type[rows.Row], Callable[[Corpus, list[_Article]], Iterable[rows.Row]]] = {
    rows.SourceRow: _sources,
    rows.SpeakerRow: _speakers,
    rows.MentionRow: _mentions,
    rows.TestimonyRow: _testimonies,
    rows.TestimonyThemeRow: _testimony_themes,
    rows.FigureRow: _figures,
    rows.SpanRow: _spans,
    rows.MeasureRow: _measures,
    rows.PopulationRow: _populations,
    rows.ThemeRow: _themes,
    rows.WaiverRow: _waivers,
    rows.LedgerRow: _ledger,
    rows.RelationRow: _relations,
    rows.ComparisonRow: _comparisons,
    rows.MeasureSummaryRow: _measure_summary,
    rows.TombstoneRow: _tombstones,
}

# ---- rows to Arrow -----------------------------------------------------------------------------------------

_ARROW_TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), date: pa.date32()}


def arrow_schema(row: type[rows.Row]) -> pa.Schema:
    """Return the Arrow schema of a row model: type, nullability, and the column's sentence and unit."""
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
            for column in rows.columns(row)
        ]
    )


def _arrow(row: type[rows.Row], found: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(found, schema=arrow_schema(row))
