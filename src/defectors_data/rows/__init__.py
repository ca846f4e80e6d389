"""Conversion of documents to rows of the published tables."""
