"""One line of JSON as values, with the place of each: the format of bulk annotations.

Python's `json` reads the values and accepts more than the standard (RFC 8259): NaN, infinity and lone surrogates are
refused here. A second pass over the tokens of the line finds the place of each value.
"""

from __future__ import annotations

import re
from typing import NoReturn

from pydantic_core import from_json

from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.project_file import Path
from defectors_data.corpus.yaml_reader import DEEPEST, MOST, Typed, duplicate_key, too_long, yaml_too_deep

_TOKEN = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+')


def parse(text: str, *, file: str, line: int) -> Typed:
    """Read a line as JSON; `line` is its number in the file, from 1, and columns count code points from 1.

    Returns the same as `yaml_reader.parse`; the value is None if the line is not JSON.
    """
    import json  # noqa: PLC0415  # only corpora with shards need it

    place = Place(file, line)
    if text.startswith("\ufeff"):
        return _nothing(json_syntax(place, "it begins with a byte order mark", "Save the file without one."))
    scanner = _Scanner(file, line)
    try:
        scanner.scan(text)
        value = json.loads(text, parse_constant=_refuse)
    except _Refused as refused:
        return _nothing(refused.finding)
    except (json.JSONDecodeError, RecursionError) as error:
        column = getattr(error, "pos", 0) + 1
        problem = str(getattr(error, "msg", "")).partition(":")[0].lower()
        return _nothing(json_syntax(Place(file, line, column), problem or "it cannot be read"))
    except ValueError as error:
        return _nothing(json_syntax(place, str(error), "Write numbers in digits; leave out a key without a value."))
    escaped = "\\ud" in text or "\\uD" in text
    if escaped and re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        return _nothing(json_syntax(place, "it contains half of a surrogate pair"))
    return Typed(value, scanner.places, scanner.keys, scanner.findings, [], scanner.doubled)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _nothing(finding: Finding) -> Typed:
    return Typed(None, {}, {}, [finding], [], set())


class _Refused(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class _Scanner:
    """Records the places of keys and values; they mean nothing if the line turns out not to be JSON."""

    def __init__(self, file: str, line: int) -> None:
        self.file, self.line = file, line
        self.places: dict[Path, Place] = {}
        self.keys: dict[Path, Place] = {}
        self.findings: list[Finding] = []
        self.doubled: set[Path] = set()
        self.open: list[tuple[Path, set[str] | None]] = []
        """The lists and mappings around the next value: the path of each, and the keys so far (None for a list)."""
        self.path: Path = ()
        """The path of the next value."""

    def scan(self, text: str) -> None:
        expects_key = False
        for number, token in enumerate(_TOKEN.finditer(text)):
            place = Place(self.file, self.line, token.start() + 1)
            if number > 4 * MOST:
                raise _Refused(too_long(place))
            match token[0]:
                case "{" | "[" as bracket:
                    self._open(bracket, place)
                    expects_key = bracket == "{"
                case "}" | "]":
                    self._close()
                case ",":
                    expects_key = self._next()
                case ":":
                    expects_key = False
                case key if expects_key:
                    self._key(key, place)
                case _:
                    self.places[self.path] = place

    def _open(self, bracket: str, place: Place) -> None:
        if len(self.open) >= DEEPEST:
            raise _Refused(yaml_too_deep(place))
        self.places[self.path] = place
        self.open.append((self.path, set() if bracket == "{" else None))
        if bracket == "[":
            self.path = (*self.path, 0)

    def _close(self) -> None:
        if self.open:
            self.path = self.open.pop()[0]

    def _next(self) -> bool:
        """Move to the next item, and return whether it begins with a key."""
        if not self.open:
            return False
        around, keys = self.open[-1]
        last = self.path[-1] if self.path else 0
        self.path = (*around, last + 1) if keys is None and isinstance(last, int) else around
        return keys is not None

    def _key(self, token: str, place: Place) -> None:
        around, keys = self.open[-1] if self.open else ((), None)
        if keys is None or not token.startswith('"'):
            return
        key = _string(token)
        if key in keys and around not in self.doubled:
            self.doubled.add(around)
            self.findings.append(duplicate_key(place, self.line))
        keys.add(key)
        self.path = (*around, key)
        self.keys[self.path] = place


def _string(token: str) -> str:
    try:
        return str(from_json(token))
    except ValueError:
        return token


# ---- findings ----------------------------------------------------------------------------------------------


def json_syntax(place: Place, problem: str, hint: str = "") -> Finding:
    """Each line of a shard is one JSON object (RFC 8259), without NaN, infinity or half of a surrogate pair."""
    usual = "Write each source on one line, as `json.dumps` or its equivalent does, without a comma after it."
    return Finding(place, "json-syntax", f"This line is not valid JSON: {problem}.", (hint or usual,))


FAULTS = (json_syntax,)
