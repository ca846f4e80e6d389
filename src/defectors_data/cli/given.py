"""What a person gives a command: options that several share; and the folder, file, day or number that is meant."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from defectors_data.cli.saying import shown, stop

Root = Annotated[
    Path | None,
    typer.Option(help="The project's folder. Default: the one that holds annotations/, looked for upwards."),
]

Jobs = Annotated[
    int | None, typer.Option(min=1, help="Processes that work on a corpus in parts. Default: one for each core.")
]


class Omitted(StrEnum):
    """What a large release may do without: two tables, and the rules of the codebook that are no matter of safety."""

    ledger = "ledger"
    provenance = "provenance"
    rules = "rules"


Without = Annotated[list[Omitted] | None, typer.Option(help="Of a corpus in parts, what is left out; may be repeated.")]


class Listing(StrEnum):
    """How a list is written."""

    text = "text"
    json = "json"


# ---- folders and files -------------------------------------------------------------------------------------


def project(given: Path | None) -> Path:
    """Return the project's folder: the one that was given, or the nearest above that holds annotations/."""
    if given:
        if not given.is_dir():
            stop(2, f"There is no folder {given}.")
        return given
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "annotations").is_dir():
            return folder
    return stop(2, "No folder annotations/ here or above. Say where the project is with --root.")


def is_bulk(folder: Path) -> bool:
    """Tell whether a project's annotations are parts; without looking into any of them.

    While a part changes places in a takedown, it is there under another name.
    """
    there = (folder / "annotations").glob
    return any(there("*.jsonl")) or any(there(".*.jsonl.takedown-old"))


def refuse_options_of_parts(jobs: int | None, without: list[Omitted] | None, *, in_parts: bool) -> None:
    """Stop where what a corpus in parts alone can be asked for is asked of another."""
    if (jobs or without) and not in_parts:
        stop(2, "--jobs and --without are for a corpus in parts: `defectors-data shard` makes one.")


def seeds(incomplete: str) -> list[str]:
    """Complete the name of a seed."""
    found = sorted(Path.cwd().glob("seeds/*.txt"))
    return [path.stem for path in found if path.stem.startswith(incomplete)]


def seed_named(folder: Path, name: str) -> str:
    """Return the path of a seed below the project's folder."""
    stem = Path(name).name.removesuffix(".txt").removesuffix(".yaml")
    if not (folder / "seeds" / f"{stem}.txt").is_file():
        if is_bulk(folder):
            stop(2, f"There is no file {stem}.txt in seeds/: this command reads files, and texts of parts are packed.")
        known = ", ".join(sorted(path.stem for path in (folder / "seeds").glob("*.txt")))
        stop(2, f"There is no seed {stem}. There are: {known}.")
    return f"seeds/{stem}.txt"


def checked(folder: Path, file: Path) -> set[str]:
    """Return the files that are meant, as findings name them: annotations with their seeds, or all in a folder."""
    if not file.exists():
        stop(2, f"There is no file {file}.")
    real, root = file.resolve(), folder.resolve()
    files = [
        path
        for pattern in ("*.yaml", "annotations/*.yaml", "annotations/*.jsonl", "seeds/*")
        for path in root.glob(pattern)
    ]
    meant = {path for path in files if path.resolve() == real or real in path.resolve().parents}
    endings = (".txt", ".parquet", ".arrow")
    with_seeds = [path for path in meant if path.parent.name == "annotations"]
    meant |= {root / "seeds" / f"{path.stem}{ending}" for path in with_seeds for ending in endings}
    if not meant:
        stop(2, f"{file} is none of the files that are checked.")
    return {path.relative_to(root).as_posix() for path in meant}


_READ = ("annotations", "seeds")
"""Folders of a project in which whatever lies is read: nothing that is written can lie there."""


def keep_apart(folder: Path, out: Path, *, also: Iterable[str] = ()) -> None:
    """Stop where `out` is, or lies in, a folder of the project that is read, or `also` one of these."""
    real = Path(os.path.realpath(out))
    above = [real, *real.parents]
    there = [path for path in above if path.exists()]
    for held in (folder / name for name in (*_READ, *also)):
        if Path(os.path.realpath(held)) in above or (held.exists() and any(map(held.samefile, there))):
            _stop_inside(shown(out), shown(held))


def keep_addresses_apart(root: str, out: str) -> None:
    """Stop where the address `out` lies in a folder of the project that is read."""
    for name in _READ:
        held = f"{root.rstrip('/')}/{name}"
        if f"{out.rstrip('/')}/".startswith(f"{held}/"):
            _stop_inside(out, held)


def _stop_inside(out: str, held: str) -> NoReturn:
    where = "is" if out == held else f"lies in {held}, which is"
    stop(1, f"{out} {where} part of the project: give another place. Nothing was written.")


# ---- days and numbers --------------------------------------------------------------------------------------


def day(given: str | None) -> dt.date:
    """Return the day that was given, or today."""
    try:
        return dt.date.fromisoformat(given) if given else dt.datetime.now(tz=dt.UTC).date()
    except ValueError:
        stop(2, "A day is needed, such as 2026-01-31.")


def created() -> str | None:
    """Return the time that SOURCE_DATE_EPOCH asks for, as reproducible-builds.org specifies it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    if not re.fullmatch("[0-9]{1,11}", epoch):
        stop(2, "SOURCE_DATE_EPOCH must be a whole number of seconds since 1970.")
    return dt.datetime.fromtimestamp(int(epoch), tz=dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def cores() -> int:
    """Return how many processes may work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
