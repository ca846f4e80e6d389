"""Every rule of the codebook has an example that passes and one that fails, and every finding holds a rule."""

from __future__ import annotations

import re
import shutil
from itertools import groupby
from pathlib import Path
from textwrap import indent

import pytest

from calling import run
from conftest import INVENTED, PROJECT, edit, found_in, repin
from defectors_data import pipeline
from defectors_data.documents import codebook
from defectors_data.documents.codebook import CodebookRule
from defectors_data.readers import exports
from defectors_data.text import quantities
from test_init import OF_SOLDIERS

IN_DOCS = (PROJECT / "docs/annotators/codebook.md").read_text(encoding="utf-8")
FINDINGS = (PROJECT / "docs/annotators/findings.md").read_text(encoding="utf-8")
RULES = {rule.rule: rule for rule in codebook.rules()}
ITEMS = re.compile(r"^(\w+):\n((?: .*\n)+)", re.MULTILINE)


NAMES = (
    (r"\bexample(?=-|$)", "lamps"),
    (r"\bsecond(?=-|$)", "towers"),
    (r"\bBruno Salt\b", "Tobias Reed"),
    (r"\bbruno-salt\b", "tobias-reed"),
    (r"\bSalt\b", "Reed"),
    ("keeper", "teacher"),
    ("Keeper", "Teacher"),
    ("lighthouse", "village"),
    ("Lighthouse", "Village"),
    ("sergeant", "headmaster"),
    ("Coast Watch", "Town School"),
)
"""What the codebook calls otherwise than the invented corpus."""


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented corpus, with the names that the codebook gives."""
    root = Path(shutil.copytree(INVENTED, tmp_path_factory.mktemp("renamed") / "project"))
    for path in [*(root / "seeds").iterdir(), *(root / "annotations").iterdir()]:
        text = path.read_bytes().decode()
        for old, new in NAMES:
            text = re.sub(old, new, text, flags=re.MULTILINE)
        path.write_bytes(text.encode())
    for path in (root / "seeds").iterdir():
        repin(root, path.stem)
    return root


@pytest.fixture
def corpus(renamed: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may damage."""
    return Path(shutil.copytree(renamed, tmp_path / "project"))


def test_the_corpus_of_the_codebook_is_without_findings(corpus: Path) -> None:
    assert found_in(corpus) == []


def prepared(root: Path, rule: CodebookRule) -> None:
    """Make the changes that both examples of a rule need."""
    for change in rule.given:
        if change.write:
            (root / change.file).write_text(change.write, encoding="utf-8")
        else:
            edit(root, change.file, change.old, change.new)
        if change.file.startswith("seeds/"):
            repin(root, Path(change.file).stem)


def written(root: Path, rule: CodebookRule, example: str) -> None:
    """Put an example where it belongs: into the lists it names, or in place of the lines that stand there."""
    prepared(root, rule)
    if rule.adds:
        for key, items in ITEMS.findall(example):
            edit(root, rule.file, f"\n{key}:\n", f"\n{key}:\n{items}")
    else:
        old = rule.instead or rule.passes
        [margin] = margins(root / rule.file, old)
        edit(root, rule.file, f"\n{indent(old, margin)}", f"\n{indent(example, margin)}")


def margins(path: Path, lines: str) -> list[str]:
    """Return how far lines are indented where they stand in a file."""
    text = path.read_text(encoding="utf-8")
    return [" " * width for width in range(0, 12, 2) if f"\n{indent(lines, ' ' * width)}" in text]


@pytest.mark.parametrize("name", RULES)
def test_an_example_that_passes_is_without_findings_and_of_the_article_that_is_shown(name: str, corpus: Path) -> None:
    written(corpus, RULES[name], RULES[name].passes)
    assert found_in(corpus) == []
    seed = corpus / f"seeds/{Path(RULES[name].file).stem}.txt"
    assert not RULES[name].article or RULES[name].article in seed.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RULES)
def test_an_example_that_fails_is_found_by_its_rule_alone(name: str, corpus: Path) -> None:
    written(corpus, RULES[name], RULES[name].fails)
    assert {finding.code for finding in found_in(corpus)} == {RULES[name].finds} - {""}


def test_every_rule_has_a_number_of_its_own_and_two_examples() -> None:
    numbers = [rule.rule for rule in codebook.rules()]
    assert len(numbers) == len(set(numbers))
    assert all(re.fullmatch(r"[KESPTCFW][1-9][0-9]*", number) for number in numbers)
    assert [letter for letter, _ in groupby(numbers, key=lambda number: number[0])] == list("KESPTCFW")
    assert all(rule.passes != rule.fails for rule in codebook.rules())


def test_every_finding_belongs_to_a_rule_and_exists() -> None:
    assert {code for rule in codebook.rules() for code in rule.enforced_by} == set(pipeline.sentences())
    assert all(len(rule.enforced_by) == len(set(rule.enforced_by)) for rule in codebook.rules())


def test_the_finding_of_an_example_enforces_its_rule() -> None:
    found = [rule for rule in codebook.rules() if rule.finds]
    judged = [rule for rule in codebook.rules() if not rule.finds]
    assert all(rule.finds in rule.enforced_by for rule in found)
    assert not any(rule.enforced_by for rule in judged)


def test_the_codebook_has_every_rule_with_an_example_and_a_counter_example() -> None:
    for rule in codebook.rules():
        section = IN_DOCS.partition(f"\n### {rule.rule}\n")[2].partition("\n### ")[0]
        assert rule.says in section
        shown = section.partition(rule.says)[2]
        example, _, counter_example = re.split("(# Not|, not )", shown, maxsplit=1)
        assert [line for line in rule.passes.splitlines() if line in example]
        assert "without" in counter_example or [line for line in rule.fails.splitlines() if line in counter_example]


def test_the_codebook_has_only_internal_links() -> None:
    headings = re.findall(r"^#+ (.+)$", IN_DOCS, re.MULTILINE)
    anchors = {heading.casefold().replace(":", "").replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(([^)]*)\)", IN_DOCS)) <= {f"#{anchor}" for anchor in anchors}


def test_the_exported_codebook_is_that_of_the_docs_with_the_terms_of_the_package(tmp_path: Path) -> None:
    exports.export(PROJECT / "dist", "codebook", tmp_path / "codebook")
    exported = (tmp_path / "codebook/codebook.md").read_text(encoding="utf-8")
    rest = "\n## Files, keys and ids\n"
    # No article of the package has a value of `obtained`, so that it has no such column.
    in_docs = IN_DOCS.replace(", `obtained` (K10)", "")
    assert exported.partition(rest)[2] == in_docs.partition(rest)[2] != IN_DOCS.partition(rest)[2]
    assert exported.count("\n- `hunger_pay`: ") == 2, "a theme and a factor"


def test_the_codebook_of_a_package_has_no_rule_on_what_the_package_lacks(tmp_path: Path) -> None:
    own = tmp_path / "own"
    assert run("init", own).returncode == 0
    assert run("build", where=own).returncode == 0
    exports.export(own / "dist", "codebook", tmp_path / "codebook")
    text = (tmp_path / "codebook/codebook.md").read_text(encoding="utf-8")
    lacking = {number for number, rule in RULES.items() if rule.only_with}
    assert lacking == {number for number in RULES if number.startswith("C")}
    assert {*re.findall(r"\b[A-Z][1-9][0-9]*\b", text)} & lacking == set()
    assert {*re.findall(r"^### ([A-Z][0-9]+)$", text, re.MULTILINE)} == RULES.keys() - lacking
    headings = {*re.findall(r"^### (.+)$", text, re.MULTILINE)}
    assert headings.isdisjoint({"Access", "Stance", "Motive direction", "Departure means", "Relatives", "Place kind"})
    assert headings >= {"Mode", "Unbalanced", "Unit", "No attribution"}


def test_the_codebook_of_a_project_quotes_its_examples_of_codes(tmp_path: Path) -> None:
    shown = exported(tmp_path / "all")
    vocabulary = (PROJECT / "annotations/vocabulary.yaml").read_text(encoding="utf-8")
    codes = set(re.findall(r"code: (\w+), value", vocabulary)) | set(re.findall(r"code: (\w+), example", vocabulary))
    assert "). Not: “" in shown
    assert ", because " in shown
    assert shown.count("### Examples: `") == len(codes) > 1
    assert "### Examples: `relatives`" not in exported(tmp_path / "without", "--without-relatives")
    assert "### Examples" not in exported(tmp_path / "package", "--package", str(PROJECT / "dist"))


def exported(folder: Path, *options: str) -> str:
    assert run("export", "codebook", "--out", folder, *options).returncode == 0
    return (folder / "codebook.md").read_text(encoding="utf-8")


def test_the_page_of_findings_names_the_rules_of_each() -> None:
    for code, rules in re.findall(r"^- `(.+?)`: .+?\. (\[.+)$", FINDINGS, re.MULTILINE):
        named = re.findall(r"\[([A-Z][0-9]+)\]\(codebook\.md#([a-z][0-9]+)\)", rules)
        assert tuple(number for number, _ in named) == codebook.rules_of_finding(code)
        assert all(number.casefold() == anchor for number, anchor in named)


def test_words_are_read_as_the_table_of_hedges_says() -> None:
    table = re.findall(r"^\| (`.+`) \| (.+) \| (n?) ?\| ([^|]*)\| ([^|]*)\|$", IN_DOCS, re.MULTILINE)
    assert {name for hedges, *_ in table for name in re.findall(r"\w+", hedges)} == hedges()
    for named, words, value, low, high in table:
        for words_of_one in re.split("[,;] ", words):
            phrase, _, number = words_of_one.strip(")").partition(" (")
            said = quantities.read_quantity(f"{phrase if re.search('[0-9]|s$', phrase) else f'{phrase} 40'} lamps")
            assert said, words_of_one
            assert f"`{said.hedge}`" in named
            assert [said.value is None, said.low is None, said.high is None] == [
                not x.strip() for x in (value, low, high)
            ]
            assert not number or said.low == float(number)


def hedges() -> set[str]:
    [section] = re.findall(r"^### Hedge\n\n(.*)\n", IN_DOCS, re.MULTILINE)
    return set(re.findall(r"`(\w+)`", section))


def test_the_codebook_speaks_of_no_soldiers() -> None:
    assert OF_SOLDIERS.findall(IN_DOCS) == []
