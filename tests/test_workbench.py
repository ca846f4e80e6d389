"""The server of the page for annotators: what it refuses, and what each edit changes in the YAML file."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

from calling import run
from conftest import INVENTED, edit, found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.record_edits import deleted
from defectors_data.annotators.workbench.server import application
from defectors_data.corpus import yaml_reader
from defectors_data.edits import yaml_editor
from defectors_data.rows.labels import is_about
from pages import HOST, TOKEN

STEM, FILE = "900_example", "annotations/900_example.yaml"
TEXT = (INVENTED / "seeds/900_example.txt").read_text(encoding="utf-8")


def sha256(root: Path) -> str:
    return hashlib.sha256((root / FILE).read_bytes()).hexdigest()


def act(client: TestClient, action: str, **body: Any) -> httpx2.Response:
    return client.post(f"/{TOKEN}/{action}/{STEM}", json=body)


def span(words: str, text: str = TEXT) -> list[int]:
    return [text.index(words), text.index(words) + len(words)]


def bar_of(page: httpx2.Response) -> str:
    """Return the bar that says what could not be read, or "" if there is none."""
    found = re.search(r'<div class="unread".*?</div>', page.text, re.DOTALL)
    return found[0] if found else ""


def lines(before: str, after: str) -> list[str]:
    """Return what was removed and added, in order."""
    rows = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [row for row in rows if not row.startswith(("---", "+++", "@@"))]


# ---- who may ask -------------------------------------------------------------------------------------------------


def test_the_page_shows_the_article_and_its_records_and_confines_itself(client: TestClient) -> None:
    page = client.get(f"/{TOKEN}/")
    assert 'id="record-example-t1"' in page.text
    assert "0 unaccounted for, 0 findings" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    scripts = [client.get(f"/{TOKEN}/assets/{name}") for name in re.findall('src="../assets/(.+?)"', page.text)]
    assert [each.headers["content-type"] for each in scripts] == ["text/javascript; charset=utf-8"] * 5


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/other/", {}),
        (f"/{TOKEN}x/", {}),
        (f"/{TOKEN}/", {"host": "evil.example"}),
        (f"/{TOKEN}/", {"host": "127.0.0.1:8001"}),
        (f"/{TOKEN}/", {"host": "127.0.0.1"}),
        (f"/{TOKEN}/", {"origin": "http://evil.example"}),
        (f"/{TOKEN}/", {"origin": "http://127.0.0.1:8001"}),
        (f"/{TOKEN}/", {"origin": "null"}),
        (f"/{TOKEN}/", {"sec-fetch-site": "cross-site"}),
        (f"/{TOKEN}/article/..%2f..%2fdataset", {}),
        (f"/{TOKEN}/article/vocabulary", {}),
        (f"/{TOKEN}/article/none", {}),
        (f"/{TOKEN}/assets/page.html", {}),
        (f"/{TOKEN}/assets/..%2fserver.py", {}),
    ],
)
def test_other_requests_are_refused(client: TestClient, path: str, headers: Mapping[str, str]) -> None:
    assert client.get(path, headers=headers).status_code == 403


def test_localhost_is_the_same_host(client: TestClient) -> None:
    local = {"host": "localhost:8000", "origin": "http://localhost:8000"}
    assert client.get(f"/{TOKEN}/", headers=local).status_code == 200


def test_a_file_that_is_a_link_out_of_the_project_is_refused(client: TestClient, copied: Path, tmp_path: Path) -> None:
    (copied / FILE).rename(tmp_path / "elsewhere.yaml")
    (copied / FILE).symlink_to(tmp_path / "elsewhere.yaml")
    assert client.get(f"/{TOKEN}/article/{STEM}").status_code == 403
    assert act(client, "delete", id="example-w1", sha256=sha256(copied)).status_code == 403


NOT_VALID = {
    "empty": "",
    "a list": "[]",
    "end before start": '{"spans": [[5, 2]]}',
    "no list of spans": '{"spans": 3}',
    "an unknown kind": '{"kind": "none"}',
    "no values": '{"values": 3}',
    "no offset": '{"spans": [["a", 1]]}',
    "infinity": '{"spans": [[1, Infinity]]}',
    "half of a surrogate pair": '{"values": {"note": "\\ud800"}}',
    "no UTF-8": b"\xff{}",
    "deep JSON": "[" * 100_000,
    "deep JSON in a value": '{"values": ' + '{"a":' * 100_000 + "1" + "}" * 100_001,
    "a number with too many digits": '{"spans": [[1, ' + "1" * 5_000 + "]]}",
}


@pytest.mark.parametrize("body", NOT_VALID.values(), ids=NOT_VALID)
def test_a_request_that_is_not_valid_is_answered_with_a_sentence(client: TestClient, body: str | bytes) -> None:
    answer = client.post(f"/{TOKEN}/add/{STEM}", content=body)
    assert (answer.status_code, answer.json()) == (400, {"message": "The request is not valid."})


def test_annotations_that_cannot_be_read_are_shown_with_their_finding(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "mode: narrated\n    evidence: walked", "mode: [narrated\n    evidence: walked")
    page = client.get(f"/{TOKEN}/article/{STEM}")
    assert page.status_code == 200
    assert re.search(rf"{FILE}:[0-9]+:[0-9]+: yaml-syntax", bar_of(page))
    assert "lighthouse" in page.text
    assert not re.search(r"[0-9] unaccounted for|check passes", page.text)
    assert act(client, "delete", id="example-w1", sha256=sha256(copied)).status_code == 403


@pytest.mark.parametrize(
    "file", ["annotations/vocabulary.yaml", "annotations/901_second.yaml", "annotations/speakers.yaml", "dataset.yaml"]
)
def test_nothing_is_counted_while_any_file_cannot_be_read(client: TestClient, copied: Path, file: str) -> None:
    path = copied / file
    path.write_text(f"{path.read_text(encoding='utf-8')}\nodd: [\n", encoding="utf-8")
    page = client.get(f"/{TOKEN}/article/{STEM}")
    assert re.search(rf"{file}:[0-9]+:[0-9]+: yaml-syntax", bar_of(page))
    assert not re.search(r"[0-9] unaccounted for|check passes", page.text)


def test_a_finding_about_a_record_is_not_a_file_that_cannot_be_read(client: TestClient, copied: Path) -> None:
    assert act(client, "delete", sha256=sha256(copied), id="example-w3").is_success
    page = client.get(f"/{TOKEN}/article/{STEM}")
    assert re.search("1 unaccounted for, 1 finding\\.", page.text)
    assert bar_of(page) == ""


# ---- what an edit changes ----------------------------------------------------------------------------------------

PIER = {"value": "20", "low": "20", "hedge": "at_least", "unit": "item", "measure": "boats_lost", "counted": "boats"}
EDITS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "testimony": (
        "add",
        {
            "kind": "testimony",
            "spans": [span("We had no oil left,"), span("Nobody wrote to us.")],
            "values": {"speaker": "bruno-salt", "mode": "direct", "themes": "hunger_pay, other", "outlet": " "},
        },
        [
            "+  - id: example-t10",
            "+    speaker: bruno-salt",
            "+    mode: direct",
            '+    evidence: ["We had no oil left,", "Nobody wrote to us."]',
            "+    themes: [hunger_pay, other]",
        ],
    ),
    "unbalanced": (
        "add",
        {
            "kind": "testimony",
            "spans": [span("I will not go back.")],
            "values": {"speaker": "mira-fenn", "mode": "direct", "themes": "other"},
        },
        [
            "+  - id: example-t10",
            "+    speaker: mira-fenn",
            "+    mode: direct",
            '+    evidence: {text: "I will not go back.", unbalanced: closing}',
            "+    themes: [other]",
        ],
    ),
    "figure": (
        "add",
        {"kind": "figure", "spans": [span("at least 20 boats")], "values": PIER},
        [
            "+  - id: example-f13",
            '+    evidence: "at least 20 boats"',
            "+    value: 20",
            "+    low: 20",
            "+    hedge: at_least",
            "+    unit: item",
            "+    measure: boats_lost",
            "+    counted: boats",
        ],
    ),
    "mention": (
        "add",
        {"kind": "mention", "spans": [span("Fenn, a clerk")], "values": {"speaker": "mira-fenn", "rank": "first mate"}},
        ["+      - id: example-m6", '+        evidence: "Fenn, a clerk"', '+        rank: "first mate"'],
    ),
    "speaker": (
        "add",
        {
            "kind": "mention",
            "spans": [span("Ada Example")],
            "values": {"kind": "person", "role": "other", "anonymity": "named", "name": "Ada Example", "age": "31"},
        },
        [
            "+  - id: ada-example",
            "+    kind: person",
            "+    role: other",
            "+    anonymity: named",
            '+    name: "Ada Example"',
            "+    mentions:",
            "+      - id: example-m6",
            '+        evidence: "Ada Example"',
            "+        age: 31",
        ],
    ),
    "protected": (
        "add",
        {
            "kind": "mention",
            "spans": [span("The keeper")],
            "values": {
                "kind": "person",
                "role": "defector",
                "anonymity": "unnamed",
                "name": "Ada Example",
                "age": "31",
            },
        },
        [
            "+  - id: example-speaker-3",
            "+    kind: person",
            "+    role: defector",
            "+    anonymity: unnamed",
            "+    mentions:",
            "+      - id: example-m6",
            '+        evidence: "The keeper"',
        ],
    ),
    "waiver": (
        "add",
        {"kind": "waiver", "spans": [span("Keepers")], "values": {"reason": "term"}},
        ["+  - id: example-w5", '+    evidence: "Keepers"', "+    reason: term"],
    ),
    "equal words": (
        "add",
        {"kind": "waiver", "spans": [span("The lamps are dark")], "values": {"reason": "term"}},
        [
            "+  - id: example-w5",
            '+    evidence: {text: "The lamps are dark", prefix: "and drifted until morning.\\n\\n“"}',
            "+    reason: term",
        ],
    ),
    "boilerplate": (
        "add",
        {"kind": "boilerplate", "spans": [span("They crossed by night,")]},
        [
            r'-    - "0\nPlay Audio"',
            "-    - Copyright 2019 The Example Gazette",
            r'+    ["0\nPlay Audio", "They crossed by night,", "Copyright 2019 The Example Gazette"]',
        ],
    ),
    "reading": (
        "add",
        {
            "kind": "reading",
            "values": {
                "reader": "reader-1",
                "kind": "person",
                "date": "2026-02-01",
                "purpose": "correction",
                "version": "1.2.0",
            },
        },
        ["+  - {reader: reader-1, kind: person, date: 2026-02-01, purpose: correction, version: 1.2.0}"],
    ),
    "changed": (
        "change",
        {"id": "example-w3", "values": {"reason": "term", "repeats": "", "note": "A day # 3"}},
        ["-    reason: date", "+    reason: term", '+    note: "A day # 3"'],
    ),
    "unchanged": ("change", {"id": "example-w3", "values": {"reason": " date", "note": ""}}, []),
    "words next to the evidence": (
        "change",
        {"id": "example-t3", "values": {"where": {"place": "", "words": ""}, "stance": "denies"}},
        ["+    stance: denies"],
    ),
    "other words": (
        "move",
        {"id": "example-w3", "spans": [span("at least 20 boats")]},
        ["-    evidence: March 3rd", '+    evidence: "at least 20 boats"'],
    ),
    "key removed": ("change", {"id": "example-w4", "values": {"note": ""}}, ["-    note: A pull quote."]),
    "deleted": (
        "delete",
        {"id": "example-w3"},
        ["-  - id: example-w3", "-    evidence: March 3rd", "-    reason: date"],
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_what_a_person_would_have_typed(client: TestClient, copied: Path, name: str) -> None:
    action, body, expected = EDITS[name]
    edit(copied, FILE, "figures:\n", "# The numbers.\nfigures: # all of them\n")
    before = (copied / FILE).read_text(encoding="utf-8")
    answer = act(client, action, sha256=sha256(copied), **body)
    assert answer.status_code == 200, answer.text
    assert lines(before, (copied / FILE).read_text(encoding="utf-8")) == expected


def test_the_first_record_replaces_the_empty_list_of_a_draft() -> None:
    text = "source:\n  id: a\n\nspeakers: []  # none yet\n\nwaivers: []\n"
    added = yaml_editor.with_item(text, ("waivers",), 'id: a-w1\nevidence: "b"')
    assert lines(text, added) == ["-waivers: []", "+waivers:", "+  - id: a-w1", '+    evidence: "b"']
    assert "speakers:  # none yet\n  - id: c\n" in yaml_editor.with_item(text, ("speakers",), "id: c")
    assert yaml_editor.with_item(text, ("readings",), "{a: b}").endswith("waivers: []\n\nreadings:\n  - {a: b}\n")


@pytest.mark.parametrize("value", ["a\n- b", "x: y", "[a", '"a', "*a", "!!str a", "a #b", "{a: b}", "- a", "yes"])
def test_no_value_of_a_form_is_read_as_yaml(client: TestClient, copied: Path, value: str) -> None:
    assert act(client, "change", sha256=sha256(copied), id="example-w3", values={"note": value}).is_success
    fields = act(client, "current", id="example-w3").json()
    assert {field["key"]: field["value"] for field in fields}["note"] == value
    parsed = yaml_reader.parse((copied / FILE).read_text(encoding="utf-8"), file=FILE)
    assert [each["note"] for each in parsed.value["waivers"] if each["id"] == "example-w3"] == [value]


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a form": (
        "add",
        {"kind": "figure", "values": {"measure": "new", "value": "24", "unit": "item", "counted": "-inch"}},
        "formula",
    ),
    "a missing key": ("add", {"kind": "testimony", "values": {"speaker": "bruno-salt", "themes": "other"}}, "`mode`"),
    "a value": ("change", {"id": "example-f1", "values": {"value": "many"}}, "number in plain digits"),
    "words of no article": (
        "change",
        {"id": "example-t1", "values": {"attribution": {"words": "the mayor said"}}},
        "does not contain the words “the mayor said”",
    ),
    "the same words": ("move", {"id": "example-f9"}, "nothing was changed"),
    "fields of boilerplate": ("change", {"id": "example-boilerplate-1"}, "has no fields"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_value_that_would_be_unreadable_is_not_saved(client: TestClient, copied: Path, name: str) -> None:
    action, body, said = REFUSED[name]
    before = {path: path.read_bytes() for path in (copied / "annotations").iterdir()}
    answer = act(client, action, sha256=sha256(copied), spans=[span("at least 20 boats")], **body)
    assert answer.status_code == 403
    assert said in answer.json()["message"]
    assert {path: path.read_bytes() for path in (copied / "annotations").iterdir()} == before


def test_a_new_measure_is_added_to_the_vocabulary(client: TestClient, copied: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    before = path.read_text(encoding="utf-8")
    values = {
        **PIER,
        "measure": "boats_at_sea",
        "definitions": {"measures/boats_at_sea": "Boats that were lost at night"},
    }
    assert act(
        client, "add", sha256=sha256(copied), kind="figure", spans=[span("at least 20 boats")], values=values
    ).is_success
    added = ["+  - term: boats_at_sea", '+    definition: "Boats that were lost at night."', "+    units: [item]"]
    assert lines(before, path.read_text(encoding="utf-8")) == added


def test_two_windows_never_overwrite_each_other(client: TestClient, copied: Path) -> None:
    seen = sha256(copied)
    assert act(client, "delete", sha256=seen, id="example-w3").is_success
    before = {path: path.read_bytes() for path in (copied / "annotations").iterdir()}
    late: list[tuple[str, dict[str, Any]]] = [("delete", {"id": "example-w2"})]
    late += [("change", {"id": "example-w2", "values": {"reason": "idiom"}})]
    late += [("add", {"kind": "figure", "spans": [span("two inns")], "values": {**PIER, "measure": "new"}})]
    for action, body in late:
        assert act(client, action, sha256=seen, **body).status_code == 409
    assert {path: path.read_bytes() for path in (copied / "annotations").iterdir()} == before


def test_a_process_that_is_killed_while_saving_loses_no_data(copied: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from defectors_data.package import filesystem\n"
        "from defectors_data.annotators.workbench.project_files import EditedProject\n"
        "filesystem.move = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from defectors_data.annotators.workbench.record_edits import deleted\n"
        "project, planned = EditedProject(Path(sys.argv[1])), lambda document: deleted(document, 'example-w3')\n"
        "project.edit(sys.argv[2], sys.argv[3], planned)\n"
    )
    before, seen = (copied / FILE).read_bytes(), sha256(copied)
    ran = subprocess.run([sys.executable, "-c", code, copied, STEM, seen], env=os.environ, check=False)
    assert ran.returncode == -signal.SIGKILL
    assert (copied / FILE).read_bytes() == before
    assert found_in(copied) == [], "what is left is not read"
    EditedProject(copied).edit(STEM, seen, partial(deleted, record="example-w3"))
    assert [path.name for path in (copied / "annotations").iterdir() if path.name.startswith(".")] == []


# ---- commands ----------------------------------------------------------------------------------------------------


def test_without_its_libraries_the_command_says_what_to_install(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("defectors_data.annotators.workbench")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = run("annotate", where=copied)
    assert said.returncode == 2
    assert "with the extra `workbench`" in said.stderr


def test_an_article_without_annotations_is_drafted_first(copied: Path) -> None:
    (copied / "seeds/902_bells.txt").write_text("A Bell Was Rung Here\n", encoding="utf-8")
    said = run("annotate", "902_bells", where=copied)
    assert (said.returncode, "defectors-data draft --fill 902_bells" in said.stderr) == (1, True)


def test_the_page_to_be_read_says_about_whom_the_writer_narrates(published: Path, tmp_path: Path) -> None:
    out = tmp_path / "articles.html"
    assert run("view", "--seeds", "seeds", "--out", out, where=published).returncode == 0
    page = out.read_text(encoding="utf-8")
    records = dict(re.findall(r'<section class="record testimony".*?data-id="([^"]+)"(.*?)</section>', page, re.DOTALL))
    testimonies = pq.read_table(published / "dist/data/testimonies.parquet").to_pylist()
    kinds = set()
    for row in testimonies:
        about = is_about(row)
        kinds.add(about)
        assert ("<dt>about</dt>" in records[row["testimony_id"]]) == about
        assert ("<dt>speaker</dt>" in records[row["testimony_id"]]) != about
    assert kinds == {True, False}


def test_the_page_to_be_read_names_no_protected_person_in_its_index(published: Path, tmp_path: Path) -> None:
    out = tmp_path / "articles.html"
    assert run("view", "--seeds", "seeds", "--out", out, where=published).returncode == 0
    page = out.read_text(encoding="utf-8")
    index = page[page.index('<section id="index">') :]
    assert "Defector (person, name withheld on request)" in index
    assert "Bruno Salt" in index
    assert not [word for word in ("27", "brother", "fear of") if word in index.partition("<script>")[0]]
    text = (published / "seeds/900_example.txt").read_text(encoding="utf-8").split()
    assert [word for word in text if word.isalpha() and word not in page] == []


def test_choices_of_a_filter_are_ordered_by_label_and_then_by_id(published: Path, tmp_path: Path) -> None:
    out = tmp_path / "articles.html"
    assert run("view", "--seeds", "seeds", "--out", out, where=published).returncode == 0
    filters = re.findall("(?s)<select.*?</select>", out.read_text(encoding="utf-8"))
    for choices in [re.findall('<option value="([^"]+)">([^<]+)', each) for each in filters]:
        assert choices == sorted(choices, key=lambda choice: (choice[1], choice[0]))
    assert len(filters) == 3


def test_a_copy_that_is_not_the_article_is_refused(published: Path, tmp_path: Path) -> None:
    (tmp_path / "900_example.txt").write_text("Other words.", encoding="utf-8")
    (tmp_path / "901_second.txt").write_text("Other words.", encoding="utf-8")
    said = run("view", "--seeds", tmp_path, "--out", tmp_path / "out.html", where=published)
    assert said.returncode == 2
    assert "differs from the article that was annotated" in said.stderr
    assert not (tmp_path / "out.html").exists()
    (tmp_path / "out.html").write_text("A letter.", encoding="utf-8")
    assert run("view", "--seeds", "seeds", "--out", tmp_path / "out.html", where=published).returncode == 2


@pytest.mark.parametrize(("fixture", "name"), [("copied", "w4"), ("released", "w5")])
def test_the_id_of_a_rejected_record_is_free_again_unless_it_was_released(
    request: pytest.FixtureRequest, fixture: str, name: str
) -> None:
    root = request.getfixturevalue(fixture)
    client = TestClient(application(EditedProject(root), token=TOKEN), base_url=HOST)
    assert act(client, "delete", sha256=sha256(root), id="example-w4").is_success
    # While it can be restored, it keeps its id.
    client = TestClient(application(EditedProject(root), token=TOKEN), base_url=HOST)
    values = {"reason": "term"}
    added = act(client, "add", sha256=sha256(root), kind="waiver", spans=[span("March 3rd")], values=values)
    assert added.json() == name
