"""The YAML header of the package's README: dataset hubs read it, and `datasets.load_dataset` finds the tables by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from defectors_data.documents.catalogues.facts import Facts

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
FIRST = "testimonies"
"""The table that is loaded where none is named."""


def header(facts: Facts) -> bytes:
    """Return the header between its lines of hyphens; tables without rows are left out, for `datasets` loads none."""
    dataset = facts.dataset
    typed = {
        "pretty_name": dataset.title,
        "license": dataset.licence.name.lower(),
        "language": list(facts.languages),
        "tags": list(dataset.keywords),
    }
    counted = {
        "size_categories": [_size(sum(table.number for table in facts.tables))],
        "configs": [_table(table.row.TABLE.name) for table in facts.tables if table.number],
    }
    head = _yaml(typed)
    if "<" in head:  # what reads no header takes it for Markdown: no HTML is to be run in it
        head = _yaml(typed, style='"').replace("<", "\\x3C")
    return f"---\n{head}{_yaml(counted)}---\n\n".encode()


def _yaml(content: Mapping[str, Any], style: str | None = None) -> str:
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100, default_style=style)


def _table(name: str) -> dict[str, Any]:
    return {"config_name": name, "data_files": f"data/{name}.parquet", **({"default": True} if name == FIRST else {})}


def _size(rows: int) -> str:
    return next((name for bound, name in _SIZES if rows < bound), "n>1M")
