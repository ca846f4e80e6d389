"""Edits of the records of an article, as changes of the text of its file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from types import MappingProxyType
from typing import Any, NamedTuple

from defectors_data.annotators.drafts.first_draft import NO_HEADLINE
from defectors_data.annotators.kinds_of_names import is_list, kind_and_name
from defectors_data.annotators.proposals import testimonies
from defectors_data.annotators.proposals.mentions import (
    anonymity_of,
    likely_role,
    proposed_mention,
)
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.annotators.workbench import connections, forms, joined_speakers, rejection
from defectors_data.annotators.workbench.code_keys import lacks_term
from defectors_data.annotators.workbench.forms.mention_words import with_attributes
from defectors_data.annotators.workbench.record_fields import RequestError, Values, current_values
from defectors_data.annotators.workbench.shown_records import (
    NEW_SPEAKER,
    SAME_AS,
    SPEAKERS,
    lacking,
    names_listed,
    record_with_form,
    record_with_id,
    short_name,
    speaker_labels,
)
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path
from defectors_data.edits import evidence_yaml, yaml_editor
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import outermost_quotations_of
from defectors_data.models.annotation import SharedReference, Speaker, Testimony, UnnamedPerson
from defectors_data.rules.figures import doubting_cue
from defectors_data.text.detection import marks_around
from defectors_data.text.offsets import Span, are_inside, is_inside

_IDS = re.compile(r"(?m)^\s*(?:- )?id: (\S+)$")
_STATED_AGE = re.compile(r"(?m)^\s*((?:age|years_of_service): [0-9]+)$")
_GUESS = re.compile(rf"{connections.GUESS}[^\n]*")


class IncompleteRecordError(RequestError):
    """A draft lacks values that only a person can choose; the page then opens its form."""

    status = 422

    def __init__(self, lacked: Mapping[str, str]) -> None:
        """Store what is lacking, in words, by the field that asks for it."""
        super().__init__(f"Choose {' and '.join(lacked.values())} first.")
        self.fields = tuple(lacked)


class RecordEdit(NamedTuple):
    """An edit of the file of an article."""

    edited: Callable[[str], str]
    """The function that returns the edited text of the file."""
    done: str
    """What was done, such as "accepted w3"."""
    reply: str = ""
    """What the page says of it."""
    terms: Sequence[forms.Addition] = ()
    """The terms that the vocabulary lacks."""
    elsewhere: Mapping[str, Callable[[str], str]] = MappingProxyType({})
    """The functions that return the edited text of other files, by path."""


def added(
    document: Document, kind: str, spans: Sequence[Span], values: Values, draft: str = ""
) -> RecordEdit:
    """Add a record, and the terms that the vocabulary lacks; the reply is its id.

    Boilerplate rejects the drafts inside. The speaker of a mention becomes that of `draft`, a
    testimony that lacks one or has another, which is accepted if nothing else is open.

    Raises:
        RequestError: no words are selected.
    """
    is_outside = any(span.end > len(document.text) for span in spans)
    if is_outside or not (spans or kind == "reading"):
        raise RequestError("No words are selected.")
    values, writer = forms.with_writer(document, values)
    if kind == "testimony":
        values, introduced = forms.with_new_speaker(document, spans, values)
        writer += introduced
        values = connections.with_outlet_kind(document, values)
    words = list(spans)
    if kind == "mention":
        words = forms.words_of_mention(document, spans, values)
    record = forms.filled_in(kind, document, tuple(words), values)
    terms = forms.new_terms(forms.FORMS[kind].table, values, document)
    items = [*writer, record, *forms.misprint(document, spans, values)]
    ids = _IDS.findall(record.item)
    connected, accepts = dict[Path, dict[str, str]](), dict[Path, dict[str, str]]()
    is_guess, replaced = False, list[Path]()
    if kind == "mention":
        found = draft or connections.draft_of(document, spans)
        connected = connections.speaker_found(document, found, spans, values, ids)
        for path, entry in connections.replaced(document, spans, values):
            replaced.append(path)
            for _, each in document.testimonies:
                if each.speaker == entry.id:
                    led = connections.speaker_found(document, each.id, spans, values, ids)
                    connected = {**led, **connected}
        is_guess = any(connections.GUESS in str(keys) for keys in connected.values())
        for path, each in document.testimonies:
            is_completed = each.id == draft and each.draft and path in connected
            if is_completed and not is_guess and _is_complete(document, each, connected[path]):
                accepts = {path: {"draft": ""}}
    gone = rejection.drafts_inside(document, spans) if kind == "boilerplate" else []
    stated = _STATED_AGE.findall(record.item) if kind == "mention" else []
    if stated:
        gone = rejection.drafts_of_ages(document, words, _numbers_in(stated))

    def edited(text: str) -> str:
        for path in connected:
            text = _without_guesses(text, path)
        text = with_all_keys(with_all_keys(text, connected), accepts)
        # Before anything is removed, as the paths of items are those of the file so far.
        if kind != "boilerplate":
            text = with_items(text, items=items)
        text = yaml_editor.without(text, [*gone, *replaced])
        if kind == "boilerplate":
            text = _with_boilerplate(text, document, spans[0])
        return text

    made = short_name(document, ids[0]) if ids else kind  # boilerplate and readings have no id
    if kind == "mention" and not values.get("speaker"):
        made = str(values.get("name") or document.text[slice(*spans[0])])
    if kind == "waiver":
        made += _said_of_repeated(document, values)
    made += "".join([f", {each.replace('_', ' ')}" for each in stated])
    if words != list(spans):
        made += _said_of_words(document, words)
    if replaced:
        made += f" in place of {names_listed(document, replaced)}"
    if accepts:
        made += f"; accepted {names_listed(document, [*accepts])} with this speaker"
    elif connected:
        made += f"; also changed: {names_listed(document, [*connected])}"
        made += ", whose attribution is a guess" * is_guess
    if gone:
        made += f"; drafts inside were rejected: {names_listed(document, gone)}"
    return RecordEdit(edited, f"saved {made}", made, terms)


def _numbers_in(stated: Sequence[str]) -> list[str]:
    """Return the numbers of keys such as "age: 41"."""
    return [each.rpartition(" ")[2] for each in stated]


def _said_of_words(document: Document, words: Sequence[Span]) -> str:
    """Return the words to which a mention was extended, as the end of a sentence."""
    said = " … ".join(document.words_at(words))
    return f"; its words are now “{said}”"


def _said_of_repeated(document: Document, values: Values) -> str:
    """Return what a new waiver repeats, as the end of a sentence; "" if it repeats nothing.

    Raises:
        RequestError: there is no such record.
    """
    repeated = str(forms.without_stale("waivers", values).get("repeats", ""))
    if not repeated:
        return ""
    path, _, _ = record_with_id(document, repeated)
    return (
        f", a repeat of {short_name(document, repeated)}, “{document.words((*path, 'evidence'))}”"
    )


def deleted(document: Document, record: str) -> RecordEdit:
    """Delete a record, and with a draft those that are nothing without it; the reply has the ids,
    and what changes in the records that remain.

    A speaker without any remaining mention is kept.

    Raises:
        RequestError: there is no such record.
    """
    path, table, found = record_with_id(document, record)
    if table == "source":
        raise RequestError("The source cannot be deleted.")
    gone, said = [path], short_name(document, record)
    if _is_draft(found):
        gone = rejection.removed_with(document, path)
    if others := names_listed(document, gone[1:]):
        said += f", and with it {others}"

    def edited(text: str) -> str:
        if table == "boilerplate" and not _is_list(text, path[:-1]):
            return yaml_editor.without(text, [path[:-1]])
        return yaml_editor.without(text, gone)

    return RecordEdit(edited, f"removed {said}", said)


def accepted(document: Document, record: str) -> RecordEdit:
    """Remove `draft` from a record that a person has compared with the article. The description of
    the speaker of a testimony becomes a mention, as if this speaker were chosen, if it leads to no
    other record.

    Raises:
        IncompleteRecordError: the record lacks a value that the program did not find.
        RequestError: there is no such record, or it is no draft.
    """
    path, table, found = record_with_id(document, record)
    if not _is_draft(found):
        raise RequestError("This record is no draft.")
    _check_complete(document, table, current_values(found, table))
    chosen = {"speaker": getattr(found, "speaker", "")}
    if table == "testimonies" and _with_mention(document, path, found, chosen)[1]:
        return changed(document, record, chosen)
    return all_accepted(document, [record])


def all_accepted(document: Document, records: Sequence[str]) -> RecordEdit:
    """Remove `draft` from records that lack nothing and have no finding."""
    paths = [record_with_id(document, record)[0] for record in records]

    identified: dict[Path, dict[str, str]] = {}
    for path in paths:
        for each, keys in connections.with_fitting_id(document, path, {}).items():
            identified.setdefault(each, {}).update(keys)

    def edited(text: str) -> str:
        text = with_all_keys(text, identified)
        text = yaml_editor.without(text, [(*path, "draft") for path in paths])
        for path in paths:
            text = _without_guesses(text, path)
        return text

    return RecordEdit(edited, f"accepted {names_listed(document, paths)}")


def moved(document: Document, record: str, spans: Sequence[Span]) -> RecordEdit:
    """Replace the evidence of a record with other words; the reply says what else changes: the
    figures in the words of a testimony name it, if no other testimony contains them, and drafts of
    the same speech in these words are rejected.

    The draft of a speaker is described anew by the words of its first mention.

    Raises:
        RequestError: there is no such record, or it has no evidence.
    """
    path, table, found = record_with_id(document, record)
    if not hasattr(found, "evidence") or not spans or spans[-1].end > len(document.text):
        raise RequestError("No words are selected.")
    if tuple(spans) == document.evidence_of(path):
        raise RequestError("The words are the same: nothing was changed.")
    mode = getattr(found, "mode", "")
    fitting = _fitting_mode(document, path, found, spans)
    evidence = evidence_yaml.evidence(document, spans, direct=fitting == "direct")
    keys = {"evidence": evidence}
    if fitting != mode:
        keys["mode"] = fitting
    gone = list[Path]()
    if table == "testimonies":
        gone = rejection.taken_in(document, path, spans)
    elif table == "figures":
        keys |= connections.of_counted(document, path, found, spans)
    described = dict[Path, dict[str, str]]()
    if table == "mentions":
        described = _described(document, path, spans[0])
    entry, details = described.get(path[:2], {}), described.get(path, {})
    if stated := [details[key] for key in ("age", "years_of_service") if details.get(key)]:
        gone = rejection.drafts_of_ages(document, spans, stated)
    changes = {**described, path: {**details, **keys}}

    def edited(text: str) -> str:
        text = with_all_keys(_without_guesses(text, path[:2], entry), changes)
        return yaml_editor.without(text, gone)

    done = f"changed the words of {short_name(document, record)}"
    rejected = ""
    if gone:
        rejected = f"; rejected, as these words contain theirs: {names_listed(document, gone)}"
    as_said = ""
    if fitting != mode:
        as_said = f", now {fitting} speech"
    if "counted" in keys:
        as_said = f", now counted {keys['counted']}"
    if table == "mentions":
        as_said = _said_of_described(entry, details)
    return RecordEdit(edited, done, as_said + rejected)


def _described(document: Document, path: Path, span: Span) -> dict[Path, dict[str, str]]:
    """Return the keys of the draft of a speaker, of its first mention, at a path, and of records that
    name it, which the new words of the mention show otherwise than the old ones, from which the draft
    was made.
    """
    entry, former, at = document.entry_of(path), document.evidence_of(path), path[:2]
    is_theirs = _is_draft(entry) and path[2:] == ("mentions", 0)
    if not is_theirs or len(former) != 1 or isinstance(entry, SharedReference):
        return {}
    values = _named(document, entry, former[0], span)
    kind = str(values.get("kind", entry.kind))
    role = likely_role(document, span, kind)
    # An office is still that of a person whose name the new words are.
    is_shown = role != "other" or not isinstance(entry, UnnamedPerson)
    if is_shown and entry.role == likely_role(document, former[0], entry.kind):
        values["role"] = role
    stated = forms.with_kind(document, at, entry, values)
    if kind == "person":
        stated = forms.with_pseudonym(document, entry, stated)
    changes = {at: forms.changes(document, at, entry, "speakers", stated), path: dict[str, str]()}
    if not (getattr(entry, "name", None) or stated.get("name")):
        changes[at].pop("name", None)  # there is none to remove
    if connections.is_public_with(entry, stated):
        [mention] = [each for place, each in document.mentions if place == path]
        given = current_values(mention, "mentions")
        [before, now] = [proposed_mention(document, each).values for each in (former[0], span)]
        details = {key: now[key] for key in _DETAILS if given[key] == before[key]}
        changes[path] = forms.changes(document, path, mention, "mentions", details)
    removed = connections.without_details(document, at, entry, stated)
    identified = connections.with_fitting_id(document, at, stated)
    for each, keys in (*removed.items(), *identified.items()):
        changes[each] = {**changes.get(each, {}), **keys}
    return changes


_DETAILS = ("age", "years_of_service", "affiliation")


def _named(document: Document, entry: Speaker, before: Span, now: Span) -> dict[str, str]:
    """Return the kind, the name and the anonymity of the draft of a speaker that the new words of its
    mention show, if the name was that in the old ones, or the new ones are a list; no values if these
    show nothing else.
    """
    words = document.text[slice(*now)]
    given = "" if isinstance(entry, UnnamedPerson) else getattr(entry, "name", None)
    former = kind_and_name(document.text, before)[1]
    kind, name = kind_and_name(document.text, now)
    is_person = bool(name) and (entry.kind, kind) == ("institution", "person")
    is_other = given == former and former not in (name if is_person else words)
    is_whole = " " in former or former not in name
    # "Ada Orr" also in "the Harrow Bishop of Pelt, the Reverend Ada Orr"
    is_kept = entry.kind == "person" and is_whole and former in words
    found = dict[str, str]()
    if is_other or (entry.kind != "group" and is_list(document.text, now)):
        # "Harrow" in "the Archbishop of Harrow, Ben Pelt", "the court" in "judges of the court"
        found = {"kind": kind, "name": name}
    elif entry.kind == "group" and kind == "institution" and name:
        found = {"kind": kind, "name": name}  # "Harrow" of "Harrow insists"
    elif given == former and name not in ("", former) and not is_kept:
        found = {"name": name}
    if found and found.get("kind", entry.kind) == "person":
        found["anonymity"] = anonymity_of(name)
    is_nameless = found.get("kind") == "institution" and not name  # "the company"
    return {} if is_nameless else found


def _said_of_described(keys: Mapping[str, str], details: Mapping[str, str]) -> str:
    """Return what changes in the draft of a speaker and in its first mention, as the end of a sentence."""
    said = ""
    if keys.get("name"):
        said = f", now named {keys['name']}"
    elif keys.get("kind"):
        said = f", now {'an' if keys['kind'] == 'institution' else 'a'} {keys['kind']}"
    elif "name" in keys:
        said = ", now without a name"
    roles = {"role": keys["role"]} if keys.get("role") else {}
    for key, value in {**details, **roles}.items():
        said += f", {key} {value}" if value else f", without {key}"
    return said.replace("_", " ")


def quoted(document: Document, record: str) -> list[Span]:
    """Return the words of a testimony without what is outside of its quotation marks; none if
    nothing or everything is quoted.

    Raises:
        RequestError: there is no such record.
    """
    path, _, _ = record_with_id(document, record)
    spans = document.evidence_of(path)
    found = [each for each in outermost_quotations_of(document) if is_inside(each, spans)]
    return [] if tuple(found) == spans else found


def _fitting_mode(document: Document, path: Path, found: Any, spans: Sequence[Span]) -> str:
    """Return the mode of a record, or "", after it gets other words: a draft of direct speech is
    indirect if these are not all quoted, and one of indirect speech direct if they are all that is.
    """
    mode = str(getattr(found, "mode", ""))
    if not _is_draft(found) or mode not in ("direct", "indirect"):
        return mode
    is_quoted = testimonies.mode(document, spans) == "direct"
    if mode == "direct":
        was_quoted = testimonies.mode(document, document.evidence_of(path)) == "direct"
        if was_quoted and not is_quoted:
            return "indirect"
        return "direct"
    is_whole = all(marks_around(document.text, span) == (True, True) for span in spans)
    if is_quoted and is_whole:
        return "direct"
    return "indirect"


def changed(document: Document, record: str, values: Values) -> RecordEdit:
    """Change, add and remove keys of a record; a draft is accepted with it, unless `draft` is
    among the values. The reply says what else changes: the figures of a testimony follow its speaker.

    A speaker who is the same as another one is joined with that one.

    Raises:
        IncompleteRecordError: the draft still lacks a value that only a person can choose.
        RequestError: there is no such record, or the file cannot be edited.
    """
    path, table, found = record_with_form(document, record)
    if values.get("title") and values.get("note", getattr(found, "note", "")) == NO_HEADLINE:
        values = {**values, "note": ""}
    if "mode" in values and "attribution" not in values:
        # Whether the words of the attribution are about the speaker follows from the mode.
        values = {**values, "attribution": current_values(found, table)["attribution"]}
    if table == "speakers" and (same := str(values.get(SAME_AS, ""))):
        return _joined(document, path, same)
    if isinstance(found, SharedReference):
        return _shared_changed(document, path, found, values)
    is_accepted = getattr(found, "draft", False) and not values.get("draft")
    given = values
    values, writer = forms.with_writer(document, values, getattr(found, "speaker", ""))
    introduced, said_of_mention = list[forms.Addition](), ""
    if table == "testimonies" and values.get("speaker") == NEW_SPEAKER:
        known = current_values(found, table)["attribution"]
        stated = {"attribution": known, "mode": found.mode, **values}
        values, introduced = forms.with_new_speaker(
            document, document.evidence_of(path), stated, path
        )
    elif table == "testimonies" and "attribution" not in values and "speaker" in values:
        values = {**values, **connections.with_speaker(document, path, str(values["speaker"]))}
        values, introduced, said_of_mention = _with_mention(document, path, found, values)
    elif table == "testimonies":
        values = _without_leftover(document, path, found, table, values)
        values = connections.with_rival(document, path, values)
    elif table == "figures":
        values = _without_leftover(document, path, found, table, values)
    elif table == "speakers":
        values = forms.with_kind(document, path, found, values)
        values = forms.with_pseudonym(document, found, values)
    if table == "testimonies":
        values = connections.with_outlet_kind(document, values, found)
    if is_accepted:
        _check_complete(document, table, {**current_values(found, table), **values})
    changes = {path: forms.changes(document, path, found, table, values)}
    if table == "speakers" and found.mentions:
        # The form of a speaker also has the fields of the first mention.
        first = (*path, "mentions", 0)
        mention = found.mentions[0]
        changes[first] = forms.changes(document, first, mention, "mentions", values)
    removed: connections.Keys = {}
    former = dict[Path, str]()
    if table == "speakers":
        former = forms.former_evidence(document, path, found, values)
        removed = connections.without_details(document, path, found, values)
        for each, keys in removed.items():
            changes[each] = {**changes.get(each, {}), **keys}
    identified = connections.with_fitting_id(document, path, values)
    words = _extended(document, changes, values)
    if table == "figures" and values.get("polarity") == "affirmed":
        # After words such as "would", the default is to be stated.
        changes[path]["polarity"] = "affirmed" * bool(doubting_cue(document, path, found))
    possible = connections.possibly_counted(document, path, found) if table == "figures" else {}
    if evidence := possible.get(str(values.get("counted", ""))):
        changes[path]["evidence"] = evidence_yaml.evidence(document, [evidence])
    if is_accepted:
        changes[path]["draft"] = ""
    waived = list[Path]()
    ages = [str(values[key]) for key in ("age", "years_of_service") if values.get(key)]
    if ages:
        mention = path if table == "mentions" else (*path, "mentions", 0)
        around = words or document.evidence_of(mention)
        waived = rejection.drafts_of_ages(document, around, ages)
    for new in introduced:
        if ages := _numbers_in(_STATED_AGE.findall(new.item)):
            around = document.at((*path, "attribution", "words"))
            waived = rejection.drafts_of_ages(document, around, ages)

    def edited(text: str) -> str:
        text = with_all_keys(with_all_keys(text, changes), identified)
        text = yaml_editor.without(_without_evidence(text, former), waived)
        misprint = forms.misprint(document, document.evidence_of(path), values)
        items = [*writer, *misprint, *introduced]
        text = with_items(text, items=items)
        is_doubted = table == "figures" and not is_accepted
        decided = values if is_doubted else None
        return _without_guesses(text, path, decided)

    terms = forms.new_terms(table, values, document)
    gone = sorted({f"`{key}`" for keys in removed.values() for key in keys})
    without = f", without {', '.join(gone)}" if gone else ""
    without += _said_of_removed(former)
    if words:
        without += _said_of_words(document, words)
    if waived:
        without += f"; rejected, as the mention states it: {names_listed(document, waived)}"
    others = _differing(values, given)
    reply = _said_of_others(document, found, table, others) + said_of_mention + without
    return RecordEdit(edited, f"changed {short_name(document, record)}", reply, terms)


def _without_leftover(
    document: Document, path: Path, found: Any, table: str, values: Values
) -> Values:
    """Return the values of the form of a testimony or figure without what the words of its
    attribution led to before they were edited, if they now name the speaker; new words of a testimony
    that do not lead to the speaker's last record, like those of a new one.
    """
    said, former = values.get("attribution"), current_values(found, table)
    if not isinstance(said, Mapping) or not said.get("words"):
        return values
    key = "speaker" if table == "testimonies" else "attributed_to"
    speaker, spans = str(values.get(key, former[key])), document.evidence_of(path)
    search = forms.WordSearch(document, spans, path)
    words = search.places(str(said["words"]), ("attribution", "words"))
    kept = connections.without_leftover(document, spans, former, said, words, speaker, path)
    before = former["attribution"]
    is_new = isinstance(before, Mapping) and before.get("words", "") != said["words"]
    if is_new and table == "testimonies":
        kept = connections.led(document, words, kept, speaker, found.id)
    return {**values, "attribution": kept}


def _extended(
    document: Document, changes: dict[Path, dict[str, str]], values: Values
) -> list[Span]:
    """Extend the words of a mention to the attributes among its changes that are printed next to
    them; return the words, or none if they stay as they are.
    """
    for path, _ in document.mentions:
        stated = [key for key, value in changes.get(path, {}).items() if value]
        spans, speaker = document.evidence_of(path), document.entry_of(path).id
        words = with_attributes(document, spans, values, stated, speaker)
        if words != list(spans):
            changes[path] = {**changes[path], "evidence": evidence_yaml.evidence(document, words)}
            return words
    return []


def _differing(values: Values, given: Values) -> dict[str, Any]:
    """Return the values, also of groups, that are others than those of a form."""
    found = dict[str, Any]()
    for key, value in values.items():
        was = given.get(key)
        if isinstance(value, Mapping) and isinstance(was, Mapping):
            inner = {each: text for each, text in value.items() if text != was.get(each, "")}
            if inner:
                found[key] = inner
        elif key not in given:
            found[key] = value
    return found


def _said_of_others(document: Document, found: Any, table: str, values: Values) -> str:
    """Return which values of a record an edit changes next to those that were chosen, as the end of a
    sentence; "" if it changes none.
    """
    before, said = current_values(found, table), list[str]()
    for key, value in values.items():
        was = before.get(key, "")
        inner = value if isinstance(value, Mapping) else {"": value}
        known = was if isinstance(was, Mapping) else {"": was}
        for each, text in inner.items():
            name = f"{key} {each}".strip().replace("_", " ")
            if text and text != known.get(each):
                said.append(f"{name} “{short_name(document, str(text))}”")
            elif not text and known.get(each):
                said.append(f"no {name}")
    return f"; with {', '.join(said)}" if said else ""


def _with_mention(
    document: Document, path: Path, found: Any, values: Values
) -> tuple[Values, list[forms.Addition], str]:
    """Return the values of a testimony for which a speaker was chosen; the mention of this speaker
    that its description must then be, which leads to no other record; and what the page says of it.
    """
    before = current_values(found, "testimonies")["attribution"]
    said, words = values.get("attribution", before), None
    speaker = str(values["speaker"])
    if isinstance(said, Mapping) and isinstance(before, Mapping):
        is_described = said.get("words") == before.get("words")
        words = None
        if is_described:
            words = connections.mention_needed(document, path, speaker, said)
    if not words or not isinstance(said, Mapping):
        return values, [], ""
    stated = {"speaker": speaker}
    added = forms.filled_in("mention", document, (words,), stated)
    named = {**values, "mode": found.mode, "attribution": {**said, "antecedent": "", "rival": ""}}
    mentioned = f"“{document.text[slice(*words)]}” is now a mention"
    return named, [added], f"; {mentioned} of {speaker_labels(document)[speaker]}"


def _shared_changed(
    document: Document, path: Path, entry: SharedReference, values: Values
) -> RecordEdit:
    """Change the description that articles share, and the first mention in this one."""
    shared = document.context.shared
    at = ("speakers", list(shared).index(entry.use))
    keys = forms.changes(document, path, shared[entry.use], "speakers", values)
    changes, first = {path: {"draft": ""}}, (*path, "mentions", 0)
    for mention in entry.mentions[:1]:
        changes[first] = forms.changes(document, first, mention, "mentions", values)
    words = _extended(document, changes, values)

    former = forms.former_evidence(document, path, shared[entry.use], values)
    here = [each for each in former if "mentions" in each]

    def edited(text: str) -> str:
        return _without_evidence(with_all_keys(text, changes), here)

    def described(text: str) -> str:
        inferred = [(*at, *each[len(path) :]) for each in former if each not in here]
        return _without_evidence(_with_keys(text, at, keys), inferred)

    elsewhere, reply = dict[str, Callable[[str], str]](), ""
    if keys:
        elsewhere[SPEAKERS] = described
        reply = f", for all articles, in {SPEAKERS}" + _said_of_removed(former)
    if words:
        reply += _said_of_words(document, words)
    terms = forms.new_terms("speakers", values, document)
    done = f"changed {short_name(document, entry.id)}"
    return RecordEdit(edited, done, reply, terms, elsewhere)


def _without_evidence(text: str, paths: Iterable[Path]) -> str:
    """Return the text of a file without keys of groups, and without the groups that then are empty."""
    for path in paths:
        group = path[:-1]
        is_only = yaml_editor.typed(text, group).keys() == {path[-1]}
        removed = group if is_only else path
        text = yaml_editor.without(text, [removed])
    return text


def _said_of_removed(evidence: Mapping[Path, str]) -> str:
    """Return which evidence an edit removes, as the end of a sentence; "" if it removes none."""
    return "".join(f"; removed {said}" for said in evidence.values())


def _joined(document: Document, path: Path, other: str) -> RecordEdit:
    """Join the speaker at a path with another one."""
    names = speaker_labels(document)
    gone = document.entry_of(path).id
    name = names.get(other, other)

    def edited(text: str) -> str:
        return joined_speakers.joined(document, text, path, other)

    done = f"joined {short_name(document, gone)} with {name}"
    return RecordEdit(edited, done, f", now joined with {name}")


def shared(document: Document, record: str, first: Document | None, other: str) -> RecordEdit:
    """Describe a speaker of two articles once, in the list of shared speakers: as `first` does,
    where the speaker has the id `other`, unless that is a draft; without `first`, the list has this
    speaker already.

    Raises:
        RequestError: one of the two is not a named person or an institution.
    """
    path = _sharable(document, record)
    name, elsewhere = other, dict[str, Callable[[str], str]]()
    if first:
        at = _sharable(first, other)
        [found] = [each for where, each in first.speakers if where == at]
        if other.startswith(f"{first.source.id}-"):
            name = id_of_name(getattr(found, "name", None) or other)
        is_draft = _is_draft(found)
        described = joined_speakers.shared_entry(first.file.typed, at, name)
        if is_draft:  # nobody has decided yet what it says
            described = joined_speakers.shared_entry(document.file.typed, path, name)
        elsewhere[SPEAKERS] = partial(yaml_editor.with_item, path=("speakers",), item=described)
        elsewhere[first.file.file] = lambda text: joined_speakers.with_shared(
            first, text, at, name, is_draft=is_draft
        )

    def edited(text: str) -> str:
        return joined_speakers.with_shared(document, text, path, name, is_draft=False)

    said = f"described once for all articles, in {SPEAKERS}"
    done = f"{speaker_labels(document)[record]} is {said}"
    return RecordEdit(edited, done, f", now {said}", (), elsewhere)


def _sharable(document: Document, record: str) -> Path:
    path, _, found = record_with_form(document, record)
    if not connections.is_public(type(found)):
        raise RequestError("Only named persons and institutions are shared between articles.")
    return path


def _is_draft(record: Any) -> bool:
    """Return whether a record is a draft; a mention is accepted with its speaker and never one."""
    return getattr(record, "draft", False)


def _check_complete(document: Document, table: str, values: Values) -> None:
    """Check that a draft has the values that only a person can choose.

    Raises:
        IncompleteRecordError: it lacks one.
    """
    if lacked := lacking(document, table, values):
        raise IncompleteRecordError(lacked)


def _is_complete(document: Document, testimony: Testimony, keys: Mapping[str, str]) -> bool:
    """Return whether nothing of the draft of a testimony is open when it gets some keys."""
    values = {**current_values(testimony, "testimonies"), **keys}
    is_open = lacking(document, "testimonies", values)
    return not (is_open or lacks_term(document, "testimonies", testimony))


def with_items(text: str, *, items: Sequence[forms.Addition]) -> str:
    """Return the text of a file with items added to its lists."""
    for item in items:
        text = yaml_editor.with_item(text, *item)
    return text


def _with_keys(text: str, path: Path, keys: Mapping[str, str]) -> str:
    """Return the text of a file with keys of a record set, or removed if the value is empty."""
    before = yaml_editor.typed(text, path)
    for key, value in keys.items():
        if value and key not in before:
            text = yaml_editor.with_entries(text, {path: {key: value}}, {}, last=True)
        elif value and path == ("source",) and before[key].startswith("- "):
            content = yaml_reader.parse(text, file="").value
            former = reduce(lambda inside, step: inside[step], (*path, key), content)
            for item in yaml_reader.parse(value, file="").value:
                if item not in former:
                    text = yaml_editor.with_item(text, (*path, key), yaml_reader.scalar(item))
        elif value and value != before[key]:
            text = yaml_editor.with_values(text, {(*path, key): value})
        elif key in before and not value:
            text = yaml_editor.without(text, [(*path, key)])
    return text


def with_all_keys(text: str, changes: connections.Keys) -> str:
    """Return the text of a file with keys of records set, or removed if the value is empty."""
    for path, keys in changes.items():
        text = _with_keys(text, path, keys)
    return text


def _with_boilerplate(text: str, document: Document, passage: Span) -> str:
    """Return the text of a file with a passage of boilerplate added, in the order of the seed; a
    subtitle in it that is only a draft is none.
    """
    path = ("source", "boilerplate")
    subtitle = document.at(("source", "subtitle"))
    if document.source.draft and subtitle and are_inside(subtitle, [passage]):
        text = yaml_editor.without(text, [("source", "subtitle")])
    known = document.at(path)
    added = chosen_in_yaml(passage, document.text)
    is_last = all(span.end <= passage.start for span in known)
    if is_last and (not known or _is_block_list(text, path)):
        return yaml_editor.with_item(text, path, added)
    # A passage inside the new one is part of it.
    kept = [span for span in known if not is_inside(span, [passage])]
    items = [chosen_in_yaml(span, document.text) for span in sorted([*kept, passage])]
    return yaml_editor.with_values(text, {path: f"[{', '.join(items)}]"})


def _is_block_list(text: str, path: Path) -> bool:
    return yaml_editor.typed(text, path[:-1])[str(path[-1])].startswith("- ")


def _is_list(text: str, path: Path) -> bool:
    """Return whether the value at a path is a list, and not a single item without one."""
    value = yaml_editor.typed(text, path[:-1])[str(path[-1])]
    return isinstance(yaml_reader.parse(value, file="").value, list)


def _without_guesses(text: str, path: Path, keys: Iterable[str] | None = None) -> str:
    """Return the text of a file without the comments of a draft that a person has reviewed, or of some
    of its keys.
    """
    first, last = yaml_editor.lines_of(text, path)
    lines = text.split("\n")
    for i in range(first - 1, last):
        if keys is None or lines[i].strip().startswith(tuple(f"{key}:" for key in keys)):
            lines[i] = _GUESS.sub("", lines[i])
    return "\n".join(lines)
