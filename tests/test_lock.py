"""The lock pins everything with hashes, and the repository names no address to install from."""

from __future__ import annotations

import re
import tomllib

from conftest import PROJECT

LOCK = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
BUILD = (PROJECT / "requirements-build.lock").read_text(encoding="utf-8")
SECOND = (PROJECT / "tests/second-pyarrow.lock").read_text(encoding="utf-8")
FILES = (
    "tests/fuzz/requirements.lock",
    "tools/docs/site.lock",
    "tools/benchmarks/peers.lock",
    "tests/objects.lock",
)
OTHERS = [(PROJECT / file).read_text(encoding="utf-8") for file in FILES]
VALIDATORS = (PROJECT / "tests/validators.lock").read_text(encoding="utf-8")
WANTED = (
    "edtf",
    "filelock",
    "frictionless",
    "hatchling",
    "jinja2",
    "pandas",
    "pyarrow",
    "pydantic",
    "pyyaml",
    "rapidfuzz",
    "typer",
)


def test_every_pin_has_hashes() -> None:
    pins = [*entries(LOCK), *entries(BUILD)]
    assert len(pins) > 100
    assert all(re.match(r"[a-z0-9._-]+==\S+", pin) and "--hash=sha256:" in pin for pin in pins)


def entries(lock: str) -> list[str]:
    return re.split(r"\n(?=\S)", lock.strip())


def test_a_build_is_locked_to_the_same_packages_and_fewer_of_them() -> None:
    for_build = entries(BUILD)
    assert set(for_build) < set(entries(LOCK))
    assert len(for_build) < len(entries(LOCK)) * 0.6
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["build"]]
    names = {re.split("[>=]", line)[0] for line in [*wanted, *project["dependency-groups"]["install"]]}
    assert names <= {entry.partition("==")[0] for entry in for_build}


def test_the_lock_names_no_address() -> None:
    locks = "".join([LOCK, BUILD, SECOND, VALIDATORS, *OTHERS])
    assert not re.search(r"https?:|file:|--index|--extra-index|--find-links|^-", locks, re.MULTILINE)


def test_parquet_files_are_readable_by_another_major_version_of_pyarrow() -> None:
    [locked] = re.findall(r"^pyarrow==(\d+)\.", LOCK, re.MULTILINE)
    [second] = re.findall(r"^pyarrow==(\d+)\.", SECOND, re.MULTILINE)
    assert f'"pyarrow=={locked}.' in (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    assert locked != second
    assert SECOND.count("--hash=sha256:") > 10


def test_the_validators_are_pinned() -> None:
    pinned = [re.search(rf"^{name}==", VALIDATORS, re.MULTILINE) for name in ("datasets", "mlcroissant", "rocrate")]
    assert all(pinned)
    assert all("--hash=sha256:" in entry for entry in re.split(r"\n(?=\S)", VALIDATORS.strip()))


def test_everything_that_is_needed_is_pinned_the_build_backend_included() -> None:
    assert all(re.search(rf"^{name}==", LOCK, re.MULTILINE) for name in WANTED)


def test_no_file_of_the_project_names_a_package_host() -> None:
    pattern = re.compile("|".join(["pypi" + r"\.", "python" + "hosted", "npm" + "js", "--extra-index" + "-url"]))
    folders = ("src", "tests", "docs", "annotations", "schema", ".ci", ".github", "tools")
    pages = [path for folder in folders for path in (PROJECT / folder).rglob("*") if path.is_file()]
    pages += [path for path in PROJECT.iterdir() if path.is_file()]
    texts = {path: path.read_bytes().decode("utf-8", errors="replace") for path in pages if path.suffix != ".pyc"}
    assert len(texts) > 50
    assert [path for path, text in texts.items() if pattern.search(text)] == []
