"""Functions on strings: quotations, numbers, quantities, offsets and similar words."""
