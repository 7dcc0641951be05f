"""Block counts partition the records of one-hot blocks; their sensitivity is exact."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.models.naive_bayes.indicators import block_counts, block_sensitivity
from tests.models._records import Record, all_records, training

RECORDS = all_records(2)


@given(st.lists(st.sampled_from(RECORDS), max_size=6))
def test_one_hot_cells_add_up_to_the_class_sizes(records: list[Record]) -> None:
    data = training(records, 2)
    for counts, block in zip(block_counts(data), data.rows.indicator_blocks, strict=True):
        assert (counts >= 0).all()
        if block.kind == "one-hot":
            np.testing.assert_array_equal(counts.sum(axis=1), data.sizes)
            assert counts.shape[1] == block.stop - block.start + 1


def test_exact_sensitivity() -> None:
    blocks = training([], 2).rows.indicator_blocks
    counted = np.array(
        [
            np.concatenate([counts.ravel() for counts in block_counts(training([record], 2))])
            for record in RECORDS
        ]
    )
    assert counted.sum(axis=1).max() == block_sensitivity(blocks) == 1 + 1 + 2
    swaps = np.abs(counted[:, np.newaxis] - counted).sum(axis=2)
    assert swaps.max() == 2 * block_sensitivity(blocks)


def test_the_rest_cell_is_last() -> None:
    counts = block_counts(training([((0, 0, 0, 0, 0, 0, 0), 1)], 2))
    assert counts[0].tolist() == [[0, 0, 0], [0, 0, 1]]
    assert counts[2].tolist() == [[0, 0, 0], [0, 0, 0]]


def test_no_blocks() -> None:
    assert block_sensitivity(()) == 0
