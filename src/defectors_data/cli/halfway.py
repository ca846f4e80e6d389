"""What commands do about a takedown that was cut off, or is at work."""

from __future__ import annotations

from pathlib import Path

from defectors_data.cli.saying import stop, warn


def take_back(folder: Path) -> None:
    """Put back what a takedown left half done that was cut off, and warn.

    Raises:
        publishing.AnotherBuild: it is at work.
        OSError: the file system refused.
    """
    from defectors_data import replacing  # noqa: PLC0415

    if replacing.recover(folder):
        warn("A takedown that was cut off was taken back: run it again.")


def refuse(folder: Path) -> None:
    """Stop where a takedown left annotations half old and half new: nothing is written."""
    from defectors_data.files import is_half_done  # noqa: PLC0415

    if is_half_done(folder):
        stop(1, _HALF_DONE)


_HALF_DONE = (
    "A takedown was cut off, or is at work: nothing was checked. Run it again, or `defectors-data build`: both put "
    "back what was left half done."
)
