"""Some sources of a part, bytes in: tables, what is doubtful, and what can be held against other sources out.

A pure function of the lines, their texts and what all sources share, so that it does not matter where it runs, nor in
which order. It words no finding: it only tells which lines are not plainly right, and those are read again as files
are. So what is found is the same, however many sources there are.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from defectors_data import checks, jsontext, parts
from defectors_data.bounding import LARGEST
from defectors_data.checks.references import free_texts
from defectors_data.corpus import Corpus, Shard
from defectors_data.files import Tree, bytes_of, seed_text
from defectors_data.models import Annotations, Institution, NamedPerson, SharedReference
from defectors_data.parts import Block
from defectors_data.proving import Proof, prove

if TYPE_CHECKING:
    import pyarrow as pa


class Asked(NamedTuple):
    """What is asked of a build: whether tables are made, and which of two large ones."""

    tables: bool = True
    ledger: bool = True
    """Whether every quotation and number of the texts has to be accounted for."""
    provenance: bool = True
    """Whether every cell gets its certificate."""
    rules: bool = True
    """Whether the rules of the codebook are applied; where not, only those of `checks.CORE` are."""


BESIDE = frozenset({"comparisons", "measure_summary", "testimonies_joined"})
"""Tables that put the figures of all sources beside each other, which no stream of sources can; and the one that is for
people who open a single file, which nobody does with so many rows.
"""

OF_ALL = frozenset({"measures", "populations", "themes", "tombstones"})
"""Tables whose rows belong to no source: they are made once, and `used` is summed."""


@dataclass
class Traces:
    """What has to be held against other sources, as numbers: the first 64 bits of hashes."""

    sources: array[int]
    """Ids of sources, in order; 0 for one that cannot be read."""
    texts: array[int]
    """Their texts, likewise."""
    names: array[int] = field(default_factory=lambda: array("Q"))
    """Ids of named speakers and of records that are not made of their source's; names of seeds that are not, either."""
    people: array[int] = field(default_factory=lambda: array("Q"))
    """Kind and name of publicly named speakers; of any other name what it alone is known as."""
    at: array[int] = field(default_factory=lambda: array("I"))
    """For each of `names` and `people`, the number of the source, from 0, that it stands in."""
    uses: dict[str, int] = field(default_factory=dict)
    """For each shared speaker that is used, the first source that does."""
    told: list[tuple[int, int]] = field(default_factory=list)
    """Sources whose records free texts of another name: the hash of the id, and the number of the source."""

    @classmethod
    def of(cls, count: int) -> Traces:
        """Return what is known of sources of which nothing is known yet."""
        return cls(array("Q", bytes(8 * count)), array("Q", bytes(8 * count)))

    def add_name(self, number: int, name: str, known: str) -> None:
        """Note the id of a speaker or record of a source, and what no other source may know it as."""
        self.names.append(short(name))
        self.people.append(short(known))
        self.at.append(number)

    def add_seed(self, number: int, source_id: str, seed: str) -> None:
        """Note what the seed of a source is called: of those that are called like their source, the ids are enough."""
        name = seed.removesuffix(".txt")
        if name != source_id or name == seed:
            self.add_name(number, name, f"seed {name}")


@dataclass
class Judged:
    """What became of some sources."""

    file: str
    first: int
    """Number of their first line."""
    ids: tuple[str, str] = ("", "")
    """Ids of the first source that can be read, and of the last."""
    ends: tuple[int, int] = (0, 0)
    """The lines that they stand in."""
    sources: int = 0
    unread: list[int] = field(default_factory=list)
    """Lines that cannot be read as they should."""
    doubtful: list[int] = field(default_factory=list)
    """Lines that break a rule, or may."""
    seen: dict[str, int] = field(default_factory=dict)
    """By rule, how much it judged."""
    parts: int = 0
    """Pieces of evidence."""
    records: int = 0
    """Testimonies and figures."""
    seeds: list[str] = field(default_factory=list)
    """Names of the seeds that are files."""
    used: dict[tuple[str, str], int] = field(default_factory=dict)
    """How often terms are used: by table and term."""
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    bare: list[str] = field(default_factory=list)
    """Cells that rest on words that are nowhere: a fault of this program."""
    traces: Traces = field(default_factory=lambda: Traces.of(0))

    @classmethod
    def begun(cls, file: str, block: Block) -> Judged:
        """Return what is known of a block before it is judged."""
        return cls(file, block.first, sources=len(block.lines), traces=Traces.of(len(block.lines)))


def judge(block: parts.Block, file: str, packed: str | None, tree: Tree, world: Corpus, asked: Asked) -> Judged:
    """Judge the sources of a block of a part against what all sources share.

    `packed` is the file of their texts, or None where each is a file in `tree`; `world` is a corpus without sources.
    """
    judged = Judged.begun(file, block)
    found = (shard_of(block, i, file, packed, tree, judged) for i in range(len(block.lines)))
    shards = [shard for shard in found if shard]
    if not judged.unread:
        _check(replace(world, shards=tuple(shards)), judged, asked)
    return judged


# ---- reading -------------------------------------------------------------------------------------------------

_MANY = 40_000
"""Bytes from which on a line may have more values than are allowed."""


def shard_of(block: parts.Block, i: int, file: str, packed: str | None, tree: Tree, judged: Judged) -> Shard | None:
    """Return a source of a block that can be read as it should; the number of any other is noted."""
    number, content = block.first + i, _content(block.lines[i])
    if content is None:
        judged.unread.append(number)
        return None
    in_order(judged, content.source.id, number)
    row = None
    if block.texts is not None:
        row = block.texts["source_id"][i].as_py(), block.texts["text"][i].as_py()
    text = _text(content, row, tree, judged)
    if text is None:
        judged.unread.append(number)
        return None
    return Shard(parts.name_of(file, number), content, {}, text, parts.name_of(packed or "seeds", number))


def in_order(judged: Judged, source_id: str, number: int) -> None:
    """Note the next source that can be read, and whether it stands behind the one before it."""
    if source_id <= judged.ids[1]:
        judged.unread += [judged.ends[1], number]
    judged.ids = (judged.ids[0] or source_id, source_id)
    judged.ends = (judged.ends[0] or number, number)


def _content(line: bytes) -> Annotations | None:
    """Return the model of a line, or None for one that is not plainly right."""
    try:
        value = from_json(line, allow_inf_nan=False)
        plain = to_json(value) == line  # a key that stands twice would be lost
        if len(line) > _MANY or not plain:
            typed = jsontext.parse(line.decode(), file="", line=1)
            if typed.findings:
                return None
        return Annotations.model_validate(value)
    except (ValueError, ValidationError):
        return None


def _text(content: Annotations, row: tuple[str, str] | None, tree: Tree, judged: Judged) -> str | None:
    """Return the text of a source, or None where it is not plainly the one that was annotated."""
    source = content.source
    if row is None:
        judged.seeds.append(source.seed)
        file = f"seeds/{source.seed}"
        data, faults = bytes_of(tree, file) if tree.there(file) else (None, [])
    else:
        data, faults = row[1].encode() if row[0] == source.id else None, []
    if data is None or faults or len(data) > LARGEST or hashlib.sha256(data).hexdigest() != source.sha256:
        return None
    text, faults = seed_text(data, "")
    return None if faults else text


# ---- checking ------------------------------------------------------------------------------------------------


def _check(corpus: Corpus, judged: Judged, asked: Asked) -> None:
    """Apply the rules to some sources; make their tables where nothing is doubtful."""
    proof = prove(corpus)
    skipped = skipped_rules(asked)
    found, seen = checks.examine(proof, skip=skipped)
    numbers = {name: int(s.file.rpartition("#")[2]) for s in corpus.shards for name in (s.file, s.seed)}
    judged.doubtful = sorted({numbers[f.place.file] for f in found if f.place.file in numbers})
    judged.seen = {rule.code: rule.seen for rule in seen if rule.seen is not None}
    judged.parts = sum(len(cited.parts) for shard in corpus.shards for cited in shard.cited())
    judged.records = sum(len(s.content.testimonies) + len(s.content.figures) for s in corpus.shards)
    for shard in corpus.shards:
        trace(proof, shard, numbers[shard.file] - judged.first, judged.traces)
    if asked.tables and not judged.doubtful:
        from defectors_data import tabling  # noqa: PLC0415  # pyarrow is slow to import, and a check needs none

        left_out = BESIDE | OF_ALL | left_out_tables(asked)
        judged.tables, judged.used, judged.bare = tabling.of_sources(proof, left_out)


def skipped_rules(asked: Asked) -> frozenset[str]:
    """Return the codes of the rules that are not applied to what is asked."""
    skipped = {check for check in checks.BESIDE if check.__name__ != "relation_fails"}
    skipped |= set(checks.RESTING_ON_LEDGER) if not asked.ledger else set()
    skipped |= set(checks.CHECKS) - set(checks.CORE) if not asked.rules else set()
    return frozenset(map(checks.code_of, skipped))


def left_out_tables(asked: Asked) -> frozenset[str]:
    """Return the tables that are not made."""
    ledger = {"ledger"} if not asked.ledger else set()
    return frozenset(BESIDE | ledger | ({"provenance"} if not asked.provenance else set()))


# ---- what is held against other sources ------------------------------------------------------------------------

_LIKE_RECORD = re.compile(r"(?P<source>[a-z0-9]+(?:-[a-z0-9]+)*)-(?:speaker-|[tfmwr])[1-9][0-9]*")
_IDS = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:-[a-z0-9]+)+")


def short(words: str) -> int:
    """Return the first 64 bits of a hash of words."""
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "little")


def owner(name: str) -> str | None:
    """Return the id of the source that a record of such an id would belong to."""
    found = _LIKE_RECORD.fullmatch(name)
    return found["source"] if found else None


def named_in(words: str) -> set[str]:
    """Return the ids of the sources to which the ids of records in a text belong."""
    return {source for name in _IDS.findall(words) if (source := owner(name))}


def trace(proof: Proof, shard: Shard, number: int, traces: Traces) -> None:
    """Note what of a source has to be held against others; `number` is its own in the block, from 0."""
    source = shard.content.source
    traces.sources[number] = short(source.id)
    traces.texts[number] = int(source.sha256[:16], 16)
    traces.add_seed(number, source.id, source.seed)
    if owner(source.id):
        traces.told.append((short(str(owner(source.id))), number))
    for _, entry in shard.entries():
        if isinstance(entry, SharedReference):
            traces.uses.setdefault(entry.id, number)
    named = {s.id: f"{s.kind} {s.name}" for _, s in shard.speakers() if isinstance(s, NamedPerson | Institution)}
    for name in _ids_of(shard):
        is_own = name.startswith(f"{source.id}-")
        if not is_own or name in named:
            traces.add_name(number, name, named.get(name, f"{source.id} {name}"))
        if not is_own and (theirs := owner(name)):
            traces.told.append((short(theirs), number))
    for _, words in free_texts(proof)[shard.file]:
        traces.told += [(short(name), number) for name in named_in(words) if name != source.id]
    for _, relation in shard.relations():
        others = {owner(name) for name in (relation.result, *relation.of)} - {source.id, None}
        traces.told += [(short(str(name)), number) for name in others]


def _ids_of(shard: Shard) -> Iterator[str]:
    """Give the ids of the speakers and records of a source."""
    for records in (shard.speakers(), shard.testimonies(), shard.figures(), shard.waivers(), shard.relations()):
        yield from (record.id for _, record in records)
    yield from (mention.id for _, _, mention in shard.mentions())
