"""Words are found exactly or not at all, and an error shows the nearest."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.yaml_reader import in_yaml, parse
from defectors_data.evidence.anchors import (
    MOST,
    Quote,
    SearchedText,
    contains_words,
    find_every_span,
    find_span,
    find_spans,
    neighbours,
    occurrences,
    whole_occurrences,
)
from defectors_data.text.offsets import OffsetConverter, Span, line_and_column, sentences

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
def test_words_offered_for_pasting_are_read_back_unchanged(words: str) -> None:
    assert parse(f"evidence: {in_yaml(words)}\n", file="x").value == {"evidence": words}


def test_repeated_words_are_distinguished() -> None:
    text = "one oil, two oil, red oil"
    assert find(text, quote("oil")) == ((), ["evidence-ambiguous"])
    assert find(text, quote("oil", occurrence=2)) == ((Span(13, 16),), [])
    assert find(text, quote("oil", prefix="red ")) == ((Span(22, 25),), [])
    assert find(text, quote("oil", suffix=", ", occurrence=2)) == ((Span(13, 16),), [])
    assert find(text, quote("oil", occurrence=4)) == ((), ["occurrence-not-found"])


def test_overlapping_occurrences_are_counted() -> None:
    assert find("ha ha ha", quote("ha ha")) == ((), ["evidence-ambiguous"])


def test_parts_are_in_order_and_do_not_overlap() -> None:
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


def test_a_quotation_that_is_not_found_shows_the_most_similar_words() -> None:
    found, findings = find_span(quote("It's dark"), SearchedText("seeds/x.txt", "Yes.\nIt’s dark out."))
    assert found is None
    assert findings[0].help == (
        "Most similar words, on line 2: It’s dark",
        "Yours has U+0027 ', the seed U+2019 ’, at character 3.",
        'Paste instead: "It’s dark"',
    )


def test_words_with_another_prefix_are_reported_with_their_place() -> None:
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
def test_a_finding_names_its_place_and_what_to_do(
    typed: Quote, code: str, message: str, hints: tuple[str, ...]
) -> None:
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
def test_a_misplaced_part_is_reported_at_its_line(parts: tuple[str, str], what: str) -> None:
    first, second = Quote(parts[0], HERE), Quote(parts[1], HERE._replace(line=4))
    found = find_spans([first, second], SearchedText("x", "no oil left, and nobody wrote"))
    hint = ("List the parts in the order of the seed.",)
    message = f"This part {what} the part before it."
    assert found == ((), [Finding(second.place, "evidence-out-of-order", message, hint)])


def test_every_missing_part_is_reported_and_none_is_placed() -> None:
    assert find("one oil", quote("two"), quote("one"), quote("ne")) == ((), ["evidence-not-found", "partial-word"])


def test_in_a_flood_of_faults_the_nearest_words_are_not_looked_for() -> None:
    _, [finding] = find_span(quote("It's dark"), SearchedText("seeds/x.txt", LAMPS, near=False))
    hint = "Check that this is the right seed: many of the quoted words are not in it."
    assert finding == Finding(HERE, "evidence-not-found", NOT_THERE, (hint,))


def test_typed_words_of_a_protected_person_are_not_repeated() -> None:
    _, [finding] = find_span(quote("It’s dank"), SearchedText("seeds/x.txt", LAMPS, discreet=True))
    assert finding.help[1] == "The words differ at character 6; the seed has “dark”."
    assert "dank" not in str(finding)
    _, [open_] = find_span(quote("It’s dank"), SearchedText("seeds/x.txt", LAMPS))
    assert open_.help[1] == "Yours has “dank”, the seed “dark”, at character 6."


def test_frequent_words_are_counted_up_to_a_limit() -> None:
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


def test_every_whole_occurrence_is_found() -> None:
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


def test_words_match_only_as_whole_words() -> None:
    assert occurrences("lamp", LAMPS) == [4, 14, 26]
    assert occurrences("aa", "aaaa") == [0, 1, 2]
    assert whole_occurrences("lamp", LAMPS) == [Span(4, 8), Span(26, 30)]
    assert contains_words(LAMPS, "lamp")
    assert contains_words(LAMPS, "lamps")
    assert not contains_words(LAMPS, "amp")
    assert not contains_words(LAMPS, "Lamp")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ha ha ha", "ha"),
        ("no oil. " * 3 + "no oil", "no oil"),
        ("We row. They sing.\n\nWe row. They sing.\n\nWe row. They sing.", "We row."),
    ],
)
def test_neighbours_always_select_one_occurrence(text: str, words: str) -> None:
    for span in whole_occurrences(words, text):
        assert find(text, quote(words, **neighbours(span, text))) == ((span,), [])


def test_no_help_pastes_parts_without_the_negation_between_them() -> None:
    text = "Ada said that she did not want to leave the old pier. The lamps went out. Nobody slept."
    _, [finding] = find_span(quote("she did … want to leave the old pier"), SearchedText("seeds/x.txt", text))
    assert finding.help == (
        "Most similar words: she did / want to leave the old pier",
        "Words with a negation are left out: “not”.",
        'Quote all words in one part: "she did not want to leave the old pier"',
    )
    _, [finding] = find_span(
        quote("Nobody slept. Ada said that she did not want to leave the old pier."), SearchedText("seeds/x.txt", text)
    )
    assert finding.help[1:] == ("These words are in another order in the seed. Quote them as they are printed.",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The lamp failed. Sgt. Salt lit it.\nHe left", ["The lamp failed.", "Sgt. Salt lit it.", "He left"]),
        ("“Why?” he asked. “Rest!” The crew slept.", ["“Why?” he asked.", "“Rest!”", "The crew slept."]),
        (
            "The S.&P. 500 fell. Gov. Ada J. Reed met St. Orr. So",
            ["The S.&P. 500 fell.", "Gov. Ada J. Reed met St. Orr.", "So"],
        ),
        ("The U.S. Senate met on Feb. 9. It left.", ["The U.S. Senate met on Feb. 9.", "It left."]),
        (
            "She left the U.S. The men stayed. So did I. Orr slept.",
            ["She left the U.S.", "The men stayed.", "So did I.", "Orr slept."],
        ),
        ("It was under 2C. Ada left in Feb. Orr stayed.", ["It was under 2C.", "Ada left in Feb.", "Orr stayed."]),
        ("It rose 3.5 metres…\n\n Then it fell", ["It rose 3.5 metres…", "Then it fell"]),
        (" \n", []),
    ],
)
def test_sentences_end_at_marks_but_not_at_abbreviations_or_before_small_letters(text: str, found: list[str]) -> None:
    assert sentences(text) == found
