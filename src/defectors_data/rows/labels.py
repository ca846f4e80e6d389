"""Labels for terms, numbers and speakers, the same in charts and on the page."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Any

from defectors_data.models.closed_vocabularies import ENDANGERED, FEAR_FOR_RELATIVES
from defectors_data.package.cells import single_date
from defectors_data.text.english.relatives import are_relatives

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Invisible characters that change the direction of text."""
MONTH_NAMES = (
    "January February March April May June July August September October November December".split()
)
_EDTF = re.compile(
    r"(?P<year>\d{4}|XXXX)(?:-(?P<month>\d\d))?(?:-(?P<day>\d\d))?(?P<end>[~?%]|/\.\.)?"
)
_SEASONS = {"21": "spring", "22": "summer", "23": "autumn", "24": "winter"}
"""The seasons that EDTF writes in place of a month."""
_HEDGES = {"~": "about", "?": "perhaps", "%": "perhaps about", "/..": "since"}
"""The words for the marks at the end of a date in EDTF."""
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


READ_OF_RELATIVES: Mapping[str, Sequence[str]] = {
    "testimonies": ["testimony_id", "speaker_id", "relatives"],
    "acts": ["testimony_id", "status", "against"],
    "motives": ["testimony_id", "factor"],
}
"""The columns that `with_endangered_relatives` reads, and the speaker, by table."""


def with_endangered_relatives(rows: Rows) -> set[str]:
    """Return the ids of the testimonies in which relatives are harmed or at risk.

    Their `relatives` says so, or they have an act against relatives or fear for these as a reason.
    """
    found = set[str]()
    for row in rows["testimonies"]:
        if row.get("relatives") in ENDANGERED:
            found.add(row["testimony_id"])
    for row in rows["acts"]:
        if row["status"] != "denied" and are_relatives(row["against"] or ""):
            found.add(row["testimony_id"])
    for row in rows["motives"]:
        if row["factor"] == FEAR_FOR_RELATIVES:
            found.add(row["testimony_id"])
    return found


def visible(text: str) -> str:
    """Return a text in which direction-changing characters are visible.

    A quotation with such characters could otherwise rearrange a page.
    """
    return _DIRECTION.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", text)


def words(term: str) -> str:
    """Return a term of a vocabulary with spaces instead of underscores."""
    return term.replace("_", " ")


def with_edition(outlet: str, basis: str | None) -> str:
    """Return the name of an outlet, with a remark if it is that of another edition."""
    if basis == "other_edition":
        return f"{outlet} (another edition)"
    return outlet


def outlet_label(source: Row) -> str | None:
    """Return the name of the outlet of an article, with a remark if it published another edition."""
    outlet = source.get("outlet")
    if not outlet:
        return None
    return with_edition(outlet, source.get("outlet_basis"))


def article_label(source: Row) -> str:
    """Return the outlet of an article and its title, which is shortened."""
    title = shorten(source["title"] or "An article without a title", _TITLE, placeholder="…")
    outlet = outlet_label(source)
    return f"{outlet}: {title}" if outlet else title


def articles_by_id(sources: Iterable[Row]) -> dict[str, Row]:
    """Return the rows of articles by id; the label of those that share theirs also has the title."""
    sources = list(sources)
    number = Counter(source["label"] for source in sources)
    found = dict[str, Row]()
    for source in sources:
        label = source["label"]
        if number[label] > 1:
            title = source["title"] or source["source_id"]
            label = f"{label}: {shorten(title, _TITLE, placeholder='…')}"
        found[source["source_id"]] = {**source, "label": label}
    return found


def date_label(date: str) -> str:
    """Return an EDTF date in words, such as `about March 2019`; other forms are unchanged."""
    first, _, last = single_date(date).partition("/")
    if _EDTF.fullmatch(first) and _EDTF.fullmatch(last):
        return _between(_date_label(first), "to", _date_label(last))
    return _date_label(single_date(date))


def publication_label(date: str) -> str:
    """Return the date of a publication in words: an interval of two days is one or the other."""
    first, _, last = single_date(date).partition("/")
    try:
        days = (dt.date.fromisoformat(last) - dt.date.fromisoformat(first)).days
    except ValueError:  # no interval, or not of days
        return date_label(date)
    link = "or" if days == 1 else "to"
    return _between(_date_label(first), link, _date_label(last))


def _between(first: str, link: str, last: str) -> str:
    """Return an interval in words; what both dates end in is written once."""
    words, common = first.split(), last.split()
    while len(words) > 1 and words[-1] == common[-1]:
        words.pop()
        common.pop()
    return f"{' '.join(words)} {link} {last}"


def _date_label(date: str) -> str:
    parts = _EDTF.fullmatch(date)
    if not parts:
        return date
    words = []
    if parts["end"]:
        words.append(_HEDGES[parts["end"]])
    if parts["day"]:
        words.append(str(int(parts["day"])))
    if parts["month"] in _SEASONS:
        words.append(_SEASONS[parts["month"]])
    elif parts["month"]:
        words.append(MONTH_NAMES[int(parts["month"]) - 1])
    if parts["year"] != "XXXX":
        words.append(parts["year"])
    return " ".join(words)


def printed_number(figure: Row) -> str:
    """Return the number of a figure with its hedge in the words of the article.

    It is the label of the figure, such as `nearly 40` or `several dozen`. A number that the words
    do not affirm is labelled with all words of its evidence.
    """
    if figure["polarity"] != "affirmed":
        return str(figure["text"])
    return _printed(figure)


def short_number(figure: Row) -> str:
    """Return the number of a figure, such as `three (denied)`.

    It is only the polarity, such as `denied`, if no part of the words alone is the number.
    """
    if figure["polarity"] == "affirmed":
        return printed_number(figure)
    printed = _printed(figure)
    if printed == figure["text"]:
        return str(figure["polarity"])
    return f"{printed} ({figure['polarity']})"


def _printed(figure: Row) -> str:
    from defectors_data.text import quantities  # noqa: PLC0415  # slow to import

    return quantities.printed_number(figure["text"], figure["hedge"])


def is_about(testimony: Row) -> bool:
    """Return whether a testimony has the article's words about the speaker, who does not speak."""
    narrated = testimony.get("mode") == "narrated"
    return narrated and testimony.get("attribution") == "about"


def is_about_source(figure: Row, testimonies: Mapping[str, Row]) -> bool:
    """Return whether a figure is in the article's words about those to whom it is attributed."""
    testimony = testimonies.get(figure.get("testimony_id") or "")
    if testimony is None or testimony["speaker_id"] != figure.get("attributed_to"):
        return False
    return is_about(testimony)


def unnamed_label(row: Row, roles: Labels) -> str:
    """Return the label of a protected person: the role, and why there is no name."""
    # Some roles are those of bodies, so the label says that it is a person.
    return f"{roles[row['role']]} (person, {_UNNAMED[row['anonymity']]})"


_UNNAMED = {
    "withheld": "name withheld on request",
    "unnamed": "not named",
    "partial": "not fully named",
}
"""Why protected persons have no name in labels, by `anonymity`."""


def speaker_label(row: Row, roles: Labels) -> str:
    """Return the name of a speaker, marked if it may be a pseudonym, or else the role.

    Writers have the same label with and without a name.
    """
    if row["pseudonym_possible"]:
        return f"{row['name']} (possibly a pseudonym)"
    if row["protected"]:
        return unnamed_label(row, roles)
    if row["kind"] == "writer":
        return "the writer"
    return row["name"] or f"{roles[row['role']]} ({words(row['kind'])})"
