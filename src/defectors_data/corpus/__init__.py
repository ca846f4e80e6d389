"""Files to documents and findings, each with file, line and column."""
