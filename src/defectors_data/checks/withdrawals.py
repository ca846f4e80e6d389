"""Rules that keep out what was taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.checks.references import free_texts, ids
from defectors_data.corpus import Shard
from defectors_data.findings import Finding
from defectors_data.proving import Proof


def withdrawn_words(proof: Proof) -> Iterator[Finding]:
    """No record rests on words that were taken out."""
    for shard in proof.corpus.shards:
        lost = shard.content.withdrawn and not any(_out_of_text(shard))
        for cited in shard.cited() if lost else ():
            for i, span in enumerate(proof.at(shard, cited.path)):
                if shard.withdrawn(span.start, span.end):
                    message = "These words were taken out, in whole or in part: `withdrawn` lists them."
                    place = shard.place(*cited.path, i, "text")
                    yield Finding(place, "withdrawn-words", message, ("Leave the record out.",))


def withdrawn_id(proof: Proof) -> Iterator[Finding]:
    """The id of a record that was taken out is not given again, and nothing that people wrote names it."""
    gone = {stone.id for stone in proof.corpus.tombstones.content.tombstones}
    for name, place in ids(proof):
        if name in gone:
            message = "A record of this id was taken out."
            yield Finding(place, "withdrawn-id", message, ("Ids are never used again: take the next number.",))
    for document in proof.corpus.documents() if gone else ():
        for path, text in free_texts(proof)[document.file]:
            if gone & set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text)):
                message = "This names a record that was taken out."
                yield Finding(document.place(*path), "withdrawn-id", message, ("Leave it out.",))


def withdrawn_out_of_text(proof: Proof) -> Iterator[Finding]:
    """A run that was taken out lies in its seed: its start before its end, its end not behind the text's."""
    for shard in proof.corpus.shards:
        for i, is_out in enumerate(_out_of_text(shard)):
            if is_out:
                message = f"No such run stands in {shard.seed}, which has {len(shard.text):,} characters."
                yield Finding(shard.place("withdrawn", i), "withdrawn-out-of-text", message)


def _out_of_text(shard: Shard) -> list[bool]:
    """Tell of each run that was taken out whether it lies outside the text: no words can be judged by such a one."""
    return [not run.start < run.end <= len(shard.text) for run in shard.content.withdrawn]


def title_missing(proof: Proof) -> Iterator[Finding]:
    """A source has its title, unless words of the article were taken out."""
    for shard in proof.corpus.shards:
        if not shard.content.source.title and not shard.content.withdrawn:
            message = "This source has no `title`."
            yield Finding(shard.place("source"), "title-missing", message, ("Copy the headline from the seed.",))
