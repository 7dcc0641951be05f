"""Records below edges: one record is one step of the running counts."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_running_counts_of_neighbours(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["RecursiveQuantiles"], neighbors)
    for pair in case.pairs:
        change = np.diff(pair.there) - np.diff(pair.here)
        assert np.abs(change).sum() == neighbors.pick(add_remove=1, replace=2)
        assert (np.diff(pair.there) >= 0).all()
