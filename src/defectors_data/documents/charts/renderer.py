"""Render Vega-Lite specifications as SVG in a separate process: JSON lists on standard input and output."""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Render the specifications with one fixed version of Vega-Lite; nothing is loaded from the network."""
    import vl_convert  # noqa: PLC0415  # starts a JavaScript engine

    drawings = [
        vl_convert.vegalite_to_svg(each, vl_version="6.4", allowed_base_urls=[]) for each in json.load(sys.stdin)
    ]
    json.dump(drawings, sys.stdout)


if __name__ == "__main__":
    main()
