"""Linear terms read numbers on the scale of their bounds."""

from __future__ import annotations

import numpy as np

from dpcore.models.terms import LinearTerm
from tests.models._records import training


def test_bounds_map_to_one_and_minus_one() -> None:
    rows = training([((age, 0, 0, 0, 0, 0, 0), 0) for age in (-1.0, 1.0, 3.0, 99.0)], 1).rows
    assert LinearTerm(np.array([[2.0]])).scores(rows).ravel().tolist() == [-2, 0, 2, 2]
