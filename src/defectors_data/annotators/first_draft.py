"""First drafts of annotation files: the facts of the source and, on request, guesses at its records.

The guesses are speakers, testimonies with the themes whose triggers they contain, figures, waivers, byline, date and
boilerplate. Each guessed record has `draft: true`, so that nothing is published before a person has reviewed it.
Measures and the words that say what is counted are left to that person.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from defectors_data.annotators.proposals import (
    UnusedIds,
    evidence_yaml,
    figure_yaml,
    testimony_yaml,
    waiver_yaml,
)
from defectors_data.annotators.worklist import NAME, aged, groups, sentence_end, years
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.validation_errors import to_project_file
from defectors_data.corpus.yaml_escapes import in_yaml
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models.annotation import Annotations, may_be_pseudonym
from defectors_data.models.fields import OLDEST
from defectors_data.text.detection import Detection, is_age
from defectors_data.text.occurrences import UNDETERMINED, is_english, likely_language, slug
from defectors_data.text.offsets import Span, is_inside
from defectors_data.text.unattributed_verbs import verbs

_BYLINE = re.compile(
    rf"^[Bb][Yy] (?P<names>{NAME}(?:(?:, | and |, and ){NAME})*)[ \t]*$", re.MULTILINE
)
_DATE = re.compile(
    r"^(?:\w+day, |(?:Published|Updated|Posted):? (?:on )?)?([A-Z][a-z]+ \d{1,2}, \d{4})\b",
    re.MULTILINE,
)
_BOILERPLATE = re.compile(
    r"^(?:copyright\b|©|all rights reserved|advertisement$|play (?:audio|video|live)|listen$|share(?: this)?\b.{0,20}$"
    r"|sign up\b|subscribe\b|read more\b|related:|follow us\b|skip to\b|loading).*$",
    re.IGNORECASE | re.MULTILINE,
)


_TITLE_WORDS = 4
"""Minimum number of words in a title."""


def draft(text: str, data: bytes, stem: str, *, taken: Collection[str]) -> str:
    """Return an annotation file for a seed, with a guess at its title and language.

    The title is the first line of four words or more, or else the first line that is not empty. If the language seems
    to be another than English, nothing is claimed for the source.

    Args:
        text: the text of the seed.
        data: the bytes of the seed.
        stem: the file name of the seed without its extension.
        taken: the ids of other sources.
    """
    title, language = _title(text), likely_language(text)
    is_read = is_english(language) or language == UNDETERMINED
    return _TEMPLATE.format(
        id=_id(title, stem, taken),
        seed=f"{stem}.txt",
        sha256=hashlib.sha256(data).hexdigest(),
        title=chosen_in_yaml(Span(at := text.index(title), at + len(title)), text),
        language=language if is_read else f"{language}\n  completeness: none",
    )


def language_line(text: str) -> str:
    """Return what to say about the language of a text; "" if it seems to be English."""
    language = likely_language(text)
    if is_english(language):
        return ""
    if language == UNDETERMINED:
        return "Its language was not recognised: correct `language`. Only English is read."
    return f"Its language seems to be `{language}`, and only English is read: `completeness: none` claims nothing."


def reading(text: str, data: bytes, stem: str) -> str:
    """Return the file for a second reading of a seed, with some facts of the source and without records."""
    source, records = draft(text, data, stem, taken=()).split("source:\n")[1].split("\n\nspeakers:")
    kept = ("seed", "sha256", "title", "language", "completeness")
    facts = [line for line in source.split("\n") if line.split(":")[0].strip() in kept]
    head = "# A blind reading: follow the codebook, without opening the records or another reading.\nsource:\n"
    return (
        head
        + "\n".join([*facts, "  draft: true"])
        + "\n\nspeakers:"
        + records.removesuffix("\n\nwaivers: []\n")
        + "\n"
    )


def _title(text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return next(
        (line for line in lines if len(line.split()) >= _TITLE_WORDS),
        lines[0] if lines else "untitled",
    )


def _id(title: str, stem: str, taken: Collection[str]) -> str:
    """Return an id from the first words of the title, or from the seed's name if that id is taken or empty."""
    # An id may have at most 80 characters, and the ids of records begin with the id of their source.
    name = "-".join(slug(title).split("-")[:5])[:60]
    fallback = "-".join(re.findall(r"[a-z0-9]+", stem.casefold())) or "source"
    return name if name and name not in taken else fallback


_TEMPLATE = """\
# yaml-language-server: $schema=../schema/annotations.schema.json
# What is left to annotate, in reading order: defectors-data todo {seed}
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


# ---- guesses ----------------------------------------------------------------------------------------------------


def filled(text: str, draft: str, file: str, context: Context) -> str:
    """Return the annotation file `draft` with all guesses added, or unchanged if the guessed facts are not valid.

    Args:
        text: the text of the seed.
        draft: the annotation file, as the function `draft` returns it.
        file: the path of the annotation file, relative to the project's folder.
        context: the files that the articles share, such as the vocabulary.
    """
    head = draft.partition("\n\nspeakers:")[0]
    head += "".join(f"\n  {line}" for line in _facts(text))
    content = to_project_file(
        yaml_reader.parse(head, file=file), file, Annotations, list[Finding]()
    )
    if content is None:
        return draft
    guesses = _DraftWriter(Document(content, text, file, context))
    return "".join([head, "\n", *(_listed(key, items) for key, items in guesses.records().items())])


def _listed(key: str, items: Sequence[str]) -> str:
    if not items:
        return f"\n{key}: []\n"
    return f"\n{key}:\n" + "".join(
        f"  {item}\n  draft: true\n".replace("\n", "\n  ").rstrip(" ") for item in items
    )


def _facts(text: str) -> Iterator[str]:
    """Yield the byline, the date of publication and the boilerplate as lines of YAML."""
    yield "draft: true"
    if found := _BYLINE.search(text):
        names = ", ".join(map(in_yaml, re.split(r",? and |, ", found["names"])))
        yield f"authors: {{value: [{names}], basis: stated, evidence: {chosen_in_yaml(Span(*found.span()), text)}}}"
    for found in _DATE.finditer(text):
        with suppress(ValueError):
            day = dt.datetime.strptime(found[1], "%B %d, %Y").replace(tzinfo=dt.UTC).date()
            yield f"published: {{value: {day}, basis: stated, evidence: {chosen_in_yaml(Span(*found.span(1)), text)}}}"
            break
    if lines := [
        chosen_in_yaml(Span(*found.span()), text) for found in _BOILERPLATE.finditer(text)
    ]:
        yield f"boilerplate: [{', '.join(lines)}]"


@dataclass
class _DraftSpeaker:
    id: str
    mention: Span
    name: str = ""
    is_institution: bool = False


_SAME = frozenset(
    "He She They It I We You The A An And But One In On At Of This That These Those There".split()
)
"""Words that begin a sentence with a capital letter and are not part of a name."""
_TITLES = re.compile(
    r".*\b(?:President|Minister|Foreign|Defen[cs]e|General|Major|Captain|Colonel|Sergeant|Lieutenant|"
    r"(?:Gen|Maj|Capt|Col|Sgt|Lt|Mr|Mrs|Ms|Dr)\.) "
)
"""The words of a run of capitalized words up to its last title, as in "After President "."""
_SUBJECT = re.compile(
    rf"(?P<the>[Tt]he )?(?P<name>{NAME})(?P<age>, \d{{1,3}}\b)?|(?P<unnamed>\b(?:[Oo]ne|[Aa]n?|[Aa]nother) "
    r"[a-z][\w’' -]{1,60}?(?=[,.;:]| who\b| at\b| in\b| from\b|\s*$))|(?P<same>\b(?:he|she|they|the [a-z]+)\b)"
)


def _without_titles(run: str) -> str:
    """Return the words after the last title in a run of capitalized words."""
    return _TITLES.sub("", run, count=1)


class _DraftWriter:
    def __init__(self, document: Document) -> None:
        self.document, self.text, self.source = document, document.text, document.source.id
        self.numbers = UnusedIds.of(document)
        self.speakers: list[_DraftSpeaker] = []

    def next(self, beginning: str) -> str:
        return self.numbers.next(beginning).removeprefix(f"{self.source}-")

    def records(self) -> dict[str, list[str]]:
        """Return the records as YAML, by the key of their list."""
        uncovered = groups(self.document)
        found: dict[str, list[str]] = {
            key: [] for key in ("speakers", "testimonies", "figures", "waivers")
        }
        testimonies: dict[str, tuple[str, list[Detection]]] = {}
        for group in uncovered:
            if group[0].kind == "quotation":
                testimonies[self.next("t")] = self.speaker(group), group
        for name, (speaker, group) in testimonies.items():
            record = testimony_yaml(name, evidence_yaml(group, self.text), speaker)
            found["testimonies"].append(
                record.replace("[other]", f"[{', '.join(self.themes(group))}]")
            )
        ages = {self.age(speaker): speaker for speaker in self.speakers}
        for [each] in (
            group for group in uncovered if group[0].kind != "quotation" and group[0] not in ages
        ):
            evidence = evidence_yaml([each], self.text)
            if each.quantity and not aged(self.text, each):
                words = self.text[each.start : each.end]
                yaml = figure_yaml(self.next("f"), evidence, each.quantity, words)
                inside = (
                    (name, who)
                    for name, (who, group) in testimonies.items()
                    if is_inside(each, group)
                )
                if first := next(inside, None):
                    yaml += f"\n  attributed_to: {first[1]}\n  testimony: {first[0]}"
                found["figures"].append(yaml)
            else:
                reason = "protected_attribute" if each.quantity else each.kind
                found["waivers"].append(waiver_yaml(self.next("w"), evidence, reason))
        found["speakers"] = [self.entry(speaker) for speaker in self.speakers]
        return found

    def themes(self, group: Sequence[Detection]) -> list[str]:
        """Return the themes with a trigger in the words of a quotation, or `other`."""
        spans = [Span(each.start, each.end) for each in group]
        triggers = self.document.context.triggers_by_theme
        return [
            term for term, words in triggers.items() if words and triggered(self.text, spans, words)
        ] or ["other"]

    # ---- speakers ----------------------------------------------------------------------------------------------

    def speaker(self, group: Sequence[Detection]) -> str:
        """Return the id of a quotation's speaker: the one in its attribution, or else the previous speaker."""
        text, first, last = self.text, group[0], group[-1]
        before = max(text.rfind(mark, 0, first.start - 1) for mark in ("\n", ". ", "” ", '" ')) + 1
        windows = [Span(a.end, b.start) for a, b in pairwise(group)]
        windows += [Span(last.end, sentence_end(text, last.end + 1)), Span(before, first.start)]
        # A quotation that ends a sentence usually follows its attribution, so the words before it are searched first.
        if text[last.end - 1] in ".!?":
            windows.insert(0, windows.pop())
        for window in windows:
            for verb in verbs(text, window, ledger_of(self.document).quoted):
                if found := self.subject(window, verb):
                    return found
        if not self.speakers:
            return self.added(_DraftSpeaker(self.next("speaker-"), Span(first.start, first.end)))
        return self.speakers[-1].id

    def subject(self, window: Span, verb: Span) -> str | None:
        """Return the id of the speaker who is the subject of a verb (after or before it), or None if none is found."""
        found = _SUBJECT.match(self.text, verb.end + 1, window.end)
        if not found or (found["name"] or "").split(" ")[0] in _SAME:
            hits = [*_SUBJECT.finditer(self.text, window.start, verb.start)]
            # A subject with a description, as in "Arden, who left, said", is preferred to the one nearest to the verb.
            described = (
                hit
                for hit in hits
                if re.match(r",? (?:who|an?|the|once|now)\b", self.text[hit.end() :])
            )
            found = next(described, hits[-1] if hits else None)
        if found is None:
            return None
        if found["unnamed"]:
            return self.added(_DraftSpeaker(self.next("speaker-"), Span(*found.span("unnamed"))))
        if found["same"] or found["name"].split(" ")[0] in _SAME:
            return self.speakers[-1].id if self.speakers else None
        return self.named(found)

    def named(self, found: re.Match[str]) -> str:
        """Return the id of the speaker with the matched name, and add the speaker if new.

        Part of a name refers to a known speaker whose full name contains that part.
        """
        name = _without_titles(found["name"]).removesuffix("’s")
        known = (
            each for each in self.speakers if name == each.name or name in each.name.split(" ")
        )
        if one := next(known, None):
            return one.id
        full = name
        if " " not in name and not found["the"]:
            runs = [_without_titles(run[0]) for run in re.finditer(NAME, self.text)]
            full = next((run for run in runs if run.endswith(f" {name}")), name)
        # Both names are words of the text, so one place at least is found.
        start = self.text.index(full)
        age = re.match(r", \d{1,3}(?=[,.;])", self.text[start + len(full) :])
        mention = Span(start, start + len(full) + len(age[0] if age else ""))
        shared = (each.id for each in self.document.context.shared.values() if each.name == full)
        is_partial = " " not in full and not found["the"]
        name = next(shared, "") or slug(full)
        if not name or (is_partial and may_be_pseudonym({"role": self.role(mention)})):
            name = self.next("speaker-")
        return self.added(_DraftSpeaker(name, mention, full, bool(found["the"])))

    def added(self, speaker: _DraftSpeaker) -> str:
        self.speakers.append(speaker)
        return speaker.id

    def role(self, mention: Span) -> str:
        """Return the role that the words of a mention show, or `other` if they show none or several."""
        triggers = self.document.context.triggers_by_attribute.get("role", {})
        shown = [role for role, words in triggers.items() if triggered(self.text, [mention], words)]
        return shown[0] if len(shown) == 1 else "other"

    def age(self, speaker: _DraftSpeaker) -> Detection | None:
        """Return the number that states the age in a speaker's mention; None without one or for a protected speaker."""
        if not speaker.name or speaker.id.startswith("speaker-"):
            return None
        inside = [entry.detection for entry in ledger_of(self.document).within([speaker.mention])]
        possible = (found for found in inside if years(found, OLDEST) is not None)
        return next((found for found in possible if is_age(self.text, found)), None)

    def entry(self, speaker: _DraftSpeaker) -> str:
        """Return the entry of a speaker as YAML."""
        role, age = self.role(speaker.mention), self.age(speaker)
        mention = f"    - id: {self.next('m')}\n      evidence: {chosen_in_yaml(speaker.mention, self.text)}"
        mention += f"\n      age: {years(age, OLDEST)}" if age else ""
        anonymity = "named" if " " in speaker.name else "partial" if speaker.name else "unnamed"
        lines = [
            f"- id: {speaker.id}",
            f"  kind: {'institution' if speaker.is_institution else 'person'}",
            f"  role: {role}",
        ]
        if speaker.id in self.document.context.shared:
            lines = [f"- use: {speaker.id}"]
        else:
            lines += [] if speaker.is_institution else [f"  anonymity: {anonymity}"]
            lines += [f"  name: {in_yaml(speaker.name)}"] if speaker.name else []
            lines += (
                ["  pseudonym_possible: true"]
                if speaker.name and speaker.id.startswith("speaker-")
                else []
            )
        return "\n".join([*lines, "  mentions:", mention])
