"""The rules that annotators follow, each with an example that keeps it and one that breaks it.

They stand in `rules.yaml`. The examples are changes to the invented corpus of the tests, which make them and look at
what is found; nothing here reads that corpus.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict

from defectors_data.corpus import yaml_reader
from defectors_data.rules.engine import RULES

Lines: TypeAlias = Annotated[str, AfterValidator(lambda text: f"{text.rstrip()}\n" if text else "")]
"""Whole lines of YAML, the last one with its end."""


class Change(BaseModel):
    """What is changed for both examples of a rule: words in a file, or a whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    old: str = ""
    new: str = ""
    write: str = ""


class Rule(BaseModel):
    """A rule of the codebook; the head of `rules.yaml` says what each key is for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    says: str
    findings: tuple[str, ...] = ()
    file: str = "annotations/900_example.yaml"
    article: str = ""
    given: tuple[Change, ...] = ()
    adds: bool = False
    instead: Lines = ""
    passes: Lines
    fails: Lines
    finds: str = ""

    @property
    def enforced_by(self) -> tuple[str, ...]:
        """The codes of the findings that enforce it: those of reading, and those of the rules that name it."""
        return (*self.findings, *(each.code for each in RULES if self.rule in each.codebook))

    @property
    def section(self) -> str:
        """The part of the codebook that the rule belongs to: the letter of its number."""
        return self.rule[0]


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, in the order of the codebook."""
    path = Path(__file__).with_name("rules.yaml")
    written = yaml_reader.parse(path.read_text(encoding="utf-8"), file=path.name).value
    return tuple(Rule.model_validate(rule) for rule in written)


def held_by(code: str) -> tuple[str, ...]:
    """Return the numbers of the rules that the findings of a code hold."""
    return tuple(rule.rule for rule in rules() if code in rule.enforced_by)
