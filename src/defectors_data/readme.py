"""The README that travels with the published package, made from the dataset's facts and the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pyarrow as pa

from defectors_data.models import Dataset
from defectors_data.rows import ROWS, sentence


def package_readme(dataset: Dataset, tables: Mapping[str, pa.Table]) -> bytes:
    """Return the README of the package, in Markdown."""
    counts = {name: table.num_rows for name, table in tables.items()}
    words = _Words(_PAGES, _VERIFYING, _WHY, _COMPARED, _SHEET)
    return _filled(dataset, counts, revealed(tables["sources"]), words)


def stream_readme(
    dataset: Dataset, counts: Mapping[str, int], chars: int, shown: int, *, in_parts: bool = False
) -> bytes:
    """Return the README of a package that was written as its sources passed by.

    `counts` are the rows of its tables; `chars` and `shown` are the code points of its sources, and of them those that
    it shows. `in_parts` says that its large tables are folders of part files.
    """
    share = shown / chars if chars else 0.0
    told = f"It shows {shown:,} of the {chars:,} characters of its sources ({share:.0%}); `sources` has both for each."
    pages = f"{_NO_PAGES}{_IN_PARTS}" if in_parts else _NO_PAGES
    words = _Words(pages, _VERIFYING_FAST, _WHY if "provenance" in counts else "", _NOT_COMPARED, _NO_SHEET)
    return _filled(dataset, counts, told, words)


class _Words(NamedTuple):
    """What is told of a package with a page, and of one without, in other words."""

    pages: str
    verifying: str
    why: str
    compared: str
    sheet: str


def _filled(dataset: Dataset, counts: Mapping[str, int], revealed_: str, words: _Words) -> bytes:
    return _TEMPLATE.format(
        title=dataset.title,
        summary=dataset.summary.strip(),
        version=dataset.version,
        released=dataset.released.isoformat(),
        tables=markdown(["table", "rows", "what it holds"], _tables(counts)),
        licence=dataset.licence.title,
        licence_path=dataset.licence.path,
        rights=dataset.rights.strip(),
        revealed=revealed_,
        contact=dataset.contact.strip(),
        citation=citation(dataset),
        **words._asdict(),
    ).encode()


def citation(dataset: Dataset) -> str:
    """Return how the dataset is cited."""
    by = ", ".join(contributor.title for contributor in dataset.contributors)
    where = f" https://doi.org/{dataset.doi}" if dataset.doi else ""
    return f"{by} ({dataset.released.year}). {dataset.title} (version {dataset.version}) [Data set].{where}"


def revealed(sources: pa.Table) -> str:
    """Return, as a Markdown table, the share of each article's characters that the package shows."""
    rows = [
        (row["source_id"], f"{row['chars']:,}", f"{row['chars_revealed']:,}", f"{_share(row):.0%}")
        for row in sources.to_pylist()
    ]
    return markdown(["source", "characters", "shown here", "share"], rows)


def _share(row: Mapping[str, int]) -> float:
    return row["chars_revealed"] / row["chars"] if row["chars"] else 0.0


def _tables(counts: Mapping[str, int]) -> list[tuple[str, str, str]]:
    sentences = {row.TABLE.name: sentence(row) for row in ROWS}
    return [(f"`{name}`", str(count), sentences[name]) for name, count in counts.items()]


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(header), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


_TEMPLATE = """\
# {title}

{summary}

Version {version}, released {released}. A Frictionless data package: `datapackage.json` describes every file, table and
column. Each table is there twice, as `data/<table>.csv` and as `data/<table>.parquet`, equal cell by cell.{pages}

{tables}

## Use

```python
import pandas as pd

testimonies = pd.read_parquet("data/testimonies.parquet")
sources = pd.read_parquet("data/sources.parquet")
```

Dates load as `datetime.date`; `pd.to_datetime(sources["published_from"])` makes timestamps of them. To check the
package: `pip install frictionless`, then `frictionless validate datapackage.json`; `sha256sum --check SHA256SUMS`
checks every file. {verifying}

{why}{compared}

Open a CSV in a spreadsheet by its import dialogue: UTF-8, comma, and every column as text. A quotation is
never altered, so a cell may begin with a character that a spreadsheet takes for a formula.

Offsets are Unicode code points, counted from 0, the end exclusive, into the article's text decoded as UTF-8; `spans`
has them in UTF-16 code units and in bytes too.

## What this is not

It is not a register of persons, not a count of events, and no proof that what was said is so. It records what articles
print, and where. Of a person who is not publicly named its fields state only role, class of rank, branch and the reason
for withholding the name, and nothing joins such persons across articles; the article's own words are quoted as printed.

{sheet}
`codebook.md` has the rules that the annotators followed, each with an example that passes and one that fails.

## Licence and rights

The annotations are under {licence} ({licence_path}). {rights}

{revealed}

## Errors, removal, citation

{contact}

Cite as: {citation}
"""

_PAGES = """ Open
`index.html` to look at all of it: one file, which loads nothing. `charts/` has charts as SVG."""
_IN_PARTS = """ A
table of many rows is a folder of that name, of part files that each have a header: one behind the other, in the order
of their names, they are the table."""
_NO_PAGES = """ Its
sources are many: they were read as they passed by, and no page shows all of them."""

_WHY = """\
Why does a cell say that? `provenance` has a certificate for each column, and for each cell that differs from it: the
spans of the article it can be read in, or how it was chosen, inferred or computed. """
_COMPARED = """\
`comparisons` puts figures of one
measure beside each other. The `logicalHash` of a table in the descriptor is the SHA-256 of its cells alone: one JSON
array a line (UTF-8, no spaces), the names of the columns first, null for null, every other cell as its CSV text."""
_NOT_COMPARED = "A CSV has one spelling for each cell, so its hash is the hash of its cells."

_VERIFYING = """\
`python verify.py` needs nothing installed: it checks every table against its schema and the tables
against each other, and with `--seeds DIR` that every word stands in the articles, if you have them."""
_VERIFYING_FAST = "`defectors-data verify --fast` checks every table with DuckDB."

_SHEET = "`datasheet.md` tells how it was made, what it must not be used for, and how people at risk are protected."
_NO_SHEET = "`datapackage.json` names whom to ask how it was made, and what it must not be used for."
