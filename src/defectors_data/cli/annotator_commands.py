"""The commands of those who annotate: what is wrong, where words stand, what is left to do, a first draft."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from defectors_data.cli import arguments
from defectors_data.cli import summary as said
from defectors_data.cli.arguments import Jobs, Listing, Root
from defectors_data.cli.output import Format, as_json, report, say, shown, steps, stop, tell, tell_rules
from defectors_data.corpus import findings as f

if TYPE_CHECKING:
    from defectors_data.annotate import Item


def check(
    files: Annotated[list[Path] | None, typer.Argument(help="Show the findings in these files alone.")] = None,
    root: Root = None,
    style: Annotated[Format, typer.Option("--format", help="How findings are written.")] = Format.text,
    every_rule: Annotated[bool, typer.Option("--rules", help="List every rule with what it looked at.")] = False,
    jobs: Jobs = None,
) -> None:
    """Show everything that is wrong with the annotations, each with file, line and column; and what was checked."""
    from defectors_data import pipeline  # noqa: PLC0415
    from defectors_data.cli import terminal  # noqa: PLC0415

    folder = arguments.project(root)
    arguments.refuse_unfinished_takedown(folder)
    corpus = arguments.corpus(folder)
    with steps() as step:
        step("Reading and checking")
        checked = pipeline.run(
            corpus,
            pipeline.Options(tables=False),
            executor=arguments.executor(corpus, jobs),
            on_progress=terminal.passing(step),
        )
    wanted = {name for file in files or () for name in arguments.checked(folder, file)}
    found = [item for item in checked.findings if not wanted or _is_wanted(item.place.file, wanted)]
    listed = list(said.table(checked.rules)) if every_rule else []
    report(found, folder, style, checked.rules, listed)
    if checked.findings and all(rule.findings is None for rule in checked.rules if rule.rule == "duplicate-id"):
        stop(
            1, f"These files cannot be checked while others cannot be read: {len(checked.findings)} findings in others."
        )
    if style is Format.text:
        if checked.findings:
            tell(f"No findings in these files; {len(checked.findings)} in others.")
        elif wanted:
            tell("No findings in these files, and none in others.")
        else:
            sources = f"{checked.sources:,} source{'' if checked.sources == 1 else 's'}"
            tell(f"No findings: {checked.records:,} testimonies and figures in {sources} stand in their seeds.")
        tell_rules(listed, checked.rules)
    raise typer.Exit(1 if checked.findings else 0)


def _is_wanted(file: str, wanted: set[str]) -> bool:
    """Tell whether findings in a file are asked for; a packed text is called by the file that packs it and its name."""
    return bool({file, file.rpartition("/")[0]} & wanted)


def locate(
    seed: Annotated[
        str,
        typer.Argument(help="A seed, by path, file name, or name without its ending.", autocompletion=arguments.seeds),
    ],
    text: Annotated[str, typer.Argument(help="The words to find.")],
    root: Root = None,
) -> None:
    """Show where words stand in a seed, or the nearest that do, with YAML ready to paste."""
    from defectors_data.annotate import locate as find  # noqa: PLC0415
    from defectors_data.corpus.reader import text_of  # noqa: PLC0415

    folder = arguments.project(root)
    file = arguments.seed_file(folder, seed)
    if file:
        content, findings = text_of(folder, file)
        report(findings, folder)
    else:
        document = arguments.documents(folder, seed)[0]
        file, content = document.seed, document.text
    located = find(text, shown(folder / file), content or "")
    say("\n".join(map(f.printable, located.lines)))
    raise typer.Exit(0 if located.found else 1)


def todo(
    seed: Annotated[
        str | None, typer.Argument(help="A seed; all of them without.", autocompletion=arguments.seeds)
    ] = None,
    root: Root = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List reporting verbs with no testimony near them too: advice, not findings.")
    ] = False,
    style: Annotated[Listing, typer.Option("--format", help="How the list is written.")] = Listing.text,
) -> None:
    """List what is not accounted for yet, in reading order, with YAML ready to paste."""
    from defectors_data.annotate import remaining, summary  # noqa: PLC0415

    folder = arguments.project(root)
    lists = [(d, remaining(d, verbs=everything)) for d in arguments.documents(folder, seed, style=Format(style))]
    if style is Listing.json:
        items = [item for _, found in lists for item in found]
        say(as_json([_as_record(item, folder) for item in items]))
        return
    for document, found in lists:
        for item in found:
            _print_item(item, folder)
        say(summary(found, document))


def _as_record(item: Item, folder: Path) -> dict[str, object]:
    file, line, column = item.place
    place = {"file": shown(folder / file), "line": line, "column": column}
    return {**place, **{key: value for key, value in item._asdict().items() if key != "place"}}


def _print_item(item: Item, folder: Path) -> None:
    file, line, column = item.place
    say(f"{shown(folder / file)}:{line}:{column}: {item.kind}: {f.printable(item.sentence)}")
    if item.speaker:
        say(f"    nearest speaker: {item.speaker}")
    for row in item.yaml.splitlines():
        say(f"    {row}")


def draft(
    seed: Annotated[
        str,
        typer.Argument(help="A seed, by path, file name, or name without its ending.", autocompletion=arguments.seeds),
    ],
    root: Root = None,
) -> None:
    """Write a first annotation file for a new seed; a file that is there is never overwritten."""
    from defectors_data import annotate  # noqa: PLC0415
    from defectors_data.corpus.reader import SHARED_FILES, source_ids, text_of  # noqa: PLC0415
    from defectors_data.package import publication  # noqa: PLC0415

    folder = arguments.project(root)
    file = arguments.seed_file(folder, seed) or arguments.no_seed(folder, seed)
    target = folder / "annotations" / f"{Path(file).stem}.yaml"
    if target.name in SHARED_FILES:
        stop(1, f"{shown(target)} is about no article. Give the seed another name.")
    if target.exists():
        stop(1, f"{shown(target)} is there already, and is left as it is.")
    text, findings = text_of(folder, file)
    report(findings, folder)
    content = annotate.draft(text or "", (folder / file).read_bytes(), target.stem, taken=source_ids(folder))
    publication.recover(folder / "dist")
    publication.save(target, content.encode())
    tell(f"{shown(target)}: written. Next: defectors-data todo {target.stem}")
