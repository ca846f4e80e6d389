"""Comparison of the records from another tool with those of a document, to find new and changed records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from defectors_data.annotators.imports.foreign_files import ForeignRecord
from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.annotation import Figure, Mention, ProtectedMention, Testimony
from defectors_data.package.cells import cell_text, single_date
from defectors_data.readers.exports.exported_records import COLUMNS
from defectors_data.rows.records import typed_note
from defectors_data.text.offsets import Span, line_and_column, on_word_boundaries, overlaps

_RENAMED = {"speaker_id": "speaker", "testimony_id": "testimony"}
MODELS: Mapping[str, type[Testimony | Figure]] = {"testimonies": Testimony, "figures": Figure}
FIELDS = {
    table: {
        column.name: name
        for i, column in enumerate(COLUMNS[table])
        if (name := "id" if i == 0 else _RENAMED.get(column.name, column.name))
        in model.model_fields
    }
    for table, model in MODELS.items()
}
"""The keys that annotations use, by table and column; computed columns have none."""
_STATED = ("rank", "age", "years_of_service", "affiliation")
"""Columns with facts that a mention states."""
_FREE = frozenset(("note", "override", "counted", "place", "outlet"))
"""Keys with free text, which is not imported for a protected or unknown speaker."""


class ExistingRecord(NamedTuple):
    """A record of the document, with the place of its evidence."""

    table: str
    path: Path
    record: Testimony | Figure | Mention | ProtectedMention
    spans: tuple[Span, ...]

    @property
    def values(self) -> dict[str, str]:
        """The values of the record that formats export, by their keys in the annotations, as text for a cell."""
        found = {key: getattr(self.record, key) for key in FIELDS.get(self.table, {}).values()}
        cells = {
            key: ";".join(v) if isinstance(v, tuple) else cell_text(v) for key, v in found.items()
        }
        return {key: cell for key, cell in cells.items() if cell is not None}


class ProposedRecord(NamedTuple):
    """A new or changed record from the other tool."""

    table: str
    spans: tuple[Span, ...]
    values: dict[str, str]
    """Values by the keys of annotations; for a changed record, only those that differ. "" removes a key."""
    id: str | None = None
    """The id of the record in the other tool."""
    existing: ExistingRecord | None = None
    withheld: tuple[str, ...] = ()
    """Keys whose free text is not imported, because it may be about a protected or unknown speaker."""
    changes_protection: bool = False
    """Whether an existing record would begin or cease to concern a protected or unknown speaker or their words."""


class SkippedRecord(NamedTuple):
    """A record that is not imported: its id or its line, and the reason."""

    record: str
    reason: str


class MatchResult(NamedTuple):
    """The result of comparing the records of an article."""

    unchanged: int
    proposals: list[ProposedRecord]
    not_taken: list[SkippedRecord]
    missing: int
    """The number of testimonies and figures in the document that are missing from the imported file."""


def existing(document: Document) -> Iterator[ExistingRecord]:
    """Yield the mentions, testimonies and figures of a document."""
    for table in ("mentions", *MODELS):
        for path, record in getattr(document, table):
            yield ExistingRecord(table, path, record, document.evidence_of(path))


def match(document: Document, records: list[ForeignRecord]) -> MatchResult:
    """Compare imported records with those of their document, whose evidence must all have been found."""
    ours = list(existing(document))
    speakers = {
        each.id: each.cells.get("speaker_id", "") for each in records if each.table == "testimonies"
    }
    speakers |= {testimony.id: testimony.speaker for _, testimony in document.testimonies}
    by_id = {(one.table, one.record.id): one for one in ours}
    unchanged, proposals, not_taken, seen = (
        0,
        list[ProposedRecord](),
        list[SkippedRecord](),
        set[tuple[str, str]](),
    )
    for found in records:
        spans = _whole(document.text, found.spans)
        if isinstance(spans, str):
            not_taken.append(SkippedRecord(found.id or "a record", spans))
            continue
        table, label = (
            _table(found),
            found.id or f"line {line_and_column(document.text, spans[0].start)[0]}",
        )
        one = by_id.get((table, found.id or "")) or _same_words(ours, table, spans, found)
        if one:
            seen.add((table, one.record.id))
        if table == "mentions":
            stated = (
                {key: cell_text(getattr(one.record, key, None)) for key in _STATED} if one else {}
            )
            is_same = all(stated.get(key) == found.cells.get(key) for key in _STATED)
            if one and is_same and _lines(document.text, one.spans) == _lines(document.text, spans):
                unchanged += 1
            else:
                not_taken.append(
                    SkippedRecord(
                        label, "mentions must be annotated in the YAML file, with their speakers"
                    )
                )
            continue
        proposal = _proposal(document, table, spans, found, one, speakers)
        if proposal is None:
            unchanged += 1
        elif reason := _refused(document, proposal):
            not_taken.append(SkippedRecord(label, reason))
        else:
            proposals.append(proposal)
    left = [one for one in ours if one.table in MODELS and (one.table, one.record.id) not in seen]
    return MatchResult(unchanged, proposals, not_taken, len(left))


def _table(found: ForeignRecord) -> str:
    """Return the table of a record; if it is not stated, a record with a measure is a figure, any other a testimony."""
    return found.table or ("figures" if "measure" in found.cells else "testimonies")


def _whole(text: str, spans: list[Span | None]) -> tuple[Span, ...] | str:
    """Return the spans extended to whole words, in order, with overlaps merged, or the reason why they are rejected."""
    found: list[Span] = []
    for span in spans:
        if span is None:
            return "its place is outside the text"
        words = text[slice(*span)]
        start = span.start + len(words) - len(words.lstrip())
        end = span.end - (len(words) - len(words.rstrip()))
        if not any(character.isalnum() for character in words):
            return "there are no words at its place"
        found.append(on_word_boundaries(text, start, end))
    merged: list[Span] = []
    for span in sorted(found):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def _lines(text: str, spans: tuple[Span, ...]) -> list[tuple[int, int]]:
    """Return the spans split at line breaks."""
    # Some formats do not support annotations across lines.
    covered = []
    for start, end in spans:
        at = start
        for line in text[start:end].split("\n"):
            if line.strip():
                covered.append((at, at + len(line)))
            at += len(line) + 1
    return covered


def _same_words(
    ours: list[ExistingRecord], table: str, spans: tuple[Span, ...], found: ForeignRecord
) -> ExistingRecord | None:
    """Return the record with the same spans and codes, or None; this is for tools that do not keep ids.

    If `found` has no id, some of the record's spans suffice.
    """
    codes = {
        key: cell
        for column, cell in found.cells.items()
        if (key := FIELDS.get(table, {}).get(column)) in _CODES
    }
    for one in ours:
        same = one.spans == spans or (not found.id and set(spans) <= set(one.spans))
        if (
            one.table == table
            and same
            and all(_terms(one.values.get(key)) == _terms(codes[key]) for key in codes)
        ):
            return one
    return None


# Keys whose values are terms from closed lists, unlike numbers and free text.
_CODES = ("themes", "mode", "measure", "population", "unit", "hedge")


def _terms(cell: str | None) -> set[str]:
    return set((cell or "").split(";"))


def _proposal(
    document: Document,
    table: str,
    spans: tuple[Span, ...],
    found: ForeignRecord,
    one: ExistingRecord | None,
    speakers: Mapping[str | None, str],
) -> ProposedRecord | None:
    """Return a proposal for a new or changed record, or None if the record is unchanged."""
    given = {
        key: cell
        for column, cell in found.cells.items()
        if (key := FIELDS[table].get(column)) and cell
    }
    given.pop("id", None)
    if note := typed_note(given.pop("note", "")):
        given["note"] = note
    if "as_of" in given:
        given["as_of"] = single_date(given["as_of"])
    before = one.values if one else {}
    values = {key: cell for key, cell in given.items() if before.get(key) != cell}
    # A tool that keeps the id keeps the other cells too, so a person removed any that are missing.
    if one and found.id == one.record.id:
        optional = {
            key for key, field in MODELS[table].model_fields.items() if not field.is_required()
        }
        values |= dict.fromkeys((before.keys() & optional) - given.keys(), "")
    elif one:
        values, spans = {}, one.spans  # the same words and codes
    same_place = one is not None and _lines(document.text, one.spans) == _lines(
        document.text, spans
    )
    if one and same_place:
        spans = one.spans
        # Themes have no order, and other tools may sort them.
        if "themes" in values and _terms(values["themes"]) == _terms(before["themes"]):
            del values["themes"]
    after = {key: cell for key, cell in (before | values).items() if cell}
    protection = _protection(document, table, after, spans, speakers, one)
    was = _protection(document, table, before, one.spans, speakers, one) if one else protection
    withheld = tuple(key for key in values if key in _FREE) if any(protection + was) else ()
    kept = {key: cell for key, cell in values.items() if key not in withheld}
    if same_place and not values:
        return None
    return ProposedRecord(table, spans, kept, found.id, one, withheld, protection != was)


def _protection(
    document: Document,
    table: str,
    values: Mapping[str, str],
    spans: tuple[Span, ...],
    of_testimonies: Mapping[str | None, str],
    one: ExistingRecord | None,
) -> tuple[bool, bool]:
    """Return whether a record's speaker is protected or unknown, and whether its words overlap with protected ones."""
    public = document.speakers_by_id.keys() - document.protected
    speakers = {values[key] for key in ("speaker", "attributed_to") if key in values}
    if "testimony" in values:
        speakers.add(of_testimonies.get(values["testimony"], ""))
    # For a testimony without a speaker, one is guessed, and the guess may be wrong.
    by_speaker = not speakers <= public or (table == "testimonies" and not speakers)
    theirs = [
        path for path, _ in document.mentions if document.entry_of(path).id in document.protected
    ]
    theirs += [
        path
        for path, _ in (*document.testimonies, *document.figures)
        if path in document.hidden_paths
    ]
    others = [
        a for path in theirs if not one or path != one.path for a in document.evidence_of(path)
    ]
    return by_speaker, any(overlaps(span, others) for span in spans)


def _refused(document: Document, proposal: ProposedRecord) -> str | None:
    """Return the reason why a proposal cannot be imported, or None."""
    vocabulary = document.context.vocabulary.content
    for key, terms in (
        ("themes", "themes"),
        ("measure", "measures"),
        ("population", "populations"),
    ):
        known = {term.term for term in getattr(vocabulary, terms)}
        for term in filter(None, proposal.values.get(key, "").split(";")):
            if term not in known:
                return f"its {key.removesuffix('s')} is not in annotations/vocabulary.yaml"
    if any(document.is_withdrawn(*span) for span in proposal.spans):
        return "its words were withdrawn"
    # Otherwise, one import could set free text, and the next could attribute it to a protected person.
    if proposal.changes_protection:
        return (
            "reassigning it from or to a protected or unknown speaker, or moving it into or out of the words of such a "
            "speaker, is possible only in the YAML file"
        )
    if (
        proposal.withheld
        and not proposal.values
        and proposal.existing
        and proposal.existing.spans == proposal.spans
    ):
        return f"{', '.join(proposal.withheld)} about a protected or unknown speaker cannot be imported"
    return None
