"""XML 1.0 documents in UTF-8, for the formats that are based on XML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from defectors_data.readers.article_copies import ExportError

Element = ET.Element


def add(
    parent: Element, name: str, attributes: dict[str, str] | None = None, text: str | None = None
) -> Element:
    """Add a child element to an element, and return the child."""
    element = ET.SubElement(parent, name, attributes or {})
    element.text = text
    return element


def document(root: Element) -> bytes:
    """Return an XML document with one element per line.

    White space in elements with text is preserved.

    Raises:
        ExportError: a text contains U+FFFE or U+FFFF, which XML cannot contain.
    """
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + without_declaration(root)


def without_declaration(root: Element) -> bytes:
    """Return the same document without an XML declaration, for programs that refuse one.

    Raises:
        ExportError: a text contains U+FFFE or U+FFFF, which XML cannot contain.
    """
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    # Seeds cannot contain the other characters that XML does not allow.
    for character in "\ufffe\uffff":
        if character in text:
            problem = f"An article contains U+{ord(character):04X}, which XML cannot contain"
            raise ExportError(f"{problem}: choose another format.")
    return f"{text}\n".encode()
