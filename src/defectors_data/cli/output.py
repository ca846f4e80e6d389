"""The output of commands: lines, findings, progress, and the message with which one stops."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, TextIO

import typer

from defectors_data.cli import progress, rule_summary
from defectors_data.corpus import findings as f

if TYPE_CHECKING:
    from defectors_data.corpus.findings import Finding, RuleReport


Format = Literal["text", "json", "github"]


class Verbosity:
    """The global options that control how much is written."""

    quiet = False
    verbose = False
    debug = False


# ---- lines -------------------------------------------------------------------------------------------------


def inform(text: str, *, best_effort: bool = False) -> None:
    """Write a line of information to standard output, except with `--quiet`."""
    if not Verbosity.quiet:
        say(text, best_effort=best_effort)


def inform_of(files: Mapping[Path, str]) -> None:
    """Write a line of information for each file."""
    for path, text in files.items():
        inform(f"{shown(path)}: {text}", best_effort=True)


def say(text: str, *, best_effort: bool = False) -> None:
    """Write a line to standard output; a closed pipe is ignored.

    Raises:
        OSError: the line could not be written; never raised with `best_effort`, which is set once
            the work is done.
    """
    try:
        print(text)
        if best_effort and sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        silence(sys.stdout)
        if not best_effort and not isinstance(error, BrokenPipeError):
            raise


def warn(text: str) -> None:
    """Write a line to standard error, if it can be written."""
    try:
        if sys.stderr:
            print(text, file=sys.stderr)
    except OSError:
        silence(sys.stderr)


def show_traceback(error: BaseException) -> None:
    """Write the traceback of an error if `--debug` is set."""
    import traceback  # noqa: PLC0415

    if Verbosity.debug:
        warn("".join(traceback.format_exception(error)).rstrip())


def reason_of(error: OSError) -> str:
    """Return why a file could not be read or written, with its path if that is known."""
    # A path is a name that the user entered or knows; the other arguments of the error may quote
    # annotations.
    reason, where = error.strerror or type(error).__name__, ""
    if type(error).__module__.startswith("defectors_data.") and not error.strerror:
        reason = str(error)
    if isinstance(error.filename, str | bytes):
        where = f" ({shown(os.fsdecode(error.filename))})"
    return f"{reason}{where}"


def silence(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that Python can flush it on exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def as_json(document: object) -> str:
    """Return a document as indented JSON."""
    import json  # noqa: PLC0415

    return json.dumps(document, ensure_ascii=False, indent=2)


def shown(path: Path | str) -> str:
    """Return a path relative to the current folder; an address is returned unchanged."""
    if "://" in str(path):
        return str(path)
    return Path(os.path.relpath(path)).as_posix()


def in_shell(path: Path | str) -> str:
    """Return a path as it is typed in a shell, relative to the current folder."""
    return shlex.quote(shown(path))


def steps(style: Format = "text") -> progress.ProgressDisplay:
    """Return the progress display of a command, on standard error; none for a machine format."""
    if Verbosity.verbose:
        return progress.ProgressDisplay(sys.stderr, os.environ, say=warn)
    return progress.ProgressDisplay(
        sys.stderr, os.environ, quiet=Verbosity.quiet or style != "text"
    )


# ---- findings and rules ------------------------------------------------------------------------------------


def report(
    found: list[Finding],
    folder: Path | str,
    style: Format = "text",
    rules: Sequence[RuleReport] = (),
    listed: Iterable[str] = (),
) -> None:
    """Write findings, and stop with exit code 1 if there are any; JSON is always written.

    JSON includes every rule with its counts. If there are findings, text output ends with the lines
    in `listed` and a summary of the rules.
    """

    def relocate(file: str) -> str:
        return shown(f"{folder}/{file}")

    if style == "json":
        findings = [f.record(item, relocate=relocate) for item in found]
        say(as_json({"findings": findings, "rules": [rule_summary.record(rule) for rule in rules]}))
    else:
        colour = style == "text" and progress.takes_colour(sys.stdout, os.environ)
        worded = f.github if style == "github" else f.text
        for line in f.lines(found, worded, relocate=relocate):
            shown_line = progress.coloured(line) if colour else line
            say(shown_line)
    if found:
        if style == "text":
            show_rules(listed, rules)
            warn(f"{f.totals(found)}.")
        raise typer.Exit(1)


def show_rules(listed: Iterable[str], rules: Sequence[RuleReport]) -> None:
    """Write the requested list of rules and, except with `--quiet`, a summary of what was checked."""
    for line in listed:
        say(line)
    if rules:
        for line in rule_summary.summary(rules, verbose=Verbosity.verbose):
            inform(line)


# ---- stopping ----------------------------------------------------------------------------------------------


def end(*, findings: object) -> NoReturn:
    """End the command: with exit code 1 if there are findings, otherwise with 0."""
    code = 1 if findings else 0
    raise typer.Exit(code)


def stop(code: int, sentence: str) -> NoReturn:
    """Stop the command with an exit code and a message."""
    warn(sentence)
    raise typer.Exit(code)


class ExitStatus(NamedTuple):
    """The exit code and the message with which a command stops after an exception."""

    code: int
    sentence: Callable[[Exception], str]


Ends = dict[type[Exception], ExitStatus]
"""The exit code and message for each class of exception; the first class that matches is used."""


@contextmanager
def stop_on(ends: Ends) -> Iterator[None]:
    """Stop with the message and exit code in `ends` of an exception."""
    try:
        yield
    except tuple(ends) as error:
        end = next(end for kind, end in ends.items() if isinstance(error, kind))
        show_traceback(error)
        stop(end.code, end.sentence(error))


def failed(code: int, nothing: str) -> ExitStatus:
    """Return an exit status with the message of the exception and what was not done."""
    return ExitStatus(code, lambda error: f"{error}; {nothing}.")


def publishing_errors(nothing: str) -> Ends:
    """Return the exit code and message for each publishing error.

    `nothing` is a clause that says what was not done, such as "nothing was published".
    """
    from defectors_data.package import atomic_publication, descriptor  # noqa: PLC0415

    invalid = f"The package that was built is not valid, and {nothing}"

    def unreadable(error: Exception) -> str:
        reason = str(error)
        if isinstance(error, OSError) and error.strerror:
            reason = reason_of(error)
        return f"A file could not be read or written, and {nothing}: {reason}."

    # The order matters: `UnwritableTargetError` is a `ForeignTargetError`, and both are `OSError`s.
    return {
        atomic_publication.ConcurrentBuildError: failed(4, nothing),
        atomic_publication.UnwritableTargetError: failed(3, nothing),
        atomic_publication.ForeignTargetError: failed(1, nothing),
        descriptor.InvalidPackageError: ExitStatus(70, lambda error: f"{invalid}: {error}"),
        OSError: ExitStatus(3, unreadable),
    }
