"""Models of what annotators write about a source, and of the speakers that sources share.

Values arrive as text (YAML is read without types) and are converted to the type of their field. The
docstring under a field is written for the readers of the data: it is the field's description in the
JSON Schema, the table schemas, the Parquet files and the docs. Evidence consists of words, never of
offsets; `evidence` finds the words in the text, and
`rules` checks the records.

This module, `project` and `diff` do not import `annotations` from `__future__`: pydantic would have
to evaluate every postponed annotation each time a process starts.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, get_args

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from defectors_data.models.closed_vocabularies import (
    RELATION_NOTES,
    Access,
    ActStatus,
    Anonymity,
    AttributionKind,
    Completeness,
    CorrectionReason,
    DateBasis,
    DateOf,
    DateResolution,
    DepartureMeans,
    ErratumStatus,
    Gender,
    Genre,
    Hedge,
    InferenceReason,
    Kind,
    Mode,
    MotiveDecision,
    MotiveDirection,
    MotiveLink,
    MotiveOf,
    NoAttribution,
    OutletKind,
    Polarity,
    ReaderKind,
    ReadingPurpose,
    RelationKind,
    Relatives,
    Request,
    Stance,
    WaiverReason,
)
from defectors_data.models.fields import (
    ADDRESS,
    READER,
    Age,
    Count,
    Day,
    Edtf,
    Evidence,
    FileName,
    Flag,
    GeneralLine,
    GeneralNote,
    Id,
    Language,
    Note,
    Number,
    Part,
    PrintedLine,
    Record,
    Reference,
    Sha256,
    ShortNote,
    StandardNotes,
    TermReference,
    TextKind,
    Version,
    Whole,
    Words,
    YearsOfService,
    as_flag,
    as_part,
)

# ---- sources -------------------------------------------------------------------------------------


# There are two models for each kind of value because only a stated value requires evidence.
class _Stated(Record):
    basis: Literal["stated"]
    """Whether the value is stated by the source, was inferred, or was found outside the source."""
    evidence: Evidence
    """The words of the source that state the value."""
    note: Note | None = None
    """Anything a reader needs to know about the value."""


class _Inferred(Record):
    basis: Literal["inferred"]
    """Whether the value is stated by the source, was inferred, or was found outside the source."""
    note: Note | None = None
    """What the value was inferred from; a rule requires this note."""
    evidence: Evidence | None = None
    """Words of the source on which the inference is based."""


class _External(Record):
    basis: Literal["external", "other_edition"]
    """Whether the value is stated by the source, was inferred, was found outside the source, or is
    that of another edition."""
    note: GeneralNote
    """Where the value was seen."""
    seen: Day
    """The day on which it was seen."""
    evidence: Evidence | None = None
    """Words of the source that fit the value."""


class _OfDate(Record):
    value: Edtf
    """The date in EDTF (ISO 8601-2), such as 2019-05-02, 2019-05 or 2019."""


class StatedName(_Stated):
    """A name that the source prints."""

    value: PrintedLine
    """The name."""


class InferredName(_Inferred):
    """A name that the source does not state and that an annotator inferred."""

    value: ShortNote
    """The name."""


class StatedNames(_Stated):
    """Names that the source prints."""

    value: tuple[PrintedLine, ...] = Field(min_length=1)
    """The names, in the order of the source."""


class InferredNames(_Inferred):
    """Names that the source does not state and that an annotator inferred."""

    value: tuple[ShortNote, ...] = Field(min_length=1)
    """The names, in the order of the source."""


class StatedDate(_OfDate, _Stated):
    """A date that the source prints."""


class InferredDate(_OfDate, _Inferred):
    """A date that the source does not state and that an annotator inferred."""


class ExternalName(_External):
    """A name that was found outside the source."""

    value: GeneralLine
    """The name."""


class ExternalNames(_External):
    """Names that were found outside the source."""

    value: tuple[GeneralLine, ...] = Field(min_length=1)
    """The names, in the usual order."""


class ExternalDate(_OfDate, _External):
    """A date that was found outside the source."""


class _OfAddress(Record):
    value: Annotated[GeneralLine, Field(pattern=ADDRESS)]
    """The web address."""


class StatedAddress(_OfAddress, _Stated):
    """A web address that the source prints."""


class ExternalAddress(_OfAddress, _External):
    """A web address that was found outside the source."""


Name: TypeAlias = Annotated[StatedName | InferredName | ExternalName, Field(discriminator="basis")]
Names: TypeAlias = Annotated[
    StatedNames | InferredNames | ExternalNames, Field(discriminator="basis")
]
Publication: TypeAlias = Annotated[
    StatedDate | InferredDate | ExternalDate, Field(discriminator="basis")
]
Address: TypeAlias = Annotated[StatedAddress | ExternalAddress, Field(discriminator="basis")]
Fact: TypeAlias = (
    StatedName | InferredName | ExternalName | StatedNames | InferredNames | ExternalNames
) | (StatedDate | InferredDate | ExternalDate | StatedAddress | ExternalAddress)


class _Draftable(Record):
    draft: Flag = False
    """Whether a person still has to read and accept the record; a release contains no drafts."""


class Correction(Record):
    """A deliberate change to a record after its release."""

    version: Version
    """The first version with the change: the one that is being prepared."""
    reason: CorrectionReason
    """Why the record was corrected."""


class _Correctable(Record):
    corrected: Correction | None = None
    """The version and the reason of the correction, if anything except a note was changed after the
    release."""


Reader: TypeAlias = Annotated[str, Field(pattern=READER), TextKind.FIXED]
"""A pseudonym of an annotator."""


class TextOrigin(Record):
    """How the text of an article was obtained, as far as it is known."""

    date: Day | None = None
    """The day on which the article was obtained."""
    address: Annotated[GeneralLine, Field(pattern=ADDRESS)] | None = None
    """The web address from which the article was obtained."""
    by: Reader | None = None
    """The person who obtained the article, given as `reader-` and a number."""
    sha256: Sha256 | None = None
    """SHA-256 checksum of the file that was obtained, such as a web page; the seed was made from
    that file."""


class Source(_Correctable, _Draftable):
    """An article: the seed with its text, and what is known about its publication."""

    id: Annotated[Id, TextKind.SOURCE_ID]
    """Stable identifier of the source, never reused."""
    seed: Annotated[FileName, TextKind.SOURCE_ID]
    """File name of the article's text in `seeds/`."""
    sha256: Sha256
    """SHA-256 checksum of the seed as it was annotated, in lower-case hexadecimal."""
    title: Evidence | None = None
    """Title as printed; null if it was removed by a takedown."""
    subtitle: Evidence | None = None
    """Subtitle or standfirst as printed."""
    authors: Names | None = None
    """Authors of the article, joined by `; ` if there are several; null if they are unknown."""
    outlet: Name | None = None
    """Outlet that published the article; null if it is unknown."""
    published: Publication | None = None
    """Date of publication, in EDTF (ISO 8601-2)."""
    language: Language
    """Language of the article, as a BCP 47 tag."""
    completeness: Completeness = "full"
    """What is claimed about the article's quotations and numbers; `none` is required if it is not
    in English."""
    dateline: Evidence | None = None
    """Dateline as printed."""
    genre: Genre | None = None
    """The kind of text that the article is."""
    url: Address | None = None
    """Web address of the article."""
    obtained: TextOrigin | None = None
    """How the text was obtained, as far as it is known."""
    rights: GeneralLine
    """Who owns the rights in the article's text."""
    cited_outlets: tuple[PrintedLine, ...] = ()
    """Outlets that the source says it quotes from, named as in the source; several are joined by `;
    `."""
    captions: Evidence | None = None
    """Captions of pictures and videos, with their credits."""
    pull_quotes: Evidence | None = None
    """Words of the article that the page prints again as a display element; the body has the
    original."""
    boilerplate: Evidence | None = None
    """Text of the web page that is not part of the article: navigation, player controls, notices,
    copyright lines, lists of sources."""
    note: Note | None = None
    """Anything a reader needs to know about the source."""

    def facts(self) -> dict[str, Fact]:
        """Return the filled fields that have a basis, by name."""
        facts: dict[str, Fact | None] = {
            "authors": self.authors,
            "outlet": self.outlet,
            "published": self.published,
            "url": self.url,
        }
        return {name: fact for name, fact in facts.items() if fact}


# ---- speakers ------------------------------------------------------------------------------------


class ProtectedAttestations(Record):
    """Words that show an attribute of a speaker, where the mention itself does not show it."""

    role: Evidence | None = None
    """Words that show the role."""
    request: Evidence | None = None
    """The shortest words that say that the person asked not to be named; of the reason, only what
    identifies nobody.
    """
    rank_class: Evidence | None = None
    """Words that show the rank class."""
    branch: Evidence | None = None
    """Words that show the branch."""


class Attestations(ProtectedAttestations):
    """Words that show an attribute of a publicly named speaker if the mention does not."""

    gender: Evidence | None = None
    """Words that show the gender, such as a pronoun."""


class ProtectedMention(_Correctable):
    """The shortest passage that introduces a speaker who is not publicly named."""

    id: Reference
    """Stable identifier of the mention."""
    evidence: Evidence
    """The words that introduce the speaker."""
    attested_by: ProtectedAttestations | None = None
    """Words elsewhere in the source that show attributes of the speaker, by attribute."""


class Mention(_Correctable):
    """The words that introduce a publicly named speaker, and the attributes that they state."""

    id: Reference
    """Stable identifier of the mention."""
    evidence: Evidence
    """The words that introduce the speaker."""
    rank: PrintedLine | None = None
    """Rank as printed."""
    age: Age | None = None
    """Age in years, as stated in the mention."""
    years_of_service: YearsOfService | None = None
    """Years of service, as stated in the mention."""
    affiliation: PrintedLine | None = None
    """The body to which the speaker belongs, such as an organisation, a unit, a town or a country, as
    printed."""
    attested_by: Attestations | None = None
    """Words elsewhere in the source that show attributes of the speaker, by attribute."""


class Inferences(Record):
    """Attributes of a speaker that no words show, each with the reason why it was inferred."""

    role: InferenceReason | None = None
    """Why the role was inferred; null if words show it."""
    rank_class: InferenceReason | None = None
    """Why the rank class was inferred; null if words show it."""
    branch: InferenceReason | None = None
    """Why the branch was inferred; null if words show it."""


INFERABLE = tuple(Inferences.model_fields)
"""The attributes that can be inferred."""

# Models narrow these fields by declaring them again, and a docstring under a field is not
# inherited.
_SPEAKER = (
    "Stable identifier of the speaker; for protected persons, groups and writers, it contains only "
    "the source and a number."
)
_KIND = "Whether the speaker is a person, a group, an institution, or the writer of the text."
_ROLE = "The side or office that the speaker represents: a term of kind role."
_PSEUDONYM = (
    "Whether the only name that the source gives for a person may be a pseudonym; if so, the "
    "person is protected."
)
_ANONYMITY = (
    "Whether the source names the speaker: in full (named), in part (partial), or not (withheld "
    "if the speaker asked not to be named, unnamed otherwise); not_applicable for groups, "
    "institutions and writers."
)


class _Speaker(_Correctable):
    protected: ClassVar[bool] = False
    id: Annotated[Id, TextKind.FIXED] = Field(description=_SPEAKER)
    kind: Kind = Field(description=_KIND)
    role: TermReference = Field(description=_ROLE)
    anonymity: Anonymity = Field(description=_ANONYMITY)
    rank_class: TermReference | None = None
    """Rank class: a term of kind rank_class."""
    branch: TermReference | None = None
    """Branch of the organisation to which the speaker belongs: a term of kind branch."""
    inferred: Inferences | None = None
    """Why the role, the rank class or the branch was inferred, if no words show it."""


class _PublicSpeaker(_Speaker):
    id: Annotated[Id, TextKind.ID] = Field(description=_SPEAKER)
    name: PrintedLine
    """Name as printed; null for groups and for persons whom the source does not name."""
    note: Note | None = None
    """Anything a reader needs to know about this annotation; null for protected persons."""


class _PublicPerson(_PublicSpeaker):
    kind: Literal["person"] = Field(description=_KIND)
    gender: Gender | None = None
    """Gender of a person whose full name is printed, if words that show it were recorded. Nothing
    may be counted by it, because it is empty for everyone else."""


class _ProtectedPerson(_Speaker, _Draftable):
    protected: ClassVar[bool] = True
    kind: Literal["person"] = Field(description=_KIND)
    mentions: tuple[ProtectedMention, ...] = ()
    """The words that introduce the speaker in this source."""


class NamedPerson(_PublicPerson, _Draftable):
    """A person whose full name the source prints."""

    anonymity: Literal["named"] = Field(description=_ANONYMITY)
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""


class PartialPerson(_PublicPerson, _Draftable):
    """A person for whom the source gives only a first name or a surname that is not a pseudonym."""

    anonymity: Literal["partial"] = Field(description=_ANONYMITY)
    pseudonym_possible: Annotated[
        Literal[False], BeforeValidator(as_flag, json_schema_input_type=Literal[False])
    ] = Field(default=False, description=_PSEUDONYM)
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""


class _AskingPerson(_ProtectedPerson):
    request: Request | None = None
    """Why the name is withheld, if the source says so."""


class WithheldPerson(_AskingPerson):
    """A person who asked not to be named.

    There is no field for a name or for anything that could identify them.
    """

    anonymity: Literal["withheld"] = Field(description=_ANONYMITY)


class UnnamedPerson(_ProtectedPerson):
    """A person whom the source does not name.

    There is no field for a name or for anything that could identify them.
    """

    anonymity: Literal["unnamed"] = Field(description=_ANONYMITY)


class PseudonymousPerson(_AskingPerson):
    """A protected person with only a first name or a surname, which may be a pseudonym.

    The name is published. `request` is for one who asked not to be named in full. Every person with
    `anonymity: partial` has this model, unless `pseudonym_possible` is false.
    """

    anonymity: Literal["partial"] = Field(description=_ANONYMITY)
    name: PrintedLine
    """Name as printed, which may be a pseudonym."""
    # Values in YAML are read as text, and the text `true` is not the literal True.
    pseudonym_possible: Annotated[
        Literal[True], BeforeValidator(as_flag, json_schema_input_type=Literal[True])
    ] = Field(description=_PSEUDONYM)


class Group(_Speaker, _Draftable):
    """Several people who are quoted, cited or narrated about together and are no institution."""

    kind: Literal["group"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)
    part_of: Reference | None = None
    """The group of the same source of which this group is a part."""
    note: Note | None = None
    """Anything a reader needs to know about this annotation; null for protected persons."""
    mentions: tuple[ProtectedMention, ...] = ()
    """The words that introduce the speaker in this source."""


class Writer(_Speaker, _Draftable):
    """The writer of the article, its introduction or a caption, as the speaker of what only they say."""

    kind: Literal["writer"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)
    name: PrintedLine | None = None
    """Name as printed; null for groups and for persons whom the source does not name."""
    note: Note | None = None
    """Anything a reader needs to know about this annotation; null for protected persons."""
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the writer, such as a byline."""


class Institution(_PublicSpeaker, _Draftable):
    """A body that speaks as one, such as a ministry, or a document without an author."""

    kind: Literal["institution"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""


class SharedPerson(_PublicPerson):
    """A named person who is a speaker in several sources, each with its own mentions."""

    anonymity: Literal["named"] = Field(description=_ANONYMITY)


class SharedInstitution(_PublicSpeaker):
    """An institution that is a speaker in several sources, each with its own mentions."""

    kind: Literal["institution"] = Field(description=_KIND)
    anonymity: Literal["not_applicable"] = Field("not_applicable", description=_ANONYMITY)


class SharedReference(_Draftable):
    """A reference to a speaker in `annotations/speakers.yaml`."""

    use: Reference
    """The identifier of a speaker in `annotations/speakers.yaml`."""
    mentions: tuple[Mention, ...] = ()
    """The words that introduce the speaker in this source."""

    @property
    def id(self) -> str:
        """The identifier of the shared speaker, so that all kinds of speakers have an `id`."""
        return self.use


def _speaker_shape(value: Any) -> str:
    """Return the tag of the model that fits a speaker as entered.

    An unknown tag makes pydantic report the input.
    """
    # When pydantic serialises a file, it calls this function with models.
    entry = vars(value) if isinstance(value, Record) else value
    if not isinstance(entry, dict):
        return type(entry).__name__
    if "use" in entry:
        return "reference"
    kind, anonymity = entry.get("kind"), entry.get("anonymity")
    if kind == "person" and anonymity == "partial":
        return "pseudonym" if may_be_pseudonym(entry) else "partial"
    tag = anonymity if kind == "person" else kind
    return str(tag)


def may_be_pseudonym(entry: Mapping[str, Any]) -> bool:
    """Return whether the name of a speaker with `anonymity: partial` may be a pseudonym.

    By default, this is true.
    """
    return entry.get("pseudonym_possible") not in (False, "false")


LocalSpeaker: TypeAlias = (
    NamedPerson
    | PartialPerson
    | PseudonymousPerson
    | WithheldPerson
    | UnnamedPerson
    | Group
    | Writer
    | Institution
)
SharedSpeaker: TypeAlias = Annotated[SharedPerson | SharedInstitution, Field(discriminator="kind")]
Speaker: TypeAlias = LocalSpeaker | SharedPerson | SharedInstitution
SpeakerEntry: TypeAlias = Annotated[
    Annotated[NamedPerson, Tag("named")]
    | Annotated[PartialPerson, Tag("partial")]
    | Annotated[PseudonymousPerson, Tag("pseudonym")]
    | Annotated[WithheldPerson, Tag("withheld")]
    | Annotated[UnnamedPerson, Tag("unnamed")]
    | Annotated[Group, Tag("group")]
    | Annotated[Writer, Tag("writer")]
    | Annotated[Institution, Tag("institution")]
    | Annotated[SharedReference, Tag("reference")],
    # A function chooses the model, because no single key determines it.
    Discriminator(_speaker_shape),
]


def _models_by_shape() -> dict[str, type[Record]]:
    found = {}
    for tagged in get_args(get_args(SpeakerEntry)[0]):
        model, tag = get_args(tagged)
        found[tag.tag] = model
    return found


SPEAKER_MODELS: Mapping[str, type[Record]] = _models_by_shape()
"""The models of the entries of speakers, by the tag that `_speaker_shape` returns."""


def speaker_model(entry: Mapping[str, Any]) -> type[Record] | None:
    """Return the model that fits a speaker as entered, or None if none does."""
    return SPEAKER_MODELS.get(_speaker_shape(dict(entry)))


# ---- testimonies, figures, waivers ---------------------------------------------------------------


MENTION_ID = re.compile(r"(?:[a-z0-9]+-)*m[1-9][0-9]*")
"""The id of a mention, in full or short."""


def _as_rival(value: Any) -> Any:
    """Return a rival as typed: the id of a mention, or else words as a part of evidence."""
    is_id = isinstance(value, str) and MENTION_ID.fullmatch(value)
    return value if is_id else as_part(value)


def _rival_shape(value: Any) -> str:
    return "id" if isinstance(value, str) else "words"


MOST_PARTS = 3
"""Maximum number of parts of an attribution."""


class Attribution(Record):
    """The words that say who speaks, and how they lead to the speaker."""

    words: Evidence | None = None
    """The words that say who speaks, such as `Reed said`: at most three parts, in the sentence of
    the evidence or next to it."""
    antecedent: Reference | None = None
    """The mention of the speaker, or the speaker's earlier testimony, for which a pronoun or a
    description in the words is written."""
    rival: (
        Annotated[
            Annotated[Reference, Tag("id")] | Annotated[Part, Tag("words")],
            Discriminator(_rival_shape),
            BeforeValidator(_as_rival, json_schema_input_type=Words | Part),
        ]
        | None
    ) = None
    """Someone else between the antecedent and the words, whom the words could mean, but do not: the
    id of a mention, or the words where there is no mention."""
    about: Flag = False
    """Whether the words name the person about whom the article narrates, not someone who speaks."""
    continues: Reference | None = None
    """The adjacent testimony of the same speaker whose speech continues; there are then no words.
    """
    none: NoAttribution | None = None
    """Why there are no words: only the writer can have said it, or it is unclear who did."""

    @property
    def kind(self) -> AttributionKind:
        """How the words lead to the speaker."""
        if self.about:
            return "about"
        if self.words:
            return "antecedent" if self.antecedent else "named"
        return "continues" if self.continues else "none"

    @property
    def leads_to(self) -> str | None:
        """The id of the mention or testimony to which the words lead, if they do not name it."""
        return self.antecedent or self.continues

    @model_validator(mode="after")
    def _of_one_kind(self) -> Self:
        kinds = [self.words, self.continues, self.none]
        of_words = self.antecedent or self.about
        if sum(each is not None for each in kinds) != 1 or (of_words and not self.words):
            raise PydanticCustomError(
                "one_attribution",
                "expected either `words`, `continues` or `none`; only `words` can have "
                "`antecedent` or `about`",
            )
        if len(self.words or ()) > MOST_PARTS:
            raise PydanticCustomError("parts_of_attribution", "expected at most three parts")
        if self.rival and not self.antecedent:
            raise PydanticCustomError("rival_of_antecedent", "`rival` requires `antecedent`")
        return self


def _as_attribution(value: Any) -> Any:
    """Return an attribution as typed: words alone are the words of one without other keys."""
    is_words = not isinstance(value, dict) or "text" in value
    if is_words and not isinstance(value, Attribution):
        return {"words": value}
    return value


# A named type, so that the JSON Schema defines it once and refers to it.
AttributionEntry = TypeAliasType(
    "AttributionEntry",
    Annotated[
        Attribution,
        BeforeValidator(
            _as_attribution,
            json_schema_input_type=Words
            | Part
            | Annotated[list[Words | Part], Field(min_length=1, max_length=MOST_PARTS)]
            | Attribution,
        ),
    ],
)


# ---- codes of testimonies: readings of words, each with the words on which it is based ------------


class Motive(Record):
    """A reason for a decision, in the words of a testimony or of the sentence next to it."""

    factor: TermReference
    """The reason: a term of kind factor."""
    direction: MotiveDirection
    """Whether the reason drove people out (push), drew them (pull), or kept them (barrier)."""
    decision: MotiveDecision
    """The decision: to leave or to stay (leave), or to rise or not to rise (rise)."""
    of: MotiveOf = "speaker"
    """Whose reason it is: that of the speaker, or of others."""
    link: MotiveLink
    """Where the reason and the decision are connected: in the testimony itself, or in the sentence
    before or after it."""
    words: Evidence
    """The words that give the reason."""


class Act(Record):
    """Harm that a testimony alleges, announces, fears or denies."""

    act: TermReference
    """The kind of harm: a term of kind act."""
    status: ActStatus
    """Whether it is said to have happened, or was suspected, ordered, threatened, feared, planned or
    denied."""
    against: Evidence | None = None
    """The printed words for those who were harmed; empty if the words name no one."""
    by: Evidence | None = None
    """The printed words for those who did it, or ordered it; empty if the words name no one."""
    words: Evidence
    """The words that say what was done."""


class Happened(Record):
    """When the content of a testimony happened."""

    date: Edtf
    """The date in EDTF (ISO 8601-2), as precise as the words and the date of publication."""
    basis: DateBasis
    """Whether the date is stated in the testimony or its sentence, resolved from a relative date,
    or printed in another sentence of the paragraph."""
    of: DateOf
    """What the date is a date of."""
    words: Evidence
    """The words that give the date."""
    how: DateResolution | None = None
    """How a relative date was resolved."""


class Where(Record):
    """Where the content of a testimony happened."""

    place: TermReference
    """The place: a term of kind place."""
    words: Evidence
    """The words that name the place."""


class Testimony(_Correctable, _Draftable):
    """One statement, or one passage that the article narrates, at one place in a source."""

    id: Reference
    """Stable identifier of the testimony."""
    speaker: Reference
    """The speaker whose words these are, or about whom the article narrates."""
    mode: Mode
    """How the words are reported: in quotation marks (direct), as reported speech (indirect), or as
    what the article narrates or claims without a reporting verb (narrated)."""
    evidence: Evidence
    """The words, exactly as printed; several parts are joined by ` […] `."""
    attribution: AttributionEntry | None = None
    """The words that say who speaks, or why there are none; null if they were removed."""
    access: Access | None = None
    """How the speaker, not the writer, knows what is said."""
    stance: Stance | None = None
    """With which stance the speaker says it; `asserts` if none is given."""
    motives: tuple[Motive, ...] = Field((), max_length=30)
    """Reasons for a decision to leave, to stay or to rise."""
    acts: tuple[Act, ...] = Field((), max_length=30)
    """Harm that is alleged, announced, feared or denied."""
    happened: Happened | None = None
    """When it happened."""
    where: Where | None = None
    """Where it happened."""
    outlet_kind: OutletKind | None = None
    """Whether the words were said to the article's own reporter or in public (own), or to another
    outlet (other), or whether the article does not say to whom (not_stated)."""
    outlet: PrintedLine | None = None
    """The outlet to which the speaker spoke, if the source names an outlet other than its own."""
    departure: Flag = False
    """Whether the words give the time, the place, the way, the means or the company of the
    speaker's own departure."""
    departure_means: DepartureMeans | None = None
    """By which means the speaker left."""
    relatives: Relatives | None = None
    """Whether relatives of those whom the dataset is about are harmed, at risk or mentioned in the
    testimony; the strongest counts."""
    themes: tuple[TermReference, ...] = Field(min_length=1, max_length=30)
    """The topics of the words: terms of kind theme, joined by `;`."""
    note: Note | None = None
    """Anything a reader needs to know about this annotation."""


class Figure(_Correctable, _Draftable):
    """A quantity that a source states about the world."""

    id: Reference
    """Stable identifier of the figure."""
    evidence: Evidence
    """The quantity with the words that name what is counted, exactly as printed."""
    value: Number | None = None
    """The number as printed; null for ranges and vague quantities. It is not an estimate: `hedge`
    says how the true number relates to it."""
    low: Number | None = None
    """The lower bound in the words, which `more_than` excludes; for vague quantities, the least
    that a plural can mean, such as 200 for hundreds."""
    high: Number | None = None
    """The upper bound in the words, which `nearly` and `less_than` exclude."""
    hedge: Hedge
    """How the words qualify the number: exact; about; nearly and less_than (below it); up_to (it or
    less); more_than (above it); at_least (it or more); range (from `low` to `high`); vague (`low`
    or more)."""
    polarity: Polarity = "affirmed"
    """Whether the words affirm, deny, or only promise or suppose the quantity; only affirmed
    quantities have an interval and are compared."""
    unit: TermReference
    """Unit of the quantity: a term of kind unit."""
    measure: TermReference | None = None
    """What is measured, a term of the table `measures`; only figures of the same measure can be compared."""
    population: TermReference | None = None
    """Who or what was measured, if the measure is used for several populations: a term of kind
    population."""
    counted: ShortNote
    """What is counted, in plain words."""
    attributed_to: Reference | None = None
    """The speaker who states the figure; null if the article itself does."""
    attribution: AttributionEntry | None = None
    """The words that say who states the figure, if that is not the speaker of its testimony."""
    testimony: Reference | None = None
    """The testimony whose words contain the figure; `attributed_to` says who states it."""
    as_of: Edtf | None = None
    """The date to which the figure applies, in EDTF (ISO 8601-2): as printed, or as resolved for its
    testimony."""
    place: TermReference | None = None
    """The place to which the figure applies: a term of kind place."""
    override: Note | None = None
    """Why the annotation differs from what the program reads in its words, if it does."""
    note: Note | None = None
    """Anything a reader needs to know about this annotation."""

    @property
    def is_compared(self) -> bool:
        """Whether the figure has a measure, and its quantity is affirmed."""
        return self.measure is not None and self.polarity == "affirmed"


RelationNote: TypeAlias = Annotated[str, StandardNotes(RELATION_NOTES), TextKind.FIXED]


class Relation(_Correctable):
    """Arithmetic between figures: one of them should follow from the others."""

    id: Reference
    """Stable identifier of the relation."""
    kind: RelationKind
    """How the result follows from the operands."""
    result: Reference
    """The figure that should follow from the operands: the part, the excess, the share, the sum or
    the quotient."""
    operands: tuple[Reference, ...] = Field(min_length=1, max_length=30)
    """The figures from which the result should follow: the whole (part_of); what is exceeded
    (exceeds); the part and the whole (share_of); the parts (sum); or the dividend and the divisor
    (ratio and per). Several are joined by `;`."""
    note: RelationNote | None = None
    """A possible reason why the relation fails; only standard notes are allowed."""


class Waiver(_Correctable, _Draftable):
    """A quotation or a number in a seed that is not a record, with the reason."""

    id: Reference
    """Stable identifier of the waiver."""
    evidence: Evidence
    """The waived words, exactly as printed."""
    reason: WaiverReason
    """Why the words are not a record."""
    repeats: Reference | None = None
    """The record that the words repeat."""
    every_occurrence: Flag = False
    """Whether every occurrence of the words in the seed is waived."""
    note: Note | None = None
    """Anything a reader needs to know about this waiver."""

    @model_validator(mode="after")
    def _every_occurrence_of_one_part(self) -> Self:
        # With several parts, it would be unclear which of their occurrences belong together.
        if self.every_occurrence and (len(self.evidence) > 1 or self.evidence[0].occurrence):
            raise PydanticCustomError(
                "every_occurrence_of_one",
                "`every_occurrence: true` requires evidence that has a single part and no "
                "`occurrence`",
            )
        return self


class Erratum(_Correctable):
    """An error in the article, which is left uncorrected in the seed."""

    id: Reference
    """Stable identifier of the erratum."""
    evidence: Evidence
    """The words of the article that are wrong."""
    wrong: Note
    """What is wrong with the words."""
    known: Note
    """How it is known that the words are wrong."""
    reported: Day | None = None
    """The day on which the error was reported to the publisher."""
    status: ErratumStatus
    """Whether the error was reported, and what the publisher did."""


# ---- files ---------------------------------------------------------------------------------------


class Reading(Record):
    """A reading of the whole article by one annotator."""

    reader: Reader
    """The annotator, as `reader-` and a number, so that nobody at risk has to be named."""
    kind: ReaderKind
    """Whether the annotator is a person or a language model."""
    date: Day
    """The day on which the reading was finished."""
    purpose: ReadingPurpose
    """The purpose of the reading."""
    version: Version
    """The version of the dataset whose codebook was followed."""


def _in_order(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    days = [reading.date for reading in readings]
    if days != sorted(days) or [
        i for i, reading in enumerate(readings) if reading.purpose == "first"
    ] != [0]:
        raise PydanticCustomError(
            "readings_in_order",
            "`readings` must be in the order of their dates, and only the first one has the "
            "purpose `first`",
        )
    return readings


class EarlierText(Record):
    """A text of the article that was annotated before the article was corrected."""

    sha256: Sha256
    """SHA-256 checksum of the seed with the earlier text."""
    replaced: Day | None = None
    """The day on which the seed was replaced, if it is known."""


class WithdrawnPassage(Record):
    """A passage of a seed that was removed by a takedown; no part of it is published."""

    start: Whole
    """First code point of the passage in the seed, counted from 0."""
    end: Count
    """First code point after the passage, counted from 0."""


# The letters are for testimonies, figures, waivers, relations, mentions and errata.
SHORT_ID = re.compile(r"(?:[tfwrme]|speaker-)[1-9][0-9]*")
NAMING_KEYS = (
    *"id speaker attributed_to testimony repeats part_of".split(),
    *"result operands antecedent rival continues".split(),
)
"""Keys whose values are ids of records."""


def full_id(name: Any, source: str) -> Any:
    """Return the full id for a short form such as `t1` or `speaker-2` in a source.

    Return other ids unchanged.
    """
    if isinstance(name, str) and SHORT_ID.fullmatch(name):
        return f"{source}-{name}"
    return name


def _with_full_ids(entry: Any, source: str) -> Any:
    """Return a record as entered, with all ids in it and in its mentions in full."""
    if not isinstance(entry, dict):
        return entry
    changed = {
        key: full
        for key in NAMING_KEYS
        if key in entry and (full := full_id(entry[key], source)) is not entry[key]
    }
    for key, named in (("operands", full_id), ("mentions", _with_full_ids)):
        if isinstance(entry.get(key), list):
            changed[key] = [named(each, source) for each in entry[key]]
    if isinstance(entry.get("attribution"), dict):
        changed["attribution"] = _with_full_ids(entry["attribution"], source)
    return {**entry, **changed} if changed else entry


_OF_RECORDS = frozenset("speakers testimonies figures relations waivers errata".split())


class Annotations(Record):
    """All annotations of one source: a file in `annotations/` with the name of its seed."""

    # Before validation, because the models are frozen afterwards.
    @model_validator(mode="before")
    @classmethod
    def _of_short_ids(cls, typed: Any) -> Any:
        """Return the annotations with full ids: `t1` is short for the source's id with `-t1`."""
        source = typed.get("source") if isinstance(typed, dict) else None
        name = source.get("id") if isinstance(source, dict) else None
        if not isinstance(name, str):
            return typed
        found = dict(typed)
        for key, value in typed.items():
            if key in _OF_RECORDS and isinstance(value, list):
                found[key] = [_with_full_ids(entry, name) for entry in value]
        return found

    source: Source
    """The article."""
    readings: Annotated[tuple[Reading, ...], Field(max_length=100), AfterValidator(_in_order)] = ()
    """Readings of the article in order of date; the first records were made in the first one."""
    speakers: tuple[SpeakerEntry, ...] = ()
    """The speakers who are quoted, cited or narrated about in the article."""
    testimonies: tuple[Testimony, ...] = ()
    """What the speakers said or experienced."""
    figures: tuple[Figure, ...] = ()
    """The quantities that the article states."""
    relations: tuple[Relation, ...] = ()
    """Arithmetic between the figures."""
    waivers: tuple[Waiver, ...] = ()
    """Quotations and numbers that are not records."""
    errata: tuple[Erratum, ...] = ()
    """Errors in the article."""
    earlier: tuple[EarlierText, ...] = ()
    """Earlier texts of the article, the oldest first; `defectors-data reanchor` writes them."""
    withdrawn: tuple[WithdrawnPassage, ...] = ()
    """Passages of the seed that were removed; `defectors-data takedown` writes them."""


class SharedSpeakersFile(Record):
    """`annotations/speakers.yaml`: named speakers that several sources have."""

    speakers: tuple[SharedSpeaker, ...] = ()
    """The speakers to whom annotation files refer with `use`."""
