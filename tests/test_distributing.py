"""What a cluster does with a part, each step by itself; clusters themselves are in test_deep_distributing.py."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest

from conftest import INVENTED, in_parts
from defectors_data import distributing, judging, parts, portions, publishing, reading, releasing, stores, tabling
from defectors_data.distributing import Engine
from defectors_data.judging import OF_ALL, Asked
from defectors_data.portions import Given, NotAlike, Portion, Shared
from defectors_data.rows import ROWS
from defectors_data.stores import NotReached, Store

EVERYTHING = Asked()


@pytest.fixture
def memory() -> Iterator[Store]:
    """An empty place that is at an address."""
    yield Store("memory://out/here")
    fsspec.filesystem("memory").store.clear()


def shared(root: Path, out: Store) -> Shared:
    corpus = reading.read(root, only={}).corpus
    assert corpus
    left_out = judging.left_out_tables(EVERYTHING) | OF_ALL
    schemas = {row.TABLE.name: tabling.arrow_schema(row) for row in ROWS if row.TABLE.name not in left_out}
    world = replace(corpus, shards=())
    return Shared(Store(str(root)), out, world, EVERYTHING, schemas, portions.versions())


def done(root: Path, out: Store, *, written: bool = True) -> list[Portion]:
    """Do all parts of a corpus as tasks, one after the other."""
    asked = shared(root, out)
    files = sorted(path.stem for path in (root / "annotations").glob("*.jsonl"))
    given = [
        Given(f"annotations/{name}.jsonl", f"seeds/{name}.parquet", name, whole=name == files[0], written=written)
        for name in files
    ]
    return [portions.portion(each, asked) for each in given]


def command(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    code = (
        f"import sys; sys.argv[0] = 'defectors-data'; {before}\nfrom defectors_data.cli import main\nsys.exit(main())"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, encoding="utf-8"
    )


# ---- places --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "held"),
    [
        ("/data/corpus", "/data/corpus"),
        ("/data/corpus/", "/data/corpus"),
        ("file:///data/corpus", "/data/corpus"),
        ("memory://corpus/", "memory://corpus"),
        ("s3://bucket/corpus", "s3://bucket/corpus"),
    ],
)
def test_a_place_is_a_folder_or_an_address(place: str, held: str) -> None:
    found = stores.store(place)
    assert found == Store(held)
    assert found.on_disk == held.startswith("/")


def test_an_address_that_nothing_here_knows_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotReached, match="nonsense:// needs what is not installed here"):
        distributing.release("nonsense://bucket/corpus", str(tmp_path), EVERYTHING, Engine("local", 1))


def test_what_is_put_at_an_address_is_read_listed_and_removed(memory: Store) -> None:
    assert memory.sizes() == {}
    memory.put("data/one.csv", b"a\n")
    memory.put("data/one.csv", b"ab\n")
    memory.put("two", b"")
    assert memory.read("data/one.csv") == memory.opened("data/one.csv").read() == b"ab\n"
    assert memory.sizes() == {"data/one.csv": 3, "two": 0}
    memory.remove(["two", "never-there"])
    assert [*memory.sizes()] == ["data/one.csv"]
    with pytest.raises(FileNotFoundError):
        memory.read("two")


def test_a_place_that_holds_anything_is_refused_and_left_as_it_is(invented_parts: Path, memory: Store) -> None:
    memory.put("of/another", b"kept")
    with pytest.raises(publishing.NotOurs, match=r"memory://out/here is not empty, it holds of/another: publish to"):
        distributing.release(str(invented_parts), memory.place, EVERYTHING, Engine("local", 1))
    assert memory.sizes() == {"of/another": 4}


def test_an_address_without_a_corpus_is_told(tmp_path: Path, memory: Store) -> None:
    with pytest.raises(NotReached, match=r"There is no corpus at memory://out/here\."):
        distributing.release(memory.place, str(tmp_path), EVERYTHING, Engine("local", 1))


# ---- a part --------------------------------------------------------------------------------------------------


def test_part_files_are_together_what_one_file_would_be(invented_parts: Path, memory: Store, tmp_path: Path) -> None:
    releasing.release(invented_parts, tmp_path / "dist", EVERYTHING)
    resources = json.loads((tmp_path / "dist/datapackage.json").read_text(encoding="utf-8"))["resources"]
    stated = {resource["name"]: resource for resource in resources}
    written = {file: each.sha256 for made in done(invented_parts, memory) for file, each in made.files.items()}
    assert written.keys() == memory.sizes().keys()
    for name in shared(invented_parts, memory).schemas.keys() - {
        "speakers",
        "provenance",
    }:  # these have rows of no source
        of_csv, of_parquet = (
            [(file, written[file]) for file in sorted(written) if file.startswith(f"data/{name}.{ending}/")]
            for ending in ("csv", "parquet")
        )
        csv, parquet = portions.joined(of_csv, memory), portions.joined(of_parquet, memory)
        assert csv == (stated[name]["bytes"], stated[name]["hash"].removeprefix("sha256:"))
        assert parquet.size == sum(memory.sizes()[file] for file, _ in of_parquet)


def test_a_part_that_is_done_twice_is_the_same_bytes(invented_parts: Path, memory: Store) -> None:
    first = done(invented_parts, memory)
    before = {file: memory.read(file) for file in memory.sizes()}
    assert done(invented_parts, memory) == first
    assert {file: memory.read(file) for file in memory.sizes()} == before


def test_where_something_is_wrong_already_nothing_is_written(invented_parts: Path, memory: Store) -> None:
    made = done(invented_parts, memory, written=False)
    assert memory.sizes() == {}
    assert all(not judged.tables for each in made for judged in each.judged)
    assert [portions.is_right(each) for each in made] == [True] * len(made)


def test_a_doubtful_part_is_told_and_not_written(memory: Store, tmp_path: Path) -> None:
    root = in_parts(INVENTED, tmp_path / "project")
    [first, *_] = sorted((root / "annotations").glob("*.jsonl"))
    first.write_bytes(first.read_bytes().replace(b'{"source":{', b'{"source":{"odd":1,'))
    made = done(root, memory)
    assert [portions.is_right(each) for each in made] == [False] + [True] * (len(made) - 1)
    assert not [file for file in memory.sizes() if first.stem in file]
    assert made[0].judged[0].unread == [1]


def test_a_part_that_cannot_be_read_says_why(invented_parts: Path, memory: Store) -> None:
    asked = shared(invented_parts, memory)
    packed = min(path.name for path in (invented_parts / "seeds").iterdir())
    gone = Given("annotations/gone.jsonl", f"seeds/{packed}", "gone", whole=True, written=True)
    assert portions.portion(gone, asked).refused == "no such file or directory"
    first = min(path.stem for path in (invented_parts / "annotations").glob("*.jsonl"))
    crossed = Given(f"annotations/{first}.jsonl", "dataset.yaml", "crossed", whole=True, written=True)
    assert portions.portion(crossed, asked).unpacked == "it cannot be read as what its name says it is"
    assert memory.sizes() == {}


def test_a_worker_of_another_version_writes_nothing(invented_parts: Path, memory: Store) -> None:
    asked = replace(shared(invented_parts, memory), versions=("defectors-data 0.0.1",))
    given = Given("annotations/part-0.jsonl", "seeds/part-0.parquet", "part", whole=True, written=True)
    with pytest.raises(NotAlike, match=r"a worker has defectors-data .+, and defectors-data 0\.0\.1 is asked for"):
        portions.portion(given, asked)
    assert memory.sizes() == {}


def test_a_part_file_that_changed_is_not_described(memory: Store) -> None:
    memory.put("data/themes.csv/part.csv", b"term,definition\n")
    with pytest.raises(NotAlike, match=r"data/themes\.csv/part\.csv does not hold what was written"):
        portions.joined([("data/themes.csv/part.csv", "0" * 64)], memory)


# ---- the command ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--root", "s3://bucket/corpus"], "An address is for --scheduler; without it, give a folder."),
        (["--root", str(INVENTED), "--out", "s3://bucket/dist"], "An address is for --scheduler; without it, give"),
        (["--root", str(INVENTED), "--scheduler", "local"], "--scheduler is for a corpus in parts: `defectors-data"),
        (
            ["--root", "s3://bucket/corpus", "--scheduler", "tcp://127.0.0.1:8786", "--jobs", "2"],
            "--jobs is for `--scheduler local`: a cluster has the workers that it has.",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str], sentence: str) -> None:
    ran = command("build", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(sentence)


def test_without_dask_the_command_says_what_to_install(invented_parts: Path, tmp_path: Path) -> None:
    arguments = ["--root", str(invented_parts), "--out", str(tmp_path / "dist"), "--scheduler", "local"]
    ran = command("build", *arguments, before="sys.modules['distributed'] = None")
    assert ran.returncode == 2
    assert ran.stderr == (
        '--scheduler needs Dask, which is not installed: `pip install "defectors-data[distributed]"`. '
        "Nothing was published.\n"
    )
    assert not (tmp_path / "dist").exists()


def test_a_corpus_at_an_address_has_its_texts_packed(invented_parts: Path, tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.put(f"{invented_parts}/", "/loose", recursive=True)
    try:
        [first, *_] = [name for name in memory.find("/loose/seeds") if name.endswith(parts.PACKED)]
        memory.rm(first)
        with pytest.raises(NotReached, match=r"The texts of annotations/.+ are not packed beside it"):
            distributing.release("memory://loose", str(tmp_path / "dist"), EVERYTHING, Engine("local", 1))
    finally:
        memory.store.clear()
    assert not (tmp_path / "dist").exists()
