"""Forms for records: their fields with proposed or current values, and the YAML of a filled-in form.

A form has a field for each key of a record, which `record_fields` reads from the models. Fields
that the corpus does not use are folded away. New and existing records have the same form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

from defectors_data.annotators import proposals
from defectors_data.annotators.proposals import Proposal
from defectors_data.annotators.record_ids import UnusedIds, id_of_name
from defectors_data.annotators.record_yaml import entry_yaml, lines_of
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.record_fields import (
    FieldType,
    RecordField,
    RequestError,
    Value,
    Values,
    fields_of,
    in_yaml_of,
    items_in,
    mnemonics,
    values_of,
)
from defectors_data.annotators.workbench.shown_records import WRITER, WRITER_LABEL, speaker_labels
from defectors_data.annotators.worklist import groups, possible_statements
from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import VOCABULARY_LISTS
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.edits import evidence_yaml
from defectors_data.evidence.anchors import chosen_in_yaml, contains_words, whole_occurrences
from defectors_data.evidence.annotated_document import NEXT_TO_EVIDENCE, Document
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.models import annotation
from defectors_data.models.annotation import SPEAKER_MODELS, speaker_model
from defectors_data.models.closed_vocabularies import JOIN, MEANINGS, Anonymity
from defectors_data.models.fields import Record
from defectors_data.rules.attribution import not_continued
from defectors_data.rules.attribution.persons import with_surname_in
from defectors_data.rules.figures import doubting_cue
from defectors_data.text.number_comparison import BOUNDS
from defectors_data.text.offsets import (
    Span,
    is_inside,
    overlaps,
    paragraphs_around,
    sentences_around,
    surroundings,
)


class Choice(NamedTuple):
    """A value that a field can have, with its label and its meaning."""

    value: str
    label: str
    meaning: str = ""


class FormField(NamedTuple):
    """A field of a form, with its value."""

    key: str
    type: str
    value: Value = ""
    choices: tuple[Choice, ...] = ()
    closed: bool = False
    """Whether no other values than the choices are permitted."""
    required: bool = False
    guess: str = ""
    """If the value is a guess, a note that says what is uncertain; otherwise ""."""
    description: str = ""
    shown: bool = True
    """Whether the corpus uses the field, so that it is not folded away."""
    fields: tuple[FormField, ...] = ()
    """The fields of a group, or of a new row."""
    separator: str = ""
    """What separates several names, or parts of words; "" if the field has only one value, or terms."""
    terms: str = ""
    """The list of the vocabulary to which a new value can be added with a definition."""
    applies: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Values of other fields for which the field has a meaning, by key; of `shape`, a kind of speaker,
    or how far a person is named."""

    by_speaker: Mapping[str, str] = MappingProxyType({})
    """The value that the field gets when a speaker is chosen, by speaker; "" has that for any other."""
    hedges: tuple[str, ...] = ()
    """The hedges of a figure that imply this number."""
    mnemonic: str = ""
    """The letter of the label that leads to the field with Alt."""

    def as_json(self) -> dict[str, object]:
        """Return the field as the page reads it."""
        choices = [choice._asdict() for choice in self.choices]
        fields = [field.as_json() for field in self.fields]
        inner = {"choices": choices, "fields": fields}
        return {
            **self._asdict(),
            **inner,
            "applies": dict(self.applies),
            "by_speaker": dict(self.by_speaker),
        }


class Addition(NamedTuple):
    """An item as YAML, without its dash, and the path of the list to which it is added."""

    path: Path
    item: str


_SPEAKERS = tuple(
    model for model in SPEAKER_MODELS.values() if model is not annotation.SharedReference
)
_MENTIONS = (annotation.Mention, annotation.ProtectedMention)
MODELS: Mapping[str, tuple[type[Record], ...]] = {
    "source": (annotation.Source,),
    "speakers": _SPEAKERS,
    "mentions": _MENTIONS,
    "testimonies": (annotation.Testimony,),
    "figures": (annotation.Figure,),
    "waivers": (annotation.Waiver,),
    "errata": (annotation.Erratum,),
    "readings": (annotation.Reading,),
    "boilerplate": (),
}
"""The models of the records that have a form, by table."""
SAME_AS = "same_speaker_as"
"""The key of the form of a speaker that names another entry of the same speaker."""
_OF_SAME_AS = (
    "If two entries are one speaker: all that was recorded of this one is recorded of the one "
    "chosen, and this entry is removed. A speaker of another article is then described once for "
    "both, as in that article, or as here if that is a draft."
)
BASIC = frozenset(
    "speaker attribution words antecedent continues value low high counted attributed_to testimony repeats "
    "measure note name anonymity age affiliation title language rights".split()
)
"""Keys that have a field in every corpus, even if no record uses them yet."""


_OF_EACH_SOURCE = frozenset("subtitle authors outlet published cited_outlets".split())
"""Keys of a source that have a field in every corpus."""
_FIRST: Mapping[str, tuple[str, ...]] = {
    "speakers": ("role",),
    "figures": ("counted", "measure", "unit"),
}
"""Keys that are at the top of the form of a table, since drafts need them corrected most often."""


class FormContext(NamedTuple):
    """What the fields of a form depend on."""

    document: Document
    used: Collection[str]
    """The keys that the corpus uses."""
    spans: Sequence[Span] = ()
    """The words of the record."""
    record: str = ""
    """The id of the record; "" for a new one."""
    elsewhere: Sequence[Choice] = ()
    """Speakers of other articles who may be the one of the form."""

    @property
    def start(self) -> int:
        """The offset at which the words of the record start; without any, the end of the text."""
        return self.spans[0].start if self.spans else len(self.document.text)

    @property
    def end(self) -> int:
        """The offset at which the words of the record end."""
        return self.spans[-1].end if self.spans else len(self.document.text)

    def fields(
        self, table: str, values: Values, notes: Mapping[str, str] | None = None
    ) -> list[FormField]:
        """Return the fields of the form for a record of a table, with values."""
        fields: Sequence[RecordField] = fields_of(MODELS[table])
        if table == "mentions" and "kind" in values:
            # A new mention also describes its speaker, unless that speaker is known.
            fields = (_WHO, *fields_of(_SPEAKERS), *fields)
        if table == "figures":
            fields = (*fields, _MISPRINT)
        found = [self._field(field, values.get(field.key, "")) for field in fields]
        for i, each in enumerate(found):
            if (table, each.key) == ("figures", "attribution"):
                # A figure is usually attributed by its testimony.
                found[i] = each._replace(shown=bool(each.value))
            if table == "source" and each.key in _OF_EACH_SOURCE:
                found[i] = each._replace(shown=True)
            if (table, each.key) == ("testimonies", "attribution"):
                found[i] = each._replace(fields=self._with_antecedents(each.fields))
        if table == "figures" and self.spans:
            found = self._with_reading(found)
        for i, each in enumerate(found):
            found[i] = each._replace(applies=_applies(table, each.key))
        first = _FIRST.get(table, ())
        found.sort(key=lambda each: first.index(each.key) if each.key in first else len(first))
        guesses, letters = notes or {}, mnemonics_of(table)
        for i, each in enumerate(found):
            guess, hedges = guesses.get(each.key, ""), list[str]()
            if table == "figures":
                hedges = [hedge for hedge, numbers in BOUNDS.items() if each.key in numbers]
            found[i] = _with_mnemonics(each, letters)._replace(guess=guess, hedges=tuple(hedges))
        return found

    def of_record(
        self, table: str, record: Any, notes: Mapping[str, str] | None = None
    ) -> list[FormField]:
        """Return the fields of the form for a record; for a speaker, also those of the first
        mention. `notes` say which values are guesses.
        """
        found = self.fields(table, current_values(record, table), notes)
        if table == "mentions":
            # The mention of a protected person has fewer fields than that of a public one.
            found = [field for field in found if field.key in type(record).model_fields]
        is_doubted = table == "figures" and "polarity" not in record.model_fields_set
        if is_doubted and self._cue_of(record):
            # The default is an answer that is to be given.
            for i, each in enumerate(found):
                if each.key == "polarity":
                    found[i] = each._replace(value="", required=True)
        if table == "speakers" and not hasattr(record, "mentions"):
            return found  # a shared speaker
        if table == "speakers" and record.mentions:
            found += self.of_record("mentions", record.mentions[0])
        return self._with_same_as(found) if table == "speakers" else found

    def _cue_of(self, figure: annotation.Figure) -> str:
        paths = [path for path, each in self.document.figures if each.id == figure.id]
        return doubting_cue(self.document, paths[0], figure) if paths else ""

    def of_mention(self, record: Record, speaker: str) -> list[FormField]:
        """Return the fields of the form for a mention, of which the first is its speaker."""
        who = _with_mnemonics(self._field(_WHO_OF_KNOWN, speaker), mnemonics_of("mentions"))
        offered = [choice for choice in who.choices if choice.label not in ("", WRITER_LABEL)]
        return [who._replace(choices=tuple(offered)), *self.of_record("mentions", record)]

    def with_antecedent(self, record: annotation.Testimony, speaker: str) -> Values:
        """Return a speaker who is chosen for a testimony, with the antecedent that the form fills in
        for this speaker.

        A rival is only removed: that another one is not meant is for the annotator to say, who has
        seen no form.
        """
        said = current_values(record, "testimonies")["attribution"]
        if not said and (continued := self._continued(speaker)):
            return {"speaker": speaker, "attribution": {"continues": continued}}
        if not isinstance(said, Mapping) or not said.get("words"):
            return {"speaker": speaker}
        fields = {each.key: each for each in self.of_record("testimonies", record)}
        led = dict(said)
        for each in fields["attribution"].fields:
            if each.key == "rival":
                led.pop("rival", None)
            elif each.by_speaker:
                led[each.key] = each.by_speaker.get(speaker, each.by_speaker.get("", ""))
        if led == said:
            return {"speaker": speaker}
        return {"speaker": speaker, "mode": record.mode, "attribution": led}

    def _continued(self, speaker: str) -> str:
        """Return the last testimony of a speaker before the words, if their speech can continue it;
        else "".
        """
        paths, places = dict[str, Path](), dict[str, int]()
        for path, each in self.document.testimonies:
            paths[each.id] = path
            spans = self.document.evidence_of(path)
            if each.speaker == speaker and spans and spans[-1].end <= self.spans[0].start:
                places[each.id] = spans[-1].end
        last = max(places, key=places.__getitem__, default="")
        if not last or not_continued(self.document, paths[self.record], speaker, last):
            return ""
        return last

    def _with_same_as(self, fields: list[FormField]) -> list[FormField]:
        """Return the fields of a speaker with the list of those who may be the same."""
        others = [choice for choice in _speakers(self) if choice.value not in ("", self.record)]
        in_article = {entry.id for _, entry in self.document.uses}
        in_article |= {each.id for _, each in self.document.speakers if each.kind != WRITER}
        known = in_article | set(self.document.context.shared)
        offered = [choice for choice in others if choice.value in known]
        offered += self.elsewhere
        if not offered or self.record not in in_article:
            return fields
        asked = FormField(
            SAME_AS,
            FieldType.CHOICE.value,
            choices=(Choice("", ""), *offered),
            closed=True,
            description=_OF_SAME_AS,
        )
        asked = _with_mnemonics(asked, mnemonics_of("speakers"))
        first, *rest = fields
        hidden = [each._replace(applies={**each.applies, SAME_AS: ("",)}) for each in rest]
        return [first._replace(applies={**first.applies, SAME_AS: ("",)}), asked, *hidden]

    def _field(self, field: RecordField, value: Value) -> FormField:
        if field.key == "counted" and value == proposals.PLACEHOLDERS["counted"]:
            value = ""
        choices = self._choices(field, value)
        inner = [self._field(each, each.default) for each in field.fields]
        if field.type is FieldType.GROUP and isinstance(value, Mapping):
            inner = [self._field(each, value.get(each.key, "")) for each in field.fields]
        listed = VOCABULARY_LISTS.get(field.key, "")
        if listed == "places":
            listed = ""
        separates_names = field.type is FieldType.LIST and field.separator == "; "
        separator = field.separator if separates_names else ""
        if field.type is FieldType.WORDS:
            separator = f" {proposals.PARTS_TYPED} "
        return FormField(
            field.key,
            field.type.value,
            value,
            choices,
            bool(field.meanings) or (field.key in _OF_RECORDS and field.key != "rival"),
            field.required or field.key in self.document.context.codes_required,
            description=field.description,
            shown=bool(value) or self._is_used(field),
            fields=tuple(inner),
            separator=separator,
            terms=listed,
        )

    def _with_reading(self, fields: Sequence[FormField]) -> list[FormField]:
        """Return the fields of a figure with how the program reads the number, which the rules
        require.
        """
        reading, found = proposals.figure(self.document, self.spans[0]).values, list(fields)
        for i, each in enumerate(fields):
            if each.key in ("value", "low", "high", "hedge"):
                read = reading[each.key] or "nothing"
                said = f"{each.description} The program reads: {read}."
                found[i] = each._replace(description=said)
        return found

    def _with_antecedents(self, fields: Sequence[FormField]) -> tuple[FormField, ...]:
        """Return the fields of an attribution. Its words follow the speaker who is chosen, if other
        words of the sentence name this one; if they are a pronoun, a description or a surname of
        several speakers, so do the antecedent and the rival.
        """
        # Whether the words are about the speaker follows from the mode.
        fields = [field for field in fields if field.key != "about"]
        named = dict[str, str]()
        for i, field in enumerate(fields):
            words = str(field.value)
            if field.key == "words" and words and self.spans:
                named = self._words_with_names(words)
                if named:
                    fields[i] = field._replace(by_speaker={"": words, **named})
        attributed = proposals.attributed_words(self.document)
        found = attributed.attribution_of(self.spans[0]) if self.spans else None
        source = found.source if found else None
        if source and source.kind == "name" and not self._is_shared(source.span):
            # A name needs no other words that say whose it is.
            return tuple([_folded_unless_used(field) for field in fields])
        if not source:
            return tuple(fields)
        words = self.document.text[slice(*source.span)]
        is_short = source.kind in ("pronoun", "name")
        if not is_short and not words.startswith(("the ", "The ")):
            return tuple(fields)
        speakers = self.document.speakers_by_id.values()
        names = [getattr(each, "name", None) for each in speakers]
        if any(name and contains_words(words, name) for name in names):
            return tuple(fields)  # "the Harrow Office said"
        nearest = connections.nearest_records(self.document, source.head.start, {self.record})
        parts, rivals = proposals.attribution_parts(self.document, self.spans[0]), dict[str, str]()
        for speaker in named:
            nearest.pop(speaker, None)  # a name leads to no other record
        for speaker, antecedent in nearest.items():
            rivals[speaker] = connections.only_rival(self.document, antecedent, parts, speaker)
        filled = list(fields)
        for i, field in enumerate(fields):
            if field.key == "antecedent":
                filled[i] = field._replace(required=True, by_speaker=nearest)
            elif field.key == "rival":
                is_shown = field.shown or any(rivals.values())
                filled[i] = field._replace(shown=is_shown, by_speaker=rivals)
        return tuple(filled)

    def _words_with_names(self, attributing: str) -> dict[str, str]:
        """Return the words in the sentence that name a speaker who speaks, by speaker; none replace a
        pronoun, which can mean any of them.
        """
        found = proposals.attributed_words(self.document).attribution_of(self.spans[0])
        if found and found.source and found.source.kind == "pronoun":
            return {}
        places = connections.words_with_names(self.document, self.spans, attributing)
        return {speaker: self.document.text[slice(*words)] for speaker, words in places.items()}

    def _is_shared(self, name: Span) -> bool:
        """Return whether a name has the surname of several speakers."""
        namesakes = with_surname_in(self.document, [name])
        return len(namesakes) > 1

    def _is_used(self, field: RecordField) -> bool:
        """Return whether the corpus uses a field: it is required, or has terms or values."""
        if field.required or field.key in BASIC:
            return True
        # A list of the vocabulary shows whether the terms of a group, or of the field, are used.
        keys = [field.key, *(inner.key for inner in field.fields if inner.required)]
        lists = [VOCABULARY_LISTS[key] for key in keys if key in VOCABULARY_LISTS]
        if lists:
            return all(self._terms(listed) for listed in lists)
        return field.key in self.used

    def _choices(self, field: RecordField, value: Value) -> tuple[Choice, ...]:
        if field.meanings:
            labels = [(value, value.replace("_", " ")) for value in field.meanings]
            choices = [Choice(value, label, field.meanings[value]) for value, label in labels]
            # Nothing is chosen for the annotator, and an unused group stays empty.
            return (Choice("", ""), *choices)
        if listed := VOCABULARY_LISTS.get(field.key):
            return self._terms(listed)
        if field.key in _OF_RECORDS:
            offered = _OF_RECORDS[field.key](self)
            is_open = not value or value in proposals.PLACEHOLDERS.values()
            if is_open or any(choice.value == value for choice in offered):
                return offered
            # The current value stays, even if it is wrong: only a person may replace it.
            return (*offered, Choice(str(value), str(value)))
        return ()

    def _terms(self, listed: str) -> tuple[Choice, ...]:
        terms = getattr(self.document.context.vocabulary.content, listed)
        found = [Choice(term.term, term.term, term.definition) for term in terms]
        if listed == "units":
            found = [Choice(unit, unit, text) for unit, text in MEANINGS["Unit"].items()] + found
        return tuple(found)


@cache
def mnemonics_of(table: str) -> Mapping[tuple[str, ...], str]:
    """Return the letters that lead to the fields of the forms of a table. The form of a speaker also
    has the fields of a mention, and that of a mention those of its speaker.
    """
    fields = fields_of(MODELS[table])
    if table == "figures":
        fields = (*fields, _MISPRINT)
    if table in ("speakers", "mentions"):
        same = _WHO._replace(key=SAME_AS)
        fields = (_WHO, *fields_of(_SPEAKERS), *fields_of(_MENTIONS), same)
    return mnemonics(fields, BASIC - {"note"})


def _with_mnemonics(field: FormField, letters: Mapping[tuple[str, ...], str]) -> FormField:
    inner = list(field.fields)
    for i, each in enumerate(inner):
        inner[i] = each._replace(mnemonic=letters.get((field.key, each.key), ""))
    return field._replace(mnemonic=letters.get((field.key,), ""), fields=tuple(inner))


_INDIRECT = frozenset({"antecedent", "rival", "continues"})
"""The keys of an attribution that say whom words mean that are no name."""


def _folded_unless_used(field: FormField) -> FormField:
    if field.key not in _INDIRECT:
        return field
    return field._replace(shown=bool(field.value))


def _applies(table: str, key: str) -> Mapping[str, tuple[str, ...]]:
    """Return the values of other fields for which a field of a form has a meaning."""
    if (table, key) == ("waivers", "repeats"):
        return {"reason": ("repeat",)}
    if table not in ("speakers", "mentions") or key == "speaker":
        return {}
    found: dict[str, tuple[str, ...]] = {}
    of_speaker = [shape for shape, model in SPEAKER_MODELS.items() if key in model.model_fields]
    if of_speaker:
        # A mention of a known speaker does not describe the speaker.
        found["speaker"] = ("",)
    if key == "anonymity":
        of_speaker = list(get_args(Anonymity))
    if of_speaker and len(of_speaker) < len(_SPEAKERS):
        found["shape"] = ("", *of_speaker)
    return found


_WHO = RecordField(
    "speaker",
    FieldType.CHOICE,
    required=False,
    description="The speaker whom the words introduce; empty for a new speaker.",
    meanings={},
    default="",
    fields=(),
    separator="; ",
    is_bare=False,
)


_WHO_OF_KNOWN = _WHO._replace(
    required=True, description="The speaker whom the words mention; another one gets the mention."
)
_MISPRINT = _WHO._replace(
    key="misprint",
    type=FieldType.GROUP,
    description="If the number is wrong in the article: adds an erratum with the same words.",
    fields=tuple(
        field for field in fields_of((annotation.Erratum,)) if field.key in ("wrong", "known")
    ),
)


def misprint(document: Document, spans: Sequence[Span], values: Values) -> list[Addition]:
    """Return the erratum for a figure whose number is a misprint; empty if it is none."""
    given = values.get("misprint")
    if not isinstance(given, Mapping) or not given.get("wrong"):
        return []
    name = UnusedIds.of(document).next("e")
    stated = {**given, "status": "noted"}
    return [Addition(("errata",), _record(document, spans, annotation.Erratum, name, stated))]


# ---- choices of records --------------------------------------------------------------------------


def _speakers(context: FormContext) -> tuple[Choice, ...]:
    document = context.document
    found = [Choice("", "")]
    found += [Choice(name, label) for name, label in speaker_labels(document).items()]
    if not any(entry.kind == WRITER for _, entry in document.speakers):
        found.append(Choice(WRITER, WRITER_LABEL))
    return tuple(found)


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


_LONGEST_LABEL = 60


class _Placed(NamedTuple):
    """A record to which another one could refer, with its words."""

    name: str
    table: str
    words: Span
    label: str


def _placed(context: FormContext, *tables: str) -> list[_Placed]:
    """Return the other records of some tables that have words, with a short label."""
    document, found = context.document, []
    speakers = speaker_labels(document)
    for path, table, name in document.records:
        spans = document.evidence_of(path)
        if table not in tables or not spans or name == context.record:
            continue
        words = document.words((*path, "evidence")) or ""
        number = name.removeprefix(f"{document.source.id}-")
        if table == "mentions":
            number = f"{speakers[document.entry_of(path).id]}, {number}"
        label = f"{number}: {words[:_LONGEST_LABEL]}"
        found.append(_Placed(name, table, Span(spans[0].start, spans[-1].end), label))
    return found


def _nearest_first(records: Sequence[_Placed], offset: int) -> tuple[Choice, ...]:
    """Return the choices of records: those that begin at an offset or before it, from the last to
    the first, and then the others.
    """
    before = [each for each in records if each.words.start <= offset]
    after = [each for each in records if each.words.start > offset]
    before.sort(key=lambda each: -each.words.start)
    after.sort(key=lambda each: each.words.start)
    return (Choice("", ""), *(Choice(each.name, each.label) for each in [*before, *after]))


def _antecedents(context: FormContext) -> tuple[Choice, ...]:
    """Return the mentions and testimonies to which a pronoun can refer."""
    records = _placed(context, "mentions", "testimonies")
    # The words of the attribution may follow the testimony in its sentence.
    words = Span(context.start, context.end)
    limit = surroundings(context.document.text, words)[0].end
    limits = {"mentions": limit, "testimonies": context.start}
    found = [each for each in records if each.words.start < limits[each.table]]
    # A testimony that is attributed to the same pronoun leads nowhere, so mentions come first.
    mentions = [each for each in found if each.table == "mentions"]
    testimonies = [each for each in found if each.table == "testimonies"]
    return (*_nearest_first(mentions, limit), *_nearest_first(testimonies, limit)[1:])


def _rivals(context: FormContext) -> tuple[Choice, ...]:
    """Return the mentions of others whom the words can mean: those before their end."""
    choices = _antecedents(context)
    mentions = {mention.id for _, mention in context.document.mentions}
    found = [choice for choice in choices if choice.value in mentions]
    return tuple(choice._replace(meaning=choice.label) for choice in found)


def _continued(context: FormContext) -> tuple[Choice, ...]:
    """Return the testimonies that a testimony can continue: those before it."""
    records = _placed(context, "testimonies")
    found = [each for each in records if each.words.start < context.start]
    return _nearest_first(found, context.start)


def _containing(context: FormContext) -> tuple[Choice, ...]:
    """Return the testimonies in whose words a figure can be: those that begin with it or before."""
    records = _placed(context, "testimonies")
    found = [each for each in records if each.words.start <= context.start]
    return _nearest_first(found, context.start)


def _repeated(context: FormContext) -> tuple[Choice, ...]:
    """Return the testimonies and figures that words can repeat: those elsewhere."""
    records = _placed(context, "testimonies", "figures")
    elsewhere = [each for each in records if not overlaps(each.words, context.spans)]
    return _nearest_first(elsewhere, context.start)


def _groups(context: FormContext) -> tuple[Choice, ...]:
    entries = context.document.speakers
    names = {entry.id for _, entry in entries if entry.kind == "group"} - {context.record}
    found = [choice for choice in _speakers(context) if not choice.value or choice.value in names]
    return tuple(found)


_OF_RECORDS: Mapping[str, Callable[[FormContext], tuple[Choice, ...]]] = {
    "speaker": _speakers,
    "attributed_to": _speakers,
    "antecedent": _antecedents,
    "continues": _continued,
    "rival": _rivals,
    "testimony": _containing,
    "repeats": _repeated,
    "part_of": _groups,
}
"""The records to which a key can refer, by key."""


# ---- words of the article ------------------------------------------------------------------------


_BETWEEN_PARTS = (re.compile(r"\[?(?:…|\.{2,})\]?"), re.compile("[,;|+/]"))
"""What can be between parts of words: the second, if there is nothing of the first."""


class WordSearch:
    """A search for words of a form in the article, next to the evidence of the record."""

    def __init__(self, document: Document, spans: Sequence[Span], path: Path | None = None) -> None:
        """Set the spans of the record's evidence, and the path of an existing record."""
        self.document, self.spans = document, spans
        self.kept: dict[str, tuple[Span, ...]] = {}
        if spans and not path:
            # Words that are typed as they were proposed are at the places that were read.
            proposed = proposals.attribution_parts(document, spans[0])
            self.kept[proposals.attribution(document, spans[0])] = proposed
        for cited in document.cited:
            if path and cited.path[: len(path)] == path and (found := document.at(cited.path)):
                self.kept[JOIN.join(part.text for part in cited.parts)] = found

    def evidence(self, key: str) -> Callable[[str], str]:
        """Return the function that returns words at a key of the record as YAML."""
        return lambda words: self._in_yaml(key, words)

    def _in_yaml(self, key: str, words: str) -> str:
        spans = self.kept.get(words) or self._found(words)
        if key not in NEXT_TO_EVIDENCE or not self.spans:
            return evidence_yaml.evidence(self.document, spans)
        return evidence_yaml.next_to(self.document, spans, self.spans)

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
                which, hint = "", f" Write “{proposals.PARTS_TYPED}” between words that are apart."
                if len(parts) > 1:
                    which, hint = f" of part {number}", ""
                problem = f"The article does not contain the words{which} “{part}”.{hint}"
                raise RequestError(problem)
        in_order = [self._from(first, parts[1:]) for first in self._occurrences(parts[0])]
        complete = [spans for spans in in_order if len(spans) == len(parts)]
        if complete:
            return min(complete, key=lambda spans: sum(map(self._distance, spans)))
        return [span for part in parts if (span := self._nearest(part))]

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
        return whole_occurrences(words, self.document.text) if words else []

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


# ---- new records ---------------------------------------------------------------------------------


class NewForm(NamedTuple):
    """The form for a new record: functions that propose it and convert it to YAML."""

    table: str
    propose: Callable[[Document, Span], Proposal]
    add: Callable[[Document, Proposal, Values], Addition]


def tree_of(proposal: Proposal) -> dict[str, Value]:
    """Return the values of a proposal in the form of the fields."""
    found: dict[str, Value] = dict(proposal.values)
    words, antecedent = found.pop("attribution", ""), found.pop("antecedent", "")
    if words:
        found["attribution"] = {"words": words, "antecedent": antecedent}
    return found


def filled_in(kind: str, document: Document, spans: tuple[Span, ...], values: Values) -> Addition:
    """Return the record of a filled-in form."""
    form = FORMS[kind]
    return form.add(document, Proposal(form.table, spans, {}), values)


def _testimony(document: Document, span: Span) -> Proposal:
    """Return the testimony for selected words; inside a quotation, for all of its parts, and at a
    single word, for the possible statement, or else the sentence, around it.
    """
    spans = [span]
    if " " not in document.text[slice(*span)]:
        around = [each for each in possible_statements(document) if is_inside(span, [each])]
        spans = around or [sentences_around(document.text, span)]
    for quotation in quotations_of(document):
        if is_inside(span, [quotation]):
            spans = [Span(quotation.start, quotation.end)]
            break
    for group in groups(document):
        parts = [Span(each.start, each.end) for each in group]
        if spans[0] in parts:
            spans = parts
    proposed = proposals.testimony(document, spans)
    found = proposals.attributed_words(document).attribution_of(spans[0])
    is_outside = not (found and found.source and overlaps(found.source.span, spans))
    if proposed.values["mode"] != "direct" and is_outside:
        speaker, words = proposals.speaker_within(document, spans[0])
        if speaker:
            inside = {"speaker": speaker, "attribution": words}
            proposed = proposed._replace(values={**proposed.values, **inside})
    if proposed.values["attribution"]:
        led = proposals.repeated_mention(document, spans[0], proposed.values["speaker"])
        proposed = proposed._replace(values={**proposed.values, "antecedent": led})
    if proposed.values["attribution"] or proposed.values["mode"] == "direct":
        return proposed
    speaker, named = _mention_in(document, spans, proposed.values["speaker"])
    if named:
        # Nobody says it: the writer narrates about the person whom the words mention.
        narrated = {"speaker": speaker, "mode": "narrated", "attribution": named}
        return proposed._replace(values={**proposed.values, **narrated})
    speaker = _unnamed_speaker(document, spans, proposed)
    return proposed._replace(values={**proposed.values, "speaker": speaker})


_PERSON = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|him|her|them|I|[Ww]e|us|me)\b|^(?:His|Her|Their|My|Our)\b"
)
_PERHAPS_PERSON = re.compile(r"\b(?:his|their|my|our)\b|\s[A-Z]")
"""A possessive, or a name after the first word."""


def _unnamed_speaker(document: Document, spans: Sequence[Span], proposed: Proposal) -> str:
    """Return the speaker of words that are attributed to nobody: the nearest one if the words name a
    speaker or have a pronoun, the writer if they mean no person, and else "".
    """
    words = " ".join(document.text[slice(*span)] for span in spans)
    is_named = any(is_inside(where, spans) for where, _ in proposals.named_places(document))
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
    """Return the waiver for selected words; a number that a figure elsewhere has repeats it."""
    proposed = proposals.waiver(document, span)
    said = [entry.detection.quantity for entry in ledger_of(document).within([span])]
    values = {each.value for each in said if each and each.value is not None}
    is_number = proposed.values["reason"] in ("repeat", "not_a_quantity", "term") and bool(values)
    number = document.text[slice(*span)]
    noun = proposals.with_counted(document.text, span).removeprefix(number).strip(" -")
    for path, figure in document.figures:
        is_elsewhere = not overlaps(span, document.evidence_of(path))
        is_of_these = noun in (document.words((*path, "evidence")) or "")
        if is_number and is_elsewhere and is_of_these and figure.value in values:
            repeated = {"reason": "repeat", "repeats": figure.id}
            return proposed._replace(values={**proposed.values, **repeated})
    return proposed


def _erratum(_: Document, span: Span) -> Proposal:
    return Proposal("errata", (span,), {"status": "noted"})


def _testimony_added(document: Document, proposal: Proposal, values: Values) -> Addition:
    """Return a testimony; a pronoun leads to the last mention of the speaker who was chosen."""
    given = values.get("attribution")
    if isinstance(given, Mapping) and given.get("words"):
        completed = dict(given)
        speaker, span = str(values.get("speaker", "")), proposal.spans[0]
        is_as_proposed = given["words"] == proposals.attribution(document, span)
        if is_as_proposed and not given.get("antecedent"):
            completed["antecedent"] = proposals.antecedent(document, span, speaker)
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
            text = in_yaml_of(by_key[key], values.get(key, ""), search.evidence(key))
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

    A definition is given in `definitions`, under the list and the term: `measures/rolls`. A measure
    without one is defined by what its figure counts.
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
        if not said and listed == "measures":
            said = str(values.get("counted", ""))
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
        return (*fields_of(_SPEAKERS), *fields_of(_MENTIONS))
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
        elif field.key in VOCABULARY_LISTS and value:
            is_list = field.type is FieldType.LIST
            terms = items_in(field, value) if is_list else [value]
            found += [(field.key, term) for term in terms]
    return list(dict.fromkeys(found))


# ---- mentions ------------------------------------------------------------------------------------


def _mention_added(document: Document, proposal: Proposal, values: Values) -> Addition:
    """Return a mention of a speaker in the file, or else a new entry with the mention.

    Raises:
        RequestError: the name of the new speaker is that of a known one.
    """
    ids, name = UnusedIds.of(document), str(values.get("speaker", ""))
    described = _speaker_values(document, values)
    known = document.speakers_by_id.get(name) or document.context.shared.get(name)
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
    for key, value in described.items():
        if model is None or key in model.model_fields:
            added[key] = scalar(value)
    return Addition(("speakers",), entry_yaml(added, mention))


def _speaker_values(document: Document, values: Values) -> dict[str, str]:
    """Return the values of a new speaker, without those that do not fit its kind."""
    found = {}
    for field in fields_of(_SPEAKERS):
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
    is_at_risk = values.get("role") in document.context.roles_at_risk
    return {"pseudonym_possible": "true" if is_at_risk else "false"}


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
        "kind": "person",
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
    "figure": NewForm("figures", proposals.figure, _added),
    "mention": NewForm("mentions", proposals.mention, _mention_added),
    "waiver": NewForm("waivers", _waiver, _added),
    "erratum": NewForm("errata", _erratum, _added),
    "boilerplate": NewForm("boilerplate", _boilerplate, _boilerplate_added),
    "reading": NewForm("readings", _reading, _reading_added),
}
"""The forms for new records by kind."""


# ---- existing records ----------------------------------------------------------------------------


def current_values(record: Any, table: str) -> dict[str, Value]:
    """Return the values of a record in the form of the fields."""
    return values_of(record, fields_of(MODELS[table]))


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
        if _filled(given) != _filled(before[field.key]):
            found[field.key] = in_yaml_of(field, given, search.evidence(field.key))
    if table == "speakers":
        found |= _keys_without_field({**before, **values})
    return found


def with_pseudonym(document: Document, speaker: Any, values: Values) -> Values:
    """Return the values of a speaker, if only part of the name is now printed, with whether this
    may be a pseudonym.
    """
    if getattr(speaker, "anonymity", "") == "partial":
        return values
    stated = {**current_values(speaker, "speakers"), **values}
    return {**values, **_pseudonym_of_role(document, stated)}


def _keys_without_field(values: Values) -> dict[str, str]:
    """Return the keys that the changed kind of a speaker does not have, to remove them."""
    entry = {key: value for key, value in values.items() if value and isinstance(value, str)}
    model = speaker_model(entry)
    keys = {field.key for field in fields_of(_SPEAKERS)}
    left_out = keys - set(model.model_fields) if model else set()
    if entry.get("kind") != "person":
        left_out.add("anonymity")
    return dict.fromkeys(sorted(left_out), "")


def _filled(value: Value) -> Value:
    """Return a value without empty texts, groups and rows."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Mapping):
        inner = {key: _filled(each) for key, each in value.items()}
        return {key: each for key, each in inner.items() if each}
    rows = [_filled(row) for row in value]
    return [row for row in rows if row]
