"""Totals: a record adds one to a count and at most the unit to a sum."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_one_record_and_its_largest_summand(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["GroupTotals"], neighbors)
    for pair in case.pairs:
        counts = np.abs(pair.there.positives - pair.here.positives).sum()
        sums = np.abs(pair.there.offsets - pair.here.offsets)
        assert counts == neighbors.pick(add_remove=1, replace=2)
        assert sums.max() == case.mechanism.unit
