"""The files of a project that belong to no single source, as frozen models.

These are `dataset.yaml`, and in `annotations/` the vocabulary, the notes on comparisons and the tombstones.
"""

from typing import Annotated, Literal

from pydantic import Field

from defectors_data.models.fields import ADDRESS, DOI, Day, Edtf, FileName, Flag, Id, Line, Note, Number, Record, Term
from defectors_data.models.vocabularies import RecordTable, TakedownReason, Unit


class VocabularyTerm(Record):
    """One term of an open vocabulary."""

    term: Term
    """The term, as records use it."""
    definition: Line
    """What the term means."""


class Theme(VocabularyTerm):
    """What testimonies are about."""

    triggers: tuple[Line, ...] = ()
    """Words that tell of the theme, in any case, joined by `;`; a `*` at the end of one stands for any ending."""


class Measure(VocabularyTerm):
    """What figures measure."""

    units: tuple[Unit, ...] = ()
    """Units that the measure can be counted in; where none is given, any."""
    ages: Flag = False
    """Whether it is an age: words that state one are figures of such a measure alone."""
    comparable: Flag = True
    """Whether two figures of the measure can be compared; false where each is about something else."""


class Tolerance(Record):
    """How far a hedge reaches that names a number and not its distance from it."""

    hedge: Literal["about", "nearly"]
    """The hedge: about reaches to both sides, nearly below the number alone."""
    percent: Annotated[Number, Field(le=100)]
    """How far it reaches, in percent of the number."""


class Vocabulary(Record):
    """`annotations/vocabulary.yaml`: the open vocabularies."""

    themes: tuple[Theme, ...] = ()
    """What testimonies are about."""
    measures: tuple[Measure, ...] = ()
    """What figures measure."""
    populations: tuple[VocabularyTerm, ...] = ()
    """Of whom or what figures measure it, where two populations have to be told apart."""

    tolerances: tuple[Tolerance, ...] = ()
    """How far the hedges `about` and `nearly` reach where figures are compared."""


class Comparison(Record):
    """What there is to say about two figures of one measure that do not agree."""

    figures: tuple[Id, Id]
    """The two figures."""
    note: Note
    """Why they may differ; nothing here makes one of them right."""


class Comparisons(Record):
    """`annotations/comparisons.yaml`: notes on figures that do not agree."""

    comparisons: tuple[Comparison, ...] = ()
    """Pairs of figures, each with a note."""


class Tombstone(Record):
    """A record that was taken out, without anything of its content."""

    table: RecordTable
    """The table that the record stood in."""
    id: Id
    """The id that it had, never used again."""
    date: Day
    """Day on which it was taken out."""
    reason: TakedownReason
    """Why it was taken out, by class."""
    seed: FileName | None = None
    """Of a source, the file in `seeds/` that is annotated no more."""


class Tombstones(Record):
    """`annotations/tombstones.yaml`: what was taken out; `defectors-data takedown` writes it."""

    tombstones: tuple[Tombstone, ...] = ()
    """The records that were taken out."""


class Contributor(Record):
    """Someone to whom the dataset is owed."""

    title: Line
    """Name of the person or body."""
    family: Line | None = None
    """Family name, of a person; without one, the contributor is a body."""
    given: Line | None = None
    """Given names, of a person."""
    roles: tuple[Line, ...] = Field(min_length=1)
    """What they did, in words of the Data Package standard or of CRediT."""


class License(Record):
    """A licence, as the Data Package standard describes one."""

    name: Line
    """Identifier in the SPDX list."""
    title: Line
    """Name in full."""
    path: Annotated[Line, Field(pattern=ADDRESS)]
    """Address of the text."""


class Coverage(Record):
    """What time and which places the sources report from."""

    time: Edtf
    """Time that the sources report from, as EDTF; what they tell of may reach further back."""
    places: tuple[Line, ...] = Field(min_length=1)
    """Countries that the sources report from or on."""


class Dataset(Record):
    """`dataset.yaml`: the dataset's own facts; every other description of it is made from these and the tables."""

    name: Id
    """Name of the data package."""
    title: Line
    """Title of the dataset."""
    summary: Note
    """What the dataset is, in a paragraph."""
    version: Annotated[Line, Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
    """Version of the data, as semantic versioning counts it."""
    released: Day
    """Day of the release."""
    keywords: tuple[Line, ...] = Field(min_length=1)
    """Words by which catalogues find the dataset."""
    contributors: tuple[Contributor, ...] = Field(min_length=1)
    """To whom the dataset is owed."""
    contact: Note
    """Where to report an error or ask for a removal."""
    licence: License
    """Licence of the annotations."""
    rights: Note
    """Who holds the rights in the words that are quoted."""
    homepage: Annotated[Line, Field(pattern=ADDRESS)] | None = None
    """Address at which the dataset is published, once it has one."""
    doi: Annotated[Line, Field(pattern=DOI)] | None = None
    """Digital object identifier of this version, once it has one."""
    coverage: Coverage
    """What time and which places the sources report from."""
    purpose: Note
    """Why the dataset was made."""
    collection: Note
    """How the sources came into the dataset."""
    annotation: Note
    """How the records were made, and how they are checked."""
    uses: tuple[Note, ...] = Field(min_length=1)
    """What the dataset can be used for."""
    not_for: tuple[Note, ...] = Field(min_length=1)
    """What the dataset must not be used for."""
    limitations: tuple[Note, ...] = Field(min_length=1)
    """What the dataset cannot tell."""
    biases: tuple[Note, ...] = Field(min_length=1)
    """In which ways its content leans."""
    sensitive: Note
    """What in it is personal or sensitive."""
    protection: Note
    """How people at risk are protected."""
    maintenance: Note
    """How errors are mended and versions made."""
