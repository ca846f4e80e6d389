"""Documents to the rows of the published tables."""
