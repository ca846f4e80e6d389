"""Agreement equals that of `krippendorff` and `nervaluate`, for simulated readers who make a known number of errors.

They run in an environment of their own (`make build/readers/.ready`).
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

from conftest import PROJECT
from defectors_data.rows import agreement
from defectors_data.rows.agreement import CodedRecord

pytestmark = pytest.mark.deep

READERS = PROJECT / "build/readers/bin/python"
OTHERS = """
import json, sys
import krippendorff
from nervaluate import Evaluator

answers = []
for case in json.load(sys.stdin):
    spans = [[[{"label": "x", "start": a, "end": b - 1} for a, b in each]] for each in case["spans"]]
    results = Evaluator(*spans, tags=["x"], loader="dict").evaluate()["overall"]
    marks = [[int(any(a <= i < b for a, b in each)) for i in range(case["length"])] for each in case["spans"]]
    terms = sorted({term for each in case["codes"] for term in each})
    codes = [[terms.index(term) for term in each] for each in case["codes"]]
    alphas = [krippendorff.alpha(reliability_data=data, level_of_measurement="nominal") for data in (marks, codes)]
    answers.append([results["exact"].f1, results["ent_type"].f1, *alphas])
print(json.dumps(answers))
"""
TERMS = ("weather", "escape", "family", "other")


def simulated(seed: int) -> dict[str, Any]:
    """Return two readings of one article: the second misses, moves and recodes records at known rates."""
    chance = random.Random(seed)  # noqa: S311  # the same readers in every run
    starts = range(0, 1000, 20)
    spans = [(at, at + chance.randrange(4, 12)) for at in starts]
    codes = [chance.choice(TERMS) for _ in spans]
    kept = [i for i in range(len(spans)) if chance.random() > 0.1]
    moved = {i: chance.random() < 0.2 for i in kept}
    theirs = [(spans[i][0] + 2 * moved[i], spans[i][1] + 2 * moved[i]) for i in kept]
    again = [chance.choice(TERMS) if chance.random() < 0.3 else codes[i] for i in kept]
    both = [[codes[i] for i in kept], again]
    return {"length": 1020, "spans": [spans, theirs], "codes": both, "kept": kept, "moved": sum(moved.values())}


def coded(spans: Sequence[tuple[int, int]], codes: Sequence[str]) -> list[CodedRecord]:
    return [CodedRecord(frozenset(range(*span)), {"mode": code}) for span, code in zip(spans, codes, strict=True)]


def test_agreement_is_that_of_others_on_readers_with_known_errors() -> None:
    cases = [simulated(seed) for seed in range(30)]
    ran = subprocess.run([READERS, "-c", OTHERS], input=json.dumps(cases), capture_output=True, text=True, check=True)
    for case, (exact, overlapping, unitising, coding) in zip(cases, json.loads(ran.stdout), strict=True):
        first, second = case["spans"]
        codes = dict(zip(case["kept"], case["codes"][0], strict=True))
        one = coded(first, [codes.get(i, "other") for i in range(len(first))])
        pairs = agreement.matched(one, coded(second, case["codes"][1]))
        found = agreement.found("testimonies", agreement.counted(pairs))
        assert found.both == len(second), "each record of the second reader is one of the first"
        assert found.exact_f1 == pytest.approx(2 * (len(second) - case["moved"]) / (len(first) + len(second)))
        assert found.exact_f1 == pytest.approx(exact)
        assert found.f1 == pytest.approx(overlapping)
        assert agreement.alpha(agreement.unitising(pairs, case["length"])) == pytest.approx(unitising)
        values = [(a.codes["mode"], b.codes["mode"]) for a, b in pairs if a and b]
        assert agreement.alpha(values) == pytest.approx(coding)
