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
from dataclasses import dataclass, field

from defectors_data.annotators.proposals import (
    NAME,
    Proposal,
    attributed_words,
    of_detections,
    testimony,
    waiver,
    years,
)
from defectors_data.annotators.record_yaml import UnusedIds, entry_yaml, listed, record_yaml
from defectors_data.annotators.worklist import groups, unclaimed_clauses
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.validation_errors import to_project_file
from defectors_data.corpus.yaml_reader import in_yaml, scalar
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models.annotation import Annotations, may_be_pseudonym
from defectors_data.models.fields import OLDEST
from defectors_data.text.detection import Detection, is_age
from defectors_data.text.english import likely_unit
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.occurrences import UNDETERMINED, is_english, likely_language, slug
from defectors_data.text.offsets import Span, is_inside, overlaps

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
    r"|loading).*$",
    re.IGNORECASE | re.MULTILINE,
)
_TITLE_WORDS = 4
"""Minimum number of words in a title."""


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, with a guess at its title and language.

    The title is the first line of four words or more, or else the first line that is not empty. If
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
    words = text[slice(*span)]
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
    for line in lines:
        if len(line.split()) >= _TITLE_WORDS:
            return line
    return lines[0] if lines else "untitled"


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
        names = [in_yaml(name) for name in re.split(r",? and |, ", found["names"])]
        yield _stated("authors", f"[{', '.join(names)}]", Span(*found.span()), text)
    for found in _DATE.finditer(text):
        with suppress(ValueError):
            day = dt.datetime.strptime(found[1], "%B %d, %Y").replace(tzinfo=dt.UTC).date()
            yield _stated("published", str(day), Span(*found.span(1)), text)
            break
    lines = [chosen_in_yaml(Span(*found.span()), text) for found in _BOILERPLATE.finditer(text)]
    if lines:
        yield f"boilerplate: [{', '.join(lines)}]"


def _stated(key: str, value: str, words: Span, text: str) -> str:
    """Return a fact that the article states, as a line of YAML."""
    evidence = chosen_in_yaml(words, text)
    return f"{key}: {{value: {value}, basis: stated, evidence: {evidence}}}"


@dataclass
class _DraftSpeaker:
    id: str
    mention: Span
    mention_id: str
    name: str = ""
    kind: str = "person"
    others: list[tuple[str, Span]] = field(default_factory=list)
    """The ids and words of further mentions."""


_TITLES = re.compile(
    r".*\b(?:President|Minister|Foreign|Defen[cs]e|General|Major|Captain|Colonel|Sergeant"
    r"|Lieutenant|(?:Gen|Maj|Capt|Col|Sgt|Lt|Mr|Mrs|Ms|Dr)\.) "
)
"""The words of a run of capitalized words up to its last title, as in "After President "."""
_AGE_AFTER = re.compile(r", \d{1,3}(?=[,.;])")


def _without_titles(run: str) -> str:
    """Return the words after the last title in a run of capitalized words."""
    return _TITLES.sub("", run, count=1)


class _DraftWriter:
    def __init__(self, document: Document) -> None:
        self.document, self.text, self.source = document, document.text, document.source.id
        self.ids = UnusedIds.of(document)
        self.speakers: list[_DraftSpeaker] = []
        self.statements: list[tuple[str, str, Sequence[Span]]] = []
        """The id, the speaker and the words of each testimony, in order."""

    def next(self, beginning: str) -> str:
        return self.ids.next(beginning).removeprefix(f"{self.source}-")

    def records(self) -> dict[str, list[str]]:
        """Return the records as YAML, by the key of their list."""
        found: dict[str, list[str]] = {
            "speakers": [],
            "testimonies": [],
            "figures": [],
            "waivers": [],
        }
        others = []
        clauses = unclaimed_clauses(self.document)
        statements = [[each] for each in clauses]
        for group in groups(self.document):
            spans = [Span(each.start, each.end) for each in group]
            if group[0].kind != "quotation":
                others.append(group[0])
            elif not all(is_inside(span, clauses) for span in spans):
                statements.append(spans)
        for spans in sorted(statements):
            found["testimonies"].append(self.testimony(spans))
        # Ages are on the mentions of the speakers, who are known only now.
        ages = [self.age(speaker) for speaker in self.speakers]
        for each in others:
            if each not in ages:
                proposal = self.proposal(each)
                name = self.next(proposal.table[0])
                record = record_yaml(self.document, proposal, name, draft=True)
                found[proposal.table].append(record)
        found["speakers"] = [self.entry(speaker) for speaker in self.speakers]
        return found

    def testimony(self, spans: Sequence[Span]) -> str:
        """Return the testimony of a quotation or of reported speech as YAML."""
        name = self.next("t")
        proposal = testimony(self.document, spans)
        found = attributed_words(self.document).attribution_of(spans[0])
        if found and not found.source:
            # Several persons are possible, so that the annotator chooses one.
            values = {**proposal.values, "speaker": ""}
        else:
            speaker = self.speaker(spans[0])
            values = {**proposal.values, "speaker": speaker.id, **self.led_to(spans[0], speaker)}
            self.statements.append((name, speaker.id, spans))
        complete = proposal._replace(values=values).with_placeholders()
        return record_yaml(self.document, complete, name, draft=True)

    def led_to(self, span: Span, speaker: _DraftSpeaker) -> dict[str, str]:
        """Return the mention or the testimony that shows the speaker of words that do not name one.

        Empty if the words name the speaker.
        """
        found = attributed_words(self.document).attribution_of(span)
        if found is None:
            name, earlier, _ = self.statements[-1] if self.statements else ("", "", ())
            return {"continues": name} if earlier == speaker.id else {}
        source = found.source
        if source and self.is_singular_pronoun(source):
            named = self.name_before(source, speaker)
            if named and not self.is_in_records(named, speaker):
                mention = self.next("m")
                speaker.others.append((mention, named))
                return {"antecedent": mention}
        is_described = source and (source.kind == "pronoun" or self.has_article(source))
        if not source or not is_described:
            return {}
        for name, earlier, spans in reversed(self.statements):
            if earlier == speaker.id and spans[-1].end <= source.head.start:
                return {"antecedent": name}
        if speaker.mention.end <= source.head.start:
            return {"antecedent": speaker.mention_id}
        return {}

    def proposal(self, found: Detection) -> Proposal:
        """Return the figure or waiver for a number that is not the age of a speaker."""
        proposal = of_detections(self.document, [found])
        if proposal.table == "mentions":
            # It is the age of a person who does not speak, and so has no entry.
            return waiver(self.document, Span(found.start, found.end))
        if proposal.table == "figures":
            for name, speaker, spans in self.statements:
                if is_inside(found, spans):
                    said = {"attributed_to": speaker, "testimony": name}
                    proposal = proposal._replace(values={**proposal.values, **said})
                    break
        return proposal.with_placeholders()

    # ---- speakers --------------------------------------------------------------------------------

    def speaker(self, span: Span) -> _DraftSpeaker:
        """Return the speaker to whom words are attributed, or the previous one.

        The previous one is a guess, as for a pronoun and for "the keeper".
        """
        attributed = attributed_words(self.document)
        found = attributed.attribution_of(span) or attributed.before(span)
        source = found and found.source
        is_group = source is not None and (source.kind == "group" or self.is_plural(source))
        if source and source.kind in ("name", "institution") and not is_group:
            return self.named(source)
        if source and self.is_singular_pronoun(source) and (named := self.named_before(source)):
            return named
        is_same = source is None or source.kind == "pronoun" or self.has_article(source)
        if is_same and self.statements:
            return self.known(self.statements[-1][1])
        if source and (same := self.described(source)):
            return same
        mention = source.head if source else span
        kind = "group" if is_group else "person"
        return self.added(self.next("speaker-"), mention, kind=kind)

    def is_plural(self, source: SourceWords) -> bool:
        """Return whether a source that looks like a name is a plural noun: "Fishermen say"."""
        word = self.text[slice(*source.head)]
        is_noun = word.isalpha() and likely_unit(word.casefold()) == "person"
        return source.kind == "name" and is_noun and self.full_name(word) == word

    def is_singular_pronoun(self, source: SourceWords) -> bool:
        """Return whether a source is "he" or "she", which means one person."""
        return self.text[slice(*source.head)].casefold() in ("he", "she")

    def named_before(self, source: SourceWords) -> _DraftSpeaker | None:
        """Return the person whose name is last before a pronoun in its paragraph, or else the
        last person who spoke; None if there is none.
        """
        places = {each.id: self.name_before(source, each) for each in self.speakers}
        named = {name: place for name, place in places.items() if place}
        if named:
            return self.known(max(named, key=lambda name: named[name]))
        persons = [each.id for each in self.speakers if each.kind == "person"]
        spoke = [name for _, name, _ in self.statements if name in persons]
        return self.known(spoke[-1]) if spoke else None

    def name_before(self, source: SourceWords, speaker: _DraftSpeaker) -> Span | None:
        """Return the last place of a person's surname, or of the words that introduce a person,
        before a pronoun in its paragraph.
        """
        if speaker.kind != "person":
            return None
        start = self.text.rfind("\n", 0, source.head.start) + 1
        words = speaker.name.split(" ")[-1] or self.text[slice(*speaker.mention)]
        at = self.text.rfind(words, start, source.head.start)
        return Span(at, at + len(words)) if at >= 0 else None

    def is_in_records(self, span: Span, speaker: _DraftSpeaker) -> bool:
        """Return whether words are in the mention, a testimony or an attribution of a speaker."""
        places = [speaker.mention]
        for _, name, spans in self.statements:
            found = attributed_words(self.document).attribution_of(spans[0])
            if name == speaker.id:
                places += spans
            if name == speaker.id and found and found.source:
                places.append(found.source.span)
        return overlaps(span, places)

    def known(self, name: str) -> _DraftSpeaker:
        """Return the speaker with an id."""
        return next(each for each in self.speakers if each.id == name)

    def described(self, source: SourceWords) -> _DraftSpeaker | None:
        """Return the speaker who was introduced with the same words, or None."""
        words = self.text[slice(*source.head)]
        for each in self.speakers:
            if self.text[slice(*each.mention)] == words:
                return each
        return None

    def has_article(self, source: SourceWords) -> bool:
        """Return whether a source has a definite article, and so was introduced before."""
        return self.text.startswith(("the ", "The "), source.head.start)

    def named(self, source: SourceWords) -> _DraftSpeaker:
        """Return the speaker with the name of a source, and add the speaker if new.

        Part of a name refers to a known speaker whose full name contains that part.
        """
        name = self.text[slice(*source.head)]
        is_institution = source.kind == "institution"
        if is_institution:
            name = name.removeprefix("The ").removeprefix("the ")
        for each in self.speakers:
            if name == each.name or name in each.name.split(" "):
                return each
        full = name
        if not is_institution and " " not in name:
            full = self.full_name(name)
        # Both names are words of the text, so one place at least is found.
        start = self.text.index(full)
        end = start + len(full)
        if age := _AGE_AFTER.match(self.text, end):
            end = age.end()
        mention = Span(start, end)
        one = self.shared(full) or slug(full)
        is_partial = " " not in full and not is_institution
        if not one or (is_partial and may_be_pseudonym({"role": self.role(mention)})):
            one = self.next("speaker-")
        kind = "institution" if is_institution else "person"
        return self.added(one, mention, full, kind=kind)

    def full_name(self, surname: str) -> str:
        """Return the first name in the text that ends in a surname, or else the surname."""
        for run in re.finditer(NAME, self.text):
            name = _without_titles(run[0])
            if name.endswith(f" {surname}"):
                return name
        return surname

    def shared(self, name: str) -> str:
        """Return the id of the shared speaker with a name, or ""."""
        for speaker in self.document.context.shared.values():
            if speaker.name == name:
                return speaker.id
        return ""

    def added(self, name: str, mention: Span, printed: str = "", *, kind: str) -> _DraftSpeaker:
        self.speakers.append(_DraftSpeaker(name, mention, self.next("m"), printed, kind))
        return self.speakers[-1]

    def role(self, mention: Span) -> str:
        """Return the role that the words of a mention show, or `other` if not exactly one."""
        triggers = self.document.context.triggers_by_attribute.get("role", {})
        shown = []
        for role, words in triggers.items():
            if triggered(self.text, [mention], words):
                shown.append(role)
        return shown[0] if len(shown) == 1 else "other"

    def age(self, speaker: _DraftSpeaker) -> Detection | None:
        """Return the number that states the age in a mention; None for a protected speaker."""
        if not speaker.name or speaker.id.startswith("speaker-"):
            return None
        for entry in ledger_of(self.document).within([speaker.mention]):
            found = entry.detection
            if years(found, OLDEST) is not None and is_age(self.text, found):
                return found
        return None

    def entry(self, speaker: _DraftSpeaker) -> str:
        """Return the entry of a speaker as YAML."""
        found = self.age(speaker)
        stated = {"age": str(years(found, OLDEST))} if found else {}
        proposal = Proposal("mentions", (speaker.mention,), stated)
        mentions = [record_yaml(self.document, proposal, speaker.mention_id)]
        for name, words in speaker.others:
            mentions.append(record_yaml(self.document, Proposal("mentions", (words,), {}), name))
        if speaker.id in self.document.context.shared:
            return entry_yaml({"use": speaker.id, "draft": "true"}, *mentions)
        values = {"id": speaker.id, "draft": "true", "kind": speaker.kind}
        values["role"] = self.role(speaker.mention)
        if speaker.kind == "person":
            values["anonymity"] = _anonymity(speaker.name)
        if speaker.name:
            values["name"] = scalar(speaker.name)
            if speaker.id.startswith("speaker-"):
                values["pseudonym_possible"] = "true"
        return entry_yaml(values, *mentions)


def _anonymity(name: str) -> str:
    if not name:
        return "unnamed"
    return "named" if " " in name else "partial"
