"""The tools that measure what is read count what is found and what is missed in CoNLL-U and brat."""

from __future__ import annotations

from pathlib import Path

import pytest

import measure_attributions
import measure_detection
from defectors_data.text.attributions import attributions
from defectors_data.text.offsets import Span

CONLLU = """# newdoc id = lighthouse
# newpar
# text = Don't send II or 12 men.
1-2\tDon't\t_\t_\t_
1\tDo\tdo\tAUX\tVB
2\tn't\tnot\tPART\tRB
3\tsend\tsend\tVERB\tVB
4\tII\tII\tNUM\tCD
5\tor\tor\tCCONJ\tCC
6\t12\t12\tNUM\tCD
7\tmen\tman\tNOUN\tNNS

# text = One went at nine.
1\tOne\tone\tNUM\tCD
2\twent\tgo\tVERB\tVBD
3\tat\tat\tADP\tIN
4\tnine\tnine\tNUM\tCD
"""
ARTICLE = '“We left," Ada said. "It is 12 km.”\n'
ANNOTATION = """T1\tContent 1 9\tWe left,
T2\tCue 15 19\tsaid
T3\tContent 22 34\tIt is 12 km.
E1\tAttribution:T2 Content:T1
"""


def test_numbers_of_conllu_are_counted_without_one_and_roman_numerals(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(CONLLU, encoding="utf-8")
    (text,) = measure_detection.annotated_texts(tmp_path)
    assert text.text == "Don't send II or 12 men. One went at nine."
    assert [text.text[start:end] for start, end in text.numbers] == ["12", "nine"]


@pytest.mark.parametrize("folders", [("text", "attributions"), (".", ".")])
def test_quotations_of_brat_are_counted_next_to_the_text_or_in_the_layout_of_polnear(
    tmp_path: Path, folders: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in folders:
        (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folders[0] / "lamp.txt").write_text(ARTICLE, encoding="utf-8")
    (tmp_path / folders[1] / "lamp_ab12.ann").write_text(ANNOTATION, encoding="utf-8")
    measure_detection.measure(tmp_path, list_missed=True)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  digits: 1 of 1",
        "  quotations: 2 of 2",
        "  detected: quantity 1, quotation 2",
    ]


def test_a_quantity_that_is_not_detected_counts_as_missed() -> None:
    text = measure_detection.AnnotatedText("a", "12 men “left”", [Span(0, 2)], [Span(8, 12)])
    assert measure_detection.missed_numbers(text, []) == [(0, 2)]
    assert measure_detection.missed_digits(text, []) == [(0, 2)]
    assert measure_detection.missed_quotations(text, []) == [(8, 12)]


ATTRIBUTED = "“We left,” said a spokesman for Ada Pelt. Pelt said she wept. They saw that it burned.\n"
ATTRIBUTIONS = """T1\tSource 16 40\ta spokesman for Ada Pelt
T2\tCue 11 15\tsaid
T3\tContent 0 10\t“We left,”
T4\tSource 41 45\tPelt
T5\tCue 46 50\tsaid
T6\tContent 51 59\tshe wept
E1\tAttribution:T2 Source:T1 Cue:T2 Content:T3
E2\tAttribution:T5 Source:T4 Cue:T5 Content:T6
"""


def test_attributions_are_measured_by_cue_content_and_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lamp.txt").write_text(ATTRIBUTED, encoding="utf-8")
    (tmp_path / "lamp_ab12.ann").write_text(ATTRIBUTIONS, encoding="utf-8")
    measure_attributions.measure(tmp_path, list_faults=True)
    lines = capsys.readouterr().out.splitlines()
    assert "  direct: 1 of 1 (100.0%) found, content 1 of 1 (100.0%)" in lines
    assert "  indirect: 1 of 1 (100.0%) found, content 1 of 1 (100.0%)" in lines
    assert "  sources right: 2 of 2 (100.0%)" in lines


def test_a_name_inside_the_words_of_a_source_is_not_the_source() -> None:
    source = Span(16, 40)
    assert ATTRIBUTED[slice(*source)] == "a spokesman for Ada Pelt"
    (first, *_) = attributions(ATTRIBUTED)
    assert first.source
    assert measure_attributions.is_right(ATTRIBUTED, first.source, [source])
    wrong = first.source._replace(head=Span(32, 40))
    assert not measure_attributions.is_right(ATTRIBUTED, wrong, [source])
