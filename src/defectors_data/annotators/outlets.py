"""The news outlet of an article, and those that it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from defectors_data.annotators.kinds_of_names import CAPITALIZED, WITH_ARTICLE, without_article
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span, extent, overlaps

_OF_OUTLETS = (
    "Beast|Caller|Chronicle|Courier|Daily|Echo|Examiner|Express|Gazette|Globe|Herald|Inquirer|Journal"
    "|Magazine|Mail|Mirror|News|Observer|Post|Press|Register|Sentinel|Standard|Telegraph|Times|Tribune|Weekly|Wire"
)
"""Last words of names of outlets."""
_OUTLETS = (
    "ABC|AFP|AP|BBC|Bloomberg|Breitbart|BuzzFeed|C-SPAN|CBN|CBS|CNBC|CNN|Channel (?:4|Five|Four)|Cosmopolitan"
    "|Forbes|Fox|GMTV|HuffPost|ITN|ITV|MSNBC|NBC|NPR|Newsmax|Newsweek|PBS|POLITICO|Politico|Radio (?:[1-5]|Five Live)"
    "|Reuters|Salon|Slate|(?<=[Tt]old )Today|Today(?= programme)"
    "|TMZ|TheBlaze|USA T(?:oday|ODAY)|Univision|Vogue|Vox|Yahoo(?= News)"
)
_COMMON = rf"(?:{'|'.join(sorted(WITH_ARTICLE))})"
NAMES_OF_OUTLETS = (
    rf"\b(?:(?:{_OUTLETS})(?: (?:\d|Business|Five|Four|Live|London|Music|Network|News|One|Online|Politics"
    "|Radio|Scotland|This Morning|Three|Two|Wales|World Service))*"
    rf"|(?:The |(?<=[Tt]old the )){_COMMON}|{_COMMON}(?= newspaper)"
    rf"|(?:(?:[Tt]he )?(?:{CAPITALIZED} ){{1,3}}|[Tt]he )(?:{_OF_OUTLETS})(?:-[A-Z][a-z]+)?)\b"
)
"""A pattern for what is printed as the name of an outlet, such as "The Harrow Post"."""
_OUTLET = re.compile(NAMES_OF_OUTLETS)


def is_outlet(name: str) -> bool:
    """Return whether a name is that of an outlet, as its form shows."""
    return _OUTLET.fullmatch(name.replace("-", " ")) is not None


_CITING = re.compile(
    r"\b(?:(?:t(?:ell(?:ing|s)?|old)|per|via)"
    r"|(?:obtained|published|reported|revealed|t(?:old)) by"
    r"|(?:appear(?:ed|ing)|interview(?:ed)?|said|speaking|spoke) (?:\w+ ){0,2}?on"
    r"|(?:article|column|editorial|report|review|story) in"
    r"|(?:according|interview|remarks|said|speaking|spoke|statement|talking) to)"
    r"\s+(?:an? |the )?\Z",
    re.IGNORECASE,
)
"""Words before an outlet to which words were said, or which reported them."""
_OWN = re.compile(
    r"\b(?:t(?:old|ell(?:ing|s)?)|with|to) (USA TODAY|POLITICO|The Huffington Post)\b(?![/-])"
)
"""Names that only these outlets themselves print so."""
_ACRONYMS = {"AP": "Associated Press", "Associated Press": "AP"}


def own_outlet(text: str) -> str:
    """Return the outlet whose name the article prints as only that outlet does; "" if none."""
    found = _OWN.search(text)
    return found[1] if found else ""


_WORDS = r"(?:[\w’'-]+ )"
_PUBLISHED = r"(?:column|essay|interview|op-ed|opinion (?:article|piece))"
"""Nouns of what an outlet publishes, or broadcasts, with the words of others."""
_SAID_TO = re.compile(
    rf"\b(?:(?:[Ii]n|[Dd]uring) (?:an?|another|his|her|their|the) {_WORDS}{{0,3}}?"
    rf"(?:appearance|call|conversation|e-?mail|message|statement|{_PUBLISHED})"
    rf" (?:[\w,-]+ ){{0,4}}?(?:by|for|in|on|to|with)"
    rf"|(?:comments|remarks) {_WORDS}{{0,2}}?(?:on|to)"
    rf"|(?:[Aa]ppearing|[Ss]peaking|[Tt]alking) {_WORDS}{{0,2}}?(?:on|to|with))"
    r"\s+(?:the |\w+day['’]s )?\Z"
)
"""Words before an outlet to which a person spoke, or for which a person wrote."""
_IN_ITS = re.compile(r"\b[Ii]n (?:an?|another|his|her|the) (?:[\w-]+ )?\Z")
"""Words before an outlet and "interview": "In a separate [BBC interview]"."""
_DIRECTLY = re.compile(r"(?P<rest>(?: [\w’]+){0,3}?),? (?P<by>in|on|to) (?:the )?")
"""Words between a verb and an outlet: "said Sunday on CNN", "wrote in the Harrow Post"."""
_TOLD = re.compile(
    r"(?: (?:an?|anchor|columnist|host|reporters?|[A-Z][\w.’'-]*)){1,4} (?:at|for|from|of|on) (?:the )?"
    r"| (?:[A-Z][\w-]+[’']s? )?(?:the )?"
)
"""Words between the verb and an outlet that follows: " Ada Orr of the ", " Rome's "."""
_SHORT = re.compile(rf"(?:The )?(?:{_OF_OUTLETS})")


def outlet_addressed(text: str, found: FoundAttribution, others: Sequence[FoundAttribution]) -> str:
    """Return the outlet to which the words of an attribution were said, as far as its sentence shows
    it, unless it is that of the article; "" if it shows none.

    `others` are the attributions of the text: in one sentence, those of the same words, and those
    before it with the same source, are of one speech. A short name such as "the Post" is that of the
    article, unless the longer one is printed.
    """
    near = [each for each in others if each.sentence == found.sentence]
    speech = [each for each in near if _is_of_same_speech(each, found)]
    named = _named(text)
    addressed = dict[int, str]()
    for place, name in named:
        if place.end <= found.sentence.start or found.sentence.end < place.end:
            continue
        whole, by = _longest(text, place, name), _addressing(text, place, near)
        is_source = any(each.source and overlaps(place, [each.source.span]) for each in speech)
        if by in speech and not (is_source or _is_own(text, whole) or _SHORT.fullmatch(whole)):
            addressed.setdefault(by.cue.start, whole)
    last = max(addressed, default=0)
    return addressed.get(found.cue.start, addressed.get(last, ""))


def _is_of_same_speech(one: FoundAttribution, other: FoundAttribution) -> bool:
    is_of_one = one.source and other.source and one.source.head == other.source.head
    is_before = bool(is_of_one) and one.cue.start <= other.cue.start
    return is_before or any(overlaps(each, one.content) for each in other.content)


def _addressing(
    text: str, place: Span, near: Sequence[FoundAttribution]
) -> FoundAttribution | None:
    """Return the attribution in a sentence whose words were said to the outlet at a place: the one
    whose verb is directly before it, or before the words for an interview, or else the first after
    these. None if there is none, or if they are part of what is said.
    """
    start = near[0].sentence.start
    earlier = [each for each in near if each.cue.end <= place.start]
    inside = any(overlaps(place, each.content) for each in near)
    for each in earlier:
        between = text[each.cue.end : place.start]
        is_told = bool(each.verb in _TELLING and _TOLD.fullmatch(between))
        directly = _DIRECTLY.fullmatch(between)
        if directly and not (directly["rest"] and inside):
            is_told |= (each.verb in _WRITING) == (directly["by"] == "in")
        if is_told:
            return each
    before = _SAID_TO.search(text, start, place.start)
    if text.startswith(" interview", place.end):
        before = before or _IN_ITS.search(text, start, place.start)
    return None if inside or not before else [*earlier[-1:], *near][0]


_TELLING = frozenset(("told", "tells", "telling"))
_WRITING = frozenset(("wrote", "writes", "writing"))
_GOING_ON = frozenset("acknowledged added adds continued explained noted replied said says".split())


def goes_on(text: str, found: FoundAttribution) -> bool:
    """Return whether a sentence has no words besides a verb of speech with its source, and what is
    said, that could mean another occasion than that of the sentence before: "he said", "she added".
    """
    words = re.sub(r"\b(?:also|and|but|then)\b", "", _besides(text, found))
    is_plain = text[slice(*found.cue)].casefold() in _GOING_ON
    return is_plain and not re.search(r"\w", words)


def _besides(text: str, found: FoundAttribution) -> str:
    """Return the words of a sentence without the verb, its source and what is said."""
    apart = [found.cue, *found.content]
    if found.source:
        apart.append(found.source.span)
    kept = [i for i in range(*found.sentence) if not overlaps(Span(i, i + 1), apart)]
    return "".join(text[i] for i in kept)


_NAMED_SO = re.compile(r"\b([A-Z][a-z]+) (Forbes|Fox|Vox)\b")


def _is_given_name(word: str) -> bool:
    return any(each.classes & {"female", "male"} for each in tokens(word, 0, len(word)))


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _named(text: str) -> tuple[tuple[Span, str], ...]:
    """Return the outlets in a text in order: their places with a description, and their names."""
    persons = re.findall(r"\b(?:Dr|Justice|Mr|Mrs|Ms) ([A-Z]\w+)", text)
    persons += [hit[2] for hit in _NAMED_SO.finditer(text) if _is_given_name(hit[1])]
    hits = [hit for hit in _OUTLET.finditer(text) if hit[0] not in persons]  # "Mr Forbes"
    places = [_without_function_words(text, Span(*hit.span())) for hit in hits]
    return tuple((place, without_article(text, place)) for place in places)


def cited_outlets(text: str, found: Sequence[FoundAttribution]) -> list[str]:
    """Return the outlets that say something, or to which something is said, each by its longest
    name; the agency in a dateline is that of the article itself.
    """
    named = _named(text)
    addressed = {outlet_addressed(text, each, found) for each in found}
    cited: list[str] = []
    for place, name in named:
        near = [each for each in found if overlaps(place, [each.sentence])]
        is_source = any(each.source and each.source.head.end == place.end for each in near)
        is_asked = (
            near
            and _CITING.search(text, 0, place.start)
            and text[place.end : place.end + 1] not in ("/", "-")
        )
        whole = _longest(text, place, name)
        is_cited = is_source or is_asked or whole in addressed
        if is_cited and not _is_own(text, whole) and whole not in cited:
            cited.append(whole)
    return cited


def _longest(text: str, place: Span, name: str) -> str:
    """Return the longest form of a name, such as "Mill Times" for "Times", or, if it is printed in the
    same paragraph, "BBC Radio 4" for "BBC".
    """
    is_short = _SHORT.fullmatch(name) is not None
    words = name.removeprefix("The ") if is_short else name
    for other, each in _named(text):
        is_longer = f" {words} " in f" {each} " and each not in (words, name)
        if is_longer and (is_short or "\n" not in text[slice(*extent(sorted([place, other])))]):
            return each
    return name


def _is_own(text: str, name: str) -> bool:
    """Return whether an outlet is that of the article, as its dateline or spelling shows."""
    own = {name, _ACRONYMS.get(name)}
    printed = own_outlet(text).removeprefix("The ")
    return any(f"({each}) " in text for each in own) or printed == name.removeprefix("The ")


def _without_function_words(text: str, name: Span) -> Span:
    """Return a name without words such as "As" or "Sunday's" before it; its article stays."""
    for token in tokens(text, *name):
        is_before = token.classes & _BEFORE_NAMES or token.word.endswith(("day’s", "day's"))
        if token.word == "the" or not is_before:
            return Span(token.start, name.end)
    return name


_BEFORE_NAMES = frozenset("preposition subordinator conjunction adverb pronoun".split())
