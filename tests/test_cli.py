"""Words in; words and an exit code out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import defectors_data
from calling import Ran, process, run
from conftest import INVENTED, PROJECT, content, edit, spread
from defectors_data.cli.commands import COMMANDS, CommandEntry
from defectors_data.corpus import reader

ANNOTATIONS = "annotations/900_example.yaml"


SAID = (
    ["check"],
    ["check", "--format", "json", "--rules"],
    ["check", "annotations/none.yaml"],
    ["chekc"],
    ["--version"],
    ["todo", "--help"],
    ["build", "--out", "new"],
    ["why", "figures/example-f3/high", "--package", "new"],
)
FAULTY = (["check", "--format", "json", "--rules"], ["build", "--out", "new"])


@pytest.mark.deep
@pytest.mark.parametrize("faulty", [False, True], ids=["sound", "faulty"])
def test_a_separate_process_prints_the_same_output(copied: Path, tmp_path: Path, faulty: bool) -> None:
    """So that what the tests of this folder run without a process is what a user sees."""
    if faulty:
        edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    other = Path(shutil.copytree(copied, tmp_path / "other" / "project"))
    for command in FAULTY if faulty else SAID:
        assert process(*command, where=copied) == run(*command, where=other), command
    assert content(copied) == content(other)


def test_check_of_a_sound_corpus_is_silent_but_for_one_line() -> None:
    ran = run("check", "--no-cache", where=INVENTED)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (
        ran.stdout == "No findings: 2 sources, 15 testimonies, 14 figures, 10 quotations and 23 numbers were checked.\n"
    )


def test_findings_name_files_relative_to_the_working_folder(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    ran = run("check", where=copied / "annotations")
    assert ran.returncode == 1
    assert ran.stdout.startswith("900_example.yaml:")
    assert run("check", "--root", copied).stdout.startswith(os.path.relpath(copied / ANNOTATIONS, PROJECT))


def test_json_is_one_document_and_nothing_else(copied: Path) -> None:
    assert json.loads(run("check", "--root", copied, "--format", "json").stdout)["findings"] == []
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    ran = run("check", "--format", "json", where=copied)
    [finding] = json.loads(ran.stdout)["findings"]
    assert (ran.returncode, ran.stderr) == (1, "")
    assert finding["file"] == ANNOTATIONS
    assert finding["code"] == "evidence-not-found"
    assert finding["line"] == 180
    assert finding["column"] == 15
    assert finding["help"][-1] == 'Paste instead: "two inns"'


def test_github_findings_are_workflow_commands(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    said = run("check", "--format", "github", where=copied).stdout
    assert said.startswith(f"::error file={ANNOTATIONS},line=180,col=15,title=evidence-not-found::")
    assert len(said.splitlines()) == 1


def test_a_file_shows_its_own_findings_alone(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    assert run("check", ANNOTATIONS, where=copied).returncode == 1
    other = run("check", "annotations/901_second.yaml", where=copied)
    where = (
        "    annotations/900_example.yaml:180:15: evidence-not-found: These words are not in seeds/900_example.txt.\n"
    )
    assert other.stdout == f"No findings in these files; 1 finding in others.\n{where}"
    assert other.returncode == 1
    edit(copied, ANNOTATIONS, "    mode: narrated\n    evidence: In", "    mode: sung\n    evidence: In")
    unreadable = run("check", "annotations/901_second.yaml", where=copied)
    assert unreadable.returncode == 1
    assert " in others. Not everything can be checked until those files can be read.\n" in unreadable.stdout
    assert "invalid-value: " in unreadable.stdout
    assert run("check", "annotations/none.yaml", where=copied).returncode == 2


BAD = {
    "a missing seed": ("seeds/901_second.txt", None, None),
    "a byte changed in a seed": ("seeds/901_second.txt", "wall", "well"),
    "a YAML syntax error": (ANNOTATIONS, "note: A pull quote.", "note: A: pull quote."),
    "an unknown key": (ANNOTATIONS, "    place: northern", "    plaice: Northern"),
    "a wrong value": (ANNOTATIONS, "    hedge: about\n", "    hedge: roughly\n"),
    "a straight apostrophe": (ANNOTATIONS, "It’s quiet", "It's quiet"),
    "a quote that stands twice": (ANNOTATIONS, "      - The lamps are dark,\n", "      - The lamps are dark\n"),
    "a dangling speaker": (ANNOTATIONS, "    speaker: harbour-office\n", "    speaker: harbour-ofice\n"),
    "a duplicate id": (ANNOTATIONS, "  - id: example-w2\n", "  - id: example-w1\n"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_clear_finding_and_dist_is_unchanged(copied: Path, package: Path, name: str) -> None:
    shutil.copytree(package, copied / "dist")
    before = content(copied / "dist")
    file, old, new = BAD[name]
    if old is None or new is None:
        (copied / file).unlink()
    else:
        edit(copied, file, old, new)
    for command in ("build", "check"):
        ran = run(command, where=copied)
        assert ran.returncode == 1, ran.stderr
        assert len(re.findall(r"^\S+:[0-9]+:[0-9]+: [a-z-]+: .", ran.stdout, re.MULTILINE)) == 1, ran.stdout
        assert ran.stderr == "1 finding.\n"
    assert content(copied / "dist") == before


@pytest.mark.parametrize("name", ["example-t2", "example-t5", "example-t9"])
def test_an_unresolved_or_duplicate_id_causes_no_further_findings(copied: Path, name: str) -> None:
    edit(copied, ANNOTATIONS, f"  - id: {name}\n", "  - id: example-t1\n")
    assert json.loads(run("check", "--format", "json", where=copied).stdout)["findings"][0]["code"] == "duplicate-id"
    assert len(json.loads(run("check", "--format", "json", where=copied).stdout)["findings"]) == 1


@pytest.mark.parametrize("speaker", ["bruno-salt", "example-speaker-1", "mira-fenn"])
def test_an_unresolved_speaker_is_one_finding(copied: Path, speaker: str) -> None:
    path = copied / ANNOTATIONS
    head, separator, tail = path.read_text(encoding="utf-8").partition(f"    speaker: {speaker}\n")
    path.write_text(f"{head}{separator.replace(speaker, 'nobody')}{tail}", encoding="utf-8")
    assert [item["code"] for item in json.loads(run("check", "--format", "json", where=copied).stdout)["findings"]] == [
        "unresolved-reference"
    ]


@pytest.mark.parametrize("file", ["annotations", ".", "seeds/900_example.txt", "annotations/900_example.yaml"])
def test_a_folder_and_a_seed_show_their_findings(copied: Path, file: str) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    ran = run("check", file, where=copied)
    assert ran.returncode == 1
    assert ran.stdout.startswith("No findings in these files;") == (file == "seeds/900_example.txt")


@pytest.mark.parametrize("style", ["text", "json", "github"])
def test_findings_in_other_files_are_named_in_every_format(copied: Path, style: str) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    ran = run("check", "seeds/900_example.txt", "--format", style, where=copied)
    assert (ran.returncode, "evidence-not-found: " in (ran.stdout if style == "text" else ran.stderr)) == (1, True)


def test_a_file_that_is_not_checked_is_a_usage_error(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear", encoding="utf-8")
    assert run("check", tmp_path / "letter.txt", where=copied).returncode == 2


def test_build_says_published_then_unchanged_even_in_a_path_with_odd_characters(copied: Path, tmp_path: Path) -> None:
    odd = copied.rename(tmp_path / "a?b [c] #d")
    assert run("build", where=odd).stdout.startswith("dist: published (")
    assert run("build", where=odd).stdout.startswith("dist: unchanged (")


def test_a_folder_that_is_not_a_package_is_refused(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear", encoding="utf-8")
    ran = run("build", "--out", tmp_path / "mine", where=copied)
    assert ran.returncode == 1
    assert "not certain that this project published" in ran.stderr
    assert content(tmp_path / "mine") == {"letter.txt": b"Dear"}


def test_no_project_is_a_usage_error(tmp_path: Path) -> None:
    ran = run("check", where=tmp_path)
    assert ran.returncode == 2
    assert "no dataset.yaml here" in ran.stderr
    assert run("check", "--root", tmp_path / "none").returncode == 2
    ran = run("check", "--root", tmp_path)
    assert (ran.returncode, ran.stderr) == (2, f"{tmp_path} is not a defectors-data project: it has no dataset.yaml.\n")
    assert run("chekc").returncode == 2


def test_schema_check_reports_a_difference_and_schema_removes_it(copied: Path) -> None:
    assert run("schema", "--check", where=copied).returncode == 1
    assert run("schema", where=copied).returncode == 0
    assert run("schema", "--check", where=copied).returncode == 0


def test_schema_leaves_files_alone_that_it_did_not_generate(copied: Path) -> None:
    foreign = [copied / "schema" / name for name in ("mine.json", "tables/mine.json", "other/deep.json")]
    for path in foreign:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    assert run("schema", where=copied).returncode == 0
    assert run("schema", "--check", where=copied).stdout == ""
    assert [path.read_text(encoding="utf-8") for path in foreign] == ["{}", "{}", "{}"]


def test_locate_shows_the_place_of_words_with_yaml_to_paste() -> None:
    ran = run("locate", "900_example", "two inns", where=INVENTED)
    assert ran.returncode == 0
    assert "seeds/900_example.txt:8:153: " in ran.stdout
    assert "sleep in [two inns]." in ran.stdout
    assert ran.stdout.endswith('evidence: "two inns"\n')
    twice = run("locate", "seeds/900_example.txt", "The lamps are dark", where=INVENTED).stdout
    assert twice.count("evidence: {text:") == 2
    assert twice.count(" prefix: ") == 2
    assert "occurrence:" not in twice


def test_locate_shows_the_nearest_words() -> None:
    ran = run("locate", "900_example.txt", "It's quiet tonight", where=INVENTED)
    assert ran.returncode == 1
    assert ran.stdout.endswith('evidence: "It’s quiet tonight"\n')
    assert "U+2019" in ran.stdout
    assert run("locate", "900_example", "xyzzy plugh", where=INVENTED).returncode == 1
    assert run("locate", "900_example", "", where=INVENTED).returncode == 1
    assert run("locate", "nine", "x", where=INVENTED).returncode == 2


def test_number_shows_the_reading_and_what_is_a_guess() -> None:
    ran = run("number", "some 3.4 million people saw a film about two dancers on May 3", where=INVENTED)
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        "3.4 million: value 3400000, hedge about, unit person",
        "two: value 2, hedge exact (a guess: or about), unit person (a guess)",
        "May 3: date, not a quantity",
    ]
    [found] = json.loads(run("number", "up to 7 lamps", "--format", "json", where=INVENTED).stdout)
    expected = {"value": 7, "low": None, "high": 7, "hedge": "up_to", "unit": None, "likely_unit": "item"}
    others = {"other_hedge": None, "other_scale": None, "other_unit": None, "polarity": "affirmed"}
    assert found == {"words": "7", "kind": "quantity", **expected, **others}
    assert run("number", "several", where=INVENTED).returncode == 1


@pytest.mark.parametrize("command", ["build", "check", "schema", "locate", "todo", "draft", "zip", "takedown"])
def test_help_shows_an_example(command: str) -> None:
    ran = run(command, "--help")
    assert ran.returncode == 0
    assert f"Example: defectors-data {command}" in " ".join(ran.stdout.split())


def test_the_help_fits_80_columns_and_no_summary_is_cut() -> None:
    said = process("--help", COLUMNS="80").stdout
    assert max(map(len, said.splitlines())) <= 80
    assert "..." not in said.partition("Commands for a corpus:")[2]


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_a_short_option_for_help_and_no_line_that_is_too_long(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    short = run(command, "-h")
    assert short.returncode == 0
    assert short.stdout == run(command, "--help").stdout
    assert max(map(len, short.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (["-q", "check", "--no-cache"], ["check", "-q", "--no-cache"]),
        (["--verbose", "check", "--no-cache"], ["check", "-v", "--no-cache"]),
        (["--format", "json", "check", "--no-cache"], ["check", "--format", "json", "--no-cache"]),
        (["--format=json", "-q", "todo"], ["todo", "--quiet", "--format=json"]),
    ],
)
def test_options_may_be_typed_before_the_command_or_after_it(first: list[str], later: list[str]) -> None:
    ran = run(*first, where=INVENTED)
    assert (ran.returncode, ran) == (0, run(*later, where=INVENTED))
    assert run("--root", INVENTED, *first) == run(*later, "--root", INVENTED)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "--format", "xml"], "Invalid value for '--format': 'xml' is not one of 'text', 'json', 'github'."),
        (["takedown", "x", "--reason", "no"], "Invalid value for '--reason': 'no' is not one of 'person', 'safety', "),
        (["build", "--jobs", "0"], "Invalid value for '--jobs': it should be greater than or equal to 1\n"),
        (["build", "--jobs", "9" * 30], "Invalid value for '--jobs': it should be less than or equal to 1000\n"),
        (["annotate", "x", "--port", "65536"], "'--port': it should be less than or equal to 65535\n"),
        (["annotate", "x", "--port", "-1"], "'--port': it should be greater than or equal to 0\n"),
        (["shard", "out", "--size", "9" * 30], "'--size': it should be less than or equal to 1000000\n"),
        (["build", "--jobs", "two"], "Invalid value for '--jobs': it should be a valid integer\n"),
        (
            ["takedown", "x", "--reason", "law", "--date", "2.1.2020"],
            "Expected a date such as 2026-01-31, not 2.1.2020.",
        ),
    ],
)
def test_a_wrong_value_is_named_without_the_words_of_a_library(words: list[str], said: str) -> None:
    ran = run(*words, where=INVENTED)
    assert (ran.returncode, said in ran.stderr, "Value error" in ran.stderr) == (2, True, False), ran.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["chekc"], "'check'"),
        (["todo", "900_exmple"], "`900_example`"),
        (["locate", "90_example", "x"], "`900_example`"),
        (["draft", "seeds/900_exampel.txt"], "`900_example`"),
        (["takedown", "bruno-slat", "--reason", "person"], "`bruno-salt`"),
        (["takedown", "example-t22", "--reason", "law", "--dry-run"], "`example-t2`"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest_one(copied: Path, words: list[str], meant: str) -> None:
    before = content(copied)
    ran = run(*words, where=copied)
    assert (ran.returncode, ran.stdout) in {(1, ""), (2, "")}
    assert f"Did you mean {meant}?" in ran.stderr
    assert content(copied) == before


def test_a_folder_with_the_name_of_a_seed_is_called_a_folder(copied: Path) -> None:
    (copied / "seeds/903_folder.txt").mkdir()
    ran = run("draft", "903_folder", where=copied)
    assert (ran.returncode, ran.stderr) == (2, "seeds/903_folder.txt is a folder, and a seed is a file.\n")


def test_why_suggests_tables_columns_and_rows(package: Path) -> None:
    for cell, meant in {
        "figrues/x": "figures",
        "figures/example-f33": "example-f3",
        "figures/example-f3/hihg": "high",
    }.items():
        ran = run("why", cell, "--package", package)
        assert (ran.returncode, f"Did you mean `{meant}`?" in ran.stderr) == (1, True), ran.stderr
    ran = run("why", "figures/example-f3", "--package", package / "data")
    assert (ran.returncode, " is not a published package" in ran.stderr) == (2, True)


def test_a_command_is_imported_only_when_it_is_called() -> None:
    code = (
        "import sys; sys.argv = ['defectors-data', 'number', 'two']\n"
        "from defectors_data.cli import main\n"
        "assert main() == 0\n"
        "print([name for name in sys.modules if name.endswith('_commands')])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = ran.stdout.splitlines()[-1]
    assert "annotator_commands" in imported
    assert "reader_commands" not in imported
    assert "release_commands" not in imported


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_has_the_first_line_of_each_docstring(command: CommandEntry) -> None:
    module, function = command.function.split(":")
    documented = getattr(import_module(f"defectors_data.cli.{module}"), function).__doc__
    summary = str(documented).partition("\n\n")[0]
    assert " ".join(summary.split()) == command.summary
    assert command.example.startswith(command.name)


def test_the_first_help_lists_at_most_fourteen_commands_and_all_lists_every_one() -> None:
    first, everything = run("--help").stdout, run("--all").stdout
    listed = [command.name for command in COMMANDS if f"\n  {command.name} " in first]
    assert listed == [command.name for command in COMMANDS if command.first == "yes"]
    assert len(listed) <= 14
    assert [command.name for command in COMMANDS if f"\n  {command.name} " not in everything] == []


def bug(error: Exception, *words: str) -> Ran:
    """Run a command that meets a bug."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "read_context", Mock(side_effect=error))
        return run(*words, where=INVENTED)


@pytest.mark.parametrize("error", [RuntimeError("secret"), ModuleNotFoundError("secret", name="defectors_data.x")])
def test_a_bug_of_this_program_is_one_line_that_says_where_to_report_it(error: Exception) -> None:
    ran = bug(error, "check")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (70, "", 1)
    assert ran.stderr.startswith("This is a bug in defectors-data: ")
    assert "--debug" in ran.stderr
    assert "an issue in the project's repository" in ran.stderr
    assert not [word for word in ("secret", "Error", "Traceback", "boom") if word in ran.stderr]


@pytest.mark.parametrize("words", [("--debug", "check"), ("check", "--debug"), ("check", "--rules", "--debug")])
def test_debug_shows_the_traceback_of_a_bug(words: tuple[str, ...]) -> None:
    ran = bug(RuntimeError("secret"), *words)
    assert ran.returncode == 70
    assert ran.stderr.startswith("Traceback (most recent call last):\n")
    assert "\nRuntimeError: secret\nThis is a bug in defectors-data: " in ran.stderr


def test_a_library_that_cannot_be_loaded_is_named_with_the_limits_that_may_be_too_low() -> None:
    ran = bug(ImportError("failed to map segment"), "check")
    said = "A library could not be loaded (failed to map segment). The limit on memory or open files may be too low.\n"
    assert ran == Ran(70, "", said)


def test_debug_has_no_effect_without_a_bug_or_after_two_hyphens() -> None:
    plain = run("check", "--no-cache", where=INVENTED)
    assert run("check", "--no-cache", "--debug", where=INVENTED) == plain
    ran = run("locate", "900_example", "--", "--debug", where=INVENTED)
    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.parametrize(
    "limit",
    spread(["-v 512000", "-n 8", "-n 12", "-n 16", "-v 160000", "-v 200000", "-v 2000000"], 7, pytest.mark.deep),
)
def test_few_resources_are_one_sentence_and_leave_the_old_release(copied: Path, limit: str) -> None:
    (copied / "dist").mkdir()
    before = content(copied)
    command = ["sh", "-c", f'ulimit {limit}; exec "$0" -m defectors_data build', sys.executable]
    ran = subprocess.run(command, cwd=copied, capture_output=True, text=True, check=False)
    assert (ran.returncode in {3, 70}, ran.stdout, ran.stderr.count("\n")) == (True, "", 1), ran.stderr
    assert "report" not in ran.stderr
    assert content(copied) == before


@pytest.mark.deep
def test_an_error_of_a_library_that_lacks_memory_is_no_bug(package: Path) -> None:
    command = ["sh", "-c", 'ulimit -v 300000; exec "$0" -m defectors_data "$@"', sys.executable]
    asked = ["why", "figures/example-f1", "--package", str(package)]
    ran = subprocess.run([*command, *asked], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (70, "")
    assert ran.stderr.startswith(("The limit on memory is too low: ", "There is too little memory"))


def test_a_crash_of_a_library_is_reported_in_one_line() -> None:
    code = (
        "import sys, defectors_data.corpus.reader as r\n"
        "class PanicException(BaseException): pass\n"
        "def boom(tree): raise PanicException('secret')\n"
        "r.read_context = boom\n"
        "sys.argv = ['defectors-data', 'check']\n"
        "from defectors_data.__main__ import main; main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=INVENTED, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr.count("\n")) == (70, 1)
    assert ran.stderr.startswith("This is a bug in defectors-data: ")
    assert "secret" not in ran.stderr


@pytest.mark.parametrize("style", ["text", "bibtex", "ris", "csl"])
def test_cite_prints_what_the_library_returns(style: Any) -> None:
    figure = defectors_data.load("figures")["figure_id"].iloc[0]
    for record in (f"figures/{figure}", None):
        ran = run("cite", *([record] if record else []), "--format", style, where=PROJECT)
        assert ran == Ran(0, defectors_data.cite(record, format=style).rstrip("\n") + "\n", "")


def test_cite_of_no_record_suggests_another() -> None:
    figure = defectors_data.load("figures")["figure_id"].iloc[0]
    ran = run("cite", f"figures/{figure}x", where=PROJECT)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"Did you mean `{figure}`?" in ran.stderr
