"""The words that introduce a person: a name, the titles before it and the descriptions after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.text.english import PARTY_NAME, reporting_verbs
from defectors_data.text.english.sentences import (
    FUNCTION_WORDS,
    IN_TITLES,
    NAME_PARTICLES,
    Token,
    are_paired,
    names_in_run,
    tokens,
)
from defectors_data.text.offsets import Span, is_inside
from defectors_data.text.wording_differences import QUOTATION_MARKS

_WORD = r"[^\W\d_a-z][\w'’.-]*"
_PARTICLE = "|".join(sorted(NAME_PARTICLES))
NAME = rf"{_WORD}(?:(?: (?:{_PARTICLE}))* {_WORD}){{0,4}}"
"""The pattern of a name or part of one: words with capital letters."""


def names_in_byline(words: str) -> list[str]:
    """Return the names in words such as "Ada Example, Ben Example and Cleo Example"."""
    return re.split(r",? and |, ", words)


class Introduction(NamedTuple):
    """The words that introduce a person."""

    span: Span
    """All words, as in "Harbour Office spokesman Milo Arden, 31, a former keeper"."""
    name: Span
    """The name without titles."""
    affiliation: str
    """The organisation in the words, such as "Harbour Office"; "" if there is none."""


_NO_TITLES = FUNCTION_WORDS | {"past"}


def names(text: str, within: Span | None = None) -> list[Span]:
    """Return the runs of words with capital letters in a text or in a span of it, in order.

    They have no titles and function words. They are names of persons, organisations and places, and
    words at the start of sentences.
    """
    found: list[Span] = []
    run: list[Token] = []
    for token in tokens(text, *(within or (0, len(text)))):
        between = text[run[-1].end : token.start] if run else ""
        if run and not (between == " " and (token.is_capitalized or token.word in NAME_PARTICLES)):
            found += names_in_run(run)
            run = []
        if token.is_capitalized or run:
            run.append(token)
    return [*found, *names_in_run(run)]


def introduction(text: str, name: Span) -> Introduction:
    """Return the introduction with a name that has no titles."""
    line = text.rfind("\n", 0, name.start) + 1
    stop = text.find("\n", name.end)
    if stop < 0:
        stop = len(text)
    before = [*tokens(text, line, name.start)]
    after = list[Token]()
    following = next(tokens(text, name.end, stop), None)
    if following and following.word in (",", "("):
        after = [*tokens(text, name.end, stop)]
    first = _first_title(text, before, name)
    titles = before[first:]
    start = titles[0].start if titles else name.start
    end, descriptions = _described(text, name, after)
    body = _body_after(text, name, stop)
    if body and not descriptions:
        end = body.end()
    words = [_of_now(text, titles, _organisation_before(text, titles))]
    if titles and titles[-1].word == ",":
        words.append(_of_now(text, titles, _organisation_in(text, titles[:-1])))
    for described in descriptions:
        words.append(_of_now(text, described, _organisation_in(text, described)))
        post = _organisation_before(text, _without_rest(described))
        words.append(_of_now(text, described, post))
    if body:
        organisation = body["body"]
        if _OWNED_AFTER.match(text, body.end()):  # "from the Harbour Office's team"
            organisation = _without_ending(organisation)
        words.append(organisation)
    return Introduction(Span(start, end), name, next((each for each in words if each), ""))


APPOSITION = re.compile(r"(?: (?:at|for|from|in|of|on|to|with) [^,.;:\n“\"]{1,60})?, ")
"""What is between a description and the name of who is described: "the chief[ in Harrow, ]Milo Arden"."""


def name_beside(text: str, spans: Sequence[Span]) -> str:
    """Return a full name that a comma separates from the description of a person, in or after some
    words: "a guard in Harrow, Milo Arden, said"; "" if there is none.
    """
    for name in names(text):
        words = text[slice(*name)]
        if " " not in words or not text.endswith(_BEFORE_NAME, 0, name.start):
            continue
        # "said a guard in Harrow, Milo Arden."
        is_closed = text.startswith(_AFTER_NAME, name.end)
        is_next = any(0 <= name.start - span.end <= _LONGEST_MARK for span in spans)
        if is_inside(name, spans) or (is_closed and is_next):
            return words
    return ""


_BEFORE_NAME = (", ", "(", "— ", "– ", " - ")
_AFTER_NAME = (",", ".", ";", ")", " —", " –", " - ")
_LONGEST_MARK = 3
"""Maximum number of code points between a description and a name."""
_PAST_POSTS = re.compile(r"\b(?:ex|former|formerly|late|onetime|past|retired)\b", re.IGNORECASE)


def _of_now(text: str, words: Sequence[Token], organisation: str) -> str:
    """Return an organisation in titles or a description; "" if it is after a word such as "former",
    so that it is no affiliation any more.
    """
    start = words[0].start if words else 0
    first = len(organisation.partition(" ")[0])  # "Former House" of "Former House guide"
    before = text[start : text.find(organisation, start) + first]
    return "" if _PAST_POSTS.search(before) else organisation


def _first_title(text: str, before: Sequence[Token], name: Span) -> int:
    """Return the first of the tokens before a name that are titles; their number if none is."""
    i = len(before)
    if i > 1 and before[-1].word == ",":
        # "the Harbour guard, Milo Arden": with its article
        first = _walked_back(text, before[:-1], before[-1].start)
        has_article = 0 < first < i - 1 and before[first - 1].word in ("the", "a", "an")
        is_closed = _CLOSED.match(text, name.end) is not None
        if is_closed and first < i - 1 and (not first or before[first - 1].word in _STOPS):
            return first  # "Director, Milo Arden, said"
        if has_article or first in (0, i - 1):
            # "the guard, Milo Arden, said", but "As the guard, Milo Arden said"
            is_after = first > 1 and bool(before[first - 2].classes & _BEFORE_CLAUSES)
            return first - 1 if has_article and (is_closed or not is_after) else i
        # "his lamp aide, Milo Arden,", but "With his aide, Milo Arden left"
        is_theirs = before[first - 1].word in _POSSESSIVES or _owner(text, before, first) < first
        return min(first - 1, _owner(text, before, first)) if is_closed and is_theirs else i
    first = _walked_back(text, before, name.start)
    while (
        1 < first < i
        and before[first - 1].word == "of"
        and _is_office(before[first - 2 : first + 1])
    ):
        first = _walked_back(text, before[: first - 1], before[first - 1].start)
    if 1 < first < i and before[first - 1].word in ("for", "of") and before[first].is_capitalized:
        body = before[first - 2]
        first -= 2 * (body.is_capitalized and "institution" in body.classes)  # "Bank of Rome guard"
    owner = _owner(text, before, first)
    is_of_body = owner < first < i and before[owner].is_capitalized
    party = before[-3:] if owner == first == i else ()
    for k, token in enumerate(party, i - len(party)):
        if _OF_PARTY.fullmatch(text, token.start, before[-1].end):
            return k  # "Tory Milo Arden", "the Lib Dems Milo Arden"
    if owner < first == i and _OF_PARTY.match(text, before[owner].start, before[-1].end):
        return owner - (owner > 0 and before[owner - 1].word == "the")  # "the SNP's Milo Arden"
    if is_of_body and (
        _IN_PARTY.match(text, before[owner].start, name.start)
        or _names_organisation(text, before[owner:first])
        or _owning_body(text, before[owner:])
    ):
        return owner  # "Harbour Office's guard Milo Arden"
    return first


def _is_office(words: Sequence[Token]) -> bool:
    """Return whether words are a title with "of", such as "secretary of state"."""
    title, _, what = words
    return "title" in title.classes and "title" in what.classes


_STOPS = (".", "!", "?")
_CLOSED = re.compile(r"(?: [A-Z]{2,3})?[,.;]")
"""The end of a name, also with letters after it: "Milo Arden MSP,"."""
_BEFORE_CLAUSES = frozenset(("preposition", "subordinator"))
_POSSESSIVES = frozenset("his her its their".split())


_POSSESSIVE = re.compile(r"['’]s\b|\ws['’](?= )")


def _owner(text: str, before: Sequence[Token], first: int) -> int:
    """Return the first token of the owner before some titles, which is capitalized or has an article:
    "Orr's [minister]", "the old panel's [chairman]".
    """
    if not first or not _POSSESSIVE.match(text, before[first - 1].end - 2):
        return first
    start = first
    while start and before[start - 1].is_capitalized and not _is_conjunction(before[start - 1]):
        start -= 1
    if start < first:
        return start
    while start and before[start - 1].is_noun and "determiner" not in before[start - 1].classes:
        start -= 1
    has_article = start > 0 and before[start - 1].word in ("the", "a", "an")
    return start - 1 if has_article else first


def _is_conjunction(token: Token) -> bool:
    return bool(token.classes & {"conjunction", "subordinator"})


def _walked_back(text: str, before: Sequence[Token], at: int) -> int:
    i = len(before)
    while i and text[before[i - 1].end : at].strip(" \u00a0") == "":
        token = before[i - 1]
        is_modifier = i < len(before) and token.is_word and token.word not in reporting_verbs()
        is_modifier |= i == len(before) and token.word in _BEFORE_NAMES
        # "Asked Orr", but "Standard Chartered guard Milo Arden"
        is_in_name = token.is_capitalized and i > 1 and before[i - 2].word not in _STOPS
        is_verb = token.word.endswith(("ed", "ing")) and not is_in_name
        is_verb &= token.word not in IN_TITLES
        # "did not stop Chancellor Milo Arden", "will stop Chancellor Milo Arden"
        is_after_auxiliary = i > 1 and before[i - 2].word.endswith(("n’t", "to", "not"))
        is_after_auxiliary |= i > 1 and before[i - 2].word in _MODALS
        is_verb |= is_after_auxiliary and not token.is_capitalized and not token.means_person
        is_other = is_verb or token.classes & _NO_TITLES or token.word.endswith(("’s", "s’"))
        if _OF_SUNDAY.match(text, token.start):  # "Sunday Post editor Milo Arden"
            is_other = False
        if 1 < i < len(before) and token.word == "and" and are_paired(before[i - 2], before[i]):
            is_other = False
        # "in the first government Mr Arden was calm", but "the former guard Mr Arden"
        is_addressed = i < len(before) and before[i].word.rstrip(".") in _ADDRESSES
        is_other = is_other or (is_addressed and not token.means_person)
        if is_other or not (token.means_person or is_modifier):
            break
        i, at = i - 1, token.start
    return i


_OF_SUNDAY = re.compile(
    r"Sunday (?:Express|Herald|Mail|Mercury|Mirror|Post|Telegraph|Times|World)\b"
)
_ADDRESSES = frozenset("miss mr mrs ms".split())
_MODALS = frozenset("can could may might must shall should will would".split())
_BEFORE_NAMES = frozenset("boss guru head legend mogul star".split())
"""Nouns of persons that are directly before a name: "lamp mogul Milo Arden"."""


_BREAKS = frozenset(QUOTATION_MARKS) - {"'", "’"}
"""Marks that no description contains."""


_SAID = ("said", "says", "told")
"""Verbs that end a description without a comma: "Milo Arden, head of the Harbour Office [said]"."""
_LONGEST = 15
"""Maximum number of words of a description after a name."""
_OLDEST = 120


def _described(text: str, name: Span, after: Sequence[Token]) -> tuple[int, list[Sequence[Token]]]:
    """Return the end of the descriptions between commas after a name, and these."""
    i = _after_party(text, after)
    end = after[i - 1].end if i and STATED_PARTY.match(text, after[0].end) else name.end
    found: list[Sequence[Token]] = []
    while i < len(after) and after[i].word == ",":
        stop = i + 1
        while stop < len(after) and after[stop].is_word and after[stop].word not in _SAID:
            stop += 1
        words = after[i + 1 : stop]
        brackets = [token.word for token in after[stop : stop + 3]]
        if brackets[::2] == ["(", ")"]:
            stop += 3  # "a guard of the Harbour Office (HO),"
        is_closed = stop < len(after) and after[stop].word in (",", ".", ";", "-", "–", "—")
        is_closed |= stop < len(after) and after[stop].word in _SAID and _is_post(words)
        relative = next((k for k, token in enumerate(words) if token.word in _RELATIVE), None)
        main = words[:relative]
        if not is_closed or not _describes(text, main):
            break
        # "who served eight years" states something about a person.
        has_years = any(token.word in ("year", "years") for token in words)
        words = words if has_years else main
        if any(mark in text[end : words[-1].end] for mark in _BREAKS):
            break
        end = words[-1].end
        found.append(main)
        i = stop if relative is None else len(after)
    return end, found


def _after_party(text: str, after: Sequence[Token]) -> int:
    """Return the first token after the party and state of a name: "Milo Arden (D-Ohio)"."""
    if not after or after[0].word != "(":
        return 0
    closing = next((i for i, token in enumerate(after) if token.word == ")"), 0)
    inside = text[after[0].end : after[closing].start].strip()
    return closing + 1 if _PARTY.fullmatch(inside) else 0


_PARTY = re.compile(r"(?:[DRI]-)?[A-Z][\w.]*(?: [A-Z]\w+)?")
STATED_PARTY = re.compile(r"[DRI]-[A-Z]")
"""The beginning of a party and a state, as in "D-Ohio"."""
_RELATIVE = frozenset("who whose which that whom".split())


def _describes(text: str, words: Sequence[Token]) -> bool:
    """Return whether words after a name are an age, letters such as "MP" or "D-Ohio", or a description."""
    if not 0 < len(words) <= _LONGEST:
        return False
    if words[-1].classes & FUNCTION_WORDS and not words[-1].is_capitalized:
        return False
    first = words[0]
    if len(words) == 1 and first.word.isdigit():
        return int(first.word) <= _OLDEST
    if len(words) == 1 and (text[first.start : first.end].isupper() or first.word in _SUFFIXES):
        return True
    if len(words) == 1 and STATED_PARTY.match(text, first.start):
        return True
    if _noun_of(words) is None or any(token.classes & {"auxiliary", "past"} for token in words):
        return False
    verbs = reporting_verbs()
    small = [token.word for token in words if not token.is_capitalized]
    return not any(word in verbs and not verbs[word].may_be_noun for word in small)


_SUFFIXES = frozenset(("jr.", "sr.", "jr", "sr"))


def _is_post(words: Sequence[Token]) -> bool:
    """Return whether words are a post, and not a title with a name or another person: "head of lamps",
    but not "guard Orr" or "the guard".
    """
    noun = _noun_of(words)
    if noun is None or noun + 1 < len(words):
        return noun is not None and "preposition" in words[noun + 1].classes
    return "determiner" not in words[0].classes


def _noun_of(words: Sequence[Token]) -> int | None:
    """Return the head noun of a description if it means a person: "a lamp and mill keeper of Rome"."""
    found = None
    for i, token in enumerate(words):
        is_article = i == 0 and "determiner" in token.classes
        joins_modifiers = found is None and token.word == "and"
        if token.classes & FUNCTION_WORDS and not (is_article or joins_modifiers):
            break
        if token.means_person or token.word in _LEADERS:
            found = i
    return found


# ---- affiliations --------------------------------------------------------------------------------

_WORD_IN_BODY = r"(?:[A-Z]\.(?= [A-Z])|\d*[A-Z](?:[\w.&’'-]*\w)?)"
_NOUNS = (
    "agency|bank|band|body|broadcaster|chain|charity|company|consultancy|developer|fansite|firm|giant"
    "|group|magazine|maker|network|newspaper|provider|publisher|regulator|retailer|site|station|think[ -]tank"
    "|union|website"
)
_ORGANISATION = re.compile(
    r"(?P<by>of|for|at|with|in|on|from) (?:(?:the |its |an? )?(?:(?!of|to|for|in)[A-Za-z]+(?:-[a-z]+)* ){0,4}"
    rf"(?P<noun>{_NOUNS}) (?:the )?|(?:the|an?) (?:(?!of|to|for|in)[a-z]+(?:-[a-z]+)* ){{1,2}}"
    r"|analysts? |the |its |an? )?"
    rf"(?P<body>{_WORD_IN_BODY}(?: (?:(?:of|for|and|&|the|of the|for the|[1-9]) )?{_WORD_IN_BODY})*)"
)
"""An organisation after the noun of a description: "a spokesman for the Harbour Office"."""
_LEADERS = frozenset(
    "boss ceo chairman chairwoman chief co-founder dean director editor executive founder governor head leader"
    " manager mayor owner president secretary".split()
)
"""Nouns of those who lead what follows "of"."""
_AFTER_NAME_BODY = re.compile(rf",? {_ORGANISATION.pattern}")
"""An organisation after a name: "Milo Arden of the Harbour Office", "Milo Arden, at Harbour Lamps,"."""
_AREA = re.compile(r"(?:East|Greater|Los|New|North|Northern|Port|San|South|Southern|St|West)\b")


_OF_POSTS = frozenset(
    "budget communications information majority media minority policy press".split()
)
"""Words between a body and a post in it."""


def _organisation_before(text: str, titles: Sequence[Token]) -> str:
    """Return the organisation before the noun in titles: "Harbour Office spokesman"."""
    nouns = [i for i, token in enumerate(titles) if _is_noun_of_person(token)]
    if not titles:
        return ""
    start, end = titles[0].start, titles[-1].end
    if party := _IN_PARTY.match(text, start, end) or _OF_PARTY.fullmatch(text, start, end):
        return party[1]
    if owner := _owning_body(text, titles):
        return owner
    noun = next(iter(nouns), len(titles) - 1)
    run = [token for token in titles[:noun] if "determiner" not in token.classes]
    while run and (not run[0].is_capitalized or run[0].word in _QUALITIES):
        run.pop(0)  # "conservative Mill News host", "Veteran Harbour Office guard"
    if run and run[-1].word in ("ministry", "police"):
        return text[run[0].start : run[-1].end]  # "Harbour police spokesman"
    while len(run) > 1 and _is_of_post(run[-1]):
        run.pop()  # "Harbour Office Press Secretary", "Harbour University political scientist"
    if run and "institution" in run[0].classes and {"for", "of"} & {token.word for token in run}:
        return text[run[0].start : run[-1].end]  # "Commission for Harbours chairman"
    named = run[:-1] if run and run[-1].word == "campaign" else run  # "Arden campaign manager"
    if not named or not all(token.is_capitalized for token in named):
        return ""
    post = " ".join(token.word for token in titles[noun : noun + 2])
    is_of_person = named == run and _is_person(text, named)
    is_led = post.startswith(_OF_COMPANIES) and not titles[noun].is_capitalized
    is_led = is_led and _ADJECTIVE.fullmatch(named[-1].word) is None
    is_of_body = post.startswith(("spokes", "ceo", "chief executive")) and not is_of_person
    is_of_body |= is_led and (len(named) > 1 or not is_of_person)
    is_said = is_of_body or _names_organisation(text, run[-1:])
    is_said |= len(run) > 1 and _BROADCASTER.match(text, run[0].start) is not None
    is_sought = titles[noun].word in _SEEKERS  # "White House hopeful"
    words = text[run[0].start : run[-1].end].removesuffix("’s").removesuffix("'s")
    return words if is_said and not (is_sought or _NO_NAME.fullmatch(words)) else ""


_OF_PARTY = re.compile(rf"(?:[Tt]he )?({PARTY_NAME})(?:[’']s?)?")
_IN_PARTY = re.compile(
    rf"(?:[Tt]he )?({PARTY_NAME}|Greens?)(?:[’']s?)? (?:[a-z]+(?:-[a-z]+)* ){{0,4}}"
    r"(?:MS?P|MEP|AM|Assembly [Mm]ember|backbencher|candidate|(?:co-)?chair[a-z]*|chief|coordinator|councillor"
    r"|leader|peer|shadow|spokes[a-z]+)\b"
)
"""A party before a post in it: "Labour MP", "the Liberal Democrats' health spokesman", but not
"Labour Ministry spokesman" or "Conservative host".
"""
_BROADCASTER = re.compile(r"(?:ABC|BBC|CBS|CNN|ITN|ITV|NBC|PBS) ")
"""The beginning of the name of an outlet: "BBC Harrow correspondent"."""
_QUALITIES = frozenset("fellow leading new rival senior top veteran".split())
"""Words before a body, with a capital letter at the start of a sentence, that are not in its name."""
_OF_COMPANIES = (
    *("analyst", "boss", "chairman", "chief economist", "co-chairman", "economist", "president"),
    *("vice president", "vice-president"),
)
"""Posts in small letters that follow the name of a company: "Harbour analyst Milo Arden"."""
_ADJECTIVE = re.compile(
    r".+(?:’s|-based)|[a-z]+(?:ish|ese|ian|ean|can|man|al|ch|ss|ic)|tory|conservative|labour|street|city|us|u\.s\.|uk"
    r"|house|senate|state"
)
"""Words with a capital letter before such posts that name no company: "Dutch analyst"."""
_NO_NAME = re.compile(
    r"Board|Chamber|Committee|Company|Council|Office|Party|TV|U\.?S\.?|UK|(?:\S+-based )?GOP"
    r"|(?:Defence|Education|Energy|Environment|Health|Home|Housing|Security|Trade|Transport)(?: [a-z]+)?"
)
"""Words before a title that name no organisation: "Party Chairman", "GOP strategist"."""


def _owning_body(text: str, words: Sequence[Token]) -> str:
    """Return the owner of a post that is no person or place: "Lamp Trust's head of sales"; else ""."""
    last = next(
        (i for i, token in enumerate(words) if _POSSESSIVE.match(text, token.end - 2)), None
    )
    noun = next((token.word for token in words if _is_noun_of_person(token)), "")
    is_post = noun in _LEADERS or noun.startswith(
        ("analyst", "correspondent", "economist", "spokes")
    )
    owner = [token for token in words[: (last or 0) + 1] if "determiner" not in token.classes]
    if last is None or not is_post or not owner or not all(each.is_capitalized for each in owner):
        return ""
    name = text[owner[0].start : owner[-1].end]
    return "" if _is_person(text, owner) else _without_ending(name)


def _without_ending(owner: str) -> str:
    """Return an owner without the ending of a possessive; "" for a country or city."""
    name, known = re.sub(r"['’]s?$", "", owner), known_names()
    is_place = any(name in known[kind] for kind in ("cities", "countries", "nationalities"))
    return "" if is_place else name


def _is_of_post(token: Token) -> bool:
    """Return whether a word before the noun of a post belongs to the post, and to no name."""
    is_small = not token.is_capitalized and token.word != "campaign"
    return is_small or token.word in _OF_POSTS


_SEEKERS = frozenset("candidate contender critic donor hopeful nominee rival".split())


def _is_person(text: str, name: Sequence[Token]) -> bool:
    """Return whether a name begins with a given name or a title, or is one word that another capitalized
    word is directly before at one of its places.
    """
    if len(name) > 1 or name[0].classes & {"female", "male", "title"}:
        return bool(name[0].classes & {"female", "male", "title"})
    word = re.sub(r"['’]s$", "", text[slice(*name[0][:2])])
    before = r"[^\W\d_a-z]\w*[^\W\d_A-Z] (?<!The |But |And )"
    return re.search(rf"{before}{re.escape(word)}\b", text) is not None


def _is_noun_of_person(token: Token) -> bool:
    """Return whether a word is a title or a noun for persons, and no name such as "Clinton"."""
    return token.means_person and not (token.is_capitalized and "title" not in token.classes)


def _organisation_in(text: str, description: Sequence[Token]) -> str:
    """Return the organisation in a description: "a spokesman for the Harbour Office"."""
    noun = _noun_of(description)
    if noun is not None and (owner := _owning_body(text, description[: noun + 1])):
        return owner
    if noun is None or description[noun].word in ("mp", "mep", "msp", "minister"):
        return ""  # "the MP for Harrow"
    rest = description[noun + 1 :]
    is_post = description[noun].word in _LEADERS
    for i, token in enumerate(rest):
        # "a teacher of law at the University of Orr"
        is_possible = i == 0 or token.word in ("at", "for", "of", "with")
        found = is_possible and _ORGANISATION.match(text, token.start, rest[-1].end)
        if not found or "title" in next(tokens(text, *found.span("body"))).classes:
            continue
        is_owner = found.end() < rest[-1].end and _POSSESSIVE.match(text, found.end() - 2)
        noun_after = _noun_after(text, found, description)
        if noun_after and "institution" in noun_after.classes:
            return text[found.start("body") : noun_after.end]  # "Democratic caucus"
        if noun_after and re.fullmatch(_NOUNS, noun_after.word):
            return found["body"]  # "the Milo D. Arden consultancy"
        if noun_after and not is_owner:
            continue  # "director for Asian affairs at the Harbour Council"
        is_sure = i == 0 and (found["by"] in ("for", "with") or (found["by"] == "of" and is_post))
        named = [*tokens(text, *found.span("body"))] if i else rest
        if is_sure or found["by"] == "at" or found["noun"] or _names_organisation(text, named):
            return _without_ending(found["body"]) if is_owner else found["body"]
    return ""


def _body_after(text: str, name: Span, stop: int) -> re.Match[str] | None:
    """Return the organisation after a name: "Milo Arden of the Harbour Office", and between commas or
    after a verb one that no noun shows: "Milo Arden, at Harrow Lamps,", "said Milo Arden of Harrow.".
    """
    found = _AFTER_NAME_BODY.match(text, name.end, stop)
    if not found or found["by"] in ("in", "on") or _AREA.match(found["body"]):
        return None
    words = [*tokens(text, *found.span())][1:]
    if found["noun"] or " the " in found["body"] or _names_organisation(text, words):
        return found if found["by"] != "for" or found[0][0] == "," else None
    is_apart = found[0][0] == "," and _CLOSED.match(text, found.end()) is not None
    is_apart &= " " in found["body"] or found["by"] != "from"
    is_after_verb = text.endswith(("said ", "says "), 0, name.start)
    is_of_body = found["by"] == "of" and _CLOSED.match(text, found.end()) is not None
    is_of_body &= _acts(text, found["body"], found.start("body"))  # not "Milo Arden of Rome"
    is_said = is_after_verb and (found["by"] == "at" or is_of_body)
    return found if is_apart or is_said else None


_OWNED_AFTER = re.compile(r"(?<=['’]s|s['’]) [a-z]")


def _acts(text: str, name: str, at: int) -> bool:
    """Return whether a name is also printed elsewhere than at an offset, and nowhere as a place."""
    places = [hit for hit in re.finditer(rf"\b{re.escape(name)}\b", text) if hit.start() != at]
    before = (text[: hit.start()] for hit in places)
    return bool(places) and not any(_IN_PLACE.search(each[-_REACH_OF_PLACE:]) for each in before)


_IN_PLACE = re.compile(r"\b(?:[Aa]cross|[Ff]rom|[Ii]n|[Nn]ear|[Tt]o) (?:the )?$")
_REACH_OF_PLACE = 12


def _without_rest(description: Sequence[Token]) -> Sequence[Token]:
    """Return a description up to its noun: "the Harbour Office guide" of "..., who left"."""
    noun = _noun_of(description)
    return description[: noun + 1] if noun is not None else ()


def _noun_after(text: str, found: re.Match[str], description: Sequence[Token]) -> Token | None:
    """Return the small word directly after capitalized ones that is their noun, or None."""
    end = found.end("body")
    after = next(tokens(text, end, description[-1].end), None)
    is_next = after is not None and text[end : after.start] == " "
    is_noun = after is not None and after.is_noun and not after.is_capitalized
    return after if is_next and is_noun else None


def _names_organisation(text: str, words: Sequence[Token]) -> bool:
    printed = [text[each.start : each.end].removesuffix("'s").removesuffix("’s") for each in words]
    acronyms = [each.isupper() and len(each) > 1 for each in printed]
    # A possessive: "Lamp Center’s [Oil Program]"
    owners = [
        next(tokens(each.word.removesuffix("’s"), 0, 99)) for each in words if "’s" in each.word
    ]
    return any(acronyms) or any("institution" in each.classes for each in [*words, *owners])
