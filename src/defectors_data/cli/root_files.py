"""Lines about the files in the root of a corpus, after its package was published."""

from __future__ import annotations

from pathlib import Path

from defectors_data import build
from defectors_data.annotators.new_corpus import UNKNOWN
from defectors_data.cli.output import inform, shown
from defectors_data.models.project import Dataset


def update_root_files(folder: Path, dataset: Dataset) -> None:
    """Update the metadata files, and say so; say also if the workflows cannot install the program."""
    for name in build.update_root_files(folder, dataset):
        inform(f"{shown(folder / name)}: updated", best_effort=True)
    requirements = folder / "requirements.txt"
    if requirements.is_file() and UNKNOWN in requirements.read_text("utf-8", errors="replace"):
        inform(
            f"{shown(requirements)} does not say where the program is, so the workflows would fail: "
            "enter the address of its git repository, and a version.",
            best_effort=True,
        )
