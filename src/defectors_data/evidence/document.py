"""A document: one source with its annotations, the text of its seed, and where in the text its evidence is found.

A document is the unit of work. It knows the context that all documents share and no other document, so that it does
not matter which documents are processed together. Offsets are zero-based code points, end-exclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial, wraps
from typing import Any, NamedTuple, TypeAlias, TypeVar

from defectors_data.corpus.context import Context
from defectors_data.corpus.findings import MOST_SHOWN, Finding, Place
from defectors_data.corpus.project_file import Path, ProjectFile
from defectors_data.evidence import anchoring
from defectors_data.evidence.anchoring import Quote, Surroundings
from defectors_data.models.annotation import (
    Annotations,
    Figure,
    LocalSpeaker,
    Mention,
    Part,
    ProtectedMention,
    Relation,
    SharedReference,
    Speaker,
    SpeakerEntry,
    Testimony,
    Waiver,
)
from defectors_data.models.vocabularies import RecordTable
from defectors_data.text.offsets import Span, line_and_column

JOIN = " […] "
"""What is put between the parts of evidence where they are given as one text."""


class Cited(NamedTuple):
    """A field of a record that contains evidence, and the path where it was typed."""

    table: RecordTable
    record_id: str
    field: str
    path: Path
    parts: tuple[Part, ...]
    every: bool = False
    """Whether every occurrence of the words is meant (of a waiver)."""


class Document:
    """One source with its annotations, as it is processed.

    `file` is the annotations as they were read; `seed` is how findings name the text: its path below the project's
    folder, or the path of the file that packs it and its name.
    """

    def __init__(self, file: ProjectFile[Annotations], text: str, seed: str, context: Context) -> None:
        """Take what was read; everything else is computed when it is first asked for, and then kept."""
        self.file, self.text, self.seed, self.context = file, text, seed, context
        self.content = file.content
        self.source = file.content.source
        self.memo: dict[Callable[..., Any], Any] = {}
        """What functions marked `per_document` have returned."""
        self.borrowed: Mapping[str, Figure] | None = None
        """Figures of other documents that relations of this one name; None until they are looked up."""

    def place(self, *path: str | int) -> Place:
        """Return the place of a path, or of the nearest value around it."""
        return self.file.place(*path)

    def place_in_seed(self, offset: int) -> Place:
        """Return the place of an offset of the text."""
        return Place(self.seed, *line_and_column(self.text, offset))

    # ---- records, each with its path ---------------------------------------------------------------------------

    @cached_property
    def entries(self) -> list[tuple[Path, SpeakerEntry]]:
        """The speakers that the file lists, shared ones included."""
        return [(("speakers", i), entry) for i, entry in enumerate(self.content.speakers)]

    @cached_property
    def speakers(self) -> list[tuple[Path, LocalSpeaker]]:
        """The speakers that the file itself describes."""
        return [(path, entry) for path, entry in self.entries if not isinstance(entry, SharedReference)]

    @cached_property
    def uses(self) -> list[tuple[Path, SharedReference]]:
        """The references to shared speakers."""
        return [(path, entry) for path, entry in self.entries if isinstance(entry, SharedReference)]

    @cached_property
    def mentions(self) -> list[tuple[Path, Mention | ProtectedMention]]:
        """The mentions; the speaker of one is `self.entry_of(path)`."""
        found: list[tuple[Path, Mention | ProtectedMention]] = []
        for path, entry in self.entries:
            mentions: tuple[Mention | ProtectedMention, ...] = entry.mentions
            found += (((*path, "mentions", i), mention) for i, mention in enumerate(mentions))
        return found

    def entry_of(self, path: Path) -> SpeakerEntry:
        """Return the speaker entry around a path below `speakers`."""
        return self.content.speakers[int(path[1])]

    @cached_property
    def testimonies(self) -> list[tuple[Path, Testimony]]:
        """The testimonies."""
        return [(("testimonies", i), item) for i, item in enumerate(self.content.testimonies)]

    @cached_property
    def figures(self) -> list[tuple[Path, Figure]]:
        """The figures."""
        return [(("figures", i), item) for i, item in enumerate(self.content.figures)]

    @cached_property
    def relations(self) -> list[tuple[Path, Relation]]:
        """The relations."""
        return [(("relations", i), item) for i, item in enumerate(self.content.relations)]

    @cached_property
    def waivers(self) -> list[tuple[Path, Waiver]]:
        """The waivers."""
        return [(("waivers", i), item) for i, item in enumerate(self.content.waivers)]

    @cached_property
    def records(self) -> list[tuple[Path, RecordTable, str]]:
        """Path, table and id of every record but the source itself, in the order in which ids are compared."""
        found: list[tuple[Path, RecordTable, str]] = [(path, "speakers", item.id) for path, item in self.speakers]
        found += [(path, "testimonies", item.id) for path, item in self.testimonies]
        found += [(path, "figures", item.id) for path, item in self.figures]
        found += [(path, "waivers", item.id) for path, item in self.waivers]
        found += [(path, "relations", item.id) for path, item in self.relations]
        found += [(path, "mentions", item.id) for path, item in self.mentions]
        return found

    @cached_property
    def tables(self) -> dict[str, RecordTable]:
        """The table of each record by its id; of speakers that the file only refers to, too."""
        found: dict[str, RecordTable] = {self.source.id: "sources"}
        found |= {name: table for _, table, name in self.records}
        return found | {entry.id: "speakers" for _, entry in self.entries}

    @cached_property
    def figures_by_id(self) -> dict[str, Figure]:
        """The figures that relations may name: those of the file, and those borrowed from other documents."""
        return {**(self.borrowed or {}), **{figure.id: figure for _, figure in self.figures}}

    def names_own_figures(self, relation: Relation) -> bool:
        """Tell whether all figures that a relation names are in the document itself."""
        return {relation.result, *relation.operands} <= {figure.id for _, figure in self.figures}

    # ---- speakers ----------------------------------------------------------------------------------------------

    @cached_property
    def heard(self) -> dict[str, Speaker]:
        """The speakers that records may refer to, by id: those of the file, and the shared ones that it uses."""
        shared = {entry.id: speaker for _, entry in self.uses if (speaker := self.context.shared.get(entry.id))}
        return {speaker.id: speaker for _, speaker in self.speakers} | shared

    @cached_property
    def protected(self) -> frozenset[str]:
        """The ids of the protected speakers."""
        return frozenset(name for name, speaker in self.heard.items() if speaker.protected)

    @cached_property
    def has_duplicate_ids(self) -> bool:
        """Whether an id is given twice in the file, or is also that of a shared speaker.

        What refers to ids cannot be judged then, so rules on references are not applied.
        """
        ids = [self.source.id, *(name for _, _, name in self.records)]
        uses = [entry.id for _, entry in self.uses]
        shared = any(name in self.context.shared for name in ids)
        return shared or len(set(ids)) < len(ids) or len(set(uses)) < len(uses)

    @cached_property
    def of_protected(self) -> frozenset[str]:
        """The ids of testimonies by or about protected persons, of their figures, and of what repeats those."""
        theirs = {t.id for _, t in self.testimonies if self.protected & {t.speaker, t.about}}
        theirs |= {f.id for _, f in self.figures if f.attributed_to in self.protected or f.testimony in theirs}
        theirs |= {w.id for _, w in self.waivers if w.repeats in theirs or w.reason == "protected_attribute"}
        return frozenset(theirs)

    @cached_property
    def hidden_paths(self) -> frozenset[Path]:
        """The paths of records of which messages repeat nothing: those of protected speakers, and all waivers.

        A record whose speaker is not known counts as protected, and so does a figure inside such a testimony.
        """
        public = {name for name, speaker in self.heard.items() if not speaker.protected}
        hidden: set[Path] = {path for path, speaker in self.speakers if speaker.protected}
        hidden |= {path for path, _ in self.waivers}
        safe: set[str | None] = {None}
        for path, testimony in self.testimonies:
            if testimony.speaker in public and testimony.about in public | {None}:
                safe.add(testimony.id)
            else:
                hidden.add(path)
        hidden |= {
            path
            for path, figure in self.figures
            if figure.attributed_to not in public | {None} or figure.testimony not in safe
        }
        return frozenset(hidden)

    @cached_property
    def attributes_of_mentions(self) -> list[tuple[Path, str | int]]:
        """The attributes that mentions state, each with its path."""
        keys = ("rank", "affiliation", "age", "years_of_service")
        stated = ((path, key, getattr(mention, key, None)) for path, mention in self.mentions for key in keys)
        return [((*path, key), value) for path, key, value in stated if value is not None]

    # ---- evidence ----------------------------------------------------------------------------------------------

    @cached_property
    def cited(self) -> list[Cited]:
        """Every field of every record that contains evidence, in the order of the file."""
        return list(self._all_cited())

    def _all_cited(self) -> Iterator[Cited]:
        source = self.source
        for name in ("title", "subtitle", "dateline", "url", "boilerplate"):
            if evidence := getattr(source, name):
                yield Cited("sources", source.id, name, ("source", name), evidence)
        for name, fact in source.facts().items():
            if fact.evidence:
                yield Cited("sources", source.id, name, ("source", name, "evidence"), fact.evidence)
        for path, mention in self.mentions:
            yield Cited("mentions", mention.id, "evidence", (*path, "evidence"), mention.evidence)
            for name, evidence in mention.attested_by or ():
                if evidence:
                    yield Cited("mentions", mention.id, name, (*path, "attested_by", name), evidence)
        for path, testimony in self.testimonies:
            yield Cited("testimonies", testimony.id, "evidence", (*path, "evidence"), testimony.evidence)
            for i, support in enumerate(testimony.support):
                yield Cited("testimonies", testimony.id, support.claim, (*path, "support", i, "words"), support.words)
        for path, figure in self.figures:
            yield Cited("figures", figure.id, "evidence", (*path, "evidence"), figure.evidence)
        for path, waiver in self.waivers:
            yield Cited("waivers", waiver.id, "evidence", (*path, "evidence"), waiver.evidence, waiver.every_occurrence)

    @cached_property
    def _anchored(self) -> tuple[dict[Path, tuple[Span, ...]], list[Finding]]:
        spans: dict[Path, tuple[Span, ...]] = {}
        findings: list[Finding] = []
        for cited in self.cited:
            within = Surroundings(
                self.seed,
                self.text,
                discreet=cited.path[:2] in self.hidden_paths,
                near=len(findings) < MOST_SHOWN,
            )
            quotes = [self._quote(cited, i, part) for i, part in enumerate(cited.parts)]
            if cited.every and len(quotes) == 1:
                found, faults = anchoring.every_span(quotes[0], within)
            else:
                found, faults = anchoring.spans(quotes, within)
            findings += faults
            if found:
                spans[cited.path] = found
        return spans, findings

    def _quote(self, cited: Cited, i: int, part: Part) -> Quote:
        at = partial(self.place, *cited.path, i, "text")
        return Quote(part.text, at, part.prefix or "", part.suffix or "", part.occurrence)

    @property
    def spans(self) -> Mapping[Path, tuple[Span, ...]]:
        """Where evidence is found, by the path where it was typed; evidence that was not found is absent."""
        return self._anchored[0]

    @property
    def anchoring_findings(self) -> list[Finding]:
        """What is wrong with evidence that was not found."""
        return self._anchored[1]

    @cached_property
    def is_anchored(self) -> bool:
        """Whether all evidence was found."""
        return all(cited.path in self.spans for cited in self.cited)

    @cached_property
    def direct_parts(self) -> list[tuple[Path, tuple[Part, Span]]]:
        """The parts of direct testimonies that were found, each with its path and its span."""
        return [
            ((*path, "evidence", i), found)
            for path, testimony in self.testimonies
            if testimony.mode == "direct"
            for i, found in enumerate(zip(testimony.evidence, self.evidence_of(path), strict=False))
        ]

    def at(self, path: Path) -> tuple[Span, ...]:
        """Return where evidence is found; nothing where it was not found."""
        return self.spans.get(path, ())

    def evidence_of(self, path: Path) -> tuple[Span, ...]:
        """Return where the `evidence` of a record is found, by the record's path."""
        return self.spans.get((*path, "evidence"), ())

    def words(self, path: Path) -> str | None:
        """Return the words of evidence, its parts joined; None where it was not found."""
        return JOIN.join(self.text[span.start : span.end] for span in self.at(path)) or None

    def is_withdrawn(self, start: int, end: int) -> bool:
        """Tell whether any of a run of the text was taken down."""
        return any(run.start < end and start < run.end for run in self.content.withdrawn)


Result = TypeVar("Result")
PerDocument: TypeAlias = Callable[[Document], Result]


def per_document(function: PerDocument[Result]) -> PerDocument[Result]:
    """Compute a function of a document once for each document."""

    @wraps(function)
    def once(document: Document) -> Result:
        if function not in document.memo:
            document.memo[function] = function(document)
        found: Result = document.memo[function]
        return found

    return once
