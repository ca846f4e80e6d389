"""Values of a YAML file that are read otherwise than they are typed.

White space may differ, and a quotation mark, a backslash or any character may be escaped.
Everything else that YAML leaves out, joins or replaces is a finding. Words that must be in the
article are also compared with its text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.yaml_reader import NULLS, TypedValue

_SHOWN = 40
"""Maximum number of characters that a message repeats from a value, or from each of two lines."""

_WRAPPED = 60
"""Minimum length of a line in brackets that goes on in the next one; after a shorter one, a comma
may be missing."""

_ESCAPE = re.compile(r"(?:^|[^\\])(?:\\\\)*[\w:](?P<escape>\\[n_])[a-z]")
"""An escape inside a word, such as in a path or a term, that was probably not meant as a line break
or a space."""

_LIKE_KEY = re.compile(r"""(?:- +)*["']?(?P<key>\w+)["']?[ \t]*:(?:[ \t]|$)""")
_LIKE_ITEM = re.compile(r"-[ \t]")
_BROKEN_WORD = re.compile(r"\w-[ \t\r]*$")


class _Line(NamedTuple):
    """A line of a value after its first one."""

    number: int
    indent: int
    words: str
    before: str
    """The line before, without white space around it."""
    is_wrapped: bool
    """Whether the line before is so long that it was probably broken for its length."""


def alteration(value: TypedValue, keys: Collection[str], *, discreet: bool) -> Finding | None:
    """Return the finding for a value that is not read as it is typed, or None.

    Args:
        value: the value.
        keys: all keys that the file can contain.
        discreet: whether the message must not repeat the value.
    """
    if not value.style and value.typed in NULLS:
        hint = "Leave the key out if it has no value; put the word in quotation marks if it is one."
        return value_not_as_typed(value.place, f"`{value.typed}` is read as a word.", hint)
    if value.style == '"' and (found := _ESCAPE.search(value.typed)):
        read = {"n": "a line break", "_": "a space"}[found["escape"][1]]
        message = f"`{found['escape']}` is read as {read} in double quotation marks."
        return value_not_as_typed(
            value.place, message, "Write a backslash as `\\\\`, and a line break in a block: `|-`."
        )
    for line in _lines_after_first(value):
        if finding := _joined(value, line, keys, discreet=discreet):
            return finding
    return None


def lost_comment(value: TypedValue, *, discreet: bool) -> Finding:
    """Return the finding for a comment that was probably meant as words of the value before it."""
    message = "The words after the # are not read: they are a comment."
    if not discreet:
        read = "Nothing is read"
        if value.value:
            read = f"Only `{_end_of(value.value)}` is read"
        message = f"{read} here: `{_shown(value.comment)}` is a comment."
    hint = (
        "Put words with # in quotation marks; put a comment after the quotation marks, or on a "
        "line above the key."
    )
    return value_not_as_typed(value.comment_place or value.place, message, hint)


def _lines_after_first(value: TypedValue) -> Iterator[_Line]:
    before, start = "", value.place.column - 1
    for i, line in enumerate(value.typed.split("\n")):
        words = line.strip(" \t\r")
        if i and words:
            indent = len(line) - len(line.lstrip(" \t"))
            yield _Line(
                value.place.line + i, indent, words, before.strip(), start + len(before) >= _WRAPPED
            )
        before, start = line, 0 if i else start


def _joined(
    value: TypedValue, line: _Line, keys: Collection[str], *, discreet: bool
) -> Finding | None:
    """Return the finding for a line that may not have been meant as a part of the value."""
    place = Place(value.place.file, line.number, line.indent + 1)
    like_key = _LIKE_KEY.match(line.words)
    is_key = like_key is not None and like_key["key"] in keys
    is_quoted = value.style in ("'", '"')
    if (
        is_key
        or (not value.style and _LIKE_ITEM.match(line.words))
        or (is_quoted and line.indent <= value.indent)
    ):
        shown = "" if discreet else f": `{_shown(line.words)}`"
        message = (
            "This line is read as words of the value that begins on line "
            f"{value.place.line}{shown}."
        )
        hint = (
            "Indent it like the keys or items above; if it is part of the words, join it to the "
            "line before."
        )
        if is_quoted:
            hint = (
                "Close the quotation mark before it and indent it like the keys above, or join it "
                "to the line before."
            )
        return value_not_as_typed(place, message, hint)
    is_item = value.in_braces and not value.style and not line.is_wrapped
    if is_item or (value.style != "|" and _BROKEN_WORD.search(line.before)):
        shown = "" if discreet else f": `{_end_of(line.before)} {_shown(line.words)}`"
        hint = "Put a comma between two values, or the whole value on one line."
        return value_not_as_typed(
            place, f"This line and the one before are read with a space between them{shown}.", hint
        )
    return None


def _end_of(words: str) -> str:
    if len(words) <= _SHOWN:
        return words
    return f"… {words[-_SHOWN:].partition(' ')[2]}"


def _shown(words: str) -> str:
    if len(words) <= _SHOWN:
        return words
    return f"{words[:_SHOWN].rpartition(' ')[0]} …"


# ---- findings ------------------------------------------------------------------------------------


def value_not_as_typed(place: Place, message: str, hint: str) -> Finding:
    """What YAML reads must be what is typed.

    No words may be lost in a comment, joined with others, or changed.
    """
    return Finding(place, "value-not-as-typed", message, (hint,))


FAULTS = (value_not_as_typed,)
