"""A corpus of parts and what a takedown reaches → which lines it may change; the sources pass by, and none is held."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from defectors_data import lines, parts
from defectors_data.files import Tree, bytes_of, file_unreadable, why_not
from defectors_data.findings import Finding
from defectors_data.parts import Block
from defectors_data.runs import may_hold, occurrences
from defectors_data.withdrawing import InTheWay, Reach, slug


@dataclass
class Sighted:
    """What was seen of a corpus of parts."""

    lines: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """Of each part the lines that are reached, as typed, by number from 1."""
    used_elsewhere: set[str] = field(default_factory=set)
    """Shared speakers to whom other lines refer."""
    count: int = 0
    """Lines that are reached."""
    unread: list[Finding] = field(default_factory=list)
    """What keeps parts from being read, wholly or to their end: any record may be in these."""


def seek(tree: Tree, reach: Reach, *, most: int) -> Sighted:
    """Return the lines that are reached, and a few more at times; not many more than `most`.

    Lines that cannot be read count as reached.

    Raises:
        InTheWay: a part is called after who goes.
    """
    seen = Sighted()
    for file in lines.names(tree):
        if any(name in slug(Path(file).stem) for name in reach.parts):
            raise InTheWay(f"{file} is called after the name: rename it, and the texts beside it, by hand first")
        packed = lines.packed_beside(tree, file)
        if faults := list(lines.unreadable(tree, file, packed)):
            seen.unread += faults
            continue
        for block in _blocks(tree, file, packed, seen.unread):
            for i in range(len(block.lines)):
                _look(tree, reach, block, i, seen.lines[file], seen)
                if seen.count > most:
                    return seen
    return seen


def _blocks(tree: Tree, file: str, packed: str | None, unread: list[Finding]) -> Iterator[Block]:
    """Give the blocks of a part; what keeps it from being read is a finding."""
    try:
        yield from parts.blocks(tree.opened, file, packed)
    except parts.Unpacked as error:
        unread.append(lines.part_without_texts(str(packed), str(error)))
    except OSError as error:
        unread.append(file_unreadable(file, why_not(error)))


def _look(tree: Tree, reach: Reach, block: Block, i: int, reached: dict[int, str], seen: Sighted) -> None:
    """Put a line to those that are reached, or note to whom it refers."""
    try:
        value = from_json(block.lines[i])
        uses = {entry["use"] for entry in value.get("speakers", ()) if "use" in entry}
        is_reached = _is_called(value["source"], reach) or (_may_tell(block.lines[i], reach) and _tells(value, reach))
        is_reached = is_reached or (bool(reach.names) and _holds(_text(tree, block, i, value), reach))
    except (ValueError, KeyError, TypeError, AttributeError):
        uses, is_reached = set(), True
    if is_reached:
        reached[block.first + i] = block.lines[i].decode("utf-8", "replace")
        seen.count += 1
    else:
        seen.used_elsewhere |= uses


_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_QUOTED = frozenset({"evidence", "text", "prefix", "suffix", "words", "title", "subtitle", "dateline", "furniture"})
"""Keys that hold words of the article, in which no id is looked for."""


_FEW = 100
"""Ids and names of which each is looked for by itself."""


def _is_called(source: Any, reach: Reach) -> bool:
    """Tell whether a source or its seed is called after a name."""
    return any(name in slug(called) for name in reach.slugs for called in (source["id"], source["seed"]))


def _may_tell(line: bytes, reach: Reach) -> bool:
    """Tell by its bytes alone whether a line may hold one of the ids or names: one in which a letter is escaped may."""
    if len(reach.ids) + len(reach.names) > _FEW or b"\\u" in line:
        return True
    return any(name.encode() in line for name in reach.ids) or any(may_hold(line, name) for name in reach.names)


def _tells(value: Any, reach: Reach) -> bool:
    """Tell whether what is annotated about a source gives or names one of the ids, or holds one of the names."""
    for key, words in _strings(value, ""):
        if key not in _QUOTED and not reach.ids.isdisjoint(_WORD.findall(words)):
            return True
        if _holds(words, reach):
            return True
    return False


def _holds(words: str, reach: Reach) -> bool:
    return any(occurrences(words, name) for name in reach.names)


def _strings(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Give every string in a value, with the key that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _strings(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, key)


def _text(tree: Tree, block: Block, i: int, value: Any) -> str:
    """Return the text of a line; of a file that cannot be read, whoever reads the corpus tells."""
    if block.texts is not None:
        return str(block.texts["text"][i].as_py())
    data, _ = bytes_of(tree, f"seeds/{value['source']['seed']}")
    return (data or b"").decode("utf-8", "replace")
