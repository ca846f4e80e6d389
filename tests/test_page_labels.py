"""Lines and labels of the page say no more of speakers, outlets, reasons and numbers than the tables do."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from conftest import INVENTED, PROJECT, dataset_of
from defectors_data.documents import page
from defectors_data.documents.page.first_screen import first_screen
from defectors_data.documents.page.lookups import Lookups
from defectors_data.rows.labels import Row, article_label, articles_by_id, is_about, printed_number
from test_page import finished, rows_of


def test_a_line_says_to_whom_something_was_said_only_if_it_was_said(folder: Path) -> None:
    text, rows = (folder / "index.html").read_text(encoding="utf-8"), rows_of(folder)
    listed = dict(re.findall(r'<li data-id="testimonies/([^"]+)".*?<p class="by"[^>]*>(.*?)</p>', text, re.DOTALL))
    writers = {row["speaker_id"] for row in rows["speakers"] if row["kind"] == "writer"}
    names = {row["name"] for row in rows["speakers"] if row["kind"] == "writer" and row["name"]}
    for row in rows["testimonies"]:
        line = re.sub("<[^>]+>", "", html.unescape(listed[row["testimony_id"]]))
        reported = row["mode"] != "direct" and row["speaker_id"] not in writers
        if is_about(row):
            expected = f", who spoke to {row['outlet']}" if row["outlet"] else ""
            assert line.startswith("the article, about ")
        elif row["outlet"]:
            expected = f" · to {row['outlet']}" + ", as the article reports" * reported
        else:
            expected = " · as the article reports" * reported
        assert line.endswith(expected)
        assert row["outlet"] or not re.search(" · to |spoke to", line)
        # Writers have one label, with and without a name.
        assert line.startswith("the writer") == (row["speaker_id"] in writers)
        assert line.startswith("the article") == is_about(row)
        assert not [name for name in names if name in line]


def test_an_inferred_author_is_marked() -> None:
    folder = PROJECT / "dist"
    text, rows = (folder / "index.html").read_text(encoding="utf-8"), rows_of(folder)
    inferred = [row for row in rows["sources"] if row["authors_basis"] == "inferred"]
    assert inferred
    for row in inferred:
        assert text.count(f"<dd>{row['authors']} (inferred)") == 1
    assert text.count("is inferred.</dd>") + text.count("is inferred.<details") == len(inferred)


def test_what_was_found_elsewhere_of_an_article_is_marked_at_its_link_with_the_note_below() -> None:
    folder = PROJECT / "dist"
    text = html.unescape((folder / "index.html").read_text(encoding="utf-8"))
    elsewhere = [row for row in rows_of(folder)["sources"] if row["url_basis"] == "external"]
    assert text.count("</a> (found elsewhere: see the note)") == len(elsewhere) > 0
    assert [row["source_id"] for row in elsewhere if f"<dd>{row['note']}</dd>" not in text] == []


def test_the_words_for_a_reason_say_which_decision_it_is_about(folder: Path) -> None:
    text, rows = (folder / "index.html").read_text(encoding="utf-8"), rows_of(folder)
    records = dict(re.findall(r'<article class="record" id="testimonies/([^"]+)"(.*?)</article>', text, re.DOTALL))
    voices = text.partition('<form class="filters" data-for="l-voices">')[2].partition("</form>")[0]
    select = voices.partition('<select name="reason">')[2].partition("</select>")[0]
    choices = dict(re.findall(r'<option value="([^"]+)">([^<]+)</option>', select))
    used = set()
    for row in rows["motives"]:
        value = f"{row['decision']}.{row['direction']}.{row['factor']}"
        used.add(value)
        rises = " rise " in choices[value] or " rising " in choices[value]
        assert rises == (row["decision"] == "rise")
        assert f'<a href="#voices?reason={value}">{choices[value]}</a>' in records[row["testimony_id"]]
    assert choices.keys() == used


def test_a_narrated_experience_is_that_of_those_whom_it_is_about(folder: Path) -> None:
    text, rows = (folder / "index.html").read_text(encoding="utf-8"), rows_of(folder)
    records = dict(re.findall(r'<article class="record" id="testimonies/([^"]+)"(.*?)</article>', text, re.DOTALL))
    for row in rows["testimonies"]:
        said = "Theirs; how the writer knows is not recorded" in records[row["testimony_id"]]
        assert said == (is_about(row) and row["access"] == "own_experience")
        found_as_own = f'<li data-id="testimonies/{row["testimony_id"]}"[^>]*data-access="own_experience"'
        assert bool(re.search(found_as_own, text)) == (row["access"] == "own_experience" and not is_about(row))
        assert ("<dt>How they know</dt>" in records[row["testimony_id"]]) == bool(row["access"] and not is_about(row))


def test_a_measure_is_used_in_as_many_numbers_as_its_link_shows() -> None:
    page = (PROJECT / "dist/index.html").read_text(encoding="utf-8")
    used = Counter(row["measure"] for row in rows_of(PROJECT / "dist")["figures"] if row["measure"])
    found = re.findall(r'<a href="#numbers\?measure=(\w+)">Used in (\d+) row', page)
    assert {measure: int(number) for measure, number in found} == used


RECORD = (
    '<article class="record" id="(?:testimonies|figures)/([^"]+)".*?<blockquote class="context"[^>]*><bdi>(.*?)</bdi>'
)


def test_no_record_shows_the_words_around_it_in_a_paragraph_about_a_protected_person(folder: Path) -> None:
    rows, root = rows_of(folder), PROJECT if folder == PROJECT / "dist" else INVENTED
    files = {row["source_id"]: root / "seeds" / row["seed_file"] for row in rows["sources"]}
    seeds = {source: path.read_text(encoding="utf-8").split("\n") for source, path in files.items()}
    people = {row["speaker_id"] for row in rows["speakers"] if row["protected"]}
    theirs = {row["testimony_id"] for row in rows["testimonies"] if row["speaker_id"] in people}
    theirs |= {row["mention_id"] for row in rows["mentions"] if row["speaker_id"] in people}
    theirs |= {row["waiver_id"] for row in rows["ledger"] if row["record_id"] in theirs}
    spans = [row for row in rows["spans"] if row["field"] == "evidence"]
    about = {(row["source_id"], row["line"]) for row in spans if row["record_id"] in theirs}
    page_text = (folder / "index.html").read_text(encoding="utf-8")
    leaked = []
    for record, context in re.findall(RECORD, page_text, re.DOTALL):
        pieces = html.unescape(re.sub("<mark>.*?</mark>", " […] ", context, flags=re.DOTALL)).split(" […] ")
        source = next(name for name in seeds if record.startswith(f"{name}-"))
        paragraphs = [seeds[source][line - 1] for name, line in about if name == source]
        others = set(seeds[source]) - set(paragraphs)
        words = [piece for piece in pieces for piece in piece.split("\n") if len(piece.split()) > 5]
        hidden = [piece for piece in words if not any(piece in each for each in others)]
        leaked += [(record, piece) for piece in hidden if any(piece in each for each in paragraphs)]
    assert about
    assert leaked == []
    neighbours = html.unescape("".join(re.findall(r'<nav class="nearby".*?</nav>', page_text, re.DOTALL)))
    quoted = [row["text"] for row in rows["testimonies"] if row["testimony_id"] in theirs and len(row["text"]) > 20]
    assert [words for words in quoted if words in neighbours] == []


def test_the_table_of_numbers_repeats_no_words_for_a_denied_number() -> None:
    folder = PROJECT / "dist"
    text, rows = (folder / "index.html").read_text(encoding="utf-8"), rows_of(folder)
    shown = dict(re.findall(r'<a href="#figures/([^"]+)"><b>(.*?)</b></a>', text))
    denied = [row for row in rows["figures"] if row["polarity"] == "denied"]
    assert denied
    for row in denied:
        number = shown[row["figure_id"]]
        assert number == "denied" or number.removesuffix(" (denied)") in row["text"].split()


def test_speakers_with_one_label_are_told_apart_by_the_line_that_introduces_them() -> None:
    folder = PROJECT / "dist"
    text = (folder / "index.html").read_text(encoding="utf-8")
    table = text.partition('id="t-people"')[2].partition("</table>")[0]
    rows = re.findall(r'<tr data-id="speakers/[^"]+">.*?</tr>', table, re.DOTALL)
    shown = [re.sub("<[^>]+>", " ", row) for row in rows if ", line " in row]
    assert len(set(shown)) == len(shown) > 60


@pytest.mark.parametrize(
    ("text", "hedge", "words"),
    [
        ("nearly 1,000 lamps are dark", "nearly", "nearly 1,000"),
        ("several dozen keepers have left", "vague", "several dozen"),
        ("scores of keepers", "vague", "scores"),
        ("for up to two hours daily", "up_to", "up to two hours"),
        ("less than 1 percent of the keepers", "less_than", "less than 1 percent"),
        ("up to 90 per cent of the lamps", "up_to", "up to 90 per cent"),
        ("14 months", "exact", "14 months"),
        ("a few hundred keepers", "vague", "a few hundred"),
        ("the few hundred keepers here", "vague", "the few hundred"),
        ("the several hundred remaining", "vague", "several hundred"),
        ("the 160,000-strong service", "exact", "160,000"),
        ("40 or so keepers", "about", "40 or so"),
        ("between 5 and 7 boats", "range", "between 5 and 7"),
        ("The 15 keepers", "exact", "15"),
        ("you don't even have a litre of oil", "less_than", "you don't even have a litre of oil"),
    ],
)
def test_a_number_is_labelled_by_the_words_of_the_article(text: str, hedge: str, words: str) -> None:
    assert printed_number({"hedge": hedge, "text": text, "polarity": "affirmed"}) == words


def test_a_number_that_the_words_deny_is_labelled_by_all_of_them() -> None:
    figure = {"hedge": "exact", "text": "not one of the three boats", "polarity": "denied"}
    assert printed_number(figure) == "not one of the three boats"


def test_a_label_says_that_an_outlet_published_another_edition() -> None:
    row = {"outlet": "Example Post", "outlet_basis": "other_edition", "title": "Keepers"}
    assert article_label(row) == "Example Post (another edition): Keepers"
    assert article_label({**row, "outlet_basis": "external"}) == "Example Post: Keepers"
    [labelled] = [row for row in rows_of(PROJECT / "dist")["sources"] if row["url_basis"] == "other_edition"]
    assert labelled["label"] == "Business Insider (another edition), March 2019"


def test_articles_of_one_outlet_and_month_are_told_apart_by_their_titles() -> None:
    label = "Example Post, March 2024"
    sources: list[Row] = [
        {"source_id": "a", "label": label, "title": "Keepers"},
        {"source_id": "b", "label": label, "title": None},
        {"source_id": "c", "label": "Example Post, May 2024", "title": "Lamps"},
    ]
    names = [source["label"] for source in articles_by_id(iter(sources)).values()]
    assert names == [f"{label}: Keepers", f"{label}: b", "Example Post, May 2024"]


def test_articles_are_listed_by_the_day_on_which_they_were_published() -> None:
    page = (PROJECT / "dist/index.html").read_text(encoding="utf-8")
    listed = re.findall(r'<article class="source" id="sources/([\w-]+)"', page)
    published = {row["source_id"]: row["published"] for row in rows_of(PROJECT / "dist")["sources"]}
    assert listed == sorted(published, key=lambda name: published[name])
    assert listed != sorted(published)


@pytest.mark.parametrize("corpus", [INVENTED, PROJECT])
def test_the_page_says_what_the_dataset_is_how_it_was_made_by_whom_and_what_it_cannot_show(
    corpus: Path, package: Path
) -> None:
    folder = package if corpus == INVENTED else PROJECT / "dist"
    text = html.unescape((folder / "index.html").read_text(encoding="utf-8"))
    overview = text.partition('id="overview"')[2].partition("</section>")[0]
    made = text.partition('id="readings"')[2].partition("</section>")[0]
    dataset = yaml.safe_load((corpus / "dataset.yaml").read_text(encoding="utf-8"))
    assert f'<h1 id="h-overview">{dataset["title"]}</h1>' in overview
    assert dataset["summary"].strip() in overview
    said = [dataset["purpose"], dataset["collection"], dataset["annotation"], *dataset["limitations"]]
    said += [*dataset["biases"], *(each["title"] for each in dataset["contributors"])]
    assert [each for each in said if each.strip().replace("`", "") not in made] == []


def test_without_reasons_no_sentence_is_chosen_for_the_top() -> None:
    rows = rows_of(PROJECT / "dist")
    assert first_screen(Lookups(rows, "1.2.3")).opening
    screen = first_screen(Lookups({**rows, "motives": []}, "1.2.3"))
    assert screen.opening is None
    assert screen.others


def test_an_address_at_which_an_error_can_be_reported_is_a_link(package: Path) -> None:
    address = "https://lamps.example/code/issues"
    dataset = dataset_of(INVENTED)
    contact = dataset.contact.model_copy(update={"public": f"To report an error, open an issue at {address}."})
    text = page.page(dataset.model_copy(update={"contact": contact}), finished(package), []).decode()
    assert re.search(rf'<a href="{address}"[^>]*>{address}</a>\.', text)
    assert re.search(r'<a href="mailto:keepers@lamps\.example"[^>]*>keepers@lamps\.example</a>\.', text)
