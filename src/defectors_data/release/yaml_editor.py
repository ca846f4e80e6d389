"""Take entries out of YAML text, or put words in their place, and leave all else as it was typed.

Comments, order and quotation marks stay. The text was read before, so its nesting is bounded. What comes out is read
again and compared with what it should say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import yaml

from defectors_data.corpus import surrogates, yaml_reader

Path: TypeAlias = tuple[str | int, ...]
"""Keys, and positions from 0 in lists."""

Cut: TypeAlias = tuple[int, int]
"""A run of characters that goes, its end exclusive."""


class NotEdited(ValueError):
    """The text is written so that the entries cannot be taken out of it."""


def without(text: str, paths: Collection[Path]) -> str:
    """Return YAML text without the entries at these paths; a list that loses all its items goes with its key.

    Raises:
        NotEdited: what is left would not read as it should.
    """
    wanted = pruned(yaml_reader.parse(text, file="").value, set(paths), ())
    root = yaml.compose(surrogates.set_aside(text), Loader=yaml.CBaseLoader)
    cuts = sorted(_cuts(_Text(text), root, set(paths), ())) if root else []
    edited, at = "", 0
    for start, end in cuts:
        edited += text[at:start]
        at = max(at, end)
    return _proved(edited + text[at:], wanted)


def with_list(text: str, key: str, items: Sequence[Mapping[str, object]]) -> str:
    """Return YAML text with a list behind all else, its items given in braces; without items, the text itself."""
    root = yaml.compose(surrogates.set_aside(text), Loader=yaml.CBaseLoader)
    if not items:
        return text
    rows = [f"{{{', '.join(f'{name}: {value}' for name, value in item.items())}}}" for item in items]
    if isinstance(root, yaml.MappingNode) and root.flow_style:
        end = _Text(text).at(root.end_mark) - 1
        return f"{text[:end].rstrip().rstrip(',')}, {key}: [{', '.join(rows)}]{text[end:]}"
    return "".join([text.rstrip("\n"), f"\n\n{key}:\n", *(f"  - {row}\n" for row in rows)])


def instead(text: str, path: Path, words: str) -> str:
    """Return YAML text with words in the place of the scalar at a path.

    Raises:
        NotEdited: what comes out would not read as it should.
    """
    wanted = _replaced(yaml_reader.parse(text, file="").value, path, words)
    node = yaml.compose(surrogates.set_aside(text), Loader=yaml.CBaseLoader)
    for step in path:
        node = {key: value for _, value, key in _entries(node)}.get(step)
    if not isinstance(node, yaml.ScalarNode):
        raise NotEdited
    place = _Text(text)
    start, end = place.at(node.start_mark), place.at(node.end_mark)
    if node.style in ("|", ">"):  # it ends in the line before its mark, or at the end of the text
        end = place.line(_last_line(node) + 1)
        words += "\n"
    return _proved(f"{text[:start]}{words}{text[end:]}", wanted)


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Give every comment of YAML text with the line in which it begins, from 1; those that follow each other as one."""
    place, at = _Text(text), 0
    for token in yaml.scan(surrogates.set_aside(text), Loader=yaml.CBaseLoader):
        if isinstance(token, yaml.ScalarToken):
            start = place.at(token.start_mark)
            in_block = token.style in ("|", ">")
            yield from _comments(text, at, place.line(token.start_mark.line + 1) if in_block else start)
            at = place.at(token.end_mark)
    yield from _comments(text, at, len(text))


_COMMENT = re.compile(r"#[^\n]*(?:\n[ \t]*#[^\n]*)*")
"""Where no words are: there # begins a comment."""


def _comments(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for found in _COMMENT.finditer(text, start, end):
        yield text.count("\n", 0, found.start()) + 1, re.sub(r"\n[ \t]*#+", " ", found[0])


def _proved(text: str, wanted: Any) -> str:
    if (yaml_reader.parse(text, file="").value or {}) != wanted:
        raise NotEdited
    return text


def _replaced(value: Any, path: Path, words: str) -> Any:
    if not path:
        return words
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(value[path[0]], path[1:], words)  # type: ignore[index]  # a key or a position
    return copy


def _entries(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node, str | int]]:
    """Return the entries of a mapping or a list: the node that each begins with, its value, and its key or number."""
    if isinstance(node, yaml.MappingNode):
        return [(key, value, str(key.value)) for key, value in node.value]
    return [(item, item, i) for i, item in enumerate(node.value)] if isinstance(node, yaml.SequenceNode) else []


def pruned(value: Any, paths: set[Path], here: Path) -> Any:
    """Return a value without the entries at these paths, which begin with `here`; an emptied list goes with its key."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if not _goes(item, paths, (*here, key))}
        return {key: pruned(item, paths, (*here, key)) for key, item in kept.items()}
    if isinstance(value, list):
        return [pruned(item, paths, (*here, i)) for i, item in enumerate(value) if (*here, i) not in paths]
    return value


def _goes(value: Any, paths: set[Path], path: Path) -> bool:
    """Tell whether an entry goes: because it is listed, or because all items of its list are."""
    emptied = isinstance(value, list) and value and all((*path, i) in paths for i in range(len(value)))
    return path in paths or bool(emptied)


class _Text:
    """A text that knows where its lines start."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        self.starts += [i + 1 for i, character in enumerate(text) if character == "\n"]

    def line(self, number: int) -> int:
        """Return where a line starts, counted from 0; after the last one, the end of the text."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def at(self, mark: yaml.Mark) -> int:
        return min(self.line(mark.line) + mark.column, len(self.text))

    def before(self, mark: yaml.Mark) -> str:
        return self.text[self.line(mark.line) : self.at(mark)]


def _cuts(text: _Text, node: yaml.Node, paths: set[Path], here: Path) -> Iterator[Cut]:
    entries = _entries(node)
    bounds = [(first, value) for first, value, _ in entries]
    in_list = isinstance(node, yaml.SequenceNode)
    for i, (_, child, key) in enumerate(entries):
        path = (*here, key)
        items = child.value if isinstance(child, yaml.SequenceNode) and not in_list else []
        if not _goes(items, paths, path):
            yield from _cuts(text, child, paths, path)
        elif isinstance(node, yaml.CollectionNode) and node.flow_style:
            yield _flow_cut(text, bounds, i)
        else:
            yield _block_cut(text, bounds, i, in_list=in_list)


def _flow_cut(text: _Text, bounds: list[tuple[yaml.Node, yaml.Node]], i: int) -> Cut:
    """Cut an item between brackets with the comma behind it, or the one before it."""
    start, end = text.at(bounds[i][0].start_mark), text.at(bounds[i][1].end_mark)
    if i + 1 < len(bounds):
        end = text.at(bounds[i + 1][0].start_mark)
    elif i:
        start = text.at(bounds[i - 1][1].end_mark)
    return start, end


def _block_cut(text: _Text, bounds: list[tuple[yaml.Node, yaml.Node]], i: int, *, in_list: bool) -> Cut:
    """Cut whole lines; of the first key after a dash, only what stands up to the next key."""
    first, last = bounds[i]
    if not in_list and "-" in text.before(first.start_mark) and i + 1 < len(bounds):
        return text.at(first.start_mark), text.at(bounds[i + 1][0].start_mark)
    start = first.start_mark.line
    while in_list and start and "-" not in text.before(first.start_mark) and _is_blank(text, start - 1):
        start -= 1
    return text.line(start), text.line(_last_line(last) + 1)


def _is_blank(text: _Text, line: int) -> bool:
    return text.text[text.line(line) : text.line(line + 1)].strip() in ("", "-")


def _last_line(node: yaml.Node) -> int:
    """Return the last line that a node's content stands on, counted from 0."""
    if isinstance(node, yaml.ScalarNode):
        ends_before = node.style in ("|", ">") and node.end_mark.column == 0
        return max(node.start_mark.line, node.end_mark.line - ends_before)
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.line)
    children = [child for entry in node.value for child in (entry if isinstance(entry, tuple) else (entry,))]
    return max(map(_last_line, children))
