"""For `make grade-code`: every phrase of the tables in one test, for a test of its own each would take hours.

The other tests of quantities are taken over as they are.
"""

from __future__ import annotations

import test_quantities
from test_quantities import (  # noqa: F401  # collected here
    test_an_age_or_years_of_service_are_held_by_their_words,
    test_an_ordinal_inside_a_date_is_the_date_alone,
    test_every_quantity_of_a_text_is_read_in_order,
    test_what_counts_nothing_is_told_with_its_kind_in_order,
    test_words_do_not_hold_a_part_of_a_number,
)


def test_every_phrase_is_read() -> None:
    for phrase in test_quantities.FIRST:
        test_quantities.test_the_first_quantity_of_a_phrase_is_read(phrase)
    for phrase in test_quantities.EVERY:
        test_quantities.test_every_quantity_of_a_phrase_is_read(phrase)
    for text in test_quantities.NEAR:
        test_quantities.test_every_quantity_of_a_near_miss_is_read_where_it_stands(text)
