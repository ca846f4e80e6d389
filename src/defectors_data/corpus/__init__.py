"""Readers of a project's files: they return validated content, and findings with file, line and column."""
