"""Arguments: shared options, and the folder, file or day that an argument names."""

from __future__ import annotations

import datetime as dt
import os
import re
import shlex
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from defectors_data.cli.output import (
    Ends,
    ExitStatus,
    Format,
    failed,
    inform,
    publishing_errors,
    report,
    shown,
    stop,
    stop_on,
)
from defectors_data.models.counts import counted

if TYPE_CHECKING:
    from defectors_data.corpus.reader import CorpusReader
    from defectors_data.evidence.annotated_document import Document
    from defectors_data.executors import Executor

ROOT_HELP = "The project's folder. Default: the current folder, or the nearest one above it with dataset.yaml."
OUT_HELP = "The folder to publish to. Default: dist/ of the project."
RULES_HELP = "List every rule with its numbers of checked items and findings."

Root = Annotated[Path | None, typer.Option(metavar="FOLDER", help=ROOT_HELP)]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1_000,
        metavar="N",
        help="The number of worker processes. Default: one per core; for a small corpus, one.",
    ),
]
Style = Annotated[
    Literal["text", "json"],
    typer.Option("--format", metavar="text|json", help="The format of the output."),
]


class LargeTable(StrEnum):
    """A table that a large release may leave out."""

    ledger = "ledger"
    provenance = "provenance"


Without = Annotated[
    list[LargeTable] | None,
    typer.Option(
        metavar="ledger|provenance", help="A large table to leave out. Can be given twice."
    ),
]


# ---- folders and files -------------------------------------------------------------------------------------


def nearest(given: Path | None = None) -> Path | None:
    """Return the project's folder: `given`, or the nearest at or above the current folder."""
    here = Path.cwd()
    possible = [given] if given else [here, *here.parents]
    for folder in possible:
        # For a project whose dataset.yaml is missing, a finding is more helpful than a usage error.
        damaged = folder in (given, here) and (folder / "annotations").is_dir()
        if damaged or (folder / "dataset.yaml").exists():
            return folder
    return None


def project(given: Path | None) -> Path:
    """Return the project's folder, `given` or the nearest; stop if there is none."""
    if found := nearest(given):
        return found
    if given and not given.is_dir():
        stop(2, f"There is no folder {given}.")
    if given:
        stop(2, f"{given} is not a defectors-data project: it has no dataset.yaml.")
    return stop(
        2,
        "There is no dataset.yaml here or in a folder above. Give the project's folder with --root, or, "
        "for a command that reads what is published, a package with --package.",
    )


UNCHANGED = "nothing was changed"

SMALL = 500
"""Maximum number of documents for which one process is faster than several."""

_MOST_NAMED = 20
"""Maximum number of seeds that are listed if none is similar to the given name."""


def corpus(folder: Path) -> CorpusReader:
    """Return the corpus of a project."""
    from defectors_data.corpus.file_tree import FileTree  # noqa: PLC0415
    from defectors_data.corpus.reader import CorpusReader  # noqa: PLC0415

    return CorpusReader(FileTree(folder))


def executor(corpus: CorpusReader, jobs: int | None, known: int = 0) -> Executor:
    """Return an executor with `jobs` processes; by default, a large corpus has one for each core.

    `known` is the number of documents that need not be processed.
    """
    from defectors_data.executors import pool  # noqa: PLC0415

    few = SMALL + known
    # Counting stops above `few`, so that the shards of a large corpus are not all read here.
    if not jobs:
        jobs = 1 if corpus.count(few) <= few else cores()
    return pool(jobs)


def documents(folder: Path, name: str | None = None, *, style: Format = "text") -> list[Document]:
    """Return the documents of a project, or only the one whose seed or source id is `name`.

    The command stops with the findings if any document cannot be read.
    """
    from defectors_data.evidence.document_batches import documents_in  # noqa: PLC0415

    found = corpus(folder)
    context, findings = found.context
    documents: list[Document] = []
    stem = _stem(name) if name else None
    for batch in found.batches():
        if context is None:
            break
        # Only documents that could match are parsed; they are filtered below.
        raw = tuple(
            each
            for each in batch.documents
            if not stem or stem.encode() in each.data or stem in each.file
        )
        for document, faults in documents_in(batch._replace(documents=raw), context):
            findings = [*findings, *faults]
            if document and stem in (
                None,
                document.source.id,
                document.source.seed.removesuffix(".txt"),
            ):
                documents.append(document)
    findings = [*findings, *found.findings]
    if findings:
        report(sorted(findings), folder, style)
    if name and not documents:
        no_seed(folder, name)
    return documents


def seeds(incomplete: str) -> list[str]:
    """Return the names of the seeds that begin with an incomplete word, for shell completion."""
    found = sorted(Path.cwd().glob("seeds/*.txt"))
    return [path.stem for path in found if path.stem.startswith(incomplete)]


Seed = Annotated[
    str,
    typer.Argument(
        metavar="SEED",
        help="A seed: its path, its file name, or its name without .txt.",
        autocompletion=seeds,
    ),
]


def seed_file(folder: Path, name: str) -> str | None:
    """Return the path of a seed relative to the project's folder, or None without such a file."""
    file = f"seeds/{_stem(name)}.txt"
    return file if (folder / file).is_file() else None


def required_seed_file(folder: Path, name: str) -> str:
    """Return the path of a seed relative to the project's folder; stop if there is none."""
    return seed_file(folder, name) or no_seed(folder, name)


def no_seed(folder: Path, name: str) -> NoReturn:
    """Stop because a seed has no annotations, or does not exist; then suggest other names."""
    from defectors_data.corpus.reader import source_ids  # noqa: PLC0415
    from defectors_data.text.similar_words import did_you_mean  # noqa: PLC0415

    if seed_file(folder, name):
        command = f"defectors-data draft --fill {shlex.quote(_stem(name))}"
        stop(1, f"{_stem(name)} has no annotations yet. Run `{command}`.")
    if (folder / "seeds" / f"{_stem(name)}.txt").is_dir():
        stop(2, f"seeds/{_stem(name)}.txt is a folder, and a seed is a file.")
    stems = sorted(path.stem for path in (folder / "seeds").glob("*.txt") if path.is_file())
    names, kind = stems, "seeds"
    if not stems:
        kind = "sources"
        names = sorted(source_ids(folder)) if corpus(folder).count(SMALL) <= SMALL else []
    end_of_list = ", ..." if len(names) > _MOST_NAMED else "."
    listed = f"The {kind} are: {', '.join(names[:_MOST_NAMED])}{end_of_list}"
    hint = did_you_mean(_stem(name), names)
    if names and not hint:
        hint = (listed,)
    stop(2, " ".join([f"There is no seed {_stem(name)}.", *hint]))


def _stem(name: str) -> str:
    return Path(name).name.removesuffix(".txt").removesuffix(".yaml")


def refuse_half_done(folder: Path) -> None:
    """Stop if another command has changed only some of its files."""
    from defectors_data.corpus.file_tree import is_half_done  # noqa: PLC0415

    if is_half_done(folder):
        stop(
            1,
            "A command that edits the corpus was interrupted or is still running, and has changed only some of its "
            "files. Nothing was done. If it was interrupted, run that command again to complete it.",
        )


def clear_unfinished(folder: Path) -> None:
    """Remove the files of an update that changed nothing; stop if one changed only some files.

    Raises:
        atomic_publication.ConcurrentBuildError: another process is updating the corpus.
        OSError: a file could not be read or written.
    """
    from defectors_data.edits import atomic_update  # noqa: PLC0415

    atomic_update.recover(folder)
    refuse_half_done(folder)


def files_meant(folder: Path, files: Iterable[Path] | None) -> set[str]:
    """Return the checked files that `files` name or contain; none if there are no `files`."""
    meant = set[str]()
    for file in files or ():
        meant |= _files_in(folder, file)
    return meant


def _files_in(folder: Path, file: Path) -> set[str]:
    """Return the checked files that `file` names or contains, with the seeds of annotation files.

    The paths are relative to the project's folder, as in findings.
    """
    if not file.exists():
        stop(2, f"There is no file {file}.")
    real, root = file.resolve(), folder.resolve()
    meant = {
        path
        for path in files_read(root)
        if path.resolve() == real or real in path.resolve().parents
    }
    annotated = [path.stem for path in meant if path.parent.name == "annotations"]
    meant |= {
        root / "seeds" / f"{stem}{ending}"
        for stem in annotated
        for ending in (".txt", ".parquet", ".arrow")
    }
    if not meant:
        stop(2, f"{file} is not one of the files that are checked.")
    return {path.relative_to(root).as_posix() for path in meant}


def files_read(folder: Path) -> list[Path]:
    """Return the paths of the files of a project that are checked."""
    patterns = ("*.yaml", "annotations/*.yaml", "annotations/*.jsonl", "seeds/*")
    return [path for pattern in patterns for path in folder.glob(pattern)]


_READ = ("annotations", "seeds")
"""Folders that a project is read from; no output folder may be one of them or inside one."""


def keep_apart(folder: Path, out: Path, *, also: Iterable[str] = ()) -> None:
    """Stop if `out` is in a folder that the project is read from, or in a folder of `also`."""
    real = Path(os.path.realpath(out))
    above = [real, *real.parents]
    existing = [path for path in above if path.exists()]
    for read in (folder / name for name in (*_READ, *also)):
        # Where the file system ignores case, `samefile` recognises a folder in another spelling.
        if Path(os.path.realpath(read)) in above or (
            read.exists() and any(map(read.samefile, existing))
        ):
            _stop_inside(shown(out), shown(read))


def refuse_page(folder: Path | None, page: Path) -> None:
    """Stop if a page cannot be written to `page`: a part of the project, or no HTML page."""
    if folder:
        keep_apart(folder, page, also=("dist",))
    if page.exists() and not (
        page.is_file() and page.read_bytes()[:15].lower() == b"<!doctype html>"
    ):
        stop(
            2,
            f"{shown(page)} exists and is not an HTML page: choose another file. Nothing was written.",
        )


def keep_addresses_apart(root: str, out: str) -> None:
    """Stop if the address `out` is in a folder that the project is read from."""
    for name in _READ:
        read = f"{root.rstrip('/')}/{name}"
        if f"{out.rstrip('/')}/".startswith(f"{read}/"):
            _stop_inside(out, read)


def _stop_inside(out: str, read: str) -> NoReturn:
    where = "is" if out == read else f"is inside {read}, which is"
    stop(1, f"{out} {where} part of the project: choose another place. Nothing was written.")


# ---- days and numbers --------------------------------------------------------------------------------------


def day(given: str | None) -> dt.date:
    """Return the given day, or by default today in UTC; stop if it is in the future."""
    try:
        found = dt.date.fromisoformat(given) if given else dt.datetime.now(tz=dt.UTC).date()
    except ValueError:
        stop(2, f"Expected a date such as 2026-01-31, not {given}.")
    if found > last_day():
        stop(2, f"{given} is in the future.")
    return found


def last_day() -> dt.date:
    """Return the day after today in UTC, because east of Greenwich it may already be tomorrow."""
    return dt.datetime.now(tz=dt.UTC).date() + dt.timedelta(days=1)


def created() -> str | None:
    """Return SOURCE_DATE_EPOCH (see reproducible-builds.org) in ISO 8601, or None."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    # With more digits, the year could be beyond the range of `datetime`.
    if not re.fullmatch("[0-9]{1,11}", epoch):
        stop(2, "SOURCE_DATE_EPOCH must be a whole number of seconds since 1970.")
    return dt.datetime.fromtimestamp(int(epoch), tz=dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def cores() -> int:
    """Return the number of cores that this process may use."""
    # `cpu_count` ignores that a process may be restricted to some of the cores, as in many
    # containers.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def complete_update(folder: Path) -> bool:
    """Complete an interrupted update of the corpus, and return whether there was one."""
    from defectors_data.corpus import file_tree  # noqa: PLC0415
    from defectors_data.edits import atomic_update  # noqa: PLC0415

    with stop_on(takedown_errors(UNCHANGED)):
        atomic_update.recover(folder)
        if not file_tree.is_half_done(folder):
            return False
        with atomic_update.locked(folder):
            changed = atomic_update.complete(folder)
    files = counted(len(changed), "changed file")
    inform(f"The interrupted command is now complete: {files}.", best_effort=True)
    return True


def takedown_errors(nothing: str, folder: Path | None = None, record: str = "") -> Ends:
    """Return the end for each takedown error; `folder` and `record` serve to suggest an id."""
    from defectors_data.edits import atomic_update  # noqa: PLC0415
    from defectors_data.publishers import removal  # noqa: PLC0415

    return {
        atomic_update.LinkedFileError: failed(1, nothing),
        atomic_update.EditedFileError: failed(1, nothing),
        atomic_update.IncompleteUpdateError: ExitStatus(
            3, "The command was interrupted: {}. Run it again to complete it.".format
        ),
        removal.RecordNotFoundError: ExitStatus(1, lambda _: _no_record(nothing, folder, record)),
        removal.TakedownBlockedError: failed(1, nothing),
        **publishing_errors(nothing),
    }


def _no_record(nothing: str, folder: Path | None, record: str) -> str:
    from defectors_data.text.similar_words import did_you_mean  # noqa: PLC0415

    read = corpus(folder) if folder else None
    context = read.context[0] if read else None
    tombstones = context.tombstones if context else ()
    for stone in tombstones:
        if stone.id == record:
            when = f"on {stone.date} (reason: {stone.reason})"
            return f"{record} was already removed, {when}; {nothing}."
    ids: set[str] = set()
    # A suggestion requires all ids, which take too long to collect in a large corpus.
    if folder and read and read.count(SMALL) <= SMALL:
        ids = {name for document in documents(folder) for name in document.tables}
    hint = did_you_mean(record, ids) or (
        "If the record was already removed, `defectors-data build` publishes the rest.",
    )
    return " ".join([f"No record has this id; {nothing}.", *hint])
