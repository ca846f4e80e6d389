"""Rows to files: written, validated and published atomically."""
