"""What the page for annotators asks for and says, and that what it asks for can be done there."""

from __future__ import annotations

from pathlib import Path

from test_workbench import TOKEN
from test_workbench_own_corpus import STEM, Own


def test_a_note_may_name_the_other_testimony_with_the_short_id_that_the_page_shows(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "“The lamps are dark,” said Milo Arden. He left, and the mill of Ostrow burned.")
    said = {"speaker": "milo-arden", "mode": "indirect", "attribution": {"words": "said Milo Arden"}}
    values = {**said, "themes": "other", "note": "A hope, and t1 the words. No lamp of t9 or 3t1 is one."}
    answer = own.act("add", kind="testimony", spans=[own.span("“The lamps are dark,” said Milo Arden")], values=values)
    assert answer.is_success, answer.text
    assert f"note: A hope, and {own.id('t1')} the words. No lamp of t9 or 3t1 is one." in own.record("t2")
    page = own.client.get(f"/{TOKEN}/part/{STEM}").text
    assert "duplicate-evidence" not in page
    assert own.act("change", id=own.id("t2"), values={**values, "note": "None."}).is_success
    page = own.client.get(f"/{TOKEN}/part/{STEM}").text
    assert "add a `note` with the id `t1` that says why" in page
