"""Seeds and annotations from disk to a `Corpus`; the only room that reads what people wrote.

Whatever is wrong with a file is a finding with its place, never an exception: bytes that are no text, YAML that is
none, keys and values that the models do not know. Where any file is at fault there is no corpus, because a check
on half of it would say what is not so. What was typed about a protected person is not repeated.
"""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from defectors_data import models, yamltext
from defectors_data.corpus import Corpus, Document, Path, Shard
from defectors_data.findings import Finding, Place
from defectors_data.models import Annotations, Dataset, Record, SharedSpeakers, Vocabulary
from defectors_data.naming import did_you_mean
from defectors_data.vocabularies import Kind

LARGEST = 8 * 1024 * 1024
"""Bytes that a seed or an annotation file may have."""

Content = TypeVar("Content", bound=Record)


class Read(NamedTuple):
    """What was read: a corpus, or none and the findings that say why."""

    corpus: Corpus | None
    findings: list[Finding]


def read(root: FilePath) -> Read:
    """Read `dataset.yaml`, `annotations/` and `seeds/` below a folder.

    Returns a corpus and no findings, or no corpus and every finding.
    """
    findings: list[Finding] = []
    dataset = _document(root, "dataset.yaml", Dataset, findings)
    vocabulary = _document(root, "annotations/vocabulary.yaml", Vocabulary, findings)
    shared = _document(root, "annotations/speakers.yaml", SharedSpeakers, findings)
    documents = {file: _document(root, file, Annotations, findings) for file in _annotation_files(root)}
    shards = [_shard(root, document, findings) for document in documents.values() if document]
    findings += _unannotated_seeds(root, documents)
    if findings or not (dataset and vocabulary and shared):
        return Read(None, findings)
    whole = tuple(shard for shard in shards if shard)
    return Read(Corpus(dataset, vocabulary, shared, whole), [])


def text_of(root: FilePath, file: str) -> tuple[str | None, list[Finding]]:
    """Read a file below the root as UTF-8; returns its text, or None and what was wrong."""
    data, findings = _bytes_of(root, file)
    return (None, findings) if data is None else _decoded(data, file)


def source_ids(root: FilePath) -> set[str]:
    """Return the ids of the sources that can be read."""
    documents = [_document(root, file, Annotations, []) for file in _annotation_files(root)]
    return {document.content.source.id for document in documents if document}


# ---- files -------------------------------------------------------------------------------------------------

_SHARED_FILES = {"vocabulary.yaml", "speakers.yaml"}


def _annotation_files(root: FilePath) -> list[str]:
    found = sorted(path.name for path in (root / "annotations").glob("*.yaml"))
    return [f"annotations/{name}" for name in found if name not in _SHARED_FILES]


def _unannotated_seeds(root: FilePath, documents: Mapping[str, Document[Annotations] | None]) -> Iterator[Finding]:
    """Find the seeds that no file names; a file that could not be read counts for the seed it is named like."""
    named = {document.content.source.seed for document in documents.values() if document}
    named |= {f"{FilePath(file).stem}.txt" for file, document in documents.items() if not document}
    for seed in sorted((root / "seeds").glob("*.txt")):
        if seed.name not in named:
            yield seed_without_annotations(f"seeds/{seed.name}", f"annotations/{seed.stem}.yaml")


def _bytes_of(root: FilePath, file: str) -> tuple[bytes | None, list[Finding]]:
    path = root / file
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            return None, [file_unreadable(file, "it is no file")]
        if found.st_size > LARGEST:
            return None, [file_too_large(file)]
        return path.read_bytes(), []
    except OSError as error:
        return None, [file_unreadable(file, error.strerror or "it could not be read")]


def _decoded(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [not_utf8(_byte_place(data, error.start, file), f"Byte 0x{data[error.start]:02X} is no UTF-8.")]
    for unwanted, name in (("\ufeff", "a byte order mark"), ("\x00", "a NUL character")):
        if unwanted in text:
            at = len(text[: text.index(unwanted)].encode())
            return None, [not_utf8(_byte_place(data, at, file), f"The file holds {name}.")]
    return text, []


def _byte_place(data: bytes, at: int, file: str) -> Place:
    before = data[:at].decode("utf-8", errors="replace")
    return Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


# ---- one file into a model ---------------------------------------------------------------------------------


def _document(root: FilePath, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Read a file into a model; what is wrong is added to the findings."""
    text, faults = text_of(root, file)
    findings += faults
    if text is None:
        return None
    typed = yamltext.parse(text, file=file)
    findings += typed.findings
    if typed.value is None and typed.findings:
        return None
    try:
        content = model.model_validate({} if typed.value is None else typed.value)
    except ValidationError as error:
        findings += _explained(error, typed, file)
        return None
    return None if typed.findings else Document(file, content, typed.places)


def _shard(root: FilePath, document: Document[Annotations], findings: list[Finding]) -> Shard | None:
    """Read the seed that annotations name, and prove its bytes; what is wrong is added to the findings."""
    source = document.content.source
    seed = f"seeds/{source.seed}"
    at = document.place("source", "seed")
    if FilePath(source.seed).stem != FilePath(document.file).stem:
        findings.append(file_of_another_seed(at))
    data, faults = _bytes_of(root, seed)
    if data is None and not (root / seed).exists():
        faults = [seed_missing(at, seed)]
    findings += faults
    if data is None:
        return None
    actual = hashlib.sha256(data).hexdigest()
    text, faults = _decoded(data, seed)
    if text is not None and actual != source.sha256:
        faults = [seed_changed(document.place("source", "sha256"), seed, actual)]
    findings += faults
    return None if text is None or faults else Shard(document.file, document.content, document.places, text)


# ---- what the models refuse, in plain words ----------------------------------------------------------------

_NEEDED = {
    "string_type": "Text is needed here.",
    "tuple_type": "A list is needed here.",
    "model_type": "Keys and values are needed here.",
    "model_attributes_type": "Keys and values are needed here.",
    "dict_type": "Keys and values are needed here.",
    "string_too_short": "The text is empty.",
    "string_too_long": "The text is too long: at most {max_length} characters.",
    "too_short": "The list is empty.",
    "too_long": "The list is too long: at most {max_length} items.",
    "greater_than_equal": "The number must be {ge:g} or more.",
    "less_than_equal": "The number must be {le:g} or less.",
    "string_pattern_mismatch": "This does not have the form that is needed: {pattern}",
}


def _explained(error: ValidationError, typed: yamltext.Typed, file: str) -> Iterator[Finding]:
    """Turn what pydantic found into findings, without repeating what was typed about a protected person."""
    protected = _protected(typed)
    for fault in error.errors(include_url=False):
        path = _path(typed.value, fault["loc"])
        discreet = protected(path)
        place = _nearest(typed.places, path, file)
        match fault["type"]:
            case "missing":
                yield missing_key(place, str(fault["loc"][-1]))
            case "extra_forbidden":
                key = None if discreet else str(path[-1])
                yield unknown_key(typed.keys.get(path, place), key)
            case "literal_error" | "union_tag_invalid" | "union_tag_not_found":
                yield _choice_explained(fault, typed, path, file, discreet=discreet)
            case kind:
                words = _NEEDED.get(kind, fault["msg"][:1].upper() + fault["msg"][1:] + ".")
                yield wrong_value(place, words.format(**fault.get("ctx", {})))


def _choice_explained(fault: ErrorDetails, typed: yamltext.Typed, path: Path, file: str, *, discreet: bool) -> Finding:
    """Explain a value that is none of those a field may hold."""
    allowed = re.findall(r"'([^']*)'", str(fault["ctx"].get("expected") or fault["ctx"].get("expected_tags")))
    if fault["type"] != "literal_error":
        if not isinstance(_at(typed.value, path), dict):
            return wrong_value(_nearest(typed.places, path, file), _NEEDED["dict_type"])
        key, allowed = _deciding_key(_at(typed.value, path), fault, allowed)
        if key not in _at(typed.value, path):
            return missing_key(_nearest(typed.places, path, file), key)
        path = (*path, key)
    return not_allowed(_nearest(typed.places, path, file), _at(typed.value, path), allowed, discreet=discreet)


def _deciding_key(entry: Any, fault: ErrorDetails, allowed: list[str]) -> tuple[str, list[str]]:
    """Return the key that decides which model an entry is, and what it may hold."""
    discriminator = str(fault["ctx"]["discriminator"]).strip("'")
    if discriminator.isidentifier():
        return discriminator, allowed or ["stated", "inferred"]
    if entry.get("kind") == "person":
        return "anonymity", ["named", "partial", "withheld", "unnamed"]
    return "kind", list(get_args(Kind))


def _nearest(places: Mapping[Path, Place], path: Path, file: str) -> Place:
    while path and path not in places:
        path = path[:-1]
    return places.get(path, Place(file))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _path(value: Any, loc: Iterable[str | int]) -> Path:
    """Return the path in what was typed; steps that only pydantic knows (the tag of a union) are left out."""
    path: list[str | int] = []
    for step in loc:
        is_item = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if is_item or (isinstance(value, dict) and step in value):
            value = value[step]
            path.append(step)
    return tuple(path)


def _protected(typed: yamltext.Typed) -> Callable[[Path], bool]:
    """Return a function that tells whether what was typed at a path must not be repeated.

    Only what plainly belongs to a public speaker is: where a key stands twice, or a speaker cannot be told, nothing is.
    """
    speakers = _dicts(typed.value, "speakers")
    sure = not typed.findings
    public = {str(entry.get("use") or entry.get("id")) for _, entry in speakers if _plainly_public(entry)}
    public -= {str(entry.get("id")) for _, entry in speakers if not _plainly_public(entry)}
    said = [*_dicts(typed.value, "testimonies"), *_dicts(typed.value, "figures")]
    safe = {path for path, entry in speakers if _plainly_public(entry)}
    safe |= {path for path, entry in said if _names_only(entry, public, ("speaker", "about", "attributed_to"))}
    hidden = {"speakers", "testimonies", "figures", "waivers"}
    return lambda path: bool(path) and path[0] in hidden and not (sure and path[:2] in safe)


def _names_only(entry: dict[str, Any], public: set[str], keys: Sequence[str]) -> bool:
    """Tell whether a record refers to public speakers alone, and not to a testimony, whose speaker may be another."""
    return "testimony" not in entry and all(str(entry[key]) in public for key in keys if key in entry)


def _dicts(value: Any, key: str) -> list[tuple[Path, dict[str, Any]]]:
    items = value.get(key) if isinstance(value, dict) else None
    listed = items if isinstance(items, list) else []
    return [((key, i), item) for i, item in enumerate(listed) if isinstance(item, dict)]


def _plainly_public(entry: dict[str, Any]) -> bool:
    if entry.get("anonymity") in ("withheld", "unnamed"):
        return False
    by_name = entry.get("kind") == "person" and entry.get("anonymity") in ("named", "partial")
    return by_name or entry.get("kind") in ("group", "institution") or "use" in entry


# ---- faults ------------------------------------------------------------------------------------------------


def file_unreadable(file: str, reason: str) -> Finding:
    """Every file of the project that is needed is there and can be read."""
    return Finding(Place(file), "file-unreadable", f"This file is needed and cannot be read: {reason}.")


def file_too_large(file: str) -> Finding:
    """A seed or an annotation file has eight mebibytes at most."""
    return Finding(Place(file), "file-too-large", f"This file has more than {LARGEST // 1024 // 1024} MiB.")


def not_utf8(place: Place, message: str) -> Finding:
    """Files are UTF-8, without a byte order mark and without NUL characters."""
    return Finding(place, "not-utf8", message, ("Files must be UTF-8 without a byte order mark or NUL characters.",))


def seed_missing(place: Place, seed: str) -> Finding:
    """The seed that a source names is a file in `seeds/`."""
    return Finding(place, "seed-missing", f"There is no file {seed}.")


def seed_changed(place: Place, seed: str, actual: str) -> Finding:
    """A seed has the bytes that were annotated: seeds are never edited."""
    message = f"{seed} is not the file that was annotated: its sha256 is {actual}."
    hint = "Restore the seed. If it was replaced on purpose, read it against its annotations, then change `sha256`."
    return Finding(place, "seed-changed", message, (hint,))


def seed_without_annotations(seed: str, file: str) -> Finding:
    """Every `.txt` file in `seeds/` is annotated."""
    return Finding(Place(seed), "seed-without-annotations", f"No file {file} annotates this seed.")


def file_of_another_seed(place: Place) -> Finding:
    """An annotation file is named like its seed."""
    return Finding(place, "file-of-another-seed", "This file must be named like its seed, with the ending .yaml.")


def missing_key(place: Place, key: str) -> Finding:
    """A record has every key that it needs."""
    return Finding(place, "missing-key", f"The key `{key}` is missing here.")


def unknown_key(place: Place, key: str | None) -> Finding:
    """A record has no key that its model does not know; a protected speaker's has none that could tell who it is."""
    if key is None:
        hint = "Of a speaker who is not publicly named only role, rank_class, branch and request are recorded."
        return Finding(place, "unknown-key", "This key must not stand here.", (hint,))
    return Finding(place, "unknown-key", f"There is no key `{key[:60]}` here.", did_you_mean(key, _KEYS - {key}))


def not_allowed(place: Place, typed: Any, allowed: Sequence[str], *, discreet: bool) -> Finding:
    """Word the fault `wrong-value` for a field that holds one of a few values."""
    among = f"one of {', '.join(allowed)}" if len(allowed) > 1 else f"`{allowed[0]}`"
    if discreet or not isinstance(typed, str):
        return wrong_value(place, f"The value must be {among}.")
    return wrong_value(place, f"`{typed[:60]}` is not {among}.", did_you_mean(typed, allowed))


def wrong_value(place: Place, message: str, hint: tuple[str, ...] = ()) -> Finding:
    """A value has the type, the form and the bounds of its field, and is one of those that are allowed."""
    return Finding(place, "wrong-value", message, hint)


_KEYS = {
    name
    for model in vars(models).values()
    if isinstance(model, type) and issubclass(model, Record)
    for name in model.model_fields
}

FAULTS = (
    file_unreadable,
    file_too_large,
    not_utf8,
    seed_missing,
    seed_changed,
    seed_without_annotations,
    file_of_another_seed,
    missing_key,
    unknown_key,
    wrong_value,
)
