"""Generate the blocks of docs/developers/architecture.md: one figure on its way into the package, and the layers."""

from __future__ import annotations

import ast
from pathlib import Path

import pyarrow.parquet as pq

from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.documents.markdown import markdown
from defectors_data.evidence import document_batches
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.annotation import Figure
from defectors_data.text.detection import Detection

PROJECT = Path(__file__).parents[2]
SOURCE = PROJECT / "src" / "defectors_data"


def one_figure() -> str:
    """Return the steps of the first figure with a vague number, with its real values, as a Markdown table."""
    example = _example()
    if example is None:
        return "No figure of the corpus has a vague number."
    document, path, figure, number = example
    place = document.place(*path)
    spans = document.evidence_of(path)
    [row] = [row for row in _rows("figures") if row["figure_id"] == figure.id]
    [span] = [row for row in _rows("spans") if row["span_id"] == f"{figure.id}.evidence.1"]
    [why] = [row for row in _rows("provenance") if row["provenance_id"] == "figures.low"]
    words = document.text[number.start : number.end]
    steps = [
        (f"`{place.file}`, line {place.line}", f"`evidence: {row['text']}`, `hedge: {figure.hedge}`"),
        ("`corpus/`: the file is read", f"`Figure(low={figure.low:g}, unit={figure.unit!r}, ...)`"),
        ("`evidence/anchors`: the words are found", f"code points {spans[0].start} to {spans[0].end}"),
        ("`text/detection`: the number is found", f"`{words}`, code points {number.start} to {number.end}"),
        ("`rules/figures`: `bounds_hedge_mismatch` and others", "no finding"),
        ("`rows/records`: a row of `figures`", f"`low` {row['low']:g}, `interval_low` {row['interval_low']:g}"),
        ("`rows/spans`: a row of `spans`", f"line {span['line']}, column {span['column_number']}, `{span['exact']}`"),
        ("`rows/cell_provenance`: why `low` has its value", f"`{why['function']}` of `{why['inputs']}`"),
        ("`package/tables_writer`", "`dist/data/figures.csv` and `dist/data/figures.parquet`"),
        ("`readers/dataset`", f"`defectors-data why figures/{figure.id}/low` shows all of this"),
    ]
    return markdown(["where", "what"], steps)


def _example() -> tuple[Document, tuple[str | int, ...], Figure, Detection] | None:
    """Return the first figure with a vague number at the beginning of its evidence."""
    corpus = CorpusReader(FileTree(PROJECT))
    context, findings = corpus.context
    if context is None:
        raise LookupError(f"the files that all articles share have findings: {findings}")
    for document in document_batches.all_documents(corpus, context):
        numbers = {entry.detection.start: entry.detection for entry in ledger_of(document).entries}
        for path, figure in document.figures:
            number = numbers.get(document.evidence_of(path)[0].start)
            if figure.hedge == "vague" and number:
                return document, path, figure, number
    return None


def _rows(table: str) -> list[dict[str, object]]:
    return pq.read_table(PROJECT / f"dist/data/{table}.parquet").to_pylist()


def layers() -> str:
    """Return the folders and modules in layers, read from their imports, and the job of each from its docstring."""
    imports = _imports()
    height: dict[str, int] = {}
    while len(height) < len(imports):
        for name, others in imports.items():
            if name not in height and others <= height.keys():
                height[name] = max((height[other] + 1 for other in others), default=0)
    lines, jobs = list[str](), list[tuple[str, str]]()
    for level in sorted(set(height.values()), reverse=True):
        names = sorted(name for name, found in height.items() if found == level)
        lines.append("   ".join(names))
        jobs += [_job(name) for name in names]
    picture = "\n".join(["```text", *lines, "```"])
    return f"{picture}\n\n{markdown(['folder or module', 'job'], jobs)}"


def _job(name: str) -> tuple[str, str]:
    """Return the path of a folder or module, and the first paragraph of its docstring."""
    path, label = SOURCE / f"{name}.py", f"`{name}.py`"
    if not path.exists():
        path, label = SOURCE / name / "__init__.py", f"`{name}/`"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return label, " ".join(docstring.partition("\n\n")[0].split())


def _imports() -> dict[str, set[str]]:
    """Return which other folders and modules each folder or module of the package imports."""
    names = {_part(path) for path in SOURCE.rglob("*.py")} - {"__init__", "__main__"}
    found: dict[str, set[str]] = {name: set() for name in names}
    for path in SOURCE.rglob("*.py"):
        part = _part(path)
        if part in names:
            found[part] |= (_imported(path) & names) - {part}
    return found


def _part(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def _imported(path: Path) -> set[str]:
    """Return the folders and modules that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("defectors_data"):
            below = str(node.module).split(".")[1:]
            found |= {below[0]} if below else {alias.name for alias in node.names}
    return found
