"""Names that an article says are not a person's own: how they are drafted, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from calling import run
from defectors_data.text.english.pseudonyms import may_be_pseudonym

SAID = (
    "She asked to be called Iven because she fears for her job.",
    "He wished to be identified here only as “Iven”.",
    "A keeper, who agreed to be named as Iven, waved.",
    "We call him Iven.",
    "A keeper with the pseudonym Iven waved.",
    "Iven, not his real name, waved.",
    "Iven (a pseudonym) waved.",
    "Iven waved. Some names have been changed.",
    "Iven waved.\nNames have been changed.",
    "A keeper, Iven, whose name has been changed, waved.",
)
NOT_SAID = (
    "Iven asked to be called back.",
    "She asked to be called. Iven waved.",
    "A keeper named Iven waved.",
    "Iven called him a liar, and he has a real name.",
    "She asked to be called Ivens.",
    "Iven waved. The street names have been changed.",
)


@pytest.mark.parametrize("text", SAID)
def test_a_name_that_the_words_call_a_pseudonym_may_be_one(text: str) -> None:
    assert may_be_pseudonym(text, "Iven")


@pytest.mark.parametrize("text", NOT_SAID)
def test_another_name_is_none(text: str) -> None:
    assert not may_be_pseudonym(text, "Iven")
    assert not may_be_pseudonym(text, "")


def test_a_person_who_asked_to_be_called_so_is_drafted_as_protected(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    described = ["--title", "Wells", "--subject", "Water", "--language", "en"]
    assert run("init", corpus, "--empty", *described).returncode == 0
    text = (
        "Wells\n\nA woman from the mill tells another story. She asked to be called Iven because she fears for her "
        "job. “They opened the lower valve at night,” Iven said.\n"
    )
    (corpus / "seeds/wells.txt").write_text(text, encoding="utf-8")
    assert run("draft", "--fill", "wells", "--root", corpus).returncode == 0
    drafted = (corpus / "annotations/wells.yaml").read_text(encoding="utf-8")
    assert "pseudonym_possible: true" in drafted
    assert "id: iven" not in drafted
    path = corpus / "annotations/wells.yaml"
    path.write_text(drafted.replace("pseudonym_possible: true", "pseudonym_possible: false"), encoding="utf-8")
    ran = run("check", path, "--root", corpus)
    assert "pseudonym-denied: The article says that the name of this person may be a pseudonym." in ran.stdout
    assert ran.returncode == 1
