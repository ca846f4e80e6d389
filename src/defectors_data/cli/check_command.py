"""The command `check`, which needs neither Arrow nor anything else that is slow to import."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from defectors_data.check_cache import answer
from defectors_data.check_cache.answer import Answer
from defectors_data.cli import arguments, rule_summary
from defectors_data.cli.arguments import RULES_HELP, Jobs, Root
from defectors_data.cli.output import (
    Format,
    Verbosity,
    end,
    inform,
    report,
    say,
    show_rules,
    shown,
    steps,
    stop,
    warn,
)
from defectors_data.corpus import findings as f
from defectors_data.executors import Executor


def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Show only the findings in these files or folders."),
    ] = None,
    root: Root = None,
    style: Annotated[
        Format,
        typer.Option("--format", metavar="text|json|github", help="The format of the findings."),
    ] = "text",
    every_rule: Annotated[bool, typer.Option("--rules", help=RULES_HELP)] = False,
    jobs: Jobs = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Check again whenever a file is saved, until you press Ctrl+C."
        ),
    ] = False,
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Check all articles, and do not use build/check-cache/."),
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Explain a finding, with an example from the codebook, and check nothing.",
        ),
    ] = None,
) -> None:
    """Check the annotations, and show where each finding is.

    Everything is checked, even if files are given: the exit code is 1 if there is a finding in any
    file. If there are none, `defectors-data -v check` also names the cells and columns that other
    tools would misread.
    """
    if explain:
        _explain(explain)
        return
    folder = arguments.project(root)
    with_tables = Verbosity.verbose and style == "text"

    def check_and_show() -> NoReturn:
        if no_cache or with_tables:
            checked, advice = _checked(
                folder, jobs=jobs, style=style, with_tables=with_tables, no_cache=no_cache
            )
        else:
            checked, advice = _remembered(folder, jobs=jobs, style=style), []
        _show(checked, folder, files, style, every_rule=every_rule, advice=advice)

    if not watch:
        check_and_show()
    if style != "text":
        stop(2, "--watch writes text only: leave out --format.")
    _watch(folder, check_and_show)


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


def _watch(folder: Path, check_and_show: Callable[[], NoReturn]) -> NoReturn:
    """Check the project whenever a file changes."""
    inform(f"Watching {shown(folder)}: each save is checked. Press Ctrl+C to stop.")
    before = dict[Path, tuple[int, int]]()
    while True:
        now = _saved(folder)
        changed = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
        if changed:
            if before:
                inform(f"\nChanged: {', '.join(map(shown, changed))}")
            # `check_and_show` always raises `typer.Exit`, which would end the command.
            with suppress(typer.Exit):
                check_and_show()
            # Output to a pipe, for example to an editor, is buffered.
            sys.stdout.flush()
        before = now
        time.sleep(WATCHED_EVERY)


def _saved(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return the time of the last change (nanoseconds) and the size of each checked file."""
    found = {}
    for path in arguments.files_read(folder):
        with suppress(FileNotFoundError):  # it was removed just now
            state = path.stat()
            found[path] = state.st_mtime_ns, state.st_size
    return found


def _remembered(folder: Path, *, jobs: int | None, style: Format) -> Answer:
    """Return the stored answer for the project, or check what has changed."""
    state = answer.state(folder)
    if state and (known := answer.stored(folder, state)):
        return known
    checked, _ = _checked(folder, jobs=jobs, style=style)
    if state:
        answer.store(folder, state, checked)
    return checked


def _checked(
    folder: Path,
    *,
    jobs: int | None,
    style: Format,
    with_tables: bool = False,
    no_cache: bool = False,
) -> tuple[Answer, list[str]]:
    """Check a project.

    If `with_tables` is true, tables are made as in a build, and their advice is returned as well.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # slow to import

    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.check_cache.articles import cached  # noqa: PLC0415
    from defectors_data.cli import progress  # noqa: PLC0415

    arguments.refuse_half_done(folder)
    corpus = arguments.corpus(folder)
    options = pipeline.Options(
        tables=with_tables, published=folder / "dist", today=arguments.last_day()
    )
    choose = partial(arguments.executor, corpus, jobs)
    executor: Executor = partial(cached, folder, choose)
    # Tables are made of all documents.
    if no_cache or with_tables:
        executor = choose()
    advice = list[str]()
    with steps(style) as step:
        step("Reading and checking")
        on_progress = progress.rate(step)
        if with_tables:
            from defectors_data import build  # noqa: PLC0415  # slow to import
            from defectors_data.package import cells, inferred_types  # noqa: PLC0415

            with TemporaryDirectory(prefix="defectors-data-") as made:
                result, tables = build.write_tables(
                    corpus, Path(made), options, executor=executor, on_progress=on_progress
                )
                if tables:
                    advice = [*cells.advice(tables), *inferred_types.advice(tables)]
        else:
            result = pipeline.run(corpus, options, executor=executor, on_progress=on_progress)
    is_read = result.context is not None
    return Answer(result.rules, result.not_compared, result.findings, is_read), advice


OTHERS_SHOWN = 5
"""Maximum number of findings in other files that are listed if the given files have none."""


def _show(
    checked: Answer,
    folder: Path,
    files: list[Path] | None,
    style: Format,
    *,
    every_rule: bool,
    advice: Iterable[str] = (),
) -> NoReturn:
    """Show the findings in `files`, by default in all files, and stop with the exit code."""
    wanted = arguments.files_meant(folder, files)
    found = [item for item in checked.findings if not wanted or _is_wanted(item.place.file, wanted)]
    listed = list(rule_summary.table(checked.rules)) if every_rule else []
    if checked.not_compared:
        warn(f"{shown(folder / 'dist')} {checked.not_compared}. No id was compared with it.")
    # If there are findings to show, this ends the command.
    report(found, folder, style, checked.rules, listed)
    if checked.findings:
        _show_others(checked, folder, style)
    elif style == "text":
        _show_none(checked, in_files=bool(wanted))
    if style == "text":
        show_rules(listed, checked.rules)
    for sentence in advice:
        inform(f.printable(sentence))
    end(findings=checked.findings)


def _show_others(checked: Answer, folder: Path, style: Format) -> None:
    """Say that the given files have no findings, and list some of those in other files."""
    line = say if style == "text" else warn
    sentence = f"No findings in these files; {f.totals(checked.findings)} in others."
    if not checked.is_read:
        sentence += " Not everything can be checked until those files can be read."
    line(sentence)
    for other in checked.findings[:OTHERS_SHOWN]:
        line(f"    {f.head(other, relocate=lambda file: shown(f'{folder}/{file}'))}")


def _show_none(checked: Answer, *, in_files: bool) -> None:
    """Say that there are no findings, in the given files and others or in the whole corpus."""
    if in_files:
        inform("No findings in these files, and none in others.")
        return
    counts = rule_summary.counts(checked.rules, rule_summary.GREEN)
    inform(f"No findings: {', '.join(counts[:-1])} and {counts[-1]} were checked.")


def _is_wanted(file: str, wanted: set[str]) -> bool:
    """Return whether the findings in a file are shown: it or its shard is wanted."""
    # The name of a text in a shard begins with the path of the shard and a slash.
    return bool({file, file.rpartition("/")[0]} & wanted)
