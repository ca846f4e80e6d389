"""Write docs/publishers/cli.md: what every command says of itself with `--help`."""

from __future__ import annotations

from typer.main import get_command
from typer.testing import CliRunner

from defectors_data.cli import app

INTRODUCTION = """\
# The command line

This page is made from what every command says with `--help`.

| exit code | means |
|---|---|
| 0 | done |
| 1 | findings: something is wrong with what was read |
| 2 | usage: the command was not understood |
| 3 | the file system refused a write |
| 4 | another build runs |
| 70 | a bug of the program, or too little memory or too few open files, in one line; `--debug` shows the traceback |
| 130, 143 | stopped by a signal |

Any code but 0 means that the published folder is as it was. Paths are shown from where you stand.

- Findings are coloured on a terminal, and never where `NO_COLOR` is set or the output is a file or a pipe.
- A build that takes longer than a second says on standard error what it is at, on a terminal alone. `--verbose` says
  every step on a line of its own, wherever standard error goes; `--quiet` leaves out what went well. Both stand before
  the command.
- `--format json` prints one JSON document on standard output and nothing else.
- `defectors-data --install-completion` teaches your shell to complete commands, options and the names of seeds;
  `--show-completion` prints what it would install.
"""


def page() -> str:
    """Return docs/publishers/cli.md."""
    names = sorted(getattr(get_command(app), "commands", {}))
    return "\n".join([INTRODUCTION, _help(), *map(_help, names)])


def _help(*command: str) -> str:
    said = CliRunner().invoke(app, [*command, "--help"], prog_name="defectors-data", terminal_width=100, color=False)
    return f"## `{' '.join(['defectors-data', *command])}`\n\n```text\n{said.stdout}```\n"
