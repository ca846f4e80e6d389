"""Metadata of the dataset in the formats of catalogues, hubs and archives.

`facts` gathers the facts that all formats state, so that no two formats contradict each other; the
other modules write the formats.
"""

from defectors_data.documents.catalogues.citation import citation_file, root_files, zenodo
from defectors_data.documents.catalogues.croissant import croissant
from defectors_data.documents.catalogues.facts import Facts, gather
from defectors_data.documents.catalogues.hugging_face_header import header
from defectors_data.documents.catalogues.ro_crate import CRATE, crate
from defectors_data.documents.catalogues.schema_org import schema_org
from defectors_data.documents.catalogues.skos import NAME as VOCABULARY
from defectors_data.documents.catalogues.skos import vocabulary

__all__ = [
    "CRATE",
    "VOCABULARY",
    "Facts",
    "citation_file",
    "crate",
    "croissant",
    "gather",
    "header",
    "root_files",
    "schema_org",
    "vocabulary",
    "zenodo",
]
