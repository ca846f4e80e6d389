"""What each check judges, so that a run can say how much of it there was: a rule that saw nothing has shown nothing.

A test holds that every check is named here, and that whatever a check finds stands in something that it saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from defectors_data.checks import (
    attributes,
    claims,
    comparisons,
    doubles,
    figures,
    places,
    protection,
    references,
    speakers,
    testimonies,
    units,
    waivers,
    withdrawals,
)
from defectors_data.checks import sources as of_sources
from defectors_data.checks.places import Places, keys, records, together
from defectors_data.findings import Finding
from defectors_data.models import Speaker, Testimony
from defectors_data.proving import Proof


class Judged(NamedTuple):
    """What a check judges: in words, and where each of it stands."""

    what: str
    places: Places


def _named(speaker: Speaker) -> bool:
    return vars(speaker).get("name") is not None


def _licensed(speaker: Speaker) -> bool:
    return any(vars(speaker).get(key) for key in ("gender", "request"))


def _numbered(speaker: Speaker) -> bool:
    return speaker.protected or speaker.kind == "group"


def _of_mode(mode: str) -> Judged:
    def told(testimony: Testimony) -> bool:
        return testimony.mode == mode

    return Judged(f"{mode} testimonies", records("testimonies", told))


_RECORDS = [records(name) for name in ("mentions", "testimonies", "figures", "waivers", "relations")]
_TELLING = [records(name) for name in ("mentions", "testimonies", "figures", "relations")]
_REFERENCES = [keys("testimonies", "speaker", "about"), keys("figures", "attributed_to", "testimony")]
_REFERENCES += [keys("waivers", "of"), keys("entries", "use")]
_USED = together(keys("testimonies", "themes"), keys("figures", "measure", "population"))
_PRINTED = together(places.facts(inferred=False), keys("figures", "place"), places.sources)
_SECRET = Judged(
    "protected persons, and records of theirs", together(places.heard(lambda s: s.protected), places.secret)
)
_NAMED = Judged("named speakers", places.heard(_named))
_UNBALANCED = Judged("unbalanced parts", places.parts(lambda _, part: part.unbalanced))
_SPEAKERS = Judged("speakers", together(records("entries"), places.shared))
_FIGURES = Judged("figures", records("figures"))
_RELATIONS = Judged("relations", records("relations"))
_WAIVERS = Judged("waivers", records("waivers"))
_WITHDRAWN = Judged("runs that were taken out", places.withdrawn)

SEEN: dict[Callable[[Proof], Iterator[Finding]], Judged] = {
    references.duplicate_id: Judged("ids", together(places.ids, places.tombstones)),
    references.id_of_another_form: Judged(
        "ids of source and number",
        together(places.sources, records("speakers", _numbered), *_RECORDS, places.tombstones),
    ),
    references.dangling_reference: Judged("references", together(*_REFERENCES)),
    references.unknown_term: Judged("terms that records name", _USED),
    references.duplicate_term: Judged("terms", together(places.terms, keys("testimonies", "themes"))),
    references.protected_referred_to: Judged("notes and other free texts", places.texts),
    protection.protected_free_text: _SECRET,
    protection.protected_linked: _SECRET,
    protection.protected_attribute_shown: Judged("evidence beside protected attributes", places.protected_attributes),
    speakers.name_in_two_sources: _NAMED,
    speakers.speaker_without_mention: _SPEAKERS,
    speakers.speaker_never_heard: _SPEAKERS,
    speakers.name_not_in_mention: _NAMED,
    attributes.attribute_not_in_mention: Judged(
        "attributes on mentions", keys("mentions", "rank", "affiliation", "age", "years_of_service")
    ),
    attributes.attribute_without_licence: Judged("speakers with a gender or a request", places.heard(_licensed)),
    attributes.attribute_of_another_kind: Judged("ages and years", keys("mentions", "age", "years_of_service")),
    attributes.gender_of_other_words: Judged("words that license a gender", places.genders),
    of_sources.same_article_twice: Judged("sources", places.sources),
    of_sources.inferred_without_note: Judged("inferred values", places.facts(inferred=True)),
    attributes.licence_not_needed: Judged("words that license something", places.licences),
    of_sources.not_printed: Judged("sources, stated values and places", _PRINTED),
    of_sources.title_not_a_line: Judged("titles and subtitles", places.titles),
    of_sources.outlet_not_cited: Judged("outlets of testimonies", keys("testimonies", "outlet")),
    testimonies.direct_without_marks: Judged("parts of direct testimonies", places.direct),
    testimonies.balanced_after_all: _UNBALANCED,
    testimonies.unbalanced_cut: _UNBALANCED,
    testimonies.testimony_across_paragraphs: Judged("testimonies", records("testimonies")),
    testimonies.about_the_speaker: Judged("testimonies about somebody", keys("testimonies", "about")),
    claims.indirect_without_verb: _of_mode("indirect"),
    claims.narrated_with_verb: _of_mode("narrated"),
    claims.theme_without_words: Judged("themes with triggers", places.themes),
    claims.because_not_needed: Judged("reasons for claims", keys("testimonies", "because")),
    figures.bounds_not_of_hedge: _FIGURES,
    figures.bounds_out_of_order: _FIGURES,
    figures.figure_not_its_words: Judged("figures without override", records("figures", lambda f: not f.override)),
    figures.override_not_needed: Judged("overrides of figures", keys("figures", "override")),
    figures.testimony_not_around_figure: _FIGURES,
    units.unit_of_another_measure: Judged("figures of measures with units", places.measured),
    units.relation_of_other_units: _RELATIONS,
    units.age_as_figure: _FIGURES,
    units.date_not_printed: Judged("dates of figures", keys("figures", "as_of")),
    doubles.words_told_twice: Judged("records that tell words", together(*_TELLING)),
    doubles.printed_again: Judged("titles, testimonies and figures", places.printable),
    comparisons.conflict_without_note: Judged("pairs of figures", places.pairs),
    comparisons.note_of_no_conflict: Judged("notes on pairs of figures", places.notes_on_pairs),
    comparisons.relation_of_nothing: _RELATIONS,
    comparisons.relation_fails: _RELATIONS,
    waivers.repeat_of_nothing: _WAIVERS,
    waivers.repeat_of_other_words: Judged("waivers of repeats", keys("waivers", "of")),
    waivers.quotation_unaccounted: Judged("quotations in seeds", places.detections(quotations=True)),
    waivers.quantity_unaccounted: Judged("numbers in seeds", places.detections(quotations=False)),
    waivers.waiver_of_another_kind: _WAIVERS,
    waivers.waiver_unused: _WAIVERS,
    waivers.waiver_not_needed: _WAIVERS,
    withdrawals.withdrawn_words: Judged(
        "evidence of sources that lost words", places.parts(lambda shard, _: shard.content.withdrawn)
    ),
    withdrawals.withdrawn_id: Judged(
        "ids and free texts, since a takedown", places.since_takedown(together(places.ids, places.texts))
    ),
    withdrawals.withdrawn_out_of_text: _WITHDRAWN,
    withdrawals.title_missing: Judged("sources", places.sources),
}
"""What each check judges."""
