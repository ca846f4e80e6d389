"""A new release: the next version, the package and the list of released ids, or nothing of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from defectors_data import pipeline
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding, totals
from defectors_data.corpus.findings import Path as ValuePath
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.edits import yaml_editor
from defectors_data.evidence.document_batches import all_documents
from defectors_data.evidence.record_fingerprints import (
    RecordFingerprint,
    doi_of_last_release,
    identities,
    last_released,
    new_tombstones,
    released,
    shared_identities,
)
from defectors_data.executors import Executor
from defectors_data.models.counts import counted
from defectors_data.models.diff import Change, Changes
from defectors_data.models.versions import last_version, least_version, number
from defectors_data.package import atomic_publication, filesystem
from defectors_data.pipeline import OnProgress, Options, RunResult
from defectors_data.publishers import change_report, changes, release_register

if TYPE_CHECKING:
    from defectors_data.build import BuildResult

ExecutorOf: TypeAlias = Callable[[CorpusReader], Executor]


class FindingsError(Exception):
    """The corpus has findings, so nothing was written."""

    def __init__(self, checked: RunResult) -> None:
        """Store the result with the findings."""
        super().__init__(str(totals(checked.findings)))
        self.checked = checked


class NotPreparableError(ValueError):
    """The next version cannot be prepared; the message says why."""


class NextVersion(NamedTuple):
    """The next version of a corpus, and the files that state it."""

    version: str
    files: Mapping[str, str]
    """The new texts of the files that change, by path."""
    corrected: int
    """The number of records that now say that they were corrected."""
    changed: tuple[str, ...] = ()
    """The records, terms and tables that changed since the last release."""
    is_complete: bool = True
    """Whether these are all; not if dist/ was built again since the last release."""
    old_doi: str | None = None
    """The DOI of the last release, which the files no longer state."""


class NewRelease(NamedTuple):
    """A release that was published and recorded."""

    version: str
    built: BuildResult
    ids: int
    """The number of ids in `releases.jsonl`."""
    is_new: bool
    """Whether the version was not recorded before, or its ids have changed."""
    has_last_release: bool
    """Whether dataset.yaml names the version as the last release."""


def next_version(
    root: Path, *, today: date, reason: str | None, executor: ExecutorOf
) -> NextVersion:
    """Return the next version with the changelog, and write nothing.

    Raises:
        FindingsError: the corpus has findings.
        NotPreparableError: nothing was released or changed before, a reason is needed, or a file
            cannot be edited.
        published_folder.PackageNotFoundError: dist/ is not a published package.
    """
    corpus = CorpusReader(FileTree(root))
    options = Options(tables=False, since_release=False, published=root / "dist")
    context = _sound(pipeline.run(corpus, options, executor=executor(corpus)))
    if not released(context):
        raise NotPreparableError("Nothing was released before: use --first-release")
    last = last_version(released(context).values())
    prepare = partial(_version_and_corrections, corpus, context, root, today=today, reason=reason)
    prepared = prepare(at_least=last)
    with ExitStack() as stack:
        before = stack.enter_context(changes.opened(root / "dist"))
        scratch, tables = [Path(stack.enter_context(TemporaryDirectory())) for _ in range(2)]
        if number(before.version) < number(last):
            problem = (
                f"dist/ has version {before.version}, not {last}, so the changes are not known"
            )
            raise NotPreparableError(f"{problem}: restore it, or release what it has")
        new = CorpusReader(_with_changes(root, prepared.files, scratch))
        found = changes.compare(before, package_of(new, tables, executor(new)))
        written = {f"data/{path.name}": filesystem.sha256(path) for path in tables.glob("data/*")}
    is_known = before.version == last
    if is_known:
        least = release_register.least_version_of(found, root / "dist", written)
    else:  # built since, as after a takedown
        least, found = before.version, _taken_down(context, before.version)
    # A record or term may fill a column or table that the last release did not have.
    if number(prepared.version) < number(least):
        prepared = prepare(at_least=least)
    if prepared.version == last:
        raise NotPreparableError(f"Nothing changed since version {last}")
    found = found.model_copy(update={"new": prepared.version})
    files = {**prepared.files, **_of_program(root, last, prepared.version)}
    files["CHANGELOG.md"] = _changelog(root, found, prepared.version, today)
    changed = tuple([change_report.name(change) for change in found.changes])
    return prepared._replace(files=files, changed=changed, is_complete=is_known)


def dated(root: Path, context: Context, *, today: date) -> dict[str, str]:
    """Return dataset.yaml with the day of a release; nothing if its version is released already.

    After takedowns, the changelog counts the removed records.

    Raises:
        NotPreparableError: the file cannot be edited.
    """
    dataset, files = context.dataset, dict[str, str]()
    version = dataset.content.version
    if released(context):
        if last_released(context) == version:
            return {}
        if (found := _taken_down(context, version)).changes:
            files["CHANGELOG.md"] = _changelog(root, found, version, today)
    day: dict[ValuePath, str] = {("released",): today.isoformat()}
    try:
        return {**files, dataset.file: yaml_editor.with_values(dataset.typed, day)}
    except yaml_editor.UneditableTextError as error:
        problem = f"dataset.yaml cannot be edited here: set `released: {today}` in it"
        raise NotPreparableError(problem) from error


def _taken_down(context: Context, version: str) -> Changes:
    """Return the removals since the last release, as changes of a version."""
    removed = [
        Change(kind="withdrawn", table=stone.table, id=None, cells=(), derived=())
        for stone in new_tombstones(context)
    ]
    return Changes(old=last_released(context), new=version, changes=tuple(removed))


def publish(
    root: Path,
    files: Mapping[str, str],
    options: Options,
    *,
    executor: ExecutorOf,
    created: str | None = None,
    on_progress: OnProgress | None = None,
) -> NewRelease:
    """Publish a corpus in dist/, then write `files` and record the ids of the version.

    `files` has the new texts of files of the corpus, by path. If anything is refused, or fails
    before dist/ is replaced, nothing is written.

    Raises:
        FindingsError: the corpus has findings.
        release_register.NoPrivateAddressError: see `release_register.released_now`.
        release_register.VersionTooLowError: see `release_register.released_now`.
        OSError: a file could not be read or written.
    """
    from defectors_data.build import build  # noqa: PLC0415  # keeps the chain of imports short

    target, lines = root / "dist", list[bytes]()
    with TemporaryDirectory() as scratch:
        corpus = CorpusReader(_with_changes(root, files, Path(scratch)))

        def review(folder: Path, sums: Mapping[str, str], context: Context) -> list[Finding]:
            found = release_register.review(
                folder,
                sums,
                context,
                corpus=corpus,
                replaced=target,
                change_ids=False,
                on_damaged=lambda _: None,  # the new package replaces a damaged one
            )
            if not found:
                lines.append(release_register.released_now(corpus, context))
            return found

        built = build(
            corpus,
            target,
            options,
            executor=executor(corpus),
            created=created,
            review=review,
            on_progress=on_progress,
        )
        context = _sound(built.checked)
        for name, text in files.items():
            atomic_publication.save(root / name, text.encode())
    return _record(root, context, lines[0], built)


def _record(root: Path, context: Context, lines: bytes, built: BuildResult) -> NewRelease:
    """Write the list of released ids, and name the version as the last release."""
    dataset, listed = context.dataset, root / release_register.NAME
    version, ids = dataset.content.version, lines.count(b"\n")
    is_listed = listed.is_file() and listed.read_bytes() == lines
    if is_listed and dataset.content.last_release == version:
        return NewRelease(version, built, ids, is_new=False, has_last_release=True)
    atomic_publication.save(listed, lines)
    # Last, because a version that is named here must be in the list.
    try:
        text = release_register.with_last_release(context)
    except yaml_editor.UneditableTextError:
        return NewRelease(version, built, ids, is_new=True, has_last_release=False)
    atomic_publication.save(root / dataset.file, text.encode())
    return NewRelease(version, built, ids, is_new=True, has_last_release=True)


def _sound(checked: RunResult) -> Context:
    """Return the context of a corpus without findings.

    Raises:
        FindingsError: the corpus has findings.
    """
    if checked.findings or checked.context is None:
        raise FindingsError(checked)
    return checked.context


def _with_changes(root: Path, files: Mapping[str, str], scratch: Path) -> FileTree:
    """Return the files of a corpus with new texts, which are written to `scratch`."""
    for name, text in files.items():
        atomic_publication.save(scratch / name, text.encode())
    return FileTree(root, {name: scratch / name for name in files})


def package_of(
    corpus: CorpusReader, folder: Path, executor: Executor, on_progress: OnProgress | None = None
) -> changes.PublishedPackage:
    """Return the package that a build of a corpus would publish, with its tables in `folder`.

    Raises:
        FindingsError: the corpus has findings.
    """
    from defectors_data.build import write_tables  # noqa: PLC0415  # as above

    options = Options(since_release=False)
    checked, _ = write_tables(corpus, folder, options, executor=executor, on_progress=on_progress)
    version = _sound(checked).dataset.content.version
    return changes.PublishedPackage(version, changes.tables_in(folder))


# ---- the next version ----------------------------------------------------------------------------


def _version_and_corrections(
    corpus: CorpusReader,
    context: Context,
    root: Path,
    *,
    today: date,
    reason: str | None,
    at_least: str,
) -> NextVersion:
    """Return the next version, with the files that state it and the corrections of records.

    It is `at_least`, the version in dataset.yaml, or what the changed records require: the highest.

    Raises:
        NotPreparableError: a reason is needed, or a file cannot be edited.
    """
    before = released(context)
    counts, edits = Counter[str](), dict[str, dict[ValuePath, str]]()
    same = dict[str, str | None]()
    for file, each in _with_files(corpus, context):
        counts.update(state for state in [each.since(before)] if state)
        entry = before.get(each.id)
        change = each.change(entry) if entry else None
        if change in ("meaning", "id-reassigned"):
            stated = each.corrected.version if each.corrected else None
            edits.setdefault(file, {})[each.path] = stated or ""
            if change == "meaning":
                same[each.id] = stated
    counts["added"] += len(new_tombstones(context))
    least = least_version(before.values(), counts)
    if edits and not reason:
        count = sum(len(paths) for paths in edits.values())
        raise NotPreparableError(
            f"{counted(count, 'released record')} changed: give the reason with --correct"
        )
    version = max(least, at_least, context.dataset.content.version, key=number)
    unfit = [name for name, stated in same.items() if stated != version]
    if reason in _OF_WORDS and unfit:
        raise NotPreparableError(
            f"Only values of {unfit[0]} changed, and not its words: give it `corrected` with version "
            f"{version} and another reason than `{reason}`"
        )
    files, corrected = {}, 0
    try:
        for file, paths in edits.items():
            needed = {path for path, stated in paths.items() if stated != version}
            if not needed:
                continue
            text = (root / file).read_bytes().decode()
            files[file] = _with_corrections(text, paths, version, str(reason))
            corrected += len(needed)
        facts: dict[ValuePath, str] = {("version",): version, ("released",): today.isoformat()}
        dataset, typed = context.dataset.file, context.dataset.typed
        old_doi = doi_of_last_release(context)
        if old_doi:
            typed = yaml_editor.without(typed, [("doi",)])
        files[dataset] = yaml_editor.with_values(typed, facts)
    except yaml_editor.UneditableTextError as error:
        problem = "A file is written in a form that cannot be edited: add `corrected` by hand"
        raise NotPreparableError(problem) from error
    return NextVersion(version, files, corrected, old_doi=old_doi)


_OF_WORDS = ("words", "place")
"""Reasons for which only records with other words, or words elsewhere, are corrected."""


def _with_corrections(text: str, paths: Mapping[ValuePath, str], version: str, reason: str) -> str:
    """Return YAML text with corrections of records; `paths` has the version that each states."""
    correction = f"{{version: {version}, reason: {reason}}}"
    stated = {(*path, "corrected"): correction for path, before in paths.items() if before}
    new = {path: {"corrected": correction} for path, before in paths.items() if not before}
    changed = yaml_editor.with_values(text, stated) if stated else text
    return yaml_editor.with_entries(changed, new, {}) if new else changed


def _with_files(corpus: CorpusReader, context: Context) -> Iterator[tuple[str, RecordFingerprint]]:
    """Yield all fingerprints, each with the file of its record."""
    for each in shared_identities(context):
        file = context.shared.listed.file
        if each.table == "dataset":
            file = context.dataset.file
        yield file, each
    for document in all_documents(corpus, context):
        for each in identities(document):
            yield document.file.file, each


def _of_program(root: Path, old: str, new: str) -> dict[str, str]:
    """Return pyproject.toml with the new version, if it had that of the data; otherwise nothing."""
    path, line = root / "pyproject.toml", f'version = "{old}"\n'
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if line not in text:
        return {}
    return {path.name: text.replace(line, f'version = "{new}"\n', 1)}


def _changelog(root: Path, found: Changes, version: str, today: date) -> str:
    """Return the changelog with the numbers of changes, and the day below which they are listed."""
    path = root / "CHANGELOG.md"
    old = "# Changelog\n"
    if path.is_file():
        old = path.read_text(encoding="utf-8")
    new = change_report.changelog(old, found)
    # A heading without a date is that of the version that is being prepared.
    heading = f"## {version}\n"
    return new.replace(heading, f"{heading.rstrip()} ({today})\n", 1)
