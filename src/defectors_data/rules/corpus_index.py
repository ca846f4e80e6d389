"""The corpus index: the keys of all documents, which rules with the scope `corpus` compare.

The ids, names, hashes and references of each document are rows of a temporary SQLite database,
which SQLite moves from memory to disk as it grows. A rule looks up which documents share a key;
only those are opened again, a few at a time, to find the places of its findings.
"""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from defectors_data.corpus.findings import Path, Place
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.comparisons import FigurePair
from defectors_data.evidence.free_text.shared_texts import shared_texts
from defectors_data.evidence.record_fingerprints import identities, released
from defectors_data.evidence.record_ids import ids_in
from defectors_data.models.annotation import Institution, NamedPerson, PseudonymousPerson
from defectors_data.models.fields import edtf_bounds
from defectors_data.models.versions import number

if TYPE_CHECKING:
    from defectors_data.evidence.free_text.unsourced_details import DetailToCheck
    from defectors_data.published_ids import PublishedIds


class Key(NamedTuple):
    """An id, name, hash or reference of a document, and the path of its value."""

    kind: str
    value: str
    path: Path


class IndexEntry(NamedTuple):
    """A document in the index: its file, its line in a shard, and the id of its source."""

    file: str
    line: int
    source_id: str


def keys_of(document: Document) -> Iterator[Key]:
    """Yield the keys of a document.

    The kinds of keys are:

    - `id`: the id of the source or of a named speaker, or a value that identifies a reference to a
      shared speaker.
    - `record`: an id that consists of the source's id, a code for the kind of record, and a number.
    - `name`: the kind and the name of a publicly named speaker.
    - `pseudonym`: the name of a protected person.
    - `text`: the SHA-256 of the seed.
    - `seed`: the name of the seed.
    - `day`: a day on which an article was published, obtained, looked up, read or corrected.
    - `reader`: a reader of the article and the kind of the reader, separated by a space.
    - `use`: the id of a shared speaker that the document uses.
    - `word`: a word of free text that may be an id.
    - `operand`: the id of a figure in a relation with figures from other documents.
    - `added`, `changed`: the id of a record that was added or changed since the last release.
    """
    source = document.source
    yield Key("id", source.id, ("source", "id"))
    for path, reference in document.uses:
        # Two references to one speaker in a document are a duplicate id. The source's id would not
        # identify the document, because two documents may have the same one.
        yield Key(
            "id", f"{document.file.file} {document.file.line} uses {reference.id}", (*path, "use")
        )
        yield Key("use", reference.id, (*path, "use"))
    for path, speaker in document.speakers:
        numbered = speaker.protected or speaker.kind in ("group", "writer")
        kind = "record" if numbered else "id"
        yield Key(kind, speaker.id, (*path, "id"))
        if isinstance(speaker, NamedPerson | Institution):
            yield Key("name", f"{speaker.kind} {speaker.name}", (*path, "name"))
        elif isinstance(speaker, PseudonymousPerson):
            yield Key("pseudonym", speaker.name, (*path, "name"))
    for path, table, name in document.records:
        if table != "speakers":
            yield Key("record", name, (*path, "id"))
    yield Key("text", source.sha256, ("source", "seed"))
    yield Key("seed", source.seed, ("source", "seed"))
    for i, reading in enumerate(document.content.readings):
        yield Key("reader", f"{reading.reader} {reading.kind}", ("readings", i, "kind"))
    for path, day in days_after_publication(document):
        yield Key("day", day.isoformat(), path)
    if source.published and (published := edtf_bounds(source.published.value).first):
        yield Key("day", published.isoformat(), ("source", "published", "value"))
    for path, text, _ in document.free_texts:
        if path[-1] == "id":
            continue  # an id is a key already
        for word in ids_in(text):
            yield Key("word", word, path)
    for path, relation in document.relations:
        if not document.names_own_figures(relation):
            for name in (relation.result, *relation.operands):
                yield Key("operand", name, path)
    if before := released(document.context):
        yield from (
            Key(state, each.id, each.path)
            for each in identities(document)
            if (state := each.since(before))
        )


def days_after_publication(document: Document) -> Iterator[tuple[Path, date]]:
    """Yield the days on which an article was read, obtained, looked up or corrected, with paths."""
    source = document.source
    for i, reading in enumerate(document.content.readings):
        yield ("readings", i, "date"), reading.date
    if source.obtained and source.obtained.date:
        yield ("source", "obtained", "date"), source.obtained.date
    for name, fact in source.facts().items():
        if seen := getattr(fact, "seen", None):
            yield ("source", name, "seen"), seen
    for path, erratum in document.errata:
        if erratum.reported:
            yield (*path, "reported"), erratum.reported


SHARED = -1
"""The document number of keys that belong to no document."""


def shared_keys(context: Context) -> Iterator[tuple[str, str, int]]:
    """Yield each key of the shared speakers as (kind, value, position in the list)."""
    for i, speaker in enumerate(context.shared.listed):
        yield "id", speaker.id, i
        yield "name", f"{speaker.kind} {speaker.name}", i


AT_ONCE = 200
"""Maximum number of documents that are open at a time while places are looked up."""

OF_ONE_KEY = 100
"""Maximum number of documents that are reported for one key."""


class CorpusIndex:
    """The keys of all documents, which are numbered from 0 in the order of the corpus."""

    def __init__(self) -> None:
        """Create an empty index; its database is removed by `close`."""
        self.count = 0
        # SQLite gives a database without a name a temporary file, and deletes it when the database
        # is closed.
        self._database = sqlite3.connect("", check_same_thread=False)
        self._database.executescript(
            # No journal: after an error the index is discarded. The cache is 16 MiB (a negative
            # size is in KiB).
            "PRAGMA journal_mode = OFF; PRAGMA cache_size = -16384;"
            "CREATE TABLE documents (number INTEGER PRIMARY KEY, file TEXT, line INTEGER, "
            "source_id TEXT);"
            "CREATE TABLE keys (kind TEXT, value TEXT, document INTEGER);"
        )

    def add(self, entries: Sequence[IndexEntry], keys: Iterable[tuple[int, str, str]]) -> None:
        """Add documents with their keys.

        Args:
            entries: The documents, in the order of the corpus.
            keys: For each key, the position of its document in `entries`, its kind and its value.

        Raises:
            OSError: The temporary file cannot be written.
        """
        first = self.count
        with _refusals(), self._database:
            self._database.executemany(
                "INSERT INTO documents VALUES (?, ?, ?, ?)",
                ((first + i, *entry) for i, entry in enumerate(entries)),
            )
            self._database.executemany(
                "INSERT INTO keys VALUES (?, ?, ?)",
                ((kind, value, first + i) for i, kind, value in keys),
            )
        self.count += len(entries)

    def add_shared(self, context: Context) -> None:
        """Add ids and names of shared speakers and tombstones, as keys of `SHARED`."""
        keys = ((kind, value, SHARED) for kind, value, _ in shared_keys(context))
        stones = (("tombstone", stone.id, SHARED) for stone in context.tombstones)
        with _refusals(), self._database:
            self._database.executemany("INSERT INTO keys VALUES (?, ?, ?)", chain(keys, stones))

    def close(self) -> None:
        """Close and remove the database."""
        self._database.close()

    def finish(self) -> None:
        """Build the database index of the keys; call this once, after the last document was added.

        Raises:
            OSError: The temporary file cannot be written.
        """
        with _refusals():
            # One index at the end is faster than one that is updated with every key.
            self._database.execute("CREATE INDEX by_value ON keys (value, kind, document)")

    def number_of(self, kinds: Sequence[str]) -> int:
        """Return the number of keys of these kinds."""
        # Only placeholders are inserted into the SQL of this class; values are always bound.
        query = f"SELECT count(*) FROM keys WHERE kind IN ({_marks(kinds)})"  # noqa: S608
        [row] = self._select(query, kinds)
        return int(row[0])

    def documents_with(self, value: str, kinds: Sequence[str]) -> list[int]:
        """Return the numbers of the documents with this key, in order."""
        query = (
            "SELECT DISTINCT document FROM keys "  # noqa: S608
            f"WHERE value = ? AND kind IN ({_marks(kinds)}) ORDER BY document"
        )
        return [int(row[0]) for row in self._select(query, (value, *kinds))]

    def repeated(self, kinds: Sequence[str]) -> list[tuple[str, list[int]]]:
        """Return the values that occur more than once in these kinds, with their documents.

        The values are ordered by their first documents.
        """
        query = (
            f"SELECT value FROM keys WHERE kind IN ({_marks(kinds)}) "  # noqa: S608
            "GROUP BY value HAVING count(*) > 1 ORDER BY min(document), value"
        )
        values = [str(row[0]) for row in self._select(query, kinds)]
        return [(value, self.documents_with(value, kinds)) for value in values]

    def in_common(self, kind: str, others: Sequence[str]) -> list[tuple[str, int]]:
        """Return the keys of a kind that are also keys of the kinds `others` in another document.

        Each is returned as its value and the number of the document in which it is a key of `kind`.
        """
        query = (
            "SELECT DISTINCT a.value, a.document "  # noqa: S608
            "FROM keys a JOIN keys b ON a.value = b.value "
            f"WHERE a.kind = ? AND b.kind IN ({_marks(others)}) AND a.document <> b.document "
            "ORDER BY 2, 1"
        )
        return [(str(value), int(number)) for value, number in self._select(query, (kind, *others))]

    def values(self, kind: str) -> Iterator[tuple[str, int]]:
        """Yield each distinct value of a kind, with the number of its first document."""
        query = "SELECT value, min(document) FROM keys WHERE kind = ? GROUP BY value ORDER BY 2, 1"
        for value, document in self._select(query, (kind,)):
            yield str(value), int(document)

    def entries(self, numbers: Iterable[int]) -> list[IndexEntry]:
        """Return the entries of the documents with the given numbers."""
        query = "SELECT file, line, source_id FROM documents WHERE number = ?"
        return [self._entry(row) for number in numbers for row in self._select(query, (number,))]

    def of_one_source(self) -> list[IndexEntry]:
        """Return the documents whose source has the same id as the source of another document."""
        query = (
            "SELECT file, line, source_id FROM documents WHERE source_id IN "
            "(SELECT source_id FROM documents GROUP BY source_id HAVING count(*) > 1)"
        )
        return [self._entry(row) for row in self._select(query)]

    @staticmethod
    def _entry(row: tuple[str | int, ...]) -> IndexEntry:
        file, line, source_id = row
        return IndexEntry(str(file), int(line), str(source_id))

    def _select(self, query: str, values: Sequence[str | int] = ()) -> list[tuple[str | int, ...]]:
        with _refusals():
            return self._database.execute(query, values).fetchall()


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise OSError in place of SQLite's error if the database cannot be read or written."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(
            errno.ENOSPC, f"the index of the corpus cannot be written ({error})"
        ) from None


@dataclass(frozen=True, eq=False)
class CorpusView:
    """The argument of rules on the corpus: context, index, and access to documents."""

    context: Context
    index: CorpusIndex
    open: Callable[[Sequence[IndexEntry]], Iterator[Document]]
    """A function that opens documents again, in the order of the entries."""
    pairs: Sequence[FigurePair] = ()
    """The pairs of figures of one measure; empty if sources are not compared."""
    compared: Collection[str] | None = None
    """The ids of compared figures, which have no finding; None for all."""
    published: PublishedIds | None = None
    """The ids of the published package, or None if there is none."""
    reassigned: Sequence[str] = ()
    """The ids that identify another record than in that package."""
    today: date | None = None
    """The latest possible day of an event, or None if days are not compared with it."""
    shared_is_known: bool = False
    """Whether an earlier check found that the free text of the shared files states no detail about
    one person, if no pseudonym occurs in it."""
    printed: Collection[DetailToCheck] = frozenset()
    """The names, numbers and uncommon words from the free text of shared files that are printed in
    an article."""

    def documents(self, numbers: Iterable[int]) -> Iterator[tuple[int, Document]]:
        """Yield the documents with the given numbers, in order.

        At most `AT_ONCE` are open at a time.
        """
        wanted = sorted(set(numbers))
        for first in range(0, len(wanted), AT_ONCE):
            some = wanted[first : first + AT_ONCE]
            yield from zip(some, self.open(self.index.entries(some)), strict=True)

    def places(
        self, groups: Iterable[tuple[str, Sequence[int]]], kinds: Sequence[str]
    ) -> Iterator[KeyPlaces]:
        """Yield keys, each with its places in document order.

        At most `AT_ONCE` documents are open at a time.

        Args:
            groups: The values of the keys, each with the numbers of its documents.
            kinds: The kinds of the keys.
        """
        waiting: list[tuple[str, Sequence[int]]] = []
        open_ = set[int]()
        for value, numbers in groups:
            some = numbers[
                : OF_ONE_KEY + 1
            ]  # one more, because the first is only named in the findings on the others
            if waiting and len(open_ | set(some)) > AT_ONCE:
                yield from self._places(waiting, kinds)
                waiting, open_ = [], set()
            waiting.append((value, some))
            open_ |= set(some)
        yield from self._places(waiting, kinds)

    def _places(
        self, groups: Sequence[tuple[str, Sequence[int]]], kinds: Sequence[str]
    ) -> Iterator[KeyPlaces]:
        documents = dict(
            self.documents(
                number for _, numbers in groups for number in numbers if number != SHARED
            )
        )
        # Places are not in the database, because few are needed: the keys are computed again.
        paths: dict[tuple[int, str], list[tuple[str, Path]]] = {}
        wanted = {value for value, _ in groups}
        for at, document in documents.items():
            for key in keys_of(document):
                if key.value in wanted:
                    paths.setdefault((at, key.value), []).append((key.kind, key.path))
        for value, numbers in groups:
            found = list(self._shared_places(value, kinds)) if SHARED in numbers else []
            for of_document in numbers:
                for kind, path in paths.get((of_document, value), ()):
                    if kind in kinds:
                        document = documents[of_document]
                        found.append(KeyPlace(document, path, document.place(*path)))
            yield KeyPlaces(value, found)

    def _shared_places(self, value: str, kinds: Sequence[str]) -> Iterator[KeyPlace]:
        for kind, other, i in shared_keys(self.context):
            if other == value and kind in kinds:
                key = "name" if kind == "name" else "id"
                path: Path = (key,)
                yield KeyPlace(None, path, self.context.shared.listed.place(i, *path))


def earlier_versions(corpus: CorpusView) -> list[str]:
    """Return the versions that were released before, according to dataset.yaml or the changelog."""
    dataset = corpus.context.dataset.content
    headings = [_VERSION.match(line) for line in corpus.context.changelog.content.lines]
    named = {heading[1] for heading in headings if heading}
    earlier = {each for each in named if number(each) < number(dataset.version)}
    if dataset.last_release:
        earlier.add(dataset.last_release)
    return sorted(earlier, key=number)


_VERSION = re.compile(r"##[ \t]+\[?v?(\d+\.\d+\.\d+)\b")


class KeyPlace(NamedTuple):
    """A place of a key in a document, or in the list of shared speakers if `document` is None."""

    document: Document | None
    path: Path
    place: Place


class KeyPlaces(NamedTuple):
    """The value of a key, and its places in at most `OF_ONE_KEY` + 1 documents."""

    value: str
    places: list[KeyPlace]


OF_RELEASES = frozenset(
    {
        "records of earlier releases",
        "corrections of records",
        "ids of earlier releases",
        "ids of the published package",
        "earlier versions",
    }
)
"""The kinds of subjects of the rules that compare a corpus with what was published before."""

COUNTS: dict[str, Callable[[CorpusView], int]] = {
    "ids": lambda corpus: corpus.index.number_of(("id", "record")),
    "tombstones": lambda corpus: len(corpus.context.tombstones),
    "ids of earlier releases": lambda corpus: len(corpus.context.releases),
    "ids of the published package": lambda corpus: (
        len(corpus.published.identities) if corpus.published else 0
    ),
    "earlier versions": lambda corpus: len(earlier_versions(corpus)),
    "days": lambda corpus: corpus.index.number_of(("day",)),
    "names": lambda corpus: corpus.index.number_of(("name",)),
    "shared speakers": lambda corpus: len(corpus.context.shared.listed),
    "sources": lambda corpus: corpus.index.count,
    "terms": lambda corpus: sum(
        len(listed) for _, listed in corpus.context.vocabulary.content.lists_of_terms()
    ),
    "terms and shared speakers": lambda corpus: (
        len(corpus.context.shared.listed) + COUNTS["terms"](corpus)
    ),
    "words of free text": lambda corpus: corpus.index.number_of(("word",)),
    # Without tombstones, no id can be withdrawn, so nothing is checked.
    "ids and words of free text": lambda corpus: (
        corpus.index.number_of(("id", "record", "word")) if len(corpus.context.tombstones) else 0
    ),
    "free texts of shared files": lambda corpus: len(shared_texts(corpus.context)),
    "pairs of figures": lambda corpus: len(corpus.pairs),
    "notes on pairs of figures": lambda corpus: len(corpus.context.comparisons),
    "relations between statements": lambda corpus: len(corpus.context.statements),
    "examples of codes": lambda corpus: len(corpus.context.vocabulary.content.examples),
}
"""Functions that count the subjects of rules with the scope `corpus`, by kind."""
