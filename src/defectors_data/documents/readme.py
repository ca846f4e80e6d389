"""The README of the published package, and sentences for all documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from defectors_data.corpus.seed_limits import MOST_PAIRS, SOURCES_COMPARED
from defectors_data.documents import agreement_table
from defectors_data.documents.markdown import markdown, prose
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.columns import sentence
from defectors_data.models.counts import counted, listed
from defectors_data.models.project import Dataset
from defectors_data.models.tables import FIRST, ONLY_WITH_ROWS, ROWS
from defectors_data.package.tables_reader import MOST_LISTED, PackageTables
from defectors_data.rows import citation_formats

_PAGE = (
    "Open `index.html` to browse the dataset; it is a single file that loads nothing from the "
    "network."
)
_CHARTS = "`charts/` has its charts as SVG, each also in a narrow form."
_PROVENANCE = (
    "The table `provenance` states why each cell has its value. It has a row for each column, and "
    "one for each cell that differs from its column. A row gives the spans of the article in which "
    "the value can be read, or states how it was assigned, inferred or computed, or that it is a default."
)
_COMPARISONS = (
    "The table `comparisons` compares the figures of each measure by their intervals. The table "
    "`figures` has the intervals, which rest on the tolerances in `terms`. The summaries "
    "in `measures` count only figures that can be compared with another source."
)
_HASHES = "Each value is written in only one way, so equal tables have equal CSV files and hashes."


def contact(dataset: Dataset) -> str:
    """Return how to report an error, and where to ask privately for a removal."""
    private = "No private address for removals has been given yet."
    if dataset.contact.private:
        private = f"To ask for a removal, write privately to {dataset.contact.private}."
    return f"{dataset.contact.public.strip()} {private}"


def contributors(dataset: Dataset) -> str:
    """Return the contributors with their roles."""
    named = []
    for contributor in dataset.contributors:
        roles = ", ".join(contributor.roles)
        named.append(f"{contributor.title} ({roles})")
    return listed(named)


def package_readme(
    dataset: Dataset,
    tables: PackageTables,
    agreement: Mapping[str, Any] | None,
    *,
    protected: str,
    relatives: str,
    has_charts: bool,
) -> bytes:
    """Return the README of the package, in Markdown.

    `protected` is what the tables can state of protected persons, `relatives` the warning about
    relatives, and `agreement` the content of `agreement.json`, if there are readings to compare.
    """
    template = Path(__file__).with_name("package_readme.md").read_text(encoding="utf-8")
    return template.format(
        title=prose(dataset.title),
        summary=prose(dataset.summary),
        version=dataset.version,
        released=dataset.released.isoformat(),
        about=_about(tables, has_charts=has_charts),
        tables=_contents(tables),
        first=listed([f"`{name}`" for name in FIRST]),
        not_affirmed=_not_affirmed(tables),
        use=_use(tables),
        agreement=agreement_table.summary(agreement),
        name=dataset.name,
        licence_path=prose(dataset.licence.path),
        rights=prose(dataset.licensed),
        revealed=revealed(tables),
        protected=_paragraph([protected]),
        relatives=relatives,
        contact=prose(contact(dataset)),
        citation=prose(citation(dataset)),
    ).encode()


def _about(tables: PackageTables, *, has_charts: bool) -> str:
    """Return the paragraph on the contents of the package."""
    sentences = [said_and_narrated(tables), unread_by_persons(tables)]
    sentences += [left_out(tables), not_claimed(tables)]
    if has_charts:
        sentences.insert(0, _CHARTS)
    if has_page(tables):
        sentences.insert(0, _PAGE)
    return _paragraph(sentences)


def _not_affirmed(tables: PackageTables) -> str:
    """Return the line on figures that their words do not affirm; empty if all are affirmed."""
    used = tables.count("figures", "polarity")
    others = [term for term in MEANINGS["Polarity"] if used[term] and term != "affirmed"]
    if not others:
        return ""
    return (
        f"- Filter `figures` by `polarity == 'affirmed'`: the others are {listed(others, 'or')}.\n"
    )


def _use(tables: PackageTables) -> str:
    """Return the paragraph on the use of the tables."""
    sentences = []
    if tables.has("provenance"):
        sentences.append(_PROVENANCE)
    if tables.has("comparisons"):
        sentences.append(_COMPARISONS)
    return _paragraph([*sentences, _HASHES])


def _contents(tables: PackageTables) -> str:
    """Return a Markdown table of the tables with rows, and the names of the others."""
    rows, empty = [], []
    for row in ROWS:
        name = row.TABLE.name
        if not tables.has(name):
            continue
        if number := tables.number(name):
            rows.append((f"`{name}`", str(number), sentence(row)))
        else:
            empty.append(f"`{name}`")
    listed_rows = markdown(["table", "rows", "contents"], rows)
    if not empty:
        return listed_rows
    return f"{listed_rows}\n\n{_paragraph([f'Without rows in this dataset: {listed(empty)}.'])}"


def _paragraph(sentences: Iterable[str]) -> str:
    text = " ".join(each for each in sentences if each)
    # A line break inside a path or a hyphenated term would break inline code.
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


def has_page(tables: PackageTables) -> bool:
    """Return whether the package has few enough sources for a page."""
    return tables.number("sources") <= SOURCES_COMPARED


def left_out(tables: PackageTables) -> str:
    """Return sentences that say which tables and files a release leaves out, and why."""
    across, on_request = list[str](), list[str]()
    for row in ROWS:
        name = row.TABLE.name
        if not tables.has(name) and name not in ONLY_WITH_ROWS:
            names = across if name == "comparisons" else on_request
            names.append(f"`{name}`")
    sentences = []
    many = f"there are more than {SOURCES_COMPARED:,} sources"
    if across:
        reason = f"{many} or {MOST_PAIRS:,} pairs of figures"
        sentences.append(f"{listed(across)} is left out because {reason}.")
    if not has_page(tables):
        files = "`index.html` and `charts/`"
        sentences.append(f"{files} are left out because {many}.")
    if on_request:
        sentences.append(f"Left out on request: {listed(on_request)}.")
    return " ".join(sentences)


def not_claimed(tables: PackageTables) -> str:
    """Return a sentence that names the sources for which no completeness is claimed, if any."""
    columns = ["source_id", "language", "completeness"]
    rows = (row for row in tables.rows("sources", columns) if row["completeness"] == "none")
    named = [f"`{row['source_id']}` ({row['language']})" for row in islice(rows, MOST_LISTED)]
    if not named:
        return ""
    more = tables.count("sources", "completeness")["none"] - len(named)
    if more:
        named.append(f"{more:,} more")
    return (
        "No completeness is claimed for sources whose `completeness` is `none`: the program did "
        "not search them for quotations, numbers and the ages of protected persons, nor compare "
        f"their figures with the words. They are {listed(named)}."
    )


def said_and_narrated(tables: PackageTables) -> str:
    """Return a sentence with the number of testimonies that were said and that are narrated."""
    if not tables.number("testimonies"):
        return ""
    modes = tables.count("testimonies", "mode")
    said = with_verb(modes["direct"] + modes["indirect"], "reports", "report")
    narrated = with_verb(modes["narrated"], "is", "are")
    return f"Of the testimonies, {said} what was said and {narrated} narrated."


def noted_by(kinds: Collection[str]) -> str:
    """Return who noted pairs of statements, given the kinds of all readers."""
    if {*kinds} == {"language_model"}:
        return "language models"
    return "readers"


UNJUDGED = (
    "Pairs that nobody noted were not judged, and how far readers agree on pairs was not measured."
)


def noted_pairs(tables: PackageTables) -> str:
    """Return by whom the pairs of statements were noted; empty if there are none."""
    if not tables.number("statement_relations"):
        return ""
    kinds = tables.count("readings", "kind") if tables.has("readings") else ()
    return f"The pairs of statements are those that {noted_by(kinds)} noted. {UNJUDGED}"


GROUP_OF_VERDICT = {
    "same": "agree",
    "entails": "agree",
    "agrees_rounded": "agree",
    "conflicts": "contradict",
    "differs_undated": "undated",
    "compatible": "compatible",
    "not_comparable": "cannot",
}
"""Whether two figures agree, contradict each other, differ without dates, and so on."""


def compared_figures(comparisons: Iterable[Mapping[str, Any]]) -> str:
    """Return how many pairs of figures from different sources agree, and so on; "" for none."""
    pairs, ends, independent = Counter[str](), Counter[str](), 0
    for pair in comparisons:
        if not pair["same_source"]:
            ends.update((pair["figure_a"], pair["figure_b"]))
            group = GROUP_OF_VERDICT[pair["verdict"]]
            pairs[group] += 1
            independent += group == "agree" and not pair["dependence"]
    if not pairs:
        return ""
    origin = f" ({independent or 'none'} between independent sources)"
    said = numbers_with_verbs(
        (pairs["agree"], "agrees", "agree", origin),
        (pairs["contradict"], "contradicts", "contradict", ""),
        (pairs["compatible"], "is", "are", " compatible (a number fits both)"),
        (pairs["undated"], "differs", "differ", " (whether at one time is not known)"),
        (pairs["cannot"], "cannot", "cannot", " be compared"),
    )
    number = counted(pairs.total(), "pair")
    repeated = " One number can be in several pairs." * (max(ends.values()) > 1)
    return f"Of {number} of numbers of one measure from different articles, {said}.{repeated}"


def numbers_with_verbs(*said: tuple[int, str, str, str]) -> str:
    """Return numbers that are not 0 as a list in a sentence, such as `1 agrees and 19 contradict`.

    Each is given with its verb for one and for many, and what follows the verb.
    """
    found = []
    for number, one, many, rest in said:
        if number:
            found.append(f"{with_verb(number, one, many)}{rest}")
    return listed(found)


def with_verb(number: int, one: str, many: str) -> str:
    """Return a number with its verb, such as `1 agrees`, `19 agree` or `none agree`."""
    if number == 1:
        return f"1 {one}"
    shown = f"{number:,}" if number else "none"
    return f"{shown} {many}"


class _Unread(NamedTuple):
    """The articles of which no reading by a person is recorded."""

    number: int
    sources: int
    by_models: bool
    """Whether language models read some of them."""
    only_models: bool
    """Whether language models, and no persons, read every article."""


def _unread(tables: PackageTables) -> _Unread | None:
    """Return the articles that no person read; None if there are none, or no readings.

    It is made from the table `readings`, so that no text can claim another reader.
    """
    if not tables.has("readings"):
        return None
    by_persons, by_models = set[str](), set[str]()
    for row in tables.rows("readings", ["source_id", "kind"]):
        found = by_persons if row["kind"] == "person" else by_models
        found.add(row["source_id"])
    sources = tables.number("sources")
    unread = sources - len(by_persons)
    if not unread:
        return None
    only_models = not by_persons and len(by_models) == sources
    return _Unread(unread, sources, bool(by_models - by_persons), only_models)


def unread_by_persons(tables: PackageTables) -> str:
    """Return who annotated, and of how many articles no person's reading is recorded; "" if of none."""
    unread = _unread(tables)
    if unread is None:
        return ""
    if unread.only_models:
        annotated = "The articles were annotated by language models that read them."
        return f"{annotated} No reading by a person is recorded of any article."
    articles = "any article"
    if unread.number < unread.sources:
        articles = f"{unread.number:,} of the {unread.sources:,} articles"
    others = ", only by language models" if unread.by_models else ""
    return f"No reading by a person is recorded of {articles}{others}."


def unread_in_spanish(tables: PackageTables) -> str:
    """Return the sentence of `unread_by_persons` in Spanish."""
    unread = _unread(tables)
    if unread is None:
        return ""
    articles = "ningún artículo"
    if unread.number < unread.sources:
        articles = f"{unread.number} de los {unread.sources} artículos"
    others = ""
    if unread.by_models:
        others = "; solo se registraron lecturas de modelos de lenguaje"
    return f"No consta que una persona haya leído {articles} para estos datos{others}."


def citation(dataset: Dataset) -> str:
    """Return the citation of the dataset as one line of plain text."""
    return citation_formats.citation(cited(dataset))


def cited(dataset: Dataset) -> citation_formats.CitedItem:
    """Return the facts that a citation of the dataset states."""
    return citation_formats.CitedItem(
        name=dataset.name,
        authors=tuple(contributor.title for contributor in dataset.contributors),
        title=dataset.title,
        version=dataset.version,
        released=dataset.released.isoformat(),
        doi=dataset.doi,
        url=dataset.homepage,
    )


def revealed(tables: PackageTables) -> str:
    """Return a Markdown table with the share of each article that the package publishes.

    For more than `MOST_LISTED` articles, the result is one sentence about all of them.
    """
    if tables.number("sources") <= MOST_LISTED:
        rows = []
        for row in tables.rows("sources"):
            share_shown = _shown(row["chars"], row["chars_revealed"])
            rows.append((row["source_id"], *share_shown))
        return markdown(["source", "characters", "shown here", "share"], rows)
    total = tables.sum("sources", "chars"), tables.sum("sources", "chars_revealed")
    chars, shown, share = _shown(*total)
    return (
        f"The package shows {shown} of the {chars} characters of its articles ({share}); the table "
        "`sources` has the numbers for each article."
    )


def _shown(chars: int, shown: int) -> tuple[str, str, str]:
    share = shown / chars if chars else 0
    return f"{chars:,}", f"{shown:,}", f"{share:.0%}"
