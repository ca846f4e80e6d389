"""The commands for readers of the data, such as `verify`, `why`, `cite`, `export`, `view` and `quotecheck`."""

from __future__ import annotations

import hashlib
import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Literal

import typer

from defectors_data.cli import arguments
from defectors_data.cli.arguments import Root, Style
from defectors_data.cli.output import Ends, ExitStatus, as_json, inform, publishing_errors, say, shown, stop, stop_on
from defectors_data.corpus import findings as f

Package = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="A published folder. Default: dist/ of the project.")
]


def verify(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A published folder. Default: dist/ of the project.")
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
        typer.Option("--fast", help="Check with DuckDB only, for packages of millions of rows. No article is read."),
    ] = False,
    stamp_ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, exists=True, help="The certificates of the time stamp authority."),
    ] = None,
) -> None:
    """Check a published package, with or without its articles.

    With the articles, every quotation is compared with them, and the quotations and numbers in them must be covered.
    """
    from defectors_data import given_files  # noqa: PLC0415
    from defectors_data.package import published_folder  # noqa: PLC0415

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
        from defectors_data.package import verify as verifier  # noqa: PLC0415

        own = None if folder else arguments.project(root) / "seeds"
        articles = seeds or (own if own and any(own.glob("*.txt")) else None)  # the texts of shards are not .txt files
        given = [*(["--seeds", str(articles)] if articles else []), str(published)]
        # The verifier prints its report itself, because it also runs without this program.
        with redirect_stdout(io.StringIO()) as output:
            code = verifier.main(given)
        # The line about Parquet files is left out, because they are checked below.
        (say if code else inform)(output.getvalue().replace(f"- {verifier.PARQUET}\n", "").rstrip("\n"))
        if code:
            say("Parquet files are compared with the CSV files only after these faults are fixed.")
            raise typer.Exit(1)
    _validate(published)
    if fast:
        inform("Not checked with --fast: whether the quoted words are in the articles.")
    _verify_stamp(published, stamp_ca)


def _verify_stamp(published: Path, authority: Path | None) -> None:
    """Report whether the time stamp of a published folder, if any, is valid; stop the command if it is not."""
    import subprocess  # noqa: PLC0415  # only for packages with a stamp

    from defectors_data.package import published_folder  # noqa: PLC0415

    if not (stamps := published.resolve().parent / "stamps").is_dir():
        return
    # A stamp covers SHA256SUMS, and so every file of the package; its file is named after that checksum.
    stamp = stamps / f"{hashlib.sha256((published / published_folder.SUMS).read_bytes()).hexdigest()}.tsr"
    if not stamp.is_file():
        inform(f"No time stamp: no file in {shown(stamps)} belongs to these checksums.")
    elif authority is None:
        inform(f"Time stamp: {shown(stamp)}, not checked without --stamp-ca.")
    else:
        given = ("-data", published / published_folder.SUMS, "-in", stamp, "-CAfile", authority)
        command = ["openssl", "ts", "-verify", *map(str, given)]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own arguments
        except FileNotFoundError:
            stop(1, "The time stamp cannot be checked: openssl is not installed.")
        if ran.returncode:
            stop(1, f"The time stamp {shown(stamp)} is not valid for these checksums and this authority.")
        inform(f"Time stamp: {shown(stamp)}, valid.")


def _validate(folder: Path) -> None:
    """Validate a published package with DuckDB; stop if there are faults."""
    from defectors_data import executors  # noqa: PLC0415
    from defectors_data.package import validation  # noqa: PLC0415

    executors.spare()
    try:
        report = validation.validate(folder)
    except ModuleNotFoundError as error:
        stop(
            2,
            f"Checking tables and Parquet files requires {error.name}: install the extra `build`.",
        )
    for fault in report.faults:
        say(f.printable(str(fault)))
    inform(f"Checked with DuckDB: {sum(report.rows.values()):,} rows in {len(report.rows)} tables.")
    if report.faults:
        raise typer.Exit(1)


def why(
    cell: Annotated[
        str, typer.Argument(metavar="TABLE/ID/COLUMN", help="A cell; without /COLUMN, all filled cells of a row.")
    ],
    root: Root = None,
    package: Package = None,
    style: Style = "text",
) -> None:
    """Show why a cell has its value, with the supporting words."""
    from defectors_data.readers import dataset  # noqa: PLC0415

    folder, published = _folders(package, root)
    try:
        found = dataset.trace(published, cell, seeds=folder / "seeds" if folder else None)
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
        str | None, typer.Argument(metavar="TABLE/ID", help="A record. Default: the whole dataset.")
    ] = None,
    root: Root = None,
    package: Package = None,
    form: Annotated[
        Literal["text", "bibtex", "ris", "csl"],
        typer.Option("--format", metavar="text|bibtex|ris|csl", help="The format of the citation."),
    ] = "text",
) -> None:
    """Print a citation of the dataset or of a record."""
    from defectors_data.readers import dataset  # noqa: PLC0415

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


def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="The format; docs/readers/formats.md describes each.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder to write to. An earlier export is replaced.")],
    seeds: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Your own copies of the articles, for a format that needs their text."),
    ] = None,
    root: Root = None,
    package: Package = None,
) -> None:
    """Export the published data to the format of another tool.

    A format that needs the text of the articles reads it from your own copies, which are checked first.
    """
    from defectors_data.readers import exports  # noqa: PLC0415

    folder, published = _folders(package, root)
    if folder:
        arguments.keep_apart(folder, out, also=("dist",))
    if form not in exports.FORMATS:
        stop(2, f"There is no format {form}. The formats are: {', '.join(exports.FORMATS)}.")
    if exports.FORMATS[form].needs_text and not seeds:
        stop(2, f"The format {form} needs the text of the articles: give the folder of your copies with --seeds.")
    with stop_on(_export_errors()):
        outcome = exports.export(published, form, out, seeds=seeds)
    inform(f"{shown(out)}: {outcome}", best_effort=True)
    if note := exports.FORMATS[form].note(out):
        inform(note, best_effort=True)


def _export_errors() -> Ends:
    """Return the exit code and message for each error that can occur while an export or restored package is written."""
    from defectors_data.readers import exports  # noqa: PLC0415

    return {
        **publishing_errors("nothing was written"),
        exports.ExportError: ExitStatus(1, lambda error: f"{error} Nothing was written."),
    }


def rehydrate(
    edition: Annotated[Path, typer.Argument(metavar="FOLDER", help="A standoff edition.")],
    seeds: Annotated[Path, typer.Option(metavar="FOLDER", help="Your own copies of the articles.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder to write the full package to.")],
) -> None:
    """Restore the full package from a standoff edition.

    The result is identical to the published package, byte for byte; otherwise nothing is written.
    """
    from defectors_data.readers import exports  # noqa: PLC0415

    if out.exists() and edition.exists() and out.samefile(edition):
        stop(2, f"{shown(out)} is the folder of the edition: choose another folder.")
    with stop_on(_export_errors()):
        outcome = exports.rehydrate(edition, out, seeds=seeds)
    inform(f"{shown(out)}: {outcome}", best_effort=True)


def view(
    seeds: Annotated[Path, typer.Option(metavar="FOLDER", help="Your own copies of the articles.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")] = Path("articles.html"),
    root: Root = None,
    package: Package = None,
) -> None:
    """Write whole articles with their records as one page.

    The copies must equal the annotated articles, byte for byte. The page contains the articles: do not publish it.
    """
    from defectors_data.package import atomic_publication  # noqa: PLC0415
    from defectors_data.readers import exports  # noqa: PLC0415
    from defectors_data.readers.annotated_articles import view as page  # noqa: PLC0415

    folder, published = _folders(package, root)
    arguments.refuse_page(folder, out)
    with stop_on({exports.ExportError: ExitStatus(2, str)}):
        content = page(published, seeds)
    atomic_publication.save(out, content)
    inform(f"{shown(out)}: written.")


def quotecheck(
    manuscript: Annotated[Path, typer.Argument(metavar="MANUSCRIPT", help="Your own text: .txt, .md, .html or .docx.")],
    seeds: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Your own copies of the articles, to search their whole text. Default: seeds/ of the project.",
        ),
    ] = None,
    root: Root = None,
    package: Package = None,
    style: Annotated[
        Literal["text", "json", "html"],
        typer.Option("--format", metavar="text|json|html", help="The format of the report."),
    ] = "text",
) -> None:
    """Compare quotations and numbers in a text with the data.

    The exit code is 0 if everything checked is verbatim, and otherwise 1. A number is never verbatim: only you can
    decide whether an article counts the same people or items.
    """
    from defectors_data.given_files import GivenFileError  # noqa: PLC0415
    from defectors_data.readers import exports, quotecheck  # noqa: PLC0415

    folder, published = _folders(package, root)
    own = folder / "seeds" if folder and any((folder / "seeds").glob("*.txt")) else None
    if not manuscript.exists():
        stop(2, f"There is no file {manuscript}.")
    with stop_on({exports.ExportError: ExitStatus(2, str), GivenFileError: ExitStatus(1, str)}):
        report = quotecheck.check(published, manuscript, seeds=seeds or own)
    if style == "json":
        say(as_json({"checked": [item._asdict() for item in report.checked], "whole_articles": report.is_whole}))
    elif style == "html":
        say(quotecheck.page(report, shown(manuscript)))
    else:
        for line in quotecheck.lines(report, shown(manuscript)):
            say(f.printable(line))
    if any(item.verdict != "verbatim" for item in report.checked):
        raise typer.Exit(1)
