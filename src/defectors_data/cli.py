"""Words in; words and an exit code out. Everything else is done elsewhere and imported when it is needed.

Exit codes: 0 done; 1 findings; 2 usage; 3 a write was refused; 4 another build runs; 70 a fault of this program; 130
and 143 signals. Any code but 0 means that the published folder is as it was.
"""

from __future__ import annotations

import copy
import datetime as dt
import io
import os
import re
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TextIO

import typer

from defectors_data import findings as f
from defectors_data import terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from defectors_data.examining import Rule
    from defectors_data.findings import Finding
    from defectors_data.judging import Asked
    from defectors_data.proving import Proof
    from defectors_data.releasing import Released
    from defectors_data.remaining import Item
    from defectors_data.spreadsheets import Cell

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Prove hand annotations against the articles they are made from, and publish them as a data package.",
)

Root = Annotated[
    Path | None,
    typer.Option(help="The project's folder. Default: the one that holds annotations/, looked for upwards."),
]


class Format(StrEnum):
    """How findings are written."""

    text = "text"
    json = "json"
    github = "github"


class Omitted(StrEnum):
    """What a large release may do without: two tables, and the rules of the codebook that are no matter of safety."""

    ledger = "ledger"
    provenance = "provenance"
    rules = "rules"


Jobs = Annotated[
    int | None, typer.Option(min=1, help="Processes that work on a corpus in parts. Default: one for each core.")
]


class Listing(StrEnum):
    """How a list is written."""

    text = "text"
    json = "json"


class Reason(StrEnum):
    """Why something is taken out; the closed vocabulary of tombstones."""

    person = "person"
    safety = "safety"
    rights = "rights"
    law = "law"
    error = "error"


class _Manner:
    """How much is said, as the options before the command ask for it."""

    quiet = False
    verbose = False


@app.callback()
def options(
    _asked: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=lambda asked: _version(asked=asked), help="Say which version this is."
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing but what is wrong and what was asked for.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say which step begins, on standard error.")] = False,
) -> None:
    """Keep what holds for every command."""
    _Manner.quiet, _Manner.verbose = quiet and not verbose, verbose


def _version(*, asked: bool) -> None:
    if asked:
        from importlib import metadata  # noqa: PLC0415

        _say(f"defectors-data {metadata.version('defectors-data')}")
        raise typer.Exit


def _seeds(incomplete: str) -> list[str]:
    """Complete the name of a seed."""
    found = sorted(Path.cwd().glob("seeds/*.txt"))
    return [path.stem for path in found if path.stem.startswith(incomplete)]


@app.command(epilog="Example: defectors-data build --out build/dist")
def build(
    root: Annotated[
        str | None,
        typer.Option(
            metavar="DIRECTORY",
            help="The project's folder. Default: the one that holds annotations/, looked for upwards. With "
            "--scheduler, an address of an object store too: s3://bucket/corpus.",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIRECTORY",
            help="The folder to publish to. Default: dist/ of the project. With --scheduler, an address too.",
        ),
    ] = None,
    every_rule: Annotated[bool, typer.Option("--rules", help="List every rule with what it saw.")] = False,
    jobs: Jobs = None,
    without: Annotated[
        list[Omitted] | None, typer.Option(help="Of a corpus in parts, what is left out; may be repeated.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Have a corpus in parts built by a Dask cluster: the address of its scheduler, such as "
            "tcp://10.0.0.1:8786, or `local` for --jobs worker processes of this machine. See docs/scale.md.",
        ),
    ] = None,
) -> None:
    """Check everything, then publish to dist/; any finding, and nothing is published."""
    from defectors_data import examining, package, publishing, spreadsheets  # noqa: PLC0415
    from defectors_data.build import build as run  # noqa: PLC0415

    if scheduler:
        _distribute(root, out, scheduler, jobs, without or [], every_rule=every_rule)
        return
    if any("://" in place for place in (root, out) if place):
        _stop(2, "An address is for --scheduler; without it, give a folder.")
    folder = _root(Path(root) if root else None)
    target = Path(out) if out else folder / "dist"
    if _is_bulk(folder):
        _release(folder, target, jobs, without or [], every_rule=every_rule)
        return
    if jobs or without:
        _stop(2, "--jobs and --without are for a corpus in parts: `defectors-data shard` makes one.")
    try:
        with _steps() as step:
            built = run(folder, target, created=_created(), step=step)
    except publishing.AnotherBuild as error:
        _stop(4, f"{error}; nothing was published.")
    except package.NotValid as error:
        _stop(70, f"The package that was built is not valid, and nothing was published: {error}")
    except OSError as error:
        _stop(3, f"The file system refused, and nothing was published: {error}")
    _report(built.findings, folder, Format.text, built.rules)
    for warning in built.warnings:
        _warn(f"Published, but: {warning}")
    _tell(f"{_shown(target)}: {built.outcome}", whatever=True)
    listed = examining.table(built.rules) if every_rule else ()
    for line in (*spreadsheets.advice(built.formulas), *listed, *examining.summary(built.rules)):
        _tell(f.printable(line), whatever=True)


@app.command(epilog="Example: defectors-data check annotations/000_d0d957609dc7296e.yaml --format github")
def check(
    files: Annotated[list[Path] | None, typer.Argument(help="Show the findings in these files alone.")] = None,
    root: Root = None,
    style: Annotated[Format, typer.Option("--format", help="How findings are written.")] = Format.text,
    every_rule: Annotated[bool, typer.Option("--rules", help="List every rule with what it saw.")] = False,
    jobs: Jobs = None,
) -> None:
    """Show everything that is wrong with the annotations, each with file, line and column; and what was checked."""
    from defectors_data import examining, spreadsheets  # noqa: PLC0415

    folder = _root(root)
    if _is_bulk(folder):
        _check_parts(folder, files or [], style, jobs, every_rule=every_rule)
        return
    proof, findings, rules = examining.examine(folder)
    wanted = {name for file in files or () for name in _checked(folder, file)}
    shown = [item for item in findings if not wanted or item.place.file in wanted]
    listed = examining.table(rules) if every_rule else ()
    formulas = []
    if proof and not findings:
        formulas = spreadsheets.formulas(proof, (s for s in proof.corpus.shards if not wanted or s.file in wanted))
    _report(shown, folder, style, rules, listed, formulas)
    if findings and not proof:
        _stop(1, f"These files cannot be checked while others cannot be read: {len(findings)} findings in others.")
    if style is Format.text and proof:
        _say_what_was_checked(proof, wanted, formulas, findings, rules, listed)
    raise typer.Exit(1 if any(rule.findings is None for rule in rules) else 0)


def _say_what_was_checked(
    proof: Proof,
    wanted: set[str],
    formulas: Sequence[Cell],
    findings: list[Finding],
    rules: list[Rule],
    listed: Iterable[str],
) -> None:
    from defectors_data import spreadsheets  # noqa: PLC0415

    if findings:
        _tell(f"No findings in these files; {len(findings)} in others.")
    else:
        shards = [s for s in proof.corpus.shards if not wanted or s.file in wanted]
        records = sum(len(s.content.testimonies) + len(s.content.figures) for s in shards)
        sources = f"{len(shards)} source{'' if len(shards) == 1 else 's'}"
        _tell(f"No findings: {records} testimonies and figures in {sources} stand in their seeds.")
        for line in spreadsheets.advice(formulas):
            _tell(f.printable(line))
    _tell_rules(listed, rules)


# ---- a corpus in parts -------------------------------------------------------------------------------------


def _is_bulk(folder: Path) -> bool:
    """Tell whether a project's annotations are parts; without looking into any of them."""
    return any((folder / "annotations").glob("*.jsonl"))


def _check_parts(folder: Path, files: list[Path], style: Format, jobs: int | None, *, every_rule: bool) -> None:
    """Check a corpus of parts as its sources pass by."""
    from defectors_data import bulk, examining  # noqa: PLC0415
    from defectors_data.judging import Asked  # noqa: PLC0415

    with _steps() as step:
        seen = bulk.examine(folder, Asked(tables=False), jobs=jobs or _cores(), told=_passing(step))
    wanted = {name for file in files for name in _checked(folder, file)}
    shown = [item for item in seen.examined.findings if not wanted or item.place.file in wanted]
    listed = examining.table(seen.examined.rules) if every_rule else ()
    _report(shown, folder, style, seen.examined.rules, listed)
    if seen.examined.findings:
        _stop(1, f"No findings in these files; {len(seen.examined.findings)} in others.")
    if style is Format.text:
        _tell(f"No findings: {seen.records} testimonies and figures in {seen.sources} sources stand in their seeds.")
        _tell_rules(listed, seen.examined.rules)


def _distribute(
    root: str | None, out: str | None, scheduler: str, jobs: int | None, without: list[Omitted], *, every_rule: bool
) -> None:
    """Publish a corpus of parts by a cluster; corpus and package may be at addresses."""
    from defectors_data import clusters, distributing, package, portions, publishing, stores  # noqa: PLC0415

    if not (root and stores.is_address(root)):
        root = str(_root(stores.folder_of(root) if root else None))
        if not _is_bulk(Path(root)):
            _stop(2, "--scheduler is for a corpus in parts: `defectors-data shard` makes one.")
    if jobs and scheduler != clusters.HERE:
        _stop(2, "--jobs is for `--scheduler local`: a cluster has the workers that it has.")
    out = out or f"{root.rstrip('/')}/dist"
    engine = distributing.Engine(scheduler, jobs or _cores())
    try:
        with _steps() as step:
            told = _passing(step)
            done = distributing.release(root, out, _asked(without), engine, created=_created(), told=told)
    except stores.NotReached as error:
        _stop(2, f"{error} Nothing was published.")
    except clusters.Lost as error:
        _stop(3, f"Nothing was published: {error}.")
    except publishing.AnotherBuild as error:
        _stop(4, f"{error}; nothing was published.")
    except (package.NotValid, portions.NotAlike) as error:
        _stop(70, f"The package that was built is not valid, and nothing was published: {error}")
    except OSError as error:
        _stop(3, f"Writing was refused, and nothing was published: {error}")
    _say_what_was_released(done, root, out, every_rule=every_rule)


def _asked(without: list[Omitted]) -> Asked:
    from defectors_data.judging import Asked  # noqa: PLC0415

    return Asked(
        ledger=Omitted.ledger not in without,
        provenance=Omitted.provenance not in without,
        rules=Omitted.rules not in without,
    )


def _release(folder: Path, target: Path, jobs: int | None, without: list[Omitted], *, every_rule: bool) -> None:
    """Publish a corpus of parts as its sources pass by."""
    from defectors_data import package, publishing, releasing  # noqa: PLC0415

    asked = _asked(without)
    try:
        with _steps() as step:
            told = _passing(step)
            done = releasing.release(folder, target, asked, jobs=jobs or _cores(), created=_created(), told=told)
    except publishing.AnotherBuild as error:
        _stop(4, f"{error}; nothing was published.")
    except package.NotValid as error:
        _stop(70, f"The package that was built is not valid, and nothing was published: {error}")
    except OSError as error:
        _stop(3, f"The file system refused, and nothing was published: {error}")
    _say_what_was_released(done, str(folder), str(target), every_rule=every_rule)


def _say_what_was_released(done: Released, root: str, out: str, *, every_rule: bool) -> None:
    from defectors_data import examining  # noqa: PLC0415

    rules = done.seen.examined.rules
    _report(done.seen.examined.findings, root, Format.text, rules)
    for warning in done.warnings:
        _warn(f"Published, but: {warning}")
    _tell(f"{_at(out)}: {done.outcome}", whatever=True)
    for line in (*(examining.table(rules) if every_rule else ()), *examining.summary(rules)):
        _tell(f.printable(line), whatever=True)


def _cores() -> int:
    """Return how many processes may work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _passing(step: Callable[[str], None]) -> Callable[[int, float], None]:
    """Return what tells how many sources have passed, how fast, and how long the rest will take."""
    from time import monotonic  # noqa: PLC0415

    start = monotonic()

    def told(sources: int, share: float) -> None:
        seconds = max(monotonic() - start, 0.001)
        left = seconds / share - seconds if share else 0.0
        step(f"{sources:,} sources ({share:.0%}), {sources / seconds:,.0f} a second, {left:,.0f} s left")

    return told


@app.command(epilog="Example: defectors-data shard --out ../corpus-in-parts")
def shard(
    out: Annotated[Path, typer.Option(help="The folder that the corpus in parts is written to; a new one.")],
    root: Root = None,
    size: Annotated[int, typer.Option(min=1, help="Sources in a part.")] = 2000,
) -> None:
    """Write a corpus anew in parts: sources and their texts together, in the order of ids."""
    from defectors_data import ingesting  # noqa: PLC0415

    folder = _root(root)
    if out.exists():
        _stop(2, f"{out} is there already, and is left as it is.")
    try:
        with _steps() as step:
            done = ingesting.ingest(folder, out, size=size, told=_passing(step))
    except OSError as error:
        _stop(3, f"The file system refused, and nothing was written: {error}")
    _report(done.findings, folder, Format.text)
    _tell(f"{_shown(out)}: {done.sources} sources in {done.parts} part{'' if done.parts == 1 else 's'}", whatever=True)


@app.command(epilog="Example: defectors-data schema --check")
def schema(
    root: Root = None,
    only_check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 where a file differs.")] = False,
) -> None:
    """Write schema/ from the models: JSON Schemas for the YAML, Table Schemas for the tables."""
    from defectors_data import fs, publishing, schemas  # noqa: PLC0415

    folder = _root(root) / "schema"
    files = schemas.files()
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")}
    stale = sorted(there - files.keys())
    differing = [name for name, data in files.items() if name not in there or (folder / name).read_bytes() != data]
    if only_check:
        for name in [*differing, *stale]:
            _say(f"{_shown(folder / name)}: differs from the models; run `defectors-data schema`.")
        raise typer.Exit(1 if differing or stale else 0)
    publishing.recover(folder.parent / "dist")
    for name in differing:
        publishing.save(folder / name, files[name])
    for name in stale:
        fs.remove_file(folder / name)
    _tell(f"{_shown(folder)}: {len(differing)} written, {len(stale)} removed, {len(files)} in all")


@app.command(epilog='Example: defectors-data locate 000_d0d957609dc7296e "the words to find"')
def locate(
    seed: Annotated[
        str, typer.Argument(help="A seed, by path, file name, or name without its ending.", autocompletion=_seeds)
    ],
    text: Annotated[str, typer.Argument(help="The words to find.")],
    root: Root = None,
) -> None:
    """Show where words stand in a seed, or the nearest that do, with YAML ready to paste."""
    from defectors_data.locating import locate as find  # noqa: PLC0415
    from defectors_data.reading import text_of  # noqa: PLC0415

    folder = _root(root)
    file = _seed(folder, seed)
    content, findings = text_of(folder, file)
    _report(findings, folder, Format.text)
    located = find(text, _shown(folder / file), content or "")
    _say("\n".join(map(f.printable, located.lines)))
    raise typer.Exit(0 if located.found else 1)


@app.command(epilog="Example: defectors-data todo 000_d0d957609dc7296e --all")
def todo(
    seed: Annotated[str | None, typer.Argument(help="A seed; all of them without.", autocompletion=_seeds)] = None,
    root: Root = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List reporting verbs with no testimony near them too: advice, not findings.")
    ] = False,
    style: Annotated[Listing, typer.Option("--format", help="How the list is written.")] = Listing.text,
) -> None:
    """List what is not accounted for yet, in reading order, with YAML ready to paste."""
    from defectors_data import proving  # noqa: PLC0415
    from defectors_data.reading import read  # noqa: PLC0415
    from defectors_data.remaining import remaining, summary  # noqa: PLC0415

    folder = _root(root)
    wanted = _seed(folder, seed) if seed else None
    corpus, findings = read(folder)
    if corpus is None:
        _report(f.in_order(findings), folder, Format(style))
        raise typer.Exit(1)
    proof = proving.prove(corpus)
    lists = [(s, remaining(proof, s, verbs=everything)) for s in corpus.shards if wanted in (None, s.seed)]
    if style is Listing.json:
        items = [item for _, found in lists for item in found]
        _say(_json([_as_record(item, folder) for item in items]))
        return
    for shard, found in lists:
        for item in found:
            _print_item(item, folder)
        _say(summary(found, shard))


@app.command(epilog="Example: defectors-data draft seeds/005_new_article.txt")
def draft(
    seed: Annotated[
        str, typer.Argument(help="A seed, by path, file name, or name without its ending.", autocompletion=_seeds)
    ],
    root: Root = None,
) -> None:
    """Write a first annotation file for a new seed; a file that is there is never overwritten."""
    from defectors_data import drafting, publishing  # noqa: PLC0415
    from defectors_data.reading import SHARED_FILES, source_ids, text_of  # noqa: PLC0415

    folder = _root(root)
    file = _seed(folder, seed)
    target = folder / "annotations" / f"{Path(file).stem}.yaml"
    if target.name in SHARED_FILES:
        _stop(1, f"{_shown(target)} is about no article. Give the seed another name.")
    if target.exists():
        _stop(1, f"{_shown(target)} is there already, and is left as it is.")
    text, findings = text_of(folder, file)
    _report(findings, folder, Format.text)
    content = drafting.draft(text or "", (folder / file).read_bytes(), target.stem, taken=source_ids(folder))
    publishing.recover(folder / "dist")
    publishing.save(target, content.encode())
    _tell(f"{_shown(target)}: written. Next: defectors-data todo {target.stem}")


@app.command("zip", epilog="Example: defectors-data zip --out .")
def pack(
    root: Root = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write to. Default: build/ of the project.")] = None,
) -> None:
    """Pack the published dist/ into one zip, the same bytes wherever it is packed."""
    from defectors_data import archiving, publishing  # noqa: PLC0415

    folder = _root(root)
    publishing.recover(folder / "dist")
    try:
        name, content = archiving.archive(folder / "dist")
    except archiving.NotWhole:
        _stop(1, f"{_shown(folder / 'dist')} is not just what its SHA256SUMS lists. Run `defectors-data build`.")
    target = (out or folder / "build") / name
    publishing.save(target, content)
    _tell(f"{_shown(target)}: {len(content):,} bytes")


@app.command(epilog="Example: defectors-data verify build/rebuilt --seeds seeds")
def verify(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A published folder. Default: dist/.")] = None,
    seeds: Annotated[Path | None, typer.Option(help="The folder of the articles. Default: seeds/, for dist/.")] = None,
    root: Root = None,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Check by columns: for packages of millions of rows. The articles are not read."),
    ] = False,
) -> None:
    """Check a published package with the verifier that travels in it: nothing of the builder is used."""
    if fast:
        if seeds:
            _stop(2, "--fast does not read the articles: leave out --seeds, or --fast.")
        _verify_by_columns(folder or _root(root) / "dist")
    from defectors_data.verify import main as run  # noqa: PLC0415

    project = None if folder else _root(root)
    articles = seeds or (project / "seeds" if project else None)
    arguments = [*(["--seeds", str(articles)] if articles else []), str(folder or Path(str(project)) / "dist")]
    raise typer.Exit(run(arguments))


def _verify_by_columns(folder: Path) -> NoReturn:
    from defectors_data import columnar, sparing  # noqa: PLC0415

    sparing.spare()
    inspected = columnar.inspect(folder)
    for fault in inspected.faults:
        _say(f.printable(str(fault)))
    _tell(f"Checked by columns: {sum(inspected.rows.values()):,} rows in {len(inspected.rows)} tables.")
    raise typer.Exit(1 if inspected.faults else 0)


@app.command(epilog="Example: defectors-data why figures/900-example-f1/high")
def why(
    cell: Annotated[str, typer.Argument(metavar="TABLE/ID[/COLUMN]", help="A cell, or all cells of a row.")],
    root: Root = None,
    package: Annotated[Path | None, typer.Option(help="A published folder. Default: dist/ of the project.")] = None,
    style: Annotated[Listing, typer.Option("--format", help="How it is written.")] = Listing.text,
) -> None:
    """Show why a cell holds what it holds: its certificate, and the sentence with a caret under the words."""
    from defectors_data import tracing  # noqa: PLC0415

    folder = None if package else _root(root)
    seeds = folder / "seeds" if folder else None
    published = package or Path(str(folder)) / "dist"
    try:
        found = tracing.trace(published, cell, seeds=seeds)
    except tracing.NoCell as error:
        _stop(1, str(error))
    if style is Listing.json:
        _say(_json([tracing.record(item) for item in found]))
        return
    for item in found:
        for line in tracing.lines(item):
            _say(f.printable(line))


@app.command(epilog="Example: defectors-data takedown 900-example-t1 --reason person")
def takedown(
    record: Annotated[str, typer.Argument(help="The id of a testimony, figure, mention, waiver, speaker or source.")],
    reason: Annotated[Reason, typer.Option(help="Why, by class; docs/protection.md says what each means.")],
    root: Root = None,
    date: Annotated[str | None, typer.Option(help="The day it is taken out. Default: today, in UTC.")] = None,
) -> None:
    """Take a record and all that rests on it out of the annotations, and publish; a tombstone is left."""
    from defectors_data import package, publishing, withdrawing  # noqa: PLC0415
    from defectors_data.takedown import take_down  # noqa: PLC0415

    folder = _root(root)
    publishing.recover(folder / "dist")
    try:
        done = take_down(folder, folder / "dist", record, reason=reason.value, day=_day(date), created=_created())
    except withdrawing.NoRecord:
        _stop(1, "No record has this id; nothing was changed.")
    except withdrawing.InTheWay as error:
        _stop(1, f"{error}; nothing was changed.")
    except publishing.AnotherBuild as error:
        _stop(4, f"{error}; nothing was changed.")
    except package.NotValid as error:
        _stop(70, f"The package that was built is not valid, and nothing was changed: {error}")
    _report(done.findings, folder, Format.text)
    for stone in done.tombstones:
        _say(f"{stone.table}/{stone.id}: taken out", whatever=True)
    if done.built:
        for warning in done.built.warnings:
            _warn(f"Published, but: {warning}")
        _tell(f"{_shown(folder / 'dist')}: {done.built.outcome}. Raise `version` in dataset.yaml.", whatever=True)


# ---- folders and paths -------------------------------------------------------------------------------------


def _root(given: Path | None) -> Path:
    """Return the project's folder: the one that was given, or the nearest above that holds annotations/."""
    if given:
        if not given.is_dir():
            _stop(2, f"There is no folder {given}.")
        return given
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "annotations").is_dir():
            return folder
    return _stop(2, "No folder annotations/ here or above. Say where the project is with --root.")


def _seed(folder: Path, name: str) -> str:
    """Return the path of a seed below the project's folder."""
    stem = Path(name).name.removesuffix(".txt").removesuffix(".yaml")
    if not (folder / "seeds" / f"{stem}.txt").is_file():
        known = ", ".join(sorted(path.stem for path in (folder / "seeds").glob("*.txt")))
        _stop(2, f"There is no seed {stem}. There are: {known}.")
    return f"seeds/{stem}.txt"


def _checked(folder: Path, file: Path) -> set[str]:
    """Return the files that are meant, as findings name them: annotations with their seed, or all in a folder."""
    if not file.exists():
        _stop(2, f"There is no file {file}.")
    real, root = file.resolve(), folder.resolve()
    files = [path for pattern in ("*.yaml", "annotations/*.yaml", "seeds/*") for path in root.glob(pattern)]
    meant = {path for path in files if path.resolve() == real or real in path.resolve().parents}
    meant |= {root / "seeds" / f"{path.stem}.txt" for path in meant if path.parent.name == "annotations"}
    if not meant:
        _stop(2, f"{file} is none of the files that are checked.")
    return {path.relative_to(root).as_posix() for path in meant}


def _shown(path: Path) -> str:
    """Return a path relative to where the user stands."""
    return Path(os.path.relpath(path)).as_posix()


def _at(place: str) -> str:
    """Return a path relative to where the user stands, and an address as it is."""
    return place if "://" in place else _shown(Path(place))


def _as_record(item: Item, folder: Path) -> dict[str, object]:
    file, line, column = item.place
    place = {"file": _shown(folder / file), "line": line, "column": column}
    return {**place, **{key: value for key, value in item._asdict().items() if key != "place"}}


def _print_item(item: Item, folder: Path) -> None:
    file, line, column = item.place
    _say(f"{_shown(folder / file)}:{line}:{column}: {item.kind}: {f.printable(item.sentence)}")
    if item.speaker:
        _say(f"    nearest speaker: {item.speaker}")
    for row in item.yaml.splitlines():
        _say(f"    {row}")


# ---- what is said ------------------------------------------------------------------------------------------


def _report(
    found: list[Finding],
    folder: Path | str,
    style: Format,
    rules: Sequence[Rule] = (),
    listed: Iterable[str] = (),
    formulas: Sequence[Cell] = (),
) -> None:
    """Show findings, and stop with exit code 1 where there are any; JSON is shown in any case.

    JSON has every rule with what it saw, and the cells that a spreadsheet would run; text tells the rules behind the
    findings, the lines `listed` before them.
    """
    from defectors_data import examining  # noqa: PLC0415

    def relocate(file: str) -> str:
        return _at(f"{folder}/{file}")

    if style is Format.json:
        findings = [f.record(item, relocate=relocate) for item in found]
        document = {"findings": findings, "rules": [examining.record(rule) for rule in rules]}
        document |= {"formulas": [cell._asdict() for cell in formulas]}
        _say(_json(document))
    else:
        colour = style is Format.text and terminal.takes_colour(sys.stdout, os.environ)
        for line in f.lines(found, f.github if style is Format.github else f.text, relocate=relocate):
            _say(terminal.coloured(line) if colour else line)
    if found:
        if style is Format.text:
            _tell_rules(listed, rules)
            _warn(f"{len(found)} finding{'s' if len(found) > 1 else ''}.")
        raise typer.Exit(1)


def _tell_rules(listed: Iterable[str], rules: Sequence[Rule]) -> None:
    """Write the rules that were asked for, and unless nobody wants to know, what was checked."""
    from defectors_data import examining  # noqa: PLC0415

    for line in listed:
        _say(line)
    for line in examining.summary(rules) if rules else ():
        _tell(line)


def _json(document: object) -> str:
    import json  # noqa: PLC0415

    return json.dumps(document, ensure_ascii=False, indent=2)


def _stop(code: int, sentence: str) -> NoReturn:
    _warn(sentence)
    raise typer.Exit(code)


def _steps() -> terminal.Steps:
    """Return what tells the steps of a long command, on standard error."""
    return terminal.Steps(sys.stderr, os.environ, say=_warn if _Manner.verbose else None, quiet=_Manner.quiet)


def _tell(text: str, *, whatever: bool = False) -> None:
    """Write what went well, unless nobody wants to know."""
    if not _Manner.quiet:
        _say(text, whatever=whatever)


def _say(text: str, *, whatever: bool = False) -> None:
    """Write a line to standard output; whoever stops reading changes nothing.

    Raises:
        OSError: the file system refused, unless the line is written `whatever` happens to it.
    """
    try:
        print(text)
        if whatever and sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        _silence(sys.stdout)
        if not whatever and not isinstance(error, BrokenPipeError):
            raise


def _warn(text: str) -> None:
    """Write a line to standard error, if it takes one."""
    try:
        if sys.stderr:
            print(text, file=sys.stderr)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: TextIO) -> None:
    """Send what is still to come, and what a stream has not got rid of, nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _day(given: str | None) -> dt.date:
    """Return the day that was given, or today."""
    try:
        return dt.date.fromisoformat(given) if given else dt.datetime.now(tz=dt.UTC).date()
    except ValueError:
        _stop(2, "A day is needed, such as 2026-01-31.")


def _created() -> str | None:
    """Return the time that SOURCE_DATE_EPOCH asks for, as reproducible-builds.org specifies it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    if not re.fullmatch("[0-9]{1,11}", epoch):
        _stop(2, "SOURCE_DATE_EPOCH must be a whole number of seconds since 1970.")
    return dt.datetime.fromtimestamp(int(epoch), tz=dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def main() -> int:
    """Run the command line and return its exit code; a fault of this program is one line and exit code 70."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.flags.optimize > 1:
        _warn("Python leaves out docstrings (-OO, PYTHONOPTIMIZE=2), and the package is made from them too.")
        return 2
    code = 1
    try:
        code = _run()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
    except OSError as error:
        _silence(sys.stdout)
        _warn(f"The file system refused: {error.strerror or type(error).__name__}.")
        return 3
    except ModuleNotFoundError as error:
        _warn(f"{error.name} is not installed. Whoever builds a package needs `pip install 'defectors-data[build]'`.")
        return 70
    except Exception as error:  # noqa: BLE001  # the last line of defence
        _warn(f"defectors-data has a fault ({type(error).__name__}). Please report it.")
        return 70
    return code


def asked_for(words: list[str]) -> typer.Typer:
    """Return the command line with the one command that the words begin with: making all the others takes time.

    Whatever else they begin with, an option or a word that is mistyped, all of them are there to be told of.
    """
    commands = app.registered_commands
    only = copy.copy(app)
    only.registered_commands = [c for c in commands if [c.name or _name(c.callback)] == words[:1]] or commands
    return only


def _name(command: Callable[..., object] | None) -> str:
    return command.__name__ if command else ""


def _run() -> int:
    """Run the command line; typer ends every command with `SystemExit`."""
    try:
        asked_for(sys.argv[1:])()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
