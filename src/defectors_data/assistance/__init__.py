"""Help for annotators: what is left to annotate, where words are, first drafts, and edits that need no judgement."""
