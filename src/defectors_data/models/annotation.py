"""What people write by hand, as frozen models.

Values arrive as text (YAML is read without types) and become what a field declares. The sentence under a field is
written for the reader of the data; it is the description of that field in the JSON Schema, the tables and the docs.
Evidence is words, never offsets. Where the words stand is for `anchoring`; whether they are right is for `checks`.
Annotations are no strings here, as they are elsewhere: every one is read when its model is made, each time a process
starts.
"""

from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from defectors_data.models.fields import (
    Age,
    Count,
    Edtf,
    FileName,
    Flag,
    Id,
    Language,
    Line,
    Note,
    Number,
    Record,
    Sha256,
    Term,
    Text,
    Whole,
    Words,
    YearsOfService,
)
from defectors_data.models.vocabularies import (
    Anonymity,
    Branch,
    Gender,
    Hedge,
    Kind,
    Mode,
    RankClass,
    RelationKind,
    Request,
    Role,
    Unbalanced,
    Unit,
    WaiverReason,
)

# ---- evidence ----------------------------------------------------------------------------------------------


class Part(Record):
    """One run of the seed's words, character for character, told apart from other occurrences where needed."""

    text: Words
    """The words as they stand in the seed."""
    prefix: Text | None = None
    """The characters directly before the words, where the words occur more than once."""
    suffix: Text | None = None
    """The characters directly after the words, where the words occur more than once."""
    occurrence: Count | None = None
    """Which occurrence is meant, counted from 1 among those that `prefix` and `suffix` leave."""
    unbalanced: Unbalanced | None = None
    """The quotation mark that the seed leaves out around this part."""


def _as_parts(value: Any) -> Any:
    """Accept a string, a part, or a list of either."""
    items = value if isinstance(value, list | tuple) else [value]
    return [{"text": item} if isinstance(item, str) else item for item in items]


Evidence = TypeAliasType(
    "Evidence",
    Annotated[
        tuple[Part, ...],
        Field(min_length=1, max_length=100),
        BeforeValidator(
            _as_parts,
            json_schema_input_type=Words | Part | Annotated[list[Words | Part], Field(min_length=1, max_length=100)],
        ),
    ],
)


# ---- sources -----------------------------------------------------------------------------------------------


class _Stated(Record):
    basis: Literal["stated"]
    """Whether the source states the value, or it was worked out."""
    evidence: Evidence
    """The words of the source that state the value."""
    note: Note | None = None
    """Anything a reader has to know about the value."""


class _Inferred(Record):
    basis: Literal["inferred"]
    """Whether the source states the value, or it was worked out."""
    note: Note | None = None
    """From what the value was worked out; a check asks for it."""
    evidence: Evidence | None = None
    """Words of the source that the inference rests on."""


class _OfName(Record):
    value: Line
    """The name."""


class _OfNames(Record):
    value: tuple[Line, ...] = Field(min_length=1)
    """The names, in the order of the source."""


class _OfDate(Record):
    value: Edtf
    """The date in EDTF (ISO 8601-2)."""


class StatedName(_OfName, _Stated):
    """A name that the source prints."""


class InferredName(_OfName, _Inferred):
    """A name that is known from more than the source's words."""


class StatedNames(_OfNames, _Stated):
    """Names that the source prints."""


class InferredNames(_OfNames, _Inferred):
    """Names that are known from more than the source's words."""


class StatedDate(_OfDate, _Stated):
    """A date that the source prints."""


class InferredDate(_OfDate, _Inferred):
    """A date that was worked out from the source."""


Name: TypeAlias = Annotated[StatedName | InferredName, Field(discriminator="basis")]
Names: TypeAlias = Annotated[StatedNames | InferredNames, Field(discriminator="basis")]
Publication: TypeAlias = Annotated[StatedDate | InferredDate, Field(discriminator="basis")]
Fact: TypeAlias = StatedName | InferredName | StatedNames | InferredNames | StatedDate | InferredDate


class Source(Record):
    """One article: the seed that holds its text and what is known of its publication."""

    id: Id
    """Stable name of the source, never used again for another."""
    seed: FileName
    """File name of the article's text in `seeds/`."""
    sha256: Sha256
    """SHA-256 of the seed's bytes that were annotated, in lower-case hexadecimal."""
    title: Evidence | None = None
    """Title as printed; null where it was taken out."""
    subtitle: Evidence | None = None
    """Subtitle or standfirst as printed."""
    authors: Names | None = None
    """Who wrote the article; several are joined by `; `; empty where the text does not tell."""
    outlet: Name | None = None
    """Who published the article; empty where the text does not tell."""
    published: Publication | None = None
    """When the article was published, in EDTF (ISO 8601-2)."""
    language: Language
    """Language of the article, a BCP 47 tag."""
    dateline: Evidence | None = None
    """Dateline as printed."""
    url: Evidence | None = None
    """Address of the article, only where the text prints it."""
    rights: Line
    """Who holds the rights in the article's words."""
    cited_outlets: tuple[Line, ...] = ()
    """Outlets that the source says it takes words from, as it names them; several are joined by `; `."""
    boilerplate: Evidence | None = None
    """Words on the page that are no part of the article: navigation, player controls, notices, copyright lines."""
    note: Note | None = None
    """Anything a reader has to know about the source."""

    def facts(self) -> dict[str, Fact]:
        """Return the fields that carry a basis, by name."""
        facts = {"authors": self.authors, "outlet": self.outlet, "published": self.published}
        return {name: fact for name, fact in facts.items() if fact}


# ---- speakers ----------------------------------------------------------------------------------------------


class ProtectedAttestations(Record):
    """Words that license what is said of a speaker, where the mention itself does not show it."""

    role: Evidence | None = None
    """Words that tell the role."""
    request: Evidence | None = None
    """Words that tell why the name is withheld."""
    rank_class: Evidence | None = None
    """Words that tell the class of rank."""
    branch: Evidence | None = None
    """Words that tell the branch."""


class Attestations(ProtectedAttestations):
    """Words that license what is said of a publicly named speaker, where the mention itself does not show it."""

    gender: Evidence | None = None
    """Words that tell the gender, such as a pronoun."""


class ProtectedMention(Record):
    """The shortest run of words that introduces a speaker who is not publicly named."""

    id: Id
    """Stable name of the mention."""
    evidence: Evidence
    """The words that introduce the speaker."""
    attested_by: ProtectedAttestations | None = None
    """Words elsewhere in the source that license an attribute, by attribute."""


class Mention(Record):
    """The words that introduce a publicly named speaker in a source, and what they state."""

    id: Id
    """Stable name of the mention."""
    evidence: Evidence
    """The words that introduce the speaker."""
    rank: Line | None = None
    """Rank as printed."""
    age: Age | None = None
    """Age in years, as the mention states it."""
    years_of_service: YearsOfService | None = None
    """Years served in the security forces, as the mention states them."""
    affiliation: Line | None = None
    """What the speaker belongs to, as printed."""
    attested_by: Attestations | None = None
    """Words elsewhere in the source that license an attribute, by attribute."""


_KIND = "Whether a person, a group or an institution is heard."
_ANONYMITY = (
    "Whether the name is known: in full (named), in part (partial), kept back at the speaker's wish (withheld), "
    "not given (unnamed); not_applicable for groups and institutions."
)


class _Speaker(Record):
    protected: ClassVar[bool] = False
    id: Id
    """Stable name of the speaker; made of source and number for whoever is not publicly named."""
    kind: Kind = Field(description=_KIND)
    role: Role
    """The side or office that the speaker speaks from."""
    anonymity: Anonymity = Field(description=_ANONYMITY)
    rank_class: RankClass | None = None
    """Class of military rank."""
    branch: Branch | None = None
    """Branch of the security forces."""


class _PublicSpeaker(_Speaker):
    name: Line
    """Name as printed; null for groups and for whoever is not publicly named."""
    note: Note | None = None
    """Anything a reader has to know about this annotation; null for protected speakers."""


class _PublicPerson(_PublicSpeaker):
    kind: Literal["person"] = Field(description=_KIND)
    gender: Gender | None = None
    """Gender, where words of the source license it."""


class _ProtectedPerson(_Speaker):
    protected: ClassVar[bool] = True
    kind: Literal["person"] = Field(description=_KIND)
    mentions: tuple[ProtectedMention, ...] = ()
    """The words that introduce the speaker in this source."""


class NamedPerson(_PublicPerson):
    """A person whose full name the source prints."""

    anonymity: Literal["named"] = Field(description=_ANONYMITY)
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""


class PartialPerson(_PublicPerson):
    """A person of whom the source prints only a first name or a surname."""

    anonymity: Literal["partial"] = Field(description=_ANONYMITY)
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""


class WithheldPerson(_ProtectedPerson):
    """A person who asked not to be named: a name, or what could tell who it is, has no field here."""

    anonymity: Literal["withheld"] = Field(description=_ANONYMITY)
    request: Request | None = None
    """Why the name is withheld, where the source says so."""


class UnnamedPerson(_ProtectedPerson):
    """A person whom the source does not name: a name, or what could tell who it is, has no field here."""

    anonymity: Literal["unnamed"] = Field(description=_ANONYMITY)


class Group(_Speaker):
    """Several people who are heard together and are no institution."""

    kind: Literal["group"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)
    note: Note | None = None
    """Anything a reader has to know about this annotation; null for protected speakers."""
    mentions: tuple[ProtectedMention, ...] = ()
    """The words that introduce the speaker in this source."""


class Institution(_PublicSpeaker):
    """A body that speaks as one: a ministry, an agency, a news agency."""

    kind: Literal["institution"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""


class SharedPerson(_PublicPerson):
    """A named person who is heard in several sources; the mentions stand with each source."""

    anonymity: Literal["named"] = Field(description=_ANONYMITY)


class SharedInstitution(_PublicSpeaker):
    """An institution that is heard in several sources; the mentions stand with each source."""

    kind: Literal["institution"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)


class SharedReference(Record):
    """A speaker of `annotations/speakers.yaml` who is heard in this source."""

    use: Id
    """The id of a speaker in `annotations/speakers.yaml`."""
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""

    @property
    def id(self) -> str:
        """The id of the speaker who is referred to."""
        return self.use


def _speaker_shape(value: Any) -> str:
    """Return the name of the model that a speaker as typed asks for, or what was typed in its place."""
    entry = vars(value) if isinstance(value, Record) else value
    if not isinstance(entry, dict):
        return type(entry).__name__
    if "use" in entry:
        return "reference"
    kind = entry.get("kind")
    return str(entry.get("anonymity") if kind == "person" else kind)


LocalSpeaker: TypeAlias = NamedPerson | PartialPerson | WithheldPerson | UnnamedPerson | Group | Institution
SharedSpeaker: TypeAlias = Annotated[SharedPerson | SharedInstitution, Field(discriminator="kind")]
Speaker: TypeAlias = LocalSpeaker | SharedPerson | SharedInstitution
SpeakerEntry: TypeAlias = Annotated[
    Annotated[NamedPerson, Tag("named")]
    | Annotated[PartialPerson, Tag("partial")]
    | Annotated[WithheldPerson, Tag("withheld")]
    | Annotated[UnnamedPerson, Tag("unnamed")]
    | Annotated[Group, Tag("group")]
    | Annotated[Institution, Tag("institution")]
    | Annotated[SharedReference, Tag("reference")],
    Discriminator(_speaker_shape),
]

# ---- testimonies, figures, waivers -------------------------------------------------------------------------


class Support(Record):
    """Words that bear out a claim about a testimony which its own words do not show by a word that is known."""

    claim: Term
    """What is claimed: a theme of the testimony, or `mode`."""
    words: Evidence
    """The words of the source that tell it, in the testimony or elsewhere."""


class Testimony(Record):
    """One act of speech, or one told experience, of one speaker in one place of one source."""

    id: Id
    """Stable name of the testimony."""
    speaker: Id
    """Who is heard."""
    mode: Mode
    """The speaker's words in quotation marks (direct), reported speech (indirect), or an experience told by the
    writer without a reporting verb (narrated)."""
    evidence: Evidence
    """The words, exactly as printed; several parts are joined by ` […] `."""
    outlet: Line | None = None
    """The outlet the words were said to, where the source says it is another than itself."""
    themes: tuple[Term, ...] = Field(min_length=1, max_length=30)
    """What the words are about: terms of the table `themes`, joined by `;`."""
    about: Id | None = None
    """The speaker or group that the words are about, where that is another than who speaks."""
    support: tuple[Support, ...] = Field((), max_length=31)
    """Words that bear out a theme or the mode, where no trigger of the theme and no reporting verb does."""
    note: Note | None = None
    """Anything a reader has to know about this annotation."""


class Figure(Record):
    """One quantity that a source states about the world."""

    id: Id
    """Stable name of the figure."""
    evidence: Evidence
    """The quantity with the words that say what is counted, exactly as printed."""
    value: Number | None = None
    """The number that the words print, which under a hedge is no estimate; null for a range and for vague words."""
    low: Number | None = None
    """The lowest number that the words allow, itself excluded under more_than. Of vague words it is twice the unit
    word, the least that a plural can mean: hundreds 200, scores 40, several dozen 24."""
    high: Number | None = None
    """The highest number that the words allow, itself excluded under nearly and less_than."""
    hedge: Hedge
    """How the words bound the number: exact; about; nearly and less_than (below it); up_to (it or below); more_than
    (above it); at_least (it or above); range (from low to high); vague (low or more)."""
    unit: Unit
    """The unit that is counted."""
    measure: Term
    """What is measured, a term of the table `measures`: two figures of one measure may be put side by side."""
    population: Term | None = None
    """Of whom or what the measure is taken, where two have to be told apart: a term of the table `populations`."""
    counted: Line
    """What is counted, in plain words."""
    attributed_to: Id | None = None
    """Who states the figure; null where the writer of the article states it."""
    testimony: Id | None = None
    """The testimony whose words hold the figure."""
    as_of: Edtf | None = None
    """The date that the figure holds for, in EDTF (ISO 8601-2), only as far as it is printed."""
    place: Line | None = None
    """The place that the figure holds for, as printed."""
    override: Note | None = None
    """Why the annotation differs from what its words say, where it does."""
    note: Note | None = None
    """Anything a reader has to know about this annotation."""


class Relation(Record):
    """An arithmetic between figures: what one of them should come to by the others."""

    id: Id
    """Stable name of the relation."""
    kind: RelationKind
    """How the figure follows from the others."""
    result: Id
    """The figure that the others should give: the part, the share, the sum, the quotient."""
    operands: tuple[Id, ...] = Field(min_length=1, max_length=30)
    """The figures that it follows from: the whole; the part and the whole; the parts; dividend and divisor. Several
    are joined by `;`."""
    note: Note | None = None
    """Anything a reader has to know about the relation; where it fails, why that may be."""


class Waiver(Record):
    """A quotation or a number in a seed that is no record, and why."""

    id: Id
    """Stable name of the waiver."""
    evidence: Evidence
    """The words that are waived, exactly as printed; null where they state an attribute of a protected person."""
    reason: WaiverReason
    """Why the words are no record."""
    repeats: Id | None = None
    """The record that the words repeat."""
    every_occurrence: Flag = False
    """Whether every occurrence in the seed is waived."""
    note: Note | None = None
    """Anything a reader has to know about this waiver."""

    @model_validator(mode="after")
    def _all_of_one(self) -> Self:
        if self.every_occurrence and (len(self.evidence) > 1 or self.evidence[0].occurrence):
            raise PydanticCustomError(
                "every_occurrence_of_one",
                "`every_occurrence: true` goes with one run of words and without `occurrence`",
            )
        return self


# ---- what was taken out ------------------------------------------------------------------------------------


class Withdrawn(Record):
    """A run of a seed that was taken out: nothing that is published holds any of it."""

    start: Whole
    """First code point of the run in the seed, counted from 0."""
    end: Count
    """First code point after the run, counted from 0."""


# ---- files -------------------------------------------------------------------------------------------------


class Annotations(Record):
    """All that is annotated about one source: one file in `annotations/`, named like its seed."""

    source: Source
    """The article."""
    speakers: tuple[SpeakerEntry, ...] = ()
    """Whoever is heard or cited in the article."""
    testimonies: tuple[Testimony, ...] = ()
    """What they said or lived through."""
    figures: tuple[Figure, ...] = ()
    """The quantities that the article states."""
    relations: tuple[Relation, ...] = ()
    """What some of them should come to by others."""
    waivers: tuple[Waiver, ...] = ()
    """Quotations and numbers that are no record."""
    withdrawn: tuple[Withdrawn, ...] = ()
    """Runs of the seed that were taken out; `defectors-data takedown` writes them."""


class SharedSpeakers(Record):
    """`annotations/speakers.yaml`: named persons and institutions that are heard in more than one source."""

    speakers: tuple[SharedSpeaker, ...] = ()
    """Speakers that a source's file refers to with `use`."""
