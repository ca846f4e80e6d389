"""Rules on testimonies: their parts, mode and themes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.anchors import left_out
from defectors_data.evidence.annotated_document import Document, codes_of
from defectors_data.evidence.completeness_ledger import ledger_of, outermost_quotations_of
from defectors_data.evidence.consistency import is_cut, missing_marks
from defectors_data.evidence.value_spans import contradiction, unprinted_part, years_in
from defectors_data.models.annotation import Act, Happened, Motive, Testimony, Where
from defectors_data.models.closed_vocabularies import FEAR_FOR_RELATIVES
from defectors_data.models.fields import Part
from defectors_data.rules.attribution.fit import PRONOUNS
from defectors_data.rules.attribution.persons import attributed_words, lacks_attribution, own
from defectors_data.rules.attribution.roles import may_deny
from defectors_data.rules.engine import rule
from defectors_data.text import english
from defectors_data.text.attributions import attributions, verbs
from defectors_data.text.detection import APOSTROPHES, MARKS, marks_around
from defectors_data.text.english.relatives import are_relatives
from defectors_data.text.offsets import (
    Span,
    SpanIndex,
    are_inside,
    extent,
    is_inside,
    overlaps,
    sentences_around,
    surroundings,
)
from defectors_data.text.omissions import (
    IN_DOUBT,
    before_in_clause,
    condition_before,
    denies_all_leaving,
    denies_leaving,
    denies_reason,
    governing,
    is_negated_next,
    negation_next,
)
from defectors_data.text.wording_differences import has_negation, hidden_negation


@rule(on="parts of direct testimonies", codebook="T10")
def direct_without_quotation_marks(
    document: Document, path: Path, found: tuple[Part, Span]
) -> Iterator[Finding]:
    """Direct parts must be between quotation marks or be block quotations.

    A dash at the beginning of a paragraph counts as an opening quotation mark. If the seed omits a
    quotation mark, `unbalanced` says which one. A block quotation has none: whole paragraphs after
    a line such as "Ada said:".
    """
    part, span = found
    missing = missing_marks(document, part, span)
    if missing and _has_typed_marks(part.text, missing):
        message, hint = (
            "These words include their quotation marks.",
            "Copy only the words between the marks.",
        )
    elif len(missing) > 1:
        message = "There is no quotation mark before or after these words."
        hint = (
            "Copy the words between the marks, or the whole paragraph after a line such as `Ada said:`; "
            "or correct `mode`."
        )
    elif missing:
        side = "before" if missing == ["opening"] else "after"
        message = f"There is no {missing[0]} quotation mark {side} these words."
        hint = (
            "Copy the words between the marks. If the seed omits this mark, add `unbalanced: "
            f"{missing[0]}`."
        )
    # Words between two quotations also have a quotation mark on each side.
    elif all(marks_around(document.text, span)) and not _is_quoted(document, span):
        message = "These words are between two quotations, or extend over more than one."
        hint = "Make each quotation a separate part."
    else:
        return
    yield Finding(document.place(*path), "direct-without-quotation-marks", message, (hint,))


def _has_typed_marks(words: str, missing: Sequence[str]) -> bool:
    """Return whether the words include the missing quotation marks.

    A single apostrophe does not count as one.
    """
    ends = []
    for name in missing:
        index = 0 if name == "opening" else -1
        ends.append(words[index])
    return all(end in MARKS for end in ends) and (len(ends) > 1 or ends[0] not in APOSTROPHES)


def _is_quoted(document: Document, span: Span) -> bool:
    # In a text that is not searched, only the marks next to the words are known.
    return not document.claims_completeness or is_inside(span, ledger_of(document).quotations)


@rule(on="unbalanced parts", codebook="T10")
def mark_not_missing(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """`unbalanced` is only for a part of a direct testimony whose quotation mark is omitted."""
    part, span = found
    opened, closed = marks_around(document.text, span)
    if not _is_direct(document, path):
        message = "Only a part of a direct testimony can be unbalanced."
        yield Finding(document.place(*path), "mark-not-missing", message)
    elif opened if part.unbalanced == "opening" else closed:
        message = f"The seed has the {part.unbalanced} quotation mark."
        yield Finding(document.place(*path), "mark-not-missing", message, ("Remove `unbalanced`.",))


def _is_direct(document: Document, path: Path) -> bool:
    return any(path == direct for direct, _ in document.direct_parts)


@rule(on="unbalanced parts", codebook="T10")
def quotation_truncated(
    document: Document, path: Path, found: tuple[Part, Span]
) -> Iterator[Finding]:
    """Where the seed omits a mark, a part must extend to the quotation's end or attribution."""
    if _is_direct(document, path) and is_cut(document, *found):
        message = "Words of this quotation are missing on the side without a quotation mark."
        hint = (
            "Without a closing mark, copy up to the end of the paragraph; without an opening one, "
            "from the start of "
            "the sentence. Only the words that name the speaker may be left out."
        )
        yield Finding(document.place(*path), "quotation-truncated", message, (hint,))


@rule(on="testimonies", codebook="T2")
def testimony_across_paragraphs(document: Document, path: Path, _: Testimony) -> Iterator[Finding]:
    """All words of a testimony must be in the same paragraph."""
    spans = document.evidence_of(path)
    if not spans or "\n" not in document.text[spans[0].start : spans[-1].end]:
        return
    broken = next((i for i, span in enumerate(spans) if "\n" in document.text[slice(*span)]), None)
    if broken is None:
        message = "The parts of this testimony are in different paragraphs."
        place = document.place(*path, "evidence")
    else:
        message = "These words include a line break, and each line of a seed is a paragraph."
        place = document.place(*path, "evidence", broken, "text")
    yield Finding(
        place,
        "testimony-across-paragraphs",
        message,
        ("Make each paragraph a separate testimony.",),
    )


@rule(on="evidence of several parts", codebook="E4")
def omission_changes_meaning(
    document: Document, path: Path, spans: tuple[Span, Span]
) -> Iterator[Finding]:
    """No negation may be left out between two parts of evidence.

    Whole sentences may be left out, and so may the words between two quotations. Before the first
    part of an indirect or narrated testimony, neither a negation of its clause may be left out nor
    words on which it depends, as in "she hoped that" and "if it rained". Nor may one directly before
    the words of a motive or an act: "we never beat anyone".
    """
    before, after = spans
    if hidden := hidden_negation(document.text, before, after):
        message, hint = left_out(hidden, Span(before.start, after.end), document.text)
        yield Finding(document.place(*path, "text"), "omission-changes-meaning", message, (hint,))


@rule(on="testimonies", code="omission-changes-meaning")
def left_out_before_evidence(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """Report a negation, a verb or a condition that is left out before a testimony in its clause."""
    spans = document.evidence_of(path)
    is_exempt = testimony.mode == "direct" or not document.claims_completeness
    # Words between quotation marks are reported by `quotation-not-direct`.
    if not spans or is_exempt or ledger_of(document).quoted.contains(*spans[0]):
        return
    first, clause = spans[0], _attributed_clause(document, spans[0])
    start = before_in_clause(document.text, first, clause)
    condition = None
    if clause:
        condition = condition_before(document.text, first, clause)
    is_dependent = bool(condition) or (clause is not None and _depends(document, path, start))
    is_denied = _is_denied(document, path, testimony, start)
    if condition:
        start = condition.start
    if is_denied or is_dependent:
        left = document.text[start : first.start].strip()
        message, hint = left_out(left, Span(start, first.end), document.text)
        if not is_denied:
            message = f"Words on which these depend are left out: “{left}”."
        place = document.place(*path, "evidence", 0, "text")
        yield Finding(place, "omission-changes-meaning", message, (hint,))


@rule(on="testimonies", code="omission-changes-meaning")
def left_out_before_later_part(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """Report a doubt, a denial or the like that is left out before a later part of a testimony."""
    spans = document.evidence_of(path)
    is_coded = testimony.stance in ("denies", "doubts")
    if is_coded or not document.claims_completeness:
        return
    for i, (before, after) in enumerate(pairwise(spans), start=1):
        hit = _governing_later(document, before, after)
        if hit is None or overlaps(hit, [*spans, *_attributing(document, path)]):
            continue
        whole = Span(hit.start, after.end)
        _, hint = left_out("", whole, document.text)
        left = document.text[hit.start : after.start].strip(" ,")
        message = f"Words on which these depend are left out: “{left}”."
        if testimony.mode == "direct":
            hint = "Make this part another testimony, with a stance."
        place = document.place(*path, "evidence", i, "text")
        yield Finding(place, "omission-changes-meaning", message, (hint,))


def _governing_later(document: Document, before: Span, after: Span) -> Span | None:
    """Return words between two parts that deny or doubt the later one or leave it open, or None."""
    text, first = document.text, Span(after.start, after.start + 1)
    start = max(before.end, sentences_around(text, first).start)
    found = attributed_words(document).attribution_of(first)
    if found and start <= found.cue.start and found.cue.end <= after.start:
        doubt = IN_DOUBT.search(text, *found.phrase)
        if doubt or found.stance_in(text) in ("denies", "doubts"):
            if doubt:
                return Span(doubt.start(), doubt.end())
            return found.cue
    hit = governing(text, before_in_clause(text, after, Span(start, after.end)), after)
    verb = None
    if hit:
        verb = english.reporting_verbs().get(text[slice(*hit)].lower())
    is_speech = verb is not None and verb.kind == "speech" and verb.stance in ("", "asserts")
    return None if is_speech else hit


def _is_denied(document: Document, path: Path, testimony: Testimony, start: int) -> bool:
    """Return whether words before evidence deny it, and neither a stance nor the attribution."""
    first = document.evidence_of(path)[0]
    left = document.text[start : first.start]
    is_in_clause = _attributed_clause(document, first) is not None
    is_negated = has_negation(left) if is_in_clause else is_negated_next(left)
    is_coded = testimony.stance in ("denies", "doubts")
    is_in_attribution = has_negation(document.words((*path, "attribution", "words")) or "")
    return is_negated and not is_coded and not is_in_attribution


def _attributed_clause(document: Document, words: Span) -> Span | None:
    """Return the content of an attribution in which some words begin, or None."""
    found = attributed_words(document).attribution_of(Span(words.start, words.start + 1))
    pieces = found.content if found else ()
    return next((each for each in pieces if each.start <= words.start < each.end), None)


def _depends(document: Document, path: Path, start: int) -> bool:
    """Return whether evidence depends on words before it: "hoped that", "rumors that"."""
    verb = governing(document.text, start, document.evidence_of(path)[0])
    return verb is not None and not overlaps(verb, _attributing(document, path))


# ---- mode and themes -----------------------------------------------------------------------------


@rule(on="indirect testimonies", unique_ids=True, codebook="T7")
def indirect_without_reporting_verb(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """The words or the attribution of indirect speech must have a verb outside quotation marks.

    It is a reporting verb, a verb for what someone wants or rejects ("opposed") or, in the
    attribution, any word that neither names nor mentions the speaker. Speech that continues, or
    whose attribution has no words, needs no verb.
    """
    spans, attributing = document.evidence_of(path), _attributing(document, path)
    has_no_words = testimony.attribution is not None and not testimony.attribution.words
    is_reported = lacks_attribution(document, testimony)
    words = [*spans, *attributing]
    if not spans or has_no_words or is_reported or _verbs(document, words):
        return
    found = attributed_words(document).found
    if any(each.is_reported and is_inside(each.cue, words) for each in found):
        return
    if not _has_more_than_name(document, attributing, testimony.speaker):
        message = (
            "These words and their attribution have no reporting verb outside quotation marks."
        )
        hint = "Include the verb in the `attribution`, such as `Ada said`, or correct `mode`."
        place = document.place(*path, "mode")
        yield Finding(place, "indirect-without-reporting-verb", message, (hint,))


@rule(on="testimonies", codebook="T7")
def quotation_not_direct(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Words between quotation marks must be direct.

    They may be indirect if the person quoted reports them: if the words that say who speaks are
    between the same quotation marks.
    """
    spans, attribution = document.evidence_of(path), testimony.attribution
    is_of_writer = attribution is not None and attribution.none == "writer"
    if testimony.mode == "direct" or not spans or not attribution or is_of_writer:
        return
    quoted = outermost_quotations_of(document) if document.claims_completeness else []
    reported = overlaps(spans[0], _quotations_with(quoted, _attributing(document, path)))
    if are_inside(spans, quoted) and not reported:
        message = f"These words are between quotation marks, but the mode is `{testimony.mode}`."
        hint = "Write `mode: direct`, or copy the words outside the quotation marks, too."
        yield Finding(document.place(*path, "mode"), "quotation-not-direct", message, (hint,))


def _quotations_with(quoted: Sequence[Span], words: Sequence[Span]) -> list[Span]:
    """Return the quotations that contain some words."""
    return [span for span in quoted if overlaps(span, words)]


@rule(on="narrated testimonies", codebook="T7")
def narrated_with_reporting_verb(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """In a narrated testimony, the person must not be the subject of a verb of speech.

    The verb is permitted if the `attribution` is `about` and includes it, because it then reports
    no speech. What the writer says may contain any verb.
    """
    attribution, attributing = testimony.attribution, _attributing(document, path)
    if attribution is None or not attributing:
        return
    found = [] if attribution.about else _verbs(document, attributing)
    for verb in _verbs(document, document.evidence_of(path)):
        is_included = is_inside(verb, attributing)
        if not is_included and _speaks(document, verb, attributing):
            found.append(verb)
    if found:
        message = f"These words contain the reporting verb `{document.text[slice(*found[0])]}`."
        hints = (
            "If it reports what the speaker says, the mode is `indirect`.",
            "If it does not, include the verb in the `attribution`, with `about: true`.",
        )
        yield Finding(document.place(*path, "mode"), "narrated-with-reporting-verb", message, hints)


def _has_more_than_name(document: Document, words: Sequence[Span], speaker: str) -> bool:
    """Return whether some words contain more than names and mentions of a speaker and pronouns."""
    named = own(document, words, speaker)
    for start, end in words:
        for hit in re.finditer(r"[^\W\d_]+", document.text[start:end]):
            span = Span(start + hit.start(), start + hit.end())
            if hit[0].lower() not in PRONOUNS and not overlaps(span, named):
                return True
    return False


def _speaks(document: Document, verb: Span, persons: Sequence[Span]) -> bool:
    """Return whether some words are the source of a verb that is not one of thought."""
    quoted = outermost_quotations_of(document)
    for each in attributions(document.text, quoted, verb):
        if overlaps(each.cue, [verb]) and each.source and not each.is_thought:
            return overlaps(each.source.span, persons)
    return False


def _attributing(document: Document, path: Path) -> tuple[Span, ...]:
    """Return the places of the words of the attribution of a testimony."""
    return document.at((*path, "attribution", "words"))


def _verbs(document: Document, spans: Sequence[Span]) -> list[Span]:
    return reporting_verbs(document.text, spans, ledger_of(document).quoted)


# ---- codes ---------------------------------------------------------------------------------------


@rule(on="testimonies", codebook="C1")
def code_missing(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """In a corpus whose vocabulary has `factors` or `act_kinds`, each testimony must be coded.

    It then has `access` and `outlet_kind`; the other codes stay empty where the words say nothing.
    An act against relatives requires `relatives`.
    """
    required = document.context.codes_required
    missing = [f"`{key}`" for key in required if getattr(testimony, key) is None]
    if missing:
        message = f"This testimony has no {' and no '.join(missing)}."
        hint = "`not_stated` is a value: use it where the words do not say it."
        yield Finding(document.place(*path), "code-missing", message, (hint,))


@rule(on="testimonies", code="code-missing")
def relatives_missing(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Report a testimony without `relatives` that has an act against relatives or a reason of fear
    for them, if roles of the corpus are at risk.
    """
    if testimony.relatives or not document.context.roles_at_risk:
        return
    key = ""
    for i, act in enumerate(testimony.acts):
        if are_relatives(document.words((*path, "acts", i, "against")) or ""):
            key = "acts" if act.status != "denied" else key
    if any(motive.factor == FEAR_FOR_RELATIVES for motive in testimony.motives):
        key = "motives"
    if key:
        message = f"By `{key}`, relatives are harmed or at risk, but there is no `relatives`."
        hint = "Write `relatives: harmed` or `at_risk`: people are hidden by it."
        yield Finding(document.place(*path, key), "code-missing", message, (hint,))


@rule(on="testimonies", codebook="C2")
def outlet_kind_mismatch(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """`outlet` must name the other outlet if `outlet_kind` is `other`, and only then."""
    kind, outlet = testimony.outlet_kind, testimony.outlet
    if kind == "other" and outlet is None:
        message, hint = "The other outlet is not named.", "Add `outlet`, or correct `outlet_kind`."
    elif kind in ("own", "not_stated") and outlet is not None:
        message = f"`outlet` names another outlet, but `outlet_kind` is `{kind}`."
        hint = "Remove `outlet`, or write `outlet_kind: other`."
    else:
        return
    yield Finding(document.place(*path, "outlet_kind"), "outlet-kind-mismatch", message, (hint,))


@rule(on="testimonies", codebook="C3")
def means_without_departure(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """`departure_means` must only be given for a testimony with `departure: true`."""
    if testimony.departure_means and not testimony.departure:
        message = "The words give the means of a departure, but `departure` is not true."
        hint = "Add `departure: true` if the speaker's own departure is meant."
        place = document.place(*path, "departure_means")
        yield Finding(place, "means-without-departure", message, (hint,))


@rule(on="testimonies", code="means-without-departure")
def departure_of_institution(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """Report the departure of an institution, which does not leave."""
    speaker = document.speakers_by_id.get(testimony.speaker)
    if testimony.departure and speaker and speaker.kind == "institution":
        message = "The speaker is an institution, but `departure` is true."
        hint = "`departure` is for the speaker’s own leaving: remove it, or correct the speaker."
        place = document.place(*path, "departure")
        yield Finding(place, "means-without-departure", message, (hint,))


@rule(on="dates of testimonies", codebook="C4")
def date_basis_mismatch(document: Document, path: Path, happened: Happened) -> Iterator[Finding]:
    """A resolved date must have `how`, and no other date has it.

    The year, month and day of any other date must be printed in the source, and its words must
    print no other. The year may instead be that of publication.
    """
    if happened.basis == "resolved" and happened.how is None:
        message, hint = "It is not said how this date was resolved.", "Add `how`."
    elif happened.basis != "resolved" and happened.how is not None:
        message = f"`how` is for a resolved date, but the basis is `{happened.basis}`."
        hint = "Remove `how`, or write `basis: resolved`."
    elif happened.basis != "resolved" and (missing := _unprinted(document, path, happened)):
        message = f"The source does not print {missing}."
        hint = "Write what is printed, with XXXX for any other year, or `basis: resolved`."
    else:
        return
    yield Finding(document.place(*path, "date"), "date-basis-mismatch", message, (hint,))


@rule(on="dates of testimonies", codebook="C4")
def date_words_mismatch(document: Document, path: Path, happened: Happened) -> Iterator[Finding]:
    """A date must fit its words and the publication.

    From publication, `last month`, `this year` and `yesterday` are counted. Nothing that is
    reported as past may be after it.
    """
    spans = document.at((*path, "words"))
    is_stated = happened.basis != "resolved"
    if not spans or (is_stated and _unprinted(document, path, happened)):
        return  # reported by `date_basis_mismatch`
    wrong = contradiction(document, happened.date, extent(spans))
    if wrong:
        hint = "Correct the date, its words, or the date of publication."
        yield Finding(document.place(*path, "date"), "date-words-mismatch", wrong, (hint,))


def _unprinted(document: Document, path: Path, happened: Happened) -> str | None:
    spans = document.at((*path, "words"))
    if not spans:
        return None
    words = extent(spans)
    published = document.source.published
    if published is None:
        return unprinted_part(document, happened.date, words)
    return unprinted_part(document, happened.date, words, years_in(published.value))


@rule(on="codes of testimonies", codebook="C5")
def code_words_elsewhere(
    document: Document, path: Path, code: Motive | Act | Happened | Where
) -> Iterator[Finding]:
    """The words of a code must be in the testimony, its sentences or, where allowed, next to them.

    Words of an act and of a motive in the speaker's own words are in the sentences of the
    testimony; those of a motive with `link: adjacent` may be in the sentence before or after; those
    of a date or a place, in the paragraph.
    """
    evidence, words = document.evidence_of(path[:2]), document.at((*path, "words"))
    if not evidence or not words:
        return
    own, near, paragraph = surroundings(document.text, extent(evidence))
    allowed, where = own, "in the sentences of the testimony"
    if isinstance(code, Happened | Where):
        allowed, where = paragraph, "in the paragraph of the testimony"
    elif isinstance(code, Motive) and code.link == "adjacent":
        allowed, where = near, "in the testimony or in the sentence before or after it"
    if not are_inside(words, [allowed]):
        message = f"These words are not {where}."
        hint = "Copy words of the testimony, or extend its evidence."
        yield Finding(document.place(*path, "words"), "code-words-elsewhere", message, (hint,))


@rule(on="codes of testimonies", codebook="C6")
def place_not_in_words(
    document: Document, path: Path, code: Motive | Act | Happened | Where
) -> Iterator[Finding]:
    """The words of a place must contain one of its spellings in the vocabulary."""
    if not isinstance(code, Where) or code.place not in document.context.spellings:
        return
    words = document.words((*path, "words"))
    spellings = document.context.spellings[code.place]
    if words is not None and not any(spelling in words for spelling in spellings):
        message = "These words contain no spelling of this place."
        hint = f"Its spellings in the vocabulary are: {', '.join(spellings)}."
        yield Finding(document.place(*path, "words"), "place-not-in-words", message, (hint,))


_REACH = 20
"""Number of code points in which the word before a name is looked for."""
_AGENT = re.compile(r"(?i)\b(?:by|at the hands of)\s+$")
_VICTIM = re.compile(r"(?i)\bagainst\s+$")
_NOT_OBJECT = re.compile(r"(?i)\b(?:by|for|from|in|of|through|to|under|with)\s+$")
_RELATIVE = re.compile(r"(?i)[.!?;:\n]|\b(?:that|which|who|whom|whose)\b")


@rule(on="codes of testimonies", codebook="C8")
def act_text_mismatch(
    document: Document, path: Path, code: Motive | Act | Happened | Where
) -> Iterator[Finding]:
    """Who did an act and whom it harmed must not be exchanged.

    "By" precedes who did it, and "against" whom it harmed. Without such a word, the subject did it:
    in "agents beat him", the agents.
    """
    against, by = document.at((*path, "against")), document.at((*path, "by"))
    if not isinstance(code, Act):
        return
    message = None
    if _follows(document, _AGENT, against):
        message, key = "The words before `against` say that these did it.", "against"
    elif _follows(document, _VICTIM, by):
        message, key = "The words before `by` say that these were harmed.", "by"
    elif against and by and _is_subject(document, path, against[-1], by[0]):
        message, key = "These are the object of the verb, and `against` has its subject.", "by"
    if message:
        hint = "Exchange `against` and `by`, or copy the words that name them."
        yield Finding(document.place(*path, key), "act-text-mismatch", message, (hint,))


def _follows(document: Document, before: re.Pattern[str], spans: Sequence[Span]) -> bool:
    """Return whether a word directly precedes one of some spans."""
    starts = [span.start for span in spans]
    return any(before.search(document.text, max(0, at - _REACH), at) for at in starts)


def _is_subject(document: Document, path: Path, against: Span, by: Span) -> bool:
    """Return whether a verb of an act is between `against`, its subject, and `by`, its object."""
    between = Span(against.end, by.start)
    words = document.at((*path, "words"))
    if between.start >= between.end or not words or words[-1].end > by.end:
        return False
    gap = document.text[slice(*between)]
    is_split = _RELATIVE.search(gap) or _NOT_OBJECT.search(gap)
    return bool(gap.strip()) and not is_split and overlaps(between, words)


@rule(on="lists of codes", codebook="C7")
def duplicate_code(
    document: Document, path: Path, codes: tuple[Motive, ...] | tuple[Act, ...]
) -> Iterator[Finding]:
    """A testimony must not have the same motive or the same act twice."""
    for i, code in enumerate(codes):
        if code in codes[:i]:
            message = "This code is listed twice."
            yield Finding(document.place(*path, i), "duplicate-code", message, ("Remove one.",))


# ---- codes of what is denied ---------------------------------------------------------------------


@rule(on="testimonies", code="omission-changes-meaning")
def left_out_before_code(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Report a negation directly before the words of a motive or an act that is not denied."""
    for at, code, words, sentence in _words_of_codes(document, path, testimony):
        if isinstance(code, Act):
            is_coded = code.status == "denied"
            instead = "write `status: denied`"
        else:
            is_coded = not isinstance(code, Motive) or testimony.stance in ("denies", "doubts")
            instead = "remove the motive"
        of_reason = isinstance(code, Motive)
        left = negation_next(document.text, words, sentence, of_reason=of_reason)
        if left and not is_coded:
            message = f"Words with a negation are left out: “{left}”."
            hint = f"If they deny this, {instead}. If not, copy them, too."
            place = document.place(*at, "words", 0, "text")
            yield Finding(place, "omission-changes-meaning", message, (hint,))


@rule(on="testimonies", code="denied-without-stance")
def denied_code(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Report an act whose status does not fit, and a reason or a date for a departure that is denied."""
    for at, code, words, sentence in _words_of_codes(document, path, testimony):
        key, message, hint = "words", None, "Remove this code."
        if isinstance(code, Act):
            key = "status"
            message, hint = _wrong_status(document, path, testimony, code, sentence)
        elif testimony.stance in ("denies", "doubts"):
            continue
        elif isinstance(code, Motive) and code.direction != "barrier":
            # `left_out_before_code` reports "not because of".
            is_reported = negation_next(document.text, words, sentence, of_reason=True)
            if not is_reported and denies_reason(document.text, words, sentence):
                message = "By these words, nobody left or rose for this reason."
                hint = "A reason that is denied is no motive; one for which people stay is a `barrier`."
        elif isinstance(code, Happened):
            is_denied = denies_leaving(document.text, words, sentence)
            if is_denied and code.of == "departure":
                message = "By the words before these, nobody left at that time."
        if message:
            yield Finding(document.place(*at, key), "denied-without-stance", message, (hint,))
    evidence = document.words((*path, "evidence"))
    is_read = document.claims_completeness and evidence is not None
    if testimony.departure and is_read and denies_all_leaving(str(evidence)):
        message = "By these words, the speaker did not leave, but `departure` is true."
        place = document.place(*path, "departure")
        yield Finding(place, "denied-without-stance", message, ("Remove `departure`.",))


def _wrong_status(
    document: Document, path: Path, testimony: Testimony, act: Act, sentence: Span
) -> tuple[str | None, str]:
    """Return a sentence about a status that does not fit a denial, or None, and what to do."""
    may_be_denied = False
    for span in (sentence, *_attributing(document, path)):
        may_be_denied |= may_deny(document.text[slice(*span)])
    message, hint = None, "Correct `status`, or copy the words that deny."
    if act.status == "denied" and testimony.stance != "denies" and not may_be_denied:
        message = "No word of this sentence denies anything, but the status is `denied`."
    elif act.status != "denied" and testimony.stance == "denies" and may_be_denied:
        message = f"The stance is `denies`, but the status of this act is `{act.status}`."
        hint = "Write `status: denied`, or make what is not denied another testimony."
    return message, hint


def _words_of_codes(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[tuple[Path, Motive | Act | Happened, Span, Span]]:
    """Yield the motives, acts and date of a testimony, with their path, words and sentences.

    Texts that are not read have none.
    """
    for at, code in codes_of(path, testimony):
        spans = document.at((*at, "words"))
        if spans and document.claims_completeness and not isinstance(code, Where):
            words = extent(spans)
            yield at, code, words, sentences_around(document.text, words)


# ---- words of a text -----------------------------------------------------------------------------


def reporting_verbs(
    text: str, spans: Sequence[Span], quoted: SpanIndex | None = None
) -> list[Span]:
    """Return the reporting verbs inside the given spans and outside quotation marks.

    Args:
        text: The text of a seed.
        spans: The spans of the text to search.
        quoted: The quotations of the text; None to detect them.
    """
    inside = SpanIndex((*span, 0) for span in spans)
    # One search around all spans; verbs between them are dropped below.
    start = min((span.start for span in spans), default=0)
    end = max((span.end for span in spans), default=0)
    around = Span(start, end)
    return [verb for verb in verbs(text, around, quoted) if inside.contains(*verb)]
