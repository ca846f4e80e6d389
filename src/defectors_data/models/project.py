"""Models of the files of a project that do not belong to a single source.

These are `dataset.yaml` and `CHANGELOG.md`, and in `annotations/` the vocabulary, the notes on
comparisons, the tombstones and the released ids.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from defectors_data.models.closed_vocabularies import (
    COMPARISON_NOTES,
    PlaceKind,
    RecordChange,
    RecordTable,
    StatementKind,
    StatementReason,
    TakedownReason,
)
from defectors_data.models.fields import (
    ADDRESS,
    DOI,
    PRIVATE,
    TERM_ADDRESS,
    Day,
    Edtf,
    FileName,
    Flag,
    GeneralLine,
    GeneralNote,
    Id,
    Line,
    Number,
    Record,
    Reference,
    Sha256,
    StandardNotes,
    Term,
    TermReference,
    TextKind,
    UnitNoun,
    Version,
)

NOT_STATED = "Not stated by the publisher."
UNKNOWN_PROGRAM = "Replace this line by: defectors-data[build] @ git+ADDRESS@COMMIT"
"""The line of a project's requirements.txt if the address of the program is not known. `pip`
rejects it, and shows it."""


class VocabularyTerm(Record):
    """One term of an open vocabulary."""

    term: Annotated[Term, TextKind.GENERAL]
    """The term, as records use it."""
    label: GeneralLine | None = None
    """The name of the term for readers, on the page and in charts; the words of the term if none is
    given."""
    definition: GeneralLine
    """What the term means."""
    close_match: tuple[Annotated[GeneralLine, Field(pattern=TERM_ADDRESS)], ...] = ()
    """Web addresses of terms of other vocabularies that mean almost the same, joined by `;`."""


class Theme(VocabularyTerm):
    """A topic of testimonies."""

    triggers: tuple[GeneralLine, ...] = ()
    """Words that indicate the theme, regardless of case, joined by `;`; `*` at a word's end matches
    any ending."""


class Attribute(VocabularyTerm):
    """A value of an attribute of speakers: a role, a rank class or a branch."""

    triggers: tuple[GeneralLine, ...] = ()
    """Words that show the value, regardless of case, joined by `;`; `*` at a word's end matches any
    ending."""


class Role(Attribute):
    """A side or office that speakers represent."""

    pseudonym_possible: Flag = False
    """Whether speakers in this role may fear reprisals; if so, a first name or surname alone may be
    a pseudonym, and the speaker is protected."""
    body: GeneralLine | None = None
    """The body for which all speakers in this role speak, such as `government`; their figures have
    one origin."""


class Measure(VocabularyTerm):
    """What figures measure; only figures of the same measure are compared."""

    units: tuple[TermReference, ...] = ()
    """Units in which the measure can be counted; any unit if none is given."""
    comparable: Flag = True
    """Whether figures of the measure can be compared; false if each has a different subject."""
    constant: Flag = False
    """Whether the number is constant over time, such as the size of a past event; if so, two
    figures without a number in common conflict even if they are undated."""


class SubjectUnit(VocabularyTerm):
    """A unit for the subject of this corpus, in addition to the built-in units."""

    nouns: tuple[UnitNoun, ...] = ()
    """Words that name the unit after a number, singular and plural, in lower case, and the sign of a
    currency, joined by `;`."""
    whole: Flag = False
    """Whether the unit is counted in whole numbers, such as persons; the numbers of other units can
    be fractions."""


class NamedPlace(VocabularyTerm):
    """A place, whichever way it is spelled."""

    kind: PlaceKind
    """What kind of place it is."""
    country: GeneralLine | None = None
    """The country of the place; null for a border and for a place whose country no article
    prints."""
    spellings: tuple[GeneralLine, ...] = Field(min_length=1)
    """The words for the place in the articles, joined by `;`."""


class Tolerance(Record):
    """How far a hedge permits the true number to be from the printed number."""

    hedge: Literal["about", "nearly"]
    """The hedge: about extends to both sides of the number, nearly only below it."""
    percent: Annotated[Number, Field(ge=0, le=100)]
    """The largest distance, in percent of the number; for units that are counted in whole numbers,
    at least 1."""


class CodeExample(Record):
    """A testimony that shows when a code applies, and one to which it does not apply."""

    code: Literal[
        "themes",
        "access",
        "stance",
        "motives",
        "acts",
        "happened",
        "where",
        "outlet_kind",
        "departure",
        "departure_means",
        "relatives",
    ]
    """The key of testimonies."""
    value: TermReference | None = None
    """The value that is shown, such as a term of the key; any value if none is given."""
    example: Reference
    """A testimony that has the value."""
    counter_example: Reference | None = None
    """A testimony that does not have the value, although it may seem to."""
    because: GeneralLine | None = None
    """Why the counter-example does not have the value."""


class Vocabulary(Record):
    """`annotations/vocabulary.yaml`: the open vocabularies."""

    themes: tuple[Theme, ...] = ()
    """Topics of testimonies."""
    measures: tuple[Measure, ...] = ()
    """What figures measure."""
    populations: tuple[VocabularyTerm, ...] = ()
    """The groups or places that figures are about, if a measure is used for several of them."""
    roles: tuple[Role, ...] = ()
    """The sides or offices that speakers represent."""
    rank_classes: tuple[Attribute, ...] = ()
    """The classes into which the ranks of speakers are grouped."""
    branches: tuple[Attribute, ...] = ()
    """Branches of the organisations to which speakers belong."""
    factors: tuple[VocabularyTerm, ...] = ()
    """The reasons for decisions that are coded as motives."""
    act_kinds: tuple[VocabularyTerm, ...] = ()
    """The kinds of harm that are coded as acts."""
    places: tuple[NamedPlace, ...] = ()
    """The places to which testimonies and figures refer."""
    units: tuple[SubjectUnit, ...] = ()
    """Units for the subject of this corpus, in addition to the built-in units."""
    tolerances: tuple[Tolerance, ...] = ()
    """How far the hedges `about` and `nearly` extend when figures are compared."""
    examples: tuple[CodeExample, ...] = ()
    """Testimonies that the exported codebook quotes as examples of codes."""

    def lists_of_terms(self) -> Iterator[tuple[str, tuple[VocabularyTerm, ...]]]:
        """Yield the lists of terms, each with its key."""
        for key, listed in self:
            if key not in ("tolerances", "examples"):
                yield key, listed


class ComparisonNote(Record):
    """A note on figures of one measure of which each pair may have no number in common."""

    figures: tuple[Reference, ...] = Field(min_length=2, max_length=30)
    """The figures: the note is on each pair of them that has no number in common."""
    note: Annotated[str, StandardNotes(COMPARISON_NOTES), TextKind.FIXED]
    """Why the figures may differ, without deciding which of them is right; only standard notes are
    allowed."""


class StatementRelation(Record):
    """Two testimonies that a reader noted as related."""

    kind: StatementKind
    """How the two relate: one contradicts or confirms the other, no words show that one
    excludes or supports the other (compatible), or both are about one event."""
    first: Reference
    """One of the two testimonies."""
    second: Reference
    """The other testimony."""
    reason: StatementReason
    """Why they relate in this way."""


class ComparisonNotes(Record):
    """`annotations/comparisons.yaml`: figures that differ, and related statements."""

    comparisons: tuple[ComparisonNote, ...] = ()
    """Pairs of figures, each with a note."""
    statements: tuple[StatementRelation, ...] = ()
    """Pairs of testimonies, each with a kind and a reason; in a corpus of shards, the lines of
    `annotations/statements.jsonl`."""


class Tombstone(Record):
    """A record that was removed by a takedown, without any of its content."""

    table: RecordTable
    """The table that contained the record."""
    id: Annotated[Id, TextKind.FIXED]
    """The identifier of the record, never reused."""
    date: Day
    """Day of the removal."""
    reason: TakedownReason
    """The class of the reason for the removal."""
    seed: Annotated[FileName, TextKind.FIXED] | None = None
    """For a source, its file in `seeds/`, which is no longer annotated."""


class Tombstones(Record):
    """`annotations/tombstones.yaml`: records that were removed (written by `takedown`)."""

    tombstones: tuple[Tombstone, ...] = ()
    """The records that were removed."""


_HEADING = re.compile(r"(#{1,3}) +(.+)")


class Changelog(Record):
    """`CHANGELOG.md`: what changed in each version. Its sections on the data are published."""

    lines: tuple[Annotated[str, TextKind.NOTE], ...] = ()
    """The lines of the file, in Markdown."""

    def published(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that are published, each with its index, counted from 0.

        A version begins with a second-level heading, and its section on the data with a third-level
        heading `Data`. Each section is preceded by the heading of its version.
        """
        version: list[tuple[int, str]] = []
        is_data = False
        for i, line in enumerate(self.lines):
            if heading := _HEADING.fullmatch(line.rstrip()):
                is_data = heading[1] == "###" and heading[2].casefold() == "data"
                version = [(i, line)] if heading[1] == "##" else version
                if is_data:
                    yield from version
            elif is_data and not line.startswith("<!--"):
                yield i, line


class ReleasedId(Record):
    """The state of an id in the last release: hashes, without any content."""

    table: RecordTable | Literal["dataset"]
    """The table that contains the record; `dataset` for the vocabulary and the other facts that
    records share."""
    id: Annotated[Id, TextKind.FIXED]
    """The identifier of the record, or the name of the dataset."""
    first: Version
    """The first version with this id."""
    changed: Version
    """The last version in which the record changed or was withdrawn; for the dataset, the last
    released version."""
    change: RecordChange = "addition"
    """The class of the last change."""
    words: Sha256 | None = None
    """Hash of the words of the evidence and of their places; null for records without evidence and
    for tombstones."""
    meaning: Sha256 | None = None
    """Hash of everything else that is annotated, without notes; null for tombstones."""
    content: Sha256 | None = None
    """Hash of everything that is annotated; null for tombstones."""
    released: Day | None = None
    """The day of the last release, for the dataset."""


class ReleasedIds(Record):
    """`annotations/releases.jsonl`: what was released under each id (written by `release`)."""

    releases: tuple[ReleasedId, ...] = ()
    """The ids that were released."""


class Contributor(Record):
    """A person or organisation that contributed to the dataset."""

    title: GeneralLine
    """Name of the person or organisation."""
    family: GeneralLine | None = None
    """Family name of a person; a contributor without one is an organisation."""
    given: GeneralLine | None = None
    """Given names of a person."""
    roles: tuple[GeneralLine, ...] = Field(min_length=1)
    """Roles of the contributor, in the terms of the Data Package standard or of CRediT."""


class License(Record):
    """A licence, with the properties that the Data Package standard defines."""

    name: GeneralLine
    """Identifier in the SPDX licence list."""
    title: GeneralLine
    """Full name of the licence."""
    path: Annotated[GeneralLine, Field(pattern=ADDRESS)]
    """Web address of the licence text."""


BUDGET = r"^(?:[0-9]{1,6} words|(?:[0-9]{1,2}|100) percent)$"


class Coverage(Record):
    """The time at which and the places from which the sources report."""

    time: Edtf | None = None
    """Time at which the sources report, in EDTF; the events that they report may be older."""
    places: tuple[GeneralLine, ...] = ()
    """Countries from which or about which the sources report."""


class Contact(Record):
    """How readers can reach the maintainers."""

    public: GeneralNote
    """Where to report an error."""
    private: Annotated[GeneralLine, Field(pattern=PRIVATE)] | None = None
    """E-mail or web address for private requests, such as the removal of a person."""


NO_PRIVATE_ADDRESS = (
    "dataset.yaml has no `contact.private`, where protected persons can ask for a removal"
)
"""The message if the data have protected persons, but no address for them."""


class PermittedWords(Record):
    """Words that a field may contain although no article prints them."""

    # Not published.
    field: Annotated[Line, TextKind.FIXED]
    """The field, such as `testimonies.note`, or `CHANGELOG.md`; findings name it."""
    words: tuple[Annotated[Line, TextKind.FIXED], ...] = Field(min_length=1)
    """The words, each as it is found in the text, regardless of case."""


class SpanishTexts(Record):
    """The texts of the page `es.html`, in Spanish."""

    title: GeneralLine
    """Title of the dataset."""
    introduction: GeneralNote
    """What the dataset is, and what it is not."""
    report: GeneralNote
    """Where to report an error."""
    removal: GeneralNote
    """How to ask for a removal, and what happens then."""
    protection: GeneralNote
    """What is promised to protected persons."""
    rights: GeneralNote
    """Who owns the rights in the quoted words, and what the licence covers."""


class Dataset(Record):
    """`dataset.yaml`: facts about the dataset, from which its other descriptions are generated."""

    name: Annotated[Id, TextKind.GENERAL]
    """Name of the data package."""
    title: GeneralLine
    """Title of the dataset."""
    summary: GeneralNote
    """Description of the dataset in one paragraph."""
    version: Version
    """Version of the data, by semantic versioning."""
    released: Day
    """Day of the release."""
    last_release: Version | None = None
    """The last version that `defectors-data release` recorded, which writes it; not published."""
    keywords: tuple[GeneralLine, ...] = Field(min_length=1)
    """Keywords for catalogues."""
    contributors: tuple[Contributor, ...] = Field(min_length=1)
    """Persons and organisations that contributed to the dataset."""
    contact: Contact
    """How to report an error, or ask privately for a removal."""
    licence: License
    """Licence of the annotations."""
    rights: GeneralNote
    """Who owns the rights in the quoted words."""
    homepage: Annotated[GeneralLine, Field(pattern=ADDRESS)] | None = None
    """Web address of the published dataset, once it has one."""
    doi: Annotated[GeneralLine, Field(pattern=DOI)] | None = None
    """Digital object identifier of this version, once it has one."""
    coverage: Coverage = Coverage()
    """The time at which and the places from which the sources report."""
    names: tuple[PermittedWords, ...] = Field((), max_length=50)
    """Words that notes may contain although no article prints them, by field; this list is not
    published."""
    words_budget: Annotated[Line, Field(pattern=BUDGET), TextKind.FIXED] | None = None
    """How much of each article a release may show at most, such as `400 words` or `50 percent`; not
    published."""
    purpose: GeneralNote
    """Why the dataset was made."""
    collection: GeneralNote
    """How the sources were collected."""
    annotation: GeneralNote
    """How the records were made and checked."""
    agreement: GeneralNote | None = None
    """What limits the agreement of readings, if any are compared."""
    uses: tuple[GeneralNote, ...] = Field(min_length=1)
    """What the dataset can be used for."""
    not_for: tuple[GeneralNote, ...] = Field(min_length=1)
    """What the dataset must not be used for."""
    limitations: tuple[GeneralNote, ...] = Field(min_length=1)
    """What the dataset cannot show."""
    biases: tuple[GeneralNote, ...] = Field(min_length=1)
    """Known biases of the content."""
    sensitive: GeneralNote
    """Which content is personal or sensitive."""
    protection: GeneralNote
    """How people at risk are protected."""
    maintenance: GeneralNote
    """How errors are corrected and new versions are made."""
    spanish: SpanishTexts | None = None
    """The texts of a page in Spanish, for people in the articles who read Spanish."""

    @property
    def licensed(self) -> str:
        """What the licence covers, for every description of the dataset that names the licence."""
        return (
            f"The annotations are licensed under {self.licence.title}. The licence does not cover "
            f"the words quoted from the articles. {self.rights.strip()}"
        )

    @property
    def described(self) -> str:
        """The summary, and what the licence covers, for catalogues."""
        return f"{self.summary.strip()}\n\n{self.licensed}"
