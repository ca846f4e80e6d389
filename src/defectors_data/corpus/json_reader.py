"""One line of JSON, the format of bulk annotations, as values with their places.

Python's `json` reads the values. It also accepts NaN and infinity, which the standard (RFC 8259)
does not allow, and lone surrogates, which are not characters; all of these are rejected here. The
places come from `yaml_reader`: YAML has the same lists, mappings and strings.
"""

from __future__ import annotations

import re
from typing import NoReturn

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.yaml_reader import ParsedFile, duplicate_key, unreadable

_NOT_YAML = re.compile("[\t\r\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON allows and libyaml refuses, which are replaced before places are found."""


def parse(text: str, *, file: str, line: int) -> ParsedFile:
    """Parse a line as JSON.

    `line` is its number in the file, from 1, and columns count code points from 1.

    Returns the same as `yaml_reader.parse`; the value is None if the line is not JSON.
    """
    import json  # noqa: PLC0415  # only corpora with shards need it

    place = Place(file, line)
    if text.startswith("\ufeff"):
        return unreadable(
            json_syntax(place, "it begins with a byte order mark", "Save the file without one.")
        )
    if yaml_reader.CONFLICT.match(text):
        return unreadable(json_syntax(place, "it is a Git conflict marker", yaml_reader.RESOLVE))
    # Only the places are taken from YAML, so an escape that libyaml refuses, half of a surrogate
    # pair, can be replaced by another one of the same length.
    replaced = _NOT_YAML.sub(" ", text).replace("\\ud", "\\u4").replace("\\uD", "\\u4")
    typed = yaml_reader.parse(replaced, file=file)
    for finding in typed.findings:
        # These limits apply to JSON too.
        if finding.code in ("file-too-large", "yaml-too-deep"):
            return unreadable(finding._replace(place=finding.place._replace(line=line)))
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (json.JSONDecodeError, RecursionError) as error:
        column = getattr(error, "pos", 0) + 1
        problem = str(getattr(error, "msg", "")).partition(":")[0].lower()
        return unreadable(json_syntax(Place(file, line, column), problem or "it cannot be read"))
    except ValueError as error:
        return unreadable(
            json_syntax(
                place, str(error), "Write numbers in digits; leave out a key without a value."
            )
        )
    # The text was valid UTF-8, so only an escape can produce a lone surrogate; few texts have such
    # escapes.
    escaped = "\\ud" in text or "\\uD" in text
    if escaped and re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        return unreadable(json_syntax(place, "it contains half of a surrogate pair"))
    places = {path: found._replace(line=line) for path, found in typed.places.items()}
    keys = {path: found._replace(line=line) for path, found in typed.keys.items()}
    # Of the other findings, only repeated keys apply to JSON too; the rest are about YAML alone.
    repeated = [
        finding.place._replace(line=line)
        for finding in typed.findings
        if finding.code == "duplicate-key"
    ]
    findings = [duplicate_key(found, line) for found in repeated]
    return ParsedFile(value, {(): place, **places}, keys, findings, [], typed.doubled)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


# ---- findings ------------------------------------------------------------------------------------


def json_syntax(place: Place, problem: str, hint: str = "") -> Finding:
    """Each line of a shard must be one JSON object (RFC 8259).

    NaN, infinity and lone surrogates are not allowed.
    """
    usual = (
        "Write each object on one line, as `json.dumps` or an equivalent does, without a comma "
        "after it."
    )
    return Finding(
        place, "json-syntax", f"This line is not valid JSON: {problem}.", (hint or usual,)
    )


FAULTS = (json_syntax,)
