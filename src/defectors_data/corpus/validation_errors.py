"""Pydantic's validation errors as findings: plain sentences, each with the place of the value.

A finding repeats a typed value only if the value certainly belongs to a public speaker; otherwise
it names the field. One mistake gives one finding: the missing keys of a mapping are reported
together, and a mistyped key is not also reported as missing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar, get_args

from pydantic import ValidationError, create_model
from pydantic_core import ErrorDetails

from defectors_data.corpus import alterations
from defectors_data.corpus.findings import Finding, Path, Place, ProjectFile
from defectors_data.corpus.yaml_reader import ParsedFile, Places, TypedValue
from defectors_data.models.annotation import may_be_pseudonym
from defectors_data.models.closed_vocabularies import Kind
from defectors_data.models.fields import FORMS, Record
from defectors_data.text.similar_words import did_you_mean, nearest_name

Content = TypeVar("Content", bound=Record)

MOST_REPORTED = 1_000
"""Maximum number of errors in a file that become findings; more have mostly one cause."""

_MAPPING = "This must be a mapping, with each key and its value on a line: `key: value`."
_MESSAGES = {
    "string_type": "This must be text; put words that begin with a bracket in quotation marks.",
    "tuple_type": "This must be a list: put the value in [ ].",
    "int_type": "This must be a whole number.",
    "float_type": "This must be a number.",
    "bool_type": "This must be true or false.",
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), _MAPPING),
    "string_too_short": "The text is empty: write it, or leave the key out.",
    "string_too_long": "The text is too long: at most {max_length} characters are allowed.",
    "too_short": "The list is empty: fill it, or leave the key out.",
    "too_long": "The list is too long: at most {max_length} items are allowed.",
    "greater_than_equal": "The number must be {ge:g} or more.",
    "less_than_equal": "The number must be {le:g} or less.",
}


def to_project_file(
    typed: ParsedFile,
    file: str,
    model: type[Content],
    findings: list[Finding],
    *,
    partly: bool = False,
) -> ProjectFile[Content] | None:
    """Validate the content of a file against a model; errors are added to the findings.

    If `partly` is true, records that are invalid are left out, as long as the others are valid.
    """
    restore_unknown_keys(typed, model)
    altered = dict(altered_values(typed, file, model))
    findings += altered.values()
    wrong = {*altered, *typed.doubled}
    # An empty file is validated as an empty mapping, so that the finding names the required keys.
    value = {} if typed.value is None else typed.value
    try:
        content = model.model_validate(value)
    except ValidationError as error:
        explained = _Explainer(typed, file, model, altered).findings(error)
        findings += _grouped(islice(explained, MOST_REPORTED))
        for fault in error.errors(include_url=False, include_input=False):
            if fault["loc"]:
                *above, last = fault["loc"]
                wrong.add((*_path(typed.value, tuple(above)), last))
        return _valid_part(typed, file, model, wrong) if partly else None
    if not wrong and not typed.findings:
        return ProjectFile(file, content, typed.places, typed=typed.text)
    if partly and wrong:
        return _valid_part(typed, file, model, wrong)
    return None


_REPLACED = {"language": "en", "rights": "unknown"}
"""Values in place of invalid ones of a source, with which its records can be checked."""


def _valid_part(
    typed: ParsedFile, file: str, model: type[Content], wrong: Collection[Path]
) -> ProjectFile[Content] | None:
    """Return the content of a file without its invalid records, or None if that is invalid.

    The records of a list, the values of the source and all other keys are left out one by one.
    """
    if not isinstance(typed.value, dict):
        return None
    left_out = {_left_out(path, typed.value) for path in wrong if path}
    value, numbers = dict(typed.value), dict[Path, int]()
    unread = list[tuple[str, str]]()
    for key, listed in typed.value.items():
        if (key,) in left_out:
            unread.append((key, ""))
            del value[key]
        elif isinstance(listed, list):
            value[key] = []
            for i, entry in enumerate(listed):
                if (key, i) not in left_out:
                    numbers[key, i] = len(value[key])
                    value[key].append(entry)
                else:
                    name = "" if (key, i, "id") in wrong else _id_of(entry)
                    unread.append((key, name))
        elif isinstance(listed, dict) and key == "source":
            kept_keys = {name: each for name, each in listed.items() if (key, name) not in left_out}
            replaced = {name: each for name, each in _REPLACED.items() if (key, name) in left_out}
            value[key] = kept_keys | replaced
            unread += [(key, "")] * (len(kept_keys) < len(listed))
    try:
        content = model.model_validate(value)
    except ValidationError:
        return None
    places = dict(_renumbered(typed.places, numbers))
    return ProjectFile(file, content, places, typed=typed.text, unread=unread)


def section_faults(typed: ParsedFile, file: str, names: Collection[str]) -> Iterator[Finding]:
    """Yield findings about the sections of a file: lists of mappings with any keys, or `source`."""
    if not isinstance(typed.value, dict):
        if typed.value is not None:
            yield invalid_value(Place(file, 1, 1), _MAPPING)
        return
    for key, value in typed.value.items():
        if key not in names:
            yield unknown_key(typed.keys[key,], key, set(names) - set(typed.value))
        elif key == "source" and not isinstance(value, dict):
            yield invalid_value(typed.places[key,], _MAPPING)
        elif key != "source" and not isinstance(value, list):
            yield invalid_value(typed.places[key,], _MESSAGES["tuple_type"])
        elif key != "source":
            for i, entry in enumerate(value):
                if not isinstance(entry, dict):
                    yield invalid_value(typed.places[key, i], _MAPPING)


def readable_values(typed: ParsedFile, file: str, model: type[Record]) -> dict[str, Any]:
    """Return the values of a file's keys that are valid by themselves, and are as typed.

    A key that was not typed has its default, unless there is an unknown key: this one may be meant.
    """
    if not isinstance(typed.value, dict):
        return {}
    doubtful = {path[0] for path in (*altered_values(typed, file, model), *typed.doubled) if path}
    is_known = typed.value.keys() <= model.model_fields.keys()
    found = {}
    for name, field in model.model_fields.items():
        if name in typed.value and name not in doubtful:
            fields: Any = {name: (field.annotation, field)}
            with suppress(ValidationError):
                one = create_model("One", __base__=Record, **fields)
                found[name] = getattr(one.model_validate({name: typed.value[name]}), name)
        elif name not in typed.value and is_known and not field.is_required():
            found[name] = field.get_default(call_default_factory=True)
    return found


def _left_out(path: Path, content: dict[str, Any]) -> Path:
    """Return the path of the record, field or key that is left out for an invalid value."""
    key = path[0]
    # Readings must be in order, so a part of them may be invalid.
    is_list = isinstance(content.get(str(key)), list) and key != "readings"
    if is_list or key == "source":
        return path[:2]
    return path[:1]


def _id_of(entry: Any) -> str:
    if isinstance(entry, dict):
        for key in ("id", "use", "term"):
            if key in entry:
                return str(entry[key])
    return ""


def _renumbered(places: Places, numbers: Mapping[Path, int]) -> Iterator[tuple[Path, Place]]:
    """Yield the places with the positions that items of lists have after others were left out."""
    lists = {path[0] for path in numbers}
    for path, place in places.items():
        if len(path) < 2 or path[0] not in lists:  # noqa: PLR2004  # not in a list
            yield path, place
        elif path[:2] in numbers:
            yield (path[0], numbers[path[:2]], *path[2:]), place


def restore_unknown_keys(typed: ParsedFile, model: type[Record]) -> None:
    """Add keys without a value that no model allows, to report them as unknown keys."""
    for value in typed.doubtful:
        inside = _container(typed.value, value.path)
        if value.value is None and isinstance(inside, dict):
            *above, key = value.path
            known = {*inside, *_remaining_keys(typed.value, tuple(above), model)}
            if str(key) not in known:
                inside[str(key)] = None


def altered_values(
    typed: ParsedFile, file: str, model: type[Record]
) -> Iterator[tuple[Path, Finding]]:
    """Yield a finding, with its path, for each value that YAML does not read as it is typed."""
    discreet = _discreet(typed, file)
    keys = _all_keys(model)
    # Fields that differ only in a position in a list have the same type.
    fields: dict[tuple[str, ...], bool] = {}
    for value in typed.doubtful:
        field = tuple(step for step in value.path if isinstance(step, str))
        if finding := alterations.alteration(value, keys, discreet=discreet(value.path)):
            yield value.path, finding
        elif value.comment and (
            fields.get(field) or _may_be_words(typed, model, value, field, fields)
        ):
            yield value.path, alterations.lost_comment(value, discreet=discreet(value.path))


def _may_be_words(
    typed: ParsedFile,
    model: type[Record],
    value: TypedValue,
    field: tuple[str, ...],
    fields: dict[tuple[str, ...], bool],
) -> bool:
    """Return whether the model allows the words of a comment as a part of the value before it.

    A text can contain them; an id, a term or a number cannot, so they must be a comment. The answer
    is added to
    `fields` if it is certain.
    """
    inside = _container(typed.value, value.path)
    if inside is None or field in fields:
        return False
    key: Any = value.path[-1]
    was_present, before = isinstance(inside, list) or key in inside, value.value
    inside[key] = f"{before or ''} {value.comment}".strip()
    try:
        model.model_validate(typed.value)
        fields[field] = True
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        paths = [_path(typed.value, fault["loc"]) for fault in faults if fault["type"] != "missing"]
        if value.path in paths:
            fields[field] = False
        # An error above the path says nothing about the field.
        elif not any(value.path[: len(path)] == path for path in paths):
            fields[field] = True
    finally:
        if was_present:
            inside[key] = before
        else:
            del inside[key]
    return fields.get(field, False)


def _container(value: Any, path: Path) -> Any:
    """Return the list or mapping that contains a path.

    Return None if there is none, or if a repeated key has replaced it.
    """
    for step in path[:-1]:
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif isinstance(value, dict):
            value = value.get(step)
    if isinstance(value, dict):
        return value if path else None
    if isinstance(value, list) and path and isinstance(path[-1], int):
        return value
    return None


_DISCREET = "annotations/tombstones.yaml"
"""The list of withdrawn records; findings repeat nothing that it contains."""


class _KeyProblems(NamedTuple):
    """The missing and the unknown keys of one mapping."""

    missing: list[str]
    unknown: list[str]


class _Explainer:
    """A converter of the validation errors of one file into findings."""

    def __init__(
        self, typed: ParsedFile, file: str, model: type[Record], altered: Collection[Path]
    ) -> None:
        self.typed, self.file, self.model, self.altered = typed, file, model, altered
        self.protected = _discreet(typed, file)
        self.cut_values = {
            value.path for value in typed.doubtful if value.value is None and value.in_braces
        }
        """Keys without a value in `{ }`: without quotation marks, a comma ends the value before it.
        """

    def findings(self, error: ValidationError) -> Iterator[Finding]:
        mappings: dict[Path, _KeyProblems] = defaultdict(lambda: _KeyProblems([], []))
        values: list[tuple[Path, ErrorDetails]] = []
        # The input may be about a protected person, so it is left out from the start.
        for fault in error.errors(include_url=False, include_input=False):
            path = _path(self.typed.value, fault["loc"])
            # A repeated key usually means two records without a dash between them.
            if path in self.altered or self.is_in_doubled(path):
                continue
            kind, (*above, last) = fault["type"], fault["loc"] or ("",)
            if kind == "missing":
                mappings[_path(self.typed.value, above)].missing.append(str(last))
            elif kind == "extra_forbidden":
                mappings[_path(self.typed.value, above)].unknown.append(str(last))
            # A list with items is only too short because its items have errors.
            elif kind != "too_short" or self.at(path) == []:
                values.append((path, fault))
        undecided = {path[:-1] for path, fault in values if _decides(path, fault)}
        foreign: dict[Path, list[Finding]] = defaultdict(list)
        for path, keys in mappings.items():
            if path in undecided:
                continue  # which keys belong here depends on a value that is wrong
            found, are_foreign = self.keys(path, keys)
            if are_foreign:
                foreign[path[:-1]] += found
            else:
                yield from found
        for found in foreign.values():
            yield _with_more(found, "in this list: the key above its items may be missing")
        for path, fault in values:
            if path[:-1] not in foreign and path[:-2] not in foreign:
                yield self.value(path, fault)

    def is_in_doubled(self, path: Path) -> bool:
        """Return whether a path is at or below a repeated key."""
        doubled = self.typed.doubled
        return bool(doubled) and any(path[:i] in doubled for i in range(len(path) + 1))

    def at(self, path: Path) -> Any:
        return _at(self.typed.value, path)

    def place(self, path: Path) -> Place:
        """Return the place of a value, or of the nearest value that contains it."""
        while path and path not in self.typed.places:
            path = path[:-1]
        return self.typed.places.get(path, Place(self.file))

    def value(self, path: Path, fault: ErrorDetails) -> Finding:
        if fault["type"] in ("literal_error", "union_tag_invalid", "union_tag_not_found"):
            return self.choice(fault, path)
        hint = () if self.protected(path) else _look_alike(str(self.at(path)), fault["type"])
        return invalid_value(self.place(path), _message(fault), hint)

    def keys(self, path: Path, keys: _KeyProblems) -> tuple[list[Finding], bool]:
        """Return findings for the keys of one mapping, and whether it may be another kind."""
        discreet = self.protected((*path, ""))
        for key in keys.unknown:
            if (*path, key) in self.cut_values:
                # One comma may make several keys, and the keys that are missing may be among their
                # words.
                return [self.cut_value((*path, key), discreet=discreet)], False
        names = _remaining_keys(self.typed.value, path, self.model)
        meant = _meant(keys, names)
        empty = [key for key in keys.missing if (*path, key) in self.typed.keys]
        missing = [key for key in keys.missing if key not in {*meant.values(), *empty}]
        foreign = [key for key in keys.unknown if key not in meant] if missing else []
        found = [self.empty((*path, key)) for key in empty if (*path, key) not in self.altered]
        if missing:
            shown_keys = [] if discreet else foreign
            found.append(missing_key(self.place(path), missing, shown_keys))
        of_speaker = path[:1] == ("speakers",)
        for key in keys.unknown[:MOST_REPORTED]:
            if key not in foreign:
                place = self.typed.keys.get((*path, key), self.place(path))
                shown = None if discreet else key
                is_outer = shown in self.model.model_fields and bool(path)
                like = meant.get(key)
                unknown = unknown_key(
                    place, shown, names, meant=like, of_speaker=of_speaker, is_outer=is_outer
                )
                found.append(unknown)
        return found, bool(foreign)

    def empty(self, path: Path) -> Finding:
        """Report a key without a value."""
        message = f"The key `{path[-1]}` has no value."
        return Finding(self.typed.keys[path], "missing-key", message, ("Add the value.",))

    def cut_value(self, path: Path, *, discreet: bool) -> Finding:
        """Report a key without a value in `{ }`, with the value before it."""
        if discreet:
            return _cut_value(self.typed.keys[path], "", None)
        before = None
        for other in self.typed.keys:
            if other == path:
                break
            before = other if other[:-1] == path[:-1] else before
        read = None if before is None else self.at(before[:-1]).get(before[-1])
        shown = None
        if before and isinstance(read, str):
            shown = f"`{before[-1]}: {read[:60]}`"
        return _cut_value(self.typed.keys[path], str(path[-1]), shown)

    def choice(self, fault: ErrorDetails, path: Path) -> Finding:
        """Report a value that is not among those allowed in its field."""
        # pydantic lists the allowed values only in a sentence, each in quotation marks.
        expected = fault["ctx"].get("expected") or fault["ctx"].get("expected_tags")
        allowed = re.findall(r"'([^']*)'", str(expected))
        if fault["type"] != "literal_error":
            entry = self.at(path)
            if not isinstance(entry, dict):
                return invalid_value(self.place(path), _MAPPING)
            key, allowed = _deciding_key(entry, fault, allowed)
            path = (*path, key)
            if key not in entry and path in self.typed.keys:
                return self.empty(path)
            if key not in entry:
                return missing_key(self.place(path), [key])
        if len(allowed) == 1:
            return _only_allowed(self.place(path), self.at(path[:-1]), path, allowed[0])
        return _not_allowed(self.place(path), self.at(path), allowed, discreet=self.protected(path))


def _look_alike(typed: str, kind: str) -> tuple[str, ...]:
    """Return a hint on the first non-ASCII character, if it may be the cause of the error."""
    if kind not in {*_IN_ASCII, "string_pattern_mismatch"}:
        return ()
    for c in typed:
        if not c.isascii() and (kind in _IN_ASCII or c.isalpha()):
            name = unicodedata.name(c, "character").lower()
            return (f"It contains U+{ord(c):04X}, {name}.",)
    return ()


_IN_ASCII = {"plain_number", "whole_number", "edtf"}
"""Kinds of errors in values that must be ASCII."""

_MANY = 2
"""Maximum number of records that lack the same keys and are reported one by one."""


def _grouped(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, but one for many records that lack the same keys.

    The key above the records may be missing.
    """
    alike: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.code == "missing-key":
            alike[finding.message].append(finding)
        else:
            yield finding
    for found in alike.values():
        if len(found) <= _MANY:
            yield from found
        else:
            yield _with_more(
                found, "records lack the same keys: the key above them may be missing or wrong"
            )


def _with_more(found: Sequence[Finding], what: str) -> Finding:
    """Return the first of several findings, with the number of the others."""
    first, more = min(found), len(found) - 1
    if not more:
        return first
    many = f"{more} more" if more + 1 < MOST_REPORTED else f"At least {more} more"
    return first._replace(help=(*first.help, f"{many} {what}."))


def _message(fault: ErrorDetails) -> str:
    kind, details = fault["type"], fault.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return (
            f"The value must have this form: {FORMS.get(details['pattern'], details['pattern'])}."
        )
    if kind in _MESSAGES:
        return _MESSAGES[kind].format(**details)
    message = fault["msg"].removeprefix("Value error, ")
    return f"{message[:1].upper()}{message[1:]}."


def _meant(keys: _KeyProblems, names: Collection[str]) -> dict[str, str]:
    """Return the intended key for each mistyped one: the most similar, or the only missing one."""
    meant = {
        key: name for key in keys.unknown[:MOST_REPORTED] if (name := nearest_name(key, names))
    }
    left = [key for key in keys.missing if key not in meant.values()]
    others = [key for key in keys.unknown if meant.get(key) not in keys.missing]
    if len(left) == len(others) == 1:
        return meant | {others[0]: left[0]}
    return meant


_DECIDING = {"kind", "anonymity", "basis"}
"""Keys whose values decide which other keys a mapping has."""


def _decides(path: Path, fault: ErrorDetails) -> bool:
    return path[:1] == ("speakers",) and path[-1] in _DECIDING and fault["type"] == "literal_error"


def _remaining_keys(value: Any, path: Path, model: type[Record]) -> set[str]:
    """Return the keys that a mapping may also have, by the models that may describe it."""
    candidates = [model]
    for depth, step in enumerate(path):
        here = _at(value, path[:depth])
        if isinstance(step, str):
            fields = [candidate.model_fields.get(step) for candidate in _fitting(candidates, here)]
            candidates = [
                inner for field in fields if field for inner in _records_in(field.annotation)
            ]
    entry = _at(value, path)
    present = set(entry) if isinstance(entry, dict) else set()
    allowed = [candidate.model_fields for candidate in _fitting(candidates, entry)]
    return set().union(*allowed) - present


@cache
def _all_keys(model: type[Record]) -> frozenset[str]:
    """Return the keys of a model and of all models in it."""
    keys = set(model.model_fields)
    for field in model.model_fields.values():
        for inner in _records_in(field.annotation):
            keys |= _all_keys(inner)
    return frozenset(keys)


def _records_in(annotation: Any) -> Iterator[type[Record]]:
    """Yield the models in a type annotation: a model, a list of models, or a union."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        yield annotation
    named_type = getattr(annotation, "__value__", annotation)
    for inner in get_args(named_type):
        yield from _records_in(inner)


def _fitting(candidates: Sequence[type[Record]], entry: Any) -> list[type[Record]]:
    """Return the models that share the most keys with a mapping and allow its deciding values."""
    if not isinstance(entry, dict) or len(candidates) < 2:  # noqa: PLR2004  # no choice
        return list(candidates)
    allowing = [model for model in candidates if _allows_deciding(model, entry)]
    alike = {model: _keys_in_common(model, entry) for model in allowing or candidates}
    most = max(alike.values())
    return [model for model in alike if alike[model] == most]


def _allows_deciding(model: type[Record], entry: dict[str, Any]) -> bool:
    deciding = {*_DECIDING, "role"} & entry.keys()
    return all(_allows(model, key, entry[key]) for key in deciding)


def _keys_in_common(model: type[Record], entry: dict[str, Any]) -> int:
    return len(model.model_fields.keys() & entry.keys())


def _allows(model: type[Record], key: str, typed: Any) -> bool:
    field = model.model_fields.get(key)
    return field is not None and typed in get_args(field.annotation)


def _deciding_key(entry: Any, fault: ErrorDetails, allowed: list[str]) -> tuple[str, list[str]]:
    """Return the key that decides which model describes an entry, and its allowed values."""
    discriminator = str(fault["ctx"]["discriminator"]).strip("'")
    # For a union that a function decides, pydantic gives the function's name and `()`, which is not
    # a key.
    if discriminator.isidentifier():
        return discriminator, allowed or ["stated", "inferred"]
    if entry.get("kind") == "person":
        return "anonymity", ["named", "partial", "withheld", "unnamed"]
    return "kind", list(get_args(Kind))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _path(value: Any, loc: Iterable[str | int]) -> Path:
    """Return pydantic's location of an error as a path in the file, without its other steps."""
    path: list[str | int] = []
    for step in loc:
        is_item = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if is_item or (isinstance(value, dict) and step in value):
            value = value[step]
            path.append(step)
    return tuple(path)


def _discreet(typed: ParsedFile, file: str) -> Callable[[Path], bool]:
    """Return a predicate: whether findings must not repeat the value at a path of a file."""
    return (lambda _: True) if file == _DISCREET else _protected(typed)


def _protected(typed: ParsedFile) -> Callable[[Path], bool]:
    """Return a function that decides whether the value at a path must not be repeated.

    A value in a record is repeated only if the record certainly belongs to a public speaker. If the
    file contains a key twice, no value in a record is repeated.
    """
    speakers = _dicts(typed.value, "speakers")
    sure = not typed.findings
    public = {
        str(entry.get("use") or entry.get("id")) for _, entry in speakers if _is_public(entry)
    }
    # An id that is used twice is public only if both entries are.
    public -= {str(entry.get("id")) for _, entry in speakers if not _is_public(entry)}
    said = [*_dicts(typed.value, "testimonies"), *_dicts(typed.value, "figures")]
    safe = {path for path, entry in speakers if _is_public(entry)}
    safe |= {path for path, entry in said if _names_only(entry, public)}
    hidden = {"speakers", "testimonies", "figures", "relations", "waivers", "errata"}
    hidden |= {"comparisons", "statements"}
    return lambda path: bool(path) and path[0] in hidden and not (sure and path[:2] in safe)


def _names_only(entry: dict[str, Any], public: set[str]) -> bool:
    """Return whether a record refers only to public speakers, and to no testimony."""
    keys = ("speaker", "attributed_to")
    return "testimony" not in entry and all(
        str(entry[key]) in public for key in keys if key in entry
    )


def _dicts(value: Any, key: str) -> list[tuple[Path, dict[str, Any]]]:
    items = value.get(key) if isinstance(value, dict) else None
    listed = items if isinstance(items, list) else []
    return [((key, i), item) for i, item in enumerate(listed) if isinstance(item, dict)]


def _is_public(entry: dict[str, Any]) -> bool:
    if entry.get("anonymity") in ("withheld", "unnamed"):
        return False
    if entry.get("anonymity") == "partial" and may_be_pseudonym(entry):
        return False
    # Only publicly named persons and institutions can be shared, so a reference (`use`) is public
    # too.
    by_name = entry.get("kind") == "person" and entry.get("anonymity") in ("named", "partial")
    return by_name or entry.get("kind") in ("group", "institution", "writer") or "use" in entry


# ---- findings ------------------------------------------------------------------------------------


def missing_key(place: Place, keys: Sequence[str], others: Sequence[str] = ()) -> Finding:
    """A record must have every required key, each with a value."""
    message = f"The key `{keys[0]}` is missing here."
    if len(keys) > 1:
        message = f"The keys {_listed(keys[:-1])} and `{keys[-1]}` are missing here."
    hint = "Add it." if len(keys) == 1 else "Add them."
    if others:
        unknown = _listed([key[:60] for key in others[:_SHOWN]])
        hint = (
            f"Records of this kind do not have {unknown}: this record may belong in another list."
        )
    return Finding(place, "missing-key", message, (hint,))


def unknown_key(
    place: Place,
    key: str | None,
    names: Collection[str] = (),
    *,
    meant: str | None = None,
    of_speaker: bool = False,
    is_outer: bool = False,
) -> Finding:
    """A record may have only keys of its kind, even without a value.

    A protected speaker must have no key that could identify the person.
    """
    message, hint = "This key is not allowed here.", "Remove it."
    if key is not None:
        message = f"Unknown key `{key[:60]}`."
    if is_outer:
        hint = "Move it to the beginning of a line: it is a key of the file, not of this record."
    elif meant:
        hint = f"Did you mean `{meant}`?"
    elif key is None and of_speaker:
        hint = (
            "Of a speaker who is not publicly named, only terms of the vocabulary are recorded and, "
            "if the speaker asked not to be named, `request`."
        )
    elif names:
        hint += f" Keys that can be added here: {_listed(sorted(names)[:_SHOWN])}."
    return Finding(place, "unknown-key", message, (hint,))


def _cut_value(place: Place, key: str, before: str | None) -> Finding:
    """Report `unknown-key` for a key without a value in `{ }`.

    `before` is the key before it with its value.
    """
    rest = f"`{key[:60]}`"
    message = "These words are read as a key."
    if before:
        message = f"Only {before} is read; the rest, {rest}, is read as a key without a value."
    elif key:
        message = f"{rest} is read as a key without a value."
    hint = "Put words that contain a comma or a colon in quotation marks."
    return Finding(place, "unknown-key", message, (hint,))


_SHOWN = 12
"""Maximum number of names in a line of help."""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _only_allowed(place: Place, entry: Any, path: Path, allowed: str) -> Finding:
    """Report `invalid-value` for a value of a field that allows only one value in this record."""
    field = f"`{path[-1]}`"
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if path[-1] != "kind" and kind in get_args(Kind):
        field += f" of a speaker with `kind: {kind}`"
    hint = (_NOT_SHARED,) if allowed == "named" else ()
    return invalid_value(place, f"{field} must be `{allowed}`.", hint)


def _not_allowed(place: Place, typed: Any, allowed: Sequence[str], *, discreet: bool) -> Finding:
    """Report `invalid-value` for a value that is not among the allowed values of its field."""
    among = f"one of {', '.join(allowed)}"
    hint = did_you_mean(typed, allowed) if isinstance(typed, str) else ()
    if discreet or not isinstance(typed, str):
        return invalid_value(place, f"The value must be {among}.", hint)
    hint = (*hint, *_look_alike(typed, "edtf"))
    return invalid_value(place, f"`{typed[:60]}` is not {among}.", hint)


_NOT_SHARED = (
    "If a speaker is not named in full, describe the speaker only in the file of the source."
)


def invalid_value(place: Place, message: str, hint: tuple[str, ...] = ()) -> Finding:
    """A value must have the type, form, limits and listed values of its field."""
    return Finding(place, "invalid-value", message, hint)


FAULTS = (missing_key, unknown_key, invalid_value)
