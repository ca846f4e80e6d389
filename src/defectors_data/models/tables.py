"""Row models of the published tables: the contract with the readers of the data.

A column that repeats an annotated field takes its description from there; a computed column has its
description here. Offsets count Unicode code points of the seed decoded as UTF-8, from zero and
end-exclusive, unless the name of the column gives another unit. Unknown values are null.
"""

from __future__ import annotations

from datetime import date
from itertools import chain
from typing import Any

from pydantic import Field

from defectors_data.models import annotation, project
from defectors_data.models.closed_vocabularies import (
    Access,
    ActStatus,
    Anonymity,
    AttributionKind,
    Basis,
    Completeness,
    CorrectionReason,
    DateBasis,
    DateOf,
    DateResolution,
    DepartureMeans,
    DetectionKind,
    ErratumStatus,
    Gender,
    Genre,
    Hedge,
    InferenceReason,
    Kind,
    LedgerStatus,
    Mode,
    MotiveDecision,
    MotiveDirection,
    MotiveLink,
    MotiveOf,
    Outcome,
    OutletKind,
    PlaceKind,
    Polarity,
    ProvenanceBasis,
    ReaderKind,
    ReadingPurpose,
    RecordChange,
    RecordTable,
    Region,
    RelationKind,
    Relatives,
    Request,
    Stance,
    StatementKind,
    StatementReason,
    TakedownReason,
    TermKind,
    Times,
    Verdict,
    WaiverReason,
)
from defectors_data.models.columns import RowModel, Table, columns
from defectors_data.models.field_docstrings import sentence as sentence_of
from defectors_data.models.fields import (
    Age,
    Count,
    Day,
    FileName,
    Id,
    Language,
    Number,
    Record,
    Sha256,
    Term,
    Whole,
    YearsOfService,
)


def _own(sentence: str, *, example: object = None, unit: str | None = None) -> Any:
    """Return the field of a column that is described here, as no annotated field has it."""
    examples = None if example is None else [example]
    extra: dict[str, Any] | None = {"unit": unit} if unit else None
    return Field(description=sentence, examples=examples, json_schema_extra=extra)


def _as(model: type[Record], name: str, *, example: object = None, unit: str | None = None) -> Any:
    """Return the field of a column that is described like the field `name` of a model."""
    return _own(sentence_of(model, name), example=example, unit=unit)


def _date(model: type[Record], name: str, *, example: str) -> Any:
    """Return the field of a column with a date in EDTF, as `cells.edtf_cell` writes it."""
    return _own(
        f"{sentence_of(model, name)} A day, month or year alone is an interval with itself.",
        example=example,
    )


_SOURCE = ("sources", "source_id")
_SPEAKER = ("speakers", "speaker_id")
_TESTIMONY = ("testimonies", "testimony_id")
_FIGURE = ("figures", "figure_id")
_MEASURE = ("measures", "measure")

_CODE_POINTS = "code points"
_START = "First code point of the words in the seed, counted from 0."
_END = "First code point after the words in the seed, counted from 0."
_START_OF_PARTS = "First code point of the first part in the seed, counted from 0."
_END_OF_PARTS = "First code point after the last part in the seed, counted from 0."

_FIRST_DAY = "First day of `{0}`; inexact with `~` or `?`."
_LAST_DAY = "Last day of `{0}`; inexact with `~` or `?`."


class SourceRow(RowModel):
    """The articles, and what is known about their publication."""

    TABLE = Table("sources", "Sources", ("source_id",), "source_id")
    source_id: Id = _as(annotation.Source, "id", example="900-example")
    seed_file: FileName = _own(
        "File name of the article's text in the project's folder `seeds/`, which is not part of "
        "this package.",
        example="900_example.txt",
    )
    sha256: Sha256 = _as(annotation.Source, "sha256", example="0" * 64)
    earlier_sha256: str | None = _own(
        "Checksums of the texts that were annotated before the article was corrected, joined by `;`.",
        example="0" * 64,
    )
    chars: Whole = _own(
        "Length of the seed.",
        example=2048,
        unit=_CODE_POINTS,
    )
    words: Whole = _own("Number of words in the seed, separated by white space.", example=350)
    chars_revealed: Whole = _own(
        "Number of characters of the seed that this package shows, each counted once.",
        example=1024,
        unit=_CODE_POINTS,
    )
    protected_numbers: Whole = _own(
        "Number of ages and years of work of protected persons, and of ages of children and "
        "others, that the program found in the seed. No other table has a row for them.",
        example=1,
    )
    withdrawn_entries: Whole | None = _own(
        "Number of quotations and numbers in words that takedowns removed; null if there are none. "
        "No table has a row for them.",
        example=1,
    )
    label: str = _own(
        "A short name of the article: its outlet and the month of publication, or else its title.",
        example="Example Gazette, March 2019",
    )
    title: str | None = _as(annotation.Source, "title", example="Example Headline")
    subtitle: str | None = _as(annotation.Source, "subtitle", example="An example subtitle")
    authors: str | None = _as(annotation.Source, "authors", example="Ada Example; Ben Example")
    outlet: str | None = _as(annotation.Source, "outlet", example="Example Gazette")
    published: str | None = _date(annotation.Source, "published", example="2019-03~")
    published_from: date | None = _own(_FIRST_DAY.format("published"), example="2019-03-01")
    published_to: date | None = _own(_LAST_DAY.format("published"), example="2019-03-31")
    genre: Genre | None = _as(annotation.Source, "genre", example="news_report")
    language: Language = _as(annotation.Source, "language", example="en")
    completeness: Completeness = _as(annotation.Source, "completeness", example="full")
    dateline: str | None = _as(annotation.Source, "dateline", example="EXAMPLE CITY")
    url: str | None = _as(annotation.Source, "url", example="https://example.org/article")
    obtained_date: Day | None = _as(annotation.TextOrigin, "date", example="2026-01-10")
    obtained_address: str | None = _as(
        annotation.TextOrigin, "address", example="https://example.org/article"
    )
    obtained_by: str | None = _as(annotation.TextOrigin, "by", example="reader-1")
    obtained_sha256: Sha256 | None = _as(annotation.TextOrigin, "sha256", example="0" * 64)
    cited_outlets: str | None = _as(
        annotation.Source, "cited_outlets", example="Example Wire; Example Post"
    )
    rights: str = _as(annotation.Source, "rights", example="All rights with the publisher")
    outlet_basis: Basis | None = _own(
        "Whether the source states it, or an annotator inferred it or found it elsewhere.",
        example="stated",
    )
    authors_basis: Basis | None = _own(
        "Whether the source states it, or an annotator inferred it or found it elsewhere.",
        example="stated",
    )
    published_basis: Basis | None = _own(
        "Whether the source states it, or an annotator inferred it or found it elsewhere.",
        example="inferred",
    )
    url_basis: Basis | None = _own(
        "Whether the source states it, or an annotator inferred it or found it elsewhere.",
        example="external",
    )
    note: str | None = _own(
        "Anything a reader needs to know about the source; for an inferred value, what it was "
        "inferred from.",
        example="published: inferred from the weekday in the caption.",
    )


class SpeakerRow(RowModel):
    """The speakers who are quoted, cited or narrated about, and the writers of the articles."""

    TABLE = Table(
        "speakers",
        "Speakers",
        ("source_id", "speaker_id"),
        "speaker_id",
        {"source_id": _SOURCE},
        {"role": "role", "rank_class": "rank_class", "branch": "branch"},
    )
    speaker_id: Id = _as(annotation.NamedPerson, "id", example="900-example-speaker-1")
    source_id: Id | None = _own(
        "The only source with records of the speaker; null for shared speakers.",
        example="900-example",
    )
    kind: Kind = _as(annotation.NamedPerson, "kind", example="person")
    role: Term = _as(annotation.NamedPerson, "role", example="witness")
    anonymity: Anonymity = _as(annotation.NamedPerson, "anonymity", example="withheld")
    protected: bool = _own(
        "True for withheld and unnamed persons, and for those whose name may be a pseudonym. This "
        "table has only this name, `request`, and terms of vocabularies such as the role of them.",
        example=True,
    )
    pseudonym_possible: bool = _own(
        "True if the only name that the article gives may be a pseudonym; `name` is then that "
        "name as printed.",
        example=False,
    )
    name: str | None = _as(annotation.NamedPerson, "name", example="Ada Example")
    rank_class: Term | None = _as(annotation.NamedPerson, "rank_class", example="senior")
    branch: Term | None = _as(annotation.NamedPerson, "branch", example="navy")
    gender: Gender | None = _as(annotation.NamedPerson, "gender", example="female")
    request: Request | None = _as(annotation.WithheldPerson, "request", example="fear_of_reprisal")
    role_inferred: InferenceReason | None = _as(
        annotation.Inferences, "role", example="told_events"
    )
    rank_class_inferred: InferenceReason | None = _as(
        annotation.Inferences, "rank_class", example="one_of_group"
    )
    branch_inferred: InferenceReason | None = _as(
        annotation.Inferences, "branch", example="one_of_group"
    )
    part_of: Id | None = _as(annotation.Group, "part_of", example="900-example-speaker-2")
    note: str | None = _as(
        annotation.NamedPerson, "note", example="Two spellings of the name are printed."
    )


class PersonRow(RowModel):
    """Speakers who are persons: one row each, over all articles; two can be one person.

    Of a protected person, it has only the role, the source and the number of testimonies.
    """

    TABLE = Table(
        "persons", "Persons", ("source_id", "person_id"), "person_id", {"person_id": _SPEAKER}
    )
    person_id: Id = _own("The person's `speaker_id`.", example="900-example-speaker-1")
    source_id: Id | None = _own(
        "The only source with records of the speaker; null for shared speakers.",
        example="900-example",
    )
    sources: str = _own(
        "The sources with the person as a speaker, joined by `;`.",
        example="900-example;901-second",
    )
    role: Term = _as(annotation.NamedPerson, "role", example="witness")
    rank_class: Term | None = _as(annotation.NamedPerson, "rank_class", example="senior")
    branch: Term | None = _as(annotation.NamedPerson, "branch", example="navy")
    protected: bool = _own("The column `protected` of `speakers`.", example=False)
    name: str | None = _own("The column `name` of `speakers`.", example="Ada Example")
    ages: str | None = _own("The ages in mentions of the person, joined by `;`.", example="36;37")
    years_of_service: str | None = _own(
        "The years of service in mentions of the person, joined by `;`.", example="8"
    )
    push: str | None = _own(
        "Factors of the person's own motives with `decision` leave and `direction` push, joined by "
        "`;`.",
        example="hunger_pay;politics",
    )
    pull: str | None = _own("The same with `direction` pull.", example="politics")
    barrier: str | None = _own("The same with `direction` barrier.", example="fear")
    departed: str | None = _own(
        "`happened` of the person's testimonies with `happened_of` departure, joined by `;`.",
        example="2019-02/2019-02",
    )
    testimonies: Whole = _own("Number of the person's testimonies.", example=3)


class MentionRow(RowModel):
    """The words with which a source introduces a speaker, and the attributes they state."""

    TABLE = Table(
        "mentions",
        "Mentions",
        ("source_id", "start_offset", "end_offset", "mention_id"),
        "mention_id",
        {"speaker_id": _SPEAKER, "source_id": _SOURCE},
    )
    mention_id: Id = _as(annotation.Mention, "id", example="900-example-m1")
    speaker_id: Id = _own("The speaker who is introduced.", example="900-example-speaker-1")
    source_id: Id = _own("The source that contains the words.", example="900-example")
    rank: str | None = _as(annotation.Mention, "rank", example="Capt.")
    age: Age | None = _as(annotation.Mention, "age", example=36, unit="years")
    years_of_service: YearsOfService | None = _as(
        annotation.Mention, "years_of_service", example=8, unit="years"
    )
    affiliation: str | None = _as(annotation.Mention, "affiliation", example="Example Company")
    text: str = _as(
        annotation.Mention, "evidence", example="Capt. Ada Example, 36, of the Example Company"
    )
    start_offset: Whole = _own(_START, example=120, unit=_CODE_POINTS)
    end_offset: Whole = _own(_END, example=168, unit=_CODE_POINTS)


class TestimonyRow(RowModel):
    """Statements, and passages that the article narrates: who said what in which source, and how."""

    TABLE = Table(
        "testimonies",
        "Testimonies",
        ("source_id", "start_offset", "end_offset", "testimony_id"),
        "testimony_id",
        {"source_id": _SOURCE, "speaker_id": _SPEAKER},
        {"place_id": "place"},
    )
    testimony_id: Id = _as(annotation.Testimony, "id", example="900-example-t1")
    source_id: Id = _own("The source that contains the words.", example="900-example")
    speaker_id: Id = _as(annotation.Testimony, "speaker", example="900-example-speaker-1")
    speaker_role: Term = _as(annotation.NamedPerson, "role", example="witness")
    attribution: AttributionKind | None = _own(
        "How words of the article lead to the speaker; null if they were removed.",
        example="antecedent",
    )
    attribution_text: str | None = _as(annotation.Attribution, "words", example="she said")
    attribution_id: Id | None = _own(
        "The mention or the testimony to which the words lead, if they do not name the speaker.",
        example="900-example-m1",
    )
    mode: Mode = _as(annotation.Testimony, "mode", example="direct")
    access: Access | None = _as(annotation.Testimony, "access", example="own_experience")
    stance: Stance | None = _as(annotation.Testimony, "stance", example="asserts")
    outlet_kind: OutletKind | None = _as(annotation.Testimony, "outlet_kind", example="other")
    outlet: str | None = _as(annotation.Testimony, "outlet", example="Example Wire")
    text: str = _as(annotation.Testimony, "evidence", example="We waited, […] and nobody wrote.")
    parts: Count = _own("Number of parts of which the words consist.", example=2)
    start_offset: Whole = _own(_START_OF_PARTS, example=310, unit=_CODE_POINTS)
    end_offset: Whole = _own(_END_OF_PARTS, example=371, unit=_CODE_POINTS)
    themes: str = _as(annotation.Testimony, "themes", example="work;health")
    happened: str | None = _date(annotation.Happened, "date", example="2019-02")
    happened_from: date | None = _own(
        _FIRST_DAY.format("happened"),
        example="2019-02-01",
    )
    happened_to: date | None = _own(
        _LAST_DAY.format("happened"),
        example="2019-02-28",
    )
    happened_basis: DateBasis | None = _as(annotation.Happened, "basis", example="stated")
    happened_how: DateResolution | None = _as(
        annotation.Happened, "how", example="from_publication"
    )
    happened_of: DateOf | None = _as(annotation.Happened, "of", example="event")
    place_id: Term | None = _as(annotation.Where, "place", example="example_city")
    departure: bool | None = _as(annotation.Testimony, "departure", example=True)
    departure_means: DepartureMeans | None = _as(
        annotation.Testimony, "departure_means", example="boat"
    )
    relatives: Relatives | None = _as(annotation.Testimony, "relatives", example="at_risk")
    note: str | None = _as(
        annotation.Testimony, "note", example="The opening quotation mark is missing in the source."
    )


class MotiveRow(RowModel):
    """Reasons to leave, to stay or to rise, as testimonies give them: one row for each reason.

    Two testimonies with one reason have two rows, so motives are counted by speaker.
    """

    TABLE = Table(
        "motives",
        "Motives",
        ("source_id", "testimony_id", "motive_id"),
        "motive_id",
        {
            "source_id": _SOURCE,
            "testimony_id": _TESTIMONY,
            "speaker_id": _SPEAKER,
        },
        {"factor": "factor"},
    )
    motive_id: Id = _own("Testimony and number.", example="900-example-t1-motive-1")
    source_id: Id = _own("The source of the testimony.", example="900-example")
    testimony_id: Id = _as(annotation.Testimony, "id", example="900-example-t1")
    speaker_id: Id = _as(annotation.Testimony, "speaker", example="900-example-speaker-1")
    direction: MotiveDirection = _as(annotation.Motive, "direction", example="push")
    factor: Term = _as(annotation.Motive, "factor", example="hunger_pay")
    decision: MotiveDecision = _as(annotation.Motive, "decision", example="leave")
    reason_of: MotiveOf = _as(annotation.Motive, "of", example="speaker")
    link: MotiveLink = _as(annotation.Motive, "link", example="own_words")
    text: str = _as(annotation.Motive, "words", example="we waited")


class ActRow(RowModel):
    """Harm and its status, such as alleged, ordered, feared or denied; an act can have several rows."""

    TABLE = Table(
        "acts",
        "Acts",
        ("source_id", "testimony_id", "act_id"),
        "act_id",
        {
            "source_id": _SOURCE,
            "testimony_id": _TESTIMONY,
            "speaker_id": _SPEAKER,
        },
        {"act": "act"},
    )
    act_id: Id = _own("Testimony and number.", example="900-example-t1-act-1")
    source_id: Id = _own("The source of the testimony.", example="900-example")
    testimony_id: Id = _as(annotation.Testimony, "id", example="900-example-t1")
    speaker_id: Id = _as(annotation.Testimony, "speaker", example="900-example-speaker-1")
    act: Term = _as(annotation.Act, "act", example="detention")
    status: ActStatus = _as(annotation.Act, "status", example="alleged")
    against: str | None = _as(annotation.Act, "against", example="a cousin")
    done_by: str | None = _as(annotation.Act, "by", example="the wardens")
    text: str = _as(annotation.Act, "words", example="was locked up by the wardens")


class TestimonyThemeRow(RowModel):
    """The themes of the testimonies in long form: one row for each theme of a testimony."""

    TABLE = Table(
        "testimony_themes",
        "Themes of testimonies",
        ("source_id", "testimony_id", "theme"),
        "testimony_theme_id",
        {"source_id": _SOURCE, "testimony_id": _TESTIMONY},
        {"theme": "theme"},
    )
    testimony_theme_id: str = _own(
        "Testimony and theme, joined by a dot.", example="900-example-t1.work"
    )
    source_id: Id = _own("The source of the testimony.", example="900-example")
    testimony_id: Id = _as(annotation.Testimony, "id", example="900-example-t1")
    theme: Term = _own("A topic of the words.", example="work")


class FigureRow(RowModel):
    """Quantities as the sources state them.

    A row has the number, its bounds and hedge, what is counted, and who states it.
    """

    TABLE = Table(
        "figures",
        "Figures",
        ("source_id", "start_offset", "end_offset", "figure_id"),
        "figure_id",
        {
            "source_id": _SOURCE,
            "testimony_id": _TESTIMONY,
            "attributed_to": _SPEAKER,
            "measure": _MEASURE,
        },
        {"population": "population", "hedge": "hedge", "unit": "unit", "place_id": "place"},
    )
    figure_id: Id = _as(annotation.Figure, "id", example="900-example-f1")
    source_id: Id = _own("The source that contains the words.", example="900-example")
    testimony_id: Id | None = _as(annotation.Figure, "testimony", example="900-example-t1")
    attributed_to: Id | None = _as(
        annotation.Figure, "attributed_to", example="900-example-speaker-1"
    )
    measure: Term | None = _as(annotation.Figure, "measure", example="people_present")
    population: Term | None = _as(annotation.Figure, "population", example="adults")
    counted: str = _as(annotation.Figure, "counted", example="people who were present")
    text: str = _as(annotation.Figure, "evidence", example="nearly 40 people were present")
    value: Number | None = _as(annotation.Figure, "value", example=40)
    low: Number | None = _as(annotation.Figure, "low", example=30)
    high: Number | None = _as(annotation.Figure, "high", example=40)
    hedge: Hedge = _as(annotation.Figure, "hedge", example="nearly")
    polarity: Polarity = _as(annotation.Figure, "polarity", example="affirmed")
    unit: Term = _as(annotation.Figure, "unit", example="person")
    interval_low: Number | None = _own(
        "Lowest number that the figure allows when it is compared; 0 if the words set no lower "
        "end. Null for negative numbers, and for quantities that are not affirmed.",
        example=36,
    )
    interval_high: Number | None = _own(
        "Highest number that the figure allows when it is compared; null if there is no upper end.",
        example=39,
    )
    low_open: bool = _own(
        "True if `interval_low` itself is excluded, or if there is no lower end.", example=False
    )
    high_open: bool = _own(
        "True if `interval_high` itself is excluded, or if there is no upper end.", example=False
    )
    rounded_low: Number | None = _own(
        "Lowest number that the figure allows if it is read as rounded; null unless it is round "
        "without a hedge, or its hedge is nearly.",
        example=36,
    )
    rounded_high: Number | None = _own(
        "Highest number that the figure allows if it is read as rounded. Both `rounded_low` and "
        "`rounded_high` are included.",
        example=40,
    )
    as_of: str | None = _date(annotation.Figure, "as_of", example="2019-02-25/2019-02-25")
    as_of_from: date | None = _own(_FIRST_DAY.format("as_of"), example="2019-02-25")
    as_of_to: date | None = _own(_LAST_DAY.format("as_of"), example="2019-02-25")
    place_id: Term | None = _as(annotation.Figure, "place", example="Example City")
    start_offset: Whole = _own(_START, example=412, unit=_CODE_POINTS)
    end_offset: Whole = _own(_END, example=439, unit=_CODE_POINTS)
    note: str | None = _own(
        "Anything a reader needs to know about this annotation. `The program reads the words "
        "otherwise:` introduces the reason why the values differ from those that it reads.",
        example="The program reads the words otherwise: The source names the number a sentence before.",
    )


class SpanRow(RowModel):
    """Where evidence is found: a row for each part of a record's evidence."""

    TABLE = Table(
        "spans",
        "Spans",
        ("source_id", "start_offset", "end_offset", "record_table", "record_id", "field", "part"),
        "span_id",
        {"source_id": _SOURCE},
    )
    span_id: str = _own(
        "Record, field and part, joined by dots.", example="900-example-t1.evidence.1"
    )
    record_table: RecordTable = _own("The table that contains the record.", example="testimonies")
    record_id: Id = _own("The record for which the words are evidence.", example="900-example-t1")
    field: str = _own(
        "What the words support: `evidence` for the whole record, or one of its columns or "
        "attributes.",
        example="evidence",
    )
    part: Count = _own("Number of the part of the evidence, counted from 1.", example=1)
    source_id: Id = _own("The source that contains the words.", example="900-example")
    start_offset: Whole = _own(_START, example=310, unit=_CODE_POINTS)
    end_offset: Whole = _own(_END, example=329, unit=_CODE_POINTS)
    start_utf16: Whole = _own(
        "`start_offset`, in UTF-16 code units.", example=310, unit="UTF-16 code units"
    )
    end_utf16: Whole = _own(
        "`end_offset`, in UTF-16 code units.", example=329, unit="UTF-16 code units"
    )
    start_byte: Whole = _own("`start_offset`, in bytes of UTF-8.", example=314, unit="bytes")
    end_byte: Whole = _own("`end_offset`, in bytes of UTF-8.", example=333, unit="bytes")
    line: Count = _own("Line of the first code point, counted from 1.", example=7)
    column_number: Count = _own(
        "Column of the first code point in its line, counted from 1.", example=2, unit=_CODE_POINTS
    )
    region: Region = _own("The part of the page in which the words start.", example="body")
    exact: str = _own(
        "The words of the seed between `start_offset` and `end_offset`.",
        example="We waited,",
    )
    prefix: str | None = _own(
        "Up to 32 characters before a figure or mention; before other words, in paragraphs that "
        "introduce, quote or cite a protected person, and in sources with removed words, only "
        "marks. Null within the record's `evidence`; waived words are left out.",
        example="In spring, she said, ",
    )
    suffix: str | None = _own(
        "Like `prefix`, after the words; with spaces.",
        example=" since the office closed.",
    )


class TermRow(RowModel):
    """The terms of the vocabularies: roles, themes, units and others, each with its definition.

    Columns from `words` on apply to some kinds of terms only.
    """

    TABLE = Table("terms", "Terms", ("kind", "term"), "term_id")
    term_id: str = _own("Kind and term, joined by a dot.", example="theme.work")
    kind: TermKind = _own("The vocabulary to which the term belongs.", example="theme")
    term: Term = _own("The term, as records use it.", example="work")
    label: str = _own("The name of the term for readers.", example="Work")
    definition: str = _own("What the term means.", example="Work and pay.")
    used: Whole = _own("Number of records with this term.", example=12)
    words: str | None = _own(
        "Words for the term in the articles, joined by `;`: the spellings of a place, the nouns of a "
        "unit, and words that suggest a theme or an attribute of speakers (`*` matches any ending).",
        example="work;pay;wages",
    )
    close_match: str | None = _as(
        project.VocabularyTerm, "close_match", example="https://example.org/terms/work"
    )
    pseudonym_possible: bool = _as(project.Role, "pseudonym_possible", example=True)
    body: str | None = _as(project.Role, "body", example="government")
    whole: bool = _as(project.SubjectUnit, "whole", example=False)
    place_kind: PlaceKind | None = _as(project.NamedPlace, "kind", example="city")
    country: str | None = _as(project.NamedPlace, "country", example="Exampleland")
    percent: Number | None = _own(
        "For a hedge, how far the true number can be from the printed one, in percent of it; 0 if "
        "the printed number is itself an end of the interval.",
        example=10,
        unit="percent",
    )
    least: Whole | None = _own(
        "For a hedge, the smallest such distance for units that are counted in whole numbers.",
        example=1,
    )


class MeasureRow(RowModel):
    """What figures measure, with a summary of the figures that can be compared across sources."""

    TABLE = Table("measures", "Measures", ("measure",), "measure")
    measure: Term = _own("The term, as figures use it.", example="people_present")
    label: str = _own("The name of the measure for readers.", example="People present")
    definition: str = _own("What the measure means.", example="People who were present.")
    close_match: str | None = _as(
        project.VocabularyTerm, "close_match", example="https://example.org/terms/present"
    )
    units: str | None = _own(
        "Units in which the measure can be counted, joined by `;`; null for any unit.",
        example="person",
    )
    comparable: bool = _as(project.Measure, "comparable", example=True)
    constant: bool = _as(project.Measure, "constant", example=False)
    figures: Whole = _own("Number of figures with this measure that are affirmed.", example=3)
    sources: Whole | None = _own(
        "Number of sources with such figures. This and all columns after it are null if the table "
        "`comparisons` is left out.",
        example=2,
    )
    compared_figures: Whole | None = _own(
        "Number of these figures that can be compared with a figure from another source. All "
        "columns after this one concern only the compared figures.",
        example=2,
    )
    independent_sources: Whole | None = _own(
        "Number of sources of the compared figures; those that depend on each other (`dependence` in "
        "`comparisons`) count as one, and those that name nobody who states the figure only if there "
        "is no other.",
        example=1,
    )
    lowest: Number | None = _own(
        "Lowest number that any of the figures allows, with the tolerance of its hedge; excluded "
        "if the hedge is more_than. Null without such an end, or if two figures cannot be "
        "compared.",
        example=36,
    )
    highest: Number | None = _own(
        "Highest number that any of the figures allows, like `lowest`; excluded if the hedge is "
        "nearly or less_than.",
        example=44,
    )
    earliest: date | None = _own(
        "Earliest `as_of_from` of the compared figures that are dated.", example="2019-02-25"
    )
    latest: date | None = _own(
        "Latest `as_of_to` of the compared figures that are dated.", example="2019-03-03"
    )
    verdicts: str | None = _own(
        "For each verdict except not_comparable, the number of pairs of sources that have it, "
        "joined by `;`; of agreements only the strongest.",
        example="conflicts 1;entails 2",
    )


class LedgerRow(RowModel):
    """Quotations and numbers found, except identifying ones, each with its record or waiver."""

    TABLE = Table(
        "ledger",
        "Ledger",
        ("source_id", "start_offset", "end_offset", "kind"),
        "ledger_id",
        {"source_id": _SOURCE},
    )
    ledger_id: str = _own(
        "Source, first code point and kind, joined by dots.", example="900-example.310.quotation"
    )
    source_id: Id = _own("The source that contains the words.", example="900-example")
    start_offset: Whole = _own(_START, example=310, unit=_CODE_POINTS)
    end_offset: Whole = _own(_END, example=329, unit=_CODE_POINTS)
    text: str = _own(
        "The words of a quotation without its marks, or the number with its sign.",
        example="We waited,",
    )
    kind: DetectionKind = _own(
        "What was detected: a quotation, or a kind of number.", example="quotation"
    )
    status: LedgerStatus = _own(
        "What accounts for the quotation or number: a record, a waiver, or boilerplate of the page.",
        example="covered",
    )
    record_table: RecordTable | None = _own(
        "The table of the record in `record_id`.", example="testimonies"
    )
    record_id: Id | None = _own(
        "The record that contains the quotation or number or, if `reason` is repeat, that it repeats.",
        example="900-example-t1",
    )
    waiver_id: Id | None = _as(annotation.Waiver, "id", example="900-example-w1")
    reason: WaiverReason | None = _as(annotation.Waiver, "reason", example="repeat")
    note: str | None = _as(annotation.Waiver, "note", example="A pull quote.")


class RelationRow(RowModel):
    """Arithmetic between figures: which follows from which others, and whether it does."""

    TABLE = Table(
        "relations",
        "Relations",
        ("source_id", "relation_id"),
        "relation_id",
        {"source_id": _SOURCE, "result": _FIGURE},
    )
    relation_id: Id = _as(annotation.Relation, "id", example="900-example-r1")
    source_id: Id = _own(
        "The source whose annotations declare the relation.", example="900-example"
    )
    kind: RelationKind = _as(annotation.Relation, "kind", example="share_of")
    result: Id = _as(annotation.Relation, "result", example="900-example-f7")
    operands: str = _as(annotation.Relation, "operands", example="900-example-f1;900-example-f8")
    outcome: Outcome = _own("Whether the result follows from the other figures.", example="holds")
    computation: str = _own(
        "The computation, written out. A square bracket means that the end of an interval is "
        "included, a round bracket that it is excluded.",
        example="[36, 39] / 1,600 × 100 = [2.25, 2.4375], which has nothing in common with [0, 1)",
    )
    note: str | None = _as(
        annotation.Relation, "note", example="The headline counts another month."
    )


class ComparisonRow(RowModel):
    """Every pair of figures of one measure: whether they agree, and why.

    No verdict says which of them is right.
    """

    TABLE = Table(
        "comparisons",
        "Comparisons",
        ("measure", "figure_a", "figure_b"),
        "comparison_id",
        {"measure": _MEASURE, "figure_a": _FIGURE, "figure_b": _FIGURE},
    )
    comparison_id: str = _own(
        "The two figures, joined by a dot.", example="900-example-f1.901-second-f2"
    )
    measure: Term = _as(annotation.Figure, "measure", example="people_present")
    figure_a: Id = _own("The figure whose identifier comes first.", example="900-example-f1")
    figure_b: Id = _own("The other figure.", example="901-second-f2")
    same_source: bool = _own("Whether both figures are from the same source.", example=False)
    dependence: str | None = _own(
        "Why figures from two sources are not independent: one government or shared speaker, one "
        "source cites the other, a common third outlet, eight common words in a row, or a source "
        "that names nobody who states its figure; null if nothing shows a dependence.",
        example="Both are attributed to Example Office.",
    )
    interval_a: str = _own(
        "The numbers that figure_a allows, read as rounded if the verdict is agrees_rounded; a "
        "square bracket includes an end, a round one excludes it.",
        example="40",
    )
    interval_b: str = _own(
        "The numbers that figure_b allows, written like `interval_a`.", example="[36, 44]"
    )
    times: Times = _own("How the dates of the figures relate to each other.", example="undated")
    verdict: Verdict = _own(
        "Whether and how the two figures agree, regardless of their order.", example="entails"
    )
    explanation: str = _own(
        "The reason for the verdict.", example="If 40 is right, so is about 40."
    )
    note: str | None = _as(
        project.ComparisonNote, "note", example="The second count is a week later."
    )


class StatementRelationRow(RowModel):
    """Pairs of testimonies that readers noted as related; other pairs were not judged.

    No row says which of the two is right.
    """

    TABLE = Table(
        "statement_relations",
        "Relations between statements",
        ("first", "second"),
        "statement_relation_id",
        {"first": _TESTIMONY, "second": _TESTIMONY},
    )
    statement_relation_id: str = _own(
        "The two testimonies, joined by a dot.", example="900-example-t1.901-second-t2"
    )
    first: Id = _as(project.StatementRelation, "first", example="900-example-t1")
    second: Id = _as(project.StatementRelation, "second", example="901-second-t2")
    kind: StatementKind = _as(project.StatementRelation, "kind", example="contradicts")
    reason: StatementReason = _as(project.StatementRelation, "reason", example="opposite_claims")


class ProvenanceRow(RowModel):
    """Why each cell has its value.

    Each column has a rule, and each cell that the rule does not explain has a row.
    """

    TABLE = Table("provenance", "Provenance", ("source_id", "provenance_id"), "provenance_id")
    provenance_id: str = _own(
        "Table, column and record, joined by dots; for a speaker who is shared between sources, "
        "the source too.",
        example="speakers.role.900-example-speaker-1",
    )
    source_id: str = _own(
        "The source whose words support the value; `*` if the row describes a column.",
        example="900-example",
    )
    table_name: str = _own("The table that contains the cell.", example="speakers")
    column_name: str = _own("The column of the cell.", example="role")
    record_id: str = _own(
        "The key of the cell's row; `*` if the row describes a column, and so all cells without a "
        "row of their own.",
        example="900-example-speaker-1",
    )
    basis: ProvenanceBasis = _own("What the value is based on.", example="assigned")
    spans: str | None = _own(
        "The spans that support the value, joined by `;`; for a column, the `field` of the spans "
        "of the same record, the first that the record has.",
        example="900-example-m1.role.1",
    )
    function: str | None = _own(
        "For a computed value, the function that computed it.", example="read_quantity"
    )
    inputs: str | None = _own(
        "For a computed value, the inputs of the function.", example="figures.text"
    )
    joined_on: str | None = _own(
        "How to find the rows on which the value is based: a column of another table equals a "
        "column of `table_name`, and any other conditions are fulfilled.",
        example="figures.figure_id = figure_a",
    )
    note: str | None = _own(
        "For an inferred value, what it was inferred from; otherwise, anything a reader needs to "
        "know.",
        example="An id.",
    )


class ReadingRow(RowModel):
    """Readings that made, compared or corrected records: by whom and when."""

    TABLE = Table(
        "readings", "Readings", ("source_id", "number"), "reading_id", {"source_id": _SOURCE}
    )
    reading_id: str = _own("Source and number, joined by a dot.", example="900-example.1")
    source_id: Id = _own("The source that was read.", example="900-example")
    number: Count = _own("Number of the reading of this source, counted from 1.", example=1)
    reader: str = _as(annotation.Reading, "reader", example="reader-1")
    kind: ReaderKind = _as(annotation.Reading, "kind", example="person")
    date: Day = _as(annotation.Reading, "date", example="2026-01-31")
    purpose: ReadingPurpose = _as(annotation.Reading, "purpose", example="first")
    version: str = _as(annotation.Reading, "version", example="0.1.0")


class HistoryRow(RowModel):
    """Records that were added, changed or withdrawn after the first release, with the versions."""

    TABLE = Table(
        "history", "History", ("source_id", "record_id"), "record_id", {"source_id": _SOURCE}
    )
    record_id: Id = _own(
        "The record, or the tombstone of a withdrawn record.", example="900-example-t9"
    )
    record_table: RecordTable = _own("The table of the record.", example="testimonies")
    source_id: Id | None = _own(
        "The source; null for shared speakers and withdrawn records.", example="900-example"
    )
    first_version: str | None = _own(
        "The first version with this record, among the versions that are recorded; null for "
        "withdrawn records.",
        example="0.1.0",
    )
    last_changed_version: str = _own(
        "The last version in which the record changed or was withdrawn.", example="0.2.0"
    )
    change: RecordChange = _own("The class of the last change.", example="meaning")
    corrected_version: str | None = _own(
        "The version with the last correction of the record.", example="0.2.0"
    )
    corrected_reason: CorrectionReason | None = _own(
        "Why the record was corrected.", example="value"
    )
    withdrawn_version: str | None = _own(
        "The first version without the withdrawn record.", example="0.2.0"
    )


class ErratumRow(RowModel):
    """Errors in the articles: the words, how the error is known, and what the publisher did."""

    TABLE = Table(
        "errata",
        "Errata",
        ("source_id", "start_offset", "end_offset", "erratum_id"),
        "erratum_id",
        {"source_id": _SOURCE},
    )
    erratum_id: Id = _as(annotation.Erratum, "id", example="900-example-e1")
    source_id: Id = _own("The source that contains the words.", example="900-example")
    text: str = _as(annotation.Erratum, "evidence", example="more than four of them new")
    start_offset: Whole = _own(_START_OF_PARTS, example=310, unit=_CODE_POINTS)
    end_offset: Whole = _own(_END_OF_PARTS, example=371, unit=_CODE_POINTS)
    wrong: str = _as(annotation.Erratum, "wrong", example="The number is that of another year.")
    known: str = _as(annotation.Erratum, "known", example="The publisher printed a correction.")
    reported: Day | None = _as(annotation.Erratum, "reported", example="2026-01-31")
    status: ErratumStatus = _as(annotation.Erratum, "status", example="corrected")


class TombstoneRow(RowModel):
    """Records that were removed by a takedown, without any of their content."""

    TABLE = Table("tombstones", "Tombstones", ("record_table", "record_id"), "record_id")
    record_table: RecordTable = _as(project.Tombstone, "table", example="testimonies")
    record_id: Id = _as(project.Tombstone, "id", example="900-example-t9")
    date: Day = _as(project.Tombstone, "date", example="2026-01-31")
    reason_class: TakedownReason = _as(project.Tombstone, "reason", example="person")


FIRST = ("testimonies", "figures", "speakers", "sources")
"""The tables that most readers want."""


def _place(row: type[RowModel]) -> int:
    """Return the place of a table in the list of tables; the others follow the first ones."""
    name = row.TABLE.name
    return FIRST.index(name) if name in FIRST else len(FIRST)


# `__subclasses__` keeps the order of definition, and sorting keeps it, too.
ROWS: tuple[type[RowModel], ...] = tuple(sorted(RowModel.__subclasses__(), key=_place))
"""The row models, in the order in which the tables are listed."""
ROW_OF = {row.TABLE.name: row for row in ROWS}
"""The row models, by the name of their table."""


ONLY_WITH_ROWS = (
    *("motives", "acts", "relations", "statement_relations"),
    *("history", "errata", "tombstones"),
)
"""The tables that a package has only if they have rows."""

ONLY_WITH_VALUES = (
    ("sources.withdrawn_entries",),
    ("sources.subtitle",),
    ("sources.outlet", "sources.outlet_basis"),
    ("sources.genre",),
    ("sources.dateline",),
    ("sources.url", "sources.url_basis"),
    (
        *("sources.obtained_date", "sources.obtained_address"),
        *("sources.obtained_by", "sources.obtained_sha256"),
    ),
    ("sources.cited_outlets",),
    ("speakers.gender",),
    ("speakers.part_of",),
    ("terms.words",),
    ("mentions.rank",),
    ("speakers.rank_class", "speakers.rank_class_inferred", "persons.rank_class"),
    ("speakers.branch", "speakers.branch_inferred", "persons.branch"),
    ("mentions.years_of_service", "persons.years_of_service"),
    ("testimonies.departure", "testimonies.departure_means"),
    ("persons.departed",),
    ("testimonies.relatives",),
    ("testimonies.access",),
    ("testimonies.stance",),
    ("testimonies.outlet_kind",),
    ("testimonies.outlet",),
    (
        *("testimonies.happened", "testimonies.happened_from", "testimonies.happened_to"),
        *("testimonies.happened_basis", "testimonies.happened_how", "testimonies.happened_of"),
    ),
    ("testimonies.place_id",),
    ("figures.place_id",),
    ("figures.population",),
    ("figures.as_of", "figures.as_of_from", "figures.as_of_to"),
    ("terms.close_match",),
    ("measures.close_match",),
    ("terms.body",),
    ("terms.place_kind", "terms.country"),
    ("persons.push", "persons.pull", "persons.barrier"),
)
"""Columns that only some subjects or articles need: a package has a group only if one of its columns
has a value. It has all other columns, even if they are empty: a first note adds no column."""
OPTIONAL_COLUMNS = frozenset(chain.from_iterable(ONLY_WITH_VALUES))
"""The columns that a package need not have, as table.column."""

WITHHELD = {
    "speakers": ("name", "gender", "note"),
    "mentions": ("rank", "age", "years_of_service", "affiliation"),
    "persons": (
        *("rank_class", "branch", "name", "ages", "years_of_service"),
        *("push", "pull", "barrier", "departed"),
    ),
}
"""Columns that must be null in the rows of protected persons; `speakers` may have a name that may be
a pseudonym."""


_STATED_NUMBERS = ("value", "low", "high", "percent")
"""Columns with numbers that annotators and maintainers type."""


def is_code_or_number(table: str, column: str) -> bool:
    """Return whether a column has terms, values of a closed vocabulary, or numbers of figures.

    The columns of `WITHHELD` are left out: what they state of a person may have to be removed.
    """
    row = ROW_OF[table]
    if column in WITHHELD.get(table, ()):
        return False
    is_code = column in row.TABLE.terms or column == "themes"
    is_closed = any(each.choices for each in columns(row, [column]))
    return is_code or is_closed or column in _STATED_NUMBERS
