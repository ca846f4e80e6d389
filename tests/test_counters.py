"""Counters in ids may have any length; another number in an id must be printed."""

from __future__ import annotations

from pathlib import Path

from conftest import found_in


def rename(root: Path, **ids: str) -> None:
    for path in (root / "annotations").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        for old, new in ids.items():
            text = text.replace(old.replace("_", "-"), new)
        path.write_text(text, encoding="utf-8")


def test_the_counter_of_a_record_may_have_any_length(copied: Path) -> None:
    rename(copied, example_t8="example-t10000", example_speaker_1="speaker-12345")
    assert found_in(copied) == []


def test_the_counter_of_a_shared_speaker_may_have_any_length(copied: Path) -> None:
    rename(copied, bruno_salt="keeper-1000", harbour_office="keeper-10001")
    assert found_in(copied) == []


def test_a_number_in_the_only_id_with_its_beginning_is_no_counter(copied: Path) -> None:
    rename(copied, bruno_salt="keeper-1968")
    assert [finding.code for finding in found_in(copied)] == ["unprinted-in-free-text"]


def test_a_counter_starts_without_a_zero(copied: Path) -> None:
    rename(copied, example_t8="example-t08")
    assert [finding.code for finding in found_in(copied)] == ["malformed-id"]
