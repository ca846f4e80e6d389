"""Words of an article next to a quotation without which it says something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from defectors_data.readers.quotecheck.attribution_comparison import quoted
from defectors_data.readers.quotecheck.quotation_search import shown
from defectors_data.text.offsets import Span, overlaps, sentences_around
from defectors_data.text.omissions import (
    before_in_clause,
    condition_before,
    governing,
    is_negated_next,
    negation_after,
)
from defectors_data.text.wording_differences import fold, has_negation

_OPENING = " \t\n\"'“‘«„"
_MARK = re.compile('[“”„"«»]')


def left_out(article: str, spans: Sequence[Span], manuscript: str, at: Span) -> Iterator[str]:
    """Yield sentences about what a quotation at a place of a manuscript leaves out at its ends.

    `spans` are its pieces in the article. What the manuscript says before the quotation is not
    left out: `She did not “want to go”`.
    """
    first, last = spans[0], spans[-1]
    start = len(manuscript[: at.start].rstrip(_OPENING))
    sentence = sentences_around(manuscript, Span(start, at.end))
    clause = before_in_clause(manuscript, Span(start, at.end), sentence)
    is_denied = has_negation(manuscript[clause:start])
    said = fold(manuscript[sentence.start : start]).split()
    left = _before_quotation(article, first, said, is_denied=is_denied)
    if left:
        yield f"The article has {shown(left)} before these words."
    after = negation_after(article, last)
    if after and not is_denied:
        yield f"The article has “{after}” after these words."


def _before_quotation(text: str, words: Span, said: Sequence[str], *, is_denied: bool) -> str:
    """Return the words of an article that deny a quotation, or on which it depends, or "".

    `said` are the words before it in the manuscript, which deny it if `is_denied`.
    """
    clause = sentences_around(text, words)
    before = _MARK.split(text[clause.start : words.start])[-1].lstrip()
    clause = Span(words.start - len(before), words.end)
    start = before_in_clause(text, words, clause)
    before = text[start : words.start]
    # Outside quotation marks, the clause may be about something else.
    is_quoted = overlaps(words, quoted(text))
    has_denial = has_negation(before) if is_quoted else is_negated_next(before)
    if has_denial and not is_denied:
        return before.strip()
    condition = condition_before(text, words, clause)
    if condition and text[slice(*condition)].split(maxsplit=1)[0].lower() not in said:
        return text[slice(*condition)].strip()
    verb = governing(text, start, words)
    if verb is None or not is_quoted or fold(text[slice(*verb)]).split()[0] in said:
        return ""
    return before.strip()
