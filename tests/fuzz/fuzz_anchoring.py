"""Fuzz anchoring and detecting: any words in any text are found where they stand or not at all, and it ends soon.

`make fuzz` runs this with libFuzzer's options; what it finds lies in build/fuzz/.
"""

from __future__ import annotations

import sys

import atheris  # type: ignore[import-untyped]  # `make fuzz` installs it

with atheris.instrument_imports(include=["defectors_data"]):
    from defectors_data.corpus import findings
    from defectors_data.evidence import anchors
    from defectors_data.text import detection, offsets, similar_words, wording_differences

PLACE = findings.Place("fuzz.yaml")
BITS = "“”\"‘’'«».,;:!?-– \n\t\u00a0\r#%$0159aeszAE½é\u0301🙂\u00ad\u200dאب"


def text_of(provider: atheris.FuzzedDataProvider) -> str:
    """Return a text: of any characters, or of those that mean something to the detectors."""
    if provider.ConsumeBool():
        return str(provider.ConsumeUnicodeNoSurrogates(600))
    return "".join(BITS[byte % len(BITS)] for byte in provider.ConsumeBytes(600))


def check(data: bytes) -> None:
    """Find words of a text in it, and other words; detect all there is, and look for what is nearest."""
    provider = atheris.FuzzedDataProvider(data)
    start, length = provider.ConsumeIntInRange(0, 600), provider.ConsumeIntInRange(1, 80)
    other = str(provider.ConsumeUnicodeNoSurrogates(40))
    discreet = provider.ConsumeBool()
    text = text_of(provider)
    cut = text[start : start + length]
    within = anchors.SearchedText("fuzz.txt", text, discreet=discreet)
    for words in filter(None, (cut, other)):
        quote = anchors.Quote(words, PLACE)
        found, faults = anchors.find_every_span(quote, within)
        assert all(text[span.start : span.end] == words for span in found)
        assert bool(found) != bool(faults)
        one, faults = anchors.find_span(quote._replace(occurrence=1), within)
        assert one is None or text[one.start : one.end] == words
        assert (one is None) == bool(faults)
        assert words != cut or all(fault.code == "partial-word" for fault in faults)
        for fault in faults:
            findings.text(fault)
        near = similar_words.nearest(words, text)
        assert near == sorted(near)
        assert all(0 <= span.start < span.end <= len(text) for span in near)
        wording_differences.difference(words, text[:80], discreet=discreet)
    detected = detection.detect(text)
    assert detected == sorted(detected, key=lambda item: (item.start, -item.end, item.kind))
    assert all(0 <= item.start < item.end <= len(text) for item in detected)
    whole = offsets.on_word_boundaries(text, min(start, len(text)), min(start + length, len(text)))
    assert 0 <= whole.start <= whole.end <= len(text)


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
