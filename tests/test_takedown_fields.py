"""A takedown covers every text field of every model: the fields are read from the models, not from a list."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from conftest import edit, found_in, repin, spread
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import published_folder
from defectors_data.publishers import removal, removed_texts, takedown
from defectors_data.publishers.takedown import TakedownPlan
from every_field import (
    EXAMPLE,
    FIELDS,
    FILES,
    SECOND,
    THIRD,
    Field,
    instances,
    planted,
    reachable,
    rich_corpus,
    save,
    typed_in,
)
from takedowns import DAY, LAYOUTS, ids_in_columns, laid_out, take_out
from takedowns import planned as planned_takedown

NAME = re.compile(r"mira[\W_]*fenn", re.IGNORECASE)

# One of each is tried until the model accepts it: as words, an id, a term, a file, a language, an address and a DOI.
SPELLINGS = [
    "Mira Fenn",
    "mira-fenn",
    "mira_fenn",
    "mira-fenn.txt",
    "en-Mira-Fenn",
    "https://example.org/mira-fenn",
    "10.1234/mira-fenn",
]


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rich_corpus(tmp_path_factory.mktemp("rich"))


def test_the_test_corpus_has_an_instance_of_every_model(rich: Path) -> None:
    roots = [model.model_validate(typed_in(rich, file)) for file, model in FILES.items()]
    there = {type(instance) for root in roots for _, instance in instances(root)}
    assert set(reachable()) <= there, "add one to MORE"


NO_NAME = {
    "StatedDate.value",
    "InferredDate.value",
    "ExternalDate.value",
    "Happened.date",
    "Figure.as_of",
    "Coverage.time",
    "Dataset.words_budget",
    "Source.sha256",
    "EarlierText.sha256",
    "TextOrigin.sha256",
    "TextOrigin.by",
    "Source.language",
    "Dataset.version",
    "Dataset.last_release",
    "Reading.reader",
    "Reading.version",
    "Correction.version",
    *(f"ReleasedId.{key}" for key in ("first", "changed", "words", "meaning", "content")),
    "ComparisonNote.note",
    "Relation.note",
}
"""Fields in which the models accept no name."""


@pytest.mark.parametrize(
    ("record_id", "field"), [("second-m5", "where"), ("third-w1", "happened"), ("third-m1", "acts")]
)
def test_a_code_goes_with_its_words(rich: Path, record_id: str, field: str) -> None:
    with planned_takedown(rich, record_id) as plan:
        assert plan.findings == []
        left = [path.read_text(encoding="utf-8") for path in plan.changed.values() if path]
    file = SECOND if record_id.startswith("second") else THIRD
    assert f"{field}:" in (rich / file).read_text(encoding="utf-8")
    assert f"{field}:" not in "".join(left)


@pytest.mark.parametrize("field", spread(FIELDS, 8), ids=str)
def test_no_field_keeps_the_name(rich: Path, tmp_path: Path, field: Field) -> None:
    """The name goes from a field, or the takedown is refused with file and line and nothing changes."""
    tried = list(islice(planted(rich, field, SPELLINGS, not_of="mira-fenn"), 2))
    assert bool(tried) == (str(field) not in NO_NAME)
    for i, (file, content) in enumerate(tried):
        root = Path(shutil.copytree(rich, tmp_path / str(i)))
        save(root, file, content)
        before = published_folder.contents(root)
        assert_gone_or_refused(root, field)
        assert published_folder.contents(root) == before


def assert_gone_or_refused(root: Path, field: Field) -> None:
    may_keep = removed_texts.may_keep(field.model, field.name) or field.name == "id"
    if may_keep and (findings := found_in(root)):  # before anything is taken out
        assert {finding.place.file for finding in findings} <= set(FILES)
        assert all(finding.place.line for finding in findings)
        return
    refused, taken = edited(root)
    if taken is None:
        found = re.match(r"(\S+), line (\d+), contains the name", refused)
        assert found, refused
        assert NAME.search(line_of(root, found[1], int(found[2])))
        return
    left = {
        file: data.decode()
        for file, data in published_folder.contents(root).items()
        if not file.startswith(("seeds/", "build/"))
    }
    for name, text in {**left, **{file: text for (file, _), text in taken.items()}}.items():
        assert not NAME.search(text or ""), name


def edited(root: Path) -> tuple[str, removed_texts.NewTexts | None]:
    """Return why a takedown is refused, or what it comes to; no rule is asked."""
    try:
        found = takedown.removal_of(CorpusReader(FileTree(root)), "mira-fenn")
        return "", removed_texts.new_texts(found, "person", DAY)
    except removal.TakedownBlockedError as error:
        return str(error), None


def foresee(root: Path, record_id: str) -> TakedownPlan:
    with planned_takedown(root, record_id) as plan:
        return plan


def line_of(root: Path, file: str, number: int) -> str:
    return (root / file).read_text(encoding="utf-8").split("\n")[number - 1]


def test_an_older_tombstone_with_the_name_is_in_the_way(copied: Path) -> None:
    stone = "{table: sources, id: mira-fenn-speaks, date: 2026-01-01, reason: error}"
    (copied / "annotations/tombstones.yaml").write_text(f"tombstones:\n  - {stone}\n", encoding="utf-8")
    assert found_in(copied) == []
    with pytest.raises(removal.TakedownBlockedError, match=r"^annotations/tombstones\.yaml, line 2, contains the name"):
        foresee(copied, "mira-fenn")


# ---- many fields at once, published ----------------------------------------------------------------------------------

PLANTED = [
    ("annotations/900_example.yaml", "    note: The text tells", "    note: Fenn tells"),
    (
        "annotations/900_example.yaml",
        "    reason: term",
        "    reason: term\n    note: |\n      A pull quote.\n      Of MIRA FENN.",
    ),
    (
        "annotations/900_example.yaml",
        "    operands: [example-f6]",
        "    operands: [example-f6]\n    note: A figure is a round number.",
    ),
    (
        "annotations/900_example.yaml",
        "    place: northern_isles\n",
        "    place: northern_isles\n    note: Mira_Fenn's.\n",
    ),
    ("annotations/901_second.yaml", "    hedge: vague", "    hedge: vague\n    note: Mira Fenn's boat."),
    ("annotations/vocabulary.yaml", "[wind, fog, quiet tonight]", "[wind, fog, Mira Fenn said, quiet tonight]"),
    ("annotations/speakers.yaml", "    gender: male", "    gender: male\n    note: Of mira-fenn."),
]


def with_the_name(root: Path) -> Path:
    """Plant the name in every kind of field that a takedown removes it from; the corpus has no findings."""
    with (root / "seeds/901_second.txt").open("a", encoding="utf-8") as seed:
        seed.write("\nMira Fenn was there too.\n")
    repin(root, "901_second")
    for file, old, new in PLANTED:
        edit(root, file, old, new)
    assert found_in(root) == []
    return root


def published(folder: Path) -> Iterator[tuple[str, str]]:
    """Give the text of every published file, that of Parquet decoded."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix == ".parquet":
            yield path.name, f"{pq.read_table(path).to_pylist()} {pq.read_schema(path)}"
        else:
            yield path.name, path.read_text(encoding="utf-8")


LEAKS = re.compile(r"mira[\W_]*fenn|\bfenn\b", re.IGNORECASE)


@pytest.mark.parametrize("layout", spread(LAYOUTS, 2, pytest.mark.deep))
def test_planted_words_in_any_field_are_not_published(copied: Path, layout: str) -> None:
    root = laid_out(with_the_name(copied), layout)
    plan, built = takedown.take_down(root, root / "dist", "mira-fenn", reason="person", day=DAY)
    assert (plan.findings, built and built.outcome) == ([], "published")
    for name, text in (*published(root / "dist"), *published(root / "annotations")):
        assert not LEAKS.search(text), name


# ---- words of the article next to evidence ---------------------------------------------------------------------------


def with_prefix(root: Path) -> None:
    """Let a waiver have a prefix that contains the name."""
    seed = root / "seeds/900_example.txt"
    text = seed.read_text(encoding="utf-8")
    seed.write_text(text.replace("began on March 3rd", "began for Mira Fenn on March 3rd"), encoding="utf-8")
    edit(root, EXAMPLE, "evidence: March 3rd", 'evidence: {text: March 3rd, prefix: "for Mira Fenn on "}')


def test_a_prefix_with_the_name_is_cut_where_its_words_are_found_without_it(copied: Path) -> None:
    with_prefix(copied)
    repin(copied, "900_example")
    done = take_out(copied, "mira-fenn")
    assert not done.findings
    assert "evidence: {text: March 3rd}" in (copied / EXAMPLE).read_text(encoding="utf-8")


def test_a_prefix_with_the_name_is_in_the_way_where_its_words_are_found_twice_without_it(copied: Path) -> None:
    with_prefix(copied)
    with (copied / "seeds/900_example.txt").open("a", encoding="utf-8") as seed:
        seed.write("Printed March 3rd.\n")
    waiver = "  - {id: example-w5, evidence: {text: March 3rd, prefix: 'Printed '}, reason: date}"
    edit(copied, EXAMPLE, "  - id: example-w4\n", f"{waiver}\n  - id: example-w4\n")
    repin(copied, "900_example")
    before = published_folder.contents(copied)
    with pytest.raises(removal.TakedownBlockedError, match=rf"^{EXAMPLE}, line 2\d\d, contains the name"):
        take_out(copied, "mira-fenn")
    assert published_folder.contents(copied) == before


# ---- other speakers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "called"), [("Mira Fenn Trust", "fenn-trust"), ("Fenn Trust", "mira-fenn-trust"), ("Fenn Trust", "trust")]
)
def test_only_the_full_name_in_another_speakers_record_blocks_a_takedown(
    rich: Path, tmp_path: Path, name: str, called: str
) -> None:
    root = Path(shutil.copytree(rich, tmp_path / "project"))
    for path in (root / SECOND, root / "seeds/901_second.txt"):
        text = path.read_text(encoding="utf-8").replace("Lamp Office", name).replace("lamp-office", called)
        path.write_text(text, encoding="utf-8")
    permitted = "names:\n- field: speakers.id\n  words: [trust, mira]\n"
    edit(root, "dataset.yaml", "names:\n", permitted)
    content = typed_in(root, SECOND)
    content.pop("withdrawn")
    save(root, SECOND, content)
    repin(root, "901_second")
    assert found_in(root) == []
    if called != "mira-fenn-trust":  # with the name in full it goes, as all its words do; with the surname it stays
        assert not foresee(root, "mira-fenn").findings
        return
    with pytest.raises(removal.TakedownBlockedError, match=rf"^{SECOND}, line \d+, contains the name"):
        foresee(root, "mira-fenn")
    assert not foresee(root, called).findings


def test_an_accent_does_not_hide_a_name_in_an_id_or_a_term(copied: Path) -> None:
    for path in (*copied.glob("annotations/*.yaml"), *copied.glob("seeds/*.txt")):
        path.write_text(path.read_text(encoding="utf-8").replace("Fenn", "Fénn"), encoding="utf-8")
    repin(copied, "900_example")
    edit(copied, "dataset.yaml", "keywords: [lighthouses]", "keywords: [lighthouses, mira_fenn_tower]")
    assert found_in(copied) == []
    with pytest.raises(removal.TakedownBlockedError, match=r"^dataset\.yaml, line 7, contains the name"):
        foresee(copied, "mira-fenn")


def test_an_id_that_is_left_in_a_column_of_ids_is_noticed() -> None:
    for name, column in (("figures", "attributed_to"), ("speakers", "speaker_id"), ("spans", "record_id")):
        assert list(ids_in_columns({name: [{column: "second"}]})) == ["second"]
    assert list(ids_in_columns({"testimonies": [{"place_id": "colombia", "text": "second"}]})) == []
