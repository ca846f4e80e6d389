"""The results of `check` for documents without findings.

A result is used again if the document, its text, the files that all documents share, the options
and the program are the same. If a file that all documents share cannot be read, every document is
processed.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from operator import iadd, ior
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json

from defectors_data.check_cache import FOLDER, digest, prepared, program
from defectors_data.corpus.document_reader import RawDocument
from defectors_data.corpus.file_tree import FileTree, bytes_of
from defectors_data.corpus.reader import Batch
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.free_text.persons import described_in_shared
from defectors_data.evidence.free_text.unsourced_details import DetailToCheck
from defectors_data.evidence.relation_arithmetic import ComparedFigure
from defectors_data.executors import Executor
from defectors_data.package import filesystem
from defectors_data.pipeline import BatchResult, Options
from defectors_data.published_ids import Identity
from defectors_data.rules.corpus_index import IndexEntry
from defectors_data.text.offsets import Span

_FILE = f"{FOLDER}/results.sqlite"
"""A change of the columns of its table requires a new name."""
_TOGETHER = 500
"""Number of results that are written in one transaction."""


def cached(
    root: Path,
    choose: Callable[[int], Executor],
    function: Callable[..., Any],
    batches: Iterable[Any],
    *shared: Any,
) -> Iterator[Any]:
    """Yield the result of each batch of a project, in order: an executor of `pipeline.process`.

    No tables are made. `choose` returns the executor for the documents whose results are not in the cache, given the
    number of stored results.
    """
    context, options = shared
    key = b""
    if context and context.is_complete:
        with suppress(OSError):  # while the program is installed again
            key = _key(context, options)
    if not key:
        yield from choose(0)(function, batches, *shared)
        return
    with closing(_Results(root, key)) as results:
        waiting: deque[list[tuple[RawDocument, BatchResult | None]]] = deque()
        shared_is_known = results.get(_SHARED_FILES, None) is not None

        def others() -> Iterator[Batch]:
            for batch in batches:
                found = [(raw, results.get(raw, batch.tree)) for raw in batch.documents]
                waiting.append(found)
                yield batch._replace(documents=tuple(raw for raw, known in found if not known))

        executor = choose(results.number)
        for made in executor(partial(_one_by_one, function), others(), *shared):
            new, of_batch = iter(made), list[BatchResult]()
            for raw, known in waiting.popleft():
                of_batch.append(known or next(new))
                if not known:
                    results.add(raw, of_batch[-1])
            joined = _joined(of_batch)
            joined.shared_is_known = shared_is_known
            yield joined
        if not (shared_is_known or any(text.details for text in described_in_shared(context))):
            results.add(_SHARED_FILES, BatchResult())
        results.finish()


_SHARED_FILES = RawDocument("", 0, b"")
"""The key of the files that all documents share, stored if their free text states no detail."""


def _one_by_one(function: Callable[..., Any], batch: Batch, *shared: object) -> list[Any]:
    return [function(batch._replace(documents=(raw,)), *shared) for raw in batch.documents]


def _joined(results: Iterable[BatchResult]) -> BatchResult:
    """Return the results of single documents as the result of a batch."""
    total = BatchResult()
    for result in results:
        first = len(total.entries)
        result.keys = [(first + number, kind, value) for number, kind, value in result.keys]
        for name, value in vars(result).items():
            add: Callable[[Any, Any], Any] = iadd
            if type(value) in (set, dict):  # and not a counter
                add = ior
            setattr(total, name, add(getattr(total, name), value))
    return total


class _Results:
    """The stored results; if the database fails, there are none, and none is written."""

    def __init__(self, root: Path, shared: bytes) -> None:
        """Open the database; `shared` identifies the program and what all documents share."""
        self._root, self._shared = root, shared
        self._new: list[tuple[bytes, bytes, bytes, bytes]] = []
        self._valid = set[bytes]()
        self._database: sqlite3.Connection | None = None
        self.number = 0
        """The number of results that are valid unless their documents have changed."""
        with suppress(OSError, sqlite3.Error):
            self._database = _connected(root)
        self._execute("PRAGMA secure_delete = ON")  # nothing remains of what is deleted
        self._execute(
            "CREATE TABLE IF NOT EXISTS results "
            "(place BLOB PRIMARY KEY, shared BLOB, document BLOB, result BLOB)"
        )
        for (number,) in self._execute("SELECT count(*) FROM results WHERE shared = ?", shared):
            self.number = number

    def get(self, raw: RawDocument, tree: FileTree | None) -> BatchResult | None:
        """Return the stored result of a document, or None.

        `tree` contains its text, if it has one.
        """
        query = "SELECT result FROM results WHERE place = ? AND shared = ? AND document = ?"
        place = _place(raw)
        for (stored,) in self._execute(query, place, self._shared, _checksum(raw)):
            # Anyone can edit the file.
            with suppress(ValueError, TypeError, KeyError, AttributeError):
                result = _decoded(stored)
                if raw.packed or tree is None or _has_seed(result, tree):
                    self._valid.add(place)
                    return result
        return None

    def add(self, raw: RawDocument, result: BatchResult) -> None:
        """Store a result, unless it has findings."""
        # Not every file name can be written as JSON.
        with suppress(ValueError):
            encoded = to_json({name: getattr(result, name) for name in _STORED})
            # Anything else, such as findings, would be lost.
            if _decoded(encoded) == result:
                self._valid.add(_place(raw))
                self._new.append((_place(raw), self._shared, _checksum(raw), encoded))
        if len(self._new) == _TOGETHER:
            self._write()

    def finish(self) -> None:
        """Write the new results, and remove those of other documents."""
        self._write()
        stored = {place for (place,) in self._execute("SELECT place FROM results")}
        for place in stored - self._valid:
            self._execute("DELETE FROM results WHERE place = ?", place)
        self._commit()

    def close(self) -> None:
        """Close the database."""
        if self._database:
            self._database.close()

    def _write(self) -> None:
        for row in self._new:
            self._execute("REPLACE INTO results VALUES (?, ?, ?, ?)", *row)
        self._new = []
        self._commit()

    def _execute(self, query: str, *values: bytes) -> list[Any]:
        if self._database is None:
            return []
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    def _commit(self) -> None:
        try:
            if self._database:
                self._database.commit()
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: sqlite3.Error) -> None:
        self.close()
        self._database = None
        # Otherwise, the database is only locked, or the disk is full or read-only.
        if not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                filesystem.remove_file(self._root / _FILE)


def _connected(root: Path) -> sqlite3.Connection | None:
    """Return the database, or None if it is no regular file below the root.

    Raises:
        OSError: its folder cannot be created.
        sqlite3.Error: it cannot be opened.
    """
    path = prepared(root, _FILE)
    return sqlite3.connect(path, timeout=0.5) if path else None  # in seconds


def _key(context: Context, options: Options) -> bytes:
    """Return a checksum of all that results depend on, apart from their documents."""
    # Only whether ids are compared with those of the package matters, not where it is. Results do
    # not depend on the day.
    settings = repr(options._replace(published=None, today=None))
    return digest([program(), context.checksum, settings.encode()])


def _place(raw: RawDocument) -> bytes:
    return _encoded(f"{raw.file}:{raw.line}")


def _encoded(name: str) -> bytes:
    return name.encode(errors="surrogateescape")  # a file name may be any bytes


def _checksum(raw: RawDocument) -> bytes:
    return digest([raw.data, raw.text, _encoded(raw.packed or ""), raw.row_id.encode()])


def _has_seed(result: BatchResult, tree: FileTree) -> bool:
    """Return whether the text of a document is the one that was checked."""
    [seed] = result.seeds
    [checked] = [value for _, kind, value in result.keys if kind == "text"]
    data, _ = bytes_of(tree, f"seeds/{seed}")
    return data is not None and hashlib.sha256(data).hexdigest() == checked


_STORED = (
    *("identities", "counts", "ids", "entries", "keys", "seeds", "documents", "size"),
    *("parts", "records", "figures", "printed"),
)
"""The fields of a result without findings and without tables."""


def _decoded(encoded: bytes) -> BatchResult:
    stored = from_json(encoded)
    result = BatchResult(**{name: stored[name] for name in _STORED})
    result.identities = {name: _identity(*each) for name, each in stored["identities"].items()}
    result.counts = Counter(stored["counts"])
    result.ids = [IndexEntry(*each) for each in stored["ids"]]
    result.entries = [IndexEntry(*each) for each in stored["entries"]]
    result.keys = [(number, kind, value) for number, kind, value in stored["keys"]]
    result.figures = [ComparedFigure(*each) for each in stored["figures"]]
    result.printed = {DetailToCheck(*each) for each in stored["printed"]}
    return result


def _identity(table: str, texts: list[str], spans: list[list[int]], name: str) -> Identity:
    return Identity(table, tuple(texts), tuple(Span(*span) for span in spans), name)
