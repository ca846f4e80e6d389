"""The report on a manuscript as a single HTML page, which has no scripts and loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from defectors_data.readers.quotecheck.report import CheckedQuote, ManuscriptReport, limits, summary

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; }
article { border-left: .4rem solid; padding: .1rem 1rem; margin: 1rem 0; background: #f7f7f7; }
.verbatim { border-color: #2e7d32; } .same_number { border-color: #1565c0; }
.altered { border-color: #b26a00; }
.not_found { border-color: #b3261e; }
blockquote { margin: .3rem 0; } dt { float: left; clear: left; width: 9rem; color: #555; }
dd { margin-left: 9.5rem; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #eee; }
article { background: #262626; }
dt { color: #bbb; } }
"""


def page(report: ManuscriptReport, manuscript: str) -> str:
    """Return the report on a manuscript as an HTML page."""
    return "\n".join(_lines(report, manuscript))


def _lines(report: ManuscriptReport, manuscript: str) -> Iterator[str]:
    title = f"Quotations and numbers in {escape(manuscript)}"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>"
    yield f"<p>{summary(report)}.</p>"
    for sentence in limits(report):
        yield f"<p>{escape(sentence)}</p>"
    for item in report.checked:
        yield from _item(item)
    yield "</body>\n</html>"


def _item(item: CheckedQuote) -> Iterator[str]:
    yield f'<article class="{item.verdict}">'
    yield f"<h2>Line {item.line}: {item.kind}, {item.verdict.replace('_', ' ')}</h2>"
    yield f"<blockquote>{escape(item.words)}</blockquote>\n<dl>"
    facts = [("Judged", item.judged()), ("Difference", item.difference)]
    facts += [("Note", note) for note in item.notes]
    if item.verdict in ("same_number", "altered"):
        facts.append(("Matching words", item.found))
    facts += [
        ("Record", item.record or ""),
        ("Speaker", item.speaker or ""),
        ("Mode", item.mode or ""),
        ("Article", item.article or ""),
    ]
    facts += [("Other source", sentence) for sentence in item.discrepancies]
    for name, fact in facts:
        if fact:
            yield f"<dt>{name}</dt><dd>{escape(fact)}</dd>"
    yield "</dl>\n</article>"
