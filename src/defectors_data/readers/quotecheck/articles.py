"""The articles with which a manuscript is compared, read from a published package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.package import published_folder
from defectors_data.package.tables_reader import PackageTables, Row
from defectors_data.readers.article_copies import text_of
from defectors_data.rows.labels import article_label, speaker_label
from defectors_data.text.offsets import Span
from defectors_data.text.units import units_by_noun

DIFFERENT = frozenset({"conflicts", "differs_undated"})
"""Verdicts on two figures that cannot both be correct for the same day."""
_OPTIONAL = "comparisons"
"""The table that the package of a large corpus does not have."""
_NOT_STATED: Row = {"outlet": None, "cited_outlets": None}
"""Columns of sources that a package does not have if no article has a value."""
_TABLES = "sources spans testimonies figures speakers mentions measures terms comparisons".split()


class ArticleText(NamedTuple):
    """A source with its text.

    Without a copy of the article, each character that is not published is a line feed.
    """

    row: Row
    text: str
    evidence: Sequence[Row]
    """The spans of evidence of its testimonies and figures."""

    def record_at(self, span: Span) -> Row | None:
        """Return the evidence that overlaps a span most, or None.

        A testimony is preferred to a figure.
        """
        best, best_rank = None, (False, 0)
        for row in self.evidence:
            shared = min(span.end, row["end_offset"]) - max(span.start, row["start_offset"])
            rank = (row["record_table"] == "testimonies", shared)
            if shared > 0 and rank > best_rank:
                best, best_rank = row, rank
        return best

    def figures_at(self, span: Span) -> list[str]:
        """Return the ids of the figures whose evidence overlaps a span."""
        figures = [row for row in self.evidence if row["record_table"] == "figures"]
        overlap = [
            row
            for row in figures
            if row["start_offset"] < span.end and span.start < row["end_offset"]
        ]
        return [row["record_id"] for row in overlap]


class PublishedRecords(NamedTuple):
    """The records of a published package by id, and its articles."""

    articles: Sequence[ArticleText]
    testimonies: Mapping[str, Row]
    figures: Mapping[str, Row]
    speakers: Mapping[str, Row]
    mentions: Sequence[Row]
    """The mentions of speakers with a name that state an age."""
    labels: Mapping[str, str]
    """The labels of measures, by term."""
    roles: Mapping[str, str]
    """The labels of roles, by term."""
    units: Mapping[str, str]
    """The unit that each noun denotes, by noun."""
    disputed: Mapping[str, Sequence[Row]]
    """Comparisons of differing figures from two sources, under the ids of both figures."""
    is_whole: bool
    """Whether the whole text of every article is known, and not only the published words."""
    is_compared: bool
    """Whether the package has the table `comparisons`, which large packages do not have."""

    def where(self, article: ArticleText, table: str, record_id: str) -> dict[str, Any]:
        """Return the id, speaker (if protected, only the role), mode and article of a record."""
        rows = self.testimonies if table == "testimonies" else self.figures
        row = rows[record_id]
        speaker = row.get("speaker_id") or row.get("attributed_to")
        return {
            "record": f"{table}/{record_id}",
            "speaker": self.name_of(speaker) if speaker else None,
            "mode": row.get("mode"),
            "article": label(article),
        }

    def name_of(self, speaker_id: str) -> str:
        """Return the name of a speaker, or only the role if the speaker is protected."""
        return speaker_label(self.speakers[speaker_id], self.roles)

    def discrepancies(self, figure_ids: Sequence[str]) -> tuple[str, ...]:
        """Return a sentence for each figure from another source that differs from a given one."""
        sentences: list[str] = []
        for name in figure_ids:
            sentences += [self._other(name, row) for row in self.disputed.get(name, ())]
        return tuple(sentences)

    def _other(self, name: str, row: Row) -> str:
        other_id = row["figure_b"] if row["figure_a"] == name else row["figure_a"]
        other = self.figures[other_id]
        titles = {article.row["source_id"]: label(article) for article in self.articles}
        said = f"{titles[other['source_id']]} has “{other['text']}”"
        return f"{said} (figures/{other_id}): {row['explanation']}"


def label(article: ArticleText) -> str:
    """Return the name of an article in reports: its outlet and title."""
    return article_label(article.row)


def published(package: Path, seeds: Path | None) -> PublishedRecords:
    """Read a published package.

    `seeds` is the folder of the reader's copies, or None to use the published words only.

    Raises:
        article_copies.ExportError: a copy is missing, or differs from the article that was
            annotated.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
    """
    descriptor = published_folder.package_descriptor(package)
    present = published_folder.table_names(descriptor)
    names = [name for name in _TABLES if name in present or name != _OPTIONAL]
    tables = PackageTables(package, names)
    spans: dict[str, list[Row]] = defaultdict(list)
    for span in tables.rows("spans"):
        spans[span["source_id"]].append(span)
    articles = []
    for found in tables.rows("sources"):
        row = {**_NOT_STATED, **found}
        of_source = spans[row["source_id"]]
        text = text_of(row, seeds) if seeds else _words(row, of_source)
        articles.append(ArticleText(row, text, _evidence(of_source)))
    units = dict[str, list[str]]()
    for row in tables.terms("unit"):
        if row["term"] not in MEANINGS["Unit"]:
            units[row["term"]] = [*filter(None, (row.get("words") or "").split(";"))]
    disputed: dict[str, list[Row]] = defaultdict(list)
    for row in tables.rows("comparisons"):
        if row["verdict"] in DIFFERENT and not row["same_source"]:
            disputed[row["figure_a"]].append(row)
            disputed[row["figure_b"]].append(row)

    def by(table: str, key: str) -> dict[str, Row]:
        return {row[key]: row for row in tables.rows(table)}

    speakers = by("speakers", "speaker_id")
    aged = [row for row in tables.rows("mentions") if row.get("age") is not None]
    return PublishedRecords(
        articles,
        by("testimonies", "testimony_id"),
        by("figures", "figure_id"),
        speakers,
        [row for row in aged if speakers[row["speaker_id"]]["name"]],
        tables.labels("measure"),
        tables.labels("role"),
        units_by_noun(units.items()),
        disputed,
        is_whole=seeds is not None,
        is_compared=tables.has(_OPTIONAL),
    )


def _evidence(spans: Sequence[Row]) -> list[Row]:
    evidence = [row for row in spans if row["field"] == "evidence"]
    return [row for row in evidence if row["record_table"] in ("testimonies", "figures")]


def _words(source: Mapping[str, Any], spans: Sequence[Row]) -> str:
    """Return the published text of an article, with a line feed for each other character."""
    # The length is that of the article, so that the offsets of spans are valid in this text.
    text = ["\n"] * source["chars"]
    for span in spans:
        words = f"{span['prefix'] or ''}{span['exact'] or ''}{span['suffix'] or ''}"
        first = span["start_offset"] - len(span["prefix"] or "")
        text[first : first + len(words)] = words
    return "".join(text)
