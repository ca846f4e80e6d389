"""A chart of when people left: one row for each person whose leaving an article dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from defectors_data.documents.charts.chart import (
    MOST_LISTED,
    Chart,
    capital,
    credit,
    drawn,
    in_words,
    outlet_of,
    quoted,
)
from defectors_data.documents.charts.speakers import Speakers
from defectors_data.documents.charts.svg import MOST, Drawing
from defectors_data.models.fields import edtf_bounds
from defectors_data.package.cells import single_date
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import MONTH_NAMES, Row, articles_by_id, date_label, is_about

NAME = "timeline"
_MONTHS = 14
"""Maximum number of months on the axis; a longer axis has years."""
_NOT_LEFT = ("denies", "doubts", "intends", "calls_for")
"""Stances of testimonies by which nobody has left."""


class _Departure(NamedTuple):
    """When a person left, in the words of an article."""

    who: str
    named: bool
    told_to: str
    first: date
    last: date
    approximate: bool
    """Whether the words name no day, month or year, but a time near one."""
    without_year: bool
    """Whether the words print no year, so that the year of publication is taken."""
    relative: bool
    """Whether the date is counted from the date of publication."""
    words: str


class _DatedDepartures(NamedTuple):
    """The departures that articles date, and the articles."""

    departures: list[_Departure]
    undated: int
    """Number of other people in the roles of those who left."""
    total: str
    """Number of all of them, in words."""
    noun: str
    notes: list[str]
    """What the number of all of them includes and leaves out."""
    sources: list[Row]


def chart(tables: PackageTables, data: str) -> Chart | None:
    """Return the chart; None if no departure, or too many, can be placed on an axis."""
    read = _read(tables)
    if not 0 < len(read.departures) <= MOST:
        return None
    subtitle = "When each left, and when the articles were published"
    axis = _days(read)
    if axis[0].year == axis[1].year:
        subtitle += f", all in {axis[0].year}"

    def draw(drawing: Drawing) -> None:
        drawing.heading(subtitle)
        _draw(drawing, read, axis)
        drawing.footer(_notes(read), credit(read.sources, data))

    alt = " ".join(_sentence(row) for row in read.departures)
    return drawn(NAME, _title(read), alt, draw)


# ---- who left when -------------------------------------------------------------------------------


def _read(tables: PackageTables) -> _DatedDepartures:
    """Return the people whose leaving is dated, in order of the dates."""
    speakers = Speakers(tables)
    sources = articles_by_id(tables.rows("sources"))
    dated = dict[str, dict[str, Any]]()
    for testimony in tables.among("testimonies", "happened_of", ["departure"]):
        if testimony.get("stance") in _NOT_LEFT:
            continue
        if speakers.rows[testimony["speaker_id"]]["kind"] == "person":
            dated.setdefault(testimony["speaker_id"], testimony)
    ids = {testimony["testimony_id"] for testimony in dated.values()}
    words = dict[str, str]()
    for span in tables.among("spans", "record_id", ids, ["field", "exact"]):
        if span["field"] == "happened":
            words.setdefault(span["record_id"], span["exact"])
    departures = []
    for testimony in dated.values():
        source = sources[testimony["source_id"]]
        found = _departure(testimony, source, speakers, words.get(testimony["testimony_id"]))
        if found:
            departures.append(found)
    departures.sort(key=lambda row: (row.first, row.last, not row.named, row.who))
    roles = {speakers.rows[speaker_id]["role"] for speaker_id in dated}
    people = speakers.people_in(roles)
    used = [sources[source_id] for source_id in speakers.sources_of(people)]
    used.sort(key=_by_date)
    noun = speakers.plural(roles)
    undated, total = len(people) - len(departures), speakers.number_of(people)
    notes = list(speakers.notes_on(roles))
    return _DatedDepartures(departures, undated, total, noun, notes, used)


def _by_date(source: Row) -> tuple[date, str, str]:
    return source["published_from"] or date.max, source["label"], source["source_id"]


def _departure(
    testimony: Row, source: Row, speakers: Speakers, words: str | None
) -> _Departure | None:
    """Return the departure that a testimony dates; None if its date has no place on an axis."""
    printed = single_date(testimony["happened"])
    without_year = printed.startswith("XXXX")
    if without_year:
        printed = _with_year(printed, source["published_to"])
    first, last = edtf_bounds(printed)
    if first is None or last is None:
        return None
    how, approximate = testimony["happened_how"], printed.endswith(("~", "?", "%"))
    if words and how != "from_publication" and str(first.year) not in words:
        published = source["published_from"], source["published_to"]
        without_year |= first.year in [day.year for day in published if day]
    # Words that were removed are not shown.
    label = quoted(words) if words else date_label(printed)
    return _Departure(
        speakers.titled(testimony["speaker_id"]),
        not speakers.is_hidden(testimony["speaker_id"]),
        told_to(testimony, source),
        first,
        last,
        approximate or (how == "from_event" and first != last),
        without_year,
        how == "from_publication",
        label,
    )


def _with_year(printed: str, published: date | None) -> str:
    """Return a date without a year as the last such date before the article was published."""
    if published is None:
        return printed
    for year in (published.year, published.year - 1):
        found = printed.replace("XXXX", str(year))
        try:
            first, _ = edtf_bounds(found)
        except ValueError:  # 29 February
            continue
        if first is not None and first <= published:
            return found
    return printed


def told_to(testimony: Row, source: Row) -> str:
    """Return to whom something was said: another outlet, or the outlet of the article.

    What the writer narrates about a person was perhaps not said to the outlet of their speech.
    """
    if testimony.get("outlet") and not is_about(testimony):
        return f"to {testimony['outlet']}"
    return outlet_of(source)


# ---- words ---------------------------------------------------------------------------------------


def _title(read: _DatedDepartures) -> str:
    """Return a sentence: of how many people the articles say when they left, and the commonest day."""
    number = len(read.departures)
    said = f"Articles date the leaving of {in_words(number)} of {read.total} {read.noun}"
    day = _common_day(read.departures)
    if day is None:
        return said
    times = sum(_on(row, day) for row in read.departures)
    return f"{said}, {in_words(times)} of them on {_label(day)}"


def _common_day(departures: Sequence[_Departure]) -> date | None:
    """Return the day on which most people left; None if no two left on one day."""
    days = Counter(row.first for row in departures if _on(row, row.first))
    for day, times in days.most_common(1):
        if times > 1:
            return day
    return None


def _on(row: _Departure, day: date) -> bool:
    return row.first == row.last == day and not row.approximate


def _label(day: date) -> str:
    return f"{day.day} {MONTH_NAMES[day.month - 1]}"


def _sentence(row: _Departure) -> str:
    return f"{row.who} ({row.told_to}): {row.words}."


def _notes(read: _DatedDepartures) -> Iterator[str]:
    if read.undated:
        yield f"The data have no date on which the other {in_words(read.undated)} left."
    yield from read.notes
    if any(row.approximate for row in read.departures):
        yield "A hollow dot or bar is an approximate time."
    without_year = sum(row.without_year for row in read.departures)
    if without_year:
        number = capital(in_words(without_year))
        taken = f"{number} of the dates are printed without a year; that of publication is taken"
        bases = {source.get("published_basis") for source in read.sources}
        yield f"{taken}{', which not all articles print' * (bases != {'stated'})}."
    for row in read.departures:
        if row.relative:
            yield f"Dates such as {row.words} are worked out from the date of publication."
            break


# ---- the picture ---------------------------------------------------------------------------------


def _days(read: _DatedDepartures) -> tuple[date, date]:
    """Return the first and last day of the axis, which has whole months."""
    days = [day for row in read.departures for day in (row.first, row.last)]
    for source in read.sources[:MOST_LISTED]:
        days += [day for day in (source["published_from"], source["published_to"]) if day]
    return min(days).replace(day=1), _next_month(max(days)) - timedelta(days=1)


def _next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


class _Axis:
    """A time axis, with a line at the beginning of each month or year."""

    def __init__(self, drawing: Drawing, days: tuple[date, date]) -> None:
        self.start: float = drawing.margin
        if not drawing.narrow:
            self.start = 236
        self.first = days[0]
        self.per_day = (drawing.right - self.start) / ((days[1] - days[0]).days + 1)
        self.ticks = list[date]()
        tick = days[0]
        while tick <= days[1]:
            self.ticks.append(tick)
            tick = _next_month(tick)
        self.by_month = len(self.ticks) <= _MONTHS
        if not self.by_month:
            self.ticks = [tick for tick in self.ticks if tick.month == 1]

    def x(self, day: date) -> float:
        """Return the position of the beginning of a day."""
        return self.start + (day - self.first).days * self.per_day

    def label(self, drawing: Drawing, tick: date) -> str:
        """Return the label of a month or year."""
        if not self.by_month:
            return str(tick.year)
        name = MONTH_NAMES[tick.month - 1]
        room = 28 * self.per_day - 6
        if drawing.width_of(name, "quiet") <= room:
            return name
        return name[:3]


def _draw(drawing: Drawing, read: _DatedDepartures, days: tuple[date, date]) -> None:
    axis = _Axis(drawing, days)
    drawing.y += 12
    common = _common_day(read.departures)
    if common:
        drawing.y += 16
        x = axis.x(common) + axis.per_day / 2
        drawing.text(_label(common), "quiet", x, drawing.y - 2, anchor="middle")
    top = drawing.y
    for tick in axis.ticks:
        drawing.text(axis.label(drawing, tick), "quiet", axis.x(tick) + 4, top + 14)
    drawing.y = top + 20
    drawing.rule("line", axis.start, drawing.y, to_x=drawing.right, to_y=drawing.y)
    drawing.y += 8
    for row in read.departures:
        _draw_departure(drawing, row, axis)
    if common:
        drawing.broken_rule("axis", x, top + 2, to_y=drawing.y)
    drawing.rule("line", drawing.margin, drawing.y, to_x=drawing.right, to_y=drawing.y)
    if len(read.sources) <= MOST_LISTED:
        drawing.y += 6
        drawing.line("The articles", "name")
        for source in read.sources:
            if source["published_from"] and source["published_to"]:
                _draw_article(drawing, source, axis)
    for tick in axis.ticks:
        drawing.broken_rule("line", axis.x(tick), top, to_y=drawing.y)


def _draw_departure(drawing: Drawing, row: _Departure, axis: _Axis) -> None:
    top = drawing.y
    room: float = drawing.right - drawing.margin
    if drawing.narrow:
        drawing.pair("name", row.who, row.told_to, room=room)
        top = drawing.y
    else:
        room = axis.start - drawing.margin - 10
        drawing.paragraph(row.who, "name", room=room)
        drawing.paragraph(row.told_to, "quiet", room=room)
    bottom, middle = drawing.y, top + 11
    start, end = _draw_time(drawing, row, axis, middle)
    drawing.y = top
    before, after = start - axis.start - 8, drawing.right - end - 8
    words = drawing.width_of(row.words, "said")
    if words > after and words <= before:
        drawing.y += 20
        drawing.text(row.words, "said", start - 8, middle + 5, anchor="end")
    else:
        drawing.paragraph(row.words, "said", x=end + 8)
    drawing.y = max(drawing.y, bottom, middle + 8) + 6


def _draw_time(drawing: Drawing, row: _Departure, axis: _Axis, y: float) -> tuple[float, float]:
    """Draw a dot for a day or a bar for a longer time, and return its ends."""
    start, end = axis.x(row.first), axis.x(row.last + timedelta(days=1))
    kind = "rust"
    if row.approximate:
        kind = "hollow rust"
    if row.first == row.last:
        x = (start + end) / 2
        drawing.dot(kind, x, y, 6)
        return x - 7, x + 7
    drawing.rect(kind, start + 1, y - 6, end - start - 2, 12)
    return start, end


def _draw_article(drawing: Drawing, source: Row, axis: _Axis) -> None:
    start = axis.x(source["published_from"])
    end = axis.x(source["published_to"] + timedelta(days=1))
    top = drawing.y
    room = max(start, axis.start) - drawing.margin - 10
    if drawing.narrow:
        room = drawing.right - drawing.margin
    drawing.paragraph(source["label"], "quiet", room=room)
    if drawing.narrow:
        top = drawing.y
        drawing.y += 12
    drawing.rect("slate", start, top + 5, max(end - start, 4), 8)
    drawing.y += 2
