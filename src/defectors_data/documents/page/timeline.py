"""The timeline of the page: dated figures, printed dates, and dates of publication."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from defectors_data.documents.page.published_text import Segment, SourceText, segments
from defectors_data.package.cells import single_date
from defectors_data.rows.labels import MONTH_NAMES, Row, Rows, date_label, printed_number
from defectors_data.text.non_quantities import MONTHS

_NEAR = 90
"""Code points of context around a date."""
_DAY = re.compile(
    r"(?P<month>[A-Z][a-z]{2,8})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>\d{4}))?$"
)
_YEAR = re.compile(r"(?:(?P<month>[A-Z][a-z]{2,8}) )?(?P<year>\d{4})$")


class Event(NamedTuple):
    """An entry of the timeline."""

    date: str
    """The date in EDTF, with `XXXX` where no year is printed."""
    when: str
    """The date in words."""
    source_id: str
    href: str
    """The anchor of the record on the page."""
    words: str
    """The figure with its number and what it counts; "" for other entries."""
    context: list[Segment]
    """A printed date in its published context; empty for other entries."""


def events(rows: Rows, texts: Mapping[str, SourceText]) -> list[Event]:
    """Return the entries in order of their dates; those without a year are last."""
    found = [*_published(rows), *_figures(rows), *_printed(rows, texts)]
    return sorted(found, key=_order)


def _order(event: Event) -> tuple[str, str, str]:
    # "~" comes after all digits.
    return event.date.replace("XXXX", "~"), event.source_id, event.href


def _published(rows: Rows) -> Iterator[Event]:
    for row in rows["sources"]:
        if row["published"]:
            source, date = row["source_id"], single_date(row["published"])
            yield Event(date, date_label(date), source, f"sources/{source}", "", [])


def _figures(rows: Rows) -> Iterator[Event]:
    for row in rows["figures"]:
        if row["as_of"]:
            words, place = f"{printed_number(row)} {row['counted']}", f"figures/{row['figure_id']}"
            date = single_date(row["as_of"])
            yield Event(date, date_label(date), row["source_id"], place, words, [])


def _printed(rows: Rows, texts: Mapping[str, SourceText]) -> Iterator[Event]:
    """Yield an entry for each waiver of a printed date, at its first place."""
    first: dict[str, Row] = {}
    for row in sorted(rows["ledger"], key=itemgetter("start_offset")):
        if row["kind"] == "date" and row["record_table"] == "waivers":
            first.setdefault(row["record_id"], row)
    for waiver, row in first.items():
        date = _edtf(row)
        if date:
            text, place = texts[row["source_id"]], (row["start_offset"], row["end_offset"])
            context = list[Segment]()
            if text.characters.keys() & range(*place):
                context = _trimmed(segments(text, [place], _NEAR))
            href = f"waivers/{waiver}"
            yield Event(date, date_label(date), row["source_id"], href, "", context)


def _trimmed(context: list[Segment]) -> list[Segment]:
    """Return a context without the punctuation of the passage before it."""
    first, *others = context
    if first.kind == "context":
        first = first._replace(text=first.text.lstrip(" \n,.;:!?)”’\"'"))
    return [first, *others]


def _edtf(entry: Row) -> str | None:
    """Return the date in an entry of the ledger in EDTF, or None if it is no such date."""
    text = entry["text"] or ""
    found = _DAY.search(text) or _YEAR.search(text)
    if not found or (found["month"] and found["month"] not in MONTHS):
        return None
    parts = [found["year"] or "XXXX"]
    if found["month"]:
        parts.append(f"{_month(found['month']):02}")
    day = found.groupdict().get("day")
    if day:
        parts.append(f"{int(day):02}")
    return "-".join(parts)


def _month(name: str) -> int:
    """Return the number of a month, whose name may be abbreviated to three letters."""
    abbreviations = [full[:3] for full in MONTH_NAMES]
    return abbreviations.index(name[:3]) + 1
