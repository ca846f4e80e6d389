"""Jinja templates for HTML pages: data is escaped, and characters that change the text direction are made visible."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from defectors_data.rows.labels import visible


@cache
def environment(folder: Path) -> Environment:
    """Return the environment of the templates in `folder`; it applies `shown` to all data and escapes the result."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def shown(value: Any) -> Any:
    """Return a value for a page: direction-changing characters become visible, and None becomes an empty string."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return "" if value is None else value


def source_hash(inline: str) -> str:
    """Return the source expression with which a content security policy permits an inline element."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
