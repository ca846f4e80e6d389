"""Closed vocabularies: the values of each enumerated field, with their meanings.

The open vocabularies (themes, measures, populations, roles and others) are in
`annotations/vocabulary.yaml`, with a definition of each term.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["person", "group", "institution", "writer"]
InferenceReason: TypeAlias = Literal[
    "one_of_group", "told_events", "cited_as_such", "writes_the_text"
]
Anonymity: TypeAlias = Literal["named", "partial", "withheld", "unnamed", "not_applicable"]
Gender: TypeAlias = Literal["female", "male", "other"]
Request: TypeAlias = Literal["fear_of_reprisal", "told_not_to_talk", "other", "not_stated"]
Mode: TypeAlias = Literal["direct", "indirect", "narrated"]
AttributionKind: TypeAlias = Literal["named", "antecedent", "about", "continues", "none"]
NoAttribution: TypeAlias = Literal["writer", "unclear"]
Access: TypeAlias = Literal[
    "own_experience",
    "about_others",
    "official_position",
    "documented",
    "assessment",
    "not_stated",
]
Stance: TypeAlias = Literal["asserts", "denies", "doubts", "intends", "calls_for", "accuses"]
MotiveDirection: TypeAlias = Literal["push", "pull", "barrier"]
MotiveDecision: TypeAlias = Literal["leave", "rise"]
MotiveOf: TypeAlias = Literal["speaker", "others"]
MotiveLink: TypeAlias = Literal["own_words", "adjacent"]
ActStatus: TypeAlias = Literal[
    "alleged", "suspected", "ordered", "threatened", "feared", "planned", "denied"
]
DateBasis: TypeAlias = Literal["stated", "resolved", "context"]
DateResolution: TypeAlias = Literal["from_publication", "from_event", "from_weekday"]
DateOf: TypeAlias = Literal["event", "departure", "statement", "background"]
OutletKind: TypeAlias = Literal["own", "other", "not_stated"]
DepartureMeans: TypeAlias = Literal["vehicle", "boat", "on_foot", "help", "other"]
Relatives: TypeAlias = Literal["harmed", "at_risk", "mentioned"]
ENDANGERED: tuple[Relatives, ...] = ("harmed", "at_risk")
FEAR_FOR_RELATIVES = "reprisal_on_family"
"""The term of a vocabulary for the reason that relatives may be harmed."""
"""The values of `relatives` with which relatives are in danger."""
PlaceKind: TypeAlias = Literal[
    "country", "region", "city", "border", "bridge", "river", "base", "facility"
]
Genre: TypeAlias = Literal["news_report", "column", "slideshow", "other"]
Hedge: TypeAlias = Literal[
    "exact", "about", "nearly", "less_than", "up_to", "more_than", "at_least", "range", "vague"
]
Polarity: TypeAlias = Literal["affirmed", "denied", "promised", "supposed"]
Completeness: TypeAlias = Literal["full", "none"]
Basis: TypeAlias = Literal["stated", "inferred", "external", "other_edition"]
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
JOIN = " […] "
"""The separator between the parts of evidence when they are joined into one text."""
RecordTable: TypeAlias = Literal[
    "sources",
    "speakers",
    "mentions",
    "testimonies",
    "motives",
    "acts",
    "figures",
    "waivers",
    "relations",
    "errata",
]
TermKind: TypeAlias = Literal[
    "act",
    "branch",
    "factor",
    "hedge",
    "place",
    "population",
    "rank_class",
    "role",
    "theme",
    "unit",
]
ProvenanceBasis: TypeAlias = Literal[
    "evidence", "inferred", "external", "other_edition", "computed", "assigned", "default"
]
RelationKind: TypeAlias = Literal["part_of", "exceeds", "share_of", "sum", "ratio", "per"]
StatementKind: TypeAlias = Literal["contradicts", "confirms", "compatible", "same_event"]
StatementReason: TypeAlias = Literal[
    "opposite_claims",
    "same_claim",
    "same_authority",
    "similar_case",
    "opposite_positions",
    "rule_and_practice",
    "same_occurrence",
]
Verdict: TypeAlias = Literal[
    "same",
    "entails",
    "compatible",
    "agrees_rounded",
    "differs_undated",
    "conflicts",
    "not_comparable",
]
Times: TypeAlias = Literal[
    "constant",
    "equal",
    "a_within_b",
    "b_within_a",
    "overlap",
    "undated",
    "a_undated",
    "b_undated",
    "apart",
]
Outcome: TypeAlias = Literal["holds", "fails", "cannot_tell"]
DetectionKind: TypeAlias = Literal[
    "quotation", "quantity", "ordinal", "date", "clock_time", "list_number", "name"
]
Region: TypeAlias = Literal["headline", "subtitle", "caption", "pull_quote", "boilerplate", "body"]
LedgerStatus: TypeAlias = Literal["covered", "waived", "boilerplate"]
ReaderKind: TypeAlias = Literal["person", "language_model"]
ReadingPurpose: TypeAlias = Literal["first", "second", "adjudication", "correction"]
TakedownReason: TypeAlias = Literal["person", "safety", "rights", "law", "error"]
CorrectionReason: TypeAlias = Literal[
    "words", "place", "name", "value", "code", "missing", "article"
]
RecordChange: TypeAlias = Literal["id-reassigned", "withdrawn", "meaning", "wording", "addition"]
ErratumStatus: TypeAlias = Literal["noted", "reported", "confirmed", "corrected", "rejected"]

SPEAKER_TERMS = ("role", "rank_class", "branch")
"""The attributes of speakers whose values are terms of the vocabulary."""
WHOLE_UNITS = frozenset({"person", "country", "item", "event"})
"""The built-in units that are counted in whole numbers; numbers of the others can be fractions."""

MEANINGS: dict[str, dict[str, str]] = {
    "Kind": {
        "person": "one person",
        "group": "several people quoted, cited or narrated about together",
        "institution": "a body that speaks as one, or a document without an author",
        "writer": "the writer of the article, its introduction or a caption",
    },
    "InferenceReason": {
        "one_of_group": "the speaker is one of a group with this attribute",
        "told_events": "what the article reports of the speaker implies it",
        "cited_as_such": "the speaker is cited among others as such",
        "writes_the_text": "the speaker is the writer of the text",
    },
    "Anonymity": {
        "named": "the full name is printed",
        "partial": "only a first name or a surname is printed",
        "withheld": "the speaker asked not to be named",
        "unnamed": "the source does not name the speaker",
        "not_applicable": "a group, an institution or a writer",
    },
    "Gender": {"female": "female", "male": "male", "other": "another gender"},
    "Request": {
        "fear_of_reprisal": "the speaker feared reprisals",
        "told_not_to_talk": "the speaker had instructions not to talk",
        "other": "the source gives another reason",
        "not_stated": "the source gives no reason",
    },
    "Mode": {
        "direct": "quoted as the speaker's words, in quotation marks",
        "indirect": "reported speech",
        "narrated": "what the article narrates or claims, of someone or generally, without a reporting verb",
    },
    "AttributionKind": {
        "named": "the words contain the speaker's name, surname or a mention of the speaker",
        "antecedent": (
            "a pronoun, a description or a shared surname in the words is written for an earlier "
            "mention or testimony of the speaker"
        ),
        "about": "the words name, or lead to, the person about whom the article narrates",
        "continues": "there are no words: the speech of an adjacent testimony continues",
        "none": "there are no words: only the writer can have said it, or it is unclear who did",
    },
    "NoAttribution": {
        "writer": "only the writer can have said it",
        "unclear": "the source does not say who said it",
    },
    "Access": {
        "own_experience": (
            "the speaker, or the one narrated about, did, underwent, saw or feels it, alone or in a "
            "group"
        ),
        "about_others": (
            "it was done by or to others, and the words do not say that the speaker was there"
        ),
        "official_position": (
            "an office or organisation announces, orders, decides, counts or states its position"
        ),
        "documented": (
            "an organisation, an outlet or the writer documents or reports what others did"
        ),
        "assessment": "an opinion, estimate, prediction, judgement, hope or plan",
        "not_stated": "the words do not say how the speaker knows",
    },
    "Stance": {
        "asserts": "states it",
        "denies": "rejects that it is or was so",
        "doubts": "calls it uncertain, unlikely or unknown",
        "intends": "will do it, is ready to do it, or threatens to do it",
        "calls_for": "demands or asks others to act",
        "accuses": (
            "charges the opposing side with a wrong or a plan, speaking for an office, a government, "
            "a party or a movement"
        ),
    },
    "MotiveDirection": {
        "push": "a condition, feeling or order that drove them out",
        "pull": "a call, a cause or a welcome that drew them",
        "barrier": "why they stay, stayed, waited or delayed, even if it was overcome",
    },
    "MotiveDecision": {
        "leave": "to leave, to want to leave, to stay or to delay",
        "rise": (
            "to rise against the government, to go over to its opponents, or to fail to do so"
        ),
    },
    "MotiveOf": {
        "speaker": "the speaker, alone or as one of a group",
        "others": "other people",
    },
    "MotiveLink": {
        "own_words": "the testimony itself connects the reason with the decision",
        "adjacent": (
            "the sentence before or after, of the same speaker or the writer, connects them"
        ),
    },
    "ActStatus": {
        "alleged": "said to have happened or to happen",
        "suspected": "said only to be suspected or possible",
        "ordered": "said to have been ordered",
        "threatened": "announced to the victim",
        "feared": "expected by the victim or speaker",
        "planned": "others say that it is planned",
        "denied": "said not to have happened",
    },
    "DateBasis": {
        "stated": (
            "the date is printed in the testimony or its sentence; the year may be that of publication"
        ),
        "resolved": "resolved from a relative date",
        "context": "printed in another sentence of the paragraph about the same event",
    },
    "DateResolution": {
        "from_publication": "counted from the date of publication",
        "from_event": "counted from another event that the article dates",
        "from_weekday": "a weekday next to the date of publication or of a dated event",
    },
    "DateOf": {
        "event": "what happened",
        "departure": "when they left",
        "statement": "a public statement, which is itself the event",
        "background": "what a side clause mentions",
    },
    "OutletKind": {
        "own": "said to the article's own reporter, or in public to no one in particular",
        "other": "said to another outlet, as the article says; `outlet` names it",
        "not_stated": "the article does not say to whom",
    },
    "DepartureMeans": {
        "vehicle": "by vehicle",
        "boat": "by boat",
        "on_foot": "on foot",
        "help": "with the help of a contact",
        "other": "by other means",
    },
    "Relatives": {
        "harmed": "an act against relatives of those whom the dataset is about is reported",
        "at_risk": "relatives of those whom the dataset is about were left behind, "
        "or reprisals against them are feared",
        "mentioned": "relatives of those whom the dataset is about are mentioned",
    },
    "PlaceKind": {
        "country": "a country",
        "region": "a state, province or region",
        "city": "a city, town or village",
        "border": "a border",
        "bridge": "a bridge",
        "river": "a river",
        "base": "a base or barracks",
        "facility": "a hotel or another building",
    },
    "Genre": {
        "news_report": "a report by the outlet's own reporter",
        "column": "an opinion or analysis by a named author",
        "slideshow": "slides that gather the reports of other outlets",
        "other": "another genre",
    },
    "Hedge": {
        "exact": "no word limits the number, which may be rounded",
        "about": "close to the number, above or below it",
        "nearly": "below the number, but close to it",
        "less_than": "below the number",
        "up_to": "the number or less",
        "more_than": "above the number",
        "at_least": "the number or more",
        "range": "from the lower to the upper bound, both included",
        "vague": "at least the lower bound: a plural such as hundreds, without a number",
    },
    "Polarity": {
        "affirmed": "the words say that the quantity is, was or will be so",
        "denied": "the words deny the quantity, as in `not even two litres`",
        "promised": "the words say only that the quantity is promised, guaranteed or due",
        "supposed": "the words only suppose or plan the quantity, as in `how to feed 300`",
    },
    "Unit": {
        "person": "people",
        "percent": "percent of a whole",
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
        "kilogram": "kilograms",
        "item": "objects of any other countable kind",
        "event": "occurrences of an event",
        "factor": "multiples of an earlier or another number: doubled is 2, halved 0.5",
        "other": "another unit",
    },
    "Completeness": {
        "full": (
            "every quotation and number that the program finds has a record or a reason for its "
            "absence"
        ),
        "none": "nothing is claimed: quotations, numbers and ages were not searched for",
    },
    "Basis": {
        "stated": "the source states it",
        "inferred": "inferred; the note says from what",
        "external": "found outside the source; the note says where it was seen",
        "other_edition": "that of another edition, because that of the source was not found",
    },
    "Unbalanced": {
        "opening": "the opening quotation mark is missing",
        "closing": "the closing quotation mark is missing",
    },
    "WaiverReason": {
        "repeat": "a passage that is printed again, in full or shortened",
        "date": "a date",
        "clock_time": "a time of day",
        "ordinal": "an ordinal number",
        "list_number": "the number of an item in a list",
        "name": "a number in a name or address",
        "term": "a slogan, a name or another term in quotation marks",
        "scare_quote": "scare quotes: words that the writer quotes without endorsing them",
        "title": "the title of a work",
        "idiom": "a fixed phrase that contains a number",
        "quoted_norm": "the words of a law or of a stated purpose, not spoken by any speaker",
        "protected_attribute": (
            "the age or years of work of a protected person, or the age of a child, a group "
            "or anyone who is no speaker"
        ),
        "not_a_quantity": "a number that counts and measures nothing, a result (5-to-4), or odds",
        "detector_error": "a false detection: neither a quotation nor a number",
    },
    "RecordTable": {
        **{name: f"a row of the table {name}" for name in get_args(RecordTable)},
        "waivers": "a waiver: the rows of the table ledger with this `waiver_id`",
    },
    "TermKind": {
        "act": "a kind of harm",
        "branch": "a branch of the organisation to which speakers belong",
        "factor": "a reason for a decision",
        "hedge": "how words qualify a number, and how far the true number can be from it",
        "place": "a place to which testimonies and figures refer",
        "population": (
            "a group or place that figures are about, if a measure is used for several of them"
        ),
        "rank_class": "a class of ranks",
        "role": "a side or office that speakers represent",
        "theme": "a topic of testimonies",
        "unit": "a unit of figures",
    },
    "ProvenanceBasis": {
        "evidence": "the value can be read in the words of the article",
        "inferred": "the annotator inferred the value; the note says from what",
        "external": "the annotator found the value outside the article; the note says where",
        "other_edition": "the value is that of another edition of the article",
        "computed": "a function computed the value from other cells",
        "assigned": (
            "an annotator chose the value, based on words of the article where there are any"
        ),
        "default": "no annotator wrote another value",
    },
    "RelationKind": {
        "part_of": "the figure is a part of another figure",
        "exceeds": "the figure is greater than another figure",
        "share_of": "the figure is the share of one figure in another, in percent",
        "sum": "the figure is the sum of other figures",
        "ratio": "the figure is one figure divided by another",
        "per": "the figure is one figure per unit of another, such as dollars per person",
    },
    "StatementKind": {
        "contradicts": "both cannot be true",
        "confirms": "two speakers make one claim",
        "compatible": "no words show that one excludes or supports the other",
        "same_event": "both are about one occurrence",
    },
    "StatementReason": {
        "opposite_claims": "one claims what the other excludes",
        "same_claim": "both make the same claim",
        "same_authority": "both give the claim of one authority or side, or one may rest on the other",
        "similar_case": "they are alike, but no words say that it is the same case",
        "opposite_positions": "they take opposite positions, and no words show that one excludes the other",
        "rule_and_practice": "one states a rule, and the other a practice that does not fit it",
        "same_occurrence": "both are about one occurrence",
    },
    "Verdict": {
        "same": "both figures allow the same numbers",
        "entails": (
            "one figure implies the other: every number that it allows, the other allows too"
        ),
        "compatible": (
            "some numbers satisfy both figures, but neither implies the other; also any two vague "
            "plurals"
        ),
        "agrees_rounded": (
            "a number satisfies both figures only if round numbers are read as rounded, or if the "
            "hedge `nearly` is read as including its number"
        ),
        "differs_undated": (
            "no number satisfies both figures; as one or both are undated, whether they apply to the "
            "same time is not known"
        ),
        "conflicts": (
            "no number satisfies both figures, and their dates overlap or the measure does not "
            "change with time"
        ),
        "not_comparable": (
            "units, populations or dates differ, or the figures of this measure have different "
            "subjects"
        ),
    },
    "Times": {
        "constant": "the measure does not change with time, so dates do not matter",
        "equal": "both figures have the same date",
        "a_within_b": (
            "the date of figure_a is within that of figure_b, as a day is within its month"
        ),
        "b_within_a": "the date of figure_b is within that of figure_a",
        "overlap": "the dates have a day in common, but each also has days that the other lacks",
        "undated": "neither figure is dated",
        "a_undated": "only figure_b is dated",
        "b_undated": "only figure_a is dated",
        "apart": "the dates have no day in common, or differ and one has no year",
    },
    "Outcome": {
        "holds": "the other figures allow the result; a part is not larger than its whole",
        "fails": "the other figures rule the result out",
        "cannot_tell": "the other figures neither confirm the result nor rule it out",
    },
    "DetectionKind": {
        "quotation": "words between quotation marks",
        "quantity": "a number that counts or measures",
        "ordinal": "an ordinal number: a position in a sequence",
        "date": "a date with a number in it",
        "clock_time": "a time of day",
        "list_number": "the number of an item in a list",
        "name": "a number in a name, address, result or odds",
    },
    "LedgerStatus": {
        "covered": "it is evidence of a record",
        "waived": "a waiver gives the reason why it is not a record",
        "boilerplate": "it belongs to the web page, not to the article",
    },
    "Region": {
        "headline": "the title",
        "subtitle": "the subtitle or standfirst",
        "caption": "words that describe a picture or a video",
        "pull_quote": "words of the body that the page prints again as a display element",
        "boilerplate": "text of the web page that is not part of the article",
        "body": "the rest of the text",
    },
    "ReaderKind": {"person": "a person", "language_model": "a language model"},
    "ReadingPurpose": {
        "first": "made the first records",
        "second": "annotated the article anew, without seeing the records or another reading",
        "adjudication": "compared readings and records, and decided where they differ",
        "correction": "corrected records",
    },
    "TakedownReason": {
        "person": "the person asked for it, or someone on their behalf",
        "safety": "the record could put someone in danger",
        "rights": "a holder of the rights in the words asked for the removal",
        "law": "a court or a law requires it",
        "error": "the record should never have been made",
    },
    "CorrectionReason": {
        "words": "the evidence had too few, too many or the wrong words",
        "place": "the words were found in the wrong place",
        "name": "the name of the speaker was wrong",
        "value": "a number, a date, a place or another value was wrong",
        "code": "a mode, a theme, a role, a speaker or another code was wrong",
        "missing": "a value that the article states was missing",
        "article": "the publisher changed the article",
    },
    "RecordChange": {
        "id-reassigned": "the id now has different words or a different place",
        "withdrawn": "a record was taken down; none of its content is shown",
        "meaning": "a value, or the words that support it, changed",
        "wording": "only a note or a label changed",
        "addition": "a record, table or column was added",
    },
    "ErratumStatus": {
        "noted": "not reported to the publisher",
        "reported": "reported to the publisher, who has not answered",
        "confirmed": "the publisher agrees, but has not changed the article",
        "corrected": "the publisher corrected the article, or printed a correction elsewhere",
        "rejected": "the publisher disagrees",
    },
}
"""The meaning of each value, by vocabulary."""

REASONS_OF_STATEMENTS: dict[StatementKind, tuple[StatementReason, ...]] = {
    "contradicts": ("opposite_claims",),
    "confirms": ("same_claim", "same_authority"),
    "compatible": ("similar_case", "opposite_positions", "rule_and_practice"),
    "same_event": ("same_occurrence",),
}
"""The reasons that fit each kind of relation between statements.

The verifier has a copy, because it is a single file; a test compares the two.
"""

STANDARD_OVERRIDES = {
    "The unit is persons.": "unit",
    "The unit is a different one.": "unit",
    "The number is a different one.": "numbers",
    "The hedge is a different one.": "hedge",
    "The quantity is rhetorical.": "hedge",
}
"""The property in which a figure may differ from its words, by standard `override`; others allow
any difference."""

STANDARD_NOTES = (
    *STANDARD_OVERRIDES,
    "The words are in the headline.",
    "The words are in the standfirst.",
    "The words are in a caption.",
    "A pull quote.",
    "The subtitle quotes the body.",
    "It repeats RECORDS too.",
    "Printed twice.",
    "The same words are evidence of RECORDS.",
    "The outlet is printed in another paragraph.",
    "A word is misspelt in the source.",
    "A number is wrong in the source.",
    "Another passage of the source contradicts the words.",
    "The publisher printed a correction.",
)
"""The only sentences allowed in `note` and `override` of a protected person's record.

RECORDS is a placeholder for ids of records from the same source, such as `example-t1, example-f2
and example-f3`.
"""

COMPARISON_NOTES = (
    "Neither figure is dated.",
    "Only one figure is dated.",
    "The figures may apply to different days.",
    "The figures may count different people.",
    "The figures may refer to different places.",
    "The figures may have different subjects.",
    "One figure is a round number.",
    "One figure is a round number in a headline.",
    "One figure is a round number in a quotation.",
    "Both figures are round numbers.",
    "One figure is in a rhetorical question and is not a count.",
    "One figure is a plan or a capacity, not a count.",
    "One figure is the speaker's own estimate.",
    "The figures are from speakers with opposing interests.",
    "One figure corrects the other.",
    "The article reports both figures as disputed.",
    "This note named a person or a record that was removed.",
)
"""The only sentences allowed in a note on two figures."""

RELATION_NOTES = (
    "The figures may count different people.",
    "The figures may apply to different days.",
    "A figure is a round number.",
    "A figure is the speaker's own estimate.",
    "The operands may not include all parts.",
    "Some are counted twice.",
    "The number is greater than the capacity of the place.",
    "The source reports the difference itself.",
    "The figures are from different sources, which may count differently.",
)
"""The only sentences allowed in a note on a relation."""


OVERRIDDEN = "The program reads the words otherwise: "
"""The words in the published note of a figure that introduce its `override`, its last part."""
ADDED_TO_NOTES = re.compile(
    rf"{OVERRIDDEN.strip()}|The \w+ quotation mark of part [0-9]+ is missing in the source\."
)
"""The words that the build adds to published notes."""


def meanings(values: Collection[str]) -> dict[str, str]:
    """Return the meanings of the closed vocabulary that consists of exactly these values.

    Raises:
        KeyError: no vocabulary has exactly these values.
    """
    for found in MEANINGS.values():
        if list(found) == list(values):
            return found
    raise KeyError(f"no closed vocabulary has the values {', '.join(values)}")
