"""A workbook of Office Open XML (ECMA-376) for spreadsheets, with a sheet for each table.

The first sheet describes the tables, the second their columns. Numbers, Booleans and dates keep
their types; all other cells are strings, including those that begin with `=`, `+`, `-` or `@`. A
date before March 1900 is a string, because spreadsheets disagree on such dates.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any

from defectors_data.models.columns import sentence
from defectors_data.package import published_folder
from defectors_data.readers.article_copies import ExportError
from defectors_data.readers.exports.exported_records import ExportedCorpus, Files

if TYPE_CHECKING:
    from openpyxl import Workbook

MOST_ROWS, LONGEST = 1_048_576, 32_767
"""Excel's limits on the rows in a sheet, including the header, and on the characters in a cell."""
FIRST_DAY = date(1900, 3, 1)
"""The first day with the same number in all spreadsheets: Excel has a 29 February 1900."""
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""What XML cannot contain, carriage returns, and what looks escaped (ECMA-376, 22.9.2.19)."""


def files(corpus: ExportedCorpus) -> Files:
    """Yield the workbook.

    Raises:
        ExportError: openpyxl is not installed, or a table or a cell is too large for a workbook.
    """
    try:
        from openpyxl import Workbook  # noqa: PLC0415  # in an optional extra
    except ModuleNotFoundError as error:
        problem = "openpyxl is not installed: install defectors-data with the extra `export`."
        raise ExportError(problem) from error
    book, written = Workbook(write_only=True), io.BytesIO()
    book.properties.title, book.properties.creator = corpus.title, corpus.name
    try:
        _sheets(book, corpus)
    except ExportError:
        for sheet in book.worksheets:
            sheet.close()  # closes its temporary file
        raise
    book.save(written)
    yield f"{corpus.name}.xlsx", _timeless(written)


def _sheets(book: Workbook, corpus: ExportedCorpus) -> None:
    tables = corpus.published()
    described, fields = list[list[object]](), list[list[object]]()
    for row, published in tables.items():
        name = row.TABLE.name
        described.append([name, corpus.tables.number(name), sentence(row)])
        for column in published:
            kind = column.type.__name__
            fields.append([name, column.name, kind, column.unit, column.description])
    _sheet(book, "contents", ["table", "rows", "description"], described)
    _sheet(book, "columns", ["table", "column", "type", "unit", "description"], fields)
    for row in tables:
        name = row.TABLE.name
        if corpus.tables.number(name) >= MOST_ROWS:  # not `>`, because the header is a row, too
            problem = f"The table {name} has more rows than a sheet can contain"
            raise ExportError(f"{problem}: choose another format.")
        cells = (list(found.values()) for found in corpus.tables.rows(name))
        _sheet(book, name, corpus.tables.column_names(name), cells)


def _sheet(
    book: Workbook, name: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Add a sheet with filters, and a header that remains visible when the sheet is scrolled."""
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    sheet = book.create_sheet(name)
    sheet.freeze_panes = "A2"
    kept = list(rows)
    for number, title in enumerate(header):
        letter = get_column_letter(number + 1)
        sheet.column_dimensions[letter].width = _width(title, [row[number] for row in kept])
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(header))}{len(kept) + 1}"

    def cell(value: object) -> Any:
        if isinstance(value, date) and value < FIRST_DAY:
            value = value.isoformat()
        if not isinstance(value, str):
            return value
        if len(value) > LONGEST:
            problem = f"A cell of {name} has more characters than Excel allows"
            raise ExportError(f"{problem}: choose another format.")
        written = WriteOnlyCell(sheet, _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", value))
        written.data_type = "s"  # not a formula or an error
        return written

    for row in chain([header], kept):
        sheet.append([cell(value) for value in row])


_NARROWEST, _WIDEST = 8, 60
"""Limits on the width of a column, in characters."""


def _width(title: str, cells: Iterable[object]) -> int:
    """Return the width of a column in which its title, with the filter's arrow, and cells fit."""
    longest = len(title) + 3
    for cell in cells:
        if cell is not None:
            longest = max(longest, len(str(cell)))
    return min(max(longest, _NARROWEST), _WIDEST)


def _timeless(written: io.BytesIO) -> bytes:
    """Return the bytes of a workbook with fixed times, so that equal tables give equal bytes."""
    with zipfile.ZipFile(written) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    time = rb"(<dcterms:(?:created|modified)[^<>]*>)[^<>]*"
    core = "docProps/core.xml"
    parts[core] = re.sub(time, rb"\g<1>1980-01-01T00:00:00Z", parts[core])
    return published_folder.zipped(parts, zipfile.ZIP_DEFLATED)
