"""The source of each drafted statement, where it is no name before a verb: a name and a colon, who reports what another
said, a document, and those who belong to a person.
"""

from __future__ import annotations

import re

import pytest

from test_first_draft import FILLER, filled


def drafted(said: str) -> list[tuple[str, str, str]]:
    """Give the speaker, the mode and the evidence of each testimony of a draft."""
    found = re.findall(r"speaker: (.*)\n    mode: (.*)\n    evidence: (.*)", filled(FILLER + said))
    return [(speaker, mode, words.strip('"')) for speaker, mode, words in found]


@pytest.mark.parametrize(
    ("said", "speakers"),
    [
        ("Ada Orr and Ben Pelt met.\n\nPelt: “It is shut.”\n\nOrr: “It is old.”", ["ben-pelt", "ada-orr"]),
        ("Ada Orr and Ben Pelt met. Pelt: “It is shut.” Orr: “It is old.”", ["ben-pelt", "ada-orr"]),
        ("Ada Orr and Ben Pelt met.\n\nBen Pelt (D-Ohio): “It is shut.”", ["ben-pelt"]),
        ("Ada Orr and Ben Pelt met.\n\nPelt, a miller: “It is shut.”", ["who"]),
        ("Ada Orr met Ben Pelt.\n\nPELT: “It is shut.”", ["ben-pelt"]),
        ("Ada Orr and Ben Pelt met.\n\nPelt: “It is shut,” Orr said.", ["ada-orr"]),
        ("Ada Orr and Ben Pelt met.\n\nSlogan: “It is shut at last.”", ["who"]),
        ("Ada Orr spoke of Ben Pelt: “It is shut.”", ["ada-orr"]),
    ],
)  # fmt: skip
def test_a_quotation_after_a_name_and_a_colon_is_by_the_one_named(said: str, speakers: list[str]) -> None:
    assert [speaker for speaker, _, _ in drafted(said)] == speakers


def test_a_paragraph_of_a_transcript_is_by_the_name_in_capitals_before_it() -> None:
    transcript = "Ada Orr met Ben Pelt.\nPELT: It is shut, and I know it.\nADA ORR: It is old."
    said = [("ben-pelt", "direct", "It is shut, and I know it."), ("ada-orr", "direct", "It is old.")]
    assert drafted(transcript) == said
    assert drafted("Ada Orr met Ben Pelt.\nUPDATE: It is shut.\nPELT: It is old.") == []
    assert drafted("Ada Orr met Ben Pelt.\nPELT: It is shut.") == [], "one line is no transcript"


@pytest.mark.parametrize(
    ("said", "speaker", "evidence"),
    [
        ("The mill will close, says Ada Orr, according to Ben Pelt.", "ada-orr", "The mill will close, says Ada Orr"),
        ("“It is shut,” Ada Orr said, according to the Harrow Post.", "ada-orr", "It is shut,"),
        ("Ada Orr said, according to Ben Pelt, that it was shut.", "ada-orr",
         "Ada Orr said, according to Ben Pelt, that it was shut."),
        ("Ada Orr said that it was shut, according to Ben Pelt.", "ben-pelt",
         "Ada Orr said that it was shut, according to Ben Pelt."),
        ("The mill will close, hopes Ada Orr, according to Ben Pelt.", "ben-pelt",
         "The mill will close, hopes Ada Orr, according to Ben Pelt."),
    ],
)  # fmt: skip
def test_who_reports_a_statement_is_no_speaker_of_its_words(said: str, speaker: str, evidence: str) -> None:
    [(found, _, words)] = drafted(said)
    assert (found, words) == (speaker, evidence)
