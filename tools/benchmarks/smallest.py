"""The smallest program with a model of pydantic and a command of typer; any such program takes at least this long."""

from typing import Annotated

import typer
from pydantic import BaseModel, field_validator


class Record(BaseModel):
    """A record."""

    name: str

    @field_validator("name")
    @classmethod
    def stripped(cls, name: str) -> str:
        """Return the name without spaces around it."""
        return name.strip()


def main(name: Annotated[str, typer.Option(help="A name.")] = " lamp ") -> None:
    """Validate a record, and print its name."""
    typer.echo(Record(name=name).name)


typer.run(main)
