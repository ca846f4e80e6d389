"""Attributions that need a guess: only proposals use them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.text.attributions import (
    FoundAttribution,
    end_of_content,
    found_attribution,
    trimmed,
    with_content,
)
from defectors_data.text.attributions.cues import (
    CLAUSE_WORDS,
    LINKING,
    WRITING,
    Cue,
    after_adverbs,
    cues_in,
    likely_source,
    with_auxiliaries,
)
from defectors_data.text.detection import outermost_quotations
from defectors_data.text.english import ReportingVerb, cue_nouns, cue_words, means_person, writings
from defectors_data.text.english.counted_words.noun_phrases import FINITE
from defectors_data.text.english.counted_words.number_context import is_verb_form
from defectors_data.text.english.possible_cues import FEWEST_POINTS, possible_cues
from defectors_data.text.english.sentences import NAME_PARTICLES, QUOTED, Token, sentences, tokens
from defectors_data.text.english.sources import (
    FRONTED,
    SourceWords,
    is_amount,
    phrase_at,
    possessor,
    source_of,
    subject_before,
)
from defectors_data.text.offsets import Span, overlaps


def proposed_attributions(text: str) -> list[FoundAttribution]:
    """Return the attributions in a text for proposals, in order.

    They include cues that are often no attribution, such as "welcomed the plan", "is confident that"
    and "his plan to", and possible cues.
    """
    found: list[FoundAttribution] = []
    reached = 0
    for line in sentences(text, outermost_quotations(text)):
        if line[0].start < reached:
            continue  # a source says all words of a block quotation
        block = _with_block(text, line)
        inside = _in_sentence(text, line)
        if label := _with_label(text, line):
            said = label.content[0]
            if label.is_of_block:
                block, inside = label, []
            elif not any(overlaps(said, each.content) for each in inside):
                found.append(label)
        found += [each for each in inside if not block or each.cue != block.cue]
        if block:
            found.append(block)
            reached = block.content[0].end
    return found


_BLOCK = re.compile(r"[ \t]*\n\s*([^\W_][^\n]*\S)")
"""The next paragraph, if it begins with a letter or digit, and not with a mark or a tag."""


def _with_block(text: str, line: Sequence[Token]) -> FoundAttribution | None:
    """Return the attribution of a block quotation: of the paragraph without quotation marks after
    "Orr added:".
    """
    following = _BLOCK.match(text, line[-1].end) if line[-1].word == ":" else None
    if following is None:
        return None
    block = Span(*following.span(1))
    # It is read as a quotation at the end of the sentence.
    quoted = Token(*block, QUOTED, is_capitalized=False, classes=frozenset())
    sentence = Span(line[0].start, line[-1].end)
    for each in _in_sentence(text, [*line, quoted]):
        verb = cue_words().get(each.verb)
        is_speech = each.verb == "according" or (verb is not None and verb.kind == "speech")
        if each.content == (block,) and each.source and is_speech:
            return each._replace(sentence=sentence)
    return None


# ---- names and colons ----------------------------------------------------------------------------

LABEL = ":"
"""The cue of an attribution that only a name and a colon show."""
_LONGEST_LABEL = 8
"""Maximum number of words and signs before the colon."""
_SHORTEST = 3
"""Minimum length of a name, so that the "Q" and "A" of an interview are none."""
_PARAGRAPH = re.compile(r"[^\n]*\S")
_CAPITALS = re.compile(r"^[ \t]*([A-Z][A-Z.’' -]+[A-Z])(?: \([^()\n]*\))?: (?=\S)", re.MULTILINE)
"""A name in capital letters that begins a paragraph of a transcript."""
_FEWEST_IN_TRANSCRIPT = 2


def _with_label(text: str, line: Sequence[Token]) -> FoundAttribution | None:
    """Return the attribution of a quotation, or of the rest of a paragraph of a transcript, to the
    name and the colon before it; None if the words are no name that the text also prints elsewhere.
    """
    if titled := _after_title(text, line):
        return titled
    colon = _colon_of(line)
    phrase = phrase_at(line, 0, colon)
    source = source_of(text, line, phrase) if phrase else None
    if not source or not _is_name(text, text[slice(*source.head)]):
        return None
    cue = Cue(colon, colon, colon + 1, 0, source, colon + 1, precedes=False)
    after = line[colon + 1]
    if after.word == QUOTED:
        return found_attribution(line, cue, (Span(after.start, after.end),))
    label = Span(line[0].start, line[colon].end)
    if label.start not in _transcript_paragraphs(text):
        return None
    said = _PARAGRAPH.match(text, after.start)
    content = Span(*said.span()) if said else Span(after.start, line[-1].end)
    return found_attribution(line, cue, (content,))._replace(sentence=label)


def _after_title(text: str, line: Sequence[Token]) -> FoundAttribution | None:
    """Return the attribution of the sentences in quotation marks to the name with a title before
    them, with a colon or without: 'Harbour boss Ada Orr "It is over."'.
    """
    first = next((i for i, token in enumerate(line) if token.is_word), len(line))
    quoted = next((i for i, token in enumerate(line) if token.word == QUOTED), 0)
    end = quoted - (line[quoted - 1].word == LABEL)
    phrase = phrase_at(line, first, end) if first < end else None
    source = source_of(text, line, phrase) if phrase and phrase.end == end else None
    if not source or source.kind != "name":
        return None
    said = text[slice(*line[quoted][:2])]
    titles = [*tokens(text, line[first].start, source.head.start)]
    is_titled = bool(titles) and titles[-1].means_person
    is_sentence = said.endswith(_ENDS) and len(said.split()) >= _FEWEST_SAID
    if not (is_titled and is_sentence and said[0].isupper()):
        return None
    at = quoted - 1  # the colon, or the last word of the name
    cue = Cue(at, at, quoted, first, source, quoted, precedes=False)
    return found_attribution(line, cue, (Span(*line[quoted][:2]),))


_ENDS = (".", "!", "?")
_FEWEST_SAID = 4
"""Minimum number of words of what is said, so that no nickname or title is."""


def _transcript_paragraphs(text: str) -> set[int]:
    """Return where the paragraphs of a transcript begin: those that begin with a name in capital
    letters and a colon, if there are several.
    """
    found = _CAPITALS.finditer(text)
    starts = {each.start(1) for each in found if _is_name(text, each[1])}
    return starts if len(starts) >= _FEWEST_IN_TRANSCRIPT else set()


def _colon_of(line: Sequence[Token]) -> int:
    """Return the colon after the capitalized words at the start of a sentence, and after what is in
    parentheses there: "Ada Orr (D-Ohio):"; 0 if there is none.
    """
    end = 0
    while end < len(line) and (line[end].is_capitalized or line[end].word in NAME_PARTICLES):
        end += 1
    is_name = end > 0
    if is_name and end < len(line) and line[end].word == "(":
        closing = (
            i for i in range(end, min(len(line), end + _LONGEST_LABEL)) if line[i].word == ")"
        )
        end = next(closing, end) + 1
    is_label = is_name and end + 1 < len(line) and line[end].word == LABEL
    return end if is_label else 0


def _is_name(text: str, words: str) -> bool:
    """Return whether words are a name, or the end of one, that the text also prints inside a
    sentence or before a verb.
    """
    if len(words) < _SHORTEST or not words[0].isupper():
        return False
    first = next(tokens(words, 0, len(words)))
    if first.classes & {"date", "preposition", "adverb", "conjunction", "subordinator"}:
        return False
    if words.isupper():
        words = words.title()
    printed = re.escape(words)
    return re.search(rf"(?:[\w,.] {printed}|{printed} [a-z]+)\b(?!:)", text) is not None


# ---- sentences -----------------------------------------------------------------------------------


def _in_sentence(text: str, line: Sequence[Token]) -> list[FoundAttribution]:
    cues = cues_in(text, line, attitudes=True)
    if [token.word for token in line[:3]] == ["that", "said", ","]:
        cues = [cue for cue in cues if cue.verb > 1]
    sure = with_content(text, line, cues)
    rare: list[FoundAttribution] = []
    if all(token.word != QUOTED for token in line):
        # What is rarely said does not end what is said around it.
        rare = [each for each in sure if is_rarely_said(text, each)]
        at = [each.cue for each in rare]
        cues = [cue for cue in cues if not overlaps(line[cue.verb], at)]
        sure = with_content(text, line, cues) if rare else sure
    found = [*sure, *_possible(text, line, sure)]
    return sorted([*found, *_underlined(text, rare, found)])


def _underlined(
    text: str, rare: Sequence[FoundAttribution], found: Sequence[FoundAttribution]
) -> list[FoundAttribution]:
    """Return what is rarely said as possible cues, without acts that are passives or participles."""
    taken = [_extent(each) for each in found]
    kept: list[FoundAttribution] = []
    for each in rare:
        verb = cue_words().get(each.verb)
        is_act = verb is not None and verb.kind in ("attitude", "act")
        is_left_out = is_act and text[slice(*each.cue)].endswith("ing")
        if not is_left_out and not overlaps(_extent(each), taken):
            kept.append(each._replace(is_sure=False, points=max(each.points, FEWEST_POINTS)))
    return kept


_OF_TIME = frozenset("adverb date determiner time".split())
_BE = frozenset("is are was were be been being".split())
_MODALS = frozenset("must should can could would will may might to".split())


def is_rarely_said(text: str, found: FoundAttribution) -> bool:
    """Return whether a construction is rarely a statement of a source: in public news (PolNeAR,
    train part), less than half of these have a source.
    """
    verb = cue_words().get(found.verb)
    kind = verb.kind if verb else "noun"
    said_when = [token.classes for token in tokens(text, *found.content[0])]
    if "time" in frozenset().union(*said_when) and all(each & _OF_TIME for each in said_when):
        return True  # "the 12% the mill forecast a month ago"
    if found.verb in ("find", "finds", "found") and _NOT_FOUND.match(text, found.cue.end):
        return True  # "found guilty", "millers find it hard"
    if found.verb in ("add", "added", "adds") and _is_number([*tokens(text, *found.content[0])]):
        return True  # "the mill added 12 jobs"
    if found.verb.startswith("echo") and _MEANS_WORDS.fullmatch(text, *found.content[0]):
        return True  # "echoed those words": the sentence before says which
    if _NOT_SAID.search(text, found.sentence.start, found.phrase.start):
        return True  # "there is no suggestion he opposes it"
    cue = text[slice(*found.cue)].casefold().split()
    if _NO_REPORT.search(text, found.sentence.start, found.cue.end):
        return True  # "would have to show it", "that means showing it"
    if kind != "speech" and not {"likely", "unlikely"}.isdisjoint(cue):
        return True  # "is likely to oppose it"
    if cue[0] == "to" and verb and _is_rare_infinitive(text, verb, found):
        return True
    if cue == [found.verb] and found.verb in cue_nouns() and found.cue == found.phrase:
        # "amid fears that it burned", but "Orr left and fears it", "she has no plans to leave"
        is_verb = found.verb in cue_words()  # not "and suspicion that"
        return not (is_verb and _BEFORE_VERB.search(text, found.sentence.start, found.cue.start))
    has_be, has_agent = not _BE.isdisjoint(cue[:-1]), cue[-1] == "by"
    if found.source is None:
        # "is considered one of the largest", "is not easily found on the benches"
        is_open = kind not in ("act", "speech") and found.verb != "according"
        is_apart = text.endswith(", ", 0, found.cue.start)
        is_open |= cue[0] == "to" or (cue[0].endswith("ing") and not is_apart)
        is_open |= cue[0] in FRONTED  # "Asked about the fire, Orr left"
        return has_be or has_agent or is_open
    is_parenthetical = text[: found.cue.start].casefold().endswith("as ")  # "As reported by Orr,"
    if has_agent and not is_parenthetical and (not has_be or not _MODALS.isdisjoint(cue)):
        return True  # "the plan challenged by Orr", "must be approved by Orr"
    if has_agent and verb and ("object" not in verb.takes or kind == "thought"):
        return True  # "was written by Orr", "was considered by Orr"
    noun = text[slice(*found.source.head)].rsplit(maxsplit=1)[-1].casefold()
    is_thing = found.source.kind in ("description", "group")
    is_thing &= not means_person(noun) and noun not in writings()
    said = next(tokens(text, *found.content[0])).word
    is_object = said not in CLAUSE_WORDS | {"to"}
    is_object &= found.verb.startswith(("explain", "threaten"))
    # "the fire challenged the mill", "the fire threatens the mill"
    return is_thing and (kind == "attitude" or is_object)


def is_uncertain(text: str, found: FoundAttribution) -> bool:
    """Return whether a construction is less often a statement than others: a participle of an act or
    of an attitude without its own subject, as in "Orr left, seeking a loan", but not in "they left,
    seeking a loan"; a word that says only about what, as in "his views on lamps"; and what the
    writer sees, as in "Orr seemed content".
    """
    verb = cue_words().get(found.verb)
    kind = found.source.kind if found.source else ""
    said = text[slice(*found.content[0])]
    is_rare = _RARE_CUES.fullmatch(found.verb) and not said.startswith("that ")
    if is_rare or _SEEMS.match(text, *found.cue):
        return True
    if found.source and _is_of_anybody(text[slice(*found.source.head)].casefold(), verb):
        return True
    if _OWNER.search(text, found.sentence.start, found.cue.start) and _TOPIC.match(said):
        return True
    is_relative = text.endswith("who ", 0, found.cue.start) and kind in ("name", "description")
    if is_relative and verb is not None and verb.kind in ("act", "shows", "stance"):
        return True  # "Orr, who endorsed Pelt, left"
    first = next(tokens(text, *found.content[0])).word
    if found.verb.startswith("offer") and first != "to":
        return True  # "the mill offers lamps"
    is_wish = verb is not None and verb.kind == "thought" and "to" in verb.takes
    is_described = found.verb.endswith("ing") and found.cue == found.phrase
    is_described |= text.endswith("who ", 0, found.cue.start)
    if is_wish and is_described and kind in ("group", "description"):
        return True  # "millers who want to leave", "millers wanting to leave"
    is_open = verb is not None and verb.kind in ("act", "adjective", "attitude", "thought")
    if is_open and text[slice(*found.cue)].split(maxsplit=1)[0] in ("could", "may", "might"):
        return True  # "millers may support Orr"
    is_participle = found.verb.endswith("ing") and found.cue == found.phrase
    if is_participle and found.verb == "referring":
        return True  # `"She left," Orr said, referring to Pelt`: the writer explains it
    is_open = is_participle and verb is not None and kind not in ("pronoun", "group")
    return verb is not None and is_open and verb.kind in ("act", "attitude", "shows")


_RARE_CUES = re.compile(
    r"answer(?:s|ed|ing)?|challenging|knew|pushing|react(?:s|ed|ing)?|repeat(?:s|ed|ing)?"
    r"|respond(?:s|ed|ing)?|vot(?:es?|ed|ing)"
)
"""Words that have a source in at most half of their places in public news (PolNeAR, train part)."""
_SEEMS = re.compile(r"(?:appear|look|seem)(?:s|ed)?\b|(?:long|widely) \w+ed\b")
_OWNER = re.compile(r"(?:['’]s|s['’]|\b(?:his|her|its|their))(?: \w+)? $")
_TOPIC = re.compile(r"(?:about|on|to (?:an?|her|his|its|the|their|[A-Z]\w+)) ")


def _is_of_anybody(pronoun: str, verb: ReportingVerb | None) -> bool:
    """Return whether a pronoun outside quotation marks means nobody who says something: "you say",
    "it shows".
    """
    is_said = verb is not None and verb.kind in ("speech", "stance", "act", "thought")
    return pronoun in ("you", "we") or (pronoun in ("it", "this", "that") and not is_said)


def _is_number(said: Sequence[Token]) -> bool:
    """Return whether words are a number with what it counts, and no clause."""
    has_verb = any(
        is_verb_form(token) or "auxiliary" in token.classes or token.word in FINITE
        for token in said
    )
    return not has_verb and (is_amount(said[0]) or "number" in said[0].classes)


_MEANS_WORDS = re.compile(
    r"(?i:her|his|such|that|the|their|these|this|those|(?:[A-Z]\w*\.? ){0,2}\w+['’]s) (?:\w+ )?"
    r"(?:\w+ments|comment|message|views?|words)"
)
_NOT_FOUND = re.compile(
    r" (?:guilty|out\b|(?:her|him|it|them),|what|who|\w+sel(?:f|ves)\b|it (?!had|has|is|was|could|would|will))"
)
_NOT_SAID = re.compile(r"(?i)\bno (?:evidence|hint|indication|sign|suggestion)s? $")
_NO_REPORT = re.compile(r"(?i)\b(?:ha(?:d|s|ve) to \w+|means \w+ing)$")
_BEFORE_VERB = re.compile(r"\b(?:and|but|who|which|also|no|now|still) $")
_BEFORE_INFINITIVE = re.compile(r"\b(?:about|continued?|continues|due|expected|going|likely|set) $")
"""Words before what is going to be said: "is expected to announce it"."""


def _is_rare_infinitive(text: str, verb: ReportingVerb, found: FoundAttribution) -> bool:
    """Return whether an infinitive rarely reports: "to mourn the victims", "to attack the mill", "is
    used to explain the fire", but not "is due to explain it", "led Orr to explain it".
    """
    if verb.kind in ("speech", "shows"):
        said = next(tokens(text, *found.content[0])).word
        is_object = "object" in verb.takes and said not in CLAUSE_WORDS
        is_due = _BEFORE_INFINITIVE.search(text, found.sentence.start, found.cue.start)
        return is_object and not is_due and found.cue == found.phrase
    is_of_name = found.source is not None and found.source.kind == "name"
    is_stance = verb.kind == "act" or (verb.kind == "stance" and not is_of_name)
    is_of_object = verb.kind == "thought" and "object" in verb.takes
    return verb.kind in ("attitude", "adjective") or is_stance or is_of_object


def _possible(
    text: str, line: Sequence[Token], found: Sequence[FoundAttribution]
) -> list[FoundAttribution]:
    """Return attributions of possible cues, outside those that were found."""
    taken = [_extent(each) for each in found]
    others: list[FoundAttribution] = []
    for i in possible_cues(line):
        token = line[i]
        if overlaps(token, taken):
            continue
        if _is_no_cue(line, i):
            continue
        cue = _possible_cue(text, line, i)
        content = _possible_content(line, cue, taken)
        each = found_attribution(line, cue, content) if content else None
        if each and not overlaps(_extent(each), taken):
            others.append(each._replace(is_sure=False))
            taken.append(_extent(each))
    return others


def _is_no_cue(line: Sequence[Token], i: int) -> bool:
    """Return whether a word attributes nothing: "swing [states]", "a mill [known] as the Barn"."""
    after = line[i + 1].word if i + 1 < len(line) else ""
    is_called = line[i].word in ("known", "viewed") and after in ("as", "for", "to")
    is_noun = line[i].word in ("rules", "state", "states") and after not in CLAUSE_WORDS
    return is_called or is_noun


def _possible_content(line: Sequence[Token], cue: Cue, taken: Sequence[Span]) -> tuple[Span, ...]:
    """Return the content of a possible cue, which ends before that of another attribution."""
    follows = cue.follows or cue.end
    pieces: list[Span | None] = []
    if cue.clause is not None:
        pieces.append(trimmed(line, cue.clause, cue.start))
    # Only adverbs follow the cue in the headline "Pelt leads criticism again today".
    if follows < len(line):
        stops = (j for j in range(follows + 1, len(line)) if overlaps(line[j], taken))
        end = end_of_content(line, cue, next(stops, len(line)))
        pieces.append(trimmed(line, follows, end))
    return tuple(piece for piece in pieces if piece)


def _extent(found: FoundAttribution) -> Span:
    starts = [found.phrase.start, *(piece.start for piece in found.content)]
    ends = [found.phrase.end, *(piece.end for piece in found.content)]
    return Span(min(starts), max(ends))


_POSSIBLE_CLAUSE = ReportingVerb(
    frozenset({"clause"}), "attitude", "", is_base=False, may_be_noun=False
)
_POSSIBLE_TO = _POSSIBLE_CLAUSE._replace(takes=frozenset({"to"}))
_POSSIBLE_OBJECT = _POSSIBLE_CLAUSE._replace(takes=frozenset({"object"}))


def _possible_cue(text: str, line: Sequence[Token], i: int) -> Cue:
    """Return a possible cue with its source, if that is clear, and the start of its content."""
    start, auxiliaries = with_auxiliaries(line, i)
    if start > 1 and line[start - 1].word in LINKING:
        start -= 1  # "Orr and Pelt remain hopeful despite the fog"
    k = after_adverbs(line, i + 1)
    frame = _POSSIBLE_OBJECT
    if line[min(k, len(line) - 1)].word in CLAUSE_WORDS:
        frame = _POSSIBLE_CLAUSE
    elif line[min(k, len(line) - 1)].word == "to":
        frame = _POSSIBLE_TO
    subject = subject_before(text, line, start - 1)
    is_past = line[i].word.endswith("ed") or line[i].word in ("seen", "thought")
    is_passive = "be" in auxiliaries and is_past and subject is not None
    if is_passive and subject:
        return Cue(
            i, start, i + 1, start, None, k, precedes=True, frame=frame, clause=subject.first
        )
    source, first = (subject.source, subject.first) if subject else (None, start)
    if source is None:
        owner = possessor(text, line, i)
        source, first = owner.source, min(owner.first, start)
    cue = Cue(i, start, i + 1, min(first, start), source, k, precedes=False, frame=frame)
    if source is None:
        cue = cue._replace(source=likely_source(text, line, cue, ()))
    return cue


# ---- writings ------------------------------------------------------------------------------------


def writer_of(text: str, writing: Span) -> SourceWords | None:
    """Return the source of a letter, a statement or the like that is mentioned again: "Orr" after
    "a letter from Orr", "Orr sent a letter" or "Orr's letter" in its paragraph or the one before it,
    or in the text before it if all such words have one source; None if the words do not show it.
    """
    noun = text[slice(*writing)].rsplit(maxsplit=1)[-1].casefold()
    before = text.rfind("\n", 0, max(0, len(text[: text.rfind("\n", 0, writing.start)].rstrip())))
    near = _writers_in(text, noun, Span(max(before, 0), writing.start))
    if near:
        return near[-1]
    if text[slice(*writing)].casefold() != f"the {noun}":
        return None
    far = _writers_in(text, noun, Span(0, writing.start))
    heads = {text[slice(*each.head)].casefold() for each in far}
    return far[-1] if len(heads) == 1 else None


def has_several_writers(text: str, writing: Span) -> bool:
    """Return whether a text names several writers of letters or the like before one is mentioned."""
    noun = text[slice(*writing)].rsplit(maxsplit=1)[-1].casefold()
    before = Span(0, writing.start)
    heads = {text[slice(*each.head)].casefold() for each in _writers_in(text, noun, before)}
    return len(heads) > 1 or bool(_writers_in(text, f"{noun}s", before))


def _writers_in(text: str, noun: str, part: Span) -> list[SourceWords]:
    """Return the sources of the writings with a noun in part of a text, in order."""
    found = []
    said = text[slice(*part)]
    for line in sentences(said, outermost_quotations(said)):
        for i, token in enumerate(line):
            source = _writer_in(said, line, i) if token.word == noun else None
            if source:
                found.append(shifted(source, part.start))
    return found


_WRITTEN = rf" (?:(?:conducted|reported|{'|'.join(sorted(WRITING))}) )?(?:(?:on )?[A-Z][a-z]+day )?"
_BODY = r"(?:(?:an? )?(?:(?!(?:an?|at|for|from|in|of|on|the|to) )[a-z-]+ ){1,4}(?:the )?)"
_BY = re.compile(rf"{_WRITTEN}(?:by|from) (?:the )?{_BODY}?(?=[A-Z])")
_NAME = re.compile(
    r"(?:[A-Z](?:[\w’'/-]|\.(?=\w))*|(?:of|and|&)(?= [A-Z]))"
    r"(?: (?:[A-Z][\w’'/-]*|(?:of|and|&)(?= [A-Z])))*"
)
_SITE = r"(?:blog|page|site|web ?site)"
_ON_SITE = re.compile(rf"{_WRITTEN}(?:on|to) the {_SITE} (?:of )?(?:the )?(?=[A-Z])")
_ON_SITE_OF = re.compile(
    rf"{_WRITTEN}(?:on|to) (?:the )?(?P<name>{_NAME.pattern}?)['’]s? (?:\w+ ){{0,2}}?{_SITE}\b"
)


_PERSON_OF_BODY = re.compile(r"(?:['’]s)?(?: [a-z]+){1,2}")
"""Words after the name of a body: "the Lamp Fund['s inspector general]"."""


def publisher_after(text: str, writing: Span) -> Span | None:
    """Return the name directly after a writing: "a poll by [CNN]", "a report from the [Lamp Fund]",
    "a statement posted on [Orr]'s website".
    """
    if site := _ON_SITE_OF.match(text, writing.end):
        return Span(*site.span("name"))
    by = _BY.match(text, writing.end) or _ON_SITE.match(text, writing.end)
    name = by and _NAME.match(text, by.end())
    if not name or "date" in next(tokens(text, *name.span())).classes:
        return None
    after = _PERSON_OF_BODY.match(text, name.end())
    is_person = after is not None and means_person(after[0].split()[-1])
    is_owner = name[0].endswith(("'s", "’s")) or (after is not None and after[0][0] in "'’")
    return None if is_person or is_owner else Span(*name.span())


def owned_after(text: str, writing: Span) -> Span | None:
    """Return who is said to be the writer directly after a writing, by a body that they belong to:
    "a report from [the Lamp Fund's inspector general]".
    """
    by = _BY.match(text, writing.end)
    name = by and _NAME.match(text, by.end())
    if not by or not name:
        return None
    line = [*tokens(text, by.end(), min(len(text), name.end() + _LONGEST_PHRASE))]
    phrase = phrase_at(line, 0, len(line))
    is_longer = phrase is not None and line[phrase.end - 1].end > name.end() + len("'s")
    is_owner = re.search(r"['’]s\b", text[name.start() : name.end() + len("'s")])
    if phrase is None or not is_longer or not is_owner:
        return None
    return Span(by.end(), line[phrase.end - 1].end)


_LONGEST_PHRASE = 100
"""Maximum number of characters after the name of a body."""


def _writer_in(text: str, line: Sequence[Token], i: int) -> SourceWords | None:
    after = i + 1 + (i + 1 < len(line) and line[i + 1].word in WRITING)
    if after + 1 < len(line) and line[after].word in ("from", "by"):
        phrase = phrase_at(line, after + 1, len(line))
        return phrase and source_of(text, line, phrase)
    for verb in range(i - 1, max(-1, i - 1 - _TOWRITING), -1):
        if line[verb].word in WRITING:
            start, _ = with_auxiliaries(line, verb)
            subject = subject_before(text, line, start - 1)
            return subject and subject.source
    return possessor(text, line, i).source


_TOWRITING = 5
"""Maximum number of words from a verb to the writing: "sent the bank an open letter"."""


def shifted(source: SourceWords, shift: int) -> SourceWords:
    """Return a source whose offsets are larger by a number of code points."""
    span, head = [Span(each.start + shift, each.end + shift) for each in (source.span, source.head)]
    return SourceWords(span, head, source.kind)
