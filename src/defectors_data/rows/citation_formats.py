"""Citations of the dataset and of its records: as text, BibTeX, RIS and CSL-JSON."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import quote

from defectors_data.models.closed_vocabularies import JOIN, RecordTable
from defectors_data.rows.labels import (
    Row,
    is_about,
    outlet_label,
    printed_number,
    publication_label,
)

Format = Literal["text", "bibtex", "ris", "csl"]
"""The format of a citation; `csl` is CSL-JSON."""
MachineFormat = Literal["json"]
"""The format of `machine_citation`, which cites records only."""


class CitedItem(NamedTuple):
    """The dataset or the record that is cited."""

    name: str
    authors: tuple[str, ...]
    title: str
    version: str
    released: str
    """Day of the release, in ISO 8601."""
    doi: str | None = None
    url: str | None = None
    record: str = ""
    """The record that is cited, as `described` words it; empty for the whole dataset."""


def speaker_of(row: Row) -> str | None:
    """Return the id of the speaker of a record, or None if it has none."""
    speaker_id: str | None = row.get("speaker_id") or row.get("attributed_to")
    return speaker_id


class RecordReference(NamedTuple):
    """A permanent reference to a record; it can be compared with the record in any release."""

    id: str
    version: str
    digest: str
    """SHA-256 of the columns that identify the record, as JSON."""

    def __str__(self) -> str:
        """Return the reference in the form that citations use."""
        return f"{self.id}@{self.version}:sha256:{self.digest}"

    @classmethod
    def parse(cls, text: str) -> RecordReference | None:
        """Return the reference that a citation contains, or None."""
        digest = "[0-9a-f]{12}(?:[0-9a-f]{52})?"
        found = re.search(rf"([a-z0-9-]+)@([0-9]+(?:\.[0-9]+)*):sha256:({digest})\b", text)
        return cls(*found.groups()) if found else None

    def cites(self, cited: RecordReference) -> bool:
        """Return whether a reference cites this record; its digest may be the first 12 digits."""
        same = (self.id, self.version) == (cited.id, cited.version)
        return same and self.digest.startswith(cited.digest)


_OFFSETS = ("start_offset", "end_offset")
_IDENTITY = ("source_id", "sha256", "name", "text", *_OFFSETS, "result", "operands")
"""The columns that identify a record: its words and place, or what it has instead of them."""


def reference(name: str, row: Row, version: str) -> RecordReference:
    """Return the permanent reference to a record, given its id, its row and the version."""
    # Published references depend on this form of JSON, which must never change.
    words = json.dumps([row.get(column) for column in _IDENTITY], ensure_ascii=False)
    return RecordReference(name, version, hashlib.sha256(words.encode()).hexdigest())


_MOST_WORDS, _LEAST_WORDS = 10, 4
"""The most words that a link quotes in full, and the number quoted from each end of others."""


def text_link(address: str, passages: Iterable[str]) -> str:
    """Return a link to passages of a live page, following the W3C's URL Fragment Text Directives.

    Browsers that support directives show the first passage that they find.
    """
    directives = "&".join(f"text={_directive(passage)}" for passage in passages)
    separator = "" if "#" in address else "#"
    return f"{address}{separator}:~:{directives}"


def _directive(passage: str) -> str:
    """Return a passage as a directive: all its words, or the first and the last if it is long.

    A hyphen, a comma and an ampersand are encoded, since they separate the parts of a directive.
    """
    words = passage.split()
    ends = [words]
    if len(words) > _MOST_WORDS:
        ends = [words[:_LEAST_WORDS], words[-_LEAST_WORDS:]]
    # `quote` leaves a hyphen as it is.
    return ",".join(quote(" ".join(end), safe="").replace("-", "%2D") for end in ends)


def described(name: str, row: Row, source: Row | None, who: str, version: str) -> str:
    """Return a description of a record: its name, speaker, article, reference and link.

    Args:
        name: the record as TABLE/ID.
        row: the row of the record.
        source: the row of its article.
        who: the speaker, or an empty string.
        version: the version of the dataset.
    """
    table, _, record_id = name.partition("/")
    parts = [_with_speaker(name, row, who)]
    if source:
        parts += _article(source)
    if table in get_args(RecordTable):
        parts.append(str(reference(record_id, row, version)))
    link = _link(row, source) if source else ""
    if link:
        parts.append(f"<{link}>")
    return ", ".join(part for part in parts if part)


def web_address(source: Row) -> str:
    """Return the address of an article: the printed one, or the one it was obtained from, or ""."""
    return source.get("url") or source.get("obtained_address") or ""


def _link(row: Row, source: Row) -> str:
    """Return a link to the words of a record on the web page of its article, or ""."""
    address = web_address(source)
    if not address.startswith("http") or not row.get("text"):
        return ""
    return text_link(address, str(row["text"]).split(JOIN))


def ni_address(sha256: str) -> str:
    """Return the `ni` URI of a text, which contains its SHA-256 (RFC 6920)."""
    digest = base64.urlsafe_b64encode(bytes.fromhex(sha256)).decode().rstrip("=")
    return f"ni:///sha-256;{digest}"


def selectors(part: Row) -> list[dict[str, Any]]:
    """Return the selectors of a row of `spans` (W3C, 2017): a quote with its context, and a position.

    The quote can be found in any copy of the article; the position is valid only in the same text.
    """
    quoted = {key: part[key] for key in ("exact", "prefix", "suffix") if part[key] is not None}
    place = {"start": part["start_offset"], "end": part["end_offset"]}
    return [
        {"type": "TextQuoteSelector", **quoted},
        {"type": "TextPositionSelector", **place},
    ]


def target(source: Row, part: Row) -> dict[str, Any]:
    """Return a part of a record as the target of a Web Annotation (W3C, 2017)."""
    text = {
        "id": ni_address(source["sha256"]),
        "type": "Text",
        "format": "text/plain",
        "language": source["language"],
    }
    return {"type": "SpecificResource", "source": text, "selector": selectors(part)}


def machine_citation(
    cited: CitedItem, name: str, row: Row, source: Row, parts: Iterable[Row]
) -> str:
    """Return a citation of a record for programs, as JSON.

    It has the record's permanent reference, a link to its words, and a Web Annotation of its parts.

    Args:
        cited: the dataset.
        name: the record as TABLE/ID.
        row: the row of the record.
        source: the row of its article.
        parts: the rows of `spans` with its evidence.
    """
    found = reference(name.partition("/")[2], row, cited.version)
    annotation = {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "type": "Annotation",
        "motivation": "identifying",
        "target": [target(source, part) for part in parts],
    }
    citation = {
        "dataset": cited.name,
        "version": cited.version,
        "doi": cited.doi,
        "record": name,
        "reference": str(found),
        "sha256": found.digest,
        "link": _link(row, source),
        "annotation": annotation,
    }
    filled = {key: value for key, value in citation.items() if value}
    return json.dumps(filled, ensure_ascii=False, indent=2)


def _with_speaker(name: str, row: Row, who: str) -> str:
    """Return the name of a record, with its kind and its speaker if it has any."""
    match name.partition("/")[0]:
        case "testimonies":
            noun = "testimony"
            if who and is_about(row):
                who = f"about {who}"
        case "speakers":
            noun = "speaker"
        case "mentions":
            noun = "mention"
        case "figures":
            noun, who = f"figure “{printed_number(row)}”", who or "the article"
        case _:
            return name
    return f"{name}: {noun} ({who})" if who else name


def _article(source: Row) -> Iterator[str]:
    """Yield the title of an article, or its id, and its outlet and date if they are known."""
    yield f"“{source['title'] or source['source_id']}”"
    yield outlet_label(source) or ""
    yield publication_label(source["published"] or "")


def citation(cited: CitedItem, form: Format = "text") -> str:
    """Return a citation of the item in the given format.

    Only a text has just the first 12 digits of the digest of a record.

    Raises:
        ValueError: the format is unknown.
    """
    note = f"Record {cited.record}" if cited.record else ""
    match form:
        case "text":
            return _as_text(cited, shortened(note))
        case "bibtex":
            return _as_bibtex(cited, note)
        case "ris":
            return _as_ris(cited, note)
        case "csl":
            return _as_csl(cited, note)
        case _:
            raise ValueError(f"There is no format {form!r}: use text, bibtex, ris, csl or json.")


_DIGEST = re.compile("(:sha256:[0-9a-f]{12})([0-9a-f]{52})")
"""The digest of a reference, in two parts."""


def shortened(note: str, rest: str = "") -> str:
    """Return a description of a record in which `rest` replaces most digits of the digest."""
    return _DIGEST.sub(rf"\1{rest}", note)


def _key(cited: CitedItem) -> str:
    """Return the key of a citation, which is another one for each record."""
    found = re.match(r"\w+/([\w-]+)", cited.record)
    of_record = f"-{found[1]}" if found else ""
    return f"{cited.name}-{cited.version}{of_record}"


def _as_text(cited: CitedItem, note: str) -> str:
    authors, year = ", ".join(cited.authors), cited.released[:4]
    text = f"{authors} ({year}). {cited.title} (version {cited.version}) [Data set]."
    if cited.doi:
        text += f" https://doi.org/{cited.doi}"
    if note:
        text += f" {note}."
    return text


def _as_bibtex(cited: CitedItem, note: str) -> str:
    # Without the inner braces, BibTeX would split the name of an institution like a person's.
    authors = " and ".join(f"{{{_tex(author)}}}" for author in cited.authors)
    fields = {
        "author": authors,
        "title": f"{{{_tex(cited.title)}}}",
        "year": cited.released[:4],
        "version": cited.version,
        "howpublished": "Data set",
        "note": _tex(note),
        "doi": cited.doi,
        "url": cited.url,
    }
    lines = [f"  {key} = {{{value}}}" for key, value in fields.items() if value]
    return "\n".join([f"@misc{{{_key(cited)},", ",\n".join(lines), "}"])


def _as_ris(cited: CitedItem, note: str) -> str:
    year, month, day = cited.released.split("-")
    tags = [
        ("TY", "DATA"),
        *(("AU", author) for author in cited.authors),
        ("TI", cited.title),
        ("PY", year),
        ("DA", f"{year}/{month}/{day}/"),
        ("ET", cited.version),
        ("N1", note),
        ("DO", cited.doi),
        ("UR", cited.url),
    ]
    # In RIS, two spaces, a hyphen and a space follow every tag, including the last one.
    lines = [f"{tag}  - {value}" for tag, value in tags if value]
    return "\n".join([*lines, "ER  - "])


def _as_csl(cited: CitedItem, note: str) -> str:
    date_parts = [int(part) for part in cited.released.split("-")]
    item = {
        "id": _key(cited),
        "type": "dataset",
        "title": cited.title,
        "author": [{"literal": author} for author in cited.authors],
        "version": cited.version,
        "issued": {"date-parts": [date_parts]},
        "note": note,
        "DOI": cited.doi,
        "URL": cited.url,
    }
    filled = {key: value for key, value in item.items() if value}
    # CSL-JSON is a list of items.
    return json.dumps([filled], ensure_ascii=False, indent=2)


def _tex(text: str) -> str:
    # A backslash would begin a TeX command.
    return re.sub(r"[&%$#_{}]", r"\\\g<0>", text.replace("\\", ""))
