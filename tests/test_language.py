"""Only English is read: nothing is claimed for an article in another language, and this is said wherever it matters."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

from calling import run
from conftest import INVENTED, PROJECT
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from defectors_data.text.english.languages import lacks_english, likely_language, lines_in_other_languages

SPANISH = """El puerto sin faroles

Quinientos fareros se marcharon de las islas, dijo Vera Solís, farera de 36 años, que sirvió ocho años en la torre.

«No quedaba aceite», contó Solís. Su hermano esperó tres noches en el muelle, con dos mantas y una lámpara apagada.

Un pescador de treinta y dos años, que pidió no ser nombrado, afirmó que unos 40 hombres habían cruzado el estrecho.
"""
RECORDS = """speakers:
  - id: vera-solis
    kind: person
    role: defector
    anonymity: named
    name: Vera Solís
    mentions:
      - {id: puerto-m1, evidence: "Vera Solís, farera de 36 años, que sirvió ocho años en la torre", age: 36,
         years_of_service: 8}
testimonies:
  - {id: puerto-t1, speaker: vera-solis, mode: indirect, evidence: Quinientos fareros se marcharon de las islas,
     themes: [other]}
  - {id: puerto-t2, speaker: vera-solis, mode: direct, evidence: No quedaba aceite, themes: [other]}
  - {id: puerto-t3, speaker: vera-solis, mode: narrated, evidence: Su hermano esperó tres noches en el muelle,
     themes: [other]}
figures:
  - {id: puerto-f1, evidence: Quinientos fareros se marcharon de las islas, value: 500, hedge: exact, unit: person,
     measure: keepers_who_left, counted: fareros, attributed_to: vera-solis, testimony: puerto-t1}
"""
TOKEN, ANNOTATIONS = "secret", "annotations/903_puerto.yaml"


def source(text: str, extra: str) -> str:
    checksum = hashlib.sha256(text.encode()).hexdigest()
    return f"""source:
  id: puerto
  seed: 903_puerto.txt
  sha256: {checksum}
  title: El puerto sin faroles
  language: es
{extra}  rights: Nobody
{RECORDS}"""


@pytest.fixture
def spanish(copied: Path) -> Path:
    """The invented corpus with an article in Spanish for which nothing is claimed."""
    (copied / "seeds/903_puerto.txt").write_text(SPANISH, encoding="utf-8")
    (copied / ANNOTATIONS).write_text(source(SPANISH, "  completeness: none\n"), encoding="utf-8")
    return copied


def test_without_the_declaration_an_article_in_another_language_is_refused(spanish: Path) -> None:
    (spanish / ANNOTATIONS).write_text(source(SPANISH, ""), encoding="utf-8")
    checked = run("check", where=spanish)
    assert checked.returncode == 1
    assert f"{ANNOTATIONS}:6:13: language-not-read:" in checked.stdout


def test_a_package_claims_nothing_for_an_article_that_is_not_read(spanish: Path) -> None:
    assert run("check", where=spanish).returncode == 0
    assert run("build", where=spanish).returncode == 0
    dist = spanish / "dist"
    sources = pq.read_table(dist / "data/sources.parquet").to_pylist()
    claims = {row["source_id"]: row["completeness"] for row in sources}
    assert claims == {"example": "full", "second": "full", "puerto": "none"}
    ledger = pq.read_table(dist / "data/ledger.parquet").to_pylist()
    assert {row["source_id"] for row in ledger} == {"example", "second"}
    for name in ("README.md", "datasheet.md", "index.html"):
        text = " ".join((dist / name).read_text(encoding="utf-8").replace("`", "").split())
        assert "No completeness is claimed" in text, name
        assert "puerto (es)" in text, name
    limitations = json.loads((dist / "croissant.json").read_text(encoding="utf-8"))["rai:dataLimitations"]
    assert "No completeness is claimed" in limitations[-1]
    for command in (["verify", "dist"], ["verify", "dist", "--seeds", "seeds"]):
        verified = run(*command, where=spanish)
        assert verified.returncode == 0, verified.stdout
        assert "with completeness none" in verified.stdout
    traced = run("why", "figures/puerto-f1/value", where=spanish)
    assert "Read by the annotators" in traced.stdout


def test_a_package_of_english_articles_does_not_mention_languages(published: Path) -> None:
    for path in published.glob("dist/*.*"):
        assert b"No completeness is claimed" not in path.read_bytes(), path


def test_a_waiver_in_an_article_that_is_not_read_waives_nothing(spanish: Path) -> None:
    path = spanish / ANNOTATIONS
    waiver = "waivers:\n  - {id: puerto-w1, evidence: dos mantas, reason: idiom}\n"
    path.write_text(path.read_text(encoding="utf-8") + waiver, encoding="utf-8")
    checked = run("check", where=spanish)
    assert checked.stdout.count("903_puerto.yaml:") == 1
    assert "With `completeness: none`, nothing needs a waiver." in checked.stdout


def test_each_command_for_annotators_says_that_the_article_is_not_read(spanish: Path) -> None:
    (spanish / ANNOTATIONS).unlink()
    drafted = run("draft", "903_puerto", where=spanish)
    assert "Its language seems to be `es`, and only English is read" in drafted.stdout
    assert "  language: es\n  completeness: none\n" in (spanish / ANNOTATIONS).read_text(encoding="utf-8")
    said = "903_puerto.txt was not searched for quotations, numbers and ages: `es` is not read."
    assert said in run("todo", "903_puerto", where=spanish).stdout
    assert said in run("todo", "--all", where=spanish).stdout
    page = TestClient(application(EditedProject(spanish), token=TOKEN), base_url="http://127.0.0.1:8000")
    shown = page.get(f"/{TOKEN}/article/903_puerto").text
    assert said in shown
    assert "0 unaccounted for" not in shown
    assert "0 unaccounted for" in page.get(f"/{TOKEN}/article/900_example").text
    assert "in English, the only language that is read" in run("number", "quinientos", where=spanish).stdout


def test_a_language_that_is_not_recognised_is_left_to_the_annotator(spanish: Path) -> None:
    (spanish / "seeds/904_list.txt").write_text("Arden 31\n\nVoss 44\n", encoding="utf-8")
    drafted = run("draft", "904_list", where=spanish)
    assert "Its language was not recognised" in drafted.stdout
    assert "language: und\n  rights" in (spanish / "annotations/904_list.yaml").read_text(encoding="utf-8")
    assert "language-not-read" in run("check", where=spanish).stdout


TEXTS = {
    "es": f"{SPANISH} " * 3,
    "nl": "De wachters van de eilanden staken in de nacht de zeestraat over, in drie kleine boten, en kwamen voor het "
    "licht in de haven aan. Zij hadden op het loon van de winter gewacht, dat nooit kwam, en de olie van de lampen was "
    "al weken op. Een vrouw die brood verkocht gaf hun soep en dekens, en de kapitein van de haven vroeg waar zij "
    "vandaan kwamen. Zij vertelden dat de torens donker waren, dat niemand op hun brieven had geantwoord en dat een "
    "paar mannen waren gebleven om voor hun gezin te zorgen. In de morgen begon het te regenen, en de mannen sliepen "
    "op de vloer van de school, naast de netten van de vissers.",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_long_text_without_english_words_is_not_english(text: str) -> None:
    assert lacks_english(text)
    assert likely_language(text) != "en"


def test_no_english_article_and_no_short_text_is_doubted() -> None:
    folders = (PROJECT / "seeds", INVENTED / "seeds", PROJECT / "tests/articles", PROJECT / "tests/guide")
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.glob("*.txt"))]
    assert [text[:40] for text in texts if lacks_english(text) or likely_language(text) != "en"] == []
    assert not lacks_english(SPANISH)


LINES = [
    "Hubo gritos y carreras; después silencio. Cuando amaneció contamos los heridos, varios graves, ninguno mayor.",
    "Mein Bruder rief mich gestern an, um zu erzählen, dass er schon drüben sei und dort bleiben wolle.",
    "On a faim, on a peur, mais on reste ici, répétait cette fille qui vendait du café.",
    "A lei estabelece que todo cidadão tem direito de sair do país e de voltar quando lhe for conveniente.",
    "Kapitan powiedział, że żołnierze przeszli przez most w nocy, ponieważ nie mieli już nic do jedzenia.",
    "Капитан сказал, что солдаты ночью перешли мост, потому что у них больше не было ни еды, ни лекарств.",
]
ENGLISH_LINES = [
    "Also there: Jean de la Tour, Los Palos, El Puerto, Las Islas, Ada von der Mühle, Rui da Silva, Zoë Åberg.",
    "The keepers of El Puerto de los Faros sang “La noche en el mar” and “Nadie vino” on the pier.",
    "“No way, no how, no more,” he said. “Do as I do, not as I say, or go home.”",
    "Boats lost: 12; lamps lost: 30; inns closed: 7; keepers hurt: 4; keepers gone: 40; oil left: none; boats left: 2.",
]


@pytest.mark.parametrize("line", LINES)
def test_a_long_line_in_another_language_is_not_english(line: str) -> None:
    text = f"{ENGLISH_LINES[0]}\n{line}\n{' '.join(line.split()[:14])}"
    assert [text[slice(*span)] for span in lines_in_other_languages(text)] == [line]


@pytest.mark.parametrize("line", ENGLISH_LINES)
def test_an_english_line_with_foreign_names_and_words_is_english(line: str) -> None:
    assert lines_in_other_languages(line) == []
