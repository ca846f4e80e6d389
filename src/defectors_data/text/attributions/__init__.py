"""The attributions in an English text: who is said to have said or thought what, in which words.

An attribution has a cue ("said", "according to"), the words of its source, and its content: the
quotations or the clause that the source says. It is found by the order of words, without a model.
Nothing is guessed: if several sources are possible, the source is left open. So are the person
meant by a pronoun and the source of the sentences that follow. An attribution inside the content of
another one is part of what is said, and is not returned.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from defectors_data.text.attributions.cues import (
    DASHES,
    ENDS_OBJECT,
    SUBJECTS,
    Cue,
    cues_in,
    is_clause_at,
    is_date,
    is_noun_here,
    is_surely_verb,
    start_of_content,
    with_auxiliaries,
    words_read,
)
from defectors_data.text.detection import outermost_quotations
from defectors_data.text.english import (
    cue_nouns,
    cue_words,
    narrating_words,
    reporting_verbs,
    verbs_of_mode,
)
from defectors_data.text.english.possible_cues import FEWEST_OF_DRAFT, points_of
from defectors_data.text.english.sentences import QUOTED, Token, sentences
from defectors_data.text.english.sources import SourceWords, phrase_at
from defectors_data.text.occurrences import merged
from defectors_data.text.offsets import Span, SpanIndex, SpanLike, overlaps

_BEFORE_CLAUSE = re.compile(r"(?!^)\b(?:that|which|who|of|by|about|for)\b")
_STATEMENT = re.compile(
    r"(?i)^that\b|\b(?:accounts?|accusations?|allegations?|arguments?|assertions?|characteri[sz]ations?"
    r"|charges?|claims?|concerns?|criticisms?|ideas?|notions?|reports?|rumou?rs?|statements?"
    r"|suggestions?|theor(?:y|ies))\b"
)
"""Words for what can be true or false."""


class FoundAttribution(NamedTuple):
    """A cue with its source and its content."""

    cue: Span
    """The verb with its auxiliaries, or "according to"."""
    source: SourceWords | None
    """None if the words leave it open."""
    content: tuple[Span, ...]
    """What is said, without the cue and the source: one or two spans."""
    verb: str
    """The verb of the cue in lower case, or "according"."""
    sentence: Span
    phrase: Span
    """The cue with its source, if that is in the same clause, and all words between them."""
    points: int = 0
    """The points of its verb in `possible_cues`; the more, the likelier it is an attribution."""
    is_sure: bool = True
    """Whether a pattern of words shows it, and not only points."""

    @property
    def is_of_block(self) -> bool:
        """Whether its content is a block quotation, which is after its sentence."""
        return self.content[0].start > self.sentence.end

    def is_likely(self, text: str) -> bool:
        """Return whether its points make it as likely as a pattern of words does: "new data show that"."""
        verb = cue_words().get(self.verb)
        is_that = text.startswith("that ", self.content[0].start) and self.verb not in cue_nouns()
        is_known = verb is not None and (verb.kind == "act" or is_that)
        return self.source is not None and is_known and self.points >= FEWEST_OF_DRAFT

    def is_of_fact(self, text: str) -> bool:
        """Return whether its content is denounced, rejected or the like, and is no clause
        with "that": the writer gives its numbers, as in "rejected the two offers".
        """
        verb = reporting_verbs().get(self.verb)
        is_stance = verb is not None and verb.kind == "stance" and verb.stance in ("", "denies")
        return is_stance and not text.startswith(("that ", "that,"), self.content[0].start)

    def stance_in(self, text: str) -> str:
        """Return the stance that its words show, such as `denies`; "" if they show none.

        "Rejected the claim" denies a statement, but "rejected the treaty" does not.
        """
        verb = reporting_verbs().get(self.verb)
        if verb is None:
            return ""
        is_to_act = verb.kind == "act" and text.startswith("to ", self.content[0].start)
        if is_to_act and verb.stance == "calls_for":
            return "intends"  # "sought to calm them"
        is_open = verb.kind == "stance" and verb.stance in ("denies", "doubts")
        rejected = _BEFORE_CLAUSE.split(text[slice(*self.content[0])])[0]
        return "" if is_open and not _STATEMENT.search(rejected) else verb.stance

    @property
    def is_reported(self) -> bool:
        """Whether its source says or thinks its content, and does not only act, feel or want."""
        is_cue = self.is_sure or self.verb in cue_words()
        return is_cue and self.verb not in narrating_words()

    @property
    def is_thought(self) -> bool:
        """Whether the verb is one of thought, such as "hopes"."""
        verb = reporting_verbs().get(self.verb)
        return verb is not None and verb.kind == "thought"


def attributions(
    text: str, quoted: Sequence[Span] | None = None, within: Span | None = None
) -> list[FoundAttribution]:
    """Return the attributions in a text, in order.

    Args:
        text: the text.
        quoted: its outermost quotations; None to detect them.
        within: the span of which the lines are read; None for all.
    """
    found: list[FoundAttribution] = []
    if quoted is None:
        quoted = outermost_quotations(text)
    for line in sentences(text, quoted, words_read(attitudes=False), within):
        found += _in_sentence(text, line)
    return found


class AttributedWords:
    """The attributions in a text, by what is attributed."""

    def __init__(self, text: str, found: Sequence[FoundAttribution]) -> None:
        """Index the attributions of a text."""
        self.text = text
        self.found = found
        self._sure = [each for each in self.found if each.is_sure]
        self._ends = [each.sentence.end for each in self._sure]
        runs = []
        for i, each in enumerate(self.found):
            runs += [(*piece, i) for piece in each.content]
        self._index = SpanIndex(runs)

    def attribution_of(self, words: SpanLike) -> FoundAttribution | None:
        """Return the first attribution with some words in its content, or else with its cue in them.

        The words of reported speech usually include who says it: "She says that the mill is shut".
        """
        numbers = self._index.around(words.start, words.end)
        if numbers:
            return self.found[numbers[0]]
        start, end = words.start, words.end
        inside = [each for each in self.found if start <= each.cue.start and each.cue.end <= end]
        return max(inside, key=_length_of_content, default=None)

    def attributed_to_other(self, words: SpanLike, cue: Sequence[Span]) -> FoundAttribution | None:
        """Return the attribution of some words if a cue attributes something else in their sentence.

        In "Orr said that it rained, and Pelt said that it snowed", "Pelt said" attributes no rain.
        """
        first = Span(words.start, words.start + 1)
        found = self.attribution_of(first)
        if found is None or found.source is None or overlaps(found.phrase, cue):
            return None
        for each in self.found:
            is_near = each.sentence == found.sentence and overlaps(each.cue, cue)
            # "according to" after a sentence is read as that of its last clause.
            is_verb = each.verb != "according"
            if is_near and is_verb and not overlaps(first, each.content):
                return found
        return None

    def before(self, words: SpanLike) -> FoundAttribution | None:
        """Return the attribution of the sentence directly before some words, in their paragraph.

        A quotation without an attribution probably has the source of this one: so it is in 97 of
        100 cases of public news. It stays a guess, which a person must confirm.
        """
        at = bisect_right(self._ends, words.start)
        if at:
            between = self.text[self._ends[at - 1] : words.start]
            if "\n" not in between and not any(character.isalnum() for character in between):
                return self._sure[at - 1]
        return None


def _length_of_content(found: FoundAttribution) -> int:
    return sum(piece.end - piece.start for piece in found.content)


_LETTERS = re.compile(r"(?<![\w])(?<!so-)[a-z]+(?![\w])", re.IGNORECASE)


def verbs(text: str, within: Span | None = None, quoted: SpanIndex | None = None) -> list[Span]:
    """Return the words outside quotation marks that show that a testimony is indirect, in order.

    They may be nouns ("the report"), as what precedes and follows them is not read.

    Args:
        text: the text of a source, or words of it.
        within: the span to search; None for the whole text.
        quoted: an index of the quotations; None to detect them.
    """
    if quoted is None:
        quoted = SpanIndex((*span, 0) for span in outermost_quotations(text))
    words = verbs_of_mode()
    hits = _LETTERS.finditer(text, *(within or ()))
    found = (Span(*hit.span()) for hit in hits if hit[0].casefold() in words)
    return [span for span in found if not quoted.contains(*span)]


def words_of_speech(text: str, sentence: Span, quoted: Sequence[Span] | None = None) -> list[Span]:
    """Return the words outside quotation marks that attribute something in a sentence: the cues of
    its attributions, and verbs of speech whose source or content is not found.

    `quoted` are the outermost quotations of the text; if they are not given, they are detected.
    """
    quoted = outermost_quotations(text) if quoted is None else quoted
    found: list[Span] = []
    for line in sentences(text, quoted, words_read(attitudes=False), sentence):
        found += [each.cue for each in _in_sentence(text, line)]
        for i, token in enumerate(line):
            verb = reporting_verbs().get(token.word)
            if verb and verb.kind == "speech" and _is_finite(line, i):
                found.append(Span(token.start, token.end))
    inside = [span for span in found if overlaps(span, [sentence])]
    return [Span(*run) for run in merged(inside)]


def _is_finite(line: Sequence[Token], i: int) -> bool:
    """Return whether a form of a verb is neither an infinitive nor a noun."""
    start, auxiliaries = with_auxiliaries(line, i)
    return "to" not in auxiliaries and not is_noun_here(line, i, start - 1)


def _in_sentence(text: str, line: Sequence[Token]) -> list[FoundAttribution]:
    return with_content(text, line, cues_in(text, line, attitudes=False))


# ---- content -------------------------------------------------------------------------------------


def with_content(text: str, line: Sequence[Token], cues: Sequence[Cue]) -> list[FoundAttribution]:
    """Return attributions with their content, without those inside the content of another."""
    kept: list[Cue] = []
    for cue in cues:
        if kept and _relays(line, cue, kept[-1]):
            continue
        if kept and (own := _with_own_quotation(text, line, cue, kept[-1])):
            kept.append(own)
            continue
        while kept and _contains(line, cue, kept[-1]):
            kept.pop()
        is_inside = kept and _is_inside(line, kept[-1], cue)
        if not is_inside:
            kept.append(cue)
    found: list[FoundAttribution] = []
    reached = 0
    for i, read in enumerate(kept):
        cue = _with_next_quotation(line, read)
        ends = len(line)
        if i + 1 < len(kept):
            after = kept[i + 1]
            ends = after.first if after.first >= cue.end else after.start
            if not after.precedes and after.clause is not None:
                ends = min(ends, after.clause)
            if after.precedes and cue.follows is not None:
                begin = max(start_of_content(line, after.first), after.clause or 0)
                ends = min(ends, begin) if cue.follows < begin else ends
        pieces: list[Span | None] = []
        if cue.precedes:
            begin = max(start_of_content(line, cue.first), reached, cue.clause or 0)
            pieces.append(trimmed(line, begin, cue.first))
        if cue.follows is not None and cue.follows < ends:
            end = end_of_content(line, cue, ends)
            pieces.append(trimmed(line, cue.follows, _start_of_gloss(line, cue, end)))
        reached = cue.follows or cue.end
        if i + 1 == len(kept) and cue.source and (after_colon := _after_colon(line, cue)):
            pieces.append(after_colon)
        content = tuple(piece for piece in pieces if piece)
        if content:
            found.append(found_attribution(line, cue, content))
    return found


def _with_next_quotation(line: Sequence[Token], cue: Cue) -> Cue:
    """Return a cue whose clause only introduces the quotation after it: "Orr wrote in May, “No.”"."""
    reach = range(cue.end, min(cue.end + _LONGEST_INTRODUCTION, len(line) - 1))
    at = next((i for i in reach if line[i].word in (",", QUOTED)), 0)
    is_next = (line[at].word, line[at + 1].word) == (",", QUOTED)
    has_verb = any(is_surely_verb(line, i) for i in range(cue.end, at))
    is_introduction = is_next and not has_verb and not cue.precedes
    return cue._replace(follows=at + 1) if is_introduction and cue.frame.kind == "speech" else cue


_LONGEST_INTRODUCTION = 6
"""Maximum number of words of an introduction after its verb, with the comma."""


def _after_colon(line: Sequence[Token], cue: Cue) -> Span | None:
    """Return a quotation after a colon at the end of a sentence: `Orr had two reasons: "It rained."`,
    if the content of the cue ends before the colon.
    """
    start = cue.follows or cue.end
    for i in range(max(start, cue.end), len(line) - 1):
        if line[i].word == ":" and line[i + 1].word == QUOTED:
            is_object = start < i and end_of_content(line, cue, len(line)) <= i
            return Span(line[i + 1].start, line[i + 1].end) if is_object else None
    return None


def _with_own_quotation(text: str, line: Sequence[Token], cue: Cue, last: Cue) -> Cue | None:
    """Return a cue of a quotation that is a sentence among the words reported before it, as in
    `Orr said that it rained - "I got wet," she said - and snowed`, of what is quoted in an act, as in
    `Orr opposes what Pelt calls "an end"`, or of an answer, as in `to which Pelt replied, "No"`; None
    for other cues.
    """
    start, before, quotation = last.follows, cue.first - 1, cue.follows
    if start is None or before < start:
        return None
    if line[before].word == "what" and last.frame.kind not in ("speech", "shows") and quotation:
        return cue._replace(clause=before)
    if line[before].word == "which" and "preposition" in line[before - 1].classes and quotation:
        return cue._replace(clause=before - 1)
    if cue.precedes:
        is_apart = before > start and not line[before - 1].is_word
        is_own = is_apart and _is_sentence(text, line[before], ",?!")
        return cue._replace(clause=before, follows=None) if is_own else None
    is_introduced = quotation is not None and line[quotation - 1].word in (",", ":")
    if quotation is None or not is_introduced or not _is_sentence(text, line[quotation], ",.?!"):
        return None
    if cue.first == cue.verb:
        return cue._replace(source=cue.source or last.source)
    signs = [i for i in range(start + 1, cue.first) if line[i].word in (",", ";", *DASHES)]
    is_other = bool(signs) and cue.source is not None and line[start].word != "that"
    return cue._replace(clause=signs[-1] + 1) if is_other else None


def _is_sentence(text: str, token: Token, ends: str) -> bool:
    """Return whether a token is a quotation that begins as a sentence, and ends with a sign."""
    is_closed = token.word == QUOTED and text[token.end - 1] in ends
    return is_closed and text[token.start].isupper()


def _is_inside(line: Sequence[Token], last: Cue, cue: Cue) -> bool:
    """Return whether an attribution is part of the content of the one before it."""
    if last.follows is None:
        return False
    start = cue.first if cue.clause is None else cue.clause
    if line[last.verb].word == "according" and not last.precedes and cue.first == last.follows:
        # "According to Orr, Pelt said that it burned"
        return all(token.word != QUOTED for token in line)
    is_verb_of_content = last.precedes and cue.start == last.follows  # "It, Orr says, is aimed at"
    is_subject_of_content = cue.clause == last.follows
    if is_verb_of_content or is_subject_of_content:
        return True
    if _is_joined_subject(line, last, cue, start):
        return True
    is_by = line[cue.end - 1].word == "by" and line[cue.start - 1].is_word
    is_clause = line[last.follows].word == "that" or is_clause_at(line, last.follows)
    if is_by and is_clause and cue.start > last.follows:
        return True  # "a poll shows that the plan is backed by millers"
    if _is_new(line, last, cue):
        return False
    return cue.first < end_of_content(line, last, len(line))


def _is_joined_subject(line: Sequence[Token], last: Cue, cue: Cue, start: int) -> bool:
    """Return whether "and" joins a subject to the first one of a content: "that she and [the others]",
    "said the mill and [police] backed it".
    """
    content = last.follows
    if content is None or start <= 1 or line[start - 1].word != "and":
        return False
    if line[start - 2].word in ("he", "she", "they", "we", "i"):
        return True
    has_that = line[content].word == "that"
    is_report = last.frame.kind == "speech" and "object" not in last.frame.takes
    is_report &= start < cue.start and cue.frame.kind != "speech"
    is_clause = has_that or is_report
    phrase = phrase_at(line, content + has_that, start - 1) if is_clause else None
    return phrase is not None and phrase.end == start - 1


def found_attribution(
    line: Sequence[Token], cue: Cue, content: tuple[Span, ...]
) -> FoundAttribution:
    """Return a cue with its source and its content."""
    words = Span(line[cue.start].start, line[cue.end - 1].end)
    sentence = Span(line[0].start, line[-1].end)
    start, end = line[cue.first].start, words.end
    if _is_relative(line, cue):
        start = line[cue.first - 1].start
    elif _lacks_subject(line, cue):
        start = line[_after_sign(line, cue.first)].start
    if cue.source and cue.source.span.start >= line[cue.first].start:
        # "By asking for money, Orr lost": the source is in another clause.
        is_apart = any(end <= piece.start <= cue.source.span.start for piece in content)
        end = end if is_apart else max(end, cue.source.span.end)
    phrase = Span(start, end)
    verb, points = line[cue.verb].word, points_of(line, cue.verb)
    return FoundAttribution(words, cue.source, content, verb, sentence, phrase, points)


def _is_relative(line: Sequence[Token], cue: Cue) -> bool:
    """Return whether the word before a source is the subject or object of its content: "mills [which]
    Orr said were old", "[what] he calls “home”".
    """
    follows = cue.follows
    if not cue.first or follows is None or follows >= len(line) or cue.precedes or not cue.source:
        return False
    before, after = line[cue.first - 1].word, line[follows]
    if before in ("which", "who", "whom") and cue.first > 1:
        return "preposition" not in line[cue.first - 2].classes  # "on which"
    lacks_subject = is_surely_verb(line, follows) or after.word == "as"
    lacks_subject |= before == "what" and after.word == QUOTED
    return lacks_subject and before in ("what", "that")


def _lacks_subject(line: Sequence[Token], cue: Cue) -> bool:
    """Return whether the subject of a content is before its source: "a mill [Orr said] would burn"."""
    follows = cue.follows
    if not cue.first or follows is None or follows >= len(line) or cue.precedes or not cue.source:
        return False
    before = line[cue.first - 1]
    is_noun = before.is_word and before.is_noun and not before.is_capitalized
    is_next = cue.source.span.start == line[cue.first].start and follows == cue.end
    return is_noun and is_next and "auxiliary" in line[follows].classes


def _after_sign(line: Sequence[Token], i: int) -> int:
    """Return the first token of the words up to a token without a sign between them."""
    while i > 0 and line[i - 1].is_word:
        i -= 1
    return i


def end_of_content(line: Sequence[Token], cue: Cue, most: int) -> int:
    """Return where content ends."""
    verb, start = cue.frame, cue.follows or 0
    if start == cue.end < most - 1 and line[start].word == QUOTED:
        after = line[start + 1]
        is_object = after.word == "as" and "clause" not in verb.takes  # `blasted "the mill" as bad`
        if after.word in DASHES or ("subordinator" in after.classes and not is_object):
            return start + 1  # `chanting "We stay" after the fire`
    is_opening = cue.first == cue.verb <= _LATEST_OPENING
    is_opening &= line[cue.verb].word.endswith(("ing", "ed")) and line[cue.verb].word != "according"
    if is_opening or _is_subordinate(line, cue.first):
        # "While denouncing the fire, Orr fled"
        return _end_of_opening(line, start, most)
    is_object = not verb.takes & {"clause", "that", "person"} and line[start].word != QUOTED
    is_object |= "object" in verb.takes and start == cue.end and not is_clause_at(line, start)
    follows_verb = start == cue.end or "person" in verb.takes
    is_object |= follows_verb and "preposition" in line[start].classes
    if is_object:
        return _end_of_object(line, cue, most)
    return _end_of_clause(line, cue, most)


def _end_of_opening(line: Sequence[Token], start: int, most: int) -> int:
    """Return where the content of an opening clause ends: at a comma that is not in a list, as in
    "When Orr said that the mill, the barn and the field burned, Pelt fled".
    """
    commas = [i for i in range(start + 1, most) if line[i].word == ","]
    for i in commas:
        if _has_subject(line, i + 1) or not _continues_list(line, i, most):
            return i
    return commas[0] if commas else most


def _end_of_clause(line: Sequence[Token], cue: Cue, most: int) -> int:
    """Return where a reported clause without "that" ends: before another clause after ", but"."""
    start = cue.follows or 0
    if line[start].word == "that":
        return most
    if _is_relative(line, cue):  # "The law, which Orr said was old, was passed"
        commas = (i for i in range(start + 1, most) if line[i].word == ",")
        return next((i for i in commas if is_surely_verb(line, i + 1)), most)
    for i in range(start + 2, most - 2):
        is_other = line[i].word == "," and line[i + 1].word == "but" and _has_subject(line, i + 2)
        if is_other and _has_main_verb(line, cue, i):
            return i
    return most


_ARTICLES = frozenset(("the", "a", "an"))
_DETERMINING = _ARTICLES | {"his", "her", "its", "their"}


def _start_of_gloss(line: Sequence[Token], cue: Cue, end: int) -> int:
    """Return where the writer explains the last words of what is said: ", which burned in May",
    ", a mill in Rome" or "- the last in Rome"; the end if nothing does.
    """
    start = cue.follows or 0
    for i in range(start + 2, end - 3):
        is_sign = line[i].word in (",", *DASHES)
        if is_sign and _is_gloss(line, i, end) and _has_main_verb(line, cue, i):
            return i
    return end


def _is_gloss(line: Sequence[Token], sign: int, end: int) -> bool:
    """Return whether a relative clause or an apposition fills the words from a sign to an end."""
    first, is_dash = line[sign + 1].word, line[sign].word in DASHES
    near = [token.word for token in line[sign + 1 : sign + 6]]
    is_share = "of" in near and bool({"them", "which", "whom"} & set(near[near.index("of") :][:2]))
    if first == "compared" or is_share:
        return True  # ", compared with 12 in May", ", most of them old"
    while not (line[end - 1].is_word or line[end - 1].word == QUOTED):
        end -= 1
    others = [i for i in range(sign + 2, end) if not line[i].is_word]
    if any(line[i].word in (QUOTED, *DASHES) for i in others):
        return False
    if first in ("which", "where") and line[sign + 2].word not in ("could", "would"):
        return not any(_resumes(line, i + 1) for i in others if i + 1 < end)
    is_apposition = first in ("a", "an") or (is_dash and first == "the")
    phrase = phrase_at(line, sign + 1, end) if is_apposition and not others else None
    joined = (i + 1 for i in range(sign + 2, end - 1) if line[i].word in ("and", "or"))
    is_list = any("determiner" in line[i].classes for i in joined)
    return phrase is not None and not (is_list or is_surely_verb(line, phrase.end))


def _resumes(line: Sequence[Token], i: int) -> bool:
    """Return whether a clause goes on at a token after an aside: ", [burned] in May", ", [ruins] it"."""
    i += line[i].word in ("and", "or")
    is_verb = is_surely_verb(line, i) or line[i].word.endswith("s")
    return is_verb or line[i].word in ("to", "because")


_SUBORDINATORS = frozenset(
    "when as while if after although though before since because whereas".split()
)


def _is_subordinate(line: Sequence[Token], first: int) -> bool:
    """Return whether a token starts a clause such as "When Orr said", which a comma ends."""
    if not first or line[first - 1].word not in _SUBORDINATORS:
        return False
    return (
        first == 1 or not line[first - 2].is_word or line[first - 2].word in ("and", "but", "even")
    )


def _end_of_object(line: Sequence[Token], cue: Cue, most: int) -> int:
    """Return where the object of a verb ends: at a sign, at a verb after "and" or at a verb whose
    subject it is.

    In "praised the mill, which burned", the fire is not part of the praise.
    """
    start = cue.follows or 0
    is_in_clause = False
    closes = _closing(line, start, most) if line[start].word == "(" else 0
    for i in range(start + 1, most):
        is_adjunct = line[start].word != "to" and _is_adjunct(line, i)
        # "plans to leave before the fire"
        goes_on = line[start].word == "to" and line[i].word in _IN_PLANS
        goes_on &= line[i - 1].word != QUOTED
        goes_on |= any(token.word in ("who", "which", "whose") for token in line[start:i])
        if (line[i].word in _AFTER_OBJECT and not goes_on) or is_adjunct:
            return i
        if i <= closes:
            continue
        closes = max(closes, _end_of_aside(line, i, most))
        if line[i].word == "(":
            closes = _closing(line, i, most)
        if i <= closes or (line[i].word == "," and _continues_list(line, i, most)):
            continue
        if line[i].word == "," and _ADJECTIVE.fullmatch(line[i - 1].word) and line[i + 1].is_noun:
            continue  # "the old, dark mill"
        is_auxiliary = i + 1 < len(line) and bool(line[i + 1].classes & {"auxiliary"})
        is_verb_phrase = line[i].word in ("and", "but") and is_surely_verb(line, i + 1)
        is_verb_phrase &= not (is_in_clause and is_auxiliary)  # "those who could leave but did not"
        # "more powerful and sophisticated lamps"
        is_verb_phrase &= not (i > 1 and line[i - 2].word in ("less", "more", "most", "so", "very"))
        is_finite = "auxiliary" in line[i].classes and line[i].word not in _INFINITE
        is_said = line[i - 1].word == QUOTED and line[i].word in _SAYING  # `"the mill," saying`
        is_end = line[i].word in ENDS_OBJECT or is_verb_phrase or is_said
        if is_end or (is_finite and not is_in_clause):
            return i
        is_in_clause |= "subordinator" in line[i].classes or line[i].word in _BEFORE_CLAUSE_OF
        # "steps the board took", "evidence its board left"
        is_noun = _is_noun(line[i - 1]) and line[i - 2].word != "to"
        is_in_clause |= line[i].word in _DETERMINING and is_noun
        is_in_clause |= line[i].is_capitalized and _is_plural_noun(line[i - 1])  # "steps Orr took"
        # "the step Orr is taking"
        is_known = any("determiner" in token.classes for token in line[start : i - 1])
        is_in_clause |= line[i].is_capitalized and is_known and _is_noun(line[i - 1])
    return most


_ADJECTIVE = re.compile(
    r"\w{2,}(?:able|al|ary|ful|ible|ic|ish|ive|less|ous)|bad|big|clean|cold|dark|deep|dull|fair|fast|free|good|hard"
    r"|high|large|long|low|modern|new|old|open|poor|private|public|rich|safe|short|simple|small|strong|weak|young"
)


def _is_noun(token: Token) -> bool:
    return token.is_noun and not (token.is_capitalized or token.classes or token.means_person)


def _is_plural_noun(token: Token) -> bool:
    return token.is_plural and not (token.is_capitalized or token.classes)


_BEFORE_CLAUSE_OF = SUBJECTS | {"ensure", "sure"}
"""Words in an object after which a clause may begin: "to ensure the mill is shut"."""
_SAYING = frozenset(("saying", "adding", "calling"))


def _is_adjunct(line: Sequence[Token], i: int) -> bool:
    """Return whether words after an object say when or where it was said: "in an interview"."""
    if line[i].word in ("in", "at", "on", "through"):
        near = [token.word for token in line[i + 1 : i + 5]]
        if not _OCCASIONS.isdisjoint(near) and _FUTURE.isdisjoint(near):
            return True
    before = line[i - 1]
    is_time = is_date(line, i) and before.word not in _BEFORE_DATE | _FUTURE
    if before.is_capitalized or before.word.endswith("’s"):
        # "Super Tuesday", "the Bush years", "Orr’s Friday speech", but "urged Orr Friday to leave"
        is_time &= "time" not in line[i].classes and not before.word.endswith("’s")
    after = next((j for j in range(i, len(line)) if not is_date(line, j)), i)
    goes_on = line[after].word in ("to", "that", "of")  # "announced plans Tuesday to leave"
    return is_time and not goes_on and "determiner" not in line[i - 1].classes


_BEFORE_DATE = frozenset(
    "of for from to by than previous following final entire first full financial fiscal half past".split()
)
_FUTURE = frozenset(("coming", "following", "future", "next"))
"""Words of times at which nothing has been said yet: "next year"."""


_OCCASIONS = frozenset(
    "interview interviews statement speech speeches rally rallies conference facebook twitter tweet tweets "
    "address debate email emails letter months weeks days years spokesman spokeswoman spokesperson".split()
)
_LONGEST_BRACKET = 15


def _closing(line: Sequence[Token], i: int, most: int) -> int:
    """Return the bracket that closes one inside an object, or 0: "(some) working millers"."""
    ends = range(i + 1, min(most, i + _LONGEST_BRACKET))
    return next((j for j in ends if line[j].word == ")"), 0)


def _end_of_aside(line: Sequence[Token], comma: int, most: int) -> int:
    """Return the sign that ends an aside if the object goes on after it: "accused Pelt, who was ill, of
    theft", "warned of harm - a fire - in Rome"; 0 if it does not.
    """
    if line[comma].word in DASHES:
        closing = (j for j in range(comma + 1, most - 1) if line[j].word in DASHES)
        end = next(closing, 0)
        return end if end and "preposition" in line[end + 1].classes else 0
    if line[comma].word != ",":
        return 0
    end = next((j for j in range(comma + 1, most - 1) if line[j].word == ","), most)
    goes_on = end < most - 1 and line[end + 1].word in ("of", "to")
    first = line[min(comma + 1, len(line) - 1)]
    is_aside = first.is_capitalized or first.word in (*_ARTICLES, "who", "which", "his", "her")
    return end if goes_on and is_aside else 0


_IN_PLANS = frozenset("while before after during until since because".split())
_AFTER_OBJECT = _IN_PLANS | {"when", "despite"}
_NOT_IN_LIST = frozenset(
    ("subordinator", "conjunction", "auxiliary", "past", "adverb", "preposition")
)
_LONGEST_LIST = 12
"""Maximum number of words of a list after its first comma."""


def _continues_list(line: Sequence[Token], comma: int, most: int) -> bool:
    """Return whether a list or a date goes on after a comma: "the mill, the barn and the field"."""
    for i in range(comma + 1, min(most - 1, comma + _LONGEST_LIST)):
        token, after = line[i], line[i + 1]
        is_first = i == comma + 1
        if is_first and (token.word.isdigit() or token.word in _EXAMPLES):
            return True
        if is_first and (token.word, after.word) == ("as", "well"):
            return True
        if is_first and token.word == "or":
            return "auxiliary" not in after.classes  # "the mill, or do you"
        if is_first and token.is_capitalized and not token.classes & {"date", "time"}:
            # "met his rival, Orr", "burned in Rome, Orr", but not "blamed Rome, Pelt’s mill burned"
            return not _has_subject(line, i)
        if token.word in ("and", "or") and not is_first:
            return not (is_surely_verb(line, i + 1) or after.word in SUBJECTS)
        if is_first and token.classes & _NOT_IN_LIST:
            return False
        is_noun = token.is_word and token.word not in SUBJECTS
        if token.word != "," and (not is_noun or token.classes & _IN_CLAUSE):
            return False
    return False


def _has_subject(line: Sequence[Token], i: int) -> bool:
    """Return whether a subject and its verb are found at a token: "the following day, Orr left"."""
    while i < len(line) and (is_date(line, i) or "adverb" in line[i].classes):
        i += 1
    if i + 1 >= len(line):
        return False
    end = i + 1
    if line[i].word not in SUBJECTS:
        phrase = phrase_at(line, i, len(line))
        end = phrase.end if phrase else len(line)
    while end < len(line) and "adverb" in line[end].classes:
        end += 1
    return is_surely_verb(line, end)


_EXAMPLES = frozenset("including like such especially particularly rather let".split())
_IN_CLAUSE = frozenset(("auxiliary", "past", "subordinator"))
_INFINITE = frozenset("be been being have having do".split())
_LATEST_OPENING = 2
"""Maximum number of words before a participle that opens a sentence."""


def _contains(line: Sequence[Token], cue: Cue, last: Cue) -> bool:
    """Return whether the cue before is part of what a cue after it reports: "She hopes to go, Orr
    said".
    """
    is_speech = cue.frame.kind in ("speech", "shows")
    is_reported = cue.follows is None or last.frame.kind not in ("speech", "shows")
    is_inverted = cue.first == cue.verb and line[cue.verb].word != "according"
    is_reported |= is_inverted and line[cue.follows or 0].word != QUOTED
    # 'It will not be revealed until "next week," Orr said'
    is_open = last.precedes and last.source is None and line[cue.first - 1].word == QUOTED
    follows_sign = (
        cue.precedes and cue.first > last.end and (is_open or line[cue.first - 1].word == ",")
    )
    return is_speech and (is_reported or is_open) and follows_sign


def _relays(line: Sequence[Token], cue: Cue, last: Cue) -> bool:
    """Return whether a cue only says who reported what another source said: "“It burned,” Orr said,
    according to the Post", "It burned, says Orr, according to Pelt", "Orr said, according to Pelt,
    that it burned". In "Orr said it burned, according to Pelt", Pelt says what Orr said.
    """
    is_speech = last.frame.kind == "speech" and last.source is not None
    is_after = cue.first > last.end and line[cue.first - 1].word == ","
    is_aside = last.end == cue.first - 1 and cue.follows is not None
    is_own = last.precedes or is_aside
    return is_speech and is_after and is_own and line[cue.verb].word == "according"


_THOUGHTS = ("thought", "attitude", "adjective", "noun")
_ATTITUDES = ("attitude", "adjective", "noun")
_BEFORE_NEW = frozenset(
    (",", ";", ":", "—", "–", "and", "but", QUOTED, "while", "though", "although", "as")
)


def _is_new(line: Sequence[Token], last: Cue, cue: Cue) -> bool:
    """Return whether an attribution is not part of the content of the one before it."""
    if cue.frame.kind == "noun" and cue.first == cue.start:
        return False  # "cited old lamps and strong demand for them"
    if line[cue.start].word == "been":
        return False  # "said millers had, for now, been calling for it"
    is_gerund = cue.first == cue.verb and "preposition" in line[cue.first - 1].classes
    if _is_dependent(line, last, cue) or _is_attached(line, last, cue):
        return False
    if _is_in_relative(line, last, cue) or _has_reported_source(line, last, cue):
        return False
    is_attitude = last.frame.kind in _ATTITUDES and not is_gerund
    if is_attitude and cue.source and cue.frame.kind == "speech":
        return True
    start = cue.first if cue.clause is None else cue.clause
    if _follows_subordinate(line, last, start):
        return False
    is_postposed = cue.precedes and cue.clause is None
    if last.follows is None or is_postposed:
        return True
    is_apart = cue.first == cue.verb or line[start].word in _JOINING or _is_joined(line, start)
    if last.follows < start and not (is_apart or _has_main_verb(line, last, start)):
        return False  # "Orr said that, in the week that followed, she feared it"
    if line[start].word in ("and", "but"):
        # "he said it was old and wanted it shut", "he said that they fled and blamed the mill"
        is_said = last.frame.kind == "speech" and last.follows < start
        return not (is_said and (cue.frame.is_base or cue.frame.kind in _THOUGHTS))
    # In "Orr, who asked for silence, said", the second subject precedes the first cue.
    first = _before_date(line, start)
    if first < last.end:
        # "Polls show millers fear the fire": the words before "fear" are no subject.
        is_relative = line[last.start - 1].word in ("who", "which", "that")
        is_after_sign = not line[cue.start - 1].is_word
        is_clausal = first < last.start and last.frame.takes & {"clause", "that"}
        return is_relative or is_after_sign or not is_clausal
    return line[first - 1].word in _BEFORE_NEW


def _is_in_relative(line: Sequence[Token], last: Cue, cue: Cue) -> bool:
    """Return whether a cue with a subject is in a clause on a noun of the content before it: "deny
    reports that [Orr] said it", "a fire in May where [Orr] said it".
    """
    content, start = last.follows, cue.first if cue.clause is None else cue.clause
    if content is None or start <= content + 1 or cue.precedes or cue.source is None:
        return False
    before, joint = line[start - 2], line[start - 1].word
    is_where = joint == "where" and before.word[0].isalnum()
    return is_where or (joint == "that" and before.is_word and before.is_noun)


def _has_reported_source(line: Sequence[Token], last: Cue, cue: Cue) -> bool:
    """Return whether a participle has its source in what the cue before it reports: "Orr said that
    [Pelt] left, saying it was shut".
    """
    is_participle = cue.first == cue.verb and line[cue.verb].word.endswith("ing")
    that = last.follows
    if not is_participle or cue.source is None or that is None or line[that].word != "that":
        return False
    return line[that].start <= cue.source.span.start < line[cue.start].start


def _follows_subordinate(line: Sequence[Token], last: Cue, start: int) -> bool:
    """Return whether a clause is the main one of a content that begins with another: "said that, while
    it burned, [she feared it]", "said if it burned, [she would urge millers to leave]".
    """
    first = last.follows
    if first is None or last.frame.kind != "speech" or start <= first:
        return False
    openings = frozenset(("if", "once", "until"))
    if line[first].word == "that":
        first += 1 + (line[first + 1].word == ",")
        openings |= _SUBORDINATORS
    is_subordinate = line[first].word in openings and line[start].word not in ("and", "but")
    commas = (i for i in range(first, start) if line[i].word == ",")
    return is_subordinate and next(commas, -1) == start - 1


def _is_dependent(line: Sequence[Token], last: Cue, cue: Cue) -> bool:
    """Return whether a cue is an infinitive, or a noun in a reported clause, so that it belongs to the
    cue before it: "Orr said she wants the money to [defend] it and in [support] of Pelt".
    """
    start = last.follows
    if start is None or start >= cue.start or cue.first != cue.start:
        return False
    if line[cue.start].word == "to":
        # not "say" in "came to praise Orr and to say that it is shut"
        return line[last.start].word != "to" or line[cue.start - 1].word != "and"
    is_clause = line[start].word == "that" or is_clause_at(line, start)
    return cue.frame.kind == "noun" and last.frame.kind == "speech" and is_clause


def _is_attached(line: Sequence[Token], last: Cue, cue: Cue) -> bool:
    """Return whether no sign separates a cue from the reported clause around it, which is then not yet
    complete: "Orr said that it burned because [Pelt] fears it", "by lighting it and [praising] Pelt".
    """
    content, start = last.follows, cue.first if cue.clause is None else cue.clause
    if content is None or start <= content + 1 or (cue.precedes and cue.clause is None):
        return False
    is_clause = "clause" in last.frame.takes and content == last.end and is_clause_at(line, content)
    if not (is_clause or line[content].word == "that"):
        return False
    if line[start].word in ("and", "but"):
        return False
    start = _before_date(line, start)
    is_other = cue.frame.kind == "speech" and cue.source and cue.source.kind != "pronoun"
    if line[start - 1].word == "while" and is_other:
        return False  # "Orr said that it burned while Pelt said that it stood"
    start -= line[start - 1].word in _SUBORDINATORS
    if line[start - 1].word not in ("and", "but"):
        return line[start - 1].is_word
    are_gerunds = [line[i].word.endswith("ing") for i in (last.verb, cue.verb)]
    return line[start - 2].is_word and are_gerunds == [False, True]


_JOINING = frozenset(("and", "but", ";", ":", *DASHES))


def _is_joined(line: Sequence[Token], start: int) -> bool:
    """Return whether a conjunction joins a clause to one before it: "..., while [Orr] said"."""
    before = line[start - 1].word
    follows_sign = start > 1 and not line[start - 2].is_word
    return before in _JOINING or (follows_sign and before in _SUBORDINATORS)


def _has_main_verb(line: Sequence[Token], last: Cue, end: int) -> bool:
    """Return whether a reported clause has a verb before a token; whether something else than a
    clause is reported.
    """
    start = last.follows or 0
    takes = last.frame.takes
    is_clause = "clause" in takes and start == last.end and is_clause_at(line, start)
    if line[start].word == QUOTED or not (is_clause or line[start].word == "that"):
        return True
    # A quotation may have the verb.
    return any(line[i].word == QUOTED or is_surely_verb(line, i) for i in range(start + 1, end))


def _before_date(line: Sequence[Token], first: int) -> int:
    """Return the start of a date directly before a token: "on Friday night he said"."""
    start = first
    while start > 0 and is_date(line, start - 1):
        start -= 1
    return start


def trimmed(line: Sequence[Token], start: int, end: int) -> Span | None:
    """Return the span of some tokens without signs and conjunctions at its ends."""
    while start < end and _is_edge(line[start]):
        start += 1
    while end > start and (_is_edge(line[end - 1]) or _is_open(line, end - 1)):
        end -= 1
    opened = sum((token.word == "(") - (token.word == ")") for token in line[start:end])
    end += opened > 0 and end < len(line) and line[end].word == ")"
    is_particle = end - start == 1 and bool(line[start].classes & {"preposition", "subordinator"})
    if start >= end or is_particle:
        return None
    return Span(line[start].start, line[end - 1].end)


def _is_open(line: Sequence[Token], i: int) -> bool:
    """Return whether a word begins a clause that was cut off: "that" or "which", but not "for that"."""
    is_pronoun = i > 0 and "preposition" in line[i - 1].classes
    is_opening = line[i].word in (*_SUBORDINATORS, "that", "which")
    return is_opening and line[i].word != "before" and not is_pronoun


def _is_edge(token: Token) -> bool:
    return token.word in ("and", "but") or not (token.is_word or token.word == QUOTED)
