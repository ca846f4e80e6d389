"""The places at which an article names its speakers."""

from __future__ import annotations

import re

from defectors_data.annotators.introductions import names
from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.models.annotation import NamedPerson, SharedPerson
from defectors_data.text.attributions import verbs
from defectors_data.text.english import cue_words
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span, SpanIndex, is_inside
from defectors_data.text.similar_words import surname_of


def speaker_within(document: Document, span: Span) -> tuple[str, str]:
    """Return the speaker who is named nearest to a verb of speech in some words, and the words that
    attribute them; without such a verb, the one who is directly before a verb. Empty if there is none.
    """
    text = document.text
    quoted = SpanIndex((found.start, found.end, 0) for found in quotations_of(document))
    inside = [found for found in named_places(document) if is_inside(found[0], [span])]
    full = names(text, span)
    pairs = []
    for verb in verbs(text, span, quoted):
        for where, speaker in inside:
            first, second = sorted((where, verb))
            between = text[first.end : second.start].strip()
            words = next((each for each in full if is_inside(where, [each])), where)
            if not between:
                words = Span(min(words.start, verb.start), max(words.end, verb.end))
            pairs.append((len(between), words, speaker))
    if not pairs:
        subjects = [(where, speaker) for where, speaker in inside if is_subject(text, where)]
        if not subjects:
            return "", ""
        where, speaker = subjects[0]
        words = next((each for each in full if is_inside(where, [each])), where)
        return speaker, text[slice(*words)]
    _, words, speaker = min(pairs)
    return speaker, text[slice(*words)]


def is_subject(text: str, name: Span) -> bool:
    """Return whether a verb follows a name directly: "that analysts expected"."""
    following = next(tokens(text, name.end, len(text)), None)
    if following is None or text[name.end : following.start] != " ":
        return False
    is_verb = "past" in following.classes or "auxiliary" in following.classes
    return is_verb or following.word.endswith("ed") or following.word in cue_words()


def named_places(document: Document) -> list[tuple[Span, str]]:
    """Return the places at which speakers are mentioned or named, each with the speaker's id."""
    numbered = re.compile(re.escape(document.source.id) + "-speaker-[1-9][0-9]*")
    found = []
    for path, _ in document.mentions:
        speaker = document.entry_of(path)
        if speaker.id not in document.protected or numbered.fullmatch(speaker.id):
            found += [(where, speaker.id) for where in document.evidence_of(path)]
            found += [(where, speaker.id) for where in _again(document, path)]
    for name, known in document.speakers_by_id.items():
        called = getattr(known, "name", None)
        if called and isinstance(known, NamedPerson | SharedPerson):
            called = surname_of(called) or called
        if called:
            places = re.finditer(rf"\b{re.escape(called)}\b", document.text)
            found += [(Span(*hit.span()), name) for hit in places]
    return found


def _again(document: Document, path: Path) -> list[Span]:
    """Return the other places of a mention that is a single word for a group, such as "analysts"."""
    words = document.words((*path, "evidence")) or ""
    groups = {group.id for _, group in document.groups}
    if not words.isalpha() or document.entry_of(path).id not in groups:
        return []
    places = re.finditer(rf"\b{words}\b", document.text, re.IGNORECASE)
    mentioned = document.evidence_of(path)
    return [Span(*hit.span()) for hit in places if Span(*hit.span()) not in mentioned]
