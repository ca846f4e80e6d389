"""Words in; words and an exit code out. Everything else is done elsewhere and imported when it is needed.

Exit codes: 0 done; 1 findings; 2 usage; 3 a write was refused; 4 another build runs; 70 a bug, or too little memory;
130 and 143 signals. Any code but 0 means that the published folder is as it was.
"""

from __future__ import annotations

import copy
import io
import sys
from typing import Annotated

import typer

from defectors_data.cli import annotator_commands, publisher_commands, reader_commands
from defectors_data.cli.output import Manner, say, show_traceback, silence, warn

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Prove hand annotations against the articles they are made from, and publish them as a data package.",
)

COMMANDS = (
    (publisher_commands.build, "build --out build/dist"),
    (annotator_commands.check, "check annotations/000_d0d957609dc7296e.yaml --format github"),
    (publisher_commands.shard, "shard --out ../corpus-of-shards"),
    (publisher_commands.schema, "schema --check"),
    (annotator_commands.locate, 'locate 000_d0d957609dc7296e "the words to find"'),
    (annotator_commands.todo, "todo 000_d0d957609dc7296e --all"),
    (annotator_commands.draft, "draft seeds/005_new_article.txt"),
    (publisher_commands.pack, "zip --out ."),
    (reader_commands.verify, "verify build/rebuilt --seeds seeds"),
    (reader_commands.why, "why figures/900-example-f1/high"),
    (publisher_commands.takedown, "takedown 900-example-t1 --reason person"),
)
"""Every command, in the order in which they are listed, each with an example that begins with its name."""

for _command, _example in COMMANDS:
    app.command(_example.partition(" ")[0], epilog=f"Example: defectors-data {_example}")(_command)


@app.callback()
def options(
    _asked: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=lambda asked: _version(asked=asked), help="Say which version this is."
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing but what is wrong and what was asked for.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say which step begins, on standard error.")] = False,
    _debug: Annotated[
        bool,
        typer.Option("--debug", help="Show the traceback of a bug. It may repeat what is typed in the annotations."),
    ] = False,
) -> None:
    """Keep what holds for every command."""
    Manner.quiet, Manner.verbose = quiet and not verbose, verbose


def _version(*, asked: bool) -> None:
    if asked:
        from importlib import metadata  # noqa: PLC0415

        say(f"defectors-data {metadata.version('defectors-data')}")
        raise typer.Exit


def main() -> int:
    """Run the command line and return its exit code; a bug, or too little memory, is one line and exit code 70."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.flags.optimize > 1:
        warn("Python leaves out docstrings (-OO, PYTHONOPTIMIZE=2), and the package is made from them too.")
        return 2
    code = 1
    try:
        code = _run()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        show_traceback(error)
        warn(f"The file system refused: {error.strerror or type(error).__name__}.")
        return 3
    except MemoryError as error:
        show_traceback(error)
        warn("There is too little memory for this command.")
        return 70
    except BaseException as error:  # the last line of defence
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise  # a library in Rust that panics raises a class of its own
        show_traceback(error)
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if isinstance(error, ImportError) and not missing:
            warn(f"A library could not be loaded ({error}). Memory or open files may be limited too much.")
        elif missing and not missing.startswith("defectors_data"):
            warn(f"{missing} is not installed. Run `pip install 'defectors-data[build]'`.")
        else:
            warn(_BUG)
        return 70
    return code


_BUG = (
    "This is a bug in defectors-data: it met something unexpected and stopped. The published folder is as it was. Run "
    "the command again with --debug for the traceback, and report it as an issue in the project's repository, without "
    "the name of any protected person."
)
"""Neither the error's class nor its message: a message may repeat what was typed of a protected person."""


def asked_for(words: list[str]) -> typer.Typer:
    """Return the command line with the one command that the words begin with: making all the others takes time.

    Whatever else they begin with, an option or a word that is mistyped, all of them are there to be told of.
    """
    commands = app.registered_commands
    only = copy.copy(app)
    only.registered_commands = [command for command in commands if [command.name] == words[:1]] or commands
    return only


def _run() -> int:
    """Run the command line; typer ends every command with `SystemExit`.

    `--debug` is taken out first, since it may stand before the command or after it.
    """
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    Manner.debug = "--debug" in words[:end]
    words = [word for word in words[:end] if word != "--debug"] + words[end:]
    try:
        asked_for(words)(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
