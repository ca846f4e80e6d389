"""The files of a project, as the page reads and edits them.

An edit makes the smallest possible change to a YAML file. It states the SHA-256 of the file
that the page was made from, so that two windows cannot overwrite each other's changes. Each edit
can be undone as long as nobody else has changed its files.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path as FilePath
from threading import Lock
from typing import NamedTuple

from defectors_data import pipeline
from defectors_data.annotators.introductions import names
from defectors_data.annotators.proposals import of_detections
from defectors_data.annotators.proposals.mentions import nearest_introduction
from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.annotators.proposals.statements import groups
from defectors_data.annotators.word_search import extents
from defectors_data.annotators.workbench import connections, forms
from defectors_data.annotators.workbench.adjudication import ReadingPair
from defectors_data.annotators.workbench.article_view import (
    article_view,
    not_searched,
    places_shown,
)
from defectors_data.annotators.workbench.forms.form_fields import (
    Choice,
    FormContext,
    FormField,
    with_letters,
)
from defectors_data.annotators.workbench.record_edits import (
    RecordEdit,
    all_accepted,
    shared,
    with_all_keys,
    with_items,
)
from defectors_data.annotators.workbench.record_fields import RequestError
from defectors_data.annotators.workbench.shown_records import (
    KINDS,
    SPEAKERS,
    guesses,
    names_listed,
    record_with_form,
)
from defectors_data.corpus.document_reader import faults_of, read_document
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding, totals
from defectors_data.corpus.reader import SHARED_FILES, Batch, CorpusReader, text_of
from defectors_data.documents.article import ArticleProgress, ArticleView, paragraphs
from defectors_data.edits import yaml_editor
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.document_batches import documents_in
from defectors_data.executors import CachingExecutor
from defectors_data.models.annotation import (
    NAMING_KEYS,
    SHORT_ID,
    SharedReference,
    SharedSpeakersFile,
    Speaker,
)
from defectors_data.models.project import Vocabulary
from defectors_data.package import atomic_publication
from defectors_data.pipeline import RunResult
from defectors_data.rows import readings
from defectors_data.text.offsets import Span, in_line, overlaps, paragraphs_around
from defectors_data.text.wording_differences import fold

VOCABULARY = "annotations/vocabulary.yaml"
_KEYS = re.compile(r"(?m)(?:^|[{,]|- )\s*([a-z_]+): ")
_READINGS = re.compile(r"""(?m)(?:^|[{,]\s*)["']?readings["']?:(?!\s*\[\s*\])""")
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


class _Edit(NamedTuple):
    """An edit of some files: their bytes before and after it, by path."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    said: str
    """What was done, such as "accepted w3"."""
    press: str = ""
    """The press of a key or button on the page, whose edits are undone together."""

    def then(self, later: _Edit) -> _Edit:
        """Return this edit and a later one as a single edit."""
        before, after = {**later.before, **self.before}, {**self.after, **later.after}
        return _Edit(before, after, f"{self.said} and {later.said}", self.press)


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
        # An undone edit restores ids, which therefore no other record gets.
        self._ids = defaultdict[str, set[str]](set)
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
        if document:
            comments = guesses(document, data.decode(errors="replace"))
            view = article_view(
                document, findings, unread=unread, guesses=comments, reading=self.reading
            )
        else:
            # The annotations cannot be read: the page shows the words of the seed and the findings.
            words = paragraphs(text_of(self.root, seed)[0] or "", (), ())
            shown = unread or findings or self._faults(file, data)
            places = places_shown(None, findings)
            view = ArticleView("", "", words, findings=findings, unread=shown, places=places)
        title = view.title or stem
        return view._replace(id=stem, title=title, sha256=_sha256(data), progress=progress)

    def _progress(self, result: RunResult) -> list[ArticleProgress]:
        """Return how far each article is, including seeds that are not annotated yet."""
        by_stem = defaultdict[str, list[Finding]](list)
        for finding in result.findings:
            by_stem[FilePath(finding.place.file).stem].append(finding)
        annotated = set(self.stems())
        seeds = {path.stem for path in (self.root / "seeds").glob("*.txt")}
        found = []
        for stem in sorted(annotated | seeds):
            is_begun = stem in annotated
            is_read = is_begun and self._has_reading(stem)
            found.append(ArticleProgress(stem, is_begun, totals(by_stem[stem]), is_read))
        return found

    def _has_reading(self, stem: str) -> bool:
        path = self.root / self.file_of(stem)
        return bool(_READINGS.search(path.read_text(encoding="utf-8", errors="replace")))

    def not_searched(self, stem: str) -> str:
        """Return a sentence that an article was not searched; "" if it was, or cannot be read."""
        _, document, _ = self._opened(stem)
        return not_searched(document) if document else ""

    def document(self, stem: str) -> Document:
        """Return an article with its annotations.

        Raises:
            RequestError: there is no such article, or its annotations cannot be read.
        """
        _, document, _ = self._opened(stem)
        if not document:
            problem = "The annotations cannot be read: correct them in a text editor first."
            raise RequestError(problem)
        self._ids[stem].update(name for _, _, name in document.records)
        document.ids_given = self._ids[stem]
        return document

    def _opened(self, stem: str, edited: bytes | None = None) -> tuple[str, Document | None, bytes]:
        """Return the path of the file of an article, what it contains, or is to contain, and its bytes.

        Raises:
            RequestError: there is no such article.
        """
        if stem not in self.stems():
            raise RequestError("There is no such article.")
        file, corpus = self.file_of(stem), CorpusReader(FileTree(self.root))
        batch = self._batch(corpus, file)
        if not batch.documents:
            raise RequestError("The annotations cannot be read.")
        [raw], (context, _) = batch.documents, corpus.context
        if edited is not None:
            raw = raw._replace(data=edited)
            batch = batch._replace(documents=(raw,))
        document = None
        if context:
            document = next(iter(documents_in(batch, context)))[0]
        return file, document, raw.data

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
        """Return the places of some words in the seeds of all articles; of `first ... last`, those
        from the first to the last. Case, and the style of quotation marks, dashes and spaces, are
        ignored.
        """
        found: list[Hit] = []
        if not words:
            return found
        for stem in self.stems():
            text = text_of(self.root, f"seeds/{stem}.txt")[0] or ""
            hits = re.finditer(re.escape(fold(words)), fold(text))
            spans = [Span(*hit.span()) for hit in hits]
            spans = spans or extents(words, text)
            found += [Hit(stem, *span, in_line(text, span)) for span in spans]
        return found[:_MOST_HITS]

    # ---- forms -----------------------------------------------------------------------------------

    def kind_at(self, stem: str, span: Span) -> str:
        """Return the kind of record that is proposed for words that are unaccounted for.

        Raises:
            RequestError: there are no such words in the span.
        """
        document = self.document(stem)
        for group in groups(document):
            if overlaps(span, group):
                return KINDS[of_detections(document, group).table]
        raise RequestError("There is no draft and nothing unaccounted for at the cursor.")

    def used_keys(self) -> frozenset[str]:
        """Return the keys that any annotation file of the project uses."""
        found = set[str]()
        for path in (self.root / "annotations").glob("*.yaml"):
            if path.name not in SHARED_FILES:
                found.update(_KEYS.findall(path.read_text(encoding="utf-8", errors="replace")))
        return frozenset(found)

    def _last_reader(self) -> dict[str, str]:
        """Return the reader, and the kind, of the annotation file that was changed last."""
        files = [self.root / self.file_of(stem) for stem in self.stems()]
        for path in sorted(files, key=lambda path: -path.stat().st_mtime_ns):
            text = path.read_text(encoding="utf-8", errors="replace")
            kinds = dict[str, str]()
            if _READINGS.search(text):
                _, kinds = readings.source_and_kinds(text, path.name)
            for reader, kind in reversed(kinds.items()):
                return {"reader": reader, "kind": kind}
        return {}

    def proposed(
        self, stem: str, kind: str, span: Span, draft: str = ""
    ) -> tuple[list[Span], list[FormField]]:
        """Return the parts and the fields of the form for a new record with some words, or for a
        mention with the words to which `draft`, a testimony, is attributed.

        Raises:
            RequestError: the words are a number or quotation without a person to mention nearby,
                those of a draft that is attributed to nobody, or to a mention already.
        """
        document = self.document(stem)
        is_word = not re.search(r"\s", document.text[slice(*span)])
        is_name = span in names(document.text, paragraphs_around(document.text, span))
        if kind == "mention" and is_word and not is_name:
            # A word of an attribution leads to all words that introduce the speaker.
            draft = draft or connections.draft_of(document, [span])
        if draft:
            span = connections.source_of(document, draft, span)
        if kind == "mention" and nearest_introduction(document, span) is None:
            raise RequestError("Select the words that introduce the speaker, then press m.")
        proposal = forms.FORMS[kind].propose(document, span)
        context = FormContext(document, self.used_keys(), proposal.spans)
        values = forms.tree_of(proposal)
        for _, testimony in document.testimonies:
            is_known = testimony.speaker not in PLACEHOLDERS.values()
            if kind == "mention" and testimony.id == draft and is_known:
                connections.check_unmentioned(document, span)
                values["speaker"] = testimony.speaker
        if kind == "reading":
            values |= self._last_reader()
        fields = context.fields(proposal.table, values, proposal.notes)
        return list(proposal.spans), with_letters(proposal.table, fields)

    def current(self, stem: str, record: str) -> list[FormField]:
        """Return the fields of the form for a record, with its values.

        Raises:
            RequestError: there is no such record.
        """
        _, _, data = self._opened(stem)
        document = self.document(stem)
        path, table, found = record_with_form(document, record)
        words = document.evidence_of(path)
        elsewhere = self._speakers_elsewhere(stem, found) if table == "speakers" else ()
        context = FormContext(document, self.used_keys(), words, record, elsewhere)
        if isinstance(found, SharedReference):
            fields = context.of_record("speakers", document.context.shared[found.use])
            for mention in found.mentions[:1]:
                fields += context.of_record("mentions", mention)
        else:
            notes = guesses(document, data.decode(errors="replace"))[path]
            fields = context.of_record(table, found, notes)
        return with_letters(table, fields)

    # ---- edits -----------------------------------------------------------------------------------

    def edit(
        self, stem: str, sha256: str, planned: Callable[[Document], RecordEdit], press: str = ""
    ) -> str:
        """Edit the file of an article as a function of the document says, and the records in it that
        then have to change; return the reply, which names these.

        The edits of one press of a key, which has an id, are undone together.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: there is no such article, or the file cannot be edited.
        """
        document, file = self.document(stem), self.file_of(stem)
        edit = planned(document)
        with self._edits:
            # The checksum is compared before the vocabulary is edited.
            if _sha256((self.root / file).read_bytes()) != sha256:
                raise FileChangedError
            after = {}
            # The vocabulary is written first: without the term, the record would have a finding.
            if edit.terms:
                after[VOCABULARY] = self._edited(VOCABULARY, partial(with_items, items=edit.terms))
            for other, edited in edit.elsewhere.items():
                after[other] = self._edited(other, edited)
            after[file], reply = self._with_follows(stem, document, edit)
            before = {each: self._bytes(each) for each in after}
            for each, data in after.items():
                self._write(each, data)
            made = _Edit(before, after, edit.done, press)
            if press and self._undoable and self._undoable[-1].press == press:
                made = self._undoable.pop().then(made)
            self._undoable.append(made)
        return edit.reply + reply

    def _with_follows(self, stem: str, document: Document, edit: RecordEdit) -> tuple[bytes, str]:
        """Return the edited file of an article, with what follows for other records and then for
        further ones, and the end of a sentence that names these.
        """
        file, follows, reply = self.file_of(stem), list[connections.Keys](), ""
        data, seen = self._edited(file, edit.edited), set[bytes]()
        while data not in seen:  # what follows may lead back
            seen.add(data)
            _, now, _ = self._opened(stem, data)
            if now and (keys := connections.settled(document, now)):
                follows.append(keys)
                data = self._edited(file, partial(_with_keys, edit, follows))
                paths = [path[:2] for each in follows for path in each]
                reply = f"; also changed: {names_listed(now, paths)}"
        return data, reply

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
        self.edit(stem, sha256, partial(all_accepted, records=records))

    def _speakers_elsewhere(self, stem: str, speaker: Speaker) -> tuple[Choice, ...]:
        """Return the speakers of other articles who have the surname, or last word, of the name of a
        person or institution, each as the stem of the article and the id; a speaker of several
        articles, who may have the same id, has no stem.
        """
        name, found = getattr(speaker, "name", None) or "", []
        if self.reading or not name or not connections.is_public(type(speaker)):
            return ()
        if known := self.document(stem).context.shared.get(speaker.id):
            return (Choice(f"/{known.id}", f"{known.name} (of several articles)"),)
        named = re.compile(rf"""\bname: ["']?[^"'\n]*\b{re.escape(name.split()[-1])}["']?\s""")
        for other in self.stems():
            path = self.root / self.file_of(other)
            text = path.read_text(encoding="utf-8", errors="replace")
            if other == stem or not named.search(text):
                continue
            for _, each in self.document(other).speakers:
                is_alike = (getattr(each, "name", None) or "").split()[-1:] == name.split()[-1:]
                if is_alike and connections.is_public(type(each)):
                    label = f"{getattr(each, 'name', '')} (of {other})"
                    found.append(Choice(f"{other}/{each.id}", label))
        return tuple(found)

    def share(self, stem: str, sha256: str, record: str, other: str) -> str:
        """Describe a speaker of two articles once; `other` is a choice of the form of the speaker.

        Raises:
            FileChangedError: the file has changed since the page was made.
            RequestError: one of the two is no speaker who can be shared.
        """
        article, _, name = other.partition("/")
        first = self.document(article) if article else None
        return self.edit(stem, sha256, partial(shared, record=record, first=first, other=name))

    def undo(self) -> str:
        """Undo the last edit that the page made; return a sentence that says so.

        Raises:
            RequestError: there is nothing to undo, or a file has changed since the edit.
        """
        with self._edits:
            if not self._undoable:
                raise RequestError("There is nothing to undo.")
            last = self._undoable[-1]
            for file, data in last.after.items():
                if (self.root / file).read_bytes() != data:
                    problem = f"{file} was changed elsewhere since: undo the change there."
                    raise RequestError(problem)
            for file, data in last.before.items():
                self._write(file, data)
            self._undoable.pop()
            return f"Undone: {last.said}."

    def _edited(self, file: str, act: Callable[[str], str]) -> bytes:
        """Return the edited text of a file.

        Raises:
            RequestError: the file cannot be edited, or could not be read after the edit.
        """
        try:
            before = self._bytes(file).decode()
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

    def _bytes(self, file: str) -> bytes:
        path = self.root / file
        # The list of shared speakers may not exist yet.
        if path.exists() or file != SPEAKERS:
            return path.read_bytes()
        return b"speakers: []\n"

    def _faults(self, file: str, data: bytes) -> Sequence[Finding]:
        """Return the findings because of which a file with these bytes could not be read."""
        if file == VOCABULARY:
            return faults_of(data, file, Vocabulary)
        if file == SPEAKERS:
            return faults_of(data, file, SharedSpeakersFile)
        corpus = CorpusReader(FileTree(self.root))
        batch = self._batch(corpus, file)
        [raw] = batch.documents
        return read_document(raw._replace(data=data), batch.tree).findings

    def _write(self, file: str, data: bytes) -> None:
        # If the path is a link, its target is replaced, not the link itself.
        atomic_publication.replace((self.root / file).resolve(), data)


def _with_keys(edit: RecordEdit, follows: Sequence[connections.Keys], text: str) -> str:
    """Return the edited text of a file with the keys that follow from the edit."""
    text = edit.edited(text)
    for keys in follows:
        text = with_all_keys(text, keys)
    return text


_SOURCE_ID = re.compile(r"(?m)^  id: ([a-z0-9-]+)$")
_KEY_OF_ID = rf"\b((?:{'|'.join(NAMING_KEYS)}): )"


def _with_ids_alike(before: str, after: str) -> str:
    """Return the text of an edited file with short ids if all those before the edit are short."""
    source = _SOURCE_ID.search(before)
    if not source or not re.search(_KEY_OF_ID + SHORT_ID.pattern, before):
        return after
    full = re.compile(rf"{_KEY_OF_ID}{re.escape(source[1])}-({SHORT_ID.pattern})(?![\w-])")
    return after if full.search(before) else full.sub(r"\1\2", after)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
