"""Proposed records, written into an annotation file as drafts; everything else in it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from defectors_data.annotators.imports.record_matches import MODELS, ProposedRecord, SkippedRecord
from defectors_data.annotators.proposals.figures import proposed_figure
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.annotators.proposals.testimonies import proposed_testimony
from defectors_data.annotators.record_ids import UnusedIds
from defectors_data.annotators.record_yaml import record_values, themes_in, value_in_yaml
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path
from defectors_data.edits import evidence_yaml, yaml_editor
from defectors_data.edits.yaml_editor import Entry, UneditableTextError
from defectors_data.evidence.annotated_document import Document
from defectors_data.text.offsets import line_and_column


class _DraftEdit(NamedTuple):
    """A proposed record, with its id, path and values in the annotation file."""

    proposal: ProposedRecord
    id: str
    path: Path
    values: dict[str, str]
    """The values of the record as YAML, by key."""

    @property
    def is_new(self) -> bool:
        return self.proposal.existing is None


class DraftedFile(NamedTuple):
    """An annotation file with drafts, and its new and changed records."""

    text: str
    new: list[str]
    """The ids of the new records, each with its line in the article."""
    changed: list[str]
    """The ids of the changed records, each with the changed keys."""
    not_taken: list[SkippedRecord]


def drafted(document: Document, proposed: Sequence[ProposedRecord]) -> DraftedFile:
    """Return a document's annotation file with the proposals as drafts, and those not written."""
    edits, not_taken = _edits(document, proposed)
    text, written = _written(document, edits)
    for edit in edits:
        if edit not in written:
            not_taken.append(SkippedRecord(edit.id, "its entry must be edited by hand"))
    new, changed = list[str](), list[str]()
    for edit in written:
        if edit.is_new:
            line, _ = line_and_column(document.text, edit.proposal.spans[0].start)
            new.append(f"{edit.id} (line {line})")
        else:
            keys = [key for key in edit.values if key not in ("id", "draft")]
            changed.append(f"{edit.id} ({', '.join(keys)})")
    return DraftedFile(text, new, changed, not_taken)


def _edits(
    document: Document, proposed: Sequence[ProposedRecord]
) -> tuple[list[_DraftEdit], list[SkippedRecord]]:
    """Return the edits that write the proposals, and the proposals that are not valid."""
    numbers, edits, not_taken = UnusedIds.of(document), list[_DraftEdit](), list[SkippedRecord]()
    position = {table: len(getattr(document.content, table)) for table in MODELS}
    ids = {testimony.id: testimony.id for _, testimony in document.testimonies}
    # Testimonies come first, because figures refer to their new ids.
    for proposal in sorted(proposed, key=lambda each: each.table == "figures"):
        table = proposal.table
        if one := proposal.existing:
            name, label, path = one.record.id, one.record.id, one.path
        else:
            line, _ = line_and_column(document.text, proposal.spans[0].start)
            name, label = numbers.next(table[0]), f"line {line}"
            path = (table, position[table])
        testimony = proposal.values.get("testimony")
        if testimony and testimony not in ids:
            not_taken.append(SkippedRecord(label, "its testimony is not in the annotations"))
            continue
        if testimony:
            proposal.values["testimony"] = ids[testimony]
        completed = _completed(document, proposal)
        if reason := _invalid(document, proposal, completed, name):
            not_taken.append(SkippedRecord(label, reason))
            continue
        if table == "testimonies":
            # A new testimony may have a different id here than in the other tool.
            ids[proposal.id or name] = name
        if not one:
            position[table] += 1
        edits.append(_DraftEdit(proposal, name, path, _values(document, proposal, completed, name)))
    return edits, not_taken


def _written(document: Document, edits: list[_DraftEdit]) -> tuple[str, list[_DraftEdit]]:
    """Return the edited file and the edits made in it.

    All are made at once or, if that fails, those that succeed one by one.
    """
    try:
        return _edited(document, edits), edits
    except UneditableTextError:
        return _written_one_by_one(document, edits)


def _written_one_by_one(
    document: Document, edits: list[_DraftEdit]
) -> tuple[str, list[_DraftEdit]]:
    text, written = document.file.typed, list[_DraftEdit]()
    known = {"", *(each.id for _, each in document.testimonies)}
    for edit in edits:
        # Without its testimony, a figure would refer to an unused id, which may be given later.
        if edit.proposal.values.get("testimony", "") not in known:
            continue
        shifted = edit._replace(path=(edit.path[0], _next(document, edit, written)))
        try:
            text = _edited(document, [*written, shifted])
        except UneditableTextError:
            continue
        written.append(shifted)
        known.add(edit.id)
    ids = {done.id for done in written}
    return text, [edit for edit in edits if edit.id in ids]


def _next(document: Document, edit: _DraftEdit, written: list[_DraftEdit]) -> str | int:
    """Return the position of a record in its list; new records follow those written before them."""
    if not edit.is_new:
        return edit.path[1]
    table = edit.proposal.table
    added = [each for each in written if each.is_new and each.proposal.table == table]
    return len(getattr(document.content, table)) + len(added)


def _edited(document: Document, edits: list[_DraftEdit]) -> str:
    """Return the text of the file after all of these edits.

    Raises:
        UneditableTextError: the text cannot be edited, or evidence would not be found where the
            other tool places it.
    """
    if not edits:
        return document.file.typed
    typed: Any = yaml_reader.parse(document.file.typed, file="").value
    cuts, replaced = set[Path](), dict[Path, str]()
    keys, items = dict[Path, Entry](), dict[str, list[Entry]]()
    for edit in edits:
        if edit.is_new:
            items.setdefault(edit.proposal.table, []).append(edit.values)
            continue
        entry = typed[edit.path[0]][edit.path[1]]
        added = {}
        for key, value in edit.values.items():
            if value == "" and key in entry:
                cuts.add((*edit.path, key))
            elif value and key in entry and key != "id":
                replaced[*edit.path, key] = value
            elif value and key != "id":
                added[key] = value
        keys[edit.path] = added
    text = yaml_editor.with_values(yaml_editor.without(document.file.typed, cuts), replaced)
    text = yaml_editor.with_entries(text, keys, items)
    found = evidence_yaml.spans(document, text, document.text)
    for edit in edits:
        if found.get((*edit.path, "evidence")) != edit.proposal.spans:
            raise UneditableTextError
    return text


_READING = ("value", "low", "high", "hedge", "polarity", "unit")


def _completed(document: Document, proposal: ProposedRecord) -> dict[str, str]:
    """Return the values of a record; missing values of a new record are guessed.

    Who is quoted in a figure, and in which testimony, is not guessed.
    """
    given = dict(proposal.values)
    if proposal.existing:
        return given
    if proposal.table == "testimonies":
        guessed = proposed_testimony(document, proposal.spans)
    else:
        guessed = proposed_figure(document, proposal.spans[0])
        guessed = guessed._replace(values=_kept(guessed, given))
    return {**guessed.with_placeholders().values, **given}


def _kept(guessed: Proposal, given: dict[str, str]) -> dict[str, str]:
    """Return the guesses about a figure that are kept; if its hedge is given, so is its number."""
    keys = ["measure", "counted"] if "measure" not in given else ["counted"]
    if "hedge" not in given:
        keys += _READING
    return {key: guessed.values[key] for key in keys}


def _values(
    document: Document, proposal: ProposedRecord, completed: dict[str, str], name: str
) -> dict[str, str]:
    """Return a record's values as YAML, with "" for a key to be removed."""
    one = proposal.existing
    if not one:
        record = Proposal(proposal.table, proposal.spans, completed)
        values = record_values(document, record, name, draft=True)
        if not proposal.attribution:
            return values
        values["attribution"] = evidence_yaml.evidence(document, proposal.attribution)
        order = ("id", *MODELS[proposal.table].model_fields)
        return {key: values[key] for key in order if key in values}
    values = {"id": name, "draft": "true"}
    if one.spans != proposal.spans:
        mode = completed.get("mode") or getattr(one.record, "mode", None)
        typed = dict(zip(one.spans, one.record.evidence, strict=True))
        values["evidence"] = evidence_yaml.evidence(
            document, proposal.spans, direct=mode == "direct", typed=typed
        )
    for key, value in completed.items():
        values[key] = value_in_yaml(key, value) if value else ""
    return values


def _invalid(
    document: Document, proposal: ProposedRecord, completed: dict[str, str], name: str
) -> str | None:
    """Return the reason why a record with these values is not valid, or None."""
    record: dict[str, Any] = {}
    if proposal.existing:
        record = proposal.existing.record.model_dump()
    record |= completed | {"id": name, "draft": "true"}
    record["evidence"] = document.words_at(proposal.spans)
    if completed.get("themes"):
        record["themes"] = themes_in(completed["themes"])
    given = {key: value for key, value in record.items() if value not in ("", None)}
    try:
        MODELS[proposal.table].model_validate(given)
    except ValidationError as error:
        places = [each["loc"] for each in error.errors()]
        keys = dict.fromkeys(str(place[0]) for place in places if place)
        return f"a value is missing or not allowed: {', '.join(keys)}"
    return None
