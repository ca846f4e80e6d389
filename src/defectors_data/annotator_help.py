"""Help for annotators: list what remains to be annotated, locate words in a text, and write a first draft.

Each open item has its place, its sentence with the words marked, the nearest speaker, and a record to paste and
complete. Reporting verbs without a testimony are listed on request, as advice.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from defectors_data.corpus.context import Context
from defectors_data.corpus.files import Tree
from defectors_data.corpus.findings import Place
from defectors_data.corpus.reader import read_context
from defectors_data.evidence.anchoring import Quote, SearchedText, chosen_in_yaml, find_every_span, joined
from defectors_data.evidence.document import Document
from defectors_data.evidence.identity import released
from defectors_data.evidence.ledger import ledger_of, units_by_noun
from defectors_data.models.annotation import NamedPerson, SharedPerson
from defectors_data.text.detection import Detection, detect, is_age, states_age
from defectors_data.text.lexicon import UNITS
from defectors_data.text.offsets import Span, line_and_column, sentence_around
from defectors_data.text.quantities import Quantity
from defectors_data.text.reporting_verbs import SENTENCE_END, unaccounted
from defectors_data.text.reporting_verbs import verbs as reporting_verbs
from defectors_data.text.similarity import continuation, difference, in_yaml, nearest


class Item(NamedTuple):
    """A quotation, number or verb that is not covered, with a record that would cover it."""

    place: Place
    kind: str
    text: str
    sentence: str
    speaker: str | None
    yaml: str


def remaining(document: Document, *, verbs: bool = False) -> list[Item]:
    """Return the items that are not covered in a source, in reading order; reporting verbs only if `verbs` is true."""
    numbers = Numbers.of(document)
    items = [_item(document, group, numbers) for group in groups(document)]
    if verbs:
        items += [_worded(document, verb, "reporting verb", "") for verb in _verbs(document)]
    return sorted(items, key=lambda item: item.place)


def summary(items: list[Item], document: Document) -> str:
    """Return the numbers of items by kind, such as "12 quotations, 5 quantities left in 900_example.txt"."""
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
    """A generator of unused ids for the records of a source."""

    def __init__(self, source: str, used: Iterable[str], context: Context) -> None:
        """Collect the ids that are used, including those of tombstones and earlier releases."""
        self.source, self.given = source, {*used, *(stone.id for stone in context.tombstones), *released(context)}

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return the generator for a document."""
        return cls(document.source.id, (name for _, _, name in document.records), document.context)

    def next(self, beginning: str) -> str:
        """Return the unused id with the lowest number; `beginning` precedes the number, such as `t` or `speaker-`."""
        number = 1
        while f"{self.source}-{beginning}{number}" in self.given:
            number += 1
        self.given.add(f"{self.source}-{beginning}{number}")
        return f"{self.source}-{beginning}{number}"


def groups(document: Document) -> list[list[Detection]]:
    """Return the detections that are not covered, in reading order, grouped: parts of one quotation form a group.

    A quotation inside another one is left out.
    """
    found, last = list[list[Detection]](), 0
    for each in (entry.detection for entry in ledger_of(document).left()):
        if each.kind != "quotation":
            found.append([each])
        elif each.end > last:
            last = each.end
            before = next((group for group in reversed(found) if group[0].kind == "quotation"), None)
            if before and _continues(document, before[-1], each):
                before.append(each)
            else:
                found.append([each])
    return found


_LONGEST = 200
"""Maximum length of an attribution between two parts of a quotation, in code points."""


def _continues(document: Document, first: Detection, second: Detection) -> bool:
    """Return whether a quotation continues another one after an attribution, and has no attribution itself."""
    text, quoted, between = document.text, ledger_of(document).quoted, Span(first.end, second.start)
    end = sentence_end(text, first.end)
    if text[first.end - 1] == "." or "\n" in text[slice(*between)] or second.start - first.end > _LONGEST:
        return False
    if re.search(r"\w", text[end : second.start]) or not reporting_verbs(text, between, quoted):
        return False
    after = Span(second.end, sentence_end(text, second.end))
    return not (end < second.start and text[second.end - 1] == "," and reporting_verbs(text, after, quoted))


def sentence_end(text: str, start: int) -> int:
    """Return the offset of the end of the sentence or paragraph that contains an offset."""
    found = SENTENCE_END.search(text, start)
    return found.start() if found else len(text)


def evidence_yaml(group: Sequence[Detection], text: str) -> str:
    """Return detections as evidence in YAML, with a note of missing quotation marks."""
    missing = ["closing" if each.unclosed else "opening" if each.unopened else None for each in group]
    found = zip(group, missing, strict=True)
    parts = [chosen_in_yaml(Span(each.start, each.end), text, unbalanced=mark) for each, mark in found]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"


_WORD = r"[^\W\d_a-z][\w'’.-]*"
NAME = rf"{_WORD}(?:(?: (?:de|del|da|dos|la|las|van|von|bin|al))* {_WORD}){{0,4}}"
"""The pattern of a name: words with capital letters."""


def aged(text: str, found: Detection) -> Span | None:
    """Return the span of a name with its age, as in `Milo Arden, 31`, if a number is an age after a name.

    If it is an age without a name, return the span of the number; otherwise None.
    """
    before = re.search(rf"(?:{NAME}), $", text[max(0, found.start - 80) : found.start])
    if before and is_age(text, found) and re.match(r"[,.;]|$", text[found.end :]):
        return Span(found.start - len(before[0]), found.end)
    return Span(found.start, found.end) if states_age(text, found) else None


def _item(document: Document, group: Sequence[Detection], numbers: Numbers) -> Item:
    found, text, kind = group[0], document.text, group[0].kind
    span, evidence = Span(found.start, found.end), evidence_yaml(group, text)
    if kind == "quotation":
        yaml = testimony_yaml(numbers.next("t"), evidence, nearest_speaker(document, span))
    elif found.quantity and (age := aged(text, found)):
        yaml = waiver_yaml(numbers.next("w"), evidence, "protected_attribute")
        if age != span:
            words = chosen_in_yaml(age, text)
            yaml = f"- id: {numbers.next('m')}\n  evidence: {words}\n  age: {found.quantity.value:.12g}"
    elif found.quantity:
        yaml = figure_yaml(numbers.next("f"), evidence, found.quantity, text[slice(*span)])
    else:
        yaml = waiver_yaml(numbers.next("w"), evidence, kind)
    return _worded(document, span, kind, yaml)


def waiver_yaml(name: str, evidence: str, reason: str) -> str:
    """Return a waiver to paste."""
    return f"- id: {name}\n  evidence: {evidence}\n  reason: {reason}"


def _worded(document: Document, span: Span, kind: str, yaml: str) -> Item:
    words, sentence = document.text[slice(*span)], sentence_around(document.text, span)
    return Item(document.place_in_seed(span.start), kind, words, sentence, nearest_speaker(document, span), yaml)


def _verbs(document: Document) -> list[Span]:
    """Return the reporting verbs that no testimony covers, outside boilerplate and waived words."""
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
    """Return a verb with the words around it in its line, to find whether the passage repeats evidence."""
    before = document.text[max(0, verb.start - 20) : verb.start].rpartition("\n")[2]
    after = document.text[verb.end : verb.end + 20].partition("\n")[0]
    return f"{before}{document.text[slice(*verb)]}{after}"


def nearest_speaker(document: Document, span: Span) -> str | None:
    """Return the speaker with the nearest mention or surname, in the same paragraph if possible.

    Return None if there is no speaker. The id of a protected person is returned only if it is a number, because any
    other id may identify the person.
    """
    numbered = re.compile(re.escape(document.source.id) + "-speaker-[1-9][0-9]*")
    hidden = {s.id for _, s in document.speakers if s.protected and not numbered.fullmatch(s.id)}
    mentions = [
        (where, speaker)
        for path, _ in document.mentions
        if (speaker := document.entry_of(path).id) not in hidden
        for where in document.evidence_of(path)
    ]
    for name, known in document.speakers_by_id.items():
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
    # No speaker has the id `who`, so `check` reports it until it is replaced.
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


def numbers_in(words: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """Return the numbers in some words as dictionaries: the kind, and the fields of a quantity, with guesses.

    If the vocabulary of the project in `folder` can be read, its nouns are recognised as well.
    """
    context = read_context(Tree(folder))[0] if folder else None
    units = units_by_noun(context) if context else UNITS
    return [
        {
            "words": words[found.start : found.end],
            "kind": found.kind,
            **(found.quantity._asdict() if found.quantity else {}),
        }
        for found in detect(words, units)
        if found.kind != "quotation"
    ]


def worded(number: Mapping[str, Any]) -> str:
    """Return such a number as text: `3.4 million: value 3400000, hedge about, unit person`, or `May 3: date`."""
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
    """Find words in a text; if it does not contain them, show the most similar words and the differences."""
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
"""Minimum number of words in a title."""

_FUNCTION_WORDS = {
    "en": "the of and to in that was for with they said from have who",
    "es": "el la de que los las en y para con por una dijo",
    "pt": "o a de que os as em e para com por uma disse não",
    "fr": "le la les de des et que pour avec dans une qui dit",
    "de": "der die das und zu den mit von für ist nicht sich auf",
}


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, with a guess at its title and language.

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


def reading(text: str, data: bytes, stem: str) -> str:
    """Return an empty reading of a seed, for `agreement`: the facts of the source, and no records."""
    source, records = draft(text, data, stem, taken=()).split("source:\n")[1].split("\n\nspeakers:")
    facts = [
        line for line in source.split("\n") if line.split(":")[0].strip() in ("seed", "sha256", "title", "language")
    ]
    head = "# A blind reading: annotate by the codebook, without opening the records or another reading.\nsource:\n"
    return (
        head + "\n".join([*facts, "  draft: true"]) + "\n\nspeakers:" + records.removesuffix("\n\nwaivers: []\n") + "\n"
    )


def _title(text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return next((line for line in lines if len(line.split()) >= _TITLE_WORDS), lines[0] if lines else "untitled")


def _id(title: str, stem: str, taken: Collection[str]) -> str:
    """Return an id from the first words of the title, or from the seed's name if that id is taken or empty."""
    # Ids have at most 80 characters, and those of records begin with the id of the source.
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
