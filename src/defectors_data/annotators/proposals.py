"""Records proposed from the words of an article.

`todo`, `draft`, the forms of the local page and the imports all propose records with these
functions. A person reviews each proposal: what the words do not show is left empty.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from defectors_data.annotators.introductions import NAME, introduction, names
from defectors_data.annotators.kinds_of_names import follows_preposition, is_document, kind_and_name
from defectors_data.corpus.findings import Path
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import LedgerEntry, ledger_of, quotations_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models.annotation import NamedPerson, SharedPerson, Testimony
from defectors_data.models.fields import (
    LONGEST_SERVICE,
    OLDEST,
    OPEN_COUNTED,
    OPEN_SPEAKER,
    plain_line,
    plain_number,
)
from defectors_data.models.project import VocabularyTerm
from defectors_data.text import quantities
from defectors_data.text.attributions import AttributedWords, FoundAttribution, verbs
from defectors_data.text.attributions.proposed import (
    LABEL,
    owned_after,
    proposed_attributions,
    publisher_after,
)
from defectors_data.text.detection import (
    Detection,
    is_age,
    is_in_name_of_kind,
    reason_of_number,
    states_age,
)
from defectors_data.text.english import (
    PARTY_NAME,
    cue_words,
    expanded,
    is_plural,
    likely_unit,
    means_person,
    rows,
)
from defectors_data.text.english.counted_words import (
    CountedWords,
    NumberInClause,
    counted_candidates,
    counted_words,
    says_nothing,
)
from defectors_data.text.english.counted_words.number_context import is_verb_form
from defectors_data.text.english.numbered_names import is_in_repeated_name
from defectors_data.text.english.polarity import likely_polarity, polarity_cue
from defectors_data.text.english.pseudonyms import may_be_pseudonym
from defectors_data.text.english.sentences import Token, tokens, without_titles
from defectors_data.text.occurrences import says_the_same
from defectors_data.text.offsets import (
    Span,
    SpanIndex,
    is_inside,
    on_word_boundaries,
    overlaps,
    paragraphs_around,
    sentences_around,
)
from defectors_data.text.similar_words import may_be_one_person, surname_of

_NO_NOTES: Mapping[str, str] = MappingProxyType({})


class Proposal(NamedTuple):
    """A proposed record."""

    table: str
    spans: tuple[Span, ...]
    values: Mapping[str, str]
    """The values as text, by key; "" if only a person can decide. Themes are separated by commas.

    A mention also has the values of its speaker's entry.
    """
    notes: Mapping[str, str] = _NO_NOTES
    """What is uncertain about a value, such as "or 3400", by key."""
    attribution: tuple[Span, ...] = ()
    """The places of the words that attribute a testimony, as in its values."""

    def with_placeholders(self) -> Proposal:
        """Return the proposal with placeholders, which `check` reports until they are replaced."""
        values = dict(self.values)
        for key, placeholder in PLACEHOLDERS.items():
            if values.get(key) == "":
                values[key] = placeholder
        return self._replace(values=values)


PLACEHOLDERS = {"speaker": OPEN_SPEAKER, "counted": OPEN_COUNTED}


def of_detections(document: Document, group: Sequence[Detection]) -> Proposal:
    """Return the record for a number, or for the parts of a quotation."""
    found = group[0]
    spans = [Span(each.start, each.end) for each in group]
    if found.kind == "quotation":
        is_in_title = is_inside(spans[0], _headline(document))
        is_repeated = is_in_title and bool(_repeated(document, spans[0]))
        is_spoken = not (is_repeated or reason_of_quotation(document, spans[0]))
        return testimony(document, spans) if is_spoken else waiver(document, spans[0])
    if _is_in_name(document.text, found):
        return waiver(document, spans[0])
    age = aged(document.text, found)
    if age and age != spans[0]:
        return mention(document, age)
    if found.quantity and not age and not _counts_nothing(document.text, found):
        return figure(document, spans[0])
    return waiver(document, spans[0])


def _is_in_name(text: str, found: Detection) -> bool:
    number = Span(found.start, found.end)
    is_repeated = found.kind == "quantity" and is_in_repeated_name(text, number)
    return is_repeated or is_in_name_of_kind(text, found)


def _headline(document: Document) -> list[Span]:
    """Return the places of the title and the subtitle."""
    return [*document.at(("source", "title")), *document.at(("source", "subtitle"))]


# ---- testimonies ---------------------------------------------------------------------------------


def testimony(document: Document, spans: Sequence[Span]) -> Proposal:
    """Return the testimony with the given words."""
    attributing = attribution_parts(document, spans[0])
    values = {
        "speaker": nearest_speaker(document, spans[0]) or "",
        "attribution": attribution(document, spans[0]),
        "antecedent": "",
        "mode": mode(document, spans),
        "stance": _stance(document, spans[0]),
        "themes": ", ".join(_themes(document, spans)),
        "outlet": "",
    }
    return Proposal("testimonies", tuple(spans), values, attribution=attributing)


@per_document
def attributed_words(document: Document) -> AttributedWords:
    """Return the attributions in the text of a document."""
    return _attributed(document.text)


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _attributed(text: str) -> AttributedWords:
    return AttributedWords(text, proposed_attributions(text))


PARTS_TYPED = "..."
"""What is between parts of words in a text."""


def attribution(document: Document, span: Span) -> str:
    """Return the words that attribute a passage, as in "Ada Orr ... said"; "" if none do."""
    parts = attribution_parts(document, span)
    return f" {PARTS_TYPED} ".join(document.text[slice(*part)] for part in parts)


def attribution_parts(document: Document, span: Span, name: Span | None = None) -> tuple[Span, ...]:
    """Return the words that attribute a passage: a name and a verb, in two parts if other words are
    between them; empty if no words do. `name` is written in place of a description before it.
    """
    found = attributed_words(document).attribution_of(span)
    if not found or not found.source:
        return ()
    text, head = document.text, name or found.source.head
    if is_document(text[slice(*head)].rsplit(maxsplit=1)[-1].casefold()):
        publisher = publisher_after(text, head) or owned_after(text, head)
        head = Span(head.start, publisher.end) if publisher else head
    first, second = sorted((head, found.cue))
    parts = [first, second]
    if text[first.end : second.start].strip() in ("", ","):
        parts = [Span(first.start, max(first.end, second.end))]
    elif found.verb == LABEL:
        parts = [head]  # "Ada Orr (D-Ohio):"
    # A number can be read without the rest of its word, as in "the 1,600-strong service".
    return tuple(on_word_boundaries(text, *part) for part in parts)


def introducing_words(document: Document, statement: Span, said: Sequence[Span]) -> Span | None:
    """Return the words of the attribution of a statement that can introduce its speaker, such as
    "another"; None if it has none, or only a pronoun for a known person.
    """
    if not said:
        return None
    read = attributed_words(document).attribution_of(statement)
    source = read.source if read else None
    is_in_first = source is not None and is_inside(source.head, said[:1])
    if not source or not is_inside(source.head, said) or (len(said) > 1 and not is_in_first):
        return _before_verb(document.text, said[0])
    words = document.text[slice(*source.head)]
    is_state = _STATE.fullmatch(words) and document.text.endswith(", ", 0, source.head.start)
    if words.casefold() in _PERSONAL | _DEMONSTRATIVE or is_state or words.startswith(_NOBODY):
        return None
    # "the polls" of "According to the polls in Rome"
    return source.span if is_inside(source.span, said) else source.head


_NOBODY = ("no ", "No ")
_STATE = re.compile(r"(?:[A-Z]\.){2}|[A-Z][a-z]{1,4}\.")
"""A state after a place: "Derry, N.H."."""


def _before_verb(text: str, words: Span) -> Span:
    """Return the words of an attribution without the verb at their end, if others precede it, or
    without that of a passive at their start.
    """
    passive = _PASSIVE.match(text, *words)
    if passive and passive["verb"] in cue_words():
        return Span(passive.end(), words.end)
    before, _, last = text[slice(*words)].rpartition(" ")
    is_verb = before and last.casefold() in cue_words()
    return Span(words.start, words.start + len(before)) if is_verb else words


_PASSIVE = re.compile(r"(?:(?:are|been|is|was|were) )?(?P<verb>[a-z]+) by ")
_CONJUNCTION = re.compile(r"(?:and|but|as)\s+")


_WHOLE_DATELINE = re.compile(r"[A-Z]{2}[^.!?“\"\n]{0,40} ?[―—–-] ")


_NO = "no "


def clause(document: Document, found: FoundAttribution) -> Span:
    """Return the words of reported speech: its content with the cue and a source in its clause.

    A whole sentence has its full stop, and "plans" the "no" that is directly before it.
    """
    spans = [found.phrase, *found.content]
    start = min(span.start for span in spans)
    end = max(span.end for span in spans)
    if joined := _CONJUNCTION.match(document.text, start):
        start = joined.end()
    end = _with_adjunct(document.text, found, end)
    start -= len(_NO) * document.text.endswith(f" {_NO}", 0, start)
    # A quotation in it has both of its quotation marks.
    for each in quotations_of(document):
        if each.end == end and start < each.start and not each.unclosed:
            end += _length_of_mark(document.text[end : end + 2])
        if each.start == start and each.end < end and not each.unopened:
            start -= _length_of_mark(document.text[start - 2 : start])
    is_start = start == found.sentence.start
    is_start |= bool(_WHOLE_DATELINE.fullmatch(document.text, found.sentence.start, start))
    is_whole = is_start and document.text[end : end + 1] in (".", "!", "?")
    return Span(start, end + is_whole)


_LONGEST_ADJUNCT = 7
"""Maximum number of words of an adjunct, with the full stop."""
_NOT_IN_ADJUNCT = frozenset(("auxiliary", "conjunction", "past", "subordinator"))


def _with_adjunct(text: str, found: FoundAttribution, end: int) -> int:
    """Return the end of a clause with the last words of its sentence if these only say when, where or
    to whom it was said: "Orr assured the Post", "Orr said on Friday", "Orr urged silence in May".
    """
    rest = [*tokens(text, end, found.sentence.end)]
    if not 1 < len(rest) <= _LONGEST_ADJUNCT or rest[-1].word != ".":
        return end
    is_adjunct = bool(rest[0].classes & {"preposition", "date", "time"}) or rest[0].word in _LATELY
    verb = cue_words().get(found.verb)
    is_adjunct |= end == found.phrase.end and verb is not None and "person" in verb.takes
    is_phrase = all(each.is_word and not each.classes & _NOT_IN_ADJUNCT for each in rest[:-1])
    return rest[-2].end if is_adjunct and is_phrase else end


_LATELY = ("last", "this", "earlier", "late")


def _length_of_mark(signs: str) -> int:
    """Return the length of a quotation mark, which some type as two signs: ``shut''."""
    return 2 if signs in ("''", "``", "’’", "‘‘") else 1


def mode(document: Document, spans: Sequence[Span]) -> str:
    """Return `direct` inside quotation marks, `indirect` if a source says the words, else
    `narrated`.
    """
    if all(is_inside(span, quotations_of(document)) for span in spans):
        return "direct"
    attributed = attributed_words(document)
    around = attributed.attribution_of(spans[0])
    if around and around.is_of_block and spans[0] in around.content:
        return "direct"
    cues = [each for each in attributed.found if is_inside(each.cue, spans)]
    if around and around not in cues:
        cues.append(around)
    quoted = SpanIndex((found.start, found.end, 0) for found in quotations_of(document))
    is_reported = any(each.is_reported for each in cues)
    if not cues:
        is_reported = any(verbs(document.text, span, quoted) for span in spans)
    return "indirect" if is_reported else "narrated"


def _stance(document: Document, span: Span) -> str:
    """Return the stance that the verb of an attribution shows; "" if it shows none, or "no plans"."""
    found = attributed_words(document).attribution_of(span)
    is_denied = found is None or document.text.endswith(f" {_NO}", 0, found.cue.start)
    return found.stance_in(document.text) if found and not is_denied else ""


def _themes(document: Document, spans: Sequence[Span]) -> list[str]:
    """Return the themes with a trigger in the words, or `other`."""
    themes = []
    for theme, triggers in document.context.triggers_by_theme.items():
        if triggers and triggered(document.text, spans, triggers):
            themes.append(theme)
    return themes or ["other"]


def nearest_speaker(document: Document, span: Span) -> str | None:
    """Return the id of the speaker to whom some words are attributed, or of the nearest one if they
    are attributed to a pronoun for a person, or to nobody.

    If the attribution means a speaker who has no entry, return None. The nearest is the one whose
    mention or surname is nearest, preferably in the same paragraph. The id of a protected person is
    returned only if it has the form `<source id>-speaker-<n>`, because any other id may identify
    the person.
    """
    attributed = attributed_words(document)
    found = attributed.attribution_of(span) or attributed.before(span)
    source = found and found.source
    if source and source.kind != "pronoun":
        for where, speaker in named_places(document):
            # "Orr" does not speak in "Orr's aides said".
            is_source = overlaps(where, [source.span])
            if is_source and not _names_others(document.text, where, source.span):
                return speaker
        return None
    if source and document.text[slice(*source.head)].casefold() not in _PERSONAL:
        return None
    best: tuple[bool, int] | None = None
    nearest = None
    for where, speaker in named_places(document):
        first, second = sorted((where, span))
        between = document.text[first.end : second.start]
        # False sorts first, so the same paragraph is preferred.
        distance = ("\n" in document.text[first.start : second.end], len(between))
        if best is None or distance < best:
            best, nearest = distance, speaker
    return nearest


_PERSONAL = frozenset("he i she they we who you".split())
"""Pronouns for persons."""
_DEMONSTRATIVE = frozenset("it that these this those which".split())


def speaker_within(document: Document, span: Span) -> tuple[str, str]:
    """Return the speaker who is named nearest to a verb of speech in some words, and the words that
    attribute them; without such a verb, the one who is directly before a verb. Empty if there is none.
    """
    text = document.text
    quoted = SpanIndex((found.start, found.end, 0) for found in quotations_of(document))
    inside = [found for found in named_places(document) if is_inside(found[0], [span])]
    full = names(text, span)
    pairs = []
    for verb in verbs(text, span, quoted):
        for where, speaker in inside:
            first, second = sorted((where, verb))
            between = text[first.end : second.start].strip()
            words = next((each for each in full if is_inside(where, [each])), where)
            if not between:
                words = Span(min(words.start, verb.start), max(words.end, verb.end))
            pairs.append((len(between), words, speaker))
    if not pairs:
        subjects = [(where, speaker) for where, speaker in inside if is_subject(text, where)]
        if not subjects:
            return "", ""
        where, speaker = subjects[0]
        words = next((each for each in full if is_inside(where, [each])), where)
        return speaker, text[slice(*words)]
    _, words, speaker = min(pairs)
    return speaker, text[slice(*words)]


def is_subject(text: str, name: Span) -> bool:
    """Return whether a verb follows a name directly: "that analysts expected"."""
    following = next(tokens(text, name.end, len(text)), None)
    if following is None or text[name.end : following.start] != " ":
        return False
    is_verb = "past" in following.classes or "auxiliary" in following.classes
    return is_verb or following.word.endswith("ed") or following.word in cue_words()


def named_places(document: Document) -> list[tuple[Span, str]]:
    """Return the places at which speakers are mentioned or named, each with the speaker's id."""
    numbered = re.compile(re.escape(document.source.id) + "-speaker-[1-9][0-9]*")
    found = []
    for path, _ in document.mentions:
        speaker = document.entry_of(path)
        if speaker.id not in document.protected or numbered.fullmatch(speaker.id):
            found += [(where, speaker.id) for where in document.evidence_of(path)]
            found += [(where, speaker.id) for where in _again(document, path)]
    for name, known in document.speakers_by_id.items():
        called = getattr(known, "name", None)
        if called and isinstance(known, NamedPerson | SharedPerson):
            called = surname_of(called) or called
        if called:
            places = re.finditer(rf"\b{re.escape(called)}\b", document.text)
            found += [(Span(*hit.span()), name) for hit in places]
    return found


def _again(document: Document, path: Path) -> list[Span]:
    """Return the other places of a mention that is a single word for a group, such as "analysts"."""
    words = document.words((*path, "evidence")) or ""
    groups = {group.id for _, group in document.groups}
    if not words.isalpha() or document.entry_of(path).id not in groups:
        return []
    places = re.finditer(rf"\b{words}\b", document.text, re.IGNORECASE)
    mentioned = document.evidence_of(path)
    return [Span(*hit.span()) for hit in places if Span(*hit.span()) not in mentioned]


# ---- figures -------------------------------------------------------------------------------------

_WORD_BEFORE = re.compile(r"[^\s\"“„«(\[]+[ \u00a0]$")
_WORD = re.compile(r",?[ \u00a0][\w-]+")
_FOLLOWING = re.compile(r"\S*(?:[ \u00a0]\S+){0,3}")
_LONGEST_HEDGE = 5
"""Maximum number of words before a number among which its hedge is searched for."""
_REACH = 40
"""Maximum length of one of these words, in code points."""


def figure(document: Document, span: Span) -> Proposal:
    """Return the figure in some words; those of a number alone are extended to its clause."""
    entry = number_in(document, span)
    counted = words = document.text[slice(*span)]
    said = entry.detection.quantity if entry else quantities.read_one(words)
    if entry:
        found = _counted(document, entry)
        counted = found.counted
        if is_inside(span, [entry.detection]):
            span = _with_rest(document.text, found.span, entry.detection)
        else:
            counted = in_words(counted, words) or counted
        words = document.text[entry.detection.end : span.end]
    elif said:
        counted = counted.partition(" ")[2]
    if said and said.other_scale and said.other_unit == "usd" and "$" in document.text:
        # The cents of an article with dollars are parts of these.
        said = said.scaled(said.other_scale)._replace(other_scale=None)
    if said and _AGE_GROUP.match(counted):
        said = said._replace(unit="person")
    reading, notes = _reading(said)
    if entry and _counts_noun(document.text, entry.detection, counted, reading["unit"]):
        notes.pop("unit", None)
    said_in, outer = _testimony_around(document, span)
    is_attributed = outer is not None and outer.mode != "narrated"
    is_attributed = is_attributed and not is_in_source(document, said_in[0], span)
    values = {
        "measure": _likely_measure(document, words, reading["unit"]),
        **reading,
        "polarity": "",
        "population": "",
        "counted": plain_line(counted),
        "attributed_to": outer.speaker if outer and is_attributed else "",
        "testimony": outer.id if outer else "",
        "as_of": "",
        "place": "",
        "override": "",
    }
    if entry:
        values["polarity"], guess = _polarity(document.text, entry.detection)
        if guess:
            notes["polarity"] = guess
    return Proposal("figures", (span,), values, notes)


_TO_NOUN = re.compile(r"\s*(?:of (?:the |its |his |her |their )?)?")


def _counts_noun(text: str, found: Detection, counted: str, unit: str) -> bool:
    """Return whether a number counts the plural noun after it, which has this unit: "14 lamps"."""
    words = counted.split()
    plurals = [i for i, word in enumerate(words) if is_plural(word) and word.islower()]
    if not plurals:
        return False
    noun = words[plurals[0]]
    to_noun = _TO_NOUN.match(text, found.end)
    start = to_noun.end() if to_noun else found.end
    is_after = text.startswith(" ".join(words[: plurals[0] + 1]), start)
    return is_after and unit == (likely_unit(noun) or "item")


def _polarity(text: str, found: Detection) -> tuple[str, str]:
    """Return the polarity that the words of a quantity show, and a note on a guess."""
    if found.quantity and found.quantity.polarity != "affirmed":
        return found.quantity.polarity, ""
    number = Span(found.start, found.end)
    cue = polarity_cue(text, number)
    if cue is None:
        return "", ""
    return likely_polarity(text, number), f"needed because of `{cue}`, also if it is `affirmed`"


_WORDS = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset(("the", "who", "that", "were", "have"))


def _likely_measure(document: Document, counted: str, unit: str) -> str:
    """Return the measure with most words in common with what is counted; "" if none has any."""
    measures = document.context.vocabulary.content.measures
    possible = [each for each in measures if not each.units or unit in each.units]
    return _most_alike(_stems(counted), possible)


def likely_role(document: Document, span: Span, kind: str = "person") -> str:
    """Return the likely role; an organisation without a title in its name represents itself."""
    found = _role_in(document, span)
    known = {each.term for each in document.context.vocabulary.content.roles}
    is_itself = found == "other" and kind == "institution" and _ITSELF in known
    return _ITSELF if is_itself else found


_ITSELF = "representative"


def _role_in(document: Document, span: Span) -> str:
    """Return the role that a trigger in the words of a mention shows, or else a title in them: by
    the table of titles, or by the definitions of the roles. `other` if there is none.
    """
    triggers = document.context.triggers_by_attribute.get("role", {})
    shown = [role for role, words in triggers.items() if triggered(document.text, [span], words)]
    if shown:
        return shown[0] if len(shown) == 1 else "other"
    roles = document.context.vocabulary.content.roles
    known = {each.term for each in roles}
    if shown_by_title := role_of_title(document.text, span, known):
        return shown_by_title
    words = tokens(document.text, *_without_others(document.text, span))
    titles = {each.word for each in words if "title" in each.classes or each.word in _OFFICES}
    if any(word.startswith("spokes") for word in titles):
        titles |= {"spokesman", "spokeswoman", "spokesperson"}
    return _most_alike(titles, roles) or "other"


def role_of_title(text: str, span: Span, known: Collection[str]) -> str:
    """Return the role, of those that are known, that a title in a mention shows; "" if none does."""
    mention = _OWNER.sub("", text[slice(*_without_others(text, span))])
    for row in rows("roles"):
        if row["role"] in known and re.search(expanded(row["pattern"]), mention, re.IGNORECASE):
            return row["role"]
    return ""


_OWNER = re.compile(rf"(?<!\S)(?!(?:{PARTY_NAME}|Cymru|Party)['’])\S+['’]s\b")
_OF_UNIVERSITY = re.compile(r"of (?:the )?[A-Z][^,]*\bUniversity\b")
_MEMBERS = frozenset("member members leader leaders founder founders head heads".split())


def _without_others(text: str, span: Span) -> Span:
    """Return a mention up to the person for whom its speaker works or to whom it is related: "a
    spokesman [for the governor]", but "a member of parliament", "a spokesman for the police".
    """
    last = None
    for token in tokens(text, *span):
        is_person = last is not None and means_person(last.word) and last.word not in _MEMBERS
        is_director = last is not None and last.word == "director"
        is_person &= not (is_director and _OF_UNIVERSITY.match(text, token.start, span.end))
        if is_person and token.word in ("for", "of", "to"):
            is_of_authority = _OF_AUTHORITY.match(text, token.start, span.end)
            if not (is_of_authority and last and last.word.startswith(_POSTS)):
                return Span(span.start, token.start)
        last = token
    return span


_POSTS = ("spokes", "director", "chair", "chief")
_OF_AUTHORITY = re.compile(
    r"(?:for|of) (?:the )?(?:[A-Z][\w’'.-]* )*(?:(?i:department|ministry|police|government|court"
    r"|embassy|(?:cabinet|foreign|home) office|treasury)|FBI|CIA|NSA"
    r"|Federal Reserve|White House|Pentagon|Kremlin)\b(?! [A-Z]| union)"
)
"""A public authority for which a person speaks: "for the Lamp Department"."""
_OFFICES = frozenset("lawyer official prosecutor".split())


def _most_alike(said: set[str], terms: Sequence[VocabularyTerm]) -> str:
    """Return the term whose name and definition share the most words with what is said, or ""."""
    best, most = "", 0
    for each in terms:
        # What follows a semicolon is often what the term does not mean.
        meant = _stems(f"{each.term.replace('_', ' ')} {each.definition.partition(';')[0]}")
        common = len(said & meant)
        if common > most:
            best, most = each.term, common
    return best


def _stems(words: str) -> set[str]:
    return {word.casefold().rstrip("s") for word in _WORDS.findall(words)} - _COMMON


def number_in(document: Document, span: Span) -> LedgerEntry | None:
    """Return the first ledger entry of a quantity that overlaps with a span, or None."""
    for entry in ledger_of(document).entries:
        if entry.detection.quantity and overlaps(span, [entry.detection]):
            return entry
    return None


def _reading(said: quantities.Quantity | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return the number, bounds, hedge and unit of a quantity, and notes on guesses."""
    keys = ("value", "low", "high")
    if said is None:
        return {**dict.fromkeys((*keys, "hedge"), ""), "unit": "other"}, {"unit": _NO_UNIT}
    values, notes = {}, {}
    for key in keys:
        number = getattr(said, key)
        values[key] = "" if number is None else plain_number(number)
        if number and said.other_scale:
            notes[key] = f"or {plain_number(number * said.other_scale)}"
    values["hedge"] = said.hedge
    if said.other_hedge:
        notes["hedge"] = f"or {said.other_hedge}"
    values["unit"] = said.unit or said.likely_unit or "other"
    if not said.unit:
        notes["unit"] = _NO_UNIT
    return values, notes


_NO_UNIT = "the words state no unit"


def _testimony_around(document: Document, span: Span) -> tuple[Sequence[Span], Testimony | None]:
    """Return the first testimony with a part that contains a span, or None, and its parts."""
    for path, found in document.testimonies:
        parts = document.evidence_of(path)
        if is_inside(span, parts):
            return parts, found
    return (), None


def is_in_source(document: Document, statement: Span, words: Span) -> bool:
    """Return whether a number is in the words that name who makes a statement: it is the writer who
    says of "the two camps" that they are two. So it is in what is denounced or rejected, but not in
    what is urged.
    """
    attributed = attributed_words(document)
    found, entry = attributed.attribution_of(statement), number_in(document, words)
    number = entry.detection if entry else words
    around = [each for each in attributed.found if is_inside(number, each.content)]
    if around and around[-1].is_of_fact(document.text):
        return True
    return bool(found and found.source and is_inside(number, [found.source.span]))


def in_words(counted: str, words: str) -> str:
    """Return the first words of what is counted that are among some words; "" if they say nothing."""
    printed = {*words.split(), *_LINKING}
    printed |= {word.strip(',.;:”"') for word in printed}
    kept = counted.split()
    while kept and (kept[-1] in _LINKING or not printed.issuperset(kept)):
        kept.pop()
    said = " ".join(kept)
    return "" if says_nothing(said) else said


_LINKING = frozenset(("that", "who"))
"""Words that what is counted can have, although the article does not print them."""


def possibly_counted(document: Document, span: Span) -> list[CountedWords]:
    """Return at most four guesses at what the figure in some words counts, the likeliest first."""
    entry = number_in(document, span)
    if entry is None:
        return []
    entry = converted_by(document, entry) or entry
    number, others, dates, before, _ = _in_sentence(document, entry)
    units = {_unit(each.detection.quantity) for each in (before, entry)}
    known = _counted(document, before).counted if before != entry and len(units) == 1 else ""
    return counted_candidates(document.text, number, others, dates, known)


def _in_sentence(
    document: Document, entry: LedgerEntry
) -> tuple[NumberInClause, list[Span], list[Span], LedgerEntry, LedgerEntry]:
    """Return a number, the others and the dates of its sentence, and the numbers before and after."""
    text, found = document.text, entry.detection
    said = found.quantity
    unit = said and (said.unit or said.likely_unit)
    number = NumberInClause(found.start, found.end, hedge_start(text, found), unit or "")
    sentence = sentences_around(text, Span(found.start, found.end))
    others, dates, before, following = list[Span](), list[Span](), entry, entry
    for each in ledger_of(document).entries:
        other = each.detection
        if other == found or other.kind == "quotation" or not overlaps(other, [sentence]):
            continue
        if _AGE_GROUP.match(text, other.start):
            continue  # "9,000 under-18s" are counted
        if other.kind != "quantity":
            dates.append(Span(other.start, other.end))
        elif not _is_in_name(text, other):
            others.append(Span(hedge_start(text, other), other.end))
            before = each if other.end <= found.start else before
            following = each if other.start >= found.end and following is entry else following
    return number, others, dates, before, following


def _counted(document: Document, entry: LedgerEntry) -> CountedWords:
    """Return what a number counts, and the words around it that say so."""
    text, found = document.text, entry.detection
    said = found.quantity
    number, others, dates, before, following = _in_sentence(document, entry)
    counted = counted_words(text, number, others, dates)
    inserted = _IN_PARENTHESES.match(text, found.end)
    if inserted and (not counted.counted or _OF_CLAUSE.match(counted.counted)):
        after = number._replace(end=inserted.end())
        beyond = counted_words(text, after, others, dates)
        is_more = beyond.counted not in ("", counted.counted)
        counted = beyond if is_more else counted
    if following is not entry and (joined := _with_clause_of_both(document, counted, following)):
        return joined
    earlier = before.detection.quantity
    if converted := converted_by(document, entry):
        return counted._replace(counted=_counted(document, converted).counted)
    is_same = earlier is not None and said is not None and _unit(earlier) == _unit(said)
    is_same &= before is not entry
    is_compared = _COMPARED.search(text, 0, number.first) and not _WHOLE.match(text, found.end)
    if is_compared and not counted.counted:
        known = _counted_of_same_unit(document, before, entry)
        return counted._replace(counted=known.replace("level to which", "level from which"))
    whole = _OF_BEFORE.match(text, found.end)
    noun = ""
    if whole and is_same:
        noun = _CLAUSES.split(_counted(document, before).counted)[0]
    if whole and noun and not noun.startswith(text[slice(*before.detection[:2])]):
        pronoun = "who" if _unit(earlier) == "person" else "that"
        words = text[whole.start("verb") : counted.span.end] if whole["verb"] else ""
        restriction = words and f" {pronoun}{words}"
        return counted._replace(counted=noun + restriction)
    is_count = number.unit in ("", "item", "other", "person") and text[found.start].isalnum()
    is_count &= said is not None and said.value is not None
    if is_count and not counted.counted and _IS_ALONE.match(text, found.end):
        return counted._replace(counted=_counted_before(document, entry))
    return counted


def _counted_before(document: Document, entry: LedgerEntry) -> str:
    """Return the noun that the last number before counts in its sentence or the one before: "[lamps]" in
    "Orr sold 12 lamps and Pelt 14"; "" for amounts and times.
    """
    text, at = document.text, entry.detection.start
    entries = [each for each in ledger_of(document).entries if each.detection.quantity]
    earlier = [each for each in entries if each.detection.end <= at]
    if not earlier or "\n" in text[earlier[-1].detection.end : at]:
        return ""
    between = text[earlier[-1].detection.end : at]
    noun = _CLAUSES.split(_counted(document, earlier[-1]).counted)[0]
    is_noun = is_plural(noun.split(" ")[-1].casefold()) and noun.islower()
    is_near = len(re.findall(r"[.!?] ", between)) <= 1
    return noun if is_noun and is_near and not _MEASURED.match(noun) else ""


def _counted_of_same_unit(document: Document, at: LedgerEntry, entry: LedgerEntry) -> str:
    """Return what the last number of its sentence up to `at` counts that has the unit of an entry."""
    before = at
    while at is not entry and _unit(at.detection.quantity) != _unit(entry.detection.quantity):
        *_, before, _ = _in_sentence(document, at)
        at = before if before is not at else entry
    return "" if at is entry else _counted(document, at).counted


def _with_clause_of_both(
    document: Document, counted: CountedWords, following: LedgerEntry
) -> CountedWords | None:
    """Return what a number counts with the clause that restricts it and the next one: "12 [boats] and
    14 lamps [that were sold]"; None for other words.
    """
    start = hedge_start(document.text, following.detection)
    is_next = document.text[counted.span.end : start] in (" and ", ", and ")
    if not is_next or not counted.counted or _CLAUSES.search(counted.counted):
        return None
    number, others, dates, _, _ = _in_sentence(document, following)
    # Not what `_counted` says, which may be said by the number before.
    other = counted_words(document.text, number, others, dates)
    clause = _CLAUSES.search(other.counted)
    if not clause or not document.text.endswith(other.counted[clause.end() :], 0, other.span.end):
        return None
    said = counted.counted + other.counted[clause.start() :]
    return CountedWords(said, counted.span._replace(end=other.span.end))


def converted_by(document: Document, entry: LedgerEntry) -> LedgerEntry | None:
    """Return the entry of the amount that a number states in another currency or measure; None if
    there is none.
    """
    entries = [each for each in ledger_of(document).entries if each.detection.quantity]
    before = [each for each in entries if each.detection.end <= entry.detection.start]
    found = _CONVERTS.match(document.text, before[-1].detection.end) if before else None
    is_converted = found and is_inside(entry.detection, [Span(*found.span())])
    return before[-1] if is_converted else None


def _unit(said: quantities.Quantity | None) -> str:
    return (said and (said.unit or said.likely_unit)) or ""


_CURRENCIES = (
    "(?:[Ee]uros|francs|kroner|lira|pesos|pounds|rand|rials|roubles|rupees|rupiah|yen|yuan)"
)
_MEASURES = (
    "(?:[ck]?m|mm|k?g|ft|in|lbs?|st|acres?|feet|hectares?|inch(?:es)?|kilo(?:gram|metre)s?|litres?|"
    "met(?:er|re)s?|miles?|pints?|pounds?|stone|tonnes?|tons?)"
)
_OF_CLAUSE = re.compile(r"(?:amount|level) ")
"""What is counted by the clause before an amount, and not by a noun."""
_CONVERTS = re.compile(
    rf"(?: {_CURRENCIES}| ?{_MEASURES})?(?: an? \w+)?(?: \(|; )(?:about |or |some )?"
    rf"(?:[A-Z]{{0,2}}[$£€][\w,.]+(?: (?:m|b|tr)illion)?|[\d,.]+\w*(?: \w+)? {_CURRENCIES}|"
    rf"[\d,.]+ ?{_MEASURES})[);]"
)
"""What follows an amount that is also stated in another currency or measure: "$14 [(£10; €12)]",
"30 [feet (9m)]".
"""
_IN_PARENTHESES = re.compile(
    rf"(?: {_CURRENCIES})? \((?:about )?[A-Z]{{0,2}}[$£€\d][^()]*\)(?= [a-z])"
)
"""The same before what both amounts count: "a $14 [(£10)] lamp"."""
_COMPARED = re.compile(
    r"(?:\b(?:compar(?:ed|es) (?:with|to)|as opposed to|against|(?:up|down) from)|, from)"
    r"(?: (?:an?|just|only|the))* $"
)
"""Words before a number that is compared with the one before it: "12 lamps, [up from] 10"."""
_WHOLE = re.compile(r"\w* of ")
_IS_ALONE = re.compile(
    r"(?: (?:will|would|are|were|have|had|has|could|may|can|in|from|at|on|by|across|more|and|or)\b|[.,;:]\B)"
)
"""What follows a number without a noun."""
_MEASURED = re.compile(r"(?:amount|level|members|months|percentage|points|share|time|years)\b")
_OF_BEFORE = re.compile(
    r"(?: of (?:them|whom|which))?(?P<verb> (?:are|were|have|had) )|"
    r" of (?:them|whom|which)\b"
)
"""What follows a part of a number before: "14 lamps, two of which are red"."""
_AGE_GROUP = re.compile(r"(?:over|under)[- ]\d+s\b", re.IGNORECASE)
_CLAUSES = re.compile(r" (?:who|that|(?:\w+ )?which) ")


def hedge_start(text: str, found: Detection) -> int:
    """Return the offset from which the words of a number have its hedge, which may depend on the
    words after it: "around a third [of the mills]", "within three [weeks]".
    """
    start, end = found.start, found.end
    following = _FOLLOWING.match(text, end)
    if following and found.quantity and found.quantity.hedge != "exact":
        end = following.end()
    for _ in range(_LONGEST_HEDGE + 1):
        if _is_read_in(text[start:end], found.quantity):
            return start
        before = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
        if not before:
            break
        start = before.start()
    return found.start


def _with_rest(text: str, span: Span, found: Detection) -> Span:
    """Return the words of a number with the rest of it, or a hedge, after what it counts: "an hour
    [and a half]", "12 lamps [or so]".
    """
    start, end = hedge_start(text, found), span.end
    for _ in range(_LONGEST_HEDGE):
        if _is_read_in(text[start:end], found.quantity):
            return Span(span.start, end)
        following = _WORD.match(text, end)
        if not following:
            break
        end = following.end()
    return span


def _is_read_in(words: str, quantity: quantities.Quantity | None) -> bool:
    """Return whether the first number in some words has the same value, hedge and polarity."""
    said = quantities.read_quantity(words)
    if said is None or quantity is None:
        return False
    return (said[:4], said.polarity) == (quantity[:4], quantity.polarity)


# ---- mentions ------------------------------------------------------------------------------------

_BEFORE_AGE = re.compile(rf"(?:{NAME}), $")
_AT_AGE = re.compile(rf"(?:{NAME}), at $")
_AFTER_AGE = re.compile(r"[,.;]|$")
_IS_AGE = re.compile(r"\b(?:[Hh]e|[Ss]he) (?:is|was|turned|turns) $|\b(?:dies|died|dead) at $")
_AFTER_AT_AGE = re.compile(r"[,.;]|$| the (?:young|old|eld)est\b")
_LONGEST_NAME = 80
"""Maximum length of a name before an age, in code points."""


def mention(document: Document, span: Span) -> Proposal:
    """Return the mention of a person in some words, with what they show about the speaker.

    The words of a ledger entry are replaced with the nearest introduction of a person.
    """
    span = nearest_introduction(document, span) or span
    text = document.text
    kind, name = kind_and_name(text, span)
    anonymity = anonymity_of(name) if kind == "person" else ""
    shown = _shown(document, span)
    if kind == "person":
        shown |= numbers_of_person(document, span)
    values = {
        "role": likely_role(document, span, kind),
        "speaker": _known_speaker(document, span, name),
        "kind": kind,
        "anonymity": anonymity,
        "name": name,
    }
    for key in ("rank_class", "branch", "rank", "age", "years_of_service"):
        values[key] = shown.get(key, "")
    places = [each for each in names(text, span) if text[slice(*each)] == name]
    said = introduction(text, places[0]) if kind == "person" and places else None
    values["affiliation"] = said.affiliation if said and is_inside(said.span, [span]) else ""
    return Proposal("mentions", (span,), values)


def anonymity_of(name: str) -> str:
    """Return how far a person with a printed name is named; a single name is part of one."""
    if not name:
        return "unnamed"
    return "named" if " " in name else "partial"


def pseudonym_possible(document: Document, role: str, name: str) -> str:
    """Return whether the only printed name of a person in a role may be a pseudonym, as YAML."""
    is_possible = role in document.context.roles_at_risk or may_be_pseudonym(document.text, name)
    return "true" if is_possible else "false"


def _known_speaker(document: Document, span: Span, name: str) -> str:
    """Return the id of the speaker with a name, or with the surname that words are; else ""."""
    known_name = without_titles(document.text, span)
    words = document.text[slice(*known_name)]
    is_of_others = _names_others(document.text, known_name, span)
    if not name:
        is_of_others |= follows_preposition([*tokens(document.text, *span)], known_name)
    for known, speaker in {**document.context.shared, **document.speakers_by_id}.items():
        called = getattr(speaker, "name", None) or ""
        is_person = isinstance(speaker, NamedPerson | SharedPerson)
        if is_person and is_of_others:
            continue
        is_surname = is_person and words == surname_of(called)
        is_name = called.casefold() in (name.casefold(), words.casefold())
        if called and (is_surname or is_name or may_be_one_person(called, name)):
            return known
    return ""


def _names_others(text: str, name: Span, span: Span) -> bool:
    """Return whether words introduce others than the person whose name begins them: "Orr's aides",
    "Orr supporters", but "Orr, a miller".
    """
    if text.startswith(("’", "'"), name.end):
        return name.end + 2 < span.end
    following = next(tokens(text, name.end, span.end), None)
    is_next = following is not None and text[name.end : following.start] == " "
    return bool(is_next and following and following.is_noun)


def _shown(document: Document, span: Span) -> dict[str, str]:
    """Return the attributes that triggers in some words show, by key."""
    shown = {}
    for key, options in document.context.triggers_by_attribute.items():
        for value, triggers in options.items():
            if triggered(document.text, [span], triggers):
                shown[key] = value
    return shown


def numbers_of_person(document: Document, span: Span) -> dict[str, str]:
    """Return the age and the years of service that some words state, by key."""
    found: dict[str, str] = {}
    for entry in ledger_of(document).within([span]):
        said = entry.detection.quantity
        if said and said.unit == "year" and not states_age(document.text, entry.detection):
            key, number = "years_of_service", years(entry.detection, LONGEST_SERVICE)
        elif is_age(document.text, entry.detection):
            key, number = "age", years(entry.detection, OLDEST)
        else:
            continue
        if number is not None:
            found.setdefault(key, str(number))
    return found


_BEFORE_PLACE = re.compile(
    r"\bthe \Z|"
    r"\b(?:in|from|near) (?:(?:downtown|central|nearby|(?:north|south|east|west)(?:ern)?) )?\Z",
    re.IGNORECASE,
)
"""Words before the name of a place or an organisation, and not before that of a person."""


_DATELINE = re.compile(r" ?[―—–] | - ")
"""What follows the place in a dateline."""


def nearest_introduction(document: Document, span: Span) -> Span | None:
    """Return the nearest introduction of a person in the paragraph, or None if there is none.

    A span that is not exactly that of a ledger entry is returned unchanged.
    """
    # The span of a ledger entry was usually selected with the key `n`; the annotator chose any
    # other span on purpose.
    entries = ledger_of(document).entries
    if not any(Span(each.detection.start, each.detection.end) == span for each in entries):
        return span
    paragraph = paragraphs_around(document.text, span)
    full = [each for each in names(document.text, paragraph) if " " in document.text[slice(*each)]]
    quoted = ledger_of(document).quoted
    found = []
    for name in full:
        is_place = bool(_BEFORE_PLACE.search(document.text, paragraph.start, name.start))
        is_place |= name.start == paragraph.start and bool(_DATELINE.match(document.text, name.end))
        if not is_place and not quoted.contains(*name):
            found.append(introduction(document.text, name).span)
    return min(
        found, key=lambda each: max(each.start - span.end, span.start - each.end), default=None
    )


def aged(text: str, found: Detection) -> Span | None:
    """Return the span of a name and its age, as in `Milo Arden, 31`, if `found` is the age.

    If it states an age without a name, return its own span; if it is not an age, return None.
    """
    words = text[max(0, found.start - _LONGEST_NAME) : found.start]
    before = _BEFORE_AGE.search(words)
    is_possible = years(found, OLDEST) is not None and is_age(text, found)
    if before and is_possible and _AFTER_AGE.match(text, found.end):
        return Span(found.start - len(before[0]), found.end)
    # "Ada Orr, at 15 the youngest"
    is_at = _AT_AGE.search(words) and _AFTER_AT_AGE.match(text, found.end)
    is_so = _IS_AGE.search(words) and _AFTER_AGE.match(text, found.end)
    is_stated = is_possible and bool(is_at or is_so)
    return Span(found.start, found.end) if is_stated or states_age(text, found) else None


_LIMIT = re.compile(r"\b(?:over|under)[\u2010\u2011-]$", re.IGNORECASE)
_LIMIT_AFTER = re.compile(r"(?<=\ds) (?:and|or) (?:older|over|under|younger)\b")
_OF_AGES = re.compile(
    r"\b(?:adult(?:hood|s)?|ages?|child(?:hood|ren)?|legal(?:ly)?|majority|minors?)\b[^.,;:!?\n]{0,40}"
    r"\b(?:at|before|from|is|over|than|till|to|under|until|was)\s$|\bage (?:limit )?of $",
    re.IGNORECASE,
)
_LONGEST_BEFORE_AGE = 60
"""Maximum length of the words before an age that are read, in code points."""


def may_state_age(text: str, found: Detection) -> bool:
    """Return whether a number that is no figure is likely an age, as in `under-18 team`, `adults at
    18` or `the legal age is 18`. `aged` asks for more, as what it finds is drafted.
    """
    said, begin = found.quantity, max(0, found.start - _LONGEST_BEFORE_AGE)
    if said is None or said.unit or years(found, OLDEST) is None:
        return False
    is_limit = _LIMIT.search(text, begin, found.start) or _LIMIT_AFTER.match(text, found.end)
    is_of_ages = said.likely_unit is None and _OF_AGES.search(text, begin, found.start)
    return said.likely_unit == "year" or bool(is_limit or is_of_ages)


def years(found: Detection, most: int) -> int | None:
    """Return a number as an age or a time of service, or None if it cannot be one."""
    value = found.quantity.value if found.quantity else None
    if value is None or not value.is_integer() or not 0 <= value <= most:
        return None
    return int(value)


# ---- waivers -------------------------------------------------------------------------------------


def waiver(document: Document, span: Span) -> Proposal:
    """Return the waiver for some words, with the reason that they suggest, or none: what is counted
    or said needs a record, and only a person can say why it has none.
    """
    found = _left_at(document, span)
    repeated = _repeated(document, span)
    reason, repeats = "", ""
    of_quotation = reason_of_quotation(document, span)
    if of_quotation:
        reason = of_quotation
    elif found and (of_number := reason_of_number(document.text, found)):
        reason = of_number
    elif found and _is_in_name(document.text, found):
        reason = "name"
    elif found and _counts_nothing(document.text, found):
        reason = "not_a_quantity"
    elif found and (aged(document.text, found) or may_state_age(document.text, found)):
        reason = "protected_attribute"
    elif repeated:
        reason, repeats = "repeat", repeated
    values = {"reason": reason, "repeats": repeats, "every_occurrence": ""}
    return Proposal("waivers", (span,), values)


_NAMING = re.compile(
    r"(?<!used the )(?<!use the )\b(?:words?|terms?|phrases?|names?|named|called|dubbed|nicknamed"
    r"|labell?ed|known as|code-?named|so-called|marked|stamped) (?:the |an? )?[“\"'‘«]$"
)
_LISTED = re.compile(
    r"\b(?:like|such as|terms?|words?)(?: [“\"'‘][\w-]+[”\"'’],?(?: and| or)?)* [“\"'‘]$"
)
"""Words before one of several words in quotation marks: words such as “mill” and “[lamp]”."""
_LONGEST_TERM = 5
"""Maximum number of words of a term or a name in quotation marks."""
_PUBLISHED = re.compile(
    r"(?:[.,][”\"'’»]?|[”\"'’»][.,]?(?= ?[—–(-])|[”\"'’»][.,])[ —–(-]*"
    r"(?:[A-Z][\w.&’'-]*|of|the|and|\d{1,2}|[ ,—–()-])+\b(?:19|20)\d\d\b"
)
"""An outlet and a year after a title."""
_FEWEST_IN_TITLE = 3
"""Minimum number of words of a title that only its capital letters show."""


_BEFORE_TITLE = re.compile(r"(?:[’']s|\b(?:[Oo]n|[Ii]n|of|[Tt]he)) [“\"'‘«]+$")
"""Words before the title of a broadcast or a book: on NBC’s “Meet the Mill.”"""
_TITLED = re.compile(
    r"\b(?:(?:en|sub)?titled|headlined|headlines?|under the (?:heading|title)),? [“\"'‘«]+$"
)
_OF_WORK = re.compile(
    r"\b(?:albums?|articles?|books?|columns?|documentar(?:y|ies)|editorials?|essays?|films?|memoirs?|memos?"
    r"|movies?|novels?|op-eds?|pamphlets?|papers?|plays?|podcasts?|poems?|reports?|series|shows?|songs?|stud(?:y|ies))"
    r"\b(?:[^.,:;“”\"]{0,40} (?:called|named))? [“\"'‘«]+$"
)
"""The kind of a work before its title: a film by Pelt called “The Mill”."""
_IN_SENTENCE = re.compile(r"[a-z] [“\"'‘«]+$")
"""The end of a small word before the title of a work: his role at “Mill Hour.”"""
_SPOKEN_BEFORE = re.compile(r"(?::|\b(?:chants? of|calls of|read|reads|reading),?) [“\"'‘«]+$")
"""Words before a quotation that is said or written although nobody is named."""
_SHOWN_BEFORE = re.compile(
    r"\b(?:messages?|mottos?|signs?|slogans?)(?: (?:of|was|is))?,? [“\"'‘«]+$"
)
"""Words before a short phrase that is shown or said."""


def reason_of_quotation(document: Document, span: Span) -> str:
    """Return `term` or `title` for a quotation that nobody speaks, or `detector_error` for a value in
    the markup of a page (`id="w3"`); "" for any other words.

    A term follows a word such as "called". A title follows a word such as "titled" or the kind of
    its work, is followed by its publication and year, or has a capital letter at each long word and
    is attributed to nobody.
    """
    text = document.text
    if not any(Span(each.start, each.end) == span for each in quotations_of(document)):
        return ""
    if text.endswith(('="', "=“"), 0, span.start) or text.endswith("=", 0, span.end):
        return "detector_error"
    words = text[slice(*span)].split()
    line = text.rfind("\n", 0, span.start) + 1
    is_named = _NAMING.search(text, line, span.start)
    found = attributed_words(document).attribution_of(span)
    source = text[slice(*found.source.head)] if found and found.source else ""
    long_words = [word for word in words if len(word) > _FEWEST_IN_TITLE]
    is_title = words[0][0].isupper() and all(word[0].isupper() for word in long_words)
    is_closed = words[-1][-1].isalnum()
    is_closed |= is_title and words[-1].endswith(",") and len(words) > 1  # the name “Ada Orr,”
    is_short = len(words) <= _LONGEST_TERM and is_closed
    is_of_work = is_title and _OF_WORK.search(text, line, span.start)
    if is_of_work or _TITLED.search(text, line, span.start):
        return "title"
    if is_named and is_short and source.casefold() in ("", "it"):
        return "term"
    if len(words) == 1 and _LISTED.search(text, line, span.start):
        return "term"
    is_name = is_title and 1 < len(words) <= _LONGEST_TERM and words[-1][-1] not in "!?"
    is_spoken = _SPOKEN_BEFORE.search(text, line, span.start)
    if is_name and not is_spoken and _BEFORE_TITLE.search(text, line, span.start):
        return "title"
    is_attributed = found is not None and found.is_sure and found.source is not None
    is_attributed |= _BY.match(text, span.end) is not None or len(words) > _FEWEST_IN_TITLE
    if found and is_attributed:
        return ""
    is_said = is_spoken or _SHOWN_BEFORE.search(text, line, span.start)
    is_in_title = overlaps(span, _headline(document))
    is_small = not words[0][0].isupper()
    is_phrase = is_short and (is_small or len(words) <= _FEWEST_IN_TITLE) and not is_said
    if is_phrase and (is_title or is_small or len(words) < _FEWEST_IN_TITLE):
        return "term"  # a phrase such as “open door”, no sentence such as “Open the door”
    if _PUBLISHED.match(text, span.end):
        return "title"
    is_alone = paragraphs_around(text, span) in (span, Span(span.start - 1, span.end + 1))
    is_closed = is_alone or words[-1][-1] not in ".!?"
    is_in_sentence = _IN_SENTENCE.search(text, line, span.start) and words[-1][-1] not in "!?"
    is_title &= bool(is_in_sentence and not is_said) or (
        is_closed and len(words) >= _FEWEST_IN_TITLE
    )
    is_title &= not is_in_title
    is_title &= not is_spoken
    return "title" if is_title else ""


_BY = re.compile(r"[”\"'’»]* by\b")


_UNCOUNTED = re.compile(
    r" things?\b| (?:facts|options|points|questions|reasons|sides|ways)(?=:)", re.IGNORECASE
)


def _counts_nothing(text: str, found: Detection) -> bool:
    """Return whether a number only announces a list, as in "for two reasons:", is what a rate is
    for, as in "$3 per thousand cubic feet", or a pronoun, as in "the two left".
    """
    is_of_rate = text.endswith("per ", 0, found.start)
    is_nothing = is_of_rate or _is_pronoun(text, found) or _UNCOUNTED.match(text, found.end)
    return found.quantity is not None and bool(is_nothing)


_BEFORE_PRONOUN = re.compile(r"\b(?:the|these|those) $", re.IGNORECASE)


def _is_pronoun(text: str, found: Detection) -> bool:
    """Return whether a number word means what was counted before: "the two", "those three"."""
    is_word = text[found.start : found.end].isalpha() and not text.startswith("-", found.end)
    if not (is_word and _BEFORE_PRONOUN.search(text, 0, found.start)):
        return False
    end = sentences_around(text, Span(found.start, found.end)).end
    after = [*tokens(text, found.end, end)][:2]
    if not after or after[0].word == "of":
        return not after or text.startswith(" of them", found.end)
    if after[0].word.endswith("ed") and after[-1].is_plural:
        return False  # "the two armed men"
    return not after[0].is_noun or is_verb_form(after[0]) or _is_reporting_verb(after)


def _is_reporting_verb(after: Sequence[Token]) -> bool:
    """Return whether words after "the two" begin with a verb such as "claim", and not with a noun, as
    in "the two claim forms".
    """
    verb = cue_words().get(after[0].word)
    if verb is None or verb.kind == "adjective" or after[0].is_capitalized:
        return False
    if not verb.may_be_noun:
        return not after[0].word.endswith("ing")
    return verb.is_base and not (after[-1].is_plural and after[-1].is_noun)


def _left_at(document: Document, span: Span) -> Detection | None:
    """Return the open ledger entry with a span, or else the first that overlaps with it."""
    left = [each.detection for each in ledger_of(document).left()]
    near = [each for each in left if overlaps(span, [each])]
    same = [each for each in near if Span(each.start, each.end) == span]
    return next(iter([*same, *near]), None)


def with_counted(text: str, span: Span) -> str:
    """Return the words of a number with the noun or pronoun of what it counts, if this follows: "four
    cases", "four of them".
    """
    words = text[slice(*span)]
    following = re.match(r"[ -](of them\b|[a-z]+)", text[span.end : span.end + 40])
    if following and (following[1] == "of them" or is_plural(following[1])):
        return words + following[0]
    return words


def repeats_number(words: str, number: str) -> bool:
    """Return whether words print a number again with what it counts or measures, as `with_counted`
    returns it: "four months" does not repeat "four cases", and "four" or "18" alone nothing.
    """
    is_alone = re.fullmatch(r"[\w.,]+", number) is not None
    return not is_alone and contains_words(words.casefold(), number.casefold())


def _repeated(document: Document, span: Span) -> str:
    """Return the id of the first testimony elsewhere that contains some words, or ""; a number is
    repeated only with what it counts.
    """
    left = _left_at(document, span)
    is_number = left is not None and left.quantity is not None
    words = with_counted(document.text, span) if is_number else document.text[slice(*span)]
    is_repeated = repeats_number if is_number else says_the_same
    for path, found in document.testimonies:
        is_elsewhere = not overlaps(span, document.evidence_of(path))
        if is_elsewhere and is_repeated(document.words((*path, "evidence")) or "", words):
            return found.id
    return ""
