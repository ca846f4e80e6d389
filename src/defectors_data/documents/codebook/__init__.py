"""The codebook: its rules with examples, and the keys, values and terms of records.

The text is `codebook.md`, in which comments such as `<!-- K -->` are replaced with generated parts.
The codebook is an export, and a page of the docs. It names no finding; the page of findings names
the rules of the codebook.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from textwrap import fill, indent

from defectors_data.documents.codebook import record_keys
from defectors_data.documents.codebook.guidelines import (
    CodebookRule,
    rules,
    rules_of_finding,
    rules_of_package,
)
from defectors_data.models import closed_vocabularies
from defectors_data.models.project import CodeExample
from defectors_data.package.tables_reader import PackageTables

__all__ = ["CodebookRule", "codebook", "explanation", "rules", "rules_of_finding"]


def codebook(tables: PackageTables | None = None, examples: Sequence[CodeExample] = ()) -> bytes:
    """Return the codebook in Markdown.

    The terms of a package come first, if one is given, with examples of codes from its testimonies.
    Rules and values of columns that it lacks are left out.
    """
    terms, shown_rules = _IN_VOCABULARY, [*rules()]
    if tables:
        shown_rules = rules_of_package(tables)
        terms = record_keys.open_vocabularies(tables)
        shown = record_keys.examples_of_codes(tables, examples)
        terms = f"{terms}\n\n{shown}".strip()
    parts = {
        "records": record_keys.records(shown_rules, tables),
        "closed-vocabularies": record_keys.permitted_values(tables),
        "open-vocabularies": terms,
        "standard-notes": record_keys.standard_notes(closed_vocabularies.STANDARD_NOTES),
        "comparison-notes": record_keys.standard_notes(closed_vocabularies.COMPARISON_NOTES),
        "C": "This package has none of the columns for which there are rules.",
        "relation-notes": record_keys.standard_notes(closed_vocabularies.RELATION_NOTES),
    }
    for letter, of_section in groupby(shown_rules, key=attrgetter("section")):
        parts[letter] = "\n\n".join(_section(rule) for rule in of_section)
    template = Path(__file__).with_name("codebook.md").read_text(encoding="utf-8")
    # `str.format` would fail on the braces of YAML in the template.
    return re.sub(r"<!-- ([a-zA-Z-]+) -->", lambda mark: parts[mark[1]], template).encode()


_IN_VOCABULARY = (
    "The terms are in `annotations/vocabulary.yaml`, and in the table `terms` of the package."
)


def _section(rule: CodebookRule) -> str:
    """Return a rule with an example and a counter-example, in one line or in one block of YAML."""
    parts = [f"### {rule.rule}", rule.says]
    if rule.article:
        parts.append(f"> {rule.article}")
    example, counter_example = _examples(rule)
    is_short = "\n" not in example + counter_example
    if is_short and counter_example:
        parts.append(f"`{example}`, not `{counter_example}`.")
    else:
        parts.append(f"```yaml\n{_block(rule)}\n```")
    return "\n\n".join(parts)


def explanation(code: str) -> str:
    """Return the rules of the codebook that a finding enforces, with their examples."""
    parts = []
    for rule in rules():
        if code in rule.enforced_by:
            says = fill(f"Codebook {rule.rule}: {rule.says}", width=100)
            quoted = f"> {rule.article}\n\n" if rule.article else ""
            example = indent(f"{quoted}{_block(rule)}", "    ")
            parts.append(f"{says}\n\n{example}\n")
    return "\n".join(parts)


def _block(rule: CodebookRule) -> str:
    """Return the example and the counter-example of a rule as YAML."""
    example, counter_example = _examples(rule)
    if not counter_example:
        return f"{example}\n# Not without these lines."
    return f"{example}\n# Not:\n{counter_example}"


def _examples(rule: CodebookRule) -> tuple[str, str]:
    """Return the lines in which the example and the counter-example of a rule differ."""
    example = _differing(rule.passes, rule.fails)
    counter_example = _differing(rule.fails, rule.passes)
    if example:
        return example, counter_example
    # The counter-example has more lines, or the same lines in another order.
    return rule.passes.rstrip(), counter_example or rule.fails.rstrip()


def _differing(example: str, other: str) -> str:
    """Return the lines that only one example has, and the lines above that contain them."""
    lines = example.splitlines()
    others = other.splitlines()
    shown: set[int] = set()
    for number, line in enumerate(lines):
        if line not in others:
            shown |= {number, *_ancestors(lines, number)}
    return "\n".join(lines[number] for number in sorted(shown))


def _ancestors(lines: list[str], number: int) -> list[int]:
    """Return the numbers of the lines whose mapping or list contains a line of YAML."""
    found = []
    margin = _margin(lines[number])
    for above in range(number - 1, -1, -1):
        if _margin(lines[above]) < margin:
            margin = _margin(lines[above])
            found.append(above)
    return found


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
