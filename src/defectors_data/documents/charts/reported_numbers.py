"""A chart of the numbers that articles report for one measure, in their words.

No number is drawn or written that no article prints: a bar ends at a printed number, and fades
where the words leave the number open.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from defectors_data.documents.charts.chart import (
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
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import Row, articles_by_id, by_key, is_about_source, printed_number
from defectors_data.text.intervals import number

NAME = "reported-numbers"
_COLOURS = ("blue", "ochre", "slate")
"""Colours of the populations; a fourth one has the colour of the first."""
_IN_TITLE = 3
"""Maximum number of different numbers in the title."""
_LABELS = 226
"""Maximum width of the articles' names in the wide form, in pixels."""
_BAR = 18
_FADE = 0.2
"""Length of a fading end as a share of the bar up to its number."""


class _Reported(NamedTuple):
    """What an article reports about a population."""

    source: Row
    who: str
    figure: Row
    words: str
    """The words of the article for the number, in quotation marks."""
    also: tuple[str, ...]
    """Other words of the article for it, each with its place."""


class _Population(NamedTuple):
    """What the articles report about a population, and its colour."""

    label: str
    """The name of the population; empty if the figures have none."""
    colour: str
    rows: list[_Reported]


def chart(tables: PackageTables, data: str) -> Chart | None:
    """Return the chart of the measure that most articles report; None if no two report one."""
    speakers = Speakers(tables)
    measure = _measure(tables, speakers)
    if measure is None:
        return None
    populations = _populations(tables, measure, speakers)
    rows = _rows(populations)
    if len(rows) > MOST:
        return None
    label = tables.labels("measure")[measure]
    alt = " ".join(
        _sentence(population, row) for population in populations for row in population.rows
    )
    sources = by_key((row.source for row in rows), "source_id").values()
    subtitle = "In the words of each article."
    if len(populations) > 1:
        subtitle += " Each group has its own scale."
    if not any(row.figure.get("as_of") for row in rows):
        subtitle += " None gives the day of its count."

    def draw(drawing: Drawing) -> None:
        drawing.heading(subtitle)
        for scale, population in zip(_scales(drawing, populations), populations, strict=True):
            _draw_population(drawing, population, scale)
        drawing.footer(_notes(populations), credit(sources, data))

    return drawn(NAME, _title(label, populations), alt, draw)


# ---- what is reported ----------------------------------------------------------------------------


def _ends(figure: Row) -> tuple[float, float] | None:
    """Return the printed number of a figure twice, or both numbers of a range; None if vague."""
    if figure["value"] is not None:
        return figure["value"], figure["value"]
    if figure["hedge"] == "range":
        return figure["low"], figure["high"]
    return None


def _is_drawn(figure: Row, speakers: Speakers) -> bool:
    """Return whether a figure is affirmed, and not by someone whom charts do not quote."""
    return figure["polarity"] == "affirmed" and figure["attributed_to"] not in speakers.kept_off


def _measure(tables: PackageTables, speakers: Speakers) -> str | None:
    """Return the comparable measure with numbers from most articles, and of these most numbers."""
    comparable = set()
    for row in tables.rows("measures", ["measure", "comparable"]):
        if row["comparable"]:
            comparable.add(row["measure"])
    sources, figures = defaultdict[str, set[str]](set), Counter[str]()
    for figure in tables.rows("figures"):
        if figure["measure"] in comparable and _is_drawn(figure, speakers) and _ends(figure):
            sources[figure["measure"]].add(figure["source_id"])
            figures[figure["measure"]] += 1
    several = [measure for measure, found in sources.items() if len(found) > 1]
    several.sort(key=lambda measure: (-len(sources[measure]), -figures[measure], measure))
    return next(iter(several), None)


def _populations(tables: PackageTables, measure: str, speakers: Speakers) -> list[_Population]:
    """Return what the articles report, by population; the one in most articles is first."""
    found = defaultdict[str, defaultdict[str, list[Row]]](lambda: defaultdict(list))
    of_measure = tables.among("figures", "measure", [measure])
    figures = [row for row in of_measure if _is_drawn(row, speakers)]
    units = Counter(figure["unit"] for figure in figures if _ends(figure))
    unit = units.most_common(1)[0][0]
    for figure in figures:
        if figure["unit"] == unit:
            found[figure.get("population") or ""][figure["source_id"]].append(figure)
    labels = {"": "", **tables.labels("population")}
    sources = articles_by_id(tables.rows("sources"))
    who = _sources_of(tables, figures, speakers)
    regions = _regions(tables, figures)
    ordered = sorted(found, key=lambda name: (-len(found[name]), name))
    populations = []
    for number_of, name in enumerate(ordered):
        rows = []
        for source_id, figures_of in found[name].items():
            rows.append(_reported(sources[source_id], figures_of, who, regions))
        rows.sort(key=_by_date)
        colour = _COLOURS[number_of % len(_COLOURS)]
        populations.append(_Population(labels[name], colour, rows))
    return populations


def _by_date(row: _Reported) -> tuple[date, str]:
    return row.source["published_from"] or date.max, row.source["label"]


def _sources_of(
    tables: PackageTables, figures: Iterable[Row], speakers: Speakers
) -> dict[str, str]:
    """Return who states each figure, or about whom the article states it."""
    ids = {figure["testimony_id"] for figure in figures if figure["testimony_id"]}
    columns = ["speaker_id", "mode", "attribution"]
    testimonies = by_key(tables.among("testimonies", "testimony_id", ids, columns), "testimony_id")
    found = {}
    for figure in figures:
        who = "the article"
        if figure["attributed_to"]:
            who = speakers.label(figure["attributed_to"])
            if is_about_source(figure, testimonies):
                who = f"the article, about {who}"
        found[figure["figure_id"]] = who
    return found


def _regions(tables: PackageTables, figures: Iterable[Row]) -> dict[str, str]:
    """Return the region of the page in which each figure is printed."""
    ids = {figure["figure_id"] for figure in figures}
    spans = tables.among("spans", "record_id", ids, ["field", "region"])
    return {row["record_id"]: row["region"] for row in spans if row["field"] == "evidence"}


def _reported(
    source: Row, figures: list[Row], who: dict[str, str], regions: dict[str, str]
) -> _Reported:
    """Return what an article reports: its body's first number, and others in other words."""
    in_body = [row for row in figures if regions.get(row["figure_id"]) == "body"] or figures
    drawn_first = [row for row in in_body if _ends(row)] or in_body
    main = drawn_first[0]
    words = quoted(printed_number(main))
    also = list[str]()
    for figure in figures:
        other, region = quoted(printed_number(figure)), regions.get(figure["figure_id"], "body")
        if other == words:
            continue
        place = "also" if region == "body" else f"in its {region.replace('_', ' ')}:"
        said = f"{place} {other}"
        if figure["attributed_to"] and figure["attributed_to"] != main["attributed_to"]:
            said += f" ({who[figure['figure_id']]})"
        if said not in also:
            also.append(said)
    return _Reported(source, who[main["figure_id"]], main, words, tuple(also))


# ---- words ---------------------------------------------------------------------------------------


def _title(label: str, populations: Sequence[_Population]) -> str:
    """Return a sentence: what was counted, and how many articles print which words."""
    clauses = list[str]()
    for population in populations:
        articles = Counter(row.words for row in population.rows)
        for words, times in articles.most_common():
            who = in_words(times)
            if not clauses:
                who = f"{counted(times, 'article')} {_verb(times)}"
            clauses.append(f"{who} {words}")
        if len(populations) > 1 and population.label:
            clauses[-1] += f" ({_lower(population.label)})"
    more = len(clauses) - _IN_TITLE
    if more > 0:
        clauses[_IN_TITLE:] = [f"{in_words(more)} in other words"]
    return f"{label}: {', '.join(clauses)}"


def _verb(count: int) -> str:
    return "says" if count == 1 else "say"


def _lower(label: str) -> str:
    """Return a label for the middle of a sentence; abbreviations and names are unchanged."""
    first = label.partition(" ")[0]
    if first[1:].islower() and first.isalpha():
        return label[0].lower() + label[1:]
    return label


def _sentence(population: _Population, row: _Reported) -> str:
    """Return what an article reports as a sentence for the text alternative."""
    said = f"{row.source['label']}, {row.who}: {row.words}"
    if population.label:
        said += f" ({_lower(population.label)})"
    return f"{', '.join([said, *row.also])}."


def _rows(populations: Sequence[_Population]) -> list[_Reported]:
    return [row for population in populations for row in population.rows]


def _notes(populations: Sequence[_Population]) -> Iterator[str]:
    rows = _rows(populations)
    if any(row.figure["hedge"] != "exact" for row in rows):
        yield (
            "A line is the printed number. A bar fades where the words leave the number open; the "
            "fade has no scale."
        )
    if len(populations) > 1:
        names = " and ".join(_lower(population.label or "others") for population in populations)
        yield f"Numbers of different groups ({names}), and their bars, cannot be compared."


# ---- the picture ---------------------------------------------------------------------------------


class _Scale(NamedTuple):
    """A linear scale from zero."""

    start: float
    per_unit: float

    def x(self, value: float) -> float:
        """Return the position of a number."""
        # Without a number above zero there is no scale.
        if value:
            return self.start + value * self.per_unit
        return self.start


def _scales(drawing: Drawing, populations: Sequence[_Population]) -> list[_Scale]:
    """Return a scale for each population, with its largest number at the same position.

    Bars of different populations on one scale would be compared. After each bar is room for words.
    """
    rows = _rows(populations)
    start: float = drawing.margin
    if not drawing.narrow:
        labels = [drawing.width_of(row.source["label"], "name") for row in rows]
        start += min(max(labels) + 12, _LABELS)
    largest, reaches = list[float](), list[float]()
    for population in populations:
        ends = [(_ends(row.figure) or (0, 0))[1] for row in population.rows]
        largest.append(max(ends))
        for row, end in zip(population.rows, ends, strict=True):
            room = drawing.right - start - drawing.width_of(row.words, "said") - 10
            if _fades_beyond(row.figure["hedge"]):
                room /= 1 + _FADE
            if end:
                reaches.append(room * largest[-1] / end)
    reach = min(reaches, default=0)
    return [_Scale(start, reach / (number_of or math.inf)) for number_of in largest]


def _fades_beyond(hedge: str) -> bool:
    return hedge in ("more_than", "at_least", "about")


def _draw_population(drawing: Drawing, population: _Population, scale: _Scale) -> None:
    drawing.y += 14
    if population.label:
        # A line between the groups, which have different scales.
        drawing.rule("line", drawing.margin, drawing.y, to_x=drawing.right, to_y=drawing.y)
        drawing.y += 4
        drawing.line(population.label, f"name {population.colour}")
    if drawing.narrow:
        for row in population.rows:
            _draw_row(drawing, row, population.colour, scale)
        return
    top = drawing.y + 2
    drawing.y = top + _draw_ticks(drawing, population, scale, top)
    for row in population.rows:
        _draw_row(drawing, row, population.colour, scale)
    for row in population.rows:
        for value in _ends(row.figure) or ():
            x = scale.x(value)
            drawing.rule("line", x, top + 14, to_x=x, to_y=drawing.y)


def _draw_ticks(drawing: Drawing, population: _Population, scale: _Scale, top: float) -> float:
    """Draw the printed numbers above their bars, without those that would overlap."""
    reach = scale.start
    values = dict[float, str]()
    for row in population.rows:
        for value in _ends(row.figure) or ():
            values[value] = row.figure["text"]
    height = 0
    for value, text in sorted(values.items()):
        words = number(value)
        half = drawing.width_of(words, "small") / 2
        if words in text and scale.x(value) - half > reach:
            drawing.text(words, "small", scale.x(value), top + 11, anchor="middle")
            reach, height = scale.x(value) + half, 16
    return height


def _draw_row(drawing: Drawing, row: _Reported, colour: str, scale: _Scale) -> None:
    top = drawing.y + 4
    drawing.y = top
    room = None
    if not drawing.narrow:
        room = scale.start - drawing.margin - 10
    drawing.paragraph(row.source["label"], "name", room=room)
    drawing.paragraph(row.who, "quiet", room=room)
    bottom = drawing.y
    drawing.y = top + 2
    if drawing.narrow:
        drawing.y = bottom + 4
    ends = _ends(row.figure)
    if ends is None:
        drawing.text(row.words, "said", scale.start, drawing.y + 14)
    else:
        end = _draw_bar(drawing, row.figure["hedge"], ends, colour, scale)
        drawing.text(row.words, "said", end + 10, drawing.y + 14)
    drawing.y += _BAR + 2
    if ends is None:
        drawing.paragraph("no number to draw", "quiet", x=scale.start)
    for other in row.also:
        drawing.paragraph(capital(other), "quiet", x=scale.start)
    drawing.y = max(drawing.y, bottom) + 8


def _draw_bar(
    drawing: Drawing, hedge: str, ends: tuple[float, float], colour: str, scale: _Scale
) -> float:
    """Draw the bar of a figure from zero, and return the end of its drawing."""
    start, end, y = scale.start, scale.x(ends[1]), drawing.y
    solid, fade = end, (end - start) * _FADE
    if drawing.narrow:
        # The wide form has a line at this number across all bars.
        drawing.rule("axis", end, y - 3, to_x=end, to_y=y + _BAR + 3)
    match hedge:
        case "nearly" | "less_than" | "up_to" | "about":
            solid = end - fade
        case "range":
            solid = scale.x(ends[0])
    if _fades_beyond(hedge):
        end += fade
    drawing.rect(colour, start, y, solid - start, _BAR)
    if end > solid:
        # They overlap, so that no gap is seen between them.
        drawing.fade(colour, solid - 1, y, end - solid + 1, _BAR)
    return end
