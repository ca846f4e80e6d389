"""The reader of one document: its annotations from YAML or a line of a shard, and its text.

A problem with a file is a finding with its place, never an exception: bytes that are not text, YAML
that cannot be read, keys and values that the models reject. Findings do not repeat what was typed
about a protected person.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path as FilePath
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from defectors_data.corpus import json_reader, shards, yaml_reader
from defectors_data.corpus.file_tree import FileTree, bytes_of, verified_text, written_text
from defectors_data.corpus.findings import Finding, Path, Place, ProjectFile
from defectors_data.corpus.seed_limits import LARGEST
from defectors_data.corpus.validation_errors import (
    Content,
    altered_values,
    section_faults,
    to_project_file,
)
from defectors_data.corpus.yaml_reader import ParsedFile
from defectors_data.models.annotation import Annotations
from defectors_data.text.similar_words import did_you_mean


class RawDocument(NamedTuple):
    """The annotations of one source as bytes: a YAML file, or a line of a shard."""

    file: str
    """The path of the annotations below the project's folder."""
    line: int
    """The line of a shard, from 1; 0 for a YAML file."""
    data: bytes
    packed: str | None = None
    """The file in which the text is packed; None if the text is a file in `seeds/`."""
    row_id: str = ""
    """The `source_id` of the row that corresponds to the line."""
    text: bytes = b""
    """The text of that row, as UTF-8."""


TOMBSTONES = "annotations/tombstones.yaml"
"""The list of withdrawn records. Only the program writes it, and it grows with every takedown."""


_MOST_TOMBSTONE_EVENTS = 1_000_000
"""Maximum number of YAML events in this list: about those of the largest file that is read."""


class ParsedDocument(NamedTuple):
    """The annotations and the text of a document, None if unreadable, and what is wrong."""

    file: ProjectFile[Annotations] | None
    text: str | None
    seed: str
    findings: list[Finding]


def read_document(raw: RawDocument, tree: FileTree, *, partly: bool = False) -> ParsedDocument:
    """Read the annotations of a raw document, and the text that they annotate.

    If `partly` is true, invalid records are left out; otherwise, annotations with an invalid record
    are not returned.
    """
    findings: list[Finding] = []
    if raw.line:
        file = read_line(raw, Annotations, findings, partly=True)
    else:
        file, wrong = _yaml_file(raw.data, raw.file)
        findings += wrong
    if file and not (file.is_complete or partly):
        file = None
    if file is None:
        return ParsedDocument(None, None, "", findings)
    source = file.content.source
    seed = f"{raw.packed or 'seeds'}/{source.seed}"
    data, faults = _seed_bytes(raw, file, tree)
    text = None
    if data is not None:
        at = partial(file.place, "source", "sha256")
        text, faults = verified_text(data, seed, source.sha256, at)
    if faults:
        text = None
    return ParsedDocument(file, text, seed, findings + faults)


@lru_cache(maxsize=16)
def _yaml_file(
    data: bytes, file: str
) -> tuple[ProjectFile[Annotations] | None, tuple[Finding, ...]]:
    """Return annotations in YAML without their invalid records, and what is wrong.

    The latest files are cached, because documents with relations to others are opened again after
    all have been read.
    """
    findings: list[Finding] = []
    typed = parsed_file(data, file, findings)
    found = typed and to_project_file(typed, file, Annotations, findings, partly=True)
    return found, tuple(findings)


def faults_of(data: bytes, file: str, model: type[Content]) -> list[Finding]:
    """Return the findings about a file of the project in YAML that has these bytes."""
    findings: list[Finding] = []
    if typed := parsed_file(data, file, findings):
        to_project_file(typed, file, model, findings)
    return findings


def faults_of_reading(typed: ParsedFile, file: str) -> list[Finding]:
    """Return the findings about the values and the sections of a reading.

    Records may have any keys; a comment is compared with what an annotation file may contain.
    """
    findings = [finding for _, finding in altered_values(typed, file, Annotations)]
    sections = [*Annotations.model_fields, "statement_relations"]
    return [*findings, *section_faults(typed, file, sections)]


@lru_cache(maxsize=256)  # each check reads all readings, which seldom change
def faults_of_reading_in(data: bytes, file: str) -> tuple[Finding, ...]:
    """Return the findings about the file of a reading that has these bytes."""
    findings: list[Finding] = []
    if typed := parsed_file(data, file, findings):
        findings += faults_of_reading(typed, file)
    return tuple(findings)


def _seed_bytes(
    raw: RawDocument, file: ProjectFile[Annotations], tree: FileTree
) -> tuple[bytes | None, list[Finding]]:
    """Return the bytes of the text, or None and why they cannot be read."""
    source = file.content.source
    place = partial(file.place, "source", "seed")
    if raw.packed:
        if raw.row_id != source.id:
            line = f"line {raw.line} of {raw.file} is for `{source.id}`"
            reason = f"row {raw.line} is for `{raw.row_id}`, but {line}"
            return None, [shard_without_texts(raw.packed, reason)]
        if len(raw.text) > LARGEST:
            return None, [_text_too_large(place())]
        return raw.text, []
    seed = f"seeds/{source.seed}"
    if not raw.line and not tree.exists(seed):
        names = did_you_mean(source.seed, tree.names("seeds", ".txt"))
        return None, [seed_missing(place(), seed, names)]
    if not raw.line and FilePath(source.seed).stem != FilePath(raw.file).stem:
        return None, [seed_name_mismatch(place())]
    return bytes_of(tree, seed)


def read_line(
    raw: RawDocument, model: type[Content], findings: list[Finding], *, partly: bool = False
) -> ProjectFile[Content] | None:
    """Read a line of a shard.

    Places are computed when they are needed. For `partly`, see `to_project_file`.
    """
    # The fast path: places are only needed if something is wrong.
    content = _content(raw.data, model)
    if content is not None:
        places = partial(_json_places, raw.data, raw.file, raw.line)
        return ProjectFile(raw.file, content, places, typed=raw.data.decode(), line=raw.line)
    typed = parsed_line(raw, findings)
    if typed is None:
        return None
    found = to_project_file(typed, raw.file, model, findings, partly=partly)
    if found is None:
        if not findings:
            problem = "Python's and pydantic's JSON parsers read it differently"
            findings.append(json_reader.json_syntax(Place(raw.file, raw.line), problem))
        return None
    words = raw.data.decode()
    return ProjectFile(
        raw.file, found.content, found.places, typed=words, line=raw.line, unread=found.unread
    )


_MANY = 40_000
"""Maximum length in bytes of a line whose values need not be counted; in a longer line they may
exceed the limit."""


def _content(line: bytes, model: type[Content]) -> Content | None:
    """Return the model of a line, or None if `json_reader` must find what is wrong with it."""
    try:
        value = from_json(line, allow_inf_nan=False)
        # If a key is repeated, only its last value is kept, so a line that does not round-trip is
        # read again.
        if len(line) > _MANY or to_json(value) != line:
            return None
        return model.model_validate(value)
    except (ValueError, ValidationError):
        return None


def parsed_line(raw: RawDocument, findings: list[Finding]) -> ParsedFile | None:
    """Read a line as JSON with the place of each value; what is wrong is added to the findings."""
    place = Place(raw.file, raw.line)
    if len(raw.data) > shards.LONGEST:
        findings.append(json_reader.json_syntax(place, "it is larger than 8 MiB"))
        return None
    try:
        text = raw.data.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(raw.data[: error.start].decode("utf-8")) + 1
        place = Place(raw.file, raw.line, column)
        findings.append(json_reader.json_syntax(place, "it is not UTF-8"))
        return None
    return _with_findings(json_reader.parse(text, file=raw.file, line=raw.line), findings)


def _json_places(line: bytes, file: str, number: int) -> Mapping[Path, Place]:
    return json_reader.parse(line.decode(), file=file, line=number).places


def parsed_file(data: bytes, file: str, findings: list[Finding]) -> ParsedFile | None:
    """Read a file as YAML; what is wrong is added to the findings."""
    text, faults = written_text(data, file)
    findings += faults
    if text is None:
        return None
    most = yaml_reader.MOST
    if file == TOMBSTONES:
        most = _MOST_TOMBSTONE_EVENTS
    return _with_findings(yaml_reader.parse(text, file=file, most=most), findings)


def _with_findings(parsed: ParsedFile, findings: list[Finding]) -> ParsedFile | None:
    """Add the findings of a parsed file to a list; return None if nothing could be parsed."""
    findings += parsed.findings
    if parsed.value is None and parsed.findings:
        return None
    return parsed


# ---- findings ------------------------------------------------------------------------------------


def seed_missing(place: Place, seed: str, hint: tuple[str, ...] = ()) -> Finding:
    """The seed that a source names must be a file in `seeds/`."""
    hint = hint or ("Put the article's text there, or correct the name.",)
    return Finding(place, "seed-missing", f"There is no file {seed}.", hint)


def seed_name_mismatch(place: Place) -> Finding:
    """An annotation file must have the name of its seed, ending in .yaml."""
    message = "This file must have the same name as its seed, but end in .yaml."
    hint = "Rename the file, or correct the name of the seed."
    return Finding(place, "seed-name-mismatch", message, (hint,))


def shard_without_texts(file: str, reason: str) -> Finding:
    """A file of packed texts must have a row for each line of its shard, in order.

    Its columns are `source_id` and `text`.
    """
    hint = (
        "Pack the texts of its sources again, in the order of its lines, as `defectors-data shard` "
        "does."
    )
    message = f"The texts of the shard cannot be read from this file: {reason}."
    return Finding(Place(file), "shard-without-texts", message, (hint,))


def _text_too_large(place: Place) -> Finding:
    """Report `file-too-large` for a packed text."""
    hint = "No article is that large: check that this is the right text, or split it."
    message = f"The text is larger than {LARGEST // 1024 // 1024} MiB."
    return Finding(place, "file-too-large", message, (hint,))
