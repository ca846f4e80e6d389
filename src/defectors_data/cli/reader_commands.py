"""The commands of those who read the data: whether a package is whole, and why a cell holds what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from defectors_data.cli import arguments
from defectors_data.cli.arguments import Listing, Root
from defectors_data.cli.output import as_json, say, stop, tell
from defectors_data.corpus import findings as f


def verify(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A published folder. Default: dist/.")] = None,
    seeds: Annotated[Path | None, typer.Option(help="The folder of the articles. Default: seeds/, for dist/.")] = None,
    root: Root = None,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Check with DuckDB: for packages of millions of rows. The articles are not read."),
    ] = False,
) -> None:
    """Check a published package, and its quotations against the articles."""
    published = folder or arguments.project(root) / "dist"
    if not published.is_dir():
        stop(2, f"There is no folder {published}.")
    if fast and seeds:
        stop(2, "--fast does not read the articles: leave out --seeds, or --fast.")
    if not fast:
        from defectors_data.package.verify import main as run  # noqa: PLC0415

        project = None if folder else arguments.project(root)
        loose = project and any((project / "seeds").glob("*.txt"))  # texts packed with shards are no files
        articles = seeds or (project / "seeds" if project and loose else None)
        if run([*(["--seeds", str(articles)] if articles else []), str(published)]):
            say("Parquet files are compared with the CSV files when these faults are fixed.")
            raise typer.Exit(1)
    _validate(published)


def _validate(folder: Path) -> NoReturn:
    """Validate a published package with DuckDB, and end the command."""
    from defectors_data import executors  # noqa: PLC0415
    from defectors_data.package import validation  # noqa: PLC0415

    executors.spare()
    try:
        report = validation.validate(folder)
    except ModuleNotFoundError as error:
        stop(2, f"Tables and Parquet files are checked with {error.name}: pip install 'defectors-data[build]'.")
    for fault in report.faults:
        say(f.printable(str(fault)))
    tell(f"Checked with DuckDB: {sum(report.rows.values()):,} rows in {len(report.rows)} tables.")
    raise typer.Exit(1 if report.faults else 0)


def why(
    cell: Annotated[str, typer.Argument(metavar="TABLE/ID[/COLUMN]", help="A cell, or all cells of a row.")],
    root: Root = None,
    package: Annotated[Path | None, typer.Option(help="A published folder. Default: dist/ of the project.")] = None,
    style: Annotated[Listing, typer.Option("--format", help="How it is written.")] = Listing.text,
) -> None:
    """Show why a cell holds what it holds: its certificate, and the sentence with a caret under the words."""
    from defectors_data import dataset  # noqa: PLC0415

    folder = None if package else arguments.project(root)
    seeds = folder / "seeds" if folder else None
    published = package or Path(str(folder)) / "dist"
    try:
        found = dataset.trace(published, cell, seeds=seeds)
    except dataset.NoCell as error:
        stop(1, str(error))
    if style is Listing.json:
        say(as_json([dataset.record(item) for item in found]))
        return
    for item in found:
        for line in dataset.lines(item):
            say(f.printable(line))
