"""Every quotation and every number is found, wherever it stands and however it is marked."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import marked_articles
from conftest import INVENTED
from defectors_data.text import numerals, quantities
from defectors_data.text.detection import Detection, detect, marks_around, quotations
from defectors_data.text.offsets import Span, cuts_a_word, overlaps

SEEDS = [path.read_text(encoding="utf-8") for path in sorted((INVENTED / "seeds").glob("*.txt"))]
QUOTED = "the oil is gone"
STYLES = [
    '"{}"',
    "“{}”",
    "'{}'",
    "‘{}’",
    "«{}»",
    "« {} »",
    "„{}“",
    "‹{}›",
    '“{}"',
    '"{}”',
    "»{}«",
    "”{}”",
    "›{}‹",
    "‹ {} ›",
    "‚{}‘",
    "’{}’",
]
HALVES = ["“{}", "{}”", '"{}', "‘{}", "'{}", "{}’", "{}'"]
NUMBERS = [
    *("1,400 boats", "7 boats", "3.5 percent", "12%", "$40", "seven boats", "twenty-seven boats", "two hundred boats"),
    *("half a million boats", "a dozen boats", "scores of boats", "a few hundred boats", "several dozen boats"),
    *("hundreds of boats", "tens of thousands of boats", "a third of the boats", "between 5 and 7 boats", "5-7 boats"),
    *("nine out of ten boats", "two and a half years", "a 14-year veteran", "160,000-strong", "twice", "two decades"),
    *("the 23rd boat", "the third boat", "March 4", "4 March 2018", "2018-03-04", "in 2018", "7:45 p.m.", "8 a.m."),
    *("one hundred and ten boats", "1.2 million boats", "at least one boat", "5k boats", "two weeks ago", "F-16"),
]
BEFORE = ["", "Then ", "Then, ", "Then: ", "Then; ", "(", "— ", "Then—", "\n", "He left. ", "He left.” ", "[", "/"]
AFTER = ["", ".", ",", ";", ":", "!", "?", ")", " — and", "—", "\n", " then", ".)", "]", "…", " and 3 more"]


def texts(found: list[Detection], text: str) -> list[str]:
    return [text[item.start : item.end] for item in found]


def found_over(text: str, start: int, end: int, *, quotation: bool) -> bool:
    """Tell whether something of the kind was found that overlaps a place."""
    return any(
        (item.kind == "quotation") == quotation and item.start < end and start < item.end for item in detect(text)
    )


@pytest.mark.parametrize("style", [*STYLES, *HALVES])
def test_a_quotation_is_found_in_every_style_next_to_every_mark(style: str) -> None:
    planted = style.format(QUOTED)
    missed = [
        before + planted + after
        for before, after in itertools.product(BEFORE, AFTER)
        if not found_over(before + planted + after, len(before), len(before) + len(planted), quotation=True)
    ]
    assert missed == []


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_found_next_to_every_mark(number: str) -> None:
    missed = [
        before + number + after
        for before, after in itertools.product(BEFORE, AFTER)
        if not found_over(before + number + after, len(before), len(before) + len(number), quotation=False)
    ]
    assert missed == []


@given(seed=st.sampled_from(SEEDS), style=st.sampled_from(STYLES), data=st.data())
def test_a_quotation_planted_anywhere_is_found(seed: str, style: str, data: st.DataObject) -> None:
    spaces = [i for i, c in enumerate(seed) if c in " \n" and not _inside_quotation(seed, i)]
    at = data.draw(st.sampled_from([0, len(seed), *spaces]))
    planted = f" {style.format(QUOTED)} "
    text = seed[:at] + planted + seed[at:]
    words = text.index(QUOTED)
    assert any(QUOTED in found or found in QUOTED for found in texts(list(quotations(text)), text))
    assert found_over(text, words, words + len(QUOTED), quotation=True)


@given(seed=st.sampled_from(SEEDS), number=st.sampled_from(NUMBERS), data=st.data())
def test_a_number_planted_anywhere_is_found(seed: str, number: str, data: st.DataObject) -> None:
    spaces = [i for i, c in enumerate(seed) if c in " \n"]
    at = data.draw(st.sampled_from([0, len(seed), *spaces]))
    text = f"{seed[:at]} {number} {seed[at:]}"
    assert found_over(text, at + 1, at + 1 + len(number), quotation=False)


def _inside_quotation(text: str, at: int) -> bool:
    return any(found.start <= at < found.end for found in quotations(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\"They said: 'Go home,' \" she said", ["They said: 'Go home,'", "Go home,"]),
        ("“open one", ["open one"]),
        ("She left. We go home.” Then", ["We go home."]),
        ("“First paragraph\n“Second paragraph.”", ["First paragraph", "Second paragraph."]),
        ('He said: "We go. "We row." Orr said: "I stay."', ["We go.", "We row.", "I stay."]),
        ('"He calls the "Lamp" old. He left," she said', ['He calls the "Lamp" old. He left,', "Lamp"]),
        ("‘A’ and “b ‘c’ d”", ["A", "b ‘c’ d", "c"]),
        ('"a," she said, "b."', ["a,", "b."]),
        ('said:"now"', ["now"]),
        ("the 'lamp-lighter' and here's Ada's", ["lamp-lighter"]),
        ('“They just need a push,” and "no."', ["They just need a push,", "no."]),
        ("‘It’s the boys’ boat,’ she said", ["It’s the boys’ boat,"]),
        ("He called it a 'boys' club' in May", ["boys' club"]),
        ("the 'boys' and the 'girls'", ["boys", "girls"]),
        ("a 'monster' in a '£5m mansion'", ["monster", "£5m mansion"]),
        ("the '#lamps' tag", ["#lamps"]),
        ("'We're goin' home,' he said", ["We're goin' home,"]),
        ("> We close the harbour.\n> Stay away.", ["We close the harbour.", "Stay away."]),
        ("We go home, boys’ he said.", ["We go home, boys"]),
        ("It was theirs, the keepers'.", ["It was theirs, the keepers"]),
        ("''Tis so,' she said", ["'Tis so,"]),
        ("She said ''we go home'' and left", ["we go home"]),
        ('Ada: "It takes a 3" bolt, not a 2". Ask him."', ['It takes a 3" bolt, not a 2". Ask him.']),
        ("“It is a 3” bolt,” she said. ‘Or 4″ wide.’", ["It is a 3” bolt,", "Or 4″ wide."]),
        ('"He is 6\' 2" tall," she said', ["He is 6' 2\" tall,"]),
        ('We were 12" he said. "I am 5" she said', ["We were 12", "I am 5"]),
        ('"We were 12" and "they were 30"', ["We were 12", "they were 30"]),
        ("‘’Twas cold,’ she said, ‘’less you ran.’", ["’Twas cold,", "’less you ran."]),
        ("'Take it up wi' Bruno, an' think o' me,' he said", ["Take it up wi' Bruno, an' think o' me,"]),
        ("'The Bakers' Guild is shut,' he said", ["The Bakers' Guild is shut,"]),
        ("‘The Joneses’ 12 boats left,’ he said", ["The Joneses’ 12 boats left,"]),
        ("About ''Fishin' Bruno'' in May", ["Fishin' Bruno"]),
        ("'We left (NATO)'s boats,' he said", ["We left (NATO)'s boats,"]),
        ("Half of 'em wore it in the '78 final, the 'old' one", ["old"]),
        (
            "'I told 'im,' she said. 'We 'ave a new 'un and the 'un-British' one.'",
            ["I told 'im,", "We 'ave a new 'un and the 'un-British' one.", "un-British"],
        ),
        ("'In 't Orr,' she said. He wore it in ’t Orr. ’Twas 't-shirt' time.", ["In 't Orr,", "t-shirt"]),
        ("``We go home'' and `you stay'", ["We go home", "you stay"]),
        ("« Nous partons », dit-il. «Bon» et ‹mal›", ["Nous partons", "Bon", "mal"]),
        ("— We go home, said Ada. — And I stay.", ["We go home, said Ada. — And I stay."]),
        ("—We have nothing —said Bruno—. Nothing.", ["We have nothing —said Bruno—. Nothing."]),
        ("“First line\nsecond line\nthird line.” he said", ["First line", "second line", "third line."]),
        ("“First line\n\nsecond line\n\nthird line.” he said", ["First line", "third line."]),
    ],
)
def test_quotations_are_distinguished_by_their_places(text: str, found: list[str]) -> None:
    assert texts(list(quotations(text)), text) == found


@pytest.mark.parametrize(
    "text",
    [
        *("don't, it's, we’re", "the keepers' boats", "the ’90s", "'tis so", "Ada’s", "O’Brien", '""', "''"),
        "the ’90s were hard for dockers’ families",
        "rock ’n’ roll at the dockers’ club",
        "'Tis the keepers' way",
        "Ada in 't Orr, Bruno O' Pelt and Cleo d' Elm of 's-Orr left the bakers' club.",
        "The 'burbs' and the 'hood's boats lay there 'til noon; the bakers' club left.",
        "in the 'nineties the dockers' pay",
        "the class of ’98 and the workers’ union",
        "the guards' and soldiers' wages",
        "About 30 left, the Bakers' Guild said.",
        "It was shut, the Teachers’ Union said.",
        "Washington D.C.’s radio and the U.N.'s boats",
        "the boats of Bruno Jr.'s family, (Example)'s own and 90%'s",
        "a shed of 12' x 8', and a 5\" pipe",
        "Bruno, 6'2\" tall, or 6′ 2″",
        "thirty years o' rain",
        "— The Gazette",
        "- We go home, said Ada.",
        "They left – all of them.",
    ],
)
def test_an_apostrophe_or_a_dash_is_no_quotation(text: str) -> None:
    assert list(quotations(text)) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("on March 3rd", "date"),
        ("Feb. 25, 2019", "date"),
        ("May 1, 2019", "date"),
        ("in 1999", "date"),
        ("since 2014,", "date"),
        ("[in 2013]", "date"),
        ("two months ago", "date"),
        ("two months away", "date"),
        ("Two days before", "date"),
        ("at 7:45", "clock_time"),
        ("0:00", "clock_time"),
        ("10 p.m.", "clock_time"),
        ("ten past four", "clock_time"),
        ("at six on Thursday morning", "clock_time"),
        ("the third day", "ordinal"),
        ("the 21st keeper", "ordinal"),
        ("  1. Home", "list_number"),
        ("2) Away", "list_number"),
        ("an F-16", "name"),
        ("Article 350", "name"),
        ("Copyright 2021", "date"),
        ("the 1990s", "date"),
    ],
)
def test_a_number_that_is_no_quantity_has_a_kind(text: str, kind: str) -> None:
    assert [item.kind for item in detect(text)] == [kind]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("In May 2013 - four months after Orr left - it shut.", ["May 2013", "four months after"]),
        ("It shut in 2013 – two years after Orr left.", ["2013", "two years after"]),
        ("It shut 2–3 days ago.", ["2–3 days ago"]),
    ],
)
def test_a_time_after_a_spaced_dash_is_a_date_of_its_own(text: str, dates: list[str]) -> None:
    assert [(each.kind, text[each.start : each.end]) for each in detect(text)] == [("date", words) for words in dates]


def test_text_without_quotations_or_numbers_has_no_detections() -> None:
    assert detect("One of them left, and another one wept; some said so, several did not.") == []
    assert detect("") == []


@pytest.mark.parametrize(
    ("text", "words", "marks"),
    [
        ("— We go home.", "We go home.", (True, False)),
        ("He left.\n—We go home.", "We go home.", (True, False)),
        ("He left — we go home.", "we go home.", (False, False)),
        ("`We go home'", "We go home", (True, True)),
    ],
)
def test_a_dash_opens_speech_at_the_beginning_of_a_paragraph(text: str, words: str, marks: tuple[bool, bool]) -> None:
    start = text.index(words)
    assert marks_around(text, Span(start, start + len(words))) == marks


NUMBER_WORDS = sorted((numerals.NUMBERS.keys() | numerals.SCALES.keys()) - {"one", "score"})
PIECES = [*NUMBER_WORDS, *"a and in of to or between the 3 12 1.5 1,400 2010 1/2 . , - – % $ ( ) :".split()]
PIECES += "May page No. Nasdaq half quarter point percent soldiers years ago decade not even 10 000 ' th m".split()
WRITTEN = re.compile(rf"[0-9]+|(?<![^\W_])(?:{'|'.join(NUMBER_WORDS)})(?![^\W_])")


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([" ", " ", "", "-"])), max_size=10))
def test_no_number_of_a_text_is_lost(pieces: list[tuple[str, str]]) -> None:
    text = "".join(piece + between for piece, between in pieces)
    found = [item for item in detect(text) if item.kind != "quotation"]
    lost = [hit[0] for hit in WRITTEN.finditer(text) if not overlaps(Span(*hit.span()), found)]
    assert lost == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 death in 2017, compared with 12 in 2018", ["1", "2017", "12", "2018"]),
        ("profits of $1 in 2010", ["$1", "2010"]),
        ("unemployment dropped 1 point in 2010", ["1", "2010"]),
        ("1 in 2000 births", ["1 in 2000"]),
        ("lifted the Nasdaq 1.2 percent", ["1.2"]),
        ("On May 12 300 soldiers left", ["May 12", "300"]),
        ("a six-figure sum and a 40-something", ["six-figure", "40-something"]),
        ("between two million and three million people", ["two million and three million"]),
        ("a hundred and fifty thousand", ["a hundred and fifty thousand"]),
        ("estimated at three million and five million copies", ["three million", "five million"]),
    ],
)
def test_a_number_near_another_is_found_whole(text: str, found: list[str]) -> None:
    assert texts(detect(text), text) == found


@given(st.text(max_size=300))
def test_any_text_gives_detections_in_order_within_it(text: str) -> None:
    found = detect(text)
    assert found == sorted(found, key=lambda item: (item.start, -item.end, item.kind))
    assert all(0 <= item.start < item.end <= len(text) for item in found)


@given(st.lists(st.sampled_from([*"9 50 1.5 $5 mm km L x s - – . , ' ’ 人 é ½ % € No. a".split(), " "]), max_size=8))
def test_every_number_consists_of_whole_words_and_no_two_of_a_kind_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = [item for item in detect(text) if item.kind != "quotation"]
    assert [item for item in found if cuts_a_word(text, Span(item.start, item.end))] == []
    assert [item for item in found if overlaps(item, [each for each in found if each is not item])] == []


WORDS_OF_NUMBERS = (
    "a an one half not even single full year month decade dozen of hundreds few third in ten Two - 7 ½ % ."
)


@given(st.lists(st.sampled_from(WORDS_OF_NUMBERS.split()) | st.text(max_size=4), max_size=8).map(" ".join))
def test_a_paragraph_that_is_skipped_contains_no_number(text: str) -> None:
    assert quantities.may_contain_numbers(text) or quantities.analyse(text) == ([], [])


def test_a_number_does_not_take_its_unit_from_the_next_paragraph() -> None:
    assert detect("0\nPlay Audio for soldiers")[0].quantity == quantities.read_quantity("0")


def test_every_quotation_and_number_of_the_articles_in_other_styles_is_found() -> None:
    counts = list(marked_articles.detected())
    assert len({name for name, *_ in counts}) == 22
    assert [(name, kind) for name, kind, each in counts if each.recalled < each.expected] == []
    assert sum(each.found - each.right for *_, each in counts) <= 10
