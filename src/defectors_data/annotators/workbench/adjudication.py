"""The differences between two readings of an article, and the decisions on them.

A decision is a line of `annotations/readings/SEED.decisions.md`. Nothing is decided by the program,
and the records are corrected by the person who decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from defectors_data.annotators.workbench.record_fields import RequestError
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader, text_of
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.package import atomic_publication
from defectors_data.rows import agreement, readings
from defectors_data.rows.agreement import Disagreement

_LONGEST = 80
"""Maximum number of characters of the words that a decision quotes."""


class Difference(NamedTuple):
    """A difference between two readings, as the page shows it."""

    number: int
    found: Disagreement
    context: str
    """The line of the article."""
    meanings: tuple[str, str]
    """The meanings of both values, if they are of a closed vocabulary."""
    decision: str
    """The decision with its reason; "" if there is none yet."""


class ReadingPair(NamedTuple):
    """Two readings of the articles of a project."""

    root: Path
    first: str
    second: str

    def stems(self) -> list[str]:
        """Return the stems of the seeds that have both readings."""
        files = readings.files_of_readings(CorpusReader(FileTree(self.root)))
        return sorted(files.get(self.first, {}).keys() & files.get(self.second, {}).keys())

    def differences(self, stem: str) -> list[Difference]:
        """Return the differences of an article, in its order.

        Raises:
            RequestError: the article does not have both readings, or one of them has a finding.
        """
        compared = agreement.report(self.root, self.first, self.second)
        if stem not in compared.disagreements:
            problem = "The article does not have both readings"
            if compared.findings:
                finding = compared.findings[0]
                problem = f"{finding.place.file}:{finding.place.line}: {finding.message}"
            raise RequestError(problem)
        text, _ = text_of(self.root, f"seeds/{stem}.txt")
        lines = (text or "").split("\n")
        decided = self._decided(stem)
        found = []
        for number, each in enumerate(compared.disagreements[stem], start=1):
            context = ""
            if each.line <= len(lines):
                context = lines[each.line - 1]
            one, other = each.values
            meanings = (_meaning(each.code, one), _meaning(each.code, other))
            decision = decided.get(self._difference_line(each), "")
            found.append(Difference(number, each, context, meanings, decision))
        return found

    def decide(self, stem: str, number: int, choice: str, reason: str) -> str:
        """Write a decision to the page of decisions; return the line.

        Raises:
            RequestError: there is no such difference, or the decision lacks a choice or a reason.
        """
        differences = self.differences(stem)
        if not 1 <= number <= len(differences):
            raise RequestError("There is no such difference.")
        if choice not in (self.first, self.second, "other"):
            raise RequestError("Choose one of the readings, or another value.")
        if not reason:
            raise RequestError("Give the reason in a few words.")
        beginning = self._difference_line(differences[number - 1].found)
        line = f"{beginning}{choice}. {' '.join(reason.split())}"
        file = self._file(stem)
        before = f"# Decisions on the readings of {stem}\n\n"
        if file.is_file():
            before = file.read_text(encoding="utf-8").rstrip("\n") + "\n"
        kept = [each for each in before.split("\n") if not each.startswith(beginning)]
        atomic_publication.replace(file, "\n".join([*kept[:-1], line, ""]).encode())
        return line

    def _file(self, stem: str) -> Path:
        folder = PurePosixPath(readings.file_of(stem, self.first)).parent
        return self.root / folder / f"{stem}.decisions.md"

    def _decided(self, stem: str) -> Mapping[str, str]:
        """Return the decisions by the beginning of their lines."""
        file, found = self._file(stem), {}
        for line in file.read_text(encoding="utf-8").split("\n") if file.is_file() else ():
            beginning, mark, decision = line.partition(_DECIDED)
            if mark:
                found[beginning + mark] = decision
        return found

    def _difference_line(self, each: Disagreement) -> str:
        """Return the beginning of the line of a decision, which identifies the difference."""
        words = " ".join((each.words[0] or each.words[1]).split())
        # A takedown finds removed words between quotation marks, which must not be nested.
        words = re.split('["“”]', words)[0].strip()
        quoted = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
        first, second = (PurePosixPath(name).name for name in (self.first, self.second))
        values = f"{first} {each.values[0]}, {second} {each.values[1]}"
        return f"- Line {each.line}, {each.kind}.{each.code}, “{quoted}”: {values}. {_DECIDED}"


_DECIDED = "Decided: "


def _meaning(code: str, value: str) -> str:
    """Return the meaning of a value of the closed vocabulary of a code, or ""."""
    name = "".join(word.capitalize() for word in code.split("_"))
    return MEANINGS.get(name, {}).get(value, "")
