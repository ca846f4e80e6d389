"""Escaped pairs of surrogates, by which JSON writes what lies beyond the basic plane: libyaml knows none.

Strings only. A pair is one character in double quotation marks, and twelve plain characters anywhere else. Which of the
two it is shows only when libyaml has read what is around it: so pairs are set aside for other escapes of the same
length, which keeps every place, and what was read of them is mended afterwards. A half without the other is no
character and stays what libyaml makes of it, a fault.
"""

from __future__ import annotations

import re

import yaml

_HALVES = r"(?<!\\)((?:\\\\)*)\\u([{first}])([89abAB][0-9a-fA-F]{{2}})\\u([{first}])([c-fC-F][0-9a-fA-F]{{2}})"
_PAIR, _ASIDE = _HALVES.format(first="dD"), _HALVES.format(first="45")  # compiled where a text has any: few have
_THERE, _BACK = str.maketrans("dD", "45"), str.maketrans("45", "dD")


def set_aside(text: str) -> str:
    """Return YAML text with every pair written as two other escapes, or as it is where these could be mistaken."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return text if re.search(_ASIDE, text) else re.sub(_PAIR, lambda found: _first_digits(found, _THERE), text)


def restored(value: str, typed: str, *, double: bool) -> str:
    """Return what a scalar says, by what was read of it with its pairs set aside, and by how it was typed.

    `double` tells that it stands in double quotation marks: there a pair is a character.
    """
    if not re.search(_PAIR, typed):
        return value
    if not double:
        return re.sub(_ASIDE, lambda found: _first_digits(found, _BACK), value)
    events = yaml.parse(re.sub(_PAIR, _joined, typed), Loader=yaml.CBaseLoader)
    return next(event.value for event in events if isinstance(event, yaml.ScalarEvent))


def _first_digits(found: re.Match[str], table: dict[int, int]) -> str:
    before, first, high, second, low = found.groups()
    return f"{before}\\u{first.translate(table)}{high}\\u{second.translate(table)}{low}"


def _joined(found: re.Match[str]) -> str:
    """Return a pair as the one escape that YAML has for its character."""
    high, low = int(f"d{found[3]}", 16), int(f"d{found[5]}", 16)
    return f"{found[1]}\\U{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):08x}"
