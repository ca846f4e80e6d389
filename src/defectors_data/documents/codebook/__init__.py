"""The codebook: its rules with examples, and the keys, values and terms of records.

The text is `codebook.md`, in which comments such as `<!-- K -->` are replaced with generated parts. The codebook is
published with the data and in the docs. Only the docs name the findings that enforce each rule, so that a new finding
changes no published file.
"""

from __future__ import annotations

import re
from pathlib import Path

from defectors_data.documents.codebook import record_keys
from defectors_data.documents.codebook.guidelines import CodebookRule, rules, rules_of_finding
from defectors_data.models import closed_vocabularies
from defectors_data.models.project import Vocabulary

__all__ = ["CodebookRule", "codebook", "rules", "rules_of_finding"]


def codebook(vocabulary: Vocabulary, *, findings: str = "") -> bytes:
    """Return the codebook in Markdown.

    Args:
        vocabulary: The open vocabularies.
        findings: The page with a heading for each finding, to which each rule links; "" to name no findings.
    """
    parts = {
        "records": record_keys.records(),
        "closed-vocabularies": record_keys.permitted_values(),
        "open-vocabularies": record_keys.open_vocabularies(vocabulary),
        "standard-notes": record_keys.standard_notes(closed_vocabularies.STANDARD_NOTES),
        "comparison-notes": record_keys.standard_notes(closed_vocabularies.COMPARISON_NOTES),
        "relation-notes": record_keys.standard_notes(closed_vocabularies.RELATION_NOTES),
    }
    for letter in dict.fromkeys(rule.section for rule in rules()):
        parts[letter] = "\n\n".join(_section(rule, findings) for rule in rules() if rule.section == letter)
    template = Path(__file__).with_name("codebook.md").read_text(encoding="utf-8")
    # `str.format` would fail on the braces of YAML in the template.
    return re.sub(r"<!-- ([a-zA-Z-]+) -->", lambda mark: parts[mark[1]], template).encode()


def _section(rule: CodebookRule, findings: str) -> str:
    """Return a rule with its two examples and, if there is a page of findings, links to those that enforce it."""
    parts = [f"### {rule.rule}", rule.says]
    if findings:
        parts.append(_checked_by(rule, findings))
    if rule.article:
        parts.append(f"> {rule.article}")
    fails = "Fails:"
    if findings and rule.finds:
        fails = f"Fails with {_linked(rule.finds, findings)}:"
    parts.append(f"Passes:\n\n```yaml\n{rule.passes}```")
    parts.append(f"{fails}\n\n```yaml\n{rule.fails}```")
    return "\n\n".join(parts)


def _checked_by(rule: CodebookRule, findings: str) -> str:
    codes = [_linked(code, findings) for code in rule.enforced_by]
    return f"Checked by {', '.join(codes)}." if codes else "No program checks this rule."


def _linked(code: str, findings: str) -> str:
    return f"[`{code}`]({findings}#{code})"
