"""Everything in a text that has to be accounted for: each run between quotation marks, and each number.

Strings only. A run of quotation ends with its paragraph at the latest: where the mark is missing, where a quotation
goes on in the next paragraph behind a repeated opening mark, and where it opens in one style and closes in another, the
run is found all the same. Apostrophes are told apart from closing marks by the letters around them. What is found too
much is for a waiver to settle; nothing is to be missed. docs/annotators/detecting.md says what cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text import quantities
from defectors_data.text.quantities import Quantity

Kind: TypeAlias = Literal["quotation", "quantity", "ordinal", "date", "clock_time", "list_number", "name"]


class Detection(NamedTuple):
    """One thing that was found: zero-based code points, end-exclusive.

    Of a quotation the span is the words between the marks, without them; `unclosed` and `unopened` tell of a missing
    mark. Of a quantity it is the number with its sign, and `quantity` is what the words say.
    """

    start: int
    end: int
    kind: Kind
    unclosed: bool = False
    unopened: bool = False
    quantity: Quantity | None = None


def detect(text: str) -> list[Detection]:
    """Return every quotation and every number of a text, in reading order."""
    readings, others = quantities.analyse(text)
    found = [
        *quotations(text),
        *(Detection(reading.start, reading.end, "quantity", quantity=reading.quantity) for reading in readings),
        *(Detection(start, end, kind) for start, end, kind in others),
    ]
    return sorted(found, key=lambda item: (item.start, -item.end, item.kind))


# ---- quotations --------------------------------------------------------------------------------------------

_DOUBLE = '"“”„‟«»＂〝〞❝❞「」『』《》″'
_SINGLE = "'‘’‚‛‹›`´"
MARKS = frozenset(_DOUBLE + _SINGLE) - set("`´")
"""Every quotation mark that is known, double and single."""
_OPENING = "“„‟«‘‚‛‹〝❝「『《"
_CLOSING = "”»’›〞❞」』》"
_PARAGRAPH = re.compile(r"[^\n]+")
_BRACKETS = "([{<—–-/:…"
_SPACES = " \t\u00a0\u202f\u2009\u200a\u3000"
_SENTENCE_END = r"[.!?…][\"”’'»)\]]*[ \t\u00a0]+(?=\S)"
"""Compiled where it is looked for, which is seldom."""


_ANY = re.compile(f"[{re.escape(_DOUBLE + _SINGLE)}]")
_PARTNER = re.compile(r"['’‛›‹‘](?<!\s.)(?![^\W_])")  # behind no white space: the mark first, for it is rare

DEEPEST = 50
"""Quotations that may be open at a time in a paragraph; what opens beyond them stands inside them anyway."""


class _Mark(NamedTuple):
    at: int
    double: bool
    opens: bool
    closes: bool


def quotations(text: str) -> Iterator[Detection]:
    """Return every run between quotation marks, nested ones too, in the order of their beginnings."""
    for paragraph in _PARAGRAPH.finditer(text):
        yield from sorted(_in_paragraph(text, paragraph.start(), paragraph.end()))


def _in_paragraph(text: str, start: int, end: int) -> Iterator[Detection]:
    """Pair the marks of one paragraph; what stays open runs to its end, what was never opened from its sentence."""
    stack: list[_Mark] = []
    last_closed = start
    for mark in _marks(text, start, end):
        matching = next((i for i in reversed(range(len(stack))) if stack[i].double == mark.double), None)
        if matching is not None and mark.closes and not (mark.opens and _opens_again(text, mark, stack)):
            yield from _unclosed(text, [inner for inner in stack[matching + 1 :] if inner.double], mark.at)
            yield from _run(text, stack[matching].at + 1, mark.at)
            stack, last_closed = stack[:matching], mark.at + 1
        elif mark.opens and len(stack) < DEEPEST:
            stack.append(mark)
        elif mark.opens:
            continue
        elif mark.double or not _plural(text, mark.at):
            sentence = _sentence_start(text, last_closed, mark.at)
            yield from _run(text, sentence, mark.at, unopened=True)
            last_closed = mark.at + 1
    yield from _unclosed(text, stack, end)


def _opens_again(text: str, mark: _Mark, stack: list[_Mark]) -> bool:
    """Tell whether a mark that could do both opens a nested quotation: it stands before a word and behind a space."""
    before = text[mark.at - 1 : mark.at] if mark.at else ""
    after = text[mark.at + 1 : mark.at + 2]
    return bool(stack) and (not before or before in _SPACES) and after.isalnum()


def _marks(text: str, start: int, end: int) -> Iterator[_Mark]:
    """Return the quotation marks of a paragraph with what each can do where it stands; apostrophes are left out."""
    marks = list(_ANY.finditer(text, start, end))
    last_partner = _last_partner(text, start, end) if marks else -1
    for found in marks:
        mark = _mark(text, found.start(), start, end, has_partner=last_partner >= found.end() + 1)
        if mark:
            yield mark


def _mark(text: str, at: int, start: int, end: int, *, has_partner: bool) -> _Mark | None:
    character, double = text[at], text[at] in _DOUBLE
    before = text[at - 1] if at > start else " "
    after = text[at + 1] if at + 1 < end else " "
    behind_space = before in _SPACES or before in _BRACKETS or before in _OPENING or before in "\"'"
    before_space = after in _SPACES
    if not double:
        spaces = {"behind_space": behind_space, "before_space": before_space}
        return _single(text, at, start, end, has_partner=has_partner, **spaces)
    if double and before.isdigit() and not before_space and after.isalnum():
        return None
    opens = behind_space and not before_space
    closes = before not in _SPACES or before_space
    if character in _OPENING:
        opens, closes = True, closes and not opens
    elif character in _CLOSING:
        closes = True
    elif opens and closes and before in _BRACKETS:
        closes = before not in "([{<"
    return _Mark(at, double, opens, closes)


def _single(
    text: str, at: int, start: int, end: int, *, has_partner: bool, behind_space: bool, before_space: bool
) -> _Mark | None:
    """Return a single mark, or None for an apostrophe: inside a word, at a dropped letter, behind a plural."""
    character = text[at]
    before = text[at - 1] if at > start else " "
    after = text[at + 1] if at + 1 < end else " "
    if (before.isalnum() and after.isalnum()) or character in "`´":
        return None
    if character in "‹‚" or (character == "‘" and not before_space):
        return _Mark(at, double=False, opens=True, closes=character != "‚" and not behind_space)
    if behind_space and not before_space:
        dropped = after.isdigit() or _DROPPED.match(text, at + 1, end)  # ('90s, 'tis) with no mark behind it
        opens = after.isalnum() and (has_partner or not dropped)
        return _Mark(at, double=False, opens=opens, closes=character in "'›") if opens or character == "'" else None
    return _Mark(at, double=False, opens=False, closes=True)


_DROPPED = re.compile(r"(?:tis|twas|twere|em|cause|til|till|bout|round|cuz|n|s)\b", re.IGNORECASE)
"""Words that are written with an apostrophe before them."""


def _plural(text: str, at: int) -> bool:
    """Tell whether a closing single mark is rather the apostrophe of a plural or of a dropped g: keepers', goin'."""
    return (
        text[at - 1 : at] in "sSxXzZ" or text[max(0, at - 2) : at].casefold() == "in" or not text[at - 1 : at].strip()
    )


def _last_partner(text: str, start: int, end: int) -> int:
    """Return the last single mark of a paragraph that can close; an opening one before none is an apostrophe."""
    last = -1
    for found in _PARTNER.finditer(text, start + 1, end):
        last = found.start()
    return last


def _unclosed(text: str, marks: list[_Mark], end: int) -> Iterator[Detection]:
    for mark in marks:
        yield from _run(text, mark.at + 1, end, unclosed=True)


def _run(text: str, start: int, end: int, *, unclosed: bool = False, unopened: bool = False) -> Iterator[Detection]:
    """Return the words between two places, white space left out; nothing where no words stand."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    end -= len(words) - len(words.rstrip())
    if any(character.isalnum() for character in text[start:end]):
        yield Detection(start, end, "quotation", unclosed, unopened)


def _sentence_start(text: str, start: int, end: int) -> int:
    """Return where the sentence begins that ends at a closing mark nobody opened."""
    inner = text[start : max(start, end - 2)]
    ends = [found.end() for found in re.finditer(_SENTENCE_END, inner)]
    return start + (ends[-1] if ends else 0)
