"""The closed vocabularies: every value that an enumerated field may hold.

The open ones (themes, measures) stand in `annotations/vocabulary.yaml`, each term with its definition.
"""

from __future__ import annotations

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
RecordTable: TypeAlias = Literal["sources", "speakers", "mentions", "testimonies", "figures", "waivers"]
DetectionKind: TypeAlias = Literal["quotation", "quantity", "ordinal", "date", "clock_time", "list_number", "name"]
LedgerStatus: TypeAlias = Literal["covered", "waived", "furniture"]
