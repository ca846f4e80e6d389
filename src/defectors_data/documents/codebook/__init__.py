"""The codebook: its rules with examples, and the keys, values and terms of records.

The text is `codebook.md`, in which comments such as `<!-- K -->` are replaced with generated parts. The codebook is
published with the data and in the docs. It names no finding, so that a new finding changes no published file; the page
of findings names the rules of the codebook.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import fill, indent

from defectors_data.documents.codebook import record_keys
from defectors_data.documents.codebook.guidelines import CodebookRule, rules, rules_of_finding
from defectors_data.models import closed_vocabularies
from defectors_data.models.project import Vocabulary

__all__ = ["CodebookRule", "codebook", "explanation", "rules", "rules_of_finding"]


def codebook(vocabulary: Vocabulary) -> bytes:
    """Return the codebook in Markdown, with the terms of a corpus first."""
    parts = {
        "records": record_keys.records(),
        "closed-vocabularies": record_keys.permitted_values(),
        "open-vocabularies": record_keys.open_vocabularies(vocabulary),
        "standard-notes": record_keys.standard_notes(closed_vocabularies.STANDARD_NOTES),
        "comparison-notes": record_keys.standard_notes(closed_vocabularies.COMPARISON_NOTES),
        "relation-notes": record_keys.standard_notes(closed_vocabularies.RELATION_NOTES),
    }
    for letter in dict.fromkeys(rule.section for rule in rules()):
        sections = [_section(rule) for rule in rules() if rule.section == letter]
        parts[letter] = "\n\n".join(sections)
    template = Path(__file__).with_name("codebook.md").read_text(encoding="utf-8")
    # `str.format` would fail on the braces of YAML in the template.
    return re.sub(r"<!-- ([a-zA-Z-]+) -->", lambda mark: parts[mark[1]], template).encode()


def _section(rule: CodebookRule) -> str:
    """Return a rule with an example and a counter-example; of the latter, only the lines that differ."""
    parts = [f"### {rule.rule}", rule.says]
    if rule.article:
        parts.append(f"> {rule.article}")
    parts.append(f"```yaml\n{rule.passes}```")
    parts.append(f"Not:\n\n```yaml\n{_counter_example(rule)}```")
    return "\n\n".join(parts)


def _counter_example(rule: CodebookRule) -> str:
    """Return the lines of a rule's counter-example that its example does not have, or all if there are none."""
    right = rule.passes.splitlines(keepends=True)
    lines = rule.fails.splitlines(keepends=True)
    wrong = [line for line in lines if line not in right]
    return "".join(wrong or lines)


def explanation(code: str) -> str:
    """Return the rules of the codebook that a finding enforces, each with an example and a counter-example."""
    parts = []
    for rule in rules():
        if code in rule.enforced_by:
            example = indent(rule.passes, "    ")
            counter_example = indent(_counter_example(rule), "    ")
            says = fill(" ".join(rule.says.split()), width=100)
            parts.append(f"Codebook {rule.rule}: {says}\n\n{example}\n  Not:\n\n{counter_example}")
    return "\n".join(parts)
