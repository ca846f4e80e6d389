"""The records of an article that the page shows, with their names, places and guesses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.annotators.workbench.record_fields import RequestError, Values
from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.models.annotation import SharedReference
from defectors_data.text.offsets import Span

SPEAKERS = "annotations/speakers.yaml"
"""The list of shared speakers."""
KINDS = {
    "source": "source",
    "speakers": "speaker",
    "mentions": "mention",
    "testimonies": "testimony",
    "figures": "figure",
    "waivers": "waiver",
    "errata": "erratum",
    "boilerplate": "boilerplate",
}
"""The kinds of records that the page shows, by table."""
_LACKED = {
    "speaker": "the speaker",
    "counted": "what is counted",
    "attribution": "the words that say who speaks, the testimony that this one continues, or `none`",
}
"""What a draft can lack, in words, by the field that the form asks for."""
_GUESSED = re.compile(r"\s*(?:- )?([a-z_]+): .*  # a guess: (.*)")


WRITER = "writer"
WRITER_LABEL = "the writer of the article"
"""The kind of the writer, and the choice of one who has no entry yet."""
NEW_SPEAKER = "new"
NEW_SPEAKER_LABEL = "a new speaker: the words of the attribution"
"""The choice of a speaker whom the words of an attribution introduce, and who has no entry yet."""
SAME_AS = "same_speaker_as"
"""The key of the form of a speaker that names another entry of the same speaker."""


class BoilerplateCard(NamedTuple):
    """A passage of boilerplate, shown like a record."""

    id: str
    draft: bool = False


def boilerplate(document: Document) -> list[tuple[Path, BoilerplateCard, Span]]:
    """Return the passages of boilerplate, each with its path and its words."""
    found = list[tuple[Path, BoilerplateCard, Span]]()
    for i, span in enumerate(document.at(("source", "boilerplate"))):
        passage = BoilerplateCard(f"{document.source.id}-boilerplate-{i + 1}")
        found.append((("source", "boilerplate", i), passage, span))
    return found


@per_document
def speaker_labels(document: Document) -> dict[str, str]:
    """Return the names of all speakers by id, or their words in the article if they have none. If
    several are called the same, the id of the first mention follows: "critics (m3)".
    """
    found, first = dict[str, str](), dict[str, str]()
    for path, entry in document.entries:
        known = document.speakers_by_id.get(entry.id)
        name = getattr(known, "name", None) or document.words((*path, "mentions", 0, "evidence"))
        if not name and getattr(known, "kind", "") == WRITER:
            name = WRITER_LABEL
        found[entry.id] = name or entry.id
        for each in entry.mentions[:1]:
            first[entry.id] = each.id.removeprefix(f"{document.source.id}-")
    numbers = Counter(name.casefold() for name in found.values())
    for called, mention in first.items():
        if numbers[found[called].casefold()] > 1:
            found[called] = f"{found[called]} ({mention})"
    for speaker in document.context.shared.values():
        found.setdefault(speaker.id, speaker.name)
    return found


def shown_records(document: Document) -> Iterator[tuple[Path, str, Any]]:
    """Yield the records that the page shows, each with its path and table."""
    yield ("source",), "source", document.source
    tables: list[tuple[str, Sequence[tuple[Path, Any]]]] = [
        ("speakers", document.entries),
        ("mentions", document.mentions),
        ("testimonies", document.testimonies),
        ("figures", document.figures),
        ("waivers", document.waivers),
        ("errata", document.errata),
    ]
    for table, records in tables:
        for path, record in records:
            yield path, table, record
    for path, passage, _ in boilerplate(document):
        yield path, "boilerplate", passage


def record_with_id(document: Document, record: str) -> tuple[Path, str, Any]:
    """Return the path, the table and the content of the record with an id.

    Raises:
        RequestError: there is no such record.
    """
    for path, table, found in shown_records(document):
        if getattr(found, "id", None) == record:
            return path, table, found
    raise RequestError("There is no such record.")


def record_with_form(document: Document, record: str) -> tuple[Path, str, Any]:
    """Return a record that has a form, as `record_with_id` does.

    Raises:
        RequestError: there is no such record, or a shared speaker who cannot be edited here.
    """
    found = record_with_id(document, record)
    if found[1] == "boilerplate":
        raise RequestError("Boilerplate has no fields. Delete removes the mark, and b adds one.")
    shared = document.context.shared
    is_known = not isinstance(found[2], SharedReference) or found[2].use in shared
    if not is_known or shared.listed.file not in ("", SPEAKERS):
        raise RequestError(f"Several articles share this speaker: edit {shared.listed.file}.")
    return found


def short_name(document: Document, record: str) -> str:
    """Return the name of a speaker, or the id of another record without that of the source."""
    name = speaker_labels(document).get(record)
    return name or record.removeprefix(f"{document.source.id}-")


def names_listed(document: Document, paths: Sequence[Path]) -> str:
    """Return the names of the records at some paths, separated by commas."""
    found = [record.id for path, _, record in shown_records(document) if path in paths]
    return ", ".join(short_name(document, name) for name in found)


def record_at(document: Document, line: int) -> str:
    """Return the short id of the record on a line of the file, or ""."""
    path = path_at(paths_by_line(document), line)
    found = [each.id for at, _, each in shown_records(document) if at == path]
    return short_name(document, found[0]) if found else ""


def paths_by_line(document: Document) -> list[tuple[int, Path]]:
    """Return the lines on which records begin, in order, each with the path of the record."""
    shown = [path for path, _, _ in shown_records(document)]
    return sorted((document.place(*path).line, path) for path in shown)


def path_at(by_line: Sequence[tuple[int, Path]], line: int) -> Path | None:
    """Return the path of the last record that begins on a line or before it."""
    at = bisect_right(by_line, line, key=itemgetter(0)) - 1
    return by_line[at][1] if at >= 0 else None


def lacking(document: Document, table: str, values: Values) -> dict[str, str]:
    """Return which values a record lacks that only a person can choose, in words, by the field that
    asks for them.
    """
    for key, placeholder in PLACEHOLDERS.items():
        if values.get(key) == placeholder:
            return {key: _LACKED[key]}
    if table != "testimonies":
        return {}
    said = values.get("attribution")
    is_attributed = any(said.values()) if isinstance(said, Mapping) else bool(said)
    if document.claims_completeness and not is_attributed:
        return {"attribution": _LACKED["attribution"]}
    return {key: key for key in document.context.codes_required if not values.get(key)}


def guesses(document: Document, text: str) -> Mapping[Path, dict[str, str]]:
    """Return the comments on guesses in the text of a file, by record and key."""
    by_line, found = paths_by_line(document), defaultdict[Path, dict[str, str]](dict)
    for number, line in enumerate(text.split("\n"), start=1):
        guess = _GUESSED.fullmatch(line)
        path = path_at(by_line, number)
        if guess and path:
            found[path][guess[1]] = guess[2]
    return found
