"""The local page on which annotators select words and fill in records; the YAML files remain the only data."""
