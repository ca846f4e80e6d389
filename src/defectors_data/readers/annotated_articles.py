"""Whole articles with their records in one HTML file, from a package and the reader's copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from defectors_data.documents.article import ArticleView, RecordView, asset, paragraphs, rendered
from defectors_data.documents.html_templates import source_hash
from defectors_data.package import published_folder
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers.exports import exported_records
from defectors_data.rows.labels import (
    Labels,
    Row,
    article_label,
    by_key,
    is_about,
    is_about_source,
    printed_number,
    speaker_label,
    words,
)
from defectors_data.text.offsets import Span

_KINDS = {
    "testimonies": "testimony",
    "figures": "figure",
    "mentions": "mention",
    "waivers": "waiver",
}
_FACTS = {
    "testimony": ("attribution_text", "mode", "themes", "outlet", "note"),
    "figure": ("measure", "population", "counted", "polarity", "unit", "as_of", "place", "note"),
    "mention": ("rank", "age", "years_of_service", "affiliation"),
    "waiver": ("reason", "repeats_id", "note"),
}


class ThemeEntry(NamedTuple):
    """A testimony in the index of themes."""

    anchor: str
    speaker: str
    mode: str
    article: str


class ThemeSection(NamedTuple):
    """A theme with its testimonies."""

    label: str
    definition: str
    entries: list[ThemeEntry]


def view(package: Path, seeds: Path) -> bytes:
    """Return the HTML file, which loads nothing from the network.

    Raises:
        article_copies.ExportError: a copy of an article is missing or differs from the article that was
            annotated.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
    """
    descriptor = published_folder.package_descriptor(package)
    tables = PackageTables(package, published_folder.table_names(descriptor))
    read = exported_records.corpus(tables, descriptor, seeds)
    roles = read.tables.labels("role")
    # By id: the name in records, and the name in the filter.
    speakers, named = dict[str, str](), dict[str, str]()
    for row in read.tables.rows("speakers"):
        speaker_id, label = row["speaker_id"], _speaker(row, roles)
        speakers[speaker_id] = named[speaker_id] = label
        if row["protected"]:  # shown by the role, which others may have, too
            named[speaker_id] = f"{label} ({speaker_id})"
    figures = {row["figure_id"]: printed_number(row) for row in read.tables.rows("figures")}
    testimonies = by_key(read.tables.rows("testimonies"), "testimony_id")
    titles = {row["source_id"]: article_label(row) for row in read.tables.rows("sources")}
    articles, index = [], dict[str, list[ThemeEntry]]()
    used: dict[str, set[str]] = {"speaker": set(), "theme": set(), "measure": set()}
    for each in read.articles:
        source = each.cells["source_id"]
        published = [record for record in each.records if record.table in _KINDS]
        records = [_record(record, speakers, figures, testimonies) for record in published]
        for record in records:
            for name, value in record.filters.items():
                used[name].update(value.split())
            if record.kind == "testimony":
                who = record.facts.get("speaker") or f"about {record.facts['about']}"
                entry = ThemeEntry(record.anchor, who, record.facts["mode"], titles[source])
                for theme in record.filters["theme"].split():
                    index.setdefault(theme, []).append(entry)
        articles.append(ArticleView(source, titles[source], paragraphs(each.text, records, ())))
    filters = {
        "speaker": _choices(used["speaker"], named),
        "theme": _choices(used["theme"], read.tables.labels("theme")),
        "measure": _choices(used["measure"], read.tables.labels("measure")),
    }
    script, style = asset("filters.js"), asset("style.css")
    # A page opened as a file has no HTTP headers, so it contains its policy, which allows only this
    # script and style.
    allowed = f"style-src {source_hash(style)}; script-src {source_hash(script)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    themes = list(_themes(read.terms["theme"], index))
    shown = {"articles": articles, "editable": False, "title": read.title, "filters": filters}
    shown |= {"index": themes, "policy": policy}
    shown |= {"script": Markup(script), "style": Markup(style)}  # noqa: S704  # the project's own
    return rendered("page.html", shown).encode()


def _choices(used: Iterable[str], labels: Labels) -> dict[str, str]:
    """Return the labels of the values of a filter, by value, ordered by label and then value."""
    return {value: labels[value] for value in sorted(used, key=lambda each: (labels[each], each))}


def _speaker(row: Row, roles: Labels) -> str:
    """Return a speaker's name or, for a protected person, only the role: no first name."""
    return speaker_label({**row, "pseudonym_possible": False}, roles)


def _record(
    published: exported_records.ExportedRecord,
    speakers: Mapping[str, str],
    figures: Mapping[str, str],
    testimonies: Mapping[str, Row],
) -> RecordView:
    kind, name, cells = _KINDS[published.table], published.id, published.cells
    speaker = cells.get("speaker_id") or cells.get("attributed_to")
    facts, filters = dict[str, str](), dict[str, str]()
    if speaker:
        # The subject of a narrated passage is not its speaker.
        about = is_about(cells) or is_about_source(cells, testimonies)
        label = "about" if about else "speaker"
        facts[label] = speakers[speaker]
        filters["speaker"] = speaker
    if kind == "figure":
        facts["number"] = figures[name]
    for key in _FACTS[kind]:
        if key in cells:
            facts[key.removesuffix("_text")] = words(cells[key]).replace(";", ", ")
    if themes := cells.get("themes"):
        filters["theme"] = themes.replace(";", " ")
    if measure := cells.get("measure"):
        filters["measure"] = measure
    spans = tuple(Span(part.start_offset, part.end_offset) for part in published.parts)
    return RecordView(kind, name, spans, facts, filters=filters)


def _themes(terms: Any, index: Mapping[str, list[ThemeEntry]]) -> Iterator[ThemeSection]:
    for row in terms:
        if row["term"] in index:
            yield ThemeSection(row["label"], row["definition"], index[row["term"]])
