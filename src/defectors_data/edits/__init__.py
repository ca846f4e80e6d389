"""Edits of annotation files that keep comments, applied to all files or to none."""
