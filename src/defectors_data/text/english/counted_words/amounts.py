"""What an amount of money, a percentage or a level counts: "share of the crew that is red"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.text.english import UNITS, likely_unit
from defectors_data.text.english.counted_words.clauses import (
    BY,
    COMPARED,
    NumberClause,
    counted_by_clause,
    may_be_verb,
    noun_to,
)
from defectors_data.text.english.counted_words.noun_phrases import (
    FINITE,
    NOT_DOING,
    ends_counted,
    is_present,
    noun_before,
    noun_phrase_to,
    verb_of_share,
    with_restriction,
)
from defectors_data.text.english.counted_words.number_context import (
    AGES,
    LEVELS,
    LONGEST,
    NO_NOUNS,
    PRESENT,
    PRONOUNS,
    RATE,
    CountedWords,
    NumberContext,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import phrase_at, subject_before
from defectors_data.text.offsets import Span, overlaps

_NOT_MADE_OF = frozenset(
    "a addition all an cash early exchange her his its late morning return the total trading".split()
)
_DONE = {
    "adding": "added",
    "borrowing": "borrowed",
    "charging": "charged",
    "contributing": "contributed",
    "donating": "donated",
    "earning": "earned",
    "generating": "generated",
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
    "taking": "taken",
    "winning": "won",
}
"""The passive participles of verbs of amounts."""
_BEFORE_LEVEL = LEVELS | frozenset("above below near past totaling totalling under worth".split())
_COMPARATIVES = COMPARED | frozenset("above below fewer less more".split())
_AFTER_THOSE = frozenset("from in on who with without".split())
_OF_WHOLE = frozenset("all her his its my our the their these those your".split())
_WHOLE = re.compile(
    r"(?:%\)?| per ?cent|\b(?:half|(?:third|quarter|fifth|tenth)s?)) of "
    r"|\bone in (?:\d+|[a-z]+) (?=[a-z]+s\b)"
)
"""Words before the whole of a share."""


def of_amount(context: NumberContext, clause: NumberClause | None) -> CountedWords:
    """Return what an amount of money, a percentage or a level counts."""
    after = context.after_measure()
    after += context.number.unit == "factor" and context.word_at(after) == "times"
    start = context.start_of(after)
    rate = RATE.match(context.text, start)
    suffix = rate[0].replace("-", " ") if rate else ""
    if rate:
        after = sum(token.start < rate.end() for token in context.line)
    is_compared = context.word_at(after).endswith("er") and context.word_at(after + 1) == "than"
    if change := _of_change(context):
        return change
    if context.word_at(after) in _COMPARATIVES or is_compared:
        return _of_comparison(context, clause, after)
    following = context.line[after] if after < len(context.line) else None
    if following and (said := _of_whole_or_clause(context, after, following, suffix)):
        return CountedWords(said, context.reaching(said))
    if before := noun_before(context):
        return CountedWords(before[1] + suffix, context.with_start(before[0]))
    if following and not suffix and (said := _of_noun_after(context, after, following)):
        return CountedWords(said, context.span)
    if context.number.unit == "factor":
        return _of_multiplied(context) or CountedWords(_of_multiple(context, after), context.span)
    if following and context.is_determined() and _may_begin_noun(following):
        # "a $12 back tax bill", of which the noun is not clear
        return CountedWords("", context.span)
    if clause and (said := counted_by_clause(context, clause, suffix)):
        return CountedWords(said, context.with_start(clause.start))
    found = _of_participle(context, suffix) or of_level(context, suffix)
    return found or CountedWords(_for_purpose(context, after), context.span)


def _for_purpose(context: NumberContext, after: int) -> str:
    """Return what an amount is for: "amount for lamps" of "Orr announced [$12 for lamps]"."""
    words = context.words(after, context.last())
    is_amount = context.number.unit != "percent" and context.word_at(after) == "for"
    is_purpose = is_amount and 1 < len(words.split()) < LONGEST
    return f"amount {words}" if is_purpose else ""


def _may_begin_noun(token: Token) -> bool:
    is_joint = bool(token.classes & {"preposition", "conjunction"})
    return token.is_word and not is_joint and token.word not in NO_NOUNS


def _of_comparison(context: NumberContext, clause: NumberClause | None, after: int) -> CountedWords:
    """Return by how much its subject exceeds something: "the mill is [12 percent older than] Rome"."""
    is_clear = clause is not None and not clause.preposition and clause.is_direct
    is_clear &= clause is not None and not clause.subject.split()[0].endswith("ing")
    if clause is None or not is_clear or clause.subject.casefold() in PRONOUNS:
        return CountedWords("", context.span)
    words, end = context.words_to_end(after)
    words = words or context.word_at(after)  # "sales were 12 percent higher"
    noun = "percentage" if context.number.unit == "percent" else "amount"
    if len(words.split()) >= LONGEST:
        return CountedWords("", context.span)
    said = f"{noun} by which {clause.subject} {clause.predicate} {words}"
    return CountedWords(said, Span(clause.start, end))


def of_level(context: NumberContext, suffix: str) -> CountedWords | None:
    """Return what has a level or a worth by the noun directly before it: "keeps [the price] at $12",
    "a deal worth $12".
    """
    i = context.before_number()
    is_hedge = context.word_at(context.at) in _BEFORE_LEVEL
    if i < 1 or not (is_hedge or context.line[i].word in _BEFORE_LEVEL):
        return None
    last = i - (not is_hedge)
    last -= context.line[last].word.removesuffix("s") in BY  # "if [the price] rises to $12"
    noun = noun_to(context, last)
    if (
        noun is None
        or not context.text[noun.end - 1].islower()
        or context.line[last].is_capitalized
    ):
        return None
    first = sum(token.start < noun.start for token in context.line)
    before = context.line[first - 1]
    is_determined = "determiner" in context.line[first].classes
    is_whole = is_determined and (first == 0 or not before.classes & {"conjunction", "preposition"})
    is_after_verb = first > 0 and may_be_verb(context, first - 1)
    # "for archived movies to $12": the noun is that of the amount before
    is_after_verb &= context.line[max(0, first - 2)].word != "for"
    is_whole |= is_after_verb
    is_whole |= before.word in ("a", "an", "with") or overlaps(before, context.others)
    is_other = context.line[last].classes & {"date", "time"} or context.line[first].word in PRONOUNS
    if not is_whole or is_other:
        return None
    said = without_article(context.without_numbers(noun))
    return CountedWords(said + suffix, context.with_start(noun.start)) if said else None


def _of_multiplied(context: NumberContext) -> CountedWords | None:
    """Return what is multiplied by a verb: "[the price of lamps] has doubled"."""
    i = context.at - 1
    while i > 0 and (context.line[i].word in ("more", "than") or _is_in_verb(context.line[i])):
        i -= 1
    is_verb = context.text.endswith("ed", 0, context.number.end) and i >= 0
    is_verb &= i < context.at - 1 or context.line[i].is_plural  # "profits doubled"
    subject = subject_before(context.text, context.line, i) if is_verb else None
    if not subject or not subject.source or subject.source.kind == "pronoun":
        return None
    said = context.without_numbers(subject.source.span)
    return CountedWords(without_article(said), context.with_start(subject.source.span.start))


def _is_in_verb(token: Token) -> bool:
    return bool(token.classes & {"auxiliary", "adverb"})


def _of_multiple(context: NumberContext, after: int) -> str:
    """Return what is multiplied: "twice the number of lamps", "twice as many lamps"; "" if nothing
    follows.
    """
    if context.word_at(after) == "as" and context.word_at(after + 1) in ("many", "much"):
        return _of_as_many(context, after + 2)
    phrase = phrase_at(context.line, after, context.last())
    if phrase is None or "determiner" not in context.line[after].classes:
        return ""
    return without_article(context.words(after, phrase.end))


def _of_as_many(context: NumberContext, start: int) -> str:
    """Return what is multiplied after "as many": "lamps that were sold" of "lamps were sold as"."""
    phrase = phrase_at(context.line, start, context.last())
    words = context.words(start, context.last()).partition(" as ")[0]
    if (
        phrase is None
        or "auxiliary" not in context.line[min(phrase.end, context.last() - 1)].classes
    ):
        return words
    noun = context.words(start, phrase.end)
    last = noun.rpartition(" ")[2]
    pronoun = "who" if "person" in (likely_unit(last), UNITS.get(last)) else "that"
    return f"{noun} {pronoun}{words.removeprefix(noun)}"


_MOVES = {
    "fell": "declining decreasing down dropping falling plunging shrinking sinking sliding slipping slumping tumbling",
    "rose": "climbing gaining growing increasing jumping leaping rising soaring surging up",
}
_CHANGE = re.compile(r"\b(?:cut|decrease|drop|fall|increase|reduction|rise)s? in $")
"""Words before what moves to a level: "an increase in [the price of lamps] to $12"."""
_MOVED = {word: verb for verb, words in _MOVES.items() for word in words.split()}


def _of_change(context: NumberContext) -> CountedWords | None:
    """Return what a word that is no verb says to have moved: "with [lamp sales] down 12 percent"."""
    i = context.before_number()
    if i > 1 and context.line[i].word in LEVELS and context.line[i - 1].is_noun:
        start, said = noun_phrase_to(context, i - 1)
        if _CHANGE.search(context.text, context.line[0].start, start):
            return CountedWords(without_article(said), context.with_start(start))
    i -= i > 0 and context.line[i].word == "by"
    verb = _MOVED.get(context.line[i].word)
    if i < 1 or not verb or not context.line[i - 1].is_noun or is_verb_form(context.line[i - 1]):
        return None
    noun = noun_phrase_to(context, i - 1)
    unit = "percentage" if context.number.unit == "percent" else "amount"
    return CountedWords(
        f"{unit} by which {without_article(noun[1])} {verb}", context.with_start(noun[0])
    )


def _of_participle(context: NumberContext, suffix: str) -> CountedWords | None:
    """Return what is done with an amount, as in "keepers making $12 a day"."""
    i = context.before_number()
    if i < 1 or not context.line[i].word.endswith("ing") or context.line[i].word in NOT_DOING:
        return None
    start = context.line[i].start
    if context.line[i - 1].is_plural:
        said = f"amount{suffix} that {context.line[i - 1].word} are {context.line[i].word}"
    elif done := _DONE.get(context.line[i].word):
        said = f"amount{suffix} {done}"
    else:
        return None
    return CountedWords(said, context.with_start(start))


def _of_whole_or_clause(context: NumberContext, after: int, following: Token, suffix: str) -> str:
    """Return what an amount counts if "of" or a relative clause follows it; "" otherwise."""
    is_percent = context.number.unit == "percent"
    if following.word in ("that", "which", "who"):
        noun = "amount"
        if is_percent:
            noun = _whole_before(context) or "share"
        return f"{noun}{suffix} {context.words(after, context.last())}"
    is_in = following.word == "in" and not (is_percent or suffix)
    after_of = context.word_at(after + 1)
    is_in &= after_of not in _NOT_MADE_OF
    is_of = following.word == "of" and not context.is_points()  # "within 4 points of Orr"
    if is_of or is_in:
        prefix = "share of " if is_percent and not suffix else ""
        return _of_whole(context, after + 1, prefix)
    return ""


def _of_noun_after(context: NumberContext, after: int, following: Token) -> str:
    """Return what an amount counts if a noun or a verb directly follows it; "" otherwise."""
    is_percent = context.number.unit == "percent"
    words = context.text[following.start : context.rest.end].strip()
    is_share = is_percent and after == context.after and context.text[context.number.end - 1] != "%"
    if is_share and following.word in _OF_WHOLE:
        return _of_whole(context, after, "share of ")  # "half the vote"
    is_doing = following.word.endswith("ing") and "-" not in following.word
    is_doing &= following.word not in ("during", "following", "including")
    if is_percent and is_doing and " " in words:
        return f"share {words}"
    is_verb = bool(following.classes & {"auxiliary", "past"}) or following.word in FINITE
    is_verb |= following.word in PRESENT and context.is_start()
    is_verb |= _is_predicate_of_share(context, after)
    if is_verb and not is_percent and "auxiliary" in following.classes and _is_subject(context):
        return f"amount that {words}"
    if is_percent and is_verb:
        whole = _whole_before(context)
        return f"{whole} who {words}" if whole else f"share that {words}"
    is_noun = following.is_noun and not following.classes & {"time", "date", "determiner"}
    phrase = phrase_at(context.line, after, context.last())
    is_verb = is_verb_form(following)
    is_verb &= following.word.endswith("ed") or not context.is_determined()  # "a $12 hit"
    if not is_noun or is_verb or following.word in NO_NOUNS or phrase is None:
        return ""
    prefix = "share of " if is_share and not context.is_determined() else ""
    return with_restriction(context, prefix, phrase.start, phrase.end)


def _is_subject(context: NumberContext) -> bool:
    """Return whether an amount can be the subject of the verb after it, and not the end of one: "[a
    total of $12] was paid", but "lamps for $12 were sold".
    """
    i = context.before_number()
    return context.is_start() or (i > 0 and context.line[i - 1].word in ("total", "sum"))


def _is_predicate_of_share(context: NumberContext, i: int) -> bool:
    """Return whether the word after a percentage is its verb: "53% describe themselves"."""
    token = context.line[i]
    if i + 1 >= context.last() or token.is_capitalized or not token.is_noun:
        return False
    after = context.line[i + 1]
    follows = {"determiner", "pronoun", "objective", "subordinator"}
    is_verb = not token.is_plural and "determiner" not in token.classes
    is_verb &= token.word not in NO_NOUNS
    return is_verb and (after.is_capitalized or bool(after.classes & follows))


def _of_whole(context: NumberContext, start: int, prefix: str) -> str:
    """Return "share of" with the noun phrase that starts at a token, and its restriction."""
    first = start
    if context.word_at(start) == "them" and start + 2 < context.last():
        return f"{prefix}them who {context.words(start + 1, context.last())}"
    if context.word_at(start) == "those" and context.word_at(start + 1) in _AFTER_THOSE:
        return prefix + context.words(start, context.last())
    while first < len(context.line) and "adverb" in context.line[first].classes:
        first += 1  # "of likely voters"
    age = _after_age(context.text, context.line, first)
    if age > first:
        prefix += context.text[context.line[first].start : context.line[age].start]
        first = start = age
    phrase = phrase_at(context.line, first, len(context.line))
    if phrase is None or phrase.head_end == first:
        return ""
    head = context.line[phrase.head_end - 1]
    is_when = bool(head.classes & {"time", "date"}) or head.word[0].isdigit()
    if not prefix and (is_when or head.is_capitalized):
        return ""  # "$20 million in 2015"
    said = with_restriction(context, prefix, start, phrase.end)
    return said or with_restriction(context, prefix, start, phrase.head_end)


def _whole_before(context: NumberContext) -> str:
    """Return "share of" with the whole of the last percentage before in the paragraph."""
    paragraph = context.paragraph()
    before = [*_WHOLE.finditer(context.text, paragraph.start, context.number.start)]
    if not before:
        return ""
    line = [*tokens(context.text, before[-1].end(), context.number.start)]
    if line and line[0].word == "them":
        return "share of them"
    first = _after_age(context.text, line, 0)
    phrase = phrase_at(line, first, len(line))
    if phrase is None:
        return ""
    inside = range(first + 1, phrase.head_end)
    ends = (i for i in inside if ends_counted(line, i) or is_present(line, i))
    end = verb_of_share(line, first, len(line)) or next(ends, phrase.head_end)
    return f"share of {context.text[line[0].start : line[end - 1].end]}"


def _after_age(text: str, line: Sequence[Token], i: int) -> int:
    """Return the last token of an age with which words for persons begin: "18 to [24-year-old] men",
    "over [65s]"; `i` for other words.
    """
    age = AGES.match(text, line[i].start) if i < len(line) else None
    return sum(token.start < age.end() for token in line) - 1 if age else i
