"""Releases: the released ids, the package that a build replaces, and the state of a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from defectors_data.corpus import json_reader, yaml_reader
from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.findings import Path as ValuePath
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.edits import git, json_editor, yaml_editor
from defectors_data.evidence.document_batches import all_documents
from defectors_data.evidence.record_fingerprints import (
    UNRELEASED,
    RecordFingerprint,
    id_reassigned,
    identities,
    new_tombstones,
    released,
    shared_identities,
    withdrawn_entry,
)
from defectors_data.models.closed_vocabularies import MEANINGS, RecordTable
from defectors_data.models.diff import BREAKING, Change, Changes
from defectors_data.models.project import NO_PRIVATE_ADDRESS
from defectors_data.models.tables import ROW_OF
from defectors_data.models.versions import last_version, least_version, next_version, number
from defectors_data.package import published_folder
from defectors_data.publishers import changes
from defectors_data.rows.citation_formats import RecordReference, reference

NAME = "annotations/releases.jsonl"


class NoPrivateAddressError(ValueError):
    """The data have protected persons, and `dataset.yaml` gives them no private address."""


class VersionTooLowError(ValueError):
    """The changes since the last release require a higher version than the one in dataset.yaml."""


def released_now(corpus: CorpusReader, context: Context) -> bytes:
    """Return the new content of `releases.jsonl` for a corpus without findings.

    Raises:
        NoPrivateAddressError: the data have protected persons, but no `contact.private`.
        VersionTooLowError: the changes since the last release require a higher version.
    """
    before, version = released(context), context.dataset.content.version
    found = list(_all(corpus, context))
    if context.dataset.content.contact.private is None and _has_protected(corpus, context):
        raise NoPrivateAddressError(f"{NO_PRIVATE_ADDRESS}: add an e-mail or web address")
    counts = Counter[str]()
    if before:
        counts.update(state for each in found if (state := each.since(before)))
        # A takedown raises the minor version, as an addition does: see `changes.least_version`.
        counts["added"] += len(new_tombstones(context))
    if before and number(version) < number(least := least_version(before.values(), counts)):
        last = last_version(before.values())
        raise VersionTooLowError(
            f"Version {last} is already released: set `version: {least}` in dataset.yaml"
        )
    dataset, *others = (each.entry(before.get(each.id), version) for each in found)
    day = context.dataset.content.released
    entries = [dataset.model_copy(update={"released": day}), *others]
    entries += [
        withdrawn_entry(stone, before.get(stone.id), version) for stone in context.tombstones
    ]
    entries.sort(key=lambda entry: (entry.table != "dataset", entry.table, entry.id))
    return "".join(
        f"{json_editor.dumped(each.model_dump(mode='json', exclude_none=True))}\n"
        for each in entries
    ).encode()


def _has_protected(corpus: CorpusReader, context: Context) -> bool:
    return any(document.protected for document in all_documents(corpus, context))


def with_last_release(context: Context) -> str:
    """Return the text of dataset.yaml in which `last_release` is the current version.

    Raises:
        yaml_editor.UneditableTextError: the text cannot be edited.
    """
    text, version = context.dataset.typed, context.dataset.content.version
    if context.dataset.content.last_release:
        return yaml_editor.with_values(text, {("last_release",): version})
    return yaml_editor.with_entries(text, {(): {"last_release": version}}, {}, last=True)


def _all(corpus: CorpusReader, context: Context) -> Iterator[RecordFingerprint]:
    yield from shared_identities(context)
    for document in all_documents(corpus, context):
        yield from identities(document)


# ---- the package that a build would replace ------------------------------------------------------


def review(
    folder: Path,
    sums: Mapping[str, str],
    context: Context,
    *,
    corpus: CorpusReader,
    replaced: Path,
    change_ids: bool,
    on_damaged: Callable[[published_folder.DamagedPackageError], None],
) -> list[Finding]:
    """Compare a finished package with the one that it would replace, and return the findings.

    Ids that are not in `releases.jsonl` must keep their records unless `change_ids` is true; ids
    that are in it are checked by rules.

    If the replaced package has the last released version, any difference requires a higher version.

    If the replaced package is damaged, nothing is compared, and `on_damaged` is called: a build
    must be able to replace it, and `releases.jsonl` still protects the released ids.
    """
    try:
        with changes.opened(replaced, changes.IDENTITY) as old:
            # `old` has only the columns of `IDENTITY`, but any column may have changed.
            schemas = changes.tables_in(replaced, with_rows=False)
    except published_folder.PackageNotFoundError as error:
        if isinstance(error, published_folder.DamagedPackageError):
            on_damaged(error)
        return []
    new = changes.PublishedPackage(
        context.dataset.content.version, changes.tables_in(folder, changes.IDENTITY)
    )
    found = changes.compare(old, new)
    broken = [
        each for each in found.changes if each.kind in BREAKING and each.id not in released(context)
    ]
    findings = [] if change_ids or not broken else list(_changed_ids(broken, corpus, context))
    entries = released(context).values()
    if not entries or old.version != last_version(entries):
        return findings
    schema = changes.schema_changes(schemas, changes.tables_in(folder, with_rows=False))
    found = found.model_copy(update={"changes": (*found.changes, *schema)})
    least = least_version_of(found, replaced, sums)
    if number(new.version) < number(least):
        message = f"The package differs from version {old.version}, which was already released."
        hint = (
            f"Set `version: {least}` or a higher one, as `defectors-data release --next` does. If "
            "`defectors-data diff` shows no change, the program now writes these files otherwise, "
            "as after an update."
        )
        findings.append(
            Finding(context.dataset.place("version"), "version-too-low", message, (hint,))
        )
    return findings


def least_version_of(found: Changes, replaced: Path, sums: Mapping[str, str]) -> str:
    """Return the lowest version for a package with these changes and SHA-256 sums of its files."""
    least, before = changes.least_version(found), published_folder.listed(replaced)
    # Tables may also differ in cells that do not count as a change of a record.
    if least == found.old and any(
        before.get(name, sums[name]) != sums[name] for name in sums if name.startswith("data/")
    ):
        return next_version(found.old, "changed")
    return least


def _changed_ids(
    broken: Iterable[Change], corpus: CorpusReader, context: Context
) -> Iterator[Finding]:
    """Yield a finding for each id that was removed, or now belongs to another record."""
    broken = list(broken)
    places = _places(corpus, context, {change.id for change in broken})
    for change in broken:
        # A removed id has no place any more, but it begins with the id of its source.
        beginning = change.id or ""
        while beginning and beginning not in places:
            beginning = beginning.rpartition("-")[0]
        place = places.get(beginning, context.dataset.place("name"))
        if change.kind == "id-reassigned":
            yield id_reassigned(place, change.table)
            continue
        if change.table == "waivers" and change.id in places:
            continue  # a waiver of a protected attribute is no longer published, but not removed
        record = f"{change.table}/{change.id}" if change.id else f"a record of {change.table}"
        message = f"The published package contains {record}; the new one does not."
        hint = "Restore it, or remove it with `defectors-data takedown`, which leaves a tombstone."
        yield Finding(place, change.kind, message, (hint, UNRELEASED))


def _places(
    corpus: CorpusReader, context: Context, ids: Collection[str | None]
) -> dict[str, Place]:
    """Return the places of all sources and shared speakers, and of the records with these ids."""
    found = {
        each.id: context.shared.listed.place(i, "id")
        for i, each in enumerate(context.shared.listed)
    }
    for document in all_documents(corpus, context):
        found[document.source.id] = document.place("source", "id")
        found |= {
            name: document.place(*path, "id") for path, _, name in document.records if name in ids
        }
    return found


# ---- the history of a record ---------------------------------------------------------------------


def row_of(package: changes.PublishedPackage, record_id: str) -> dict[str, Any] | None:
    """Return the row of a record in the table `history`, or None if there is no such record.

    A record that never changed has only its table, its id, and no versions.
    """
    for name in ("history", *get_args(RecordTable)):
        for row in _with_id(package, name, record_id):
            if name == "history":
                return row
            return {"record_table": name, "record_id": record_id, "last_changed_version": None}
    return None


def _with_id(
    package: changes.PublishedPackage, name: str, record_id: str
) -> Iterator[dict[str, Any]]:
    import pyarrow.compute as pc  # noqa: PLC0415  # slow to import

    if name in package.tables:
        key = pc.field(ROW_OF[name].TABLE.key)
        yield from package.tables[name].filter(key == record_id).to_pylist()


def sentence(row: Mapping[str, Any], version: str) -> str:
    """Return a row of the table `history` of a version as a sentence."""
    record = f"{row['record_table']}/{row['record_id']}"
    if row["last_changed_version"] is None:
        return f"{record}: no change is recorded up to version {version}."
    if row["withdrawn_version"]:
        return f"{record}: withdrawn in version {row['withdrawn_version']}."
    parts = [f"first in version {row['first_version']}"]
    if row.get("corrected_version"):
        parts.append(f"corrected in version {row['corrected_version']} ({row['corrected_reason']})")
    parts.append(f"last changed in version {row['last_changed_version']} ({row['change']})")
    return f"{record}: {', '.join(parts)}."


def commits(root: Path, record_id: str) -> list[str]:
    """Return the commits that changed the lines of a record, latest first; [] if git finds none."""
    # A record may be typed with its short id, so files with the id of its source are searched too.
    named = [f"-e{name}" for name in (record_id, record_id.rpartition("-")[0]) if name]
    for found in git.output(root, "grep", "-lwF", *named, "HEAD", "--", "annotations").splitlines():
        file = found.removeprefix("HEAD:")
        if file != NAME and (
            lines := lines_of(file, git.output(root, "show", f"HEAD:./{file}"), record_id)
        ):
            first, last = lines
            return git.output(
                root, "log", "-s", "--format=%as %h %s", f"-L{first},{last}:./{file}"
            ).splitlines()
    return []


def lines_of(file: str, text: str, record_id: str) -> tuple[int, int] | None:
    """Return the first and last line, from 1, of a record in YAML or a shard; None if absent."""
    if file.endswith(".jsonl"):
        for number, line in enumerate(text.split("\n"), start=1):
            # Parsing is slow, so lines without the id of the record's source are skipped.
            if record_id.rpartition("-")[0] in line:
                typed = json_reader.parse(line, file=file, line=number)
                if _path_of(record_id, typed.value) is not None:
                    return number, number
        return None
    path = _path_of(record_id, yaml_reader.parse(text, file=file, most=len(text)).value)
    return None if path is None else yaml_editor.lines_of(text, path)


def _path_of(
    record_id: str, value: Any, source_id: str = "", here: ValuePath = ()
) -> ValuePath | None:
    """Return the path of a record, perhaps typed without the id of its source, or None."""
    items: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, list):
        items = enumerate(value)
    elif isinstance(value, dict):
        items = value.items()
        if value.get("id") in (record_id, record_id.removeprefix(f"{source_id}-")):
            return here
        source = value.get("source")
        if isinstance(source, dict):
            source_id = str(source.get("id"))
    for key, item in items:
        path = _path_of(record_id, item, source_id, (*here, key))
        if path is not None:
            return path
    return None


# ---- the state of a cited record -----------------------------------------------------------------


State = Literal["unchanged", "changed", "withdrawn", "unknown"]


class CitedRecordState(NamedTuple):
    """The state of a cited record in a release."""

    state: State
    sentence: str


def cited_record_state(
    cited: RecordReference, package: changes.PublishedPackage
) -> CitedRecordState:
    """Compare a cited record with a release, and return its state there."""
    for name in (*get_args(RecordTable), "tombstones"):
        for found in _with_id(package, name, cited.id):
            if name == "tombstones":
                reason = f"{found['date']}, reason: {found['reason_class']}"
                return CitedRecordState(
                    "withdrawn", f"The record was taken down ({reason}) and is no longer published."
                )
            where = f"Version {package.version} contains {name}/{cited.id}"
            if reference(cited.id, found, cited.version).cites(cited):
                same = f"{where} with the cited words at the cited place"
                past = row_of(package, cited.id) or {}
                later = past.get("corrected_version") or cited.version
                if past.get("change") == "meaning":
                    later = past["last_changed_version"]
                if number(later) > number(cited.version):
                    meaning = MEANINGS["RecordChange"]["meaning"]
                    return CitedRecordState(
                        "changed", f"{same}, but in version {later}, {meaning}."
                    )
                return CitedRecordState("unchanged", f"{same}.")
            return CitedRecordState(
                "changed", f"{where}, but its words or their place differ from the citation."
            )
    return CitedRecordState(
        "unknown",
        f"Version {package.version} contains neither a record nor a tombstone with this id.",
    )
