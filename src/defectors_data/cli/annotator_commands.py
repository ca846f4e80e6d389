"""The commands for annotators, from `check` and `todo` to `annotate` and `import`."""

from __future__ import annotations

import hashlib
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from defectors_data.annotators import fixes
from defectors_data.annotators.drafts import first_draft
from defectors_data.annotators.number_interpretations import numbers_in, worded
from defectors_data.annotators.word_search import locate as find
from defectors_data.annotators.worklist import remaining
from defectors_data.annotators.worklist import summary as closing_line
from defectors_data.cli import arguments
from defectors_data.cli.arguments import Root, Seed, Style, complete_update, takedown_errors
from defectors_data.cli.output import (
    ExitStatus,
    as_json,
    end,
    inform,
    report,
    say,
    shown,
    stop,
    stop_on,
)
from defectors_data.corpus import findings as f
from defectors_data.corpus.file_tree import written_text
from defectors_data.corpus.reader import SHARED_FILES, source_ids, text_of
from defectors_data.edits.atomic_update import FileChange, locked, update
from defectors_data.edits.yaml_editor import UneditableTextError
from defectors_data.models.fields import FILE_NAME, FORMS
from defectors_data.package import atomic_publication
from defectors_data.rows import readings

if TYPE_CHECKING:
    from defectors_data.annotators.worklist import WorklistItem


def locate(
    seed: Seed,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The words to find.")],
    root: Root = None,
) -> None:
    """Find words, or similar ones, in a seed, and show them as YAML to paste."""
    folder = arguments.project(root)
    file = arguments.seed_file(folder, seed)
    if file:
        content, findings = text_of(folder, file)
        report(findings, folder)
    else:
        document = arguments.documents(folder, seed)[0]
        file, content = document.seed, document.text
    located = find(text, shown(folder / file), content or "", arguments.corpus(folder).texts())
    say("\n".join(map(f.printable, located.lines)))
    end(findings=not located.found)


def number(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words with a number.")],
    style: Style = "text",
) -> None:
    """Show how a number is read, and which parts are guesses."""
    found = numbers_in(text, arguments.nearest())
    lines = [*map(worded, found)] or [
        "These words contain no number in English, the only language that is read."
    ]
    if style == "json":
        say(as_json(found))
    else:
        say("\n".join(lines))
    end(findings=not found)


def _reading_file(folder: Path, seed: str, name: str) -> Path:
    """Return the file of a reading of a seed; stop if the name is not permitted."""
    file = arguments.required_seed_file(folder, seed)
    if not readings.NAME.fullmatch(name) or name in readings.NO_READINGS:
        stop(
            2,
            "The name of a reading must have only lower-case letters, digits and single hyphens, "
            "and not be `records` or `adjudicated`.",
        )
    return folder / readings.file_of(Path(file).stem, name)


def _begin_reading(folder: Path, seed: str, target: Path) -> None:
    """Write a file without records for a blind reading."""
    file = arguments.required_seed_file(folder, seed)
    text, findings = text_of(folder, file)
    report(findings, folder)
    content = first_draft.reading(text or "", (folder / file).read_bytes(), Path(file).stem)
    atomic_publication.save(target, content.encode())


def second_reading(
    seed: Seed,
    root: Root = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The reader, as `readings` names them.")
    ] = "reader-2",
) -> None:
    """Write a file without records, for a blind reading of an article.

    The file is annotations/readings/SEED.NAME.yaml; `agreement` compares it with the records or
    with another reading.
    """
    folder = arguments.project(root)
    target = _reading_file(folder, seed, name)
    if target.exists():
        stop(1, f"{shown(target)} already exists, and was not changed.")
    _begin_reading(folder, seed, target)
    inform(
        f"{shown(target)}: written. Afterwards: defectors-data agreement records {shlex.quote(name)}"
    )


def todo(
    seed: Annotated[
        str | None,
        typer.Argument(
            metavar="SEED", help="A seed. Default: all of them.", autocompletion=arguments.seeds
        ),
    ] = None,
    root: Root = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Also list reporting verbs without a testimony. This is advice, not findings.",
        ),
    ] = False,
    style: Style = "text",
) -> None:
    """List the uncovered quotations and numbers, as YAML to paste."""
    folder = arguments.project(root)
    documents = arguments.documents(folder, seed, style=style)
    lists = [(document, remaining(document, verbs=everything)) for document in documents]
    if style == "json":
        say(as_json([_record(item, folder) for _, found in lists for item in found]))
        return
    for document, found in lists:
        for item in found:
            _show_item(item, folder)
        say(closing_line(found, document))
    corpus = arguments.corpus(folder)
    if not seed and (context := corpus.context[0]):
        for finding in corpus.seed_findings(
            [document.source.seed for document in documents], context
        ):
            say(f.text(finding, relocate=lambda file: shown(folder / file)))


def _record(item: WorklistItem, folder: Path) -> dict[str, object]:
    """Return an item as a dictionary for `--format json`."""
    file, line, column = item.place
    place = {"file": shown(folder / file), "line": line, "column": column}
    return {**place, **{key: value for key, value in item._asdict().items() if key != "place"}}


def _show_item(item: WorklistItem, folder: Path) -> None:
    place = item.place.text(lambda file: shown(folder / file))
    say(f"{place}: {item.kind}: {f.printable(item.sentence)}")
    if item.speaker:
        say(f"    nearest speaker: {item.speaker}")
    for row in item.yaml.splitlines():
        say(f"    {row}")


def draft(
    seed: Seed,
    root: Root = None,
    fill: Annotated[
        bool,
        typer.Option(
            "--fill", help="Also write every record that can be guessed, each with `draft: true`."
        ),
    ] = False,
) -> None:
    """Write a first annotation file for a new seed.

    An existing file is never overwritten. With --fill, you still have to check every guess, and to
    add measures.
    """
    folder = arguments.project(root)
    file = arguments.required_seed_file(folder, seed)
    target = folder / "annotations" / f"{Path(file).stem}.yaml"
    if not re.fullmatch(FILE_NAME, target.name):
        stop(
            1,
            f"Rename {shown(folder / file)} first. The name of a seed has this form: {FORMS[FILE_NAME]}.",
        )
    if target.name in SHARED_FILES:
        stop(1, f"{shown(target)} is reserved for another purpose. Give the seed another name.")
    if target.exists():
        stop(1, f"{shown(target)} already exists, and was not changed.")
    text, findings = text_of(folder, file)
    report(findings, folder)
    content = first_draft.draft(
        text or "", (folder / file).read_bytes(), target.stem, taken=source_ids(folder)
    )
    if fill:
        context, findings = arguments.corpus(folder).context
        report(findings, folder)
        if context:
            # Only this option needs the readers of speakers.
            from defectors_data.annotators.drafts.filled_draft import filled  # noqa: PLC0415

            content = filled(text or "", content, f"annotations/{target.name}", context)
    if (folder / "schema").is_dir():
        content = first_draft.SCHEMA_LINE + content
    # Every command that writes first completes or undoes an interrupted build.
    atomic_publication.recover(folder / "dist")
    atomic_publication.save(target, content.encode())
    following = "annotate" if fill else "todo"
    inform(f"{shown(target)}: written. Next: defectors-data {following} {target.stem}")
    if line := first_draft.language_line(text or ""):
        inform(line)


def ids(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Annotation files. Default: those of all articles."),
    ] = None,
    root: Root = None,
) -> None:
    """Give ids to the records that have none.

    Ids in the file, in tombstones and in earlier releases are never reused. Comments and order are
    kept.
    """
    folder = arguments.project(root)
    complete_update(folder)
    corpus = arguments.corpus(folder)
    context, findings = corpus.context
    report(findings, folder)
    meant = arguments.files_meant(folder, files)
    data = {
        file: (folder / file).read_bytes()
        for file in corpus.yaml_files
        if not meant or file in meant
    }
    texts = dict[str, str]()
    with stop_on({UneditableTextError: ExitStatus(1, lambda _: NOT_EDITED)}):
        for file, written in data.items():
            text, findings = written_text(written, file)
            report(findings, folder)
            # A file that already has all ids is not rewritten.
            if context and text and (edited := fixes.with_ids(text, context)) != text:
                texts[file] = edited
    _save(folder, data, texts)


NOT_EDITED = "A file cannot be edited without loss: `defectors-data check` shows what is wrong. Nothing was changed."


def _save(folder: Path, data: dict[str, bytes], texts: dict[str, str]) -> None:
    """Write the new texts of these annotation files, or none; `data` has the bytes as read."""
    with stop_on(takedown_errors("nothing was changed")), locked(folder):
        update(
            folder,
            [
                FileChange(file, text.encode(), hashlib.sha256(data[file]).hexdigest())
                for file, text in texts.items()
            ],
        )
    if texts:
        names = ", ".join(shown(folder / file) for file in texts)
        inform(f"{names}: written. Next: defectors-data check")
    else:
        inform("Nothing was changed.")


def fix(
    root: Root = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the changes without making them.")
    ] = False,
) -> None:
    """Correct evidence that differs from its seed only in easily missed characters.

    These are quotation marks, no-break spaces, soft hyphens, zero-width characters, ligatures, and
    dashes of another length. A part is corrected only if all its differences are of one kind.
    Numbers, letters and words are never changed. The exit code is 1 if other evidence is not in the
    seed, or if --dry-run found changes.
    """
    folder = arguments.project(root)
    if not dry_run:
        complete_update(folder)
    arguments.refuse_half_done(folder)
    # The bytes are read first: a file that is edited in the meantime then differs from them, and is
    # not overwritten.
    data = {file: (folder / file).read_bytes() for file in arguments.corpus(folder).yaml_files}
    found = {
        each.file.file: fixes.fixed(each)
        for each in arguments.documents(folder)
        if not each.file.is_line
    }
    for place, name in (change for each in found.values() for change in each.changes):
        where = place.text(lambda file: shown(folder / file))
        say(f"{where}: {name}: as in the seed")
    changed = {file: each.text for file, each in found.items() if each.changes}
    if dry_run:
        inform("Nothing was changed.")
    else:
        _save(folder, data, changed)
    if left := sum(each.left for each in found.values()):
        inform(f"Other evidence that is not in its seed: {left}. `defectors-data check` shows it.")
    end(findings=left or (dry_run and changed))


def annotate(
    seed: Annotated[
        str | None,
        typer.Argument(
            metavar="SEED", help="A seed. Default: the first.", autocompletion=arguments.seeds
        ),
    ] = None,
    root: Root = None,
    port: Annotated[
        int,
        typer.Option(min=0, max=65_535, metavar="N", help="The port. Default: a free one."),
    ] = 0,
    reading: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Read the article blind: write to annotations/readings/SEED.NAME.yaml, and show "
            "no other records.",
        ),
    ] = "",
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="FIRST SECOND", help="Decide on the differences between two readings."
        ),
    ] = None,
) -> None:
    """Edit the records of an article on a local page.

    The page is served at 127.0.0.1 until you press Ctrl+C, at an address with a secret token. Each
    change is written to the YAML file at once.
    """
    folder = arguments.project(root)
    arguments.refuse_half_done(folder)
    try:
        from defectors_data.annotators.workbench import (  # noqa: PLC0415
            adjudication,
            project_files,
            server,
        )
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("defectors_data"):
            raise
        stop(
            2, f"{error.name} is not installed: install defectors-data with the extra `workbench`."
        )
    if reading:
        if not seed:
            stop(2, "Name the seed that you read.")
        target = _reading_file(folder, seed, reading)
        if not target.exists():
            _begin_reading(folder, seed, target)
    pair = adjudication.ReadingPair(folder, *compare) if compare else None
    served = project_files.EditedProject(folder, reading, pair)
    stems = pair.stems() if pair else served.stems()
    if pair and not stems:
        stop(1, "No article has both readings.")
    stem = Path(seed).stem if seed else next(iter(stems), "")
    if seed and stem not in stems:
        arguments.no_seed(folder, seed)
    if not stems:
        stop(1, "No article has annotations yet. Run `defectors-data draft --fill SEED`.")
    if not pair and (line := served.not_searched(stem)):
        inform(line)
    server.serve(
        served, stem, port=port, on_start=lambda address: say(f"{address}  (Press Ctrl+C to stop.)")
    )
