"""A server of Label Studio accepts the exported project, and what it exports comes back, corrected."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from calling import run
from conftest import INVENTED, PROJECT
from defectors_data.readers import exports

pytestmark = pytest.mark.deep

SERVER = PROJECT / "build/readers/bin/label-studio"
TOKEN = "0" * 40
PORT = 28137


def ask(path: str, content: object = None, method: str = "GET") -> Any:
    """Return the answer of the server to a request; an error ends the test."""
    headers = {"Authorization": f"Token {TOKEN}", "Content-Type": "application/json"}
    data = None if content is None else json.dumps(content).encode()
    request = Request(f"http://127.0.0.1:{PORT}/api/{path}", data, headers, method=method)  # this machine
    with urlopen(request) as answer:  # noqa: S310
        return json.load(answer)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    settings = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(tmp_path_factory.mktemp("label-studio")),
        "LABEL_STUDIO_USERNAME": "someone@example.org",
        "LABEL_STUDIO_PASSWORD": "invented",
        "LABEL_STUDIO_USER_TOKEN": TOKEN,
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "PYTHONUNBUFFERED": "1",
    }
    environment = {**{key: value for key, value in os.environ.items() if key != "PYTHONPATH"}, **settings}
    command = [str(SERVER), *f"start --no-browser --internal-host 127.0.0.1 --port {PORT}".split()]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        assert process.stdout
        try:
            assert any("Quit the server" in line for line in process.stdout)
            yield
        finally:
            os.killpg(process.pid, 15)


@pytest.mark.usefixtures("server")
def test_a_project_that_was_corrected_on_a_server_comes_back(package: Path, copied: Path, tmp_path: Path) -> None:
    exports.export(package, "label-studio", tmp_path / "out", seeds=INVENTED / "seeds")
    config = (tmp_path / "out/config.xml").read_text(encoding="utf-8")
    project = ask("projects", {"title": "invented", "label_config": config}, "POST")["id"]
    tasks = json.loads((tmp_path / "out/tasks.json").read_text(encoding="utf-8"))
    imported = ask(f"projects/{project}/import", tasks, "POST")
    assert (imported["task_count"], imported["annotation_count"]) == (len(tasks), len(tasks))

    def back(kind: str) -> str:
        file = tmp_path / f"{kind}.json"
        file.write_text(json.dumps(ask(f"projects/{project}/export?exportType={kind}")), encoding="utf-8")
        ran = run("import", "label-studio", file, where=copied)
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    for kind in ("JSON", "JSON_MIN"):
        assert "Nothing was written." in back(kind)
    for task in ask(f"tasks?project={project}&fields=all")["tasks"]:
        [annotation] = task["annotations"]
        for result in annotation["result"]:
            if result.get("id") == "example-t9.1" and result["from_name"] == "testimonies.themes":
                result["value"]["choices"] = ["escape", "weather"]
        ask(f"annotations/{annotation['id']}", {"result": annotation["result"]}, "PATCH")
    assert "Changed: example-t9 (themes)." in back("JSON")
