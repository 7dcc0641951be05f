"""The summands of an additive model: one file each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcore.models.terms.bag import BagTerm
from dpcore.models.terms.cells import CellsTerm
from dpcore.models.terms.gaussian import GaussianTerm
from dpcore.models.terms.indicator import IndicatorTerm
from dpcore.models.terms.linear import LinearTerm
from dpcore.models.terms.term import Term

__all__ = [
    "BagTerm",
    "CellsTerm",
    "GaussianTerm",
    "IndicatorTerm",
    "LinearTerm",
    "Term",
    "read_term",
]

_KINDS: dict[str, type[BagTerm | CellsTerm | GaussianTerm | IndicatorTerm | LinearTerm]] = {
    kind.kind: kind for kind in (BagTerm, CellsTerm, GaussianTerm, IndicatorTerm, LinearTerm)
}


def read_term(document: Mapping[str, Any]) -> Term:
    """Read a term from what its `to_plain` wrote.

    Examples
    --------
    >>> import numpy as np
    >>> read_term(IndicatorTerm(np.array([[1.0, 2.0]])).to_plain())
    IndicatorTerm(weights=array([[1., 2.]]))
    """
    return _KINDS[document["kind"]].from_plain(document)
