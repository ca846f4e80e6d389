"""The page `index.html`: the dataset in one file, made from the published tables; it loads nothing from the network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import get_args

from markupsafe import Markup

from defectors_data.documents.charts import STYLE, Chart
from defectors_data.documents.charts.themes import MOTIVE
from defectors_data.documents.html_templates import environment, shown, source_hash
from defectors_data.documents.page.record_lookups import Browser
from defectors_data.documents.readme import cited, not_claimed
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROWS, sentence
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.citation_formats import Format, citation
from defectors_data.rows.labels import Rows, date_label, hedged_number, words
from defectors_data.text.number_comparison import number

NAME = "index.html"
"""The page's path in the package."""

LARGEST = 2_000_000
"""Maximum size of the page in bytes, so that it opens quickly."""

MOST = 2_000
"""Maximum number of rows in the displayed tables; above it, the page leaves out the records."""

_HERE = Path(__file__).parent
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def page(
    dataset: Dataset,
    tables: PackageTables,
    charts: Sequence[Chart],
    *,
    json_ld: str = "",
    largest: int = LARGEST,
) -> bytes:
    """Return `index.html`; the records are left out if the page would exceed its limits.

    `json_ld` is the JSON-LD that describes the dataset for search engines; `largest` is the maximum size in bytes.
    """
    number_shown = sum(
        map(tables.number, ("testimonies", "figures", "speakers", "ledger", "comparisons"))
    )
    if number_shown <= MOST:
        rows = {row.TABLE.name: list(tables.rows(row.TABLE.name)) for row in ROWS}
        whole = _rendered(dataset, tables, rows, charts, json_ld, whole=True)
        if len(whole) <= largest:
            return whole
    rows = {row.TABLE.name: [] for row in ROWS}
    rows |= {
        name: list(tables.rows(name))
        for name in ("themes", "measures", "populations", "roles", "units")
    }
    rows["testimonies"] = list(islice(tables.rows("testimonies"), 1))  # the example of a citation
    return _rendered(dataset, tables, rows, charts, json_ld, whole=False)


def _rendered(
    dataset: Dataset,
    tables: PackageTables,
    rows: Rows,
    charts: Sequence[Chart],
    json_ld: str,
    *,
    whole: bool,
) -> bytes:
    style, script = _text("style.css") + STYLE, _text("script.js")
    filters = {
        "words": words,
        "number": number,
        "hedged": hedged_number,
        "term": _term,
        "date": date_label,
    }
    pages = environment(_HERE)
    pages.filters |= filters
    text = pages.get_template("page.html").render(
        dataset=dataset,
        lead=_SENTENCE_END.split(dataset.summary.strip())[0],
        citations=_citations(dataset),
        browse=Browser(rows, dataset.version),
        rows=rows,
        numbers={
            row.TABLE.name: tables.number(row.TABLE.name)
            for row in ROWS
            if tables.has(row.TABLE.name)
        },
        whole=whole,
        not_claimed=not_claimed(tables),
        sentences={row.TABLE.name: sentence(row) for row in ROWS},
        meanings=MEANINGS,
        MOTIVE=MOTIVE,
        charts={chart.name: chart for chart in charts},
        json_ld=Markup(json_ld.replace("<", "\\u003c")),  # noqa: S704  # without "<", it cannot end the element
        style=Markup(style),  # noqa: S704  # written by this project
        script=Markup(script),  # noqa: S704  # written by this project
        policy=f"default-src 'none'; style-src {source_hash(style)}; script-src {source_hash(script)}; "
        "base-uri 'none'; form-action 'none'",
    )
    return text.encode()


def _citations(dataset: Dataset) -> dict[str, str]:
    """Return the citation of the dataset in each format, and the templates with which the script cites a record."""
    facts = cited(dataset)
    record = facts._replace(record="RECORD")
    found = {form: citation(facts, form) for form in get_args(Format)}
    return found | {f"{form}-record": citation(record, form) for form in found}


def _term(term: str) -> Markup:
    """Return a term with an optional line break after each underscore."""
    return Markup("_<wbr>").join(shown(term).split("_"))


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
