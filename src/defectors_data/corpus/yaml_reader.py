"""YAML text as plain strings, lists and dictionaries, with the place of each.

libyaml's event stream is read as it arrives. Each event has its position, no recursion is needed,
and everything that YAML has beyond text, lists and mappings (anchors, tags, merge keys, several
documents, keys that are not text) is rejected where it appears. The depth and the number of events
are limited. The models decide what the values mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import yaml

from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.text.offsets import LAST_OF_TWO_BYTES, line_and_column, line_starts

DEEPEST = 50
"""Maximum depth of nested lists and mappings."""

MOST = 20_000
"""Maximum number of events (texts, keys, beginnings and ends of lists and mappings) in a file."""

Places: TypeAlias = dict[Path, Place]

# libyaml reads U+0085, U+2028, U+2029 and a lone carriage return as line breaks, even where an
# editor shows one line; the others are invisible, or change the order in which an editor shows the
# characters around them. U+2066 to U+2069 change this order too, but are refused only in comments.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ufeff\ufffe\uffff\ud800-\udfff]|(?<=[ "
    "\t\n])#[^\n]*[\u2066-\u2069]"
)

# A character that only looks like a space or a colon, in an indentation or after a key.
_LOOKALIKE = re.compile(
    r"^[ -]*(?:(?P<colon>[^\W\d]\w*[：﹕꞉ː∶])|(?:[^\W\d]\w*:)?(?P<space>[^\S \t\r\n]))",
    re.MULTILINE,
)

_COMMENT = re.compile(r"(?P<gap>[ \t\r\n]++)(?P<words>#[^\r\n]*)")

NULLS = ("null", "Null", "NULL", "~")
"""What other programs read as no value; here it is text, like all values."""

_BLOCKS = ("|", ">")
"""Styles of block scalars; line feeds at their end are dropped, whether `|` or `|-` was typed."""

_QUOTE_IT = "Put the value in quotation marks, or write it as a block: `|-`."
_WRITE_OUT = "Write the value out; words that begin with & * or ! need quotation marks."
_INDENT = "Indent this line with spaces, as far as the lines around it."
_UNCLOSED = (
    "A quotation mark is never closed.",
    'Close it; write a quotation mark inside double ones as `\\"`.',
)
_ESCAPE = (
    "YAML has no such escape sequence.",
    "Write `\\\\` for a backslash in double quotation marks.",
)
_DIRECTIVE = ("A line cannot begin with `%`.", _QUOTE_IT)
_TAB = ("This line is indented with a tab.", _INDENT)

_MESSAGES = {
    "mapping values are not allowed in this context": (
        (
            "A value without quotation marks contains a colon and a space, "
            "or this line is indented too far."
        ),
        _QUOTE_IT,
    ),
    "block sequence entries are not allowed in this context": (
        (
            "A list item cannot begin here: it is on the same line as its key, "
            "or the indentation is wrong."
        ),
        "Begin the list on the next line; words that begin with `-` need quotation marks.",
    ),
    "mapping keys are not allowed in this context": (
        "A value cannot begin with `?` and a space.",
        _QUOTE_IT,
    ),
    "did not find expected key": (
        "A key was expected here; the indentation or a quotation mark may be wrong.",
        (
            "Indent this line with spaces, as far as the lines around it; double a quotation mark "
            "inside single ones."
        ),
    ),
    "did not find expected '-' indicator": (
        "A list item beginning with `-` was expected here.",
        _INDENT,
    ),
    "did not find expected ',' or ']'": (
        "A list that begins with `[` has no comma here, or is not closed.",
        "Add the comma or `]`; words that begin with `[` need quotation marks.",
    ),
    "did not find expected ',' or '}'": (
        "A mapping that begins with `{` has no comma here, or is not closed.",
        "Add the comma or `}`; words that contain a comma or begin with `{` need quotation marks.",
    ),
    "found unexpected end of stream": _UNCLOSED,
    "found unexpected document indicator": _UNCLOSED,
    "could not find expected ':'": ("A key has no colon after it.", "Add a colon and a space."),
    "found character that cannot start any token": (
        "A value cannot begin with this character, and a line cannot begin with a tab.",
        "Put the value in quotation marks; indent with spaces.",
    ),
    "found a tab character where an indentation space is expected": _TAB,
    "found a tab character that violates indentation": _TAB,
    "found unknown escape character": _ESCAPE,
    "did not find expected hexdecimal number": _ESCAPE,
    "found invalid Unicode character escape code": (
        (
            "This escape does not represent a character: it is part of a surrogate pair, which only "
            "JSON has, or the number is too high."
        ),
        "Write the character itself, or its code point as \\U and eight hexadecimal digits.",
    ),
    "did not find expected comment or line break": (
        "A value that begins with `|` or `>` is a block, but there are words on the same line.",
        "Begin the block on the next line, or put the value in quotation marks.",
    ),
    "did not find expected alphabetic or numeric character": (
        "A value cannot begin with `&` or `*`.",
        _QUOTE_IT,
    ),
    "did not find expected whitespace or line break": (
        "A value cannot begin with `!`, `&` or `*`.",
        _QUOTE_IT,
    ),
    "could not find expected directive name": _DIRECTIVE,
    "found unknown directive name": _DIRECTIVE,
    "found incompatible YAML document": _DIRECTIVE,
    "found duplicate %YAML directive": _DIRECTIVE,
    "did not find expected node content": (
        "A value was expected here.",
        "Write it, or remove the comma.",
    ),
    "did not find expected <document start>": (
        "There is text after the end of the document.",
        "Indent it like the lines that it belongs with, or remove it.",
    ),
}
"""The message and the hint for each problem that libyaml reports."""


CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?= |$)", re.MULTILINE)
"""The markers that Git writes around the two versions of lines that it could not merge."""
RESOLVE = (
    "Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and "
    ">>>>>>>."
)


class TypedValue(NamedTuple):
    """A value that YAML may read differently from what was typed.

    `alterations` compares the two.
    """

    path: Path
    value: str | None
    """What YAML reads; None if a key has no value."""
    typed: str
    """The characters of the value in the file, with its quotation marks."""
    style: str
    """The quotation mark or block sign with which it begins; empty if it has neither."""
    place: Place
    indent: int
    """The number of characters before the list or mapping that contains the value; a block encloses
    those in braces."""
    in_braces: bool
    """Whether the list or mapping that contains the value is written in `[ ]` or `{ }`."""
    comment: str = ""
    """A comment that would be part of the value without its `#`; only a value without quotation
    marks can have one."""
    comment_place: Place | None = None


class ParsedFile(NamedTuple):
    """The content of a file: its value, the places of values and keys, and findings."""

    value: Any
    places: Places
    """The place of each value, by the path of the value."""
    keys: Places
    """The place of each key, by the path of its value."""
    findings: list[Finding]
    doubtful: list[TypedValue]
    """Values that YAML may read differently from what was typed."""
    doubled: set[Path]
    """The paths of mappings that contain a key twice; of the whole file, the paths of such keys."""
    text: str = ""
    """The text of a YAML file; empty for JSON."""


class _RejectedError(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class _OpenCollection:
    """A list or mapping whose end has not been read yet."""

    # One is made for each list and mapping.
    __slots__ = ("awaited", "in_braces", "indent", "lines", "path", "twice", "value")

    def __init__(
        self, value: list[Any] | dict[str, Any], path: Path, indent: int, *, in_braces: bool
    ) -> None:
        self.value, self.path, self.indent, self.in_braces = value, path, indent, in_braces
        self.awaited: Path | None = None
        """The path of the key whose value comes next."""
        self.lines: dict[str, int] = {}
        """The line of each key of a mapping."""
        self.twice: list[tuple[Place, int]] = []
        """Repeated keys: the place of each repetition, and the line of the first use."""


class _ValueBuilder:
    """A builder of values, places and findings from the events of a file."""

    def __init__(self, file: str, text: str, most: int) -> None:
        self.file, self.text, self.most = file, text, most
        self.line_starts = line_starts(text)
        self.places: Places = {}
        self.keys: Places = {}
        self.findings: list[Finding] = []
        self.doubtful: list[TypedValue] = []
        self.doubled: set[Path] = set()
        self.stack: list[_OpenCollection] = []
        self.root: Any = None
        self.documents = 0
        self.quoted: tuple[Place, int] | None = None
        """The place of the quotation mark that opens the last multi-line value, and the line of its
        closing mark."""

    def build(self, events: Iterable[Any]) -> None:
        # The types of events are compared by identity and in order of frequency: a file has
        # thousands of events.
        for count, event in enumerate(events):
            if count >= self.most:
                raise _RejectedError(_too_long(self._place(event), self.most))
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close()
            elif kind is yaml.MappingStartEvent:
                self._open({}, event)
            elif kind is yaml.SequenceStartEvent:
                self._open([], event)
            elif kind is yaml.AliasEvent:
                # An alias always names an anchor, so this raises an error.
                self._place_of_bare(event)
            elif kind is yaml.DocumentStartEvent:
                self.documents += 1
                if event.tags:
                    raise _RejectedError(
                        yaml_feature(
                            self._place(event),
                            "Directives",
                            "Remove the line that begins with `%`.",
                        )
                    )
                if self.documents > 1:
                    raise _RejectedError(
                        yaml_feature(self._place(event), "Several documents", "Keep one of them.")
                    )

    def _place(self, event: Any) -> Place:
        mark = event.start_mark
        return Place(self.file, mark.line + 1, mark.column + 1)

    def _place_of_bare(self, event: Any) -> Place:
        """Return the place of a value; a value with an anchor, alias or tag is rejected."""
        place = self._place(event)
        if event.anchor or getattr(event, "tag", None):
            raise _RejectedError(yaml_feature(place, "Anchors, aliases and tags", _WRITE_OUT))
        return place

    def _scalar(self, event: Any) -> None:
        """Add a scalar as a key or as a value, and record a value that may be altered."""
        end, value, style = event.end_mark, event.value, event.style
        place = self._place_of_bare(event)
        if style in _BLOCKS:
            value = value.rstrip("\n")
        top = self.stack[-1] if self.stack else None
        if top and not top.awaited and type(top.value) is dict:
            if style in _BLOCKS:
                raise _RejectedError(
                    yaml_feature(place, "Keys that are blocks", "Make the key one word.")
                )
            self._key(top, value, place)
        else:
            # If nothing follows the colon, the key has no value; two quotation marks, however, are
            # an empty string.
            read = None
            if value or style:
                read = value
            self._compare(read, style or "", event, self._put(read, place), place)
        if style and style not in _BLOCKS and end.line >= place.line:
            self.quoted = place, end.line + 1

    def _typed(self, event: Any) -> str:
        return self.text[self._offset(event.start_mark) : self._offset(event.end_mark)]

    def _offset(self, mark: Any) -> int:
        """Return an offset in the text.

        The offsets of libyaml count CRLF inside a value as one character.
        """
        if mark.line >= len(self.line_starts):
            return len(self.text)
        offset: int = self.line_starts[mark.line] + mark.column
        return min(offset, len(self.text))

    def _compare(self, value: str | None, style: str, event: Any, path: Path, place: Place) -> None:
        """Record a value that has no words, several lines, an escape or a comment."""
        start, end = event.start_mark, event.end_mark
        top = self.stack[-1] if self.stack else None
        indent, in_braces = (top.indent, top.in_braces) if top else (-1, False)
        comment = None if style else self._comment_after(end, indent, is_empty=value is None)
        is_null = value is None or (not style and value in NULLS)
        has_escape = style == '"' and "\\" in self._typed(event)
        if is_null or comment or end.line > start.line or has_escape:
            typed, (words, at) = self._typed(event), comment or ("", None)
            self.doubtful.append(
                TypedValue(path, value, typed, style, place, indent, in_braces, words, at)
            )

    def _comment_after(self, end: Any, indent: int, *, is_empty: bool) -> tuple[str, Place] | None:
        """Return a comment that could be words of the value before it, and its place.

        It is on the same line as the key, or below a value and further to the right than `indent`.
        `end` is where libyaml says the value ends.
        """
        found = _COMMENT.match(self.text, self._offset(end))
        if not found:
            return None
        lines = found["gap"].split("\n")
        if len(lines) > 1 and (is_empty or len(lines[-1]) <= indent):
            return None
        column = len(lines[-1]) + (1 if len(lines) > 1 else end.column + 1)
        return found["words"].rstrip(), Place(self.file, end.line + len(lines), column)

    def _key(self, top: _OpenCollection, key: str, place: Place) -> None:
        if key == "<<":
            raise _RejectedError(yaml_feature(place, "Merge keys", "Write the keys out."))
        if key in top.lines:
            top.twice.append((place, top.lines[key]))
            self.doubled.add(top.path or (key,))
        else:
            top.lines[key] = place.line
        top.awaited = path = (*top.path, key)
        self.keys[path] = place

    def _open(self, value: list[Any] | dict[str, Any], event: Any) -> None:
        place = self._place_of_bare(event)
        top = self.stack[-1] if self.stack else None
        if top and not top.awaited and type(top.value) is dict:
            raise _RejectedError(
                yaml_feature(place, "Keys that are lists or mappings", "Make the key one word.")
            )
        if len(self.stack) >= DEEPEST:
            raise _RejectedError(yaml_too_deep(place))
        in_braces, indent = bool(event.flow_style), event.start_mark.column
        if in_braces:
            indent = top.indent if top else -1
        self.stack.append(
            _OpenCollection(value, self._put(value, place), indent, in_braces=in_braces)
        )

    def _close(self) -> None:
        closed = self.stack.pop()
        if closed.twice:
            self.findings.append(duplicate_key(*closed.twice[0], more=len(closed.twice) - 1))

    def _put(self, value: Any, place: Place) -> Path:
        """Add a value to its list or mapping, and return its path.

        A key without a value is left out.
        """
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


def parse(text: str, *, file: str, most: int = MOST) -> ParsedFile:
    """Parse YAML text of at most `most` events.

    Returns strings, lists and dictionaries (None if nothing could be read), the place of each by
    its path, and findings. Lines and columns count from 1, columns in code points. A byte order
    mark at the beginning is ignored, and line endings may be LF or CRLF (YAML 1.2, sections 5.2 and
    5.4).
    """
    text = text.removeprefix("\ufeff")
    # The space in place of the carriage return keeps offsets as they are.
    if found := _INVISIBLE.search(text.replace("\r\n", " \n")):
        return unreadable(
            yaml_character(Place(file, *line_and_column(text, found.end() - 1)), found[0][-1])
        )
    builder = _ValueBuilder(file, text, most)
    try:
        builder.build(iter(yaml.CBaseLoader(text).get_event, None))
    except _RejectedError as refused:
        return unreadable(refused.finding)
    except yaml.YAMLError as error:
        place = _place_of(error, file)
        if found := CONFLICT.search(text):
            place = Place(file, *line_and_column(text, found.start()))
            message = "This line is a Git conflict marker."
            return unreadable(Finding(place, "yaml-syntax", message, (RESOLVE,)))
        if builder.quoted and builder.quoted[1] == place.line:
            return unreadable(_closed_late(*builder.quoted))
        # libyaml reports some of these mistakes one line late.
        near = text.splitlines(keepends=True)[max(0, place.line - 2) : place.line]
        if found := _LOOKALIKE.search("".join(near)):
            return unreadable(
                _looks_alike(Place(file, place.line + 1 - len(near)), "".join(near), found)
            )
        return unreadable(yaml_syntax(place, str(getattr(error, "problem", ""))))
    return ParsedFile(
        builder.root,
        builder.places,
        builder.keys,
        builder.findings,
        builder.doubtful,
        builder.doubled,
        text,
    )


def unreadable(finding: Finding) -> ParsedFile:
    """Return the result for a file or line that cannot be read: no value, and a finding."""
    return ParsedFile(None, {}, {}, [finding], [], set())


_AT_ITS_BEGINNING = {
    "could not find expected ':'",
    "found unexpected end of stream",
    "found unexpected document indicator",
}
"""Problems that libyaml reports after the key or the quotation mark that causes them."""


def _place_of(error: yaml.YAMLError, file: str) -> Place:
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    if getattr(error, "problem", None) in _AT_ITS_BEGINNING:
        marks.reverse()
    mark = marks[0] or marks[1]
    if mark:
        return Place(file, mark.line + 1, mark.column + 1)
    return Place(file)


# ---- values as YAML ------------------------------------------------------------------------------

_PLAIN = re.compile(r"-?[A-Za-z0-9][A-Za-z0-9_.~-]*")
"""Values that need no quotation marks: every scalar is read as a string, even `no`."""


def scalar(value: str) -> str:
    """Return a value as YAML: plain if it is one word or number, else in quotation marks."""
    return value if _PLAIN.fullmatch(value) else in_yaml(value)


def in_yaml(words: str) -> str:
    """Return words as a double-quoted YAML string."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{"".join([_escaped(character) for character in escaped])}"'


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code <= LAST_OF_TWO_BYTES:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"


# ---- findings ------------------------------------------------------------------------------------


def yaml_syntax(place: Place, problem: str) -> Finding:
    """Every YAML file of a project must be valid YAML."""
    safest = "Words with : # ' or \" in them are safest as a block: `|-`."
    sentence, hint = _MESSAGES.get(
        problem, (f"This is not valid YAML: {problem or 'it cannot be read'}.", safest)
    )
    return Finding(place, "yaml-syntax", sentence, (hint,))


def _closed_late(place: Place, line: int) -> Finding:
    """Report `yaml-syntax` for a quotation mark that is probably closed by the next value's."""
    message = f"The quotation mark that opens here is not closed until line {line}."
    hint = (
        'Close it where the words end; inside double quotation marks write `\\"`, inside single '
        "ones `''`."
    )
    return Finding(place, "yaml-syntax", message, (hint,))


def _looks_alike(first: Place, text: str, found: re.Match[str]) -> Finding:
    """Report `yaml-syntax` for a character that only looks like a space or a colon.

    `text` begins at `first`.
    """
    name = "colon" if found["colon"] else "space"
    line, column = line_and_column(text, found.end() - 1)
    message = f"U+{ord(text[found.end() - 1]):04X} is not the {name} that YAML expects here."
    place = Place(first.file, first.line + line - 1, column)
    return Finding(place, "yaml-syntax", message, (f"Type an ordinary {name}.",))


def yaml_character(place: Place, character: str) -> Finding:
    """A YAML file must contain no unescaped control or text-direction characters.

    Its line endings must be LF or CRLF.
    """
    code = f"{ord(character):04X}"
    hint = f"Remove it; in double quotation marks, it can be written as `\\u{code.lower()}`."
    return Finding(
        place, "yaml-character", f"U+{code} is not allowed here unless it is escaped.", (hint,)
    )


def yaml_feature(place: Place, feature: str, hint: str) -> Finding:
    """A YAML file must be one document of text, lists and mappings.

    Anchors, tags and merge keys are not allowed.
    """
    return Finding(place, "yaml-feature", f"{feature} are not allowed here.", (hint,))


def yaml_too_deep(place: Place) -> Finding:
    """Lists and mappings must be nested at most fifty levels deep."""
    message = f"Lists and mappings are nested more than {DEEPEST} levels deep here."
    return Finding(
        place, "yaml-too-deep", message, ("Words that begin with [ or { need quotation marks.",)
    )


def _too_long(place: Place, most: int) -> Finding:
    """Report `file-too-large` for a file with too many values."""
    message = f"This file has more than {most:,} keys and values."
    return Finding(place, "file-too-large", message, ("Annotate only one article per file.",))


def duplicate_key(place: Place, first: int, *, more: int = 0) -> Finding:
    """A mapping must not contain a key twice."""
    message, hint = f"This key is already on line {first}.", "Keep one of the two."
    if more:
        message = f"This key is already on line {first}; further repeated keys: {more}."
        hint = "Begin the next item of the list with `- `, or keep one of each."
    return Finding(place, "duplicate-key", message, (hint,))


FAULTS = (yaml_syntax, yaml_character, yaml_feature, yaml_too_deep, duplicate_key)
