"""The whole story: what people wrote is read, checked, made into tables, packed, inspected and published."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from defectors_data import (
    certifying,
    charts,
    codebook,
    examining,
    metadata,
    package,
    page,
    protection,
    publishing,
    readme,
    spreadsheets,
    tabling,
    verify,
)
from defectors_data.examining import Examined, Rule
from defectors_data.findings import Finding
from defectors_data.models import Dataset


class Built(NamedTuple):
    """What came of a build: findings and nothing published, or what happened to the published folder."""

    findings: list[Finding]
    outcome: publishing.Outcome | None
    warnings: list[str]
    """What went wrong after the release had taken its place, and does not matter to it."""
    rules: list[Rule]
    """Every rule, and what it saw."""
    advice: list[str]
    """What readers of what was published are to mind, in lines."""


Step = Callable[[str], None]
"""Is told, in a few words, which step begins."""


def _untold(step: str) -> None:
    """Tell nobody."""


def build(root: Path, out: Path, *, created: str | None = None, step: Step = _untold) -> Built:
    """Publish the corpus below `root` to the folder `out`, or return every finding and publish nothing.

    `created` overrides the time that the descriptor gives (RFC 3339); without it, the day of the release counts.
    `step` is told which step begins.

    Raises:
        publishing.AnotherBuild: another process publishes to `out`.
        OSError: the file system refused; `out` is as it was.
        package.NotValid: what was built is not valid, a fault of this program; `out` is as it was.
    """
    with publishing.Site.hold(out) as site:
        examined, files, advice = _made(root, created, step)
        step("Inspecting and publishing" if files else "Listing what was found")
        outcome = site.publish(files, inspect=package.inspect) if files else None
    return Built(examined.findings, outcome, site.warnings, examined.rules, advice)


def _made(root: Path, created: str | None, step: Step) -> tuple[Examined, dict[str, bytes], list[str]]:
    """Return what was found, and unless that was anything, the package's files and advice; each input is read once."""
    step("Reading and checking")
    examined = examining.examine(root)
    if examined.proof is None or examined.findings:
        return examined, {}, []
    step("Making tables and files")
    corpus = examined.proof.corpus
    dataset = corpus.dataset.content
    made = tabling.tables(examined.proof)
    data = package.data_files(made)
    facts = metadata.gather(dataset, made, data)
    extra = {
        "README.md": ("text/markdown", metadata.header(facts) + readme.package_readme(dataset, made)),
        "datasheet.md": ("text/markdown", metadata.datasheet(facts, made)),
        "codebook.md": ("text/markdown", codebook.codebook(corpus.vocabulary.content, examining.sentences())),
        "verify.py": ("text/x-python", Path(str(verify.__file__)).read_bytes()),
        "croissant.json": ("application/ld+json", metadata.croissant(facts)),
        **_to_look_at(facts, made),
    }
    extra["ro-crate-metadata.json"] = ("application/ld+json", metadata.crate(facts, extra))  # lists all the others
    files = package.files(dataset, made, data, extra, created=created or _released(dataset))
    texts = {path: data for path, data in files.items() if not path.startswith(("data/", page.NAME))}
    if bare := certifying.uncertified(_rows(made)):
        raise package.NotValid(f"cells without a certificate: {', '.join(bare[:5])}")
    if leaks := protection.leaks(made, texts):
        raise package.NotValid("; ".join(leaks[:5]))
    return examined, files, spreadsheets.advice(made)


def _to_look_at(facts: metadata.Facts, made: Mapping[str, pa.Table]) -> dict[str, tuple[str, bytes]]:
    """Return the page and its charts by path, each with its media type: made of the tables, and of nothing else."""
    rows = _rows(made)
    drawn = charts.charts(rows)
    files = {f"charts/{chart.name}.svg": ("image/svg+xml", chart.svg.encode()) for chart in drawn}
    described = json.dumps(metadata.schema_org(facts), ensure_ascii=False)
    return {page.NAME: ("text/html", page.page(facts.dataset, rows, drawn, json_ld=described)), **files}


def _rows(made: Mapping[str, pa.Table]) -> dict[str, list[dict[str, Any]]]:
    return {name: table.to_pylist() for name, table in made.items()}


def _released(dataset: Dataset) -> str:
    return f"{dataset.released.isoformat()}T00:00:00Z"
