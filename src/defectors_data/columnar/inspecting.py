"""A folder → all that is wrong with the package in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from defectors_data.columnar import keys
from defectors_data.columnar.batches import Arrow, Batch, batches, pc
from defectors_data.columnar.cells import Array, Column, places
from defectors_data.columnar.describing import DESCRIPTOR, Described, Foreign, Key, Table, described
from defectors_data.columnar.parts import KNOWN_HASHES, headers, proof
from defectors_data.columnar.promises import Lengths, Order, Twin, check_offsets
from defectors_data.columnar.tallying import Fault, Tally
from defectors_data.fs import NoScratch
from defectors_data.spilling import PARTS, Runs

PARQUET = "apache-parquet"
SOURCES = "sources"


class Inspected(NamedTuple):
    """What was found, and what was looked at."""

    faults: list[Fault]
    rows: dict[str, int]
    """Rows by table."""
    files: int

    @property
    def valid(self) -> bool:
        """Whether the package is what the standard asks for; frictionless says the same."""
        return all(fault.promised for fault in self.faults)


def inspect(folder: Path) -> Inspected:
    """Judge a package by the standard and by what packages of this kind promise; a fault is told, never raised.

    Raises:
        fs.NoScratch: there is no room for what is too much to hold.
    """
    told = Tally(DESCRIPTOR)
    resources = described(folder, told)
    package = _Package(resources)
    tallies = [told]
    for resource in sorted(resources, key=lambda resource: resource.name != SOURCES):
        tallies.append(tally := Tally(resource.file))
        try:
            tallies += package.read(resource, tally)
        except NoScratch:
            raise
        except Exception as error:  # noqa: BLE001  # whatever a package is, that is told
            tally.add(f"something in it cannot be checked ({type(error).__name__})")
    package.relate({tally.file: tally for tally in tallies})
    found = [fault for tally in tallies for fault in tally.faults()]
    return Inspected(found, package.rows, sum(len(resource.paths) for resource in resources))


_Doubled: TypeAlias = defaultdict[tuple[str, Key], list[Array]]
_Lost: TypeAlias = defaultdict[tuple[str, Foreign], list[Array]]


class _Package:
    """The tables of a package, and what has to be known of one to judge another."""

    def __init__(self, resources: Sequence[Described]) -> None:
        self.tables = {resource.name: resource for resource in resources if resource.table}
        self.twins = {str(r.raw.get("alternateOf")): r for r in resources if r.raw.get("format") == PARQUET}
        self.rows: dict[str, int] = {}
        self._lengths = Lengths() if SOURCES in self.tables else None
        self._hashes: defaultdict[tuple[str, Key], Runs] = defaultdict(Runs)
        self._asked = {name: self._keys_of(name) for name in self.tables}

    def _keys_of(self, name: str) -> set[Key]:
        """Return which keys of a table have to be known: its own, and what others refer to."""
        table = _table(self.tables[name])
        own = {table.primary, *table.unique, *(fields for fields, _, _ in table.foreign)}
        foreign = (key for other in self.tables.values() for key in _table(other).foreign)
        known = set(table.layout.names)
        return {
            key for key in own | {target for _, to, target in foreign if to == name} if key and known.issuperset(key)
        }

    # ---- one table ------------------------------------------------------------------------------------------

    def read(self, resource: Described, tally: Tally) -> Iterator[Tally]:
        """Judge a resource by itself; gives the tally of its Parquet, if it has one."""
        try:
            _check_files(resource, tally)
        except OSError as error:
            tally.add(f"cannot be read ({type(error).__name__})")
            return
        if resource.table:
            yield from _check_headers(resource)
            twin = self._twin(resource)
            if twin:
                yield twin.tally
            self._stream(resource, resource.table, tally, twin)

    def _twin(self, resource: Described) -> Twin | None:
        beside = self.twins.get(resource.name)
        if beside is None:
            return None
        tally = Tally(beside.file)
        if beside.raw.get("logicalHash") != resource.raw.get("logicalHash"):
            tally.add("must have the logicalHash of its CSV", promised=True)
        return Twin(beside.paths, _table(resource).layout.names, tally)

    def _stream(self, resource: Described, table: Table, tally: Tally, twin: Twin | None) -> None:
        watchers = list(self._watchers(resource, table, tally))
        self.rows[resource.name] = 0
        for batch, columns in judged(table, tally):
            self.rows[resource.name] += len(columns[0].texts)
            tally.add("must not be blank", batch.first + places(_blank(batch)))
            self._remember(resource.name, table, columns, batch.first, tally)
            for watch in watchers:
                watch(batch.first, {column.judge.name: column for column in columns})
            if twin:
                twin.add(batch.first, columns)
        if twin:
            twin.finish()
        if resource.name == SOURCES and self._lengths:
            self._lengths.settle()

    def _watchers(
        self, resource: Described, table: Table, tally: Tally
    ) -> Iterator[Callable[[int, dict[str, Column]], None]]:
        """Give what looks at each batch of a table for the sake of promises."""
        ordered = resource.raw.get("orderedBy")
        if ordered and isinstance(ordered, list) and set(ordered) <= set(table.layout.names):
            order = Order(ordered)
            yield lambda first, columns: order.add(first, columns, tally)
        elif ordered:
            tally.add("must be ordered by columns that it has", promised=True)
        units = {field.get("name"): field.get("unit") for field in resource.raw["schema"]["fields"]}
        lengths = self._lengths
        if resource.name == SOURCES and lengths and {"source_id", "chars"} <= units.keys():
            yield lambda _, columns: lengths.add(columns["source_id"], columns["chars"])
        if units.get("start") == units.get("end") == "code points":
            yield lambda first, columns: check_offsets(first, columns, lengths, tally)

    def _remember(self, name: str, table: Table, columns: Sequence[Column], first: int, tally: Tally) -> None:
        """Keep the hashes of the keys of some rows, and tell the rows without a primary key."""
        by_name = {column.judge.name: column for column in columns}
        whole = {table.primary, *table.unique}
        for key in self._asked[name]:
            parts = [by_name[part] for part in key]
            if key in whole:
                found, held = keys.hashes(parts)
                kept = found if held.all() else found[held]
                if key == table.primary:
                    tally.add("must have a primary key", first + np.flatnonzero(~held), column=", ".join(key))
            else:
                kept = keys.distinct(parts)
            self._hashes[name, key].add(kept)

    # ---- tables between each other --------------------------------------------------------------------------

    def relate(self, tallies: dict[str, Tally]) -> None:
        """Tell keys that are there twice, and foreign keys that lead nowhere."""
        doubled, lost = self._unrelated()
        for name, resource in self.tables.items():
            table, tally = _table(resource), tallies[resource.file]
            for key in dict.fromkeys([table.primary, *table.unique]):
                if found := doubled.get((name, key)):
                    rows = _repeated(table, key, keys.together(found))
                    tally.add("must be there once", rows, column=", ".join(key))
            for foreign in table.foreign:
                if found := lost.get((name, foreign)):
                    own, to, target = foreign
                    dangling = (row for row, _ in _rows_with(table, own, keys.together(found)))
                    tally.add(f"must be in {to} as {', '.join(target)}", dangling, column=", ".join(own))

    def _unrelated(self) -> tuple[_Doubled, _Lost]:
        """Return the hashes of keys that may be there twice, and of those that lead nowhere."""
        doubled, lost = _Doubled(list), _Lost(list)
        for part in range(PARTS):
            ordered = {of: runs.part(part)[:, 0] for of, runs in self._hashes.items()}
            nothing = keys.together([])
            for name, resource in self.tables.items():
                table = _table(resource)
                for key in filter(None, {table.primary, *table.unique}):
                    found = keys.twice(ordered.get((name, key), nothing))
                    doubled[name, key] += [found] if len(found) else []
                for foreign in table.foreign:
                    own, to, target = foreign
                    found = keys.nowhere(ordered.get((name, own), nothing), ordered.get((to, target), nothing))
                    lost[name, foreign] += [found] if len(found) else []
        return doubled, lost


def judged(table: Table, tally: Tally) -> Iterator[tuple[Batch, list[Column]]]:
    """Give the rows of a table by column, without cells of another type; what is wrong with a cell is told."""
    for batch in batches(table.layout, tally):
        yield (
            batch,
            [judge.judged(cells, batch.first, tally) for judge, cells in zip(table.judges, batch.columns, strict=True)],
        )


def _rows_with(table: Table, key: Key, wanted: Array) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Read a table again, and give the rows whose key has one of these hashes, with the key itself."""
    for batch, columns in judged(table, Tally("")):
        by_name = {column.judge.name: column for column in columns}
        found, held = keys.hashes([by_name[part] for part in key])
        rows = np.flatnonzero(np.isin(found, wanted) & held)
        texts = keys.values([by_name[part] for part in key], rows)
        yield from zip((batch.first + rows).tolist(), texts, strict=True)


def _repeated(table: Table, key: Key, doubled: Array) -> list[int]:
    """Return the rows whose key was there before, as its values say and not the hash."""
    seen: set[tuple[object, ...]] = set()
    rows = []
    for row, values in _rows_with(table, key, doubled):
        if values in seen:
            rows.append(row)
        seen.add(values)
    return rows


def _table(resource: Described) -> Table:
    if resource.table is None:
        raise TypeError(resource.name)
    return resource.table


def _blank(batch: Batch) -> Arrow:
    """Return a mask of the rows in which every cell is empty."""
    blank = batch.columns[0].is_null()
    for column in batch.columns[1:]:
        if not pc.any(blank).as_py():
            break
        blank = pc.and_(blank, column.is_null())
    return blank


def _check_headers(resource: Described) -> Iterator[Tally]:
    """Give a tally of each part file that would lose a row, because its first line is no header."""
    first, *others = headers(resource.paths)
    for path, line in zip(resource.raw["path"][1:], others, strict=True) if others else ():
        if line.rstrip(b"\r\n") != first.rstrip(b"\r\n"):
            tally = Tally(str(path))
            tally.add("must have the header of the first part", [1], promised=True)
            yield tally


def _check_files(resource: Described, tally: Tally) -> None:
    """Tell a size or a hash that is not what the descriptor says; frictionless skips a size of 0."""
    algorithm, _, digest = str(resource.raw.get("hash") or "").rpartition(":")
    algorithm = algorithm or "md5"
    if algorithm not in KNOWN_HASHES:
        tally.add("must have a hash of a known algorithm: md5, sha256", promised=True)
        algorithm, digest = "sha256", ""
    size, found = proof(resource.paths, algorithm, headed=resource.raw.get("format") == "csv")
    if resource.raw.get("bytes") not in (None, 0, size):
        tally.add("must have as many bytes as the descriptor says")
    if resource.raw.get("bytes") == 0 != size:
        tally.add("must have as many bytes as the descriptor says", promised=True)
    if digest and digest != found:
        tally.add("must have the hash that the descriptor says")
