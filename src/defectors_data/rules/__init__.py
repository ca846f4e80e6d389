"""The rules that annotations keep, a module for each kind of record, and the engine that applies them.

Importing this package registers every rule, in the order in which rules are listed.
"""

from defectors_data.rules import (
    across,
    attributes,
    claims,
    doubles,
    figures,
    protection,
    references,
    relations,
    sources,
    speakers,
    testimonies,
    waivers,
    withdrawals,
)
from defectors_data.rules.registry import RULES, Rule

__all__ = [
    "RULES",
    "Rule",
    "across",
    "attributes",
    "claims",
    "doubles",
    "figures",
    "protection",
    "references",
    "relations",
    "sources",
    "speakers",
    "testimonies",
    "waivers",
    "withdrawals",
]
