"""Commands for releases: differences, releases, corrected articles, takedowns and zips."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
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
    inform,
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
from defectors_data.edits import yaml_editor
from defectors_data.models.closed_vocabularies import CorrectionReason, TakedownReason
from defectors_data.models.diff import BREAKING
from defectors_data.package import atomic_publication, published_folder
from defectors_data.publishers import (
    change_report,
    changes,
    cited_record,
    corrected_articles,
    release_register,
    removal,
)
from defectors_data.publishers import release_register as versions
from defectors_data.publishers import takedown as records
from defectors_data.publishers.remaining_names import PublishedLine
from defectors_data.publishers.takedown import OnChanged, TakedownPlan
from defectors_data.readers import exports
from defectors_data.rows.citation_formats import RecordReference

if TYPE_CHECKING:
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
    changelog: Annotated[
        bool,
        typer.Option(
            "--changelog", help="Also write the numbers of changed records to CHANGELOG.md."
        ),
    ] = False,
    jobs: Jobs = None,
) -> None:
    """Show which records differ between two packages, and how.

    The exit code is 1 if a record was removed without a tombstone, or if an id now has different
    words or a different place.
    """
    if html:
        arguments.refuse_page(arguments.nearest(root), html)
    with ExitStack() as stack:
        before = stack.enter_context(changes.opened(old or arguments.project(root) / "dist"))
        after = (
            stack.enter_context(changes.opened(new))
            if new
            else _next_package(arguments.project(root), jobs, style)
        )
        found = changes.compare(before, after)
    if html:
        atomic_publication.save(html, change_report.page(found).encode())
        inform(f"{shown(html)}: written", best_effort=True)
    if changelog:
        target = arguments.project(root) / "CHANGELOG.md"
        text = target.read_text(encoding="utf-8") if target.is_file() else "# Changelog\n"
        atomic_publication.save(target, change_report.changelog(text, found).encode())
        inform(f"{shown(target)}: written", best_effort=True)
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
    jobs: Jobs = None,
) -> None:
    """Record that the version in dataset.yaml is released.

    This writes annotations/releases.jsonl, and `last_release` in dataset.yaml. From then on,
    `check` and `build` report ids that are removed or reassigned, and data that changed without a
    new version. With --next or --correct, nothing that the program knows has to be typed.
    """
    folder = arguments.project(root)
    arguments.refuse_half_done(folder)
    written = _prepare_next(folder, correct, jobs) if next_version or correct else []
    corpus = arguments.corpus(folder)
    options = pipeline.Options(tables=False, published=folder / "dist")
    checked = pipeline.run(corpus, options, executor=arguments.executor(corpus, jobs))
    context, target = checked.context, folder / release_register.NAME
    recorded = context.dataset.content.last_release if context else None
    # The first release begins the list of ids whose absence is reported.
    begun = "releases-missing" if first_release and not recorded else ""
    report([finding for finding in checked.findings if finding.code != begun], folder)
    # If this were not an option, a list that was deleted by mistake would look like a first
    # release.
    if context is None or first_release == bool(len(context.releases)):
        option = (
            "leave out --first-release"
            if first_release
            else "if nothing was released before, add --first-release"
        )
        stop(
            2,
            f"{shown(target)} has {'entries' if first_release else 'no entries'}: {option}. Nothing was written.",
        )
    with stop_on(
        {
            refusal: ExitStatus(1, lambda error: f"{error}. Nothing was written.")
            for refusal in (
                release_register.NoPrivateAddressError,
                release_register.VersionTooLowError,
            )
        }
    ):
        lines = release_register.released_now(corpus, context)
    version, count = context.dataset.content.version, lines.count(b"\n")
    if not first_release and recorded == version and target.read_bytes() == lines:
        inform(f"{shown(target)}: version {version} is already recorded; nothing has changed.")
        return
    atomic_publication.save(target, lines)
    # Last, because a version that is named here must be in the list.
    try:
        dataset = release_register.with_last_release(context)
        atomic_publication.save(folder / context.dataset.file, dataset.encode())
    except yaml_editor.UneditableTextError:
        warn(f"dataset.yaml cannot be edited here: add `last_release: {version}` to it.")
    inform(
        f"{shown(target)}: version {version}, {count} ids. Commit it with dist/.", best_effort=True
    )
    if written:
        names = ", ".join(dict.fromkeys([*written, release_register.NAME, "dist/"]))
        inform(f"Next: defectors-data build; then commit {names}.", best_effort=True)


def _prepare_next(folder: Path, reason: CorrectionReason | None, jobs: int | None) -> list[str]:
    """Write the next version to all files that state it; return their names."""
    corpus, today = arguments.corpus(folder), arguments.day(None)
    options = pipeline.Options(tables=False, since_release=False, published=folder / "dist")
    checked = pipeline.run(corpus, options, executor=arguments.executor(corpus, jobs))
    report(checked.findings, folder)
    refusals: Ends = {
        release_register.NotPreparableError: ExitStatus(
            1, lambda error: f"{error}. Nothing was written."
        )
    }
    with ExitStack() as stack, stop_on(refusals):
        before = stack.enter_context(changes.opened(folder / "dist"))
        context = checked.context
        if context is None:
            raise AssertionError  # `report` stops if there are findings
        prepared = release_register.next_version_of(
            corpus, context, folder, today=today, reason=reason
        )
        for name, text in prepared.files.items():
            atomic_publication.save(folder / name, text.encode())
        names = [*prepared.files, *_update_program(folder, before.version, prepared.version)]
        found = changes.compare(before, _next_package(folder, jobs, "text"))
    changelog = folder / "CHANGELOG.md"
    old = changelog.read_text(encoding="utf-8") if changelog.is_file() else "# Changelog\n"
    new = change_report.changelog(old, found)
    # A heading without a date is that of the version that is being prepared.
    heading = f"## {prepared.version}\n"
    new = new.replace(heading, f"{heading.rstrip()} ({today})\n", 1)
    atomic_publication.save(changelog, new.encode())
    inform(
        f"Version {prepared.version}, {today}: {prepared.corrected} records state `corrected`; "
        f"{change_report.summary(found)}"
    )
    return [*names, "CHANGELOG.md"]


def _update_program(folder: Path, old: str, new: str) -> list[str]:
    """Update the version in pyproject.toml, if it was that of the data; return its name."""
    path = folder / "pyproject.toml"
    line = f'version = "{old}"\n'
    if not path.is_file() or line not in (text := path.read_text(encoding="utf-8")):
        return []
    atomic_publication.save(path, text.replace(line, f'version = "{new}"\n', 1).encode())
    return [path.name]


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
        verified = cited_record.verify(found, now)
        before = stack.enter_context(changes.opened(cited)) if cited else None
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
        row = versions.row_of(opened[-1], record)
        if not row or table not in ("", row["record_table"]):
            stop(1, f"Version {opened[-1].version} has no record with this id.")
        compared = [changes.of_record(changes.compare(*pair), record) for pair in pairwise(opened)]
    say(versions.sentence(row, opened[-1].version))
    if row.get("withdrawn_version"):
        return
    for found in compared:
        for line in change_report.lines(found):
            say(f.printable(line))
    for line in versions.commits(arguments.project(root), record):
        say(f.printable(line))


def _next_package(folder: Path, jobs: int | None, style: Format) -> PublishedPackage:
    """Return the package that a build would publish now; if there are findings, show them and stop
    the command.
    """
    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    with TemporaryDirectory(prefix="defectors-data-") as made, steps(style) as step:
        step("Reading and checking")
        executor = arguments.executor(corpus, jobs)
        checked, _ = build.write_tables(
            corpus,
            Path(made),
            pipeline.Options(since_release=False),
            executor=executor,
            on_progress=progress.rate(step),
        )
        if not checked.findings and checked.context:
            return changes.PublishedPackage(
                checked.context.dataset.content.version, changes.tables_in(Path(made))
            )
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
    for warning in built.warnings if built else ():
        warn(f"Published, with a warning: {warning}")
    if built:
        context = built.checked.context
        version = f" (version {context.dataset.content.version})" if context else ""
        inform(f"{shown(target)}: {built.outcome}{version}.", best_effort=True)
    _show_left(planned, folder)
    _stop_for_places(planned, folder)


def reanchor(
    seed: Annotated[
        str, typer.Argument(metavar="SEED", help=arguments.ANY_SEED, autocompletion=arguments.seeds)
    ],
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
        reason = (
            "is a line of a shard"
            if document.file.is_line
            else "has withdrawn words, which a new text may repeat"
        )
        stop(
            1,
            f"{shown(folder / document.file.file)} {reason}: edit it by hand. Nothing was changed.",
        )
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
    """Stop the command if a takedown fails; yield a callback to call once the annotations have been
    changed.
    """
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
    """Show the new articles that a takedown leaves out, and where a removed name or id still
    occurs.
    """
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


def _show_printed(printed: Sequence[PublishedLine], folder: Path) -> None:
    """Show where the surname of the removed person or a removed id is still found, and how to
    remove it.
    """
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
        record = f": {each.table}/{each.record_id}" if each.record_id else ""
        where = f"line {each.line}" if each.line else "in its path"
        warn(f"  {shown(folder / each.file)}, {where}{record}")
