"""What each kind of result says: headline, table, CSV, JSON, picture and report, one file each."""

from dpcore.publications.publication import (
    Found,
    Publication,
    publication,
    publications,
    publications_of,
)

__all__ = ["Found", "Publication", "publication", "publications", "publications_of"]
