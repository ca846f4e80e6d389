"""The YAML header of the package's README, which dataset hubs and `datasets.load_dataset` use to load the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from defectors_data.documents.catalogues.facts import Facts

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
DEFAULT = "testimonies"
"""The table that is loaded by default."""


def header(facts: Facts) -> bytes:
    """Return the header with its delimiters; tables without rows are left out, because `datasets` cannot load them."""
    dataset = facts.dataset
    typed = {
        "pretty_name": dataset.title,
        "license": dataset.licence.name.lower(),
        "language": list(facts.languages),
        "tags": list(dataset.keywords),
    }
    rows = sum(table.rows for table in facts.tables)
    counted = {
        "size_categories": [next((name for bound, name in _SIZES if rows < bound), "n>1M")],
        "configs": [_config(table.row.TABLE.name) for table in facts.tables if table.rows],
    }
    head = _yaml(typed)
    if "<" in head:  # Markdown readers that do not support headers would read it as HTML
        head = _yaml(typed, style='"').replace("<", "\\x3C")
    return f"---\n{head}{_yaml(counted)}---\n\n".encode()


def _yaml(content: Mapping[str, Any], style: str | None = None) -> str:
    return yaml.safe_dump(
        content, allow_unicode=True, sort_keys=False, width=100, default_style=style
    )


def _config(name: str) -> dict[str, Any]:
    default = {"default": True} if name == DEFAULT else {}
    return {"config_name": name, "data_files": f"data/{name}.parquet", **default}
