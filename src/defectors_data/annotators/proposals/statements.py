"""The statements and numbers of an article that no record covers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.kinds_of_names import share_of_group
from defectors_data.annotators.proposals.attributions import (
    NO,
    attributed_words,
    reason_of_quotation,
)
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.attributions.proposed import is_rarely_said, is_uncertain
from defectors_data.text.detection import Detection
from defectors_data.text.english import cue_words, reporting_verbs
from defectors_data.text.english.languages import is_english
from defectors_data.text.english.possible_cues import FEWEST_POINTS
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span, any_overlap, is_inside, overlaps, sentence_ends


def not_searched(document: Document) -> str:
    """Return a sentence that says that a text was not searched."""
    source = document.source
    reason = f"`{source.language}` is not read"
    if is_english(source.language):
        reason = "`completeness: none`"
    return f"{source.seed} was not searched for quotations, numbers and ages: {reason}."


@per_document
def groups(document: Document) -> list[list[Detection]]:
    """Return the uncovered detections in reading order; the parts of one quotation form a group.

    A quotation inside another one is left out.
    """
    found = list[list[Detection]]()
    quotation: list[Detection] = []
    for entry in ledger_of(document).left():
        each = entry.detection
        if each.kind != "quotation":
            found.append([each])
        elif quotation and each.end <= quotation[-1].end:
            continue
        elif quotation and reason_of_quotation(document, each.span) == "title":
            found.append([each])
        elif quotation and _continues(document, quotation[-1], each):
            quotation.append(each)
        else:
            quotation = [each]
            found.append(quotation)
    return found


_LONGEST = 200
"""Maximum length of an attribution between two parts of a quotation, in code points."""


def _continues(document: Document, first: Detection, second: Detection) -> bool:
    """Return whether a quotation continues another one, without its own attribution.

    An attribution is found between the two, and at most the end of its sentence.
    """
    text = document.text
    between = text[first.end : second.start]
    # A full stop at the end of the first part, or a new paragraph, ends the speech.
    if _OMISSION.fullmatch(between) or (first.unclosed and not re.search(r"[\w\n]", between)):
        return True
    if text[first.end - 1] == "." or "\n" in between or len(between) > _LONGEST:
        return False
    attributed = attributed_words(document)
    one, other = attributed.attribution_of(first), attributed.attribution_of(second)
    cues = [each.cue for each in attributed.found if first.end <= each.cue.start < second.start]
    if one is None or cues != [one.cue]:
        return False
    # Words after the sentence with the attribution mean that another sentence intervenes.
    end = sentence_end(text, first.end)
    return other in (one, None) and not re.search(r"\w", text[end : second.start])


_OMISSION = re.compile(r"[\"”’']*\s*(?:…|\.{3}|\. \. \.)\s*[\"“‘']*")


def sentence_end(text: str, start: int) -> int:
    """Return the offset of the end of the sentence or paragraph that contains an offset."""
    mark = next(sentence_ends(text, start), None)
    return mark.start if mark else len(text)


@per_document
def unclaimed(document: Document) -> list[FoundAttribution]:
    """Return the attributions that nothing covers: no testimony, waiver or boilerplate.

    A cue is covered if it is in the evidence of a testimony, or if direct evidence is its content.
    """
    inside, direct = _recorded(document), list[Span]()
    for path, testimony in document.testimonies:
        if testimony.mode == "direct":
            direct += document.evidence_of(path)
    for path, _ in document.waivers:
        inside += document.evidence_of(path)
    found = []
    for each in attributed_words(document).found:
        attributes_direct = any_overlap(each.content, direct)
        if not (overlaps(each.cue, inside) or attributes_direct):
            found.append(each)
    return found


def _recorded(document: Document) -> list[Span]:
    """Return the boilerplate and the evidence of the testimonies."""
    spans = [*document.at(("source", "boilerplate"))]
    for path, _ in document.testimonies:
        spans += document.evidence_of(path)
    return spans


_SPOKEN_END = (",", ".", "?", "!", "…")


@per_document
def unclaimed_clauses(document: Document) -> list[Span]:
    """Return the words of reported speech that nothing covers and that are not only quotations.

    Words after a quotation that ends as a sentence or before a comma are not part of what is said:
    `"I saw it," Ada said, and she left.`
    """
    found: list[Span] = []
    is_last_sure = False
    for each in unclaimed(document):
        is_kept = is_drafted(document.text, each) and not _is_underlined(document, each)
        if not (is_kept and _is_reported(document, each)):
            continue
        words, is_sure = _before_quotation(document, each), each.verb in reporting_verbs()
        if overlaps(words, found[-1:]):
            # "Orr, citing a poll, said that it was shut" is one statement.
            is_parenthesis = is_inside(found[-1], [each.phrase])
            if not is_parenthesis and (is_last_sure or not is_sure):
                continue
            found.pop()
        found.append(words)
        is_last_sure = is_sure
    return found


def statements(document: Document) -> list[list[Span]]:
    """Return the words of each testimony that nothing covers, in order: the parts of quotations, and
    the clauses of reported speech.
    """
    blocks = [each.content[0] for each in unclaimed(document) if each.is_of_block]
    clauses = [*unclaimed_clauses(document), *blocks]
    found = [[each] for each in clauses]
    for group in groups(document):
        spans = [each.span for each in group]
        is_spoken = group[0].kind == "quotation" and not reason_of_quotation(document, spans[0])
        outside = [span for span in spans if not is_inside(span, clauses)]
        if is_spoken and outside:
            found.append(_with_clause_of_fragment(document, outside))
    return sorted(found)


_GOES_ON = re.compile(r"[\"”’'»]+ [a-z]")


def _with_clause_of_fragment(document: Document, spans: list[Span]) -> list[Span]:
    """Return the reported clause of which a quotation is only some words, with the noun after them:
    'committed itself to "free and fair" polls'; other quotations as they are.
    """
    words, text = document.text[slice(*spans[0])], document.text
    found = attributed_words(document).attribution_of(spans[0]) if len(spans) == 1 else None
    is_fragment = words[0].islower() and words[-1].isalnum() and _GOES_ON.match(text, spans[0].end)
    if not is_fragment or found is None or found.source is None or found.is_sure:
        return spans
    whole = clause(document, found)
    is_known = is_inside(spans[0], [whole]) and found.verb in cue_words()
    return [whole] if is_known else spans


@per_document
def possible_statements(document: Document) -> list[Span]:
    """Return words that may be a statement, and are not in one or in a draft of one.

    Four of ten are, so that nothing is drafted from them: the workbench underlines them.
    """
    taken = [*unclaimed_clauses(document)]
    for group in groups(document):
        taken += [each.span for each in group if each.kind == "quotation"]
    found: list[Span] = []
    for each in unclaimed(document):
        is_possible = each.points >= FEWEST_POINTS or _is_underlined(document, each)
        if is_possible and _is_reported(document, each) and not _is_request(document.text, each):
            words = clause(document, each)
            if not overlaps(words, [*taken, *found[-1:]]):
                found.append(words)
    return sorted(found)


def is_drafted(text: str, found: FoundAttribution) -> bool:
    """Return whether an attribution is likely enough, and its source clear enough, for a draft."""
    is_likely = found.is_sure or found.is_likely(text)
    is_rare = _is_of_share(text, found) or is_rarely_said(text, found)
    return is_likely and not (_is_request(text, found) or is_rare)


def _is_of_share(text: str, found: FoundAttribution) -> bool:
    """Return whether an attribution is a share of persons, whom a survey counts, and who do not speak:
    "one in three are concerned", but not "half of the keepers said".
    """
    verb = cue_words().get(found.verb)
    is_said = verb is not None and verb.kind in ("speech", "stance", "thought")
    is_said &= not text.startswith("to ", found.content[0].start)  # "were planning to leave"
    is_share = found.source is not None and share_of_group(text, found.source, found.cue)
    return bool(is_share) and not is_said


def _is_underlined(document: Document, found: FoundAttribution) -> bool:
    """Return whether words without a quotation, which needs a record, are too uncertain for a draft."""
    has_quotation = any_overlap(quotations_of(document), found.content)
    is_open = _is_of_share(document.text, found) or is_uncertain(document.text, found)
    return is_open and not has_quotation


_THEIR_NAME = r"(?:his|her|their) (?:\w+ )?names?"
REQUEST = re.compile(
    r"\b(?<!not )(?:ask|demand|insist|prefer|request|want|wish)(?:s|ed|es|ing|red)?\b[^.;:“”\"]{0,30}?"
    rf"(?:\banonym\w+|\bnot (?:to )?be (?:named|identified|quoted)|{_THEIR_NAME} not\b[\w ]*)"
    r"|\b(?:(?:did|does|do) not (?:ask|prefer|want|wish)|(?:declin|refus)(?:e|es|ed|ing))\b"
    r"[^.;:“”\"]{0,30}?\bto be (?:named|identified|quoted)"
    rf"|\b(?:declin|refus)(?:e|es|ed|ing) to (?:give|have|provide|say|share|use) {_THEIR_NAME}"
    rf"|\b(?:did|does|would|will) not (?:give|have|provide|say|share|use|want) {_THEIR_NAME}(?: \w+ed)?"
    r"|\b(?:spoke|speaking|spoken) (?:only )?(?:anonymously|(?:on|under) (?:the )?condition of anonymity)"
)
"""Words that say that a person did not want to be named."""


def _is_request(text: str, found: FoundAttribution) -> bool:
    """Return whether an attribution only says that its source asked not to be named."""
    return bool(REQUEST.match(text, found.cue.start))


def _is_reported(document: Document, found: FoundAttribution) -> bool:
    """Return whether an attribution reports speech or thought in other words than quotations."""
    if found.is_of_block:
        return False
    quotations = quotations_of(document)
    first = found.content[0].start
    spoken = [each for each in quotations if each.start <= first + 1 and first < each.end]
    if any(document.text[: each.end].endswith(_SPOKEN_END) for each in spoken):
        return False
    words = " ".join(_outside(document.text, piece, quotations) for piece in found.content)
    said = set(re.findall(r"\w+", words)) - {"that"}
    return bool(said)


_APART = re.compile(r"\b\w+(?P<sign>\s*(?::|--?|[—–])\s*)[\"“'‘]+$")
_FEWEST_IN_SENTENCE = 3
"""Minimum number of words for a quotation to be a sentence among reported words."""


def _before_quotation(document: Document, found: FoundAttribution) -> Span:
    """Return the clause of an attribution up to a whole sentence in quotation marks that follows a
    colon or a dash, and is another statement: `Orr said it was old: “It must go.”`.
    """
    words, text = clause(document, found), document.text
    for each in quotations_of(document):
        if not found.phrase.end < each.start < words.end:
            continue
        is_long = len(text[each.start : each.end].split()) >= _FEWEST_IN_SENTENCE
        apart = _APART.search(text, found.phrase.end, each.start)
        if is_long and apart and text[each.start].isupper():
            return Span(words.start, apart.start("sign"))
    return words


def _outside(text: str, piece: Span, quotations: Sequence[Detection]) -> str:
    """Return the words of a span that are not in quotation marks."""
    at, words = piece.start, ""
    for each in quotations:
        if each.start < piece.end and piece.start < each.end:
            words += text[at : max(at, each.start)]
            at = max(at, each.end)
    return words + text[at : piece.end]


_CONJUNCTION = re.compile(r"(?:and|but|as)\s+")

_WHOLE_DATELINE = re.compile(r"[A-Z]{2}[^.!?“\"\n]{0,40} ?[―—–-] ")


def clause(document: Document, found: FoundAttribution) -> Span:
    """Return the words of reported speech: its content with the cue and a source in its clause.

    A whole sentence has its full stop, and "plans" the "no" that is directly before it.
    """
    spans = [found.phrase, *found.content]
    start = min(span.start for span in spans)
    end = max(span.end for span in spans)
    if joined := _CONJUNCTION.match(document.text, start):
        start = joined.end()
    end = _with_adjunct(document.text, found, end)
    start -= len(NO) * document.text.endswith(f" {NO}", 0, start)
    # A quotation in it has both of its quotation marks.
    for each in quotations_of(document):
        if each.end == end and start < each.start and not each.unclosed:
            end += _length_of_mark(document.text[end : end + 2])
        if each.start == start and each.end < end and not each.unopened:
            start -= _length_of_mark(document.text[start - 2 : start])
    is_start = start == found.sentence.start
    is_start |= bool(_WHOLE_DATELINE.fullmatch(document.text, found.sentence.start, start))
    is_whole = is_start and document.text[end : end + 1] in (".", "!", "?")
    return Span(start, end + is_whole)


_LONGEST_ADJUNCT = 7
"""Maximum number of words of an adjunct, with the full stop."""
_NOT_IN_ADJUNCT = frozenset(("auxiliary", "conjunction", "past", "subordinator"))


def _with_adjunct(text: str, found: FoundAttribution, end: int) -> int:
    """Return the end of a clause with the last words of its sentence if these only say when, where or
    to whom it was said: "Orr assured the Post", "Orr said on Friday", "Orr urged silence in May".
    """
    rest = [*tokens(text, end, found.sentence.end)]
    if not 1 < len(rest) <= _LONGEST_ADJUNCT or rest[-1].word != ".":
        return end
    is_adjunct = bool(rest[0].classes & {"preposition", "date", "time"}) or rest[0].word in _LATELY
    verb = cue_words().get(found.verb)
    is_adjunct |= end == found.phrase.end and verb is not None and "person" in verb.takes
    is_phrase = all(each.is_word and not each.classes & _NOT_IN_ADJUNCT for each in rest[:-1])
    return rest[-2].end if is_adjunct and is_phrase else end


_LATELY = ("last", "this", "earlier", "late")


def _length_of_mark(signs: str) -> int:
    """Return the length of a quotation mark, which some type as two signs: ``shut''."""
    return 2 if signs in ("''", "``", "’’", "‘‘") else 1
