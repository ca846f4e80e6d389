"""The rules that annotators follow, each with an example that passes and one that fails.

They are in `rules.yaml`. The examples are changes to the invented corpus of the tests, which apply
and check them; this module does not read that corpus.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict

from defectors_data.corpus import yaml_reader
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rules.engine import RULES


def _with_line_break(text: str) -> str:
    return f"{text.rstrip()}\n" if text else ""


Lines: TypeAlias = Annotated[str, AfterValidator(_with_line_break)]
"""Lines of YAML that end with exactly one line break, or ""."""


class ExampleChange(BaseModel):
    """A change to `file` that both examples of a rule require.

    `new` replaces `old`, or `write` replaces the text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    old: str = ""
    new: str = ""
    write: str = ""


class CodebookRule(BaseModel):
    """A rule of the codebook. The comment at the top of `rules.yaml` explains the keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    says: str
    only_with: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    file: str = "annotations/900_example.yaml"
    article: str = ""
    given: tuple[ExampleChange, ...] = ()
    adds: bool = False
    instead: Lines = ""
    passes: Lines
    fails: Lines
    finds: str = ""

    @property
    def enforced_by(self) -> tuple[str, ...]:
        """The codes of the findings that enforce the rule."""
        enforcing = (each.code for each in RULES if self.rule in each.codebook)
        # Several functions may share a code, which is listed once.
        return tuple(dict.fromkeys((*self.findings, *enforcing)))

    @property
    def section(self) -> str:
        """The letter of the rule's section, with which the number of the rule begins."""
        return self.rule[0]


def rules_of_package(tables: PackageTables) -> list[CodebookRule]:
    """Return the rules without those on tables and columns that a package does not have."""
    there = set(tables.names)
    for name in tables.names:
        there.update(f"{name}.{column}" for column in tables.column_names(name))
    return [rule for rule in rules() if not rule.only_with or there.intersection(rule.only_with)]


@cache
def rules() -> tuple[CodebookRule, ...]:
    """Return the rules in the order of the codebook."""
    path = Path(__file__).with_name("rules.yaml")
    # Read in the same way as annotations, so that an example means the same here as in a file.
    content = yaml_reader.parse(path.read_text(encoding="utf-8"), file=path.name).value
    return tuple(CodebookRule.model_validate(rule) for rule in content)


def rules_of_finding(code: str) -> tuple[str, ...]:
    """Return the numbers of the rules that a finding enforces."""
    return tuple(rule.rule for rule in rules() if code in rule.enforced_by)
