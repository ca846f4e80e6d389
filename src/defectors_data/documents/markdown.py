"""Markdown of the documents: tables, and typed text in which no character is markup."""

from __future__ import annotations

import html
from collections.abc import Iterable


def prose(typed: str) -> str:
    """Return text from the project's files for use in Markdown, with HTML escaped."""
    return html.escape(typed.strip(), quote=False)


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [[cell.replace("|", "\\|") for cell in cells] for cells in (header, *rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
