"""A corpus that `init` starts has no finding and can be published at once; nothing that exists is overwritten."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from calling import COMMAND, run
from conftest import PROJECT, dataset_of, edit
from defectors_data.models.project import UNKNOWN_PROGRAM

EXAMPLE = PROJECT / "src/defectors_data/example"


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty") / "new/corpus"
    ran = run("init", folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    return folder


@pytest.mark.deep
def test_the_example_is_checked_published_and_valid(started: Path) -> None:
    before = files(started)
    own = {"CITATION.cff", ".zenodo.json", "codemeta.json", "requirements.txt"}
    assert set(before) == own | {name.replace("dot-", ".") for name in files(EXAMPLE)}
    ran = run("check", where=started)
    green = "No findings: 1 source, 5 testimonies, 3 figures, 2 quotations and 6 numbers were checked.\n"
    assert ran.stdout == green
    ran = run("build", where=started)
    assert ran.stdout.startswith("dist: published (")
    has_charts = (started / "dist/charts").exists()
    assert ("`charts/` has" in (started / "dist/README.md").read_text(encoding="utf-8")) == has_charts
    ran = run("verify", "dist", "--seeds", "seeds", where=started)
    assert ran.returncode == 0, ran.stdout
    assert [name for name in files(started) if not name.startswith(("dist/", "build/"))] == before


def test_a_new_corpus_names_no_schema_before_it_has_one(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    assert run("init", folder, "--empty", "--title", "Mills", "--subject", "the mills").returncode == 0
    (folder / "seeds/001_mill.txt").write_text("The Mill Is Shut\n\nIt burned.\n", encoding="utf-8")
    drafted = folder / "annotations/001_mill.yaml"
    assert run("draft", "001_mill", where=folder).returncode == 0
    assert [name for name in files(folder) if "yaml-language-server" in (folder / name).read_text("utf-8")] == []
    drafted.unlink()
    assert run("schema", where=folder).returncode == 0
    assert run("draft", "001_mill", where=folder).returncode == 0
    named = drafted.read_text("utf-8").partition("\n")[0].partition("$schema=")[2]
    assert (drafted.parent / named).is_file()


def test_the_page_offers_removals_only_with_an_address_for_them(tmp_path: Path) -> None:
    own = tmp_path / "corpus"
    assert run("init", own, "--empty", "--title", "Mills", "--subject", "the mills").returncode == 0
    (own / "seeds/001_mill.txt").write_text("The Mill Is Shut\n\nAda Orr said the mill burned.\n", encoding="utf-8")
    assert run("draft", "--fill", "001_mill", where=own).returncode == 0
    drafted = own / "annotations/001_mill.yaml"
    drafted.write_text(re.sub(r" +draft: true\n", "", drafted.read_text("utf-8")), encoding="utf-8")
    for address in ("", "  private: https://example.org/private  # "):
        edit(own, "dataset.yaml", "  # private: ", address or "  # private: ")
        assert run("build", where=own).returncode == 0
        page = (own / "dist/index.html").read_text(encoding="utf-8")
        assert ("Is this you?" in page) == bool(address)


@pytest.fixture(scope="module")
def strike(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus about a strike, made from what `init` writes by replacing its files, with its package."""
    folder = tmp_path_factory.mktemp("strike") / "corpus"
    assert run("init", folder).returncode == 0
    for name in ("seeds/001_flood.txt", "annotations/001_flood.yaml"):
        (folder / name).unlink()
    shutil.copytree(PROJECT / "tests/strike", folder, dirs_exist_ok=True)
    ran = run("build", where=folder)
    assert ran.returncode == 0, ran.stdout
    return folder


def test_a_corpus_of_another_subject_has_its_own_roles_and_units(strike: Path) -> None:
    ran = run("verify", "dist", "--seeds", "seeds", where=strike)
    assert ran.returncode == 0, ran.stdout

    def column(table: str, name: str) -> set[str]:
        with (strike / f"dist/data/{table}.csv").open(encoding="utf-8", newline="") as file:
            return {row[name] for row in csv.DictReader(file)} - {""}

    terms = column("terms", "term_id")
    assert column("speakers", "role") == {"striker", "driver", "union", "employer"}
    assert {f"role.{role}" for role in column("speakers", "role")} <= terms
    assert column("speakers", "branch") == {"workshop"}
    assert column("figures", "unit") == {"driver", "depot", "crown_per_hour"}
    assert {f"unit.{unit}" for unit in column("figures", "unit")} <= terms


OF_SOLDIERS = re.compile(
    r"soldier|deserter|\bdefectors?\b(?!-data)|military|\barmy|\bforces\b|keeper|lighthouse|venezuela|colombia",
    re.IGNORECASE,
)
OF_ANOTHER_SUBJECT = re.compile(
    rf"{OF_SOLDIERS.pattern}|flood|harrowmere|crossed|\bferr(y|ies)\b|hunger|reasons? to leave|to rise\b|\bharm that"
    "|of service|barracks",
    re.IGNORECASE,
)


def test_no_published_file_of_a_corpus_speaks_of_another_subject(strike: Path) -> None:
    for path in (strike / "dist").rglob("*"):
        if path.suffix in {".csv", ".html", ".json", ".md", ".svg", ".ttl", ".cff"}:
            text = path.read_text(encoding="utf-8")
            assert [line for line in text.splitlines() if OF_ANOTHER_SUBJECT.search(line)] == [], path.name


def test_the_tables_of_codes_that_a_corpus_does_not_use_are_not_published(strike: Path) -> None:
    def tables(folder: Path) -> set[str]:
        return {path.stem for path in folder.glob("data/*.csv")}

    optional = {"motives", "acts", "relations", "statement_relations"}
    assert tables(strike / "dist") & optional == set()
    assert tables(PROJECT / "dist") & optional == optional
    for name in ("README.md", "datasheet.md", "index.html"):
        text = (strike / "dist" / name).read_text(encoding="utf-8")
        assert re.findall(r"\b(?:motives|acts|statement_relations)\b", text) == [], name


def test_no_schema_of_annotations_speaks_of_soldiers() -> None:
    for path in (PROJECT / "schema").rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if OF_SOLDIERS.search(line)] == [], path.name


def test_no_schema_names_a_person_of_this_dataset() -> None:
    with (PROJECT / "dist/data/persons.csv").open(encoding="utf-8", newline="") as file:
        surnames = {row["name"].split()[-1] for row in csv.DictReader(file) if row["name"]}
    assert surnames
    names = re.compile(rf"\b({'|'.join(map(re.escape, surnames))})\b")
    for path in (PROJECT / "schema").rglob("*.json"):
        assert names.findall(path.read_text(encoding="utf-8")) == [], path.name


@pytest.mark.deep
def test_a_corpus_of_another_subject_is_valid_for_frictionless(strike: Path) -> None:
    import frictionless  # noqa: PLC0415  # slow to import

    report = frictionless.Package.from_descriptor(str(strike / "dist/datapackage.json")).validate()
    assert report.valid, report.flatten(["type", "message"])


def test_the_readme_names_every_file_and_commands_that_exist(started: Path) -> None:
    page = (started / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+`) \|", page, re.MULTILINE)
    named = [name for row in rows for name in re.findall("`([^`]+)`", row)]
    missing = [name for name in files(started) if not name.startswith((*named, "build/"))]
    assert missing == [".gitattributes", ".gitignore", "README.md"]
    for command in set(re.findall(r"defectors-data ([a-z]+)", page)):
        assert run(command, "--help").returncode == 0, command


GLUED = """\
A 9mm gun was sold 5km away. A 50m pool held 1.5L of milk, 3,000kg of rice and 20kg-30kg of flour at 40°C.
In their 20s, he and she paid $5m for a 4x4, 6ft 2in long, a 10x return, in 9.58s, at 14h30 on No.1 road, 3.5% more.
Two 737s, 1,000s of them, 18-to-25s, 5½km off, 30m³, 5–6km, 4x4–6, flew in the '90s."""
"""Numbers that are glued to a unit."""


def test_a_corpus_of_an_own_subject_is_published_from_an_empty_start(tmp_path: Path) -> None:
    own = tmp_path / "own"
    ran = run("init", own, "--title", "Voices of the floods", "--subject", "the floods", "--empty")
    assert ran.returncode == 0, ran.stderr
    printed = ran.stdout.split("`")[1]
    article = (EXAMPLE / "seeds/001_flood.txt").read_text(encoding="utf-8")
    (own / "seeds/001_word.txt").write_text(f"{article}\n{GLUED}\n", encoding="utf-8")
    assert run(*printed.split()[1:]).returncode == 0
    drafted = own / "annotations/001_word.yaml"
    assert "    counted: flour\n" in drafted.read_text(encoding="utf-8")
    accepted = drafted.read_text(encoding="utf-8").replace("    draft: true\n", "")
    drafted.write_text(accepted.replace("counted: what\n", "counted: homes\n"), encoding="utf-8")
    edit(own, "annotations/001_word.yaml", "  draft: true\n", "")
    ran = run("build", where=own)
    assert ran.returncode == 0, ran.stdout
    assert "dataset.yaml has no `coverage`" in ran.stdout
    said = "requirements.txt: does not say where the program is" in ran.stdout
    assert said == (UNKNOWN_PROGRAM in (own / "requirements.txt").read_text(encoding="utf-8"))
    readme, page = ((own / "dist" / name).read_text(encoding="utf-8") for name in ("README.md", "index.html"))
    assert ("| `motives` |" in readme, "Without rows in this dataset: `" in readme) == (False, True)
    sheet = (own / "dist/datasheet.md").read_text(encoding="utf-8")
    assert sheet.count("Not stated by the publisher.") == len(
        ("purpose", "collection", "sensitive", "biases", "maintenance")
    )
    assert not re.search("interviews|perhaps|not graded|Nothing was", sheet)
    assert "reasons to leave" not in readme.partition("They can state")[2].partition(".")[0]
    assert ("What agrees, and what does not" in page, 'href="datasheet.md"' in page) == (False, True)
    descriptor = json.loads((own / "dist/datapackage.json").read_bytes())
    assert descriptor.keys().isdisjoint({"temporal", "spatial"})
    assert descriptor["keywords"] == ["floods"]
    edit(own, "dataset.yaml", "# coverage:", "coverage:")
    edit(own, "dataset.yaml", "# names:", "names:")
    assert "coverage" not in run("build", where=own).stdout
    assert "The sources are from 2009 and report on or from Norway." in (own / "dist/datasheet.md").read_text("utf-8")
    assert (own / "CITATION.cff").read_bytes() == (own / "dist/CITATION.cff").read_bytes()
    edit(own, "dataset.yaml", 'title: "Voices of the floods"', "title: Voices of the great floods")
    ran = run("build", where=own)
    assert "CITATION.cff: updated" in ran.stdout
    for name in ("CITATION.cff", ".zenodo.json", "codemeta.json"):
        assert "Voices of the great floods" in (own / name).read_text(encoding="utf-8"), name
    edit(own, "dataset.yaml", "  # private: ", "  private: https://example.org/private  # ")
    ran = run("release", "--first-release", where=own)
    first = "complete requirements.txt, then " if said else ""
    assert f"Next: {first}git add " in ran.stdout, ran.stdout + ran.stderr
    assert " .github README.md requirements.txt && git commit" in ran.stdout


def test_a_title_with_quotation_marks_and_line_breaks_becomes_a_valid_line(tmp_path: Path) -> None:
    own = tmp_path / "own"
    title, subject = 'A: [b] "c" # d\n\x07\u2028e', "the\nfloods"
    assert run("init", own, "--title", title, "--subject", subject).returncode == 0
    shutil.copy(EXAMPLE / "seeds/001_flood.txt", own / "seeds/002_river.txt")
    assert run("draft", "--fill", "002_river", where=own).returncode == 0
    found = run("check", where=own).stdout
    assert "dataset.yaml" not in found
    assert "draft-record" in found
    assert dataset_of(own).title == 'A: [b] "c" # d e'


def test_a_language_must_be_a_tag_and_another_than_english_is_said(tmp_path: Path) -> None:
    ran = run("init", tmp_path / "a", "--language", "Spanish")
    assert (ran.returncode, ran.stdout, files(tmp_path)) == (2, "", [])
    ran = run("init", tmp_path / "a", "--language", "es", "--subject", "the floods")
    assert "Only English is searched" in ran.stdout
    assert "if the subject is not, correct it in dataset.yaml." in ran.stdout
    assert "Who said what, and which numbers are reported, on the floods." in ran.stdout


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["--subject", "The dockers went on strike."], 2),
        (["--subject", "articles in which people say what they saw when the river rose"], 2),
        (["--empty"], 2),
        (["--title", " "], 2),
        (["--subject", "the economy of the U.S."], 0),
    ],
)
def test_the_subject_is_a_noun_that_completes_a_sentence(tmp_path: Path, given: list[str], code: int) -> None:
    ran = run("init", tmp_path / "a", *given)
    assert (ran.returncode, files(tmp_path) == []) == (code, bool(code))
    if code:
        assert "Nothing was written." in ran.stderr


def answered(*answers: str, where: Path) -> str:
    """Start a corpus at a terminal with these answers, and return what the terminal showed."""
    ours, theirs = pty.openpty()
    os.write(ours, "".join(f"{answer}\n" for answer in answers).encode())
    command = [*COMMAND, "init", "corpus"]
    ran = subprocess.run(command, cwd=where, stdin=theirs, capture_output=True, text=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout + ran.stderr


def test_a_corpus_that_is_named_at_a_terminal_begins_empty_and_a_wrong_language_is_asked_again(tmp_path: Path) -> None:
    said = answered("Bells", "They rang.", "the bells", "English", "es", where=tmp_path)
    assert "Error: give a noun, such as `the floods`, and no sentence." in said
    assert said.count("Language, as a tag such as en or es-CO [en]: ") == 2
    assert "Error: it must be a language tag such as en or es-CO." in said
    assert not (tmp_path / "corpus/seeds/001_flood.txt").exists()
    readme = (tmp_path / "corpus/README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Bells\n")
    written = " ".join((tmp_path / "corpus" / name).read_text(encoding="utf-8") for name in files(tmp_path / "corpus"))
    assert [word for word in ("flood", "Harrowmere", "<!--") if word in written] == []


def test_a_corpus_without_a_name_has_the_example_and_asks_nothing_more(tmp_path: Path) -> None:
    said = answered("", where=tmp_path)
    assert "Title, such as Voices of the floods, or Enter to start with an annotated example: " in said
    assert "Subject" not in said
    assert (tmp_path / "corpus/seeds/001_flood.txt").is_file()
    readme = (tmp_path / "corpus/README.md").read_text(encoding="utf-8")
    assert ("001_flood" in readme, "<!--" in readme) == (True, False)


def test_the_next_command_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    said = run("init", "my own/ä'ö", where=tmp_path).stdout
    assert shlex.split(said.partition("Next: ")[2])[-2:] == ["--root", "my own/ä'ö"]


def test_an_empty_folder_may_exist(tmp_path: Path) -> None:
    ran = run("init", ".", where=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(".: ")


@pytest.mark.parametrize("kind", ["a file in it", "a file", "a link to nothing"])
def test_existing_files_are_kept(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "corpus"
    if kind == "a file in it":
        folder.mkdir()
        (folder / ".keep").touch()
    elif kind == "a file":
        folder.touch()
    else:
        folder.symlink_to("nowhere")
    before = files(tmp_path)
    ran = run("init", folder)
    refused = f"{folder} is not an empty folder: choose another folder. Nothing was written.\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", refused)
    assert files(tmp_path) == before


def test_an_empty_corpus_begins_with_roles_that_titles_show(tmp_path: Path) -> None:
    assert run("init", tmp_path / "new", "--title", "Voices of the floods").returncode == 0
    article = "The Flood Came Early\n\n" + "".join(
        f"{title} {name} said the river rose at night.\n\n"
        for title, name in {"Mayor": "Ada Orr", "Professor": "Ben Quill", "Baker": "Cy Lamb"}.items()
    )
    (tmp_path / "new/seeds/001_rain.txt").write_text(article, encoding="utf-8")
    assert run("draft", "--fill", "001_rain", where=tmp_path / "new").returncode == 0
    drafted = (tmp_path / "new/annotations/001_rain.yaml").read_text(encoding="utf-8")
    assert re.findall("role: (.*)", drafted) == ["official", "expert", "other"]
