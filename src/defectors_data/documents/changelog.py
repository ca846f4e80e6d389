"""`CHANGELOG.md` of the package: what changed in the data in each version."""

from __future__ import annotations

import re
from collections.abc import Iterable

from defectors_data.documents.readme import prose

_HEADING = re.compile(r"(#{1,3}) +(.+)")
_VERSION, _SECTION, _DATA = 2, 3, "data"


def changes(lines: Iterable[str]) -> bytes:
    """Return the sections on the data, by version, of a changelog given in lines; empty if there are none.

    A version is a heading of the second level, and a section on the data is a heading `Data` of the third.
    """
    published: list[str] = []
    version, is_data = "", False
    for line in lines:
        if heading := _HEADING.fullmatch(line.rstrip()):
            level, words = len(heading[1]), heading[2]
            is_data = level == _SECTION and words.casefold() == _DATA
            version = line if level == _VERSION else version
            if is_data:
                published += ["", prose(version)]
        # No two empty lines in a row, and no comments, which mark what `diff --changelog` writes.
        elif is_data and (line.strip() or published[-1]) and not line.startswith("<!--"):
            published.append(line[: len(line) - len(line.lstrip())] + prose(line))
    return ("\n".join(["# Changes of the data", *published]).rstrip() + "\n").encode() if published else b""
