"""What follows when the speaker of a testimony is chosen on the page for annotators."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from conftest import edit
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from test_workbench import FILE, HOST, TOKEN, act, sha256
from test_workbench_codes import card_of
from test_workbench_forms import with_sentence


@pytest.fixture
def client(copied: Path) -> TestClient:
    return TestClient(application(EditedProject(copied), token=TOKEN), base_url=HOST, follow_redirects=True)


def with_drafts(root: Path, *said: tuple[str, str], speaker: str = "who") -> None:
    """Add sentences to the article, and for each, with its attribution, the draft of an indirect testimony: t20, ..."""
    with_sentence(root, " ".join(words for words, _ in said))
    drafts = ""
    for number, (words, attribution) in enumerate(said, start=20):
        drafts += f"  - id: example-t{number}\n    draft: true\n    speaker: {speaker}\n    mode: indirect\n"
        drafts += f'    evidence: "{words}"\n    attribution: {attribution}\n'
        drafts += "    themes: [weather]\n    access: about_others\n    outlet_kind: not_stated\n"
    edit(root, FILE, "\nfigures:\n", f"{drafts}\nfigures:\n")


def choose(client: TestClient, root: Path, record: str, speaker: str) -> str:
    answer = act(client, "change", sha256=sha256(root), id=record, values={"speaker": speaker})
    assert answer.is_success, answer.text
    return str(answer.json())


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        ("A notice signed by Mira Fenn said the pier was shut.", "A notice signed", "Mira Fenn said"),
        ("According to Mira Fenn, keepers asked for oil.", "[keepers, asked]", "According to Mira Fenn"),
        ("She said Fenn told them that the pier was shut.", "She said", "She said, antecedent: t9"),
    ],
)
def test_the_attribution_is_the_name_of_the_speaker_who_is_chosen_if_a_verb_is_next_to_it(
    client: TestClient, copied: Path, words: str, before: str, after: str
) -> None:
    with_drafts(copied, (words, before))
    choose(client, copied, "example-t20", "mira-fenn")
    assert card_of(copied, "example-t20").facts["attribution"] == after
