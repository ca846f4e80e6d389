"""The forms for new records with what they propose, and the YAML of forms that are filled in.

The form of an existing record gives the keys that it changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from defectors_data.annotators.introductions import introduction, name_beside, names
from defectors_data.annotators.outlets import outlet_addressed
from defectors_data.annotators.proposals.attributions import (
    PARTS_TYPED,
    attributed_words,
    attribution,
    attribution_parts,
    introducing_words,
)
from defectors_data.annotators.proposals.counted_numbers import repeats_number, with_counted
from defectors_data.annotators.proposals.figures import proposed_figure
from defectors_data.annotators.proposals.mentions import (
    anonymity_of,
    likely_role,
    proposed_mention,
    pseudonym_possible,
)
from defectors_data.annotators.proposals.named_speakers import named_places, speaker_within
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.annotators.proposals.statements import groups, possible_statements
from defectors_data.annotators.proposals.testimonies import (
    around_fragment,
    narrated_in,
    proposed_testimony,
    said_in,
)
from defectors_data.annotators.proposals.waivers import proposed_waiver
from defectors_data.annotators.record_ids import UnusedIds, id_of_name
from defectors_data.annotators.record_yaml import entry_yaml, lines_of
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.forms.mention_words import with_attributes
from defectors_data.annotators.workbench.record_fields import (
    MENTIONS,
    MODELS,
    SPEAKERS,
    FieldType,
    RecordField,
    RequestError,
    Value,
    Values,
    current_values,
    fields_of,
    filled,
    in_yaml_of,
    items_in,
    terms_of,
)
from defectors_data.annotators.workbench.shown_records import NEW_SPEAKER, WRITER, speaker_labels
from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import VOCABULARY_LISTS
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.edits import evidence_yaml
from defectors_data.evidence.anchors import chosen_in_yaml, contains_words, whole_occurrences
from defectors_data.evidence.annotated_document import NEXT_TO_EVIDENCE, Document
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models import annotation
from defectors_data.models.annotation import Speaker, speaker_model
from defectors_data.models.closed_vocabularies import JOIN
from defectors_data.models.fields import Record
from defectors_data.rules.speakers import genders_in
from defectors_data.text.english import is_plural
from defectors_data.text.english.sentences import without_titles
from defectors_data.text.offsets import (
    Span,
    any_overlap,
    extent,
    is_inside,
    overlaps,
    paragraphs_around,
    sentences_around,
)
from defectors_data.text.similar_words import has_surname


class Addition(NamedTuple):
    """An item as YAML, without its dash, and the path of the list to which it is added."""

    path: Path
    item: str


def misprint(document: Document, spans: Sequence[Span], values: Values) -> list[Addition]:
    """Return the erratum for a figure whose number is a misprint; empty if it is none."""
    given = values.get("misprint")
    if not isinstance(given, Mapping) or not given.get("wrong"):
        return []
    name = UnusedIds.of(document).next("e")
    stated = {**given, "status": "noted"}
    return [Addition(("errata",), _record(document, spans, annotation.Erratum, name, stated))]


_OF_WRITER: Mapping[str, Value] = {"mode": "narrated", "attribution": {"none": WRITER}}


def with_writer(
    document: Document, values: Values, before: str = ""
) -> tuple[Values, list[Addition]]:
    """Return the values of a testimony or figure with the id of a new writer, and the entry; of a
    testimony whose speaker was another one `before`, also what makes it the writer's.
    """
    known = [entry.id for _, entry in document.speakers if entry.kind == WRITER]
    if values.get("speaker") in known and values.get("speaker") != before:
        return {**values, **_OF_WRITER}, []
    keys = [key for key in ("speaker", "attributed_to") if values.get(key) == WRITER]
    if not keys:
        return values, []
    name = UnusedIds.of(document).next("speaker-")
    roles = [role.term for role in document.context.vocabulary.content.roles]
    # The role is a guess; the card of the writer shows it.
    role = "other" if "other" in roles else next(iter(roles), "other")
    stated = {"id": name, "kind": WRITER, "role": scalar(role)}
    stated["inferred"] = "{role: writes_the_text}"
    filled = {**values, **dict.fromkeys(keys, name)}
    if "speaker" in keys:
        filled |= _OF_WRITER
    return filled, [Addition(("speakers",), lines_of(stated))]


def with_new_speaker(
    document: Document, spans: Sequence[Span], values: Values, path: Path | None = None
) -> tuple[Values, list[Addition]]:
    """Return the values of a testimony, new or at a path, with the id of the speaker whom the words
    of its attribution introduce, if this one was chosen; and the entry of that speaker, a draft, as
    its role is a guess.

    Raises:
        RequestError: the words introduce nobody, or are a mention already.
    """
    if values.get("speaker") != NEW_SPEAKER:
        return values, []
    given = values.get("attribution")
    said = given if isinstance(given, Mapping) else {}
    search = WordSearch(document, spans, path)
    places = search.places(str(said.get("words", "")), ("attribution", "words"))
    words = introducing_words(document, spans[0], places)
    if words is None:
        raise RequestError(_INTRODUCE_NOBODY)
    connections.check_unmentioned(document, words)
    proposed = proposed_mention(document, _with_full_name(document, words))
    if connections.is_without_name(proposed.values):
        printed = document.text[slice(*words)]
        raise RequestError(f"“{printed}” gives no name: select these words, press m, and enter it.")
    entry = _mention_added(document, proposed, {**proposed.values, "speaker": "", "draft": "true"})
    name = entry.item.partition("\n")[0].removeprefix("id: ")
    if perhaps := name_beside(document.text, [words, extent(places)]):
        unnamed = "\nanonymity: unnamed\n"
        guess = f"{unnamed.rstrip()}  # a guess: {perhaps} may be the name\n"
        entry = entry._replace(item=entry.item.replace(unnamed, guess))
    led = {**said, "antecedent": "", "rival": ""}
    return {**values, "speaker": name, "attribution": led}, [entry]


def _with_full_name(document: Document, words: Span) -> Span:
    """Return the first introduction with the only full name of which some words are the surname: "the
    miller Ada Orr" for "Orr"; other words as they are.
    """
    surname, text = document.text[slice(*without_titles(document.text, words))], document.text
    printed = {text[slice(*each)]: each for each in reversed(names(text))}
    full = [name for name in printed if has_surname(name, surname) and name != surname]
    return introduction(text, printed[full[0]]).span if len(full) == 1 else words


_INTRODUCE_NOBODY = (
    "The words of the attribution introduce no speaker: select those that do, then press m."
)


# ---- words of the article ------------------------------------------------------------------------


_BETWEEN_PARTS = (re.compile(r"\[?(?:…|\.{2,})\]?"), re.compile("[,;|+/]"))
"""What can be between parts of words: the second, if there is nothing of the first."""


class WordSearch:
    """A search for words of a form in the article, next to the evidence of the record."""

    def __init__(self, document: Document, spans: Sequence[Span], path: Path | None = None) -> None:
        """Set the spans of the record's evidence, and the path of an existing record."""
        self.document, self.spans = document, spans
        # Words that are typed as they were, or were proposed, are at the places that were read.
        self.kept: dict[Path, tuple[str, tuple[Span, ...]]] = {}
        if spans and not path:
            proposed = attribution_parts(document, spans[0])
            typed = attribution(document, spans[0])
            self.kept["attribution", "words"] = typed, proposed
        for cited in document.cited:
            if path and cited.path[: len(path)] == path and (found := document.at(cited.path)):
                typed = JOIN.join(part.text for part in cited.parts)
                self.kept[cited.path[len(path) :]] = typed, found

    def in_yaml(self, words: str, path: Path) -> str:
        """Return the words at a path of the record as YAML."""
        places = self.places(words, path)
        if path[0] not in NEXT_TO_EVIDENCE or not self.spans:
            return evidence_yaml.evidence(self.document, places)
        return evidence_yaml.next_to(self.document, places, self.spans)

    def places(self, words: str, path: Path) -> Sequence[Span]:
        """Return the places of the words at a path of the record."""
        typed, spans = self.kept.get(path, ("", ()))
        return spans if typed == words else self._found(words)

    def _found(self, words: str) -> list[Span]:
        """Return the places of some words that are nearest to the evidence: of all of them, or else
        of their parts.

        Raises:
            RequestError: the article does not contain a part.
        """
        if whole := self._nearest(words):
            return [whole]
        marks = [pattern for pattern in _BETWEEN_PARTS if pattern.search(words)]
        split = marks[0].split(words) if marks else [words]
        parts = [part.strip() for part in split if part.strip()]
        if not parts:
            return []
        for number, part in enumerate(parts, start=1):
            if not self._nearest(part):
                which, hint = "", f" Write “{PARTS_TYPED}” between words that are apart."
                if len(parts) > 1:
                    which, hint = f" of part {number}", ""
                problem = f"The article does not contain the words{which} “{part}”.{hint}"
                raise RequestError(problem)
        in_order = [self._from(first, parts[1:]) for first in self._occurrences(parts[0])]
        complete = [spans for spans in in_order if len(spans) == len(parts)]
        if complete:
            nearest = min(complete, key=lambda spans: sum(map(self._distance, spans)))
            return self._joined(nearest)
        return [span for part in parts if (span := self._nearest(part))]

    def _joined(self, parts: Sequence[Span]) -> list[Span]:
        """Return parts in order, of which those that only a comma separates are one: a part ends where
        words are left out.
        """
        found = [parts[0]]
        for part in parts[1:]:
            if self.document.text[found[-1].end : part.start].strip() == ",":
                found[-1] = Span(found[-1].start, part.end)
            else:
                found.append(part)
        return found

    def _from(self, first: Span, parts: Sequence[str]) -> list[Span]:
        """Return the place of a first part, and those of the others after it, as far as there are
        any.
        """
        found = [first]
        for part in parts:
            if not (span := self._nearest(part, found[-1].end)):
                break
            found.append(span)
        return found

    def _occurrences(self, words: str) -> list[Span]:
        if not words:
            return []
        return whole_occurrences(words, self.document.text)

    def _nearest(self, words: str, after: int = 0) -> Span | None:
        """Return the place of some words after an offset that is nearest to the evidence; None if
        there is none.
        """
        later = [span for span in self._occurrences(words) if span.start >= after]
        return min(later, key=self._distance, default=None)

    def _distance(self, span: Span) -> int:
        if not self.spans:
            return span.start
        first, last = self.spans[0].start, self.spans[-1].end
        return max(first - span.end, span.start - last, 0)


def _attributing(document: Document, spans: Sequence[Span], said: Values) -> Sequence[Span]:
    """Return the places of the words of an attribution in the form of a new testimony; empty if it
    has none.
    """
    words = str(said.get("words", ""))
    return WordSearch(document, spans).places(words, ("attribution", "words"))


# ---- new records ---------------------------------------------------------------------------------


class NewForm(NamedTuple):
    """The form for a new record: functions that propose it and convert it to YAML."""

    table: str
    propose: Callable[[Document, Span], Proposal]
    add: Callable[[Document, Proposal, Values], Addition]


def tree_of(proposal: Proposal) -> dict[str, Value]:
    """Return the values of a proposal in the form of the fields."""
    found: dict[str, Value] = dict(proposal.values)
    said = {"words": found.pop("attribution", "")}
    said |= {key: found.pop(key, "") for key in ("antecedent", "continues")}
    if any(said.values()):
        found["attribution"] = said
    return found


def filled_in(kind: str, document: Document, spans: tuple[Span, ...], values: Values) -> Addition:
    """Return the record of a filled-in form."""
    form = FORMS[kind]
    return form.add(document, Proposal(form.table, spans, {}), values)


def _testimony(document: Document, span: Span) -> Proposal:
    """Return the testimony for selected words, with the antecedent that its attribution needs."""
    proposed = _statement(document, span)
    values = proposed.values
    said = {"words": values["attribution"]}
    words = _attributing(document, proposed.spans, said)
    led = connections.led(document, words, said, values["speaker"]).get("antecedent", "")
    outlet = _outlet(document, proposed.spans[0])
    return proposed._replace(values={**values, "antecedent": str(led), "outlet": outlet})


def _outlet(document: Document, said: Span) -> str:
    """Return the cited outlet to which words were said, as their sentence shows it; "" if none."""
    attributed = attributed_words(document)
    found = attributed.attribution_of(said)
    outlet = ""
    if found:
        outlet = outlet_addressed(document.text, found, attributed.found)
    return outlet if outlet in document.source.cited_outlets else ""


def _statement(document: Document, span: Span) -> Proposal:
    """Return the testimony for selected words, for all parts of a quotation that they are, and at a
    single word, for the quotation, the possible statement or else the sentence around it.
    """
    spans = [span]
    if " " not in document.text[slice(*span)]:
        around = [each.span for each in quotations_of(document)]
        around += possible_statements(document)
        around.append(sentences_around(document.text, span))
        spans = [each for each in around if is_inside(span, [each])][:1]
    for group in groups(document):
        parts = [each.span for each in group]
        if spans[0] in parts:
            spans = parts
    whole = [*(each.span for each in quotations_of(document)), *possible_statements(document)]
    if len(spans) == 1 and spans[0] in whole:
        spans = [around_fragment(document, spans[0])]
    proposed = proposed_testimony(document, spans)
    for path, each in document.testimonies:
        known = document.at((*path, "attribution", "words"))
        if any_overlap(proposed.attribution, known):
            # The same words mean the same speaker, who may be open.
            speaker = ""
            if each.speaker in document.speakers_by_id:
                speaker = each.speaker
            proposed = proposed._replace(values={**proposed.values, "speaker": speaker})
    if len(spans) == 1 and (own := said_in(document, spans[0])):
        return proposed._replace(values={**proposed.values, **_with_new(own)})
    found = attributed_words(document).attribution_of(spans[0])
    own_words = [found.source.span, found.cue] if found and found.source else []
    is_outside = not any_overlap(own_words, spans)
    if proposed.values["mode"] != "direct" and is_outside:
        speaker, words = speaker_within(document, spans[0])
        if speaker:
            inside = {"speaker": speaker, "attribution": words}
            proposed = proposed._replace(values={**proposed.values, **inside})
    if not found and proposed.values["mode"] == "direct":
        # A quotation that is attributed to nobody can be that of anyone.
        return proposed._replace(values={**proposed.values, "speaker": ""})
    if proposed.values["attribution"] and not proposed.values["speaker"]:
        is_new = connections.new_speaker(document, spans)
        speaker = NEW_SPEAKER if is_new else ""
        return proposed._replace(values={**proposed.values, "speaker": speaker})
    if proposed.values["attribution"] or proposed.values["mode"] == "direct":
        return proposed
    # "He lost an oar" and "the council met" may be narrated, "lamps were dear" can be reported.
    words = " ".join(document.words_at(spans))
    is_between = _PERSON.search(words) is not None or not _REPORTED.search(words)
    speaker = connections.speaker_around(document, spans[0], is_between=is_between)
    if continued := connections.continued_by(document, spans, speaker):
        # Free indirect speech.
        said = {"speaker": speaker, "mode": "indirect", "continues": continued}
        return proposed._replace(values={**proposed.values, **said})
    speaker, named = _mention_in(document, spans, proposed.values["speaker"])
    if named:
        # Nobody says it: the writer narrates about the person whom the words mention.
        narrated = {"speaker": speaker, "mode": "narrated", "attribution": named}
        return proposed._replace(values={**proposed.values, **narrated})
    if shown := narrated_in(document, spans[0]):
        return proposed._replace(values={**proposed.values, **_with_new(shown)})
    speaker = _unnamed_speaker(document, spans, proposed)
    return proposed._replace(values={**proposed.values, "speaker": speaker})


def _with_new(shown: Mapping[str, str]) -> dict[str, str]:
    """Return what words show of a testimony, with a new speaker if they mean no known one."""
    return {**shown, "speaker": shown["speaker"] or NEW_SPEAKER}


_PERSON = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|him|her|them|I|[Ww]e|us|me)\b|^(?:His|Her|Their|My|Our)\b"
)
_REPORTED = re.compile(r"\b(?:can|could|had|may|might|should|was|were|will|would)\b")
"""Verbs of free indirect speech."""
_PERHAPS_PERSON = re.compile(r"\b(?:his|their|my|our)\b|\s[A-Z]")
"""A possessive, or a name after the first word."""


def _unnamed_speaker(document: Document, spans: Sequence[Span], proposed: Proposal) -> str:
    """Return the speaker of words that are attributed to nobody: the nearest one if the words name a
    speaker or have a pronoun, the writer if they mean no person, and else "".
    """
    words = " ".join(document.words_at(spans))
    is_named = any(is_inside(where, spans) for where, _ in named_places(document))
    if is_named or _PERSON.search(words):
        return proposed.values["speaker"]
    if proposed.values["mode"] != "narrated" or _PERHAPS_PERSON.search(words):
        return ""
    known = [entry.id for _, entry in document.speakers if entry.kind == WRITER]
    return next(iter(known), WRITER)


def _mention_in(document: Document, spans: Sequence[Span], speaker: str) -> tuple[str, str]:
    """Return whom some words begin with a mention of, or else a speaker whom they mention, and the
    words of the mention; empty if there is none.
    """
    found = "", ""
    for path, _ in document.mentions:
        words, who = document.evidence_of(path), document.entry_of(path).id
        if len(words) != 1 or not is_inside(words[0], spans):
            continue
        text = document.text[slice(*words[0])]
        if not document.text[spans[0].start : words[0].start].strip():
            return who, text
        if who == speaker:
            found = who, text
    return found


def _waiver(document: Document, span: Span) -> Proposal:
    """Return the waiver for selected words; a number that a figure elsewhere has, with what it counts
    or measures, repeats it.
    """
    proposed = proposed_waiver(document, span)
    if proposed.values["reason"] not in ("repeat", ""):
        return proposed
    said = [entry.detection.quantity for entry in ledger_of(document).within([span])]
    values = {(each.value, each.unit) for each in said if each and each.value is not None}
    noun = _counted_noun(document, span) if values else ""
    number = with_counted(document.text, span)
    for path, figure in document.figures:
        is_elsewhere = not overlaps(span, document.evidence_of(path))
        is_alike = not values.isdisjoint([(figure.value, None), (figure.value, figure.unit)])
        words = f"{document.words((*path, 'evidence'))} {figure.counted}"
        is_of_these = contains_words(words, noun) if noun else repeats_number(words, number)
        if is_elsewhere and is_alike and is_of_these:
            repeated = {"reason": "repeat", "repeats": figure.id}
            return proposed._replace(values={**proposed.values, **repeated})
    return proposed


def _counted_noun(document: Document, number: Span) -> str:
    """Return the plural noun after a number that it counts: "keepers" of "12 old keepers"; "" if
    the words do not print it.
    """
    proposed = proposed_figure(document, number)
    printed = document.text[number.end : proposed.spans[0].end]
    for word in proposed.values["counted"].split():
        if is_plural(word.casefold()) and contains_words(printed, word):
            return word
    return ""


def _erratum(_: Document, span: Span) -> Proposal:
    return Proposal("errata", (span,), {"status": "noted"})


def _testimony_added(document: Document, proposal: Proposal, values: Values) -> Addition:
    """Return a testimony; a pronoun leads to the last record of the speaker who was chosen."""
    given = values.get("attribution")
    if isinstance(given, Mapping) and given.get("words"):
        speaker = str(values.get("speaker", ""))
        words = _attributing(document, proposal.spans, given)
        proposed = tree_of(_testimony(document, proposal.spans[0]))
        given = connections.without_leftover(
            document, proposal.spans, proposed, given, words, speaker
        )
        completed = connections.led(document, words, given, speaker)
        if values.get("mode") == "narrated":
            completed["about"] = "true"
        values = {**values, "attribution": completed}
    return _added(document, proposal, values)


_LETTERS = {"errata": "e"}


def _added(document: Document, proposal: Proposal, values: Values) -> Addition:
    table = proposal.table
    values = without_stale(table, values)
    name = UnusedIds.of(document).next(_LETTERS.get(table, table[0]))
    [model] = MODELS[table]
    return Addition((table,), _record(document, proposal.spans, model, name, values))


def _record(
    document: Document, spans: Sequence[Span], model: type[Record], name: str, values: Values
) -> str:
    """Return a record as YAML: its keys in the order of the model, without those that it lacks."""
    search, found = WordSearch(document, spans), {}
    by_key = {field.key: field for field in fields_of((model,))}
    for key in model.model_fields:
        if key == "id":
            found[key] = name
        elif key == "evidence" and spans:
            found[key] = _evidence(document, spans, values)
        elif key in by_key:
            text = in_yaml_of(by_key[key], values.get(key, ""), search.in_yaml)
            if text:
                found[key] = text
    return lines_of(found)


def _evidence(document: Document, spans: Sequence[Span], values: Values) -> str:
    if values.get("every_occurrence") == "true":
        # Selectors such as `prefix` would choose one of the occurrences.
        return scalar(document.text[slice(*spans[0])])
    is_direct = values.get("mode") == "direct"
    return evidence_yaml.evidence(document, spans, direct=is_direct)


def without_stale(table: str, values: Values) -> Values:
    """Return the values of a form without those that another value makes meaningless."""
    # The form hides the repeated record unless the reason is a repetition.
    if table == "waivers" and values.get("reason", "repeat") != "repeat":
        return {**values, "repeats": ""}
    return values


# ---- terms of the vocabulary ---------------------------------------------------------------------


def new_terms(table: str, values: Values, document: Document) -> list[Addition]:
    """Return the terms of a filled-in form that the vocabulary lacks, with their definitions.

    A definition is given in `definitions`, under the list and the term: `measures/rolls`.
    """
    definitions = values.get("definitions", {})
    if not isinstance(definitions, Mapping):
        return []
    found = []
    for key, term in _terms_in(_fields_saved(table, values, document), values):
        listed = VOCABULARY_LISTS[key]
        if term in document.context.terms[key] or listed == "places":
            continue
        said = str(definitions.get(f"{listed}/{term}", ""))
        if not said:
            continue  # `check` reports the unknown term
        rows = {
            "term": scalar(term),
            "definition": scalar(f"{said[:1].upper()}{said[1:].rstrip('.')}."),
        }
        if listed == "measures":
            rows["units"] = f"[{scalar(str(values.get('unit', 'other')))}]"
        found.append(Addition((listed,), lines_of(rows)))
    return found


def _fields_saved(table: str, values: Values, document: Document) -> tuple[RecordField, ...]:
    """Return the fields of a form that are saved: speakers and mentions share theirs, but a mention
    of a known speaker does not describe the speaker.
    """
    if table == "mentions" and str(values.get("speaker", "")) not in speaker_labels(document):
        table = "speakers"
    if table == "speakers":
        return (*fields_of(SPEAKERS), *fields_of(MENTIONS))
    return fields_of(MODELS[table])


def _terms_in(fields: Iterable[RecordField], values: Values) -> list[tuple[str, str]]:
    """Return the terms in the values of a form, each with its key, and each once."""
    found: list[tuple[str, str]] = []
    for field in fields:
        value = values.get(field.key, "")
        if isinstance(value, Mapping):
            found += _terms_in(field.fields, value)
        elif not isinstance(value, str):
            for row in value:
                if isinstance(row, Mapping):
                    found += _terms_in(field.fields, row)
        elif value and terms_of(field):
            is_list = field.type is FieldType.LIST
            terms = items_in(field, value) if is_list else [value]
            found += [(field.key, term) for term in terms]
    return list(dict.fromkeys(found))


# ---- mentions ------------------------------------------------------------------------------------

_DESCRIPTION = re.compile(
    r"(?:(?:an?|her|his|its|our|that|the|their|this) )?([^,;:()]+)", re.IGNORECASE
)


def _mention(document: Document, span: Span) -> Proposal:
    """Return the mention for selected words; a body that they only describe is called what they call
    it: "union" of "the union".
    """
    proposed = proposed_mention(document, span)
    described = _DESCRIPTION.match(document.text, *proposed.spans[0])
    if described and connections.is_without_name(proposed.values):
        return proposed._replace(values={**proposed.values, "name": described[1]})
    return proposed


def words_of_mention(document: Document, spans: Sequence[Span], values: Values) -> list[Span]:
    """Return the words of a new mention, extended to the attributes in its form."""
    name = str(values.get("speaker", ""))
    known = _known_speaker(document, name)
    model = type(known) if known else speaker_model(_speaker_values(document, values))
    if not connections.is_public(model):
        return list(spans)
    keys = [key for key, value in values.items() if value]
    return with_attributes(document, spans, values, keys, name)


def _known_speaker(document: Document, name: str) -> Speaker | None:
    return document.speakers_by_id.get(name) or document.context.shared.get(name)


def _mention_added(document: Document, proposal: Proposal, values: Values) -> Addition:
    """Return a mention of a speaker in the file, or else a new entry with the mention.

    Raises:
        RequestError: the name of the new speaker is that of a known one.
    """
    ids, name = UnusedIds.of(document), str(values.get("speaker", ""))
    described, known = _speaker_values(document, values), _known_speaker(document, name)
    model = type(known) if known else speaker_model(described)
    is_public = connections.is_public(model)
    mention_model = annotation.Mention if is_public else annotation.ProtectedMention
    # The age, rank and other attributes of a protected person have no field, because they could
    # identify the person.
    mention = _record(document, proposal.spans, mention_model, ids.next("m"), values)
    for i, (_, entry) in enumerate(document.entries):
        if entry.id == name:
            return Addition(("speakers", i, "mentions"), mention)
    if known:
        return Addition(("speakers",), entry_yaml({"use": scalar(name)}, mention))
    new = id_of_name(str(values.get("name", ""))) if is_public else ""
    if new and (new in document.speakers_by_id or new in document.context.shared):
        problem = f"There is a speaker with the name “{values['name']}”"
        raise RequestError(f"{problem}: choose it as the speaker, or enter another name.")
    added = {"id": scalar(new or ids.next("speaker-"))}
    if values.get("draft"):
        added["draft"] = "true"
    for key, value in described.items():
        if model is None or key in model.model_fields:
            added[key] = scalar(value)
    return Addition(("speakers",), entry_yaml(added, mention))


def _speaker_values(document: Document, values: Values) -> dict[str, str]:
    """Return the values of a new speaker, without those that do not fit its kind."""
    found = {}
    for field in fields_of(SPEAKERS):
        value = values.get(field.key, "")
        if isinstance(value, str) and value.strip():
            found[field.key] = value.strip()
    if found.get("kind") != "person":
        found.pop("anonymity", None)
    return {**found, **_pseudonym_of_role(document, found)}


def _pseudonym_of_role(document: Document, values: Values) -> dict[str, str]:
    """Return whether a single name may be a pseudonym, by the role, unless the values say it."""
    if values.get("anonymity") != "partial" or values.get("pseudonym_possible"):
        return {}
    role, name = str(values.get("role", "")), str(values.get("name", ""))
    return {"pseudonym_possible": pseudonym_possible(document, role, name)}


# ---- boilerplate and readings --------------------------------------------------------------------


def _boilerplate(document: Document, span: Span) -> Proposal:
    """Return selected words as boilerplate; of a single word, or of several lines, whole lines."""
    words = document.text[slice(*span)]
    if "\n" in words or not re.search(r"\s", words):
        span = paragraphs_around(document.text, span)
    return Proposal("boilerplate", (span,), {})


def _boilerplate_added(document: Document, proposal: Proposal, _: Values) -> Addition:
    return Addition(("source", "boilerplate"), chosen_in_yaml(proposal.spans[0], document.text))


def _reading(document: Document, _: Span) -> Proposal:
    values = {
        "reader": "reader-1",
        "kind": "",
        "date": "",
        "purpose": "correction" if document.content.readings else "first",
        "version": document.context.dataset.content.version,
    }
    return Proposal("readings", (), values)


def _reading_added(document: Document, _: Proposal, values: Values) -> Addition:
    lines = _record(document, (), annotation.Reading, "", values)
    return Addition(("readings",), f"{{{', '.join(lines.splitlines())}}}")


FORMS = {
    "testimony": NewForm("testimonies", _testimony, _testimony_added),
    "figure": NewForm("figures", proposed_figure, _added),
    "mention": NewForm("mentions", _mention, _mention_added),
    "waiver": NewForm("waivers", _waiver, _added),
    "erratum": NewForm("errata", _erratum, _added),
    "boilerplate": NewForm("boilerplate", _boilerplate, _boilerplate_added),
    "reading": NewForm("readings", _reading, _reading_added),
}
"""The forms for new records by kind."""


# ---- existing records ----------------------------------------------------------------------------


def changes(
    document: Document, path: Path, record: Any, table: str, values: Values
) -> dict[str, str]:
    """Return the keys of a record that a form changes, as YAML; "" for keys that it empties."""
    before = current_values(record, table)
    values = without_stale(table, values)
    search, found = WordSearch(document, document.evidence_of(path), path), {}
    is_narrated = values.get("mode") == "narrated"
    for field in fields_of(MODELS[table]):
        given = values.get(field.key)
        if given is None:
            continue
        if field.key == "attribution" and isinstance(given, Mapping) and given.get("words"):
            given = {**given, "about": "true" if is_narrated else ""}
        if filled(given) != filled(before[field.key]):
            found[field.key] = in_yaml_of(field, given, search.in_yaml, before[field.key])
    if table == "speakers":
        found |= _keys_without_field({**before, **values})
    return found


def with_kind(document: Document, path: Path, speaker: Any, values: Values) -> Values:
    """Return the values of a speaker, with what follows if the kind changes: how far a person is named
    and, if no form shows the role and it was the likely one, that which now is. A group has no name.
    """
    before = current_values(speaker, "speakers")
    kind = str(values.get("kind", before["kind"]))
    if kind == before["kind"] or kind == WRITER:
        return values
    name = str(values.get("name", before["name"]))
    stated = {**values}
    if kind == "group":
        stated["name"] = ""
    if kind == "person" and values.get("anonymity", "") in ("", before["anonymity"]):
        stated["anonymity"] = anonymity_of(name)
    for mention in document.evidence_of((*path, "mentions", 0))[:1]:
        likely = likely_role(document, mention, str(before["kind"]))
        now_likely = likely_role(document, mention, kind)
        if "role" not in values and before["role"] == likely != now_likely:
            stated["role"] = now_likely
    return stated


def with_pseudonym(document: Document, speaker: Any, values: Values) -> Values:
    """Return the values of a speaker of whom only part of the name is now printed, or whose role now
    has another rule, with whether this may be a pseudonym.
    """
    before = current_values(speaker, "speakers")
    stated = {**before, **values}
    if before["anonymity"] == "partial":
        roles = [str(each["role"]) for each in (before, stated)]
        name = str(stated.get("name", ""))
        ruled = {pseudonym_possible(document, role, name) for role in roles}
        if len(ruled) == 1:
            return values
        if stated["pseudonym_possible"] == before["pseudonym_possible"]:
            stated["pseudonym_possible"] = ""  # nobody has chosen it
    return {**values, **_pseudonym_of_role(document, stated)}


_SHOWN = ("role", "rank_class", "branch", "gender")
"""The attributes of speakers that other words show, or that are inferred."""


def former_evidence(
    document: Document, path: Path, speaker: Any, values: Values
) -> dict[Path, str]:
    """Return the paths of what shows an attribute of the speaker at a path that a form replaces, each
    with what the page says of it. What the form also replaces remains, and words that show the new
    value.
    """
    found, replaced = dict[Path, str](), dict[str, str]()
    for key in _SHOWN:
        before = getattr(speaker, key, None)
        if before and values.get(key, before) != before:
            replaced[key] = str(values[key])
    for key, value in replaced.items():
        called = f"the former {key.replace('_', ' ')}"
        for at, mention in document.mentions:
            given = values if at == (*path, "mentions", 0) else {}
            where = (*at, "attested_by", key)
            is_theirs = at[:2] == path and _is_left(
                mention, "mentions", ("attested_by", key), given
            )
            if is_theirs and not _show(document, document.at(where), key, value):
                found[where] = f"“{document.words(where)}”, which showed {called}"
        reason = getattr(getattr(speaker, "inferred", None), key, None)
        is_left = _is_left(speaker, "speakers", ("inferred", key), values)
        if is_left and reason != "writes_the_text":
            found[*path, "inferred", key] = f"the reason why {called} was inferred"
    return found


def _is_left(record: Any, table: str, keys: tuple[str, str], values: Values) -> bool:
    """Return whether a record has a value of a group, and a form leaves it as it is."""
    group, key = keys
    before, given = current_values(record, table)[group], values.get(group)
    known = before.get(key, "") if isinstance(before, Mapping) else ""
    is_same = not isinstance(given, Mapping) or given.get(key, "") == known
    return bool(known) and is_same


def _show(document: Document, spans: Sequence[Span], key: str, value: str) -> bool:
    """Return whether words show a value of an attribute, as the program and the rules read them."""
    if key == "role":
        return value in {likely_role(document, span) for span in spans} - {"other"}
    if key == "gender":
        return any(value in genders_in(document.text[slice(*span)]) for span in spans)
    triggers = document.context.triggers_by_attribute.get(key, {})
    return triggered(document.text, spans, triggers.get(value, ()))


def _keys_without_field(values: Values) -> dict[str, str]:
    """Return the keys that the changed kind of a speaker does not have, to remove them."""
    entry = {key: value for key, value in values.items() if value and isinstance(value, str)}
    model = speaker_model(entry)
    keys = {field.key for field in fields_of(SPEAKERS)}
    left_out = keys - set(model.model_fields) if model else set()
    if entry.get("kind") != "person":
        left_out.add("anonymity")
    return dict.fromkeys(sorted(left_out), "")
