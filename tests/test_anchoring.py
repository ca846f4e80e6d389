"""Words are found exactly or not at all, and an error shows the nearest."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.yaml_escapes import in_yaml
from defectors_data.corpus.yaml_reader import parse
from defectors_data.evidence.anchoring import (
    MOST,
    Quote,
    SearchedText,
    contains_words,
    find_every_span,
    find_span,
    find_spans,
    occurrences,
    whole_occurrences,
)
from defectors_data.text.offsets import OffsetConverter, Span, line_and_column
from defectors_data.text.similar_words import nearest
from defectors_data.text.wording_differences import difference

HERE = Place("annotations/900_example.yaml", 3, 5)
WORDS = st.text(alphabet="ab c\n.“”'🙂é\u00a0", min_size=1, max_size=60)


def find(text: str, *quotes: Quote, discreet: bool = False) -> tuple[tuple[Span, ...], list[str]]:
    found, findings = find_spans(quotes, SearchedText("seeds/x.txt", text, discreet))
    return found, [finding.code for finding in findings]


def quote(text: str, prefix: str = "", suffix: str = "", occurrence: int | None = None) -> Quote:
    return Quote(text, HERE, prefix, suffix, occurrence)


@given(text=WORDS, data=st.data())
def test_words_cut_from_a_text_are_found_at_the_same_offsets(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    exact = quote(text[start:end], prefix=text[:start], suffix=text[end:])
    found, codes = find(text, exact)
    assert found == (Span(start, end),) or codes == ["partial-word"]
    again, _ = find_every_span(quote(text[start:end]), SearchedText("x", text))
    assert all(text[slice(*span)] == text[start:end] for span in again)


@given(text=WORDS, words=WORDS)
def test_words_that_are_not_there_are_never_found(text: str, words: str) -> None:
    assume(words not in text)
    assert find(text, quote(words)) == ((), ["evidence-not-found"])


@given(text=WORDS)
def test_offsets_in_other_units_are_those_of_the_encodings(text: str) -> None:
    offsets = OffsetConverter(text)
    for at in range(len(text) + 1):
        assert offsets.utf8(at) == len(text[:at].encode())
        assert offsets.utf16(at) * 2 == len(text[:at].encode("utf-16-le"))


@given(words=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_what_is_offered_to_paste_reads_back_as_the_same_words(words: str) -> None:
    assert parse(f"evidence: {in_yaml(words)}\n", file="x").value == {"evidence": words}


def test_words_that_stand_twice_are_told_apart() -> None:
    text = "one oil, two oil, red oil"
    assert find(text, quote("oil")) == ((), ["evidence-ambiguous"])
    assert find(text, quote("oil", occurrence=2)) == ((Span(13, 16),), [])
    assert find(text, quote("oil", prefix="red ")) == ((Span(22, 25),), [])
    assert find(text, quote("oil", suffix=", ", occurrence=2)) == ((Span(13, 16),), [])
    assert find(text, quote("oil", occurrence=4)) == ((), ["occurrence-not-found"])


def test_overlapping_occurrences_are_counted() -> None:
    assert find("ha ha ha", quote("ha ha")) == ((), ["evidence-ambiguous"])


def test_parts_stand_in_order_and_do_not_overlap() -> None:
    text = "no oil left, and nobody wrote"
    assert find(text, quote("no oil"), quote("nobody wrote"))[1] == []
    assert find(text, quote("nobody wrote"), quote("no oil"))[1] == ["evidence-out-of-order"]
    assert find(text, quote("no oil left"), quote("left, and"))[1] == ["evidence-out-of-order"]
    assert find(text, quote("no oil"), quote(" left"))[1] == [], "parts may touch"


@pytest.mark.parametrize("words", ["il left", "no oi", "1,60", ",600", "600", "caf", "1"])
def test_no_word_or_number_is_cut(words: str) -> None:
    assert find("no oil left, 1,600 in the café\u0301", quote(words)) == ((), ["partial-word"])


@pytest.mark.parametrize("words", ["haven", "t wrote", "They", "re here"])
def test_no_contraction_is_cut(words: str) -> None:
    assert find("They’re here and haven't wrote", quote(words)) == ((), ["partial-word"])


def test_an_amount_is_not_cut_from_its_sign() -> None:
    assert find("for US$45 a night", quote("45 a night")) == ((), ["partial-word"])
    assert find("for US$45 a night", quote("$45 a night"))[1] == []


def test_a_possessive_may_be_left_out() -> None:
    assert find("Ada Example’s lamp", quote("Ada Example"))[1] == []


@pytest.mark.parametrize("words", ["oil", "don’t", "1,600", "600-strong", "strong", "left"])
def test_words_that_end_at_a_mark_are_whole(words: str) -> None:
    text = "oil, don’t left 1,600 600-strong."
    assert find(text, quote(words, occurrence=1))[1] == ([] if words != "600" else ["partial-word"])


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
    ],
)
def test_the_words_meant_are_found_and_each_difference_is_named(typed: str, meant: str, said: str) -> None:
    text = f"{TWO_PARAGRAPHS.rstrip()} Nobody looked back at the tower.\n"
    assert [text[slice(*part)] for part in nearest(typed, text)] == [meant]
    assert difference(typed, meant) == said


def test_a_discreet_difference_repeats_nothing_that_was_typed() -> None:
    said = difference("a man called Xaver", "a man called away", discreet=True)
    assert said == "The words differ at character 14; the seed has “away”."
    assert "X" not in said
    assert "U+0027" in difference("It's", "It’s", discreet=True)


def test_the_nearest_words_are_whole_words() -> None:
    text = "In spring, nobody wrote to us any more. The lamps are dark."
    [span] = nearest("nobody wrot to us", text)
    assert text[slice(*span)] == "nobody wrote to us"
    assert nearest("quite another thing, xyzzy", text) == []


def test_a_quote_that_is_not_found_shows_where_it_nearly_stands() -> None:
    found, findings = find_span(quote("It's dark"), SearchedText("seeds/x.txt", "Yes.\nIt’s dark out."))
    assert found is None
    assert findings[0].help == (
        "Most similar words, on line 2: It’s dark",
        "Yours has U+0027 ', the seed U+2019 ’, at character 3.",
        'Paste instead: "It’s dark"',
    )


def test_words_between_another_prefix_are_said_to_be_there() -> None:
    _, findings = find_span(quote("oil", prefix="red "), SearchedText("seeds/x.txt", "one oil"))
    assert findings[0].help == (
        "The words are on line 1, but not between this prefix and suffix.",
        'Paste instead: "oil"',
    )


def test_lines_and_columns_count_from_one_in_code_points() -> None:
    text = "ab\n🙂 c\n"
    assert [line_and_column(text, at) for at in (0, 2, 3, 5, 7)] == [(1, 1), (1, 3), (2, 1), (2, 3), (3, 1)]


def test_an_evidence_in_an_empty_text_is_not_found() -> None:
    assert find("", quote("oil")) == ((), ["evidence-not-found"])


LAMPS = "One lamp.\nTwo lamps and a lamp.\nIt’s dark; ha ha ha."
NOT_THERE = "These words are not in seeds/x.txt."


@pytest.mark.parametrize(
    ("typed", "code", "message", "hints"),
    [
        (
            quote("It's dark"),
            "evidence-not-found",
            NOT_THERE,
            (
                "Most similar words, on line 3: It’s dark",
                "Yours has U+0027 ', the seed U+2019 ’, at character 3.",
                'Paste instead: "It’s dark"',
            ),
        ),
        (quote("xyzzy, plugh"), "evidence-not-found", NOT_THERE, ("The seed contains no similar words.",)),
        (
            quote("dark", prefix="was "),
            "evidence-not-found",
            NOT_THERE,
            ("The words are on line 3, but not between this prefix and suffix.", 'Paste instead: "dark"'),
        ),
        (
            quote("dark", suffix="!"),
            "evidence-not-found",
            NOT_THERE,
            ("The words are on line 3, but not between this prefix and suffix.", 'Paste instead: "dark"'),
        ),
        (
            quote("lamp"),
            "evidence-ambiguous",
            "These words occur 3 times in seeds/x.txt (lines 1, 2).",
            ("Choose one occurrence with `prefix` or `suffix`, the characters directly before or after it.",),
        ),
        (
            quote("lamp", occurrence=4),
            "occurrence-not-found",
            "`occurrence` is 4, but the words occur only 3 times.",
            ("Choose a lower number, or remove `occurrence`.",),
        ),
        (
            quote("wo lamps and a lam"),
            "partial-word",
            "These words begin or end inside a longer word or number, on line 2 of seeds/x.txt.",
            ('Paste instead: "Two lamps and a lamp"',),
        ),
    ],
)
def test_a_fault_says_where_it_is_and_what_to_do(typed: Quote, code: str, message: str, hints: tuple[str, ...]) -> None:
    assert find_spans([typed], SearchedText("seeds/x.txt", LAMPS)) == ((), [Finding(HERE, code, message, hints)])


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        (("oil left", "left, and"), "overlaps"),
        (("left, and", "oil left"), "overlaps"),
        (("wrote", "oil"), "comes earlier in the seed than"),
        ((" left", "no oil"), "comes earlier in the seed than"),
    ],
)
def test_a_part_in_the_wrong_place_is_told_where_it_was_typed(parts: tuple[str, str], what: str) -> None:
    first, second = Quote(parts[0], HERE), Quote(parts[1], HERE._replace(line=4))
    found = find_spans([first, second], SearchedText("x", "no oil left, and nobody wrote"))
    hint = ("List the parts in the order of the seed.",)
    message = f"This part {what} the part before it."
    assert found == ((), [Finding(second.place, "evidence-out-of-order", message, hint)])


def test_every_part_at_fault_is_told_and_none_is_placed() -> None:
    assert find("one oil", quote("two"), quote("one"), quote("ne")) == ((), ["evidence-not-found", "partial-word"])


def test_in_a_flood_of_faults_the_nearest_words_are_not_looked_for() -> None:
    _, [finding] = find_span(quote("It's dark"), SearchedText("seeds/x.txt", LAMPS, near=False))
    hint = "Check that this is the right seed: many of the quoted words are not in it."
    assert finding == Finding(HERE, "evidence-not-found", NOT_THERE, (hint,))


def test_what_was_typed_of_a_protected_person_is_not_said_again() -> None:
    _, [finding] = find_span(quote("It’s dank"), SearchedText("seeds/x.txt", LAMPS, discreet=True))
    assert finding.help[1] == "The words differ at character 6; the seed has “dark”."
    assert "dank" not in str(finding)
    _, [open_] = find_span(quote("It’s dank"), SearchedText("seeds/x.txt", LAMPS))
    assert open_.help[1] == "Yours has “dank”, the seed “dark”, at character 6."


def test_words_that_stand_very_often_are_counted_to_a_bound() -> None:
    def said(times: int) -> str:
        _, [finding] = find_span(quote("a"), SearchedText("seeds/x.txt", "a\n" * times))
        return finding.message

    assert said(8) == "These words occur 8 times in seeds/x.txt (lines 1, 2, 3, 4, 5, 6, 7, 8)."
    assert said(9) == "These words occur 9 times in seeds/x.txt (lines 1, 2, 3, 4, 5, 6, 7, 8, ...)."
    assert said(MOST - 1).startswith(f"These words occur {MOST - 1} times in")
    assert said(MOST).startswith(f"These words occur {MOST} times or more in")
    assert said(MOST + 1).startswith(f"These words occur {MOST} times or more in")


def test_an_occurrence_behind_the_bound_is_found() -> None:
    often = "a " * (MOST + 9)
    assert len(occurrences("a", often)) == MOST
    assert find(often, quote("a", occurrence=MOST + 5)) == ((Span(2 * MOST + 8, 2 * MOST + 9),), [])


def test_every_occurrence_that_stands_whole_is_found() -> None:
    within = SearchedText("seeds/x.txt", LAMPS)
    assert find_every_span(quote("lamp"), within) == ((Span(4, 8), Span(26, 30)), [])
    assert find_every_span(quote("lamp", prefix="One "), within) == ((Span(4, 8),), [])
    message = "These words begin or end inside a longer word or number, on line 1 of seeds/x.txt."
    assert find_every_span(quote("am"), within) == (
        (),
        [Finding(HERE, "partial-word", message, ('Paste instead: "lamp"',))],
    )
    _, [finding] = find_every_span(quote("It's dark"), within)
    assert (finding.place, finding.code, finding.message) == (HERE, "evidence-not-found", NOT_THERE)


def test_words_are_held_where_they_stand_whole() -> None:
    assert occurrences("lamp", LAMPS) == [4, 14, 26]
    assert occurrences("aa", "aaaa") == [0, 1, 2]
    assert whole_occurrences("lamp", LAMPS) == [Span(4, 8), Span(26, 30)]
    assert contains_words(LAMPS, "lamp")
    assert contains_words(LAMPS, "lamps")
    assert not contains_words(LAMPS, "amp")
    assert not contains_words(LAMPS, "Lamp")
