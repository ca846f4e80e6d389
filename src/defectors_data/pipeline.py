"""The pipeline: process batches and a corpus, and report which rules were applied.

`process` is a pure function of a batch, the context that all documents share, and the options, so
it can run in another process or on another machine. `run` maps it over all batches with an
executor, and then applies the rules that compare documents, with an index of their keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from defectors_data import published_ids
from defectors_data.corpus import reader, validation_errors, yaml_reader
from defectors_data.corpus.document_reader import ParsedDocument, RawDocument, read_document
from defectors_data.corpus.findings import HELP_LINES, Finding, Place, RuleReport, UnreadError
from defectors_data.corpus.reader import Batch, CorpusReader
from defectors_data.corpus.seed_limits import SOURCES_COMPARED
from defectors_data.corpus.shards import BLOCK
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence import anchors, comparisons
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.comparisons import FigurePair, SourceTies
from defectors_data.evidence.free_text.unsourced_details import DetailToCheck, printed_of_shared
from defectors_data.evidence.relation_arithmetic import ComparedFigure
from defectors_data.executors import Executor, serial
from defectors_data.models.annotation import Figure
from defectors_data.published_ids import NO_PACKAGE, Identity, PublishedIds, identities
from defectors_data.rules import RULES, Rule
from defectors_data.rules.corpus_index import (
    COUNTS,
    OF_RELEASES,
    CorpusIndex,
    CorpusView,
    IndexEntry,
    keys_of,
)
from defectors_data.rules.engine import apply, code_of, grouped
from defectors_data.rules.subjects import SUBJECTS

if TYPE_CHECKING:
    import pyarrow as pa


class Options(NamedTuple):
    """Options of a run: the tables, and whether figures of different sources are compared."""

    tables: bool = True
    without: frozenset[str] = frozenset()
    """Names of tables that are left out: `ledger`, `provenance` or both."""
    published: Path | None = None
    """The folder of the package that was published from the corpus."""
    compare_ids: bool = True
    """Whether ids are compared with that package; a build does so after it made its tables."""
    since_release: bool = True
    """Whether the corpus is compared with earlier releases and with the published package."""
    grouped: bool = True
    """Whether findings with the same cause are reported once, with their number."""
    compare: bool = True
    """Whether figures of different sources are compared; `run` sets it, by their number."""
    today: date | None = None
    """The latest day that readings and other events can have; None if that is not checked."""


@dataclass
class BatchResult:
    """The result of processing a batch; it can be pickled."""

    unreadable: list[Finding] = field(default_factory=list)
    """Findings about files and documents that cannot be read."""
    findings: list[Finding] = field(default_factory=list)
    identities: dict[str, Identity] = field(default_factory=dict)
    """What each id identifies; filled only if a published package is compared."""
    missing: list[tuple[Finding, str]] = field(default_factory=list)
    """The findings on words that are not in their seed, with the words."""
    faulty: set[str] = field(default_factory=set)
    """The ids of records with a finding."""
    skipped: set[str] = field(default_factory=set)
    """The codes of rules that need what could not be read of a shared file."""
    counts: Counter[str] = field(default_factory=Counter)
    """The numbers of items that rules checked, by kind of item."""
    ids: list[IndexEntry] = field(default_factory=list)
    """The documents whose source can be read, in order."""
    entries: list[IndexEntry] = field(default_factory=list)
    """The documents that were checked, in order."""
    keys: list[tuple[int, str, str]] = field(default_factory=list)
    """Keys for the index: the position of the document in `entries`, the kind and the value."""
    seeds: list[str] = field(default_factory=list)
    """Names of the seeds that are separate files."""
    documents: int = 0
    size: int = 0
    """Number of bytes of annotations."""
    parts: int = 0
    """Number of parts of evidence."""
    records: int = 0
    """Number of testimonies and figures."""
    figures: list[ComparedFigure] = field(default_factory=list)
    ties: list[SourceTies] = field(default_factory=list)
    printed: set[DetailToCheck] = field(default_factory=set)
    """Details in the free text of shared files that articles of this batch print."""
    shared_is_known: bool = False
    """See `CorpusView`; only `check_cache` sets it."""
    tables: dict[str, pa.Table] = field(default_factory=dict)
    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The number of uses of each term, by table and term."""
    faults: list[str] = field(default_factory=list)
    """Cells without provenance, and disclosures about protected persons: bugs."""


def process(batch: Batch, context: Context | None, options: Options) -> BatchResult:
    """Read, anchor and check a batch of documents, and make its rows if there are no findings.

    If the context is None, because a file that all documents share cannot be read, documents are
    read but not checked.
    """
    result = BatchResult(documents=len(batch.documents))
    documents: list[Document] = []
    for raw in batch.documents:
        result.size += len(raw.data)
        read = read_document(raw, batch.tree, partly=True)
        result.unreadable += read.findings
        if read.file and not raw.packed:
            result.seeds.append(read.file.content.source.seed)
        if read.file:
            result.ids.append(IndexEntry(raw.file, raw.line, read.file.content.source.id))
        if context and read.file and read.text is not None:
            result.entries.append(IndexEntry(raw.file, raw.line, read.file.content.source.id))
            documents.append(Document(read.file, read.text, read.seed, context))
    for number, document in enumerate(documents):
        _check(number, document, options, result)
    # Rules that look up records by id are skipped if an id is ambiguous, so some references may be
    # unresolved.
    unambiguous = not any(document.has_duplicate_ids for document in documents)
    if options.tables and context and unambiguous and not (result.unreadable or result.findings):
        from defectors_data import executors  # noqa: PLC0415  # pyarrow is slow to import
        from defectors_data.rows import records  # noqa: PLC0415  # pyarrow is slow to import

        executors.spare()
        made = records.tables_of(documents, options.without)
        result.tables, result.used, result.faults = made.tables, made.used, made.faults
    return result


def _check(number: int, document: Document, options: Options, result: BatchResult) -> None:
    subjects = {
        kind: find
        for kind, find in SUBJECTS.items()
        if options.since_release or kind not in OF_RELEASES
    }
    applied = apply(document, subjects)
    result.findings += [*document.anchoring_findings, *applied.findings]
    result.missing += document.missing
    result.faulty |= document.faulty
    result.skipped |= applied.skipped
    result.counts += applied.counts
    result.parts += sum(len(cited.parts) for cited in document.cited)
    result.records += len(document.testimonies) + len(document.figures)
    # What other rules compare, as far as the shared files could be read.
    with suppress(UnreadError):
        if options.published and options.compare_ids:
            result.identities.update(identities(document))
        for key in keys_of(document):
            result.keys.append((number, key.kind, key.value))
    with suppress(UnreadError):
        result.printed |= printed_of_shared(document, result.printed)
    with suppress(UnreadError):
        _compare(document, options, result)


def _compare(document: Document, options: Options, result: BatchResult) -> None:
    """Add what is compared between sources."""
    if options.compare:
        result.figures += (
            each
            for each in comparisons.compared_figures(document)
            if each.id not in document.faulty
        )
        if options.tables:
            result.ties.append(comparisons.source_ties(document))


# ---- a corpus ----------------------------------------------------------------------------------------------------


@dataclass
class RunResult:
    """The result of a run: all findings in order, and a report for each rule."""

    context: Context | None
    """None if a file or a record could not be read."""
    findings: list[Finding]
    rules: list[RuleReport]
    sources: int = 0
    records: int = 0
    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    figures: list[ComparedFigure] = field(default_factory=list)
    ties: list[SourceTies] = field(default_factory=list)
    pairs: Sequence[FigurePair] | None = None
    """The pairs of figures of one measure; None if they were not compared."""
    relations: dict[str, pa.Table] = field(default_factory=dict)
    """Rows of relations across documents, by source."""
    not_compared: str = ""
    """Why the ids were not compared with those of the published package; empty if they were."""

    @property
    def unread(self) -> list[Finding]:
        """The findings about what could not be read; if there are any, some rules were not applied."""
        codes = {code_of(fault) for fault in FILE_RULES}
        return [finding for finding in self.findings if finding.code in codes]


Take = Callable[[BatchResult], None]
"""A function that is called with each result, in order, until there is a finding."""

OnProgress = Callable[[int, float], None]
"""A function that is called with the numbers of documents and of bytes, as a share."""


def run(
    corpus: CorpusReader,
    options: Options,
    *,
    executor: Executor = serial,
    size: int = BLOCK,
    take: Take | None = None,
    on_progress: OnProgress | None = None,
) -> RunResult:
    """Process a corpus in batches of at most `size` documents, and return the findings and reports.

    `take` is called with each result until there is a finding, `on_progress` after each batch.

    Raises:
        OSError: a temporary file cannot be written.
    """
    context, unreadable = corpus.readable_context
    # Without the files that all documents share, no tables can be made.
    tables = options.tables and context is not None and context.is_complete
    options = options._replace(
        tables=tables, compare=corpus.count(SOURCES_COMPARED) <= SOURCES_COMPARED
    )
    published = NO_PACKAGE
    if options.published:
        published = published_ids.published(options.published)
    if not (published.identities and options.compare_ids):
        options = options._replace(compare_ids=False)
    with closing(CorpusIndex()) as index:
        running = _Run(corpus, context, options, index, unreadable, published)
        for result in executor(process, corpus.batches(size), context, options):
            running.add(result, take)
            if on_progress:
                on_progress(running.total.documents, running.total.size / max(1, corpus.size))
        if on_progress:
            on_progress(running.total.documents, 1.0)
        return running.finish()


WORDS_SOUGHT, SEEDS_SEARCHED = 100, 1_000
"""Maximum numbers of words that are searched for in other seeds, and of seeds that are searched."""


class _Run:
    """The state of a run: totals of the batches processed so far."""

    def __init__(
        self,
        corpus: CorpusReader,
        context: Context | None,
        options: Options,
        index: CorpusIndex,
        unreadable: list[Finding],
        published: PublishedIds,
    ) -> None:
        self.published = published
        self.corpus, self.context, self.options, self.index = corpus, context, options, index
        self.total = BatchResult(unreadable=list(unreadable))
        self.last = IndexEntry("", 0, "")
        """The shard line that was added last, to check the order of source ids."""
        with suppress(UnreadError):
            if context:
                index.add_shared(context)

    def add(self, result: BatchResult, take: Take | None) -> None:
        total = self.total
        total.unreadable += result.unreadable
        total.findings += result.findings
        total.missing += result.missing
        total.identities.update(result.identities)
        total.faulty |= result.faulty
        total.skipped |= result.skipped
        total.seeds += result.seeds
        for entry in result.ids:
            if entry.line:
                if entry.source_id < self.last.source_id:
                    total.unreadable.append(self._out_of_order(entry))
                self.last = entry
        if self.context:
            self.index.add(result.entries, result.keys)
        for name in ("documents", "size", "parts", "records"):
            setattr(total, name, getattr(total, name) + getattr(result, name))
        total.counts += result.counts
        total.used += result.used
        total.figures += result.figures
        total.ties += result.ties
        total.printed |= result.printed
        total.shared_is_known |= result.shared_is_known
        # After a finding, nothing will be published, so no further tables need to be written.
        if take and not (total.unreadable or total.findings):
            take(result)

    def _out_of_order(self, entry: IndexEntry) -> Finding:
        """Return the finding for a line of a shard that is not in the order of source ids."""
        place = Place(entry.file, entry.line)
        for _, read in self._read_again([(entry.file, entry.line)]):
            if read.file:
                place = read.file.place("source", "id")
        return reader.shard_out_of_order(place)

    def _reported(self) -> list[Finding]:
        """Return all findings in order, as the options say."""
        found = self.total.unreadable + self.total.findings
        if not self.options.grouped:
            return sorted(set(found))
        return grouped(found)

    def finish(self) -> RunResult:
        """Apply the rules that need all documents, and return the result of the run."""
        total, context = self.total, self.context
        total.findings = self._with_other_places()
        self._find_faults_of_corpus()
        if context is None:
            findings = self._reported()
            reports = _reports(findings, None, total.counts, skipped=lambda _: True)
            return RunResult(None, findings, list(reports))
        self.index.finish()
        view = self._view(context)
        relations = self._relations_between_documents(view)
        total.findings += self._found_across(view, waits=False)
        total.findings = self._without_consequences(total.findings)
        has_pairs = self._has_known_pairs(context)
        if has_pairs:
            if total.findings:
                # Figures with a finding were not compared, so a comparison note about one of them
                # may still be needed.
                view = replace(view, compared={figure.id for figure in total.figures})
            total.findings += self._found_across(view, waits=True)
        findings = self._reported()
        skipped = partial(self._is_skipped, has_pairs=has_pairs)
        reports = _reports(findings, self, self._counts(view), skipped=skipped)
        readable = None if total.unreadable else context
        pairs = view.pairs if self._compares else None
        return RunResult(
            readable,
            findings,
            list(reports),
            sources=total.documents,
            records=total.records,
            used=total.used,
            figures=total.figures,
            ties=total.ties,
            pairs=pairs,
            relations=relations,
            not_compared=self.published.unread,
        )

    def _find_faults_of_corpus(self) -> None:
        """Add the findings about files that are missing, superfluous or not read."""
        total, context = self.total, self.context
        total.unreadable += self.corpus.findings
        if not self.corpus.can_be_read:
            return
        total.unreadable += self.corpus.files_not_read()
        if context:
            with suppress(UnreadError):
                total.unreadable += list(self.corpus.seed_findings(total.seeds, context))
            if not (total.documents or total.unreadable or len(context.tombstones)):
                total.unreadable.append(reader.no_annotations())

    def _view(self, context: Context) -> CorpusView:
        """Return what the rules that compare documents may read."""
        total = self.total
        pairs, reassigned = list[FigurePair](), list[str]()
        with suppress(UnreadError):
            if self._compares:
                pairs = comparisons.figure_pairs(total.figures, context)
        with suppress(UnreadError):
            if self.options.compare_ids:
                before = self.published.identities
                reassigned = published_ids.changed_ids(before, total.identities, context)
        return CorpusView(
            context,
            self.index,
            self._open,
            pairs,
            printed=total.printed,
            shared_is_known=total.shared_is_known,
            published=self.published,
            reassigned=reassigned,
            today=self.options.today,
        )

    def _has_known_pairs(self, context: Context) -> bool:
        """Return whether the pairs of figures are compared, and are known.

        If an id is used twice, a reference is ambiguous; a note that cannot be read may be about
        any pair.
        """
        is_ambiguous = any(finding.code == "duplicate-id" for finding in self.total.findings)
        return self._compares and not is_ambiguous and not context.comparisons.unread

    def _counts(self, view: CorpusView) -> Counter[str]:
        """Return the numbers of subjects to which rules were applied, by what they are."""
        counts = Counter(self.total.counts)
        for on, count in COUNTS.items():
            with suppress(UnreadError):
                counts[on] = count(view)
        return counts

    def _is_skipped(self, each: Rule, *, has_pairs: bool) -> bool:
        """Return whether a rule was not applied, because what it needs could not be read."""
        needs_pairs = each.waits and each.scope == "corpus"
        is_unread = each.complete and bool(self.total.unreadable)
        return (needs_pairs and not has_pairs) or is_unread or each.code in self.total.skipped

    def _found_across(self, view: CorpusView, *, waits: bool) -> list[Finding]:
        """Return the findings of the rules that compare documents."""
        found: list[Finding] = []
        for each in RULES:
            is_left_out = each.on in OF_RELEASES and not self.options.since_release
            is_applied = not (is_left_out or (each.complete and self.total.unreadable))
            if each.scope == "corpus" and each.waits == waits and is_applied:
                try:
                    found += list(each.function(view))
                except UnreadError:
                    self.total.skipped.add(each.code)
        return found

    def _with_other_places(self) -> list[Finding]:
        """Return the findings; those on words that are in another seed say in which."""
        missing = dict(self.total.missing[:WORDS_SOUGHT])
        if not missing:
            return self.total.findings
        texts = self.corpus.texts()
        found = anchors.elsewhere(missing.values(), islice(texts, SEEDS_SEARCHED))
        is_limited = next(texts, None) is not None
        places = dict[Finding, Finding]()
        for finding, words in missing.items():
            if words in found:
                help_ = (found[words], "Annotate them there, or quote words of this seed.")
                places[finding] = finding._replace(help=help_)
            elif is_limited:
                limit = f"Only the first {SEEDS_SEARCHED} other seeds were searched for them."
                places[finding] = finding._replace(help=(*finding.help[: HELP_LINES - 1], limit))
        return [places.get(finding, finding) for finding in self.total.findings]

    @cached_property
    def _compares(self) -> bool:
        """Whether figures of different sources are compared; valid after all batches."""
        return self.options.compare and comparisons.is_compared(
            self.total.documents, self.total.figures
        )

    def _without_consequences(self, findings: list[Finding]) -> list[Finding]:
        """Return the findings except those that merely result from an id that two documents define."""
        duplicates = (finding.place for finding in findings if finding.code == "duplicate-id")
        affected = {at for at in map(self._document_at, duplicates) if at}
        if not affected:
            return findings
        texts = {read.seed for _, read in self._read_again(affected)}
        of_unique_ids = {each.code for each in RULES if each.unique_ids}
        same_source = {(entry.file, entry.line) for entry in self.index.of_one_source()}

        def is_consequence(finding: Finding) -> bool:
            document = self._document_at(finding.place)
            if finding.code == "malformed-id":
                return document in same_source
            return finding.code in of_unique_ids and (
                document in affected or finding.place.file in texts
            )

        return [finding for finding in findings if not is_consequence(finding)]

    def _document_at(self, place: Place) -> tuple[str, int] | None:
        """Return the file and line of the document with a place, or None for a shared file."""
        if place.file in self.corpus.shards:
            return place.file, place.line
        if place.file in self.corpus.yaml_files:
            return (place.file, 0)
        return None

    def _read_again(
        self, wanted: Iterable[tuple[str, int]]
    ) -> Iterator[tuple[RawDocument, ParsedDocument]]:
        """Read the documents at the given files and lines once more."""
        for batch in self.corpus.open(wanted):
            for raw in batch.documents:
                yield raw, read_document(raw, batch.tree, partly=True)

    def _open(self, entries: Sequence[IndexEntry]) -> Iterator[Document]:
        """Read documents again, and yield them in the order of `entries`.

        Raises:
            reader.CorpusChangedError: a file has changed since it was read.
        """
        assert self.context is not None  # noqa: S101  # otherwise, the index contains no documents
        wanted = [(entry.file, entry.line) for entry in entries]
        found: dict[tuple[str, int], Document] = {}
        for raw, read in self._read_again(wanted):
            if read.file and read.text is not None:
                document = Document(read.file, read.text, read.seed, self.context)
                found[raw.file, raw.line] = document
        for entry in wanted:
            if entry not in found:
                raise reader.CorpusChangedError(f"{entry[0]} has changed since it was read")
            yield found[entry]

    def _relations_between_documents(self, view: CorpusView) -> dict[str, pa.Table]:
        """Check relations to figures of other documents, and return their rows by source."""
        # The ids of the figures that such relations use, by the number of the document with the
        # relations.
        named: dict[int, set[str]] = {}
        for name, _ in view.index.values("operand"):
            for number in view.index.documents_with(name, ("operand",)):
                named.setdefault(number, set()).add(name)
        holders = {
            name: view.index.documents_with(name, ("record",))
            for names in named.values()
            for name in names
        }
        figures: dict[str, Figure] = {}
        for _, document in view.documents(
            number for numbers in holders.values() for number in numbers
        ):
            figures |= {figure.id: figure for _, figure in document.figures if figure.id in holders}
        made: dict[str, pa.Table] = {}
        for _, document in view.documents(named):
            # All documents have been checked, so records with findings in other documents are known
            # as well.
            document.borrowed, document.faulty = figures, set(self.total.faulty)
            document.lacks_others = bool(self.total.unreadable)
            applied = apply(document, {"relations": SUBJECTS["relations"]})
            self.total.findings += applied.findings
            self.total.counts += applied.counts
            if self.options.tables:
                from defectors_data.rows import records  # noqa: PLC0415

                made[document.source.id] = records.relations_table(document)
        return made


FILE_RULES: tuple[Callable[..., object], ...] = (
    *yaml_reader.FAULTS,
    *reader.FAULTS,
    *validation_errors.FAULTS,
)
"""Functions that return the findings about unreadable files, named after their codes."""


def _reports(
    findings: Sequence[Finding],
    running: _Run | None,
    counts: Counter[str],
    *,
    skipped: Callable[[Rule], bool],
) -> Iterator[RuleReport]:
    """Yield a report for each rule, in the order in which rules are applied."""
    found = Counter[str]()
    for finding in findings:
        found[finding.code] += finding.number
    files = parts = None
    if running and running.context:
        parts = running.total.parts
    if running and running.context and not running.total.unreadable:
        context = running.context
        lists = (context.shared.listed, context.tombstones, context.comparisons)
        # There are two shared files, and two files for each document: annotations and seed.
        files = 2 + sum(listed.exists for listed in lists) + 2 * running.total.documents
    for fault in FILE_RULES:
        yield RuleReport(code_of(fault), "files", files, found[code_of(fault)])
    for fault in anchors.FAULTS:
        number = found[code_of(fault)] if running else None
        yield RuleReport(code_of(fault), "parts of evidence", parts, number)
    by_code: dict[str, list[Rule]] = {}
    for each in RULES:
        by_code.setdefault(each.code, []).append(each)
    for each, *others in by_code.values():
        if skipped(each) and not found[each.code]:
            yield RuleReport(each.code, each.on, None, None)
        else:
            kinds = dict.fromkeys(same.on for same in (each, *others))
            seen = sum(counts[on] for on in kinds)
            yield RuleReport(each.code, " and ".join(kinds), seen, found[each.code])


def sentences() -> dict[str, str]:
    """Return the sentence on each rule by code, in the order in which rules are applied."""
    faults = {
        code_of(fault): " ".join((fault.__doc__ or "").split())
        for fault in (*FILE_RULES, *anchors.FAULTS)
    }
    for each in RULES:
        faults.setdefault(each.code, each.sentence)
    return faults
