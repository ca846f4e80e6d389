"""What a line of a part looks like that is plainly right: pydantic's schema, without a function of Python in it.

It accepts less than the models do: strings of the Latin script, evidence as it is mostly typed, numbers as numbers.
What it accepts the models accept too, and read alike; what it refuses may be right, and is for them to judge.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, with_config
from typing_extensions import TypedDict

from defectors_data.values import FileName, Id, Language, Sha256, Term
from defectors_data.vocabularies import (
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

_LETTER = r"A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af"
_SIGN = r"!-~\u00a1-\u00ac\u00ae-\u02af\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\U0001f300-\U0001faff"
_MARK = r"\u201c\u2018\u0022'(\u00ab\u20ac\u00a3$"


def _plain(inside: str) -> str:
    """Return the pattern of words that begin with a letter, or a mark and a letter, and end with no space."""
    return rf"^(?:[{_LETTER}]|[{_MARK}][{_LETTER}])(?:[{_SIGN}{inside}]*[{_SIGN}])?$"


Line: TypeAlias = Annotated[str, StringConstraints(max_length=500, pattern=_plain(" "))]
Note: TypeAlias = Annotated[str, StringConstraints(max_length=4_000, pattern=_plain(" "))]
Words: TypeAlias = Annotated[str, StringConstraints(max_length=20_000, pattern=_plain(r" \n"))]
Beside: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
Day: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-(0[1-9]|1[0-2])(-[0-9]{2})?)?[~?%]?$")]
Whole: TypeAlias = Annotated[int, Field(ge=0, le=120)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=10**15)] | Annotated[float, Field(ge=0, lt=10**9)]

_STRICT = ConfigDict(extra="forbid", strict=True)


@with_config(_STRICT)
class Part(TypedDict, total=False):
    """A part of evidence that has to be told apart."""

    text: Required[Words]
    prefix: Beside
    suffix: Beside
    occurrence: Annotated[int, Field(ge=1, lt=10**6)]
    unbalanced: Unbalanced


Evidence: TypeAlias = Words | Part | Annotated[list[Words | Part], Field(min_length=1, max_length=100)]


@with_config(_STRICT)
class Fact(TypedDict, total=False):
    """What a source states or what was inferred; of which it is one, `express` sees to."""

    basis: Required[Literal["stated", "inferred"]]
    evidence: Evidence
    note: Note
    value: Required[Line | Annotated[list[Line], Field(min_length=1)]]


@with_config(_STRICT)
class Date(TypedDict, total=False):
    """A date of publication, likewise."""

    basis: Required[Literal["stated", "inferred"]]
    evidence: Evidence
    note: Note
    value: Required[Day]


@with_config(_STRICT)
class Source(TypedDict, total=False):
    """An article."""

    id: Required[Id]
    seed: Required[FileName]
    sha256: Required[Sha256]
    title: Required[Evidence]
    subtitle: Evidence
    authors: Fact
    outlet: Fact
    published: Date
    language: Required[Language]
    dateline: Evidence
    url: Evidence
    rights: Required[Line]
    cited_outlets: list[Line]
    furniture: Evidence
    note: Note


@with_config(_STRICT)
class Licence(TypedDict, total=False):
    """Words that license attributes."""

    role: Evidence
    request: Evidence
    rank_class: Evidence
    branch: Evidence
    gender: Evidence


@with_config(_STRICT)
class Mention(TypedDict, total=False):
    """An introduction of a speaker."""

    id: Required[Id]
    evidence: Required[Evidence]
    rank: Line
    age: Whole
    years_of_service: Annotated[int, Field(ge=0, le=80)]
    affiliation: Line
    licensed_by: Licence


@with_config(_STRICT)
class Speaker(TypedDict, total=False):
    """A speaker of any kind, or a reference to one: which keys go together, `express` sees to."""

    use: Id
    id: Id
    kind: Kind
    role: Role
    anonymity: Anonymity
    rank_class: RankClass
    branch: Branch
    name: Line
    note: Note
    gender: Gender
    mentions: list[Mention]
    request: Request


@with_config(_STRICT)
class Because(TypedDict):
    """Words that bear out a claim."""

    claim: Term
    words: Evidence


@with_config(_STRICT)
class Testimony(TypedDict, total=False):
    """An act of speech, or a told experience."""

    id: Required[Id]
    speaker: Required[Id]
    mode: Required[Mode]
    evidence: Required[Evidence]
    outlet: Line
    themes: Required[Annotated[list[Term], Field(min_length=1, max_length=30)]]
    about: Id
    because: Annotated[list[Because], Field(max_length=31)]
    note: Note


@with_config(_STRICT)
class Figure(TypedDict, total=False):
    """A quantity."""

    id: Required[Id]
    evidence: Required[Evidence]
    value: Number
    low: Number
    high: Number
    hedge: Required[Hedge]
    unit: Required[Unit]
    measure: Required[Term]
    population: Term
    counted: Required[Line]
    attributed_to: Id
    testimony: Id
    as_of: Day
    place: Line
    override: Note
    note: Note


@with_config(_STRICT)
class Relation(TypedDict, total=False):
    """An arithmetic between figures."""

    id: Required[Id]
    kind: Required[RelationKind]
    result: Required[Id]
    of: Required[Annotated[list[Id], Field(min_length=1, max_length=30)]]
    note: Note


@with_config(_STRICT)
class Waiver(TypedDict, total=False):
    """A quotation or a number that is no record."""

    id: Required[Id]
    evidence: Required[Evidence]
    reason: Required[WaiverReason]
    of: Id
    all: bool
    note: Note


@with_config(_STRICT)
class Annotations(TypedDict, total=False):
    """All that is annotated about a source of which no words were taken out."""

    source: Required[Source]
    speakers: list[Speaker]
    testimonies: list[Testimony]
    figures: list[Figure]
    relations: list[Relation]
    waivers: list[Waiver]


LINE: TypeAdapter[Any] = TypeAdapter(Annotations)
"""Reads a line into dictionaries and lists."""
