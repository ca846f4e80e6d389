"""Characters that look alike, the differences between two wordings, and words that are left out."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from defectors_data.text.offsets import Span

# ---- characters that look alike ------------------------------------------------------------------

QUOTATION_MARKS = "'\"`´‘’‚‛“”„‟‹›«»′″ʹʻʼʽˈ＇＂"
_SPACES = " \t\n\r\u00a0\u1680\u202f\u205f\u2800\u3000"
_SPACES += "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
ALIKE = (
    QUOTATION_MARKS,
    "-‐‑‒–—―−－",
    _SPACES,
)
"""Quotation marks and apostrophes, dashes and hyphens, and spaces."""
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff\u0334-\u0338"
)
"""Invisible characters: Unicode's Default_Ignorable_Code_Point, and combining strokes."""
UNSEEN = re.compile(f"[{INVISIBLE}]")
"""An invisible character inside a word."""

WORD = re.compile(rf"\d+(?:[.,:]\d+)+|[^\Wʼ](?:[^\Wʼ]|[\u0300-\u036f{INVISIBLE}])*")
"""A word, or a number with its separators."""
STOPS = frozenset(".,;:!?\u037e")
"""Punctuation after words."""

FOLDS = {ord(member): group[0] for group in ALIKE for member in group if member != "\n"}
"""Table for `str.translate` with one style of marks and spaces; it keeps the length."""


def fold(words: str) -> str:
    """Return words in lower case with one style of quotation marks, dashes and spaces.

    The length stays the same.
    """
    lower = words.lower()
    # A few letters become two in lower case, such as İ, which would shift all offsets after them.
    if len(lower) != len(words):
        lower = "".join(_lower(character) for character in words)
    return lower.translate(FOLDS)


def _lower(character: str) -> str:
    """Return a character in lower case, or unchanged if that is longer."""
    lower = character.lower()
    return lower if len(lower) == 1 else character


def key(piece: str) -> str:
    """Return a form of a piece of text that is equal for pieces that look alike."""
    return fold(unicodedata.normalize("NFKC", UNSEEN.sub("", piece)))


# ---- differences ---------------------------------------------------------------------------------

_TOKEN = re.compile(rf"{WORD.pattern}|\W|ʼ")
_MOST_NAMED = 3
"""Maximum number of kinds of differences that are described; others are counted."""


class _WordDifference(NamedTuple):
    """A difference, as the positions of its pieces in what was typed and in the seed."""

    i: int
    i_end: int
    j: int
    j_end: int


class _Sentence(NamedTuple):
    """A sentence about a difference at a typed character, from 1; once for each kind."""

    kind: str
    at: int
    sentence: str


def difference(typed: str, seed: str, *, discreet: bool = False, name: str = "seed") -> str:
    """Return sentences on the differences of what was typed from the seed, called `name`.

    If `discreet`, typed words are shown only if they differ from the seed's in nothing but case,
    encoding, invisible characters, or characters that look alike.
    """
    mine, theirs = _TOKEN.findall(typed), _TOKEN.findall(seed)
    found = dict[str, list[_Sentence]]()
    for i, i_end, j, j_end in _steps(mine, theirs):
        runs = "".join(mine[i:i_end]), "".join(theirs[j:j_end])
        for said in _sentences(*runs, len("".join(mine[:i])) + 1, discreet=discreet, name=name):
            found.setdefault(said.kind, []).append(said)
    kinds = [*found.values()]
    sentences = [_once(kind) for kind in kinds[:_MOST_NAMED]]
    more = sum(len(kind) for kind in kinds[_MOST_NAMED:])
    if more:
        sentences.append(f"Further differences: {more}.")
    return " ".join(sentences)


def _once(said: Sequence[_Sentence]) -> str:
    """Return the first of several sentences of one kind, and where the others are."""
    others = [str(each.at) for each in said[1:]]
    if not others:
        return said[0].sentence
    also = "The same at"
    if said[0].kind == "case":
        also = "The case also differs at"
    if len(others) >= _MOST_NAMED:
        places = f"{len(others)} more places"
    elif len(others) > 1:
        places = f"characters {' and '.join(others)}"
    else:
        places = f"character {others[0]}"
    return f"{said[0].sentence} {also} {places}."


def _steps(mine: Sequence[str], theirs: Sequence[str]) -> list[_WordDifference]:
    """Return the differences in order; those inside a word or in adjacent marks are one."""
    steps = [*_edits(mine, theirs)]
    my_words, their_words = ([*filter(str.isalnum, map(key, pieces))] for pieces in (mine, theirs))
    # If only the order of words differs, everything between the outermost moved words is one
    # difference.
    if my_words != their_words and sorted(my_words) == sorted(their_words):
        moved = [k for k, step in enumerate(steps) if _has_word(step, mine, theirs)]
        first, last = moved[0], moved[-1]
        steps[first : last + 1] = [_joined(steps[first], steps[last])]
    found = list[_WordDifference]()
    for step in _with_spaces(steps, mine, theirs):
        if found and _is_one(found[-1], step, mine, theirs):
            i, i_end, j, j_end = _joined(found.pop(), step)
            has_word = _has_word(_WordDifference(i, i_end, j, j_end), mine, theirs)
            while (
                has_word and i and j and mine[i - 1] == theirs[j - 1] and not mine[i - 1].isspace()
            ):
                i, j = i - 1, j - 1
            while (
                has_word
                and mine[i_end : i_end + 1] == theirs[j_end : j_end + 1] != []
                and mine[i_end].isalnum()
            ):
                i_end, j_end = i_end + 1, j_end + 1
            step = _WordDifference(i, i_end, j, j_end)  # noqa: PLW2901  # extended
        found.append(step)
    return found


def _edits(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[_WordDifference]:
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    edited: _WordDifference | None = None
    for each in Levenshtein.opcodes([*map(key, mine)], [*map(key, theirs)]):
        i, i_end, j, j_end = each.src_start, each.src_end, each.dest_start, each.dest_end
        if each.tag != "equal":
            # adjacent edits are one
            edited = _joined(
                edited or _WordDifference(i, i_end, j, j_end), _WordDifference(i, i_end, j, j_end)
            )
            continue
        if edited:
            yield edited
        edited = None
        # Pieces that look alike are equal to the aligner, but may still differ in code points.
        pairs = zip(range(i, i_end), range(j, j_end), strict=True)
        yield from (_WordDifference(a, a + 1, b, b + 1) for a, b in pairs if mine[a] != theirs[b])
    if edited:
        yield edited


def _with_spaces(
    steps: Iterable[_WordDifference], mine: Sequence[str], theirs: Sequence[str]
) -> list[_WordDifference]:
    """Join two differences that a space separates, if only spaces differ between them."""

    def letters(pieces: Sequence[str]) -> str:
        return "".join(map(key, pieces)).replace(" ", "")

    found = list[_WordDifference]()
    for step in steps:
        if (
            found
            and step.i - found[-1].i_end == 1 == step.j - found[-1].j_end
            and mine[step.i - 1] == " "
        ):
            i, i_end, j, j_end = _joined(found[-1], step)
            if i_end - i != j_end - j and letters(mine[i:i_end]) == letters(theirs[j:j_end]):
                spaced = mine[i_end - 1] == theirs[j_end - 1] == " "
                found[-1] = _WordDifference(i, i_end - spaced, j, j_end - spaced)
                continue
        found.append(step)
    return found


def _joined(one: _WordDifference, other: _WordDifference) -> _WordDifference:
    return _WordDifference(one.i, other.i_end, one.j, other.j_end)


def _has_word(step: _WordDifference, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    return any(
        piece[0].isalnum() for piece in (*mine[step.i : step.i_end], *theirs[step.j : step.j_end])
    )


def _is_one(
    one: _WordDifference, other: _WordDifference, mine: Sequence[str], theirs: Sequence[str]
) -> bool:
    """Return whether two differences that follow each other are named as one."""
    words = [_has_word(step, mine, theirs) for step in (one, other)]
    if not any(words):
        return (one.i_end, one.j_end) == (other.i, other.j)
    if any(piece.isspace() for piece in mine[one.i : other.i_end]):
        return False
    # A mark at the end of a word, such as a quotation mark, is a separate difference.
    return all(
        has or _is_inside_word(step, mine) for step, has in zip((one, other), words, strict=True)
    )


def _is_inside_word(step: _WordDifference, mine: Sequence[str]) -> bool:
    around = (
        (mine[step.i - 1], mine[step.i_end]) if step.i > 0 and step.i_end < len(mine) else (" ",)
    )
    return all(piece[0].isalnum() for piece in around)


def word_changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield each run of words in order: in both (`=`), `before` (`-`) or `after` (`+`)."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    for step in Levenshtein.opcodes(old, new):
        mine, theirs = old[step.src_start : step.src_end], new[step.dest_start : step.dest_end]
        runs = [("=", mine)] if step.tag == "equal" else [("-", mine), ("+", theirs)]
        yield from ((sign, "".join(words)) for sign, words in runs if words)


def _sentences(typed: str, seed: str, at: int, *, discreet: bool, name: str) -> Iterator[_Sentence]:
    """Yield sentences on a difference at the typed character `at`, from 1."""

    def located(sentence: str, i: int = 0) -> _Sentence:
        return _Sentence(sentence, at + i, f"{sentence} at character {at + i}.")

    def replaced(mine: str, theirs: str, i: int = 0) -> _Sentence:
        return located(f"Yours has {mine}, the {name} {theirs},", i)

    # From the most specific sentence to the least: the order of these tests matters.
    pairs = list[int]()
    if len(typed) == len(seed):
        pairs = [i for i in range(len(typed)) if typed[i] != seed[i]]
    are_foreign = all(typed[i].isascii() != seed[i].isascii() for i in pairs)
    foreign = bool(pairs) and not discreet and are_foreign
    are_alike = any(typed in members and seed in members for members in ALIKE)
    if len(typed) == len(seed) == 1 and are_alike:
        yield replaced(_named(typed), _named(seed))
    elif foreign and len(pairs) <= _MOST_NAMED:
        yield from (replaced(_named(typed[i]), _named(seed[i]), i) for i in pairs)
    elif typed and typed.lower() == seed.lower() and typed.isascii() == seed.isascii():
        sentence = f"Yours has “{typed}”, the {name} “{seed}”, at character {at}: the case differs."
        yield _Sentence("case", at, sentence)
    elif typed and seed and UNSEEN.sub("", typed) == UNSEEN.sub("", seed):
        for hit in UNSEEN.finditer(typed):
            yield located(f"Yours has an extra {_named(hit[0])}", hit.start())
        for hit in UNSEEN.finditer(seed):
            yield located(f"Yours lacks {_named(hit[0])}", hit.start())
    elif unicodedata.normalize("NFC", typed) == unicodedata.normalize("NFC", seed):
        i = next(i for i in range(len(typed)) if typed[i] != seed[i : i + 1])
        letter = unicodedata.normalize("NFC", typed[i : i + 2])[:1]
        yield located(f"Yours encodes {letter} with different code points from the {name}", i)
    elif (
        unicodedata.normalize("NFKC", typed) == unicodedata.normalize("NFKC", seed)
        and not {*typed} & STOPS
    ):
        yours, its = _named_compatible(typed), _named_compatible(seed)
        sentence = f"Yours has {yours}, the {name} {its}, in the word at character {at}."
        yield _Sentence(yours + its, at, sentence)
    elif not typed:
        yield located(f"Yours lacks {_shown_run(seed)}")
    elif sorted(my := _words(typed)) == sorted(theirs := _words(seed)) and my != theirs:
        sentence = f"The order differs at character {at}."
        if not discreet:
            has = f"Yours has {_shown_run(typed)}, the {name} {_shown_run(seed)}"
            sentence = f"{has}, at character {at}: the order differs."
        yield _Sentence(sentence, at, sentence)
    elif discreet and not seed:
        yield _Sentence("extra", at, f"Yours has extra {_kind_of(typed)} at character {at}.")
    elif discreet:
        yield _Sentence(
            f"{at}", at, f"The words differ at character {at}; the {name} has {_shown_run(seed)}."
        )
    elif not seed:
        yield located(f"Yours has an extra {_shown_run(typed)}")
    else:
        yield replaced(_shown_run(typed), _shown_run(seed))


def _kind_of(run: str) -> str:
    if any(character.isalnum() for character in run):
        return "words"
    return "spaces" if run.isspace() else "marks"


def _words(run: str) -> list[str]:
    keys = [key(token) for token in _TOKEN.findall(run)]
    return [each for each in keys if each.isalnum()]


def _named_compatible(words: str) -> str:
    """Return the name of the first character of words that NFKC changes, such as a ligature."""
    for character in words:
        if unicodedata.normalize("NFKC", character) != character:
            return _named(character)
    return "plain letters"


_MOST_SHOWN = 60
"""Maximum number of code points of a run that are shown."""


def _shown_run(words: str) -> str:
    """Return a run in quotation marks, or the names of its hidden or similar characters."""
    unseen = all(c.isspace() or not c.isprintable() or UNSEEN.match(c) for c in words)
    if (unseen and len(words) <= _MOST_NAMED) or (
        len(words) == 1 and (ord(words) in FOLDS or not words.isascii())
    ):
        if unseen or not words.isalnum():
            return " and ".join(_named(c) for c in words)
        return f"“{words}”"
    shown = words[:_MOST_SHOWN]
    if len(words) > _MOST_SHOWN:
        shown += "…"
    # Words that contain quotation marks are put in backticks, which show where they end.
    if {*"“”"} & {*shown} and "`" not in shown:
        return f"`{shown}`"
    return f"“{shown}”"


def _named(character: str) -> str:
    is_blank = fold(character) == " " or not character.isprintable()
    shown = character
    if is_blank or UNSEEN.match(character):
        shown = ""
    unnamed = _CONTROLS.get(character) or _UNNAMED.get(
        unicodedata.category(character), "control character"
    )
    return f"U+{ord(character):04X} {shown or unicodedata.name(character, unnamed).lower()}"


_CONTROLS = {
    "\t": "tab",
    "\n": "line feed",
    "\v": "line tabulation",
    "\f": "form feed",
    "\r": "carriage return",
}
_UNNAMED = {"Co": "private-use character", "Cn": "unassigned character"}


# ---- words left out between parts ----------------------------------------------------------------

OMISSION = re.compile(
    r"\[\s*(?:…|\.\s?\.(?:\s?\.)?)\s*\]|[(<]\s*(?:…|\.\s?\.\s?\.)\s*[)>]"
    r"|…|\.\s?\.\s?\.(?!\.)|\*\s?\*\s?\*"
)
"""A mark of omission, such as an ellipsis."""

NEGATION = r"not|never|no|nor|cannot|nobody|neither|none|den(?:y|ies|ied|ying)"
"""Words that deny a clause, as alternatives of a regular expression."""
_NEGATION = re.compile(
    rf"(?i:\b(?:{NEGATION}|nothing|nowhere|without|hardly|barely|scarcely|unlikely"
    r"|refus(?:e|es|ed|ing)|fail(?:s|ed|ing)?)\b|n['’]t\b)"
)
_ATTRIBUTION = re.compile(r"\W*[”\"»][^“”\"«»]*[“\"«]\W*")
"""Words between two quotations, which are not left out of either of them."""
_END_OF_SENTENCE = re.compile(r"[.!?]['\"”’»)]*\s+|\n")


def has_negation(words: str) -> bool:
    """Return whether words have a negation."""
    return _NEGATION.search(words) is not None


def hidden_negation(text: str, before: Span, after: Span) -> str | None:
    """Return the words left out between two parts if they contain a negation, otherwise None.

    Whole sentences may be left out, and so may the words between two quotations.
    """
    gap = text[before.end : after.start]
    if _ATTRIBUTION.fullmatch(gap):
        return None
    # The end of a sentence may be in a part, so the character before the gap is included.
    ends = list(_END_OF_SENTENCE.finditer(text, max(before.end - 2, before.start), after.start))
    first = ends[0].start() if ends else after.start
    last = ends[-1].end() if ends else before.end
    pieces = text[before.end : max(first, before.end)], text[last : after.start]
    return gap.strip() if any(map(has_negation, pieces)) else None


# ---- differences that are not seen ---------------------------------------------------------------

_KINDS: Mapping[str, Mapping[str, str]] = {
    "quotation mark or apostrophe": dict.fromkeys("‘’", "'") | dict.fromkeys("“”", '"'),
    "no-break space": dict.fromkeys("\u00a0\u202f\u2007", " "),
    "soft hyphen": {"\u00ad": ""},
    "zero-width character": dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    "ligature": {
        chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)
    },
    "length of a dash": dict.fromkeys("‐‑‒–—", "-"),
}
"""Characters that are easily mistaken for others, by the name of the difference."""
_NUMBER = re.compile(r"\W{0,9}\d\W{0,9}")  # a digit and the marks next to it


def unseen_difference(words: Sequence[str], text: str) -> tuple[str, list[str]] | None:
    """Return the one kind of character in which adjacent words differ, and the text's words.

    Return None if they differ in any other way, if the difference is next to a digit, or if the
    text has the words in several forms.
    """
    typed = "".join(words)
    for name, table in _KINDS.items():
        plain = _replaced(text, table)
        needle = _replaced(typed, table)
        if not needle or needle not in plain:
            continue
        found = _forms(words, text, table)
        if len(found) > 1:
            return None
        form = found.pop()
        seed = "".join(form)
        is_number = _NUMBER.findall(typed) != _NUMBER.findall(seed)
        # False if the words end inside a ligature.
        is_same = _replaced(seed, table) == needle
        if is_same and not is_number:
            return (name, list(form))
        return None
    return None


def _replaced(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)


def _forms(words: Sequence[str], text: str, table: Mapping[str, str]) -> set[tuple[str, ...]]:
    """Return the forms that adjacent words have in a text, apart from the characters of a table."""
    replaced = [_replaced(word, table) for word in words]
    needle, plain = "".join(replaced), _replaced(text, table)
    # The ends, in the text with replaced characters, of each character of the text.
    ends = list(accumulate(len(table.get(character, character)) for character in text))
    forms = set()
    # The lookahead also finds occurrences that overlap.
    for hit in re.finditer(f"(?={re.escape(needle)})", plain):
        cuts, at = [bisect_right(ends, hit.start())], hit.start()
        for word in replaced:
            at += len(word)
            if at == hit.start():  # only empty words so far
                cuts.append(cuts[0])
            else:
                cuts.append(bisect_left(ends, at) + 1)
        forms.add(tuple(text[start:end] for start, end in pairwise(cuts)))
    return forms
