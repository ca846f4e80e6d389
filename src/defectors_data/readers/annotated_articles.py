"""Whole articles with their records in one HTML file, from a package and the reader's copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from defectors_data.documents.article import ArticleView, RecordView, asset, paragraphs, rendered
from defectors_data.documents.html_templates import source_hash
from defectors_data.package import published_folder
from defectors_data.readers import exports
from defectors_data.readers.exports import exported_records
from defectors_data.rows.labels import (
    Labels,
    Row,
    hedged_number,
    source_label,
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
    "testimony": ("mode", "themes", "outlet", "note"),
    "figure": ("measure", "population", "counted", "unit", "as_of", "place", "note"),
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
        exports.ExportError: a copy of an article is missing or differs from the article that was
            annotated.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
    """
    descriptor = published_folder.package_descriptor(package)
    read = exports.corpus(package, descriptor, seeds)
    rows = {row["speaker_id"]: row for row in read.tables.rows("speakers")}
    roles = read.tables.labels("roles")
    speakers = {name: _speaker(row, roles) for name, row in rows.items()}
    figures = {row["figure_id"]: hedged_number(row) for row in read.tables.rows("figures")}
    titles = {row["source_id"]: source_label(row) for row in read.tables.rows("sources")}
    articles, index = [], dict[str, list[ThemeEntry]]()
    used: dict[str, set[str]] = {"speaker": set(), "theme": set(), "measure": set()}
    for each in read.articles:
        source = each.cells["source_id"]
        records = [
            _record(record, speakers, figures) for record in each.records if record.table in _KINDS
        ]
        for record in records:
            for name, value in record.filters.items():
                used[name].update(value.split())
            if record.kind == "testimony":
                entry = ThemeEntry(
                    record.anchor, record.facts["speaker"], record.facts["mode"], titles[source]
                )
                for theme in record.filters["theme"].split():
                    index.setdefault(theme, []).append(entry)
        articles.append(ArticleView(source, titles[source], paragraphs(each.text, records, ())))
    # Protected speakers are shown by their role; as several may have the same role, the id
    # distinguishes them.
    named = {
        name: f"{label} ({name})" if rows[name]["protected"] else label
        for name, label in speakers.items()
    }
    labels = {
        "speaker": named,
        **{f"{name[:-1]}": read.tables.labels(name) for name in ("themes", "measures")},
    }
    filters = {
        name: {
            value: labels[name][value]
            for value in sorted(found, key=lambda value, of=name: labels[of][value])
        }  # type: ignore[misc]
        for name, found in used.items()
    }
    script, style = asset("script.js"), asset("style.css")
    # A page opened as a file has no HTTP headers, so it contains its policy, which allows only this
    # script and style.
    policy = f"default-src 'none'; style-src {source_hash(style)}; script-src {source_hash(script)}; base-uri 'none'"
    shown = {"articles": articles, "editable": False, "title": read.title, "filters": filters}
    shown |= {
        "index": list(_themes(read.terms["themes"], index)),
        "policy": f"{policy}; form-action 'none'",
    }
    shown |= {"script": Markup(script), "style": Markup(style)}  # noqa: S704  # the project's own
    return rendered("page.html", shown).encode()


def _speaker(row: Row, roles: Labels) -> str:
    """Return a speaker's name or, for a protected person, only the role: no first name."""
    return speaker_label({**row, "pseudonym_possible": False}, roles)


def _record(
    published: exported_records.ExportedRecord,
    speakers: Mapping[str, str],
    figures: Mapping[str, str],
) -> RecordView:
    kind, name, cells = _KINDS[published.table], published.id, published.cells
    speaker = cells.get("speaker_id") or cells.get("attributed_to")
    facts = {"speaker": speakers[speaker]} if speaker else {}
    facts |= {"number": figures[name]} if kind == "figure" else {}
    facts |= {key: words(cells[key]).replace(";", ", ") for key in _FACTS[kind] if key in cells}
    filters = {
        "speaker": speaker,
        "theme": cells.get("themes", "").replace(";", " "),
        "measure": cells.get("measure"),
    }
    return RecordView(
        kind,
        name,
        tuple(Span(part.start, part.end) for part in published.parts),
        facts,
        filters={key: value for key, value in filters.items() if value},
    )


def _themes(terms: Any, index: Mapping[str, list[ThemeEntry]]) -> Iterator[ThemeSection]:
    for row in terms:
        if row["term"] in index:
            yield ThemeSection(row["label"], row["definition"], index[row["term"]])
