"""A corpus and where its evidence stands: every record proved against the text of its seed, as far as it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from defectors_data import anchoring
from defectors_data.accounting import Ledger, account
from defectors_data.anchoring import Quote, Surroundings
from defectors_data.corpus import Cited, Corpus, Path, Shard
from defectors_data.findings import MOST_SHOWN, Finding
from defectors_data.models import Part
from defectors_data.spans import Span

Spans: TypeAlias = Mapping[tuple[str, Path], tuple[Span, ...]]
"""Where evidence stands, by the file and the path that it was typed at; what was not found is absent."""

JOIN = " […] "
"""What stands between the parts of evidence where they are given as one text."""


@dataclass(frozen=True, eq=False, repr=False)
class Proof:
    """A corpus, the spans of its evidence, and what could not be found."""

    corpus: Corpus
    spans: Spans
    findings: tuple[Finding, ...]

    def at(self, shard: Shard, path: Path) -> tuple[Span, ...]:
        """Return where evidence stands, or nothing where it was not found."""
        return self.spans.get((shard.file, path), ())

    def text(self, shard: Shard, path: Path) -> str | None:
        """Return the words of evidence, its parts joined, or None where it was not found."""
        return JOIN.join(shard.text[span.start : span.end] for span in self.at(shard, path)) or None

    @cached_property
    def ledgers(self) -> dict[str, Ledger]:
        """The ledger of each source, by its annotation file."""
        return {shard.file: account(shard, self.spans) for shard in self.corpus.shards}


def prove(corpus: Corpus) -> Proof:
    """Find the evidence of every record in the text of its seed."""
    spans: dict[tuple[str, Path], tuple[Span, ...]] = {}
    findings: list[Finding] = []
    for shard in corpus.shards:
        protected = protected_paths(corpus, shard)
        before = len(findings)
        for cited in shard.cited():
            hidden, near = cited.path[:2] in protected, len(findings) - before < MOST_SHOWN
            within = Surroundings(shard.seed, shard.text, discreet=hidden, near=near)
            quotes = [_quote(shard, cited, i, part) for i, part in enumerate(cited.parts)]
            if cited.every and len(quotes) == 1:
                found, faults = anchoring.every_span(quotes[0], within)
            else:
                found, faults = anchoring.spans(quotes, within)
            findings += faults
            if found:
                spans[shard.file, cited.path] = found
    return Proof(corpus, spans, tuple(findings))


def _quote(shard: Shard, cited: Cited, i: int, part: Part) -> Quote:
    place = shard.place(*cited.path, i, "text")
    return Quote(part.text, place, part.prefix or "", part.suffix or "", part.occurrence)


def protected_paths(corpus: Corpus, shard: Shard) -> set[Path]:
    """Return the paths of records of which nothing typed is repeated: those of protected speakers, and all waivers.

    A record whose speaker is not known counts as protected, and so does a figure inside such a record's testimony.
    """
    public = {name for name, speaker in corpus.heard(shard).items() if not speaker.protected}
    hidden = {path for path, speaker in shard.speakers() if speaker.protected}
    hidden |= {path for path, _ in shard.waivers()}
    safe: set[str | None] = {None}
    for path, testimony in shard.testimonies():
        if testimony.speaker in public and testimony.about in public | {None}:
            safe.add(testimony.id)
        else:
            hidden.add(path)
    figures = shard.figures()
    return hidden | {p for p, f in figures if f.attributed_to not in public | {None} or f.testimony not in safe}
