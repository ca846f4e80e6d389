"""Documents with their evidence found in the text, and the ledger of all quotations and numbers."""
