"""First drafts with guesses at the records of an article.

The guesses are speakers, testimonies with the themes whose triggers they contain, figures, waivers,
byline, date and boilerplate. Each guessed record has `draft: true`, so that nothing is published
before a person has reviewed it. Measures are left to that person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from defectors_data.annotators.drafts.antecedents import antecedent_of_surname
from defectors_data.annotators.drafts.attributed_speakers import attribution_values
from defectors_data.annotators.drafts.descriptions import name_after
from defectors_data.annotators.drafts.drafted_records import DraftedRecords
from defectors_data.annotators.drafts.entries import (
    add_age,
    age_in_mention,
    may_accuse,
    speaker_entry,
)
from defectors_data.annotators.drafts.first_draft import facts
from defectors_data.annotators.outlets import cited_outlets, goes_on, outlet_addressed, own_outlet
from defectors_data.annotators.proposals import of_detections
from defectors_data.annotators.proposals.attributions import (
    attributed_part,
    attributed_words,
    attribution_parts,
    is_in_source,
    reason_of_quotation,
)
from defectors_data.annotators.proposals.counted_numbers import hedge_start
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.annotators.proposals.statements import groups, statements
from defectors_data.annotators.proposals.testimonies import proposed_testimony
from defectors_data.annotators.proposals.waivers import proposed_waiver
from defectors_data.annotators.record_ids import UnusedIds
from defectors_data.annotators.record_yaml import attribution_yaml, listed, record_yaml
from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.edits import yaml_editor
from defectors_data.edits.evidence_yaml import document_of
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.models.annotation import Attribution, Testimony
from defectors_data.models.fields import OPEN_SPEAKER
from defectors_data.rules import attribution as rules
from defectors_data.rules.completeness import redundant_waiver
from defectors_data.rules.sources import outlet_text_mismatch
from defectors_data.rules.testimonies import left_out_before_evidence
from defectors_data.text.detection import Detection
from defectors_data.text.english import writings
from defectors_data.text.occurrences import says_the_same
from defectors_data.text.offsets import Span, are_inside, is_inside, overlaps
from defectors_data.text.quantities import Quantity


def filled(text: str, draft: str, file: str, context: Context) -> str:
    """Return an annotation file with all guesses added, or without if the facts are not valid.

    Args:
        text: the text of the seed.
        draft: the annotation file, as the function `draft` returns it.
        file: the path of the annotation file, relative to the project's folder.
        context: the files that the articles share, such as the vocabulary.
    """
    head = draft.partition("\n\nspeakers:")[0]
    for line in facts(text):
        head += f"\n  {line}"
    document = document_of(head, text, context, file=file, seed=file)
    if document is None:
        return draft
    if (own := own_outlet(text)) and "\n  outlet:" not in head:
        note = in_yaml(f"The article prints the name as {own} itself does.")
        head += f"\n  outlet: {{value: {in_yaml(own)}, basis: inferred, note: {note}}}"
    if cited := cited_outlets(text, attributed_words(document).found):
        head += f"\n  cited_outlets: [{', '.join(in_yaml(name) for name in cited)}]"
    records = _DraftWriter(document).records()
    lists = [_list(key, items) for key, items in records.items()]
    return _settled(text, f"{head}\n{''.join(lists)}", file, context)


def _list(key: str, records: Sequence[str]) -> str:
    """Return records in YAML as a list of the file."""
    if not records:
        return f"\n{key}: []\n"
    items = [listed(record).replace("\n", "\n  ") for record in records]
    return f"\n{key}:\n" + "".join(f"  {item}\n" for item in items)


_DEFINITE = re.compile(r"\b(?:all(?: of the| the)?|these|those|the same) \Z", re.IGNORECASE)
_LONGEST_DETERMINER = 12
"""Length of "all of the " with the character before it, in code points."""
_OPENING = re.compile(
    r"(?:^|(?<=[.!?]))\W*(?:(?:And|But|Instead|Later|Then)\b,?|(?:(?:And|But) )?"
    r"(?i:at|by|during|for|in|on) (?:[\w’'-]+ ){0,4}[\w’'-]+,) $"
)
"""What opens a sentence whose words go on with those before: "But ", "In May, "."""
_VICTIMS = re.compile(r" (?:[A-Z]\w+ )?(?:dead|victims)\b")
"""What follows the number of those who were harmed, if it is given again: "49 Rome victims"."""


class _DraftTestimony(NamedTuple):
    """A testimony of the draft."""

    id: str
    speaker: str
    """The id of the speaker; "" if it is open."""
    mode: str
    spans: Sequence[Span]


class _DraftWriter:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.draft = DraftedRecords(document, UnusedIds.of(document))
        self.statements: list[_DraftTestimony] = []
        """The testimonies, in order."""
        self.figures: list[tuple[str, Quantity]] = []
        """The id and the quantity of each figure."""
        self.outlets: dict[str, str] = {}
        """The other outlet to which each testimony was said, or "", by id."""

    def records(self) -> dict[str, list[str]]:
        """Return the records as YAML, by the key of their list."""
        found: dict[str, list[str]] = {
            "speakers": [],
            "testimonies": [],
            "figures": [],
            "waivers": [],
        }
        at = self.document.at
        title = [*at(("source", "title")), *at(("source", "subtitle"))]
        reported = [each for each in statements(self.document) if not self.is_headline(each, title)]
        # Which surnames several speakers have is known only after all testimonies.
        for name, proposal in self.joined([self.testimony(spans) for spans in reported]):
            antecedent = antecedent_of_surname(self.draft, name)
            led = {"antecedent": antecedent} if antecedent else {}
            complete = proposal._replace(values={**proposal.values, **led})
            found["testimonies"].append(record_yaml(self.document, complete, name, draft=True))
        said = list[Span]()
        for statement in self.statements:
            said += statement.spans
        # Ages are on the mentions of the speakers, who are known only now.
        ages = [age_in_mention(self.draft, speaker) for speaker in self.draft.speakers]
        open_ = [each for each, *_ in groups(self.document) if each not in ages]
        in_title = [each for each in open_ if is_inside(each, title)]
        # The figures of the article come first: its title often repeats one.
        for each in [*(each for each in open_ if each not in in_title), *in_title]:
            is_said = each.kind == "quotation" and is_inside(each, said)
            if is_said or add_age(self.draft, each):
                continue
            proposal = self.proposal(each)
            repeated = self.repeated(each, may_repeat=each in in_title)
            if each in in_title and each.kind == "quotation" and not repeated:
                words = Span(each.start, each.end)
                reason = reason_of_quotation(self.document, words) or "term"
                proposal = Proposal("waivers", (words,), {"reason": reason})
            if repeated and proposal.values.get("reason") != "not_a_quantity":
                values = {"reason": "repeat", "repeats": repeated}
                proposal = Proposal("waivers", (Span(each.start, each.end),), values)
            name = self.draft.next(proposal.table[0])
            record = record_yaml(self.document, proposal, name, draft=True)
            found[proposal.table].append(record)
            if proposal.table == "figures" and each.quantity:
                self.figures.append((name, each.quantity))
        found["speakers"] = [speaker_entry(self.draft, speaker) for speaker in self.draft.speakers]
        return found

    def joined(self, drafted: Sequence[tuple[str, Proposal]]) -> list[tuple[str, Proposal]]:
        """Return testimonies in which consecutive sentences of one speaker, in one mode and one
        paragraph, are parts of one. Ids change, so that none is left out.
        """
        found: list[Proposal] = []
        ids: dict[str, str] = {}
        for name, proposal in drafted:
            if found and self.is_added(found[-1], proposal):
                *first, last = found[-1].spans
                whole = Span(last.start, proposal.spans[0].end)
                found[-1] = found[-1]._replace(spans=(*first, whole, *proposal.spans[1:]))
            elif found and self.follows(found[-1], proposal):
                found[-1] = found[-1]._replace(spans=(*found[-1].spans, *proposal.spans))
            else:
                found.append(proposal)
            ids[name] = drafted[len(found) - 1][0]
        self.statements = [each._replace(id=ids[each.id]) for each in self.statements]
        statements = self.draft.statements
        self.draft.statements = [each._replace(id=ids[each.id]) for each in statements]
        joined = []
        for i, proposal in enumerate(found):
            links = ("antecedent", "continues")
            changed = {key: ids.get(proposal.values.get(key, ""), "") for key in links}
            kept = {key: value for key, value in changed.items() if value}
            joined.append((drafted[i][0], proposal._replace(values={**proposal.values, **kept})))
        return joined

    def is_added(self, first: Proposal, second: Proposal) -> bool:
        """Return whether a participle adds the words of a testimony to those of another one: "opposed
        the plan, saying that it is old".
        """
        start, end = first.spans[-1].end, second.spans[0].start
        word = re.match(r"(?!having)[a-z]+ing\b", self.document.text[end : second.spans[0].end])
        is_next = self.document.text[start:end] == ", " and word is not None
        modes = {first.values["mode"], second.values["mode"]}
        return is_next and modes == {"indirect"} and _is_of_one(first, second)

    def follows(self, first: Proposal, second: Proposal) -> bool:
        """Return whether the words of a testimony directly follow those of another one as parts of
        one speech.
        """
        if not _is_of_one(first, second) or first.values["mode"] == "narrated":
            return False
        attributed, text = attributed_words(self.document), self.document.text
        one = attributed.attribution_of(first.spans[-1])
        other = attributed.attribution_of(second.spans[0])
        start, end = first.spans[-1].end, second.spans[0].start
        if end < start or "\n" in text[start:end]:
            return False
        if first.values["mode"] == "indirect":
            if one is None or other is None or one.sentence == other.sentence:
                return False
            between = text[min(max(start, one.sentence.end), end) : end]
            return not re.search(r"\w", _OPENING.sub("", between))
        if one:
            start = min(max(start, one.sentence.end), end)
        between = text[start:end]
        if other and start <= other.phrase.start < end:
            between = text[start : other.phrase.start] + text[other.phrase.end : end]
        return not re.search(r"\w", between)

    def is_headline(self, spans: Sequence[Span], title: Sequence[Span]) -> bool:
        """Return whether a statement is reported in the headline, which sums up the article, or is
        quoted there from the article.
        """
        if not are_inside(spans, title):
            return False
        text = self.document.text
        is_quoted = are_inside(spans, quotations_of(self.document))
        return not is_quoted or says_the_same(text[title[-1].end :], text[slice(*spans[0])])

    def testimony(self, spans: Sequence[Span]) -> tuple[str, Proposal]:
        """Return the testimony of a quotation or of reported speech, with its id."""
        name = self.draft.next("t")
        proposal = proposed_testimony(self.document, spans)
        spans = self.with_whole_numbers(spans)
        proposal = proposal._replace(spans=tuple(spans))
        values = {**proposal.values, **attribution_values(self.draft, name, spans)}
        last = self.draft.statements[-1] if self.draft.statements else None
        if last and last.id == name and last.source:
            words = name_after(self.draft, last.source, last.speaker)
            said = attribution_parts(self.document, attributed_part(self.document, spans), words)
            proposal = proposal._replace(attribution=said)
        if values["stance"] == "accuses" and not may_accuse(self.draft, values["speaker"]):
            values["stance"] = ""
        values["outlet"] = self.outlet(spans, values)
        self.outlets[name] = values["outlet"]
        self.statements.append(_DraftTestimony(name, values["speaker"], values["mode"], spans))
        return name, proposal._replace(values=values).with_placeholders()

    def outlet(self, spans: Sequence[Span], values: Mapping[str, str]) -> str:
        """Return the outlet to which a statement was said, as its sentence shows it, or the words that
        go on with the speech before; "" if none is shown.
        """
        text, attributed = self.document.text, attributed_words(self.document)
        found = attributed.attribution_of(attributed_part(self.document, spans))
        if not found:
            return self.outlets.get(values.get("continues", ""), "")
        if outlet := outlet_addressed(text, found, attributed.found):
            return outlet
        last = self.statements[-1] if self.statements else None
        if last and last.speaker and last.speaker == values["speaker"]:
            is_near = "\n" not in text[last.spans[-1].end : spans[0].start]
            if is_near and goes_on(text, found):
                return self.outlets[last.id]
        return ""

    def with_whole_numbers(self, spans: Sequence[Span]) -> Sequence[Span]:
        """Return the words of a statement with the whole of a number that they cut."""
        text, first, last = self.document.text, spans[0], spans[-1]
        start, end = first.start, last.end
        for entry in ledger_of(self.document).entries:
            found = entry.detection
            if not found.quantity or not overlaps(found, [Span(start, end)]):
                continue
            start = min(start, hedge_start(text, found))
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
        for said in self.statements:
            texts = [self.document.text[slice(*span)] for span in said.spans]
            if found.kind == "quotation" and any(says_the_same(each, words) for each in texts):
                return said.id
        printed = found.quantity
        if printed is None:
            return ""
        for name, quantity in self.figures:
            unit = printed.unit or printed.likely_unit
            is_unit = unit == (quantity.unit or quantity.likely_unit) or not (unit or may_repeat)
            if is_unit and printed[:4] == quantity[:4]:
                return name
        return ""

    def is_definite(self, found: Detection) -> bool:
        """Return whether words mean a number that was given before: "all 49", "49 victims"."""
        text = self.document.text
        is_exact = found.quantity is not None and found.quantity.hedge == "exact"
        start = max(0, found.start - _LONGEST_DETERMINER)
        is_after = _DEFINITE.search(text, start, found.start) or _VICTIMS.match(text, found.end)
        return is_exact and bool(is_after)

    def proposal(self, found: Detection) -> Proposal:
        """Return the figure or waiver for words that are neither said nor the age of a speaker."""
        proposal = of_detections(self.document, [found])
        if proposal.table == "mentions":
            # It is the age of a person who does not speak, and so has no entry.
            return proposed_waiver(self.document, Span(found.start, found.end))
        if proposal.table == "figures":
            for name, speaker, mode, spans in self.statements:
                if is_inside(found, spans):
                    is_of_writer = mode == "narrated"
                    is_of_writer |= is_in_source(self.document, spans[0], Span(*found[:2]))
                    said = {"attributed_to": "" if is_of_writer else speaker, "testimony": name}
                    proposal = proposal._replace(values={**proposal.values, **said})
                    around = next(span for span in spans if is_inside(found, [span]))
                    words = proposal.spans[0]
                    within = Span(max(words.start, around.start), min(words.end, around.end))
                    proposal = proposal._replace(spans=(within,))
                    break
        return proposal.with_placeholders()


def _is_of_one(first: Proposal, second: Proposal) -> bool:
    """Return whether two testimonies have the same known speaker, mode, stance and outlet."""
    same = ("speaker", "mode", "stance", "outlet")
    is_same = all(first.values[key] == second.values[key] for key in same)
    return is_same and first.values["speaker"] != OPEN_SPEAKER


# ---- what the rules refuse -------------------------------------------------------------------------

_ON_SPEAKERS = (
    rules.attribution_of_another,
    rules.attribution_without_name,
    rules.name_in_another_role,
    rules.wrong_antecedent,
    rules.undeclared_rival,
    rules.wrong_continuation,
)
_MOST_ROUNDS = 5
"""Number of times that a draft is read again, since a change of one record concerns others."""


def _settled(text: str, content: str, file: str, context: Context) -> str:
    """Return a filled draft in which what the rules would refuse is led elsewhere, left open, or left
    out: a finding on a guess says what the program could have seen itself.
    """
    for _ in range(_MOST_ROUNDS):
        document = document_of(content, text, context, file=file, seed=file)
        if document is None:
            return content
        gone, values = _edits(document, content)
        if not (gone or values):
            break
        if values:
            content = yaml_editor.with_values(content, values)
        if gone:
            content = yaml_editor.without(content, gone)
    return content


def _edits(document: Document, content: str) -> tuple[list[Path], dict[Path, str]]:
    """Return the paths to remove from a draft, and the values to replace."""
    gone, values = [*_needless_waivers(document), *_idle_speakers(document)], dict[Path, str]()
    for path, record in document.testimonies:
        said, at = record.attribution, (*path, "attribution")
        if record.outlet and any(outlet_text_mismatch(document, (*path, "outlet"), record.outlet)):
            gone.append((*path, "outlet"))
        if said is None:
            continue
        if _is_denied(document, path, record):
            gone += [path, *_keys_of_figures(document, record)]
        elif record.speaker == OPEN_SPEAKER:
            continue
        elif _is_refused(document, at, record, said):
            led = _led(document, at, record, said)
            if led:
                values[at] = _typed(document, content, path, led)
                continue
            values[*path, "speaker"] = OPEN_SPEAKER
            gone += _keys_of_figures(document, record, only="attributed_to")
            gone += [at] if said.continues else _links(at, said)
    return gone, values


def _needless_waivers(document: Document) -> Iterator[Path]:
    for path, record in document.waivers:
        if any(redundant_waiver(document, path, record)):
            yield path


def _idle_speakers(document: Document) -> Iterator[Path]:
    """Yield the speakers who say nothing, and to whose mentions no words lead."""
    used = {record.speaker for _, record in document.testimonies}
    for _, record in document.testimonies:
        if said := record.attribution:
            used |= {str(said.antecedent), str(said.rival)}
    for path, entry in document.entries:
        if used.isdisjoint([entry.id, *(mention.id for mention in entry.mentions)]):
            yield path


_SILENT = re.compile(
    r"\b(?:declin|refus)(?:es?|ed|ing) (?:to (?:be interviewed|comment|respond)|comment)\b"
)


def _is_denied(document: Document, path: Path, record: Testimony) -> bool:
    """Return whether words without a quotation say that something is not said, as in "did not
    respond" or "refused to comment", or leave out what denies them, as in "of not [attacking the mill]".
    """
    said, spans = record.attribution, document.evidence_of(path)
    if said is None or any(overlaps(span, quotations_of(document)) for span in spans):
        return False
    if any(_SILENT.search(document.text, *span) for span in spans):
        return True
    if record.mode != "indirect":
        return False
    denied = rules.denied_without_stance(document, (*path, "attribution"), (record, said))
    return any(denied) or any(left_out_before_evidence(document, path, record))


def _is_refused(document: Document, at: Path, record: Testimony, said: Attribution) -> bool:
    """Return whether the rules refuse the speaker of a record, or the record that shows who it is."""
    known = {name for _, _, name in document.records}
    if said.antecedent and said.antecedent not in known:
        return True
    return any(any(rule(document, at, (record, said))) for rule in _ON_SPEAKERS)


def _led(document: Document, at: Path, record: Testimony, said: Attribution) -> Attribution | None:
    """Return the attribution with the last record before the words of the speaker whom they mean, and
    with the rival; None if the rules refuse it, too.
    """
    words, speaker = document.at((*at, "words")), record.speaker
    if not words or not (said.antecedent or _may_mean(document, words[0], speaker)):
        return None
    last = rules.last_before(document, words[0], speaker, record.id)
    if not last:
        return None
    rivals = rules.rivals_between(document, last, words, speaker)
    rival = rivals[0] if len(rivals) == 1 else None
    led = said.model_copy(update={"antecedent": last, "rival": rival})
    return None if _is_refused(document, at, record, led) else led


def _may_mean(document: Document, said: Span, speaker: str) -> bool:
    """Return whether words that say who speaks only have words of a mention of the speaker: "prosecutors"
    for "federal prosecutors", but not "state records" for "court records".
    """
    found = attributed_words(document).attribution_of(said)
    if not found or not found.source:
        return False
    known = set[str]()
    for path, _ in document.mentions:
        if document.entry_of(path).id == speaker:
            known |= _words(document.words((*path, "evidence")) or "")
    return _words(document.text[slice(*found.source.head)]) <= known | writings() | {
        "a",
        "an",
        "the",
    }


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _keys_of_figures(document: Document, record: Testimony, only: str = "") -> list[Path]:
    """Return the paths of the keys with which figures refer to a testimony and its speaker."""
    found = list[Path]()
    for path, figure in document.figures:
        if figure.testimony == record.id:
            keys = [only] if only else ["attributed_to", "testimony"]
            found += [(*path, key) for key in keys if getattr(figure, key)]
    return found


def _links(at: Path, said: Attribution) -> list[Path]:
    """Return the paths of the records to which an attribution leads."""
    return [(*at, key) for key in ("antecedent", "rival") if getattr(said, key)]


def _typed(document: Document, content: str, path: Path, led: Attribution) -> str:
    """Return an attribution as YAML, with its words as they are typed."""
    at, prefix = (*path, "attribution"), f"{document.source.id}-"
    words = yaml_editor.typed(content, path)["attribution"]
    if words.startswith("{") and (inner := yaml_editor.typed(content, at)).keys() & {"words"}:
        words = inner["words"]
    antecedent = str(led.antecedent).removeprefix(prefix)
    rival = str(led.rival or "").removeprefix(prefix)
    about = "true" * bool(led.about)
    return attribution_yaml(words, antecedent=antecedent, rival=rival, about=about)
