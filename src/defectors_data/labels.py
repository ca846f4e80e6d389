"""Numbers that count nothing: dates, clock times, the numbers of a list, and numbers inside names.

Strings only. What is found here is told apart from quantities, each with its kind. Every pattern is a fixed sequence
of short pieces, so that none can take long on any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.numerals import Numeral, Token

LabelKind: TypeAlias = Literal["date", "clock_time", "list_number", "name"]


class Label(NamedTuple):
    """A number that counts nothing: zero-based code points, end-exclusive, and what it is."""

    start: int
    end: int
    kind: LabelKind


_S = r"[ \u00a0\u202f]"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:1[0-9]|20)[0-9]{2}"
_PATTERNS: tuple[tuple[LabelKind, re.Pattern[str]], ...] = (
    ("list_number", re.compile(r"^[ \t]{0,12}(?P<n>\(?[0-9]{1,3}[.)](?=[ \t]))", re.MULTILINE)),
    ("date", re.compile(rf"(?<!\w){_YEAR}-[0-9]{{2}}-[0-9]{{2}}(?!\w)")),
    ("date", re.compile(r"(?<![\w/])[0-9]{1,2}[/.][0-9]{1,2}[/.](?:[0-9]{4}|[0-9]{2})(?![\w/])")),
    (
        "date",
        re.compile(rf"(?<!\w){_MONTH}{_S}{_DAY}(?:(?:[-–]|{_S}and{_S}|{_S}to{_S}){_DAY})?(?:,?{_S}{_YEAR})?(?!\w)"),
    ),
    ("date", re.compile(rf"(?<!\w)(?:the{_S})?{_DAY}{_S}(?:of{_S})?{_MONTH}(?:,?{_S}{_YEAR})?(?!\w)")),
    ("date", re.compile(rf"(?<!\w){_MONTH},?{_S}(?:of{_S})?{_YEAR}(?!\w)")),
    ("date", re.compile(r"(?<!\w)(?:(?:1[0-9]|20)[0-9]0s|['’‘][0-9]0s)(?!\w)")),
    (
        "clock_time",
        re.compile(
            rf"(?<![\w:.])[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:{_S}?[ap]\.?m\b\.?)?(?![\w:])", re.IGNORECASE
        ),
    ),
    ("clock_time", re.compile(rf"(?<![\w.])[0-9]{{1,2}}{_S}?(?:[ap]\.m\.|[ap]m\b)", re.IGNORECASE)),
    ("clock_time", re.compile(rf"(?<!\w)[0-9]{{1,2}}{_S}?o['’]clock", re.IGNORECASE)),
    (
        "name",
        re.compile(
            r"(?<!\w)(?:Nos?\.|Article|Art\.|Resolution|Decree|Law|Section|Chapter|Flight|Route|Highway|Boeing|Airbus"
            rf"|Room|Gate|Channel|Page|Vol\.|Apollo|Phase|Version|Annex|Group{_S}of|Unit|Battalion|Brigade|Bill){_S}[0-9]+[A-Za-z]?(?!\w)"
        ),
    ),
    (
        "name",
        re.compile(
            r"(?<![\w$€£])(?!(?:mid|pre|post|late|early)-)[A-Za-z]{1,12}[-‑]?[0-9]{1,6}[A-Za-z]?(?![\w,.][0-9])(?!\w)"
        ),
    ),
    ("name", re.compile(r"(?<![\w.,])[0-9]{1,2}[GD](?!\w)")),
    (
        "name",
        re.compile(
            rf"(?<!\w)[A-Z][a-z]+{_S}[0-9]{{1,4}}{_S}(?:Brigade|Battalion|Regiment|Division|Squadron|Company|Aircraft|aircraft)"
        ),
    ),
    (
        "name",
        re.compile(
            rf"(?<!\w)(?:Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Twelve|Thirteen){_S}(?:[A-Z][a-z]+{_S}){{0,2}}"
            r"(?:Islands?|Dam|Beach|Hills|Lakes|Mountains?|Street|Road|Bridges?|Gorges|Corners|Rivers|Kingdoms)(?!\w)"
        ),
    ),
)
_YEAR_ALONE = re.compile(rf"(?<![\w.,$€£]){_YEAR}(?![\w%]|[,.][0-9])")
_BEFORE_YEAR = set(
    (
        "in between since by until till from before after during of to late early mid year years and copyright © "
        "( [ / - – — through around about circa spring summer autumn fall winter elections class pre post"
    ).split()
)
_AFTER_YEAR = set(") ] , . ; : / - – — ” \" ’ ' ! ?".split())
_TIMES = {
    f"{word}{plural}"
    for word in ("second", "minute", "hour", "day", "week", "month", "year", "decade", "night", "morning")
    for plural in ("", "s")
}
_RELATIVE = {"ago", "earlier", "later", "before", "after", "previously", "hence"}


def labels(text: str, found: list[Token], numbers: list[Numeral]) -> list[Label]:
    """Return every number that counts nothing, in order and without overlap; of two, the longer from the left."""
    candidates = [
        Label(hit.end() - len(hit[hit.re.groups]), hit.end(), kind)
        for kind, pattern in _PATTERNS
        for hit in pattern.finditer(text)
    ]
    candidates += [*_years(text, found), *_relative_dates(found, numbers)]
    kept: list[Label] = []
    for label in sorted(candidates, key=lambda label: (label.start, -label.end)):
        if not kept or label.start >= kept[-1].end:
            kept.append(label)
    return kept


def _years(text: str, found: list[Token]) -> Iterator[Label]:
    """Find years that stand alone: after a word of time, or with nothing behind them that could be counted."""
    at = {token.start: i for i, token in enumerate(found)}
    for hit in _YEAR_ALONE.finditer(text):
        i = at.get(hit.start())
        if i is None:
            continue
        before = found[i - 1].text.casefold() if i else ""
        after = found[i + 1].text if i + 1 < len(found) else "."
        named = before in {"the", "a", "this", "that"} and (
            after[:1].isupper() or (after[:1].islower() and not after.endswith("s"))
        )
        if before in _BEFORE_YEAR or after in _AFTER_YEAR or named:
            yield Label(hit.start(), hit.end(), "date")


def _relative_dates(found: list[Token], numbers: list[Numeral]) -> Iterator[Label]:
    """Find "two months ago", "three days later", "Two days before"."""
    at = {token.start: i for i, token in enumerate(found)}
    for number in (number for number in numbers if number.kind != "ordinal"):
        i = at[number.start]
        while found[i].end < number.end:
            i += 1
        words = [token.text.casefold() for token in found[i + 1 : i + 3]]
        if len(words) == 2 and words[0] in _TIMES and words[1] in _RELATIVE:  # noqa: PLR2004  # noun and adverb
            yield Label(number.start, found[i + 2].end, "date")
