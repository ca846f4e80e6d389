"""The files of a project, as the page reads and edits them.

An edit makes the smallest possible change to a YAML file. It states the SHA-256 of the file
that the page was made from, so that two windows cannot overwrite each other's changes.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path as FilePath
from threading import Lock
from typing import Any

from defectors_data import pipeline
from defectors_data.annotators import worklist
from defectors_data.annotators.workbench import forms
from defectors_data.annotators.workbench.forms import RequestError
from defectors_data.corpus.document_reader import faults_of, read_document
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.corpus.reader import SHARED_FILES, CorpusReader, text_of
from defectors_data.documents.article import ArticleView, RecordView, paragraphs
from defectors_data.edits import yaml_editor
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.document_batches import documents_in
from defectors_data.executors import CachingExecutor
from defectors_data.models.project import Vocabulary
from defectors_data.package import atomic_publication
from defectors_data.pipeline import RunResult
from defectors_data.text.offsets import Span, is_inside, line_starts

VOCABULARY = "annotations/vocabulary.yaml"
_FACTS = {
    "mention": ("rank", "age", "years_of_service", "affiliation"),
    "testimony": ("mode", "themes", "outlet", "note"),
    "figure": tuple(
        "hedge polarity value low high unit measure population counted attributed_to as_of".split()
    ),
    "waiver": ("reason", "repeats", "note"),
}
_IDS = re.compile(r"(?m)^\s*(?:- )?id: (\S+)$")


class FileChangedError(RequestError):
    """The file has changed since the page was made."""

    status = 409

    def __init__(self) -> None:
        """Set the message."""
        super().__init__("The file was changed elsewhere. The page now shows its current content.")


class EditedProject:
    """A project whose annotations the page edits."""

    def __init__(self, root: FilePath) -> None:
        """Set the folder of the project, without reading it."""
        self.root = root
        # Requests are answered in several threads.
        self._edits, self._checks = Lock(), Lock()
        self._shared: object = None
        # A cached result is valid until a seed, the vocabulary or another shared file changes.
        self._executor = CachingExecutor(lambda batch: (self._shared, batch.documents))

    def stems(self) -> list[str]:
        """Return the file names of the annotated articles, without extension."""
        return [FilePath(file).stem for file in CorpusReader(FileTree(self.root)).yaml_files]

    def article(self, stem: str) -> ArticleView:
        """Check the project, and return an article with its records and all findings.

        The article's own findings come first.

        Raises:
            RequestError: there is no such article.
        """
        file, document, data = self._opened(stem)
        result = self._checked()
        seed = document.seed if document else f"seeds/{stem}.txt"
        own_first = partial(sorted, key=lambda finding: finding.place.file not in (file, seed))
        findings, unread = own_first(result.findings), own_first(result.unread)
        if not document:
            # The annotations cannot be read: the page shows the words of the seed and the findings.
            text = text_of(self.root, seed)[0] or ""
            words = paragraphs(text, (), ())
            return ArticleView(
                stem, stem, words, _sha256(data), findings=findings, unread=unread or findings
            )
        records = list(_records(document, findings))
        open_entries = [each.detection for each in ledger_of(document).left()]
        left = [Span(each.start, each.end) for each in open_entries]
        in_seed = [finding.place for finding in findings if finding.place.file == seed]
        places = _characters(document.text, in_seed)
        marked = [*left, *(at for at in places if not is_inside(at, left))]
        faulty = [record.spans[0] for record in records if record.findings and record.spans]
        title = " ".join(part.text for part in document.source.title or ())
        return ArticleView(
            stem,
            title or stem,
            paragraphs(document.text, records, marked),
            _sha256(data),
            sorted({*marked, *faulty}),
            len(left),
            findings,
            unread,
            _not_searched(document),
        )

    def not_searched(self, stem: str) -> str:
        """Return a sentence that an article was not searched; "" if it was, or cannot be read."""
        _, document, _ = self._opened(stem)
        return _not_searched(document) if document else ""

    def document(self, stem: str) -> Document:
        """Return an article with its annotations.

        Raises:
            RequestError: there is no such article, or its annotations cannot be read.
        """
        _, document, _ = self._opened(stem)
        if not document:
            problem = "The annotations cannot be read: correct them in a text editor first."
            raise RequestError(problem)
        return document

    def _opened(self, stem: str) -> tuple[str, Document | None, bytes]:
        if stem not in self.stems():
            raise RequestError("There is no such article.")
        file, corpus = f"annotations/{stem}.yaml", CorpusReader(FileTree(self.root))
        [batch] = corpus.open([(file, 0)])
        if not batch.documents:
            raise RequestError("The annotations cannot be read.")
        context, _ = corpus.context
        document = next(iter(documents_in(batch, context)))[0] if context else None
        return file, document, batch.documents[0].data

    def _checked(self) -> RunResult:
        with self._checks:
            self._shared = self._shared_state()
            corpus = CorpusReader(FileTree(self.root))
            options = pipeline.Options(tables=False, published=self.root / "dist")
            return pipeline.run(corpus, options, executor=self._executor, size=1)

    def _shared_state(self) -> tuple[tuple[FilePath, int, int], ...]:
        """Return the time and the size of each file that several articles may share."""
        shared = [*self.root.glob("*.*"), *(self.root / "seeds").glob("*.*")]
        shared += [self.root / "annotations" / name for name in SHARED_FILES]
        states = [(path, path.stat()) for path in sorted(shared) if path.is_file()]
        return tuple((path, state.st_mtime_ns, state.st_size) for path, state in states)

    # ---- edits -----------------------------------------------------------------------------------

    def add(
        self, stem: str, sha256: str, kind: str, spans: Sequence[Span], values: Mapping[str, str]
    ) -> str:
        """Add a record, and its measure if the vocabulary lacks it; return the id of the record.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: no words are selected, or a file cannot be read or edited.
        """
        document = self.document(stem)
        # `_edit` compares the checksum, too, but only after the vocabulary has been edited.
        if _sha256((self.root / f"annotations/{stem}.yaml").read_bytes()) != sha256:
            raise FileChangedError
        is_outside = any(span.end > len(document.text) for span in spans)
        if is_outside or not (spans or kind == "reading"):
            raise RequestError("No words are selected.")
        measure = forms.new_measure(document, values) if kind == "figure" else None
        record = forms.filled_in(kind, document, tuple(spans), values)
        file = f"annotations/{stem}.yaml"
        with self._edits:
            edited = self._edited(file, sha256, lambda text: yaml_editor.with_item(text, *record))
            # The vocabulary is written first: without the measure, the figure would have a finding.
            if measure:
                terms = self._edited(
                    VOCABULARY, None, lambda text: yaml_editor.with_item(text, *measure)
                )
                self._write(VOCABULARY, terms)
            self._write(file, edited)
        ids = _IDS.findall(record.item)
        return ids[0] if ids else kind  # boilerplate and readings have no id

    def delete(self, stem: str, sha256: str, record: str) -> None:
        """Delete a record; a speaker without any remaining mention is kept.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: there is no such record.
        """
        path, file = self._path(stem, record), f"annotations/{stem}.yaml"
        self._edit(file, sha256, lambda text: yaml_editor.without(text, [path]))

    def typed(self, stem: str, record: str) -> dict[str, str]:
        """Return the single-line values of a record, as written in the file, by key."""
        # The form has only single-line inputs; other values are edited in the file.
        path = self._path(stem, record)
        text = (self.root / f"annotations/{stem}.yaml").read_bytes().decode()
        values = yaml_editor.typed(text, path)
        return {key: value for key, value in values.items() if "\n" not in value}

    def change(self, stem: str, sha256: str, record: str, values: Mapping[str, str]) -> None:
        """Change, add and remove keys of a record.

        `values` maps keys to YAML, or to "" to remove them.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: there is no such record, or a value is not YAML on one line.
        """
        path = self._path(stem, record)

        def changed(text: str) -> str:
            before = yaml_editor.typed(text, path)
            for key, value in values.items():
                if value and key not in before:
                    text = yaml_editor.with_entries(text, {path: {key: value}}, {}, last=True)
                elif value and value != before[key]:
                    text = yaml_editor.with_values(text, {(*path, key): value})
                elif key in before and not value:
                    text = yaml_editor.without(text, [(*path, key)])
            return text

        self._edit(f"annotations/{stem}.yaml", sha256, changed)

    def _path(self, stem: str, record: str) -> Path:
        for path, _, name in self.document(stem).records:
            if name == record:
                return path
        raise RequestError("There is no such record.")

    def _edit(self, file: str, sha256: str, act: Callable[[str], str]) -> None:
        """Replace a file with its edited text; for the errors, see `_edited`."""
        with self._edits:
            self._write(file, self._edited(file, sha256, act))

    def _edited(self, file: str, sha256: str | None, act: Callable[[str], str]) -> bytes:
        """Return the edited text of a file; if `sha256` is None, the file may have changed.

        Raises:
            FileChangedError: the SHA-256 of the file is not the given one.
            RequestError: the file cannot be edited, or could not be read after the edit.
        """
        data = (self.root / file).read_bytes()
        if sha256 not in (None, _sha256(data)):
            raise FileChangedError
        try:
            edited = act(data.decode()).encode()
        except (yaml_editor.UneditableTextError, ValueError) as error:
            problem = "The file is written in a form that cannot be edited here"
            raise RequestError(f"{problem}: edit it in a text editor.") from error
        if faults := self._faults(file, edited):
            sentences = " ".join([faults[0].message, *faults[0].help])
            problem = f"Not saved, because `check` would refuse it ({faults[0].code})"
            raise RequestError(f"{problem}: {sentences}")
        return edited

    def _faults(self, file: str, data: bytes) -> Sequence[Finding]:
        """Return the findings because of which a file with these bytes could not be read."""
        if file == VOCABULARY:
            return faults_of(data, file, Vocabulary)
        corpus = CorpusReader(FileTree(self.root))
        [batch] = corpus.open([(file, 0)])
        [raw] = batch.documents
        return read_document(raw._replace(data=data), batch.tree).findings

    def _write(self, file: str, data: bytes) -> None:
        # If the path is a link, its target is replaced, not the link itself.
        atomic_publication.replace((self.root / file).resolve(), data)


# ---- the view of an article ----------------------------------------------------------------------


def _not_searched(document: Document) -> str:
    return "" if document.claims_completeness else worklist.not_searched(document)


def _characters(text: str, places: Sequence[Place]) -> list[Span]:
    """Return the spans of the characters at some places of a text."""
    starts = line_starts(text)
    offsets = [starts[place.line - 1] + place.column - 1 for place in places]
    return [Span(at, at + 1) for at in offsets]


def _records(document: Document, findings: Sequence[Finding]) -> Iterator[RecordView]:
    """Yield the records that have evidence, each with the findings on its lines."""
    of_record = _by_record(document, findings)
    kinds: dict[str, Sequence[tuple[Path, Any]]] = {
        "testimony": document.testimonies,
        "figure": document.figures,
        "mention": document.mentions,
        "waiver": document.waivers,
    }
    for kind, records in kinds.items():
        for path, record in records:
            found, speaker = list(of_record[path]), getattr(record, "speaker", None)
            if kind == "mention":
                speaker = document.entry_of(path).id
                # A speaker has no element on the page: the first mention shows the findings.
                if path[-1] == 0:
                    found += of_record[path[:2]]
            facts = {"speaker": speaker}
            for key in _FACTS[kind]:
                facts[key] = getattr(record, key, None)
            shown = {key: _words(value) for key, value in facts.items() if value not in (None, ())}
            spans = document.evidence_of(path)
            yield RecordView(kind, record.id, spans, shown, tuple(found))


def _by_record(document: Document, findings: Sequence[Finding]) -> Mapping[Path, list[Finding]]:
    """Return the findings in the file of a document, by the path of their record."""
    listed = sorted((document.place(*path).line, path) for path, _, _ in document.records)
    lines = [line for line, _ in listed]
    found = defaultdict[Path, list[Finding]](list)
    for finding in findings:
        # A finding belongs to the last record that begins on its line or before it.
        at = bisect_right(lines, finding.place.line) - 1
        if finding.place.file == document.file.file and at >= 0:
            _, path = listed[at]
            found[path].append(finding)
    return found


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
