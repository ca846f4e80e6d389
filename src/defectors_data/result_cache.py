"""Results of batches in a folder, from which a build takes those of batches that have not changed.

A result without findings is valid for the same documents and shared files, and for the same program and Python. A file
that is damaged, or was made for another batch, is ignored.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from defectors_data.corpus.context import Context
from defectors_data.corpus.files import bytes_of
from defectors_data.corpus.reader import Batch
from defectors_data.executors import Executor
from defectors_data.package import filesystem
from defectors_data.pipeline import BatchResult, Options

_NAME = re.compile("[0-9a-f]{64}")


def remembering(executor: Executor, folder: Path) -> Executor:
    """Return an executor of `pipeline.process` that takes results from a folder, and leaves only its own there.

    Only its owner may have access to the folder, as unpickling a file of another person could run any program.

    Raises:
        OSError: others have access to the folder, or it cannot be made.
    """
    filesystem.make_private_folder(folder)
    return partial(_run, executor, folder)


def _run(
    executor: Executor, folder: Path, function: Callable[..., Any], batches: Iterable[Any], *shared: Any
) -> Iterator[Any]:
    state, used = _digest([*_program(), *_state(*shared)]), set[str]()

    def named() -> Iterator[tuple[str, Batch]]:
        for batch in batches:
            name = _digest([state, *(part for raw in batch.documents for part in raw)])
            used.add(name)
            yield name, batch

    yield from executor(partial(_remembered, function, folder), named(), *shared)
    # Nothing stays that this run did not need, such as words that were taken down since.
    for path in folder.iterdir():
        if _NAME.fullmatch(path.name) and path.name not in used:
            filesystem.remove_file(path)


def _remembered(function: Callable[..., BatchResult], folder: Path, named: tuple[str, Batch], *shared: Any) -> Any:
    name, batch = named
    found = _read(folder / name)
    if found and _has_same_seeds(found, batch):
        return found
    result = function(batch, *shared)
    if not (result.unreadable or result.findings or result.faults):
        content = pickle.dumps(result)
        filesystem.write(folder / name, bytes.fromhex(_digest([name, content])) + content)
    return result


def _read(path: Path) -> BatchResult | None:
    with suppress(FileNotFoundError):
        data = path.read_bytes()
        size = hashlib.sha256().digest_size
        if bytes.fromhex(_digest([path.name, data[size:]])) == data[:size]:
            found: BatchResult = pickle.loads(data[size:])  # noqa: S301  # only the owner can write to the folder
            return found
    return None


def _has_same_seeds(result: BatchResult, batch: Batch) -> bool:
    """Return whether the texts that are files in `seeds/` still have the checksums in the annotations."""
    # A result without findings has a seed and a text for each document.
    seeds, sums = ([value for _, kind, value in result.keys if kind == each] for each in ("seed", "text"))
    for raw, seed, sha256 in zip(batch.documents, seeds, sums, strict=True):
        data = None if raw.packed else bytes_of(batch.tree, f"seeds/{seed}")[0]
        if not raw.packed and (data is None or hashlib.sha256(data).hexdigest() != sha256):
            return False
    return True


def _program() -> Iterator[object]:
    """Yield what results depend on apart from the corpus: the files of this package, and what it runs on."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pydantic  # noqa: PLC0415

    yield from (sys.version, pa.__version__, pydantic.VERSION)
    package = Path(__file__).parent
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield from (path.relative_to(package).as_posix(), path.read_bytes())


def _state(context: Context | None, options: Options) -> Iterator[object]:
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
        digest.update(b"%d " % len(data))
        digest.update(data)
    return digest.hexdigest()
