"""The files of a project and the text in them; files outside the project's folder are never opened.

If a file is missing, is a folder, is too large or is not text, this is reported as a finding with
its place, never raised as an exception.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath
from typing import BinaryIO

from defectors_data import given_files
from defectors_data.corpus import seed_limits
from defectors_data.corpus.findings import Finding, Place
from defectors_data.text.offsets import line_and_column

LARGEST = 8 * 1024 * 1024
"""Maximum size in bytes of a YAML file or the changelog; seeds and shards have their own."""

TAKEDOWN = "annotations/.takedown.json"
"""The file that marks an incomplete update, when some files are old and others are new."""

_IGNORED = re.compile(r"\..*|.*~|#.*#", re.DOTALL)
"""Names of hidden files, and of files that editors leave behind."""


@dataclass(frozen=True)
class FileTree:
    """The files below a folder, with changes that are not yet written to disk."""

    root: FilePath
    changed: Mapping[str, FilePath | None] = field(default_factory=dict)
    """Replacements by path below the root; None for a file that is removed."""

    def path(self, file: str) -> FilePath:
        """Return the path from which a file is read."""
        return self.changed.get(file) or self.root / file

    def exists(self, file: str) -> bool:
        """Return whether a file or folder exists."""
        # A broken link exists too, and is reported when it is read.
        if file in self.changed:
            return self.changed[file] is not None
        return os.path.lexists(self.root / file)

    def inside(self, file: str) -> bool:
        """Return whether an existing file is below the root after links are resolved."""
        # A link could lead to any file on this machine, and findings would show words of that file.
        return file in self.changed or (self.root / file).resolve().is_relative_to(self._real)

    @cached_property
    def _real(self) -> FilePath:
        return self.root.resolve()

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names in a folder that end in `ending`, sorted, without hidden files."""
        return [name for name in self.visible(folder) if name.endswith(ending)]

    def visible(self, folder: str) -> list[str]:
        """Return the names in a folder, sorted, without hidden files and editors' backups."""
        on_disk = sorted(path.name for path in (self.root / folder).iterdir())
        return [
            name
            for name in on_disk
            if not _IGNORED.fullmatch(name) and self.exists(f"{folder}/{name}")
        ]

    def reason(self, file: str) -> str | None:
        """Return why an existing file cannot be read, or None if it can; the file is not opened."""
        try:
            mode = self.path(file).stat().st_mode
        except OSError as error:
            return why_not(error)
        if not self.inside(file):
            return _OUTSIDE
        if stat.S_ISREG(mode):
            return None
        if stat.S_ISDIR(mode):
            return "it is a folder"
        return given_files.IRREGULAR

    def opened(self, file: str) -> BinaryIO:
        """Open a regular file for reading.

        Raises:
            OSError: the file cannot be opened, or something else, such as a pipe, has replaced it
                since it was listed.
        """
        return given_files.opened(self.path(file))


def is_half_done(root: FilePath) -> bool:
    """Return whether an update of the corpus is incomplete: some files changed, others not."""
    return os.path.lexists(root / TAKEDOWN)


def folder_faults(tree: FileTree, folder: str) -> Iterator[Finding]:
    """Yield a finding for a folder that cannot be read, and none for its files."""
    try:
        with os.scandir(tree.root / folder):
            pass
        if not tree.inside(folder):
            yield file_unreadable(folder, _OUTSIDE)
    except OSError as error:
        yield file_unreadable(folder, why_not(error))


_OUTSIDE = "it is a link that leads out of the project"


def why_not(error: OSError) -> str:
    """Return the reason for a file system error, with a lower-case first letter."""
    words = error.strerror or "it could not be read"
    return words[:1].lower() + words[1:]


def bytes_of(tree: FileTree, file: str) -> tuple[bytes | None, list[Finding]]:
    """Return the bytes of a file below the root, or None and a finding.

    A file that is too large is not opened.
    """
    largest = seed_limits.LARGEST if file.startswith("seeds/") else LARGEST
    if reason := tree.reason(file):
        return None, [file_unreadable(file, reason)]
    try:
        large = tree.path(file).stat().st_size > largest
        data = b""
        if not large:
            with tree.opened(file) as opened:
                data = opened.read(largest + 1)  # the file may grow while it is read
    except OSError as error:
        return None, [file_unreadable(file, why_not(error))]
    if large or len(data) > largest:
        return None, [file_too_large(Place(file), f"is larger than {largest // 1024 // 1024} MiB")]
    return data, []


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BYTE_ORDER_MARK = "\ufeff"


def _decoded(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    if data.startswith(_UTF_16):
        return None, [not_utf8(Place(file), "The file is UTF-16.")]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"Byte 0x{data[error.start]:02X} is not valid UTF-8."
        return None, [not_utf8(_place(before, len(before), file), message)]
    # NUL is valid UTF-8, but some readers of CSV end a value there.
    if "\x00" in text:
        place = _place(text, text.index("\x00"), file)
        return None, [not_utf8(place, "The file contains a NUL character.")]
    return text, []


def seed_text(data: bytes, seed: str) -> tuple[str | None, list[Finding]]:
    """Return the text of a seed, or None and a finding.

    A byte order mark is refused because readers that strip it would shift every offset.
    """
    text, findings = _decoded(data, seed)
    if text is None:
        return None, findings
    if text.startswith(_BYTE_ORDER_MARK):
        return None, [not_utf8(Place(seed), "The file begins with a byte order mark.")]
    if not text.strip():
        return None, [seed_empty(seed)]
    if found := _NOT_TEXT.search(text):
        return None, [seed_character(_place(text, found.start(), seed), found[0])]
    if (split := _decomposed(text)) is not None:
        return None, [_apart(_place(text, split, seed), text[split : split + 2], seed)]
    if found := _UNSEEN.search(text):
        return None, [_unseen(_place(text, found.start(), seed), found[0], seed)]
    if excess := seed_limits.excess(text):
        return None, [file_too_large(_place(text, excess.at, seed), f"has more than {excess.what}")]
    if (wrapped := _wrapped(text)) is not None:
        return None, [seed_wrapped(_place(text, wrapped, seed), seed)]
    return text, []


def verified_text(
    data: bytes, seed: str, sha256: str, at: Callable[[], Place]
) -> tuple[str | None, list[Finding]]:
    """Return the text of a seed, or None and what is wrong with it.

    The seed must have the checksum `sha256`; `at` returns the place of the checksum in the
    annotations.
    """
    text, findings = seed_text(data, seed)
    actual = hashlib.sha256(data).hexdigest()
    # If Git converted line feeds to CRLF, `seed-changed` is reported: it explains more than
    # `seed-character` would.
    line_ends = actual != sha256 == hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()
    if actual == sha256 or (text is None and not line_ends):
        return text, findings
    return None, [seed_changed(at(), seed, actual, line_ends=line_ends)]


_LOWER = re.compile(r"\n(?=[a-zß-öø-ÿ])")
_BREAK = re.compile(r"(?<!\n)\n(?!\n)(?=.)")
_PROSE, _WIDEST = 30, 200
"""Bounds on the length of a wrapped line, in code points: above that of most list items, up to a
page's width."""
_MOST_WRAPPED, _SHARE_WRAPPED = 2, 0.4
"""Minimum number of mid-sentence line breaks in a wrapped text, and their minimum share of all line
breaks in prose."""
_SENTENCE_ENDS = frozenset('.!?:;…"”’»)')


def _wrapped(text: str) -> int | None:
    """Return the offset of the first mid-sentence line break if the lines of a text are wrapped.

    If they are not wrapped, return None.
    """
    middle = []
    for found in _LOWER.finditer(text):
        at = found.start()
        last = text[at - _PROSE : at].rstrip()[-1:]
        if _PROSE < _length(text, at) <= _WIDEST and last not in _SENTENCE_ENDS:
            middle.append(at)
    if len(middle) < _MOST_WRAPPED:
        return None
    ends = sum(_length(text, found.start()) > _PROSE for found in _BREAK.finditer(text))
    return middle[0] if len(middle) >= _SHARE_WRAPPED * ends else None


def _length(text: str, at: int) -> int:
    """Return the length of the line that ends at an offset, at most `_WIDEST` + 1."""
    return at - text.rfind("\n", max(0, at - _WIDEST - 1), at) - 1


_NOT_TEXT = re.compile("\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that some readers of CSV change or drop."""
_MARKED = re.compile("[^\\W_][\u0300-\u036f]")
"""A letter with a combining mark."""
_READ = "0-9A-Za-zÀ-ɏ'\"‘’“”"
_UNSEEN = re.compile(
    f"(?<=[{_READ}])[\u00ad\u200b-\u200f\u2060\ufeff]|[\u00ad\u200b-\u200f\u2060\ufeff](?=[{_READ}])"
)
"""Invisible characters next to Latin letters, digits and quotation marks, which are misread with
them."""


def _decomposed(text: str) -> int | None:
    """Return the offset of the first letter that is written as a letter and a combining mark,
    although it is one character in Unicode, or None.
    """
    if unicodedata.is_normalized("NFC", text):
        return None
    for found in _MARKED.finditer(text):
        if len(unicodedata.normalize("NFC", found[0])) == 1:
            return found.start()
    return None


def _place(text: str, offset: int, file: str) -> Place:
    return Place(file, *line_and_column(text, offset))


def written_text(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    """Decode a hand-written file.

    A byte order mark is dropped, because YAML allows one (YAML 1.2, section 5.2).
    """
    text, findings = _decoded(data, file)
    if text is None:
        return None, findings
    text = text.removeprefix(_BYTE_ORDER_MARK)
    return (text, []) if text.strip() else (None, [file_empty(file)])


# ---- findings ------------------------------------------------------------------------------------


def file_unreadable(file: str, reason: str) -> Finding:
    """Every file and folder that the project needs must exist below its root and be readable."""
    message = f"This file or folder is required but cannot be read: {reason}."
    hint = "Make sure that it exists in the project and can be read."
    return Finding(Place(file), "file-unreadable", message, (hint,))


def file_too_large(place: Place, what: str) -> Finding:
    """A file may have at most 8 MiB and 20,000 keys and values.

    In a shard, these limits apply to each line. A seed may be at most 2 MiB and contain at most
    300,000 words, and at most 100,000 characters in a line.
    """
    hint = (
        "Check that this is the right file, or split it: articles and their annotations are "
        "usually much smaller."
    )
    return Finding(place, "file-too-large", f"This file {what}.", (hint,))


def file_empty(file: str) -> Finding:
    """A hand-written file must not be empty; an empty list is `[]`."""
    hint = (
        "Restore it; if there is nothing to list, write the key and an empty list, such as "
        "`speakers: []`."
    )
    return Finding(Place(file), "file-empty", "This file is empty.", (hint,))


def not_utf8(place: Place, message: str) -> Finding:
    """Files must be UTF-8 without NUL characters, seeds without a byte order mark."""
    hint = "Save the file as UTF-8 without a byte order mark or NUL characters."
    return Finding(place, "not-utf8", message, (hint,))


def seed_character(place: Place, found: str) -> Finding:
    """A seed must have no control characters, separate accents or invisible characters.

    Tab, line feed and what is invisible outside words are permitted. Some CSV readers change or
    drop other control characters, and words with the rest are misread.
    """
    if found == "\r\n":
        hints = (
            "Save the seed with LF line endings before you annotate it.",
            "If it is already annotated, also change `sha256` and remove `\\r` from its evidence.",
        )
        message = "This seed has CRLF line endings, which many programs convert to LF."
        return Finding(place, "seed-character", message, hints)
    message = f"This seed contains the control character U+{ord(found):04X}."
    hint = "Remove it before you annotate the seed; use line feeds to separate lines and pages."
    return Finding(place, "seed-character", message, (hint,))


_ANNOTATED = "If it is already annotated, also change `sha256`, and copy its evidence again."


def _apart(place: Place, found: str, seed: str) -> Finding:
    """Return a finding on a letter whose accent is a character (not Unicode's form NFC)."""
    letter = unicodedata.normalize("NFC", found)
    message = f"This seed has {letter} as two characters, a letter and an accent."
    command = f"perl -CSD -MUnicode::Normalize -i -pe '$_ = NFC($_)' {shlex.quote(seed)}"
    hint = f"Compose such letters before you annotate the seed: {command}"
    return Finding(place, "seed-character", message, (hint, _ANNOTATED))


def _unseen(place: Place, found: str, seed: str) -> Finding:
    """Return a finding on an invisible character next to a letter, digit or quotation mark."""
    name = unicodedata.name(found).lower()
    message = f"This seed contains the invisible character U+{ord(found):04X} {name}."
    signs = r"\x{AD}\x{200B}-\x{200F}\x{2060}\x{FEFF}"
    command = f"perl -CSD -i -pe 's/[{signs}]//g' {shlex.quote(seed)}"
    hint = f"Remove all of them before you annotate the seed: {command}"
    return Finding(place, "seed-character", message, (hint, _ANNOTATED))


def seed_wrapped(place: Place, seed: str) -> Finding:
    """Each line of a seed must be a whole paragraph."""
    message = "Lines of this seed end in mid-sentence, but each line must be a whole paragraph."
    command = f"perl -00 -i -pe 's/(?<=\\S)\\n(?=\\S)/ /g' {shlex.quote(seed)}"
    hints = (
        f"Join the lines before you annotate the seed: {command}",
        "If it is already annotated, also change `sha256` and join the lines of its evidence.",
    )
    return Finding(place, "seed-wrapped", message, hints)


def seed_empty(seed: str) -> Finding:
    """A seed must contain the text of an article."""
    return Finding(
        Place(seed), "seed-empty", "This seed contains no text.", ("Restore it, or delete it.",)
    )


def seed_changed(place: Place, seed: str, actual: str, *, line_ends: bool = False) -> Finding:
    """A seed must have exactly the bytes that were annotated."""
    message = f"{seed} has changed since it was annotated: its sha256 is {actual}."
    hint = (
        "Restore the seed. If the article was corrected, save the new text elsewhere and run "
        "`defectors-data reanchor`."
    )
    if line_ends:
        hint = (
            "Only its line endings changed, from LF to CRLF: restore it, and stop Git from "
            "converting them."
        )
    return Finding(place, "seed-changed", message, (hint,))
