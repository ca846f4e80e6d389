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
    "full-width digits": number("４０"),
    "a key as a block": after("? |\n  waivers\n: []\n"),
    "a key that is a mapping": after("? {a: b}\n: b\n"),
    "a value without a key": after(": b\n"),
    "a directive of tags": before("%TAG ! tag:example.org,2000:\n---\n"),
    "a directive that YAML does not have": before("%INCLUDE other.yaml\n---\n"),
    "a local tag": swap(A, "    value: 1600\n", "    value: !number 1600\n"),
    "an anchor without a name": words("& two inns"),
    "a variation selector": words("two inns\ufe0f"),
    "the Kelvin sign": swap(
        A,
        "Nearly 40 lighthouse keepers have left the Northern Isles\n",
        "Nearly 40 lighthouse \u212aeepers have left the Northern Isles\n",
    ),
    "a prime": swap(A, '"It’s quiet tonight,"', '"It′s quiet tonight,"'),
    "curly quotation marks around a value": words("“two inns”"),
    "a look-alike letter in a key": swap(A, HEDGE, "    hеdge: about\n"),
    "a look-alike letter in a hedge": swap(A, HEDGE, "    hedge: аbout\n"),
    "a look-alike letter in a name": swap(SPEAKERS, "name: Bruno Salt", "name: Вruno Salt"),
    "a full-width colon": swap(A, HEDGE, "    hedge： about\n"),
    "a no-break space after a colon": swap(A, HEDGE, "    hedge:\u00a0about\n"),
    "a seed that is turned around, pinned": repinned(swap(SEED, "two inns", "two \u202einns")),
    "a seed that is a socket": a_socket,
    "a vocabulary that is a pipe": pipe(VOCABULARY),
    "a dataset that is a folder": folder(DATASET),
    "a dataset that is a device": link(DATASET, lambda _: Path("/dev/null")),
    "annotations that a process writes": link(B, lambda _: Path("/proc/self/status")),
}

ALIKE = [Bad("lookalikes", name, act) for name, act in LOOKALIKES.items()]
