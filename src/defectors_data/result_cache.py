"""A folder that stores the results of batches, so that a build can reuse the results of unchanged batches.

Only results without findings are stored. A result is reused only if the documents, shared files, options, program,
libraries and version of Python are the same. A damaged file is ignored.
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

from defectors_data.corpus.file_tree import bytes_of
from defectors_data.corpus.reader import Batch
from defectors_data.corpus.shared_context import Context
from defectors_data.executors import Executor
from defectors_data.package import filesystem
from defectors_data.pipeline import BatchResult, Options


def remembering(executor: Executor, folder: Path) -> Executor:
    """Return an executor for `pipeline.process` that reuses results stored in `folder` and deletes unused ones."""
    # Unpickling a file that another user wrote could execute arbitrary code.
    filesystem.make_private_folder(folder)
    return partial(_run, executor, folder)


def _run(
    executor: Executor, folder: Path, function: Callable[..., Any], batches: Iterable[Any], *shared: Any
) -> Iterator[Any]:
    state, used = _digest(_state(*shared)), set[Path]()

    def path_of(batch: Batch) -> Path:
        used.add(path := folder / f"{_digest([state, *chain(*batch.documents)])}.result")
        return path

    yield from executor(partial(_remembered, function), ((path_of(batch), batch) for batch in batches), *shared)
    # Results that this run did not use are deleted: they may contain words that have since been taken down.
    for path in set(folder.glob("*.result")) - used:
        filesystem.remove_file(path)


def _remembered(function: Callable[..., BatchResult], named: tuple[Path, Batch], *shared: Any) -> BatchResult:
    path, batch = named
    # A file begins with the SHA-256 of its name and content in 64 hexadecimal digits, to detect damage and renaming.
    data = path.read_bytes() if path.exists() else b""
    if data[:64] == _digest([path.name, data[64:]]).encode():
        found: BatchResult = pickle.loads(data[64:])  # noqa: S301  # only the owner can write to the folder
        if _has_same_seeds(found, batch):
            return found
    result = function(batch, *shared)
    if not (result.unreadable or result.findings or result.faults):
        content = pickle.dumps(result)
        filesystem.write(path, _digest([path.name, content]).encode() + content)
    return result


def _has_same_seeds(result: BatchResult, batch: Batch) -> bool:
    """Return whether the seeds that are separate files still have the checksums stated in the annotations."""
    # A result without findings has exactly one key `seed` and one key `text` for each document, in order.
    seeds, sums = ([value for _, kind, value in result.keys if kind == each] for each in ("seed", "text"))
    listed = zip(batch.documents, seeds, sums, strict=True)
    read = ((bytes_of(batch.tree, f"seeds/{seed}")[0], sha256) for raw, seed, sha256 in listed if not raw.packed)
    return all(hashlib.sha256(data or b"").hexdigest() == sha256 for data, sha256 in read)


def _state(context: Context | None, options: Options) -> Iterator[object]:
    """Yield the values on which all results depend, from this package, Python, libraries, options and shared files."""
    package = (path for path in sorted(Path(__file__).parent.rglob("*.*")) if path.suffix != ".pyc")
    yield from chain(*((str(path), path.read_bytes()) for path in package))
    yield from (sys.version, pa.__version__, pydantic.VERSION, options.tables, sorted(options.without), options.compare)
    if context:
        yield from (file.content for file in (context.dataset, context.vocabulary, context.changelog))
        for listed in (context.shared.listed, context.tombstones, context.comparisons, context.releases):
            yield from (listed.file, *listed)


def _digest(parts: Iterable[object]) -> str:
    """Return the SHA-256 of values; each must be bytes, or have a `repr` that shows all of its content."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode()
        # The length comes first, because otherwise different values could be joined to the same bytes.
        digest.update(b"%d " % len(data) + data)
    return digest.hexdigest()
