"""Comparison of the records from another tool with those of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from defectors_data.annotators.imports.formats.foreign_records import ForeignRecord
from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import ATTRIBUTES_OF_MENTIONS, Document
from defectors_data.models.annotation import (
    MOST_PARTS,
    Figure,
    Mention,
    ProtectedMention,
    Testimony,
)
from defectors_data.package.cells import cell_text, single_date
from defectors_data.readers.exports.exported_records import COLUMNS
from defectors_data.rows.cell_provenance import typed_note
from defectors_data.text.offsets import (
    Span,
    any_overlap,
    line_and_column,
    on_word_boundaries,
)

_RENAMED = {"speaker_id": "speaker", "testimony_id": "testimony", "place_id": "place"}
MODELS: Mapping[str, type[Testimony | Figure]] = {"testimonies": Testimony, "figures": Figure}


def _keys_of(table: str) -> dict[str, str]:
    """Return the keys that the annotations of a table use, by column."""
    found, fields = {}, MODELS[table].model_fields
    for i, column in enumerate(COLUMNS[table]):
        key = "id" if i == 0 else _RENAMED.get(column.name, column.name)
        # Of a mapping, such as an attribution, a column of the same name has one value only.
        if key in fields and not _has_mapping(fields[key].annotation):
            found[column.name] = key
    return found


def _has_mapping(annotation: Any) -> bool:
    """Return whether values of a type may be mappings with keys of their own."""
    annotation = getattr(annotation, "__value__", annotation)  # of an alias
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return True
    return any(_has_mapping(each) for each in get_args(annotation))


FIELDS = {table: _keys_of(table) for table in MODELS}
"""The keys that annotations use, by table and column; computed columns have none."""
_IMPLIED = {"stance": "asserts"}
"""Values that the build publishes where the annotations have none."""
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
        """The values of the record that formats export, as text for a cell, by their keys."""
        cells = {}
        for key in FIELDS.get(self.table, {}).values():
            value = getattr(self.record, key)
            cell = ";".join(value) if isinstance(value, tuple) else cell_text(value)
            if cell is not None:
                cells[key] = cell
        return cells


class ProposedRecord(NamedTuple):
    """A new or changed record from the other tool."""

    table: str
    spans: tuple[Span, ...]
    values: dict[str, str]
    """Values by the keys of annotations; for a changed record, only those that differ.

    "" removes a key.
    """
    id: str | None = None
    """The id of the record in the other tool."""
    existing: ExistingRecord | None = None
    withheld: tuple[str, ...] = ()
    """Keys whose free text is not imported: it may be about a protected or unknown speaker."""
    widened: str = ""
    """The words before and after they were extended to whole words, if they were."""
    attribution: tuple[Span, ...] = ()
    """The spans of the words that say who speaks."""
    changes_protection: bool = False
    """Whether an existing record would begin or cease to concern a protected or unknown speaker."""


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
    """The number of testimonies and figures of the document that the imported file lacks."""


def existing(document: Document) -> Iterator[ExistingRecord]:
    """Yield the mentions, testimonies and figures of a document."""
    for table in ("mentions", *MODELS):
        for path, record in getattr(document, table):
            yield ExistingRecord(table, path, record, document.evidence_of(path))


def match(document: Document, records: list[ForeignRecord]) -> MatchResult:
    """Compare imported records with those of their document, whose evidence must be found."""
    ours = list(existing(document))
    speakers = _speakers(document, records)
    by_id = {(one.table, one.record.id): one for one in ours}
    unchanged, seen = 0, set[tuple[str, str]]()
    proposals, not_taken = list[ProposedRecord](), list[SkippedRecord]()
    for found in records:
        spans = found.problem or _whole(document.text, found.spans)
        if isinstance(spans, str):
            not_taken.append(SkippedRecord(found.id or "a record", spans))
            continue
        line, _ = line_and_column(document.text, spans[0].start)
        table, label = _table(found), found.id or f"line {line}"
        one = by_id.get((table, found.id or "")) or _same_words(ours, table, spans, found)
        if one:
            seen.add((table, one.record.id))
        if table == "mentions":
            if one and _is_same_mention(document, one, found, spans):
                unchanged += 1
            else:
                not_taken.append(SkippedRecord(label, _ONLY_IN_YAML))
            continue
        proposal = _proposal(document, table, spans, found, one, speakers)
        if proposal is None:
            unchanged += 1
        elif reason := _refused(document, proposal):
            not_taken.append(SkippedRecord(label, reason))
        else:
            proposals.append(proposal._replace(widened=_widened(document.text, found, spans)))
    left = [one for one in ours if one.table in MODELS and (one.table, one.record.id) not in seen]
    return MatchResult(unchanged, proposals, not_taken, len(left))


_ONLY_IN_YAML = "mentions must be annotated in the YAML file, with their speakers"


def _speakers(document: Document, records: list[ForeignRecord]) -> dict[str | None, str]:
    """Return the ids of the speakers of testimonies, those of the document first, by testimony."""
    speakers = {}
    for each in records:
        if each.table == "testimonies":
            speakers[each.id] = each.cells.get("speaker_id", "")
    for _, testimony in document.testimonies:
        speakers[testimony.id] = testimony.speaker
    return speakers


def _is_same_mention(
    document: Document, one: ExistingRecord, found: ForeignRecord, spans: tuple[Span, ...]
) -> bool:
    """Return whether an imported mention has the words and states the facts of an existing one."""
    for key in ATTRIBUTES_OF_MENTIONS:
        if cell_text(getattr(one.record, key, None)) != found.cells.get(key):
            return False
    return _lines(document.text, one.spans) == _lines(document.text, spans)


def _table(found: ForeignRecord) -> str:
    """Return the table of a record: if it is not stated, one that counts something is a figure."""
    is_figure = bool(_OF_FIGURES & found.cells.keys())
    return found.table or ("figures" if is_figure else "testimonies")


_OF_FIGURES = {"measure", "counted", "hedge"}
"""Columns that only figures have."""


def _whole(text: str, spans: list[Span | None]) -> tuple[Span, ...] | str:
    """Return the spans extended to whole words, in order, with overlaps merged.

    If they are rejected, return the reason.
    """
    found: list[Span] = []
    for span in spans:
        if span is None:
            return "its place is outside the text, or has other words than the file quotes"
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


def _widened(text: str, found: ForeignRecord, spans: tuple[Span, ...]) -> str:
    """Return the words in the file and those that are imported, if the latter are longer."""
    given = [text[slice(*span)].strip() for span in sorted(filter(None, found.spans))]
    taken = [text[slice(*span)] for span in spans]
    # A part across lines is given line by line.
    if "".join("".join(given).split()) == "".join("".join(taken).split()):
        return ""
    return f"“{' … '.join(given)}” to “{' … '.join(taken)}”"


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
    """Return the record with the same spans and codes, or None, for tools that do not keep ids.

    If `found` has no id, some of the record's spans suffice.
    """
    codes = {}
    for column, cell in found.cells.items():
        key = FIELDS.get(table, {}).get(column)
        if key in _CODES:
            codes[key] = _terms(cell)
    for one in ours:
        has_spans = one.spans == spans or (not found.id and set(spans) <= set(one.spans))
        if one.table == table and has_spans:
            values = one.values
            if codes == {key: _terms(values.get(key)) for key in codes}:
                return one
    return None


# Keys whose values are terms from closed lists, unlike numbers and free text.
_CODES = ("themes", "mode", "measure", "population", "unit", "hedge", "polarity")


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
    given = _given(document, table, found)
    before = one.values if one else {}
    values = {key: cell for key, cell in given.items() if before.get(key) != cell}
    if one and found.id == one.record.id:
        # A tool that keeps the id keeps the other cells, too: a person removed missing ones.
        for key, field in MODELS[table].model_fields.items():
            if key in before and key not in given and not field.is_required():
                values[key] = ""
    elif one:
        values, spans = {}, one.spans  # the same words and codes
    same_place = False
    if one and _lines(document.text, one.spans) == _lines(document.text, spans):
        same_place = True
        spans = one.spans
        # Themes have no order, and other tools may sort them.
        if "themes" in values and _terms(values["themes"]) == _terms(before["themes"]):
            del values["themes"]
    after = {key: cell for key, cell in (before | values).items() if cell}
    protection = _protection(document, table, after, spans, speakers, one)
    was = protection
    if one:
        was = _protection(document, table, before, one.spans, speakers, one)
    withheld: tuple[str, ...] = ()
    if any(protection + was):
        withheld = tuple(key for key in values if key in _FREE)
    kept = {key: cell for key, cell in values.items() if key not in withheld}
    if found.kept:
        labels = f"Labels: {', '.join(dict.fromkeys(found.kept))}."
        kept["note"] = " ".join(filter(None, [kept.get("note"), labels]))
    if same_place and not values:
        return None
    return ProposedRecord(
        table,
        spans,
        kept,
        found.id,
        one,
        withheld,
        attribution=_attribution(document, found, after),
        changes_protection=protection != was,
    )


def _attribution(
    document: Document, found: ForeignRecord, values: Mapping[str, str]
) -> tuple[Span, ...]:
    """Return the spans of the words that say who speaks, joined if they are next to each other.

    Words about a protected speaker may state more than a name and a verb, so they are left out.
    """
    joined = list[Span]()
    for span in sorted(found.attribution):
        # A cue may be a colon alone.
        if not any(character.isalnum() for character in document.text[slice(*span)]):
            continue
        if joined and not document.text[joined[-1].end : span.start].strip():
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    if values.get("speaker") in document.protected or len(joined) > MOST_PARTS:
        return ()
    return tuple(joined)


def _given(document: Document, table: str, found: ForeignRecord) -> dict[str, str]:
    """Return the values of an imported record as annotators type them, by key."""
    given = {}
    for column, cell in found.cells.items():
        key = FIELDS[table].get(column)
        if key and cell:
            given[key] = cell
    given.pop("id", None)
    if note := typed_note(given.pop("note", "")):
        given["note"] = note
    for key, value in _IMPLIED.items():
        if given.get(key) == value:
            del given[key]
    if "as_of" in given:
        given["as_of"] = single_date(given["as_of"])
    if found.sources and table == "testimonies" and "speaker" not in given:
        given["speaker"] = _mentioned(document, found.sources)
    return given


def _mentioned(document: Document, sources: list[Span]) -> str:
    """Return the speaker whose mention overlaps with the words that name a speaker.

    If there is none, return a placeholder, because the nearest speaker may be another one.
    """
    for path, _ in document.mentions:
        if any_overlap(sources, document.evidence_of(path)):
            return document.entry_of(path).id
    return PLACEHOLDERS["speaker"]


def _protection(
    document: Document,
    table: str,
    values: Mapping[str, str],
    spans: tuple[Span, ...],
    of_testimonies: Mapping[str | None, str],
    one: ExistingRecord | None,
) -> tuple[bool, bool]:
    """Return whether a record's speaker is protected or unknown, and whether its words are.

    Words are protected if they overlap with those of another record about a protected speaker.
    """
    public = document.speakers_by_id.keys() - document.protected
    speakers = {values[key] for key in ("speaker", "attributed_to") if key in values}
    if "testimony" in values:
        speakers.add(of_testimonies.get(values["testimony"], ""))
    # For a testimony without a speaker, one is guessed, and the guess may be wrong.
    by_speaker = not speakers <= public or (table == "testimonies" and not speakers)
    others: list[Span] = []
    for path in _protected_paths(document):
        if not one or path != one.path:
            others += document.evidence_of(path)
    return by_speaker, any_overlap(spans, others)


def _protected_paths(document: Document) -> list[Path]:
    """Return the paths of the mentions, testimonies and figures of protected speakers."""
    mentions = [path for path, _ in document.mentions]
    found = [path for path in mentions if document.entry_of(path).id in document.protected]
    records = [path for path, _ in (*document.testimonies, *document.figures)]
    return found + [path for path in records if path in document.hidden_paths]


_VOCABULARIES = {"themes": "themes", "measure": "measures", "population": "populations"}
"""Lists of the vocabulary, by the key whose values must be terms of the list."""


def _refused(document: Document, proposal: ProposedRecord) -> str | None:
    """Return the reason why a proposal cannot be imported, or None."""
    vocabulary = document.context.vocabulary.content
    for key, terms in _VOCABULARIES.items():
        known = {"", *(term.term for term in getattr(vocabulary, terms))}
        if not known.issuperset(proposal.values.get(key, "").split(";")):
            return f"its {key.removesuffix('s')} is not in annotations/vocabulary.yaml"
    if any(document.is_withdrawn(*span) for span in proposal.spans):
        return "its words were withdrawn"
    # Otherwise, one import could set free text, and the next attribute it to a protected person.
    if proposal.changes_protection:
        return (
            "reassigning it from or to a protected or unknown speaker, or moving it into or out of "
            "the words of such a speaker, is possible only in the YAML file"
        )
    one = proposal.existing
    is_unchanged = one is not None and one.spans == proposal.spans and not proposal.values
    if is_unchanged and proposal.withheld:
        keys = ", ".join(proposal.withheld)
        return f"{keys} about a protected or unknown speaker cannot be imported"
    return None
