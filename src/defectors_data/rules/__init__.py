"""The rules that annotations keep, a module for each kind of record, and the engine that applies them.

Importing this package registers every rule, in the order in which rules are listed.
"""

from defectors_data.rules import (
    cross_document,
    duplicates,
    figures,
    protection,
    references,
    sources,
    speakers,
    testimonies,
    waivers,
)
from defectors_data.rules.engine import RULES, Rule

__all__ = [
    "RULES",
    "Rule",
    "cross_document",
    "duplicates",
    "figures",
    "protection",
    "references",
    "sources",
    "speakers",
    "testimonies",
    "waivers",
]
