"""Two entries of one speaker, in an article or in two, that become one."""

from __future__ import annotations

from defectors_data.annotators.record_yaml import entry_yaml
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.record_fields import RequestError
from defectors_data.corpus.findings import Path
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.edits import yaml_editor
from defectors_data.evidence.annotated_document import Document


def joined(document: Document, text: str, path: Path, other: str) -> str:
    """Return the text of a file in which all that is said of the speaker at a path is said of
    another one: mentions, testimonies, figures and members.

    A draft without a known role gets that of the entry that is removed.

    Raises:
        RequestError: there is no such other speaker, or the two must not be joined.
    """
    gone = document.entry_of(path)
    found = [(at, each) for at, each in document.entries if each.id == other and at != path]
    shared = None
    if other != gone.id:
        shared = document.context.shared.get(other)
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
    role = getattr(gone, "role", "other")
    if getattr(kept, "draft", False) and getattr(kept, "role", role) == "other" != role:
        values[(*kept_at, "role")] = scalar(role)
    text = yaml_editor.with_values(text, values) if values else text
    return yaml_editor.without(text, cut)


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
