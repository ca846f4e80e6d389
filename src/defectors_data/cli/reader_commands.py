"""The commands for readers of the data: verify, why and cite."""

from __future__ import annotations

import hashlib
import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Literal

import typer

from defectors_data import executors, given_files
from defectors_data.cli import arguments
from defectors_data.cli.arguments import Root, Style
from defectors_data.cli.output import ExitStatus, as_json, inform, say, shown, stop, stop_on
from defectors_data.corpus import findings as f
from defectors_data.package import published_folder, validation
from defectors_data.package import verify as verifier
from defectors_data.readers import dataset

Package = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="A published folder. Default: dist/ of the project."),
]


def verify(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="A published folder. Default: dist/ of the project."),
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder of the articles. Default: seeds/ of the project, if no published folder is given.",
        ),
    ] = None,
    root: Root = None,
    fast: Annotated[
        bool,
        typer.Option(
            "--fast",
            help="Check with DuckDB only, for packages of millions of rows. No article is read.",
        ),
    ] = False,
    stamp_ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            exists=True,
            help="The certificates of the time stamp authority.",
        ),
    ] = None,
) -> None:
    """Check a published package, with or without its articles.

    With the articles, every quotation is compared with them, and the quotations and numbers in them
    must be covered.
    """
    if stamp_ca:
        given_files.opened(stamp_ca).close()  # openssl would wait for a pipe
    published = folder or arguments.project(root) / "dist"
    if not published.is_dir():
        stop(2, f"There is no folder {published}.")
    published_folder.refuse_export(published, published_folder.described(published))
    if fast and seeds:
        stop(2, "--fast reads no article: leave out --seeds or --fast.")
    if seeds and not seeds.is_dir():
        stop(2, f"There is no folder {seeds}.")
    if not fast:
        own = None if folder else arguments.project(root) / "seeds"
        articles = seeds
        if not seeds and own and any(own.glob("*.txt")):  # the texts of shards are not .txt files
            articles = own
        given = [str(published)]
        if articles:
            given = ["--seeds", str(articles), *given]
        # The verifier prints its report itself, because it also runs without this program.
        with redirect_stdout(io.StringIO()) as output:
            code = verifier.main(given)
        # The line about Parquet files is left out, because they are checked below.
        printed = output.getvalue().replace(f"- {verifier.PARQUET}\n", "").rstrip("\n")
        show = say if code else inform
        show(printed)
        if code:
            say("Parquet files are compared with the CSV files only after these faults are fixed.")
            raise typer.Exit(1)
    _validate(published)
    if fast:
        inform("Not checked with --fast: whether the quoted words are in the articles.")
    _verify_stamp(published, stamp_ca)


def _verify_stamp(published: Path, authority: Path | None) -> None:
    """Report the state of the time stamp of a published folder; stop if it is not valid."""
    import subprocess  # noqa: PLC0415  # only for packages with a stamp

    stamps = published.resolve().parent / "stamps"
    if not stamps.is_dir():
        if authority:
            inform(f"No time stamp: there is no folder {shown(stamps)}.")
        return
    # A stamp covers SHA256SUMS, and so every file of the package; its file is named after that
    # checksum.
    stamp = (
        stamps
        / f"{hashlib.sha256((published / published_folder.SUMS).read_bytes()).hexdigest()}.tsr"
    )
    if not stamp.is_file():
        inform(f"No time stamp: no file in {shown(stamps)} belongs to these checksums.")
    elif authority is None:
        inform(f"Time stamp: {shown(stamp)}, not checked without --stamp-ca.")
    else:
        given = ("-data", published / published_folder.SUMS, "-in", stamp, "-CAfile", authority)
        command = ["openssl", "ts", "-verify", *map(str, given)]
        try:
            # The arguments are our own.
            ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        except FileNotFoundError:
            stop(1, "The time stamp cannot be checked: openssl is not installed.")
        if ran.returncode:
            stop(
                1,
                f"The time stamp {shown(stamp)} is not valid for these checksums and this authority.",
            )
        inform(f"Time stamp: {shown(stamp)}, valid.")


def _validate(folder: Path) -> None:
    """Validate a published package with DuckDB; stop if there are faults."""
    from defectors_data.models.tables import ROW_OF  # noqa: PLC0415  # only for this report

    executors.spare()
    try:
        report = validation.validate_apart(folder)
    except ModuleNotFoundError as error:
        stop(
            2,
            f"Checking tables and Parquet files requires {error.name}: install the extra `build`.",
        )
    for fault in report.faults:
        say(f.printable(str(fault)))
    absent = [table for table in ROW_OF if table not in report.rows]
    without = ""
    if absent:
        without = f"; not in this package: {', '.join(absent)}"
    rows = f"{sum(report.rows.values()):,} rows in {len(report.rows)} tables"
    inform(f"Checked with DuckDB: {rows}{without}.")
    if report.faults:
        raise typer.Exit(1)


def why(
    cell: Annotated[
        str,
        typer.Argument(
            metavar="TABLE/ID/COLUMN", help="A cell; without /COLUMN, all filled cells of a row."
        ),
    ],
    root: Root = None,
    package: Package = None,
    style: Style = "text",
) -> None:
    """Show why a cell has its value, with the supporting words."""
    folder, published = _folders(package, root)
    try:
        seeds = folder / "seeds" if folder else None
        found = dataset.trace(published, cell, seeds=seeds)
    except dataset.CellNotFoundError as error:
        stop(1, str(error))
    if style == "json":
        say(as_json([dataset.record(item) for item in found]))
        return
    for item in found:
        for line in dataset.lines(item):
            say(f.printable(line))


def cite(
    record: Annotated[
        str | None,
        typer.Argument(metavar="[TABLE/]ID", help="A record. Default: the whole dataset."),
    ] = None,
    root: Root = None,
    package: Package = None,
    form: Annotated[
        Literal["text", "bibtex", "ris", "csl", "json"],
        typer.Option(
            "--format", metavar="text|bibtex|ris|csl|json", help="The format of the citation."
        ),
    ] = "text",
) -> None:
    """Print a citation of the dataset or of a record."""
    _, published = _folders(package, root)
    with stop_on({dataset.CellNotFoundError: ExitStatus(1, str)}):
        # Split, because `printable` would replace the line feeds.
        lines = dataset.cited(published, record, form).split("\n")
    say("\n".join(map(f.printable, lines)))


def _folders(package: Path | None, root: Path | None) -> tuple[Path | None, Path]:
    """Return the project's folder, or None if `package` is given, and the published folder."""
    if package:
        return None, package
    folder = arguments.project(root)
    return folder, folder / "dist"
