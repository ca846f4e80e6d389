"""Draws Vega-Lite specifications as SVG in a process of its own: JSON lists on standard input and output."""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Draw the specifications that are read, all with the one version of Vega-Lite; nothing is fetched."""
    import vl_convert  # noqa: PLC0415  # a library in Rust with an engine of its own

    drawings = [
        vl_convert.vegalite_to_svg(each, vl_version="6.4", allowed_base_urls=[]) for each in json.load(sys.stdin)
    ]
    json.dump(drawings, sys.stdout)


if __name__ == "__main__":
    main()
