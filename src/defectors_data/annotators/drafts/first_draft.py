"""First drafts of annotation files: the facts of the source, without records."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Collection, Iterator
from contextlib import suppress

from defectors_data.annotators.introductions import NAME, names_in_byline
from defectors_data.annotators.outlets import NAMES_OF_OUTLETS
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.text.english.languages import UNDETERMINED, is_english, likely_language
from defectors_data.text.offsets import Span

_BYLINE = re.compile(
    rf"^[Bb][Yy] (?P<names>{NAME}(?:(?:, | and |, and ){NAME})*?)"
    rf"(?:(?:, | for | ?\| ?| [—–-] )(?P<outlet>{NAMES_OF_OUTLETS}))?[ \t]*$",
    re.MULTILINE,
)
_DATELINE = re.compile(
    r"^[A-Z]{3}[A-Z .]*(?:, [A-Z][\w.]+)? ?"
    rf"(?:\((?P<outlet>{NAMES_OF_OUTLETS})\) ?)?[―—–-] ",
    re.MULTILINE,
)
"""The place of an article, and the agency that sent it: "HARROW, Ohio (Reuters) - "."""
_DATE = re.compile(
    r"^(?:\w+day, |(?:Published|Posted):? (?:on )?)?(?P<day>[A-Z][a-z]+ \d{1,2}, \d{4})\b"
    r"(?P<rest>.*)$",
    re.MULTILINE,
)
_BOILERPLATE = re.compile(
    r"^[(\[]?(?:copyright\b|©|all rights reserved|advertisement$|play (?:audio|video|live)|listen$"
    r"|share(?: this)?\b.{0,20}$|sign up\b|subscribe\b|read more\b|related:|follow us\b|skip to\b"
    r"|follow .{3,40} on (?:twitter|facebook|instagram)\b|corrections?:|h/t\b"
    r"|watch (?:\S+ ){1,9}(?:above|below|here)[.:]?$"
    r"|loading|(?:(?:additional )?(?:reporting|writing)|editing) by\b|[\[(*]?editor(?:['’]s|s['’]?) note ?[:—–]).*$",
    re.IGNORECASE | re.MULTILINE,
)
NO_HEADLINE = "The article has no headline."
"""The note of a source without a title."""
_TITLE_WORDS = 4
"""Minimum number of words in a title."""


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, with a guess at its title and language.

    The title is the first line of four words or more; or else the first line of the article, if it
    is shorter and a sentence follows, or if it ends in a semicolon, after which the next line is the
    subtitle. If the line is a sentence of the article, there is no headline, and a note says so. If
    the language seems to be another than English, nothing is claimed for the source.

    Args:
        text: the text of the seed.
        data: the bytes of the seed.
        stem: the file name of the seed without its extension.
        taken: the ids of other sources.
    """
    title = _title(text)
    at = text.index(title)
    language = likely_language(text)
    if not is_english(language) and language != UNDETERMINED:
        language += "\n  completeness: none"
    return _TEMPLATE.format(
        id=_id(title, stem, taken),
        seed=f"{stem}.txt",
        sha256=hashlib.sha256(data).hexdigest(),
        title=_headline(text, Span(at, at + len(title))),
        language=language,
    )


_SENTENCE = re.compile(r"[a-z0-9”\"’)][.!?][”\"’]?(?:\s|$)")
_LONGEST_HEADLINE = 15
"""Maximum number of words of a headline that ends with a full stop."""


def _headline(text: str, span: Span) -> str:
    """Return the key and the value of a title in YAML, or a note that there is none."""
    if _has_no_headline(text[slice(*span)]):
        return f"note: {NO_HEADLINE}"
    return f"title: {chosen_in_yaml(span, text)}"


def _has_no_headline(title: str) -> bool:
    """Return whether the first words of an article are a sentence of it, or several; a headline has
    a capital letter at each long word, or is short.
    """
    words = title.partition("\n")[0]
    if words.endswith(_BEFORE_SUBTITLE):
        return False
    ends = _SENTENCE.findall(words)
    long_words = [word for word in re.findall(r"\w+", words) if len(word) > _SHORT_WORD]
    is_capitalized = not any(word[0].islower() for word in long_words)
    is_long = len(words.split()) > _LONGEST_HEADLINE
    return not is_capitalized and (len(ends) > 1 or bool(ends and is_long))


_SHORT_WORD = 4


def language_line(text: str) -> str:
    """Return what to say about the language of a text; "" if it seems to be English."""
    language = likely_language(text)
    if is_english(language):
        return ""
    if language == UNDETERMINED:
        return "Its language was not recognised: correct `language`. Only English is read."
    claimed = "only English is read: `completeness: none` claims nothing."
    return f"Its language seems to be `{language}`, and {claimed}"


_FACTS_OF_READING = ("id", "seed", "sha256", "title", "language", "completeness", "rights", "note")
"""The keys of a source that the file of a second reading contains."""
_HEAD_OF_READING = """\
# A blind reading: follow the codebook, without opening the records or another reading.
source:
"""


def reading(text: str, data: bytes, stem: str) -> str:
    """Return the file for a second reading of a seed: facts of the source, and no records."""
    first = draft(text, data, stem, taken=())
    source, records = first.split("source:\n")[1].split("\n\nspeakers:")
    lines = source.split("\n")
    facts = [line for line in lines if line.split(":")[0].strip() in _FACTS_OF_READING]
    facts.append("  draft: true")
    without_waivers = records.removesuffix("\n\nwaivers: []\n")
    return _HEAD_OF_READING + "\n".join(facts) + f"\n\nspeakers:{without_waivers}\n"


def _title(text: str) -> str:
    stripped = [line.strip() for line in text.split("\n")]
    lines = [line for line in stripped if line]
    if lines and lines[0].endswith(_BEFORE_SUBTITLE):
        return lines[0]
    for at, line in enumerate(lines):
        if len(line.split()) >= _TITLE_WORDS:
            if at == 1 and _SENTENCE.search(line) and _is_short_headline(lines[0]):
                return lines[0]
            return line
    return lines[0] if lines else "untitled"


def _is_short_headline(line: str) -> bool:
    """Return whether a line of up to three words can be a headline: no boilerplate, no sentence."""
    return not _BOILERPLATE.match(line) and not _SENTENCE.search(line)


_BEFORE_SUBTITLE = ";"


def _id(title: str, stem: str, taken: Collection[str]) -> str:
    """Return an id from the first words of the title or, if it is taken, from the seed's name."""
    # An id may have at most 80 characters, and those of records begin with that of their source.
    name = "-".join(id_of_name(title).split("-")[:5])[:60]
    if name and name not in taken:
        return name
    return "-".join(re.findall(r"[a-z0-9]+", stem.casefold())) or "source"


SCHEMA_LINE = "# yaml-language-server: $schema=../schema/annotations.schema.json\n"
"""The first line of an annotation file in a project with schemas, which editors read."""
_TEMPLATE = """\
# What is left to annotate, in reading order: defectors-data todo {seed}
source:
  id: {id}
  seed: {seed}
  sha256: {sha256}
  {title}
  language: {language}
  rights: All rights with the publisher

speakers: []

testimonies: []

figures: []

waivers: []
"""


# ---- guesses at facts --------------------------------------------------------------------------


def facts(text: str) -> Iterator[str]:
    """Yield the byline, the outlet, the date of publication and the boilerplate as lines of YAML."""
    yield "draft: true"
    if subtitle := _subtitle(text):
        yield f"subtitle: {chosen_in_yaml(subtitle, text)}"
    by = _BYLINE.search(text)
    if by:
        names = [in_yaml(name) for name in names_in_byline(by["names"])]
        yield _stated("authors", f"[{', '.join(names)}]", Span(*by.span()), text)
    printing = by if by and by["outlet"] else _DATELINE.search(text)
    if printing and printing["outlet"]:
        yield _stated("outlet", in_yaml(printing["outlet"]), Span(*printing.span("outlet")), text)
    if dated := _date(text):
        day, words = dated
        yield _stated("published", str(day), words, text)
    tail = _tail(text)
    spans = [Span(*found.span()) for found in _BOILERPLATE.finditer(text, 0, tail.start)]
    if tail.start < tail.end:
        spans.append(tail)
    if spans:
        yield f"boilerplate: [{', '.join(chosen_in_yaml(span, text) for span in spans)}]"


def _date(text: str) -> tuple[dt.date, Span] | None:
    """Return the date of publication and its words, from a line that has little else, or None.

    In a list of events, each line begins with a date.
    """
    days = dict[dt.date, tuple[str, Span]]()
    for found in _DATE.finditer(text):
        with suppress(ValueError):
            day = dt.datetime.strptime(found["day"], "%B %d, %Y").replace(tzinfo=dt.UTC).date()
            days.setdefault(day, (found["rest"], Span(*found.span("day"))))
    if len(days) != 1:
        return None
    [(day, (rest, words))] = days.items()
    return None if _STATEMENT.search(rest) else (day, words)


_STATEMENT = re.compile(r"[a-z]{2}[.!?][”\"’']?\s*$")
"""The end of a sentence after a date, but not of a time such as "10 p.m."."""
_FEWEST_IN_SUBTITLE = 5
_NO_SUBTITLE = re.compile(r"[^A-Z“\"‘']|[^\n]*(?:[|@©•]|[.!?:][”\"’']?\s*$)|.*\b(?:19|20)\d\d\s*$")


_OF_BODY = re.compile(
    r"(?i)\b(?:an?|the|his|her|its|their|this|that|he|she|it|they|we|i|are|had|has|have|is|was|were|will"
    r"|would)\b"
)
"""Words that the sentences of an article have, but few lines in the style of headlines."""


def _subtitle(text: str) -> Span | None:
    """Return the line after the headline if it has no full stop, and a sentence follows, or if it is
    a short sentence without articles and auxiliaries or before a dateline; after a semicolon, any
    short line.
    """
    title = _title(text)
    if _has_no_headline(title):
        return None
    places = re.compile(r"\S[^\n]*\S").finditer(text, text.index(title) + len(title))
    lines = [place[0] for place in places]
    if len(lines) < _FEWEST_LINES:
        return None
    words = lines[0]
    length = len(words.split())
    is_other = any(each.match(words) for each in (_BYLINE, _BOILERPLATE, _DATE))
    if title.endswith(_BEFORE_SUBTITLE):
        is_subtitle = length <= _LONGEST_HEADLINE
    else:
        is_followed = _SENTENCE.search(lines[1]) and not _NO_SUBTITLE.match(words)
        is_short = length <= _LONGEST_HEADLINE and re.fullmatch(r"[^.!?]*\w[’']?\.", words)
        is_above = not _OF_BODY.search(words) or _DATELINE.match(lines[1])
        is_subtitle = bool(is_followed or (is_short and is_above))
        is_subtitle &= length >= _FEWEST_IN_SUBTITLE
    start = text.index(words, text.index(title) + len(title))
    return Span(start, start + len(words)) if is_subtitle and not is_other else None


_FEWEST_LINES = 2
_TAIL_HEADING = re.compile(
    r"(?:sources?|references?|notes|categories|external links?|see also|further reading"
    r"|related (?:news|stories|articles|links|coverage)|more (?:news|stories)):?",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[“\"'‘«*•–—-]|\d+[.)] |\[\d+\]|(?:categories|tags|topics): ", re.IGNORECASE)
_LONGEST_IN_LIST = 25
"""Maximum number of words of a line in a list at the end of an article."""
_YEAR_AT_END = re.compile(r"\b(?:19|20)\d\d\b.{0,3}$")


def _tail(text: str) -> Span:
    """Return the lists at the end of an article, such as its sources; empty if there are none.

    Their lines are titles of publications with dates, or short lines after a heading.
    """
    lines = [Span(*found.span()) for found in re.finditer(r"[^\n]*\S[^\n]*", text)]
    start = end = len(text.rstrip())
    for line in reversed(lines[1:]):
        words = text[slice(*line)].strip()
        is_heading = bool(_TAIL_HEADING.fullmatch(words))
        if not is_heading and not _is_listed(words):
            break
        is_title = bool(_LISTED.match(words) or "“" in words or '"' in words)
        if is_heading or (is_title and _YEAR_AT_END.search(words)):
            start = line.start
    return Span(start, end)


def _is_listed(words: str) -> bool:
    is_short = len(words.split()) <= _LONGEST_IN_LIST
    is_sentence = words.endswith((".", "!", "?", ".”", '."', "”", '"'))
    return is_short and not is_sentence


def _stated(key: str, value: str, words: Span, text: str) -> str:
    """Return a fact that the article states, as a line of YAML."""
    evidence = chosen_in_yaml(words, text)
    return f"{key}: {{value: {value}, basis: stated, evidence: {evidence}}}"
