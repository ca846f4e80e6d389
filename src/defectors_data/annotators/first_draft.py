"""First drafts of annotation files: facts of the source and, on request, guesses at its records.

The guesses are speakers, testimonies with the themes whose triggers they contain, figures, waivers,
byline, date and boilerplate. Each guessed record has `draft: true`, so that nothing is published
before a person has reviewed it. Measures are left to that person.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from defectors_data.annotators.draft_speakers import DraftSpeakers
from defectors_data.annotators.introductions import NAME, names_in_byline
from defectors_data.annotators.proposals import (
    Proposal,
    of_detections,
    testimony,
    waiver,
)
from defectors_data.annotators.record_yaml import UnusedIds, listed, record_yaml
from defectors_data.annotators.worklist import groups, statements
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.validation_errors import to_project_file
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.models.annotation import Annotations
from defectors_data.text.detection import Detection
from defectors_data.text.english.languages import UNDETERMINED, is_english, likely_language
from defectors_data.text.occurrences import says_the_same, slug
from defectors_data.text.offsets import Span, is_inside
from defectors_data.text.quantities import Quantity

_BYLINE = re.compile(
    rf"^[Bb][Yy] (?P<names>{NAME}(?:(?:, | and |, and ){NAME})*)[ \t]*$", re.MULTILINE
)
_DATE = re.compile(
    r"^(?:\w+day, |(?:Published|Updated|Posted):? (?:on )?)?([A-Z][a-z]+ \d{1,2}, \d{4})\b",
    re.MULTILINE,
)
_BOILERPLATE = re.compile(
    r"^(?:copyright\b|©|all rights reserved|advertisement$|play (?:audio|video|live)|listen$"
    r"|share(?: this)?\b.{0,20}$|sign up\b|subscribe\b|read more\b|related:|follow us\b|skip to\b"
    r"|loading|(?:additional )?reporting by\b|[\[(*]?editor(?:['’]s|s['’]?) note ?[:—–]).*$",
    re.IGNORECASE | re.MULTILINE,
)
_TITLE_WORDS = 4
"""Minimum number of words in a title."""


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, with a guess at its title and language.

    The title is the first line of four words or more, with the next if it ends in a mark that
    announces one; or else the first line of the article, if it is shorter and a sentence follows. If
    that is a sentence of the article, there is no headline, and a note says so. If the language
    seems to be another than English, nothing is claimed for the source.

    Args:
        text: the text of the seed.
        data: the bytes of the seed.
        stem: the file name of the seed without its extension.
        taken: the ids of other sources.
    """
    title = _title(text)
    at = text.index(title)
    language = likely_language(text)
    if not is_english(language) and language != UNDETERMINED:
        language += "\n  completeness: none"
    return _TEMPLATE.format(
        id=_id(title, stem, taken),
        seed=f"{stem}.txt",
        sha256=hashlib.sha256(data).hexdigest(),
        title=_headline(text, Span(at, at + len(title))),
        language=language,
    )


_SENTENCE = re.compile(r"[a-z0-9”\"’)][.!?][”\"’]?(?:\s|$)")
_LONGEST_HEADLINE = 15
"""Maximum number of words of a headline that ends with a full stop."""


def _headline(text: str, span: Span) -> str:
    """Return the key and the value of a title in YAML, or a note that there is none."""
    words = text[slice(*span)].partition("\n")[0]
    ends = _SENTENCE.findall(words)
    is_text = len(ends) > 1 or (ends and len(words.split()) > _LONGEST_HEADLINE)
    if is_text:
        return "note: The article has no headline."
    return f"title: {chosen_in_yaml(span, text)}"


def language_line(text: str) -> str:
    """Return what to say about the language of a text; "" if it seems to be English."""
    language = likely_language(text)
    if is_english(language):
        return ""
    if language == UNDETERMINED:
        return "Its language was not recognised: correct `language`. Only English is read."
    claimed = "only English is read: `completeness: none` claims nothing."
    return f"Its language seems to be `{language}`, and {claimed}"


_FACTS_OF_READING = ("id", "seed", "sha256", "title", "language", "completeness", "rights", "note")
"""The keys of a source that the file of a second reading contains."""
_HEAD_OF_READING = """\
# A blind reading: follow the codebook, without opening the records or another reading.
source:
"""


def reading(text: str, data: bytes, stem: str) -> str:
    """Return the file for a second reading of a seed: facts of the source, and no records."""
    first = draft(text, data, stem, taken=())
    source, records = first.split("source:\n")[1].split("\n\nspeakers:")
    lines = source.split("\n")
    facts = [line for line in lines if line.split(":")[0].strip() in _FACTS_OF_READING]
    facts.append("  draft: true")
    without_waivers = records.removesuffix("\n\nwaivers: []\n")
    return _HEAD_OF_READING + "\n".join(facts) + f"\n\nspeakers:{without_waivers}\n"


def _title(text: str) -> str:
    stripped = [line.strip() for line in text.split("\n")]
    lines = [line for line in stripped if line]
    for at, line in enumerate(lines):
        if len(line.split()) >= _TITLE_WORDS:
            if at == 1 and _SENTENCE.search(line) and _is_short_headline(lines[0]):
                return lines[0]
            return _with_next_line(text, line)
    return lines[0] if lines else "untitled"


def _is_short_headline(line: str) -> bool:
    """Return whether a line of two or three words can be a headline: no boilerplate, no sentence."""
    return " " in line and not _BOILERPLATE.match(line) and not _SENTENCE.search(line)


_ANNOUNCES = re.compile(r"[;:,–—-][ \t]*\n[ \t]*(?=\S)([^\n]*\S)")
"""The end of a headline that continues in the next line."""


def _with_next_line(text: str, line: str) -> str:
    """Return a headline with the next line, if the headline ends in a mark that announces it."""
    start = text.index(line)
    following = _ANNOUNCES.match(text, start + len(line) - 1)
    if following and len(following[1].split()) <= _LONGEST_HEADLINE:
        return text[start : following.end()]
    return line


def _id(title: str, stem: str, taken: Collection[str]) -> str:
    """Return an id from the first words of the title or, if it is taken, from the seed's name."""
    # An id may have at most 80 characters, and those of records begin with that of their source.
    name = "-".join(slug(title).split("-")[:5])[:60]
    if name and name not in taken:
        return name
    return "-".join(re.findall(r"[a-z0-9]+", stem.casefold())) or "source"


_TEMPLATE = """\
# yaml-language-server: $schema=../schema/annotations.schema.json
# What is left to annotate, in reading order: defectors-data todo {seed}
source:
  id: {id}
  seed: {seed}
  sha256: {sha256}
  {title}
  language: {language}
  rights: All rights with the publisher

speakers: []

testimonies: []

figures: []

waivers: []
"""


# ---- guesses -------------------------------------------------------------------------------------


def filled(text: str, draft: str, file: str, context: Context) -> str:
    """Return an annotation file with all guesses added, or without if the facts are not valid.

    Args:
        text: the text of the seed.
        draft: the annotation file, as the function `draft` returns it.
        file: the path of the annotation file, relative to the project's folder.
        context: the files that the articles share, such as the vocabulary.
    """
    head = draft.partition("\n\nspeakers:")[0]
    for line in _facts(text):
        head += f"\n  {line}"
    typed = yaml_reader.parse(head, file=file)
    content = to_project_file(typed, file, Annotations, list[Finding]())
    if content is None:
        return draft
    records = _DraftWriter(Document(content, text, file, context)).records()
    lists = [_list(key, items) for key, items in records.items()]
    return f"{head}\n{''.join(lists)}"


def _list(key: str, records: Sequence[str]) -> str:
    """Return records in YAML as a list of the file."""
    if not records:
        return f"\n{key}: []\n"
    items = [listed(record).replace("\n", "\n  ") for record in records]
    return f"\n{key}:\n" + "".join(f"  {item}\n" for item in items)


def _facts(text: str) -> Iterator[str]:
    """Yield the byline, the date of publication and the boilerplate as lines of YAML."""
    yield "draft: true"
    if found := _BYLINE.search(text):
        names = [in_yaml(name) for name in names_in_byline(found["names"])]
        yield _stated("authors", f"[{', '.join(names)}]", Span(*found.span()), text)
    for found in _DATE.finditer(text):
        with suppress(ValueError):
            day = dt.datetime.strptime(found[1], "%B %d, %Y").replace(tzinfo=dt.UTC).date()
            yield _stated("published", str(day), Span(*found.span(1)), text)
            break
    tail = _tail(text)
    spans = [Span(*found.span()) for found in _BOILERPLATE.finditer(text, 0, tail.start)]
    if tail.start < tail.end:
        spans.append(tail)
    if spans:
        yield f"boilerplate: [{', '.join(chosen_in_yaml(span, text) for span in spans)}]"


_TAIL_HEADING = re.compile(
    r"(?:sources?|references?|notes|categories|external links?|see also|further reading"
    r"|related (?:news|stories|articles|links|coverage)|more (?:news|stories)):?",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[“\"'‘«*•–—-]|\d+[.)] |\[\d+\]|(?:categories|tags|topics): ", re.IGNORECASE)
_LONGEST_IN_LIST = 25
"""Maximum number of words of a line in a list at the end of an article."""
_YEAR_AT_END = re.compile(r"\b(?:19|20)\d\d\b.{0,3}$")


def _tail(text: str) -> Span:
    """Return the lists at the end of an article, such as its sources; empty if there are none.

    Their lines are titles of publications with dates, or short lines after a heading.
    """
    lines = [Span(*found.span()) for found in re.finditer(r"[^\n]*\S[^\n]*", text)]
    start = end = len(text.rstrip())
    for line in reversed(lines[1:]):
        words = text[slice(*line)].strip()
        is_title = bool(_LISTED.match(words) or "“" in words or '"' in words)
        is_citation = is_title and _YEAR_AT_END.search(words)
        if _TAIL_HEADING.fullmatch(words) or is_citation:
            start = line.start
        elif not _is_listed(words):
            break
    return Span(start, end)


def _is_listed(words: str) -> bool:
    is_short = len(words.split()) <= _LONGEST_IN_LIST
    is_sentence = words.endswith((".", "!", "?", ".”", '."', "”", '"'))
    return is_short and not is_sentence


def _stated(key: str, value: str, words: Span, text: str) -> str:
    """Return a fact that the article states, as a line of YAML."""
    evidence = chosen_in_yaml(words, text)
    return f"{key}: {{value: {value}, basis: stated, evidence: {evidence}}}"


_DEFINITE = re.compile(r"\b(?:all(?: of the| the)?|these|those|the same) \Z", re.IGNORECASE)
_VICTIMS = re.compile(r" (?:[A-Z]\w+ )?(?:dead|victims)\b")
"""What follows the number of those who were harmed, if it is given again: "49 Rome victims"."""


_OF_CLAUSE = re.compile(r" (?:[a-z]+ )?[“\"]?[a-z]+[”\"]? ")
_HE = re.compile(r"(?:he|she|they|it|I|we)\b")


class _DraftWriter:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.speakers = DraftSpeakers(document, UnusedIds.of(document))
        self.statements: list[tuple[str, str, Sequence[Span]]] = []
        """The id, the speaker ("" if open) and the words of each testimony, in order."""
        self.figures: list[tuple[str, Quantity]] = []
        """The id and the quantity of each figure."""

    def records(self) -> dict[str, list[str]]:
        """Return the records as YAML, by the key of their list."""
        found: dict[str, list[str]] = {
            "speakers": [],
            "testimonies": [],
            "figures": [],
            "waivers": [],
        }
        title = self.document.at(("source", "title"))
        reported = [each for each in statements(self.document) if not self.is_headline(each, title)]
        # Which surnames several speakers have is known only after all testimonies.
        for name, proposal in [self.testimony(spans) for spans in reported]:
            antecedent = self.speakers.antecedent_of_surname(name)
            led = {"antecedent": antecedent} if antecedent else {}
            complete = proposal._replace(values={**proposal.values, **led})
            found["testimonies"].append(record_yaml(self.document, complete, name, draft=True))
        said = [span for _, _, spans in self.statements for span in spans]
        # Ages are on the mentions of the speakers, who are known only now.
        ages = [self.speakers.age(speaker) for speaker in self.speakers.found]
        open_ = [each for each, *_ in groups(self.document) if each not in ages]
        in_title = [each for each in open_ if is_inside(each, title)]
        # The figures of the article come first: its title often repeats one.
        for each in [*(each for each in open_ if each not in in_title), *in_title]:
            is_said = each.kind == "quotation" and is_inside(each, said)
            if is_said or self.speakers.add_age(each):
                continue
            proposal = self.proposal(each)
            repeated = self.repeated(each, may_repeat=each in in_title)
            if each in in_title and each.kind == "quotation" and not repeated:
                proposal = waiver(self.document, Span(each.start, each.end))
            if repeated:
                values = {"reason": "repeat", "repeats": repeated}
                proposal = Proposal("waivers", (Span(each.start, each.end),), values)
            name = self.speakers.next(proposal.table[0])
            record = record_yaml(self.document, proposal, name, draft=True)
            found[proposal.table].append(record)
            if proposal.table == "figures" and each.quantity:
                self.figures.append((name, each.quantity))
        found["speakers"] = [self.speakers.entry(speaker) for speaker in self.speakers.found]
        return found

    def is_headline(self, spans: Sequence[Span], title: Sequence[Span]) -> bool:
        """Return whether a statement is reported in the headline, which sums up the article, or is
        quoted there from the article.
        """
        if not all(is_inside(span, title) for span in spans):
            return False
        text = self.document.text
        is_quoted = all(is_inside(span, quotations_of(self.document)) for span in spans)
        return not is_quoted or says_the_same(text[title[-1].end :], text[slice(*spans[0])])

    def testimony(self, spans: Sequence[Span]) -> tuple[str, Proposal]:
        """Return the testimony of a quotation or of reported speech, with its id."""
        name = self.speakers.next("t")
        proposal = testimony(self.document, spans)
        spans = self.with_whole_numbers(spans)
        proposal = proposal._replace(spans=tuple(spans))
        values = {**proposal.values, **self.speakers.values(name, spans)}
        if values["stance"] == "accuses" and not self.speakers.may_accuse(values["speaker"]):
            values["stance"] = ""
        self.statements.append((name, values["speaker"], spans))
        return name, proposal._replace(values=values).with_placeholders()

    def with_whole_numbers(self, spans: Sequence[Span]) -> Sequence[Span]:
        """Return the words of a statement with a number that they cut, or of which they say what it
        counts: "[the four “lamps”] he cited".
        """
        text, first, last = self.document.text, spans[0], spans[-1]
        start, end = first.start, last.end
        for entry in ledger_of(self.document).entries:
            found = entry.detection
            if not found.quantity:
                continue
            is_counted = _OF_CLAUSE.fullmatch(text, found.end, start) and _HE.match(text, start)
            if is_counted or found.start < start < found.end:
                start = found.start
            if found.start < end < found.end:
                end = found.end
        if (start, end) == (first.start, last.end):
            return spans
        if len(spans) == 1:
            return [Span(start, end)]
        return [Span(start, first.end), *spans[1:-1], Span(last.start, end)]

    def repeated(self, found: Detection, *, may_repeat: bool) -> str:
        """Return the id of the first figure with the same quantity, or of the first testimony with
        the same words; "" if there is none.

        If `may_repeat` is false, words must show that a number was given before.
        """
        if not (may_repeat or self.is_definite(found)):
            return ""
        words = self.document.text[found.start : found.end]
        for name, _, spans in self.statements:
            texts = [self.document.text[slice(*span)] for span in spans]
            if found.kind == "quotation" and any(says_the_same(each, words) for each in texts):
                return name
        said = found.quantity
        if said is None:
            return ""
        for name, quantity in self.figures:
            unit = said.unit or said.likely_unit
            is_unit = unit == (quantity.unit or quantity.likely_unit) or not (unit or may_repeat)
            if is_unit and said[:4] == quantity[:4]:
                return name
        return ""

    def is_definite(self, found: Detection) -> bool:
        """Return whether words mean a number that was given before: "all 49", "49 victims"."""
        text = self.document.text
        is_exact = found.quantity is not None and found.quantity.hedge == "exact"
        is_after = _DEFINITE.search(text, 0, found.start) or _VICTIMS.match(text, found.end)
        return is_exact and bool(is_after)

    def proposal(self, found: Detection) -> Proposal:
        """Return the figure or waiver for words that are neither said nor the age of a speaker."""
        proposal = of_detections(self.document, [found])
        if proposal.table == "mentions":
            # It is the age of a person who does not speak, and so has no entry.
            return waiver(self.document, Span(found.start, found.end))
        if proposal.table == "figures":
            for name, speaker, spans in self.statements:
                if is_inside(found, spans):
                    said = {"attributed_to": speaker, "testimony": name}
                    proposal = proposal._replace(values={**proposal.values, **said})
                    around = next(span for span in spans if is_inside(found, [span]))
                    words = proposal.spans[0]
                    within = Span(max(words.start, around.start), min(words.end, around.end))
                    proposal = proposal._replace(spans=(within,))
                    break
        return proposal.with_placeholders()
