"""Commands that exchange data and compare texts: import, export, quotecheck, agreement."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from defectors_data.cli import arguments
from defectors_data.cli.arguments import Root, Style, complete_update, takedown_errors
from defectors_data.cli.output import (
    Ends,
    ExitStatus,
    as_json,
    inform,
    publishing_errors,
    report,
    say,
    shown,
    stop,
    stop_on,
)
from defectors_data.cli.reader_commands import Package, _folders
from defectors_data.corpus import findings as f
from defectors_data.documents import agreement_table
from defectors_data.edits.atomic_update import locked, update
from defectors_data.given_files import GivenFileError
from defectors_data.models.counts import listed
from defectors_data.models.project import CodeExample
from defectors_data.package import atomic_publication
from defectors_data.readers import exports, quotecheck
from defectors_data.readers.annotated_articles import view as page
from defectors_data.rows import agreement, readings


def compare_readings(
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help="A reading: NAME or FOLDER/NAME of annotations/readings/FOLDER/SEED.NAME.yaml, or `records`.",
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="SECOND", help="Another reading, or `records`: the annotation files."
        ),
    ],
    root: Root = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List each difference, for adjudication.")
    ] = False,
    style: Style = "text",
) -> None:
    """Compare two readings of the same articles, record by record."""
    folder = arguments.project(root)
    found = agreement.report(folder, first, second)
    if found.findings:
        report(found.findings, folder, style)
    if not found.articles:
        names = (first, second)
        given = [readings.file_of("SEED", name) for name in names if name != readings.RECORDS]
        stop(2, f"No article has both readings: expected {' and '.join(given)}.")
    data = found.as_data()
    if listed:
        data["disagreements"] = found.disagreements
    if style == "json":
        say(as_json(data))
        return
    say(f"{agreement_table.who(data)}\n\n{agreement_table.table(data)}")
    for seed, differences in data.get("disagreements", {}).items():
        for each in differences:
            values = " / ".join(each.values)
            say(f"seeds/{seed}.txt:{each.line}: {each.kind}.{each.code}: {values}")


def import_(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="The format; docs/annotators/other-tools.md lists them."
        ),
    ],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="What the tool exported: a file, a zip archive or a folder."
        ),
    ],
    label_map: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="What the labels of another project become. Without it, unknown labels are listed.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the annotation files here. Default: annotations/ of the project.",
        ),
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder of the articles. Default: seeds/ of the project."
        ),
    ] = None,
    root: Root = None,
) -> None:
    """Import records from another tool as drafts.

    New and changed testimonies and figures get `draft: true`, and `check` reports them until a
    person has compared them with the article. Everything else in the annotation files is kept.
    """
    from defectors_data.annotators import imports  # noqa: PLC0415  # of the commands here, only this one needs it

    folder = arguments.project(root)
    if form not in imports.READERS:
        stop(2, f"There is no format {form}. The formats are: {', '.join(imports.READERS)}.")
    for given in (file, label_map):
        if given and not given.exists():
            stop(2, f"There is no file {given}.")
    complete_update(folder)
    documents = arguments.documents(folder)
    report(
        sorted(finding for document in documents for finding in document.anchoring_findings), folder
    )
    context, _ = arguments.corpus(folder).context
    if context is None:  # `documents` has reported why
        raise typer.Exit(1)
    not_readable: Ends = {
        GivenFileError: ExitStatus(1, lambda error: f"{error} Nothing was written.")
    }
    with stop_on({**not_readable, **takedown_errors("nothing was written")}):
        found = imports.plan(
            documents,
            context,
            form,
            file,
            seeds=seeds or folder / "seeds",
            label_map=label_map,
        )
        if out and found.changes:
            imports.save_to(out, found)
        elif found.changes:
            with locked(folder):
                update(folder, found.changes)
    for line in found.lines:
        say(f.printable(line), best_effort=True)
    if found.problem:
        stop(1, f"{found.problem} Nothing was written.")
    written = []
    for each in found.changes:
        path = out / Path(each.file).name if out else folder / each.file
        written.append(shown(path))
    if written:
        inform(f"{', '.join(written)}: written. Next: defectors-data check")
    else:
        inform("Nothing was written.")


def export(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            help=f"One of {listed(list(exports.FORMATS))}, or a program that reads one: "
            f"{listed(list(exports.PROGRAMS))}. docs/readers/formats.md describes each.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", help="The folder to write to. An earlier export is replaced."
        ),
    ],
    seeds: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Your own copies of the articles, for a format that needs their text.",
        ),
    ] = None,
    without_relatives: Annotated[
        bool,
        typer.Option(
            "--without-relatives",
            help="Leave out testimonies about relatives who are harmed or at risk.",
        ),
    ] = False,
    root: Root = None,
    package: Package = None,
) -> None:
    """Export the published data to the format of another tool.

    A format that needs the text of the articles reads it from your own copies, which are checked
    first.
    """
    folder, published = _folders(package, root)
    if folder:
        arguments.keep_apart(folder, out, also=("dist",))
    form = exports.PROGRAMS.get(form, form)
    if form not in exports.FORMATS:
        stop(2, f"There is no format {form}. The formats are: {', '.join(exports.FORMATS)}.")
    if exports.FORMATS[form].needs_text and not seeds:
        stop(
            2,
            f"The format {form} needs the text of the articles: give the folder of your copies with --seeds.",
        )
    if exports.FORMATS[form].needs_text and without_relatives:
        stop(
            2, f"The format {form} restores whole articles, and so leaves out nothing of relatives."
        )
    with stop_on(_export_errors()):
        outcome = exports.export(
            published,
            form,
            out,
            seeds=seeds,
            without_relatives=without_relatives,
            examples=_examples_of_codes(folder),
        )
    inform(f"{shown(out)}: {outcome}", best_effort=True)
    if note := exports.FORMATS[form].note(out):
        inform(note, best_effort=True)


def _examples_of_codes(folder: Path | None) -> tuple[CodeExample, ...]:
    """Return the examples of codes in the vocabulary of a project, if its files can be read."""
    context = arguments.corpus(folder).context[0] if folder else None
    return context.vocabulary.content.examples if context else ()


def _export_errors() -> Ends:
    """Return the exit code and message for each error of an export or a restored package."""
    return {
        **publishing_errors("nothing was written"),
        exports.ExportError: ExitStatus(1, lambda error: f"{error} Nothing was written."),
    }


def rehydrate(
    edition: Annotated[Path, typer.Argument(metavar="FOLDER", help="A standoff edition.")],
    seeds: Annotated[Path, typer.Option(metavar="FOLDER", help="Your own copies of the articles.")],
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder to write the full package to.")
    ],
) -> None:
    """Restore the full package from a standoff edition.

    The result is identical to the published package, byte for byte; otherwise nothing is written.
    """
    if out.exists() and edition.exists() and out.samefile(edition):
        stop(2, f"{shown(out)} is the folder of the edition: choose another folder.")
    with stop_on(_export_errors()):
        outcome = exports.rehydrate(edition, out, seeds=seeds)
    inform(f"{shown(out)}: {outcome}", best_effort=True)


def view(
    seeds: Annotated[Path, typer.Option(metavar="FOLDER", help="Your own copies of the articles.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")] = Path(
        "articles.html"
    ),
    root: Root = None,
    package: Package = None,
) -> None:
    """Write whole articles with their records as one page.

    The copies must equal the annotated articles, byte for byte. The page contains the articles: do
    not publish it.
    """
    folder, published = _folders(package, root)
    arguments.refuse_page(folder, out)
    with stop_on({exports.ExportError: ExitStatus(2, str)}):
        content = page(published, seeds)
    atomic_publication.save(out, content)
    inform(f"{shown(out)}: written.")


def check_quotations(
    manuscript: Annotated[
        Path, typer.Argument(metavar="MANUSCRIPT", help="Your own text: .txt, .md, .html or .docx.")
    ],
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

    The exit code is 0 if everything checked is verbatim, and otherwise 1. A number is never
    verbatim: only you can decide whether an article counts the same people or items.
    """
    folder, published = _folders(package, root)
    own = None
    if folder and any((folder / "seeds").glob("*.txt")):
        own = folder / "seeds"
    if not manuscript.exists():
        stop(2, f"There is no file {manuscript}.")
    with stop_on({exports.ExportError: ExitStatus(2, str), GivenFileError: ExitStatus(1, str)}):
        report = quotecheck.check(published, manuscript, seeds=seeds or own)
    if style == "json":
        say(
            as_json(
                {
                    "checked": [item._asdict() for item in report.checked],
                    "whole_articles": report.is_whole,
                }
            )
        )
    elif style == "html":
        say(quotecheck.page(report, shown(manuscript)))
    else:
        for line in quotecheck.lines(report, shown(manuscript)):
            say(f.printable(line))
    if any(item.verdict != "verbatim" for item in report.checked):
        raise typer.Exit(1)
