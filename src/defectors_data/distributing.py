"""A corpus of parts on many machines: each part is a task of a Dask cluster, which writes its own part files.

Nothing is joined or sent around between workers. Tasks return what has to be held against other parts, and sizes and
hashes; here references are checked, and the descriptor is written, in which a table is a list of part files. Corpus
and package lie in folders that all machines see, or at addresses of an object store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow as pa

from defectors_data import bulk, folders, fs, judging, lines, package, portions, publishing, releasing, stores, tabling
from defectors_data.bulk import Passed, Seen, Told
from defectors_data.clusters import Cluster, cluster
from defectors_data.corpus import Corpus
from defectors_data.files import LARGEST, Tree
from defectors_data.formats import Written
from defectors_data.judging import OF_ALL, Asked
from defectors_data.portions import Given, Portion, Shared
from defectors_data.reading import read
from defectors_data.releasing import Released
from defectors_data.rows import ROWS
from defectors_data.sparing import spare
from defectors_data.stores import NotReached, Store
from defectors_data.streaming import Finished

REST = "shared"
"""The part of a table that is of no source: it comes after all others."""


class Engine(NamedTuple):
    """What does the work: a scheduler's address and nothing else, or `local` and how many processes of this machine."""

    scheduler: str
    jobs: int


def release(
    root: str, out: str, asked: Asked, engine: Engine, *, created: str | None = None, told: Told | None = None
) -> Released:
    """Publish the parts at `root` to `out`, or return every finding and publish nothing; both are paths or addresses.

    Raises:
        NotReached: the corpus, the store or the cluster cannot be had.
        clusters.Lost: the cluster could not do its work; nothing was published.
        publishing.AnotherBuild: another process publishes to `out`.
        OSError: the file system or the store refused; `out` is as it was.
        package.NotValid, portions.NotAlike: what was built is not valid; `out` is as it was.
    """
    spare()
    source, target = stores.store(root), stores.store(out)
    with ExitStack() as stack:
        folder = Path(source.place)
        if not source.on_disk:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="defectors-data-")))
            _mirror(source, folder)
            _refuse_loose(folder)
        if not ((folder / "annotations").is_dir() and lines.names(Tree(folder))):
            raise NotReached(f"{root} has no parts: `defectors-data shard` makes a corpus in parts.")
        building = _Building(source, folder, asked, engine, created, told)
        return building.to_disk(Path(target.place)) if target.on_disk else building.to_store(target)


class _Building:
    """One pass over a corpus, by a cluster."""

    def __init__(
        self, source: Store, folder: Path, asked: Asked, engine: Engine, created: str | None, told: Told | None
    ) -> None:
        self.source, self.folder, self.asked, self.engine = source, folder, asked, engine
        self.created, self.told = created, told
        files = lines.names(Tree(folder))
        width = max(5, len(str(len(files))))
        self.parts = {file: f"part-{number:0{width}d}" for number, file in enumerate(files)}
        left_out = judging.left_out_tables(asked)
        self.schemas = {row.TABLE.name: tabling.arrow_schema(row) for row in ROWS if row.TABLE.name not in left_out}
        self.left_out = left_out

    # ---- where it goes ---------------------------------------------------------------------------------------

    def to_disk(self, out: Path) -> Released:
        """Stage it beside the published folder, and let it take that one's place."""
        found: list[Seen] = []

        def make(staged: Path) -> Mapping[str, str] | None:
            seen, made = self._made(Store(str(staged)))
            found.append(seen)
            for path, content in made.others.items() if made else ():
                fs.write(staged / path, content)
            return made.sums if made else None

        with publishing.Site.hold(out) as site:
            outcome = site.publish_written(self._names(), make, inspect=releasing.inspect)
        return Released(found[0], outcome, site.warnings)

    def to_store(self, out: Store) -> Released:
        """Write it to an empty place, its descriptor last; whatever goes wrong, the place is empty again."""
        if there := next(iter(out.sizes()), None):
            raise publishing.NotOurs(f"{out.place} is not empty, it holds {there}: publish to an empty place")
        try:
            seen, made = self._made(out)
            if made is None:
                self._clear(out)
                return Released(seen, None, [])
            *others, (descriptor, content) = made.others.items()
            for path, data in [*others, (folders.SUMS, folders.listing(made.sums)), (descriptor, content)]:
                out.put(path, data)
        except BaseException:
            with suppress(OSError):
                self._clear(out)
            raise
        return Released(seen, "published", [])

    def _names(self) -> list[str]:
        """Return all files that there may be."""
        parts = [*self.parts.values(), REST]
        of_parts = [path for name in self.of_parts() for part in parts for path in portions.paths(name, part)]
        whole = [f"data/{name}.{ending}" for name in self.schemas if name in OF_ALL for ending in ("csv", "parquet")]
        return [*of_parts, *whole, *releasing.OTHERS, package.DESCRIPTOR]

    def of_parts(self) -> dict[str, pa.Schema]:
        """Return the tables that parts have rows of."""
        return {name: schema for name, schema in self.schemas.items() if name not in OF_ALL}

    def _clear(self, out: Store) -> None:
        """Remove what may have been written."""
        out.remove(sorted({*self._names(), folders.SUMS} & out.sizes().keys()))

    # ---- the work ----------------------------------------------------------------------------------------------

    def _made(self, out: Store) -> tuple[Seen, _Made | None]:
        """Have all parts judged and written; nothing is made where there are findings."""
        with cluster(self.engine.scheduler, self.engine.jobs) as at_work:
            tasks = _Tasks(self, at_work, out)
            seen = bulk.examine(self.folder, self.asked, told=self.told, elsewhere=tasks)
            if seen.examined.findings:
                return seen, None
            return seen, self._finished(seen, tasks, out)

    def _finished(self, seen: Seen, tasks: _Tasks, out: Store) -> _Made:
        """Write what is of no source, and word what is no table."""
        corpus = read(self.folder, only={}).corpus
        if corpus is None:
            raise package.NotValid("the files that all sources share have changed since they were read")
        for name, table in tabling.of_all(corpus, seen.used, self.left_out).items():
            files = (f"data/{name}.csv", f"data/{name}.parquet") if name in OF_ALL else portions.paths(name, REST)
            if table.num_rows or name in OF_ALL:
                tasks.total.rows[name] = tasks.total.rows.get(name, 0) + table.num_rows
                portions.write_table(table, files, out, tasks.total)
        tables, in_parts = tasks.joined(self.schemas)
        others = releasing.documents(corpus, tables, (tasks.total.chars, tasks.total.shown), self.created, in_parts)
        sums = releasing.sums(others) | {path: written.sha256 for path, written in tasks.total.files.items()}
        return _Made(others, sums)


class _Made(NamedTuple):
    """What there is to write beside the tables, the descriptor last, and the SHA-256 of every file."""

    others: dict[str, bytes]
    sums: dict[str, str]


class _Tasks:
    """The parts of a corpus as tasks, and what they wrote."""

    def __init__(self, building: _Building, at_work: Cluster, out: Store) -> None:
        self.building, self.at_work, self.out = building, at_work, out
        self.total = Portion()
        self.right = True
        """Whether nothing is wrong so far: what is written after that is written for nothing."""

    def judged(self, world: Corpus, asked: Asked, files: Sequence[tuple[str, str | None]]) -> Iterator[Passed]:
        """Have parts judged, and note what was written of them."""
        building = self.building
        shared = Shared(building.source, self.out, world, asked, building.of_parts(), portions.versions())
        first = files[0][0] if files else ""
        tasks = (
            Given(file, packed, building.parts[file], whole=file == first, written=self.right) for file, packed in files
        )
        for made in self.at_work.in_order(portions.portion, tasks, shared):
            if bare := [cell for judged in made.judged for cell in judged.bare]:
                raise package.NotValid(f"cells without a certificate: {', '.join(bare[:5])}")
            self._note(made)
            yield made

    def _note(self, made: Portion) -> None:
        self.right &= portions.is_right(made)
        self.total.files |= made.files
        self.total.chars += made.chars
        self.total.shown += made.shown
        for name, rows in made.rows.items():
            self.total.rows[name] = self.total.rows.get(name, 0) + rows

    def fetch(self, files: Iterable[str]) -> None:
        """Have the files of parts in the folder that stands for an address."""
        building = self.building
        for file in () if building.source.on_disk else files:
            for each in filter(None, (file, lines.packed_beside(Tree(building.folder), file))):
                fs.write(building.folder / each, building.source.read(each))

    def joined(self, schemas: Iterable[str]) -> tuple[dict[str, Finished], dict[str, list[str]]]:
        """Return what the files of each table hold together, and the part files of those that have some."""
        hashes = {file: written.sha256 for file, written in self.total.files.items()}
        files: dict[str, list[str]] = {f"data/{name}.{ending}": [] for name in schemas for ending in ("csv", "parquet")}
        for file in sorted(hashes):
            files[file if file in files else file.rpartition("/")[0]].append(file)
        wholes = {path: [(file, hashes[file]) for file in of_path] for path, of_path in files.items()}
        found = dict(zip(wholes, self.at_work.in_order(portions.joined, wholes.values(), self.out), strict=True))
        in_parts = {path: of_path for path, of_path in files.items() if of_path != [path]}
        return {name: _finished(self.total.rows[name], name, found) for name in schemas}, in_parts


def _finished(rows: int, name: str, found: Mapping[str, Written]) -> Finished:
    return Finished(rows, found[f"data/{name}.csv"], found[f"data/{name}.parquet"])


# ---- a corpus at an address ------------------------------------------------------------------------------------


def _mirror(source: Store, folder: Path) -> None:
    """Have a folder stand for an address: with the names and sizes of all files, and the words that people wrote.

    Raises:
        NotReached: there is nothing at the address.
    """
    sizes = source.sizes()
    here = {file: size for file, size in sizes.items() if file.partition("/")[0] in {"annotations", "seeds"}}
    here |= {file: sizes[file] for file in ("dataset.yaml",) if file in sizes}
    if not here:
        raise NotReached(f"There is no corpus at {source.place}.")
    for above in sorted({above for file in here for above in Path(file).parents if above != Path()}):
        fs.make_folder(folder / above)
    for file, size in here.items():
        if _is_written(file, here) and size <= LARGEST:
            fs.write(folder / file, source.read(file))
        else:
            fs.reserve(folder / file, size)


def _refuse_loose(folder: Path) -> None:
    """Refuse texts that are a file each: of an object store, each would have to be fetched by itself."""
    tree = Tree(folder)
    files = lines.names(tree) if tree.there("annotations") else []
    if loose := [file for file in files if not lines.packed_beside(tree, file)]:
        raise NotReached(f"The texts of {loose[0]} are not packed beside it: `defectors-data shard` packs them.")


def _is_written(file: str, there: Mapping[str, int]) -> bool:
    """Tell whether a file is read as people wrote it, and not as a part of many."""
    beside = f"annotations/{Path(file).stem}.yaml"
    return file.endswith(".yaml") or (file.endswith(".txt") and beside in there)
