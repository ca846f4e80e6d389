"""The local page on which annotators select words and fill in records; all data is stored in the YAML files."""
