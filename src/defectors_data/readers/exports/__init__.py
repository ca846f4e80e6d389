"""Exports of a package to other tools, made from its tables and the reader's copies of articles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from defectors_data.documents.codebook import codebook
from defectors_data.models.project import CodeExample
from defectors_data.models.schemas import encoded
from defectors_data.package import atomic_publication, filesystem, published_folder
from defectors_data.package.atomic_publication import PublicationOutcome
from defectors_data.package.cells import FileDigest
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers.article_copies import ExportError
from defectors_data.readers.exports import (
    brat,
    dehydrated_edition,
    exported_records,
    hypothesis,
    label_studio,
    refi_qda,
    tei,
    uima_cas,
    w3c,
)
from defectors_data.readers.exports.dehydrated_edition import rehydrate
from defectors_data.readers.exports.exported_records import ExportedCorpus, Files, Format
from defectors_data.readers.exports.tables import sqlite, stata, xlsx
from defectors_data.readers.exports.tables.without_relatives import write_without_relatives


class ExportFormat(NamedTuple):
    """A format: the function that yields its files, and whether it needs the articles."""

    files: Format
    needs_text: bool
    note: Callable[[Path], str] = lambda _folder: ""
    """A function that returns a sentence for the user about the export in a folder, or ""."""


def _codebook(corpus: ExportedCorpus) -> Files:
    yield "codebook.md", codebook(corpus.tables, corpus.examples)


FORMATS: Mapping[str, ExportFormat] = {
    "sqlite": ExportFormat(sqlite.files, needs_text=False),
    "xlsx": ExportFormat(xlsx.files, needs_text=False),
    "stata": ExportFormat(stata.files, needs_text=False),
    "w3c": ExportFormat(w3c.files, needs_text=False),
    "hypothesis": ExportFormat(hypothesis.files, needs_text=False, note=hypothesis.note),
    "brat": ExportFormat(brat.files, needs_text=True),
    "tei": ExportFormat(tei.files, needs_text=True),
    "label-studio": ExportFormat(label_studio.files, needs_text=True),
    "refi-qda": ExportFormat(refi_qda.files, needs_text=True),
    "uima-cas": ExportFormat(uima_cas.files, needs_text=True),
    "standoff": ExportFormat(dehydrated_edition.files, needs_text=True),
    "codebook": ExportFormat(_codebook, needs_text=False),
}
"""The formats, by name. `standoff` needs the text, but does not write it."""
PROGRAMS: Mapping[str, str] = {
    "atlas-ti": "refi-qda",
    "datasette": "sqlite",
    "excel": "xlsx",
    "inception": "uima-cas",
    "maxqda": "refi-qda",
    "nvivo": "refi-qda",
    "qualcoder": "refi-qda",
    "spss": "stata",
}
"""Names of programs that may be given instead of the format that they read."""


def export(
    package: Path,
    name: str,
    out: Path,
    *,
    seeds: Path | None = None,
    without_relatives: bool = False,
    examples: Sequence[CodeExample] = (),
) -> PublicationOutcome:
    """Export a published package in the format `name` to the folder `out`.

    The folder may contain an earlier export. `seeds` is the folder of the reader's copies of the
    articles; only formats that need their text use it. Formats without the text can leave out
    testimonies about relatives who are harmed or at risk. The codebook quotes the testimonies that
    `examples` names.

    Raises:
        ExportError: a copy is missing or differs from the article that was annotated, or the format
            cannot represent the data.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
        atomic_publication.ForeignTargetError: the folder `out` exists and is not an export.
        atomic_publication.ConcurrentBuildError: another process is writing to the folder.
        OSError: a file could not be read or written; the folder is unchanged.
    """
    descriptor = published_folder.package_descriptor(package)
    # An export must not replace a published package, although this project writes both.
    if published_folder.exists(out) and not _is_export(out):
        problem = f"{out} exists and is not an export: choose another folder"
        raise atomic_publication.ForeignTargetError(problem)
    if not FORMATS[name].needs_text:
        seeds = None
    tables = PackageTables(package, published_folder.table_names(descriptor))
    with TemporaryDirectory() as scratch, atomic_publication.PublishTarget.locked(out) as site:
        if without_relatives:
            tables = write_without_relatives(tables, Path(scratch))
        exported = exported_records.corpus(tables, descriptor, seeds)._replace(examples=examples)
        write = partial(_write, name, exported, descriptor)
        return site.publish(write, inspect=lambda _folder: None) or "unchanged"


def _write(
    name: str, read: ExportedCorpus, package: Mapping[str, Any], folder: Path
) -> dict[str, str]:
    """Write the files of an export and its descriptor, and return their SHA-256 by path."""
    written: dict[str, FileDigest] = {}
    for path, content in FORMATS[name].files(read):
        filesystem.make_folders((folder / path).parent)
        filesystem.write(folder / path, content)
        written[path] = FileDigest.of(content)
    described = encoded(_descriptor(name, package, written))
    filesystem.write(folder / published_folder.DESCRIPTOR, described)
    written[published_folder.DESCRIPTOR] = FileDigest.of(described)
    return {path: each.sha256 for path, each in written.items()}


def _descriptor(
    name: str, package: Mapping[str, Any], written: Mapping[str, FileDigest]
) -> dict[str, Any]:
    """Return the descriptor of an export: a data package that names its source package.

    Files that the source package has too, such as the tables of a standoff edition, are described
    as there: without a schema, frictionless would guess the types of columns.
    """
    made_from = {"format": name, "package": package["name"], "version": package["version"]}
    resources = []
    described = {each["path"]: _without_texts(each) for each in package["resources"]}
    for path, each in written.items():
        resource = described.get(path, {"name": path.lower().replace("/", "-"), "path": path})
        resources.append({**resource, "bytes": each.size, "hash": f"sha256:{each.sha256}"})
    return {
        "$schema": published_folder.PROFILE,
        "name": f"{package['name']}-{name}",
        "title": f"{package['title']} ({name})",
        "version": package["version"],
        "licenses": package["licenses"],
        published_folder.EXPORT: made_from,
        "resources": resources,
    }


def _without_texts(part: Any) -> Any:
    """Return a part of a descriptor without texts, which may have words of the articles."""
    if isinstance(part, list):
        return [_without_texts(each) for each in part]
    if isinstance(part, dict):
        left_out = {"title", "description", "example", "categories"}
        return {key: _without_texts(part[key]) for key in part if key not in left_out}
    return part


def _is_export(folder: Path) -> bool:
    return published_folder.EXPORT in published_folder.described(folder)


__all__ = ["FORMATS", "ExportError", "export", "rehydrate"]
