"""What is odd but legal is accepted: the same content in other notation, and other content that is sound.

The invented corpus is written otherwise, or holds something unusual, and has no finding. Where only the notation
differs, what was read is equal too.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import INVENTED, documents_of, found_in, repin, spread
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.package import verify
from mistakes import DATASET, SECOND, SEED, SPEAKERS, VOCABULARY, A, Act, B, as_of, both, note, repinned, swap, words


def turned(file: str, change: Callable[[str], str]) -> Act:
    """Make a file hold something else, made from what it held; line ends are as they come."""

    def act(root: Path) -> None:
        path = root / file
        path.write_bytes(change(path.read_bytes().decode()).encode())

    return act


def beside(file: str, text: str) -> Act:
    """Put a file beside the others."""

    def act(root: Path) -> None:
        (root / file).write_text(text, encoding="utf-8")

    return act


def told(typed: str) -> Act:
    """Type the words of a testimony in another way."""
    return swap(A, "evidence: In the fog he lost an oar and drifted until morning.\n", f"evidence: {typed}\n")


def retyped(file: str, dump: Callable[[Any], str]) -> Act:
    """Write a file anew, by a program."""
    return turned(file, lambda text: dump(yaml.load(text, Loader=yaml.CBaseLoader)))  # noqa: S506  # text alone


def reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(item) for item in value] if isinstance(value, list) else value


def dumped(**options: Any) -> Callable[[Any], str]:
    return lambda value: str(yaml.safe_dump(value, sort_keys=False, **options))


def explicit(text: str) -> str:
    """Write the keys of the source as `? key` and `: value`."""
    return re.sub(r"^  (language|rights): (.+)$", r"  ? \1\n  : \2", text, flags=re.MULTILINE)


SAME: dict[str, Act] = {
    "single quotation marks": words("'two inns'"),
    "double quotation marks": words('"two inns"'),
    "escapes": words(r'"\x74wo\u0020inn\U00000073"'),
    "words on the next line": words("\n      two inns"),
    "words on two lines": told("In the fog he lost an oar\n      and drifted until morning."),
    "words on two lines, in double quotation marks": told(
        '"In the fog he lost an oar\n      and drifted until morning."'
    ),
    "a line that goes on behind a backslash": told(
        '"In the fog he lost an oar \\\n      and drifted until mor\\\n      ning."'
    ),
    "words on two lines, in single quotation marks": told(
        "'In the fog he lost an oar\n      and drifted until morning.'"
    ),
    "a block": words("|-\n      two inns"),
    "a block that ends with a line feed": words("|\n      two inns"),
    "a block that keeps its line feeds": words("|+\n      two inns\n\n"),
    "a block with its indentation told": words("|2-\n      two inns"),
    "a folded block": told(">-\n      In the fog he lost an oar\n      and drifted\n      until morning."),
    "a folded block that ends with a line feed": told(">\n      In the fog he lost an oar and drifted until morning."),
    "a block with a comment behind its sign": words("|- # as printed\n      two inns"),
    "a part in braces": words("{text: two inns}"),
    "a part in lines": words("\n      text: two inns"),
    "a list of one": words("[two inns]"),
    "a list of one in lines": words("\n      - two inns"),
    "a list that is not indented": turned(
        A, lambda text: text.replace("\n    - ", "\n  - ").replace("boilerplate:\n  - ", "boilerplate:\n  - ")
    ),
    "a dash on a line of its own": swap(A, "  - id: example-f2\n", "  -\n    id: example-f2\n"),
    "a comma behind the last item": swap(A, "themes: [hunger_pay, escape]", "themes: [hunger_pay, escape,]"),
    "brackets over several lines": swap(
        A, "themes: [hunger_pay, escape]", "themes: [\n      hunger_pay,\n      escape\n    ]"
    ),
    "no spaces between brackets": swap(A, "themes: [hunger_pay, escape]", 'themes: ["hunger_pay","escape"]'),
    "comments after keys, lists and quotation marks": turned(
        A, lambda text: re.sub(r"(?<=[\]:'\"])$", "  # as it is; é “–” 🙂", text, flags=re.MULTILINE)
    ),
    "a comment after an id": swap(A, "  - id: example-t1\n", "  - id: example-t1 # the keeper\n"),
    "comments on lines of their own": turned(A, lambda text: text.replace("\n", "\n# two inns: - [x]\n")),
    "a comment whose words the seed holds elsewhere": words('"two inns" # of them sleep'),
    "a tab before a comment": words('"two inns"\t# as printed'),
    "spaces at the ends of lines": turned(A, lambda text: text.replace("\n", "   \n")),
    "empty lines everywhere": turned(A, lambda text: text.replace("\n", "\n\n")),
    "no line feed at the end": turned(A, lambda text: text.rstrip("\n")),
    "many line feeds at the end": turned(A, lambda text: text + "\n" * 5000),
    "CRLF": turned(A, lambda text: text.replace("\n", "\r\n")),
    "line ends of both kinds": turned(A, lambda text: text.replace("\n  - id", "\r\n  - id")),
    "a byte order mark": turned(A, lambda text: "\ufeff" + text),
    "a byte order mark and CRLF in every file": both(
        *(
            turned(file, lambda text: "\ufeff" + text.replace("\n", "\r\n"))
            for file in (A, B, VOCABULARY, SPEAKERS, DATASET)
        )
    ),
    "the sign of a document's beginning": turned(A, lambda text: "---\n" + text),
    "the sign of a document's end": turned(A, lambda text: text + "...\n"),
    "a directive": turned(A, lambda text: "%YAML 1.2\n---\n" + text),
    "a whole document indented": turned(A, lambda text: re.sub("^(?=.)", "   ", text, flags=re.MULTILINE)),
    "keys in quotation marks": turned(
        A, lambda text: re.sub(r"^( +(?:- )?)(id|mode|hedge): ", r'\1"\2": ', text, flags=re.MULTILINE)
    ),
    "spaces before a colon": turned(
        A, lambda text: re.sub(r"^( +)(mode|hedge): ", r"\1\2 : ", text, flags=re.MULTILINE)
    ),
    "keys with a question mark": turned(A, explicit),
    "keys in another order": retyped(A, lambda value: dumped(allow_unicode=True)(reversed_keys(value))),
    "everything escaped, by a program": retyped(A, dumped()),
    "everything in quotation marks, by a program": retyped(A, dumped(default_style='"', width=40)),
    "everything in brackets, by a program": retyped(A, dumped(default_flow_style=True, width=60)),
    "JSON": retyped(A, json.dumps),
    "JSON with line feeds": retyped(A, lambda value: json.dumps(value, ensure_ascii=False, indent=1)),
    "keys that need not be there, without a value": swap(
        A, "  language: en\n  dateline", "  url:\n  note:\n  language: en\n  dateline"
    ),
    "numbers in quotation marks": swap(A, "    value: 1600\n", "    value: '1600'\n"),
    "a number with decimals that change nothing": swap(A, "    value: 1600\n", "    value: 1600.00\n"),
    "a flag that says what is so anyway": swap(
        A, "    reason: term\n", "    reason: term\n    every_occurrence: false\n"
    ),
    "hidden files beside the others": both(
        beside("annotations/.#900_example.yaml", "no: [YAML"),
        beside("annotations/._901_second.yaml", "\x05\x16"),
        beside("annotations/900_example.yaml~", "no: [YAML"),
        beside("seeds/.DS_Store.txt", "x"),
        beside("annotations/README.md", "# Two inns\n"),
    ),
    "files that only may be read": lambda root: (root / A).chmod(0o400),
}


@pytest.mark.parametrize("name", spread(SAME, 6))
def test_other_notation_says_the_same(copied: Path, name: str) -> None:
    SAME[name](copied)
    assert found_in(copied) == []
    before, after = documents_of(INVENTED), documents_of(copied)
    assert [document.content for document in after] == [document.content for document in before]
    contexts = [document[0].context for document in (before, after)]
    assert contexts[0].dataset.content == contexts[1].dataset.content
    assert dict(contexts[0].shared) == dict(contexts[1].shared)


# ---- other content -----------------------------------------------------------------------------------------


def moved(path: str, to: str) -> Act:
    """Move a file or folder within the project, and put a link in its place."""

    def act(root: Path) -> None:
        (root / to).parent.mkdir(exist_ok=True)
        (root / path).rename(root / to)
        (root / path).symlink_to(root / to)

    return act


def declared(word: str) -> Act:
    """Declare a word that no article prints under `names`."""
    return turned("dataset.yaml", lambda text: re.sub(r"(?m)^names: \[", f'names: ["{word}", ', text))


def printed(words: str, typed: str) -> Act:
    """Print words in the second seed before the end of a narrated testimony, and quote them."""
    return both(
        swap(SECOND, "crossed in a café", f"crossed {words} in a café"),
        swap(B, "      - crossed in a café owner’s boat.", f"      - {typed}"),
        lambda root: repin(root, "901_second"),
    )


def quoted(words: str) -> Act:
    """Print words in the second seed, and quote them as they stand, in double quotation marks."""
    return printed(
        words,
        json.dumps(f"crossed {words} in a café owner’s boat.", ensure_ascii=True),
    )


def as_typed(words: str) -> Act:
    """Print words in the second seed, and quote them without quotation marks."""
    return printed(words, f"crossed {words} in a café owner’s boat.")


def in_second(change: Callable[[str], str]) -> Act:
    """Change the second seed where nothing is quoted, and pin it."""
    return repinned(turned(SECOND, change), "901_second")


THIRD = """\
source: {id: third, seed: 902_third.txt, sha256: SUM, title: Another article,
  language: es-CO, completeness: none, rights: Nobody}
"""

ODD: dict[str, Act] = {
    "letters beyond the basic plane": as_typed("𝔴𝔦𝔱𝔥 🙂 𐍈"),
    "a family joined to one emoji": as_typed("with 👩\u200d👩\u200d👧\u200d👦 and 🏴\U000e0067\U000e0062\U000e007f"),
    "a combining mark": as_typed("cafx\u0301 by cafx\u0301"),
    "many combining marks": as_typed("Z\u0351\u036b\u0343a\u0321\u0353lgo"),
    "Arabic": as_typed("عبر البحر ليلا"),
    "Hebrew with points": as_typed("בְּרֵאשִׁית"),
    "marks of direction": quoted("\u2067עבר\u2069 and \u200fעבר\u200e"),
    "marks of direction, as they are": as_typed("\u2067עבר\u2069 and \u200fעבר\u200e"),
    "Chinese": as_typed("乘船渡海"),
    "Devanagari": as_typed("क्षत्रिय"),
    "no-break spaces": as_typed("in\u00a0the\u202fnight"),
    "joiners of other scripts": quoted("می\u200cرود by night"),
    "line separators": quoted("by\u2028 night \u2029 and day"),
    "a tab": quoted("by\tnight"),
    "a character of nobody": quoted("by \ue000 and \ufffe night"),
    "quotation marks inside words": as_typed("O'Neil-like"),
    "backslashes": as_typed(r"C:\new\x"),
    "what a formula begins with, inside": as_typed("=x+y @home"),
    "a space and # in quotation marks": quoted("on the # pier"),
    "a # that begins no comment": as_typed("in C# and F#"),
    "a quotation of five thousand letters": as_typed("and rowed on " * 400 + "at last"),
    "a word of five thousand letters": as_typed("r" + "o" * 5000 + "wed"),
    "HTML": as_typed("<b>boldly</b> &amp; </script>"),
    "an article of a million letters": in_second(lambda text: text + ("and the sea goes on " * 1000 + "\n") * 50),
    "the longest line": in_second(lambda text: text + "and so on " * 9_999 + "so it was."),
    "the longest run without a space": in_second(lambda text: text + "o" * 50_000),
    "as many words as are allowed": in_second(lambda text: text + ("so " * 990 + "\n") * 300),
    "as many lines as are allowed": in_second(lambda text: text.rstrip("\n") + "\n" * (100_000 - text.count("\n"))),
    "a paragraph in a script without spaces": as_typed("乘船渡海" * 4_500),
    "a thousand empty lines": in_second(lambda text: text + "\n" * 1000),
    "no line feed at the end of a seed": in_second(lambda text: text.rstrip("\n")),
    "spaces at the ends of a seed's lines": in_second(lambda text: text.replace("\n", "  \n")),
    "what a system and what editors leave among the seeds": both(
        *(beside(f"seeds/{name}", "7") for name in (".DS_Store", "900_example.txt~", "#900_example.txt#", ".x.swp"))
    ),
    "evidence over two lines, as a block": swap(A, '- "0\\nPlay Audio"', "- |-\n      0\n      Play Audio"),
    "evidence that is the whole of a paragraph": swap(
        A, "  dateline: PORT EXAMPLE\n", "  dateline: {text: PORT EXAMPLE, prefix: \"\\n\", suffix: ' —'}\n"
    ),
    "an article without records": both(
        beside("seeds/902_third.txt", "Another article\n"),
        beside("annotations/902_third.yaml", THIRD),
        lambda root: repin(root, "902_third"),
    ),
    "empty lists": both(
        beside("seeds/902_third.txt", "Another article\n"),
        beside("annotations/902_third.yaml", THIRD + "speakers: []\ntestimonies: []\nfigures: []\nwaivers: []\n"),
        lambda root: repin(root, "902_third"),
    ),
    "sections without a value": both(
        beside("seeds/902_third.txt", "Another article\n"),
        beside("annotations/902_third.yaml", THIRD + "speakers:\ntestimonies:\nfigures:\nwaivers:\n"),
        lambda root: repin(root, "902_third"),
    ),
    "a list of what was taken out, with nothing in it": beside("annotations/tombstones.yaml", "# nothing\n"),
    "terms that nobody uses": turned(
        VOCABULARY,
        lambda text: text.replace(
            "themes:\n",
            "themes:\n" + "".join(f"  - {{term: unused_{i:05}, definition: It is unused.}}\n" for i in range(2000)),
        ),
    ),
    "no, yes, null and a tilde as words": note("no, yes, null ~"),
    "a date as words": both(note("2019-05-02"), declared("2019-05-02")),
    "a sexagesimal number as words": both(note("1:30"), declared("1:30")),
    "a number as words": both(note("010"), declared("010")),
    "a note that is a list": note('"- one\\n- two"'),
    "a note that is HTML": note("'<cite>so</cite></script><!--'"),
    "a note of four thousand letters": note("so " * 1333),
    "a note with an emoji of several characters": note("seen 👩\u200d🚀"),
    "a colon, a # and braces in a note": note("so:as, in#on {of} [to] & * ! | > % @ `"),
    "an id of eighty letters": both(turned(A, lambda text: text.replace("mira-fenn", "m" * 80)), declared("m" * 80)),
    "an id of digits": turned(A, lambda text: text.replace("mira-fenn", "007")),
    "an id that other loaders take for false": turned(A, lambda text: text.replace("mira-fenn", "no")),
    "a name with accents": both(
        turned(SEED, lambda text: text.replace("Mira Fenn", "Míra Ø’Fênñ-Żółć")),
        turned(A, lambda text: text.replace("Mira Fenn", "Míra Ø’Fênñ-Żółć")),
        lambda root: repin(root, "900_example"),
    ),
    "a date that is about so": as_of("2019-03~"),
    "a date that is not sure": as_of("2019?"),
    "a span of dates": as_of("2019-03-01/2019-03-09"),
    "a span without an end": as_of("2019-03-01/.."),
    "a season": as_of("2019-21"),
    "a decade": as_of("201X"),
    "a link within the project": moved(SEED, "kept/900_example.txt"),
    "a folder that is a link within the project": moved("seeds", "kept/seeds"),
    "Unicode in the dataset's title": swap(DATASET, "title: Testimonies of", "title: Testimonies – “records” 🙂 – of"),
    "a later day of release": swap(DATASET, "released: 2020-02-29", "released: 9999-12-31"),
}


@pytest.mark.parametrize("name", spread(ODD, 6))
def test_odd_but_legal_values_are_accepted(copied: Path, name: str) -> None:
    ODD[name](copied)
    assert [finding.message for finding in found_in(copied)] == []


def test_a_project_may_be_a_link(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(copied)
    assert found_in(tmp_path / "link") == []


@pytest.mark.deep
def test_odd_but_legal_values_are_published_unchanged(copied: Path) -> None:
    """Every cell comes back equal from CSV and Parquet: the build proves it, and fails where it does not."""
    words = "by night \u2028 and day, =x+y\ttab \ufeff x\u0301 \u212a \u2067עבר\u2069 🏴\U000e0067 </script>"
    printed(words, in_yaml(f"crossed {words} in a café owner’s boat."))(copied)
    assert found_in(copied) == []
    assert build(CorpusReader(FileTree(copied)), copied / "dist").outcome == "published"
    assert unicodedata.normalize("NFC", words) != words
    data = (copied / "dist/data/testimonies.csv").read_bytes().decode()
    assert words.replace('"', '""') in data
    assert verify.main([str(copied / "dist"), "--seeds", str(copied / "seeds")]) == 0
