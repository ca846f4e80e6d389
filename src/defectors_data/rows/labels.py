"""Labels for terms, numbers and speakers, the same in charts and on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Any

from defectors_data.package.cells import single_date

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Invisible characters that change the direction of text."""
MONTH_NAMES = (
    "January February March April May June July August September October November December".split()
)
_EDTF = re.compile(
    r"(?P<year>\d{4}|XXXX)(?:-(?P<month>\d\d))?(?:-(?P<day>\d\d))?(?P<end>[~?%]|/\.\.)?"
)
_TITLE = 60
"""Maximum length of an article's title in its label, in code points."""

Row = Mapping[str, Any]
Rows = Mapping[str, Sequence[Row]]
"""Rows of the published tables, by the table's name."""

Labels = Mapping[str, str]
"""The labels of the terms of a vocabulary."""


def by_key(rows: Iterable[Row], key: str) -> dict[str, Row]:
    """Return rows by the value of a column."""
    return {row[key]: row for row in rows}


def visible(text: str) -> str:
    """Return a text in which direction-changing characters are visible.

    A quotation with such characters could otherwise rearrange a page.
    """
    return _DIRECTION.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", text)


def words(term: str) -> str:
    """Return a term of a vocabulary with spaces instead of underscores."""
    return term.replace("_", " ")


def article_label(source: Row) -> str:
    """Return the outlet of an article and its title, which is shortened."""
    title = shorten(source["title"] or "An article without a title", _TITLE, placeholder="…")
    return f"{source['outlet']}: {title}" if source["outlet"] else title


def date_label(date: str) -> str:
    """Return an EDTF date in words, such as `about March 2019`; other forms are unchanged."""
    date = single_date(date)
    parts = _EDTF.fullmatch(date)
    if not parts:
        return date
    words = []
    if parts["end"]:
        hedge = "since" if parts["end"] == "/.." else "about"
        words.append(hedge)
    if parts["day"]:
        words.append(str(int(parts["day"])))
    if parts["month"]:
        words.append(MONTH_NAMES[int(parts["month"]) - 1])
    if parts["year"] != "XXXX":
        words.append(parts["year"])
    return " ".join(words)


def printed_number(figure: Row) -> str:
    """Return the number of a figure with its hedge in the words of the article.

    It is the label of the figure, such as `nearly 40` or `several dozen`. A number that the words
    deny or promise is labelled with all words of its evidence.
    """
    if figure["polarity"] != "affirmed":
        return str(figure["text"])
    from defectors_data.text import quantities  # noqa: PLC0415  # slow to import

    return quantities.printed_number(figure["text"], figure["hedge"])


def is_about(testimony: Row) -> bool:
    """Return whether a testimony has words of the writer about the speaker, who does not speak."""
    narrated = testimony.get("mode") == "narrated"
    return narrated and testimony.get("attribution") == "about"


def is_about_source(figure: Row, testimonies: Mapping[str, Row]) -> bool:
    """Return whether a figure is in words of the writer about those to whom it is attributed."""
    testimony = testimonies.get(figure["testimony_id"])
    if testimony is None or testimony["speaker_id"] != figure["attributed_to"]:
        return False
    return is_about(testimony)


def speaker_label(row: Row, roles: Labels) -> str:
    """Return the name of a speaker, marked if it may be a pseudonym, or else the role."""
    if row["pseudonym_possible"]:
        return f"{row['name']} (possibly a pseudonym)"
    if row["protected"]:
        return f"{roles[row['role']]}, not named"
    if row["kind"] == "writer" and not row["name"]:
        return "the writer"
    return row["name"] or f"{roles[row['role']]} ({words(row['kind'])})"
