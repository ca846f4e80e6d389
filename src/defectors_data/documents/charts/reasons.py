"""A chart of why people left or stayed, which counts persons and names none.

A reason can incriminate a person or concern relatives, so rows show only how many persons give it,
and words without a name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from defectors_data.documents.charts.chart import (
    MOST_LISTED,
    Chart,
    capital,
    counted,
    credit,
    drawn,
    in_words,
    quoted,
)
from defectors_data.documents.charts.speakers import Speakers
from defectors_data.documents.charts.svg import MOST, Drawing
from defectors_data.documents.charts.timeline import outlet_of
from defectors_data.models.tables import listed
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import Row, by_key

NAME = "reasons"
DIRECTIONS = {"push": "Drove them out", "pull": "Drew them", "barrier": "Made them wait or stay"}
"""The headings of the directions, in the order of the chart."""
_CLAUSES = {
    "push": ("what drove out {}", "what drove others out"),
    "pull": ("what drew {}", "what drew others"),
    "barrier": ("what made {} wait or stay", "what makes others stay"),
}
"""What articles report of a number of persons, and what these say of others, for the title."""
_COLOURS = {"push": "rust", "pull": "blue", "barrier": "slate"}
_WORDS = range(12, 81)
"""Permitted lengths of quoted words, in characters."""
_LABELS = 216
"""Width of the labels in the wide form, in pixels."""
_STEP, _DOTS = 16, 150
"""Distance between two dots, and the largest width of a row of dots, in pixels."""
_MOST_DOTS = 25
"""Number of dots in a row above which all rows have bars."""
_COUNTABLE = 9
"""Number of dots above which the label has the number, too."""


class _Reason(NamedTuple):
    """A reason, and who gives it."""

    direction: str
    label: str
    own: set[str]
    """The persons whose own reason it is."""
    of_others: set[str]
    """The persons who only say it of others."""
    words: str
    """Words for it in quotation marks, or nothing."""
    said_in: tuple[str, ...]
    """Where the words are printed, or all articles of the reason, and who else gives it."""

    @property
    def people(self) -> int:
        """Number of persons."""
        return len(self.own) + len(self.of_others)


def chart(tables: PackageTables, data: str) -> Chart | None:
    """Return the chart; None if no person, or if too many rows, give a reason."""
    speakers = Speakers(tables)
    testimonies = by_key(tables.rows("testimonies"), "testimony_id")
    motives = [row for row in tables.rows("motives") if _is_drawn(row, testimonies)]
    reasons = _reasons(tables, speakers, motives, testimonies)
    people = set[str]().union(*(reason.own | reason.of_others for reason in reasons))
    if not people or len(reasons) > MOST:
        return None
    sources = by_key(tables.rows("sources"), "source_id")
    source_ids = {row["source_id"] for row in motives}
    used = [sources[source_id] for source_id in sorted(source_ids)]
    roles = {speakers.rows[speaker_id]["role"] for speaker_id in people}
    everyone = speakers.people_in(roles)
    noun = speakers.plural(roles)
    own = set[str]().union(*(reason.own for reason in reasons))
    silent = len(everyone) - len(people)
    notes = list(_notes(motives, speakers, bool(own) * len(people - own), silent))
    subtitle = "A dot is a person: filled for their own reason, hollow for a reason of others"
    if max(reason.people for reason in reasons) > _MOST_DOTS:
        subtitle = "Numbers of persons: filled for their own reason, hollow for a reason of others"

    def draw(drawing: Drawing) -> None:
        drawing.heading(subtitle)
        _draw(drawing, reasons)
        drawing.footer(notes, credit(used, data))

    alt = " ".join(_sentence(reason) for reason in reasons)
    return drawn(NAME, _title(reasons, len(everyone), noun), alt, draw)


# ---- who gives which reason ----------------------------------------------------------------------


def _is_drawn(motive: Row, testimonies: Mapping[str, Row]) -> bool:
    """Return whether a reason to leave, or not to leave or to rise, is given and not denied."""
    if testimonies[motive["testimony_id"]]["stance"] in ("denies", "doubts"):
        return False
    return motive["decision"] == "leave" or bool(motive["direction"] == "barrier")


def _reasons(
    tables: PackageTables,
    speakers: Speakers,
    motives: Sequence[Row],
    testimonies: Mapping[str, Row],
) -> list[_Reason]:
    """Return the reasons by direction; the one that most persons give is first."""
    grouped = dict[tuple[str, str], list[Row]]()
    for motive in motives:
        grouped.setdefault((motive["direction"], motive["factor"]), []).append(motive)
    sources = by_key(tables.rows("sources"), "source_id")
    labels = tables.labels("factor")
    reasons = []
    # Another reason than those of the vocabulary comes last.
    for direction, factor in sorted(grouped, key=_last):
        rows = grouped[direction, factor]
        own, of_others, others = set[str](), set[str](), dict[str, None]()
        for row in rows:
            speaker_id = row["speaker_id"]
            if speakers.rows[speaker_id]["kind"] != "person":
                others[_without_dot(row, speakers)] = None
            elif row["reason_of"] == "speaker":
                own.add(speaker_id)
            else:
                of_others.add(speaker_id)
        of_persons = [row for row in rows if row["speaker_id"] in own | of_others]
        words, where = _quotation(of_persons or rows, testimonies, sources, speakers)
        said_in = (where, *(f"also {who}" for who in others))
        if not own and not of_others:
            said_in = (f"{where}: {listed(tuple(others))}",)
        reasons.append(_Reason(direction, labels[factor], own, of_others - own, words, said_in))
    order = list(DIRECTIONS)
    # Sorting keeps the order of reasons that as many persons give.
    reasons.sort(key=lambda row: (order.index(row.direction), -row.people, -len(row.own)))
    return reasons


def _last(reason: tuple[str, str]) -> tuple[bool, str]:
    """Return the key by which the term `other` follows all other terms."""
    return reason[1] == "other", reason[1]


def _without_dot(motive: Row, speakers: Speakers) -> str:
    """Return the label of a speaker that is no person."""
    speaker = speakers.rows[motive["speaker_id"]]
    who = speakers.label(motive["speaker_id"])
    if speaker["kind"] == "group":
        who = f"{quoted(who)}, a group"
    if motive["reason_of"] == "others":
        who += ", of others"
    return who


def _quotation(
    rows: Sequence[Row],
    testimonies: Mapping[str, Row],
    sources: Mapping[str, Row],
    speakers: Speakers,
) -> tuple[str, str]:
    """Return short words for a reason and to whom they were said; else only the latter.

    The words are direct speech that names no speaker, of a testimony without relatives.
    """
    for row in rows:
        testimony, source = testimonies[row["testimony_id"]], sources[row["source_id"]]
        direct = testimony["mode"] == "direct" and row["link"] == "own_words"
        harmless = not testimony.get("relatives") and row["decision"] == "leave"
        short = len(row["text"]) in _WORDS and not speakers.are_named_in(row["text"])
        if direct and harmless and short:
            return quoted(row["text"]), _said_to(testimony["outlet"], outlet_of(source))
    heard = defaultdict[str, set[str]](set)
    for row in rows:
        outlet = outlet_of(sources[row["source_id"]])
        heard[outlet].add(testimonies[row["testimony_id"]]["outlet"] or "")
    if len(heard) > MOST_LISTED:
        return "", counted(len(heard), "outlet")
    places = list[str]()
    for outlet, others in sorted(heard.items()):
        if "" in others:
            places.append(outlet)
        named = sorted(others - {""})
        if named:
            places.append(_said_to(listed(named), outlet))
    return "", "; ".join(places)


def _said_to(other: str | None, outlet: str) -> str:
    """Return the outlets to which words were said, and the one that prints them."""
    return f"{other}, in {outlet}" if other else outlet


# ---- words ---------------------------------------------------------------------------------------


def _title(reasons: Sequence[_Reason], everyone: int, noun: str) -> str:
    """Return a sentence: of how many people articles report reasons, and what moved how many."""
    own, others = list[str](), list[str]()
    people, speaking = set[str](), set[str]()
    total = f" of {in_words(everyone)} {noun}"
    for direction, (of_own, of_others) in _CLAUSES.items():
        mine, theirs = set[str](), set[str]()
        for reason in _of(reasons, direction):
            mine |= reason.own
            theirs |= reason.of_others
        if mine:
            speaking |= mine
            own.append(of_own.format(in_words(len(mine))))
        if theirs:
            people |= theirs
            others.append(of_others)
    if own:
        return f"Articles report reasons of {in_words(len(speaking))}{total}: {listed(own)}"
    return f"Articles report from {in_words(len(people))}{total} {listed(others)}"


def _sentence(reason: _Reason) -> str:
    """Return a reason with the numbers of persons as a sentence for the text alternative."""
    numbers = []
    if reason.own:
        numbers.append(f"{len(reason.own)} of themselves")
    if reason.of_others:
        numbers.append(f"{len(reason.of_others)} of others")
    numbers += reason.said_in
    return f"{DIRECTIONS[reason.direction]}, {reason.label}: {'; '.join(numbers)}."


def _notes(
    motives: Sequence[Row], speakers: Speakers, only_of_others: int, silent: int
) -> Iterator[str]:
    if only_of_others:
        verb = "gives" if only_of_others == 1 else "give"
        yield f"{capital(in_words(only_of_others))} more {verb} only reasons of others."
    if silent:
        yield f"The other {in_words(silent)} gave none of these."
    yield "A person can have several reasons."
    if any(motive["decision"] == "rise" for motive in motives):
        yield "Staying includes not rising against the government."
    if any(speakers.rows[motive["speaker_id"]]["kind"] != "person" for motive in motives):
        yield "Groups, institutions and writers have no dot."
    yield "People without a name are counted as the articles distinguish them."


# ---- the picture ---------------------------------------------------------------------------------


class _Layout(NamedTuple):
    """Where the labels, dots and words of all rows are."""

    axis: float
    """The position between staying and leaving."""
    text: float
    """Where the words begin."""
    step: float
    """Distance between two dots."""


def _layout(drawing: Drawing, reasons: Sequence[_Reason]) -> _Layout:
    step = min(_STEP, _DOTS / max(reason.people for reason in reasons))
    axis: float = drawing.margin + _LABELS
    leaving = 0
    for reason in reasons:
        if reason.direction == "barrier":
            beside = min(drawing.width_of(reason.label, "label"), _LABELS - 2 * _STEP)
            axis = max(axis, drawing.margin + beside + reason.people * step + 10)
        else:
            leaving = max(leaving, reason.people)
    return _Layout(axis, axis + leaving * step + 16, step)


def _draw(drawing: Drawing, reasons: Sequence[_Reason]) -> None:
    drawing.y += 6
    top, layout = drawing.y, _layout(drawing, reasons)
    for direction, heading in DIRECTIONS.items():
        rows = _of(reasons, direction)
        if rows:
            drawing.y += 8
            drawing.line(heading, f"name {_COLOURS[direction]}")
            drawing.y += 2
        for reason in rows:
            if drawing.narrow:
                _draw_narrow(drawing, reason, layout.step)
            else:
                _draw_wide(drawing, reason, layout)
    if not drawing.narrow:
        drawing.rule("axis", layout.axis, top + 8, to_x=layout.axis, to_y=drawing.y)
        drawing.text("stay", "quiet", layout.axis - 8, top + 21, anchor="end")
        drawing.text("leave", "quiet", layout.axis + 8, top + 21)


def _of(reasons: Sequence[_Reason], direction: str) -> list[_Reason]:
    return [reason for reason in reasons if reason.direction == direction]


def _label(reason: _Reason) -> str:
    if reason.people > _COUNTABLE:
        return f"{reason.label} ({reason.people})"
    return reason.label


def _draw_wide(drawing: Drawing, reason: _Reason, layout: _Layout) -> None:
    top, axis, step = drawing.y, layout.axis, layout.step
    room = _LABELS - 10.0
    if reason.direction == "barrier":
        room = axis - drawing.margin - reason.people * step - 8
        _draw_dots(drawing, reason, axis - 13, top + 11, -step)
    else:
        _draw_dots(drawing, reason, axis + 13, top + 11, step)
    drawing.paragraph(_label(reason), "label", room=room)
    bottom = drawing.y
    drawing.y = top
    _draw_words(drawing, reason, layout.text)
    drawing.y = max(drawing.y, bottom) + 7


def _draw_narrow(drawing: Drawing, reason: _Reason, step: float) -> None:
    top = drawing.y
    room = drawing.right - drawing.margin - reason.people * step - 8
    x = drawing.right - (reason.people - 0.5) * step
    _draw_dots(drawing, reason, x, top + 11, step)
    if reason.words or len(reason.said_in) > 1:
        drawing.paragraph(_label(reason), "label", room=room)
        _draw_words(drawing, reason, drawing.margin)
    else:
        drawing.pair("label", _label(reason), reason.said_in[0], room=room)
    drawing.y += 8


def _draw_dots(drawing: Drawing, reason: _Reason, x: float, y: float, step: float) -> None:
    """Draw a dot for each person, the first at `x`; bars if the dots would be too small."""
    colour, radius = _COLOURS[reason.direction], abs(step) * 0.4
    if abs(step) < _DOTS / _MOST_DOTS:
        own, of_others = len(reason.own) * abs(step), len(reason.of_others) * abs(step)
        if step < 0:
            drawing.rect(colour, x - own, y - 6, own, 12)
            drawing.rect(f"hollow {colour}", x - own - of_others, y - 5, of_others, 10)
        else:
            drawing.rect(colour, x, y - 6, own, 12)
            drawing.rect(f"hollow {colour}", x + own, y - 5, of_others, 10)
        return
    for number in range(reason.people):
        if number < len(reason.own):
            drawing.dot(colour, x, y, radius)
        else:
            # The line around a hollow dot is 2 pixels wide.
            drawing.dot(f"hollow {colour}", x, y, radius - 1)
        x += step


def _draw_words(drawing: Drawing, reason: _Reason, x: float) -> None:
    if reason.words:
        drawing.paragraph(reason.words, "said", x=x)
    for line in reason.said_in:
        drawing.paragraph(line, "quiet", x=x)
