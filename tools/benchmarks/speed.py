"""Measure how fast text is read and quotations are found: `speed.py CORPUS TEXTS`.

`CORPUS` is a generated corpus of shards. Its first texts and quotations are written to the file `TEXTS`, from which
`peers.py` reads them. The result is printed as JSON: bytes of text and quotations for each second of CPU time. A text
is read for its quotations and numbers; a quotation is a part of the evidence of a testimony, and is found in the text
of its article.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from defectors_data.evidence import anchors
from defectors_data.text.detection import detect

ARTICLES = 500


def main() -> None:
    """Measure the first articles of the first shard."""
    corpus = Path(sys.argv[1])
    table = pq.read_table(corpus / "seeds/part-00000.parquet", columns=["text"])
    texts: list[Any] = table.column("text").to_pylist()[:ARTICLES]
    with (corpus / "annotations/part-00000.jsonl").open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line, _ in zip(lines, texts, strict=False)]
    quotations: list[tuple[Any, str]] = [
        (part["text"] if isinstance(part, dict) else part, text)
        for document, text in zip(documents, texts, strict=True)
        for testimony in document["testimonies"]
        for part in as_list(testimony["evidence"])
    ]

    given = {"texts": texts, "quotations": quotations}
    Path(sys.argv[2]).write_text(json.dumps(given), encoding="utf-8")

    def read() -> None:
        for text in texts:
            detect(text)

    def find() -> None:
        for words, text in quotations:
            assert anchors.occurrences(words, text)  # noqa: S101  # the generated corpus has no findings

    read_bytes = sum(len(text.encode()) for text in texts)
    print(json.dumps({"text": read_bytes / seconds(read), "quotations": len(quotations) / seconds(find)}))


def as_list(evidence: Any) -> list[Any]:
    """Return evidence as the list of its parts."""
    return evidence if isinstance(evidence, list) else [evidence]


def seconds(function: Callable[[], None]) -> float:
    """Return the CPU time of a call."""
    before = time.process_time()
    function()
    return time.process_time() - before


if __name__ == "__main__":
    main()
