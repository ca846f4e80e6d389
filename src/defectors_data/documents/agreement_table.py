"""The agreement of readings as Markdown and as sentences, from the content of `agreement.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from defectors_data.documents.markdown import markdown

NAME = "agreement.json"
_NONE = (
    "No two readings of these articles by different readers are published, so it is not known how "
    "far readers agree."
)
_KINDS = {"person": "a person", "language_model": "a language model"}


def section(agreement: Mapping[str, Any] | None) -> str:
    """Return what the datasheet states on agreement; without readings, a sentence."""
    if not agreement:
        return _NONE
    parts = [f"`{NAME}` compares readings with each other, not with the records:"]
    parts += [f"- {measure}: {meaning}" for measure, meaning in agreement["method"].items()]
    for pair in agreement["pairs"]:
        parts += ["", who(pair), "", table(pair)]
    if limits := _limits(agreement):
        parts += ["", limits]
    if agreement["decisions"]:
        files = ", ".join(f"`{file}`" for file in agreement["decisions"])
        parts += ["", f"Decisions on the differences, in the project's repository: {files}."]
    # The first list needs an empty line before it.
    return "\n".join([parts[0], "", *parts[1:]])


def who(pair: Mapping[str, Any]) -> str:
    """Return sentences on two readings, the kinds of their readers, and their articles."""
    readers = []
    for reading in pair["readings"]:
        kind = _KINDS.get(reading["kind"], "not recorded whether a person or a language model")
        readers.append(f"{reading['name']} ({kind})")
    compared = f"{' and '.join(readers)}, articles: {len(pair['articles'])}."
    return f"{compared} {_EQUAL}" if _are_equal(pair) else compared


_EQUAL = "They are equal in everything compared, so one may be a copy of the other."


_ON_VALUES = (
    "A record without a value in both readings counts as equal: where few have one, trust alpha, and not "
    "the share of equal ones."
)


def _are_equal(pair: Mapping[str, Any]) -> bool:
    """Return whether two readings have the same passages with the same codes."""
    same_passages = all(
        each["both"] == each["first"] == each["second"] for each in pair["passages"]
    )
    return same_passages and all(each["equal"] == each["records_in_both"] for each in pair["codes"])


def table(pair: Mapping[str, Any]) -> str:
    """Return two Markdown tables on the agreement of two readings."""
    header = ["passages", "in both", "first", "second", "F1 (95% interval)"]
    passages = []
    for each in pair["passages"]:
        counts = [str(each[key]) for key in ("both", "first", "second")]
        passages.append([_label(each, "of"), *counts, _number(each, "f1")])
    header_of_codes = ["code", "n", "with a value", "equal (95% interval)", "alpha (95% interval)"]
    codes = []
    for each in pair["codes"]:
        counts = [str(each["records_in_both"]), str(each["with_value"])]
        equal = f"{each['equal']}: {_number(each, 'observed')}"
        codes.append([_label(each, "code"), *counts, equal, _number(each, "alpha")])
    return f"{markdown(header, passages)}\n\n{markdown(header_of_codes, codes)}\n\n{_ON_VALUES}"


def _label(row: Mapping[str, Any], key: str) -> str:
    if row[key] == "records":
        return str(row["records"])
    return f"{row['records']}: {row[key]}"


def _number(row: Mapping[str, Any], key: str) -> str:
    """Return a value with its interval, or with what is said in place of it."""
    value, interval = row[key], row[f"{key}_interval"]
    note = (row["note"] or "").removesuffix(".")
    if value is None:
        return note
    if interval is None:
        return f"{value:.2f} ({note[:1].lower()}{note[1:]})"
    return f"{value:.2f} ({interval[0]:.2f} to {interval[1]:.2f})"


def sentences(agreement: Mapping[str, Any] | None) -> list[str]:
    """Return sentences on the agreement of each two readings."""
    if not agreement:
        return [_NONE]
    found = [_sentence(pair) for pair in agreement["pairs"]]
    if limits := _limits(agreement):
        found.append(limits)
    return found


def _limits(agreement: Mapping[str, Any]) -> str:
    """Return what `dataset.yaml` says of the limits of the agreement; "" if nothing."""
    return (agreement.get("limits") or "").strip()


def _sentence(pair: Mapping[str, Any]) -> str:
    passages = [f"{_label(each, 'of')} {_number(each, 'f1')}" for each in pair["passages"]]
    codes = list(_alphas(pair))
    return f"{who(pair)} F1: {'; '.join(passages)}. Alpha: {'; '.join(codes)}."


def summary(agreement: Mapping[str, Any] | None) -> str:
    """Return sentences on where the agreement of readings is stated, and on its limits."""
    if not agreement:
        return _NONE
    stated = f"`{NAME}` and the datasheet state how far readings of the same articles agree."
    return f"{stated} {_limits(agreement)}".strip()


def _alphas(pair: Mapping[str, Any]) -> Iterator[str]:
    for each in pair["codes"]:
        yield f"{_label(each, 'code')} {_number(each, 'alpha')}, n {each['records_in_both']}"
