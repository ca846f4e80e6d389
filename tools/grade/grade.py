"""Measure the rules by mutation testing: damage the real annotations with each operator and count what `check` finds.

`python tools/grade/grade.py` writes docs/developers/grade.md. A mutant is one change to one file. It is written as
YAML, then read, anchored and checked like any annotations; it is killed if there is a finding. There is no random
sampling. Survivors are listed by id and change: no words of an article or an annotation are repeated.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from multiprocessing import Pool
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from defectors_data import pipeline
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import SHARED_FILES, CorpusReader
from defectors_data.documents import readme
from defectors_data.evidence import completeness_ledger
from defectors_data.executors import CachingExecutor, serial
from defectors_data.pipeline import Options
from defectors_data.text.detection import detect
from mutants import Mutant, Operator, SourceFile, source_files
from semantic import SEMANTIC
from structural import STRUCTURAL

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/developers/grade.md"


def main() -> None:
    """Measure the rules on the real annotations and write the page, with JOBS processes or one for each core."""
    project = source_files(PROJECT)
    with Pool(int(os.environ.get("JOBS") or os.cpu_count() or 1), remember) as pool:
        found = {
            operator: pool.map(partial(codes, PROJECT), mutants, chunksize=8)
            for operator, mutants in ((operator, list(operator(project))) for operator in (*STRUCTURAL, *SEMANTIC))
        }
    structural, semantic = ([graded(each, project, found[each]) for each in kind] for kind in (STRUCTURAL, SEMANTIC))
    PAGE.write_text(page(structural, semantic), encoding="utf-8")
    print(f"{total('structural', structural)}; {total('semantic', semantic)}.")


def remember() -> None:
    """Cache pure functions in a worker process, because most of each mutant is the same as in the one before."""
    # A dictionary, such as that of units, has no hash.
    remembered = lru_cache(maxsize=64)(lambda text, units: detect(text, dict(units)))
    vars(completeness_ledger)["detect"] = lambda text, units: remembered(text, frozenset(units.items()))
    vars(yaml_reader)["parse"] = lru_cache(maxsize=64)(yaml_reader.parse)


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


class Grade(NamedTuple):
    """The results for the mutants of one operator."""

    operator: Operator
    mutants: int
    codes: Counter[str]
    survivors: list[Mutant]

    @property
    def killed(self) -> int:
        """The number of killed mutants."""
        return self.mutants - len(self.survivors)


def graded(operator: Operator, project: Sequence[SourceFile], found: Iterable[tuple[str, ...]]) -> Grade:
    """Return the results of an operator; `found` has the finding codes of each of its mutants, in order."""
    mutants = [*zip(operator(project), found, strict=True)]
    survivors = [mutant for mutant, codes_ in mutants if not codes_]
    return Grade(operator, len(mutants), Counter(code for _, codes_ in mutants for code in codes_), survivors)


# ---- the page ----------------------------------------------------------------------------------------------

INTRODUCTION = """\
# How reliable the checks are

This page reports which errors in annotations `defectors-data check` finds, as measured by mutation testing. Each
operator below damages copies of the real annotations, each copy in one place. Each of these copies, called mutants, is
checked like any other corpus. A mutant with a finding counts as killed; one without a finding survives.

All mutants of an operator are checked, not a sample. Survivors are listed by the ids of their records, without words
from the articles. `make grade` repeats the measurement and writes this page.
"""
WORDS = {
    "structural": (
        "Damage to positions, quotation marks, numbers and ids, which a program can detect. All mutants must be killed."
    ),
    "semantic": (
        "Damage that only a reader can judge in full. The rate shows how much of it is detected, and has no minimum."
    ),
}


def page(structural: Sequence[Grade], semantic: Sequence[Grade]) -> str:
    """Return docs/developers/grade.md."""
    parts = [INTRODUCTION]
    for kind, grades in (("structural", structural), ("semantic", semantic)):
        parts += [f"## {kind.capitalize()} operators\n", f"{WORDS[kind]}\n", f"{total(kind, grades)}.\n", table(grades)]
        parts += [f"\n### Survivors of the {kind} operators\n", survivors(grades, changes=kind == "structural")]
    return "\n".join(parts)


def title(operator: Operator) -> str:
    """Return the name of an operator as words."""
    return operator.__name__.replace("_", " ")


def paragraphs(operator: Operator) -> list[str]:
    """Return the paragraphs of an operator's docstring."""
    return [" ".join(part.split()) for part in (operator.__doc__ or "").split("\n\n")]


def total(kind: str, grades: Sequence[Grade]) -> str:
    """Return the sentence on how many mutants of a kind were killed."""
    return f"{sum(g.killed for g in grades):,} of {sum(g.mutants for g in grades):,} {kind} mutants were killed"


def table(grades: Sequence[Grade]) -> str:
    """Return the table of operators with their mutants, kill rates and finding codes."""
    rows = [
        (
            title(grade.operator),
            paragraphs(grade.operator)[0],
            str(grade.mutants),
            str(grade.killed),
            f"{100 * grade.killed / grade.mutants:.1f} %",
            ", ".join(f"`{code}` {n}" for code, n in sorted(grade.codes.items(), key=lambda item: (-item[1], item[0]))),
        )
        for grade in grades
        if grade.mutants
    ]
    return readme.markdown(["operator", "what it does", "mutants", "killed", "rate", "killed by"], rows)


def survivors(grades: Sequence[Grade], *, changes: bool) -> str:
    """Return the survivors by operator and record, with the reason, and with their changes or the number of these."""
    parts = []
    for grade in grades:
        if grade.survivors:
            _, why = [*paragraphs(grade.operator), "No rule detects it."][:2]
            names = "; ".join(_named(name, said, changes=changes) for name, said in _by_record(grade.survivors).items())
            parts.append(f"**{title(grade.operator)}** ({len(grade.survivors)}). {why} {names}.\n")
    return "\n".join(parts) or "None.\n"


def _by_record(mutants: Iterable[Mutant]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for mutant in mutants:
        found.setdefault(mutant.record, []).append(mutant.change)
    return found


def _named(name: str, said: Sequence[str], *, changes: bool) -> str:
    count = f" × {len(said)}" if len(said) > 1 else ""
    changes_made = f" ({', '.join(said)})" if changes and any(said) else count
    return f"`{name}`{changes_made}"


if __name__ == "__main__":
    main()
