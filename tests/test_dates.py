"""Dates that are read without the EDTF library mean what the library says they mean."""

from __future__ import annotations

import calendar
import subprocess
import sys
from datetime import date

import edtf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from defectors_data.models.fields import DateBounds, edtf_bounds

YEARS = st.integers(1, 9998).map("{:04}".format)
SEASONS = range(21, 25)
"""Of these half of the earth is not said, and the library takes one half."""
NUMBERS = st.sampled_from([f"{number:02}" for number in range(33) if number not in SEASONS])
PLAIN = YEARS | st.builds("{}-{}".format, YEARS, NUMBERS) | st.builds("{}-{}-{}".format, YEARS, NUMBERS, NUMBERS)
DATES = st.builds(str.format, st.sampled_from(["{}", "{}?", "{}~", "{}%", "{}/..", "../{}", "{}?/..", "../{}~"]), PLAIN)


@pytest.mark.deep
@given(DATES)
def test_dates_are_read_as_the_edtf_library_reads_them(text: str) -> None:
    assert _or_none(text) == _by_library(text)


def _or_none(text: str) -> DateBounds | None:
    try:
        return edtf_bounds(text)
    except ValueError:
        return None


def _by_library(text: str) -> DateBounds | None:
    try:
        parsed = edtf.parse_edtf(text)
    except edtf.EDTFParseException:
        return None
    first, last = parsed.lower_strict(), parsed.upper_strict()
    return DateBounds(
        None if text.startswith("..") else date(*first[:3]), None if text.endswith("..") else date(*last[:3])
    )


PARSED = [("2019-03~", False), ("2014/..", False), ("2014/2015-03", False), ("201X", True)]


@pytest.mark.parametrize(("text", "needed"), PARSED)
def test_the_library_is_imported_only_where_it_is_needed(text: str, needed: bool) -> None:
    code = f"import sys; from defectors_data.models import fields; fields.edtf_bounds({text!r})"
    code += "; print('edtf' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(needed)


@given(st.integers(1, 9999), st.integers(1, 12))
def test_a_month_ends_with_its_last_day(year: int, month: int) -> None:
    assert edtf_bounds(f"{year:04}-{month:02}").last == date(year, month, calendar.monthrange(year, month)[1])
