"""The commands that need no extra: `why`, `cite`, `verify` and `quotecheck` on a published folder.

The folder is that of `--package`, or else the one that is installed with the library.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from defectors_data.given_files import GivenFileError
from defectors_data.package import verify
from defectors_data.package.published_folder import PackageNotFoundError
from defectors_data.readers import dataset, quotecheck
from defectors_data.readers.article_copies import ExportError


def main(command: str, arguments: Sequence[str]) -> int:
    """Run a command, and return the exit code."""
    try:
        return COMMANDS[command](arguments)
    except (GivenFileError, dataset.CellNotFoundError) as error:
        sys.stderr.writelines([f"{error}\n"])
        return 1
    except (ExportError, PackageNotFoundError, OSError) as error:
        sys.stderr.writelines([f"{error}\n"])
        return 2


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(f"defectors-data {command}")
    parser.add_argument("--package", type=Path, metavar="FOLDER", default=dataset.folder())
    return parser


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.writelines([f"{line}\n"])


def _why(arguments: Sequence[str]) -> int:
    parser = _parser("why")
    parser.add_argument("cell", metavar="TABLE/ID/COLUMN")
    options = parser.parse_args(arguments)
    for traced in dataset.trace(options.package, options.cell):
        _print(dataset.lines(traced))
    return 0


def _cite(arguments: Sequence[str]) -> int:
    parser = _parser("cite")
    parser.add_argument("record", metavar="TABLE/ID", nargs="?")
    forms = ["text", "bibtex", "ris", "csl", "json"]
    parser.add_argument("--format", choices=forms, default="text", dest="style")
    options = parser.parse_args(arguments)
    _print([dataset.cited(options.package, options.record, options.style)])
    return 0


def _verify(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("defectors-data verify")
    parser.add_argument("package", metavar="FOLDER", nargs="?", default=str(dataset.folder()))
    parser.add_argument("--seeds", metavar="FOLDER")
    options = parser.parse_args(arguments)
    seeds = ["--seeds", options.seeds] if options.seeds else []
    return verify.main([*seeds, options.package])


def _quotecheck(arguments: Sequence[str]) -> int:
    parser = _parser("quotecheck")
    parser.add_argument("manuscript", type=Path)
    parser.add_argument("--seeds", type=Path, metavar="FOLDER")
    parser.add_argument("--format", choices=["text", "html"], default="text", dest="style")
    options = parser.parse_args(arguments)
    report = quotecheck.check(options.package, options.manuscript, seeds=options.seeds)
    name = str(options.manuscript)
    if options.style == "html":
        _print([quotecheck.page(report, name)])
    else:
        _print(quotecheck.lines(report, name))
    return int(any(item.verdict != "verbatim" for item in report.checked))


COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "why": _why,
    "cite": _cite,
    "verify": _verify,
    "quotecheck": _quotecheck,
}
"""The commands by name, each with a function that takes its arguments and returns the exit code."""
