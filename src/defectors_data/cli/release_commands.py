"""The commands for releases: `diff`, `release`, `history` and `verify-citation`."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from defectors_data.cli import arguments, progress
from defectors_data.cli.arguments import Jobs, Root, Style
from defectors_data.cli.output import ExitStatus, Format, inform, report, say, shown, steps, stop, stop_on
from defectors_data.corpus import findings as f

if TYPE_CHECKING:
    from defectors_data.publishers.changes import PublishedPackage

PACKAGE_HELP = "A published folder, or a zip of one."


def diff(
    old: Annotated[
        Path | None, typer.Argument(metavar="OLD", help=f"{PACKAGE_HELP} Default: dist/ of the project.")
    ] = None,
    new: Annotated[
        Path | None, typer.Argument(metavar="NEW", help=f"{PACKAGE_HELP} Default: what a build would publish now.")
    ] = None,
    root: Root = None,
    style: Style = "text",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the changes as a self-contained HTML page.")
    ] = None,
    changelog: Annotated[
        bool, typer.Option("--changelog", help="Also write the numbers of changed records to CHANGELOG.md.")
    ] = False,
    jobs: Jobs = None,
) -> None:
    """Show which records differ between two packages, and how.

    The exit code is 1 if a record was removed without a tombstone, or if an id now has different words or a different
    place.
    """
    from defectors_data.models.diff import BREAKING  # noqa: PLC0415  # slow to import
    from defectors_data.package import atomic_publication  # noqa: PLC0415
    from defectors_data.publishers import change_report, changes  # noqa: PLC0415

    if html:
        arguments.refuse_page(arguments.nearest(root), html)
    with ExitStack() as stack:
        before = stack.enter_context(changes.opened(old or arguments.project(root) / "dist"))
        after = stack.enter_context(changes.opened(new)) if new else _next_package(arguments.project(root), jobs, style)
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
        bool, typer.Option("--first-release", help="Nothing was released before: start annotations/releases.jsonl.")
    ] = False,
    jobs: Jobs = None,
) -> None:
    """Record that the version in dataset.yaml is released.

    This writes annotations/releases.jsonl. From then on, `check` and `build` report ids that are removed or reassigned,
    and data that changed without a new version.
    """
    from defectors_data import pipeline  # noqa: PLC0415  # slow to import
    from defectors_data.package import atomic_publication  # noqa: PLC0415
    from defectors_data.publishers import release_register  # noqa: PLC0415

    folder = arguments.project(root)
    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    checked = pipeline.run(corpus, pipeline.Options(tables=False), executor=arguments.executor(corpus, jobs))
    report(checked.findings, folder)
    context, target = checked.context, folder / release_register.NAME
    # If this were not an option, a list that was deleted by mistake would look like a first release.
    if context is None or first_release == bool(len(context.releases)):
        option = "leave out --first-release" if first_release else "if nothing was released before, add --first-release"
        stop(2, f"{shown(target)} has {'entries' if first_release else 'no entries'}: {option}. Nothing was written.")
    with stop_on({release_register.VersionTooLowError: ExitStatus(1, lambda error: f"{error}. Nothing was written.")}):
        lines = release_register.released_now(corpus, context)
    version, count = context.dataset.content.version, lines.count(b"\n")
    if not first_release and target.read_bytes() == lines:
        inform(f"{shown(target)}: version {version} is already recorded; nothing has changed.")
        return
    atomic_publication.save(target, lines)
    inform(f"{shown(target)}: version {version}, {count} ids. Commit it with dist/.", best_effort=True)


def verify_citation(
    citation: Annotated[str, typer.Argument(metavar="REF", help="A permanent reference, or a citation with one.")],
    package: Annotated[
        Path | None, typer.Argument(metavar="PACKAGE", help=f"{PACKAGE_HELP} Default: dist/ of the project.")
    ] = None,
    cited: Annotated[
        Path | None,
        typer.Option(metavar="PACKAGE", help="The package of the cited version, to show what has changed since."),
    ] = None,
    root: Root = None,
) -> None:
    """Show whether a cited record is unchanged in a release.

    The exit code is 1 if the record is changed, withdrawn or unknown.
    """
    from defectors_data.publishers import change_report, changes, cited_record  # noqa: PLC0415  # slow to import
    from defectors_data.rows.citation_formats import RecordReference  # noqa: PLC0415

    found = RecordReference.parse(citation)
    if not found:
        stop(2, "REF contains no permanent reference: expected ID@VERSION:sha256: followed by 64 hexadecimal digits.")
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
    record: Annotated[str, typer.Argument(metavar="RECORD", help="The id of a record, with or without its table.")],
    packages: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PACKAGE...", help="Published folders or zips, oldest first. Default: dist/."),
    ] = None,
    root: Root = None,
) -> None:
    """Show in which versions and commits a record changed.

    For several packages, the changes from each to the next are shown as well. Commits are those of the project's git
    repository, if it has one. For a withdrawn record, only the versions are shown.
    """
    from defectors_data.publishers import change_report, changes  # noqa: PLC0415  # slow to import
    from defectors_data.publishers import release_register as versions  # noqa: PLC0415

    with ExitStack() as stack:
        opened = [stack.enter_context(changes.opened(path)) for path in packages or [arguments.project(root) / "dist"]]
        table, _, record = record.rpartition("/")
        row = versions.row_of(opened[-1], record)
        if not row or table not in ("", row["record_table"]):
            stop(1, f"The history of version {opened[-1].version} has no record with this id.")
        compared = [changes.of_record(changes.compare(*pair), record) for pair in pairwise(opened)]
    say(versions.sentence(row))
    if row["withdrawn_version"]:
        return
    for found in compared:
        for line in change_report.lines(found):
            say(f.printable(line))
    for line in versions.commits(arguments.project(root), record):
        say(f.printable(line))


def _next_package(folder: Path, jobs: int | None, style: Format) -> PublishedPackage:
    """Return the package that a build would publish now; if there are findings, show them and stop the command."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # slow to import

    from defectors_data import build  # noqa: PLC0415
    from defectors_data.publishers import changes  # noqa: PLC0415

    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    with TemporaryDirectory(prefix="defectors-data-") as made, steps(style) as step:
        step("Reading and checking")
        executor = arguments.executor(corpus, jobs)
        checked = build.write_tables(corpus, Path(made), executor=executor, on_progress=progress.rate(step))
        if not checked.findings and checked.context:
            return changes.PublishedPackage(checked.context.dataset.content.version, changes.tables_in(Path(made)))
    report(checked.findings, folder, rules=checked.rules)
    raise AssertionError  # `report` stops if there are findings
