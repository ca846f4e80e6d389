"""Comparison of the quotations and numbers in a manuscript with the articles, and its report."""

from __future__ import annotations

from defectors_data.readers.quotecheck.html_report import page
from defectors_data.readers.quotecheck.manuscript_comparison import check
from defectors_data.readers.quotecheck.report import CheckedQuote, ManuscriptReport, lines

__all__ = ["CheckedQuote", "ManuscriptReport", "check", "lines", "page"]
