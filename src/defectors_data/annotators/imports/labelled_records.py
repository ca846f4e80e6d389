"""Records of a file after their labels were looked up, and their relations joined.

Annotations of a speaker or a cue, such as “said”, become part of the record to which a relation
joins them, directly or through a cue. Without a relation, that is the shortest record around them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from defectors_data.annotators.imports.formats.foreign_records import ForeignLabel, ForeignRecord
from defectors_data.annotators.imports.label_map import JOINED, KnownLabels, Role, Term
from defectors_data.readers.exports.exported_records import RECORDS
from defectors_data.readers.exports.label_studio import CONTINUES
from defectors_data.text.offsets import Span, are_inside


class UnknownLabel(NamedTuple):
    """A label that is neither known nor in the map: its number, and the words of an example."""

    name: str
    number: int
    example: str


class LabelReader:
    """Finds what the labels of records become, and counts those that are not known."""

    def __init__(self, known: KnownLabels) -> None:
        """Store the known labels."""
        self._known = known
        self._counted = Counter[str]()
        self._examples: dict[str, str] = {}
        self.unlabelled = 0
        """The number of records of other projects without a known label."""
        self.ignored = Counter[str]()
        """The labels of the records that the map leaves out."""
        self.apart: list[str] = []
        """The words of speakers and cues that belong to no record."""

    @property
    def unknown(self) -> list[UnknownLabel]:
        """The labels that are not known, the most frequent ones first."""
        counted = self._counted.most_common()
        return [UnknownLabel(name, number, self._examples[name]) for name, number in counted]

    def read(self, records: Sequence[ForeignRecord], text: str) -> list[ForeignRecord]:
        """Return the testimonies, figures and mentions of an article; `text` is its text."""
        joins = self._joins(records, text)
        found, parts = list[ForeignRecord](), list[tuple[str, ForeignRecord]]()
        for record in records:
            role = self._apply(record, text)
            if role in JOINED:
                parts.append((role, record))
            elif role in RECORDS:
                record.table = role
                found.append(record)
            elif role == "ignore":
                self.ignored.update(label.name for label in record.labels)
            else:
                self.unlabelled += 1
        groups = list(_groups(found, joins))
        for role, part in parts:
            owners = _owners(part, parts, groups, joins)
            for owner in owners:
                _add(owner, role, part, text)
            if not owners:
                self.apart.append(words_of(part, text))
        merged = [_merged(group) for group in groups]
        for record in merged:
            self._attribute(record)
        return merged

    def _joins(self, records: Iterable[ForeignRecord], text: str) -> dict[str, set[str]]:
        """Return the keys of the records that relations join, by the key of each."""
        joins: dict[str, set[str]] = {}
        for record in records:
            for link in record.links:
                role: Role | None = "join"
                if link.name != CONTINUES:
                    role = self._role(ForeignLabel(link.name), record, text)
                # An event names its arguments by their roles, such as Source and Content.
                if role == "join" or role in JOINED or role in RECORDS:
                    joins.setdefault(record.key, set()).add(link.to)
                    joins.setdefault(link.to, set()).add(record.key)
        return joins

    def _role(self, label: ForeignLabel, record: ForeignRecord, text: str) -> Role | None:
        """Return what a label becomes; one that is not known is counted."""
        role = self._known.role(label)
        if role is None:
            self._counted[label.name] += 1
            self._examples.setdefault(label.name, words_of(record, text))
        return role

    def _apply(self, record: ForeignRecord, text: str) -> str | None:
        """Apply the labels of a record, and return its role; None if none of them is known."""
        terms: dict[str, list[str]] = {}
        kinds = list[str]()
        for label in record.labels:
            role = self._role(label, record, text)
            if isinstance(role, Term):
                terms.setdefault(role.column, []).append(role.term)
            elif role == "note":
                record.kept.append(label.name)
            elif role:
                kinds.append(role)
        # Labels take precedence over a description, which other programs keep as it was.
        for column, found in terms.items():
            record.cells[column] = found[-1]
            if column == "themes":
                record.cells[column] = ";".join(dict.fromkeys(found))
        if record.table:
            return record.table
        named = [kind for kind in kinds if kind != "ignore"]
        if named:
            return named[0]
        if terms or record.kept:
            if "measure" in record.cells:
                return "figures"
            return "testimonies"
        return "ignore" if kinds else None

    def _attribute(self, record: ForeignRecord) -> None:
        """Set the speaker of a record, if one of its names is known."""
        column = "speaker_id"
        if record.table == "figures":
            column = "attributed_to"
        for name in record.speakers:
            if speaker := self._known.speaker(name):
                record.cells[column] = speaker


def words_of(record: ForeignRecord, text: str) -> str:
    """Return the words of a record's parts that were found."""
    return " … ".join(text[slice(*span)] for span in record.spans if span)


def _groups(
    records: Sequence[ForeignRecord], joins: dict[str, set[str]]
) -> Iterator[list[ForeignRecord]]:
    """Yield the records of each table that relations join to each other."""
    by_key: dict[str, list[ForeignRecord]] = {}
    for record in records:
        by_key.setdefault(record.key, []).append(record)
    seen = set[int]()
    for first in records:
        group = [first] if id(first) not in seen else []
        seen.add(id(first))
        for record in group:
            for key in joins.get(record.key, ()):
                near = [each for each in by_key.get(key, ()) if each.table == first.table]
                group += [each for each in near if id(each) not in seen]
                seen.update(map(id, near))
        if group:
            yield group


def _owners(
    part: ForeignRecord,
    parts: Sequence[tuple[str, ForeignRecord]],
    groups: Sequence[list[ForeignRecord]],
    joins: dict[str, set[str]],
) -> list[list[ForeignRecord]]:
    """Return the groups to which a speaker or a cue belongs."""
    joined = set(joins.get(part.key, ()))
    cues = {each.key for role, each in parts if role == "cue"}
    for key in joined & cues:
        joined |= joins[key]
    if joined:
        return [group for group in groups if not joined.isdisjoint(map(_key, group))]
    around = [group for group in groups if _contains(group, part)]
    return sorted(around, key=_length)[:1]


def _key(record: ForeignRecord) -> str:
    return record.key


def _contains(group: Iterable[ForeignRecord], part: ForeignRecord) -> bool:
    outer = [span for record in group for span in record.spans if span]
    inner = [span for span in part.spans if span]
    return bool(inner) and are_inside(inner, outer)


def _length(group: Iterable[ForeignRecord]) -> int:
    return sum(span.end - span.start for record in group for span in record.spans if span)


def _add(group: Sequence[ForeignRecord], role: str, part: ForeignRecord, text: str) -> None:
    """Add a speaker or a cue to the first record of a group."""
    spans = [span for span in part.spans if span]
    group[0].attribution += spans
    if role == "speaker":
        group[0].speakers.append(words_of(part, text))
        group[0].sources += spans


def _merged(group: Sequence[ForeignRecord]) -> ForeignRecord:
    """Return a record with the parts and the cells of all records of a group."""
    first, *others = group
    for other in others:
        first.spans += other.spans
        first.cells = other.cells | first.cells
        first.kept += other.kept
        first.speakers += other.speakers
    # A part that was not found remains, because the record must not be imported without it.
    if others:
        first.spans.sort(key=lambda span: span or Span(-1, -1))
    return first
