"""What is plainly a descriptor is one to frictionless too, and means the same."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import PROJECT
from defectors_data.columnar import describing, ordinary, tallying

ODD: list[Any] = [None, True, 0, -1, 1.5, "", "x", "2019-02-30", "0x1F", "(", [], ["x"], {}, {"x": 1}]
GONE = object()


def places_in(value: Any, *before: str | int) -> Iterator[tuple[str | int, ...]]:
    """Give where everything within an object or a list stands."""
    pairs: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, held in pairs:
        yield (*before, name)
        yield from places_in(held, *before, name)


def an_ordinary_descriptor() -> dict[str, Any]:
    """Return a descriptor of two tables, a Parquet and a text, with every property that is known."""
    descriptor: dict[str, Any] = json.loads((PROJECT / "dist" / "datapackage.json").read_bytes())
    kept = {"sources", "figures", "figures-parquet", "codebook"}
    descriptor["resources"] = [resource for resource in descriptor["resources"] if resource["name"] in kept]
    for resource in descriptor["resources"]:
        if resource["name"] == "figures":
            keys = resource["schema"]["foreignKeys"]
            resource["schema"]["foreignKeys"] = [key for key in keys if key["reference"]["resource"] == "sources"]
            resource["path"] = [resource["path"], "data/speakers.csv"]
    return descriptor


def changed(descriptor: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the descriptor with each of its values in turn replaced by something odd, or gone."""
    for *before, last in places_in(descriptor):
        for odd in [*ODD, GONE]:
            other = copy.deepcopy(descriptor)
            within: Any = other
            for step in before:
                within = within[step]
            if odd is GONE:
                del within[last]
            else:
                within[last] = odd
            yield other


def meant(resources: Iterator[describing.Described]) -> list[Any]:
    """Return what can be compared of what a descriptor was taken for."""
    told = []
    for resource in resources:
        table = resource.table
        columns = [(j.name, j.type, j.field.format, j.limits) for j in table.judges] if table else None
        keys = (table.primary, table.unique, table.foreign, table.layout.names, table.layout.missing) if table else None
        told.append((resource.name, resource.file, resource.paths, columns, keys))
    return told


def is_alike(descriptor: dict[str, Any]) -> bool:
    tally = tallying.Tally("")
    theirs = meant(describing.asked(descriptor, PROJECT, tally))
    return (meant(describing.ordinary(descriptor, PROJECT)), []) == (theirs, list(tally.faults()))


def is_ordinary(descriptor: dict[str, Any]) -> bool:
    return not list(describing.unsafe(descriptor, PROJECT)) and ordinary.is_ordinary(descriptor)


def disagreements(every: int) -> tuple[int, list[dict[str, Any]]]:
    """Return how many changed descriptors are ordinary, and those of them that frictionless takes otherwise."""
    taken = [descriptor for descriptor in changed(an_ordinary_descriptor()) if is_ordinary(descriptor)]
    return len(taken), [descriptor for descriptor in taken[::every] if not is_alike(descriptor)]


def test_a_descriptor_that_is_plainly_valid_means_to_frictionless_what_it_says() -> None:
    descriptor = an_ordinary_descriptor()
    assert is_ordinary(descriptor)
    assert is_alike(descriptor)
    number, unlike = disagreements(every=40)
    assert number > 300
    assert unlike == []


@pytest.mark.deep
def test_many_descriptors_that_are_plainly_valid_mean_to_frictionless_what_they_say() -> None:
    assert disagreements(every=8)[1] == []


@pytest.mark.sweep
def test_all_descriptors_that_are_plainly_valid_mean_to_frictionless_what_they_say() -> None:
    assert disagreements(every=1)[1] == []


def test_a_sound_package_is_checked_without_frictionless_and_pandas(package: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(package, tmp_path / "p"))
    descriptor = json.loads((folder / "datapackage.json").read_bytes())
    descriptor["resources"] = [resource for resource in descriptor["resources"] if resource["format"] != "json"]
    (folder / "datapackage.json").write_text(json.dumps(descriptor))
    code = (
        "import sys; sys.argv[0] = 'defectors-data'\n"
        "from defectors_data.cli import main\n"
        "code = main()\n"
        "assert code == 0, code\n"
        "print([name for name in ('frictionless', 'pandas') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, "verify", "--fast", str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1:] == ["[]"]
