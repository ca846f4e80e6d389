"""Generate the block of docs/developers/architecture.md with the layers."""

from __future__ import annotations

import ast
from pathlib import Path

from defectors_data.documents.markdown import markdown

SOURCE = Path(__file__).parents[2] / "src" / "defectors_data"


def layers() -> str:
    """Return the folders and modules in layers, read from their imports, and the job of each from its docstring."""
    imports = _imports()
    height: dict[str, int] = {}
    while len(height) < len(imports):
        for name, others in imports.items():
            if name not in height and others <= height.keys():
                height[name] = max((height[other] + 1 for other in others), default=0)
    lines, jobs = list[str](), list[tuple[str, str]]()
    for level in sorted(set(height.values()), reverse=True):
        names = sorted(name for name, found in height.items() if found == level)
        lines.append("   ".join(names))
        jobs += [_job(name) for name in names]
    picture = "\n".join(["```text", *lines, "```"])
    return f"{picture}\n\n{markdown(['folder or module', 'job'], jobs)}"


def _job(name: str) -> tuple[str, str]:
    """Return the path of a folder or module, and the first paragraph of its docstring."""
    path, label = SOURCE / f"{name}.py", f"`{name}.py`"
    if not path.exists():
        path, label = SOURCE / name / "__init__.py", f"`{name}/`"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return label, " ".join(docstring.partition("\n\n")[0].split())


def _imports() -> dict[str, set[str]]:
    """Return which other folders and modules each folder or module of the package imports."""
    names = {_part(path) for path in SOURCE.rglob("*.py")} - {"__init__", "__main__"}
    found: dict[str, set[str]] = {name: set() for name in names}
    for path in SOURCE.rglob("*.py"):
        part = _part(path)
        if part in names:
            found[part] |= (_imported(path) & names) - {part}
    return found


def _part(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def _imported(path: Path) -> set[str]:
    """Return the folders and modules that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("defectors_data"):
            below = str(node.module).split(".")[1:]
            found |= {below[0]} if below else {alias.name for alias in node.names}
    return found
