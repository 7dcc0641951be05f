"""ECDF methods as targets."""

from __future__ import annotations

import numpy as np

from dpcore import SeededNoise
from dpcore.audit import kinds
from dpcore.privacy import Neighbors


def test_neighbours_give_rows_of_numbers() -> None:
    kind = kinds()["ECDF method"]
    method = next(one for one in kind.methods().values() if one.guarantee.holds)
    for neighbors in Neighbors:
        target, pair = kind.target(method, neighbors), kind.pairs(method, neighbors)[0]
        for data in (pair.here, pair.there):
            rows = target.sample(data, 3, SeededNoise(0))
            assert rows.shape[0] == 3
            assert np.isfinite(rows).all()
