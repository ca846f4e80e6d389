"""The published folder as one file: a zip with the same bytes wherever, and whenever, it is packed."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from defectors_data import folders

_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can state."""
_UNIX = 3
_MODE = 0o100644 << 16


class NotWhole(ValueError):
    """A folder is not just what its checksums list."""


def archive(folder: Path) -> tuple[str, bytes]:
    """Return a file name with the release's version, and the zip: stored, fixed times and modes.

    `datapackage.json` is the first entry, at the root, where frictionless looks for it.

    Raises:
        NotWhole: the folder is not a release, or it was changed after it was published.
    """
    if not folders.is_whole(folder) or not (folder / folders.DESCRIPTOR).exists():
        raise NotWhole(f"{folder} is not just what its {folders.SUMS} lists")
    files = folders.contents(folder)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_STORED) as packed:
        for name in sorted(files, key=lambda name: (name != folders.DESCRIPTOR, name)):
            entry = zipfile.ZipInfo(name, date_time=_TIME)
            entry.create_system, entry.external_attr = _UNIX, _MODE
            packed.writestr(entry, files[name])
    descriptor = json.loads(files[folders.DESCRIPTOR])
    return f"{descriptor['name']}-{descriptor['version']}.zip", out.getvalue()
