"""The standoff edition has no words of an article, and the full package comes back byte for byte, or not at all."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import INVENTED
from defectors_data.package import published_folder
from defectors_data.readers import exports
from defectors_data.readers.exports.hashed_references import RUN, InvalidReferenceError, ReferenceCodec
from finding_output import Run

SEEDS = INVENTED / "seeds"


@pytest.fixture(scope="module")
def edition(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("editions") / "standoff"
    assert exports.export(package, "standoff", out, seeds=SEEDS) == "published"
    return out


def runs(text: str) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in re.findall(r"\w+", text)]
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


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
    assert all(re.fullmatch("⟦[0-9]+:[0-9]+-[0-9]+:[0-9a-f]{64}⟧", row["exact"]) for row in rows)
    for row in rows:
        assert row["exact"].split(":")[1] == f"{row['start_offset']}-{row['end_offset']}"


def test_the_full_package_comes_back_byte_for_byte(package: Path, edition: Path, tmp_path: Path, run: Run) -> None:
    arguments = ["--seeds", str(SEEDS), "--out", str(tmp_path / "full")]
    ran = run(tmp_path, "rehydrate", str(edition), *arguments)
    assert (ran.code, ran.out) == (0, "full: published\n")
    assert published_folder.contents(tmp_path / "full") == published_folder.contents(package)
    assert run(tmp_path, "rehydrate", str(edition), *arguments).out == "full: unchanged\n"


def test_another_article_or_a_changed_edition_is_refused(edition: Path, tmp_path: Path, run: Run) -> None:
    copies = Path(shutil.copytree(SEEDS, tmp_path / "copies"))
    changed = Path(shutil.copytree(edition, tmp_path / "changed"))
    path = changed / "data/testimonies.csv"
    path.write_bytes(path.read_bytes().replace(b"direct", b"narrated", 1))
    (copies / "901_second.txt").write_bytes(b"Another article.")
    for folder, seeds in ((edition, copies), (changed, SEEDS), (copies, SEEDS)):
        ran = run(tmp_path, "rehydrate", str(folder), "--seeds", str(seeds), "--out", str(tmp_path / "full"))
        assert (ran.code, ran.out, ran.err.endswith("Nothing was written.\n")) == (1, "", True)
    assert not (tmp_path / "full").exists()
    assert run(tmp_path, "rehydrate", str(edition), "--seeds", "copies", "--out", str(edition)).code == 2


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
    assert not runs(re.sub("⟦[^⟦⟧]{64,}⟧", "x", encoded)) & runs(ARTICLE)


def test_a_reference_is_of_one_article_and_is_not_encoded_twice() -> None:
    references, others = ReferenceCodec([ARTICLE]), ReferenceCodec([ARTICLE + " More."])
    encoded = references.encode(ARTICLE)
    with pytest.raises(InvalidReferenceError):
        others.decode(encoded)
    with pytest.raises(InvalidReferenceError):
        references.encode(encoded)
