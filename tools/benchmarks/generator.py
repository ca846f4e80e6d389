"""Generate an invented corpus of any size, as shards or as one file for each source, with the same bytes in every run.

An article consists of scenes, which are one or two paragraphs with their annotations. Each article has ten testimonies
and figures, about seven to three; the text between them contains no numbers and no quotations. A test ensures that the
corpus has no findings. An article depends only on its number, so a large corpus begins like a small one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import invented_words as words
import scenes
from articles import ANNOTATIONS_OF_A_SOURCE, Article, Entry, source_id
from scenes import AT_ODDS, SHARED_PERSONS, Scene

SOURCES_OF_A_PART = 2_000
WITHDRAWN_FROM = 27
"""The number of a source with a withdrawn passage and testimony."""
SIZE = 5_400
"""Minimum number of code points in the paragraphs of an article, which has about 6 kB with its head."""


# ---- an article --------------------------------------------------------------------------------------------------


def article_of(number: int) -> Article:
    """Return an article by its number, with its annotations."""
    article = Article(number)
    _head(article)
    name, surname = scenes.named(article, 0)
    article.surname = surname
    _scenes(article, name, surname)
    scenes.numbers(article)
    scenes.others(article)
    _prose(article)
    return article


def _scenes(article: Article, name: str, surname: str) -> None:
    """Add scenes in random order until the article has enough testimonies."""
    scenes.reported(article, name, surname)
    scenes.narrated(article, name, surname)
    singles: list[Scene] = [scenes.institution, scenes.group, scenes.partly_named]
    singles += [lambda a: scenes.printed_twice(a, name, surname), lambda a: scenes.predicted(a, surname)]
    doubles: list[Scene] = [_protected_pair, _named_pair]
    parts: list[tuple[int, Scene]] = [(1, scene) for scene in singles] + [(2, scene) for scene in doubles]
    article.chance.shuffle(parts)
    for size, scene in parts:
        if size <= article.testimonies_left:
            scene(article)


def _protected_pair(article: Article) -> None:
    scenes.protected_again(article, scenes.protected(article))


def _named_pair(article: Article) -> None:
    scenes.asked_back(article, *scenes.named(article, 1))


def _prose(article: Article) -> None:
    """Insert prose at random places until the article is long enough."""
    size = sum(map(len, article.paragraphs))
    while size < SIZE:
        paragraph = " ".join(scenes.filler(article) for _ in range(3))
        article.paragraphs.insert(article.chance.randrange(1, len(article.paragraphs) + 1), paragraph)
        size += len(paragraph)
        article.prose = paragraph


def _head(article: Article) -> None:
    """Set the lines above and below the article, and the facts of the source in them."""
    chance, number = article.chance, article.number
    outlet, port = chance.choice(words.OUTLETS), chance.choice(words.PORTS)
    writers = chance.sample(words.WRITERS, 1 + number % 2)
    month, day = chance.randrange(1, 13), chance.randrange(1, 29)
    printed = f"{words.MONTHS[month - 1]} {day}, {article.year}"
    title = f"Keepers Leave the {article.place} – and the Lamps {chance.choice(['Go Dark', 'Stay Lit', 'Grow Dim'])}"
    player, notice = ["0\nPlay Audio"] if number % 3 == 0 else [], f"Copyright {article.year} {outlet}"
    byline, line = f"By {' and '.join(writers)}", f"Published on {printed}"
    dated: Entry = {"basis": "stated", "evidence": printed, "value": f"{article.year}-{month:02d}-{day:02d}"}
    if number % 6 == 5:  # noqa: PLR2004  # every sixth has no date
        line, note = "", "The year is that of the copyright line, a by-line."
        dated = {"basis": "inferred", "note": note, "value": f"{article.year}~"}
    below = ["They left by night, and more are on their way."] if number % 2 else []
    article.head = [*player, title, *below, f"{byline}\n{line}".rstrip()]
    article.foot = [notice]
    article.paragraphs.append(f"{port.upper()} — {scenes.filler(article)} {scenes.filler(article)}")
    article.source = {
        "id": article.id,
        "seed": f"{article.id}.txt",
        "sha256": "",
        "title": title,
        **({"subtitle": below[0]} if below else {}),
        "authors": {"basis": "stated", "evidence": byline, "value": writers},
        "outlet": {"basis": "stated", "evidence": notice, "value": outlet},
        "published": dated,
        "language": "en",
        "dateline": port.upper(),
        "rights": "Nobody",
        "boilerplate": [*player, *filter(None, [line]), notice],
    }


def annotated(number: int) -> tuple[str, Entry, set[str]]:
    """Return the text of an article, its annotations, and the ids of the shared speakers in it."""
    article = article_of(number)
    text = "\n\n".join([*article.head, *article.paragraphs, *article.foot]) + "\n"
    cited = sorted({entry["outlet"] for entry in article.testimonies if "outlet" in entry})
    article.source["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    if cited:
        boilerplate = article.source.pop("boilerplate")
        article.source |= {"cited_outlets": cited, "boilerplate": boilerplate}
    records = {key: getattr(article, key) for key in ("speakers", "testimonies", "figures", "relations", "waivers")}
    entry = {"source": article.source, **{key: listed for key, listed in records.items() if listed}}
    if number == WITHDRAWN_FROM:
        start = text.index(article.prose)
        entry["withdrawn"] = [{"start": start, "end": start + len(article.prose)}]
    return text, entry, article.used


_KEYS: Mapping[str, tuple[str, ...]] = {
    "speakers": (
        *("use", "id", "kind", "role", "anonymity", "rank_class", "branch", "name", "pseudonym_possible", "note"),
        *("gender", "mentions", "request"),
    ),
    "testimonies": ("id", "speaker", "mode", "evidence", "attribution", "outlet", "themes", "note"),
    "figures": (
        *("id", "evidence", "value", "low", "high", "hedge", "unit", "measure", "population", "counted"),
        *("attributed_to", "testimony", "as_of", "place", "override", "note"),
    ),
    "relations": ("id", "kind", "result", "operands", "note"),
    "waivers": ("id", "evidence", "reason", "repeats", "every_occurrence", "note"),
}


def in_order(entry: Entry) -> Entry:
    """Return the annotations of a source with keys in the order of the models, as `shard` writes them."""
    ordered = {
        key: [{name: record[name] for name in keys if name in record} for record in entry[key]]
        for key, keys in _KEYS.items()
        if key in entry
    }
    return entry | ordered


# ---- files -------------------------------------------------------------------------------------------------------


def generate(root: Path, annotations: int, *, sources_per_part: int = SOURCES_OF_A_PART, small: bool = False) -> None:
    """Write a corpus to a folder, as shards or as a file and a seed for each source.

    Raises:
        ValueError: the number of annotations is not a positive multiple of ten, or there are not enough names.
    """
    sources, rest = divmod(annotations, ANNOTATIONS_OF_A_SOURCE)
    if rest or sources < 1:
        raise ValueError(f"{annotations} is not a positive multiple of {ANNOTATIONS_OF_A_SOURCE}")
    for folder in ("annotations", "seeds"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    used: set[str] = set()
    for part, first in enumerate(range(0, sources, sources_per_part)):
        numbers = range(first, min(first + sources_per_part, sources))
        if small:
            _write_small(root, numbers, used)
        else:
            _write_part(root, f"part-{part:05d}", numbers, used)
    shared = [speaker for speaker in _shared() if speaker["id"] in used]
    _write(root / "annotations" / "speakers.yaml", {"speakers": shared})
    _write(root / "annotations" / "vocabulary.yaml", _VOCABULARY)
    _write(root / "dataset.yaml", _DATASET)
    if sources > WITHDRAWN_FROM:
        _write(root / "annotations" / "tombstones.yaml", _TOMBSTONES)
    if sources > max(AT_ODDS):
        _write(root / "annotations" / "comparisons.yaml", {"comparisons": [_at_odds()]})


def _write_part(root: Path, name: str, numbers: range, used: set[str]) -> None:
    """Write one shard, with a line and a text for each source."""
    texts: list[str] = []
    ids: list[str] = []
    with (root / "annotations" / f"{name}.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
        for text, entry, shared in map(annotated, numbers):
            texts.append(text)
            ids.append(entry["source"]["id"])
            used |= shared
            lines.write(json.dumps(in_order(entry), ensure_ascii=False, separators=(",", ":")) + "\n")
    table = pa.table({"source_id": pa.array(ids, pa.string()), "text": pa.array(texts, pa.string())})
    pq.write_table(table, root / "seeds" / f"{name}.parquet", compression="zstd")


def _write_small(root: Path, numbers: range, used: set[str]) -> None:
    """Write a file of annotations and a seed for each source. The files are JSON, which is valid YAML."""
    for text, entry, shared in map(annotated, numbers):
        name = entry["source"]["id"]
        used |= shared
        _write(root / "annotations" / f"{name}.yaml", entry)
        (root / "seeds" / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")


def _write(path: Path, content: Entry) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def _shared() -> Iterator[Entry]:
    """Yield the speakers who are in many sources."""
    for person in range(SHARED_PERSONS):
        known = {"kind": "person", "role": "defector", "anonymity": "named", "name": " ".join(words.person(person))}
        yield {"id": f"shared-person-{person + 1}", **known, "branch": "navy"}
    for i, name in enumerate(words.INSTITUTIONS):
        yield {"id": f"shared-institution-{i + 1}", "kind": "institution", "role": "other", "name": name}


def _at_odds() -> Entry:
    """Return the note on two figures that differ and are undated."""
    figures = [
        figure["id"]
        for number in AT_ODDS
        for figure in article_of(number).figures
        if figure["measure"] == "towers_closed"
    ]
    return {"figures": figures, "note": "The figures may have different subjects."}


_TOMBSTONES: Entry = {
    "tombstones": [
        {
            "table": "testimonies",
            "id": f"{source_id(WITHDRAWN_FROM)}-t99",
            "date": "2020-02-28",
            "reason": "person",
        }
    ]
}
_MEASURES = {
    "monthly_pay": "usd_per_month",
    "keepers_who_left": "person",
    "share_who_would_return": "percent",
    "service_strength": "person",
    "keys_handed_in": "person",
    "visitors": "person",
    "lanterns": "item",
    "letters": "item",
    "oil": "kilogram",
    "waiting_time": "week",
    "share_of_towers": "percent",
}
_VOCABULARY: Entry = {
    "themes": [
        {"term": "hunger_pay", "definition": "Food, oil and pay.", "triggers": ["oil", "pay", "hungry", "bread"]},
        {"term": "fear_reprisal", "definition": "Fear of what may follow.", "triggers": ["fear*", "afraid"]},
        {"term": "weather", "definition": "Wind and fog.", "triggers": ["wind", "fog"]},
        {
            "term": "family",
            "definition": "Relatives and the family who stayed.",
            "triggers": ["brother", "daughter", "mother", "wife", "children*"],
        },
        {
            "term": "escape",
            "definition": "How the keepers crossed.",
            "triggers": ["cross*", "rowed across", "drifted", "walked to"],
        },
        {"term": "will_to_return", "definition": "Whether they would return.", "triggers": ["return*"]},
        {"term": "other", "definition": "Anything else."},
    ],
    "measures": [
        *({"term": m, "definition": "What it says.", "units": [u], "comparable": False} for m, u in _MEASURES.items()),
        {"term": "boats_lost", "definition": "Boats that were lost.", "units": ["item"]},
        {"term": "towers_closed", "definition": "Towers that were closed.", "units": ["item"]},
    ],
    "populations": [{"term": "lighthouse_keepers", "definition": "All keepers of lighthouses."}],
    "roles": [
        {"term": "defector", "definition": "A keeper who left.", "pseudonym_possible": True},
        {"term": "relative", "definition": "A relative of a keeper.", "pseudonym_possible": True},
        {"term": "other", "definition": "Anyone else."},
    ],
    "rank_classes": [
        {"term": "officer", "definition": "An officer."},
        {"term": "non_commissioned", "definition": "A keeper of a lower rank who is not commissioned."},
    ],
    "branches": [
        {"term": "army", "definition": "A regiment.", "triggers": ["regiment"]},
        {"term": "navy", "definition": "The navy of the lighthouses."},
    ],
    "places": [
        {"term": words.term_of(place), "definition": "Isles.", "kind": "region", "spellings": [place]}
        for place in words.PLACES
    ],
    "tolerances": [{"hedge": "about", "percent": 10}, {"hedge": "nearly", "percent": 10}],
}
_DATASET: Entry = {
    "name": "invented-bulk",
    "title": "Testimonies of many lighthouse keepers who never were",
    "summary": "Invented articles about keepers who left invented isles.",
    "version": "1.0.0",
    "released": "2020-02-29",
    "keywords": ["lighthouses"],
    "contributors": [{"title": "The inventors", "roles": ["annotator", "publisher"]}],
    "contact": {"public": "There is no contact."},
    "licence": {
        "name": "CC0-1.0",
        "title": "Creative Commons Zero 1.0",
        "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    },
    "rights": "There are none.",
    "coverage": {"time": "2015/..", "places": ["The Northern Isles"]},
    "purpose": "To measure how fast a large corpus is built.",
    "collection": "All articles were invented by a program.",
    "annotation": "All records were generated together with their articles.",
    "uses": ["Measuring."],
    "not_for": ["Anything else."],
    "limitations": ["All statements are invented."],
    "biases": ["Only keepers of lighthouses are quoted."],
    "sensitive": "There is no sensitive content.",
    "protection": "Invented persons are protected like any others.",
    "maintenance": "The corpus is generated for each measurement.",
}


def main() -> None:
    """Write a corpus to a folder."""
    parser = argparse.ArgumentParser(description="Write an invented corpus to a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("annotations", type=int, help="a multiple of ten")
    parser.add_argument("--small", action="store_true", help="a file and a seed for each source")
    parser.add_argument("--sources-per-part", type=int, default=SOURCES_OF_A_PART)
    asked = parser.parse_args()
    generate(asked.folder, asked.annotations, sources_per_part=asked.sources_per_part, small=asked.small)


if __name__ == "__main__":
    main()
