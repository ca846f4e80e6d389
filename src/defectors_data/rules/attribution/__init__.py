"""Rules on attributions: that the words that say who speaks lead to the speaker.

`persons` finds the places where a text names or mentions speakers; `fit` decides whom words fit,
and `roles` whether a name is that of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of, outermost_quotations_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models.annotation import (
    Attribution,
    Figure,
    Mention,
    ProtectedMention,
    Testimony,
)
from defectors_data.models.fields import OPEN_SPEAKER
from defectors_data.rules.attribution.fit import Features, can_rival, difference, features
from defectors_data.rules.attribution.persons import (
    Naming,
    attributed_words,
    called,
    describes_only,
    has_short_name,
    lacks_attribution,
    namings,
    other_form,
    others,
    own,
    repeats_mention,
    speaker_of,
    with_surname_in,
)
from defectors_data.rules.attribution.roles import (
    denied_verb,
    has_other_role,
    is_owner,
    is_relayed,
    is_told,
    may_deny,
    objective_pronouns,
)
from defectors_data.rules.engine import rule
from defectors_data.text.attributions import FoundAttribution, verbs, words_of_speech
from defectors_data.text.english import writings
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import phrase_at, source_of
from defectors_data.text.occurrences import merged
from defectors_data.text.offsets import (
    Span,
    are_inside,
    extent,
    is_inside,
    overlaps,
    sentences_around,
    with_neighbours,
)
from defectors_data.text.omissions import IN_DOUBT

Attributed: TypeAlias = tuple[Testimony | Figure, Attribution]


def _words(document: Document, path: Path) -> tuple[Span, ...]:
    """Return the places of the words of an attribution."""
    return document.at((*path, "words"))


def _evidence(document: Document, path: Path) -> Span | None:
    """Return the evidence of the record of an attribution, from its first word to its last."""
    spans = document.evidence_of(path[:2])
    return extent(spans) if spans else None


@rule(on="testimonies", codebook="T14")
def missing_attribution(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Each testimony must have an `attribution`.

    It may be missing if words of the source were taken down, or its completeness is `none`.
    """
    if lacks_attribution(document, testimony) and testimony.speaker != OPEN_SPEAKER:
        message = "This testimony does not say which words name its speaker."
        hint = "Copy the words that say who speaks, such as `Ada said`, into `attribution`."
        writers = [each.id for _, each in document.speakers if each.kind == "writer"]
        if testimony.speaker in writers:
            hint = "The writer needs no such words: write `attribution: {none: writer}`."
        yield Finding(document.place(*path), "missing-attribution", message, (hint,))


@rule(on="attributions of known speakers", unique_ids=True, codebook="T14")
def attribution_of_another(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """The words of an attribution must not contain a name or mention of another speaker.

    Possessives, and names inside the speaker's own mention or in quotation marks, do not count; nor
    does the noun for a writing, such as "the study", that an antecedent explains.
    """
    speaker = str(speaker_of(found[0]))
    theirs = [
        each
        for each in others(document, _words(document, path), speaker)
        if not (found[1].antecedent and _is_of_writing(document, each))
    ]
    if theirs:
        message = f"These words {_named(document, theirs[0], speaker)}."
        hint = "Correct the speaker, or copy only the words that say who speaks."
        yield Finding(document.place(*path, "words"), "attribution-of-another", message, (hint,))


def _is_of_writing(document: Document, naming: Naming) -> bool:
    """Return whether a name is a noun that means many writings, such as "study"."""
    return (
        naming.form == "name" and document.text[naming.start : naming.end].casefold() in writings()
    )


def _key_of_speaker(record: Testimony | Figure) -> str:
    if isinstance(record, Testimony):
        return "speaker"
    return "attributed_to"


def _named(document: Document, naming: Naming, speaker: str) -> str:
    """Return what words do, such as `name Ada Quill, but the speaker is Ben Lamp`."""
    verb = "mention" if naming.form == "mention" else "name"
    other, expected = called(document, naming.speaker), called(document, speaker)
    if other and expected:
        return f"{verb} {other}, but the speaker is {expected}"
    return f"{verb} another speaker"


@rule(on="attributions of known speakers", unique_ids=True, codebook="T14")
def attribution_without_name(
    document: Document, path: Path, found: Attributed
) -> Iterator[Finding]:
    """Without `antecedent`, the words must contain a name or a mention of the speaker.

    They may repeat the words of a mention elsewhere, if no mention of another speaker contains
    these. A surname that several speakers have is not enough. The last word of an institution's name,
    as in "the Times", is enough if the text prints it in no other name.
    """
    (record, attribution), spans = found, _words(document, path)
    speaker = str(speaker_of(record))
    if not spans or attribution.antecedent or document.content.withdrawn:
        return
    forms = {each.form for each in namings(document) if each.speaker == speaker}
    has_name = getattr(document.speakers_by_id[speaker], "name", None)
    if "mention" not in forms or (has_name and "name" not in forms):
        return  # reported by `speaker_without_mention` or `name_not_in_mention`
    if not lacks_name(document, spans, speaker):
        return
    who = called(document, speaker) or "the speaker"
    last = last_before(document, spans[0], speaker, record.id)
    if speaker in with_surname_in(document, spans):
        place = document.place(*path[:2], _key_of_speaker(record))
        message = f"The surname in these words is not only that of {who}."
        hint = _on_namesake(document, spans, speaker, last)
    else:
        place = document.place(*path, "words")
        message = f"These words contain neither a name nor a mention of {who}."
        hint = "Correct the speaker, or copy the words that introduce the speaker into `mentions`."
        if last:
            hint = (
                f"If they mean this speaker, name `{last}` in `antecedent`; if not, correct the "
                "speaker or the words."
            )
    yield Finding(place, "attribution-without-name", message, (hint,))


def lacks_name(document: Document, words: Sequence[Span], speaker: str) -> bool:
    """Return whether words name or mention neither a speaker nor others, so that they need an
    antecedent.
    """
    found = (own, repeats_mention, has_short_name, others)
    return not any(names(document, words, speaker) for names in found)


def _on_namesake(document: Document, words: Sequence[Span], speaker: str, last: str) -> str:
    """Return what to do about a surname of several speakers, one of whom a record names; `last` is
    the record to which the words then lead, or "".
    """
    named = f"`{last}`" if last else "an earlier mention of the speaker"
    namesakes = with_surname_in(document, words)
    if other := other_form(document, speaker, namesakes):
        return (
            f"If {other} is the same person, let the two entries be one: choose `same speaker as` "
            f"in the workbench. If not, correct the speaker, or name {named} in `antecedent`."
        )
    return (
        "If another person with this surname is meant, correct the speaker. If not, name "
        f"{named} in `antecedent`."
    )


def _is_narrated(record: Testimony | Figure) -> bool:
    return isinstance(record, Testimony) and record.mode == "narrated"


_IN_ANOTHER_ROLE = "These words name the speaker, but not as the one who speaks."
_WHO_SPEAKS = "Correct the speaker, or copy the words that say who speaks."


@rule(on="attributions of known speakers", code="name-in-another-role")
def said_by_others(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """What others than the speaker say is not narrated of the speaker: "Ada's allies said"."""
    (record, _), spans = found, _words(document, path)
    speaker, quoted = str(speaker_of(record)), ledger_of(document).quoted
    is_person = document.speakers_by_id[speaker].kind == "person"
    is_said = any(verbs(document.text, span, quoted) for span in spans)
    named = own(document, spans, speaker)
    is_of_others = bool(named) and all(is_owner(document.text, each) for each in named)
    if _is_narrated(record) and is_person and is_said and is_of_others:
        place = document.place(*path, "words")
        yield Finding(place, "name-in-another-role", _IN_ANOTHER_ROLE, (_WHO_SPEAKS,))


@rule(on="attributions of known speakers", unique_ids=True, codebook=("T9", "T14"))
def name_in_another_role(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """The name in an attribution must be that of the person who speaks.

    In "the police asked Ada", "a brother of Ada said" and "not Ada", she does not speak. In "Ben
    accused Ada of saying" and "Ben said that Ada said", Ben speaks, unless he is one of
    `cited_outlets`. In "Ben said that it rained, and Ada said that it snowed", Ada says nothing of
    rain. Narration may mention its speaker in any role.
    """
    (record, attribution), spans = found, _words(document, path)
    evidence = document.evidence_of(path[:2])
    if not spans or not evidence or _is_narrated(record) or not document.claims_completeness:
        return
    read, speaker = _read(document, evidence[0], spans[0]), str(speaker_of(record))
    is_person = document.speakers_by_id[speaker].kind == "person"
    places = [each[:2] for each in own(document, spans, speaker)]
    named = [Span(*run) for run in merged(places)]
    if not named and attribution.antecedent:
        named = objective_pronouns(document.text, spans)
    other = [has_other_role(document.text, each, read, is_person=is_person) for each in named]
    relayed = [is_relayed(document.text, each, read) for each in named]
    told = [is_told(document.text, each, read) for each in named]
    message, hints = _IN_ANOTHER_ROLE, [_WHO_SPEAKS]
    is_content = read is not None and overlaps(evidence[0], read.content)
    may_relay = isinstance(record, Testimony) and not _is_of_outlet(document, read)
    is_other = bool(named) and (all(other) or (is_content and all(told)))
    if named and may_relay and all(relayed) and not is_other:
        hints.append("If an outlet quotes the speaker, list it in `cited_outlets`.")
    elif not is_other:
        if not attributed_words(document).attributed_to_other(evidence[0], spans):
            return
        message = "These words say who says something else in this sentence."
    yield Finding(document.place(*path, "words"), "name-in-another-role", message, tuple(hints))


@rule(on="attributions of known speakers", unique_ids=True, code="name-in-another-role")
def said_by_source(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """Report an attribution to another, although the sentence of its evidence says who speaks.

    Ada does not say what is in "Ben said that it rained", "Ben rejected the claim of Ada that it rained" or
    "Ben left, saying that it rained", even if she speaks next to it.
    """
    (record, _), spans = found, _words(document, path)
    evidence, speaker = document.evidence_of(path[:2]), str(speaker_of(record))
    if not spans or not evidence or _is_narrated(record) or not document.claims_completeness:
        return
    read = _read_evidence(document, evidence[0])
    if read is None or read.source is None or not read.is_sure or read.is_of_block:
        return
    source = [read.source.span]
    theirs, named = others(document, source, speaker), own(document, spans, speaker)
    if own(document, source, speaker) or _is_of_outlet(document, read):
        return
    # "She rejected the claim of Ada", but not "The claim of Ada is old, she said"
    is_pronoun = read.source.kind == "pronoun" and bool(named) and source[0].end <= named[0].start
    is_other = bool(theirs) or is_pronoun
    is_relayed = overlaps(read.cue, evidence) and all(
        is_inside(each, read.content) for each in spans
    )
    of_cue = [span for span in spans if overlaps(span, [read.cue])]
    is_apart = bool(of_cue and named) and not overlaps(of_cue[0], named)
    is_apart &= not overlaps(read.phrase, named)
    is_elsewhere = bool(theirs) and not overlaps(read.sentence, spans)
    if not (is_elsewhere or (is_other and is_relayed) or (theirs and is_apart)):
        return
    message = "These words name another than the one who speaks in this sentence."
    if theirs:
        message = f"The words that say who speaks in this sentence {_named(document, theirs[0], speaker)}."
    yield Finding(document.place(*path, "words"), "name-in-another-role", message, (_WHO_SPEAKS,))


def _is_of_outlet(document: Document, read: FoundAttribution | None) -> bool:
    """Return whether the source of an attribution is an outlet that the article quotes from."""
    if read is None or read.source is None:
        return False
    said = document.text[slice(*read.source.span)]
    return any(contains_words(said, each.split()[-1]) for each in document.source.cited_outlets)


def _read(document: Document, evidence: Span, words: Span) -> FoundAttribution | None:
    """Return the attribution of evidence, or else of the words that say who speaks, if it is read."""
    return _read_evidence(document, evidence) or attributed_words(document).attribution_of(words)


def _read_evidence(document: Document, evidence: Span) -> FoundAttribution | None:
    """Return the attribution of evidence, if it is read."""
    attributed = attributed_words(document)
    # The full stop at the end of evidence is not part of what is read as said.
    first = Span(evidence.start, evidence.start + 1)
    return attributed.attribution_of(evidence) or attributed.attribution_of(first)


@rule(on="attributions of known speakers", codebook="T7")
def denied_without_stance(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """A testimony whose verb denies, or is denied or in a condition, must have such a `stance`.

    In "Ada did not say", "Ada refused to say", "if Ada says" and "falsely quoted Ada as saying",
    nothing is said, and in "Ada refused to believe it" nothing is believed. A verb such as "vowed" or
    "demanded" does not only assert. The stance `denies` needs words that may deny something, and so
    does the status `denied` of an act. By "she did not leave because of the fog on May 3", nobody
    left on that day or for that reason.
    """
    record, evidence = found[0], document.evidence_of(path[:2])
    if not isinstance(record, Testimony) or record.mode == "narrated":
        return
    spans = [*_words(document, path)]
    is_fitting = record.stance not in (None, "asserts")
    if is_fitting or not spans or not evidence or not document.claims_completeness:
        return
    read = _read(document, evidence[0], spans[0])
    stance, quoted = "", ledger_of(document).quoted
    # "he says, promised that he would get it": his verb is the first one
    has_verb = any(verbs(document.text, span, quoted) for span in spans)
    is_read = read and (overlaps(read.cue, spans) or not has_verb)
    if read and is_read and overlaps(read.phrase, spans):
        spans.append(read.cue)
        stance = read.stance_in(document.text)
    if denied := denied_verb(document.text, spans, quoted):
        message = f"The words say that this is not said: `{document.text[slice(*denied)]}`."
        if path[:2] in document.hidden_paths:
            message = "The words say that this is not said."
        hint = (
            "Remove the testimony, or give its `stance`. If it reports no speech, the mode is "
            "`narrated`, with `about: true` in the `attribution`."
        )
    elif stance in ("denies", "doubts") or (record.stance and stance not in ("", "accuses")):
        message = f"The verb shows the stance `{stance}`."
        hint = f"Write `stance: {stance}`, or copy the words that say who speaks."
    else:
        return
    yield Finding(document.place(*path, "words"), "denied-without-stance", message, (hint,))


@rule(on="attributions of known speakers", code="denied-without-stance")
def denies_in_later_words(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """Report a testimony that only asserts, although a later verb of its speaker denies or doubts."""
    record, evidence = found[0], document.evidence_of(path[:2])
    if not isinstance(record, Testimony) or record.stance not in (None, "asserts"):
        return
    if not evidence or not document.claims_completeness:
        return
    content, end = list[Span](), 0
    for each in attributed_words(document).found:
        if overlaps(each.cue, _words(document, path)):
            content, end = [*each.content], each.cue.end
    for each in attributed_words(document).found:
        stance, source = each.stance_in(document.text), each.source
        is_later = 0 < end <= each.cue.start and is_inside(each.cue, evidence)
        if not is_later or overlaps(each.cue, content):
            continue
        is_theirs = source is None or source.kind == "pronoun"
        if source and not is_theirs:
            is_theirs = bool(own(document, [source.span], record.speaker))
        if is_theirs and stance in ("denies", "doubts"):
            message = (
                f"A later verb shows the stance `{stance}`: “{document.text[slice(*each.cue)]}”."
            )
            hint = f"Write `stance: {stance}`, or make these words another testimony."
            place = document.place(*path[:2], "evidence")
            yield Finding(place, "denied-without-stance", message, (hint,))
            return


@rule(on="attributions of known speakers", code="denied-without-stance")
def denies_without_words(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """Report the stance `denies` if no word of the testimony or of its sentence may deny anything."""
    record, evidence = found[0], _evidence(document, path)
    is_denial = isinstance(record, Testimony) and record.stance == "denies"
    if not is_denial or not evidence or not document.claims_completeness:
        return
    words = [sentences_around(document.text, evidence), *_words(document, path)]
    if not any(may_deny(document.text[slice(*span)]) for span in words):
        message = "These words deny nothing, but the stance is `denies`."
        hint = "Correct `stance`, or copy the words that deny."
        yield Finding(
            document.place(*path[:2], "stance"), "denied-without-stance", message, (hint,)
        )


@rule(on="attributions of known speakers", code="omission-changes-meaning")
def doubt_left_out(document: Document, path: Path, _: Attributed) -> Iterator[Finding]:
    """Report a word that doubts what was said, if an attribution leaves it out."""
    spans, evidence = _words(document, path), document.evidence_of(path[:2])
    read = None
    if spans and evidence:
        read = _read(document, evidence[0], spans[0])
    if read is None or not overlaps(read.cue, spans) or not document.claims_completeness:
        return
    for hit in IN_DOUBT.finditer(document.text, *read.phrase):
        doubt = Span(*hit.span())
        if not is_inside(doubt, [*spans, *evidence]):
            message = f"The attribution leaves out a word of doubt: “{hit[0]}”."
            hint = "Copy it, too: without it, the words say for certain who speaks."
            place = document.place(*path, "words")
            yield Finding(place, "omission-changes-meaning", message, (hint,))
            return


@rule(on="attributions of known speakers", codebook="T14")
def attribution_far_away(document: Document, path: Path, _: Attributed) -> Iterator[Finding]:
    """The words of an attribution must be in the sentence of the evidence, or next to it."""
    evidence, spans = _evidence(document, path), _words(document, path)
    if not evidence:
        return
    sentence = sentences_around(document.text, evidence)
    if are_inside(spans, [sentence]):
        return
    near = with_neighbours(document.text, sentence)
    for i, span in enumerate(spans):
        if not is_inside(span, [near]):
            message = "These words are not in the sentence of the evidence or next to it."
            hint = "Copy the nearest words that say who speaks, or name the speaker's `antecedent`."
            place = document.place(*path, "words", i, "text")
            yield Finding(place, "attribution-far-away", message, (hint,))


@rule(on="attributions of known speakers", codebook="T14")
def about_a_speaker(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """`about` is only for narrated testimonies."""
    record, attribution = found
    if attribution.about and not _is_narrated(record):
        message = "`about` is for testimonies whose mode is `narrated`."
        hint = "Remove `about`, or correct `mode`."
        yield Finding(document.place(*path, "about"), "about-a-speaker", message, (hint,))


@rule(on="attributions of known speakers", unique_ids=True, codebook="T16")
def attribution_left_out(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """An attribution may have no words only where the sentence has none.

    That is, outside quotation marks no word of speech and, for `none`, no name or mention of the
    speaker. What the writer says may report what others said. So may the evidence if these are no
    speakers: "the office then says that no lamp broke".
    """
    (record, attribution), evidence = found, _evidence(document, path)
    if attribution.words or not evidence or attribution.none == "writer":
        return
    key = "continues" if attribution.continues else "none"
    named = str(speaker_of(record)) if attribution.none else ""
    if shown := words_left_out(document, path, named):
        said = document.text[slice(*shown[0])]
        message = f"The sentence has words that say who speaks: `{said}`."
        if path[:2] in document.hidden_paths:
            message = "The sentence has words that say who speaks."
        hint = (
            "Copy them into `attribution`. If they report what someone else said, that person is "
            "the speaker."
        )
        yield Finding(document.place(*path, key), "attribution-left-out", message, (hint,))


def words_left_out(document: Document, path: Path, named: str = "") -> list[Span]:
    """Return the words of speech in the sentence of the evidence at a path, outside quotation marks,
    with which its attribution must not be without words; and where the sentence names or mentions
    `named`, a speaker, with which it must not be `none`.
    """
    evidence = _evidence(document, path)
    if not evidence:
        return []
    sentence = sentences_around(document.text, evidence)
    found = words_of_speech(document.text, sentence, outermost_quotations_of(document))
    shown = [each for each in found if not _is_of_another(document, path, each)]
    return shown + [Span(*each[:2]) for each in own(document, [sentence], named)]


def _is_of_another(document: Document, path: Path, cue: Span) -> bool:
    """Return whether the evidence at a path reports words of one who is no speaker of the source."""
    for each in attributed_words(document).found:
        source = each.source
        if source and overlaps(each.cue, [cue]) and source.kind != "pronoun":
            phrase = Span(min(source.span.start, cue.start), cue.end)
            is_there = is_inside(phrase, document.evidence_of(path[:2]))
            return is_there and not overlaps(source.span, namings(document))
    return False


@rule(on="testimonies", unique_ids=True, codebook="P20")
def writer_mismatch(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """A testimony of the writer must be narrated, with the attribution `none: writer`.

    If the words name the writer, the attribution may copy them. `none: writer` is only for speakers
    of the kind `writer`.
    """
    speaker = document.speakers_by_id.get(testimony.speaker)
    if speaker is None:
        return  # reported by `unresolved_reference`
    attribution = testimony.attribution
    is_of_writer = attribution is not None and attribution.none == "writer"
    if speaker.kind != "writer":
        if is_of_writer:
            message = "`none: writer` is only for a speaker of the kind `writer`."
            hint = "Correct the speaker, or copy the words that say who speaks."
            place = document.place(*path, "attribution", "none")
            yield Finding(place, "writer-mismatch", message, (hint,))
    elif testimony.mode != "narrated":
        message = "The speaker is the writer, so the mode must be `narrated`."
        hint = "Correct the speaker or the mode."
        yield Finding(document.place(*path, "mode"), "writer-mismatch", message, (hint,))
    elif attribution and not is_of_writer and attribution.kind != "named":
        message = "The speaker is the writer, but the attribution leads to someone else."
        hint = "Correct the speaker, or write `attribution: {none: writer}`."
        yield Finding(document.place(*path, "attribution"), "writer-mismatch", message, (hint,))


@rule(on="figures", unique_ids=True, waits=True, codebook="F15")
def figure_of_another(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure must have an `attribution` if its testimony is not that of `attributed_to`.

    A figure without `attributed_to` must not have one, and must not be in what the speaker of its
    testimony says: in direct words, or in the clause that the attribution introduces.
    """
    named = document.testimony_of(figure)
    is_faulty = figure.id in document.faulty or document.content.withdrawn
    if is_faulty or bool(named) != bool(figure.testimony):
        return
    speaker = named[1].speaker if named else None
    if not {speaker, figure.attributed_to} <= document.speakers_by_id.keys() | {None}:
        return  # reported by `unresolved_reference`
    if figure.attribution:
        if figure.attributed_to is None:
            message = "An `attribution` requires `attributed_to`."
            hint = "Name the speaker, or remove the `attribution`."
            place = document.place(*path, "attribution")
            yield Finding(place, "figure-of-another", message, (hint,))
    elif figure.attributed_to is None:
        if speaker and _is_said(document, path, figure):
            message = (
                "The speaker of its testimony states this figure, but it has no `attributed_to`."
            )
            hint = "Name who states it: without `attributed_to`, it is published as the article’s."
            yield Finding(document.place(*path), "figure-of-another", message, (hint,))
    elif figure.attributed_to != speaker:
        message = "`attributed_to` is not the speaker of the testimony of this figure."
        if speaker is None:
            message = "This figure is attributed to a speaker, but is in no testimony."
        hint = "Correct it, or copy the words that say who states the figure into `attribution`."
        yield Finding(document.place(*path, "attributed_to"), "figure-of-another", message, (hint,))


def _is_said(document: Document, path: Path, figure: Figure) -> bool:
    """Return whether the words of a figure are said by the speaker of its testimony."""
    spans, named = document.evidence_of(path), document.testimony_of(figure)
    if not spans or not named:
        return False
    at, testimony = named
    if testimony.mode == "direct":
        return True
    of_speaker = [
        each for each, _ in document.mentions if document.entry_of(each).id == testimony.speaker
    ]
    if any(overlaps(spans[0], document.evidence_of(each)) for each in of_speaker):
        return False  # "The two parties are worried that it burns": the writer counts them
    words, read = _words(document, (*at, "attribution")), _read(document, spans[0], spans[0])
    if testimony.mode == "indirect" and read and overlaps(read.phrase, words):
        return is_inside(spans[0], read.content) and not read.is_of_fact(document.text)
    return False


@rule(on="mentions", unique_ids=True, codebook="P5")
def mention_of_another(
    document: Document, path: Path, _: Mention | ProtectedMention
) -> Iterator[Finding]:
    """A mention must not contain the name of another speaker, but not of the speaker it introduces.

    Possessives, and names in the mention of a group or in a description, such as "a spokesman for
    Orr", do not count.
    """
    speaker, spans = document.entry_of(path).id, document.evidence_of(path)
    described = document.speakers_by_id.get(speaker)
    if not described or described.kind == "group" or _is_description(document.text, spans):
        return
    inside = [each for each in namings(document) if is_inside(each, spans) and not each.mention]
    theirs = [each for each in inside if each.speaker != speaker and not each.is_possessive]
    # "Orr’s report": the mention of Orr ends with the name.
    ends = {each.end for each in inside if each.speaker == speaker and each.is_possessive}
    own = [each for each in inside if each.speaker == speaker and not each.is_possessive]
    if theirs and not own and ends.isdisjoint(span.end for span in spans):
        message = f"These words {_named(document, theirs[0], speaker)}."
        hint = "Move the mention to the speaker whom it introduces."
        yield Finding(document.place(*path, "evidence"), "mention-of-another", message, (hint,))


def _is_description(text: str, spans: Sequence[Span]) -> bool:
    """Return whether a mention describes a person without a name, who may work for another speaker: "a
    [Harrow] guard", "an aide of [Orr]".
    """
    line = [*tokens(text, *spans[0])] if spans else []
    phrase = phrase_at(line, 0, len(line))
    source = source_of(text, line, phrase) if phrase else None
    return source is not None and source.kind == "description"


# ---- what the words lead to ----------------------------------------------------------------------

_Form: TypeAlias = Literal["mention", "testimony", "without words"]


class _Antecedent(NamedTuple):
    """The place of a mention or of a testimony, which words can be written for."""

    start: int
    end: int
    id: str
    speaker: str
    form: _Form


@per_document
def _places(document: Document) -> dict[str, _Antecedent]:
    """Return the places of mentions, and of the words that say who speaks in testimonies."""
    found = dict[str, _Antecedent]()
    for path, mention in document.mentions:
        spans = document.evidence_of(path)
        if spans:
            speaker = document.entry_of(path).id
            found[mention.id] = _Antecedent(
                spans[0].start, spans[-1].end, mention.id, speaker, "mention"
            )
    for path, testimony in document.testimonies:
        words = _words(document, (*path, "attribution"))
        spans = words or document.evidence_of(path)
        form: _Form = "testimony" if words else "without words"
        if spans:
            start, end = spans[0].start, spans[-1].end
            found[testimony.id] = _Antecedent(start, end, testimony.id, testimony.speaker, form)
    return found


def _shown(document: Document, spans: Sequence[Span]) -> Features:
    """Return what words show of the speaker for whom they are written."""
    ranks = set()
    for rank, triggers in document.context.triggers_by_attribute.get("rank_class", {}).items():
        if triggered(document.text, spans, triggers):
            ranks.add(rank)
    text = " ".join(document.words_at(spans))
    return features(text, frozenset(ranks), with_surname_in(document, spans))


def difference_of(document: Document, words: Sequence[Span], speaker: str) -> str:
    """Return in what a speaker of a document differs from what words show of the one for whom they
    are written: "number"; "" if they can mean this speaker.
    """
    return difference(_shown(document, words), document.speakers_by_id[speaker])


@rule(on="attributions of known speakers", unique_ids=True, codebook=("P11", "T15"))
def wrong_antecedent(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """An antecedent must be the speaker's last mention before the words, or last testimony.

    The words must be able to mean this speaker: in number, sex and rank.
    """
    record, attribution = found
    spans = _words(document, path)
    place = _places(document).get(attribution.antecedent or "")
    if not spans or not place:
        return
    speaker = str(speaker_of(record))
    message = _wrong(document, place, spans[0], speaker, record.id)
    last = last_before(document, spans[0], speaker, record.id)
    named = "a mention of the speaker before the words"
    if last:
        named = f"`{last}`"
    hint = f"Name {named} in `antecedent`, or correct the speaker."
    if own(document, spans, speaker) or repeats_mention(document, spans, speaker):
        hint = "Remove `antecedent`: the words name or mention the speaker."
    differs = difference_of(document, spans, speaker)
    if not message and differs:
        message = f"These words cannot mean the speaker: the {differs} differs."
        hint = "Correct the speaker and `antecedent`, or the words."
    if not message:
        return
    field, namesakes = (*path, "antecedent"), with_surname_in(document, spans)
    if not differs and speaker in namesakes and len(namesakes) > 1:
        field = (*path[:2], _key_of_speaker(record))
        hint = _on_namesake(document, spans, speaker, last)
    yield Finding(document.place(*field), "wrong-antecedent", message, (hint,))


def last_before(document: Document, words: Span, speaker: str, *others: str) -> str:
    """Return the id of the last mention of a speaker before words, or of the last testimony whose
    words say who speaks, except others; "" if there is none.
    """
    found = list[_Antecedent]()
    for each in _places(document).values():
        is_theirs = each.speaker == speaker and each.form != "without words"
        if is_theirs and each.end <= words.start and each.id not in others:
            found.append(each)
    return max(found).id if found else ""


def _wrong(
    document: Document, place: _Antecedent, words: Span, speaker: str, record: str
) -> str | None:
    """Return a sentence about an antecedent that is not the speaker's last one, or None."""
    if place.speaker != speaker:
        other, expected = called(document, place.speaker), called(document, speaker)
        if other and expected:
            return f"The antecedent is {other}, but the speaker is {expected}."
        return "The antecedent is another speaker."
    if place.id == record or place.start >= words.start:
        return "The antecedent comes after these words."
    for each in _places(document).values():
        is_later = place.end <= each.start and each.end <= words.start
        is_alike = each.form in ("mention", place.form)
        if each.speaker == speaker and is_later and is_alike:
            return f"`{each.id}` is between the antecedent and these words."
    return None


@rule(on="attributions of known speakers", unique_ids=True, codebook="T15")
def undeclared_rival(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """If another speaker whom the words could mean is between them and the antecedent, name it.

    `rival` names one mention. With more of them, the antecedent is too far away.
    """
    record, attribution = found
    spans, place = _words(document, path), _places(document).get(attribution.antecedent or "")
    speaker = str(speaker_of(record))
    if not spans or not place or _wrong(document, place, spans[0], speaker, record.id):
        return
    between = Span(place.end, spans[0].start)
    rivals = _rivals(document, between, spans, speaker)
    left = [each for each in rivals if each.mention != attribution.rival]
    if left:
        several = " and ".join(_mentioning(document, each) for each in rivals[:_MOST_NAMED])
        message = f"Between the antecedent and these words, {several}."
        hint = "If the words do not mean this speaker, name the mention in `rival`."
        if len(rivals) > 1:
            hint = (
                "`rival` names only one. Name a nearer mention or testimony of the speaker in "
                "`antecedent`, or make words of the attribution a mention of the speaker, without "
                "`antecedent` and `rival`, or correct the speaker."
            )
        yield Finding(document.place(*path, "antecedent"), "undeclared-rival", message, (hint,))
    elif isinstance(attribution.rival, str) and not rivals:
        message = "This mention is not between the antecedent and these words, or does not fit."
        hint = "Remove `rival`."
        yield Finding(document.place(*path, "rival"), "undeclared-rival", message, (hint,))


_MOST_NAMED = 3


def _mentioning(document: Document, found: Naming) -> str:
    who = called(document, found.speaker) or "another speaker"
    return f"`{found.mention}` mentions {who}"


def rivals_between(
    document: Document, antecedent: str, words: Sequence[Span], speaker: str
) -> list[str]:
    """Return the mentions of others, between an antecedent and words, whom these could mean."""
    place = _places(document)[antecedent]
    found = _rivals(document, Span(place.end, words[0].start), words, speaker)
    return [each.mention for each in found if each.mention]


def _rivals(document: Document, between: Span, words: Sequence[Span], speaker: str) -> list[Naming]:
    """Return the mentions of other speakers in a passage whom words could mean, in order.

    Words with the name of the speaker, or an acronym of it, mean nobody else. Nor do words such as
    "the senator" after "Senator Orr" mean a speaker who is not called so.
    """
    if any(each.form != "mention" for each in own(document, words, speaker)):
        return []
    found, shown = [], _shown(document, words)
    said = " ".join(document.words_at(words))
    meant = document.speakers_by_id[speaker]
    for each in namings(document):
        is_between = between.start <= each.start and each.end <= between.end
        is_other = each.mention and is_between and each.speaker != speaker
        other = document.speakers_by_id[each.speaker]
        is_fitting = is_other and not difference(shown, other)
        is_possible = is_fitting and can_rival(said, meant, other)
        if is_possible and not describes_only(document, words[0], speaker, each.speaker):
            found.append(each)
    return found


@rule(on="attributions of known speakers", unique_ids=True, codebook="T16")
def wrong_continuation(document: Document, path: Path, found: Attributed) -> Iterator[Finding]:
    """Speech continues only that of an adjacent testimony of the same speaker."""
    record, attribution = found
    if not attribution.continues or not isinstance(record, Testimony):
        return
    words = document.evidence_of(path[:2])
    message = not_continued(document, words, record.speaker, attribution.continues)
    if message:
        hint = (
            "Copy the words that say who speaks, correct the speaker, or write `none: unclear` if "
            "no words in the sentence say who speaks."
        )
        yield Finding(document.place(*path, "continues"), "wrong-continuation", message, (hint,))


def not_continued(
    document: Document, words: Sequence[Span], speaker: str, continues: str
) -> str | None:
    """Return a sentence about a testimony in some words if its speaker cannot continue the one that
    it names, or None.
    """
    found = document.testimonies_by_id.get(continues)
    if not found or not words:
        return None
    at, testimony = found
    here, there = extent(words), _evidence(document, at)
    if testimony.speaker != speaker or there == here:
        return "This testimony has another speaker, or is the same one."
    near = with_neighbours(document.text, sentences_around(document.text, here))
    if there and not overlaps(there, [near]):
        return "This testimony is not in an adjacent sentence."
    first, second = sorted([there or here, here])
    between = Span(first.end, second.start) if there else here
    for each in namings(document):
        if each.speaker != speaker and overlaps(each, [between]):
            return "Another speaker is named or mentioned between the two testimonies."
    return None
