"""Edits of YAML text: entries are added, cut and replaced; all else remains as typed.

The text must have been read without findings, so that its nesting is limited. The edited text is
parsed and compared with the expected content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any, TypeAlias

import yaml

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path
from defectors_data.text.offsets import line_starts

Replaced: TypeAlias = Mapping[Path, str]
"""New texts by the path of the old ones."""

Entry: TypeAlias = Mapping[str, str]
"""Keys of a mapping, with their values as YAML."""

_Edit: TypeAlias = tuple[int, int, str]
"""Start and exclusive end of the characters to be replaced, and the text that replaces them."""
_Bounds: TypeAlias = list[tuple[yaml.Node, yaml.Node]]
"""The first and the last node of each entry of a mapping or list."""
_BLOCK = ("|", ">")


class UneditableTextError(ValueError):
    """The text is written in a form that this module cannot edit."""


def without(text: str, paths: Collection[Path], replaced: Replaced | None = None) -> str:
    """Return YAML text without the entries at `paths`; `replaced` maps paths to new texts.

    If all items of a list are cut, its key is cut too.

    Raises:
        UneditableTextError: the edited text would not have the expected content.
    """
    cuts, replaced = set(paths), replaced or {}
    return _edited(text, cuts, replaced, without_entries(_value(text), cuts, replaced))


def with_values(text: str, values: Replaced) -> str:
    """Return YAML text with values replaced; `values` maps their paths to the new values as YAML, of
    which one in a block may end with a comment.

    Raises:
        UneditableTextError: the edited text would not have the expected content, or would lose a
            comment.
    """
    parsed = {path: _value(new) for path, new in values.items()}
    wanted = without_entries(_value(text), (), parsed)
    edited = _edited(text, set(), values, wanted)
    if Counter(_words_of_comments(text)) - Counter(_words_of_comments(edited)):
        raise UneditableTextError
    return edited


def _words_of_comments(text: str) -> list[str]:
    return [words for _, words in comments(text)]


def _value(text: str) -> Any:
    return yaml_reader.parse(text, file="").value


def _edited(text: str, cuts: set[Path], replaced: Replaced, wanted: Any) -> str:
    root = _parsed(text)
    edits: Iterable[_Edit] = ()
    if root:
        edits = _edits(_TextLines(text), root, cuts, replaced, ())
    return _applied(text, edits, wanted)


def _applied(text: str, edits: Iterable[_Edit], wanted: Any) -> str:
    """Return the edited text; raise `UneditableTextError` if its content is not `wanted`."""
    edited, at = "", 0
    for start, end, words in sorted(edits):
        edited += text[at:start] + words
        # Cuts in one list may overlap: a comma is cut with the entry before it or the entry after
        # it.
        at = max(at, end)
    edited += text[at:]
    # A file from which everything was cut has no value.
    if (_value(edited) or {}) != wanted:
        raise UneditableTextError
    return edited


def with_list(text: str, key: str, items: Sequence[Mapping[str, object]]) -> str:
    """Return YAML text with a list of flow mappings as its last entry; without items, the text."""
    if not items:
        return text
    root = _parsed(text)
    rows = [_flow_mapping(item) for item in items]
    # The file may be a mapping in braces, like JSON.
    if isinstance(root, yaml.MappingNode) and root.flow_style:
        end = _TextLines(text).at(root.end_mark) - 1
        return f"{text[:end].rstrip().rstrip(',')}, {key}: [{', '.join(rows)}]{text[end:]}"
    lines = "".join(f"  - {row}\n" for row in rows)
    return text.rstrip("\n") + f"\n\n{key}:\n{lines}"


def _flow_mapping(item: Mapping[str, object]) -> str:
    pairs = ", ".join(f"{name}: {value}" for name, value in item.items())
    return f"{{{pairs}}}"


def with_entries(
    text: str,
    keys: Mapping[Path, Entry],
    items: Mapping[str, Sequence[Entry]],
    *,
    last: bool = False,
) -> str:
    """Return YAML text with keys added to mappings, by path, and items to top-level lists, by key.

    Keys are added after the first key of their mapping, or after the last one if `last` is true;
    mappings are added after the last item of their list.

    Raises:
        UneditableTextError: the edited text would not have the expected content.
    """
    root, place, wanted = _parsed(text), _TextLines(text), _value(text) or {}
    edits: list[_Edit] = []
    for path, added in keys.items():
        node, value = _mapping(root, wanted, path)
        value |= _values(added)
        edits.append(_added_keys(place, node, added, last=last))
    lists = {key: child for _, child, key in _entries(root)} if root else {}
    for key, rows in items.items():
        new_items = [_values(row) for row in rows]
        wanted[key] = [*(wanted.get(key) or []), *new_items]
        added_items = [_block_mapping(row) for row in rows]
        edits.append(_added_items(place, lists.get(key), root, key, added_items))
    return _applied(text, edits, wanted)


def _values(entry: Entry) -> dict[str, Any]:
    return {key: _value(new) for key, new in entry.items()}


def _block_mapping(entry: Entry, *, indent: str = "") -> str:
    return "".join(f"{indent}{key}: {value}\n" for key, value in entry.items())


def _mapping(
    root: yaml.Node | None, value: Any, path: Path
) -> tuple[yaml.MappingNode, dict[str, Any]]:
    """Return the mapping at a path, as a node and as a value.

    Raises:
        UneditableTextError: there is no mapping at the path, or it is empty.
    """
    node = _found(root, path)[0]
    if not isinstance(node, yaml.MappingNode) or not node.value:
        raise UneditableTextError
    return node, reduce(lambda inside, key: inside[key], path, value)


def with_ids(text: str, ids: Mapping[Path, str]) -> str:
    """Return YAML text with an `id` added as the first key of the mapping at each path in `ids`.

    Raises:
        UneditableTextError: the edited text would not have the expected content.
    """
    root, place, wanted = _parsed(text), _TextLines(text), _value(text)
    edits: list[_Edit] = []
    for path, name in ids.items():
        node, value = _mapping(root, wanted, path)
        value["id"] = name
        first = node.value[0][0].start_mark
        after = ", " if node.flow_style else f"\n{' ' * first.column}"
        edits.append((place.at(first), place.at(first), f"id: {name}{after}"))
    return _applied(text, edits, wanted)


def _added_keys(text: _TextLines, node: yaml.MappingNode, added: Entry, *, last: bool) -> _Edit:
    if node.flow_style:
        at = text.at(node.end_mark) - 1
        return at, at, "".join(f", {key}: {value}" for key, value in added.items())
    first, value = node.value[-1 if last else 0]
    lines = _block_mapping(added, indent=" " * first.start_mark.column)
    return text.after(_last_line(value), lines)


def _added_items(
    text: _TextLines,
    node: yaml.Node | None,
    around: yaml.Node | None,
    key: object,
    items: Sequence[str],
) -> _Edit:
    """Return the edit that adds items, as YAML without the dash, to a list of a mapping."""
    margin = 2
    if around:
        margin += around.start_mark.column
    if node is None and isinstance(around, yaml.MappingNode) and not around.flow_style:
        # A new top-level key is set off by a blank line.
        blank = "\n" if margin == len("- ") else ""
        indent = " " * (margin - 2)
        return text.after(_last_line(around), f"{blank}{indent}{key}:\n{_as_items(items, margin)}")
    if not isinstance(node, yaml.SequenceNode):
        raise UneditableTextError
    start, end = text.at(node.start_mark), text.at(node.end_mark)
    if node.value and not node.flow_style:
        return text.after(_last_line(node), _as_items(items, node.start_mark.column))
    if node.value:
        added = "".join(f", {{{', '.join(item.splitlines())}}}" for item in items)
        return end - 1, end - 1, added
    line = text.line(node.end_mark.line + 1)  # a comment after the empty list stays on its line
    comment = text.text[end:line].rstrip()
    return len(text.text[:start].rstrip(" ")), line, f"{comment}\n{_as_items(items, margin)}"


def _as_items(items: Sequence[str], margin: int) -> str:
    spaces = " " * margin
    lines = []
    for item in items:
        first, *others = item.splitlines()
        lines.append(f"{spaces}- {first}\n")
        lines += [f"{spaces}  {other}\n" for other in others]
    return "".join(lines)


def with_item(text: str, path: Path, item: str) -> str:
    """Return YAML text with an item, as YAML without the dash, at the end of the list at a path.

    A missing list is added as the last key of its mapping. The item is indented like the other
    items or, if there are none, by two spaces more than the key.

    Raises:
        UneditableTextError: there is no mapping for the list, or the edited text would not have the
            expected content.
    """
    node, around = _found(_parsed(text), path)
    start, end, words = _added_items(_TextLines(text), node, around, path[-1], [item])
    wanted = _value(text)
    inside = reduce(lambda value, key: value[key], path[:-1], wanted)
    inside[path[-1]] = [*inside.get(path[-1], []), _value(item)]
    return _applied(text, [(start, end, words)], wanted)


def item_at(text: str, path: Path) -> str:
    """Return the YAML text of the item at a path of a list, without its dash and its indentation.

    Raises:
        UneditableTextError: there is no such item.
    """
    place, (node, _) = _TextLines(text), _found(_parsed(text), path)
    if node is None:
        raise UneditableTextError
    start, end = place.at(node.start_mark), place.at(node.end_mark)
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        end = place.line(_last_line(node) + 1)
    first, *others = text[start:end].rstrip("\n").split("\n")
    return "\n".join([first, *(line[node.start_mark.column :] for line in others)])


def typed(text: str, path: Path) -> dict[str, str]:
    """Return the keys of the mapping at a path, each with the YAML text of its value.

    Raises:
        UneditableTextError: there is no such mapping.
    """
    place, (node, _) = _TextLines(text), _found(_parsed(text), path)
    if not isinstance(node, yaml.MappingNode):
        raise UneditableTextError
    return {
        str(key.value): text[place.at(value.start_mark) : place.at(value.end_mark)]
        for key, value in node.value
    }


def _found(node: yaml.Node | None, path: Path) -> tuple[yaml.Node | None, yaml.Node | None]:
    """Return the node at a path, or None, and the node that contains or would contain it."""
    around = node
    for step in path:
        around = node
        node = _child(node, step) if node else None
    return node, around


def _child(node: yaml.Node, step: str | int) -> yaml.Node | None:
    """Return the value at a key of a mapping, or at an index of a list."""
    for _, child, key in _entries(node):
        if key == step:
            return child
    return None


def lines_of(text: str, path: Path) -> tuple[int, int]:
    """Return the first and last line of the value at a path, counted from 1.

    Raises:
        UneditableTextError: there is no value at the path.
    """
    node, _ = _found(_parsed(text), path)
    if not node:
        raise UneditableTextError
    return node.start_mark.line + 1, _last_line(node) + 1


@lru_cache(maxsize=16)  # the cache keeps whole texts in memory
def comments(text: str) -> tuple[tuple[int, str], ...]:
    """Return the comments of YAML text with their lines from 1; adjacent lines are one comment."""
    return tuple(_scanned(text))


def _scanned(text: str) -> Iterator[tuple[int, str]]:
    place, at = _TextLines(text), 0
    # The scanner does not report comments, so they are searched for between the scalars.
    for token in yaml.scan(text, Loader=yaml.CBaseLoader):
        if isinstance(token, yaml.ScalarToken):
            end = place.at(token.start_mark)
            # A comment may follow `|` on the same line, before the text begins.
            if token.style in _BLOCK:
                end = place.line(token.start_mark.line + 1)
            yield from _comments(text, at, end)
            at = place.at(token.end_mark)
    yield from _comments(text, at, len(text))


_COMMENT = re.compile(r"#[^\n]*(?:\n[ \t]*#[^\n]*)*")
"""A comment, in text outside of scalars."""


def _comments(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for found in _COMMENT.finditer(text, start, end):
        yield text.count("\n", 0, found.start()) + 1, re.sub(r"\n[ \t]*#+", " ", found[0])


def without_entries(
    value: Any, cuts: Collection[Path], replaced: Mapping[Path, Any], here: Path = ()
) -> Any:
    """Return a value without the entries at `cuts`; `replaced` has new values by path.

    If all items of a list are cut, its key is cut too.
    """
    if here in replaced:
        return replaced[here]
    if isinstance(value, dict):
        kept = {}
        for key, item in value.items():
            path = (*here, key)
            if not _is_cut(item, cuts, path):
                kept[key] = without_entries(item, cuts, replaced, path)
        return kept
    if isinstance(value, list):
        left = []
        for i, item in enumerate(value):
            path = (*here, i)
            if path not in cuts:
                left.append(without_entries(item, cuts, replaced, path))
        return left
    return value


def _is_cut(value: Any, cuts: Collection[Path], path: Path) -> bool:
    """Return whether an entry of a mapping is cut, or is a list whose items are all cut."""
    emptied = (
        isinstance(value, list) and value and all((*path, i) in cuts for i in range(len(value)))
    )
    return path in cuts or bool(emptied)


# ---- nodes and characters ------------------------------------------------------------------------


class _TextLines:
    """A text, with the offsets of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = line_starts(text)

    def line(self, number: int) -> int:
        """Return the offset of a line, counted from 0; after the last one, the length."""
        if number < len(self.starts):
            return self.starts[number]
        return len(self.text)

    def at(self, mark: yaml.Mark) -> int:
        # libyaml's `index` omits some line endings.
        return min(self.line(mark.line) + mark.column, len(self.text))

    def after(self, line: int, words: str) -> _Edit:
        """Return the edit that inserts whole lines after a line."""
        at = self.line(line + 1)
        if not self.text[:at].endswith("\n"):
            words = f"\n{words}"
        return at, at, words

    def before(self, mark: yaml.Mark) -> str:
        return self.text[self.line(mark.line) : self.at(mark)]


def _parsed(text: str) -> yaml.Node | None:
    return yaml.compose(text, Loader=yaml.CBaseLoader)


def _entries(node: yaml.Node) -> list[tuple[yaml.Node, yaml.Node, str | int]]:
    """Return the entries of a mapping or list: first node, value, and key or position."""
    if isinstance(node, yaml.MappingNode):
        return [(key, value, str(key.value)) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(item, item, i) for i, item in enumerate(node.value)]
    return []


def _edits(
    text: _TextLines, node: yaml.Node, cuts: set[Path], replaced: Replaced, here: Path
) -> Iterator[_Edit]:
    entries = _entries(node)
    bounds = [(first, value) for first, value, _ in entries]
    in_list = isinstance(node, yaml.SequenceNode)
    kept = list[int]()
    for i, (_, child, key) in enumerate(entries):
        items = child.value if isinstance(child, yaml.SequenceNode) and not in_list else []
        if (*here, key) in replaced or not _is_cut(items, cuts, (*here, key)):
            kept.append(i)
    for i, (_, child, key) in enumerate(entries):
        path = (*here, key)
        if path in replaced:
            yield _replacement(text, child, replaced[path])
        elif i in kept:
            yield from _edits(text, child, cuts, replaced, path)
        elif isinstance(node, yaml.CollectionNode) and node.flow_style:
            yield _flow_cut(text, bounds, i, is_last=i > max(kept, default=-1))
        else:
            yield _block_cut(text, bounds, i, in_list=in_list)


def _replacement(text: _TextLines, node: yaml.Node, words: str) -> _Edit:
    start = text.at(node.start_mark)
    # A value in block style ends with its last line, any other value inside a line.
    is_text = isinstance(node, yaml.ScalarNode) and node.style in _BLOCK
    if is_text or (isinstance(node, yaml.CollectionNode) and not node.flow_style):
        return start, text.line(_last_line(node) + 1), f"{words}\n"
    return start, text.at(node.end_mark), words


def _flow_cut(text: _TextLines, bounds: _Bounds, i: int, *, is_last: bool) -> _Edit:
    """Return the edit that cuts an entry in brackets, with the comma after it or, if none is kept after
    it, before it.
    """
    start, end = text.at(bounds[i][0].start_mark), text.at(bounds[i][1].end_mark)
    if not is_last and i + 1 < len(bounds):
        end = text.at(bounds[i + 1][0].start_mark)
    elif i:
        start = text.at(bounds[i - 1][1].end_mark)
    return start, end, ""


def _block_cut(text: _TextLines, bounds: _Bounds, i: int, *, in_list: bool) -> _Edit:
    """Return the edit that cuts an entry: whole lines or, after a dash, up to the next key."""
    first, last = bounds[i]
    if not in_list and "-" in text.before(first.start_mark) and i + 1 < len(bounds):
        return text.at(first.start_mark), text.at(bounds[i + 1][0].start_mark), ""
    start = first.start_mark.line
    # The dash of an item may be on a line above the item.
    while (
        in_list
        and start
        and "-" not in text.before(first.start_mark)
        and _is_blank(text, start - 1)
    ):
        start -= 1
    return text.line(start), text.line(_last_line(last) + 1), ""


def _is_blank(text: _TextLines, line: int) -> bool:
    return text.text[text.line(line) : text.line(line + 1)].strip() in ("", "-")


def _last_line(node: yaml.Node) -> int:
    """Return the last line of a node's content, counted from 0."""
    if isinstance(node, yaml.ScalarNode):
        # For libyaml, a block scalar ends at the beginning of the next line.
        ends_before = node.style in _BLOCK and node.end_mark.column == 0
        return max(node.start_mark.line, node.end_mark.line - ends_before)
    entries = _entries(node)
    if not entries or (isinstance(node, yaml.CollectionNode) and node.flow_style):
        return int(node.end_mark.line)
    return _last_line(entries[-1][1])
