"""The website that `make site` writes has all that it links to, in its own folder."""

from __future__ import annotations

import filecmp
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from conftest import PROJECT

pytestmark = pytest.mark.deep


class Page(HTMLParser):
    """The addresses that a page links to or loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.addresses.add(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site() -> Path:
    ran = subprocess.run(["make", "site"], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return PROJECT / "build/site"


def broken(site: Path) -> Iterator[tuple[str, str]]:
    """Give the pages with the addresses in them that lead nowhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            above = site if parts.path.startswith("/") else path.parent
            target = (above / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment).partition("?")[0]  # the page of the data has a filter after it
            known = target not in pages or not anchor or anchor in pages[target].anchors
            if not target.is_relative_to(site) or not target.is_file() or not known:
                yield path.relative_to(site).as_posix(), address


def test_every_link_leads_to_a_file_and_an_anchor_of_the_site(site: Path) -> None:
    assert len(list(site.rglob("*.html"))) > 20
    assert sorted(broken(site)) == []


def test_a_broken_link_is_reported(tmp_path: Path) -> None:
    links = ["#here", "#gone", "a.html", "gone.html", "../up.html", "https://example.org/x", "data/a%20b.csv"]
    (tmp_path / "a.html").write_text("".join(f'<p id="here"><a href="{link}">x</a>' for link in links), "utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a b.csv").touch()
    assert sorted(address for _, address in broken(tmp_path)) == ["#gone", "../up.html", "gone.html"]


def test_the_site_has_the_whole_package_and_every_page_leads_to_it(site: Path) -> None:
    names = [path.relative_to(PROJECT / "dist") for path in (PROJECT / "dist").rglob("*") if path.is_file()]
    assert all(filecmp.cmp(PROJECT / "dist" / name, site / "package" / name, shallow=False) for name in names)
    pages = [path for path in site.rglob("*.html") if "package" not in path.parts and path.name != "404.html"]
    missing = [path for path in pages if "package/index.html" not in path.read_text(encoding="utf-8")]
    assert missing == []
