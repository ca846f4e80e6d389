"""Readers of a project's files.

They return validated content, and findings with file, line and column.
"""
