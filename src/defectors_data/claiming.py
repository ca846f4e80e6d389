"""Which words bear out what is claimed of a testimony: a reporting verb for its mode, a trigger for each theme.

Strings and spans only. A trigger is a word or a run of words, in any case and with any white space between them; a `*`
at the end of it stands for any ending. It stands for itself alone: `army*` finds armies and not the disarmed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from defectors_data.reporting import verbs
from defectors_data.spans import Holders, Span


def triggered(text: str, spans: Iterable[Span], triggers: Sequence[str]) -> bool:
    """Tell whether a trigger stands in any of the spans of a text."""
    pattern = _pattern(tuple(triggers))
    return any(pattern.search(text, *span) for span in spans)


def reporting(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the reporting verbs in the spans of a text that stand outside quotation marks."""
    inside = Holders((*span, 0) for span in spans)
    return [verb for verb in _between(_verbs(text), spans) if inside.hold(*verb)]


def _between(found: Sequence[Span], spans: Sequence[Span]) -> Sequence[Span]:
    """Return those of many runs in order that begin between the first and the last of some spans."""
    first, last = min((span.start for span in spans), default=0), max((span.end for span in spans), default=0)
    return found[bisect_left(found, (first,)) : bisect_left(found, (last,))]


@cache
def _pattern(triggers: tuple[str, ...]) -> re.Pattern[str]:
    whole = "|".join(_worded(trigger) for trigger in triggers if not trigger.endswith("*")) or "(?!)"
    begun = "|".join(_worded(trigger[:-1]) for trigger in triggers if trigger.endswith("*")) or "(?!)"
    return re.compile(rf"(?<!\w)(?:(?:{whole})(?!\w)|{begun})", re.IGNORECASE)


def _worded(trigger: str) -> str:
    """Return the pattern of a trigger from where a word begins; an apostrophe is one in each of its forms."""
    return r"\s+".join(re.escape(word) for word in trigger.split()).replace("'", "['’]")


@lru_cache(maxsize=6_000)  # as many sources as are read at a time: several rules ask for those of each
def _verbs(text: str) -> tuple[Span, ...]:
    return tuple(verbs(text))
