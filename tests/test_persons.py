"""The table of persons has one row each; only of protected persons, it says less than the other tables."""

from __future__ import annotations

import csv
from pathlib import Path

from conftest import built
from finding_cases import corpus, lay, sections

CORPUS = """\
-- seed.txt --
Mira Fenn, 36, a keeper for eight years, said she left in February 2019 because the oil was gone, and others from fear.
A keeper, who did not give her name, said she stayed from fear.
-- annotation.yaml --
speakers:
  - use: mira-fenn
    mentions:
      - {id: example-m1, evidence: "Mira Fenn, 36, a keeper for eight years", age: 36, years_of_service: 8}
  - id: example-speaker-1
    kind: person
    role: defector
    anonymity: unnamed
    mentions: [{id: example-m2, evidence: "A keeper, who did not give her name"}]
testimonies:
  - id: example-t1
    speaker: mira-fenn
    attribution: "Mira Fenn, 36, a keeper for eight years, said"
    mode: indirect
    access: own_experience
    outlet_kind: own
    motives:
      - {factor: hunger, direction: push, decision: leave, link: own_words, words: because the oil was gone}
      - {factor: fear, direction: pull, decision: rise, link: own_words, words: because the oil was gone}
      - {factor: fear, direction: push, decision: leave, of: others, link: own_words, words: from fear}
    happened: {date: 2019-02, basis: stated, of: departure, words: in February 2019}
    departure: true
    evidence: "said she left in February 2019 because the oil was gone, and others from fear"
    themes: [hunger_pay]
  - id: example-t2
    speaker: example-speaker-1
    attribution: "A keeper, who did not give her name, said"
    mode: indirect
    access: own_experience
    outlet_kind: own
    motives:
      - {factor: fear, direction: barrier, decision: leave, link: own_words, words: from fear}
    evidence: said she stayed from fear
    themes: [fear_reprisal]
waivers:
  - {id: example-w1, evidence: February 2019, reason: date}
-- second.txt --
Mira Fenn, 37, with nine years of service, said the fog was gone.
-- second.yaml --
speakers:
  - use: mira-fenn
    mentions:
      - {id: second-m1, evidence: "Mira Fenn, 37, with nine years of service", age: 37, years_of_service: 9}
testimonies:
  - id: second-t1
    speaker: mira-fenn
    attribution: "Mira Fenn, 37, with nine years of service, said"
    mode: indirect
    access: not_stated
    outlet_kind: own
    evidence: said the fog was gone
    themes: [weather]
-- speakers.yaml --
speakers:
  - {id: mira-fenn, kind: person, role: defector, anonymity: named, name: Mira Fenn}
"""


def test_a_person_has_one_row_with_all_that_is_said_and_a_protected_one_with_a_role(tmp_path: Path) -> None:
    root = lay(corpus(sections(CORPUS)), tmp_path / "corpus")
    vocabulary = root / "annotations/vocabulary.yaml"
    factors = "factors: [{term: fear, definition: Invented.}, {term: hunger, definition: Invented.}]\n"
    vocabulary.write_text(vocabulary.read_text(encoding="utf-8") + factors, encoding="utf-8")
    result = built(root, tmp_path / "dist")
    assert result.outcome == "published", result.checked.findings
    with (tmp_path / "dist/data/persons.csv").open(encoding="utf-8", newline="") as file:
        shared, protected = csv.DictReader(file)
    assert (shared["person_id"], shared["source_id"], shared["sources"]) == ("mira-fenn", "", "example;second")
    assert (shared["ages"], shared["years_of_service"]) == ("36;37", "8;9")
    # What others did is no motive of hers, and a reason to rise is no reason to leave.
    assert (shared["push"], shared["pull"], shared["barrier"]) == ("hunger", "", "")
    assert (shared["departed"], shared["testimonies"]) == ("2019-02/2019-02", "2")
    filled = {column: cell for column, cell in protected.items() if cell}
    assert filled == {
        "person_id": "example-speaker-1",
        "source_id": "example",
        "sources": "example",
        "role": "defector",
        "protected": "true",
        "testimonies": "1",
    }
