"""The codebook: what counts as a record, rule by rule, with examples; and the keys and values of the records.

Its prose is `codebook.md`, in which a comment `<!-- name -->` stands where something is made: rules by their letter,
tables of keys and values from the models, terms from the vocabulary. It is published with the data, and stands among
the docs, there with links to the findings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from defectors_data.documents.codebook import keys
from defectors_data.documents.codebook.rules import Rule, held_by, rules
from defectors_data.documents.readme import markdown
from defectors_data.models.project import Vocabulary

__all__ = ["Rule", "codebook", "held_by", "rules"]

_MADE = re.compile(r"<!-- ([a-zA-Z-]+) -->")


def codebook(vocabulary: Vocabulary, sentences: Mapping[str, str], *, findings: str = "") -> bytes:
    """Return the codebook, in Markdown.

    `sentences` gives the rule of each finding by its code; `findings` is the page that the codes lead to, if any.
    """
    made = {
        "records": keys.records(),
        "closed-vocabularies": keys.closed_vocabularies(),
        "open-vocabularies": keys.open_vocabularies(vocabulary),
        "standard-notes": keys.standard_notes(),
        "findings": _found(sentences, findings),
    }
    for letter in dict.fromkeys(rule.section for rule in rules()):
        made[letter] = "\n\n".join(_rule(rule, findings) for rule in rules() if rule.section == letter)
    template = Path(__file__).with_name("codebook.md").read_text(encoding="utf-8")
    return _MADE.sub(lambda mark: made[mark[1]], template).encode()


def _rule(rule: Rule, findings: str) -> str:
    """Return a rule with what holds it and its two examples."""
    held = ", ".join(_linked(code, findings) for code in rule.enforced_by)
    fails = f"Fails, {_linked(rule.finds, findings)}:" if rule.finds else "Fails, though no program finds it:"
    return "\n\n".join(
        [
            f"### {rule.rule}",
            rule.says,
            f"Held by {held}." if held and rule.finds else "Judged by reading.",
            *([f"> {rule.article}"] if rule.article else []),
            f"Passes:\n\n```yaml\n{rule.passes}```",
            f"{fails}\n\n```yaml\n{rule.fails}```",
        ]
    )


def _linked(code: str, findings: str) -> str:
    return f"[`{code}`]({findings}#{code})" if findings else f"`{code}`"


def _found(sentences: Mapping[str, str], findings: str) -> str:
    """Return the code of every finding with its rule, and the rules of the codebook that it holds."""
    rows = [
        (
            _linked(code, findings),
            sentence,
            ", ".join(f"[{r}](#{r.lower()})" for r in held_by(code)),
        )
        for code, sentence in sentences.items()
    ]
    return markdown(["finding", "what it holds", "rules"], rows)
