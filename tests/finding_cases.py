"""The cases of tests/findings/: a corpus of a few lines for each fault, each near miss and each further fact of a rule.

A folder is named like its rule. Its files are those of a corpus, by the names that `path_of` knows. A file whose name
begins with `fault.` or `quiet.` is in the corpus of the fault or of the near miss alone. A file `<fact>.case` is a
corpus and its expected findings. `common/` has the files that every case takes unless it has its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import TypeAlias

from conftest import PROJECT

Files: TypeAlias = dict[str, bytes]

FOLDER = PROJECT / "tests" / "findings"
CODES = sorted(path.name for path in FOLDER.iterdir() if path.name != "common")
FACTS = {f"{path.parent.name}/{path.stem}": path for path in sorted(FOLDER.glob("*/*.case"))}

EXPECTED = "-- expected.txt --\n"
"""The last heading of a fact; the output follows."""

BLANK_LINES = {("file-too-large", "fault"): 9_000_000, ("file-too-large", "quiet"): 100_000}
"""Lines that make a vocabulary large, which are not worth committing."""


def path_of(name: str) -> str:
    """Return the path in the corpus of a file of a case; `seed.txt` and `annotation.yaml` are the article `example`."""
    name = {"seed.txt": "example.txt", "annotation.yaml": "example.yaml"}.get(name, name)
    if name in ("dataset.yaml", "CHANGELOG.md"):
        return name
    return f"{'annotations' if name.endswith(('.yaml', '.jsonl')) else 'seeds'}/{name}"


@cache
def common() -> Files:
    return {path_of(path.name): path.read_bytes() for path in FOLDER.glob("common/*")}


def case(code: str, variant: str) -> Files:
    """Return the corpus of a rule's `fault`, or of its near miss, `quiet`."""
    files = corpus({path.name: path.read_bytes() for path in (FOLDER / code).iterdir()}, variant)
    if (code, variant) in BLANK_LINES:
        files["annotations/vocabulary.yaml"] += b"\n" * BLANK_LINES[code, variant]
    return files


def fact(path: Path) -> tuple[Files, str, str]:
    """Return the corpus of a `.case` file, the part of the file before the expected output, and this output."""
    written, heading, expected = path.read_bytes().decode().partition(EXPECTED)
    return corpus(sections(written)), written + heading, expected


def sections(text: str) -> Files:
    """Return the files of a text in which each begins with a heading, `-- name --`."""
    _, *parts = re.split(r"(?m)^-- (.+) --\n", text)
    return {name: content.encode() for name, content in zip(parts[::2], parts[1::2], strict=True)}


def corpus(named: Files, variant: str = "") -> Files:
    """Return the complete corpus that a case describes by the names of files.

    An empty file is left out, so that a common file can be missing.
    """
    files = common().copy()
    for name, content in sorted(named.items(), key=lambda file: file[0].startswith(("fault.", "quiet."))):
        first, _, rest = name.partition(".")
        if first in ("fault", "quiet"):
            if first == variant:
                files[path_of("annotation.yaml" if rest == "yaml" else rest)] = content
        elif not name.endswith(".case") and name != "expected.txt":
            files[path_of(name)] = content
    return completed({path: content for path, content in files.items() if content})


def completed(files: Files) -> Files:
    """Add a `source` to annotations that have none, and the checksums of seeds.

    The source is the last key, so the lines of findings are those of the case. Its title is the seed's first line.
    """
    seeds = {Path(path).name: content for path, content in files.items() if path.startswith("seeds/")}

    def checksum(found: re.Match[bytes]) -> bytes:
        return hashlib.sha256(seeds[found[1].decode()]).hexdigest().encode()

    done: Files = {}
    for path, content in files.items():
        stem, is_annotation = Path(path).stem, path.startswith("annotations/") and path.endswith(".yaml")
        text = content
        if is_annotation and f"{stem}.txt" in seeds and not re.search(rb"(?m)^source:", content):
            title = json.dumps(seeds[f"{stem}.txt"].decode(errors="replace").partition("\n")[0], ensure_ascii=False)
            source = f"id: {stem}, seed: {stem}.txt, sha256: <sha256 of {stem}.txt>, title: {title}"
            text += f"source: {{{source}, language: en, rights: Nobody}}\n".encode()
        done[path] = re.sub(rb"<sha256 of (.+?)>", checksum, text)
    return done


def lay(files: Files, root: Path) -> Path:
    """Write a corpus into a folder, and return the folder."""
    for folder in ("annotations", "seeds"):
        (root / folder).mkdir(parents=True)
    for path, content in files.items():
        (root / path).write_bytes(content)
    return root
