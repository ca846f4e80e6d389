"""Measure the testimonies that are proposed, on annotated public news.

`python tools/measure_proposals.py [--list] PATH...` reads the brat files of PolNeAR (`Source`, `Cue`, `Content`) below
each path and prints shares, of drafts and of drafts with possible statements. Nothing of the text is stored. Of a text
that several persons annotated, the first file is read. `--list` prints each statement of speech that is not found.

A statement is `inside a quotation` if its cue and its content are between the same quotation marks: these are words of
the person who is quoted, which the codebook does not record apart. Else it is `direct` if all letters of its content
are between quotation marks, `partly quoted` if some are, and `indirect` if none are. It is found if half of its
letters are in one proposal, and half of the letters of that proposal in it, without the words from its source to its
cue. Precision is the share of proposals of which half of the letters are in statements. The speaker of a found
statement is right if the head of the source that was read is in the annotated source; a pronoun is right if it is the
annotated pronoun, and for "who" the words directly before it are right.
The beginning of a found statement is compared where it precedes its cue, and the end where it follows it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from defectors_data.annotators.drafts import first_draft
from defectors_data.annotators.proposals.attributions import attributed_words
from defectors_data.annotators.proposals.statements import possible_statements, statements
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.edits.evidence_yaml import document_of
from defectors_data.evidence.annotated_document import Document
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.detection import outermost_quotations
from defectors_data.text.offsets import Span
from measure_attributions import KINDS, AnnotatedAttribution, annotated_texts, is_right, kind_of, letters, share

INSIDE = "inside a quotation"
EXAMPLE = Path(__file__).parents[1] / "src/defectors_data/example"
"""A corpus whose vocabulary the proposals use."""


class ProposedStatement(NamedTuple):
    """The letters of a proposed testimony, and its attribution."""

    letters: set[int]
    """Without those of the words from its source to its cue."""
    first: int
    last: int
    """The first and the last of all its letters."""
    attribution: FoundAttribution | None
    is_draft: bool


def without_records(text: str) -> Document:
    """Return a text as a document without records."""
    typed = first_draft.draft(text, text.encode(), "article", taken=())
    typed = typed.replace("completeness: none", "completeness: full")
    document = document_of(typed, text, _context(), file="article.yaml", seed="article.txt")
    if not document:
        raise ValueError(text)
    return document


@cache
def _context() -> Context:
    """Return the vocabulary and the speakers of the example."""
    context, findings = CorpusReader(FileTree(EXAMPLE)).context
    if not context:
        raise ValueError(findings)
    return context


def proposed(text: str) -> Iterator[ProposedStatement]:
    """Yield the testimonies that `draft --fill` writes for a text, and the possible statements, in no order."""
    document = without_records(text)
    for spans in statements(document):
        yield _proposed(document, spans, is_draft=True)
    for span in possible_statements(document):
        yield _proposed(document, [span], is_draft=False)


def _proposed(document: Document, spans: Sequence[Span], *, is_draft: bool) -> ProposedStatement:
    attributed = attributed_words(document)
    found = attributed.attribution_of(spans[0]) or attributed.before(spans[0])
    said = letters(document.text, spans)
    first, last = min(said, default=0), max(said, default=0)
    if found:
        said -= letters(document.text, [found.phrase])
    return ProposedStatement(said, first, last, found, is_draft)


def count(text: str, expected: Sequence[AnnotatedAttribution], *, list_faults: bool) -> Counter[str]:
    """Return the counts of one text."""
    counts: Counter[str] = Counter()
    quotations = outermost_quotations(text)
    quoted = letters(text, quotations)
    statements = [(letters(text, each.content), each) for each in expected]
    statements = [each for each in statements if each[0]]
    said = set[int]().union(*(content for content, _ in statements))
    proposals = [each for each in proposed(text) if each.letters]
    drafts = [each for each in proposals if each.is_draft]
    for group, among in (("drafts", drafts), ("all", proposals)):
        for each in among:
            kind = kind_of(each.letters, quoted)
            counts[f"proposed {kind}, {group}"] += 1
            counts[f"right {kind}, {group}"] += len(each.letters & said) * 2 >= len(each.letters)
        for content, statement in statements:
            is_inside = _is_inside(text, statement, quotations)
            kind = INSIDE if is_inside else kind_of(content, quoted)
            counts[f"statements {kind}, {group}"] += 1
            best = max(among, key=lambda each: len(each.letters & content), default=None)
            common = 2 * len(best.letters & content) if best else 0
            if not best or common < max(len(content), len(best.letters)):
                if list_faults and among is proposals:
                    print(f"{kind}: {[text[slice(*span)] for span in [*statement.cue, *statement.content]]}")
                continue
            counts[f"found {kind}, {group}"] += 1
            cue, begin = statement.cue[0].start, _without_conjunction(text, min(content))
            counts[f"beginnings {kind}, {group}"] += begin < cue
            counts[f"right beginnings {kind}, {group}"] += begin < cue and best.first in (begin, min(content))
            counts[f"ends {kind}, {group}"] += max(content) > cue
            counts[f"right ends {kind}, {group}"] += max(content) > cue and best.last == max(content)
            if statement.source:
                counts[f"sources, {group}"] += 1
                source = best.attribution and best.attribution.source
                counts[f"right source, {group}"] += bool(source and is_right(text, source, statement.source))
    return counts


def _is_inside(text: str, statement: AnnotatedAttribution, quotations: Sequence[Span]) -> bool:
    words = letters(text, [*statement.cue, *statement.content])
    has_cue = bool(letters(text, statement.cue))
    return has_cue and any(words <= letters(text, [each]) for each in quotations)


def _without_conjunction(text: str, start: int) -> int:
    joined = re.compile(r"(?:(?:and|but) )+", re.IGNORECASE).match(text, start)
    return joined.end() if joined else start


def measure(path: Path, *, list_faults: bool) -> None:
    """Print the shares of a folder."""
    counts: Counter[str] = Counter()
    for text, expected in annotated_texts(path):
        counts["texts"] += 1
        counts += count(text, expected, list_faults=list_faults)
    print(f"{path}: {counts['texts']} texts")
    for group in ("drafts", "all"):
        for kind in (f"{each}, {group}" for each in KINDS):
            found = share(counts, f"found {kind}", f"statements {kind}")
            print(f"  {kind}: {found} found, precision {share(counts, f'right {kind}', f'proposed {kind}')}")
            begins = share(counts, f"right beginnings {kind}", f"beginnings {kind}")
            print(f"    same beginning {begins}, same end {share(counts, f'right ends {kind}', f'ends {kind}')}")
        inside = share(counts, f"found {INSIDE}, {group}", f"statements {INSIDE}, {group}")
        print(f"  {INSIDE}, {group}: {inside} found")
        print(f"  speakers right, {group}: {share(counts, f'right source, {group}', f'sources, {group}')}")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        if argument != "--list":
            measure(Path(argument), list_faults="--list" in sys.argv)
