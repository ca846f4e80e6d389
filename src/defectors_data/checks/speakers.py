"""Rules on speakers and the mentions that introduce them."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data.anchoring import holds
from defectors_data.checks.references import doubtful, told_once
from defectors_data.findings import Finding, Place
from defectors_data.models import Institution, NamedPerson, SharedReference
from defectors_data.proving import Proof


def name_in_two_sources(proof: Proof) -> Iterator[Finding]:
    """A named person or an institution heard in several sources is one speaker of `annotations/speakers.yaml`."""
    first: dict[tuple[str, str], Place] = {}
    for i, shared in enumerate(proof.corpus.shared.content.speakers):
        first[shared.kind, shared.name] = proof.corpus.shared.place("speakers", i, "name")
    for shard in proof.corpus.shards:
        for path, speaker in shard.speakers():
            if isinstance(speaker, NamedPerson | Institution):
                before = first.setdefault((speaker.kind, speaker.name), shard.place(*path, "name"))
                if before.file != shard.file:
                    message = f"A speaker of this name stands in {before.file}, line {before.line}, too."
                    hint = "Put the speaker into annotations/speakers.yaml once, and refer to it with `use`."
                    yield Finding(shard.place(*path, "name"), "name-in-two-sources", message, (hint,))


def speaker_without_mention(proof: Proof) -> Iterator[Finding]:
    """A speaker has at least one mention in each source they are heard in, unless words of it were taken out."""
    used: set[str] = set()
    for shard in proof.corpus.shards:
        for path, entry in shard.entries():
            used.add(entry.id)
            if not entry.mentions and not shard.content.withdrawn and shard.file not in doubtful(proof):
                message = "This speaker has no mention here."
                hint = "Copy the words that introduce the speaker into `mentions`."
                yield Finding(shard.place(*path), "speaker-without-mention", message, (hint,))
    dangling = _uses(proof) - proof.corpus.shared_speakers.keys()  # one may be meant for a speaker whom nobody uses
    for i, speaker in enumerate(proof.corpus.shared.content.speakers):
        if speaker.id not in used and not dangling:
            message = "No source refers to this shared speaker, so no mention shows them."
            place = proof.corpus.shared.place("speakers", i)
            yield Finding(place, "speaker-without-mention", message, ("Leave the speaker out.",))


def _uses(proof: Proof) -> set[str]:
    entries = (entry for shard in proof.corpus.shards for _, entry in shard.entries())
    return {entry.id for entry in entries if isinstance(entry, SharedReference)}


def speaker_never_heard(proof: Proof) -> Iterator[Finding]:
    """A speaker is heard, cited or spoken about in the source: whoever is not has no place among its speakers."""
    for shard in proof.corpus.shards:
        heard = {testimony.speaker for _, testimony in shard.testimonies()}
        heard |= {testimony.about for _, testimony in shard.testimonies() if testimony.about}
        heard |= {figure.attributed_to for _, figure in shard.figures() if figure.attributed_to}
        known = {entry.id for _, entry in shard.entries()}
        if shard.file in doubtful(proof) or heard - known:  # a dangling reference may be meant for this speaker
            continue
        for path, entry in shard.entries():
            if entry.id not in heard:
                message = "No testimony or figure of this source names this speaker."
                hint = "Annotate what the speaker says, or leave the speaker out."
                yield Finding(shard.place(*path), "speaker-never-heard", message, (hint,))


def name_not_in_mention(proof: Proof) -> Iterator[Finding]:
    """A publicly named speaker's name stands, as it is written, in a mention of each source they are heard in.

    Where words of the source were taken out, it stands anywhere in it.
    """
    found: dict[tuple[str, str], list[Finding]] = {}
    for shard in proof.corpus.shards:
        heard = proof.corpus.heard(shard)
        for path, entry in () if doubtful(proof) & {shard.file, proof.corpus.shared.file} else shard.entries():
            speaker = heard.get(entry.id)
            name = getattr(speaker, "name", None)
            texts = [proof.text(shard, (*path, "mentions", i, "evidence")) for i in range(len(entry.mentions))]
            texts += [shard.text] if shard.content.withdrawn else []
            if name and texts and all(texts) and not any(holds(str(text), name) for text in texts):
                key = "use" if isinstance(entry, SharedReference) else "name"
                message = f"No mention of this speaker here holds the name {name}."
                hint = "Write the name as the source prints it, or add the mention that holds it."
                finding = Finding(shard.place(*path, key), "name-not-in-mention", message, (hint,))
                found.setdefault((entry.id, "" if key == "use" else shard.file), []).append(finding)
    yield from map(told_once, found.values())
