"""Comparison of the quotations and numbers in a draft with the articles, and reports on it as text and HTML."""

from __future__ import annotations

from defectors_data.quotecheck.draft_comparison import check
from defectors_data.quotecheck.draft_reader import DraftReadError
from defectors_data.quotecheck.html_report import page
from defectors_data.quotecheck.report import CheckedQuote, DraftReport, lines

__all__ = ["CheckedQuote", "DraftReadError", "DraftReport", "check", "lines", "page"]
