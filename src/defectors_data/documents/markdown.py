"""Markdown of the documents: tables, and typed text in which no character is markup."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def prose(typed: str) -> str:
    """Return text from the project's files for use in Markdown, with HTML escaped."""
    return html.escape(typed.strip(), quote=False)


def markdown(header: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Iterable[str]) -> str:
    escaped = [cell.replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"
