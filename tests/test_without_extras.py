"""The commands for readers, in an installation without the extra `build`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from conftest import PROJECT

CODE = """
import contextlib, io, json, sys
sys.modules.update(dict.fromkeys({hidden}))
from defectors_data.__main__ import main
ended = []
for command in {commands}:
    sys.argv[1:] = command
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            ended.append([end.code or 0, said.getvalue()])
print(json.dumps(ended))
"""


def extra_modules() -> list[str]:
    """Return the modules of the extra `build`."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["optional-dependencies"]["build"]
    names = {re.split(r"[^\w-]", line)[0] for line in lines}
    extras = names - {"numpy", "pyarrow"}  # pandas needs numpy, and readers need pyarrow
    distributions = packages_distributions()
    modules = [name for name, of in distributions.items() if extras & {each.lower() for each in of}]
    assert len(modules) >= len(extras)
    return modules


def test_readers_need_no_extra(package: Path, tmp_path: Path) -> None:
    """All in one process, which finds no module of the extra `build`."""
    (tmp_path / "draft.txt").write_text("“The moon fell on the wall of the harbour.”", encoding="utf-8")
    of_package = ["--package", str(package)]
    expected = [
        (["why", "figures/example-f3/value", *of_package], 0, "figures/example-f3/value: 2"),
        (["cite", "figures/example-f3", "--format", "bibtex", *of_package], 0, "@misc{invented-data-1.2.3-example-f3,"),
        (["why", "figures/example-f333", *of_package], 1, "Did you mean `example-f3"),
        (["quotecheck", "draft.txt", *of_package], 1, "draft.txt:1: not found:"),
        (["verify", str(package)], 0, "Checked: "),
        (["check"], 2, "Commands other than why, cite, verify, quotecheck need typer: install the extra `build`."),
    ]
    commands = [arguments for arguments, _, _ in expected]
    program = CODE.format(hidden=extra_modules(), commands=commands)
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    for (code, said), (arguments, ends, shown) in zip(json.loads(ran.stdout), expected, strict=True):
        assert (code, shown in said) == (ends, True), (arguments, said)
