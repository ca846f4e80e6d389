"""The local page on which annotators select words and fill in records, for the YAML files."""
