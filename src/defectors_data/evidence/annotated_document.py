"""A document: one source with its annotations, the text of its seed, and the spans of its evidence.

A document is the unit of work. It refers to the shared context, but never to another document, so
results do not depend on which documents are processed together. Offsets count code points from 0,
and ends are exclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from defectors_data.corpus.findings import (
    MOST_SHOWN,
    Finding,
    Path,
    Place,
    ProjectFile,
    UnreadError,
)
from defectors_data.evidence import anchors
from defectors_data.evidence.anchors import Quote, SearchedText
from defectors_data.evidence.free_text.texts import FreeText, free_texts
from defectors_data.models.annotation import (
    Act,
    Annotations,
    Attribution,
    Erratum,
    Figure,
    Group,
    Happened,
    LocalSpeaker,
    Mention,
    Motive,
    ProtectedMention,
    Relation,
    SharedReference,
    Speaker,
    SpeakerEntry,
    Testimony,
    Waiver,
    Where,
    full_id,
)
from defectors_data.models.closed_vocabularies import JOIN, RecordTable, Region
from defectors_data.models.fields import Part
from defectors_data.text.offsets import (
    Span,
    any_overlap,
    extent,
    line_and_column,
    overlaps,
    surroundings,
)

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context

REGIONS: Mapping[str, Region] = {
    "title": "headline",
    "subtitle": "subtitle",
    "captions": "caption",
    "pull_quotes": "pull_quote",
    "boilerplate": "boilerplate",
}
"""The regions of a page, by the field of the source that lists them; the rest is the body."""


RecordOfProtected: TypeAlias = Mention | ProtectedMention | Testimony | Figure | Waiver | Erratum
NEXT_TO_EVIDENCE = frozenset({"attribution", "motives", "acts", "happened", "where"})
"""The keys of words that are searched for next to the evidence of their record."""
ATTRIBUTES_OF_MENTIONS = ("rank", "affiliation", "age", "years_of_service")
"""The keys of the attributes that the words of a mention must contain."""


def motive_id(testimony: Testimony, i: int) -> str:
    """Return the id of a motive of a testimony; motives are counted from 0."""
    return f"{testimony.id}-motive-{i + 1}"


def act_id(testimony: Testimony, i: int) -> str:
    """Return the id of an act in a testimony; acts are counted from 0."""
    return f"{testimony.id}-act-{i + 1}"


class EvidenceField(NamedTuple):
    """A field of a record that contains evidence, and its path in the file."""

    table: RecordTable
    record_id: str
    field: str
    path: Path
    parts: tuple[Part, ...]
    every: bool = False
    """Whether a waiver covers every occurrence of the words."""


def _evidence(table: RecordTable, path: Path, record: RecordOfProtected) -> EvidenceField:
    """Return the evidence of the record at a path."""
    return EvidenceField(table, record.id, "evidence", (*path, "evidence"), record.evidence)


class Document:
    """One source with its annotations.

    Everything derived from them is computed once, when it is first needed.
    """

    def __init__(
        self, file: ProjectFile[Annotations], text: str, seed: str, context: Context
    ) -> None:
        """Store the data that were read.

        Args:
            file: the annotations.
            text: the text of the seed.
            seed: the name of the text in findings: the seed's path, or the file of packed texts
                with the seed's name.
            context: what all documents share.
        """
        self.file, self.text, self.seed, self.context = file, text, seed, context
        self.content = file.content
        self.source = file.content.source
        self.memo: dict[Callable[..., Any], Any] = {}
        """Results of functions decorated with `per_document`."""
        self.borrowed: Mapping[str, Figure] | None = None
        """Figures of other documents that relations of this one use; None until they are loaded."""
        self.is_complete = file.is_complete
        """Whether all of its records could be read; rules with `complete` need them."""
        self.unread = {full_id(name, self.source.id) for _, name in file.unread or ()}
        """The ids of records left out as invalid; an unknown id is empty."""
        self.lacks_others = False
        """Whether a document cannot be read, so that `borrowed` may lack one of its figures."""
        self.faulty: set[str] = set()
        """The ids of records with a finding, which rules with `waits` skip."""
        self.ids_given: Collection[str] = ()
        """Ids that no new record gets although none has them: those of records that were removed
        while the file was edited."""

    @property
    def claims_completeness(self) -> bool:
        """Whether the program searches the text for quotations, numbers and verbs."""
        return self.source.completeness == "full"

    @property
    def is_searched_whole(self) -> bool:
        """Whether the program searches the text, and no words of it were taken down."""
        return self.claims_completeness and not self.content.withdrawn

    def place(self, *path: str | int) -> Place:
        """Return the place of a value, or of the nearest value that contains it."""
        return self.file.place(*path)

    def place_in_seed(self, offset: int) -> Place:
        """Return the place in the seed of an offset in the text."""
        return Place(self.seed, *line_and_column(self.text, offset))

    # ---- records, each with its path -------------------------------------------------------------

    @cached_property
    def entries(self) -> list[tuple[Path, SpeakerEntry]]:
        """The entries of the file's list of speakers, including references to shared speakers."""
        return [(("speakers", i), entry) for i, entry in enumerate(self.content.speakers)]

    @cached_property
    def speakers(self) -> list[tuple[Path, LocalSpeaker]]:
        """The speakers that the file describes, each with its path."""
        return [
            (path, entry) for path, entry in self.entries if not isinstance(entry, SharedReference)
        ]

    @cached_property
    def groups(self) -> list[tuple[Path, Group]]:
        """The groups that the file describes, each with its path."""
        return [(path, each) for path, each in self.speakers if isinstance(each, Group)]

    @cached_property
    def uses(self) -> list[tuple[Path, SharedReference]]:
        """The references to shared speakers, each with its path."""
        return [(path, entry) for path, entry in self.entries if isinstance(entry, SharedReference)]

    @cached_property
    def mentions(self) -> list[tuple[Path, Mention | ProtectedMention]]:
        """The mentions of all speakers, each with its path.

        `self.entry_of(path)` is its speaker.
        """
        found: list[tuple[Path, Mention | ProtectedMention]] = []
        for path, entry in self.entries:
            mentions: tuple[Mention | ProtectedMention, ...] = entry.mentions
            found += (((*path, "mentions", i), mention) for i, mention in enumerate(mentions))
        return found

    def entry_of(self, path: Path) -> SpeakerEntry:
        """Return the speaker entry that contains a path below `speakers`."""
        return self.content.speakers[int(path[1])]

    def speaker_of(self, path: Path) -> Speaker | None:
        """Return the speaker of the mention at a path; None if a shared speaker is missing."""
        return self.speakers_by_id.get(self.entry_of(path).id)

    @cached_property
    def testimonies(self) -> list[tuple[Path, Testimony]]:
        """The testimonies, each with its path."""
        return [(("testimonies", i), item) for i, item in enumerate(self.content.testimonies)]

    @cached_property
    def testimonies_by_id(self) -> dict[str, tuple[Path, Testimony]]:
        """The testimonies by id, each with its path; of several with one id, the first."""
        return {each.id: (path, each) for path, each in reversed(self.testimonies)}

    def testimony_of(self, figure: Figure) -> tuple[Path, Testimony] | None:
        """Return the testimony that a figure names, with its path; None if there is none."""
        return self.testimonies_by_id.get(figure.testimony or "")

    @cached_property
    def figures(self) -> list[tuple[Path, Figure]]:
        """The figures, each with its path."""
        return [(("figures", i), item) for i, item in enumerate(self.content.figures)]

    @cached_property
    def relations(self) -> list[tuple[Path, Relation]]:
        """The relations, each with its path."""
        return [(("relations", i), item) for i, item in enumerate(self.content.relations)]

    @cached_property
    def waivers(self) -> list[tuple[Path, Waiver]]:
        """The waivers, each with its path."""
        return [(("waivers", i), item) for i, item in enumerate(self.content.waivers)]

    @cached_property
    def errata(self) -> list[tuple[Path, Erratum]]:
        """The errata, each with its path."""
        return [(("errata", i), item) for i, item in enumerate(self.content.errata)]

    @cached_property
    def records(self) -> list[tuple[Path, RecordTable, str]]:
        """The path, table and id of each record but the source, in the order of ids."""
        tables: list[tuple[RecordTable, Sequence[tuple[Path, Any]]]] = [
            ("speakers", self.speakers),
            ("testimonies", self.testimonies),
            ("figures", self.figures),
            ("waivers", self.waivers),
            ("relations", self.relations),
            ("mentions", self.mentions),
            ("errata", self.errata),
        ]
        return [(path, table, item.id) for table, records in tables for path, item in records]

    @cached_property
    def tables(self) -> dict[str, RecordTable]:
        """The table of each record by its id, including shared speakers that the file refers to."""
        found: dict[str, RecordTable] = {self.source.id: "sources"}
        found |= {name: table for _, table, name in self.records}
        return found | {entry.id: "speakers" for _, entry in self.entries}

    @cached_property
    def figures_by_id(self) -> dict[str, Figure]:
        """The figures of the file and those borrowed from other documents, by id."""
        return {**(self.borrowed or {}), **{figure.id: figure for _, figure in self.figures}}

    def names_own_figures(self, relation: Relation) -> bool:
        """Return whether all figures of a relation are in this document."""
        return {relation.result, *relation.operands} <= {figure.id for _, figure in self.figures}

    @property
    def relations_to_evaluate(self) -> Iterator[tuple[Path, Relation]]:
        """The relations within the document or, with borrowed figures, across documents."""
        # Relations with other documents wait until these are loaded, so that each is evaluated
        # once.
        for path, relation in self.relations:
            if self.names_own_figures(relation) == (self.borrowed is None):
                yield path, relation

    # ---- speakers --------------------------------------------------------------------------------

    @cached_property
    def speakers_by_id(self) -> dict[str, Speaker]:
        """The speakers of the file and the shared speakers that it uses, by id."""
        shared = {
            entry.id: speaker
            for _, entry in self.uses
            if (speaker := self.context.shared.get(entry.id))
        }
        # A shared speaker takes precedence over one of the file with the same id; a rule reports
        # the duplicate.
        return {speaker.id: speaker for _, speaker in self.speakers} | shared

    @cached_property
    def protected(self) -> frozenset[str]:
        """The ids of the protected speakers."""
        return frozenset(
            name for name, speaker in self.speakers_by_id.items() if self._is_protected(speaker)
        )

    def _is_protected(self, speaker: Speaker) -> bool:
        """Return whether a speaker is protected, or must be because of the role."""
        return speaker.protected or (
            speaker.anonymity == "partial" and speaker.role in self.context.roles_at_risk
        )

    @cached_property
    def has_duplicate_ids(self) -> bool:
        """Whether an id is used twice in the file, or also by a shared speaker.

        References are then ambiguous, so rules that follow them are not applied.
        """
        ids = [self.source.id, *(name for _, _, name in self.records)]
        uses = [entry.id for _, entry in self.uses]
        shared = False
        with suppress(UnreadError):
            # The ids of the file are looked up: there may be millions of shared speakers.
            shared = any(name in self.context.shared for name in ids)
        return shared or len(set(ids)) < len(ids) or len(set(uses)) < len(uses)

    @cached_property
    def of_protected(self) -> frozenset[str]:
        """The ids of the testimonies, figures and waivers that are about protected persons."""
        theirs = {t.id for _, t in self.testimonies if t.speaker in self.protected}
        for _, figure in self.figures:
            if figure.attributed_to in self.protected or figure.testimony in theirs:
                theirs.add(figure.id)
        for _, waiver in self.waivers:
            # A waiver for a protected attribute is about a protected person even if it repeats no
            # record.
            if waiver.repeats in theirs or waiver.reason == "protected_attribute":
                theirs.add(waiver.id)
        return frozenset(theirs)

    @cached_property
    def records_of_protected(self) -> list[tuple[Path, RecordOfProtected]]:
        """The records that are about a protected person, each with its path."""
        found: list[tuple[Path, RecordOfProtected]] = []
        for path, mention in self.mentions:
            if self.entry_of(path).id in self.protected:
                found.append((path, mention))
        records: list[tuple[Path, Testimony | Figure | Waiver]]
        records = [*self.testimonies, *self.figures, *self.waivers]
        theirs: list[tuple[Path, RecordOfProtected]]
        theirs = [(path, record) for path, record in records if record.id in self.of_protected]
        spans = [span for path, _ in theirs for span in self.evidence_of(path)]
        # Errata quote the article, so they can quote words about a protected person.
        for path, erratum in self.errata:
            if any_overlap(self.evidence_of(path), spans):
                theirs.append((path, erratum))
        return [*found, *theirs]

    @cached_property
    def free_texts(self) -> list[FreeText]:
        """The free texts of the annotations.

        Raises:
            UnreadError: a value of the file could not be read.
        """
        return list(free_texts(self.file))

    @cached_property
    def open_texts(self) -> list[FreeText]:
        """The free texts outside records of protected persons."""
        closed = set[Path]()
        if not self.has_duplicate_ids:  # else no rule finds out which records are closed
            closed = {path[:2] for path, _ in self.records_of_protected}
        return [free for free in self.free_texts if free.path[:2] not in closed]

    @cached_property
    def hidden_paths(self) -> frozenset[Path]:
        """The paths of records that messages must not repeat: protected, waivers, errata.

        A record of an unknown speaker counts as protected, and so does a figure in a hidden
        testimony.
        """
        public = set[str]()
        # If shared speakers or roles cannot be read, no speaker is known to be public.
        with suppress(UnreadError):
            public = self.speakers_by_id.keys() - self.protected
        hidden: set[Path] = {path for path, _ in (*self.waivers, *self.errata)}
        for path, speaker in self.speakers:
            if speaker.id not in public:
                hidden.add(path)
        safe: set[str | None] = {None}  # a figure outside a testimony has None
        for path, testimony in self.testimonies:
            if testimony.speaker in public:
                safe.add(testimony.id)
            else:
                hidden.add(path)
        for path, figure in self.figures:
            is_public = figure.attributed_to is None or figure.attributed_to in public
            if not is_public or figure.testimony not in safe:
                hidden.add(path)
        return frozenset(hidden)

    @cached_property
    def attributes_of_mentions(self) -> list[tuple[Path, str | int]]:
        """The attributes of mentions, each with its path."""
        found: list[tuple[Path, str | int]] = []
        for path, mention in self.mentions:
            values = vars(mention)  # faster than `getattr`, where models lack the key
            for key in ATTRIBUTES_OF_MENTIONS:
                value = values.get(key)
                if value is not None:
                    found.append(((*path, key), value))
        return found

    # ---- evidence --------------------------------------------------------------------------------

    @cached_property
    def cited(self) -> list[EvidenceField]:
        """The fields with evidence: of the source, of mentions, then of other records by kind."""
        return list(self._cited())

    def _cited(self) -> Iterator[EvidenceField]:
        source = self.source
        for name in (
            "title",
            "subtitle",
            "dateline",
            "captions",
            "pull_quotes",
            "boilerplate",
        ):
            if evidence := getattr(source, name):
                yield EvidenceField("sources", source.id, name, ("source", name), evidence)
        for name, fact in source.facts().items():
            if fact.evidence:
                yield EvidenceField(
                    "sources", source.id, name, ("source", name, "evidence"), fact.evidence
                )
        for path, mention in self.mentions:
            yield _evidence("mentions", path, mention)
            for name, evidence in mention.attested_by or ():
                if evidence:
                    yield EvidenceField(
                        "mentions", mention.id, name, (*path, "attested_by", name), evidence
                    )
        for path, testimony in self.testimonies:
            yield _evidence("testimonies", path, testimony)
            yield from self._attributing("testimonies", path, testimony)
            yield from self._coding(path, testimony)
        for path, figure in self.figures:
            yield _evidence("figures", path, figure)
            yield from self._attributing("figures", path, figure)
        for path, waiver in self.waivers:
            yield _evidence("waivers", path, waiver)._replace(every=waiver.every_occurrence)
        for path, erratum in self.errata:
            yield _evidence("errata", path, erratum)

    @staticmethod
    def _coding(path: Path, testimony: Testimony) -> Iterator[EvidenceField]:
        """Yield the words on which the codes of a testimony are based."""
        for i, motive in enumerate(testimony.motives):
            at = (*path, "motives", i, "words")
            yield EvidenceField("motives", motive_id(testimony, i), "evidence", at, motive.words)
        for i, act in enumerate(testimony.acts):
            named = {"evidence": ("words", act.words), "against": ("against", act.against)}
            named["done_by"] = ("by", act.by)
            for field, (key, words) in named.items():
                if words:
                    at = (*path, "acts", i, key)
                    yield EvidenceField("acts", act_id(testimony, i), field, at, words)
        for key in ("happened", "where"):
            if code := getattr(testimony, key):
                at = (*path, key, "words")
                yield EvidenceField("testimonies", testimony.id, key, at, code.words)

    @staticmethod
    def _attributing(
        table: RecordTable, path: Path, record: Testimony | Figure
    ) -> Iterator[EvidenceField]:
        """Yield the words of an attribution, and those of its rival."""
        attribution = record.attribution
        if attribution and attribution.words:
            at = (*path, "attribution", "words")
            yield EvidenceField(table, record.id, "attribution", at, attribution.words)
        if attribution and isinstance(attribution.rival, Part):
            at = (*path, "attribution", "rival")
            yield EvidenceField(table, record.id, "rival", at, (attribution.rival,))

    @cached_property
    def codes(self) -> list[tuple[Path, Motive | Act | Happened | Where]]:
        """The motives, acts, dates and places of testimonies, each with its path."""
        return [code for path, testimony in self.testimonies for code in codes_of(path, testimony)]

    @cached_property
    def attributions(self) -> list[tuple[Path, tuple[Testimony | Figure, Attribution]]]:
        """The attributions of testimonies and figures, each with its path and record."""
        found: list[tuple[Path, tuple[Testimony | Figure, Attribution]]] = []
        records: list[tuple[Path, Testimony | Figure]] = [*self.testimonies, *self.figures]
        for path, record in records:
            if record.attribution:
                found.append(((*path, "attribution"), (record, record.attribution)))
        return found

    @cached_property
    def _anchored(
        self,
    ) -> tuple[dict[Path, tuple[Span, ...]], list[Finding], list[tuple[Finding, str]]]:
        spans: dict[Path, tuple[Span, ...]] = {}
        findings, missing = list[Finding](), list[tuple[Finding, str]]()
        for cited in self.cited:
            # Findings that will not be shown need no similar words, and the search for them takes
            # most of the time.
            discreet, near = cited.path[:2] in self.hidden_paths, len(findings) < MOST_SHOWN
            in_one = cited.table == "testimonies" and cited.field == "evidence"
            around: tuple[Span, ...] = ()
            if NEXT_TO_EVIDENCE.intersection(cited.path):
                evidence = spans.get((*cited.path[:2], "evidence"))
                if not evidence:
                    continue  # it is not known where to look
                around = surroundings(self.text, extent(evidence))
            within = SearchedText(self.seed, self.text, discreet, near, in_one, around)
            quotes = [self._quote(cited, i, part) for i, part in enumerate(cited.parts)]
            if cited.every and len(quotes) == 1:
                found, faults = anchors.find_every_span(quotes[0], within)
            else:
                found, faults = anchors.find_spans(quotes, within)
            findings += faults
            if found:
                spans[cited.path] = found
            for fault in faults:
                if fault.code == "evidence-not-found":
                    words = next(quote.text for quote in quotes if quote.place == fault.place)
                    if words not in self.text:
                        missing.append((fault, words))
        return spans, findings, missing

    def _quote(self, cited: EvidenceField, i: int, part: Part) -> Quote:
        # Positions are computed only for a finding: parsing a line a second time is slow.
        at = partial(self.place, *cited.path, i, "text")
        return Quote(part.text, at, part.prefix or "", part.suffix or "", part.occurrence)

    @cached_property
    def spans(self) -> Mapping[Path, tuple[Span, ...]]:
        """The spans of evidence, by the path of its field.

        Evidence that was not found is absent.
        """
        return self._anchored[0]

    @property
    def anchoring_findings(self) -> list[Finding]:
        """The findings on evidence that was not found."""
        return self._anchored[1]

    @property
    def missing(self) -> list[tuple[Finding, str]]:
        """The findings on words that are not in the seed, with the words."""
        return self._anchored[2]

    @cached_property
    def is_anchored(self) -> bool:
        """Whether all evidence was found."""
        return all(cited.path in self.spans for cited in self.cited)

    @cached_property
    def direct_parts(self) -> list[tuple[Path, tuple[Part, Span]]]:
        """The parts of direct testimonies that were found, each with its path and span."""
        found: list[tuple[Path, tuple[Part, Span]]] = []
        for path, testimony in self.testimonies:
            if testimony.mode == "direct":
                # Not strict, because evidence that was not found has no spans.
                parts = zip(testimony.evidence, self.evidence_of(path), strict=False)
                found += [((*path, "evidence", i), part) for i, part in enumerate(parts)]
        return found

    def at(self, path: Path) -> tuple[Span, ...]:
        """Return the spans of the evidence at a path; empty if it was not found."""
        return self.spans.get(path, ())

    def evidence_of(self, path: Path) -> tuple[Span, ...]:
        """Return the spans of the `evidence` of the record at a path; empty if it was not found."""
        return self.at((*path, "evidence"))

    def words(self, path: Path) -> str | None:
        """Return the joined words of the evidence at a path, or None if it was not found."""
        # An empty string means that nothing was found: evidence has at least one character.
        return JOIN.join(self.words_at(self.at(path))) or None

    def words_at(self, spans: Iterable[Span]) -> list[str]:
        """Return the words at each of some spans."""
        return [self.text[span.start : span.end] for span in spans]

    def is_withdrawn(self, start: int, end: int) -> bool:
        """Return whether any part of a span of the text was withdrawn."""
        return overlaps(Span(start, end), self.content.withdrawn)


def codes_of(
    path: Path, testimony: Testimony
) -> Iterator[tuple[Path, Motive | Act | Happened | Where]]:
    """Yield the motives, acts, date and place of the testimony at a path, each with its path."""
    for i, motive in enumerate(testimony.motives):
        yield (*path, "motives", i), motive
    for i, act in enumerate(testimony.acts):
        yield (*path, "acts", i), act
    if testimony.happened:
        yield (*path, "happened"), testimony.happened
    if testimony.where:
        yield (*path, "where"), testimony.where


Result = TypeVar("Result")
PerDocument: TypeAlias = Callable[[Document], Result]


def per_document(function: PerDocument[Result]) -> PerDocument[Result]:
    """Decorate a function of a document so that its result is cached in the document."""

    @wraps(function)
    def once(document: Document) -> Result:
        # Results are stored in the document, so that they are freed with it. A `try` instead of
        # `get`, because None can be a result, and a hit is the usual case.
        try:
            found: Result = document.memo[function]
        except KeyError:
            found = document.memo[function] = function(document)
        return found

    return once
