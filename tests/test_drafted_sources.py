"""The facts of a source in a draft: headline, subtitle, outlets and boilerplate."""

from __future__ import annotations

import re

import pytest
import yaml

from defectors_data.annotators.drafts import first_draft
from test_first_draft import FILLER, filled


@pytest.mark.parametrize(
    ("first", "has_headline"),
    [
        ("The Ferry No Longer Sails", True),
        ("Officials Said It Was Over.", True),
        ("Old Ferries Rock! The Ferry Is Back.", True),
        ("The ferry will sail again once the pier is repaired, officials said on Monday.", True),
        ("The river rose on Monday. The town was cut off for three days.", False),
        ("Mill Keepers Win! Town Is The Ultimate Prize Of The Valley.", True),
        ("Mayor Says the River Is Over the Bridge, Asks the Old Keepers of Lamps to Leave by Noon Today.", True),
        (
            "The river rose on Monday, and the town was cut off for days after the bridge fell, its mayor said.",
            False,
        ),
    ],
)
def test_a_first_line_of_the_article_is_no_headline(first: str, has_headline: bool) -> None:
    text = f"{first}\n\nNobody was hurt.\n"
    written = first_draft.draft(text, text.encode(), "a", taken=())
    assert ("\n  title: " in written) == has_headline
    assert ("\n  note: The article has no headline.\n" in written) != has_headline


@pytest.mark.parametrize(
    ("head", "title", "name"),
    [
        ("Gun is sold\n\n", "Gun is sold", "gun-is-sold"),
        ("Lamps sold\n\n", "Lamps sold", "lamps-sold"),
        ("Harrow’s lamps sold\n\n", "Harrow’s lamps sold", "harrow-lamps-sold"),
        ("Die Größe des Bootes\n\n", "Die Größe des Bootes", "die-grosse-des-bootes"),
        ("Skip to content\n\nMenu\n\nThe lamps are for sale\n\n", "The lamps are for sale", "the-lamps-are-for-sale"),
        ("Lamp sale quashed;\nsecond harbour refuses to sell.\n\n", "Lamp sale quashed;", "lamp-sale-quashed"),
        ("Sale of lamps is quashed again:\n\n", "Sale of lamps is quashed again:", "sale-of-lamps-is-quashed"),
    ],
)
def test_a_headline_may_be_short_or_end_in_a_mark(head: str, title: str, name: str) -> None:
    text = f'{head}Anna Bell said, "No lamps were sold here," and left.\n'
    written = first_draft.draft(text, text.encode(), "a", taken=())
    source = yaml.safe_load(written)["source"]
    assert (source["id"], source["title"]) == (name, title)


@pytest.mark.parametrize(
    ("second", "is_subtitle"),
    [
        ("Keepers say that the mill was old", True),
        ("The keepers say that the mill was old.", False),
        ("By Ada Example and Ben Example Pelt", False),
        ("Sold by Orr", False),
    ],
)
def test_a_line_without_a_full_stop_after_the_headline_is_the_subtitle(second: str, is_subtitle: bool) -> None:
    draft = filled(f"The old pipes burst\n\n{second}\n\nIt rained. Nobody left.\n")
    assert (f'\n  subtitle: "{second}"\n' in draft) == is_subtitle
    assert "testimonies: []" in draft or not is_subtitle


@pytest.mark.parametrize(
    ("second", "body", "is_subtitle"),
    [
        ("Second mill refuses to sell lamps.", "It rained.", True),
        ("The second mill refuses to sell lamps.", "It rained.", False),
        ("The second mill refuses to sell lamps.", "HARROW, Pa. - It rained.", True),
        ("Second mill burned. Nobody left.", "It rained.", False),
        ("Second mill burned.", "It rained.", False),
        ("Second mill refuses.", "HARROW - It rained.", False),
    ],
)
def test_a_line_in_the_style_of_headlines_or_before_a_dateline_is_the_subtitle(
    second: str, body: str, *, is_subtitle: bool
) -> None:
    draft = filled(f"The old pipes burst.\n\n{second}\n\n{body} Nobody left.\n")
    assert (f'\n  subtitle: "{second}"\n' in draft) == is_subtitle


@pytest.mark.parametrize(
    ("second", "is_subtitle"),
    [
        ("\nSecond harbour refuses to sell.", True),
        ("\n\n2nd site refuses", True),
        ("\nBy Ada Example", False),
        (f"\nSecond harbour {'never ' * 20}sells.", False),
    ],
)
def test_a_short_line_after_a_headline_with_a_semicolon_is_the_subtitle(second: str, is_subtitle: bool) -> None:
    draft = filled(f"Lamp sale is quashed again; {second}\n\nIt rained. Nobody left.\n")
    assert '\n  title: "Lamp sale is quashed again;"\n' in draft
    assert (f'\n  subtitle: "{second.strip()}"\n' in draft) == is_subtitle


@pytest.mark.parametrize(
    ("byline", "authors", "outlet"),
    [
        ("By Ada Orr", ["Ada Orr"], None),
        ("By Ada Orr, Cleo Vane and Ben Pelt", ["Ada Orr", "Cleo Vane", "Ben Pelt"], None),
        ("By Ada Orr and Ben Pelt, The Harrow Post", ["Ada Orr", "Ben Pelt"], "The Harrow Post"),
        ("By Ada Orr | Harrow Times", ["Ada Orr"], "Harrow Times"),
        ("By Ada Orr for Reuters", ["Ada Orr"], "Reuters"),
    ],
)
def test_the_outlet_in_a_byline_is_no_author(byline: str, authors: list[str], outlet: str | None) -> None:
    source = yaml.safe_load(filled(f"The old pipes burst\n\n{byline}\n\nIt rained. Nobody left.\n"))["source"]
    assert source["authors"]["value"] == authors
    assert source.get("outlet", {}).get("value") == outlet


@pytest.mark.parametrize(
    ("said", "outlets"),
    [
        ("According to the Mill Times, Ada Orr said that it burned. She told CNN that it rained.", "[Mill Times, CNN]"),
        ("“No,” The Hill reported. The Times wrote that it burned. The Mill Times is old.", "[The Hill, Mill Times]"),
        ("“No,” she said in an interview with NBC News, and told NBC’s Orr so.", "[NBC News]"),
        ("“No,” she told CNN. HARROW (CNN) — It rained.", ""),
        ("“No,” she said, and sold CNN. A Mill Times clerk said so.", ""),
        ("The hill was new. “It burned,” she told the hill.", ""),
        ("“No,” she told USA TODAY, and told CNN so.", "[CNN]"),
        ("“No,” she told The Huffington Post, and told CNN so.", "[CNN]"),
        ("“No,” she told USA Today.", "[USA Today]"),
        ("“No,” she told the Harrow Times-Mirror. She told the Post-Wire so.", "[Harrow Times-Mirror, Post-Wire]"),
        ("“No,” Ada Orr told BBC Radio 4’s show.", "[BBC Radio 4]"),
        ("“No,” Ada Orr told the Daily Mail.", "[Daily Mail]"),
        ("“No,” Ada Orr said. Mr Forbes said that it was old. Forbes said no.", ""),
        ("Ada Orr said that a series on BBC Three was old.", ""),
        ("“No,” Liam Fox said. Fox said no.", ""),
        ("In a separate BBC interview, Ada Orr said that it was old.", "[BBC]"),
    ],
)
def test_outlets_that_report_words_or_to_which_they_were_said_are_cited(said: str, outlets: str) -> None:
    draft = filled(f"The pipes burst\n\n{said}\n")
    cited = re.search(r"cited_outlets: (.*)", draft)
    assert (cited[1].replace('"', "") if cited else "") == outlets
    assert outlets or "    outlet: " not in draft


@pytest.mark.parametrize(
    ("outlet", "own", "other"),
    [("USA TODAY", "USA TODAY", ""), ("USA Today", "", "USA Today")],
)
def test_the_outlet_to_which_words_were_told_is_its_own_only_if_printed_as_it_prints_itself(
    outlet: str, own: str, other: str
) -> None:
    draft = filled(FILLER + f"“The mill is shut,” Ada Orr told {outlet}.")
    assert (f'  outlet: {{value: "{own}", basis: inferred,' in draft) == bool(own)
    assert (f"    outlet: {other}\n" in draft.replace('"', "")) == bool(other)


@pytest.mark.parametrize(
    ("line", "is_boilerplate"),
    [
        ("Follow Ada Example on Twitter @example.", True),
        ("CORRECTION: The mill burned in May, Ada Orr said.", True),
        ("Watch the full video of the mill below:", True),
        ("(Additional reporting by Ada Orr; Editing by Ben Pelt.)", True),
        ("Follow the river, she said.", False),
        ("Watch the mill, she said.", False),
    ],
)
def test_notes_and_links_among_paragraphs_are_boilerplate(line: str, is_boilerplate: bool) -> None:
    draft = filled(f"The old pipes burst\n\nAda Orr left.\n\n{line}\n\nIt rained.\n")
    assert ("boilerplate" in draft) == is_boilerplate
    assert ("mode" in draft) != is_boilerplate


def test_a_quotation_that_continues_is_said_to_the_outlet_of_the_one_before() -> None:
    draft = filled(FILLER + "Ada Orr told the Harbour Times: “The mill is shut. It was old.\n\n“It is sold.”")
    assert "continues: t1" in draft
    assert draft.count("    outlet: ") == 2


OUTLETS = {
    "In an interview with CNN on Monday, Ada Orr said it was late, adding that it was old.": ["CNN"],
    "“It is late,” Ada Orr said in an interview airing Sunday on NBC.": ["NBC"],
    "Ada Orr said on NBC’s “Lamps” that it was late. She said on Monday that it was old.": ["NBC", None],
    "“It is late,” Ada Orr told Ben Pelt of the Harrow Post.": ["Harrow Post"],
    "“It is late,” Ada Orr told Rome’s ITV television.": ["ITV"],
    "Ada Orr wrote in the Harrow Post that it was late.": ["Harrow Post"],
    "Ada Orr, in an essay published in the Harrow Post, denied that it was late.": ["Harrow Post"],
    "Ada Orr told CNN it was late. Ben Pelt said it was old.": ["CNN", None],
    "Ada Orr told CNN it was late. She has said that it was old.": ["CNN", None],
    "Ada Orr said that Ben Pelt had told CNN that it was late.": [None],
    "“It is late,” said Ada Orr, CNN reported.": [None],
    "“It is late,” Ada Orr said just after noon on CNN.": ["CNN"],
    "“It is late,” Ada Orr said to CNN.": ["CNN"],
    "“It is late,” Ada Orr told Today. Orr sold CNN.": ["Today"],
    "Ada Orr told the Today programme it was late.": ["Today"],
    "Ada Orr told the Guardian newspaper it was late.": ["Guardian"],
    "Ada Orr told CNN it was late.\n\nBen Pelt said no.\n\nIt was on CNN Live.": ["CNN", None],
    "Ada Orr said it was on CNN.": [None],
    "CNN’s Ada Orr said it was late.": [None],
    "“It is late,” Ada Orr told The Post.": [None],
    "“It is late,” Ada Orr told The Post. The Harrow Post is old.": ["Harrow Post"],
    "Ada Orr said it was late for a call on CNN.": [None],
}  # fmt: skip


@pytest.mark.parametrize(
    ("second", "is_same"),
    [
        ('. "It was old. "It was ours."', True),
        ('.\n\n"It was old."', True),
        ('." "It was old."', True),
        ('."\n\n"It was old." It rained.', True),
        ('." It rained.\n\n"It was old." It rained.', False),
        ('."\n\n"It was old!" said Cleo Pelt.', False),
    ],
)
def test_a_quotation_that_directly_follows_another_is_of_the_same_speaker(second: str, is_same: bool) -> None:
    drafted = filled(f'{FILLER}Bela Pelt left. Ada Orr said: "It burned{second}\n')
    said = re.findall("speaker: (.*)", drafted)
    assert (set(said) == {"ada-orr"}) is is_same


@pytest.mark.parametrize("said", OUTLETS)
def test_the_outlet_to_which_words_were_said_is_that_of_their_sentence_or_of_the_speech_that_goes_on(said: str) -> None:
    draft = yaml.safe_load(filled(FILLER + said))
    outlets = [each.get("outlet") for each in draft["testimonies"]]
    assert outlets == OUTLETS[said]
    assert {*filter(None, outlets)} <= {*draft["source"].get("cited_outlets", ())}


def test_a_name_of_an_outlet_has_no_day_before_it() -> None:
    draft = filled(FILLER + "Ada Orr said in a column in Saturday’s Harrow Times that it was late.")
    assert 'cited_outlets: ["Harrow Times"]' in draft


@pytest.mark.parametrize(
    ("place", "outlet"),
    [
        ("HARROW (Reuters) - ", "Reuters"),
        ("HARROW, Ohio (AP) — ", "AP"),
        ("HARROW — ", None),
        ("Orr (Reuters) - ", None),
    ],
)
def test_an_agency_in_a_dateline_is_the_outlet(place: str, outlet: str | None) -> None:
    source = yaml.safe_load(filled(f"The Lamps Go Out\n\n{place}Ada Orr said on Monday that it was late.\n"))["source"]
    assert source.get("outlet", {}).get("value") == outlet
