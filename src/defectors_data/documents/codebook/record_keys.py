"""Tables of the keys of records and of their permitted values, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel

from defectors_data.documents.codebook import guidelines
from defectors_data.documents.markdown import prose
from defectors_data.models import annotation, closed_vocabularies
from defectors_data.models.columns import columns
from defectors_data.models.project import CodeExample
from defectors_data.models.tables import ONLY_WITH_ROWS, OPTIONAL_COLUMNS, ROWS
from defectors_data.package.tables_reader import PackageTables

_SPEAKERS = (
    annotation.NamedPerson,
    annotation.WithheldPerson,
    annotation.PseudonymousPerson,
    annotation.Group,
    annotation.Writer,
    annotation.Institution,
)
_MENTIONS = (annotation.Mention, annotation.ProtectedMention)
_RECORDS: dict[str, tuple[str, Sequence[type[BaseModel]]]] = {
    "Source": ("sources", (annotation.Source,)),
    "Speaker": ("speakers", _SPEAKERS),
    "Inferred attributes": ("speakers", (annotation.Inferences,)),
    "Mention": ("mentions", _MENTIONS),
    "Testimony": ("testimonies", (annotation.Testimony,)),
    "Attribution": ("testimonies", (annotation.Attribution,)),
    "Motive": ("motives", (annotation.Motive,)),
    "Act": ("acts", (annotation.Act,)),
    "Date (`happened`)": ("testimonies.happened", (annotation.Happened,)),
    "Place (`where`)": ("testimonies.where", (annotation.Where,)),
    "Figure": ("figures", (annotation.Figure,)),
    "Relation": ("relations", (annotation.Relation,)),
    "Waiver": ("", (annotation.Waiver,)),
    "Erratum": ("", (annotation.Erratum,)),
    "Reading": ("readings", (annotation.Reading,)),
    "Obtained": ("", (annotation.TextOrigin,)),
    "Earlier text": ("", (annotation.EarlierText,)),
}
"""The models of each kind of record, and the table, or a key of its records, in which a package has
it; "" if every corpus may need it.
"""
_COLUMNS = {"where": "place"}
"""The beginning of the columns of a key, if this is not the key itself."""

_ONLY_PUBLISHED = (
    "RecordTable",
    "DetectionKind",
    "LedgerStatus",
    "TakedownReason",
    "ProvenanceBasis",
    "Verdict",
    "Times",
    "Outcome",
    "Region",
    "AgreementStatistic",
    "RecordChange",
    "TermKind",
)
"""Closed vocabularies that only published tables use; the descriptor explains their values."""


_EXPLAINED_BY_RULES = (
    "Kind",
    "Mode",
    "AttributionKind",
    "NoAttribution",
    "Hedge",
    "Polarity",
    "Completeness",
    "Basis",
    "Unbalanced",
    "RelationKind",
    "ReadingPurpose",
    "Anonymity",
    "Request",
    "ErratumStatus",
)
"""Closed vocabularies whose values the rules explain."""

_OF_CORRECTIONS = ("CorrectionReason", "ErratumStatus")
"""Closed vocabularies that every corpus may need, although few packages have their columns."""

_PLAIN = 6
"""If no meaning in a closed vocabulary has more words, the values are listed without meanings."""


def records(rules: Sequence[guidelines.CodebookRule], tables: PackageTables | None = None) -> str:
    """Return a line for each kind of record with its keys.

    A key that one of the rules explains has the number of the rule. What a package lacks is left
    out, if one is given.
    """
    by_rule = _keys_of_rules(rules)
    lines = []
    for title, (place, models) in _RECORDS.items():
        table, _, own = place.partition(".")
        if tables and not _has(tables, table, own):
            continue
        keys = []
        for name in _names(models):
            if tables and not own and not _has(tables, table, name):
                continue
            mark = "\\*" if _is_required(name, models) else ""
            rule = f" ({by_rule[name]})" if name in by_rule else ""
            keys.append(f"`{name}`{mark}{rule}")
        lines.append(f"- {title}: {', '.join(keys)}.")
    return "\n".join(lines)


def _has(tables: PackageTables, table: str, key: str) -> bool:
    """Return whether a package has columns for a key of records, or the key needs none."""
    missing = {*ONLY_WITH_ROWS} - {*tables.names}
    if table in missing or key in missing:
        return False
    pattern = re.compile(rf"{table}\.{_COLUMNS.get(key, key)}(_\w+)?")
    needed = {each for each in OPTIONAL_COLUMNS if pattern.fullmatch(each)}
    there = [f"{table}.{column}" for column in tables.column_names(table)] if needed else []
    return not needed or not needed.isdisjoint(there)


def _keys_of_rules(rules: Sequence[guidelines.CodebookRule]) -> dict[str, str]:
    """Return the keys with which rules begin, each with the last such rule, which explains it."""
    found: dict[str, str] = {}
    for rule in rules:
        beginning = re.match(r"(Each )?(`\w+`(, | and )?)*", rule.says)
        if beginning:
            for key in re.findall(r"`(\w+)`", beginning[0]):
                found[key] = rule.rule
    return found


def _names(models: Sequence[type[BaseModel]]) -> list[str]:
    """Return the keys of models, each once."""
    return list(dict.fromkeys(name for model in models for name in model.model_fields))


def _is_required(name: str, models: Sequence[type[BaseModel]]) -> bool:
    """Return whether all models require a key."""
    for model in models:
        field = model.model_fields.get(name)
        if field is None or not field.is_required():
            return False
    return True


def permitted_values(tables: PackageTables | None = None) -> str:
    """Return a list of the closed vocabularies that annotators use, with their meanings.

    Those of columns that a package lacks are left out, if one is given.
    """
    parts = []
    for name, meanings in closed_vocabularies.MEANINGS.items():
        if tables and name not in _OF_CORRECTIONS and _is_absent(tuple(meanings), tables):
            continue
        if name not in _ONLY_PUBLISHED:
            title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
            rows = [f"- `{value}`: {meaning}" for value, meaning in meanings.items()]
            is_plain = all(len(meaning.split()) <= _PLAIN for meaning in meanings.values())
            if is_plain or name in _EXPLAINED_BY_RULES:
                rows = [", ".join(f"`{value}`" for value in meanings)]
            parts.append(f"### {title.capitalize()}\n\n" + "\n".join(rows))
    return "\n\n".join(parts)


def _is_absent(values: tuple[str, ...], tables: PackageTables) -> bool:
    """Return whether a closed vocabulary is that of columns, and a package has none of them."""
    has_column = False
    for row in ROWS:
        there = tables.column_names(row.TABLE.name)
        for column in columns(row):
            if column.choices == values:
                if column.name in there:
                    return False
                has_column = True
    return has_column


def open_vocabularies(tables: PackageTables) -> str:
    """Return a list for each open vocabulary of a package, with its terms and their definitions."""
    parts = []
    for title, kind in _VOCABULARIES.items():
        listed = tables.terms(kind)
        if kind == "unit":
            built_in = closed_vocabularies.MEANINGS["Unit"]
            listed = [row for row in listed if row["term"] not in built_in]
        lines = []
        for row in listed:
            definition = " ".join(row["definition"].split())
            lines.append(f"- `{row['term']}`: {prose(definition)}")
        if lines:
            parts.append(f"### {title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def examples_of_codes(tables: PackageTables, examples: Sequence[CodeExample]) -> str:
    """Return a list for each code with examples, in the words of published testimonies.

    An example whose testimonies are not in the tables is left out.
    """
    named = {name for each in examples for name in (each.example, each.counter_example) if name}
    rows = tables.among("testimonies", "testimony_id", named, ["text"])
    words = {row["testimony_id"]: f"“{prose(row['text'])}” ({row['testimony_id']})" for row in rows}
    lines: dict[str, list[str]] = {}
    for each in examples:
        if words.keys() >= {each.example, each.counter_example or each.example}:
            lines.setdefault(each.code, []).append(f"- {_example(each, words)}")
    sections = [f"### Examples: `{code}`\n\n" + "\n".join(lines[code]) for code in lines]
    return "\n\n".join(sections)


def _example(entry: CodeExample, words: Mapping[str, str]) -> str:
    """Return the words of an example and of its counter-example."""
    parts = [f"`{entry.value}`."] if entry.value else []
    parts.append(f"Example: {words[entry.example]}.")
    if entry.counter_example:
        reason = ""
        if entry.because:
            reason = f", because {prose(entry.because)}"
        parts.append(f"Not: {words[entry.counter_example]}{reason}.")
    return " ".join(parts)


_VOCABULARIES: dict[str, closed_vocabularies.TermKind | Literal["measure"]] = {
    "Themes": "theme",
    "Measures": "measure",
    "Populations": "population",
    "Roles": "role",
    "Rank classes": "rank_class",
    "Branches": "branch",
    "Units": "unit",
    "Factors": "factor",
    "Kinds of acts": "act",
    "Places": "place",
}
"""The open vocabularies in the order of the codebook, each with the kind of its terms."""


def standard_notes(notes: Sequence[str]) -> str:
    """Return standard notes as a Markdown list."""
    return "\n".join(f"- {note}" for note in notes)
