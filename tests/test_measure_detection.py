"""The tool that measures detection reads CoNLL-U and brat, and counts what is found and what is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

import measure_detection
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


def test_what_is_not_detected_is_missed() -> None:
    text = measure_detection.AnnotatedText("a", "12 men “left”", [Span(0, 2)], [Span(8, 12)])
    assert measure_detection.missed_numbers(text, []) == [(0, 2)]
    assert measure_detection.missed_digits(text, []) == [(0, 2)]
    assert measure_detection.missed_quotations(text, []) == [(8, 12)]
