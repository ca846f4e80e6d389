"""An invented article: its paragraphs, and the records that are added with them."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

import invented_words as words

Entry: TypeAlias = dict[str, Any]

ANNOTATIONS_OF_A_SOURCE = 10


def source_id(number: int) -> str:
    """Return the id of a source by its number."""
    return f"news-{number:07d}"


class Article:
    """A source: its paragraphs and their annotations."""

    def __init__(self, number: int) -> None:
        """Start the article with this number, which is also the seed of all its random choices."""
        self.number = number
        self.id = source_id(number)
        self.chance = random.Random(number)  # noqa: S311  # nothing is secret
        self.opening, self.closing = ('"', '"') if number % 5 == 3 else ("“", "”")  # noqa: PLR2004  # every fifth
        self.head: list[str] = []
        self.paragraphs: list[str] = []
        self.foot: list[str] = []
        self.source: Entry = {}
        self.surname = ""
        """Surname of the first speaker."""
        self.prose = ""
        """A paragraph without annotations."""
        self.speakers: list[Entry] = []
        self.testimonies: list[Entry] = []
        self.figures: list[Entry] = []
        self.relations: list[Entry] = []
        self.waivers: list[Entry] = []
        self.mentions = 0
        self.used: set[str] = set()
        self.quotes = iter(self.chance.sample(words.QUOTES, 24))
        self.said: set[str] = set()
        self.year = 2015 + number % 10
        self.place = self.chance.choice(words.PLACES)
        extra = number % 5
        self.figures_left = 3 if extra < 3 else 2 if extra == 3 else 4  # noqa: PLR2004  # three of ten, as a rule
        self.testimonies_left = ANNOTATIONS_OF_A_SOURCE - self.figures_left

    # ---- records ----

    def quoted(self, said: str) -> str:
        """Return words in the quotation marks of this article."""
        if self.opening == '"':
            said = said.replace("‘", "'").replace("’", "'")
        return f"{self.opening}{said}{self.closing}"

    def said_words(self, said: str) -> str:
        """Return words as they are printed in the quotation marks of this article."""
        return self.quoted(said)[1:-1]

    def testimony(self, speaker: str, mode: str, evidence: Any, *themes: str, **more: Any) -> str:
        """Add a testimony, and return its id."""
        name = f"{self.id}-t{len(self.testimonies) + 1}"
        kept = {key: value for key, value in more.items() if value is not None}
        entry = {"id": name, "speaker": speaker, "mode": mode, "evidence": evidence, "themes": list(themes), **kept}
        self.testimonies.append(entry)
        self.testimonies_left -= 1
        return name

    def figure(self, evidence: str, numbers: Entry, unit: str, measure: str, counted: str, **more: Any) -> str:
        """Add a figure, and return its id."""
        name = f"{self.id}-f{len(self.figures) + 1}"
        entry = {"id": name, "evidence": evidence, **numbers, "unit": unit, "measure": measure, "counted": counted}
        self.figures.append({**entry, **{key: value for key, value in more.items() if value is not None}})
        self.figures_left -= 1
        return name

    def waiver(self, evidence: Any, reason: str, **more: Any) -> None:
        """Add a waiver."""
        name = f"{self.id}-w{len(self.waivers) + 1}"
        self.waivers.append({"id": name, "evidence": evidence, "reason": reason, **more})

    def mention(self, evidence: str, **more: Any) -> Entry:
        """Return a mention with the next id."""
        self.mentions += 1
        return {"id": f"{self.id}-m{self.mentions}", "evidence": evidence, **more}

    def speaker(self, mention: Entry, **known: Any) -> str:
        """Add a speaker who is only in this source, and return the id."""
        name = f"{self.id}-speaker-{len(self.speakers) + 1}"
        self.speakers.append({"id": name, **known, "mentions": [mention]})
        return name

    def use(self, shared: str, mention: Entry) -> str:
        """Add a speaker who is in many sources, and return the id."""
        self.used.add(shared)
        self.speakers.append({"use": shared, "mentions": [mention]})
        return shared

    def quote(self) -> tuple[str, str]:
        """Return a theme and a quotation about it. No two quotations of an article begin with the same words."""
        theme, said, more = next(row for row in self.quotes if row[1] not in self.said)
        self.said.add(said)
        return theme, self.said_words(said + more)

    def once(self, choices: Any) -> Any:
        """Return a random choice that this article has not used yet."""
        chosen = self.chance.choice([choice for choice in choices if str(choice) not in self.said])
        self.said.add(str(chosen))
        return chosen
