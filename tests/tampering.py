"""Published packages in memory, and ways to damage them: bluntly, or with sums and sizes made anew."""

# mypy: disable-error-code="misc, func-returns-value, arg-type"
# Faults are lambdas that bind what they change when they are made.

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import INVENTED, PROJECT, content
from defectors_data.package import verify

SOURCE = PROJECT / "src" / "defectors_data" / "package" / "verify.py"
DESCRIPTOR, SUMS = "datapackage.json", "SHA256SUMS"
Files = dict[str, bytes]
Table = list[list[str]]
Damage = Callable[[Files], None]


# ---- packages in memory, to damage and to lay down -----------------------------------------------------------


def lay(files: Files, folder: Path) -> Path:
    """Make a folder hold these files and nothing else; what is right already is left alone."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with contextlib.suppress(OSError):  # a folder that still holds something stays
                path.rmdir()
        elif path.is_symlink() or path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
    return folder


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def table_of(files: Files, name: str) -> Table:
    return list(csv.reader(io.StringIO(files[f"data/{name}.csv"].decode(), newline="")))


def put(files: Files, name: str, rows: Table) -> None:
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(rows)
    files[f"data/{name}.csv"] = written.getvalue().encode()


def summed(files: Files) -> None:
    """Make SHA256SUMS anew."""
    files[SUMS] = "".join(f"{digest(files[n])}  {n}\n" for n in sorted(files) if n != SUMS).encode()


def descriptor_of(files: Files) -> dict[str, Any]:
    descriptor: dict[str, Any] = json.loads(files[DESCRIPTOR])
    return descriptor


def describe(files: Files, descriptor: object) -> None:
    files[DESCRIPTOR] = (json.dumps(descriptor, ensure_ascii=False) + "\n").encode()
    summed(files)


def renew(files: Files) -> None:
    """Make sizes, sums and hashes anew, as whoever damages a package on purpose would."""
    descriptor = descriptor_of(files)
    for resource in descriptor["resources"]:
        data = files[resource["path"]]
        resource.update(bytes=len(data), hash=f"sha256:{digest(data)}")
    describe(files, descriptor)


def with_verifier(folder: Path) -> Files:
    """Return the files of a package with the verifier among them, as it is published."""
    files = content(folder)
    descriptor = descriptor_of(files)
    if "verify.py" not in files:
        descriptor["resources"].append({"name": "verify", "path": "verify.py", "format": "py"})
    files["verify.py"] = SOURCE.read_bytes()
    describe(files, descriptor)
    renew(files)
    return files


@pytest.fixture(scope="module")
def whole(package: Path) -> Files:
    return with_verifier(package)


def run(*arguments: str | Path) -> tuple[int, str]:
    """Return the exit code and the output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = verify.main([str(argument) for argument in arguments])
    return code, output.getvalue()


def faults(output: str) -> list[str]:
    return output[: output.index("Checked: ")].splitlines()


def after(change: Damage, files: Files, folder: Path, *arguments: str | Path) -> list[str]:
    """Return the faults of a package after a change, its sums made anew."""
    changed = dict(files)
    change(changed)
    renew(changed)
    assert changed != files
    code, output = run(*arguments, lay(changed, folder))
    assert code == (1 if faults(output) else 0)
    return faults(output)


SEEDS = ("--seeds", INVENTED / "seeds")


# ---- damage that leaves the sums as they were ------------------------------------------------------------------


def flip(data: bytes, random_: random.Random) -> bytes:
    place = random_.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << random_.randrange(8)]) + data[place + 1 :]


def insert(data: bytes, random_: random.Random) -> bytes:
    place = random_.randrange(len(data) + 1)
    return data[:place] + bytes([random_.randrange(256)]) + data[place:]


def drop(data: bytes, random_: random.Random) -> bytes:
    place = random_.randrange(len(data))
    return data[:place] + data[place + 1 :]


def truncate(data: bytes, random_: random.Random) -> bytes:
    return data[: random_.randrange(len(data))]


def empty(_data: bytes, _random: random.Random) -> bytes:
    return b""


def blunt(folder: Path, files: Files, random_: random.Random) -> str:
    """Damage a folder in one way, and say which."""
    name = random_.choice(sorted(files))
    # Tables without rows may be equal, and then a swap of their files would change nothing.
    other = random_.choice([each for each in sorted(files) if files[each] != files[name]])
    path, kind = folder / name, random_.choice([*"flip insert drop truncate empty delete rename add swap link".split()])
    if kind in {"flip", "insert", "drop", "truncate", "empty"}:
        path.write_bytes(globals()[kind](files[name], random_))
    elif kind == "delete":
        path.unlink()
    elif kind == "rename":
        path.rename(path.with_name(f"{path.name}.old"))
    elif kind == "add":
        added = random_.choice(["more.txt", ".hidden", "data/more.csv", "new/more.txt", "new/", ".git/", "data/new/"])
        (folder / added).parent.mkdir(exist_ok=True)
        (folder / added).mkdir() if added.endswith("/") else (folder / added).write_bytes(b"")
        name = added
    elif kind == "swap":
        path.write_bytes(files[other])
        (folder / other).write_bytes(files[name])
    elif kind == "link":
        target = folder.parent / "target"
        target.write_bytes(files[name])
        path.unlink()
        path.symlink_to(target)
    return f"{kind} {name}"


# ---- changes by name ---------------------------------------------------------------------------------------------


def key_of(files: Files, table: str) -> str:
    """Return the primary key of a table."""
    (resource,) = (r for r in descriptor_of(files)["resources"] if r["name"] == table)
    return str(resource["schema"]["primaryKey"][0])


def edit(table: str, key: str, /, *, by: str | None = None, **cells: str) -> Damage:
    """Return a change of cells in the rows with a key, or with another value in a column."""

    def damage(files: Files) -> None:
        header, *rows = table_of(files, table)
        column = header.index(by or key_of(files, table))
        found = [row for row in rows if row[column] == key]
        assert found, f"no {key} in {table}"
        for row in found:
            for name, value in cells.items():
                row[header.index(name)] = value
        put(files, table, [header, *rows])

    return damage


def remove(table: str, key: str) -> Damage:
    """Return the removal of a row."""

    def damage(files: Files) -> None:
        rows = table_of(files, table)
        column = rows[0].index(key_of(files, table))
        put(files, table, [row for row in rows if row[column] != key])
        assert len(table_of(files, table)) == len(rows) - 1

    return damage


def described(change: Callable[[dict[str, Any]], object], *tables: str) -> Damage:
    """Return a change of the resources of tables in the descriptor; of all tables if none is named."""

    def damage(files: Files) -> None:
        descriptor = descriptor_of(files)
        for resource in descriptor["resources"]:
            if resource.get("type") == "table" and (not tables or resource["name"] in tables):
                change(resource)
        describe(files, descriptor)

    return damage


def without(*tables: str) -> Damage:
    """Return the removal of whole tables, from the descriptor too."""

    def damage(files: Files) -> None:
        descriptor = descriptor_of(files)
        gone = [r for r in descriptor["resources"] if {r["name"], r.get("alternateOf")} & {*tables}]
        descriptor["resources"] = [r for r in descriptor["resources"] if r not in gone]
        for resource in gone:
            del files[resource["path"]]
        describe(files, descriptor)

    return damage
