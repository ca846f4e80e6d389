"""Codes of a testimony: what its words say of motives, acts, dates and places.

A code is a reading of words, not a finding of fact; each has the words on which it is based. Which
codes a corpus uses is set in `dataset.yaml`.
"""

from defectors_data.models.closed_vocabularies import (
    ActStatus,
    DateBasis,
    DateOf,
    DateResolution,
    MotiveDecision,
    MotiveDirection,
    MotiveLink,
    MotiveOf,
)
from defectors_data.models.evidence import Evidence
from defectors_data.models.fields import Edtf, Record, TermReference


class Motive(Record):
    """A reason for a decision, in the words of a testimony or of the sentence next to it."""

    factor: TermReference
    """The reason: a term of the vocabulary `factors`."""
    direction: MotiveDirection
    """Whether the reason drove people out (push), drew them (pull), or held them back (barrier)."""
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
    """The kind of harm: a term of the vocabulary `act_kinds`."""
    status: ActStatus
    """Whether it is said to have happened, or was ordered, threatened, feared, planned or denied."""
    against: Evidence | None = None
    """The printed words for those who were harmed; empty if the words name no one."""
    by: Evidence | None = None
    """The printed words for those who did it, or ordered it; empty if the words name no one."""
    words: Evidence
    """The words that say what was done."""


class Happened(Record):
    """When the content of a testimony happened."""

    date: Edtf
    """The date in EDTF (ISO 8601-2), as precise as the words say."""
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
    """The place: a term of the vocabulary `places`."""
    words: Evidence
    """The words that name the place."""
