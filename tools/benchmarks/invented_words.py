"""Words of the invented corpus. All persons, places and newspapers are invented."""

from __future__ import annotations

import random
import re

GIVEN = (
    "Ada Alma Anouk Arlo Beatriz Bénédicte Bruno Caio Céleste Dagny Edda Élodie Emeric Enzo Esteban Fenna Freya "
    "Gaspar Gerda Guðrún Hanne Henrik Ilse Inés Iven Jorun Jónas Kaspar Klara Lázaro Leif Lotte Lucía Maëlle Magnus "
    "Maren Mira Nadja Nils Noémie Odile Olaf Orla Ottilie Paulo Petra Quirin Ragna Raúl Renske Rosalía "
    "Rurik Salomé Sigrid Søren Tobias Tove Ulla Valborg Viggo Wanda Ximena Yara Zoltán"
).split()
_ONSETS = "Bar Bel Bor Dal Dren Ek Fal Fen Gar Gol Hal Har Iv Jor Kal Kes Lor Mal Mor Nar Ost Pel Quar Rav".split()
_MIDDLES = "a á ada ali ari e é ele eri i ila ine o ola ó ö or u ula uri ä å ø y".split()
_MORE = "b br d dr f g gr k kl l lm m n nd r rk rn s st t th v vr z".split()
_ENDINGS = "berg dal feld gaard holm lund mark nes quist sund vik wick".split()
SURNAME_PARTS = (_ENDINGS, _MORE, _MIDDLES, _ONSETS)

PERSONS = len(GIVEN) * len(_ONSETS) * len(_MIDDLES) * len(_MORE) * len(_ENDINGS)
"""The number of different names."""
_STEP = 7_368_787
"""Coprime to `PERSONS`, so that names are unique; large, so that those of consecutive numbers are very different."""


def person(number: int) -> tuple[str, str]:
    """Return the given name and the surname for a number. Different numbers have different names."""
    rest = number * _STEP % PERSONS
    rest, given = divmod(rest, len(GIVEN))
    parts = []
    for choices in SURNAME_PARTS:
        rest, at = divmod(rest, len(choices))
        parts.append(choices[at])
    ending, more, middle, onset = parts
    return GIVEN[given], f"{onset}{middle}{more}{ending}"


PLACES = (
    "Northern Isles|Skerry of Lorn|Isle of Vask|Outer Holms|Bay of Querín|Sound of Ålva|Isles of Fárr|Cape Marenne|"
    "Drum Islands|Straits of Orve"
).split("|")
PORTS = "Port Example|Málaven|Sankt Orm|Quayside|Brückhafen|Villa Faro|Østerby|Saint-Élan".split("|")
OUTLETS = "The Northern Courier|The Example Gazette|The Island Post|The Harbour Times|L’Écho des Îles".split("|")
WIRES = ["Example Wire", "Northern Wire", "Agencia Faro"]
WRITERS = "Ada Example|Ben Example|Zoë Muster|Raúl Ejemplo|Chloé Modèle|Jan Voorbeeld|Åsa Exempel".split("|")
INSTITUTIONS = (
    "Harbour Office|Lamp Authority|Seamen’s Mission|Ferry Board|Institute for Coastal Studies|Council of the Isles|"
    "Ministry of Lights|Pilots’ Guild|Weather Bureau|Island Relief|Chamber of Shipping|Lighthouse Union"
).split("|")
RANKS = "sergeant corporal lieutenant captain".split()
BODIES = ["Coast Watch", "Lighthouse Service", "Pilot Corps", "Signal Branch"]
MONTHS = "January February March April May June July August September October November December".split()
YEARS_WORDS = dict(
    zip("three four five six seven eight nine ten eleven twelve thirteen".split(), range(3, 14), strict=True)
)

_QUOTES = {
    "hunger_pay": (
        "We had no oil left|The pay came late and then it did not come|I was hungry at every watch|"
        "They sent us a 🙂 and no oil|There was bread for the inspectors and none for us|"
        "My pay would not buy a loaf|Nobody can keep a lamp without oil"
    ),
    "fear_reprisal": (
        "I am afraid of what they will do|We lived in fear of the inspectors|I fear for those who stayed|"
        "Everybody was afraid to be seen at the pier|He told me ‘keep afraid or keep out’ and laughed"
    ),
    "weather": (
        "The fog took the sound out of everything|The wind stood against us|We waited for the wind to turn|"
        "In that fog you cannot see your own hands|The wind broke the panes, naïve as we were"
    ),
    "family": (
        "My brother keeps the next lamp|I want my daughter to go to school|My mother does not know where I am|"
        "I left for my children’s sake|My wife hid the letters under the façade"
    ),
    "escape": (
        "We crossed without a light|I crossed when the tide was low|They crossed behind us in the café owner’s boat|"
        "Whoever crossed did not look back"
    ),
    "other": (
        "Nobody wrote to us|It’s quiet there now|The lamps are dark|A tower is no place to grow old|"
        "You learn to listen – that’s all|They call us deserters; we call it sleep|"
        "Something had to give, déjà vu or not"
    ),
}
_CONTINUED = (
    "| and nobody came| and that was that| whatever the ministry says|, as all of us knew| until the boats were gone|"
    ", and we told them so| for a whole winter| long before the letter came| and I would do it again|"
    ", believe me| when the lamps went out| and the sea did not care|, coûte que coûte"
).split("|")
QUOTES = [(theme, words, more) for theme, row in _QUOTES.items() for words in row.split("|") for more in _CONTINUED]
"""Quotations: a theme, the words that show it, and how they continue."""

CLAUSES = (
    ("hunger_pay", "the oil had run out before the winter was over"),
    ("hunger_pay", "there was no pay for those who asked for it"),
    ("fear_reprisal", "the crews feared the inspectors more than the sea"),
    ("weather", "the fog had hidden the boats from the towers"),
    ("family", "a brother had been left behind on the rocks"),
    ("family", "the children were taught by whoever had a book"),
    ("escape", "most of the crew had crossed before anybody noticed"),
    ("other", "the lamps would stay dark for as long as it took"),
    ("other", "no letter had ever been answered"),
)
NARRATED = (
    ("escape", "crossed in a fisherman’s boat", "came ashore below the old pier"),
    ("escape", "rowed across at night", "lost an oar on the way"),
    ("escape", "drifted until morning", "was found by a trawler’s crew"),
    ("escape", "walked to the landing with a suitcase", "did not look back at the tower"),
    ("escape", "crossed on the ice", "slept in a boathouse"),
)
RETURNING = (
    "Perhaps when the lamps burn",
    "Not while they are in charge",
    "Ask me in spring",
    "I left my boots there on purpose",
)
UNNAMED = (
    "a woman at the pier|a cook from the east tower|a clerk in the harbour|a former lamp trimmer|a man in oilskins|"
    "a carpenter at the slipway|a widow from the village|a radio operator"
).split("|")
WITHHELD = (
    "a keeper from the west tower|a pilot in plain clothes|an assistant keeper|a boatman of the service|"
    "a signaller in a borrowed coat"
).split("|")
GROUPS = ["Several keepers", "A group of boatmen", "Keepers from the outer rocks", "Some of the crews", "Relatives"]
SCARE = ("Long Night", "dark season", "great handover", "quiet posts")

_PLAIN = (
    "old grey narrow crooked whitewashed draughty half-empty weathered quiet crowded dim salt-stained steep "
    "wooden tarred shuttered low bright muddy familiar borrowed rusty wind-worn brick patched stubborn sleepy "
    "ramshackle mossy spare polished forgotten lopsided cramped sunlit unheated green blue yellow red cobbled "
    "fenced flooded tidy nameless rented freshly-painted slanting thatched barred locked open cold warm dusty "
    "damp noisy shabby solid hidden"
).split()
_NOUNS = (
    "ferry|pier|schoolhouse|harbour café|lamp store|chapel|slipway|council room|coast road|boatyard|"
    "row of cottages|keepers’ mess|inn by the quay|post office|signal mast|market hall|fishing fleet|street|"
    "smokehouse|breakwater|customs shed|bakery|net loft|lifeboat station|playing field|library van|ropewalk|"
    "fish auction|fog bell|cemetery|telephone box|bus shelter|observatory|rectory|mill pond|cooperage|"
    "landing stage|warehouse|allotment|weigh house|dance hall|kiosk|quarry|ice house|pilots’ hut|reading room|"
    "chandler’s|crèche|façade of the bank|naïve mural"
).split("|")
_VERBS = (
    "lies in the lee of the rocks|has seen better winters|smells of tar and wet rope|is kept open by volunteers|"
    "looks out on the grey water|has not changed much|stands empty for most of the year|"
    "fills up when the boats are in|was painted white – as everything here|is the only place with a stove|"
    "belongs to nobody in particular|has become a meeting place|is where the news arrives|"
    "closes when the tide is high|was built by the crews themselves|leans a little towards the sea|"
    "keeps its own hours|is older than the harbour wall|can be seen from the ferry|"
    "had a coat of paint for the visit|lost its roof in a storm|is mended whenever somebody has time|"
    "draws the children|is lit by a paraffin lamp|shares a wall with the barracks|has a stove and a piano|"
    "serves soup on market days"
).split("|")
_TAILS = (
    "and the people here are used to waiting|though hardly anybody notices it any more|"
    "because the sea decides what is open|while gulls pick at the nets (and at whatever else is left)|"
    "and in the evening the windows glow|so that visitors often miss it|"
    "as a hand-painted sign explains in plain letters|and the radio plays old songs 🎶|"
    "— a habit from quieter times —|where children chase each other between the crates|"
    "and the walls are covered with charts, some of them wrong|until the bell calls everybody home 🌊|"
    "for the supply boat comes when it can|and a smell of coffee drifts over the cobbles, à l’ancienne|"
    "which is more than can be expected|and whoever has a key lets in the others|as long as the generator runs|"
    "which the tourists photograph from the deck|since the money for repairs was never found|"
    "and nobody remembers who put it there|although the plans were drawn up long ago|"
    "with a view over the whole bay"
).split("|")
_ENDS = (
    ".|, as it always was.|, rain or shine.|, at least in summer.|; the rest is patience.|, whatever the season.|"
    "; in winter it’s another matter.|.|.|, or so it seems.|, like most things here."
).split("|")


def prose(chance: random.Random) -> str:
    """Return a random sentence without numbers or quotations, the filler of the articles."""
    pick = chance.choice
    plain, noun, more, other = pick(_PLAIN), pick(_NOUNS), pick(_PLAIN), pick(_NOUNS)
    return f"The {plain} {noun} by the {more} {other} {pick(_VERBS)} {pick(_TAILS)}{pick(_ENDS)}"


def term_of(place: str) -> str:
    """Return the term of a place in the vocabulary."""
    return "_".join(re.findall("[a-z]+", place.lower()))
