"""Re-anchoring of annotations in the corrected text of an article.

Each piece of evidence is classified by what became of it in the new text. If the new place of a
piece is not certain, a person has to decide. If the words of such a piece would still be found, it
is rewritten so that it is ambiguous, or so that its `prefix` or `suffix` is found only in the old
text. It then causes a finding, so that it is never silently anchored in the wrong place.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path as FilePath
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.file_tree import written_text
from defectors_data.corpus.findings import Path, Place
from defectors_data.edits import yaml_editor
from defectors_data.edits.atomic_update import EditedFileError, FileChange, locked, update
from defectors_data.edits.evidence_yaml import (
    NO_NEIGHBOURS,
    anchored,
    part_yaml,
    quote_of,
    spans,
    typed_part,
)
from defectors_data.edits.yaml_editor import UneditableTextError
from defectors_data.evidence.anchors import (
    SearchedText,
    find_every_span,
    find_span,
    in_yaml_part,
    offsets_of,
    whole_occurrences,
)
from defectors_data.evidence.annotated_document import NEXT_TO_EVIDENCE, Document, EvidenceField
from defectors_data.evidence.text_alignment import TextAlignment, passages_around
from defectors_data.models.annotation import EarlierText
from defectors_data.models.fields import Part
from defectors_data.text.offsets import (
    Span,
    cuts_a_word,
    extent,
    line_and_column,
    on_word_boundaries,
    surroundings,
)
from defectors_data.text.similar_words import nearest
from defectors_data.text.wording_differences import fold

State: TypeAlias = Literal["unchanged", "moved", "edited", "lost", "ambiguous"]


class ReanchoredPart(NamedTuple):
    """A part of evidence, with the state of its words in the new text."""

    at: Place
    """The place of the part in the annotation file."""
    words: str
    state: State
    lines: tuple[int, int | None]
    """Its line in the old text and in the new one; None if its new place is not certain."""
    paste: tuple[str, ...] = ()
    """YAML to choose from: parts with their lines as comments, or `every_occurrence: true`."""

    @property
    def is_in_doubt(self) -> bool:
        """Whether a person has to decide."""
        return self.state not in ("unchanged", "moved")


class ReanchoringPlan(NamedTuple):
    """The changes that a new text requires."""

    changes: list[str]
    """The lines of the article that differ, as a unified diff."""
    pieces: list[ReanchoredPart]
    annotations: str
    """The new text of the annotation file."""


def plan(document: Document, text: str, sha256: str) -> ReanchoringPlan:
    """Return the changes that a new text with this SHA-256 requires in a document.

    All evidence must be found in the old text.

    Raises:
        UneditableTextError: the annotation file must be edited by hand first.
    """
    alignment = TextAlignment(document.text, text)
    values: dict[Path, str] = {("source", "sha256"): sha256}
    classed: dict[Path, list[_Classed]] = {}
    typed = yaml_reader.parse(document.file.typed, file="").value
    for cited in document.cited:
        is_every = cited.every and len(cited.parts) == 1
        if is_every:
            classed[cited.path], parts = _every(document, cited, alignment)
        else:
            first = _first(cited, classed, text)
            classed[cited.path], parts = _each(document, cited, alignment, first)
        for i, (part, new) in enumerate(zip(cited.parts, parts, strict=True)):
            values |= _edit(typed, cited.path, i, part, new)
        if is_every and any(piece.state == "ambiguous" for piece, _ in classed[cited.path]):
            values[(*cited.path[:-1], "every_occurrence")] = "false"
    annotations = yaml_editor.with_values(document.file.typed, values)
    if sha256 != document.source.sha256:
        earlier = [*document.content.earlier, EarlierText(sha256=document.source.sha256)]
        texts = [each.model_dump(mode="json", exclude_none=True) for each in earlier]
        annotations = yaml_editor.with_list(
            yaml_editor.without(annotations, {("earlier",)}), "earlier", texts
        )
    # The edited file is read again: each part must be found at its new place, or nothing is
    # written.
    found = spans(document, annotations, text)
    pieces: list[ReanchoredPart] = []
    for cited in document.cited:
        places = tuple(place for _, place in classed[cited.path])
        # `_every` has compared all places of such a waiver, and returned only the first.
        is_wide = cited.every and len(cited.parts) == 1 and None not in places
        if not is_wide and found.get(cited.path, places) != places:
            raise UneditableTextError
        # The parts of evidence are found in the order in which they were typed, or not at all.
        is_searched = NEXT_TO_EVIDENCE.isdisjoint(cited.path) or _evidence_path(cited) in found
        is_out_of_order = None not in places and cited.path not in found and is_searched
        if is_out_of_order:
            pieces += [_swapped(piece, place, text) for piece, place in classed[cited.path]]
        else:
            pieces += [piece for piece, _ in classed[cited.path]]
    changes = unified_diff(document.text.splitlines(), text.splitlines(), n=0, lineterm="")
    # Without the first two lines of the diff, which name files.
    return ReanchoringPlan(list(changes)[2:], pieces, annotations)


def _evidence_path(cited: EvidenceField) -> Path:
    return (*cited.path[:2], "evidence")


def _first(
    cited: EvidenceField, classed: Mapping[Path, Sequence[_Classed]], text: str
) -> tuple[Span, ...]:
    """Return the spans of the new text in which words next to evidence are searched first."""
    if NEXT_TO_EVIDENCE.isdisjoint(cited.path):
        return ()
    places = [place for _, place in classed[_evidence_path(cited)] if place]
    if len(places) < len(classed[_evidence_path(cited)]):
        return ()
    return surroundings(text, extent(places))


def lines(planned: ReanchoringPlan, file: str) -> Iterator[str]:
    """Yield the changes of the article, the evidence that changed, and the counts by state."""
    yield from planned.changes
    for piece in planned.pieces:
        if piece.state != "unchanged":
            now = f", now line {piece.lines[1]}" if piece.lines[1] else ""
            shown = piece.words if len(piece.words) <= _WIDEST else f"{piece.words[:_WIDEST]} ..."
            place = piece.at._replace(file=file).text()
            yield f"{place}: {piece.state}: line {piece.lines[0]}{now}: {shown}"
            yield from (f"    Paste instead: {each}" for each in piece.paste)
    count = Counter(piece.state for piece in planned.pieces)
    yield f"Evidence: {', '.join(f'{count[state]} {state}' for state in get_args(State))}."


_WIDEST = 80
"""Maximum number of code points shown of a piece of evidence."""


def replace_seed(root: FilePath, document: Document, planned: ReanchoringPlan, data: bytes) -> None:
    """Replace the seed of a document, and its annotation file as planned: both or neither.

    Raises:
        atomic_update.LinkedFileError: one of them is a symbolic link, or has a hard link.
        atomic_update.EditedFileError: one of them was edited after it was read.
        atomic_update.IncompleteUpdateError: `atomic_update.complete` must replace the other one.
        atomic_publication.ConcurrentBuildError: another process is changing the corpus.
        OSError: a file could not be read or written.
    """
    file = document.file.file
    typed = (root / file).read_bytes()
    if written_text(typed, file)[0] != document.file.typed:
        raise EditedFileError(f"{file} was edited in the meantime: run the command again")
    with locked(root):
        seed = FileChange(document.seed, data, document.source.sha256)
        sha256 = hashlib.sha256(typed).hexdigest()
        annotations = FileChange(file, planned.annotations.encode(), sha256)
        update(root, [seed, annotations])


# ---- classes -------------------------------------------------------------------------------------


_Classed: TypeAlias = tuple[ReanchoredPart, Span | None]
"""A part with its state, and its place in the new text or None if that is not certain."""


def _classed(at: Place, part: Part, span: Span, alignment: TextAlignment) -> _Classed:
    """Classify a part, found at a span in the old text, by its state in the new text."""
    old, new = alignment.old, alignment.new
    line = line_and_column(old, span.start)[0]
    words, place = part.text, alignment.place_of(span)
    if place and new[slice(*place)] == words and not cuts_a_word(new, place):
        is_same_number = _number(words, old, span) == _number(words, new, place)
        is_unchanged = is_same_number and alignment.is_in_order(span, place)
        state: State = "unchanged" if is_unchanged else "moved"
        lines = line, line_and_column(new, place.start)[0]
        return ReanchoredPart(at, words, state, lines), place
    others = whole_occurrences(words, new)
    if others and not place:
        choices = tuple(_shown(part, new, each) for each in others[:_SHOWN])
        return ReanchoredPart(at, words, "ambiguous", (line, None), choices), None
    near = place or alignment.between_neighbours(span)
    found = on_word_boundaries(new, *near) if near else _similar(words, new)
    now = new[slice(*found)] if found else ""
    # If the old text also contains the similar words, they are not an edited form of this part.
    if found and now and (near or fold(now) not in fold(old)):
        edited = (_shown(part, new, found),)
        return ReanchoredPart(at, words, "edited", (line, None), edited), None
    return ReanchoredPart(at, words, "lost", (line, None), ()), None


def _similar(words: str, new: str) -> Span | None:
    """Return the most similar words in the new text; on several lines only if `words` are."""
    passages = nearest(words, new)
    is_one = len(passages) == 1 or "\n" in words
    if passages and is_one:
        return extent(passages)
    return None


def _each(
    document: Document, cited: EvidenceField, alignment: TextAlignment, first: tuple[Span, ...]
) -> tuple[list[_Classed], list[Part]]:
    """Return the parts of evidence with their states, and the parts to write in their place."""
    found, parts = list[_Classed](), list[Part]()
    for i, (part, span) in enumerate(zip(cited.parts, document.at(cited.path), strict=True)):
        piece, place = _classed(document.place(*cited.path, i, "text"), part, span, alignment)
        found.append((piece, place))
        if place:
            parts.append(anchored(part, place, alignment.new, first))
        else:
            parts.append(_unanchored(part, span, document.text, alignment.new))
    return found, parts


def _every(
    document: Document, cited: EvidenceField, alignment: TextAlignment
) -> tuple[list[_Classed], list[Part]]:
    """Do as `_each` for a waiver with `every_occurrence`, which must not cover more places."""
    (part,), spans = cited.parts, document.at(cited.path)
    classed = [
        _classed(document.place(*cited.path, 0, "text"), part, span, alignment) for span in spans
    ]
    found, _ = find_every_span(quote_of(part), SearchedText("", alignment.new, near=False))
    if found and {*found} <= {place for _, place in classed}:
        return [(classed[0][0]._replace(state="unchanged", paste=()), found[0])], [part]
    piece = next((piece for piece, place in classed if not place), classed[0][0])
    if found:
        piece = piece._replace(state="ambiguous", paste=("every_occurrence: true",))
    elif not piece.is_in_doubt:
        piece = piece._replace(state="lost")
    new = _unanchored(part, spans[0], alignment.old, alignment.new)
    return [(piece, None)], [new]


def _swapped(piece: ReanchoredPart, place: Span | None, text: str) -> ReanchoredPart:
    """Return a part as `ambiguous`, since it now precedes a part that it followed."""
    lines = f"line {line_and_column(text, place.start)[0]}" if place else ""
    paste = f"{in_yaml_part(piece.words)}  # {lines}, in another order"
    return piece._replace(state="ambiguous", paste=(paste,))


_SHOWN = 8
"""Maximum number of places listed for a person to choose from."""


def _shown(part: Part, text: str, place: Span) -> str:
    """Return the YAML of a part with the words at a place, and its line as a comment."""
    chosen = anchored(Part(text=text[slice(*place)], unbalanced=part.unbalanced), place, text)
    return f"{part_yaml(chosen)}  # line {line_and_column(text, place.start)[0]}"


def _number(words: str, text: str, span: Span) -> int:
    """Return the position of an occurrence among all occurrences of the words, counted from 1."""
    return sum(at <= span.start for at in offsets_of(words, text))


# ---- edits ---------------------------------------------------------------------------------------


def _unanchored(part: Part, span: Span, old: str, text: str) -> Part:
    """Return a part in a form that is not found in the new text, or is ambiguous there.

    If necessary, the fields that select an occurrence are removed. If the words then occur only
    once, a `prefix` and a `suffix` are added that only the old text contains.

    Raises:
        UneditableTextError: there is no such `prefix` and `suffix`.
    """
    within = SearchedText("", text, near=False)
    for each in (part, part.model_copy(update=NO_NEIGHBOURS)):
        if not find_span(quote_of(each), within)[0]:
            return each
    for start, end in passages_around(old, span):
        if old[start:end] not in text:
            neighbours = {
                "prefix": old[start : span.start] or None,
                "suffix": old[span.end : end] or None,
            }
            return part.model_copy(update={**neighbours, "occurrence": None})
    raise UneditableTextError


def _edit(typed: Any, path: Path, i: int, part: Part, new: Part) -> dict[Path, str]:
    """Return the smallest edit that replaces a part, as YAML by path; {} if it is unchanged."""
    if new == part:
        return {}
    try:
        path, _ = typed_part(typed, path, i)
    except (KeyError, IndexError, TypeError):
        raise UneditableTextError from None
    return {path: part_yaml(new)}
