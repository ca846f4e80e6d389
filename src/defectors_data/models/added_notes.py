"""Words that the build adds to published notes.

The library for readers imports them, so this module needs no pydantic.
"""

from __future__ import annotations

import re

OVERRIDDEN = "Not what the words say: "
"""The words in the published note of a figure that introduce its `override`, its last part."""
ADDED_TO_NOTES = re.compile(
    rf"{OVERRIDDEN.strip()}|The \w+ quotation mark of part [0-9]+ is missing in the source\."
)
"""The words that the build adds to published notes."""
