"""The codebook: its rules with examples, and the keys, values and terms of records.

The text is `codebook.md`, in which comments such as `<!-- K -->` are replaced with generated parts. The codebook is
published with the data and in the docs. It names no finding, so that a new finding changes no published file; the page
of findings names the rules of the codebook.
"""

from __future__ import annotations

import re
from pathlib import Path

from defectors_data.documents.codebook import record_keys
from defectors_data.documents.codebook.guidelines import CodebookRule, rules, rules_of_finding
from defectors_data.models import closed_vocabularies
from defectors_data.models.project import Vocabulary

__all__ = ["CodebookRule", "codebook", "rules", "rules_of_finding"]


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
    right = rule.passes.splitlines()
    wrong = [line for line in rule.fails.splitlines() if line not in right] or rule.fails.splitlines()
    lines = "\n".join(wrong)
    parts.append(f"Not:\n\n```yaml\n{lines}\n```")
    return "\n\n".join(parts)
