"""Input that looks like what is allowed: other scripts, invisible characters, directives, and files of other kinds."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from mistakes import (
    DATASET,
    SEED,
    SPEAKERS,
    VOCABULARY,
    A,
    Act,
    B,
    Bad,
    as_of,
    both,
    figure,
    folder,
    gone,
    link,
    repinned,
    swap,
    turned,
    words,
)

HEDGE = "    hedge: about\n"
COMMENT = "note: A pull quote."


def comment(typed: str) -> Act:
    return swap(A, COMMENT, f"{COMMENT} # {typed}")


def number(typed: str) -> Act:
    return figure("value", "40", typed)


def before(typed: str) -> Act:
    """Begin the annotations with lines of another kind."""
    return turned(A, lambda data: typed.encode() + data)


def after(typed: str) -> Act:
    return turned(A, lambda data: data + typed.encode())


def pipe(file: str) -> Act:
    return both(gone(file), lambda root: os.mkfifo(root / file))


def a_socket(root: Path) -> None:
    (root / SEED).unlink()
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(root)  # the path of a socket is short
        try:
            one.bind(SEED)
        finally:
            os.chdir(here)


LOOKALIKES: dict[str, Act] = {
    "a comment that is turned around": comment("\u202eerutcip A"),
    "a comment with an isolate": comment("\u2066a picture"),
    "an embedding in a quotation": words("two \u202binns"),
    "Arabic digits": number("٤٠"),
    "Devanagari digits": number("४०"),
    "full-width digits": number("４０"),
    "bold digits": number("𝟒𝟎"),
    "a superscript digit": number("4²"),
    "Roman numerals": number("ⅩⅬ"),
    "a fraction behind a number": number("40½"),
    "a sign that is no hyphen": number("−40"),
    "a thin space between digits": swap(A, "    value: 1600\n", "    value: 1\u2009600\n"),
    "a separator of another script": swap(A, "    value: 1600\n", "    value: 1٬600\n"),
    "a low line between digits": swap(A, "    value: 1600\n", "    value: 1_600\n"),
    "a number to base sixteen": swap(A, "    value: 1600\n", "    value: 0x640\n"),
    "a number with an exponent": swap(A, "    value: 1600\n", "    value: 1.6e3\n"),
    "a year in other digits": as_of("٢٠١٩"),
    "a date with a dash": as_of("2019–03"),
    "a date with slashes": as_of("03/2019"),
    "a key as a block": after("? |\n  waivers\n: []\n"),
    "a key that is a mapping": after("? {a: b}\n: b\n"),
    "a value without a key": after(": b\n"),
    "a directive of tags": before("%TAG ! tag:example.org,2000:\n---\n"),
    "a directive that YAML does not have": before("%INCLUDE other.yaml\n---\n"),
    "a version that YAML does not have": before("%YAML 3.0\n---\n"),
    "a version twice": before("%YAML 1.2\n%YAML 1.2\n---\n"),
    "a directive in the middle": after("...\n%TAG ! tag:example.org,2000:\n---\n"),
    "a local tag": swap(A, "    value: 1600\n", "    value: !number 1600\n"),
    "a tag in full": swap(A, "    value: 1600\n", "    value: !<tag:yaml.org,2002:int> 1600\n"),
    "an anchor without a name": words("& two inns"),
    "a variation selector": words("two inns\ufe0f"),
    "a variation selector of the upper range": words("two inn\U000e0100s"),
    "the Kelvin sign": swap(
        A,
        "Nearly 40 lighthouse keepers have left the Northern Isles\n",
        "Nearly 40 lighthouse \u212aeepers have left the Northern Isles\n",
    ),
    "a ligature": words("two i\ufb01ns"),
    "a letter that is an apostrophe": swap(A, '"It’s quiet tonight,"', '"Itʼs quiet tonight,"'),
    "a prime": swap(A, '"It’s quiet tonight,"', '"It′s quiet tonight,"'),
    "a Greek letter": words("twο inns"),
    "full-width letters": words("ｔｗｏ inns"),
    "bold letters of mathematics": words("𝐭𝐰𝐨 inns"),
    "a letter without its dot": words("two ınns"),
    "a joiner without width": words("two in\u200dns"),
    "a joiner of words": words("two\u2060 inns"),
    "a mark of another script": words("two in\u061cns"),
    "a filler": words("two in\u3164ns"),
    "letters that are tags in a quotation": words("two inns\U000e0041"),
    "a blank of Braille": words("two\u2800inns"),
    "an ideographic space": words("two\u3000inns"),
    "the space of a figure": words("two\u2007inns"),
    "a stroke through a letter": words("two i\u0336nns"),
    "a letter for private use": words("two inns\ue000"),
    "curly quotation marks around a value": words("“two inns”"),
    "a look-alike letter in a key": swap(A, HEDGE, "    hеdge: about\n"),
    "a look-alike letter in a hedge": swap(A, HEDGE, "    hedge: аbout\n"),
    "a look-alike letter in a name": swap(SPEAKERS, "name: Bruno Salt", "name: Вruno Salt"),
    "a full-width colon": swap(A, HEDGE, "    hedge： about\n"),
    "a no-break space after a colon": swap(A, HEDGE, "    hedge:\u00a0about\n"),
    "a no-break space before a key": swap(A, HEDGE, "\u00a0   hedge: about\n"),
    "a seed that is turned around, pinned": repinned(swap(SEED, "two inns", "two \u202einns")),
    "a seed that is a socket": a_socket,
    "annotations that are a pipe": pipe(B),
    "a vocabulary that is a pipe": pipe(VOCABULARY),
    "comparisons that are a pipe": pipe("annotations/comparisons.yaml"),
    "a dataset that is a folder": folder(DATASET),
    "a dataset that is a device": link(DATASET, lambda _: Path("/dev/null")),
    "annotations that a process writes": link(B, lambda _: Path("/proc/self/status")),
}

ALIKE = [Bad("lookalikes", name, act) for name, act in LOOKALIKES.items()]
