"""Reports on the agreement of readings, as lines of text and as data for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from defectors_data.rows.agreement import AgreementReport


def as_data(found: AgreementReport) -> dict[str, Any]:
    """Return a report without its findings, as dictionaries and lists for JSON."""
    disagreements = {}
    for seed, listed in found.disagreements.items():
        disagreements[seed] = [each._asdict() for each in listed]
    counts = [each._asdict() for each in found.found]
    codes = [each._asdict() for each in found.codes]
    return {
        "articles": found.articles,
        "found": counts,
        "codes": codes,
        "recall": found.recall._asdict(),
        "disagreements": disagreements,
    }


def lines(found: AgreementReport, *, listed: bool = False) -> Iterator[str]:
    """Yield a report as lines of text, with a line for each difference if `listed` is true."""
    yield f"Articles with both readings: {found.articles}."
    for each in found.found:
        counts = f"{each.first} and {each.second} {each.kind}, {each.both} in both"
        shares = (
            f"{each.f1:.3f} for records, {each.exact_f1:.3f} for equal evidence, "
            f"{each.characters_f1:.3f} for characters"
        )
        yield f"{counts}: F1 {shares}; unitising: {_alpha(each.unitising)}."
    for code in found.codes:
        counts = f"{code.equal} of {code.compared} equal"
        yield f"{code.kind}.{code.code} ({code.rule}): {counts}, {_alpha(code.alpha)}."
    it = found.recall
    both = f"{it.first} and {it.second} indirect and narrated testimonies, {it.both} in both"
    estimated = f"{it.estimate:.1f} estimated ({it.low:.1f} to {it.high:.1f})"
    yield f"{both}: {estimated}, {it.found:.1%} of them found."
    if not listed:
        return
    for seed, differences in found.disagreements.items():
        for one in differences:
            yield f"seeds/{seed}.txt:{one.line}: {one.kind}.{one.code}: {' / '.join(one.values)}"


def _alpha(value: float | None) -> str:
    return "alpha not defined" if value is None else f"alpha {value:.3f}"
