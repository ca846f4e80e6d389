"""Models of what annotators write and of what is published, and their schemas."""
