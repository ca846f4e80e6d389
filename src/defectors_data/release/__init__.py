"""Takedown and other changes of a corpus."""
