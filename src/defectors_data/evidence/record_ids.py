"""Ids in texts, and ids that consist of a beginning and a number."""

from __future__ import annotations

import re
from collections.abc import Collection

# Possessive: no backtracking in words without a hyphen.
_WITH_HYPHEN = re.compile(r"[a-z0-9]++(?:-[a-z0-9]++)++")
_ANY = re.compile(r"[a-z0-9]++(?:-[a-z0-9]++)*+")


def ids_in(text: str) -> set[str]:
    """Return the words of a text that may be ids: those with a hyphen, as others are common."""
    return set(_WITH_HYPHEN.findall(text)) if "-" in text else set()


def id_words(text: str) -> set[str]:
    """Return the words of a text that have the form of an id, even without a hyphen."""
    return set(_ANY.findall(text))


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


def is_numbered(name: str, beginnings: Collection[str]) -> bool:
    """Return whether an id is one of the beginnings and a number from 1."""
    beginning = name.rstrip("0123456789")
    number = name[len(beginning) :]
    return beginning in beginnings and number != "" and not number.startswith("0")
