"""Speakers of two readings of an article, which are the same if their mentions overlap.

Readings do not share ids, and names must not be shown, so a speaker is called by the line and
column of the first mention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from pydantic import TypeAdapter, ValidationError

from defectors_data.corpus.findings import Place
from defectors_data.corpus.yaml_reader import ParsedFile
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.models.annotation import full_id
from defectors_data.models.fields import Evidence
from defectors_data.text.offsets import line_and_column


class CodedSpeaker(NamedTuple):
    """A speaker as one of the annotators introduced them."""

    places: frozenset[int]
    """The offsets of all code points of the mentions that are found."""
    label: str
    """The line and column of the first mention; a number if none is found."""
    shared: str | None
    """The id of a shared speaker, which is the same in all files."""
    name: str | None


Speakers: TypeAlias = Mapping[str, CodedSpeaker]
"""The speakers of a reading, by the ids and labels by which its records name them."""


def coded_speakers(typed: ParsedFile, text: str) -> dict[str, CodedSpeaker]:
    """Return the speakers of a reading of an article."""
    source = typed.value.get("source") if isinstance(typed.value, dict) else None
    source_id = str(source.get("id")) if isinstance(source, dict) else ""
    found = dict[str, CodedSpeaker]()
    for i, entry in entries(typed, "speakers"):
        speaker = _speaker(entry, i, text)
        names = [str(entry[key]) for key in ("use", "id", "label") if key in entry]
        for name in names:
            # A record may name a speaker by the short form of the id.
            short = name.removeprefix(f"{source_id}-")
            found |= dict.fromkeys((name, short, full_id(name, source_id)), speaker)
    return found


def _speaker(entry: Mapping[str, Any], number: int, text: str) -> CodedSpeaker:
    places, within = set[int](), SearchedText("", text, near=False)
    mentions = entry.get("mentions")
    for mention in mentions if isinstance(mentions, list) else []:
        evidence = mention.get("evidence") if isinstance(mention, dict) else None
        with suppress(ValidationError):
            for part in TypeAdapter(Evidence).validate_python(trimmed(evidence)):
                around = (part.prefix or "", part.suffix or "")
                quote = Quote(part.text, Place(""), *around, part.occurrence)
                span, _ = find_span(quote, within)
                if span:
                    places.update(range(*span))
    label = f"speaker {number + 1}"
    if places:
        line, column = line_and_column(text, min(places))
        label = f"mentioned at {line}:{column}"
    return CodedSpeaker(frozenset(places), label, entry.get("use"), entry.get("name"))


def labels_of(one: Speakers, other: Speakers) -> tuple[dict[str, str], dict[str, str]]:
    """Return the labels of the speakers of two readings by id; the same speaker has one label.

    Shared speakers are the same if their ids are. Others are the same if their mentions overlap,
    those with the most code points in common first, or else if their names are equal.
    """
    ours, theirs = list(dict.fromkeys(one.values())), list(dict.fromkeys(other.values()))
    ranked = []
    for i, a in enumerate(ours):
        for j, b in enumerate(theirs):
            is_shared = a.shared is not None and a.shared == b.shared
            is_named = a.name is not None and a.name == b.name
            likeness = (is_shared, len(a.places & b.places), is_named)
            if any(likeness):
                ranked.append((likeness, -i, -j))
    same, left = dict[int, int](), set(range(len(ours)))
    # The positions resolve ties, so the result does not depend on chance.
    for _, i, j in sorted(ranked, reverse=True):
        if -i in left and -j not in same:
            left.remove(-i)
            same[-j] = -i
    labels = {}
    for j, speaker in enumerate(theirs):
        labels[speaker] = f"{speaker.label} in the other reading only"
        if j in same:
            labels[speaker] = ours[same[j]].label
    first = {name: speaker.label for name, speaker in one.items()}
    return first, {name: labels[speaker] for name, speaker in other.items()}


# ---- readings as typed ---------------------------------------------------------------------------


def entries(typed: ParsedFile, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the mappings in the list under a key, each with its position."""
    if not isinstance(typed.value, dict):
        return
    listed = typed.value.get(key)
    if isinstance(listed, list):
        for i, entry in enumerate(listed):
            if isinstance(entry, dict):
                yield i, entry


def trimmed(typed: Any) -> Any:
    """Return unvalidated evidence without white space at the ends of its parts."""
    match typed:
        case list():
            return [trimmed(each) for each in typed]
        case dict():
            return {**typed, "text": trimmed(typed.get("text"))}
        case str():
            return typed.strip()
        case _:
            return typed
