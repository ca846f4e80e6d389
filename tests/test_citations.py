"""A citation names the record, who speaks, and the article, in the formats of reference managers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from conftest import INVENTED
from defectors_data.readers import dataset
from defectors_data.rows.citation_formats import (
    CitedItem,
    RecordReference,
    citation,
    described,
    machine_citation,
    ni_address,
    reference,
    text_link,
)
from defectors_data.rows.labels import speaker_label

CITED = CitedItem(
    "inns", ("A Keeper", "An Office"), "Oil & fog", "1.0.0", "2020-02-29", "10.1/x", "https://example.org"
)
SOURCE = {"source_id": "example", "title": "Keepers Leave", "outlet": "Gazette", "published": "2019-03~"}
HIDDEN = {"protected": True, "role": "defector", "anonymity": "unnamed", "pseudonym_possible": False}


def test_of_a_protected_person_a_citation_names_the_role_alone() -> None:
    row = {"testimony_id": "example-t5", "speaker_id": "example-speaker-1"}
    words = described("testimonies/example-t5", row, SOURCE, speaker_label(HIDDEN, {"defector": "Defector"}), "1.0.0")
    who = "Defector (person, not named)"
    expected = f"testimonies/example-t5: testimony ({who}), “Keepers Leave”, Gazette, about March 2019"
    assert words == f"{expected}, {reference('example-t5', row, '1.0.0')}"


def test_a_narrated_testimony_is_cited_as_being_about_its_subject() -> None:
    row = {"testimony_id": "example-t5", "mode": "narrated", "attribution": "about"}
    words = described("testimonies/example-t5", row, SOURCE, "Mira Fenn", "1.0.0")
    assert words.startswith("testimonies/example-t5: testimony (about Mira Fenn), ")
    spoken = described("testimonies/example-t5", {**row, "attribution": "named"}, SOURCE, "Mira Fenn", "1.0.0")
    assert spoken.startswith("testimonies/example-t5: testimony (Mira Fenn), ")


def test_a_figure_without_a_speaker_belongs_to_the_writer() -> None:
    row = {"hedge": "nearly", "text": "nearly 40 keepers", "polarity": "affirmed", "attributed_to": None}
    words = described("figures/example-f1", row, None, "", "1.0.0")
    assert words.startswith("figures/example-f1: figure “nearly 40” (the article), example-f1@1.0.0:sha256:")
    assert described("waivers/example-w1", {}, None, "", "1.0.0").startswith("waivers/example-w1, example-w1@1.0.0:")
    assert described("measures/inns", {}, None, "", "1.0.0") == "measures/inns"


def test_a_reference_is_of_the_words_and_the_place() -> None:
    row = {
        "testimony_id": "example-t5",
        "text": "The lamps are dark",
        "start_offset": 5,
        "end_offset": 23,
        "mode": "direct",
    }
    cited = reference("example-t5", row, "1.0.0")
    assert RecordReference.parse(f"A Keeper (2020). Record {cited}.") == cited
    assert RecordReference.parse("example-t5@1.0.0:sha256:12") is None
    short = RecordReference.parse(citation(CitedItem("d", ("A",), "T", "1.0.0", "2026-01-31", record=f"{cited}")))
    assert short == cited._replace(digest=cited.digest[:12])
    assert cited.cites(short)
    assert not cited.cites(short._replace(digest=short.digest[::-1]))
    assert reference("example-t5", {**row, "mode": "indirect"}, "1.0.0") == cited
    for other in ({"text": "The lamps"}, {"start_offset": 4}, {"end_offset": 22}):
        assert reference("example-t5", {**row, **other}, "1.0.0") != cited


LINKS = [
    (["The lamps are dark"], "#:~:text=The%20lamps%20are%20dark"),
    (["R&D, well-known: 5% – “oil”"], "#:~:text=R%26D%2C%20well%2Dknown%3A%205%25%20%E2%80%93%20%E2%80%9Coil%E2%80%9D"),
    (["one two", "three"], "#:~:text=one%20two&text=three"),
    (["a b c d e f g h i\n\nj k"], "#:~:text=a%20b%20c%20d,h%20i%20j%20k"),
]


@pytest.mark.parametrize(("passages", "fragment"), LINKS)
def test_a_link_to_words_is_encoded_by_the_rules_of_text_fragments(passages: list[str], fragment: str) -> None:
    assert text_link("https://example.org/a", passages) == f"https://example.org/a{fragment}"
    assert text_link("https://example.org/a#top", passages) == f"https://example.org/a#top{fragment[1:]}"


def test_a_citation_links_to_the_words_where_the_address_of_the_article_is_known() -> None:
    row = {"testimony_id": "example-t2", "text": "We had no oil left, […] Nobody wrote to us."}
    link = "<https://example.org/a#:~:text=We%20had%20no%20oil%20left%2C&text=Nobody%20wrote%20to%20us.>"
    for key in ("url", "obtained_address"):
        words = described("testimonies/example-t2", row, {**SOURCE, key: "https://example.org/a"}, "", "1.0.0")
        assert words.endswith(f", {reference('example-t2', row, '1.0.0')}, {link}")
        assert RecordReference.parse(words) == reference("example-t2", row, "1.0.0")
    assert "<" not in described("testimonies/example-t2", row, SOURCE, "", "1.0.0")
    assert "<" not in described("testimonies/example-t2", row, {**SOURCE, "url": "printed in no form"}, "", "1.0.0")


def test_each_format_has_all_facts() -> None:
    cited = CITED._replace(record="figures/f_1")
    assert citation(cited).endswith("[Data set]. https://doi.org/10.1/x Record figures/f_1.")
    bibtex = citation(cited, "bibtex")
    assert "author = {{A Keeper} and {An Office}}" in bibtex
    assert "title = {{Oil \\& fog}}" in bibtex
    assert "note = {Record figures/f\\_1}" in bibtex
    first, second = (CITED._replace(record=f"testimonies/example-t{number}: testimony") for number in (1, 2))
    assert citation(first, "bibtex").startswith(f"@misc{{{CITED.name}-{CITED.version}-example-t1,")
    assert json.loads(citation(second, "csl"))[0]["id"] == f"{CITED.name}-{CITED.version}-example-t2"
    lines = citation(cited, "ris").splitlines()
    assert lines[0] == "TY  - DATA"
    assert lines[-1] == "ER  - "
    assert {"AU  - An Office", "DA  - 2020/02/29/", "N1  - Record figures/f_1", "DO  - 10.1/x"} <= set(lines)
    [csl] = json.loads(citation(cited, "csl"))
    assert (csl["type"], csl["issued"], csl["DOI"]) == ("dataset", {"date-parts": [[2020, 2, 29]]}, "10.1/x")
    assert csl["note"] == "Record figures/f_1"
    with pytest.raises(ValueError, match="use text, bibtex, ris, csl or json"):
        citation(CITED, "mla")  # type: ignore[arg-type]


def test_a_citation_for_programs_finds_the_words_in_the_article_and_on_its_page(package: Path) -> None:
    found = json.loads(dataset.cited(package, "testimonies/example-t2", "json"))
    quoted = dataset.cited(package, "testimonies/example-t2", "bibtex")
    assert (found["dataset"], found["record"], found["version"]) == ("invented-data", "testimonies/example-t2", "1.2.3")
    assert str(RecordReference.parse(quoted)) == found["reference"]
    seed = (INVENTED / "seeds/900_example.txt").read_bytes()
    words = []
    for target in found["annotation"]["target"]:
        quote, place = target["selector"]
        assert target["source"]["id"] == ni_address(hashlib.sha256(seed).hexdigest())
        assert seed.decode()[place["start"] : place["end"]] == quote["exact"]
        words.append(quote["exact"])
    assert words == ["We had no oil left,", "Nobody wrote to us."]
    source = {**SOURCE, "url": "https://example.org/a", "sha256": "00" * 32, "language": "en"}
    row = {"text": " […] ".join(words)}
    made = json.loads(machine_citation(CITED, "testimonies/example-t2", row, source, ()))
    assert made["link"].startswith("https://example.org/a#:~:text=We%20had")
    assert dataset.cited(package, "example-t2", "bibtex") == quoted
    problems = {None: "cites a record", "sources/example": "quotes no words", "example-t99": "No record has the id"}
    for record, problem in problems.items():
        with pytest.raises(dataset.CellNotFoundError, match=problem):
            dataset.cited(package, record, "json")
