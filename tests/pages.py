"""Pages in a browser: the browser, the page for annotators on its server, and what tests press and look for."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import axe_playwright_python
import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.testclient import TestClient

from calling import COMMAND
from conftest import INVENTED, PROJECT
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import Server, application
from test_terminal import PLAIN

TOKEN = "0" * 32
HOST = "http://127.0.0.1:8000"
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
ARTICLE = PROJECT / "tests/guide/903_ferry.txt"
IDS = "cards => cards.map((card) => card.dataset.id)"
# In one step, since the page replaces its cards when a file has changed.
IN_VIEW = """() => [...document.querySelectorAll('.row .record.draft')].filter((card) => {
    const { top, bottom } = card.getBoundingClientRect();
    const [bar, dock] = ['header', '#dock'].map((each) => document.querySelector(each).getBoundingClientRect());
    return top >= bar.bottom && bottom <= dock.top;
}).map((card) => card.dataset.id)"""
expect.set_options(timeout=30_000)  # milliseconds; a busy machine answers later

Served = Callable[..., Page]


@pytest.fixture
def client(copied: Path) -> TestClient:
    """Return a client of the page for annotators, without a browser."""
    return TestClient(application(EditedProject(copied), token=TOKEN), base_url=HOST, follow_redirects=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: `make test-browser` installs Debian's package, and could not.")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def here(root: Path, stem: str) -> Iterator[str]:
    """Serve a page as the command does, but in a thread: to start a process takes longer than most tests."""
    stopping, started = asyncio.Event(), threading.Event()
    app = application(EditedProject(root), token=TOKEN, stopping=stopping)
    config = uvicorn.Config(app, port=0, log_level="error", access_log=False, lifespan="off")
    server = Server(config, stopping, started.set)
    with closing(config.bind_socket()) as opened:
        thread = threading.Thread(target=server.run, args=[[opened]])
        thread.start()
        assert started.wait(timeout=600)
        yield f"http://127.0.0.1:{opened.getsockname()[1]}/{TOKEN}/article/{stem}"
        server.should_exit = True
        thread.join(timeout=600)


@contextmanager
def by_command(root: Path, stem: str, *options: str) -> Iterator[str]:
    """Serve a page by the command with some options, which ends as a signal ends it."""
    command = [*COMMAND, "annotate", stem, *options, "--root", str(root)]
    settings = {**PLAIN, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[0]
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        assert process.wait(timeout=600) == 130


@pytest.fixture
def served(browser: Browser) -> Iterator[Served]:
    """Opens the page of an article; requests to any other server fail the test, and so do errors in the script."""
    wrong = list[str]()
    with ExitStack() as stack:

        def opens(root: Path, stem: str, *options: str) -> Page:
            serving = by_command(root, stem, *options) if options else here(root, stem)
            address = stack.enter_context(serving)
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            stack.callback(context.close)
            page = context.new_page()
            page.on("console", lambda message: wrong.append(message.text))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("request", lambda request: wrong.extend([request.url] * (not request.url.startswith(address[:25]))))
            page.goto(address)
            return page

        yield opens
    refused = re.compile("status of (?:403|409|422)")
    assert [text for text in wrong if not refused.search(text)] == []


def find(page: Page, words: str) -> None:
    """Select the first place of some words by a search; the only place is selected at once."""
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    expect(page.locator("#search:not([open]), #hits button:focus")).to_be_attached()
    if page.locator("#search").is_visible():
        page.keyboard.press("Enter")


@pytest.fixture
def new_article(tmp_path: Path) -> Path:
    """A copy of the invented corpus with an article of which nobody has read the drafts."""
    root = Path(shutil.copytree(INVENTED, tmp_path / "project"))
    shutil.copy(ARTICLE, root / "seeds")
    subprocess.run(
        [*COMMAND, "draft", "--fill", ARTICLE.stem, "--root", str(root)], env=PLAIN, check=True, capture_output=True
    )
    return root


def unread(root: Path) -> None:
    """Remove the readings of the first invented article."""
    file = root / "annotations/900_example.yaml"
    before, _, after = file.read_text(encoding="utf-8").partition("readings:\n")
    file.write_text(before + after.partition("\n\n")[2], encoding="utf-8")


def violations(page: Page) -> list[tuple[str, str]]:
    """Return the rules of axe that a page breaks, with an element: in light colours and, of contrast, in dark ones."""
    page.evaluate(AXE)
    found = []
    for scheme, options in (("dark", "{runOnly: ['color-contrast']}"), ("light", "{}")):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        rules = page.evaluate(f"axe.run(document, {options}).then(r => r.violations)")
        found += [(f"{scheme}: {each['id']}", each["nodes"][0]["html"]) for each in rules]
    return found
