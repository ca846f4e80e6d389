"""Forms for records: the values proposed for selected words, and the YAML of a filled-in form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias, get_args

from defectors_data.annotators import proposals
from defectors_data.annotators.proposals import Proposal, known_speakers
from defectors_data.annotators.record_yaml import (
    MODELS,
    UnusedIds,
    entry_yaml,
    lines_of,
    record_yaml,
)
from defectors_data.annotators.worklist import groups
from defectors_data.corpus.findings import Path
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.models import closed_vocabularies as v
from defectors_data.text.occurrences import slug
from defectors_data.text.offsets import Span, is_inside

_CLOSED = {
    "mode": v.Mode,
    "hedge": v.Hedge,
    "polarity": v.Polarity,
    "kind": v.Kind,
    "anonymity": v.Anonymity,
    "reason": v.WaiverReason,
    "purpose": v.ReadingPurpose,
}
"""The closed vocabularies, by the key that takes their values."""
_OPEN = {"role": "roles", "rank_class": "rank_classes", "branch": "branches", "unit": "units"}
"""Lists of the vocabulary, by the key whose values must be terms of the list."""
_SUGGESTED = {"measure": "measures", "population": "populations", "themes": "themes"}
"""Lists of the vocabulary, by the key that may also have other values."""


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
        if self.key == "kind" and self.options:
            return ("", *self.options)
        if self.key in _CLOSED:
            return ("", *get_args(_CLOSED[self.key]))
        return ("", *self.options) if self.key in _OPEN else ()


Values: TypeAlias = Mapping[str, str]
"""The values of a filled-in form, by key."""


class Addition(NamedTuple):
    """An item as YAML, without its dash, and the path of the list to which it is added."""

    path: Path
    item: str


class Form(NamedTuple):
    """The form for a kind of record: functions that propose it and convert it to YAML."""

    table: str
    propose: Callable[[Document, Span], Proposal]
    add: Callable[[Document, Proposal], Addition]


def fields(document: Document, proposal: Proposal) -> list[Field]:
    """Return the fields of a form with the values of a proposal."""
    found = []
    for key, value in proposal.values.items():
        options = _options(document, key)
        if proposal.table == "readings" and key == "kind":
            options = get_args(v.ReaderKind)
        guess = proposal.notes.get(key, "")
        found.append(Field(key, value, options, _is_required(proposal.table, key), guess))
    return found


def _is_required(table: str, key: str) -> bool:
    model = MODELS.get(table)
    return model is not None and key in model.model_fields and model.model_fields[key].is_required()


def _options(document: Document, key: str) -> tuple[str, ...]:
    """Return the values that are permitted or suggested for a key of a record."""
    if name := (_OPEN | _SUGGESTED).get(key):
        terms = tuple(term.term for term in getattr(document.context.vocabulary.content, name))
        return (*v.MEANINGS["Unit"], *terms) if key == "unit" else terms
    if key in ("speaker", "attributed_to"):
        return known_speakers(document)
    if key == "antecedent":
        return tuple(mention.id for _, mention in document.mentions)
    if key == "testimony":
        return tuple(each.id for _, each in document.testimonies)
    if key == "outlet":
        return tuple(document.source.cited_outlets)
    if key == "repeats":
        repeated = ("testimonies", "figures")
        return tuple(name for _, table, name in document.records if table in repeated)
    return ()


def filled_in(kind: str, document: Document, spans: tuple[Span, ...], values: Values) -> Addition:
    """Return the record of a filled-in form."""
    return FORMS[kind].add(document, Proposal(FORMS[kind].table, spans, values))


# ---- testimonies, figures and waivers ------------------------------------------------------------


def _testimony(document: Document, span: Span) -> Proposal:
    """Return the testimony for selected words; inside a quotation, for all of its parts."""
    spans = [span]
    for quotation in quotations_of(document):
        if is_inside(span, [quotation]):
            spans = [Span(quotation.start, quotation.end)]
            break
    for group in groups(document):
        parts = [Span(each.start, each.end) for each in group]
        if spans[0] in parts:
            spans = parts
    return proposals.testimony(document, spans)


_DEFINITION = "definition of a new measure"


def _figure(document: Document, span: Span) -> Proposal:
    proposal = proposals.figure(document, span)
    measure = proposals.likely_measure(document, proposal)
    values = {"measure": measure, _DEFINITION: ""}
    return proposal._replace(values={**proposal.values, **values})


def _testimony_added(document: Document, proposal: Proposal) -> Addition:
    """Return a testimony; a pronoun leads to the last mention of the speaker who was chosen."""
    values, span = proposal.values, proposal.spans[0]
    is_as_proposed = values.get("attribution") == proposals.attribution(document, span)
    if is_as_proposed and not values.get("antecedent"):
        antecedent = proposals.antecedent(document, span, values.get("speaker", ""))
        proposal = proposal._replace(values={**values, "antecedent": antecedent})
    return _added(document, proposal)


def _added(document: Document, proposal: Proposal) -> Addition:
    name = UnusedIds.of(document).next(proposal.table[0])
    return Addition((proposal.table,), record_yaml(document, proposal, name))


def new_measure(document: Document, values: Values) -> Addition | None:
    """Return the measure of a figure for the vocabulary; None if it is empty or known."""
    measure = values.get("measure", "")
    known = {each.term for each in document.context.vocabulary.content.measures}
    if not measure or measure in known:
        return None
    said = values.get(_DEFINITION) or values.get("counted", "")
    rows = {"term": scalar(measure)}
    if said:
        rows["definition"] = scalar(f"{said[:1].upper()}{said[1:].rstrip('.')}.")
    rows["units"] = f"[{scalar(values.get('unit', 'other'))}]"
    return Addition(("measures",), lines_of(rows))


# ---- mentions ------------------------------------------------------------------------------------

_OF_SPEAKER = ("kind", "role", "anonymity", "name", "rank_class", "branch")


def _mention_added(document: Document, proposal: Proposal) -> Addition:
    """Return a mention of a speaker in the file, or else a new entry with the mention."""
    ids, values = UnusedIds.of(document), proposal.values
    name = values.get("speaker", "")
    speaker = document.speakers_by_id.get(name) or document.context.shared.get(name)
    is_partial = values.get("kind") == "person" and values.get("anonymity") == "partial"
    is_public = not speaker.protected if speaker else _is_public(document, values)
    # The age, rank and other attributes of a protected person are left out, because they could
    # identify the person.
    if not is_public:
        proposal = proposal._replace(values={})
    mention = record_yaml(document, proposal, ids.next("m"))
    for i, (_, entry) in enumerate(document.entries):
        if entry.id == name:
            return Addition(("speakers", i, "mentions"), mention)
    if speaker:
        return Addition(("speakers",), entry_yaml({"use": scalar(name)}, mention))
    new = name
    if not new and is_public:
        new = slug(values.get("name", ""))
    described = {"id": scalar(new or ids.next("speaker-"))}
    left_out = set()
    if values.get("kind") != "person":
        left_out.add("anonymity")
    if not (is_public or is_partial):
        left_out.add("name")
    for key in _OF_SPEAKER:
        if values.get(key) and key not in left_out:
            described[key] = scalar(values[key])
    if is_partial:
        is_at_risk = values.get("role") in document.context.roles_at_risk
        described["pseudonym_possible"] = "true" if is_at_risk else "false"
    return Addition(("speakers",), entry_yaml(described, mention))


def _is_public(document: Document, values: Values) -> bool:
    """Return whether a new speaker with these values is not protected."""
    if values.get("kind") != "person":
        return values.get("kind") == "institution"
    if values.get("anonymity") == "partial":
        return values.get("role") not in document.context.roles_at_risk
    return values.get("anonymity") == "named"


# ---- boilerplate and readings --------------------------------------------------------------------


def _boilerplate(_: Document, span: Span) -> Proposal:
    return Proposal("boilerplate", (span,), {})


def _boilerplate_added(document: Document, proposal: Proposal) -> Addition:
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


def _reading_added(_: Document, proposal: Proposal) -> Addition:
    values = {key: value for key, value in proposal.values.items() if value}
    given = [f"{key}: {scalar(value)}" for key, value in values.items()]
    return Addition(("readings",), f"{{{', '.join(given)}}}")


FORMS = {
    "testimony": Form("testimonies", _testimony, _testimony_added),
    "figure": Form("figures", _figure, _added),
    "mention": Form("mentions", proposals.mention, _mention_added),
    "waiver": Form("waivers", proposals.waiver, _added),
    "boilerplate": Form("boilerplate", _boilerplate, _boilerplate_added),
    "reading": Form("readings", _reading, _reading_added),
}
"""The forms by kind of record; on the page, pressing the first letter of a kind opens its form."""
