"""The free text of hand-written files: where it is, and what in it may be about a person."""
