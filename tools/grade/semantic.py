"""Damage that only a reader can judge in full: who speaks, how, and about what. There is no minimum kill rate.

The second paragraph of an operator's docstring says why its mutants can survive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, get_args

from defectors_data.evidence import anchoring
from defectors_data.models import closed_vocabularies
from defectors_data.text.offsets import Span
from mutants import (
    GONE,
    LISTS,
    Mutant,
    SourceFile,
    Steps,
    at,
    cuts,
    listed,
    name_of,
    put,
    terms,
    without_record,
    words_in,
)


def speaker_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony gets the speaker of the testimony before or after it.

    Only a reader can decide to whom a pronoun or a quotation without attribution belongs.
    """
    for source in project:
        said = source.records("testimonies")
        for i, (path, one) in enumerate(said):
            near = {other["speaker"]: None for _, other in (*said[max(0, i - 1) : i], *said[i + 1 : i + 2])}
            for name in near:
                if name != one["speaker"]:
                    yield source.changed(one["id"], "", (*path, "speaker"), name)


def speakers_exchanged(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Two adjacent testimonies exchange their speakers.

    Only a reader can decide whose words they are; both speakers keep a testimony, so no other rule applies.
    """
    for source in project:
        for (path, one), (other, two) in pairwise(source.records("testimonies")):
            if one["speaker"] != two["speaker"]:
                content = put(source.content, (*path, "speaker"), two["speaker"])
                yield Mutant(one["id"], "", source.file, put(content, (*other, "speaker"), one["speaker"]))


def mode_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony gets each of the other modes.

    Whether a verb reports speech depends on its meaning in the sentence.
    """
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
    """One theme of a testimony is replaced by another or left out.

    What words are about is a reader's judgement.
    """
    terms = sorted({term for source in project for _, t in source.records("testimonies") for term in t["themes"]})
    for source in project:
        for path, record in source.records("testimonies"):
            for i, term in enumerate(record["themes"]):
                other = next(t for t in terms[terms.index(term) :] + terms if t not in record["themes"])
                yield source.changed(record["id"], f"{term} → {other}", (*path, "themes", i), other)
                if len(record["themes"]) > 1:
                    yield source.changed(record["id"], f"{term} left out", (*path, "themes", i), GONE)


def reported_clause_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An indirect or narrated part loses a word, half of its words, all but one, or whole clauses at one end.

    No quotation mark shows where indirect speech or narration begins and ends.
    """
    for source in project:
        for evidence in source.evidence("testimonies"):
            if not evidence.direct:
                for start, end in cuts(source.text, evidence.span):
                    yield from evidence.moved(start, end)


def reported_clause_extended(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An indirect or narrated part gains the next word, or becomes its whole paragraph.

    No quotation mark shows where such a part ends; only a number or testimony next to the part can reveal it.
    """
    for source in project:
        for evidence in source.evidence("testimonies"):
            if not evidence.direct:
                start, end = evidence.span
                for word in words_in(source.text, end, end + 60)[:1]:
                    yield from evidence.moved(end=word.end - end)
                last = source.text.find("\n", end)
                yield from evidence.moved(source.text.rfind("\n", 0, start) + 1 - start, max(0, last - end))


def reported_part_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A part of an indirect or narrated testimony is left out.

    No quotation mark shows such a part; a verb without a testimony is advice in `todo --all`, not a finding.
    """
    for source in project:
        for evidence in source.evidence("testimonies"):
            if not evidence.direct and len(evidence.typed()) > 1:
                yield evidence.replaced("left out")


def reported_testimony_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An indirect or narrated testimony is left out.

    No quotation mark shows such a testimony; only a number in it or a speaker without a testimony can reveal the loss.
    """
    for source in project:
        for path, record in source.records("testimonies"):
            if record["mode"] != "direct":
                yield without_record(source, path, record["id"])


def testimony_split(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony of several parts becomes two testimonies.

    The codebook has a rule on where one act of speech ends, but no check covers it yet.
    """
    for source in project:
        for path, record in source.records("testimonies"):
            parts = listed(record["evidence"])
            if len(parts) > 1:
                less = put(source.content, (*path, "evidence"), parts[:1])
                more = {**record, "id": f"{source.id}-t999", "evidence": parts[1:]}
                content = put(less, ("testimonies", len(less["testimonies"])), more)
                yield Mutant(record["id"], "", source.file, content)


def part_moved(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The first part of a testimony is moved to the testimony before it.

    Both are in one paragraph, and both or neither have quotation marks; only a reader can decide whose words they are.
    """
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
    """`attributed_to` of a figure names the next speaker of the file, or is left out.

    Only a reader can decide whether the writer or a speaker states a number.
    """
    key = "attributed_to"
    for source in project:
        names = [name_of(record) for _, record in source.records("speakers")]
        for path, record in source.records("figures"):
            if key in record:
                other = names[(names.index(record[key]) + 1) % len(names)]
                yield source.changed(record["id"], "the next speaker", (*path, key), other)
                yield source.changed(record["id"], "left out", (*path, key), GONE)


def figure_waived(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure is replaced by a waiver with the reason `not_a_quantity`.

    Only a reader can decide whether a number counts anything.
    """
    for source in project:
        for path, figure in source.records("figures"):
            waiver = {"id": f"{source.id}-w999", "evidence": figure["evidence"], "reason": "not_a_quantity"}
            yield replaced_by_waiver(source, path, figure["id"], waiver)


def quotation_waived(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A direct testimony is replaced by a waiver with the reason `scare_quote`.

    Only a reader can decide whether quoted words are a speaker's.
    """
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


def relation_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A relation names another figure of its source in each of its places, or is left out.

    Vague and open-ended numbers satisfy many relations.
    """
    for source in project:
        names = [figure["id"] for _, figure in source.records("figures")]
        for path, relation in source.records("relations"):
            places = [(*path, "result"), *((*path, "operands", i) for i in range(len(relation["operands"])))]
            for place in places:
                for name in names:
                    if name != at(source.content, place):
                        yield source.changed(relation["id"], f"{place[2]} {name}", place, name)
            yield source.changed(relation["id"], "left out", path, GONE)


def measure_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A figure gets the measure of the next figure.

    A measure can be worded in many ways; only its unit reveals a wrong one.
    """
    for source in project:
        for (path, one), (_, two) in pairwise(source.records("figures")):
            if one["measure"] != two["measure"]:
                yield source.changed(one["id"], two["measure"], (*path, "measure"), two["measure"])


def figure_words_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The evidence of a figure loses a word at one end.

    Only a reader can decide which words say what is counted.
    """
    return end_word_cut(project, "figures")


def mention_words_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The evidence of a mention or of an attribute loses a word at one end.

    Only a reader can decide where an introduction begins and ends; the name, rank and age in it are checked.
    """
    return end_word_cut(project, "mentions")


def waiver_words_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The evidence of a waiver loses a word at one end.

    The quotations and numbers in a waiver are checked; the words around them are not.
    """
    return end_word_cut(project, "waivers")


def source_words_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The title, subtitle, dateline, boilerplate or evidence for a fact about a source loses a word at one end.

    The end of a line is checked; the end of boilerplate is not.
    """
    return end_word_cut(project, "sources")


def end_word_cut(project: Sequence[SourceFile], table: str) -> Iterator[Mutant]:
    """Yield each part of evidence in a table without its first word and without its last word."""
    for source in project:
        for evidence in source.evidence(table):
            words = words_in(source.text, *evidence.span)
            if len(words) > 1:
                yield from evidence.moved(start=words[1].start - evidence.span.start)
                yield from evidence.moved(end=words[-2].end - evidence.span.end)


def another_occurrence(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Repeated words of a mention or of an attribute get each of their other occurrences.

    Equal words introduce a speaker, or show an attribute, equally well.
    """
    for source in project:
        for evidence in source.evidence("mentions"):
            for n, start in enumerate(anchoring.occurrences(evidence.words, source.text), start=1):
                if start != evidence.span.start:
                    yield evidence.replaced(f"occurrence {n}", evidence.part(Span(start, start + len(evidence.words))))


def mention_dropped(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A mention is left out.

    A speaker whose name and numbers are in another mention has all that the rules require.
    """
    for source in project:
        for path, mention in source.mentions():
            yield source.changed(mention["id"], "", path, GONE)


def mentions_exchanged(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """Two adjacent speakers exchange their mentions.

    Only a reader can decide who is introduced by words without a name.
    """
    for source in project:
        for (path, one), (other, two) in pairwise(source.records("speakers")):
            content = put(source.content, (*path, "mentions"), two["mentions"])
            yield Mutant(name_of(one), "", source.file, put(content, (*other, "mentions"), one["mentions"]))


def role_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker gets each of the next three roles of the vocabulary.

    Only a reader can decide on a role, often from the whole article.
    """
    return closed_value_changed(project, "speakers", "role", terms(project, "roles"), first=3)


def anonymity_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker gets each of the other values of `anonymity`.

    Only a reader can decide whether a name is complete, and whether a missing name was withheld.
    """
    return closed_value_changed(project, "speakers", "anonymity", get_args(closed_vocabularies.Anonymity))


def rank_class_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker gets each of the other rank classes.

    No table of ranks defines the classes.
    """
    return closed_value_changed(project, "speakers", "rank_class", terms(project, "rank_classes"))


def branch_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker gets each of the other branches.

    No table of words defines the branches.
    """
    return closed_value_changed(project, "speakers", "branch", terms(project, "branches"))


def gender_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A speaker gets each of the other genders.

    The rule knows some pronouns and nouns; other evidence of a gender is a reader's judgement.
    """
    return closed_value_changed(project, "speakers", "gender", get_args(closed_vocabularies.Gender))


def request_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """The reason for which a name is withheld is replaced by each of the other reasons.

    A rule checks that words attest the reason; which reason they give is a reader's judgement.
    """
    return closed_value_changed(project, "speakers", "request", get_args(closed_vocabularies.Request))


def printed_name_cut(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A name, rank or affiliation loses its first or its last word.

    The remaining words are also in the article.
    """
    for source in project:
        records = [(path, "name", record) for path, record in source.records("speakers")]
        records += [(path, key, mention) for path, mention in source.mentions() for key in ("rank", "affiliation")]
        for path, key, record in records:
            words = str(record.get(key, "")).split(" ")
            for change, rest in (("first", words[1:]), ("last", words[:-1])):
                if rest:
                    yield source.changed(name_of(record), f"{key}: {change} word", (*path, key), " ".join(rest))


def reason_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A waiver gets each of the other reasons.

    A reason must fit what was detected, such as a date; which of the fitting reasons applies is a reader's judgement.
    """
    return closed_value_changed(project, "waivers", "reason", get_args(closed_vocabularies.WaiverReason))


def repeated_record_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """`repeats` of a waiver names the testimony before or after the right one, a figure, or the source.

    Another record can begin with the same words or contain the same number.
    """
    for source in project:
        names = [record["id"] for _, record in source.records("testimonies")]
        numbers = [record["id"] for _, record in source.records("figures")]
        for path, waiver in source.records("waivers"):
            if waiver.get("repeats") in names:
                i = names.index(waiver["repeats"])
                for name in (*names[max(0, i - 1) : i], *names[i + 1 : i + 2], *numbers[:1], source.id):
                    yield source.changed(waiver["id"], f"repeats {name}", (*path, "repeats"), name)


def date_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """`as_of` of a figure or the publication date of a source is a year, a month or a day later.

    A date may be far from the number, incomplete, or inferred.
    """
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


def outlet_changed(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """A testimony gets each of the other outlets that its source cites.

    That the source cites the outlet is checked; for which words it does so is a reader's judgement.
    """
    for source in project:
        cited = source.content["source"].get("cited_outlets", [])
        for path, record in source.records("testimonies"):
            for outlet in [name for name in cited if "outlet" in record and name != record["outlet"]]:
                yield source.changed(record["id"], f"outlet {cited.index(outlet) + 1}", (*path, "outlet"), outlet)


OPTIONAL = (
    "note",
    "place",
    "population",
    "as_of",
    "outlet",
    "branch",
    "rank_class",
    "gender",
    "request",
    "every_occurrence",
)
OPTIONAL_ON_MENTIONS = ("rank", "affiliation", "attested_by")


def optional_key_left_out(project: Sequence[SourceFile]) -> Iterator[Mutant]:
    """An optional key of a record is left out.

    A record without the key states less, but nothing false.
    """
    for source in project:
        for field in LISTS:
            for path, record in source.records(field):
                for key in [key for key in OPTIONAL if key in record]:
                    yield source.changed(name_of(record), key, (*path, key), GONE)
        for path, mention in source.mentions():
            for key in [key for key in OPTIONAL_ON_MENTIONS if key in mention]:
                yield source.changed(mention["id"], key, (*path, key), GONE)


SEMANTIC = (
    speaker_changed,
    speakers_exchanged,
    mode_changed,
    theme_changed,
    reported_clause_cut,
    reported_clause_extended,
    reported_part_dropped,
    reported_testimony_dropped,
    testimony_split,
    part_moved,
    attributed_to_changed,
    figure_waived,
    quotation_waived,
    relation_changed,
    measure_changed,
    figure_words_cut,
    mention_words_cut,
    waiver_words_cut,
    source_words_cut,
    another_occurrence,
    mention_dropped,
    mentions_exchanged,
    role_changed,
    anonymity_changed,
    rank_class_changed,
    branch_changed,
    gender_changed,
    request_changed,
    printed_name_cut,
    reason_changed,
    repeated_record_changed,
    date_changed,
    outlet_changed,
    optional_key_left_out,
)
