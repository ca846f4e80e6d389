"""YAML text as plain strings, lists and dictionaries, with the place of each; nothing is typed or looked up.

libyaml's event stream is read as it passes: it has a mark on every scalar and needs no recursion, so whatever
YAML can do beyond text, lists and mappings (anchors, tags, merge keys, several documents, keys that are no text)
is refused where it stands. What the values mean is for the models.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import yaml

from defectors_data.findings import Finding, Place

DEEPEST = 50

Path: TypeAlias = tuple[str | int, ...]
Places: TypeAlias = dict[Path, Place]

# libyaml takes these for line ends, and would so hide what stands after them; the rest cannot be seen.
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")

_IN_PLAIN_WORDS = {
    "mapping values are not allowed in this context": (
        "A colon followed by a space stands inside words without quotation marks."
    ),
    "did not find expected key": "A key was expected here; the indentation or a quotation mark may be wrong.",
    "did not find expected '-' indicator": "A list item beginning with `-` was expected here.",
    "did not find expected ',' or ']'": "A list begun with `[` goes on here without a comma, or is not closed.",
    "did not find expected ',' or '}'": "A mapping begun with `{` goes on here without a comma, or is not closed.",
    "found unexpected end of stream": "A quotation mark was opened and is never closed.",
    "could not find expected ':'": "A key stands here without a colon after it.",
    "found character that cannot start any token": (
        "This character cannot begin a value: put the value in quotation marks, and indent with spaces, not tabs."
    ),
    "found unknown escape character": "A backslash in double quotation marks is followed by what it cannot escape.",
}


class Typed(NamedTuple):
    """What was typed: the value, the place of each value and of each key by path, and what was wrong with it."""

    value: Any
    places: Places
    keys: Places
    findings: list[Finding]


class _Refused(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


@dataclass
class _Open:
    """A list or mapping whose end has not been read yet."""

    value: list[Any] | dict[str, Any]
    path: Path
    key: str | None = None
    lines: dict[str, int] = field(default_factory=dict)


@dataclass
class _Builder:
    """Puts events together; holds what is open at the moment."""

    file: str
    places: Places = field(default_factory=dict)
    keys: Places = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    root: Any = None
    documents: int = 0

    def add(self, event: yaml.Event) -> None:
        mark = event.start_mark
        place = Place(self.file, mark.line + 1, mark.column + 1) if mark else Place(self.file)
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise _Refused(yaml_feature(place, "Anchors, aliases and tags"))
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise _Refused(yaml_feature(place, "Second documents"))
            case yaml.ScalarEvent(value=value, style=style):
                self._scalar(value, place, empty=not value and not style)
            case yaml.MappingStartEvent():
                self._open({}, place)
            case yaml.SequenceStartEvent():
                self._open([], place)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self.stack.pop()

    def _scalar(self, value: str, place: Place, *, empty: bool) -> None:
        top = self.stack[-1] if self.stack else None
        if top and isinstance(top.value, dict) and top.key is None:
            self._key(top, value, place)
        else:
            self._put(None if empty else value, place)

    def _key(self, top: _Open, key: str, place: Place) -> None:
        if key == "<<":
            raise _Refused(yaml_feature(place, "Merge keys"))
        if key in top.lines:
            self.findings.append(duplicate_key(place, top.lines[key]))
        top.lines.setdefault(key, place.line)
        top.key = key
        self.keys[(*top.path, key)] = place

    def _open(self, value: list[Any] | dict[str, Any], place: Place) -> None:
        if self.stack and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None:
            raise _Refused(yaml_feature(place, "Keys that are lists or mappings"))
        if len(self.stack) >= DEEPEST:
            raise _Refused(yaml_too_deep(place))
        self.stack.append(_Open(value, self._put(value, place)))

    def _put(self, value: Any, place: Place) -> Path:
        """Put a value where it belongs, and return its path; an empty value of a key leaves the key out."""
        if not self.stack:
            self.root = value
            return ()
        top = self.stack[-1]
        if isinstance(top.value, list):
            path: Path = (*top.path, len(top.value))
            top.value.append(value)
        else:
            path = (*top.path, str(top.key))
            if value is not None:
                top.value[str(top.key)] = value
            top.key = None
        self.places[path] = place
        return path


def parse(text: str, *, file: str) -> Typed:
    """Read YAML as text.

    Returns strings, lists and dictionaries (None where nothing could be read) with the place of everything by its
    path, and findings. Lines and columns count from 1, columns in code points.
    """
    builder = _Builder(file)
    if found := _INVISIBLE.search(text):
        return Typed(None, {}, {}, [yaml_character(_place_at(text, found.start(), file), found[0])])
    try:
        for event in yaml.parse(text, Loader=yaml.CBaseLoader):
            builder.add(event)
    except _Refused as refused:
        return Typed(None, {}, {}, [*builder.findings, refused.finding])
    except yaml.MarkedYAMLError as error:
        return Typed(None, {}, {}, [*builder.findings, yaml_syntax(_place_of(error, file), str(error.problem))])
    return Typed(builder.root, builder.places, builder.keys, builder.findings)


def _place_at(text: str, offset: int, file: str) -> Place:
    before = text[:offset]
    return Place(file, before.count("\n") + 1, offset - before.rfind("\n"))


def _place_of(error: yaml.MarkedYAMLError, file: str) -> Place:
    mark = error.problem_mark or error.context_mark
    return Place(file, mark.line + 1, mark.column + 1) if mark else Place(file)


# ---- faults ------------------------------------------------------------------------------------------------


def yaml_syntax(place: Place, problem: str) -> Finding:
    """A file that people write must be YAML."""
    sentence = _IN_PLAIN_WORDS.get(problem, f"This is no YAML: {problem}.")
    return Finding(place, "yaml-syntax", sentence, ("Words with : # ' or \" in them are safest as a block: `|-`.",))


def yaml_character(place: Place, character: str) -> Finding:
    """A file that people write holds no character that cannot be seen or that YAML takes for a line end."""
    return Finding(
        place,
        "yaml-character",
        f"U+{ord(character):04X} must not stand here as it is.",
        (f'In a string with double quotation marks it can be written "\\u{ord(character):04x}".',),
    )


def yaml_feature(place: Place, feature: str) -> Finding:
    """A file that people write is text, lists and mappings: no anchors, aliases, tags, merge keys or documents."""
    return Finding(place, "yaml-feature", f"{feature} are not used here.", ("Write the value out.",))


def yaml_too_deep(place: Place) -> Finding:
    """Lists and mappings are nested fifty deep at most."""
    return Finding(place, "yaml-too-deep", f"Lists and mappings are nested more than {DEEPEST} deep here.")


def duplicate_key(place: Place, first: int) -> Finding:
    """A key stands once in its mapping."""
    return Finding(place, "duplicate-key", f"This key stands in line {first} already.", ("Keep one of the two.",))


FAULTS = (yaml_syntax, yaml_character, yaml_feature, yaml_too_deep, duplicate_key)
