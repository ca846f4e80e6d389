"""The command line: arguments are parsed, and exceptions become sentences and exit codes.

Exit codes: 0 success; 1 findings; 2 usage error; 3 a file could not be read or written; 4 another
build or update of the corpus is running; 70 a bug, or too little memory; for a signal, 128 plus its
number, such as 130 for SIGINT. Any code but 0 means that the published folder is unchanged.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from defectors_data.cli.commands import CommandsByName, headings
from defectors_data.cli.output import (
    Verbosity,
    reason_of,
    say,
    show_traceback,
    shown,
    silence,
    warn,
)


class _CommandGroup(TyperGroup):
    """The commands of the program, each of which is imported when it is called."""

    def __init__(self, **settings: Any) -> None:
        """Replace the dictionary of commands with one that imports them when they are looked up."""
        super().__init__(**settings)
        self.commands = CommandsByName()

    def invoke(self, ctx: Any) -> Any:
        """Run a command; the message for an invalid argument omits pydantic's wording."""
        # typer converts arguments with pydantic, and repeats its messages.
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            message = error.message.removeprefix("Value error, ")
            message = message.replace("Input should", "it should", 1)
            error.message = message.partition(", unable to parse")[0]
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the frequent commands under their headings, or with `--all` all of them."""
        everything = bool(ctx.params.get("everything"))
        for heading, listed in headings(everything=everything).items():
            with formatter.section(heading):
                formatter.write_dl([(command.name, command.summary) for command in listed])


app = typer.Typer(
    cls=_CommandGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Check annotations against the words of their articles, and publish them as a data package.",
    epilog="The option --all lists all commands.",
)


def _show_all(context: typer.Context, value: bool) -> None:  # noqa: FBT001  # typer passes both
    if value:
        context.params["everything"] = True
        say(context.get_help())
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=lambda asked: _show_version(asked=asked),
            help="Show the version.",
        ),
    ] = False,
    _everything: Annotated[
        bool,
        typer.Option("--all", is_eager=True, callback=_show_all, help="List all commands."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show only problems and requested output.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show each step on standard error.")
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            help="Show the traceback of a bug. It may contain words from the annotations.",
        ),
    ] = False,
) -> None:
    """Set the global options."""
    Verbosity.quiet, Verbosity.verbose, Verbosity.debug = quiet and not verbose, verbose, debug


def _show_version(*, asked: bool) -> None:
    if asked:
        import defectors_data  # noqa: PLC0415

        say(f"defectors-data {defectors_data.__version__}")
        raise typer.Exit


def main() -> int:
    """Run the command line and return its exit code; a bug is one line and exit code 70."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Findings quote articles, which may contain characters that the locale cannot encode.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.flags.optimize > 1:
        warn(
            "Run Python without -OO or PYTHONOPTIMIZE=2: they remove docstrings, from which the package is generated."
        )
        return 2
    code = 1  # if the reader of the output closes the pipe before the command ends
    try:
        with warnings.catch_warnings():
            # Shown whatever PYTHONWARNINGS says.
            warnings.filterwarnings("default", category=UserWarning, module=r"defectors_data\b")
            warnings.showwarning = partial(_show_warning, warnings.showwarning, set())
            code = _run()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        show_traceback(error)
        warn(f"A file could not be read or written: {reason_of(error)}.")
        return 3
    except MemoryError as error:
        show_traceback(error)
        from defectors_data.executors import AddressSpaceError  # noqa: PLC0415

        if isinstance(error, AddressSpaceError):
            warn(str(error))
        else:
            warn("There is too little memory for this command.")
        return 70
    except BaseException as error:  # a panic in a Rust library is not an `Exception`
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        show_traceback(error)
        from defectors_data.package import published_folder  # noqa: PLC0415  # slow to import

        if not all(map(_is_utf8, sys.argv)):
            warn(
                "The command line contains bytes that are not UTF-8: rename the file, or correct it."
            )
            return 2
        if isinstance(error, published_folder.PackageNotFoundError):
            warn(f"{shown(error.path)} {error.problem}.")
            if isinstance(error, published_folder.DamagedPackageError):
                return 1
            return 2
        warn(_reason(error))
        return 70
    return code


def _is_utf8(word: str) -> bool:
    """Return whether a word of the command line was UTF-8; other bytes are kept as surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in word)


def _reason(error: BaseException) -> str:
    """Return why a command stopped: a missing library, a limit of the system, or a bug."""
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing and not missing.startswith("defectors_data"):
        return f"{missing} is not installed: install defectors-data with the extra `build`."
    from defectors_data.executors import low_limit  # noqa: PLC0415

    # Without memory, libraries end in errors of any kind, and some cannot even be loaded.
    if limit := low_limit():
        return limit
    if isinstance(error, ImportError) and not missing:
        return (
            f"A library could not be loaded ({error}). "
            "The limit on memory or open files may be too low."
        )
    return _BUG


def _show_warning(
    show: Callable[..., None],
    already: set[Path],
    message: Warning | str,
    category: type[Warning],
    *where: Any,
    **others: Any,
) -> None:
    """Show the warning of a changed file as a sentence, once; others as Python does."""
    from defectors_data.package.published_folder import ChangedFileWarning  # noqa: PLC0415  # slow to import

    if isinstance(message, ChangedFileWarning):
        if message.path not in already:
            warn(f"{shown(message.path)} {message.problem}.")
        already.add(message.path)
    else:
        show(message, category, *where, **others)


_BUG = (
    "This is a bug in defectors-data: something unexpected happened, and the command stopped. The published folder is "
    "unchanged. Run the command again with --debug for the traceback, and report the bug as an issue in the project's "
    "repository; do not include the name of any protected person."
)
"""The message for a bug, without the exception, which may name a protected person."""


_GLOBAL = {"-q", "--quiet", "-v", "--verbose", "--debug"}
"""Options of the program, which typer accepts only before the command."""
_OF_COMMANDS = {"--root", "--format"}
"""Options of commands that may also be given before the command; each takes a value."""


def _arranged(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the global options in `words`, and the other words, command first, up to `--`."""
    end = words.index("--") if "--" in words else len(words)
    first = [word for word in words[:end] if word in _GLOBAL]
    rest = [word for word in words[:end] if word not in _GLOBAL]
    moved: list[str] = []
    while rest and rest[0].partition("=")[0] in _OF_COMMANDS:
        size = 1 if "=" in rest[0] else 2
        moved, rest = [*moved, *rest[:size]], rest[size:]
    return first, [*rest[:1], *moved, *rest[1:], *words[end:]]


def _run() -> int:
    """Run the command line; typer ends every command with `SystemExit`."""
    first, words = _arranged(sys.argv[1:])
    try:
        app([*first, *words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
