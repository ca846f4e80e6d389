"""Agreement between readings of the same articles: their records, and the codes of these.

Chance-corrected agreement is Krippendorff's alpha for nominal data, two annotators and no missing
values (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011). Records are matched by
their evidence, and codes are compared only in records that both annotators have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, combinations
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from defectors_data.corpus.file_tree import FileTree, seed_text, written_text
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import READINGS, CorpusReader, text_of
from defectors_data.corpus.validation_errors import altered_values, restore_unknown_keys
from defectors_data.corpus.yaml_reader import ParsedFile, parse
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.models.annotation import (
    Annotations,
)
from defectors_data.models.fields import Evidence
from defectors_data.rows.matched_speakers import (
    Speakers,
    coded_speakers,
    entries,
    labels_of,
    trimmed,
)
from defectors_data.text.offsets import line_and_column

CODES = {
    "testimonies": {"speaker": "T14", "mode": "T8", "themes": "T11", "role": "P3", "outlet": "S2"},
    "figures": {
        "attributed_to": "F15",
        "value": "F2",
        "low": "F2",
        "high": "F2",
        "hedge": "F2",
        "polarity": "F5",
        "unit": "F2",
        "measure": "F9",
        "population": "F9",
    },
}
"""The codes that are compared, each with its codebook rule, by kind of record.

`role` is the speaker's role. Speakers of two readings are the same if their mentions overlap.
"""
_OF_SPEAKERS = ("speaker", "attributed_to")
"""The codes whose values are speakers."""

EVIDENCE = {"testimonies": "T3", "figures": "F1"}
"""The rule of the codebook on the evidence, by kind of record."""


class CodedRecord(NamedTuple):
    """A record as one of the annotators made it."""

    places: frozenset[int]
    """The offsets of all code points of its evidence, without white space at the ends of parts."""
    codes: dict[str, Hashable]


class Disagreement(NamedTuple):
    """A difference between two annotators that must be adjudicated."""

    line: int
    """The line of the article in which the evidence begins, counted from 1."""
    kind: str
    code: str
    """The code that differs, or `record` if only one annotator has the record."""
    values: tuple[str, str]


class RecordAgreement(NamedTuple):
    """The numbers of records that two annotators made, and the agreement of the evidence."""

    kind: str
    first: int
    second: int
    both: int
    equal: int
    """The number of records whose evidence has the same code points for both annotators."""
    f1: float
    """F1 of the records: 2 x `both` / (`first` + `second`)."""
    characters_f1: float
    """F1 of the code points in all evidence."""
    exact_f1: float
    """F1 of the records if two match only when their evidence has the same code points."""
    unitising: float | None = None
    """Krippendorff's alpha over all code points of the articles: each is in evidence or not."""


class CodeAgreement(NamedTuple):
    """The agreement of a code in the records that both annotators have."""

    kind: str
    code: str
    compared: int
    equal: int
    rule: str
    """The rule of the codebook on the code."""
    alpha: float | None
    """Krippendorff's alpha; None if all values are the same.

    For themes, each theme is a binary code of each record: assigned or not.
    """


class RecallEstimate(NamedTuple):
    """A capture-recapture estimate of the number of indirect and narrated passages.

    The estimate includes passages that were missed. The estimator is that of D. G. Chapman (1951),
    with the variance of G. A. F. Seber (1970). It assumes that the annotators find passages
    independently of each other, and every passage with the same probability. Since some passages
    are easier than others for both annotators to find, the estimate is probably too low.
    """

    first: int
    second: int
    both: int
    estimate: float
    low: float
    """The lower end of the 95% confidence interval; at least the number of passages found."""
    high: float
    found: float
    """The share of the estimated passages that at least one of the two found."""


Pair = tuple[CodedRecord | None, CodedRecord | None]


def coded(
    typed: ParsedFile, kind: str, seed: str, text: str, roles: Mapping[str, str] | None = None
) -> tuple[list[CodedRecord], list[Finding]]:
    """Return the records of a kind in an annotation file, and findings about their evidence.

    The findings of the YAML parser (`typed.findings`) are not included.

    Args:
        typed: the parsed annotation file.
        kind: `testimonies` or `figures`.
        seed: the path of the article, for findings.
        text: the text of the article.
        roles: the roles of shared speakers, by id.
    """
    role_of = _roles(typed, roles or {})
    found, findings = list[CodedRecord](), list[Finding]()
    for i, entry in entries(typed, kind):
        place = typed.places.get((kind, i, "evidence")) or typed.places[kind, i]
        try:
            parts = TypeAdapter(Evidence).validate_python(trimmed(entry.get("evidence")))
        except ValidationError:
            message = "Expected `evidence`, as in an annotation file."
            findings.append(Finding(place, "invalid-value", message))
            continue
        places = set[int]()
        for part in parts:
            quote = Quote(part.text, place, part.prefix or "", part.suffix or "", part.occurrence)
            span, faults = find_span(quote, SearchedText(seed, text, near=False))
            if span:
                places.update(range(*span))
            findings += faults
        codes = {code: _code(entry.get(code)) for code in CODES[kind]}
        if "role" in codes:
            codes["role"] = role_of.get(entry.get("speaker"))
        found.append(CodedRecord(frozenset(places), codes))
    return found, findings


def _roles(typed: ParsedFile, shared: Mapping[str, str]) -> dict[Any, Any]:
    """Return the roles of speakers by id and by label.

    A reading may name a speaker by a label instead of an id, because no other file refers to its
    speakers.
    """
    role_of = dict[Any, Any](shared)
    for _, entry in entries(typed, "speakers"):
        name = entry.get("use") or entry.get("id") or entry.get("label")
        role_of.setdefault(name, entry.get("role"))
        role_of.setdefault(entry.get("label"), role_of.get(entry.get("use")))
    return role_of


def _code(typed: Any) -> Hashable:
    if isinstance(typed, list):
        return frozenset(typed)
    # Numbers are compared by value: one annotator may type `10`, and another `10.0`.
    with suppress(TypeError, ValueError):
        return float(typed)
    return str(typed) if typed is not None else None


def matched(one: Sequence[CodedRecord], other: Sequence[CodedRecord]) -> list[Pair]:
    """Match records of two annotators, those with the most code points in common first.

    All other records are paired with None.
    """
    shared = []
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            size = len(a.places & b.places)
            if size:
                shared.append((-size, i, j))
    left, right = set(range(len(one))), set(range(len(other)))
    pairs = list[Pair]()
    # The positions `i` and `j` resolve ties, so the result does not depend on chance.
    for _, i, j in sorted(shared):
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((one[i], other[j]))
    pairs += [(one[i], None) for i in sorted(left)]
    pairs += [(None, other[j]) for j in sorted(right)]
    return pairs


def counted(pairs: Sequence[Pair]) -> Counter[str]:
    """Return the counts from which `found` is computed; counts of articles can be added."""
    counts = Counter[str](first=0, second=0, both=0, equal=0, common=0, marked=0)
    for a, b in pairs:
        if a:
            counts["first"] += 1
            counts["marked"] += len(a.places)
        if b:
            counts["second"] += 1
            counts["marked"] += len(b.places)
        if a and b:
            counts["both"] += 1
            counts["equal"] += a.places == b.places
            counts["common"] += len(a.places & b.places)
    return counts


def found(kind: str, counts: Counter[str]) -> RecordAgreement:
    """Return the agreement on the records of a kind, computed from the counts of `counted`."""
    total = counts["first"] + counts["second"]
    return RecordAgreement(
        kind,
        counts["first"],
        counts["second"],
        counts["both"],
        counts["equal"],
        f1=_f1(counts["both"], total),
        characters_f1=_f1(counts["common"], counts["marked"]),
        exact_f1=_f1(counts["equal"], total),
    )


def unitising(pairs: Sequence[Pair], length: int) -> Counter[tuple[Hashable, Hashable]]:
    """Count the code points of an article by whether each annotator has them in evidence."""
    first, second = set[int](), set[int]()
    for a, b in pairs:
        if a:
            first |= a.places
        if b:
            second |= b.places
    return Counter(
        {
            (True, True): len(first & second),
            (True, False): len(first - second),
            (False, True): len(second - first),
            (False, False): length - len(first | second),
        }
    )


def unmarked(pairs: Sequence[Pair]) -> Counter[str]:
    """Count the testimonies that either annotator calls indirect or narrated."""
    counts = Counter[str](first=0, second=0, both=0, any=0)
    for a, b in pairs:
        if _is_unmarked(a) or _is_unmarked(b):
            counts["any"] += 1
            counts["first"] += a is not None
            counts["second"] += b is not None
            counts["both"] += a is not None and b is not None
    return counts


def _is_unmarked(record: CodedRecord | None) -> bool:
    """Return whether a testimony has no quotation marks, because it is indirect or narrated."""
    return record is not None and record.codes["mode"] != "direct"


def recall(counts: Counter[str]) -> RecallEstimate:
    """Return an estimate of the number of unmarked passages, from the counts of `unmarked`."""
    first, second, both, known = counts["first"], counts["second"], counts["both"], counts["any"]
    product = (first + 1) * (second + 1)
    estimate = product / (both + 1) - 1
    variance = product * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    distance = 1.96 * variance**0.5
    low, high = max(estimate - distance, known), estimate + distance
    share = known / estimate if known else 1.0
    return RecallEstimate(first, second, both, estimate, low, high, share)


def _f1(common: int, total: int) -> float:
    return 2 * common / total if total else 1.0


Values = Counter[tuple[Any, Any]]
"""How often two annotators assigned each pair of values to a code of a record that both have."""


def values(kind: str, pairs: Sequence[Pair]) -> dict[str, Values]:
    """Count the pairs of values of each code, in the records that both annotators have."""
    counts = {code: Values() for code in CODES[kind]}
    for a, b in pairs:
        if a and b:
            for code, of_code in counts.items():
                of_code[a.codes[code], b.codes[code]] += 1
    return counts


def agreement(kind: str, codes: Mapping[str, Values]) -> Iterator[CodeAgreement]:
    """Yield the agreement of each code in the records that both annotators have."""
    for code, rule in CODES[kind].items():
        counts = codes[code]
        total, equal = counts.total(), counts.total() - _unequal(counts)
        yield CodeAgreement(kind, code, total, equal, rule, alpha(_units(counts)))


def _unequal(counts: Counter[tuple[Any, Any]]) -> int:
    """Return the number of pairs with two different values."""
    return sum(number for (a, b), number in counts.items() if a != b)


def _units(found: Values) -> Values:
    """Return the units of alpha: the pairs of values, or of the membership in sets of values."""
    members = set[Any]()
    for pair in found:
        for value in pair:
            if isinstance(value, frozenset):
                members |= value
    if not members:
        return found
    units = Values()
    for (a, b), number in found.items():
        for member in members:
            units[member in (a or ()), member in (b or ())] += number
    return units


def alpha(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Return Krippendorff's alpha for nominal values of two annotators.

    None is returned if all values are equal. `pairs` may be a `Counter`, with each distinct pair
    and the number of times that it occurs.
    """
    units = pairs if isinstance(pairs, Counter) else Counter(pairs)
    # As in a coincidence matrix, both values of each pair are counted.
    counts = Counter[Hashable]()
    for pair, number in units.items():
        for value in pair:
            counts[value] += number
    total = counts.total()
    expected = total * total - sum(number * number for number in counts.values())
    observed = _unequal(units) * 2
    return 1 - observed * (total - 1) / expected if expected else None


def disagreements(kind: str, pairs: Sequence[Pair], text: str) -> Iterator[Disagreement]:
    """Yield the differences that two annotators have to adjudicate."""
    for a, b in pairs:
        places = set[int]()
        for record in (a, b):
            if record:
                places |= record.places
        line = line_and_column(text, min(places, default=0))[0]
        if a and b:
            for code in CODES[kind]:
                one, other = a.codes[code], b.codes[code]
                if one != other:
                    yield Disagreement(line, kind, code, (_shown(one), _shown(other)))
        else:
            presence = ("yes", "no") if a else ("no", "yes")
            yield Disagreement(line, kind, "record", presence)


def _shown(value: Hashable) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    if isinstance(value, float):
        return f"{value:g}"
    return "-" if value is None else str(value)


# ---- the readings of a project -------------------------------------------------------------------

RECORDS = "records"
"""The name under which the annotation files themselves are compared with a reading."""


class AgreementReport(NamedTuple):
    """The agreement of two readings on the articles that have both."""

    articles: int
    found: list[RecordAgreement]
    codes: list[CodeAgreement]
    recall: RecallEstimate
    disagreements: dict[str, list[Disagreement]]
    """The differences in the order of the article, by the name of the seed without `.txt`."""
    findings: list[Finding]
    """Findings about the files of the readings; an article with a finding is not compared."""


class _CodedReading(NamedTuple):
    """A reading of an article."""

    records: dict[str, list[CodedRecord]]
    """The records by kind."""
    speakers: Speakers
    findings: list[Finding]


NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The pattern of the name of a reading; names are published."""


def readings(corpus: CorpusReader) -> dict[str, dict[str, str]]:
    """Return the files of the readings, `annotations/readings/SEED.NAME.yaml`, by name and by seed.

    A reading is an independent annotation of an article, made without sight of the records.
    """
    found = dict[str, dict[str, str]]()
    for file, stem in corpus.readings.items():
        if PurePosixPath(file).parent != PurePosixPath(READINGS):
            continue
        name = PurePosixPath(file).name.removeprefix(f"{stem}.").removesuffix(".yaml")
        if file.endswith(f".{name}.yaml") and NAME.fullmatch(name) and name != RECORDS:
            found.setdefault(name, {})[stem] = file
    return found


@dataclass
class _Totals:
    """Totals for one kind of record, over all articles that both readings cover."""

    records: Counter[str] = field(default_factory=Counter)
    unmarked: Counter[str] = field(default_factory=Counter)
    places: Counter[tuple[Hashable, Hashable]] = field(default_factory=Counter)
    codes: defaultdict[str, Values] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, kind: str, pairs: Sequence[Pair], length: int) -> None:
        """Add the matched records of an article, whose text has `length` code points."""
        self.records += counted(pairs)
        self.places += unitising(pairs, length)
        if kind == "testimonies":
            self.unmarked += unmarked(pairs)
        for code, found in values(kind, pairs).items():
            self.codes[code] += found


def reports(corpus: CorpusReader, pairs: Sequence[tuple[str, str]]) -> list[AgreementReport]:
    """Compare pairs of readings of a corpus, each pair over all articles that have both."""
    files, (context, _) = readings(corpus), corpus.context
    stems = set(chain.from_iterable(files.values()))
    annotated = corpus.annotated(stems)
    files[RECORDS] = {stem: raw.file for stem, raw in annotated.items()}
    roles = dict[str, str]()
    if context:
        roles = {name: speaker.role for name, speaker in context.shared.items()}
    comparisons = {pair: _Comparison() for pair in pairs}
    for stem in sorted(stems):
        compared = [pair for pair in pairs if _has_both(pair, files, stem)]
        if not compared:
            continue
        raw, seed = annotated.get(stem), f"seeds/{stem}.txt"
        if raw and raw.packed:
            text, _ = seed_text(raw.text, seed)
        else:
            text, _ = text_of(corpus.tree.root, seed)
        if text is None:
            continue
        # Each file is read once.
        read = dict[str, _CodedReading]()
        for name in dict.fromkeys(chain.from_iterable(compared)):
            file = files[name][stem]
            if raw and name == RECORDS:
                typed, wrong = written_text(raw.data, file)
            else:
                typed, wrong = text_of(corpus.tree.root, file)
            read[name] = _records(typed, wrong, file, seed, text, roles)
        for first, second in compared:
            comparisons[first, second].add(stem, text, read[first], read[second])
    return [comparison.report() for comparison in comparisons.values()]


def _labelled(records: Iterable[CodedRecord], labels: Mapping[str, str]) -> list[CodedRecord]:
    """Return records with labels in place of the ids of speakers."""
    found = []
    for record in records:
        codes = dict(record.codes)
        for code in _OF_SPEAKERS:
            if codes.get(code) is not None:
                codes[code] = labels.get(str(codes[code]), "unknown")
        found.append(record._replace(codes=codes))
    return found


def _has_both(pair: tuple[str, str], files: Mapping[str, Mapping[str, str]], stem: str) -> bool:
    """Return whether an article has both readings of a pair."""
    return all(stem in files.get(name, ()) for name in pair)


class _Comparison:
    """The comparison of two readings, article by article."""

    def __init__(self) -> None:
        """Begin without articles."""
        self._totals = {kind: _Totals() for kind in CODES}
        self._disagreements: dict[str, list[Disagreement]] = {}
        self._findings: list[Finding] = []

    def add(self, stem: str, text: str, one: _CodedReading, other: _CodedReading) -> None:
        """Compare two readings of an article; readings with findings are not compared."""
        findings = [*one.findings, *other.findings]
        self._findings += findings
        if findings:
            return
        differ = list[Disagreement]()
        labels = labels_of(one.speakers, other.speakers)
        for kind, totals in self._totals.items():
            first, second = one.records[kind], other.records[kind]
            pairs = matched(_labelled(first, labels[0]), _labelled(second, labels[1]))
            totals.add(kind, pairs, len(text))
            differ += disagreements(kind, pairs, text)
        self._disagreements[stem] = sorted(differ)

    def report(self) -> AgreementReport:
        """Return the agreement over the articles that were added."""
        records, codes = list[RecordAgreement](), list[CodeAgreement]()
        for kind, totals in self._totals.items():
            records.append(found(kind, totals.records)._replace(unitising=alpha(totals.places)))
            codes += agreement(kind, totals.codes)
        estimate = recall(self._totals["testimonies"].unmarked)
        articles = len(self._disagreements)
        return AgreementReport(
            articles, records, codes, estimate, self._disagreements, self._findings
        )


def _records(
    content: str | None,
    findings: list[Finding],
    file: str,
    seed: str,
    text: str,
    roles: Mapping[str, str],
) -> _CodedReading:
    """Return a reading from its content, which is YAML or JSON; `findings` are those so far."""
    if content is None:
        return _CodedReading({}, {}, findings)
    typed = parse(content, file=file)
    restore_unknown_keys(typed, Annotations)
    altered = dict(altered_values(typed, file, Annotations))
    findings = [*findings, *_draft(typed), *typed.findings, *altered.values()]
    records = dict[str, list[CodedRecord]]()
    for kind in CODES:
        records[kind], wrong = coded(typed, kind, seed, text, roles)
        findings += wrong
    return _CodedReading(records, coded_speakers(typed, text), findings)


def _draft(typed: ParsedFile) -> Iterator[Finding]:
    """Yield a finding if a reading is marked as a draft."""
    source = typed.value.get("source") if isinstance(typed.value, dict) else None
    if isinstance(source, dict) and source.get("draft") == "true":
        place = typed.places["source", "draft"]
        hint = "Remove `draft` once the whole article has been read."
        yield Finding(place, "draft-record", "This reading is a draft.", (hint,))


def report(folder: Path, first: str, second: str) -> AgreementReport:
    """Compare two readings of a project over all articles that have both."""
    return reports(CorpusReader(FileTree(folder)), [(first, second)])[0]


# ---- the published table -------------------------------------------------------------------------


def agreement_rows(corpus: CorpusReader) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return the rows of the table `agreement`, and findings about the readings.

    The published records are compared with each reading, and the readings with each other, ordered
    by name. Articles with findings are left out.
    """
    names = sorted(readings(corpus))
    if not names:
        return [], []
    pairs = list(combinations((RECORDS, *names), 2))
    rows, findings = list[dict[str, Any]](), dict[Finding, None]()
    for (first, second), compared in zip(pairs, reports(corpus, pairs), strict=True):
        findings.update(dict.fromkeys(compared.findings))
        if compared.articles:
            for row in _rows(compared):
                key = f"{row['record_table']}.{row['code']}.{row['statistic']}"
                readings_of_row = {"reading_a": first, "reading_b": second}
                rows.append({"agreement_id": f"{first}.{second}.{key}", **readings_of_row, **row})
    return rows, list(findings)


def _rows(report: AgreementReport) -> Iterator[dict[str, Any]]:
    """Yield the rows of a report, without the names of the readings."""
    for kind, code, rule, counts, statistics in _statistics(report):
        first, second, compared, equal = counts
        for statistic, (value, low, high) in statistics.items():
            yield {
                "record_table": kind,
                "code": code,
                "statistic": statistic,
                "codebook_rule": rule,
                "articles": report.articles,
                "records_a": first,
                "records_b": second,
                "compared": compared,
                "equal": equal,
                "value": _rounded(value),
                "interval_low": _rounded(low),
                "interval_high": _rounded(high),
            }


def _rounded(number: float | None) -> float | None:
    # Adding 0.0 turns -0.0 into 0.0.
    return None if number is None else round(number, 3) + 0.0


_Statistics = Mapping[str, tuple[float | None, float | None, float | None]]
_Counts = tuple[int, int, int, int | None]


def _statistics(report: AgreementReport) -> Iterator[tuple[str, str, str, _Counts, _Statistics]]:
    """Yield each kind of record and code with its codebook rule, counts and statistics."""
    of_kind = {each.kind: each for each in report.found}
    for kind, each in of_kind.items():
        shares: _Statistics = {
            "f1_records": (each.f1, None, None),
            "f1_equal": (each.exact_f1, None, None),
            "f1_characters": (each.characters_f1, None, None),
            "alpha": (each.unitising, None, None),
        }
        numbers: _Counts = (each.first, each.second, each.both, each.equal)
        yield kind, "evidence", EVIDENCE[kind], numbers, shares
    it = report.recall
    estimate: _Statistics = {"estimate_unmarked": (it.estimate, it.low, it.high)}
    numbers = (it.first, it.second, it.both, None)
    yield "testimonies", "evidence", EVIDENCE["testimonies"], numbers, estimate
    for code in report.codes:
        observed = code.equal / code.compared if code.compared else None
        of_code: _Statistics = {
            "observed": (observed, None, None),
            "alpha": (code.alpha, None, None),
        }
        numbers = (of_kind[code.kind].first, of_kind[code.kind].second, code.compared, code.equal)
        yield code.kind, code.code, code.rule, numbers, of_code
