"""What comes back from each format, as tests measure it: CSV files from which the tables in the docs are generated."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from defectors_data.readers import exports

FOLDER = Path(__file__).parent / "losses"


class Losses:
    """The facets of a record, each with the formats from which it came back in every example so far."""

    def __init__(self, name: str, *, golden: bool = False) -> None:
        """Take the name of the file; with `golden`, whatever comes back is as expected, and is written by `check`."""
        self.path, self.golden = FOLDER / f"{name}.csv", golden
        self.measured: dict[str, dict[str, str]] = defaultdict(dict)
        with self.path.open(encoding="utf-8", newline="") as lines:
            self.expected = {row.pop("what"): row for row in csv.DictReader(lines)}

    def add(self, name: str, facets: Mapping[str, bool]) -> None:
        """Add what came back in one example from a format, which must be what is expected of it, or more."""
        for facet, is_back in facets.items():
            assert self.golden or is_back or self.expected[facet][name] == "no", (name, facet)
            if not is_back or name not in self.measured[facet]:
                self.measured[facet][name] = "yes" if is_back else "no"

    def check(self) -> None:
        """Compare all examples with what is expected: what is expected to be lost must have been lost."""
        if self.golden:
            with self.path.open("w", encoding="utf-8", newline="") as lines:
                names = [name for name in exports.FORMATS if any(name in found for found in self.measured.values())]
                writer = csv.DictWriter(lines, ["what", *names], lineterminator="\n")
                writer.writeheader()
                writer.writerows({"what": facet, **found} for facet, found in self.measured.items())
        else:
            assert self.measured == self.expected
