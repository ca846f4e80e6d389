"""Statements are plain: at most one comprehension, and no conditional expression in it or in an argument of a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from test_modules import MODULES, tree

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BODIES = (ast.stmt, ast.excepthandler, ast.match_case)


def heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, but not the statements in its body."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, BODIES)]


def crowded(module: str) -> list[int]:
    """Return the lines of the statements with two comprehensions or more."""
    lines = []
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.stmt):
            found = [each for each in heads(node) if isinstance(each, COMPREHENSIONS)]
            if len(found) > 1:
                lines.append(node.lineno)
    return lines


def hidden_choices(module: str) -> list[int]:
    """Return the lines of the conditional expressions that are in a comprehension or are the argument of a call."""
    lines = set()
    for node in ast.walk(tree(module)):
        inner: list[ast.AST] = []
        if isinstance(node, ast.Call):
            inner = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, COMPREHENSIONS):
            inner = list(ast.walk(node))
        lines |= {each.lineno for each in inner if isinstance(each, ast.IfExp)}
    return sorted(lines)


def test_a_statement_has_at_most_one_comprehension() -> None:
    assert {module: lines for module in MODULES if (lines := crowded(module))} == {}


def test_no_conditional_expression_hides_in_a_comprehension_or_an_argument() -> None:
    assert {module: lines for module in MODULES if (lines := hidden_choices(module))} == {}
