"""What follows from an edit for other records, and from a chosen speaker for a testimony.

After each edit, the article is compared with what it was before: a figure belongs to the testimony
with its words, and an attribution leads to a record that the rules accept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from defectors_data.annotators.proposals import attributions, counted_numbers
from defectors_data.annotators.proposals.attributions import (
    attributed_words,
    attribution_parts,
    is_in_source,
    nearest_speaker,
)
from defectors_data.annotators.proposals.counted_numbers import converted_by, in_words
from defectors_data.annotators.proposals.mentions import proposed_mention
from defectors_data.annotators.proposals.named_speakers import named_places
from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.annotators.record_ids import UnusedIds, id_of_name
from defectors_data.annotators.record_yaml import attribution_yaml, entry_yaml
from defectors_data.annotators.workbench.record_fields import (
    RequestError,
    Values,
    current_values,
    filled,
)
from defectors_data.corpus.findings import Path
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.edits import evidence_yaml, yaml_editor
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of, number_in
from defectors_data.evidence.free_text.persons import is_copied
from defectors_data.evidence.free_text.unsourced_details import public_text
from defectors_data.evidence.record_ids import is_numbered
from defectors_data.models.annotation import (
    Figure,
    ProtectedMention,
    Speaker,
    Testimony,
    UnnamedPerson,
    Writer,
    speaker_model,
)
from defectors_data.models.fields import OPEN_COUNTED, OPEN_SPEAKER, Record
from defectors_data.rules.attribution import (
    difference_of,
    lacks_name,
    last_before,
    not_continued,
    rivals_between,
    undeclared_rival,
    words_left_out,
    wrong_antecedent,
)
from defectors_data.rules.attribution.persons import namings, own, repeats_mention
from defectors_data.rules.attribution.roles import objective_pronouns
from defectors_data.text.attributions import verbs
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import (
    Span,
    are_inside,
    is_inside,
    overlaps,
    paragraphs_around,
    sentences_around,
    with_neighbours,
)

Keys = Mapping[Path, Mapping[str, str]]
"""The keys of records to set, as YAML, by path; "" removes a key."""
GUESS = "  # a guess: "
"""What begins the comment on a value that only a person can confirm."""


# ---- figures in the words of testimonies ---------------------------------------------------------


class Statement(NamedTuple):
    """A testimony, as far as its figures depend on it."""

    id: str
    spans: Sequence[Span]
    speaker: str
    mode: str
    is_attributed: bool
    """Whether it has words that say who speaks."""

    @property
    def sayer(self) -> str:
        """The speaker of what is said; "" if that is open, or the writer narrates."""
        is_open = self.speaker in PLACEHOLDERS.values()
        if is_open or self.mode == "narrated":
            return ""
        return self.speaker

    def contains(self, spans: Sequence[Span]) -> bool:
        """Return whether all of some words are in the words of the testimony."""
        return bool(spans) and are_inside(spans, self.spans)

    def stated_by(self, document: Document, spans: Sequence[Span]) -> str:
        """Return the speaker of a figure in the testimony; "" if that is open, or may be the writer:
        if the words say of nobody that they state it, or mention the speaker.
        """
        if self.mode == "direct" or not (self.sayer and spans and self.spans):
            return self.sayer if spans else ""
        is_of_writer = is_in_source(document, self.spans[0], spans[0])
        for path, _ in document.mentions:
            if document.entry_of(path).id == self.speaker:
                mentioned = document.evidence_of(path)
                is_of_writer |= any(overlaps(each, [Span(*spans[0])]) for each in mentioned)
        if not self.is_attributed:
            attributed = attributed_words(document)
            is_said = any(is_inside(spans[0], each.content) for each in attributed.found)
            is_of_writer |= not is_said and not attributed.attribution_of(self.spans[0])
        return "" if is_of_writer else self.speaker


def _statements(document: Document) -> dict[str, Statement]:
    found = {}
    for path, each in document.testimonies:
        spans, is_attributed = document.evidence_of(path), bool(each.attribution)
        found[each.id] = Statement(each.id, spans, each.speaker, each.mode, is_attributed)
    return found


def settled(before: Document, after: Document) -> Keys:
    """Return the keys of records that follow from an edit of an article, with the paths that they have
    after it: figures belong to the testimony with their words, drafts have the speaker of what they
    continue, or whom their description means, and the words of the mention that attributes them;
    attributions lead to records that remain, and past none of the same speaker, and the source cites
    the outlet of each testimony. Others may follow from these keys in turn.

    A person without a name has that which a new mention is. What a person has accepted changes only
    where the rules would refuse it since the edit.
    """
    if named := _names_followed(before, after):
        return named
    followed = _speakers_followed(before, after)
    settled = {**_figures_settled(before, after), **_attributions_settled(before, after)}
    others = {path: keys for path, keys in settled.items() if path[:2] not in followed}
    followed |= _words_followed(before, after)
    return {
        **_descriptions_followed(before, after),
        **others,
        **followed,
        **_outlets_settled(before, after),
    }


def _names_followed(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the keys of the persons without a name to whom an edit gave a mention that is only a full
    name, which the article prints as theirs, and of the records that name them.
    """
    known = {mention.id for _, mention in before.mentions}
    found = dict[Path, dict[str, str]]()
    for path, mention in after.mentions:
        entry, at, spans = after.entry_of(path), path[:2], after.evidence_of(path)
        is_new = mention.id not in known and entry.id in before.speakers_by_id
        if not (is_new and spans and isinstance(entry, UnnamedPerson)):
            continue
        shown = proposed_mention(after, spans[0]).values
        words = re.sub("['’]s$", "", after.text[slice(*spans[0])])
        if words == shown["name"] and shown["anonymity"] == "named":
            values = {key: str(shown[key]) for key in ("anonymity", "name")}
            found |= with_fitting_id(after, at, values)
            found[at] = {**found.get(at, {}), **{key: scalar(each) for key, each in values.items()}}
    return found


def _outlets_settled(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the outlets that the source cites if an edit named another one, which the article prints."""
    cited, own_outlet = after.source.cited_outlets, after.source.outlet
    known = {*cited, own_outlet, *(each.outlet for _, each in before.testimonies)}
    named = {each.outlet: None for _, each in after.testimonies if each.outlet not in known}
    new = [each for each in named if each and contains_words(public_text(after), each)]
    outlets = ", ".join(scalar(each) for each in (*cited, *new))
    if not new:
        return {}
    return {("source",): {"cited_outlets": f"[{outlets}]"}}


def _figures_settled(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the keys of the figures whose testimony, or its speaker, is another one after an edit, and
    what drafts count that state an amount in another currency.

    A testimony that an accepted figure names is kept, and so is a speaker who is not that of the
    testimony: only a person may replace them.
    """
    known, now = _statements(before), _statements(after)
    gone = {each.id for _, each in before.entries}
    gone -= {each.id for _, each in after.entries}
    earlier = {each.id: (path, each) for path, each in before.figures}
    found = dict[Path, dict[str, str]]()
    for path, figure in after.figures:
        if figure.id not in earlier:
            continue
        at, former = earlier[figure.id]
        places, spans = before.evidence_of(at), after.evidence_of(path)
        was, named = known.get(former.testimony or ""), now.get(figure.testimony or "")
        around = [each for each in now.values() if each.contains(spans)]
        were_around = [each for each in known.values() if each.contains(places)]
        keys = dict[str, str]()
        if figure.draft and figure.attributed_to in gone:
            keys["attributed_to"] = ""
        is_kept = named is not None and (named in around or not figure.draft)
        said = named
        if not is_kept:
            said = around[0] if len(around) == 1 else None
        is_changed = (was, were_around) != (named, around)
        if is_changed and not is_kept and (said or was):
            keys["testimony"] = said.id if said else ""
        stated_before = was.stated_by(before, places) if was else ""
        stated_by = said.stated_by(after, spans) if said else ""
        if was and said and figure.attributed_to == was.sayer and said.id == was.id:
            stated_before, stated_by = was.sayer, said.sayer  # who states it was decided
        is_theirs = (figure.attributed_to or "") == stated_before and not figure.attribution
        # Who states an accepted figure is left to the person if it is part of nothing anymore.
        is_theirs &= figure.draft or said is not None
        if is_changed and is_theirs and stated_by != (figure.attributed_to or ""):
            keys["attributed_to"] = scalar(stated_by) if stated_by else ""
        if figure.draft and figure.counted == OPEN_COUNTED and spans:
            counted = _counted_in_other_currency(after, spans[0])
            if counted:
                keys["counted"] = scalar(counted)
        if keys:
            found[path] = keys
    return found


def _counted_in_other_currency(document: Document, span: Span) -> str:
    """Return what the figure counts whose amount some words state in another currency; "" if it has
    none, or leaves it open.
    """
    number = number_in(document, span)
    first = converted_by(document, number) if number else None
    figure = None
    if first:
        figure = document.figures_by_id.get(first.record_id or "")
    if figure is None or figure.counted == OPEN_COUNTED:
        return ""
    return figure.counted


def possibly_counted(document: Document, path: Path, figure: Figure) -> dict[str, Span]:
    """Return what a draft may count instead, with its evidence then: up to the words that say so,
    unless another number or the end of its testimony is between. Of a protected person, only what
    the article prints is returned.
    """
    spans, found = document.evidence_of(path), dict[str, Span]()
    if not (figure.draft and len(spans) == 1):
        return found
    within = ledger_of(document).within
    outer = [each for each in _statements(document).values() if each.id == figure.testimony]
    is_protected = any(each == path for each, _ in document.records_of_protected)
    for counted, words in counted_numbers.possibly_counted(document, spans[0]):
        whole = Span(min(spans[0].start, words.start), max(spans[0].end, words.end))
        is_alone = within([whole]) == within(spans)
        is_said = all(each.contains([whole]) for each in outer)
        stated = figure.model_copy(update={"counted": counted})
        is_known = counted == figure.counted
        if not is_known and (not is_protected or is_copied(document, path, stated)):
            found[counted] = whole if is_alone and is_said else spans[0]
    return found


def _speakers_followed(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the keys of the drafts whose speaker was read from a testimony that an edit gave to
    another speaker, or removed: they continue it, or mean its speaker by a pronoun. The speaker is
    open if the words cannot mean the other one, if that is the writer, or if what they continue is
    removed.
    """
    spoke = {each.id: each.speaker for _, each in before.testimonies}
    speaks = {each.id: each.speaker for _, each in after.testimonies}
    found = dict[Path, dict[str, str]]()
    for path, testimony in after.testimonies:
        said, words = testimony.attribution, after.at((*path, "attribution", "words"))
        led = str(said and (said.continues or said.antecedent))
        is_led = spoke.get(led) == testimony.speaker != speaks.get(led)
        is_read = not words or (led in speaks and _is_pronoun(after, path))
        if not (testimony.draft and is_led and is_read):
            continue
        speaker = speaks.get(led, OPEN_SPEAKER)
        entry = after.speakers_by_id.get(speaker)
        if isinstance(entry, Writer) or (entry and words and difference_of(after, words, speaker)):
            speaker = OPEN_SPEAKER
        found[path] = {"speaker": scalar(speaker)}
        if speaker == OPEN_SPEAKER and words:
            found[*path, "attribution"] = {"antecedent": "", "rival": ""}
        elif speaker == OPEN_SPEAKER:
            found[path]["attribution"] = ""
    return found


def _descriptions_followed(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the keys of the drafts without a speaker that have the description, such as "the
    chancellor", of one whose speaker an edit chose.
    """
    were_open = {each.id for _, each in before.testimonies if each.speaker == OPEN_SPEAKER}
    called = {each.id: _description(after, path) for path, each in after.testimonies if were_open}
    chosen, followers = dict[str, str](), dict[str, str]()
    found = dict[Path, dict[str, str]]()
    for _, testimony in after.testimonies:
        entry = after.speakers_by_id.get(testimony.speaker)
        is_chosen = testimony.id in were_open and entry and not isinstance(entry, Writer)
        if is_chosen and called[testimony.id].startswith("the "):
            chosen[called[testimony.id]] = testimony.speaker
    for path, testimony in after.testimonies:
        speaker = chosen.get(called.get(testimony.id, ""), "")
        words = after.at((*path, "attribution", "words"))
        if testimony.speaker != OPEN_SPEAKER or not speaker or not words:
            continue
        antecedent = str(led(after, words, {}, speaker, testimony.id).get("antecedent", ""))
        nearest = antecedent or last_before(after, words[0], speaker, testimony.id)
        if nearest and rivals_between(after, nearest, words, speaker):
            continue  # another speaker, whom the description may mean, is mentioned between
        found[path] = {"speaker": scalar(speaker)}
        if antecedent:
            antecedent = followers.get(speaker, antecedent)
            attributed = attribution_in_yaml(after, testimony, words, antecedent)
            found[path]["attribution"] = attributed
        followers[speaker] = testimony.id
    return found


def _words_followed(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the keys of the drafts whose attribution has the words of a mention that an edit changed:
    it gets the new words, or of these the name of the speaker, if it lacked this, and so does evidence
    that begins or ends with them.
    """
    earlier = {each.id: before.evidence_of(path) for path, each in before.mentions}
    found = dict[Path, dict[str, str]]()
    for at, mention in after.mentions:
        [*old], [*new] = earlier.get(mention.id, ()), after.evidence_of(at)
        if len(old) != 1 or len(new) != 1 or old == new or not overlaps(old[0], new):
            continue
        name = getattr(after.entry_of(at), "name", None)
        if name and not is_inside(new[0], old):
            named = after.text.find(name, *new[0])
            new = [Span(named, named + len(name))]
            if named < 0 or overlaps(old[0], new):
                continue
        for path, testimony in after.testimonies:
            said, words = testimony.attribution, after.at((*path, "attribution", "words"))
            is_of_mention = testimony.draft and testimony.speaker == after.entry_of(at).id
            if not (is_of_mention and said and is_inside(old[0], words)) or said.rival:
                continue
            parts = [_with_edges(each, old[0], new[0]) for each in words]
            attributed = attribution_in_yaml(after, testimony, parts, said.antecedent or "")
            spans = [_with_edges(each, old[0], new[0]) for each in after.evidence_of(path)]
            is_direct = testimony.mode == "direct"
            evidence = evidence_yaml.evidence(after, spans, direct=is_direct)
            found[path] = {"attribution": attributed, "evidence": evidence}
    return found


def _with_edges(span: Span, old: Span, new: Span) -> Span:
    """Return a span around some words with the edges of the new ones where it has those of the old."""
    if not is_inside(old, [span]):
        return span
    start = new.start if span.start == old.start else min(span.start, new.start)
    end = new.end if span.end == old.end else max(span.end, new.end)
    return Span(start, end)


def _is_pronoun(document: Document, path: Path) -> bool:
    """Return whether a testimony is attributed to a pronoun."""
    read = attributed_words(document).attribution_of(document.evidence_of(path)[0])
    return bool(read and read.source and read.source.kind == "pronoun")


def _attributions_settled(before: Document, after: Document) -> dict[Path, dict[str, str]]:
    """Return the keys of the attributions that an edit of other records makes wrong, by path."""
    gone = {name for _, _, name in before.records}
    gone -= {name for _, _, name in after.records}
    earlier = {each.id: (path, each) for path, each in before.testimonies}
    mentioned = {each.id: after.entry_of(path).id for path, each in after.mentions}
    found = dict[Path, dict[str, str]]()
    for path, testimony in after.testimonies:
        at, former = earlier.get(testimony.id, ((), testimony))
        said, speaker = testimony.attribution, testimony.speaker
        if not at or not said or former.attribution != said:
            continue
        words = after.at((*path, "attribution", "words"))
        is_left = said.antecedent in gone and testimony.draft
        is_refused = _is_refused(after, path, testimony) and not _is_refused(before, at, former)
        keys = dict[str, str]()
        if is_left or is_refused:
            antecedent = ""
            is_known = bool(words) and speaker in after.speakers_by_id
            if is_known and not _is_named(after, words, speaker):
                antecedent = last_before(after, words[0], speaker, testimony.id)
            rival = only_rival(after, antecedent, words, speaker)
            keys = {"antecedent": antecedent, "rival": rival}
        elif said.rival in gone or mentioned.get(str(said.rival)) == speaker:
            keys = {"rival": ""}
        if keys:
            found[*path, "attribution"] = keys
    return found


def _is_refused(document: Document, path: Path, testimony: Testimony) -> bool:
    """Return whether the rules refuse the antecedent of a testimony, or the words of a draft need none.

    Who has accepted an antecedent that they no longer need may have chosen it: it does no harm.
    """
    said, words = testimony.attribution, document.at((*path, "attribution", "words"))
    is_known = testimony.speaker in document.speakers_by_id
    if not said or not said.antecedent or not words or not is_known:
        return False
    at, found = (*path, "attribution"), (testimony, said)
    if not lacks_name(document, words, testimony.speaker):
        is_named = _is_named(document, words, testimony.speaker)
        # Words of another are to be corrected.
        return is_named and (testimony.draft or any(undeclared_rival(document, at, found)))
    return any(wrong_antecedent(document, at, found))


def _is_named(document: Document, words: Sequence[Span], speaker: str) -> bool:
    return bool(own(document, words, speaker)) or repeats_mention(document, words, speaker)


def of_counted(
    document: Document, path: Path, figure: Figure, spans: Sequence[Span]
) -> dict[str, str]:
    """Return the key of what a figure counts after it gets other words: less if these lack the end of
    what it counts, and more if they add a preposition, a clause, the rest of a list or of a phrase. A
    person has typed what the words before do not print.
    """
    before = " ".join(document.words_at(document.evidence_of(path)))
    after = " ".join(document.words_at(spans))
    if in_words(figure.counted, before) != figure.counted:
        return {}
    counted = in_words(figure.counted, after) or OPEN_COUNTED * figure.draft
    added = after.partition(before)[2].rstrip(",.;")
    # Also "keepers who left before" of "12 keepers left before".
    end = figure.counted.split()[-_SAME_END:]
    is_end = before.split()[-len(end) :] == end
    last = [*tokens(before, 0, len(before))][-1:]
    first = [*tokens(added, 0, len(added))][:1]
    goes_on = any("preposition" in each.classes for each in last + first)
    goes_on |= any("determiner" in each.classes for each in last)  # "keep to a [promise]"
    goes_on |= any(each.word.isdigit() for each in first)  # "more top [20 hits]"
    goes_on |= bool(_LISTED.fullmatch(added)) or added.startswith(_RELATIVE)
    # "time in which crews left [the yard]": a clause
    goes_on |= any(each in figure.counted for each in _RELATIVE) and added.startswith(" ")
    pronoun = ""
    if any("auxiliary" in each.classes for each in first):  # "12 lamps [were lit]"
        pronoun = " who" if figure.unit == "person" else " that"
    if added and is_end and (goes_on or pronoun):
        counted = figure.counted + pronoun + added
    if counted not in ("", figure.counted):
        return {"counted": scalar(counted)}
    return {}


_RELATIVE = (" that ", " which ", " who ")
_LISTED = re.compile(r"(?:, [\w -]+)*,? (?:and|or) [\w -]+s")
"""The rest of a list: "lamps[, mills and 12 boats]"."""
_SAME_END = 2
"""Number of last words of a figure that are also those of what it counts, if its words print this."""


# ---- a speaker who is found ----------------------------------------------------------------------


def speaker_found(
    document: Document, record: str, mention: Sequence[Span], values: Values, ids: Sequence[str]
) -> dict[Path, dict[str, str]]:
    """Return the keys that a new mention completes in a testimony that lacked its speaker or had
    another one, by path.

    `ids` are those of the new entry, the last that of the mention. A mention in the sentence of a
    testimony is its attribution, with the verb that it has; else the words lead to the mention
    before them. Words that name the speaker lead to nothing. In a draft, words without a verb are a
    guess.
    """
    speaker = str(values.get("speaker", "")) or ids[0]
    for path, testimony in document.testimonies:
        if testimony.id != record or testimony.speaker == speaker:
            continue
        keys = {"speaker": scalar(speaker)}
        evidence = document.evidence_of(path)
        sentence = sentences_around(document.text, Span(evidence[0].start, evidence[-1].end))
        known = document.at((*path, "attribution", "words"))
        is_named = is_inside(mention[0], known)
        is_before = bool(known) and mention[-1].end <= known[0].start
        if objective_pronouns(document.text, known):
            # "Asking him" does not mean the one who asks, whom the words next to it may name.
            sentence, is_before = with_neighbours(document.text, sentence), False
        if is_before and not is_named:
            antecedent = ids[-1]
            nearest = last_before(document, known[0], speaker, record)
            for at, _, name in document.records:
                if name == nearest and document.evidence_of(at)[-1].end > mention[-1].end:
                    antecedent = name
            keys["attribution"] = attribution_in_yaml(document, testimony, known, antecedent)
        elif is_inside(mention[0], [sentence]) and not is_named:
            attributing = _with_verb(document, mention, known, evidence[0])
            keys["attribution"] = attribution_in_yaml(document, testimony, attributing)
            if testimony.draft and testimony.mode != "narrated" and attributing == [*mention]:
                keys["attribution"] += f"{GUESS}no verb was found"
        elif is_named and testimony.attribution and testimony.attribution.antecedent:
            keys["attribution"] = attribution_in_yaml(document, testimony, known)
        return {path: keys}
    return {}


def replaced(
    document: Document, mention: Sequence[Span], values: Values
) -> list[tuple[Path, Speaker]]:
    """Return the drafts of speakers whose words are only a part of those of a new mention, which is of
    another speaker: "Harrow" of "the Archbishop of Harrow, Ben Pelt".
    """
    found = list[tuple[Path, Speaker]]()
    for path, entry in document.speakers:
        words = list[Span]()
        for at, _ in document.mentions:
            if at[:2] == path:
                words += document.evidence_of(at)
        is_other = entry.id != values.get("speaker")
        if getattr(entry, "draft", False) and is_other and words and are_inside(words, mention):
            found.append((path, entry))
    return found


def attribution_in_yaml(
    document: Document,
    testimony: Testimony,
    words: Sequence[Span],
    antecedent: str = "",
) -> str:
    """Return an attribution to some words as YAML; those of narration are about the speaker."""
    about = "true" * (testimony.mode == "narrated")
    copied = evidence_yaml.evidence(document, words)
    return attribution_yaml(copied, antecedent=antecedent, about=about)


def _with_verb(
    document: Document, mention: Sequence[Span], known: Sequence[Span], said: Span
) -> list[Span]:
    """Return the words of a mention, and the verb by which what is said is attributed to it, if that
    is one of `known`, its words so far, or comes after the mention.
    """
    read = attributed_words(document).attribution_of(said)
    if read is None:
        return list(mention)
    is_its = is_inside(read.cue, known)
    if is_its and is_inside(mention[-1], [Span(read.phrase.start, read.cue.start)]):
        return [*mention, read.cue]  # "warn" of "A meeting saw members warn that it is shut"
    if not read.source or not overlaps(read.source.span, mention):
        return list(mention)
    if not known:
        is_its = mention[-1].end <= read.cue.start
    return sorted([*mention, read.cue]) if is_its else list(mention)


def draft_of(document: Document, mention: Sequence[Span]) -> str:
    """Return the only draft without a speaker that is attributed to the words of a new mention; ""
    if there is none.
    """
    found = []
    for path, testimony in document.testimonies:
        said = document.at((*path, "attribution", "words"))
        is_open = testimony.draft and testimony.speaker in PLACEHOLDERS.values()
        if is_open and are_inside(mention, said):
            found.append(testimony.id)
    return found[0] if len(found) == 1 else ""


def source_of(document: Document, record: str, chosen: Span) -> Span:
    """Return the words for the source to which a testimony is attributed, such as "federal data" of
    "according to federal data"; if it is attributed to nobody, the words that are chosen.

    Raises:
        RequestError: these are the words of the testimony itself, or the source is a pronoun.
    """
    for path, testimony in document.testimonies:
        said = document.at((*path, "attribution", "words"))
        if testimony.id != record or (not said and chosen not in document.evidence_of(path)):
            continue
        source = introducing_words(document, path)
        if not source:
            raise RequestError("Select the words that introduce the speaker, then press m.")
        return source
    return chosen


def check_unmentioned(document: Document, words: Span) -> None:
    """Check that the words to which a testimony is attributed are no mention yet.

    Raises:
        RequestError: they are one.
    """
    if mention := _mention_with(document, words):
        said, short = document.text[slice(*words)], mention.removeprefix(f"{document.source.id}-")
        raise RequestError(f"“{said}” is the mention {short} already: e on it corrects it.")


def _mention_with(document: Document, words: Span) -> str:
    """Return the mention with some words; "" if there is none."""
    found = [each.id for path, each in document.mentions if words in document.evidence_of(path)]
    return found[0] if found else ""


def introducing_words(document: Document, path: Path) -> Span | None:
    """Return the words of an attribution that can introduce the speaker of a testimony; None if it
    has none, or only a pronoun.
    """
    said = document.at((*path, "attribution", "words"))
    return attributions.introducing_words(document, document.evidence_of(path)[0], said)


def unmentioned_words(document: Document, path: Path) -> str:
    """Return the words of the attribution of a testimony that can introduce a new speaker: they are
    no mention yet, do not name a known one, and are enough for an entry. "" if there are none.
    """
    words = introducing_words(document, path)
    if not words or _mention_with(document, words):
        return ""
    described = proposed_mention(document, words).values
    if described["speaker"] or is_without_name(described):
        return ""
    return document.text[slice(*words)]


def is_without_name(described: Values) -> bool:
    """Return whether the words of a mention mean an institution and give no name, which each entry of
    one has: "the company".
    """
    return described["kind"] == "institution" and not described["name"]


def new_speaker(document: Document, spans: Sequence[Span]) -> Span | None:
    """Return the words of the article that introduce the speaker of a new testimony; None if the
    words that attribute it name or mean a known one, are a pronoun, or there are none.
    """
    found = None
    if spans:
        found = attributed_words(document).attribution_of(spans[0])
    if found is None or found.source is None or found.source.kind == "pronoun":
        return None
    said = attribution_parts(document, spans[0])
    words = attributions.introducing_words(document, spans[0], said)
    is_known = words and (
        nearest_speaker(document, spans[0])
        or any(overlaps(place, [words]) for place, _ in named_places(document))
        or is_without_name(proposed_mention(document, words).values)
    )
    return None if is_known else words


def words_with_names(
    document: Document, spans: Sequence[Span], attributing: str
) -> dict[str, Span]:
    """Return the words next to each other that name a speaker and say that the speaker speaks, by
    speaker, in the sentence of a statement: "Orr said", "according to Orr". Who is named in
    `attributing`, its words so far, needs no others.
    """
    text, quoted = document.text, ledger_of(document).quoted
    sentence = sentences_around(text, Span(spans[0].start, spans[-1].end))
    attributed = attributed_words(document)
    named = {
        each.speaker for each in namings(document) if text[each.start : each.end] in attributing
    }
    found = dict[str, Span]()
    for each in sorted(namings(document), key=lambda each: _FORMS.index(each.form)):
        name = Span(each.start, each.end)
        is_free = is_inside(name, [sentence]) and not quoted.contains(*name)
        if not is_free or each.is_possessive or each.speaker in named:
            continue
        for verb in verbs(text, sentence, quoted):
            words = _next_to_verb(text, name, verb)
            if words and not attributed.attributed_to_other(spans[0], [words]):
                found.setdefault(each.speaker, words)
    return found


def of_sentence(document: Document, path: Path, speaker: str) -> dict[str, str]:
    """Return the attribution of a testimony to a speaker in words of its sentence: a name and a verb,
    or else a pronoun and a verb, with the antecedent and the rival that the rules ask for. Empty if
    there are no such words that can mean the speaker; those in another testimony introduce that one.
    """
    text, spans = document.text, document.evidence_of(path)
    [record] = [each.id for at, each in document.testimonies if at == path]
    others = [at for at, each in document.testimonies if at != path or each.mode == "direct"]
    evidence = [span for at in others for span in document.evidence_of(at)]
    named = words_with_names(document, spans, "").get(speaker)
    if named and not overlaps(named, evidence):
        return {"words": text[slice(*named)]}
    for verb in words_left_out(document, path):
        pronoun = _SUBJECT.search(text, 0, verb.start)
        words = [Span(pronoun.start(), verb.end)] if pronoun else []
        if not words or overlaps(words[0], evidence) or difference_of(document, words, speaker):
            continue
        if antecedent := last_before(document, words[0], speaker, record):
            rival = only_rival(document, antecedent, words, speaker)
            said = text[slice(*words[0])]
            return {"words": said, "antecedent": antecedent, "rival": rival}
    return {}


_SUBJECT = re.compile(r"\b(?:he|she|they) $", re.IGNORECASE)
_FORMS = ("name", "surname", "mention")
"""The forms of the words for a speaker, the best for an attribution first."""
_ACCORDING = re.compile(r"to (?:the |an? )?")


def _next_to_verb(text: str, name: Span, verb: Span) -> Span | None:
    if text[name.end : verb.start] == " ":
        return Span(name.start, verb.end)
    between = text[verb.end : name.start].removeprefix(" ")
    is_source = text[slice(*verb)].casefold() == "according" and _ACCORDING.fullmatch(between)
    is_after_quotation = not between and text[: verb.start].rstrip().endswith(("”", '"', ","))
    if verb.end < name.start and (is_source or is_after_quotation):
        return Span(verb.start, name.end)
    return None


_DESCRIBED = ("description", "group", "institution")


def mention_needed(document: Document, path: Path, speaker: str, values: Values) -> Span | None:
    """Return the description in the attribution of a testimony that must become a mention of the
    speaker who is chosen, such as "the keeper": it leads to no record of this speaker, or others are
    mentioned after that record whom it could mean. None if none must.

    `values` are those of the attribution after the choice.
    """
    known = document.at((*path, "attribution", "words"))
    read = attributed_words(document).attribution_of(document.evidence_of(path)[0])
    is_described = read and read.source and read.source.kind in _DESCRIBED
    if not known or not is_described or speaker not in document.speakers_by_id:
        return None
    is_named = any(overlaps(each, known) and not each.is_possessive for each in namings(document))
    if is_named or repeats_mention(document, known, speaker):
        return None
    antecedent = str(values.get("antecedent", ""))
    records = {name for _, _, name in document.records}
    is_led = antecedent in records and not rivals_between(document, antecedent, known, speaker)
    words = introducing_words(document, path)
    if is_led or not words:
        return None
    is_group = proposed_mention(document, words).values["kind"] == "group"
    if is_group and document.speakers_by_id[speaker].kind == "person":
        return None  # "history said" does not mean a person
    return words


def with_speaker(document: Document, path: Path, speaker: str) -> Values:
    """Return a speaker who is chosen for the testimony at a path, with the attribution that its form
    fills in for this one.

    If it has words, a rival is only removed: that another one is not meant is for the annotator to
    say, who has seen no form; and so is `none`.
    """
    [testimony] = [each for at, each in document.testimonies if at == path]
    said = current_values(testimony, "testimonies")["attribution"]
    if not isinstance(said, Mapping) or said.get("none"):
        return {"speaker": speaker}
    found = attribution_of(document, document.evidence_of(path), said, speaker, path)
    if said.get("words"):
        found.pop("rival", None)
    found.pop("none", None)
    if found == filled(said):
        return {"speaker": speaker}
    return {"speaker": speaker, "mode": testimony.mode, "attribution": found}


def attribution_of(
    document: Document,
    spans: Sequence[Span],
    said: Values,
    speaker: str,
    path: Path | None = None,
) -> dict[str, str]:
    """Return the attribution of a testimony, new or at a path, if a speaker is chosen for it, who may
    be another one than that of its attribution so far.

    Without words, it gets the testimony that it continues, or words of its sentence, or the name of
    the only speaker in the sentence before it, or `none` if there are none of these. If other words
    of the sentence name the speaker, it gets these; if its words do not, they lead to the antecedent
    and the rival that the rules ask for.
    """
    words = str(said.get("words", ""))
    if not words:
        if path is None:
            continued = continued_by(document, spans, speaker)
            return {"continues": continued} if continued else {}
        if isinstance(document.speakers_by_id.get(speaker), Writer):
            return {"none": "writer"}
        if words_left_out(document, path):
            return of_sentence(document, path, speaker)
        if continued := continued_by(document, document.evidence_of(path), speaker):
            return {"continues": continued}
        if before := _name_before(document, document.evidence_of(path)[0], speaker):
            return {"words": before}
        is_asked = document.claims_completeness and not words_left_out(document, path, speaker)
        return {"none": "unclear"} if is_asked else {}
    read = attributed_words(document).attribution_of(spans[0])
    source = read.source if read else None
    is_pronoun = source is not None and source.kind == "pronoun"
    named = {} if is_pronoun else words_with_names(document, spans, words)
    if speaker in named:
        return {"words": document.text[slice(*named[speaker])]}
    places = attribution_parts(document, spans[0])
    if path is not None:
        places = document.at((*path, "attribution", "words"))
    known = {"words": words}
    is_described = source is not None and source.kind in _DESCRIBED
    is_new = is_described and not re.search(r"\b[Tt]he ", words)  # "a keeper"
    if is_new or difference_of(document, places, speaker):
        return known
    record = "".join([each.id for at, each in document.testimonies if at == path])
    return led(document, places, known, speaker, record)


def _name_before(document: Document, said: Span, speaker: str) -> str:
    """Return the name of a speaker in the sentence before some words in their paragraph, which names
    nobody else; "" if there is none.
    """
    here = sentences_around(document.text, said)
    start = with_neighbours(document.text, here).start
    before = Span(max(start, document.text.rfind("\n", 0, here.start) + 1), here.start)
    found = [each for each in namings(document) if is_inside(Span(*each[:2]), [before])]
    is_only = {each.speaker for each in found} == {speaker}
    free = [document.text[each.start : each.end] for each in found if not each.is_possessive]
    return free[0] if is_only and free else ""


def led(
    document: Document, words: Sequence[Span], said: Values, speaker: str, record: str = ""
) -> dict[str, Any]:
    """Return an attribution with the antecedent and the rival that the rules ask for, unless it has
    them or its words name the speaker. `record` is the testimony that has it, if it exists.
    """
    found = dict[str, Any](said)
    if not words or speaker not in document.speakers_by_id:
        return found
    antecedent = str(found.get("antecedent", ""))
    if not antecedent and lacks_name(document, words, speaker):
        antecedent = last_before(document, words[0], speaker, record)
    rival = found.get("rival") or only_rival(document, antecedent, words, speaker)
    stated = {"antecedent": antecedent, "rival": rival}
    return found | {key: value for key, value in stated.items() if value}


def continued_by(document: Document, words: Sequence[Span], speaker: str) -> str:
    """Return the testimony of a speaker whose speech one in some words can continue: the last before
    them, or else the first after them in their paragraph that names the speaker; "" if neither is
    next to them.
    """
    before, after = [], []
    for at, each in document.testimonies:
        spans, said = document.evidence_of(at), each.attribution
        if each.speaker != speaker or not spans or not words:
            continue
        is_near = "\n" not in document.text[words[-1].end : spans[0].start]
        if spans[-1].end <= words[0].start:
            before.append((spans[-1].end, each.id))
        elif spans[0].start >= words[-1].end and is_near and said and said.words:
            after.append((spans[0].start, each.id))
    for _, name in [*sorted(before)[-1:], *sorted(after)[:1]]:
        if not not_continued(document, words, speaker, name):
            return name
    return ""


def speaker_around(document: Document, words: Span, *, is_between: bool) -> str:
    """Return the speaker of the testimony before some words in their paragraph; "" if there is none, if
    the one after them has another speaker, or with `is_between` is missing, or if the words name one.
    """
    paragraph, spoken = paragraphs_around(document.text, words), []
    for at, each in document.testimonies:
        spoken += [(span, each.speaker) for span in document.evidence_of(at)]
    before = [found for found in spoken if paragraph.start <= found[0].start < words.start]
    after = [found for found in spoken if words.end <= found[0].start < paragraph.end]
    around = {speaker for _, speaker in [*sorted(before)[-1:], *sorted(after)[:1]]}
    around |= {name for where, name in named_places(document) if is_inside(where, [words])}
    is_one = before and (after or not is_between) and len(around) == 1
    if is_one and around <= set(document.speakers_by_id):
        return around.pop()
    return ""


def only_rival(document: Document, antecedent: str, words: Sequence[Span], speaker: str) -> str:
    """Return the mention of another speaker that the rules ask for as the rival, between an
    antecedent and words; "" if they ask for none, or would refuse each of several.
    """
    known = {name for _, _, name in document.records}
    if speaker not in document.speakers_by_id or antecedent not in known:
        return ""
    rivals = rivals_between(document, antecedent, words, speaker)
    return rivals[0] if len(rivals) == 1 else ""


def without_leftover(
    document: Document,
    spans: Sequence[Span],
    former: Values,
    said: Values,
    words: Sequence[Span],
    speaker: str,
    path: Path | None = None,
) -> Values:
    """Return an attribution in the form of a record, new or at a path, without the antecedent and
    the rival, if only its words were edited, and now name the speaker.

    Args:
        document: the article.
        spans: the evidence of the record.
        former: the values of the record, or those that were proposed.
        said: the attribution in the form.
        words: the places of its words.
        speaker: the speaker in the form.
        path: the path of an existing testimony.
    """
    before = former.get("attribution", "")
    if not isinstance(before, Mapping) or speaker not in document.speakers_by_id:
        return said
    if former.get("speaker", speaker) != speaker:
        # What the form fills in for another speaker.
        before = attribution_of(document, spans, before, speaker, path)
    is_left = all(str(said.get(key, "")) == str(before.get(key, "")) for key in _LED)
    is_edited = said.get("words") != before.get("words")
    if is_left and is_edited and _is_named(document, words, speaker):
        return {**said, **dict.fromkeys(_LED, "")}
    return said


_LED = ("antecedent", "rival")
"""What an attribution has only if its words do not name the speaker."""


def with_rival(document: Document, path: Path, values: Values) -> Values:
    """Return the values of the form of a testimony in which another antecedent was chosen, with the
    rival that the rules then ask for.
    """
    given = values.get("attribution")
    [testimony] = [each for at, each in document.testimonies if at == path]
    before = None
    if testimony.attribution:
        before = testimony.attribution.antecedent
    words = document.at((*path, "attribution", "words"))
    if not isinstance(given, Mapping) or not words or given.get("rival"):
        return values
    antecedent = str(given.get("antecedent", ""))
    if antecedent in ("", before):
        return values
    speaker = str(values.get("speaker", testimony.speaker))
    rival = only_rival(document, antecedent, words, speaker)
    return {**values, "attribution": {**given, "rival": rival}}


def with_outlet_kind(document: Document, values: Values, before: Testimony | None = None) -> Values:
    """Return the values of a testimony with the kind of the outlet that they name, if it is coded."""
    is_coded = "outlet_kind" in document.context.codes_required or (before and before.outlet_kind)
    if is_coded and values.get("outlet") and "outlet_kind" not in values:
        return {**values, "outlet_kind": "other"}
    return values


def likeliest_speakers(document: Document, path: Path) -> list[str]:
    """Return the speakers of an article, except its writer: those who are mentioned or speak last
    before the end of the words that attribute a testimony, or else of its sentence, come first.
    """
    evidence = document.evidence_of(path)
    said = document.at((*path, "attribution", "words"))
    limit = len(document.text)
    if said:
        limit = said[-1].end
    elif evidence:
        around = Span(evidence[0].start, evidence[-1].end)
        limit = sentences_around(document.text, around).end
    places = named_places(document)
    for each, testimony in document.testimonies:
        places += [(span, testimony.speaker) for span in document.evidence_of(each)[-1:]]
    found = {entry.id: 0 for _, entry in document.entries if getattr(entry, "kind", "") != "writer"}
    for span, speaker in places:
        # A person who is named in a statement is rarely the one who makes it.
        is_within = is_inside(span, evidence) and not is_inside(span, said)
        if speaker in found and span.end <= limit and not is_within:
            found[speaker] = max(found[speaker], span.end)
    return sorted(found, key=lambda speaker: -found[speaker])


def _description(document: Document, path: Path) -> str:
    """Return the description that a testimony is attributed to, in small letters; "" if it has none."""
    spans = document.evidence_of(path)
    read = None
    if spans:
        read = attributed_words(document).attribution_of(spans[0])
    if not read or not read.source or read.source.kind != "description":
        return ""
    return document.text[slice(*read.source.head)].casefold()


# ---- the id of a draft ---------------------------------------------------------------------------


def with_fitting_id(document: Document, path: Path, values: Values) -> dict[Path, dict[str, str]]:
    """Return the keys that name a speaker, by path, with another id: of a draft the one that fits
    the name in a form, unless a person has chosen it; of any entry one with a number, if the
    speaker in the form must have such an id.
    """
    found = [entry for at, entry in document.speakers if at == path]
    if not found:
        return {}
    [speaker] = found
    fitting = _fitting_id(document, speaker, _stated(speaker, values))
    if fitting == speaker.id:
        return {}
    keys = {path: {"id": scalar(fitting)}}
    for each, key in keys_naming(document, speaker.id):
        keys.setdefault(each, {})[key] = scalar(fitting)
    return keys


def _is_made(document: Document, speaker: Speaker) -> bool:
    """Return whether the program made the id of a draft: it has a number, or ends its name."""
    name = id_of_name(getattr(speaker, "name", "") or "")
    is_numbered = speaker.id.startswith(f"{document.source.id}-speaker-")
    return is_numbered or f"-{name}".endswith(f"-{speaker.id}")


def _stated(speaker: Speaker, values: Values) -> dict[str, Any]:
    """Return the values of a speaker with those of a form; `false` is a value."""
    given = {key: value for key, value in values.items() if isinstance(value, str)}
    stated = {**speaker.model_dump(mode="json", exclude_none=True), **given}
    return {key: value for key, value in stated.items() if value != ""}


def without_details(document: Document, path: Path, speaker: Speaker, values: Values) -> Keys:
    """Return the keys of mentions that a speaker must not have with the values of a form, such as
    the affiliation of a person who becomes protected; they are removed.
    """
    found: dict[Path, dict[str, str]] = {}
    if is_public_with(speaker, values):
        return found
    for at, mention in document.mentions:
        details = mention.model_fields_set - ProtectedMention.model_fields.keys()
        if at[:2] == path and details:
            found[at] = dict.fromkeys(sorted(details), "")
    return found


def is_public(model: type[Record] | None) -> bool:
    """Return whether the speakers of a model have a name that may be in their id."""
    is_protected = bool(getattr(model, "protected", False))
    return model is not None and "name" in model.model_fields and not is_protected


def is_public_with(speaker: Speaker, values: Values) -> bool:
    """Return whether a speaker with the values of a form has a name that may be in the id."""
    return is_public(speaker_model(_stated(speaker, values)))


def _fitting_id(document: Document, speaker: Speaker, stated: Mapping[str, Any]) -> str:
    numbered, ids = f"{document.source.id}-speaker-", UnusedIds.of(document)
    if not is_public(speaker_model(stated)):
        is_fitting = is_numbered(speaker.id, (numbered,))
        return speaker.id if is_fitting else ids.next("speaker-")
    fitting = id_of_name(stated.get("name", ""))
    is_free = fitting not in ids.given and fitting not in document.context.shared
    is_named = getattr(speaker, "draft", False) and _is_made(document, speaker)
    if fitting and is_free and is_named:
        return fitting
    return speaker.id


# ---- the mentions and the names of a speaker ------------------------------------------------------


def with_mentions(document: Document, text: str, mentions: Sequence[str], speaker: str) -> str:
    """Return the text of a file with mentions in YAML added to those of a speaker."""
    for path, entry in document.entries:
        if entry.id == speaker:
            for item in mentions:
                text = yaml_editor.with_item(text, (*path, "mentions"), item)
            return text
    # Another article quotes the shared speaker; this one refers to it from now on.
    entry_added = entry_yaml({"use": scalar(speaker)}, *mentions)
    return yaml_editor.with_item(text, ("speakers",), entry_added)


def keys_naming(document: Document, speaker: str) -> list[tuple[Path, str]]:
    """Return the paths and keys of the records that name a speaker."""
    found: list[tuple[Path, str]] = []
    for path, testimony in document.testimonies:
        if testimony.speaker == speaker:
            found.append((path, "speaker"))
    for path, figure in document.figures:
        if figure.attributed_to == speaker:
            found.append((path, "attributed_to"))
    for path, group in document.groups:
        if group.part_of == speaker:
            found.append((path, "part_of"))
    return found
