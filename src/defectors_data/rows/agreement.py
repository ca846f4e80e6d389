"""Agreement of two readings of the same articles, as published in `agreement.json`.

Records are matched by their evidence, and codes are compared in records that both readings have.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeAlias

from defectors_data.corpus.document_reader import RawDocument
from defectors_data.corpus.file_tree import FileTree, seed_text, written_text
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import CorpusReader, text_of
from defectors_data.rows import reliability
from defectors_data.rows.readings import (
    CODES,
    DEFAULTS,
    NOT_COMPARED,
    OF_SPEAKERS,
    RECORDS,
    CodedReading,
    CodedRecord,
    Shared,
    files_of_readings,
    read,
    source_and_kinds,
)
from defectors_data.rows.reliability import Overlap
from defectors_data.text.offsets import line_and_column

Pair: TypeAlias = tuple[CodedRecord | None, CodedRecord | None]
"""A record as each of two readers made it; None if one of them did not."""

METHOD = {
    "matching": "Records are matched by their evidence, those with the most characters in common "
    "first; speakers by their mentions, or else by their names.",
    "f1": "2 x both / (first + second) (Hripcsak and Rothschild 2005).",
    "alpha": "Krippendorff's alpha for nominal values. Sets of themes, motives and acts differ by "
    "MASI (Passonneau 2006). A code that is left out has the value empty, or "
    "the one that it then has: `asserts`, `affirmed`, `unspecified`, `not_applicable`. A code that no "
    "record has in either reading is left out.",
    "not compared": "; ".join(f"{kind}: {', '.join(codes)}" for kind, codes in NOT_COMPARED.items())
    + "; pairs of statements and of numbers.",
    "intervals": "95%. Of shares by Wilson (1927), else by a delete-a-group jackknife (Kott 2001) "
    f"with {reliability.GROUPS} groups of neighbouring records.",
}


class Disagreement(NamedTuple):
    """A difference between two readings."""

    line: int
    """The line of the article in which the evidence begins, counted from 1."""
    kind: str
    code: str
    """The code that differs, or `record` if only one reading has the record."""
    values: tuple[str, str]
    words: tuple[str, str] = ("", "")
    """The words of the evidence in each reading, from its first to its last character."""


@dataclass
class Comparison:
    """Two readings, compared over all articles that have both."""

    readings: tuple[str, str]
    articles: list[str] = field(default_factory=list)
    """The ids of the sources."""
    pairs: dict[str, list[Pair]] = field(default_factory=lambda: {kind: [] for kind in CODES})
    """The records by kind, in the order of the articles."""
    disagreements: dict[str, list[Disagreement]] = field(default_factory=dict)
    """The differences by the name of the seed, without `.txt`."""
    findings: list[Finding] = field(default_factory=list)
    """Findings about the files of the readings; an article with a finding is not compared."""
    kinds: tuple[set[str | None], set[str | None]] = field(default_factory=lambda: (set(), set()))
    """Of each reading, the kinds of the reader in all articles: a person or a language model."""

    def add(self, stem: str, text: str, one: CodedReading, other: CodedReading) -> None:
        """Compare two readings of an article."""
        speakers = matched(one.records["speakers"], other.records["speakers"])
        of_first, of_second = zip(*speakers, strict=True) if speakers else ((), ())
        one_side = _with_speakers(one, stem, of_first)
        other_side = _with_speakers(other, stem, of_second)
        differ = list[Disagreement]()
        for kind, pairs in self.pairs.items():
            first, second = one_side[kind], other_side[kind]
            for i, j in matched(first, second):
                pair = (_at(first, i), _at(second, j))
                pairs.append(pair)
                differ += _differences(kind, pair, text)
        self.disagreements[stem] = sorted(differ)

    def as_data(self) -> dict[str, Any]:
        """Return the agreement as dictionaries and lists for JSON."""
        readings = []
        for name, kinds in zip(self.readings, self.kinds, strict=True):
            kind = kinds.copy().pop() if len(kinds) == 1 else None
            readings.append({"name": name, "kind": kind})
        overlaps, codes = [], []
        for kind, pairs in self.pairs.items():
            overlaps += [{"records": kind, **each} for each in _overlaps(kind, pairs)]
            for code in CODES[kind]:
                agreement = _code_agreement(code, pairs)
                if agreement["with_value"] or not agreement["records_in_both"]:
                    codes.append({"records": kind, **agreement})
        return {
            "readings": readings,
            "articles": self.articles,
            "passages": overlaps,
            "codes": codes,
        }


# ---- records -------------------------------------------------------------------------------------


def matched(
    one: Sequence[CodedRecord], other: Sequence[CodedRecord]
) -> list[tuple[int | None, int | None]]:
    """Match records by position, those with the most code points in common first.

    Records of the same name are matched last, and all others are paired with None. The pairs are in
    the order of their places.
    """
    ranked = []
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            common = len(a.places & b.places)
            if common or (a.name and a.name == b.name):
                ranked.append((-common, i, j))
    left, right = set(range(len(one))), set(range(len(other)))
    pairs = list[tuple[int | None, int | None]]()
    # The positions resolve ties, so the result does not depend on chance.
    for _, i, j in sorted(ranked):
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((i, j))
    pairs += [(i, None) for i in sorted(left)]
    pairs += [(None, j) for j in sorted(right)]

    def place(pair: tuple[int | None, int | None]) -> int:
        places = _places(_at(one, pair[0]), _at(other, pair[1]))
        return min(places, default=-1)

    return sorted(pairs, key=place)


def _at(records: Sequence[CodedRecord], position: int | None) -> CodedRecord | None:
    return None if position is None else records[position]


def _places(a: CodedRecord | None, b: CodedRecord | None) -> set[int]:
    """Return the places of a record in both readings."""
    places = set[int]()
    for record in (a, b):
        if record:
            places |= record.places
    return places


def _with_speakers(
    reading: CodedReading, stem: str, positions: Sequence[int | None]
) -> dict[str, list[CodedRecord]]:
    """Return the records of a reading, with equal codes for equal speakers in two readings.

    `positions` are those of the reading's speakers, in the order of the pairs of speakers.
    """
    label = {position: f"{stem} {i}" for i, position in enumerate(positions)}
    found = dict[str, list[CodedRecord]]()
    for kind, records in reading.records.items():
        found[kind] = []
        for record in records:
            codes = dict(record.codes)
            for code in OF_SPEAKERS:
                name = codes.get(code)
                if name is not None:
                    position = reading.speakers.get(str(name))
                    codes[code] = label.get(position, str(name))
            found[kind].append(record._replace(codes=codes))
    return found


def _differences(kind: str, pair: Pair, text: str) -> Iterator[Disagreement]:
    a, b = pair
    line = line_and_column(text, min(_places(a, b), default=0))[0]
    words = (_words(a, text), _words(b, text))
    if a and b:
        for code in CODES[kind]:
            one, other = a.codes[code], b.codes[code]
            if one != other:
                values = (_shown(one), _shown(other))
                if code in OF_SPEAKERS:
                    values = ("one speaker", "another")
                yield Disagreement(line, kind, code, values, words)
    else:
        presence = ("yes", "no") if a else ("no", "yes")
        yield Disagreement(line, kind, "record", presence, words)


def _words(record: CodedRecord | None, text: str) -> str:
    places = record.places if record else ()
    return text[min(places) : max(places) + 1] if places else ""


def _shown(value: Hashable) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "-"
    if isinstance(value, float):
        return f"{value:g}"
    return "-" if value is None else str(value)


# ---- statistics ----------------------------------------------------------------------------------


def _overlaps(kind: str, pairs: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    """Yield how far two readings have the same records, characters and words of attribution."""
    records, characters, words = list[Overlap](), list[Overlap](), list[Overlap]()
    for a, b in pairs:
        first = a.places if a else frozenset()
        second = b.places if b else frozenset()
        records.append(Overlap(int(bool(a and b)), int(a is not None), int(b is not None)))
        characters.append(Overlap(len(first & second), len(first), len(second)))
        if a and b and (a.words or b.words):
            words.append(Overlap(len(a.words & b.words), len(a.words), len(b.words)))
    yield {"of": "records", **_f1(records)}
    yield {"of": "characters", **_f1(characters)}
    if kind == "testimonies":
        yield {"of": "words of attribution", **_f1(words)}


def _f1(overlaps: Sequence[Overlap]) -> dict[str, Any]:
    both = sum(each.both for each in overlaps)
    first = sum(each.first for each in overlaps)
    second = sum(each.second for each in overlaps)
    interval, note = _interval(reliability.jackknife(overlaps, reliability.f1, least=0))
    return {
        "both": both,
        "first": first,
        "second": second,
        "f1": _rounded(reliability.f1(overlaps)),
        "f1_interval": interval,
        "note": note,
    }


def _code_agreement(code: str, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return the agreement of a code in the records that both readings have."""
    values = list[tuple[Hashable, Hashable]]()
    for a, b in pairs:
        if a and b:
            values.append((a.codes[code], b.codes[code]))
    left_out = DEFAULTS.get(code)
    with_value = sum(one != left_out or other != left_out for one, other in values)
    equal, number = sum(one == other for one, other in values), len(values)
    counts = {"code": code, "records_in_both": number, "with_value": with_value, "equal": equal}
    share, share_interval = None, None
    if number:
        share, (share_interval, _) = equal / number, _interval(reliability.wilson(equal, number))
    alpha, alpha_interval, note = _alpha(values)
    return {
        **counts,
        "observed": _rounded(share),
        "observed_interval": share_interval,
        "alpha": _rounded(alpha),
        "alpha_interval": alpha_interval,
        "note": note,
    }


def _alpha(values: reliability.Pairs) -> tuple[float | None, list[float] | None, str | None]:
    """Return alpha, its interval, and a note if one of them is missing."""
    if not values:
        return None, None, "No record is in both readings."
    if reliability.has_too_many_values(values):
        return None, None, "No alpha: too many different values."
    alpha = reliability.alpha(values)
    if alpha is None:
        return None, None, "No alpha: all values are the same."
    return alpha, *_interval(reliability.jackknife(values, reliability.alpha, least=-1))


def _interval(found: reliability.Interval | str) -> tuple[list[float] | None, str | None]:
    """Return the ends of an interval, or None and why there is none."""
    if isinstance(found, str):
        return None, found
    return [round(end, 2) + 0.0 for end in found], None


def _rounded(number: float | None) -> float | None:
    # Adding 0.0 turns -0.0 into 0.0.
    return None if number is None else round(number, 2) + 0.0


# ---- the readings of a corpus --------------------------------------------------------------------


def compare(corpus: CorpusReader, first: str, second: str) -> Comparison:
    """Compare two readings of a corpus, or its records with a reading, over all articles with both.

    The names are those of `files_of_readings`, or `records`.
    """
    files = files_of_readings(corpus)
    stems = {stem for of_reading in files.values() for stem in of_reading}
    annotated = corpus.annotated(stems)
    files[RECORDS] = {stem: raw.file for stem, raw in annotated.items()}
    found, shared = Comparison((first, second)), _shared(corpus)
    for stem in sorted(files.get(first, {}).keys() & files.get(second, {})):
        raw, seed = annotated.get(stem), f"seeds/{stem}.txt"
        if raw and raw.packed:
            text, _ = seed_text(raw.text, seed)
        else:
            text, _ = text_of(corpus.tree.root, seed)
        if text is None:
            continue
        read_now, findings = list[CodedReading](), list[Finding]()
        for name in (first, second):
            file = files[name][stem]
            typed, wrong = _content(corpus, raw, file, is_record=name == RECORDS)
            findings += wrong
            if typed is not None:
                reading = read(typed, file, seed, text, shared)
                findings += reading.findings
                read_now.append(reading)
        found.findings += findings
        if findings:
            continue
        found.add(stem, text, *read_now)
        _add_facts(found, stem, raw)
    return found


def _shared(corpus: CorpusReader) -> Shared:
    """Return the shared speakers by id, as mappings."""
    context, _ = corpus.context
    if not context:
        return {}
    return {name: speaker.model_dump() for name, speaker in context.shared.items()}


def _content(
    corpus: CorpusReader, raw: RawDocument | None, file: str, *, is_record: bool
) -> tuple[str | None, list[Finding]]:
    """Return the YAML of a reading or an annotation file, or None and findings."""
    if raw and is_record:
        return written_text(raw.data, file)
    return text_of(corpus.tree.root, file)


def _add_facts(comparison: Comparison, stem: str, raw: RawDocument | None) -> None:
    """Add the source and the kinds of the readers of an article, from its annotation file."""
    source_id, stated = None, dict[str, str]()
    if raw:
        typed, _ = written_text(raw.data, raw.file)
        source_id, stated = source_and_kinds(typed or "", raw.file)
    comparison.articles.append(source_id or stem)
    for name, kinds in zip(comparison.readings, comparison.kinds, strict=True):
        kinds.add(stated.get(PurePosixPath(name).name))


def report(folder: Path, first: str, second: str) -> Comparison:
    """Compare two readings of a project over all articles that have both."""
    return compare(CorpusReader(FileTree(folder)), first, second)


# ---- publication ---------------------------------------------------------------------------------


def published(corpus: CorpusReader) -> tuple[Mapping[str, Any] | None, list[Finding]]:
    """Return the content of `agreement.json`, or None without readings, and findings about them.

    Each two readings in the same folder are compared with each other, not with the records, which
    were corrected by them.
    """
    names = sorted(files_of_readings(corpus))
    compared, findings = [], dict[Finding, None]()
    for first, second in combinations(names, 2):
        if PurePosixPath(first).parent != PurePosixPath(second).parent:
            continue
        found = compare(corpus, first, second)
        findings.update(dict.fromkeys(found.findings))
        if found.articles:
            compared.append(found.as_data())
    if not compared:
        return None, list(findings)
    decisions = sorted(file for file in corpus.readings if file.endswith(".decisions.md"))
    context, _ = corpus.context
    limits = context.dataset.content.agreement if context else None
    content = {"method": METHOD, "limits": limits, "pairs": compared, "decisions": decisions}
    return content, list(findings)
