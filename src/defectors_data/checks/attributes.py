"""Rules on what a mention tells of its speaker: each attribute is read in words, or names the words that license it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from defectors_data import quantities
from defectors_data.anchoring import holds
from defectors_data.checks.references import doubtful
from defectors_data.corpus import Path, Shard
from defectors_data.detecting import Detection
from defectors_data.findings import Finding
from defectors_data.models import Mention
from defectors_data.proving import Proof
from defectors_data.spans import Span


def attribute_not_in_mention(proof: Proof) -> Iterator[Finding]:
    """Rank, affiliation, age and years of service stand in the mention that carries them."""
    for shard in proof.corpus.shards:
        for path, key in unread(proof, shard):
            message = f"The words of this mention do not hold its `{key}`."
            hint = "Copy a run of words that does, or leave the field out."
            yield Finding(shard.place(*path, key), "attribute-not-in-mention", message, (hint,))


def unread(proof: Proof, shard: Shard) -> Iterator[tuple[Path, str]]:
    """Return the attributes of mentions that cannot be read in their words, by path and key."""
    for path, _, mention in shard.mentions():
        text = proof.text(shard, (*path, "evidence"))
        if not isinstance(mention, Mention) or text is None:
            continue
        numbered = mention.age is not None or mention.years_of_service is not None
        held = quantities.numbers(text) if numbered else frozenset[float]()
        missing = {
            "rank": mention.rank and not holds(text, mention.rank),
            "affiliation": mention.affiliation and not holds(text, mention.affiliation),
            "age": mention.age is not None and mention.age not in held,
            "years_of_service": mention.years_of_service is not None and mention.years_of_service not in held,
        }
        yield from ((path, key) for key, is_missing in missing.items() if is_missing)


def attribute_without_licence(proof: Proof) -> Iterator[Finding]:
    """A gender, and the reason why a name is withheld, name the words of the source that license them."""
    for shard in proof.corpus.shards:
        heard = proof.corpus.heard(shard)
        licensed: dict[str, set[str]] = defaultdict(set)
        for _path, speaker_id, mention in shard.mentions():
            licensed[speaker_id] |= {key for key, words in mention.licensed_by or () if words}
        for path, entry in shard.entries() if _told_apart(proof, shard) else ():
            for key in ("gender", "request"):
                if getattr(heard.get(entry.id), key, None) and key not in licensed[entry.id]:
                    message = f"No mention of this speaker here has words that license the `{key}`."
                    hint = f"Copy them into `licensed_by: {{{key}: ...}}` of a mention."
                    yield Finding(shard.place(*path, key), "attribute-without-licence", message, (hint,))


def _told_apart(proof: Proof, shard: Shard) -> bool:
    """Tell whether no speaker of a source can be taken for another, because an id stands twice."""
    return not doubtful(proof) & {shard.file, proof.corpus.shared.file}


def attribute_of_another_kind(proof: Proof) -> Iterator[Finding]:
    """An age is a bare number, or years that somebody is old; years of service are years of anything else."""
    for shard in proof.corpus.shards:
        numbers = [entry.detection for entry in proof.ledgers[shard.file].entries if entry.detection.quantity]
        for path, _, mention in shard.mentions():
            spans = proof.at(shard, (*path, "evidence"))
            for key in ("age", "years_of_service"):
                stated = vars(mention).get(key)
                if stated is None:
                    continue
                same = [d for d in numbers if d.quantity and d.quantity.value == stated and _inside(d, spans)]
                if same and not any((key == "age") == is_age(shard.text, d) for d in same):
                    other = "years of service" if key == "age" else "an age"
                    message = f"The number in these words reads as {other}."
                    hint = "Put it under the other key, or leave the field out."
                    yield Finding(shard.place(*path, key), "attribute-of-another-kind", message, (hint,))


_OLD = re.compile(r"[\s\u2010-]?(?:years?)?[\s\u2010-]?(?:olds?|of age)\b")
_AGED = re.compile(r"\b(?:aged|age|age of)\s+$")


def is_age(text: str, found: Detection) -> bool:
    """Tell whether a number that was found can be an age: `28,`, `28 years old`, `a 28-year-old`, `aged 28 years`."""
    if found.quantity is None or found.quantity.unit in (None, "person"):
        return found.quantity is not None
    number = re.match(r"[\w.,]+", text[found.start : found.end])
    behind = found.start + (number.end() if number else 0)
    return bool(
        _OLD.match(text, behind)
        or _OLD.match(text, found.end)
        or _AGED.search(text, max(0, found.start - 30), found.start)
    )


_STATED = re.compile(r"\b(?:who(?:['’]s| is| was)(?: now| then| only| just| about)?|aged|age of)\s+$")


def states_age(text: str, found: Detection) -> bool:
    """Tell whether a number can hardly be anything but an age: `a 28-year-old`, `aged 28`, `who is now 28`."""
    before = _STATED.search(text, max(0, found.start - 30), found.start)
    return is_age(text, found) and bool(before or (found.quantity and found.quantity.unit == "year"))


def _inside(found: Detection, spans: Sequence[Span]) -> bool:
    return any(span.start <= found.start and found.end <= span.end for span in spans)


_GENDERED = {
    "male": "he him his himself man men father son brother husband boy mr",
    "female": "she her hers herself woman women mother daughter sister wife girl mrs ms",
}


def gender_of_other_words(proof: Proof) -> Iterator[Finding]:
    """The words that license a gender are not those of another one alone."""
    for shard in proof.corpus.shards:
        heard = proof.corpus.heard(shard)
        for path, name, _mention in shard.mentions():
            gender = getattr(heard.get(name), "gender", None)
            words = proof.text(shard, (*path, "licensed_by", "gender"))
            if words and gender and _tells_of_another(gender, words):
                message = "These words tell of another gender."
                place = shard.place(*path, "licensed_by", "gender")
                yield Finding(place, "gender-of-other-words", message, ("Mend the gender, or copy other words.",))


def _tells_of_another(gender: str, words: str) -> bool:
    said = set(re.findall(r"\w+", words.casefold()))
    told = {other for other, known in _GENDERED.items() if said & set(known.split())}
    return bool(told) and gender not in told


def licence_not_needed(proof: Proof) -> Iterator[Finding]:
    """Words license an attribute that the speaker has: whatever else they tell is not recorded."""
    for shard in proof.corpus.shards:
        heard = proof.corpus.heard(shard)
        for path, name, mention in shard.mentions() if _told_apart(proof, shard) else ():
            for key, words in mention.licensed_by or ():
                if words and name in heard and getattr(heard[name], key, None) is None:
                    message = f"The speaker has no `{key}` that these words could license."
                    hint = "Leave the words out, or give the speaker what they tell."
                    yield Finding(shard.place(*path, "licensed_by", key), "licence-not-needed", message, (hint,))
