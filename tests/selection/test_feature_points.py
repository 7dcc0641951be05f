"""Features as two counts."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore import Neighbors
from dpcore.selection.feature_points import feature_points
from dpcore.selection.problem import Records
from dpcore.selection.scores.score import PublicRows
from dpcore.selection.scores.total_count import METHOD


def test_counts_outside_and_inside_of_class_1() -> None:
    rows = csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    public = PublicRows(neighbors=Neighbors.ADD_REMOVE, bound=2, features=2)

    def points(classes: np.ndarray | None) -> list[list[float]]:
        records = Records(indicators=rows, classes=classes, public=public, score=METHOD)
        return feature_points(records).tolist()  # type: ignore[no-any-return]

    assert points(np.array([1, 0, 2])) == [[1, 1], [1, 1]]
    assert points(np.array([1, 1, 0])) == [[0, 2], [1, 1]]
    assert points(None) == [[2, 0], [2, 0]]
