"""The documents for people and for catalogues, all made from the finished tables and from `dataset.yaml`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from defectors_data import charts, codebook, metadata, package, page, protection, readme, verify
from defectors_data.certifying import without_words
from defectors_data.context import Context
from defectors_data.formats import Written
from defectors_data.published_tables import Tables
from defectors_data.schemas import encoded
from defectors_data.streaming import Finished


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
        package.NotValid: the tables or the documents say more of a protected person than they may, or a cell rests on
            no words: a bug of this program.
    """
    dataset = context.dataset.content
    facts = metadata.gather(dataset, tables, finished)
    drawn = charts.charts(tables)
    files = {
        "README.md": metadata.header(facts) + readme.package_readme(dataset, tables),
        "datasheet.md": metadata.datasheet(facts, tables),
        "codebook.md": codebook.codebook(context.vocabulary.content, sentences),
        "verify.py": Path(str(verify.__file__)).read_bytes(),
        "croissant.json": metadata.croissant(facts),
    }
    if readme.has_page(tables):
        described = json.dumps(metadata.schema_org(facts), ensure_ascii=False)
        files[page.NAME] = page.page(dataset, tables, drawn, json_ld=described)
    files |= {f"charts/{chart.name}.svg": chart.svg.encode() for chart in drawn}
    files[metadata.CRATE] = metadata.crate(facts, {path: Written.of(content) for path, content in files.items()})
    others = {path: Written.of(content) for path, content in files.items()}
    contents = package.Contents(finished, others, package.sources(tables), readme.left_out(tables))
    time = created or f"{dataset.released.isoformat()}T00:00:00Z"
    files[package.DESCRIPTOR] = encoded(package.descriptor(dataset, contents, created=time))
    _refuse_faults(files, tables)
    return files


def _refuse_faults(files: Mapping[str, bytes], tables: Tables) -> None:
    """Raise where what was made says too much, or a cell rests on no words; the page shows the records themselves."""
    faults = protection.leaks_in_texts({path: data for path, data in files.items() if path != page.NAME}, tables)
    if tables.has("provenance"):
        faults += [f"no words for {cell}" for cell in without_words(tables)]
    if faults:
        raise package.NotValid("; ".join(faults[:5]))
