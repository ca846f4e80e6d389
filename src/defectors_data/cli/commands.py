"""The commands: names, summaries and examples; a command is imported when it is called."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple

import typer


class CommandEntry(NamedTuple):
    """A command, as the help lists it."""

    heading: str
    name: str
    function: str
    """The module in `cli/` and the function, such as `reader_commands:why`."""
    summary: str
    """The first line of the function's docstring, so that `--help` need not import it."""
    example: str
    """An example, without the name of the program."""
    first: bool = False
    """Whether the help lists the command without `--all`."""


_CORPUS = "Commands for a corpus"
_ANNOTATORS = "Commands for annotators"
_READERS = "Commands for readers of a package"
_RELEASES = "Commands for releases"

COMMANDS = (
    CommandEntry(
        _CORPUS,
        "init",
        "corpus_commands:init",
        "Start a corpus of your own, empty or with an annotated example.",
        "init my-corpus",
        first=True,
    ),
    CommandEntry(
        _CORPUS,
        "build",
        "corpus_commands:build",
        "Check everything, and publish if there are no findings.",
        "build --out build/dist",
        first=True,
    ),
    CommandEntry(
        _CORPUS,
        "check",
        "check_command:check",
        "Check the annotations, and show where each finding is.",
        "check annotations/000_d0d957609dc7296e.yaml",
        first=True,
    ),
    CommandEntry(
        _CORPUS,
        "schema",
        "corpus_commands:schema",
        "Write the schemas of files and tables to schema/.",
        "schema --check",
    ),
    CommandEntry(
        _CORPUS,
        "shard",
        "corpus_commands:shard",
        "Write the corpus as shards: JSON Lines and Parquet.",
        "shard --out ../corpus-of-shards",
    ),
    CommandEntry(
        _ANNOTATORS,
        "draft",
        "annotator_commands:draft",
        "Write a first annotation file for a new seed.",
        "draft seeds/005_new_article.txt",
        first=True,
    ),
    CommandEntry(
        _ANNOTATORS,
        "annotate",
        "annotator_commands:annotate",
        "Edit the records of an article on a local page.",
        "annotate 000_d0d957609dc7296e",
        first=True,
    ),
    CommandEntry(
        _ANNOTATORS,
        "todo",
        "annotator_commands:todo",
        "List the uncovered quotations and numbers, as YAML to paste.",
        "todo 000_d0d957609dc7296e --all",
        first=True,
    ),
    CommandEntry(
        _ANNOTATORS,
        "locate",
        "annotator_commands:locate",
        "Find words, or similar ones, in a seed, and show them as YAML to paste.",
        'locate 000_d0d957609dc7296e "the words to find"',
    ),
    CommandEntry(
        _ANNOTATORS,
        "number",
        "annotator_commands:number",
        "Show how a number is read, and which parts are guesses.",
        'number "some 3.4 million people"',
    ),
    CommandEntry(
        _ANNOTATORS,
        "ids",
        "annotator_commands:ids",
        "Give ids to the records that have none.",
        "ids annotations/005_new_article.yaml",
    ),
    CommandEntry(
        _ANNOTATORS,
        "fix",
        "annotator_commands:fix",
        "Correct evidence that differs from its seed only in easily missed characters.",
        "fix --dry-run",
    ),
    CommandEntry(
        _ANNOTATORS,
        "import",
        "exchange_commands:import_",
        "Import records from another tool as drafts.",
        "import brat annotated.zip",
        first=True,
    ),
    CommandEntry(
        _ANNOTATORS,
        "reanchor",
        "release_commands:reanchor",
        "Show where the evidence is in a corrected article.",
        "reanchor 900_example corrected.txt --write",
    ),
    CommandEntry(
        _ANNOTATORS,
        "second-reading",
        "annotator_commands:second_reading",
        "Write a file without records, for a blind reading of an article.",
        "second-reading 000_d0d957609dc7296e",
    ),
    CommandEntry(
        _ANNOTATORS,
        "agreement",
        "exchange_commands:compare_readings",
        "Compare two readings of the same articles, record by record.",
        "agreement 2026-11-26/reader-5 2026-11-26/reader-6",
    ),
    CommandEntry(
        _READERS,
        "verify",
        "reader_commands:verify",
        "Check a published package, with or without its articles.",
        "verify build/rebuilt --seeds seeds",
        first=True,
    ),
    CommandEntry(
        _READERS,
        "why",
        "reader_commands:why",
        "Show why a cell has its value, with the supporting words.",
        "why figures/900-example-f1/high",
        first=True,
    ),
    CommandEntry(
        _READERS,
        "cite",
        "reader_commands:cite",
        "Print a citation of the dataset or of a record.",
        "cite testimonies/900-example-t1",
        first=True,
    ),
    CommandEntry(
        _READERS,
        "verify-citation",
        "release_commands:verify_citation",
        "Show whether a cited record is unchanged in a release.",
        "verify-citation 900-example-t1@1.0.0:sha256:... dist",
    ),
    CommandEntry(
        _READERS,
        "quotecheck",
        "exchange_commands:check_quotations",
        "Compare quotations and numbers in a text with the data.",
        "quotecheck article.docx",
        first=True,
    ),
    CommandEntry(
        _READERS,
        "view",
        "exchange_commands:view",
        "Write whole articles with their records as one page.",
        "view --seeds my-copies --out articles.html",
    ),
    CommandEntry(
        _READERS,
        "export",
        "exchange_commands:export",
        "Export the published data to the format of another tool.",
        "export sqlite --out build/sqlite",
        first=True,
    ),
    CommandEntry(
        _READERS,
        "rehydrate",
        "exchange_commands:rehydrate",
        "Restore the full package from a standoff edition.",
        "rehydrate build/standoff --seeds my-copies --out build/full",
    ),
    CommandEntry(
        _RELEASES,
        "diff",
        "release_commands:diff",
        "Show which records differ between two packages, and how.",
        "diff --html build/changes.html",
        first=True,
    ),
    CommandEntry(
        _RELEASES,
        "release",
        "release_commands:release",
        "Publish the version in dataset.yaml, and record that it is released.",
        "release --first-release",
        first=True,
    ),
    CommandEntry(
        _RELEASES,
        "history",
        "release_commands:history",
        "Show in which versions and commits a record changed.",
        "history 900-example-t1",
    ),
    CommandEntry(
        _RELEASES,
        "zip",
        "release_commands:pack",
        "Pack dist/ and its standoff edition into zip files.",
        "zip --out .",
    ),
    CommandEntry(
        _RELEASES,
        "takedown",
        "release_commands:takedown",
        "Remove a record and what depends on it, and publish.",
        "takedown 900-example-t1 --reason person",
    ),
)
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


def _made(entry: CommandEntry) -> Any:
    """Return a command of typer from its entry."""
    module, function = entry.function.split(":")
    single = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    decorate = single.command(entry.name, epilog=f"Example: defectors-data {entry.example}")
    decorate(getattr(import_module(f"defectors_data.cli.{module}"), function))
    return typer.main.get_command(single)
