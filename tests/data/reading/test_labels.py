"""Labels, each read by itself."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.data.reading.labels import is_known, is_positive


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float32, np.float64, bool])
@pytest.mark.parametrize("wanted", [1, "1", 1.0, True])
def test_stored_types_do_not_matter(dtype: type, wanted: object) -> None:
    assert is_positive(np.array([0, 1, 1], dtype=dtype), wanted).tolist() == [False, True, True]


@pytest.mark.parametrize("wanted", [300, -1, 0.5, "yes"])
def test_a_value_that_cannot_be_there_is_not(wanted: object) -> None:
    assert not is_positive(np.array([0, 1, 255], dtype=np.uint8), wanted).any()


def test_what_counts_as_a_label() -> None:
    cells = np.array(["yes", "no", None, "NA", " ", np.nan], dtype=object)
    assert is_known(cells, "yes", None).tolist() == [True, True, False, False, False, False]
    assert is_known(cells, "NA", None).tolist()[3]
    assert is_known(cells, "yes", "no").tolist() == [True, True, False, False, False, False]
    assert is_known(np.array([1, 2]), 1, None) is None
    assert is_known(np.array([1.0, np.nan]), 1, None).tolist() == [True, False]


def test_a_word_for_missing_may_be_a_label() -> None:
    cells = np.array(["NA", "?"], dtype=object)
    assert is_known(cells, "NA", None).tolist() == [True, False]
    assert is_known(np.array(["yes", "NA"], dtype=object), "yes", "NA").tolist() == [True, True]
