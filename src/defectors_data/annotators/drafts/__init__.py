"""First drafts of annotation files: their facts, records and speakers."""
