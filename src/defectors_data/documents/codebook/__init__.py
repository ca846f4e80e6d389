"""The codebook: its rules with examples, and the keys, values and terms of records.

The text is `codebook.md`, in which comments such as `<!-- K -->` are replaced with generated parts. The codebook is
published with the data and in the docs, where it links to the findings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from defectors_data.documents.codebook import record_keys
from defectors_data.documents.codebook.guidelines import CodebookRule, rules, rules_of_finding
from defectors_data.documents.readme import markdown
from defectors_data.models import closed_vocabularies
from defectors_data.models.project import Vocabulary

__all__ = ["CodebookRule", "codebook", "rules", "rules_of_finding"]


def codebook(vocabulary: Vocabulary, sentences: Mapping[str, str], *, findings: str = "") -> bytes:
    """Return the codebook in Markdown.

    Args:
        vocabulary: The open vocabularies.
        sentences: The rule of each finding, by code.
        findings: The page with a heading for each finding, to which the codebook links; "" for no links.
    """
    parts = {
        "records": record_keys.records(),
        "closed-vocabularies": record_keys.permitted_values(),
        "open-vocabularies": record_keys.open_vocabularies(vocabulary),
        "standard-notes": record_keys.standard_notes(closed_vocabularies.STANDARD_NOTES),
        "comparison-notes": record_keys.standard_notes(closed_vocabularies.COMPARISON_NOTES),
        "relation-notes": record_keys.standard_notes(closed_vocabularies.RELATION_NOTES),
        "findings": _findings_table(sentences, findings),
    }
    for letter in dict.fromkeys(rule.section for rule in rules()):
        parts[letter] = "\n\n".join(_section(rule, findings) for rule in rules() if rule.section == letter)
    template = Path(__file__).with_name("codebook.md").read_text(encoding="utf-8")
    # `str.format` would fail on the braces of YAML in the template.
    return re.sub(r"<!-- ([a-zA-Z-]+) -->", lambda mark: parts[mark[1]], template).encode()


def _section(rule: CodebookRule, findings: str) -> str:
    """Return a rule with the findings that enforce it and its two examples."""
    checked, fails = "No program checks this rule.", "Fails, but is not found by a program:"
    if rule.finds:
        checked = f"Checked by {', '.join(_linked(code, findings) for code in rule.enforced_by)}."
        fails = f"Fails with {_linked(rule.finds, findings)}:"
    return "\n\n".join(
        [
            f"### {rule.rule}",
            rule.says,
            checked,
            *([f"> {rule.article}"] if rule.article else []),
            f"Passes:\n\n```yaml\n{rule.passes}```",
            f"{fails}\n\n```yaml\n{rule.fails}```",
        ]
    )


def _linked(code: str, findings: str) -> str:
    return f"[`{code}`]({findings}#{code})" if findings else f"`{code}`"


def _findings_table(sentences: Mapping[str, str], findings: str) -> str:
    rows = []
    for code, sentence in sentences.items():
        numbers = ", ".join(f"[{number}](#{number.lower()})" for number in rules_of_finding(code))
        rows.append((_linked(code, findings), sentence, numbers))
    return markdown(["finding", "rule", "in the codebook"], rows)
