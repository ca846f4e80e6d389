"""Help for annotators: worklist, drafts, imports, and the local page."""
