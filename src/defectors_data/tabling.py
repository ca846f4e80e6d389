"""The corpus as Arrow tables: one flat table for each row model, in a declared order.

Each table is a function from the corpus and its spans to rows. Nothing is looked up twice: the spans are those that
the checks found. What a protected person's attribute is waived with is left out of the text that is published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TypeAlias

import pyarrow as pa

from defectors_data import rows
from defectors_data.anchoring import Offsets, Span, line_and_column
from defectors_data.models import (
    Cited,
    Corpus,
    Mention,
    Path,
    Shard,
    Source,
    Speaker,
    Testimony,
)
from defectors_data.values import Bounds, edtf_bounds

CONTEXT = 32
"""Code points of context that are published on each side of figures and mentions."""

JOIN = " […] "
"""What stands between the parts of a testimony in its text."""

Spans: TypeAlias = Mapping[tuple[str, Path], tuple[Span, ...]]


def tables(corpus: Corpus, spans: Spans) -> dict[str, pa.Table]:
    """Return every published table by name, in the order in which tables are listed."""
    shards = [_Anchored(shard, corpus.heard(shard), spans) for shard in _in_order(corpus)]
    return {row.TABLE.name: _arrow(row, _TABLES[row](corpus, shards)) for row in rows.ROWS}


def _in_order(corpus: Corpus) -> list[Shard]:
    return sorted(corpus.shards, key=lambda shard: shard.content.source.id)


@dataclass(frozen=True)
class _Anchored:
    """A shard with its speakers and the spans of its evidence."""

    shard: Shard
    speakers: Mapping[str, Speaker]
    spans: Spans

    @property
    def source(self) -> Source:
        return self.shard.content.source

    def at(self, path: Path) -> tuple[Span, ...]:
        return self.spans[self.shard.file, path]

    def text(self, spans: Iterable[Span]) -> str:
        return JOIN.join(self.shard.text[span.start : span.end] for span in spans)

    def printed(self, name: str) -> str | None:
        """Return the words of a field of the source that is itself evidence."""
        path = ("source", name)
        return self.text(self.at(path)) if (self.shard.file, path) in self.spans else None

    @cached_property
    def published(self) -> list[rows.SpanRow]:
        """The published spans of the source, in order; a protected person's waived attribute has none."""
        secret = {waiver.id for _, waiver in self.shard.waivers() if waiver.reason == "protected_attribute"}
        offsets = Offsets(self.shard.text)
        cited = (cited for cited in self.shard.cited() if cited.record_id not in secret)
        found = [row for item in cited for row in _span_rows(self, item, offsets)]
        return sorted(found, key=lambda r: (r.start, r.end, r.record_table, r.record_id, r.field, r.part))

    @cached_property
    def revealed(self) -> int:
        """How many code points of the seed the published spans and their contexts show."""
        total = reach = 0
        shown = [(r.start - len(r.prefix or ""), r.end + len(r.suffix or "")) for r in self.published]
        for start, end in sorted(shown):
            total += max(0, end - max(start, reach))
            reach = max(reach, end)
        return total


def _span_rows(of: _Anchored, cited: Cited, offsets: Offsets) -> Iterator[rows.SpanRow]:
    text = of.shard.text
    with_context = cited.table in ("figures", "mentions")
    for part, (start, end) in enumerate(of.at(cited.path), start=1):
        line, column = line_and_column(text, start)
        yield rows.SpanRow(
            span_id=f"{cited.record_id}.{cited.field}.{part}",
            record_table=cited.table,
            record_id=cited.record_id,
            field=cited.field,
            part=part,
            source_id=of.source.id,
            start=start,
            end=end,
            start_utf16=offsets.utf16(start),
            end_utf16=offsets.utf16(end),
            start_byte=offsets.utf8(start),
            end_byte=offsets.utf8(end),
            line=line,
            column=column,
            exact=text[start:end],
            prefix=(text[max(0, start - CONTEXT) : start] or None) if with_context else None,
            suffix=(text[end : end + CONTEXT] or None) if with_context else None,
        )


# ---- one function for each table ---------------------------------------------------------------------------


def _sources(_: Corpus, shards: list[_Anchored]) -> Iterator[rows.SourceRow]:
    for of in shards:
        source, facts, text = of.source, of.source.facts(), of.shard.text
        published = edtf_bounds(source.published.value) if source.published else Bounds(None, None)
        yield rows.SourceRow(
            source_id=source.id,
            seed_file=source.seed,
            sha256=source.sha256,
            chars=len(text),
            words=len(text.split()),
            chars_revealed=of.revealed,
            title=of.printed("title") or "",
            subtitle=of.printed("subtitle"),
            authors="; ".join(source.authors.value) if source.authors else None,
            outlet=source.outlet.value if source.outlet else None,
            published=source.published.value if source.published else None,
            published_from=published.first,
            published_to=published.last,
            language=source.language,
            dateline=of.printed("dateline"),
            url=of.printed("url"),
            cited_outlets="; ".join(source.cited_outlets) or None,
            rights=source.rights,
            outlet_basis=source.outlet.basis if source.outlet else None,
            authors_basis=source.authors.basis if source.authors else None,
            published_basis=source.published.basis if source.published else None,
            note=_joined(source.note, *(f"{name}: {fact.note}" for name, fact in facts.items() if fact.note)),
        )


def _speakers(corpus: Corpus, shards: list[_Anchored]) -> list[rows.SpeakerRow]:
    local = [(of.source.id, speaker) for of in shards for _, speaker in of.shard.speakers()]
    shared = [(None, speaker) for speaker in corpus.shared.content.speakers]
    found = [_speaker(source_id, speaker) for source_id, speaker in [*local, *shared]]
    return sorted(found, key=lambda row: row.speaker_id)


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


def _mentions(_: Corpus, shards: list[_Anchored]) -> Iterator[rows.MentionRow]:
    for of in shards:
        found = []
        for path, speaker_id, mention in of.shard.mentions():
            spans = of.at((*path, "evidence"))
            public = mention if isinstance(mention, Mention) else None
            found.append(
                rows.MentionRow(
                    mention_id=mention.id,
                    speaker_id=speaker_id,
                    source_id=of.source.id,
                    rank=public.rank if public else None,
                    age=public.age if public else None,
                    years_of_service=public.years_of_service if public else None,
                    affiliation=public.affiliation if public else None,
                    text=of.text(spans),
                    start=spans[0].start,
                    end=spans[-1].end,
                )
            )
        yield from sorted(found, key=lambda row: (row.start, row.end, row.mention_id))


def _testimonies(_: Corpus, shards: list[_Anchored]) -> Iterator[rows.TestimonyRow]:
    for of in shards:
        found = []
        for path, testimony in of.shard.testimonies():
            spans = of.at((*path, "evidence"))
            found.append(
                rows.TestimonyRow(
                    testimony_id=testimony.id,
                    source_id=of.source.id,
                    speaker_id=testimony.speaker,
                    speaker_role=of.speakers[testimony.speaker].role,
                    mode=testimony.mode,
                    outlet=testimony.outlet,
                    text=of.text(spans),
                    parts=len(spans),
                    start=spans[0].start,
                    end=spans[-1].end,
                    themes=";".join(testimony.themes),
                    about_speaker_id=testimony.about,
                    note=_joined(testimony.note, *_unbalanced(testimony)),
                )
            )
        yield from sorted(found, key=lambda row: (row.start, row.end, row.testimony_id))


def _unbalanced(testimony: Testimony) -> Iterator[str]:
    for number, part in enumerate(testimony.evidence, start=1):
        if part.unbalanced:
            yield f"The {part.unbalanced} quotation mark of part {number} is missing in the source."


def _testimony_themes(corpus: Corpus, shards: list[_Anchored]) -> Iterator[rows.TestimonyThemeRow]:
    for row in _testimonies(corpus, shards):
        for theme in row.themes.split(";"):
            yield rows.TestimonyThemeRow(
                testimony_theme_id=f"{row.testimony_id}.{theme}", testimony_id=row.testimony_id, theme=theme
            )


def _figures(_: Corpus, shards: list[_Anchored]) -> Iterator[rows.FigureRow]:
    for of in shards:
        found = []
        for path, figure in of.shard.figures():
            spans = of.at((*path, "evidence"))
            as_of = edtf_bounds(figure.as_of) if figure.as_of else Bounds(None, None)
            found.append(
                rows.FigureRow(
                    figure_id=figure.id,
                    source_id=of.source.id,
                    testimony_id=figure.testimony,
                    **figure.model_dump(exclude={"id", "evidence", "testimony"}),
                    text=of.text(spans),
                    as_of_from=as_of.first,
                    as_of_to=as_of.last,
                    start=spans[0].start,
                    end=spans[-1].end,
                )
            )
        yield from sorted(found, key=lambda row: (row.start, row.end, row.figure_id))


def _spans(_: Corpus, shards: list[_Anchored]) -> Iterator[rows.SpanRow]:
    for of in shards:
        yield from of.published


def _measures(corpus: Corpus, shards: list[_Anchored]) -> list[rows.MeasureRow]:
    used = Counter(figure.measure for of in shards for _, figure in of.shard.figures())
    terms = sorted(corpus.vocabulary.content.measures, key=lambda term: term.term)
    return [rows.MeasureRow(term=t.term, definition=t.definition, used=used[t.term]) for t in terms]


def _themes(corpus: Corpus, shards: list[_Anchored]) -> list[rows.ThemeRow]:
    used = Counter(theme for of in shards for _, item in of.shard.testimonies() for theme in item.themes)
    terms = sorted(corpus.vocabulary.content.themes, key=lambda term: term.term)
    return [rows.ThemeRow(term=t.term, definition=t.definition, used=used[t.term]) for t in terms]


def _waivers(_: Corpus, shards: list[_Anchored]) -> Iterator[rows.WaiverRow]:
    for of in shards:
        tables = _tables_of_records(of.shard)
        found = []
        for path, waiver in of.shard.waivers():
            spans = of.at((*path, "evidence"))
            secret = waiver.reason == "protected_attribute"
            found.append(
                rows.WaiverRow(
                    waiver_id=waiver.id,
                    source_id=of.source.id,
                    reason=waiver.reason,
                    of_table=tables[waiver.of] if waiver.of else None,
                    of_id=waiver.of,
                    text=None if secret else of.text(spans[:1] if waiver.all else spans),
                    occurrences=len(spans) if waiver.all else 1,
                    start=spans[0].start,
                    end=spans[-1].end,
                    note=waiver.note,
                )
            )
        yield from sorted(found, key=lambda row: (row.start, row.end, row.waiver_id))


def _tables_of_records(shard: Shard) -> dict[str, str]:
    """Return the table in which each record of a shard is published, by the record's id."""
    tables = {shard.content.source.id: "sources"}
    tables |= {cited.record_id: cited.table for cited in shard.cited()}
    for _, entry in shard.entries():
        tables[entry.id] = "speakers"
    return tables


def _joined(*notes: str | None) -> str | None:
    return " ".join(note for note in notes if note) or None


_TABLES: dict[type[rows.Row], Callable[[Corpus, list[_Anchored]], Iterable[rows.Row]]] = {
    rows.SourceRow: _sources,
    rows.SpeakerRow: _speakers,
    rows.MentionRow: _mentions,
    rows.TestimonyRow: _testimonies,
    rows.TestimonyThemeRow: _testimony_themes,
    rows.FigureRow: _figures,
    rows.SpanRow: _spans,
    rows.MeasureRow: _measures,
    rows.ThemeRow: _themes,
    rows.WaiverRow: _waivers,
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


def _arrow(row: type[rows.Row], found: Iterable[rows.Row]) -> pa.Table:
    return pa.Table.from_pylist([item.model_dump() for item in found], schema=arrow_schema(row))
