"""Help for readers: the dataset as a library, exports, and the check of quotations."""
