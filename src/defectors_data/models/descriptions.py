"""The sentences under the fields of models: taken from the source when something is made of them.

pydantic can take them when a class is made, which reads the source again for each class, at each start of a command;
and most commands check what people typed, and tell nobody what a field means.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType

from pydantic import BaseModel


def sentence(model: type[BaseModel], name: str) -> str:
    """Return the sentence that stands under a field, on one line."""
    describe(sys.modules[model.__module__])
    return " ".join(str(model.model_fields[name].description).split())


@cache
def describe(module: ModuleType) -> None:
    """Give each field of a module's models the sentence under it, unless it has a description of its own."""
    sentences = dict(_sentences(ast.parse(inspect.getsource(module))))
    found = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, BaseModel)]
    models = [item for item in found if item.__module__ == module.__name__]
    for model in models:
        for name, field in model.model_fields.items():
            owner = next(each for each in model.__mro__ if name in vars(each).get("__annotations__", {}))
            field.description = field.description or sentences.get((owner.__name__, name))
    for model in models:
        if model.__pydantic_complete__:  # what was built before knows nothing of them
            model.model_rebuild(force=True)


def _sentences(source: ast.Module) -> Iterator[tuple[tuple[str, str], str]]:
    """Return the sentence under each field, by the names of class and field."""
    for item in (item for item in source.body if isinstance(item, ast.ClassDef)):
        for field, under in pairwise(item.body):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(under, ast.Expr)
                and isinstance(under.value, ast.Constant)
            ):
                yield (item.name, ast.unparse(field.target)), inspect.cleandoc(str(under.value.value))
