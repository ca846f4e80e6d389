"""Generate docs/publishers/cli.md from the parameters of every command."""

from __future__ import annotations

from typing import Any

from typer.main import get_command

from defectors_data.cli import app
from defectors_data.cli.commands import COMMANDS, CommandEntry

INTRODUCTION = """\
# The command line

Every command with its options, as `defectors-data COMMAND --help` prints them.
An option that several commands have is explained once.

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
- `-q`, `-v` and `--debug` can be written before the command or after it, and so can `--root` and `--format` for
  commands that have them. `-h` shows the help of every command.
- `--format json` prints one JSON document on standard output and nothing else."""


def page() -> str:
    """Return docs/publishers/cli.md; an option that several commands have is explained once."""
    root: Any = get_command(app)
    explained = {param.help for param in root.params}
    parts = [INTRODUCTION, _summary(root), _options(root, set())]
    for entry in COMMANDS:
        command = root.commands[entry.name]
        parts += [f"## `{entry.name}`", _usage(command, entry), _options(command, explained)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _summary(root: Any) -> str:
    """Return the heading of the options of the program."""
    return f"## Options of every command\n\n{root.help}"


def _usage(command: Any, entry: CommandEntry) -> str:
    """Return the description of a command with its example."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in str(command.help).split("\n\n")]
    paragraphs.append(f"`defectors-data {entry.example}`")
    return "\n\n".join(paragraphs)


def _options(command: Any, explained: set[str | None]) -> str:
    """Return a list of the arguments and options of a command; those that were explained are only named."""
    lines, repeated = [], []
    for param in command.params:
        if param.name in ("install_completion", "show_completion"):
            continue  # of the shell, not of the program
        label = _label(param)
        if param.help in explained:
            repeated.append(label)
        else:
            explained.add(param.help)
            lines.append(f"- {label}: {param.help}")
    if repeated:
        lines += ["", f"Also: {', '.join(repeated)}."]
    return "\n".join(lines).lstrip("\n")


def _label(param: Any) -> str:
    """Return an option with the word for its value, such as `--root FOLDER`, or the word for an argument."""
    if param.param_type_name == "argument":
        return f"`{param.metavar or param.name.upper()}`"
    names = ", ".join(param.opts)
    value = "" if param.is_flag else f" {param.metavar or param.name.upper()}"
    return f"`{names}{value}`"
