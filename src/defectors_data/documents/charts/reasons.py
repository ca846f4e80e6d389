"""A chart of why people left or stayed, which counts persons and names none.

A reason can incriminate a person or concern relatives, so rows show only how many persons give it,
and words without a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from defectors_data.documents.charts.chart import (
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
from defectors_data.models.counts import listed
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import Row, articles_by_id, by_key

NAME = "reasons"
HEADINGS = {
    ("leave", "push"): "Drove them out",
    ("leave", "pull"): "Drew them",
    ("leave", "barrier"): "Kept them back",
    ("rise", "push"): "Made them rise or change sides",
    ("rise", "pull"): "Drew them to rise or change sides",
    ("rise", "barrier"): "Kept them from rising or changing sides",
}
"""The headings of reasons, by decision and direction, in the order of the chart."""
_CLAUSES = {
    "push": ("what drove out {}", "what drove others out"),
    "pull": ("what drew {}", "what drew others"),
    "barrier": ("what kept back {}", "what keeps others back"),
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
    """The persons who say it only of others."""
    words: str
    """Words of one of them in quotation marks, or nothing."""
    lines: tuple[str, ...]
    """Where these words are printed, and who gives the reason besides persons."""

    @property
    def people(self) -> int:
        """Number of persons."""
        return len(self.own) + len(self.of_others)


def chart(tables: PackageTables, data: str) -> Chart | None:
    """Return the chart; None if no person, or if too many rows, give a reason."""
    speakers = Speakers(tables)
    testimonies = by_key(tables.rows("testimonies"), "testimony_id")
    given = [row for row in tables.rows("motives") if _is_given(row, testimonies)]
    motives = [row for row in given if row["decision"] == "leave"]
    reasons = _reasons(tables, speakers, motives, testimonies)
    own = set[str]().union(*(reason.own for reason in reasons))
    people = own.union(*(reason.of_others for reason in reasons))
    if not people or len(reasons) > MOST:
        return None
    sources = articles_by_id(tables.rows("sources"))
    source_ids = {row["source_id"] for row in motives}
    used = [sources[source_id] for source_id in sorted(source_ids)]
    roles = {speakers.rows[speaker_id]["role"] for speaker_id in people}
    everyone = speakers.people_in(roles)
    noun = speakers.plural(roles)
    givers = {row["speaker_id"] for row in given}
    counts = _Counts(
        only_of_others=bool(own) * len(people - own),
        without=len(everyone - people),
        only_to_rise=len(givers & (everyone - people)),
        to_rise=len(given) - len(motives),
        without_dot=any(speakers.rows[row["speaker_id"]]["kind"] != "person" for row in motives),
    )
    counted = "A dot is a person"
    if max(reason.people for reason in reasons) > _MOST_DOTS:
        counted = "Number of persons"
    subtitle = (
        f"{counted}: filled for a reason of theirs, in their words or the article’s, hollow for one "
        "that they give only of others"
    )

    def draw(drawing: Drawing) -> None:
        drawing.heading(subtitle)
        _draw(drawing, reasons)
        drawing.footer([*_notes(counts), *speakers.notes_on(roles)], credit(used, data))

    alt = " ".join(_sentence(reason) for reason in reasons)
    total = f" of {speakers.number_of(everyone)} {noun}"
    return drawn(NAME, _title(reasons, total), alt, draw)


# ---- who gives which reason ----------------------------------------------------------------------


class _Counts(NamedTuple):
    """Numbers of persons and reasons, for the notes."""

    only_of_others: int
    """Persons in the chart who give reasons only of others; 0 if no one gives an own reason."""
    without: int
    """Persons who give no reason of the chart."""
    only_to_rise: int
    """Those of them who give a reason to rise or not to rise."""
    to_rise: int
    """Reasons to rise or not to rise, which the chart leaves out."""
    without_dot: bool
    """Whether a group, an institution or a writer gives a reason of the chart."""


def _is_given(motive: Row, testimonies: Mapping[str, Row]) -> bool:
    """Return whether a reason is given, and neither denied nor doubted."""
    return testimonies[motive["testimony_id"]].get("stance") not in ("denies", "doubts")


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
    sources = articles_by_id(tables.rows("sources"))
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
        words, where = _quotation(of_persons, testimonies, sources, speakers)
        lines = [where] if words else []
        if others:
            also = "also " if of_persons else ""
            lines.append(f"{also}{listed(tuple(others))}")
        people = own, of_others - own
        reasons.append(_Reason(direction, labels[factor], *people, words, tuple(lines)))
    order = list(_CLAUSES)
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
        who += ", a group"
    if motive["reason_of"] == "others":
        who += ", of others"
    return who


def _quotation(
    rows: Sequence[Row],
    testimonies: Mapping[str, Row],
    sources: Mapping[str, Row],
    speakers: Speakers,
) -> tuple[str, str]:
    """Return short words of one person for a reason, and where they are printed, or nothing.

    The words are direct speech on the person's own reason that names no speaker, of a testimony
    without relatives.
    """
    for row in rows:
        testimony, source = testimonies[row["testimony_id"]], sources[row["source_id"]]
        if row["speaker_id"] in speakers.kept_off or row["reason_of"] != "speaker":
            continue
        direct = testimony["mode"] == "direct" and row["link"] == "own_words"
        short = len(row["text"]) in _WORDS and not speakers.are_named_in(row["text"])
        if direct and short and not testimony.get("relatives"):
            return quoted(row["text"]), _printed_in(testimony.get("outlet"), outlet_of(source))
    return "", ""


def _printed_in(other: str | None, outlet: str) -> str:
    """Return that one person said words to another outlet, or where they are printed."""
    if other:
        return f"one person, to {other}, in {outlet}"
    return f"one person, in {outlet}"


# ---- words ---------------------------------------------------------------------------------------


def _title(reasons: Sequence[_Reason], total: str) -> str:
    """Return a sentence: of how many people articles report reasons, and what moved how many.

    `total` is the number of all people in their roles, such as ` of up to 17 deserters`.
    """
    own, others = list[str](), list[str]()
    people, speaking = set[str](), set[str]()
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
    said = []
    if reason.own:
        said.append(f"{len(reason.own)} of themselves")
    if reason.of_others:
        said.append(f"{len(reason.of_others)} only of others")
    if reason.words:
        said.append(reason.words)
    said += reason.lines
    return f"{HEADINGS['leave', reason.direction]}, {reason.label}: {'; '.join(said)}."


def _notes(counts: _Counts) -> Iterator[str]:
    if counts.only_of_others:
        verb = "gives" if counts.only_of_others == 1 else "give"
        yield f"{capital(in_words(counts.only_of_others))} more {verb} only reasons of others."
    if counts.to_rise:
        yield "Reasons to rise against the government or to change sides, or not to, are left out."
    if counts.without:
        others = f"The data have no reason of the other {in_words(counts.without)} to leave, wait or stay"
        if counts.only_to_rise == counts.without:
            others += ", only one that is left out"
        elif counts.only_to_rise:
            others += f"; {in_words(counts.only_to_rise)} of them have one that is left out"
        yield f"{others}."
    yield "A person can have several reasons."
    if counts.without_dot:
        yield "Groups, institutions and writers have no dot."


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
    for direction in _CLAUSES:
        rows = _of(reasons, direction)
        if rows:
            drawing.y += 8
            drawing.line(HEADINGS["leave", direction], f"name {_COLOURS[direction]}")
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
    drawing.paragraph(_label(reason), "label", room=room)
    _draw_words(drawing, reason, drawing.margin)
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
    for line in reason.lines:
        drawing.paragraph(line, "quiet", x=x)
