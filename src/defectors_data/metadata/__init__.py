"""The dataset's facts and its tables, told to those who have a format of their own: catalogues, hubs, archives.

`facts` gathers what all formats say; each other module writes one format from it, so that none can contradict another.
"""

from defectors_data.metadata.citing import citation_file, zenodo
from defectors_data.metadata.crate import CRATE, crate
from defectors_data.metadata.croissant import croissant
from defectors_data.metadata.datasheet import datasheet
from defectors_data.metadata.facts import Facts, gather
from defectors_data.metadata.hub import header
from defectors_data.metadata.schema_org import schema_org

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
