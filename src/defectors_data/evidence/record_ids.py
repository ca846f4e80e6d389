"""The ids that consist of a beginning and a number, and those that do not follow this rule."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document, per_document

# Possessive: no backtracking in words without a hyphen.
_ID = re.compile(r"[a-z0-9]++(?:-[a-z0-9]++)++")


def ids_in(text: str) -> set[str]:
    """Return the words of a text that may be ids: those with a hyphen, as others are common."""
    return set(_ID.findall(text)) if "-" in text else set()


class NumberedId(NamedTuple):
    """An id that must consist of a beginning and a number."""

    id: str
    beginning: str


BEFORE_NUMBERS = {
    "speakers": "speaker-",
    "mentions": "m",
    "testimonies": "t",
    "figures": "f",
    "waivers": "w",
    "relations": "r",
    "errata": "e",
}
"""The beginning of the ids of each table, after the id of the source and a hyphen."""


@per_document
def numbered_ids(document: Document) -> list[tuple[Path, NumberedId]]:
    """Return the ids that must be numbered: all except those of publicly named speakers."""
    named = set()
    for path, speaker in document.speakers:
        if not speaker.protected and speaker.kind != "group":
            named.add(path)
    found = []
    for path, table, name in document.records:
        if path not in named:
            beginning = f"{document.source.id}-{BEFORE_NUMBERS[table]}"
            found.append((path, NumberedId(name, beginning)))
    return found


def is_numbered(name: str, beginnings: Collection[str]) -> bool:
    """Return whether an id is one of the beginnings and a number from 1."""
    beginning = name.rstrip("0123456789")
    number = name[len(beginning) :]
    return beginning in beginnings and number != "" and not number.startswith("0")


@per_document
def misnamed(document: Document) -> list[Path]:
    """Return the paths of records whose ids are not numbered as required."""
    return [
        path
        for path, (name, beginning) in numbered_ids(document)
        if not is_numbered(name, (beginning,))
    ]


def all_misnamed(document: Document) -> bool:
    """Return whether a document has several numbered ids and all are wrong."""
    # A single wrong id is a typing error; if all are wrong, the likely cause is the source's id,
    # which they contain.
    return 1 < len(misnamed(document)) == len(numbered_ids(document))
