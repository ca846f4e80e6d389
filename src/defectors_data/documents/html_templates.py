"""Jinja templates for HTML pages: data is escaped, and changes of text direction are visible."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from defectors_data.models.counts import noun
from defectors_data.rows.labels import visible


@cache
def environment(folder: Path) -> Environment:
    """Return the environment of the templates in `folder`; `shown` is applied to all data."""
    found = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["noun"] = noun
    return found


def shown(value: Any) -> Any:
    """Return a value for a page: direction-changing characters are visible, and None is empty."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return "" if value is None else value


def source_hash(inline: str) -> str:
    """Return the expression with which a content security policy permits an inline element."""
    digest = hashlib.sha256(inline.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
