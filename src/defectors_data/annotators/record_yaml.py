"""Proposed records as YAML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from defectors_data.corpus.yaml_reader import in_yaml, scalar
from defectors_data.edits import evidence_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.annotation import Figure, Mention, Testimony, Waiver
from defectors_data.models.fields import Record

if TYPE_CHECKING:
    from defectors_data.annotators.proposals.proposal import Proposal

MODELS: Mapping[str, type[Record]] = MappingProxyType(
    {"testimonies": Testimony, "figures": Figure, "mentions": Mention, "waivers": Waiver}
)
"""The models of the records that can be proposed, by table."""


def record_values(
    document: Document, proposal: Proposal, name: str, *, draft: bool = False
) -> dict[str, str]:
    """Return a record's values as YAML, by key: the id first, then in the order of the model."""
    given = _with_attribution(document, proposal)
    values = {key: value_in_yaml(key, value) for key, value in given.items() if value}
    is_direct = values.get("mode") == "direct"
    values["evidence"] = evidence_yaml.evidence(document, proposal.spans, direct=is_direct)
    if draft:
        values["draft"] = "true"
    ordered = {key: values[key] for key in MODELS[proposal.table].model_fields if key in values}
    return {"id": name, **ordered}


def _with_attribution(document: Document, proposal: Proposal) -> dict[str, str]:
    """Return values in which the attribution of a testimony is one value, in YAML."""
    given = dict(proposal.values)
    words, antecedent = given.pop("attribution", ""), given.pop("antecedent", "")
    continues = given.pop("continues", "")
    if continues and not words:
        given["attribution"] = f"{{continues: {continues}}}"
    if words:
        typed, about = in_yaml(words), "true" * (given.get("mode") == "narrated")
        if proposal.attribution:
            typed = evidence_yaml.next_to(document, proposal.attribution, proposal.spans)
        given["attribution"] = attribution_yaml(typed, antecedent=antecedent, about=about)
    return given


def attribution_yaml(words: str, **led: str) -> str:
    """Return an attribution in YAML: its words, as they are typed, or a mapping with the keys that are
    not "", such as its antecedent.
    """
    others = [f", {key}: {value}" for key, value in led.items() if value]
    return f"{{words: {words}{''.join(others)}}}" if others else words


def value_in_yaml(key: str, value: str) -> str:
    """Return the value of a key as YAML; themes are separated by commas or semicolons."""
    if key in ("attribution", "attested_by"):
        return value
    if key == "themes":
        return f"[{', '.join(scalar(theme) for theme in themes_in(value))}]"
    return scalar(value)


def themes_in(value: str) -> list[str]:
    """Return the themes in a text."""
    return re.findall(r"[^,;\s]+", value)


def record_yaml(document: Document, proposal: Proposal, name: str, *, draft: bool = False) -> str:
    """Return a record as YAML without the dash of an item, with comments on guesses."""
    values = record_values(document, proposal, name, draft=draft)
    for key, note in proposal.notes.items():
        if key in values:
            values[key] += f"  # a guess: {note}"
    return lines_of(values)


def lines_of(values: Mapping[str, str]) -> str:
    """Return values in YAML as the lines of a mapping."""
    return "\n".join(f"{key}: {value}" for key, value in values.items())


def listed(record: str) -> str:
    """Return a mapping in YAML as an item of a list."""
    return "- " + record.replace("\n", "\n  ")


def entry_yaml(values: Mapping[str, str], *mentions: str) -> str:
    """Return the entry of a speaker in YAML: its values and its mentions in YAML."""
    items = [listed(mention).replace("\n", "\n  ") for mention in mentions]
    return f"{lines_of(values)}\nmentions:\n  " + "\n  ".join(items)
