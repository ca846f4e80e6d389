"""The commands of those who annotate: what is wrong, where words stand, what is left to do, a first draft."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from defectors_data import findings as f
from defectors_data.cli import given, halfway
from defectors_data.cli.given import Jobs, Listing, Root, Without
from defectors_data.cli.saying import Format, as_json, report, say, shown, stop, tell, tell_rules

if TYPE_CHECKING:
    from defectors_data.examining import Rule
    from defectors_data.findings import Finding
    from defectors_data.proving import Proof
    from defectors_data.remaining import Item


def check(
    files: Annotated[list[Path] | None, typer.Argument(help="Show the findings in these files alone.")] = None,
    root: Root = None,
    style: Annotated[Format, typer.Option("--format", help="How findings are written.")] = Format.text,
    every_rule: Annotated[bool, typer.Option("--rules", help="List every rule with what it saw.")] = False,
    jobs: Jobs = None,
    without: Without = None,
) -> None:
    """Show everything that is wrong with the annotations, each with file, line and column; and what was checked."""
    from defectors_data import examining  # noqa: PLC0415

    folder = given.project(root)
    halfway.refuse(folder)
    if given.is_bulk(folder):
        from defectors_data.cli import inparts  # noqa: PLC0415

        inparts.check(folder, files or [], style, jobs, without or [], every_rule=every_rule)
        return
    given.refuse_options_of_parts(None, without, in_parts=False)
    proof, findings, rules = examining.examine(folder)
    wanted = {name for file in files or () for name in given.checked(folder, file)}
    found = [item for item in findings if not wanted or item.place.file in wanted]
    listed = examining.table(rules) if every_rule else ()
    report(found, folder, style, rules, listed)
    if findings and not proof:
        stop(1, f"These files cannot be checked while others cannot be read: {len(findings)} findings in others.")
    if style is Format.text and proof:
        _say_what_was_checked(proof, wanted, findings, rules, listed)
    raise typer.Exit(1 if any(rule.findings is None for rule in rules) else 0)


def _say_what_was_checked(
    proof: Proof,
    wanted: set[str],
    findings: list[Finding],
    rules: list[Rule],
    listed: Iterable[str],
) -> None:
    if findings:
        tell(f"No findings in these files; {len(findings)} in others.")
    else:
        shards = [s for s in proof.corpus.shards if not wanted or s.file in wanted]
        records = sum(len(s.content.testimonies) + len(s.content.figures) for s in shards)
        sources = f"{len(shards)} source{'' if len(shards) == 1 else 's'}"
        tell(f"No findings: {records} testimonies and figures in {sources} stand in their seeds.")
    tell_rules(listed, rules)


def locate(
    seed: Annotated[
        str, typer.Argument(help="A seed, by path, file name, or name without its ending.", autocompletion=given.seeds)
    ],
    text: Annotated[str, typer.Argument(help="The words to find.")],
    root: Root = None,
) -> None:
    """Show where words stand in a seed, or the nearest that do, with YAML ready to paste."""
    from defectors_data.locating import locate as find  # noqa: PLC0415
    from defectors_data.reading import text_of  # noqa: PLC0415

    folder = given.project(root)
    file = given.seed_named(folder, seed)
    content, findings = text_of(folder, file)
    report(findings, folder)
    located = find(text, shown(folder / file), content or "")
    say("\n".join(map(f.printable, located.lines)))
    raise typer.Exit(0 if located.found else 1)


def todo(
    seed: Annotated[str | None, typer.Argument(help="A seed; all of them without.", autocompletion=given.seeds)] = None,
    root: Root = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List reporting verbs with no testimony near them too: advice, not findings.")
    ] = False,
    style: Annotated[Listing, typer.Option("--format", help="How the list is written.")] = Listing.text,
) -> None:
    """List what is not accounted for yet, in reading order, with YAML ready to paste."""
    from defectors_data import proving  # noqa: PLC0415
    from defectors_data.reading import read  # noqa: PLC0415
    from defectors_data.remaining import remaining, summary  # noqa: PLC0415

    folder = given.project(root)
    wanted = given.seed_named(folder, seed) if seed else None
    corpus, findings = read(folder)
    if corpus is None:
        report(f.in_order(findings), folder, Format(style))
        raise typer.Exit(1)
    proof = proving.prove(corpus)
    lists = [(s, remaining(proof, s, verbs=everything)) for s in corpus.shards if wanted in (None, s.seed)]
    if style is Listing.json:
        items = [item for _, found in lists for item in found]
        say(as_json([_as_record(item, folder) for item in items]))
        return
    for shard, found in lists:
        for item in found:
            _print_item(item, folder)
        say(summary(found, shard))


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
        str, typer.Argument(help="A seed, by path, file name, or name without its ending.", autocompletion=given.seeds)
    ],
    root: Root = None,
) -> None:
    """Write a first annotation file for a new seed; a file that is there is never overwritten."""
    from defectors_data import drafting, publishing  # noqa: PLC0415
    from defectors_data.reading import SHARED_FILES, source_ids, text_of  # noqa: PLC0415

    folder = given.project(root)
    file = given.seed_named(folder, seed)
    target = folder / "annotations" / f"{Path(file).stem}.yaml"
    if target.name in SHARED_FILES:
        stop(1, f"{shown(target)} is about no article. Give the seed another name.")
    if target.exists():
        stop(1, f"{shown(target)} is there already, and is left as it is.")
    text, findings = text_of(folder, file)
    report(findings, folder)
    content = drafting.draft(text or "", (folder / file).read_bytes(), target.stem, taken=source_ids(folder))
    publishing.recover(folder / "dist")
    publishing.save(target, content.encode())
    tell(f"{shown(target)}: written. Next: defectors-data todo {target.stem}")
