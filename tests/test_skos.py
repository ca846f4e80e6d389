"""`vocabulary.ttl` is Turtle that has every term once, with its label and definition as published."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import built
from defectors_data.package.tables_reader import PackageTables

_ADDRESS = r"<[^<>\"{}|^`\\\s]+>"
_STRING = r'"(?:[^"\\\n]|\\["\\nrt])*"(?:@en)?'
STATEMENT = re.compile(
    r"<#(?P<subject>[a-z_]+(?:\.[a-z0-9_]+)?)> "
    rf"(?P<facts>a skos:[A-Za-z]+(?: ;\n    skos:[A-Za-z]+ (?:{_ADDRESS}|{_STRING}))*) \.\n"
)
"""A statement of the file: a subject, its class, and properties with an address or a string each."""


def statements(text: str) -> dict[str, str]:
    """Return the properties of each subject in a file that consists of a prefix and of statements."""
    first, _, rest = text.partition("\n\n")
    assert first == "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
    found = {}
    at = 0
    for match in STATEMENT.finditer(rest):
        assert rest[at : match.start()].strip() == ""
        assert match["subject"] not in found
        found[match["subject"]] = match["facts"]
        at = match.end()
    assert rest[at:].strip() == ""
    return found


def test_each_term_is_a_concept_of_its_vocabulary(copied: Path, tmp_path: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    text = path.read_text(encoding="utf-8")
    address = "http://example.org/terms/hunger"
    old = "  - term: hunger_pay\n    definition: "
    assert text.count(old) == 1
    added = f"  - term: hunger_pay\n    close_match: [{address}]\n    definition: Ours; "
    path.write_text(text.replace(old, added), encoding="utf-8")
    assert built(copied, tmp_path / "dist").outcome == "published"
    tables = PackageTables(tmp_path / "dist", ["terms", "measures"])
    found = statements((tmp_path / "dist/vocabulary.ttl").read_text(encoding="utf-8"))
    terms = {row["term_id"]: row for row in tables.rows("terms")}
    terms |= {f"measure.{row['measure']}": row for row in tables.rows("measures")}
    schemes = {name.partition(".")[0] for name in terms}
    assert found.keys() == terms.keys() | schemes
    for name, row in terms.items():
        assert found[name].startswith("a skos:Concept ;")
        assert f"skos:topConceptOf <#{name.partition('.')[0]}>" in found[name]
        for column in ("label", "definition"):
            words = row[column].replace("\\", "\\\\").replace('"', '\\"')
            assert f'"{words}"@en' in found[name]
    assert f"skos:closeMatch <{address}>" in found["theme.hunger_pay"]
    assert sum("closeMatch" in facts for facts in found.values()) == 1
