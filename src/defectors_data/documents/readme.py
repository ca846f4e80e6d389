"""The README that travels with the published package, made from the dataset's facts and the tables."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from textwrap import fill

from defectors_data.models.annotation import Dataset
from defectors_data.models.tables import MOST_PAIRS, ROWS, SOURCES_COMPARED, listed, sentence
from defectors_data.package.tables_reader import MOST_LISTED, Tables


def package_readme(dataset: Dataset, tables: Tables) -> bytes:
    """Return the README of the package, in Markdown."""
    counts = {row.TABLE.name: tables.number(row.TABLE.name) for row in ROWS if tables.has(row.TABLE.name)}
    pages = [_COLUMNS, _PAGE if has_page(tables) else "", left_out(tables)]
    linked = [_WHY if "provenance" in counts else "", _COMPARED if "comparisons" in counts else "", _HASHES]
    return _TEMPLATE.format(
        title=prose(dataset.title),
        summary=prose(dataset.summary),
        version=dataset.version,
        released=dataset.released.isoformat(),
        pages=_paragraph(*pages),
        tables=markdown(["table", "rows", "contents"], _tables(counts)),
        linked=_paragraph(*linked),
        licence=prose(dataset.licence.title),
        licence_path=prose(dataset.licence.path),
        rights=prose(dataset.rights),
        revealed=revealed(tables),
        contact=prose(dataset.contact),
        citation=prose(citation(dataset)),
    ).encode()


def _paragraph(*sentences: str) -> str:
    return fill(" ".join(filter(None, sentences)), 120, break_long_words=False, break_on_hyphens=False)


def has_page(tables: Tables) -> bool:
    """Tell whether the package has a page, `index.html`, that shows all of it."""
    return tables.number("sources") <= SOURCES_COMPARED


def left_out(tables: Tables) -> str:
    """Return sentences on the tables and the page that a release leaves out, and why; empty if there are none."""
    missing = [row.TABLE.name for row in ROWS if not tables.has(row.TABLE.name)]
    across = [f"`{name}`" for name in missing if name in ("comparisons", "measure_summary")]
    asked = [f"`{name}`" for name in missing if f"`{name}`" not in across]
    sources, found = f"{SOURCES_COMPARED:,} sources", []
    if across:
        limits = f"more than {sources} or {MOST_PAIRS:,} pairs of figures"
        found.append(f"{listed(across)} are left out, since there are {limits}.")
    if not has_page(tables):
        found.append(f"There is no page to look at, since there are more than {sources}.")
    if asked:
        found.append(f"Left out on request: {listed(asked)}.")
    return " ".join(found)


def citation(dataset: Dataset) -> str:
    """Return how the dataset is cited."""
    by = ", ".join(contributor.title for contributor in dataset.contributors)
    where = f" https://doi.org/{dataset.doi}" if dataset.doi else ""
    return f"{by} ({dataset.released.year}). {dataset.title} (version {dataset.version}) [Data set].{where}"


def revealed(tables: Tables) -> str:
    """Return the share of each article's characters that the package shows, in Markdown; of many articles, in sum."""
    if tables.number("sources") <= MOST_LISTED:
        rows = [(row["source_id"], *_shown(row["chars"], row["chars_revealed"])) for row in tables.rows("sources")]
        return markdown(["source", "characters", "shown here", "share"], rows)
    chars, shown, share = _shown(tables.sum("sources", "chars"), tables.sum("sources", "chars_revealed"))
    return (
        f"The package shows {shown} of the {chars} characters of its articles ({share}); `sources` has both for each."
    )


def _shown(chars: int, shown: int) -> tuple[str, str, str]:
    """Return how many characters an article has, how many of them are shown, and the share."""
    return f"{chars:,}", f"{shown:,}", f"{shown / chars if chars else 0:.0%}"


def _tables(counts: Mapping[str, int]) -> list[tuple[str, str, str]]:
    sentences = {row.TABLE.name: sentence(row) for row in ROWS}
    return [(f"`{name}`", str(count), sentences[name]) for name, count in counts.items()]


def prose(typed: str) -> str:
    """Return what people typed as it is put into Markdown: HTML in it is shown and not run."""
    return html.escape(typed.strip(), quote=False)


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [[cell.replace("|", "\\|") for cell in cells] for cells in (header, *rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


_TEMPLATE = """\
# {title}

{summary}

Version {version}, released {released}. {pages}

{tables}

## Use

```python
import pandas as pd

testimonies = pd.read_parquet("data/testimonies.parquet")
sources = pd.read_parquet("data/sources.parquet")
```

Dates load as `datetime.date`; `pd.to_datetime(sources["published_from"])` makes timestamps of them. To check the
package: `pip install frictionless`, then `frictionless validate datapackage.json`; `sha256sum --check SHA256SUMS`
checks every file. `python verify.py` needs nothing installed: it checks every table against its schema and the tables
against each other, and with `--seeds DIR` that every word is in the articles, if you have them.

{linked}

Open a CSV in a spreadsheet by its import dialogue: UTF-8, comma, and every column as text. A quotation is
never altered, so a cell may begin with a character that a spreadsheet takes for a formula.

Offsets are Unicode code points, counted from 0, the end exclusive, into the article's text decoded as UTF-8; `spans`
has them in UTF-16 code units and in bytes too.

## What this is not

It is not a register of persons, not a count of events, and no proof that what was said is so. It records what articles
print, and where. Of a person who is not publicly named its fields state only role, class of rank, branch and the reason
for withholding the name, and nothing joins such persons across articles; the article's own words are quoted as printed.

`datasheet.md` says how it was made, what it must not be used for, and how people at risk are protected.
`codebook.md` has the rules that the annotators followed, each with an example that passes and one that fails.

## Licence and rights

The annotations are under {licence} ({licence_path}). {rights}

{revealed}

## Errors, removal, citation

{contact}

Cite as: {citation}
"""

_COLUMNS = (
    "A Frictionless data package: `datapackage.json` describes every file, table and column. Each table is there "
    "twice, as `data/<table>.csv` and as `data/<table>.parquet`, equal cell by cell."
)
_PAGE = "Open `index.html` to look at all of it: one file, which loads nothing. `charts/` has charts as SVG."
_WHY = (
    "Why does a cell have its value? `provenance` has a certificate for each column, and for each cell that differs "
    "from it: the spans of the article it can be read in, or how it was chosen, inferred or computed."
)
_COMPARED = "`comparisons` compares figures of one measure."
_HASHES = "A CSV has one spelling for each cell, so its hash is the hash of its cells."
