"""Everything that the program proposes for the quotations and numbers of an article can be read by `check`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from calling import run
from conftest import INVENTED, PROJECT
from defectors_data.annotators import worklist
from defectors_data.annotators.drafts import filled_draft, first_draft
from defectors_data.annotators.imports import imported_drafts
from defectors_data.annotators.imports.record_matches import ProposedRecord
from defectors_data.annotators.introductions import introduction
from defectors_data.annotators.proposals.figures import proposed_figure
from defectors_data.annotators.proposals.mentions import proposed_mention
from defectors_data.annotators.proposals.testimonies import proposed_testimony
from defectors_data.annotators.proposals.waivers import proposed_waiver
from defectors_data.annotators.workbench import forms
from defectors_data.annotators.workbench.forms import FORMS
from defectors_data.corpus.document_reader import RawDocument, faults_of, read_document
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import read_context
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.fields import plain_line, plain_number
from defectors_data.models.project import Vocabulary
from defectors_data.text.detection import Detection
from defectors_data.text.offsets import Span
from test_first_draft import FILLER, filled

SEEDS = [
    *sorted((PROJECT / "seeds").glob("*.txt")),
    *sorted((INVENTED / "seeds").glob("*.txt")),
    *sorted((PROJECT / "tests/guide").glob("*.txt")),
    # Lines of one article are wrapped, so it is no seed.
    *sorted(set((PROJECT / "tests/articles").glob("[!r]*.txt")) - {PROJECT / "tests/articles/hard_wrapped_email.txt"}),
]
ODD = """The Pipes

A 24-inch pipe, a =40 sign, a +44 number and @7 people cost $2 trillion or 1.234567891 trillion dollars, a third more.
Milo Arden, 500, and Edda Voss, 20 to 30, saw 30\u2011odd boats, 9,999,999,999,999,999,999 fish and -5 degrees.
“Twelve.” “5”
"""
FILE = "annotations/proposed.yaml"
KINDS = {"quotation": ("testimony", "waiver"), "quantity": ("figure", "mention", "waiver", "testimony")}
LISTS = {"t": "testimonies", "f": "figures", "w": "waivers"}
UNDECIDED = {"speaker": "who", "counted": "what", "measure": "name_it", "hedge": "exact", "reason": "term"}


@cache
def context() -> Context:
    found, _ = read_context(FileTree(PROJECT))
    assert found
    return found


def findings_of(root: Path, annotations: str, text: str) -> list[Finding]:
    """Return what `check` says about annotations that cannot be read, or about evidence that is not found."""
    raw = RawDocument(FILE, 0, annotations.encode())
    read = read_document(raw, FileTree(root))
    if read.file is None or read.text is None:
        return read.findings
    assert read.text == text
    return [*read.findings, *Document(read.file, text, read.seed, context()).anchoring_findings]


def drafted(root: Path, text: str) -> tuple[str, Document]:
    """Return the draft for a text that is put into a project, and the document that it makes."""
    (root / "seeds").mkdir(exist_ok=True)
    (root / "seeds/proposed.txt").write_bytes(text.encode())
    draft = first_draft.draft(text, text.encode(), "proposed", taken=())
    read = read_document(RawDocument(FILE, 0, draft.encode()), FileTree(root))
    assert read.findings == []
    assert read.file
    assert read.text is not None
    return draft, Document(read.file, read.text, read.seed, context())


def with_records(draft: str, records: list[tuple[str, str]]) -> str:
    """Return a draft with records in YAML, by the key of their list."""
    for key in ("speakers", "testimonies", "figures", "waivers"):
        items = [item.rstrip("\n").replace("\n", "\n    ") for each, item in records if each == key]
        listed = "".join(f"\n  - {item}" for item in items)
        draft = draft.replace(f"\n{key}: []\n", f"\n{key}:{listed}\n" if items else f"\n{key}: []\n")
    return draft


def selections(text: str, found: Detection) -> set[Span]:
    """Return the words of a detection, and the same with the rest of a word in which it ends, as in `24-inch`."""
    rest = re.match(r"\w*(?:-\w+)*", text[found.end :])
    return {Span(found.start, found.end), Span(found.start, found.end + len(rest[0] if rest else ""))}


def of_forms(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the record that each form of the workbench proposes for each quotation and number."""
    for found in (entry.detection for entry in ledger_of(document).entries):
        for kind, span in product(KINDS.get(found.kind, ("waiver", "figure")), selections(document.text, found)):
            proposal = FORMS[kind].propose(document, span)
            tree = forms.tree_of(proposal)
            given = {key: value or UNDECIDED.get(key, "") for key, value in tree.items()}
            given["definitions"] = {"measures/name_it": str(given.get("counted", ""))}
            path, item = forms.filled_in(kind, document, proposal.spans, given)
            yield str(path[0]), item
            for term in forms.new_terms(proposal.table, given, document):
                yield str(term.path[0]), term.item


@pytest.mark.parametrize("seed", [*SEEDS, None], ids=lambda seed: seed.stem if seed else "odd")
def test_every_proposal_can_be_read(tmp_path: Path, seed: Path | None) -> None:
    text = seed.read_text(encoding="utf-8") if seed else ODD
    draft, document = drafted(tmp_path, text)
    assert findings_of(tmp_path, filled_draft.filled(text, draft, FILE, document.context), text) == []
    pasted = [item.yaml[2:].replace("\n  ", "\n") for item in worklist.remaining(document)]
    letters = [yaml.partition("\n")[0].rstrip("0123456789")[-1] for yaml in pasted]
    # A mention is an item of a speaker, to whom the annotator adds it.
    listed = [(LISTS[letter], yaml) for letter, yaml in zip(letters, pasted, strict=True) if letter in LISTS]
    assert findings_of(tmp_path, with_records(draft, listed), text) == []
    proposed = [*of_forms(document)]
    assert findings_of(tmp_path, with_records(draft, proposed), text) == []
    measures = [item.rstrip("\n").replace("\n", "\n    ") for key, item in proposed if key == "measures"]
    vocabulary = "measures:" + ("".join(f"\n  - {item}" for item in measures) or " []")
    assert faults_of(vocabulary.encode(), "annotations/vocabulary.yaml", Vocabulary) == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("In Rome 285 lamps were lit.", ""),  # a count needs a figure
        ("They left. 285 came.", ""),
        ("Then Orr had $285.", ""),
        ("Orr told us two things.", "not_a_quantity"),
        ("It burned on 36th Street.", "name"),
        ("It burned on the 36th street corner.", "ordinal"),
        ("The 5-to-4 ruling shut the mill.", "not_a_quantity"),
        ("The millers won 3-2 on Sunday.", "not_a_quantity"),
        ("Harrow 2-1 Rome", "not_a_quantity"),
        ("Orr, Vane (Pelt 77). Subs Not Used: Reed.", "not_a_quantity"),
        ("Harrow: Orr. Goals: Vane 35.", "not_a_quantity"),
        ("It was a 2-0 World Cup qualifying win.", "not_a_quantity"),
        ("The council confirmed Orr 92 to 0.", "not_a_quantity"),
        ("A three-to-one majority shut the mill.", "not_a_quantity"),
        ("They flew a Boeing 747-400 over the mill.", "name"),
        ("The mill is for 16s and over.", "protected_attribute"),
        ("The under-21 team of the mill sank.", "protected_attribute"),
        ("Most mills treat keepers as adults at 18.", "protected_attribute"),
        ("The mill raised the legal age to 21 last summer.", "protected_attribute"),
        ("The keepers are minors until 18.", "protected_attribute"),
        ("The age of consent is 16.", "protected_attribute"),
        ("Girls under 16 swim.", "protected_attribute"),
        ("The keepers left at 18.", ""),
        ("The adults left at 18 mills.", ""),
        ("The mill is legal until 1,800 lamps are lit.", ""),
        ("Mills under 18 lamps a keeper are shut.", ""),
    ],
)
def test_the_reason_for_a_number_fits_what_it_is(tmp_path: Path, words: str, reason: str) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{words}\n")
    [found] = [entry.detection for entry in ledger_of(document).entries]
    assert proposed_waiver(document, Span(found.start, found.end)).values["reason"] == reason


SPOKEN = """The Mill Burns Again

“We are hungry,” said Otto Reed. Reed said that 12 millers were hungry. The millers were hungry for days.
Mill groups have applauded the hungry.
"""


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("We are hungry,", "direct"),
        ("Reed said that 12 millers were hungry.", "indirect"),
        ("“We are hungry,” said Otto Reed.", "indirect"),
        ("The millers were hungry for days.", "narrated"),
        ("Mill groups have applauded the hungry.", "indirect"),
    ],
)
def test_marks_and_verbs_of_words_decide_their_mode(tmp_path: Path, words: str, mode: str) -> None:
    _, document = drafted(tmp_path, SPOKEN)
    start = SPOKEN.index(words)
    proposal = proposed_testimony(document, [Span(start, start + len(words))])
    assert (proposal.values["mode"], proposal.values["themes"]) == (mode, "hunger_pay")


def test_all_ways_to_a_testimony_propose_the_same_values(tmp_path: Path) -> None:
    draft, document = drafted(tmp_path, SPOKEN)
    [quotation] = ledger_of(document).quotations
    words = Span(quotation.start, quotation.end)
    proposal = FORMS["testimony"].propose(document, words)
    given = {**proposal.values, "speaker": "who"}
    imported = ProposedRecord("testimonies", (words,), {})
    [item] = [each for each in worklist.remaining(document) if each.kind == "quotation"]
    proposed = [
        item.yaml[2:].replace("\n  ", "\n"),
        forms.filled_in("testimony", document, proposal.spans, given).item,
        filled_draft.filled(SPOKEN, draft, FILE, document.context),
        imported_drafts.drafted(document, [imported]).text,
    ]
    for yaml in proposed:
        assert "mode: direct\n" in yaml
        assert 'evidence: "We are hungry,"\n' in yaml
        assert "themes: [hunger_pay]" in yaml


@pytest.mark.parametrize(
    ("words", "value", "counted"), [("one ship in Rome", "1", "ship in Rome"), ("it sank", "", "it sank")]
)
def test_one_is_read_where_a_person_selects_it(tmp_path: Path, words: str, value: str, counted: str) -> None:
    text = "Six boats in Orr, and one ship in Rome, sank, and it sank slowly.\n"
    _, document = drafted(tmp_path, text)
    at = text.index(words)
    proposed = FORMS["figure"].propose(document, Span(at, at + len(words)))
    found = [proposed.values[key] for key in ("value", "hedge", "unit", "counted")]
    assert found == [value, value and "exact", "item" if value else "other", counted]
    assert [each.detection.start for each in ledger_of(document).entries] == [0]


def test_a_figure_counts_what_the_selected_words_say(tmp_path: Path) -> None:
    text = "Orr sold 12 boats that were lost in the fire.\n"
    _, document = drafted(tmp_path, text)
    selected = {
        "12": "boats that were lost in the fire",
        "12 boats": "boats",
        "12 boats that were lost": "boats that were lost",
    }
    for words, counted in selected.items():
        at = text.index(words)
        proposed = proposed_figure(document, Span(at, at + len(words)))
        assert proposed.values["counted"] == counted


def test_an_import_proposes_no_speaker_for_a_figure(tmp_path: Path) -> None:
    _, document = drafted(tmp_path, SPOKEN)
    start = SPOKEN.index("Reed said")
    around = Span(start, SPOKEN.index(" The millers"))
    first = imported_drafts.drafted(document, [ProposedRecord("testimonies", (around,), {})])
    read = read_document(RawDocument(FILE, 0, first.text.encode()), FileTree(tmp_path))
    assert read.file
    document = Document(read.file, SPOKEN, read.seed, context())
    at = SPOKEN.index("12")
    on_page = proposed_figure(document, Span(at, at + 2))
    assert on_page.values["testimony"] == document.testimonies[0][1].id
    figure = ProposedRecord("figures", on_page.spans, {})
    second = imported_drafts.drafted(document, [figure]).text
    assert second.endswith('unit: person\n    counted: "millers who were hungry"\n\nwaivers: []\n')


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("-inch", "inch"),
        ("= 40\tboats ", "40 boats"),
        ("\u00adboats\u200b", "boats"),
        ("—", ""),
        ("boats - inns", "boats - inns"),
    ],
)
def test_words_become_a_line(words: str, line: str) -> None:
    assert plain_line(words) == line


@pytest.mark.parametrize(
    ("number", "typed"),
    [(2e12, "2000000000000"), (1 / 3, "0.333333"), (40.0, "40"), (-0.0, ""), (1e16, ""), (-1.5, "-1.5")],
)
def test_a_number_is_in_plain_digits(number: float, typed: str) -> None:
    assert plain_number(number) == typed


@pytest.mark.parametrize(
    ("text", "words", "affiliation"),
    [
        ("Lib Dem lamp spokesman Milo Arden said", "Lib Dem lamp spokesman Milo Arden", "Lib Dem"),
        ("Plaid Cymru’s guard spokesman Milo Arden said", "Plaid Cymru’s guard spokesman Milo Arden", "Plaid Cymru"),
        ("Lamp Bank’s spokesman Milo Arden said", "Lamp Bank’s spokesman Milo Arden", "Lamp Bank"),
        ("Ada Orr left. Orr’s spokesman Milo Arden said", "spokesman Milo Arden", ""),
        ("Lampo’s oil chief Milo Arden left", "Lampo’s oil chief Milo Arden", "Lampo"),
        ("Milo Arden, Lampo’s oil chief, left", "Milo Arden, Lampo’s oil chief", "Lampo"),
        ("Milo Arden, from Lamps Direct, left", "Milo Arden, from Lamps Direct", "Lamps Direct"),
        ("Milo Arden, from West Harrow, left", "Milo Arden", ""),
        ("Milo Arden, head of Mills (M), left", "Milo Arden, head of Mills", "Mills"),
        ("But Lampo’s oil chief Milo Arden left", "Lampo’s oil chief Milo Arden", "Lampo"),
        ("said Milo Arden, head of Mills - a firm", "Milo Arden, head of Mills", "Mills"),
        ("a Standing Lamps boss Milo Arden", "Standing Lamps boss Milo Arden", "Standing Lamps"),
        ("Milo Arden of Save the Mills said", "Milo Arden of Save the Mills", "Save the Mills"),
        ("Scottish First Minister Milo Arden said", "Scottish First Minister Milo Arden", ""),
        ("The guard spokesman, Milo Arden MSP, said", "The guard spokesman, Milo Arden", ""),
        ("The SNP’s Milo Arden said", "The SNP’s Milo Arden", "SNP"),
        ("Tory Milo Arden said", "Tory Milo Arden", "Tory"),
        ("BBC Harrow correspondent Milo Arden said", "BBC Harrow correspondent Milo Arden", "BBC Harrow"),
        (
            "Milo Arden, the Liberal Democrats’ leader, said",
            "Milo Arden, the Liberal Democrats’ leader",
            "Liberal Democrats",
        ),
        (
            "Milo Arden, a guard at lamp firm Ostrow Oil, said",
            "Milo Arden, a guard at lamp firm Ostrow Oil",
            "Ostrow Oil",
        ),
        ("Conservative host Milo Arden said", "Conservative host Milo Arden", ""),
        (
            "Labour Ministry spokesman Milo Arden said",
            "Labour Ministry spokesman Milo Arden",
            "Labour Ministry",
        ),
        ("ex-Labour leader Milo Arden", "ex-Labour leader Milo Arden", ""),
        ("Former Labour leader Milo Arden", "Former Labour leader Milo Arden", ""),
        ("Harbour Office spokesman Milo Arden said", "Harbour Office spokesman Milo Arden", "Harbour Office"),
        (
            "Harbour Office Press Secretary Milo Arden said",
            "Harbour Office Press Secretary Milo Arden",
            "Harbour Office",
        ),
        ("Harbour vice-president Milo Arden said", "Harbour vice-president Milo Arden", "Harbour"),
        ("Old Lamp analyst Milo Arden said", "Old Lamp analyst Milo Arden", "Old Lamp"),
        ("Milo Arden, the Alp-based chairman, said", "Milo Arden, the Alp-based chairman", ""),
        ("Veteran Harbour Office guard Milo Arden", "Veteran Harbour Office guard Milo Arden", "Harbour Office"),
        ("Dutch president Milo Arden said", "Dutch president Milo Arden", ""),
        ("It said Bank of Harbour governor Milo Arden left", "Bank of Harbour governor Milo Arden", "Bank of Harbour"),
        ("Harbour Bank Bridge Secretary Milo Arden said", "Harbour Bank Bridge Secretary Milo Arden", ""),
        ("Millers Union spokesman Milo Arden said", "Millers Union spokesman Milo Arden", "Millers Union"),
        ("White House Press Secretary Milo Arden said", "White House Press Secretary Milo Arden", "White House"),
        ("Harbour College lamp expert Milo Arden said", "Harbour College lamp expert Milo Arden", "Harbour College"),
        ("Harrow lamp expert Milo Arden said", "Harrow lamp expert Milo Arden", ""),
        ("Chief Office Clerk Milo Arden said", "Chief Office Clerk Milo Arden", ""),
        ("Free Press Secretary Milo Arden said", "Free Press Secretary Milo Arden", ""),
        ("Milo Arden, a Harrow Lamp Party MP, said", "Milo Arden, a Harrow Lamp Party MP", "Harrow Lamp Party"),
        ("Lampoil chief executive Milo Arden said", "Lampoil chief executive Milo Arden", "Lampoil"),
        ("Milo Arden, a former Lamp Union guide, said", "Milo Arden, a former Lamp Union guide", ""),
        ("Former Lamp Union guide Milo Arden said", "Former Lamp Union guide Milo Arden", ""),
        ("Milo Arden of the law firm Lamp Orr said", "Milo Arden of the law firm Lamp Orr", "Lamp Orr"),
        ("Party Chairman Milo Arden said", "Party Chairman Milo Arden", ""),
        ("A Harrow police guide, Milo Arden, told Orr that", "A Harrow police guide, Milo Arden", "Harrow police"),
        ("said the Harrow guard, Milo Arden, QC, “yes”", "the Harrow guard, Milo Arden, QC", ""),
        ("Milo Arden, a clerk at the Lamp Fund, said", "Milo Arden, a clerk at the Lamp Fund", "Lamp Fund"),
        ("said Milo Arden, a keeper who sold lamps, and", "Milo Arden, a keeper", ""),
        ("his former lamp minister Milo Arden, 31.", "former lamp minister Milo Arden, 31", ""),
        ("After Milo Arden, the keeper said, they left", "Milo Arden", ""),
        ("Secretary of State Milo Arden left", "Secretary of State Milo Arden", ""),
        ("a former secretary of state Milo Arden left", "former secretary of state Milo Arden", ""),
        ("The sea of State Milo Arden left", "State Milo Arden", ""),
        ("Milo Arden, director of Lamp Lovers, left", "Milo Arden, director of Lamp Lovers", "Lamp Lovers"),
        ("Milo Arden, a clerk at the old Lamp Fund, left", "Milo Arden, a clerk at the old Lamp Fund", "Lamp Fund"),
        ("said his lamp aide, Milo Arden.", "his lamp aide, Milo Arden", ""),
        ("With his lamp aide, Milo Arden left", "Milo Arden", ""),
        ("As the lamp keeper, Milo Arden left", "Milo Arden", ""),
        ("said Harrow’s lamp minister, Milo Arden.", "Harrow’s lamp minister, Milo Arden", ""),
        ("Milo Arden, who sold lamps, left", "Milo Arden", ""),
        (
            "Milo Arden, a teacher of law at Orr College, left",
            "Milo Arden, a teacher of law at Orr College",
            "Orr College",
        ),
        ("Milo Arden of the small Lamp Fund left", "Milo Arden of the small Lamp Fund", "Lamp Fund"),
        ("Milo Arden of the North left", "Milo Arden", ""),
        ("Milo Arden (D-Ohio), head of the Lamp Fund, left", "Milo Arden (D-Ohio), head of the Lamp Fund", "Lamp Fund"),
        ("Milo Arden (D-Ohio) left the fund, too", "Milo Arden (D-Ohio)", ""),
        (
            "Harbour Council chairman Milo Arden, R-Ky., left",
            "Harbour Council chairman Milo Arden, R-Ky.",
            "Harbour Council",
        ),
        ("Milo Arden (Ohio) left", "Milo Arden", ""),
        ("Milo Arden (left), head of the Lamp Fund, left", "Milo Arden", ""),
        ("Milo Arden, leader of the Lamp caucus, left", "Milo Arden, leader of the Lamp caucus", "Lamp caucus"),
        ("said the UN envoy, Milo Arden.", "the UN envoy, Milo Arden", "UN"),
        (
            "Milo Arden, head for Asian mills at the Lamp Fund, left",
            "Milo Arden, head for Asian mills at the Lamp Fund",
            "Lamp Fund",
        ),
        ("They told Milo Arden, and left", "Milo Arden", ""),
        ("Orr campaign chief Milo Arden left", "Orr campaign chief Milo Arden", "Orr campaign"),
        ("Ada Orr left. Orr spokesman Milo Arden left", "Orr spokesman Milo Arden", ""),
        ("The Orr spokesman Milo Arden left", "Orr spokesman Milo Arden", "Orr"),
        ("White House hopeful Milo Arden left", "White House hopeful Milo Arden", ""),
        ("Milo Arden, head of One Mill Now, left", "Milo Arden, head of One Mill Now", "One Mill Now"),
        (
            "Milo Arden, a clerk on the Lamp Committee, left",
            "Milo Arden, a clerk on the Lamp Committee",
            "Lamp Committee",
        ),
        ("Milo Arden, a clerk in Rome, left", "Milo Arden, a clerk in Rome", ""),
        ("They spoke to former keeper Milo Arden", "former keeper Milo Arden", ""),
        ("Milo Arden, “the keeper of lamps”, left", "Milo Arden", ""),
    ],
)
def test_an_introduction_has_the_titles_before_and_the_descriptions_after(
    text: str, words: str, affiliation: str
) -> None:
    start = text.index("Milo")
    found = introduction(text, Span(start, start + len("Milo Arden")))
    assert (text[slice(*found.span)], found.affiliation) == (words, affiliation)


@pytest.mark.parametrize(
    ("selected", "kind", "name"),
    [
        ("KING-TV", "institution", "KING-TV"),
        ("Harbour Times’s", "institution", "Harbour Times"),
        ("Ada Orr, a founder of the party", "person", "Ada Orr"),
        ("the Harbour Times", "institution", "Harbour Times"),
        ("ADA ORR", "person", "ADA ORR"),
        ("Harbour Times clerk Milo Pelt", "person", "Milo Pelt"),
        ("the group", "institution", ""),
        ("the central bank", "institution", "central bank"),
        ("The Movement for Orr Lives", "institution", "Movement for Orr Lives"),
        ("Ada Orr of the Mill", "person", "Ada Orr"),
        ("Investors", "group", ""),
        ("Ada Orr’s lawyer", "person", ""),
        ("Ada Orr's allies", "group", ""),
        ("Ada Orr and Ben Pelt", "group", ""),
        ("Mayor Ada Orr, a miller, and former Mayor Ben Pelt", "group", ""),
        ("Ada and Ben Orr", "group", ""),
        ("Trade and Industry Secretary Ada Orr", "person", "Ada Orr"),
        ("Ben Pelt, a guard and Ada Orr supporter", "person", "Ben Pelt"),
        ("some of the keepers", "group", ""),
        ("keepers, many of whom", "group", ""),
        ("federal data", "institution", "federal data"),
        ("the letter", "institution", "letter"),
        ("The Lamp House miller", "person", ""),
        ("The Lamp House miller, Ada Orr,", "person", "Ada Orr"),
    ],
)
def test_selected_words_are_proposed_as_the_institution_or_person_that_they_name(
    tmp_path: Path, selected: str, kind: str, name: str
) -> None:
    text = f"The pipes burst\n\nIt was {selected} that came.\n"
    _, document = drafted(tmp_path, text)
    at = text.index(selected)
    values = proposed_mention(document, Span(at, at + len(selected))).values
    assert (values["kind"], values["name"]) == (kind, name)


@pytest.mark.parametrize(
    ("sentence", "proposed"),
    [
        ("The 10-year Treasury note fell.", "reason: name\n"),
        ("The 500-stock index rose.", "reason: name\n"),
        ("Pelt sold a 9mm firearm.", "reason: name\n"),
        ("Pelt sold a .45-caliber semiautomatic pistol.", "reason: name\n"),
        ("Pelt left a 9 mm gap.", "hedge: exact\n"),
        ("A 10-year prison sentence ended.", "unit: year\n"),
        ("It killed 49 people. All 49 were old.", "repeats: f1"),
        ("It killed 49 people. The names of the 49 Rome victims were read.", "repeats: f1"),
        ("It killed 49 people. Then 49 people left.", "id: f2"),
        ("It killed 49 people. All 48 were old.", "id: f2"),
    ],
)  # fmt: skip
def test_a_repeated_number_or_a_name_is_a_waiver(sentence: str, proposed: str) -> None:
    assert proposed in filled(FILLER + sentence)


@pytest.mark.parametrize(
    ("quoted", "is_repeat"), [("‘Gone for Good.’", True), ("‘Good for Gone.’", False), ("‘Gone for Go.’", False)]
)
def test_a_headline_repeats_the_same_words_whatever_their_capital_letters(quoted: str, is_repeat: bool) -> None:
    text = f"Millers See the Old Mill As {quoted}\n\nThe mill was open. “The mill is gone for good,” Ada Orr said.\n"
    drafted = filled(text)
    assert ("reason: repeat\n    repeats: t1\n" in drafted) == is_repeat
    assert drafted.count("mode: direct") == 1 + (not is_repeat)


def test_todo_offers_to_waive_what_a_headline_quotes_from_the_article(copied: Path) -> None:
    text = "Millers See the Old Mill As ‘Gone for Good.’\n\n“The mill is gone for good,” Ada Orr said.\n"
    (copied / "seeds/903_mill.txt").write_text(text, encoding="utf-8")
    drafted = filled(text).replace("example.txt", "903_mill.txt")
    head, waiver, _ = drafted.rpartition("waivers:")
    (copied / "annotations/903_mill.yaml").write_text(f"{head}{waiver} []\n", encoding="utf-8")
    shown = run("todo", "903_mill", where=copied).stdout
    assert "reason: repeat" in shown
    assert "testimonies:" not in shown


@pytest.mark.parametrize(
    ("start", "is_note"),
    [
        ("Editor’s note:", True),
        ("[Editors' Note:", True),
        ("The editor’s note:", False),
        ("Editor’s notes show that", False),
    ],
)
def test_an_editors_note_is_boilerplate_in_which_nobody_speaks(start: str, is_note: bool) -> None:
    text = f"A title of a mill\n\nThe mill was open.\n\n{start} Ada Orr has said 40 times that the mill was open.\n"
    draft = filled(text)
    assert ("boilerplate" in draft) == is_note
    assert ("testimonies: []" in draft and "figures: []" in draft) == is_note
