"""What the tables can state of protected persons, in words for readers, from a walk over columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from defectors_data.models.counts import listed
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROWS, WITHHELD
from defectors_data.package.tables_reader import PackageTables

STATED = {
    ("the role", "su función"): ("role", "speaker_role", "role_inferred"),
    ("the class of rank", "su clase de rango"): ("rank_class", "rank_class_inferred"),
    ("the branch", "la fuerza a la que pertenecía"): ("branch", "branch_inferred"),
    ("why the name is not given", "por qué no se da su nombre"): ("request", "anonymity"),
    ("when something happened", "cuándo ocurrió algo"): (
        *("happened", "happened_from", "happened_to", "happened_basis", "happened_how"),
        *("happened_of", "as_of", "as_of_from", "as_of_to"),
    ),
    ("where", "dónde"): ("place_id",),
    ("how the person left", "cómo se fue"): ("departure", "departure_means"),
    (
        "whether relatives are harmed, at risk or mentioned",
        "si sus familiares sufrieron daños, corren peligro o se mencionan",
    ): ("relatives",),
    ("reasons to leave, stay or rise", "motivos para irse, quedarse o sublevarse"): (
        *("factor", "direction", "decision", "reason_of", "link"),
    ),
    (
        "harm said to be done, ordered, threatened or planned, or suspected, feared or denied",
        "daños que denuncia, sospecha, teme o niega, o que dice que se ordenaron o planearon, o con los que se amenazó",
    ): ("act", "status"),
    ("numbers", "cifras"): (
        *("measure", "population", "counted", "value", "low", "high", "hedge", "polarity", "unit"),
        *("interval_low", "interval_high", "low_open", "high_open", "rounded_low", "rounded_high"),
    ),
    ("topics", "temas"): ("themes",),
    ("how the person knows", "cómo lo sabe"): ("access",),
    ("the stance on what is said", "qué postura toma"): ("stance",),
    ("to which outlet the person spoke", "con qué medio habló"): ("outlet_kind", "outlet"),
}
"""Details that the tables can state of protected persons, in English and Spanish, and their columns."""

NO_DETAILS = (
    *("kind", "protected", "pseudonym_possible", "part_of", "mode", "attribution", "parts", "note"),
    *("sources", "testimonies", "start_offset", "end_offset"),
    *("text", "attribution_text", "against", "done_by"),
)
"""Columns that quote the article, count or locate, and those that protected persons never fill."""

_WITHHELD = {
    "name": ("name", "nombre"),
    "gender": ("gender", "género"),
    "rank": ("exact rank", "rango exacto"),
    "age": ("age", "edad"),
    "years_of_service": ("years of service", "años de servicio"),
    "affiliation": ("affiliation", "organización"),
}
"""Columns that are empty for protected persons, in English and Spanish."""

_ENGLISH, _SPANISH = 0, 1


def columns_on_speakers() -> Iterator[tuple[str, str]]:
    """Yield the tables and columns, except ids, that describe speakers and their records."""
    for row in ROWS:
        table = row.TABLE
        of_speakers = table.name == "speakers" or _SPEAKER in table.refers.values()
        for column in row.model_fields:
            is_id = column.endswith("_id") and column not in table.terms
            if of_speakers and not is_id and table.refers.get(column) != _SPEAKER:
                yield table.name, column


_SPEAKER = ("speakers", "speaker_id")


def protection(dataset: Dataset, tables: PackageTables) -> str:
    """Return what the tables can state of protected persons, and what the publisher promises."""
    return f"{protected_details(tables)} {dataset.protection.strip()}"


def protected_details(tables: PackageTables) -> str:
    """Return sentences on what the tables never state of protected persons, and what they can."""
    withheld, stated = _details(tables, _ENGLISH)
    can = f" They can state {_joined(stated, 'and')}." if stated else ""
    more = "the gender or the rank" if _has_ranks(tables) else "the gender"
    waived = "waived ages"
    if _has_service(tables):
        waived = "waived ages and years of service"
    return (
        "Of a person who asked not to be named, or whom the article does not name, the tables "
        f"state no {listed(withheld, 'or')}.{can} The articles' "
        f"words are quoted as printed, and may state more, such as {more}. Contexts "
        "do not show paragraphs in which such a person is introduced, quoted or cited, nor, outside of "
        f"records, {waived}."
    )


def protected_details_in_spanish(tables: PackageTables) -> str:
    """Return the sentences of `protected_details` in Spanish."""
    withheld, stated = _details(tables, _SPANISH)
    can = f" Pueden indicar {_joined(stated, 'y')}." if stated else ""
    more = "el género o el rango" if _has_ranks(tables) else "el género"
    waived = "las edades"
    if _has_service(tables):
        waived = "las edades y los años de servicio"
    return (
        "De una persona que pidió que no se publicara su nombre, o a la que el artículo no nombra, "
        f"las tablas no indican {listed(withheld, 'ni')}.{can} "
        "Las palabras de los artículos se citan tal como se imprimieron y pueden indicar más, como "
        f"{more}. Los contextos no muestran párrafos que presentan o citan a esa "
        f"persona, ni {waived} que se excluyeron, fuera de los registros."
    )


def _has_ranks(tables: PackageTables) -> bool:
    return "rank" in tables.column_names("mentions")


def _has_service(tables: PackageTables) -> bool:
    return "years_of_service" in tables.column_names("mentions")


_ON_RELATIVES = """

The column `relatives` of `testimonies` says whether relatives of those whom the dataset is about
are harmed, at risk or mentioned. With the columns on when, where and how a person left, it singles
out people with relatives at risk, and so do the rows of other tables with such a `testimony_id`.
Before you publish such testimonies, or combine columns or other data with them, ask whether that
could lead someone to these relatives; `defectors-data export --without-relatives` leaves out those
about relatives who are harmed or at risk.
""".rstrip()


def on_pseudonyms(tables: PackageTables) -> str:
    """Return a sentence on the names of protected persons that are published; "" if there are none."""
    if tables.count("speakers", "pseudonym_possible").get(True):
        return (
            " The only name that an article gives of them is published, as it may be a pseudonym."
        )
    return ""


def on_relatives(tables: PackageTables) -> str:
    """Return the paragraph that warns about relatives; "" if the package lacks the column."""
    if "relatives" in tables.column_names("testimonies"):
        return _ON_RELATIVES
    return ""


def _details(tables: PackageTables, language: int) -> tuple[list[str], list[str]]:
    """Return the details that the columns of a package withhold, and those that they can state.

    A column without values states nothing: most subjects have no reasons to leave.
    """
    withheld, stated = set[str](), set[str]()
    for table, column in columns_on_speakers():
        if column in tables.column_names(table):
            if column in WITHHELD.get(table, ()):
                withheld.add(column)
            elif tables.has_values(table, column):
                stated.add(column)
    never = [words[language] for column, words in _WITHHELD.items() if column in withheld]
    can = [words[language] for words, columns in STATED.items() if stated.intersection(columns)]
    return never, can


def _joined(names: Sequence[str], link: str) -> str:
    # With semicolons, because the names can have commas.
    *most, last = names
    return f"{'; '.join(most)}; {link} {last}" if most else last
