"""What an amount of money, a percentage or a level counts: "share of the crew that is red"."""

from __future__ import annotations

import re
from itertools import takewhile

from defectors_data.text.english.counted_words.clauses import (
    BY,
    NumberClause,
    counted_by_clause,
    of_closing,
)
from defectors_data.text.english.counted_words.noun_phrases import (
    FINITE,
    end_of_voters,
    ends_counted,
    noun_before,
    of_group,
    restricting_clause,
    with_restriction,
)
from defectors_data.text.english.counted_words.number_context import (
    BE,
    LEVELS,
    LONGEST,
    NO_NOUNS,
    PRESENT,
    RATE,
    CountedWords,
    NumberContext,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import phrase_at
from defectors_data.text.offsets import Span, overlaps

_NOT_MADE_OF = frozenset("a addition all an cash exchange her his its return the total".split())
_DONE = {
    "borrowing": "borrowed",
    "charging": "charged",
    "contributing": "contributed",
    "donating": "donated",
    "earning": "earned",
    "giving": "given",
    "investing": "invested",
    "losing": "lost",
    "making": "made",
    "offering": "offered",
    "owing": "owed",
    "paying": "paid",
    "pledging": "pledged",
    "raising": "raised",
    "receiving": "received",
    "saving": "saved",
    "spending": "spent",
    "winning": "won",
}
"""The passive participles of verbs of amounts."""
_PAYING = frozenset(
    "borrow collect contribute donate earn give invest lend owe pay raise save spend".split()
)
_CHANGING = frozenset(
    "boosting bringing capping cutting hiking increasing keeping lifting lowering pushing putting raising"
    " reducing setting".split()
)
_AROUND = {("(", ")")} | {(dash, end) for dash in "—–-" for end in ("—", "–", "-", ".")}
"""The signs before and after an amount in apposition."""
_SHARES = frozenset(
    "approval favorability margin percentage portion proportion rate share support turnout".split()
)
"""Nouns for what is given in percent."""
_NAME_BEFORE = re.compile(
    r"(?P<name>[A-Z][\w.-]+)(?:['’]s)?"
    r"(?: (?:was|is|came|finished|placed)(?: in)? (?:first|second|third|fourth|fifth|last))?"
    r"(?: at| with| on| by| had| has| got| received)?,? \(?$"
)
_POLL = re.compile(
    r"(?i)\b(?:polls?|polling|surveys?|(?:caucus|primary)(?: voters)?|nomination|likely voters)\b"
)
_AT = re.compile(r"['’]s $| (?:at|with|had|has|got|received) $")
_NAME_AFTER = re.compile(r" (?P<of>for|in|among) (?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)*)")
_WHOLE = re.compile(r"(?:%| per ?cent) of ")


def of_amount(context: NumberContext, clause: NumberClause | None) -> CountedWords:
    """Return what an amount of money, a percentage or a level counts."""
    after = context.after_measure()
    if context.number.unit == "factor" and context.word_at(after) == "times":
        return CountedWords(_of_multiple(context, after + 1), context.span)
    rate = RATE.match(context.text, context.start_of(after))
    suffix = rate[0].replace("-", " ") if rate else ""
    if rate:
        after = sum(token.start < rate.end() for token in context.line)
    if after < context.last() and _compares(context, after):
        return CountedWords("", context.span)  # "12 percent lower than"
    following = context.line[after] if after < len(context.line) else None
    is_cut = following and following.start >= max(context.rest.end, context.number.end + 1)
    if following and is_cut and following.word != "of":
        following = None
    if following and (said := _of_whole_or_clause(context, after, following, suffix)):
        return CountedWords(said, context.span)
    if said := _of_apart(context, after):
        return CountedWords(said, context.span)
    if before := noun_before(context):
        return CountedWords(before[1] + suffix, context.with_start(before[0]))
    is_whole = not suffix or (rate is not None and rate[0].startswith("-"))
    if following and is_whole and (said := _of_noun_after(context, after, following)):
        return CountedWords(said, context.span)
    if context.number.unit == "factor":
        return CountedWords(_of_multiple(context, after), context.span)
    if clause and (said := counted_by_clause(context, clause, suffix)):
        return CountedWords(said, context.with_start(clause.start))
    found = _of_rival(context) or _of_participle(context, suffix) or _of_changed(context)
    found = found or _of_infinitive(context, suffix)
    found = found or of_closing(context, suffix)
    return found or _of_apposition(context, suffix) or CountedWords("", context.span)


def _of_apart(context: NumberContext, after: int) -> str:
    """Return the share that signs separate from its verb: "keepers, 12 percent, said"; "" for other
    words.
    """
    is_apart = context.number.unit == "percent" and context.word_at(after) in (",", "—", "–")
    whole = _whole_before(context) if is_apart else ""
    if not whole or context.word_at(after + 1) not in FINITE | PRESENT:
        return ""
    words, _ = context.words_to_end(after + 1)
    return f"{whole} who {words}" if words else ""


def _compares(context: NumberContext, i: int) -> bool:
    """Return whether a word after an amount compares it with another: "lower", "less than"."""
    is_before_than = context.word_at(i + 1) == "than" or i + 1 >= context.last()
    is_before_than &= context.number.unit == "percent"
    word = context.line[i].word
    is_before_than |= word == "fewer"
    return word in BY or (
        is_before_than and (word in ("fewer", "less", "more") or word.endswith("er"))
    )


def _of_multiple(context: NumberContext, after: int) -> str:
    """Return what is multiplied: "twice the number of lamps"; "" if nothing follows."""
    phrase = phrase_at(context.line, after, context.last())
    first = context.line[after] if phrase else None
    if phrase is None or first is None or "determiner" not in first.classes or first.word == "that":
        return ""
    end = max(phrase.end, phrase.head_end)
    ends = (i for i in range(phrase.start + 1, end) if context.line[i].word in ("as", "than"))
    end = next(ends, end)
    return without_article(context.words(after, end))


def _of_rival(context: NumberContext) -> CountedWords | None:
    """Return the share of the whole before of a name: "and Orr with 12 percent"."""
    text, first = context.text, context.number.first
    if context.number.unit != "percent":
        return None
    before = _NAME_BEFORE.search(text, context.line[0].start, first)
    name = before or _NAME_AFTER.match(text, context.start_of(context.after_measure()))
    whole = _whole_before(context)
    is_in_poll = _POLL.search(text, context.line[0].start, context.line[-1].end)
    if before and not whole and is_in_poll and _AT.search(before[0]):
        whole = "share"
    if not whole or not name:
        return None
    preposition = name.groupdict().get("of") or "for"
    start = before.start("name") if before and whole == "share" else first
    return CountedWords(f"{whole} {preposition} {name['name']}", context.with_start(start))


def _of_participle(context: NumberContext, suffix: str) -> CountedWords | None:
    """Return what is done with an amount, as in "keepers making $12 a day"."""
    i = context.before_number()
    if i < 1 or not context.line[i].word.endswith("ing"):
        return None
    if not context.line[i - 1].is_plural:
        done = _DONE.get(context.line[i].word)
        start = context.line[i].start
        return CountedWords(f"amount{suffix} {done}", context.with_start(start)) if done else None
    start = i - 1
    while start > 0 and context.line[start - 1].is_noun and not context.line[start - 1].is_plural:
        start -= 1
    nouns = without_article(context.words(start, i))
    said = f"amount{suffix} that {nouns} are {context.line[i].word}"
    return CountedWords(said, context.with_start(context.line[start].start))


def _of_changed(context: NumberContext) -> CountedWords | None:
    """Return what is set to an amount: "raising [the rent] to $12"."""
    end = context.before_number()
    if end < 1 or context.line[end].word not in LEVELS:
        return None
    for i in range(end - 1, max(-1, end - LONGEST), -1):
        is_with = context.line[i].word == "with" and "determiner" in context.line[i + 1].classes
        if not (is_with or context.line[i].word in _CHANGING):
            continue
        phrase = phrase_at(context.line, i + 1, end)
        words = Span(context.line[i].end, context.line[end].start)
        if phrase is None or phrase.end != end or overlaps(words, context.others):
            return None
        said = without_article(context.words(i + 1, end))
        return CountedWords(said, context.with_start(context.line[i].start))
    return None


def _of_infinitive(context: NumberContext, suffix: str) -> CountedWords | None:
    """Return what is to be done with money: "ways [to pay $12]"."""
    i = context.before_number()
    is_paid = i > 0 and context.line[i].word in _PAYING and context.line[i - 1].word == "to"
    if not is_paid or context.number.unit != "usd":
        return None
    said = f"amount{suffix} {context.words(i - 1, i + 1)}"
    return CountedWords(said, context.with_start(context.line[i - 1].start))


def _of_apposition(context: NumberContext, suffix: str) -> CountedWords | None:
    """Return the noun phrase that an amount explains: "[his haul in May] - $12 -"."""
    sign = context.at - 1
    after = context.word_at(context.after_measure())
    if sign < 1 or (context.line[sign].word, after) not in _AROUND:
        return None
    start = sign
    while start > 0 and sign - start < LONGEST and _is_in_phrase(context, start - 1):
        start -= 1
    starts = (i for i in range(start, sign) if "determiner" in context.line[i].classes)
    start = next(starts, sign)
    phrase = phrase_at(context.line, start, sign)
    words = Span(context.line[start].start, context.line[sign].start)
    if phrase is None or phrase.end != sign or overlaps(words, context.others):
        return None
    head = context.line[phrase.head_end - 1].word
    if context.number.unit == "percent" and head not in _SHARES:
        return None
    said = without_article(context.words(start, sign))
    return CountedWords(said + suffix, context.with_start(context.line[start].start))


def _is_in_phrase(context: NumberContext, i: int) -> bool:
    token = context.line[i]
    is_part = token.is_noun or "preposition" in token.classes
    return is_part and not is_verb_form(token)


def _of_whole_or_clause(context: NumberContext, after: int, following: Token, suffix: str) -> str:
    """Return what an amount counts if "of" or a relative clause follows it; "" otherwise."""
    is_percent = context.number.unit == "percent"
    if context.is_points() and following.word == "of":
        return ""  # "within 4 points of Orr"
    is_date = any("time" in token.classes for token in context.line[after + 1 : after + 2])
    if following.word in ("that", "which", "who") and not is_date:
        noun = "amount"
        if is_percent:
            noun = _whole_before(context) or "share"
        return f"{noun}{suffix} {_one_clause(context, after)}"
    is_in = following.word == "in" and not (is_percent or suffix)
    after_of = context.word_at(after + 1)
    is_in &= after_of not in _NOT_MADE_OF
    if following.word == "of" or is_in:
        prefix = "share of " if is_percent and not suffix else ""
        return _of_whole(context, after + 1, prefix)
    return ""


def _one_clause(context: NumberContext, i: int) -> str:
    """Return the words from a token on, without a second finite verb."""
    last = context.last()
    verbs = [k for k in range(i, last) if "auxiliary" in context.line[k].classes]
    verbs = [k for k in verbs if k > i + 2 and context.line[k - 1].is_noun]
    end = verbs[0] if verbs and context.line[verbs[0]].word in BE else last
    return context.words(i, end)


def _of_noun_after(context: NumberContext, after: int, following: Token) -> str:
    """Return what an amount counts if a noun or a verb directly follows it; "" otherwise."""
    is_percent = context.number.unit == "percent"
    words = context.text[following.start : context.rest.end].strip()
    is_share = is_percent and after == context.after and context.text[context.number.end - 1] != "%"
    if is_share and following.word in ("the", "its", "their"):
        return _of_whole(context, after, "share of ")  # "half the vote"
    # "the $5 million spent", "the 2 percent average since May"
    is_given = context.text.endswith(("the ", " a "), 0, context.number.start)
    is_doing = following.word.endswith("ing") and "-" not in following.word
    if is_percent and is_doing and " " in words and not is_given:
        return f"share {words}"
    is_verb = bool(following.classes & {"auxiliary", "past"}) or following.word in FINITE
    adverbs = takewhile(lambda t: "adverb" in t.classes, context.line[after : context.last() - 1])
    verb = context.line[after + len([*adverbs])]  # "17 percent strongly agree"
    is_known = verb.word in PRESENT or is_verb_form(verb)
    is_verb |= is_known and context.is_start() and " " in words and not is_given
    is_verb |= not is_given and _is_predicate_of_share(context, after)
    if is_percent and is_verb:
        whole = _whole_before(context)
        return f"{whole} who {words}" if whole else f"share that {words}"
    is_verb = is_verb_form(following) and context.is_start() and not is_given
    if context.number.unit == "usd" and is_verb:
        return f"amount that {words}"  # "Millions of dollars flowed in"
    if context.number.unit == "usd" and is_given and (said := _of_given(context, after)):
        return said
    is_noun = following.is_noun and not following.classes & {"time", "date", "determiner"}
    phrase = phrase_at(context.line, after, context.last())
    is_adjective = is_share and phrase and context.line[phrase.head_end - 1].is_plural
    is_noun &= bool(is_adjective) or not is_verb_form(following)  # "4 in 10 registered voters"
    if not is_noun or following.word in NO_NOUNS or phrase is None:
        return ""
    is_last = phrase.end >= context.last()
    if (
        is_percent
        and is_last
        and all(_is_of_voters(t) for t in context.line[phrase.start : phrase.end])
    ):
        whole = _whole_before(context)  # "60 percent of men were old, 40 percent [white]"
        return whole and f"{whole} who are {context.words(phrase.start, phrase.end)}"
    end = _after_name(context, phrase.end)
    prefix = "share of " if is_share and not is_given else ""
    return with_restriction(context, prefix, phrase.start, end)


def _of_given(context: NumberContext, i: int) -> str:
    """Return what was done with an amount: "the $12 [Orr raised in May]", "the $12 [spent in
    Rome]"; "" for other words.
    """
    rest = Span(context.start_of(i), context.rest.end)
    if is_verb_form(context.line[i]) and "preposition" in context.line[i + 1].classes:
        ends = (k for k in range(i + 1, context.last()) if "auxiliary" in context.line[k].classes)
        return f"amount {context.words(i, next(ends, context.last()))}"
    said = restricting_clause(context, "amount", rest)
    return f"amount{said}" if said.startswith(" that ") else ""


def _is_of_voters(token: Token) -> bool:
    """Return whether a word is an adjective of a group of persons: "white", "African American"."""
    is_name = token.is_capitalized and token.word.endswith(("an", "ic", "ino"))
    return is_name or token.word in ("black", "female", "male", "white")


def _after_name(context: NumberContext, end: int) -> int:
    """Return where a noun phrase ends that begins with a name: "Orr [funding bill]"."""
    is_name = context.line[end - 1].is_capitalized
    while is_name and end < context.last() and context.line[end].is_noun:
        end += 1
    return end


def _is_predicate_of_share(context: NumberContext, i: int) -> bool:
    """Return whether the word after a percentage is its verb: "53% describe themselves"."""
    while i < context.last() and "adverb" in context.line[i].classes:
        i += 1
    if i + 1 >= context.last() or context.line[i].is_capitalized or not context.line[i].is_noun:
        return False
    after = context.line[i + 1]
    follows = {"determiner", "pronoun", "objective", "subordinator"}
    is_verb = not context.line[i].is_plural and "determiner" not in context.line[i].classes
    return is_verb and (after.is_capitalized or bool(after.classes & follows))


def _of_whole(context: NumberContext, start: int, prefix: str) -> str:
    """Return "share of" with the noun phrase that starts at a token, and its restriction."""
    first = start
    while first < len(context.line) and "adverb" in context.line[first].classes:
        first += 1  # "of likely voters"
    phrase = phrase_at(context.line, first, len(context.line))
    if phrase is None or phrase.head_end == first:
        return ""
    head = context.line[phrase.head_end - 1]
    is_when = bool(head.classes & {"time", "date"}) or head.word[0].isdigit()
    if not prefix and (is_when or head.is_capitalized):
        return ""  # "$20 million in 2015"
    if (head_end := end_of_voters(context.line, phrase.head_end)) > phrase.head_end:
        return with_restriction(context, prefix, start, head_end)
    said = with_restriction(context, prefix, start, phrase.end)
    return said or with_restriction(context, prefix, start, phrase.head_end)


def _whole_before(context: NumberContext) -> str:
    """Return "share of" with the whole of the last percentage before in the paragraph."""
    if group := of_group(context):
        return group
    paragraph = context.paragraph()
    before = [*_WHOLE.finditer(context.text, paragraph.start, context.number.start)]
    if not before:
        return ""
    line = [*tokens(context.text, before[-1].end(), context.number.start)]
    phrase = phrase_at(line, 0, len(line))
    if phrase is None:
        return ""
    head_end = end_of_voters(line, phrase.head_end)
    ends = (i for i in range(1, head_end) if ends_counted(line, i))
    words = context.text[line[0].start : line[next(ends, head_end) - 1].end]
    return f"share of {words}"
