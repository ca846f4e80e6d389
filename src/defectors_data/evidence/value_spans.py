"""Spans of single values: numbers, dates, places, outlets, names and attributes.

A record's evidence covers the whole record; these spans are narrower. The ledger has the span of
each number. Names and attributes are searched for in the evidence. Cited outlets may be printed
outside it, so the nearest occurrence is taken. The date and place of a figure are those of its
testimony, or are printed in its paragraph: no other words establish them. The region of a span is
the part of the page in which it starts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import product
from typing import NamedTuple, TypeAlias

from defectors_data.corpus.findings import Path
from defectors_data.evidence.anchors import encodings, whole_occurrences
from defectors_data.evidence.annotated_document import REGIONS, Document, per_document
from defectors_data.evidence.completeness_ledger import LedgerEntry, ledger_of
from defectors_data.models.annotation import Figure, Mention, ProtectedMention
from defectors_data.models.closed_vocabularies import RecordTable, Region
from defectors_data.models.fields import edtf_bounds
from defectors_data.text.non_quantities import MONTH_NAMES, MONTHS
from defectors_data.text.offsets import Span, extent, overlaps, paragraphs_around, sentences_around


class ValueWords(NamedTuple):
    """The spans that state a value, with the table and id of its record and its name."""

    table: RecordTable
    record_id: str
    field: str
    spans: Sequence[Span]


def printed_values(document: Document) -> Iterator[ValueWords]:
    """Yield the spans of printed values, except values that consist of the whole evidence."""
    numbers = _numbers(document)
    # Cited outlets belong to the whole source, so the first occurrence is taken.
    outlets = [_nearest(document, outlet, 0) for outlet in document.source.cited_outlets]
    yield ValueWords("sources", document.source.id, "cited_outlets", _found(outlets))
    for name in ("authors", "outlet", "url"):
        fact = document.source.facts().get(name)
        if fact is None or fact.basis != "stated" or not fact.value:
            continue
        values = fact.value
        if isinstance(fact.value, str):
            values = (fact.value,)
        evidence = document.at(("source", name, "evidence"))
        spans = [_within(document, value, evidence) for value in values]
        yield ValueWords("sources", document.source.id, name, _found(spans))
    for path, mention in document.mentions:
        for field, span in _of_mention(document, path, mention, numbers[mention.id]):
            yield ValueWords("mentions", mention.id, field, [span])
    # Rows are made only if all evidence was found, so every record has a first span.
    for path, testimony in document.testimonies:
        if testimony.outlet and (
            outlet := _nearest(document, testimony.outlet, document.evidence_of(path)[0].start)
        ):
            yield ValueWords("testimonies", testimony.id, "outlet", [outlet])
    for path, figure in document.figures:
        if found := numbers[figure.id]:
            yield ValueWords("figures", figure.id, "quantity", [_span(entry) for entry in found])
        if figure.as_of and (dates := _of_date(document, path, figure)):
            yield ValueWords("figures", figure.id, "as_of", dates)
        if figure.place and (places := _of_place(document, path, figure)):
            yield ValueWords("figures", figure.id, "place", places)


def _found(spans: Iterable[Span | None]) -> list[Span]:
    """Return the spans without None, sorted."""
    return sorted(span for span in spans if span)


def _numbers(document: Document) -> Mapping[str | None, list[LedgerEntry]]:
    """Return the entries of the ledger that figures and mentions account for, by record."""
    found = defaultdict(list)
    for entry in ledger_of(document).entries:
        if entry.record_table in ("figures", "mentions"):
            found[entry.record_id].append(entry)
    return found


def _of_mention(
    document: Document,
    path: Path,
    mention: Mention | ProtectedMention,
    numbers: Sequence[LedgerEntry],
) -> Iterator[tuple[str, Span]]:
    """Yield the words of a name and of attributes in the evidence of a mention, by attribute."""
    name = getattr(document.speaker_of(path), "name", None)
    for field, value in (
        ("name", name),
        *((key, getattr(mention, key, None)) for key in ("rank", "affiliation")),
    ):
        if value and (span := _within(document, value, document.evidence_of(path))):
            yield field, span
    if not document.claims_completeness:
        yield from _unread_numbers(document, path, mention)
    # Each number is used only once, as in the ledger.
    left = list(numbers)  # if age and years of service are equal, the age comes first
    for field in ("age", "years_of_service"):
        value = getattr(mention, field, None)
        entry = _first_with(left, value)
        if entry:
            left.remove(entry)
            yield field, _span(entry)


def _first_with(entries: Sequence[LedgerEntry], value: int | None) -> LedgerEntry | None:
    """Return the first entry with a quantity that has a value, or None."""
    for entry in entries:
        quantity = entry.detection.quantity
        if quantity and value is not None and quantity.value == value:
            return entry
    return None


def _unread_numbers(
    document: Document, path: Path, mention: Mention | ProtectedMention
) -> Iterator[tuple[str, Span]]:
    """Yield the spans of ages and years of service, or the mention if not in digits."""
    evidence = document.evidence_of(path)
    for field in ("age", "years_of_service"):
        value = getattr(mention, field, None)
        if value is not None:
            yield field, _within(document, str(value), evidence) or evidence[0]


def _span(entry: LedgerEntry) -> Span:
    return entry.detection.span


def _within(document: Document, words: str, evidence: Sequence[Span]) -> Span | None:
    """Return the first occurrence of words in evidence, or None."""
    for part in evidence:
        for span in _occurrences(words, document.text[part.start : part.end]):
            return Span(part.start + span.start, part.start + span.end)
    return None


def _occurrences(words: str, text: str) -> list[Span]:
    return [span for each in encodings(words) for span in whole_occurrences(each, text)]


def _nearest(document: Document, words: str, to: int) -> Span | None:
    """Return the occurrence of words nearest to an offset, ignoring withdrawn occurrences."""
    # Outlets may be printed outside the evidence, so the nearest occurrence is the best guess.
    spans = _occurrences(words, document.text)
    found = [span for span in spans if not document.is_withdrawn(*span)]
    return min(found, key=lambda span: abs(span.start - to), default=None)


def _of_place(document: Document, path: Path, figure: Figure) -> Sequence[Span]:
    """Return the words for the place of a figure: those of its testimony, or near its evidence."""
    if named := document.testimony_of(figure):
        at, testimony = named
        if testimony.where and testimony.where.place == figure.place:
            return document.at((*at, "where", "words"))
    found = list[Span]()
    for spelling in document.context.spellings.get(figure.place or "", ()):
        found += whole_occurrences(spelling, document.text)
    start = document.evidence_of(path)[0].start
    # Of two spellings at one place, such as `Cucuta, Colombia` and `Cucuta`, the longer is taken.
    found.sort(key=lambda span: (abs(span.start - start), -span.end))
    return _first_near(document, path, found)


def _first_near(document: Document, path: Path, found: Sequence[Span]) -> Sequence[Span]:
    """Return the first span in the evidence of a record, its sentences or its paragraph, or none.

    The next larger of the three is only searched if the smaller one contains no span.
    """
    evidence = document.evidence_of(path)
    whole = extent(evidence)
    sentences = sentences_around(document.text, whole)
    for around in (whole, sentences, paragraphs_around(document.text, whole)):
        for span in found:
            is_inside = around.start <= span.start and span.end <= around.end
            if is_inside and not document.is_withdrawn(*span):
                return [span]
    return ()


# ---- dates ---------------------------------------------------------------------------------------

_EDTF = re.compile(
    r"(?<![\dY-])(?P<year>[0-9X]{4})(?!\d)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-9]{2}))?)?"
)
_MONTHS = MONTHS | {name.upper() for name in MONTHS}
_ISO = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_WORDS = {
    "year": re.compile(r"[0-9]{4}(?<!\d[0-9]{4})(?!\d)"),  # a text has few digits
    "month": re.compile(r"\b(?=[A-Z])(?:" + "|".join(sorted(_MONTHS)) + r")\b"),
    "day": re.compile(r"(?<!\d)[0-9]{1,2}(?!\d)"),
}
_BARE_MONTH = re.compile(
    r"\b(?i:by|early|from|in|last|late|of|since|until) (?:" + "|".join(sorted(_MONTHS)) + r")\b"
)
"""A month after a word that makes it one: "May" and "March" are other words, too."""

_DateParts: TypeAlias = Mapping[str, str | None]
_PrintedParts: TypeAlias = Mapping[str, set[str]]


def _of_date(document: Document, path: Path, figure: Figure) -> Sequence[Span]:
    """Return the words for the date of a figure: those of its testimony, or near its evidence.

    Of the dates that are printed near it, the one that shares the most parts is taken.
    """
    if named := document.testimony_of(figure):
        at, testimony = named
        if testimony.happened and testimony.happened.date == figure.as_of:
            return document.at((*at, "happened", "words"))
    wanted = _wanted(figure.as_of or "")
    start = document.evidence_of(path)[0].start
    found = []
    for span, printed in _printed_dates(document):
        common = max((_common(each, printed) for each in wanted), default=0)
        if common > 0:
            found.append((-common, abs(span.start - start), span))
    return _first_near(document, path, [span for *_, span in sorted(found)])


def unprinted_part(
    document: Document, edtf: str, near: Span, years: Collection[str] = ()
) -> str | None:
    """Return the first part of an EDTF date that is not printed, such as "the year 2018".

    The given years need not be printed. The day must be printed with its month. If dates are
    printed near the words, one must not differ. Months and days are not compared in a text that is
    not read or of which words were taken down.
    """
    wanted = _wanted(edtf)
    for year in years_in(edtf):
        if year not in years and year not in _printed_in(document)["year"]:
            return f"the year {year}"
    if not document.is_searched_whole:
        return None
    for each in wanted:
        if each["month"] and not _prints_day_or_month(document, each):
            return _worded(each)
    dates = _dates_in(document, near)
    fits = any(_common(each, printed) >= 0 for each in wanted for printed in dates)
    if dates and wanted and not fits:
        return f"{_worded(wanted[0])} near these words"
    return None


def unstated_part(document: Document, edtf: str, evidence: Sequence[Span]) -> str | None:
    """Return the first month or day of an EDTF date that evidence does not print, such as "May 3".

    In "3/5/2019" and "2019-05-03", either number may be the month. Texts that are not read, or of
    which words were taken down, are not compared.
    """
    words = " ".join(document.words_at(evidence))
    if not document.is_searched_whole or not words or re.search(r"\d{5}", words):
        return None
    months, days = _numbers_in(words, "month"), _numbers_in(words, "day")
    if re.search(r"\d[/.-]\d", words):
        months |= days
    for each in _wanted(edtf):
        is_printed = each["month"] in {*months, None} and each["day"] in {*days, None}
        if not is_printed:
            return _worded(each)
    return None


def _dates_in(document: Document, near: Span) -> list[_PrintedParts]:
    """Return the parts of the dates that some words print, with months alone."""
    dates = [printed for span, printed in _printed_dates(document) if overlaps(span, [near])]
    return dates + [_parts(month) for month in _BARE_MONTH.findall(document.text[slice(*near)])]


def contradiction(document: Document, edtf: str, words: Span) -> str | None:
    """Return what contradicts a date: a printed date, a relative one, or that of publication.

    A date without a year contradicts nothing here. A relative date is counted from a publication
    that is stated as exactly: `last month` needs the month. A text that is not read, or of which
    words were taken down, is not compared.
    """
    if not document.is_searched_whole:
        return None
    bounds, text = edtf_bounds(edtf), document.text[slice(*words)]
    first, last = bounds.first or date.min, bounds.last or date.max
    if (first, last) == (date.min, date.max):
        return None
    printed = [] if _DISTANCE.search(text) else _dates_in(document, words)
    if any(not _overlaps(each, first, last) for each in printed):
        return "The date does not fit the one that these words print."
    if bounds.first is None and _START.search(text) and not _END.search(text):
        return "These words print a beginning, but the date has only an end."
    published = document.source.published
    if published is None or re.search(r"[~?%]", published.value):
        return None
    earliest, latest = edtf_bounds(published.value)
    if earliest is None or latest is None:
        return None
    meant = _relative(text, earliest, latest)
    if meant and not (first <= meant[1] and meant[0] <= last):
        return f"Counted from the publication, these words mean {meant[0]} to {meant[1]}."
    around = document.text[slice(*sentences_around(document.text, words))]
    if first > latest and not _NOT_PAST.search(around):
        return "The date is after the publication, but the sentence reports what has happened."
    return None


_DISTANCE = re.compile(
    r"\b(?:day|night|week|month|year)s?(?: and a half)? (?:before|after|earlier|later|prior|from)\b"
)
"""Words before a printed date that is not the one meant: "two days before February 23"."""
_START, _END = re.compile(r"(?i)\bsince\b"), re.compile(r"(?i)\b(?:until|till|to|through)\b")
_TIMETABLED = "begin start open end take meet hold run vote arrive leave expire"
"""Verbs whose present tense can state what will happen: "the trial opens on Friday"."""
_NOT_PAST = re.compile(
    r"(?i)\b(?:will|would|shall|should|(?-i:may)|might|could|can|going to|to be|next|tomorrow|plan\w*|if"
    r"|expect\w*|due|until|schedul\w*|upcoming|coming|forecast\w*|project\w*|set to|is|are"
    rf"|(?:{'|'.join(_TIMETABLED.split())})s?)\b|['’](?:ll|s|re)\b"
)
"""Words with which a sentence may say that something is to come."""
_RELATIVE = re.compile(r"(?i)(?<!the )\b(?:(last|this) (year|month)|(yesterday))\b")
"""Relative dates with one meaning; "the last month" can be the thirty days before."""


def _relative(words: str, earliest: date, latest: date) -> tuple[date, date] | None:
    """Return the first and last day of a relative date, or None if publication is not exact."""
    found = _RELATIVE.search(words)
    if not found:
        return None
    which, unit, yesterday = found.groups()
    if yesterday:
        day = latest - timedelta(days=1)
        return (day, day) if earliest == latest else None
    length = 1 if unit.lower() == "year" else 2
    if earliest.timetuple()[:length] != latest.timetuple()[:length]:
        return None
    start = latest.replace(day=1, month=1) if length == 1 else latest.replace(day=1)
    if which.lower() == "last":
        before = start - timedelta(days=1)
        start = before.replace(day=1, month=1) if length == 1 else before.replace(day=1)
    written = f"{start:%Y}" if length == 1 else f"{start:%Y-%m}"
    bounds = edtf_bounds(written)
    return bounds.first or start, bounds.last or start


def _overlaps(printed: _PrintedParts, first: date, last: date) -> bool:
    """Return whether a printed date can be in a period, in the years that it leaves open."""
    years = printed["year"] or {f"{first.year:04}", f"{last.year:04}"}
    if not printed["year"] and last.year - first.year > 1:
        return True  # each month is in it
    for year in years:
        for month, day in product(printed["month"] or {""}, printed["day"] or {""}):
            written = "-".join(part for part in (year, month, day) if part)
            with suppress(ValueError):  # a number that is no month, or no day of the month
                found = edtf_bounds(written)
                if (found.first or first) <= last and first <= (found.last or last):
                    return True
    return False


def years_in(edtf: str) -> list[str]:
    """Return the years of an EDTF date or interval, without those that it leaves open."""
    years = [date["year"] or "" for date in _wanted(edtf)]
    return [year for year in years if year.isdecimal()]


def _wanted(edtf: str) -> list[_DateParts]:
    return [found.groupdict() for found in _EDTF.finditer(edtf)]


def _prints_day_or_month(document: Document, date: _DateParts) -> bool:
    """Return whether the month of a date is printed, and with its day if it has one."""
    if not date["day"] and date["month"] in _printed_in(document)["month"]:
        return True
    month_and_day = {**date, "year": None}
    number = sum(value is not None for value in month_and_day.values())
    return any(_common(month_and_day, each) == number for _, each in _printed_dates(document))


def _worded(date: _DateParts) -> str:
    """Return a date in words, such as "February 27"; the year only if there is no month."""
    if not date["month"]:
        return f"the year {date['year']}"
    name = MONTH_NAMES[int(date["month"]) - 1]
    return f"{name} {int(date['day'])}" if date["day"] else name


@per_document
def _printed_dates(document: Document) -> list[tuple[Span, _PrintedParts]]:
    """Return the printed dates that have a year, a month or a day, with their parts."""
    found = []
    for entry in ledger_of(document).entries:
        if entry.detection.kind == "date" and entry.status != "withdrawn":
            span = _span(entry)
            parts = _parts(document.text[slice(*span)])
            if any(parts.values()):
                found.append((span, parts))
    return found


def _parts(words: str) -> _PrintedParts:
    """Return the years, months and days of a printed date, in digits.

    Parts that are not printed are empty. In "3/4/2019", either number may be the month.
    """
    iso = _ISO.fullmatch(words)
    if iso:
        return {key: {value} for key, value in iso.groupdict().items()}
    found = {key: _numbers_in(words, key) for key in _WORDS}
    if re.search(r"\d[/.]\d", words):
        found["month"] = found["day"]
    elif not found["month"]:
        found["day"] = set()  # as in "20 days ago"
    return found


@per_document
def _printed_in(document: Document) -> _PrintedParts:
    """Return the years and months that a text prints anywhere, in digits."""
    return {part: _numbers_in(document.text, part) for part in ("year", "month")}


def _numbers_in(words: str, part: str) -> set[str]:
    """Return the years, months or days that words print, in digits."""
    found = {hit[0] for hit in _WORDS[part].finditer(words)}
    if part == "month":
        # Three letters, since months may be abbreviated.
        beginnings = [name[:3] for name in MONTH_NAMES]
        return {f"{beginnings.index(name[:3].title()) + 1:02}" for name in found}
    return {number.zfill(2) for number in found}


def _common(wanted: _DateParts, printed: _PrintedParts) -> int:
    """Return how many parts two dates have in common, or -1 if any part differs."""
    # `XXXX` is an unknown year.
    both = [key for key in printed if printed[key] and wanted[key] not in (None, "XXXX")]
    if all(wanted[key] in printed[key] for key in both):
        return len(both)
    return -1


# ---- regions -------------------------------------------------------------------------------------


def region_of(document: Document, start: int) -> Region:
    """Return the region of the page that contains a code point."""
    for span, region in _regions(document):
        if span.start <= start < span.end:
            return region
    return "body"


@per_document
def _regions(document: Document) -> list[tuple[Span, Region]]:
    """Return the spans of all regions but the body, each with its region."""
    found: list[tuple[Span, Region]] = []
    for field, region in REGIONS.items():
        found += [(span, region) for span in document.at(("source", field))]
    return found
