"""The speaker of each statement, as far as the words show it.

A name, an organisation, a group or the description of a person becomes a speaker. A pronoun means a
person who was named or spoke before. Where the words leave open who speaks, so does the draft.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.drafts.antecedents import antecedent_of
from defectors_data.annotators.drafts.descriptions import (
    document_meant,
    is_name,
    means_group,
    speaker_described,
)
from defectors_data.annotators.drafts.drafted_records import (
    DraftedRecords,
    DraftSpeaker,
    DraftStatement,
)
from defectors_data.annotators.drafts.organisations import institution_named, is_country
from defectors_data.annotators.drafts.persons import full_names, person_named
from defectors_data.annotators.drafts.pronouns import speaker_of_pronoun, subject_meant
from defectors_data.annotators.introductions import names
from defectors_data.annotators.kinds_of_names import (
    COLLECTIVES,
    COMPANIES,
    ORGANISATIONS,
    institution_in,
    is_acronym,
    is_document,
    is_unnamed_group,
    share_of_group,
)
from defectors_data.annotators.proposals.attributions import attributed_part, attributed_words
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.attributions.proposed import LABEL, publisher_after, writer_of
from defectors_data.text.english import PARTIES, cue_words, is_plural, means_person, writings
from defectors_data.text.english.sentences import tokens, without_titles
from defectors_data.text.offsets import Span, overlaps

_OF_NEWSPAPER = frozenset(
    f"the {noun}" for noun in "article editorial magazine newspaper paper website site".split()
)

_UNNAMED = frozenset("few many most others several some".split())
_DETERMINERS = ("the ", "a ", "an ", "one ", "another ")


def attribution_values(draft: DraftedRecords, name: str, spans: Sequence[Span]) -> dict[str, str]:
    """Return the speaker of a statement, and the record that shows a speaker who is not named.

    The speaker is "" if the words leave it open.
    """
    part = attributed_part(draft.document, spans)
    found = attributed_words(draft.document).attribution_of(part)
    speaker = _meant(draft, found) if found else _continued(draft, spans[0])
    if speaker is None:
        return {"speaker": ""}
    links, source = {}, None
    if found:
        source = found.source
    else:
        links["continues"] = draft.statements[-1].id
    if source:
        links = antecedent_of(draft, source, speaker)
    draft.statements.append(DraftStatement(name, speaker, spans, source))
    return {"speaker": speaker.id, **links}


def _meant(draft: DraftedRecords, found: FoundAttribution) -> DraftSpeaker | None:
    """Return the speaker whom the source of an attribution means; None if it is open."""
    source = found.source
    if source is None:
        return None
    words = draft.words(source.head)
    if words.endswith(_OF_MEMBERS) and not words.casefold().startswith(_DETERMINERS):
        source = source._replace(head=without_titles(draft.text, source.head), kind="name")
        words = draft.words(source.head)  # "Ada Orr" of "Ada Orr MP"
    if found.verb == LABEL and words.isupper() and (name := _in_small_letters(draft, words)):
        return person_named(draft, name)
    last = words.split()[-1]
    noun = last.casefold()
    if re.sub("^[Tt]he ", "", words) in (*PARTIES, "Number 10"):
        return institution_named(draft, source.head)
    whole = Span(source.span.start, source.head.end)
    if _is_title(draft, whole):  # "The Lamp Secretary"
        return speaker_described(draft, source._replace(head=whole), noun, is_group=False)
    if noun in _UNNAMED and words == last:
        return draft.new_group(source.span)
    if words.endswith(" of whom") or " of those " in words:
        return draft.new_group(source.head)
    if share := share_of_group(draft.text, source, found.cue):
        return draft.new_group(share)
    is_person = means_person(noun) and noun not in COMPANIES | ORGANISATIONS and " " in words
    is_person &= last != "Executive"  # "the Scottish Executive"
    is_described = words.casefold().startswith(_DETERMINERS)
    is_one = words.startswith(("the ", "The ")) or not is_plural(noun)
    is_one &= not (is_plural(noun) and re.search(" (?:of|for) ", words))  # "the Bank of Millers"
    if source.kind == "institution" and is_person and is_one and is_described:
        return speaker_described(draft, source, noun, is_group=False)  # "the Ohio Democrat"
    if is_unnamed_group(draft.text, source):
        if noun in COLLECTIVES:
            return speaker_described(draft, source, noun, is_group=True)
        known = [each for each in draft.speakers if overlaps(each.mention, [source.span])]
        return known[0] if known else draft.new_group(source.span)
    is_body = is_acronym(last) and source.kind != "group"  # not "Orr and the SVP"
    if source.kind == "institution" or is_body or noun in COMPANIES:
        if "." in last and draft.text[: source.head.start].endswith(", "):
            return None  # "Washington, D.C."
        # "Bureau of Lamp Research"
        is_body_of = last[0].isupper() and re.search(r" (?:of|for) ", words) is not None
        is_writing = noun in writings() or noun == "news" or words.casefold() in _OF_NEWSPAPER
        if is_writing and not is_body_of:
            writer = _writer(draft, found, source.head)
            return writer or _document(draft, found, source.head)
        return institution_named(draft, source.head)
    is_first_word = source.kind == "name" and is_document(noun) and words == last  # "Research"
    if is_document(noun) and (source.kind in ("description", "group") or is_first_word):
        is_published = noun in writings() or publisher_after(draft.text, source.head)
        writer = _writer(draft, found, source.head) if is_published else None
        return writer or _document(draft, found, source.head)
    if source.kind == "pronoun":
        speaker = speaker_of_pronoun(draft, words.casefold(), source.head, found)
        return speaker or _of_subject(draft, words.casefold(), found)
    if is_country(words):
        return institution_named(draft, source.head)
    is_group = source.kind == "group" or means_group(draft, source.head)
    if source.kind == "name" and not is_group:
        is_open = len(full_names(draft, without_titles(draft.text, source.head))) > 1
        return (
            person_named(draft, source.head)
            if is_name(draft, source, found.cue) and not is_open
            else None
        )
    verb = cue_words().get(found.verb)
    is_speech = verb is not None and verb.kind == "speech" and not found.verb.endswith("ing")
    is_said = is_speech and not draft.text.startswith("to ", found.cue.start)
    if words.casefold().startswith("those ") and not is_document(noun):
        return draft.new_group(source.span)  # "those surveyed"
    return speaker_described(draft, source, noun, is_group=is_group, is_said=is_said)


_OF_MEMBERS = (" MEP", " MP", " MSP")


def _of_subject(draft: DraftedRecords, word: str, found: FoundAttribution) -> DraftSpeaker | None:
    """Return the body, document or group that "it" or "they" means if it is a subject before it."""
    if found.source is None or word not in ("it", "they"):
        return None
    subject = subject_meant(draft, word, found.source.head, found)
    speaker = _meant(draft, found._replace(source=subject)) if subject else None
    kinds = ("group", "institution") if word == "they" else ("institution",)
    return speaker if speaker and speaker.kind in kinds else None


def _is_title(draft: DraftedRecords, head: Span) -> bool:
    """Return whether words are a capitalized title without a name: "The Prime Minister"."""
    article, *line = tokens(draft.text, *head)
    titles = [token for token in line if token.is_capitalized and "title" in token.classes]
    is_title = bool(line) and line[-1] in titles and line[-1].word not in ("executive", "treasury")
    return article.word == "the" and is_title and all(token.is_capitalized for token in line)


def _in_small_letters(draft: DraftedRecords, words: str) -> Span | None:
    """Return the first place of a name that a transcript prints in capital letters, or of a longer
    name with it as surname: "Ada Orr" for "ORR".
    """
    for place in draft.names.places:
        name = draft.words(place)
        is_same = f" {name.upper()}".endswith(f" {words}")
        if is_same and not (name.isupper() or draft.names.is_of_organisation(place)):
            return place
    return None


def _continued(draft: DraftedRecords, span: Span) -> DraftSpeaker | None:
    """Return the last speaker if words without an attribution follow directly."""
    if not draft.statements:
        return None
    last = draft.statements[-1]
    if _NEXT_QUOTATION.fullmatch(draft.text, last.spans[-1].end, span.start):
        return last.speaker
    attributed = attributed_words(draft.document)
    before = attributed.before(span)
    if before:
        return last.speaker if overlaps(before.sentence, last.spans) else None
    # A quotation with which the next paragraph begins continues a speech.
    found = attributed.attribution_of(last.spans[0])
    reached = last.spans[-1].end
    if found:
        reached = max(reached, found.sentence.end)
    between = draft.text[reached : span.start]
    is_first = "\n" in between and not re.search(r"\w", between)
    is_whole = is_first and _SENTENCE_ENDS.match(draft.text, span.end - 1)
    return last.speaker if is_whole else None


_SENTENCE_ENDS = re.compile(r"\w?[”\"’']?[.!?…](?![^\w\n]*[a-z])")
"""The end of a quotation with its sentence, and not in `!” tweeted Orr`."""
_NEXT_QUOTATION = re.compile(r"[^\w\n]*|\s*[\"“]")
"""What is between quotations of one speaker: no words, and a paragraph break only if the first one
is not closed.
"""


def _writer(draft: DraftedRecords, found: FoundAttribution, writing: Span) -> DraftSpeaker | None:
    """Return who wrote a text: "a Harrow Times article", "a letter" that Orr sent, or "the
    article" of the newspaper that was quoted last.
    """
    words = draft.words(writing)
    named = [each for each in names(draft.text, writing) if institution_in(draft.text, each)]
    if named and words[-1].islower():
        return institution_named(draft, named[-1])
    if publisher := publisher_after(draft.text, writing):
        is_body = bool(institution_in(draft.text, publisher))
        first, joint, _ = draft.words(publisher).partition(" and ")
        is_body |= re.search(r" (?:of|for) ", first) is not None  # "the Ministry of Mills and Art"
        is_body |= draft.words(publisher).endswith(_OF_BODIES)
        if joint and not is_body:
            return draft.new_group(publisher)  # "a study by the Mill Union and Harrow"
        return institution_named(draft, publisher) if is_body else person_named(draft, publisher)
    if writer := writer_of(draft.text, writing):
        return _meant(draft, found._replace(source=writer))
    near = draft.near_speakers(writing)
    is_last = bool(near) and near[-1].kind == "institution"
    return near[-1] if is_last and words.casefold() in _OF_NEWSPAPER else None


_OF_BODIES = (" Foundation", " Group", " Institute", " Project", " Society", " Trust")


def _document(draft: DraftedRecords, found: FoundAttribution, writing: Span) -> DraftSpeaker | None:
    """Return a document whose writer is not known; None if a person near it may be the author."""
    is_article = draft.words(writing).casefold() in _OF_NEWSPAPER
    if is_article and draft.near_speakers(writing):
        return None
    return document_meant(draft, writing, found)
