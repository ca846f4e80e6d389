"""`make stamp` and `verify` with a time stamp, tried with an authority of openssl on this machine alone."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from calling import run
from conftest import PROJECT

pytestmark = pytest.mark.deep

SETTINGS = """
[ca]
basicConstraints = critical, CA:TRUE
[tsa]
extendedKeyUsage = critical, timeStamping
[tsa_config]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = ca.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of an authority, and its certificate."""
    folder = tmp_path_factory.mktemp("authority")
    (folder / "settings").write_text(SETTINGS, encoding="utf-8")
    (folder / "serial").write_text("01\n", encoding="utf-8")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    new = ["req", "-newkey", "rsa:2048", "-nodes", "-keyout"]
    openssl(*new, "ca.key", "-x509", "-subj", "/CN=Invented authority", "-out", "ca.pem", "-days", "9")
    openssl(*new, "tsa.key", "-subj", "/CN=Invented stamps", "-out", "tsa.csr")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-extfile", "settings", "-extensions", "tsa", "-days", "9"]
    openssl("x509", "-req", "-in", "tsa.csr", "-CAcreateserial", *signed, "-out", "tsa.pem")

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            (folder / "query").write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
            made = ["-config", "settings", "-section", "tsa_config", "-queryfile", "query", "-out", "reply"]
            openssl("ts", "-reply", *made)
            self.send_response(200)
            self.end_headers()
            self.wfile.write((folder / "reply").read_bytes())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", folder / "ca.pem"
    server.shutdown()
    thread.join()
    server.server_close()


def make_stamp(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-f", str(PROJECT / "Makefile"), "stamp", *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_the_checksums_are_stamped_and_the_stamp_is_verified(
    published: Path, tmp_path: Path, authority: tuple[str, Path]
) -> None:
    project = Path(shutil.copytree(published, tmp_path / "project"))
    address, certificate = authority
    refused = make_stamp(project)
    assert (refused.returncode, "Name an authority" in refused.stderr) == (2, True)
    made = make_stamp(project, f"STAMP_URL={address}")
    assert made.returncode == 0, made.stderr
    assert "Status: Granted" in made.stdout
    [stamp] = (project / "stamps").iterdir()
    given = ("verify", "--stamp-ca", str(certificate))
    assert run(*given, where=project).stdout.splitlines()[-1] == f"Time stamp: stamps/{stamp.name}, valid."
    assert run("verify", where=project).stdout.splitlines()[-1].endswith("not checked without --stamp-ca.")
    assert run("build", where=project).returncode == 0
    assert run(*given, where=project).returncode == 0, "a build that changes nothing keeps the stamp"

    other = Path(shutil.copy(PROJECT / "dist/LICENSE", tmp_path / "other.tsr")).read_bytes()
    before = stamp.read_bytes()
    stamp.write_bytes(other)
    assert run(*given, where=project).returncode == 1
    stamp.write_bytes(before)
    changed = project / "annotations/900_example.yaml"
    text = changed.read_text(encoding="utf-8").replace("    place: northern_isles", "    place: port_example")
    changed.write_text(text, encoding="utf-8")
    assert run("build", where=project).returncode == 0
    ran = run(*given, where=project)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (
        0,
        "No time stamp: no file in stamps belongs to these checksums.",
    )
