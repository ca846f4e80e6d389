"""YAML text as plain strings, lists and dictionaries, with the place of each; nothing is typed or looked up.

libyaml's event stream is read as it passes: it has a mark on every scalar and needs no recursion, so whatever
YAML can do beyond text, lists and mappings (anchors, tags, merge keys, several documents, keys that are no text)
is refused where it stands. Depth and number of the events are bounded, and no pattern looks at a character twice.
What the values mean is for the models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import yaml

from defectors_data.corpus import surrogates
from defectors_data.corpus.findings import Finding, Place

DEEPEST = 50
"""Lists and mappings that may be open at a time."""

MOST = 20_000
"""Events (texts, keys, beginnings and ends of lists and mappings) that a file may have."""

Path: TypeAlias = tuple[str | int, ...]
Places: TypeAlias = dict[Path, Place]

# libyaml takes U+0085, U+2028, U+2029 and a lone carriage return for line ends, and would so hide what stands after
# them; the rest cannot be seen.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")

_COMMENT = re.compile(r"(?P<gap>[ \t\r\n]+)(?P<beginning>#[ \t]{0,40}\S{0,40})")

_QUOTE_IT = "Put the value in quotation marks, or write it as a block: `|-`."
_ESCAPE = "A backslash in double quotation marks is followed by what it cannot escape."
_BLOCKS = ("|", ">")
"""Styles of scalars whose words end with their last line: no line feed behind it, whether `|` or `|-` was typed."""
_QUOTED = ("'", '"')

_WRITE_OUT = "Write the value out; words that begin with & * or ! need quotation marks."
_OPEN = "A quotation mark was opened and is never closed."
_INDENT = "Indent with spaces, as deep as the lines around it."
_IN_PLAIN_WORDS = {
    "mapping values are not allowed in this context": (
        "A colon followed by a space stands inside words without quotation marks, or this line is indented too deep.",
        _QUOTE_IT,
    ),
    "block sequence entries are not allowed in this context": (
        "A list item stands where none can begin: behind a key on its line, or indented wrong.",
        "Begin the list on the next line; words that begin with `-` need quotation marks.",
    ),
    "mapping keys are not allowed in this context": ("A value cannot begin with `?` and a space.", _QUOTE_IT),
    "did not find expected key": (
        "A key was expected here; the indentation or a quotation mark may be wrong.",
        "Indent with spaces, as deep as the lines around it; write a quotation mark inside single ones twice.",
    ),
    "did not find expected '-' indicator": ("A list item beginning with `-` was expected here.", _INDENT),
    "did not find expected ',' or ']'": (
        "A list begun with `[` goes on here without a comma, or is not closed.",
        "Add the comma or `]`; words that begin with `[` need quotation marks.",
    ),
    "did not find expected ',' or '}'": (
        "A mapping begun with `{` goes on here without a comma, or is not closed.",
        "Add the comma or `}`; words with a comma, or that begin with `{`, need quotation marks.",
    ),
    "found unexpected end of stream": (_OPEN, 'Close it; one inside double quotation marks is written `\\"`.'),
    "found unexpected document indicator": (_OPEN, 'Close it; one inside double quotation marks is written `\\"`.'),
    "could not find expected ':'": ("A key stands here without a colon after it.", "Add a colon and a space."),
    "found character that cannot start any token": (
        "No value begins with this character, and no line with a tab.",
        "Put the value in quotation marks; indent with spaces.",
    ),
    "found a tab character where an indentation space is expected": ("This line is indented with a tab.", _INDENT),
    "found a tab character that violates indentation": ("This line is indented with a tab.", _INDENT),
    "found unknown escape character": (_ESCAPE, "Write a backslash itself twice."),
    "did not find expected hexdecimal number": (_ESCAPE, "Write a backslash itself twice."),
    "found invalid Unicode character escape code": (
        "This escape is no character: half of a surrogate pair without the other, or a number that is too high.",
        "Write the character itself, or its code point as \\U and eight digits.",
    ),
    "did not find expected comment or line break": (
        "Words stand behind `|` or `>`, which begin a block.",
        "Begin the block on the next line, or put the value in quotation marks.",
    ),
    "did not find expected alphabetic or numeric character": ("A value cannot begin with `&` or `*`.", _QUOTE_IT),
    "did not find expected whitespace or line break": ("A value cannot begin with `!`, `&` or `*`.", _QUOTE_IT),
    "could not find expected directive name": ("No line begins with `%`.", _QUOTE_IT),
    "did not find expected node content": ("A value was expected here.", "Write it, or leave the comma out."),
    "did not find expected <document start>": (
        "More stands here than the one document of a file.",
        "Indent it to where it belongs, or take it out.",
    ),
}


class Comment(NamedTuple):
    """A comment: the value before it, which is empty where a key has none, its beginning, and where it stands."""

    value: str
    beginning: str
    place: Place


class Typed(NamedTuple):
    """What was typed: the value, the place of each value and of each key by path, and what was wrong with it.

    `comments` are those directly behind a value without quotation marks, which may be words of it; `doubled` are the
    mappings in which a key stands twice.
    """

    value: Any
    places: Places
    keys: Places
    findings: list[Finding]
    comments: list[Comment]
    doubled: set[Path]
    text: str = ""
    """What was read, of YAML."""


class _Refused(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class _Open:
    """A list or mapping whose end has not been read yet."""

    __slots__ = ("awaited", "lines", "path", "twice", "value")

    def __init__(self, value: list[Any] | dict[str, Any], path: Path) -> None:
        self.value, self.path = value, path
        self.awaited: Path | None = None
        """The path of the key whose value comes next."""
        self.lines: dict[str, int] = {}
        """In which line each key of a mapping stands first."""
        self.twice: list[tuple[Place, int]] = []
        """Where keys stand that stood before, and in which line they did."""


class _Builder:
    """Puts events together; holds what is open at the moment."""

    def __init__(self, file: str, text: str, most: int, *, aside: bool) -> None:
        """Take the file's name, its text, and how many events it may have.

        `aside` is whether pairs of surrogates were set aside in what is read.
        """
        self.file, self.text, self.most, self.aside = file, text, most, aside
        self.places: Places = {}
        self.keys: Places = {}
        self.findings: list[Finding] = []
        self.comments: list[Comment] = []
        self.doubled: set[Path] = set()
        self.stack: list[_Open] = []
        self.root: Any = None
        self.documents = 0
        self.quoted: tuple[Place, int] | None = None
        """Where the last quotation marks stand that hold several lines, and in which line they are closed."""

    def build(self, events: Iterable[Any]) -> None:
        """Take events in their order; a file has thousands, so each is asked for nothing that its kind has not."""
        for count, event in enumerate(events):
            if count >= self.most:
                raise _Refused(too_long(self._place(event), self.most))
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._words(event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close()
            elif kind is yaml.MappingStartEvent:
                self._open({}, self._place_of_bare(event))
            elif kind is yaml.SequenceStartEvent:
                self._open([], self._place_of_bare(event))
            elif kind is yaml.AliasEvent:
                self._place_of_bare(event)
            elif kind is yaml.DocumentStartEvent:
                self._document(event)

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise _Refused(yaml_feature(self._place(event), "Second documents", "Keep one document in a file."))

    def _place(self, event: Any) -> Place:
        mark = event.start_mark
        return Place(self.file, mark.line + 1, mark.column + 1)

    def _place_of_bare(self, event: Any) -> Place:
        """Return the place of a value, a list or a mapping that is nothing but that."""
        place = self._place(event)
        if event.anchor or getattr(event, "tag", None):
            raise _Refused(_not_bare(place))
        return place

    def _words(self, event: Any) -> None:
        """Take words as a key or as a value, which every other of them is; note what stands behind some of them."""
        start, end, value, style = event.start_mark, event.end_mark, event.value, event.style
        place = Place(self.file, start.line + 1, start.column + 1)
        if event.anchor or event.tag:
            raise _Refused(_not_bare(place))
        if self.aside:
            value = surrogates.restored(value, self.text[start.index : end.index], double=style == '"')
        if style in _BLOCKS:
            value = value.rstrip("\n")
        top = self.stack[-1] if self.stack else None
        if top and not top.awaited and type(top.value) is dict:
            self._key(top, value, place)
        else:
            self._put(value if value or style else None, place)
        if not style:
            if self.text[end.index : end.index + 1] != ":":  # as behind a key, where no comment begins
                self._comment(value, end)
        elif style in _QUOTED and end.line >= place.line:
            self.quoted = place, end.line + 1

    def _comment(self, value: str, end: Any) -> None:
        """Note a comment behind a value without quotation marks, on its line or on a later one; `end` is a mark."""
        if found := _COMMENT.match(self.text, end.index):
            lines = found["gap"].split("\n")
            column = len(lines[-1]) + (1 if len(lines) > 1 else end.column + 1)
            place = Place(self.file, end.line + len(lines), column)
            self.comments.append(Comment(value, found["beginning"], place))

    def _key(self, top: _Open, key: str, place: Place) -> None:
        if key == "<<":
            raise _Refused(yaml_feature(place, "Merge keys", "Write the keys out."))
        if key in top.lines:
            top.twice.append((place, top.lines[key]))
        else:
            top.lines[key] = place.line
        top.awaited = path = (*top.path, key)
        self.keys[path] = place

    def _open(self, value: list[Any] | dict[str, Any], place: Place) -> None:
        top = self.stack[-1] if self.stack else None
        if top and not top.awaited and type(top.value) is dict:
            raise _Refused(yaml_feature(place, "Keys that are lists or mappings", "Make the key one word."))
        if len(self.stack) >= DEEPEST:
            raise _Refused(yaml_too_deep(place))
        self.stack.append(_Open(value, self._put(value, place)))

    def _close(self) -> None:
        closed = self.stack.pop()
        if closed.twice:
            self.doubled.add(closed.path)
            self.findings.append(duplicate_key(*closed.twice[0], more=len(closed.twice) - 1))

    def _put(self, value: Any, place: Place) -> Path:
        """Put a value where it belongs, and return its path; an empty value of a key leaves the key out."""
        if not self.stack:
            self.root = value
            return ()
        top = self.stack[-1]
        path = top.awaited or (*top.path, len(top.value))
        if isinstance(top.value, list):
            top.value.append(value)
        else:
            if value is not None:
                top.value[str(path[-1])] = value
            top.awaited = None
        self.places[path] = place
        return path


def parse(text: str, *, file: str, most: int = MOST) -> Typed:
    """Read YAML as text, of at most so many events.

    Returns strings, lists and dictionaries (None where nothing could be read) with the place of everything by its
    path, and findings. Lines and columns count from 1, columns in code points. A byte order mark at the beginning,
    and line ends of either kind, make no difference (YAML 1.2, sections 5.2 and 5.4).
    """
    text = text.removeprefix("\ufeff")
    if found := _INVISIBLE.search(text.replace("\r\n", " \n")):
        return _nothing([yaml_character(_place_at(text, found.start(), file), found[0])])
    parsed = surrogates.set_aside(text)
    builder = _Builder(file, text, most, aside=parsed is not text)
    try:
        builder.build(iter(yaml.CBaseLoader(parsed).get_event, None))
    except _Refused as refused:
        return _nothing([refused.finding])
    except yaml.YAMLError as error:
        place = _place_of(error, file)
        if builder.quoted and builder.quoted[1] == place.line:
            return _nothing([_closed_late(*builder.quoted)])
        return _nothing([yaml_syntax(place, str(getattr(error, "problem", "")))])
    return Typed(builder.root, builder.places, builder.keys, builder.findings, builder.comments, builder.doubled, text)


def _nothing(findings: list[Finding]) -> Typed:
    return Typed(None, {}, {}, findings, [], set())


def _place_at(text: str, offset: int, file: str) -> Place:
    before = text[:offset]
    return Place(file, before.count("\n") + 1, offset - before.rfind("\n"))


_AT_ITS_BEGINNING = {
    "could not find expected ':'",
    "found unexpected end of stream",
    "found unexpected document indicator",
}
"""Problems that libyaml finds behind what is at fault: a key, or words in quotation marks."""


def _place_of(error: yaml.YAMLError, file: str) -> Place:
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    if getattr(error, "problem", None) in _AT_ITS_BEGINNING:
        marks.reverse()
    mark = marks[0] or marks[1]
    return Place(file, mark.line + 1, mark.column + 1) if mark else Place(file)


# ---- faults ------------------------------------------------------------------------------------------------


def yaml_syntax(place: Place, problem: str) -> Finding:
    """A file that people write must be YAML."""
    safest = "Words with : # ' or \" in them are safest as a block: `|-`."
    sentence, hint = _IN_PLAIN_WORDS.get(problem, (f"This is no YAML: {problem or 'it cannot be read'}.", safest))
    return Finding(place, "yaml-syntax", sentence, (hint,))


def _closed_late(place: Place, line: int) -> Finding:
    """Word the fault `yaml-syntax` for a quotation mark that another value's mark seems to close."""
    message = f"The quotation mark that opens here is closed in line {line} only."
    hint = "Close it where the words end; inside double quotation marks one is written `\\\"`, inside single ones `''`."
    return Finding(place, "yaml-syntax", message, (hint,))


def yaml_character(place: Place, character: str) -> Finding:
    """A file that people write holds no character that cannot be seen or that YAML takes for a line end."""
    return Finding(
        place,
        "yaml-character",
        f"U+{ord(character):04X} must not stand here as it is.",
        (f'Take it out; in a string with double quotation marks it can be written "\\u{ord(character):04x}".',),
    )


def yaml_feature(place: Place, feature: str, hint: str) -> Finding:
    """A file that people write is text, lists and mappings: no anchors, aliases, tags, merge keys or documents."""
    return Finding(place, "yaml-feature", f"{feature} are not used here.", (hint,))


def _not_bare(place: Place) -> Finding:
    """Word the fault `yaml-feature` for what stands before a value."""
    return yaml_feature(place, "Anchors, aliases and tags", _WRITE_OUT)


def yaml_too_deep(place: Place) -> Finding:
    """Lists and mappings are nested fifty deep at most."""
    message = f"Lists and mappings are nested more than {DEEPEST} deep here."
    return Finding(place, "yaml-too-deep", message, ("Words that begin with [ or { need quotation marks.",))


def too_long(place: Place, most: int = MOST) -> Finding:
    """Word the fault `file-too-large` for a file with too many values."""
    message = f"This file has more than {most:,} keys and values."
    return Finding(place, "file-too-large", message, ("Annotate one article in a file.",))


def duplicate_key(place: Place, first: int, *, more: int = 0) -> Finding:
    """A key stands once in its mapping."""
    message = f"This key stands in line {first} already."
    if not more:
        return Finding(place, "duplicate-key", message, ("Keep one of the two.",))
    message = f"This key stands in line {first} already, and {more} more of these keys stand twice."
    return Finding(
        place, "duplicate-key", message, ("Begin the next item of the list with `- `, or keep one of each.",)
    )


FAULTS = (yaml_syntax, yaml_character, yaml_feature, yaml_too_deep, duplicate_key)
