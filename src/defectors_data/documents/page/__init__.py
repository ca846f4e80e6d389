"""The page `index.html`: the dataset in one file that loads nothing from the network."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from markupsafe import Markup, escape

from defectors_data.documents.charts import HEADINGS, STYLE, Chart
from defectors_data.documents.charts.chart import capital, counted
from defectors_data.documents.html_templates import environment, shown, source_hash
from defectors_data.documents.page.comparison_groups import (
    caveats,
    grouped,
    summary,
    summary_within,
)
from defectors_data.documents.page.first_screen import first_screen
from defectors_data.documents.page.lookups import Lookups
from defectors_data.documents.protection import protected_details_in_spanish, protection
from defectors_data.documents.readme import (
    cited,
    contact,
    contributors,
    not_claimed,
    said_and_narrated,
    unread_by_persons,
    unread_in_spanish,
)
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.columns import sentence
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.citation_formats import Format, citation, shortened
from defectors_data.rows.labels import (
    Row,
    Rows,
    date_label,
    is_about,
    printed_number,
    publication_label,
    short_number,
    words,
)
from defectors_data.text.intervals import number

NAME = "index.html"
"""The page's path in the package."""

LARGEST = 2_000_000
"""Maximum size of the page in bytes, so that it opens quickly."""

MOST = 2_000
"""Maximum number of rows in the displayed tables; above it, the page leaves out the records."""

SPANISH = "es.html"
"""The path of the page in Spanish in the package."""

_HERE = Path(__file__).parent
_SHOWN_BY_ROW = ("testimonies", "figures", "speakers", "ledger", "comparisons")
_SENTENCES = {row.TABLE.name: sentence(row) for row in ROWS}
_HEADINGS = {
    "reasons": "Why they left",
    "timeline": "When they left",
    "reported-numbers": "How many, and who says so",
}
"""The headings of the charts; the title of a chart is a sentence that it shows itself."""
_WAYS = {
    "reasons": ("#voices", "Read all voices"),
    "reported-numbers": ("#numbers", "Where the articles agree, and where they do not"),
}
"""An address and its link next to some charts."""

_ARITHMETIC = {
    "part_of": "is a part of",
    "share_of": "is the share of the first of these in the second:",
    "sum": "is the sum of",
    "ratio": "is the first of these divided by the second:",
    "per": "is the first of these for each of the second:",
    "exceeds": "exceeds",
}
_OUTCOMES = {
    "holds": "It works out.",
    "fails": "It does not work out.",
    "cannot_tell": "The words leave it open.",
}


def page(
    dataset: Dataset,
    tables: PackageTables,
    charts: Sequence[Chart],
    *,
    json_ld: str = "",
    has_changes: bool = False,
) -> bytes:
    """Return `index.html`; the records are left out if the page would exceed its limits.

    `json_ld` is the JSON-LD that describes the dataset for search engines, and `has_changes` is
    whether the package has a `CHANGELOG.md`.
    """
    number_shown = sum(tables.number(name) for name in _SHOWN_BY_ROW)
    if number_shown <= MOST:
        rows = {name: _all_columns(tables, name) for name in ROW_OF}
        rows["sources"].sort(key=lambda row: (not row["published"], row["published"] or ""))
        whole = _rendered(
            dataset, tables, rows, charts, json_ld, has_changes=has_changes, whole=True
        )
        if len(whole) <= LARGEST:
            return whole
    rows = {name: [] for name in ROW_OF}
    for name in ("terms", "measures"):
        rows[name] = _all_columns(tables, name)
    rows["testimonies"] = list(islice(tables.rows("testimonies"), 1))  # the example of a citation
    return _rendered(dataset, tables, rows, charts, json_ld, has_changes=has_changes, whole=False)


def _all_columns(tables: PackageTables, name: str) -> list[Row]:
    """Return the rows of a table with all columns; those that the package lacks are empty."""
    return list(tables.rows(name, list(ROW_OF[name].model_fields)))


def spanish_page(dataset: Dataset, tables: PackageTables) -> bytes | None:
    """Return `es.html`; None if `dataset.yaml` has no texts in Spanish."""
    if dataset.spanish is None:
        return None
    style = _font() + _text("style.css")
    private = dataset.contact.private or ""
    address = private
    if "@" in private:
        address = f"mailto:{private}"
    content = {
        "dataset": dataset,
        "texts": dataset.spanish,
        "short_title": _short_title(dataset.spanish.title),
        "unread": unread_in_spanish(tables),
        "protected": protected_details_in_spanish(tables),
        "private": private,
        "private_link": address,
        "style": Markup(style),  # noqa: S704  # written by this project
        "policy": _security_policy(style),
    }
    return environment(_HERE).get_template("spanish.html").render(content).encode()


def _rendered(
    dataset: Dataset,
    tables: PackageTables,
    rows: Rows,
    charts: Sequence[Chart],
    json_ld: str,
    *,
    has_changes: bool,
    whole: bool,
) -> bytes:
    style, script = _font() + _text("style.css") + STYLE, _text("script.js")
    pages = environment(_HERE)
    pages.filters |= _FILTERS
    look = Lookups(rows, dataset.version)
    numbers = {}
    for row in ROWS:
        if tables.has(row.TABLE.name):
            numbers[row.TABLE.name] = tables.number(row.TABLE.name)
    content: dict[str, Any] = {
        "dataset": dataset,
        "short_title": _short_title(dataset.title),
        "articles_in_words": counted(tables.number("sources"), "article"),
        "citations": _citations(dataset),
        "contact": contact(dataset),
        "contributors": contributors(dataset),
        "protection": protection(dataset, tables),
        "said": said_and_narrated(tables),
        "unread": unread_by_persons(tables),
        "not_claimed": not_claimed(tables),
        "not_located": _not_located(tables),
        "look": look,
        "caveats": caveats,
        "rows": rows,
        "numbers": numbers,
        "whole": whole,
        "has_changes": has_changes,
        "sentences": _SENTENCES,
        "meanings": MEANINGS,
        "columns": tables.column_names("testimonies"),
        "headings": _HEADINGS,
        "ways": _WAYS,
        "reason_headings": HEADINGS,
        "charts": charts,
        # Without "<", it cannot end the element.
        "json_ld": Markup(json_ld.replace("<", "\\u003c")),  # noqa: S704
        "style": Markup(style),  # noqa: S704  # written by this project
        "script": Markup(script),  # noqa: S704  # written by this project
        "policy": _security_policy(style, script),
    }
    if whole:
        groups = grouped(look)
        kinds = {row["kind"] for row in rows["readings"]}
        content |= {
            "compared": groups,
            "summary": summary(look, groups, kinds),
            "screen": first_screen(look),
        }
        content["summary_within"] = summary_within(groups, kinds)
        content |= {"arithmetic": _ARITHMETIC, "outcomes": _OUTCOMES, **_filters(look)}
    return pages.get_template("page.html").render(content).encode()


def _filters(look: Lookups) -> dict[str, Any]:
    """Return the choices of the filters, and functions for those that a template names."""
    named = []
    for row in look.rows["speakers"]:
        # Writers are labelled as such, and not by name.
        is_named = row["name"] and row["kind"] != "writer"
        if is_named and look.testimonies_of[row["speaker_id"]]:
            named.append((row["speaker_id"], look.who(row["speaker_id"])))
    articles = [(row["source_id"], row["label"]) for row in look.sources.values()]
    return {
        "articles": articles,
        "people": sorted(named, key=lambda choice: choice[1]),
        "reasons": _reasons(look),
        "used_closed": _used_closed,
    }


def _reasons(look: Lookups) -> list[tuple[str, str]]:
    """Return the choices of the filter by reason: decisions and directions with their factors."""
    found = {look.reason(row): row for row in look.rows["motives"]}
    choices = list[tuple[str, str]]()
    for (decision, direction), heading in HEADINGS.items():
        for term in look.terms["factor"]:
            value = f"{decision}.{direction}.{term['term']}"
            if value in found:
                choices.append((value, f"{heading}: {term['label']}"))
    return choices


def _used_closed(name: str, rows: Iterable[Row], column: str) -> list[tuple[str, str]]:
    """Return the values of a closed vocabulary in a column, each with its words."""
    found = {row[column] for row in rows}
    return [(value, capital(words(value))) for value in MEANINGS[name] if value in found]


def _security_policy(style: str, script: str = "") -> str:
    """Return the content security policy, which permits only this style and this script.

    The font and the pictures that the script copies are `data:` addresses, which load nothing.
    """
    directives = ["default-src 'none'", f"style-src {source_hash(style)}", "font-src data:"]
    if script:
        directives += [f"script-src {source_hash(script)}", "img-src data:"]
    return "; ".join([*directives, "base-uri 'none'", "form-action 'none'"])


def _short_title(title: str) -> str:
    """Return a title without its subtitle, which a colon introduces."""
    return title.partition(":")[0]


_RECORD = "TABLE/RECORD-ID"
"""The place of a record in the templates of its citations, for the script."""


def _short_digest(described: str) -> Markup:
    """Return a description of a record; most digits of its digest are there, but not shown."""
    return Markup(shortened(str(escape(shown(described))), r"<span hidden>\2</span>"))  # noqa: S704


def _citations(dataset: Dataset) -> dict[str, str]:
    """Return the citation of the dataset in each format, and the templates for its records."""
    facts = cited(dataset)
    record = facts._replace(record=_RECORD)
    found = {}
    for form in get_args(Format):
        found[form] = citation(facts, form)
        found[f"{form}-record"] = citation(record, form)
    return found


def _term(term: str) -> Markup:
    """Return a term with an optional line break after each underscore."""
    return Markup("_<wbr>").join(shown(term).split("_"))


def _in_table(figure: Row) -> str:
    """Return the numbers that the table has for a figure; that of a vague one is a convention."""
    if figure["hedge"] == "vague":
        return f"at least {number(figure['low'])}, by this dataset’s convention"
    columns = [name for name in ("value", "low", "high") if figure[name] is not None]
    return ", ".join(f"{name} {number(figure[name])}" for name in columns)


def _order(figure: Row) -> float:
    """Return the number by which a figure is sorted."""
    for column in ("value", "low", "high"):
        if figure[column] is not None:
            return float(figure[column])
    return 0


def _not_located(tables: PackageTables) -> str:
    """Return how many numbers have no row in the ledger; "" if none."""
    number = tables.sum("sources", "protected_numbers")
    return (
        f"Numbers that could identify a person, such as ages, have no row: {number}."
        if number
        else ""
    )


def _host(address: str) -> str:
    """Return the host of a web address without `www.`."""
    return re.sub(r"^https?://(?:www\.)?([^/?#]*).*$", r"\1", address)


def _font() -> str:
    """Return the rule of the font, which is part of the page; its licence is a comment."""
    font = base64.b64encode((_HERE / "newsreader.woff2").read_bytes()).decode()
    source = f'url(data:font/woff2;base64,{font}) format("woff2")'
    rule = f"font-family: Newsreader; font-weight: 400 600; font-display: swap; src: {source};"
    return f"/* {_text('newsreader-licence.txt')} */\n@font-face {{ {rule} }}\n"


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_FILTERS = {
    "words": words,
    "is_about": is_about,
    "number": number,
    "printed": printed_number,
    "short_number": short_number,
    "in_table": _in_table,
    "order": _order,
    "term": _term,
    "date": date_label,
    "publication": publication_label,
    "capital": capital,
    "host": _host,
    "short_digest": _short_digest,
    "line": "line {}".format,
}
