"""Colour and progress are for terminals alone, and --quiet and --verbose are heard."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from calling import COMMAND, process, run
from conftest import INVENTED, PROJECT, edit
from defectors_data.cli import output, progress
from defectors_data.cli.output import Format

ESCAPE = "\x1b["
PLAIN = {"PATH": os.environ["PATH"], "TERM": "xterm", "PYTHONPATH": str(PROJECT / "src")}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def on_a_terminal(*arguments: str, where: Path, **settings: str) -> str:
    """Run the command line with a terminal for its output, and return what the terminal got."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, *arguments]
    started = subprocess.Popen(command, cwd=where, env=PLAIN | settings, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    while chunk := _read(ours):
        said += chunk
    os.close(ours)
    started.wait()
    return said.decode()


def _read(terminal_end: int) -> bytes:
    try:
        return os.read(terminal_end, 4096)
    except OSError:  # how Linux tells that the other end is closed
        return b""


@pytest.fixture
def faulty(copied: Path) -> Path:
    edit(copied, "annotations/900_example.yaml", "evidence: two inns", "evidence: two ins")
    return copied


def test_findings_are_coloured_on_a_terminal_alone(faulty: Path) -> None:
    shown = on_a_terminal("check", where=faulty)
    assert "\x1b[1mannotations/900_example.yaml:180:15:\x1b[0m \x1b[31mevidence-not-found\x1b[0m:" in shown
    piped = process("check", where=faulty, **PLAIN)
    assert ESCAPE not in piped.stdout + piped.stderr
    assert piped.stdout.splitlines()[0] in re.sub(r"\x1b\[[0-9]*m", "", shown)


def test_with_no_color_output_has_no_colours(faulty: Path) -> None:
    assert ESCAPE not in on_a_terminal("check", where=faulty, NO_COLOR="1")


def test_json_is_never_coloured(faulty: Path) -> None:
    assert ESCAPE not in on_a_terminal("check", "--format", "json", where=faulty)


def test_an_empty_no_color_has_no_effect() -> None:
    assert progress.takes_colour(Terminal(), {"NO_COLOR": ""})
    assert not progress.takes_colour(Terminal(), {"NO_COLOR": "0"})
    assert not progress.takes_colour(Terminal(), {"TERM": "dumb"})
    assert not progress.takes_colour(io.StringIO(), {})
    assert not progress.takes_colour(None, {})


def test_words_in_a_finding_are_left_as_they_are() -> None:
    finding = "a.yaml:1:2: some-code: words: 3:4: other-code: words\n    help: 1:2: that: stays"
    colours = progress.coloured(finding)
    assert colours == (
        "\x1b[1ma.yaml:1:2:\x1b[0m \x1b[31msome-code\x1b[0m: words: 3:4: other-code: words\n    help: 1:2: that: stays"
    )


def test_quiet_prints_only_findings_and_results(faulty: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "dist")
    assert run("--quiet", "check", "--no-cache", where=INVENTED).stdout == ""
    assert run("-q", "build", "--out", out, where=INVENTED).stdout == ""
    assert (tmp_path / "dist/datapackage.json").is_file()
    said = run("-v", "check", where=faulty).stdout
    assert run("--quiet", "check", where=faulty).stdout == said[: said.index("Checked: ")]
    cell = ["why", "figures/example-f3/value", "--package", out]
    asked = run("--quiet", *cell, where=INVENTED)
    assert asked.stdout == run(*cell, where=INVENTED).stdout != ""


def test_verbose_prints_every_step_to_standard_error(tmp_path: Path) -> None:
    ran = run("--verbose", "build", "--out", tmp_path / "dist", where=INVENTED)
    assert ran.returncode == 0
    first, *_, last = ran.stderr.splitlines()
    assert (first, last) == ("Reading and checking ...", "2 sources are processed; finishing ...")
    assert "published" in ran.stdout


def test_progress_is_shown_on_a_terminal_once_patience_ends() -> None:
    stream = Terminal()
    with progress.ProgressDisplay(stream, {}, after=0) as step:
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):
                thread.join()
        step("Working")
    assert "Working" in stream.getvalue()


@pytest.mark.parametrize(
    ("stream", "settings", "quiet", "after"),
    [
        (Terminal(), {}, False, 3600),
        (Terminal(), {}, True, 0),
        (io.StringIO(), {}, False, 0),
        (Terminal(), {"NO_COLOR": "1"}, False, 0),
        (Terminal(), {"CI": "true"}, False, 0),
        (Terminal(), {"TERM": "dumb"}, False, 0),
    ],
    ids="early quiet file NO_COLOR CI dumb".split(),
)
def test_progress_is_shown_only_where_it_helps(
    stream: io.StringIO, settings: dict[str, str], quiet: bool, after: float
) -> None:
    with progress.ProgressDisplay(stream, settings, quiet=quiet, after=after) as step:
        step("Working")
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("style", "shown"), [("text", True), ("json", False), ("github", False)])
def test_progress_is_shown_for_text_only(style: Format, shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    for name in ("NO_COLOR", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(output.Verbosity, "quiet", False)
    monkeypatch.setattr(output.Verbosity, "verbose", False)
    with output.steps(style):
        assert any(isinstance(thread, threading.Timer) for thread in threading.enumerate()) == shown


def test_a_lost_terminal_does_not_change_the_result() -> None:
    class Gone(Terminal):
        def write(self, _: str) -> int:
            raise OSError("gone")

    with progress.ProgressDisplay(Gone(), {}, after=3600) as step:
        step("Working")


def test_the_version_is_printed() -> None:
    ran = run("--version", where=Path("/"))
    assert re.fullmatch(r"defectors-data [0-9]+\.[0-9]+\.[0-9]+\n", ran.stdout)


@pytest.mark.parametrize(
    ("words", "place", "completed"),
    [("defectors-data lo", 1, "locate"), ("defectors-data todo 900", 2, "900_example")],
)
def test_a_shell_completes_commands_and_seeds(words: str, place: int, completed: str) -> None:
    command = Path(sys.executable).with_name("defectors-data")
    asked = {"_DEFECTORS_DATA_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place)}
    ran = subprocess.run([command], cwd=INVENTED, env=PLAIN | asked, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == [completed]
