"""Learn which words may attribute something to a source, from annotated public news.

`python tools/learn_cues.py PATH...` reads the brat files of PolNeAR below each path and writes possible_cues.csv in
src/defectors_data/text/english: points for words, for their endings, for what follows them, for pairs of both and for
the classes of the words around. Names get no points, nor pairs that are a cue in one text only. Nothing of the text is
stored.

The points are the weights of a logistic regression. Its examples are the words that are in no draft; those are right
that are in an annotated cue directly before its content.
"""

from __future__ import annotations

import csv
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from defectors_data.annotators.proposals.attributions import attributed_words
from defectors_data.annotators.proposals.statements import clause, is_drafted
from defectors_data.text.detection import outermost_quotations
from defectors_data.text.english import possible_cues
from defectors_data.text.english.possible_cues import features_of, stem
from defectors_data.text.english.sentences import sentences
from defectors_data.text.offsets import overlaps
from measure_attributions import AnnotatedAttribution, annotated_texts
from measure_proposals import without_records

TABLE = Path(possible_cues.__file__).with_suffix(".csv")
Feature = tuple[str, str]
LONGEST_GAP = 12
"""Maximum distance from a word of a cue to its content, in code points."""
ROUNDS, STEP = 20, 0.3
"""Of the regression: passes through the examples, and the first step."""
PENALTY = 0.1
"""Of the sum of the squares of all weights: words that are rare have few points."""
POINTS_PER_UNIT = 8
COMMON = 30
"""Number of occurrences from which a word that is never a cue has points, too."""
FEWEST_TEXTS = 2
"""Minimum number of texts in which the word of a pair is a cue."""


class Example(NamedTuple):
    """A word with its features."""

    word: str
    features: list[Feature]
    is_capitalized: bool
    is_cue: bool
    text: int


def examples(paths: Sequence[Path]) -> Iterator[Example]:
    """Yield the words that no proposal contains."""
    for number, (text, expected) in enumerate(annotated_texts(*paths)):
        yield from _of_text(text, expected, number)


def _of_text(text: str, expected: Sequence[AnnotatedAttribution], number: int) -> Iterator[Example]:
    document = without_records(text)
    found = [each for each in attributed_words(document).found if is_drafted(text, each)]
    proposed = [clause(document, each) for each in found]
    quoted = outermost_quotations(text)
    for line in sentences(text, quoted):
        for i, token in enumerate(line):
            features = features_of(line, i)
            if not features or overlaps(token, proposed):
                continue
            cues = [each for each in expected if overlaps(token, each.cue)]
            gaps = [span.start - token.end for each in cues for span in each.content]
            is_cue = any(0 <= gap < LONGEST_GAP for gap in gaps)
            yield Example(token.word, features, token.is_capitalized, is_cue, number)


def weights(found: Sequence[Example]) -> tuple[dict[Feature, float], float]:
    """Return the weight of each feature, and the constant of the regression."""
    known = _known(found)
    rows = [([each for each in example.features if each in known], example.is_cue) for example in found]
    weight = dict.fromkeys(known, 0.0)
    squares = dict.fromkeys(known, 1e-8)
    number = Counter[Feature]()
    for features, _ in rows:
        number.update(features)
    constant = -3.0
    shuffle = random.Random(0).shuffle  # noqa: S311  # the same order each time
    for _ in range(ROUNDS):
        shuffle(rows)
        for features, is_cue in rows:
            total = constant + sum(weight[each] for each in features)
            error = 1 / (1 + math.exp(-total)) - is_cue
            constant -= 0.001 * error
            for each in features:
                slope = error + PENALTY * weight[each] / number[each]
                squares[each] += slope * slope
                weight[each] -= STEP * slope / math.sqrt(squares[each])
    return weight, constant


def _known(found: Sequence[Example]) -> list[Feature]:
    """Return the features that have points."""
    texts: defaultdict[Feature, set[int]] = defaultdict(set)
    number: Counter[Feature] = Counter()
    capitals: Counter[Feature] = Counter()
    for example in found:
        number.update(example.features)
        if example.is_capitalized:
            capitals.update(example.features)
        if example.is_cue:
            for each in example.features:
                texts[each].add(example.text)
    known = []
    for each in number:
        is_pair = each[0] == "pair"
        is_common = number[each] >= COMMON and not is_pair
        is_cue = len(texts[each]) >= (FEWEST_TEXTS if is_pair else 1)
        # A word that usually has a capital letter is a name, at the start of a sentence.
        is_name = each[0] in ("word", "pair") and capitals[each] * 2 > number[each]
        if (is_cue or is_common) and not is_name:
            known.append(each)
    return sorted(known)


def write(found: Sequence[Example]) -> None:
    """Write the table. The constant is part of the points of what precedes a word."""
    weight, constant = weights(found)
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for example in found:
        forms[stem(example.word)].add(example.word)
    groups: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for (feature, value), number in weight.items():
        points = round(number * POINTS_PER_UNIT)
        if points:
            groups[feature, points].append(_shown(feature, value, forms))
    print("constant", constant, "features", sum(map(len, groups.values())))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["feature", "points", "values"])
        for feature, points in sorted(groups, key=lambda each: (each[0], -each[1])):
            writer.writerow([feature, f"{points:+d}", " ".join(sorted(groups[feature, points]))])


def _shown(feature: str, value: str, forms: Mapping[str, set[str]]) -> str:
    """Return a value with the shortest form of its word instead of the stem."""
    if feature not in ("word", "pair"):
        return value
    word, slash, following = value.partition("/")
    shortest = min(forms[word], key=lambda each: (len(each), each))
    return f"{shortest}{slash}{following}"


if __name__ == "__main__":
    TABLE.write_text("feature,points,values\n", encoding="utf-8")  # the proposals without this table
    write(list(examples([Path(argument) for argument in sys.argv[1:]])))
