"""The commands for publishers: `init`, `build`, `shard`, `schema`, `zip`, `takedown` and `reanchor`."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from defectors_data.cli import arguments, rule_summary
from defectors_data.cli.arguments import OUT_HELP, ROOT_HELP, RULES_HELP, Jobs, Root, Without
from defectors_data.cli.output import (
    Ends,
    ExitStatus,
    Verbosity,
    inform,
    publishing_errors,
    report,
    say,
    shown,
    steps,
    stop,
    stop_on,
    warn,
)
from defectors_data.corpus import findings as f
from defectors_data.models.closed_vocabularies import TakedownReason

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from defectors_data.corpus.reader import CorpusReader
    from defectors_data.executors import Executor
    from defectors_data.publishers.takedown import OnChanged, PublishedLine, TakedownPlan


_EXAMPLE = Path(__file__).parents[1] / "example"
"""The corpus that `init` writes. Dot files are named with `dot-` in place of the dot, so that no tool ignores them."""


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that does not exist yet, or is empty.")],
) -> None:
    """Start a corpus of your own, from an annotated example.

    The example is an invented article. It passes `check` and can be built.
    """
    from defectors_data.package import atomic_publication, published_folder  # noqa: PLC0415

    if published_folder.exists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        stop(2, f"{folder} is not an empty folder: choose another folder. Nothing was written.")
    files = sorted(path for path in _EXAMPLE.rglob("*") if path.is_file())
    for path in files:
        atomic_publication.save(folder / path.relative_to(_EXAMPLE).as_posix().replace("dot-", "."), path.read_bytes())
    inform(f"{shown(folder)}: {len(files)} files written. Next: defectors-data check --root {shown(folder)}")


def build(
    root: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help=f"{ROOT_HELP} With --scheduler, also an address: s3://bucket/corpus."),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help=f"{OUT_HELP} With --scheduler, also an address.")
    ] = None,
    every_rule: Annotated[bool, typer.Option("--rules", help=RULES_HELP)] = False,
    jobs: Jobs = None,
    without: Without = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Build on a Dask cluster: the address of its scheduler, such as tcp://10.0.0.1:8786, or `local` for "
            "--jobs worker processes on this machine. See docs/publishers/scale.md.",
        ),
    ] = None,
    change_ids: Annotated[
        bool,
        typer.Option(
            "--change-ids",
            help="Allow ids that were never released to be removed, or to get different words or places.",
        ),
    ] = False,
) -> None:
    """Check everything, and publish if there are no findings."""
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.build import build as run  # noqa: PLC0415
    from defectors_data.cli import progress  # noqa: PLC0415
    from defectors_data.distributed import object_store  # noqa: PLC0415
    from defectors_data.package import published_folder  # noqa: PLC0415
    from defectors_data.publishers import release_register  # noqa: PLC0415

    if not scheduler and any(object_store.is_address(place) for place in (root, out) if place):
        stop(2, "An address requires --scheduler; otherwise, give a folder.")
    if scheduler and jobs and scheduler != "local":
        stop(2, "--jobs requires `--scheduler local`: a running cluster has its own workers.")
    options = pipeline.Options(without=frozenset(without or ()))
    with stop_on(_build_errors()), steps() as step, ExitStack() as stack:
        folder, target, published = _places(root, out, stack)
        arguments.clear_unfinished(folder)
        corpus = arguments.corpus(folder)
        step("Reading and checking")
        damaged: list[published_folder.DamagedPackageError] = []
        built = run(
            corpus,
            target,
            options,
            executor=_executor(corpus, scheduler, jobs, stack),
            created=arguments.created(),
            review=partial(
                release_register.review,
                corpus=corpus,
                replaced=target,
                change_ids=change_ids,
                on_damaged=damaged.append,
            ),
            on_progress=progress.rate(step),
        )
        if object_store.is_address(published) and built.outcome:
            step("Uploading")
            object_store.upload(target, published)
    named = root if root and object_store.is_address(root) else folder
    for error in damaged:
        warn(f"{shown(error.path)} {error.problem}. Ids and version were not compared with {shown(published)}.")
    report(built.checked.findings, named, rules=built.checked.rules)
    for warning in built.warnings:
        warn(f"Published, with a warning: {warning}")
    context = built.checked.context
    assert context  # noqa: S101  # there are no findings
    start = "index.html" if (target / "index.html").is_file() else "README.md"
    counts = ", ".join(rule_summary.counts(built.checked.rules, rule_summary.RECORDS))
    what = f"version {context.dataset.content.version}: {counts}"
    inform(f"{shown(published)}: {built.outcome} ({what}). Open {shown(published)}/{start}", best_effort=True)
    listed = rule_summary.table(built.checked.rules) if every_rule else ()
    for line in (*built.advice, *listed, *rule_summary.summary(built.checked.rules, verbose=Verbosity.verbose)):
        inform(f.printable(line), best_effort=True)


def _places(root: str | None, out: str | None, stack: ExitStack) -> tuple[Path, Path, str]:
    """Return the folder of the corpus, the folder to build, and the folder or address to publish to.

    A corpus at an address is downloaded to a temporary folder. To publish to an address, a temporary folder is built.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # slow to import

    from defectors_data.distributed import object_store  # noqa: PLC0415

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
    """Return an executor for this machine or for a Dask cluster."""
    if not scheduler:
        return arguments.executor(corpus, jobs)
    from defectors_data.distributed import dask_executor  # noqa: PLC0415

    return stack.enter_context(dask_executor.cluster(scheduler, jobs or arguments.cores()))


def _build_errors() -> Ends:
    """Return the exit code and message for each error of a build."""
    from defectors_data.distributed import dask_executor, object_store  # noqa: PLC0415

    return {
        object_store.UnreachableError: ExitStatus(2, lambda error: f"{error} Nothing was published."),
        dask_executor.ClusterError: ExitStatus(3, lambda error: f"Nothing was published: {error}."),
        **publishing_errors("nothing was published"),
    }


def shard(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder to write the shards to. It must not exist yet.")
    ],
    root: Root = None,
    size: Annotated[int, typer.Option(min=1, metavar="N", help="Sources per shard.")] = 2000,
) -> None:
    """Write the corpus as shards: JSON Lines and Parquet.

    Sources are written in the order of their ids.
    """
    from defectors_data.cli import progress  # noqa: PLC0415
    from defectors_data.publishers import shard_writer  # noqa: PLC0415

    folder = arguments.project(root)
    arguments.keep_apart(folder, out, also=("dist",))
    # `samefile`, because the same folder may have another spelling or be reached by a link.
    if out.exists() and out.samefile(folder):
        stop(1, f"{shown(out)} is the project itself: choose another folder. Nothing was written.")
    if out.exists():
        stop(2, f"{out} already exists, and was not changed.")
    with stop_on(publishing_errors("nothing was written")), steps() as step:
        arguments.clear_unfinished(folder)
        done = shard_writer.write_shards(folder, out, size=size, on_progress=progress.rate(step))
    report(done.findings, folder)
    shards = f"{done.shards} shard{'' if done.shards == 1 else 's'}"
    inform(f"{shown(out)}: {done.sources} sources in {shards}", best_effort=True)


def schema(
    root: Root = None,
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with code 1 if a file differs.")
    ] = False,
) -> None:
    """Write the schemas of files and tables to schema/."""
    from defectors_data.models import schemas  # noqa: PLC0415
    from defectors_data.package import atomic_publication  # noqa: PLC0415

    folder = arguments.project(root) / "schema"
    files = schemas.files()
    current = {name: (folder / name).read_bytes() for name in files if (folder / name).is_file()}
    differing = [name for name, data in files.items() if current.get(name) != data]
    if only_check:
        for name in differing:
            say(f"{shown(folder / name)}: differs from the models; run `defectors-data schema`.")
        raise typer.Exit(1 if differing else 0)
    atomic_publication.recover(folder.parent / "dist")
    for name in differing:
        atomic_publication.save(folder / name, files[name])
    inform(f"{shown(folder)}: {len(differing)} written, {len(files)} in all")


def pack(
    root: Root = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder to write to. Default: build/ of the project.")
    ] = None,
) -> None:
    """Pack dist/ into a reproducible zip file."""
    from defectors_data.package import atomic_publication, published_folder  # noqa: PLC0415

    folder = arguments.project(root)
    arguments.keep_apart(folder, out or folder / "build", also=("dist",))
    atomic_publication.recover(folder / "dist")
    name, content = published_folder.archive(folder / "dist")
    target = (out or folder / "build") / name
    atomic_publication.save(target, content)
    inform(f"{shown(target)}: {len(content):,} bytes")


def takedown(
    record: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a testimony, figure, mention, waiver, speaker or source.")
    ],
    reason: Annotated[
        TakedownReason,
        typer.Option(
            metavar="person|safety|rights|law|error", help="The reason; docs/publishers/takedown.md explains each."
        ),
    ],
    root: Root = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help=OUT_HELP)] = None,
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The day of the removal. Default: today, in UTC.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be removed; change nothing.")] = False,
    jobs: Jobs = None,
    without: Without = None,
) -> None:
    """Remove a record and what depends on it, and publish.

    A tombstone for each removed record is left in the annotations and in the package.
    """
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.cli import progress  # noqa: PLC0415
    from defectors_data.package import atomic_publication  # noqa: PLC0415
    from defectors_data.publishers import removal  # noqa: PLC0415
    from defectors_data.publishers import takedown as records  # noqa: PLC0415

    folder = arguments.project(root)
    target = out or folder / "dist"
    arguments.keep_apart(folder, target)
    if dry_run:
        _preview(folder, target, record, reason, arguments.day(date), jobs)
        return
    atomic_publication.recover(target)
    completed = complete_update(folder)
    planned: TakedownPlan | None = None
    with _stop_on_errors(folder, record) as on_changed, steps() as step:
        try:
            planned, built = records.take_down(
                folder,
                target,
                record,
                reason=reason,
                day=arguments.day(date),
                options=pipeline.Options(without=frozenset(without or ())),
                executor=arguments.executor(arguments.corpus(folder), jobs),
                created=arguments.created(),
                on_changed=on_changed,
                on_progress=progress.rate(step),
            )
        except removal.RecordNotFoundError:
            if not completed:
                raise
    if planned is None:  # the interrupted takedown was of this record, and is now complete
        build(str(folder), str(target), jobs=jobs, without=without)
        return
    _report_obstacles(planned, folder)
    if built and built.checked.findings:
        warn("The annotations were changed. Fix these findings, then publish with `defectors-data build`.")
        report(built.checked.findings, folder)
    for warning in built.warnings if built else ():
        warn(f"Published, with a warning: {warning}")
    if built:
        inform(f"{shown(target)}: {built.outcome}. Raise `version` in dataset.yaml.", best_effort=True)
    _show_left(planned, folder)


def reanchor(
    seed: Annotated[str, typer.Argument(metavar="SEED", help=arguments.ANY_SEED, autocompletion=arguments.seeds)],
    new: Annotated[
        Path,
        typer.Argument(metavar="NEW", exists=True, dir_okay=False, help="A file with the corrected article."),
    ],
    root: Root = None,
    write: Annotated[bool, typer.Option("--write", help="Replace the seed, and edit its annotation file.")] = False,
) -> None:
    """Show where the evidence is in a corrected article.

    Evidence whose place in the new text is uncertain is left to you: after --write, `check` reports it until you have
    decided. The exit code is 1 if there is any such evidence.
    """
    from defectors_data import given_files  # noqa: PLC0415
    from defectors_data.corpus import file_tree  # noqa: PLC0415  # slow to import
    from defectors_data.edits import yaml_editor  # noqa: PLC0415
    from defectors_data.publishers import corrected_articles  # noqa: PLC0415

    folder = arguments.project(root)
    if write:
        complete_update(folder)
    arguments.refuse_half_done(folder)
    document = arguments.documents(folder, seed)[0]
    report(document.anchoring_findings, folder)
    if document.file.is_line or document.content.withdrawn:
        reason = "is a line of a shard" if document.file.is_line else "has withdrawn words, which a new text may repeat"
        stop(1, f"{shown(folder / document.file.file)} {reason}: edit it by hand. Nothing was changed.")
    with stop_on({given_files.GivenFileError: ExitStatus(1, lambda error: f"{error} Nothing was changed.")}):
        data = given_files.read(new)
    text, findings = file_tree.seed_text(data, shown(new))
    report(findings, ".")
    edited: Ends = {yaml_editor.UneditableTextError: ExitStatus(1, lambda _: _NOT_EDITED)}
    with stop_on({**edited, **takedown_errors(_UNCHANGED)}):
        planned = corrected_articles.plan(document, text or "", hashlib.sha256(data).hexdigest())
        if write:
            corrected_articles.replace_seed(folder, document, planned, data)
    for line in corrected_articles.lines(planned, shown(folder / document.file.file)):
        say(f.printable(line), best_effort=True)
    in_doubt = sum(piece.is_in_doubt for piece in planned.pieces)
    if write:
        inform(f"{shown(folder / document.seed)} and its annotations: written. Next: defectors-data check")
    else:
        inform("Nothing was changed. --write replaces the seed and edits its annotation file.")
    raise typer.Exit(1 if in_doubt else 0)


_NOT_EDITED = (
    "The annotation file cannot be edited without loss, for example of a comment inside a part of evidence: write such "
    "parts on one line. Nothing was changed."
)


def complete_update(folder: Path) -> bool:
    """Complete an interrupted update of the corpus, and return whether there was one."""
    from defectors_data.corpus import file_tree  # noqa: PLC0415
    from defectors_data.edits import atomic_update  # noqa: PLC0415

    with stop_on(takedown_errors(_UNCHANGED)):
        atomic_update.recover(folder)
        if not file_tree.is_half_done(folder):
            return False
        with atomic_update.locked(folder):
            changed = atomic_update.complete(folder)
    files = "1 file was" if len(changed) == 1 else f"{len(changed)} files were"
    inform(f"The interrupted command is now complete: {files} changed.", best_effort=True)
    return True


_UNCHANGED = "nothing was changed"
_CHANGED = "nothing was published (the annotations are changed: `defectors-data build` publishes them)"


@contextmanager
def _stop_on_errors(folder: Path, record: str) -> Iterator[OnChanged]:
    """Stop the command if a takedown fails; yield a callback to call once the annotations have been changed."""
    nothing = _UNCHANGED

    def on_changed(planned: TakedownPlan) -> None:
        nonlocal nothing
        nothing = _CHANGED
        for line in _removals(planned, ""):
            say(line, best_effort=True)

    try:
        yield on_changed
    except Exception as error:
        # Only now is it known what was done, and so which messages are true.
        with stop_on(takedown_errors(nothing, folder, record)):
            raise error from None
    except BaseException:
        if nothing == _CHANGED:
            warn(f"{_CHANGED.capitalize()}.")
        raise


def _preview(folder: Path, target: Path, record: str, reason: TakedownReason, day: dt.date, jobs: int | None) -> None:
    """Show what a takedown would remove."""
    from defectors_data.publishers import takedown as records  # noqa: PLC0415

    arguments.refuse_half_done(folder)
    executor = arguments.executor(arguments.corpus(folder), jobs)
    errors = takedown_errors(_UNCHANGED, folder, record)
    plan = records.plan(folder, record, reason=reason, day=day, executor=executor, out=target)
    # The context manager removes the new files of the plan, which only a takedown needs.
    with stop_on(errors), plan as planned:
        pass
    _report_obstacles(planned, folder)
    for line in _removals(planned, "would be "):
        say(line, best_effort=True)
    _show_left(planned, folder)
    inform("Nothing was changed.")


def _removals(planned: TakedownPlan, would_be: str) -> Iterator[str]:
    """Yield a line for each record that a takedown removes, and for each file that it changes."""
    for stone in planned.tombstones:
        yield f"{stone.table}/{stone.id}: {would_be}removed"
    for changed in planned.files:
        if changed.removed:
            yield f"{changed.file}: {would_be}removed"
        elif changed.records:
            yield f"{changed.file}: {would_be}changed, without {changed.records} of its entries"
        else:
            yield f"{changed.file}: {would_be}changed"


def _report_obstacles(planned: TakedownPlan, folder: Path) -> None:
    """Show the findings that prevent a takedown, and stop; do nothing if there are none."""
    if not planned.findings:
        return
    advice = "Fix these findings, or set aside the edits that cause them (`git stash -u`); then run takedown again."
    if planned.tombstones:
        advice = "Without the record, there would be these findings. Edit these places; then run takedown again."
    try:
        report(planned.findings, folder)
    finally:
        warn(f"Nothing was changed. {advice}")


def _show_left(planned: TakedownPlan, folder: Path) -> None:
    """Show the new articles that a takedown leaves out, and where a removed name or id still occurs."""
    if planned.left_out:
        files = ", ".join(shown(folder / file) for file in planned.left_out)
        warn(f"These new articles have findings, so takedown neither changes nor publishes them: {files}")
    _show_printed(planned.printed, folder)
    if planned.may_be_meant:
        warn("A first name or the initials are still found in these lines; edit those that mean the person:")
        _show_lines(planned.may_be_meant, folder)


def _show_printed(printed: Sequence[PublishedLine], folder: Path) -> None:
    """Show where the surname of the removed person or a removed id is still found, and how to remove it."""
    if not printed:
        return
    warn("The surname, a removed id or removed words are still found in:")
    _show_lines(printed, folder)
    if ids := dict.fromkeys(each.record_id for each in printed if each.record_id and each.table != "sources"):
        warn(f"Run takedown for these records to remove them: {' '.join(ids)}")
    if any(each.table in (None, "sources") for each in printed):
        warn("Edit by hand the lines that belong to a source or to no record.")
    if any(each.file == "README.md" or each.file.startswith("docs/") for each in printed):
        warn("In this project's repository, `make docs` generates parts of README.md and docs/.")


def _show_lines(printed: Sequence[PublishedLine], folder: Path) -> None:
    for each in printed[: f.MOST_SHOWN]:
        record = f": {each.table}/{each.record_id}" if each.record_id else ""
        warn(f"  {shown(folder / each.file)}, line {each.line}{record}")
    if len(printed) > f.MOST_SHOWN:
        warn(f"  and {len(printed) - f.MOST_SHOWN} more lines")


def takedown_errors(nothing: str, folder: Path | None = None, record: str = "") -> Ends:
    """Return the exit code and message for each takedown error; `folder` and `record` are used to suggest an id."""
    from defectors_data.edits import atomic_update  # noqa: PLC0415
    from defectors_data.publishers import removal  # noqa: PLC0415

    return {
        atomic_update.LinkedFileError: ExitStatus(1, lambda error: f"{error}; {nothing}."),
        atomic_update.EditedFileError: ExitStatus(1, lambda error: f"{error}; {nothing}."),
        atomic_update.IncompleteUpdateError: ExitStatus(
            3, "The command was interrupted: {}. Run it again to complete it.".format
        ),
        removal.RecordNotFoundError: ExitStatus(1, lambda _: _no_record(nothing, folder, record)),
        removal.TakedownBlockedError: ExitStatus(1, lambda error: f"{error}; {nothing}."),
        **publishing_errors(nothing),
    }


def _no_record(nothing: str, folder: Path | None, record: str) -> str:
    from defectors_data.text.similar_words import did_you_mean  # noqa: PLC0415

    corpus = arguments.corpus(folder) if folder else None
    context = corpus.context[0] if corpus else None
    if gone := next((stone for stone in context.tombstones if stone.id == record), None) if context else None:
        return f"{record} was already removed, on {gone.date} (reason: {gone.reason}); {nothing}."
    ids: set[str] = set()
    # A suggestion requires all ids, which take too long to collect in a large corpus.
    if folder and corpus and corpus.count(arguments.SMALL) <= arguments.SMALL:
        ids = {name for document in arguments.documents(folder) for name in document.tables}
    hint = did_you_mean(record, ids) or (
        "If the record was already removed, `defectors-data build` publishes the rest.",
    )
    return " ".join([f"No record has this id; {nothing}.", *hint])
