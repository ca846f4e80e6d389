"""The cues of attributions, such as "said" and "according to", with their sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from defectors_data.text.english import ReportingVerb, cue_nouns, cue_words, reporting_verbs
from defectors_data.text.english.sentences import QUOTED, Token
from defectors_data.text.english.sources import (
    FRONTED,
    SourceWords,
    Subject,
    is_amount,
    is_aside,
    is_introduction,
    is_of_think_tank,
    list_end,
    main_subject,
    phrase_at,
    possessor,
    source_of,
    subject_before,
)
from defectors_data.text.offsets import Span

_ANY_VERB = ReportingVerb(frozenset({"clause"}), "speech", "", is_base=False, may_be_noun=False)
"""A verb that is not in the table, next to a quotation: `"...," Orr fumed`."""


class Cue(NamedTuple):
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


def cues_in(text: str, line: Sequence[Token], *, attitudes: bool) -> list[Cue]:
    """Return the cues of a sentence, in order, with those inside what another one attributes."""
    read, nouns = words_read(attitudes=attitudes), cue_nouns() if attitudes else {}
    at = {i for i, token in enumerate(line) if token.word in read}
    beside = {*_beside_quotations(text, line)}
    at |= beside
    at -= {i for i in at if is_of_think_tank(line, i)}
    cues: list[Cue] = []
    for i in sorted(at):
        if cues and (i < cues[-1].end or _is_in_according(line, i, cues[-1])):
            continue
        word = line[i].word
        found = None
        if word == "according":
            found = _according(text, line, i)
        elif word in cue_words() or word not in nouns:
            verb = cue_words().get(word, _ANY_VERB)
            if i in beside and verb.kind in ("act", "attitude"):
                verb = _ANY_VERB  # `"...?" they pondered`
            found = _with_verb(text, line, i, verb, cues, attitudes=attitudes)
        if not found and word in nouns:
            found = _with_noun(text, line, i)
        if found and attitudes and not found.source and found.clause is None:
            found = _with_likely_source(text, line, found, cues)
        if found and cues and _follows_inquit(line, found, cues[-1]):
            # "Instead, she said, her boss told him to leave"
            cues[-1] = cues[-1]._replace(follows=found.first)
            continue
        if found:
            cues.append(found)
    return cues


def _is_in_according(line: Sequence[Token], i: int, last: Cue) -> bool:
    """Return whether a word is in the source of "according to": "according to Orr's [figures]"."""
    is_according = line[last.verb].word == "according" and last.source is not None
    return is_according and last.source is not None and line[i].end <= last.source.span.end


def _follows_inquit(line: Sequence[Token], cue: Cue, last: Cue) -> bool:
    """Return whether a cue is in the words that go on after those that attribute them."""
    is_next = last.end == cue.first - 1 and line[cue.first - 1].word == ","
    is_content = cue.precedes or last.follows == cue.first
    is_inquit = last.precedes and last.source is not None
    return is_inquit and is_next and is_content and cue.first < cue.verb


@cache
def words_read(*, attitudes: bool) -> frozenset[str]:
    """Return the words that can be cues."""
    others = (*cue_words(), *cue_nouns()) if attitudes else ()
    return frozenset((*reporting_verbs(), *others, "according"))


def _with_likely_source(text: str, line: Sequence[Token], cue: Cue, cues: Sequence[Cue]) -> Cue:
    """Return a cue with its likely source, with which its clause begins if only asides are between
    them: "Orr, a miller at the Bank for Grain in Rome, said".
    """
    is_finite = not line[cue.verb].word.endswith("ing") and line[cue.start].word != "to"
    name = cue.start
    while name and line[name - 1].is_capitalized and "date" not in line[name - 1].classes:
        name -= 1
    phrase = phrase_at(line, name, cue.start)
    if is_finite and phrase and phrase.end == cue.start:
        # "It was the third time Orr said"
        return cue._replace(source=source_of(text, line, phrase), first=name)
    source = likely_source(text, line, cue, cues)
    cue = cue._replace(source=source)
    follows_aside = cue.first > 1 and line[cue.first - 1].word == ","
    if cues or not source or not is_finite or not follows_aside or cue.first < cue.start:
        return cue
    first = next((i for i, token in enumerate(line) if token.start == source.span.start), cue.first)
    return cue._replace(first=min(first, cue.first))


def likely_source(
    text: str, line: Sequence[Token], cue: Cue, cues: Sequence[Cue]
) -> SourceWords | None:
    """Return the source of the verb before, or else the subject of the sentence: "Orr came to say".

    It is a guess for proposals, which a person must confirm.
    """
    before = [each for each in cues if each.source and each.frame.kind != "noun"]
    if before:
        return before[-1].source
    source = main_subject(text, line, cue.first, is_any=True)
    commas = [i for i, token in enumerate(line) if token.word == ","]
    if source or not commas or commas[0] < cue.end or not line[cue.verb].word.endswith("ing"):
        return source
    # "By asking for money, Orr lost": the subject follows the opening.
    rest = line[commas[0] + 1 :]
    return main_subject(text, rest, len(rest), is_any=True)


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


def _according(text: str, line: Sequence[Token], i: int) -> Cue | None:
    """Return the attribution of "according to", also without a comma before what is said:
    "According to data 12% of mills are old".
    """
    if i + 2 >= len(line) or line[i + 1].word != "to":
        return None
    phrase = phrase_at(line, i + 2, len(line))
    if phrase and line[phrase.head_end - 1].word in _NO_SOURCES:
        return None  # "according to the rules"
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
    is_first = i == start_of_content(line, i)
    if is_first and phrase and line[min(stop, len(line) - 1)].word in ".!?":
        amounts = (j for j in range(i + 3, phrase.end) if is_amount(line[j]))
        end = next(amounts, phrase.end)
        if end + 2 < min(stop, len(line)):
            source = source_of(
                text, line, phrase._replace(head_end=min(phrase.head_end, end), end=end)
            )
            return Cue(i, i, i + 2, i, source, end, precedes=False)
    goes_on = stop + 1 < len(line) and (is_first or line[stop].word == ",")
    goes_on &= is_first or line[min(stop + 1, len(line) - 1)].word not in _CONTRASTS
    follows = stop + 1 if goes_on else None
    return Cue(i, i, i + 2, i, source, follows, not is_first)


_NO_SOURCES = frozenset(
    "ability age importance income law laws merit need needs plan principles rules schedule size taste"
    " tastes value".split()
)
"""Nouns after "according to" that say nothing."""
_CONTRASTS = frozenset("although but though yet".split())
"""Words after an attribution that begin what the writer adds."""


def _with_noun(text: str, line: Sequence[Token], i: int) -> Cue | None:
    """Return the attribution of a noun, such as "his plan to"."""
    frame = cue_nouns()[line[i].word]
    if i + 2 < len(line) and line[i + 1].word in ("by", "from"):
        phrase = phrase_at(line, i + 2, len(line))
        if phrase is None or phrase.end >= len(line) or line[phrase.end].word not in frame.takes:
            return None
        if line[i].word in ADDRESSED and describes_noun(line, phrase.end):
            return None
        source = source_of(text, line, phrase)
        return Cue(i, i, i + 1, i, source, phrase.end, precedes=False, frame=frame)
    if i + 2 >= len(line):
        return None
    # "Her claim is that it burned"
    at = i + 1 + ("be" in line[i + 1].classes and line[i + 2].word == "that")
    if line[at].word not in frame.takes or _is_asked(line, i):
        return None
    subject = possessor(text, line, i)
    is_described = line[i].word in ADDRESSED and describes_noun(line, at)
    is_open = is_described or line[at].word not in ("that", "to")
    if (not subject.source and is_open) or (is_described and line[at].word == "that"):
        return None
    source, first = subject.source, subject.first
    return Cue(i, i, i + 1, first, source, at, precedes=False, frame=frame)


def _is_asked(line: Sequence[Token], i: int) -> bool:
    """Return whether a clause only describes questions: "questions [that she had to face]"."""
    return line[i].word.startswith("question") and line[i + 1].word == "that"


ADDRESSED = frozenset(
    "address answer answers report reports reply replies response responses statement statements testimony".split()
)
"""Nouns after which "to" is followed by an addressee or a question."""


def describes_noun(line: Sequence[Token], i: int) -> bool:
    """Return whether words after a noun only describe it: "an answer [to a question]", "a report
    [that could hurt Orr]", "a report by Pelt [to be released]".
    """
    after = line[min(i + 1, len(line) - 1)]
    if line[i].word == "that":
        return bool(after.classes & {"auxiliary", "past"})
    is_object = after.is_capitalized or bool(after.classes & {"determiner", "pronoun"})
    return line[i].word == "to" and (is_object or after.word == "be")


def _with_verb(
    text: str,
    line: Sequence[Token],
    i: int,
    verb: ReportingVerb,
    cues: list[Cue],
    *,
    attitudes: bool,
) -> Cue | None:
    """Return the attribution of a verb; None if the word is no verb here or attributes nothing."""
    if line[i].is_capitalized and i and line[i - 1].is_word and not _is_in_headline(line, i, verb):
        return None
    start, auxiliaries = with_auxiliaries(line, i)
    if _attributes_nothing(line, i) or (line[i].word.endswith("s") and "be" in auxiliaries):
        return None  # "are only lists of"
    if auxiliaries == {"to"} and not verb.is_base:
        return None  # "to states with mills"
    if "to" in auxiliaries:
        return _framed(line, i, start, verb, Subject(start, None))
    is_participle = line[i].word.endswith("ing")
    is_past = line[i].word.endswith("ed") and "by" not in verb.takes
    if is_past and i + 1 < len(line) and line[i + 1].word == "by":
        return _passive(text, line, i, start)
    if verb.kind == "adjective":
        return _adjective(text, line, i, verb)
    is_followed = i + 1 < len(line) and line[i + 1].word in CLAUSE_WORDS
    if line[i].word == "state" and line[i - 1].is_noun and not is_followed:
        return None  # "the swing state, with its mills"
    if "be" in auxiliaries and line[i].word in _FEELING and is_followed:
        return _adjective(text, line, i, verb)
    if "be" in auxiliaries and not is_participle:
        return _passive(text, line, i, start)
    if is_participle and "be" not in auxiliaries:
        return _participle(text, line, i, start, cues)
    is_in_relative = _is_in_relative(line, i)
    is_noun = not is_in_relative and is_noun_here(line, i, start - 1)
    if not auxiliaries and (line[i].word in _PARTICIPLES or is_noun):
        return None
    is_subject = verb.may_be_noun and not auxiliaries and is_surely_verb(line, i + 1)
    if is_subject and not ("pronoun" in line[i - 1].classes or is_in_relative):
        return None  # "press reports said", but not "a mill they claim is shut"
    if not auxiliaries and (inverted := _inverted(text, line, i, verb)):
        return inverted
    if line[i].word in FRONTED and (i == 0 or line[i - 1].word == "when"):
        # "Asked about the fire, Orr said"
        asked = _framed(line, i, i, verb, Subject(i, None))
        return asked and asked._replace(clause=i)
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


def _is_in_relative(line: Sequence[Token], i: int) -> bool:
    """Return whether the words before a verb are the subject of a relative clause: "which the band
    [thought] was old", but not "which press [reports] said was old".
    """
    if i + 1 < len(line) and "auxiliary" not in line[i + 1].classes:
        return False
    first = i
    while first > 0 and (line[first - 1].is_noun or "determiner" in line[first - 1].classes):
        first -= 1
        if line[first].word in ("which", "who", "what"):
            return first < i - 1
    return first > 0 and line[first - 1].word in ("which", "who", "what") and first < i


_FEELING = frozenset("convinced determined persuaded worried".split())
"""Participles that say what a person thinks: "Orr is worried that"."""


def _attributes_nothing(line: Sequence[Token], i: int) -> bool:
    """Return whether a word attributes nothing here: "it goes [back]", "[put] it out", "than [expected]"."""
    after = line[min(i + 1, len(line) - 1)]
    if (line[i].word.rstrip("sednig"), after.word) in _PHRASAL:
        return True
    is_name = line[i].word in _NAMING and (after.is_capitalized or after.word == QUOTED)
    if is_name and i and line[i - 1].is_noun and not line[i - 1].is_capitalized:
        return True  # "a mill called Barn"
    if line[i].word == "called" and line[i - 1].word == "," and after.is_plural:
        return True  # "lamps, called glims, are old"
    is_adverb = line[i].word == "back" and _is_adverb(line, i)
    is_put = line[i].word in _PUTTING and not _estimates(line, i)
    return is_adverb or is_put or (i > 0 and line[i - 1].word == "than")


def _is_adverb(line: Sequence[Token], i: int) -> bool:
    """Return whether a word such as "back" has no object here: "it goes back nearly a year"."""
    after = line[i + 1] if i + 1 < len(line) else None
    is_moving = i > 0 and (line[i - 1].word in _MOVING or "past" in line[i - 1].classes)
    return (
        is_moving
        or after is None
        or bool(after.classes & {"preposition", "adverb"} or after.word == "up")
    )


_PHRASAL = (("call", "in"), ("call", "off"), ("show", "off"))
"""Verbs with a particle that report nothing, without the endings of the verbs."""
_NAMING = frozenset("called dubbed named".split())
_PUTTING = frozenset("put puts putting".split())
_LONGEST_ESTIMATED = 12
"""Maximum number of words between "put" and "at"."""


def _estimates(line: Sequence[Token], i: int) -> bool:
    """Return whether "put" is followed by something and an amount: "put the loss at about $12"."""
    for k in range(i + 2, min(len(line) - 1, i + _LONGEST_ESTIMATED)):
        if not line[k].is_word:
            return False
        if line[k].word == "at":
            after = line[after_adverbs(line, k + 1) :][:2]
            return any(
                each.word[0].isdigit() or each.word[0] in "$€£" or "number" in each.classes
                for each in after
            )
    return False


_MOVING = frozenset("bring call come fight get give go goes going look send take turn".split())
WRITING = frozenset(
    "drafted filed issued penned posted published released sent signed submitted wrote written".split()
)


def _adjective(text: str, line: Sequence[Token], i: int, verb: ReportingVerb) -> Cue | None:
    """Return the attribution of an adjective, such as "is confident that" or "made it clear that"."""
    start, auxiliaries = with_auxiliaries(line, i)
    is_it = start > 1 and line[start - 1].word == "it" and line[start - 2].word in LINKING
    if line[i].word == "clear" and start and line[start - 1 - is_it].word in _MAKING:
        return _made_clear(text, line, i, start - 1 - is_it)
    if is_it:
        start -= 2
    elif start and line[start - 1].word in LINKING:
        start -= 1
    elif "be" not in auxiliaries:
        return None
    subject = subject_before(text, line, start - 1)
    if subject is None or line[start - 1].word in ("it", "that", "this"):
        return None
    return _framed(line, i, start, verb, subject)


def _made_clear(text: str, line: Sequence[Token], i: int, made: int) -> Cue | None:
    """Return the attribution of "made clear", which reports speech as "said" does."""
    start, auxiliaries = with_auxiliaries(line, made)
    if not auxiliaries.isdisjoint(("be", "to")):
        return None
    subject = subject_before(text, line, start - 1)
    cue = subject and _framed(line, i, start, _ANY_VERB, subject)
    return cue and cue._replace(verb=made)


_MAKING = frozenset("make makes made making".split())
LINKING = frozenset(
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
    printed = text[slice(*source.head)].lower()
    if source.kind == "pronoun":
        return printed in _PLURAL_PRONOUNS or "’" in line[before].word
    last = next(
        token for token in reversed(line) if token.end <= source.head.end or token is line[0]
    )
    return source.kind == "group" or last.is_plural


def _is_in_headline(line: Sequence[Token], i: int, verb: ReportingVerb) -> bool:
    """Return whether a verb with a capital letter is one of a headline: "Orr Says Mill Is Shut"."""
    is_past_or_singular = line[i].word.endswith(("s", "d"))
    is_verb = verb.kind != "thought" and not verb.may_be_noun and is_past_or_singular
    after = line[i + 1 : i + 2]
    if is_verb and line[i - 1].is_capitalized and _is_title(after):
        return True
    is_verb = line[i].word.endswith(("s", "d", "ing")) or line[i - 1].word == "to"
    takes_more = any(token.word in verb.takes or token.is_capitalized for token in after)
    return is_verb and takes_more and line[i - 1].is_capitalized and _is_headline(line)


_LONGEST_SMALL = 4
"""Maximum length of a word without a capital letter in a headline."""
_FEWEST_IN_HEADLINE = 3
"""Minimum number of longer words of a headline."""


def _is_headline(line: Sequence[Token]) -> bool:
    """Return whether all long words of a sentence are capitalized."""
    words = [token for token in line if token.is_word and len(token.word) > _LONGEST_SMALL]
    return len(words) >= _FEWEST_IN_HEADLINE and all(token.is_capitalized for token in words)


def _is_title(after: Sequence[Token]) -> bool:
    return any(token.is_capitalized or not token.is_word for token in after)


_PARTICIPLES = frozenset("forgotten known seen shown spoken sworn written".split())
"""Forms that are no verb without "has" or "is": "the words written on it"."""
_DEPENDENT = frozenset("whether if many do does did".split())


def _is_dependent(line: Sequence[Token], first: int) -> bool:
    """Return whether a clause is asked or assumed rather than stated: "if he said"."""
    return first > 0 and line[first - 1].word in _DEPENDENT


def with_auxiliaries(line: Sequence[Token], i: int) -> tuple[int, set[str]]:
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
        elif not ("adverb" in token.classes or is_date(line, j)):
            break
        j -= 1
    if j >= 0 and "pronoun" in line[j].classes and "’" in line[j].word:
        # "he’s saying", "he’s said"
        role = "be" if line[i].word.endswith("ing") else "auxiliary"
        found.add(role)
    if "to" in found and j >= 0 and line[j].word in ("on", "continued", "continues", "used"):
        # "went on to say"
        return max(j - (line[j].word == "on"), 0), {"auxiliary"}
    return j + 1, found


def is_date(line: Sequence[Token], j: int) -> bool:
    """Return whether a word is part of a date before a verb: "Orr on Friday said"."""
    if "date" in line[j].classes or (line[j].classes & {"time"} and not line[j].is_capitalized):
        return True
    after = line[j + 1].classes if j + 1 < len(line) else frozenset[str]()
    if not after & {"date", "time"}:
        return False
    is_number = "number" in line[j].classes or line[j].word.isdigit()
    return is_number or line[j].word in ("on", "last", "this", "past", "late", "early", "in")


def is_noun_here(line: Sequence[Token], i: int, before: int) -> bool:
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
    if before > 0 and previous.is_capitalized and verb.may_be_noun and line[i].word.endswith("s"):
        is_to = i + 1 < len(line) and line[i + 1].word == "to"
        if line[before - 1].word in ("about", "of", "on") and is_to:
            return True  # "a speech on UK plans to leave"
    is_of_infinitive = before > 0 and line[before - 1].word == "to" and previous.word.isalpha()
    is_of_infinitive &= not (previous.is_capitalized or previous.classes)
    if is_of_infinitive and line[i].word.endswith("s") and verb.may_be_noun:
        return True  # "to probe claims Orr made"
    if previous.word[0].isdigit():
        is_adjective = line[i].word.endswith("ed") and i + 1 < len(line) and line[i + 1].is_plural
        return verb.may_be_noun or is_adjective  # "300 pledged delegates"
    if previous.classes & {"determiner", "preposition"} or previous.word.endswith("’s"):
        return "’" not in previous.word or previous.word.partition("’")[0] not in _CONTRACTED
    if verb.is_base:
        # "a stronger signal"; else its subject decides: see `_agrees`
        return before > 0 and line[before - 1].word in ("a", "an") and not previous.is_plural
    if not verb.may_be_noun or i + 1 >= len(line):
        return False
    after = line[i + 1]
    if "auxiliary" in after.classes:
        return True
    if after.word in ("of", "for", "on", "about", "from") and after.word not in verb.takes:
        return True
    is_person = previous.is_capitalized or bool(previous.classes & {"institution", "title"})
    has_object = after.is_capitalized or after.classes & {"determiner", "objective"}
    if verb.kind == "shows" and after.word in CLAUSE_WORDS | SUBJECTS:
        return False  # "the count shows that it is shut"
    return line[i].word.endswith("s") and not is_person and not has_object


_CONTRACTED = frozenset("he she it who i we you they that".split())


def _passive(text: str, line: Sequence[Token], i: int, start: int) -> Cue | None:
    """Return the attribution of "was quoted as saying", or of a passive with "by"."""
    after = [token.word for token in line[i + 1 : i + _LONGEST_QUOTED]]
    if line[i].word == "quoted" and "saying" in after:
        # "Orr was quoted in the Post as saying"
        subject = subject_before(text, line, start - 1)
        end = i + 2 + after.index("saying")
        said = end + (line[min(end, len(line) - 1)].word in (":", ","))
        if subject is None or said >= len(line):
            return None
        return Cue(i, start, end, subject.first, subject.source, said, precedes=False)
    verb = cue_words().get(line[i].word, _ANY_VERB)
    is_compared = after[:1] != ["by"] and line[start - 1].word in ("as", "than")
    lacks_particle = bool(verb.takes) and verb.takes <= _PARTICLES - {*after[:1]}
    agent = _agent_of_quotation(text, line, i)
    if agent is None and (verb.takes == {"quotation"} or is_compared or lacks_particle):
        # "the name can only be read by hand", "as good as could be expected", "can be played"
        return None
    if agent is None and after[:1] != ["by"] and verb.kind == "attitude":
        return None
    if after[:1] != ["by"]:
        # "It was criticised, with Orr calling it old"
        has_more = i + 2 < len(line) and (line[i + 1].word != "," or verb.takes & {"clause"})
        follows = i + 1 if has_more else None
        subject = subject_before(text, line, start - 1)
        clause = subject and subject.first
        return Cue(i, start, i + 1, start, agent, follows, precedes=True, frame=verb, clause=clause)
    phrase = phrase_at(line, i + 2, len(line))
    if phrase is None:
        return None
    source = source_of(text, line, phrase)
    if line[i].word in ("told", "asked"):
        return None  # "the story was told by Orr"
    is_opening = start == 1 and line[0].word == "as"
    if is_opening and phrase.end + 1 < len(line) and line[phrase.end].word == ",":
        return Cue(i, start, i + 2, start, source, phrase.end + 1, precedes=False, frame=_ANY_VERB)
    following = [token.word for token in line[phrase.head_end : phrase.head_end + 2]]
    if source and following[:1] == ["of"] and following[-1].endswith("ing"):
        # the content is "of leaving" in "accused by Orr of leaving"
        source = source._replace(span=source.head)
        return Cue(i, start, i + 2, start, source, phrase.head_end, precedes=False, frame=verb)
    return Cue(i, start, i + 2, start, source, None, precedes=True, frame=verb)


def _agent_of_quotation(text: str, line: Sequence[Token], i: int) -> SourceWords | None:
    """Return who says a quotation in a passive: 'was dismissed as "old" by [Orr]'."""
    k = i + 1
    while k < len(line) and (line[k].word == "as" or "determiner" in line[k].classes):
        k += 1
    if [token.word for token in line[k : k + 2]] != [QUOTED, "by"]:
        return None
    phrase = phrase_at(line, k + 2, len(line))
    return phrase and source_of(text, line, phrase)


_LONGEST_QUOTED = 9
"""Maximum number of words from "quoted" to "saying"."""
_BEFORE_PARTICIPLE = {QUOTED, ",", "—", "–", "-"} | set(
    "and but or by of for from at on in with while before after without when despite besides".split()
)


def _participle(
    text: str, line: Sequence[Token], i: int, start: int, cues: list[Cue]
) -> Cue | None:
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
    after = line[min(i + 1, len(line) - 1)]
    is_object = "preposition" in after.classes and after.word not in verb.takes
    if verb.may_be_noun and before.is_noun and is_object:
        return None  # "rewards new writing across fiction"
    is_phrase = i + 1 < len(line) and "determiner" in line[i + 1].classes
    if is_phrase and "object" not in verb.takes and not is_clause_at(line, i + 1):
        return None  # "adding the words"
    found = _framed(line, i, i, verb, Subject(i, source))
    return found and found._replace(precedes=False)


def _inverted(text: str, line: Sequence[Token], i: int, verb: ReportingVerb) -> Cue | None:
    """Return the attribution of a verb before its source: `"...," said Orr`."""
    before = line[i - 1].word if i else ""
    is_after_quotation = before == QUOTED and "person" in verb.takes  # `"...," assured Orr`
    if i + 1 >= len(line) or not (verb.takes & {"clause", "quotation"} or is_after_quotation):
        return None
    is_so = before == "so" and (i == 1 or line[i - 2].word in (",", "and", "or"))
    if not (is_so or before in (QUOTED, ",", "")):
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
        if (last := list_end(line, i + 1, len(line))) > end:
            end, words = last, Span(after.start, line[last - 1].end)
            source = SourceWords(words, words, "group")
    is_closed = end >= len(line) or line[end].word in (",", ".", "who", ":", "(", ")")
    if before != QUOTED and not is_closed:
        return None
    # "By May, the mill, suggests Orr, could burn"
    goes_on = end + 1 < len(line) and line[end].word == "," and "auxiliary" in line[end + 1].classes
    if source is None or (before == "," and not goes_on and _ends_aside(line, i - 1)):
        return None
    # "It is old, or so says Orr", but "So says Orr" refers to the sentence before
    first = i - is_so - (is_so and line[i - 2].word == "or")
    follows = end + 1 if goes_on and before == "," else _next_quotation(line, end)
    if follows is None and before == ",":
        stop = _next_sign(line, end + 1)
        is_described = stop < len(line) and line[stop].word == "," and is_aside(line, end + 1, stop)
        end = stop if is_described else end
        follows = _rest_of_clause(line, end, i)
    return Cue(i, i, i + 1, max(first, 0), source, follows, precedes=i > is_so, frame=verb)


def _ends_aside(line: Sequence[Token], comma: int) -> bool:
    """Return whether a comma ends words after a name: "Orr, a miller, said", but not "It was shut, at
    least in May, said".
    """
    start = comma
    while start > 0 and line[start - 1].word not in (",", QUOTED, ";", ":"):
        start -= 1
    if start == 0 or line[start - 1].word != "," or not is_aside(line, start, comma):
        return False
    if "subordinator" in line[start].classes:
        return True
    if any("auxiliary" in token.classes for token in line[start:comma]):
        return False  # "By May, millers will be old, said Orr"
    is_description = line[start].is_capitalized or "determiner" in line[start].classes
    return is_description or not any(is_surely_verb(line, k) for k in range(start - 1))


def _next_quotation(line: Sequence[Token], i: int) -> int | None:
    return next((k for k in range(i, len(line)) if line[k].word == QUOTED), None)


def _next_sign(line: Sequence[Token], i: int) -> int:
    """Return the next sign that ends a phrase, or the number of tokens."""
    while i < len(line) and (line[i].is_word or line[i].word in "-("):
        i += 1
    return i


def start_of_content(line: Sequence[Token], i: int) -> int:
    """Return the first token of what a clause that ends with its attribution can say.

    It follows a colon, or a dash or a bracket that nothing closes before the attribution.
    """
    dashes: list[int] = []
    stop, depth = -1, 0
    for j in range(i - 1, -1, -1):
        word = line[j].word
        depth += (word == ")") - (word == "(")
        if (word in (";", ":") and depth <= 0) or depth < 0:
            stop = j
            break
        if word in DASHES:
            dashes.append(j)
    is_open = len(dashes) % 2 == 1
    return dashes[0] + 1 if is_open else stop + 1


# ---- what follows and precedes a verb ------------------------------------------------------------

CLAUSE_WORDS = frozenset("that whether if how why what who where when".split())
DASHES = ("—", "–", "-")
_ENDS = frozenset((".", ",", ";", ":", "!", "?", "…", "—", "–", "-", ")", "and", "but"))
_ADVERBIALS = frozenset("as before after while when during because since until".split())


def _framed(
    line: Sequence[Token], i: int, start: int, verb: ReportingVerb, subject: Subject
) -> Cue | None:
    """Return the attribution of a verb if what follows or precedes it can be its content."""
    k = after_adverbs(line, i + 1)
    if k + 1 < len(line) and line[k].word in _PARTICLES:
        is_clause = verb.kind == "speech" and line[k + 1].word in _ENDS | CLAUSE_WORDS
        if is_clause and line[k].word in verb.takes:  # "As Orr pointed out, it is shut"
            verb = verb._replace(takes=verb.takes | {"clause"})
        k += is_clause or line[k].word not in verb.takes
    after = line[k].word if k < len(line) else "."
    following = line[k + 1].word if k + 1 < len(line) else ""
    is_before_verb = k == i + 1 < len(line) and "be" in line[k].classes and subject.first > 0
    if is_before_verb and not verb.takes & {"clause", "that"}:
        return None  # "the loopholes he cited are": its object is what the next verb is about
    first = subject.first
    if first > 1 and line[first - 1].word == "as" and line[first - 2].word in (",", QUOTED):
        first -= 1  # "It is shut, as Orr said"
    before = line[first - 1].word if first else ""
    is_relative = line[first].word in ("who", "which")
    has_before = before == QUOTED or (before == "," and first > 1 and not is_relative)
    cue = Cue(i, start, i + 1, min(first, start), subject.source, None, precedes=False, frame=verb)
    is_clausal = bool(verb.takes & {"clause", "that", "quotation"})
    if after == QUOTED:
        return cue._replace(follows=k)
    if before == "what" and verb.kind == "speech" and _has_no_content(line, k, verb):
        return None
    if after in (":", ",") and following == QUOTED:
        return cue._replace(follows=k + 1, precedes=before == QUOTED)
    if after in _ENDS:
        has_before &= verb.kind != "adjective"  # "Orr, who is happy, says"
        return _postposed(line, k, cue, is_clausal=is_clausal, has_before=has_before)
    has_before = before == QUOTED or (has_before and not _is_only_introduction(line, first))
    if after in CLAUSE_WORDS:
        return cue._replace(follows=k) if verb.takes & {"clause", "that"} else None
    follows_quotation = before == QUOTED and "clause" in verb.takes
    if after in verb.takes and not follows_quotation:
        return cue._replace(follows=k)
    may_say_more = "clause" in verb.takes
    if after == "to" or "preposition" in line[k].classes or after in _ADVERBIALS:
        says_what = any(token.word == "that" for token in line[k : k + _LONGEST_PERSON])
        if after == "to" and not (may_say_more and (has_before or says_what)):
            return None
        says_what |= before == QUOTED
        may_say_more |= "that" in verb.takes and says_what
        return _with_adverbial(line, k, cue, is_clausal=may_say_more, has_before=has_before)
    if not verb.takes & {"clause", "object", "person"}:
        is_as = "as" in verb.takes and any(token.word == "as" for token in line[k : k + 12])
        is_of_study = subject.source is not None and _is_writing(line, subject.source)
        is_clause = "that" in verb.takes and (is_of_study or _starts_clause(line, k))
        return cue._replace(follows=k) if is_as or is_clause else None
    if "person" not in verb.takes:
        is_object = line[i].word in _MAKING_WORKS and "determiner" in line[k].classes
        has_clause = before == QUOTED or any(
            token.word == QUOTED or token.classes & {"auxiliary", "past"} for token in line[k:]
        )
        return cue._replace(follows=k) if has_clause or not is_object else None
    at = _after_person(line, k)
    says_more = any(token.word in (QUOTED, "that") for token in line[k:])
    begins = _BEFORE_CONTENT | verb.takes | SUBJECTS
    is_said_after = at + 1 < len(line) and line[at].word in begins
    is_told = has_before and not is_said_after
    if (before == QUOTED or (is_told and verb.kind == "speech")) and not says_more:
        return cue._replace(precedes=True)
    return cue._replace(follows=at) if at < len(line) else None


_MAKING_WORKS = frozenset("add adds added answer answers answered write writes wrote".split())
"""Verbs that report a clause and no object: "added that it burned", but not "added a mill"."""


def _is_writing(line: Sequence[Token], source: SourceWords) -> bool:
    """Return whether a source is a study or the like, which finds [millers are old], and no stone."""
    return any("writing" in token.classes and token.end == source.head.end for token in line)


def _has_no_content(line: Sequence[Token], k: int, verb: ReportingVerb) -> bool:
    """Return whether "what" is all that is said: "what she asked [the guards]", but not "what she
    asked the guards was old".
    """
    at = k
    if "person" in verb.takes and k < len(line) and line[k].is_word:
        at = _after_person(line, k + (line[k].word == "to"))
    if at >= len(line):
        return True
    is_adverbial = "preposition" in line[at].classes or line[at].word in _ENDS | _ADVERBIALS
    return (at > k and not is_surely_verb(line, at)) or is_adverbial


def _starts_clause(line: Sequence[Token], k: int) -> bool:
    """Return whether a clause without "that" starts at a token: "the mill was shut"."""
    if line[k].word in SUBJECTS:
        return True
    phrase = phrase_at(line, k, len(line))
    return phrase is not None and is_surely_verb(line, phrase.end)


def _is_only_introduction(line: Sequence[Token], first: int) -> bool:
    """Return whether only words such as "On Sunday," or "After the fire," come before a token."""
    start, end = start_of_content(line, first), first - 1
    while start < end and "conjunction" in line[start].classes:
        start += 1
    if any(token.word in (",", QUOTED) for token in line[start:end]):
        return False
    return start >= end or is_introduction(line[start]) or is_date(line, start)


def after_adverbs(line: Sequence[Token], k: int) -> int:
    """Return the token after adverbs and a date: "said on Friday"."""
    while k < len(line) and "objective" not in line[k].classes:  # "describes himself"
        if not ("adverb" in line[k].classes or is_date(line, k)):
            break
        k += 1
    return k


_PARTICLES = frozenset("out back up down off".split())
_FEWEST = 4
"""Minimum number of words after a comma for what follows to be said rather than added."""


def _postposed(
    line: Sequence[Token], k: int, cue: Cue, *, is_clausal: bool, has_before: bool
) -> Cue | None:
    """Return an attribution whose verb ends a clause: "The mill, Orr said, is shut"."""
    if not is_clausal:
        return None
    if not has_before and k + 1 < len(line) and line[k].word == ":":
        return cue._replace(follows=k + 1)
    if not has_before:
        is_comma = k + 2 < len(line) and line[k].word == ","
        return cue._replace(follows=k + 1) if is_comma and len(line) - k > _FEWEST else None
    follows = _rest_of_clause(line, k, cue.first)
    is_aside = follows is not None and cue.first > 1 and line[cue.first - 1].word == ","
    if is_aside and line[cue.first - 2].word in ("which", "who"):
        # "It is near the mill, which, Orr said, is old"
        return cue._replace(follows=follows, precedes=True, clause=cue.first - 2)
    return cue._replace(follows=follows, precedes=True)


def _rest_of_clause(line: Sequence[Token], k: int, first: int) -> int | None:
    """Return where a clause goes on after the comma that ends the words that attribute it, as in
    "The mill, said Orr, [is shut]", or None if it does not.
    """
    if k + 2 >= len(line) or line[k].word != ",":
        return None
    begin = start_of_content(line, first)
    is_short = first - begin <= _FEWEST and line[begin].word != QUOTED
    opening = begin + ("conjunction" in line[begin].classes)  # "But in May, Orr said, it burned"
    is_introduced = is_short or bool(line[opening].classes & {"preposition", "subordinator"})
    subject = phrase_at(line, opening, first)
    is_introduced |= (
        subject is not None and subject.end == first - 1
    )  # "This step, Orr said, breaks it"
    return k + 1 if is_introduced or line[k + 1].classes & _CONTINUING else None


_CONTINUING = frozenset(("auxiliary", "conjunction", "subordinator"))


def _with_adverbial(
    line: Sequence[Token], k: int, cue: Cue, *, is_clausal: bool, has_before: bool
) -> Cue | None:
    """Return an attribution with words such as "in a statement" after its verb."""
    if not is_clausal:
        return None
    at = _after_adverbial(line, k)
    is_that = at < len(line) and line[at].word == "that" and line[cue.first - 1].word == ","
    if has_before and not is_that:
        return cue._replace(follows=_next_quotation(line, k), precedes=True)
    return cue._replace(follows=at) if at < len(line) else None


def _after_adverbial(line: Sequence[Token], k: int) -> int:
    """Return where the content starts after "in a statement"; the end if there is none."""
    for at in range(k, len(line)):
        word = line[at].word
        if word in ("that", QUOTED) or (at > k + 1 and word in SUBJECTS):
            return at
        if word in (",", ":") and at + 1 < len(line):
            return at + 1
    return k + 1 if len(line) - k > _FEWEST else len(line)


SUBJECTS = frozenset("he she they it we i there".split())
_BEFORE_CONTENT = frozenset("that whether if how why what to about of".split())
_LONGEST_PERSON = 12
"""Maximum number of words for the person addressed."""


def _after_person(line: Sequence[Token], k: int) -> int:
    """Return where the content starts after the person addressed, as in "asked Orr whether"."""
    if line[k].word in SUBJECTS and line[k].word != "it":
        return k  # "warned there would be a fire"
    for at in range(k + 1, min(len(line), k + _LONGEST_PERSON)):
        word = line[at].word
        if word == QUOTED or word in _BEFORE_CONTENT | SUBJECTS:
            return at
        if "auxiliary" in line[at].classes:
            break  # "told Orr the mill was “shut”"
        if word in (":", ",") and at + 1 < len(line) and line[at + 1].word == QUOTED:
            return at + 1
        if word in (",", "."):
            break
    if line[k].classes & {"pronoun", "objective"}:
        return k + 1
    phrase = phrase_at(line, k, len(line))
    return phrase.head_end if phrase and phrase.head_end < len(line) - 1 else k


def is_clause_at(line: Sequence[Token], start: int) -> bool:
    """Return whether a clause with its own verb starts at a token, and not an object."""
    if line[start].word in CLAUSE_WORDS | SUBJECTS | {QUOTED}:
        return True
    signs = (i for i in range(start, len(line)) if line[i].word in ENDS_OBJECT)
    first = next(signs, len(line))
    if first + 1 < len(line) and line[first + 1].word in ("like", "unlike"):
        end = next(signs, first)  # "policing, unlike health, was old"
        return end > first and is_surely_verb(line, end + 1)
    for token in line[start:]:
        if token.word in ENDS_OBJECT or "subordinator" in token.classes:
            return False
        if token.classes & {"auxiliary", "past"}:
            return True
    return False


ENDS_OBJECT = frozenset((",", ";", ":", "—", "–", "-", "(", ")"))


def is_surely_verb(line: Sequence[Token], i: int) -> bool:
    """Return whether a word is certainly a verb."""
    if i >= len(line):
        return False
    is_past = line[i].word.endswith("ed") or line[i].word in reporting_verbs()
    return bool(line[i].classes & {"auxiliary", "past"}) or (is_past and not line[i].is_capitalized)
