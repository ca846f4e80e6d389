"""Labels of the speakers in charts: printed names, the words of the article, or the role."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from defectors_data.documents.charts.chart import in_words, quoted
from defectors_data.models.counts import listed
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import (
    READ_OF_RELATIVES,
    Row,
    Rows,
    by_key,
    unnamed_label,
    with_endangered_relatives,
)


def kept_off_overview(rows: Rows) -> set[str]:
    """Return the ids of the people whom the overview and its charts neither quote nor name.

    Their name is withheld on request, or some testimony of theirs has relatives in danger.
    """
    of_relatives, endangered = with_endangered_relatives(rows), set[str]()
    for row in rows["testimonies"]:
        if row["testimony_id"] in of_relatives:
            endangered.add(row["speaker_id"])
    kept = set[str]()
    for row in rows["speakers"]:
        is_known = row["kind"] in ("person", "group")
        if is_known and (row["anonymity"] == "withheld" or row["speaker_id"] in endangered):
            kept.add(row["speaker_id"])
    return kept


class Speakers:
    """The speakers of a package, with the words that introduce them."""

    def __init__(self, tables: PackageTables) -> None:
        """Read the speakers and their first mentions."""
        self.rows = by_key(tables.rows("speakers"), "speaker_id")
        rows: dict[str, list[Row]] = {"speakers": [*self.rows.values()]}
        for name, columns in READ_OF_RELATIVES.items():
            rows[name] = list(tables.rows(name, columns))
        self.kept_off = kept_off_overview(rows)
        """The people whom charts neither quote nor name."""
        self._roles = tables.labels("role")
        self._mentions = dict[str, list[Row]]()
        for mention in tables.rows("mentions"):
            self._mentions.setdefault(mention["speaker_id"], []).append(mention)

    def label(self, speaker_id: str) -> str:
        """Return the name, or the words of the article for a group, or the role."""
        speaker = self.rows[speaker_id]
        if speaker_id in self.kept_off:
            return f"{self.role(speaker_id)} (not named here)"
        if speaker["protected"]:
            return unnamed_label(speaker, self._roles)
        if speaker["kind"] == "writer":
            return "the writer"
        if speaker["name"]:
            return str(speaker["name"])
        mentions = self._mentions.get(speaker_id)
        if mentions:
            return quoted(mentions[0]["text"])
        return self.role(speaker_id)

    def titled(self, speaker_id: str) -> str:
        """Return a name with the rank printed before it, or else the label."""
        if self.is_hidden(speaker_id) or not self.rows[speaker_id]["name"]:
            return self.label(speaker_id)
        name = str(self.rows[speaker_id]["name"])
        for mention in self._mentions.get(speaker_id, []):
            with_rank = f"{mention.get('rank')} {name}"
            if with_rank in mention["text"]:
                return with_rank
        return name

    def is_hidden(self, speaker_id: str) -> bool:
        """Return whether charts leave out the name of a speaker."""
        return bool(self.rows[speaker_id]["protected"]) or speaker_id in self.kept_off

    def role(self, speaker_id: str) -> str:
        """Return the label of the role of a speaker."""
        return self._roles[self.rows[speaker_id]["role"]]

    def people_in(self, roles: Collection[str]) -> set[str]:
        """Return the ids of the persons with one of the roles."""
        found = set()
        for speaker_id, row in self.rows.items():
            if row["kind"] == "person" and row["role"] in roles:
                found.add(speaker_id)
        return found

    def number_of(self, speaker_ids: Collection[str]) -> str:
        """Return a number of persons in words: a maximum if not all are fully named."""
        number = in_words(len(speaker_ids))
        if not self.are_uncertain(speaker_ids):
            return number
        return f"up to {number}"

    def are_uncertain(self, speaker_ids: Collection[str]) -> bool:
        """Return whether some persons are not fully named, so that two of them can be one."""
        return any(self.rows[speaker_id]["anonymity"] != "named" for speaker_id in speaker_ids)

    def notes_on(self, roles: Collection[str]) -> Iterator[str]:
        """Yield what the number of the persons with these roles includes, and what it leaves out."""
        people = self.people_in(roles)
        if self.are_uncertain(people):
            yield (
                "Some of the people counted can be the same person: each mention of someone unnamed counts "
                "as a new one, unless the article says otherwise."
            )
        labels = listed([self._roles[role].lower() for role in sorted(roles)], "or")
        yield f"Groups, and people with another role than {labels}, are not counted."
        inferred = sum(bool(self.rows[speaker_id]["role_inferred"]) for speaker_id in people)
        if inferred == 1:
            yield "The role of one of the people counted here is inferred."
        elif inferred:
            yield f"The roles of {in_words(inferred)} of the people counted here are inferred."

    def are_named_in(self, words: str) -> bool:
        """Return whether words contain a part of the name of a person."""
        parts = set(re.findall(r"\w+", words.casefold()))
        for row in self.rows.values():
            name = (row["name"] or "").casefold()
            if row["kind"] == "person" and parts.intersection(re.findall(r"\w+", name)):
                return True
        return False

    def sources_of(self, speaker_ids: Collection[str]) -> set[str]:
        """Return the ids of the articles that mention one of the speakers."""
        found = set()
        for speaker_id in speaker_ids:
            found |= {mention["source_id"] for mention in self._mentions.get(speaker_id, [])}
        return found

    def plural(self, roles: Collection[str]) -> str:
        """Return the plural of a role with a label of one word, or `individuals`: no groups."""
        labels = [self._roles[role].lower() for role in roles]
        if len(labels) == 1 and labels[0].isalpha() and not labels[0].endswith("s"):
            return f"individual {labels[0]}s"
        return "individuals"
