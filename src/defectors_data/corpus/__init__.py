"""Documents and findings, read from files, each with file, line and column."""
