"""`croissant.json`: Croissant 1.1 with the RAI vocabulary, by which tools for machine learning find and load records.

The records come from the Parquet files, which know their types; Croissant calls those `application/x-parquet`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

from defectors_data.documents.catalogues.facts import Contents, Facts, File
from defectors_data.documents.catalogues.schema_org import agent, described
from defectors_data.documents.readme import citation
from defectors_data.models.json_schema import encoded
from defectors_data.models.tables import Column, columns, sentence

CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
PARQUET = "application/x-parquet"

_OWN = """arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject fileSet format
includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
samplingRate separator source subField transform"""
_CONTEXT: Mapping[str, Any] = MappingProxyType(
    {
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
        **{word: f"cr:{word}" for word in _OWN.split()},
    }
)


def croissant(facts: Facts) -> bytes:
    """Return `croissant.json`."""
    dataset = facts.dataset
    return encoded(
        {
            "@context": dict(_CONTEXT),
            "@type": "Dataset",
            "conformsTo": list(CONFORMS_TO),
            **described(facts),
            "alternateName": dataset.name,
            "citeAs": citation(dataset),
            "creator": [agent(contributor) for contributor in dataset.contributors],
            "publisher": [agent(c) for c in dataset.contributors if "publisher" in c.roles],
            "isLiveDataset": False,
            **_responsible(facts),
            "distribution": [_file(file) for file in facts.files],
            "recordSet": [_records(table) for table in facts.tables],
        }
    )


def _responsible(facts: Facts) -> dict[str, Any]:
    """Return what is to be known before a model is made of the data, in the words of Croissant's RAI vocabulary."""
    dataset = facts.dataset
    return {
        "rai:dataCollection": dataset.collection.strip(),
        "rai:dataCollectionType": ["Document Analysis", "Manual Human Curation"],
        "rai:dataAnnotationProtocol": [dataset.annotation.strip()],
        "rai:dataUseCases": [use.strip() for use in dataset.uses],
        "rai:dataLimitations": [limitation.strip() for limitation in dataset.limitations],
        "rai:dataBiases": [bias.strip() for bias in dataset.biases],
        "rai:personalSensitiveInformation": [dataset.sensitive.strip(), dataset.protection.strip()],
        "rai:dataSocialImpact": " ".join(f"It must not be used {_lower(use.strip())}" for use in dataset.not_for),
        "rai:dataReleaseMaintenancePlan": f"{dataset.maintenance.strip()} {dataset.contact.strip()}",
    }


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _file(file: File) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "description": file.title,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": PARQUET if file.path.endswith(".parquet") else file.media_type,
        "sha256": file.sha256,
    }


def _records(contents: Contents) -> dict[str, Any]:
    table = contents.row.TABLE
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": sentence(contents.row),
        "key": {"@id": f"{table.name}/{table.key}"},
        "field": [_field(contents, column) for column in columns(contents.row)],
    }


_TYPES = {str: "sc:Text", int: "sc:Integer", float: "sc:Float", bool: "sc:Boolean", date: "sc:Date"}


def _field(contents: Contents, column: Column) -> dict[str, Any]:
    table = contents.row.TABLE
    refers = table.refers.get(column.name)
    return {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": _TYPES[column.type],
        "source": _column(table.name, column.name),
        **({"references": _column(*refers)} if refers else {}),
    }


def _column(table: str, column: str) -> dict[str, Any]:
    return {"fileObject": {"@id": f"data/{table}.parquet"}, "extract": {"column": column}}
