"""Functions on strings: quotations, numbers, quantities, offsets and similarity."""
