"""Rules on the mode and the themes of a testimony: its own words show them, or `because` names the words that do.

A reporting verb shows the mode, a trigger a theme. A trigger is a word or a run of words, in any case and with any
white space between them; a `*` at its end means any ending: `army*` finds armies and not the disarmed.
That direct speech is between quotation marks is a rule on testimonies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from defectors_data.evidence.document import Document
from defectors_data.findings import Finding
from defectors_data.models import Testimony
from defectors_data.project_file import Path
from defectors_data.reporting import verbs
from defectors_data.rules.registry import rule
from defectors_data.rules.things import triggers_by_theme
from defectors_data.spans import Holders, Span


@rule(on="indirect testimonies", codebook=("T3", "T7"))
def indirect_without_verb(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Reported speech has a reporting verb in its words, outside quotation marks; or `because` names where it is."""
    spans = document.evidence_of(path)
    if spans and not _is_given(testimony, "mode") and not _verbs(document, spans):
        message = "No reporting verb stands in these words outside quotation marks."
        hints = (
            "Take in the clause that says who says it, or mend the mode.",
            "Where the verb stands elsewhere, or is another: `because: [{claim: mode, words: ...}]`.",
        )
        yield Finding(document.place(*path, "mode"), "indirect-without-verb", message, hints)


@rule(on="narrated testimonies", codebook="T7")
def narrated_with_verb(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """A told experience has no reporting verb in its words; or `because` names the verb, which reports nothing here."""
    found = [] if _is_given(testimony, "mode") else _verbs(document, document.evidence_of(path))
    if found:
        message = f"The reporting verb `{document.text[slice(*found[0])]}` stands in these words."
        hints = (
            "If it reports what the speaker says or thinks, the mode is `indirect`.",
            "If it does not, name it: `because: [{claim: mode, words: ...}]`.",
        )
        yield Finding(document.place(*path, "mode"), "narrated-with-verb", message, hints)


@rule(on="themes with triggers", codebook="T11")
def theme_without_words(document: Document, path: Path, found: tuple[Testimony, str]) -> Iterator[Finding]:
    """A theme that has triggers has one of them in the words of the testimony; or `because` names what tells of it."""
    testimony, theme = found
    spans, triggers = document.evidence_of(path[:2]), triggers_by_theme(document.context)[theme]
    if spans and not _is_given(testimony, theme) and not triggered(document.text, spans, triggers):
        message = "No trigger of this theme stands in these words."
        hints = (
            "Leave the theme out if the words do not tell of it.",
            "If they do, name those that tell it: `because: [{claim: ..., words: ...}]`.",
            "A word that always tells of it may join its `triggers` in annotations/vocabulary.yaml.",
        )
        yield Finding(document.place(*path), "theme-without-words", message, hints)


@rule(on="words that support a mode or theme", codebook="T11")
def because_not_needed(document: Document, path: Path, found: tuple[Testimony, int]) -> Iterator[Finding]:
    """`because` is for a theme of the testimony or for its mode, once, and where its words alone do not bear it out."""
    testimony, i = found
    *before, claim = (because.claim for because in testimony.because[: i + 1])
    spans = document.evidence_of(path[:2])
    if not spans:
        return
    if claim not in (*testimony.themes, "mode"):
        message, hint = "This testimony makes no such claim.", "Name one of its themes, or `mode`."
        yield Finding(document.place(*path, "claim"), "because-not-needed", message, (hint,))
    elif claim in before or _is_shown(document, testimony, spans, claim):
        message = "The words of the testimony bear this out, or another `because` does."
        yield Finding(document.place(*path, "claim"), "because-not-needed", message, ("Leave it out.",))


def _is_given(testimony: Testimony, claim: str) -> bool:
    return any(because.claim == claim for because in testimony.because)


def _is_shown(document: Document, testimony: Testimony, spans: Sequence[Span], claim: str) -> bool:
    """Tell whether the words of a testimony alone show its mode, or a theme."""
    if claim != "mode":
        triggers = triggers_by_theme(document.context).get(claim)
        return not triggers or triggered(document.text, spans, triggers)
    return testimony.mode == "direct" or (testimony.mode == "indirect") == bool(_verbs(document, spans))


def _verbs(document: Document, spans: Sequence[Span]) -> list[Span]:
    return reporting_verbs(document.text, spans, document.ledger.quoted)


# ---- words of a text ---------------------------------------------------------------------------------------


def reporting_verbs(text: str, spans: Sequence[Span], quoted: Holders | None = None) -> list[Span]:
    """Return the reporting verbs in the spans of a text that are outside quotation marks.

    `quoted` is where quotations are in the text, if that is known.
    """
    inside = Holders((*span, 0) for span in spans)
    around = Span(min((span.start for span in spans), default=0), max((span.end for span in spans), default=0))
    return [verb for verb in verbs(text, around, quoted) if inside.hold(*verb)]


def triggered(text: str, spans: Iterable[Span], triggers: Sequence[str]) -> bool:
    """Tell whether a trigger is in any of the spans of a text."""
    pattern = _pattern(tuple(triggers))
    return any(pattern.search(text, *span) for span in spans)


@cache
def _pattern(triggers: tuple[str, ...]) -> re.Pattern[str]:
    whole = "|".join(_worded(trigger) for trigger in triggers if not trigger.endswith("*")) or "(?!)"
    begun = "|".join(_worded(trigger[:-1]) for trigger in triggers if trigger.endswith("*")) or "(?!)"
    return re.compile(rf"(?<!\w)(?:(?:{whole})(?!\w)|{begun})", re.IGNORECASE)


def _worded(trigger: str) -> str:
    """Return the pattern of a trigger from where a word begins; an apostrophe is one in each of its forms."""
    return r"\s+".join(re.escape(word) for word in trigger.split()).replace("'", "['’]")
