"""The published package as a library: tables as data frames, and the provenance of cells.

Everything is read from the package that is installed with the library; nothing is downloaded. The
library requires only pandas and pyarrow, so no module that is imported here may need pydantic.
pandas, polars and pyarrow are imported by the functions that need them.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, overload

from defectors_data.models.closed_vocabularies import RecordTable
from defectors_data.package import published_folder
from defectors_data.package.cells import cell_text
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows import citation_formats, labels
from defectors_data.rows.cell_provenance import (
    KEYS,
    RULES,
    ProvenanceIndex,
    ProvenanceRule,
    rule_of,
)
from defectors_data.text.wording_differences import fold

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Engine = Literal["pandas", "polars", "arrow"]
"""The library that defines the type of a loaded table."""

Dates = Literal["datetime", "date"]
"""The type of dates in a pandas DataFrame: `datetime64`, or `datetime.date` objects."""

ChangedFileWarning = published_folder.ChangedFileWarning


class CellNotFoundError(KeyError):
    """There is no such table, row, column or measure, or a cell is empty."""

    def __str__(self) -> str:
        """Return the message without the quotation marks that a KeyError would add."""
        return str(self.args[0])


def tables() -> list[str]:
    """Return the names of the published tables."""
    return list(_tables(folder()))


@overload
def load(
    table: str,
    *,
    columns: Sequence[str] | None = None,
    engine: Literal["pandas"] = "pandas",
    dates: Dates = "datetime",
) -> pd.DataFrame: ...
@overload
def load(
    table: str, *, columns: Sequence[str] | None = None, engine: Literal["polars"]
) -> pl.DataFrame: ...
@overload
def load(
    table: str, *, columns: Sequence[str] | None = None, engine: Literal["arrow"]
) -> pa.Table: ...
def load(
    table: str,
    *,
    columns: Sequence[str] | None = None,
    engine: Engine = "pandas",
    dates: Dates = "datetime",
) -> pd.DataFrame | pl.DataFrame | pa.Table:
    """Return a published table, with one row for each record, in the published order.

    Offsets are Unicode code points, zero-based and end-exclusive. In pandas, nullable integers are
    `Int64` and Booleans are `boolean`. In an Arrow table, the metadata of each field contains its
    description, as in `describe`.

    Args:
        table: One of `tables()`.
        columns: The columns to load, in this order; all of them by default.
        engine: `pandas`, `polars` or `arrow`; polars must be installed (`pip install polars`).
        dates: In pandas, `datetime` for `datetime64`, or `date` for `datetime.date`.

    Raises:
        KeyError: there is no such table or column.
        TypeError: `table` is not a string, or `columns` is a string.
        ValueError: there is no such engine or type of date.
        ModuleNotFoundError: the engine is not installed.

    Warns:
        ChangedFileWarning: the file of the table was changed after it was published.
    """
    described = _table(folder(), table)
    types = {field["name"]: field["type"] for field in described["schema"]["fields"]}
    if isinstance(columns, str):
        raise TypeError(f"`columns` must be a list of names, such as [{columns!r}].")
    for column in columns or ():
        if column not in types:
            problem = f"The table {table} has no column {column!r}."
            raise CellNotFoundError(problem + _suggested(column, types))
    chosen = None if columns is None else list(columns)
    if engine not in get_args(Engine):
        problem = f"There is no engine {engine!r}."
        raise ValueError(f"{problem} Expected one of: {', '.join(get_args(Engine))}.")
    if dates not in get_args(Dates):
        problem = f"Unknown type of date {dates!r}."
        raise ValueError(f"{problem} Expected one of: {', '.join(get_args(Dates))}.")
    if engine == "polars":
        return _in_polars(described["name"], chosen)
    found = PackageTables(folder(), [described["name"]]).table(described["name"], chosen)
    if engine == "arrow":
        return found
    frame: pd.DataFrame = found.to_pandas()
    if dates == "date":
        return frame
    # pandas makes dates Python objects, which most of its functions do not support.
    days = [column for column in frame if types[str(column)] == "date"]
    return frame.astype(dict.fromkeys(days, "datetime64[s]"))


def _in_polars(table: str, columns: list[str] | None) -> pl.DataFrame:
    try:
        import polars as pl  # noqa: PLC0415
    except ModuleNotFoundError as error:
        problem = "polars is not installed: pip install polars"
        raise ModuleNotFoundError(problem, name="polars") from error
    name = f"data/{table}.parquet"
    with published_folder.opened(folder(), name):
        # polars opens the path itself, because it reads in threads.
        return pl.read_parquet(folder() / name, columns=columns)


def find(text: str) -> pd.DataFrame:
    """Return the cells that quote an article and contain `text`, as a DataFrame with a row each.

    Case, accents, and the styles of quotation marks and dashes are ignored. The columns of the
    result are `record` (TABLE/ID, for `why` and `cite`), `column` and `words`.

    Raises:
        TypeError: the text is not a string.
        ValueError: the text is empty.
    """
    import pandas as pd  # noqa: PLC0415

    needle, found = _plain(_string(text, "The text to find")), list[tuple[str, str, str]]()
    if not needle:
        raise ValueError("The text to find is empty.")
    present = _tables(folder())
    for table, key in KEYS.items():
        if table not in present:
            continue
        fields = _table(folder(), table)["schema"]["fields"]
        texts = [field["name"] for field in fields if field["type"] == "string"]
        quoting = [name for name in texts if RULES[table][name].basis == "evidence"]
        for row in load(table, columns=[key, *quoting], engine="arrow").to_pylist():
            for name in quoting:
                if needle in _plain(row[name] or ""):
                    found.append((f"{table}/{row[key]}", name, row[name]))
    return pd.DataFrame(found, columns=["record", "column", "words"])


def _plain(text: str) -> str:
    """Return a text without case, accents, line breaks, and styles of marks and dashes."""
    # Decomposition makes each accent a combining character, which can be left out.
    letters = unicodedata.normalize("NFD", " ".join(text.split()))
    return fold("".join(letter for letter in letters if not unicodedata.combining(letter)))


def compare(measure: str) -> pd.DataFrame:
    """Return the pairs of figures of a measure, each with the verdict and its explanation.

    The columns are `figure_a`, `stated_a` (the hedge and number of `figure_a`), `figure_b`,
    `stated_b`, `same_source`, `verdict` and `explanation`. A measure with a single figure has no
    pairs.

    Raises:
        KeyError: there is no such measure.
    """
    measures = [str(term) for term in load("measures", engine="arrow")["measure"].to_pylist()]
    if _string(measure, "The measure") not in measures:
        near = _near(measure, measures)
        raise CellNotFoundError(f"There is no measure {measure!r}.{near}")
    figures = {row["figure_id"]: row for row in load("figures", engine="arrow").to_pylist()}
    pairs = load("comparisons")
    pairs = pairs[pairs["measure"] == measure].reset_index(drop=True)
    for end in ("a", "b"):
        names = pairs[f"figure_{end}"]
        pairs[f"stated_{end}"] = [labels.printed_number(figures[name]) for name in names]
    columns = "figure_a stated_a figure_b stated_b same_source verdict explanation".split()
    return pairs[columns]


def describe(table: str) -> pd.DataFrame:
    """Return a description of each column of a table, as a DataFrame with a row for each column.

    The columns of the result are `column`, `type`, `unit` (of numbers, if any), `nullable` (whether
    a cell may be empty), `values` (of a closed vocabulary, separated by ` | `), `example`
    (invented) and `meaning`.

    Raises:
        KeyError: there is no such table.
    """
    import pandas as pd  # noqa: PLC0415

    fields = _table(folder(), table)["schema"]["fields"]
    return pd.DataFrame([_column(field) for field in fields])


def cite(
    record: str | None = None,
    *,
    format: citation_formats.Format | citation_formats.MachineFormat = "text",  # noqa: A002  # the usual name
) -> str:
    """Return a citation of the dataset or, with a `record` such as "figures/ID", of that record.

    The citation of a record names its speaker (for a person who is not named, only the role) and
    its article. It contains the record's permanent reference, which `defectors-data
    verify-citation` compares with any release.

    Args:
        record: ID or TABLE/ID of a record.
        format: `text`, `bibtex`, `ris`, `csl` (CSL-JSON), or `json`: the reference of a record, a
            link to its words, and their selectors as a Web Annotation.

    Raises:
        KeyError: there is no such record.
        ValueError: there is no such format.
    """
    return cited(folder(), record, format)


def cited(
    package: Path,
    record: str | None,
    style: citation_formats.Format | citation_formats.MachineFormat,
) -> str:
    """Return a citation of a published package, or of one of its records; see `cite`."""
    published_folder.package_descriptor(package)
    if isinstance(record, str) and "-" in record and "/" not in record:  # an id, and no table
        record = _with_table(package, record)
    with published_folder.opened(package, "croissant.json") as file:
        facts = json.load(file)
    authors = tuple(creator["name"] for creator in facts["creator"])
    # In croissant.json, only the citation contains the DOI.
    doi = facts["citeAs"].partition("https://doi.org/")[2] or None
    day, address = facts["datePublished"], facts.get("url")
    found = citation_formats.CitedItem(
        facts["alternateName"], authors, facts["name"], facts["version"], day, doi, address
    )
    if style == "json":
        return _machine_citation(package, record, found)
    if record is not None:
        found = found._replace(record=_described(package, record, found.version))
    return citation_formats.citation(found, style)


def _with_table(package: Path, name: str) -> str:
    """Return TABLE/ID of the record with an id."""
    tables = _tables(package)
    for table in get_args(RecordTable):
        if table in tables and _typed_rows(package, table, _key(tables[table]), [name]):
            return f"{table}/{name}"
    raise CellNotFoundError(f"No record has the id {name!r}.")


def _key(table: dict[str, Any]) -> str:
    return str(table["schema"]["primaryKey"][0])


def _machine_citation(package: Path, record: str | None, found: citation_formats.CitedItem) -> str:
    if record is None:
        raise CellNotFoundError("The format json cites a record: give TABLE/ID.")
    table, name, row = _cited_row(package, record)
    spans = _typed_rows(package, "spans", "record_id", [name])
    parts = [each for each in spans if (each["record_table"], each["field"]) == (table, "evidence")]
    if not parts:
        raise CellNotFoundError(
            f"{record} quotes no words of an article, as the format json needs."
        )
    source = _record(package, "sources", row["source_id"])
    return citation_formats.machine_citation(found, f"{table}/{name}", row, source, parts)


def _cited_row(package: Path, record: str) -> tuple[str, str, dict[str, Any]]:
    """Return the table, the id and the row of a record that is given as TABLE/ID."""
    table, _, name = _string(record, "The record").partition("/")
    _find_row(package, table, name)
    return table, name, _record(package, table, name)


def _described(package: Path, record: str, version: str) -> str:
    *_, row = _cited_row(package, record)
    source = None
    if row.get("source_id"):
        source = _record(package, "sources", row["source_id"])
    speaker_id, who = citation_formats.speaker_of(row), ""
    if speaker_id:
        speaker = _record(package, "speakers", speaker_id)
        role = _record(package, "terms", f"role.{speaker['role']}")
        who = labels.speaker_label(speaker, {role["term"]: role["label"]})
    return citation_formats.described(record, row, source, who, version)


def _record(package: Path, table: str, name: str) -> dict[str, Any]:
    """Return the row with an id, whose cells have the types of the Parquet file."""
    [row] = _typed_rows(package, table, _key(_table(package, table)), [name])
    return row


def why(cell: str) -> Explanation:
    """Return the provenance of a cell, and the words that it is based on.

    `print(why("figures/ID/value"))` shows one cell, with carets under its words;
    `why("figures/ID")` shows all cells of the row that are not empty, and for a testimony its
    relations to others. In the result, `spans` contains the words with their places, and
    `cells` the cells with their provenance.

    Raises:
        KeyError: there is no such cell, or it is empty.
    """
    return Explanation(tuple(trace(folder(), cell)))


def descriptor() -> dict[str, Any]:
    """Return the content of the package's `datapackage.json`."""
    return published_folder.package_descriptor(folder())


def _column(field: dict[str, Any]) -> dict[str, Any]:
    return {
        "column": field["name"],
        "type": field["type"],
        "unit": field.get("unit"),
        "nullable": not field["constraints"]["required"],
        "values": " | ".join(field["constraints"].get("enum", [])) or None,
        "example": field["example"],
        "meaning": field["description"],
    }


def folder() -> Path:
    """Return the folder of the published package, in the installed library or in the checkout."""
    installed = Path(__file__).parents[1] / "dist"
    if installed.is_dir():
        return installed
    return Path(__file__).parents[3] / "dist"


def _tables(package: Path) -> dict[str, dict[str, Any]]:
    """Return the resources of a package's descriptor that are tables, by name."""
    resources = published_folder.package_descriptor(package)["resources"]
    return {resource["name"]: resource for resource in resources if resource.get("type") == "table"}


def _table(package: Path, name: str) -> dict[str, Any]:
    tables = _tables(package)
    if _string(name, "The name of a table") not in tables:
        raise CellNotFoundError(f"There is no table {name!r}.{_suggested(name, tables)}")
    return tables[name]


def _string(value: object, what: str) -> str:
    """Return `value`, which must be a string.

    Raises:
        TypeError: it is not a string; the message begins with `what`.
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {value!r}.")
    return value


def _suggested(typed: str, names: Iterable[str], *, or_all: bool = True) -> str:
    """Return a sentence with the nearest name; if none is near, one with all names or ""."""
    known = list(names)
    if near := get_close_matches(typed, known, n=1):  # the library does not require rapidfuzz
        return f" Did you mean `{near[0]}`?"
    return f" Expected one of: {', '.join(known)}." if or_all else ""


def _near(typed: str, measures: Sequence[str]) -> str:
    """Return a sentence with the measures whose names are similar, or else share a word."""
    near = get_close_matches(typed, measures, n=_MOST_NEAR, cutoff=0.75)
    if not near:
        words = set(typed.casefold().split("_"))
        near = [name for name in measures if words & set(name.split("_"))][:_MOST_NEAR]
    if not near:
        return " The table `measures` lists all measures."
    return f" Did you mean {' or '.join(f'`{name}`' for name in near)}?"


_MOST_NEAR = 3
"""Maximum number of measures that a message suggests."""


# ---- why a cell has its value --------------------------------------------------------------------


class QuotedWords(NamedTuple):
    """Words that support a cell, with their place and the words around them."""

    span: str
    source: str
    line: int
    column: int
    before: str
    exact: str
    after: str


class SupportingRecord(NamedTuple):
    """A record that supports a cell, with its words."""

    record: str
    """The record as TABLE/ID."""
    words: tuple[QuotedWords, ...]


class CellTrace(NamedTuple):
    """A cell, its provenance, and its words: its own, or those of the records it rests on."""

    table: str
    record: str
    column: str
    value: str
    rule: ProvenanceRule
    words: tuple[QuotedWords, ...]
    rests_on: tuple[SupportingRecord, ...]


@dataclass(frozen=True, repr=False)
class Explanation:
    """The provenance of a cell or of a row's filled cells; `str` gives the output of `why`."""

    cells: tuple[CellTrace, ...]

    @property
    def spans(self) -> list[QuotedWords]:
        """The words that the cells are based on, with their places and without duplicates."""
        own, others = list[QuotedWords](), list[QuotedWords]()
        for cell in self.cells:
            own += cell.words
            for resting in cell.rests_on:
                others += resting.words
        return list(dict.fromkeys([*own, *others]))

    def __str__(self) -> str:
        """Return the cells with their provenance, and with carets under their words."""
        return "\n".join(line for cell in self.cells for line in lines(cell))

    __repr__ = __str__


def trace(package: Path, name: str, *, seeds: Path | None = None) -> list[CellTrace]:
    """Return the cells named by TABLE/ID/COLUMN or TABLE/ID, with their provenance and words.

    `package` is the folder of a published package, and `seeds` that of the articles. With `seeds`,
    words are shown in their whole line; without, in their published context. Row groups that cannot
    contain the rows of the cells or of their words are not read, so tracing takes little longer in
    a large package.

    Raises:
        CellNotFoundError: there is no such cell, or it is empty.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
        OSError: the package cannot be read.
    """
    table, _, rest = _string(name, "The cell").partition("/")
    record, _, column = rest.partition("/")
    row = _find_row(package, table, record)
    if column and column not in row:
        raise CellNotFoundError(f"The table {table} has no such column.{_suggested(column, row)}")
    wanted = [column] if column else [name for name, cell in row.items() if cell is not None]
    if row[wanted[0]] is None:
        raise CellNotFoundError(_why_empty(package, table, row, wanted[0]))
    tracer = _Tracer(package, seeds)
    cells = [tracer.traced(table, record, row, column) for column in wanted]
    if table == "testimonies" and not column:
        cells += tracer.related(record)
    return cells


def _why_empty(package: Path, table: str, row: Mapping[str, Any], column: str) -> str:
    """Return a sentence that explains why a cell is empty."""
    is_protected = row.get("protected", row.get("speaker_protected")) == "true"
    if table == "mentions":
        [speaker] = read_rows(package, "speakers", "speaker_id", [row["speaker_id"]])
        is_protected = speaker["protected"] == "true"
    fields = {field["name"]: field for field in _table(package, table)["schema"]["fields"]}
    if is_protected and "missingValues" in fields[column]:
        why = "this is not recorded for persons who are not publicly named."
        return f"The cell is empty by design: {why}"
    return "The cell is empty: the source does not state it, or it does not apply."


_MOST_COMPARED = 20_000
"""Maximum number of rows of a table for which an id similar to a mistyped one is suggested."""


def _find_row(package: Path, table: str, record: str) -> dict[str, Any]:
    """Return the row of a record.

    Raises:
        CellNotFoundError: there is no such row; the message suggests the most similar id.
    """
    key = _table(package, table)["schema"]["primaryKey"][0]
    for row in read_rows(package, table, key, [record]):
        return row
    tables = PackageTables(package, [table])
    number = tables.number(table)
    ids = [str(row[key]) for row in islice(tables.rows(table, [key]), _MOST_COMPARED)]
    if not record:
        example = f", such as {table}/{ids[0]}" if ids else ""
        raise CellNotFoundError(f"{table} is a table. Name one of its rows{example}.")
    hint = ""
    if number <= _MOST_COMPARED:
        hint = _suggested(record, ids, or_all=False)
    raise CellNotFoundError(f"The table {table} has no row with that {key}.{hint}")


class _Tracer:
    """A lookup of the words that support the cells of a package; each row is read once."""

    def __init__(self, package: Path, seeds: Path | None) -> None:
        self.package, self.seeds = package, seeds
        self.keys = dict[str, str]()
        for name, table in _tables(package).items():
            self.keys[name] = table["schema"]["primaryKey"][0]
        # The caches belong to this object and end with it.
        self.rows = cache(self._rows)
        self.sources = cache(self._sources)

    def _rows(self, table: str, key: str, *values: str) -> list[dict[str, Any]]:
        """Return rows of a table; none of a table that the package does not have."""
        if table not in self.keys:
            return []
        return read_rows(self.package, table, key, values)

    def _sources(
        self, *sources: str
    ) -> tuple[ProvenanceIndex, dict[str, dict[str, Any]], dict[str, str]]:
        """Return the provenance of the cells of sources, their spans by id, and their texts."""
        names = ("mentions", "spans", "sources")
        found = {name: self.rows(name, "source_id", *sources) for name in names}
        index = ProvenanceIndex({**found, "tombstones": self.rows("tombstones", "")})
        spans = {span["span_id"]: span for span in found["spans"]}
        return index, spans, _texts(found["sources"], self.seeds)

    def traced(self, table: str, record: str, row: Mapping[str, Any], column: str) -> CellTrace:
        """Return a cell with its provenance, its words, and the records that support it."""
        rule, words = self._cited(table, row, column)
        resting = tuple(self._resting(rule, table, row, has_words=bool(words)))
        return CellTrace(table, record, column, str(row[column]), rule, words, resting)

    def related(self, testimony: str) -> Iterator[CellTrace]:
        """Yield the relations of a testimony to others, each with the words of both."""
        table = "statement_relations"
        for end in ("first", "second"):
            for row in self.rows(table, end, testimony):
                yield self.traced(table, row[self.keys[table]], row, "kind")

    def _cited(
        self, table: str, row: Mapping[str, Any], column: str
    ) -> tuple[ProvenanceRule, tuple[QuotedWords, ...]]:
        """Return the provenance of a cell, and its own words."""
        sources = [row["source_id"]] if row.get("source_id") else []
        if table == "speakers":
            mentions = self.rows("mentions", "speaker_id", row["speaker_id"])
            sources = sorted({mention["source_id"] for mention in mentions})
        index, spans, texts = self.sources(*sources)
        rule, shown = rule_of(table, column), list[Mapping[str, Any]]()
        if table == "spans":
            shown = [row]
        elif table == "ledger":
            accounted_by = row["waiver_id"] or row["record_id"]
            for span in spans.values():
                if span["record_id"] == accounted_by and (part := _cut(span, row)):
                    shown.append(part)
        elif table in RULES and (found := index.of(table, row, column)):
            rule, shown = found.rule, [spans[name] for name in found.spans]
        if not texts:
            shown = [_in_context(span, spans.values()) for span in shown]
        return rule, tuple(_words(span, texts) for span in shown)

    def _resting(
        self, rule: ProvenanceRule, table: str, row: Mapping[str, Any], *, has_words: bool
    ) -> Iterator[SupportingRecord]:
        """Yield the records on which a cell is based: those that its rule joins, or its own.

        A cell that has words needs its own record no more.
        """
        inputs = [each.partition(".")[::2] for each in (rule.inputs or "").split("; ")]
        joined = list[tuple[str, Mapping[str, Any]]]()
        for join in rule.joins:
            if row[join.own]:
                rows = self.rows(join.table, join.column, *row[join.own].split(";"))
                joined += [(join.table, each) for each in rows if join.includes(each)]
        if not joined and not has_words:
            joined.append((table, row))
        for other, each in joined:
            columns = [name for of, name in inputs if of == other and each.get(name) is not None]
            if other != table and not columns:
                # No input is a non-empty column of this record, so the words of the whole record
                # are shown.
                columns = [name for name in _WORDED if name in each]
            key = self.keys[other]
            words = list[QuotedWords]()
            for name in columns:
                cell = self.traced(other, each[key], each, name)
                words += cell.words
                for resting in cell.rests_on:
                    words += resting.words
            if words:
                yield SupportingRecord(f"{other}/{each[key]}", tuple(dict.fromkeys(words)))


_WORDED = ("text", "theme", "exact")
"""Columns whose words represent the whole record."""


def _in_context(span: Mapping[str, Any], spans: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a span with the evidence around it, if there is any, as its context."""
    if span["field"] == "evidence":
        return span
    for each in spans:
        is_around = each["record_id"] == span["record_id"] and each["field"] == "evidence"
        if is_around and (part := _cut(each, span)):
            return {**part, "span_id": span["span_id"]}
    return span


def _cut(span: Mapping[str, Any], entry: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the part of a span that `entry`, a span or ledger row, covers, or None."""
    first = int(entry["start_offset"]) - int(span["start_offset"])
    last = int(entry["end_offset"]) - int(span["start_offset"])
    exact = str(span["exact"])
    if not 0 <= first < last <= len(exact):
        return None
    newlines = exact.count("\n", 0, first)
    line = int(span["line"]) + newlines
    column = first - exact.rfind("\n", 0, first) if newlines else int(span["column_number"]) + first
    words = {
        "prefix": (span["prefix"] or "") + exact[:first],
        "exact": exact[first:last],
        "suffix": exact[last:] + (span["suffix"] or ""),
    }
    ends = {"start_offset": entry["start_offset"], "end_offset": entry["end_offset"]}
    return {**span, **words, **ends, "line": line, "column_number": column}


def _words(span: Mapping[str, Any], texts: Mapping[str, str]) -> QuotedWords:
    source, exact = span["source_id"], span["exact"]
    before, after = span["prefix"] or "", span["suffix"] or ""
    if text := texts.get(source):
        start, end = int(span["start_offset"]), int(span["end_offset"])
        before = text[text.rfind("\n", 0, start) + 1 : start]
        after = text[end:].partition("\n")[0]
    line, column = int(span["line"]), int(span["column_number"])
    return QuotedWords(span["span_id"], source, line, column, before, exact, after)


_MOST_SHOWN = 12
"""Maximum number of supporting records that are shown on a terminal; the rest are counted."""


def lines(traced: CellTrace) -> Iterator[str]:
    """Yield the lines for a terminal: the cell, its provenance, and its words with carets."""
    rule = traced.rule
    yield f"{traced.table}/{traced.record}/{traced.column}: {traced.value}"
    basis: str = rule.basis
    if rule.function:
        basis = f"computed by {rule.function} from {rule.inputs}"
    yield f"    {'; '.join(filter(None, [basis, rule.note]))}"
    yield from _quoted(traced.words)
    for resting in traced.rests_on[:_MOST_SHOWN]:
        yield f"    {resting.record}"
        yield from _quoted(resting.words)
    if len(traced.rests_on) > _MOST_SHOWN:
        yield f"    and {len(traced.rests_on) - _MOST_SHOWN} more"


def _quoted(found: Iterable[QuotedWords]) -> Iterator[str]:
    for words in found:
        yield f"    {words.source}, line {words.line}, column {words.column}:"
        # At most 60 characters on each side: a line of an article is a whole paragraph.
        before, after = words.before.rpartition("\n")[2][-60:], words.after.partition("\n")[0][:60]
        exact = words.exact.replace("\n", " ")
        yield f"      {before}{exact}{after}"
        yield f"      {' ' * len(before)}{'^' * len(exact)}"


def record(traced: CellTrace) -> dict[str, Any]:
    """Return a cell with its provenance as a dictionary for JSON."""
    provenance = {key: value for key, value in traced.rule._asdict().items() if value is not None}
    resting = []
    for each in traced.rests_on:
        words = [item._asdict() for item in each.words]
        resting.append({"record": each.record, "words": words})
    return {
        "table": traced.table,
        "record": traced.record,
        "column": traced.column,
        "value": traced.value,
        "provenance": provenance,
        "words": [item._asdict() for item in traced.words],
        "rests_on": resting,
    }


def read_rows(
    package: Path, table: str, key: str = "", values: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return the rows of a table, or those whose cell in `key` is one of `values`.

    Cells are strings, as in the CSV.
    """
    return [_texts_of(row) for row in _typed_rows(package, table, key, values)]


def _texts_of(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: cell_text(cell) for name, cell in row.items()}


def _typed_rows(
    package: Path, table: str, key: str = "", values: Sequence[str] = ()
) -> list[dict[str, Any]]:
    tables = PackageTables(package, [table])
    if key:
        return list(tables.among(table, key, values))
    return list(tables.rows(table))


def _texts(sources: list[dict[str, Any]], seeds: Path | None) -> dict[str, str]:
    """Return the texts of the articles whose files are in the folder `seeds`, by source."""
    if not seeds:
        return {}
    texts = {}
    for row in sources:
        path = seeds / row["seed_file"]
        if path.is_file():
            texts[row["source_id"]] = path.read_bytes().decode()
    return texts
