"""Descriptions of the fields of models, read from the docstrings under the fields.

pydantic's `use_attribute_docstrings` does the same when a class is created. But it parses the
source once for each class whenever a command starts, and most commands do not use the descriptions.
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
    """Return the description of the field `name` of a model, on one line."""
    describe(sys.modules[model.__module__])
    return " ".join(str(model.model_fields[name].description).split())


@cache
def describe(module: ModuleType) -> None:
    """Describe each field of a module's models by the docstring under it, unless described."""
    docstrings = dict(_docstrings(ast.parse(inspect.getsource(module))))
    found = [
        item
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, BaseModel)
    ]
    models = [item for item in found if item.__module__ == module.__name__]
    for other in {item.__module__ for item in found} - {module.__name__, BaseModel.__module__}:
        # A model contains the schemas of others, so these are described first.
        describe(sys.modules[other])
    for model in models:
        for name, field in model.model_fields.items():
            # The docstring of an inherited field is in the class that declares the field.
            owner = next(
                each for each in model.__mro__ if name in vars(each).get("__annotations__", {})
            )
            field.description = field.description or docstrings.get((owner.__name__, name))
    for model in models:
        if model.__pydantic_complete__:  # its schema was built without the descriptions
            model.model_rebuild(force=True)


def _docstrings(source: ast.Module) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the docstring under each field, with the names of its class and the field."""
    for item in (item for item in source.body if isinstance(item, ast.ClassDef)):
        for field, under in pairwise(item.body):
            match field, under:
                case ast.AnnAssign(), ast.Expr(value=ast.Constant(value=text)):
                    yield (item.name, ast.unparse(field.target)), inspect.cleandoc(str(text))
