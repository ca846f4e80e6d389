"""Facts about single rules: the `.case` files beside those of each fault, a changed corpus and what is said of it.

A case is a list of changes, a line `---`, and the findings, to the letter; where none are written, none may be found.
Its name is the fact that it holds.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import found_in
from defectors_data.corpus import findings
from test_findings import FOLDER, damage

CASES = {f"{path.parent.name}/{path.stem}": path for path in sorted(FOLDER.glob("*/*.case"))}
MARK = "---\n"


@cache
def changes(path: Path) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8").partition(MARK)[0])
    return content


@pytest.mark.parametrize("name", CASES)
def test_a_rule_says_this_and_no_more(name: str, copied: Path, golden: bool) -> None:
    path = CASES[name]
    for change in changes(path):
        damage(copied, change)
    said = "".join(findings.text(finding) + "\n" for finding in found_in(copied))
    written, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    if golden:
        path.write_text(written + MARK + said, encoding="utf-8")
    assert said == expected
