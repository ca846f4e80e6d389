"""Testimonies proposed from the words of an article."""

from __future__ import annotations

from collections.abc import Sequence

from defectors_data.annotators.proposals.attributions import (
    PARTS_TYPED,
    attributed_part,
    attributed_words,
    attribution,
    attribution_parts,
    nearest_speaker,
    own_attribution,
    stance_of,
)
from defectors_data.annotators.proposals.mentions import proposed_mention
from defectors_data.annotators.proposals.named_speakers import named_places
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.evidence.consistency import triggered
from defectors_data.text.attributions import verbs
from defectors_data.text.attributions.cues import is_surely_verb
from defectors_data.text.english import means_person
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import SourceWords, main_subject, phrase_at
from defectors_data.text.offsets import (
    Span,
    SpanIndex,
    are_inside,
    is_inside,
    overlaps,
    sentences_around,
    with_neighbours,
)


def proposed_testimony(document: Document, spans: Sequence[Span]) -> Proposal:
    """Return the testimony with the given words."""
    part = attributed_part(document, spans)
    attributing = attribution_parts(document, part)
    values = {
        "speaker": nearest_speaker(document, part) or "",
        "attribution": attribution(document, part),
        "antecedent": "",
        "mode": mode(document, spans),
        "stance": stance_of(document, part),
        "themes": ", ".join(_themes(document, spans)),
        "outlet": "",
    }
    return Proposal("testimonies", tuple(spans), values, attribution=attributing)


def mode(document: Document, spans: Sequence[Span]) -> str:
    """Return `direct` inside quotation marks, `indirect` if a source says the words, else
    `narrated`.
    """
    if are_inside(spans, quotations_of(document)):
        return "direct"
    attributed = attributed_words(document)
    around = attributed.attribution_of(spans[0])
    if around and around.is_of_block and spans[0] in around.content:
        return "direct"
    cues = [each for each in attributed.found if is_inside(each.cue, spans)]
    if around and around not in cues:
        cues.append(around)
    quoted = SpanIndex((found.start, found.end, 0) for found in quotations_of(document))
    is_reported = any(each.is_reported for each in cues)
    if not cues:
        is_reported = any(verbs(document.text, span, quoted) for span in spans)
    return "indirect" if is_reported else "narrated"


def _themes(document: Document, spans: Sequence[Span]) -> list[str]:
    """Return the themes with a trigger in the words, or `other`."""
    themes = []
    for theme, triggers in document.context.triggers_by_theme.items():
        if triggers and triggered(document.text, spans, triggers):
            themes.append(theme)
    return themes or ["other"]


# ---- selected words ------------------------------------------------------------------------------


def around_fragment(document: Document, span: Span) -> Span:
    """Return the sentence of a few words in quotation marks that are none, such as “medium range”, or of
    words without a verb that may be a statement; of other words, these.
    """
    text, words = document.text, document.text[slice(*span)]
    is_quoted = any(each.span == span for each in quotations_of(document))
    line = [*tokens(text, *span)]
    has_verb = any(is_surely_verb(line, i) for i in range(len(line)))
    is_part = words[0].islower() and words[-1].isalnum() and len(line) <= _LONGEST_FRAGMENT
    is_fragment = is_part if is_quoted else not has_verb
    return sentences_around(text, span) if is_fragment else span


_LONGEST_FRAGMENT = 4
"""Maximum number of words in quotation marks that are only a part of what is said."""


def said_in(document: Document, span: Span) -> dict[str, str]:
    """Return the speaker and the attribution with which selected words begin, if they say who says the
    rest and the article attributes them otherwise: "Orr says" in "... while Orr says it is shut". The
    speaker is "" without a mention; empty if the words say nobody, or a pronoun does.
    """
    attributed = attributed_words(document).attribution_of(span)
    own = own_attribution(document, span)
    if not own or own[0].kind == "pronoun":
        return {}
    if attributed and attributed.source and overlaps(attributed.source.span, [own[0].span]):
        return {}
    words = f" {PARTS_TYPED} ".join(document.words_at(own[1]))
    return {"speaker": _named(document, own[0]), "mode": "indirect", "attribution": words}


def narrated_in(document: Document, span: Span) -> dict[str, str]:
    """Return the speaker and the attribution of narrated words by their subject, or by that of their
    sentence if they begin with a verb: "Organisers of the fair", "he ... insisting". A pronoun means
    the last subject before it with a mention; the speaker is "" for other words without a mention. A
    body has no experience that is narrated. Empty if nothing shows who it is.
    """
    text, line = document.text, [*tokens(document.text, *span)]
    is_verb = is_surely_verb(line, 0) or line[0].word.endswith("ing")
    verb = [Span(*line[0][:2])] if is_verb else []
    if verb:
        line = [*tokens(text, sentences_around(text, verb[0]).start, span.start)]
    found = main_subject(text, line, len(line), is_any=True) if line else None
    if found is None or (not verb and found.span.start > line[0].end):
        return {}
    speaker = _subject_meant(document, found)
    if found.kind != "pronoun" and not speaker:
        nouns = [token.word for token in tokens(text, *found.head)]
        is_one = found.kind in ("institution", "name") or any(map(means_person, nouns))
        described = proposed_mention(document, found.span).values
        if not is_one or (described["kind"] == "institution" and not described["name"]):
            return {}
    elif not speaker:
        return {}
    phrase, subject = phrase_at(line, 0, len(line)), found.span
    if phrase and line[0].start == subject.start:  # "Organisers of the fair"
        subject = Span(subject.start, max(subject.end, line[phrase.end - 1].end))
    said = f" {PARTS_TYPED} ".join(document.words_at([subject, *verb]))
    mode = "indirect" if found.kind == "institution" else "narrated"
    return {"speaker": speaker, "mode": mode, "attribution": said}


def _subject_meant(document: Document, subject: SourceWords) -> str:
    """Return the speaker with a mention whom a subject means; "" if none is known. "He" and "she" mean
    the last subject before them that is a name.
    """
    text = document.text
    found: SourceWords | None = subject
    if subject.kind == "pronoun" and text[slice(*subject.head)].casefold() not in ("he", "she"):
        return ""
    here = sentences_around(text, subject.head)
    while found is None or found.kind == "pronoun":
        start = with_neighbours(text, here).start
        if start >= here.start:
            return ""
        line = [*tokens(text, start, here.start)]
        found = main_subject(text, line, len(line), is_any=True)
        # What is between, such as "The mill burned", is passed over.
        found = found if found and (found.kind == "pronoun" or _named(document, found)) else None
        here = Span(start, here.start)
    return _named(document, found)


def _named(document: Document, subject: SourceWords) -> str:
    places = (who for place, who in named_places(document) if overlaps(place, [subject.head]))
    return next(places, "")
