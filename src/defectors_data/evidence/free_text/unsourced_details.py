"""Names, numbers and other words in free text that no article prints, and ages.

What a scan finds may be about a protected person, so a record of one is not scanned but closed, and
a message repeats a word only if no record and no sentence around it is about one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.corpus.findings import Path, Place, UnreadError
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.free_text.known_words import (
    english,
    without_contraction,
    without_known_names,
)
from defectors_data.evidence.free_text.personal_details import has_age, phone_in
from defectors_data.evidence.free_text.shared_texts import shared_texts
from defectors_data.evidence.free_text.texts import FreeText, free_texts, without_exceptions
from defectors_data.models.closed_vocabularies import STANDARD_NOTES
from defectors_data.models.fields import TextKind, standard_pattern
from defectors_data.text.detection import is_age_of_group
from defectors_data.text.numerals import NUMBERS
from defectors_data.text.occurrences import unaccented

# ---- what is doubtful in a text ------------------------------------------------------------------

Kind: TypeAlias = Literal["name", "first word", "number", "waived number", "word"]


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
_SYMBOLS = re.compile(
    "[\u0363-\u036f\u2800-\u28ff\ufe00-\ufe0e"
    "\U0001f150-\U0001f189\U0001f1e6-\U0001f1ff\U000e0000-\U000e0fff]"
)
"""Characters that represent, resemble or hide letters without being letters: combining letters,
braille, flags, ..."""
_LETTERS = re.compile("[a-zA-Z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f]+")
"""Words in Latin, Greek or Cyrillic letters; other scripts do not show which words are names."""
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|[ap]\.m|cf|co|etc|kg|km|pp?|vs)\b|(?<=\()[a-e](?=\))|U\+[0-9A-F]{4,6}"
)
"""Letters that are neither an English word nor a name, as in `co-operative` or `(a)`."""
_JOINT = re.compile(r"['’_-]")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_ACRONYMS = re.compile("(?<=[A-Z]{2})s$")
_NUMBER_OF_SOURCE = re.compile(
    r"(?<![0-9])(?:19|20)[0-9]{2}[_-][0-9]{2}(?:[_-][0-9]{2})?(?![0-9])|^[0-9]+(?=[_-])"
)
"""The number with which the name of a file begins, or a date, neither of which is an age."""
_NO_NAME = re.compile("[a-z]|[b-df-hj-np-tv-xz]+")
"""A letter, or letters without a vowel: the abbreviation of an outlet, such as "wsj", is no name."""
_DECADES = re.compile("ies$")
_SUFFIX = re.compile(r"(?<=[0-9])(?:s|st|nd|rd|th)$")
_DIGITS_OF_AGE = 2
_COUNTER = 3
"""Maximum length of a number in an id that only counts."""
_PADDED = 8
"""Maximum length of a number with leading zeros in an id that only counts."""
_SMALLEST = 3
"""The smallest number written in words that may show something in an id."""
_LONGEST_YEAR = 4
"""Maximum length of a number in a note that shows nothing, such as a year, a page or a count."""
_CODE = re.compile(r"[A-Za-z]{1,3}[0-9]{1,4}")
"""The id of a rule, a record or a page, such as `T4`."""
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")


def doubts(text: str, kind: TextKind) -> Iterator[DetailToCheck]:
    """Yield names, numbers and other words that an article must print unless they are known."""
    text = unicodedata.normalize("NFKC", text)  # other forms of letters and digits, such as 𝐐 and ²
    is_note = kind is TextKind.NOTE
    if is_note:
        if _STANDARD.fullmatch(text):
            return
        text = _ABBREVIATION.sub("", _RECORD.sub("", text))
        if number := phone_in(text):
            yield DetailToCheck("number", number)
    elif kind is TextKind.SOURCE_ID:
        text = _NUMBER_OF_SOURCE.sub("", text)
    yield from (DetailToCheck("name", found) for found in _SYMBOLS.findall(text))
    ordinary = english() if is_note else frozenset[str]()
    for found in _TOKEN.finditer(text):
        token = found[0]
        # Most words are ordinary, and only the others are taken apart.
        if token in ordinary or (is_note and _CODE.fullmatch(token)):
            continue
        pieces = _JOINT.split(without_contraction(token))
        # Only a few code points back: a search of the whole text before each word would take
        # quadratic time.
        first = _BEFORE_SENTENCE.search(text, max(0, found.start() - 20), found.start()) is not None
        is_pair = len(pieces) == 2  # noqa: PLR2004
        if is_pair and len(pieces[0]) == 1 and pieces[0].islower():  # `e-mail`
            del pieces[0]
        for i, piece in enumerate(pieces):
            yield from _doubts_of(piece, kind, first=first and i == 0)


def _doubts_of(piece: str, kind: TextKind, *, first: bool) -> Iterator[DetailToCheck]:
    # Hexadecimal digits look like numbers and words.
    if kind is TextKind.SOURCE_ID and (_is_checksum(piece) or _NO_NAME.fullmatch(piece)):
        return
    is_doubtful = _is_doubtful_in_note if kind is TextKind.NOTE else _is_doubtful_in_id
    for number in _NUMBER.findall(piece):
        if is_doubtful(number, kind):
            yield DetailToCheck("number", number)
    for word in _WORD.findall(_SUFFIX.sub("", piece)):
        if not _LETTERS.fullmatch(word):
            yield DetailToCheck("name", word)
        # "I" is the only English word that is always written as a capital.
        elif word != word.lower() and word != "I":
            is_plain = first and (len(word) == 1 or word[1:].islower())
            # Without the ending of the plural of an acronym.
            found: Literal["first word", "name"] = "first word" if is_plain else "name"
            yield DetailToCheck(found, _ACRONYMS.sub("", word))
        elif kind is not TextKind.NOTE and NUMBERS.get(_DECADES.sub("y", word), 0) >= _SMALLEST:
            yield DetailToCheck("number", word)
        else:
            yield DetailToCheck("word", word)


def _is_doubtful_in_note(number: str, _kind: TextKind) -> bool:
    """Return whether a number may identify someone: it is longer than a year, and not a count."""
    parts = re.split("[.,:/]", number)
    is_long = max(map(len, parts)) > _LONGEST_YEAR
    return is_long and not _GROUPED.fullmatch(number)


def _is_doubtful_in_id(number: str, kind: TextKind) -> bool:
    """Return whether a number inside an id may state an age or another detail."""
    if len(number) == _DIGITS_OF_AGE:
        return True
    # Sources are numbered, so in their ids only a possible age is doubtful.
    if kind is TextKind.SOURCE_ID:
        return False
    # A short number, or one with leading zeros such as `source-00012`, only counts.
    if len(number) <= _COUNTER and number.isdecimal():
        return False
    return number[0] != "0" or len(number) > _PADDED


def _is_checksum(piece: str) -> bool:
    # The lengths of 64-, 128-, 160- and 256-bit hashes. A digit and a letter are required, so that
    # a long number is not taken for a checksum.
    if len(piece) not in (16, 32, 40, 64):
        return False
    return re.fullmatch(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]+", piece) is not None


# ---- what settles a doubt ------------------------------------------------------------------------


def _plain(word: str) -> str:
    return (
        unaccented(word).casefold() or word.casefold()
    )  # letters of other alphabets leave nothing in ASCII


_PIECE = re.compile(r"[^\W\d_]+|[0-9]+(?:[.,:/][0-9]+)*")


@lru_cache(maxsize=1)  # only one context is in use at a time
def _shared_words(context: Context) -> frozenset[str]:
    """Return the words of terms, which have no capital, and of the places that the dataset covers.

    A name in a label or a definition does not show that an article prints it.
    """
    listed = [*free_texts(context.vocabulary)]
    texts = [free.text for free in listed if free.path[-1] == "term" or "spellings" in free.path]
    texts += context.dataset.content.coverage.places
    return frozenset(piece for text in texts for piece in _PIECE.findall(text))


def _is_english(doubt: DetailToCheck) -> bool:
    return doubt.kind in ("first word", "word") and doubt.word.casefold() in english()


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


_JOINED = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)+")


@per_document
def _parts_of_joined(document: Document) -> set[str]:
    """Return the parts of words with an apostrophe: "O" and "Quill" of "O'Quill"."""
    joined = _JOINED.findall(public_text(document))
    return {part for word in joined for part in re.split("['’]", word)}


@per_document
def _words(document: Document) -> set[str]:
    # An id has no apostrophes: "im" is printed as "I'm".
    joined = _JOINED.findall(document.text)
    words = {*_WORD.findall(document.text), *(re.sub("['’]", "", word) for word in joined)}
    return {_plain(word) for word in words}


def is_printed(doubt: DetailToCheck, document: Document) -> bool:
    """Return whether an article prints a detail.

    A number must be printed as it is. A name may have other accents, be in capitals in the free text
    only, or be an acronym of which the plural is printed. For other words, accents and case are ignored.
    """
    if doubt.kind == "name":
        # A name that was typed in capitals may be printed with a single one.
        word = doubt.word
        if len(doubt.word) > 1 and doubt.word.isupper():
            word = doubt.word.capitalize()
        text = public_text(document)
        printed = [doubt.word, word]
        if doubt.word.isupper():
            printed.append(f"{doubt.word}s")  # the plural of an acronym
        found = any(contains_words(text, each) for each in printed)
        found = found or doubt.word in _parts_of_joined(document)
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


class UnsourcedDetail(NamedTuple):
    """A part of a free text that no article prints, or the age that a text states."""

    doubt: DetailToCheck | None
    """What is not printed; None for an age."""
    free: FreeText
    """The text that contains it."""
    is_hidden: bool = False
    """Whether a message must not repeat it, because its record may be about a protected person."""

    @property
    def position(self) -> int:
        """The number of the word in the text that is or contains the doubt, counted from 1."""
        word = "$"
        if self.doubt:
            word = rf"(?<![^\W\d_]){re.escape(self.doubt.word)}"
        return len(f"{re.split(word, self.free.text, maxsplit=1)[0]}.".split())


@lru_cache(maxsize=1 << 12)  # many texts of a corpus are identical
def _doubts(text: str, kind: TextKind) -> tuple[DetailToCheck, ...]:
    """Return the names, numbers and words in a text that are not common knowledge."""
    found = [doubt for doubt in doubts(text, kind) if not _is_english(doubt)]
    if found and kind is TextKind.NOTE:
        known = _TITLE.sub(_without_title, without_known_names(text))
        found = [doubt for doubt in doubts(known, kind) if not _is_english(doubt)]
        words = {word for word in _WORD.findall(known) if word.casefold() in english()}
        found = [doubt for doubt in found if not _is_close_to_any(doubt.word, words)]
    return tuple(found)


def _is_close_to_any(word: str, words: set[str]) -> bool:
    return any(_is_misspelling(word, each) for each in words)


_TITLE = re.compile('["“]([^"“”]+)["”]')


def _without_title(found: re.Match[str]) -> str:
    """Return a space for quoted words that are all English, as in a title, else the words."""
    words = _WORD.findall(found[1])
    is_title = len(words) > 1 and all(word.casefold() in english() for word in words)
    return " " if is_title else found[0]


def _is_misspelling(word: str, right: str) -> bool:
    """Return whether a word has one letter more, less or other than a word of the same text."""
    shorter, longer = sorted((word, right), key=len)
    is_same = word.casefold() == right.casefold()
    if is_same or len(shorter) <= _COUNTER or len(longer) - len(shorter) > 1:
        return False
    pairs = enumerate(zip(shorter, longer, strict=False))
    first = next((i for i, (one, other) in pairs if one != other), len(shorter))
    rest, other = shorter[first:], longer[first:]
    if len(rest) < len(other):
        return other[1:] == rest
    is_swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return rest[1:] == other[1:] or is_swapped


_SCANNED = (TextKind.NOTE, TextKind.ID, TextKind.SOURCE_ID)


def _unprinted(free: FreeText, context: Context) -> Iterator[DetailToCheck | None]:
    """Yield the parts of a text that an article must print; None if the text states an age."""
    if free.kind not in _SCANNED:
        return
    text = without_exceptions(free, context)
    if has_age(text):
        yield None
    yield from _doubts(text, free.kind)


def unprinted(document: Document) -> Iterator[tuple[Path, UnsourcedDetail]]:
    """Yield ages in a document's free texts, and details that its article does not print."""
    words = _shared_words(document.context)
    for free in document.open_texts:
        if free.kind is TextKind.SOURCE_ID and not _has_protected(document):
            continue
        is_hidden = _is_hidden(document, free.path)
        for doubt in _unprinted(free, document.context):
            if doubt and free.kind is TextKind.SOURCE_ID and _joins_title(document, doubt.word):
                continue
            if doubt and free.path[-1] == "seed" and _is_cut(document, doubt):
                continue
            if doubt is None or not (doubt.word in words or is_printed(doubt, document)):
                yield free.path, UnsourcedDetail(doubt, free, is_hidden)
        for number in _waived_in(free, document):
            doubt = DetailToCheck("waived number", number)
            yield free.path, UnsourcedDetail(doubt, free, is_hidden=True)


def _joins_title(document: Document, word: str) -> bool:
    """Return whether a word of the name of a file joins words of the title: "lowtide" of "The Low Tide"."""
    title = _pieces(document.words(("source", "title")) or "")
    parts = [re.escape(piece) for piece in title if len(piece) >= _SHORTEST_PART]
    return bool(parts) and re.fullmatch(f"(?:{'|'.join(parts)})+", word.casefold()) is not None


_SHORTEST_PART = 3


def _is_cut(document: Document, doubt: DetailToCheck) -> bool:
    """Return whether a word of the name of a file begins one that the article prints, as "ferr" does
    where the name was cut: a short one, which may be a name such as "Ann", one of the title.
    """
    printed = {_plain(each) for each in _pieces(document.words(("source", "title")) or "")}
    if len(doubt.word) > _SHORTEST_PART:
        printed |= _words(document)
    begun = _plain(doubt.word)
    return doubt.kind == "word" and any(each.startswith(begun) for each in printed)


@per_document
def _has_protected(document: Document) -> bool:
    """Return whether an article may have a protected person, whom the name of its file could name."""
    if not document.is_complete or document.has_duplicate_ids:
        return True
    reasons = {waiver.reason for _, waiver in document.waivers}
    with suppress(UnreadError):
        return bool(document.protected) or "protected_attribute" in reasons
    return True


def _is_hidden(document: Document, path: Path) -> bool:
    """Return whether a record may be about a protected person, so that no message repeats it."""
    is_judged = document.is_complete and not document.has_duplicate_ids
    if is_judged and path[0] in ("waivers", "errata"):
        return False  # those about protected persons are closed, and not scanned
    return path[:2] in document.hidden_paths


_LOWEST_HIDDEN = 10
"""The lowest number that only words about an age or the years of service are likely to print."""


@per_document
def _waived_numbers(document: Document) -> frozenset[str]:
    """Return the numbers that an article prints only in words waived as the age of a person."""
    waived, of_groups = set[str](), set[str]()
    for path, waiver in document.waivers:
        if waiver.reason == "protected_attribute":
            words = document.words((*path, "evidence")) or ""
            pieces = {piece.casefold() for piece in _PIECE.findall(words)}
            (of_groups if _is_of_group(document, path) else waived).update(pieces)
    high = [piece for piece in waived - of_groups if _value(piece) >= _LOWEST_HIDDEN]
    return frozenset(piece for piece in high if not _prints(document, piece))


def _is_of_group(document: Document, path: Path) -> bool:
    spans = document.evidence_of(path)
    return bool(spans) and all(is_age_of_group(document.text, each) for each in spans)


def _value(piece: str) -> float:
    return int(piece) if piece.isdecimal() else NUMBERS.get(piece, 0)


def _prints(document: Document, piece: str) -> bool:
    """Return whether an article prints a number outside waived words."""
    number = rf"(?<!\w){re.escape(piece)}s?(?!\w)"  # "over 65s"
    return re.search(number, public_text(document), re.IGNORECASE) is not None


def _waived_in(free: FreeText, document: Document) -> list[str]:
    """Return the numbers in a note that the article prints only in waived words."""
    waived = _waived_numbers(document)
    if not waived or free.kind is not TextKind.NOTE:
        return []
    text = without_exceptions(free, document.context)
    return [piece for piece in _PIECE.findall(text) if piece.casefold() in waived]


def _beginning(name: str) -> str:
    """Return an id without the number at its end."""
    return re.sub("-[1-9][0-9]*$", "", name)


def _counted(names: Iterable[str]) -> set[str]:
    """Return the beginnings of at least two ids that differ only in the number at their end."""
    beginnings = Counter(_beginning(name) for name in names if _beginning(name) != name)
    return {beginning for beginning, number in beginnings.items() if number > 1}


_NAMING = ("term", "label", "definition")
_FULL_NAME = re.compile(r"\b([A-Z][^\W\d_]+) (?=([A-Z][^\W\d_]+)\b)")
_TERM_OF_NAME = re.compile(r"(?<![^\W_])([a-z]{4,})_(?=([a-z]{4,})(?![^\W_]))")


def _pieces(text: str) -> list[str]:
    return _PIECE.findall(text.casefold())


def _full_names(free: FreeText, context: Context) -> Iterator[DetailToCheck]:
    """Yield the parts of what may be a person's full name: two words that are not English, nor of a
    place that the dataset covers.
    """
    places = {word for place in context.dataset.content.coverage.places for word in _pieces(place)}
    text = without_exceptions(free, context)
    pattern = _TERM_OF_NAME if free.path[-1] == "term" else _FULL_NAME
    for hit in pattern.finditer(text):
        words = {word.casefold() for word in hit.groups()}
        if words.isdisjoint(english()) and words.isdisjoint(places):
            # Articles print names with a capital.
            for word in hit.groups():
                yield DetailToCheck("name", word[0].upper() + word[1:])


@lru_cache(maxsize=1)
def unprinted_in_shared(
    context: Context,
) -> tuple[tuple[Callable[[], Place], UnsourcedDetail], ...]:
    """Return the ages in the shared files' notes and ids, and details that an article must print.

    Each is returned with a function that determines its place.
    """
    words = _shared_words(context)
    counted = _counted(context.shared)
    found = []
    for file, typed in shared_texts(context):
        place = partial(file.place, *typed.path)
        free = typed
        if typed.kind is TextKind.ID and _beginning(typed.text) in counted:
            free = typed._replace(text=_beginning(typed.text))
        open_ = [each for each in _unprinted(free, context) if not (each and each.word in words)]
        if file is context.vocabulary and typed.path[-1] in _NAMING:
            open_ += _full_names(free, context)
        found += [(place, UnsourcedDetail(doubt, free)) for doubt in open_]
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
