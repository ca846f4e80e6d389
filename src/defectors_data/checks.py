"""The rules that annotations keep: one function for each fault, and `CHECKS`, which lists them.

A check gets the corpus and where its evidence stands, and returns findings; its name is the code of the finding,
its docstring the published rule. None prints, none changes anything, none needs another to have run. A message
repeats nothing that was typed about a protected person: it names the field and leaves the place to speak.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from rapidfuzz import process

from defectors_data import anchoring, quantities
from defectors_data.anchoring import Quote, Span, Surroundings
from defectors_data.findings import Finding, Place
from defectors_data.models import (
    Cited,
    Corpus,
    Document,
    Institution,
    Mention,
    NamedPerson,
    Part,
    Path,
    Shard,
    SharedReference,
    joined,
)

Spans: TypeAlias = Mapping[tuple[str, Path], tuple[Span, ...]]
"""Where evidence stands, by the file and the path that it was typed at; what was not found is absent."""

Check: TypeAlias = Callable[[Corpus, Spans], Iterator[Finding]]


class Anchored(NamedTuple):
    """Where the evidence of a corpus stands, and what could not be found."""

    spans: Spans
    findings: list[Finding]


def run(corpus: Corpus) -> Anchored:
    """Anchor all evidence, then apply every check; returns the spans and all findings."""
    spans, findings = anchor(corpus)
    return Anchored(spans, [*findings, *chain.from_iterable(check(corpus, spans) for check in CHECKS)])


def anchor(corpus: Corpus) -> Anchored:
    """Find the evidence of every record in the text of its seed."""
    spans: dict[tuple[str, Path], tuple[Span, ...]] = {}
    findings: list[Finding] = []
    for shard in corpus.shards:
        protected = _protected_paths(shard)
        for cited in shard.cited():
            within = Surroundings(_seed_of(shard), shard.text, discreet=cited.path[:2] in protected)
            quotes = [_quote(shard, cited, i, part) for i, part in enumerate(cited.parts)]
            if cited.every and len(quotes) == 1:
                found, faults = anchoring.every_span(quotes[0], within)
            else:
                found, faults = anchoring.spans(quotes, within)
            findings += faults
            if found:
                spans[shard.file, cited.path] = found
    return Anchored(spans, findings)


def _quote(shard: Shard, cited: Cited, i: int, part: Part) -> Quote:
    place = Place(*shard.place(*cited.path, i, "text"))
    return Quote(part.text, place, part.prefix or "", part.suffix or "", part.occurrence)


def _seed_of(shard: Shard) -> str:
    return f"seeds/{shard.content.source.seed}"


def _place(document: Document[Any], path: Path, *keys: str | int) -> Place:
    return Place(*document.place(*path, *keys))


def _text_at(shard: Shard, spans: Spans, path: Path) -> str | None:
    found = spans.get((shard.file, path))
    return " ".join(shard.text[span.start : span.end] for span in found) if found else None


def _protected_paths(shard: Shard) -> set[Path]:
    """Return the paths of the records that belong to a protected speaker: what was typed there stays unsaid."""
    protected = {speaker.id for _, speaker in shard.speakers() if speaker.protected}
    paths = {path for path, speaker in shard.speakers() if speaker.id in protected}
    paths |= {path for path, testimony in shard.testimonies() if testimony.speaker in protected}
    return paths | {path for path, figure in shard.figures() if figure.attributed_to in protected}


# ---- ids and references ------------------------------------------------------------------------------------


def _ids(corpus: Corpus) -> Iterator[tuple[str, Place]]:
    """Return every id that the corpus gives, with its place."""
    for i, speaker in enumerate(corpus.shared.content.speakers):
        yield speaker.id, _place(corpus.shared, ("speakers", i), "id")
    for shard in corpus.shards:
        yield shard.content.source.id, _place(shard, ("source",), "id")
        for records in (shard.speakers(), shard.testimonies(), shard.figures(), shard.waivers()):
            for path, record in records:
                yield record.id, _place(shard, path, "id")
        for path, _, mention in shard.mentions():
            yield mention.id, _place(shard, path, "id")


def duplicate_id(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """An id is given once in the whole corpus."""
    first: dict[str, Place] = {}
    for name, place in _ids(corpus):
        if name in first:
            before = first[name]
            message = f"This id is given in {before.file}, line {before.line}, already."
            yield Finding(place, "duplicate-id", message, ("Ids are unique over all files, and never used again.",))
        first.setdefault(name, place)


def id_of_another_form(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """Ids of records, of groups and of whoever is not publicly named are made of the source's id and a number."""
    for shard in corpus.shards:
        for path, record_id, form in _formed(shard):
            expected = f"{shard.content.source.id}-{form}"
            if not re.fullmatch(re.escape(expected) + "[1-9][0-9]*", record_id):
                message = f"This id must be {expected} and a number."
                yield Finding(_place(shard, path, "id"), "id-of-another-form", message)


def _formed(shard: Shard) -> Iterator[tuple[Path, str, str]]:
    """Return path and id of whatever is numbered in its source, and what stands before the number."""
    for path, speaker in shard.speakers():
        if speaker.protected or speaker.kind == "group":
            yield path, speaker.id, "speaker-"
    for path, _, mention in shard.mentions():
        yield path, mention.id, "m"
    for letter, records in (("t", shard.testimonies()), ("f", shard.figures()), ("w", shard.waivers())):
        for path, record in records:
            yield path, record.id, letter


def dangling_reference(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """What a record refers to must exist: speakers and testimonies in its own source, or a shared speaker."""
    for shard in corpus.shards:
        heard = corpus.heard(shard)
        speakers = [name for name, speaker in heard.items() if not speaker.protected]
        records = {record_id for _, record_id, _ in _formed(shard)} | heard.keys() | {shard.content.source.id}
        for path, key, name, among, near in _references(corpus, shard):
            known = {"speaker": heard.keys(), "shared": corpus.shared_speakers.keys(), "record": records}[among]
            if name not in known:
                hint = _did_you_mean(name, heard.keys() | known, [*speakers, *near])
                message = f"No {_AMONG[among]} has the id that `{key}` gives."
                yield Finding(_place(shard, path, key), "dangling-reference", message, hint)


_AMONG = {
    "speaker": "speaker of this source",
    "shared": "speaker of annotations/speakers.yaml",
    "record": "record of this source",
}


def _references(corpus: Corpus, shard: Shard) -> Iterator[tuple[Path, str, str, str, list[str]]]:
    """Return path, key and id of each reference, what it may refer to, and ids that a hint may name."""
    for path, entry in shard.entries():
        if isinstance(entry, SharedReference):
            yield path, "use", entry.use, "shared", list(corpus.shared_speakers)
    for path, testimony in shard.testimonies():
        yield path, "speaker", testimony.speaker, "speaker", []
        if testimony.about:
            yield path, "about", testimony.about, "speaker", []
    for path, figure in shard.figures():
        if figure.attributed_to:
            yield path, "attributed_to", figure.attributed_to, "speaker", []
        if figure.testimony:
            yield path, "testimony", figure.testimony, "record", []
    for path, waiver in shard.waivers():
        if waiver.of:
            yield path, "of", waiver.of, "record", []


def _did_you_mean(typed: str, all_names: Iterable[str], sayable: Iterable[str]) -> tuple[str, ...]:
    """Return a hint with the nearest name, or none where nothing is near or the nearest must stay unsaid."""
    best = process.extractOne(typed, sorted(set(all_names)), score_cutoff=70)
    return (f"Did you mean `{best[0]}`?",) if best and best[0] in set(sayable) else ()


def unknown_term(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A theme or a measure must stand in `annotations/vocabulary.yaml`, with its definition."""
    themes = {term.term for term in corpus.vocabulary.content.themes}
    measures = {term.term for term in corpus.vocabulary.content.measures}
    for shard in corpus.shards:
        used = [
            *((path, "themes", i, term) for path, t in shard.testimonies() for i, term in enumerate(t.themes)),
            *((path, "measure", 0, figure.measure) for path, figure in shard.figures()),
        ]
        for path, key, i, term in used:
            known = themes if key == "themes" else measures
            if term not in known:
                message = f"`{term}` is no term of annotations/vocabulary.yaml."
                hint = _did_you_mean(term, known, known)
                yield Finding(_place(shard, path, key, i), "unknown-term", message, hint)


def duplicate_term(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A term is defined once in its vocabulary, and named once by a record."""
    vocabulary = corpus.vocabulary.content
    for name, terms in (("themes", vocabulary.themes), ("measures", vocabulary.measures)):
        yield from _repeated(corpus.vocabulary, (name,), [term.term for term in terms])
    for shard in corpus.shards:
        for path, testimony in shard.testimonies():
            yield from _repeated(shard, (*path, "themes"), testimony.themes)


def _repeated(document: Document[Any], path: Path, terms: Sequence[str]) -> Iterator[Finding]:
    for i, term in enumerate(terms):
        if term in terms[:i]:
            yield Finding(_place(document, path, i), "duplicate-term", f"`{term}` stands here twice.")


def protected_referred_to(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """Nothing outside their source names a speaker who is not publicly named, nor a group or a record of theirs."""
    for shard in corpus.shards:
        inside = {record_id for _, record_id, _ in _formed(shard)}
        documents: list[Document[Any]] = [corpus.vocabulary, corpus.shared, *corpus.shards]
        for document in documents:
            if document is not shard:
                for path, note in _notes(document.content.model_dump()):
                    if inside & set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", note)):
                        message = "This names something that lives in another source's file alone."
                        yield Finding(_place(document, path), "protected-referred-to", message)


def _notes(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Return every text under a key that holds free text, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _notes(item, (*path, key))
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield from _notes(item, (*path, i))
    elif isinstance(value, str) and path[-1] in {
        "note",
        "override",
        "definition",
        "counted",
        "name",
        "rights",
    }:
        yield path, value


def name_in_two_sources(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A named person or an institution heard in several sources is one speaker of `annotations/speakers.yaml`."""
    first: dict[tuple[str, str], Place] = {}
    for i, shared in enumerate(corpus.shared.content.speakers):
        first[shared.kind, shared.name] = _place(corpus.shared, ("speakers", i), "name")
    for shard in corpus.shards:
        for path, speaker in shard.speakers():
            if isinstance(speaker, NamedPerson | Institution):
                before = first.setdefault((speaker.kind, speaker.name), _place(shard, path, "name"))
                if before.file != shard.file:
                    message = f"A speaker of this name stands in {before.file}, line {before.line}, too."
                    hint = "Put the speaker into annotations/speakers.yaml once, and refer to it with `use`."
                    yield Finding(_place(shard, path, "name"), "name-in-two-sources", message, (hint,))


# ---- speakers and mentions ---------------------------------------------------------------------------------


def speaker_without_mention(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A speaker has at least one mention in each source they are heard in."""
    used: set[str] = set()
    for shard in corpus.shards:
        for path, entry in shard.entries():
            used.add(entry.id)
            if not entry.mentions:
                message = "This speaker has no mention here."
                hint = "Copy the words that introduce the speaker into `mentions`."
                yield Finding(_place(shard, path), "speaker-without-mention", message, (hint,))
    for i, speaker in enumerate(corpus.shared.content.speakers):
        if speaker.id not in used:
            message = "No source refers to this shared speaker, so no mention shows them."
            yield Finding(_place(corpus.shared, ("speakers", i)), "speaker-without-mention", message)


def speaker_never_heard(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A speaker is heard, cited or spoken about in the source: whoever is not has no place among its speakers."""
    for shard in corpus.shards:
        heard = {testimony.speaker for _, testimony in shard.testimonies()}
        heard |= {testimony.about for _, testimony in shard.testimonies() if testimony.about}
        heard |= {figure.attributed_to for _, figure in shard.figures() if figure.attributed_to}
        for path, entry in shard.entries():
            if entry.id not in heard:
                message = "No testimony or figure of this source names this speaker."
                yield Finding(_place(shard, path), "speaker-never-heard", message)


def name_not_in_mention(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """A publicly named speaker's name stands, as it is written, in a mention of each source they are heard in."""
    for shard in corpus.shards:
        heard = corpus.heard(shard)
        for path, entry in shard.entries():
            speaker = heard.get(entry.id)
            name = getattr(speaker, "name", None)
            texts = [_text_at(shard, spans, (*path, "mentions", i, "evidence")) for i in range(len(entry.mentions))]
            if name and texts and all(texts) and not any(name in str(text) for text in texts):
                key = "use" if isinstance(entry, SharedReference) else "name"
                message = f"No mention of this speaker here holds the name {name}."
                hint = "Write the name as the source prints it, or add the mention that holds it."
                yield Finding(_place(shard, path, key), "name-not-in-mention", message, (hint,))


def attribute_not_in_mention(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """Rank, affiliation, age and years of service stand in the mention that carries them."""
    for shard in corpus.shards:
        for path, _, mention in shard.mentions():
            text = _text_at(shard, spans, (*path, "evidence"))
            if not isinstance(mention, Mention) or text is None:
                continue
            held = quantities.numbers(text)
            missing = {
                "rank": mention.rank and mention.rank not in text,
                "affiliation": mention.affiliation and mention.affiliation not in text,
                "age": mention.age is not None and mention.age not in held,
                "years_of_service": mention.years_of_service is not None and mention.years_of_service not in held,
            }
            for key in (key for key, is_missing in missing.items() if is_missing):
                message = f"The words of this mention do not hold its `{key}`."
                hint = "Copy a run of words that does, or leave the field out."
                yield Finding(_place(shard, path, key), "attribute-not-in-mention", message, (hint,))


def attribute_without_licence(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A gender, and the reason why a name is withheld, name the words of the source that license them."""
    for shard in corpus.shards:
        heard = corpus.heard(shard)
        licensed: dict[str, set[str]] = defaultdict(set)
        for _path, speaker_id, mention in shard.mentions():
            licensed[speaker_id] |= {key for key, words in mention.licensed_by or () if words}
        for path, entry in shard.entries():
            for key in ("gender", "request"):
                if getattr(heard.get(entry.id), key, None) and key not in licensed[entry.id]:
                    message = f"No mention of this speaker here has words that license the `{key}`."
                    hint = f"Copy them into `licensed_by: {{{key}: ...}}` of a mention."
                    yield Finding(_place(shard, path, key), "attribute-without-licence", message, (hint,))


# ---- sources -----------------------------------------------------------------------------------------------


def inferred_without_note(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A value that the source does not state says from what it was worked out."""
    for shard in corpus.shards:
        for name, fact in shard.content.source.facts().items():
            if fact.basis == "inferred" and not fact.note:
                message = f"`{name}` is inferred and has no `note`."
                hint = "Say from what it was worked out, or leave the field empty: empty beats guessed."
                yield Finding(_place(shard, ("source", name)), "inferred-without-note", message, (hint,))


def not_printed(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """A name that the source is said to print stands in it: a stated value, a cited outlet, the place of a figure."""
    for shard in corpus.shards:
        for path, words, text in _printed(shard, spans):
            if text is not None and words not in text:
                message = f"These words do not stand in the evidence or in {_seed_of(shard)}."
                yield Finding(_place(shard, path), "not-printed", message, ("Write them as the source does.",))


def _printed(shard: Shard, spans: Spans) -> Iterator[tuple[Path, str, str | None]]:
    """Return what is said to be printed, with its path and the text that should hold it."""
    for i, outlet in enumerate(shard.content.source.cited_outlets):
        yield ("source", "cited_outlets", i), outlet, shard.text
    for name, fact in shard.content.source.facts().items():
        if fact.basis == "stated" and name != "published":
            text = _text_at(shard, spans, ("source", name, "evidence"))
            for value in [fact.value] if isinstance(fact.value, str) else fact.value:
                yield ("source", name, "value"), value, text
    for path, figure in shard.figures():
        if figure.place:
            yield (*path, "place"), figure.place, shard.text


def outlet_not_cited(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """The outlet that words were said to is one of the source's `cited_outlets`."""
    for shard in corpus.shards:
        cited = shard.content.source.cited_outlets
        for path, testimony in shard.testimonies():
            if testimony.outlet and testimony.outlet not in cited:
                message = "This outlet is not among the `cited_outlets` of the source."
                hint = _did_you_mean(testimony.outlet, cited, cited)
                yield Finding(_place(shard, path, "outlet"), "outlet-not-cited", message, hint)


# ---- testimonies -------------------------------------------------------------------------------------------

_OPENING = "\"“‘'«„‹"
_CLOSING = "\"”’'»“›"


def _marks(shard: Shard, span: Span) -> tuple[bool, bool]:
    """Tell whether a quotation mark stands before and after a span, white space aside."""
    before = shard.text[: span.start].rstrip(" \u00a0\u202f")[-1:]
    after = shard.text[span.end :].lstrip(" \u00a0\u202f")[:1]
    return bool(before) and before in _OPENING, bool(after) and after in _CLOSING


def _direct_parts(corpus: Corpus, spans: Spans) -> Iterator[tuple[Place, Part, tuple[bool, bool]]]:
    for shard in corpus.shards:
        for path, testimony in shard.testimonies():
            if testimony.mode == "direct":
                found = spans.get((shard.file, (*path, "evidence")), ())
                for i, (part, span) in enumerate(zip(testimony.evidence, found, strict=False)):
                    yield _place(shard, path, "evidence", i), part, _marks(shard, span)


def direct_without_marks(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """A direct part touches an opening quotation mark before and a closing one after, of any style."""
    for place, part, (opened, closed) in _direct_parts(corpus, spans):
        for is_there, name, where in ((opened, "opening", "before"), (closed, "closing", "after")):
            if not is_there and part.unbalanced != name:
                message = f"No {name} quotation mark stands {where} these words."
                hint = f"Copy the words between the marks; where the seed leaves one out, say `unbalanced: {name}`."
                yield Finding(place, "direct-without-marks", message, (hint,))


def balanced_after_all(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """A part is called unbalanced only where the seed leaves the quotation mark out."""
    for place, part, (opened, closed) in _direct_parts(corpus, spans):
        if (part.unbalanced == "opening" and opened) or (part.unbalanced == "closing" and closed):
            message = f"The {part.unbalanced} quotation mark is there."
            yield Finding(place, "balanced-after-all", message, ("Leave `unbalanced` out.",))


def testimony_across_paragraphs(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """A new paragraph starts a new testimony."""
    for shard in corpus.shards:
        for path, _ in shard.testimonies():
            found = spans.get((shard.file, (*path, "evidence")))
            if found and "\n" in shard.text[found[0].start : found[-1].end]:
                message = "The parts of this testimony stand in different paragraphs."
                hint = "Make each paragraph's parts a testimony of their own."
                yield Finding(_place(shard, path, "evidence"), "testimony-across-paragraphs", message, (hint,))


# ---- figures -----------------------------------------------------------------------------------------------

_BOUNDS = {
    "exact": ("value",),
    "about": ("value",),
    "nearly": ("value", "high"),
    "less_than": ("value", "high"),
    "up_to": ("value", "high"),
    "more_than": ("value", "low"),
    "at_least": ("value", "low"),
    "range": ("low", "high"),
    "vague": ("low",),
}
"""The numbers that each hedge gives; all that a figure has are the same one, but for a range."""


def bounds_not_of_hedge(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A figure has the numbers that its hedge gives, and no others."""
    for shard in corpus.shards:
        for path, figure in shard.figures():
            wanted = _BOUNDS[figure.hedge]
            given = tuple(key for key in ("value", "low", "high") if getattr(figure, key) is not None)
            same = figure.hedge == "range" or len({getattr(figure, key) for key in given}) == 1
            if set(given) != set(wanted) or not same:
                names = " and ".join(f"`{key}`" for key in wanted)
                message = f"The hedge `{figure.hedge}` gives {names}{_THE_SAME.get(len(wanted), '')}, and no other."
                if figure.hedge == "range":
                    message = "The hedge `range` gives `low` and `high`, and no other."
                yield Finding(_place(shard, path, "hedge"), "bounds-not-of-hedge", message)


_THE_SAME = {2: ", the same number"}


def bounds_out_of_order(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """The lowest number is not above the value, nor the value above the highest."""
    for shard in corpus.shards:
        for path, figure in shard.figures():
            numbers = [n for n in (figure.low, figure.value, figure.high) if n is not None]
            if numbers != sorted(numbers):
                message = "`low`, `value` and `high` must not fall in this order."
                yield Finding(_place(shard, path, "low"), "bounds-out-of-order", message)


def figure_without_its_number(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """The words of a figure hold its number, in digits or in words; `override` gives a reason where they do not."""
    for shard in corpus.shards:
        for path, figure in shard.figures():
            held = quantities.numbers(joined(figure.evidence))
            for key in _BOUNDS[figure.hedge]:
                number = getattr(figure, key)
                if number is not None and number not in held and not figure.override:
                    message = f"The words of this figure do not hold {number:g}."
                    hint = "Take the number from the words, or give `override` a reason."
                    yield Finding(_place(shard, path, key), "figure-without-its-number", message, (hint,))
                    break


def _inside(inner: Sequence[Span], outer: Sequence[Span]) -> bool:
    return all(any(o.start <= i.start and i.end <= o.end for o in outer) for i in inner)


def testimony_not_around_figure(corpus: Corpus, spans: Spans) -> Iterator[Finding]:
    """The testimony that a figure names holds the figure's words; words inside a testimony name it."""
    for shard in corpus.shards:
        testimonies = {
            testimony.id: spans.get((shard.file, (*path, "evidence")), ()) for path, testimony in shard.testimonies()
        }
        for path, figure in shard.figures():
            found = spans.get((shard.file, (*path, "evidence")), ())
            around = [name for name, outer in testimonies.items() if found and _inside(found, outer)]
            place = _place(shard, path, "testimony")
            named = testimonies.get(figure.testimony or "", ())
            if named and found and figure.testimony not in around:
                message = "The testimony that is named here does not hold the words of this figure."
                yield Finding(place, "testimony-not-around-figure", message)
            elif around and not figure.testimony:
                message = "The words of this figure stand inside a testimony, and `testimony` does not name it."
                yield Finding(place, "testimony-not-around-figure", message, (f"`testimony: {around[0]}`",))


# ---- waivers -----------------------------------------------------------------------------------------------


def repeat_of_nothing(corpus: Corpus, _: Spans) -> Iterator[Finding]:
    """A waiver for a repeat says what it repeats, and no other waiver does."""
    for shard in corpus.shards:
        for path, waiver in shard.waivers():
            if (waiver.reason == "repeat") != (waiver.of is not None):
                message = "`of` and the reason `repeat` go together."
                yield Finding(_place(shard, path), "repeat-of-nothing", message)


CHECKS: tuple[Check, ...] = (
    duplicate_id,
    id_of_another_form,
    dangling_reference,
    unknown_term,
    duplicate_term,
    protected_referred_to,
    name_in_two_sources,
    speaker_without_mention,
    speaker_never_heard,
    name_not_in_mention,
    attribute_not_in_mention,
    attribute_without_licence,
    inferred_without_note,
    not_printed,
    outlet_not_cited,
    direct_without_marks,
    balanced_after_all,
    testimony_across_paragraphs,
    bounds_not_of_hedge,
    bounds_out_of_order,
    figure_without_its_number,
    testimony_not_around_figure,
    repeat_of_nothing,
)
