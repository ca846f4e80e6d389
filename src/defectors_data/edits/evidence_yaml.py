"""Evidence as YAML, in a form that is found at a given place in a text, and read from such YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.validation_errors import to_project_file
from defectors_data.edits.yaml_editor import UneditableTextError
from defectors_data.evidence.anchors import (
    Quote,
    SearchedText,
    chosen_in_yaml,
    find_span,
    in_yaml_part,
    neighbours,
)
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.models.annotation import Annotations
from defectors_data.models.fields import Part
from defectors_data.text.detection import marks_around
from defectors_data.text.offsets import Span, extent, surroundings


def document_of(
    annotations: str, text: str, context: Context, *, file: str, seed: str
) -> Document | None:
    """Return the document of an annotation file that is not saved, or None if it is not valid.

    Args:
        annotations: the content of the annotation file.
        text: the text of the seed.
        context: the files that the articles share, such as the vocabulary.
        file: the path of the annotation file, relative to the project's folder.
        seed: the path of the seed, relative to the project's folder.
    """
    typed = yaml_reader.parse(annotations, file=file)
    content = to_project_file(typed, file, Annotations, list[Finding]())
    return Document(content, text, seed, context) if content else None


def spans(document: Document, annotations: str, text: str) -> Mapping[Path, tuple[Span, ...]]:
    """Return the spans of the evidence of an edited annotation file in a new text, by path.

    Raises:
        UneditableTextError: the edited file is not valid.
    """
    edited = document_of(
        annotations, text, document.context, file=document.file.file, seed=document.seed
    )
    if not edited:
        raise UneditableTextError
    return edited.spans


def typed_part(typed: Any, path: Path, i: int) -> tuple[Path, Any]:
    """Return the path of part `i` of evidence in a YAML value as typed, and the part.

    A single part may be typed without a list, and the words of an attribution without the key
    `words`.

    Raises:
        KeyError, IndexError, TypeError: the value is typed in another form.
    """
    *_, last = path
    for key in path[:-1]:
        typed = typed[key]
    if last == "words" and not (isinstance(typed, dict) and "words" in typed):
        path = path[:-1]
    else:
        typed = typed[last]
    if isinstance(typed, list):
        return ((*path, i), typed[i])
    return (path, typed)


NO_NEIGHBOURS = {"prefix": None, "suffix": None, "occurrence": None}
"""Empty values of the fields with which a part selects one of several occurrences."""


def quote_of(part: Part) -> Quote:
    """Return a part as the search for spans takes it."""
    return Quote(part.text, Place(""), part.prefix or "", part.suffix or "", part.occurrence)


def anchored(part: Part, place: Span, text: str, first: tuple[Span, ...] = ()) -> Part:
    """Return a part in a form that is found at the given place in a text.

    Four forms are tried: the part as typed, the part without `occurrence`, the words alone, and the
    words with new keys that select the occurrence.

    Raises:
        UneditableTextError: no form of the part is found there.
    """
    within = SearchedText("", text, near=False, first=first)
    bare = part.model_copy(update=NO_NEIGHBOURS)
    for each in (part, part.model_copy(update={"occurrence": None}), bare):
        if find_span(quote_of(each), within)[0] == place:
            return each
    selected = bare.model_copy(update=neighbours(place, text))
    if find_span(quote_of(selected), within)[0] != place:
        raise UneditableTextError
    return selected


def part_yaml(part: Part) -> str:
    """Return a part of evidence as YAML."""
    return in_yaml_part(**part.model_dump(exclude_none=True))


_NONE: Mapping[Span, Part] = MappingProxyType({})


def evidence(
    document: Document,
    spans: Sequence[Span],
    *,
    direct: bool = False,
    typed: Mapping[Span, Part] = _NONE,
) -> str:
    """Return evidence as YAML on one line.

    Args:
        document: the document in which the evidence is found.
        spans: the places of its parts.
        direct: whether it is direct speech, so that a missing quotation mark is stated.
        typed: parts that are written as they were typed, by their places.
    """
    parts = []
    for span in spans:
        if span in typed:
            parts.append(part_yaml(typed[span]))
        else:
            mark = missing_mark(document, span) if direct else None
            parts.append(chosen_in_yaml(span, document.text, unbalanced=mark))
    return _on_one_line(parts)


def next_to(document: Document, spans: Sequence[Span], evidence: Sequence[Span]) -> str:
    """Return words that are searched for next to the evidence of their record as YAML on one line."""
    around = surroundings(document.text, extent(evidence))
    parts = []
    for span in spans:
        part = Part(text=document.text[slice(*span)])
        try:
            parts.append(part_yaml(anchored(part, span, document.text, around)))
        except UneditableTextError:
            parts.append(chosen_in_yaml(span, document.text))
    return _on_one_line(parts)


def _on_one_line(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"


def missing_mark(document: Document, span: Span) -> str | None:
    """Return which quotation mark the article omits at the beginning or end of a quotation."""
    opened, closed = marks_around(document.text, span)
    for found in quotations_of(document):
        # Between two quotations, the mark of the other one is next to the words.
        if found.unclosed and found.start == span.start and not closed:
            return "closing"
        if found.unopened and found.end == span.end and not opened:
            return "opening"
    return None
