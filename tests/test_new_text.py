"""A corrected article: what each change of its text means for the evidence, and that none moves silently."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from calling import Ran, run
from conftest import INVENTED, PROJECT, documents_of, edit, found_in, repin
from defectors_data.corpus.findings import Place
from defectors_data.edits import evidence_yaml
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.package import filesystem
from defectors_data.publishers import corrected_articles
from defectors_data.text.offsets import Span, line_starts

OLD = (INVENTED / "seeds/900_example.txt").read_text(encoding="utf-8")
LINES = OLD.split("\n")


class Edit(NamedTuple):
    """A change of the invented article, and the evidence that is not unchanged: its words and class."""

    what: str
    new: str
    expected: dict[str, str]


def swapped(first: str, second: str) -> str:
    """Return the article with two paragraphs in each other's place."""
    i, j = (next(n for n, line in enumerate(LINES) if words in line) for words in (first, second))
    lines = list(LINES)
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def replaced(*pairs: tuple[str, str]) -> str:
    """Return the article with some words replaced."""
    text = OLD
    for old, new in pairs:
        text = text.replace(old, new, 1)
    return text


def before(words: str, inserted: str) -> str:
    """Return the article with a paragraph inserted before the one that begins with some words."""
    return replaced((f"\n{words}", f"\n{inserted}\n\n{words}"))


HUNGER = '"We had no oil left,"'
FENN = "Fenn, a clerk, insisted that at least 20 boats and up to 30 lanterns were lost, more than four of them new."
FOG = "In the fog he lost an oar and drifted until morning."
CASES = "The keeper, who is 27, walked to the pier with three cases.\n\n"
OF_CASES = ("walked to the pier with three cases.", "three cases", "who is 27", "The keeper", "the pier")
OF_SHARES = (
    "Several keepers",
    "Several keepers said that between 5 and 7 percent of the crews want to return",
    "between 5 and 7 percent of the crews want to return",
    "less than 1 percent of the 1,600-strong service has said so aloud",
    "the 1,600-strong service",
)
OF_SALT = (
    "he rowed across at night",
    "Salt told the Example Wire the winter pay was $13 a month and that he rowed across at night.",
    FOG,
    "winter pay was $13 a month",
)
SPEAKING = ("Salt told the Example Wire", "he lost", "Several keepers said")
TITLE = "Keepers Leave the Lighthouse, Crossing to Port Example"
BRUNO = "Bruno Salt, 36, a sergeant of the Coast Watch who served eight years"
OIL, WROTE, BACK, LAMPS = "We had no oil left,", "Nobody wrote to us.", "I will not go back.", "“The lamps are dark.”"
OF_BRUNO = next(line for line in LINES if line.startswith(HUNGER))
TWO_SWAPPED = replaced((HUNGER, f'"{WROTE}"'), (f' "{WROTE}"\n', f" {HUNGER}\n"))
DOCUMENT = documents_of(INVENTED)[0]
EVERY_PIECE = [part.text for cited in DOCUMENT.cited for part in cited.parts]

EDITS = [
    Edit("nothing", OLD, {}),
    # Paragraphs and sentences that are inserted.
    Edit("a paragraph at the beginning", f"New notice\n\n{OLD}", {}),
    Edit("a paragraph in the middle", before("Salt told", "The fog was thick that week."), {}),
    Edit("a paragraph at the end", f"{OLD}\nCorrection: an earlier version misstated a number.\n", {}),
    Edit("a sentence", replaced((" Hundreds came", " It was cold. Hundreds came")), {}),
    Edit("a paragraph that is split", replaced(("at night. In the fog", "at night.\n\nIn the fog")), {}),
    Edit("paragraphs that are joined", replaced((f"{BACK}\n\nThe keeper", f"{BACK} The keeper")), {}),
    # Deleted ones.
    Edit("a sentence deleted", replaced((f" {FOG}", "")), dict.fromkeys((FOG, "he lost"), "lost")),
    Edit("a paragraph deleted", replaced((CASES, "")), {**dict.fromkeys(OF_CASES, "lost"), "the pier": "ambiguous"}),
    Edit("the pull quote deleted", replaced((f"\n{LAMPS}\n", "")), {LAMPS: "lost"}),
    # In another place: what was moved with its neighbours is found, and a sentence without them is left to a person.
    Edit(
        "paragraphs swapped",
        swapped("Salt told", "Several keepers"),
        dict.fromkeys(OF_SALT + OF_SHARES + SPEAKING, "moved"),
    ),
    Edit("a paragraph moved", replaced((CASES, "")) + f"\n{CASES}", dict.fromkeys(OF_CASES, "moved")),
    Edit(
        "a sentence moved",
        replaced((f" {FOG}", ""), ("cases.", f"cases. {FOG}")),
        dict.fromkeys((FOG, "he lost"), "ambiguous"),
    ),
    Edit("a short sentence moved", replaced((f" “{BACK}", ""), ("\nIt’s", f"\n{BACK} It’s")), {BACK: "ambiguous"}),
    Edit("quotations swapped", TWO_SWAPPED, {OIL: "ambiguous", WROTE: "ambiguous"}),
    # Changed marks and spaces: around the words they change nothing.
    Edit("marks around words", replaced((HUNGER, f"“{OIL}”"), (f'"{WROTE}"', f"“{WROTE}”")), {}),
    Edit("a closing mark", replaced((f"{BACK}\n", f"{BACK}”\n")), {}),
    Edit("a dash", replaced(("EXAMPLE —", "EXAMPLE –")), {}),
    Edit("an apostrophe", replaced(("It’s", "It's")), {"It’s quiet tonight,": "edited"}),
    Edit("spaces", OLD.replace(". ", ".  "), {"Mira Fenn said. Fenn, a clerk": "edited"}),
    Edit("a space in words", replaced(("13 a", "13 a\u00a0")), dict.fromkeys(OF_SALT[1::2], "edited")),
    # Changed words.
    Edit("a number", replaced(("at least 20", "at least 25")), dict.fromkeys((FENN, "at least 20 boats"), "edited")),
    Edit("an age", replaced(("Salt, 36", "Salt, 37")), {BRUNO: "edited"}),
    Edit("the title", replaced(("Keepers Leave", "Keepers Abandon")), {TITLE: "edited"}),
    Edit("boilerplate", replaced(("Play Audio", "Pause Audio")), {"0\nPlay Audio": "edited"}),
    # Equal words that were not there before.
    Edit("words printed earlier", before("PORT", f"It seemed so. {OIL} she wrote."), {OIL: "moved"}),
    Edit("words printed later", before("It’s", "There are two inns."), {}),
    Edit("a quotation printed earlier", before("PORT", f"{HUNGER} said a clerk."), {OIL: "moved"}),
    Edit(
        "its sentence printed earlier",
        before("PORT", OF_BRUNO),
        dict.fromkeys((BRUNO, OIL, WROTE, "said Bruno Salt"), "moved"),
    ),
    Edit(
        "words printed earlier and no longer where they were",
        before("PORT", "There are two inns.").replace("in two inns.", "outside."),
        {"two inns": "ambiguous"},
    ),
    Edit(
        "a paragraph printed twice in a row", before("The keeper", CASES.strip()), dict.fromkeys(OF_CASES, "ambiguous")
    ),
    Edit("another article", "Cats sleep.\n", dict.fromkeys(EVERY_PIECE, "lost")),
    Edit("the article twice", OLD + OLD, dict.fromkeys(EVERY_PIECE, "ambiguous")),
]


@pytest.mark.parametrize("case", EDITS, ids=lambda case: case.what)
def test_each_piece_of_evidence_has_its_class(case: Edit) -> None:
    planned = corrected_articles.plan(DOCUMENT, case.new, "0" * 64)
    assert {piece.words: piece.state for piece in planned.pieces if piece.state != "unchanged"} == case.expected


def test_words_that_are_printed_once_more_move_no_evidence() -> None:
    for cited in DOCUMENT.cited[::3]:
        for part in cited.parts:
            inserted = f"{part.text}\n\n"
            planned = corrected_articles.plan(DOCUMENT, inserted + OLD, "0" * 64)
            found = evidence_yaml.spans(DOCUMENT, planned.annotations, inserted + OLD)
            at = len(inserted)
            assert found == {
                path: tuple(Span(start + at, end + at) for start, end in places)
                for path, places in DOCUMENT.spans.items()
            }


def test_words_that_are_printed_once_more_are_never_found_at_another_place() -> None:
    """Evidence that chooses among equal words is found at its own place or not at all, without `reanchor` too."""
    chosen = [
        (document, Quote(part.text, Place(""), part.prefix or "", part.suffix or "", part.occurrence), span)
        for document in (*documents_of(PROJECT), *documents_of(INVENTED))
        for cited in document.cited
        for part, span in zip(cited.parts, document.at(cited.path), strict=False)
        if part.prefix or part.suffix or part.occurrence
    ]
    assert chosen
    for document, quote, span in chosen:
        for line in (0, 1, 2, 3):  # near the top
            at = line_starts(document.text)[line]
            shift = len(f"{quote.text}\n\n") if at <= span.start else 0
            new = f"{document.text[:at]}{quote.text}\n\n{document.text[at:]}"
            found, faults = find_span(quote, SearchedText("", new, near=False))
            assert faults or found == Span(span.start + shift, span.end + shift), quote.text


def test_a_change_of_boilerplate_alone_requires_no_change_of_other_evidence() -> None:
    boilerplate = {part.text for part in DOCUMENT.source.boilerplate or ()}
    for new in (
        replaced(("Play Audio", "Pause Audio"), ("Copyright 2019 The Example Gazette", "© The Example Gazette, 2019")),
        replaced(("0\nPlay Audio\n", "")),
        f"Subscribe\nSign in\n{OLD}\nRead more: Two inns\n",
        replaced(("0\n", "17\n")),
    ):
        in_doubt = {each.words for each in corrected_articles.plan(DOCUMENT, new, "0" * 64).pieces if each.is_in_doubt}
        assert in_doubt <= boilerplate | {"Copyright 2019 The Example Gazette"}  # which attests the outlet


# ---- what is written ---------------------------------------------------------------------------------------------

FILE = "annotations/900_example.yaml"


def reanchored(root: Path, text: str, *options: str) -> Ran:
    """Run the command with a new text of the invented article."""
    (root / "new.txt").write_text(text, encoding="utf-8")
    return run("reanchor", "900_example", "new.txt", *options, where=root)


def annotated(root: Path) -> str:
    return (root / FILE).read_text(encoding="utf-8")


def test_verified_evidence_is_written_and_nothing_else_changes(copied: Path) -> None:
    typed = annotated(copied)
    new = before("PORT", "There were two inns.")
    ran = reanchored(copied, new)
    assert (ran.returncode, annotated(copied)) == (0, typed)
    assert f"{FILE}:180:15: moved: line 8, now line 10: two inns\n" in ran.stdout
    ran = reanchored(copied, new, "--write")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (copied / "seeds/900_example.txt").read_text(encoding="utf-8") == new
    lines = zip(typed.splitlines(), annotated(copied).splitlines(), strict=False)
    changed = [line for old, line in lines if line != old]
    assert changed[1:] == ['    evidence: {text: "two inns", prefix: "of them sleep in "}']
    assert annotated(copied).endswith(f"\n\nearlier:\n  - {{sha256: {DOCUMENT.source.sha256}}}\n")
    assert [each.code for each in found_in(copied)] == ["unaccounted-quantity"]  # of the new paragraph
    assert reanchored(copied, OLD, "--write").returncode == 0
    assert re.findall("sha256: (.{8})", annotated(copied)) == ["78f41748", "78f41748", changed[0][-64:][:8]]


def test_the_page_shows_what_the_command_prints(copied: Path) -> None:
    new = before("PORT", "There were two inns.").replace("at least 20", "at least 25")
    page = (PROJECT / "docs/annotators/corrected-articles.md").read_text(encoding="utf-8")
    assert f"```text\n{reanchored(copied, new).stdout}```" in page


def test_an_uncertain_match_is_a_finding_until_it_is_decided(copied: Path) -> None:
    new = before("PORT", "There are two inns.").replace("in two inns.", "outside.")
    assert reanchored(copied, new).returncode == 1
    assert found_in(copied) == []
    ran = reanchored(copied, new, "--write")
    assert ran.returncode == 1
    paste = ran.stdout.partition("Paste instead: ")[2].partition("  # line 8\n")[0]
    assert paste == '"two inns"'
    (unanchored,) = [line for line in annotated(copied).splitlines() if "two inns" in line]
    assert [each.code for each in found_in(copied)][:1] == ["evidence-not-found"]
    edit(copied, FILE, unanchored.strip(), f"evidence: {paste}")
    assert "evidence-not-found" not in {each.code for each in found_in(copied)}


def test_a_typed_occurrence_is_replaced_by_neighbours_and_comments_are_kept(copied: Path) -> None:
    twice = replaced(("in two inns.", "in two inns. There are two inns."))
    (copied / "seeds/900_example.txt").write_text(twice, encoding="utf-8")
    repin(copied, "900_example")
    part = "evidence:\n      text: two inns\n      prefix: 'in '\n      occurrence: 1\n"
    edit(copied, FILE, "evidence: two inns\n", part)
    assert reanchored(copied, f"Two in two inns\n\n{twice}", "--write").returncode == 0
    assert 'evidence:\n      {text: "two inns", prefix: "of them sleep in "}\n    value: 2' in annotated(copied)
    edit(
        copied,
        FILE,
        '      {text: "two inns", prefix: "of them sleep in "}\n',
        '      text: "two inns"  # these\n      suffix: . There\n',
    )
    typed = annotated(copied)
    ran = reanchored(copied, f"In two inns. There, in two inns.\n\n{twice}", "--write")
    assert (ran.returncode, ran.stderr.startswith("The annotation file cannot be edited without loss")) == (1, True)
    assert annotated(copied) == typed


def test_a_waiver_of_every_occurrence_covers_no_new_place_without_a_person(copied: Path) -> None:
    edit(copied, FILE, "    evidence: March 3rd\n", "    evidence: March 3rd\n    every_occurrence: true\n")
    planned = corrected_articles.plan(documents_of(copied)[0], replaced(("on March 3rd", "on March 4th")), "0" * 64)
    assert {piece.words: piece.state for piece in planned.pieces if piece.is_in_doubt} == {"March 3rd": "edited"}
    new = before("PORT", "It was March 3rd.")
    assert reanchored(copied, new, "--write").returncode == 1
    assert "evidence-ambiguous" in {each.code for each in found_in(copied)}
    edit(copied, FILE, "every_occurrence: false", "every_occurrence: true")
    assert found_in(copied) == []


def test_the_same_command_completes_an_interrupted_update(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = before("PORT", "There were two inns.")
    with monkeypatch.context() as patch:
        patch.setattr(filesystem, "move", moved_but_not_to(FILE))
        assert reanchored(copied, new, "--write").returncode == 3
    assert run("check", where=copied).stderr.startswith("A command that edits the corpus was interrupted")
    ran = reanchored(copied, new, "--write")
    assert (ran.returncode, "is now complete: 2 changed files." in ran.stdout) == (0, True)
    assert 'prefix: "of them sleep in "' in annotated(copied)


def moved_but_not_to(file: str) -> Callable[[Path, Path], None]:
    """Return a function that moves files, except to one place."""
    move = filesystem.move

    def refused(path: Path, target: Path) -> None:
        if target.match(f"*/{file}"):
            raise OSError(28, "No space left on device")
        move(path, target)

    return refused


def test_parts_that_change_their_order_are_in_doubt(copied: Path) -> None:
    edit(copied, FILE, "evidence: two inns", "evidence: [two inns, Hundreds came to the pier]")
    new = swapped("PORT EXAMPLE", "Hundreds came")
    planned = corrected_articles.plan(documents_of(copied)[0], new, "0" * 64)
    assert {piece.words for piece in planned.pieces if piece.is_in_doubt} == {"two inns", "Hundreds came to the pier"}


def test_a_text_that_is_no_seed_and_evidence_that_is_not_found_are_findings(copied: Path) -> None:
    assert "seed-empty" in reanchored(copied, " ").stdout
    edit(copied, FILE, "evidence: two inns", "evidence: two ships")
    assert "evidence-not-found" in reanchored(copied, OLD).stdout


def test_a_line_of_a_shard_and_withdrawn_words_are_left_to_a_person(parts: Path, copied: Path) -> None:
    assert "is a line of a shard: edit it by hand." in reanchored(parts, OLD, "--write").stderr
    with (copied / FILE).open("a", encoding="utf-8") as file:
        file.write("withdrawn: [{start: 300, end: 305}]\n")
    assert "has withdrawn words, which a new text may repeat" in reanchored(copied, OLD, "--write").stderr
