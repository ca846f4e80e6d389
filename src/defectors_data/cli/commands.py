"""The commands: names, summaries and examples; a command is imported when it is called."""

from __future__ import annotations

import csv
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import typer

from defectors_data.executors import LEAST_TO_LOAD, AddressSpaceError, low_limit


class CommandEntry(NamedTuple):
    """A command, as the help lists it: a row of `commands.csv`."""

    heading: str
    name: str
    function: str
    """The module in `cli/` and the function, such as `reader_commands:why`."""
    first: str
    """`yes` if the help lists the command without `--all`."""
    summary: str
    """The first line of the function's docstring, so that `--help` need not import it."""
    example: str
    """An example, without the name of the program."""


_LINES = (Path(__file__).parent / "commands.csv").read_text(encoding="utf-8").splitlines()
COMMANDS = tuple(CommandEntry(**row) for row in csv.DictReader(_LINES, strict=True))
"""The commands in the order of the help."""


class CommandsByName(MutableMapping[str, Any]):
    """The commands of typer by name, each of which is made when it is looked up."""

    def __init__(self) -> None:
        """Start without any command."""
        self._made: dict[str, Any] = {}
        self._entries = {command.name: command for command in COMMANDS}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(self._entries[name])
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def headings(*, everything: bool) -> dict[str, list[CommandEntry]]:
    """Return the commands by heading: all of them, or those that the help lists first."""
    found: dict[str, list[CommandEntry]] = {}
    for command in COMMANDS:
        if everything or command.first:
            found.setdefault(command.heading, []).append(command)
    return found


_WITHOUT_ARROW = "check_command"
"""The module of the command that needs little memory, and loads none of these libraries."""


def _made(entry: CommandEntry) -> Any:
    """Return a command of typer from its entry.

    Raises:
        AddressSpaceError: the limit on memory is too low for the libraries of the command.
    """
    module, function = entry.function.split(":")
    if module != _WITHOUT_ARROW and (problem := low_limit(LEAST_TO_LOAD)):
        raise AddressSpaceError(problem)
    single = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    decorate = single.command(entry.name, epilog=f"Example: defectors-data {entry.example}")
    decorate(getattr(import_module(f"defectors_data.cli.{module}"), function))
    return typer.main.get_command(single)
