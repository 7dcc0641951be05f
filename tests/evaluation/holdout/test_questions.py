"""Records and values in the forms that people have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dpcore.errors import InvalidArgument
from dpcore.evaluation.holdout.questions import size_of, values_of, values_per_record


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
