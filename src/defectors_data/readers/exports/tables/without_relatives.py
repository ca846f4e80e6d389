"""The tables of a package without what could endanger relatives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

from defectors_data.evidence.comparisons import SHARED_WORDS
from defectors_data.models.columns import columns
from defectors_data.models.tables import ONLY_WITH_ROWS, ROW_OF
from defectors_data.package import filesystem
from defectors_data.package.tables_reader import BATCH, PackageTables, Row
from defectors_data.rows.cell_provenance import rule_of
from defectors_data.rows.labels import READ_OF_RELATIVES, with_endangered_relatives
from defectors_data.rows.spans import revealed
from defectors_data.text.occurrences import SHORTEST_PASSAGE, says_the_same
from defectors_data.text.offsets import Span, overlaps, with_context

_PAIRS = (
    ("record_table", "record_id"),
    ("table_name", "record_id"),
    ("repeats_table", "repeats_id"),
)
"""Pairs of columns with the table and the key of another row."""
_USERS = (("testimonies", "speaker_id"), ("figures", "attributed_to"), ("speakers", "part_of"))
"""The columns that name the speakers who are needed."""
_RESTING = ("persons", "spans", "provenance")
"""Tables on whose rows no row of another table rests."""
_ATTESTED = ("gender", "request")
"""The columns of `speakers` that are empty unless words of a mention attest them."""
_LATER = ("persons", "terms", "measures", "sources")
"""Tables that are derived from others, and so written after these."""
_PLACE = [
    *("span_id", "record_table", "record_id", "field"),
    *("source_id", "start_offset", "end_offset", "exact"),
]


def write_without_relatives(tables: PackageTables, folder: Path) -> PackageTables:
    """Write the tables without testimonies that report relatives in danger, and return them.

    As in a takedown, these are left out too: what refers to such a testimony or shares words with
    it, speakers to whom nothing refers any more, and all spans and contexts with its words or a
    repeat of them. Persons and numbers are derived again from the rows that remain. Of a measure
    that loses a figure, a summary that rows do not show is left empty.
    """
    reduced, names = _ReducedTables(tables), list[str]()
    filesystem.make_folder(folder / "data")
    for name in sorted(tables.names, key=_LATER.__contains__):
        rows, done = reduced.rows(name), PackageTables(folder, names)
        if name == "persons":
            rows = _persons(rows, done, reduced.of_removed("testimonies", "mentions"))
        elif name == "terms":
            rows = _terms(rows, done)
        elif name == "measures":
            rows = _measures(rows, done, reduced.of_removed("figures", column="measure"))
        elif name == "sources":
            rows = _sources(rows, done, reduced.sources)
        if _write(folder, tables, name, rows) or name not in ONLY_WITH_ROWS:
            names.append(name)
    return PackageTables(folder, [name for name in tables.names if name in names])


def _write(folder: Path, tables: PackageTables, name: str, rows: Iterator[Row]) -> int:
    """Write the Parquet file of a table, and return the number of its rows."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pyarrow.parquet as pq  # noqa: PLC0415

    number, schema = 0, tables.schema(name)
    with pq.ParquetWriter(folder / f"data/{name}.parquet", schema) as writer:
        waiting = list[Row]()
        for row in rows:
            waiting.append(row)
            if len(waiting) == BATCH:
                writer.write_table(pa.Table.from_pylist(waiting, schema))
                number, waiting = number + BATCH, []
        writer.write_table(pa.Table.from_pylist(waiting, schema))
    return number + len(waiting)


# ---- removed rows and words ----------------------------------------------------------------------


class _ReducedTables:
    """What is removed from the tables of a package, and the rows that remain."""

    def __init__(self, tables: PackageTables) -> None:
        """Find all that rests on a testimony about relatives in danger."""
        self.tables = tables
        self.gone = set[tuple[str | None, str | None]]()
        """The tables and keys of removed rows."""
        self.runs = defaultdict[str, set[Span]](set)
        """The places of removed words, by source."""
        self.passages = defaultdict[str, set[str]](set)
        """Removed words that another place may repeat, by source."""
        rows, used, before = {}, self._used(), None
        for name, wanted in READ_OF_RELATIVES.items():
            rows[name] = list(tables.rows(name, wanted))
        for testimony_id in with_endangered_relatives(rows):
            self.gone.add(("testimonies", testimony_id))
        while before != (before := (len(self.gone), sum(map(len, self.runs.values())))):
            self._find_words()
            for name in tables.names:
                if name not in _RESTING:
                    self._find_dependents(name)
            self.gone |= {("speakers", speaker_id) for speaker_id in used - self._used()}
        self.lost = self._lost()
        """The table, id and field of what remaining records lose, because its words are removed."""
        self.dropped, self.sources = set[str](), set(self.runs)
        for row in tables.rows("spans", _PLACE):
            if self._is_dropped(row):
                self.dropped.add(row["span_id"])
                self.sources.add(row["source_id"])
        self.lost |= self._unattested()

    def _used(self) -> set[str]:
        """Return the ids of the speakers whom a remaining row needs."""
        found = set[str]()
        for name, column in _USERS:
            key = ROW_OF[name].TABLE.key
            for row in self.tables.rows(name, [key, column]):
                if row[column] and (name, row[key]) not in self.gone:
                    found.add(row[column])
        return found

    def _find_words(self) -> None:
        """Find the words of removed testimonies and figures, their repeats, and who shares them."""
        for row in self.tables.rows("spans", _PLACE):
            is_removed = (row["record_table"], row["record_id"]) in self.gone
            if is_removed and row["record_table"] != "mentions" and row["field"] == "evidence":
                self.runs[row["source_id"]].add(_place(row))
                self.passages[row["source_id"]].update(_passages(row["exact"]))
        for row in self.tables.rows("spans", _PLACE):
            passages = self.passages.get(row["source_id"], ())
            if any(says_the_same(row["exact"], passage) for passage in passages):
                self.runs[row["source_id"]].add(_place(row))
            if row["field"] == "evidence" and self._has_removed_words(row):
                self.gone.add((row["record_table"], row["record_id"]))

    def _find_dependents(self, name: str) -> None:
        for row in self.tables.rows(name):
            is_dependent = not self.gone.isdisjoint(_references(name, row))
            if is_dependent or (name == "ledger" and self._has_removed_words(row)):
                self.gone.add((name, row[ROW_OF[name].TABLE.key]))
            if is_dependent and name == "ledger":
                self.runs[row["source_id"]].add(_place(row))

    def _has_removed_words(self, row: Row) -> bool:
        return overlaps(_place(row), self.runs.get(row["source_id"], ()))

    def _lost(self) -> set[tuple[str, str, str]]:
        """Return the fields of testimonies, mentions and other records that lose their words."""
        lost, removed = set[tuple[str, str, str]](), {record_id for _, record_id in self.gone}
        for row in self.tables.rows("spans", _PLACE):
            if self._has_removed_words(row):
                lost.add((row["record_table"], row["record_id"], row["field"]))
        for row in self.tables.rows("testimonies", ["testimony_id", "attribution_id"]):
            if row["attribution_id"] in removed:
                lost.add(("testimonies", row["testimony_id"], "attribution"))
        for row in self.tables.rows("speakers", ["speaker_id", "part_of"]):
            if row["part_of"] in removed:
                lost.add(("speakers", row["speaker_id"], "part_of"))
        return lost

    def _is_dropped(self, row: Row) -> bool:
        """Return whether a span is removed: of a source or a waiver, only the places themselves."""
        name, record_id = row["record_table"], row["record_id"]
        if (name, record_id) in self.gone or self._has_removed_words(row):
            return True
        return name in ("testimonies", "mentions", "figures") and (
            (name, record_id, row["field"]) in self.lost
        )

    def _unattested(self) -> set[tuple[str, str, str]]:
        """Return the columns of speakers that no remaining words of a mention attest."""
        wanted = ["span_id", "record_table", "record_id"]
        before, after = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for row in self.tables.among("spans", "field", _ATTESTED, wanted):
            before[row["record_id"]].add(row["field"])
            if row["span_id"] not in self.dropped:
                after[row["record_id"]].add(row["field"])
        lost, kept = set[tuple[str, str, str]](), set[tuple[str, str, str]]()
        for row in self.tables.among("mentions", "mention_id", before, ["speaker_id"]):
            for found, attested in ((lost, before), (kept, after)):
                for field in attested[row["mention_id"]]:
                    found.add(("speakers", row["speaker_id"], field))
        return lost - kept

    def of_removed(self, *names: str, column: str = "speaker_id") -> set[str]:
        """Return the values of a column in the removed rows of tables."""
        found = set[str]()
        for name in names:
            key = ROW_OF[name].TABLE.key
            for row in self.tables.rows(name, [key, column]):
                if row[column] and (name, row[key]) in self.gone:
                    found.add(row[column])
        return found

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of a table that remain, in order, without removed words."""
        key, fields = ROW_OF[name].TABLE.key, defaultdict[str, set[str]](set)
        for table, record_id, field in self.lost:
            if table == name:
                fields[record_id].add(field)
        for row in self.tables.rows(name):
            is_removed = (name, row[key]) in self.gone or row.get("span_id") in self.dropped
            if is_removed or not self.gone.isdisjoint(_references(name, row)):
                continue
            if name == "spans":
                self._shorten_contexts(row)
            if name == "provenance" and row["spans"]:
                rest = [each for each in row["spans"].split(";") if each not in self.dropped]
                row["spans"] = ";".join(rest)
                if not rest:
                    continue
            for field in fields.get(row[key], ()):
                row.update(dict.fromkeys(_columns_of(name, field)))
            yield row

    def _shorten_contexts(self, row: Row) -> None:
        """Cut the contexts of a span where removed words begin or end."""
        before, after, span = row["prefix"] or "", row["suffix"] or "", _place(row)
        most = max(len(before), len(after))
        start, end = with_context(span, most, self.runs.get(row["source_id"], ()))
        row["prefix"] = before[max(0, len(before) - (span.start - start)) :] or None
        row["suffix"] = after[: end - span.end] or None


def _place(row: Row) -> Span:
    return Span(row["start_offset"], row["end_offset"])


def _passages(text: str) -> Iterator[str]:
    """Yield the runs of words by which a text is recognised where it is repeated in part."""
    words = text.split()
    if len(words) >= SHORTEST_PASSAGE:
        for i in range(max(1, len(words) - SHARED_WORDS + 1)):
            yield " ".join(words[i : i + SHARED_WORDS])


def _columns_of(name: str, field: str) -> Iterator[str]:
    """Yield the columns that may be empty, of a table, that rest on a field's words."""
    for column in columns(ROW_OF[name]):
        if column.nullable and field in (column.name, *rule_of(name, column.name).fields[:1]):
            yield column.name


def _references(name: str, row: Row) -> Iterator[tuple[str | None, str | None]]:
    """Yield the table and key of each row to which a row refers."""
    for column, (table, _) in ROW_OF[name].TABLE.refers.items():
        yield table, row[column]
    for table_column, column in _PAIRS:
        yield row.get(table_column), row.get(column)
    for operand in (row.get("operands") or "").split(";"):
        yield "figures", operand


# ---- rows that are derived again -----------------------------------------------------------------


def _persons(rows: Iterator[Row], done: PackageTables, changed: Collection[str]) -> Iterator[Row]:
    """Yield the rows of persons; those of whom something is removed are derived again."""
    from defectors_data.rows.persons import person_rows  # noqa: PLC0415  # pyarrow is slow to import

    of_changed = []
    for name in ("speakers", "mentions", "testimonies", "motives"):
        every_column = list(ROW_OF[name].model_fields)
        of_changed.append(done.among(name, "speaker_id", changed, every_column))
    found = {}
    for row in person_rows(*of_changed):
        found[row["person_id"]] = row
    for row in rows:
        yield found.get(row["person_id"], row)


def _terms(rows: Iterator[Row], done: PackageTables) -> Iterator[Row]:
    """Yield the rows of terms, each with the number of remaining rows that use it."""
    used = Counter[tuple[str, str]]()
    for name in done.names:
        for column, kind in ROW_OF[name].TABLE.terms.items():
            for term, number in done.count(name, column).items():
                used[kind, term] += number
    for row in rows:
        yield {**row, "used": used[row["kind"], row["term"]]}


def _measures(rows: Iterator[Row], done: PackageTables, changed: Collection[str]) -> Iterator[Row]:
    """Yield the rows of measures; those that lost a figure are summarised again."""
    figures, sources = Counter[str](), defaultdict[str, set[str]](set)
    for row in done.among("figures", "measure", changed, ["source_id", "polarity"]):
        if row["polarity"] == "affirmed":
            figures[row["measure"]] += 1
            sources[row["measure"]].add(row["source_id"])
    compared = defaultdict[str, set[str]](set)
    for row in done.among("comparisons", "measure", changed):
        if not row["same_source"] and row["verdict"] != "not_comparable":
            compared[row["measure"]] |= {row["figure_a"], row["figure_b"]}
    for row in rows:
        name = row["measure"]
        if name in changed:
            row["figures"] = figures[name]
            if row["sources"] is not None:
                row["sources"], row["compared_figures"] = len(sources[name]), len(compared[name])
                row["independent_sources"] = None if compared[name] else 0
                row.update(dict.fromkeys(_SUMMARY))
        yield row


_SUMMARY = ("lowest", "highest", "earliest", "latest", "verdicts")
"""The columns of `measures` that no other table shows."""


def _sources(rows: Iterator[Row], done: PackageTables, changed: Collection[str]) -> Iterator[Row]:
    """Yield the rows of sources, each with the number of characters that remain."""
    shown = defaultdict[str, list[Row]](list)
    wanted = ["start_offset", "end_offset", "prefix", "suffix"]
    for row in done.among("spans", "source_id", changed, wanted):
        shown[row["source_id"]].append(row)
    for row in rows:
        if row["source_id"] in changed:
            row["chars_revealed"] = sum(
                end - start for start, end in revealed(shown[row["source_id"]])
            )
        yield row
