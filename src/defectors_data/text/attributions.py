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
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from defectors_data.text.detection import outermost_quotations
from defectors_data.text.english import (
    ReportingVerb,
    cue_nouns,
    cue_words,
    means_person,
    reporting_verbs,
    verbs_of_mode,
)
from defectors_data.text.english.possible_cues import (
    FEWEST_OF_DRAFT,
    has_points,
    is_possible_cue,
    points_of,
)
from defectors_data.text.english.sentences import QUOTED, Token, sentences
from defectors_data.text.english.sources import (
    SourceWords,
    Subject,
    is_aside,
    is_introduction,
    main_subject,
    phrase_at,
    possessor,
    source_of,
    subject_before,
)
from defectors_data.text.occurrences import merged
from defectors_data.text.offsets import Span, SpanIndex, SpanLike, overlaps


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
    def is_likely(self) -> bool:
        """Whether its points make it as likely as a pattern of words does."""
        return self.points >= FEWEST_OF_DRAFT and has_points(self.verb)

    @property
    def stance(self) -> str | None:
        """The stance that the verb alone shows, such as `denies`, unless it may be an accusation."""
        verb = reporting_verbs().get(self.verb)
        return verb.stance if verb and verb.stance != "accuses" else None

    @property
    def is_thought(self) -> bool:
        """Whether the verb is one of thought, such as "hopes"."""
        verb = reporting_verbs().get(self.verb)
        return verb is not None and verb.kind == "thought"


def attributions(
    text: str,
    quoted: Sequence[Span] | None = None,
    within: Span | None = None,
    *,
    attitudes: bool = False,
) -> list[FoundAttribution]:
    """Return the attributions in a text, in order.

    Args:
        text: the text.
        quoted: its outermost quotations; None to detect them.
        within: the span of which the lines are read; None for all.
        attitudes: whether to include cues that are often no attribution, such as "welcomed the
            plan", "is confident that" and "his plan to", and possible cues. Only proposals use them.
    """
    found: list[FoundAttribution] = []
    if quoted is None:
        quoted = outermost_quotations(text)
    cues = None if attitudes else _words_read(attitudes=False)
    for line in sentences(text, quoted, cues, within):
        found += _in_sentence(text, line, attitudes=attitudes)
    return found


class AttributedWords:
    """The attributions in a text, by what is attributed."""

    def __init__(
        self, text: str, quoted: Sequence[Span] | None = None, *, attitudes: bool = False
    ) -> None:
        """Read a text, with the arguments of `attributions`."""
        self.text = text
        self.found = attributions(text, quoted, attitudes=attitudes)
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
        if not at:
            return None
        between = self.text[self._ends[at - 1] : words.start]
        is_apart = "\n" in between or any(character.isalnum() for character in between)
        return None if is_apart else self._sure[at - 1]


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
    for line in sentences(text, quoted, _words_read(attitudes=False), sentence):
        found += [each.cue for each in _in_sentence(text, line)]
        for i, token in enumerate(line):
            verb = reporting_verbs().get(token.word)
            if verb and verb.kind == "speech" and _is_finite(line, i):
                found.append(Span(token.start, token.end))
    inside = [span for span in found if overlaps(span, [sentence])]
    return [Span(*run) for run in merged(inside)]


def _is_finite(line: Sequence[Token], i: int) -> bool:
    """Return whether a form of a verb is neither an infinitive nor a noun."""
    start, auxiliaries = _with_auxiliaries(line, i)
    return "to" not in auxiliaries and not _is_noun(line, i, start - 1)


# ---- cues ----------------------------------------------------------------------------------------


_ANY_VERB = ReportingVerb(frozenset({"clause"}), "speech", "", is_base=False, may_be_noun=False)
"""A verb that is not in the table, next to a quotation: `"...," Orr fumed`."""


class _Cue(NamedTuple):
    """An attribution whose content is not known yet, as numbers of tokens."""

    verb: int
    start: int
    end: int
    """The token after the cue."""
    first: int
    """The first token of the source and the cue."""
    source: SourceWords | None
    follows: int | None
    """The first token of the content after the cue; None if none follows."""
    precedes: bool
    """Whether content precedes the source and the cue."""
    frame: ReportingVerb = _ANY_VERB
    """What can follow the verb."""
    clause: int | None = None
    """The first token of the clause of a passive; None if that is `first`."""


def _in_sentence(
    text: str, line: Sequence[Token], *, attitudes: bool = False
) -> list[FoundAttribution]:
    read, nouns = _words_read(attitudes=attitudes), cue_nouns() if attitudes else {}
    at = {i for i, token in enumerate(line) if token.word in read}
    at.update(_beside_quotations(text, line))
    cues: list[_Cue] = []
    for i in sorted(at):
        if cues and i < cues[-1].end:
            continue
        if line[i].word == "words":
            is_phrase = [token.word for token in line[max(0, i - 2) : i + 2]] == _IN_WORDS_OF
            cues += _in_words(text, line, i) if is_phrase else []
            continue
        word = line[i].word
        found = None
        if word == "according":
            found = _according(text, line, i)
        elif word in cue_words() or word not in nouns:
            found = _with_verb(text, line, i, cues, attitudes=attitudes)
        if not found and word in nouns:
            found = _with_noun(text, line, i)
        if found and attitudes and not found.source and found.clause is None:
            found = found._replace(source=_likely_source(text, line, found, cues))
        if found:
            cues.append(found)
    sure = _with_content(line, cues)
    if not attitudes:
        return sure
    if all(token.word != QUOTED for token in line):
        # What is rarely said does not end what is said around it.
        rare = [each.cue for each in sure if is_rarely_said(text, each)]
        cues = [cue for cue in cues if not overlaps(line[cue.verb], rare)]
        sure = _with_content(line, cues) if rare else sure
    return sorted([*sure, *_possible(text, line, sure)])


@cache
def _words_read(*, attitudes: bool) -> frozenset[str]:
    """Return the words that can be cues."""
    others = (*cue_words(), *cue_nouns()) if attitudes else ()
    return frozenset((*reporting_verbs(), *others, "according", "words"))


def _likely_source(
    text: str, line: Sequence[Token], cue: _Cue, cues: Sequence[_Cue]
) -> SourceWords | None:
    """Return the source of the verb before, or else the subject of the sentence: "Orr came to say".

    It is a guess for proposals, which a person must confirm.
    """
    before = [each for each in cues if each.source and each.frame.kind != "noun"]
    if before:
        return before[-1].source
    return main_subject(text, line, cue.first, is_any=True)


_WORDS_TO_QUOTATION = 4


def _beside_quotations(text: str, line: Sequence[Token]) -> list[int]:
    """Return the words that only a quotation next to them shows to be reporting verbs."""
    found: list[int] = []
    for q, token in enumerate(line):
        if token.word != QUOTED:
            continue
        if q and line[q - 1].word in (",", ":"):
            found += _first_past(line, range(q - 2, max(-1, q - 2 - _WORDS_TO_QUOTATION), -1))
        after = q + 1
        if after < len(line) and line[after].word == ",":
            after += 1
        elif text[token.end - 1] not in ",?!—":
            continue
        found += _first_past(line, range(after, min(len(line), after + _WORDS_TO_QUOTATION + 2)))
    return found


def _first_past(line: Sequence[Token], numbers: Iterable[int]) -> list[int]:
    """Return the first word in the past tense, if no reporting verb or sign comes before it."""
    for i in numbers:
        token = line[i]
        if token.word in reporting_verbs() or not token.is_word:
            break
        if not token.is_capitalized and (token.word.endswith("ed") or "outburst" in token.classes):
            return [i]
    return []


_IN_WORDS_OF = ["in", "the", "words", "of"]


def _in_words(text: str, line: Sequence[Token], i: int) -> list[_Cue]:
    """Return the attribution of "in the words of" and a quotation, if it has a source."""
    phrase = phrase_at(line, i + 2, len(line))
    if phrase is None or all(token.word != QUOTED for token in line):
        return []
    source, quotation = source_of(text, line, phrase), _next_quotation(line, phrase.end)
    return [_Cue(i, i - 2, i + 2, i - 2, source, quotation, precedes=quotation is None)]


def _according(text: str, line: Sequence[Token], i: int) -> _Cue | None:
    """Return the attribution of "according to"."""
    if i + 2 >= len(line) or line[i + 1].word != "to":
        return None
    phrase = phrase_at(line, i + 2, len(line))
    source = phrase and source_of(text, line, phrase)
    if phrase is None and line[i + 2].classes & {"pronoun", "objective"}:
        span = Span(line[i + 2].start, line[i + 2].end)
        source = SourceWords(span, span, "pronoun")
    after = phrase.end if phrase else i + 2
    stop = _next_sign(line, after)
    while stop < len(line) and line[stop].word == ",":
        end = _next_sign(line, stop + 1)
        has_more = end + 1 < len(line) and line[end].word == ","
        is_place = "preposition" in line[min(stop + 1, len(line) - 1)].classes
        if is_place or not (has_more and is_aside(line, stop + 1, end)):
            break
        stop = end
    is_first = i == _start_of_content(line, i)
    goes_on = stop + 1 < len(line) and (is_first or line[stop].word == ",")
    follows = stop + 1 if goes_on else None
    return _Cue(i, i, i + 2, i, source, follows, not is_first)


def _with_noun(text: str, line: Sequence[Token], i: int) -> _Cue | None:
    """Return the attribution of a noun, such as "his plan to"."""
    frame = cue_nouns()[line[i].word]
    if i + 2 < len(line) and line[i + 1].word in ("by", "from"):
        phrase = phrase_at(line, i + 2, len(line))
        if phrase is None or phrase.end >= len(line) or line[phrase.end].word not in frame.takes:
            return None
        source = source_of(text, line, phrase)
        return _Cue(i, i, i + 1, i, source, phrase.end, precedes=False, frame=frame)
    if i + 2 >= len(line) or line[i + 1].word not in frame.takes:
        return None
    subject = possessor(text, line, i)
    if not subject.source and line[i + 1].word not in ("that", "to"):
        return None
    source, first = subject.source, subject.first
    return _Cue(i, i, i + 1, first, source, i + 1, precedes=False, frame=frame)


def _with_verb(
    text: str, line: Sequence[Token], i: int, cues: list[_Cue], *, attitudes: bool
) -> _Cue | None:
    """Return the attribution of a verb; None if the word is no verb here or attributes nothing."""
    verb = cue_words().get(line[i].word, _ANY_VERB)
    if line[i].is_capitalized and i and line[i - 1].is_word and not _is_in_headline(line, i, verb):
        return None
    start, auxiliaries = _with_auxiliaries(line, i)
    if "to" in auxiliaries:
        return _framed(line, i, start, verb, Subject(start, None))
    is_participle = line[i].word.endswith("ing")
    is_past = line[i].word.endswith("ed") and "by" not in verb.takes
    if is_past and i + 1 < len(line) and line[i + 1].word == "by":
        return _passive(text, line, i, start)
    if verb.kind == "adjective":
        return _adjective(text, line, i, verb)
    if "be" in auxiliaries and not is_participle:
        return _passive(text, line, i, start)
    if is_participle and "be" not in auxiliaries:
        return _participle(text, line, i, start, cues)
    if not auxiliaries and _is_noun(line, i, start - 1):
        return None
    if not auxiliaries and (inverted := _inverted(text, line, i, verb)):
        return inverted
    if line[i].word in _FRONTED and (i == 0 or line[i - 1].word == "when"):
        # "Asked about the fire, Orr said"
        return _framed(line, i, i, verb, Subject(i, None))
    subject = subject_before(text, line, start - 1)
    if attitudes and subject is None and not verb.is_base:
        # The verb is finite, and a person confirms who its subject is.
        subject = Subject(start, None)
    if subject is None or _is_dependent(line, subject.first):
        return None
    is_verb = auxiliaries or (attitudes and not verb.may_be_noun)
    if verb.is_base and not is_verb and not _agrees(text, line, start - 1, subject):
        return None
    return _framed(line, i, start, verb, subject)


def _adjective(text: str, line: Sequence[Token], i: int, verb: ReportingVerb) -> _Cue | None:
    """Return the attribution of an adjective, such as "is confident that" or "made it clear that"."""
    start, auxiliaries = _with_auxiliaries(line, i)
    is_it = start > 1 and line[start - 1].word == "it" and line[start - 2].word in _LINKING
    if is_it:
        start -= 2
    elif start and line[start - 1].word in _LINKING:
        start -= 1
    elif "be" not in auxiliaries:
        return None
    subject = subject_before(text, line, start - 1)
    if subject is None or line[start - 1].word in ("it", "that", "this"):
        return None
    return _framed(line, i, start, verb, subject)


_LINKING = frozenset(
    "appear appears appeared grow grows grew growing sound sounds sounded look looks looked "
    "make makes made making become becomes became feel feels felt remain remains remained seem seems seemed".split()
)
_PLURAL_PRONOUNS = frozenset(
    "i we you they who which that some many most all both few others".split()
)


def _agrees(text: str, line: Sequence[Token], before: int, subject: Subject) -> bool:
    """Return whether the base form of a verb can have a subject: one in the plural, or I or you."""
    source, word = subject.source, line[before].word
    if word in ("who", "percent") or word.endswith("%"):
        return True
    if source is None:
        return line[before].is_plural
    if source.kind == "pronoun":
        return text[slice(*source.head)].lower() in _PLURAL_PRONOUNS or "’" in line[before].word
    last = next(
        token for token in reversed(line) if token.end <= source.head.end or token is line[0]
    )
    return source.kind == "group" or last.is_plural


def _is_in_headline(line: Sequence[Token], i: int, verb: ReportingVerb) -> bool:
    """Return whether a verb with a capital letter is one of a headline: "Orr Says Mill Is Shut"."""
    is_past_or_singular = line[i].word.endswith(("s", "d"))
    is_verb = verb.kind != "thought" and not verb.may_be_noun and is_past_or_singular
    return is_verb and line[i - 1].is_capitalized and _is_title(line[i + 1 : i + 2])


def _is_title(after: Sequence[Token]) -> bool:
    return any(token.is_capitalized or not token.is_word for token in after)


_FRONTED = frozenset("asked told pressed questioned".split())
_DEPENDENT = frozenset("whether if many do does did".split())


def _is_dependent(line: Sequence[Token], first: int) -> bool:
    """Return whether a clause is asked or assumed rather than stated: "if he said"."""
    return first > 0 and line[first - 1].word in _DEPENDENT


def _with_auxiliaries(line: Sequence[Token], i: int) -> tuple[int, set[str]]:
    """Return the first token of a verb with its auxiliaries and adverbs, and what these are."""
    found: set[str] = set()
    j = i - 1
    while j >= 0:
        token = line[j]
        if "be" in token.classes:
            found.add("be")
        elif "auxiliary" in token.classes:
            found.add("auxiliary")
        elif token.word == "to":
            found.add("to")
        elif not ("adverb" in token.classes or _is_date(line, j)):
            break
        j -= 1
    if j >= 0 and "pronoun" in line[j].classes and "’" in line[j].word:
        # "he’s saying", "he’s said"
        role = "be" if line[i].word.endswith("ing") else "auxiliary"
        found.add(role)
    if "to" in found and j >= 0 and line[j].word in ("on", "continued", "continues", "used"):
        # "went on to say"
        return j - (line[j].word == "on"), {"auxiliary"}
    return j + 1, found


def _is_date(line: Sequence[Token], j: int) -> bool:
    """Return whether a word is part of a date before a verb: "Orr on Friday said"."""
    if "date" in line[j].classes or (line[j].classes & {"time"} and not line[j].is_capitalized):
        return True
    after = line[j + 1].classes if j + 1 < len(line) else frozenset[str]()
    if not after & {"date", "time"}:
        return False
    is_number = "number" in line[j].classes or line[j].word.isdigit()
    return is_number or line[j].word in ("on", "last", "this", "past", "late", "early", "in")


def _is_noun(line: Sequence[Token], i: int, before: int) -> bool:
    """Return whether a form that may be a noun or an adjective is one here: "the report"."""
    verb = cue_words().get(line[i].word, _ANY_VERB)
    if before < 0:
        return False
    previous = line[before]
    if not previous.is_word:
        return False
    if previous.classes & {"pronoun", "number"}:
        is_counting = "determiner" in previous.classes and line[i].word.endswith("s")
        return is_counting and verb.may_be_noun
    if previous.word[0].isdigit():
        return verb.may_be_noun
    if previous.classes & {"determiner", "preposition"} or previous.word.endswith("’s"):
        return "’" not in previous.word or previous.word.partition("’")[0] not in _CONTRACTED
    if verb.is_base:
        return False  # its subject decides: see `_agrees`
    if not verb.may_be_noun or i + 1 >= len(line):
        return False
    after = line[i + 1]
    if "auxiliary" in after.classes:
        return True
    if after.word in ("of", "for", "on", "about", "from") and after.word not in verb.takes:
        return True
    is_person = previous.is_capitalized or bool(previous.classes & {"institution", "title"})
    has_object = after.is_capitalized or after.classes & {"determiner", "objective"}
    if verb.kind == "shows" and after.word in _CLAUSE_WORDS | _SUBJECTS:
        return False  # "the count shows that it is shut"
    return line[i].word.endswith("s") and not is_person and not has_object


_CONTRACTED = frozenset("he she it who i we you they that".split())


def _passive(text: str, line: Sequence[Token], i: int, start: int) -> _Cue | None:
    """Return the attribution of "was quoted as saying", or of a passive with "by"."""
    after = [token.word for token in line[i + 1 : i + 3]]
    if line[i].word == "quoted" and after == ["as", "saying"]:
        subject = subject_before(text, line, start - 1)
        if subject is None:
            return None
        return _Cue(i, start, i + 3, subject.first, subject.source, i + 3, precedes=False)
    verb = cue_words().get(line[i].word, _ANY_VERB)
    if verb.takes == {"quotation"}:  # "the name can only be read by hand"
        return None
    if after[:1] != ["by"] and verb.kind == "attitude":
        return None
    if after[:1] != ["by"]:
        follows = i + 1 if i + 2 < len(line) else None
        subject = subject_before(text, line, start - 1)
        clause = subject and subject.first
        return _Cue(i, start, i + 1, start, None, follows, precedes=True, frame=verb, clause=clause)
    phrase = phrase_at(line, i + 2, len(line))
    if phrase is None:
        return None
    source = source_of(text, line, phrase)
    is_opening = start == 1 and line[0].word == "as"
    if is_opening and phrase.end + 1 < len(line) and line[phrase.end].word == ",":
        return _Cue(i, start, i + 2, start, source, phrase.end + 1, precedes=False, frame=_ANY_VERB)
    return _Cue(i, start, i + 2, start, source, None, precedes=True, frame=verb)


_BEFORE_PARTICIPLE = {QUOTED, ",", "—", "–", "-"} | set(
    "and but or by of for from at on in with while before after without when".split()
)


def _participle(
    text: str, line: Sequence[Token], i: int, start: int, cues: list[_Cue]
) -> _Cue | None:
    """Return the attribution of a participle, such as "adding", with the source of its clause."""
    if start == 0 or "determiner" in line[i - 1].classes or line[i].word == "considering":
        return None
    before = line[start - 1]
    if before.word in _BEFORE_PARTICIPLE:
        verbal = [cue for cue in cues if cue.frame.kind != "noun"]
        source = verbal[-1].source if verbal else main_subject(text, line, start - 1)
    elif before.is_noun:
        subject = subject_before(text, line, start - 1)
        if subject is None:
            return None
        source = subject.source
    else:
        return None
    verb = cue_words()[line[i].word]
    is_phrase = i + 1 < len(line) and "determiner" in line[i + 1].classes
    if is_phrase and "object" not in verb.takes and not _is_clause_at(line, i + 1):
        return None  # "adding the words"
    found = _framed(line, i, i, verb, Subject(i, source))
    return found and found._replace(precedes=False)


def _inverted(text: str, line: Sequence[Token], i: int, verb: ReportingVerb) -> _Cue | None:
    """Return the attribution of a verb before its source: `"...," said Orr`."""
    if i + 1 >= len(line) or not verb.takes & {"clause", "quotation"}:
        return None
    before = line[i - 1].word if i else ""
    if before not in (QUOTED, ",", ""):
        return None
    after = line[i + 1]
    if after.word in ("he", "she", "they", "i", "we"):
        span = Span(after.start, after.end)
        source: SourceWords | None = SourceWords(span, span, "pronoun")
        end = i + 2
    else:
        phrase = phrase_at(line, i + 1, len(line))
        if phrase is None or after.classes & {"time", "date"}:
            return None
        source, end = source_of(text, line, phrase), phrase.end
    is_closed = end >= len(line) or line[end].word in (",", ".", "who", ":", "(")
    if before != QUOTED and not is_closed:
        return None
    if source is None or (before == "," and _ends_aside(line, i - 1)):
        return None
    quotation = _next_quotation(line, end)
    return _Cue(i, i, i + 1, i, source, quotation, precedes=i > 0, frame=verb)


def _ends_aside(line: Sequence[Token], comma: int) -> bool:
    """Return whether a comma ends words after a name: "Orr, a miller, said"."""
    start = comma
    while start > 0 and line[start - 1].word not in (",", QUOTED, ";", ":"):
        start -= 1
    return start > 0 and line[start - 1].word == "," and is_aside(line, start, comma)


def _next_quotation(line: Sequence[Token], i: int) -> int | None:
    return next((k for k in range(i, len(line)) if line[k].word == QUOTED), None)


def _next_sign(line: Sequence[Token], i: int) -> int:
    """Return the next sign that ends a phrase, or the number of tokens."""
    while i < len(line) and (line[i].is_word or line[i].word in "-("):
        i += 1
    return i


def _start_of_content(line: Sequence[Token], i: int) -> int:
    """Return the first token of what a clause that ends with its attribution can say.

    It follows a colon, or a dash or a bracket that nothing closes before the attribution.
    """
    dashes: list[int] = []
    stop, depth = -1, 0
    for j in range(i - 1, -1, -1):
        word = line[j].word
        depth += (word == ")") - (word == "(")
        if word in (";", ":") or depth < 0:
            stop = j
            break
        if word in _DASHES:
            dashes.append(j)
    is_open = len(dashes) % 2 == 1
    return dashes[0] + 1 if is_open else stop + 1


# ---- what follows and precedes a verb ------------------------------------------------------------

_CLAUSE_WORDS = frozenset("that whether if how why what who where when".split())
_DASHES = ("—", "–", "-")
_ENDS = frozenset((".", ",", ";", ":", "!", "?", "…", "—", "–", "-", ")", "and", "but"))
_ADVERBIALS = frozenset("as before after while when during because since until".split())


def _framed(
    line: Sequence[Token], i: int, start: int, verb: ReportingVerb, subject: Subject
) -> _Cue | None:
    """Return the attribution of a verb if what follows or precedes it can be its content."""
    k = _after_adverbs(line, i + 1)
    if k + 1 < len(line) and line[k].word in _PARTICLES and line[k].word not in verb.takes:
        k += 1
    after = line[k].word if k < len(line) else "."
    following = line[k + 1].word if k + 1 < len(line) else ""
    first = subject.first
    if first > 1 and line[first - 1].word == "as" and line[first - 2].word in (",", QUOTED):
        first -= 1  # "It is shut, as Orr said"
    before = line[first - 1].word if first else ""
    has_before = before == QUOTED or (before == "," and first > 1)
    cue = _Cue(i, start, i + 1, min(first, start), subject.source, None, precedes=False, frame=verb)
    is_clausal = bool(verb.takes & {"clause", "that", "quotation"})
    if after == QUOTED:
        return cue._replace(follows=k)
    if after in (":", ",") and following == QUOTED:
        return cue._replace(follows=k + 1, precedes=before == QUOTED)
    if after in _ENDS:
        return _postposed(line, k, cue, is_clausal=is_clausal, has_before=has_before)
    has_before = before == QUOTED or (has_before and not _is_introduced(line, first))
    if after in _CLAUSE_WORDS:
        return cue._replace(follows=k) if verb.takes & {"clause", "that"} else None
    follows_quotation = before == QUOTED and "clause" in verb.takes
    if after in verb.takes and not follows_quotation:
        return cue._replace(follows=k)
    may_say_more = "clause" in verb.takes
    if after in ("at", "about", "over") and _is_number(following) and may_say_more:
        return cue._replace(follows=k)  # "reported at least six fires"
    if after == "to" or "preposition" in line[k].classes or after in _ADVERBIALS:
        has_that = any(token.word == "that" for token in line[k : k + _LONGEST_PERSON])
        if after == "to" and not (may_say_more and (has_before or has_that)):
            return None
        may_say_more |= "that" in verb.takes and has_that
        return _with_adverbial(line, k, cue, is_clausal=may_say_more, has_before=has_before)
    if not verb.takes & {"clause", "object", "person"}:
        is_as = "as" in verb.takes and any(token.word == "as" for token in line[k : k + 12])
        is_clause = "that" in verb.takes and _starts_clause(line, k)
        return cue._replace(follows=k) if is_as or is_clause else None
    if "person" not in verb.takes:
        return cue._replace(follows=k)
    at = _after_person(line, k)
    says_more = any(token.word in (QUOTED, "that") for token in line[k:])
    is_told = has_before and (line[at].word not in _BEFORE_CONTENT or at + 1 >= len(line))
    if (before == QUOTED or (is_told and verb.kind == "speech")) and not says_more:
        return cue._replace(precedes=True)
    return cue._replace(follows=at)


def _is_number(word: str) -> bool:
    return word in ("least", "most") or word[:1].isdigit()


def _starts_clause(line: Sequence[Token], k: int) -> bool:
    """Return whether a clause without "that" starts at a token: "the mill was shut"."""
    if line[k].word in _SUBJECTS:
        return True
    phrase = phrase_at(line, k, len(line))
    return phrase is not None and _is_verb(line, phrase.end)


def _is_introduced(line: Sequence[Token], first: int) -> bool:
    """Return whether only words such as "On Sunday," or "After the fire," come before a token."""
    start, end = _start_of_content(line, first), first - 1
    while start < end and "conjunction" in line[start].classes:
        start += 1
    if any(token.word in (",", QUOTED) for token in line[start:end]):
        return False
    return start >= end or is_introduction(line[start]) or _is_date(line, start)


def _after_adverbs(line: Sequence[Token], k: int) -> int:
    """Return the token after adverbs and a date: "said on Friday"."""
    while k < len(line) and "objective" not in line[k].classes:  # "describes himself"
        if not ("adverb" in line[k].classes or _is_date(line, k)):
            break
        k += 1
    return k


_PARTICLES = frozenset("out back up down off".split())
_FEWEST = 4
"""Minimum number of words after a comma for what follows to be said rather than added."""


def _postposed(
    line: Sequence[Token], k: int, cue: _Cue, *, is_clausal: bool, has_before: bool
) -> _Cue | None:
    """Return an attribution whose verb ends a clause: "The mill, Orr said, is shut"."""
    if not is_clausal:
        return None
    is_comma = k + 2 < len(line) and line[k].word == ","
    if not has_before and k + 1 < len(line) and line[k].word == ":":
        return cue._replace(follows=k + 1)
    if not has_before:
        return cue._replace(follows=k + 1) if is_comma and len(line) - k > _FEWEST else None
    begin = _start_of_content(line, cue.first)
    is_short = cue.first - begin <= _FEWEST and line[begin].word != QUOTED
    is_introduced = is_short or line[begin].classes & {"preposition", "subordinator"}
    goes_on = is_comma and (
        is_introduced
        or line[k + 1].classes & _CONTINUING
        or (
            _may_be_verb(line[k + 1])
            and not any(_is_verb(line, j) for j in range(begin, cue.first))
        )
    )
    follows = k + 1 if goes_on else None
    return cue._replace(follows=follows, precedes=True)


def _may_be_verb(token: Token) -> bool:
    return not token.is_capitalized and token.word.endswith(("s", "ed"))


_CONTINUING = frozenset(("auxiliary", "conjunction", "subordinator"))


def _with_adverbial(
    line: Sequence[Token], k: int, cue: _Cue, *, is_clausal: bool, has_before: bool
) -> _Cue | None:
    """Return an attribution with words such as "in a statement" after its verb."""
    if not is_clausal:
        return None
    if has_before:
        return cue._replace(follows=_next_quotation(line, k), precedes=True)
    at = _after_adverbial(line, k)
    return cue._replace(follows=at) if at < len(line) else None


def _after_adverbial(line: Sequence[Token], k: int) -> int:
    """Return where the content starts after "in a statement"; the end if there is none."""
    for at in range(k, len(line)):
        word = line[at].word
        if word in ("that", QUOTED) or (at > k + 1 and word in _SUBJECTS):
            return at
        if word in (",", ":") and at + 1 < len(line):
            return at + 1
    return k + 1 if len(line) - k > _FEWEST else len(line)


_SUBJECTS = frozenset("he she they it we i there".split())
_BEFORE_CONTENT = frozenset("that whether if how why what to about of".split())
_LONGEST_PERSON = 12
"""Maximum number of words for the person addressed."""


def _after_person(line: Sequence[Token], k: int) -> int:
    """Return where the content starts after the person addressed, as in "asked Orr whether"."""
    for at in range(k + 1, min(len(line), k + _LONGEST_PERSON)):
        word = line[at].word
        if word == QUOTED or word in _BEFORE_CONTENT:
            return at
        if word in (":", ",") and at + 1 < len(line) and line[at + 1].word == QUOTED:
            return at + 1
        if word in (",", "."):
            break
    if line[k].classes & {"pronoun", "objective"}:
        return k + 1
    phrase = phrase_at(line, k, len(line))
    return phrase.head_end if phrase and phrase.head_end < len(line) - 1 else k


# ---- content -------------------------------------------------------------------------------------


def _with_content(line: Sequence[Token], cues: Sequence[_Cue]) -> list[FoundAttribution]:
    """Return attributions with their content, without those inside the content of another."""
    kept: list[_Cue] = []
    for cue in cues:
        if kept and _relays(line, cue, kept[-1]):
            continue
        if kept and _contains(line, cue, kept[-1]):
            kept.pop()
        if kept and _is_joined(line, cue, kept[-1]):
            kept[-1] = kept[-1]._replace(follows=None)
            kept.append(cue._replace(clause=kept[-1].end + 2))  # after ", while"
            continue
        is_inside = kept and _is_inside(line, kept[-1], cue)
        if not is_inside:
            kept.append(cue)
    found: list[FoundAttribution] = []
    reached = 0
    for i, cue in enumerate(kept):
        ends = len(line)
        if i + 1 < len(kept):
            after = kept[i + 1]
            ends = after.first if after.first >= cue.end else after.start
            if after.precedes and cue.follows is not None:
                begin = _start_of_content(line, after.first)
                ends = min(ends, begin) if cue.follows < begin else ends
        pieces: list[Span | None] = []
        if cue.precedes:
            begin = max(_start_of_content(line, cue.first), reached, cue.clause or 0)
            pieces.append(_trimmed(line, begin, cue.first))
        if cue.follows is not None and cue.follows < ends:
            pieces.append(_trimmed(line, cue.follows, _end_of_content(line, cue, ends)))
        reached = cue.follows or cue.end
        content = tuple(piece for piece in pieces if piece)
        if content:
            found.append(_attribution(line, cue, content))
    return found


def _is_inside(line: Sequence[Token], last: _Cue, cue: _Cue) -> bool:
    """Return whether an attribution is part of the content of the one before it."""
    if last.follows is None:
        return False
    start = cue.first if cue.clause is None else cue.clause
    is_verb_of_content = last.precedes and cue.start == last.follows  # "It, Orr says, is aimed at"
    is_subject_of_content = cue.clause == last.follows
    if is_verb_of_content or is_subject_of_content or _is_in_dashes(line, last.follows, start):
        return True
    is_by = line[cue.end - 1].word == "by" and line[cue.start - 1].is_word
    if is_by and line[last.follows].word == "that" and cue.start > last.follows:
        return True  # "a poll shows that the plan is backed by millers"
    if _is_new(line, last, cue):
        return False
    return cue.first < _end_of_content(line, last, len(line))


def _is_in_dashes(line: Sequence[Token], start: int, i: int) -> bool:
    """Return whether a token after another one is in an aside between dashes, or directly after."""
    before = sum(token.word in _DASHES for token in line[start:i])
    is_directly_after = before > 0 and line[i - 1].word in _DASHES
    is_open = before % 2 == 1 and any(token.word in _DASHES for token in line[i:])
    return is_open or (before % 2 == 0 and is_directly_after)


def _attribution(line: Sequence[Token], cue: _Cue, content: tuple[Span, ...]) -> FoundAttribution:
    words = Span(line[cue.start].start, line[cue.end - 1].end)
    sentence = Span(line[0].start, line[-1].end)
    start, end = line[cue.first].start, words.end
    if cue.source and cue.source.span.start >= start:
        end = max(end, cue.source.span.end)
    phrase = Span(start, end)
    verb, points = line[cue.verb].word, points_of(line, cue.verb)
    return FoundAttribution(words, cue.source, content, verb, sentence, phrase, points)


def _end_of_content(line: Sequence[Token], cue: _Cue, most: int) -> int:
    """Return where content ends: that of words between commas, as in "Orr, who denounced the fire,
    fled", at the second comma.
    """
    verb, start = cue.frame, cue.follows or 0
    is_aside = cue.first > 0 and line[cue.first - 1].word == ","
    is_aside = is_aside and (line[cue.first].word in ("who", "which") or cue.first == cue.verb)
    is_opening = cue.first == cue.verb <= _LATEST_OPENING and verb.kind != "noun"
    if is_opening and line[cue.verb].word != "according":
        # "While denouncing the fire, Orr fled"
        return next((i for i in range(start + 1, most) if line[i].word == ","), most)
    if _is_subordinate(line, cue.first):
        return next((i for i in range(start + 1, most) if line[i].word == ","), most)
    is_clause = "clause" in verb.takes and line[start].word in (QUOTED, "that")
    is_object = not verb.takes & {"clause", "that", "person"} and line[start].word != QUOTED
    is_object |= "object" in verb.takes and start == cue.end and not _is_clause_at(line, start)
    follows_verb = start == cue.end or "person" in verb.takes
    is_object |= follows_verb and "preposition" in line[start].classes
    if is_object:
        return _end_of_object(line, start, most)
    if not is_aside or is_clause:
        return most
    ends = range(start + 1, most)
    return next((i for i in ends if line[i].word == "," and _is_verb(line, i + 1)), most)


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


def _is_clause_at(line: Sequence[Token], start: int) -> bool:
    """Return whether a clause with its own verb starts at a token, and not an object."""
    if line[start].word in _CLAUSE_WORDS | _SUBJECTS | {QUOTED}:
        return True
    for token in line[start:]:
        if token.word in _ENDS_OBJECT or "subordinator" in token.classes:
            return False
        if token.classes & {"auxiliary", "past"}:
            return True
    return False


def _end_of_object(line: Sequence[Token], start: int, most: int) -> int:
    """Return where the object of a verb ends: at a sign, at a verb after "and" or at a verb whose
    subject it is.

    In "praised the mill, which burned", the fire is not part of the praise.
    """
    is_in_clause = False
    closes = _closing(line, start, most) if line[start].word == "(" else 0
    for i in range(start + 1, most):
        is_adjunct = line[start].word != "to" and _is_adjunct(line, i)
        if line[i].word in _AFTER_OBJECT or is_adjunct:
            return i
        if line[i].word == "(":
            closes = _closing(line, i, most)
        if i <= closes or (line[i].word == "," and _continues_list(line, i, most)):
            continue
        if line[i].word == "," and _is_between_adjectives(line, i):
            continue
        is_auxiliary = i + 1 < len(line) and bool(line[i + 1].classes & {"auxiliary"})
        is_verb_phrase = line[i].word in ("and", "but") and _is_verb(line, i + 1)
        is_verb_phrase &= not (is_in_clause and is_auxiliary)  # "those who could leave but did not"
        is_finite = "auxiliary" in line[i].classes and line[i].word not in _INFINITE
        if line[i].word in _ENDS_OBJECT or is_verb_phrase or (is_finite and not is_in_clause):
            return i
        is_in_clause |= "subordinator" in line[i].classes or line[i].word in _SUBJECTS
        is_in_clause |= (
            line[i].word in _ARTICLES and line[i - 1].is_plural
        )  # "steps the board took"
    return most


def _is_adjunct(line: Sequence[Token], i: int) -> bool:
    """Return whether words after an object say when or where it was said: "in an interview"."""
    if line[i].word in ("in", "at", "on", "through"):
        near = line[i + 1 : i + 5]
        return any(token.word in _OCCASIONS for token in near)
    is_time = _is_date(line, i) and line[i - 1].word not in (
        "of",
        "for",
        "from",
        "to",
        "by",
        "than",
    )
    return is_time and "determiner" not in line[i - 1].classes


_ADJECTIVES = ("ed", "ing", "ful", "ous", "ive", "al", "ic", "ish", "less", "able", "ent", "ant")


def _is_between_adjectives(line: Sequence[Token], i: int) -> bool:
    """Return whether a comma separates adjectives: "its embarrassing, old mill"."""
    after = line[i + 1] if i + 2 < len(line) else line[i]
    is_first = (
        i > 1 and "determiner" in line[i - 2].classes and line[i - 1].word.endswith(_ADJECTIVES)
    )
    return is_first and after.is_noun and not after.classes & {"determiner", "subordinator"}


_OCCASIONS = frozenset(
    "interview interviews statement speech speeches rally rallies conference facebook twitter tweet tweets "
    "address debate email emails letter months weeks days years spokesman spokeswoman spokesperson".split()
)
_LONGEST_BRACKET = 15


def _closing(line: Sequence[Token], i: int, most: int) -> int:
    """Return the bracket that closes one inside an object, or 0: "(some) working millers"."""
    ends = range(i + 1, min(most, i + _LONGEST_BRACKET))
    return next((j for j in ends if line[j].word == ")"), 0)


_AFTER_OBJECT = frozenset("when while before after during until since despite because".split())
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
        if token.word in ("and", "or") and not is_first:
            return not (_is_verb(line, i + 1) or after.word in _SUBJECTS)
        if is_first and token.word.endswith("ing"):
            return _is_list_of_gerunds(line, i, most)
        if is_first and token.classes & _NOT_IN_LIST:
            return False
        is_noun = token.is_word and token.word not in _SUBJECTS
        if token.word != "," and (not is_noun or token.classes & _IN_CLAUSE):
            return False
    return False


def _is_list_of_gerunds(line: Sequence[Token], start: int, most: int) -> bool:
    """Return whether another gerund follows: "setting rules, taking care and making it safe"."""
    ends = range(start + 1, min(most - 1, start + _LONGEST_LIST))
    return any(line[i].word == "and" and line[i + 1].word.endswith("ing") for i in ends)


_ARTICLES = frozenset(("the", "a", "an"))
_EXAMPLES = frozenset("including like such especially particularly".split())
_IN_CLAUSE = frozenset(("auxiliary", "past", "subordinator"))
_INFINITE = frozenset("be been being have having do".split())
_LATEST_OPENING = 2
"""Maximum number of words before a participle that opens a sentence."""
_ENDS_OBJECT = frozenset((",", ";", ":", "—", "–", "-", "(", ")"))


def _is_verb(line: Sequence[Token], i: int) -> bool:
    """Return whether a word is certainly a verb."""
    if i >= len(line):
        return False
    is_past = line[i].word.endswith("ed") or line[i].word in reporting_verbs()
    return bool(line[i].classes & {"auxiliary", "past"}) or (is_past and not line[i].is_capitalized)


def _contains(line: Sequence[Token], cue: _Cue, last: _Cue) -> bool:
    """Return whether the cue before is part of what a cue after it reports: "She hopes to go, Orr
    said", but not "It rained, Orr said, while in Rome it snowed, Pelt said".
    """
    if _is_joined(line, cue, last):
        return False
    is_speech = cue.frame.kind in ("speech", "shows")
    is_reported = cue.follows is None or last.frame.kind not in ("speech", "shows")
    follows_comma = cue.precedes and cue.first > last.end and line[cue.first - 1].word == ","
    return is_speech and is_reported and follows_comma


def _is_joined(line: Sequence[Token], cue: _Cue, last: _Cue) -> bool:
    """Return whether the clauses of two speakers, each named after its clause, are joined by "while"
    or "and".
    """
    first = last.end + 1
    are_postposed = last.precedes and cue.precedes and first < cue.first
    are_said = last.frame.kind == cue.frame.kind == "speech" and last.source and cue.source
    is_clause = line[last.end].word == "," and line[min(first, cue.first)].word in _JOINING
    return bool(are_postposed and are_said and is_clause)


_JOINING = frozenset("while whereas and but".split())


def _relays(line: Sequence[Token], cue: _Cue, last: _Cue) -> bool:
    """Return whether a cue only says who printed a quotation: "“It burned,” Orr said, according to
    the Post".
    """
    is_quoted = last.precedes and line[last.first - 1].word == QUOTED
    is_after = cue.precedes and cue.first > last.end and line[cue.first - 1].word == ","
    return bool(is_quoted and last.source and is_after and line[cue.verb].word == "according")


# ---- attributions that need a guess: only for proposals ------------------------------------------

_BE = frozenset("is are was were be been being".split())
_MODALS = frozenset("must should can could would will may might to".split())


def is_rarely_said(text: str, found: FoundAttribution) -> bool:
    """Return whether a construction is rarely a statement of a source: in public news (PolNeAR,
    train part), less than half of these have a source.
    """
    verb = cue_words().get(found.verb)
    kind = verb.kind if verb else "noun"
    cue = text[slice(*found.cue)].casefold().split()
    if cue[0] == "to" and verb and _is_rare_infinitive(verb, found):
        return True
    has_be, has_agent = not _BE.isdisjoint(cue[:-1]), cue[-1] == "by"
    if found.source is None:
        # "is considered one of the largest", "is not easily found on the benches"
        return has_be or has_agent or kind in ("shows", "noun")
    is_parenthetical = text[: found.cue.start].casefold().endswith("as ")  # "As reported by Orr,"
    if has_agent and not is_parenthetical and (not has_be or not _MODALS.isdisjoint(cue)):
        return True  # "the plan challenged by Orr", "must be approved by Orr"
    noun = text[slice(*found.source.head)].rsplit(maxsplit=1)[-1].casefold()
    is_thing = found.source.kind in ("description", "group") and not means_person(noun)
    return is_thing and kind == "attitude"  # "the fire challenged the mill"


def _is_rare_infinitive(verb: ReportingVerb, found: FoundAttribution) -> bool:
    """Return whether an infinitive rarely reports: "to mourn the victims", "to attack the mill"."""
    is_of_name = found.source is not None and found.source.kind == "name"
    is_stance = verb.kind == "stance" and not is_of_name
    is_of_object = verb.kind == "thought" and "object" in verb.takes
    return verb.kind in ("attitude", "adjective") or is_stance or is_of_object


def _possible(
    text: str, line: Sequence[Token], found: Sequence[FoundAttribution]
) -> list[FoundAttribution]:
    """Return attributions of possible cues, outside those that were found."""
    taken = [_extent(each) for each in found]
    others: list[FoundAttribution] = []
    for i, token in enumerate(line):
        if overlaps(token, [*taken, *map(_extent, others[-1:])]) or not is_possible_cue(line, i):
            continue
        cue = _possible_cue(text, line, i)
        content = _possible_content(line, cue, taken)
        each = _attribution(line, cue, content) if content else None
        if each and not overlaps(_extent(each), [*taken, *map(_extent, others[-1:])]):
            others.append(each._replace(is_sure=False))
    return others


def _possible_content(line: Sequence[Token], cue: _Cue, taken: Sequence[Span]) -> tuple[Span, ...]:
    """Return the content of a possible cue, which ends before that of another attribution."""
    follows = cue.follows or cue.end
    stops = (j for j in range(follows + 1, len(line)) if overlaps(line[j], taken))
    end = _end_of_content(line, cue, next(stops, len(line)))
    pieces = [_trimmed(line, follows, end)]
    if cue.clause is not None:
        pieces.insert(0, _trimmed(line, cue.clause, cue.start))
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


def _possible_cue(text: str, line: Sequence[Token], i: int) -> _Cue:
    """Return a possible cue with its source, if that is clear, and the start of its content."""
    start, auxiliaries = _with_auxiliaries(line, i)
    k = _after_adverbs(line, i + 1)
    frame = _POSSIBLE_OBJECT
    if line[min(k, len(line) - 1)].word in _CLAUSE_WORDS:
        frame = _POSSIBLE_CLAUSE
    elif line[min(k, len(line) - 1)].word == "to":
        frame = _POSSIBLE_TO
    subject = subject_before(text, line, start - 1)
    is_passive = "be" in auxiliaries and line[i].word.endswith("ed") and subject is not None
    if is_passive and subject:
        return _Cue(
            i, start, i + 1, start, None, k, precedes=True, frame=frame, clause=subject.first
        )
    source, first = (subject.source, subject.first) if subject else (None, start)
    if source is None:
        owner = possessor(text, line, i)
        source, first = owner.source, min(owner.first, start)
    cue = _Cue(i, start, i + 1, min(first, start), source, k, precedes=False, frame=frame)
    if source is None:
        cue = cue._replace(source=_likely_source(text, line, cue, ()))
    return cue


def _is_opening_clause(line: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a subordinate clause or an adverbial, with its comma, is between two tokens."""
    opens = start < end and line[start].classes & {"subordinator", "preposition", "adverb"}
    commas = [i for i in range(start, end) if line[i].word == ","]
    return bool(opens) and commas == [end - 1]


_THOUGHTS = ("thought", "attitude", "adjective", "noun")
_ATTITUDES = ("attitude", "adjective", "noun")
_BEFORE_NEW = frozenset(
    (",", ";", ":", "—", "–", "and", "but", QUOTED, "while", "though", "although", "as")
)


def _is_new(line: Sequence[Token], last: _Cue, cue: _Cue) -> bool:
    """Return whether an attribution is not part of the content of the one before it."""
    is_gerund = cue.first == cue.verb and "preposition" in line[cue.first - 1].classes
    is_attitude = last.frame.kind in _ATTITUDES and not is_gerund
    if is_attitude and cue.source and cue.frame.kind == "speech":
        return True
    if line[last.verb].word == "according" and line[cue.first - 1].word == "that":
        return True  # "According to Orr, it ended a fire that mill owners said was small"
    is_in_clause = last.follows is not None and line[last.follows].word == "that"
    if is_in_clause and cue.precedes and cue.source is None:
        return False  # "Orr said that, if it burned, they should be declared guilty"
    start = cue.first if cue.clause is None else cue.clause
    is_postposed = cue.precedes and cue.clause is None
    if last.follows is None or is_postposed:
        return True
    if line[start].word in ("and", "but"):
        is_said = last.frame.kind == "speech" and last.follows < start
        return not (
            is_said and cue.frame.kind in _THOUGHTS
        )  # "he said it was old and wanted it shut"
    if is_in_clause and _is_opening_clause(line, last.follows + 1, start):
        return False  # "Orr said that after the fire, she hopes to leave"
    # In "Orr, who asked for silence, said", the second subject precedes the first cue.
    first = _before_date(line, start)
    if first < last.end:
        # "Polls show millers fear the fire": the words before "fear" are no subject.
        is_relative = line[last.start - 1].word in ("who", "which", "that")
        is_after_sign = not line[cue.start - 1].is_word
        is_clausal = first < last.start and last.frame.takes & {"clause", "that"}
        return is_relative or is_after_sign or not is_clausal
    return line[first - 1].word in _BEFORE_NEW


def _before_date(line: Sequence[Token], first: int) -> int:
    """Return the start of a date directly before a token: "on Friday night he said"."""
    start = first
    while start > 0 and _is_date(line, start - 1):
        start -= 1
    return start


def _trimmed(line: Sequence[Token], start: int, end: int) -> Span | None:
    """Return the span of some tokens without signs and conjunctions at its ends."""
    while start < end and _is_edge(line[start]):
        start += 1
    while end > start and (_is_edge(line[end - 1]) or line[end - 1].word == "that"):
        end -= 1
    is_particle = end - start == 1 and bool(line[start].classes & {"preposition", "subordinator"})
    if start >= end or is_particle:
        return None
    return Span(line[start].start, line[end - 1].end)


def _is_edge(token: Token) -> bool:
    return token.word in ("and", "but") or not (token.is_word or token.word == QUOTED)
