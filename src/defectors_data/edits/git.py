"""Output of git, if it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def output(root: Path, *arguments: str) -> str:
    """Return the output of git in a folder, or "" if git fails or is not installed."""
    if not (git := shutil.which("git")):
        return ""
    command = [git, "-C", str(root), "--no-pager", *arguments]
    # The arguments are names of commands, and ids of records.
    ran = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    if ran.returncode == 0:
        return ran.stdout.decode(errors="replace")
    return ""
