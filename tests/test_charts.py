"""Charts count persons, print only numbers that articles print or that rows give, and fit in their pictures."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser

from conftest import PROJECT, built, rows
from defectors_data.documents.charts.chart import in_words
from defectors_data.documents.charts.speakers import kept_off_overview
from defectors_data.documents.charts.svg import STYLE, Drawing
from defectors_data.rows.labels import Rows, outlet_label
from finding_cases import corpus, lay

SVG = "{http://www.w3.org/2000/svg}"
KEEPERS = PROJECT / "tests" / "charts"

Pictures: TypeAlias = dict[str, ET.Element]


@pytest.fixture(scope="module")
def keepers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of two invented articles that have all that the charts draw."""
    root = tmp_path_factory.mktemp("charts")
    lay(corpus({path.name: path.read_bytes() for path in KEEPERS.iterdir()}), root)
    assert built(root, root / "dist").outcome == "published"
    return root / "dist"


@pytest.fixture(params=["published", "keepers"])
def pictures(request: pytest.FixtureRequest, keepers: Path) -> Pictures:
    return pictures_of(PROJECT / "dist" if request.param == "published" else keepers)


def pictures_of(folder: Path) -> Pictures:
    found = {}
    for path in sorted(folder.glob("charts/*.svg")):
        found[path.stem] = ET.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314  # made here
    return found


def texts(picture: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in picture.iter(f"{SVG}text")]


def shown(picture: ET.Element) -> str:
    return " ".join(texts(picture))


def title(picture: ET.Element) -> str:
    return picture[0].text or ""


def dots(picture: ET.Element) -> list[str]:
    return [circle.attrib["class"] for circle in picture.iter(f"{SVG}circle")]


def test_charts_need_no_optional_column(tmp_path: Path) -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in KEEPERS.iterdir()}
    removed = re.compile(r"^ +outlet: \w.*\n|, population: \w+", re.MULTILINE)
    plain = {name: removed.sub("", words.replace("kind: other", "kind: own")) for name, words in files.items()}
    root = lay(corpus({name: words.encode() for name, words in plain.items()}), tmp_path / "corpus")
    assert built(root, root / "dist").outcome == "published"
    columns = {f"{name}.{column}" for name in ("testimonies", "figures") for column in rows(root / "dist", name)[0]}
    optional = {"testimonies.outlet", "figures.population", "figures.as_of"}
    assert columns.isdisjoint(optional)
    assert set(pictures_of(root / "dist")) >= {"timeline", "reasons", "reported-numbers"}


# ---- every picture -------------------------------------------------------------------------------------------


def test_every_chart_has_a_wide_and_a_narrow_form(pictures: Pictures) -> None:
    wide = {"timeline", "reasons", "reported-numbers"}
    assert pictures.keys() == wide | {f"{name}-narrow" for name in wide}
    for name, picture in pictures.items():
        assert picture.attrib["width"] == ("720" if name in wide else "360")


def test_every_chart_has_a_title_a_text_alternative_and_a_source(pictures: Pictures) -> None:
    for picture in pictures.values():
        assert [part.tag for part in picture[:2]] == [f"{SVG}title", f"{SVG}desc"]
        assert picture.attrib["aria-labelledby"].split() == [part.attrib["id"] for part in picture[:2]]
        assert picture.attrib["role"] == "img"
        assert len(picture[1].text or "") > 40
        assert shown(picture).startswith(title(picture))
        assert re.search(r"Source: .* Data: .* \d{4}-\d\d-\d\d", shown(picture))


def test_a_chart_loads_nothing_and_has_both_colour_schemes(pictures: Pictures) -> None:
    for picture in pictures.values():
        text = ET.tostring(picture, encoding="unicode")
        assert "prefers-color-scheme: dark" in text
        assert not re.search(r"href|url\((?!#)|@import|<script|<image|\son\w+=|\sstyle=", text)
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids))


def test_texts_fit_in_the_picture_with_the_widest_fonts(pictures: Pictures) -> None:
    for name, picture in pictures.items():
        measure = Drawing("name", int(picture.attrib["width"]), "", "")
        for text in picture.iter(f"{SVG}text"):
            width = measure.width_of(text.text or "", text.attrib["class"])
            for more in text:
                width += measure.width_of(more.text or "", more.attrib["class"]) + float(more.attrib["dx"])
            start = float(text.attrib["x"])
            start -= width * {"middle": 0.5, "end": 1.0}.get(text.attrib.get("text-anchor", ""), 0)
            assert start >= 0, (name, text.text)
            assert start + width <= float(picture.attrib["width"]), (name, text.text)
            assert float(text.attrib["y"]) < float(picture.attrib["height"])
            assert float(text.attrib["font-size"]) >= 12


def test_no_vertical_line_of_the_timeline_crosses_a_text(pictures: Pictures) -> None:
    for name in ("timeline", "timeline-narrow"):
        picture = pictures[name]
        measure = Drawing("name", int(picture.attrib["width"]), "", "")
        lines = [re.findall(r"[\d.]+", path.attrib["d"]) for path in picture.iter(f"{SVG}path")]
        upright = [(float(x), float(y), float(to_y)) for x, y, to_x, to_y in lines if x == to_x]
        assert upright
        for text in picture.iter(f"{SVG}text"):
            width = measure.width_of(text.text or "", text.attrib["class"])
            start, base = float(text.attrib["x"]), float(text.attrib["y"])
            start -= width * {"middle": 0.5, "end": 1.0}.get(text.attrib.get("text-anchor", ""), 0)
            middle = base - float(text.attrib["font-size"]) * 0.3
            crossing = [x for x, y, to_y in upright if start < x < start + width and y < middle < to_y]
            assert crossing == [], (name, text.text)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it."""
    lights = []
    for colour in (one, other):
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
    return max(lights) / min(lights)


def test_texts_and_marks_contrast_with_the_paper_in_both_schemes() -> None:
    for scheme in STYLE.split("@media"):
        colours = dict(re.findall(r"--(\w+): (#\w{6})", scheme))
        assert len(colours) == 8
        for name in colours.keys() - {"paper", "line"}:
            assert contrast(colours[name], colours["paper"]) >= 4.5, name


FONTS = ["DejaVu Sans", "DejaVu Serif", "Liberation Sans", "Noto Sans", "system-ui"]
FIT = """font => {
  const picture = document.querySelector("svg"), texts = [...picture.querySelectorAll("text")]
  for (const text of texts) text.style.fontFamily = font
  const boxes = texts.map(text => [text.getBBox(), text.textContent])
  const outside = boxes.filter(([box]) => box.x < 0 || box.x + box.width * 1.08 > picture.viewBox.baseVal.width)
  const beside = (a, b) => a.x + a.width <= b.x + 1 || a.y + a.height <= b.y + 5
  const meet = (a, b) => !beside(a, b) && !beside(b, a)
  const over = boxes.filter(([a], i) => boxes.some(([b], j) => i < j && meet(a, b)))
  return [...outside, ...over].map(([, words]) => words)
}"""
"""Texts that reach the edge of a picture with 8 % of slack, or that overlap, in a font."""


@pytest.mark.deep
def test_texts_do_not_overlap_in_a_browser(browser: Browser, keepers: Path) -> None:
    page = browser.new_page()
    for folder in (PROJECT / "dist", keepers):
        for path in sorted(folder.glob("charts/*.svg")):
            page.set_content(path.read_text(encoding="utf-8"))
            assert {font: page.evaluate(FIT, font) for font in FONTS} == {font: [] for font in FONTS}, path.name
    page.close()


# ---- numbers and people --------------------------------------------------------------------------------------


def test_every_number_of_a_chart_is_printed_in_an_article_or_counted() -> None:
    folder = PROJECT / "dist"
    seeds = " ".join(path.read_text(encoding="utf-8") for path in (PROJECT / "seeds").glob("*.txt"))
    printed = set(re.findall(r"\d[\d,.]*\d|\d", seeds))
    people = [row for row in rows(folder, "speakers") if row["kind"] == "person" and row["role"] == "defector"]
    for picture in pictures_of(folder).values():
        before_source = shown(picture).partition("Source: ")[0]
        numbers = set(re.findall(r"\d[\d,.]*\d|\d", before_source))
        assert numbers - printed <= {str(len(people))}


def test_the_titles_count_persons_of_the_tables() -> None:
    folder = PROJECT / "dist"
    speakers = {row["speaker_id"]: row for row in rows(folder, "speakers")}
    people = {key for key, row in speakers.items() if row["kind"] == "person" and row["role"] == "defector"}
    own = {"push": set[str](), "pull": set[str](), "barrier": set[str]()}
    given = set[str]()
    for row in rows(folder, "motives"):
        if row["decision"] == "leave":
            given |= {row["speaker_id"]} & people
            if row["reason_of"] == "speaker":
                own[row["direction"]] |= {row["speaker_id"]} & people
    assert {speakers[name]["anonymity"] for name in people} > {"named"}
    pictures, total = pictures_of(folder), f"up to {in_words(len(people))}"
    said = title(pictures["reasons"])
    anyone = in_words(len(set().union(*own.values())))
    drove = in_words(len(own["push"]))
    assert said.startswith(
        f"Articles report reasons of {anyone} of {total} individual deserters: what drove out {drove}"
    )
    for direction, words in (("pull", "what drew {}"), ("barrier", "what kept back {}")):
        assert (words.format(in_words(len(own[direction]))) in said) == bool(own[direction])
    others = len(given - set().union(*own.values()))
    verb = "gives" if others == 1 else "give"
    sentence = f"{in_words(others).capitalize()} more {verb} only reasons of others."
    assert (sentence in shown(pictures["reasons"])) == bool(others)
    dated = {row["speaker_id"] for row in rows(folder, "testimonies") if row["happened_of"] == "departure"} & people
    assert f"the leaving of {in_words(len(dated))} of {total} individual deserters" in title(pictures["timeline"])
    undated = in_words(len(people - dated))
    assert f"no date on which the other {undated} left." in shown(pictures["timeline"])


def test_nobody_is_named_with_a_reason_and_no_protected_person_anywhere(keepers: Path) -> None:
    for folder in (PROJECT / "dist", keepers):
        speakers, pictures = rows(folder, "speakers"), pictures_of(folder)
        people = [row for row in speakers if row["kind"] == "person" and row["name"]]
        for name, picture in pictures.items():
            text = ET.tostring(picture, encoding="unicode")
            hidden = [row["name"] for row in people if row["protected"] or name.startswith("reasons")]
            assert hidden or folder != keepers
            assert [person for person in hidden if person in text] == []


def test_the_overview_neither_quotes_nor_names_the_withheld_and_those_with_relatives_in_danger(keepers: Path) -> None:
    for folder in (PROJECT / "dist", keepers):
        speakers, testimonies = rows(folder, "speakers"), rows(folder, "testimonies")
        kept = {row["speaker_id"] for row in testimonies if row.get("relatives") in ("harmed", "at_risk")}
        kept &= {row["speaker_id"] for row in speakers if row["kind"] in ("person", "group")}
        kept |= {row["speaker_id"] for row in speakers if row["anonymity"] == "withheld"}
        page = (folder / "index.html").read_text(encoding="utf-8").partition('id="voices"')[0]
        pictures = " ".join(ET.tostring(each, encoding="unicode") for each in pictures_of(folder).values())
        shown = html.unescape(page.partition('id="overview"')[2] + pictures)
        named = {row["speaker_id"] for row in speakers if row["name"] and row["name"] in shown}
        assert not named & kept
        said = " ".join(row["text"] for row in testimonies if row["speaker_id"] in kept).replace("'", "’")
        # The words of a date are shown without a name.
        dates = {row["exact"] for row in rows(folder, "spans") if row["field"] == "happened"}
        quoted = {*re.findall("“([^”]+)”", shown), *re.findall(r'<q class="said"><bdi>(.*?)</bdi>', shown)}
        assert len(quoted) > 3
        assert [words for words in quoted - dates if words in said] == []


def test_people_are_kept_off_whose_acts_or_reasons_concern_relatives_although_no_code_says_so() -> None:
    names = ["act", "denied", "reason", "other"]
    rows: Rows = {
        "speakers": [{"speaker_id": name, "kind": "person", "anonymity": "named"} for name in names],
        "testimonies": [{"testimony_id": f"{name}-t1", "speaker_id": name, "relatives": None} for name in names],
        "acts": [
            {"testimony_id": "act-t1", "status": "alleged", "against": "Fenn’s brother-in-law"},
            {"testimony_id": "denied-t1", "status": "denied", "against": "her brother"},
            {"testimony_id": "other-t1", "status": "alleged", "against": "a father of two"},
        ],
        "motives": [
            {"testimony_id": "reason-t1", "factor": "reprisal_on_family"},
            {"testimony_id": "other-t1", "factor": "fear"},
        ],
    }
    assert kept_off_overview(rows) == {"act", "reason"}


def test_reasons_are_counted_by_persons_and_not_by_statements(keepers: Path) -> None:
    pictures = pictures_of(keepers)
    said = (
        "Articles report reasons of four of up to five individual keepers: what drove out four and what kept back one"
    )
    assert title(pictures["reasons"]) == said
    for name in ("reasons", "reasons-narrow"):
        assert sorted(dots(pictures[name])) == ["hollow slate", *["rust"] * 4, "slate"]
    described = pictures["reasons"][1].text or ""
    assert (
        "Drove them out, Hunger pay: 2 of themselves; “the pay was gone”; "
        "one person, to Example Wire, in Example Post; also “Several keepers”, a group." in described
    )
    assert "Kept them back, Fear: 1 of themselves; 1 only of others." in described
    # Reasons to rise are not reasons to leave, and a denied one is none.
    assert "Anger" not in described
    notes = shown(pictures["reasons"])
    assert "Reasons to rise against the government or to change sides, or not to, are left out." in notes
    assert "The data have no reason of the other one to leave, wait or stay, only one that is left out." in notes


def test_quoted_reasons_are_direct_speech_without_relatives_and_names(keepers: Path) -> None:
    said = shown(pictures_of(keepers)["reasons"])
    assert "“the pay was gone” one person, to Example Wire, in Example Post" in said
    assert re.findall("“[^”]+”", said) == ["“the pay was gone”", "“Several keepers”"]


def test_every_outlet_in_the_chart_of_reasons_is_that_of_a_quoted_person(keepers: Path) -> None:
    for folder in (PROJECT / "dist", keepers):
        told = {row["testimony_id"]: row for row in rows(folder, "testimonies")}
        sources = {row["source_id"]: outlet_label(row) for row in rows(folder, "sources")}
        places = dict[str, set[str]]()
        for row in rows(folder, "motives"):
            to = told[row["testimony_id"]]["outlet"]
            place = f"one person, to {to}, in " if to else "one person, in "
            places.setdefault(row["text"].replace("'", "’"), set()).add(f"{place}{sources[row['source_id']]}")
        said = described(folder)
        for words, place in re.findall(r"“([^”]+)”; (one person, [^;.]+)", said):
            assert place in places[words]
            said = said.replace(place, "")
        outlets = {*sources.values(), *(row["outlet"] for row in told.values())} - {None}
        assert not [outlet for outlet in outlets if outlet in said]


def described(folder: Path) -> str:
    """Return the text alternative of the chart of reasons."""
    return pictures_of(folder)["reasons"][1].text or ""


def test_the_notes_on_reasons_count_everyone_and_what_is_left_out() -> None:
    folder = PROJECT / "dist"
    speakers = {row["speaker_id"]: row for row in rows(folder, "speakers") if row["kind"] == "person"}
    stances = {row["testimony_id"]: row["stance"] for row in rows(folder, "testimonies")}
    leaving, rising = set[str](), set[str]()
    for row in rows(folder, "motives"):
        if row["speaker_id"] in speakers and stances[row["testimony_id"]] not in ("denies", "doubts"):
            (leaving if row["decision"] == "leave" else rising).add(row["speaker_id"])
    roles = {speakers[speaker_id]["role"] for speaker_id in leaving}
    everyone = {speaker_id for speaker_id, row in speakers.items() if row["role"] in roles}
    silent, elsewhere = everyone - leaving, (everyone - leaving) & rising
    sentence = f"The data have no reason of the other {in_words(len(silent))} to leave, wait or stay"
    if elsewhere and elsewhere != silent:
        sentence += f"; {in_words(len(elsewhere))} of them have one that is left out"
    notes = shown(pictures_of(folder)["reasons"])
    assert f"{sentence}." in notes
    inferred = [name for name in everyone if speakers[name]["role_inferred"]]
    for name in ("reasons", "timeline"):
        notes = shown(pictures_of(folder)[name])
        assert f"The roles of {in_words(len(inferred))} of the people counted here are inferred." in notes
        assert (
            "Some of the people counted can be the same person: each mention of someone unnamed counts as a new one"
            in notes
        )
        assert "Groups, and people with another role than deserter, are not counted." in notes


def test_departures_are_drawn_as_precisely_as_they_are_dated(keepers: Path) -> None:
    picture = pictures_of(keepers)["timeline"]
    assert (
        title(picture) == "Articles date the leaving of four of up to five individual keepers, two of them on 3 March"
    )
    assert dots(picture) == ["hollow rust", "rust", "rust"]
    assert len([rect for rect in picture.iter(f"{SVG}rect") if rect.attrib["class"] == "rust"]) == 1
    described = picture[1].text or ""
    people = ["Mira Fenn", "Keeper (not named here)", "Bruno Salt", "Keeper (person, not fully named)"]
    assert re.findall(r"(?:^|\. )(.*?) \((?:to )?Example", described) == people
    assert "Four of the dates are printed without a year" in shown(picture)
    assert "The data have no date on which the other one left." in shown(picture)


def test_who_only_intends_to_leave_has_not_left(tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in KEEPERS.iterdir()}
    before = b"    happened: {date: XXXX-02, basis: stated, of: departure"
    assert before in files["gazette.yaml"]
    files["gazette.yaml"] = files["gazette.yaml"].replace(before, b"    stance: intends\n" + before)
    root = lay(corpus(files), tmp_path / "corpus")
    assert built(root, tmp_path / "dist").outcome == "published"
    picture = pictures_of(tmp_path / "dist")["timeline"]
    assert title(picture).startswith("Articles date the leaving of three of up to five individual keepers")
    assert "Mira Fenn" not in (picture[1].text or "")


def test_a_departure_was_told_to_an_outlet_only_if_somebody_told_it() -> None:
    folder = PROJECT / "dist"
    told = set()
    for row in rows(folder, "testimonies"):
        narrated = row["mode"] == "narrated" and row["attribution"] == "about"
        if row["happened_of"] == "departure" and row["outlet"] and not narrated:
            told.add(row["outlet"])
    described_to = set(re.findall(r"\(to ([^)]+)\): ", pictures_of(folder)["timeline"][1].text or ""))
    assert described_to <= told


def test_the_measure_that_most_articles_report_is_drawn_in_their_words(keepers: Path) -> None:
    # Two articles print the strength of the service, which is not comparable; one denies the boats.
    picture = pictures_of(keepers)["reported-numbers"]
    numbers = "one article says “Nearly 40”, one “More than 60”, one “Between 50 and 70” (lighthouse keepers)"
    assert title(picture) == f"Keepers who left: {numbers}, one in other words"
    described = picture[1].text or ""
    assert described.startswith(
        "Example Gazette, March 2019, Harbour Office: “Nearly 40” (lighthouse keepers), also “Dozens”"
    )
    assert "Example Post, April 2019, the article: “More than 60”" in described
    small = [text.text for text in picture.iter(f"{SVG}text") if text.attrib.get("text-anchor") == "middle"]
    assert small == ["40", "50", "60", "70"]


def test_a_bar_fades_by_the_same_share_in_both_widths(keepers: Path) -> None:
    pictures = pictures_of(keepers)
    shares = []
    for name in ("reported-numbers", "reported-numbers-narrow"):
        bars = [rect.attrib for rect in pictures[name].iter(f"{SVG}rect") if "x" in rect.attrib]
        solid, fade = (float(bar["width"]) for bar in bars[:2])
        shares.append(round(fade / solid, 1))
    assert len(set(shares)) == 1


def test_bars_of_groups_that_cannot_be_compared_have_their_own_scales() -> None:
    for name in ("reported-numbers", "reported-numbers-narrow"):
        picture = pictures_of(PROJECT / "dist")[name]
        assert "Each group has its own scale." in shown(picture)
        ends = {}
        for text in picture.iter(f"{SVG}text"):
            if text.attrib.get("text-anchor") == "middle":
                ends[text.text] = text.attrib["x"]
        # The largest numbers of both groups end at one place, so that neither looks larger.
        assert len(ends) != 2 or len(set(ends.values())) == 1


def test_no_bound_is_drawn_for_a_vague_number(keepers: Path) -> None:
    picture = pictures_of(keepers)["reported-numbers"]
    words = texts(picture)
    assert "no number to draw" in words[words.index("“Scores”") :]
    assert not [rect for rect in picture.iter(f"{SVG}rect") if "ochre" in str(rect.attrib)]


def test_a_chart_without_data_is_not_made(package: Path) -> None:
    assert not (package / "charts").exists()
