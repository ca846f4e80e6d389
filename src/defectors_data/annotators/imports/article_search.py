"""The articles of the project to which the articles of a file correspond.

An article is recognised by its text, by the SHA-256 of its text, by its address, or by the quoted
words of the annotations, if one article has more of them than any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from defectors_data import given_files
from defectors_data.annotators.imports.formats.foreign_offsets import span_in
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    Selector,
    folded,
)
from defectors_data.corpus import file_tree
from defectors_data.corpus.findings import Place
from defectors_data.corpus.shared_context import Context
from defectors_data.edits.evidence_yaml import document_of
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.evidence.annotated_document import Document
from defectors_data.text.offsets import Span


class Draft(Protocol):
    """A function that returns the annotation file of a seed that has none."""

    def __call__(self, text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
        """Return YAML."""


class Articles:
    """The articles of a project, also those that have no annotations yet."""

    def __init__(
        self, documents: Sequence[Document], seeds: Path, context: Context, draft: Draft
    ) -> None:
        """Store the documents, and read the seeds that none of them has.

        `draft` is the function that writes the first draft of an annotation file.
        """
        self._draft = draft
        self._documents = list(documents)
        self._context = context
        self._taken = {document.source.id for document in documents}
        annotated = {document.source.sha256 for document in documents}
        self._seeds: dict[str, tuple[Path, bytes]] = {}
        for path in sorted(seeds.glob("*.txt")):
            data = given_files.read(path)
            digest = hashlib.sha256(data).hexdigest()
            if digest not in annotated:
                self._seeds[digest] = (path, data)
        self.fresh = set[str]()
        """The ids of the sources without annotations that were found."""

    def find(self, article: ForeignArticle) -> Document | None:
        """Return the document of an article, or None; a new document is kept."""
        for document in self._documents:
            if _is_same(article, document):
                return document
        for digest, (path, data) in self._seeds.items():
            text = str(data, "utf-8", "replace")
            if digest == article.sha256 or _is_same_text(article, text):
                return self._new(digest, path, data)
        if article.text is None and not article.sha256:
            return self._quoted(article)
        return None

    def _new(self, digest: str, path: Path, data: bytes) -> Document | None:
        """Return a document without records for a seed.

        Raises:
            GivenFileError: the seed cannot be annotated as it is.
        """
        del self._seeds[digest]
        text, findings = file_tree.seed_text(data, path.name)
        if text is None:
            place = findings[0].place
            problem = findings[0].message.rstrip(".")
            raise given_files.GivenFileError(problem, path.name, place.line, place.column)
        file, seed = f"annotations/{path.stem}.yaml", f"seeds/{path.name}"
        drafted = self._draft(text, data, path.stem, taken=self._taken)
        document = document_of(drafted, text, self._context, file=file, seed=seed)
        if document is None:
            return None
        self._documents.append(document)
        self._taken.add(document.source.id)
        self.fresh.add(document.source.id)
        return document

    def _quoted(self, article: ForeignArticle) -> Document | None:
        """Return the document that has more of the quoted words than any other, or None."""
        numbers: dict[int, list[Document]] = {}
        for document in self._documents:
            number = sum(
                _number_found(record.selectors, document.text) for record in article.records
            )
            numbers.setdefault(number, []).append(document)
        most = max(numbers, default=0)
        best = numbers.get(most, [])
        if most and len(best) == 1:
            return best[0]
        return None


def _is_same(article: ForeignArticle, document: Document) -> bool:
    source = document.source
    if article.address:
        obtained = source.obtained and source.obtained.address
        addresses = [document.words(("source", "url")), obtained]
        return _bare(article.address) in [_bare(each) for each in addresses if each]
    return article.sha256 == source.sha256 or _is_same_text(article, document.text)


def _bare(address: str) -> str:
    """Return an address without its scheme, fragment and last slash."""
    return address.partition("#")[0].partition("://")[2].rstrip("/")


def _is_same_text(article: ForeignArticle, text: str) -> bool:
    # Some programs add a line end to a text, or remove one.
    return article.text is not None and article.text.rstrip() == folded(text).rstrip()


def _number_found(selectors: Sequence[Selector], text: str) -> int:
    return sum(_span(selector, text) is not None for selector in selectors if selector.exact)


def set_spans(article: ForeignArticle, text: str) -> None:
    """Set the spans that the records of an article have in its text; None for what is not found."""
    for record in article.records:
        if record.selectors:
            record.spans = [_span(each, text) for each in record.selectors]
            # Positions are valid only in the text with the same checksum.
            if not article.sha256 and not all(each.exact for each in record.selectors):
                record.problem = "it does not quote its words"
        # The text in the file may end in more white space than the seed.
        record.spans = [
            span and span_in(text, span.start, min(span.end, len(text))) for span in record.spans
        ]


def _span(selector: Selector, text: str) -> Span | None:
    """Return the span of a position, or of the quoted words if the two differ."""
    span = span_in(text, *selector.span) if selector.span else None
    if not selector.exact or (span and text[slice(*span)] == selector.exact):
        return span
    searched = SearchedText("", text, near=False)
    # The context may be that of a web page, which differs from that in the text.
    contexts = [(selector.prefix, selector.suffix), (selector.prefix, ""), ("", selector.suffix)]
    for prefix, suffix in (*contexts, ("", "")):
        found = find_span(Quote(selector.exact, Place(""), prefix, suffix), searched)[0]
        if found:
            return found
    return None
