"""Many numbers of which few are held: what is asked of them comes out as if all had been."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from defectors_data import fs, spilling
from defectors_data.spilling import PARTS, Runs

NUMBERS = st.lists(st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**58, 2**64 - 1]), max_size=40)


@pytest.mark.parametrize("held", [4, 1 << 16])
@pytest.mark.parametrize("width", [1, 2])
@given(pieces=st.lists(NUMBERS, max_size=8))
def test_every_row_comes_back_in_order_however_few_are_held(held: int, width: int, pieces: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spilling, "HELD", held)
        patch.setattr(spilling, "_FEW", 2)
        kept = Runs(width)
        taken: list[tuple[int, ...]] = []
        for piece in pieces:
            column = np.array(piece, np.uint64)
            kept.add(*[column ^ np.uint64(3 * number) for number in range(width)])
            taken += [tuple(value ^ 3 * number for number in range(width)) for value in piece]
        parts = [kept.part(number) for number in range(PARTS)]
        again = [kept.part(number) for number in range(PARTS)]
    rows = [tuple(map(int, row)) for part in parts for row in part]
    assert sorted(rows) == sorted(taken)
    assert [row[0] for row in rows] == sorted(row[0] for row in taken)
    assert all(one.tolist() == other.tolist() for one, other in zip(parts, again, strict=True))


def test_equal_numbers_are_in_the_same_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilling, "HELD", 16)
    kept = Runs(2)
    numbers = np.random.default_rng(0).integers(0, 2**64, 500, np.uint64)
    for order in range(3):
        kept.add(numbers, np.full(500, order, np.uint64))
    for number in range(PARTS):
        rows = kept.part(number)
        values, counts = np.unique(rows[:, 0], return_counts=True)
        assert set(counts.tolist()) <= {3}
        assert len(values) * 3 == len(rows)


def test_rows_are_taken_after_they_were_asked_for() -> None:
    kept = Runs()
    kept.add(np.array([5], np.uint64))
    assert kept.part(0).tolist() == [[5]]
    kept.add(np.array([4], np.uint64))
    assert kept.part(0).tolist() == [[4], [5]]


def test_a_folder_without_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilling, "HELD", 1)
    monkeypatch.setattr(spilling, "_FEW", 1)
    monkeypatch.setattr("tempfile.tempdir", "/dev/null/nowhere")
    kept = Runs()
    kept.add(np.array([1], np.uint64))
    with pytest.raises(fs.NoScratch, match=r"TMPDIR may name another folder.*/dev/null/nowhere"):
        kept.add(np.array([2], np.uint64))
