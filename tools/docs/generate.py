"""Generate pages of the docs (such as the findings and the guide) and the marked blocks of other pages.

`python tools/docs/generate.py` writes the pages. With `--check` it writes nothing, and exits with 1 if a page
would change.
"""

from __future__ import annotations

import csv
import html
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import architecture
import codemeta
import commands
import guide
import notebook
from defectors_data import pipeline
from defectors_data.cli import arguments
from defectors_data.corpus import reader, seed_limits, shards, validation_errors, yaml_reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.documents import codebook, markdown, readme
from defectors_data.documents.charts import svg
from defectors_data.documents.charts.chart import in_words
from defectors_data.documents.page import LARGEST, MOST
from defectors_data.evidence import anchors, comparisons, document_batches
from defectors_data.evidence.relation_arithmetic import conventions
from defectors_data.models import closed_vocabularies
from defectors_data.models.columns import columns, sentence
from defectors_data.models.counts import listed
from defectors_data.models.tables import ONLY_WITH_ROWS, OPTIONAL_COLUMNS, ROWS
from defectors_data.package.tables_reader import PackageTables
from defectors_data.pipeline import Options, RunResult
from defectors_data.publishers import takedown
from defectors_data.text import intervals, quantities

PROJECT = Path(__file__).parents[2]
BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def main() -> None:
    """Write or check every page."""
    pages = {
        PROJECT / "docs/annotators/findings.md": findings_page(),
        PROJECT / "docs/annotators/guide.md": guide.guide_page(),
        PROJECT / "docs/publishers/own-corpus.md": guide.own_corpus(),
        PROJECT / "docs/publishers/cli.md": commands.page(),
    }
    pages[PROJECT / "docs/annotators/codebook.md"] = codebook.codebook().decode()
    pages[PROJECT / "codemeta.json"] = codemeta.codemeta()
    verifier = PROJECT / "src/defectors_data/package/verify.py"
    pages[verifier] = TABLES.sub(lambda found: f"{found[1]}{tables()}", verifier.read_text(encoding="utf-8"))
    for page in [PROJECT / "README.md", PROJECT / "SECURITY.md", *sorted((PROJECT / "docs").rglob("*.md"))]:
        if page not in pages:
            text = page.read_text(encoding="utf-8")
            pages[page] = BLOCK.sub(lambda found: f"{found[1]}\n{BLOCKS[found[2]]()}\n\n{found[4]}", text)
    for name in notebook.EXECUTED:
        pages[PROJECT / name] = notebook.executed(pages[PROJECT / name])
    pages[notebook.JUPYTER] = notebook.jupyter(pages[PROJECT / notebook.QUESTIONS])
    stale = [page for page, text in pages.items() if not page.exists() or page.read_text(encoding="utf-8") != text]
    for page in stale:
        print(f"{page.relative_to(PROJECT)}: {'differs' if '--check' in sys.argv else 'written'}")
        if "--check" not in sys.argv:
            page.parent.mkdir(exist_ok=True)
            page.write_text(pages[page], encoding="utf-8")
    sys.exit(1 if stale and "--check" in sys.argv else 0)


# ---- src/defectors_data/package/verify.py -------------------------------------------------------------------

TABLES = re.compile(r'(?<=\n)(TABLES = """\n).*?(?=""")', re.DOTALL)


def tables() -> str:
    """Return the columns of each table, with a mark after the tables and columns that a package can lack."""
    marks = dict.fromkeys(ONLY_WITH_ROWS, "?") | dict.fromkeys([*arguments.LargeTable, "comparisons"], "*")
    described = []
    for row in ROWS:
        table = row.TABLE.name
        columns_of = [column + "?" * (f"{table}.{column}" in OPTIONAL_COLUMNS) for column in row.model_fields]
        described.append(" ".join([table + marks.get(table, ""), *columns_of]))
    return textwrap.fill(" / ".join(described), 100) + "\n"


# ---- docs/annotators/findings.md ----------------------------------------------------------------------------

STAGES: tuple[tuple[str, tuple[Callable[..., Any], ...]], ...] = (
    ("Reading YAML", yaml_reader.FAULTS),
    ("Files", reader.FAULTS),
    ("Keys and values", validation_errors.FAULTS),
    ("Finding the evidence", anchors.FAULTS),
)

INTRODUCTION = """\
# Findings

Every finding of `defectors-data check` with the first sentence of its rule. `defectors-data check --explain CODE`
prints the whole rule with examples, from the [codebook](codebook.md).
"""


FIRST_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z`])")
"""What separates the first sentence of a rule from the others."""


def findings_page() -> str:
    """Return docs/annotators/findings.md."""
    sentences = {code: FIRST_SENTENCE.split(rule, 1)[0] for code, rule in pipeline.sentences().items()}
    parts = [INTRODUCTION]
    for title, codes in _stages(list(sentences)):
        lines = [f"- `{code}`: {sentences[code]} {_codebook_rules(code)}" for code in codes]
        parts.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _stages(codes: list[str]) -> Iterator[tuple[str, list[str]]]:
    for title, faults in STAGES:
        yield title, codes[: len(faults)]
        codes = codes[len(faults) :]
    yield "The rules of the annotations", codes


def _codebook_rules(code: str) -> str:
    """Return links to the rules of the codebook that a finding enforces."""
    links = [f"[{number}](codebook.md#{number.lower()})" for number in codebook.rules_of_finding(code)]
    return ", ".join(links)


# ---- blocks ------------------------------------------------------------------------------------------------


def _published(name: str) -> pa.Table:
    return pq.read_table(PROJECT / f"dist/data/{name}.parquet")


def _tables() -> PackageTables:
    return PackageTables(PROJECT / "dist", [row.TABLE.name for row in ROWS])


def all_columns() -> str:
    """Return every column of every published table; a description that several tables have is printed once."""
    explained: set[str] = set()
    tables = listed([f"`{name}`" for name in ONLY_WITH_ROWS])
    parts = [f"A package has {tables} only if they have rows.\n"]
    for row in ROWS:
        lines = [f"## {row.TABLE.name}", "", sentence(row), ""]
        repeated = []
        for column in columns(row):
            mark = "" if column.nullable else "\\*"
            if f"{row.TABLE.name}.{column.name}" in OPTIONAL_COLUMNS:
                mark = "†"
            label = f"`{column.name}`{mark}"
            if column.description in explained:
                repeated.append(label)
                continue
            explained.add(column.description)
            kind = column.type.__name__
            shown = label if kind == "str" else f"{label} ({kind})"
            lines.append(f"- {shown}: {column.description}")
        if repeated:
            lines += ["", f"Also: {', '.join(repeated)}."]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts).rstrip()


def introduction() -> str:
    """Return the first paragraph of README.md, with the numbers of articles and records, and a chart."""
    number = {name: _published(name).num_rows for name in _COUNTED}
    text = (
        f"{in_words(number['sources']).capitalize()} articles report on "
        "soldiers who deserted Venezuela's armed forces for Colombia. This dataset records who said what, and "
        f"which numbers they report: {number['testimonies']} testimonies and {number['figures']} figures. Their quoted "
        "words are checked against the articles, character for character; codes such as themes are judgements. Every "
        "quotation and number that the program finds in the articles is accounted for. "
        f"{readme.said_and_narrated(_tables())} {readme.unread_by_persons(_tables())}"
    )
    drawn = (PROJECT / "dist/charts/reasons.svg").read_text(encoding="utf-8")
    title = drawn.partition("<title ")[2].partition(">")[2].partition("</title>")[0]
    return f"{textwrap.fill(text, 120)}\n\n![{html.unescape(title)}](dist/charts/reasons.svg)"


_COUNTED = ("sources", "testimonies", "figures")


def share_revealed() -> str:
    """Return how much of each article the package shows."""
    return readme.revealed(_tables())


def citation() -> str:
    """Return the citation of the dataset."""
    return f"Cite as: {markdown.prose(readme.citation(_context().dataset.content))}"


def contact() -> str:
    """Return how to reach the maintainers."""
    return markdown.prose(readme.contact(_context().dataset.content))


@cache
def _checked() -> RunResult:
    """Return the result of checking the real corpus."""
    return pipeline.run(CorpusReader(FileTree(PROJECT)), Options(tables=False))


def _context() -> Context:
    checked = _checked()
    if checked.context is None:
        sys.exit(f"The annotations cannot be read: {checked.findings[0].message}")
    return checked.context


HEDGED = "40|about 40|nearly 40|less than 40|up to 40|more than 40|at least 40|between 40 and 60|scores of".split("|")


def _allowed(words: str, unit: str) -> tuple[str, str]:
    """Return the hedge of words before "keepers", and the interval that they allow."""
    said = quantities.read_quantity(f"{words} keepers")
    if said is None:
        sys.exit(f"No quantity was read from: {words}")
    numbers = {"value": said.value, "low": said.low, "high": said.high}
    declared = conventions(_context())
    counted = unit in declared.whole_units
    stated = intervals.stated(said.hedge, counted=counted, **numbers, tolerances=declared.tolerances)
    allowed = intervals.whole(stated) if counted else stated
    return f"`{said.hedge}`", str(allowed)


def hedge_intervals() -> str:
    """Return the interval of each hedge, for units whose numbers need not be whole."""
    return markdown.markdown(["words", "hedge", "allow"], [(words, *_allowed(words, "percent")) for words in HEDGED])


def whole_intervals() -> str:
    """Return the intervals that differ for whole numbers."""
    rows = [(f"{words} keepers", *_allowed(words, "person")) for words in HEDGED if words.endswith(" than 40")]
    return markdown.markdown(
        ["words", "hedge", "allow"],
        [(f"{words} keepers", *_allowed(words, "person")) for words in ("about 3", "nearly 3", "nearly 40")] + rows,
    )


def reasons(vocabulary: str) -> str:
    """Return the reasons of a vocabulary with their meanings."""
    found = closed_vocabularies.MEANINGS[vocabulary]
    return markdown.markdown(["reason", "means"], [(f"`{reason}`", means) for reason, means in found.items()])


def links() -> str:
    """Return the sources that are not independent, with the reason."""
    documents = document_batches.all_documents(CorpusReader(FileTree(PROJECT)), _context())
    found = comparisons.links([comparisons.source_ties(document) for document in documents])
    rows = [(*link.sources, link.explanation) for link in found]
    return (
        markdown.markdown(["source", "source", "explanation"], rows)
        if rows
        else "No source says that it quotes from another, or from an outlet from which another quotes, or shares eight "
        "words in a row with another. Credits of pictures do not count."
    )


def losses(name: str) -> str:
    """Return what comes back from each format, as the tests measure it."""
    with (PROJECT / f"tests/losses/{name}.csv").open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    return markdown.markdown(["what comes back", *(f"`{each}`" for each in header[1:])], [tuple(row) for row in rows])


def limits() -> str:
    """Return the limits of large corpora."""
    compared = f"more than {seed_limits.SOURCES_COMPARED:,} sources"
    pairs = f"more than {seed_limits.MOST_PAIRS:,} pairs of figures of one measure"
    rows = [
        (f"{compared}, or {pairs}", "no `comparisons`, no summaries of measures, no rules on conflicts"),
        (compared, "no `index.html` and `charts/`"),
        (f"a chart of more than {svg.MOST} rows", "not drawn"),
        (f"more than {MOST:,} records, or a page of more than {LARGEST // 1_000_000} MB", "no records in `index.html`"),
        (f"more than {arguments.SMALL} documents", "one process for each core, without `--jobs`"),
        (f"a batch of {shards.BLOCK} documents or {reader.BATCH_BYTES // 1024} KiB", "the next batch begins"),
        (f"a takedown that changes more than {takedown.MOST:,} sources", "refused; nothing is changed"),
    ]
    return markdown.markdown(["limit", "beyond it"], rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "layers": architecture.layers,
    "columns": all_columns,
    "intro": introduction,
    "share-revealed": share_revealed,
    "citation": citation,
    "contact": contact,
    "intervals": hedge_intervals,
    "whole-intervals": whole_intervals,
    "takedown-reasons": partial(reasons, "TakedownReason"),
    "limits": limits,
    "links": links,
    "losses-exports": partial(losses, "exports"),
    "losses-imports": partial(losses, "imports"),
}

if __name__ == "__main__":
    main()
