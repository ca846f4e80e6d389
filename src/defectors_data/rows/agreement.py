"""Agreement between readings of the same articles: which records both of them have, and how far their codes agree.

Chance-corrected agreement is Krippendorff's alpha for nominal data, two annotators and no missing values (K.
Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011). Records are matched by their evidence, and codes are
compared only in records that both annotators have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from defectors_data.corpus.file_tree import FileTree, seed_text, written_text
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import CorpusReader, text_of
from defectors_data.corpus.validation_errors import altered_values, restore_unknown_keys
from defectors_data.corpus.yaml_reader import ParsedFile, parse
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.models.annotation import Annotations, Evidence
from defectors_data.text.offsets import line_and_column

CODES = {
    "testimonies": {"mode": "T8", "themes": "T11", "role": "P3", "outlet": "S2"},
    "figures": {
        "value": "F2",
        "low": "F2",
        "high": "F2",
        "hedge": "F2",
        "unit": "F2",
        "measure": "F9",
        "population": "F9",
    },
}
"""The codes that are compared, each with its codebook rule, by kind of record; `role` is the speaker's role."""

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
    """F1 of the records if two records match only when their evidence has the same code points."""
    unitising: float | None = None
    """Krippendorff's alpha over all code points of the articles, each of which is either in evidence or not."""


class CodeAgreement(NamedTuple):
    """The agreement of a code in the records that both annotators have."""

    kind: str
    code: str
    compared: int
    equal: int
    rule: str
    """The rule of the codebook on the code."""
    alpha: float | None
    """Krippendorff's alpha; None if all values are the same. For themes, each theme is a binary code of each record:
    assigned or not."""


class RecallEstimate(NamedTuple):
    """A capture-recapture estimate of the number of indirect and narrated passages, including those that were missed.

    The estimator is that of D. G. Chapman (1951), with the variance of G. A. F. Seber (1970). It assumes that the
    annotators find passages independently of each other, and every passage with the same probability. Since some
    passages are easier than others for both annotators to find, the estimate is probably too low.
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
    """Return the records of a kind in an annotation file, and findings for evidence that is invalid or not found.

    The findings of the YAML parser (`typed.findings`) are not included.

    Args:
        typed: the parsed annotation file.
        kind: `testimonies` or `figures`.
        seed: the path of the article, for findings.
        text: the text of the article.
        roles: the roles of shared speakers, by id.
    """
    role_of = dict[Any, Any](roles or {})
    # A reading may name a speaker by a label instead of an id, because no other file refers to its speakers.
    for _, entry in _entries(typed, "speakers"):
        role_of.setdefault(
            entry.get("use") or entry.get("id") or entry.get("label"), entry.get("role")
        )
        role_of.setdefault(entry.get("label"), role_of.get(entry.get("use")))
    found, findings = list[CodedRecord](), list[Finding]()
    for i, entry in _entries(typed, kind):
        places = set[int]()
        place = typed.places.get((kind, i, "evidence")) or typed.places[kind, i]
        try:
            parts = TypeAdapter(Evidence).validate_python(_trimmed(entry.get("evidence")))
        except ValidationError:
            findings.append(
                Finding(place, "invalid-value", "Expected `evidence`, as in an annotation file.")
            )
            continue
        for part in parts:
            quote = Quote(part.text, place, part.prefix or "", part.suffix or "", part.occurrence)
            span, faults = find_span(quote, SearchedText(seed, text, near=False))
            places |= set(range(*span)) if span else set()
            findings += faults
        codes = {code: _code(entry.get(code)) for code in CODES[kind]}
        if "role" in codes:
            codes["role"] = role_of.get(entry.get("speaker"))
        found.append(CodedRecord(frozenset(places), codes))
    return found, findings


def _entries(typed: ParsedFile, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the mappings in the list under a key, each with its position."""
    listed = typed.value.get(key) if isinstance(typed.value, dict) else None
    for i, entry in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(entry, dict):
            yield i, entry


def _trimmed(typed: Any) -> Any:
    """Return unvalidated evidence without white space at the ends of its parts."""
    if isinstance(typed, list):
        return [_trimmed(each) for each in typed]
    if isinstance(typed, dict):
        return {**typed, "text": _trimmed(typed.get("text"))}
    return typed.strip() if isinstance(typed, str) else typed


def _code(typed: Any) -> Hashable:
    if isinstance(typed, list):
        return frozenset(typed)
    # Numbers are compared by value: one annotator may type `10`, and another `10.0`.
    with suppress(TypeError, ValueError):
        return float(typed)
    return str(typed) if typed is not None else None


def matched(one: Sequence[CodedRecord], other: Sequence[CodedRecord]) -> list[Pair]:
    """Match records of two annotators, those with the most code points in common first; pair all others with None."""
    shared = [
        (len(a.places & b.places), i, j) for i, a in enumerate(one) for j, b in enumerate(other)
    ]
    left, right, pairs = set(range(len(one))), set(range(len(other))), list[Pair]()
    # The positions `i` and `j` resolve ties, so the result does not depend on chance.
    for size, i, j in sorted(shared, key=lambda each: (-each[0], each[1:])):
        if size and i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((one[i], other[j]))
    return [
        *pairs,
        *((one[i], None) for i in sorted(left)),
        *((None, other[j]) for j in sorted(right)),
    ]


def counted(pairs: Sequence[Pair]) -> Counter[str]:
    """Return the counts from which `found` is computed, for one article; counts of several articles can be added."""
    both = [(a, b) for a, b in pairs if a and b]
    first, second = (sum(pair[i] is not None for pair in pairs) for i in (0, 1))
    return Counter(
        first=first,
        second=second,
        both=len(both),
        equal=sum(a.places == b.places for a, b in both),
        common=sum(len(a.places & b.places) for a, b in both),
        marked=sum(len(each.places) for pair in pairs for each in pair if each),
    )


def found(kind: str, counts: Counter[str]) -> RecordAgreement:
    """Return the agreement of two annotators on the records of a kind, computed from the counts of `counted`."""
    total = counts["first"] + counts["second"]
    shares = (
        _f1(counts["both"], total),
        _f1(counts["common"], counts["marked"]),
        _f1(counts["equal"], total),
    )
    return RecordAgreement(
        kind, counts["first"], counts["second"], counts["both"], counts["equal"], *shares
    )


def unitising(pairs: Sequence[Pair], length: int) -> Counter[tuple[Hashable, Hashable]]:
    """Count the code points of an article that are in the evidence of both annotators, of one, or of neither."""
    marked = [{at for pair in pairs if (each := pair[i]) for at in each.places} for i in (0, 1)]
    both, one, other = marked[0] & marked[1], marked[0] - marked[1], marked[1] - marked[0]
    counts: dict[tuple[Hashable, Hashable], int] = {
        (True, True): len(both),
        (True, False): len(one),
        (False, True): len(other),
    }
    return Counter({**counts, (False, False): length - sum(counts.values())})


def unmarked(pairs: Sequence[Pair]) -> Counter[str]:
    """Count the testimonies that either annotator calls indirect or narrated, for each, for both, and in total."""
    meant = [
        pair for pair in pairs if any(each and each.codes["mode"] != "direct" for each in pair)
    ]
    first, second = (sum(pair[i] is not None for pair in meant) for i in (0, 1))
    return Counter(
        first=first, second=second, both=sum(None not in pair for pair in meant), any=len(meant)
    )


def recall(counts: Counter[str]) -> RecallEstimate:
    """Return an estimate of the number of indirect and narrated passages, from the counts of `unmarked`."""
    first, second, both, known = (counts[name] for name in ("first", "second", "both", "any"))
    estimate = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (
        (first + 1)
        * (second + 1)
        * (first - both)
        * (second - both)
        / ((both + 1) ** 2 * (both + 2))
    )
    low, high = (estimate + sign * 1.96 * variance**0.5 for sign in (-1, 1))
    return RecallEstimate(
        first, second, both, estimate, max(low, known), high, known / estimate if known else 1.0
    )


def _f1(common: int, total: int) -> float:
    return 2 * common / total if total else 1.0


Values = Counter[tuple[Any, Any]]
"""The number of times that two annotators assigned each pair of values to a code, in the records that both have."""


def values(kind: str, pairs: Sequence[Pair]) -> dict[str, Values]:
    """Count the pairs of values that the two annotators assigned to each code, in the records that both have."""
    both = [(a.codes, b.codes) for a, b in pairs if a and b]
    return {code: Counter((a[code], b[code]) for a, b in both) for code in CODES[kind]}


def agreement(kind: str, codes: Mapping[str, Values]) -> Iterator[CodeAgreement]:
    """Yield the agreement of each code in the records that both annotators have."""
    for code, rule in CODES[kind].items():
        found = codes[code]
        equal = sum(number for (a, b), number in found.items() if a == b)
        yield CodeAgreement(kind, code, found.total(), equal, rule, alpha(_units(found)))


def _units(found: Values) -> Values:
    """Return the units of alpha: the pairs of values or, for sets, whether each annotator assigned each member."""
    members = {
        member
        for pair in found
        for value in pair
        if isinstance(value, frozenset)
        for member in value
    }
    units = Values()
    for (a, b), number in found.items() if members else ():
        for member in members:
            units[member in (a or ()), member in (b or ())] += number
    return units or found


def alpha(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Return Krippendorff's alpha for nominal values of two annotators, or None if all values are equal.

    `pairs` may be a `Counter`, with each distinct pair and the number of times that it occurs.
    """
    units = pairs if isinstance(pairs, Counter) else Counter(pairs)
    # As in a coincidence matrix, both values of each pair are counted.
    counts = Counter[Hashable]()
    for pair, number in units.items():
        for value in pair:
            counts[value] += number
    total = counts.total()
    expected = total * total - sum(number * number for number in counts.values())
    observed = sum(number for (a, b), number in units.items() if a != b) * 2
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


class AgreementReport(NamedTuple):
    """The agreement of two readings on the articles that have both."""

    articles: int
    found: list[RecordAgreement]
    codes: list[CodeAgreement]
    recall: RecallEstimate
    disagreements: dict[str, list[Disagreement]]
    """The differences to adjudicate, by the name of the seed without `.txt`, in the order of the article."""
    findings: list[Finding]
    """Findings about the files of the readings; an article with a finding is not compared."""


NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The pattern of the name of a reading; names are published."""


def readings(corpus: CorpusReader) -> dict[str, dict[str, str]]:
    """Return the files of the readings, `annotations/readings/SEED.NAME.yaml`, by name and by seed.

    A reading is an independent annotation of an article, made without sight of the records.
    """
    found = dict[str, dict[str, str]]()
    for file, stem in corpus.readings.items():
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
    """Compare pairs of readings of a corpus, each pair over all articles that have both; every file is read once."""
    files, root, (context, _) = readings(corpus), corpus.tree.root, corpus.context
    annotated = corpus.annotated({stem for stems in files.values() for stem in stems})
    files[RECORDS] = {stem: raw.file for stem, raw in annotated.items()}
    roles = {name: speaker.role for name, speaker in context.shared.items()} if context else {}
    sums = {pair: {kind: _Totals() for kind in CODES} for pair in pairs}
    made = {pair: AgreementReport(0, [], [], recall(Counter()), {}, []) for pair in pairs}
    for stem in sorted({stem for pair in pairs for name in pair for stem in files.get(name, ())}):
        compared = [pair for pair in pairs if all(stem in files.get(name, ()) for name in pair)]
        raw, seed = annotated.get(stem), f"seeds/{stem}.txt"
        text, _ = seed_text(raw.text, seed) if raw and raw.packed else text_of(root, seed)
        if text is None or not compared:
            continue
        read = dict[str, tuple[dict[str, list[CodedRecord]], list[Finding]]]()
        for name in dict.fromkeys(name for pair in compared for name in pair):
            file = files[name][stem]
            typed, wrong = (
                written_text(raw.data, file) if raw and name == RECORDS else text_of(root, file)
            )
            read[name] = _records(typed, wrong, file, seed, text, roles)
        for pair in compared:
            (one, wrong), (other, also_wrong) = (read[name] for name in pair)
            made[pair].findings.extend([*wrong, *also_wrong])
            if wrong or also_wrong:
                continue
            differ = made[pair].disagreements.setdefault(stem, [])
            for kind in CODES:
                matching = matched(one[kind], other[kind])
                sums[pair][kind].add(kind, matching, len(text))
                differ += disagreements(kind, matching, text)
            differ.sort()
    return [_summed(report, sums[pair]) for pair, report in made.items()]


def _records(
    content: str | None,
    findings: list[Finding],
    file: str,
    seed: str,
    text: str,
    roles: Mapping[str, str],
) -> tuple[dict[str, list[CodedRecord]], list[Finding]]:
    """Return the records of a reading by kind, and the findings about its content, which is YAML or JSON."""
    if content is None:
        return {}, findings
    typed = parse(content, file=file)
    restore_unknown_keys(typed, Annotations)
    altered = dict(altered_values(typed, file, Annotations))
    source = typed.value.get("source") if isinstance(typed.value, dict) else None
    if isinstance(source, dict) and source.get("draft") == "true":
        hint = "Remove `draft` once the whole article has been read."
        findings = [
            *findings,
            Finding(
                typed.places["source", "draft"], "draft-record", "This reading is a draft.", (hint,)
            ),
        ]
    read = {kind: coded(typed, kind, seed, text, roles) for kind in CODES}
    return {kind: records for kind, (records, _) in read.items()}, [
        *findings,
        *typed.findings,
        *altered.values(),
        *(finding for _, wrong in read.values() for finding in wrong),
    ]


def _summed(report: AgreementReport, sums: Mapping[str, _Totals]) -> AgreementReport:
    """Return a report with the agreement computed from the totals."""
    agreeing = [
        found(kind, of.records)._replace(unitising=alpha(of.places)) for kind, of in sums.items()
    ]
    codes = [each for kind, of in sums.items() for each in agreement(kind, of.codes)]
    estimate = recall(sums["testimonies"].unmarked)
    return report._replace(
        articles=len(report.disagreements), found=agreeing, codes=codes, recall=estimate
    )


def report(folder: Path, first: str, second: str) -> AgreementReport:
    """Compare two readings of a project over all articles that have both."""
    return reports(CorpusReader(FileTree(folder)), [(first, second)])[0]


# ---- the published table -----------------------------------------------------------------------------------------


def agreement_rows(corpus: CorpusReader) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return the rows of the table `agreement`, and findings about the readings; articles with findings are left out.

    The published records are compared with each reading, and the readings with each other, ordered by name.
    """
    pairs = list(combinations((RECORDS, *sorted(readings(corpus))), 2))
    made, findings = list[dict[str, Any]](), dict[Finding, None]()
    for (first, second), found in zip(pairs, reports(corpus, pairs) if pairs else (), strict=True):
        findings.update(dict.fromkeys(found.findings))
        for kind, code, rule, counts, statistics in _statistics(found) if found.articles else ():
            for statistic, numbers in statistics.items():
                # Adding 0.0 turns -0.0 into 0.0.
                value, low, high = (
                    None if each is None else round(each, 3) + 0.0 for each in numbers
                )
                made.append(
                    {
                        "agreement_id": f"{first}.{second}.{kind}.{code}.{statistic}",
                        "reading_a": first,
                        "reading_b": second,
                        "record_table": kind,
                        "code": code,
                        "statistic": statistic,
                        "codebook_rule": rule,
                        "articles": found.articles,
                        **dict(
                            zip(
                                ("records_a", "records_b", "compared", "equal"), counts, strict=True
                            )
                        ),
                        "value": value,
                        "interval_low": low,
                        "interval_high": high,
                    }
                )
    return made, list(findings)


_Statistics = Mapping[str, tuple[float | None, float | None, float | None]]
_Counts = tuple[int, int, int, int | None]


def _statistics(report: AgreementReport) -> Iterator[tuple[str, str, str, _Counts, _Statistics]]:
    """Yield each kind of record and code with its codebook rule, counts of records, and statistics."""
    of: dict[str, RecordAgreement] = {each.kind: each for each in report.found}
    for kind, each in of.items():
        shares = {
            "f1_records": each.f1,
            "f1_equal": each.exact_f1,
            "f1_characters": each.characters_f1,
        }
        of_evidence = {
            name: (value, None, None) for name, value in {**shares, "alpha": each.unitising}.items()
        }
        yield (
            kind,
            "evidence",
            EVIDENCE[kind],
            (each.first, each.second, each.both, each.equal),
            of_evidence,
        )
    it = report.recall
    estimate: _Statistics = {"estimate_unmarked": (it.estimate, it.low, it.high)}
    yield (
        "testimonies",
        "evidence",
        EVIDENCE["testimonies"],
        (it.first, it.second, it.both, None),
        estimate,
    )
    for code in report.codes:
        observed = code.equal / code.compared if code.compared else None
        of_code = {"observed": (observed, None, None), "alpha": (code.alpha, None, None)}
        counts = of[code.kind].first, of[code.kind].second, code.compared, code.equal
        yield code.kind, code.code, code.rule, counts, of_code


# ---- output ------------------------------------------------------------------------------------------------------
