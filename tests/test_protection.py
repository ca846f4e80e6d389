"""A withheld name has nowhere to live, and nobody hears what was typed about a protected person."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from calling import run
from conftest import INVENTED, PROJECT, built, documents_of, edit, found_in, repin, spread
from defectors_data.corpus import yaml_reader
from defectors_data.evidence.record_ids import ids_in
from defectors_data.models import annotation
from defectors_data.models.fields import Record
from defectors_data.package import published_folder
from defectors_data.rows import disclosure_check
from every_field import save, typed_in
from test_page import finished

Steps: TypeAlias = tuple[str | int, ...]

FILES = {"annotations/900_example.yaml": "example-speaker-1", "annotations/901_second.yaml": "second-speaker-1"}
MODELS: dict[str, type[Record]] = {
    "speakers": annotation.WithheldPerson,
    "mentions": annotation.Mention,
    "testimonies": annotation.Testimony,
    "figures": annotation.Figure,
    "waivers": annotation.Waiver,
}
NOWHERE_ELSE = ("name", "gender", "age", "rank", "affiliation", "years_of_service", "note", "comment", "use")


def typed(file: str) -> Any:
    return yaml_reader.parse((INVENTED / file).read_text(encoding="utf-8"), file=file).value


def records(content: Any, speaker: str) -> Iterator[tuple[Steps, str]]:
    """Give the path and the kind of every record of a protected person, as typed."""
    theirs = {t["id"] for t in content["testimonies"] if t["speaker"] == speaker}
    for i, entry in enumerate(content["speakers"]):
        if entry.get("id") == speaker:
            yield ("speakers", i), "speakers"
            yield from ((("speakers", i, "mentions", n), "mentions") for n in range(len(entry["mentions"])))
    for i, entry in enumerate(content["testimonies"]):
        if entry["id"] in theirs:
            yield ("testimonies", i), "testimonies"
    for i, entry in enumerate(content["figures"]):
        if entry.get("attributed_to") == speaker or entry.get("testimony") in theirs:
            yield ("figures", i), "figures"
    for i, entry in enumerate(content["waivers"]):
        if entry.get("repeats") in theirs or entry["reason"] == "protected_attribute":
            yield ("waivers", i), "waivers"


def at(value: Any, path: Steps) -> Any:
    for step in path:
        value = value[step]
    return value


def leaves(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """Give the path of every text below a value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path


def fields() -> list[tuple[str, Steps]]:
    """Return every text of every record of a protected person, and every key that could be added to one."""
    found = set()
    for file, speaker in FILES.items():
        content = typed(file)
        for path, kind in records(content, speaker):
            found |= {(file, (*path, *below)) for below in leaves(at(content, path))}
            keys = {*MODELS[kind].model_fields, *NOWHERE_ELSE} - at(content, path).keys()
            found |= {(file, (*path, key)) for key in keys}
    return sorted(found, key=str)


FIELDS = fields()


def smuggled(root: Path, file: str, path: Steps, value: object) -> None:
    """Put a value at a path of an annotation file; JSON is YAML too."""
    content = typed(file)
    at(content, path[:-1])[path[-1]] = value
    (root / file).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def forms(path: Steps) -> Iterator[object]:
    """Give a name in the forms that a field may take: as a value, in kebab-case, as a term, behind what is there."""
    yield from ("Quirin Zaunkoenig", "quirin-zaunkoenig", "quirin_zaunkoenig", ["Quirin Zaunkoenig"])
    file = next(file for file, found in FIELDS if found == path)
    with contextlib.suppress(KeyError, IndexError, TypeError):
        there = at(typed(file), path)
        if isinstance(there, str):
            yield from (
                f"{there} Quirin Zaunkoenig",
                f"{there}-zaunkoenig",
                f"Zaunkoenig {there}",
                [there, "Zaunkoenig"],
            )


def test_there_are_many_fields_to_try() -> None:
    assert len(FIELDS) > 120
    words = {step for _, path in FIELDS for step in path}
    assert words >= set("id text evidence counted note place themes name repeats outlet attested_by".split())


@pytest.mark.parametrize(
    ("file", "path"),
    spread(FIELDS, 32),
    ids=lambda value: ".".join(map(str, value)) if value else "",
)
def test_a_name_is_stopped_in_every_field_of_every_record(copied: Path, file: str, path: Steps) -> None:
    for form in forms(path):
        smuggled(copied, file, path, form)
        assert found_in(copied), form


def test_a_record_as_it_is_passes(copied: Path) -> None:
    for file, path in FIELDS:
        with contextlib.suppress(KeyError):
            smuggled(copied, file, path, at(typed(file), path))
            assert found_in(copied) == []
            break


# ---- nothing that was typed is repeated ---------------------------------------------------------------------

TYPED = "zqx7kwv"
COMMANDS = (
    ["check"],
    ["check", "--format", "json"],
    ["check", "--format", "github"],
    ["todo", "--all"],
    ["todo", "--format", "json"],
    ["build"],
    ["takedown", "example-t1", "--reason", "error"],
)
RAW = (
    "{}",
    "*{}",
    "&{} x",
    "!{} x",
    '"{}',
    "[{}",
    "{{{}: 1",
    "{}: {}: x",
    "|{}",
    "@{}",
    "%{}",
    "'{}' {}",
    "- {}",
    "\t{}",
)


def said(root: Path) -> str:
    """Run every command that reads annotations, and return all that they wrote: streams, files, temporary files."""
    ran = [run(*command, where=root) for command in COMMANDS]
    assert {each.returncode for each in ran} <= {0, 1}
    heard = "\n".join(stream for each in ran for stream in (each.stdout, each.stderr))
    assert "fault" not in heard
    left = [path for folder in (root, Path(tempfile.gettempdir())) for path in folder.rglob("*") if path.is_file()]
    files = [path.read_bytes().decode(errors="replace") for path in left if path.parent.name != "annotations"]
    names = [path.as_posix() for path in left]
    return "\n".join([heard, *files, *names])


@pytest.fixture
def empty_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


@pytest.mark.usefixtures("empty_temporary_folder")
@pytest.mark.parametrize(
    ("file", "path"),
    spread(FIELDS, 90),
    ids=lambda value: ".".join(map(str, value)) if value else "",
)
def test_typed_words_about_protected_persons_are_never_repeated(copied: Path, file: str, path: Steps) -> None:
    smuggled(copied, file, path, f"{TYPED} {TYPED}")
    assert TYPED not in said(copied)


@pytest.mark.usefixtures("empty_temporary_folder")
@pytest.mark.parametrize("raw", spread(RAW, 18))
@pytest.mark.parametrize(
    "line",
    [
        "  - id: example-speaker-1\n",
        "    request: fear_of_reprisal\n",
        "        evidence: one keeper\n",
        "    counted: cases\n",
    ],
)
def test_broken_yaml_is_never_repeated_in_messages(copied: Path, raw: str, line: str) -> None:
    path = copied / "annotations/900_example.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(line) == 1
    for broken in (
        f"{line.partition(': ')[0]}: {raw.format(TYPED, TYPED)}\n",
        f"{line}    {TYPED}: {raw.format(1, 2)}\n",
    ):
        path.write_text(text.replace(line, broken), encoding="utf-8")
        assert TYPED not in said(copied)


def protected_records() -> list[tuple[str, str]]:
    """Return the file and id of every record of a protected person."""
    found = []
    for file, speaker in FILES.items():
        content = typed(file)
        entries = (at(content, path) for path, _ in records(content, speaker))
        found += [(file, entry["id"]) for entry in entries if "id" in entry]
    return found


def with_words_about_it(root: Path, file: str, record_id: str) -> set[str]:
    """Type words beside a record of a protected person, where no model reads; return all that is typed about them."""
    about = {str(at(typed(file), path)) for of, path in FIELDS if of == file and path in leaves(typed(file))}
    edit(root, file, f"id: {record_id}\n", f"id: {record_id}  # {TYPED}\n")
    (root / "notes.md").write_text(f"{TYPED} is {record_id}.\n", encoding="utf-8")
    reading = root / "annotations/readings" / f"{Path(file).stem}.first.yaml"
    reading.parent.mkdir()
    reading.write_text(f"figures:\n- note: {TYPED} is {record_id}.\n", encoding="utf-8")
    return {TYPED, *(words for words in about if len(words.split()) > 1)}


@pytest.mark.parametrize(("file", "record_id"), spread(protected_records(), 8))
def test_no_message_of_a_takedown_repeats_what_was_typed(copied: Path, file: str, record_id: str) -> None:
    about = with_words_about_it(copied, file, record_id)
    broken = copied / "annotations/readings" / f"{Path(file).stem}.second.yaml"
    broken.write_text(f"[{TYPED}: {record_id}\n", encoding="utf-8")
    refused = run("takedown", record_id, "--reason=safety", where=copied)
    assert (refused.returncode, TYPED in refused.stdout + refused.stderr) == (1, False)
    broken.unlink()
    for ending in ("--reason=safety --dry-run", "--reason=person", "--reason=error"):
        ran = run("takedown", record_id, *ending.split(), where=copied)
        heard = ran.stdout + ran.stderr
        assert record_id in heard
        assert not [words for words in about if words in heard]
    assert "was already removed" in heard
    unknown = run("takedown", TYPED, "--reason=person", where=copied)
    assert (unknown.returncode, TYPED in unknown.stdout + unknown.stderr) == (1, False)


# ---- the last look at a release -----------------------------------------------------------------------------


def rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that belong to sources, by table."""
    found = {path.stem: pq.read_table(path).to_pylist() for path in folder.glob("data/*.parquet")}
    return {name: [row for row in of if row.get("source_id")] for name, of in found.items()}


def texts(folder: Path) -> dict[str, bytes]:
    """Return what is read as text; the page and the Web Annotations show the records themselves, with their ids."""
    found = published_folder.contents(folder).items()
    return {name: data for name, data in found if not name.startswith(("data/", "index.html", "w3c/"))}


def test_the_published_release_and_the_invented_one_leak_nothing(package: Path) -> None:
    for folder in (PROJECT / "dist", package):
        assert disclosure_check.leaks(rows(folder)) == []
        assert disclosure_check.leaks_in_texts(texts(folder), finished(folder)) == []


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("speakers", "name", "Quirin"),
        ("speakers", "gender", "male"),
        ("speakers", "note", "Tall."),
        ("mentions", "rank", "sergeant"),
        ("mentions", "age", 27),
        ("mentions", "years_of_service", 3),
        ("mentions", "affiliation", "Coast Watch"),
    ],
)
def test_a_cell_that_has_to_be_empty_is_found(package: Path, table: str, column: str, value: object) -> None:
    found = rows(package)
    next(row for row in found[table] if row["speaker_id"] == "example-speaker-1")[column] = value
    assert disclosure_check.leaks(found) == [f"{table}, a row of example: {column} is filled"]


QUOTED = {"text", "exact", "prefix", "suffix"}
JOINING = {"statement_relations", "comparisons", "relations"}


def speakers_of_records(found: dict[str, list[dict[str, Any]]]) -> dict[str, set[str]]:
    """Return the speakers of each record and speaker, by id."""
    known = {row["speaker_id"]: {row["speaker_id"]} for row in found["speakers"]}
    for table, key in (("mentions", "mention_id"), ("testimonies", "testimony_id")):
        known |= {row[key]: {row["speaker_id"]} for row in found[table]}
    for row in found["figures"]:
        known[row["figure_id"]] = {row["attributed_to"]} - {None} | known.get(row["testimony_id"], set())
    return known


def test_only_pairs_of_statements_and_of_figures_join_a_protected_person_with_another_speaker() -> None:
    found = {path.stem: pq.read_table(path).to_pylist() for path in (PROJECT / "dist").glob("data/*.parquet")}
    known = speakers_of_records(found)
    protected = {row["speaker_id"] for row in found["speakers"] if row["protected"]}
    joining = set()
    for table, of in found.items():
        for row in of:
            cells = [cell for column, cell in row.items() if isinstance(cell, str) and column not in QUOTED]
            joined = set[str]().union(*(known.get(name, set()) for name in ids_in(" ".join(cells))))
            if joined & protected and len(joined) > 1:
                joining.add(table)
    assert "statement_relations" in joining
    assert joining <= JOINING
    sources = {row["testimony_id"]: row["source_id"] for row in found["testimonies"]}
    for pair in found["statement_relations"]:
        both = {pair["first"], pair["second"]}
        if any(known[name] & protected for name in both):
            assert len({sources[name] for name in both}) == 1


def lines_of(text: str, start: int, end: int) -> set[int]:
    """Return the numbers of the lines that have letters or digits of a run."""
    return {text.count("\n", 0, at) for at in range(max(start, 0), end) if text[at : at + 1].isalnum()}


@pytest.mark.parametrize("of_invented", [False, True])
def test_no_context_shows_a_paragraph_about_a_protected_person(package: Path, of_invented: bool) -> None:
    folder, project = {False: (PROJECT / "dist", PROJECT), True: (package, INVENTED)}[of_invented]
    found = {path.stem: pq.read_table(path).to_pylist() for path in folder.glob("data/*.parquet")}
    texts = {}
    for source in found["sources"]:
        texts[source["source_id"]] = (project / "seeds" / source["seed_file"]).read_bytes().decode()
    known = speakers_of_records(found)
    protected = {row["speaker_id"] for row in found["speakers"] if row["protected"]}
    closed = set[tuple[str, int]]()
    for span in found["spans"]:
        name, text = span["source_id"], texts[span["source_id"]]
        if span["field"] == "evidence" and known.get(span["record_id"], set()) & protected:
            closed |= {(name, line) for line in lines_of(text, span["start_offset"], span["end_offset"])}
    assert closed
    for span in found["spans"]:
        name, text = span["source_id"], texts[span["source_id"]]
        before = span["start_offset"] - len(span["prefix"] or "")
        after = span["end_offset"] + len(span["suffix"] or "")
        shown = lines_of(text, before, span["start_offset"]) | lines_of(text, span["end_offset"], after)
        assert not closed & {(name, line) for line in shown}, span["span_id"]


NAMES = ["example-speaker-1", "example-t5", "example-m3", "example-f5"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("table", "column"), [("sources", "note"), ("testimonies", "note"), ("spans", "field")])
def test_an_id_in_a_row_of_another_source_is_found(package: Path, table: str, column: str, name: str) -> None:
    found = rows(package)
    found[table][-1][column] = name
    said = f"{table}, a row of second: {column} names a protected person or a record of theirs"
    assert said in disclosure_check.leaks(found)


@pytest.mark.filterwarnings("ignore::defectors_data.ChangedFileWarning")
@pytest.mark.parametrize("name", NAMES)
def test_an_id_in_a_row_that_is_of_no_source_is_found(package: Path, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copytree(package, tmp_path / "copy"))
    for table, column in (("terms", "definition"), ("speakers", "note")):
        path = copy / f"data/{table}.parquet"
        found = pq.read_table(path)
        first = {**found.to_pylist()[0], column: f"Compare {name}."}  # shared speakers come first
        pq.write_table(pa.Table.from_pylist([first, *found.to_pylist()[1:]], schema=found.schema), path)
        assert len(disclosure_check.leaks_in_texts({}, finished(copy))) == 1
        shutil.copy(package / f"data/{table}.parquet", path)


def test_an_id_in_a_text_or_a_file_name_is_found(package: Path) -> None:
    found = finished(package)
    assert disclosure_check.leaks_in_texts({"README.md": b"See example-speaker-1."}, found) != []
    assert disclosure_check.leaks_in_texts({"charts/example-t5.svg": b""}, found) != []
    assert disclosure_check.leaks_in_texts({"README.md": b"See example-t1 and bruno-salt."}, found) == []


def test_an_id_that_is_more_than_source_and_number_is_found(package: Path) -> None:
    found = rows(package)
    next(row for row in found["speakers"] if row["speaker_id"] == "second-speaker-1")["speaker_id"] = "second-woman-1"
    assert "speakers, a row of second: speaker_id contains more than source and number" in disclosure_check.leaks(found)


def test_a_release_that_leaks_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disclosure_check, "leaks", lambda _: ["speakers, a row of example: name is filled"])
    with pytest.raises(Exception, match="name is filled"):
        built(INVENTED, tmp_path / "dist")
    assert list(tmp_path.iterdir()) == []


def test_models_of_protected_persons_have_no_identifying_field() -> None:
    told = {"id", "kind", "role", "anonymity", "rank_class", "branch", "inferred"}
    told |= {"mentions", "corrected", "draft"}
    assert annotation.UnnamedPerson.model_fields.keys() == told
    assert annotation.WithheldPerson.model_fields.keys() == told | {"request"}
    assert annotation.PseudonymousPerson.model_fields.keys() == told | {"request", "name", "pseudonym_possible"}
    assert annotation.ProtectedMention.model_fields.keys() == {"id", "evidence", "attested_by", "corrected"}
    assert "gender" not in annotation.ProtectedAttestations.model_fields


@pytest.mark.parametrize(
    ("change", "override"),
    [
        ({"unit": "person", "measure": "people_at_the_pier"}, "The unit is persons."),
        ({"unit": "percent", "measure": "share_who_want_to_return"}, "The unit is a different one."),
        ({"unit": "hotel", "measure": "inns", "value": "4"}, "The number is a different one."),
        ({"unit": "hotel", "measure": "inns", "hedge": "about"}, "The hedge is a different one."),
    ],
)
def test_a_figure_of_a_protected_person_that_is_misread_can_be_corrected(
    copied: Path, change: dict[str, str], override: str
) -> None:
    for file in ("seeds/900_example.txt", "annotations/900_example.yaml"):
        path = copied / file
        path.write_text(
            path.read_text(encoding="utf-8").replace("three cases", "three hotels with cases"), encoding="utf-8"
        )
    repin(copied, "900_example")
    content = typed_in(copied, "annotations/900_example.yaml")
    figure = next(figure for figure in content["figures"] if figure["id"] == "example-f5")
    figure.update({"counted": "hotels", **change})
    save(copied, "annotations/900_example.yaml", content)
    assert [finding.code for finding in found_in(copied)] == ["figure-text-mismatch"]
    figure["override"] = override
    save(copied, "annotations/900_example.yaml", content)
    assert {finding.code for finding in found_in(copied)} <= {"conflict-without-note"}  # with an unrelated figure


def test_why_the_full_name_of_a_pseudonymous_person_is_withheld_is_published(copied: Path, tmp_path: Path) -> None:
    file, words = "annotations/901_second.yaml", "evidence: A man who gave only the name Iven\n"
    edit(copied, file, words, words + "        attested_by: {request: gave only the name}\n")
    edit(copied, file, "pseudonym_possible: true\n", "pseudonym_possible: true\n    request: not_stated\n")
    assert built(copied, tmp_path / "dist").outcome == "published"
    [iven] = [row for row in rows(tmp_path / "dist")["speakers"] if row["name"] == "Iven"]
    assert (iven["request"], iven["protected"]) == ("not_stated", True)


@pytest.mark.parametrize("key", ["gender", "note"])
def test_a_name_that_may_be_a_pseudonym_is_all_that_is_stated_of_its_person(key: str) -> None:
    entry = {"id": "x-speaker-1", "kind": "person", "role": "relative", "anonymity": "partial", "name": "Ada"}
    typed = annotation.Annotations.model_validate
    source = {"id": "x", "seed": "x.txt", "sha256": "0" * 64, "language": "en", "rights": "Nobody"}
    with pytest.raises(ValidationError, match="pseudonym_possible"):
        typed({"source": source, "speakers": [entry]})
    entry["pseudonym_possible"] = "true"
    [speaker] = typed({"source": source, "speakers": [entry]}).speakers
    assert isinstance(speaker, annotation.PseudonymousPerson)
    assert speaker.protected
    entry_of_official = {**entry, "pseudonym_possible": "false"}
    [official] = typed({"source": source, "speakers": [entry_of_official]}).speakers
    assert isinstance(official, annotation.PartialPerson)
    with pytest.raises(ValidationError, match=key):
        typed({"source": source, "speakers": [{**entry, key: "male"}]})
    for attribute in ("age", "years_of_service", "rank", "affiliation"):
        mention = {"id": "x-m1", "evidence": "Ada", attribute: "30"}
        with pytest.raises(ValidationError, match=attribute):
            typed({"source": source, "speakers": [{**entry, "mentions": [mention]}]})


def test_no_protected_person_of_the_corpus_is_in_two_sources() -> None:
    documents = documents_of(PROJECT)
    where = [(speaker.id, d.source.id) for d in documents for _, speaker in d.speakers if speaker.protected]
    assert len(where) == len({name for name, _ in where}) > 0
    assert not [speaker for speaker in documents[0].context.shared.listed if speaker.protected]
