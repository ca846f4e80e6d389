"""What is counted in many texts at once is what is counted in each of them alone."""

from __future__ import annotations

import hashlib
import random
import re

import numpy as np
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from defectors_data.measuring import Texts
from defectors_data.spans import Offsets, line_and_column

SIGNS = " \t\n\r\x00\x0b\x0c\x1c\x7f\x80\x85\xa0\u1680\u2009\u2028\u3000\ufeffab’é“ß🙂"
some_texts = st.lists(st.text(st.sampled_from(SIGNS), max_size=12), min_size=1, max_size=6)


def measured(texts: list[str]) -> Texts:
    """Return texts as they lie in the middle of a column."""
    return Texts(pa.array(["é 🙂", *texts, "é"], pa.string()).slice(1, len(texts)))


@given(texts=some_texts)
@example(texts=["\ufeffa", "", "a\ufeff", "\u2009"])
def test_odd_texts_are_told_apart(texts: list[str]) -> None:
    found = measured(texts)
    control = [bool(re.search("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f]|^\ufeff", text)) for text in texts]
    assert found.odd().tolist() == control
    spaces = [bool(re.search(r"[^\S \t\n\x0b-\x1f\x85]", text)) for text in texts]
    assert found.with_odd_spaces().tolist() == spaces
    plain = [not odd and not odd_space for odd, odd_space in zip(control, spaces, strict=True)]
    words = zip(plain, found.words, texts, strict=True)
    assert all(count == len(text.split()) for is_plain, count, text in words if is_plain)
    assert found.sums() == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert found.chars.tolist() == list(map(len, texts))
    assert [found.text(i) for i in range(len(texts))] == texts


@given(texts=some_texts, chance=st.randoms())
def test_offsets_are_those_of_each_text_alone(texts: list[str], chance: random.Random) -> None:
    found = measured(texts)
    spans = [(i, *sorted(chance.choices(range(len(text) + 1), k=2))) for i, text in enumerate(texts) for _ in range(4)]
    of, starts, ends = (np.array(column, np.int64) for column in zip(*spans, strict=True))
    first, last = found.places(of, starts), found.places(of, ends)
    alone = [(Offsets(texts[i]), start) for i, start, _ in spans]
    assert found.in_bytes(of, first).tolist() == [offsets.utf8(start) for offsets, start in alone]
    assert found.in_utf16(of, starts, first).tolist() == [offsets.utf16(start) for offsets, start in alone]
    lines = [column.tolist() for column in found.lines(of, first)]
    assert list(zip(*lines, strict=True)) == [line_and_column(texts[i], start) for i, start, _ in spans]
    assert found.cut(first, last).to_pylist() == [texts[i][start:end] for i, start, end in spans]
