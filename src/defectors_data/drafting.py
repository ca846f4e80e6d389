"""A first annotation file for a new seed: its bytes pinned, its title guessed, everything else still to do."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection

from defectors_data.nearness import in_yaml

_TITLE_WORDS = 4
"""Words that a line has at least to be taken for the title."""

_FUNCTION_WORDS = {
    "en": "the of and to in that was for with they said from have who",
    "es": "el la de que los las en y para con por una dijo",
    "pt": "o a de que os as em e para com por uma disse não",
    "fr": "le la les de des et que pour avec dans une qui dit",
    "de": "der die das und zu den mit von für ist nicht sich auf",
}


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, by its text, its bytes and its name without ending.

    The title is the first line of four words or more; the language the one whose function words are most frequent,
    `und` (undetermined, BCP 47) where none is. `taken` are the ids of other sources.
    """
    title, occurrence = _title(text)
    evidence = in_yaml(title) if occurrence is None else f"{{text: {in_yaml(title)}, occurrence: {occurrence}}}"
    return _TEMPLATE.format(
        id=_id(title, stem, taken),
        seed=f"{stem}.txt",
        sha256=hashlib.sha256(data).hexdigest(),
        title=evidence,
        language=_language(text),
    )


def _title(text: str) -> tuple[str, int | None]:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    title = next((line for line in lines if len(line.split()) >= _TITLE_WORDS), lines[0] if lines else "untitled")
    return title, 1 if text.count(title) > 1 else None


def _id(title: str, stem: str, taken: Collection[str]) -> str:
    """Return an id made of the first words of the title; of the seed's name where that is taken or has none."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    words = re.findall(r"[a-z0-9]+", plain)[:5]
    name = "-".join(words)[:60]
    fallback = "-".join(re.findall(r"[a-z0-9]+", stem.casefold())) or "source"
    return name if name and name not in taken else fallback


def _language(text: str) -> str:
    counted = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    scores = {code: sum(counted[word] for word in words.split()) for code, words in _FUNCTION_WORDS.items()}
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] else "und"


_TEMPLATE = """\
# yaml-language-server: $schema=../schema/annotations.schema.json
# What is still to do, in reading order: defectors-data todo {seed}
source:
  id: {id}
  seed: {seed}
  sha256: {sha256}
  title: {title}
  language: {language}
  rights: All rights with the publisher

speakers: []

testimonies: []

figures: []

waivers: []
"""
