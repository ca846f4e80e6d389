"""Builds: process a corpus, write its tables, and publish the package or report the findings."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from defectors_data import executors, pipeline
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import CorpusReader
from defectors_data.documents import catalogues, documents_for_people
from defectors_data.executors import Executor, serial
from defectors_data.models.project import NO_PRIVATE_ADDRESS, NOT_STATED, Coverage, Dataset
from defectors_data.models.tables import ONLY_WITH_ROWS, ROW_OF
from defectors_data.package import atomic_publication, cells, descriptor, filesystem, verify
from defectors_data.package.published_folder import part_of
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import (
    TableWriter,
    WrittenTable,
    arrow_schema,
    merged,
    schema_without,
    unused_columns,
    without_provenance,
)
from defectors_data.pipeline import BatchResult, OnProgress, Options, RunResult
from defectors_data.rows import agreement, records
from defectors_data.rows.persons import persons_table
from defectors_data.text.detection import detect

if TYPE_CHECKING:
    import pyarrow as pa

    from defectors_data.corpus.shared_context import Context


class BuildResult(NamedTuple):
    """The result of a build; if there are findings, `outcome` is None and nothing is published."""

    checked: RunResult
    outcome: atomic_publication.PublicationOutcome | None
    warnings: list[str]
    """Messages about errors that occurred after the release was published and do not affect it."""
    advice: list[str]
    """Advice on missing facts, wrong numbers, readings with findings, and cells that a spreadsheet may misread."""


_EVERYTHING = Options()

Review: TypeAlias = "Callable[[Path, Mapping[str, str], Context], list[Finding]]"
"""A function that reviews a finished package and returns findings; if there are any, nothing is
published.

Its arguments are the folder, the SHA-256 of each file by path, and the context of the corpus.
"""


def build(
    corpus: CorpusReader,
    out: Path,
    options: Options = _EVERYTHING,
    *,
    executor: Executor = serial,
    created: str | None = None,
    review: Review | None = None,
    on_progress: OnProgress | None = None,
) -> BuildResult:
    """Publish a corpus to the folder `out`, or return all findings and publish nothing.

    `created` is the time in the descriptor (RFC 3339), by default 00:00 UTC on the day of the
    release.

    Raises:
        atomic_publication.ConcurrentBuildError: another process is publishing to `out`.
        OSError: a file could not be read or written; `out` is unchanged.
        descriptor.InvalidPackageError: the package is not valid, or `verify.py` rejects it, which
            is a bug in this program; `out` is unchanged.
    """
    # `publish` does not return the findings of `make`, so they are stored here.
    made: list[tuple[RunResult, list[str]]] = []

    def make(folder: Path) -> Mapping[str, str] | None:
        writing = _PackageBuilder(folder)
        try:
            checked = writing.run(corpus, options, executor, on_progress)
            if checked.findings:
                made.append((checked, []))
                return None
            sums, advice = writing.finish(checked, created)
            if review and checked.context and (found := review(folder, sums, checked.context)):
                checked.findings.extend(found)
                made.append((checked, []))
                return None
        finally:
            writing.abandon()
        made.append((checked, advice))
        return sums

    def inspect(folder: Path) -> None:
        descriptor.inspect(folder)
        executors.give_back()
        faults, _, _ = verify.examine(_StagedPackage(folder, corpus))
        descriptor.refuse(faults)

    with atomic_publication.PublishTarget.locked(out) as site:
        outcome = site.publish(make, inspect=inspect)
    return BuildResult(made[0][0], outcome, site.warnings, made[0][1])


def write_tables(
    corpus: CorpusReader,
    folder: Path,
    options: Options = _EVERYTHING,
    *,
    executor: Executor = serial,
    on_progress: OnProgress | None = None,
) -> tuple[RunResult, PackageTables | None]:
    """Write the tables of a corpus, and no other files, to `folder`.

    Return the result of the run, and the tables, or None if there are findings.
    """
    writing = _PackageBuilder(folder)
    try:
        checked = writing.run(corpus, options, executor, on_progress)
        if checked.findings:
            return checked, None
        return checked, PackageTables(folder, writing.finish_tables(checked))
    finally:
        writing.abandon()


class _StagedPackage(verify.Package):
    """A package that is not published yet, with the texts that it was made from."""

    def __init__(self, folder: Path, corpus: CorpusReader) -> None:
        # After a takedown there may be no article, and so no text to compare with.
        seeds = corpus.tree.root / "seeds" if corpus.count(0) else None
        super().__init__(folder, seeds)
        # Texts are packed in the order of the sources' ids, in which the verifier asks for them.
        self.packed = corpus.packed_texts()
        self.current: tuple[str, bytes] | None = next(self.packed, None)

    def seed(self, source: verify.Row) -> bytes | None:
        """Return the bytes of a source's article."""
        while self.current and self.current[0] < source.id:
            self.current = next(self.packed, None)
        if self.current and self.current[0] == source.id:
            return self.current[1]
        return super().seed(source)


_MANY = 16
"""Number of batches after which free memory is returned to the operating system."""


class _PackageBuilder:
    """A package that is being written to a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.writers: dict[str, TableWriter] = {}
        self.relations: list[pa.Table] = []
        """Rows of relations, which are written last, when all documents are known."""
        self.persons: list[pa.Table] = []
        """Rows of persons, written last, because the rows of a shared person are combined."""
        self.batches = 0
        self.advice: list[str] = []

    def run(
        self,
        corpus: CorpusReader,
        options: Options,
        executor: Executor,
        on_progress: OnProgress | None,
    ) -> RunResult:
        """Process a corpus, and write the rows of its documents and of the shared files."""
        executors.spare()
        context, _ = corpus.context
        filesystem.make_folder(self.folder / "data")
        if context:
            for name, table in records.tables_of_context(context, options.without):
                self._write(name, table)
        # Every table is begun without rows, because after a takedown there may be no documents, and
        # so no batches.
        for name, table in records.tables_of([], options.without).tables.items():
            self._write(name, table)
        self.corpus = corpus
        return pipeline.run(
            corpus, options, executor=executor, take=self.take, on_progress=on_progress
        )

    def _write(self, name: str, table: pa.Table) -> None:
        if name in ONLY_WITH_ROWS and not table.num_rows:
            return
        if name not in self.writers:
            schema = arrow_schema(ROW_OF[name])
            self.writers[name] = TableWriter(
                name, schema, lambda path: filesystem.NewFile(self.folder / path)
            )
        self.writers[name].take(table)

    def _write_again(self, name: str, unused: frozenset[str]) -> WrittenTable:
        """Replace a finished table with one without unused columns and their provenance."""
        # That a column has no value is known only after all batches, when its header is written.
        schema = schema_without(name, unused)
        writer = self.writers[name] = TableWriter(
            name, schema, lambda path: filesystem.NewFile(self.folder / part_of(path))
        )
        for batch in PackageTables(self.folder, [name]).batches(name, schema.names):
            writer.take(without_provenance(batch, name, unused))
        written = writer.close()
        for path in (f"data/{name}.csv", f"data/{name}.parquet"):
            filesystem.move(self.folder / part_of(path), self.folder / path)
        return written

    def take(self, result: BatchResult) -> None:
        """Write the rows of a batch."""
        self.batches += 1
        if not self.batches % _MANY:
            executors.give_back()
        descriptor.refuse(result.faults)
        for name, table in result.tables.items():
            if name == "relations":
                self.relations.append(table)
            elif name == "persons":
                self.persons.append(table)
            else:
                self._write(name, table)

    def finish_tables(self, checked: RunResult) -> dict[str, WrittenTable]:
        """Write the tables about the whole corpus, and return all finished tables by name."""
        assert checked.context is not None  # noqa: S101  # there are no findings
        for name, table in (
            ("persons", persons_table(checked.context, self.persons)),
            (
                "relations",
                merged("relations", [*self.relations, *checked.relations.values()]),
            ),
            *records.tables_across(
                checked.context,
                checked.used,
                checked.figures,
                checked.ties,
                checked.pairs,
            ).items(),
        ):
            self._write(name, table)
        # In the declared order; `writers` is in the order of the first rows.
        written = {name: self.writers[name].close() for name in ROW_OF if name in self.writers}
        unused = unused_columns(PackageTables(self.folder, written))
        again = {column.partition(".")[0] for column in unused}
        if unused:
            again.add("provenance")
        for name in again & written.keys():
            written[name] = self._write_again(name, unused)
        return written

    def finish(self, checked: RunResult, created: str | None) -> tuple[dict[str, str], list[str]]:
        """Write what remains; return the SHA-256 of each file by path, and advice."""
        assert checked.context is not None  # noqa: S101  # there are no findings
        finished = self.finish_tables(checked)
        tables = PackageTables(self.folder, finished)
        documents = documents_for_people(
            checked.context,
            tables,
            finished,
            agreement=self._agreement(),
            created=created,
        )
        for path, content in documents.items():
            if "/" in path:
                with suppress(FileExistsError):
                    filesystem.make_folder((self.folder / path).parent)
            filesystem.write(self.folder / path, content)
        sums = {path: hashlib.sha256(content).hexdigest() for path, content in documents.items()}
        sums |= {f"data/{name}.csv": table.csv.sha256 for name, table in finished.items()}
        sums |= {f"data/{name}.parquet": table.parquet.sha256 for name, table in finished.items()}
        protected = tables.count("speakers", "protected")[True] > 0
        dataset = checked.context.dataset.content
        facts = [*missing_facts(dataset, protected=protected), *other_numbers(dataset, tables)]
        return sums, [*facts, *self.advice, *cells.advice(tables)]

    def _agreement(self) -> Mapping[str, Any] | None:
        """Return the agreement of readings, and add advice on each one that has findings."""
        found, findings = agreement.published(self.corpus)
        files = dict.fromkeys(finding.place.file for finding in findings)
        self.advice = [
            f"{file} has findings, so agreement.json leaves out its article." for file in files
        ]
        return found

    def abandon(self) -> None:
        """Close all files that are still open."""
        for writer in self.writers.values():
            # An error in closing must not replace an error that led to this call.
            with suppress(OSError):
                writer.abandon()


def missing_facts(dataset: Dataset, *, protected: bool) -> list[str]:
    """Return a line for each fact that `dataset.yaml` lacks; `protected` says if persons are."""
    missing = []
    if dataset.homepage is None:
        missing.append("dataset.yaml has no `homepage`: readers may not find the dataset.")
    if "repository" in dataset.contact.public and "https://" not in dataset.contact.public:
        named = "dataset.yaml names a repository in `contact.public` without its address"
        missing.append(f"{named}: readers cannot report an error.")
    if dataset.coverage == Coverage():
        missing.append("dataset.yaml has no `coverage`: no one can search by time or place.")
    stated = dataset.model_dump()
    blank = [f"`{key}`" for key, value in stated.items() if NOT_STATED in (value, *_items(value))]
    if blank:
        missing.append(
            f"dataset.yaml states nothing in {', '.join(blank)}, and the package says so."
        )
    for each in dataset.contributors:
        if not each.family and _PERHAPS_PERSON.fullmatch(each.title):
            described = f"dataset.yaml describes the contributor {each.title} as an organisation"
            missing.append(f"{described}: add `family` and `given` if it is a person.")
    if protected and dataset.contact.private is None:
        missing.append(f"{NO_PRIVATE_ADDRESS}: `release` refuses these data.")
    return missing


def _items(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


_PERHAPS_PERSON = re.compile(r"(?!The )[^\W\d_a-z][\w.’'-]+(?: [^\W\d_a-z][\w.’'-]*){1,3}")
"""Two to four capitalized words: "Ada Example", but also "Example University"."""
_COUNTED = re.compile(
    r"(?i)\s+(?:[^\W\d]+\s+){0,2}?(article|testimon(?=y|ies)|figure|speaker)(?:s|y|ies)?\b"
)
_TABLE_OF = {
    "article": "sources",
    "testimon": "testimonies",
    "figure": "figures",
    "speaker": "speakers",
}


def other_numbers(dataset: Dataset, tables: PackageTables) -> list[str]:
    """Return a line for each number of records in the title or summary that the tables do not have."""
    lines = []
    for field, text in (("title", dataset.title), ("summary", dataset.summary)):
        for found in detect(text):
            noun = _COUNTED.match(text, found.end)
            if noun is None or found.quantity is None or found.quantity.hedge != "exact":
                continue
            number = tables.number(_TABLE_OF[noun[1].lower()])
            if number != found.quantity.value:
                said = f"`{field}` of dataset.yaml says “{text[found.start : noun.end()]}”"
                lines.append(f"{said}, but this package has {number}: update it.")
    return lines


_INSTALLABLE = re.compile(
    r"(?m)^(?:defectors-data\S* ?== ?\d|(?:defectors-data\S* ?@ ?)?(?:git\+https://\S+@\w|https://))"
)
"""A requirement of a version of the program that pip can install anywhere."""
REQUIREMENTS = "requirements.txt"
"""The file of a corpus that says which program its workflows install."""


def outdated_root_files(folder: Path, dataset: Dataset) -> dict[str, bytes]:
    """Return the metadata files of a project that differ from dataset.yaml, with their content."""
    found = {}
    for name, content in catalogues.root_files(dataset).items():
        path = folder / name
        # In a repository with a program, codemeta.json describes the program.
        is_of_program = name == "codemeta.json" and (folder / "pyproject.toml").exists()
        if path.is_file() and not is_of_program and path.read_bytes() != content:
            found[name] = content
    return found


def update_root_files(folder: Path, dataset: Dataset) -> dict[Path, str]:
    """Write the outdated metadata files in the root of a project.

    Return what is to be said of files, such as that they were updated.
    """
    said = {}
    for name, content in sorted(outdated_root_files(folder, dataset).items()):
        atomic_publication.save(folder / name, content)
        said[folder / name] = "updated"
    requirements = folder / REQUIREMENTS
    text = requirements.read_text("utf-8", "replace") if requirements.is_file() else ""
    if text and not _INSTALLABLE.search(text):
        said[requirements] = (
            "does not say where the program is, so the workflows would fail: enter "
            "`defectors-data[build] @ git+https://ADDRESS@COMMIT` with the address of its git "
            "repository (`git remote get-url origin` in its folder), and a tag or commit "
            "(`git rev-parse HEAD`)."
        )
    return said
