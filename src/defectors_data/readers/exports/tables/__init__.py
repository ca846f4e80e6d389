"""Formats that contain the published tables unchanged: a database, a workbook, and Stata files."""
