"""Faults of meaning that a tired reader makes: who speaks, how, and about what. There is no minimum rate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any, get_args

from defectors_data.models import closed_vocabularies
from defectors_data.models.annotation import full_id
from mutants import GONE, Mutant, SourceFile, Steps, at, cuts, listed, name_of, put, terms, without_record


def speaker_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony gets the speaker of the testimony before or after it."""
    for source in project:
        for path, record, name in near_speakers(source):
            yield source.changed(record["id"], name, (*path, "speaker"), name)


def near_speakers(source: SourceFile) -> Iterator[tuple[Steps, dict[str, Any], str]]:
    """Yield each testimony with the other speakers of the testimonies before and after it."""
    said = source.records("testimonies")
    for i, (path, one) in enumerate(said):
        near = {other["speaker"]: None for _, other in (*said[max(0, i - 1) : i], *said[i + 1 : i + 2])}
        yield from ((path, one, name) for name in near if name != one["speaker"])


def speaker_and_antecedent_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The same, and the attribution names the last mention of that speaker as its antecedent."""
    for source in project:
        for path, record, name in near_speakers(source):
            mention = last_mention(source, path, name)
            if mention:
                content = put(source.content, (*path, "speaker"), name)
                typed = record["attribution"]
                given = typed if isinstance(typed, dict) and "words" in typed else {"words": typed}
                kept = {key: value for key, value in given.items() if key != "rival"}
                content = put(content, (*path, "attribution"), {**kept, "antecedent": mention})
                yield Mutant(record["id"], name, source.file, content)


def last_mention(source: SourceFile, path: Steps, name: str) -> str | None:
    """Return the id of the last mention of a speaker before the words of an attribution."""
    words = source.document.at((*path, "attribution", "words"))
    found = []
    for at_mention, mention in source.document.mentions:
        start = source.document.evidence_of(at_mention)[0].start
        speaker = full_id(name, source.id)
        if words and start < words[0].start and source.document.entry_of(at_mention).id == speaker:
            found.append((start, mention.id))
    return max(found)[1] if found else None


def speakers_exchanged(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Two speakers of a source exchange all their testimonies and figures."""
    for source in project:
        said = source.records("testimonies")
        names = dict.fromkeys(record["speaker"] for _, record in said)
        for one, other in combinations(names, 2):
            exchanged, content = {one: other, other: one}, source.content
            for key, records in (("speaker", said), ("attributed_to", source.records("figures"))):
                for path, record in records:
                    if record.get(key) in exchanged:
                        content = put(content, (*path, key), exchanged[record[key]])
            yield Mutant(one, other, source.file, content)


def outlet_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """`outlet` of a testimony is another outlet that the source cites, or is left out."""
    for source in project:
        cited = source.content["source"].get("cited_outlets", [])
        for path, record in source.records("testimonies"):
            if "outlet" in record:
                others = [outlet for outlet in cited if outlet != record["outlet"]]
                for value in [*others[:1], GONE]:
                    change = "left out" if value is GONE else str(value)
                    yield source.changed(record["id"], change, (*path, "outlet"), value)


def number_of_the_next_figure(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure gets the number and hedge of the next figure, whose words it does not quote."""
    keys = ("value", "low", "high", "hedge")
    for source in project:
        for (path, one), (_, two) in pairwise(source.records("figures")):
            if [one.get(key) for key in keys] != [two.get(key) for key in keys]:
                kept = {key: value for key, value in one.items() if key not in keys}
                numbers = {key: two[key] for key in keys if key in two}
                yield source.changed(one["id"], "", path, {**kept, **numbers})


def mode_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony gets each of the other modes."""
    return closed_value_changed(project, "testimonies", "mode", get_args(closed_vocabularies.Mode))


def closed_value_changed(
    project: Sequence[SourceFile], field: str, key: str, allowed: Sequence[str], *, first: int | None = None
) -> Iterator[Mutant]:
    """Yield each record with each of the other values of a key, or only with the `first` values after its own."""
    for source in project:
        for path, record in source.records(field):
            if key in record:
                i = allowed.index(record[key])
                for value in [*allowed[i + 1 :], *allowed[:i]][:first]:
                    yield source.changed(record["id"], f"{key}: {record[key]} → {value}", (*path, key), value)


def theme_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """One theme of a testimony is replaced by another or left out."""
    terms = sorted({term for source in project for _, t in source.records("testimonies") for term in t["themes"]})
    for source in project:
        for path, record in source.records("testimonies"):
            for i, term in enumerate(record["themes"]):
                other = next(t for t in terms[terms.index(term) :] + terms if t not in record["themes"])
                yield source.changed(record["id"], f"{term} → {other}", (*path, "themes", i), other)
                if len(record["themes"]) > 1:
                    yield source.changed(record["id"], f"{term} left out", (*path, "themes", i), GONE)


def reported_clause_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An indirect or narrated part loses a word, half of its words, all but one, or whole clauses at one end."""
    for source in project:
        for evidence in source.evidence("testimonies"):
            if not evidence.direct:
                for start, end in cuts(source.text, evidence.span):
                    yield from evidence.moved(start, end)


def reported_testimony_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An indirect or narrated testimony is left out."""
    for source in project:
        for path, record in source.records("testimonies"):
            if record["mode"] != "direct":
                yield without_record(source, path, record["id"])


def part_moved(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The first part of a testimony is moved to the testimony before it."""
    for source in project:
        for (path, one), (other, two) in pairwise(source.records("testimonies")):
            parts = listed(two["evidence"])
            content = put(source.content, (*path, "evidence"), [*listed(one["evidence"]), parts[0]])
            if len(parts) > 1:
                yield Mutant(two["id"], "", source.file, put(content, (*other, "evidence"), parts[1:]))
            else:
                less = without_record(SourceFile(content, source.document), other, two["id"])
                yield less


def attributed_to_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """`attributed_to` of a figure names the next speaker of the file, or is left out."""
    key = "attributed_to"
    for source in project:
        names = [name_of(record) for _, record in source.records("speakers")]
        for path, record in source.records("figures"):
            if key in record:
                other = names[(names.index(record[key]) + 1) % len(names)]
                yield source.changed(record["id"], "the next speaker", (*path, key), other)
                yield source.changed(record["id"], "left out", (*path, key), GONE)


def figure_waived(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure is replaced by a waiver with the reason `not_a_quantity`."""
    for source in project:
        for path, figure in source.records("figures"):
            waiver = {"id": f"{source.id}-w999", "evidence": figure["evidence"], "reason": "not_a_quantity"}
            yield replaced_by_waiver(source, path, figure["id"], waiver)


def quotation_waived(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A direct testimony is replaced by a waiver with the reason `scare_quote`."""
    for source in project:
        for path, testimony in source.records("testimonies"):
            if testimony["mode"] == "direct":
                waiver = {"id": f"{source.id}-w999", "evidence": testimony["evidence"], "reason": "scare_quote"}
                yield replaced_by_waiver(source, path, testimony["id"], waiver)


def replaced_by_waiver(source: SourceFile, path: Steps, name: str, waiver: dict[str, Any]) -> Mutant:
    """Return the mutant with a waiver in place of a record, and without references to the record."""
    mutant = without_record(source, path, name)
    content = {**mutant.content, "waivers": [*mutant.content.get("waivers", []), waiver]}
    return mutant._replace(content=content)


def measure_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure gets the measure of the next figure that has one."""
    for source in project:
        measured = [(path, figure) for path, figure in source.records("figures") if "measure" in figure]
        for (path, one), (_, two) in pairwise(measured):
            if one["measure"] != two["measure"]:
                yield source.changed(one["id"], two["measure"], (*path, "measure"), two["measure"])


def mention_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A mention is left out."""
    for source in project:
        for path, mention in source.mentions():
            yield source.changed(mention["id"], "", path, GONE)


def role_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker gets each of the next three roles of the vocabulary."""
    return closed_value_changed(project, "speakers", "role", terms(project, "roles"), first=3)


def reason_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A waiver gets each of the other reasons."""
    return closed_value_changed(project, "waivers", "reason", get_args(closed_vocabularies.WaiverReason))


def date_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """`as_of` of a figure or the publication date of a source is a year, a month or a day later."""
    for source in project:
        dated: list[tuple[str, Steps]] = [
            (f["id"], (*path, "as_of")) for path, f in source.records("figures") if "as_of" in f
        ]
        dated += [(source.id, ("source", "published", "value"))] if "published" in source.content["source"] else []
        for name, path in dated:
            typed = at(source.content, path)
            for hit in re.finditer(r"\d+", typed):
                later = typed[: hit.start()] + f"{int(hit[0]) + 1:0{len(hit[0])}d}" + typed[hit.end() :]
                yield source.changed(name, f"{path[-1]}, number at {hit.start()}", path, later)


SEMANTIC = (
    speaker_changed,
    speaker_and_antecedent_changed,
    speakers_exchanged,
    outlet_changed,
    number_of_the_next_figure,
    mode_changed,
    theme_changed,
    reported_clause_cut,
    reported_testimony_dropped,
    part_moved,
    attributed_to_changed,
    figure_waived,
    quotation_waived,
    measure_changed,
    mention_dropped,
    role_changed,
    reason_changed,
    date_changed,
)
