"""Links between pages lead to a file and to a heading, and every page is listed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import PROJECT

DOCS = PROJECT / "docs"
PAGES = [*sorted(PROJECT.glob("*.md")), *sorted(DOCS.rglob("*.md")), *sorted((PROJECT / "dist").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
PARTS = {"readers", "annotators", "publishers", "developers"}


@cache
def text_of(page: Path) -> str:
    """Return a page without its blocks of code and without code in lines."""
    return re.sub(
        r"`[^`\n]*`", lambda code: code[0].replace("](", "] ("), CODE.sub("", page.read_text(encoding="utf-8"))
    )


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as hosts of repositories and the site make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def broken(page: Path) -> Iterator[str]:
    """Give the links of a page that lead nowhere."""
    for target in LINK.findall(text_of(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            yield target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert list(broken(page)) == []


def test_a_broken_link_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading, in words\n\n[a](#a-heading-in-words) [b](#nowhere) [c](page.md#a-heading-in-words) [d](none.md)\n"
        "[e](page.md#none) [f](https://example.org) `[g](none.md)`\n\n```md\n[h](none.md)\n```\n",
        encoding="utf-8",
    )
    assert list(broken(page)) == ["#nowhere", "none.md", "page.md#none"]


def test_links_between_pages_are_looked_at() -> None:
    assert sum(len(LINK.findall(text_of(page))) for page in PAGES) > 200


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_no_page_of_the_site_links_to_a_file_outside_it(page: Path) -> None:
    targets = [target.partition("#")[0] for target in LINK.findall(text_of(page)) if not re.match(r"[a-z]+:", target)]
    assert [target for target in targets if not (page.parent / target).resolve().is_relative_to(DOCS)] == []


def pages_of(nav: list[dict[str, Any]]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from pages_of(value)


def test_every_page_is_in_the_index_and_in_the_navigation_of_the_site() -> None:
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    nav = tomllib.loads((PROJECT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    listed = LINK.findall(text_of(DOCS / "index.md"))
    assert sorted(pages_of(nav)) == sorted({*there, "package/index.html"})  # `make site` puts the package there
    assert sorted(listed) == sorted(there - {"index.md"})
    assert {Path(page).parts[0] for page in there if "/" in page} == PARTS


def test_the_index_says_in_a_line_what_each_page_is_for() -> None:
    entries = re.findall(r"^- \[.+?\]\((.+?)\): (.+)$", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE)
    assert {target for target, _ in entries} == {
        page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md") if page.parent != DOCS
    }


def test_every_path_to_a_page_or_a_tool_that_is_named_exists() -> None:
    named = re.compile(r"(?<![\w/])(?:docs|tools)/[\w/-]+\.(?:md|py|csv|lock|svg)\b")
    files = [*PROJECT.glob("*.*"), PROJECT / "Makefile", *(PROJECT / ".github").rglob("*.yml")]
    files += [path for folder in ("src", "tools", "docs") for path in (PROJECT / folder).rglob("*")]
    texts = {
        path: path.read_text("utf-8")
        for path in files
        if path.suffix in {".md", ".py", ".toml", ".yml", ""} and path.is_file()
    }
    found = {(path, name) for path, text in texts.items() for name in named.findall(text)}
    assert len(found) > 50
    assert {(path, name) for path, name in found if not (PROJECT / name).exists()} == set()


def test_the_glossary_names_keys_and_tables_that_there_are() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    keys = set(re.findall(r"\(key `(\w+)`\)", text))
    schema = (PROJECT / "schema/annotations.schema.json").read_text(encoding="utf-8")
    tables = set(re.findall(r"a row of `(\w+)`", text))
    assert keys
    assert {key for key in keys if f'"{key}"' not in schema} == set()
    assert {table for table in tables if not (PROJECT / f"schema/tables/{table}.json").exists()} == set()
