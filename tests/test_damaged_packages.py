"""A package that is damaged, incomplete or another kind of folder is refused in one sentence that names the file."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import defectors_data
from calling import Ran, run
from conftest import INVENTED, edit, spread
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.models.tables import ONLY_WITH_ROWS, ROW_OF
from defectors_data.package import atomic_publication, filesystem, published_folder, tables_reader
from defectors_data.publishers import changes, release_register
from defectors_data.readers import dataset, exports

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
REFERENCE = f"example-t1@1.0.0:sha256:{'0' * 64}"


@pytest.fixture
def damaged(package: Path, tmp_path: Path) -> Path:
    """A copy of the package that a test may damage."""
    return Path(shutil.copytree(package, tmp_path / "dist"))


def quotecheck(package: Path) -> Ran:
    (package.parent / "draft.txt").write_text("“Two inns” closed.", encoding="utf-8")
    return run("quotecheck", package.parent / "draft.txt", "--package", package)


def export(form: str) -> Callable[[Path], Ran]:
    seeds = ("--seeds", INVENTED / "seeds")
    return lambda package: run("export", form, "--package", package, "--out", package.parent / "out", *seeds)


READERS: dict[str, Callable[[Path], Ran]] = {
    "cite": lambda package: run("cite", "figures/example-f3", "--package", package),
    "why": lambda package: run("why", "figures/example-f3", "--package", package),
    "quotecheck": quotecheck,
    "view": lambda package: run(
        "view", "--seeds", INVENTED / "seeds", "--package", package, "--out", package.parent / "page.html"
    ),
    "diff": lambda package: run("diff", package, package),
    "history": lambda package: run("history", "example-t1", package),
    "verify-citation": lambda package: run("verify-citation", REFERENCE, package),
    **{f"export {form}": export(form) for form in exports.FORMATS},
}
READ = {"export codebook": "terms"}
"""A table that a reader reads, if it does not read `figures`."""
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data[: len(data) // 2],
    "empty": lambda _: b"",
    "a pointer": lambda _: POINTER,
    "its rows overwritten": lambda data: data[:4] + b"\xff" * (len(data) // 2) + data[4 + len(data) // 2 :],
}


@pytest.mark.parametrize(
    ("reader", "damage"), spread([(reader, damage) for reader in READERS for damage in DAMAGES], 7)
)
def test_a_damaged_table_is_named(damaged: Path, reader: str, damage: str) -> None:
    table = f"data/{READ.get(reader, 'figures')}.parquet"
    path = damaged / table
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    ran = READERS[reader](damaged)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.endswith(f"dist/{table} is damaged: it differs from SHA256SUMS.\n")


@pytest.mark.parametrize(
    ("reader", "file"),
    spread(
        [(r, f) for r in READERS for f in (f"data/{READ.get(r, 'figures')}.parquet", "datapackage.json")],
        5,
    ),
)
def test_a_missing_file_is_named(damaged: Path, reader: str, file: str) -> None:
    (damaged / file).unlink()
    ran = READERS[reader](damaged)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.endswith(f"dist/{file} is missing.\n")


@pytest.mark.parametrize("reader", spread(READERS, 4))
def test_a_damaged_descriptor_is_named(damaged: Path, reader: str) -> None:
    path = damaged / "datapackage.json"
    path.write_bytes(b"<<<<<<< HEAD\n" + path.read_bytes())
    ran = READERS[reader](damaged)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.endswith("dist/datapackage.json is damaged: it differs from SHA256SUMS.\n")


def test_a_damaged_table_is_named_without_checksums_too(damaged: Path) -> None:
    (damaged / "data/figures.parquet").write_bytes(POINTER)
    (damaged / "SHA256SUMS").unlink()
    ran = READERS["cite"](damaged)
    assert ran.returncode == 1
    assert ran.stderr.endswith("figures.parquet is damaged: it differs from datapackage.json.\n")


# ---- files that can be read, but were changed --------------------------------------------------------------------


def rewritten(path: Path, old: str, new: str) -> None:
    """Change a cell of a table, and leave the file a sound one."""
    table = pq.read_table(path)
    rows = [{key: new if cell == old else cell for key, cell in row.items()} for row in table.to_pylist()]
    assert rows != table.to_pylist()
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)


def change_figures(package: Path) -> None:
    rewritten(package / "data/figures.parquet", "keepers who sleep in inns", "keepers who sleep in boats")


@pytest.mark.parametrize("reader", [reader for reader in READERS if not reader.startswith("export")] + ["export tei"])
def test_a_reader_says_that_a_table_was_changed(package: Path, damaged: Path, reader: str) -> None:
    sound = READERS[reader](package)
    change_figures(damaged)
    ran = READERS[reader](damaged)
    assert "was changed" not in sound.stderr
    assert ran.stderr.count("dist/data/figures.parquet was changed after it was published.\n") == 1
    assert ran.returncode == sound.returncode


@pytest.mark.parametrize(("reader", "file"), [("cite", "croissant.json"), ("why", "datapackage.json")])
def test_a_reader_says_that_a_document_was_changed(damaged: Path, reader: str, file: str) -> None:
    path = damaged / file
    path.write_bytes(path.read_bytes() + b"\n")
    assert READERS[reader](damaged).stderr.endswith(f"dist/{file} was changed after it was published.\n")


def test_checksums_that_were_made_again_hide_no_change(damaged: Path) -> None:
    change_figures(damaged)
    sums = published_folder.listed(damaged)
    sums["data/figures.parquet"] = filesystem.sha256(damaged / "data/figures.parquet")
    (damaged / "SHA256SUMS").write_bytes(published_folder.listing(sums))
    assert "figures.parquet was changed after it was published.\n" in READERS["cite"](damaged).stderr


def test_a_package_without_checksums_is_reported(damaged: Path) -> None:
    (damaged / "SHA256SUMS").unlink()
    ran = READERS["cite"](damaged)
    sentence = "cannot be compared with the published file: SHA256SUMS does not list it."
    assert (ran.returncode, ran.stderr.count("\n")) == (0, 1)
    assert ran.stderr.endswith(f"dist/datapackage.json {sentence}\n")


@pytest.mark.parametrize("packed", [False, True])
def test_diff_notices_a_cell_that_was_changed_in_the_csv_alone(package: Path, damaged: Path, packed: bool) -> None:
    edit(damaged, "data/figures.csv", "keepers who sleep in inns", "keepers who sleep in boats")
    new = damaged
    if packed:
        new = damaged.parent / "new.zip"
        new.write_bytes(published_folder.zipped(published_folder.contents(damaged)))
    ran = run("diff", package, new)
    assert "keepers who sleep in [-inns-]{+boats+}" in ran.stdout
    assert ran.stderr.endswith(f"{new.name}/data/figures.csv was changed after it was published.\n")
    assert run("diff", package, package).stderr == ""


def test_a_csv_file_that_is_no_table_any_more_is_named(package: Path, damaged: Path) -> None:
    edit(damaged, "data/figures.csv", "example-f3,", "example-f3")
    ran = run("diff", package, damaged)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.endswith("dist/data/figures.csv is damaged: it differs from SHA256SUMS.\n")


def test_every_published_csv_file_is_read_back_as_its_parquet_file(package: Path) -> None:
    for path in sorted((package / "data").glob("*.parquet")):
        table = pq.read_table(path)
        with path.with_suffix(".csv").open("rb") as file:
            assert tables_reader.read_csv(file, table.schema).equals(table), path.name


def test_the_library_warns_of_a_changed_table(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "folder", lambda: damaged)
    assert len(defectors_data.load("figures")) > 0
    change_figures(damaged)
    for _ in range(2):  # as often as a program asks; Python shows the same warning once
        with pytest.warns(defectors_data.ChangedFileWarning, match=r"figures\.parquet was changed after it was"):
            defectors_data.load("figures", engine="arrow")
    assert len(defectors_data.load("testimonies")) > 0


def test_a_damaged_file_in_a_zip_is_named(damaged: Path) -> None:
    (damaged / "data/figures.parquet").write_bytes(POINTER)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in damaged.rglob("*"):
            archive.write(path, path.relative_to(damaged).as_posix())
    (damaged.parent / "bad.zip").write_bytes(packed.getvalue())
    ran = run("diff", "bad.zip", "bad.zip", where=damaged.parent)
    assert (ran.returncode, ran.stderr) == (
        1,
        "bad.zip/data/figures.parquet is damaged: it differs from SHA256SUMS.\n",
    )


@pytest.mark.parametrize("reader", [*READERS, "verify"])
def test_a_standoff_edition_is_restored_before_it_is_read(edition: Path, reader: str) -> None:
    ran = run("verify", edition) if reader == "verify" else READERS[reader](edition)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "standoff is a standoff edition, not a published package: " in ran.stderr
    assert ran.stderr.endswith("restore the package with `defectors-data rehydrate`.\n")


def reviewed(package: Path, replaced: Path) -> list[str]:
    """Return the problems of a damaged package that a build would replace by an equal one, and the findings."""
    corpus = CorpusReader(FileTree(INVENTED))
    context, _ = corpus.context
    assert context
    found: list[str] = []
    findings = release_register.review(
        package,
        published_folder.listed(package),
        context,
        corpus=corpus,
        replaced=replaced,
        change_ids=False,
        on_damaged=lambda error: found.append(f"{error.path.name} {error.problem}"),
    )
    return [*found, *map(str, findings)]


@pytest.mark.filterwarnings("ignore:.* was changed after it was published")  # its columns can still be read
@pytest.mark.parametrize(
    ("table", "damage"),
    spread([(name, damage) for name in ROW_OF if name not in ONLY_WITH_ROWS for damage in DAMAGES], 20),
)
def test_a_build_does_not_compare_ids_with_a_damaged_package(
    package: Path, damaged: Path, table: str, damage: str
) -> None:
    path = damaged / f"data/{table}.parquet"
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    found = reviewed(package, damaged)
    # Tables that have no ids of records are read only as far as their columns.
    may_be_readable = damage == "its rows overwritten" and table not in changes.IDENTITY
    assert found == [f"{table}.parquet is damaged: it differs from SHA256SUMS"] or (may_be_readable and not found)


def test_a_build_replaces_a_damaged_package_and_says_that_ids_were_not_compared(
    published: Path, tmp_path: Path
) -> None:
    project = Path(shutil.copytree(published, tmp_path / "project"))
    path = project / "dist/data/figures.parquet"
    whole = path.read_bytes()
    path.write_bytes(POINTER)
    ran = run("build", where=project)
    assert (ran.returncode, path.read_bytes()) == (0, whole)
    assert ran.stderr == (
        "dist/data/figures.parquet is damaged: it differs from SHA256SUMS. "
        "Ids and version were not compared with dist.\n"
    )


def locked(target: Path) -> None:
    with atomic_publication.PublishTarget.locked(target):
        pass


CONFLICT = b"<<<<<<< HEAD\n"


@pytest.mark.parametrize("damage", [b"", CONFLICT, None])
@pytest.mark.parametrize("name", ["datapackage.json", "SHA256SUMS"])
def test_a_package_with_a_damaged_list_is_not_replaced_until_it_is_restored(
    damaged: Path, name: str, damage: bytes | None
) -> None:
    path = damaged / name
    data = path.read_bytes()
    path.unlink()
    if damage is not None:
        path.write_bytes(damage + data[: len(data) // 2] if damage else b"")
    with pytest.raises(
        atomic_publication.ForeignTargetError,
        match=r"every file in .*dist, such as .+: .* if SHA256SUMS or datapackage\.json was changed, restore it",
    ):
        locked(damaged)
    path.write_bytes(data)
    locked(damaged)


def test_a_file_that_a_package_does_not_list_is_never_replaced(damaged: Path) -> None:
    (damaged / "thesis.txt").write_bytes(b"x")
    with pytest.raises(atomic_publication.ForeignTargetError, match=r"such as thesis\.txt: publish to another"):
        locked(damaged)
