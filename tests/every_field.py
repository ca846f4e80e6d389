"""What tests of every text field share: the fields, read from the models, and a corpus that has every model."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import yaml
from pydantic import ValidationError
from typing_extensions import TypeAliasType

from conftest import INVENTED, found_in, repin
from defectors_data.models import annotation, project
from defectors_data.models.annotation import Attribution
from defectors_data.models.fields import Part, Record

FILES: dict[str, type[Record]] = {
    "dataset.yaml": project.Dataset,
    "annotations/vocabulary.yaml": project.Vocabulary,
    "annotations/speakers.yaml": annotation.SharedSpeakersFile,
    "annotations/comparisons.yaml": project.ComparisonNotes,
    "annotations/tombstones.yaml": project.Tombstones,
    "annotations/releases.yaml": project.ReleasedIds,
    "annotations/900_example.yaml": annotation.Annotations,
    "annotations/901_second.yaml": annotation.Annotations,
    "annotations/902_third.yaml": annotation.Annotations,
}

EXAMPLE, SECOND, THIRD = list(FILES)[-3:]


# ---- the fields, as the models say -----------------------------------------------------------------------------------


class Field(NamedTuple):
    model: type[Record]
    name: str

    def __str__(self) -> str:
        return f"{self.model.__name__}.{self.name}"


def leaves(annotation: Any) -> Iterator[Any]:
    """Give the types that an annotation is made of."""
    if isinstance(annotation, TypeAliasType):
        yield from leaves(annotation.__value__)
    elif get_origin(annotation) is Literal:
        yield Literal
    elif get_args(annotation):
        for inner in get_args(annotation):
            yield from leaves(inner)
    else:
        yield annotation


def reachable() -> list[type[Record]]:
    """Return every model that a file can contain, in the order of the files."""
    found = list(dict.fromkeys(FILES.values()))
    for model in found:  # the list grows while it is read
        for field in model.model_fields.values():
            inner = [leaf for leaf in leaves(field.annotation) if isinstance(leaf, type) and issubclass(leaf, Record)]
            found += [each for each in inner if each not in found]
    return found


def text_fields() -> Iterator[Field]:
    """Give every field that takes words: strings, lists of strings, and evidence."""
    for model in reachable():
        for name, field in model.model_fields.items():
            if not {str, Part}.isdisjoint(leaf for leaf in leaves(field.annotation) if isinstance(leaf, type)):
                yield Field(model, name)


FIELDS = list(text_fields())


# ---- a corpus that has every model -----------------------------------------------------------------------------------

WORDS = """
Ben Lamp said the wind was cold. The Lamp Office said the fog was thick. Quill said the sea was calm. “It will stay so.”

Some clerks said the pier was wet. A few of them said the pier was dry. The sheds are cold.

Printed in 2019. Nobody was there.
"""

THIRD_ARTICLE = """The Last Lamp

Rowan Pike said the lamps went out in February 2019, when the crews were beaten. Pike was afraid and stayed.

https://example.org/last-lamp
"""

CODES = {"access": "not_stated", "outlet_kind": "not_stated"}
"""The codes that every testimony has."""

MORE = {
    "dataset.yaml": {
        "names": [
            {"field": "source.authors.value", "words": ["Ada Example"]},
            {"field": "source.outlet.value", "words": ["The Example Gazette"]},
        ]
    },
    "annotations/901_second.yaml": {
        "source": {
            "authors": {"basis": "inferred", "value": ["Ada Example"], "note": "The other article has the same style."},
            "outlet": {"basis": "inferred", "value": "The Example Gazette", "note": "The other article is from there."},
            "published": {"basis": "stated", "value": "2019", "evidence": "Printed in 2019."},
            "url": {"basis": "external", "value": "https://example.org/after", "note": "Page.", "seen": "2026-01-10"},
        },
        "speakers": [
            {
                "id": "ben-lamp",
                "kind": "person",
                "role": "other",
                "anonymity": "named",
                "name": "Ben Lamp",
                "mentions": [{"id": "second-m6", "evidence": "Ben Lamp"}],
            },
            {
                "id": "lamp-office",
                "kind": "institution",
                "role": "other",
                "name": "Lamp Office",
                "mentions": [{"id": "second-m7", "evidence": "Lamp Office"}],
            },
            {
                "id": "second-quill",
                "kind": "person",
                "role": "analyst",
                "anonymity": "partial",
                "name": "Quill",
                "pseudonym_possible": "false",
                "mentions": [{"id": "second-m8", "evidence": "Quill"}],
            },
            {
                "id": "second-speaker-2",
                "kind": "group",
                "role": "other",
                "inferred": {"role": "cited_as_such"},
                "mentions": [{"id": "second-m9", "evidence": "Some clerks"}],
            },
            {
                "id": "second-speaker-3",
                "kind": "group",
                "role": "other",
                "part_of": "second-speaker-2",
                "mentions": [{"id": "second-m10", "evidence": "A few of them"}],
            },
            {
                "id": "second-speaker-4",
                "kind": "writer",
                "role": "other",
                "inferred": {"role": "writes_the_text"},
            },
        ],
        "testimonies": [
            {
                "id": "second-t7",
                "speaker": "ben-lamp",
                "attribution": "Ben Lamp said",
                "mode": "indirect",
                "evidence": "Ben Lamp said the wind was cold.",
                "corrected": {"version": "0.1.0", "reason": "words"},
                "themes": ["weather"],
                **CODES,
            },
            {
                "id": "second-t8",
                "speaker": "lamp-office",
                "attribution": "The Lamp Office said",
                "mode": "indirect",
                "evidence": "The Lamp Office said the fog was thick.",
                "themes": ["weather"],
                **CODES,
            },
            {
                "id": "second-t9",
                "speaker": "second-quill",
                "attribution": "Quill said",
                "mode": "indirect",
                "evidence": "Quill said the sea was calm.",
                "themes": ["other"],
                **CODES,
            },
            {
                "id": "second-t10",
                "speaker": "second-quill",
                "attribution": {"continues": "second-t9"},
                "mode": "direct",
                "evidence": "It will stay so.",
                "themes": ["other"],
                **CODES,
            },
            {
                "id": "second-t11",
                "speaker": "second-speaker-2",
                "attribution": "Some clerks said",
                "mode": "indirect",
                "evidence": "Some clerks said the pier was wet.",
                "themes": ["other"],
                **CODES,
            },
            {
                "id": "second-t12",
                "speaker": "second-speaker-3",
                "attribution": "A few of them said",
                "mode": "indirect",
                "evidence": "A few of them said the pier was dry.",
                "themes": ["other"],
                **CODES,
            },
            {
                "id": "second-t13",
                "speaker": "second-speaker-4",
                "attribution": {"none": "writer"},
                "mode": "narrated",
                "evidence": "The sheds are cold.",
                "themes": ["other"],
                **CODES,
            },
        ],
        "earlier": [{"sha256": "0" * 64}],
        "waivers": [{"id": "second-w2", "evidence": "Printed in 2019", "reason": "date"}],
    },
    THIRD: {
        "source": {
            "id": "third",
            "seed": "902_third.txt",
            "sha256": hashlib.sha256(THIRD_ARTICLE.encode()).hexdigest(),
            "title": "The Last Lamp",
            "authors": {"basis": "external", "value": ["Ada Example"], "note": "Page.", "seen": "2026-01-10"},
            "outlet": {"basis": "external", "value": "The Example", "note": "Page.", "seen": "2026-01-10"},
            "published": {"basis": "external", "value": "2019-03-01", "note": "Page.", "seen": "2026-01-10"},
            "url": {
                "basis": "stated",
                "value": "https://example.org/last-lamp",
                "evidence": "https://example.org/last-lamp",
            },
            "language": "en",
            "rights": "Nobody",
        },
        "speakers": [
            {
                "id": "rowan-pike",
                "kind": "person",
                "role": "other",
                "anonymity": "named",
                "name": "Rowan Pike",
                "mentions": [{"id": "third-m1", "evidence": "Rowan Pike"}],
            }
        ],
        "testimonies": [
            {
                "id": "third-t1",
                "speaker": "rowan-pike",
                "attribution": "Rowan Pike said",
                "mode": "indirect",
                "evidence": "Rowan Pike said the lamps went out in February 2019, when the crews were beaten.",
                "themes": ["other"],
                **CODES,
                "motives": [
                    {
                        "factor": "fear",
                        "direction": "barrier",
                        "decision": "leave",
                        "link": "adjacent",
                        "words": "Pike was afraid",
                    }
                ],
                "acts": [{"act": "beating", "status": "alleged", "words": "the crews were beaten"}],
                "happened": {"date": "2019-02", "basis": "stated", "of": "event", "words": "in February 2019"},
            }
        ],
        "waivers": [{"id": "third-w1", "evidence": "February 2019", "reason": "date"}],
    },
    "annotations/vocabulary.yaml": {
        "factors": [{"term": "fear", "definition": "Fear for oneself."}],
        "act_kinds": [{"term": "beating", "definition": "Beating."}],
    },
    "annotations/releases.yaml": {
        "releases": [{"table": "testimonies", "id": "second-t7", "first": "1.0.0", "changed": "1.0.0"}]
    },
    "annotations/tombstones.yaml": {
        "tombstones": [{"table": "sources", "id": "gone", "date": "2026-01-01", "reason": "error", "seed": "gone.txt"}]
    },
}


def merged(value: Any, more: Any) -> Any:
    """Return values with more of them, the lists joined."""
    if isinstance(value, dict) and isinstance(more, dict):
        return {**value, **{key: merged(value.get(key), item) for key, item in more.items()}}
    return [*value, *more] if isinstance(value, list) else more


def rich_corpus(folder: Path) -> Path:
    """Return a copy of the invented corpus with at least one of every model; it has no findings."""
    root = Path(shutil.copytree(INVENTED, folder / "project"))
    seed = root / "seeds/901_second.txt"
    text = f"{seed.read_text(encoding='utf-8')}{WORDS}"
    seed.write_text(text, encoding="utf-8")
    (root / "seeds/902_third.txt").write_text(THIRD_ARTICLE, encoding="utf-8")
    at = text.index("Nobody was there")
    more = merged(MORE, {"annotations/901_second.yaml": {"withdrawn": [{"start": str(at), "end": str(at + 6)}]}})
    for file in FILES:
        save(root, file, merged(typed_in(root, file), more.get(file, {})))
    repin(root, "901_second")
    assert found_in(root) == []
    return root


def typed_in(root: Path, file: str) -> Any:
    """Return what is typed in a file, as text."""
    there = (root / file).exists()
    return _typed((root / file).read_text(encoding="utf-8")) if there else {}


def _typed(text: str) -> Any:
    return yaml.load(text, yaml.CBaseLoader)  # noqa: S506  # as typed


def typed_records(root: Path, file: str, model: type[Record]) -> tuple[Any, list[tuple[Keys, Record]]]:
    """Return what is typed in a file, which the caller leaves as it is, and every model in it."""
    return _typed_records((root / file).read_text(encoding="utf-8") if (root / file).exists() else "{}", model)


@lru_cache(maxsize=16)
def _typed_records(text: str, model: type[Record]) -> tuple[Any, list[tuple[Keys, Record]]]:
    content = _typed(text)
    return content, list(instances(model.model_validate(content)))


def save(root: Path, file: str, content: Any) -> None:
    text = yaml.dump(content, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=10_000)
    (root / file).write_text(text, encoding="utf-8")


Keys = tuple[str | int, ...]


def instances(value: Any, path: Keys = ()) -> Iterator[tuple[Keys, Record]]:
    """Give every model in a model, itself included, with its path."""
    if isinstance(value, Record):
        yield path, value
        for name in type(value).model_fields:
            yield from instances(getattr(value, name), (*path, name))
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            yield from instances(item, (*path, i))


def accepted(content: Any, model: type[Record], path: Keys, field: Field, spellings: Sequence[str]) -> Iterator[Any]:
    """Give the content of a file with words in a field, in the first spelling that the model accepts."""
    for spelling in spellings:
        for value in (spelling, [spelling], ["example-f1", spelling]):
            copy = json.loads(json.dumps(content))
            around = copy
            for key in path:
                around[key] = spelled_out(around[key], key)
                around[key] = as_parts(around[key], key) if field.model is Part else around[key]
                around = around[key]
            around[field.name] = value
            try:
                model.model_validate(copy)
            except ValidationError:
                continue
            yield copy
            return


def planted(
    root: Path, field: Field, spellings: Sequence[str], files: Iterable[str] = FILES, not_of: str = ""
) -> Iterator[tuple[str, Any]]:
    """Give files with words in a field, for each instance of its model that does not belong to one speaker."""
    for file in files:
        content, found = typed_records(root, file, FILES[file])
        for path, instance in found:
            of = {getattr(instance, key, None) for key in ("id", "speaker", "attributed_to")}
            if type(instance) is field.model and not_of not in of:
                yield from ((file, value) for value in accepted(content, FILES[file], path, field, spellings))


EVIDENCE = {
    name for model in reachable() for name, field in model.model_fields.items() if Part in leaves(field.annotation)
}


def spelled_out(value: Any, key: str | int) -> Any:
    """Return an attribution with the key `words`, however it is typed."""
    is_short = key == "attribution" and not (isinstance(value, dict) and value.keys() & Attribution.model_fields)
    return {"words": value} if is_short else value


def as_parts(value: Any, key: str | int) -> Any:
    """Return evidence as a list of parts, however it is typed."""
    items = value if isinstance(value, list) else [value]
    return [{"text": item} if isinstance(item, str) else item for item in items] if key in EVIDENCE else value
