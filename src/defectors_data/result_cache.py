"""Results of batches in a folder, from which a build takes those of batches that have not changed.

A result without findings is valid for the same documents and shared files, and for the same program and Python. A file
that is damaged, or was made for another batch, is ignored.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pydantic

from defectors_data.corpus.context import Context
from defectors_data.corpus.files import bytes_of
from defectors_data.corpus.reader import Batch
from defectors_data.executors import Executor
from defectors_data.package import filesystem
from defectors_data.pipeline import BatchResult, Options


def remembering(executor: Executor, folder: Path) -> Executor:
    """Return an executor of `pipeline.process` that takes results from a folder, and leaves only its own there."""
    # Unpickling a file of another person could run any program.
    filesystem.make_private_folder(folder)
    return partial(_run, executor, folder)


def _run(
    executor: Executor, folder: Path, function: Callable[..., Any], batches: Iterable[Any], *shared: Any
) -> Iterator[Any]:
    state, used = _digest(_state(*shared)), set[Path]()

    def named() -> Iterator[tuple[Path, Batch]]:
        for batch in batches:
            path = folder / f"{_digest([state, *chain(*batch.documents)])}.result"
            used.add(path)
            yield path, batch

    yield from executor(partial(_remembered, function), named(), *shared)
    # Nothing stays that this run did not need, such as words that were taken down since.
    for path in set(folder.glob("*.result")) - used:
        filesystem.remove_file(path)


def _remembered(function: Callable[..., BatchResult], named: tuple[Path, Batch], *shared: Any) -> BatchResult:
    path, batch = named
    data = path.read_bytes() if path.exists() else b""
    checksum, content = data[:64], data[64:]
    if checksum == _digest([path.name, content]).encode():
        found: BatchResult = pickle.loads(content)  # noqa: S301  # only the owner can write to the folder
        if _has_same_seeds(found, batch):
            return found
    result = function(batch, *shared)
    if not (result.unreadable or result.findings or result.faults):
        content = pickle.dumps(result)
        filesystem.write(path, _digest([path.name, content]).encode() + content)
    return result


def _has_same_seeds(result: BatchResult, batch: Batch) -> bool:
    """Return whether the texts that are files in `seeds/` still have the checksums in the annotations."""
    # A result without findings has one seed and one text for each document.
    seeds, sums = ([value for _, kind, value in result.keys if kind == each] for each in ("seed", "text"))
    files = [
        (f"seeds/{seed}", sha) for raw, seed, sha in zip(batch.documents, seeds, sums, strict=True) if not raw.packed
    ]
    return all(hashlib.sha256(bytes_of(batch.tree, file)[0] or b"").hexdigest() == sha for file, sha in files)


def _state(context: Context | None, options: Options) -> Iterator[object]:
    """Yield what all results depend on: this package with what it runs on, the options, and the shared files."""
    yield from (sys.version, pa.__version__, pydantic.VERSION)
    package = (path for path in sorted(Path(__file__).parent.rglob("*.*")) if path.suffix != ".pyc")
    yield from chain(*((str(path), path.read_bytes()) for path in package))
    yield from (options.tables, sorted(options.without), options.compare)
    if context:
        yield from (file.content for file in (context.dataset, context.vocabulary, context.changelog))
        for listed in (context.shared.listed, context.tombstones, context.comparisons, context.releases):
            yield from (listed.file, *listed)


def _digest(parts: Iterable[object]) -> str:
    """Return the SHA-256 of values, each of which is bytes or has all of its content in `repr`."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(b"%d " % len(data) + data)
    return digest.hexdigest()
