"""Free text in hand-written files, and the names, numbers and ages in it that no article prints.

Every text of every file is free text, unless a table here gives the reason why it is not: a new
field is therefore scanned even without an entry. What a scan finds may be about a protected person,
so it is never repeated in a message.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache, partial
from itertools import product
from pathlib import Path as FilePath
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from defectors_data.corpus.findings import Path, Place, ProjectFile
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.models import annotation as models
from defectors_data.models import project
from defectors_data.models.closed_vocabularies import STANDARD_NOTES
from defectors_data.models.fields import Record, is_closed, standard_pattern
from defectors_data.text.detection import detect, states_age
from defectors_data.text.numerals import NUMBERS
from defectors_data.text.occurrences import unaccented

Field: TypeAlias = tuple[type[Record], str]
Form: TypeAlias = Literal["text", "trigger", "id", "source", "address", "name"]
"""What a text contains: sentences (`text`); words in which a `*` matches any ending (`trigger`);
the lower-case words of an id; the words of a source's id, whose number may be long (`source`); a
web address; the name of a contributor."""


def _fields(models_of: Iterable[type[Record]], *names: str) -> frozenset[Field]:
    """Return the fields with these names of each of the models."""
    return frozenset(product(models_of, names))


_SPEAKERS = get_args(models.Speaker)
_NAMED = (
    *(models.NamedPerson, models.PartialPerson, models.Institution),
    *(models.SharedPerson, models.SharedInstitution),
)
_NUMBERED = (
    *(models.Mention, models.ProtectedMention, models.Testimony, models.Figure),
    *(models.Relation, models.Waiver, models.Erratum),
)
_NUMBERED_SPEAKERS = (
    *(models.WithheldPerson, models.UnnamedPerson, models.PseudonymousPerson, models.Group),
)

REFERENCES: frozenset[Field] = frozenset().union(
    # consists of the id of the source and a number
    _fields(_NUMBERED, "id"),
    # an id, which is checked where it is defined
    _fields([models.Testimony], "speaker"),
    _fields([models.Figure], "attributed_to", "testimony"),
    _fields([models.Attribution], "antecedent", "rival", "continues"),
    _fields([models.Relation], "result", "operands"),
    _fields([models.SharedReference], "use"),
    _fields([models.Waiver], "repeats"),
    _fields([project.ComparisonNote], "figures"),
    # a term, which is checked in the vocabulary
    _fields([models.Figure], "measure", "population", "unit"),
    _fields(_SPEAKERS, "role", "rank_class", "branch"),
    _fields([project.Measure], "units"),
    _fields([models.Testimony], "themes"),
    _fields([models.Support], "claim"),
)
"""Fields that can only repeat what is defined elsewhere, or that consist of an id and a number."""

NOT_FREE: frozenset[Field] = REFERENCES.union(
    # words of the article, which are anchored
    _fields([models.Part], "text", "prefix", "suffix"),
    # words that another rule finds in the article
    _fields([*_NAMED, models.PseudonymousPerson], "name"),
    _fields([models.Mention], "rank", "affiliation"),
    _fields([models.StatedName, models.StatedNames], "value"),
    _fields([models.Figure], "place"),
    _fields([models.Testimony], "outlet"),
    _fields([models.Source], "cited_outlets"),
    # consists of the id of the source and a number
    _fields(_NUMBERED_SPEAKERS, "id"),
    # in a form that ordinary words cannot have: a checksum, a language tag, a date, a version
    _fields([models.Source], "sha256", "language"),
    _fields([models.EarlierText], "sha256"),
    _fields([models.TextOrigin], "sha256", "by"),
    _fields([models.StatedDate, models.InferredDate], "value"),
    _fields([models.Figure], "as_of"),
    _fields([project.Coverage], "time"),
    _fields([project.Dataset, models.Correction], "version"),
    _fields([project.Dataset], "last_release"),
    _fields([models.Reading], "reader", "version"),
    _fields([project.ReleasedId], "first", "changed", "words", "meaning", "content"),
    # sentences from a closed list, which the type enforces
    _fields([project.ComparisonNote, models.Relation], "note"),
    # an id, and the file that a removed source had, which were checked before the removal
    _fields([project.Tombstone], "id", "seed"),
    _fields([project.ReleasedId], "id"),
    # the list of what other texts may contain: it is not published
    _fields([project.Dataset], "names"),
    # of a fixed form, and not published
    _fields([project.Dataset], "words_budget"),
    # an address, which must contain names
    _fields([project.Contact], "private"),
)
"""Fields that contain no free text; the comments give the reasons."""

_FIELDS_BY_FORM: dict[Form, frozenset[Field]] = {
    "source": _fields([models.Source], "id", "seed"),
    "id": _fields(_NAMED, "id")
    | _fields([project.VocabularyTerm], "term")
    | _fields([project.Dataset], "name"),
    "trigger": _fields([project.Theme, project.Attribute], "triggers"),
    "address": _fields([models.TextOrigin], "address")
    | _fields([project.Dataset], "homepage", "doi")
    | _fields([project.License], "path"),
    "name": _fields([project.Contributor], "title", "family", "given"),
}
_FORMS: dict[Field, Form] = {
    field: form for form, fields in _FIELDS_BY_FORM.items() for field in fields
}


@cache
def form_of(model: type[Record], field: str) -> Form | None:
    """Return the form of the texts of a field, or None if the field contains no free text."""
    # A field may be listed under the base class that defines it.
    fields = [(each, field) for each in model.__mro__]
    if is_closed(model, field) or not NOT_FREE.isdisjoint(fields):
        return None
    return next((_FORMS[each] for each in fields if each in _FORMS), "text")


# ---- what is doubtful in a text ------------------------------------------------------------------

Kind: TypeAlias = Literal["name", "first word", "number", "word"]


class DetailToCheck(NamedTuple):
    """A part of a free text that an article must print."""

    kind: Kind
    word: str


# A number, a word with its apostrophes and hyphens (and a decimal at its end), or underscores.
_TOKEN = re.compile(
    r"[0-9]+(?:[.,:/][0-9]+)*(?![^\W_])|[^\W_]+(?:['’_-][^\W_]+)*(?:(?<=-\d)\.\d\b)?|_+"
)
# Notes with "RECORDS" name ids, so their words are examined like any others.
_STANDARD = re.compile(standard_pattern([note for note in STANDARD_NOTES if "RECORDS" not in note]))
# One letter for each table of records, as in `BEFORE_NUMBERS` of rules/subjects.py.
_RECORD = re.compile(r"-(?:speaker-|[mtfwre])[0-9]+\b")
"""The end of the id of a record; other rules check whether the record may be named."""
_BEFORE_SENTENCE = re.compile(r"(?:^|[.!?\n])[\s\-*\"'“‘(]*$")
_AGE = re.compile(r"\bage|old\b|\bold|who", re.IGNORECASE)
_SYMBOLS = re.compile(
    "[\u0363-\u036f\u2800-\u28ff\ufe00-\ufe0e"
    "\U0001f150-\U0001f189\U0001f1e6-\U0001f1ff\U000e0000-\U000e0fff]"
)
"""Characters that represent, resemble or hide letters without being letters: combining letters,
braille, flags, ..."""
_LETTERS = re.compile("[a-zA-Z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f]+")
"""Words in Latin, Greek or Cyrillic letters; other scripts do not show which words are names."""
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|[ap]\.m|cf|co|etc|kg|km|pp?|vs)\b|(?<=\()[a-e](?=\))")
"""Letters that are neither an English word nor a name, as in `co-operative` or `(a)`."""
_CONTRACTED = re.compile(r"(?:['’](?:s|d|m|re|ve|ll)|(?:(?<!ca)(?<!wo)n)?['’]t)$", re.IGNORECASE)
_JOINT = re.compile(r"['’_-]")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_ACRONYMS = re.compile("(?<=[A-Z]{2})s$")
_DECADES = re.compile("ies$")
_SUFFIX = re.compile(r"(?<=[0-9])(?:s|st|nd|rd|th)$")
_DIGITS_OF_AGE = 2
_COUNTER = 3
"""Maximum length of a number in an id that only counts."""
_PADDED = 8
"""Maximum length of a number with leading zeros in an id that only counts."""
_ABBREVIATED = 2
"""Maximum length of a word in an address that shows nothing, such as a code of a country."""
_SMALLEST = 3
"""The smallest number written in words that an article must print; "one" and "two" are too common
to check."""


def doubts(text: str, form: Form) -> Iterator[DetailToCheck]:
    """Yield names, numbers and other words that an article must print unless they are known."""
    text = unicodedata.normalize("NFKC", text)  # other forms of letters and digits, such as 𝐐 and ²
    if form == "text":
        if _STANDARD.fullmatch(text):
            return
        text = _ABBREVIATION.sub("", _RECORD.sub("", text))
    yield from (DetailToCheck("name", found) for found in _SYMBOLS.findall(text))
    for found in _TOKEN.finditer(text):
        token = found[0]
        pieces = _JOINT.split(_CONTRACTED.sub("", token))
        joined = form in ("id", "source") or "-" in token or "_" in token
        # Only a few code points back: a search of the whole text before each word would take
        # quadratic time.
        first = _BEFORE_SENTENCE.search(text, max(0, found.start() - 20), found.start()) is not None
        is_beginning = form == "trigger" and text.startswith("*", found.end())
        if is_beginning and _begins_an_english_word(token):
            continue  # `infiltrat*`
        is_pair = len(pieces) == 2  # noqa: PLR2004
        if is_pair and len(pieces[0]) == 1 and pieces[0].islower():  # `e-mail`
            del pieces[0]
        for i, piece in enumerate(pieces):
            yield from _doubts_of(piece, form, first=first and i == 0, joined=joined)


def _doubts_of(piece: str, form: Form, *, first: bool, joined: bool) -> Iterator[DetailToCheck]:
    if form == "source" and _is_checksum(piece):  # hexadecimal digits look like numbers and words
        return
    if form != "address":
        for number in _NUMBER.findall(piece):
            if not joined or _is_doubtful_in_id(number, form):
                yield DetailToCheck("number", number)
    for word in _WORD.findall(_SUFFIX.sub("", piece)):
        if form != "name" and not _LETTERS.fullmatch(word):
            yield DetailToCheck("name", word)
        # "I" is the only English word that is always written as a capital.
        elif word != word.lower() and form != "name" and word != "I":
            kind: Kind = (
                "first word" if first and (len(word) == 1 or word[1:].islower()) else "name"
            )
            yield DetailToCheck(kind, _ACRONYMS.sub("", word))  # also the plural of an acronym
        elif NUMBERS.get(_DECADES.sub("y", word), 0) >= _SMALLEST:  # also `twenties`
            yield DetailToCheck("number", word)
        elif form == "address":
            if joined and len(word) > _ABBREVIATED:
                yield DetailToCheck("word", word)
        elif form != "name":
            yield DetailToCheck("word", word)


def _is_doubtful_in_id(number: str, form: Form) -> bool:
    """Return whether a number inside an id may state an age or another detail."""
    if len(number) == _DIGITS_OF_AGE:
        return True
    # Sources are numbered, so in their ids only a possible age is doubtful.
    if form == "source":
        return False
    # A short number, or one with leading zeros such as `source-00012`, only counts.
    if len(number) <= _COUNTER and number.isdecimal():
        return False
    return number[0] != "0" or len(number) > _PADDED


@cache
def _english_text() -> str:
    """Return the lower-case English words that are not names.

    The file evidence/english/LICENSE names their source.
    """
    words = (FilePath(__file__).parent / "english" / "words.txt").read_text("ascii")
    # Each word on a line, so that `\n` in a search finds only beginnings of words.
    return f"\nannotator\nannotators\ncodebook\ndataset\ntxt\n{words}"


@cache
def _english() -> frozenset[str]:
    return frozenset(_english_text().split())


@cache
def _begins_an_english_word(letters: str) -> bool:
    # Almost any three letters begin an English word, so they show nothing.
    shows_a_word = len(letters) > 3  # noqa: PLR2004
    return letters in _english() or (shows_a_word and f"\n{letters}" in _english_text())


def _is_checksum(piece: str) -> bool:
    # The lengths of 64-, 128-, 160- and 256-bit hashes. A digit and a letter are required, so that
    # a long number is not taken for a checksum.
    if len(piece) not in (16, 32, 40, 64):
        return False
    return re.fullmatch(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]+", piece) is not None


@lru_cache(maxsize=1 << 12)
def has_age(text: str) -> bool:
    """Return whether a text states an age, such as `aged 28` or `a 28-year-old`."""
    # The pattern comes first: few texts match it, and detection takes much longer.
    return bool(_AGE.search(text)) and any(states_age(text, found) for found in detect(text))


# ---- what settles a doubt ------------------------------------------------------------------------


def _plain(word: str) -> str:
    return (
        unaccented(word).casefold() or word.casefold()
    )  # letters of other alphabets leave nothing in ASCII


class _KnownWords(NamedTuple):
    """Words and numbers that no article needs to print."""

    declared: frozenset[str]
    """Words and numbers under `names` in dataset.yaml, casefolded."""
    shared: frozenset[str]
    """Words and numbers of dataset.yaml and the vocabulary, which are checked there."""


_PIECE = re.compile(r"[^\W\d_]+|[0-9]+(?:[.,:/][0-9]+)*")


@lru_cache(maxsize=1)  # only one context is in use at a time
def _known(context: Context) -> _KnownWords:
    declared = set[str]()
    for name in context.dataset.content.names:
        declared.update(piece.casefold() for piece in _PIECE.findall(name))
    pieces = set[str]()
    for _, text, form in (*free_texts(context.dataset), *free_texts(context.vocabulary)):
        if form == "text":
            pieces.update(_PIECE.findall(text))
    return _KnownWords(frozenset(declared), frozenset(pieces))


def _is_known(doubt: DetailToCheck, context: Context) -> bool:
    word = doubt.word.casefold()
    return word in _known(context).declared or (
        doubt.kind in ("first word", "word") and word in _english()
    )


@per_document
def public_text(document: Document) -> str:
    """Return a document's text, with spaces for the words waived as `protected_attribute`."""
    secret = [path for path, waiver in document.waivers if waiver.reason == "protected_attribute"]
    text = document.text
    for span in (span for path in secret for span in document.evidence_of(path)):
        # Spaces of the same length, so that offsets after them stay valid.
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


@per_document
def _unaccented_public_text(document: Document) -> str:
    return unaccented(public_text(document))


@per_document
def _words(document: Document) -> set[str]:
    return {_plain(word) for word in set(_WORD.findall(document.text))}


def is_printed(doubt: DetailToCheck, document: Document) -> bool:
    """Return whether an article prints a detail.

    A number must be printed as it is. A name may have other accents, or be in capitals in the free
    text only. For other words, accents and case are ignored.
    """
    if doubt.kind == "name":
        # A name that was typed in capitals may be printed with a single one.
        word = (
            doubt.word.capitalize() if len(doubt.word) > 1 and doubt.word.isupper() else doubt.word
        )
        text = public_text(document)
        found = contains_words(text, doubt.word) or contains_words(text, word)
        plain = unaccented(word)
        # Only if no letter was lost: the rest of a name in other letters could match by chance.
        return found or (
            len(plain) >= len(word) and contains_words(_unaccented_public_text(document), plain)
        )
    if doubt.kind == "number":  # an article with "22nd" prints 22
        # A plain search is much faster than the pattern, and rules out most numbers.
        if doubt.word.isdecimal() and doubt.word not in public_text(document):
            return False
        number = rf"(?<![\d.,]){re.escape(doubt.word)}(?!\d|[.,]\d)"
        return re.search(number, public_text(document), re.IGNORECASE) is not None
    return _plain(doubt.word) in _words(document)


# ---- the texts of files --------------------------------------------------------------------------


def free_texts(file: ProjectFile[Any]) -> Iterator[tuple[Path, str, Form]]:
    """Yield each free text of a file, with its path and form."""
    for path, text, model, field in file.fields:
        if form := form_of(model, field):
            yield path, text, form


class UnsourcedDetail(NamedTuple):
    """A part of a free text that no article prints, or the age that a text states."""

    doubt: DetailToCheck | None
    """What is not printed; None for an age."""
    text: str
    """The text that contains it."""

    @property
    def position(self) -> int:
        """The number of the word in the text that is or contains the doubt, counted from 1."""
        word = rf"(?<![^\W\d_]){re.escape(self.doubt.word)}" if self.doubt else "$"
        return len(f"{re.split(word, self.text, maxsplit=1)[0]}.".split())


def _undeclared(text: str, context: Context) -> str:
    # A declared name, such as that of a film, may contain a number, which is then not an age.
    for name in context.dataset.content.names:
        text = text.replace(name, " ")
    return text


@lru_cache(maxsize=1 << 12)  # the texts of a vocabulary recur in every document
def _doubts(text: str, form: Form) -> tuple[DetailToCheck, ...]:
    """Return the details to check in a text.

    The results are cached because many texts of a corpus are identical.
    """
    return tuple(doubts(text, form))


def _unprinted(text: str, form: Form, context: Context) -> Iterator[UnsourcedDetail]:
    """Yield the age that a text states, and the parts of the text that an article must print."""
    if has_age(_undeclared(text, context)):
        yield UnsourcedDetail(None, text)
    for doubt in _doubts(text, form):
        if not _is_known(doubt, context):
            yield UnsourcedDetail(doubt, text)


def unprinted(document: Document) -> Iterator[tuple[Path, UnsourcedDetail]]:
    """Yield ages in a document's free texts, and details that its article does not print.

    Words that also occur in dataset.yaml or the vocabulary are checked there.
    """
    shared = _known(document.context).shared
    for path, text, form in free_texts(document.file):
        for found in _unprinted(text, form, document.context):
            doubt = found.doubt
            if doubt is None or not (doubt.word in shared or is_printed(doubt, document)):
                yield path, found


_VERSION = re.compile(
    r"## +\[?[0-9]+(?:\.[0-9]+){2}\]?(?:(?: -)? \(?[0-9]{4}-[0-9]{2}-[0-9]{2}\)?)?\s*"
)
_COUNTS = re.compile(r"`([a-z_]+)` [0-9]+(?=[,.])")
"""Texts that `defectors-data release` writes into the changelog: version headings, and names of
tables with counts."""


def _without_count(found: re.Match[str]) -> str:
    # Slow to import, and few lines have counts.
    from defectors_data.models.tables import ROWS  # noqa: PLC0415

    is_table = found[1] in {row.TABLE.name for row in ROWS}
    return " " if is_table else found[0]


def shared_texts(context: Context) -> Iterator[tuple[ProjectFile[Any], Path, str, Form]]:
    """Yield the free texts of files of no single source, with file, path and form."""
    files: list[ProjectFile[Any]] = [context.dataset, context.vocabulary]
    files += [file for file, _ in context.shared.listed.files()]
    for file in files:
        for path, text, form in free_texts(file):
            yield file, path, text, form
    for i, line in context.changelog.content.published():
        text = _COUNTS.sub(_without_count, line)
        if text.strip() and not _VERSION.fullmatch(text):
            yield context.changelog, ("lines", i), text, "text"


def _beginning(name: str) -> str:
    """Return an id without the number at its end."""
    return re.sub("-[1-9][0-9]*$", "", name)


def _counted(names: Iterable[str]) -> set[str]:
    """Return the beginnings of at least two ids that differ only in the number at their end."""
    beginnings = Counter(_beginning(name) for name in names if _beginning(name) != name)
    return {beginning for beginning, number in beginnings.items() if number > 1}


@lru_cache(maxsize=1)
def unprinted_in_shared(
    context: Context,
) -> tuple[tuple[Callable[[], Place], UnsourcedDetail], ...]:
    """Return the ages in the shared files' free text, and details that an article must print.

    Each is returned with a function that determines its place.
    """
    found = []
    counted = _counted(context.shared)
    for file, path, typed, form in shared_texts(context):
        place = partial(file.place, *path)
        text = typed
        if form == "id" and _beginning(typed) in counted:
            text = _beginning(typed)
        found += [(place, detail) for detail in _unprinted(text, form, context)]
    return tuple(found)


@lru_cache(maxsize=1)
def _sought(context: Context) -> tuple[DetailToCheck, ...]:
    doubts_of_details = [detail.doubt for _, detail in unprinted_in_shared(context)]
    return tuple(dict.fromkeys(doubt for doubt in doubts_of_details if doubt))


def printed_of_shared(document: Document, found: Collection[DetailToCheck]) -> set[DetailToCheck]:
    """Return the details of the shared files that are printed in this document's article.

    Details that were `found` in other documents are not searched for again.
    """
    open_ = [doubt for doubt in _sought(document.context) if doubt not in found]
    return {doubt for doubt in open_ if is_printed(doubt, document)}


def count(context: Context) -> int:
    """Return the number of free texts in files that belong to no single source."""
    return sum(1 for _ in shared_texts(context))
