"""The page in a real browser, opened from disk with the network cut: what people do on it, and what it never does."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, Page, expect

from conftest import INVENTED, PROJECT, built, dataset_of, spread
from defectors_data.documents import page
from defectors_data.package.tables_reader import PackageTables
from hostile import hostile
from pages import AXE

pytestmark = pytest.mark.deep

PICTURES = PROJECT / "build/page"
VIEWS = "overview voices numbers articles data".split()
Opened = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, package: Path) -> Iterator[Opened]:
    """Opens the page; when the test is over, no request has left and the console is empty."""
    said: list[str] = []
    asked: list[str] = []
    addresses: set[str] = set()
    contexts = []

    def opens(
        place: str = "",
        *,
        folder: Path = package,
        width: int = 1280,
        scheme: str = "light",
        script: bool = True,
        file: str = "index.html",
    ) -> Page:
        address = (folder / file).as_uri()
        addresses.add(address)
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=script,
            offline=True,
        )
        contexts.append(context)
        shown = context.new_page()
        shown.on("console", lambda message: said.append(f"console: {message.text}"))
        shown.on("pageerror", lambda error: said.append(f"error: {error}"))
        shown.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(f"{address}{place}")
        return shown

    yield opens
    for context in contexts:
        context.close()
    assert said == []
    assert {address.partition("#")[0] for address in asked} == addresses


def rows(page: Page, items: str) -> int:
    return page.locator(items).locator("visible=true").count()


VOICES = "#l-voices li"


def choose(page: Page, view: str, name: str, value: str) -> None:
    page.locator(f"#{view} select[name={name}]").first.select_option(value)


# ---- looking -------------------------------------------------------------------------------------------------


def test_a_filter_shows_only_matching_rows(opened: Opened) -> None:
    page = opened("#voices")
    assert rows(page, VOICES) == 15
    choose(page, "voices", "mode", "direct")
    assert rows(page, VOICES) == 5
    choose(page, "voices", "article", "second")
    assert rows(page, VOICES) == 2
    expect(page.locator("#voices .info")).to_have_text("2 of 15 testimonies")
    page.locator("#voices button[type=reset]").click()
    expect(page.locator("#voices .info")).to_have_text("15 testimonies")


def test_testimonies_are_filtered_by_person_role_access_reason_act_place_and_topic(opened: Opened) -> None:
    page = opened("#voices", folder=PROJECT / "dist")
    every = rows(page, VOICES)
    for name in ("person", "role", "access", "reason", "act", "place", "topic"):
        choices = page.locator(f"#voices select[name={name}] option")
        choose(page, "voices", name, choices.nth(1).get_attribute("value") or "")
        assert 0 < rows(page, VOICES) < every
        choose(page, "voices", name, "")
    assert rows(page, VOICES) == every


def test_a_search_counts_the_words_of_each_row_and_finds_articles_under_articles(opened: Opened) -> None:
    page = opened()
    page.locator("#search").fill("lanterns lost")
    expect(page.locator("#found")).to_contain_text("testimonies (1)")
    expect(page.locator("#voices")).to_be_visible()
    assert rows(page, VOICES) == 1
    page.locator("#found a", has_text="numbers").click()
    expect(page.locator("#numbers")).to_be_visible()
    # Words of the title alone: no testimony of the article contains them.
    page.locator("#search").fill("Crossing to Port Example")
    expect(page.locator("#found")).to_have_text("articles (1)")


def test_a_table_is_sorted_by_a_click_and_numbers_by_their_size(opened: Opened) -> None:
    page = opened("#numbers")
    header = page.locator("#t-numbers thead th", has_text="Number")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    numbers = [
        float(cell)
        for cell in page.locator("#t-numbers td:first-child").evaluate_all("all => all.map(c => c.dataset.order)")
    ]
    assert numbers == sorted(numbers)
    header.get_by_role("button").click()
    expect(page.locator("#t-numbers td:first-child").first).to_have_attribute("data-order", "1600.0")


def test_a_permalink_opens_its_record_and_survives_a_reload(opened: Opened) -> None:
    page = opened("#testimonies/example-t5")
    for _ in range(2):
        record = page.locator("[id='testimonies/example-t5']")
        expect(record).to_be_visible()
        expect(record.locator("mark").first).to_have_text("The lamps are dark,")
        expect(record).to_contain_text("Defector (person, name withheld on request)")
        assert page.locator(".view").locator("visible=true").count() == 0
        page.reload()


def test_a_permalink_shows_a_waiver_that_a_filter_hides(opened: Opened) -> None:
    page = opened("#ledger")
    choose(page, "data", "reason", "date")
    page.evaluate("location.hash = '#waivers/example-w4'")
    expect(page.locator("[id='waivers/example-w4']")).to_be_visible()


def test_a_record_links_to_its_neighbours_and_its_speaker(opened: Opened) -> None:
    page = opened("#testimonies/example-t2")
    page.locator(".record:target .nearby a[href$='/example-t3']").click()
    expect(page.locator("[id='testimonies/example-t3']")).to_be_visible()
    page.locator(".record:target .facts a").first.click()
    expect(page.locator("[id='speakers/bruno-salt']")).to_be_visible()
    page.go_back()
    expect(page.locator("[id='testimonies/example-t3']")).to_be_visible()


def test_a_line_of_a_record_says_why_in_words(opened: Opened) -> None:
    page = opened("#testimonies/example-t2")
    why = page.locator(".record:target .why").first
    why.locator("summary").click()
    expect(why).to_contain_text(re.compile(r"line \d+|marked words"))
    assert page.locator(".record").filter(has_text="defectors_data").count() == 0


def test_the_keyboard_alone_is_enough(opened: Opened) -> None:
    page = opened("#voices")
    page.keyboard.press("/")
    page.keyboard.type("oar")
    assert rows(page, VOICES) == 1
    link = page.locator("#l-voices li:visible a.open")
    for _ in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    record = page.locator("[id='testimonies/example-t4']")
    expect(record).to_be_visible()
    assert record.evaluate("record => record.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(record).to_be_hidden()
    assert link.evaluate("link => link === document.activeElement")


def test_the_header_of_a_column_sorts_by_the_keyboard(opened: Opened) -> None:
    page = opened("#people")
    page.locator("#t-people thead th", has_text="Testimonies").get_by_role("button").press("Enter")
    expect(page.locator("#t-people thead th", has_text="Testimonies")).to_have_attribute("aria-sort", re.compile("ing"))


def test_filters_and_search_are_in_the_address(opened: Opened) -> None:
    page = opened("#voices")
    choose(page, "voices", "mode", "direct")
    page.locator("#search").fill("the lamps")
    assert page.evaluate("location.hash") == "#voices?mode=direct&q=the+lamps"
    shown = rows(page, VOICES)
    page.reload()
    assert rows(page, VOICES) == shown < 5
    page.locator("#l-voices li:visible a.open").first.click()
    page.locator(".record:target .close").click()
    assert page.evaluate("location.hash") == "#voices?mode=direct&q=the+lamps"


def test_a_search_ignores_accents_and_kinds_of_quotation_marks_and_highlights_hits(opened: Opened) -> None:
    page = opened("", folder=PROJECT / "dist")
    page.locator("#search").fill("GUAIDO")
    assert page.evaluate("[...CSS.highlights.get('hit')].every(hit => /^guaid[oó]$/i.test(hit.toString()))")
    for marks in ("Venezuela's", "Venezuela’s"):
        page.locator("#search").fill(marks)
        expect(page.locator("#found")).to_contain_text("articles")


def test_the_rows_that_are_left_are_saved_as_csv_with_their_ids(opened: Opened) -> None:
    page = opened("#voices?mode=direct&article=second")
    with page.expect_download() as download:
        page.locator("#voices [data-csv]").click()
    content = download.value.path().read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    saved = list(csv.DictReader(content.decode("utf-8-sig").splitlines()))
    assert len(saved) == 2
    assert {row["mode"] for row in saved} == {"direct"}
    assert all(row["id"].startswith("testimonies/second-t") and row["person"] and row["words"] for row in saved)


def test_a_citation_and_a_link_are_copied(opened: Opened) -> None:
    page = opened("#testimonies/example-t8")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    record = page.locator(".record:target")
    words = "testimonies/example-t8: testimony (Mira Fenn), “Keepers Leave the Lighthouse, Crossing to Port Example”"
    for button, copied in (
        ("Copy citation", f"Record {words}, The Example Gazette, about March 2019, example-t8@"),
        ("BibTeX", f"  note = {{Record {words}, The Example Gazette, about March 2019, example-t8@"),
        ("CSL-JSON", f'"note": "Record {words}'),
        ("Copy link", "index.html#testimonies/example-t8"),
        ("Copy quotation", "“It’s quiet tonight,” (Mira Fenn, in The Example Gazette, March 2019)"),
    ):
        record.get_by_role("button", name=button).click()
        expect(record.get_by_role("button", name="Copied")).to_be_visible()
        assert copied in page.evaluate("navigator.clipboard.readText()")
        expect(record.get_by_role("button", name=button)).to_be_visible()


def test_a_number_is_copied_with_who_states_it(opened: Opened) -> None:
    page = opened("#figures/example-f1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    record = page.locator(".record:target")
    record.get_by_role("button", name="Copy quotation").click()
    expect(record.get_by_role("button", name="Copied")).to_be_visible()
    words = "“Nearly 40 lighthouse keepers have left the Northern Isles”"
    said = f"{words} (Harbour Office · Other, in The Example Gazette, March 2019)"
    assert page.evaluate("navigator.clipboard.readText()") == said


def test_a_chart_is_copied_as_a_picture(opened: Opened) -> None:
    page = opened("", folder=PROJECT / "dist")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator("[data-picture]").first
    button.click()
    expect(button).to_have_text("Copied")
    size = page.evaluate(
        """async () => {
          const [item] = await navigator.clipboard.read();
          const picture = await createImageBitmap(await item.getType("image/png"));
          return [picture.width, picture.height];
        }"""
    )
    assert size[0] == 1440
    assert size[1] > 300


def test_an_address_without_a_record_is_reported_and_titles_name_the_view(opened: Opened) -> None:
    page = opened("#testimonies/nobody-t1")
    expect(page.locator("#missing")).to_contain_text("testimonies/nobody-t1 is not in version 1.2.3")
    assert page.title().startswith("Record not found")
    for place, title in (
        ("numbers", "What agrees"),
        ("testimonies/example-t5", "Defector (person, name withheld on request)"),
        ("persons/example-speaker-1", "Defector (person, name withheld on request)"),
    ):
        page.evaluate("place => { location.hash = place }", place)
        page.wait_for_function("title => document.title.startsWith(title)", arg=title)


# ---- what it never does --------------------------------------------------------------------------------------


def test_markup_in_a_quotation_is_shown_as_text(opened: Opened, copied: Path, tmp_path: Path) -> None:
    assert built(hostile(copied), tmp_path / "dist").outcome == "published"
    page = opened("#testimonies/second-t2", folder=tmp_path / "dist")
    expect(page.locator(".record:target mark")).to_contain_text("<img src=x onerror=alert(document)>")
    page.locator("#search").fill("<!-- never")
    assert rows(page, VOICES) == 1
    page.locator("#search").fill("</script>")
    assert rows(page, VOICES) == 1
    page.evaluate("location.hash = 'numbers'")
    page.locator("#t-numbers thead button").first.click()
    assert page.locator("img").count() == 0


@pytest.mark.parametrize(("published", "view"), spread(product([True, False], VIEWS), 2))
def test_no_view_loads_files_or_logs_errors(opened: Opened, package: Path, view: str, published: bool) -> None:
    page = opened(f"#{view}", folder=PROJECT / "dist" if published else package)
    expect(page.locator(f"#{view}")).to_be_visible()
    assert page.locator(".view:visible").count() == 1


def test_a_description_for_machines_is_no_program_and_no_error(opened: Opened, tmp_path: Path) -> None:
    tables = PackageTables(PROJECT / "dist", [path.stem for path in PROJECT.glob("dist/data/*.parquet")])
    made = page.page(dataset_of(INVENTED), tables, [], json_ld='{"@type": "Dataset"}')
    (tmp_path / "index.html").write_bytes(made)
    shown = opened(folder=tmp_path)
    assert shown.locator("script[type='application/ld+json']").text_content() == '{"@type": "Dataset"}'


def test_without_a_program_everything_can_be_read(opened: Opened) -> None:
    page = opened(script=False)
    for view in VIEWS:
        expect(page.locator(f"#{view}")).to_be_visible()
    page = opened("#testimonies/example-t4", script=False)
    expect(page.locator("[id='testimonies/example-t4']")).to_be_visible()
    assert page.locator(".record:visible").count() == 1
    for control in (".filters", "#searching", "#missing"):
        expect(page.locator(control).first).to_be_hidden()


# ---- for whom ------------------------------------------------------------------------------------------------


PUBLISHED = [
    f"{table}/{pq.read_table(PROJECT / f'dist/data/{table}.parquet').column(0)[0]}"
    for table in ("testimonies", "figures")
]
"""The first testimony and the first figure of dist/."""
SPEAKER = f"speakers/{pq.read_table(PROJECT / 'dist/data/speakers.parquet').column(0)[0]}"


@pytest.mark.parametrize(
    ("published", "places", "scheme", "width"),
    [
        (True, VIEWS[:1], "light", 1440),
        (False, VIEWS, "light", 1440),
        (False, VIEWS, "dark", 360),
        (False, ["testimonies/example-t4", "figures/example-f1", "speakers/mira-fenn"], "dark", 1440),
        *(
            pytest.param(True, places, scheme, width, marks=pytest.mark.sweep)
            for places, scheme, width in product([VIEWS, [*PUBLISHED, SPEAKER]], ["light", "dark"], [1440, 360])
        ),
    ],
)
def test_axe_finds_nothing(
    opened: Opened, package: Path, published: bool, places: list[str], scheme: str, width: int
) -> None:
    """Axe takes long for the many records of the real page, which are made and coloured as the invented ones."""
    page = opened(f"#{places[0]}", folder=PROJECT / "dist" if published else package, scheme=scheme, width=width)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(AXE)
    for place in places:
        page.evaluate("place => { location.hash = place }", place)
        expect(page.locator(f"[id='{place}']")).to_be_visible()
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert found["passes"]
        rules = found["violations"]
        assert [(place, rule["id"], [node["html"][:200] for node in rule["nodes"][:3]]) for rule in rules] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_in_spanish_has_no_findings_and_fits_a_phone(opened: Opened, scheme: str) -> None:
    page = opened(folder=PROJECT / "dist", scheme=scheme, width=360, file="es.html")
    assert page.evaluate("document.documentElement.lang") == "es"
    page.evaluate(AXE)
    assert page.evaluate("axe.run(document)")["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("place", spread([*VIEWS, *PUBLISHED], 3))
def test_a_phone_of_360_pixels_scrolls_down_and_not_sideways(opened: Opened, place: str) -> None:
    page = opened(f"#{place}", folder=PROJECT / "dist", width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = "all => all.filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => e.className)"
    assert page.locator(".record:target, main, .view, td, p, h1, h2, h3").evaluate_all(wide) == []


def test_on_paper_the_current_view_is_printed_and_nothing_that_only_works_on_a_screen(opened: Opened) -> None:
    page = opened("#voices")
    page.emulate_media(media="print")
    assert page.locator(".view:visible").evaluate_all("all => all.map(view => view.id)") == ["voices"]
    for control in ("#searching", "#views", "#voices .filters"):
        expect(page.locator(control)).to_be_hidden()
    assert len(page.pdf()) > 10_000


def test_on_paper_an_open_record_is_printed_alone(opened: Opened) -> None:
    page = opened("#testimonies/example-t5")
    page.emulate_media(media="print")
    expect(page.locator("[id='testimonies/example-t5']")).to_be_visible()
    assert page.locator(".view:visible").count() == 0


# ---- five questions, each answered in a few steps --------------------------------------------------------------


def test_the_speaker_of_a_quotation_is_printed(opened: Opened) -> None:
    page = opened()
    page.locator("#search").fill("Nobody wrote to us")
    expect(page.locator("#l-voices li:visible")).to_contain_text("Bruno Salt")


def test_which_numbers_agree_is_on_the_first_screen_of_the_numbers(opened: Opened) -> None:
    page = opened("", folder=PROJECT / "dist")
    page.locator("#overview a", has_text="Where the articles agree").click()
    first = page.locator("#numbers .group .pair").first
    expect(first).to_be_visible()
    expect(first).to_contain_text("They give the same number")


def test_waivers_are_published_with_their_reasons(opened: Opened) -> None:
    page = opened("#ledger")
    expect(page.locator("[id='waivers/example-w3']")).to_contain_text("March 3rd")
    expect(page.locator("[id='waivers/example-w3']")).to_contain_text("date")


def test_how_a_testimony_is_cited(opened: Opened) -> None:
    page = opened("#testimonies/example-t8")
    expect(page.locator(".record:target .citation")).to_contain_text("testimonies/example-t8")


def test_the_place_of_a_quotation_is_printed(opened: Opened) -> None:
    page = opened("#testimonies/example-t8")
    expect(page.locator(".record:target")).to_contain_text("line 20")
    expect(page.locator(".record:target .context")).to_contain_text("Mira Fenn said. Fenn, a clerk")


# ---- pictures, for people ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 360])
@pytest.mark.parametrize("place", spread(["overview", "voices", "numbers", PUBLISHED[0]], 4))
def test_pictures_are_taken(opened: Opened, place: str, width: int, scheme: str) -> None:
    page = opened(f"#{place}", folder=PROJECT / "dist", width=width, scheme=scheme)
    picture = PICTURES / f"{place.partition('/')[0]}-{width}-{scheme}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000
