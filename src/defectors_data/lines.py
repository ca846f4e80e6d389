"""Lines of parts into sources with their texts, and what is wrong with them, as `reading` does it for files.

Each source is known by a name of its own while it is worked on (`parts.name_of`); places tell its line. The sources of
all parts together stand in the order of their ids, so that whoever reads them as they pass knows that none comes twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from defectors_data import jsontext, parts
from defectors_data.bounding import LARGEST
from defectors_data.corpus import Document, Shard
from defectors_data.explaining import modelled
from defectors_data.files import Tree, bytes_of, file_unreadable, proved_text, why_not
from defectors_data.findings import Finding, Place, in_order
from defectors_data.models import Annotations


class Found:
    """What was read of parts: their sources, the names of the seeds that are files, and what is wrong."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.shards: list[Shard] = []
        self.seeds: list[str] = []
        self.findings: list[Finding] = []
        self.last = ""
        """The id of the last source that was read, in whichever part."""


def names(tree: Tree) -> list[str]:
    """Return the files of annotations that are parts, in order."""
    return [f"annotations/{name}" for name in tree.names("annotations", ".jsonl")]


def packed_beside(tree: Tree, annotations: str) -> str | None:
    """Return the file that holds the texts of a part, or None where each text is a file of its own."""
    files = (f"seeds/{Path(annotations).stem}{ending}" for ending in parts.PACKED)
    return next((file for file in files if tree.there(file)), None)


def read(tree: Tree, annotations: Sequence[str], lines: Mapping[str, Collection[int]] | None = None) -> Found:
    """Read parts, or some of their lines: by part, the numbers of lines. Returns their sources and every finding."""
    found = Found()
    for file in annotations:
        wanted = None if lines is None else lines.get(file, ())
        if wanted is None or wanted:
            _read_part(tree, file, wanted, found)
    return found


def _read_part(tree: Tree, annotations: str, wanted: Collection[int] | None, found: Found) -> None:
    packed = packed_beside(tree, annotations)
    if faults := list(unreadable(tree, annotations, packed)):
        found.findings += faults
        return
    try:
        for block in parts.blocks(tree.opened, annotations, packed):
            for i in range(len(block.lines)):
                if wanted is None or block.first + i in wanted:
                    _add(tree, annotations, packed, block, i, found)
    except parts.Unpacked as error:
        found.findings.append(part_without_texts(str(packed), str(error)))
    except OSError as error:
        found.findings.append(file_unreadable(annotations, why_not(error)))


def unreadable(tree: Tree, annotations: str, packed: str | None) -> Iterator[Finding]:
    """Find which of the files of a part cannot be read."""
    for file in filter(None, (annotations, packed)):
        if reason := tree.reason(file):
            yield file_unreadable(file, reason)
    other = f"seeds/{Path(annotations).stem}{parts.PACKED[1]}"
    if packed and packed != other and tree.there(other):
        yield part_without_texts(other, f"{packed} has them already")


def _add(tree: Tree, annotations: str, packed: str | None, block: parts.Block, i: int, found: Found) -> None:
    """Read a line into a source with its text; what is wrong is added to the findings."""
    number = block.first + i
    name = parts.name_of(annotations, number)
    document = _document(block.lines[i], name, number, found.findings)
    if document is None:
        return
    source = document.content.source
    if source.id <= found.last:
        found.findings.append(part_out_of_order(document.place("source", "id"), before=source.id == found.last))
    found.last = source.id
    if block.texts is None:
        found.seeds.append(source.seed)
        data, faults = bytes_of(tree, f"seeds/{source.seed}")
    elif (other := block.texts["source_id"][i].as_py()) != source.id:
        reason = f"row {number} is of `{other}`, and line {number} of {annotations} of `{source.id}`"
        data, faults = None, [part_without_texts(str(packed), reason)]
    else:
        data, faults = _packed_text(block, i, document.place("source", "seed"))
    seed = f"seeds/{source.seed}" if packed is None else f"{packed}/{source.seed}"
    if data is not None:
        text, faults = proved_text(data, seed, source.sha256, document.place("source", "sha256"))
        if text is not None and not faults:
            found.shards.append(Shard(name, document.content, document.places, text, packed))
    found.findings += faults


def _packed_text(block: parts.Block, i: int, at: Place) -> tuple[bytes | None, list[Finding]]:
    """Return the bytes of a text that is packed, unless there are too many."""
    assert block.texts is not None  # noqa: S101  # the caller looked
    data = block.texts["text"][i].as_buffer().to_pybytes()
    if len(data) > LARGEST:
        return None, [_text_too_large(at)]
    return data, []


def _document(line: bytes, name: str, number: int, findings: list[Finding]) -> Document[Annotations] | None:
    """Read a line into a model; what is wrong is added to the findings."""
    if len(line) > parts.LONGEST:
        findings.append(jsontext.json_syntax(Place(name, number), "it has more than 8 MiB"))
        return None
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode("utf-8", "replace")) + 1
        findings.append(jsontext.json_syntax(Place(name, number, column), "it is not UTF-8"))
        return None
    typed = jsontext.parse(text, file=name, line=number)
    findings += typed.findings
    return None if typed.value is None and typed.findings else modelled(typed, name, Annotations, findings)


def plain(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in order, with lines of parts called by their files and numbers."""
    return in_order(
        Finding(
            place._replace(file=parts.without_number(place.file)),
            code,
            parts.without_number(message),
            tuple(map(parts.without_number, help_)),
        )
        for place, code, message, help_ in findings
    )


# ---- faults ------------------------------------------------------------------------------------------------


def part_out_of_order(place: Place, *, before: bool = False) -> Finding:
    """The sources of parts stand in the order of their ids, each once, over all parts in the order of their names."""
    message = "This source stands in the line before already." if before else "A source before has a later id."
    hint = "`defectors-data shard` writes parts in order; ids are compared letter by letter, as `sort` does in C."
    return Finding(place, "part-out-of-order", message, (hint,))


def part_without_texts(file: str, reason: str) -> Finding:
    """The texts of a part are a Parquet or Arrow file with `source_id` and `text`, a row for each line, in order."""
    hint = "Pack the texts of the same sources in the same order, as `defectors-data shard` does."
    return Finding(Place(file), "part-without-texts", f"These are not the texts of the part: {reason}.", (hint,))


def _text_too_large(place: Place) -> Finding:
    """Word the fault `file-too-large` for a text that is packed."""
    hint = "An article is smaller: put the right text there, or part it."
    return Finding(place, "file-too-large", f"The text has more than {LARGEST // 1024 // 1024} MiB.", (hint,))


FAULTS = (part_out_of_order, part_without_texts)
