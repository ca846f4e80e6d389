"""Proposed records, written into an annotation file as drafts; everything else in it, such as comments, is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from defectors_data.annotators.imports.record_matches import MODELS, ProposedRecord, SkippedRecord
from defectors_data.annotators.proposals import (
    UnusedIds,
    figure_yaml,
    nearest_speaker,
    testimony_yaml,
)
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path
from defectors_data.corpus.yaml_escapes import in_yaml
from defectors_data.edits import evidence_yaml, yaml_editor
from defectors_data.edits.yaml_editor import Entry, UneditableTextError
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import detections
from defectors_data.evidence.consistency import marks_around
from defectors_data.models.annotation import Part
from defectors_data.text.offsets import Span, line_and_column

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
"""A value that needs no quotation marks in YAML: `yaml_reader` reads every scalar as a string, even `no` and `1.0`."""


class _DraftEdit(NamedTuple):
    """A proposed record, with its id, path and values in the annotation file."""

    proposal: ProposedRecord
    id: str
    path: Path
    values: dict[str, str]
    """The values of the record as YAML, by key."""


class DraftedFile(NamedTuple):
    """An annotation file with drafts, and the numbers of new and of changed records."""

    text: str
    new: int
    changed: int
    not_taken: list[SkippedRecord]


def drafted(document: Document, proposals: Sequence[ProposedRecord]) -> DraftedFile:
    """Return a document's annotation file with the proposals as drafts, and the proposals that were not written."""
    numbers, edits, not_taken = UnusedIds.of(document), list[_DraftEdit](), list[SkippedRecord]()
    position = {table: len(getattr(document.content, table)) for table in MODELS}
    ids = {testimony.id: testimony.id for _, testimony in document.testimonies}
    # Testimonies come first, because figures refer to their new ids.
    for proposal in sorted(proposals, key=lambda each: each.table == "figures"):
        one, table = proposal.existing, proposal.table
        label = (
            one.record.id
            if one
            else f"line {line_and_column(document.text, proposal.spans[0].start)[0]}"
        )
        name = one.record.id if one else numbers.next(table[0])
        if testimony := proposal.values.get("testimony"):
            if testimony not in ids:
                not_taken.append(SkippedRecord(label, "its testimony is not in the annotations"))
                continue
            proposal.values["testimony"] = ids[testimony]
        values = _values(document, proposal, name)
        if reason := _invalid(proposal, values):
            not_taken.append(SkippedRecord(label, reason))
            continue
        if table == "testimonies":
            # A new testimony may have a different id here than in the other tool.
            ids[proposal.id or name] = name
        edits.append(
            _DraftEdit(proposal, name, one.path if one else (table, position[table]), values)
        )
        position[table] += one is None
    text, written = _written(document, edits)
    lost = [edit for edit in edits if edit not in written]
    not_taken += [SkippedRecord(edit.id, "its entry must be edited by hand") for edit in lost]
    new = sum(edit.proposal.existing is None for edit in written)
    return DraftedFile(text, new, len(written) - new, not_taken)


def _written(document: Document, edits: list[_DraftEdit]) -> tuple[str, list[_DraftEdit]]:
    """Return the edited file and the edits made in it: all at once or, if that fails, those that succeed one by one."""
    try:
        return _edited(document, edits), edits
    except UneditableTextError:
        text, written = document.file.typed, list[_DraftEdit]()
        for edit in edits:
            known = {each.id for _, each in document.testimonies} | {done.id for done in written}
            # Without its testimony, a figure would refer to an unused id, which may later be reassigned.
            if edit.proposal.values.get("testimony") not in {None, "", *known}:
                continue
            shifted = edit._replace(path=(edit.path[0], _next(document, edit, written)))
            try:
                text = _edited(document, [*written, shifted])
            except UneditableTextError:
                continue
            written.append(shifted)
        return text, [edit for edit in edits if edit.id in {done.id for done in written}]


def _next(document: Document, edit: _DraftEdit, written: list[_DraftEdit]) -> str | int:
    """Return the position of a record in its list; a new record follows those that were written before it."""
    table = edit.proposal.table
    added = sum(each.proposal.existing is None and each.proposal.table == table for each in written)
    return edit.path[1] if edit.proposal.existing else len(getattr(document.content, table)) + added


def _edited(document: Document, edits: list[_DraftEdit]) -> str:
    """Return the text of the file after all of these edits.

    Raises:
        UneditableTextError: the text cannot be edited, or evidence would not be found where the other tool places it.
    """
    if not edits:
        return document.file.typed
    typed: Any = yaml_reader.parse(document.file.typed, file="").value
    cuts, replaced = set[Path](), dict[Path, str]()
    keys, items = dict[Path, Entry](), dict[str, list[Entry]]()
    for edit in edits:
        if not edit.proposal.existing:
            items.setdefault(edit.proposal.table, []).append(edit.values)
            continue
        entry = typed[edit.path[0]][edit.path[1]]
        removed = {key for key, value in edit.values.items() if value == ""}
        cuts |= {(*edit.path, key) for key in removed & entry.keys()}
        given = {
            key: value for key, value in edit.values.items() if key not in removed and key != "id"
        }
        replaced |= {(*edit.path, key): value for key, value in given.items() if key in entry}
        keys[edit.path] = {key: value for key, value in given.items() if key not in entry}
    text = yaml_editor.with_values(yaml_editor.without(document.file.typed, cuts), replaced)
    text = yaml_editor.with_entries(text, keys, items)
    found = evidence_yaml.spans(document, text, document.text)
    if any(found.get((*edit.path, "evidence")) != edit.proposal.spans for edit in edits):
        raise UneditableTextError
    return text


def _values(document: Document, proposal: ProposedRecord, name: str) -> dict[str, str]:
    """Return a record's values as YAML, with "" for a key to be removed; missing values of a new record are guessed."""
    given = {key: _scalar(key, value) if value else "" for key, value in proposal.values.items()}
    if one := proposal.existing:
        moved = (
            {"evidence": _evidence(document, proposal, given.get("mode"))}
            if one.spans != proposal.spans
            else {}
        )
        return {"id": name, "draft": "true", **moved, **given}
    words = document.text[slice(*proposal.spans[0])]
    if proposal.table == "testimonies":
        # "x" is a placeholder for the evidence, which is added at the end.
        speaker = nearest_speaker(document, proposal.spans[0])
        marked = all(all(marks_around(document.text, span)) for span in proposal.spans)
        guessed = _typed(testimony_yaml(name, "x", speaker))
        guessed["mode"] = "direct" if marked else "indirect"
        evidence = _evidence(document, proposal, given.get("mode", guessed["mode"]))
    else:
        quantity = next(
            (found.quantity for found in detections(words, document.context) if found.quantity),
            None,
        )
        needed = quantity if "hedge" not in given else None
        guessed = (
            _typed(figure_yaml(name, "x", needed, words)) if needed else {"counted": in_yaml(words)}
        )
        evidence = _evidence(document, proposal, None)
    return {"id": name, "draft": "true", **guessed, **given, "evidence": evidence}


def _typed(yaml: str) -> dict[str, str]:
    """Parse a record given as a YAML snippet, and return its values by key, each as YAML."""
    record: dict[str, Any] = yaml_reader.parse(yaml, file="").value[0]
    return {
        key: _scalar(key, ";".join(value) if isinstance(value, list) else value)
        for key, value in record.items()
    }


def _scalar(key: str, value: str) -> str:
    if key == "themes":
        return f"[{', '.join(_scalar('', term) for term in value.split(';'))}]"
    return value if _PLAIN.fullmatch(value) else in_yaml(value)


def _evidence(document: Document, proposal: ProposedRecord, mode: str | None) -> str:
    """Return evidence as YAML; a part whose place is unchanged is written as it was typed."""
    one = proposal.existing
    before = dict(zip(one.spans, one.record.evidence, strict=True)) if one else {}
    is_direct = (mode or getattr(one.record if one else None, "mode", None)) == "direct"
    parts = [
        before.get(span) or _part(document.text, span, is_direct=is_direct)
        for span in proposal.spans
    ]
    shown = [evidence_yaml.part_yaml(part) for part in parts]
    return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"


def _part(text: str, span: Span, *, is_direct: bool) -> Part:
    """Return a part that is found at a span; if the article omits a quotation mark there, the part states which one."""
    opened, closed = marks_around(text, span)
    unbalanced = ("closing" if opened else "opening") if is_direct and opened != closed else None
    return evidence_yaml.anchored(Part(text=text[slice(*span)], unbalanced=unbalanced), span, text)


def _invalid(proposal: ProposedRecord, values: dict[str, str]) -> str | None:
    """Return the reason why a record with these values is not valid, or None."""
    typed = {
        key: yaml_reader.parse(value, file="").value if value else None
        for key, value in values.items()
    }
    record = proposal.existing.record.model_dump() if proposal.existing else {}
    removed = [key for key, value in typed.items() if value is None]
    kept = {key: value for key, value in {**record, **typed}.items() if key not in removed}
    try:
        MODELS[proposal.table].model_validate(kept)
    except ValidationError as error:
        keys = dict.fromkeys(str(each["loc"][0]) for each in error.errors() if each["loc"])
        return f"a value is missing or not allowed: {', '.join(keys)}"
    except UneditableTextError:
        return "its place cannot be expressed in YAML"
    return None
