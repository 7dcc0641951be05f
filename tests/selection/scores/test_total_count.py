"""Total count."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore.selection.scores.total_count import METHOD, total_count


def test_it_counts_the_records_that_have_the_feature() -> None:
    rows = csr_array(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    assert total_count(rows, None).tolist() == [2.0, 1.0, 0.0]


def test_no_records() -> None:
    assert total_count(csr_array((0, 2)), None).tolist() == [0.0, 0.0]


def test_it_does_not_read_the_classes() -> None:
    assert METHOD.needs_classes is False
    assert METHOD.whole
