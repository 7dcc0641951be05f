"""Numbers in [-1, 1]: one more, or one moved from end to end."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_one_number(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["SmoothCauchy"], neighbors)
    for pair in case.pairs:
        more = pair.there.columns.size - pair.here.columns.size
        assert more == neighbors.pick(add_remove=1, replace=0)
        assert np.abs(pair.there.columns).max(initial=0.0) <= 1.0
