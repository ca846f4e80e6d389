"""Rules on figures, their numbers, units, dates and testimonies, and on relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from defectors_data.corpus.findings import Finding, Path
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import (
    agrees,
    disagrees,
    lacks_hedge,
    quantities_of,
    quantity_of,
)
from defectors_data.evidence.relation_arithmetic import arity, conventions, evaluate_relation
from defectors_data.evidence.value_spans import unprinted_part
from defectors_data.models import closed_vocabularies
from defectors_data.models.annotation import Figure, Relation
from defectors_data.models.counts import counted
from defectors_data.models.fields import OPEN_COUNTED
from defectors_data.rules.attribution.roles import may_deny
from defectors_data.rules.engine import HINT_ON_AGE, rule
from defectors_data.text.detection import reason_of_number, states_age
from defectors_data.text.english.counted_words import says_nothing
from defectors_data.text.english.partial_numbers import unread_part
from defectors_data.text.english.polarity import may_be_expected, polarity_cue
from defectors_data.text.intervals import BOUNDS
from defectors_data.text.offsets import (
    Span,
    are_inside,
    extent,
    is_inside,
    overlaps,
    sentences_around,
    surroundings,
    with_neighbours,
)
from defectors_data.text.quantities import Quantity


@rule(on="figures", codebook=("F2", "F13"))
def bounds_hedge_mismatch(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The bounds of a figure must be those that its hedge implies."""
    # Numbers out of order are reported by `bounds_out_of_order`; only one of the two rules applies
    # to a figure.
    if _is_ordered(figure) and not _has_bounds_of_hedge(figure):
        bounds = BOUNDS[figure.hedge]
        names = " and ".join(f"`{key}`" for key in bounds)
        both = ""
        if len(bounds) > 1 and figure.hedge != "range":
            both = " with the same number"
        message = f"The hedge `{figure.hedge}` requires {names}{both} and allows no other bound."
        hint = "Correct the hedge or the numbers to match the words."
        other = [key for key in _numbers_of(figure) if key not in bounds]
        place = document.place(*path, next(iter(other), "hedge"))
        yield Finding(place, "bounds-hedge-mismatch", message, (hint,))


def _numbers_of(figure: Figure) -> list[str]:
    """Return the keys of the numbers of a figure."""
    return [key for key in ("value", "low", "high") if getattr(figure, key) is not None]


def _has_bounds_of_hedge(figure: Figure) -> bool:
    keys = _numbers_of(figure)
    same = figure.hedge == "range" or len({getattr(figure, key) for key in keys}) == 1
    return set(keys) == set(BOUNDS[figure.hedge]) and same


def _is_ordered(figure: Figure) -> bool:
    numbers = [n for n in (figure.low, figure.value, figure.high) if n is not None]
    return numbers == sorted(numbers)


@rule(on="figures", codebook="F2")
def bounds_out_of_order(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The bounds of a figure must be in order: `low` <= `value` <= `high`."""
    if not _is_ordered(figure):
        message = "Expected `low` <= `value` <= `high`."
        hint = "Put the lowest number in `low` and the highest in `high`."
        yield Finding(document.place(*path, "low"), "bounds-out-of-order", message, (hint,))


@rule(on="figures", codebook=("F2", "F3", "F5", "F6", "F12"))
def figure_text_mismatch(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure must have the numbers, hedge, polarity and unit of its words, or an `override`."""
    if figure.unit not in document.context.terms["unit"]:
        return  # reported by `unknown_term`
    if not disagrees(document, path, figure):
        if lacks_hedge(document, path, figure) and not figure.override:
            place = document.place(*path, "evidence")
            message = "The words that hedge the number are outside the evidence of this figure."
            hint = "Copy them, too: without them, the published words have another hedge."
            if _is_plain(figure):
                message = "Read alone, the words of this figure hedge its number."
                hint = "Copy the words that show that they do not, or say so in `override`."
            yield Finding(place, "figure-text-mismatch", message, (hint,))
    elif _has_bounds_of_hedge(figure) and _is_ordered(figure):
        yield _mismatch(document, path, figure, quantities_of(document, path))


def _is_plain(figure: Figure) -> bool:
    return figure.hedge == "exact" and figure.polarity == "affirmed"


def _mismatch(
    document: Document, path: Path, figure: Figure, stated: Sequence[Quantity]
) -> Finding:
    hint = "Annotate what the words say, or give the reason for the difference in `override`."
    if not stated:
        return _without_quantity(document, path, hint)
    annotated = quantity_of(figure)
    numbers = {*annotated[:3]} - {None}
    # Compare with the quantity that has the most numbers in common with the figure, or its unit.
    meanings = [*stated, *(each.scaled(each.other_scale) for each in stated if each.other_scale)]
    nearest = max(
        meanings, key=lambda each: (len(numbers & {*each[:3]}), each.unit == annotated.unit)
    )
    differing = (
        name for name in Quantity._fields if getattr(annotated, name) != getattr(nearest, name)
    )
    said = f"The annotation says {_worded(annotated)}"
    if path in document.hidden_paths:
        said = "The annotation differs"
    message = f"{said}; the program reads {_worded(nearest)} in the words."
    return Finding(
        document.place(*path, next(differing, "value")), "figure-text-mismatch", message, (hint,)
    )


def _without_quantity(document: Document, path: Path, hint: str) -> Finding:
    """Return the finding on a figure whose words contain no quantity, or only a number that needs a
    waiver, because a figure does not account for it.
    """
    message = "The words of this figure contain no quantity."
    for entry in ledger_of(document).entries:
        number = entry.detection
        reason = reason_of_number(document.text, number)
        if reason and overlaps(number, document.evidence_of(path)):
            words = document.text[number.start : number.end]
            message = f"The words of this figure contain no quantity: {in_yaml(words)} is none."
            hint = (
                f"Waive {in_yaml(words)} with `reason: {reason}` and remove the figure, or say in "
                "`override` why it is a quantity."
            )
            break
    return Finding(document.place(*path, "evidence"), "figure-text-mismatch", message, (hint,))


def _worded(quantity: Quantity) -> str:
    """Return a quantity in words, such as `value 1000, high 1000, hedge nearly, unit person`."""
    # The first three fields are the numbers.
    bounds = zip(Quantity._fields, quantity[:3], strict=False)
    words = [f"{name} {number:.12g}" for name, number in bounds if number is not None]
    words.append(f"hedge {quantity.hedge}")
    if quantity.polarity != "affirmed":
        words.append(f"polarity {quantity.polarity}")
    if quantity.unit:
        words.append(f"unit {quantity.unit}")
    return ", ".join(words)


@rule(on="figures", codebook="F1")
def counted_unstated(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """`counted` must say more than a number, unit or article."""
    if not says_nothing(figure.counted):
        return
    message, hint = "`counted` is only a number, unit or article.", "Say what is counted."
    if figure.counted == OPEN_COUNTED:
        message = "The draft leaves open what is counted."
        hint = "Say what is counted, or reject the draft."
    yield Finding(document.place(*path, "counted"), "counted-unstated", message, (hint,))


_WORDS_AFTER = re.compile(r"(?:[ -][a-z][\w’'-]*){1,3}")
_SHORTEST = 4
"""Number of letters of a word that may say what is counted."""


@rule(on="figures", code="figure-text-mismatch")
def counted_exchanged(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Report two figures of a sentence if each counts what follows the number of the other."""
    numbers = _numbers(document)
    number = numbers.get(figure.id)
    if number is None:
        return
    sentence = sentences_around(document.text, number)
    for at, other in document.figures:
        near = numbers.get(other.id)
        if at <= path or near is None or not is_inside(near, [sentence]):
            continue
        if _are_exchanged(document, (figure, number), (other, near)):
            message = f"`counted` says what `{other.id}` counts, and `{other.id}` what this counts."
            hint = "Exchange them: each number is followed by the words that say what it counts."
            place = document.place(*path, "counted")
            yield Finding(place, "figure-text-mismatch", message, (hint,))


_DENIED = re.compile(r"(?i)(?:\b(?:not|never|cannot)|n['’]t) (\w{3,})")
_LEVEL = re.compile(r"level (from|to) which ")
_SIDE = re.compile(r"(?i)\b(from|to) (?:about |just |nearly |only )?$")
_NOT = re.compile(r"(?i)\b(?:not|never|no|cannot)\b|n['’]t\b")
_MOVES = (
    r"(?i)\b(?:ris|rose|grow|grew|increas|gain|climb|jump|soar|surg|up\b)",
    r"(?i)\b(?:fall|fell|declin|decreas|drop|cut|reduc|shr[aiu]nk|slump|plung|s[aiu]nk|down\b)",
)
"""Beginnings of words for a movement up and for one down."""


@rule(on="figures", code="figure-text-mismatch")
def counted_reversed(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Report a figure whose `counted` denies what its sentence does not, or says what this denies,
    or turns a rise into a fall.
    """
    spans = document.evidence_of(path)
    if not spans or figure.polarity == "denied":
        return
    message = _reversal(document, figure, spans)
    if message:
        hint = "Say what is counted in words of the sentence."
        yield Finding(document.place(*path, "counted"), "figure-text-mismatch", message, (hint,))


def _reversal(document: Document, figure: Figure, spans: Sequence[Span]) -> str:
    """Return a sentence about what `counted` reverses of the words of a figure; "" if nothing."""
    said, evidence = figure.counted, " ".join(document.words_at(spans))
    for one, other in (_MOVES, _MOVES[::-1]):
        is_other = re.search(one, said) and not re.search(other, said)
        if is_other and re.search(other, evidence) and not re.search(one, evidence):
            return "`counted` has a movement in the other direction than the evidence."
    level, number = _LEVEL.match(said), _numbers(document).get(figure.id)
    side = _SIDE.search(document.text, 0, number.start) if level and number else None
    if level and side and side[1].lower() != level[1]:
        return f"The number is after `{side[1]}`, but `counted` is the level {level[1]} which."
    sentence = sentences_around(document.text, extent(spans))
    if _NOT.search(said) and not may_deny(document.text[slice(*sentence)]):
        return "`counted` denies what the sentence does not deny."
    for denied in _DENIED.finditer(evidence):
        if re.search(rf"\b{re.escape(denied[1])}\b", said) and not may_deny(said):
            return f"The words deny this: `{denied[0]}`, and `counted` does not."
    return ""


@per_document
def _numbers(document: Document) -> dict[str, Span]:
    """Return the place of the number of each figure that has only one."""
    found = dict[str, list[Span]]()
    for entry in ledger_of(document).entries:
        if entry.record_table == "figures" and entry.record_id:
            detected = entry.detection
            found.setdefault(entry.record_id, []).append(detected.span)
    return {name: spans[0] for name, spans in found.items() if len(spans) == 1}


def _are_exchanged(
    document: Document, one: tuple[Figure, Span], other: tuple[Figure, Span]
) -> bool:
    first, second = _counted_after(document, one[1]), _counted_after(document, other[1])
    of_first, of_second = first - second, second - first
    counted_first, counted_second = _nouns(one[0].counted), _nouns(other[0].counted)
    is_first = bool(counted_first & of_second) and not counted_first & of_first
    return is_first and bool(counted_second & of_first) and not counted_second & of_second


def _counted_after(document: Document, number: Span) -> set[str]:
    hit = _WORDS_AFTER.match(document.text, number.end)
    return _nouns(hit[0]) if hit else set()


def _nouns(words: str) -> set[str]:
    """Return the longer words, without the sign of the plural."""
    found = re.findall(r"[^\W\d_]+", words.lower())
    return {word.removesuffix("s") for word in found if len(word) >= _SHORTEST}


@rule(on="figures", codebook="F5")
def polarity_unstated(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure needs a `polarity` if its clause may deny or suppose it.

    Such words are "not", "denied", "if", "could" and others, and a question mark. The program does
    not know what they mean: `affirmed` is an answer, too.
    """
    is_stated = "polarity" in figure.model_fields_set
    is_reported = figure.id in _stating_ages(document) or disagrees(document, path, figure)
    if is_stated or is_reported:
        return
    if cue := doubting_cue(document, path, figure):
        message = f"`{cue}` may deny or suppose this number."
        values = ", ".join(f"`{value}`" for value in closed_vocabularies.MEANINGS["Polarity"])
        hint = f"Add `polarity`: {values}."
        place = document.place(*path, "evidence")
        yield Finding(place, "polarity-unstated", message, (hint,))


def doubting_cue(document: Document, path: Path, figure: Figure) -> str:
    """Return the words that may deny or suppose the number of a figure; "" if there are none."""
    for number in _agreeing(document, path, figure):
        if cue := polarity_cue(document.text, number):
            return cue
    return ""


def _agreeing(document: Document, path: Path, figure: Figure) -> Iterator[Span]:
    """Yield the numbers in the words of a figure with which it agrees."""
    for entry in ledger_of(document).within(document.evidence_of(path)):
        found = entry.detection
        if found.quantity and agrees(figure, found.quantity):
            yield found.span


@rule(on="figures", code="polarity-unstated")
def polarity_without_cue(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Report a figure that is `denied`, `promised` or `supposed`, although no word of its sentence, or
    of those next to it if the number is denied or promised, can say so.
    """
    spans = document.evidence_of(path)
    # Where `polarity-unstated` asks, any answer will do.
    if figure.polarity == "affirmed" or not spans or doubting_cue(document, path, figure):
        return
    sentence = near = sentences_around(document.text, extent(spans))
    where = "in this sentence"
    if figure.polarity != "supposed":
        near, where = (
            with_neighbours(document.text, sentence),
            "here or in the sentences next to it",
        )
    can_say = may_deny if figure.polarity == "denied" else may_be_expected
    if not can_say(document.text[slice(*near)]):
        verb = {"denied": "denies", "promised": "promises", "supposed": "only supposes"}
        message = f"No word {where} {verb[figure.polarity]} this number."
        hint = "Correct `polarity`, or remove it."
        place = document.place(*path, "polarity")
        yield Finding(place, "polarity-unstated", message, (hint,))


@rule(on="figures", codebook="F3")
def number_read_in_part(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure whose number is read in part needs an `override`.

    A misspelt number word, a letter in place of a digit and an invisible character are not read.
    """
    part = _unread_part(document, path, figure)
    if part and not figure.override:
        message = f"This number is read without {part}, which may be a part of it."
        hint = "Annotate the whole number, and explain it in `override`."
        place = document.place(*path, "evidence")
        yield Finding(place, "number-read-in-part", message, (hint,))


def _unread_part(document: Document, path: Path, figure: Figure) -> str | None:
    """Return what may be an unread part of the number with which a figure agrees, or None."""
    number = next(_agreeing(document, path, figure), None)
    return unread_part(document.text, number) if number else None


@rule(on="figures with override", codebook="F2")
def redundant_override(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure may have an `override` only if the program reads its words otherwise.

    It may also have one if its number is read in part, or if it is exact, but its words hedge it
    when they are read alone.
    """
    agreeing = any(agrees(figure, quantity) for quantity in quantities_of(document, path))
    is_hedged_alone = _is_plain(figure) and lacks_hedge(document, path, figure)
    if agreeing and not is_hedged_alone and not _unread_part(document, path, figure):
        message = "The figure agrees with its words."
        place = document.place(*path, "override")
        yield Finding(place, "redundant-override", message, ("Remove `override`.",))


@rule(on="figures", unique_ids=True, codebook="F7")
def figure_outside_testimony(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """If a testimony contains the words of a figure, the figure must name it.

    It must not name any other testimony.
    """
    spans, testimonies = document.evidence_of(path), _spans_of_testimonies(document)
    if not spans:
        return
    named = testimonies.get(figure.testimony or "")
    around = [name for name, outer in testimonies.items() if are_inside(spans, outer)]
    if named and not are_inside(spans, named):
        message = "`testimony` names a testimony that does not contain the words of this figure."
        hint = "Name the testimony that contains them, or remove `testimony`."
    elif around and not figure.testimony:
        message = "The words of this figure are part of a testimony."
        hint = f"Add `testimony: {around[0]}`."
    else:
        return
    place = document.place(*path, "testimony")
    yield Finding(place, "figure-outside-testimony", message, (hint,))


@per_document
def _spans_of_testimonies(document: Document) -> dict[str, tuple[Span, ...]]:
    return {testimony.id: document.evidence_of(path) for path, testimony in document.testimonies}


@rule(on="figures of measures with units", codebook="F9")
def unit_measure_mismatch(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The unit of a figure must be one that `annotations/vocabulary.yaml` lists for its measure."""
    units = document.context.units_by_measure[figure.measure or ""]
    # A figure that differs from its words already has a finding, and its correction may change the
    # unit.
    is_known = figure.unit in document.context.terms["unit"]
    if is_known and figure.unit not in units and not disagrees(document, path, figure):
        message = f"The unit of this measure must be {' or '.join(f'`{unit}`' for unit in units)}."
        hint = (
            "Correct the unit or the measure, or add the unit to the measure in "
            "annotations/vocabulary.yaml."
        )
        yield Finding(document.place(*path, "unit"), "unit-measure-mismatch", message, (hint,))


@rule(on="figures", codebook=("F4", "P16"))
def age_as_figure(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure must not state the age of a person, such as a child."""
    if figure.id in _stating_ages(document):
        message = "These words state an age, which is not a figure."
        yield Finding(document.place(*path, "evidence"), "age-as-figure", message, (HINT_ON_AGE,))


@per_document
def _stating_ages(document: Document) -> set[str | None]:
    """Return the ids of the figures whose words state an age."""
    covered = (entry for entry in ledger_of(document).entries if entry.record_table == "figures")
    return {entry.record_id for entry in covered if states_age(document.text, entry.detection)}


@rule(on="figures with a date", codebook="F7")
def date_not_in_text(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The year, month and day in `as_of` must be printed in the source.

    A year that is not printed must be written as XXXX. If the paragraph of the figure prints dates,
    one of them must fit. The date of the figure's testimony may be resolved from other words.
    """
    spans = document.evidence_of(path)
    if not figure.as_of or not spans:
        return
    *_, paragraph = surroundings(document.text, extent(spans))
    missing = unprinted_part(document, figure.as_of, paragraph)
    if missing and figure.as_of != _date_of_testimony(document, figure):
        message = f"The source does not print {missing}."
        hint = "Copy the printed date; write XXXX for a year that is not printed, as in XXXX-02-27."
        yield Finding(document.place(*path, "as_of"), "date-not-in-text", message, (hint,))


def _date_of_testimony(document: Document, figure: Figure) -> str | None:
    """Return when the content of a figure's testimony happened, if that is recorded."""
    _, testimony = document.testimony_of(figure) or ((), None)
    return testimony.happened.date if testimony and testimony.happened else None


# ---- relations -----------------------------------------------------------------------------------


@rule(on="relations", unique_ids=True, codebook="F11")
def relation_unit_mismatch(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """The units of the figures in a relation must fit the kind of relation.

    The result of a share must be in percent, and its operands must have the same unit. In a part,
    an excess or a sum, all figures must have the same unit.
    """
    figures = document.figures_by_id
    named = {relation.result, *relation.operands}
    if not named <= figures.keys() or len(relation.operands) != arity(relation):
        return  # reported by `unresolved_relation`
    units = {figures[name].unit for name in relation.operands}
    if not units | {figures[relation.result].unit} <= document.context.terms["unit"]:
        return  # reported by `unknown_term`
    same = dict.fromkeys(("part_of", "exceeds", "sum"), units)
    expected = {"share_of": {"percent"}, **same}.get(relation.kind)
    if expected and (len(units) > 1 or expected != {figures[relation.result].unit}):
        message = "The units of these figures do not fit this kind of relation."
        hint = (
            "Correct a unit, or choose figures with the same unit; the result of `share_of` is in "
            "percent."
        )
        yield Finding(document.place(*path), "relation-unit-mismatch", message, (hint,))


@rule(on="relations", unique_ids=True, codebook="F11")
def unresolved_relation(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """A relation must name as many figures as its kind requires, each once.

    Their quantities must be affirmed.
    """
    named, number = (relation.result, *relation.operands), arity(relation)
    unread = document.unread
    is_known = (
        set(named) <= document.figures_by_id.keys() | unread
        or document.lacks_others
        or "" in unread
    )
    if not is_known or len(set(named)) < len(named):
        message = "This relation names a figure that does not exist, or names one twice."
        yield Finding(document.place(*path), "unresolved-relation", message)
    elif len(relation.operands) != number:
        message = f"`{relation.kind}` requires {counted(number, 'figure')} in `operands`."
        yield Finding(document.place(*path, "operands"), "unresolved-relation", message)
    elif not_affirmed := [name for name in named if _is_unaffirmed(document, name)]:
        message = f"The words of {not_affirmed[0]} do not affirm its quantity."
        hint = "Remove the relation: such a quantity is not compared with others."
        yield Finding(document.place(*path), "unresolved-relation", message, (hint,))


def _is_unaffirmed(document: Document, name: str) -> bool:
    """Return whether a figure is known, and its quantity is not affirmed."""
    figure = document.figures_by_id.get(name)
    return figure is not None and figure.polarity != "affirmed"


@rule(on="relations", waits=True, unique_ids=True, codebook="F11")
def relation_fails(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """A relation whose arithmetic fails must have a `note` that says why."""
    if document.faulty.intersection((relation.id, relation.result, *relation.operands)):
        return
    result = evaluate_relation(relation, document.figures_by_id, conventions(document.context))
    if result and result.outcome == "fails" and not relation.note:
        message = f"The figures do not fit this relation: {result.computation}."
        hint = "Correct the figures or the relation, or add a `note` that explains the difference."
        yield Finding(document.place(*path), "relation-fails", message, (hint,))
