"""Keys of rows as 64-bit hashes: what has to be there once, and what has to be somewhere else.

Equal keys have equal hashes, so what is twice and what is nowhere is found for certain, and told only after the texts
themselves were compared. A key that leads nowhere passes only if its hash is that of a key that is there: among ten
million keys on each side, once in 180,000 packages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from defectors_data.columnar.batches import Arrow, pc
from defectors_data.columnar.cells import MASKS, Array, Column, text_bytes

_U64 = np.uint64
_FIRST, _SECOND, _TEXT, _NUMBER, _NULL = (
    _U64(seed)
    for seed in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
)
_WORD, _LONGEST = 8, 512
_FOLD = (1 << 61) - 1


def hashes(columns: Sequence[Column]) -> tuple[Array, Array]:
    """Return the hash of each row's key, and which rows have a key: one of its cells holds something."""
    found, held = np.full(len(columns[0].texts), _TEXT), np.zeros(len(columns[0].texts), bool)
    for column in columns:
        there = pc.is_valid(column.texts).to_numpy(zero_copy_only=False)
        found = _mixed(found ^ np.where(there, _hashed(column), _NULL)) if len(columns) > 1 else _hashed(column)
        held |= there
    return found, held


def distinct(columns: Sequence[Column]) -> Array:
    """Return the hashes of the keys of some rows, each once as far as that is cheap, and none without a key."""
    if len(columns) > 1:
        found, held = hashes(columns)
        return np.unique(found[held])
    [column] = columns
    texts = pc.drop_null(pc.unique(column.few))
    return _hashed(column.judge.column(texts))


def twice(ordered: Array) -> Array:
    """Return the hashes that occur more than once, of hashes in order."""
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])


def nowhere(ordered: Array, there: Array) -> Array:
    """Return those of one side's hashes that are not on the other; both are in order."""
    found = ordered[np.append(ordered[1:] != ordered[:-1], True)] if len(ordered) else ordered
    if not len(there):
        return found
    at = np.minimum(np.searchsorted(there, found), len(there) - 1)
    return np.asarray(found[there[at] != found])


def together(pieces: Iterable[Array]) -> Array:
    """Join what was gathered batch by batch."""
    return np.concatenate([np.empty(0, _U64), *pieces])


def values(columns: Sequence[Column], rows: Array) -> list[tuple[Any, ...]]:
    """Return the keys of some rows as frictionless reads them."""
    picked = [(column.judge, column.texts.take(pa.array(rows)).to_pylist()) for column in columns]
    read = [[None if text is None else judge.read(text)[0] for text in texts] for judge, texts in picked]
    return list(zip(*read, strict=True))


def _hashed(column: Column) -> Array:
    if column.judge.type == "string":
        return of_texts(column.texts)
    if column.judge.type == "integer" and column.values is not None:
        return _of_integers(pc.fill_null(column.values, 0).to_numpy(zero_copy_only=False))
    coded = column.texts.dictionary_encode()
    read = [column.judge.read(text)[0] for text in coded.dictionary.to_pylist()]
    of_each = _of_integers(np.array([*(hash(value) for value in read), 0], np.int64))
    for at, value in enumerate(read):
        if isinstance(value, str):  # of a type such as `any`: equal to the same text of a string
            of_each[at] = of_texts(pa.array([value]))[0]
    return np.asarray(of_each[pc.fill_null(coded.indices, len(read)).to_numpy(zero_copy_only=False)])


def _of_integers(numbers: Array) -> Array:
    """Return hashes of integers that agree with what Python makes of equal numbers of any type."""
    folded = np.where(np.abs(numbers) < _FOLD, numbers, np.sign(numbers) * (np.abs(numbers) % _FOLD))
    return _mixed(folded.astype(_U64) ^ _NUMBER)


def of_texts(texts: Arrow) -> Array:
    """Return hashes of texts: eight bytes at a time, of all texts at once."""
    ends = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    ends -= ends[0]
    starts, lengths = ends[:-1], np.diff(ends)
    data = np.concatenate([text_bytes(texts), np.zeros(_WORD, np.uint8)])
    words = np.ndarray((len(data) - _WORD + 1,), _U64, data, strides=(1,))
    found = _mixed(lengths.astype(_U64) ^ _TEXT)
    for done in range(0, min(int(lengths.max(initial=0)), _LONGEST), _WORD):
        left = lengths - done
        alive = slice(None) if left.min() > 0 else np.flatnonzero(left > 0)
        word = words[starts[alive] + done]
        word &= MASKS[np.minimum(left[alive], _WORD)]
        word ^= found[alive]
        word *= _FIRST
        word ^= word >> _U64(29)
        found[alive] = word
    for at in np.flatnonzero(lengths > _LONGEST):
        held = hashlib.blake2b(data[starts[at] : ends[at + 1]].tobytes(), digest_size=_WORD)
        found[at] = int.from_bytes(held.digest(), "little")
    return _mixed(found)


def _mixed(word: Array) -> Array:
    with np.errstate(over="ignore"):
        word = (word ^ (word >> _U64(33))) * _FIRST
        word = (word ^ (word >> _U64(29))) * _SECOND
    return np.asarray(word ^ (word >> _U64(32)))
