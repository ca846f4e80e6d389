"""No text field carries a name, an age or a place of a protected person that no article prints into a release."""

from __future__ import annotations

import json
import shutil
from itertools import chain, islice
from pathlib import Path

import pytest

from conftest import built, edit, found_in, spread
from defectors_data.evidence.free_text import texts
from defectors_data.evidence.free_text.unsourced_details import DetailToCheck, doubts, is_printed
from defectors_data.models.fields import TextKind, kind_of
from every_field import (
    EVIDENCE,
    FIELDS,
    FILES,
    SECOND,
    Field,
    accepted,
    instances,
    planted,
    rich_corpus,
    save,
    typed_in,
)
from test_proposals import drafted
from test_takedown_fields import published

# Of each, the first spelling that a model accepts is tried: sentences, words, an id, a term, a file, a language, ...
SMUGGLED = {
    "name": [
        "Said by a keeper called Quirin.",
        "a keeper called Quirin",
        "keeper-quirin",
        "keeper_quirin",
        "keeper-quirin.txt",
        "es-Quirin",
        "https://example.org/Quirin",
        "10.1234/keeper-quirin",
    ],
    "place": [
        "Said by the keeper from Zaunberg.",
        "the keeper from Zaunberg",
        "keeper-zaunberg",
        "keeper_zaunberg",
        "keeper-zaunberg.txt",
        "es-Zaunberg",
        "https://example.org/Zaunberg",
        "10.1234/keeper-zaunberg",
    ],
    "tie": [
        "The keeper who is not named is Mira Fenn.",
        "the keeper is Mira Fenn",
        "the-keeper-is-mira-fenn",
        "the_keeper_is_mira_fenn",
        "the-keeper-is-mira-fenn.txt",
    ],
    "description": [
        "The keeper who is not named limps and has two daughters.",
        "the keeper with a limp and two daughters",
        "the-keeper-with-two-daughters",
        "the_keeper_with_two_daughters",
        "the-keeper-with-two-daughters.txt",
    ],
    "age": [
        "Said by a young keeper, aged 27.",
        "a young keeper, aged 27",
        "keeper-27",
        "keeper_27",
        "keeper-27.txt",
        "es-27",
        "https://example.org/keeper-27",
        "10.1234/keeper.27",
    ],
}

NO_SENTENCE = "an identifier or an address about the dataset, which is no sentence about a person"
TOMBSTONE = "the file that a removed source had, which was checked while the source was there"
IDENTIFIERS = (
    *("Dataset.name", "Dataset.homepage", "Dataset.doi", "License.path", "Contact.private", "TextOrigin.address"),
    *("Role.term", "Attribute.term", "SubjectUnit.term"),
    *(str(field) for field in FIELDS if field.name == "close_match"),
)
NOT_FOUND = {
    **{(kind, field): NO_SENTENCE for kind in ("name", "place", "age") for field in IDENTIFIERS},
    **{(kind, "Tombstone.seed"): TOMBSTONE for kind in SMUGGLED},
}
"""What no finding stops, by kind and field, with the reason."""
MAY_CONTAIN_IDS = {"ReleasedId.id", "Tombstone.seed"}
"""Fields that may contain the id of a protected person: the list of all ids, and a file that was checked before."""


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that has every model, in which no source was taken down."""
    root = rich_corpus(tmp_path_factory.mktemp("rich"))
    stone = {"table": "figures", "id": "example-f99", "date": "2026-01-01", "reason": "error", "seed": "gone.txt"}
    save(root, "annotations/tombstones.yaml", {"tombstones": [stone]})
    assert found_in(root) == []
    return root


def passes(root: Path, field: Field, kind: str, folder: Path, most: int) -> list[str]:
    """Return the files in which the smuggled words in a field cause no finding; at most `most` instances are tried."""
    passed = []
    for i, (file, content) in enumerate(planted(root, field, SMUGGLED[kind])):
        if i >= most:
            break
        copy = Path(shutil.copytree(root, folder / f"{kind}{i}"))
        save(copy, file, content)
        passed += [] if found_in(copy) else [file]
    return passed


def test_no_field_carries_a_name(rich: Path, tmp_path: Path) -> None:
    """An eighth of the fields; the sweep of the next test tries all of them."""
    sample = FIELDS[::8]
    passed = {str(field) for field in sample if passes(rich, field, "name", tmp_path / str(field), 1)}
    assert passed == {field for kind, field in NOT_FOUND if kind == "name"} & {str(field) for field in sample}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("kind", "every", "most"),
    [
        ("tie", 8, 1),
        ("description", 8, 1),
        *(pytest.param(kind, 1, 5, marks=pytest.mark.sweep) for kind in SMUGGLED),
    ],
)
def test_no_instance_of_a_field_carries_a_name_a_place_or_an_age(
    rich: Path, tmp_path: Path, kind: str, every: int, most: int
) -> None:
    """Every so-manyth field, with the first spellings that it accepts."""
    sample = FIELDS[::every]
    passed = {str(field) for field in sample if passes(rich, field, kind, tmp_path / str(field), most)}
    assert passed == {field for other, field in NOT_FOUND if other == kind} & {str(field) for field in sample}


OTHERS = {file: "example-speaker-1" if file == SECOND else "second-speaker-1" for file in FILES}
"""By file, the id of a protected person whom nothing in the file may name."""


NOT_FREE = {"id", "seed", *EVIDENCE}
"""The keys that say which record or file is meant, and those that quote the article."""
FREE = [field for field in FIELDS if kind_of(field.model, field.name) in texts.FREE and field.name not in NOT_FREE]


def ids_in_words(name: str) -> list[str]:
    return [f"See {name}.", *(text.replace("keeper-quirin", name) for text in SMUGGLED["name"])]


def test_check_finds_the_id_of_a_protected_person_in_every_free_text(rich: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(rich, tmp_path / "project"))
    tried, planted_lines = set(), set()
    for file, model in FILES.items():
        content = typed_in(root, file)
        for path, instance in instances(model.model_validate(content)):
            for field in FREE:
                if type(instance) is field.model:
                    content = next(accepted(content, model, path, field, ids_in_words(OTHERS[file])), content)
                    tried.add(field)
        save(root, file, content)
        lines = (root / file).read_text(encoding="utf-8").splitlines()
        planted_lines |= {(file, number) for number, line in enumerate(lines, 1) if OTHERS[file] in line}
    assert tried == set(FREE)
    found = [finding.place for finding in found_in(root) if finding.code == "protected-speaker-referenced"]
    assert {(place.file, place.line) for place in found} == planted_lines
    assert len(planted_lines) > 100


@pytest.mark.deep
@pytest.mark.parametrize("field", [field for field in FIELDS if field not in FREE], ids=str)
def test_check_finds_the_id_of_a_protected_person_in_every_other_field(
    rich: Path, tmp_path: Path, field: Field
) -> None:
    """In the first file that has the field; those with free text are all tried above."""
    each_file = (planted(rich, field, ids_in_words(name), [file]) for file, name in OTHERS.items())
    for file, content in islice(chain.from_iterable(each_file), 1):
        root = Path(shutil.copytree(rich, tmp_path / "project"))
        save(root, file, content)
        assert bool(found_in(root)) != (str(field) in MAY_CONTAIN_IDS)


def test_declared_names_and_comments_are_not_published(copied: Path, tmp_path: Path) -> None:
    edit(copied, "dataset.yaml", "purpose:", "names: [{field: source.note, words: [Zebulon]}]\npurpose:")
    for file in FILES:
        if (copied / file).exists():
            with (copied / file).open("a", encoding="utf-8") as stream:
                stream.write("# A keeper called Zebulon.\n")
    assert built(copied, tmp_path / "dist").checked.findings == []
    assert [name for name, text in published(tmp_path / "dist") if "zebulon" in text.casefold()] == []


NOTE = ("annotations/900_example.yaml", "  rights: Nobody\n")
"""Where a note on the source is added."""


def note(root: Path, text: str) -> None:
    file, line = NOTE
    edit(root, file, line, f"{line}  note: {json.dumps(text, ensure_ascii=False)}\n")


def permit(root: Path, field: str, words: str) -> None:
    edit(root, "dataset.yaml", "purpose:", f"names: [{{field: {field}, words: [{words}]}}]\npurpose:")


def test_words_are_permitted_in_one_field_only(copied: Path) -> None:
    note(copied, "Those under 5 years old stayed with Zebulon.")
    assert [finding.message[:9] for finding in found_in(copied)] == ["This text", "`Zebulon`"]
    permit(copied, "source.note", "under 5 years old, zebulon")
    assert found_in(copied) == []
    edit(copied, "annotations/900_example.yaml", "note: A pull quote.", "note: Printed twice.")
    edit(copied, "annotations/900_example.yaml", "wrong: The number", "wrong: For Zebulon the number")
    assert [finding.code for finding in found_in(copied)] == ["unprinted-in-free-text"]


@pytest.mark.parametrize("word", ["Zeb’ur", "O'Xanto", "Zeb'i-Xanto"])
def test_a_name_with_an_apostrophe_is_printed_as_it_is(tmp_path: Path, word: str) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\nIt is near {word}.\n")
    found = [*doubts(f"It is near {word}.", TextKind.NOTE)]
    assert found
    assert all(is_printed(each, document) for each in found)
    assert not is_printed(DetailToCheck("name", "Xan"), document)


def test_a_permitted_word_may_be_a_part_of_the_name_of_a_file(copied: Path) -> None:
    (copied / "seeds/900_example.txt").rename(copied / "seeds/900_quirin_post.txt")
    edit(copied, "annotations/900_example.yaml", "seed: 900_example.txt", "seed: 900_quirin_post.txt")
    (copied / "annotations/900_example.yaml").rename(copied / "annotations/900_quirin_post.yaml")
    [found] = found_in(copied)
    assert found.message.startswith("`quirin` is")
    permit(copied, "source.seed", "quir")
    assert len(found_in(copied)) == 1, "a part of a word"
    edit(copied, "dataset.yaml", "[quir]", "[quirin]")
    assert found_in(copied) == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("keepers_leave_the_lighth", []),  # cut from "lighthouse"
        ("keepers_cross_to_por", []),  # from "Port" of the title
        ("Keepers_Lighth", ["Lighth"]),
        ("keepers_cross_har", ["har"]),  # "Harbour" is not in the title, and "har" may be a name
        ("keepers_ighthouse", ["ighthouse"]),
        ("lighthoused_keepers", ["lighthoused"]),
        ("keepers_16", ["16"]),  # the article prints 1,600
    ],
)
def test_a_word_of_the_name_of_a_file_may_begin_one_that_is_printed(copied: Path, name: str, found: list[str]) -> None:
    (copied / "seeds/900_example.txt").rename(copied / f"seeds/900_{name}.txt")
    edit(copied, "annotations/900_example.yaml", "seed: 900_example.txt", f"seed: 900_{name}.txt")
    (copied / "annotations/900_example.yaml").rename(copied / f"annotations/900_{name}.yaml")
    assert [each.message.split("`")[1] for each in found_in(copied)] == found


@pytest.mark.parametrize(
    "text",
    spread(
        [
            "said by q u i r i n",
            "said by q-u-i-r-i-n",
            "said by q.u.i.r.i.n",
            "said by q_u_i_r_i_n",
            "said by qu ir in",
            "said by qu/ir/in",
            "said by qu'ir'in",
            "said by quirin't",
            "said by qu1r1n",
            "said by qu!r!n",
            "said by (qu)(ir)(in)",
            "said by qu<b></b>ir<b></b>in",
            "said by qu**ir**in",
            "said by li",
            "said by q. z.",
            "said by ⠟⠥⠊⠗⠊⠝",
            "said by 71756972696e20617469207a61756e62",
            "said by fenner",
            "qui* rin*",
            "from sw1a 1aa",
            "from ve",
            "a keeper in the twenties",
            "call a-04145551234",
            "id 0414555123400000000000000000000a",
        ],
        4,
        pytest.mark.deep,
    ),
)
def test_a_name_or_number_in_pieces_is_found(copied: Path, text: str) -> None:
    note(copied, f"Wind and fog, {text}.")
    assert {finding.place.file for finding in found_in(copied)} == {"annotations/900_example.yaml"}


def test_ordinary_english_is_no_name(copied: Path) -> None:
    ordinary = [
        "The article doesn't say whether it's true; they've asked, e.g. by e-mail, and can't know.",
        "Organisations and organizations co-operate in colour and in color, i.e. not as usual, etc.",
        "Distances in km (a) by boat, (b) on foot, at 5 p.m., cf. p. 7; 7th of 20, vs. the others' boats.",
        "The keepers' well-known, long-term, so-called re-reading won't be repeated.",
    ]
    note(copied, " ".join(ordinary))
    assert found_in(copied) == []


def test_the_plural_of_a_known_acronym_is_known(copied: Path) -> None:
    note(copied, "Wind of NGOs.")
    assert found_in(copied) == []


def test_a_number_that_only_waived_words_print_is_found_and_not_repeated(copied: Path) -> None:
    note(copied, "Slides 3, 26 and 27.")
    [finding] = found_in(copied)
    assert finding.message.startswith("Word 5 of this text is a number that the article prints only in words")


def test_only_what_is_published_of_the_changelog_is_scanned(copied: Path) -> None:
    edit(copied, "CHANGELOG.md", "- Nothing was written.", "- Quirin wrote it, aged 27.")
    edit(
        copied,
        "CHANGELOG.md",
        "  Both are invented.",
        "  Both are invented.\n- Changes of meaning: `figures` 27, `themes` 31.",
    )
    assert found_in(copied) == []
    edit(copied, "CHANGELOG.md", "Both are invented.", "Both are of a keeper called quirin.")
    assert [str(finding.place.file) for finding in found_in(copied)] == ["CHANGELOG.md"]


@pytest.mark.parametrize(
    "text",
    [
        "WIND AND FOG, SAID QUIRIN.",
        "Wind. Quirin saw fog.",
        "Wind; fog (keeper Q.).",
        "wind and fog, said quirin.",
        "Wind and fog; she is eleven.",
        "Wind and fog, said Кirin.",
        "Wind and fog in deQuirin-town.",
        "Wind and fog, said Кирин.",
        "Wind and fog, said كيرين.",
        "Wind and fog, said ქვირინ.",
        "Wind and fog, said ꞯᴜɪʀɪɴ.",
        "Wind and fog, said 𝐐𝐮𝐢𝐫𝐢𝐧.",
        "Wind and fog 🇶🇺🇮.",
        "Wind and fog, 584145551234.",
        "Wind and fog. Q.P. left.",
        "Wind and fog. Isla saw it.",
    ],
)
def test_a_name_or_number_in_another_script_or_form_is_found(copied: Path, text: str) -> None:
    note(copied, text)
    assert {finding.place.file for finding in found_in(copied)} == {"annotations/900_example.yaml"}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("annotations/900_example.yaml", "  id: example\n", "  id: qu-ir-in-za-un\n"),
        ("annotations/900_example.yaml", "note: A pull quote.", "note: It repeats quirin, tall and 27 too."),
        ("annotations/900_example.yaml", "  rights: Nobody\n", "  rights: Nobody\n  note: She is 27 now.\n"),
        ("annotations/comparisons.yaml", "different subjects.", "different subjects. Quirin."),
        ("annotations/comparisons.yaml", "different subjects.", "different subjects, said a young keeper."),
        ("CHANGELOG.md", "Both are invented.", "Both are invented by a keeper called Quirin."),
        ("CHANGELOG.md", "Both are invented.", "Both are invented; he is 27."),
        ("CHANGELOG.md", "## 1.2.3 (2020-02-29)", "## 1.2.3 (2020-02-29, Zaunberg)"),
    ],
)
def test_a_name_or_number_in_another_form_is_found(copied: Path, file: str, old: str, new: str) -> None:
    edit(copied, file, old, new)
    assert {finding.place.file for finding in found_in(copied)} == {file}
