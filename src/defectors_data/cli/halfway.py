"""What commands do about a takedown that was cut off, or is at work."""

from __future__ import annotations

from pathlib import Path

from defectors_data.cli.saying import stop


def take_back(folder: Path) -> None:
    """Put back what a takedown left half done that was cut off, and stop: what it was to take out is still there.

    What was published may be without it already, and nobody who builds anew would know that it comes back.

    Raises:
        publishing.AnotherBuild: it is at work.
        OSError: the file system refused.
    """
    from defectors_data import replacing  # noqa: PLC0415

    if said := replacing.recover(folder):
        stop(1, " ".join([*said, "Nothing else was done."]))


def refuse(folder: Path) -> None:
    """Stop where a takedown left annotations half old and half new: nothing is written."""
    from defectors_data.files import is_half_done  # noqa: PLC0415

    if is_half_done(folder):
        stop(1, _HALF_DONE)


_HALF_DONE = (
    "A takedown was cut off, or is at work: nothing was checked. Run it again, or `defectors-data build`: either puts "
    "back what was left half done, and says so."
)
