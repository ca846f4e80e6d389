"""Rules that keep a person who is not publicly named from being told more of than one article tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from defectors_data.anchoring import holds
from defectors_data.checks.references import doubtful
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding
from defectors_data.models import Figure, Speaker, Testimony, Waiver
from defectors_data.proving import Proof
from defectors_data.spans import Span
from defectors_data.vocabularies import STANDARD_NOTES


def protected_free_text(proof: Proof) -> Iterator[Finding]:
    """Of a protected person a `note` holds standard sentences alone, and `counted` words of the figure's evidence."""
    for shard in _sure(proof):
        theirs = of_protected(proof, shard)
        for path, key, text in _notes(shard, theirs):
            if not re.fullmatch(_STANDARD, f"{text} "):
                message = f"`{key}` on a record of a protected person must be made of the standard sentences."
                hint = "docs/codebook.md lists them; what else there is to say has no place in the data."
                yield Finding(shard.place(*path, key), "protected-free-text", message, (hint,))
        for path, figure in shard.figures():
            words = proof.text(shard, (*path, "evidence"))
            if figure.id in theirs and words and not holds(words, figure.counted):
                message = "`counted` on a figure of a protected person must be words of its evidence."
                hint = "Copy the run of words that says what is counted."
                yield Finding(shard.place(*path, "counted"), "protected-free-text", message, (hint,))


def _sure(proof: Proof) -> list[Shard]:
    """Return the sources in which no id stands twice: elsewhere it cannot be told whose a record is."""
    return [shard for shard in proof.corpus.shards if shard.file not in doubtful(proof)]


def of_protected(proof: Proof, shard: Shard) -> set[str]:
    """Return the ids of testimonies by or about protected persons, of figures of theirs, and of what repeats them."""
    persons = {name for name, speaker in proof.corpus.heard(shard).items() if speaker.protected}
    theirs = {t.id for _, t in shard.testimonies() if persons & {t.speaker, t.about}}
    theirs |= {f.id for _, f in shard.figures() if f.attributed_to in persons or f.testimony in theirs}
    return theirs | {w.id for _, w in shard.waivers() if w.of in theirs or w.reason == "protected_attribute"}


_STANDARD = "(?:(?:{one}) )+".format(
    one="|".join(re.escape(note).replace("RECORD", "[a-z0-9-]{1,80}") for note in STANDARD_NOTES)
)
"""Standard sentences, each with a space behind it."""


def _notes(shard: Shard, theirs: set[str]) -> Iterator[tuple[Path, str, str]]:
    """Return the free text of records, each with its path and key."""
    records: list[tuple[Path, Testimony | Figure | Waiver]] = [
        *shard.testimonies(),
        *shard.figures(),
        *shard.waivers(),
    ]
    for path, record in records:
        for key in ("note", "override"):
            if record.id in theirs and (text := vars(record).get(key)):
                yield path, key, text


def protected_attribute_shown(proof: Proof) -> Iterator[Finding]:
    """Words that are waived as a protected attribute stand in no mention, no licence and no fact of the source."""
    for shard in _sure(proof):
        waived = [
            span
            for path, waiver in shard.waivers()
            if waiver.reason == "protected_attribute"
            for span in proof.at(shard, (*path, "evidence"))
        ]
        for cited in shard.cited():
            introduces = cited.table in ("mentions", "sources") and cited.field != "furniture"
            if introduces and _share(proof.at(shard, cited.path), tuple(waived)):
                message = "These words hold some that are waived as `protected_attribute`."
                hint = "Copy a shorter run of words that does without them."
                yield Finding(shard.place(*cited.path), "protected-attribute-shown", message, (hint,))


def protected_linked(proof: Proof) -> Iterator[Finding]:
    """A protected person is joined to somebody else only by a passage that names both."""
    for shard in _sure(proof):
        yield from _linked_by_about(proof, shard)
        yield from _linked_by_figure(proof, shard)
        yield from _linked_by_words(proof, shard)


def _linked_by_about(proof: Proof, shard: Shard) -> Iterator[Finding]:
    heard = proof.corpus.heard(shard)
    for path, testimony in shard.testimonies():
        speaker, about = heard.get(testimony.speaker), heard.get(testimony.about or "")
        if speaker and about and (speaker.protected or about.protected) and speaker.id != about.id:
            words = proof.text(shard, (*path, "evidence")) or ""
            if not _named(proof, shard, about, words):
                message = "The words of this testimony do not name whom `about` gives, and one of the two is protected."
                yield Finding(shard.place(*path, "about"), "protected-linked", message, ("Leave `about` out.",))


def _named(proof: Proof, shard: Shard, speaker: Speaker, words: str) -> bool:
    """Tell whether words hold a speaker's name, a word of it, or one of the mentions that introduce the speaker."""
    names = str(getattr(speaker, "name", "")).split()
    mentions = [
        proof.text(shard, (*path, "evidence")) for path, speaker_id, _ in shard.mentions() if speaker_id == speaker.id
    ]
    return any(holds(words, name) for name in [*names, *filter(None, mentions)])


def _linked_by_figure(proof: Proof, shard: Shard) -> Iterator[Finding]:
    heard = proof.corpus.heard(shard)
    speakers = {testimony.id: testimony.speaker for _, testimony in shard.testimonies()}
    for path, figure in shard.figures():
        two = {figure.attributed_to, speakers.get(figure.testimony or "")} - {None}
        if len(two) > 1 and two <= heard.keys() and any(heard[name].protected for name in two if name):
            message = (
                "This figure is attributed to another than the testimony's speaker, and one of the two is protected."
            )
            hint = "Leave `attributed_to` or `testimony` out."
            yield Finding(shard.place(*path, "attributed_to"), "protected-linked", message, (hint,))


def _linked_by_words(proof: Proof, shard: Shard) -> Iterator[Finding]:
    """Find words that are evidence of two protected persons."""
    protected = {speaker.id for _, speaker in shard.speakers() if speaker.protected}
    introduced = [(path, name, proof.at(shard, (*path, "evidence"))) for path, name, _ in shard.mentions()]
    heard = [
        (path, t.speaker, (*proof.at(shard, (*path, "evidence")), *_because(proof, shard, path, t)))
        for path, t in shard.testimonies()
    ]
    for records in (introduced, heard):
        theirs = [record for record in records if record[1] in protected]
        for (_, one, there), (path, other, here) in combinations(theirs, 2):
            if one != other and _share(there, here):
                message = "These words are evidence of another protected person too, which joins the two."
                yield Finding(shard.place(*path, "evidence"), "protected-linked", message)


def _because(proof: Proof, shard: Shard, path: Path, testimony: Testimony) -> Iterator[Span]:
    """Return the words that bear out what is claimed of a testimony."""
    for i in range(len(testimony.because)):
        yield from proof.at(shard, (*path, "because", i, "words"))


def _share(some: tuple[Span, ...], others: tuple[Span, ...]) -> bool:
    return any(a.start < b.end and b.start < a.end for a in some for b in others)
