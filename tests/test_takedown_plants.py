"""Nothing of a removed person's name is left unlisted, wherever and however it was written."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from conftest import found_in
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.publishers import takedown
from defectors_data.publishers.takedown import TakedownPlan
from every_field import FIELDS, Field, planted, rich_corpus, save
from takedowns import DAY

FORMS = [
    "Mira Fenn",
    "MIRA FENN’S",
    "mira-fenn",
    "mira_fenn",
    "Mira\nFenn",
    "Mira",
    "Fenn",
    "fenn",
    "M. Fenn",
    "M. F.",
    "Of M.\nF.",
    "https://example.org/mira-fenn",
    "mira-fenn.txt",
]
NAME = re.compile(r"(?<![^\W_])(?:mira|fenn|m\W{1,2}f)(?![^\W_])", re.IGNORECASE)


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rich_corpus(tmp_path_factory.mktemp("rich"))


def in_each_form(root: Path, field: Field, forms: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Give files in which a field contains the name in each of these forms that its model accepts."""
    for form in forms:
        yield from islice(planted(root, field, [form], not_of="mira-fenn"), 1)


def unlisted(root: Path, folder: Path) -> list[str]:
    """Return the lines with a form of the name that remain after a takedown, but that it does not list."""
    corpus = CorpusReader(FileTree(root))
    removal = takedown.removal_of(corpus, "mira-fenn", reason="safety")
    plan, _ = takedown.draft(corpus, removal, folder, reason="safety", day=DAY)
    listed = {(each.file, each.line) for each in (*plan.printed, *plan.may_be_meant)}
    listed |= {(each.file, each.line) for each in plan.by_hand}
    found = []
    for path in sorted(root.rglob("*")):
        file = path.relative_to(root).as_posix()
        if path.is_file() and not file.startswith(("seeds/", "build/")):
            places = {line for name, line in listed if name == file}
            # A value over several lines is listed with its first one.
            places |= {number + 2 for number in places} if path.suffix == ".yaml" else set()
            found += [f"{file}, line {number}" for number in left(plan, file, path) if number not in places]
    return found


def left(plan: TakedownPlan, file: str, path: Path) -> Iterator[int]:
    """Give the numbers of the lines of a file in which a form of the name begins after a takedown; 0 is its path."""
    new = plan.changed.get(file, path)
    if new is None:
        return
    if NAME.search(file):
        yield 0
    text = new.read_text(encoding="utf-8")
    for hit in NAME.finditer(text):
        yield text.count("\n", 0, hit.start()) + 1


def rotated(number: int) -> list[str]:
    """Return the forms, beginning with another one for each number."""
    return [*FORMS[number % len(FORMS) :], *FORMS[: number % len(FORMS)]]


REFERRED = [field for field in FIELDS if field.name in ("id", "seed")]
"""A name in one of these makes references wrong, so they are tried one at a time."""
GROUPS = 20


@pytest.mark.parametrize("first", range(GROUPS))
def test_what_is_left_of_a_name_in_a_field_is_listed(rich: Path, tmp_path: Path, first: int) -> None:
    """Every twentieth field at once, so that each form is in many fields; the sweep tries each field by itself."""
    root = Path(shutil.copytree(rich, tmp_path / "root"))
    others = [field for field in FIELDS if field not in REFERRED]
    for number, field in list(enumerate(others))[first::GROUPS]:
        for file, content in islice(in_each_form(root, field, rotated(number)), 1):
            save(root, file, content)
    (tmp_path / "new").mkdir()
    assert unlisted(root, tmp_path / "new") == []


@pytest.mark.parametrize(("number", "field"), list(enumerate(REFERRED)), ids=str)
def test_what_is_left_of_a_name_in_an_id_is_listed(rich: Path, tmp_path: Path, number: int, field: Field) -> None:
    all_are_listed(rich, tmp_path, field, rotated(number), most=1)


@pytest.mark.sweep
@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_what_is_left_of_a_name_in_any_form_is_listed(rich: Path, tmp_path: Path, field: Field) -> None:
    all_are_listed(rich, tmp_path, field, FORMS)


def all_are_listed(rich: Path, tmp_path: Path, field: Field, forms: Sequence[str], most: int | None = None) -> None:
    for i, (file, content) in enumerate(islice(in_each_form(rich, field, forms), most)):
        root = Path(shutil.copytree(rich, tmp_path / str(i)))
        save(root, file, content)
        if field.name in ("id", "seed") and found_in(root):
            continue  # a takedown begins only where references are right
        (tmp_path / f"new-{i}").mkdir()
        assert unlisted(root, tmp_path / f"new-{i}") == []


@pytest.mark.parametrize("form", FORMS)
def test_what_is_left_of_a_name_in_other_files_is_listed(rich: Path, tmp_path: Path, form: str) -> None:
    root = Path(shutil.copytree(rich, tmp_path / "root"))
    readings = root / "annotations/readings"
    readings.mkdir()
    (readings / "900_example.first.yaml").write_text(f"# {form!r}\nsource:\n  note: {form!r}\n", encoding="utf-8")
    (readings / "901_second.first.yaml").write_text(f"testimonies:\n- note: {form!r}\n", encoding="utf-8")
    (readings / "adjudication.md").write_text(f"Decided\nby {form}.\n", encoding="utf-8")
    (root / "notes" / form.replace("/", "-")).mkdir(parents=True)
    (root / "notes" / form.replace("/", "-") / "a.md").write_text(f"{form}\n\n{form}\n", encoding="utf-8")
    (root / f"{form.replace('/', '-')}.bin").write_bytes(b"\0")
    (tmp_path / "new").mkdir()
    assert unlisted(root, tmp_path / "new") == []
