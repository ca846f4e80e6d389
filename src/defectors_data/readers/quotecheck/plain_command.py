"""The command `quotecheck` without the extra `build`: its text report on a published folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from defectors_data.given_files import GivenFileError
from defectors_data.package.published_folder import PackageNotFoundError
from defectors_data.readers.article_copies import ExportError
from defectors_data.readers.quotecheck import check, lines, page


def main(arguments: Sequence[str]) -> int:
    """Write the report on a manuscript, and return the exit code."""
    parser = argparse.ArgumentParser("defectors-data quotecheck")
    parser.add_argument("manuscript", type=Path)
    parser.add_argument("--package", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--seeds", type=Path, metavar="FOLDER")
    parser.add_argument("--format", choices=["text", "html"], default="text", dest="style")
    options = parser.parse_args(arguments)
    try:
        report = check(options.package, options.manuscript, seeds=options.seeds)
    except GivenFileError as error:
        sys.stderr.writelines([f"{error}\n"])
        return 1
    except (ExportError, PackageNotFoundError, OSError) as error:
        sys.stderr.writelines([f"{error}\n"])
        return 2
    name = str(options.manuscript)
    output = [page(report, name)] if options.style == "html" else lines(report, name)
    for line in output:
        sys.stdout.writelines([f"{line}\n"])
    return int(any(item.verdict != "verbatim" for item in report.checked))
