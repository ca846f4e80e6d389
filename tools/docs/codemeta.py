"""Write `codemeta.json` (CodeMeta 3.0), which describes the program, from `pyproject.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from defectors_data.models.schemas import encoded

PROJECT = Path(__file__).parents[2]


def codemeta() -> str:
    """Return `codemeta.json`."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    described = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "description": project["description"],
        "version": project["version"],
        "license": f"https://spdx.org/licenses/{project['license']}",
        "author": [{"@type": "Organization", "name": author["name"]} for author in project["authors"]],
        "keywords": project["keywords"],
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": project["dependencies"],
        "readme": project["readme"],
    }
    return encoded(described).decode()
