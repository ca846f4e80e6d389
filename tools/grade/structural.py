"""Damage that a program can detect: in positions, marks, numbers, ids and references. Every mutant must be killed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, get_args

from defectors_data.evidence import anchors
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import quantities_of
from defectors_data.models import closed_vocabularies
from defectors_data.text.offsets import Span
from mutants import (
    GONE,
    LISTS,
    WORD,
    Mutant,
    SourceFile,
    Steps,
    at,
    cuts,
    in_a_word,
    listed,
    name_of,
    put,
    terms,
    without_record,
    words_in,
)

# ---- evidence ----------------------------------------------------------------------------------------------


def evidence_shifted(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Evidence is shifted by one character to the left or right, so that one end is inside a word."""
    for source in project:
        for evidence in source.evidence():
            for by in (-1, 1):
                if any(in_a_word(source.text, offset + by) for offset in evidence.span):
                    yield from evidence.moved(by, by)


def evidence_cut_inside_a_word(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Evidence begins in the middle of its first word or ends in the middle of its last word."""
    for source in project:
        for evidence in source.evidence():
            words = [hit.span() for hit in WORD.finditer(evidence.words) if len(hit[0]) > 1]
            if words:
                yield from evidence.moved(start=sum(words[0]) // 2)
                yield from evidence.moved(end=sum(words[-1]) // 2 - len(evidence.words))


SLIPS = {"’": "'", "'": "’", "“": '"', '"': "“", "”": '"', "—": "-", "\u00a0": " ", "é": "e", "í": "i"}


def evidence_mistyped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Evidence differs from the seed in a punctuation mark, a space, an accent, or the case of its letters."""
    for source in project:
        for evidence in source.evidence():
            words = evidence.words
            slips = [words[:i] + SLIPS[c] + words[i + 1 :] for i, c in enumerate(words) if c in SLIPS][:1]
            slips += [words.swapcase()]
            for n, slip in enumerate(slips, start=1):
                if slip not in source.text:
                    typed = evidence.typed()[evidence.i]
                    part = typed if isinstance(typed, dict) else {}
                    yield evidence.replaced(f"slip {n}", {**part, "text": slip})


def white_space_included(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Evidence includes the space or the line break next to it."""
    for source in project:
        for evidence in source.evidence():
            start, end = evidence.span
            if source.text[end : end + 1].isspace():
                yield from evidence.moved(end=1)
            elif source.text[max(0, start - 1) : start].isspace():
                yield from evidence.moved(start=-1)


def quotation_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A part of direct speech loses words at one end: one word, half of them, all but one, or whole clauses."""
    for source in project:
        for evidence in source.evidence("testimonies"):
            if evidence.direct:
                for start, end in cuts(source.text, evidence.span):
                    yield from evidence.moved(start, end)


def quotation_cut_in_other_evidence(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Evidence other than direct speech begins or ends in the middle of a quotation that it contained.

    The words of a motive or of an act may be any part of a quotation.
    """
    for source in project:
        for evidence in source.evidence():
            if evidence.direct or evidence.cited.table in ("motives", "acts"):
                continue
            for quotation in ledger_of(source.document).quotations:
                start, end = evidence.span
                words = words_in(source.text, quotation.start, quotation.end)
                if start <= quotation.start and quotation.end <= end and len(words) > 1:
                    middle = len(words) // 2
                    yield from evidence.moved(start=words[middle].start - start)
                    yield from evidence.moved(end=words[middle - 1].end - end)


def quotation_extended(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A part of direct speech gains a quotation mark, a word, or all text up to the next part, or moves by a word."""
    for source in project:
        for evidence in source.evidence("testimonies"):
            if not evidence.direct:
                continue
            start, end = evidence.span
            before = [word.start - start for word in words_in(source.text, start - 40, start)][-1:]
            after = [word.end - end for word in words_in(source.text, end, end + 40)][:1]
            inner = words_in(source.text, start, end)
            moves = [(-1, 0), (0, 1), (-1, 1), *((by, 0) for by in before), *((0, by) for by in after)]
            if len(inner) > 1:
                moves += [(inner[1].start - start, by) for by in after] + [(by, inner[-2].end - end) for by in before]
            for move in moves:
                yield from evidence.moved(*move)
            following = source.document.at(evidence.cited.path)[evidence.i + 1 : evidence.i + 2]
            for span in following:
                yield evidence.replaced("joined with the next", evidence.part(Span(start, span.end)), of=2)


def quotation_split(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A part of direct speech is annotated as two parts."""
    for source in project:
        for evidence in source.evidence("testimonies"):
            words = words_in(source.text, *evidence.span)
            if evidence.direct and len(words) > 1:
                first, second = words[len(words) // 2 - 1 : len(words) // 2 + 1]
                halves = Span(evidence.span.start, first.end), Span(second.start, evidence.span.end)
                yield evidence.replaced("split", *map(evidence.part, halves))


def occurrence_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Repeated words of a source, testimony or figure have another `occurrence`, one that does not exist, or none."""
    for source in project:
        for evidence in source.evidence("sources", "testimonies", "figures"):
            starts = anchors.occurrences(evidence.words, source.text)
            others = [(n, start) for n, start in enumerate(starts, start=1) if start != evidence.span.start]
            for n, start in others:
                part = evidence.part(Span(start, start + len(evidence.words)))
                yield evidence.replaced(f"occurrence {n}", part)
            last = {**evidence.part(evidence.span), "occurrence": str(len(starts) + 1)}
            yield evidence.replaced(f"occurrence {len(starts) + 1}", last)
            if others:
                yield evidence.replaced("without an occurrence", {"text": evidence.words})


def parts_reordered(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Two adjacent parts of evidence are exchanged, or all parts are reversed."""
    for source in project:
        for evidence in source.evidence():
            parts, i = evidence.typed(), evidence.i
            if i + 1 < len(parts):
                yield evidence.replaced("exchanged with the next", parts[i + 1], parts[i], of=2)
            if i == 0 and len(parts) > 2:  # noqa: PLR2004  # two parts are exchanged above
                yield evidence.replaced("reversed", *reversed(parts), of=len(parts))


def part_duplicated(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A part of evidence is listed twice."""
    for source in project:
        for evidence in source.evidence():
            part = evidence.typed()[evidence.i]
            yield evidence.replaced("doubled", part, part)


def part_copied(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony also contains the first part of the next testimony."""
    for source in project:
        for (path, one), (_, two) in pairwise(source.records("testimonies")):
            parts = [*listed(one["evidence"]), listed(two["evidence"])[0]]
            yield source.changed(one["id"], "", (*path, "evidence"), parts)


def direct_part_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A part of direct speech is left out; if it is the only part, the testimony is left out."""
    for source in project:
        for evidence in source.evidence("testimonies"):
            if evidence.direct:
                name, path = evidence.cited.record_id, evidence.cited.path[:-1]
                alone = len(evidence.typed()) == 1
                yield without_record(source, path, name) if alone else evidence.replaced("left out")


def unbalanced_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """`unbalanced` of a part of a testimony names another quotation mark, is added, or is left out."""
    for source in project:
        for evidence in source.evidence("testimonies"):
            bare = {k: v for k, v in evidence.part(evidence.span).items() if k != "unbalanced"}
            for mark in ("opening", "closing", None):
                if mark != evidence.cited.parts[evidence.i].unbalanced:
                    yield evidence.replaced(f"{mark}", {**bare, **({"unbalanced": mark} if mark else {})})


# ---- numbers -----------------------------------------------------------------------------------------------

NUMBERS = ("value", "low", "high")
NUMBERS_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["exact", "about"], ("value",)),
    **dict.fromkeys(["nearly", "less_than", "up_to"], ("value", "high")),
    **dict.fromkeys(["more_than", "at_least"], ("value", "low")),
    "range": ("low", "high"),
    "vague": ("low",),
}
"""The numbers that each hedge requires by the codebook."""
OTHERS: dict[str, Callable[[float], float]] = {
    "1 more": lambda n: n + 1,
    "1 less": lambda n: max(0.0, n - 1),
    "ten times": lambda n: 10 * n,
    "half": lambda n: n / 2,
    "digits reversed": lambda n: float(f"{n:.0f}"[::-1]),
}


def figures(project: Sequence[SourceFile]) -> Iterator[tuple[SourceFile, Steps, dict[str, Any]]]:
    """Return each figure with its source and path."""
    return ((source, path, figure) for source in project for path, figure in source.records("figures"))


def written(number: float) -> str:
    """Return a number as an annotator would write it."""
    return f"{number:.12g}"


def value_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The numbers of a figure are raised or lowered by one, multiplied by ten, halved, or written in reverse."""
    for source, path, figure in figures(project):
        given = {key: float(figure[key]) for key in NUMBERS if key in figure}
        tried = [given]
        for change, other in OTHERS.items():
            numbers = {key: other(number) for key, number in given.items()}
            if numbers not in tried:
                tried.append(numbers)
                typed = {key: written(number) for key, number in numbers.items()}
                yield source.changed(figure["id"], change, path, {**figure, **typed})


def bound_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A number of a figure is changed, left out, or added against its hedge, or the bounds of a range are swapped."""
    for source, path, figure in figures(project):
        number = next(float(figure[key]) for key in NUMBERS if key in figure)
        for key in NUMBERS:
            for by in (-1, 0, 1):
                other = written(max(0.0, number + by))
                if figure.get(key) != other:
                    yield source.changed(figure["id"], f"{key} {by:+d}", (*path, key), other)
            if key in figure:
                yield source.changed(figure["id"], f"{key} left out", (*path, key), GONE)
        if figure["hedge"] == "range":
            swapped = {"low": figure["high"], "high": figure["low"]}
            yield source.changed(figure["id"], "bounds swapped", path, {**figure, **swapped})


def hedge_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure gets each hedge that its words rule out, with its own numbers and with those that the hedge requires."""
    for source, path, figure in figures(project):
        if "override" in figure:  # the annotator decides
            continue
        read = {hedge for said in quantities_of(source.document, path) for hedge in (said.hedge, said.other_hedge)}
        number = next(figure[key] for key in NUMBERS if key in figure)
        bare = {key: value for key, value in figure.items() if key not in NUMBERS}
        for hedge in sorted({*get_args(closed_vocabularies.Hedge)} - read):
            fitting = {**bare, **dict.fromkeys(NUMBERS_OF[hedge], number), "hedge": hedge}
            yield source.changed(figure["id"], hedge, (*path, "hedge"), hedge)
            yield source.changed(figure["id"], f"{hedge} with its numbers", path, fitting)


def unit_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure of a measure gets each of the other units; without a measure, the words may leave the unit open."""
    for source, path, figure in figures(project):
        if "measure" not in figure:
            continue
        for unit in sorted({*closed_vocabularies.MEANINGS["Unit"], *terms(project, "units")} - {figure["unit"]}):
            yield source.changed(figure["id"], unit, (*path, "unit"), unit)


def figures_exchanged(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Two adjacent figures exchange their evidence and nothing else."""
    for source in project:
        for (path, one), (other, two) in pairwise(source.records("figures")):
            content = put(source.content, (*path, "evidence"), two["evidence"])
            content = put(content, (*other, "evidence"), one["evidence"])
            yield Mutant(one["id"], "", source.file, content)


def testimony_of_a_figure_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure refers to the testimony before or after the right one, to none, or to one that does not contain it."""
    for source, path, figure in figures(project):
        names = [record["id"] for _, record in source.records("testimonies")]
        right = figure.get("testimony")
        near = names.index(right) if right else len(names) // 2
        for name in [n for n in dict.fromkeys((names[near - 1], names[(near + 1) % len(names)])) if n != right]:
            yield source.changed(figure["id"], name, (*path, "testimony"), name)
        if right:
            yield source.changed(figure["id"], "none", (*path, "testimony"), GONE)


def override_added(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure that agrees with its words gets an `override`."""
    for source, path, figure in figures(project):
        if "override" not in figure:
            yield source.changed(figure["id"], "", (*path, "override"), "As printed.")


def age_or_service_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An age or the years of service are changed, left out, or given under the other key."""
    for source in project:
        for path, mention in source.mentions():
            for key, other in (("age", "years_of_service"), ("years_of_service", "age")):
                if key not in mention:
                    continue
                for by in (-1, 1, 10):
                    yield source.changed(mention["id"], f"{key} {by:+d}", (*path, key), str(int(mention[key]) + by))
                yield source.changed(mention["id"], f"{key} left out", (*path, key), GONE)
                rest = {k: v for k, v in mention.items() if k not in (key, other)}
                exchanged = {b: mention[a] for a, b in ((key, other), (other, key)) if a in mention}
                yield source.changed(mention["id"], f"{key} as {other}", path, {**rest, **exchanged})


# ---- records, ids and references ---------------------------------------------------------------------------


def waiver_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A waiver is left out."""
    for source in project:
        for path, waiver in source.records("waivers"):
            yield without_record(source, path, waiver["id"])


def figure_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure is left out."""
    for source, path, figure in figures(project):
        yield without_record(source, path, figure["id"])


def ids(source: SourceFile) -> list[tuple[Steps, str]]:
    """Return each id that a file defines, with its path."""
    speakers = [
        ((*path, "use" if "use" in record else "id"), name_of(record)) for path, record in source.records(LISTS[0])
    ]
    mentions = [((*path, "id"), mention["id"]) for path, mention in source.mentions()]
    others = [((*path, "id"), record["id"]) for name in LISTS[1:] for path, record in source.records(name)]
    return [(("source", "id"), source.id), *speakers, *mentions, *others]


def id_duplicated(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A record gets the id of its neighbour, of a record of another kind, or of a record from another source."""
    for source, other in zip(project, [*project[1:], project[0]], strict=True):
        own, others = ids(source), ids(other)
        for i, (path, name) in enumerate(own):
            there = (own[i - 1], own[(i + len(own) // 2) % len(own)], others[i % len(others)])[i % 3][1]
            yield source.changed(name, ("neighbour", "other kind", "other source")[i % 3], path, there)


def record_duplicated(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A record is listed twice."""
    for source in project:
        for field in LISTS:
            yield from (source.added(field, record) for _, record in source.records(field))


def record_duplicated_under_another_id(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony, figure, relation, waiver or mention is listed twice, the second time with another id."""
    for source in project:
        for field in LISTS[1:]:
            for _, record in source.records(field):
                mutant = source.added(field, {**record, "id": f"{source.id}-{field[0]}999"})
                yield mutant._replace(record=record["id"])
        for path, mention in source.mentions():
            place = (*path[:-1], int(path[-1]) + 1)
            again = [*at(source.content, path[:-1]), {**mention, "id": f"{source.id}-m999"}]
            yield source.changed(mention["id"], "", place[:-1], again)


def malformed_id(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A numbered id has another source's prefix, no number or a leading zero, in all places where it is used."""
    for source, other in zip(project, [*project[1:], project[0]], strict=True):
        formed = [name for _, name in ids(source) if re.fullmatch(rf"{source.id}-(?:[mtfw]|speaker-)\d+", name)]
        for i, name in enumerate(formed):
            shapes = (
                f"{other.id}{name.removeprefix(source.id)}00",
                name.rstrip("0123456789") + "x",
                f"{name[:-1]}0{name[-1]}",
            )
            new = shapes[i % 3] if not re.search(r"\d\d$", name) else shapes[i % 2]
            content = json.loads(json.dumps(source.content).replace(f'"{name}"', f'"{new}"'))
            yield Mutant(name, ("other source", "no number", "zero")[shapes.index(new)], source.file, content)


SPEAKER_KEYS = (("testimonies", "speaker"), ("figures", "attributed_to"))


def speaker_of_another_source(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A record refers to a speaker from another source, who is a protected person in three of four cases."""
    for source in project:
        others = [other for other in project if other is not source]
        for field, key in SPEAKER_KEYS:
            for i, (path, record) in enumerate(source.records(field)):
                other = others[i % len(others)]
                names = other.hidden() if i % 4 else [speaker.id for _, speaker in other.document.speakers]
                if names:
                    yield source.changed(record["id"], f"{key} of {other.id}", (*path, key), names[i % len(names)])


def protected_speaker_reused(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A protected speaker or a group from another source is used, copied with its mentions, or named in a note."""
    for source in project:
        for other in project:
            hidden = [
                s for _, s in other.records("speakers") if s.get("kind") == "group" or s.get("id") in other.hidden()
            ]
            for i, speaker in enumerate(hidden if other is not source else ()):
                path, record = source.records("testimonies")[i % len(source.records("testimonies"))]
                yield source.added("speakers", {"use": speaker["id"]}, f"used in {source.id}")
                yield source.added("speakers", speaker, f"copied to {source.id}")
                note = (*path, "note")
                yield source.changed(record["id"], f"note names one of {other.id}", note, f"Compare {speaker['id']}.")


def record_of_another_source(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure or a waiver refers to a testimony from another source."""
    for source, other in zip(project, [*project[1:], project[0]], strict=True):
        names = [record["id"] for _, record in other.records("testimonies")]
        for field, key in (("figures", "testimony"), ("waivers", "repeats")):
            for i, (path, record) in enumerate(source.records(field)):
                if key == "testimony" or key in record:
                    yield source.changed(record["id"], key, (*path, key), names[i % len(names)])


FORBIDDEN = {
    "name": "A",
    "gender": "other",
    "age": "1",
    "years_of_service": "1",
    "rank": "A",
    "affiliation": "A",
    "note": "A",
}


def protected_attribute_added(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker who is not publicly named, or their first mention, has a key that could identify them."""
    for source in project:
        for path, speaker in source.records("speakers"):
            if speaker.get("id") in source.hidden():
                for key, value in FORBIDDEN.items():
                    yield source.changed(speaker["id"], key, (*path, key), value)
                    yield source.changed(speaker["id"], f"mention: {key}", (*path, "mentions", 0, key), value)


STRUCTURAL = (
    evidence_shifted,
    evidence_cut_inside_a_word,
    evidence_mistyped,
    white_space_included,
    quotation_cut,
    quotation_cut_in_other_evidence,
    quotation_extended,
    quotation_split,
    occurrence_changed,
    parts_reordered,
    part_duplicated,
    part_copied,
    direct_part_dropped,
    unbalanced_changed,
    value_changed,
    bound_changed,
    hedge_changed,
    unit_changed,
    figures_exchanged,
    testimony_of_a_figure_changed,
    override_added,
    age_or_service_changed,
    waiver_dropped,
    figure_dropped,
    id_duplicated,
    record_duplicated,
    record_duplicated_under_another_id,
    malformed_id,
    speaker_of_another_source,
    protected_speaker_reused,
    record_of_another_source,
    protected_attribute_added,
)
