"""Rows of the vocabularies: the tables `terms` and `measures`, and how often terms are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa

from defectors_data.corpus.shared_context import Context
from defectors_data.evidence import relation_arithmetic
from defectors_data.evidence.annotated_document import Document
from defectors_data.models import tables
from defectors_data.models.annotation import Speaker
from defectors_data.models.closed_vocabularies import MEANINGS, WHOLE_UNITS, TermKind
from defectors_data.models.project import VocabularyTerm
from defectors_data.package.cells import cells_of, joined
from defectors_data.package.tables_writer import arrow, ordered
from defectors_data.rows.spans import Row
from defectors_data.text.intervals import LEAST


def used_terms(documents: Iterable[Document]) -> Counter[tuple[str, str]]:
    """Return how often the documents use each term, by kind and term."""
    found: Counter[tuple[str, str]] = Counter()
    for document in documents:
        for _, testimony in document.testimonies:
            for theme in testimony.themes:
                found["theme", theme] += 1
            if testimony.where:
                found["place", testimony.where.place] += 1
            found.update(("factor", motive.factor) for motive in testimony.motives)
            found.update(("act", act.act) for act in testimony.acts)
        for _, figure in document.figures:
            if figure.measure and figure.polarity == "affirmed":
                found["measure", figure.measure] += 1
            found["unit", figure.unit] += 1
            found["hedge", figure.hedge] += 1
            if figure.population:
                found["population", figure.population] += 1
            if figure.place:
                found["place", figure.place] += 1
        found.update(terms_of_speakers(speaker for _, speaker in document.speakers))
    return found


def terms_of_speakers(speakers: Iterable[Speaker]) -> Iterator[tuple[str, str]]:
    """Yield the role, rank class and branch of speakers, each with its kind of term."""
    for speaker in speakers:
        yield "role", speaker.role
        if speaker.rank_class:
            yield "rank_class", speaker.rank_class
        if speaker.branch:
            yield "branch", speaker.branch


def terms_table(context: Context, used: Mapping[tuple[str, str], int]) -> pa.Table:
    """Return the table `terms`."""
    vocabulary = context.vocabulary.content
    total = Counter(used) + Counter(terms_of_speakers(context.shared.listed))
    found = [
        *_terms("act", vocabulary.act_kinds),
        *_terms("branch", vocabulary.branches),
        *_terms("factor", vocabulary.factors),
        *_hedges(context),
        *_terms("place", vocabulary.places),
        *_terms("population", vocabulary.populations),
        *_terms("rank_class", vocabulary.rank_classes),
        *_terms("role", vocabulary.roles),
        *_terms("theme", vocabulary.themes),
        *_built_in_units(),
        *_terms("unit", vocabulary.units),
    ]
    for row in found:
        row["used"] = total[row["kind"], row["term"]]
    return arrow("terms", ordered("terms", found))


def _terms(kind: TermKind, terms: Iterable[VocabularyTerm]) -> Iterator[Row]:
    """Yield the rows of the terms of a vocabulary; the items of a list are joined by `;`."""
    for term in terms:
        row = _term(kind, term.term, term.label, term.definition)
        for key, value in term:
            column = _COLUMN_OF.get(key, key)
            if column in _OF_SOME_KINDS:
                row[column] = joined(value) if isinstance(value, tuple) else value
        yield row


_COLUMN_OF = {"kind": "place_kind", "triggers": "words", "nouns": "words", "spellings": "words"}
"""The columns of `terms` with other names than the keys of the vocabulary."""
_OF_SOME_KINDS = tuple(tables.TermRow.model_fields)[6:]
"""The columns of `terms` that apply to some kinds of terms only."""


def _term(kind: TermKind, term: str, label: str | None, definition: str) -> Row:
    """Return the row of a term, without what only some kinds of terms have."""
    return {
        "term_id": f"{kind}.{term}",
        "kind": kind,
        "term": term,
        "label": _label(term, label),
        "definition": definition,
        **dict.fromkeys(_OF_SOME_KINDS),
        "pseudonym_possible": False,
        "whole": False,
    }


def _label(term: str, label: str | None) -> str:
    return label or term.replace("_", " ").capitalize()


def _built_in_units() -> Iterator[Row]:
    for unit, meaning in MEANINGS["Unit"].items():
        label = f"{meaning[0].upper()}{meaning[1:]}".partition(":")[0]
        yield {**_term("unit", unit, label, meaning), "whole": unit in WHOLE_UNITS}


def _hedges(context: Context) -> Iterator[Row]:
    """Yield a row for each hedge: how far a number with it may be from the truth."""
    percent = relation_arithmetic.conventions(context).tolerances
    for hedge, meaning in MEANINGS["Hedge"].items():
        least, distance = _DISTANCES.get(hedge, (0, ""))
        definition = f"{meaning} ({distance})" if distance else meaning
        row = _term("hedge", hedge, None, definition)
        yield {**row, "percent": percent.get(hedge, 0), "least": least}


_DISTANCES: dict[str, tuple[int, str]] = {
    "about": (LEAST, "the distance extends to both sides of the number"),
    "exact": (
        0,
        (
            "for round numbers only: half a unit of the last non-zero digit to either side, but at "
            "most the distance"
        ),
    ),
    "nearly": (
        LEAST,
        "the distance extends below the number, which is included only if it is read as rounded",
    ),
}
"""For each hedge with a tolerance, its lower limit in counted units, and where it extends."""


def measures_table(context: Context, summaries: Mapping[str, Row]) -> pa.Table:
    """Return the table `measures`, with the summaries of the measures that have figures."""
    rows = []
    for measure in context.vocabulary.content.measures:
        row = {
            "measure": measure.term,
            "label": _label(measure.term, measure.label),
            "definition": measure.definition,
            "close_match": joined(measure.close_match),
            "units": joined(measure.units),
            **cells_of(measure, "comparable", "constant"),
            **dict.fromkeys(_SUMMARISED),
            **summaries.get(measure.term, _NO_FIGURES),
        }
        rows.append(row)
    return arrow("measures", ordered("measures", rows))


_SUMMARISED = tuple(tables.MeasureRow.model_fields)[7:]
"""The columns of `measures` that summarise figures."""
_NO_FIGURES = dict.fromkeys(("figures", "sources", "compared_figures", "independent_sources"), 0)
