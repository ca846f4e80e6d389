"""A released id keeps its meaning: what is given up, reassigned or published under the same version is refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from conftest import built, edit, found_in, in_parts, repin
from finding_output import Run

FIRST, SECOND = "annotations/900_example.yaml", "annotations/901_second.yaml"
LIST = "annotations/releases.jsonl"


@pytest.fixture
def released(copied: Path, run: Run) -> Path:
    """The invented corpus, released as version 1.2.3."""
    assert run(copied, "release", "--first-release").code == 0
    return copied


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


def test_ids_that_are_swapped_are_refused_and_dist_stays(released: Path, run: Run) -> None:
    assert built(released, released / "dist").outcome == "published"
    before = (released / "dist/SHA256SUMS").read_bytes()
    edit(released, FIRST, "id: example-t2\n", "id: example-t0\n")
    edit(released, FIRST, "id: example-t8\n", "id: example-t2\n")
    edit(released, FIRST, "id: example-t0\n", "id: example-t8\n")
    refused = run(released, "build")
    assert refused.code == 1
    assert refused.out.count(" id-reassigned: ") == 2
    assert (released / "dist/SHA256SUMS").read_bytes() == before


def test_an_id_that_is_given_up_is_refused(released: Path) -> None:
    edit(released, FIRST, "id: example-t8\n", "id: example-t10\n")
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


def test_the_next_version_is_named_and_is_raised_once(released: Path, run: Run) -> None:
    edit(released, FIRST, "place: Northern Isles", "place: Isles")
    refused = run(released, "build")
    assert refused.code == 1
    assert "Set `version: 1.2.4`" in refused.out
    assert not (released / "dist").exists()
    raise_to(released, "1.2.4")
    assert codes(released) == []
    edit(released, FIRST, "themes: [escape, weather]", "themes: [escape]")
    assert codes(released) == [], "until the next release, the same version is enough"
    assert run(released, "release").code == 0
    listed = entries(released)
    changed = {name: entry["changed"] for name, entry in listed.items() if entry["changed"] != "1.2.3"}
    assert changed == dict.fromkeys(("invented-data", "example-f1", "example-t4"), "1.2.4")
    assert {entry["first"] for entry in listed.values()} == {"1.2.3"}
    edit(released, FIRST, "themes: [escape]\n  - id: example-t5", "themes: [escape, weather]\n  - id: example-t5")
    assert codes(released) == ["version-too-low"]


def test_a_new_record_raises_the_second_number(released: Path, run: Run) -> None:
    old, new = "      - id: second-m4\n", "      - id: second-m6\n        evidence: Harbour Office documented\n"
    edit(released, SECOND, old, new + old)
    assert "Set `version: 1.3.0`" in run(released, "check").out


def test_a_correction_is_said(released: Path, run: Run) -> None:
    edit(released, FIRST, "an oar and drifted until morning.", "an oar and drifted")
    assert codes(released) == ["id-reassigned", "version-too-low"]
    said = "    corrected: {version: 1.2.4, reason: words}\n    evidence: In the fog"
    edit(released, FIRST, "    evidence: In the fog", said)
    assert codes(released) == ["version-too-low"]
    raise_to(released, "1.2.4")
    assert run(released, "release").code == 0
    edit(released, FIRST, "an oar and drifted", "an oar and drifted until morning.")
    assert codes(released) == ["id-reassigned", "version-too-low"], "a correction excuses one change"


def test_the_list_gives_the_same_package_and_the_same_findings_from_shards(released: Path, tmp_path: Path) -> None:
    parts = in_parts(released, tmp_path / "parts")
    assert (parts / LIST).read_bytes() == (released / LIST).read_bytes()
    assert found_in(parts) == []
    without = Path(shutil.copytree(released, tmp_path / "without"))
    (without / LIST).unlink()
    assert built(released, tmp_path / "a").outcome == built(without, tmp_path / "b").outcome == "published"
    assert (tmp_path / "a/SHA256SUMS").read_bytes() == (tmp_path / "b/SHA256SUMS").read_bytes()


def test_a_takedown_leaves_nothing_in_the_list_and_is_not_delayed(released: Path, run: Run) -> None:
    assert run(released, "takedown", "mira-fenn", "--reason", "person").code == 0
    listed = entries(released)
    assert not {"mira-fenn", "example-t8", "example-t9", "example-f9"} & set(listed)
    assert found_in(released) == []
    refused = run(released, "release")
    assert (refused.code, "set `version: 1.3.0`" in refused.err) == (1, True)
    raise_to(released, "1.3.0")
    assert run(released, "release").code == 0
    assert entries(released)["withdrawn-speaker-1"] == {
        "table": "speakers", "id": "withdrawn-speaker-1", "first": "1.3.0", "changed": "1.3.0"
    }  # fmt: skip
    assert found_in(released) == []


def test_the_first_release_is_asked_for(released: Path, run: Run) -> None:
    assert run(released, "release", "--first-release").code == 2
    (released / LIST).unlink()
    refused = run(released, "release")
    assert (refused.code, "add --first-release" in refused.err) == (2, True)
    edit(released, FIRST, "evidence: two inns", "evidence: three inns")
    assert run(released, "release", "--first-release").code == 1
    assert not (released / LIST).exists()
