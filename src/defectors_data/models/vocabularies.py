"""The closed vocabularies: every value that an enumerated field may hold.

The open ones (themes, measures) stand in `annotations/vocabulary.yaml`, each term with its definition.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["person", "group", "institution"]
Role: TypeAlias = Literal[
    "defector",
    "relative",
    "security_official",
    "government_venezuela",
    "opposition",
    "government_colombia",
    "government_us",
    "international_organisation",
    "ngo",
    "analyst",
    "journalist",
    "other",
]
Anonymity: TypeAlias = Literal["named", "partial", "withheld", "unnamed", "not_applicable"]
RankClass: TypeAlias = Literal["officer", "non_commissioned", "enlisted", "unspecified"]
Branch: TypeAlias = Literal[
    "national_guard", "army", "navy", "air_force", "national_police_faes", "special_forces", "unspecified"
]
Gender: TypeAlias = Literal["female", "male", "other"]
Request: TypeAlias = Literal["fear_of_reprisal", "told_not_to_talk", "not_stated"]
Mode: TypeAlias = Literal["direct", "indirect", "narrated"]
Hedge: TypeAlias = Literal["exact", "about", "nearly", "less_than", "up_to", "more_than", "at_least", "range", "vague"]
Unit: TypeAlias = Literal[
    "person",
    "percent",
    "country",
    "usd",
    "usd_per_month",
    "year",
    "month",
    "week",
    "day",
    "hour",
    "minute",
    "mile",
    "hotel",
    "meal_per_day",
    "kilogram",
    "item",
    "event",
    "other",
]
Basis: TypeAlias = Literal["stated", "inferred"]
Unbalanced: TypeAlias = Literal["opening", "closing"]
WaiverReason: TypeAlias = Literal[
    "repeat",
    "date",
    "clock_time",
    "ordinal",
    "list_number",
    "name",
    "term",
    "scare_quote",
    "title",
    "idiom",
    "quoted_norm",
    "protected_attribute",
    "not_a_quantity",
    "detector_error",
]
RecordTable: TypeAlias = Literal["sources", "speakers", "mentions", "testimonies", "figures", "waivers", "relations"]
CertificateBasis: TypeAlias = Literal["evidence", "inferred", "computed", "assigned"]
RelationKind: TypeAlias = Literal["part_of", "share_of", "sum", "ratio", "per"]
Verdict: TypeAlias = Literal["same", "entails", "compatible", "conflicts", "not_comparable"]
Outcome: TypeAlias = Literal["holds", "fails", "cannot_tell"]
DetectionKind: TypeAlias = Literal["quotation", "quantity", "ordinal", "date", "clock_time", "list_number", "name"]
LedgerStatus: TypeAlias = Literal["covered", "waived", "boilerplate", "withdrawn"]
TakedownReason: TypeAlias = Literal["person", "safety", "rights", "law", "error"]

MEANINGS: dict[str, dict[str, str]] = {
    "Kind": {
        "person": "one person",
        "group": "several people heard together",
        "institution": "a body that speaks as one",
    },
    "Role": {
        "defector": "left Venezuela's armed forces or police",
        "relative": "a relative of someone who left",
        "security_official": "still serving in the armed forces or police",
        "government_venezuela": "speaks for Maduro's government",
        "opposition": "speaks for Venezuela's opposition",
        "government_colombia": "speaks for Colombia's government or one of its offices",
        "government_us": "speaks for the government of the United States",
        "international_organisation": "speaks for an organisation of states",
        "ngo": "speaks for a non-governmental organisation",
        "analyst": "a researcher, consultant or other observer",
        "journalist": "a journalist or a news organisation",
        "other": "none of these, or several of them together",
    },
    "Anonymity": {
        "named": "the full name is printed",
        "partial": "only a first name or a surname is printed",
        "withheld": "asked not to be named",
        "unnamed": "the source does not name the speaker",
        "not_applicable": "a group or an institution",
    },
    "RankClass": {
        "officer": "a commissioned officer",
        "non_commissioned": "a non-commissioned officer, such as a sergeant",
        "enlisted": "an enlisted soldier",
        "unspecified": "a rank is told, and not of which class",
    },
    "Branch": {
        "national_guard": "the National Guard",
        "army": "the army",
        "navy": "the navy",
        "air_force": "the air force",
        "national_police_faes": "the Special Action Forces of the national police (FAES)",
        "special_forces": "special forces of the military",
        "unspecified": "a branch is told of, and not which",
    },
    "Gender": {"female": "female", "male": "male", "other": "another"},
    "Request": {
        "fear_of_reprisal": "for fear of what might follow",
        "told_not_to_talk": "was told not to talk",
        "not_stated": "the source gives no reason",
    },
    "Mode": {
        "direct": "the speaker's own words in quotation marks",
        "indirect": "reported speech",
        "narrated": "told by the writer without a reporting verb",
    },
    "Hedge": {
        "exact": "the number itself",
        "about": "near the number, on either side",
        "nearly": "below the number, and near it",
        "less_than": "below the number",
        "up_to": "the number or below it",
        "more_than": "above the number",
        "at_least": "the number or above it",
        "range": "from low to high",
        "vague": "low or more: a plural without a number",
    },
    "Unit": {
        "person": "people",
        "percent": "hundredths of what is counted",
        "country": "countries",
        "usd": "US dollars",
        "usd_per_month": "US dollars a month",
        "year": "years",
        "month": "months",
        "week": "weeks",
        "day": "days",
        "hour": "hours",
        "minute": "minutes",
        "mile": "miles",
        "hotel": "hotels",
        "meal_per_day": "meals a day",
        "kilogram": "kilograms",
        "item": "things that can be counted",
        "event": "times that something happened",
        "other": "another unit",
    },
    "Basis": {"stated": "the source says it", "inferred": "worked out; the note says from what"},
    "Unbalanced": {"opening": "the opening mark is missing", "closing": "the closing mark is missing"},
    "WaiverReason": {
        "repeat": "a passage that is printed again, whole or cut short",
        "date": "a date",
        "clock_time": "a time of the day",
        "ordinal": "an ordinal number",
        "list_number": "the number of an item in a list",
        "name": "a number inside a name",
        "term": "the name of an operation, or of a thing that is called so",
        "scare_quote": "words that the writer keeps at a distance",
        "title": "the title of a work",
        "idiom": "a fixed phrase that holds a number",
        "quoted_norm": "words of a law or a purpose that nobody speaks",
        "protected_attribute": "an age or years of service of a protected person",
        "not_a_quantity": "a number that counts nothing",
        "detector_error": "what the detectors should not have found",
    },
    "RecordTable": {
        name: f"a row of the table {name}"
        for name in ("sources", "speakers", "mentions", "testimonies", "figures", "waivers", "relations")
    },
    "CertificateBasis": {
        "evidence": "it can be read in words of the article",
        "inferred": "it was worked out; the note says from what",
        "computed": "a function made it from other cells",
        "assigned": "an annotator chose it, from words of the article where there are any",
    },
    "RelationKind": {
        "part_of": "the figure is a part of another",
        "share_of": "the figure, in percent, is the share that one figure has in another",
        "sum": "the figure is the sum of others",
        "ratio": "the figure is one figure divided by another",
        "per": "the figure is what one figure comes to for each of another",
    },
    "Verdict": {
        "same": "both allow the same numbers",
        "entails": "whoever says the one says the other too",
        "compatible": "both can be so",
        "conflicts": "no number suits both",
        "not_comparable": "they are of different units, populations or dates, or each is about something of its own",
    },
    "Outcome": {
        "holds": "it follows from the other figures",
        "fails": "the other figures rule it out",
        "cannot_tell": "the other figures leave it open",
    },
    "DetectionKind": {
        "quotation": "words between quotation marks",
        "quantity": "a number that counts or measures",
        "ordinal": "a number that tells a place in an order",
        "date": "a date that is printed with a number",
        "clock_time": "a time of the day",
        "list_number": "the number of an item in a list",
        "name": "a number inside a name",
    },
    "LedgerStatus": {
        "covered": "a record holds it",
        "waived": "a waiver gives the reason why it is no record",
        "boilerplate": "it is part of the page, not of the article",
        "withdrawn": "it was taken out",
    },
    "TakedownReason": {
        "person": "the person asked, or somebody for them",
        "safety": "it could bring somebody into danger",
        "rights": "whoever holds the rights in the words asked",
        "law": "a court or a law asks for it",
        "error": "it should never have been a record",
    },
}
"""What each value of each closed vocabulary means, by the vocabulary's name."""

STANDARD_NOTES = (
    "The quantity is rhetorical.",
    "The quantity is negated.",
    "The quantity is negated and rhetorical.",
    "The words stand in the headline.",
    "The words stand in the standfirst.",
    "The words stand in a caption.",
    "A pull quote.",
    "The subtitle quotes the body.",
    "It repeats RECORD too.",
    "It repeats RECORD and RECORD too.",
    "It repeats RECORD, RECORD and RECORD too.",
    "Printed twice.",
    "The same words are evidence of RECORD.",
    "A word is misspelt in the source.",
)
"""Sentences that a note on a record of a protected person is made of; RECORD stands for an id."""


def meanings(values: Collection[str]) -> dict[str, str]:
    """Return what the values of a closed vocabulary mean.

    Raises:
        KeyError: no vocabulary has exactly these values.
    """
    for told in MEANINGS.values():
        if list(told) == list(values):
            return told
    raise KeyError(f"no closed vocabulary has the values {', '.join(values)}")
