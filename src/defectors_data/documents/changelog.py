"""`CHANGELOG.md` of the package: what changed in the data in each version."""

from __future__ import annotations

from defectors_data.documents.markdown import prose
from defectors_data.models.project import Changelog


def changes(changelog: Changelog) -> bytes:
    """Return `CHANGELOG.md` with the Data section of each version; b"" if no version has one."""
    published: list[str] = []
    for _, line in changelog.published():
        if line.startswith("## "):
            published += ["", prose(line)]
        elif line.strip() or (published and published[-1]):  # no two empty lines in a row
            margin = line[: len(line) - len(line.lstrip())]
            published.append(margin + prose(line))
    if not published:
        return b""
    text = "\n".join(["# Changes to the data", *published])
    return f"{text.rstrip()}\n".encode()
