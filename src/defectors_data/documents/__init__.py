"""The documents of the package for readers and catalogues."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from defectors_data.corpus.shared_context import Context
from defectors_data.documents import (
    agreement_table,
    catalogues,
    changelog,
    charts,
    datasheet,
    licence,
    page,
    protection,
    readme,
)
from defectors_data.models.schemas import encoded
from defectors_data.package import descriptor, verify
from defectors_data.package.cells import FileDigest
from defectors_data.package.published_folder import DESCRIPTOR
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import WrittenTable
from defectors_data.rows import disclosure_check
from defectors_data.rows.cell_provenance import without_words


def documents_for_people(
    context: Context,
    tables: PackageTables,
    finished: Mapping[str, WrittenTable],
    *,
    agreement: Mapping[str, Any] | None = None,
    created: str | None = None,
) -> dict[str, bytes]:
    """Return the files of a package other than the tables, by path; the descriptor is last.

    Args:
        context: the files that all documents of the corpus share.
        tables: the finished tables.
        finished: the row counts, sizes and hashes of the tables, by name.
        agreement: the content of `agreement.json`, if there are readings to compare.
        created: the time of the build in RFC 3339; by default midnight of the day of the release.

    Raises:
        descriptor.InvalidPackageError: a document reveals too much about a protected person, or a
            cell has no evidence. Both are bugs in this program.
    """
    dataset = context.dataset.content
    facts = catalogues.gather(dataset, tables, finished, agreement=agreement, created=created)
    drawn: list[charts.Chart] = []
    if readme.has_page(tables):
        data = f"{dataset.name} {dataset.version}, {dataset.released}, {dataset.licence.name}"
        drawn = charts.charts(tables, data)
    described = readme.package_readme(
        dataset,
        tables,
        agreement,
        protected=protection.protected_details(tables) + protection.on_pseudonyms(tables),
        relatives=protection.on_relatives(tables),
        has_charts=bool(drawn),
    )
    files = {
        "README.md": catalogues.header(facts) + described,
        "LICENSE": licence.licence(dataset),
        "CITATION.cff": catalogues.citation_file(dataset),
        "datasheet.md": datasheet.datasheet(facts, tables),
        "verify.py": Path(str(verify.__file__)).read_bytes(),
        "croissant.json": catalogues.croissant(facts),
        catalogues.VOCABULARY: catalogues.vocabulary(tables),
    }
    if agreement:
        files[agreement_table.NAME] = encoded(agreement)
    changes = changelog.changes(context.changelog.content)
    if changes:
        files["CHANGELOG.md"] = changes
    if readme.has_page(tables):
        for chart in drawn:
            files |= chart.files
        json_ld = json.dumps(catalogues.schema_org(facts), ensure_ascii=False)
        files[page.NAME] = page.page(
            dataset, tables, drawn, json_ld=json_ld, has_changes=bool(changes)
        )
    spanish = page.spanish_page(dataset, tables)
    if spanish:
        files[page.SPANISH] = spanish
    # The crate describes all files above, and the descriptor describes the crate as well.
    others = {path: FileDigest.of(content) for path, content in files.items()}
    files[catalogues.CRATE] = catalogues.crate(facts, others)
    others[catalogues.CRATE] = FileDigest.of(files[catalogues.CRATE])
    notes = [readme.unread_by_persons(tables), readme.left_out(tables)]
    contents = descriptor.PackageContents(
        finished, others, descriptor.sources(tables), tables.count("terms", "kind"), notes
    )
    files[DESCRIPTOR] = encoded(descriptor.descriptor(dataset, contents, created=facts.created))
    # The page shows the records of protected persons with their ids.
    scanned = {path: content for path, content in files.items() if path != page.NAME}
    _refuse_faults(scanned, tables)
    return files


def _refuse_faults(files: Mapping[str, bytes], tables: PackageTables) -> None:
    faults = disclosure_check.leaks_in_texts(files, tables)
    if tables.has("provenance"):
        faults += [f"no words for {cell}" for cell in without_words(tables)]
    descriptor.refuse(faults)
