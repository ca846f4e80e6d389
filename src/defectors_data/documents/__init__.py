"""The documents for people and for catalogues, all made from the finished tables and from `dataset.yaml`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from defectors_data.corpus.context import Context
from defectors_data.documents import catalogues, charts, codebook, page, readme
from defectors_data.models.json_schema import encoded
from defectors_data.package import descriptor, verify
from defectors_data.package.cells import Written
from defectors_data.package.tables_reader import Tables
from defectors_data.package.writer import Finished
from defectors_data.rows import disclosure
from defectors_data.rows.provenance import without_words


def documents_for_people(
    context: Context,
    tables: Tables,
    finished: Mapping[str, Finished],
    *,
    sentences: Mapping[str, str],
    created: str | None = None,
) -> dict[str, bytes]:
    """Return the files of a package that are no tables, by path, the descriptor last.

    `tables` reads what was written, `finished` says how it was written, both by the names of the tables. `sentences`
    are the published rules by the code of their findings. `created` is a time in RFC 3339; without it, the day of the
    release counts. The bytes depend on nothing else.

    Raises:
        descriptor.NotValid: the tables or documents say more of a protected person than they may, or a cell rests
            on no words: a bug of this program.
    """
    dataset = context.dataset.content
    facts = catalogues.gather(dataset, tables, finished)
    drawn = charts.charts(tables)
    files = {
        "README.md": catalogues.header(facts) + readme.package_readme(dataset, tables),
        "datasheet.md": catalogues.datasheet(facts, tables),
        "codebook.md": codebook.codebook(context.vocabulary.content, sentences),
        "verify.py": Path(str(verify.__file__)).read_bytes(),
        "croissant.json": catalogues.croissant(facts),
    }
    if readme.has_page(tables):
        described = json.dumps(catalogues.schema_org(facts), ensure_ascii=False)
        files[page.NAME] = page.page(dataset, tables, drawn, json_ld=described)
    files |= {f"charts/{chart.name}.svg": chart.svg.encode() for chart in drawn}
    files[catalogues.CRATE] = catalogues.crate(facts, {path: Written.of(content) for path, content in files.items()})
    others = {path: Written.of(content) for path, content in files.items()}
    contents = descriptor.Contents(finished, others, descriptor.sources(tables), readme.left_out(tables))
    time = created or f"{dataset.released.isoformat()}T00:00:00Z"
    files[descriptor.DESCRIPTOR] = encoded(descriptor.descriptor(dataset, contents, created=time))
    _refuse_faults(files, tables)
    return files


def _refuse_faults(files: Mapping[str, bytes], tables: Tables) -> None:
    """Raise where what was made says too much, or a cell rests on no words; the page shows the records themselves."""
    faults = disclosure.leaks_in_texts({path: data for path, data in files.items() if path != page.NAME}, tables)
    if tables.has("provenance"):
        faults += [f"no words for {cell}" for cell in without_words(tables)]
    if faults:
        raise descriptor.NotValid("; ".join(faults[:5]))
