"""Altered quotations of the published articles are flagged, with place and difference, and legitimate ones accepted.

The words are read from the published tables, and nothing of them is stored here.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from conftest import PROJECT
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import quotecheck
from defectors_data.readers.quotecheck.articles import published
from defectors_data.readers.quotecheck.quotation_search import QuotationSearch
from defectors_data.rows.labels import outlet_label

OTHERS = "window garden seven quickly yellow mountain paper slowly music bridge winter letter".split()
NEGATION = re.compile(r"\b(?:not|never|no|nobody|none|nothing|without|cannot)\b|n['’]t\b")
Edit: TypeAlias = Callable[[str, random.Random], str | None]


class Case(NamedTuple):
    """A sentence of a draft with a quotation, and the article that has the original words."""

    sentence: str
    source: str


@cache
def evidence() -> tuple[tuple[str, str], ...]:
    """Return the parts of evidence of direct testimonies, each of six words or more in one paragraph, by source."""
    tables = PackageTables(PROJECT / "dist", ("testimonies", "spans"))
    direct = {row["testimony_id"] for row in tables.rows("testimonies") if row["mode"] == "direct"}
    rows = [row for row in tables.rows("spans") if row["field"] == "evidence" and row["record_id"] in direct]
    parts = [(row["source_id"], re.sub(r"^\W+|[^\w.!?]+$", "", row["exact"])) for row in rows]
    return tuple(
        (source, words) for source, words in parts if len(words.split()) >= 6 and not re.search(r"[\n“”\"]", words)
    )


def dropped(words: str, pick: random.Random) -> str | None:
    each = words.split()
    at = pick.randrange(1, len(each) - 1)
    return " ".join(each[:at] + each[at + 1 :])


def replaced(words: str, pick: random.Random) -> str | None:
    each = words.split()
    each[pick.randrange(1, len(each) - 1)] = pick.choice(OTHERS)
    return " ".join(each)


def digit(words: str, pick: random.Random) -> str | None:
    hits = list(re.finditer(r"\d", words))
    if not hits:
        return None
    hit = pick.choice(hits)
    return f"{words[: hit.start()]}{(int(hit[0]) + pick.randrange(1, 9)) % 10}{words[hit.end() :]}"


def swapped(words: str, pick: random.Random) -> str | None:
    each = re.split(r"(?<=[.!?]) +", words)
    if len(each) == 1:
        return None
    at = pick.randrange(len(each) - 1)
    each[at : at + 2] = reversed(each[at : at + 2])
    return " ".join(each)


def cased(words: str, pick: random.Random) -> str | None:
    each = words.split()
    at = pick.choice([i for i, word in enumerate(each) if i and word[0].isalpha()])
    each[at] = each[at][0].swapcase() + each[at][1:]
    return " ".join(each)


def hidden(words: str, pick: random.Random) -> str | None:
    hits = [hit for hit in NEGATION.finditer(words) if hit.start() > 2]
    if not hits:
        return None
    hit = pick.choice(hits)
    return f"{words[: hit.start()].rstrip()} … {words[hit.end() :].lstrip()}"


ALTERED: dict[Edit, int] = {dropped: 45, replaced: 45, digit: 15, swapped: 30, cased: 20, hidden: 25}
MISPLACED = 20


def omitted(words: str, pick: random.Random) -> str | None:
    each = words.split()
    at = pick.randrange(2, len(each) - 2)
    left_out = " ".join(each[at : at + 2])
    is_quiet = not NEGATION.search(left_out) and not re.search(r"[.!?]", left_out)
    return " ".join([*each[:at], "[...]", *each[at + 2 :]]) if is_quiet else None


def inserted(words: str, pick: random.Random) -> str | None:
    each = words.split()
    each.insert(pick.randrange(2, len(each) - 1), pick.choice(["[sic]", "[in the north]"]))
    return " ".join(each)


def bracketed(words: str, pick: random.Random) -> str | None:  # noqa: ARG001  # as all edits
    return f"[{words[0].swapcase()}]{words[1:]}"


def uncapitalised(words: str, pick: random.Random) -> str | None:  # noqa: ARG001
    return words[0].swapcase() + words[1:]


def straight(words: str, pick: random.Random) -> str | None:  # noqa: ARG001
    return words.replace("’", "'")


def broken(words: str, pick: random.Random) -> str | None:
    each = words.split()
    at = pick.randrange(2, len(each) - 1)
    return " ".join(each[:at]) + "\n" + " ".join(each[at:])


LEGITIMATE: dict[Edit, int] = {omitted: 14, inserted: 10, bracketed: 8, uncapitalised: 6, straight: 4, broken: 10}


def made(edits: dict[Edit, int], *, differ: bool) -> list[Case]:
    """Return edited quotations, which are the same in every run; if they must `differ`, no article has their words."""
    pick = random.Random(47)  # noqa: S311  # a choice of tests
    texts = [path.read_text(encoding="utf-8") for path in sorted((PROJECT / "seeds").glob("*.txt"))]
    printed = " ".join(" ".join(texts).split())
    cases = list[Case]()
    for edit, number in edits.items():
        originals = list(evidence()) * 12
        pick.shuffle(originals)
        found = list[Case]()
        for source, words in originals:
            quotation = edit(words, pick)
            if quotation and not (differ and quotation in printed) and len(found) < number:
                found.append(Case(f"“{quotation}” they said.", source))
        assert found, edit  # after a takedown there may be fewer
        cases += found
    return cases


def misplaced() -> list[Case]:
    """Return exact quotations under the name of the outlet of another article."""
    rows = list(PackageTables(PROJECT / "dist", ("sources",)).rows("sources"))
    outlets = {row["source_id"]: row["outlet"] for row in rows}
    cases = list[Case]()
    for i, (source, words) in enumerate(evidence()[:MISPLACED]):
        others = [outlet for name, outlet in sorted(outlets.items()) if name != source]
        cases.append(Case(f"According to {others[i % len(others)]}, a soldier said: “{words}”", source))
    return cases


def checked(cases: list[Case], folder: Path) -> list[list[quotecheck.CheckedQuote]]:
    """Return the results of each case; one that is broken into two lines has the results of both."""
    draft, first, numbers = folder / "draft.txt", 1, list[range]()
    for case in cases:
        numbers.append(range(first, first + case.sentence.count("\n") + 1))
        first = numbers[-1].stop + 1
    draft.write_text("".join(f"{case.sentence}\n\n" for case in cases), encoding="utf-8")
    found = quotecheck.check(PROJECT / "dist", draft, seeds=PROJECT / "seeds").checked
    quotations = [item for item in found if item.kind == "quotation"]
    return [[item for item in quotations if item.line in lines] for lines in numbers]


def test_altered_and_misplaced_quotations_are_flagged_with_place_and_difference(tmp_path: Path) -> None:
    cases = [*made(ALTERED, differ=True), *misplaced()]
    sources = PackageTables(PROJECT / "dist", ("sources",)).rows("sources")
    outlets = {row["source_id"]: outlet_label(row) for row in sources}
    flagged = placed = 0
    for case, items in zip(cases, checked(cases, tmp_path), strict=True):
        wrong = [item for item in items if item.verdict in ("altered", "not_found")]
        right_place = [item for item in wrong if (item.article or "").startswith(f"{outlets[case.source]}:")]
        flagged += bool(wrong)
        placed += any(item.difference for item in right_place)
    number = len(cases)
    assert (flagged >= 0.975 * number, placed >= 0.95 * number) == (True, True), (flagged, placed, number)


def test_marked_and_typographic_changes_are_accepted(tmp_path: Path) -> None:
    cases = made(LEGITIMATE, differ=False)
    found = checked(cases, tmp_path)
    assert len(cases) >= 50
    refused = [(case.sentence, items) for case, items in zip(cases, found, strict=True) if len(items) != 1]
    refused += [
        (case.sentence, items)
        for case, items in zip(cases, found, strict=True)
        for item in items
        if item.verdict != "verbatim"
    ]
    assert refused == []
    assert Counter(bool(items[0].notes) for items in found)[True] >= LEGITIMATE[inserted] + LEGITIMATE[bracketed]


def test_the_words_of_all_evidence_are_right() -> None:
    search = QuotationSearch(published(PROJECT / "dist", PROJECT / "seeds"))
    rows = [row for row in PackageTables(PROJECT / "dist", ("spans",)).rows("spans") if row["field"] == "evidence"]
    found = {row["span_id"]: search.matches(row["exact"]) for row in rows}
    wrong = [name for name, matches in found.items() if not matches or matches[0].differences]
    assert (len(found) > 200, wrong) == (True, [])


@pytest.mark.parametrize("outlet", ["VICE News", "NPR"])
def test_a_number_of_several_articles_is_that_of_the_one_that_is_named(tmp_path: Path, outlet: str) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(f"{outlet} reports that nearly 1,000 soldiers deserted to Colombia.\n", encoding="utf-8")
    [[item], *_] = quotecheck.check(PROJECT / "dist", draft)
    assert item.verdict == "same_number", item
    assert item.judgements["article"] == "right", item
