"""Standoff editions: packages with references in place of the articles' words, and the way back.

In columns that quote an article, all words are replaced by references. In all other texts, five or
more consecutive words of an article are, and quotations of two or more words. The other files of the package are in
`documents/`, encoded in the same way, so that a reader who has the articles can restore the full
package byte for byte.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from defectors_data.package import atomic_publication, filesystem, published_folder
from defectors_data.package.tables_reader import PackageTables, Row
from defectors_data.readers.article_copies import ExportError, text_of
from defectors_data.readers.exports.exported_records import ExportedCorpus, Files
from defectors_data.readers.exports.hashed_references import InvalidReferenceError, ReferenceCodec

DOCUMENTS, ENDING = "documents/", ".standoff"
QUOTATIONS = ("text", "exact")
"""Columns whose words a document may repeat."""
WORDS = frozenset((*QUOTATIONS, "prefix", "suffix", "attribution_text", "against", "done_by"))
"""Columns that contain only words from an article."""
README = """\
# {title}: standoff edition

Version {version}. This edition contains no quotations from the articles. Columns with words of the
articles have references in their place: `⟦source:start-end:hash⟧`. The source is given as the
number of its row in `data/sources.csv`, from 0; start and end count Unicode code points, also from
0; and the hash has the first 16 digits of an HMAC-SHA-256 of the words. In all other texts,
references replace quotations of two or more words, and any five or more consecutive words of an
article. All else is as in the full package: addresses, short titles, the names of named persons, and
ids, which are often made of titles and names. A reader who has the same articles (their SHA-256 is
in `data/sources.csv`) can restore the full package, byte for byte:

    defectors-data rehydrate EDITION --seeds FOLDER --out FOLDER

`data/` has the tables as CSV and as Parquet, `documents/` has the other files of the full package,
encoded in the same way, and `SHA256SUMS` has the checksums of all files. Use the full package if
you may publish or store the words of the articles, and this edition if you may not.
"""
_CODE, _SHOWN = re.compile("`([^`]+)`"), r"<code>\1</code>"
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: standoff edition</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; \
padding: 0 1rem; }}
pre {{ overflow: auto; }} td {{ padding-right: 2rem; }}</style>
</head>
<body>
{readme}
<table>
<tr><th>table</th><th>rows</th></tr>
{rows}
</table>
</body>
</html>
"""


def files(corpus: ExportedCorpus) -> Files:
    """Yield the files of the edition: README, page, tables and documents.

    Raises:
        published_folder.DamagedPackageError: the package was changed after publication.
    """
    package = corpus.tables.folder
    published_folder.refuse_damage(package)
    quotations = list(_quotations(corpus.tables))
    references = ReferenceCodec([article.text for article in corpus.articles], quotations)
    sources = corpus.tables.rows("sources", ["source_id"])
    numbers = {row["source_id"]: number for number, row in enumerate(sources)}
    encode = partial(_encoded, references, numbers)
    plain = ReferenceCodec(references.articles)
    readme = plain.encode(README.format(title=corpus.title, version=corpus.version))
    yield "README.md", readme.encode()
    yield "index.html", _page(corpus, readme).encode()
    with TemporaryDirectory(prefix="defectors-data-") as temporary:
        folder = Path(temporary)
        filesystem.make_folder(folder / "data")
        for name in corpus.tables.names:
            _write_table(corpus.tables, name, folder, encode)
            for path in (f"data/{name}.csv", f"data/{name}.parquet"):
                yield path, (folder / path).read_bytes()
    for path in [*sorted(published_folder.listed(package)), published_folder.SUMS]:
        if not path.startswith("data/"):
            text = (package / path).read_bytes().decode()
            yield f"{DOCUMENTS}{path}{ENDING}", references.encode(text).encode()


def _quotations(tables: PackageTables) -> Iterator[str]:
    """Yield the quotations, and the words of figures, that documents may repeat; not names."""
    for name in tables.names:
        if name == "mentions":  # often only a name
            continue
        for row in tables.rows(name):
            is_number = name == "ledger" and row["kind"] != "quotation"
            is_evidence = name != "spans" or row["field"] == "evidence"
            if is_evidence and not is_number:
                yield from (row[column] for column in QUOTATIONS if row.get(column))


def _page(corpus: ExportedCorpus, readme: str) -> str:
    """Return a page with the README and the row counts of the tables.

    It quotes no article and loads nothing.
    """
    first, *blocks = html.escape(readme.strip()).split("\n\n")
    heading = first.removeprefix("# ")
    shown = [f"<h1>{heading}</h1>"]
    for block in blocks:
        if block.startswith(" "):
            shown.append(f"<pre>{block.strip()}</pre>")
        else:
            shown.append(f"<p>{_CODE.sub(_SHOWN, block)}</p>")
    numbers = {name: corpus.tables.number(name) for name in corpus.tables.names}
    rows = [f"<tr><td>{name}</td><td>{number:,}</td></tr>" for name, number in numbers.items()]
    title = heading.partition(": standoff")[0]
    return _PAGE.format(title=title, readme="\n".join(shown), rows="\n".join(rows))


def _encoded(
    references: ReferenceCodec, numbers: Mapping[str, int], row: Row, column: str, text: str
) -> str:
    if column not in WORDS:
        return references.encode(text)
    if "start_offset" not in row:  # the words of motives and acts are inside their testimony
        return references.encode(text, 1)
    source = numbers[row["source_id"]]
    starts: dict[str, int] = {
        "prefix": row["start_offset"] - len(text),
        "suffix": row["end_offset"],
    }
    start = starts.get(column, int(row["start_offset"]))
    if references.articles[source][start : start + len(text)] == text:
        return references.reference(source, start, start + len(text))
    return references.encode(text, 1)  # the text joins several parts, so it is encoded word by word


def _write_table(
    tables: PackageTables, name: str, folder: Path, cell: Callable[[Row, str, str], str]
) -> None:
    """Write a table with `cell` applied to each text cell.

    `cell` takes the row, the column and the text.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow to import

    from defectors_data.package.tables_writer import TableWriter  # noqa: PLC0415

    schema = tables.schema(name)
    writer = TableWriter(name, schema, lambda path: filesystem.NewFile(folder / path))
    for batch in tables.batches(name):
        changed: list[Row] = []
        for row in batch.to_pylist():
            texts = {column: text for column, text in row.items() if isinstance(text, str)}
            new = {column: cell(row, column, text) for column, text in texts.items()}
            changed.append({**row, **new})
        writer.take(pa.Table.from_pylist(changed, schema))
    writer.close()


def rehydrate(edition: Path, out: Path, *, seeds: Path) -> atomic_publication.PublicationOutcome:
    """Restore the full package from a standoff edition and the reader's own copies of the articles.

    Raises:
        ExportError: the edition was changed, a copy is missing or differs from the article that was
            annotated, or the result is not identical to the full package.
        atomic_publication.ForeignTargetError: `out` contains files that this project did not
            publish.
        atomic_publication.ConcurrentBuildError: another process is writing to the folder.
        OSError: a file could not be read or written; `out` is unchanged.
    """
    descriptor = published_folder.described(edition)
    described: Mapping[str, Any] = descriptor.get(published_folder.EXPORT, {})
    if described.get("format") != "standoff" or not published_folder.is_whole(edition):
        raise ExportError(f"{edition} is not a standoff edition, or its files were changed.")
    listed = published_folder.listed(edition)
    # The names of tables, without `data/` and `.csv`.
    names = [path[5:-4] for path in listed if path.startswith("data/") and path.endswith(".csv")]
    tables = PackageTables(edition, names)
    references = ReferenceCodec([text_of(row, seeds) for row in tables.rows("sources")])
    documents = [path for path in listed if path.startswith(DOCUMENTS)]

    def make(folder: Path) -> dict[str, str]:
        filesystem.make_folder(folder / "data")
        for name in names:
            _write_table(tables, name, folder, lambda *cell: references.decode(cell[2]))
        paths = [path for path in listed if path.startswith("data/")]
        sums = {path: filesystem.sha256(folder / path) for path in paths}
        wanted = b""
        for path in documents:
            target = folder / path.removeprefix(DOCUMENTS).removesuffix(ENDING)
            content = references.decode((edition / path).read_bytes().decode()).encode()
            # The checksums of the full package are compared with the result; `publish` writes the
            # file itself.
            if target.name == published_folder.SUMS:
                wanted = content
                continue
            filesystem.make_folders(target.parent)
            filesystem.write(target, content)
            sums[target.relative_to(folder).as_posix()] = hashlib.sha256(content).hexdigest()
        if published_folder.listing(sums) != wanted:
            raise ExportError(
                "The result differs from the full package, "
                "which another pyarrow version may have written."
            )
        return sums

    try:
        with atomic_publication.PublishTarget.locked(out) as site:
            return site.publish(make, inspect=lambda _folder: None) or "unchanged"
    except InvalidReferenceError as error:
        raise ExportError(str(error)) from error
