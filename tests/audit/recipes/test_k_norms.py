"""Joint histograms: a record is in one cell of each."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_a_record_is_in_one_cell_of_every_histogram(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["KNormHistograms"], neighbors)
    (pair,) = case.pairs
    change = pair.there - pair.here
    assert (pair.there >= 0).all()
    for part in np.split(change, np.cumsum(case.mechanism.sizes)[:-1], axis=1):
        assert part.sum() == neighbors.pick(add_remove=1, replace=0)
        assert np.abs(part).max() == 1
