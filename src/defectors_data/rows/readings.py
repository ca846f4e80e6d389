"""Readings of articles: the records that one reader made, with the places of their evidence.

A reading is YAML like an annotation file. Its records may have labels in place of ids, and keys
that no model has. A code is a value that is read by the name of its key.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeAlias, get_args

from pydantic import TypeAdapter, ValidationError

from defectors_data.corpus.document_reader import faults_of_reading
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import READINGS, CorpusReader
from defectors_data.corpus.yaml_reader import ParsedFile, parse
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.models.annotation import full_id
from defectors_data.models.fields import ID, Evidence
from defectors_data.models.project import CodeExample

RECORDS = "records"
"""The name under which the annotation files themselves are compared with a reading."""
NAME = re.compile(ID)
"""The pattern of the name of a reading; names are published."""
NO_READINGS = (RECORDS, "adjudicated")
"""Names that no reading has: a file `SEED.adjudicated.yaml` is what two readings became."""

CODES = {
    "speakers": ("kind", "role", "anonymity", "rank_class", "branch", "gender"),
    "testimonies": (
        "speaker",
        "attribution",
        "mode",
        *get_args(CodeExample.model_fields["code"].annotation),
    ),
    "figures": ("value", "low", "high", "hedge", "unit", "polarity", "attributed_to"),
}
"""The codes that are compared, by kind of record."""
NOT_COMPARED = {
    "testimonies": ("outlet",),
    "figures": ("measure", "population", "counted", "attribution", "testimony", "as_of", "place"),
}
"""The other values of records that are published, and that are not compared."""
OF_SPEAKERS = ("speaker", "attributed_to")
"""The codes whose values are speakers."""
_SETS = {
    "themes": (),
    "motives": ("factor", "direction"),
    "acts": ("act", "status"),
}
"""The codes whose values are sets, with the keys that make a member; none if it is a term."""
_INSIDE = {"happened": "date", "where": "place"}
"""The codes that are compared by one key of their value."""
DEFAULTS: Mapping[str, Hashable] = {
    "stance": "asserts",
    "polarity": "affirmed",
    "departure": "false",
    "anonymity": "not_applicable",
    "rank_class": "unspecified",
    "branch": "unspecified",
    **dict.fromkeys(_SETS, frozenset[str]()),
}
"""The values of codes that are left out; None for all others."""


class CodedRecord(NamedTuple):
    """A record as a reader made it."""

    places: frozenset[int]
    """The offsets of all code points of its evidence, without white space at the ends of parts."""
    codes: Mapping[str, Hashable]
    name: str | None = None
    """Of speakers, what names them in every reading: the id of a shared speaker, the name as
    printed, or `writer`."""
    words: frozenset[str] = frozenset()
    """The words of the attribution, in lower case."""


class CodedReading(NamedTuple):
    """A reading of an article."""

    records: dict[str, list[CodedRecord]]
    """The records by kind. Evidence of speakers is that of their mentions."""
    speakers: dict[str, int]
    """The position of each speaker, by the ids and labels by which records name them."""
    findings: list[Finding]


def file_of(stem: str, name: str) -> str:
    """Return the path of a reading by the stem of the seed and the name of the reading."""
    path = PurePosixPath(READINGS) / name
    return str(path.with_name(f"{stem}.{path.name}.yaml"))


Shared: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The shared speakers by id, as mappings."""


def files_of_readings(corpus: CorpusReader) -> dict[str, dict[str, str]]:
    """Return the files of the readings by name and by the stem of the seed.

    A reading is a file `SEED.NAME.yaml` in `annotations/readings/` or a folder in it, which is then
    part of the name: `2026-01-31/reader-2`.
    """
    found = dict[str, dict[str, str]]()
    for file, stem in corpus.readings.items():
        path = PurePosixPath(file).relative_to(READINGS)
        name = path.name.removeprefix(f"{stem}.").removesuffix(".yaml")
        is_reading = path.name == f"{stem}.{name}.yaml" and NAME.fullmatch(name)
        if is_reading and name not in NO_READINGS:
            found.setdefault(str(path.with_name(name)), {})[stem] = file
    return found


def read(typed: str, file: str, seed: str, text: str, shared: Shared) -> CodedReading:
    """Return a reading from its YAML.

    Args:
        typed: the YAML.
        file: the path of the reading, for findings.
        seed: the path of the article, for findings.
        text: the text of the article.
        shared: the speakers that articles share.
    """
    parsed = parse(typed, file=file)
    findings = [*_draft(parsed), *parsed.findings, *faults_of_reading(parsed, file)]
    records, speakers = dict[str, list[CodedRecord]](), dict[str, int]()
    within = SearchedText(seed, text, near=False)
    source_id = str(_mapping(_mapping(parsed.value).get("source")).get("id"))
    for kind in CODES:
        records[kind] = []
        for path, entry in _entries(parsed, (kind,)):
            places, wrong = _places(parsed, path, entry, kind, within)
            findings += wrong
            if kind == "speakers":
                for name in _names(entry, source_id):
                    speakers[name] = len(records[kind])
            stated = {**shared.get(str(entry.get("use")), {}), **entry}
            records[kind].append(_record(kind, stated, places))
    return CodedReading(records, speakers, findings)


def source_and_kinds(typed: str, file: str) -> tuple[str | None, dict[str, str]]:
    """Return the id of the source of an annotation file, and the kinds of its readers by name."""
    parsed, kinds = parse(typed, file=file), dict[str, str]()
    for _, reading in _entries(parsed, ("readings",)):
        if reading.get("kind"):
            kinds[str(reading.get("reader"))] = str(reading["kind"])
    return _mapping(_mapping(parsed.value).get("source")).get("id"), kinds


def _names(entry: Mapping[str, Any], source_id: str) -> Iterator[str]:
    """Yield the ids and labels by which records name a speaker."""
    for key in ("use", "id", "label"):
        if key in entry:
            name = str(entry[key])
            yield name
            # A record may name a speaker by the short form of the id.
            yield name.removeprefix(f"{source_id}-")
            yield full_id(name, source_id)


# ---- evidence ------------------------------------------------------------------------------------

_EVIDENCE = TypeAdapter(Evidence)


def _places(
    parsed: ParsedFile,
    path: tuple[str | int, ...],
    entry: Mapping[str, Any],
    kind: str,
    within: SearchedText,
) -> tuple[frozenset[int], list[Finding]]:
    """Return the offsets of the evidence of a record or of the mentions of a speaker."""
    cited = [(path, entry)]
    if kind == "speakers":
        cited = list(_entries(parsed, (*path, "mentions")))
    places, findings = set[int](), list[Finding]()
    for at, each in cited:
        place = parsed.places.get((*at, "evidence")) or parsed.places[at]
        try:
            parts = _EVIDENCE.validate_python(_trimmed(each.get("evidence")))
        except ValidationError:
            message = "Expected `evidence`, as in an annotation file."
            findings.append(Finding(place, "invalid-value", message))
            continue
        for part in parts:
            quote = Quote(part.text, place, part.prefix or "", part.suffix or "", part.occurrence)
            span, faults = find_span(quote, within)
            if span:
                places.update(range(*span))
            findings += faults
    return frozenset(places), findings


def _trimmed(typed: Any) -> Any:
    """Return unvalidated evidence without white space at the ends of its parts."""
    match typed:
        case list():
            return [_trimmed(each) for each in typed]
        case dict():
            return {**typed, "text": _trimmed(typed.get("text"))}
        case str():
            return typed.strip()
        case _:
            return typed


# ---- codes ---------------------------------------------------------------------------------------


def _record(kind: str, entry: Mapping[str, Any], places: frozenset[int]) -> CodedRecord:
    codes = {code: _code(code, entry.get(code)) for code in CODES[kind]}
    if kind == "speakers":
        name = entry.get("use") or entry.get("name")
        if not name and entry.get("kind") == "writer":
            name = "writer"
        return CodedRecord(places, codes, name)
    words = frozenset(re.findall(r"\w+", _attribution(entry.get("attribution"))[1].casefold()))
    return CodedRecord(places, codes, words=words)


def _code(code: str, typed: Any) -> Hashable:
    """Return the value of a code, as it is compared."""
    if code == "attribution":
        return _attribution(typed)[0]
    if typed is None:
        return DEFAULTS.get(code)
    if code in _SETS:
        listed = typed if isinstance(typed, list) else [typed]
        return frozenset(_member(each, _SETS[code]) for each in listed)
    if code in _INSIDE and isinstance(typed, dict):
        typed = typed.get(_INSIDE[code])
    # Numbers are compared by value: one reader may type `10`, and another `10.0`.
    with suppress(TypeError, ValueError):
        return float(typed)
    return str(typed)


def _member(typed: Any, keys: tuple[str, ...]) -> str:
    """Return a member of a set: a term, or the values of some keys."""
    if not isinstance(typed, dict):
        return str(typed)
    return " ".join(str(typed.get(key)) for key in keys)


def _attribution(typed: Any) -> tuple[str | None, str]:
    """Return the kind of an attribution, and its words."""
    if typed is None:
        return None, ""
    if not isinstance(typed, dict) or "text" in typed:
        return "named", _joined(typed)
    words = _joined(typed.get("words"))
    for kind in ("about", "antecedent", "continues"):
        if typed.get(kind):
            return kind, words
    if typed.get("none"):
        return f"none: {typed['none']}", words
    return "named", words


def _joined(typed: Any) -> str:
    """Return the words of evidence as typed."""
    match typed:
        case list():
            return " ".join(_joined(each) for each in typed)
        case dict():
            return _joined(typed.get("text"))
        case None:
            return ""
        case _:
            return str(typed)


# ---- YAML ----------------------------------------------------------------------------------------


def _draft(parsed: ParsedFile) -> Iterator[Finding]:
    """Yield a finding if a reading is marked as a draft."""
    source = _mapping(_mapping(parsed.value).get("source"))
    if source.get("draft") == "true":
        place = parsed.places["source", "draft"]
        hint = "Remove `draft` once the whole article has been read."
        yield Finding(place, "draft-record", "This reading is a draft.", (hint,))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _entries(
    parsed: ParsedFile, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Yield the mappings in the list at a path, each with its own path."""
    value: Any = _mapping(parsed.value)
    for step in path:
        value = value[int(step)] if isinstance(value, list) else _mapping(value).get(str(step))
    listed = value if isinstance(value, list) else []
    for i, entry in enumerate(listed):
        if isinstance(entry, dict):
            yield (*path, i), entry
