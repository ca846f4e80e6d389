"""The YAML header of the package's README, from which dataset hubs load the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from defectors_data.documents.catalogues.facts import Facts

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
DEFAULT = "testimonies"
"""The table that is loaded by default."""


def header(facts: Facts) -> bytes:
    """Return the header with its delimiters.

    Tables without rows are left out, because `datasets.load_dataset` cannot load them.
    """
    dataset = facts.dataset
    typed = {
        "pretty_name": dataset.title,
        "license": dataset.licence.name.lower(),
        "language": list(facts.languages),
        "tags": list(dataset.keywords),
    }
    head = _yaml(typed)
    if "<" in head:  # Markdown readers that do not support headers would read it as HTML
        head = _yaml(typed, style='"').replace("<", "\\x3C")
    configs = [_config(table.row.TABLE.name) for table in facts.tables if table.rows]
    counted = {"size_categories": [_size(facts)], "configs": configs}
    return f"---\n{head}{_yaml(counted)}---\n\n".encode()


def _size(facts: Facts) -> str:
    """Return the category of the number of rows."""
    rows = sum(table.rows for table in facts.tables)
    for bound, name in _SIZES:
        if rows < bound:
            return name
    return "n>1M"


def _yaml(content: Mapping[str, Any], style: str | None = None) -> str:
    return yaml.safe_dump(
        content, allow_unicode=True, sort_keys=False, width=100, default_style=style
    )


def _config(name: str) -> dict[str, Any]:
    config: dict[str, Any] = {"config_name": name, "data_files": f"data/{name}.parquet"}
    if name == DEFAULT:
        config["default"] = True
    return config
