"""The files of a project, as the page reads and edits them.

An edit makes the smallest possible change to a YAML file. It states the SHA-256 of the file
that the page was made from, so that two windows cannot overwrite each other's changes. Each edit
can be undone as long as nobody else has changed its files.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path as FilePath
from threading import Lock
from typing import Any, NamedTuple

from defectors_data import pipeline
from defectors_data.annotators import worklist
from defectors_data.annotators.proposals import (
    PLACEHOLDERS,
    nearest_introduction,
    of_detections,
)
from defectors_data.annotators.workbench import connections, forms, rejection
from defectors_data.annotators.workbench.adjudication import ReadingPair
from defectors_data.annotators.workbench.code_keys import OTHER, code_keys, lacks_term
from defectors_data.annotators.workbench.forms import FormContext, FormField
from defectors_data.annotators.workbench.record_fields import (
    FieldType,
    RecordField,
    RequestError,
    Value,
    Values,
    fields_of,
)
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.document_reader import faults_of, read_document
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.corpus.reader import SHARED_FILES, Batch, CorpusReader, text_of
from defectors_data.documents.article import (
    ArticleProgress,
    ArticleView,
    RecordView,
    paragraphs,
)
from defectors_data.edits import evidence_yaml, yaml_editor
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.document_batches import documents_in
from defectors_data.executors import CachingExecutor
from defectors_data.models.annotation import NAMING_KEYS, SHORT_ID, SharedReference
from defectors_data.models.project import Vocabulary
from defectors_data.package import atomic_publication
from defectors_data.pipeline import RunResult
from defectors_data.rows import readings
from defectors_data.text.offsets import Span, in_line, is_inside, line_starts, overlaps

VOCABULARY = "annotations/vocabulary.yaml"
KINDS = {
    "source": "source",
    "speakers": "speaker",
    "mentions": "mention",
    "testimonies": "testimony",
    "figures": "figure",
    "waivers": "waiver",
    "errata": "erratum",
    "boilerplate": "boilerplate",
}
"""The kinds of records that the page shows, by table."""
_KEYS = re.compile(r"(?m)(?:^|[{,]|- )\s*([a-z_]+): ")
_READINGS = re.compile(r"""(?m)(?:^|[{,]\s*)["']?readings["']?:(?!\s*\[\s*\])""")
_IDS = re.compile(r"(?m)^\s*(?:- )?id: (\S+)$")
_MOST_HITS = 100
"""Maximum number of places that a search returns."""


_NOT_BEGUN = "seed-without-annotations"
"""The finding on another article that is not begun, which keeps no rule from this one."""


class FileChangedError(RequestError):
    """The file has changed since the page was made."""

    status = 409

    def __init__(self) -> None:
        """Set the message."""
        super().__init__("The file was changed elsewhere. The page now shows its current content.")


class IncompleteRecordError(RequestError):
    """A draft lacks a value that only a person can choose; the page then opens its form."""

    status = 422


class _Edit(NamedTuple):
    """An edit of some files: their bytes before and after it, by path."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    said: str
    """What was done, such as "accepted w3"."""


class Hit(NamedTuple):
    """A place at which an article contains the words of a search."""

    stem: str
    start: int
    end: int
    sentence: str


class EditedProject:
    """A project whose annotations the page edits."""

    def __init__(
        self, root: FilePath, reading: str = "", compared: ReadingPair | None = None
    ) -> None:
        """Set the folder of the project, without reading it.

        Args:
            root: the folder.
            reading: the name of a blind reading that is edited instead of the annotations.
            compared: two readings whose differences are decided.
        """
        self.root, self.reading, self.compared = root, reading, compared
        # Requests are answered in several threads.
        self._edits, self._checks = Lock(), Lock()
        self._undoable: list[_Edit] = []
        self._redoable: list[_Edit] = []
        self._shared: object = None
        # A cached result is valid until a seed, the vocabulary or another shared file changes.
        self._executor = CachingExecutor(lambda batch: (self._shared, batch.documents))

    def stems(self) -> list[str]:
        """Return the file names of the annotated articles, without extension."""
        if self.reading:
            files = readings.files_of_readings(CorpusReader(FileTree(self.root)))
            return sorted(files.get(self.reading, {}))
        return [FilePath(file).stem for file in CorpusReader(FileTree(self.root)).yaml_files]

    def file_of(self, stem: str) -> str:
        """Return the path of the file with the records of an article."""
        if self.reading:
            return readings.file_of(stem, self.reading)
        return f"annotations/{stem}.yaml"

    def article(self, stem: str) -> ArticleView:
        """Check the project, and return an article with its records and all findings.

        The article's own findings come first. Of a blind reading, only the evidence is checked.

        Raises:
            RequestError: there is no such article.
        """
        file, document, data = self._opened(stem)
        seed = document.seed if document else f"seeds/{stem}.txt"
        own_first = partial(sorted, key=lambda finding: finding.place.file not in (file, seed))
        progress: list[ArticleProgress] = []
        if self.reading:
            findings = list(document.anchoring_findings) if document else []
            unread: list[Finding] = []
        else:
            result = self._checked()
            findings = own_first(result.findings)
            unread = [each for each in own_first(result.unread) if each.code != _NOT_BEGUN]
            progress = self._progress(result)
        if not document:
            # The annotations cannot be read: the page shows the words of the seed and the findings.
            text = text_of(self.root, seed)[0] or ""
            words = paragraphs(text, (), ())
            shown = unread or findings or self._faults(file, data)
            return ArticleView(
                stem,
                stem,
                words,
                _sha256(data),
                findings=findings,
                unread=shown,
                progress=progress,
                places=_places_shown(None, findings),
            )
        # The page names speakers and mentions, whose ids only the file needs.
        findings = _with_names(document, findings)
        guesses = _guesses(document, data.decode(errors="replace"))
        records = list(_records(document, findings, guesses))
        if unread:
            # Findings that are not known yet could concern any draft.
            records = [each._replace(undecided=("not everything was read",)) for each in records]
        # The drafts of this article are counted apart.
        own = (file, "draft-record")
        findings = [each for each in findings if (each.place.file, each.code) != own]
        places_shown = _places_shown(document, findings)
        open_entries = [each.detection for each in ledger_of(document).left()]
        left = [Span(each.start, each.end) for each in open_entries]
        in_seed = [finding.place for finding in findings if finding.place.file == seed]
        places = _characters(document.text, in_seed)
        marked = [*left, *(at for at in places if not is_inside(at, left))]
        is_read = bool(document.content.readings or self.reading)
        faulty = [record.begin for record in records if _is_to_do(record, is_read=is_read)]
        to_do = {*marked, *filter(None, faulty)}
        title = " ".join(part.text for part in document.source.title or ())
        # A blind reader sees no suggestions.
        possible = [] if self.reading else worklist.possible_statements(document)
        elsewhere = sum(each.place.file not in (file, seed) for each in findings)
        return ArticleView(
            stem,
            title or stem,
            paragraphs(document.text, records, marked, possible),
            _sha256(data),
            sorted(to_do),
            len(left),
            findings,
            unread,
            _not_searched(document),
            progress,
            self.reading,
            document.source.id,
            sum(record.draft for record in records),
            is_read,
            places_shown,
            elsewhere,
        )

    def _progress(self, result: RunResult) -> list[ArticleProgress]:
        """Return how far each article is, including seeds that are not annotated yet."""
        counted, drafts = Counter[str](), Counter[str]()
        for finding in result.findings:
            stem = FilePath(finding.place.file).stem
            counted[stem] += 1
            drafts[stem] += finding.code == "draft-record"
        annotated = set(self.stems())
        seeds = {path.stem for path in (self.root / "seeds").glob("*.txt")}
        found = []
        for stem in sorted(annotated | seeds):
            is_begun = stem in annotated
            others = counted[stem] - drafts[stem]
            is_read = is_begun and self._has_reading(stem)
            found.append(ArticleProgress(stem, is_begun, drafts[stem], others, is_read))
        return found

    def _has_reading(self, stem: str) -> bool:
        path = self.root / self.file_of(stem)
        return bool(_READINGS.search(path.read_text(encoding="utf-8", errors="replace")))

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
        file, corpus = self.file_of(stem), CorpusReader(FileTree(self.root))
        batch = self._batch(corpus, file)
        if not batch.documents:
            raise RequestError("The annotations cannot be read.")
        context, _ = corpus.context
        document = next(iter(documents_in(batch, context)))[0] if context else None
        return file, document, batch.documents[0].data

    def _batch(self, corpus: CorpusReader, file: str) -> Batch:
        """Return a file as a batch; a reading gets the name that annotations have."""
        [batch] = corpus.open([(file, 0)])
        if not self.reading:
            return batch
        name = FilePath(file).name.removesuffix(f".{FilePath(self.reading).name}.yaml")
        documents = [raw._replace(file=f"annotations/{name}.yaml") for raw in batch.documents]
        return batch._replace(documents=tuple(documents))

    def _checked(self) -> RunResult:
        with self._checks:
            self._shared = self._shared_state()
            corpus = CorpusReader(FileTree(self.root))
            options = pipeline.Options(tables=False, published=self.root / "dist", grouped=False)
            return pipeline.run(corpus, options, executor=self._executor, size=1)

    def _shared_state(self) -> tuple[tuple[FilePath, int, int], ...]:
        """Return the time and the size of each file that several articles may share."""
        shared = [*self.root.glob("*.*"), *(self.root / "seeds").glob("*.*")]
        shared += [self.root / "annotations" / name for name in SHARED_FILES]
        states = [(path, path.stat()) for path in sorted(shared) if path.is_file()]
        return tuple((path, state.st_mtime_ns, state.st_size) for path, state in states)

    def search(self, words: str) -> list[Hit]:
        """Return the places of some words in the seeds of all articles, regardless of case."""
        found: list[Hit] = []
        if not words:
            return found
        for stem in self.stems():
            text = text_of(self.root, f"seeds/{stem}.txt")[0] or ""
            for hit in re.finditer(re.escape(words), text, re.IGNORECASE):
                sentence = in_line(text, Span(*hit.span()))
                found.append(Hit(stem, *hit.span(), sentence))
        return found[:_MOST_HITS]

    # ---- forms -----------------------------------------------------------------------------------

    def kind_at(self, stem: str, span: Span) -> str:
        """Return the kind of record that is proposed for words that are unaccounted for.

        Raises:
            RequestError: there are no such words in the span.
        """
        document = self.document(stem)
        for group in worklist.groups(document):
            if any(overlaps(each, [span]) for each in group):
                return KINDS[of_detections(document, group).table]
        raise RequestError("There is no draft and nothing unaccounted for at the cursor.")

    def used_keys(self) -> frozenset[str]:
        """Return the keys that any annotation file of the project uses."""
        found = set[str]()
        for path in (self.root / "annotations").glob("*.yaml"):
            if path.name not in SHARED_FILES:
                found.update(_KEYS.findall(path.read_text(encoding="utf-8", errors="replace")))
        return frozenset(found)

    def proposed(
        self, stem: str, kind: str, span: Span, draft: str = ""
    ) -> tuple[list[Span], list[FormField]]:
        """Return the parts and the fields of the form for a new record with some words, or for a
        mention with the words to which `draft`, a testimony, is attributed.

        Raises:
            RequestError: the words are a number or quotation without a person to mention nearby, or
                those of a draft that is attributed to nobody.
        """
        document = self.document(stem)
        if draft:
            span = connections.source_of(document, draft, span)
        if kind == "mention" and nearest_introduction(document, span) is None:
            raise RequestError("Select the words that introduce the speaker, then press m.")
        proposal = forms.FORMS[kind].propose(document, span)
        context = FormContext(document, self.used_keys(), proposal.spans)
        values = forms.tree_of(proposal)
        return list(proposal.spans), context.fields(proposal.table, values, proposal.notes)

    def current(self, stem: str, record: str) -> list[FormField]:
        """Return the fields of the form for a record, with its values.

        Raises:
            RequestError: there is no such record.
        """
        _, _, data = self._opened(stem)
        document = self.document(stem)
        path, table, found = _editable(document, record)
        words = document.evidence_of(path)
        context = FormContext(document, self.used_keys(), words, record)
        if table == "mentions":
            return context.of_mention(found, document.entry_of(path).id)
        notes = _guesses(document, data.decode(errors="replace"))[path]
        return context.of_record(table, found, notes)

    # ---- edits -----------------------------------------------------------------------------------

    def add(
        self,
        stem: str,
        sha256: str,
        kind: str,
        spans: Sequence[Span],
        values: Values,
        draft: str = "",
    ) -> str:
        """Add a record, and the terms that the vocabulary lacks; return the id of the record.

        Boilerplate rejects the drafts inside. The speaker of a mention becomes that of `draft`, a
        testimony that lacks one, and gets a longer name that the mention has.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: no words are selected, or a file cannot be read or edited.
        """
        document = self.document(stem)
        is_outside = any(span.end > len(document.text) for span in spans)
        if is_outside or not (spans or kind == "reading"):
            raise RequestError("No words are selected.")
        values, writer = forms.with_writer(document, values)
        record = forms.filled_in(kind, document, tuple(spans), values)
        terms = forms.new_terms(forms.FORMS[kind].table, values, document)
        added = [*writer, record, *forms.misprint(document, spans, values)]
        ids = _IDS.findall(record.item)
        connected, renamed = dict[Path, dict[str, str]](), dict[Path, dict[str, str]]()
        if kind == "testimony":
            said = [str(values.get(key, "")) for key in ("speaker", "mode")]
            connected = connections.of_figures(
                document, connections.Statement(ids[0], spans, *said)
            )
        elif kind == "mention":
            renamed = connections.longer_name(document, values)
            connected = renamed | connections.speaker_found(document, draft, spans, values, ids)
        gone = rejection.drafts_inside(document, spans) if kind == "boilerplate" else []

        def changed(text: str) -> str:
            text = _with_all_keys(text, connected)
            if kind == "boilerplate":
                return _with_boilerplate(_rejected(document, text, gone), document, spans[0])
            return _with_items(text, items=added)

        made = _short(document, ids[0]) if ids else kind  # boilerplate and readings have no id
        if kind == "mention" and not values.get("speaker"):
            made = str(values.get("name") or document.text[slice(*spans[0])])
        if renamed:
            made += f"; the name of the speaker is now “{values['name']}”"
        if gone:
            made += f"; drafts inside were rejected: {_listed(document, gone)}"
            made += _left(document, gone)
        self._edit(stem, sha256, changed, f"saved {made}", terms)
        return made

    def delete(self, stem: str, sha256: str, record: str) -> str:
        """Delete a record, and with a draft those that are nothing without it; return the ids, and
        what changes in the records that remain.

        A speaker without any remaining mention is kept.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: there is no such record.
        """
        document = self.document(stem)
        path, table, found = _record_with_id(document, record)
        if table == "source":
            raise RequestError("The source cannot be deleted.")
        gone, said = [path], _short(document, record)
        if _is_draft(found):
            gone = rejection.removed_with(document, path)
        if others := _listed(document, gone[1:]):
            said += f", and with it {others}"

        def changed(text: str) -> str:
            if table == "boilerplate" and not _is_list(text, path[:-1]):
                return yaml_editor.without(text, [path[:-1]])
            return _rejected(document, text, gone)

        self._edit(stem, sha256, changed, f"removed {said}")
        return said + _left(document, gone)

    def accept(self, stem: str, sha256: str, record: str) -> None:
        """Remove `draft` from a record that a person has compared with the article.

        Raises:
            FileChangedError: the file has changed since the page was made.
            IncompleteRecordError: the record lacks a value that the program did not find.
            RequestError: there is no such record, or it is no draft.
        """
        document = self.document(stem)
        _, table, found = _record_with_id(document, record)
        if not _is_draft(found):
            raise RequestError("This record is no draft.")
        _check_complete(document, table, forms.current_values(found, table))
        self._accept(stem, sha256, document, [record])

    def accept_ready(self, stem: str, sha256: str, records: Sequence[str]) -> None:
        """Accept several drafts in one edit: those named, whose cards a person has read.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: in one of them, something is left to choose or to correct.
        """
        ready = set[str]()
        for row in self.article(stem).rows:
            ready.update(card.id for card in row.records if card.ready)
        if not records or not ready.issuperset(records):
            raise RequestError("Drafts with something left to decide are accepted one by one.")
        self._accept(stem, sha256, self.document(stem), records)

    def _accept(self, stem: str, sha256: str, document: Document, records: Sequence[str]) -> None:
        paths = [_record_with_id(document, record)[0] for record in records]

        identified: dict[Path, dict[str, str]] = {}
        for path in paths:
            for each, keys in connections.with_fitting_id(document, path, {}).items():
                identified.setdefault(each, {}).update(keys)

        def changed(text: str) -> str:
            text = _with_all_keys(text, identified)
            text = yaml_editor.without(text, [(*path, "draft") for path in paths])
            for path in paths:
                text = _without_guesses(text, path)
            return text

        self._edit(stem, sha256, changed, f"accepted {_listed(document, paths)}")

    def move(self, stem: str, sha256: str, record: str, spans: Sequence[Span]) -> str:
        """Replace the evidence of a record with other words; return what else changes: the figures
        in the words of a testimony name it, if no other testimony contains them.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: there is no such record, or it has no evidence.
        """
        document = self.document(stem)
        path, table, found = _record_with_id(document, record)
        if not hasattr(found, "evidence") or not spans or spans[-1].end > len(document.text):
            raise RequestError("No words are selected.")
        if tuple(spans) == document.evidence_of(path):
            raise RequestError("The words are the same: nothing was changed.")
        is_direct = getattr(found, "mode", "") == "direct"
        evidence = evidence_yaml.evidence(document, spans, direct=is_direct)
        keys = {"evidence": evidence}
        follows: dict[Path, dict[str, str]] = {}
        if table == "testimonies":
            said = connections.Statement(record, spans, found.speaker, found.mode)
            follows = connections.of_figures(document, said)
        elif table == "figures":
            keys |= connections.of_figure(document, found, spans)

        def changed(text: str) -> str:
            return _with_all_keys(text, {path: keys, **follows})

        self._edit(stem, sha256, changed, f"changed the words of {_short(document, record)}")
        return _with_it(document, follows)

    def change(self, stem: str, sha256: str, record: str, values: Values) -> str:
        """Change, add and remove keys of a record; a draft is accepted with it, unless `draft` is
        among the values. Return what else changes: the figures of a testimony follow its speaker.

        A speaker who is the same as another one is joined with that one, and a mention with another
        speaker is given to that one.

        Raises:
            FileChangedError: the file has changed since the page was made.
            IncompleteRecordError: the draft still lacks a value that only a person can choose.
            RequestError: there is no such record, or the file cannot be edited.
        """
        document = self.document(stem)
        path, table, found = _editable(document, record)
        if table == "speakers" and (same := str(values.get(forms.SAME_AS, ""))):
            return self._join(stem, sha256, path, same)
        other = str(values.get("speaker", ""))
        if table == "mentions" and other not in ("", document.entry_of(path).id):
            return self._give(stem, sha256, path, other, values)
        is_accepted = getattr(found, "draft", False) and not values.get("draft")
        if table == "testimonies" and "attribution" not in values and "speaker" in values:
            context = FormContext(document, (), document.evidence_of(path), record)
            values = {**values, **context.with_antecedent(found, str(values["speaker"]))}
        if is_accepted:
            _check_complete(document, table, {**forms.current_values(found, table), **values})
        values, writer = forms.with_writer(document, values, getattr(found, "speaker", ""))
        changes = {path: forms.changes(document, path, found, table, values)}
        if table == "speakers" and found.mentions:
            # The form of a speaker also has the fields of the first mention.
            first = (*path, "mentions", 0)
            mention = found.mentions[0]
            changes[first] = forms.changes(document, first, mention, "mentions", values)
        removed: connections.Keys = {}
        if table == "speakers":
            removed = connections.without_details(document, path, found, values)
            for each, keys in removed.items():
                changes[each] = {**changes.get(each, {}), **keys}
        identified = connections.with_fitting_id(document, path, values)
        follows: dict[Path, dict[str, str]] = {}
        if table == "testimonies":
            stated = {**forms.current_values(found, table), **values}
            said = [str(stated[key]) for key in ("speaker", "mode")]
            statement = connections.Statement(record, document.evidence_of(path), *said)
            follows = connections.of_figures(document, statement)
            follows |= connections.of_antecedents(document, statement)
            changes |= follows
        elif table == "figures" and values.get("testimony") == "":
            stated_by = str(values.get("attributed_to", found.attributed_to or "")) or None
            left_open = found.model_copy(update={"testimony": None, "attributed_to": stated_by})
            words = document.evidence_of(path)
            changes[path] |= connections.of_figure(document, left_open, words)
        if is_accepted:
            changes[path]["draft"] = ""

        def changed(text: str) -> str:
            text = _with_all_keys(_with_all_keys(text, changes), identified)
            misprint = forms.misprint(document, document.evidence_of(path), values)
            return _without_guesses(_with_items(text, items=[*writer, *misprint]), path)

        terms = forms.new_terms(table, values, document)
        self._edit(stem, sha256, changed, f"changed {_short(document, record)}", terms)
        gone = sorted({f"`{key}`" for keys in removed.values() for key in keys})
        without = f", without {', '.join(gone)}" if gone else ""
        return _with_it(document, follows) + without

    def _join(self, stem: str, sha256: str, path: Path, other: str) -> str:
        """Join the speaker at a path with another one; return a sentence that says so."""
        document = self.document(stem)
        names = forms.speaker_labels(document)
        gone = document.entry_of(path).id
        name = names.get(other, other)

        def changed(text: str) -> str:
            return connections.joined(document, text, path, other)

        self._edit(stem, sha256, changed, f"joined {_short(document, gone)} with {name}")
        return f", now joined with {name}"

    def _give(self, stem: str, sha256: str, path: Path, other: str, values: Values) -> str:
        """Give the mention at a path to another speaker; return what else changes."""
        document = self.document(stem)
        [mention] = [each for at, each in document.mentions if at == path]
        details = connections.without_details_of(document, path, other)
        kept = {**values, **dict.fromkeys(details, "")}
        changes = {path: forms.changes(document, path, mention, "mentions", kept)}
        follows = connections.of_mention(document, path, other)

        def changed(text: str) -> str:
            text = _with_all_keys(text, {**changes, **follows})
            return connections.given_to(document, text, path, other)

        name = forms.speaker_labels(document)[other]
        self._edit(stem, sha256, changed, f"gave {_short(document, mention.id)} to {name}")
        gone = sorted([f"`{key}`" for key in details & mention.model_fields_set])
        without = f", without {', '.join(gone)}" if gone else ""
        return f", now a mention of {name}{_with_it(document, follows)}{without}"

    def undo(self) -> str:
        """Undo the last edit that the page made; return a sentence that says so.

        Raises:
            RequestError: there is nothing to undo, or a file has changed since the edit.
        """
        return f"Undone: {self._restored(self._undoable, self._redoable, 'undo')}."

    def redo(self) -> str:
        """Repeat the edit that was undone last; return a sentence that says so.

        Raises:
            RequestError: there is nothing to repeat, or a file has changed since.
        """
        return f"Repeated: {self._restored(self._redoable, self._undoable, 'redo')}."

    def _restored(self, edits: list[_Edit], reverse: list[_Edit], verb: str) -> str:
        """Write the bytes before the last of some edits, and add the reverse edit to others."""
        with self._edits:
            if not edits:
                raise RequestError(f"There is nothing to {verb}.")
            last = edits[-1]
            for file, data in last.after.items():
                if (self.root / file).read_bytes() != data:
                    problem = f"{file} was changed elsewhere since: {verb} the change there."
                    raise RequestError(problem)
            for file, data in last.before.items():
                self._write(file, data)
            edits.pop()
            reverse.append(_Edit(last.after, last.before, last.said))
            return last.said

    def _edit(
        self,
        stem: str,
        sha256: str,
        act: Callable[[str], str],
        said: str,
        terms: Sequence[forms.Addition] = (),
    ) -> None:
        """Replace a file with its edited text, and add terms to the vocabulary."""
        file = self.file_of(stem)
        with self._edits:
            # The checksum is compared before the vocabulary is edited.
            if _sha256((self.root / file).read_bytes()) != sha256:
                raise FileChangedError
            after = {}
            # The vocabulary is written first: without the term, the record would have a finding.
            if terms:
                after[VOCABULARY] = self._edited(VOCABULARY, partial(_with_items, items=terms))
            after[file] = self._edited(file, act)
            before = {each: (self.root / each).read_bytes() for each in after}
            for each, data in after.items():
                self._write(each, data)
            self._undoable.append(_Edit(before, after, said))
            self._redoable.clear()

    def _edited(self, file: str, act: Callable[[str], str]) -> bytes:
        """Return the edited text of a file.

        Raises:
            RequestError: the file cannot be edited, or could not be read after the edit.
        """
        try:
            before = (self.root / file).read_bytes().decode()
            edited = _with_ids_alike(before, act(before)).encode()
        except RequestError:
            raise
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
        batch = self._batch(corpus, file)
        [raw] = batch.documents
        return read_document(raw._replace(data=data), batch.tree).findings

    def _write(self, file: str, data: bytes) -> None:
        # If the path is a link, its target is replaced, not the link itself.
        atomic_publication.replace((self.root / file).resolve(), data)


_SOURCE_ID = re.compile(r"(?m)^  id: ([a-z0-9-]+)$")
_KEY_OF_ID = rf"\b((?:{'|'.join(NAMING_KEYS)}): )"


def _with_ids_alike(before: str, after: str) -> str:
    """Return the text of an edited file with short ids if all those before the edit are short."""
    source = _SOURCE_ID.search(before)
    if not source or not re.search(_KEY_OF_ID + SHORT_ID.pattern, before):
        return after
    full = re.compile(rf"{_KEY_OF_ID}{re.escape(source[1])}-({SHORT_ID.pattern})(?![\w-])")
    return after if full.search(before) else full.sub(r"\1\2", after)


def _check_complete(document: Document, table: str, values: Values) -> None:
    """Check that a draft has the values that only a person can choose.

    Raises:
        IncompleteRecordError: it lacks one.
    """
    if lacking := _lacking(document, table, values):
        raise IncompleteRecordError(f"Choose {lacking} first.")


_PLACED = {"speaker": "the speaker", "counted": "what is counted"}


def _lacking(document: Document, table: str, values: Values) -> str:
    """Return which values a record lacks that only a person can choose, in words."""
    for key, placeholder in PLACEHOLDERS.items():
        if values.get(key) == placeholder:
            return _PLACED[key]
    required = document.context.codes_required if table == "testimonies" else ()
    return " and ".join(key for key in required if not values.get(key))


def _with_items(text: str, *, items: Sequence[forms.Addition]) -> str:
    for item in items:
        text = yaml_editor.with_item(text, *item)
    return text


def _with_keys(text: str, path: Path, keys: Mapping[str, str]) -> str:
    """Return the text of a file with keys of a record set, or removed if the value is empty."""
    before = yaml_editor.typed(text, path)
    for key, value in keys.items():
        if value and key not in before:
            text = yaml_editor.with_entries(text, {path: {key: value}}, {}, last=True)
        elif value and value != before[key]:
            text = yaml_editor.with_values(text, {(*path, key): value})
        elif key in before and not value:
            text = yaml_editor.without(text, [(*path, key)])
    return text


def _with_all_keys(text: str, changes: connections.Keys) -> str:
    for path, keys in changes.items():
        text = _with_keys(text, path, keys)
    return text


def _with_it(document: Document, changes: connections.Keys) -> str:
    """Return which other records an edit changes; "" if it changes none."""
    others = _listed(document, [path[:2] for path in changes])
    return f", and with it {others}" if others else ""


def _with_boilerplate(text: str, document: Document, passage: Span) -> str:
    """Return the text of a file with a passage of boilerplate added, in the order of the seed."""
    path = ("source", "boilerplate")
    known = document.at(path)
    added = chosen_in_yaml(passage, document.text)
    is_last = all(span.end <= passage.start for span in known)
    if is_last and (not known or _is_block_list(text, path)):
        return yaml_editor.with_item(text, path, added)
    # A passage inside the new one is part of it.
    kept = [span for span in known if not is_inside(span, [passage])]
    items = [chosen_in_yaml(span, document.text) for span in sorted([*kept, passage])]
    return yaml_editor.with_values(text, {path: f"[{', '.join(items)}]"})


def _is_block_list(text: str, path: Path) -> bool:
    return yaml_editor.typed(text, path[:-1])[str(path[-1])].startswith("- ")


def _is_list(text: str, path: Path) -> bool:
    """Return whether the value at a path is a list, and not a single item without one."""
    value = yaml_editor.typed(text, path[:-1])[str(path[-1])]
    return isinstance(yaml_reader.parse(value, file="").value, list)


def _rejected(document: Document, text: str, paths: Sequence[Path]) -> str:
    """Return the text of a file without some records and what others say about them."""
    if not paths:
        return text
    text = _with_all_keys(text, rejection.figures_left(document, paths))
    text = _with_all_keys(text, rejection.antecedents_left(document, paths))
    return yaml_editor.without(text, [*paths, *rejection.continued_by(document, paths)])


def _left(document: Document, gone: Sequence[Path]) -> str:
    """Return what a rejection changes in the records that remain, as the end of a sentence."""
    names = {name: _short(document, name) for _, _, name in document.records}
    names |= forms.speaker_labels(document)
    changes = rejection.figures_left(document, gone)
    said = rejection.said_of_figures(document.figures, changes, names)
    for path, keys in rejection.antecedents_left(document, gone).items():
        antecedent = _short(document, keys["antecedent"])
        led = f"now with the antecedent {antecedent}" if antecedent else "without an antecedent"
        said += f"; {led}: {_listed(document, [path[:2]])}"
    return said


_GUESS = re.compile(r"  # a guess: [^\n]*")
_GUESSED = re.compile(r"\s*(?:- )?([a-z_]+): .*  # a guess: (.*)")


def _guesses(document: Document, text: str) -> Mapping[Path, dict[str, str]]:
    """Return the comments on guesses in the text of a file, by record and key."""
    by_line, found = _paths_by_line(document), defaultdict[Path, dict[str, str]](dict)
    for number, line in enumerate(text.split("\n"), start=1):
        guess = _GUESSED.fullmatch(line)
        path = _path_at(by_line, number)
        if guess and path:
            found[path][guess[1]] = guess[2]
    return found


def _without_guesses(text: str, path: Path) -> str:
    """Return the text of a file without the comments of a draft that a person has reviewed."""
    first, last = yaml_editor.lines_of(text, path)
    lines = text.split("\n")
    lines[first - 1 : last] = [_GUESS.sub("", line) for line in lines[first - 1 : last]]
    return "\n".join(lines)


def _short(document: Document, record: str) -> str:
    """Return the name of a speaker, or the id of another record without that of the source."""
    name = forms.speaker_labels(document).get(record)
    return name or record.removeprefix(f"{document.source.id}-")


def _listed(document: Document, paths: Sequence[Path]) -> str:
    found = [record.id for path, _, record in _shown_records(document) if path in paths]
    return ", ".join(_short(document, name) for name in found)


def _record_with_id(document: Document, record: str) -> tuple[Path, str, Any]:
    """Return the path, the table and the content of the record with an id.

    Raises:
        RequestError: there is no such record.
    """
    if record == document.source.id:
        return ("source",), "source", document.source
    for path, table, found in _shown_records(document):
        if getattr(found, "id", None) == record:
            return path, table, found
    raise RequestError("There is no such record.")


def _is_draft(record: Any) -> bool:
    """Return whether a record is a draft; a mention is accepted with its speaker and never one."""
    return getattr(record, "draft", False)


def _editable(document: Document, record: str) -> tuple[Path, str, Any]:
    """Return a record that has a form, as `_record_with_id` does.

    Raises:
        RequestError: there is no such record, or it is a shared speaker.
    """
    found = _record_with_id(document, record)
    if found[1] == "boilerplate":
        raise RequestError("Boilerplate has no fields. Delete removes the mark, and b adds one.")
    if isinstance(found[2], SharedReference):
        problem = "Several articles share this speaker: edit annotations/speakers.yaml."
        raise RequestError(problem)
    return found


def _shown_records(document: Document) -> Iterator[tuple[Path, str, Any]]:
    """Yield the records that the page shows, each with its path and table."""
    yield ("source",), "source", document.source
    tables: list[tuple[str, Sequence[tuple[Path, Any]]]] = [
        ("speakers", document.entries),
        ("mentions", document.mentions),
        ("testimonies", document.testimonies),
        ("figures", document.figures),
        ("waivers", document.waivers),
        ("errata", document.errata),
    ]
    for table, records in tables:
        for path, record in records:
            yield path, table, record
    for path, passage, _ in forms.boilerplate(document):
        yield path, "boilerplate", passage


# ---- the view of an article ----------------------------------------------------------------------


def _not_searched(document: Document) -> str:
    return "" if document.claims_completeness else worklist.not_searched(document)


def _characters(text: str, places: Sequence[Place]) -> list[Span]:
    """Return the spans of the characters at some places of a text."""
    starts = line_starts(text)
    offsets = [starts[place.line - 1] + place.column - 1 for place in places]
    return [Span(at, at + 1) for at in offsets]


def _is_to_do(record: RecordView, *, is_read: bool) -> bool:
    """Return whether `n` stops at a record: a speaker without statements waits until a reading is
    recorded, since what they say may come next.
    """
    waiting = set() if is_read else {"unused-speaker"}
    codes = {finding.code for finding in record.findings}
    return record.draft or not codes <= waiting


def _places_shown(document: Document | None, findings: Sequence[Finding]) -> list[str]:
    """Return the place of each finding, as the page shows it: the short id of a record of the
    article, or else a line of a file.
    """
    found = []
    for finding in findings:
        file, line, column = finding.place
        shown = f"{file}:{line}:{column}"
        if document and file == document.file.file:
            shown = _record_at(document, line) or shown
        found.append(shown)
    return found


def _record_at(document: Document, line: int) -> str:
    """Return the short id of the record on a line of the file, or ""."""
    path = _path_at(_paths_by_line(document), line)
    found = [each.id for at, _, each in _shown_records(document) if at == path]
    return _short(document, found[0]) if found else ""


def _records(
    document: Document, findings: Sequence[Finding], guesses: Mapping[Path, Mapping[str, str]]
) -> Iterator[RecordView]:
    """Yield the records of an article, each with the findings on its lines."""
    of_record = _by_record(document, findings)
    names = forms.speaker_labels(document)
    for path, table, record in _shown_records(document):
        spans, begin = document.evidence_of(path), None
        if table == "boilerplate":
            spans = (document.at(path[:-1])[int(path[-1])],)
        elif table == "speakers":
            begin = next(iter(document.evidence_of((*path, "mentions", 0))), None)
        elif table == "source":
            begin = next(iter(document.at(("source", "title"))), None)
        shown, lacking = {}, ""
        if isinstance(record, SharedReference):
            shown["shared"] = names[record.use]
        elif table != "boilerplate":
            shown = _shown_of(document, table, record, names)
            lacking = _lacking(document, table, forms.current_values(record, table))
        if table == "speakers" and begin:
            # A speaker is accepted together with the first mention.
            mention = _shown_of(document, "mentions", record.mentions[0], names)
            words = document.words((*path, "mentions", 0, "evidence")) or ""
            shown["mention"] = words
            for key, text in mention.items():
                shown[f"mention {key}" if key in shown else key] = text
        for key, note in guesses.get(path, {}).items():
            if key in shown:
                shown[key] += f" (a guess: {note})"
        if table == "mentions":
            shown = {"speaker": names[document.entry_of(path).id], **shown}
        is_draft = getattr(record, "draft", False)
        found = [each for each in of_record[path] if each.code != "draft-record"]
        if is_draft:
            found = _merged(found)
        speaker = getattr(record, "speaker", "")
        is_open = any(getattr(record, key, "") == open_ for key, open_ in PLACEHOLDERS.items())
        states = {"draft": is_draft, "finding": bool(found), "open": is_open}
        state = [name for name, is_so in states.items() if is_so]
        if table == "speakers":
            speaker = record.id
        elif table == "mentions":
            speaker = document.entry_of(path).id
        filters = {"kind": KINDS[table], "state": " ".join(state), "speaker": speaker}
        codes = {each.code for each in of_record[path]}
        keys = code_keys(document, path, table, record, names, codes)
        undecided = [lacking] if lacking else []
        if not lacking and _is_faulty(of_record, path):
            undecided.append("finding")
        if table in _TERM_NEEDED and lacks_term(keys):
            key, lack = _TERM_NEEDED[table]
            undecided.append(lack)
            if is_draft and shown.get(key) == OTHER:
                shown[key] += " (a guess: none found)"
        undecided += [f"guess of {key}" for key in guesses.get(path, ())]
        yield RecordView(
            KINDS[table],
            record.id,
            spans,
            shown,
            tuple(found),
            filters,
            first=begin,
            draft=is_draft,
            number=_short(document, record.id),
            code_keys=keys,
            words=_words_of_draft(document, path, record),
            undecided=undecided,
            fields=_fields_of(document, path, found),
        )


def _fields_of(document: Document, path: Path, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the field of a record at which each finding is, or "" if it is about the record."""
    fields = dict[Place, str]()
    for each, place in document.file.places.items() if findings else ():
        if each[: len(path)] == path and len(each) > len(path):
            fields.setdefault(place, str(each[len(path)]))
    return tuple([fields.get(finding.place, "") for finding in findings])


_TERM_NEEDED = {"testimonies": ("themes", "no theme"), "speakers": ("role", "no role")}
"""What a draft lacks without any of the terms that keys set, with their field, by table; a measure
may be empty.
"""


def _is_faulty(of_record: Mapping[Path, Sequence[Finding]], path: Path) -> bool:
    """Return whether a record has a finding, or a speaker a mention with one."""
    for each, findings in of_record.items():
        codes = {finding.code for finding in findings}
        if each[: len(path)] == path and codes - {"draft-record"}:
            return True
    return False


def _words_of_draft(document: Document, path: Path, record: Any) -> str:
    """Return the words of a draft with an ellipsis between parts; "" of another record."""
    if not getattr(record, "draft", False):
        return ""
    parts = [document.text[slice(*span)] for span in document.evidence_of(path)]
    return " … ".join(parts)


def _shown_of(
    document: Document, table: str, record: Any, names: Mapping[str, str]
) -> dict[str, str]:
    """Return the values of a record, as its card shows them."""
    # Boilerplate has its own cards.
    fields = [each for each in fields_of(forms.MODELS[table]) if each.key != "boilerplate"]
    facts = _facts(fields, forms.current_values(record, table), names)
    prefix = f"{document.source.id}-"
    return {key: text.replace(prefix, "") for key, text in facts}


_FIRST_FACTS = frozenset("speaker themes name role value counted measure reason".split())


def _facts(
    fields: Sequence[RecordField], values: Values, names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the values of a record that are not empty, as the page shows them.

    Codes and what is counted come first: of a finished record, a card shows one line.
    """
    for field in sorted(fields, key=lambda field: field.key not in _FIRST_FACTS):
        text = _shown(field, values.get(field.key, ""), names)
        if text not in ("", "not_applicable"):
            yield field.key, text


_NOT_CHOSEN = "(not chosen)"


def _shown(field: RecordField, value: Value, names: Mapping[str, str]) -> str:
    if isinstance(value, str):
        if value and value == PLACEHOLDERS.get(field.key):
            return _NOT_CHOSEN
        if field.key not in ("speaker", "attributed_to"):
            return value
        return _NOT_CHOSEN if value == PLACEHOLDERS["speaker"] else names.get(value, value)
    if isinstance(value, Mapping):
        inner = []
        # Whether the words are about the speaker follows from the mode.
        shown = [each for each in field.fields if each.key != "about"]
        for each in shown:
            if text := _shown(each, value.get(each.key, ""), names):
                is_words = each.type is FieldType.WORDS and each.key == "words"
                labelled = text if is_words else f"{each.key}: {text}"
                inner.append(labelled)
        return ", ".join(inner)
    rows = [_shown(field._replace(type=FieldType.GROUP), row, names) for row in value]
    return " | ".join(rows)


_ON_LINE = re.compile(r"(?:the one |`\S+`, )?on line (\d+)(?! of)")
"""The place of another record of the same file in a message."""


def _with_names(document: Document, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with the names of speakers and mentions in place of their ids, and the short
    ids of other records in place of long ones and of lines.
    """
    speakers = forms.speaker_labels(document)
    names = dict(speakers)
    for path, mention in document.mentions:
        who = speakers[document.entry_of(path).id]
        names[mention.id] = f"{who}, {_short(document, mention.id)}"
    names = {name: words for name, words in names.items() if name != words}
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(rf"`({'|'.join(re.escape(name) for name in longest_first)})`")

    def at_line(hit: re.Match[str]) -> str:
        return _record_at(document, int(hit[1])) or hit[0]

    def named(words: str) -> str:
        if names:
            words = pattern.sub(lambda hit: f"“{names[hit[1]]}”", words)
        return _ON_LINE.sub(at_line, words.replace(f"{document.source.id}-", ""))

    found = []
    for each in findings:
        if each.place.file != document.file.file:
            found.append(each)
            continue
        lines = tuple([named(line) for line in each.help])
        found.append(each._replace(message=named(each.message), help=lines))
    return found


_OPEN = {"unresolved-reference", "missing-attribution"}
"""The findings of a draft in which no words say who speaks."""
_OF_OPEN = {*_OPEN, "indirect-without-reporting-verb"}


def _merged(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings of a draft: one, where several say that nobody is known to speak."""
    codes = {each.code for each in findings}
    if not codes >= _OPEN:
        return list(findings)
    first = next(each for each in findings if each.code in _OF_OPEN)
    hint = "Choose the speaker, or reject the draft with x."
    merged = first._replace(code="open-speaker", message="No words say who speaks.", help=(hint,))
    return [merged, *(each for each in findings if each.code not in _OF_OPEN)]


def _by_record(document: Document, findings: Sequence[Finding]) -> Mapping[Path, list[Finding]]:
    """Return the findings in the file of a document, by the path of their record."""
    by_line, found = _paths_by_line(document), defaultdict[Path, list[Finding]](list)
    for finding in findings:
        path = _path_at(by_line, finding.place.line)
        if finding.place.file == document.file.file and path:
            found[path].append(finding)
    return found


def _paths_by_line(document: Document) -> list[tuple[int, Path]]:
    """Return the lines on which records begin, in order, each with the path of the record."""
    shown = [path for path, _, _ in _shown_records(document)]
    return sorted((document.place(*path).line, path) for path in shown)


def _path_at(by_line: Sequence[tuple[int, Path]], line: int) -> Path | None:
    """Return the path of the last record that begins on a line or before it."""
    at = bisect_right(by_line, line, key=itemgetter(0)) - 1
    return by_line[at][1] if at >= 0 else None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
