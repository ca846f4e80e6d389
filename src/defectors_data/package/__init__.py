"""Conversion of rows to files, which are validated and published atomically."""
