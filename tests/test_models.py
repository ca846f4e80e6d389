"""What may be written, and what has nowhere to live."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import TypeAdapter, ValidationError

from defectors_data.models import annotation, closed_vocabularies, field_docstrings, fields, project
from defectors_data.models.counts import counted
from defectors_data.models.fields import DateBounds, Record, edtf_bounds

SPEAKER: TypeAdapter[Any] = TypeAdapter(annotation.SpeakerEntry)
TELLING = ("name", "gender", "age", "years_of_service", "rank", "affiliation", "initials", "note")


@pytest.mark.parametrize("anonymity", ["withheld", "unnamed"])
@pytest.mark.parametrize("key", TELLING)
def test_a_protected_person_has_no_identifying_field(anonymity: str, key: str) -> None:
    entry = {"id": "x-speaker-1", "kind": "person", "role": "defector", "anonymity": anonymity}
    assert SPEAKER.validate_python(entry).protected
    with pytest.raises(ValidationError, match="extra_forbidden"):
        SPEAKER.validate_python({**entry, key: "x"})
    mention = {"id": "x-m1", "evidence": "a keeper"}
    assert SPEAKER.validate_python({**entry, "mentions": [mention]})
    with pytest.raises(ValidationError, match="extra_forbidden"):
        SPEAKER.validate_python({**entry, "mentions": [{**mention, key: "x"}]})


@pytest.mark.parametrize("anonymity", ["named", "partial"])
def test_a_publicly_named_person_needs_the_name(anonymity: str) -> None:
    entry = {"id": "x", "kind": "person", "role": "analyst", "anonymity": anonymity}
    entry |= {"pseudonym_possible": "false"} if anonymity == "partial" else {}
    with pytest.raises(ValidationError, match="missing"):
        SPEAKER.validate_python(entry)
    assert SPEAKER.validate_python({**entry, "name": "Ada Example"}).name == "Ada Example"


def test_shared_speakers_are_named_or_institutions() -> None:
    shared: TypeAdapter[Any] = TypeAdapter(annotation.SharedSpeakersFile)
    base = {"id": "x", "kind": "person", "role": "defector"}
    assert shared.validate_python({"speakers": [{**base, "anonymity": "named", "name": "Ada"}]})
    for anonymity in ("withheld", "unnamed", "partial"):
        with pytest.raises(ValidationError):
            shared.validate_python({"speakers": [{**base, "anonymity": anonymity, "name": "Ada"}]})


def test_records_are_frozen() -> None:
    part = fields.Part(text="oil")
    with pytest.raises(ValidationError, match="frozen"):
        part.text = "water"  # type: ignore[misc]


@pytest.mark.parametrize(
    "typed",
    [
        *["1e5", "nan", "inf", "-0", "+40", "--1", "−1", "1_000", "0x10", "1,400", "1\u2009600", "1٬600", " 5", "5 "],
        *["050", "1:30", "2019-05-02", "٤٠", "४०", "４０", "𝟒𝟎", "4²", "ⅩⅬ", "40½", "", "1" * 400],
    ],
)
def test_a_number_has_one_spelling(typed: str) -> None:
    figure = {
        "id": "x-f1",
        "evidence": "oil",
        "value": typed,
        "hedge": "exact",
        "unit": "item",
        "measure": "oil",
        "counted": "oil",
    }
    with pytest.raises(ValidationError):
        annotation.Figure.model_validate(figure)
    assert annotation.Figure.model_validate({**figure, "value": "33.33"}).value == 33.33


def test_evidence_is_words_a_part_or_a_list_of_either() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(fields.Evidence)
    for typed in ("oil", {"text": "oil"}, ["oil"], [{"text": "oil"}]):
        assert adapter.validate_python(typed) == (fields.Part(text="oil"),)
    wrongs: list[Any] = [[], "", [[]], 3, [""]]
    for wrong in wrongs:
        with pytest.raises(ValidationError):
            adapter.validate_python(wrong)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2019-05-02", date(2019, 5, 2), date(2019, 5, 2)),
        ("2019-02", date(2019, 2, 1), date(2019, 2, 28)),
        ("2019", date(2019, 1, 1), date(2019, 12, 31)),
        ("2019-03~", date(2019, 3, 1), date(2019, 3, 31)),
        ("2019-03-04/2019-03-06", date(2019, 3, 4), date(2019, 3, 6)),
        ("2014/..", date(2014, 1, 1), None),
        ("../2014", None, date(2014, 12, 31)),
        ("XXXX-02-27", None, None),
        ("XXXX-02-29", None, None),
        ("XXXX-03", None, None),
    ],
)
def test_a_date_has_strict_bounds(text: str, first: date | None, last: date | None) -> None:
    assert edtf_bounds(text) == DateBounds(first, last)


@pytest.mark.parametrize(
    "text",
    [
        "2019-02-30",
        "XXXX-02-30",
        "XXXX-13",
        "2019-13",
        "last month",
        "02/03/2019",
        "",
        "0000",
        "XXXX-00-01",
        "Y1E99999999",
        "Y-17E999999999",
        " 2019-03-03",
        "2019-05/2019-01",
        "2019-X2",
        "2019–03",
        "٢٠١٩",
    ],
)
def test_an_invalid_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the message is the caller's
        edtf_bounds(text)


def test_every_field_has_a_sentence() -> None:
    found = [*vars(annotation).values(), *vars(project).values()]
    records = {m for m in found if isinstance(m, type) and issubclass(m, Record)}
    unsaid = [
        (model.__name__, name)
        for model in records
        for name in model.model_fields
        if not field_docstrings.sentence(model, name).endswith(".")
    ]
    assert len(records) > 20
    assert unsaid == []


def test_every_value_of_a_closed_vocabulary_has_a_meaning() -> None:
    closed = {
        name: get_args(value) for name, value in vars(closed_vocabularies).items() if get_origin(value) is Literal
    }
    closed["Unbalanced"] = get_args(fields.Unbalanced)
    assert closed.keys() | {"Unit"} == closed_vocabularies.MEANINGS.keys()  # a vocabulary adds units
    for name, values in closed.items():
        assert tuple(closed_vocabularies.MEANINGS[name]) == values
        assert closed_vocabularies.meanings(values) is closed_vocabularies.MEANINGS[name]
    with pytest.raises(KeyError):
        closed_vocabularies.meanings(["sung"])


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (0, "article", "0 articles"),
        (1, "article", "1 article"),
        (2, "testimony", "2 testimonies"),
        (2, "key", "2 keys"),
        (1, "pair of figures", "1 pair of figures"),
        (2, "pair of figures", "2 pairs of figures"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, expected: str) -> None:
    assert counted(number, noun) == expected
