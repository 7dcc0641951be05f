"""What each kind of result says: headline, table, CSV, JSON, picture and report, one file each."""

from __future__ import annotations

from functools import lru_cache

from dpcore.errors import UnknownMethod
from dpcore.publications.publication import Found, Publication
from dpcore.registry import discover
from dpcore.study import DataSource

__all__ = ["Found", "Publication", "publication", "publications", "publications_of"]


@lru_cache(maxsize=1)
def _found() -> dict[str, Publication]:
    return {one.name: one for one in discover(__name__, "PUBLICATION", Publication)}


def publications() -> dict[str, Publication]:
    """All kinds of release by name.

    Examples
    --------
    >>> sorted(publications())
    ['auc', 'calibration', 'classes', 'compare', 'ecdf', 'features', 'groups', 'model', 'roc',
    'threshold']
    """
    return dict(_found())


def publication(name: str) -> Publication:
    """The kind of that name, or `UnknownMethod` with the nearest spelling."""
    if name not in _found():
        raise UnknownMethod("publication", name, _found())
    return _found()[name]


def publications_of(source: DataSource) -> dict[str, Publication]:
    """What can be published from data that are declared so, by name."""
    return {name: kind for name, kind in _found().items() if kind.fits(source)}
