"""The standoff edition has no words of an article, and the full package comes back byte for byte, or not at all."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import frictionless
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calling import run
from conftest import INVENTED
from defectors_data.package import published_folder
from defectors_data.readers.exports.hashed_references import RUN, InvalidReferenceError, ReferenceCodec

SEEDS = INVENTED / "seeds"


def test_frictionless_reports_no_error(edition: Path) -> None:
    report = frictionless.Package(str(edition / "datapackage.json")).validate()
    assert report.valid, report.to_summary()
    kinds = {task.place: task.type for task in report.tasks}
    assert (kinds["data/figures.csv"], kinds["data/figures.parquet"]) == ("table", "file")


def runs(text: str, size: int = RUN) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in re.findall(r"\w+(?:-\w+)*", text)]
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def readings(path: Path) -> Iterator[str]:
    """Yield the text of a file as it is, and as a browser or a reader of JSON would show it."""
    if path.suffix == ".parquet":
        for row in pq.read_table(path).to_pylist():
            yield from (str(cell) for cell in row.values())
        return
    text = path.read_text(encoding="utf-8")
    yield text
    yield html.unescape(text)
    yield re.sub(r"<[^<>]+>", " ", html.unescape(text))
    yield re.sub(r'\\["n/t]', " ", text)


def test_no_file_has_five_words_in_a_row_of_an_article(package: Path, edition: Path) -> None:
    articles = set[tuple[str, ...]]().union(*(runs(path.read_text(encoding="utf-8")) for path in SEEDS.glob("*.txt")))

    def found(folder: Path) -> set[str]:
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {path.name for path in files for text in readings(path) if runs(text) & articles}

    assert {"spans.csv", "spans.parquet", "index.html"} <= found(package)
    assert {"README.md", "index.html"} <= {path.name for path in edition.iterdir()}
    assert found(edition) == set()


def test_no_file_has_a_quotation_of_two_words_or_more_and_ids_stay_as_they_are(package: Path, edition: Path) -> None:
    rows = {name: pq.read_table(package / f"data/{name}.parquet").to_pylist() for name in ("ledger", "testimonies")}
    quoted = [row["text"] for row in rows["ledger"] if row["kind"] == "quotation"]
    quoted += [part for row in rows["testimonies"] for part in row["text"].split(" […] ")]
    found: dict[str, int] = {"dist": 0, "standoff": 0}
    for size in range(2, RUN):
        short = [runs(text, size) for text in quoted if len(re.findall(r"\w+", text)) == size]
        sought = set[tuple[str, ...]]().union(*short)
        for folder in (package, edition):
            files = [path for path in folder.rglob("*") if path.is_file()]
            found[folder.name] += sum(bool(runs(text, size) & sought) for path in files for text in readings(path))
    assert found["dist"] > found["standoff"] == 0, found
    for path in package.glob("data/*.parquet"):
        key = str(pq.read_schema(path).names[0])
        columns = [pq.read_table(folder / "data" / path.name).column(key) for folder in (package, edition)]
        assert columns[0] == columns[1], path.name


def test_ids_and_addresses_that_repeat_a_headline_stay_readable() -> None:
    text = (
        "two-keepers-serve-an-island-t1, https://example.org/two-keepers-serve-an-island; two keepers, serve an island"
    )
    references = ReferenceCodec(["Two keepers serve an island", "two keepers serve an island"])
    assert references.encode(text).startswith(text.partition("; ")[0] + "; ⟦")


def test_the_page_of_the_edition_quotes_nothing_and_loads_nothing(package: Path, edition: Path) -> None:
    page = (edition / "index.html").read_text(encoding="utf-8")
    assert all(
        row["exact"] not in page
        for row in pq.read_table(package / "data/spans.parquet").to_pylist()
        if len(row["exact"].split()) > 1
    )
    assert not re.search(r"<script|<img|<link|src=|url[(]|http", page)
    assert "defectors-data rehydrate" in page


def test_the_columns_of_words_have_references_alone(edition: Path) -> None:
    rows = pq.read_table(edition / "data/spans.parquet").to_pylist()
    assert all(re.fullmatch("⟦[0-9]+:[0-9]+-[0-9]+:[0-9a-f]{16}⟧", row["exact"]) for row in rows)
    for row in rows:
        assert row["exact"].split(":")[1] == f"{row['start_offset']}-{row['end_offset']}"


def test_the_full_package_comes_back_byte_for_byte(package: Path, edition: Path, tmp_path: Path) -> None:
    arguments = ["--seeds", str(SEEDS), "--out", str(tmp_path / "full")]
    ran = run("rehydrate", edition, *arguments, where=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "full: published\n")
    assert published_folder.contents(tmp_path / "full") == published_folder.contents(package)
    assert run("rehydrate", edition, *arguments, where=tmp_path).stdout == "full: unchanged\n"


def test_another_article_or_a_changed_edition_is_refused(edition: Path, tmp_path: Path) -> None:
    copies = Path(shutil.copytree(SEEDS, tmp_path / "copies"))
    changed = Path(shutil.copytree(edition, tmp_path / "changed"))
    path = changed / "data/testimonies.csv"
    path.write_bytes(path.read_bytes().replace(b"direct", b"narrated", 1))
    (copies / "901_second.txt").write_bytes(b"Another article.")
    for folder, seeds in ((edition, copies), (changed, SEEDS), (copies, SEEDS)):
        ran = run("rehydrate", folder, "--seeds", seeds, "--out", tmp_path / "full", where=tmp_path)
        assert (ran.returncode, ran.stdout, ran.stderr.endswith("Nothing was written.\n")) == (1, "", True)
    assert not (tmp_path / "full").exists()
    assert run("rehydrate", edition, "--seeds", "copies", "--out", edition, where=tmp_path).returncode == 2


ARTICLE = "Two keepers can't serve “an island” & its 👩‍🚀 lamps, said one. Nobody wrote to us."
PIECES = st.sampled_from(
    [
        "Two keepers can't serve",
        "“an island” & its",
        "&amp;",
        "<b>",
        "</b>",
        "\\n",
        ' <td data-label="What it is">',
        ",",
        " ",
        "x",
        "⟦",
        "👩‍🚀 lamps, said one",
        "Nobody wrote to us.",
    ]
)


@given(pieces=st.lists(PIECES, max_size=12), run=st.sampled_from([1, RUN]))
def test_any_text_comes_back(pieces: list[str], run: int) -> None:
    references, text = ReferenceCodec([ARTICLE, "Another one."]), " ".join(pieces)
    encoded = references.encode(text, run)
    assert references.decode(encoded) == text
    assert not runs(re.sub("⟦[^⟦⟧]{20,}⟧", "x", encoded)) & runs(ARTICLE)


def test_a_reference_is_of_one_article_and_is_not_encoded_twice() -> None:
    references, others = ReferenceCodec([ARTICLE]), ReferenceCodec([ARTICLE + " More."])
    encoded = references.encode(ARTICLE)
    with pytest.raises(InvalidReferenceError):
        others.decode(encoded)
    with pytest.raises(InvalidReferenceError):
        references.encode(encoded)
