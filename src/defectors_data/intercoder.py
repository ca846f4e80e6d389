"""Agreement between annotators of the same articles: which records both have, and to what extent their codes agree.

Chance-corrected agreement is Krippendorff's alpha for nominal data, two annotators and no missing values (K.
Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011). Records are matched by their evidence, and codes are
compared only in records that both annotators have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.yaml_reader import Typed, parse
from defectors_data.evidence.anchoring import Quote, SearchedText, find_span
from defectors_data.models.annotation import Evidence
from defectors_data.text.offsets import line_and_column

CODES = {
    "testimonies": ("mode", "themes", "role", "outlet"),
    "figures": ("value", "low", "high", "hedge", "unit", "measure", "population"),
}
"""The codes that are compared, by kind of record; `role` is that of the speaker."""


class Coded(NamedTuple):
    """A record as one annotator made it."""

    places: frozenset[int]
    """The offsets of the code points of its evidence."""
    codes: dict[str, Hashable]


class Disagreement(NamedTuple):
    """A difference between two annotators, to be adjudicated."""

    line: int
    """Line of the article where the evidence begins, from 1."""
    kind: str
    code: str
    """The code that differs, or `record` if only one annotator has the record."""
    values: tuple[str, str]


class Found(NamedTuple):
    """The number of records of two annotators, and the agreement of their evidence."""

    kind: str
    first: int
    second: int
    both: int
    f1: float
    """2 x both / (first + second)."""
    characters_f1: float
    """The same for the code points of all evidence."""


class CodeAgreement(NamedTuple):
    """The agreement of a code in the records that both annotators have."""

    kind: str
    code: str
    compared: int
    equal: int
    alpha: float | None
    """Krippendorff's alpha; None if both annotators use a single value. For themes, each theme is a binary code of each
    record: assigned or not."""


Pair = tuple[Coded | None, Coded | None]


def coded(
    typed: Typed, kind: str, seed: str, text: str, roles: Mapping[str, str] | None = None
) -> tuple[list[Coded], list[Finding]]:
    """Return the records of a kind as typed in an annotation file, and findings for evidence that is not found.

    Args:
        typed: the annotation file.
        kind: `testimonies` or `figures`.
        seed: path of the article, for findings.
        text: the article.
        roles: roles of the speakers whom sources share, by id.
    """
    role_of = dict[Any, Any](roles or {})
    for _, entry in _entries(typed, "speakers"):
        role_of.setdefault(entry.get("use") or entry.get("id") or entry.get("label"), entry.get("role"))
        role_of.setdefault(entry.get("label"), role_of.get(entry.get("use")))
    found, findings = list[Coded](), [*typed.findings]
    for i, entry in _entries(typed, kind):
        places = set[int]()
        place = typed.places.get((kind, i, "evidence")) or typed.places[kind, i]
        try:
            parts = TypeAdapter(Evidence).validate_python(entry.get("evidence"))
        except ValidationError:
            findings.append(Finding(place, "invalid-value", "Expected `evidence`, as in an annotation file."))
            continue
        for part in parts:
            quote = Quote(part.text, place, part.prefix or "", part.suffix or "", part.occurrence)
            span, faults = find_span(quote, SearchedText(seed, text, near=False))
            places |= set(range(*span)) if span else set()
            findings += faults
        codes = {code: _code(entry.get(code)) for code in CODES[kind]}
        if "role" in codes:
            codes["role"] = role_of.get(entry.get("speaker"))
        found.append(Coded(frozenset(places), codes))
    return found, findings


def _entries(typed: Typed, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the mappings in the list under a key, each with its position."""
    listed = typed.value.get(key) if isinstance(typed.value, dict) else None
    for i, entry in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(entry, dict):
            yield i, entry


def _code(typed: Any) -> Hashable:
    if isinstance(typed, list):
        return frozenset(typed)
    # One annotator may type 10, another 10.0.
    with suppress(TypeError, ValueError):
        return float(typed)
    return str(typed) if typed is not None else None


def matched(one: Sequence[Coded], other: Sequence[Coded]) -> list[Pair]:
    """Match records of two annotators, those with the most code points in common first; pair all others with None."""
    shared = [(len(a.places & b.places), i, j) for i, a in enumerate(one) for j, b in enumerate(other)]
    left, right, pairs = set(range(len(one))), set(range(len(other))), list[Pair]()
    for size, i, j in sorted(shared, key=lambda each: (-each[0], each[1:])):
        if size and i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((one[i], other[j]))
    return [*pairs, *((one[i], None) for i in sorted(left)), *((None, other[j]) for j in sorted(right))]


def found(kind: str, pairs: Sequence[Pair]) -> Found:
    """Return the number of records of two annotators, and the agreement of their evidence."""
    first, second = (sum(pair[i] is not None for pair in pairs) for i in (0, 1))
    both = [(a, b) for a, b in pairs if a and b]
    common = sum(len(a.places & b.places) for a, b in both)
    sizes = sum(len(each.places) for pair in pairs for each in pair if each)
    return Found(kind, first, second, len(both), _f1(len(both), first + second), _f1(common, sizes))


def _f1(common: int, total: int) -> float:
    return 2 * common / total if total else 1.0


def agreement(kind: str, pairs: Sequence[Pair]) -> Iterator[CodeAgreement]:
    """Yield the agreement of each code in the records that both annotators have."""
    both = [(a.codes, b.codes) for a, b in pairs if a and b]
    for code in CODES[kind]:
        values = [(a[code], b[code]) for a, b in both]
        yield CodeAgreement(kind, code, len(values), sum(a == b for a, b in values), alpha(_units(values)))


def _units(values: Sequence[tuple[Any, Any]]) -> list[tuple[Hashable, Hashable]]:
    """Return the units of alpha: pairs of values or, for sets, whether each annotator assigned each member."""
    members = sorted({member for pair in values for value in pair if isinstance(value, frozenset) for member in value})
    return [(m in (a or ()), m in (b or ())) for a, b in values for m in members] if members else list(values)


def alpha(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Return Krippendorff's alpha for nominal values of two annotators, or None if all values are equal."""
    units = list(pairs)
    counts = Counter(value for pair in units for value in pair)
    total = counts.total()
    expected = total * total - sum(number * number for number in counts.values())
    observed = sum(a != b for a, b in units) * 2
    return 1 - observed * (total - 1) / expected if expected else None


def disagreements(kind: str, pairs: Sequence[Pair], text: str) -> Iterator[Disagreement]:
    """Yield the differences that two annotators have to adjudicate."""
    for a, b in pairs:
        places = (a.places if a else frozenset()) | (b.places if b else frozenset())
        line = line_and_column(text, min(places, default=0))[0]
        if not (a and b):
            yield Disagreement(line, kind, "record", ("yes" if a else "no", "yes" if b else "no"))
            continue
        for code in CODES[kind]:
            if a.codes[code] != b.codes[code]:
                yield Disagreement(line, kind, code, (_shown(a.codes[code]), _shown(b.codes[code])))


def _shown(value: Hashable) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    if isinstance(value, float):
        return f"{value:g}"
    return "-" if value is None else str(value)


# ---- the readings of a project -----------------------------------------------------------------------------------

RECORDS = "records"
"""The name under which the annotation files themselves are compared with a reading."""


class Report(NamedTuple):
    """The agreement of two annotators on the articles that both annotated."""

    articles: int
    found: list[Found]
    codes: list[CodeAgreement]
    disagreements: dict[str, list[Disagreement]]
    """By seed, in the order of the article."""
    findings: list[Finding]
    """Findings for evidence of a reading that is not found in its article."""


def readings(folder: Path, name: str) -> dict[str, Path]:
    """Return the files of a reading by seed: `annotations/readings/SEED.NAME.yaml`, or the annotation files."""
    if name == RECORDS:
        return {path.stem: path for path in (folder / "annotations").glob("*.yaml")}
    ending = f".{name}.yaml"
    return {path.name.removesuffix(ending): path for path in (folder / "annotations/readings").glob(f"*{ending}")}


def report(folder: Path, first: str, second: str) -> Report:
    """Compare two readings of a project over all articles that both have.

    Raises:
        OSError: a file cannot be read.
    """
    sides = readings(folder, first), readings(folder, second)
    pooled: dict[str, list[Pair]] = {kind: [] for kind in CODES}
    listed, findings = dict[str, list[Disagreement]](), list[Finding]()
    stems = sorted(stem for stem in sides[0].keys() & sides[1].keys() if (folder / f"seeds/{stem}.txt").is_file())
    for stem in stems:
        seed = f"seeds/{stem}.txt"
        text = (folder / seed).read_text(encoding="utf-8")
        differ = list[Disagreement]()
        for kind in CODES:
            pairs = matched(*(_records(folder, side[stem], kind, seed, text, findings) for side in sides))
            pooled[kind] += pairs
            differ += disagreements(kind, pairs, text)
        listed[stem] = sorted(differ)
    codes = [each for kind, pairs in pooled.items() for each in agreement(kind, pairs)]
    return Report(len(stems), [found(kind, pairs) for kind, pairs in pooled.items()], codes, listed, findings)


def _records(folder: Path, path: Path, kind: str, seed: str, text: str, findings: list[Finding]) -> list[Coded]:
    typed = parse(path.read_text(encoding="utf-8"), file=path.relative_to(folder).as_posix())
    records, faults = coded(typed, kind, seed, text, _shared_roles(folder))
    findings += faults
    return records


@cache
def _shared_roles(folder: Path) -> dict[str, str]:
    path = folder / "annotations/speakers.yaml"
    if not path.is_file():
        return {}
    listed = _entries(parse(path.read_text(encoding="utf-8"), file=path.name), "speakers")
    return {str(entry.get("id")): str(entry.get("role")) for _, entry in listed}


# ---- output ------------------------------------------------------------------------------------------------------


def as_data(found: Report) -> dict[str, Any]:
    """Return a report as dictionaries and lists."""
    return {
        "articles": found.articles,
        "found": [each._asdict() for each in found.found],
        "codes": [each._asdict() for each in found.codes],
        "disagreements": {seed: [each._asdict() for each in listed] for seed, listed in found.disagreements.items()},
    }


def lines(found: Report, *, listed: bool = False) -> Iterator[str]:
    """Yield a report as lines of text, with each difference if they are to be listed."""
    yield f"Articles that both read: {found.articles}."
    for each in found.found:
        counts = f"{each.first} and {each.second} {each.kind}, {each.both} in both"
        yield f"{counts}: F1 {each.f1:.3f} of records, {each.characters_f1:.3f} of characters."
    for code in found.codes:
        chance = "alpha not defined" if code.alpha is None else f"alpha {code.alpha:.3f}"
        yield f"{code.kind}.{code.code}: {code.equal} of {code.compared} equal, {chance}."
    for seed, differences in found.disagreements.items() if listed else ():
        for it in differences:
            yield f"seeds/{seed}.txt:{it.line}: {it.kind}.{it.code}: {' / '.join(it.values)}"
