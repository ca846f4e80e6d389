"""Rules on figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from defectors_data.checks.references import doubtful
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding
from defectors_data.models import Figure
from defectors_data.proving import Proof
from defectors_data.quantities import Quantity
from defectors_data.spans import Span

_BOUNDS = {
    "exact": ("value",),
    "about": ("value",),
    "nearly": ("value", "high"),
    "less_than": ("value", "high"),
    "up_to": ("value", "high"),
    "more_than": ("value", "low"),
    "at_least": ("value", "low"),
    "range": ("low", "high"),
    "vague": ("low",),
}
"""The numbers that each hedge gives; all that a figure has are the same one, but for a range."""


def bounds_not_of_hedge(proof: Proof) -> Iterator[Finding]:
    """A figure has the numbers that its hedge gives, and no others."""
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            if _in_order(figure) and not _of_hedge(figure):
                wanted = _BOUNDS[figure.hedge]
                names = " and ".join(f"`{key}`" for key in wanted)
                both = ", the same number" if len(wanted) > 1 and figure.hedge != "range" else ""
                message = f"The hedge `{figure.hedge}` gives {names}{both}, and no other."
                hint = "Mend the hedge or the numbers, as the words have them."
                yield Finding(shard.place(*path, "hedge"), "bounds-not-of-hedge", message, (hint,))


def _of_hedge(figure: Figure) -> bool:
    given = {key: getattr(figure, key) for key in ("value", "low", "high")}
    numbers = {number for number in given.values() if number is not None}
    keys = {key for key, number in given.items() if number is not None}
    return keys == set(_BOUNDS[figure.hedge]) and (figure.hedge == "range" or len(numbers) == 1)


def _in_order(figure: Figure) -> bool:
    numbers = [n for n in (figure.low, figure.value, figure.high) if n is not None]
    return numbers == sorted(numbers)


def _bounded(figure: Figure) -> bool:
    return _of_hedge(figure) and _in_order(figure)


def bounds_out_of_order(proof: Proof) -> Iterator[Finding]:
    """The lowest number is not above the value, nor the value above the highest."""
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            if not _in_order(figure):
                message = "`low`, `value` and `high` must not fall in this order."
                hint = "Give `low` the lowest number and `high` the highest."
                yield Finding(shard.place(*path, "low"), "bounds-out-of-order", message, (hint,))


def figure_not_its_words(proof: Proof) -> Iterator[Finding]:
    """A figure's value, bounds, hedge and unit are what its words say where they stand; `override` says why not."""
    for shard in proof.corpus.shards:
        for path, figure, said in disagreeing(proof, shard):
            if _bounded(figure):
                yield _not_its_words(shard, path, figure, said)


def override_not_needed(proof: Proof) -> Iterator[Finding]:
    """A figure has an `override` only where it differs from what its words say."""
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            if figure.override and any(_agrees(figure, quantity) for quantity in _said(proof, shard, path)):
                message = "The words say what the annotation says."
                yield Finding(
                    shard.place(*path, "override"), "override-not-needed", message, ("Leave `override` out.",)
                )


def _said(proof: Proof, shard: Shard, path: Path) -> list[Quantity]:
    """Return what the words of a figure say, read where they stand."""
    spans = proof.at(shard, (*path, "evidence"))
    held = (entry.detection.quantity for entry in proof.ledgers[shard.file].within(spans))
    return [quantity for quantity in held if quantity]


def disagreeing(proof: Proof, shard: Shard) -> Iterator[tuple[Path, Figure, list[Quantity]]]:
    """Return the figures of a source that are not what their words say, with what those say."""
    for path, figure in shard.figures():
        if not figure.override and proof.at(shard, (*path, "evidence")):
            said = _said(proof, shard, path)
            if not any(_agrees(figure, quantity) for quantity in said):
                yield path, figure, said


def _agrees(figure: Figure, said: Quantity) -> bool:
    numbers = (figure.value, figure.low, figure.high, figure.hedge)
    return numbers == said[:4] and said.unit in (None, figure.unit)


def _not_its_words(shard: Shard, path: Path, figure: Figure, said: Sequence[Quantity]) -> Finding:
    hint = "Take the numbers from the words, or give `override` a reason."
    if not said:
        message = "The words of this figure hold no quantity."
        return Finding(shard.place(*path, "evidence"), "figure-not-its-words", message, (hint,))
    nearest = max(said, key=lambda quantity: len({*quantity[:3]} & {figure.value, figure.low, figure.high} - {None}))
    annotated = Quantity(figure.value, figure.low, figure.high, figure.hedge, figure.unit)
    key = next(
        (name for name in Quantity._fields if getattr(annotated, name) != getattr(nearest, name)),
        "value",
    )
    message = f"The annotation says {_worded(annotated)}; the words say {_worded(nearest)}."
    return Finding(shard.place(*path, key), "figure-not-its-words", message, (hint,))


def _worded(quantity: Quantity) -> str:
    """Return a quantity as `value 1000, high 1000, nearly, person`."""
    numbers = [
        f"{name} {number:.12g}"
        for name, number in zip(Quantity._fields, quantity[:3], strict=False)
        if number is not None
    ]
    return ", ".join([*numbers, quantity.hedge, *([quantity.unit] if quantity.unit else [])])


def _inside(inner: Sequence[Span], outer: Sequence[Span]) -> bool:
    return all(any(o.start <= i.start and i.end <= o.end for o in outer) for i in inner)


def testimony_not_around_figure(proof: Proof) -> Iterator[Finding]:
    """The testimony that a figure names holds the figure's words; words inside a testimony name it."""
    for shard in proof.corpus.shards:
        if shard.file in doubtful(proof):
            continue
        testimonies = {testimony.id: proof.at(shard, (*path, "evidence")) for path, testimony in shard.testimonies()}
        for path, figure in shard.figures():
            found = proof.at(shard, (*path, "evidence"))
            place = shard.place(*path, "testimony")
            named = testimonies.get(figure.testimony or "", ())
            if named and found and not _inside(found, named):
                message = "The testimony that is named here does not hold the words of this figure."
                hint = "Name the testimony that holds them, or leave `testimony` out."
                yield Finding(place, "testimony-not-around-figure", message, (hint,))
            elif found and not figure.testimony:
                for name in [name for name, outer in testimonies.items() if _inside(found, outer)][:1]:
                    message = "The words of this figure stand inside a testimony, and `testimony` does not name it."
                    yield Finding(place, "testimony-not-around-figure", message, (f"`testimony: {name}`",))
