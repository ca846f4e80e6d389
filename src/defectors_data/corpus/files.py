"""The files below a project's folder, and the text that is in them; nothing outside the project is opened.

Whatever is wrong with a file is a finding with its place, never an exception: it is missing, or a folder, or larger
than a bound, or its bytes are no text. What the text means is for `reading`.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import BinaryIO

from defectors_data.corpus import limits
from defectors_data.corpus.findings import Finding, Place

LARGEST = 8 * 1024 * 1024
"""Bytes that a file may have which people write; a seed has bounds of its own."""

TAKEDOWN = "annotations/.takedown.json"
"""Exists while a takedown replaces files: some of them are old then, and some new."""

_PASSED_OVER = re.compile(r"\..*|.*~|#.*#", re.DOTALL)
"""Names of hidden files, and of those that editors leave behind."""


@dataclass(frozen=True)
class Tree:
    """The files below a folder, some of them as a change would leave them."""

    root: FilePath
    changed: Mapping[str, FilePath | None] = field(default_factory=dict)
    """The files that replace some, by the path of these below the root; None for a file that is removed."""

    def path(self, file: str) -> FilePath:
        """Return where a file is read."""
        return self.changed.get(file) or self.root / file

    def there(self, file: str) -> bool:
        """Tell whether there is such a file or folder."""
        return self.changed[file] is not None if file in self.changed else os.path.lexists(self.root / file)

    def inside(self, file: str) -> bool:
        """Tell whether a file that is there lies below the root, wherever links lead."""
        return file in self.changed or (self.root / file).resolve().is_relative_to(self.root.resolve())

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names in a folder that have an ending, in order; hidden files are left out."""
        return [name for name in self.visible(folder) if name.endswith(ending)]

    def visible(self, folder: str) -> list[str]:
        """Return the names in a folder, in order; hidden files and those that editors leave behind are left out."""
        on_disk = sorted(path.name for path in (self.root / folder).iterdir())
        return [name for name in on_disk if not _PASSED_OVER.fullmatch(name) and self.there(f"{folder}/{name}")]

    def reason(self, file: str) -> str | None:
        """Return why something that is there is no file which can be read, or None; it is not opened."""
        try:
            mode = self.path(file).stat().st_mode
        except OSError as error:
            return why_not(error)
        if not self.inside(file):
            return _OUTSIDE
        return None if stat.S_ISREG(mode) else "it is a folder" if stat.S_ISDIR(mode) else "it is no regular file"

    def opened(self, file: str) -> BinaryIO:
        """Open a file for reading."""
        return os.fdopen(os.open(self.path(file), os.O_RDONLY | os.O_CLOEXEC), "rb")


def is_half_done(root: FilePath) -> bool:
    """Return whether a takedown has changed some files and not yet all of them."""
    return os.path.lexists(root / TAKEDOWN)


def text_in(tree: Tree, file: str) -> tuple[str | None, list[Finding]]:
    """Return the text of a seed, or of a file that people write, or None and what is wrong."""
    data, findings = bytes_of(tree, file)
    if data is None:
        return None, findings
    return seed_text(data, file) if file.startswith("seeds/") else written_text(data, file)


def folder_faults(tree: Tree, folder: str) -> Iterator[Finding]:
    """Find what keeps a folder from being read: told once, and not for each file in it."""
    try:
        with os.scandir(tree.root / folder):
            pass
        if not tree.inside(folder):
            yield file_unreadable(folder, _OUTSIDE)
    except OSError as error:
        yield file_unreadable(folder, why_not(error))


_OUTSIDE = "it is a link that leads out of the project"


def why_not(error: OSError) -> str:
    """Say in words why the file system refused."""
    words = error.strerror or "it could not be read"
    return words[:1].lower() + words[1:]


def bytes_of(tree: Tree, file: str) -> tuple[bytes | None, list[Finding]]:
    """Read a file below the root; no more bytes than are allowed and one more are read, however many there are."""
    largest = limits.LARGEST if file.startswith("seeds/") else LARGEST
    if reason := tree.reason(file):
        return None, [file_unreadable(file, reason)]
    path = tree.path(file)
    try:
        data = b""
        if path.stat().st_size <= largest:
            with tree.opened(file) as found:
                data = found.read(largest + 1)
        large = path.stat().st_size > largest or len(data) > largest
    except OSError as error:
        return None, [file_unreadable(file, why_not(error))]
    return (None, [file_too_large(Place(file), _mebibytes(largest))]) if large else (data, [])


def _mebibytes(size: int) -> str:
    return f"{size // 1024 // 1024} MiB"


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BYTE_ORDER_MARK = "\ufeff"


def _decoded(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    if data.startswith(_UTF_16):
        return None, [not_utf8(Place(file), "The file is UTF-16.")]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [not_utf8(_byte_place(data, error.start, file), f"Byte 0x{data[error.start]:02X} is no UTF-8.")]
    if "\x00" in text:
        return None, [not_utf8(_byte_place(data, data.index(b"\x00"), file), "The file holds a NUL character.")]
    return text, []


def seed_text(data: bytes, seed: str) -> tuple[str | None, list[Finding]]:
    """Decode a seed; a byte order mark would shift every offset for whoever leaves it out in reading."""
    text, findings = _decoded(data, seed)
    if text is not None and text.startswith(_BYTE_ORDER_MARK):
        return None, [not_utf8(Place(seed), "The file begins with a byte order mark.")]
    if text is not None and not text.strip():
        return None, [seed_empty(seed)]
    if text is not None and (found := _NO_TEXT.search(text)):
        return None, [seed_character(_place_in(text, found.start(), seed), found[0])]
    if text is not None and (excess := limits.excess(text)):
        return None, [file_too_large(_place_in(text, excess.at, seed), excess.what)]
    return text, findings


def proved_text(data: bytes, seed: str, sha256: str, at: Callable[[], Place]) -> tuple[str | None, list[Finding]]:
    """Return the text of a seed whose checksum is that typed `at` a place, or None and what is wrong."""
    text, faults = seed_text(data, seed)
    actual = hashlib.sha256(data).hexdigest()
    line_ends = hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest() == sha256 != actual
    if actual == sha256 or (text is None and not line_ends):
        return text, faults
    return None, [seed_changed(at(), seed, actual, line_ends=line_ends)]


_NO_TEXT = re.compile("\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What is a character of a seed, and does not come through every reader of a CSV as it stands."""


def _place_in(text: str, at: int, file: str) -> Place:
    return Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def written_text(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    """Decode a file that people write; the byte order mark that some editors write means nothing in YAML."""
    text, findings = _decoded(data, file)
    if text is None:
        return None, findings
    text = text.removeprefix(_BYTE_ORDER_MARK)
    return (text, []) if text.strip() else (None, [file_empty(file)])


def _byte_place(data: bytes, at: int, file: str) -> Place:
    before = data[:at].decode("utf-8", errors="replace")
    return Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


# ---- faults ------------------------------------------------------------------------------------------------


def file_unreadable(file: str, reason: str) -> Finding:
    """Every file and folder of the project that is needed is there, below its root, and can be read."""
    hint = "Put it there, as a file or folder of the project's own that you may read."
    return Finding(Place(file), "file-unreadable", f"This is needed and cannot be read: {reason}.", (hint,))


def file_too_large(place: Place, what: str) -> Finding:
    """What people write has 8 MiB and 20,000 values at most, a seed 2 MiB, 300,000 words, 100,000 letters in a line."""
    hint = "An article and its annotations are smaller: put the right file there, or part it."
    return Finding(place, "file-too-large", f"This file has more than {what}.", (hint,))


def file_empty(file: str) -> Finding:
    """A file that people write is not empty; where there is nothing to say, it says so."""
    hint = "Restore it; where there is nothing to list, write the key and an empty list, such as `speakers: []`."
    return Finding(Place(file), "file-empty", "This file is empty.", (hint,))


def not_utf8(place: Place, message: str) -> Finding:
    """Files are UTF-8, seeds without a byte order mark, none with a NUL character."""
    return Finding(place, "not-utf8", message, ("Save it as UTF-8 without a byte order mark and NUL characters.",))


def seed_character(place: Place, found: str) -> Finding:
    """A seed has no control characters but tab and line feed: others do not come through every reader of a table."""
    if found == "\r\n":
        hints = (
            "Save the seed with LF line ends, and annotate it then.",
            "Where it is annotated already: change `sha256`, and take `\\r` out of its evidence.",
        )
        return Finding(place, "seed-character", "This seed has CRLF line ends, of which many programs make LF.", hints)
    message = f"U+{ord(found):04X} stands here, which is no character of a text."
    hint = "Take it out of the seed before that is annotated; a line or a page ends with a line feed."
    return Finding(place, "seed-character", message, (hint,))


def seed_empty(seed: str) -> Finding:
    """A seed holds the words of an article."""
    return Finding(Place(seed), "seed-empty", "This seed holds no words.", ("Restore it, or take it out.",))


def seed_changed(place: Place, seed: str, actual: str, *, line_ends: bool = False) -> Finding:
    """A seed has the bytes that were annotated: seeds are never edited."""
    message = f"{seed} is not the file that was annotated: its sha256 is {actual}."
    hint = "Restore the seed. If it was replaced on purpose, read it against its annotations, then change `sha256`."
    if line_ends:
        hint = "Only its line ends were changed, from LF to CRLF: restore it, and have git leave line ends as they are."
    return Finding(place, "seed-changed", message, (hint,))
