"""Spans of many sources → their table, made by column; and how much of each text is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from defectors_data.measuring import Column, Numbers, Texts
from defectors_data.tabling import CONTEXT

Place: TypeAlias = tuple[int, int, str, str, str, int]
"""Start, end, table, record, field and part of a span: in this order spans of a source stand in their table."""

WITH_CONTEXT = ("figures", "mentions")
"""Tables whose records are published with words around theirs."""


class Spans:
    """The spans of some sources, in order."""

    def __init__(self, texts: Texts, found: Mapping[int, Sequence[Place]]) -> None:
        """Take the spans of texts by their numbers, which ascend."""
        self.texts = texts
        columns = list(zip(*(place for places in found.values() for place in places), strict=True)) or [()] * 6
        self.starts, self.ends = (np.array(column, np.int64) for column in columns[:2])
        self.tables, self.records, self.fields = (pa.array(column, pa.string()) for column in columns[2:5])
        self.parts = np.array(columns[5], np.int64)
        self.of = np.repeat(np.array(list(found), np.int64), [len(places) for places in found.values()])
        """The number of the text that each stands in."""
        in_context: Any = pc.is_in(self.tables, value_set=pa.array(WITH_CONTEXT))
        around = np.where(in_context.to_numpy(zero_copy_only=False), CONTEXT, 0)
        length = texts.chars[self.of]
        self.shown_from = np.maximum(self.starts - around, 0)
        self.shown_to = np.minimum(self.ends + around, length)

    def revealed(self) -> Numbers:
        """Return how many code points of each text are published: with what is around them, none twice."""
        first = np.concatenate([[0], np.cumsum(self.texts.chars)])
        order = np.lexsort((self.shown_from, self.of))
        of = self.of[order]
        starts, ends = first[of] + self.shown_from[order], first[of] + self.shown_to[order]
        reached = np.concatenate([[0], np.maximum.accumulate(ends)[:-1]]) if len(ends) else ends
        fresh = np.maximum(ends - np.maximum(starts, reached), 0)
        return np.bincount(of, fresh, len(self.texts.chars)).astype(np.int64)

    def table(self, sources: Column, schema: pa.Schema) -> pa.Table:
        """Return the table; `sources` are the ids of the texts."""
        texts, of = self.texts, self.of
        starts, ends = texts.places(of, self.starts), texts.places(of, self.ends)
        lines, columns = texts.lines(of, starts)
        parts = numbers(self.parts)
        joined: Any = pc.binary_join_element_wise
        arrays = [
            joined(self.records, self.fields, parts.cast(pa.string()), "."),
            *(self.tables, self.records, self.fields, parts, sources.take(numbers(of))),
            *map(numbers, (self.starts, self.ends)),
            *(numbers(texts.in_utf16(of, self.starts, starts)), numbers(texts.in_utf16(of, self.ends, ends))),
            *(numbers(texts.in_bytes(of, starts)), numbers(texts.in_bytes(of, ends))),
            *(numbers(lines), numbers(columns), texts.cut(starts, ends)),
            _or_null(texts.cut(texts.places(of, self.shown_from), starts)),
            _or_null(texts.cut(ends, texts.places(of, self.shown_to))),
        ]
        return pa.Table.from_arrays(arrays, schema=schema)


def numbers(column: Numbers) -> Column:
    """Return a column of numbers as Arrow has it, without asking pandas whether it is one of its own."""
    return pa.Array.from_buffers(
        pa.int64(), len(column), [None, pa.py_buffer(np.ascontiguousarray(column, np.int64).data)]
    )


def _or_null(words: Column) -> Column:
    """Return words, null instead of none."""
    _, offsets, data = words.buffers()
    held = np.diff(np.frombuffer(offsets, np.int32)) > 0
    buffers = [pa.py_buffer(np.packbits(held, bitorder="little").data), offsets, data]
    return pa.Array.from_buffers(pa.string(), len(words), buffers)
