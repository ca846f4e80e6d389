"""Grade the checks: damage the real annotations in every way there is an operator for, and count what `check` finds.

`python tools/grade/grade.py` writes docs/developers/grade.md. A mutant is one change to one file: it is written out as
YAML and read, proved and checked as any annotation is, and killed where there is a finding. Nothing is drawn by lot.
Survivors are named by record and offset: no word of an article or of an annotation is repeated.
"""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from defectors_data import pipeline
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.files import Tree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.documents import readme
from defectors_data.evidence import ledger
from defectors_data.pipeline import Options
from mutants import Mutant, Operator, SourceFile, source_files
from semantic import SEMANTIC
from structural import STRUCTURAL

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/developers/grade.md"
CODE = PROJECT / "tools/grade/grade-code.csv"


def main() -> None:
    """Grade the checks on the real annotations, and write the page; JOBS processes, or one for each core."""
    project = source_files(PROJECT)
    with Pool(int(os.environ.get("JOBS") or os.cpu_count() or 1), remember) as pool:
        found = {
            operator: pool.map(partial(codes, PROJECT), mutants, chunksize=8)
            for operator, mutants in ((operator, list(operator(project))) for operator in (*STRUCTURAL, *SEMANTIC))
        }
    structural, semantic = ([graded(each, project, found[each]) for each in kind] for kind in (STRUCTURAL, SEMANTIC))
    PAGE.write_text(page(structural, semantic, code_table()), encoding="utf-8")
    print(f"{total('structural', structural)}; {total('semantic', semantic)}.")


def remember() -> None:
    """Keep what pure functions gave: most of a mutant is as it was before."""
    for module, name in ((ledger, "detect"), (yaml_reader, "parse")):
        vars(module)[name] = lru_cache(maxsize=64)(vars(module)[name])


def typed(mutant: Mutant) -> str:
    """Return the file of a mutant as YAML, which JSON is."""
    return json.dumps(mutant.content, ensure_ascii=False)


def codes(root: Path, mutant: Mutant) -> tuple[str, ...]:
    """Return the codes of what `check` finds in a mutant of the annotations below a folder."""
    with TemporaryDirectory() as folder:
        changed = Path(folder, "mutant.yaml")
        changed.write_text(typed(mutant), encoding="utf-8")
        corpus = CorpusReader(Tree(root, {mutant.file: changed}))
        return tuple(sorted({finding.code for finding in pipeline.run(corpus, Options(tables=False)).findings}))


class Grade(NamedTuple):
    """What became of the mutants of one operator."""

    operator: Operator
    mutants: int
    codes: Counter[str]
    survivors: list[Mutant]

    @property
    def killed(self) -> int:
        """How many were found."""
        return self.mutants - len(self.survivors)


def graded(operator: Operator, project: Sequence[SourceFile], found: Iterable[tuple[str, ...]]) -> Grade:
    """Return what became of the mutants of an operator, of which each has the codes that were found."""
    mutants = [*zip(operator(project), found, strict=True)]
    survivors = [mutant for mutant, codes_ in mutants if not codes_]
    return Grade(operator, len(mutants), Counter(code for _, codes_ in mutants for code in codes_), survivors)


# ---- the page ----------------------------------------------------------------------------------------------

INTRODUCTION = """\
# The grade of the checks

How much of what can go wrong in an annotation `defectors-data check` finds, measured by mutation: the real annotations
are damaged in one place at a time, by every operator below, and checked like any others. A mutant with a finding is
killed. `make grade` measures again and writes this page. An operator gives every mutant it can, none is chosen.
Survivors are named by record, with the change where all should have died, and never by words.
"""
WORDS = {
    "structural": "Damage to what a program can prove: places, marks, numbers, ids, references. All has to be found.",
    "semantic": "Damage to what only a reader can judge in full. The rate is what the checks see; none is asked for.",
}
CODE_WORDS = """\
`make grade-code` changes the program itself, one expression at a time, and runs the tests on each change: a mutant that
no test notices survives. A timeout counts as killed: the change made the program run on for ever. A line is as of the
day that its part was measured, and code may have come to it since.
"""


def page(structural: Sequence[Grade], semantic: Sequence[Grade], code: str) -> str:
    """Return docs/developers/grade.md."""
    parts = [INTRODUCTION]
    for kind, grades in (("structural", structural), ("semantic", semantic)):
        parts += [f"## {kind.capitalize()} operators\n", f"{WORDS[kind]}\n", f"{total(kind, grades)}.\n", table(grades)]
        parts += [f"\n### Survivors of the {kind} operators\n", survivors(grades, changes=kind == "structural")]
    return "\n".join([*parts, "## Mutants of the code\n", CODE_WORDS, code])


def title(operator: Operator) -> str:
    """Return an operator's name in words."""
    return operator.__name__.replace("_", " ")


def paragraphs(operator: Operator) -> list[str]:
    """Return the paragraphs of an operator's docstring."""
    return [" ".join(part.split()) for part in (operator.__doc__ or "").split("\n\n")]


def total(kind: str, grades: Sequence[Grade]) -> str:
    """Return how many of a kind were killed, in words."""
    return f"{sum(g.killed for g in grades):,} of {sum(g.mutants for g in grades):,} {kind} mutants were killed"


def table(grades: Sequence[Grade]) -> str:
    """Return the operators with their mutants, kills, rate, and the codes that killed."""
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
    """Return who survived, by operator and record, and why such a mutant can; each with its change, or counted."""
    parts = []
    for grade in grades:
        if grade.survivors:
            _, why = [*paragraphs(grade.operator), "A hole: no rule of the checks sees it."][:2]
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
    told = f" ({', '.join(said)})" if changes and any(said) else count
    return f"`{name}`{told}"


def code_table() -> str:
    """Return the figures of the last run of `make grade-code`."""
    if not CODE.exists():
        return "Not measured yet.\n"
    with CODE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    keys = ("mutants", "killed", "timeouts", "survived")
    cells = [(f"`{row['module']}`", *(row[key] for key in keys), f"{noticed(row):.1f} %") for row in rows]
    return readme.markdown(["module", *keys, "rate"], cells) + "\n"


def noticed(row: dict[str, str]) -> float:
    """Return the percentage of a module's mutants that a test noticed."""
    return 100 * (int(row["killed"]) + int(row["timeouts"])) / int(row["mutants"])


if __name__ == "__main__":
    main()
