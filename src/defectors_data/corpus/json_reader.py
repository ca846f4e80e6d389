"""One line of JSON as values, with the place of each: what bulk annotations are typed as.

The values are those of Python's own reader, held to the standard (RFC 8259): no NaN, no infinity, no half of a
surrogate pair. Where each of them stands is told by a second pass over the signs of the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.yaml_reader import DEEPEST, MOST, Path, Typed, duplicate_key, too_long, yaml_too_deep

_TOKEN = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+')


def parse(text: str, *, file: str, line: int) -> Typed:
    """Read a line as JSON; `line` is its number in the file, from 1, and columns count code points from 1.

    Returns what `yamltext.parse` does: the value, None where the line is no JSON, with places, keys and findings.
    """
    import json  # noqa: PLC0415  # most projects have no line of it

    if text.startswith("\ufeff"):
        return _nothing(json_syntax(Place(file, line), "a byte order mark stands before it", "Save it without one."))
    scanner = _Scanner(file, line, json.loads)
    try:
        scanner.scan(text)
        value = json.loads(text, parse_constant=_refuse)
    except _Refused as refused:
        return _nothing(refused.finding)
    except (json.JSONDecodeError, RecursionError) as error:
        column = getattr(error, "pos", 0) + 1
        said = str(getattr(error, "msg", "")).partition(":")[0].lower()
        return _nothing(json_syntax(Place(file, line, column), said or "it cannot be read"))
    except ValueError as error:
        return _nothing(json_syntax(Place(file, line), str(error), "A number has digits; leave out what has none."))
    escaped = "\\ud" in text or "\\uD" in text
    if escaped and re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        return _nothing(json_syntax(Place(file, line), "it holds half of a surrogate pair without the other"))
    return Typed(value, scanner.places, scanner.keys, scanner.findings, [], scanner.doubled)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _nothing(finding: Finding) -> Typed:
    return Typed(None, {}, {}, [finding], [], set())


class _Refused(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class _Scanner:
    """Notes where keys and values stand; of what is no JSON the places mean nothing, and nobody reads them."""

    def __init__(self, file: str, line: int, loads: Callable[[str], Any]) -> None:
        self.file, self.line, self.loads = file, line, loads
        self.places: dict[Path, Place] = {}
        self.keys: dict[Path, Place] = {}
        self.findings: list[Finding] = []
        self.doubled: set[Path] = set()
        self.open: list[tuple[Path, set[str] | None]] = []
        self.path: Path = ()
        """The path of the value that comes next."""

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
        """Go on to the next item, and tell whether a key comes first."""
        if not self.open:
            return False
        around, keys = self.open[-1]
        last = self.path[-1] if self.path else 0
        self.path = (*around, last + 1) if keys is None and isinstance(last, int) else around
        return keys is not None

    def _key(self, token: str, place: Place) -> None:
        if not self.open or self.open[-1][1] is None or not token.startswith('"'):
            return
        around, keys = self.open[-1]
        key = self._string(token)
        if keys is not None and key in keys and around not in self.doubled:
            self.doubled.add(around)
            self.findings.append(duplicate_key(place, self.line))
        if keys is not None:
            keys.add(key)
        self.path = (*around, key)
        self.keys[self.path] = place

    def _string(self, token: str) -> str:
        try:
            return str(self.loads(token))
        except ValueError:
            return token


# ---- faults ------------------------------------------------------------------------------------------------


def json_syntax(place: Place, problem: str, hint: str = "") -> Finding:
    """Each line of a part is one JSON object, and all of it: no NaN, no infinity, no half of a surrogate pair."""
    usual = "Write each source on a line of its own, as `json.dumps` of any language does, without a comma behind it."
    return Finding(place, "json-syntax", f"This line is no JSON: {problem}.", (hint or usual,))


FAULTS = (json_syntax,)
