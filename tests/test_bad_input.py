"""Bad input of every kind: what is done to a sound project, what the user sees, and that dist/ is as it was.

The table says what is done; what the user sees stands in `tests/bad_input/`, a file for each group, and is rewritten
with `--golden`. Each mistake is one finding: one clear sentence at its place, with what to do.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from calling import run
from conftest import PROJECT, found_in, spread
from defectors_data.corpus import findings
from defectors_data.corpus.file_tree import FileTree
from finding_output import one_finding, one_well_said
from lookalikes import ALIKE
from mistakes import BAD, Bad, words

# ---- what the user sees, and what is true afterwards -------------------------------------------------------


def content(root: Path) -> dict[str, bytes]:
    """Return what is published, and every name beside it."""
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in (root / "dist").rglob("*.*")}
    return files | {f"beside: {path.name}": b"" for path in root.iterdir()}


def names(root: Path) -> list[str]:
    """Return every name in a folder, in order."""
    return sorted(path.name for path in root.iterdir())


def seen(group: str) -> dict[str, str]:
    """Return what the user sees of a group, by the name of the mistake."""
    path = PROJECT / f"tests/bad_input/{group}.txt"
    blocks = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8") if path.exists() else "", flags=re.MULTILINE)
    return {name: text.removesuffix("\n") for name, text in zip(blocks[1::2], blocks[2::2], strict=True)}


def rewrite(group: str, name: str, out: str) -> None:
    order = [bad.name for bad in (*BAD, *ALIKE) if bad.group == group]
    blocks = {**seen(group), name: out}
    text = "".join(f"## {known}\n{blocks[known]}\n" for known in order if known in blocks)
    (PROJECT / f"tests/bad_input/{group}.txt").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.group}: {bad.name}")
def test_a_mistake_is_one_finding(bad: Bad, copied: Path, golden: bool) -> None:
    bad.act(copied)
    [finding] = found_in(copied)
    out = one_well_said(findings.text(finding) + "\n")
    if golden:
        rewrite(bad.group, bad.name, out)
    assert out == seen(bad.group)[bad.name]


@pytest.mark.parametrize("bad", spread(BAD, 24))
def test_a_build_says_the_same_and_dist_stays(bad: Bad, copied: Path, published: Path) -> None:
    bad.act(copied)
    before, beside = content(published), names(copied)
    out = one_finding(run("build", "--out", published / "dist", where=copied))
    assert (content(published), names(copied)) == (before, beside)
    assert out == seen(bad.group)[bad.name]


@pytest.mark.parametrize("bad", spread(((bad,) for bad in ALIKE), 4))
def test_a_lookalike_character_is_one_finding(bad: Bad, copied: Path, golden: bool) -> None:
    bad.act(copied)
    [finding] = found_in(copied)
    out = findings.text(finding) + "\n"
    if golden:
        rewrite(bad.group, bad.name, out)
    assert out == seen(bad.group)[bad.name]


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "seed.txt")
    with pytest.raises(OSError, match="not a regular file"):
        FileTree(tmp_path).opened("seed.txt")


def test_a_failed_build_leaves_no_files_behind(copied: Path) -> None:
    words("two ins")(copied)
    before = names(copied)
    one_finding(run("build", where=copied))
    assert names(copied) == before


def test_no_typed_words_about_a_removed_record_are_repeated() -> None:
    assert not any("Xq" in told or "Zvbn" in told for told in seen("records").values())


def test_every_block_belongs_to_a_mistake() -> None:
    for group in ("seeds", "yaml", "records", "lookalikes"):
        assert list(seen(group)) == [bad.name for bad in (*BAD, *ALIKE) if bad.group == group]
