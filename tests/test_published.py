"""The library gives the published tables, what their columns mean, how they are cited, and why a cell says that."""

from __future__ import annotations

import html
import inspect
import json
import re
import subprocess
import sys
import typing
from importlib import metadata

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import defectors_data
from conftest import PROJECT
from defectors_data.corpus.findings import printable
from defectors_data.models.columns import columns
from defectors_data.models.tables import ROWS

TABLES = [row for row in ROWS if (PROJECT / f"dist/data/{row.TABLE.name}.parquet").exists()]
NAMES = [row.TABLE.name for row in TABLES]


def test_tables_are_named_in_the_published_order() -> None:
    assert defectors_data.tables() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_loads_the_same_cells(name: str) -> None:
    published = pq.read_table(PROJECT / f"dist/data/{name}.parquet")
    frame, polars, arrow = (
        defectors_data.load(name, dates="date"),
        defectors_data.load(name, engine="polars"),
        defectors_data.load(name, engine="arrow"),
    )
    assert isinstance(frame, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert isinstance(arrow, pa.Table)
    assert arrow.equals(published)
    assert polars.to_dicts() == published.to_pylist()
    cells = frame.astype(object).where(frame.notna(), None)
    assert cells.to_dict("records") == published.to_pylist()


def test_a_missing_table_or_engine_is_reported() -> None:
    for call in (defectors_data.load, defectors_data.describe):
        with pytest.raises(KeyError, match=r"There is no table 'people'\. Expected one of: testimonies, figures"):
            call("people")
    with pytest.raises(ValueError, match=r"There is no engine 'dask'\. Expected one of: pandas, polars, arrow\."):
        defectors_data.load("figures", engine="dask")  # type: ignore[call-overload]


def test_an_argument_of_another_type_is_named() -> None:
    calls: tuple[typing.Any, ...] = (
        defectors_data.load, defectors_data.describe, defectors_data.find, defectors_data.compare, defectors_data.why
    )  # fmt: skip
    for call in calls:
        with pytest.raises(TypeError, match=r"^The .* must be a string, not None\.$"):
            call(None)
    with pytest.raises(TypeError, match=r"^The record must be a string, not 3\.$"):
        defectors_data.cite(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^`columns` must be a list of names, such as \['value'\]\.$"):
        defectors_data.load("figures", columns="value")


def test_a_mistyped_table_is_answered_with_the_nearest() -> None:
    for call in (defectors_data.load, defectors_data.describe, defectors_data.cite, defectors_data.why):
        with pytest.raises(KeyError, match=r"^There is no table 'figrues'\. Did you mean `figures`\?$"):
            call("figrues")


def test_columns_are_loaded_in_the_order_that_is_asked_for() -> None:
    for engine in typing.get_args(defectors_data.Engine):
        loaded = defectors_data.load("figures", columns=["value", "figure_id"], engine=engine)
        names = loaded.column_names if isinstance(loaded, pa.Table) else list(loaded.columns)
        assert names == ["value", "figure_id"]
    with pytest.raises(KeyError, match=r"^The table figures has no column 'vlaue'\. Did you mean `value`\?$"):
        defectors_data.load("figures", columns=["vlaue"])


def test_dates_are_timestamps_in_pandas_unless_days_are_asked_for() -> None:
    for name in NAMES:
        described = defectors_data.describe(name)
        days = described.loc[described["type"] == "date", "column"].tolist()
        loaded = defectors_data.load(name)
        assert [column for column in loaded if loaded[column].dtype.kind == "M"] == days
        assert {kind.kind for kind in defectors_data.load(name, dates="date")[days].dtypes} <= {"O"}
    with pytest.raises(ValueError, match=r"^Unknown type of date 'day'\. Expected one of: datetime, date\.$"):
        defectors_data.load("sources", dates="day")  # type: ignore[call-overload]


def test_words_are_found_without_case_accents_and_kinds_of_marks() -> None:
    [text] = defectors_data.load("testimonies", columns=["text"])["text"].loc[lambda texts: texts.str.contains("’")][:1]
    words = text[text.index("’") - 5 : text.index("’") + 6]
    for typed in (words, words.upper(), words.replace("’", "'"), f"\n {words} ".replace("o", "ó")):
        found = defectors_data.find(typed.strip())
        assert found.columns.tolist() == ["record", "column", "words"]
        assert text in found["words"].tolist()
        assert str(defectors_data.why("/".join(found.iloc[0][["record", "column"]]))).startswith(found["record"][0])
    assert defectors_data.find("no article has these words").empty


def test_figures_of_a_measure_are_compared_in_words() -> None:
    pairs = defectors_data.load("comparisons")
    for measure in pairs["measure"].unique():
        compared = defectors_data.compare(measure)
        assert compared["verdict"].tolist() == pairs.loc[pairs["measure"] == measure, "verdict"].tolist()
    compared = defectors_data.compare("defectors_in_colombia")
    assert {*compared["stated_a"], *compared["stated_b"]} == {"1,000", "more than 1,400", "nearly 1,000"}
    alone = set(defectors_data.load("measures")["measure"]) - set(pairs["measure"])
    assert defectors_data.compare(min(alone)).empty
    with pytest.raises(
        KeyError, match=r"^There is no measure 'defectors_in_columbia'\. Did you mean `defectors_in_col"
    ):
        defectors_data.compare("defectors_in_columbia")
    for typed, said in {
        "fled": "Did you mean `troops_who_fled`?",
        "x": "The table `measures` lists all measures.",
    }.items():
        with pytest.raises(KeyError) as refused:
            defectors_data.compare(typed)
        assert str(refused.value).endswith(said)


def test_the_version_is_that_of_the_distribution() -> None:
    assert defectors_data.__version__ == metadata.version("defectors-data")
    assert "__version__" in dir(defectors_data)


def test_an_engine_that_is_not_installed_is_named() -> None:
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "import defectors_data\n"
        "print(len(defectors_data.load('sources')))\n"
        "try: defectors_data.load('sources', engine='polars')\n"
        "except ModuleNotFoundError as error: print(error, error.name)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1:] == ["polars is not installed: pip install polars polars"]


@pytest.mark.parametrize("row", TABLES, ids=NAMES)
def test_the_columns_are_described_as_the_models_do(row: type) -> None:
    described = defectors_data.describe(row.TABLE.name)  # type: ignore[attr-defined]
    unused = {"withdrawn_entries", "close_match", "obtained_date", "obtained_address", "obtained_by", "obtained_sha256"}
    expected = [each for each in columns(row) if each.name not in unused]
    assert described["column"].tolist() == [column.name for column in expected]
    assert described["meaning"].tolist() == [column.description for column in expected]
    assert described["nullable"].tolist() == [column.nullable for column in expected]
    values = described["values"].astype(object).where(described["values"].notna(), "")
    # No article has an erratum.
    choices = [[value for value in column.choices if value != "errata"] for column in expected]
    assert values.tolist() == [" | ".join(each) for each in choices]


def test_the_citation_is_the_one_that_is_published() -> None:
    published = json.loads((PROJECT / "dist/croissant.json").read_text(encoding="utf-8"))["citeAs"]
    assert defectors_data.cite() == published
    record = defectors_data.load("testimonies")["testimony_id"].iloc[-1]
    cited = defectors_data.cite(f"testimonies/{record}")
    assert cited.startswith(f"{published} Record testimonies/{record}: testimony (")
    page = (PROJECT / "dist/index.html").read_text(encoding="utf-8")
    assert cited in html.unescape(re.sub("<span hidden>.*?</span>|</?span>", "", page))
    with pytest.raises(KeyError, match="The table testimonies has no row with that testimony_id"):
        defectors_data.cite("testimonies/nobody")
    with pytest.raises(KeyError, match=rf"no row with that testimony_id\. Did you mean `{record}`\?"):
        defectors_data.cite(f"testimonies/{record}x")
    for name in ("figures", "figures/"):
        with pytest.raises(KeyError, match=r"^figures is a table\. Name one of its rows, such as figures/\S+\.$"):
            defectors_data.cite(name)


def test_why_returns_what_the_command_prints() -> None:
    figure, source = defectors_data.load("figures")[["figure_id", "source_id"]].iloc[0]
    command = [sys.executable, "-m", "defectors_data", "why", f"figures/{figure}/value", "--package", "dist"]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    explained = defectors_data.why(f"figures/{figure}/value")
    assert str(explained) == repr(explained)
    assert [printable(line) for line in str(explained).splitlines()] == ran.stdout.splitlines()
    assert explained.cells[0].rule.basis == "evidence"
    assert {words.source for words in explained.spans} == {source}
    with pytest.raises(KeyError, match="has no such column"):
        defectors_data.why(f"figures/{figure}/mood")


@pytest.mark.parametrize(
    "name", [name for name in defectors_data.__all__ if inspect.isfunction(getattr(defectors_data, name))]
)
def test_public_functions_have_types_and_docstrings(name: str) -> None:
    function = getattr(defectors_data, name)
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in signature.parameters.values())
    assert (inspect.getdoc(function) or "").startswith("Return ")
    assert f"`{name}(" in (defectors_data.__doc__ or "")


def test_the_engines_are_those_that_are_loaded() -> None:
    assert typing.get_args(defectors_data.Engine) == ("pandas", "polars", "arrow")
