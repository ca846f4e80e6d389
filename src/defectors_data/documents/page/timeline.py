"""The timeline of the page: dated figures, dates printed in the articles, and the articles' dates of publication."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from defectors_data.documents.page.published_text import Segment, SourceText, segments
from defectors_data.package.cells import single_date
from defectors_data.rows.labels import MONTH_NAMES, Row, Rows, date_label, hedged_number
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
    # "~" comes after all digits.
    return sorted(
        found, key=lambda event: (event.date.replace("XXXX", "~"), event.source_id, event.href)
    )


def _published(rows: Rows) -> Iterator[Event]:
    for row in rows["sources"]:
        if row["published"]:
            source, date = row["source_id"], single_date(row["published"])
            yield Event(date, date_label(date), source, f"sources/{source}", "", [])


def _figures(rows: Rows) -> Iterator[Event]:
    for row in rows["figures"]:
        if row["as_of"]:
            words, place = f"{hedged_number(row)} {row['counted']}", f"figures/{row['figure_id']}"
            date = single_date(row["as_of"])
            yield Event(date, date_label(date), row["source_id"], place, words, [])


def _printed(rows: Rows, texts: Mapping[str, SourceText]) -> Iterator[Event]:
    """Yield an entry for each waiver of a printed date, at its first place."""
    waived = [
        row for row in rows["ledger"] if row["kind"] == "date" and row["record_table"] == "waivers"
    ]
    by_waiver = itemgetter("record_id")
    for waiver, entries in groupby(
        sorted(waived, key=lambda row: (row["record_id"], row["start"])), by_waiver
    ):
        first = next(entries)
        if date := _edtf(first):
            text = texts[first["source_id"]]
            place = first["start"], first["end"]
            context = (
                segments(text, [place], _NEAR) if text.characters.keys() & range(*place) else []
            )
            yield Event(
                date,
                date_label(date),
                first["source_id"],
                f"waivers/{waiver}",
                "",
                _trimmed(context),
            )


def _trimmed(context: list[Segment]) -> list[Segment]:
    """Return a context without the punctuation at its beginning, because that belongs to the passage before it."""
    first = [
        Segment(segment.kind, segment.text.lstrip(" \n,.;:!?)”’\"'"))
        for segment in context[:1]
        if segment.kind == "context"
    ]
    return [*first, *context[len(first) :]]


def _edtf(entry: Row) -> str | None:
    """Return the date in an entry of the ledger in EDTF, or None if its words are not a day, month or year."""
    found = _DAY.search(entry["text"] or "") or _YEAR.search(entry["text"] or "")
    if not found or (found["month"] and found["month"] not in MONTHS):
        return None
    # Months may be abbreviated; their first three letters differ.
    month = next(
        (i for i, name in enumerate(MONTH_NAMES, 1) if name[:3] == (found["month"] or "")[:3]), None
    )
    day = found.groupdict().get("day")
    return "-".join(
        [
            found["year"] or "XXXX",
            *([f"{month:02}"] if month else []),
            *([f"{int(day):02}"] if day else []),
        ]
    )
