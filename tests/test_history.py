"""The changelog and the history of a record show what changed, and nothing of what was withdrawn."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from calling import run
from conftest import edit
from defectors_data.documents.changelog import changes as published_changes
from defectors_data.models.diff import Change, ChangeClass, Changes
from defectors_data.models.project import Changelog
from defectors_data.package import published_folder
from defectors_data.publishers import change_report, release_register

FIRST = "annotations/900_example.yaml"
HAND = "- The inns were counted again.\n"


def change(kind: ChangeClass, table: str, number: int) -> Change:
    return Change(kind=kind, table=table, id=f"example-t{number}", cells=(), derived=())


FOUND = Changes(
    old="1.2.3",
    new="1.3.0",
    changes=(change("meaning", "figures", 1), change("meaning", "figures", 2), change("addition", "testimonies", 9)),
)
BLOCK = """- A value, or the words that support it, changed: `figures` 2.
- A record, table or column was added: `testimonies` 1.
- The table `history` names the records.
"""
OLD = "## 1.2.3 (2020-02-29)\n\n### Data\n\n- Two articles.\n"
WITHOUT_BLOCK = f"# Changelog\n\n## 1.3.0 (2020-03-01)\n\n### Data\n\n{HAND}\n### Code\n\n- No code.\n\n{OLD}"
WITH_BLOCK = WITHOUT_BLOCK.replace(HAND, f"{HAND}\n{BLOCK}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (WITHOUT_BLOCK, WITH_BLOCK),
        (f"# Changelog\n\n{OLD}", f"# Changelog\n\n## 1.3.0\n\n### Data\n\n{BLOCK}\n{OLD}"),
        (
            f"# Changelog\n\n## 1.3.0\n\n### Code\n\n- No code.\n\n{OLD}",
            f"# Changelog\n\n## 1.3.0\n\n### Data\n\n{BLOCK}\n### Code\n\n- No code.\n\n{OLD}",
        ),
        ("# Changelog\n", f"# Changelog\n\n## 1.3.0\n\n### Data\n\n{BLOCK}"),
        (f"# Changelog\n\n## 1.3.0.1\n\n{OLD}", f"# Changelog\n\n## 1.3.0\n\n### Data\n\n{BLOCK}\n## 1.3.0.1\n\n{OLD}"),
    ],
)
def test_the_changelog_is_written_from_the_diff_and_keeps_other_lines(before: str, after: str) -> None:
    assert change_report.changelog(before, FOUND) == after


def test_a_changelog_gets_no_empty_section() -> None:
    nothing = FOUND.model_copy(update={"changes": ()})
    assert change_report.changelog(OLD, nothing) == OLD


def test_the_comments_of_a_changelog_are_not_published() -> None:
    text = WITH_BLOCK.replace(HAND, f"{HAND}<!-- to be checked -->\n")
    published = published_changes(Changelog(lines=tuple(text.splitlines()))).decode()
    assert "`figures` 2" in published
    assert "The inns were counted again" in published
    assert "to be checked" not in published


INDENTED = "source:\n    note: A text.\n    id: island\ntestimonies:\n- evidence: {text: id t1}\n  id: t1\n\n- id: t2\n"
SHARD = '{"source":{"id":"pier"},"figures":[{"id":"f1"}]}\n{"source":{"id":"island"},"figures":[{"id":"f1"}]}\n'


@pytest.mark.parametrize(
    ("file", "text", "record", "lines"),
    [
        ("island.yaml", INDENTED, "island", (2, 3)),
        ("island.yaml", INDENTED, "island-t1", (5, 6)),
        ("island.yaml", INDENTED, "island-t2", (8, 8)),
        ("island.yaml", INDENTED, "island-t3", None),
        ("part.jsonl", SHARD, "island-f1", (2, 2)),
        ("part.jsonl", SHARD, "pier-f2", None),
    ],
)
def test_the_lines_of_a_record_are_found_however_it_is_typed(
    file: str, text: str, record: str, lines: tuple[int, int] | None
) -> None:
    assert release_register.lines_of(file, text, record) == lines


def git(root: Path, *arguments: str) -> None:
    names = ("-c", "user.name=Keeper", "-c", "user.email=keeper@example.org")
    subprocess.run(["git", "-C", str(root), *names, *arguments], check=True, capture_output=True)


@pytest.mark.deep
def test_a_record_is_followed_through_versions_and_commits(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert run("release", "--first-release", where=copied).returncode == 0
    assert run("build", where=copied).returncode == 0
    no_repository = run("history", "example-t4", where=copied)
    expected = "testimonies/example-t4: no change is recorded up to version 1.2.3.\n"
    assert (no_repository.returncode, no_repository.stdout) == (0, expected)
    git(copied, "init", "--quiet")
    git(copied, "add", "annotations")
    git(copied, "commit", "--quiet", "-m", "Annotate")
    shutil.copytree(copied / "dist", tmp_path / "old")
    edit(copied, "dataset.yaml", "version: 1.2.3", "version: 1.2.4")
    said = "  - id: example-t4\n    corrected: {version: 1.2.4, reason: code}\n"
    edit(copied, FIRST, "  - id: example-t4\n", said)
    edit(copied, FIRST, "themes: [escape, weather]", "themes: [escape]")
    git(copied, "commit", "--quiet", "-a", "-m", "Correct the themes")
    edit(copied, FIRST, "    place: northern_isles", "    place: port_example")
    edit(copied, FIRST, "  - id: example-f1\n", "  - id: example-f1\n    corrected: {version: 1.2.4, reason: value}\n")
    git(copied, "commit", "--quiet", "-a", "-m", "Correct a place")
    assert run("build", where=copied).returncode == 0
    shown = run("history", "example-t4", tmp_path / "old", "dist", where=copied).stdout
    assert (
        "first in version 1.2.3, corrected in version 1.2.4 (code), last changed in version 1.2.4 (meaning).\n" in shown
    )
    assert "    themes: [-escape;weather-] {+escape+}\n" in shown
    assert "must be at least" not in shown, "both versions are published"
    assert re.findall(r"(?m)^\S+ \w+ ([A-Z].*)$", shown.split("themes:")[1]) == ["Correct the themes", "Annotate"]
    assert run("history", "bruno-salt", where=copied).stdout.count("\n") == 2
    assert run("history", "nobody", where=copied).returncode == 1


@pytest.mark.deep
def test_a_takedown_removes_the_words_from_every_output(copied: Path, tmp_path: Path) -> None:
    """Its versions stay, as a tombstone; `nothing` is the words, the name and the id."""
    nothing = re.compile("fenn|mira|clerk|boats and", re.IGNORECASE)
    assert run("build", where=copied).returncode == 0
    assert run("release", "--first-release", where=copied).returncode == 0
    shutil.copytree(copied / "dist", tmp_path / "old")
    cited = re.findall(r"example-t8@1.2.3:sha256:[0-9a-f]{12}", (copied / "dist/index.html").read_text("utf-8"))[0]
    edit(copied, "dataset.yaml", "version: 1.2.3", "version: 1.3.0")
    assert run("takedown", "mira-fenn", "--reason", "person", where=copied).returncode == 0
    changed = run("diff", tmp_path / "old", "dist", "--html", tmp_path / "page.html", where=copied)
    assert changed.returncode == 0
    assert run("build", where=copied).returncode == 0
    assert run("release", where=copied).returncode == 0
    texts = [changed.stdout, (tmp_path / "page.html").read_text("utf-8"), (copied / "CHANGELOG.md").read_text("utf-8")]
    taken = "A record was taken down; none of its content is shown: "
    assert f"{taken}`errata` 1, `figures` 3, `mentions` 1, `speakers` 1, `testimonies` 2." in texts[-1]
    for record in ("withdrawn-speaker-1", "example-t8"):
        shown = run("history", record, tmp_path / "old", "dist", where=copied).stdout
        assert shown.endswith(f"/{record}: withdrawn in version 1.3.0.\n")
        assert shown.count("\n") == 1
        texts.append(shown)
    texts.append(run("verify-citation", cited, "--cited", tmp_path / "old", where=copied).stdout)
    assert texts[-1].startswith("withdrawn: ")
    texts += [path.read_text("utf-8") for path in (copied / "annotations").iterdir()]
    files = published_folder.contents(copied / "dist")
    published = {name: data for name, data in files.items() if name.endswith(".parquet")}
    texts += [data.decode() for name, data in files.items() if name not in published]
    assert [nothing.findall(text) for text in texts if nothing.search(text)] == []
    for name in published:
        assert not nothing.search(str(pq.read_table(copied / "dist" / name).to_pylist())), name
