"""Scenes of an invented article: each adds one or two paragraphs and their annotations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import invented_words as words
from articles import Article, Entry

Scene: TypeAlias = Callable[[Article], object]

COMPARABLE_UNTIL = 20
"""Only sources with a lower number have a comparable figure on lost boats."""
AT_ODDS = (24, 29)
"""Sources that give different, undated numbers of closed towers; a note explains the difference.

Each has four figures, of which at most three are in testimonies.
"""
SHARED_PERSONS = 6
PERSONS_OF_A_SOURCE = 4
"""Names that are reserved for each source, so that no two sources use the same name."""


# ---- the scenes: a named person ------------------------------------------------------------------------------


def named(article: Article, slot: int) -> tuple[str, str]:
    """Add a named person who speaks for the first time; return the id and the surname."""
    shared = article.number % 4 == 0 and slot == 0
    person = (article.number // 4) % SHARED_PERSONS if shared else _person_of(article, slot)
    given, surname = words.person(person)
    age, (count, years) = article.chance.randrange(19, 64), article.chance.choice(list(words.YEARS_WORDS.items()))
    rank, body = article.chance.choice(words.RANKS), article.chance.choice(words.BODIES)
    described = f"{given} {surname}, {age}, a {rank} of the {body} who served {count} years"
    known: Entry = {"rank": rank, "age": age, "years_of_service": years, "affiliation": body}
    if article.chance.random() < 0.3:  # noqa: PLR2004  # some have fewer attributes
        described, known = f"{given} {surname}, {age}, a {rank}", {"rank": rank, "age": age}
    mention = article.mention(described, **known)
    if shared:
        name = article.use(f"shared-person-{person + 1}", mention)
    else:
        ranked = {"rank_class": "officer" if rank in ("lieutenant", "captain") else "non_commissioned"}
        about = {"kind": "person", "role": "defector", "anonymity": "named", **ranked, "branch": "navy"}
        name = article.speaker(mention, **about, name=f"{given} {surname}")
    _first_words(article, name, described)
    return name, surname


def _person_of(article: Article, slot: int) -> int:
    number = SHARED_PERSONS + PERSONS_OF_A_SOURCE * article.number + slot
    if number >= words.PERSONS:
        raise ValueError("there are not enough names for so many sources")
    return number


def _first_words(article: Article, name: str, described: str) -> None:
    theme, said = article.quote()
    attribution = f"said {described.partition(',')[0]}"
    if article.chance.random() < 0.4:  # noqa: PLR2004  # of two parts
        _, more = article.quote()
        article.paragraphs.append(f"{article.quoted(said + ',')} said {described}. {article.quoted(more + '.')}")
        article.testimony(name, "direct", [f"{said},", f"{more}."], theme, attribution=attribution)
    else:
        article.paragraphs.append(f"{article.quoted(said + ',')} said {described}. {filler(article)}")
        article.testimony(name, "direct", f"{said},", theme, attribution=attribution)


def reported(article: Article, name: str, surname: str) -> None:
    """Add indirect speech of a named person, in some articles with a figure."""
    wire = article.once(words.WIRES) if article.chance.random() < 0.2 else None  # noqa: PLR2004
    verb = f"told the {wire}" if wire else article.chance.choice(["said", "recalled", "insisted", "explained"])
    if article.figures_left:
        pay = article.chance.randrange(6, 90)
        evidence = f"{surname} {verb} that the winter pay was ${pay} a month and bought a sack of flour."
        testimony = article.testimony(
            name, "indirect", evidence, "hunger_pay", outlet=wire, attribution=f"{surname} {verb}"
        )
        numbers = {"value": pay, "hedge": "exact"}
        more = {"attributed_to": name, "testimony": testimony, "as_of": str(article.year)}
        counted = "winter pay of a keeper"
        article.figure(f"winter pay was ${pay} a month", numbers, "usd_per_month", "monthly_pay", counted, **more)
    elif article.chance.random() < 0.2 and not wire:  # noqa: PLR2004
        theme, clause = article.once(words.CLAUSES)
        evidence = f"{surname} let it be known that {clause}."
        known = f"{surname} let it be known"
        article.testimony(name, "indirect", evidence, theme, attribution=known)
    else:
        theme, clause = article.once(words.CLAUSES)
        evidence = f"{surname} {verb} that {clause}."
        article.testimony(name, "indirect", evidence, theme, outlet=wire, attribution=f"{surname} {verb}")
    article.paragraphs.append(f"{evidence} {filler(article)} {filler(article)}")


def narrated(article: Article, name: str, surname: str) -> None:
    """Add narrated experience of a named person, with evidence of a gender for some."""
    theme, did, then = article.once(words.NARRATED)
    entry = article.speakers[0]
    gender, pronoun = article.chance.choice([("male", "he"), ("female", "she")])
    if "use" in entry:
        evidence = f"{surname} {did} and {then}."
    else:
        evidence = f"{surname} {did}, and {pronoun} {then}."
        entry["gender"] = gender
        entry["mentions"][0]["attested_by"] = {"gender": f"{pronoun} {then}"}
    told = {"words": f"{surname} {did}", "about": True}
    article.testimony(name, "narrated", evidence, theme, attribution=told)
    article.paragraphs.append(f"{filler(article)} {evidence} {filler(article)}")


def printed_twice(article: Article, name: str, surname: str) -> None:
    """Add a direct quotation whose words are also printed without a speaker, before or after it."""
    theme, said = article.quote()
    words_said, before = f"{said}.", article.number % 2 == 0
    here = f"{surname} added: {article.quoted(words_said)} {filler(article)}"
    again = article.quoted(words_said)
    article.paragraphs += [again, here] if before else [here, filler(article), again]
    ways: list[Entry] = [
        {"prefix": f"added: {article.opening}"},
        {"prefix": f"{surname} added: {article.opening}", "suffix": f"{article.closing} "},
    ]
    note = "The sentence is printed again as a pull quote." if article.number % 3 == 0 else None
    way = ways[article.number % len(ways)]
    testimony = article.testimony(
        name, "direct", {"text": words_said, **way}, theme, note=note, attribution=f"{surname} added:"
    )
    article.waiver({"text": again, "prefix": "\n"}, "repeat", repeats=testimony, note="A pull quote.")


def asked_back(article: Article, name: str, surname: str) -> None:
    """Add a direct quotation with a theme that only other words of the article show."""
    said = article.said_words(article.once(words.RETURNING))
    asked = f"{surname} was asked about the next ferry"
    article.paragraphs.append(f"{asked}. {article.quoted(said + ',')} came the answer. {filler(article)}")
    article.testimony(name, "direct", f"{said},", "will_to_return", attribution=asked)


def predicted(article: Article, surname: str) -> None:
    """Add more speech of a named person: indirect, or direct with a missing quotation mark."""
    if article.number % 4 == 2:  # noqa: PLR2004  # every fourth
        theme, said = article.quote()
        article.paragraphs.append(f"{filler(article)} {surname} warned: {article.quoted(said + '.')[:-1]}")
        evidence_of_it = {"text": f"{said}.", "unbalanced": "closing"}
        article.testimony(id_of(article.speakers[0]), "direct", evidence_of_it, theme, attribution=f"{surname} warned:")
        return
    theme, clause = article.once(words.CLAUSES)
    evidence = f"On the way back {surname} predicted that {clause}."
    attribution = f"{surname} predicted"
    article.testimony(id_of(article.speakers[0]), "indirect", evidence, theme, attribution=attribution)
    article.paragraphs.append(f"{evidence} {filler(article)}")


def id_of(speaker: Entry) -> str:
    """Return the id of a speaker, or of the shared speaker that it refers to."""
    return str(speaker.get("use") or speaker["id"])


# ---- the scenes: persons without names, groups, institutions -----------------------------------------------------


def protected(article: Article) -> str:
    """Add a quotation of a person without a name; return the id of the speaker."""
    theme, said = article.quote()
    withheld = article.number % 3 == 0
    described = article.once(words.WITHHELD if withheld else words.UNNAMED)
    about: Entry = {"kind": "person", "role": "defector" if withheld else "other"}
    if withheld:
        asked = "asked not to be named for fear of what might happen to relatives"
        mention = article.mention(described, attested_by={"request": asked})
        name = article.speaker(mention, **about, anonymity="withheld", request="fear_of_reprisal")
        after_quote = f"{described}, who {asked}"
    else:
        name = article.speaker(article.mention(described), **about, anonymity="unnamed")
        after_quote = described
    article.paragraphs.append(f"{article.quoted(said + ',')} said {after_quote}. {filler(article)}")
    article.testimony(name, "direct", f"{said},", theme, attribution=f"said {described}")
    return name


def protected_again(article: Article, name: str) -> None:
    """Add narrated experience of a person without a name, and an age that is not published."""
    age = article.chance.randrange(19, 64)
    theme, did, then = article.once(words.NARRATED)
    evidence = f"{did} and {then}."
    article.paragraphs.append(f"The speaker, who is {age}, {evidence} {filler(article)}")
    [speaker] = [each for each in article.speakers if each.get("id") == name]
    told = {"words": "The speaker", "about": True, "antecedent": speaker["mentions"][0]["id"]}
    article.testimony(name, "narrated", evidence, theme, attribution=told)
    article.waiver(f"who is {age}", "protected_attribute")


def institution(article: Article) -> None:
    """Add a statement of an institution, in most articles with a figure."""
    shared = article.number % len(words.INSTITUTIONS)
    body = words.INSTITUTIONS[shared]
    name = article.use(f"shared-institution-{shared + 1}", article.mention(body))
    if not article.figures_left or article.number % 8 == 6:  # noqa: PLR2004  # some have no figure
        evidence = f"The {body} confirmed that {article.surname} had left the service."
        article.testimony(name, "indirect", evidence, "other", attribution=f"The {body} confirmed")
    else:
        crews = article.chance.randrange(20, 900)
        phrase = f"Nearly {crews} lighthouse keepers have left the {article.place}"
        evidence = f"{phrase} since {article.chance.choice(words.MONTHS)}, according to the {body}"
        attribution = f"according to the {body}"
        testimony = article.testimony(name, "indirect", evidence, "other", attribution=attribution)
        numbers = {"value": crews, "high": crews, "hedge": "nearly"}
        more = {"attributed_to": name, "testimony": testimony, "place": words.term_of(article.place)}
        counted = "keepers who left"
        article.figure(phrase, numbers, "person", "keepers_who_left", counted, population="lighthouse_keepers", **more)
        evidence += "."
    article.paragraphs.append(f"{evidence} {filler(article)} {filler(article)}")


def group(article: Article) -> None:
    """Add a statement of a group."""
    described = article.once(words.GROUPS)
    name = article.speaker(article.mention(described), kind="group", role="defector", anonymity="not_applicable")
    if article.figures_left and article.number % 2:
        low = article.chance.randrange(2, 40)
        phrase = f"between {low} and {low + 5} percent of the crews would return"
        evidence = f"{described} said that {phrase}."
        testimony = article.testimony(name, "indirect", evidence, "other", attribution=f"{described} said")
        numbers = {"low": low, "high": low + 5, "hedge": "range"}
        counted = "crews that would return"
        more = {"attributed_to": name, "testimony": testimony}
        article.figure(phrase, numbers, "percent", "share_who_would_return", counted, **more)
    else:
        theme, clause = article.once(words.CLAUSES)
        evidence = f"{described} said that {clause}."
        article.testimony(name, "indirect", evidence, theme, attribution=f"{described} said")
    article.paragraphs.append(f"{filler(article)} {evidence} {filler(article)}")


def partly_named(article: Article) -> None:
    """Add a statement of a person who gives only a first name."""
    given = article.chance.choice(words.GIVEN)
    described = f"A man who gave only the name {given}"
    mention = article.mention(described)
    about = {"kind": "person", "role": "relative", "anonymity": "partial", "name": given, "pseudonym_possible": True}
    name = article.speaker(mention, **about)
    theme, clause = article.once(words.CLAUSES)
    evidence = f"{described} claimed that {clause}."
    article.testimony(name, "indirect", evidence, theme, attribution=f"{described} claimed")
    article.paragraphs.append(f"{evidence} {filler(article)}")


# ---- the scenes: numbers that the writer states, and numbers that are not figures ----------------------------------


def numbers(article: Article) -> None:
    """Add the figures that are not in a testimony, in separate sentences."""
    kinds = article.chance.sample(_KINDS, len(_KINDS))
    if article.number in AT_ODDS:
        kinds.insert(0, _towers)
    elif article.number < COMPARABLE_UNTIL and article.figures_left:
        kinds.insert(0, _boats)
    elif article.number % 11 == 1:
        kinds.insert(0, _burners)
    elif article.figures_left > 1:
        kinds.insert(0, _crews)
    for kind in kinds:
        if article.figures_left:
            article.paragraphs.append(f"{filler(article)} {kind(article)} {filler(article)}")


def _boats(article: Article) -> str:
    count = article.chance.randrange(5, 60)
    bounds = {"value": count, "low": count, "hedge": "at_least"}
    article.figure(f"At least {count} boats", bounds, "item", "boats_lost", "boats that were lost")
    return f"At least {count} boats were lost in the storms."


def _towers(article: Article) -> str:
    count = 10 + AT_ODDS.index(article.number)
    bounds = {"value": count, "hedge": "exact"}
    article.figure(f"{count} towers", bounds, "item", "towers_closed", "towers that were closed")
    return f"In all, {count} towers were closed."


def _burners(article: Article) -> str:
    count = article.chance.randrange(20, 90)
    override = "Each lamp has a pair of burners, and burners are counted."
    bounds = {"value": 2 * count, "hedge": "exact"}
    article.figure(f"{count} lamps", bounds, "item", "lanterns", "burners", override=override)
    return f"The catalogue names {count} lamps."


def _crews(article: Article) -> str:
    whole = article.chance.randrange(1_000, 9_999)
    part = article.chance.randrange(10, 900)
    of = f"the {whole:,}-strong service"
    some = f"{part} people had handed in their keys"
    service = article.figure(of, {"value": whole, "hedge": "exact"}, "person", "service_strength", "the service")
    keys = article.figure(some, {"value": part, "hedge": "exact"}, "person", "keys_handed_in", "keys handed in")
    article.relations.append({"id": f"{article.id}-r1", "kind": "part_of", "result": keys, "operands": [service]})
    return f"Of {of}, {some} by then."


def _visitors(article: Article) -> str:
    article.figure("Hundreds of visitors", {"low": 200, "hedge": "vague"}, "person", "visitors", "visitors")
    return "Hundreds of visitors came to the pier."


def _lanterns(article: Article) -> str:
    count = article.chance.randrange(12, 300)
    bounds = {"value": count, "high": count, "hedge": "up_to"}
    article.figure(f"up to {count} lanterns", bounds, "item", "lanterns", "lanterns in the store")
    return f"The store holds up to {count} lanterns."


def _letters(article: Article) -> str:
    count = article.chance.randrange(1_000, 90_000)
    bounds = {"value": count, "low": count, "hedge": "more_than"}
    article.figure(f"more than {count:,} letters", bounds, "item", "letters", "letters", note="Nobody counted them.")
    return f"In all, more than {count:,} letters lay unopened."


def _oil(article: Article) -> str:
    count = article.chance.randrange(14, 99)
    bounds = {"value": count, "hedge": "about"}
    article.figure(f"about {count} kilograms of lamp oil", bounds, "kilogram", "oil", "oil of a tower")
    return f"Each tower burns about {count} kilograms of lamp oil."


def _weeks(article: Article) -> str:
    count, weeks = article.chance.choice(list(words.YEARS_WORDS.items()))
    article.figure(f"{count} weeks", {"value": weeks, "hedge": "exact"}, "week", "waiting_time", "time without a ferry")
    return f"The ferry stayed away for {count} weeks."


def _share(article: Article) -> str:
    count = article.chance.randrange(1, 9) + 0.5
    bounds = {"value": count, "high": count, "hedge": "less_than"}
    article.figure(f"less than {count} percent of the towers", bounds, "percent", "share_of_towers", "towers")
    return f"By law, less than {count} percent of the towers may stand dark."


_KINDS = (_visitors, _lanterns, _letters, _oil, _weeks, _share)


def others(article: Article) -> None:
    """Add a date and, in some articles, a clock time, a scare quote, an ordinal or a name: each is waived."""
    day = f"{article.chance.choice(words.MONTHS)} {article.chance.randrange(1, 28)}"
    article.paragraphs.append(f"The last supply boat was seen on the evening of {day}. {filler(article)}")
    article.waiver(f"evening of {day}", "date")
    if article.number % 2:
        hour = f"{article.chance.randrange(4, 10)}:{article.chance.randrange(10, 60)}"
        article.paragraphs.append(f"{filler(article)} The siren went off at {hour} in the morning. {filler(article)}")
        article.waiver(f"went off at {hour}", "clock_time")
    if article.number % 3 == 1:
        called = article.quoted(article.chance.choice(words.SCARE))
        article.paragraphs.append(f"{filler(article)} It was called the {called} at the time. {filler(article)}")
        article.waiver(called, "scare_quote")
    if article.number % 4 == 1:
        article.paragraphs.append(f"{filler(article)} It was the third winter without repairs.")
        article.waiver("the third winter", "ordinal")
    if article.number % 7 == 1:
        route = f"Route {article.chance.randrange(2, 99)}"
        article.paragraphs.append(f"{filler(article)} The road, {route}, ends at the slip.")
        article.waiver(route, "name")


def filler(article: Article) -> str:
    """Return a sentence without numbers or quotations."""
    return words.prose(article.chance)
