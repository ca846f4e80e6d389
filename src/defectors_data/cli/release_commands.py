"""Commands for releases: differences, releases, corrected articles, takedowns and zips."""

from __future__ import annotations

import datetime as dt
import hashlib
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from defectors_data import build, given_files, pipeline
from defectors_data.cli import arguments, progress
from defectors_data.cli.arguments import (
    OUT_HELP,
    UNCHANGED,
    Jobs,
    Root,
    Seed,
    Style,
    Without,
    complete_update,
    takedown_errors,
)
from defectors_data.cli.output import (
    Ends,
    ExitStatus,
    Format,
    end,
    in_shell,
    inform,
    inform_of,
    publishing_errors,
    report,
    say,
    shown,
    steps,
    stop,
    stop_on,
    warn,
)
from defectors_data.corpus import file_tree
from defectors_data.corpus import findings as f
from defectors_data.documents import catalogues
from defectors_data.edits import yaml_editor
from defectors_data.models.closed_vocabularies import CorrectionReason, TakedownReason
from defectors_data.models.counts import counted
from defectors_data.models.diff import BREAKING
from defectors_data.package import atomic_publication, published_folder
from defectors_data.package.cells import MAX_CELLS_LISTED
from defectors_data.publishers import (
    change_report,
    changes,
    corrected_articles,
    new_release,
    release_register,
    removal,
)
from defectors_data.publishers import takedown as records
from defectors_data.publishers.new_release import NewRelease, NextVersion
from defectors_data.publishers.remaining_names import PublishedLine
from defectors_data.publishers.takedown import OnChanged, TakedownPlan
from defectors_data.readers import exports
from defectors_data.rows.citation_formats import RecordReference

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context
    from defectors_data.publishers.changes import PublishedPackage

PACKAGE_HELP = "A published folder, or a zip of one."


def diff(
    old: Annotated[
        Path | None,
        typer.Argument(metavar="OLD", help=f"{PACKAGE_HELP} Default: dist/ of the project."),
    ] = None,
    new: Annotated[
        Path | None,
        typer.Argument(
            metavar="NEW", help=f"{PACKAGE_HELP} Default: what a build would publish now."
        ),
    ] = None,
    root: Root = None,
    style: Style = "text",
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the changes as a self-contained HTML page."),
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Show which records differ between two packages, and how.

    The exit code is 1 if a record was removed without a tombstone, or an id has other words or
    another place.
    """
    if html:
        arguments.refuse_page(arguments.nearest(root), html)
    with ExitStack() as stack:
        before = stack.enter_context(changes.opened(old or arguments.project(root) / "dist"))
        if new:
            found = changes.compare(before, stack.enter_context(changes.opened(new)))
        else:
            next_package = _next_package(arguments.project(root), jobs, style)
            found = changes.compare(before, next_package)
    if html:
        atomic_publication.save(html, change_report.page(found).encode())
        inform(f"{shown(html)}: written", best_effort=True)
    if style == "json":
        say(found.model_dump_json(indent=2))
    else:
        for line in change_report.lines(found):
            say(f.printable(line))
    if any(change.kind in BREAKING for change in found.changes):
        raise typer.Exit(1)


def release(
    root: Root = None,
    first_release: Annotated[
        bool,
        typer.Option(
            "--first-release", help="Nothing was released before: start annotations/releases.jsonl."
        ),
    ] = False,
    next_version: Annotated[
        bool,
        typer.Option(
            "--next", help="First write the next version, today's date, and the changelog."
        ),
    ] = False,
    correct: Annotated[
        CorrectionReason | None,
        typer.Option(
            metavar="REASON",
            help="Like --next, and add `corrected` with this reason to each changed record: "
            f"{', '.join(get_args(CorrectionReason))}.",
        ),
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--check",
            metavar="TAG",
            help="Write nothing; exit with code 1 unless the tag, such as v1.0.0, names the "
            "version in dataset.yaml and that version is recorded.",
        ),
    ] = None,
    jobs: Jobs = None,
    without: Without = None,
) -> None:
    """Publish the version in dataset.yaml, and record that it is released.

    This builds dist/, and writes annotations/releases.jsonl, and `released` (today) and
    `last_release` in dataset.yaml.
    From then on, removed or reassigned ids, and data that changed without a new version, are
    findings. If anything is refused, nothing is written.
    """
    folder = arguments.project(root)
    if tag is not None:
        _check_release(folder, tag, jobs)
        return
    executor = partial(arguments.executor, jobs=jobs)
    prepared: NextVersion | None = None
    with _stop_on_refusals(folder), steps() as step:
        arguments.clear_unfinished(folder)
        context, _ = arguments.corpus(folder).context
        begins = _refuse_other_release(folder, context, first_release=first_release)
        changed_files: Mapping[str, str] = {}
        if next_version or correct:
            step("Comparing with the last release")
            prepared = new_release.next_version(
                folder, today=arguments.day(None), reason=correct, executor=executor
            )
        step("Reading and checking")
        if prepared:
            changed_files = prepared.files
        elif context:
            changed_files = new_release.dated(folder, context, today=arguments.day(None))
        made = new_release.publish(
            folder,
            changed_files,
            pipeline.Options(
                without=frozenset(without or ()),
                published=folder / "dist",
                compare_ids=False,
                since_release=not begins,
                today=arguments.last_day(),
            ),
            executor=executor,
            created=arguments.created(),
            on_progress=progress.rate(step),
        )
    _show_release(folder, made, prepared, changed_files)


@contextmanager
def _stop_on_refusals(folder: Path) -> Iterator[None]:
    """Stop the command with the reason if a release is refused or fails."""
    refused = ExitStatus(1, lambda error: f"{error}. Nothing was written.")
    ends: Ends = {
        new_release.NotPreparableError: refused,
        release_register.NoPrivateAddressError: refused,
        release_register.VersionTooLowError: refused,
        **publishing_errors("nothing was released"),
    }
    with stop_on(ends):
        try:
            yield
        except new_release.FindingsError as error:
            report(error.checked.findings, folder, rules=error.checked.rules)


def _refuse_other_release(folder: Path, context: Context | None, *, first_release: bool) -> bool:
    """Stop if --first-release is missing or wrong; return whether the list of ids begins here."""
    if context is None:  # the findings follow
        return False
    target = shown(folder / release_register.NAME)
    # If this were not an option, a list that was deleted by mistake would look like a first
    # release.
    if first_release and context.releases:
        stop(2, f"{target} has entries: leave out --first-release. Nothing was written.")
    if not first_release and not context.releases:
        option = "if nothing was released before, add --first-release"
        stop(2, f"{target} has no entries: {option}. Nothing was written.")
    return first_release and context.dataset.content.last_release is None


def _show_release(
    folder: Path, made: NewRelease, prepared: NextVersion | None, changed_files: Iterable[str]
) -> None:
    """Show what was written, and the commands that commit it."""
    for warning in made.built.warnings:
        warn(f"Published, with a warning: {warning}")
    if prepared:
        changed = counted(len(prepared.changed), "change")
        corrected = counted(prepared.corrected, "record")
        inform(f"Version {made.version}: {changed}; {corrected} marked as `corrected`.")
        # Here, and not in the changelog, which is read after takedowns too.
        for name in prepared.changed[:MAX_CELLS_LISTED]:
            inform(f"    {f.printable(name)}")
        if more := prepared.changed[MAX_CELLS_LISTED:]:
            inform(f"    and {len(more)} more")
        if not prepared.is_complete:
            line = "dist/ was built again after the last release, so changes may be missing here"
            inform(f"{line} and in CHANGELOG.md.")
    if prepared and prepared.old_doi:
        doi = prepared.old_doi
        inform(f"dataset.yaml: `doi` {doi} is that of the last release, and was removed.")
    inform(f"{shown(folder / 'dist')}: {made.built.outcome}", best_effort=True)
    context = made.built.checked.context
    assert context  # noqa: S101  # there are no findings
    said = build.update_root_files(folder, context.dataset.content)
    inform_of(said)
    target = shown(folder / release_register.NAME)
    if not made.is_new:
        inform(f"{target}: version {made.version} is already recorded; nothing has changed.")
        return
    if not made.has_last_release:
        line = f"last_release: {made.version}"
        warn(f"dataset.yaml cannot be edited here: add `{line}` to it.")
    ids = counted(made.ids, "id")
    inform(f"{target}: version {made.version}, {ids}", best_effort=True)
    for line in made.built.advice:
        inform(f.printable(line), best_effort=True)
    names = ["dataset.yaml", *changed_files]
    names += catalogues.root_files(context.dataset.content)
    if not context.releases:  # the workflows of a new corpus, too
        names += [".github", "README.md", build.REQUIREMENTS]
    first = ""
    if folder / build.REQUIREMENTS in said:
        names.append(build.REQUIREMENTS)
        first = f"complete {shown(folder / build.REQUIREMENTS)}, then "
    commit = _commit_commands(folder, names, f"Release {made.version}")
    inform(f"Next: {first}{_enter(folder)}{commit} && git tag v{made.version}", best_effort=True)


def _commit_commands(folder: Path, changed: Iterable[str], message: str) -> str:
    """Return the commands that commit the `changed` files, the annotations and the package."""
    names = ["annotations", "seeds", "dist", *changed]
    files = [name for name in names if (folder / name).exists()]
    named = dict.fromkeys(name for name in files if not name.startswith("annotations/"))
    return f'git add {shlex.join(named)} && git commit -m "{message}"'


def _enter(folder: Path) -> str:
    """Return the command that enters a folder, before other commands; nothing if it is current."""
    return "" if shown(folder) == "." else f"cd {in_shell(folder)} && "


def _check_release(folder: Path, tag: str, jobs: int | None) -> None:
    """Stop with exit code 1 unless a tag names the version in dataset.yaml, which is recorded."""
    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    options = pipeline.Options(tables=False, published=folder / "dist")
    checked = pipeline.run(corpus, options, executor=arguments.executor(corpus, jobs))
    report(checked.findings, folder, rules=checked.rules)
    context, target = checked.context, folder / release_register.NAME
    assert context  # noqa: S101  # there are no findings
    version = context.dataset.content.version
    if tag.removeprefix("v") != version:
        stop(1, f"The tag {tag} does not name version {version} of dataset.yaml.")
    with _stop_on_refusals(folder):
        lines = release_register.released_now(corpus, context)
    if not target.is_file() or target.read_bytes() != lines:
        problem = f"{shown(target)} does not record version {version} of these annotations"
        stop(1, f"{problem}: run `defectors-data release`, and commit what it writes.")
    inform(f"{tag}: version {version} is recorded.")


def verify_citation(
    citation: Annotated[
        str, typer.Argument(metavar="REF", help="A permanent reference, or a citation with one.")
    ],
    package: Annotated[
        Path | None,
        typer.Argument(metavar="PACKAGE", help=f"{PACKAGE_HELP} Default: dist/ of the project."),
    ] = None,
    cited: Annotated[
        Path | None,
        typer.Option(
            metavar="PACKAGE",
            help="The package of the cited version, to show what has changed since.",
        ),
    ] = None,
    root: Root = None,
) -> None:
    """Show whether a cited record is unchanged in a release.

    The exit code is 1 if the record is changed, withdrawn or unknown.
    """
    found = RecordReference.parse(citation)
    if not found:
        stop(
            2,
            "REF contains no permanent reference: expected ID@VERSION:sha256: followed by 64 hexadecimal digits.",
        )
    with ExitStack() as stack:
        now = stack.enter_context(changes.opened(package or arguments.project(root) / "dist"))
        verified = release_register.cited_record_state(found, now)
        before = None
        if cited:
            before = stack.enter_context(changes.opened(cited))
        shown = changes.compare(before, now) if before else None
    say(f"{verified.state}: {verified.sentence}")
    if shown and verified.state != "withdrawn":
        for line in change_report.lines(changes.of_record(shown, found.id)):
            say(f.printable(line))
    if verified.state != "unchanged":
        raise typer.Exit(1)


def history(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="The id of a record, with or without its table.")
    ],
    packages: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PACKAGE...", help="Published folders or zips, oldest first. Default: dist/."
        ),
    ] = None,
    root: Root = None,
) -> None:
    """Show in which versions and commits a record changed.

    For several packages, the changes from each to the next are shown as well. Commits are those of
    the project's git repository, if it has one. For a withdrawn record, only the versions are
    shown.
    """
    with ExitStack() as stack:
        opened = [
            stack.enter_context(changes.opened(path))
            for path in packages or [arguments.project(root) / "dist"]
        ]
        table, _, record = record.rpartition("/")
        row = release_register.row_of(opened[-1], record)
        if not row or table not in ("", row["record_table"]):
            stop(1, f"Version {opened[-1].version} has no record with this id.")
        compared = [changes.of_record(changes.compare(*pair), record) for pair in pairwise(opened)]
    say(release_register.sentence(row, opened[-1].version))
    if row.get("withdrawn_version"):
        return
    for found in compared:
        for line in change_report.lines(found):
            say(f.printable(line))
    for line in release_register.commits(arguments.project(root), record):
        say(f.printable(line))


def _next_package(folder: Path, jobs: int | None, style: Format) -> PublishedPackage:
    """Return the package that a build would publish; if there are findings, show them and stop."""
    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    executor = arguments.executor(corpus, jobs)
    with TemporaryDirectory(prefix="defectors-data-") as made, steps(style) as step:
        step("Reading and checking")
        try:
            return new_release.package_of(corpus, Path(made), executor, progress.rate(step))
        except new_release.FindingsError as error:
            checked = error.checked
    report(checked.findings, folder, rules=checked.rules)
    raise AssertionError  # `report` stops if there are findings


def pack(
    root: Root = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder to write to. Default: build/ of the project."
        ),
    ] = None,
) -> None:
    """Pack dist/ and its standoff edition into zip files.

    The standoff edition has references in place of the words of the articles.
    """
    folder = arguments.project(root)
    arguments.keep_apart(folder, out or folder / "build", also=("dist",))
    atomic_publication.recover(folder / "dist")
    name, content = published_folder.archive(folder / "dist")
    _save(out or folder / "build", name, content)
    with TemporaryDirectory(prefix="defectors-data-") as scratch:
        edition = Path(scratch) / "edition"
        try:
            exports.export(folder / "dist", "standoff", edition, seeds=folder / "seeds")
        except exports.ExportError as error:
            inform(f"{error} The standoff edition was not packed.")
            return
        packed = published_folder.zipped(published_folder.contents(edition))
    _save(out or folder / "build", f"{name.removesuffix('.zip')}-standoff.zip", packed)


def _save(folder: Path, name: str, content: bytes) -> None:
    atomic_publication.save(folder / name, content)
    inform(f"{shown(folder / name)}: {len(content):,} bytes")


def takedown(
    record: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id of a testimony, figure, mention, waiver, speaker or source."
        ),
    ],
    reason: Annotated[
        TakedownReason,
        typer.Option(
            metavar="person|safety|rights|law|error",
            help="The reason; docs/publishers/takedown.md explains each.",
        ),
    ],
    root: Root = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help=OUT_HELP)] = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="The day of the removal. Default: today, in UTC."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be removed; change nothing.")
    ] = False,
    jobs: Jobs = None,
    without: Without = None,
) -> None:
    """Remove a record and what depends on it, and publish.

    A tombstone for each removed record is left in the annotations and in the package.
    """
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
        from defectors_data.cli import corpus_commands  # noqa: PLC0415  # one command ends with another

        corpus_commands.build(str(folder), str(target), jobs=jobs, without=without)
        return
    _report_obstacles(planned, folder)
    if built and built.checked.findings:
        warn(
            "The annotations were changed. Fix these findings, then publish with `defectors-data build`."
        )
        report(built.checked.findings, folder)
    warnings = built.warnings if built else ()
    for warning in warnings:
        warn(f"Published, with a warning: {warning}")
    if built:
        context = built.checked.context
        version = ""
        if context:
            version = f" (version {context.dataset.content.version})"
        inform(f"{shown(target)}: {built.outcome}{version}.", best_effort=True)
        if context and target == folder / "dist":
            inform_of(build.update_root_files(folder, context.dataset.content))
    _show_left(planned, folder)
    _stop_for_places(planned, folder)
    if built and built.checked.context:
        _show_next(planned, folder, built.checked.context)


def reanchor(
    seed: Seed,
    new: Annotated[
        Path,
        typer.Argument(
            metavar="NEW", exists=True, dir_okay=False, help="A file with the corrected article."
        ),
    ],
    root: Root = None,
    write: Annotated[
        bool, typer.Option("--write", help="Replace the seed, and edit its annotation file.")
    ] = False,
) -> None:
    """Show where the evidence is in a corrected article.

    Evidence whose place in the new text is uncertain is left to you: after --write, `check` reports
    it until you have decided. The exit code is 1 if there is any such evidence.
    """
    folder = arguments.project(root)
    if write:
        complete_update(folder)
    arguments.refuse_half_done(folder)
    document = arguments.documents(folder, seed)[0]
    report(document.anchoring_findings, folder)
    if document.file.is_line or document.content.withdrawn:
        reason = "has withdrawn words, which a new text may repeat"
        if document.file.is_line:
            reason = "is a line of a shard"
        file = shown(folder / document.file.file)
        stop(1, f"{file} {reason}: edit it by hand. Nothing was changed.")
    with stop_on(
        {given_files.GivenFileError: ExitStatus(1, lambda error: f"{error} Nothing was changed.")}
    ):
        data = given_files.read(new)
    text, findings = file_tree.seed_text(data, shown(new))
    report(findings, ".")
    edited: Ends = {yaml_editor.UneditableTextError: ExitStatus(1, lambda _: _NOT_EDITED)}
    with stop_on({**edited, **takedown_errors(UNCHANGED)}):
        planned = corrected_articles.plan(document, text or "", hashlib.sha256(data).hexdigest())
        if write:
            corrected_articles.replace_seed(folder, document, planned, data)
    for line in corrected_articles.lines(planned, shown(folder / document.file.file)):
        say(f.printable(line), best_effort=True)
    in_doubt = sum(piece.is_in_doubt for piece in planned.pieces)
    if write:
        inform(
            f"{shown(folder / document.seed)} and its annotations: written. Next: defectors-data check"
        )
    else:
        inform("Nothing was changed. --write replaces the seed and edits its annotation file.")
    end(findings=in_doubt)


_NOT_EDITED = (
    "The annotation file cannot be edited without loss, for example of a comment inside a part of evidence: write such "
    "parts on one line. Nothing was changed."
)


_CHANGED = (
    "nothing was published (the annotations are changed: `defectors-data build` publishes them)"
)


@contextmanager
def _stop_on_errors(folder: Path, record: str) -> Iterator[OnChanged]:
    """Stop if a takedown fails; yield the callback for when the annotations were changed."""
    nothing = UNCHANGED

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


def _preview(
    folder: Path, target: Path, record: str, reason: TakedownReason, day: dt.date, jobs: int | None
) -> None:
    """Show what a takedown would remove."""
    arguments.refuse_half_done(folder)
    executor = arguments.executor(arguments.corpus(folder), jobs)
    errors = takedown_errors(UNCHANGED, folder, record)
    plan = records.plan(folder, record, reason=reason, day=day, executor=executor, out=target)
    # The context manager removes the new files of the plan, which only a takedown needs.
    with stop_on(errors), plan as planned:
        pass
    _report_obstacles(planned, folder)
    for line in _removals(planned, "would be "):
        say(line, best_effort=True)
    _show_left(planned, folder)
    inform("Nothing was changed.")
    _stop_for_places(planned, folder)


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
    """Show new articles that a takedown leaves out, and where a removed name or id remains."""
    if planned.left_out:
        files = ", ".join(shown(folder / file) for file in planned.left_out)
        warn(
            f"These new articles have findings, so takedown neither changes nor publishes them: {files}"
        )
    _show_printed(planned.printed, folder)
    if planned.may_be_meant:
        warn(
            "A first name or the initials are still found in these lines; edit those that mean the person:"
        )
        _show_lines(planned.may_be_meant, folder)
    if planned.near:
        warn(
            "These records are in a paragraph with a removed mention. Run takedown for those that "
            f"describe the person: {' '.join(planned.near)}"
        )
    if planned.seeds:
        seeds = ", ".join(shown(folder / seed) for seed in planned.seeds)
        inform(f"These seeds still print removed words: {seeds}", best_effort=True)
    made = folder / "build"
    if made.is_dir() and any(each.name != "check-cache" for each in made.iterdir()):
        line = f"{shown(made)} was not searched: delete the exports and zips of earlier data in it."
        inform(line, best_effort=True)


def _stop_for_places(planned: TakedownPlan, folder: Path) -> None:
    """Show the places that a person must edit after a takedown for safety, and stop.

    Do nothing if there are none.
    """
    if not planned.by_hand:
        return
    warn("These places still contain the name. Edit them by hand, then run `defectors-data build`:")
    for file, line in sorted({(place.file, place.line or 0) for place in planned.by_hand}):
        where = f"line {line}" if line else "in its path"
        warn(f"  {shown(folder / file)}, {where}")
    raise typer.Exit(1)


def _show_next(planned: TakedownPlan, folder: Path, context: Context) -> None:
    """Show the command after a takedown: a release if there were others, or else a commit."""
    changed = ["dataset.yaml", *catalogues.root_files(context.dataset.content)]
    command = _commit_commands(folder, changed, "Take down records")
    if context.releases:
        command = "defectors-data release"
    left = planned.left_out or planned.printed or planned.may_be_meant or planned.near
    when = ", when what is listed above is done" if left else ""
    inform(f"Next{when}: {_enter(folder)}{command}", best_effort=True)


def _show_printed(printed: Sequence[PublishedLine], folder: Path) -> None:
    """Show where a removed surname or id remains, and how to remove it."""
    if not printed:
        return
    warn("The surname, a removed id or removed words are still found in:")
    _show_lines(printed, folder)
    if ids := dict.fromkeys(
        each.record_id for each in printed if each.record_id and each.table != "sources"
    ):
        warn(f"Run takedown for these records to remove them: {' '.join(ids)}")
    if any(each.table in (None, "sources") for each in printed):
        warn("Edit by hand the lines that belong to a source or to no record.")
    if any(each.file == "README.md" or each.file.startswith("docs/") for each in printed):
        warn("In this project's repository, `make docs` generates parts of README.md and docs/.")


def _show_lines(printed: Sequence[PublishedLine], folder: Path) -> None:
    for each in printed:  # all of them, because only what is listed can be edited
        record = ""
        if each.record_id:
            record = f": {each.table}/{each.record_id}"
        where = f"line {each.line}" if each.line else "in its path"
        warn(f"  {shown(folder / each.file)}, {where}{record}")
