"""Figures proposed from the words of an article."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.proposals.attributions import is_in_source
from defectors_data.annotators.proposals.counted_numbers import counted_by, in_words, with_rest
from defectors_data.annotators.proposals.likely_terms import likely_measure
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import number_in
from defectors_data.models.annotation import Testimony
from defectors_data.models.fields import plain_line, plain_number
from defectors_data.text import quantities
from defectors_data.text.detection import Detection
from defectors_data.text.english import is_plural, likely_unit
from defectors_data.text.english.counted_words.number_context import AGES
from defectors_data.text.english.polarity import likely_polarity, polarity_cue
from defectors_data.text.offsets import Span, is_inside


def proposed_figure(document: Document, span: Span) -> Proposal:
    """Return the figure in some words; those of a number alone are extended to its clause."""
    entry = number_in(document, span)
    counted = words = document.text[slice(*span)]
    said = entry.detection.quantity if entry else _quantity_in(words)
    if entry:
        found = counted_by(document, entry)
        counted = found.counted
        if is_inside(span, [entry.detection]):
            span = with_rest(document.text, found.span, entry.detection)
        else:
            counted = in_words(counted, words) or counted
        words = document.text[entry.detection.end : span.end]
    elif said:
        counted = counted.partition(" ")[2]
    if said and said.other_scale and said.other_unit == "usd" and "$" in document.text:
        # The cents of an article with dollars are parts of these.
        said = said.scaled(said.other_scale)._replace(other_scale=None)
    if said and AGES.match(counted):
        said = said._replace(unit="person")
    reading, notes = _reading(said)
    if entry and _counts_noun(document.text, entry.detection, counted, reading["unit"]):
        notes.pop("unit", None)
    said_in, outer = _testimony_around(document, span)
    is_attributed = outer is not None and outer.mode != "narrated"
    is_attributed = is_attributed and not is_in_source(document, said_in[0], span)
    values = {
        "measure": likely_measure(document, words, reading["unit"]),
        **reading,
        "polarity": "",
        "population": "",
        "counted": plain_line(counted),
        "attributed_to": outer.speaker if outer and is_attributed else "",
        "testimony": outer.id if outer else "",
        "as_of": "",
        "place": "",
        "override": "",
    }
    if entry:
        values["polarity"], guess = _polarity(document.text, entry.detection)
        if guess:
            notes["polarity"] = guess
    return Proposal("figures", (span,), values, notes)


def _quantity_in(words: str) -> quantities.Quantity | None:
    """Return the quantity of words in which the article has none, such as "six months" of a date."""
    return quantities.read_one(words) or quantities.read_quantity(words)


_TO_NOUN = re.compile(r"\s*(?:of (?:the |its |his |her |their )?)?")


def _counts_noun(text: str, found: Detection, counted: str, unit: str) -> bool:
    """Return whether a number counts the plural noun after it, which has this unit: "14 lamps"."""
    words = counted.split()
    # A name in -s need not be a plural, but "MPs" are.
    plurals = []
    for i, word in enumerate(words):
        is_known = word.islower() or (word[:-1].isupper() and likely_unit(word.casefold()))
        if is_plural(word.casefold()) and is_known:
            plurals.append(i)
    if not plurals:
        return False
    noun = words[plurals[0]].casefold()
    to_noun = _TO_NOUN.match(text, found.end)
    start = to_noun.end() if to_noun else found.end
    is_after = text.startswith(" ".join(words[: plurals[0] + 1]), start)
    return is_after and unit == (likely_unit(noun) or "item")


def _polarity(text: str, found: Detection) -> tuple[str, str]:
    """Return the polarity that the words of a quantity show, and a note on a guess."""
    if found.quantity and found.quantity.polarity != "affirmed":
        return found.quantity.polarity, ""
    number = found.span
    cue = polarity_cue(text, number)
    if cue is None:
        return "", ""
    return likely_polarity(text, number), f"needed because of `{cue}`, also if it is `affirmed`"


def _reading(said: quantities.Quantity | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return the number, bounds, hedge and unit of a quantity, and notes on guesses."""
    keys = ("value", "low", "high")
    if said is None:
        return {**dict.fromkeys((*keys, "hedge"), ""), "unit": "other"}, {"unit": _NO_UNIT}
    values, notes = {}, {}
    for key in keys:
        number = getattr(said, key)
        values[key] = "" if number is None else plain_number(number)
        if number and said.other_scale:
            notes[key] = f"or {plain_number(number * said.other_scale)}"
    values["hedge"] = said.hedge
    if said.other_hedge:
        notes["hedge"] = f"or {said.other_hedge}"
    is_whole = said.value is None or said.value.is_integer()
    values["unit"] = said.unit or said.likely_unit or ("item" if is_whole else "other")
    if not said.unit:
        notes["unit"] = _NO_UNIT
    return values, notes


_NO_UNIT = "the words state no unit"


def _testimony_around(document: Document, span: Span) -> tuple[Sequence[Span], Testimony | None]:
    """Return the first testimony with a part that contains a span, or None, and its parts."""
    for path, found in document.testimonies:
        parts = document.evidence_of(path)
        if is_inside(span, parts):
            return parts, found
    return (), None
