"""Docstrings, messages and docs avoid the words that the house style lists: they hide the standard term."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from conftest import PROJECT

AVOIDED = re.compile(
    r"\b(stands?|standing|stood|tells?|telling|told|holds?|holding|held|mends?|mended|mending|whoever|whatever|somebody"
    r"|beside|lies|lying|things?|of its own|a fault of ours|plainly|as ever)\b",
    re.IGNORECASE,
)
ORDINARY = re.compile(
    r"told_not_to_talk|w(?:as|ere) told not to talk|rights? holders?|stand-?alone|^> .*|\| holds \|",
    re.IGNORECASE | re.MULTILINE,
)
"""Values of vocabularies, ordinary meanings, and quoted examples."""
MODULES = sorted((PROJECT / "src").rglob("*.py"))
PAGES = sorted(
    path for path in (*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"), *(PROJECT / ".github").rglob("*.md"))
)
SENTENCE = 3
"""Words from which on a text in the code is taken for a sentence."""


def found_in(text: str) -> list[str]:
    return [found[0] for found in AVOIDED.finditer(ORDINARY.sub("", text))]


def texts(module: Path) -> Iterator[tuple[int, str]]:
    """Yield the docstrings, messages and other sentences of a module, each with its line."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if len(node.value.split()) >= SENTENCE and re.search(r"[A-Z.,:;]", node.value):  # unlike words to look for
            yield node.lineno, node.value


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page without blocks of code, quoted words and code in a line."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(
        r"^( *)(```|~~~).*?^\1\2", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL
    )
    for number, line in enumerate(text.splitlines(), 1):
        yield number, re.sub(r"`[^`]*`|“[^”]*”|\"[^\"]*\"|\]\([^)]*\)", "", line)


def test_a_word_of_the_list_is_found() -> None:
    assert found_in("What stands here is told by somebody.") == ["stands", "told", "somebody"]
    assert found_in("The outstanding rights holders were told not to talk.") == []


def avoided_in(files: list[Path], sentences: Callable[[Path], Iterator[tuple[int, str]]]) -> list[str]:
    """Return the avoided words of files, each with its file and line."""
    found = []
    for path in files:
        for line, text in sentences(path):
            found += [f"{path.relative_to(PROJECT)}:{line}: {word}" for word in found_in(text)]
    return found


def test_docstrings_and_messages_use_standard_terms() -> None:
    assert avoided_in(MODULES, texts) == []


def test_pages_use_standard_terms() -> None:
    assert avoided_in(PAGES, prose) == []
