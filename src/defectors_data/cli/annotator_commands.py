"""The commands for annotators, from `check` and `todo` to `annotate` and `import`."""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from defectors_data.cli import arguments, rule_summary
from defectors_data.cli.arguments import ANY_SEED, RULES_HELP, Jobs, Root, Style
from defectors_data.cli.output import (
    Ends,
    ExitStatus,
    Format,
    as_json,
    inform,
    report,
    say,
    show_rules,
    shown,
    steps,
    stop,
    stop_on,
    warn,
)
from defectors_data.cli.publisher_commands import complete_update, takedown_errors
from defectors_data.corpus import findings as f

if TYPE_CHECKING:
    from defectors_data.annotators.worklist import WorklistItem
    from defectors_data.executors import CachingExecutor
    from defectors_data.pipeline import RunResult

Seed = Annotated[str, typer.Argument(metavar="SEED", help=ANY_SEED, autocompletion=arguments.seeds)]


def check(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Show only the findings in these files or folders.")
    ] = None,
    root: Root = None,
    style: Annotated[
        Format, typer.Option("--format", metavar="text|json|github", help="The format of the findings.")
    ] = "text",
    every_rule: Annotated[bool, typer.Option("--rules", help=RULES_HELP)] = False,
    jobs: Jobs = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again whenever a file is saved, until you press Ctrl+C.")
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Explain a finding, with an example from the codebook, and check nothing."),
    ] = None,
) -> None:
    """Check the annotations, and show where each finding is.

    Everything is checked, even if files are given: the exit code is 1 if there is a finding in any file.
    """
    if explain:
        _explain(explain)
        return
    folder = arguments.project(root)
    if watch:
        if style != "text":
            stop(2, "--watch writes text only: leave out --format.")
        _watch(folder, lambda checked: _show(checked, folder, files, style, every_rule=every_rule))
    _show(_checked(folder, jobs=jobs, style=style), folder, files, style, every_rule=every_rule)


def _explain(code: str) -> None:
    """Print what a finding means, and the rules of the codebook that it enforces."""
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.documents import codebook  # noqa: PLC0415
    from defectors_data.text.similar_words import did_you_mean  # noqa: PLC0415

    sentences = pipeline.sentences()
    if code not in sentences:
        hint = " ".join(did_you_mean(code, sentences))
        stop(2, f"There is no finding {code}. {hint}".rstrip())
    say(f"{code}: {sentences[code]}\n")
    say(codebook.explanation(code).rstrip())


WATCHED_EVERY = 0.05
"""Seconds between two checks for changed files."""


def _watch(folder: Path, show: Callable[[RunResult], None]) -> NoReturn:
    """Check the project whenever a file changes, and show the result.

    A document is processed again only if it, a seed, or a file that all documents share has changed.
    """
    from defectors_data.executors import CachingExecutor  # noqa: PLC0415

    inform(f"Watching {shown(folder)}: each save is checked. Press Ctrl+C to stop.")
    executor, before = CachingExecutor(_DOCUMENTS), dict[Path, tuple[int, int]]()
    while True:
        now = _saved(folder)
        changed = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
        # Results are cached by their documents only, so a change to a seed or a shared file requires a new cache.
        if any(not _is_of_one_document(path) for path in changed):
            executor = CachingExecutor(_DOCUMENTS)
        if changed:
            if before:
                inform(f"\nChanged: {', '.join(map(shown, changed))}")
            # `_show` always raises `typer.Exit`, which would end the command.
            with suppress(typer.Exit):
                show(_checked(folder, executor))
            # Output to a pipe, for example to an editor, is buffered.
            sys.stdout.flush()
        before = now
        time.sleep(WATCHED_EVERY)


_DOCUMENTS = attrgetter("documents")
"""The key by which `_watch` caches the result of a batch."""


def _saved(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return the time of the last change (in nanoseconds) and the size (in bytes) of each checked file."""
    found = {}
    for path in arguments.files_read(folder):
        with suppress(FileNotFoundError):  # it was removed just now
            state = path.stat()
            found[path] = state.st_mtime_ns, state.st_size
    return found


def _is_of_one_document(path: Path) -> bool:
    """Return whether a file contains the annotations of only one source, and so affects no other results."""
    from defectors_data.corpus.reader import SHARED_FILES  # noqa: PLC0415

    return path.parent.name == "annotations" and path.name not in SHARED_FILES and path.suffix == ".yaml"


def _checked(
    folder: Path, executor: CachingExecutor | None = None, *, jobs: int | None = None, style: Format = "text"
) -> RunResult:
    """Check a project, with one document per batch if the executor caches results."""
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.cli import progress  # noqa: PLC0415
    from defectors_data.corpus.shards import BLOCK  # noqa: PLC0415

    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    with steps(style) as step:
        step("Reading and checking")
        return pipeline.run(
            corpus,
            pipeline.Options(tables=False),
            executor=executor or arguments.executor(corpus, jobs),
            size=1 if executor else BLOCK,
            on_progress=progress.rate(step),
        )


OTHERS_SHOWN = 5
"""Maximum number of findings in other files that are listed if the given files have none."""


def _show(checked: RunResult, folder: Path, files: list[Path] | None, style: Format, *, every_rule: bool) -> NoReturn:
    """Show the findings in `files`, by default in all files, and stop with the exit code."""
    wanted = {name for file in files or () for name in arguments.files_meant(folder, file)}
    found = [item for item in checked.findings if not wanted or _is_wanted(item.place.file, wanted)]
    listed = list(rule_summary.table(checked.rules)) if every_rule else []
    report(found, folder, style, checked.rules, listed)
    if others := checked.findings:
        line = say if style == "text" else warn
        until = "" if checked.context else " Not everything can be checked until those files can be read."
        line(f"No findings in these files; {len(others)} in others.{until}")
        for other in others[:OTHERS_SHOWN]:
            line(f"    {f.head(other, relocate=lambda file: shown(f'{folder}/{file}'))}")
    elif style == "text" and wanted:
        inform("No findings in these files, and none in others.")
    elif style == "text":
        counts = rule_summary.counts(checked.rules, rule_summary.GREEN)
        inform(f"No findings: {', '.join(counts[:-1])} and {counts[-1]} were checked.")
    if style == "text":
        show_rules(listed, checked.rules)
    raise typer.Exit(1 if others else 0)


def _is_wanted(file: str, wanted: set[str]) -> bool:
    """Return whether the findings in a file are shown, because the file or the shard that contains it is wanted."""
    # The name of a text in a shard begins with the path of the shard and a slash.
    return bool({file, file.rpartition("/")[0]} & wanted)


def locate(
    seed: Seed,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The words to find.")],
    root: Root = None,
) -> None:
    """Find words, or similar ones, in a seed, and show them as YAML to paste."""
    from defectors_data.annotators.word_search import locate as find  # noqa: PLC0415
    from defectors_data.corpus.reader import text_of  # noqa: PLC0415

    folder = arguments.project(root)
    file = arguments.seed_file(folder, seed)
    if file:
        content, findings = text_of(folder, file)
        report(findings, folder)
    else:
        document = arguments.documents(folder, seed)[0]
        file, content = document.seed, document.text
    located = find(text, shown(folder / file), content or "", arguments.corpus(folder).texts())
    say("\n".join(map(f.printable, located.lines)))
    raise typer.Exit(0 if located.found else 1)


def number(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words with a number.")], style: Style = "text"
) -> None:
    """Show how a number is read, and which parts are guesses."""
    from defectors_data.annotators.number_interpretations import numbers_in, worded  # noqa: PLC0415

    found = numbers_in(text, arguments.nearest())
    lines = [*map(worded, found)] or ["These words contain no number in English, the only language that is read."]
    say(as_json(found) if style == "json" else "\n".join(lines))
    raise typer.Exit(0 if found else 1)


def agreement(
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help="A reading: the NAME in annotations/readings/SEED.NAME.yaml, or `records` for the annotation files.",
        ),
    ],
    second: Annotated[
        str, typer.Argument(metavar="SECOND", help="Another reading, or `records` for the annotation files.")
    ],
    root: Root = None,
    listed: Annotated[bool, typer.Option("--list", help="List each difference, for adjudication.")] = False,
    style: Style = "text",
) -> None:
    """Compare two readings of the same articles, record by record."""
    from defectors_data.annotators import agreement_report  # noqa: PLC0415
    from defectors_data.rows import agreement  # noqa: PLC0415

    folder = arguments.project(root)
    found = agreement.report(folder, first, second)
    if found.findings:
        report(found.findings, folder, style)
    if not found.articles:
        files = " and ".join(f"SEED.{name}.yaml" for name in (first, second) if name != agreement.RECORDS)
        stop(2, f"No article has both readings: expected {files} in annotations/readings.")
    say(
        as_json(agreement_report.as_data(found))
        if style == "json"
        else "\n".join(agreement_report.lines(found, listed=listed))
    )


def second_reading(
    seed: Seed,
    root: Root = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="The name of the reading.")] = "second",
) -> None:
    """Write a file without records, for a blind reading of an article.

    The file is annotations/readings/SEED.NAME.yaml; `agreement` compares it with the records or with another reading.
    """
    from defectors_data.annotators import first_draft  # noqa: PLC0415
    from defectors_data.corpus.reader import READINGS, text_of  # noqa: PLC0415
    from defectors_data.package import atomic_publication  # noqa: PLC0415
    from defectors_data.rows import agreement  # noqa: PLC0415

    folder = arguments.project(root)
    file = arguments.seed_file(folder, seed) or arguments.no_seed(folder, seed)
    target = folder / READINGS / f"{Path(file).stem}.{name}.yaml"
    if not agreement.NAME.fullmatch(name) or name == agreement.RECORDS:
        stop(
            2,
            "The name of a reading must have only lower-case letters, digits and single hyphens, and not be `records`.",
        )
    if target.exists():
        stop(1, f"{shown(target)} already exists, and was not changed.")
    text, findings = text_of(folder, file)
    report(findings, folder)
    atomic_publication.save(
        target, first_draft.reading(text or "", (folder / file).read_bytes(), Path(file).stem).encode()
    )
    inform(f"{shown(target)}: written. Afterwards: defectors-data agreement records {name}")


def todo(
    seed: Annotated[
        str | None,
        typer.Argument(metavar="SEED", help="A seed. Default: all of them.", autocompletion=arguments.seeds),
    ] = None,
    root: Root = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also list reporting verbs without a testimony. This is advice, not findings.")
    ] = False,
    style: Style = "text",
) -> None:
    """List the uncovered quotations and numbers, as YAML to paste."""
    from defectors_data.annotators.worklist import remaining  # noqa: PLC0415
    from defectors_data.annotators.worklist import summary as closing_line  # noqa: PLC0415

    folder = arguments.project(root)
    documents = arguments.documents(folder, seed, style=style)
    lists = [(document, remaining(document, verbs=everything)) for document in documents]
    if style == "json":
        say(as_json([_record(item, folder) for _, found in lists for item in found]))
        return
    for document, found in lists:
        for item in found:
            _show_item(item, folder)
        say(closing_line(found, document))
    corpus = arguments.corpus(folder)
    if not seed and (context := corpus.context[0]):
        for finding in corpus.seed_findings([document.source.seed for document in documents], context):
            say(f.text(finding, relocate=lambda file: shown(folder / file)))


def _record(item: WorklistItem, folder: Path) -> dict[str, object]:
    """Return an item as a dictionary for `--format json`."""
    file, line, column = item.place
    place = {"file": shown(folder / file), "line": line, "column": column}
    return {**place, **{key: value for key, value in item._asdict().items() if key != "place"}}


def _show_item(item: WorklistItem, folder: Path) -> None:
    file, line, column = item.place
    say(f"{shown(folder / file)}:{line}:{column}: {item.kind}: {f.printable(item.sentence)}")
    if item.speaker:
        say(f"    nearest speaker: {item.speaker}")
    for row in item.yaml.splitlines():
        say(f"    {row}")


def draft(
    seed: Seed,
    root: Root = None,
    fill: Annotated[
        bool, typer.Option("--fill", help="Also write every record that can be guessed, each with `draft: true`.")
    ] = False,
) -> None:
    """Write a first annotation file for a new seed.

    An existing file is never overwritten. With --fill, you still have to check every guess, and to add measures and the
    words that say what is counted.
    """
    from defectors_data.annotators import first_draft  # noqa: PLC0415
    from defectors_data.corpus.reader import SHARED_FILES, source_ids, text_of  # noqa: PLC0415
    from defectors_data.models.fields import FILE_NAME, FORMS  # noqa: PLC0415
    from defectors_data.package import atomic_publication  # noqa: PLC0415

    folder = arguments.project(root)
    file = arguments.seed_file(folder, seed) or arguments.no_seed(folder, seed)
    target = folder / "annotations" / f"{Path(file).stem}.yaml"
    if not re.fullmatch(FILE_NAME, target.name):
        stop(1, f"Rename {shown(folder / file)} first. The name of a seed has this form: {FORMS[FILE_NAME]}.")
    if target.name in SHARED_FILES:
        stop(1, f"{shown(target)} is reserved for another purpose. Give the seed another name.")
    if target.exists():
        stop(1, f"{shown(target)} already exists, and was not changed.")
    text, findings = text_of(folder, file)
    report(findings, folder)
    content = first_draft.draft(text or "", (folder / file).read_bytes(), target.stem, taken=source_ids(folder))
    if fill:
        context, findings = arguments.corpus(folder).context
        report(findings, folder)
        if context:
            content = first_draft.filled(text or "", content, f"annotations/{target.name}", context)
    # Every command that writes first completes or undoes an interrupted build.
    atomic_publication.recover(folder / "dist")
    atomic_publication.save(target, content.encode())
    inform(f"{shown(target)}: written. Next: defectors-data {'check' if fill else f'todo {target.stem}'}")
    if line := first_draft.language_line(text or ""):
        inform(line)


def ids(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Annotation files. Default: those of all articles.")
    ] = None,
    root: Root = None,
) -> None:
    """Give ids to the records that have none.

    Ids in the file, in tombstones and in earlier releases are never reused. Comments and order are kept.
    """
    from defectors_data.annotators import fixes  # noqa: PLC0415
    from defectors_data.corpus.file_tree import written_text  # noqa: PLC0415
    from defectors_data.edits.yaml_editor import UneditableTextError  # noqa: PLC0415

    folder = arguments.project(root)
    complete_update(folder)
    corpus = arguments.corpus(folder)
    context, findings = corpus.context
    report(findings, folder)
    meant = {name for file in files or () for name in arguments.files_meant(folder, file)}
    data = {file: (folder / file).read_bytes() for file in corpus.yaml_files if not meant or file in meant}
    texts = dict[str, str]()
    with stop_on({UneditableTextError: ExitStatus(1, lambda _: NOT_EDITED)}):
        for file, written in data.items():
            text, findings = written_text(written, file)
            report(findings, folder)
            # A file that already has all ids is not rewritten.
            if context and text and (edited := fixes.with_ids(text, context)) != text:
                texts[file] = edited
    _save(folder, data, texts)


NOT_EDITED = "A file cannot be edited without loss: `defectors-data check` shows what is wrong. Nothing was changed."


def _save(folder: Path, data: dict[str, bytes], texts: dict[str, str]) -> None:
    """Write the new texts of all these annotation files, or of none; `data` contains each file's bytes as read."""
    from defectors_data.edits.atomic_update import FileChange, locked, update  # noqa: PLC0415

    with stop_on(takedown_errors("nothing was changed")), locked(folder):
        update(
            folder,
            [FileChange(file, text.encode(), hashlib.sha256(data[file]).hexdigest()) for file, text in texts.items()],
        )
    names = ", ".join(shown(folder / file) for file in texts)
    inform(f"{names}: written. Next: defectors-data check" if texts else "Nothing was changed.")


def fix(
    root: Root = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")] = False,
) -> None:
    """Correct evidence that differs from its seed only in easily missed characters.

    These are quotation marks, no-break spaces, soft hyphens, zero-width characters, ligatures, and dashes of another
    length. A part is corrected only if all its differences are of one kind. Numbers, letters and words are never
    changed. The exit code is 1 if other evidence is not in the seed, or if --dry-run found changes.
    """
    from defectors_data.annotators import fixes  # noqa: PLC0415

    folder = arguments.project(root)
    if not dry_run:
        complete_update(folder)
    arguments.refuse_half_done(folder)
    # The bytes are read first: a file that is edited in the meantime then differs from them, and is not overwritten.
    data = {file: (folder / file).read_bytes() for file in arguments.corpus(folder).yaml_files}
    found = {each.file.file: fixes.fixed(each) for each in arguments.documents(folder) if not each.file.is_line}
    for place, name in (change for each in found.values() for change in each.changes):
        say(f"{shown(folder / place.file)}:{place.line}:{place.column}: {name}: as in the seed")
    changed = {file: each.text for file, each in found.items() if each.changes}
    if dry_run:
        inform("Nothing was changed.")
    else:
        _save(folder, data, changed)
    if left := sum(each.left for each in found.values()):
        inform(f"Other evidence that is not in its seed: {left}. `defectors-data check` shows it.")
    raise typer.Exit(1 if left or (dry_run and changed) else 0)


def import_(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="w3c, brat, label-studio, refi-qda or uima-cas.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What the tool exported: a file, a zip archive or a folder.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the annotation files here. Default: annotations/ of the project."),
    ] = None,
    seeds: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder of the articles. Default: seeds/ of the project.")
    ] = None,
    root: Root = None,
) -> None:
    """Import records from another tool as drafts.

    New and changed testimonies and figures get `draft: true`, and `check` reports them until a person has compared them
    with the article. Everything else in the annotation files is kept.
    """
    from defectors_data.annotators import imports  # noqa: PLC0415  # slow to import
    from defectors_data.edits.atomic_update import locked, update  # noqa: PLC0415
    from defectors_data.given_files import GivenFileError  # noqa: PLC0415

    folder = arguments.project(root)
    if form not in imports.READERS:
        stop(2, f"There is no format {form}. The formats are: {', '.join(imports.READERS)}.")
    if not file.exists():
        stop(2, f"There is no file {file}.")
    complete_update(folder)
    documents = arguments.documents(folder)
    report(sorted(finding for document in documents for finding in document.anchoring_findings), folder)
    context, _ = arguments.corpus(folder).context
    if context is None:  # `documents` has reported why
        raise typer.Exit(1)
    not_readable: Ends = {GivenFileError: ExitStatus(1, lambda error: f"{error} Nothing was written.")}
    with stop_on({**not_readable, **takedown_errors("nothing was written")}):
        found = imports.plan(documents, context, form, file, seeds=seeds or folder / "seeds")
        if out and found.changes:
            imports.save_to(out, found)
        elif found.changes:
            with locked(folder):
                update(folder, found.changes)
    for line in found.lines:
        say(f.printable(line), best_effort=True)
    written = [shown((out / Path(each.file).name) if out else folder / each.file) for each in found.changes]
    inform(f"{', '.join(written)}: written. Next: defectors-data check" if written else "Nothing was written.")


def annotate(
    seed: Annotated[
        str | None,
        typer.Argument(metavar="SEED", help="A seed. Default: the first.", autocompletion=arguments.seeds),
    ] = None,
    root: Root = None,
    port: Annotated[int, typer.Option(metavar="N", help="The port. Default: a free one.")] = 0,
) -> None:
    """Edit the records of an article on a local page.

    The page is served at 127.0.0.1 until you press Ctrl+C, at an address with a secret token. Each change is written to
    the YAML file at once.
    """
    folder = arguments.project(root)
    arguments.refuse_half_done(folder)
    try:
        from defectors_data.annotators.workbench import project_files, server  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("defectors_data"):
            raise
        stop(2, f"{error.name} is not installed: install defectors-data with the extra `workbench`.")
    served = project_files.EditedProject(folder)
    stems = served.stems()
    stem = Path(seed).stem if seed else next(iter(stems), "")
    if seed and stem not in stems:
        arguments.no_seed(folder, seed)
    if not stems:
        stop(1, "No article has annotations yet. Run `defectors-data draft SEED`.")
    if line := served.not_searched(stem):
        inform(line)
    server.serve(served, stem, port=port, on_start=lambda address: say(f"{address}  (Press Ctrl+C to stop.)"))
