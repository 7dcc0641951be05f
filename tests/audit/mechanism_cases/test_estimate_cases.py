"""Regressions: rows lie in the set that the mechanism was promised."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.mechanism_cases import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_one_number(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["SmoothCauchy"], neighbors)
    for pair in case.pairs:
        more = pair.there.columns.size - pair.here.columns.size
        assert more == neighbors.pick(add_remove=1, replace=0)
        assert np.abs(pair.there.columns).max(initial=0.0) <= 1.0


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_rows_are_no_longer_than_promised(neighbors: Neighbors) -> None:
    for name, longest in (("ObjectivePerturbation", 1.0), ("BlockObjective", np.sqrt(2.0))):
        (case,) = mechanism_cases(mechanism_classes()[name], neighbors)
        for pair in case.pairs:
            for rows, targets in (pair.here, pair.there):
                assert rows.shape[0] == targets.shape[0]
                assert np.linalg.norm(rows, axis=1).max() <= longest
            more = pair.there[0].shape[0] - pair.here[0].shape[0]
            assert more == neighbors.pick(add_remove=1, replace=0)
