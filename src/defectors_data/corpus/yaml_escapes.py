"""Escapes in YAML: strings in double quotation marks, and escaped surrogate pairs.

JSON may write a character beyond U+FFFF as two escapes, which libyaml refuses.

In double quotation marks a pair is one character; anywhere else it is twelve plain characters, and
only libyaml can distinguish the two. Pairs are therefore replaced before parsing with other escapes
of the same length, so that no place changes, and are restored in the parsed values. Half of a pair
is not a character, and libyaml still refuses it.
"""

from __future__ import annotations

import re

import yaml

from defectors_data.text.offsets import LAST_OF_TWO_BYTES

# An even number of backslashes may come before `\u`; after an odd number, `\u` is not an escape.
_HALVES = (
    r"(?<!\\)((?:\\\\)*)\\u([{first}])([89abAB][0-9a-fA-F]{{2}})"
    r"\\u([{first}])([c-fC-F][0-9a-fA-F]{{2}})"
)
# Not compiled: few texts have a pair.
_PAIR = _HALVES.format(first="dD")
_ASIDE = _HALVES.format(first="45")
# The code points from U+4800 to U+5FFF are ordinary characters, which libyaml accepts.
_THERE, _BACK = str.maketrans("dD", "45"), str.maketrans("45", "dD")


def set_aside(text: str) -> str:
    """Return YAML text with every pair replaced.

    A text that already contains such replacements is returned unchanged.
    """
    if "\\ud" not in text and "\\uD" not in text:
        return text
    # Replacements could not be distinguished from such escapes, so libyaml has to refuse the pairs.
    return (
        text
        if re.search(_ASIDE, text)
        else re.sub(_PAIR, lambda found: _first_digits(found, _THERE), text)
    )


def restored(value: str, typed: str, *, double: bool) -> str:
    """Return the value of a scalar with its pairs restored.

    Args:
        value: the value that was parsed while pairs were set aside.
        typed: the scalar as the user entered it.
        double: whether it is in double quotation marks, where a pair is one character.
    """
    if not re.search(_PAIR, typed):
        return value
    if not double:
        return re.sub(_ASIDE, lambda found: _first_digits(found, _BACK), value)
    # The parsed value has lost its escapes, so the scalar is parsed again with escapes that libyaml
    # accepts.
    events = yaml.parse(re.sub(_PAIR, _joined, typed), Loader=yaml.CBaseLoader)
    return next(event.value for event in events if isinstance(event, yaml.ScalarEvent))


def _first_digits(found: re.Match[str], table: dict[int, int]) -> str:
    before, first, high, second, low = found.groups()
    return f"{before}\\u{first.translate(table)}{high}\\u{second.translate(table)}{low}"


def _joined(found: re.Match[str]) -> str:
    """Return a pair as the single escape that YAML has for its character."""
    high, low = int(f"d{found[3]}", 16), int(f"d{found[5]}", 16)
    return f"{found[1]}\\U{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):08x}"


_PLAIN = re.compile(r"-?[A-Za-z0-9][A-Za-z0-9_.~-]*")
"""Values that need no quotation marks: `yaml_reader` takes every scalar as a string, even `no`."""


def scalar(value: str) -> str:
    """Return a value as YAML: plain if it is one word or number, else in quotation marks."""
    return value if _PLAIN.fullmatch(value) else in_yaml(value)


def in_yaml(words: str) -> str:
    """Return words as a double-quoted YAML string."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{"".join(map(_escaped, escaped))}"'


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return (
        f"\\u{ord(character):04x}"
        if ord(character) <= LAST_OF_TWO_BYTES
        else f"\\U{ord(character):08x}"
    )
