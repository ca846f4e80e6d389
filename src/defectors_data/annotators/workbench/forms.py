"""Forms for records: the values proposed for selected words, and the YAML of a filled-in form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, get_args

from defectors_data.annotators.proposals import UnusedIds, nearest_speaker
from defectors_data.annotators.worklist import years
from defectors_data.corpus.findings import Path
from defectors_data.corpus.yaml_escapes import in_yaml
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import LedgerEntry, ledger_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models import closed_vocabularies as v
from defectors_data.models.fields import LONGEST_SERVICE, OLDEST, plain_line, plain_number
from defectors_data.text import quantities
from defectors_data.text.occurrences import slug
from defectors_data.text.offsets import Span, is_inside, overlaps
from defectors_data.text.unattributed_verbs import verbs

_CLOSED = {
    "mode": v.Mode,
    "hedge": v.Hedge,
    "kind": v.Kind,
    "anonymity": v.Anonymity,
    "reason": v.WaiverReason,
    "purpose": v.ReadingPurpose,
}
"""The closed vocabularies, by the key that takes their values."""
_OPEN = {"role": "roles", "rank_class": "rank_classes", "branch": "branches", "unit": "units"}
"""Lists of the vocabulary, by the key whose values must be terms of the list."""


class RequestError(ValueError):
    """A request cannot be fulfilled; the message gives the reason."""

    status = 403


class Field(NamedTuple):
    """A field of a form: its key, the proposed value, and suggested values."""

    key: str
    value: str = ""
    options: tuple[str, ...] = ()
    required: bool = False
    guess: str = ""
    """If the value is a guess, a note that says what is uncertain; otherwise ""."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The permitted values; empty if every value is permitted."""
        return (
            ("", *(get_args(_CLOSED[self.key]) if self.key in _CLOSED else self.options))
            if self.is_closed
            else ()
        )

    @property
    def is_closed(self) -> bool:
        """Whether only the values in `choices` are permitted."""
        return self.key in _CLOSED or self.key in _OPEN


Values: TypeAlias = Mapping[str, str]
"""The values of a filled-in form, by key."""


class Addition(NamedTuple):
    """An item as YAML, without its dash, and the path of the list to which it is added."""

    path: Path
    item: str


class Form(NamedTuple):
    """The form for a kind of record: functions that propose values and convert the filled-in form to YAML."""

    propose: Callable[[Document, Span], tuple[Sequence[Span], list[Field]]]
    add: Callable[[Document, Sequence[Span], Values], Addition]


# ---- testimonies -------------------------------------------------------------------------------------------------


def _testimony(document: Document, span: Span) -> tuple[Sequence[Span], list[Field]]:
    quotations = ledger_of(document).quotations
    quotation = next((each for each in quotations if is_inside(span, [each])), None)
    spans, mode = (
        [span],
        "indirect" if verbs(document.text, span, ledger_of(document).quoted) else "narrated",
    )
    if quotation:
        spans, mode = [Span(quotation.start, quotation.end)], "direct"
        rest = Span(quotation.end, _paragraph(document.text, span).end)
        for found in (
            each.detection for each in ledger_of(document).within([rest]) if each.status == "open"
        ):
            if (
                found.kind == "quotation" and found.start >= spans[-1].end
            ):  # it may continue the speech
                spans.append(Span(found.start, found.end))
    known = document.context.triggers_by_theme
    themes = [
        theme
        for theme, triggers in known.items()
        if triggers and triggered(document.text, spans, triggers)
    ]
    return spans, [
        Field("speaker", nearest_speaker(document, span) or "", _speakers(document), required=True),
        Field("mode", mode),
        Field("themes", ", ".join(themes or ["other"]), tuple(known), required=True),
        Field("outlet", "", tuple(document.source.cited_outlets)),
    ]


def _testimony_added(document: Document, spans: Sequence[Span], values: Values) -> Addition:
    themes = ", ".join(map(_scalar, re.findall(r"[^,;\s]+", values.get("themes", "other"))))
    evidence = _evidence(document, spans, direct=values.get("mode") == "direct")
    identified = [("id", UnusedIds.of(document).next("t")), *_given(values, "speaker", "mode")]
    rows = [
        *identified,
        ("evidence", evidence),
        ("themes", f"[{themes}]"),
        *_given(values, "outlet"),
    ]
    return Addition(("testimonies",), _yaml(rows))


# ---- figures -----------------------------------------------------------------------------------------------------

_CLAUSE_END = r"\s+(?:and|but|or|while|when|because|after)\b|[\n,.;:!?\"“”«»()—–]|\Z"
_CLAUSE = re.compile(rf".*?(?={_CLAUSE_END})", re.DOTALL)
_WORD_BEFORE = re.compile(r"\S+[ \u00a0]$")
_LONGEST_HEDGE = 5
"""Maximum number of words before a number among which its hedge is searched for."""
_WORDS = re.compile(r"[^\W\d_]{3,}")
_DEFINITION = "definition of a new measure"


def _figure(document: Document, span: Span) -> tuple[Sequence[Span], list[Field]]:
    entries = (each for each in ledger_of(document).entries if each.detection.quantity)
    entry = next((each for each in entries if overlaps(span, [each.detection])), None)
    if entry and is_inside(span, [entry.detection]):
        span = _phrase(document, entry)
    said = entry.detection.quantity if entry else None
    counted = plain_line(document.text[entry.detection.end if entry else span.start : span.end])
    unit = (said and (said.unit or said.likely_unit)) or "other"
    other, scale = (said.other_hedge, said.other_scale) if said else (None, None)
    bounds = ((key, getattr(said, key, None)) for key in ("value", "low", "high"))
    outer = next(
        (
            item
            for path, item in document.testimonies
            if is_inside(span, document.evidence_of(path))
        ),
        None,
    )
    vocabulary = document.context.vocabulary.content
    measures = tuple(each.term for each in vocabulary.measures)
    return [span], [
        Field("measure", _measure(document, counted, unit), measures, required=True),
        *(
            Field(
                key,
                "" if number is None else plain_number(number),
                guess=f"or {plain_number(number * scale)}" if number and scale else "",
            )
            for key, number in bounds
        ),
        Field("hedge", said.hedge if said else "exact", guess=f"or {other}" if other else ""),
        Field(
            "unit",
            unit,
            _terms(document, "unit"),
            guess="" if said and said.unit else "the words state no unit",
        ),
        Field(_DEFINITION),
        Field("population", "", tuple(each.term for each in vocabulary.populations)),
        Field("counted", counted or plain_line(document.text[slice(*span)]), required=True),
        Field(
            "attributed_to",
            outer.speaker if outer and outer.mode != "narrated" else "",
            _speakers(document),
        ),
        Field(
            "testimony",
            outer.id if outer else "",
            tuple(each.id for _, each in document.testimonies),
        ),
        *map(Field, ("as_of", "place", "override")),
    ]


def _phrase(document: Document, entry: LedgerEntry) -> Span:
    """Return the span of a number, the words before it that state its hedge, and the rest of the clause after it."""
    text, found = document.text, entry.detection
    starts = [found.start]
    while len(starts) <= _LONGEST_HEDGE and (
        before := _WORD_BEFORE.search(text, max(0, starts[-1] - 40), starts[-1])
    ):
        starts.append(before.start())
    read = ((start, quantities.read_quantity(text[start : found.end])) for start in starts)
    hedge = found.quantity and found.quantity.hedge
    start = next(
        (start for start, quantity in read if quantity and quantity.hedge == hedge), found.start
    )
    clause = _CLAUSE.match(text, found.end)
    after = (
        each.detection.start
        for each in ledger_of(document).entries
        if each.detection.start >= found.end
    )
    end = min(clause.end() if clause else found.end, next(after, len(text)))
    return Span(start, start + len(text[start:end].rstrip()))


def _measure(document: Document, words: str, unit: str) -> str:
    """Return the measure whose term and definition share the most words with a phrase, or "" if none shares any."""
    measures = [
        each
        for each in document.context.vocabulary.content.measures
        if not each.units or unit in each.units
    ]
    said = _stems(words)
    common = {
        each.term: len(said & _stems(f"{each.term.replace('_', ' ')} {each.definition}"))
        for each in measures
    }
    best = max(common, key=lambda term: common[term], default="")
    return best if common.get(best) else ""


def _stems(words: str) -> set[str]:
    return {word.casefold().rstrip("s") for word in _WORDS.findall(words)} - {
        "the",
        "who",
        "that",
        "were",
        "have",
    }


def _figure_added(document: Document, spans: Sequence[Span], values: Values) -> Addition:
    keys = "value low high hedge unit measure population counted attributed_to testimony as_of place override".split()
    rows = [("id", UnusedIds.of(document).next("f")), ("evidence", _evidence(document, spans))]
    return Addition(("figures",), _yaml([*rows, *_given(values, *keys)]))


def new_measure(document: Document, values: Values) -> Addition | None:
    """Return the measure of a figure as a new entry of the vocabulary, or None if it is empty or already there."""
    measure = values.get("measure", "")
    if not measure or any(
        each.term == measure for each in document.context.vocabulary.content.measures
    ):
        return None
    said = values.get(_DEFINITION) or values.get("counted", "")
    definition = f"{said[:1].upper()}{said[1:].rstrip('.')}."
    rows = [*_given({"term": measure, "definition": definition}, "term", "definition")]
    return Addition(("measures",), _yaml([*rows, ("units", f"[{values.get('unit', 'other')}]")]))


# ---- mentions ----------------------------------------------------------------------------------------------------

_CAPITALISED = r"[^\W\d_a-z][\w’'-]+"
_NAME = re.compile(rf"{_CAPITALISED}(?: (?:{_CAPITALISED}|de|del|la|van|von))* {_CAPITALISED}")
_INTRODUCTION = re.compile(rf"{_NAME.pattern}(?:, \d+)?(?:, (?:an?|the) [^\n,.;“”\"]+)?")
"""A name with its age and description, such as `Milo Arden, 31, a keeper`."""
_OF_SPEAKER = ("kind", "role", "anonymity", "name", "rank_class", "branch")
_OF_MENTION = ("rank", "age", "years_of_service", "affiliation")


def _mention(document: Document, span: Span) -> tuple[Sequence[Span], list[Field]]:
    span, inside = _introduction(document, span), {}
    for entry in ledger_of(document).within([span]):
        said = entry.detection.quantity
        key, most = (
            ("years_of_service", LONGEST_SERVICE)
            if said and said.unit == "year"
            else ("age", OLDEST)
        )
        if (number := years(entry.detection, most)) is not None:
            inside[key] = str(number)
    found = _NAME.search(document.text[slice(*span)])
    name = found[0] if found else ""
    guesses = {
        "role": "other",
        "kind": "person",
        "anonymity": "named" if name else "unnamed",
        "name": name,
        **inside,
    }
    for key, options in document.context.triggers_by_attribute.items():
        for value, triggers in options.items():
            if triggered(document.text, [span], triggers):
                guesses[key] = value
    known = slug(name) if slug(name) in _speakers(document) else ""
    keys = ("kind", "anonymity", "name", "rank_class", "branch", *_OF_MENTION)
    speaker = Field("speaker", known, _speakers(document))
    fields = (Field(key, guesses.get(key, ""), _terms(document, key)) for key in ("role", *keys))
    return [span], [next(fields), speaker, *fields]


def _terms(document: Document, key: str) -> tuple[str, ...]:
    """Return the terms that are permitted as values of a key; empty if the vocabulary does not restrict them."""
    listed = getattr(document.context.vocabulary.content, _OPEN[key]) if key in _OPEN else ()
    return (*(v.MEANINGS["Unit"] if key == "unit" else ()), *(term.term for term in listed))


def _introduction(document: Document, span: Span) -> Span:
    """Return the nearest introduction of a person in the paragraph, or `span` if there is none.

    A span that is not exactly that of a ledger entry is returned unchanged.
    """
    # The span of a ledger entry was usually selected with the key `n`; the annotator chose any other span on purpose.
    if not any(
        Span(each.detection.start, each.detection.end) == span
        for each in ledger_of(document).entries
    ):
        return span
    found = (
        Span(*hit.span())
        for hit in _INTRODUCTION.finditer(document.text, *_paragraph(document.text, span))
    )
    outside = [each for each in found if not ledger_of(document).quoted.contains(*each)]
    return min(
        outside, key=lambda each: max(each.start - span.end, span.start - each.end), default=span
    )


def _mention_added(document: Document, spans: Sequence[Span], values: Values) -> Addition:
    """Return a new mention of a speaker who has an entry in the file, or else a new entry with the mention."""
    ids, name, kind = UnusedIds.of(document), values.get("speaker", ""), values.get("kind")
    entries = {entry.id: i for i, (_, entry) in enumerate(document.entries)}
    speaker = document.speakers_by_id.get(name) or document.context.shared.get(name)
    partial = kind == "person" and values.get("anonymity") == "partial"
    at_risk = values.get("role") in document.context.roles_at_risk
    public = kind == "institution" or (kind == "person" and values.get("anonymity") == "named")
    public |= partial and not at_risk
    public = not speaker.protected if speaker else public
    # The age, rank and other attributes of a protected person are left out, because they could identify the person.
    rows = [("id", ids.next("m")), ("evidence", _evidence(document, spans))]
    mention = _yaml([*rows, *(_given(values, *_OF_MENTION) if public else ())])
    if name in entries:
        return Addition(("speakers", entries[name], "mentions"), mention)
    mentions = "mentions:\n  - " + mention.rstrip("\n").replace("\n", "\n    ")
    if speaker:
        return Addition(("speakers",), f"use: {name}\n{mentions}")
    new = name or (slug(values["name"]) if public and "name" in values else ids.next("speaker-"))
    left_out = {
        *(() if kind == "person" else ("anonymity",)),
        *(() if public or partial else ("name",)),
    }
    described = _given(values, *(key for key in _OF_SPEAKER if key not in left_out))
    described += [("pseudonym_possible", "true" if at_risk else "false")] if partial else []
    return Addition(("speakers",), f"{_yaml([('id', new), *described])}{mentions}")


# ---- waivers, boilerplate and readings ---------------------------------------------------------------------------


def _waiver(document: Document, span: Span) -> tuple[Sequence[Span], list[Field]]:
    words = document.text[slice(*span)].strip(" ,.")
    entries = (
        each
        for each in ledger_of(document).entries
        if each.status == "open" and overlaps(span, [each.detection])
    )
    kind = next((each.detection.kind for each in entries), "")
    said = (
        (each.id, document.words((*path, "evidence")) or "") for path, each in document.testimonies
    )
    repeated = next((name for name, text in said if words in text), "")
    records = tuple(
        name for _, table, name in document.records if table in ("testimonies", "figures")
    )
    reason = "repeat" if repeated else kind if kind in get_args(v.WaiverReason) else "term"
    return [span], [
        Field("reason", reason),
        Field("repeats", repeated, records),
        Field("every_occurrence"),
    ]


def _waiver_added(document: Document, spans: Sequence[Span], values: Values) -> Addition:
    every = values.get("every_occurrence") == "true"
    # A waiver for every occurrence must not have selectors such as `prefix`, which choose one of them.
    evidence = in_yaml(document.text[slice(*spans[0])]) if every else _evidence(document, spans)
    rows = [("id", UnusedIds.of(document).next("w")), ("evidence", evidence)]
    return Addition(
        ("waivers",), _yaml([*rows, *_given(values, "reason", "repeats", "every_occurrence")])
    )


def _boilerplate_added(document: Document, spans: Sequence[Span], _: Values) -> Addition:
    return Addition(("source", "boilerplate"), chosen_in_yaml(spans[0], document.text))


def _reading(document: Document, _: Span) -> tuple[Sequence[Span], list[Field]]:
    purpose = "correction" if document.content.readings else "first"
    given = {
        "reader": "reader-1",
        "date": "",
        "purpose": purpose,
        "version": document.context.dataset.content.version,
    }
    return [], [Field(key, value) for key, value in given.items()]


def _reading_added(_: Document, __: Sequence[Span], values: Values) -> Addition:
    rows = _given(values, "reader", "date", "purpose", "version")
    return Addition(("readings",), f"{{{', '.join(f'{key}: {value}' for key, value in rows)}}}")


FORMS = {
    "testimony": Form(_testimony, _testimony_added),
    "figure": Form(_figure, _figure_added),
    "mention": Form(_mention, _mention_added),
    "waiver": Form(_waiver, _waiver_added),
    "boilerplate": Form(lambda _, span: ([span], []), _boilerplate_added),
    "reading": Form(_reading, _reading_added),
}
"""The forms by kind of record; on the page, pressing the first letter of a kind opens its form."""


# ---- spans and YAML ----------------------------------------------------------------------------------------------


def _speakers(document: Document) -> tuple[str, ...]:
    """Return the ids of the speakers in the file, and of the shared speakers."""
    return tuple(
        dict.fromkeys([*(entry.id for _, entry in document.entries), *document.context.shared])
    )


def _paragraph(text: str, span: Span) -> Span:
    end = text.find("\n", span.end)
    return Span(text.rfind("\n", 0, span.start) + 1, end if end >= 0 else len(text))


def _evidence(document: Document, spans: Sequence[Span], *, direct: bool = False) -> str:
    """Return evidence as YAML: one part, or a list with one part per line."""
    quotations = ledger_of(document).quotations if direct else []
    broken = [each for each in quotations if each.unclosed or each.unopened]
    missing: dict[Any, str] = {
        (each.start, each.end): "closing" if each.unclosed else "opening" for each in broken
    }
    parts = [
        chosen_in_yaml(span, document.text, unbalanced=missing.get(tuple(span))) for span in spans
    ]
    return parts[0] if len(parts) == 1 else "".join(f"\n  - {part}" for part in parts)


def _scalar(value: str) -> str:
    """Return a value as YAML: plain if it is one word, otherwise in quotation marks."""
    return value if re.fullmatch(r"[A-Za-z0-9][\w.~-]*", value) else in_yaml(value)


def _given(values: Values, *keys: str) -> list[tuple[str, str]]:
    return [(key, _scalar(values[key])) for key in keys if values.get(key)]


def _yaml(rows: Iterable[tuple[str, str]]) -> str:
    return "".join(
        f"{key}:{'' if value.startswith(chr(10)) else ' '}{value}\n" for key, value in rows
    )
