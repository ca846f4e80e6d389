"""Edits of annotation files that need no judgement: missing ids, and characters unlike the seed's.

Comments, order and everything else in a file remain unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from defectors_data.annotators.record_ids import UnusedIds
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path, Place
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.edits import yaml_editor
from defectors_data.edits.evidence_yaml import typed_part
from defectors_data.edits.yaml_editor import UneditableTextError
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.record_ids import BEFORE_NUMBERS
from defectors_data.models.annotation import full_id
from defectors_data.models.fields import Part
from defectors_data.text.wording_differences import unseen_difference


def with_ids(text: str, context: Context) -> str:
    """Return an annotation file with short ids added to the records and mentions that have none.

    Raises:
        UneditableTextError: the text is not an annotation file, or cannot be edited.
    """
    typed = yaml_reader.parse(text, file="")
    try:
        source = str(typed.value["source"]["id"])
        records = list(_records(typed.value))
    except (KeyError, TypeError, AttributeError):
        raise UneditableTextError from None
    used = [full_id(entry["id"], source) for _, _, entry in records if "id" in entry]
    numbers = UnusedIds(source, used, context)
    ids = {}
    for path, table, entry in records:
        # The reader leaves out a key without a value; a second `id` would be a repeated key.
        has_id = "id" in entry or (*path, "id") in typed.keys
        if not has_id and table != "speakers":
            name = numbers.next(BEFORE_NUMBERS[table])
            ids[path] = name.removeprefix(f"{source}-")
    return yaml_editor.with_ids(text, ids) if ids else text


def _records(value: dict[str, Any]) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Yield the path, the table and the entry (as read from YAML) of each record and mention."""
    for table in BEFORE_NUMBERS:
        for i, entry in enumerate(value.get(table) or ()):
            yield (table, i), table, entry
            for j, mention in enumerate(entry.get("mentions") or ()):
                yield (table, i, "mentions", j), "mentions", mention


class FixResult(NamedTuple):
    """The corrected text of an annotation file, and the corrections that were made."""

    text: str
    changes: list[tuple[Place, str]]
    """The place of each corrected part of evidence, and the kind of the corrected character."""
    left: int
    """The number of other parts that are not in the seed and could not be corrected."""


def fixed(document: Document) -> FixResult:
    """Return the annotation file of a document with easily missed characters corrected."""
    text, changes, left = document.file.typed, list[tuple[Place, str]](), 0
    typed = yaml_reader.parse(text, file="").value
    for cited in document.cited:
        if cited.path in document.spans:
            continue
        for i, part in enumerate(cited.parts):
            # Words of the seed were not anchored for another reason, such as ambiguity.
            if (part.prefix or "") + part.text + (part.suffix or "") in document.text:
                continue
            name, values = _corrected(part, document.text)
            try:
                text = yaml_editor.with_values(text, _values(typed, cited.path, i, values))
            except UneditableTextError:
                left += 1
            else:
                changes.append((document.place(*cited.path, i, "text"), name))
    return FixResult(text, changes, left)


def _corrected(part: Part, text: str) -> tuple[str, dict[str, str]]:
    """Return the kind of character in which a part differs from a text, and its corrected values.

    Return "" and no values if the part cannot be corrected without judgement.
    """
    typed = {"prefix": part.prefix, "text": part.text, "suffix": part.suffix}
    keys = {key: words for key, words in typed.items() if words}
    found = unseen_difference(list(keys.values()), text)
    if not found:
        return "", {}
    kind, corrected = found
    return kind, dict(zip(keys, corrected, strict=True))


def _values(typed: Any, path: Path, i: int, values: dict[str, str]) -> dict[Path, str]:
    """Return the edits that correct part `i` of evidence: the new values as YAML, by path.

    Raises:
        UneditableTextError: there are no corrected values.
    """
    if not values:
        raise UneditableTextError
    path, typed = typed_part(typed, path, i)
    if not isinstance(typed, dict):
        return {path: in_yaml(values["text"])}
    return {(*path, key): in_yaml(words) for key, words in values.items() if typed[key] != words}
