"""How terms, numbers and persons are worded for people, the same in charts and on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Rows = Mapping[str, Sequence[Row]]

ROLES = {
    "defector": "Defector",
    "relative": "Relative",
    "security_official": "Security official",
    "government_venezuela": "Venezuelan government",
    "opposition": "Venezuelan opposition",
    "government_colombia": "Colombian government",
    "government_us": "United States government",
    "international_organisation": "International organisation",
    "ngo": "Non-governmental organisation",
    "analyst": "Analyst",
    "journalist": "Journalist",
    "other": "Other",
}
"""The roles as labels."""

UNITS = {
    **dict.fromkeys(("person", "item", "event", "hotel", "other"), ""),
    "percent": ", in percent",
    "country": ", in countries",
    "usd": ", in US dollars",
    "usd_per_month": ", in US dollars a month",
    "meal_per_day": ", in meals a day",
    **{unit: f", in {unit}s" for unit in ("year", "month", "week", "day", "hour", "minute", "mile", "kilogram")},
}
"""What is added to the name of a measure to tell its unit."""


def words(term: str) -> str:
    """Return a term as words."""
    return term.replace("_", " ")


def number(value: float | None) -> str:
    """Return a number with its thousands parted; nothing for none."""
    if value is None:
        return ""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,}"


def said(figure: Row) -> str:
    """Word the number of a figure as its source hedges it."""
    low, high, value = (number(figure[name]) for name in ("low", "high", "value"))
    match figure["hedge"]:
        case "exact":
            return value
        case "range":
            return f"{low} to {high}"
        case "vague":
            bounds = f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or fewer"
            return f"{bounds} (vague)" if low or high else "no number"
        case hedge:
            return f"{words(hedge)} {value or low or high}"


def speaker(row: Row) -> str:
    """Name a speaker; of whoever is protected, and of a group without a name, the role alone."""
    if row["protected"]:
        return f"{ROLES[row['role']]}, not named"
    return row["name"] or f"{ROLES[row['role']]} ({words(row['kind'])})"


def whose(figure: Row, speakers: Mapping[str, Row]) -> str:
    """Say who states a figure."""
    return speaker(speakers[figure["attributed_to"]]) if figure["attributed_to"] else "the writer"
