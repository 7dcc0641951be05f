"""Neighbouring counts differ by one record."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("name", ["Geometric", "TreeCounts"])
def test_count_pairs_differ_by_one_record(name: str) -> None:
    for neighbors in Neighbors:
        (case,) = mechanism_cases(mechanism_classes()[name], neighbors)
        for pair in case.pairs:
            change = np.ravel(pair.there) - np.ravel(pair.here)
            assert np.abs(change).sum() == neighbors.pick(add_remove=1, replace=2)
            assert change.sum() == neighbors.pick(add_remove=1, replace=0)
