"""Agreement of records with their words: quotation marks, numbers, attributes of mentions.

Rules report disagreement; rules on completeness use the same functions, so that one mistake is
reported only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of, units_by_noun
from defectors_data.models.annotation import Figure
from defectors_data.models.closed_vocabularies import STANDARD_OVERRIDES
from defectors_data.models.fields import Part
from defectors_data.text import quantities
from defectors_data.text.attributions import words_of_speech
from defectors_data.text.detection import MARKS, Detection, marks_around
from defectors_data.text.offsets import Span, overlaps, paragraphs_around, sentences_around
from defectors_data.text.quantities import Quantity


def missing_marks(document: Document, part: Part, span: Span) -> list[str]:
    """Return the marks (`opening`, `closing`) that a part lacks; none in a block quotation."""
    marks = zip(("opening", "closing"), marks_around(document.text, span), strict=True)
    missing = [name for name, is_there in marks if not (is_there or part.unbalanced == name)]
    if missing and span in block_quotations(document):
        return []
    return missing


@per_document
def block_quotations(document: Document) -> list[Span]:
    """Return the direct parts that are whole paragraphs without quotation marks, after a line that
    says who speaks and ends with a colon, or after another such paragraph.
    """
    text, found = document.text, list[Span]()
    for span in sorted(span for _, (_, span) in document.direct_parts):
        around = paragraphs_around(text, span)
        is_whole = text[slice(*around)].strip() == text[slice(*span)]
        before = len(text[: around.start].rstrip())
        is_next = bool(found) and before == found[-1].end
        if is_whole and text[span.start] not in MARKS and (is_next or _introduces(text, before)):
            found.append(span)
    return found


def _introduces(text: str, end: int) -> bool:
    """Return whether the sentence that ends at an offset has words of speech and ends with a colon."""
    last = sentences_around(text, Span(end - 1, end))
    return text.endswith(":", 0, end) and bool(words_of_speech(text, last))


@per_document
def unmarked(document: Document) -> list[Span]:
    """Return the spans of direct parts that lack a quotation mark or omit words.

    Other rules report these faults.
    """
    found = []
    for _, (part, span) in document.direct_parts:
        if missing_marks(document, part, span) or is_cut(document, part, span):
            found.append(span)
    return found


def is_cut(document: Document, part: Part, span: Span) -> bool:
    """Return whether a part with a missing quotation mark leaves out words of its quotation."""
    if not part.unbalanced:  # building the ledger is slow
        return False
    for run in ledger_of(document).quotations:
        if overlaps(span, [run]) and not _reaches(document.text, part, span, run):
            return True
    return False


def _reaches(text: str, part: Part, span: Span, run: Detection) -> bool:
    """Return whether a part omits at most the attribution where a mark is missing."""
    if part.unbalanced == "opening" and run.unopened:
        over, left = span.start < run.start, text[run.start : span.start]
    elif part.unbalanced == "closing" and run.unclosed:
        over, left = span.end > run.end, text[span.end : run.end]
    else:
        return True
    has_words = re.search(r"[^\W_]", left) is not None
    return not over and (not has_words or _attributes(left))


def _attributes(words: str) -> bool:
    """Return whether words attribute something: `according to`, or a verb of speech, not a noun."""
    return bool(words_of_speech(words, Span(0, len(words))))


def quantities_of(document: Document, path: Path) -> list[Quantity]:
    """Return the quantities in the words of a figure."""
    entries = ledger_of(document).within(document.evidence_of(path))
    found = [entry.detection.quantity for entry in entries if entry.detection.quantity]
    if not found:
        words = document.words((*path, "evidence")) or ""
        one = quantities.read_one(words, units_by_noun(document.context))
        found += [one] if one else []
    return found


@per_document
def disagreeing(document: Document) -> list[tuple[Path, Figure, list[Quantity]]]:
    """Return the figures that disagree with their words, each with the quantities in the words."""
    found = []
    for path, figure in document.figures:
        if disagrees(document, path, figure):
            found.append((path, figure, quantities_of(document, path)))
    return found


def disagrees(document: Document, path: Path, figure: Figure) -> bool:
    """Return whether a figure disagrees with its words and has no `override` that says why."""
    if not document.evidence_of(path) or not document.claims_completeness:
        return False
    stated = quantities_of(document, path)
    if any(agrees(figure, quantity) for quantity in stated):
        return False
    words = document.words((*path, "evidence")) or ""
    is_one = figure.polarity == "denied" and quantity_of(figure)[:4] == _ONE
    if not stated and is_one and quantities.denies_one(words):
        return False
    return not _is_excused(figure, stated)


_ONE = (1, None, None, "exact")
"""The numbers and the hedge of "not even a kilo", which the program does not read as a quantity."""


def lacks_hedge(document: Document, path: Path, figure: Figure) -> bool:
    """Return whether the words of a figure alone have another hedge, or deny no quantity."""
    if not document.claims_completeness:
        return False
    words = [document.text[span.start : span.end] for span in document.evidence_of(path)]
    stated = _stated(" ".join(words), document.context)
    hedges = {hedge for each in stated for hedge in (each.hedge, each.other_hedge)}
    is_denied = any(each.polarity == "denied" for each in quantities_of(document, path))
    lacks_denial = is_denied and all(each.polarity == "affirmed" for each in stated)
    return bool(stated) and (figure.hedge not in hedges or lacks_denial)


@lru_cache(maxsize=1 << 10)
def _stated(words: str, context: Context) -> list[Quantity]:
    return [each.quantity for each in quantities.readings(words, units_by_noun(context))]


def _is_excused(figure: Figure, stated: Sequence[Quantity]) -> bool:
    """Return whether `override` excuses every difference between a figure and its words."""
    differs = STANDARD_OVERRIDES.get(figure.override or "")
    if differs is None:
        return bool(figure.override)
    if not stated:
        return differs == "numbers"
    return any(_differs_only_in(differs, figure, said) for said in stated)


def _differs_only_in(differs: str, figure: Figure, said: Quantity) -> bool:
    """Return whether a figure agrees with a quantity except in its unit, hedge or numbers."""
    # With another hedge, the number is in other fields: `up_to` also has it in `high`.
    numbers = {figure.value, figure.low, figure.high}
    same_numbers = numbers <= {said.value, said.low, said.high, None}
    same_hedge = figure.hedge in (said.hedge, said.other_hedge)
    same_unit = said.unit in (None, figure.unit)
    same_hedge &= said.polarity in ("affirmed", figure.polarity)
    return (
        (same_unit or differs == "unit")
        and (same_hedge or differs == "hedge")
        and (same_numbers or differs == "numbers")
    )


def agrees(figure: Figure, said: Quantity) -> bool:
    """Return whether a figure has the properties of one meaning of a quantity."""
    return said.agrees(quantity_of(figure))


def quantity_of(figure: Figure) -> Quantity:
    """Return the quantity that a figure states."""
    numbers = figure.value, figure.low, figure.high
    return Quantity(*numbers, figure.hedge, figure.unit, polarity=figure.polarity)


def unread(document: Document) -> Iterator[tuple[Path, str]]:
    """Yield attributes that the words of their mention do not contain, as (path, key)."""
    for path, value in document.attributes_of_mentions:
        if not is_read(document, path, value):
            yield path[:-1], str(path[-1])


def is_read(document: Document, path: Path, value: str | int) -> bool:
    """Return whether the words of a mention contain its attribute.

    It is true if the words were not found or not read.
    """
    text = document.words((*path[:-1], "evidence"))
    if text is None:
        return True  # the words were not found, which another rule reports
    if isinstance(value, str):
        return contains_words(text, value)
    return not document.claims_completeness or value in quantities.numbers(text)


# ---- triggers ------------------------------------------------------------------------------------


def triggered(text: str, spans: Iterable[Span], triggers: Sequence[str]) -> bool:
    """Return whether a span of a text contains a trigger.

    A trigger that ends in `*` matches the start of a word.
    """
    pattern = _pattern(tuple(triggers))
    return any(pattern.search(text, *span) for span in spans)


@cache
def _pattern(triggers: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = []
    for trigger in triggers:
        if trigger.endswith("*"):
            alternatives.append(_worded(trigger[:-1]))
        else:
            alternatives.append(rf"{_worded(trigger)}(?!\w)")
    # `(?!)` never matches; an empty alternative would match everywhere.
    any_trigger = "|".join(alternatives) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{any_trigger})", re.IGNORECASE)


def _worded(trigger: str) -> str:
    """Return the pattern of a trigger, with any white space and either apostrophe."""
    # `re.escape` leaves an apostrophe as it is, so it can be replaced afterwards.
    return r"\s+".join(re.escape(word) for word in trigger.split()).replace("'", "['’]")
