"""All below a folder read, proved and checked, and what each rule saw: silence is told from blindness.

A rule is a fault that can be found: in reading, in finding the evidence, or by a check. What reading could not make
sense of is not judged by the rules behind it: they are skipped, and a run that skips any is no clean one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data import anchoring, checks, explaining, lines, proving, yamltext
from defectors_data import reading as of_files
from defectors_data.checks.seen import SEEN
from defectors_data.corpus import Corpus, Document
from defectors_data.findings import Finding
from defectors_data.proving import Proof


class Rule(NamedTuple):
    """A rule, and what it saw."""

    rule: str
    """The code of its findings."""
    judges: str
    """What it judges, in words."""
    seen: int | None
    """How many of these there were; None where that could not be told."""
    findings: int | None
    """How many faults it found; None for a rule that was skipped."""


class Examined(NamedTuple):
    """A corpus as far as it could be read, all that is wrong with it, and every rule with what it saw."""

    proof: Proof | None
    findings: list[Finding]
    rules: list[Rule]


_OF_FILES = (*yamltext.FAULTS, *of_files.FAULTS, *explaining.FAULTS)


def examine(root: Path) -> Examined:
    """Read, prove and check all that stands below a folder."""
    return judged(*of_files.read(root))


def judged(corpus: Corpus | None, findings: list[Finding], *, skip: Collection[str] = ()) -> Examined:
    """Prove and check a corpus, without the rules whose codes are to be skipped; or say why there is none."""
    if corpus is None:
        findings = lines.plain(findings)
        waiting = [(checks.code_of(fault), "pieces of evidence") for fault in anchoring.FAULTS]
        waiting += [(checks.code_of(check), SEEN[check].what) for check in checks.CHECKS]
        rules = [*_early(_OF_FILES, "files", None, findings), *(Rule(*rule, None, None) for rule in waiting)]
        return Examined(None, findings, rules)
    proof = proving.prove(corpus)
    found, seen = checks.examine(proof, skip=skip)
    found = lines.plain(found)
    parts = sum(len(cited.parts) for shard in corpus.shards for cited in shard.cited())
    rules = [
        *_early(_OF_FILES, "files", files_of(corpus) + 2 * len(corpus.shards), found),
        *_early(anchoring.FAULTS, "pieces of evidence", parts, found),
        *(Rule(*rule) for rule in seen),
    ]
    return Examined(proof, found, rules)


def files_of(corpus: Corpus) -> int:
    """Return how many files there are that are about no source."""
    shared: list[Document[Any]] = [corpus.dataset, corpus.vocabulary, corpus.shared]
    shared += [corpus.tombstones, corpus.comparisons]
    return sum(bool(document.places) for document in shared)


def sentences() -> dict[str, str]:
    """Return what each rule says by its code, in the order in which the rules are applied."""
    faults: list[Callable[..., object]] = [*_OF_FILES, *anchoring.FAULTS, *checks.CHECKS]
    return {checks.code_of(fault): " ".join((fault.__doc__ or "").split()) for fault in faults}


def _early(
    faults: Iterable[Callable[..., object]], what: str, seen: int | None, found: Sequence[Finding]
) -> Iterator[Rule]:
    codes = [finding.code for finding in found]
    for fault in faults:
        yield Rule(checks.code_of(fault), what, seen, codes.count(checks.code_of(fault)))


def record(rule: Rule) -> dict[str, object]:
    """Return a rule as a dictionary for `--format json`."""
    return {**rule._asdict(), "skipped": rule.findings is None}


# ---- what was checked, in words ----------------------------------------------------------------------------

_TOLD = {
    "title-missing": "sources",
    "speaker-never-heard": "speakers",
    "testimony-across-paragraphs": "testimonies",
    "bounds-out-of-order": "figures",
    "waiver-unused": "waivers",
    "quotation-unaccounted": "quotations",
    "quantity-unaccounted": "numbers",
}
"""Rules whose numbers stand in the summary, and what they count."""


def summary(rules: Sequence[Rule]) -> Iterator[str]:
    """Say in a few lines how many rules were run over how much, which of them saw nothing, and which were skipped."""
    skipped = [rule.rule for rule in rules if rule.findings is None]
    blind = [rule.rule for rule in rules if rule.seen == 0 and rule.findings is not None]
    counts = [f"{rule.seen} {_TOLD[rule.rule]}" for rule in rules if rule.rule in _TOLD and rule.seen is not None]
    over = f" over {', '.join(sorted(counts, key=_order))}" if counts else ""
    yield f"Checked: {len(rules) - len(skipped)} rules{over}."
    if blind:
        yield f"Saw nothing: {', '.join(blind)}."
    if skipped:
        named = ", ".join(skipped) if len(skipped) <= len(checks.BESIDE) else f"{len(skipped)} rules"
        until = "Skipped, until the findings are mended" if any(rule.findings for rule in rules) else "Not applied here"
        yield f"{until}: {named}."


def _order(count: str) -> int:
    return list(_TOLD.values()).index(count.partition(" ")[2])


def table(rules: Sequence[Rule]) -> Iterator[str]:
    """Return every rule as a line: its code, what it saw, and what it found."""
    width = max(len(rule.rule) for rule in rules)
    return (_line(rule, width) for rule in rules)


def _line(rule: Rule, width: int) -> str:
    seen = "?" if rule.seen is None else rule.seen
    found = "skipped" if rule.findings is None else f"{rule.findings} found"
    return f"{rule.rule:<{width}}  {seen:>6} {rule.judges}: {found}"
