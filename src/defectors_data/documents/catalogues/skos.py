"""`vocabulary.ttl`: the vocabularies as SKOS concept schemes, in Turtle.

Addresses are relative to that of the file, as the package may be published anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.package.tables_reader import PackageTables

NAME = "vocabulary.ttl"
"""The file's path in the package."""

_PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
_MEASURE = "what figures measure"
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


def vocabulary(tables: PackageTables) -> bytes:
    """Return the content of `vocabulary.ttl`."""
    concepts = list[str]()
    schemes = dict[str, str]()
    for row in tables.rows("terms"):
        schemes[row["kind"]] = MEANINGS["TermKind"][row["kind"]]
        concepts.append(_concept(row["kind"], row["term"], row))
    for row in tables.rows("measures"):
        schemes["measure"] = _MEASURE
        concepts.append(_concept("measure", row["measure"], row))
    described = [_scheme(kind, meaning) for kind, meaning in sorted(schemes.items())]
    return "\n".join([_PREFIX, *described, *concepts]).encode()


def _scheme(kind: str, meaning: str) -> str:
    label = kind.replace("_", " ")
    facts = ["a skos:ConceptScheme", f"skos:prefLabel {_text(label)}"]
    return _statement(f"<#{kind}>", [*facts, f"skos:definition {_text(meaning)}"])


def _concept(kind: str, term: str, row: dict[str, Any]) -> str:
    facts = [
        "a skos:Concept",
        f"skos:topConceptOf <#{kind}>",
        f'skos:notation "{term}"',
        f"skos:prefLabel {_text(row['label'])}",
        f"skos:definition {_text(row['definition'])}",
        *_matches(row.get("close_match")),
    ]
    return _statement(f"<#{kind}.{term}>", facts)


def _matches(addresses: str | None) -> Iterator[str]:
    for address in (addresses or "").split(";"):
        if address:
            yield f"skos:closeMatch <{address}>"


def _statement(subject: str, facts: list[str]) -> str:
    joined = " ;\n    ".join(facts)
    return f"{subject} {joined} .\n"


def _text(words: str) -> str:
    """Return words as a string of Turtle in English."""
    return f'"{words.translate(_ESCAPES)}"@en'
