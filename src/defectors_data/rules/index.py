"""The corpus index: keys of all documents that rules across documents compare, and the documents they accuse.

Ids, names, hashes and references of each document are rows of a temporary SQLite database, which is in memory while it
is small and on disk when it is not. A rule across documents asks it which documents have a key in common; only those
are opened again, a few at a time, so that a finding can give its place.
"""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from defectors_data.corpus.context import Context
from defectors_data.corpus.findings import Place
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.document import Document
from defectors_data.models.annotation import Institution, NamedPerson
from defectors_data.rows.comparisons import Pair

FREE_TEXT = frozenset({"note", "override", "definition", "counted", "name", "rights"})
"""Keys of what people write that contain free text."""

WORDS = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What may be an id in a text."""


class Key(NamedTuple):
    """Something that a document gives or names, and the path where it was typed."""

    kind: str
    value: str
    path: Path


class Entry(NamedTuple):
    """A document in the index: where it is read from, and the id of its source."""

    file: str
    line: int
    source_id: str


def keys_of(document: Document) -> Iterator[Key]:
    """Give the keys of a document.

    Kinds: `id` of sources and named speakers, `record` of all that is numbered in its source, `name` of publicly named
    speakers, `text` (SHA-256) and `seed` (name) of the text, `use` of a shared speaker, `word` of free text that may be
    an id, `operand` of a relation to figures of other documents.
    """
    source = document.source
    yield Key("id", source.id, ("source", "id"))
    for path, reference in document.uses:
        # A reference that a document gives twice is a duplicate, whichever id its source has.
        yield Key("id", f"{document.file.file} {document.file.line} uses {reference.id}", (*path, "use"))
        yield Key("use", reference.id, (*path, "use"))
    for path, speaker in document.speakers:
        numbered = speaker.protected or speaker.kind == "group"
        yield Key("record" if numbered else "id", speaker.id, (*path, "id"))
        if isinstance(speaker, NamedPerson | Institution):
            yield Key("name", f"{speaker.kind} {speaker.name}", (*path, "name"))
    for path, table, name in document.records:
        if table != "speakers":
            yield Key("record", name, (*path, "id"))
    yield Key("text", source.sha256, ("source", "seed"))
    yield Key("seed", source.seed, ("source", "seed"))
    for path, text in document.file.texts(FREE_TEXT):
        for word in words_in(text, document.context):
            yield Key("word", word, path)
    for path, relation in document.relations:
        if not document.names_own_figures(relation):
            for name in (relation.result, *relation.operands):
                yield Key("operand", name, path)


def words_in(text: str, context: Context) -> set[str]:
    """Return the words of a text that may be ids: those with a hyphen; any, once something was taken down."""
    if not len(context.tombstones) and "-" not in text:
        return set()
    return {word for word in WORDS.findall(text) if len(context.tombstones) or "-" in word}


SHARED = -1
"""The number of what belongs to no document."""


def shared_keys(context: Context) -> Iterator[tuple[str, str, int]]:
    """Give kind and value of the keys of shared speakers, with the number of the speaker in its list."""
    for i, speaker in enumerate(context.shared.listed):
        yield "id", speaker.id, i
        yield "name", f"{speaker.kind} {speaker.name}", i


AT_ONCE = 200
"""Documents that are open at a time while findings are worded."""

OF_ONE_KEY = 100
"""Documents with one key that are reported at most."""


class CorpusIndex:
    """The keys of all documents, by the documents' numbers in the order of the corpus."""

    def __init__(self) -> None:
        """Begin with no document; the database is removed with the object."""
        self.count = 0
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA cache_size = -16384;"
            "CREATE TABLE documents (number INTEGER PRIMARY KEY, file TEXT, line INTEGER, source_id TEXT);"
            "CREATE TABLE keys (kind TEXT, value TEXT, document INTEGER);"
        )

    def add(self, entries: Sequence[Entry], keys: Iterable[tuple[int, str, str]]) -> None:
        """Add the next documents; a key gives the number of its document among these, its kind and its value.

        Raises:
            OSError: there is no room for a temporary file.
        """
        first = self.count
        with _refusals(), self._transaction():
            self._database.executemany(
                "INSERT INTO documents VALUES (?, ?, ?, ?)", ((first + i, *entry) for i, entry in enumerate(entries))
            )
            self._database.executemany(
                "INSERT INTO keys VALUES (?, ?, ?)", ((kind, value, first + i) for i, kind, value in keys)
            )
        self.count += len(entries)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN")
        yield
        self._database.execute("COMMIT")

    def add_shared(self, context: Context) -> None:
        """Add the ids and names of shared speakers, which are of document `SHARED`, and the ids of tombstones."""
        keys = ((kind, value, SHARED) for kind, value, _ in shared_keys(context))
        stones = (("tombstone", stone.id, SHARED) for stone in context.tombstones)
        with _refusals(), self._transaction():
            self._database.executemany("INSERT INTO keys VALUES (?, ?, ?)", chain(keys, stones))

    def close(self) -> None:
        """Remove the database."""
        self._database.close()

    def finish(self) -> None:
        """Sort the keys; called once, when all documents have been added.

        Raises:
            OSError: there is no room for a temporary file.
        """
        with _refusals():
            self._database.execute("CREATE INDEX by_value ON keys (value, kind, document)")

    def number_of(self, kinds: Sequence[str]) -> int:
        """Return how many keys of these kinds there are."""
        return int(self._select(f"SELECT count(*) FROM keys WHERE kind IN ({_marks(kinds)})", kinds)[0][0])  # noqa: S608

    def holders(self, value: str, kinds: Sequence[str]) -> list[int]:
        """Return the documents that have a key of one of these kinds, in order."""
        query = f"SELECT DISTINCT document FROM keys WHERE value = ? AND kind IN ({_marks(kinds)}) ORDER BY document"  # noqa: S608
        return [int(row[0]) for row in self._select(query, (value, *kinds))]

    def repeated(self, kinds: Sequence[str]) -> list[tuple[str, list[int]]]:
        """Return the keys that are there more than once, each with its documents, those with the most recent last."""
        query = (
            f"SELECT value FROM keys WHERE kind IN ({_marks(kinds)}) "  # noqa: S608
            "GROUP BY value HAVING count(*) > 1 ORDER BY min(document), value"
        )
        return [(str(row[0]), self.holders(str(row[0]), kinds)) for row in self._select(query, kinds)]

    def in_common(self, kind: str, others: Sequence[str]) -> list[tuple[str, int]]:
        """Return the keys of a kind that are also one of other kinds in another document: value and document."""
        query = (
            "SELECT DISTINCT a.value, a.document FROM keys a JOIN keys b ON a.value = b.value "  # noqa: S608
            f"WHERE a.kind = ? AND b.kind IN ({_marks(others)}) AND a.document <> b.document ORDER BY 2, 1"
        )
        return [(str(value), int(number)) for value, number in self._select(query, (kind, *others))]

    def values(self, kind: str) -> Iterator[tuple[str, int]]:
        """Give each value of a kind, with the first document that has it."""
        query = "SELECT value, min(document) FROM keys WHERE kind = ? GROUP BY value ORDER BY 2, 1"
        yield from self._database.execute(query, (kind,))

    def entries(self, numbers: Iterable[int]) -> list[Entry]:
        """Return where documents are read from, by their numbers."""
        query = "SELECT file, line, source_id FROM documents WHERE number = ?"
        return [Entry(*self._database.execute(query, (number,)).fetchone()) for number in numbers]

    def of_one_source(self) -> list[Entry]:
        """Return the documents whose source has the id of another's."""
        query = (
            "SELECT file, line, source_id FROM documents WHERE source_id IN "
            "(SELECT source_id FROM documents GROUP BY source_id HAVING count(*) > 1)"
        )
        return [Entry(*row) for row in self._database.execute(query)]

    def _select(self, query: str, values: Sequence[str] = ()) -> list[tuple[str | int, ...]]:
        with _refusals():
            return self._database.execute(query, values).fetchall()


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


@contextmanager
def _refusals() -> Iterator[None]:
    """Let what SQLite cannot write be what it is: the file system refused."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC, f"the index of the corpus cannot be written ({error})") from None


@dataclass(frozen=True)
class CorpusView:
    """What rules across documents see: what all share, the index, and a way to open documents again."""

    context: Context
    index: CorpusIndex
    open: Callable[[Sequence[Entry]], Iterator[Document]]
    """Gives documents again, in the order in which they are asked for."""
    pairs: Sequence[Pair] = ()
    """The pairs of figures of one measure; none where there are too many to compare."""

    def documents(self, numbers: Iterable[int]) -> Iterator[tuple[int, Document]]:
        """Give documents by their numbers, in order, a few open at a time."""
        wanted = sorted(set(numbers))
        for first in range(0, len(wanted), AT_ONCE):
            some = wanted[first : first + AT_ONCE]
            yield from zip(some, self.open(self.index.entries(some)), strict=True)

    def places(self, groups: Iterable[tuple[str, Sequence[int]]], kinds: Sequence[str]) -> Iterator[Shared]:
        """Give keys with the places where documents have them, in the order of the documents.

        `groups` are values with the numbers of their documents; a few documents are open at a time.
        """
        waiting: list[tuple[str, Sequence[int]]] = []
        open_ = set[int]()
        for value, numbers in groups:
            some = numbers[: OF_ONE_KEY + 1]
            if waiting and len(open_ | set(some)) > AT_ONCE:
                yield from self._places(waiting, kinds)
                waiting, open_ = [], set()
            waiting.append((value, some))
            open_ |= set(some)
        yield from self._places(waiting, kinds)

    def _places(self, groups: Sequence[tuple[str, Sequence[int]]], kinds: Sequence[str]) -> Iterator[Shared]:
        documents = dict(self.documents(number for _, numbers in groups for number in numbers if number != SHARED))
        for value, numbers in groups:
            found = list(self._shared_places(value, kinds)) if SHARED in numbers else []
            found += [
                Where(document, key.path, document.place(*key.path))
                for document in (documents[number] for number in numbers if number != SHARED)
                for key in keys_of(document)
                if key.value == value and key.kind in kinds
            ]
            yield Shared(value, found)

    def _shared_places(self, value: str, kinds: Sequence[str]) -> Iterator[Where]:
        for kind, other, i in shared_keys(self.context):
            if other == value and kind in kinds:
                path: Path = ("name" if kind == "name" else "id",)
                yield Where(None, path, self.context.shared.listed.place(i, *path))


class Where(NamedTuple):
    """A place where a document has a key, or the list of shared speakers (None)."""

    document: Document | None
    path: Path
    place: Place


class Shared(NamedTuple):
    """A key, and where documents have it."""

    value: str
    where: list[Where]


COUNTS: dict[str, Callable[[CorpusView], int]] = {
    "ids": lambda corpus: corpus.index.number_of(("id", "record")),
    "tombstones": lambda corpus: len(corpus.context.tombstones),
    "names": lambda corpus: corpus.index.number_of(("name",)),
    "shared speakers": lambda corpus: len(corpus.context.shared.listed),
    "sources": lambda corpus: corpus.index.count,
    "terms": lambda corpus: sum(
        len(getattr(corpus.context.vocabulary.content, name)) for name in ("themes", "measures", "populations")
    ),
    "words of free text": lambda corpus: corpus.index.number_of(("word",)),
    "ids and words of free text": lambda corpus: (
        corpus.index.number_of(("id", "record", "word")) if len(corpus.context.tombstones) else 0
    ),
    "pairs of figures": lambda corpus: len(corpus.pairs),
    "notes on pairs of figures": lambda corpus: len(corpus.context.comparisons),
}
"""How many things there are for rules across documents, by what they are on."""
