"""What commands do for a corpus in parts: check it, publish it, look through what was published of it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from defectors_data import findings as f
from defectors_data import terminal
from defectors_data.cli import given, halfway
from defectors_data.cli.saying import (
    End,
    Ends,
    Format,
    at,
    of_publishing,
    of_writing,
    report,
    say,
    shown,
    steps,
    stop,
    stopping,
    tell,
    tell_rules,
    warn,
)

if TYPE_CHECKING:
    import datetime as dt

    from defectors_data.bulk import Seen
    from defectors_data.excising import Excised
    from defectors_data.judging import Asked
    from defectors_data.releasing import Released
    from defectors_data.vocabularies import TakedownReason


def check(
    folder: Path, files: list[Path], style: Format, jobs: int | None, without: Collection[str], *, every_rule: bool
) -> None:
    """Check a corpus of parts as its sources pass by."""
    from defectors_data import bulk, examining  # noqa: PLC0415

    with steps() as step:
        asked = _asked(without)._replace(tables=False)
        seen = bulk.examine(folder, asked, jobs=jobs or given.cores(), told=terminal.passing(step))
    wanted = {name for file in files for name in given.checked(folder, file)}
    found = [
        item for item in seen.examined.findings if not wanted or {item.place.file, _pack(item.place.file)} & wanted
    ]
    listed = examining.table(seen.examined.rules) if every_rule else ()
    _say_what_was_not_seen(seen)
    report(found, folder, style, seen.examined.rules, listed)
    if seen.examined.findings:
        stop(1, f"No findings in these files; {len(seen.examined.findings)} in others.")
    if style is Format.text:
        tell(f"No findings: {seen.records} testimonies and figures in {seen.sources} sources stand in their seeds.")
        tell_rules(listed, seen.examined.rules)


def _pack(file: str) -> str:
    """Return the file in which a text is packed that is called like a file in a folder."""
    return file.rpartition("/")[0]


def _say_what_was_not_seen(seen: Seen) -> None:
    if seen.unseen:
        warn(f"{seen.unseen:,} lines more have a fault of their own and were not looked at closely. Mend these first.")


# ---- publishing --------------------------------------------------------------------------------------------

_NOTHING = "nothing was published"


def release(folder: Path, target: Path, jobs: int | None, without: Collection[str], *, every_rule: bool) -> None:
    """Publish a corpus of parts as its sources pass by."""
    from defectors_data import releasing  # noqa: PLC0415

    asked = _asked(without)
    with stopping(of_publishing(_NOTHING) | of_writing(_NOTHING)), steps() as step:
        halfway.take_back(folder)
        done = releasing.release(
            folder,
            target,
            asked,
            jobs=jobs or given.cores(),
            created=given.created(),
            told=terminal.passing(step),
        )
    _say_what_was_released(done, str(folder), str(target), every_rule=every_rule)


def take_down(
    folder: Path,
    out: Path,
    record: str,
    reason: TakedownReason,
    day: dt.date,
    jobs: int | None,
    without: Collection[str],
) -> Excised:
    """Take a record out of a corpus of parts, and publish the rest."""
    from defectors_data import excising  # noqa: PLC0415

    with steps() as step:
        return excising.take_down(
            folder,
            out,
            record,
            reason=reason,
            day=day,
            created=given.created(),
            asked=_asked(without),
            jobs=jobs or given.cores(),
            told=terminal.passing(step),
        )


def foresee(folder: Path, record: str, reason: TakedownReason, day: dt.date, without: Collection[str]) -> Excised:
    """Return what would be taken out of a corpus of parts."""
    from defectors_data import excising  # noqa: PLC0415

    return excising.foresee(folder, record, reason=reason, day=day, asked=_asked(without))


def distribute(
    root: str | None, out: str | None, scheduler: str, jobs: int | None, without: Collection[str], *, every_rule: bool
) -> None:
    """Publish a corpus of parts by a cluster; corpus and package may be at addresses."""
    from defectors_data import clusters, distributing, stores  # noqa: PLC0415

    if not (root and stores.is_address(root)):
        root = str(given.project(stores.folder_of(root) if root else None))
        if not given.is_bulk(Path(root)):
            stop(2, "--scheduler is for a corpus in parts: `defectors-data shard` makes one.")
    if jobs and scheduler != clusters.HERE:
        stop(2, "--jobs is for `--scheduler local`: a cluster has the workers that it has.")
    out = out or f"{root.rstrip('/')}/dist"
    if stores.is_address(root) or stores.is_address(out):
        given.keep_addresses_apart(root, out)
    else:
        given.keep_apart(stores.folder_of(root), stores.folder_of(out))
    engine = distributing.Engine(scheduler, jobs or given.cores())
    with stopping(_of_a_cluster()), steps() as step:
        if not stores.is_address(root):
            halfway.take_back(stores.folder_of(root))
        told = terminal.passing(step)
        done = distributing.release(root, out, _asked(without), engine, created=given.created(), told=told)
    _say_what_was_released(done, root, out, every_rule=every_rule)


def _of_a_cluster() -> Ends:
    """Return how a command ends whose cluster is kept from its work."""
    from defectors_data import clusters, package, portions, stores  # noqa: PLC0415

    published = of_publishing(_NOTHING)
    return {
        stores.NotReached: End(2, lambda error: f"{error} Nothing was published."),
        clusters.Lost: End(3, lambda error: f"Nothing was published: {error}."),
        **published,
        portions.NotAlike: published[package.NotValid],
        **of_writing(_NOTHING, refused="Writing was refused"),
    }


def _asked(without: Collection[str]) -> Asked:
    from defectors_data.judging import Asked  # noqa: PLC0415

    return Asked(
        ledger="ledger" not in without,
        provenance="provenance" not in without,
        rules="rules" not in without,
    )


def _say_what_was_released(done: Released, root: str, out: str, *, every_rule: bool) -> None:
    from defectors_data import examining  # noqa: PLC0415

    rules = done.seen.examined.rules
    _say_what_was_not_seen(done.seen)
    report(done.seen.examined.findings, root, Format.text, rules)
    for warning in done.warnings:
        warn(f"Published, but: {warning}")
    tell(f"{at(out)}: {done.outcome}", whatever=True)
    for line in (*(examining.table(rules) if every_rule else ()), *examining.summary(rules)):
        tell(f.printable(line), whatever=True)


# ---- into parts, and what was published of them ------------------------------------------------------------


def shard(folder: Path, out: Path, size: int) -> None:
    """Write a corpus anew in parts."""
    from defectors_data import ingesting  # noqa: PLC0415

    given.keep_apart(folder, out, also=("dist",))
    if out.exists() and out.samefile(folder):
        stop(1, f"{shown(out)} is the project itself: give another place. Nothing was written.")
    if out.exists():
        stop(2, f"{out} is there already, and is left as it is.")
    nothing = "nothing was written"
    with stopping(of_publishing(nothing) | of_writing(nothing)), steps() as step:
        halfway.take_back(folder)
        done = ingesting.ingest(folder, out, size=size, told=terminal.passing(step))
    report(done.findings, folder)
    tell(f"{shown(out)}: {done.sources} sources in {done.parts} part{'' if done.parts == 1 else 's'}", whatever=True)


def verify(folder: Path) -> NoReturn:
    """Validate a published package with DuckDB."""
    from defectors_data import sparing, validation  # noqa: PLC0415

    sparing.spare()
    try:
        report = validation.validate(folder)
    except ModuleNotFoundError as error:
        stop(2, f"`verify --fast` needs {error.name}: pip install 'defectors-data[build]'.")
    for fault in report.faults:
        say(f.printable(str(fault)))
    tell(f"Checked with DuckDB: {sum(report.rows.values()):,} rows in {len(report.rows)} tables.")
    raise typer.Exit(1 if report.faults else 0)
