"""The sentences that the first screen of the page quotes, chosen by what the records say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from defectors_data.documents.charts.speakers import kept_off_overview
from defectors_data.documents.page.lookups import Lookups
from defectors_data.rows.labels import Row

_LENGTH = range(20, 161)
"""Permitted lengths of a sentence, in characters."""
_LONG = range(20, 261)
"""Permitted lengths of a sentence about leaving, of which there are few."""
VOICES = 3
"""Number of sentences below the charts, each by another speaker."""


class Voice(NamedTuple):
    """A sentence in direct speech."""

    words: str
    testimony: Row


class FirstScreen(NamedTuple):
    """The sentences of the first screen; each is by another speaker."""

    opening: Voice | None
    """The sentence at the top: a reason of the speaker's own."""
    reason: Voice | None
    """Another reason to leave, next to the chart of reasons."""
    leaving: Voice | None
    """A sentence about how a speaker left, for the chart of departures."""
    others: tuple[Voice, ...]


def first_screen(look: Lookups) -> FirstScreen:
    """Return the sentences of the first screen.

    The shortest sentences of the role that is quoted most come first. A named person is quoted only
    with a reason to leave, so that neither relatives nor plans to fight are shown with a name.
    """
    voices = sorted(_voices(look), key=_shortest_first)
    own = [voice for voice in voices if _gives_reason(look, voice)]
    whole = [voice for voice in own if voice.words.endswith(".")]
    opening = next(iter(whole or own), None)
    heard = {opening.testimony["speaker_id"]} if opening else set[str]()
    reason = next(_unheard(own, heard), None)
    if reason:
        heard.add(reason.testimony["speaker_id"])
    left = [voice for voice in _voices(look, _LONG) if voice.testimony["departure"]]
    leaving = next(_unheard(left, heard), None)
    if leaving:
        heard.add(leaving.testimony["speaker_id"])
    others = list[Voice]()
    for voice in _unheard(voices, heard):
        if len(others) < VOICES:
            others.append(voice)
            heard.add(voice.testimony["speaker_id"])
    return FirstScreen(opening, reason, leaving, tuple(others))


def _unheard(voices: Collection[Voice], heard: Collection[str]) -> Iterator[Voice]:
    """Yield the sentences of speakers who are not quoted yet."""
    for voice in voices:
        if voice.testimony["speaker_id"] not in heard:
            yield voice


def _shortest_first(voice: Voice) -> tuple[bool, int, str]:
    fragment = not voice.words.endswith((".", "!", "?"))
    return fragment, len(voice.words), voice.testimony["testimony_id"]


def _gives_reason(look: Lookups, voice: Voice) -> bool:
    """Return whether a sentence contains a reason of the speaker's own to leave."""
    for motive in look.motives_of[voice.testimony["testimony_id"]]:
        if _is_own_reason(motive) and motive["text"] in voice.words:
            return True
    return False


def _is_own_reason(motive: Row) -> bool:
    if motive["decision"] != "leave" or motive["direction"] == "barrier":
        return False
    return bool(motive["reason_of"] == "speaker")


def _voices(look: Lookups, lengths: range = _LENGTH) -> Iterator[Voice]:
    """Yield the sentences that may be quoted."""
    kept_off = kept_off_overview(look.rows)
    direct = [row for row in look.rows["testimonies"] if _is_quoted(look, row)]
    roles = Counter(row["speaker_role"] for row in direct)
    coded = any(row["access"] for row in look.rows["testimonies"])
    for row in direct:
        if roles[row["speaker_role"]] < max(roles.values()) or row["speaker_id"] in kept_off:
            continue
        for part in look.evidence[row["testimony_id"]]:
            # A comma belongs to the sentence around the quotation.
            voice = Voice(part["exact"].rstrip(",").strip(), row)
            if len(voice.words) not in lengths or not voice.words[0].isupper():
                continue
            named = not look.speakers[row["speaker_id"]]["protected"]
            if not (coded and named) or _gives_reason(look, voice):
                yield voice


def _is_quoted(look: Lookups, row: Row) -> bool:
    """Return whether a testimony is a person's own words on their own experience."""
    if row["mode"] != "direct" or look.speakers[row["speaker_id"]]["kind"] != "person":
        return False
    experience = row["access"] in (None, "own_experience")
    asserted = row["stance"] in (None, "asserts")
    return experience and asserted and not row["relatives"]
