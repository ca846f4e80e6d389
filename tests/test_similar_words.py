"""The words most similar to typed ones are found, their differences are named, and so are words that are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from calling import run
from defectors_data.text.offsets import Span
from defectors_data.text.similar_words import nearest
from defectors_data.text.wording_differences import difference, hidden_negation


@pytest.mark.parametrize(
    ("typed", "seed", "said"),
    [
        ("It's dark", "It’s dark", "Yours has U+0027 ', the seed U+2019 ’, at character 3."),
        ("in - out", "in — out", "Yours has U+002D -, the seed U+2014 —, at character 4."),
        ("1,400 of", "1,400\u00a0of", "Yours has U+0020 space, the seed U+00A0 no-break space, at character 6."),
        ("the lamp", "The lamp", "Yours has “the”, the seed “The”, at character 1: the case differs."),
        ("the lamp", "the lamps", "Yours has “lamp”, the seed “lamps”, at character 5."),
        ("the lamps", "the lamp", "Yours has “lamps”, the seed “lamp”, at character 5."),
        ("12 boats", "13 boats", "Yours has “12”, the seed “13”, at character 1."),
        ("the oil", "the old oil", "Yours lacks “old ” at character 5."),
        ("the oil", "the “old” oil", "Yours lacks `“old” ` at character 5."),
        ("so \u00adap", "so ap", "Yours has an extra U+00AD soft hyphen at character 4."),
        ("sol\u00addier", "soldier", "Yours has an extra U+00AD soft hyphen at character 4."),
        ("soldier", "sol\u00addier", "Yours lacks U+00AD soft hyphen at character 4."),
        ("an oil\u200blamp", "an oillamp", "Yours has an extra U+200B zero width space at character 7."),
        ("the ﬁre", "the fire", "Yours has U+FB01 ﬁ, the seed plain letters, in the word at character 5."),
        ("Fire", "fire", "Yours has “Fire”, the seed “fire”, at character 1: the case differs."),
        ("donʼt", "don’t", "Yours has U+02BC ʼ, the seed U+2019 ’, at character 4."),
        ("lamp\ufe0f", "lamp", "Yours has an extra U+FE0F variation selector-16 at character 5."),
        ("an &amp; oar", "an and oar", "Yours has “&amp;”, the seed “and”, at character 4."),
        ("lost anoar", "lost an oar", "Yours has “anoar”, the seed “an oar”, at character 6."),
        ("he drif-ted", "he drifted", "Yours has “drif-ted”, the seed “drifted”, at character 4."),
        (
            "dark and cold",
            "cold and dark",
            "Yours has “dark and cold”, the seed “cold and dark”, at character 1: the order differs.",
        ),
        ("6,100", "1,600", "Yours has “6,100”, the seed “1,600”, at character 1."),
        ("at 10.30pm", "at 10:30 p.m.", "Yours has “10.30pm”, the seed “10:30 p.m.”, at character 4."),
        ("dark--cold", "dark — cold", "Yours has “--”, the seed “ — ”, at character 5."),
        ("did'nt", "didn’t", "Yours has “did'nt”, the seed “didn’t”, at character 1."),
        ("a\tlamp", "a lamp", "Yours has U+0009 tab, the seed U+0020 space, at character 2."),
        ("a, b", "a; b", "Yours has “,”, the seed “;”, at character 2."),
        ("she wouldleave", "she would leave", "Yours has “wouldleave”, the seed “would leave”, at character 5."),
        ("we wouldrow by", "we would row by", "Yours has “wouldrow”, the seed “would row”, at character 4."),
        ("a boat house by", "a boathouse by", "Yours has “boat house”, the seed “boathouse”, at character 3."),
        (
            "OUT AT",
            "out at",
            "Yours has “OUT”, the seed “out”, at character 1: the case differs. The case also differs at character 5.",
        ),
        (
            "so\u00adl\u00adar",
            "solar",
            "Yours has an extra U+00AD soft hyphen at character 3. The same at character 5.",
        ),
        (
            "it's Ann's or Bo's or Jo's",
            "it’s Ann’s or Bo’s or Jo’s",
            "Yours has U+0027 ', the seed U+2019 ’, at character 3. The same at 3 more places.",
        ),
        (
            "a cow and A goat's",
            "a goat and a cow’s",
            (
                "Yours has “cow and A goat”, the seed “goat and a cow”, at character 3: the order differs. "
                "Yours has U+0027 ', the seed U+2019 ’, at character 17."
            ),
        ),
        ("cafe\u0301", "café", "Yours encodes é with different code points from the seed at character 4."),
        (
            "It's 7",
            "It’s 9",
            "Yours has U+0027 ', the seed U+2019 ’, at character 3. Yours has “7”, the seed “9”, at character 6.",
        ),
    ],
)
def test_a_difference_is_named(typed: str, seed: str, said: str) -> None:
    assert difference(typed, seed) == said


TWO_PARAGRAPHS = (
    "He left.\n\nIt was dark on the pier, and nobody rowed.\n\nThe keepers left in two boats before the storm.\n"
)


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("nobody rowed. The keepers left", ["nobody rowed.", "The keepers left"]),
        ("and nobody rowed.\n\nThe keepers left in two boats", ["and nobody rowed.", "The keepers left in two boats"]),
        (
            "It was dark on the pier, and nobody rowed. The keepers",
            ["It was dark on the pier, and nobody rowed.", "The keepers"],
        ),
        ("The keepers have left in two boats before the storm", ["The keepers left in two boats before the storm"]),
        ("nobody rowd / the keepers leaved", ["nobody rowed.", "The keepers left"]),
        ("He left. The keepers left in two boats", ["He left.", "The keepers left in two boats"]),
        ("It was dark ... and nobody rowed.", ["It was dark", "and nobody rowed."]),
        ("He left. [...] dark on the pier […] two boats", ["He left.", "dark on the pier", "two boats"]),
        ("it was drak (...), and nobody rowed", ["It was dark", "and nobody rowed"]),
        ("... nobody rowed.", ["nobody rowed."]),
        ("“[I]t was dark", ["It was dark"]),
        ("nobody rowed!", ["nobody rowed."]),
        ("nobody rowed —", ["nobody rowed"]),
        ("nobody sailed.", ["nobody rowed."]),
        ("A keeper left in two boats", ["keepers left in two boats"]),
        ("in 2 boats", ["in two boats"]),
        ("and nobody rowed, it was dark on the pier", ["It was dark on the pier, and nobody rowed"]),
        ("in two boats the keepers left", ["The keepers left in two boats"]),
        ("Itwasdarkonthepier,andnobodyrowed", ["It was dark on the pier, and nobody rowed"]),
        ("in two boats before the storm. The keepers left", ["The keepers left in two boats before the storm."]),
        ("theboats and a lamp", []),
        ("the kee pers left intwo boats", ["The keepers left in two boats"]),
        ("a quite different sentence on lamps", []),
        ("", []),
        ("!", []),
    ],
)
def test_the_nearest_words_are_the_passages_meant(typed: str, parts: list[str]) -> None:
    assert [TWO_PARAGRAPHS[slice(*part)] for part in nearest(typed, TWO_PARAGRAPHS)] == parts


INTERVIEW = (
    "“We close the harbour,” Ada said on Friday. “Nobody pays £500 for 2½ tonnes of re-used rope.”\n\n"
    "All three boats left in 2018. “One sank, on the first day,” the harbour master told us.\n"
)


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("We close the harbour, nobody pays £500", ["We close the harbour,", "Nobody pays £500"]),
        ("We close the harbour. Nobody pays", ["We close the harbour,", "Nobody pays"]),
        ("pays £5,000 for 2 1/2 tonnes", ["pays £500 for 2½ tonnes"]),
        ("£450 for 21⁄2 tonnes of reused rope", ["£500 for 2½ tonnes of re-used rope"]),
        ("All three boats left in 2019", ["All three boats left in 2018"]),
        ("left in 2018[2]", ["left in 2018"]),
        ("Bruno: All three boats left", ["All three boats left"]),
        ("Friday. Nobody pays 500 for", ["Friday. “Nobody pays £500 for"]),
        ("Nobody pays £500. All three boats left.", ["Nobody pays £500", "All three boats left"]),
        ("One sank. We close the harbour.", ["We close the harbour,", "One sank,"]),
        ("on the first day”, the harbour master", ["on the first day,” the harbour master"]),
        ("on the first day, a friend of mine told us", ["on the first day,” the harbour master told us"]),
        ("pays 500 for", ["pays £500 for"]),
        ("500 for 2½ tons", ["£500 for 2½ tonnes"]),
    ],
)
def test_the_nearest_words_have_the_numbers_and_marks_meant(typed: str, parts: list[str]) -> None:
    assert [INTERVIEW[slice(*part)] for part in nearest(typed, INTERVIEW)] == parts


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("six hundred lamps", "600 lamps"),
        ("one hundred and forty of them", "140 of them"),
        ("and then it raned...", "and then it rained…"),
        ("It's late, and then it rained.", "It’s late, and then it rained…"),
        ("I am old and than it snowed", "I am old, and then it snowed,"),
        ("\"It's late, and then", "It’s late, and then"),
        ("late It’s, and it then rained…", "It’s late, and then it rained…"),
        ("They lit 600 lamps, 140 of red them.", "They lit 600 lamps, 140 of them red."),
        ("lit They 6O0 lamps, 140 of red them", "They lit 600 lamps, 140 of them red"),
    ],
)
def test_numbers_in_words_and_marks_at_the_end_are_found(typed: str, meant: str) -> None:
    text = (
        "They lit 600 lamps, 140 of them red. “It’s late, and then it rained…” “I am old, and then it snowed,” he said."
    )
    assert [text[slice(*part)] for part in nearest(typed, text)] == [meant]


def test_a_prefix_helps_to_find_similar_words() -> None:
    text = "The lamps were red. The doors were rot. The boats were red."
    assert text[slice(*nearest("were rad", text)[0])] == "were red"
    assert nearest("were red", text, prefix="doors ") == [Span(30, 38)]
    assert nearest("were red", text, prefix="The boats ") == [Span(50, 58)]


def test_of_long_words_the_ends_are_looked_for() -> None:
    words = [f"w{i:04}" for i in range(900)]
    text = "\n".join(" ".join(words[start : start + 300]) for start in (0, 300, 600))
    found = nearest(" ".join(words[10:890]).replace("w0300", "x"), text)
    assert [len(text[slice(*part)].split()) for part in found] == [290, 300, 290]
    assert nearest("v" + text, text) == []
    far = "lamp " * 9000 + "and nobody rowed at all. " + "pier " * 9000
    assert [far[slice(*part)] for part in nearest("and nobody rowd at all.", far)] == ["and nobody rowed at all."]


@pytest.mark.parametrize(
    ("typed", "meant", "said"),
    [
        (
            "The keepers have left in two boats before the storm",
            "The keepers left in two boats before the storm",
            "Yours has an extra “have ” at character 13.",
        ),
        ("on the very pier, and nobody", "on the pier, and nobody", "Yours has an extra “very ” at character 8."),
        (
            "in two boats before a storm. Nobody ever looked",
            "in two boats before the storm. Nobody looked",
            "Yours has “a”, the seed “the”, at character 21. Yours has an extra “ ever” at character 36.",
        ),
        (
            "“two boats”",
            "two boats",
            "Yours has an extra U+201C “ at character 1. Yours has an extra U+201D ” at character 11.",
        ),
        ("two boats before before", "two boats before", "Yours has an extra “ before” at character 17."),
        ("two boats\ue000", "two boats", "Yours has an extra U+E000 private-use character at character 10."),
        ("twо boats", "two boats", "Yours has U+043E о, the seed U+006F o, at character 3."),
        ("two\u3000boats", "two boats", "Yours has U+3000 ideographic space, the seed U+0020 space, at character 4."),
        (
            "two\u2800boats",
            "two boats",
            "Yours has U+2800 braille pattern blank, the seed U+0020 space, at character 4.",
        ),
        ("two bo\u3164ats", "two boats", "Yours has an extra U+3164 hangul filler at character 7."),
        ("two b\u0336oats", "two boats", "Yours has an extra U+0336 combining long stroke overlay at character 6."),
        ("two boats\U000e0100", "two boats", "Yours has an extra U+E0100 variation selector-17 at character 10."),
    ],
)
def test_the_words_meant_are_found_and_each_difference_is_named(typed: str, meant: str, said: str) -> None:
    text = f"{TWO_PARAGRAPHS.rstrip()} Nobody looked back at the tower.\n"
    assert [text[slice(*part)] for part in nearest(typed, text)] == [meant]
    assert difference(typed, meant) == said


def test_a_difference_in_a_protected_record_repeats_no_typed_words() -> None:
    said = difference("a man called Xaver", "a man called away", discreet=True)
    assert said == "The words differ at character 14; the seed has “away”."
    assert "X" not in said
    assert "U+0027" in difference("It's", "It’s", discreet=True)


def test_the_nearest_words_are_whole_words() -> None:
    text = "In spring, nobody wrote to us any more. The lamps are dark."
    [span] = nearest("nobody wrot to us", text)
    assert text[slice(*span)] == "nobody wrote to us"
    assert nearest("quite another thing, xyzzy", text) == []


@pytest.mark.parametrize(
    ("text", "before", "after", "hidden"),
    [
        ("He said it did not rain.", "it did", "rain", "not"),
        ("We didn’t go.", "We", "go", "didn’t"),
        ("It was denied, she said, by all.", "It was", "by all", "denied, she said,"),
        ("They left without oil or rope.", "They left", "rope", "without oil or"),
        ("It rained. Nobody came, and we slept.", "rained.", "we slept", "Nobody came, and"),
    ],
)
def test_a_negation_that_is_left_out_is_shown(text: str, before: str, after: str, hidden: str) -> None:
    assert hidden_negation(text, place_of(before, text), place_of(after, text)) == hidden


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("It rained and rained, and we slept.", "It rained", "we slept"),
        ("It rained. Nobody came. We slept.", "It rained.", "We slept."),
        ("It rained\n\nNobody came.\n\nWe slept", "It rained", "We slept"),
        ("“It rained,” said Ada, who was not there. “We slept.”", "It rained,", "We slept."),
        ("The notes of another knot led us.", "The notes", "led us"),
    ],
)
def test_other_words_may_be_left_out(text: str, before: str, after: str) -> None:
    assert hidden_negation(text, place_of(before, text), place_of(after, text)) is None


def place_of(words: str, text: str) -> Span:
    return Span(text.index(words), text.index(words) + len(words))


def test_locate_names_the_other_seed_that_has_the_words(copied: Path) -> None:
    ran = run("locate", "900_example", "dozens of empty towers", where=copied)
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == "These words are in seeds/901_second.txt, on line 7."


def test_locate_pastes_no_swapped_sentences_in_parts(copied: Path) -> None:
    swapped = "Hundreds came to the pier. In the fog he lost an oar and drifted until morning."
    ran = run("locate", "900_example", swapped, where=copied)
    assert ran.returncode == 1
    assert "These words are in another order in the seed." in ran.stdout
    assert "Paste" not in ran.stdout
