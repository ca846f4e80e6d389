"""Damage the annotations with each operator, and count how often `check` has a finding: `make grade`.

With `EVERY=10` in the environment, only every tenth mutant of an operator is checked.

A mutant is one change to one file. It is written as YAML, then read, anchored and checked like any annotations; it is
found if there is a finding. Nothing is chosen at random. The page is docs/developers/grade.md; faults of meaning
without a finding are listed in build/grade.txt, by the ids of their records.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Sequence
from functools import lru_cache, partial
from multiprocessing.pool import Pool
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from defectors_data import pipeline
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import SHARED_FILES, CorpusReader
from defectors_data.documents import markdown
from defectors_data.evidence import completeness_ledger
from defectors_data.executors import CachingExecutor, serial
from defectors_data.pipeline import Options
from defectors_data.text.detection import detect
from mutants import Mutant, Operator, SourceFile, source_files
from semantic import SEMANTIC
from structural import STRUCTURAL

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/developers/grade.md"
MISSED = PROJECT / "build/grade.txt"


class Grade(NamedTuple):
    """The results of one operator: the number of its mutants, and those without a finding."""

    operator: Operator
    mutants: int
    missed: list[Mutant]

    @property
    def found(self) -> int:
        """The number of mutants with a finding."""
        return self.mutants - len(self.missed)


def main() -> None:
    """Grade the rules on the real annotations, with JOBS processes or one for each core, and write the page."""
    project = source_files(PROJECT)
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    every = int(os.environ.get("EVERY") or 1)
    with multiprocessing.Pool(jobs, remember) as pool:
        structural = [graded(operator, project, pool, every) for operator in STRUCTURAL]
        semantic = [graded(operator, project, pool, every) for operator in SEMANTIC]
    PAGE.write_text(page(structural, semantic, every), encoding="utf-8")
    MISSED.parent.mkdir(exist_ok=True)
    lines = [
        f"{title(grade.operator)}: {mutant.record} {mutant.change}".rstrip()
        for grade in (*structural, *semantic)
        for mutant in grade.missed
    ]
    MISSED.write_text("\n".join([*lines, ""]), encoding="utf-8")


def remember() -> None:
    """Cache pure functions in a worker process, because most of each mutant is the same as in the one before."""
    # A dictionary, such as that of units, has no hash.
    remembered = lru_cache(maxsize=64)(lambda text, units: detect(text, dict(units)))
    vars(completeness_ledger)["detect"] = lambda text, units: remembered(text, frozenset(units.items()))
    vars(yaml_reader)["parse"] = lru_cache(maxsize=64)(yaml_reader.parse)


ACCIDENTS = {"unused-speaker"}
"""Findings that do not count: a speaker who is left without a record does not show what is wrong with another."""


def graded(operator: Operator, project: Sequence[SourceFile], pool: Pool, every: int) -> Grade:
    """Return the results of an operator from its mutants, or from one in `every` of them."""
    mutants = list(operator(project))[::every]
    codes_of = pool.map(partial(codes, PROJECT), mutants, chunksize=8)
    missed = [mutant for mutant, found in zip(mutants, codes_of, strict=True) if not {*found} - ACCIDENTS]
    return Grade(operator, len(mutants), missed)


def typed(mutant: Mutant) -> str:
    """Return the file of a mutant as JSON, which is valid YAML."""
    return json.dumps(mutant.content, ensure_ascii=False)


def codes(root: Path, mutant: Mutant) -> tuple[str, ...]:
    """Return the finding codes of `check` for a mutant of the annotations in a folder, sorted and distinct."""
    with TemporaryDirectory() as folder:
        changed = Path(folder, "mutant.yaml")
        changed.write_text(typed(mutant), encoding="utf-8")
        corpus = CorpusReader(FileTree(root, {mutant.file: changed}))
        # Only the changed document is processed again, unless the change is in a file that all documents share.
        executor = serial if Path(mutant.file).name in SHARED_FILES else _REMEMBERING
        checked = pipeline.run(corpus, Options(tables=False), executor=executor, size=1)
        return tuple(sorted({finding.code for finding in checked.findings}))


_REMEMBERING = CachingExecutor(attrgetter("documents"))


# ---- the page ----------------------------------------------------------------------------------------------

PAGE_TEXT = """\
# How reliable the checks are

This page reports which faults in annotations `defectors-data check` finds. Each operator damages
copies of the real annotations, each in one place. {sample} `make grade` repeats the measurement,
writes this page, and lists the faults without a finding in `build/grade.txt`.

## Faults of structure

{operators} operators damage positions, quotation marks, numbers, ids and references
(`tools/grade/structural.py`). A program can find each of these faults: {found} of {mutants}
are found. `make test-sweep` fails if one is missed.

## Faults of meaning

A tired reader makes these faults (`tools/grade/semantic.py`). Only another reader can judge them
in full: {semantic_found} of {semantic_mutants} are found. No check compares
themes with the words.

{table}
"""


def page(structural: Sequence[Grade], semantic: Sequence[Grade], every: int) -> str:
    """Return docs/developers/grade.md."""
    rows = [
        (describe(grade.operator), f"{grade.mutants:,}", f"{100 * grade.found / grade.mutants:.0f} %")
        for grade in semantic
    ]
    sample = "All copies that an operator can make are checked."
    if every > 1:
        sample = f"Of the copies that an operator can make, one in {every} is checked (`EVERY={every}`)."
    return PAGE_TEXT.format(
        sample=sample,
        operators=len(structural),
        found=f"{sum(grade.found for grade in structural):,}",
        mutants=f"{sum(grade.mutants for grade in structural):,}",
        semantic_found=f"{sum(grade.found for grade in semantic):,}",
        semantic_mutants=f"{sum(grade.mutants for grade in semantic):,}",
        table=markdown.markdown(["fault", "copies", "found"], rows),
    )


def title(operator: Operator) -> str:
    """Return the name of an operator as words."""
    return operator.__name__.replace("_", " ")


def describe(operator: Operator) -> str:
    """Return the docstring of an operator on one line."""
    return " ".join((operator.__doc__ or "").split())


if __name__ == "__main__":
    main()
