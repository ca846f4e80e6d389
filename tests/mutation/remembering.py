"""A plugin for `make grade-code`: what the code under mutation cannot change is worked out once, before it is mutated.

mutmut runs the tests once as they are and then, in a fork of that process, for each mutant. What reading, anchoring
and detecting gave in the first run is the same in every other, as long as it is not they that are mutated. The tests
that are named like the rule that was mutated run first: most mutants need no more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

import pytest

from defectors_data import accounting, proving, reading, values
from defectors_data.corpus import Corpus
from defectors_data.proving import Proof


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring forward the tests that are named like the function under mutation."""
    found = re.search(r"x_(\w+)__mutmut", os.environ.get("MUTANT_UNDER_TEST", ""))
    code = found[1].replace("_", "-") if found else "none"
    items.sort(key=lambda item: code not in item.nodeid)


READ = reading.read
KNOWN: dict[tuple[tuple[str, bytes], ...], reading.Read] = {}


def read(root: Path, *, changed: Mapping[str, bytes | None] = MappingProxyType({})) -> reading.Read:
    """Read a corpus, or remember what the same files gave."""
    paths = sorted(root.rglob("*"))
    if changed or any(path.is_symlink() for path in paths):
        return READ(root, changed=changed)
    key = tuple((path.relative_to(root).as_posix(), path.read_bytes()) for path in paths if path.is_file())
    if key not in KNOWN:
        KNOWN[key] = READ(root)
    return KNOWN[key]._replace(findings=[*KNOWN[key].findings])


def prover() -> None:
    """Prove a corpus once."""
    prove, proofs = proving.prove, dict[int, Proof]()

    def remembered(corpus: Corpus) -> Proof:
        proof = proofs.get(id(corpus))
        if proof is None or proof.corpus is not corpus:
            proof = proofs[id(corpus)] = prove(corpus)
        return proof

    proving.prove = remembered


reading.read = read
values.edtf_bounds = cache(values.edtf_bounds)
if os.environ.get("REMEMBERED") == "anchoring.py":
    accounting.detect = lru_cache(maxsize=4096)(accounting.detect)
if os.environ.get("REMEMBERED") == "checks/":
    prover()
