"""For `make grade-code`: what each check says that it judges, in the one test that holds all of it."""

from __future__ import annotations

from test_examining import test_each_check_sees_this_and_no_more as test_each_check_sees_this

__all__ = ["test_each_check_sees_this"]
