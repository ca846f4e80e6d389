"""Rows are made from documents once, in the declared order, and a stream of batches is the whole table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest

from conftest import INVENTED, documents_of
from defectors_data.corpus.seed_limits import SOURCES_COMPARED
from defectors_data.evidence import comparisons
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.relation_arithmetic import ComparedFigure
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.rows import cell_provenance, disclosure_check, records

CONTEXT = documents_of(INVENTED)[0].context


def documents() -> list[Document]:
    """Return new documents, which have computed nothing yet."""
    return documents_of(INVENTED)


def tables(*, size: int = 1) -> dict[str, list[dict[str, Any]]]:
    """Return every table as a stream of batches gives it."""
    found: dict[str, list[pa.Table]] = {name: [] for name in ROW_OF}
    used: Counter[tuple[str, str]] = Counter()
    everything = documents()
    for name, table in records.tables_of_context(CONTEXT):
        found[name].append(table)
    for start in range(0, len(everything), size):
        batch = records.tables_of(everything[start : start + size])
        assert batch.faults == []
        used += batch.used
        for name, table in batch.tables.items():
            found[name].append(table)
    figures = [figure for document in everything for figure in comparisons.compared_figures(document)]
    ties, pairs = map(comparisons.source_ties, everything), comparisons.figure_pairs(figures, CONTEXT)
    for name, table in records.tables_across(CONTEXT, used, figures, ties, pairs).items():
        found[name].append(table)
    return {name: pa.concat_tables(parts).to_pylist() for name, parts in found.items()}


ALL = tables()


@pytest.mark.parametrize("row", ROW_OF.values(), ids=ROW_OF)
def test_every_row_is_one_of_its_model(row: Any) -> None:
    for found in ALL[row.TABLE.name]:
        assert list(found) == list(row.model_fields)
        assert row.model_validate(found).model_dump() == found


def test_rows_that_are_made_from_documents_are_those_of_the_model_before_arrow_types_them() -> None:
    for name, found in records.records_of(documents()).items():
        for row in found:
            assert list(row) == list(ROW_OF[name].model_fields)
            ROW_OF[name].model_validate(row)


def test_every_table_but_that_of_tombstones_has_rows() -> None:
    assert [name for name, rows in ALL.items() if not rows] == ["motives", "acts", "history", "tombstones"]


@pytest.mark.parametrize("row", ROW_OF.values(), ids=ROW_OF)
def test_a_stream_of_batches_is_in_the_declared_order(row: Any) -> None:
    places = [
        tuple("" if found[column] is None else found[column] for column in row.TABLE.order)
        for found in ALL[row.TABLE.name]
    ]
    assert places == sorted(places)
    assert len(set(places)) == len(places), "an order that leaves two rows equal is none"


def test_the_size_of_the_batches_changes_no_row() -> None:
    assert tables(size=2) == ALL


def test_tables_that_are_left_out_are_not_made() -> None:
    made = records.tables_of(documents(), {"ledger", "provenance"}).tables
    assert ROW_OF.keys() - made.keys() == {
        *("measures", "terms", "comparisons", "statement_relations", "tombstones", "ledger", "provenance"),
    }
    names = {name for name, _ in records.tables_of_context(CONTEXT, {"provenance"})}
    assert names == {"speakers", "tombstones"}


def test_terms_are_counted_as_they_are_used() -> None:
    used = {(row["kind"], row["term"]): row["used"] for row in ALL["terms"]}
    themes = Counter(("theme", row["theme"]) for row in ALL["testimony_themes"])
    roles = Counter(("role", row["role"]) for row in ALL["speakers"])
    units = Counter(("unit", row["unit"]) for row in ALL["figures"])
    for counted in (themes, roles, units):
        assert {term: used[term] for term in counted} == counted
    measures = Counter(row["measure"] for row in ALL["figures"])
    assert {row["measure"]: row["figures"] for row in ALL["measures"] if row["figures"]} == measures


def test_a_cell_of_a_shared_speaker_has_provenance_in_each_source_with_words_for_it() -> None:
    found = [row for row in ALL["provenance"] if row["record_id"] == "bruno-salt" and row["column_name"] == "role"]
    assert [(row["provenance_id"], row["source_id"]) for row in found] == [
        ("speakers.role.bruno-salt.example", "example"),
        ("speakers.role.bruno-salt.second", "second"),
    ]


def test_a_cell_without_words_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    spans = records.ROWS_BY_TABLE["spans"]  # a bug is put in

    def fewer(document: Document) -> list[dict[str, Any]]:
        return [row for row in spans(document) if row["record_id"] != "example-t2"]

    monkeypatch.setitem(records.ROWS_BY_TABLE, "spans", fewer)
    assert "no words for testimonies/example-t2/text" in records.tables_of(documents()).faults
    assert records.tables_of(documents(), {"provenance"}).faults == []


def test_a_leak_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = records.ROWS_BY_TABLE["speakers"]  # a bug is put in

    def gendered(document: Document) -> list[dict[str, Any]]:
        return [{**row, "gender": "male"} for row in heard(document)]

    monkeypatch.setitem(records.ROWS_BY_TABLE, "speakers", gendered)
    faults = records.tables_of(documents(), {"provenance"}).faults
    assert set(faults) == {f"speakers, a row of {name}: gender is filled" for name in ("example", "second")}


def test_an_id_of_a_protected_person_in_a_row_of_another_source_is_a_leak() -> None:
    rows = records.records_of(documents())
    assert disclosure_check.leaks(rows) == []
    rows["sources"][1]["note"] = "Compare example-speaker-1."
    assert disclosure_check.leaks(rows) == [
        "sources, a row of second: note names a protected person or a record of theirs"
    ]
    rows["sources"][1]["note"] = None
    rows["ledger"][-1]["note"] = "Like example-t5."
    assert disclosure_check.leaks(rows) == [
        "ledger, a row of second: note names a protected person or a record of theirs"
    ]


# ---- figures of all sources ------------------------------------------------------------------------------------


def ties(name: str, text: str, *, outlet: str | None = None, cited: tuple[str, ...] = ()) -> comparisons.SourceTies:
    document = documents()[0]
    document.text = text
    return comparisons.source_ties(document)._replace(source_id=name, outlet=outlet, cited_outlets=cited)


def test_sources_that_share_eight_words_depend_on_each_other_and_seven_do_not() -> None:
    one = ties("a", "zero one two three four five six seven eight nine")
    other = ties("b", "and one two three four five six seven eight ends")
    near = ties("c", "but two three four five six seven eight near")
    assert comparisons.links([one, other, near]) == [
        comparisons.SourceLink(("a", "b"), "They share 8 or more words in a row.")
    ]


def test_sources_that_cite_each_other_depend_on_each_other_before_shared_words_count() -> None:
    words = "one two three four five six seven eight"
    cited = [ties("a", words, outlet="Wire"), ties("b", words, cited=("Wire",)), ties("c", "none", cited=("Wire",))]
    assert comparisons.links(cited) == [
        comparisons.SourceLink(("a", "b"), "b cites Wire."),
        comparisons.SourceLink(("a", "c"), "c cites Wire."),
        comparisons.SourceLink(("b", "c"), "Both cite Wire."),
    ]
    assert comparisons.independent({"a", "b", "c"}, comparisons.links(cited)) == 1
    assert comparisons.links([]) == []


def test_figures_are_compared_up_to_a_number_of_sources_and_of_pairs() -> None:
    figure = comparisons.compared_figures(documents()[0])[0]

    def used(**counts: int) -> list[ComparedFigure]:
        return [figure._replace(measure=measure) for measure, count in counts.items() for _ in range(count)]

    assert comparisons.is_compared(SOURCES_COMPARED, used(a=3, b=1))
    assert not comparisons.is_compared(SOURCES_COMPARED + 1, used(a=3, b=1))
    assert comparisons.is_compared(4, used(a=300, b=400))
    assert not comparisons.is_compared(4, used(a=700))


def test_a_relation_with_a_figure_of_another_document_has_a_row_once_that_is_borrowed() -> None:
    one, other = documents()
    borrowed = {figure.id: figure for _, figure in other.figures}
    [relation, *_] = one.content.relations
    abroad = one.content.model_copy(update={"relations": (relation.model_copy(update={"result": min(borrowed)}),)})
    for known in (None, borrowed):
        document = documents()[0]
        document.content = abroad
        document.borrowed = known
        assert [row["relation_id"] for row in records.relation_rows(document)] == ([relation.id] if known else [])


def test_every_certified_table_has_a_rule_for_each_column() -> None:
    columns = {row.TABLE.name: set(row.model_fields) for row in ROWS}
    assert cell_provenance.RULES.keys() | cell_provenance.DERIVED.keys() == columns.keys()
    assert {table: set(rules) for table, rules in cell_provenance.RULES.items()} == {
        table: columns[table] for table in cell_provenance.RULES
    }
