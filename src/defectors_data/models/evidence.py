"""Evidence: words of a seed, copied character for character."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType

from defectors_data.models.closed_vocabularies import Unbalanced
from defectors_data.models.fields import Count, Record, Text, Words


class Part(Record):
    """Words of the seed, character for character, with keys that select their occurrence."""

    text: Words
    """The words, exactly as they appear in the seed."""
    prefix: Text | None = None
    """The characters directly before the words, if the words occur more than once."""
    suffix: Text | None = None
    """The characters directly after the words, if the words occur more than once."""
    occurrence: Count | None = None
    """Which occurrence is meant, counted from 1; `check` proposes the `prefix` or `suffix` to write
    instead."""
    unbalanced: Unbalanced | None = None
    """Which quotation mark of this part is missing in the seed."""


def as_parts(value: Any) -> Any:
    """Return a string, a part, or a list of either as a list of parts."""
    items = value if isinstance(value, list | tuple) else [value]
    return [as_part(item) for item in items]


def as_part(item: Any) -> Any:
    """Return words alone as a part; anything else as it is."""
    return {"text": item} if isinstance(item, str) else item


# A named type, so that the JSON Schema defines evidence once and refers to it.
Evidence = TypeAliasType(
    "Evidence",
    Annotated[
        tuple[Part, ...],
        Field(min_length=1, max_length=100),
        BeforeValidator(
            as_parts,
            json_schema_input_type=Words
            | Part
            | Annotated[list[Words | Part], Field(min_length=1, max_length=100)],
        ),
    ],
)
