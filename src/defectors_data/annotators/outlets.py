"""The news outlet of an article, and those that it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from defectors_data.annotators.kinds_of_names import CAPITALIZED, WITH_ARTICLE, without_article
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span, overlaps

_OF_OUTLETS = (
    "Beast|Caller|Chronicle|Courier|Daily|Examiner|Gazette|Globe|Herald|Inquirer|Journal|Magazine"
    "|News|Observer|Post|Press|Register|Sentinel|Standard|Telegraph|Times|Tribune|Weekly|Wire"
)
"""Last words of names of outlets."""
_OUTLETS = (
    "ABC|AFP|AP|BBC|Bloomberg|Breitbart|BuzzFeed|C-SPAN|CBN|CBS|CNBC|CNN|Cosmopolitan|Forbes"
    "|Fox|HuffPost|ITV|MSNBC|NBC|NPR|Newsmax|Newsweek|PBS|POLITICO|Politico|Reuters|Salon|Slate"
    "|TMZ|TheBlaze|USA T(?:oday|ODAY)|Univision|Vogue|Vox|Yahoo"
)
NAMES_OF_OUTLETS = (
    rf"\b(?:(?:{_OUTLETS})(?: (?:Business|Four|London|Network|News|Politics|Radio|This Morning))*"
    rf"|The (?:{'|'.join(sorted(WITH_ARTICLE))})"
    rf"|(?:(?:The )?(?:{CAPITALIZED} ){{1,3}}|[Tt]he )(?:{_OF_OUTLETS})(?:-[A-Z][a-z]+)?)\b"
)
"""A pattern for what is printed as the name of an outlet, such as "The Harrow Post"."""
_OUTLET = re.compile(NAMES_OF_OUTLETS)


_CITING = re.compile(
    r"\b(?:(?:t(?:ell(?:ing|s)?|old)|in|on|per|via|with)"
    r"|(?:obtained|published|reported|revealed|t(?:old)) by"
    r"|(?:according|interview|remarks|said|speaking|spoke|statement|talking) to)"
    r"\s+(?:an? |the )?\Z",
    re.IGNORECASE,
)
"""Words before an outlet to which words were said, or which reported them."""
_DESCRIBED = re.compile(
    r"(?:(?<=\b[Tt]he )|(?<=\ba )|(?<=\bt[o]ld ))(?:[\w-]+ ){0,2}?"
    r"(?:broadcaster|channel|daily|magazine|news agency|newspaper|tabloid|website|weekly)"
    r" (?=(?P<name>[^\W\d_a-z][^\s,.;:!?/\"”]*(?:\.[a-z]+)?))"
)
"""A description before the first word of the name of an outlet: "the Paris daily Example"."""
_OWN = re.compile(
    r"\b(?:t(?:old|ell(?:ing|s)?)|with|to) (USA TODAY|POLITICO|The Huffington Post)\b(?![/-])"
)
"""Names that only these outlets themselves print so."""
_ACRONYMS = {"AP": "Associated Press", "Associated Press": "AP"}


def own_outlet(text: str) -> str:
    """Return the outlet whose name the article prints as only that outlet does; "" if none."""
    found = _OWN.search(text)
    return found[1] if found else ""


def outlet_addressed(text: str, found: FoundAttribution) -> str:
    """Return the outlet to which a person spoke, unless it is that of the article."""
    if found.verb not in ("told", "tells", "telling"):
        return ""
    named = _named(text)
    for place, name in named:
        is_told = text[found.cue.end : place.start].strip() in ("", "the")
        if found.cue.end <= place.start and is_told:
            whole = _longest(named, name)
            if not _is_own(text, whole):
                return whole
    return ""


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _named(text: str) -> tuple[tuple[Span, str], ...]:
    """Return the outlets in a text in order: their places with a description, and their names."""
    places = [_without_function_words(text, Span(*hit.span())) for hit in _OUTLET.finditer(text)]
    named = [(place, without_article(text, place)) for place in places]
    for hit in _DESCRIBED.finditer(text):
        first = next(tokens(text, *hit.span("name")))
        if not overlaps(first, places) and "date" not in first.classes:
            named.append((Span(hit.start(), hit.end("name")), hit["name"]))
    return tuple(sorted(named))


def cited_outlets(text: str, found: Sequence[FoundAttribution]) -> list[str]:
    """Return the outlets that say something, or to which something is said, each by its longest
    name; the agency in a dateline is that of the article itself.
    """
    named = _named(text)
    cited: list[str] = []
    for place, name in named:
        near = [each for each in found if overlaps(place, [each.sentence])]
        is_source = any(each.source and each.source.head.end == place.end for each in near)
        is_asked = (
            near
            and _CITING.search(text, 0, place.start)
            and text[place.end : place.end + 1] not in ("/", "-")
        )
        whole = _longest(named, name)
        if (is_source or is_asked) and not _is_own(text, whole) and whole not in cited:
            cited.append(whole)
    return cited


def only_websites(text: str, outlets: Sequence[str]) -> list[str]:
    """Return the outlets of which a text only shows that each is a website, such as that of a shop."""
    found = list[str]()
    for name in outlets:
        is_website = re.search(rf"\bwebsite {re.escape(name)}", text)
        if is_website and not _OUTLET.search(name):
            found.append(name)
    return found


def _longest(named: Sequence[tuple[Span, str]], name: str) -> str:
    """Return the longest form of a name, such as "Mill Times" for "Times"."""
    longer = [each for _, each in named if f" {name} " in f" {each} " and each != name]
    return next(iter(longer), name)


def _is_own(text: str, name: str) -> bool:
    """Return whether an outlet is that of the article, as its dateline or spelling shows."""
    own = {name, _ACRONYMS.get(name)}
    printed = own_outlet(text).removeprefix("The ")
    return any(f"({each}) " in text for each in own) or printed == name.removeprefix("The ")


def _without_function_words(text: str, name: Span) -> Span:
    """Return a name without words such as "As" before it; its article stays."""
    for token in tokens(text, *name):
        if token.word == "the" or not token.classes & _BEFORE_NAMES:
            return Span(token.start, name.end)
    return name


_BEFORE_NAMES = frozenset("preposition subordinator conjunction adverb pronoun".split())
