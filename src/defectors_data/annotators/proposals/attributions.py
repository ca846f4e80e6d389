"""The words that attribute a passage to its speaker, and the quotations that nobody speaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from defectors_data.annotators.kinds_of_names import is_document, names_others
from defectors_data.annotators.proposals.named_speakers import named_places
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import number_in, quotations_of
from defectors_data.text.attributions import AttributedWords, FoundAttribution
from defectors_data.text.attributions.proposed import (
    LABEL,
    owned_after,
    proposed_attributions,
    publisher_after,
    shifted,
)
from defectors_data.text.english import cue_words
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.offsets import (
    Span,
    is_inside,
    on_word_boundaries,
    overlaps,
    paragraphs_around,
)


@per_document
def attributed_words(document: Document) -> AttributedWords:
    """Return the attributions in the text of a document."""
    return _attributed(document.text)


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _attributed(text: str) -> AttributedWords:
    return AttributedWords(text, proposed_attributions(text))


PARTS_TYPED = "..."
"""What is between parts of words in a text."""


def attributed_part(document: Document, spans: Sequence[Span]) -> Span:
    """Return the first of the parts of a statement that has an attribution, or else the first."""
    attributed = attributed_words(document)
    return next((each for each in spans if attributed.attribution_of(each)), spans[0])


def attribution(document: Document, span: Span) -> str:
    """Return the words that attribute a passage, as in "Ada Orr ... said"; "" if none do."""
    parts = attribution_parts(document, span)
    return f" {PARTS_TYPED} ".join(document.words_at(parts))


def attribution_parts(document: Document, span: Span, name: Span | None = None) -> tuple[Span, ...]:
    """Return the words that attribute a passage: a name and a verb, in two parts if other words are
    between them; empty if no words do. `name` is written in place of a description before it.
    """
    found = attributed_words(document).attribution_of(span)
    return _words_of(document, found, name) if found else ()


def own_attribution(document: Document, span: Span) -> tuple[SourceWords, tuple[Span, ...]] | None:
    """Return the source with which some words begin, if they say who says the rest of them, and the
    words that attribute it: "Orr said" of "Orr said that it burned". None if they say nobody.
    """
    for each in proposed_attributions(document.text[slice(*span)]):
        if each.source and each.phrase.start == 0:
            source = shifted(each.source, span.start)
            cue = Span(each.cue.start + span.start, each.cue.end + span.start)
            return source, _words_of(document, each._replace(cue=cue, source=source))
    return None


def _words_of(
    document: Document, found: FoundAttribution, name: Span | None = None
) -> tuple[Span, ...]:
    if not found.source:
        return ()
    text, head = document.text, name or found.source.head
    if is_document(text[slice(*head)].rsplit(maxsplit=1)[-1].casefold()):
        publisher = publisher_after(text, head) or owned_after(text, head)
        head = Span(head.start, publisher.end) if publisher else head
    first, second = sorted((head, found.cue))
    parts = [first, second]
    if text[first.end : second.start].strip() in ("", ","):
        parts = [Span(first.start, max(first.end, second.end))]
    elif found.verb == LABEL:
        parts = [head]  # "Ada Orr (D-Ohio):"
    # A number can be read without the rest of its word, as in "the 1,600-strong service".
    return tuple(on_word_boundaries(text, *part) for part in parts)


def introducing_words(document: Document, statement: Span, said: Sequence[Span]) -> Span | None:
    """Return the words of the attribution of a statement that can introduce its speaker, such as
    "another"; None if it has none, or only a pronoun for a known person.
    """
    if not said:
        return None
    read = attributed_words(document).attribution_of(statement)
    source = read.source if read else None
    is_in_first = source is not None and is_inside(source.head, said[:1])
    if not source or not is_inside(source.head, said) or (len(said) > 1 and not is_in_first):
        return _before_verb(document.text, said[0])
    words = document.text[slice(*source.head)]
    is_state = _STATE.fullmatch(words) and document.text.endswith(", ", 0, source.head.start)
    if words.casefold() in _PERSONAL | _DEMONSTRATIVE or is_state or words.startswith(_NOBODY):
        return None
    # "the polls" of "According to the polls in Rome"
    return source.span if is_inside(source.span, said) else source.head


_NOBODY = ("no ", "No ")
_STATE = re.compile(r"(?:[A-Z]\.){2}|[A-Z][a-z]{1,4}\.")
"""A state after a place: "Derry, N.H."."""


def _before_verb(text: str, words: Span) -> Span:
    """Return the words of an attribution without the verb at their end, if others precede it, or
    without that of a passive at their start.
    """
    passive = _PASSIVE.match(text, *words)
    if passive and passive["verb"] in cue_words():
        return Span(passive.end(), words.end)
    before, _, last = text[slice(*words)].rpartition(" ")
    is_verb = before and last.casefold() in cue_words()
    return Span(words.start, words.start + len(before)) if is_verb else words


_PASSIVE = re.compile(r"(?:(?:are|been|is|was|were) )?(?P<verb>[a-z]+) by ")

NO = "no "


def stance_of(document: Document, span: Span) -> str:
    """Return the stance that the verb of an attribution shows; "" if it shows none, or "no plans"."""
    found = attributed_words(document).attribution_of(span)
    is_denied = found is None or document.text.endswith(f" {NO}", 0, found.cue.start)
    return found.stance_in(document.text) if found and not is_denied else ""


def nearest_speaker(document: Document, span: Span) -> str | None:
    """Return the id of the speaker to whom some words are attributed, or of the nearest one if they
    are attributed to a pronoun for a person, or to nobody.

    If the attribution means a speaker who has no entry, return None. The nearest is the one whose
    mention or surname is nearest, preferably in the same paragraph. The id of a protected person is
    returned only if it has the form `<source id>-speaker-<n>`, because any other id may identify
    the person.
    """
    attributed = attributed_words(document)
    found = attributed.attribution_of(span) or attributed.before(span)
    source = found and found.source
    if source and source.kind != "pronoun":
        for where, speaker in named_places(document):
            # "Orr" does not speak in "Orr's aides said".
            is_source = overlaps(where, [source.span])
            if is_source and not names_others(document.text, where, source.span):
                return speaker
        return None
    if source and document.text[slice(*source.head)].casefold() not in _PERSONAL:
        return None
    best: tuple[bool, int] | None = None
    nearest = None
    for where, speaker in named_places(document):
        first, second = sorted((where, span))
        between = document.text[first.end : second.start]
        # False sorts first, so the same paragraph is preferred.
        distance = ("\n" in document.text[first.start : second.end], len(between))
        if best is None or distance < best:
            best, nearest = distance, speaker
    return nearest


_PERSONAL = frozenset("he i she they we who you".split())
"""Pronouns for persons."""
_DEMONSTRATIVE = frozenset("it that these this those which".split())


def is_in_source(document: Document, statement: Span, words: Span) -> bool:
    """Return whether a number is in the words that name who makes a statement: it is the writer who
    says of "the two camps" that they are two. So it is in what is denounced or rejected, but not in
    what is urged.
    """
    attributed = attributed_words(document)
    found, entry = attributed.attribution_of(statement), number_in(document, words)
    number = entry.detection if entry else words
    around = [each for each in attributed.found if is_inside(number, each.content)]
    if around and around[-1].is_of_fact(document.text):
        return True
    is_of_writer = found is not None and not is_inside(number, found.content)
    return bool(is_of_writer and found and found.source and is_inside(number, [found.phrase]))


_NAMING = re.compile(
    r"(?<!used the )(?<!use the )\b(?:words?|terms?|phrases?|names?|named|called|dubbed|nicknamed"
    r"|slogans?|mottos?|catchphrases?|nicknames?"
    r"|labell?ed|known as|code-?named|so-called|marked|stamped) (?:the |an? )?[“\"'‘«]$"
)
_LISTED = re.compile(
    r"\b(?:like|such as|terms?|words?)(?: [“\"'‘][\w-]+[”\"'’],?(?: and| or)?)* [“\"'‘]$"
)
"""Words before one of several words in quotation marks: words such as “mill” and “[lamp]”."""
_LONGEST_TERM = 5
"""Maximum number of words of a term or a name in quotation marks."""
_PUBLISHED = re.compile(
    r"(?:[.,][”\"'’»]?|[”\"'’»][.,]?(?= ?[—–(-])|[”\"'’»][.,])[ —–(-]*"
    r"(?:[A-Z][\w.&’'-]*|of|the|and|\d{1,2}|[ ,—–()-])+\b(?:19|20)\d\d\b"
)
"""An outlet and a year after a title."""
_FEWEST_IN_TITLE = 3
"""Minimum number of words of a title that only its capital letters show."""

_BEFORE_TITLE = re.compile(r"(?:[’']s|\b(?:[Oo]n|[Ii]n|of|[Tt]he)) [“\"'‘«]+$")
"""Words before the title of a broadcast or a book: on NBC’s “Meet the Mill.”"""
_TITLED = re.compile(
    r"\b(?:(?:en|sub)?titled|headlined|headlines?|under the (?:heading|title)),? [“\"'‘«]+$"
)
_OF_WORK = re.compile(
    r"\b(?:albums?|articles?|books?|columns?|documentar(?:y|ies)|editorials?|essays?|films?|memoirs?|memos?"
    r"|movies?|novels?|op-eds?|pamphlets?|papers?|plays?|podcasts?|poems?|reports?|series|shows?|songs?|stud(?:y|ies))"
    r"\b(?:[^.,:;“”\"]{0,40} (?:called|named))? [“\"'‘«]+$"
)
"""The kind of a work before its title: a film by Pelt called “The Mill”."""
_IN_SENTENCE = re.compile(r"[a-z] [“\"'‘«]+$")
"""The end of a small word before the title of a work: his role at “Mill Hour.”"""
_SPOKEN_BEFORE = re.compile(r"(?::|\b(?:chants? of|calls of|read|reads|reading),?) [“\"'‘«]+$")
"""Words before a quotation that is said or written although nobody is named."""
_SHOWN_BEFORE = re.compile(
    r"\b(?:messages?|mottos?|signs?|slogans?)(?: (?:of|was|is))?,? [“\"'‘«]+$"
)
"""Words before a short phrase that is shown or said."""


def reason_of_quotation(document: Document, span: Span) -> str:
    """Return `term` or `title` for a quotation that nobody speaks, or `detector_error` for a value in
    the markup of a page (`id="w3"`); "" for any other words.

    A term follows a word such as "called". A title follows a word such as "titled" or the kind of
    its work, is followed by its publication and year, or has a capital letter at each long word and
    is attributed to nobody.
    """
    text = document.text
    if not any(each.span == span for each in quotations_of(document)):
        return ""
    if text.endswith(('="', "=“"), 0, span.start) or text.endswith("=", 0, span.end):
        return "detector_error"
    words = text[slice(*span)].split()
    line = text.rfind("\n", 0, span.start) + 1
    is_named = _NAMING.search(text, line, span.start)
    found = attributed_words(document).attribution_of(span)
    source = text[slice(*found.source.head)] if found and found.source else ""
    long_words = [word for word in words if len(word) > _FEWEST_IN_TITLE]
    is_title = words[0][0].isupper() and all(word[0].isupper() for word in long_words)
    is_closed = words[-1][-1].isalnum()
    is_closed |= is_title and words[-1].endswith(",") and len(words) > 1  # the name “Ada Orr,”
    is_short = len(words) <= _LONGEST_TERM and is_closed
    is_of_work = is_title and _OF_WORK.search(text, line, span.start)
    if is_of_work or _TITLED.search(text, line, span.start):
        return "title"
    if is_named and is_short and source.casefold() in ("", "it"):
        return "term"
    if len(words) == 1 and _LISTED.search(text, line, span.start):
        return "term"
    is_name = is_title and 1 < len(words) <= _LONGEST_TERM and words[-1][-1] not in "!?"
    is_spoken = _SPOKEN_BEFORE.search(text, line, span.start)
    if is_name and not is_spoken and _BEFORE_TITLE.search(text, line, span.start):
        return "title"
    is_attributed = found is not None and found.is_sure and found.source is not None
    is_attributed |= _BY.match(text, span.end) is not None or len(words) > _FEWEST_IN_TITLE
    if found and is_attributed:
        return ""
    is_said = is_spoken or _SHOWN_BEFORE.search(text, line, span.start)
    is_in_title = overlaps(span, headline_of(document))
    is_small = not words[0][0].isupper()
    is_phrase = is_short and (is_small or len(words) <= _FEWEST_IN_TITLE) and not is_said
    if is_phrase and (is_title or is_small or len(words) < _FEWEST_IN_TITLE):
        return "term"  # a phrase such as “open door”, no sentence such as “Open the door”
    if _PUBLISHED.match(text, span.end):
        return "title"
    is_alone = paragraphs_around(text, span) in (span, Span(span.start - 1, span.end + 1))
    is_closed = is_alone or words[-1][-1] not in ".!?"
    is_in_sentence = _IN_SENTENCE.search(text, line, span.start) and words[-1][-1] not in "!?"
    is_title &= bool(is_in_sentence and not is_said) or (
        is_closed and len(words) >= _FEWEST_IN_TITLE
    )
    is_title &= not is_in_title
    is_title &= not is_spoken
    return "title" if is_title else ""


_BY = re.compile(r"[”\"'’»]* by\b")


def headline_of(document: Document) -> list[Span]:
    """Return the places of the title and the subtitle."""
    return [*document.at(("source", "title")), *document.at(("source", "subtitle"))]
