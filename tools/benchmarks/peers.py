"""Other tools that do part of the work of a build: `python peers.py NAME FROM OUT`.

`FROM` is an invented corpus of shards or the package built from it; `OUT` is an empty folder. Each tool runs in a
separate process in the environment of tools/benchmarks/requirements.lock. docs/developers/benchmarks.md describes what
each tool does.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import quoted

TABLES = ("sources", "speakers", "mentions", "testimonies", "testimony_themes", "figures")


# ---- DuckDB: the bare conversion -------------------------------------------------------------------------------

_MENTION = (
    "STRUCT(id VARCHAR, evidence JSON, rank VARCHAR, age INTEGER, years_of_service INTEGER, affiliation VARCHAR)[]"
)
_COLUMNS = {
    "source": "STRUCT(id VARCHAR, seed VARCHAR, sha256 VARCHAR, title JSON, subtitle JSON, authors JSON, outlet JSON, "
    "published JSON, language VARCHAR, dateline JSON, rights VARCHAR, cited_outlets VARCHAR[])",
    "speakers": "STRUCT(id VARCHAR, use VARCHAR, kind VARCHAR, role VARCHAR, anonymity VARCHAR, name VARCHAR, "
    f"rank_class VARCHAR, branch VARCHAR, gender VARCHAR, request VARCHAR, note VARCHAR, mentions {_MENTION})[]",
    "testimonies": "STRUCT(id VARCHAR, speaker VARCHAR, mode VARCHAR, evidence JSON, outlet VARCHAR, themes VARCHAR[], "
    "note VARCHAR)[]",
    "figures": "STRUCT(id VARCHAR, evidence JSON, value DOUBLE, low DOUBLE, high DOUBLE, hedge VARCHAR, unit VARCHAR, "
    "measure VARCHAR, population VARCHAR, counted VARCHAR, attributed_to VARCHAR, testimony VARCHAR, as_of VARCHAR, "
    "place VARCHAR, note VARCHAR)[]",
}
_QUERIES = {
    "sources": "SELECT unnest(source) FROM corpus",
    "speakers": "SELECT source_id, s.* EXCLUDE (mentions) FROM "
    "(SELECT source.id AS source_id, unnest(speakers) AS s FROM corpus)",
    "mentions": "SELECT source_id, speaker_id, m.* FROM (SELECT source_id, coalesce(s.id, s.use) AS speaker_id, "
    "unnest(s.mentions) AS m FROM (SELECT source.id AS source_id, unnest(speakers) AS s FROM corpus))",
    "testimonies": "SELECT source_id, t.* REPLACE (array_to_string(t.themes, ';') AS themes) FROM "
    "(SELECT source.id AS source_id, unnest(testimonies) AS t FROM corpus)",
    "testimony_themes": "SELECT t.id AS testimony_id, unnest(t.themes) AS theme FROM "
    "(SELECT unnest(testimonies) AS t FROM corpus)",
    "figures": "SELECT source_id, f.* FROM (SELECT source.id AS source_id, unnest(figures) AS f FROM corpus)",
}


def duckdb(corpus: Path, out: Path) -> None:
    """Read the annotations and write six tables as CSV and Parquet, without checks."""
    import duckdb as engine  # noqa: PLC0415

    connection = engine.connect(config={"threads": 1})
    columns = json.dumps(_COLUMNS).replace('"', "'")
    files = f"{corpus}/annotations/*.jsonl"
    connection.execute(
        f"CREATE TABLE corpus AS FROM read_json('{files}', format = 'newline_delimited', columns = {columns})"
    )
    for name, query in _QUERIES.items():
        connection.execute(f"CREATE TABLE {name} AS {query}")
        connection.execute(f"COPY {name} TO '{out}/{name}.csv' (FORMAT csv, HEADER)")
        connection.execute(f"COPY {name} TO '{out}/{name}.parquet' (FORMAT parquet, COMPRESSION zstd)")


# ---- pandera ---------------------------------------------------------------------------------------------------


def pandera(result: Path, _: Path) -> None:
    """Validate testimonies and figures of the result: types, enums, patterns, unique ids, foreign keys."""
    import pandas as pd  # noqa: PLC0415
    import pandera.pandas as pa_  # noqa: PLC0415

    def ids(table: str, column: str) -> Any:
        return pd.read_parquet(result / "data" / f"{table}.parquet", columns=[column])[column]

    schemas = json.loads((result / "datapackage.json").read_text(encoding="utf-8"))["resources"]
    described = {resource["name"]: resource.get("schema") for resource in schemas}
    for name in ("testimonies", "figures"):
        table = described[name]
        key = table["primaryKey"][0]
        columns = {field["name"]: _pandera_column(pa_, field, key) for field in table["fields"]}
        for foreign in table["foreignKeys"]:
            [column], of = foreign["fields"], foreign["reference"]
            known = set(ids(of["resource"] or name, of["fields"][0]))
            columns[column].checks.append(pa_.Check.isin(known))
        frame = pd.read_parquet(result / "data" / f"{name}.parquet", columns=list(columns))
        pa_.DataFrameSchema(columns).validate(frame, lazy=True)


def _pandera_column(pa_: Any, field: dict[str, Any], key: str) -> Any:
    constraints, checks = field.get("constraints", {}), []
    if "enum" in constraints:
        checks.append(pa_.Check.isin(constraints["enum"]))
    if "pattern" in constraints:
        checks.append(pa_.Check.str_matches(f"^(?:{constraints['pattern']})$"))
    if "minimum" in constraints and field["type"] in {"integer", "number"}:
        checks.append(pa_.Check.ge(constraints["minimum"]))
    required = constraints.get("required", False)
    return pa_.Column(checks=checks, nullable=not required, unique=field["name"] == key)


# ---- Hugging Face datasets -------------------------------------------------------------------------------------


def datasets(result: Path, out: Path) -> None:
    """Load six tables of the result and write them as CSV and Parquet."""
    os.environ |= {"HF_HOME": str(out / "home"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    import datasets as hub  # noqa: PLC0415

    for name in TABLES:
        path = result / "data" / f"{name}.parquet"
        features = hub.Features.from_arrow_schema(pq.read_schema(path).remove_metadata())
        loaded = hub.load_dataset("parquet", data_files=str(path), features=features, split="train")
        loaded.to_csv(str(out / f"{name}.csv"))
        loaded.to_parquet(str(out / f"{name}.parquet"))


# ---- CLDF ------------------------------------------------------------------------------------------------------


def cldf_prepared(result: Path, out: Path) -> None:
    """Write articles, speakers, testimonies and figures of the result as a CLDF dataset, the input of `cldf`."""
    from pycldf import Generic  # noqa: PLC0415

    dataset = Generic.in_dir(out)
    dataset.add_component("LanguageTable")
    dataset.add_table("articles.csv", _cldf("ID", "id"), "SHA256", _cldf("Name", "name"))
    dataset.add_table("speakers.csv", _cldf("ID", "id"), "Role", "Anonymity", _cldf("Name", "name"))
    dataset.add_component("ExampleTable", "Article_ID", "Speaker_ID", "Mode", "Themes", "Start", "End")
    dataset.add_table("figures.csv", _cldf("ID", "id"), "Article_ID", "Example_ID", "Text", "Hedge", "Unit", "Measure")
    dataset.add_foreign_key("ExampleTable", "Article_ID", "articles.csv", "ID")
    dataset.add_foreign_key("ExampleTable", "Speaker_ID", "speakers.csv", "ID")
    dataset.add_foreign_key("figures.csv", "Article_ID", "articles.csv", "ID")
    dataset.add_foreign_key("figures.csv", "Example_ID", "ExampleTable", "ID")
    dataset.write(LanguageTable=[{"ID": "en", "Name": "English"}])
    for name, (table, columns) in _CLDF_TABLES.items():
        read = pq.read_table(result / "data" / f"{table}.parquet")
        cells = {to: _cldf_cells(read, column) for to, column in columns.items()}
        pyarrow.csv.write_csv(pa.table(cells), out / name)


def _cldf(name: str, term: str) -> str | dict[str, str]:
    from pycldf import term_uri  # noqa: PLC0415

    return {"name": name, "propertyUrl": term_uri(term)}


def _cldf_cells(read: pa.Table, column: str) -> Any:
    return pa.array(["en"] * read.num_rows) if column == "language" else read.column(column)


_CLDF_TABLES = {
    "articles.csv": ("sources", {"ID": "source_id", "SHA256": "sha256", "Name": "title"}),
    "speakers.csv": ("speakers", {"ID": "speaker_id", "Role": "role", "Anonymity": "anonymity", "Name": "name"}),
    "examples.csv": (
        "testimonies",
        {
            "ID": "testimony_id",
            "Language_ID": "language",
            "Primary_Text": "text",
            "Article_ID": "source_id",
            "Speaker_ID": "speaker_id",
            "Mode": "mode",
            "Themes": "themes",
            "Start": "start",
            "End": "end",
        },
    ),
    "figures.csv": (
        "figures",
        {
            "ID": "figure_id",
            "Article_ID": "source_id",
            "Example_ID": "testimony_id",
            "Text": "text",
            "Hedge": "hedge",
            "Unit": "unit",
            "Measure": "measure",
        },
    ),
}


# ---- dkpro-cassis ----------------------------------------------------------------------------------------------


_FEATURES = {"testimonies": ("speaker", "mode"), "figures": ("hedge", "unit", "measure")}


def cassis(corpus: Path, out: Path) -> None:
    """Write each text with its testimonies and figures as a CAS."""
    from cassis import Cas, TypeSystem  # noqa: PLC0415

    types = TypeSystem()
    kinds = {}
    for table, features in _FEATURES.items():
        kinds[table] = types.create_type(name=f"invented.{table.capitalize()}")
        for feature in ("record", *features):
            types.create_feature(kinds[table], feature, "uima.cas.String")
    for written, seeds in quoted.parts(corpus):
        for text, entry in quoted.sources(written, seeds):
            cas = Cas(typesystem=types, sofa_string=text, document_language="en")
            where = {found[0]: found[3:] for found in quoted.spans(text, entry) if found[1] == "evidence"}
            for table, kind in kinds.items():
                for record in entry[table]:
                    begin, end = where[record["id"]]
                    values = {key: record[key] for key in _FEATURES[table]}
                    cas.add(kind(begin=begin, end=end, record=record["id"], **values))
            cas.to_json(str(out / f"{entry['source']['id']}.json"))


PEERS: dict[str, Callable[[Path, Path], None]] = {
    "duckdb": duckdb,
    "pandera": pandera,
    "datasets": datasets,
    "cldf-prepared": cldf_prepared,
    "cassis": cassis,
}


def main() -> None:
    """Run the tool that is named on the command line."""
    name, *folders = sys.argv[1:]
    of, out = map(Path, folders)
    PEERS[name](of, out)


if __name__ == "__main__":
    main()
