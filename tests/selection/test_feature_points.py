"""Features as two counts, of rows and of counted tables."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore.aggregates import FeatureCounts
from dpcore.schema import encode
from dpcore.selection.feature_points import counted_points, feature_points, group_sizes
from tests.aggregates._tables import SCHEMA, people


def test_counts_outside_and_inside_of_class_1() -> None:
    rows = csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    assert feature_points(rows, np.array([1, 0, 2])).tolist() == [[1, 1], [1, 1]]
    assert feature_points(rows, np.array([1, 1, 0])).tolist() == [[0, 2], [1, 1]]
    assert feature_points(rows, None).tolist() == [[2, 0], [2, 0]]


def test_a_counted_table_has_the_points_of_its_rows() -> None:
    frame = people(300)
    frame = frame[frame["ill"] != "?"]
    design = encode(frame, SCHEMA)
    table = FeatureCounts.from_frame(frame, SCHEMA)
    indicators = csr_array(design.matrix[:, 2:])
    np.testing.assert_array_equal(counted_points(table), feature_points(indicators, design.y))
    assert group_sizes(table).tolist() == [(design.y != 1).sum(), (design.y == 1).sum()]
