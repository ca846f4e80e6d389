"""Whether a name in a text means a person or an organisation, as far as the words around it show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from defectors_data.annotators.introductions import STATED_PARTY, introduction, names
from defectors_data.text.english import PARTIES, cue_words, is_plural, means_person, writings
from defectors_data.text.english.counted_words.number_context import is_verb_form
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import SourceWords, list_end, phrase_at, source_of
from defectors_data.text.offsets import Span, is_inside

COMPANIES = frozenset(
    "airline automaker bank bookmaker broadcaster carmaker carrier chain chipmaker co company corp"
    " corporation drugmaker firm giant inc insurer label lender ltd maker manufacturer network newspaper"
    " publisher reinsurer retailer startup studio supplier website".split()
)
"""Nouns of companies, which are also in words such as "the retailer Harrow"."""
ORGANISATIONS = frozenset(
    "alliance association campaign club coalition federation foundation group institution"
    " league movement organisation organization network party regulator union watchdog".split()
)
"""Nouns of other organisations that a text can mean by "the group"."""
COLLECTIVES = frozenset(
    "audience couple crew crowd delegation family jury panel staff team".split()
)
"""Nouns of several persons, who need no name."""
DOCUMENTS = frozenset("data document documents records report reports statistics".split())
"""Nouns of what an authority publishes, which is named by them: "federal data"."""
_OTHER_DOCUMENTS = frozenset(
    "account accounts ad ads advertisement agreement analyses analysis calculations complaint documentary"
    " estimates filing filings findings forecasts indictment page passage playbook predictions probe results"
    " ruling rulings story submission test tests transcript transcripts".split()
)
"""Nouns of further documents, which only a verb of speech shows to be sources."""
_PRONOUN = re.compile(
    r",? who\b(?! (?:are|have|were)\b)|[^.!?\n“\"A-Z]*(?: (?:he|she|his|her|him)\b|[.] (?:He|She|His|Her)\b)"
)
_PLACE = re.compile(r"\b(?:in|from) \Z", re.IGNORECASE)
BODIES = (
    COMPANIES
    | ORGANISATIONS
    | set(
        "agency bureau commission committee council court institute lobby nonprofit pac party".split()
    )
)
"""Nouns of bodies in descriptions such as ", a miners' committee"."""
_BODY_NOUN = rf"(?:PAC|{'|'.join(sorted(BODIES))})"
_DESCRIPTION = re.compile(
    rf", (?:an?|the) (?:(?:world|country|UK|US)['’]s [\w-]*(?:biggest|largest) .*|(?:[\w’'-]+ ){{0,5}}{_BODY_NOUN})"
    r"(?:[,.;]| (?:based|for|of|that|which)\b)"
)
"""An organisation after a name: ", the official news agency, "."""
_REACH = 80
"""Number of characters around a name that are read."""


def is_document(noun: str) -> bool:
    """Return whether a noun means something that is written or published."""
    return noun in writings() or noun in DOCUMENTS or noun in _OTHER_DOCUMENTS


class NameEvidence(NamedTuple):
    """What a text shows about a name of one word."""

    kind: Literal["person", "institution"]
    is_shown: bool
    """Whether words show the kind; without such words, an institution is more likely."""
    is_organisation: bool = False
    """Whether the words show an organisation and not only a place."""


def evidence_of_name(text: str, name: str) -> NameEvidence:
    """Return what the places of a name of one word show about it."""
    places = _places(text, name)
    is_known = name in PARTIES or spelt_out(text, name)
    if is_known or any(_has_acronym(text, each) for each in places):
        return NameEvidence("institution", is_shown=True, is_organisation=True)
    if any(_title_before(text, each) or _describes_person(text, each) for each in places):
        return NameEvidence("person", is_shown=True)
    is_organisation = any(_is_organisation(text, place) for place in places)
    is_place = any(_PLACE.search(text, max(0, each.start - 6), each.start) for each in places)
    is_person = any(_PRONOUN.match(text, each.end) or _is_quoted(text, each) for each in places)
    if is_person and not (is_organisation or is_place or name.isupper()):
        return NameEvidence("person", is_shown=True)
    return NameEvidence("institution", is_organisation or is_place, is_organisation)


def _places(text: str, name: str) -> list[Span]:
    return [Span(*hit.span()) for hit in re.finditer(rf"(?<![\w-]){re.escape(name)}\b", text)]


_IN_PLACE = re.compile(r"\b[Ii]n \Z")


def is_full_name_of_institution(text: str, name: Span) -> bool:
    """Return whether a name of several words is that of an organisation or a place: by a noun in it,
    or by words at its places, if it does not begin with a given name or end with a printed surname.
    """
    words = text[slice(*name)]
    if institution_in(text, name) or " & " in words or _has_acronym(text, name):
        return True
    first, last = words.split()[0], words.split()[-1]
    has_given = is_given(first)
    if not has_given and text.endswith(("the ", "The "), 0, name.start):
        return True  # "the Lamp Industry"
    if has_given or any(not _is_after_name(text, each) for each in _places(text, last)):
        return False
    hits = [*re.finditer(rf"\b{re.escape(words)}\b(?!['’]s)", text)]
    is_in = any(_IN_PLACE.search(text, max(0, hit.start() - 4), hit.start()) for hit in hits)
    evidence = evidence_of_name(text, words)
    return evidence.is_organisation or (is_in and evidence.kind == "institution")


def is_given(word: str) -> bool:
    """Return whether a word is a given name."""
    return bool(next(tokens(word, 0, len(word))).classes & {"male", "female"})


def _is_after_name(text: str, place: Span) -> bool:
    """Return whether a capitalized word that is no title is directly before one, as in "Lamp Re"."""
    line = text.rfind("\n", 0, place.start) + 1
    before = [*tokens(text, max(line, place.start - _REACH), place.start)][-1:]
    is_next = bool(before) and text[before[0].end : place.start] == " "
    return is_next and before[0].is_capitalized and "title" not in before[0].classes


def _is_quoted(text: str, place: Span) -> bool:
    """Return whether a name is next to "said" and a quotation, as in `“No,” Orr said.`: in public news
    (PolNeAR, train part), each unknown name of one word there is a surname.
    """
    before = text[max(0, place.start - _SHORT_REACH) : place.start]
    is_before = _QUOTED.search(before) and text.startswith(" said", place.end)
    is_after = _QUOTED_SAID.search(before) and text[place.end : place.end + 1] in (".", ",")
    return bool(is_before or is_after)


_SHORT_REACH = 10
_QUOTED = re.compile(r"[,?!][”\"’'] +\Z")
_QUOTED_SAID = re.compile(r"[,?!][”\"’'] +said +\Z")


def _noun_of(described: Iterable[Token]) -> str:
    """Return the last word of a description before a preposition; "" if there is none."""
    noun = ""
    for token in described:
        if "preposition" in token.classes:
            break
        noun = token.word
    return noun


def _title_before(text: str, place: Span) -> Token | None:
    """Return the title or the noun of a person directly before a name: "President", "miller"."""
    before = [*tokens(text, max(0, text.rfind("\n", 0, place.start)), place.start)]
    if not before or text[before[-1].end : place.start] != " ":
        return None
    last = before[-1]
    is_one_word = " " not in text[slice(*place)]
    if last.word in _NO_PERSONS or (is_one_word and last.word in _PERSONS_OR_COMPANIES):
        return None
    is_first = not before[:-1] or not before[-2].is_word
    is_noun = last.is_noun and means_person(last.word) and not is_plural(last.word)
    is_noun &= is_first or not last.is_capitalized  # "Hanover Re"
    is_noun &= last.word.rpartition("-")[2] not in BODIES  # "super-regulator Harrow"
    is_person = is_noun and last.word not in cue_words()
    return last if "title" in last.classes or is_person else None


_NO_PERSONS = frozenset("former however other rival under".split())
"""Words like titles and nouns of persons, also before organisations: "former Harrow staff"."""


_PERSONS_OR_COMPANIES = frozenset(
    "analyst broker developer operator producer provider shareholder".split()
)
"""Nouns of persons, whose names have several words, and of companies: "the analyst Harrow"."""


def _describes_person(text: str, place: Span) -> bool:
    """Return whether an age or the description of a person follows a name."""
    [*described] = tokens(text, place.end, introduction(text, place).span.end)
    is_name = len(described) > 1 and described[1].is_capitalized
    is_name = is_name and not STATED_PARTY.match(text, described[1].start)
    is_list = is_name and "title" not in described[1].classes
    return (
        bool(described)
        and not is_list
        and _noun_of(described) not in BODIES | _PERSONS_OR_COMPANIES
    )


def _is_organisation(text: str, place: Span) -> bool:
    """Return whether the words around a name show an organisation: "at Harrow", "a Harrow clerk"."""
    before = [*tokens(text, max(0, place.start - _REACH), place.start)][-1:]
    after = [*tokens(text, place.end, place.end + _REACH)][:1]
    is_owner = text.startswith(("'s", "’s"), place.end)
    is_at = before and before[-1].word == "at" and not is_owner
    noun = before[-1].word.rpartition("-")[2] if before else ""
    is_called = noun in COMPANIES | ORGANISATIONS
    # "the analyst Orr ... She"
    is_called |= noun in _PERSONS_OR_COMPANIES and not _PRONOUN.match(text, place.end)
    is_called = is_called or text.startswith(", which ", place.end)
    is_staff = after and text[place.end] == " " and means_person(after[0].word)
    is_verb = after and after[0].word in cue_words()  # "Harrow accused"
    is_staff = is_staff and not is_verb
    described = _DESCRIPTION.match(text, place.end)
    # "according to consultants Harrow, half are"
    is_list = (
        text.startswith((" and ", ", "), place.end)
        and text[place.end + 2 : place.end + 3].isupper()
    )
    if (
        before
        and not before[-1].is_capitalized
        and not is_list
        and before[-1].word not in cue_words()
    ):
        is_called = is_called or (is_plural(before[-1].word) and means_person(before[-1].word))
    return bool(is_at or is_called or described or (is_staff and not after[0].is_capitalized))


# ---- words that introduce a speaker --------------------------------------------------------------


_SOME_OF_MANY = re.compile(r"(?i)(?:many|most|some|several|few|a few|both|other) ")


_ABBREVIATION = re.compile(r" \([A-Z][\w.-]*\)$")


def kind_and_name(text: str, span: Span) -> tuple[str, str]:
    """Return the kind of the speaker whom some words introduce, and the name in them, or ""."""
    words = text[slice(*span)]
    if words.endswith(("’s", "'s")):
        return kind_and_name(text, Span(span.start, span.end - len("’s")))
    if owned := _OWNED_NAME.match(words):
        kind, owned_name = kind_and_name(text, Span(span.start + owned.end(), span.end))
        if kind == "person":
            return kind, owned_name  # "BBC's Ada Orr"
    if body := _ACRONYM_OF_BODY.fullmatch(words):
        return "institution", body["name"]
    if abbreviation := _ABBREVIATION.search(words):
        return kind_and_name(text, Span(span.start, span.start + abbreviation.start()))
    if _SOME_OF_MANY.match(words) and is_plural(words.split()[-1].casefold()):
        return "group", ""  # "Many African-Americans"
    if _SHARE.match(text, *span):
        return "group", ""
    line = [*tokens(text, *span)]
    phrase = phrase_at(line, 0, len(line))
    source = source_of(text, line, phrase) if phrase else None
    if name := institution_in(text, span):
        return "institution", name
    if words.endswith(" of whom") or is_list(text, span):
        return "group", ""
    last_word = words.rsplit(maxsplit=1)[-1]
    last = last_word.casefold()
    if is_document(last) and (last_word in (last, words)):  # not "Ada Orr of Harrow Data"
        return "institution", without_article(text, span)
    noun = text[slice(*source.head)].rsplit(maxsplit=1)[-1] if source else ""
    is_small = bool(noun) and not noun[0].isupper()
    if source and is_unnamed_group(text, source):
        return "group", ""
    if source and is_small and source.kind == "institution":
        # "the central bank", but "the company" is named elsewhere
        described = re.fullmatch(r"[Tt]he (.+ .+)", words)
        return "institution", described[1] if described else ""
    is_group = source is not None and source.kind == "group"
    is_of_persons = is_small or means_person(noun.casefold())  # "House Republicans"
    head = source.head if source else span
    is_counted = source is None and is_plural(last) and words[-1].islower()
    if (is_group and is_of_persons) or is_plural_noun(text, head) or is_counted:
        return "group", ""
    found = [each for each in names(text, span) if not institution_in(text, each)]
    # "Orr's lawyer" is not Orr.
    found = [each for each in found if text[each.end : span.end][:2] not in ("’s", "'s")]
    if source and is_small and means_person(noun):
        # "the Lamp House miller" is not Lamp House.
        found = [each for each in found if not is_inside(each, [source.head])]
    # "the keeper of Grey River" is neither.
    found = [each for each in found if not follows_preposition(line, each)]
    full = [each for each in found if " " in text[slice(*each)]]
    for one, other in pairwise(found):
        introduced = introduction(text, other).span.start
        if other in full and _JOINED.fullmatch(text, one.end, introduced):
            return "group", ""
    if full:
        is_organisation = is_full_name_of_institution(text, full[0])
        return "institution" if is_organisation else "person", text[slice(*full[0])]
    name = text[slice(*found[-1])] if found else ""
    if name and words.endswith(name):  # "Market leader [Harrow]"
        return evidence_of_name(text, name).kind, name
    is_one = means_person(noun.casefold()) or noun.casefold().endswith(_OF_ONE)
    return "person" if is_one and " and " not in words else "group", ""


_OWNED_NAME = re.compile(r"(?:[Tt]he )?[A-Z]\w*['’]s (?=[A-Z][\w’-]+ [A-Z][\w’-]+$)")
_ACRONYM_OF_BODY = re.compile(
    rf"(?:[Tt]he )?(?P<name>[A-Z]{{3,}}) (?:\w+ ){{0,2}}(?:body|{'|'.join(BODIES)})"
)
"""An acronym and what it is: "the HLF industry body"."""


def is_list(text: str, span: Span) -> bool:
    """Return whether words are a list of several speakers: "Tories, some Greens and the millers"."""
    line = [*tokens(text, *span)]
    return 0 < list_end(line, 0, len(line)) == len(line)


def is_unnamed_group(text: str, source: SourceWords) -> bool:
    """Return whether words describe several persons, or a new body of such, without a name: "the crew",
    "a union", "a committee of millers".
    """
    head, whole = text[slice(*source.head)], text[slice(*source.span)]
    noun = head.rsplit(maxsplit=1)[-1]
    if noun in COLLECTIVES:
        return not re.search(r"\s[A-Z]", head)  # "the Harrow crew"
    is_new = re.match(r"[Aa]n? [^A-Z]+$", head) is not None
    is_of_several = " of " in whole and is_plural(whole.rsplit(maxsplit=1)[-1].casefold())
    return is_new and (noun in ORGANISATIONS or (is_of_several and noun in BODIES - COMPANIES))


_JOINED = re.compile(r"(?:,[^,]+,)? (?:and|n?or) ")
"""Words between the name of a person and the introduction of another one: ", a miller, and "."""
_OF_ONE = tuple("-old body boss chair head lady mogul one other queen star voice".split())
"""The ends of words for one person: "nobody", "another", "the 31-year-old", "the committee chair"."""


def follows_preposition(line: Sequence[Token], name: Span) -> bool:
    """Return whether a name among some words is in what a preposition adds: "an aide of Orr"."""
    before = [token for token in line if token.end <= name.start]
    if before and before[-1].word in ("the", "a", "an"):
        before.pop()
    return bool(before) and "preposition" in before[-1].classes


def is_plural_noun(text: str, span: Span) -> bool:
    """Return whether words end with a plural of a party or people, as in "Ohio Republicans", or a
    word is a plural of persons, or one that has a capital letter only at the start of sentences, so
    that it is no known name: "Progressives".
    """
    words = text[slice(*span)]
    noun = words.casefold()
    if " " in words:
        return _PEOPLE.fullmatch(words) is not None and not is_given(words.split()[0])
    if not (words.isalpha() and is_plural(noun)):
        return False
    inside = rf"\w,? {re.escape(words)}\b"
    is_printed = words.isupper() or bool(re.search(inside, text))
    is_name = is_printed or evidence_of_name(text, words).kind == "person"
    return means_person(noun) or not is_name


_PEOPLE = re.compile(r"(?:[A-Z][\w-]* ){1,2}(?:Democrats|Latinos|ME?S?Ps|[A-Z]\w+[^\Weo]ans)")


_SHARE = re.compile(
    r"(?:the |a |nearly |some |one )?(?:small |large |bare |slim |vast |overwhelming |other |remaining )*"
    r"(?:[\d.]+%|[\w.-]+(?: \w+)? per ?cent|percentage|half|(?:two-|three-)?(?:thirds?|quarters?|fifths?)(?= of\b| ?$)"
    r"|(?:majority|majorities|minority|plurality)(?= of\b))"
    r"|(?:[\w-]+ )?\w+ (?:in|out of) (?:\d+|two|three|four|five|six|eight|ten)\b",
    re.IGNORECASE,
)
"""A share of persons: "22 percent", "nearly half", "one in five"."""
_LONGEST_SHARE = 80


def share_of_group(text: str, source: SourceWords, cue: Span) -> Span | None:
    """Return the words for a share of persons who are a source, up to the verb, as in "22 percent
    of miners"; None for other sources.
    """
    if source.head.end > cue.start or cue.start - source.head.start > _LONGEST_SHARE:
        return None
    share = _SHARE.match(text, source.head.start, cue.start)
    words = text[source.head.start : cue.start].rstrip().removesuffix(" who").partition(", ")[0]
    is_whole = share is not None and text.startswith((" the ", " those "), share.end())
    if (
        share is None
        or (share.end() < source.head.end and not is_whole)
        or re.search(r"[;:“\"\n]", words)
    ):
        return None
    return Span(source.head.start, source.head.start + len(words))


CAPITALIZED = r"[^\W\d_a-z][\w’'-]*"


def institution_in(text: str, span: Span) -> str:
    """Return the name of an institution if words are one, such as "the Mill Times"; "" otherwise."""
    line = [*tokens(text, *span)]
    phrase = phrase_at(line, 0, len(line))
    source = source_of(text, line, phrase) if phrase else None
    if not phrase or not source or line[phrase.head_end - 1].end != span.end:
        return ""
    words = without_article(text, source.head)
    is_in_capitals = is_acronym(words.split()[-1]) and not (" " in words and words.isupper())
    is_institution = source.kind == "institution" or is_in_capitals
    return words if is_institution and words[:1].isupper() else ""


_ARTICLE = re.compile(r"^(?:the|an?|its|their|his|her)[ \u00a0]", re.IGNORECASE)
WITH_ARTICLE = frozenset(
    "Atlantic Economist Guardian Hill Independent Intercept Nation Observer Spectator Sun Telegraph"
    " Verge Week".split()
)
"""Names of outlets that are common nouns without their article."""


def without_article(text: str, words: Span) -> str:
    """Return words without the article or possessive before them. "The" stays in a name of one
    other word if the text prints it with a capital inside a sentence: “…,” The Hill reported.
    """
    printed = text[slice(*words)]
    rest = _ARTICLE.sub("", printed)
    is_name = printed.startswith("The ") and rest.isalpha() and rest.istitle()
    inside = rf"(?:\w|,|,[”\"’]) The {re.escape(rest)}\b"
    if is_name and (rest in WITH_ARTICLE or re.search(inside, text)):
        return printed
    return rest


_SHORTEST_ACRONYM = 3
_ROMAN = re.compile(r"[IVX]+")


def is_acronym(word: str) -> bool:
    """Return whether a word in capitals is probably the name of an organisation: "BBC", "BBC-TV"."""
    is_other = _ROMAN.fullmatch(word) is not None or word in (
        "CEO",
        "MEP",
        "MSP",
    )  # "Milo Arden III"
    return word.isupper() and not is_other and (len(word) >= _SHORTEST_ACRONYM or word == "TV")


def spelt_out(text: str, acronym: str) -> Span | None:
    """Return the name before an acronym in parentheses, which has its initials: "Mill Lamps (ML)"; None
    if there is none.
    """
    at = text.find(f" ({acronym})")
    while at >= 0:
        words = [*re.finditer(r"[^\s.;:()]+", text[max(0, at - _LONGEST_SPELT) : at])]
        for word in reversed(words):
            start = max(0, at - _LONGEST_SPELT) + word.start()
            if _has_initials(text[start:at], acronym):
                return Span(start, at)
        at = text.find(f" ({acronym})", at + 1)
    return None


_LONGEST_SPELT = 100
"""Maximum length of a name before its acronym, in code points."""


def _has_initials(words: str, acronym: str) -> bool:
    """Return whether an acronym has the initials of all words, or of those with a capital letter."""
    initials = [word[0] for word in words.split()]
    capitals = "".join([each for each in initials if each.isupper()])
    return initials[0].isupper() and acronym in (capitals, "".join(initials).upper())


_ACRONYM = re.compile(r" \(([A-Z]{2,6})\)")


def _has_acronym(text: str, name: Span) -> bool:
    """Return whether an acronym in parentheses follows a name: "Harrow Mill Lamps (HML)"."""
    found = _ACRONYM.match(text, name.end)
    return found is not None and _has_initials(text[slice(*name)], found[1])


def names_others(text: str, name: Span, span: Span) -> bool:
    """Return whether words introduce others than the person whose name begins them: "Orr's aides",
    "Orr supporters", but "Orr, a miller", "Orr died aged 73".
    """
    if text.startswith(("’", "'"), name.end):
        return name.end + 2 < span.end
    following = next(tokens(text, name.end, span.end), None)
    is_next = following is not None and text[name.end : following.start] == " "
    if following is None or following.word.endswith("ed") or is_verb_form(following):
        return False
    return is_next and following.is_noun
