"""An index of the words of all articles, which are folded once for all quotations."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from defectors_data.text.offsets import Span
from defectors_data.text.wording_differences import WORD, key

_MOST_ARTICLES = 3
"""Maximum number of articles in which similar words are searched for."""
_CONTEXT = 40
"""Number of words around the most similar run in which similar words are searched for."""

_key = lru_cache(maxsize=100_000)(key)  # the words of a corpus recur


class Window(NamedTuple):
    """A span of an article, by its number, that has words in common with other words."""

    article: int
    span: Span


class WordIndex:
    """The articles that contain each word, and the places of the words in each article."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index texts; they are numbered from 0."""
        self._texts = texts
        self._articles: dict[str, array[int]] = defaultdict(lambda: array("I"))
        self._words: list[list[str]] = []
        self._starts: list[array[int]] = []
        for number, text in enumerate(texts):
            hits = list(WORD.finditer(text))
            words = [_key(hit[0]) for hit in hits]
            self._words.append(words)
            self._starts.append(array("I", [hit.start() for hit in hits]))
            for word in set(words):
                self._articles[word].append(number)

    def with_all(self, words: str) -> list[int]:
        """Return the numbers of the articles that contain all the given words, in any order."""
        sought = {_key(word) for word in WORD.findall(words)}
        if not sought or not sought <= self._articles.keys():
            return []
        rarest, *others = sorted((self._articles[word] for word in sought), key=len)
        return sorted(set(rarest).intersection(*others))

    def most_similar(self, words: str) -> list[Window]:
        """Return the windows of the articles that have the most in common with words, best first.

        Rare words count more than frequent ones.
        """
        typed = [_key(word) for word in WORD.findall(words)]
        weights = self._weights(typed)
        totals: dict[int, float] = defaultdict(float)
        rarest = sorted(weights, key=lambda word: -weights[word])[:_MOST_WORDS]
        for word in rarest:
            for number in self._articles[word]:
                totals[number] += weights[word]
        likely = sorted(totals, key=lambda number: (-totals[number], number))
        windows = [self._window(number, weights, len(typed)) for number in likely[:_NEAR]]
        windows.sort(key=lambda each: -each[0])
        return [window for _, window in windows[:_MOST_ARTICLES]]

    def _weights(self, words: Iterable[str]) -> dict[str, float]:
        known = {word for word in words if word in self._articles}
        total = len(self._texts)
        # Every weight is positive, also that of a word that all articles contain.
        return {word: math.log(1 + total / len(self._articles[word])) for word in sorted(known)}

    def _window(self, number: int, weights: dict[str, float], length: int) -> tuple[float, Window]:
        """Return the run of `length` words with the greatest weight, with its context."""
        words, starts = self._words[number], self._starts[number]
        hits = [at for at, word in enumerate(words) if word in weights]
        best, best_at, first = 0.0, 0, 0
        inside: dict[str, int] = defaultdict(int)
        weight = 0.0
        for at in hits:
            inside[words[at]] += 1
            if inside[words[at]] == 1:
                weight += weights[words[at]]
            while at - hits[first] > length + 2:
                word = words[hits[first]]
                inside[word] -= 1
                if inside[word] == 0:
                    weight -= weights[word]
                first += 1
            if weight > best:
                best, best_at = weight, hits[first]
        end = best_at + length + _CONTEXT
        stop = starts[end] if end < len(starts) else len(self._texts[number])
        return best, Window(number, Span(starts[max(0, best_at - _CONTEXT)], stop))


_MOST_WORDS = 12
"""Number of the rarest words by which articles are found."""
_NEAR = 8
"""Number of articles, those with the most words in common, whose best windows are compared."""
