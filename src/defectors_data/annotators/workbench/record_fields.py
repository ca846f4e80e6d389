"""The fields of the forms, read from the models, and their values in YAML.

The value of a field is text, a mapping of such values by key, or a list of mappings. Words of the
article are text: the person never types YAML. Several parts are separated by ` […] `, as in the
published tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

from typing_extensions import TypeAliasType

from defectors_data.annotators.introductions import names_in_byline
from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import VOCABULARY_LISTS
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.models import annotation, field_docstrings
from defectors_data.models.annotation import MENTION_ID, SPEAKER_MODELS, Attribution
from defectors_data.models.closed_vocabularies import JOIN, MEANINGS
from defectors_data.models.fields import Evidence, Part, Record, TextKind, plain_number

Value: TypeAlias = "str | Mapping[str, Value] | Sequence[Value]"
Values: TypeAlias = Mapping[str, Value]
"""The values of a form, or of one of its groups of fields, by key."""

SPEAKERS = tuple(
    model for model in SPEAKER_MODELS.values() if model is not annotation.SharedReference
)
"""The models of the entries of speakers that have a form."""
MENTIONS = (annotation.Mention, annotation.ProtectedMention)
"""The models of mentions."""
MODELS: Mapping[str, tuple[type[Record], ...]] = {
    "source": (annotation.Source,),
    "speakers": SPEAKERS,
    "mentions": MENTIONS,
    "testimonies": (annotation.Testimony,),
    "figures": (annotation.Figure,),
    "waivers": (annotation.Waiver,),
    "errata": (annotation.Erratum,),
    "readings": (annotation.Reading,),
    "boilerplate": (),
}
"""The models of the records that have a form, by table."""


class RequestError(ValueError):
    """A request cannot be fulfilled; the message gives the reason."""

    status = 403
    fields: tuple[str, ...] = ()
    """The fields that the page is to ask for."""


class FieldType(Enum):
    """How a field is filled in."""

    LINE = "line"
    CHOICE = "choice"
    LIST = "list"
    WORDS = "words"
    GROUP = "group"
    ROWS = "rows"


class RecordField(NamedTuple):
    """A key of a record: how it is filled in, and what it can contain."""

    key: str
    type: FieldType
    required: bool
    description: str
    meanings: Mapping[str, str]
    """The permitted values of a choice, with their meanings; empty if the vocabulary has them."""
    default: str
    fields: tuple[RecordField, ...]
    """The fields of a group, or of each of the rows."""
    separator: str
    """What separates the items of a list, or the parts of words; "" if there is only one."""
    is_bare: bool
    """Whether a group that has only `words` is written as these words alone."""


def terms_of(field: RecordField) -> str:
    """Return the list of the vocabulary with the terms of a field; "" if its values are none, as
    the words that show a role, or why it was inferred.
    """
    is_typed = field.type in (FieldType.LINE, FieldType.LIST)
    return VOCABULARY_LISTS.get(field.key, "") if is_typed else ""


NOT_IN_FORMS = frozenset(
    "id use seed sha256 evidence draft corrected support mentions obtained".split()
)
"""The keys of records that are set in other ways: ids by the program, evidence by selecting it."""


@cache
def fields_of(models: tuple[type[Record], ...], *, inner: bool = False) -> tuple[RecordField, ...]:
    """Return the fields of a record that has one of several models, in the order of the models."""
    found: dict[str, RecordField] = {}
    for model in models:
        for key in model.model_fields:
            if not inner and key in NOT_IN_FORMS:
                continue
            field = _field(model, key)
            found[key] = _merged(found[key], field) if key in found else field
    everywhere = [set(model.model_fields) for model in models]
    for key, field in found.items():
        is_in_all = all(key in keys for keys in everywhere)
        found[key] = field._replace(required=field.required and is_in_all)
    return tuple(found.values())


def mnemonics(fields: Sequence[RecordField], first: Collection[str]) -> dict[tuple[str, ...], str]:
    """Return the letter of the label of a field of a form that leads to it, by its key or, of a field
    of a group, by both keys: the first one that is free. A field may remain without a letter.

    Required fields and those with a key in `first` choose before the others, of which those with the
    fewest letters come first. All of these, and all fields outside of groups, have letters of their
    own; the other fields of a group differ only from each other.
    """
    chosen = {*first, *(field.key for field in fields if field.required)}
    before: list[tuple[str, ...]] = []
    alone: list[tuple[str, ...]] = []
    in_groups: list[tuple[str, ...]] = []
    for field in fields:
        listed = before if field.key in chosen else alone
        listed.append((field.key,))
        if field.type is not FieldType.GROUP:
            continue
        for inner in field.fields:
            path: tuple[str, ...] = (field.key, inner.key)
            listed = before if chosen.issuperset(path) else in_groups
            listed.append(path)
    alone.sort(key=lambda path: len(path[0]))
    found: dict[tuple[str, ...], str] = {}
    for each in [*before, *alone, *in_groups]:
        taken = set(found.values())
        if each in in_groups:
            taken = {letter for other, letter in found.items() if other[1:] and other[0] == each[0]}
        free = [letter for letter in each[-1] if letter.isalpha() and letter not in taken]
        if free:
            found[each] = free[0]
    return found


def _merged(one: RecordField, other: RecordField) -> RecordField:
    # One value alone, such as `stated`, may be in several vocabularies.
    meanings = _meanings([*one.meanings, *other.meanings])
    return one._replace(meanings=meanings, required=one.required and other.required)


@cache
def _field(model: type[Record], key: str) -> RecordField:
    info = model.model_fields[key]
    # A field whose type pydantic resolves to `Annotated` has its own metadata.
    types = list(_types(info.annotation))
    default = "" if info.is_required() else _as_text(info.default)
    field = RecordField(
        key,
        FieldType.LINE,
        info.is_required(),
        field_docstrings.sentence(model, key),
        {},
        default,
        (),
        "; ",
        is_bare=Attribution in types,
    )
    records = [each for each in types if isinstance(each, type) and issubclass(each, Record)]
    if Evidence in types:
        return field._replace(type=FieldType.WORDS)
    if Part in records:
        return field._replace(type=FieldType.WORDS, separator="")
    if records:
        return field._replace(type=FieldType.GROUP, fields=fields_of(tuple(records), inner=True))
    if options := _literals(types):
        # A default is only a proposal: what the annotator chooses is written, even if it is equal.
        return field._replace(type=FieldType.CHOICE, meanings=_meanings(options), default="")
    if types and get_origin(types[0]) is tuple:
        return _of_list(field, get_args(types[0])[0])
    return field


def _of_list(field: RecordField, item: Any) -> RecordField:
    inside = list(_types(item))
    if isinstance(inside[0], type) and issubclass(inside[0], Record):
        return field._replace(type=FieldType.ROWS, fields=fields_of(tuple(inside), inner=True))
    is_term = TextKind.REFERENCE in getattr(item, "__metadata__", ())
    separator = ", " if is_term else "; "
    return field._replace(type=FieldType.LIST, separator=separator)


def _types(annotation: Any) -> Iterator[Any]:
    """Yield the alternatives of a type without `None`; named types of evidence stay as they are."""
    if annotation is Evidence:
        yield annotation
    elif isinstance(annotation, TypeAliasType):
        yield from _types(annotation.__value__)
    elif get_origin(annotation) is Annotated:
        yield from _types(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for each in get_args(annotation):
            yield from _types(each)
    elif annotation is not NoneType:
        yield annotation


def _literals(types: Iterable[Any]) -> list[str]:
    found: list[str] = []
    for each in types:
        if get_origin(each) is Literal:
            found += [_as_text(value) or "false" for value in get_args(each)]
        elif each is bool:
            found += ["true"]
    return found


_FLAG = {"true": "yes", "false": "no"}


def _meanings(options: Sequence[str]) -> dict[str, str]:
    """Return the meanings of the values of a closed vocabulary, or of part of one."""
    for meanings in [_FLAG, *MEANINGS.values()]:
        if set(options) <= set(meanings):
            return {value: meanings[value] for value in options}
    return dict.fromkeys(options, "")


# ---- the values of a record ----------------------------------------------------------------------


def values_of(record: Record, fields: Iterable[RecordField]) -> dict[str, Value]:
    """Return the values of a record in the form of its fields."""
    return {field.key: _value(getattr(record, field.key, None), field) for field in fields}


def current_values(record: Any, table: str) -> dict[str, Value]:
    """Return the values of a record in the form of the fields."""
    return values_of(record, fields_of(MODELS[table]))


def _value(found: Any, field: RecordField) -> Value:
    if field.type is FieldType.ROWS:
        return [values_of(each, field.fields) for each in found or ()]
    if field.type is FieldType.GROUP:
        return values_of(found, field.fields) if found else {}
    if field.type is FieldType.WORDS:
        parts = [found] if isinstance(found, str | Part) else found or ()
        return JOIN.join(_words(part) for part in parts)
    if isinstance(found, tuple):
        return field.separator.join(_as_text(each) for each in found)
    return _as_text(found)


def _words(part: str | Part) -> str:
    return part if isinstance(part, str) else part.text


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else ""
    if isinstance(value, float):
        return plain_number(value)
    if isinstance(value, str | int | date):
        return str(value)
    return ""


# ---- values in YAML ------------------------------------------------------------------------------


WordsInYaml: TypeAlias = Callable[[str, Path], str]
"""A function that returns words of the article as YAML, given also the path of their value in the
record; it raises an error if they are not found.
"""


def in_yaml_of(field: RecordField, value: Value, evidence: WordsInYaml, before: Value = ()) -> str:
    """Return the value of a field as YAML on one line, or "" if it is empty or the default.

    `before` are the rows of an existing record: the words of a row are where they were, also if
    others are added or removed.
    """
    if isinstance(value, str | Mapping):
        return _in_yaml(field, value, evidence, (field.key,))
    rows = [row for row in value if isinstance(row, Mapping)]
    texts = []
    for row, number in zip(rows, _numbers_before(rows, before), strict=True):
        if text := _group_in_yaml(field, row, evidence, (field.key, number)):
            texts.append(text)
    return f"[{', '.join(texts)}]" if texts else ""


def _numbers_before(rows: Sequence[Values], before: Value) -> list[int]:
    """Return the number that each row had: of an equal one, or else of the next that is left."""
    known = list[Value]()
    if not isinstance(before, str | Mapping):
        known = [filled(row) for row in before]
    left, found = list(range(len(known))), dict[int, int]()
    for i, row in enumerate(rows):
        same = [number for number in left if known[number] == filled(row)]
        if same:
            found[i] = same[0]
            left.remove(same[0])
    others = iter([*left, *range(len(known), len(known) + len(rows))])
    for i in range(len(rows)):
        if i not in found:
            found[i] = next(others)
    return [found[i] for i in range(len(rows))]


def filled(value: Value) -> Value:
    """Return a value without empty texts, groups and rows."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Mapping):
        inner = {key: filled(each) for key, each in value.items()}
        return {key: each for key, each in inner.items() if each}
    rows = [filled(row) for row in value]
    return [row for row in rows if row]


def _in_yaml(field: RecordField, value: Value, evidence: WordsInYaml, path: Path) -> str:
    if isinstance(value, Mapping):
        return _group_in_yaml(field, value, evidence, path)
    return _line_in_yaml(field, str(value).strip(), evidence, path)


def _line_in_yaml(field: RecordField, value: str, evidence: WordsInYaml, path: Path) -> str:
    if not value or value == field.default:
        return ""
    if field.type is FieldType.LIST:
        items = items_in(field, value)
        return f"[{', '.join(scalar(item) for item in items)}]"
    if field.type is FieldType.WORDS and not MENTION_ID.fullmatch(value):
        return evidence(value, path)
    return scalar(value)


def items_in(field: RecordField, value: str) -> list[str]:
    """Return the items of a list; terms may also be separated by spaces or semicolons, and full
    names of authors by commas and "and".
    """
    pattern = r"[^,;\s]+" if field.separator == ", " else r"[^;]+"
    if field.key == _NAMES and ";" not in value:
        found = names_in_byline(value)
        if all(" " in name.strip() for name in found):
            return [name.strip() for name in found]
    return [item.strip() for item in re.findall(pattern, value) if item.strip()]


_NAMES = "value"
"""The key of the names of authors, the only list of values."""


def _group_in_yaml(field: RecordField, values: Values, evidence: WordsInYaml, path: Path) -> str:
    found = {}
    for inner in field.fields:
        if text := _in_yaml(inner, values.get(inner.key, ""), evidence, (*path, inner.key)):
            found[inner.key] = text
    if not found:
        return ""
    if field.is_bare and set(found) == {"words"}:
        return found["words"]
    return f"{{{', '.join(f'{key}: {text}' for key, text in found.items())}}}"
