"""A proposed record, and the placeholders for what only a person can decide."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from defectors_data.models.fields import OPEN_COUNTED, OPEN_SPEAKER
from defectors_data.text.offsets import Span

_NO_NOTES: Mapping[str, str] = MappingProxyType({})


class Proposal(NamedTuple):
    """A proposed record."""

    table: str
    spans: tuple[Span, ...]
    values: Mapping[str, str]
    """The values as text, by key; "" if only a person can decide. Themes are separated by commas.

    A mention also has the values of its speaker's entry.
    """
    notes: Mapping[str, str] = _NO_NOTES
    """What is uncertain about a value, such as "or 3400", by key."""
    attribution: tuple[Span, ...] = ()
    """The places of the words that attribute a testimony, as in its values."""

    def with_placeholders(self) -> Proposal:
        """Return the proposal with placeholders, which `check` reports until they are replaced."""
        values = dict(self.values)
        for key, placeholder in PLACEHOLDERS.items():
            if values.get(key) == "":
                values[key] = placeholder
        return self._replace(values=values)


PLACEHOLDERS = {"speaker": OPEN_SPEAKER, "counted": OPEN_COUNTED}
