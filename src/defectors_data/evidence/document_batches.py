"""Documents of a batch: each read from its files and joined with the shared context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from defectors_data.corpus.document_reader import read_document
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document

if TYPE_CHECKING:
    from defectors_data.corpus.reader import Batch, CorpusReader


def documents_in(batch: Batch, context: Context) -> Iterator[tuple[Document | None, list[Finding]]]:
    """Yield each document of a batch with its findings; None for one that cannot be read."""
    for raw in batch.documents:
        read = read_document(raw, batch.tree)
        if read.file is None or read.text is None:
            yield None, read.findings
        else:
            yield Document(read.file, read.text, read.seed, context), []


def all_documents(corpus: CorpusReader, context: Context) -> Iterator[Document]:
    """Yield the readable documents of all batches, one at a time."""
    return (
        document
        for batch in corpus.batches()
        for document, _ in documents_in(batch, context)
        if document
    )
