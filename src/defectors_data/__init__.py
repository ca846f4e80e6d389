"""Hand annotations of news articles, proved against the articles' own words and published as a data package.

`tables()` names the published tables, `load(name)` gives one as a pandas DataFrame, `descriptor()` the metadata.
"""

from defectors_data.published import descriptor, load, tables

__all__ = ["descriptor", "load", "tables"]
