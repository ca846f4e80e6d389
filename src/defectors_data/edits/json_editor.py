"""Edits of a line of JSON: entries are cut and texts replaced; the others stay as they are."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from defectors_data.corpus.findings import Path
from defectors_data.edits.yaml_editor import Replaced, without_entries


def without(line: str, paths: Collection[Path], replaced: Replaced | None = None) -> str:
    """Return a line of JSON without the entries at `paths`; `replaced` maps paths to new texts."""
    return dumped(without_entries(json.loads(line), set(paths), replaced or {}))


def with_list(line: str, key: str, items: Sequence[Any]) -> str:
    """Return a line of JSON with a list as its last entry; without items, the line itself."""
    return dumped({**json.loads(line), key: items}) if items else line


def dumped(value: Any) -> str:
    """Return the JSON of a value as one line, without the line ending."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
