"""Rules on waivers, and the closed world: nothing in a seed is left unaccounted for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from defectors_data import quantities
from defectors_data.accounting import Entry
from defectors_data.checks.attributes import states_age, unread
from defectors_data.checks.figures import disagreeing
from defectors_data.checks.references import doubtful
from defectors_data.checks.testimonies import unmarked
from defectors_data.corpus import Shard
from defectors_data.detecting import Detection
from defectors_data.findings import Finding, Place
from defectors_data.models import Figure
from defectors_data.nearness import in_yaml
from defectors_data.proving import Proof
from defectors_data.spans import Span, line_and_column


def repeat_of_nothing(proof: Proof) -> Iterator[Finding]:
    """A waiver for a repeat says what it repeats, and no other waiver does."""
    for shard in proof.corpus.shards:
        for path, waiver in shard.waivers():
            if (waiver.reason == "repeat") != (waiver.of is not None):
                message = "`of` and the reason `repeat` go together."
                hint = "Give `of` the id of what is repeated, or the waiver another reason and no `of`."
                yield Finding(shard.place(*path), "repeat-of-nothing", message, (hint,))


BEGINNING = 12
"""Code points by which a quotation is known again, where a page prints it a second time."""


def repeat_of_other_words(proof: Proof) -> Iterator[Finding]:
    """A quotation that is waived as a repeat begins with words of what it repeats; of numbers alone, one is in them."""
    left = {shard.file: {_beginning(shard, e) for e in proof.ledgers[shard.file].left()} for shard in _found(proof)}
    for shard in _told_apart(proof):
        words = _repeatable(proof, shard)
        for path, waiver in shard.waivers():
            held = [e for e in proof.ledgers[shard.file].waivers[waiver.id] if e.record_id == waiver.id]
            quoted = [_beginning(shard, entry) for entry in held if entry.detection.kind == "quotation"]
            repeated = words.get(waiver.of or "")
            if not repeated or not held:
                continue
            numbers = [] if quoted else [found for found in (_numbers(shard, entry) for entry in held) if found]
            place = shard.place(*path, "of")
            if any(beginning not in repeated and beginning not in left.get(shard.file, ()) for beginning in quoted):
                message = "A quotation in these words does not begin like any words of what `of` names."
                yield Finding(
                    place, "repeat-of-other-words", message, ("Name the testimony that holds the quotation.",)
                )
            elif numbers and not any(each & quantities.numbers(repeated) for each in numbers):
                message = "No number in these words is one of what `of` names."
                yield Finding(place, "repeat-of-other-words", message, ("Name the figure or testimony that has it.",))


def _repeatable(proof: Proof, shard: Shard) -> dict[str, str]:
    """Return the words of what a waiver can repeat, by its id: with a figure, those of the testimony around it."""
    words = {t.id: proof.text(shard, (*path, "evidence")) for path, t in shard.testimonies()}
    for path, figure in shard.figures():
        said = proof.text(shard, (*path, "evidence"))
        words[figure.id] = f"{said} {words.get(figure.testimony or '') or ''}" if said else None
    titles = [proof.text(shard, ("source", name)) for name in ("title", "subtitle")]
    words[shard.content.source.id] = " ".join(filter(None, titles))
    return {name: text for name, text in words.items() if text}


def _numbers(shard: Shard, entry: Entry) -> frozenset[float]:
    return quantities.numbers(shard.text[entry.detection.start : entry.detection.end])


def _beginning(shard: Shard, entry: Entry) -> str:
    found = entry.detection
    return shard.text[found.start : min(found.end, found.start + BEGINNING)]


MOST_TOLD = 1_000
"""Things of one seed that are told to be unaccounted for."""

_KINDS: dict[str, set[str]] = {
    "date": {"date"},
    "clock_time": {"clock_time"},
    "ordinal": {"ordinal"},
    "list_number": {"list_number"},
    "name": {"name", "quantity", "ordinal", "date"},
    "protected_attribute": {"quantity", "ordinal"},
    "scare_quote": {"quotation"},
    "title": {"quotation"},
    "quoted_norm": {"quotation"},
    "not_a_quantity": {"quantity", "name"},
}
"""What a waiver of a reason may hold; of other reasons anything."""


def waiver_of_another_kind(proof: Proof) -> Iterator[Finding]:
    """A waiver's reason fits all that it waives: a date waives dates, a scare quote quotations; ages are protected."""
    for shard in _told_apart(proof):
        for path, waiver in shard.waivers():
            held = proof.ledgers[shard.file].waivers[waiver.id]
            kinds = {entry.detection.kind for entry in held if entry.record_id == waiver.id}
            wrong = sorted(kinds - _KINDS.get(waiver.reason, set(kinds)))
            if wrong:
                message = f"These words hold a {wrong[0].replace('_', ' ')} too, which this reason is not for."
                hint = "Waive it on its own, or annotate it."
                yield Finding(shard.place(*path, "reason"), "waiver-of-another-kind", message, (hint,))
            elif waiver.reason not in _OF_AGES and any(_of_a_person(shard, entry) for entry in held):
                message = "These words tell an age or years, and this reason would print them."
                hint = "Waive a protected speaker's as `protected_attribute`; others stand on a mention or in a figure."
                yield Finding(shard.place(*path, "reason"), "waiver-of-another-kind", message, (hint,))


_OF_AGES = ("protected_attribute", "repeat", "quoted_norm", "title", "scare_quote", "idiom")
"""What ages and years may be waived as; of the reasons for numbers, the first alone leaves their words out."""


def _of_a_person(shard: Shard, entry: Entry) -> bool:
    """Tell whether a number reads as an age, or counts years."""
    found = entry.detection
    counts_years = found.quantity is not None and found.quantity.unit == "year"
    return counts_years or (found.kind == "quantity" and states_age(shard.text, found))


def quotation_unaccounted(proof: Proof) -> Iterator[Finding]:
    """Every quotation in a seed is held by a part of a testimony, waived, or furniture."""
    for shard in _found(proof):
        cut = list(unmarked(proof, shard))
        for entry in islice(proof.ledgers[shard.file].left(), MOST_TOLD):
            found = entry.detection
            if found.kind == "quotation" and not any(s.start < found.end and found.start < s.end for s in cut):
                message = f"No record holds {_quoted(shard, entry)}."
                hint = "Annotate it as a testimony, or waive it with a reason."
                yield Finding(_seen(shard, entry), "quotation-unaccounted", message, (hint,))


def quantity_unaccounted(proof: Proof) -> Iterator[Finding]:
    """Every number in a seed is a figure, an age or years of service on a mention, waived, or furniture."""
    for shard in _found(proof):
        left = proof.ledgers[shard.file].left()
        told = _told_elsewhere(proof, shard) if left else []
        numberless = [figure for _, figure, said in disagreeing(proof, shard) if not said] if left else []
        for entry in islice(left, MOST_TOLD):
            found = entry.detection
            if any(s.start <= found.start and found.end <= s.end for s in told):
                continue
            if found.kind != "quotation" and not any(_gives(figure, found) for figure in numberless):
                message = f"Nothing accounts for the {found.kind.replace('_', ' ')} {_quoted(shard, entry)}."
                hint = "Annotate it as a figure, or waive it with a reason."
                yield Finding(_seen(shard, entry), "quantity-unaccounted", message, (hint,))


def waiver_unused(proof: Proof) -> Iterator[Finding]:
    """A waiver holds at least one quotation or number: words without any need none."""
    for shard in _told_apart(proof):
        ledger = proof.ledgers[shard.file]
        for path, waiver in shard.waivers():
            if proof.at(shard, (*path, "evidence")) and not ledger.waivers[waiver.id]:
                message = "No quotation and no number stands in these words."
                yield Finding(shard.place(*path), "waiver-unused", message, ("Leave the waiver out.",))


def waiver_not_needed(proof: Proof) -> Iterator[Finding]:
    """A waiver is for what no record covers: where a record covers all of it, the waiver goes."""
    for shard in _told_apart(proof):
        ledger = proof.ledgers[shard.file]
        for path, waiver in shard.waivers():
            held = [entry for entry in ledger.waivers[waiver.id] if entry.status != "withdrawn"]
            if held and not any(entry.status == "waived" and entry.record_id == waiver.id for entry in held):
                message = "A record or another waiver covers all that stands in these words."
                yield Finding(shard.place(*path), "waiver-not-needed", message, ("Leave the waiver out.",))


def _told_apart(proof: Proof) -> Iterator[Shard]:
    """Return the sources in whose files no id stands twice: in others a waiver could be taken for another."""
    return (shard for shard in proof.corpus.shards if shard.file not in doubtful(proof))


def _found(proof: Proof) -> Iterator[Shard]:
    """Return the sources all of whose evidence was found: the ledger of another is not judged."""
    for shard in _told_apart(proof):
        if all(proof.at(shard, cited.path) for cited in shard.cited()):
            yield shard


def _gives(figure: Figure, found: Detection) -> bool:
    """Tell whether a figure whose words hold no quantity may be meant for one that was found."""
    said = found.quantity
    return said is not None and (figure.value, figure.low, figure.high) == (said.value, said.low, said.high)


def _told_elsewhere(proof: Proof, shard: Shard) -> list[Span]:
    """Return where quantities are only open because the figure or the mention around them is at fault."""
    paths = {path for path, _, _ in disagreeing(proof, shard)} | {path for path, _ in unread(proof, shard)}
    return [span for path in paths for span in proof.at(shard, (*path, "evidence"))]


def _seen(shard: Shard, entry: Entry) -> Place:
    return Place(shard.seed, *line_and_column(shard.text, entry.detection.start))


def _quoted(shard: Shard, entry: Entry) -> str:
    words = shard.text[entry.detection.start : entry.detection.end]
    return in_yaml(words if len(words) <= 80 else f"{words[:77]}...")  # noqa: PLR2004  # what fits a line
