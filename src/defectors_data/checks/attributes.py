"""Rules on what a mention tells of its speaker: each attribute is read in words, or names the words that license it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from defectors_data import quantities
from defectors_data.anchoring import holds
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding
from defectors_data.models import Mention
from defectors_data.proving import Proof


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
        held = quantities.numbers(text)
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
        for path, entry in shard.entries():
            for key in ("gender", "request"):
                if getattr(heard.get(entry.id), key, None) and key not in licensed[entry.id]:
                    message = f"No mention of this speaker here has words that license the `{key}`."
                    hint = f"Copy them into `licensed_by: {{{key}: ...}}` of a mention."
                    yield Finding(shard.place(*path, key), "attribute-without-licence", message, (hint,))
