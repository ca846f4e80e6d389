"""The source of an attribution in a sentence: the noun phrase that is the subject of its verb.

A phrase is found by the order of words and their classes. Where the order leaves several phrases
possible, no source is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text.english import cue_words, means_person, reporting_verbs
from defectors_data.text.english.sentences import (
    IN_TITLES,
    NAME_PARTICLES,
    QUOTED,
    Token,
    are_paired,
    tokens,
)
from defectors_data.text.offsets import Span

SourceKind: TypeAlias = Literal["name", "institution", "group", "description", "pronoun"]


class SourceWords(NamedTuple):
    """The words that say who the source of an attribution is."""

    span: Span
    """All its words, such as "A spokesman for President Harrow Vane"."""
    head: Span
    """The name without titles, or the words up to the head noun: "A spokesman"."""
    kind: SourceKind


class Subject(NamedTuple):
    """The subject of a verb: its first token, and the source, None if it is left open."""

    first: int
    source: SourceWords | None


class _Phrase(NamedTuple):
    """A noun phrase as numbers of tokens."""

    start: int
    head_end: int
    """The token after its head noun."""
    end: int
    """The token after the words that follow its head: "for President Harrow Vane"."""


_STOPS = frozenset((",", ";", ":", "—", "–", "-", "(", ")", "[", "]", QUOTED))
_DASHES = frozenset(("—", "–", "-"))
_RELATIVE = frozenset(("who", "that", "which", "whose"))
_NOMINATIVE = frozenset(("i", "he", "she", "they", "we", "you", "it", "who"))
_AFTER_HEAD = frozenset(("of", "for", "from", "with", "in", "at", "to", "and", "&"))
_ARTICLES = frozenset("a an the this these those his her its my our your their".split())


# ---- noun phrases --------------------------------------------------------------------------------


def phrase_at(line: Sequence[Token], start: int, end: int) -> _Phrase | None:
    """Return the noun phrase that starts at a token, or None."""
    i = start
    while i < min(end, start + 3) and "determiner" in line[i].classes:
        i += 1
    if start < i < end and line[i].word == "of":
        inner = phrase_at(line, i + 1, end)
        return inner and inner._replace(start=start)  # "one of the men"
    if start < i < end - 1 and line[start].word == "a" and line[i].word in _AMOUNTS:
        inner = phrase_at(line, i + 2, end) if line[i + 1].word == "of" else None
        return inner and inner._replace(start=start)  # "a number of millers"
    first = i
    while i < end and (_joins_adjectives(line, i) or line[i].is_noun):
        if i > first and _ends_phrase(line, i):
            break
        i += 1
    i = _name_with_of(line, first, i, end)
    if i == first:
        if i < end and line[i].word == "others":
            return _Phrase(start, i + 1, _end_after_head(line, i + 1, end))
        # "Two said", "the others said"
        is_whole = i > start and bool(line[i - 1].classes & {"pronoun", "number"})
        return _Phrase(start, i, i) if is_whole else None
    return _Phrase(start, i, _end_after_head(line, i, end))


_AMOUNTS = frozenset("couple handful host number range string variety".split())


def _joins_adjectives(line: Sequence[Token], i: int) -> bool:
    """Return whether a conjunction joins two adjectives of one noun."""
    if line[i].word not in ("and", "or") or not 0 < i < len(line) - 2:
        return False
    return are_paired(line[i - 1], line[i + 1]) and line[i + 2].is_noun


def _ends_phrase(line: Sequence[Token], i: int) -> bool:
    """Return whether a word in a phrase is after its head: a date, an article or a verb."""
    token, before = line[i], line[i - 1]
    if token.word in _ARTICLES and not token.is_capitalized:
        return True
    if token.word.endswith("%") and before.is_capitalized:
        return True  # "According to Orr 12% left"
    if "date" in token.classes or (token.classes & {"time"} and not token.is_capitalized):
        return True
    if token.is_capitalized:
        return False
    after = line[i + 1] if i + 1 < len(line) else token
    if token.word in IN_TITLES and after.means_person:
        return False  # "Harbour managing director Ada Orr"
    is_of_origin = before.is_capitalized and before.word.endswith(_ORIGINS) and not after.is_plural
    is_of_origin &= after.is_noun and not (after.is_capitalized or after.classes)
    if token.word.endswith("ing") and ("institution" in after.classes or is_of_origin):
        return False  # "network monitoring company", "the Japanese gaming giant"
    is_verb = "past" in token.classes or token.word.endswith(("ed", "ing"))
    is_head = before.is_capitalized or before.is_plural or "institution" in before.classes
    has_object = "determiner" in after.classes  # "released a letter"
    has_object |= after.is_capitalized and before.is_noun  # "The bell pleased Orr"
    has_object |= "preposition" in after.classes  # "an email sent by Orr"
    return is_verb and (is_head or has_object)


_ORIGINS = ("an", "ch", "ese", "ish")
"""Endings of adjectives of countries and places."""


def _name_with_of(line: Sequence[Token], first: int, i: int, end: int) -> int:
    """Return where a phrase ends with the rest of a name such as "Bank of Orr"."""
    while first < i < end - 1 and line[i].word in _IN_NAMES and line[i + 1].is_capitalized:
        after = _after_capitals(line, i + 2, end)
        is_name = not line[i - 1].classes.isdisjoint(("institution", "title"))
        is_name |= line[after - 1].word in ("act", "bill")
        if not (is_name and line[i - 1].is_capitalized) or line[i - 1].word in ("mep", "mp", "msp"):
            break  # "the MP for Harrow"
        i = after
        post = i
        while post < end and line[post].is_noun and not line[post].is_capitalized:
            post += 1
        if post > i and line[post - 1].means_person:
            # Also with a name after it, as in "Bank of Orr governor Ada Pelt".
            i = _after_capitals(line, post, end)
    return i


_IN_NAMES = frozenset(("of", "for", "to"))


def _joins_name(line: Sequence[Token], i: int, start: int) -> bool:
    """Return whether a word joins the name of a body: "Campaign [for] Harbour Lives"."""
    is_between = line[i].word in _IN_NAMES and i > start
    return is_between and line[i - 1].is_capitalized and "institution" in line[i - 1].classes


def _end_after_head(line: Sequence[Token], i: int, end: int) -> int:
    """Return where a phrase ends with what follows its head: "for the ministry"."""
    while i < end and line[i].word in _AFTER_HEAD:
        j = i + 1
        while j < end and "determiner" in line[j].classes:
            j += 1
        k = j
        while k < end and line[k].is_noun and not line[k].classes & {"time", "date"}:
            if k > j and "past" in line[k].classes:
                break  # "a group of millers [sent] a letter"
            if k > j and line[k].word in _ARTICLES and not line[k - 1].word.endswith("ing"):
                if line[i].word == "and":
                    return i  # "of the millers and see [the] mill"
                break  # "hours of sport [a] week"
            k += 1
        if k == j:
            break
        i = k
    return i


# ---- what a source is ----------------------------------------------------------------------------


def source_of(text: str, line: Sequence[Token], phrase: _Phrase) -> SourceWords | None:
    """Return a noun phrase as a source; None for a date, a time or a bare number."""
    inner = line[phrase.start : phrase.head_end]
    last = inner[-1]
    head = Span(inner[0].start, _without_possessive(text, last))
    whole = Span(head.start, _without_possessive(text, line[max(phrase.end, phrase.head_end) - 1]))
    named = [token for token in inner if not token.classes & {"time", "date", "determiner"}]
    is_pronoun = len(inner) == 1 and "pronoun" in last.classes and not last.is_plural
    if is_pronoun:
        return SourceWords(head, head, "pronoun")
    if not named and any("time" in token.classes for token in inner):
        return None  # "two weeks"
    if not named and not any(token.classes & {"pronoun", "number"} for token in inner):
        return None
    is_share = last.word == "percent" or last.word.endswith("%")
    if all(not token.word[0].isalpha() for token in inner) and not is_share:
        return None
    is_first = len(inner) == 1 and phrase.start == 0
    is_function_word = last.classes & _NO_SOURCES and "pronoun" not in last.classes
    if is_first and (is_function_word or last.word in _NOBODY):
        return None  # "When asked", "That said"
    if phrase.head_end < phrase.end and line[phrase.head_end].word == "and":
        return SourceWords(whole, whole, "group")
    if last.is_capitalized:
        return _with_capital(line, phrase, whole, head)
    if "institution" in last.classes:
        return SourceWords(whole, head, "institution")
    is_plural = last.is_plural and not last.word.endswith("’s")  # "a miller's"
    is_group = is_plural or is_share or "pronoun" in last.classes
    kind: SourceKind = "group" if is_group else "description"
    return SourceWords(whole, head, kind)


_NOBODY = frozenset("anyone anything here’s that’s there’s whatever whoever".split())
_NO_SOURCES = frozenset(("adverb", "conjunction", "preposition", "subordinator"))


def _without_possessive(text: str, token: Token) -> int:
    return token.end - 2 * text[token.start : token.end].endswith(("'s", "’s"))


def _with_capital(line: Sequence[Token], phrase: _Phrase, whole: Span, head: Span) -> SourceWords:
    """Return a source whose head has a capital letter: a name, an institution or a title."""
    first, end = phrase.head_end - 1, phrase.head_end
    while first > phrase.start and (
        _continues_name(line[first - 1]) or _joins_name(line, first - 1, phrase.start)
    ):
        first -= 1
    run = line[first:end]
    titles = [i for i, token in enumerate(run) if "title" in token.classes]
    name = first + titles[-1] + 1 if titles else first
    last = line[end - 1]
    if last.is_plural and any(_is_several(token) for token in line[phrase.start : first]):
        return SourceWords(whole, head, "group")  # "Two Harbour Committees"
    is_of_body = last.is_plural and means_person(last.word) and "institution" not in last.classes
    if is_of_body and "institution" in line[end - 2].classes and name < end - 1:
        return SourceWords(whole, head, "group")  # "House Republicans"
    is_paper = last.word.endswith(_PAPERS) or last.word.partition(".")[2] in _DOMAINS
    bodies = line[min(name, end - 1) : end]  # "the Treasury", which is a title in other places
    is_paper |= (
        last.word == "executive" and phrase.start < end - 2 and "title" not in line[end - 2].classes
    )
    if is_paper or any("institution" in token.classes for token in bodies):
        return SourceWords(whole, head, "institution")
    if name >= end:
        joints = [i for i, token in enumerate(run) if token.word in _IN_NAMES and i]
        is_body = bool(joints) and "institution" in run[joints[-1] - 1].classes
        # "the Lamp Center for Justice", but "the Senate President"
        if is_body:
            return SourceWords(whole, head, "institution")
        return SourceWords(whole, head, "description")
    has_article = first > phrase.start and line[first - 1].word in ("the", "a", "an")
    if has_article and titles and line[name].word == "of":
        # "the Bishop of Harrow"
        return SourceWords(whole, Span(head.start, line[name - 1].end), "description")
    if first == end - 1 > phrase.start and not has_article and last.word in _MEMBERS:
        return SourceWords(whole, head, "description")  # "the panel's top Democrat"
    owned = next((i + 1 for i in range(first, end - 2) if line[i].word.endswith("’s")), 0)
    if has_article and owned:
        return SourceWords(whole, Span(line[owned].start, head.end), "name")  # "the SNP's Ada Orr"
    if has_article and not titles:
        kind: SourceKind = "group" if line[end - 1].is_plural else "institution"
        return SourceWords(whole, head, kind)
    return SourceWords(whole, Span(line[name].start, head.end), "name")


_MEMBERS = frozenset(
    "anglican catholic christian conservative democrat hindu independent liberal libertarian muslim"
    " protestant republican sikh".split()
)
_SEVERAL = frozenset("all both few many most several some".split())


def _is_several(token: Token) -> bool:
    is_number = "number" in token.classes or token.word.isdigit()
    return is_number or token.word in _SEVERAL


_DOMAINS = frozenset("co com edu gov info net org tv".split())
_PAPERS = ("-times", "-tribune", "-herald", "-journal", "-news", "-post")


_IN_ANY_NAME = NAME_PARTICLES | {"of", "&"}


def _continues_name(token: Token) -> bool:
    is_article = bool(token.classes & {"determiner", "conjunction", "adverb"})
    is_article &= token.word != "our"  # "Save Our Schools"
    return (token.is_capitalized and not is_article) or token.word in _IN_ANY_NAME


# ---- descriptions ------------------------------------------------------------------------------

_SAME = {
    "gop": ("republican",),
    "r-": ("republican",),  # R-Ohio
    "d-": ("democrat",),
    "sen.": ("senator",),
    "rep.": ("representative", "congressman", "congresswoman"),
    "gov.": ("governor",),
    "prof.": ("professor",),
}


def descriptive_words(text: str, words: Span) -> frozenset[str]:
    """Return the words in a mention that describe its speaker, in lower case: those of names,
    titles and descriptions up to a preposition or a relative clause, such as "a clerk [for Orr]".
    """
    found: set[str] = set()
    is_theirs = True
    for token in tokens(text, *words):
        is_theirs = token.word == "," or (is_theirs and token.word not in _RELATIVE)
        is_theirs = is_theirs and "preposition" not in token.classes
        if is_theirs:
            found.update((token.word, *_SAME.get(token.word[:2], _SAME.get(token.word, ()))))
    return frozenset(found)


# ---- subjects ------------------------------------------------------------------------------------


def subject_before(text: str, line: Sequence[Token], j: int) -> Subject | None:
    """Return the subject that ends at a token; None if no subject can end there."""
    if j < 0:
        return None
    token = line[j]
    inserted = next((i for i in range(1, j - 2) if _is_inserted_share(line, i)), 0)
    if inserted:
        rest = [*line[:inserted], *line[inserted + 3 :]]
        subject = subject_before(text, rest, j - 3)
        return subject if subject and subject.first < inserted else None
    if token.word in ("who", "which", "that") and j > 0:
        return _before_relative(text, line, j)
    stem = token.word.partition("’")[0]
    is_part = j > 0 and (
        line[j - 1].word == "of" or (line[j - 1].is_word and "determiner" in token.classes)
    )
    if (stem in _NOMINATIVE or "pronoun" in token.classes) and not is_part:
        span = Span(token.start, token.start + len(stem))
        return Subject(j, SourceWords(span, span, "pronoun"))
    if token.word == ",":
        return _before_asides(text, line, j)
    if token.word in (")", "]") or token.word in _DASHES:
        return subject_before(text, line, _before_parenthesis(line, j))
    if token.word in ("and", "but", "then", "or"):
        # "Orr wept and said": the subject is in another clause.
        return Subject(j, None)
    if not token.is_noun and not is_part:
        return None
    subject = _in_part(text, line, _start_of_part(line, j), j + 1)
    listed = _list_before(line, subject.first, j + 1)
    return listed or _before_description(text, line, subject) or subject


def _is_inserted_share(line: Sequence[Token], i: int) -> bool:
    """Return whether a share is printed again before its whole: "half [(54%)] of those asked"."""
    words = [token.word for token in line[i : i + 4]]
    return words[::2] == ["(", ")"] and words[-1] == "of" and is_amount(line[i + 1])


def _list_before(line: Sequence[Token], first: int, end: int) -> Subject | None:
    """Return the list that ends before a token, with which its clause begins: "Tories, some Greens
    and the millers"; `first` is in its last item.
    """
    starts = [0, *(i + 1 for i in range(first) if line[i].word in _STOPS)]
    for start in starts:
        i = start
        while i < first and line[i].classes & {"conjunction", "subordinator"}:
            i += 1
        if i < first and (list_end(line, i, end) == end or _are_joined_plurals(line, i, end)):
            words = Span(line[i].start, line[end - 1].end)
            return Subject(i, SourceWords(words, words, "group"))
    return None


def _are_joined_plurals(line: Sequence[Token], start: int, end: int) -> bool:
    """Return whether words are two plurals, the first with a preposition: "millers in Rome and some
    keepers".
    """
    phrase = phrase_at(line, start, end)
    if phrase is None or phrase.end != end or "preposition" not in line[phrase.head_end].classes:
        return False
    is_joined = any(token.word == "and" for token in line[phrase.head_end : end])
    first, last = line[phrase.head_end - 1], line[end - 1]
    is_name = last.is_capitalized or (first.is_capitalized and phrase.head_end > 1)
    return is_joined and first.is_plural and last.is_plural and not is_name


def list_end(line: Sequence[Token], start: int, end: int) -> int:
    """Return the token after a list of names and plurals: "Tories, some Greens and the millers"; the
    start if there is none.
    """
    i = start
    while i < end and end - i > 1:
        is_last = line[i].word in ("and", "or")
        i += is_last
        phrase = phrase_at(line, i, end)
        if phrase is None or is_introduction(line[i]):
            break
        words = line[i : phrase.end]
        joined = [k for k, token in enumerate(words) if token.word in ("and", "or")]
        heads = [line[phrase.head_end - 1], words[-1]]
        is_item = all(each.is_capitalized or each.is_plural for each in heads)
        if not is_item or any(each.classes & {"time", "date"} for each in heads):
            break
        if is_last or joined:
            return phrase.end if i - is_last > start else start
        if phrase.end >= end or line[phrase.end].word != "," or len(words) > _LONGEST_ITEM:
            break
        i = phrase.end + 1
    return start


def _before_description(text: str, line: Sequence[Token], subject: Subject) -> Subject | None:
    """Return the name before a description that no comma closes: "[Ada Orr], head of the mill said",
    but not "It was, Ada Orr, a miller said".
    """
    comma, source = subject.first - 1, subject.source
    if comma < 1 or line[comma].word != "," or source is None or source.kind != "description":
        return None
    start = comma
    while start and line[start - 1].is_capitalized:
        start -= 1
    noun = next(token for token in line if token.end >= source.head.end)
    is_post = noun.means_person or noun.word in ("head", "host", "leader")
    is_post &= source.span != source.head or "determiner" not in line[comma + 1].classes
    is_name = comma - start > 1 and not is_introduction(line[start])
    is_first = start == 0 or not line[start - 1].is_word or line[start - 1].word in ("and", "but")
    if not (is_post and is_name and is_first):
        return None
    return Subject(start, source_of(text, line, _Phrase(start, comma, comma)))


def _before_parenthesis(line: Sequence[Token], j: int) -> int:
    """Return the token before words between parentheses or dashes that end at a token; the token
    itself if it ends none.
    """
    opening = _OPENING.get(line[j].word, ())
    k = j - bool(opening)
    while opening and k >= 0 and line[k].word not in opening:
        k -= 1
    return k - bool(opening)


_OPENING = {**dict.fromkeys((")", "]"), ("(", "[")), **dict.fromkeys(_DASHES, tuple(_DASHES))}


_POSSESSIVE = frozenset("his her its my our your their".split())


def possessor(text: str, line: Sequence[Token], i: int) -> Subject:
    """Return the owner of a noun as its subject: "Orr" in "Orr's old plan"."""
    j = i - 1
    while j >= 0 and line[j].is_word and line[j].is_noun and not _is_possessive(line[j]):
        if "determiner" in line[j].classes:
            break
        j -= 1
    if j < 0 or not _is_possessive(line[j]):
        return Subject(i, None)
    if line[j].word in _POSSESSIVE:
        span = Span(line[j].start, line[j].end)
        return Subject(j, SourceWords(span, span, "pronoun"))
    start = j
    while start > 0 and line[start - 1].is_noun and line[start - 1].word != QUOTED:
        before = line[start - 1]
        if not before.is_capitalized and (before.word.endswith("ed") or before.word in cue_words()):
            break
        start -= 1
        if "determiner" in before.classes:
            break
    phrase = phrase_at(line, start, j + 1)
    return Subject(start, phrase and source_of(text, line, phrase))


def _is_possessive(token: Token) -> bool:
    return token.word in _POSSESSIVE or token.word.endswith(("’s", "s’"))


def _before_relative(text: str, line: Sequence[Token], j: int) -> Subject | None:
    """Return the subject to which a relative pronoun refers: "Orr, who said"."""
    k = j - 1
    if line[k].word == ",":
        k -= 1
    if k > 0 and line[k].word in (")", "]"):
        k = _before_parenthesis(line, k)  # "Ada Orr (D-Ohio), who"
    if k > 1 and line[k].word.isdigit() and line[k - 1].word == ",":
        k -= 2  # "Ada Orr, 36, who"
    if k < 0 or not line[k].is_noun or line[k].word == QUOTED:
        return None
    if line[j].word == "that" and line[k].word in reporting_verbs():
        return None
    found = _in_part(text, line, _start_of_part(line, k), k + 1)
    is_gerund = line[found.first].word.endswith("ing") and line[found.first + 1].word in _ARTICLES
    if (found.source is None or is_gerund) and line[j].word != "that":
        found = _directly_before(text, line, k)
    return Subject(j, found.source)


def _directly_before(text: str, line: Sequence[Token], k: int) -> Subject:
    """Return the noun phrase that ends at a token: "help from the miller Ada Orr", who said it."""
    i = k
    while i > 0 and line[k].is_capitalized and _continues_name(line[i - 1]):
        i -= 1
    start = i
    while start > 0 and line[start - 1].is_noun and "determiner" not in line[start - 1].classes:
        start -= 1
    if start > 0 and line[start - 1].is_word and "determiner" in line[start - 1].classes:
        i = start - 1  # "the old miller", and no verb such as in "called Ada Orr"
    elif i == k and start > 0 and line[start - 1].classes & {"be", "preposition"}:
        i = start  # "are old millers"
    phrase = phrase_at(line, i, k + 1)
    is_whole = phrase is not None and phrase.head_end == k + 1
    source = source_of(text, line, phrase) if phrase and is_whole else None
    return Subject(i, source)


def _start_of_part(line: Sequence[Token], j: int) -> int:
    """Return the first token of the part of a clause that ends at a token."""
    i = j
    while i > 0:
        before = line[i - 1]
        if before.word == QUOTED and i > 1 and "determiner" in line[i - 2].classes:
            i -= 1  # a word in quotation marks: the "caravan" leaders
            continue
        if before.word == ")" and line[i].word == "and":
            i = _before_parenthesis(line, i - 1) + 1  # "Ada Orr (D-Ohio) and Ben Pelt"
            continue
        if before.word in _STOPS:
            break
        if line[i].word in _ARTICLES and is_amount(before):
            break  # "the 12% [the mill] forecast"
        is_as = before.word == "as" and i > 1 and line[i - 2].word.endswith(("ed", "known"))
        if not is_as and (before.word in _RELATIVE or "subordinator" in before.classes):
            if not _is_relative(line, i - 1):
                break
        elif "conjunction" in before.classes and not _joins(line, i - 1):
            break
        i -= 1
    return i


def is_amount(token: Token) -> bool:
    """Return whether a token is a number in digits, also with a sign: "12", "$12", "12%"."""
    return token.word[0].isdigit() or token.word[0] in "$€£"


FRONTED = frozenset("asked told pressed questioned".split())
"""Participles that open a sentence: "Asked about the fire, Orr said"."""


_LONGEST_ITEM = 5
"""Maximum number of words of an item in a list of sources."""


def _is_relative(line: Sequence[Token], i: int) -> bool:
    """Return whether a word is a relative pronoun that is the subject of a verb."""
    if line[i].word not in _RELATIVE or i == 0 or i + 1 >= len(line):
        return False
    before, after = line[i - 1], line[i + 1]
    is_object = after.is_capitalized or bool(after.classes & {"determiner", "pronoun"})
    is_after_noun = before.is_noun and before.word != QUOTED
    return is_after_noun and not is_object and before.word not in reporting_verbs()


def _joins(line: Sequence[Token], i: int) -> bool:
    """Return whether a conjunction joins the nouns of one subject."""
    if i == 0 or i + 1 >= len(line) or line[i].word not in ("and", "or"):
        return False
    if _joins_adjectives(line, i):
        return True
    before, after = line[_before_parenthesis(line, i - 1)], line[i + 1]
    if not before.is_noun:
        return False
    if (before.is_capitalized and after.is_capitalized) or (before.is_plural and after.is_plural):
        return True
    k = i
    while k > 0 and (line[k - 1].is_noun or "determiner" in line[k - 1].classes):
        k -= 1
    is_short = i - k <= _LONGEST_ITEM and (k == 0 or line[k - 1].word in _STOPS)
    return is_short and ("determiner" in after.classes or before.is_plural)


def _in_part(text: str, line: Sequence[Token], start: int, end: int) -> Subject:
    """Return the subject in a part of a clause: its first phrase after introductory words."""
    i = _after_introduction(line, start, end)
    if i is None:
        return Subject(start, None)
    # What precedes a finite verb in the part is another clause.
    for k in range(end - 1, i - 1, -1):
        if k == i > 0 and line[k - 1].word == "," and line[k].word == "saying":
            i = k + 1  # "Orr defended it, saying Pelt was right"
            break
        is_inside = any(line[j].word in _RELATIVE for j in range(i, k))
        if "auxiliary" in line[k].classes and not is_inside:
            return _after_predicate(text, line, k, end)
        verb = reporting_verbs().get(line[k].word)
        if (
            verb
            and not verb.may_be_noun
            and not is_inside
            and not is_of_think_tank(line, k)
            and not line[k].word.endswith(("ed", "ing"))
        ):
            i = k + 1
            break
    if group := _joined_names(line, i, len(line)):
        return Subject(i, group)
    i = _after_singular(line, i, end)
    phrase = phrase_at(line, i, end)
    if phrase is None:
        return Subject(i, None)
    if _is_possessive(line[phrase.head_end - 1]) and line[end - 1].is_noun:
        phrase = phrase._replace(head_end=end)  # "Orr's first keeper"
    is_apposition = phrase.end < end and line[phrase.end].word == "the"
    named = phrase_at(line, phrase.end, end) if is_apposition else None
    is_name = named is not None and line[named.start + 1].is_capitalized and named.head_end == end
    if named and is_name and "institution" in line[phrase.head_end - 1].classes:
        phrase = named  # "Mill charity [the Keepers Trust]"
    elif named and named.head_end == end and "determiner" in line[phrase.start].classes:
        phrase, i = named, named.start  # "a bag [the owner] said was stolen"
    if phrase.end < end and "past" in line[phrase.end].classes:
        end = phrase.end  # "A group of millers [wrote to Orr], urging her to stay"
    return Subject(i, source_of(text, line, phrase._replace(end=end)))


def _after_predicate(text: str, line: Sequence[Token], verb: int, end: int) -> Subject:
    """Return the subject after what something is: "it was a mistake [the mayor] said would cost"."""
    starts = range(verb + 2, end)
    determined = [k for k in starts if line[k].word == "the" and line[k - 1].is_noun]
    start = determined[-1] if determined else _after_singular(line, verb + 1, end)
    phrase = phrase_at(line, start, end) if start > verb + 1 else None
    if phrase is None or phrase.head_end != end:
        return Subject(verb, None)
    return Subject(start, source_of(text, line, phrase))


def _after_singular(line: Sequence[Token], start: int, end: int) -> int:
    """Return the plural after a noun with "a", which is another phrase: "a move [ministers] say"; the
    start if there is none.
    """
    words = line[start:end]
    is_other = len(words) == 3 and words[0].word in ("a", "an")  # noqa: PLR2004  # with a noun each
    is_other = is_other and words[2].is_plural and words[2].means_person
    is_other = is_other and words[1].is_noun and not words[1].is_plural
    return end - 1 if is_other else start


def _after_introduction(line: Sequence[Token], start: int, end: int) -> int | None:
    """Return where the subject starts after "But", "On Friday" or "In a statement".

    None if it could start at several words.
    """
    i = start
    while i < end and (
        line[i].classes & {"conjunction", "adverb"} or line[i].word in ("so", "that")
    ):
        i += 1
    if i + 1 < end and line[i].word in ("last", "this", "next") and "time" in line[i + 1].classes:
        i += 2
    while i + 1 < end and "date" in line[i].classes and line[i + 1].word not in _ON_SUNDAYS:
        i += 1
    if i >= end:
        return None
    if not line[i].classes & {"preposition", "subordinator"}:
        return i
    cuts = [k for k in range(i + 2, end) if _starts_subject(line[k - 1], line[k])]
    phrase = phrase_at(line, cuts[0], end) if len(cuts) > 1 else None
    if phrase and phrase.end > cuts[-1]:
        cuts = cuts[:1]  # "By contrast an old Harbour report"
    if not cuts and line[i].word == "with":
        return i + 1  # "it burned, with many millers shouting"
    return cuts[0] if len(cuts) == 1 else None


_ON_SUNDAYS = frozenset("express herald independent mail mirror post telegraph times".split())
"""Newspapers with "Sunday" in their names."""


def _starts_subject(before: Token, token: Token) -> bool:
    """Return whether a subject starts at a token after an introduction: "On Friday officials"."""
    if before.classes & {"time", "date"}:
        return not token.classes & {"time", "date"} and not token.word[0].isdigit()
    if "determiner" in token.classes:
        return not before.classes & {"preposition", "determiner"}
    is_after_noun = before.is_noun and "determiner" not in before.classes
    return token.is_capitalized and not before.is_capitalized and is_after_noun


def _before_asides(text: str, line: Sequence[Token], comma: int) -> Subject | None:
    """Return the subject before words between commas: "Orr, 36, a miller from Rome, said"."""
    end = comma
    start = _after_stop(line, end)
    if start == 0 or line[start - 1].word != ",":
        return None
    while start > 0 and line[start - 1].word == "," and is_aside(line, start, end):
        end = start - 1
        start = _after_stop(line, end)
    if end == comma or end <= start:
        return None
    name = _after_introduction(line, start, end)
    is_name = "date" not in line[end - 1].classes and name not in (None, start)
    is_name &= all(each.is_capitalized for each in line[name or start : end])
    if is_introduction(line[start]) and not is_name:
        # "Speaking on Friday, Orr, a miller, said": what follows the introduction
        start = end + 1
        end = next(i for i in range(start, comma + 1) if line[i].word == ",")
    if line[end - 1].word in (")", "]"):
        end = _before_parenthesis(line, end - 1) + 1
    if end <= start:
        return None
    return _in_part(text, line, max(start, _start_of_part(line, end - 1)), end)


def is_of_think_tank(line: Sequence[Token], i: int) -> bool:
    """Return whether a word that looks like a verb is the first one of "think tank"."""
    words = [token.word for token in line[i : i + 2]]
    return words in (["think", "tank"], ["think", "tanks"])


def is_introduction(token: Token) -> bool:
    """Return whether a sentence that starts with a word has its subject later."""
    is_participle = token.word.endswith(("ing", "ly"))
    return is_participle or bool(token.classes & {"preposition", "subordinator", "adverb", "date"})


_PARTS = frozenset((",", QUOTED, ";", ":", "—", "–"))


def _after_stop(line: Sequence[Token], end: int) -> int:
    start = end
    while start > 0 and line[start - 1].word not in _PARTS:
        start -= 1
    return start


_SHORT_ASIDE = 6


_LONGEST_SAID = 2
"""Maximum number of words of an attribution between commas: ", it says,"."""


def is_aside(line: Sequence[Token], start: int, end: int) -> bool:
    """Return whether words before a comma can describe the name before them: "a miller", "36"."""
    if start >= end:
        return False
    first = line[start]
    if first.word in _NOMINATIVE and first.word != "who" and end - start > _LONGEST_SAID:
        return False  # "While it rained, it is shut, said Orr."
    if "determiner" in first.classes or first.is_capitalized:
        has_relative = any(token.word in _RELATIVE for token in line[start:end])
        return has_relative or not any("auxiliary" in token.classes for token in line[start:end])
    starts = first.classes & {"aside", "title", "preposition"} or first.word.endswith(("ing", "ed"))
    return bool(starts) or first.word[0].isdigit() or end - start <= _SHORT_ASIDE


def main_subject(
    text: str, line: Sequence[Token], end: int, *, is_any: bool = False
) -> SourceWords | None:
    """Return the subject at the start of a sentence if it is a pronoun or a name; else None.

    If `is_any`, return any noun phrase there, which is probably the subject.
    """
    start = _after_dateline(line, end)
    while start < end and (line[start].classes & {"conjunction"}):
        start += 1
    start = _after_time(line, start, end)
    while start < end and is_introduction(line[start]):
        after = _next_part(line, start, end)
        # "While Orr had an opinion of"
        is_clause = after > end and "subordinator" in line[start].classes
        start = start + 1 if is_clause else after
    if start >= end or not line[start].is_word:
        return None
    first = line[start]
    if first.word in _NOMINATIVE:
        span = Span(first.start, first.end)
        return SourceWords(span, span, "pronoun")
    if (last := list_end(line, start, end)) > start:
        words = Span(first.start, line[last - 1].end)
        return SourceWords(words, words, "group")
    last = _after_capitals(line, start, end)
    if group := _joined_names(line, start, end):
        return group
    has_verb = last < end and (
        line[last].word == "," or (line[last].is_word and not line[last].is_capitalized)
    )
    has_verb = has_verb and not means_person(line[last].word)  # "Dutch voters"
    is_possessive = last > start and line[last - 1].word.endswith(("’s", "s’"))
    if last == start or not has_verb or is_possessive or "determiner" in first.classes:
        said = (i for i in range(start + 1, end) if _is_past(line[i]))
        phrase = phrase_at(line, start, next(said, end)) if is_any else None
        return phrase and source_of(text, line, phrase)
    return source_of(text, line, _Phrase(start, last, last))


def _is_past(token: Token) -> bool:
    verb = reporting_verbs().get(token.word)
    is_said = verb is not None and not verb.may_be_noun and not token.word.endswith("s")
    return "past" in token.classes or (is_said and not token.is_capitalized)


def _joined_names(line: Sequence[Token], start: int, end: int) -> SourceWords | None:
    """Return two names before a verb as a group: "Ada Orr (D-Ohio) and Ben Pelt left"; None if a
    name has no other after it.
    """
    last = _after_capitals(line, start, end)
    joint = _after_brackets(line, last, end)
    if last == start or joint + 1 >= end or line[joint].word != "and":
        return None
    phrase = phrase_at(line, joint + 1, end)
    is_name = phrase is not None and line[phrase.head_end - 1].is_capitalized
    if phrase is None or not is_name or are_paired(line[joint - 1], line[joint + 1]):
        return None
    verb = _after_brackets(line, phrase.head_end, end)
    while verb < end and (line[verb].word in ("all", "both") or "adverb" in line[verb].classes):
        verb += 1
    is_verb = verb < end and not line[verb].classes.isdisjoint(("past", "auxiliary"))
    is_verb |= verb < end and line[verb].word.endswith("ed")
    words = Span(line[start].start, line[phrase.head_end - 1].end)
    return SourceWords(words, words, "group") if is_verb else None


def _after_capitals(line: Sequence[Token], i: int, end: int) -> int:
    while i < end and line[i].is_capitalized and "adverb" not in line[i].classes:
        i += 1
    return i


def _after_brackets(line: Sequence[Token], i: int, end: int) -> int:
    """Return the token after brackets that open at a token, or the token itself."""
    if i >= end or line[i].word != "(":
        return i
    closing = (j for j in range(i + 1, end) if line[j].word == ")")
    return next(closing, i - 1) + 1


def _after_dateline(line: Sequence[Token], end: int) -> int:
    """Return the first token after the place of a dateline: "ROME, Ohio (AP) - It burned"."""
    for i in range(1, min(end, _LONGEST_DATELINE)):
        if line[i].word in _DASHES:
            return i + 1
        if not (line[i].is_capitalized or line[i].word in (",", "(", ")")):
            break
    return 0


_LONGEST_DATELINE = 10


def _after_time(line: Sequence[Token], i: int, end: int) -> int:
    """Return the token after a time, such as "Last September," and "Two weeks earlier"; the token
    itself if it starts none, and `end` if it is a subject.
    """
    first = i + 1 + (i + 1 < end and line[i + 1].word == "few")
    j = first
    while j < end and line[j].classes & {"time", "date"}:
        j += 1
    is_distance = line[j - 1].word in ("ago", "earlier", "later")
    is_time = is_distance or line[i].word in ("last", "this", "next")
    if j == first or not is_time:
        return i
    return j + (j < end and line[j].word == ",")


def _next_part(line: Sequence[Token], start: int, end: int) -> int:
    while start < end and line[start].word != ",":
        start += 1
    return start + 1
