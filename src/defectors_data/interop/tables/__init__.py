"""Formats with the published tables as they are: a database, a workbook, and files of Stata."""
