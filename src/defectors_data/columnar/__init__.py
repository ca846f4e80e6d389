"""The columnar check of a finished package: every cell is judged, column by column, in batches.

Its verdict on what the Data Package standard asks for is that of `frictionless validate`, at a fraction of the time:
frictionless itself reads the descriptor, and each distinct cell, that is not plainly right. Beyond that it holds a
package to what packages of this kind promise: rows in the declared order, offsets that fit each other, the words and
their source, part files with one header, and a Parquet with the rows of its CSV.

It differs from frictionless on purpose where that guesses, or reaches out:

- without a dialect, or without an encoding, a CSV is RFC 4180 and UTF-8; frictionless guesses from the first lines. It
  also guesses whether spaces after a delimiter belong to a cell, unless `skipInitialSpace` is said; here they do;
- an address in place of a path, a path out of the folder (symbolic links included), and data within the descriptor are
  faults;
- a table that is no CSV, or has a dialect with comments, several header rows or fields matched by name, is told to be
  not judged, which is a fault;
- an empty line in place of the header is a fault; frictionless takes the next line for the first row;
- a size of 0 that is not so, and a hash of an unknown algorithm, are broken promises; frictionless passes over both.
"""

from __future__ import annotations

from defectors_data.columnar.inspecting import Inspected, inspect
from defectors_data.columnar.tallying import Fault

__all__ = ["Fault", "Inspected", "inspect"]
