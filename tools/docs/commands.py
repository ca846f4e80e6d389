"""Generate docs/publishers/cli.md from the `--help` output of every command."""

from __future__ import annotations

from typer.main import get_command
from typer.testing import CliRunner

from defectors_data.cli import app

INTRODUCTION = """\
# The command line

This page is generated from the `--help` output of every command.

| exit code | means |
|---|---|
| 0 | success |
| 1 | findings: the input has errors |
| 2 | usage: unknown or invalid arguments |
| 3 | a file could not be read or written |
| 4 | another build is running |
| 70 | a bug, or too little memory or too few open files, reported in one line; `--debug` shows the traceback |
| 130, 143 | stopped by a signal |

With any code except 0, the published folder is unchanged. Paths are relative to the working directory.

- Findings are coloured on a terminal, unless `NO_COLOR` is set. Output to a file or a pipe is never coloured.
- If standard error is a terminal, a command that takes longer than a second shows its progress there. `--verbose`
  prints each step on a separate line, also to a file; `--quiet` prints only problems.
- `-q`, `-v` and `--debug` can be written before the command or after it, and so can `--root` and `--format` for
  commands that have them. `-h` shows the help of every command.
- `--format json` prints one JSON document on standard output and nothing else.
- `defectors-data --install-completion` installs shell completion for commands, options and names of seeds;
  `--show-completion` prints what it would install.
"""


def page() -> str:
    """Return docs/publishers/cli.md."""
    names = sorted(getattr(get_command(app), "commands", {}))
    return "\n".join([INTRODUCTION, _help(), *map(_help, names)])


def _help(*command: str) -> str:
    result = CliRunner().invoke(app, [*command, "--help"], prog_name="defectors-data", terminal_width=100, color=False)
    return f"## `{' '.join(['defectors-data', *command])}`\n\n```text\n{result.stdout}```\n"
