"""Rules on speakers and the mentions that introduce them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import is_read, triggered
from defectors_data.models.annotation import (
    Group,
    Mention,
    PartialPerson,
    ProtectedMention,
    PseudonymousPerson,
    SharedReference,
    SpeakerEntry,
    Writer,
)
from defectors_data.models.closed_vocabularies import SPEAKER_TERMS
from defectors_data.models.fields import Evidence
from defectors_data.rules.attribution.persons import namings
from defectors_data.rules.engine import rule
from defectors_data.rules.subjects import SUBJECTS
from defectors_data.text.detection import counts_children, is_age
from defectors_data.text.english import means_person
from defectors_data.text.english.languages import is_english
from defectors_data.text.english.pseudonyms import may_be_pseudonym
from defectors_data.text.english.sentences import tokens, without_titles
from defectors_data.text.offsets import Span, extent, is_inside, overlaps, sentences_around


@rule(on="speakers of articles", unique_ids=True, codebook="P1")
def speaker_without_mention(
    document: Document, path: Path, entry: SpeakerEntry
) -> Iterator[Finding]:
    """A source must mention each speaker that it lists, unless its words were taken down.

    A writer needs no mention.
    """
    if not entry.mentions and not document.content.withdrawn and not isinstance(entry, Writer):
        message = "This speaker has no mention in this source."
        hint = "Copy the words that introduce the speaker into `mentions`."
        yield Finding(document.place(*path), "speaker-without-mention", message, (hint,))


@rule(on="speakers of articles", unique_ids=True, codebook="P1", complete=True)
def unused_speaker(document: Document, path: Path, entry: SpeakerEntry) -> Iterator[Finding]:
    """Each speaker must be named by a testimony, a figure or, for a group, one of its parts.

    As long as the article has drafts, one of these may be theirs.
    """
    records = [*document.entries, *document.testimonies, *document.figures]
    if any(each.draft for _, each in records):
        return
    named = _named(document)
    known = {each.id for _, each in document.entries}
    if (
        entry.id not in named and named <= known
    ):  # else a reference that does not resolve may be meant for this speaker
        message = "No testimony or figure of this source names this speaker."
        hint = "Annotate what the speaker says, or remove the speaker."
        yield Finding(document.place(*path), "unused-speaker", message, (hint,))


@per_document
def _named(document: Document) -> set[str]:
    """Return the ids of speakers that testimonies, figures and parts of groups name."""
    named = {testimony.speaker for _, testimony in document.testimonies}
    named |= {part.part_of for _, part in document.groups if part.part_of}
    return named | {figure.attributed_to for _, figure in document.figures if figure.attributed_to}


@rule(on="persons of whom one name is printed", codebook="P14")
def pseudonym_denied(
    document: Document, path: Path, speaker: PartialPerson | PseudonymousPerson
) -> Iterator[Finding]:
    """`pseudonym_possible: false` is refused in a role whose names may be pseudonyms, and for a name
    that the article says is one.

    These are the roles with `pseudonym_possible: true` in the vocabulary.
    """
    if speaker.protected:
        return
    message = ""
    if speaker.role in document.context.roles_at_risk:
        message = (
            "The vocabulary says that a single name of a person in this role may be a pseudonym."
        )
    elif may_be_pseudonym(document.text, speaker.name):
        message = "The article says that the name of this person may be a pseudonym."
    if message:
        hint = (
            "Write `pseudonym_possible: true`, and remove what must not be recorded about a "
            "protected person."
        )
        yield Finding(
            document.place(*path, "pseudonym_possible"), "pseudonym-denied", message, (hint,)
        )


@rule(on="named speakers", unique_ids=True, codebook="P5")
def name_not_in_mention(document: Document, path: Path, name: str) -> Iterator[Finding]:
    """In each source, a mention of a publicly named speaker must contain the name.

    That of a writer may be in the evidence of the authors instead. If words of the source were
    taken down, the name may be anywhere in its text.
    """
    # If ids are duplicated, it is unclear which of the speakers with one id is meant.
    if document.context.shared.has_duplicate_ids:
        return
    entry = document.entry_of(path)
    texts = [document.words((*path, "mentions", i, "evidence")) for i in range(len(entry.mentions))]
    if document.content.withdrawn:
        texts.append(document.text)
    if isinstance(entry, Writer):
        texts.append(document.words(("source", "authors", "evidence")) or "")
    if texts and None not in texts and not any(contains_words(str(text), name) for text in texts):
        key, cause = "name", f"{document.seed} {entry.id}"
        if isinstance(entry, SharedReference):
            # A wrong name in the shared file is one mistake, although it fails in every source that
            # uses the speaker.
            key, cause = "use", entry.id
        # It may be a name that the source withholds, entered by mistake, so the message does not
        # repeat it.
        message = "No mention of this speaker in this source contains this name."
        hint = "Write `name` as the source prints it, or add the mention that contains it."
        yield Finding(document.place(*path, key), "name-not-in-mention", message, (hint,), cause)


@rule(on="named speakers", unique_ids=True, code="name-not-in-mention")
def title_in_name(document: Document, path: Path, name: str) -> Iterator[Finding]:
    """Report a title before a full name, such as "Mayor" in "Mayor Ada Example".

    Before a single name, as in "King Charles", it can be part of the name.
    """
    entry = document.entry_of(path)
    if (
        document.speakers_by_id[entry.id].kind != "person"
        or document.context.shared.has_duplicate_ids
    ):
        return
    start = without_titles(name, Span(0, len(name))).start
    titles, bare = name[:start].lower().split(), name[start:]
    if titles and " " in bare and all(_is_title(word, document.text) for word in titles):
        key = "use" if isinstance(entry, SharedReference) else "name"
        message = "This name begins with a title."
        hint = "Leave the title out of `name`; a mention contains it, and `role` says it."
        cause = f"title {entry.id}"
        yield Finding(document.place(*path, key), "name-not-in-mention", message, (hint,), cause)


_GIVEN_NAMES = frozenset("bishop dean duke earl judge king marshal prince".split())
"""Titles that are also given names."""


def _is_title(word: str, text: str) -> bool:
    """Return whether a word is a title, or a noun for a person that a text prints in lower case."""
    [token, *_] = tokens(word, 0, len(word))
    if word in _GIVEN_NAMES:
        return False
    is_noun = means_person(word) and re.search(rf"\b{re.escape(word)}s?\b", text) is not None
    return "title" in token.classes or is_noun


# ---- attributes ----------------------------------------------------------------------------------


@rule(on="attributes of mentions", codebook="P2")
def attribute_not_in_mention(document: Document, path: Path, value: str | int) -> Iterator[Finding]:
    """The words of a mention must contain its rank, affiliation, age and years of service."""
    if not is_read(document, path, value):
        message = f"The words of this mention do not contain its `{path[-1]}`."
        hint = "Copy a passage that does, or remove the field."
        yield Finding(document.place(*path), "attribute-not-in-mention", message, (hint,))


@rule(on="genders and requests of speakers", unique_ids=True, codebook="P3")
def attribute_not_attested(document: Document, path: Path, _: str) -> Iterator[Finding]:
    """`attested_by` must contain words that show a gender, or why a name is withheld.

    Words that show a gender are in a sentence that names the speaker, or in the speaker's words or
    attribution, or follow the speaker's name in the paragraph, and are not those for another speaker.
    """
    key = path[-1]
    shared = document.context.shared
    if not shared.has_duplicate_ids and (document.entry_of(path).id, key) not in _attested(
        document
    ):
        message = f"No mention of this speaker in this source attests the `{key}`."
        hint = f"Copy the words that show it into `attested_by: {{{key}: ...}}` of a mention."
        yield Finding(document.place(*path), "attribute-not-attested", message, (hint,))


@per_document
def _attested(document: Document) -> set[tuple[str, str | int]]:
    """Return the attributes that words attest, as pairs of a speaker's id and a key."""
    return {
        (document.entry_of(path).id, path[-1])
        for path, _ in SUBJECTS["evidence of attributes"](document)
    }


@rule(on="mentions", code="attribute-not-attested", unique_ids=True)
def gender_of_another(
    document: Document, path: Path, _: Mention | ProtectedMention
) -> Iterator[Finding]:
    """Report words for a gender that another speaker is meant by, or no speaker."""
    at = (*path, "attested_by", "gender")
    spans = document.at(at)
    if not spans or not document.is_searched_whole:
        return
    words, speaker = extent(spans), document.entry_of(path).id
    meant = _meant_by(document, words)
    if speaker in (meant or _near(document, words)):
        return
    message = "These words are not shown to be about this speaker."
    if meant:
        message = "These words are about another speaker."
    hint = "Copy words of a sentence that names the speaker, or remove the gender."
    yield Finding(document.place(*at), "attribute-not-attested", message, (hint,))


def _meant_by(document: Document, words: Span) -> set[str]:
    """Return the speakers whose mentions or attributions contain some of the words."""
    found = set[str]()
    for path, _ in document.mentions:
        if overlaps(words, document.evidence_of(path)):
            found.add(document.entry_of(path).id)
    for path, testimony in document.testimonies:
        if overlaps(words, document.at((*path, "attribution", "words"))):
            found.add(testimony.speaker)
    return found


def _near(document: Document, words: Span) -> set[str]:
    """Return the speakers of the testimonies that contain words, those whom the sentence names, and
    the last one whom the paragraph names before the words.
    """
    sentence = sentences_around(document.text, words)
    start = document.text.rfind("\n", 0, words.start) + 1
    found, last = set[str](), set[str]()
    for path, testimony in document.testimonies:
        if overlaps(words, document.evidence_of(path)):
            found.add(testimony.speaker)
    for each in namings(document):
        if is_inside(each, [sentence]):
            found.add(each.speaker)
        if start <= each.start and each.end <= words.start:
            last = {each.speaker}
    return found | last


@rule(on="ages and years of service", codebook="P2")
def attribute_kind_mismatch(document: Document, path: Path, value: int) -> Iterator[Finding]:
    """A bare number, or a number of years of age, must be annotated as an age.

    Any other number of years must be annotated as years of service.
    """
    found = [
        entry.detection for entry in ledger_of(document).within(document.evidence_of(path[:-1]))
    ]
    # If the words do not contain the number, `attribute-not-in-mention` reports that, and `same` is
    # empty.
    same = [number for number in found if number.quantity and number.quantity.value == value]
    if same and all(counts_children(document.text, number) for number in same):
        message = "The number in these words is that of children."
        hint = "Remove the field."
    elif same and not any((path[-1] == "age") == is_age(document.text, number) for number in same):
        other = "years of service" if path[-1] == "age" else "an age"
        message = f"The number in these words appears to be {other}."
        hint = "Put it under the other key, or remove the field."
    else:
        return
    yield Finding(document.place(*path), "attribute-kind-mismatch", message, (hint,))


_GENDERED = {
    "male": (
        "he him his himself man men boy boys male mr sir lord king prince gentleman father fathers "
        "dad grandfather son sons grandson brother brothers brother-in-law husband husbands uncle "
        "nephew boyfriend widower policeman spokesman businessman chairman congressman fisherman "
        "guardsman guardsmen serviceman servicemen monk priest actor waiter"
    ),
    "female": (
        "she her hers herself woman women girl girls female mrs ms miss lady queen princess mother "
        "mothers mom mum grandmother daughter daughters granddaughter sister sisters sister-in-law "
        "wife wives aunt niece girlfriend widow policewoman spokeswoman businesswoman chairwoman "
        "congresswoman servicewoman servicewomen nun actress waitress"
    ),
}


@rule(on="mentions", codebook="P3")
def attribute_text_mismatch(
    document: Document, path: Path, _: Mention | ProtectedMention
) -> Iterator[Finding]:
    """Words must show a gender, and show no other role, rank class or branch.

    A gender is shown by a word such as "she" or "father"; a role, a rank class or a branch by its
    triggers in the vocabulary. Words that show two of them fit both. A role that is inferred or has
    no triggers fits any words, and a place after "in" shows no role.
    """
    wrong = _wrong_gender(document, (*path, "attested_by", "gender"))
    if wrong:
        hint = "Correct the gender, or copy words that show it."
        place = document.place(*path, "attested_by", "gender")
        yield Finding(place, "attribute-text-mismatch", wrong, (hint,))
    for key in SPEAKER_TERMS:
        shown, elsewhere = _shown(document, path, key), _shown_elsewhere(document, path, key)
        value = _attribute(document, path, key)
        fits_any = key == "role" and not _is_shown_by_triggers(document, path, value)
        if value and shown and not fits_any and value not in shown | elsewhere:
            message = f"These words indicate another {key.replace('_', ' ')}."
            hint = f"Correct the `{key}`, or copy words that show it."
            place = document.place(*path, "evidence")
            yield Finding(place, "attribute-text-mismatch", message, (hint,))


def _attribute(document: Document, path: Path, key: str) -> str | None:
    """Return an attribute of the speaker of a mention."""
    speaker = document.speaker_of(path)
    value: str | None = getattr(speaker, key, None)
    return value


def _is_shown_by_triggers(document: Document, path: Path, role: str | None) -> bool:
    """Return whether the role of the speaker of a mention has triggers and is not inferred."""
    speaker = document.speaker_of(path)
    listed = document.context.triggers_by_attribute.get("role", {})
    is_inferred = speaker and speaker.inferred and speaker.inferred.role
    return role in listed and not is_inferred


def _wrong_gender(document: Document, path: Path) -> str | None:
    """Return a sentence about words that do not show the gender of a speaker, or None."""
    gender, words = _attribute(document, path, "gender"), document.words(path)
    if gender not in _GENDERED or words is None:
        return None
    genders = genders_in(words)
    if gender in genders:
        return None
    if genders:
        return "These words indicate another gender."
    # Words of other languages are not read.
    is_read = is_english(document.source.language)
    return "These words do not show a gender." if is_read else None


def genders_in(words: str) -> set[str]:
    """Return the genders that words show, such as "she"."""
    found = set(re.findall(r"\w+(?:-\w+)*", words.casefold()))
    return {each for each, shown in _GENDERED.items() if found & set(shown.split())}


def _shown(document: Document, path: Path, key: str) -> set[str]:
    """Return the values of an attribute of which words of a mention have a trigger."""
    spans = (*document.evidence_of(path), *document.at((*path, "attested_by", key)))
    values = document.context.triggers_by_attribute.get(key, {})
    text = _without_places(document) if key == "role" else document.text
    return {each for each, listed in values.items() if triggered(text, spans, listed)}


_PLACE = re.compile(r"\bin (?:the )?[A-Z][\w.]*(?: [A-Z]\w*)*")


@per_document
def _without_places(document: Document) -> str:
    """Return the text with spaces in place of names after "in", as in "a clerk in Port Example"."""
    return _PLACE.sub(lambda hit: " " * len(hit[0]), document.text)


def _shown_elsewhere(document: Document, path: Path, key: str) -> set[str]:
    """Return the values that other mentions of the same speaker show."""
    found = set[str]()
    for other, _ in document.mentions:
        if other[:-1] == path[:-1] and other != path:
            found |= _shown(document, other, key)
    return found


@rule(on="evidence of attributes", unique_ids=True, codebook="P3")
def redundant_attestation(document: Document, path: Path, _: Evidence) -> Iterator[Finding]:
    """`attested_by` may contain words only for attributes that the speaker has."""
    key, speaker = str(path[-1]), document.speaker_of(path)
    if (
        speaker
        and getattr(speaker, key, None) is None
        and not document.context.shared.has_duplicate_ids
    ):
        message = f"The speaker has no `{key}` for these words to attest."
        hint = "Remove the words, or give the speaker the attribute that they show."
        yield Finding(document.place(*path), "redundant-attestation", message, (hint,))


@rule(on="inferred attributes", unique_ids=True, codebook="P18")
def needless_inference(document: Document, path: Path, reason: str) -> Iterator[Finding]:
    """`inferred` is only for attributes that the speaker has and that no `attested_by` shows.

    The reason `writes_the_text` is only for writers.
    """
    key, entry = str(path[-1]), document.entry_of(path)
    speaker = document.speakers_by_id[entry.id]
    hint = "Remove it, or correct the speaker."
    if getattr(speaker, key) is None:
        message = f"The speaker has no `{key}` that could be inferred."
    elif (entry.id, key) in _attested(document):
        message = f"`attested_by` has words that show the `{key}`, so it is not inferred."
    elif reason == "writes_the_text" and speaker.kind != "writer":
        message = "`writes_the_text` is only for a speaker of the kind `writer`."
        hint = "Choose another reason, or correct the kind of the speaker."
    else:
        return
    yield Finding(document.place(*path), "needless-inference", message, (hint,))


@rule(on="groups", unique_ids=True, codebook="P19")
def circular_group(document: Document, path: Path, group: Group) -> Iterator[Finding]:
    """No group may be a part of itself, either directly or through other groups."""
    seen, whole = [group.id], group.part_of
    while whole and whole not in seen:
        seen.append(whole)
        whole = getattr(document.speakers_by_id.get(whole), "part_of", None)
    if whole == group.id:
        message = "By `part_of`, this group is a part of itself."
        hint = "Name the larger group, or remove `part_of` from it."
        yield Finding(document.place(*path, "part_of"), "circular-group", message, (hint,))
