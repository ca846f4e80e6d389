"""Facts about single rules: the `.case` files in the folders of tests/findings/, each a small corpus and its findings.

The name of a file is the fact that it shows. A case without expected findings must have none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import found_in
from defectors_data.corpus import findings
from finding_cases import FACTS, fact, lay


@pytest.mark.parametrize("name", FACTS)
def test_a_rule_says_this_and_no_more(name: str, tmp_path: Path, golden: bool) -> None:
    files, written, expected = fact(FACTS[name])
    said = "".join(findings.text(finding) + "\n" for finding in found_in(lay(files, tmp_path / "corpus")))
    if golden:
        FACTS[name].write_bytes((written + said).encode())
    assert said == expected
