"""Fuzz reading: any bytes as a file of a project give findings, never an exception, and end soon.

`make fuzz` runs this with libFuzzer's options; what it finds lies in build/fuzz/. An input says which file it is, and
whether it stands in the place of the whole file or of a run in the middle of it.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris  # type: ignore[import-untyped]  # `make fuzz` installs it

READING = ("alterations", "document_reader", "findings", "reader", "validation_errors", "yaml_reader")
"""The modules of `corpus/` that libFuzzer measures; the others run as they are, which is faster."""

with atheris.instrument_imports(include=[f"defectors_data.corpus.{module}" for module in READING]):
    from defectors_data import pipeline
    from defectors_data.corpus import findings, validation_errors, yaml_reader
    from defectors_data.corpus.file_tree import FileTree
    from defectors_data.corpus.reader import CorpusReader

INVENTED = Path(__file__).parents[1] / "invented"
FILES = (
    "annotations/901_second.yaml",
    "annotations/900_example.yaml",
    "seeds/901_second.txt",
    "annotations/vocabulary.yaml",
    "annotations/speakers.yaml",
    "annotations/comparisons.yaml",
    "annotations/tombstones.yaml",
    "dataset.yaml",
)
WHOLE = {file: (INVENTED / file).read_bytes() if (INVENTED / file).exists() else b"" for file in FILES}


def damaged(data: bytes) -> dict[str, bytes]:
    """Return a file of the invented corpus as the input would have it."""
    provider = atheris.FuzzedDataProvider(data)
    file = FILES[provider.ConsumeIntInRange(0, len(FILES) - 1)]
    whole = WHOLE[file]
    start = provider.ConsumeIntInRange(0, len(whole))
    end = len(whole) if provider.ConsumeBool() else min(len(whole), start + provider.ConsumeIntInRange(0, 80))
    content = whole[:start] + bytes(provider.ConsumeBytes(4096)) + whole[end:]
    changed = {file: content}
    if file.startswith("seeds/"):
        pinned = b"sha256: " + hashlib.sha256(content).hexdigest().encode()
        changed[FILES[0]] = re.sub(rb"sha256: \w+", pinned, WHOLE[FILES[0]])
    return changed


def check(data: bytes) -> None:
    """Check the corpus with one file damaged, and word every finding in every way."""
    with TemporaryDirectory() as folder:
        files = damaged(data)
        changed = {file: Path(folder) / Path(file).name for file in files}
        for file, path in changed.items():
            path.write_bytes(files[file])
        found = pipeline.run(CorpusReader(FileTree(INVENTED, changed)), pipeline.Options(tables=False)).findings
    for finding in found:
        assert finding.place.line >= 1, finding
        assert finding.place.column >= 1, finding
        assert "\n" not in findings.github(finding), finding
        findings.record(finding)
    assert len(list(findings.lines(found, findings.text))) <= len(FILES) * 2 * (findings.MOST_SHOWN + 1)
    assert len(found) <= 4 * validation_errors.MOST_REPORTED + yaml_reader.MOST


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
