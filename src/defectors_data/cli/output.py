"""What a command says: lines, findings and steps; and the sentence and the exit code that it stops with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TextIO

import typer

from defectors_data.cli import summary, terminal
from defectors_data.corpus import findings as f

if TYPE_CHECKING:
    from defectors_data.corpus.findings import Finding
    from defectors_data.pipeline import RuleReport


class Format(StrEnum):
    """How findings are written."""

    text = "text"
    json = "json"
    github = "github"


class Manner:
    """How much is said, as the options before the command ask for it."""

    quiet = False
    verbose = False
    debug = False


# ---- lines -------------------------------------------------------------------------------------------------


def tell(text: str, *, whatever: bool = False) -> None:
    """Write what went well, unless nobody wants to know."""
    if not Manner.quiet:
        say(text, whatever=whatever)


def say(text: str, *, whatever: bool = False) -> None:
    """Write a line to standard output; whoever stops reading changes nothing.

    Raises:
        OSError: the file system refused, unless the line is written `whatever` happens to it.
    """
    try:
        print(text)
        if whatever and sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        silence(sys.stdout)
        if not whatever and not isinstance(error, BrokenPipeError):
            raise


def warn(text: str) -> None:
    """Write a line to standard error, if it takes one."""
    try:
        if sys.stderr:
            print(text, file=sys.stderr)
    except OSError:
        silence(sys.stderr)


def show_traceback(error: BaseException) -> None:
    """Write the traceback of an error where `--debug` asks for it."""
    import traceback  # noqa: PLC0415

    if Manner.debug:
        warn("".join(traceback.format_exception(error)).rstrip())


def silence(stream: TextIO) -> None:
    """Send what is still to come, and what a stream has not got rid of, nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def as_json(document: object) -> str:
    """Return a document as JSON that people can read."""
    import json  # noqa: PLC0415

    return json.dumps(document, ensure_ascii=False, indent=2)


def shown(path: Path) -> str:
    """Return a path relative to where the user stands."""
    return Path(os.path.relpath(path)).as_posix()


def at(place: str) -> str:
    """Return a path relative to where the user stands, and an address as it is."""
    return place if "://" in place else shown(Path(place))


def steps() -> terminal.Steps:
    """Return what tells the steps of a long command, on standard error."""
    return terminal.Steps(sys.stderr, os.environ, say=warn if Manner.verbose else None, quiet=Manner.quiet)


# ---- findings and rules ------------------------------------------------------------------------------------


def report(
    found: list[Finding],
    folder: Path | str,
    style: Format = Format.text,
    rules: Sequence[RuleReport] = (),
    listed: Iterable[str] = (),
) -> None:
    """Show findings, and stop with exit code 1 where there are any; JSON is shown in any case.

    JSON has every rule with what it saw; text tells the rules behind the findings, the lines `listed` before them.
    """

    def relocate(file: str) -> str:
        return at(f"{folder}/{file}")

    if style is Format.json:
        findings = [f.record(item, relocate=relocate) for item in found]
        document = {"findings": findings, "rules": [summary.record(rule) for rule in rules]}
        say(as_json(document))
    else:
        colour = style is Format.text and terminal.takes_colour(sys.stdout, os.environ)
        for line in f.lines(found, f.github if style is Format.github else f.text, relocate=relocate):
            say(terminal.coloured(line) if colour else line)
    if found:
        if style is Format.text:
            tell_rules(listed, rules)
            warn(f"{len(found)} finding{'s' if len(found) > 1 else ''}.")
        raise typer.Exit(1)


def tell_rules(listed: Iterable[str], rules: Sequence[RuleReport]) -> None:
    """Write the rules that were asked for, and unless nobody wants to know, what was checked."""
    for line in listed:
        say(line)
    for line in summary.summary(rules) if rules else ():
        tell(line)


# ---- stopping ----------------------------------------------------------------------------------------------


def stop(code: int, sentence: str) -> NoReturn:
    """End the command with an exit code, and say why."""
    warn(sentence)
    raise typer.Exit(code)


class End(NamedTuple):
    """How a command ends that something keeps from its work."""

    code: int
    sentence: Callable[[Exception], str]


Ends = dict[type[Exception], End]
"""By what is raised, how the command ends; of kinds that hold each other the first counts."""


@contextmanager
def stopping(ends: Ends) -> Iterator[None]:
    """End the command with a sentence and its exit code where one of these is raised."""
    try:
        yield
    except tuple(ends) as error:
        end = next(end for kind, end in ends.items() if isinstance(error, kind))
        show_traceback(error)
        stop(end.code, end.sentence(error))


def of_publishing(nothing: str) -> Ends:
    """Return how a command ends that is kept from publishing; `nothing` says what it left undone."""
    from defectors_data.documents.charts import NotDrawn  # noqa: PLC0415
    from defectors_data.package import descriptor, publication  # noqa: PLC0415

    return {
        NotDrawn: End(70, lambda error: f"{error}; {nothing}."),
        publication.AnotherBuild: End(4, lambda error: f"{error}; {nothing}."),
        descriptor.NotValid: End(70, lambda error: f"The package that was built is not valid, and {nothing}: {error}"),
    }


def of_writing(nothing: str, *, refused: str = "The file system refused") -> Ends:
    """Return how a command ends that is kept from writing."""
    return {OSError: End(3, lambda error: f"{refused}, and {nothing}: {error}")}
