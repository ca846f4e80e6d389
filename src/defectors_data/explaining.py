"""What the models refuse, in plain words: pydantic's errors as findings with the place of what was typed.

What was typed is repeated only where it plainly belongs to a public speaker; of whatever else a finding names the field
and leaves the place to speak.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from defectors_data import models, yamltext
from defectors_data.corpus import Path
from defectors_data.findings import Finding, Place
from defectors_data.models import Record
from defectors_data.naming import did_you_mean, nearest_name
from defectors_data.vocabularies import Kind

_NEEDED = {
    "string_type": "Text is needed here.",
    "tuple_type": "A list is needed here.",
    "model_type": "Keys and values are needed here.",
    "model_attributes_type": "Keys and values are needed here.",
    "dict_type": "Keys and values are needed here.",
    "string_too_short": "The text is empty.",
    "string_too_long": "The text is too long: at most {max_length} characters.",
    "too_short": "The list is empty.",
    "too_long": "The list is too long: at most {max_length} items.",
    "greater_than_equal": "The number must be {ge:g} or more.",
    "less_than_equal": "The number must be {le:g} or less.",
    "string_pattern_mismatch": "This does not have the form that is needed: {pattern}",
}


def explained(error: ValidationError, typed: yamltext.Typed, file: str) -> Iterator[Finding]:
    """Turn what pydantic found into findings, without repeating what was typed about a protected person."""
    protected = _protected(typed)
    faults = error.errors(include_url=False)
    mistyped = _mistyped(faults, typed.value)
    for fault in faults:
        if fault["type"] == "missing" and fault["loc"] in mistyped:
            continue
        path = _path(typed.value, fault["loc"])
        discreet = protected(path)
        place = _nearest(typed.places, path, file)
        match fault["type"]:
            case "missing":
                yield missing_key(place, str(fault["loc"][-1]))
            case "extra_forbidden":
                key = None if discreet else str(path[-1])
                names = _keys_beside(typed.value, path)
                yield unknown_key(typed.keys.get(path, place), key, names)
            case "literal_error" | "union_tag_invalid" | "union_tag_not_found":
                yield _choice_explained(fault, typed, path, file, discreet=discreet)
            case kind:
                words = _NEEDED.get(kind, fault["msg"][:1].upper() + fault["msg"][1:] + ".")
                yield wrong_value(place, words.format(**fault.get("ctx", {})))


def _mistyped(faults: Iterable[ErrorDetails], value: Any) -> set[tuple[str | int, ...]]:
    """Return the keys that seem to be there, mistyped: their absence is told by the unknown key."""
    unknown = [fault["loc"] for fault in faults if fault["type"] == "extra_forbidden"]
    nearest = [(loc, nearest_name(str(loc[-1]), _keys_beside(value, _path(value, loc)))) for loc in unknown]
    return {(*loc[:-1], name) for loc, name in nearest if name}


_FIELDS = [
    set(model.model_fields) for model in vars(models).values() if isinstance(model, type) and issubclass(model, Record)
]


def _keys_beside(value: Any, path: Path) -> set[str]:
    """Return the keys that may be meant by an unknown one: those still missing from a model that has the others."""
    present = set(_at(value, path[:-1]))
    known = present & set().union(*_FIELDS)
    return set().union(*(fields for fields in _FIELDS if known <= fields)) - present


def _choice_explained(fault: ErrorDetails, typed: yamltext.Typed, path: Path, file: str, *, discreet: bool) -> Finding:
    """Explain a value that is none of those a field may hold."""
    allowed = re.findall(r"'([^']*)'", str(fault["ctx"].get("expected") or fault["ctx"].get("expected_tags")))
    if fault["type"] != "literal_error":
        if not isinstance(_at(typed.value, path), dict):
            return wrong_value(_nearest(typed.places, path, file), _NEEDED["dict_type"])
        key, allowed = _deciding_key(_at(typed.value, path), fault, allowed)
        if key not in _at(typed.value, path):
            return missing_key(_nearest(typed.places, path, file), key)
        path = (*path, key)
    return not_allowed(_nearest(typed.places, path, file), _at(typed.value, path), allowed, discreet=discreet)


def _deciding_key(entry: Any, fault: ErrorDetails, allowed: list[str]) -> tuple[str, list[str]]:
    """Return the key that decides which model an entry is, and what it may hold."""
    discriminator = str(fault["ctx"]["discriminator"]).strip("'")
    if discriminator.isidentifier():
        return discriminator, allowed or ["stated", "inferred"]
    if entry.get("kind") == "person":
        return "anonymity", ["named", "partial", "withheld", "unnamed"]
    return "kind", list(get_args(Kind))


def _nearest(places: Mapping[Path, Place], path: Path, file: str) -> Place:
    while path and path not in places:
        path = path[:-1]
    return places.get(path, Place(file))


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


def _protected(typed: yamltext.Typed) -> Callable[[Path], bool]:
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
    hidden = {"speakers", "testimonies", "figures", "waivers"}
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


def missing_key(place: Place, key: str) -> Finding:
    """A record has every key that it needs."""
    return Finding(place, "missing-key", f"The key `{key}` is missing here.")


def unknown_key(place: Place, key: str | None, names: Collection[str] = ()) -> Finding:
    """A record has no key that its model does not know; a protected speaker's has none that could tell who it is."""
    if key is None:
        hint = "Of a speaker who is not publicly named only role, rank_class, branch and request are recorded."
        return Finding(place, "unknown-key", "This key must not stand here.", (hint,))
    return Finding(place, "unknown-key", f"There is no key `{key[:60]}` here.", did_you_mean(key, names))


def not_allowed(place: Place, typed: Any, allowed: Sequence[str], *, discreet: bool) -> Finding:
    """Word the fault `wrong-value` for a field that holds one of a few values."""
    among = f"one of {', '.join(allowed)}" if len(allowed) > 1 else f"`{allowed[0]}`"
    if discreet or not isinstance(typed, str):
        return wrong_value(place, f"The value must be {among}.")
    return wrong_value(place, f"`{typed[:60]}` is not {among}.", did_you_mean(typed, allowed))


def wrong_value(place: Place, message: str, hint: tuple[str, ...] = ()) -> Finding:
    """A value has the type, the form and the bounds of its field, and is one of those that are allowed."""
    return Finding(place, "wrong-value", message, hint)


FAULTS = (missing_key, unknown_key, wrong_value)
