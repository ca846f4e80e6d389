"""References that replace words of articles: `⟦source:start-end:hash⟧`.

The source is given as the number of its row in the table `sources`, from 0; start and end are
offsets in Unicode code points, the end exclusive. The hash consists of the first `DIGITS`
hexadecimal digits of an HMAC-SHA-256 of the words (RFC 2104). Its key, the SHA-256 of a prefix and
the article, cannot be computed without the article, so a short phrase cannot be guessed from its
hash.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

RUN = 5
"""Minimum number of consecutive words of an article that are replaced in any text."""
DIGITS = 16
"""Number of hexadecimal digits of a hash."""

_REFERENCE = re.compile(f"⟦([0-9]+):([0-9]+)-([0-9]+):([0-9a-f]{{{DIGITS}}})⟧")
_TAG = r"</?\w+(?:\s[\w:-]+=\"[^\"<>\s]*(?:\s[^\"<>\s]+){0,3}\")*\s*/?>"
_WORD = re.compile(rf"&#?\w+;|\\u[0-9a-fA-F]{{4}}|\\[nrtbf]|{_TAG}|(\w+(?:-\w+)*)")
"""A word (group 1), or a separator: an HTML or JSON escape, or a tag with few words.

Words with hyphens between them are one word, so that ids and addresses, which can repeat a
headline, stay readable.
"""
_PLAIN = re.compile(r"(\w+(?:-\w+)*)")


class InvalidReferenceError(ValueError):
    """A reference does not match the article, or a text to be encoded has a reference."""


class _Word(NamedTuple):
    start: int
    end: int
    folded: str
    """The word after case folding, for a search that ignores case."""


def _words(text: str, word: re.Pattern[str] = _WORD) -> list[_Word]:
    return [_Word(*found.span(1), found[1].casefold()) for found in word.finditer(text) if found[1]]


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word.folded for word in _words(text))


def _salt(article: str) -> bytes:
    return hashlib.sha256(b"salt of words\0" + article.encode()).digest()


class ReferenceCodec:
    """An encoder that replaces words of articles with references, and the decoder.

    Quotations of two words or more are replaced in any text, even if they are shorter than `RUN`.
    """

    def __init__(self, articles: Sequence[str], quotations: Iterable[str] = ()) -> None:
        """Index the articles, given in the order of the table `sources`."""
        self.articles = articles
        short = {_folded(text) for text in quotations}
        self._short = {words for words in short if 1 < len(words) < RUN}
        self._salts = [_salt(text) for text in articles]
        self._words = [_words(text) for text in articles]
        self._runs: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for source, words in enumerate(self._words):
            for at in range(len(words)):
                for size in range(1, RUN + 1):
                    run = tuple(word.folded for word in words[at : at + size])
                    if size in (1, RUN) or run in self._short:  # what `_encoded` searches for
                        self._runs[run].append((source, at))

    def reference(self, source: int, start: int, end: int) -> str:
        """Return the reference to the words between two offsets of an article.

        `source` is the article's number.
        """
        words = self.articles[source][start:end]
        digest = hmac.new(self._salts[source], words.encode(), hashlib.sha256).hexdigest()
        return f"⟦{source}:{start}-{end}:{digest[:DIGITS]}⟧"

    def encode(self, text: str, run: int = RUN) -> str:
        """Return a text with references in place of `run` or more consecutive words of an article.

        `run` is 1 or 5.

        Raises:
            InvalidReferenceError: the text contains a reference.
        """
        if _REFERENCE.search(text):
            raise InvalidReferenceError("A file of the package already contains a reference.")
        shown = "".join(self._encoded(text, _words(text), run))
        # With a single capturing group, around the whole pattern, `split` returns texts and
        # references alternately.
        parts = re.split(f"({_REFERENCE.pattern.replace('(', '(?:')})", shown)
        # Texts are encoded again with tags and escapes read as words, because other programs may
        # read them in this way.
        for at in range(0, len(parts), 2):
            plain = _words(parts[at], _PLAIN)
            parts[at] = "".join(self._encoded(parts[at], plain, run))
        return "".join(parts)

    def _encoded(self, text: str, words: list[_Word], run: int) -> Iterator[str]:
        at = written = 0
        while at < len(words):
            places = self._places([word.folded for word in words[at : at + RUN]], run)
            # The longest match is taken, so that a passage becomes one reference.
            size = source = first = 0
            for place in places:
                match = (self._shared(words, at, *place), *place)
                size, source, first = max((size, source, first), match)
            theirs = self._words[source][first : first + size] if size else []
            for piece, own in self._pieces(text, words[at : at + size], source, theirs):
                yield text[written : own[0]]
                yield self.reference(source, *piece)
                written = own[1]
            at += max(size, 1)
        yield text[written:]

    def _places(self, words: list[str], run: int) -> Sequence[tuple[int, int]]:
        """Return where the first `run` of some words, or a quotation they begin with, are printed."""
        for size in (run, *range(RUN - 1, 1, -1)):
            places = self._runs.get(tuple(words[:size]), ())
            if places and size <= len(words):
                return places
        return ()

    def _shared(self, words: list[_Word], at: int, source: int, first: int) -> int:
        """Return how many consecutive words a text and an article share from these positions."""
        theirs, size = self._words[source], 0
        most = min(len(words) - at, len(theirs) - first)
        while size < most and words[at + size].folded == theirs[first + size].folded:
            size += 1
        return size

    def _pieces(
        self, text: str, mine: list[_Word], source: int, theirs: list[_Word]
    ) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield pairs of spans, in an article and in a text, whose characters are identical."""
        # The words match apart from case and separators, so a run is divided wherever the
        # characters differ.
        article, begun = self.articles[source], 0
        for at in range(len(mine)):
            own, other = mine[begun], theirs[begun]
            if text[own.start : mine[at].end] != article[other.start : theirs[at].end]:
                if at > begun:
                    yield (other.start, theirs[at - 1].end), (own.start, mine[at - 1].end)
                word = text[mine[at].start : mine[at].end]
                same = word == article[theirs[at].start : theirs[at].end]
                begun = at if same else at + 1
        if begun < len(mine):
            yield (theirs[begun].start, theirs[-1].end), (mine[begun].start, mine[-1].end)

    def decode(self, text: str) -> str:
        """Return a text with the words of the articles in place of references.

        Raises:
            InvalidReferenceError: the hash of a reference does not match its words.
        """
        return _REFERENCE.sub(self._decoded, text)

    def _decoded(self, found: re.Match[str]) -> str:
        source, start, end = (int(number) for number in found.groups()[:3])
        if source >= len(self.articles) or self.reference(source, start, end) != found[0]:
            raise InvalidReferenceError(f"The reference {found[0]} does not match the article.")
        return self.articles[source][start:end]
