"""A draft is compared with the articles: what is verbatim, altered or not found, in which record, and who spoke."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from calling import run
from conftest import INVENTED, PROJECT, built, repin
from defectors_data.given_files import GivenFileError
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import quotecheck
from defectors_data.readers.quotecheck import CheckedQuote, manuscript_reader
from defectors_data.readers.quotecheck.articles import published as published_articles
from defectors_data.readers.quotecheck.omission_comparison import left_out
from defectors_data.text.english import UNITS
from defectors_data.text.offsets import Span

SEEDS = INVENTED / "seeds"

ALTERED = """
example-t1|Nearly 40 lighthouse keepers have left the Northern Isles since January, according to the Harbour Office
example-t1|Nearly 60 lighthouse keepers have left the Northern Isles since February
example-t1|nearly 40 lighthouse keepers have fled the Northern Isles
example-t1|40 lighthouse keepers have left the Northern Isles since last February
example-t2|We had no petrol left
example-t2|We had little oil left
example-t2|We have no oil left
example-t2|Nobody ever wrote to us.
example-t2|Somebody wrote to us.
example-t2|Nobody wrote us.
example-t3|Salt told the Example Wire the winter pay was $30 a month
example-t3|the winter pay was only $13 a month and that he rowed across at night
example-t3|the winter wage was $13 a month
example-t3|he rowed across by night
example-t4|In the fog he lost an oar and drifted until evening.
example-t4|In the fog he lost the oar and drifted till morning.
example-t4|In fog he lost an oar and drifted
example-t5|The lamps were dark,
example-t5|I will never go back.
example-t5|I will go back.
example-t6|walked to the pier with four cases.
example-t6|ran to the pier with three cases
example-t7|Several keepers said that between 5 and 8 percent of the crews want to return
example-t7|Several keepers said that 5 to 7 percent of the crews want to return
example-t7|between 5 and 7 percent of the keepers want to return
example-t8|It’s very quiet tonight,
example-t8|It was quiet tonight
example-t9|insisted that at least 20 boats and up to 40 lanterns were lost
example-t9|at least 20 boats and 30 lanterns were lost, more than four of them new
example-t9|Fenn, a teacher, insisted that at least 20 boats
second-t6|Two keepers can serve an island
second-t6|Two keepers cannot save an island,
second-t6|Three keepers cannot serve an island
second-t1|Perhaps no one
""".strip().splitlines()
"""Records of the invented corpus with altered words of theirs."""

VERBATIM = {
    "We had no oil left,": "example-t2",
    "we had no oil left": "example-t2",
    "[W]e had no oil left.": "example-t2",
    "We had no oil left … Nobody wrote to us": "example-t2",
    "The lamps are dark, [...] I will not go back.": "example-t5",
    "It's quiet tonight": "example-t8",
    "Two keepers cannot   serve an island": "second-t6",
}
UNKNOWN = (
    "The moon fell on the harbour wall last week",
    "Bread for everyone",
    "They sold the boats to a museum in May",
)


def checked(
    package: Path, tmp_path: Path, text: str, *, whole: bool = True, ending: str = ".txt"
) -> list[CheckedQuote]:
    path = tmp_path / f"draft{ending}"
    path.write_text(text, encoding="utf-8")
    return quotecheck.check(package, path, seeds=SEEDS if whole else None).checked


@pytest.mark.parametrize("whole", [True, False])
def test_altered_quotations_are_found_with_their_records(package: Path, tmp_path: Path, whole: bool) -> None:
    cases = [line.split("|") for line in ALTERED]
    found = checked(package, tmp_path, "".join(f"He said “{words}”\n" for _, words in cases), whole=whole)
    assert len(found) == len(cases) > 30
    wrong = [(words, item.verdict) for (_, words), item in zip(cases, found, strict=True) if item.verdict != "altered"]
    elsewhere = [
        (words, item.record)
        for (record, words), item in zip(cases, found, strict=True)
        if item.record != f"testimonies/{record}"
    ]
    assert (len(wrong) <= len(cases) * 0.03, wrong) == (True, wrong)
    assert (len(elsewhere) <= len(cases) * 0.05, elsewhere) == (True, elsewhere)
    assert all(item.difference for item in found if item.verdict == "altered")


def test_words_that_differ_only_in_style_are_verbatim(package: Path, tmp_path: Path) -> None:
    found = checked(package, tmp_path, "".join(f"“{words}” she said.\n\n" for words in VERBATIM))
    assert [(item.verdict, item.record) for item in found] == [
        ("verbatim", f"testimonies/{record}") for record in VERBATIM.values()
    ]


def test_words_that_no_article_has_are_not_found(package: Path, tmp_path: Path) -> None:
    found = checked(package, tmp_path, "".join(f"“{words}” she said.\n" for words in UNKNOWN))
    assert [(item.verdict, item.record, item.article) for item in found] == [("not_found", None, None)] * len(UNKNOWN)


def test_a_protected_speaker_is_named_by_the_role_alone(package: Path, tmp_path: Path) -> None:
    [item] = checked(package, tmp_path, "“I will not go back.”")
    assert (item.speaker, item.mode) == ("Defector (person, name withheld on request)", "direct")


def test_words_given_to_another_speaker_are_altered(package: Path, tmp_path: Path) -> None:
    text = "“I will not go back,” Milo Vane said.\n\n“I will not go back,” she said. Vane wept.\n"
    wrong, open_ = checked(package, tmp_path, text)
    assert (wrong.verdict, wrong.record) == ("altered", "testimonies/example-t5")
    assert wrong.difference == (
        "The speaker differs: the manuscript has “Milo Vane”, the record “Defector (person, name withheld on request)”."
    )
    assert (open_.verdict, open_.difference) == ("verbatim", "")


def test_words_of_a_speaker_by_surname_or_full_name_are_verbatim(package: Path, tmp_path: Path) -> None:
    tables = PackageTables(package, ("testimonies", "speakers", "spans"))
    speakers = {row["speaker_id"]: row for row in tables.rows("speakers")}
    direct = {row["testimony_id"]: row for row in tables.rows("testimonies") if row["mode"] == "direct"}
    quoted = {row["record_id"]: row["exact"] for row in tables.rows("spans") if row["field"] == "evidence"}
    named = [(name, speakers[row["speaker_id"]]) for name, row in direct.items()]
    persons = [(quoted[name], row["name"]) for name, row in named if row["kind"] == "person" and row["name"]]
    assert persons
    for words, name in persons:
        for written in (name, name.split()[-1], f"Sgt. {name.split()[-1]}"):
            [item] = checked(package, tmp_path, f"“{words.strip('“”')}” {written} said.\n")
            assert "speaker" not in item.difference, item


@pytest.mark.parametrize(
    ("text", "verdict", "says"),
    [
        ("“I will … go back.”", "altered", "What is left out has a negation: “not”."),
        ("“… wrote to us.”", "altered", "What is left out has a negation: “Nobody”."),
        ("“Nobody … to us.”", "verbatim", ""),
        ("“We had … left.”", "altered", "What is left out has a negation: “no oil”."),
        ("“Two keepers can … serve an island”", "altered", "Yours has “can”, the article “cannot”, at character 13."),
        ("“Nobody wrote to us. We had no oil left.”", "altered", "“We had no oil left” before “Nobody wrote to us”."),
        ("“Nobody wrote to us … We had no oil left”", "altered", "The pieces are in another order"),
        ("“The lamps are dark … Perhaps nobody”", "altered", "is in another article, The Harbour After the Keepers."),
        ("“We had [sic] no oil left”", "verbatim", "“[sic]” is a marked insertion."),
        ("“We [the keepers] had no oil left”", "verbatim", "“[the keepers]” is a marked insertion."),
        ("“We had [not] oil left”", "altered", "The insertion “[not]” has a negation."),
        ("“[w]e had no oil left”", "verbatim", "The first letter of “[w]e” is marked as changed."),
        ("“two keepers cannot serve”", "verbatim", "The first letter of “two” is “T” in the article."),
        ("“two Keepers cannot serve”", "altered", "the case differs"),
        ("“We had no\noil left.”", "verbatim", ""),
        ("“he rowed across at night,” Salt said.", "altered", "Narration is given as speech"),
        ("The Example Gazette wrote: “he rowed across at night.”", "verbatim", ""),
        ("In The Harbour After the Keepers, he said “We had no oil left.”", "altered", "The article differs"),
        ("In The Example Gazette, he said “We had no oil left.”", "verbatim", ""),
    ],
)
def test_a_quotation_is_judged_with_what_differs(
    package: Path, tmp_path: Path, text: str, verdict: str, says: str
) -> None:
    [item] = checked(package, tmp_path, text)
    assert item.verdict == verdict, item
    assert says in " ".join([item.difference, *item.notes]), item
    assert ("wrong" in item.judgements.values()) == (verdict == "altered")


def test_reported_words_in_quotation_marks_have_the_right_speaker(package: Path, tmp_path: Path) -> None:
    [item] = checked(package, tmp_path, "“he rowed across at night,” Salt said.")
    assert (item.judgements["words"], item.judgements["speaker"]) == ("wrong", "right")


LEFT_OUT = {
    ("“I did not *want to row* for them,” he said.", "“want to row for them,”"): "“I did not” before",
    ("“It was not *an accident*,” he said.", "It was “an accident”, he said."): "“It was not” before",
    ("“We *will never row*,” he said.", "They did not say “row”."): "",
    ("“We *rowed* no longer,” he said.", "“We rowed,” he said."): "“no longer” after",
    ("“We *trusted* nobody,” he said.", "“We trusted,” he said."): "“nobody” after",
    ("“If they pay us, *we will row*,” he said.", "“we will row,” he said."): "“If they pay us,” before",
    ("“If they pay us, *we will row*,” he said.", "If paid, “we will row,” he said."): "",
    ("“I believe that *they will row*,” he said.", "“they will row,” he said."): "“I believe that” before",
    ("“I believe that *they will row*,” he said.", "They believe “they will row”."): "",
    ("“There are rumors that *they left*,” he said.", "“they left,” he said."): "“There are rumors that” before",
    ("“I did not *want to row* for them,” he said.", "He did not “want to row” there."): "",
    ("“I did not cry, and I *want to row*,” he said.", "“want to row,” he said."): "",
    ("“I did not cry. I *want to row*,” he said.", "“want to row,” he said."): "",
    ("“It was not him,” she said. “We *want to row*.”", "“want to row,” she said."): "",
    ("She denied nothing that *the boat carried*.", "“the boat carried,” she said."): "",
    ("“We *want to row*, not to swim,” he said.", "“want to row,” he said."): "",
}
"""What an article has and a manuscript quotes, and the words of the article that it leaves out."""


@pytest.mark.parametrize(("printed", "draft"), LEFT_OUT)
def test_words_left_out_next_to_a_quotation_are_named(printed: str, draft: str) -> None:
    before, words, after = printed.split("*")
    quoted = Span(draft.index("“") + 1, draft.index("”"))
    place = Span(len(before), len(before + words))
    said = " ".join(left_out(before + words + after, [place], draft, quoted))
    expected = LEFT_OUT[printed, draft]
    assert said == (f"The article has {expected} these words." if expected else "")


def test_a_quotation_without_the_negation_before_it_is_altered(package: Path, tmp_path: Path) -> None:
    texts = ("“go back,” said a keeper.", "One keeper will not “go back”.")
    reversed_, kept = checked(package, tmp_path, "\n\n".join(texts))
    assert (reversed_.verdict, reversed_.difference) == (
        "altered",
        "The article has “I will not” before these words.",
    )
    assert (kept.verdict, kept.difference) == ("verbatim", "")


def test_what_is_not_judged_is_listed(package: Path, tmp_path: Path) -> None:
    named, unnamed = checked(package, tmp_path, "“We had no oil left,” Salt said.\n\n“We had no oil left.”\n")
    assert named.judged() == "right: words, speaker; not judged: article"
    assert unnamed.judged() == "right: words; not judged: speaker, article"


@pytest.mark.parametrize(
    ("source", "judgement"),
    [
        ("Milo Vane", "wrong"),
        ("the Example Wire", "wrong"),
        ("the Harbour Office", "right"),
        ("the harbour’s office", "not judged"),
        ("the Harbours Ministry", "not judged"),
        ("the HO", "not judged"),
        ("the office", "not judged"),
        ("officials", "not judged"),
    ],
)
def test_a_number_of_an_institution_has_another_speaker_only_under_another_name(
    package: Path, tmp_path: Path, source: str, judgement: str
) -> None:
    text = f"Nearly 40 lighthouse keepers have left the Northern Isles, {source} said."
    [item] = checked(package, tmp_path, text)
    assert item.judgements["speaker"] == judgement, item
    assert item.judged().endswith("what is counted, when, where")


def test_a_number_that_a_reader_corrected_is_compared_with_the_printed_one(copied: Path, tmp_path: Path) -> None:
    path = copied / "annotations/900_example.yaml"
    changed = path.read_text(encoding="utf-8").replace("value: 13\n", "value: 31\n    override: A misprint.\n", 1)
    path.write_text(changed, encoding="utf-8")
    assert built(copied, tmp_path / "dist").outcome == "published"
    text = "The winter pay was $13 a month.\n\nThe winter pay was $31 a month.\n"
    printed, recorded = checked(tmp_path / "dist", tmp_path, text)
    assert (printed.verdict, recorded.verdict) == ("same_number", "altered")
    said = "The record has 31 (exact); the program reads the words otherwise: A misprint."
    assert printed.notes == recorded.notes == (said,)


def test_a_number_that_is_only_supposed_is_altered_where_the_manuscript_affirms_it(
    copied: Path, tmp_path: Path
) -> None:
    for name in ("seeds/900_example.txt", "annotations/900_example.yaml"):
        path = copied / name
        changed = path.read_text(encoding="utf-8").replace("winter pay was $13", "plan was a pay of $13")
        path.write_text(changed.replace("value: 13\n", "value: 13\n    polarity: supposed\n"), encoding="utf-8")
    repin(copied, "900_example")
    assert built(copied, tmp_path / "dist").outcome == "published"
    draft = tmp_path / "draft.txt"
    text = "Salt said he had $13 a month and that he rowed across.\n\nHer plan was a pay of $13 a month.\n"
    draft.write_text(text, encoding="utf-8")
    affirmed, supposed = quotecheck.check(tmp_path / "dist", draft, seeds=copied / "seeds").checked
    assert (affirmed.verdict, supposed.verdict) == ("altered", "same_number")
    assert affirmed.difference == "The article has “plan was a pay of $13 a month”, which is supposed."


def test_the_units_of_a_package_have_the_nouns_by_which_its_articles_were_read(copied: Path, tmp_path: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    units = """
units:
  - {term: gold_crown, definition: crowns}
  - {term: tub, definition: tubs, nouns: [Wash-tub, Wash-tubs]}"""
    path.write_text(path.read_text(encoding="utf-8").replace("\nunits:", units), encoding="utf-8")
    assert built(copied, tmp_path / "dist").outcome == "published"
    read = published_articles(tmp_path / "dist", None).units
    added = read.keys() - UNITS.keys() - {noun for noun in read if read[noun] in {"hotel", "meal_per_day"}}
    assert added == {"gold crown", "gold crowns", "wash tub", "wash tubs"}


@pytest.mark.filterwarnings("ignore::defectors_data.package.published_folder.ChangedFileWarning")
def test_a_package_without_comparisons_is_read(package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "large"
    shutil.copytree(package, copy)
    for path in (copy / "data").glob("comparisons.*"):
        path.unlink()
    descriptor = json.loads((copy / "datapackage.json").read_text(encoding="utf-8"))
    descriptor["resources"] = [each for each in descriptor["resources"] if each["name"] != "comparisons"]
    (copy / "datapackage.json").write_text(json.dumps(descriptor), encoding="utf-8")
    draft = tmp_path / "draft.txt"
    draft.write_text("“We had no oil left.”", encoding="utf-8")
    report = quotecheck.check(copy, draft)
    assert [item.verdict for item in report.checked] == ["verbatim"]
    assert [*quotecheck.lines(report, "draft.txt")][-1].startswith("Discrepancies were not looked for")


@pytest.mark.parametrize(
    ("sentence", "verdict", "record"),
    [
        ("Nearly 40 lighthouse keepers left the Northern Isles.", "same_number", "figures/example-f1"),
        ("More than 40 lighthouse keepers left the Northern Isles.", "altered", "figures/example-f1"),
        ("Nearly 60 lighthouse keepers left the Northern Isles.", "altered", "figures/example-f1"),
        ("The winter pay was $13 a month.", "same_number", "figures/example-f4"),
        ("The winter pay was $15 a month.", "altered", "figures/example-f4"),
        ("At least 20 boats were lost.", "same_number", "figures/example-f9"),
        ("At least 20 of the lighthouse keepers have left the Northern Isles.", "altered", "figures/example-f1"),
        ("He has 40 pigeons at home.", "not_found", None),
        ("Nearly 40 dwarfs sang.", "not_found", None),
        ("Forty of them were there.", "not_found", None),
        ("Some 900 lanterns of the keepers left.", "not_found", None),
        ("The harbour has 500 keepers of bees.", "not_found", None),
    ],
)
def test_a_number_is_compared_with_the_figure_of_its_sentence(
    package: Path, tmp_path: Path, sentence: str, verdict: str, record: str | None
) -> None:
    [item] = checked(package, tmp_path, sentence)
    assert (item.kind, item.verdict, item.record) == ("number", verdict, record)


@pytest.mark.parametrize("seed", sorted((PROJECT / "seeds").glob("*.txt")), ids=lambda path: path.stem)
def test_nothing_of_an_article_itself_is_altered_or_not_found(seed: Path) -> None:
    found = quotecheck.check(PROJECT / "dist", seed, seeds=PROJECT / "seeds").checked
    assert [item for item in found if item.verdict in ("altered", "not_found")] == []


@pytest.mark.parametrize(
    ("sentence", "verdict", "record"),
    [
        ("Bruno Salt, 36, rowed.", "same_number", "mentions/example-m2"),
        ("Salt, who is 36, rowed.", "same_number", "mentions/example-m2"),
        ("Salt, who is 37, rowed.", "not_found", None),
        ("Salt has 36 boats.", "not_found", None),
        ("Fenn is 36.", "not_found", None),
        ("The keeper, who is 27, walked home.", "same_number", None),
        ("More than 40 lighthouse keepers have left the Northern Isles.", "altered", "figures/example-f1"),
        ("There are 27 lamps.", "not_found", None),
    ],
)
def test_a_number_is_found_by_the_same_words_or_as_an_age(
    package: Path, tmp_path: Path, sentence: str, verdict: str, record: str | None
) -> None:
    [item] = checked(package, tmp_path, sentence)
    assert (item.verdict, item.record) == (verdict, record)


def test_figures_of_other_articles_that_differ_are_named(package: Path) -> None:
    articles = published_articles(package, None)
    row = {"figure_a": "example-f1", "figure_b": "example-f2", "explanation": "40 is not 12."}
    disputed = articles._replace(disputed={"example-f1": [row], "example-f2": [row]})
    [sentence] = disputed.discrepancies(["example-f1"])
    assert sentence.endswith("Port Example has “about 12 of them sleep” (figures/example-f2): 40 is not 12.")
    assert articles.discrepancies(["example-f1"]) == ()


WORD = (
    "He said “Nobody </w:t></w:r><w:r><w:t>wrote</w:t></w:r><w:del><w:r><w:delText> not</w:delText></w:r></w:del>"
    "<w:r><w:t> to us.”</w:t></w:r></w:p><w:p><w:r><w:t>“The lamps are dark,”</w:t></w:r></w:p><w:p><w:r><w:t>“We had "
    "no petrol left,”"
)
DRAFTS = {
    ".txt": "He said “Nobody wrote to us.”\n\n“The lamps are dark,” said one. “We had no petrol left,” he said.",
    ".md": "# A `“code”`\n```sh\necho “more code”\n```\n"
    "He said **“Nobody [wrote](x.html) to us.”**\n\n> The lamps are *dark*,\n\n“We had no _petrol_ left”",
    ".html": "<head><title>“x y z”</title></head><p>He said <q>Nobody <b>wrote</b>\nto us.</q></p><blockquote><p>The "
    "lamps are dark,</p></blockquote><script>“no”</script><p>&ldquo;We had no petrol left,&rdquo; he said.",
    ".docx": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
    f"{WORD}</w:t></w:r></w:p></w:body></w:document>",
}


@pytest.mark.parametrize("ending", DRAFTS)
def test_a_draft_is_read_in_every_kind_of_file(package: Path, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"draft{ending}"
    if ending == ".docx":
        with zipfile.ZipFile(path, "w") as word:
            word.writestr("word/document.xml", DRAFTS[ending])
    else:
        path.write_text(DRAFTS[ending], encoding="utf-8")
    found = quotecheck.check(package, path, seeds=SEEDS).checked
    assert [item.verdict for item in found] == ["verbatim", "verbatim", "altered"]
    assert found[2].difference == "Yours has “petrol”, the article “oil”, at character 11."


def word_document(*, text: str = DRAFTS[".docx"], part: str = "word/document.xml") -> bytes:
    """Return a Word document in which the bytes of the text are compressed."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as word:
        word.writestr(part, text)
    return data.getvalue()


DAMAGED = {
    "a.pdf": b"%PDF",
    "a.odt": word_document(part="content.xml"),
    "text.txt": b"\xff\xfe",
    "page.html": b"<p>\xff</p>",
    "short.docx": b"PK",
    "empty.docx": b"",
    "other.docx": word_document(part="content.xml"),
    "cut.docx": word_document()[:-40],
    "entities.docx": word_document(text="<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"),
    "cut-xml.docx": word_document(text=DRAFTS[".docx"][:-20]),
    "encoding.docx": word_document(text=f"<?xml version='1.0' encoding='none'?>{DRAFTS['.docx']}"),
}


def test_a_draft_that_cannot_be_read_is_refused(package: Path, tmp_path: Path) -> None:
    for name, data in DAMAGED.items():
        (tmp_path / name).write_bytes(data)
    os.mkfifo(tmp_path / "pipe.docx")
    (tmp_path / "folder.txt").mkdir()
    for name in (*DAMAGED, "pipe.docx", "folder.txt"):
        ran = run("quotecheck", name, "--package", package, where=tmp_path)
        is_sentence = ran.stderr.startswith(f"{name}: ") and ran.stderr.endswith(".\n")
        assert (ran.returncode, ran.stdout, is_sentence) == (1, "", True), (name, ran)
    assert run("quotecheck", "none.txt", "--package", package, where=tmp_path).returncode == 2


def test_no_changed_byte_of_a_word_document_ends_in_a_bug(tmp_path: Path) -> None:
    whole, path = word_document(), tmp_path / "draft.docx"
    for place in range(len(whole)):
        for byte in (0, 255, whole[place] ^ 1):
            path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
            with suppress(GivenFileError):
                manuscript_reader.read(path)


def test_the_command_reports_as_text_and_as_json(published: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("“We had no petrol left,” said Salt.\n“Nobody wrote to us.”\n", encoding="utf-8")
    ran = run("quotecheck", draft, where=published)
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == "1 verbatim, 0 same number, 1 altered, 0 not found"
    report = json.loads(run("quotecheck", draft, "--format", "json", where=published).stdout)
    assert Counter(item["verdict"] for item in report["checked"]) == {"verbatim": 1, "altered": 1}
    assert report["whole_articles"]
    page = run("quotecheck", draft, "--format", "html", where=published).stdout
    assert all(words in page for words in ("We had no petrol left,", "testimonies/example-t2", "Nobody wrote to us."))
    assert "1 verbatim, 0 same number, 1 altered, 0 not found." in page
    draft.write_text("“Nobody wrote to us.”", encoding="utf-8")
    assert run("quotecheck", draft, where=published).returncode == 0


def test_the_page_of_a_report_loads_nothing_and_escapes_what_it_shows(package: Path, tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_text("“We had no <b>petrol</b> left,” “The moon <script> fell”", encoding="utf-8")
    report = quotecheck.check(package, tmp_path / "draft.txt", seeds=SEEDS)
    disputed = report.checked[0]._replace(discrepancies=("Another has <i>12</i>.",))
    page = quotecheck.page(report._replace(checked=[disputed, *report.checked[1:]]), "<draft>.txt")
    assert not re.search(r"<script|<b>|<i>|<img|<link|src=|href=|url[(]|http:", page)
    assert "<dt>Other source</dt><dd>Another has &lt;i&gt;12&lt;/i&gt;.</dd>" in page
    assert re.findall(r'<article class="(.+)">', page) == [item.verdict for item in report.checked]
