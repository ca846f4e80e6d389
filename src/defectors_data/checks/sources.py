"""Rules on what is known of a source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.anchoring import holds
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding
from defectors_data.naming import did_you_mean
from defectors_data.proving import Proof


def inferred_without_note(proof: Proof) -> Iterator[Finding]:
    """A value that the source does not state says from what it was worked out."""
    for shard in proof.corpus.shards:
        for name, fact in shard.content.source.facts().items():
            if fact.basis == "inferred" and not fact.note:
                message = f"`{name}` is inferred and has no `note`."
                hint = "Say from what it was worked out, or leave the field empty: empty beats guessed."
                yield Finding(shard.place("source", name), "inferred-without-note", message, (hint,))


def same_article_twice(proof: Proof) -> Iterator[Finding]:
    """An article is annotated once: no two seeds are the same text, and none has the name of another."""
    texts: dict[str, Shard] = {}
    names: dict[str, Shard] = {}
    for shard in proof.corpus.shards:
        same = texts.setdefault(shard.text, shard)
        called = names.setdefault(shard.content.source.seed, shard)
        at = shard.place("source", "seed")
        if same is not shard:
            message = f"{shard.seed} holds the same text as {same.seed}."
            hint = "Annotate it in one file, and take the other away with its seed."
            yield Finding(at, "same-article-twice", message, (hint,))
        elif called is not shard:
            before = called.place("source", "seed")
            message = f"A seed has this name in {before.file}, line {before.line}, already."
            hint = "Name each seed as no other is: after the id of its source, by custom."
            yield Finding(at, "same-article-twice", message, (hint,))


def not_printed(proof: Proof) -> Iterator[Finding]:
    """What the source is said to print stands in it: stated names and years, cited outlets, the places of figures."""
    for shard in proof.corpus.shards:
        for path, words, text in _printed(proof, shard):
            if text is not None and not holds(text, words):
                message = f"These words do not stand in the evidence or in {shard.seed}."
                yield Finding(shard.place(*path), "not-printed", message, ("Write them as the source does.",))


def _printed(proof: Proof, shard: Shard) -> Iterator[tuple[Path, str, str | None]]:
    """Return what is said to be printed, with its path and the text that should hold it."""
    for i, outlet in enumerate(shard.content.source.cited_outlets):
        yield ("source", "cited_outlets", i), outlet, shard.text
    for name, fact in shard.content.source.facts().items():
        if fact.basis == "stated":
            text = proof.text(shard, ("source", name, "evidence"))
            values = (fact.value,) if isinstance(fact.value, str) else fact.value
            for value in re.findall(r"[0-9]{4}(?![0-9])", values[0]) if name == "published" else values:
                yield ("source", name, "value"), value, text
    for path, figure in shard.figures():
        if figure.place:
            yield (*path, "place"), figure.place, shard.text


def title_not_a_line(proof: Proof) -> Iterator[Finding]:
    """Title and subtitle are whole lines of the seed; a `|` may part either from other words of its line."""
    for shard in proof.corpus.shards:
        for name in ("title", "subtitle"):
            for span in proof.at(shard, ("source", name)):
                before = re.split(r"[\n|]", shard.text[: span.start])[-1]
                after = re.split(r"[\n|]", shard.text[span.end :], maxsplit=1)[0]
                if any(character.isalnum() for character in before + after):
                    message = "The line of the seed has more words than these."
                    yield Finding(shard.place("source", name), "title-not-a-line", message, ("Copy the whole line.",))


def outlet_not_cited(proof: Proof) -> Iterator[Finding]:
    """The outlet that words were said to is one of the source's `cited_outlets`."""
    for shard in proof.corpus.shards:
        cited = shard.content.source.cited_outlets
        for path, testimony in shard.testimonies():
            if testimony.outlet and testimony.outlet not in cited:
                message = "This outlet is not among the `cited_outlets` of the source."
                hint = did_you_mean(testimony.outlet, cited)
                yield Finding(shard.place(*path, "outlet"), "outlet-not-cited", message, hint)
