"""Citations of the dataset and of its records: as text, BibTeX, RIS and CSL-JSON."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import quote

from defectors_data.models.closed_vocabularies import JOIN, RecordTable
from defectors_data.rows.labels import Row, date_label, hedged_number

Format = Literal["text", "bibtex", "ris", "csl"]
"""The format of a citation; `csl` is CSL-JSON."""


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
        found = re.search(r"([a-z0-9-]+)@([0-9.]+):sha256:([0-9a-f]{64})\b", text)
        return cls(*found.groups()) if found else None


_IDENTITY = ("source_id", "sha256", "name", "text", "start", "end", "result", "operands")
"""The columns that identify a record: words and place, a source's hash, a speaker's name, or a relation's figures."""


def reference(name: str, row: Row, version: str) -> RecordReference:
    """Return the permanent reference to a record, given its id (`name`), its row and the version."""
    # Published references depend on this form of JSON, which must never change.
    words = json.dumps([row.get(column) for column in _IDENTITY], ensure_ascii=False)
    return RecordReference(name, version, hashlib.sha256(words.encode()).hexdigest())


_MOST_WORDS, _LEAST_WORDS = 10, 4
"""The most words that a link quotes in full, and how many words it quotes from each end of a longer passage."""


def text_link(address: str, passages: Iterable[str]) -> str:
    """Return a link to passages of a live page, following the W3C's URL Fragment Text Directives.

    Browsers that support directives show the first passage that they find. A hyphen, a comma and an ampersand are
    encoded, since they separate the parts of a directive.
    """
    directives = []
    for words in (passage.split() for passage in passages):
        is_long = len(words) > _MOST_WORDS
        ends = [words[:_LEAST_WORDS], words[-_LEAST_WORDS:]] if is_long else [words]
        # `quote` leaves a hyphen as it is.
        directives.append(
            "text=" + ",".join(quote(" ".join(end), safe="").replace("-", "%2D") for end in ends)
        )
    separator = "" if "#" in address else "#"
    return f"{address}{separator}:~:{'&'.join(directives)}"


def described(name: str, row: Row, source: Row | None, who: str, version: str) -> str:
    """Return a description of a record: `name` (TABLE/ID), speaker (`who`, or none if empty), article and reference.

    If the address of the article is known, the description ends with a link to the words in the article.
    """
    table = name.partition("/")[0]
    noun = {"testimonies": "testimony", "speakers": "speaker", "mentions": "mention"}.get(table)
    if table == "figures":
        noun, who = f"figure “{hedged_number(row)}”", who or "the writer"
    article = [f"“{source['title'] or source['source_id']}”", source["outlet"]] if source else []
    article += [date_label(source["published"])] if source and source["published"] else []
    words = f"{name}: {noun} ({who})" if noun and who else name
    known = table in get_args(RecordTable)
    cited = str(reference(name.partition("/")[2], row, version)) if known else None
    address = (source.get("url") or source.get("obtained_address") or "") if source else ""
    passages = str(row.get("text") or "").split(JOIN) if row.get("text") else []
    link = f"<{text_link(address, passages)}>" if address.startswith("http") and passages else None
    return ", ".join(filter(None, [words, *article, cited, link]))


def citation(cited: CitedItem, form: Format = "text") -> str:
    """Return a citation of the item in the given format.

    Raises:
        ValueError: the format is unknown.
    """
    year, month, day = cited.released.split("-")
    note = f"Record {cited.record}" if cited.record else None
    match form:
        case "text":
            doi = f" https://doi.org/{cited.doi}" if cited.doi else ""
            record = f" {note}." if note else ""
            authors = ", ".join(cited.authors)
            return f"{authors} ({year}). {cited.title} (version {cited.version}) [Data set].{doi}{record}"
        case "bibtex":
            # Without the inner braces, BibTeX would split the name of an institution as if it were a person's.
            authors = " and ".join(f"{{{_tex(author)}}}" for author in cited.authors)
            fields = {"title": f"{{{_tex(cited.title)}}}", "year": year, "version": cited.version}
            facts = {
                "howpublished": "Data set",
                "note": _tex(note or ""),
                "doi": cited.doi,
                "url": cited.url,
            }
            lines = [
                f"  {key} = {{{value}}}"
                for key, value in {"author": authors, **fields, **facts}.items()
                if value
            ]
            return "\n".join([f"@misc{{{cited.name}-{cited.version},", ",\n".join(lines), "}"])
        case "ris":
            tags = [
                ("TY", "DATA"),
                *(("AU", author) for author in cited.authors),
                ("TI", cited.title),
                ("PY", year),
            ]
            tags += [("DA", f"{year}/{month}/{day}/"), ("ET", cited.version), ("N1", note or "")]
            tags += [("DO", cited.doi or ""), ("UR", cited.url or "")]
            # In RIS, two spaces, a hyphen and a space follow every tag, including the last one.
            return "\n".join([*(f"{tag}  - {value}" for tag, value in tags if value), "ER  - "])
        case "csl":
            item: dict[str, Any] = {
                "id": f"{cited.name}-{cited.version}",
                "type": "dataset",
                "title": cited.title,
            }
            item |= {
                "author": [{"literal": author} for author in cited.authors],
                "version": cited.version,
            }
            item |= {"issued": {"date-parts": [[int(year), int(month), int(day)]]}}
            item |= {"note": note, "DOI": cited.doi, "URL": cited.url}
            # CSL-JSON is a list of items.
            return json.dumps(
                [{key: value for key, value in item.items() if value}], ensure_ascii=False, indent=2
            )
        case _:
            raise ValueError(f"There is no format {form!r}: use text, bibtex, ris or csl.")


def _tex(text: str) -> str:
    # A backslash would begin a TeX command.
    return re.sub(r"[&%$#_{}]", r"\\\g<0>", text.replace("\\", ""))
