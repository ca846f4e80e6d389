"""A corpus of parts, however large: its sources pass by in blocks, and nothing holds them all.

Each block is judged by itself (`judging`), in as many processes as are asked for and always in the same order; what
many sources must not have in common is found afterwards (`crossing`). Lines that are not plainly right are read again
as files are, all together, so that every finding is worded as it is in a small corpus.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from defectors_data import examining, jsontext, judging, lines, parts, reading
from defectors_data.checks.references import free_texts
from defectors_data.corpus import Corpus
from defectors_data.crossing import Crossed
from defectors_data.examining import Examined, Rule
from defectors_data.files import Tree, file_unreadable, why_not
from defectors_data.findings import Finding, Place, in_order
from defectors_data.judging import Asked, Judged
from defectors_data.proving import prove

if TYPE_CHECKING:
    from defectors_data.express import World

Take = Callable[[Judged], None]
"""Is given each block that was judged, in the order of the corpus, as long as nothing is wrong."""

Told = Callable[[int, float], None]
"""Is told how many sources were judged, and which share of the corpus's bytes that is."""


class Passed(Protocol):
    """What became of a part that was judged elsewhere."""

    judged: list[Judged]
    """Its blocks, in order."""
    size: int
    """Bytes of its annotations."""
    unpacked: str | None
    """Why its texts cannot be had."""
    refused: str | None
    """Why it cannot be read."""


class Elsewhere(Protocol):
    """Where parts are judged that are not judged here."""

    def judged(self, world: Corpus, asked: Asked, files: Sequence[tuple[str, str | None]]) -> Iterator[Passed]:
        """Judge parts, each given by its annotations and its texts; what became of them comes in their order."""

    def fetch(self, files: Iterable[str]) -> None:
        """Have the files of these parts here, so that lines of them can be read again."""


class Seen(NamedTuple):
    """What was seen of a corpus of parts."""

    examined: Examined
    """Its proof is that of a few sources at most, or None."""
    sources: int
    records: int
    """Testimonies and figures."""
    used: Counter[tuple[str, str]]
    """How often terms are used: by table and term."""
    unseen: int = 0
    """Lines with a fault of their own that were not looked at again: there were too many."""


def examine(
    root: Path,
    asked: Asked,
    *,
    jobs: int = 1,
    take: Take | None = None,
    told: Told | None = None,
    elsewhere: Elsewhere | None = None,
) -> Seen:
    """Judge all that stands below a folder; `take` gets the blocks, of which the tables can be written.

    `jobs` processes judge; one is this one. Or parts are judged `elsewhere`, as wholes.
    """
    small = reading.read(root, only={})
    if small.corpus is None:
        return Seen(examining.judged(None, small.findings), 0, 0, Counter())
    world = replace(small.corpus, shards=())
    run = _Run(Tree(root), world, asked, take, told)
    run.findings += [_beside_parts(shard.file) for shard in small.corpus.shards]
    run.judge_all(jobs, elsewhere)
    return run.seen(elsewhere)


class _Run:
    """One pass over a corpus of parts."""

    def __init__(self, tree: Tree, world: Corpus, asked: Asked, take: Take | None, told: Told | None) -> None:
        self.tree, self.world, self.asked, self.take, self.told = tree, world, asked, take, told
        self.crossed, self.findings = Crossed(), list[Finding]()
        self.counts: Counter[str] = Counter()
        self.used: Counter[tuple[str, str]] = Counter()
        self.parts = self.records = self.bytes = 0
        self.seeds: set[str] = set()
        self.files = lines.names(tree)
        self.total = sum((tree.root / file).stat().st_size for file in self.files if not tree.reason(file))

    def judge_all(self, jobs: int, elsewhere: Elsewhere | None) -> None:
        """Judge every block, in order."""
        with ExitStack() as stack, few_collections():
            here = map(self._judged, self._blocks()) if jobs == 1 else self._by_many(jobs, stack)
            for block in self._elsewhere(elsewhere) if elsewhere else here:
                self._add(block)

    def _elsewhere(self, elsewhere: Elsewhere) -> Iterator[Judged]:
        """Have whole parts judged elsewhere; what keeps a part from being read is a finding."""
        files = list(self._readable())
        for (file, packed), passed in zip(files, elsewhere.judged(self.world, self.asked, files), strict=True):
            self.bytes += passed.size
            if passed.unpacked:
                self.findings.append(lines.part_without_texts(str(packed), passed.unpacked))
            if passed.refused:
                self.findings.append(file_unreadable(file, passed.refused))
            yield from passed.judged

    def _readable(self) -> Iterator[tuple[str, str | None]]:
        """Give the files of all parts that can be read; what keeps others from it is a finding."""
        for file in self.files:
            packed = lines.packed_beside(self.tree, file)
            if faults := list(lines.unreadable(self.tree, file, packed)):
                self.findings += faults
            else:
                yield file, packed

    def _blocks(self) -> Iterator[tuple[parts.Block, str, str | None]]:
        """Give the blocks of all parts; what keeps a part from being read is a finding."""
        for file, packed in self._readable():
            try:
                for block in parts.blocks(self.tree.opened, file, packed):
                    self.bytes += sum(map(len, block.lines)) + len(block.lines)
                    yield block, file, packed
            except parts.Unpacked as error:
                self.findings.append(lines.part_without_texts(str(packed), str(error)))
            except OSError as error:
                self.findings.append(file_unreadable(file, why_not(error)))

    def _judged(self, given: tuple[parts.Block, str, str | None]) -> Judged:
        return judged(*given, self.tree, self.world, self.asked)

    def _by_many(self, jobs: int, stack: ExitStack) -> Iterator[Judged]:
        """Judge blocks in processes of their own, a few ahead of the one that is waited for."""
        context = multiprocessing.get_context("spawn")
        start = (self.tree.root, self.world, self.asked)
        pool = stack.enter_context(ProcessPoolExecutor(jobs, context, initializer=_start, initargs=start))
        waiting: deque[Future[Judged]] = deque()
        for block in self._blocks():
            waiting.append(pool.submit(_judge, block))
            if len(waiting) > jobs + 2:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _add(self, judged: Judged) -> None:
        self.crossed.add(judged)
        self.counts.update(judged.seen)
        self.used.update(judged.used)
        self.parts += judged.parts
        self.records += judged.records
        self.seeds |= set(judged.seeds)
        if self.take and not (self.findings or self.crossed.unread or self.crossed.doubtful):
            self.take(judged)
        if self.told:
            self.told(self.crossed.count, self.bytes / max(1, self.total))

    def seen(self, elsewhere: Elsewhere | None) -> Seen:
        """Return what was found, worded, and how much was seen."""
        skip = judging.skipped_rules(self.asked)
        proof = prove(self.world)
        words = [text for texts in free_texts(proof).values() for _, text in texts]
        words += [stone.id for stone in self.world.tombstones.content.tombstones]
        suspects = self.crossed.suspects(self.world, words)
        if elsewhere:
            elsewhere.fetch(suspects)
        again = reading.read(self.tree.root, only=suspects)
        if not self.crossed.count and not self.findings and not self.world.tombstones.content.tombstones:
            self.findings.append(reading.nothing_annotated())
        self.findings += reading.unannotated_seeds(self.tree, self.seeds, self.world.tombstones)
        corpus, findings = again
        if self.findings:
            corpus, findings = None, [*again.findings, *self.findings]
        examined = examining.judged(corpus, findings, skip=skip)
        if not examined.findings and (self.crossed.unread or self.crossed.doubtful):
            beyond = [_read_otherwise(*line) for line in self.crossed.unread]
            beyond += [_beyond(*line) for line in self.crossed.doubtful]
            examined = examined._replace(proof=None, findings=in_order(beyond))
        return Seen(self._counted(examined), self.crossed.count, self.records, self.used, self.crossed.unseen)

    def _counted(self, examined: Examined) -> Examined:
        """Put in what all blocks saw, instead of what was looked at again."""
        if examined.proof is None:
            return examined
        alone = {rule.rule: rule.seen or 0 for rule in examining.judged(self.world, []).rules}
        files = examining.files_of(self.world) + 2 * self.crossed.count
        rules = [self._rule(rule, alone[rule.rule], files) for rule in examined.rules]
        return examined._replace(findings=in_order(examined.findings), rules=rules)

    def _rule(self, rule: Rule, alone: int, files: int) -> Rule:
        """Return a rule with what all sources together showed it: each block saw what belongs to no source, too."""
        if rule.seen is None:
            return rule
        if not self.asked.rules:  # the short way does not count
            known: dict[str, int | None] = {"files": files, "pieces of evidence": self.parts}
            sources = self.crossed.count if rule.rule == "title-missing" else None
            return rule._replace(seen=known.get(rule.judges, sources))
        blocks = len(self.crossed.blocks)
        seen = self.counts[rule.rule] - (blocks - 1) * alone if blocks else alone
        by_what = {"files": files, "pieces of evidence": self.parts}
        return rule._replace(seen=by_what.get(rule.judges, seen))


@contextmanager
def few_collections() -> Iterator[None]:
    """Have what holds itself looked for seldom: rows never do, and there are very many."""
    before = gc.get_threshold()
    gc.set_threshold(_SELDOM)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


_SELDOM = 500_000
"""Objects that are made between two looks for what holds itself."""

_shared: tuple[Tree, Corpus, Asked]


def _start(root: Path, world: Corpus, asked: Asked) -> None:
    """Keep, in a process that judges, what all blocks share."""
    global _shared  # noqa: PLW0603  # a process has one
    _shared = Tree(root), world, asked
    if asked.tables:
        from defectors_data.sparing import spare  # noqa: PLC0415  # pyarrow is slow to import, and a check needs none

        spare()
    gc.set_threshold(_SELDOM)


def _judge(given: tuple[parts.Block, str, str | None]) -> Judged:
    return judged(*given, *_shared)


def judged(block: parts.Block, file: str, packed: str | None, tree: Tree, world: Corpus, asked: Asked) -> Judged:
    """Judge a block: the short way where nothing is asked for that it does not give."""
    if packed and asked.tables and not (asked.ledger or asked.provenance or asked.rules):
        from defectors_data import passing  # noqa: PLC0415  # it makes tables, which a check does not

        return passing.judge(block, file, packed, tree, _plain(world), asked)
    return judging.judge(block, file, packed, tree, world, asked)


@lru_cache(maxsize=1)
def _plain(world: Corpus) -> World:
    from defectors_data.express import World  # noqa: PLC0415

    return World.of(world)


def _read_otherwise(file: str, line: int) -> Finding:
    """Word the fault `json-syntax` for a line that two readers take for different things."""
    return jsontext.json_syntax(Place(file, line), "two readers of JSON do not agree on it")


def _beyond(file: str, line: int) -> Finding:
    """Word the fault `relation-of-nothing` for what is right only beside sources that passed by at another time."""
    message = "A relation of this source names figures of another, which cannot be put beside each other in parts."
    return Finding(Place(file, line), "relation-of-nothing", message, ("Relate figures of one source.",))


def _beside_parts(file: str) -> Finding:
    """Word the fault `part-out-of-order` for a source in a file of its own."""
    message = "This source has a file of its own, and others are in parts."
    hint = "`defectors-data shard` puts all of them into parts."
    return Finding(Place(file), "part-out-of-order", message, (hint,))
