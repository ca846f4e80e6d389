"""The page `index.html`: the dataset in one file that loads nothing from the network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import get_args

from markupsafe import Markup

from defectors_data.documents.charts import STYLE, Chart
from defectors_data.documents.html_templates import environment, shown, source_hash
from defectors_data.documents.page.record_lookups import Browser
from defectors_data.documents.readme import cited, contact, not_claimed, unread_by_persons
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROWS, sentence
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.citation_formats import Format, citation
from defectors_data.rows.labels import Rows, date_label, printed_number, words
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

    `json_ld` is the JSON-LD that describes the dataset for search engines; `largest` is the maximum
    size in bytes.
    """
    number_shown = sum(tables.number(name) for name in _SHOWN_BY_ROW)
    if number_shown <= MOST:
        rows = {row.TABLE.name: list(tables.rows(row.TABLE.name)) for row in ROWS}
        whole = _rendered(dataset, tables, rows, charts, json_ld, whole=True)
        if len(whole) <= largest:
            return whole
    rows = {row.TABLE.name: [] for row in ROWS}
    for name in ("terms", "measures"):
        rows[name] = list(tables.rows(name))
    rows["testimonies"] = list(islice(tables.rows("testimonies"), 1))  # the example of a citation
    return _rendered(dataset, tables, rows, charts, json_ld, whole=False)


_SHOWN_BY_ROW = ("testimonies", "figures", "speakers", "ledger", "comparisons")


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
    pages = environment(_HERE)
    pages.filters |= {
        "words": words,
        "number": number,
        "hedged": printed_number,
        "term": _term,
        "date": date_label,
    }
    numbers = {}
    for row in ROWS:
        if tables.has(row.TABLE.name):
            numbers[row.TABLE.name] = tables.number(row.TABLE.name)
    text = pages.get_template("page.html").render(
        dataset=dataset,
        lead=_SENTENCE_END.split(dataset.summary.strip())[0],
        citations=_citations(dataset),
        contact=contact(dataset),
        browse=Browser(rows, dataset.version),
        rows=rows,
        numbers=numbers,
        whole=whole,
        not_claimed=not_claimed(tables),
        unread=unread_by_persons(tables),
        sentences=_SENTENCES,
        meanings=MEANINGS,
        charts={chart.name: chart for chart in charts},
        # Without "<", it cannot end the element.
        json_ld=Markup(json_ld.replace("<", "\\u003c")),  # noqa: S704
        style=Markup(style),  # noqa: S704  # written by this project
        script=Markup(script),  # noqa: S704  # written by this project
        policy=_security_policy(style, script),
    )
    return text.encode()


_SENTENCES = {row.TABLE.name: sentence(row) for row in ROWS}


def _security_policy(style: str, script: str) -> str:
    """Return the content security policy, which permits only this style and this script."""
    directives = (
        "default-src 'none'",
        f"style-src {source_hash(style)}",
        f"script-src {source_hash(script)}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(directives)


def _citations(dataset: Dataset) -> dict[str, str]:
    """Return the citation of the dataset in each format, and the templates for its records."""
    facts = cited(dataset)
    record = facts._replace(record="RECORD")
    found = {}
    for form in get_args(Format):
        found[form] = citation(facts, form)
        found[f"{form}-record"] = citation(record, form)
    return found


def _term(term: str) -> Markup:
    """Return a term with an optional line break after each underscore."""
    return Markup("_<wbr>").join(shown(term).split("_"))


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
