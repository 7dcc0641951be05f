"""Records and values in the forms that people have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dpcore.errors import InvalidArgument
from dpcore.evaluation.holdout.questions import (
    numbers_per_record,
    size_of,
    values_of,
    values_per_record,
)
from dpcore.mechanisms.threshold.reusable_holdout import Summed


@pytest.mark.parametrize("records", [
    [1, 2, 3], np.zeros((3, 7)), pd.DataFrame({"a": [1, 2, 3]}), sparse.eye_array(3).tocsr(),
])  # fmt: skip
def test_the_number_of_records(records):
    assert size_of(records) == 3


def test_values_of_a_query():
    assert values_of(lambda records: records > 1, np.array([1, 2])).tolist() == [[False, True]]


@pytest.mark.parametrize("values", [[1.0], [[1.0]], [["a", "b"]], np.zeros((1, 1, 2))])
def test_anything_else_is_refused(values):
    with pytest.raises(InvalidArgument, match="^query must be one number for each of the 2"):
        values_per_record(values, 2, "query")


def test_lists_of_answers_become_numbers_and_sums_stay_sums():
    found = numbers_per_record([[True, "0.5", "canary"], [1, None, 0.25]])
    assert np.array_equal(found, [[1.0, 0.5, np.nan], [1.0, np.nan, 0.25]], equal_nan=True)
    sums = Summed(np.array([2, 3]), 4)
    assert numbers_per_record(sums) is sums
