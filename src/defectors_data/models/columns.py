"""Tables and their columns, as the row models declare them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType, UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from defectors_data.models.closed_vocabularies import TermKind


class Table(NamedTuple):
    """Name, order and keys of a table."""

    name: str
    title: str
    order: tuple[str, ...]
    """The columns by which rows are ordered: null first, numbers by size, text by code points."""
    key: str
    refers: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Foreign keys: for each column, the table and the column to which it refers."""
    terms: Mapping[str, TermKind] = MappingProxyType({})
    """For each column with a term of a vocabulary, the `kind` of the term in the table `terms`."""

    @property
    def references(self) -> dict[str, tuple[str, str]]:
        """The table and column to which each column refers, including the columns with terms."""
        return {**self.refers, **dict.fromkeys(self.terms, ("terms", "term"))}


class RowModel(BaseModel):
    """Base class of the row models."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    TABLE: ClassVar[Table]


class Column(NamedTuple):
    """A column of a published table."""

    name: str
    type: type
    """str, int, float, bool or date."""
    nullable: bool
    choices: tuple[str, ...]
    """The values of a closed vocabulary; empty for other columns."""
    pattern: str | None
    minimum: float | None
    maximum: float | None
    description: str
    example: object
    unit: str | None


def columns(row: type[RowModel], names: Collection[str] | None = None) -> list[Column]:
    """Return the columns of a row model, or those among `names`, in the order of its fields."""
    fields = row.model_fields.items()
    return [_column(name, field) for name, field in fields if names is None or name in names]


def sentence(row: type[RowModel]) -> str:
    """Return the description of a table, on one line."""
    return " ".join((row.__doc__ or "").split())


def _column(name: str, field: FieldInfo) -> Column:
    options = _options(field.annotation)
    kind = next(option for option in options if option is not type(None))
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    kind_of_value, *constraints = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    if choices:
        kind_of_value = str
    # Depending on how a constraint is written, pydantic keeps it with the field or with its type.
    bounds = [*field.metadata]
    for constraint in constraints:
        if isinstance(constraint, FieldInfo):
            bounds += constraint.metadata
        else:
            bounds.append(constraint)
    extra = field.json_schema_extra
    unit = str(extra["unit"]) if isinstance(extra, dict) else None
    return Column(
        name=name,
        type=kind_of_value,
        nullable=type(None) in options,
        choices=choices,
        pattern=_bound(bounds, "pattern"),
        minimum=_bound(bounds, "ge"),
        maximum=_bound(bounds, "le"),
        description=field.description or "",
        example=(field.examples or [None])[0],
        unit=unit,
    )


def _bound(bounds: list[Any], name: str) -> Any:
    """Return the first constraint of this name."""
    for bound in bounds:
        value = getattr(bound, name, None)
        if value is not None:
            return value
    return None


def _options(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the annotation alone."""
    is_union = get_origin(annotation) in (Union, UnionType)
    return get_args(annotation) if is_union else (annotation,)
