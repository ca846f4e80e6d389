"""The page is made of the published tables, says of protected persons their role alone, and shows data as text."""

from __future__ import annotations

import base64
import csv
import datetime as dt
import hashlib
import html
import io
import json
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import INVENTED, PROJECT, built, dataset_of, edit
from defectors_data.documents import charts, page
from defectors_data.documents.page import published_text
from defectors_data.documents.page.comparison_groups import caveats, grouped, summary, summary_within
from defectors_data.documents.page.first_screen import VOICES, first_screen
from defectors_data.documents.page.lookups import Lookups
from defectors_data.documents.readme import compared_figures
from defectors_data.models.tables import ROW_OF
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import arrow_schema
from defectors_data.rows.labels import Row, Rows, date_label, is_about, publication_label
from hostile import TURNED, WORDS, hostile


class Parsed(HTMLParser):
    """A page as a browser reads it: its elements, its text, and what stands in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inline: dict[str, list[str]] = {"script": [], "style": []}
        self.described: list[str] = []
        self.within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.within = tag if tag in self.inline else ""
        if ("type", "application/ld+json") in attrs:
            self.within = "described"

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  # its name is the parser's
        self.within = ""

    def handle_data(self, data: str) -> None:
        holders = {"": self.texts, "described": self.described, **self.inline}
        holders[self.within].append(data)

    @property
    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.elements if "id" in attributes]


def parsed(folder: Path) -> Parsed:
    return Parsed((folder / "index.html").read_text(encoding="utf-8"))


def rows_of(folder: Path) -> Rows:
    rows: dict[str, list[Row]] = {name: [] for name in ROW_OF}
    for path in sorted(folder.glob("data/*.parquet")):
        rows[path.stem] = list(pq.read_table(path).to_pylist())
    return rows


def finished(folder: Path) -> PackageTables:
    return PackageTables(folder, [path.stem for path in folder.glob("data/*.parquet")])


# ---- what it is made of --------------------------------------------------------------------------------------


def test_page_and_charts_come_from_the_published_tables_alone(package: Path) -> None:
    dataset, tables = dataset_of(INVENTED), finished(package)
    drawn = charts.charts(tables, f"{dataset.name} {dataset.version}, {dataset.released}, {dataset.licence.name}")
    published = (package / "index.html").read_bytes()
    described = published.decode().partition('type="application/ld+json">')[2].partition("</script>")[0]
    has_changes = (package / "CHANGELOG.md").exists()
    assert page.page(dataset, tables, drawn, json_ld=described, has_changes=has_changes) == published
    for chart in drawn:
        for path, content in chart.files.items():
            assert content == (package / path).read_bytes()


def test_the_page_is_small_enough_to_open_at_once(folder: Path) -> None:
    assert (folder / "index.html").stat().st_size < 2_000_000


def test_a_page_of_a_large_corpus_refers_to_the_tables(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = finished(package)
    with monkeypatch.context() as smaller:
        smaller.setattr(page, "LARGEST", 100_000)
        made = page.page(dataset_of(INVENTED), tables, [])
    found = Parsed(made.decode())
    assert len(made) < 100_000
    assert {"overview", "data", "terms", "cite"} <= set(found.ids)
    assert not {"voices", "records", "testimonies/example-t1"} & set(found.ids)
    links = [str(attributes["href"]) for tag, attributes in found.elements if tag == "a"]
    assert [link for link in links if link.startswith("#") and link[1:] not in found.ids] == []
    assert page.page(dataset_of(INVENTED), tables, []).count(b"<article") > 0
    monkeypatch.setattr(page, "MOST", tables.number("ledger"))
    assert page.page(dataset_of(INVENTED), tables, []).count(b"<article") == 0


def test_every_record_has_one_permalink_and_no_link_is_broken(folder: Path) -> None:
    rows, found = rows_of(folder), parsed(folder)
    keys = {"testimonies": "testimony_id", "figures": "figure_id", "speakers": "speaker_id", "sources": "source_id"}
    expected = {f"{table}/{row[key]}" for table, key in keys.items() for row in rows[table]}
    waived = [row for row in rows["ledger"] if row["waiver_id"]]
    expected |= {f"waivers/{row['waiver_id']}" for row in waived}
    assert expected <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    links = {str(attributes["href"]) for tag, attributes in found.elements if tag == "a"}
    assert {link[1:].partition("?")[0] for link in links if link.startswith("#")} <= set(found.ids)
    files = {link for link in links if not link.startswith("#") and ":" not in link}
    assert len(files) > 2 * len([name for name in rows if rows[name]])
    assert [name for name in files if not (folder / name).is_file()] == []


def test_every_quotation_is_on_the_page_as_published(folder: Path) -> None:
    text = "".join(parsed(folder).texts)
    with (folder / "data/testimonies.csv").open(encoding="utf-8", newline="") as lines:
        quoted = [row["text"] for row in csv.DictReader(io.StringIO(lines.read(), newline=""))]
    assert [words for words in quoted if words not in text] == []


def test_the_first_screen_quotes_another_person_each_time(folder: Path) -> None:
    look = Lookups(rows_of(folder), "1.2.3")
    screen = first_screen(look)
    voices = [voice for voice in (screen.opening, screen.reason, *screen.others) if voice]
    assert len(screen.others) <= VOICES
    assert len({voice.testimony["speaker_id"] for voice in voices}) == len(voices)
    text = (folder / "index.html").read_text(encoding="utf-8")
    overview = text.partition('id="overview"')[2].partition('id="voices"')[0]
    for voice in voices:
        assert voice.testimony["mode"] == "direct"
        assert voice == screen.reason or f"#testimonies/{voice.testimony['testimony_id']}" in overview


def test_the_first_screen_shows_no_relatives_and_names_nobody_without_a_reason_to_leave() -> None:
    look = Lookups(rows_of(PROJECT / "dist"), "1.2.3")
    screen = first_screen(look)
    feared_for = {row["speaker_id"] for row in look.rows["testimonies"] if row["relatives"] in ("harmed", "at_risk")}
    for voice in filter(None, (screen.opening, screen.reason, screen.leaving, *screen.others)):
        row = voice.testimony
        assert row["relatives"] is None
        assert row["speaker_id"] not in feared_for
        assert row["stance"] == "asserts"
        if not look.speakers[row["speaker_id"]]["protected"]:
            motives = look.motives_of[row["testimony_id"]]
            assert {("leave", "speaker")} & {(each["decision"], each["reason_of"]) for each in motives}
    assert screen.opening
    assert look.motives_of[screen.opening.testimony["testimony_id"]]


def test_every_pair_of_figures_is_in_one_group_of_the_numbers(folder: Path) -> None:
    rows = rows_of(folder)
    groups = grouped(Lookups(rows, "1.2.3"))
    shown = {
        frozenset(each["figure_id"] for each in group.figures) for found in groups.values() for group in found.numbers
    }
    for row in rows["comparisons"]:
        assert any({row["figure_a"], row["figure_b"]} <= figures for figures in shown)
    text = (folder / "index.html").read_text(encoding="utf-8")
    for name, found in groups.items():
        assert (f'id="h-{name}"' in text) == bool(found.numbers or found.statements)


def pair_of_figures(verdict: str, **other: Any) -> dict[str, Any]:
    figures = {"figure_a": "example-f1", "figure_b": "second-f2"}
    return {"verdict": verdict, "same_source": False, "dependence": None, "times": "equal", **figures, **other}


def test_an_agreement_that_may_have_one_source_or_two_times_says_so(package: Path) -> None:
    look = Lookups(rows_of(package), "1.2.3")
    nameless = pair_of_figures("same", dependence="second names no source of its figure.", times="b_undated")
    label = look.sources["second"]["label"]
    assert caveats(look, [nameless]) == ["At least one is undated.", f"{label} names no source of its figure."]
    assert caveats(look, [pair_of_figures("entails", times="overlap")]) == ["Their periods differ."]
    assert caveats(look, [pair_of_figures("conflicts", times="a_within_b")]) == ["Their periods differ."]
    assert caveats(look, [pair_of_figures("same"), nameless | {"verdict": "not_comparable"}]) == []
    pairs = [nameless, pair_of_figures("conflicts"), pair_of_figures("same", same_source=True)]
    said = "Of 2 pairs of numbers of one measure from different articles, 1 agrees (none between independent sources) "
    assert compared_figures(pairs) == f"{said}and 1 contradicts. One number can be in several pairs."
    assert "2 agree (1 between independent sources)" in compared_figures([*pairs, pair_of_figures("entails")])
    assert compared_figures(pairs[2:]) == ""
    undated = "1 contradicts and 1 differs (whether at one time is not known)."
    assert undated in compared_figures([*pairs, pair_of_figures("differs_undated", times="b_undated")])


def test_datasheet_and_page_count_the_pairs_of_figures_in_one_sentence() -> None:
    sentence = compared_figures(rows_of(PROJECT / "dist")["comparisons"])
    assert sentence in "".join(parsed(PROJECT / "dist").texts)
    assert sentence in (PROJECT / "dist/datasheet.md").read_text(encoding="utf-8")


def test_pairs_about_one_event_are_counted_with_their_events(package: Path) -> None:
    rows = rows_of(package)
    ids = [f"second-{row['testimony_id']}" for row in rows["testimonies"][:5]]
    testimonies = [{**rows["testimonies"][0], "testimony_id": name} for name in ids]
    for joined, said in (
        ([(0, 1), (2, 3)], "2 are about the same event (4 passages on 2 events)."),
        ([(0, 1), (2, 3), (1, 2)], "3 are about the same event (4 passages on 1 event)."),
        ([(3, 4)], "1 is about the same event (2 passages on 1 event)."),
    ):
        pairs = [{"first": ids[a], "second": ids[b]} for a, b in joined]
        related = [{**pair, "kind": "same_event", "reason": "same_occurrence"} for pair in pairs]
        look = Lookups({**rows, "testimonies": testimonies, "statement_relations": related}, "1.2.3")
        assert said in summary_within(grouped(look), {"person"})


def test_pairs_of_statements_are_counted_between_articles_and_within_one_apart() -> None:
    rows = rows_of(PROJECT / "dist")
    look = Lookups(rows, "1.2.3")
    groups, source_of = grouped(look), {}
    for row in rows["testimonies"]:
        source_of[row["testimony_id"]] = row["source_id"]
    counts = Counter[tuple[bool, str]]()
    for row in rows["statement_relations"]:
        counts[source_of[row["first"]] == source_of[row["second"]], row["kind"]] += 1
        counts[source_of[row["first"]] == source_of[row["second"]], row["reason"]] += 1
    kinds = {row["kind"] for row in rows["readings"]}
    for within, said in ((False, summary(look, groups, kinds)), (True, summary_within(groups, kinds))):
        total = sum(counts[within, kind] for kind in ("confirms", "contradicts", "compatible", "same_event"))
        where = "Within one article" if within else "Between articles"
        assert f"{where}, language models noted {total} pairs of statements: " in said
        agree = "agrees" if counts[within, "confirms"] == 1 else "agree"
        assert f" {agree} ({counts[within, 'same_authority']} perhaps from one source)" in said
        numbers = re.findall(r"(?:,| and|:) (\d+) ", said.partition(" of statements")[2])
        kinds_of_pairs = ("confirms", "contradicts", "compatible", "same_event")
        assert [int(each) for each in numbers] == [
            counts[within, each] for each in kinds_of_pairs if counts[within, each]
        ]
    text = "".join(parsed(PROJECT / "dist").texts)
    overview = text.partition("How many, and who says so")[2].partition("Where the articles agree")[0]
    unjudged = "Pairs that nobody noted were not judged, and how far readers agree on pairs was not measured."
    assert "Between articles, language models noted" in overview
    assert unjudged in overview
    assert unjudged in (PROJECT / "dist/datasheet.md").read_text(encoding="utf-8")
    assert "readers noted" in summary(look, groups, {"person", "language_model"})
    assert "Within one article" not in overview
    assert summary_within(groups, kinds) in text


def test_the_number_of_a_vague_figure_is_shown_as_a_convention() -> None:
    text = (PROJECT / "dist/index.html").read_text(encoding="utf-8")
    records = dict(re.findall(r'<article class="record" id="figures/([^"]+)"(.*?)</article>', text, re.DOTALL))
    for row in rows_of(PROJECT / "dist")["figures"]:
        shown = records[row["figure_id"]].partition("In the table: ")[2].partition("</dd>")[0]
        if row["hedge"] == "vague":
            assert shown.startswith(f"at least {row['low']:,.0f}, by this dataset’s convention.")
        else:
            assert "convention" not in shown


def test_a_quotation_of_the_overview_says_to_which_outlet_it_was_said() -> None:
    text = (PROJECT / "dist/index.html").read_text(encoding="utf-8")
    overview = text.partition('id="overview"')[2].partition('id="voices"')[0]
    screen = first_screen(Lookups(rows_of(PROJECT / "dist"), "1.2.3"))
    voices = (screen.opening, screen.reason, screen.leaving, *screen.others)
    outlets = [voice.testimony["outlet"] for voice in voices if voice]
    assert re.findall(r"<br>to (.*?), in <a", overview) == [outlet for outlet in outlets if outlet]


def test_articles_have_titles_and_terms_labels_where_people_read(folder: Path) -> None:
    rows, found = rows_of(folder), parsed(folder)
    options = {text for text in found.texts if text in {row["source_id"] for row in rows["sources"]}}
    assert options == {row["source_id"] for row in rows["sources"]}  # as the identifier of each article alone
    text = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r"<a [^>]*>([^<]*)</a>", text)
    ids = {cell for table in rows.values() for row in table[:500] for key, cell in row.items() if key.endswith("_id")}
    assert [link for link in links if link in ids] == []


@pytest.mark.filterwarnings("ignore::defectors_data.ChangedFileWarning")
def test_a_withdrawn_record_says_so_at_its_address(package: Path, tmp_path: Path) -> None:
    day = dt.date(2020, 3, 4)
    stone = {"record_table": "waivers", "record_id": "example-w99", "date": day, "reason_class": "safety"}
    copy = Path(shutil.copytree(package, tmp_path / "copy"))
    path = copy / "data/tombstones.parquet"
    pq.write_table(pa.Table.from_pylist([stone], schema=arrow_schema(ROW_OF["tombstones"])), path)
    made = page.page(dataset_of(INVENTED), finished(copy), []).decode()
    [record] = re.findall(r'<article class="record" id="waivers/example-w99".*?</article>', made, re.DOTALL)
    assert "4 March 2020: the record could put someone in danger" in record


def test_a_term_has_the_label_of_the_vocabulary_or_its_words(copied: Path, tmp_path: Path) -> None:
    edit(copied, "annotations/vocabulary.yaml", "  - term: weather\n", "  - term: weather\n    label: Wind and fog\n")
    assert built(copied, tmp_path / "dist").outcome == "published"
    labels = {row["term"]: row["label"] for row in rows_of(tmp_path / "dist")["terms"]}
    assert (labels["weather"], labels["hunger_pay"]) == ("Wind and fog", "Hunger pay")


@pytest.mark.parametrize(
    ("date", "words"),
    [
        ("2019-02-25", "25 February 2019"),
        ("2019-03~", "about March 2019"),
        ("2019-21", "spring 2019"),
        ("2019-21/2019-24", "spring to winter 2019"),
        ("2014/..", "since 2014"),
        ("XXXX-02-27", "27 February"),
        ("2019-02/2019-03", "February to March 2019"),
        ("2019-02-22/2019-02-23", "22 to 23 February 2019"),
        ("2018-12-31/2019-01-01", "31 December 2018 to 1 January 2019"),
        ("2019-02-22/2019-02-22", "22 February 2019"),
        ("2019-05?", "perhaps May 2019"),
        ("[2019-02,2019-04]", "[2019-02,2019-04]"),
    ],
)
def test_a_date_is_worded(date: str, words: str) -> None:
    assert date_label(date) == words


def test_an_article_of_two_possible_days_was_published_on_one_or_the_other() -> None:
    assert publication_label("2019-05-02/2019-05-03") == "2 or 3 May 2019"
    assert publication_label("2019-05-02/2019-05-04") == "2 to 4 May 2019"
    assert publication_label("2019-03/2019-03") == "March 2019"


# ---- what it lets happen -------------------------------------------------------------------------------------


def test_the_policy_lets_nothing_in_but_the_parts_that_it_names(folder: Path) -> None:
    found = parsed(folder)
    [policy] = [str(a["content"]) for _, a in found.elements if a.get("http-equiv") == "Content-Security-Policy"]
    hashes = {
        f"{kind}-src 'sha256-{base64.b64encode(hashlib.sha256(''.join(texts).encode()).digest()).decode()}'"
        for kind, texts in found.inline.items()
    }
    embedded = {"font-src data:", "img-src data:"}
    expected = {"default-src 'none'", *hashes, *embedded, "base-uri 'none'", "form-action 'none'"}
    assert set(policy.split("; ")) == expected


def test_no_element_loads_files_or_has_scripts_or_styles(folder: Path) -> None:
    elements = parsed(folder).elements
    assert not [tag for tag, attributes in elements if {"src", "srcset", "style", "action"} & attributes.keys()]
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {tag for tag, _ in elements}


def test_markup_in_a_quotation_is_exported_as_text(copied: Path, tmp_path: Path, package: Path) -> None:
    assert built(hostile(copied), tmp_path / "dist").outcome == "published"
    found, plain = parsed(tmp_path / "dist"), parsed(package)
    assert [attributes.get("type") for tag, attributes in found.elements if tag == "script"] == [
        "application/ld+json",
        None,
    ]
    assert json.loads("".join(found.described))["@type"] == "Dataset"
    assert not [tag for tag, _ in found.elements if tag == "img"]
    assert {tag for tag, _ in found.elements} == {tag for tag, _ in plain.elements}
    assert found.inline == plain.inline
    text = "".join(found.texts)
    assert [words for words in WORDS if text.count(words) < 2] == []
    shown = "".join(f"⟦U+{ord(c):04X}⟧" if not c.isascii() else c for c in TURNED)
    assert shown in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", (tmp_path / "dist/index.html").read_text(encoding="utf-8"))


def test_a_description_for_machines_cannot_end_its_element() -> None:
    made = page.page(dataset_of(INVENTED), finished(PROJECT / "dist"), [], json_ld='{"name": "</script><img src=x>"}')
    found = Parsed(made.decode())
    assert [tag for tag, _ in found.elements].count("script") == 2
    assert not [tag for tag, _ in found.elements if tag == "img"]


# ---- people --------------------------------------------------------------------------------------------------


def test_of_a_protected_person_the_page_shows_the_role_alone(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    protected = [row for row in rows_of(folder)["speakers"] if row["protected"]]
    assert protected
    for speaker in protected:
        [record] = re.findall(
            rf'<article class="record" id="speakers/{speaker["speaker_id"]}".*?</article>', text, re.DOTALL
        )
        shown = record.partition("<dt>Testimonies</dt>")[0].partition("<dt>Numbers</dt>")[0].partition("Cite</h3>")[0]
        assert ("possibly a pseudonym" if speaker["pseudonym_possible"] else "(person, n") in shown
        told = {speaker[column] for column in ("rank_class", "branch", "request")} - {None}
        assert not [value for value in told if value in shown or value.replace("_", " ") in shown]


def test_the_subject_of_a_narrated_passage_is_never_shown_as_its_speaker(folder: Path) -> None:
    text, rows = (folder / "index.html").read_text(encoding="utf-8"), rows_of(folder)
    listed = dict(re.findall(r'<li data-id="testimonies/([^"]+)".*?<p class="by"[^>]*>(.*?)</p>', text, re.DOTALL))
    records = dict(re.findall(r'<article class="record" id="testimonies/([^"]+)"(.*?)</article>', text, re.DOTALL))
    for row in rows["testimonies"]:
        testimony_id = row["testimony_id"]
        assert is_about(row) == (row["mode"] == "narrated" and row["attribution"] == "about")
        assert (", about <a" in listed[testimony_id]) == is_about(row)
        assert ("<dt>About whom</dt>" in records[testimony_id]) == is_about(row)
        assert ("<dt>Who</dt>" in records[testimony_id]) != is_about(row)
        assert ("testimony (about " in records[testimony_id]) == is_about(row)
        if is_about(row):
            assert "Who speaks is" not in records[testimony_id]
    groups = text.partition('id="l-groups"')[2].partition("</section>\n</div>")[0]
    about = {row["testimony_id"] for row in rows["testimonies"] if is_about(row)}
    for testimony_id, line in re.findall(r'<li><a class="open" href="#testimonies/([^"]+)">(.*?)</li>', groups):
        assert (", about <a" in line) == (testimony_id in about)


def test_the_page_in_spanish_is_in_spanish_from_top_to_foot() -> None:
    found = Parsed((PROJECT / "dist/es.html").read_text(encoding="utf-8"))
    english = [tag for tag, attributes in found.elements if attributes.get("lang") == "en"]
    assert english == ["a"]  # the way to the page in English, in English
    text = " ".join("".join(found.texts).split())
    assert text.count("English") == 1
    assert "Venezuela’s" not in text
    for words in (
        "o pedirlo en nombre de otra persona",
        "abra la pestaña «Security» y elija «Report a vulnerability»",
        "si la persona podría estar en peligro",
        "No consta que una persona haya leído ningún artículo para estos datos; solo se registraron lecturas",
        "El conjunto de datos completo, en inglés",
    ):
        assert words in text
    assert "SECURITY.md" not in text


# ---- words in their place ------------------------------------------------------------------------------------


def span(start: int, exact: str, prefix: str | None = None, suffix: str | None = None) -> dict[str, object]:
    place = {"source_id": "example", "start_offset": start, "end_offset": start + len(exact)}
    return {
        **place,
        "exact": exact,
        "prefix": prefix,
        "suffix": suffix,
        "line": 1,
        "record_id": "",
        "field": "",
        "record_table": "",
    }


def text_of(spans: list[dict[str, object]]) -> published_text.SourceText:
    others: Rows = {name: [] for name in ROW_OF}
    return published_text.published({**others, "spans": spans})["example"]


def test_between_marks_of_omission_a_record_shows_the_articles_own_characters(folder: Path) -> None:
    root = PROJECT if folder == PROJECT / "dist" else INVENTED
    files = {row["source_id"]: root / "seeds" / row["seed_file"] for row in rows_of(folder)["sources"]}
    seeds = {source: path.read_text(encoding="utf-8") for source, path in files.items()}
    page_text = (folder / "index.html").read_text(encoding="utf-8")
    shown, joined = 0, []
    for record, context in CONTEXTS.findall(page_text):
        text = html.unescape(re.sub("</?mark>", "", context))
        seed = next(seed for source, seed in seeds.items() if record.startswith(f"{source}-"))
        shown += 1
        joined += [(record, piece) for piece in text.split(" […] ") if piece not in seed]
    assert (shown, joined) == (len(rows_of(folder)["testimonies"]) + len(rows_of(folder)["figures"]), [])


CONTEXTS = re.compile(
    '<article class="record" id="(?:testimonies|figures)/([^"]+)"'
    '.*?<blockquote class="context"[^>]*><bdi>(.*?)</bdi></blockquote>',
    re.DOTALL,
)


def test_the_context_is_what_is_published_and_what_is_not_is_a_gap() -> None:
    spans = [span(0, "First."), span(8, "Second."), span(40, "Third."), span(600, "Far away.")]
    text = text_of(spans)
    segments = published_text.segments(text, [span(8, "Second.")])
    assert [tuple(segment) for segment in segments] == [
        ("context", "First."),
        ("gap", " […] "),
        ("evidence", "Second."),
        ("gap", " […] "),
        ("context", "Third."),
    ]


def test_a_word_that_the_context_cuts_is_left_out() -> None:
    spans = [span(40, "nearly forty", prefix="rdship was a ", suffix=" keepers le")]
    text = text_of(spans)
    assert "".join(segment.text for segment in published_text.segments(text, spans)) == "was a nearly forty keepers "
