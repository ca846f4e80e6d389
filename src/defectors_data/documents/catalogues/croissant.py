"""`croissant.json`: the dataset for machine-learning tools, in Croissant 1.1.

It uses the RAI vocabulary. Tools load the records from the Parquet files, because their columns
have types. Croissant's media type for Parquet is `application/x-parquet`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from defectors_data.documents import agreement_table
from defectors_data.documents.catalogues.facts import Facts, PublishedFile, PublishedTable
from defectors_data.documents.catalogues.schema_org import agents, common_properties
from defectors_data.documents.readme import citation, contact
from defectors_data.models.columns import Column, Table, columns, sentence
from defectors_data.models.schemas import encoded

_CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
_PARQUET = "application/x-parquet"  # the media type by which Croissant's tools recognise Parquet

_TERMS = """
arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject
fileSet format includes isArray isLiveDataset jsonPath key md5 parentField path recordSet
references regex repeated replace samplingRate separator source subField transform
"""
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{word: f"cr:{word}" for word in _TERMS.split()},
}


def croissant(facts: Facts) -> bytes:
    """Return the content of `croissant.json`."""
    dataset = facts.dataset
    publishers = [each for each in dataset.contributors if "publisher" in each.roles]
    return encoded(
        {
            "@context": _CONTEXT,
            "@type": "Dataset",
            "conformsTo": list(_CONFORMS_TO),
            **common_properties(facts),
            "alternateName": dataset.name,
            "citeAs": citation(dataset),
            "creator": agents(dataset.contributors),
            "publisher": agents(publishers),
            "isLiveDataset": False,
            **_responsible_ai(facts),
            **_contents(facts),
        }
    )


def _contents(facts: Facts) -> dict[str, Any]:
    """Return the properties of the files and the tables."""
    files = [_file_object(file) for file in facts.files]
    tables = [_record_set(table) for table in facts.tables]
    return {"distribution": files, "recordSet": tables}


def _responsible_ai(facts: Facts) -> dict[str, Any]:
    """Return the properties of the RAI vocabulary: how the data was made, its uses and limits."""
    dataset = facts.dataset
    limitations = [*dataset.limitations]
    if facts.not_claimed:
        limitations.append(facts.not_claimed)
    protocol = [dataset.annotation]
    if facts.unread:
        protocol.append(facts.unread)
    misuses = [f"It must not be used {use[0].lower()}{use[1:].strip()}" for use in dataset.not_for]
    maintenance = f"{dataset.maintenance.strip()} {contact(dataset)}"
    return {
        "rai:dataCollection": dataset.collection.strip(),
        "rai:dataCollectionType": ["Document Analysis"],
        "rai:dataAnnotationProtocol": _stripped(protocol),
        "rai:dataAnnotationAnalysis": agreement_table.sentences(facts.agreement),
        "rai:annotationsPerItem": _annotations(facts),
        "rai:dataUseCases": _stripped(dataset.uses),
        "rai:dataLimitations": _stripped(limitations),
        "rai:dataBiases": _stripped(dataset.biases),
        "rai:personalSensitiveInformation": _stripped((dataset.sensitive, facts.protection)),
        "rai:dataSocialImpact": " ".join(misuses),
        "rai:dataReleaseMaintenancePlan": maintenance,
    }


def _stripped(texts: Iterable[str]) -> list[str]:
    return [text.strip() for text in texts]


def _annotations(facts: Facts) -> str:
    """Return how often articles were annotated: in the records and in the compared readings."""
    names, articles = set(), 0
    pairs = facts.agreement["pairs"] if facts.agreement else ()
    for pair in pairs:
        names |= {reading["name"] for reading in pair["readings"]}
        articles = max(articles, len(pair["articles"]))
    if not names:
        return "1, in the records"
    return f"1, in the records; {len(names)} more, in the readings of up to {articles} articles"


def _file_object(file: PublishedFile) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "description": file.title,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": _PARQUET if file.path.endswith(".parquet") else file.media_type,
        "sha256": file.sha256,
    }


def _record_set(published: PublishedTable) -> dict[str, Any]:
    table = published.row.TABLE
    described = columns(published.row, published.columns)
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": sentence(published.row),
        "key": {"@id": f"{table.name}/{table.key}"},
        "field": [_field(table, column) for column in described],
    }


_TYPES = {str: "sc:Text", int: "sc:Integer", float: "sc:Float", bool: "sc:Boolean", date: "sc:Date"}


def _field(table: Table, column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": _TYPES[column.type],
        "source": _column(table.name, column.name),
    }
    if column.name in table.references:
        field["references"] = _column(*table.references[column.name])
    return field


def _column(table: str, column: str) -> dict[str, Any]:
    return {"fileObject": {"@id": f"data/{table}.parquet"}, "extract": {"column": column}}
