"""Readers of the formats of other programs, and what they have in common."""
