"""Help for annotators: a worklist, searches for words and numbers, first drafts, and edits that need no judgement."""
