"""Altered quotations of the published articles are recognised, with their records; they are made anew for each test.

The words are read from the published tables, and nothing of them is stored here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import PROJECT
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import quotecheck

NUMBER = 30
OTHERS = "window garden seven quickly yellow mountain paper never always slowly music bridge winter letter".split()


class Altered(NamedTuple):
    """Words with one alteration, and the records whose evidence has the original ones."""

    words: str
    original: str
    records: frozenset[str]


def evidence() -> dict[str, str]:
    """Return the parts of evidence of direct testimonies, each in one paragraph and of six words or more, by record."""
    tables = PackageTables(PROJECT / "dist", ("testimonies", "spans"))
    direct = {row["testimony_id"] for row in tables.rows("testimonies") if row["mode"] == "direct"}
    return {
        f"testimonies/{row['record_id']}": re.sub(r"^\W+|\W+$", "", row["exact"])
        for row in tables.rows("spans")
        if row["field"] == "evidence" and row["record_id"] in direct
        if len(row["exact"].split()) >= 6 and not re.search(r"[\n“”\"]", row["exact"].strip('“”"'))
    }


def alterations(words: list[str], pick: random.Random) -> Iterator[list[str]]:
    """Yield the words with one replaced, one left out, one added, two exchanged, and the first four left out."""
    at, other = pick.randrange(1, len(words) - 1), pick.choice(OTHERS)
    yield [*words[:at], other, *words[at + 1 :]]
    yield [*words[:at], *words[at + 1 :]]
    yield [*words[:at], other, *words[at:]]
    yield [*words[: at - 1], words[at], words[at - 1], *words[at + 1 :]]
    yield [other, *words[2:]]


def altered() -> list[Altered]:
    """Return `NUMBER` altered quotations, which are the same in every run."""
    pick, originals, made = random.Random(80), evidence(), list[Altered]()  # noqa: S311  # a choice of tests
    everything = " ".join(
        " ".join(path.read_text(encoding="utf-8").split()) for path in sorted((PROJECT / "seeds").glob("*.txt"))
    )
    while len(made) < NUMBER:
        for number, (_, original) in enumerate(sorted(originals.items())):
            records = frozenset(record for record, words in originals.items() if original in words or words in original)
            kinds = list(alterations(original.split(), pick))
            words = " ".join(kinds[(number + len(made)) % len(kinds)])
            if words not in everything and len(made) < NUMBER:
                made.append(Altered(words, original, records))
    return made


def checked(cases: list[Altered], folder: Path) -> list[quotecheck.CheckedQuote]:
    draft = folder / "draft.txt"
    draft.write_text("".join(f"They said “{case.words}”\n\n" for case in cases), encoding="utf-8")
    found = quotecheck.check(PROJECT / "dist", draft, seeds=PROJECT / "seeds").checked
    return [item for item in found if item.kind == "quotation"]


@pytest.mark.deep
def test_altered_quotations_of_the_articles_are_found_with_their_records(tmp_path: Path) -> None:
    cases = altered()
    found = checked(cases, tmp_path)
    assert len(found) == len(cases) == NUMBER
    right = sum(item.verdict == "altered" and bool(item.difference) for item in found)
    named = sum(item.record in case.records for case, item in zip(cases, found, strict=True))
    assert (right >= 0.97 * len(cases), named >= 0.95 * len(cases)) == (True, True), (right, named, len(cases))


def test_quotations_of_the_articles_are_verbatim_with_their_records(tmp_path: Path) -> None:
    originals = evidence()
    cases = [
        Altered(words, words, frozenset(record for record, others in originals.items() if words in others))
        for _, words in sorted(originals.items())
    ]
    found = checked(cases, tmp_path)
    right = sum(item.verdict == "verbatim" for item in found)
    named = sum(item.record in case.records for case, item in zip(cases, found, strict=True))
    assert (len(found), right) == (len(cases), len(cases))
    assert named >= 0.95 * len(cases)
