"""The ids of proposed records: unused numbers, and ids from the names of speakers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Self

from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.record_fingerprints import released
from defectors_data.text.occurrences import slug

_POSSESSIVE = re.compile(r"['’]s\b")


def id_of_name(name: str) -> str:
    """Return the id for a name: `hillary-clinton-campaign` for "Hillary Clinton's campaign"."""
    return slug(_POSSESSIVE.sub("", name))


class UnusedIds:
    """A generator of unused ids for the records of a source."""

    def __init__(self, source: str, used: Iterable[str], context: Context) -> None:
        """Collect the used ids, including those in tombstones and earlier releases."""
        tombstones = [stone.id for stone in context.tombstones]
        self.source, self.given = source, {*used, *tombstones, *released(context)}

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return the generator for a document.

        The id of a rejected draft is unused again once nothing can restore the draft: it was never
        published, and readings are compared by their words.
        """
        used = {name for _, _, name in document.records}
        return cls(document.source.id, used.union(document.ids_given), document.context)

    def next(self, beginning: str) -> str:
        """Return the unused id with the lowest number after `beginning`, such as `speaker-`."""
        number = 1
        while f"{self.source}-{beginning}{number}" in self.given:
            number += 1
        self.given.add(f"{self.source}-{beginning}{number}")
        return f"{self.source}-{beginning}{number}"
