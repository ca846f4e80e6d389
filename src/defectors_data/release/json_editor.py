"""Take entries out of a line of JSON; all else keeps its order and its values."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from defectors_data.release.yaml_editor import Path, pruned


def without(line: str, paths: Collection[Path]) -> str:
    """Return a line of JSON without the entries at these paths; a list that loses all its items goes with its key."""
    return _written(pruned(json.loads(line), set(paths), ()))


def instead(line: str, path: Path, words: str) -> str:
    """Return a line of JSON with words in the place of what is at a path."""
    value = json.loads(line)
    around = value
    for key in path[:-1]:
        around = around[key]
    around[path[-1]] = words
    return _written(value)


def with_list(line: str, key: str, items: Sequence[Any]) -> str:
    """Return a line of JSON with a list behind all else; without items, the line itself."""
    return _written({**json.loads(line), key: items}) if items else line


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
