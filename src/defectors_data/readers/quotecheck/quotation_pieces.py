"""The pieces of a quotation between marks of omission and marked insertions."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text.offsets import Span, sentences
from defectors_data.text.wording_differences import FOLDS, OMISSION, fold

Joint: TypeAlias = Literal["start", "omission", "insertion", "sentence"]
"""What is between a piece and the one before it; `sentence` is the end of a sentence."""

ENDS = " \t\n.,;:!?–—-\"'“”‘’«»"
"""Characters that are ignored at both ends of a piece."""
_LETTERS = re.compile(r"(?<!\w)\[(\w{1,2})\](?=\w)")
"""One or two first letters that an editor changed and put in brackets, as in `[W]e`."""
_INSERTION = re.compile(r"\w*\[[^\[\]\n]{1,200}\]\w*")


class FoldedText:
    """A text with one style of quotation marks, dashes and spaces, for repeated searches."""

    def __init__(self, text: str) -> None:
        """Fold a text; a line break or an empty line between words counts as a space."""
        folded = text.translate(FOLDS)
        pieces, self._starts, self._shifts = list[str](), [0], [0]
        reached = length = 0
        for hit in _SPACED.finditer(folded):
            space = " " if _SPACE.fullmatch(hit[0]) else "\n"
            pieces += [folded[reached : hit.start()], space]
            length += hit.start() - reached + 1
            reached = hit.end()
            self._starts.append(length)
            self._shifts.append(reached - length)
        self.plain = "".join(pieces) + folded[reached:]
        lower = self.plain.lower()
        # `fold` is slow, and needed only for a letter that becomes two in lower case.
        self.lower = lower if len(lower) == len(self.plain) else fold(self.plain)

    def span(self, start: int, end: int) -> Span:
        """Return the span in the text for one in `plain`, which is not empty."""
        return Span(self._offset(start), self._offset(end - 1) + 1)

    def _offset(self, at: int) -> int:
        return at + self._shifts[bisect_right(self._starts, at) - 1]


_SPACED = re.compile(r"\s{2,}|[^\S ]")
_SPACE = re.compile(r"[^\S\n]+|\n{1,2}")


class Piece(NamedTuple):
    """Adjacent words of a quotation, without marks at their ends."""

    raw: str
    """The words as the manuscript has them, with changed letters in brackets."""
    joint: Joint

    @property
    def words(self) -> str:
        """The words without the brackets around changed letters."""
        return _LETTERS.sub(r"\1", self.raw)

    def places(self, text: FoldedText) -> Iterator[Span]:
        """Yield the places of these words in a text.

        The case of the first letter, and of letters in brackets, is ignored, and so is the style
        of quotation marks, dashes and spaces.
        """
        raw = " ".join(self.raw.translate(FOLDS).split())
        words, free = _LETTERS.sub(r"\1", raw), {0}
        for before, hit in enumerate(_LETTERS.finditer(raw)):
            start = hit.start() - 2 * before  # without the brackets of those before
            free |= set(range(start, start + len(hit[1])))
        sought = fold(words)
        at = text.lower.find(sought)
        while at >= 0:
            found = text.plain[at : at + len(words)]
            pairs = enumerate(zip(words, found, strict=True))
            if all(mine == its or i in free for i, (mine, its) in pairs):
                yield text.span(at, at + len(words))
            at = text.lower.find(sought, at + 1)

    def sentences(self) -> list[Piece]:
        """Return the sentences of the piece as pieces."""
        parts = [part.strip(ENDS) for part in sentences(self.raw)]
        first, *others = [part for part in parts if part]
        return [Piece(first, self.joint), *(Piece(part, "sentence") for part in others)]


class Pieces(NamedTuple):
    """The pieces of a quotation, and what an editor marked in it."""

    pieces: list[Piece]
    changed: list[str]
    """The words with changed letters, as in `[W]e`."""
    insertions: list[str]
    """The insertions, such as `[sic]`."""
    omits_start: bool
    """Whether a mark of omission precedes the first piece."""
    omits_end: bool


def pieces_of(quotation: str, *, insertions: bool = True) -> Pieces:
    """Return the pieces of a quotation.

    Without `insertions`, words in brackets are read as words of the article.
    """
    # Invisible characters (category Cf) are left out.
    visible = "".join(each for each in quotation if unicodedata.category(each) != "Cf")
    found = list(_cut(visible, insertions=insertions))
    pieces: list[Piece] = []
    pending: set[Joint] = set()
    for words, joint in found:
        pending.add(joint)
        if stripped := words.strip(ENDS):
            # An omission next to an insertion is an omission.
            kind: Joint = "omission" if "omission" in pending else joint
            if not pieces:
                kind = "start"
            pieces.append(Piece(stripped, kind))
            pending.clear()
    starts = OMISSION.match(visible.lstrip(ENDS)) or OMISSION.match(visible.lstrip())
    changed = [hit[0] for hit in re.finditer(r"\[\w{1,2}\]\w+", visible)]
    inserted = []
    if insertions:
        inserted = [hit[0] for hit in _marks(visible) if not OMISSION.fullmatch(hit[0])]
    return Pieces(pieces, changed, inserted, bool(starts), "omission" in pending)


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Yield marks of omission and insertions in order."""
    at = 0
    while True:
        hits = [hit for hit in (OMISSION.search(text, at), _insertion(text, at)) if hit]
        if not hits:
            return
        first = min(hits, key=lambda hit: (hit.start(), -hit.end()))
        yield first
        at = first.end()


def _insertion(text: str, at: int) -> re.Match[str] | None:
    for hit in _INSERTION.finditer(text, at):
        if not _LETTERS.match(hit[0]):
            return hit
    return None


def _cut(text: str, *, insertions: bool) -> Iterator[tuple[str, Joint]]:
    """Yield the text between marks, each with the mark before it."""
    marks = _marks(text) if insertions else OMISSION.finditer(text)
    at = 0
    joint: Joint = "start"
    for hit in marks:
        yield text[at : hit.start()], joint
        joint = "omission" if OMISSION.fullmatch(hit[0]) else "insertion"
        at = hit.end()
    yield text[at:], joint
