"""The speaker and the article to which a manuscript attributes words, compared with the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from defectors_data.package.tables_reader import Row
from defectors_data.readers.quotecheck.articles import ArticleText, PublishedRecords, label
from defectors_data.readers.quotecheck.report import Judgement
from defectors_data.text.attributions import AttributedWords, attributions
from defectors_data.text.detection import Detection, outermost_quotations
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.occurrences import slug
from defectors_data.text.offsets import (
    Span,
    SpanLike,
    overlaps,
    paragraphs_around,
    sentences_around,
)
from defectors_data.text.wording_differences import fold

_SHORTEST_NAME = 3
_STEM = 5
"""Number of initial letters by which institutions are compared: "Colombia’s", "Colombian"."""
_WRITERS = frozenset("article author column magazine newspaper outlet paper report writer".split())
"""Nouns for those who write an article, whose words narration is."""


class NamedSource(NamedTuple):
    """The source that a manuscript names for words, with the rest of their sentence."""

    source: SourceWords | None
    """None if the manuscript names no source."""
    name: str
    """The words of the source without titles, or an empty string."""
    sentence: str
    """The sentence without the words that are attributed."""


class Compared(NamedTuple):
    """A judgement, and a sentence on what is wrong."""

    judgement: Judgement
    difference: str = ""


_OPEN = Compared("not judged")


def attribution(text: str, attributed: AttributedWords, words: SpanLike) -> NamedSource:
    """Return the source that a manuscript names for words of it."""
    around = sentences_around(text, Span(words.start, words.end))
    sentence = f"{text[around.start : words.start]} {text[words.end : around.end]}"
    found = attributed.attribution_of(words)
    if found is None or found.source is None:
        return NamedSource(None, "", sentence)
    return NamedSource(found.source, text[slice(*found.source.head)], sentence)


# ---- speakers ------------------------------------------------------------------------------------


def speaker(
    said: NamedSource, article: ArticleText, words: Span, record: Row | None, data: PublishedRecords
) -> Compared:
    """Compare the source in a manuscript with the speaker, and with the article's own source."""
    if said.source is None:
        return _OPEN
    row = testimony_of(record, data)
    if _is_writer(said, article):
        return Compared("right") if _is_narration(article, words, row, data) else _OPEN
    own = _own_source(article, words)
    if own and _are_same(said.name, own[1]):
        return Compared("right")
    if row is None:
        return _against_article(said, own)
    return _against_record(said, data.speakers[row["speaker_id"]], row, data)


def given_as_speech(
    said: NamedSource, article: ArticleText, words: Span, record: Row | None, data: PublishedRecords
) -> str:
    """Return a sentence if a manuscript quotes a speaker with words that an article does not quote; ""
    otherwise.
    """
    row = testimony_of(record, data)
    is_narration = _is_narration(article, words, row, data)
    if said.source is None or _is_writer(said, article) or not is_narration:
        return ""
    how = row["mode"] if row else "narrated"
    outside = "the article has these words outside quotation marks"
    return f"Narration is given as speech: {outside} ({how})."


def testimony_of(record: Row | None, data: PublishedRecords) -> Row | None:
    """Return the testimony that has some evidence, or None if it is that of a figure."""
    if record is None or record["record_table"] != "testimonies":
        return None
    return data.testimonies[record["record_id"]]


def _against_article(said: NamedSource, own: tuple[str, str] | None) -> Compared:
    if said.source is None or own is None or (said.source.kind, own[0]) != ("name", "name"):
        return _OPEN
    message = f"The speaker differs: the manuscript has “{said.name}”, the article “{own[1]}”."
    return Compared("wrong", message)


def _against_record(
    said: NamedSource, person: Row, testimony: Row, data: PublishedRecords
) -> Compared:
    name = person["name"] or ""
    if name and _are_same(said.name, name):
        return Compared("right")
    if not _may_differ(said, person) or not (name or person["protected"]):
        return _OPEN
    shown = data.name_of(testimony["speaker_id"])
    message = f"The speaker differs: the manuscript has “{said.name}”, the record “{shown}”."
    return Compared("wrong", message)


def number_speaker(said: NamedSource, figure: Row, data: PublishedRecords) -> Compared:
    """Compare the source in a manuscript with the one to which a figure is attributed."""
    person = data.speakers.get(figure["attributed_to"] or "")
    if said.source is None or person is None or not person["name"]:
        return _OPEN
    if _are_same(said.name, person["name"]):
        return Compared("right")
    if not _may_differ(said, person):
        return _OPEN
    message = f"the manuscript has “{said.name}”, the record “{person['name']}”"
    return Compared("wrong", f"The speaker differs: {message}.")


def mention_of_age(text: str, number: Detection, data: PublishedRecords) -> Row | None:
    """Return the mention of a person with an age, if a text has both in a sentence, or None."""
    age = number.quantity
    if age is None or age.hedge != "exact" or "year" not in (age.unit, age.likely_unit):
        return None
    sentence = sentences_around(text, number.span)
    words = _words_of(text[slice(*sentence)])
    for mention in data.mentions:
        surname = slug(data.speakers[mention["speaker_id"]]["name"]).rpartition("-")[2]
        if mention["age"] == age.value and surname in words:
            return mention
    return None


def _may_differ(said: NamedSource, person: Row) -> bool:
    """Return whether a source that has another name than a speaker is certainly another one.

    Institutions have several names: those that share a word, and abbreviations, are left open.
    """
    name = said.name
    if said.name.lower().startswith("the "):
        name = said.name.partition(" ")[2]
    if said.source is None or said.source.kind not in ("name", "institution") or name.islower():
        return False
    if person["kind"] == "person":
        return said.source.kind == "name"
    other = person["name"] or ""
    return not (name.isupper() or other.isupper() or _stems(name) & _stems(other))


def _stems(name: str) -> set[str]:
    return {word[:_STEM] for word in _words_of(name)}


def _are_same(one: str, other: str) -> bool:
    """Return whether all words of one name are in the other, without accents and particles."""
    mine, theirs = _words_of(one), _words_of(other)
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def _words_of(name: str) -> set[str]:
    return {word for word in slug(name).split("-") if len(word) >= _SHORTEST_NAME}


def _is_writer(said: NamedSource, article: ArticleText) -> bool:
    words = _words_of(said.name)
    names = [article.row["outlet"] or "", *(article.row["authors"] or "").split(";")]
    return bool(words & _WRITERS) or any(_are_same(said.name, name) for name in names)


@lru_cache(maxsize=256)
def quoted(text: str) -> Sequence[Span]:
    """Return the quotations of an article."""
    return outermost_quotations(text)


def _is_narration(
    article: ArticleText, words: Span, testimony: Row | None, data: PublishedRecords
) -> bool:
    """Return whether an article has words outside quotation marks."""
    if not data.is_whole:
        return testimony is not None and testimony["mode"] != "direct"
    if testimony is not None and testimony["mode"] == "direct":
        return False
    return not overlaps(words, quoted(article.text))


def _own_source(article: ArticleText, words: Span) -> tuple[str, str] | None:
    """Return the kind and the words of the source that an article names for words of it."""
    # The attribution is in the same paragraph.
    around = paragraphs_around(article.text, words)
    paragraph = article.text[slice(*around)]
    local = Span(words.start - around.start, words.end - around.start)
    found = AttributedWords(paragraph, attributions(paragraph)).attribution_of(local)
    if found is None or found.source is None or found.source.kind == "pronoun":
        return None
    return found.source.kind, paragraph[slice(*found.source.head)]


# ---- articles ------------------------------------------------------------------------------------


class ArticleNames:
    """The outlets and titles of articles, by which a manuscript can name one."""

    def __init__(self, articles: Sequence[ArticleText]) -> None:
        """Read the names of articles and of the outlets that they cite."""
        outlets: dict[str, set[str]] = {}
        self._titles: dict[str, tuple[str, str]] = {}
        """The title of each article, and the same folded."""
        for article in articles:
            source = article.row["source_id"]
            for name in filter(None, [article.row["outlet"], *_cited(article)]):
                outlets.setdefault(name, set())
            if article.row["outlet"]:
                outlets[article.row["outlet"]].add(source)
            if article.row["title"]:
                self._titles[source] = (article.row["title"], fold(article.row["title"]))
        self._outlets: Mapping[str, set[str]] = outlets
        longest_first = sorted(outlets, key=len, reverse=True)
        names = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)") if names else None

    def compare(self, said: NamedSource, article: ArticleText, testimony: Row | None) -> Compared:
        """Compare the outlets and titles that a sentence names with an article."""
        named = self._named(said.sentence)
        if not named:
            return _OPEN
        own = article.row["source_id"]
        if any(own in sources for sources in named.values()):
            return Compared("right")
        if testimony and testimony.get("outlet") in named:
            return Compared("right")
        if named.keys() & set(_cited(article)):
            return _OPEN
        other = next(iter(named))
        message = f"The article differs: the manuscript names “{other}”, the words are in"
        return Compared("wrong", f"{message} {label(article)}.")

    def _named(self, sentence: str) -> dict[str, set[str]]:
        """Return the names in a sentence, each with the articles that have it."""
        named: dict[str, set[str]] = {}
        if self._pattern:
            for hit in self._pattern.finditer(sentence):
                named[hit[0]] = self._outlets[hit[0]]
        folded = fold(sentence)
        for source, (title, folded_title) in self._titles.items():
            if folded_title in folded:
                named.setdefault(title, set()).add(source)
        return named


def _cited(article: ArticleText) -> list[str]:
    return [name.strip() for name in (article.row["cited_outlets"] or "").split(";")]
