"""Two entries of one speaker, in an article or in two, that become one."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data.annotators.record_yaml import entry_yaml
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.record_fields import RequestError
from defectors_data.corpus.findings import Path
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.edits import yaml_editor
from defectors_data.evidence.annotated_document import Document
from defectors_data.rules.attribution import difference_of, last_before, rivals_between


def joined(document: Document, text: str, path: Path, other: str) -> str:
    """Return the text of a file in which all that is said of the speaker at a path is said of
    another one: mentions, testimonies, figures and members.

    A draft without a known role gets that of the entry that is removed.

    Raises:
        RequestError: there is no such other speaker, or the two must not be joined.
    """
    gone = document.entry_of(path)
    found = [(at, each) for at, each in document.entries if each.id == other and at != path]
    shared = document.context.shared.get(other) if other != gone.id else None
    if not found and not shared:
        raise RequestError("There is no such speaker.")
    kept_at, kept = found[0] if found else ((), shared)
    withheld = [getattr(each, "anonymity", "") == "withheld" for each in (gone, kept)]
    if any(withheld) and not all(withheld):
        problem = "One of the two asked not to be named: the article does not say who it is"
        raise RequestError(f"{problem}, so they stay apart.")
    indices = range(len(gone.mentions))
    mentions = [yaml_editor.item_at(text, (*path, "mentions", i)) for i in indices]
    text = connections.with_mentions(document, text, mentions, other)
    values, cut = {}, [path]
    for each, key in connections.keys_naming(document, gone.id):
        if each == kept_at:
            cut.append((*each, key))  # a group is no part of itself
        else:
            values[(*each, key)] = scalar(other)
    for each, antecedent in _antecedents_of_both(document, gone.id, other):
        values[(*each, "attribution", "antecedent")] = scalar(antecedent)
    for each, attribution in _led_to(document, path, other):
        values[(*each, "attribution")] = attribution
    role = getattr(gone, "role", "other")
    if getattr(kept, "draft", False) and getattr(kept, "role", role) == "other" != role:
        values[(*kept_at, "role")] = scalar(role)
    text = yaml_editor.with_values(text, values) if values else text
    return yaml_editor.without(text, [*cut, *_rivals_of_themselves(document, gone.id, other)])


def _led_to(document: Document, path: Path, other: str) -> Iterator[tuple[Path, str]]:
    """Yield the testimonies that are attributed to a description of the speaker at a path, each with
    its attribution as YAML, in which this leads to the last record of another speaker before it.
    """
    gone = document.entry_of(path)
    if getattr(document.speakers_by_id[gone.id], "name", ""):
        return
    theirs = {mention.id for mention in gone.mentions}
    for each, testimony in document.testimonies:
        said, words = testimony.attribution, document.at((*each, "attribution", "words"))
        is_led = not said or said.antecedent or not words
        if testimony.speaker != gone.id or is_led or difference_of(document, words, other):
            continue
        antecedent = last_before(document, words[0], other, testimony.id)
        if antecedent:
            rivals = {*rivals_between(document, antecedent, words, other)} - theirs
            rival = rivals.pop() if len(rivals) == 1 else ""
            yield (
                each,
                connections.attribution_in_yaml(document, testimony, words, antecedent, rival),
            )


def shared_entry(text: str, path: Path, name: str) -> str:
    """Return the description of the speaker at a path of a file as an entry, in YAML, of the list of
    shared speakers, with the id `name`.
    """
    typed = yaml_editor.typed(text, path)
    described = {key: value for key, value in typed.items() if key not in _OF_ARTICLE}
    return "\n".join(f"{key}: {value}" for key, value in {"id": name, **described}.items())


_OF_ARTICLE = frozenset({"id", "draft", "mentions"})
"""The keys of a speaker that only one article has."""


def with_shared(document: Document, text: str, path: Path, name: str, *, is_draft: bool) -> str:
    """Return the text of a file in which the speaker at a path is a shared one with the id `name`."""
    entry = document.entry_of(path)
    indices = range(len(entry.mentions))
    mentions = [yaml_editor.item_at(text, (*path, "mentions", i)) for i in indices]
    used = {"use": name, "draft": "true"} if is_draft else {"use": name}
    text = yaml_editor.with_item(text, ("speakers",), entry_yaml(used, *mentions))
    named = {(*at, key): scalar(name) for at, key in connections.keys_naming(document, entry.id)}
    text = yaml_editor.with_values(text, named) if named else text
    return yaml_editor.without(text, [path])


def _antecedents_of_both(document: Document, one: str, other: str) -> list[tuple[Path, str]]:
    """Return the testimonies of two speakers whose words come after a nearer record of the two than
    their antecedent, each with that record.
    """
    found: list[tuple[Path, str]] = []
    ends = {name: document.evidence_of(path)[-1:] for path, _, name in document.records}
    for path, testimony in document.testimonies:
        said = testimony.attribution
        words = document.at((*path, "attribution", "words"))
        if testimony.speaker not in (one, other) or not (said and said.antecedent and words):
            continue
        nearest = [last_before(document, words[0], each, testimony.id) for each in (one, other)]
        known = [name for name in nearest if name]
        last = max([said.antecedent, *known], key=lambda name: ends.get(name, ()))
        if last != said.antecedent:
            found.append((path, last))
    return found


def _rivals_of_themselves(document: Document, one: str, other: str) -> list[Path]:
    """Return the paths of the rivals of two speakers that are mentions of the two."""
    theirs = set[str]()
    for path, mention in document.mentions:
        if document.entry_of(path).id in (one, other):
            theirs.add(mention.id)
    found: list[Path] = []
    for path, testimony in document.testimonies:
        said = testimony.attribution
        rival = said.rival if said else None
        if testimony.speaker in (one, other) and isinstance(rival, str) and rival in theirs:
            found.append((*path, "attribution", "rival"))
    return found
