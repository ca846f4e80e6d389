"""The commands of those who keep a corpus: publish it, put it into parts, pack it, take something out of it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from defectors_data.cli import arguments
from defectors_data.cli import summary as said
from defectors_data.cli.arguments import Jobs, Root, Without
from defectors_data.cli.output import (
    End,
    Ends,
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
    warn,
)
from defectors_data.corpus import findings as f

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from defectors_data.corpus.reader import CorpusReader
    from defectors_data.executors import Executor
    from defectors_data.models.annotation import Tombstone
    from defectors_data.models.vocabularies import TakedownReason
    from defectors_data.release.takedown import OnChanged, Plan, Printed


class Reason(StrEnum):
    """Why something is taken out; the closed vocabulary of tombstones."""

    person = "person"
    safety = "safety"
    rights = "rights"
    law = "law"
    error = "error"


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
    without: Without = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Have the corpus built by a Dask cluster: the address of its scheduler, such as "
            "tcp://10.0.0.1:8786, or `local` for --jobs worker processes of this machine. "
            "See docs/publishers/scale.md.",
        ),
    ] = None,
) -> None:
    """Check everything, then publish to dist/; any finding, and nothing is published."""
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.build import build as run  # noqa: PLC0415
    from defectors_data.cli import terminal  # noqa: PLC0415
    from defectors_data.package import object_store  # noqa: PLC0415

    if not scheduler and any(object_store.is_address(place) for place in (root, out) if place):
        stop(2, "An address is for --scheduler; without it, give a folder.")
    if scheduler and jobs and scheduler != "local":
        stop(2, "--jobs is for `--scheduler local`: a cluster has the workers that it has.")
    options = pipeline.Options(without=frozenset(without or ()))
    with stopping(_ends_of_building()), steps() as step, ExitStack() as stack:
        folder, target, published = _places(root, out, stack)
        arguments.clear_unfinished_takedown(folder)
        corpus = arguments.corpus(folder)
        step("Reading and checking")
        built = run(
            corpus,
            target,
            options,
            executor=_executor(corpus, scheduler, jobs, stack),
            created=arguments.created(),
            on_progress=terminal.passing(step),
        )
        if object_store.is_address(published) and built.outcome:
            step("Uploading")
            object_store.upload(target, published)
    report(
        built.checked.findings, root if root and object_store.is_address(root) else folder, rules=built.checked.rules
    )
    for warning in built.warnings:
        warn(f"Published, but: {warning}")
    tell(f"{at(published)}: {built.outcome}", whatever=True)
    listed = said.table(built.checked.rules) if every_rule else ()
    for line in (*built.advice, *listed, *said.summary(built.checked.rules)):
        tell(f.printable(line), whatever=True)


def _places(root: str | None, out: str | None, stack: ExitStack) -> tuple[Path, Path, str]:
    """Return the folder of the corpus, the folder to publish to, and how the latter was given.

    An address is stood for by a temporary folder, into which a corpus is copied.
    """
    from defectors_data.package import object_store  # noqa: PLC0415

    def temporary() -> Path:
        return Path(stack.enter_context(TemporaryDirectory(prefix="defectors-data-")))

    if root and object_store.is_address(root):
        folder = temporary()
        published = out or f"{root.rstrip('/')}/dist"
        arguments.keep_addresses_apart(root, published)
        object_store.download(root, folder)
    else:
        folder = arguments.project(object_store.folder_of(root) if root else None)
        published = out or str(folder / "dist")
    if object_store.is_address(published):
        object_store.refuse_full(published)
        return folder, temporary() / "dist", published
    target = object_store.folder_of(published) if "://" in published else Path(published)
    arguments.keep_apart(folder, target)
    return folder, target, str(target)


def _executor(corpus: CorpusReader, scheduler: str | None, jobs: int | None, stack: ExitStack) -> Executor:
    """Return what maps work over the batches: processes of this machine, or a Dask cluster."""
    if not scheduler:
        return arguments.executor(corpus, jobs)
    from defectors_data import dask_executor  # noqa: PLC0415

    return stack.enter_context(dask_executor.cluster(scheduler, jobs or arguments.cores()))


def _ends_of_building() -> Ends:
    """Return how a command ends that is kept from building."""
    from defectors_data import dask_executor  # noqa: PLC0415
    from defectors_data.package import object_store  # noqa: PLC0415

    nothing = "nothing was published"
    return {
        object_store.NotReached: End(2, lambda error: f"{error} Nothing was published."),
        dask_executor.Lost: End(3, lambda error: f"Nothing was published: {error}."),
        **of_publishing(nothing),
        **of_writing(nothing),
    }


def shard(
    out: Annotated[Path, typer.Option(help="The folder that the shards are written to; a new one.")],
    root: Root = None,
    size: Annotated[int, typer.Option(min=1, help="Sources in a shard.")] = 2000,
) -> None:
    """Write a corpus as shards: sources and their texts together, in the order of ids."""
    from defectors_data.cli import terminal  # noqa: PLC0415
    from defectors_data.release import shard_writer  # noqa: PLC0415

    folder = arguments.project(root)
    arguments.keep_apart(folder, out, also=("dist",))
    if out.exists() and out.samefile(folder):
        stop(1, f"{shown(out)} is the project itself: give another place. Nothing was written.")
    if out.exists():
        stop(2, f"{out} is there already, and is left as it is.")
    nothing = "nothing was written"
    with stopping(of_publishing(nothing) | of_writing(nothing)), steps() as step:
        arguments.clear_unfinished_takedown(folder)
        done = shard_writer.write_shards(folder, out, size=size, on_progress=terminal.passing(step))
    report(done.findings, folder)
    shards = f"{done.shards} shard{'' if done.shards == 1 else 's'}"
    tell(f"{shown(out)}: {done.sources} sources in {shards}", whatever=True)


def schema(
    root: Root = None,
    only_check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 where a file differs.")] = False,
) -> None:
    """Write schema/ from the models: JSON Schemas for the YAML, Table Schemas for the tables."""
    from defectors_data.models import json_schema  # noqa: PLC0415
    from defectors_data.package import filesystem, publication  # noqa: PLC0415

    folder = arguments.project(root) / "schema"
    files = json_schema.files()
    stale = [name for name in json_schema.DROPPED if (folder / name).is_file()]
    differing = [
        name for name, data in files.items() if not (folder / name).is_file() or (folder / name).read_bytes() != data
    ]
    if only_check:
        for name in [*differing, *stale]:
            say(f"{shown(folder / name)}: differs from the models; run `defectors-data schema`.")
        raise typer.Exit(1 if differing or stale else 0)
    publication.recover(folder.parent / "dist")
    for name in differing:
        publication.save(folder / name, files[name])
    for name in stale:
        filesystem.remove_file(folder / name)
    tell(f"{shown(folder)}: {len(differing)} written, {len(stale)} removed, {len(files)} in all")


def pack(
    root: Root = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write to. Default: build/ of the project.")] = None,
) -> None:
    """Pack the published dist/ into one zip, the same bytes wherever it is packed."""
    from defectors_data.package import folders, publication  # noqa: PLC0415

    folder = arguments.project(root)
    arguments.keep_apart(folder, out or folder / "build")
    publication.recover(folder / "dist")
    try:
        name, content = folders.archive(folder / "dist")
    except folders.NotWhole:
        stop(1, f"{shown(folder / 'dist')} is not just what its SHA256SUMS lists. Run `defectors-data build`.")
    target = (out or folder / "build") / name
    publication.save(target, content)
    tell(f"{shown(target)}: {len(content):,} bytes")


def takedown(
    record: Annotated[str, typer.Argument(help="The id of a testimony, figure, mention, waiver, speaker or source.")],
    reason: Annotated[Reason, typer.Option(help="Why, by class; docs/publishers/takedown.md says what each means.")],
    root: Root = None,
    out: Annotated[Path | None, typer.Option(help="The folder to publish to. Default: dist/ of the project.")] = None,
    date: Annotated[str | None, typer.Option(help="The day it is taken out. Default: today, in UTC.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and change nothing.")] = False,
    jobs: Jobs = None,
    without: Without = None,
) -> None:
    """Take a record and all that rests on it out of the annotations, and publish; a tombstone is left."""
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.cli import terminal  # noqa: PLC0415
    from defectors_data.package import publication  # noqa: PLC0415
    from defectors_data.release import removal  # noqa: PLC0415
    from defectors_data.release import takedown as records  # noqa: PLC0415

    folder = arguments.project(root)
    target = out or folder / "dist"
    arguments.keep_apart(folder, target)
    if dry_run:
        _foresee(folder, record, reason.value, arguments.day(date), jobs)
        return
    publication.recover(target)
    completed = _complete(folder)
    planned: Plan | None = None
    with _stopping_takedown() as on_changed, steps() as step:
        try:
            planned, built = records.take_down(
                folder,
                target,
                record,
                reason=reason.value,
                day=arguments.day(date),
                options=pipeline.Options(without=frozenset(without or ())),
                executor=arguments.executor(arguments.corpus(folder), jobs),
                created=arguments.created(),
                on_changed=on_changed,
                on_progress=terminal.passing(step),
            )
        except removal.NoRecord:
            if not completed:
                raise
    if planned is None:  # it was taken out when the interrupted takedown was completed
        build(str(folder), str(target), jobs=jobs, without=without)
        return
    report(planned.findings, folder)
    if built and built.checked.findings:
        warn("The annotations are changed. Fix these findings; then `defectors-data build` publishes them.")
        report(built.checked.findings, folder)
    for warning in built.warnings if built else ():
        warn(f"Published, but: {warning}")
    if built:
        tell(f"{shown(target)}: {built.outcome}. Raise `version` in dataset.yaml.", whatever=True)
    _say_what_is_printed(planned.printed, folder)
    _say_what_is_to_be_generated(folder, {record, *(stone.id for stone in planned.tombstones)})


def _complete(folder: Path) -> bool:
    """Complete a takedown that was interrupted; return whether there was one."""
    from defectors_data.corpus import files  # noqa: PLC0415
    from defectors_data.release import corpus_update  # noqa: PLC0415

    with stopping(_of_taking_out(_UNCHANGED) | of_publishing(_UNCHANGED) | of_writing(_UNCHANGED)):
        corpus_update.recover(folder)
        if not files.is_half_done(folder):
            return False
        with corpus_update.locked(folder):
            changed = corpus_update.complete(folder)
    tell(f"The takedown that was interrupted is complete: {len(changed)} files are changed.", whatever=True)
    return True


_UNCHANGED = "nothing was changed"
_TAKEN_BEFORE = "If it was taken out already, `defectors-data build` publishes the rest."
_CHANGED = "nothing was published (the annotations are changed: `defectors-data build` publishes them)"


@contextmanager
def _stopping_takedown() -> Iterator[OnChanged]:
    """End a takedown with a sentence where something keeps it from its work; give what is called halfway through it."""
    state = [_UNCHANGED]

    def on_changed(tombstones: Sequence[Tombstone]) -> None:
        state.append(_CHANGED)
        for stone in tombstones:
            say(f"{stone.table}/{stone.id}: taken out", whatever=True)

    try:
        yield on_changed
    except Exception as error:
        nothing = state[-1]
        with stopping(_of_taking_out(nothing) | of_publishing(nothing) | of_writing(nothing)):
            raise error from None
    except BaseException:
        if state[-1] == _CHANGED:
            warn(f"{_CHANGED.capitalize()}.")
        raise


def _foresee(folder: Path, record: str, reason: TakedownReason, day: dt.date, jobs: int | None) -> None:
    """Say what a takedown would take out."""
    from defectors_data.release import takedown as records  # noqa: PLC0415

    arguments.refuse_unfinished_takedown(folder)
    ends = _of_taking_out(_UNCHANGED) | of_writing(_UNCHANGED)
    executor = arguments.executor(arguments.corpus(folder), jobs)
    with stopping(ends), records.plan(folder, record, reason=reason, day=day, executor=executor) as planned:
        pass
    report(planned.findings, folder)
    for stone in planned.tombstones:
        say(f"{stone.table}/{stone.id}: would be taken out", whatever=True)
    _say_what_is_printed(planned.printed, folder)
    tell("Nothing was changed.")


def _say_what_is_printed(printed: Sequence[Printed], folder: Path) -> None:
    """Say where the surname of a person who was taken out is printed, and how that can be removed."""
    if not printed:
        return
    warn("The surname is still printed in:")
    for each in printed[: f.MOST_SHOWN]:
        record = f": {each.table}/{each.record_id}" if each.record_id else ""
        warn(f"  {shown(folder / each.file)}, line {each.line}{record}")
    if len(printed) > f.MOST_SHOWN:
        warn(f"  and {len(printed) - f.MOST_SHOWN} more lines")
    if ids := dict.fromkeys(each.record_id for each in printed if each.record_id and each.table != "sources"):
        warn(f"Run takedown for these records to remove them: {' '.join(ids)}")
    if any(each.table in (None, "sources") for each in printed):
        warn("Lines of sources and of other files without a record are changed by hand.")


def _say_what_is_to_be_generated(folder: Path, ids: set[str]) -> None:
    """Say which pages name what was taken out, and the command that generates them."""
    from defectors_data.release import takedown as of_files  # noqa: PLC0415  # what the other commands do not pay for

    if pages := of_files.pages_naming(folder, ids):
        say(f"{', '.join(pages)}: names what was taken out. Run `make docs`.", whatever=True)
        if "docs/developers/grade.md" in pages:
            say("docs/developers/grade.md is generated by `make grade`.", whatever=True)


def _of_taking_out(nothing: str) -> Ends:
    """Return how a command ends that is kept from taking something out."""
    from defectors_data.release import corpus_update, removal  # noqa: PLC0415

    return {
        corpus_update.Linked: End(1, lambda error: f"{error}; {nothing}."),
        corpus_update.Edited: End(1, lambda error: f"{error}; {nothing}."),
        corpus_update.Interrupted: End(3, "The takedown was interrupted: {}. Run it again to complete it.".format),
        removal.NoRecord: End(1, lambda _: f"No record has this id; {nothing}. {_TAKEN_BEFORE}"),
        removal.InTheWay: End(1, lambda error: f"{error}; {nothing}."),
    }
