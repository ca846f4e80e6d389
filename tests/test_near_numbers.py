"""Words near a number: those that may deny or suppose it, and parts of it that are not read."""

from __future__ import annotations

import pytest

from defectors_data.text.detection import detect
from defectors_data.text.english.partial_numbers import unread_part
from defectors_data.text.english.polarity import polarity_cue
from defectors_data.text.offsets import Span

SENTENCES = [
    ("Quill denied that 40 houses were flooded.", "denied"),
    ("40 houses were never flooded.", "never"),
    ("40 houses weren’t flooded.", "n’t"),
    ("The council refuted reports of 40 houses.", "refuted"),
    ("It is false that 40 houses were flooded.", "false"),
    ("The river did not hit 40 houses.", "not"),
    ("Not 40 houses but 14 were flooded.", "Not"),
    ("It was nowhere near 40 houses.", "nowhere near"),
    ("If it rains the water will reach 40 houses.", "If"),
    ("Were the water to reach 40 houses, it would stop.", "Were"),
    ("The water could reach 40 houses.", "could"),
    ("It will be 40 houses if it rains.", "if"),
    ("Did it flood 40 houses?", "?"),
    ("Quill did not sleep, because 40 houses were flooded.", None),
    ("No one slept. 40 houses were flooded. Nobody came.", None),
    ("Not only 40 houses were flooded.", None),
    ("No more than 40 houses were flooded.", None),
    ("There were no fewer than 40 houses.", None),
    ("They did not leave before 40 houses were flooded.", None),
    ("Not until 40 houses were flooded did it stop.", None),
    ("It didn’t stop until 40 houses were flooded.", None),
    ("There is no doubt that 40 houses were flooded.", None),
    ("It was not the first time that 40 houses were flooded.", None),
    ("Not merely 40 houses were flooded.", None),
    ("They did not leave, not 40 houses.", "not"),
    ("Not all 40 houses were flooded.", "Not"),
    ("Not yet 40 houses were flooded.", "Not"),
    ("If it stops before 40 houses are flooded, all is well.", "If"),
    ("It hit 40 houses on No. 1 road.", None),
    ("On May 4 it was 40 houses.", None),
    ("The river, had swollen to 40 houses.", None),
    ("40 houses were flooded, but no mill.", None),
    ("It would join the 40-house union.", None),
    ("It would be a 40-house union.", "would"),
    ("The union might burn – all 40 houses.", None),
    ("40 houses might burn - or no mill.", None),
    ("40 of them said it would not burn.", None),
    ("40 of them did not say it burned.", None),
    ("Some 40 others have not said whom they back.", None),
    ("40 of the houses burned rather than 14.", None),
    ("It was 14 rather than 40 houses.", "rather than"),
    ("The map was 40 percent wrong.", None),
    ("Now 40 keepers left or have never met.", None),
    ("The cost is unlikely to be 40 dollars.", "unlikely"),
    ("We light 40 lamps and we certainly can’t see them.", None),
    ("It has 40 lamps and they can’t burn.", "n’t"),
    ("Now 40 keepers or millers never met.", "never"),
    ("It does not punish the 40 keepers.", None),
    ("Quill denied the 40 deaths.", "denied"),
    ("Quill sent 40 men the same text: “Do you see me?”", None),
    ("The 40 percent is wrong.", "wrong"),
    ("After 40 storms there is no mill.", None),
    ("He had 40 percent for not leaving.", None),
    ("40 keepers denied by Orr left.", None),
    ("40 deaths were later denied.", "denied"),
    ("40 lamps were promised on Tuesday.", "promised"),
    ("40 keepers were promised lamps.", None),
    ("Lamps were promised so 40 keepers can stay.", None),
    ("Lamps are promised so that 40 keepers stay.", None),
    ("There is no plan to join the 40 mills.", None),
    ("He did not sell the last 40 mills.", None),
    ("Orr may ask whether his 40 mills could burn.", None),
    ("Is it the largest in the last 40 years?", None),
    ("She did not mind paying 40 keepers.", None),
]


@pytest.mark.parametrize(("sentence", "cue"), SENTENCES)
def test_a_word_that_may_deny_or_suppose_a_number_is_in_its_clause(sentence: str, cue: str | None) -> None:
    start = sentence.index("40")
    assert polarity_cue(sentence, Span(start, start + 2)) == cue


UNREAD = [
    ("One hundred and fourty houses", "`fourty`"),
    ("Fourty-two houses", "`Fourty`"),
    ("40 tousand houses", "`tousand`"),
    ("40 K houses", "`K`"),
    ("a baker’s dozen houses", "`baker’s`"),
    ("4O houses", "`4O`"),
    ("1O0 houses", "`1O`"),
    ("1\u200b000 houses", "an invisible character"),
    ("40 thousand houses", None),
    ("hundred and happy houses", None),
    ("two eights", None),
    ("they scored 19 runs", None),
    ("10l of milk", None),
]


@pytest.mark.parametrize(("phrase", "part"), UNREAD)
def test_a_part_of_a_number_that_is_not_read_is_named(phrase: str, part: str | None) -> None:
    first = next(each for each in detect(phrase) if each.quantity)
    assert unread_part(phrase, Span(first.start, first.end)) == part
