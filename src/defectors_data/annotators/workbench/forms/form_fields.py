"""The fields of the forms for records: their values, their choices, and for which values they apply.

A form has a field for each key of a record, which `record_fields` reads from the models. Fields
that the corpus does not use are folded away. New and existing records have the same form.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

from defectors_data.annotators.proposals.attributions import PARTS_TYPED, attribution_parts
from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.record_fields import (
    MENTIONS,
    MODELS,
    SPEAKERS,
    FieldType,
    RecordField,
    Value,
    Values,
    current_values,
    fields_of,
    mnemonics,
    terms_of,
)
from defectors_data.annotators.workbench.shown_records import (
    NEW_SPEAKER,
    NEW_SPEAKER_LABEL,
    SAME_AS,
    WRITER,
    WRITER_LABEL,
    speaker_labels,
)
from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import VOCABULARY_LISTS
from defectors_data.evidence.annotated_document import Document
from defectors_data.models import annotation
from defectors_data.models.annotation import SPEAKER_MODELS
from defectors_data.models.closed_vocabularies import MEANINGS, Anonymity
from defectors_data.rules.attribution import not_continued
from defectors_data.rules.figures import doubting_cue
from defectors_data.text.intervals import BOUNDS
from defectors_data.text.offsets import Span, overlaps, surroundings


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
    excludes: tuple[str, ...] = ()
    """The keys of the fields of the same group that are emptied when this one gets a value."""
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
    "source": ("title", "subtitle", "cited_outlets"),
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
    def path(self) -> Path | None:
        """The path of a testimony; None for a new one."""
        paths = [path for path, each in self.document.testimonies if each.id == self.record]
        return next(iter(paths), None)

    @property
    def start(self) -> int:
        """The offset at which the words of the record start; without any, the end of the text."""
        if self.spans:
            return self.spans[0].start
        return len(self.document.text)

    @property
    def end(self) -> int:
        """The offset at which the words of the record end."""
        if self.spans:
            return self.spans[-1].end
        return len(self.document.text)

    def fields(
        self, table: str, values: Values, notes: Mapping[str, str] | None = None
    ) -> list[FormField]:
        """Return the fields of the form for a record of a table, with values."""
        fields: Sequence[RecordField] = fields_of(MODELS[table])
        if table == "mentions" and "kind" in values:
            # A new mention also describes its speaker, unless that speaker is known.
            fields = (_WHO, *fields_of(SPEAKERS), *fields)
        if table == "figures":
            fields = (*fields, _MISPRINT)
        found = [self._field(field, values.get(field.key, "")) for field in fields]
        for i, each in enumerate(found):
            if (table, each.key) == ("figures", "attribution"):
                # A figure is usually attributed by its testimony.
                found[i] = each._replace(shown=bool(each.value))
            if table == "source" and each.key in _OF_EACH_SOURCE:
                found[i] = each._replace(shown=True)
            if (table, each.key) == ("testimonies", "speaker"):
                introduced = Choice(NEW_SPEAKER, NEW_SPEAKER_LABEL)
                typed = f"{each.description} {_typed(each.choices)}"
                found[i] = each._replace(choices=(*each.choices, introduced), description=typed)
            if (table, each.key) == ("testimonies", "attribution"):
                found[i] = each._replace(fields=self._with_speakers(each.fields))
        for i, each in enumerate(found):
            found[i] = each._replace(applies=_applies(table, each.key))
        first = _FIRST.get(table, ())
        found.sort(key=lambda each: first.index(each.key) if each.key in first else len(first))
        guesses = notes or {}
        for i, each in enumerate(found):
            guess, hedges = guesses.get(each.key, ""), list[str]()
            if table == "figures":
                hedges = [hedge for hedge, numbers in BOUNDS.items() if each.key in numbers]
            found[i] = each._replace(guess=guess, hedges=tuple(hedges))
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
        if table == "speakers":
            return self._with_same_as(found)
        return found

    def _cue_of(self, figure: annotation.Figure) -> str:
        paths = [path for path, each in self.document.figures if each.id == figure.id]
        if not paths:
            return ""
        return doubting_cue(self.document, paths[0], figure)

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
        first, *rest = fields
        hidden = [each._replace(applies={**each.applies, SAME_AS: ("",)}) for each in rest]
        return [first._replace(applies={**first.applies, SAME_AS: ("",)}), asked, *hidden]

    def _field(self, field: RecordField, value: Value) -> FormField:
        if field.key == "counted" and value == PLACEHOLDERS["counted"]:
            value = ""
        choices = self._choices(field, value)
        inner = [self._field(each, each.default) for each in field.fields]
        if field.type is FieldType.GROUP and isinstance(value, Mapping):
            inner = [self._field(each, value.get(each.key, "")) for each in field.fields]
        if field.key == "attribution":
            for i, each in enumerate(inner):
                others = [kind for kind in _KINDS_OF_ATTRIBUTION if each.key not in kind]
                inner[i] = each._replace(excludes=tuple(chain.from_iterable(others)))
        listed = terms_of(field)
        if listed == "places":
            listed = ""
        separates_names = field.type is FieldType.LIST and field.separator == "; "
        separator = field.separator if separates_names else ""
        if field.type is FieldType.WORDS and field.separator:
            separator = f" {PARTS_TYPED} "
        return FormField(
            field.key,
            field.type.value,
            value,
            choices,
            bool(field.meanings) or field.key in _OF_RECORDS,
            field.required or field.key in self.document.context.codes_required,
            description=field.description,
            shown=bool(value) or self._is_used(field),
            fields=tuple(inner),
            separator=separator,
            terms=listed,
        )

    def _with_speakers(self, fields: Sequence[FormField]) -> tuple[FormField, ...]:
        """Return the fields of an attribution, of which the values follow the speaker who is chosen.
        Those that lead to other records are folded away if its words need none. The form of a draft
        without any has those of its speaker.
        """
        # Whether the words are about the speaker follows from the mode.
        found = [field for field in fields if field.key != "about"]
        said = {field.key: str(field.value) for field in found}
        if not self.spans or said["none"]:
            return tuple(found)
        at, led, chosen = self.path, dict[str, dict[str, str]](), ""
        for path, testimony in self.document.testimonies:
            if path == at and testimony.draft and not testimony.attribution:
                chosen = testimony.speaker
        for speaker in self.document.speakers_by_id:
            led[speaker] = connections.attribution_of(self.document, self.spans, said, speaker, at)
        if at and not said["words"]:
            led[WRITER] = {"none": WRITER}
        for i, field in enumerate(found):
            by_speaker = {speaker: values.get(field.key, "") for speaker, values in led.items()}
            is_led = any(by_speaker.values())
            if field.key == "words":
                by_speaker[""] = said["words"]
            if field.key in _INDIRECT and said["words"]:
                found[i] = field._replace(shown=is_led or bool(field.value))
            if field.key == "none" and "unclear" in by_speaker.values():
                found[i] = field._replace(shown=True)
            if is_led or field.value:
                value = by_speaker.get(chosen, field.value)
                found[i] = found[i]._replace(by_speaker=by_speaker, value=value)
        return tuple(found)

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
        if listed := terms_of(field):
            return self._terms(listed)
        if field.key in _OF_RECORDS:
            offered = _OF_RECORDS[field.key](self)
            is_open = value in ("", NEW_SPEAKER, *PLACEHOLDERS.values())
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
        fields = (_WHO, *fields_of(SPEAKERS), *fields_of(MENTIONS), same)
    return mnemonics(fields, BASIC - {"note"} | {"misprint", "stance"})


def with_letters(table: str, fields: Sequence[FormField]) -> list[FormField]:
    """Return the fields of a form for a table with the letters that lead to them. A field that is
    folded away has none that a visible field has.
    """
    letters, visible = mnemonics_of(table), set[tuple[str, ...]]()
    for field in fields:
        inner = [each.key for each in field.fields if each.shown or each.required]
        if field.shown:
            visible.update([(field.key,), *((field.key, key) for key in inner)])
    taken = {letters[path] for path in visible & letters.keys()}

    def letter(*path: str) -> str:
        found = letters.get(path, "")
        if path in visible or found not in taken:
            return found
        return ""

    lettered = list[FormField]()
    for field in fields:
        inside = [each._replace(mnemonic=letter(field.key, each.key)) for each in field.fields]
        lettered.append(field._replace(mnemonic=letter(field.key), fields=tuple(inside)))
    return lettered


_KINDS_OF_ATTRIBUTION = (("words", "antecedent", "rival"), ("continues",), ("none",))
"""The keys of the kinds of an attribution, of which it has one."""
_INDIRECT = frozenset({"antecedent", "rival", "continues"})
"""The keys of an attribution that say whom words mean that are no name."""


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
    else:
        # Nor does a group have the details of a person.
        for shape, model in SPEAKER_MODELS.items():
            mention = get_args(model.model_fields["mentions"].annotation)[0]
            if key in mention.model_fields:
                of_speaker.append(shape)
    if key == "anonymity":
        of_speaker = list(get_args(Anonymity))
    if of_speaker and len(of_speaker) < len(SPEAKERS):
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


_MISPRINT = _WHO._replace(
    key="misprint",
    type=FieldType.GROUP,
    description="If the number is wrong in the article: adds an erratum with the same words.",
    fields=tuple(
        field for field in fields_of((annotation.Erratum,)) if field.key in ("wrong", "known")
    ),
)


# ---- choices of records --------------------------------------------------------------------------


def _speakers(context: FormContext) -> tuple[Choice, ...]:
    document = context.document
    found = [Choice("", "")]
    found += [Choice(name, label) for name, label in speaker_labels(document).items()]
    if not any(entry.kind == WRITER for _, entry in document.speakers):
        found.append(Choice(WRITER, WRITER_LABEL))
    return tuple(found)


def _typed(speakers: Sequence[Choice]) -> str:
    """Return what to type in a list of speakers to choose a speaker who is not in it."""
    is_named = all(choice.label != WRITER_LABEL for choice in speakers)
    writer = "" if is_named else ", “the writer” for the writer"
    return f"Type “a new” for a speaker who is not in the list{writer}."


_LONGEST_LABEL = 60


class _Placed(NamedTuple):
    """A record to which another one could refer, with its words."""

    name: str
    table: str
    words: Span
    label: str
    speaker: str | None
    """The speaker whom it mentions, or who makes the statement; None for a figure."""


def _placed(context: FormContext, *tables: str) -> list[_Placed]:
    """Return the other records of some tables that have words, with a short label that begins with
    the name of the speaker whom a record mentions, or who makes a statement.
    """
    document, found = context.document, []
    speakers, said_by = speaker_labels(document), dict[str, str]()
    for _, testimony in document.testimonies:
        said_by[testimony.id] = testimony.speaker
    for path, table, name in document.records:
        spans = document.evidence_of(path)
        if table not in tables or not spans or name == context.record:
            continue
        words = document.words((*path, "evidence")) or ""
        number = name.removeprefix(f"{document.source.id}-")
        speaker = document.entry_of(path).id if table == "mentions" else said_by.get(name)
        if speaker in speakers:
            number = f"{speakers[speaker]}, {number}"
        label = f"{number}: {words[:_LONGEST_LABEL]}"
        whole = Span(spans[0].start, spans[-1].end)
        found.append(_Placed(name, table, whole, label, speaker))
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
    """Return the mentions and testimonies to which a pronoun can refer: first those of the speaker of
    the testimony, from the last to the first.
    """
    own, others = _possible_antecedents(context)
    # A testimony that is attributed to the same pronoun leads nowhere, so mentions come first.
    mentions = [each for each in others if each.table == "mentions"]
    testimonies = [each for each in others if each.table == "testimonies"]
    listed = [Choice("", "")]
    for group in (own, mentions, testimonies):
        listed += _nearest_first(group, context.end)[1:]
    return tuple(listed)


def _possible_antecedents(context: FormContext) -> tuple[list[_Placed], list[_Placed]]:
    """Return the mentions and testimonies of the speaker of a testimony, and those of others: mentions
    before the words that attribute it, or else before the end of its sentence.
    """
    document = context.document
    words = Span(context.start, context.end)
    speaker, attributing = "", attribution_parts(document, words)
    for path, testimony in document.testimonies:
        if testimony.id == context.record:
            speaker = testimony.speaker
            attributing = document.at((*path, "attribution", "words"))
    # The words of the attribution may follow the testimony in its sentence.
    limit = attributing[0].start if attributing else surroundings(document.text, words)[0].end
    limits = {"mentions": limit, "testimonies": context.start}
    own, others = list[_Placed](), list[_Placed]()
    for each in _placed(context, "mentions", "testimonies"):
        if each.words.start < limits[each.table]:
            same = own if each.speaker == speaker else others
            same.append(each)
    return own, others


def _rivals(context: FormContext) -> tuple[Choice, ...]:
    """Return the mentions of others whom the words can mean: those before their end; last those of
    the speaker, who may be another one in the form.
    """
    listed = [Choice("", "")]
    for group in reversed(_possible_antecedents(context)):
        mentions = [each for each in group if each.table == "mentions"]
        listed += _nearest_first(mentions, context.end)[1:]
    return tuple(listed)


def _continued(context: FormContext) -> tuple[Choice, ...]:
    """Return the testimonies that a testimony can continue if their speaker is its own, which the
    rules permit; of a new one, those before it.
    """
    document, path, records = context.document, context.path, _placed(context, "testimonies")
    found = [each for each in records if each.words.start < context.start]
    if path:
        known = [each for each in records if each.speaker in document.speakers_by_id]
        found = []
        for each in known:
            if not not_continued(document, context.spans, str(each.speaker), each.name):
                found.append(each)
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
