"""No name of a person who was removed is left, however it is spelled; what only people can change is refused."""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import product
from pathlib import Path

import pytest

from calling import run
from conftest import edit, found_in, in_parts, repin, spread
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import published_folder
from defectors_data.publishers import removal
from defectors_data.text import occurrences
from takedowns import LAYOUTS, annotated, corpus_of, laid_out, left_by, take_out

FIRST, SECOND = "annotations/900_example.yaml", "annotations/901_second.yaml"


# ---- surnames that stay ----------------------------------------------------------------------------------------------


def with_surname(root: Path) -> Path:
    """Let a source print the surname of a person whom it does not hear, with another accent, and speak of it."""
    file, words = "annotations/901_second.yaml", "Iven said the wind was cold and Fénn rowed."
    with (root / "seeds/901_second.txt").open("a", encoding="utf-8") as seed:
        seed.write(f"\n{words}\n")
    record = f"id: second-t7\n    speaker: second-speaker-8\n    evidence: {words}\n    themes: [weather]"
    record = f"{record}\n    mode: indirect\n    attribution: Iven said"
    edit(root, file, "\nfigures:", f"\n  - {record}\n\nfigures:")
    edit(
        root, file, "counted: towers that stand empty", "counted: towers that stand empty\n    note: Fenn counted them."
    )
    edit(root, file, "  language: en", "  note: Of a Fenn.\n  language: en")
    edit(root, file, "waivers:", "waivers:  # and Fenn")
    repin(root, "901_second")
    assert found_in(root) == []
    return root


STILL_PRINTED = """\
The surname, a removed id or removed words are still found in:
  {0}, line 7: sources/second
  {0}, line {1}: testimonies/second-t7
  {0}, line {2}: figures/second-f2
  {0}, line {3}
Run takedown for these records to remove them: second-t7 second-f2
Edit by hand the lines that belong to a source or to no record.
"""


@pytest.mark.sweep
@pytest.mark.parametrize("options", [["--dry-run"], pytest.param([], marks=pytest.mark.deep)])
def test_a_surname_that_stays_is_reported_with_its_records(copied: Path, options: list[str]) -> None:
    ran = run("takedown", "mira-fenn", "--reason", "person", *options, where=with_surname(copied))
    file = "annotations/901_second.yaml"
    typed = (copied / file).read_text(encoding="utf-8").splitlines()
    _, *places = [number for number, line in enumerate(typed, 1) if re.search("F[eé]nn", line)]
    assert (ran.returncode, ran.stderr) == (0, STILL_PRINTED.format(file, *places))
    for record_id in () if options else ("second-t7", "second-f2"):
        again = run("takedown", record_id, "--reason", "person", where=copied)
        assert (again.returncode, "still found" in again.stderr) == (0, False)


@pytest.mark.deep
@pytest.mark.parametrize("layout", ["shards"])
def test_a_surname_that_stays_in_a_shard_is_reported_with_its_records(copied: Path, layout: str) -> None:
    root = laid_out(with_surname(copied), layout)
    ran = run("takedown", "mira-fenn", "--reason", "person", "--jobs", "1", where=root)
    assert ran.returncode == 0
    assert "annotations/part-00001.jsonl, line 1: testimonies/second-t7\n" in ran.stderr
    assert "remove them: second-f2 second-t7\n" in ran.stderr


def test_a_removed_surname_is_not_printed(copied: Path) -> None:
    for record_id in ("mira-fenn", "example-t1", "harbour-office"):
        ran = run("takedown", record_id, "--reason", "person", "--dry-run", where=copied)
        assert (ran.returncode, "still found" in ran.stderr) == (0, False)


# ---- names, however they are spelled -------------------------------------------------------------------------

SPELLED = ["MIRA FENN", "Mira\u00a0Fenn", "Mira  Fenn", "Mira\nFenn", "Mira-Fenn", "mira_fenn", "_Mira Fenn_"]


def also_said(root: Path, name: str) -> None:
    """Let another source print the name, and what is annotated about it quote and note it."""
    words = f"{name} was there at dawn and said the wind was cold."
    seed = root / "seeds/901_second.txt"
    seed.write_text(f"{seed.read_text(encoding='utf-8')}\n{words}\n", encoding="utf-8")
    added = f"""
  - id: second-t7
    speaker: harbour-office
    attribution: {{words: said the wind, antecedent: second-m4}}
    mode: indirect
    evidence: {json.dumps(words.rpartition(chr(10))[2])}
    themes: [weather]
    note: {json.dumps(f"This is what {name} told.")}
"""
    edit(root, "annotations/901_second.yaml", "\nfigures:", f"{added}\nfigures:")
    edit(root, "annotations/901_second.yaml", "  language: en", f"  language: en\n  note: {json.dumps(f'Of {name}.')}")
    repin(root, "901_second")


@pytest.mark.parametrize(("name", "layout"), spread(product(SPELLED, ("files", "shards")), 7))
def test_a_name_is_removed_in_every_spelling(copied: Path, name: str, layout: str) -> None:
    also_said(copied, name)
    root = laid_out(copied, layout)
    assert left_by(root, "mira-fenn") == left_by(copied, "mira-fenn")
    if layout == "shards":  # with every letter escaped that is no ASCII, and one that is
        path = root / "annotations/part-00001.jsonl"
        line = json.dumps(json.loads(path.read_text(encoding="utf-8"))).replace("Mira", "M\\u0069ra")
        path.write_text(f"{line}\n", encoding="utf-8")
    plan = take_out(root, "mira-fenn")
    assert plan.findings == []
    assert "second-t7" in {stone.id for stone in plan.tombstones}
    assert build(CorpusReader(FileTree(root)), root / "dist").outcome == "published"
    files = published_folder.contents(root / "dist")
    published = b"".join(files.values()).decode("utf-8", errors="replace")
    assert not re.search(r"mira[\W_]+fenn", published + annotated(root), re.IGNORECASE)


def test_an_id_that_is_escaped_is_found_too(parts: Path) -> None:
    path = parts / "annotations/part-00000.jsonl"
    line = json.loads(path.read_text(encoding="utf-8"))
    line["figures"][0]["note"] = "Compare\nmira-fenn of another."
    escaped = json.dumps(line).replace("mira-fenn", "mir\\u0061-fenn")
    assert "mir\\u0061-fenn" in escaped
    path.write_text(f"{escaped}\n", encoding="utf-8")
    assert found_in(parts) == []
    assert take_out(parts, "mira-fenn").findings == []
    assert "note" not in json.loads(path.read_text(encoding="utf-8"))["figures"][0]


@pytest.mark.parametrize(("name", "reached"), [("Keep", set()), ("KEEPER", {"example", "second"})])
def test_a_part_of_a_word_is_no_name(copied: Path, name: str, reached: set[str]) -> None:
    reach = removal.TakedownScope(frozenset(), frozenset({name}))
    documents = corpus_of(FileTree(copied)).documents
    assert {source_id for source_id, document in documents.items() if reach.includes(document)} == reached


def in_both_forms(words: str) -> tuple[str, str]:
    return unicodedata.normalize("NFC", words), unicodedata.normalize("NFD", words)


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        *(("Mira Fenn", spelled) for spelled in SPELLED),
        ("José Ñandú", "JOSÉ ÑANDÚ"),
        ("Ệ Vương", "ệ vương"),
        ("Al-Rashid", "al rashid"),
        ("O'Brien", "O’BRIEN"),
        ("Strauss", "Strauß"),
        ("Strauß", "STRAUSS"),
        ("İpek Yıldız", "İPEK YILDIZ"),
        ("İbrahim", "IBRAHIM"),
        ("Κώστας", "ΚΏΣΤΑΣ"),
        ("Пётр", "ПЁТР"),
        ('Ana "Lu" Paz', 'ana "lu"\u2009paz'),
    ],
)
def test_no_spelling_is_missed_and_places_are_those_of_the_text(name: str, spelled: str) -> None:
    for sought, printed in product(in_both_forms(name), in_both_forms(spelled)):
        text = f"🙂 é, “{printed}”, é"
        found = {text[start:end] for start, end in occurrences.occurrences(text, sought)}
        assert found == {printed.strip("_")}
        assert occurrences.may_contain(json.dumps(text, ensure_ascii=False).encode(), sought)


@pytest.mark.parametrize("words", ["Ivenless", "driven", "Ivené", "Íven", "éIven", "Iven7"])
def test_whole_words_alone_are_names(words: str) -> None:
    for written in in_both_forms(words):
        assert occurrences.occurrences(f"an {written} b", "Iven") == set()


def test_an_escaped_letter_is_never_skipped() -> None:
    letters = [chr(i) for i in (*range(0x30, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2200))]
    everything = " ".join(letters)
    for letter in filter(str.isalpha, letters):
        if unicodedata.normalize("NFC", letter) != letter:
            continue
        found = {everything[start:end] for start, end in occurrences.occurrences(everything, letter)}
        assert letter in found
        assert all(occurrences.may_contain(other.encode(), letter) for other in found)
        whole = re.finditer(rf"(?<!\S){re.escape(letter)}(?!\S)", everything, re.IGNORECASE)
        assert {hit[0] for hit in whole} <= found


def test_words_without_letters_have_no_similar_words() -> None:
    assert occurrences.occurrences("a - b — c", "- —") == set()
    assert not occurrences.may_contain(b"- ", "- ")


# ---- ids ---------------------------------------------------------------------------------------------------------


def test_an_id_made_of_a_name_and_a_number_is_not_left_either(copied: Path) -> None:
    for path in (copied / "annotations").iterdir():
        text = path.read_text(encoding="utf-8").replace("bruno-salt", "bruno-salt-speaker-1")
        path.write_text(text, encoding="utf-8")
    plan = take_out(copied, "bruno-salt-speaker-1")
    assert [stone.id for stone in plan.tombstones if stone.table == "speakers"] == ["withdrawn-speaker-1"]
    assert "bruno" not in (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_number_of_the_nameless_is_never_used_again(copied: Path, layout: str) -> None:
    stone = "{table: speakers, id: withdrawn-speaker-7, date: 2026-01-01, reason: person}"
    (copied / "annotations/tombstones.yaml").write_text(f"tombstones:\n  - {stone}\n", encoding="utf-8")
    plan = take_out(laid_out(copied, layout), "bruno-salt")
    assert [stone.id for stone in plan.tombstones if stone.table == "speakers"] == ["withdrawn-speaker-8"]


@pytest.mark.parametrize("called", ["bruno-salt-says", "on-salt"])
def test_a_source_that_is_called_after_a_person_is_in_the_way(copied: Path, called: str) -> None:
    for path in (copied / SECOND, copied / "annotations/comparisons.yaml"):
        path.write_text(re.sub(r"\bsecond\b(?=[\n-])", called, path.read_text(encoding="utf-8")), encoding="utf-8")
    assert found_in(copied) == []
    with pytest.raises(removal.TakedownBlockedError, match=r"901_second\.yaml, line 3, contains the name"):
        take_out(copied, "bruno-salt")
    assert take_out(copied, "mira-fenn").findings == []


def test_a_seed_that_is_called_after_a_person_is_in_the_way(parts: Path) -> None:
    path = parts / "annotations/part-00001.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("901_second.txt", "on-salt.txt"), encoding="utf-8")
    with pytest.raises(
        removal.TakedownBlockedError, match=r"^annotations/part-00001\.jsonl, line 1, contains the name"
    ):
        take_out(parts, "bruno-salt")


@pytest.mark.parametrize("called", ["mira-fenn", "of_Fenn_and_others"])
def test_a_shard_that_is_called_after_a_person_is_in_the_way(parts: Path, called: str) -> None:
    for number, name in (("0", called), ("1", "zz")):
        for path in (*parts.glob(f"annotations/part-0000{number}.*"), *parts.glob(f"seeds/part-0000{number}.*")):
            path.rename(path.with_stem(name))
    assert found_in(parts) == []
    with pytest.raises(
        removal.TakedownBlockedError, match=rf"^The file name annotations/{called}\.jsonl contains the name: rename"
    ):
        take_out(parts, "mira-fenn")
    assert take_out(parts, "bruno-salt").findings == []


# ---- what only a keeper can change ---------------------------------------------------------------------------

VOCABULARY = "annotations/vocabulary.yaml"
IN_THE_WAY: dict[str, tuple[str, str, str, int | None]] = {
    "a keyword": ("dataset.yaml", "keywords: [lighthouses]", "keywords: [lighthouses, mira-fenn]", 7),
    "a keyword in capitals": ("dataset.yaml", "keywords: [lighthouses]", "keywords: [MIRA_FENN]", 7),
    "a change": ("CHANGELOG.md", "Two articles", "Two articles of Mira Fenn", 7),
    "a definition": (VOCABULARY, "definition: Anything else.", "definition: Anything else, as Fenn says.", 13),
    "a term": (VOCABULARY, "term: inns\n", "term: fenn_inns\n", 27),
    "a comment": ("dataset.yaml", "version: 1.2.3", "# Ask Mira\n  #  Fenn.\nversion: 1.2.3", 5),
    "a comment on terms": (
        VOCABULARY,
        "definition: Anything else.",
        "definition: Anything else.\n    # of mira-fenn",
        14,
    ),
    "a comment on speakers": (
        "annotations/speakers.yaml",
        "    kind: institution",
        "    kind: institution  # FENN",
        12,
    ),
    "a comment on notes": ("annotations/comparisons.yaml", "    note: The", "    # not Fenn's\n    note: The", 4),
    "a comment on another source": (
        "annotations/901_second.yaml",
        "  - id: second-t6\n",
        "  # said beside Mira Fenn\n  - id: second-t6\n",
        None,  # where the comment is
    ),
    "a comment on what goes": (
        "annotations/900_example.yaml",
        "  - id: mira-fenn\n",
        "  # the clerk, Mira Fenn\n  - id: mira-fenn\n",
        59,
    ),
}


def line_of(path: Path, words: str) -> int:
    return path.read_text(encoding="utf-8").splitlines().index(words) + 1


@pytest.mark.parametrize(("where", "layout"), spread(product(IN_THE_WAY, LAYOUTS), 3, pytest.mark.deep))
def test_a_takedown_that_requires_manual_edits_changes_no_file(
    copied: Path, tmp_path: Path, where: str, layout: str
) -> None:
    file, old, new, line = IN_THE_WAY[where]
    if "term: " in new:
        for path in (copied / "annotations").glob("90*.yaml"):
            path.write_text(path.read_text(encoding="utf-8").replace("measure: inns", "measure: fenn_inns"), "utf-8")
    sharded = layout == "shards" and "/90" not in file
    root = in_parts(copied, tmp_path / "sharded") if sharded else copied
    edit(root, file, old, new)
    line = line or line_of(root / file, new.partition("\n")[0])
    assert found_in(root) == []
    before = published_folder.contents(root)
    with pytest.raises(
        removal.TakedownBlockedError, match=rf"^{re.escape(file)}, line {line}, contains the name.* by hand first$"
    ):
        take_out(root, "mira-fenn")
    assert published_folder.contents(root) == before
    assert take_out(root, "example-t1").findings == []


def test_an_id_that_is_made_of_a_name_is_in_the_way_where_the_name_is_not(copied: Path) -> None:
    text = (copied / SECOND).read_text(encoding="utf-8").replace("second-speaker-8", "second-iven")
    text = text.replace("    role: defector\n", "    role: analyst\n").replace(
        "pseudonym_possible: true\n", "pseudonym_possible: false\n"
    )
    (copied / SECOND).write_text(text, encoding="utf-8")
    edit(copied, "dataset.yaml", "uses: [Testing.]", "uses: [Of second-iven.]")
    assert found_in(copied) == []
    for record_id in ("second-iven", "second"):
        with pytest.raises(removal.TakedownBlockedError, match=r"dataset\.yaml, line 23, contains the name"):
            take_out(copied, record_id)
    assert take_out(copied, "example-t8").findings == []


def test_the_id_of_an_institution_does_not_block_a_takedown(copied: Path) -> None:
    edit(copied, "dataset.yaml", "keywords: [lighthouses]", "keywords: [lighthouses, harbour-office]")
    assert take_out(copied, "harbour-office").findings == []


def test_two_comments_that_are_joined_by_a_takedown_are_in_the_way(copied: Path) -> None:
    relation = "{id: second-r1, kind: part_of, result: example-f10, operands: [example-f11]}"
    edit(copied, SECOND, "waivers:\n", f"# of Mira\nrelations:\n  - {relation}\n# Fenn\nwaivers:\n")
    assert found_in(copied) == []
    expected = f"{SECOND}, line {line_of(copied / SECOND, '# of Mira')}, contains the name: edit it by hand first"
    with pytest.raises(removal.TakedownBlockedError, match=f"^{re.escape(expected)}$"):
        take_out(copied, "mira-fenn")


def test_a_comment_that_is_deleted_does_not_block_the_takedown(copied: Path) -> None:
    edit(
        copied,
        "annotations/900_example.yaml",
        "    name: Mira Fenn\n",
        '    name: "Mira Fenn"  # once Mira Fenn-Salt\n',
    )
    edit(
        copied,
        "annotations/900_example.yaml",
        "    note: The text",
        "    note: |-  # Mira\n      #Mira Fenn\n      The text",
    )
    plan = take_out(copied, "mira-fenn")
    assert plan.findings == []
    assert "Fenn" not in (copied / "annotations/900_example.yaml").read_text(encoding="utf-8")


# ---- safety ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_for_safety_terms_are_renamed_and_what_remains_is_listed(copied: Path, layout: str) -> None:
    for path in (copied / "annotations").glob("90*.yaml"):
        path.write_text(path.read_text(encoding="utf-8").replace("measure: inns", "measure: fenn_inns"), "utf-8")
    edit(copied, VOCABULARY, "term: inns\n", "term: fenn_inns\n")
    edit(copied, VOCABULARY, "definition: Anything else.", "definition: Anything else, as Fenn says.")
    root = laid_out(copied, layout)
    assert found_in(root) == []
    refused = run("takedown", "mira-fenn", "--reason", "person", where=root)
    assert (refused.returncode, "nothing was changed" in refused.stderr) == (1, True)
    ran = run("takedown", "mira-fenn", "--reason", "safety", where=root)
    assert ran.returncode == 1
    assert "dist: published" in ran.stdout
    listed = "These places still contain the name. Edit them by hand, then run `defectors-data build`:\n"
    assert ran.stderr.endswith(f"{listed}  annotations/vocabulary.yaml, line 13\n")
    typed = annotated(root)
    assert "fenn_inns" not in typed
    assert typed.count("withdrawn_term_1") > 1
    assert found_in(root) == []
    assert "withdrawn_term_1" in (root / "dist/data/measures.csv").read_text(encoding="utf-8")


def test_a_surname_is_found_in_a_term_which_is_written_without_its_accents(copied: Path) -> None:
    for path in ("seeds/900_example.txt", FIRST):
        text = (copied / path).read_text(encoding="utf-8")
        (copied / path).write_text(text.replace("Fenn", "Fénn"), encoding="utf-8")
    repin(copied, "900_example")
    added = "measures:\n  - {{term: {}, definition: Inns.}}"
    edit(copied, VOCABULARY, "measures:", added.format("fennel_inns"))
    line = (copied / VOCABULARY).read_text(encoding="utf-8").splitlines().index("measures:") + 2
    assert left_by(copied, "mira-fenn"), "fennel is no Fénn"
    edit(copied, VOCABULARY, "fennel_inns", "inns_of_fenn")
    with pytest.raises(removal.TakedownBlockedError, match=rf"^{VOCABULARY}, line {line}, contains the name"):
        take_out(copied, "mira-fenn")
    ran = run("takedown", "mira-fenn", "--reason", "safety", where=copied)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "fenn" not in annotated(copied).replace("fennel", "").lower()


def test_without_anything_to_edit_a_takedown_for_safety_is_like_any_other(copied: Path) -> None:
    ran = run("takedown", "bruno-salt", "--reason", "safety", where=copied)
    assert (ran.returncode, "by hand" in ran.stderr) == (0, False)


def test_first_names_and_initials_are_listed_apart(copied: Path) -> None:
    (copied / "notes.md").write_text("Bruno said so.\nAsk B. S.\nbrunost\n", encoding="utf-8")
    ran = run("takedown", "bruno-salt", "--reason", "person", "--dry-run", where=copied)
    heading = "A first name or the initials are still found in these lines; edit those that mean the person:"
    lines = ran.stderr.splitlines()
    assert lines[lines.index(heading) :] == [heading, "  notes.md, line 1", "  notes.md, line 2"]
