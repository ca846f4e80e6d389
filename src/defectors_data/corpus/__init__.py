"""Readers of a project's files: validated content, and findings with their places."""
