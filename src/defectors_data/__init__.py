"""Hand annotations of news articles, proved against the articles' own words and published as a data package.

`tables()` names the published tables, `load(name)` gives one as a pandas DataFrame (or for polars or Arrow),
`describe(name)` says what its columns mean, `why(cell)` on which words a cell rests, `cite()` how the dataset is cited,
and `descriptor()` gives the metadata.
"""

from defectors_data.published import Engine, cite, describe, descriptor, load, tables, why

__all__ = ["Engine", "cite", "describe", "descriptor", "load", "tables", "why"]
