"""The reader's own copies of the articles, which are compared with the annotated ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class ExportError(ValueError):
    """An export cannot be made; the message gives the reason."""


def text_of(source: Mapping[str, Any], seeds: Path) -> str:
    """Return the text of a reader's copy of an article.

    Raises:
        ExportError: the copy is missing, or differs from the article that was annotated.
    """
    path = seeds / source["seed_file"]
    if not seeds.is_dir():
        raise ExportError(f"There is no folder {seeds}.")
    if not path.is_file():
        problem = f"{source['seed_file']} is missing from {seeds}"
        raise ExportError(f"{problem}: put your copy of the article there.")
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != source["sha256"]:
        raise ExportError(
            f"{path} differs from the article that was annotated: its SHA-256 is {digest}, and the "
            f"table `sources` has {source['sha256']}."
        )
    return str(data, "utf-8")
