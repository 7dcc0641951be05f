"""Finding the kinds, and everything that can be attacked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dpcore.audit.kinds.kind import Kind
from dpcore.privacy import Neighbors
from dpcore.registry import Method, discover

__all__ = ["Attackable", "kinds", "methods_of_all_kinds"]


@dataclass(frozen=True)
class Attackable:
    """A registered method under one relation."""

    kind: Kind
    method: Method
    neighbors: Neighbors

    @property
    def label(self) -> str:
        """Its kind and name."""
        return f"{self.kind.name} {self.method.name}"


@cache
def kinds() -> dict[str, Kind]:
    """Every module of this package that declares ``KIND``, by name.

    Examples
    --------
    >>> "ROC method" in kinds()
    True
    """
    found = {kind.name: kind for kind in discover("dpcore.audit.kinds", "KIND", Kind)}
    return dict(sorted(found.items()))


def methods_of_all_kinds() -> Iterator[Attackable]:
    """Every registered method under every relation that it supports."""
    for kind in kinds().values():
        for method in kind.methods().values():
            for neighbors in method.neighbors:
                yield Attackable(kind, method, neighbors)
