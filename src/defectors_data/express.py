"""Sources that are plainly right, from lines to rows without a model of any: what is not plain is left to the models.

For a build that leaves ledger, certificates and the rules of the codebook out. Whatever is taken here breaks none of
the rules that are left (`checks.CORE`), and its rows are those that `tabling` makes of it; a test holds the two against
each other. Everything else is refused, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, TypeAlias

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from defectors_data import comparing
from defectors_data.anchoring import holds, whole_occurrences
from defectors_data.corpus import Corpus
from defectors_data.plainly import LINE
from defectors_data.proving import JOIN
from defectors_data.spanning import Place
from defectors_data.spans import inside_word
from defectors_data.values import Bounds, edtf_bounds

Row: TypeAlias = tuple[Any, ...]
Spans: TypeAlias = list[tuple[int, int]]


class NotPlain(Exception):
    """A source is not plainly right: the models have to judge it."""


@dataclass(frozen=True)
class World:
    """What all sources share, as it is asked for."""

    corpus: Corpus
    themes: frozenset[str]
    measures: frozenset[str]
    populations: frozenset[str]
    shared: dict[str, str]
    """Of each shared speaker, the role."""
    gone: frozenset[str]
    """Ids that were taken out."""

    @classmethod
    def of(cls, corpus: Corpus) -> World:
        """Return what a corpus without sources says to all."""
        terms = corpus.vocabulary.content
        shared = corpus.shared.content.speakers
        return cls(
            corpus,
            frozenset(term.term for term in terms.themes),
            frozenset(term.term for term in terms.measures),
            frozenset(term.term for term in terms.populations),
            {speaker.id: speaker.role for speaker in shared},
            frozenset(stone.id for stone in corpus.tombstones.content.tombstones),
        )


@dataclass
class Taken:
    """The rows of a source, by table, and what has to be known of it beside them."""

    id: str
    rows: dict[str, list[Row]] = field(default_factory=dict)
    """All but the spans; what is counted in the text is left open."""
    spans: list[Place] = field(default_factory=list)
    """In order."""
    named: dict[str, str] = field(default_factory=dict)
    """Kind and name of publicly named speakers that are not shared, by id."""
    ids: list[str] = field(default_factory=list)
    """Ids of speakers and records."""
    uses: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """Free texts."""
    parts: int = 0
    records: int = 0


def read(line: bytes) -> dict[str, Any]:
    """Return a line as dictionaries and lists.

    Raises:
        NotPlain: it is not plainly what it should be.
    """
    try:
        value: dict[str, Any] = LINE.validate_json(line)
        if to_json(value) != line and to_json(from_json(line)) != line:
            raise NotPlain  # a key may stand twice
    except (ValidationError, ValueError):
        raise NotPlain from None
    return value


def take(value: dict[str, Any], text: str | None, world: World) -> Taken:
    """Return the rows of a source; without its text, it is for the models to judge.

    Raises:
        NotPlain: the models have to judge it.
    """
    if text is None:
        raise NotPlain
    return _Source(value, text, world).taken()


# Behind the first of these and before the second no word goes on.
_BEFORE = frozenset(' \n“"(—')
_AFTER = frozenset(' \n”")—')

_KEYS = {
    "named": {"id", "kind", "role", "anonymity", "rank_class", "branch", "name", "note", "gender", "mentions"},
    "partial": {"id", "kind", "role", "anonymity", "rank_class", "branch", "name", "note", "gender", "mentions"},
    "withheld": {"id", "kind", "role", "anonymity", "rank_class", "branch", "request", "mentions"},
    "unnamed": {"id", "kind", "role", "anonymity", "rank_class", "branch", "mentions"},
    "group": {"id", "kind", "role", "anonymity", "rank_class", "branch", "note", "mentions"},
    "institution": {"id", "kind", "role", "anonymity", "rank_class", "branch", "name", "note", "mentions"},
}
"""The keys that a speaker may have, by kind, or of persons by anonymity."""

_NEEDED = {"id", "kind", "role", "mentions"}
_MENTION = {"id", "evidence", "licensed_by"}
_LICENCES = {"role", "request", "rank_class", "branch"}
_LONGEST = 80
"""Characters of an id."""


class _Source:
    """One source on its way into rows."""

    def __init__(self, value: dict[str, Any], text: str, world: World) -> None:
        self.value, self.text, self.world = value, text, world
        self.source = value["source"]
        self.id: str = self.source["id"]
        self.found = Taken(self.id)
        self.spans: list[Place] = []
        self.parts = 0
        """Pieces of evidence."""
        self.speakers: dict[str, str] = {}
        """The role of each speaker."""
        self.protected: set[str] = set()
        self.told_by: dict[str, Spans] = {}
        """The spans that introduce a protected person, or that they tell."""
        self.theirs: set[str] = set()
        """Testimonies and figures of protected persons."""
        self.secret: Spans = []
        """What is waived as an attribute of a protected person."""

    def taken(self) -> Taken:
        """Make all rows."""
        found = self.found
        mentions = self._speakers()
        testimonies = self._testimonies()
        figures = self._figures(testimonies)
        relations = self._relations(figures)
        waivers = self._waivers(testimonies, figures)
        ids = found.ids
        if (
            len(set(ids)) != len(ids)
            or self.id in ids
            or (self.world.gone and not self.world.gone.isdisjoint([*ids, self.id]))
        ):
            raise NotPlain
        self._protected_apart()
        source = self._source_row()
        self._secret_kept()
        found.rows = {
            "sources": [source],
            "speakers": self._speaker_rows(),
            "mentions": mentions,
            "testimonies": [row for row, _ in testimonies.values()],
            "testimony_themes": self._themes(testimonies),
            "figures": [row for row, _ in figures.values()],
            "waivers": waivers,
            "relations": relations,
        }
        for table, key in _ORDERS.items():
            if len(found.rows[table]) > 1:
                found.rows[table].sort(key=key)
        self.spans.sort()
        found.spans, found.parts = self.spans, self.parts
        found.records = len(testimonies) + len(figures)
        return found

    # ---- evidence --------------------------------------------------------------------------------------------

    def _at(self, evidence: Any, table: str, record: str, name: str) -> Spans:
        """Find evidence, and note its spans."""
        if type(evidence) is str:
            self.parts += 1
            start, end = self._once(evidence)
            self.spans.append((start, end, table, record, name, 1))
            return [(start, end)]
        found = self._in_order(evidence)
        self.spans += [(start, end, table, record, name, number) for number, (start, end) in enumerate(found, 1)]
        return found

    def _in_order(self, evidence: Any) -> Spans:
        """Find the parts of evidence, one behind the other."""
        if type(evidence) is not list:
            self.parts += 1
            return [self._once(evidence)]
        self.parts += len(evidence)
        found = [self._once(part) for part in evidence]
        reach = 0
        for start, end in found:
            if start < reach:
                raise NotPlain
            reach = end
        return found

    def _once(self, part: Any) -> tuple[int, int]:
        text = self.text
        if type(part) is str:
            start = text.find(part)
            if start < 0 or text.find(part, start + 1) >= 0:
                raise NotPlain
            end = start + len(part)
        else:
            start, end = self._told_apart(part)
        if start and text[start - 1] not in _BEFORE and inside_word(text, start):
            raise NotPlain
        if end < len(text):
            after = text[end]
            if after not in _AFTER and (after not in ".," or text[end - 1].isdigit()) and inside_word(text, end):
                raise NotPlain
        return start, end

    def _told_apart(self, part: dict[str, Any]) -> tuple[int, int]:
        prefix, words = part.get("prefix", ""), part["text"]
        needle, wanted = prefix + words + part.get("suffix", ""), part.get("occurrence")
        at, count = self.text.find(needle), 0
        starts = []
        while at >= 0 and count < _MANY:
            starts.append(at + len(prefix))
            count += 1
            at = self.text.find(needle, at + 1)
        if not starts or count == _MANY or (wanted or 1) > count or (wanted is None and count > 1):
            raise NotPlain
        start = starts[(wanted or 1) - 1]
        return start, start + len(words)

    def _everywhere(self, evidence: Any) -> Spans:
        part = evidence[0] if type(evidence) is list and len(evidence) == 1 else evidence
        if type(part) is not str:
            raise NotPlain
        self.parts += 1
        found = [(span.start, span.end) for span in whole_occurrences(part, self.text)]
        if not found or len(found) > _MANY:
            raise NotPlain
        return found

    def _words(self, evidence: Any, spans: Spans) -> str:
        """Return the words of evidence as they are published."""
        if type(evidence) is str:
            return evidence
        return JOIN.join([self.text[start:end] for start, end in spans])

    # ---- speakers --------------------------------------------------------------------------------------------

    def _speakers(self) -> list[Row]:
        rows: list[Row] = []
        for entry in self.value.get("speakers", ()):
            if "use" in entry:
                name = entry["use"]
                if entry.keys() - {"use", "mentions"} or name not in self.world.shared or name in self.found.uses:
                    raise NotPlain
                self.found.uses.append(name)
                self.speakers[name] = self.world.shared[name]
                is_bare = False
            else:
                name, is_bare = self._local(entry)
            rows += [self._mention(mention, name, is_bare=is_bare) for mention in entry.get("mentions", ())]
        return rows

    def _local(self, entry: dict[str, Any]) -> tuple[str, bool]:
        """Take a speaker of the source; returns the id, and whether mentions have no attributes."""
        kind, anonymity = entry.get("kind"), entry.get("anonymity", "not_applicable")
        shape = anonymity if kind == "person" else str(kind)
        if shape not in _KEYS or not entry.keys() >= _NEEDED or entry.keys() - _KEYS[shape]:
            raise NotPlain
        if (kind == "person") == (anonymity == "not_applicable") or ("name" in _KEYS[shape] and "name" not in entry):
            raise NotPlain
        name, protected = entry["id"], shape in ("withheld", "unnamed")
        if protected or kind == "group":
            self._own(name, "-speaker-")
        else:
            self.found.ids.append(name)
        self.speakers[name] = entry["role"]
        if protected:
            self.protected.add(name)
        if shape in ("named", "institution"):
            self.found.named[name] = f"{kind} {entry['name']}"
        self._free(entry.get("note"), entry.get("name"))
        return name, protected or kind == "group"

    def _mention(self, mention: dict[str, Any], speaker: str, *, is_bare: bool) -> Row:
        name = self._own(mention["id"], "-m")
        licences = mention.get("licensed_by", {})
        if is_bare and (mention.keys() - _MENTION or licences.keys() - _LICENCES):
            raise NotPlain
        spans = self._at(mention["evidence"], "mentions", name, "evidence")
        for key, words in licences.items():
            self._at(words, "mentions", name, key)
        if speaker in self.protected:
            self.told_by.setdefault(f"m {speaker}", []).extend(spans)
        get = mention.get
        return (
            name,
            speaker,
            self.id,
            get("rank"),
            get("age"),
            get("years_of_service"),
            get("affiliation"),
            self._words(mention["evidence"], spans),
            spans[0][0],
            spans[-1][1],
        )

    def _speaker_rows(self) -> list[Row]:
        return [
            (
                entry["id"],
                self.id,
                entry["kind"],
                entry["role"],
                entry.get("anonymity", "not_applicable"),
                entry["id"] in self.protected,
                *(entry.get(key) for key in ("name", "rank_class", "branch", "gender", "request", "note")),
            )
            for entry in self.value.get("speakers", ())
            if "use" not in entry
        ]

    # ---- records ---------------------------------------------------------------------------------------------

    def _testimonies(self) -> dict[str, tuple[Row, dict[str, Any]]]:
        found: dict[str, tuple[Row, dict[str, Any]]] = {}
        speakers, protected, themes_known = self.speakers, self.protected, self.world.themes
        for entry in self.value.get("testimonies", ()):
            name, speaker, about = self._own(entry["id"], "-t"), entry["speaker"], entry.get("about")
            themes = entry["themes"]
            if speaker not in speakers or not themes_known.issuperset(themes) or len(set(themes)) < len(themes):
                raise NotPlain
            if about and (about not in speakers or about in protected or speaker in protected):
                raise NotPlain
            evidence, note = entry["evidence"], entry.get("note")
            spans = self._at(evidence, "testimonies", name, "evidence")
            others = self._because(entry, name) if "because" in entry else []
            if speaker in protected:
                if note:
                    raise NotPlain
                self.theirs.add(name)
                self.told_by.setdefault(f"t {speaker}", []).extend([*spans, *others])
            if note:
                self._free(note)
            found[name] = (
                (
                    name,
                    self.id,
                    speaker,
                    speakers[speaker],
                    entry["mode"],
                    entry.get("outlet"),
                    self._words(evidence, spans),
                    len(spans),
                    spans[0][0],
                    spans[-1][1],
                    ";".join(themes),
                    about,
                    note if type(evidence) is str else _joined(note, *_unbalanced(evidence)),
                ),
                entry,
            )
        return found

    def _because(self, entry: dict[str, Any], name: str) -> Spans:
        found: Spans = []
        claims = set()
        for because in entry["because"]:
            if because["claim"] in claims or because["claim"] == "evidence":
                raise NotPlain
            claims.add(because["claim"])
            found += self._at(because["words"], "testimonies", name, because["claim"])
        return found

    def _themes(self, testimonies: dict[str, tuple[Row, dict[str, Any]]]) -> list[Row]:
        return [
            (f"{name}.{theme}", name, theme) for name, (_, entry) in testimonies.items() for theme in entry["themes"]
        ]

    def _figures(self, testimonies: dict[str, Any]) -> dict[str, tuple[Row, dict[str, Any]]]:
        found: dict[str, tuple[Row, dict[str, Any]]] = {}
        for entry in self.value.get("figures", ()):
            name, get = self._own(entry["id"], "-f"), entry.get
            by, testimony, population = get("attributed_to"), get("testimony"), get("population")
            if (by and by not in self.speakers) or (testimony and testimony not in testimonies):
                raise NotPlain
            if entry["measure"] not in self.world.measures or (population and population not in self.world.populations):
                raise NotPlain
            spans = self._at(entry["evidence"], "figures", name, "evidence")
            text = self._words(entry["evidence"], spans)
            teller = testimonies[testimony][0][2] if testimony else None
            if self.protected and {by, teller} & self.protected:
                apart = by and teller and by != teller
                self.theirs.add(name)
                if apart or get("note") or get("override") or not holds(text, entry["counted"]):
                    raise NotPlain
            if place := get("place"):
                self._place(place, name, spans[0][0])
            self._free(get("note"), get("override"), entry["counted"])
            as_of = _bounds(get("as_of"))
            override = get("override") and f"Not what the words say: {get('override')}"
            numbers = _number(get("value")), _number(get("low")), _number(get("high"))
            found[name] = (
                (
                    *(name, self.id, testimony, by, entry["measure"], population, entry["counted"], text),
                    *(*numbers, entry["hedge"], entry["unit"], get("as_of"), as_of.first, as_of.last, place),
                    *(spans[0][0], spans[-1][1], get("override"), _joined(get("note"), override)),
                ),
                entry,
            )
        return found

    def _place(self, place: str, name: str, near: int) -> None:
        """Note where a place is printed nearest to a figure."""
        there = whole_occurrences(place, self.text)
        if there:
            nearest = min(there, key=lambda span: abs(span.start - near))
            self.spans.append((nearest.start, nearest.end, "figures", name, "place", 1))

    def _relations(self, figures: dict[str, tuple[Row, dict[str, Any]]]) -> list[Row]:
        rows: list[Row] = []
        for entry in self.value.get("relations", ()):
            name, named = self._own(entry["id"], "-r"), [entry["result"], *entry["of"]]
            if len(set(named)) < len(named) or not figures.keys() >= set(named):
                raise NotPlain
            stated: Any = {key: _stated(figures[key][1]) for key in named}
            relation: Any = SimpleNamespace(kind=entry["kind"], result=entry["result"], of=tuple(entry["of"]))
            result = comparing.worked_out(self.world.corpus, relation, stated)
            if result is None:
                raise NotPlain
            note = entry.get("note")
            self._free(note)
            of = ";".join(entry["of"])
            rows.append((name, self.id, entry["kind"], entry["result"], of, result.outcome, result.computation, note))
        return rows

    def _waivers(self, testimonies: dict[str, Any], figures: dict[str, Any]) -> list[Row]:
        rows: list[Row] = []
        for entry in self.value.get("waivers", ()):
            name, of, reason = self._own(entry["id"], "-w"), entry.get("of"), entry["reason"]
            every, secret = entry.get("all", False), reason == "protected_attribute"
            table = "testimonies" if of in testimonies else "figures" if of in figures else "sources" if of else None
            if table == "sources" and of != self.id:
                raise NotPlain
            note = entry.get("note")
            if note and (secret or of in self.theirs):
                raise NotPlain
            spans = self._everywhere(entry["evidence"]) if every else self._in_order(entry["evidence"])
            if secret:
                self.secret += spans
            else:
                self.spans += [(*span, "waivers", name, "evidence", number) for number, span in enumerate(spans, 1)]
            self._free(note)
            words = self.text[slice(*spans[0])] if every else self._words(entry["evidence"], spans)
            rows.append(
                (
                    *(name, self.id, reason, table, of, None if secret else words, len(spans) if every else 1),
                    *(spans[0][0], spans[-1][1], note),
                )
            )
        return rows

    def _protected_apart(self) -> None:
        """Refuse words that are evidence of two protected persons."""
        for kind in ("m ", "t "):
            theirs = [
                (start, end, name) for name, spans in self.told_by.items() if name[:2] == kind for start, end in spans
            ]
            reach, holder = 0, ""
            for start, end, name in sorted(theirs):
                if start < reach and name != holder:
                    raise NotPlain
                if end > reach:
                    reach, holder = end, name

    def _secret_kept(self) -> None:
        """Refuse a protected attribute in words that introduce somebody or tell of the source."""
        if self.secret:
            for start, end, table, _, name, _ in self.spans:
                told = table in ("mentions", "sources") and name not in ("furniture", "cited_outlets")
                if told and any(start < last and first < end for first, last in self.secret):
                    raise NotPlain

    # ---- the source ------------------------------------------------------------------------------------------

    def _source_row(self) -> Row:
        source, get = self.source, self.source.get
        printed = {key: self._printed(key) for key in ("title", "subtitle", "dateline", "url")}
        if "furniture" in source:
            self._at(source["furniture"], "sources", self.id, "furniture")
        facts = {key: self._fact(key) for key in ("authors", "outlet", "published")}
        cited = get("cited_outlets", [])
        if len(set(cited)) < len(cited):
            raise NotPlain
        outlets = sorted(self._first(outlet) for outlet in cited)
        for number, (start, end) in enumerate(outlets, 1):
            self.spans.append((start, end, "sources", self.id, "cited_outlets", number))
        if type(facts["authors"][0]) is str or type(facts["outlet"][0]) is list:
            raise NotPlain
        self._free(get("note"), source["rights"])
        notes = (f"{key}: {note}" for key, (_, _, note) in facts.items() if note)
        published = _bounds(facts["published"][0])
        return (
            *(self.id, source["seed"], source["sha256"], *_COUNTED),
            *(printed["title"], printed["subtitle"], "; ".join(facts["authors"][0] or ()) or None, facts["outlet"][0]),
            *(facts["published"][0], published.first, published.last, source["language"], printed["dateline"]),
            *(printed["url"], "; ".join(cited) or None, source["rights"], facts["outlet"][1], facts["authors"][1]),
            *(facts["published"][1], _joined(get("note"), *notes)),
        )

    def _printed(self, key: str) -> str | None:
        if key not in self.source:
            return None
        evidence = self.source[key]
        return self._words(evidence, self._at(evidence, "sources", self.id, key))

    def _fact(self, key: str) -> tuple[Any, str | None, str | None]:
        """Return value, basis and note of a fact, and note where it is printed."""
        fact = self.source.get(key)
        if fact is None:
            return None, None, None
        if "evidence" in fact:
            self._at(fact["evidence"], "sources", self.id, key)
        elif fact["basis"] == "stated":
            raise NotPlain
        self._free(fact.get("note"))
        return fact["value"], fact["basis"], fact.get("note")

    def _first(self, words: str) -> tuple[int, int]:
        there = whole_occurrences(words, self.text)
        if not there:
            raise NotPlain
        return there[0].start, there[0].end

    # ---- ids -------------------------------------------------------------------------------------------------

    def _own(self, name: str, form: str) -> str:
        """Return the id of a record of the source, and note it."""
        start = self.id + form
        number = name[len(start) :]  # of an id: its digits are those of ASCII
        if not number.isdigit() or number[0] == "0" or not name.startswith(start):
            raise NotPlain
        self.found.ids.append(name)
        return name

    def _free(self, *texts: str | None) -> None:
        """Note free texts that may name a record."""
        for words in texts:
            if words and "-" in words:
                self.found.texts.append(words)


_MANY = 1_000
_COUNTED = (None, None, None)
"""Code points, words, and code points that are published: what is counted in texts is counted in many at once."""


_ORDERS = {
    "speakers": itemgetter(0),
    "mentions": itemgetter(8, 9, 0),
    "testimonies": itemgetter(8, 9, 0),
    "testimony_themes": itemgetter(1, 2),
    "figures": itemgetter(17, 18, 0),
    "waivers": itemgetter(7, 8, 0),
    "relations": itemgetter(0),
}
"""The order of rows in each table, the source apart."""


def _bounds(words: str | None) -> Bounds:
    if words is None:
        return _NO_BOUNDS
    try:
        if len(words) == _DAY:
            day = date.fromisoformat(words)
            return Bounds(day, day)
        return edtf_bounds(words)
    except ValueError:
        raise NotPlain from None


_NO_BOUNDS = Bounds(None, None)
_DAY = len("2001-12-31")


def _number(value: float | None) -> float | None:
    """Return a number as the models read it; one with many digits is theirs to judge."""
    if value is None:
        return None
    if type(value) is float and round(value, 6) != value:
        raise NotPlain
    return float(value)


def _joined(*notes: str | None) -> str | None:
    return " ".join([note for note in notes if note]) or None


def _unbalanced(evidence: Any) -> Iterator[str]:
    for number, part in enumerate(evidence if type(evidence) is list else [evidence], 1):
        if type(part) is dict and "unbalanced" in part:
            yield f"The {part['unbalanced']} quotation mark of part {number} is missing in the source."


def _stated(entry: dict[str, Any]) -> SimpleNamespace:
    """Return a figure as `comparing` asks for it."""
    numbers = {key: _number(entry.get(key)) for key in ("value", "low", "high")}
    return SimpleNamespace(hedge=entry["hedge"], unit=entry["unit"], **numbers)
