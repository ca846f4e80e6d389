"""brat standoff format (brat v1.3): `.txt` and `.ann` for each article, and `annotation.conf`.

Offsets are Unicode code points. Each record is a text-bound annotation, discontinuous if its
evidence has several parts. Columns with a closed list of values are attributes, each theme is a
binary attribute, and all other cells are in an `AnnotatorNotes` comment, as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from defectors_data.readers.exports.exported_records import (
    COLUMNS,
    RECORDS,
    ExportedCorpus,
    ExportedPart,
    ExportedRecord,
    Files,
    values,
)

THEME = "theme_"
"""The prefix of the names of attributes for themes."""


def files(corpus: ExportedCorpus) -> Files:
    """Yield the configuration, and the text and the annotations of each article."""
    yield "annotation.conf", "\n".join([*_configuration(corpus), ""]).encode()
    for article in corpus.articles:
        yield f"{article.stem}.txt", article.text.encode()
        annotations = [f"{line}\n" for line in _lines(corpus, article.records)]
        yield f"{article.stem}.ann", "".join(annotations).encode()


def _configuration(corpus: ExportedCorpus) -> Iterator[str]:
    """Yield the lines of `annotation.conf`: types and attributes; annotations may overlap."""
    yield from (
        "[entities]",
        *RECORDS,
        "[relations]",
        "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>",
    )
    # There are no events, but a configuration has all four sections.
    yield from ("[events]", "[attributes]")
    for table in RECORDS:
        for column in corpus.columns(table):
            choices = corpus.choices(column.name, column.choices)
            if column.name == "themes":
                yield from (f"{THEME}{term}\tArg:{table}" for term in choices)
            elif choices:
                yield f"{table}_{column.name}\tArg:{table}, Value:{'|'.join(choices)}"


def _lines(corpus: ExportedCorpus, records: tuple[ExportedRecord, ...]) -> Iterator[str]:
    attributes = 0
    for number, record in enumerate(records, start=1):
        places, words = [], []
        for part in record.parts:
            for start, end, fragment in _fragments(part):
                places.append(f"{start} {end}")
                words.append(fragment)
        # The format joins the words of a discontinuous annotation with spaces.
        yield f"T{number}\t{record.table} {';'.join(places)}\t{' '.join(words)}"
        noted = dict(record.cells)
        for column in COLUMNS[record.table]:
            if column.name in noted and corpus.choices(column.name, column.choices):
                for value in values(column.name, noted.pop(column.name)):
                    attributes += 1
                    if column.name == "themes":
                        yield f"A{attributes}\t{THEME}{value} T{number}"
                    else:
                        yield f"A{attributes}\t{record.table}_{column.name} T{number} {value}"
        yield f"#{number}\tAnnotatorNotes T{number}\t{json.dumps(noted, ensure_ascii=False)}"


def _fragments(part: ExportedPart) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and words of each line of a part."""
    # The format does not support annotations across lines.
    for found in re.finditer(r"[^\n]+", part.exact):
        yield part.start_offset + found.start(), part.start_offset + found.end(), found[0]
