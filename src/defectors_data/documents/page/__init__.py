"""The page `index.html`: the whole dataset in one file, which is made from the published tables and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from defectors_data.documents.charts import STYLE, Chart
from defectors_data.documents.charts.motives import MOTIVE
from defectors_data.documents.page.browser import Browser
from defectors_data.documents.readme import cited
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROWS, sentence
from defectors_data.models.vocabularies import MEANINGS
from defectors_data.package.tables_reader import Tables
from defectors_data.rows.citations import Format, citation
from defectors_data.rows.labels import Rows, date_label, hedged_number, visible, words
from defectors_data.text.intervals import number

NAME = "index.html"
"""The page's path in the package."""

LARGEST = 2_000_000
"""Size limit of the page in bytes, so that it opens at once."""

MOST = 2_000
"""Rows in the tables for readers up to which a page with all records is tried."""

_HERE = Path(__file__).parent
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def page(
    dataset: Dataset, tables: Tables, charts: Sequence[Chart], *, json_ld: str = "", largest: int = LARGEST
) -> bytes:
    """Return `index.html`; if it would exceed the limits, without the records, which are then only in the tables.

    `json_ld` describes the dataset for search engines, as JSON; `largest` is in bytes.
    """
    shown = sum(map(tables.number, ("testimonies", "figures", "speakers", "ledger", "comparisons")))
    if shown <= MOST:
        rows = {row.TABLE.name: list(tables.rows(row.TABLE.name)) for row in ROWS}
        whole = _rendered(dataset, tables, rows, charts, json_ld, whole=True)
        if len(whole) <= largest:
            return whole
    rows = {row.TABLE.name: [] for row in ROWS}
    rows |= {name: list(tables.rows(name)) for name in ("themes", "measures", "populations", "roles", "units")}
    rows["testimonies"] = list(islice(tables.rows("testimonies"), 1))  # the example of a citation
    return _rendered(dataset, tables, rows, charts, json_ld, whole=False)


def _rendered(
    dataset: Dataset, tables: Tables, rows: Rows, charts: Sequence[Chart], json_ld: str, *, whole: bool
) -> bytes:
    style, script = _text("style.css") + STYLE, _text("script.js")
    text = (
        _environment()
        .get_template("page.html")
        .render(
            dataset=dataset,
            lead=_SENTENCE_END.split(dataset.summary.strip())[0],
            citations=_citations(dataset),
            browse=Browser(rows, dataset.version),
            rows=rows,
            numbers={row.TABLE.name: tables.number(row.TABLE.name) for row in ROWS if tables.has(row.TABLE.name)},
            whole=whole,
            sentences={row.TABLE.name: sentence(row) for row in ROWS},
            meanings=MEANINGS,
            MOTIVE=MOTIVE,
            charts={chart.name: chart for chart in charts},
            json_ld=Markup(json_ld.replace("<", "\\u003c")),  # noqa: S704  # JSON stays JSON, and ends no element
            style=Markup(style),  # noqa: S704  # the project's own
            script=Markup(script),  # noqa: S704  # the project's own and a vendored library
            policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; "
            "form-action 'none'",
        )
    )
    return text.encode()


def _citations(dataset: Dataset) -> dict[str, str]:
    """Return the citation in each format, and as it is for a record, which the script inserts."""
    facts = cited(dataset)
    record = facts._replace(record="RECORD")
    found = {form: citation(facts, form) for form in get_args(Format)}
    return found | {f"{form}-record": citation(record, form) for form in found}


def _environment() -> Environment:
    """Return an environment that escapes all data, wherever it is inserted."""
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "words": words,
        "number": number,
        "hedged": hedged_number,
        "term": _term,
        "date": date_label,
    }
    return environment


def _shown(value: Any) -> Any:
    """Make characters that change the direction of text visible, so that a quotation cannot rearrange the page."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return "" if value is None else value


def _term(term: str) -> Markup:
    """Allow a line break after each underscore of a term."""
    return Markup("_<wbr>").join(_shown(term).split("_"))


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _hash(inline: str) -> str:
    """Return the source expression of an inline element in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
