"""Documents read without the reader: the YAML files of a small corpus, all of which are valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from defectors_data import yamltext
from defectors_data.context import Context, ListFile, SharedSpeakers
from defectors_data.evidence.document import Document
from defectors_data.models import (
    Annotations,
    Comparisons,
    Dataset,
    Record,
    Tombstones,
    Vocabulary,
)
from defectors_data.models import SharedSpeakers as SharedFile
from defectors_data.project_file import ProjectFile

Content = TypeVar("Content", bound=Record)


def written(root: Path, file: str, model: type[Content], absent: object = None) -> ProjectFile[Any]:
    """Read a file that people wrote; `absent` is its content where there is no such file."""
    if absent is not None and not (root / file).exists():
        return ProjectFile(file, model.model_validate(absent), {})
    typed = yamltext.parse((root / file).read_text(encoding="utf-8"), file=file)
    return ProjectFile(file, model.model_validate(typed.value), typed.places)


def context_of(root: Path) -> Context:
    """Return what all documents of a corpus share."""
    shared = written(root, "annotations/speakers.yaml", SharedFile)
    stones = written(root, "annotations/tombstones.yaml", Tombstones, {"tombstones": []})
    notes = written(root, "annotations/comparisons.yaml", Comparisons, {"comparisons": []})
    return Context(
        written(root, "dataset.yaml", Dataset),
        written(root, "annotations/vocabulary.yaml", Vocabulary),
        SharedSpeakers(ListFile(shared, "speakers")),
        ListFile(stones, "tombstones"),
        ListFile(notes, "comparisons"),
    )


def documents_of(root: Path, context: Context) -> list[Document]:
    """Return the documents of a corpus, in the order of their source ids."""
    files = [path for path in (root / "annotations").glob("*.yaml") if (root / f"seeds/{path.stem}.txt").exists()]
    read = [written(root, f"annotations/{path.name}", Annotations) for path in files]
    return sorted((_document(root, file, context) for file in read), key=lambda document: document.source.id)


def _document(root: Path, file: ProjectFile[Annotations], context: Context) -> Document:
    seed = f"seeds/{file.content.source.seed}"
    return Document(file, (root / seed).read_bytes().decode(), seed, context)
