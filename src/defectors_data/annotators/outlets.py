"""The news outlets that an article cites."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_OUTLET = re.compile(
    rf"\b(?:(?:{_OUTLETS})(?: (?:Business|Four|London|Network|News|Politics|Radio|This Morning))*"
    rf"|The (?:{'|'.join(sorted(WITH_ARTICLE))})"
    rf"|(?:The )?(?:{CAPITALIZED} ){{1,3}}(?:{_OF_OUTLETS})|(?:[Tt]he )(?:{_OF_OUTLETS}))\b"
)


_CITING = re.compile(
    r"\b(?:(?:t(?:ell(?:ing|s)?|old)|in|on|per|via|with)"
    r"|(?:obtained|published|reported|revealed|t(?:old)) by"
    r"|(?:according|interview|remarks|said|speaking|spoke|statement|talking) to)\s+(?:an? |the )?\Z",
    re.IGNORECASE,
)
"""Words before an outlet to which words were said, or which reported them."""
_ACRONYMS = {"AP": "Associated Press", "Associated Press": "AP"}


def cited_outlets(text: str, found: Sequence[FoundAttribution]) -> list[str]:
    """Return the outlets that say something, or to which something is said, each by its longest
    name; the agency in a dateline is that of the article itself.
    """
    places = [_without_function_words(text, Span(*hit.span())) for hit in _OUTLET.finditer(text)]
    names = [without_article(text, place) for place in places]
    cited: list[str] = []
    for place, name in zip(places, names, strict=True):
        near = [each for each in found if overlaps(place, [each.sentence])]
        is_source = any(each.source and each.source.head.end == place.end for each in near)
        is_asked = near and _CITING.search(text, 0, place.start) and text[place.end] not in "/-"
        longer = [each for each in names if f" {name} " in f" {each} " and each != name]
        whole = next(iter(longer), name)
        own = {whole, _ACRONYMS.get(whole)}
        is_own = any(f"({each}) " in text for each in own)
        if (is_source or is_asked) and not is_own and whole not in cited:
            cited.append(whole)
    return cited


def _without_function_words(text: str, name: Span) -> Span:
    """Return a name without words such as "As" before it; its article stays."""
    for token in tokens(text, *name):
        if token.word == "the" or not token.classes & _BEFORE_NAMES:
            return Span(token.start, name.end)
    return name


_BEFORE_NAMES = frozenset("preposition subordinator conjunction adverb pronoun".split())
