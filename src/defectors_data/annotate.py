"""Help for annotators: what is still to annotate in a source, where words are in a text, and a first draft.

Each open item has its place, its sentence with the words marked, the nearest speaker, and a record to paste and
complete. Reporting verbs without a testimony are listed on request, as advice.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from defectors_data.corpus.findings import Place
from defectors_data.evidence.anchoring import Quote, SearchedText, chosen_in_yaml, find_every_span, joined
from defectors_data.evidence.document import Document
from defectors_data.evidence.ledger import LedgerEntry, ledger_of
from defectors_data.models.annotation import NamedPerson, SharedPerson
from defectors_data.text.detection import detect
from defectors_data.text.offsets import Span, line_and_column, sentence_around
from defectors_data.text.quantities import Quantity
from defectors_data.text.reporting_verbs import unaccounted
from defectors_data.text.similarity import continuation, difference, in_yaml, nearest


class Item(NamedTuple):
    """A quotation, number or verb that nothing accounts for, and a record that would account for it."""

    place: Place
    kind: str
    text: str
    sentence: str
    speaker: str | None
    yaml: str


def remaining(document: Document, *, verbs: bool = False) -> list[Item]:
    """Return what is not accounted for in a source, in reading order, on request including reporting verbs."""
    numbers = Numbers(document)
    items = [_item(document, entry, numbers) for entry in ledger_of(document).left()]
    if verbs:
        items += [_worded(document, verb, "reporting verb", "") for verb in _verbs(document)]
    return sorted(items, key=lambda item: item.place)


def summary(items: list[Item], document: Document) -> str:
    """Return the number of items as words: "12 quotations, 5 quantities left in 900_example.txt"."""
    quotations = sum(item.kind == "quotation" for item in items)
    verbs = sum(item.kind == "reporting verb" for item in items)
    quantities = len(items) - quotations - verbs
    counted = [_count(quotations, "quotation"), _count(quantities, "quantity")]
    if verbs:
        counted.append(_count(verbs, "reporting verb"))
    return f"{', '.join(counted)} left in {document.source.seed}"


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


class Numbers:
    """The ids of a source that are not used yet."""

    def __init__(self, document: Document) -> None:
        """Read the ids that are used."""
        self.source = document.source.id
        self.given = {name for _, _, name in document.records}

    def next(self, letter: str) -> str:
        """Return the lowest id that is not used, with a letter such as `t` of a testimony or `speaker-`, and use it."""
        number = 1
        while f"{self.source}-{letter}{number}" in self.given:
            number += 1
        self.given.add(f"{self.source}-{letter}{number}")
        return f"{self.source}-{letter}{number}"


def _item(document: Document, entry: LedgerEntry, numbers: Numbers) -> Item:
    found = entry.detection
    span = Span(found.start, found.end)
    missing = "closing" if found.unclosed else "opening" if found.unopened else None
    evidence = chosen_in_yaml(span, document.text, unbalanced=missing)
    if found.kind == "quotation":
        yaml = testimony_yaml(numbers.next("t"), evidence, nearest_speaker(document, span))
    elif found.kind == "quantity" and found.quantity:
        yaml = figure_yaml(numbers.next("f"), evidence, found.quantity, document.text[slice(*span)])
    else:
        yaml = f"- id: {numbers.next('w')}\n  evidence: {evidence}\n  reason: {found.kind}"
    return _worded(document, span, found.kind, yaml)


def _worded(document: Document, span: Span, kind: str, yaml: str) -> Item:
    words, sentence = document.text[slice(*span)], sentence_around(document.text, span)
    return Item(document.place_in_seed(span.start), kind, words, sentence, nearest_speaker(document, span), yaml)


def _verbs(document: Document) -> list[Span]:
    """Return the reporting verbs that no testimony accounts for, outside boilerplate and waived words."""
    inside = [*document.at(("source", "boilerplate"))]
    direct: list[Span] = []
    for path, testimony in document.testimonies:
        spans = document.evidence_of(path)
        (direct if testimony.mode == "direct" else inside).extend(spans)
    evidence = " ".join(document.text[slice(*span)] for span in [*inside, *direct])
    for path, _ in document.waivers:
        inside += document.evidence_of(path)
    return [verb for verb in unaccounted(document.text, inside, direct) if _around(document, verb) not in evidence]


def _around(document: Document, verb: Span) -> str:
    """Return a verb with the words around it in its line; if evidence contains them, the passage is a repeated one."""
    before = document.text[max(0, verb.start - 20) : verb.start].rpartition("\n")[2]
    after = document.text[verb.end : verb.end + 20].partition("\n")[0]
    return f"{before}{document.text[slice(*verb)]}{after}"


def nearest_speaker(document: Document, span: Span) -> str | None:
    """Return the speaker with the nearest mention or surname, in the same paragraph if possible.

    A protected person's id is only repeated if it is a number, because any other may identify the person.
    """
    numbered = re.compile(re.escape(document.source.id) + "-speaker-[1-9][0-9]*")
    hidden = {s.id for _, s in document.speakers if s.protected and not numbered.fullmatch(s.id)}
    mentions = [
        (where, speaker)
        for path, _ in document.mentions
        if (speaker := document.entry_of(path).id) not in hidden
        for where in document.evidence_of(path)
    ]
    for name, known in document.heard.items():
        if isinstance(known, NamedPerson | SharedPerson):
            surname = re.compile(rf"\b{re.escape(known.name.split()[-1])}\b")
            mentions += [(Span(*hit.span()), name) for hit in surname.finditer(document.text)]

    def distance(mention: tuple[Span, str]) -> tuple[bool, int]:
        where, _ = mention
        first, second = sorted((where, span))
        # False comes first: the same paragraph.
        return "\n" in document.text[first.start : second.end], max(0, second.start - first.end)

    return min(mentions, key=distance)[1] if mentions else None


def testimony_yaml(name: str, evidence: str, speaker: str | None) -> str:
    """Return a testimony to paste and complete."""
    # `who` is the id of no speaker, so that `check` reports it until it is replaced.
    lines = [f"- id: {name}", f"  speaker: {speaker or 'who'}", "  mode: direct", f"  evidence: {evidence}"]
    return "\n".join([*lines, "  themes: [other]"])


def figure_yaml(name: str, evidence: str, said: Quantity, words: str) -> str:
    """Return a figure to paste and complete."""
    bounds = [(key, getattr(said, key)) for key in ("value", "low", "high")]
    lines = [
        f"- id: {name}",
        f"  evidence: {evidence}",
        *(f"  {key}: {number:.12g}" for key, number in bounds if number is not None),
        f"  hedge: {said.hedge}{f'  # a guess: or {said.other_hedge}' if said.other_hedge else ''}",
        f"  unit: {said.unit or said.likely_unit or 'other'}{'' if said.unit else '  # a guess'}",
        "  measure: name_it",
        f"  counted: {in_yaml(words)}",
    ]
    return "\n".join(lines)


# ---- number ------------------------------------------------------------------------------------------------------


def numbers_in(words: str) -> list[dict[str, Any]]:
    """Return the numbers in some words: the kind of each, and of a quantity its fields, with the guesses."""
    return [
        {
            "words": words[found.start : found.end],
            "kind": found.kind,
            **(found.quantity._asdict() if found.quantity else {}),
        }
        for found in detect(words)
        if found.kind != "quotation"
    ]


def worded(number: Mapping[str, Any]) -> str:
    """Return a number as `3.4 million: value 3400000, hedge about, unit person`, or as `May 3: date`."""
    if number["kind"] != "quantity":
        return f"{number['words']}: {number['kind'].replace('_', ' ')}, not a quantity"
    bounds = [f"{key} {number[key]:.12g}" for key in ("value", "low", "high") if number[key] is not None]
    hedge = f"hedge {number['hedge']}" + (f" (a guess: or {number['other_hedge']})" if number["other_hedge"] else "")
    unit = number["unit"] or (f"{number['likely_unit']} (a guess)" if number["likely_unit"] else "not stated")
    return f"{number['words']}: {', '.join([*bounds, hedge, f'unit {unit}'])}"


# ---- locate ------------------------------------------------------------------------------------------------------


class Located(NamedTuple):
    """Lines to print, and whether the text contains the words exactly."""

    lines: list[str]
    found: bool


def locate(words: str, file: str, text: str) -> Located:
    """Find words in a text; if it does not contain them, show the most similar words and what differs."""
    if not words:
        return Located(["No words were given."], found=False)
    if words not in text:
        return Located(_nearest(words, file, text), found=False)
    spans, cut = find_every_span(Quote(words, Place(file)), SearchedText(file, text))
    if cut:
        return Located([f"{file}: contains these words only inside longer words.", *cut[0].help], found=False)
    lines: list[str] = []
    for span in spans:
        lines += [_shown(file, text, span), f"evidence: {chosen_in_yaml(span, text)}"]
    return Located(lines, found=True)


def _shown(file: str, text: str, span: Span) -> str:
    line, column = line_and_column(text, span.start)
    return f"{file}:{line}:{column}: {sentence_around(text, span)}"


def _nearest(words: str, file: str, text: str) -> list[str]:
    span = nearest(words, text)
    if not span:
        return [f"{file}: contains neither these words nor similar ones."]
    seed = text[span.start : span.end]
    if parts := continuation(words, text, span):
        first = f"{file}: does not contain these words in one line; the most similar are:"
        return [first, *(_shown(file, text, part) for part in parts), *joined(text, parts)]
    return [
        f"{file}: does not contain these words; the most similar are:",
        _shown(file, text, span),
        difference(words, seed),
        f"evidence: {in_yaml(seed)}",
    ]


# ---- draft -------------------------------------------------------------------------------------------------------


_TITLE_WORDS = 4
"""Words of a title at least."""

_FUNCTION_WORDS = {
    "en": "the of and to in that was for with they said from have who",
    "es": "el la de que los las en y para con por una dijo",
    "pt": "o a de que os as em e para com por uma disse não",
    "fr": "le la les de des et que pour avec dans une qui dit",
    "de": "der die das und zu den mit von für ist nicht sich auf",
}


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, with its title and language guessed.

    The title is the first line of four words or more. The language is the one with the most function words, or `und`
    (undetermined, BCP 47) if there are none.

    Args:
        text: the text of the seed.
        data: the bytes of the seed.
        stem: the name of the seed without its ending.
        taken: the ids of other sources.
    """
    title = _title(text)
    return _TEMPLATE.format(
        id=_id(title, stem, taken),
        seed=f"{stem}.txt",
        sha256=hashlib.sha256(data).hexdigest(),
        title=chosen_in_yaml(Span(at := text.index(title), at + len(title)), text),
        language=_language(text),
    )


def _title(text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return next((line for line in lines if len(line.split()) >= _TITLE_WORDS), lines[0] if lines else "untitled")


def _id(title: str, stem: str, taken: Collection[str]) -> str:
    """Return an id from the first words of the title, or from the seed's name if that id is taken or empty."""
    # Ids have at most 80 characters, and those of records add to that of the source.
    name = "-".join(slug(title).split("-")[:5])[:60]
    fallback = "-".join(re.findall(r"[a-z0-9]+", stem.casefold())) or "source"
    return name if name and name not in taken else fallback


def slug(words: str) -> str:
    """Return words as an id: letters without accents and digits, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().casefold()
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def _language(text: str) -> str:
    counted = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    scores = {code: sum(counted[word] for word in words.split()) for code, words in _FUNCTION_WORDS.items()}
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] else "und"


_TEMPLATE = """\
# yaml-language-server: $schema=../schema/annotations.schema.json
# What is still to annotate, in reading order: defectors-data todo {seed}
source:
  id: {id}
  seed: {seed}
  sha256: {sha256}
  title: {title}
  language: {language}
  rights: All rights with the publisher

speakers: []

testimonies: []

figures: []

waivers: []
"""
