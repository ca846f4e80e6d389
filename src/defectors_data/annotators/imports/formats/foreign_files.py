"""Functions that parse untrusted files of other programs.

XML with a document type declaration is rejected, because it can declare entities. What a parser
rejects, or what lacks the structure of its format, raises `GivenFileError`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from xml.etree import ElementTree as ET
from xml.parsers import expat

from pydantic import TypeAdapter, ValidationError

from defectors_data import given_files
from defectors_data.given_files import GivenFileError
from defectors_data.package.published_folder import DESCRIPTOR

_DEEPEST = 200
"""Maximum depth of nested XML elements."""
_T = TypeVar("_T")


def files_of(path: Path, *endings: str) -> dict[str, bytes]:
    """Return the bytes of the files with these extensions in a folder or zip, by name.

    Any other single file is returned, too. The descriptor of an export is left out.

    Raises:
        GivenFileError: there are no such files, or an archive is damaged, too large, or contains a
            path that leads out of it.
        OSError: a file could not be read.
    """
    if path.is_dir():
        found = {}
        for each in sorted(path.iterdir()):
            if each.name.endswith(endings) and each.name != DESCRIPTOR:
                found[each.name] = given_files.read(each)
    else:
        data = given_files.read(path)
        if not data.strip():
            raise GivenFileError("it is empty", path.name)
        if not given_files.is_archive(data):
            return {path.name: data}
        found = given_files.unzipped(data, path.name, lambda name: name.endswith(endings))
    if not found:
        problem = f"it contains no file whose name ends in {' or '.join(endings)}"
        raise GivenFileError(problem, path.name)
    return found


def decoded(data: bytes, file: str) -> str:
    """Return UTF-8 bytes as text, without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{data[error.start]:02X} is not valid UTF-8"
        raise GivenFileError(problem, file, line) from None


def json_of(data: bytes, file: str) -> Any:
    """Return the value of a JSON file (RFC 8259)."""

    def refuse(constant: str) -> NoReturn:
        raise GivenFileError(f"{constant} is not valid JSON", file)

    try:
        value = json.loads(decoded(data, file), parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode()  # fails for half of a surrogate pair
    except json.JSONDecodeError as error:
        problem = f"it is not valid JSON: {error.msg.partition(':')[0].lower()}"
        raise GivenFileError(problem, file, error.lineno, error.colno) from None
    except RecursionError:
        raise GivenFileError("it is nested too deeply", file) from None
    except UnicodeEncodeError:
        raise GivenFileError("it contains half of a surrogate pair", file) from None
    except GivenFileError:  # from `refuse`; it is a ValueError, too
        raise
    except ValueError:
        raise GivenFileError("it contains a number with too many digits", file) from None
    return value


def shaped(shape: TypeAdapter[_T], value: Any, file: str) -> _T:
    """Return a JSON value as the types that a format prescribes."""
    try:
        return shape.validate_python(value)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the top level"
        problem = f"it does not have the structure of the format: {place}: {fault['msg']}"
        raise GivenFileError(problem, file) from None


def xml_of(data: bytes, file: str) -> ET.Element:
    """Return the root of an XML document; the names in it have no namespaces."""
    builder, depth = ET.TreeBuilder(), 0
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True  # otherwise, expat reports each line of a text separately

    def refuse(problem: str) -> NoReturn:
        raise GivenFileError(
            problem, file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        )

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            refuse("it is nested too deeply")
        builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    def doctype(*_: object) -> None:
        refuse("it has a document type declaration, which is not allowed")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)  # noqa: FBT003  # it takes no keyword
        return builder.close()
    except expat.ExpatError as error:
        problem = f"it is not valid XML: {expat.ErrorString(error.code)}"
        raise GivenFileError(problem, file, error.lineno, error.offset + 1) from None


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def children(element: ET.Element | None, name: str) -> Iterator[ET.Element]:
    """Yield the children of an element that have a given name; nothing if the element is None."""
    if element is not None:
        yield from element.findall(name)


def attribute(element: ET.Element, name: str, file: str) -> str:
    """Return an attribute that the format requires."""
    value = element.get(name)
    if value is None:
        raise GivenFileError(f"an element {element.tag} has no attribute {name}", file)
    return value
