"""Which words bear out what is claimed of a testimony: a reporting verb for its mode, a trigger for each theme.

Strings and spans only. A trigger is a word or a run of words, in any case and with any white space between them; a `*`
at the end of it stands for any ending. It stands for itself alone: `army*` finds armies and not the disarmed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from defectors_data.reporting import verbs
from defectors_data.spans import Holders, Span


def triggered(text: str, spans: Iterable[Span], triggers: Sequence[str]) -> bool:
    """Tell whether a trigger stands in any of the spans of a text."""
    pattern = _pattern(tuple(triggers))
    return any(pattern.search(text, *span) for span in spans)


def reporting(text: str, spans: Sequence[Span], quoted: Holders | None = None) -> list[Span]:
    """Return the reporting verbs in the spans of a text that stand outside quotation marks.

    `quoted` is where quotations stand in the text, if that is known.
    """
    inside = Holders((*span, 0) for span in spans)
    around = Span(min((span.start for span in spans), default=0), max((span.end for span in spans), default=0))
    return [verb for verb in verbs(text, around, quoted) if inside.hold(*verb)]


@cache
def _pattern(triggers: tuple[str, ...]) -> re.Pattern[str]:
    whole = "|".join(_worded(trigger) for trigger in triggers if not trigger.endswith("*")) or "(?!)"
    begun = "|".join(_worded(trigger[:-1]) for trigger in triggers if trigger.endswith("*")) or "(?!)"
    return re.compile(rf"(?<!\w)(?:(?:{whole})(?!\w)|{begun})", re.IGNORECASE)


def _worded(trigger: str) -> str:
    """Return the pattern of a trigger from where a word begins; an apostrophe is one in each of its forms."""
    return r"\s+".join(re.escape(word) for word in trigger.split()).replace("'", "['’]")
