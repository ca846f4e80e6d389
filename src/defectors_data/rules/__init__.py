"""The rules for annotations, one module for each topic, and the engine that applies them.

Importing this package registers every rule, in the order in which rules are listed.
"""

from defectors_data.rules import (  # noqa: F401  # importing a module registers its rules
    attribution,
    completeness,
    cross_document,
    figures,
    protection,
    references,
    sources,
    speakers,
    testimonies,
)
from defectors_data.rules.engine import RULES, Rule

__all__ = ["RULES", "Rule"]
