"""The text of a manuscript: plain text, Markdown, HTML or Word (Office Open XML, ECMA-376).

In HTML and Word documents, each paragraph is a line. Block quotations in Markdown and HTML are put
in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

from defectors_data import given_files
from defectors_data.given_files import GivenFileError


def read(path: Path) -> str:
    """Return the text of a manuscript.

    Raises:
        GivenFileError: the file has an unsupported format, is damaged, or is not in UTF-8.
        OSError: the file could not be read.
    """
    readers: dict[str, Callable[[str], str]] = {
        ".txt": str,
        ".md": _markdown,
        ".html": _html,
        ".htm": _html,
    }
    ending = path.suffix.lower()
    if ending != ".docx" and ending not in readers:
        raise GivenFileError("it is not a .txt, .md, .html or .docx file", path.name)
    data = given_files.read(path)
    if ending == ".docx":
        return _word(data, path.name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GivenFileError("it is not text in UTF-8", path.name) from error
    return readers[ending](text.replace("\r\n", "\n"))


# ---- Markdown ------------------------------------------------------------------------------------

_CODE = re.compile(r"(?ms)^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)|(?<!`)(`+)(?!`)[^\n]+?(?<!`)\2(?!`)")
_LINK = re.compile(r"!?\[([^\[\]\n]+)\]\([^()\n]*\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3})(?=\S)([^\n]*?\S)\1(?!\w)")
_BLOCK = re.compile(r"(?m)^ {0,3}>[ \t]?(.*(?:\n {0,3}>[ \t]?.*)*)")


def _markdown(text: str) -> str:
    """Return Markdown without code and the markup of links, emphasis and block quotations.

    Block quotations are put in quotation marks. Line numbers do not change.
    """
    text = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    text = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text))
    return _BLOCK.sub(lambda found: _marked(re.sub(r"(?m)^ {0,3}>[ \t]?", "", found[0])), text)


def _marked(words: str) -> str:
    """Put each line of a block quotation in quotation marks, unless it is empty or has one."""
    lines = []
    for line in words.split("\n"):
        stripped = line.strip()
        if stripped and stripped[0] not in '“"«„':
            lines.append(f"“{stripped}”")
        else:
            lines.append(line)
    return "\n".join(lines)


# ---- HTML ----------------------------------------------------------------------------------------


class _HtmlText(HTMLParser):
    """A parser for the text of a page: one line per block, quotations in quotation marks."""

    HIDDEN = frozenset({"script", "style", "head", "template", "noscript"})
    INLINE = frozenset(
        "a abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small span strong sub "
        "sup u var".split()
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden = 0

    # The parser passes `attrs`.
    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.hidden += tag in self.HIDDEN
        if tag == "blockquote":
            self.pieces.append("\n“")
        elif tag == "q":
            self.pieces.append("“")
        elif tag not in self.INLINE:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        # A page may close an element that it never opened.
        self.hidden = max(0, self.hidden - (tag in self.HIDDEN))
        if tag == "blockquote":
            self.pieces.append("”\n")
        elif tag == "q":
            self.pieces.append("”")
        elif tag not in self.INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(re.sub(r"\s+", " ", data))


def _html(text: str) -> str:
    parser = _HtmlText()
    parser.feed(text)
    parser.close()
    joined = re.sub(r"“\s+", "“", re.sub(r"\s+”", "”", "".join(parser.pieces)))
    return re.sub(r" *\n[\s]*", "\n", joined).strip("\n")


# ---- Word ----------------------------------------------------------------------------------------

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_BREAKS = {f"{_W}tab": "\t", f"{_W}br": " ", f"{_W}cr": " ", f"{_W}noBreakHyphen": "-"}


def _word(data: bytes, name: str) -> str:
    parts = given_files.unzipped(data, name, _PARTS.__contains__)
    if _PARTS[0] not in parts:
        raise GivenFileError("it is not a Word document", name)
    try:
        return "\n".join(_paragraphs(parts[part]) for part in _PARTS if part in parts)
    # expat raises `ValueError` or `LookupError` for an encoding that Python does not have.
    except (ET.ParseError, ValueError, LookupError) as error:
        raise GivenFileError("this Word document is damaged", name) from error


def _paragraphs(data: bytes) -> str:
    """Return the text of a part of a Word document, without tracked deletions."""
    # No Word document has a document type, and its entities could expand without limit.
    if b"<!DOCTYPE" in data:
        raise ET.ParseError
    root = ET.fromstring(data)  # noqa: S314  # no document type, so no entities
    return "\n".join(_paragraph(each) for each in root.iter(f"{_W}p"))


def _paragraph(paragraph: ET.Element) -> str:
    # Deleted text is in `w:delText` elements, which are not read.
    pieces = []
    for piece in paragraph.iter():
        if piece.tag == f"{_W}t":
            pieces.append(piece.text or "")
        else:
            pieces.append(_BREAKS.get(piece.tag, ""))
    return "".join(pieces)
