"""For `make grade-code`: the rules on every case of `tests/findings/`, in one test and on documents that are read once.

mutmut runs the tests as they are and then, in a fork of that process, for each mutant: no rule changes what reading and
anchoring gave, so all runs use what the first one read and anchored. The cases of the rule that is mutated come first,
then those of its module: most mutants need no more.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from functools import cache, cached_property, partial
from pathlib import Path
from typing import NamedTuple

import pytest

import finding_cases
from conftest import INVENTED
from defectors_data import pipeline
from defectors_data.corpus import findings, reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.file_with_places import ProjectFile
from defectors_data.corpus.reader import Batch, CorpusReader, ParsedDocument, RawDocument, read_document
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.annotation import Annotations
from defectors_data.pipeline import Options, RunResult
from defectors_data.rules import RULES


class KeptCorpus(CorpusReader):
    """A corpus of which batches are read once, with its documents by the file that was read."""

    kept: list[Batch] | None = None

    @cached_property
    def documents(self) -> dict[int, Document]:
        return {}

    def batches(self, size: int = 0) -> Iterator[Batch]:
        if self.kept is None:
            self.kept = list(super().batches(size or 256))
        return iter(self.kept)


class Case(NamedTuple):
    """A fault's code, the corpus that has it, and what is said of it."""

    code: str
    corpus: KeptCorpus
    expected: str


FOLDER = tempfile.TemporaryDirectory()


def written() -> Iterator[tuple[str, finding_cases.Files, str]]:
    """Return the code, the files and the expected words of every case, and the invented corpus, which has no fault."""
    for code in finding_cases.CODES:
        expected = (finding_cases.FOLDER / code / "expected.txt").read_text(encoding="utf-8")
        yield code, finding_cases.case(code, "fault"), expected
        yield code, finding_cases.case(code, "quiet"), ""
    for path in finding_cases.FACTS.values():
        files, _, expected = finding_cases.fact(path)
        yield path.parent.name, files, expected
    paths = [INVENTED / "dataset.yaml", *INVENTED.glob("*/*")]
    yield "", {str(path.relative_to(INVENTED)): path.read_bytes() for path in paths}, ""


@cache
def cases() -> tuple[Case, ...]:
    """Return every case in which the corpus can be read."""
    found = []
    for number, (code, files, expected) in enumerate(written()):
        root = finding_cases.lay(files, Path(FOLDER.name) / str(number))
        found.append(Case(code, KeptCorpus(FileTree(root)), expected))
    return tuple(case for case in found if checked(case.corpus).context)


def _document(
    kept: dict[int, Document], file: ProjectFile[Annotations], text: str, seed: str, context: Context
) -> Document:
    """Return the document of a file that was read, anchored as in the first run, and without what rules computed.

    Two corpora may have one file, read once, with other facts about the dataset: each has its documents.
    """
    document = kept.setdefault(id(file), Document(file, text, seed, context))
    document.memo.clear()
    document.borrowed, document.faulty = None, set()
    vars(document).pop("figures_by_id", None)  # depends on what is borrowed
    return document


_reads: dict[tuple[RawDocument, Path], ParsedDocument] = {}


def _read(raw: RawDocument, tree: FileTree) -> ParsedDocument:
    if (raw, tree.root) not in _reads:
        _reads[raw, tree.root] = read_document(raw, tree)
    return _reads[raw, tree.root]


def checked(corpus: KeptCorpus) -> RunResult:
    """Apply the rules to a corpus, which is read and anchored in the first run only."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipeline, "Document", partial(_document, corpus.documents))
        patched.setattr(reader, "read_document", _read)
        return pipeline.run(corpus, Options(tables=False))


def nearness(code: str) -> int:
    """Return how far a fault is from the function under mutation: its own, of its module, or of another."""
    module, _, mutant = os.environ.get("MUTANT_UNDER_TEST", "").rpartition(".")
    function = re.match(r"x_(\w+)__mutmut", mutant)
    if function and function[1].replace("_", "-") == code:
        return 0
    modules = {rule.code: rule.function.__module__ for rule in RULES}
    return 1 if modules.get(code) == module else 2


def test_every_case_is_reported_to_the_letter() -> None:
    for case in sorted(cases(), key=lambda case: nearness(case.code)):
        said = "".join(findings.text(finding) + "\n" for finding in checked(case.corpus).findings)
        assert said == case.expected, case.code


def test_the_cases_are_many() -> None:
    assert len(cases()) > len(RULES) * 2


def test_every_rule_has_found_what_it_reports() -> None:
    for case in cases()[::20]:
        of_run = checked(case.corpus)
        codes = [finding.code for finding in of_run.findings]
        assert [rule.findings or 0 for rule in of_run.rules] == [codes.count(rule.rule) for rule in of_run.rules]
