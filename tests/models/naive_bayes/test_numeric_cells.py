"""Public grids, and counts in their cells."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.models.naive_bayes.numeric_cells import equal_grids, numeric_counts, public_grids
from tests.models._records import all_records, training
from tests.models.naive_bayes._fitted import NUMBER


@pytest.mark.parametrize(
    "records_per_noise, edges", [(0, 4), (119, 4), (120, 9), (999, 9), (1e6, 23)]
)
def test_grids_get_finer_with_more_records_per_noise(records_per_noise: float, edges: int) -> None:
    assert public_grids(training([], 2, NUMBER), records_per_noise)[0].size == edges


def test_equal_grids() -> None:
    np.testing.assert_allclose(equal_grids(training([], 2, NUMBER), 4)[0], [0, 2.5, 5, 7.5, 10])


def test_each_record_is_in_one_cell_of_its_class() -> None:
    data = training(all_records(3), 3)
    (counts,) = numeric_counts(data, equal_grids(data, 5))
    assert counts.shape == (3, 5)
    np.testing.assert_array_equal(counts.sum(axis=1), data.sizes)
