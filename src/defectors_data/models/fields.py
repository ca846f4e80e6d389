"""Types of the values in models: text, identifiers, numbers, flags and dates.

And the base class of the models.

YAML is read as text, so these types decide what `no`, `010`, `1:30` and `2019-05-02` mean. Each
number and each flag has exactly one spelling; any other spelling is an error.
"""

from __future__ import annotations

import calendar
import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from contextlib import redirect_stdout
from datetime import date, timedelta
from enum import Enum
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from typing_extensions import TypeAliasType

from defectors_data.models.closed_vocabularies import ADDED_TO_NOTES

Unbalanced: TypeAlias = Literal["opening", "closing"]


class TextKind(Enum):
    """What the texts of a field can be about, declared in the type of each field.

    The kind decides what is searched in a text before it is published. A field without a kind is
    searched as a note, and a test fails.
    """

    NOTE = "note"
    """Sentences about an article or its records, which may be about a protected person."""
    GENERAL = "general"
    """Text in which no protected person is meant: the description of a dataset, definitions."""
    ID = "id"
    """An id that is formed from words."""
    SOURCE_ID = "source id"
    """The id of a source or the name of its file: words, and a number of any length."""
    REFERENCE = "reference"
    """An id or a term defined elsewhere, or an id made of its source and a number."""
    QUOTED = "quoted"
    """Words of the article, which another rule finds there."""
    FIXED = "fixed"
    """A form that ordinary words cannot have, such as a date, or sentences from a closed list."""


def _whole(value: Any) -> Any:
    # A value from JSON may be a number. In Python, True is a number too, but its text is refused.
    typed = str(value) if isinstance(value, int | float) else value
    # Up to 15 digits, a float is exact.
    if isinstance(typed, str) and not re.fullmatch(r"0|[1-9][0-9]{0,14}", typed):
        raise PydanticCustomError(
            "whole_number", "expected a whole number in plain digits, such as 36"
        )
    return int(typed) if isinstance(typed, str) else value


_NUMBER = re.compile(r"(?!-0(?:\.0+)?$)-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,6})?")


def plain_number(value: float) -> str:
    """Return a number as annotations contain it, or "" if it has too many digits for them."""
    typed = f"{value:.6f}".rstrip("0").rstrip(".")
    return typed if _NUMBER.fullmatch(typed) else ""


def _number(value: Any) -> Any:
    # JSON may contain 40.0 for 40. The pattern refuses -0, a second spelling of 0.
    typed = value
    if isinstance(value, int | float):
        typed = repr(value).removesuffix(".0")
    if isinstance(typed, str) and not _NUMBER.fullmatch(typed):
        raise PydanticCustomError(
            "plain_number", "expected a number in plain digits, such as 1400 or 33.33"
        )
    return float(typed) if isinstance(typed, str) else value


def as_flag(value: Any) -> Any:
    """Convert the text `true` or `false` to a flag; used as a pydantic validator."""
    if isinstance(value, str) and value not in {"true", "false"}:
        raise PydanticCustomError("true_or_false", "expected true or false")
    return value == "true" if isinstance(value, str) else value


def _calendar_day(value: Any) -> Any:
    if isinstance(value, date):
        return value
    try:
        if re.fullmatch(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value
        ):  # `fromisoformat` accepts other forms too
            return date.fromisoformat(value)
    except (TypeError, ValueError):
        pass
    raise PydanticCustomError("calendar_day", "expected a calendar day, such as 2019-05-02")


class DateBounds(NamedTuple):
    """The first and last day that a date can mean; None for an end that is not known."""

    first: date | None
    last: date | None


@lru_cache(maxsize=1_000)
def edtf_bounds(text: str) -> DateBounds:
    """Return the strict bounds of a date in EDTF (ISO 8601-2:2019, levels 0 to 2).

    An open end, or a date without a year, has no bound. The `edtf` library is slow to import and to
    start, so common forms are parsed without it.

    Raises:
        ValueError: the text is not an EDTF date, or its day does not exist in its month.
    """
    if not re.fullmatch(r"[0-9X?~%/.{}\[\],+:TZ-]{1,60}", text):
        raise ValueError(
            text
        )  # years with exponents, for example, would keep the library busy forever
    if season := re.fullmatch(r"([0-9]{4})-2([1-4])", text):
        year = int(season[1])  # the hemisphere is unknown, and a winter may end in the next year
        after = date(year + 1, 3, 1) if season[2] == "4" else date(year + 1, 1, 1)
        return DateBounds(date(year, 1, 1), after - timedelta(days=1))
    if yearless := re.fullmatch(r"XXXX-([0-9]{2})(?:-([0-9]{2}))?", text):
        date(
            2000, int(yearless[1]), int(yearless[2] or 1)
        )  # a leap year, so that 29 February is valid
        return DateBounds(None, None)
    plain = _plain_bounds(text) or _marked_bounds(text) or _interval_bounds(text)
    return plain or _bounds_by_library(text)


def _plain_bounds(text: str) -> DateBounds | None:
    """Return the bounds of a day, a month or a year in ISO 8601, or None for anything else."""
    found = re.fullmatch(r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-([0-9]{2}))?)?", text)
    if not found:
        return None
    year, first, last = int(found[1]), int(found[2] or 1), int(found[2] or 12)
    if found[3]:
        day = date(year, first, int(found[3]))
        return DateBounds(day, day)
    return DateBounds(date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1]))


_MARKED = re.compile(
    r"(?P<date>[0-9-]{4,10})[?~%]|(?P<since>[0-9-]{4,10})/\.\.|\.\./(?P<until>[0-9-]{4,10})"
)
"""An uncertain or approximate date, which has the same bounds as the plain date, or an interval
with an open end."""


def _marked_bounds(text: str) -> DateBounds | None:
    found = _MARKED.fullmatch(text)
    if not found or found[0].strip("./").startswith(("0000", "9999")):
        return None  # `datetime` has no year 0, and `_day` returns no bound in the year 9999
    bounds = _plain_bounds(found[found.lastgroup or 0])
    if not bounds:
        return None
    first = None if found["until"] else bounds.first
    last = None if found["since"] else bounds.last
    return DateBounds(first, last)


def _interval_bounds(text: str) -> DateBounds | None:
    """Return the bounds of an interval of two dates in order, or None for anything else.

    Uncertain and approximate dates have the bounds of plain dates.
    """
    since, _, until = re.sub(r"[?~%](?=/|$)", "", text).partition("/")
    if {since[:4], until[:4]} & {"0000", "9999"}:
        return None  # as for marked dates
    first, last = _plain_bounds(since), _plain_bounds(until)
    if not (first and first.first and last and last.last) or first.first > last.last:
        return None
    return DateBounds(first.first, last.last)


def _bounds_by_library(text: str) -> DateBounds:
    import edtf  # noqa: PLC0415  # slow, and seldom needed

    try:
        with redirect_stdout(io.StringIO()):  # the library prints dates that it cannot read
            parsed = edtf.parse_edtf(text)
            lower, upper = parsed.lower_strict(), parsed.upper_strict()
    except Exception as error:  # the library raises many kinds of exceptions
        raise ValueError(text) from error
    first = None if text.startswith("/") else _day(lower)
    last = None if text.endswith("/") else _day(upper)
    if first and last and first > last:
        raise ValueError(text)
    return DateBounds(first, last)


def _day(moment: Any) -> date | None:
    """Return a bound from the library as a date, or None if no date expresses it."""
    year = getattr(moment, "tm_year", 0)
    if date.min.year <= year < date.max.year:
        return date(year, moment.tm_mon, moment.tm_mday)
    return None


def _edtf(value: str) -> str:
    try:
        edtf_bounds(value)
    except ValueError:
        raise PydanticCustomError(
            "edtf", "expected a date in EDTF, such as 2019-05-02, 2019-03~ or XXXX-02-27"
        ) from None
    return value


def _bare(value: str) -> str:
    if value != value.strip():
        raise PydanticCustomError(
            "white_space", "expected words without white space before or after them"
        )
    return value


def _wordy(value: str) -> str:
    if not any(character.isalnum() for character in value):
        raise PydanticCustomError("no_words", "expected words: at least one letter or digit")
    return value


# Characters that are invisible, that change the order in which text is displayed, or that belong to
# no script.
_INVISIBLE = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
    )
    + "\U000e0000-\U000e0fff\U000f0000-\U0010fffd]"
)
# Joiners are allowed between two characters that are neither Latin nor white space: Persian and
# emoji need them.
_JOINED = r"[^\x00-\u024f\u2000-\u206f\s]"
_JOINER = rf"(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})"


def _visible(value: str) -> str:
    # Joiners are rare, so most texts skip the search with lookarounds.
    joined = "\u200c" in value or "\u200d" in value
    found = _INVISIBLE.search(value)
    if joined and not found:
        found = re.search(_JOINER, value)
    if found:
        raise PydanticCustomError(
            "invisible_character",
            "{character} is not allowed here: remove it",
            {"character": f"U+{ord(found[0]):04X}"},
        )
    return value


_AS_FORMULA = (
    "A spreadsheet would run this as a formula: start it with a letter, a digit or a quotation mark"
)


def _no_formula(value: str) -> str:
    """Refuse text that a spreadsheet reads as a formula.

    A hyphen before a space, as in a list, is allowed.
    """
    if re.match(r"[=@]|[+-]\S", value):
        raise PydanticCustomError("formula", _AS_FORMULA)
    return value


def _no_formula_at_all(value: str) -> str:
    if re.match(r"[=@+-]", value):
        raise PydanticCustomError("formula", f"{_AS_FORMULA}, and omit any sign or spell it out")
    return value


def _typed_only(value: str) -> str:
    """Refuse words that the build adds to notes: readers could not know who wrote them."""
    if found := ADDED_TO_NOTES.search(value):
        raise PydanticCustomError(
            "added_to_notes",
            "The build itself adds “{words}” to notes: remove it, or give the reason in `override`",
            {"words": found[0]},
        )
    return value


def _plain_language(value: str) -> str:
    """Refuse more than one subtag, since several could spell out a name."""
    if not re.fullmatch(r"[a-z]+(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?", value):
        raise PydanticCustomError(
            "language", "expected a language code with an optional region, such as es-CO"
        )
    return value


def plain_line(words: str) -> str:
    """Return words of an article as a `Line`, without what it cannot contain.

    "" if no letter or digit is left.
    """
    visible = re.sub(_JOINER, "", _INVISIBLE.sub("", words))
    line = re.sub(r"[\x00-\x20\x7f]+", " ", visible).lstrip("=@+- ")
    line = line[:_LONGEST_LINE].strip()
    return line if any(character.isalnum() for character in line) else ""


# pydantic would derive a schema for each field from annotated constraints; it is faster if these
# classes return one.
class _String(NamedTuple):
    """Constraints on a string, and a function for further checks."""

    check: Callable[[str], str] | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> CoreSchema:
        bounded = core_schema.str_schema(
            min_length=self.min_length, max_length=self.max_length, pattern=self.pattern
        )
        if self.check:
            return core_schema.no_info_after_validator_function(self.check, bounded)
        return bounded


class _Number(NamedTuple):
    """The schema of a number, the function that converts its text, and its bounds."""

    bounded: Callable[..., CoreSchema]
    read: Callable[[Any], Any]
    ge: int | None
    le: int | None = None

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> CoreSchema:
        bounded = self.bounded(ge=self.ge, le=self.le)
        return core_schema.no_info_before_validator_function(
            self.read, bounded, json_schema_input_schema=bounded
        )


def standard_pattern(notes: Collection[str]) -> str:
    """Return a pattern that matches texts made up of these standard notes.

    `RECORDS` matches a list of ids.
    """
    record = "[a-z0-9]+(?:-[a-z0-9]+)*-[mtfwre][1-9][0-9]*"
    one = "|".join(
        re.escape(note).replace("RECORDS", f"{record}(?:(?:, {record})* and {record})?")
        for note in notes
    )
    return f"(?:{one})(?: (?:{one}))*"


class StandardNotes:
    """The type of a text that consists of sentences from a closed list."""

    def __init__(self, notes: Collection[str]) -> None:
        """Store the permitted sentences."""
        self.notes = notes

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> CoreSchema:
        # The pattern is only for editors that use the JSON Schema; `_check` has a shorter message.
        pattern = f"^{standard_pattern(self.notes)}$"
        return core_schema.no_info_before_validator_function(
            self._check,
            core_schema.str_schema(),
            json_schema_input_schema=core_schema.str_schema(pattern=pattern),
        )

    def _check(self, value: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(standard_pattern(self.notes), value):
            raise PydanticCustomError(
                "standard_note", "expected only standard notes, which the codebook lists"
            )
        return value


Text: TypeAlias = Annotated[str, _String(min_length=1, max_length=20_000), TextKind.QUOTED]
Words: TypeAlias = Annotated[
    str,
    _String(lambda value: _bare(_wordy(value)), min_length=1, max_length=20_000),
    TextKind.QUOTED,
]
_LONGEST_LINE = 500
_NOTE = r"^[^\x00-\x09\x0b-\x1f\x7f]*$"
_LINE = r"^[^\x00-\x1f\x7f]*$"
ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
_TERM = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
FILE_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
_SHA256 = r"^[0-9a-f]{64}$"
# verify.py in each package accepts only known patterns, so `_plain_language` limits the number of
# subtags.
LANGUAGE = r"^[a-z]{2,3}(-[A-Z]{2,2})*$"
READER = r"^reader-[1-9][0-9]*$"
VERSION = r"^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$"
ADDRESS = r"^https://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]+)?(/[A-Za-z0-9._~%/#?&=+-]*)?$"
TERM_ADDRESS = ADDRESS.replace("https", "https?")
PRIVATE = rf"^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$|{ADDRESS}"
DOI = r"^10\.[0-9]{4,9}/[A-Za-z0-9._;()/:-]+$"

FORMS = {
    _NOTE: "lines without tabs or control characters",
    _LINE: "one line without tabs or control characters",
    ID: "lower-case letters a to z and digits, separated by single hyphens, such as example-t1",
    _TERM: (
        "lower-case letters a to z and digits, a letter first, separated by single underscores, "
        "such as monthly_pay"
    ),
    FILE_NAME: (
        "unaccented letters, digits, dots, hyphens and underscores, a letter or digit first, "
        "without a folder"
    ),
    _SHA256: "64 hexadecimal digits in lower case",
    LANGUAGE: "a language tag such as en or es-CO",
    ADDRESS: "a web address that starts with https://, such as https://example.org/data",
    PRIVATE: "an e-mail address, or a web address that starts with https://",
    DOI: "a digital object identifier such as 10.1234/example.5",
    READER: "`reader-` and a number, such as reader-1",
    VERSION: "three whole numbers separated by dots, such as 1.2.3",
}
"""A description of each pattern, for messages."""


def _line(value: str) -> str:
    return _no_formula_at_all(_bare(_visible(_wordy(value))))


def _noun_or_sign(value: str) -> str:
    """Return a line, or the sign of a currency."""
    return value if unicodedata.category(value[0]) == "Sc" and len(value) == 1 else _line(value)


Note: TypeAlias = Annotated[
    str,
    _String(
        lambda value: _typed_only(_no_formula(_visible(_wordy(value)))),
        min_length=1,
        max_length=4_000,
        pattern=_NOTE,
    ),
    TextKind.NOTE,
]
GeneralNote: TypeAlias = Annotated[Note, TextKind.GENERAL]
# The types from here to `FileName` have no kind: each field declares its own.
Line: TypeAlias = Annotated[
    str,
    _String(_line, min_length=1, max_length=_LONGEST_LINE, pattern=_LINE),
]
UnitNoun: TypeAlias = Annotated[
    str,
    _String(_noun_or_sign, min_length=1, max_length=_LONGEST_LINE, pattern=_LINE),
    TextKind.GENERAL,
]
Id: TypeAlias = Annotated[str, _String(max_length=80, pattern=ID)]
Term: TypeAlias = Annotated[str, _String(max_length=60, pattern=_TERM)]
FileName: TypeAlias = Annotated[str, _String(max_length=200, pattern=FILE_NAME)]
ShortNote: TypeAlias = Annotated[Line, TextKind.NOTE]
GeneralLine: TypeAlias = Annotated[Line, TextKind.GENERAL]
PrintedLine: TypeAlias = Annotated[Line, TextKind.QUOTED]
Reference: TypeAlias = Annotated[Id, TextKind.REFERENCE]
TermReference: TypeAlias = Annotated[Term, TextKind.REFERENCE]
Sha256: TypeAlias = Annotated[str, _String(pattern=_SHA256), TextKind.FIXED]
Language: TypeAlias = Annotated[str, _String(_plain_language, pattern=LANGUAGE), TextKind.FIXED]
# The input schema is for text editors: people type 1000 without quotation marks.
Whole: TypeAlias = Annotated[int, _Number(core_schema.int_schema, _whole, ge=0)]
Count: TypeAlias = Annotated[int, _Number(core_schema.int_schema, _whole, ge=1)]
OPEN_SPEAKER = "who"
"""The speaker of a draft whose words leave open who speaks; no speaker has this id."""
OPEN_COUNTED = "what"
"""What a draft says is counted if its words leave it open."""
OLDEST, LONGEST_SERVICE = 120, 80
"""The largest age and the largest number of years of service."""
Age: TypeAlias = Annotated[int, _Number(core_schema.int_schema, _whole, ge=0, le=OLDEST)]
YearsOfService: TypeAlias = Annotated[
    int, _Number(core_schema.int_schema, _whole, ge=0, le=LONGEST_SERVICE)
]
Number: TypeAlias = Annotated[float, _Number(core_schema.float_schema, _number, ge=None)]
Flag: TypeAlias = Annotated[bool, BeforeValidator(as_flag, json_schema_input_type=bool)]
Version: TypeAlias = Annotated[Line, Field(pattern=VERSION), TextKind.FIXED]
"""A version by semantic versioning."""
Day: TypeAlias = Annotated[date, BeforeValidator(_calendar_day, json_schema_input_type=str)]
Edtf: TypeAlias = Annotated[
    str,
    _String(_edtf, min_length=1, max_length=60),
    # This changes no value; it lets the schema for text editors accept a year that is typed without
    # quotation marks.
    BeforeValidator(lambda value: value, json_schema_input_type=str | int),
    TextKind.FIXED,
]


class Record(BaseModel):
    """Base class of the models of hand-written files: frozen, without unknown keys.

    A model is built on first use. Only the models of whole files are used directly; they contain
    all other models.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Part(Record):
    """Words of the seed, character for character, with keys that select their occurrence."""

    text: Words
    """The words, exactly as they appear in the seed."""
    prefix: Text | None = None
    """The characters directly before the words, if the words occur more than once."""
    suffix: Text | None = None
    """The characters directly after the words, if the words occur more than once."""
    occurrence: Count | None = None
    """Which occurrence is meant, counted from 1; `check` proposes the `prefix` or `suffix` to write
    instead."""
    unbalanced: Unbalanced | None = None
    """Which quotation mark of this part is missing in the seed."""


def as_parts(value: Any) -> Any:
    """Return a string, a part, or a list of either as a list of parts."""
    items = value if isinstance(value, list | tuple) else [value]
    return [as_part(item) for item in items]


def as_part(item: Any) -> Any:
    """Return words alone as a part; anything else as it is."""
    return {"text": item} if isinstance(item, str) else item


# A named type, so that the JSON Schema defines evidence once and refers to it.
Evidence = TypeAliasType(
    "Evidence",
    Annotated[
        tuple[Part, ...],
        Field(min_length=1, max_length=100),
        BeforeValidator(
            as_parts,
            json_schema_input_type=Words
            | Part
            | Annotated[list[Words | Part], Field(min_length=1, max_length=100)],
        ),
    ],
)


@cache
def is_closed(model: type[Record], field: str) -> bool:
    """Return whether all values of a field come from closed lists, which contain no names."""
    return _only_literals(model.model_fields[field].annotation)


def _only_literals(annotation: Any) -> bool:
    if isinstance(annotation, TypeAliasType):
        return _only_literals(annotation.__value__)
    if get_origin(annotation) is Annotated:
        return _only_literals(get_args(annotation)[0])
    inner = [each for each in get_args(annotation) if each not in (type(None), ...)]
    return get_origin(annotation) is Literal or (bool(inner) and all(map(_only_literals, inner)))


def kind_of(model: type[Record], field: str) -> TextKind | None:
    """Return the kind of the texts of a field; None if the field contains no text."""
    kinds = declared_kinds(model, field)
    return next((kind or TextKind.NOTE for kind in kinds), None)


@cache
def declared_kinds(model: type[Record], field: str) -> tuple[TextKind | None, ...]:
    """Return the kind of each type of text in a field; None for a type that declares no kind."""
    info = model.model_fields[field]
    return tuple(_kinds(info.annotation, info.metadata))


def _kinds(annotation: Any, metadata: Collection[Any] = ()) -> Iterator[TextKind | None]:
    declared = [each for each in metadata if isinstance(each, TextKind)]
    if annotation is str or declared:
        yield declared[-1] if declared else None
    elif isinstance(annotation, TypeAliasType):
        yield from _kinds(annotation.__value__)
    elif get_origin(annotation) is Annotated:
        yield from _kinds(get_args(annotation)[0], annotation.__metadata__)
    elif get_origin(annotation) is not Literal:
        for inner in get_args(annotation):
            yield from _kinds(inner)
