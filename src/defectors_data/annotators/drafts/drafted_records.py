"""The speakers and the statements of a draft so far, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from defectors_data.annotators.drafts.printed_names import PrintedNames
from defectors_data.evidence.annotated_document import Document
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.offsets import Span
from defectors_data.text.similar_words import may_be_one_person

if TYPE_CHECKING:
    from defectors_data.annotators.record_ids import UnusedIds


@dataclass
class DraftSpeaker:
    """A speaker of a draft."""

    id: str
    mention: Span
    mention_id: str
    name: str = ""
    kind: str = "person"
    affiliation: str = ""
    others: list[tuple[str, Span]] = field(default_factory=list)
    """The ids and words of further mentions."""


class DraftStatement(NamedTuple):
    """A statement of a known speaker."""

    id: str
    speaker: DraftSpeaker
    spans: Sequence[Span]
    source: SourceWords | None
    """The words that say who speaks; None if the statement continues the one before it."""


class Person(NamedTuple):
    """A person whom a pronoun or a description can mean."""

    name: str
    """The name, or the words that introduce a person without a name."""
    mention: Span
    speaker: DraftSpeaker | None
    """None for a person who was introduced but has not spoken yet."""

    @property
    def is_named(self) -> bool:
        """Whether `name` is a name."""
        return self.speaker is None or bool(self.speaker.name)


_SENTENCE = re.compile(r"(?:^|[.!?][”\"’]?) +[A-Z“\"‘]")
"""The beginning of a further sentence."""


class DraftedRecords:
    """The speakers and statements of a draft, which are added in reading order."""

    def __init__(self, document: Document, ids: UnusedIds) -> None:
        """Read the names in a document."""
        self.document, self.text, self.ids = document, document.text, ids
        self.names = PrintedNames(document)
        self.speakers: list[DraftSpeaker] = []
        self.statements: list[DraftStatement] = []

    def words(self, span: Span) -> str:
        """Return the words of the article at a span."""
        return self.text[slice(*span)]

    def next(self, beginning: str) -> str:
        """Return an unused id in its short form."""
        return self.ids.next(beginning).removeprefix(f"{self.document.source.id}-")

    def added(
        self, name: str, mention: Span, printed: str = "", *, kind: str = "person"
    ) -> DraftSpeaker:
        """Add a speaker with an id, a mention and a name, and return it."""
        self.speakers.append(DraftSpeaker(name, mention, self.next("m"), printed, kind))
        return self.speakers[-1]

    def new_group(self, words: Span) -> DraftSpeaker:
        """Add a group without a name, and return it."""
        return self.added(self.next("speaker-"), words, kind="group")

    def shared(self, name: str) -> str:
        """Return the id of the shared speaker with a name, or ""."""
        for speaker in self.document.context.shared.values():
            if speaker.name == name or may_be_one_person(speaker.name, name):
                return speaker.id
        return ""

    def near_speakers(self, words: Span) -> list[DraftSpeaker]:
        """Return the speakers of the statements before some words in their paragraph and in the one
        before it, in order.
        """
        ends = [(each.spans[-1].end, each.speaker) for each in self.statements]
        between = [(self.text[end : words.start], speaker) for end, speaker in ends]
        return [speaker for part, speaker in between if len(re.findall(r"\n+", part)) <= 1]

    def ends_of_narration(self, words: Span) -> Iterator[Span]:
        """Yield the ends of the paragraphs before that of some words, as empty spans, up to one with
        a statement, and this one only if sentences without a statement follow in it.
        """
        reached = max((each.spans[-1].end for each in self.statements), default=0)
        end = self.text.rfind("\n", 0, words.start)
        while end > 0:
            end = len(self.text[:end].rstrip())
            start = self.text.rfind("\n", 0, end) + 1
            if reached < start or _SENTENCE.search(self.text[reached:end]):
                yield Span(end, end)
            if reached > start:
                return
            end = start - 1

    def as_person(self, speaker: DraftSpeaker) -> Person:
        """Return a speaker as a person whom words can mean."""
        name = speaker.name or self.words(speaker.mention)
        return Person(name, speaker.mention, speaker)

    def persons(self) -> Iterator[Person]:
        """Yield the persons who speak, and those who are introduced but have not spoken yet."""
        known = [each for each in self.speakers if each.kind == "person"]
        yield from map(self.as_person, known)
        for name, found in self.names.introduced.items():
            if not any(may_be_one_person(each.name, name) for each in known):
                yield Person(name, found.span, None)
