"""The registry of rules: what a rule is written as, what it looks at, and when it is applied.

A rule is a function; its name is the code of its findings and its docstring the published rule. None prints, none
changes anything, none needs another to have run; the mere consequence of another fault is not reported. A message
repeats nothing that was typed about a protected person: it names the field and gives the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.findings import Finding

Scope: TypeAlias = Literal["document", "corpus"]
Function: TypeAlias = Callable[..., Iterator[Finding]]


class Rule(NamedTuple):
    """A registered rule."""

    code: str
    """The code of its findings."""
    function: Function
    on: str
    """What it looks at: a key of `things.THINGS`; of a rule across documents, a kind of key of the corpus index."""
    scope: Scope
    waits: bool
    """Whether it is applied only while nothing else is wrong, so that one fault is reported once."""
    unique_ids: bool
    """Whether it is applied only to documents in which no id is given twice, as it looks records up by their ids."""
    codebook: tuple[str, ...]
    """The numbers of the rules of the codebook that it enforces."""

    @property
    def sentence(self) -> str:
        """The published rule."""
        return " ".join((self.function.__doc__ or "").split())


RULES: list[Rule] = []
"""Every rule, in the order in which the modules define them; one code may have a function for each scope."""


def rule(
    *,
    on: str,
    scope: Scope = "document",
    waits: bool = False,
    unique_ids: bool = False,
    code: str | None = None,
    codebook: str | tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Register a function as a rule.

    A rule on a document is called with the document, and path and value of each thing that it is `on`. A rule across
    documents is called once, with the corpus (`rules.index`). A second function that reports under the `code` of
    another is part of that rule, whose docstring is published. `codebook` gives the numbers of the rules of the
    codebook that it enforces.
    """

    def register(function: Function) -> Function:
        numbers = (codebook,) if isinstance(codebook, str) else codebook
        RULES.append(Rule(code or function.__name__.replace("_", "-"), function, on, scope, waits, unique_ids, numbers))
        return function

    return register
