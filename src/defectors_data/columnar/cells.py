"""Whether the cells of a column keep to their field.

Vectorised tests say of a whole column which cells are certainly right. Each distinct cell that is left is read by
frictionless itself, so what the two think of a single cell cannot differ.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from defectors_data.columnar.batches import Arrow, pc
from defectors_data.columnar.tallying import Tally

Array = np.ndarray[Any, Any]

_PLAIN_CLASS = r"\[\^?[A-Za-z0-9 _:;,/@#%=<>'\"!.+*?()$-]+\]"

PLAIN_PATTERN = re.compile(
    r"(?:[A-Za-z0-9 _:;,/@#%&=<>~'\"!^$.|-]|\\[.^$*+?()\[\]{}|\\/-]|" + _PLAIN_CLASS + r"|\((?:\?:)?|\)"
    r"|[*+?]|\{\d{1,3}(?:,(?:\d{1,3})?)?\})*"
)
"""Regular expressions that mean the same in RE2, or match less."""

_BOUNDS: dict[str, set[type]] = {"integer": {int}, "number": {int, float}}
_LARGEST = {"integer": 1 << 60, "number": 10**15}
_WITHIN = {"minimum": pc.greater_equal, "maximum": pc.less_equal}
_INSIDE = {"minimum": pc.greater, "maximum": pc.less}
_DIGITS = 15
"""Digits of which each number is a float of its own, so that what equals a bound as a float is the bound."""
_DATE_LENGTH = len("2019-05-02")
_BARE = {"bare_number", "float_number", "decimal_char", "group_char"}


_SAMPLE, _FEW = 512, 64
"""Of so many cells at most so many are distinct where it is worth while to look at the distinct ones alone."""

_WORD, _TWO_WORDS = 8, 16
MASKS = np.array([(1 << (8 * kept)) - 1 for kept in range(_WORD)] + [(1 << 64) - 1], np.uint64)
"""What is left of a word of which so many bytes are kept."""

ALL: Any = object()
"""In place of a mask: all cells are certainly right."""


Reader = Callable[[str], tuple[Any, dict[str, str] | None]]
"""A cell → its value, and what it does not keep to."""


class Field(NamedTuple):
    """What the schema says of a column; frictionless's own reader of its cells is made when a cell is left to it."""

    name: str
    type: str
    format: str
    constraints: dict[str, Any]
    reader: Callable[[], Reader]
    true_values: Sequence[str] = ("true", "True", "TRUE", "1")
    false_values: Sequence[str] = ("false", "False", "FALSE", "0")
    unusual: bool = False
    """Whether numbers are written otherwise than with digits, a sign and a point."""

    @classmethod
    def of(cls, field: Any) -> Field:
        """Return what a field of frictionless says."""
        marks = {name: getattr(field, name) for name in ("true_values", "false_values") if field.type == "boolean"}
        unusual = bool(_BARE & set(field.list_defined()))
        name, constraints = field.name, field.constraints
        return cls(name, field.type, field.format, constraints, field.create_cell_reader, **marks, unusual=unusual)


class Column(NamedTuple):
    """A column of a batch: the field, the texts that keep to their type, and the values if they are known."""

    judge: Judge
    texts: Arrow
    values: Arrow | None
    starts: Array | None = None
    """Where cells begin that differ from the one before, if that is known, and most do not."""

    @property
    def few(self) -> Arrow:
        """The texts without those that repeat the one before, as far as that is known."""
        return self.texts if self.starts is None else self.texts.take(pa.array(self.starts))


class Judge:
    """Judges the cells of one field."""

    def __init__(self, field: Field) -> None:
        """Prepare the tests that the field's type and constraints ask for."""
        self.field = field
        self.name, self.type = field.name, field.type
        self.limits = {key: value for key, value in field.constraints.items() if value is not None}

    @cached_property
    def read(self) -> Reader:
        """Read a cell as frictionless does; each is read once, as far as there is room to remember it."""
        return lru_cache(1 << 15)(self.field.reader())

    def judged(self, column: Arrow, first: int, tally: Tally) -> Column:
        """Tell the faults of a column to the tally, and return it without cells of another type."""
        if self.limits.get("required") is True and column.null_count:
            tally.add("must not be empty", first + places(column.is_null()), column=self.name)
        starts = _long_runs(column) if self.type == "string" else None
        values, sure = self._known(column, starts)
        certain = sure is ALL or (sure is not None and sure.true_count + column.null_count == len(column))
        texts = column if certain else self._examined(column, sure, first, tally)
        if values is None or texts is not column:
            values = self._read(texts)
        return Column(self, texts, values, starts if texts is column else None)

    def column(self, texts: Arrow) -> Column:
        """Return texts that were judged before as a column."""
        values = texts if self.type == "string" else self._known(texts)[0]
        return Column(self, texts, self._read(texts) if values is None else values)

    def _read(self, texts: Arrow) -> Arrow | None:
        """Return the values of whole numbers as frictionless reads them, if they are not too large for Arrow."""
        if self.type != "integer":
            return None
        coded = texts.dictionary_encode()
        try:
            read = pa.array([self.read(text)[0] for text in coded.dictionary.to_pylist()], pa.int64())
        except (pa.ArrowInvalid, OverflowError):
            return None
        return read.take(coded.indices)

    def _examined(self, column: Arrow, sure: Arrow | None, first: int, tally: Tally) -> Arrow:
        """Let frictionless read each distinct cell that is not certainly right; make null what is of another type."""
        broken: dict[str, list[str]] = {}
        unsure = column if sure is None else column.filter(pc.invert(pc.fill_null(sure, fill_value=False)))
        for text in pc.drop_null(pc.unique(unsure)).to_pylist():
            for limit in self.read(text)[1] or ():
                broken.setdefault(limit, []).append(text)
        for limit, texts in broken.items():
            rows = first + places(pc.is_in(column, value_set=pa.array(texts, pa.string())))
            tally.add(self._must(limit), rows, column=self.name)
        wrong = broken.get("type")
        if not wrong:
            return column
        is_wrong = pc.is_in(column, value_set=pa.array(wrong, pa.string()))
        return pc.if_else(is_wrong, pa.scalar(None, pa.string()), column)

    def _must(self, limit: str) -> str:
        return f"must be of type {self.type}" if limit == "type" else f"must keep to {limit} {self.limits[limit]!r}"

    def _known(self, column: Arrow, starts: Array | None = None) -> tuple[Arrow | None, Arrow | None]:
        """Return the values of a column if they can be had at once, and which cells are certainly right, if any."""
        if self.field.format != "default":
            return None, None
        match self.type:
            case "string":
                return column, self._sure_texts(column, starts)
            case "integer" | "number":
                return self._numbers(column)
            case "boolean":
                return self._booleans(column)
            case "date":
                return self._dates(column)
        return None, None

    @cached_property
    def _pattern(self) -> str | None:
        """The pattern as RE2 takes it, if RE2 can be trusted with it; anchored as frictionless does."""
        pattern = self.limits["pattern"]
        if not PLAIN_PATTERN.fullmatch(pattern):
            return None
        anchored = f"^(?:^{pattern}$)"
        try:
            pc.match_substring_regex(pa.array([""]), anchored)
        except pa.ArrowInvalid:
            return None
        return anchored

    def _sure_texts(self, column: Arrow, starts: Array | None) -> Arrow | None:
        """Return which texts are certainly right: each of them, or of each distinct one where there are few."""
        if not self.limits.keys() - {"required", "unique"}:
            return ALL
        if starts is not None:
            few = column.take(pa.array(starts))
            right = self._right(few)
            all_right = right is not None and right.true_count + few.null_count == len(few)
            return ALL if all_right else self._right(column)
        if "pattern" not in self.limits or len(pc.unique(column.slice(0, _SAMPLE))) > _FEW:
            return self._right(column)
        coded = column.dictionary_encode()
        right = self._right(coded.dictionary)
        if right is None or right.true_count == len(right):
            return right if right is None else ALL
        return right.take(coded.indices)

    def _right(self, texts: Arrow) -> Arrow | None:
        """Return which texts keep to all limits; None if that cannot be said of any."""
        right = None
        for limit, asked in self.limits.items():
            match limit:
                case "pattern" if self._pattern:
                    kept = pc.match_substring_regex(texts, self._pattern)
                case "enum" if all(isinstance(value, str) for value in asked):
                    kept = pc.is_in(texts, value_set=pa.array(asked, pa.string()))
                case "minLength":
                    kept = pc.greater_equal(pc.utf8_length(texts), asked)
                case "maxLength":
                    kept = pc.less_equal(pc.utf8_length(texts), asked)
                case "required" | "unique":
                    continue
                case _:
                    return None
            right = kept if right is None else pc.and_(right, kept)
        return right

    def _numbers(self, column: Arrow) -> tuple[Arrow | None, Arrow | None]:
        """Cast what is made of digits, signs and points alone; a long fraction at a bound is left to frictionless."""
        if self.field.unusual or not _made_of(column, ord("-"), ord("9")):
            return None, None
        values = _cast(column, pa.int64() if self.type == "integer" else pa.float64())
        if values is None or self.limits.keys() - {"required", "unique", "minimum", "maximum"}:
            return values, None
        sure = ALL
        exact = self.type == "integer" or not pc.any(pc.greater(pc.binary_length(column), _DIGITS)).as_py()
        for limit, inside in (_WITHIN if exact else _INSIDE).items():
            bound = self.limits.get(limit)
            if bound is None:
                continue
            if type(bound) not in _BOUNDS[self.type] or abs(bound) > _LARGEST[self.type]:
                return values, None
            kept = inside(values, bound)
            sure = kept if sure is ALL else pc.and_(sure, kept)
        return values, sure

    def _dates(self, column: Arrow) -> tuple[Arrow | None, Arrow | None]:
        """Cast what is a year of four digits, a month and a day; each that is, is a date to frictionless too."""
        values = _cast(column, pa.date32())
        if values is None or self.limits.keys() - {"required", "unique"} or not _made_of(column, ord("-"), ord("9")):
            return values, None
        whole = pc.equal(pc.binary_length(column), _DATE_LENGTH)
        return values, pc.and_(whole, pc.greater_equal(values, dt.date.min))

    def _booleans(self, column: Arrow) -> tuple[Arrow | None, Arrow | None]:
        true, false = (pa.array(v, pa.string()) for v in (self.field.true_values, self.field.false_values))
        is_true, is_false = pc.is_in(column, value_set=true), pc.is_in(column, value_set=false)
        values = pc.if_else(column.is_valid(), is_true, pa.scalar(None, pa.bool_()))
        return values, None if "enum" in self.limits else pc.xor(is_true, is_false)


def places(mask: Arrow) -> Array:
    """Return where a mask is true, from 0."""
    return np.flatnonzero(pc.fill_null(mask, fill_value=False).to_numpy(zero_copy_only=False))


def run_starts(column: Arrow) -> Array:
    """Return where cells begin that differ from the one before them."""
    lengths, firsts, lasts = _ends(column)
    if column.null_count or lengths.max(initial=0) > _TWO_WORDS:
        changes = pc.not_equal(column.slice(1), column.slice(0, max(len(column) - 1, 0)))
        changed = pc.fill_null(changes, fill_value=True).to_numpy(zero_copy_only=False)
    else:
        changed = lengths[1:] != lengths[:-1]
        changed |= firsts[1:] != firsts[:-1]
        changed |= lasts[1:] != lasts[:-1]
    return np.concatenate([np.zeros(min(len(column), 1), np.int64), np.flatnonzero(changed) + 1])


def _ends(column: Arrow) -> tuple[Array, Array, Array]:
    """Return the lengths of texts, and the first and the last eight bytes of each: all there is of short ones."""
    ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    data = np.concatenate([np.zeros(_WORD, np.uint8), text_bytes(column), np.zeros(_WORD, np.uint8)])
    words = np.ndarray((len(data) - _WORD + 1,), np.uint64, data, strides=(1,))
    ends = ends.astype(np.int64) - ends[0]
    lengths = np.diff(ends)
    firsts = words[ends[:-1] + _WORD] & MASKS[np.minimum(lengths, _WORD)]
    return lengths, firsts, np.where(lengths > _WORD, words[ends[1:]], 0)


def _long_runs(column: Arrow) -> Array | None:
    """Return where runs of equal cells begin, if the first cells say that most repeat the one before."""
    sample = column.slice(0, _FEW)
    return run_starts(column) if len(column) and len(run_starts(sample)) * 2 < len(sample) else None


def _made_of(column: Arrow, lowest: int, highest: int) -> bool:
    """Say whether each byte of the column lies between two others; looks at all bytes at once."""
    held = text_bytes(column)
    return not held.size or bool(held.min() >= lowest and held.max() <= highest)


def text_bytes(column: Arrow) -> Array:
    """Return the bytes of all texts of a column, one after the other."""
    _, offsets, data = column.buffers()
    if data is None or not len(column):
        return np.empty(0, np.uint8)
    at = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data, np.uint8)[at[0] : at[-1]]


def _cast(column: Arrow, kind: pa.DataType) -> Arrow | None:
    try:
        return column.cast(kind)
    except pa.ArrowInvalid:
        return None
