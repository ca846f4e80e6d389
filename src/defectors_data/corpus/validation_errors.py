"""What the models refuse, in plain words: pydantic's errors as findings with the place of what was typed.

What was typed is repeated only where it plainly belongs to a public speaker; of whatever else a finding names the field
and leaves the place to speak. Of one mistake one thing is said: keys that are missing from a mapping are told together,
and of a mistyped key nothing is told but that.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.project_file import Path, ProjectFile
from defectors_data.models.fields import FORMS, Record
from defectors_data.models.vocabularies import Kind
from defectors_data.text.name_matching import did_you_mean, nearest_name

Content = TypeVar("Content", bound=Record)

MOST_TOLD = 1_000
"""Faults of one file that are worded; more of them are a flood, and mended together if at all."""

_KEYS_NEEDED = "Keys with values are needed here, each on a line: `key: value`."
_NEEDED = {
    "string_type": "Text is needed here: words that begin with a bracket need quotation marks.",
    "tuple_type": "A list is needed here: put the value in [ ].",
    "int_type": "A whole number is needed here.",
    "float_type": "A number is needed here.",
    "bool_type": "True or false is needed here.",
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), _KEYS_NEEDED),
    "string_too_short": "The text is empty: write it, or leave the key out.",
    "string_too_long": "The text is too long: at most {max_length} characters.",
    "too_short": "The list is empty: fill it, or leave the key out.",
    "too_long": "The list is too long: at most {max_length} items.",
    "greater_than_equal": "The number must be {ge:g} or more.",
    "less_than_equal": "The number must be {le:g} or less.",
}


def modelled(
    typed: yaml_reader.Typed, file: str, model: type[Content], findings: list[Finding]
) -> ProjectFile[Content] | None:
    """Make a model of what was typed; what is wrong is added to the findings."""
    try:
        content = model.model_validate({} if typed.value is None else typed.value)
    except ValidationError as error:
        findings += explained(error, typed, file, model)
        return None
    return None if typed.findings else ProjectFile(file, content, typed.places, typed=typed.text)


_DISCREET = "annotations/tombstones.yaml"
"""A file whose records were all taken out: nothing that is typed in it is repeated."""


def explained(error: ValidationError, typed: yaml_reader.Typed, file: str, model: type[Record]) -> Iterator[Finding]:
    """Turn what pydantic found into findings, without repeating what was typed about a protected person.

    `model` is what the file should be.
    """
    return _grouped(islice(_Explaining(typed, file, model).findings(error), MOST_TOLD))


class _Keys(NamedTuple):
    """The keys of one mapping that are missing from it, and those that it should not have."""

    missing: list[str]
    unknown: list[str]


class _Explaining:
    """What was typed in a file, and of which of it nothing may be repeated."""

    def __init__(self, typed: yaml_reader.Typed, file: str, model: type[Record]) -> None:
        self.typed, self.file, self.model = typed, file, model
        self.protected: Callable[[Path], bool] = (lambda _: True) if file == _DISCREET else _protected(typed)

    def findings(self, error: ValidationError) -> Iterator[Finding]:
        mappings: dict[Path, _Keys] = defaultdict(lambda: _Keys([], []))
        values: list[tuple[Path, ErrorDetails]] = []
        for fault in error.errors(include_url=False, include_input=False):
            path = _path(self.typed.value, fault["loc"])
            if any(path[:i] in self.typed.doubled for i in range(len(path) + 1) if self.typed.doubled):
                continue  # a mapping with a key twice is two that ran into each other
            if fault["type"] in ("missing", "extra_forbidden"):
                keys = mappings[_path(self.typed.value, fault["loc"][:-1])]
                (keys.missing if fault["type"] == "missing" else keys.unknown).append(str(fault["loc"][-1]))
            elif fault["type"] != "too_short" or self.at(path) == []:
                values.append((path, fault))  # a list that is not empty is too short because its items are at fault
        undecided = {path[:-1] for path, fault in values if _decides(path, fault)}
        foreign: dict[Path, list[Finding]] = defaultdict(list)
        for path, keys in mappings.items():
            if path in undecided:
                continue  # which keys belong here is decided by a value that is wrong
            found, are_foreign = self.keys(path, keys)
            if are_foreign:
                foreign[path[:-1]] += found
            else:
                yield from found
        for found in foreign.values():
            yield _with_more(found, "items of this list lack keys: the key above them may be missing")
        for path, fault in values:
            if path[:-1] not in foreign and path[:-2] not in foreign:
                yield self.value(path, fault)

    def at(self, path: Path) -> Any:
        """Return what was typed at a path."""
        return _at(self.typed.value, path)

    def value(self, path: Path, fault: ErrorDetails) -> Finding:
        """Explain what is wrong with a value."""
        if fault["type"] in ("literal_error", "union_tag_invalid", "union_tag_not_found"):
            return self.choice(fault, path)
        hint = self.other_letter(path) if fault["type"] == "string_pattern_mismatch" else ()
        return invalid_value(self.place(path), _worded(fault), hint)

    def other_letter(self, path: Path) -> tuple[str, ...]:
        """Name the first letter that is not one of a to z, and may look like one; not of a protected person."""
        letters = [] if self.protected(path) else [c for c in str(self.at(path)) if c.isalpha() and not c.isascii()]
        return tuple(f"Yours has U+{ord(c):04X} {unicodedata.name(c, 'letter').lower()}." for c in letters[:1])

    def place(self, path: Path) -> Place:
        """Return where something was typed, or the nearest thing around it."""
        while path and path not in self.typed.places:
            path = path[:-1]
        return self.typed.places.get(path, Place(self.file))

    def keys(self, path: Path, keys: _Keys) -> tuple[list[Finding], bool]:
        """Explain what is wrong with the keys of one mapping, and whether some seem to belong to another kind."""
        names = _keys_beside(self.typed.value, path, self.model)
        meant = _meant(keys, names)
        discreet = self.protected((*path, ""))
        empty = [key for key in keys.missing if (*path, key) in self.typed.keys]
        missing = [key for key in keys.missing if key not in {*meant.values(), *empty}]
        foreign = [key for key in keys.unknown if key not in meant] if missing else []
        found = [self.empty((*path, key)) for key in empty]
        if missing:
            is_empty = bool(path) and self.at(path) == {}
            found.append(missing_key(self.place(path), missing, [] if discreet else foreign, empty=is_empty))
        of_speaker = path[:1] == ("speakers",)
        for key in keys.unknown[:MOST_TOLD]:
            if key not in foreign:
                place = self.typed.keys.get((*path, key), self.place(path))
                shown = None if discreet else key
                found.append(unknown_key(place, shown, names, meant=meant.get(key), of_speaker=of_speaker))
        return found, bool(foreign)

    def empty(self, path: Path) -> Finding:
        """Explain a key that stands there without a value, which may have been taken for a comment."""
        place = self.typed.keys[path]
        is_comment = any(not c.value and c.place.line == place.line for c in self.typed.comments)
        return key_without_value(place, str(path[-1]), is_comment=is_comment)

    def choice(self, fault: ErrorDetails, path: Path) -> Finding:
        """Explain a value that is none of those a field may hold."""
        allowed = re.findall(r"'([^']*)'", str(fault["ctx"].get("expected") or fault["ctx"].get("expected_tags")))
        if fault["type"] != "literal_error":
            entry = self.at(path)
            if not isinstance(entry, dict):
                return invalid_value(self.place(path), _KEYS_NEEDED)
            key, allowed = _deciding_key(entry, fault, allowed)
            if key not in entry:
                empty = (*path, key) in self.typed.keys
                return self.empty((*path, key)) if empty else missing_key(self.place(path), [key])
            path = (*path, key)
        return not_allowed(self.place(path), self.at(path), allowed, discreet=self.protected(path))


def _grouped(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Tell once that keys are missing from many records: such as when the key above them is."""
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
            yield _with_more(found, "records lack the same: the key above them may be missing or wrong")


def _with_more(found: Sequence[Finding], what: str) -> Finding:
    """Return the first of several findings, with the number of the others."""
    first, more = min(found), len(found) - 1
    if not more:
        return first
    many = f"{more} more" if more + 1 < MOST_TOLD else f"At least {more} more"
    return first._replace(help=(*first.help, f"{many} {what}."))


_MANY = 2
"""Records that lack the same keys as another before they are taken for one mistake."""


def _worded(fault: ErrorDetails) -> str:
    kind, details = fault["type"], fault.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return f"This does not have the form that is needed: {FORMS.get(details['pattern'], details['pattern'])}."
    return _NEEDED[kind].format(**details) if kind in _NEEDED else f"{fault['msg'][:1].upper()}{fault['msg'][1:]}."


def _meant(keys: _Keys, names: Collection[str]) -> dict[str, str]:
    """Return what mistyped keys are meant to be: the nearest name that is missing, or the only one."""
    meant = {key: name for key in keys.unknown[:MOST_TOLD] if (name := nearest_name(key, names))}
    left = [key for key in keys.missing if key not in meant.values()]
    others = [key for key in keys.unknown if meant.get(key) not in keys.missing]
    return meant | {others[0]: left[0]} if len(left) == len(others) == 1 else meant


_DECIDING = {"kind", "anonymity", "basis"}
"""Keys whose values decide which others a mapping has."""


def _keys_beside(value: Any, path: Path, model: type[Record]) -> set[str]:
    """Return the keys that may still stand in a mapping: those of the model that belongs there, or of several."""
    candidates = [model]
    for depth, step in enumerate(path):
        here = _at(value, path[:depth])
        if isinstance(step, str):
            fields = [candidate.model_fields.get(step) for candidate in _fitting(candidates, here)]
            candidates = [inner for held in fields if held for inner in _records_in(held.annotation)]
    entry = _at(value, path)
    present = set(entry) if isinstance(entry, dict) else set()
    return set().union(*(candidate.model_fields for candidate in _fitting(candidates, entry))) - present


def _decides(path: Path, fault: ErrorDetails) -> bool:
    """Tell whether a value is wrong that decides which keys a speaker has."""
    return path[:1] == ("speakers",) and path[-1] in _DECIDING and fault["type"] == "literal_error"


def _records_in(annotation: Any) -> Iterator[type[Record]]:
    """Give the models that a field may hold, alone, in a list or as one of several."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        yield annotation
    for inner in get_args(getattr(annotation, "__value__", annotation)):  # what a named type is
        yield from _records_in(inner)


def _fitting(candidates: Sequence[type[Record]], entry: Any) -> list[type[Record]]:
    """Return the models that a mapping is most like: those its deciding values allow, then those with its keys."""
    if not isinstance(entry, dict) or len(candidates) < 2:  # noqa: PLR2004  # nothing to choose from
        return list(candidates)
    allowing = [model for model in candidates if all(_allows(model, key, entry[key]) for key in _DECIDING & set(entry))]
    alike = {model: len(model.model_fields.keys() & entry.keys()) for model in allowing or candidates}
    return [model for model in alike if alike[model] == max(alike.values())]


def _allows(model: type[Record], key: str, typed: Any) -> bool:
    held = model.model_fields.get(key)
    return held is not None and typed in get_args(held.annotation)


def _deciding_key(entry: Any, fault: ErrorDetails, allowed: list[str]) -> tuple[str, list[str]]:
    """Return the key that decides which model an entry is, and what it may hold."""
    discriminator = str(fault["ctx"]["discriminator"]).strip("'")
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
    """Return the path in what was typed; steps that only pydantic knows (the tag of a union) are left out."""
    path: list[str | int] = []
    for step in loc:
        is_item = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if is_item or (isinstance(value, dict) and step in value):
            value = value[step]
            path.append(step)
    return tuple(path)


def _protected(typed: yaml_reader.Typed) -> Callable[[Path], bool]:
    """Return a function that tells whether what was typed at a path must not be repeated.

    Only what plainly belongs to a public speaker is: where a key stands twice, or a speaker cannot be told, nothing is.
    """
    speakers = _dicts(typed.value, "speakers")
    sure = not typed.findings
    public = {str(entry.get("use") or entry.get("id")) for _, entry in speakers if _plainly_public(entry)}
    public -= {str(entry.get("id")) for _, entry in speakers if not _plainly_public(entry)}
    said = [*_dicts(typed.value, "testimonies"), *_dicts(typed.value, "figures")]
    safe = {path for path, entry in speakers if _plainly_public(entry)}
    safe |= {path for path, entry in said if _names_only(entry, public, ("speaker", "about", "attributed_to"))}
    hidden = {"speakers", "testimonies", "figures", "relations", "waivers", "comparisons"}
    return lambda path: bool(path) and path[0] in hidden and not (sure and path[:2] in safe)


def _names_only(entry: dict[str, Any], public: set[str], keys: Sequence[str]) -> bool:
    """Tell whether a record refers to public speakers alone, and not to a testimony, whose speaker may be another."""
    return "testimony" not in entry and all(str(entry[key]) in public for key in keys if key in entry)


def _dicts(value: Any, key: str) -> list[tuple[Path, dict[str, Any]]]:
    items = value.get(key) if isinstance(value, dict) else None
    listed = items if isinstance(items, list) else []
    return [((key, i), item) for i, item in enumerate(listed) if isinstance(item, dict)]


def _plainly_public(entry: dict[str, Any]) -> bool:
    if entry.get("anonymity") in ("withheld", "unnamed"):
        return False
    by_name = entry.get("kind") == "person" and entry.get("anonymity") in ("named", "partial")
    return by_name or entry.get("kind") in ("group", "institution") or "use" in entry


# ---- faults ------------------------------------------------------------------------------------------------


def missing_key(place: Place, keys: Sequence[str], others: Sequence[str] = (), *, empty: bool = False) -> Finding:
    """A record has every key that it needs, each with a value."""
    message = f"The key `{keys[0]}` is missing here."
    if len(keys) > 1:
        message = f"The keys {_listed(keys[:-1])} and `{keys[-1]}` are missing here."
    hint = "Add it." if len(keys) == 1 else "Add them."
    if others:
        hint = f"Nothing of its kind has {_listed([key[:60] for key in others[:_SHOWN]])}: it may belong elsewhere."
    elif empty:
        hint += " Words in braces need quotation marks."
    return Finding(place, "missing-key", message, (hint,))


def key_without_value(place: Place, key: str, *, is_comment: bool) -> Finding:
    """Word the fault `missing-key` for a key with nothing behind it."""
    hint = "What follows is a comment: words with # need quotation marks." if is_comment else "Write it behind the key."
    return Finding(place, "missing-key", f"The key `{key}` has no value.", (hint,))


def unknown_key(
    place: Place, key: str | None, names: Collection[str] = (), *, meant: str | None = None, of_speaker: bool = False
) -> Finding:
    """A record has no key that its model does not know; a protected speaker's has none that could tell who it is."""
    message = "This key must not stand here." if key is None else f"There is no key `{key[:60]}` here."
    may_stand = f" Here may still stand {_listed(sorted(names)[:_SHOWN])}." if names else ""
    hint = f"Did you mean `{meant}`?" if meant else f"Take it out.{may_stand}"
    if key is None and of_speaker and not meant:
        hint = "Of a speaker who is not publicly named only role, rank_class and branch are recorded, and a request."
    return Finding(place, "unknown-key", message, (hint,))


_SHOWN = 12
"""Names that are listed in a line of help."""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def not_allowed(place: Place, typed: Any, allowed: Sequence[str], *, discreet: bool) -> Finding:
    """Word the fault `invalid-value` for a field that holds one of a few values."""
    if len(allowed) == 1:
        return invalid_value(place, f"The value must be `{allowed[0]}`.", (_NOT_SHARED,) * (allowed[0] == "named"))
    among = f"one of {', '.join(allowed)}"
    if discreet or not isinstance(typed, str):
        return invalid_value(place, f"The value must be {among}.")
    return invalid_value(place, f"`{typed[:60]}` is not {among}.", did_you_mean(typed, allowed))


_NOT_SHARED = "Whoever is not named in full is described in the file of the source, and in no other."


def invalid_value(place: Place, message: str, hint: tuple[str, ...] = ()) -> Finding:
    """A value has the type, the form and the bounds of its field, and is one of those that are allowed."""
    return Finding(place, "invalid-value", message, hint)


FAULTS = (missing_key, unknown_key, invalid_value)
