"""Charts print only numbers that articles print or that rows give, and fit in their pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from conftest import PROJECT
from defectors_data.documents.charts import drawing

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pictures() -> dict[str, ET.Element]:
    found = {}
    for path in sorted((PROJECT / "dist").glob("charts/*.svg")):
        found[path.stem] = ET.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314  # made here
    return found


def shown(picture: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in picture.iter(f"{SVG}text")]


def test_a_chart_without_data_is_not_made(package: Path) -> None:
    assert not (package / "charts").exists()


def test_every_chart_has_a_wide_and_a_narrow_form(pictures: dict[str, ET.Element]) -> None:
    wide = {name for name in pictures if not name.endswith("-narrow")}
    assert wide
    assert pictures.keys() == wide | {f"{name}-narrow" for name in wide}
    for name, picture in pictures.items():
        assert picture.attrib["width"] == ("720" if name in wide else "360")


def test_every_chart_has_a_title_a_text_alternative_and_a_source(pictures: dict[str, ET.Element]) -> None:
    for picture in pictures.values():
        title, description = picture[0], picture[1]
        assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
        assert picture.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]
        assert picture.attrib["role"] == "img"
        assert len(description.text or "") > 40
        lines = " ".join(shown(picture))
        assert lines.startswith(title.text or "?")
        assert re.search(r"Source: .* Data: .* \d{4}-\d\d-\d\d", lines)


def test_a_chart_loads_nothing_and_has_both_colour_schemes(pictures: dict[str, ET.Element]) -> None:
    for picture in pictures.values():
        text = ET.tostring(picture, encoding="unicode")
        assert "prefers-color-scheme: dark" in text
        assert not re.search(r"href|url\((?!#)|@import|<script|<image|\son\w+=|\sstyle=", text)
        assert len(re.findall(r'\bid="', text)) == len(set(re.findall(r'\bid="([^"]+)"', text)))


def test_texts_fit_in_the_picture_with_the_widest_fonts(pictures: dict[str, ET.Element]) -> None:
    for name, picture in pictures.items():
        measure = drawing.Drawing("name", int(picture.attrib["width"]), "", "")
        for text in picture.iter(f"{SVG}text"):
            width = measure.width_of(text.text or "", text.attrib["class"])
            for more in text:
                width += measure.width_of(more.text or "", more.attrib["class"]) + float(more.attrib["dx"])
            start = float(text.attrib["x"])
            if text.attrib.get("text-anchor") == "middle":
                start -= width / 2
            elif text.attrib.get("text-anchor") == "end":
                start -= width
            assert start >= 0, (name, text.text)
            assert start + width <= float(picture.attrib["width"]), (name, text.text)
            assert float(text.attrib["y"]) < float(picture.attrib["height"])


def test_no_text_is_smaller_than_twelve_pixels(pictures: dict[str, ET.Element]) -> None:
    for picture in pictures.values():
        assert min(float(text.attrib["font-size"]) for text in picture.iter(f"{SVG}text")) >= 12
