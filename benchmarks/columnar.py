"""How fast the columnar check of a package is beside `frictionless validate`: prints both and the ratio.

`python benchmarks/columnar.py [ROWS]` repeats the package of the invented corpus, with other ids each time, until its
tables have so many rows in all (a million without a number), and counts the user and system time of both, as whole
processes. `make` is for whoever needs such a package elsewhere.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from defectors_data.build import build

INVENTED = Path(__file__).parents[1] / "tests" / "invented"
REPEATED = "sources speakers mentions testimonies testimony_themes figures spans waivers ledger".split()
TERMS = "measures populations themes".split()
TYPES = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
TYPES |= {"date": pa.date32()}


def make(folder: Path, rows: int) -> int:
    """Write a package with at least so many rows in its tables; return how many there are."""
    with tempfile.TemporaryDirectory() as place:
        small = Path(place) / "dist"
        build(INVENTED, small)
        descriptor = json.loads((small / "datapackage.json").read_bytes())
        tables = [r for r in descriptor["resources"] if r.get("schema") and r["name"] in [*REPEATED, *TERMS]]
        read = {r["name"]: list(csv.reader((small / r["path"]).open(encoding="utf-8", newline=""))) for r in tables}
    (folder / "data").mkdir(parents=True)
    times = -(-rows // sum(len(read[name]) - 1 for name in REPEATED))
    for table in tables:
        _write(folder, table, read[table["name"]], times if table["name"] in REPEATED else 1)
    twins = [_twin(folder, table) for table in tables]
    for described in [*tables, *twins]:
        path = folder / described["path"]
        with path.open("rb") as file:
            described |= {"bytes": path.stat().st_size, "hash": f"sha256:{file_digest(file, 'sha256').hexdigest()}"}
    (folder / "datapackage.json").write_text(json.dumps(descriptor | {"resources": [*tables, *twins]}))
    return sum((len(read[t["name"]]) - 1) * (times if t["name"] in REPEATED else 1) for t in tables)


def _write(folder: Path, table: dict[str, Any], rows: list[list[str]], times: int) -> None:
    schema = table["schema"]
    foreign = [k["fields"][0] for k in schema.get("foreignKeys", []) if k["reference"]["resource"] in REPEATED]
    ids = [rows[0].index(name) for name in {*schema["primaryKey"], *foreign, "record_id"} if name in rows[0]]

    def repeated() -> Iterator[list[str]]:
        for time in range(times):
            for row in rows[1:]:
                yield [f"c{time:07}-{cell}" if at in ids and cell else cell for at, cell in enumerate(row)]

    with (folder / table["path"]).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows(repeated() if times > 1 else rows[1:])


def _twin(folder: Path, table: dict[str, Any]) -> dict[str, Any]:
    types = {field["name"]: TYPES[field["type"]] for field in table["schema"]["fields"]}
    convert = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=[""])
    parse = pa.csv.ParseOptions(newlines_in_values=True)
    path = str(table["path"]).replace(".csv", ".parquet")
    pq.write_table(pa.csv.read_csv(folder / table["path"], None, parse, convert), folder / path, compression="zstd")
    told = {"name": f"{table['name']}-parquet", "path": path, "format": "apache-parquet"}
    return {**told, "alternateOf": table["name"], "logicalHash": table["logicalHash"]}


def seconds(*command: str) -> float:
    """Return the user and system time of a process that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        package = Path(place) / "dist"
        number = make(package, int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
        ours = seconds(sys.executable, "-m", "defectors_data", "verify", "--fast", str(package))
        theirs = seconds(sys.executable, "-m", "frictionless", "validate", str(package / "datapackage.json"))
        told = f"columnar {ours:.2f} s, frictionless {theirs:.2f} s: {theirs / ours:.1f} times as fast"
        sys.stdout.write(f"{number:,} rows: {told}\n")
