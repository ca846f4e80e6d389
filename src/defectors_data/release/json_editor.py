"""Edit a line of JSON: cut entries and replace texts, and keep the order and values of everything else."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from defectors_data.release.yaml_editor import Path, Replaced, without_entries


def without(line: str, paths: Collection[Path], replaced: Replaced | None = None) -> str:
    """Return a line of JSON without the entries at some paths, and with the texts at others replaced."""
    return dumped(without_entries(json.loads(line), set(paths), replaced or {}))


def with_list(line: str, key: str, items: Sequence[Any]) -> str:
    """Return a line of JSON with a list as its last entry; without items, the line itself."""
    return dumped({**json.loads(line), key: items}) if items else line


def dumped(value: Any) -> str:
    """Return a value as a line of JSON, without the line end."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
