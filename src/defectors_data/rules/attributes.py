"""Rules on the attributes of speakers: each is read in the words of a mention, or names the words that license it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data import quantities
from defectors_data.ages import is_age
from defectors_data.anchoring import holds
from defectors_data.evidence.document import Document, per_document
from defectors_data.findings import Finding
from defectors_data.models import Evidence
from defectors_data.project_file import Path
from defectors_data.rules.registry import rule
from defectors_data.rules.things import THINGS


@rule(on="attributes of mentions", codebook="P2")
def attribute_not_in_mention(document: Document, path: Path, value: str | int) -> Iterator[Finding]:
    """Rank, affiliation, age and years of service stand in the mention that carries them."""
    if not _is_read(document, path, value):
        message = f"The words of this mention do not hold its `{path[-1]}`."
        hint = "Copy a run of words that does, or leave the field out."
        yield Finding(document.place(*path), "attribute-not-in-mention", message, (hint,))


def unread(document: Document) -> Iterator[tuple[Path, str]]:
    """Give the attributes that are not in the words of their mention, by path of the mention and key."""
    for path, value in THINGS["attributes of mentions"](document):
        if not _is_read(document, path, value):
            yield path[:-1], str(path[-1])


def _is_read(document: Document, path: Path, value: str | int) -> bool:
    """Tell whether an attribute is in the words of its mention, or those were not found."""
    text = document.words((*path[:-1], "evidence"))
    if text is None:
        return True
    return holds(text, value) if isinstance(value, str) else value in quantities.numbers(text)


@rule(on="genders and requests of speakers", unique_ids=True, codebook="P3")
def attribute_without_licence(document: Document, path: Path, _: str) -> Iterator[Finding]:
    """A gender, and the reason why a name is withheld, name the words of the source that license them."""
    key = path[-1]
    shared = document.context.shared
    if not shared.has_duplicate_ids and (document.entry_of(path).id, key) not in _attested(document):
        message = f"No mention of this speaker here has words that license the `{key}`."
        hint = f"Copy them into `licensed_by: {{{key}: ...}}` of a mention."
        yield Finding(document.place(*path), "attribute-without-licence", message, (hint,))


@per_document
def _attested(document: Document) -> set[tuple[str, str | int]]:
    """Return the attributes that words attest, by id of the speaker and key."""
    return {(document.entry_of(path).id, path[-1]) for path, _ in THINGS["words that attest attributes"](document)}


@rule(on="ages and years of service", codebook="P2")
def attribute_of_another_kind(document: Document, path: Path, value: int) -> Iterator[Finding]:
    """An age is a bare number, or years that somebody is old; years of service are years of anything else."""
    found = [entry.detection for entry in document.ledger.within(document.evidence_of(path[:-1]))]
    same = [number for number in found if number.quantity and number.quantity.value == value]
    if same and not any((path[-1] == "age") == is_age(document.text, number) for number in same):
        other = "years of service" if path[-1] == "age" else "an age"
        message = f"The number in these words reads as {other}."
        hint = "Put it under the other key, or leave the field out."
        yield Finding(document.place(*path), "attribute-of-another-kind", message, (hint,))


_GENDERED = {
    "male": "he him his himself man men father son brother husband boy mr",
    "female": "she her hers herself woman women mother daughter sister wife girl mrs ms",
}


@rule(on="words that attest a gender", codebook="P3")
def gender_of_other_words(document: Document, path: Path, _: Evidence) -> Iterator[Finding]:
    """The words that license a gender are not those of another one alone."""
    gender = getattr(document.heard.get(document.entry_of(path).id), "gender", None)
    words = document.words(path)
    if words and gender and _are_of_another(gender, words):
        message, hint = "These words tell of another gender.", "Mend the gender, or copy other words."
        yield Finding(document.place(*path), "gender-of-other-words", message, (hint,))


def _are_of_another(gender: str, words: str) -> bool:
    found = set(re.findall(r"\w+", words.casefold()))
    genders = {each for each, known in _GENDERED.items() if found & set(known.split())}
    return bool(genders) and gender not in genders


@rule(on="words that attest attributes", unique_ids=True, codebook="P3")
def licence_not_needed(document: Document, path: Path, _: Evidence) -> Iterator[Finding]:
    """Words license an attribute that the speaker has: whatever else they tell is not recorded."""
    key, speaker = str(path[-1]), document.heard.get(document.entry_of(path).id)
    if speaker and getattr(speaker, key, None) is None and not document.context.shared.has_duplicate_ids:
        message = f"The speaker has no `{key}` that these words could license."
        hint = "Leave the words out, or give the speaker what they tell."
        yield Finding(document.place(*path), "licence-not-needed", message, (hint,))
