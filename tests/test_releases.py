"""A released id keeps its meaning: what is given up, reassigned or published under the same version is refused."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calling import run
from conftest import PROJECT, built, edit, found_in, in_parts, repin
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import published_folder
from defectors_data.publishers import release_register

FIRST, SECOND = "annotations/900_example.yaml", "annotations/901_second.yaml"
LIST = "annotations/releases.jsonl"
SAID = "    corrected: {version: 1.2.4, reason: code}\n"


def codes(root: Path) -> list[str]:
    return sorted(finding.code for finding in found_in(root))


def entries(root: Path) -> dict[str, dict[str, str]]:
    return {entry["id"]: entry for entry in map(json.loads, (root / LIST).read_text(encoding="utf-8").splitlines())}


def raise_to(root: Path, version: str) -> None:
    path = root / "dataset.yaml"
    path.write_text(re.sub("version: [0-9.]+\n", f"version: {version}\n", path.read_text()))


def test_every_id_is_listed_without_its_words(released: Path) -> None:
    listed = entries(released)
    assert {"invented-data", "example", "bruno-salt", "example-t1", "example-f1", "example-m1", "example-w1"} < set(
        listed
    )
    assert {entry["first"] for entry in listed.values()} == {"1.2.3"}
    assert not re.search("Salt|Fenn|keepers", (released / LIST).read_text(encoding="utf-8"))
    assert found_in(released) == []


def test_data_with_protected_persons_are_not_released_without_a_private_address(copied: Path) -> None:
    edit(copied, "dataset.yaml", ", private: keepers@lamps.example", "")
    refused = run("release", "--first-release", where=copied)
    expected = "can ask for a removal: add an e-mail or web address. Nothing was written."
    assert (refused.returncode, expected in refused.stderr) == (1, True)
    assert not (copied / LIST).exists()


def test_a_second_release_of_the_same_data_changes_no_file(released: Path) -> None:
    before = (released / LIST).stat().st_mtime_ns
    again = run("release", where=released)
    assert (again.returncode, again.stdout) == (
        0,
        f"dist: unchanged\n{LIST}: version 1.2.3 is already recorded; nothing has changed.\n",
    )
    assert (released / LIST).stat().st_mtime_ns == before


def test_ids_that_are_swapped_are_refused_and_dist_stays(released: Path) -> None:
    before = (released / "dist/SHA256SUMS").read_bytes()
    swap(released)
    refused = run("build", where=released)
    assert refused.returncode == 1
    assert refused.stdout.count(" id-reassigned: ") == 2
    assert (released / "dist/SHA256SUMS").read_bytes() == before


def test_an_id_that_is_given_up_is_refused(released: Path) -> None:
    edit(released, FIRST, "id: example-t8\n", "id: example-t10\n")
    edit(released, "annotations/comparisons.yaml", "first: example-t8", "first: example-t10")
    assert codes(released) == ["id-removed-without-tombstone", "version-too-low"]


def test_words_that_are_printed_once_more_are_looked_at_again(released: Path) -> None:
    edit(released, "seeds/901_second.txt", "Keepers\n", "Keepers\n\nTwo keepers cannot serve an island, they say.\n")
    repin(released, "901_second")
    found = [finding for finding in found_in(released) if finding.code == "id-reassigned"]
    assert [finding.place.file for finding in found] == [SECOND, SECOND, SECOND]


def test_an_article_that_changes_elsewhere_gives_no_id_another_meaning(released: Path) -> None:
    path = released / "seeds/900_example.txt"
    path.write_bytes(path.read_bytes().replace(b"Play Audio", b"Play Audio now"))
    edit(released, FIRST, "Play Audio", "Play Audio now")
    old = re.search("sha256: (.+)", (released / FIRST).read_text(encoding="utf-8"))
    assert old
    repin(released, "900_example")
    assert codes(released) == ["id-reassigned", "version-too-low"], "the checksum was renewed by hand"
    edit(released, FIRST, "readings:\n", f"earlier:\n  - {{{old[0]}}}\n\nreadings:\n")
    assert codes(released) == ["version-too-low"]


@pytest.mark.deep
def test_the_next_version_is_named_and_is_raised_once(released: Path) -> None:
    before = (released / "dist/SHA256SUMS").read_bytes()
    edit(released, FIRST, "    place: northern_isles", "    place: port_example")
    refused = run("build", where=released)
    assert refused.returncode == 1
    assert "Set `version: 1.2.4`" in refused.stdout
    assert (released / "dist/SHA256SUMS").read_bytes() == before
    raise_to(released, "1.2.4")
    assert codes(released) == ["missing-correction"]
    edit(released, FIRST, "  - id: example-f1\n", f"  - id: example-f1\n{SAID}")
    edit(released, FIRST, "  - id: example-t4\n", f"  - id: example-t4\n{SAID}")
    assert codes(released) == ["needless-correction"]
    edit(released, FIRST, "themes: [escape, weather]", "themes: [escape]")
    assert codes(released) == [], "until the next release, the same version is enough"
    assert built(released, released / "dist").outcome == "published"
    found = {row["record_id"]: row for row in pq.read_table(released / "dist/data/history.parquet").to_pylist()}
    assert found["example-t4"] == {
        "record_id": "example-t4", "record_table": "testimonies", "source_id": "example", "first_version": "1.2.3",
        "last_changed_version": "1.2.4", "change": "meaning", "corrected_version": "1.2.4", "corrected_reason": "code",
        "withdrawn_version": None,
    }  # fmt: skip
    assert sorted(found) == ["example-f1", "example-t4"], "only what changed has a row"
    page = (released / "dist/index.html").read_text(encoding="utf-8")
    assert page.count("Corrected in version 1.2.4: a mode, a theme, ") == len(found)
    assert run("release", where=released).returncode == 0
    listed = entries(released)
    changed = {name: entry["changed"] for name, entry in listed.items() if entry["changed"] != "1.2.3"}
    assert changed == dict.fromkeys(("invented-data", "example-f1", "example-t4"), "1.2.4")
    assert {entry["first"] for entry in listed.values()} == {"1.2.3"}
    key = "\n    attribution: {words: he lost"
    edit(released, FIRST, f"themes: [escape]{key}", f"themes: [escape, weather]{key}")
    assert codes(released) == ["missing-correction", "version-too-low"]


def test_a_new_record_raises_the_second_number(released: Path) -> None:
    old, new = "      - id: second-m4\n", "      - id: second-m6\n        evidence: Harbour Office documented\n"
    edit(released, SECOND, old, new + old)
    assert "Set `version: 1.3.0`" in run("check", where=released).stdout


def test_a_correction_is_reported(released: Path) -> None:
    edit(released, FIRST, "an oar and drifted until morning.", "an oar and drifted")
    assert codes(released) == ["id-reassigned", "version-too-low"]
    said = "    corrected: {version: 1.2.4, reason: words}\n    evidence: In the fog"
    edit(released, FIRST, "    evidence: In the fog", said)
    assert codes(released) == ["version-too-low"]
    raise_to(released, "1.2.4")
    assert run("release", where=released).returncode == 0
    edit(released, FIRST, "an oar and drifted", "an oar and drifted until morning.")
    assert codes(released) == ["id-reassigned", "version-too-low"], "a correction excuses one change"


@pytest.mark.deep
def test_the_list_gives_the_same_package_and_the_same_findings_from_shards(released: Path, tmp_path: Path) -> None:
    parts = in_parts(released, tmp_path / "parts")
    assert (parts / LIST).read_bytes() == (released / LIST).read_bytes()
    assert found_in(parts) == []
    without = Path(shutil.copytree(released, tmp_path / "without"))
    (without / LIST).unlink()
    edit(without, "dataset.yaml", "\nlast_release: 1.2.3\n", "\n")
    assert built(released, tmp_path / "a").outcome == built(without, tmp_path / "b").outcome == "published"
    assert (tmp_path / "a/SHA256SUMS").read_bytes() == (tmp_path / "b/SHA256SUMS").read_bytes()


@pytest.mark.deep
def test_a_takedown_removes_the_name_from_the_list_at_once(released: Path) -> None:
    edit(released, "dataset.yaml", "\nversion: 1.2.3\n", "\nversion: 1.2.3\ndoi: 10.5281/zenodo.123\n")
    ran = run("takedown", "mira-fenn", "--reason", "person", where=released)
    assert "zenodo" not in (released / "dataset.yaml").read_text(encoding="utf-8")
    assert (ran.returncode, ran.stdout.splitlines()[-1].partition(": ")[2]) == (0, "defectors-data release")
    listed = entries(released)
    assert not {"mira-fenn", "example-t8", "example-t9", "example-f9"} & set(listed)
    assert found_in(released) == []
    assert "\nversion: 1.3.0\n" in (released / "dataset.yaml").read_text(encoding="utf-8")
    published = run("release", where=released)
    assert (published.returncode, " dataset.yaml CHANGELOG.md " in published.stdout) == (0, True)
    counted = "- A record was taken down; none of its content is shown: `errata` 1, "
    assert counted in (released / "dist/CHANGELOG.md").read_text(encoding="utf-8")
    assert entries(released)["withdrawn-speaker-1"] == {
        "table": "speakers", "id": "withdrawn-speaker-1", "first": "1.3.0", "changed": "1.3.0",
        "change": "withdrawn",
    }  # fmt: skip
    assert found_in(released) == []


@pytest.mark.parametrize("command", ["check", "build"])
def test_a_day_in_the_future_is_a_finding_and_delays_no_takedown(copied: Path, command: str) -> None:
    file, day = "annotations/901_second.yaml", dt.datetime.now(tz=dt.UTC).date()
    edit(copied, file, "kind: person, date: 2026-01-25", f"kind: person, date: {day}")
    assert run(command, where=copied).returncode == 0
    edit(copied, file, f"kind: person, date: {day}", "kind: person, date: 2098-01-25")
    edit(copied, file, "{date: 2026-01-10, address", "{date: 2098-01-10, address")
    ran = run(command, where=copied)
    for said in (
        "133:44: impossible-reading: This day, 2098-01-25,",
        "9:20: impossible-reading: This day, 2098-01-10,",
    ):
        assert (ran.returncode, ran.stdout.count(said)) == (1, 1), ran.stdout
    assert run("takedown", "second-t4", "--reason", "error", where=copied).returncode == 0


def test_a_release_has_the_day_on_which_it_is_made_and_keeps_it(copied: Path) -> None:
    today = dt.datetime.now(tz=dt.UTC).date()
    edit(copied, "dataset.yaml", "\nreleased: 2020-02-29\n", "\nreleased: 2099-01-01\n")
    assert "dates this version 2099-01-01, in the future" in run("build", where=copied).stdout
    assert run("release", "--first-release", where=copied).returncode == 0
    assert f"\nreleased: {today}\n" in (copied / "dataset.yaml").read_text(encoding="utf-8")
    edit(copied, "dataset.yaml", f"\nreleased: {today}\n", "\nreleased: 2020-01-01\n")
    for command in ("check", "build", "release"):
        refused = run(command, where=copied)
        assert (refused.returncode, f"Version 1.2.3 was released on {today}." in refused.stdout) == (1, True)
    raise_to(copied, "1.2.4")
    assert codes(copied) == []
    assert run("release", where=copied).returncode == 0
    assert f"\nreleased: {today}\n" in (copied / "dataset.yaml").read_text(encoding="utf-8")


def test_the_first_release_is_asked_for(copied: Path) -> None:
    refused = run("release", where=copied)
    assert (refused.returncode, "add --first-release" in refused.stderr) == (2, True)
    edit(copied, FIRST, "evidence: two inns", "evidence: three inns")
    assert run("release", "--first-release", where=copied).returncode == 1
    assert not (copied / LIST).exists()
    edit(copied, FIRST, "evidence: three inns", "evidence: two inns")
    assert run("release", "--first-release", where=copied).returncode == 0
    assert run("release", "--first-release", where=copied).returncode == 2


# ---- the package that a build would replace ------------------------------------------------------------------------


def swap(root: Path) -> None:
    """Give two testimonies each other's id."""
    for old, new in (("t2", "t0"), ("t8", "t2"), ("t0", "t8")):
        edit(root, FIRST, f"id: example-{old}\n", f"id: example-{new}\n")


@pytest.mark.deep
def test_ids_that_were_never_released_keep_their_words_unless_the_keeper_says_otherwise(copied: Path) -> None:
    assert run("build", where=copied).returncode == 0
    swap(copied)
    refused = run("build", where=copied)
    assert (refused.returncode, refused.stdout.count(" id-reassigned: In the published package,")) == (1, 2)
    edit(copied, FIRST, "id: example-r1\n", "id: example-r11\n")
    refused = run("build", where=copied)
    assert "900_example.yaml:3:7: id-removed-without-tombstone: " in refused.stdout
    assert "relations/example-r1" in refused.stdout
    assert run("build", "--change-ids", where=copied).returncode == 0
    assert run("build", where=copied).returncode == 0


def test_a_seed_that_is_replaced_by_hand_is_refused_and_one_with_its_earlier_checksum_is_not(
    copied: Path, package: Path
) -> None:
    shutil.copytree(package, copied / "dist")
    seed = copied / "seeds/900_example.txt"
    before = hashlib.sha256(seed.read_bytes()).hexdigest()
    seed.write_bytes(seed.read_bytes() + b"\nThe light is out.\n")
    repin(copied, "900_example")
    refused = run("build", where=copied)
    assert (refused.returncode, refused.stdout.count("id-reassigned: ")) == (1, 1)
    assert "the text of this article is different" in refused.stdout
    edit(copied, FIRST, "\nspeakers:", f"\nearlier:\n  - sha256: {before}\n\nspeakers:")
    assert run("build", where=copied).returncode == 0


def published(root: Path, package: Path) -> Path:
    """Put a published package next to a corpus."""
    shutil.copytree(package, root / "dist")
    return root


def test_check_sees_ids_that_were_swapped_since_the_package_was_published(copied: Path, package: Path) -> None:
    assert run("check", where=published(copied, package)).returncode == 0
    swap(copied)
    refused = run("check", where=copied)
    assert (refused.returncode, refused.stdout.count(" id-reassigned: In the published package,")) == (1, 2)


@pytest.mark.parametrize("kind", ["w", "speaker-"])
def test_check_sees_swapped_ids_of_the_real_corpus(tmp_path: Path, kind: str) -> None:
    for name in ("dataset.yaml", "CHANGELOG.md"):
        shutil.copy(PROJECT / name, tmp_path)
    for name in ("annotations", "seeds", "dist/data"):
        shutil.copytree(PROJECT / name, tmp_path / name)
    file = min((tmp_path / "annotations").glob("0*.yaml"))
    text = file.read_text(encoding="utf-8")
    # Waivers of protected attributes have no published words, and writers no mentions to compare.
    fitting = rf"^  - id: (\S+-{kind}[0-9]+)\n(?!.*\n    reason: protected_attribute|    kind: writer)"
    one, other = re.findall(fitting, text, flags=re.MULTILINE)[:2]
    swapped = {one: other, other: one}
    file.write_text(re.sub(r"[\w-]+", lambda hit: swapped.get(hit[0], hit[0]), text))
    refused = run("check", where=tmp_path)
    assert (refused.returncode, refused.stdout.count("id-reassigned: ")) == (1, 2)


def test_a_speaker_without_a_name_may_get_another_mention(copied: Path, package: Path) -> None:
    more = "        evidence: Several keepers\n      - {id: example-m14, evidence: 'The keeper, who'}\n"
    edit(published(copied, package), FIRST, "        evidence: Several keepers\n", more)
    assert "id-reassigned" not in run("check", where=copied).stdout


def test_the_words_of_an_unreleased_record_may_be_edited_in_their_place(copied: Path, package: Path) -> None:
    edit(published(copied, package), FIRST, "evidence: about 12 of them sleep\n", "evidence: about 12 of them\n")
    assert "id-reassigned" not in run("check", where=copied).stdout


@pytest.mark.parametrize("content", [b"", b"span_id\nx\n", b"\xff"])
def test_check_says_that_it_cannot_read_the_published_ids(copied: Path, package: Path, content: bytes) -> None:
    shutil.copytree(package, copied / "dist")
    (copied / "dist/data/sources.csv").write_bytes(content)
    (copied / "dist/data/spans.csv").write_bytes(content)
    ran = run("check", where=copied)
    assert (ran.returncode, "cannot be read. No id was compared with it." in ran.stderr) == (0, content != b"")


def test_a_list_of_releases_that_was_deleted_is_missed(released: Path) -> None:
    listed = (released / LIST).read_bytes()
    (released / LIST).unlink()
    for arguments in (["check"], ["build"], ["release", "--first-release"]):
        assert "releases-missing: Version 1.2.3 was released" in run(*arguments, where=released).stdout
    (released / LIST).write_bytes(listed.replace(b"1.2.3", b"1.2.2"))
    assert (
        "1.2.3 was released, but annotations/releases.jsonl ends with version 1.2.2"
        in run("check", where=released).stdout
    )
    (released / LIST).write_bytes(listed)
    assert run("check", where=released).returncode == 0
    assert "already recorded" in run("release", where=released).stdout


def test_diff_shows_the_changes_that_its_findings_are_about(released: Path) -> None:
    swap(released)
    assert "`defectors-data diff` shows the changes" in run("check", where=released).stdout
    shown = run("diff", where=released)
    assert (shown.returncode, shown.stdout.count("testimonies/example-t2"), shown.stderr) == (1, 1, "")
    assert "id-reassigned: the id now has different words" in shown.stdout


@pytest.mark.deep
def test_records_of_a_version_that_is_not_released_change_freely(copied: Path) -> None:
    assert run("build", where=copied).returncode == 0
    edit(copied, FIRST, "    place: northern_isles", "    place: port_example")
    edit(copied, FIRST, "themes: [escape, weather]", "themes: [escape]")
    assert run("build", where=copied).returncode == 0


CHANGED = pytest.mark.filterwarnings("ignore::defectors_data.ChangedFileWarning")


@pytest.fixture
def replacing(released: Path, package: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Review the published package as the successor of a copy that has another table."""

    def review(name: str, table: pa.Table, csv: bytes | None = None) -> list[str]:
        old = Path(shutil.copytree(package, tmp_path / "old"))
        pq.write_table(table, old / f"data/{name}.parquet")
        sums = published_folder.listed(old)
        corpus = CorpusReader(FileTree(released))
        context, _ = corpus.context
        assert context
        if csv:
            sums[f"data/{name}.csv"] = hashlib.sha256(csv).hexdigest()
        found = release_register.review(
            package, sums, context, corpus=corpus, replaced=old, change_ids=False, on_damaged=print
        )
        return [f"{finding.code}: {finding.help[0]}" for finding in found]

    return review


@CHANGED
def test_the_columns_of_a_released_version_decide_the_first_number(
    replacing: Callable[..., list[str]], package: Path
) -> None:
    figures = pq.read_table(package / "data/figures.parquet")
    [finding] = replacing("figures", figures.append_column("gone", figures["text"]))
    assert finding.startswith(
        "version-too-low: Set `version: 2.0.0` or a higher one, as `defectors-data release --next`"
    )


@CHANGED
def test_new_columns_of_a_released_version_raise_the_second_number(
    replacing: Callable[..., list[str]], package: Path
) -> None:
    figures = pq.read_table(package / "data/figures.parquet")
    [found] = replacing("figures", figures.drop_columns(["place_id"]))
    assert "`version: 1.3.0`" in found


@CHANGED
def test_other_cells_of_a_released_version_raise_the_third_number(
    replacing: Callable[..., list[str]], package: Path
) -> None:
    figures = pq.read_table(package / "data/figures.parquet")
    [found] = replacing("figures", figures, b"other cells")
    assert "`version: 1.2.4`" in found


@CHANGED
def test_the_same_package_may_replace_itself(replacing: Callable[..., list[str]], package: Path) -> None:
    assert replacing("figures", pq.read_table(package / "data/figures.parquet")) == []
