"""What a person gives a command: options that several share; and the folder, file, day or number that is meant."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from defectors_data.cli.output import Format, report, shown, stop

if TYPE_CHECKING:
    from defectors_data.corpus.reader import CorpusReader
    from defectors_data.evidence.document import Document
    from defectors_data.executors import Executor

Root = Annotated[
    Path | None,
    typer.Option(help="The project's folder. Default: the one that holds annotations/, looked for upwards."),
]

Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, help="Processes that work on a large corpus. Default: one for each core; for a small one, one."
    ),
]


class LargeTable(StrEnum):
    """A table that a large release may do without."""

    ledger = "ledger"
    provenance = "provenance"


Without = Annotated[list[LargeTable] | None, typer.Option(help="A large table to leave out; may be repeated.")]


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


SMALL = 500
"""Documents up to which one process is quicker than several."""


def corpus(folder: Path) -> CorpusReader:
    """Return the corpus of a project."""
    from defectors_data.corpus.files import Tree  # noqa: PLC0415
    from defectors_data.corpus.reader import CorpusReader  # noqa: PLC0415

    return CorpusReader(Tree(folder))


def executor(corpus: CorpusReader, jobs: int | None) -> Executor:
    """Return what maps work over the batches of a corpus: as many processes as are asked for, or as it is worth."""
    from defectors_data.executors import pool  # noqa: PLC0415

    return pool(jobs or (1 if corpus.count(SMALL) <= SMALL else cores()))


def documents(folder: Path, name: str | None, *, style: Format = Format.text) -> list[Document]:
    """Return the documents of a project, or those that a seed's name or a source's id means.

    Where any document cannot be read, the command ends with the findings.
    """
    from defectors_data import pipeline  # noqa: PLC0415

    found = corpus(folder)
    context, findings = found.context
    documents: list[Document] = []
    stem = Path(name).name.removesuffix(".txt").removesuffix(".yaml") if name else None
    for batch in found.batches():
        if context is None:
            break
        raw = tuple(each for each in batch.documents if not stem or stem.encode() in each.data or stem in each.file)
        for document, faults in pipeline.documents_of(found, context, [batch._replace(documents=raw)]):
            findings = [*findings, *faults]
            if document and stem in (None, document.source.id, document.source.seed.removesuffix(".txt")):
                documents.append(document)
    findings = [*findings, *found.findings]
    if findings:
        report(sorted(findings), folder, style)
    if name and not documents:
        no_seed(folder, name)
    return documents


def seeds(incomplete: str) -> list[str]:
    """Complete the name of a seed."""
    found = sorted(Path.cwd().glob("seeds/*.txt"))
    return [path.stem for path in found if path.stem.startswith(incomplete)]


def seed_file(folder: Path, name: str) -> str | None:
    """Return the path of a seed below the project's folder; None where no file has the name."""
    stem = Path(name).name.removesuffix(".txt").removesuffix(".yaml")
    return f"seeds/{stem}.txt" if (folder / "seeds" / f"{stem}.txt").is_file() else None


def no_seed(folder: Path, name: str) -> NoReturn:
    """Stop, since there is no such seed."""
    stems = sorted(path.stem for path in (folder / "seeds").glob("*.txt"))
    known = f" There are: {', '.join(stems)}." if stems else " Packed texts are meant by the ids of their sources."
    stop(2, f"There is no seed {Path(name).name.removesuffix('.txt').removesuffix('.yaml')}.{known}")


def refuse_unfinished_takedown(folder: Path) -> None:
    """Stop where a takedown has changed some files and not yet all of them; nothing is written."""
    from defectors_data.corpus.files import is_half_done  # noqa: PLC0415

    if is_half_done(folder):
        stop(
            1,
            "A takedown was interrupted, or is running: some annotations are changed and others are not yet. Nothing "
            "was done. Run the same `defectors-data takedown` again: it completes what was interrupted.",
        )


def clear_unfinished_takedown(folder: Path) -> None:
    """Remove what a takedown left that was killed before it changed anything; stop where one is half done.

    Raises:
        publishing.AnotherBuild: a takedown is running.
        OSError: the file system refused.
    """
    from defectors_data.release import corpus_update  # noqa: PLC0415

    corpus_update.recover(folder)
    refuse_unfinished_takedown(folder)


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
