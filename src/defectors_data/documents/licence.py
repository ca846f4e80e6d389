"""`LICENSE` of the package: licences of annotations, quoted words and programs."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from defectors_data.models.project import Dataset


def licence(dataset: Dataset) -> bytes:
    """Return the content of `LICENSE`, as plain text."""
    template = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    margin = "   "
    rights = " ".join(dataset.rights.split())
    filled = fill(rights, 80, initial_indent=margin, subsequent_indent=margin)
    return template.format(
        title=dataset.title,
        version=dataset.version,
        authors=", ".join(contributor.title for contributor in dataset.contributors),
        licence=dataset.licence.title,
        name=dataset.licence.name,
        path=dataset.licence.path,
        rights=filled.strip(),
    ).encode()
