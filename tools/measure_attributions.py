"""Measure the reader of attributions on annotated public news.

`python tools/measure_attributions.py [--list] PATH...` reads the brat files of PolNeAR (`Source`, `Cue`, `Content`)
below each path and prints shares. Nothing of the text is stored. Of a text that several persons annotated, the first
file is read. `--list` prints each wrong source.

An annotated attribution is `direct` if all letters of its content are between quotation marks, `partly quoted` if some
are, else `indirect`. Its cue is found if a cue that was read overlaps it. Its content is found if half of its letters
are in one content that was read, and half of the letters of that in it. Precision is the share of read attributions
whose cue is annotated. A source is right if the head that was read is in the annotated source, with no preposition
before it there: "President Vane" is wrong for "a spokesman for President Vane".
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from defectors_data.text.attributions import FoundAttribution, attributions
from defectors_data.text.detection import outermost_quotations
from defectors_data.text.english import reporting_verbs
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.offsets import Span, overlaps
from measure_detection import text_of

KINDS = ("direct", "partly quoted", "indirect")
_PREPOSITION = re.compile(r"\b(?:of|for|from|in|at|to|with|by|on|about|and)\b")


class AnnotatedAttribution(NamedTuple):
    """An annotated attribution of a text."""

    source: list[Span]
    cue: list[Span]
    content: list[Span]


def annotated(path: Path) -> Iterator[AnnotatedAttribution]:
    """Yield the attributions of a brat file that have a cue and content."""
    spans: dict[str, list[Span]] = {}
    # `splitlines` would also split at characters inside the annotated words.
    lines = path.read_text(encoding="utf-8").split("\n")
    for line in lines:
        if line.startswith("T") and "\t" in line:
            name, offsets = line.split("\t")[:2]
            pairs = offsets.partition(" ")[2].split(";")
            spans[name] = [Span(*map(int, pair.split())) for pair in pairs]
    for line in lines:
        if line.startswith("E"):
            parts: dict[str, list[Span]] = {}
            for argument in line.split("\t")[1].split():
                role, _, name = argument.partition(":")
                parts.setdefault(role.rstrip("0123456789"), []).extend(spans.get(name, []))
            if parts.get("Cue") and parts.get("Content"):
                yield AnnotatedAttribution(parts.get("Source", []), parts["Cue"], parts["Content"])


def letters(text: str, spans: Iterable[Span]) -> set[int]:
    """Return the offsets of the letters and digits in some spans."""
    return {i for span in spans for i in range(*span) if text[i].isalnum()}


def kind_of(content: set[int], quoted: set[int]) -> str:
    """Return the kind of an attribution by the share of its letters between quotation marks."""
    inside = len(content & quoted)
    if inside == len(content):
        return "direct"
    return "partly quoted" if inside else "indirect"


def is_right(text: str, source: SourceWords, expected: Sequence[Span]) -> bool:
    """Return whether the head of a source is that of an annotated one, or what "who" refers to."""
    for span in expected:
        is_relative = text[slice(*span)].lower() in ("who", "which", "that")
        if is_relative and not text[source.span.end : span.start].strip(" ,-—–"):
            return source.span.end <= span.start
        if overlaps(source.head, [span]):
            return not _PREPOSITION.search(text, span.start, max(span.start, source.head.start))
    return False


def count(
    text: str, expected: Sequence[AnnotatedAttribution], read: Sequence[FoundAttribution], *, list_faults: bool
) -> Counter[str]:
    """Return the counts of one text."""
    counts = Counter({"read": len(read)})
    quoted = letters(text, outermost_quotations(text))
    contents = [letters(text, each.content) for each in read]
    for each, content in zip(read, contents, strict=True):
        is_annotated = any(overlaps(each.cue, other.cue) for other in expected)
        counts[f"read {kind_of(content, quoted)}"] += 1
        counts[f"correct {kind_of(content, quoted)}"] += is_annotated
    for other in expected:
        content = letters(text, other.content)
        if not content:
            continue
        kinds = [kind_of(content, quoted)]
        if _has_known_cue(text, other):
            kinds.append(f"{kinds[0]}, known verb")
        found = [each for each in read if overlaps(each.cue, other.cue)]
        for kind in kinds:
            counts[f"annotated {kind}"] += 1
            counts[f"found {kind}"] += bool(found)
            counts[f"content {kind}"] += any(_agree(content, theirs) for theirs in contents)
        named = next((each.source for each in found if each.source), None)
        if found and other.source:
            counts["sources"] += 1
            counts["open"] += named is None
            counts["pronouns"] += bool(named and named.kind == "pronoun")
        if named:
            right = is_right(text, named, other.source)
            counts["right"] += right
            counts["right pronouns"] += right and named.kind == "pronoun"
            counts["without source"] += not other.source
            if list_faults and not right:
                print(f"{text[slice(*named.span)]!r} for {[text[slice(*span)] for span in other.source]}")
    return counts


def _has_known_cue(text: str, attribution: AnnotatedAttribution) -> bool:
    words = [re.findall(r"\w+", text[slice(*span)].lower()) for span in attribution.cue]
    return any(word in reporting_verbs() or word == "according" for group in words for word in group)


def _agree(one: set[int], other: set[int]) -> bool:
    common = len(one & other) * 2
    return bool(other) and common >= len(one) and common >= len(other)


def annotated_texts(*folders: Path) -> Iterator[tuple[str, list[AnnotatedAttribution]]]:
    """Yield each text of some folders once, with its annotated attributions."""
    files: dict[Path, Path] = {}
    for folder in folders:
        for file in sorted(folder.rglob("*.ann")):
            if text_path := text_of(file):
                files.setdefault(text_path, file)
    for text_path, file in files.items():
        # Line ends stay as they are, because the offsets count them.
        yield text_path.read_bytes().decode("utf-8"), list(annotated(file))


def measure(path: Path, *, list_faults: bool) -> None:
    """Print the shares of a folder."""
    counts: Counter[str] = Counter()
    for text, expected in annotated_texts(path):
        counts["texts"] += 1
        counts += count(text, expected, attributions(text), list_faults=list_faults)
    print(f"{path}: {counts['texts']} texts, {counts['read']} attributions read")
    for kind in KINDS:
        for group in (kind, f"{kind}, known verb"):
            of = f"annotated {group}"
            found, content = share(counts, f"found {group}", of), share(counts, f"content {group}", of)
            print(f"  {group}: {found} found, content {content}")
        print(f"  {kind}: precision {share(counts, f'correct {kind}', f'read {kind}')}")
    counts["asserted"] = counts["sources"] - counts["open"]
    counts["named"] = counts["asserted"] - counts["pronouns"]
    counts["right named"] = counts["right"] - counts["right pronouns"]
    print(f"  sources right: {share(counts, 'right', 'asserted')}")
    print(f"  ... that are no pronouns: {share(counts, 'right named', 'named')}")
    print(f"  left open: {share(counts, 'open', 'sources')}")
    print(f"  asserted where none is annotated: {counts['without source']}")


def share(counts: Counter[str], part: str, whole: str) -> str:
    """Return a share as counts and a percentage."""
    return f"{counts[part]} of {counts[whole]} ({counts[part] / max(1, counts[whole]):.1%})"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        if argument != "--list":
            measure(Path(argument), list_faults="--list" in sys.argv)
