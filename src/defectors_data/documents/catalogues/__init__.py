"""The dataset's facts and its tables, told to those who have a format of their own: catalogues, hubs, archives.

`facts` gathers what all formats say; each other module writes one format from it, so that none can contradict another.
"""

from defectors_data.documents.catalogues.citation import citation_file, zenodo
from defectors_data.documents.catalogues.croissant import croissant
from defectors_data.documents.catalogues.facts import Facts, gather
from defectors_data.documents.catalogues.hub_card import header
from defectors_data.documents.catalogues.ro_crate import CRATE, crate
from defectors_data.documents.catalogues.schema_org import schema_org
from defectors_data.documents.datasheet import datasheet

__all__ = [
    "CRATE",
    "Facts",
    "citation_file",
    "crate",
    "croissant",
    "datasheet",
    "gather",
    "header",
    "schema_org",
    "zenodo",
]
